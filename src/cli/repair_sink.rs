//! Where `repair` puts valid texts and its page: written aside, and renamed when they are whole.
//!
//! What can't be written is found out before the first test, as far as that can be known. A file
//! that was there is replaced only where that was asked for, and nothing but a file ever is.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};

use super::exit::{Exit, OrExit, Trouble};
use super::output::{refuse_no_file, unwritable};
use super::repair_plan::RepairPlan;
use crate::aside::{self, Aside};
use crate::corpus::content_name;
use crate::report::{PAGE_HEAD, RepairPage};
use crate::session::repair::{RepairRow, RepairTotals};

/// Takes what a run finds.
pub struct Sink {
    place: Place,
    names: HashSet<String>,
    page: Option<Page>,
}

enum Place {
    Nowhere,
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

struct Page {
    path: PathBuf,
    page: RepairPage<BufWriter<Aside>>,
}

impl Sink {
    /// Finds out where results go, and makes sure that they can.
    pub fn new(plan: &RepairPlan, is_single: bool) -> Result<Self, Trouble> {
        let place = place(plan, is_single)?;
        match &place {
            Place::File(path) => {
                Aside::beside(path).map_err(|error| unwritable(path, &error)).map(drop)?
            }
            Place::Folder(path) => fs::create_dir_all(path)
                .and_then(|()| Aside::beside(&path.join("trial")).map(drop))
                .map_err(|error| unwritable(path, &error))?,
            Place::Nowhere | Place::Stdout => {}
        }
        let page =
            plan.page.as_deref().map(|path| open_page(path, plan.may_replace)).transpose()?;
        Ok(Sink { place, names: HashSet::new(), page })
    }

    /// Whether texts go to stdout.
    pub fn is_stdout(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// Texts that were written, each once.
    pub fn written(&self) -> usize {
        self.names.len()
    }

    /// Writes a valid text; says where it is.
    pub fn write(&mut self, text: &[u8]) -> Result<Option<PathBuf>, Trouble> {
        let name = content_name(text);
        let path = match &self.place {
            Place::File(file) => file.clone(),
            Place::Folder(folder) => folder.join(&name),
            Place::Nowhere | Place::Stdout => return Ok(None),
        };
        // In a folder a name is the content's own, so what is there already is the same.
        let is_new = self.names.insert(name);
        if is_new && (matches!(self.place, Place::File(_)) || !path.exists()) {
            aside::write(&path, text).map_err(|error| unwritable(&path, &error))?;
        }
        Ok(Some(path))
    }

    /// Adds an input to the page, if there is one.
    pub fn show(
        &mut self,
        row: &RepairRow,
        input: &[u8],
        text: Option<&[u8]>,
    ) -> Result<(), Trouble> {
        let Some(Page { path, page }) = &mut self.page else { return Ok(()) };
        page.add(row, input, text)
            .or_exit(Exit::Files, || format!("failed to write {}", path.display()))
    }

    /// Ends the page and gives it its name.
    pub fn finish(self, totals: &RepairTotals) -> Result<(), Trouble> {
        let Some(Page { path, page }) = self.page else { return Ok(()) };
        let finish = || -> io::Result<()> { page.finish(totals)?.into_inner()?.persist() };
        finish().or_exit(Exit::Files, || format!("failed to write {}", path.display()))
    }
}

fn place(plan: &RepairPlan, is_single: bool) -> Result<Place, Trouble> {
    let usage = |why: &str| Trouble::new(Exit::Usage, why);
    Ok(match &plan.output {
        None if is_single && plan.tell.json && !plan.diagnoses => {
            let why = "JSON Lines take stdout: name a file for the repaired input with -o";
            return Err(usage(why));
        }
        None if is_single => Place::Stdout,
        None if plan.diagnoses => Place::Nowhere,
        None => return Err(usage("several inputs need a folder for what is repaired: -o DIR")),
        Some(path) if is_single && !path.is_dir() => {
            refuse_no_file(path)?;
            if path.exists() && !plan.may_replace {
                let why = format!("{} is there already; --force replaces it", path.display());
                return Err(Trouble::new(Exit::Files, why));
            }
            Place::File(path.clone())
        }
        Some(path) if plan.inputs.iter().any(|input| is_same_folder(input, path)) => {
            return Err(usage(&format!(
                "{} is where the inputs are; name another folder, so that originals and results \
                 stay apart",
                path.display()
            )));
        }
        Some(path) => Place::Folder(path.clone()),
    })
}

fn is_same_folder(left: &Path, right: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok().filter(|path| path.is_dir());
    whole(left).is_some_and(|left| whole(right) == Some(left))
}

/// Begins a page, to stand in place of an earlier one but of nothing else.
fn open_page(path: &Path, may_replace: bool) -> Result<Page, Trouble> {
    refuse_no_file(path)?;
    if path.exists() && !may_replace {
        let mut head = Vec::new();
        // What can't be read is no page of ours.
        let _ = File::open(path)
            .and_then(|file| file.take(PAGE_HEAD.len() as u64).read_to_end(&mut head));
        if head != PAGE_HEAD.as_bytes() {
            let why =
                format!("{} is there and no page of ours; --force replaces it", path.display());
            return Err(Trouble::new(Exit::Files, why));
        }
    }
    let page = Aside::beside(path).and_then(|file| RepairPage::begin(BufWriter::new(file)));
    let page = page.or_exit(Exit::Files, || format!("failed to write {}", path.display()))?;
    Ok(Page { path: path.to_owned(), page })
}
