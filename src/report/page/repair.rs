//! The page of a run of repairs: each input with what was dropped and added in colour.
//!
//! It is written as results come, so that memory stays flat whatever their number. The totals,
//! known last and shown first, go into room that is left for them.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::frame::{self, Blanks, escape, visible};
use super::marked::{beginning, marked};
use crate::aside::Aside;
use crate::report::repairs::words;
use crate::report::show::{number, time};
use crate::session::repair::{RepairRow, RepairStatus, RepairTotals, changes};
use crate::session::saved::output::{OutputError, refuse_no_file};

/// Texts beyond that many bytes of a page are left out: a browser has to hold them.
const MOST_BYTES: u64 = 48 << 20;
/// Room for the totals.
const ROOM: usize = 600;

const INTRODUCTION: &str = "<p class=\"legend\">Text that was <del>dropped</del> or \
     <ins>added</ins>; <i>\\x00</i> is a byte that cannot be seen. Inputs that were valid are not \
     listed.</p>\n";
const CONTROLS: &str = "<div class=\"controls\" hidden>\
     <input id=\"search\" type=\"search\" placeholder=\"Part of a name\" aria-label=\"Part of a name\">\
     <select id=\"status\" aria-label=\"Which\"><option value=\"\">All</option>\
     <option value=\"good\">Repaired</option><option value=\"bad\">Not repaired</option></select>\
     <select id=\"order\" aria-label=\"Order\"><option value=\"\">In order of the files</option>\
     <option value=\"-edits\">Most edits first</option>\
     <option value=\"+kept\">Least kept first</option>\
     <option value=\"-bytes\">Largest first</option>\
     <option value=\"-tests\">Most tests first</option></select>\
     <output id=\"count\" class=\"meta\"></output></div>\n";
const SCRIPT: &str = include_str!("page.js");

/// Writes a page to `out`.
pub struct RepairPage<W: Write + Seek> {
    out: W,
    totals_at: u64,
    written: u64,
}

impl<W: Write + Seek> RepairPage<W> {
    /// Begins the page.
    pub fn begin(mut out: W) -> io::Result<Self> {
        let head = frame::begin("Repairs", Some(SCRIPT));
        let totals_at = head.len() as u64;
        write!(out, "{head}{:ROOM$}\n{INTRODUCTION}{CONTROLS}<div id=\"rows\">\n", "")?;
        Ok(RepairPage { out, totals_at, written: 0 })
    }

    /// Adds an input. `text` is the valid one, if one was found.
    pub fn add(&mut self, row: &RepairRow, input: &[u8], text: Option<&[u8]>) -> io::Result<()> {
        if row.status == RepairStatus::Valid {
            return Ok(());
        }
        let class = if row.status == RepairStatus::Repaired { "good" } else { "bad" };
        let name = visible(row.input.as_os_str().as_encoded_bytes(), Blanks::OneLine);
        let mut section = format!(
            "<section class=\"row {class}\" data-edits=\"{}\" data-kept=\"{}\" data-bytes=\"{}\" \
             data-tests=\"{}\">\n<h2 class=\"name\">{name}</h2>\n<p class=\"meta\">{}",
            row.distance.unwrap_or(match row.status {
                // More than can be counted.
                RepairStatus::Repaired => row.input_bytes,
                _ => 0,
            }),
            row.kept_bytes * 1000 / row.input_bytes.max(1),
            row.input_bytes,
            row.tests,
            escape(&words(row)),
        );
        if let Some(output) = &row.output {
            let output = visible(output.as_os_str().as_encoded_bytes(), Blanks::OneLine);
            let _ = write!(section, " → <code>{output}</code>");
        }
        section += "</p>\n";
        if self.written > MOST_BYTES {
            section += "<p class=\"gap\">… left out: the page is large already …</p>\n";
        } else {
            let shown = match text {
                Some(text) => marked(input, &changes(input, text)),
                None => beginning(input),
            };
            // A newline behind `<pre>` is dropped by browsers: this one, not the input's.
            let _ = writeln!(section, "<pre>\n{shown}</pre>");
        }
        section += "</section>\n";
        self.written += section.len() as u64;
        self.out.write_all(section.as_bytes())
    }

    /// Ends the page and puts the totals where they belong; hands the writer back.
    pub fn finish(mut self, totals: &RepairTotals) -> io::Result<W> {
        let end = frame::end(Some(SCRIPT));
        write!(self.out, "</div>\n{end}")?;
        let mut shown = String::from("<ul class=\"totals\">");
        for (count, what) in [
            (totals.inputs as u64, "inputs"),
            (totals.valid as u64, "valid"),
            (totals.repaired as u64, "repaired"),
            // Only a check has invalid ones, and it repairs none.
            match totals.invalid {
                0 => (totals.not_repaired as u64, "not repaired"),
                invalid => (invalid as u64, "invalid"),
            },
            (totals.tests, "tests"),
        ] {
            let _ = write!(shown, "<li><b>{}</b> {what}</li>", number(count));
        }
        let _ = write!(shown, "<li><b>{}</b></li></ul>", time(totals.elapsed));
        assert!(shown.len() <= ROOM, "totals need more room than they have: {}", shown.len());
        self.out.seek(SeekFrom::Start(self.totals_at))?;
        self.out.write_all(shown.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A page that gets its name when it is whole.
pub struct RepairPageFile {
    path: PathBuf,
    page: RepairPage<BufWriter<Aside>>,
}

impl RepairPageFile {
    /// Begins a page at `path`, where nothing or an earlier page is; a file of another kind is
    /// replaced only if it `may_replace` that, and nothing but a file ever is.
    pub fn begin(path: &Path, may_replace: bool) -> Result<Self, OutputError> {
        refuse_no_file(path)?;
        if path.exists() && !may_replace && !is_page(path) {
            return Err(OutputError::NoPage { path: path.to_owned() });
        }
        let page = Aside::beside(path).and_then(|file| RepairPage::begin(BufWriter::new(file)));
        let path = path.to_owned();
        match page {
            Ok(page) => Ok(RepairPageFile { path, page }),
            Err(source) => Err(OutputError::WritePage { path, source }),
        }
    }

    /// Adds an input. `text` is the valid one, if one was found.
    pub fn add(
        &mut self,
        row: &RepairRow,
        input: &[u8],
        text: Option<&[u8]>,
    ) -> Result<(), OutputError> {
        let added = self.page.add(row, input, text);
        added.map_err(|source| OutputError::WritePage { path: self.path.clone(), source })
    }

    /// Ends the page and gives it its name.
    pub fn finish(self, totals: &RepairTotals) -> Result<(), OutputError> {
        let RepairPageFile { path, page } = self;
        let finish = || -> io::Result<()> { page.finish(totals)?.into_inner()?.persist() };
        finish().map_err(|source| OutputError::WritePage { path, source })
    }
}

/// Whether a file begins as a page does. What can't be read is none.
fn is_page(path: &Path) -> bool {
    let head_bytes = frame::HEAD.len() as u64;
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(head_bytes).read_to_end(&mut head));
    read.is_ok() && head == frame::HEAD.as_bytes()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;

    fn row(name: &str, status: RepairStatus) -> RepairRow {
        RepairRow {
            input: PathBuf::from(name),
            output: None,
            status,
            input_bytes: 10,
            output_bytes: 9,
            kept_bytes: 9,
            distance: Some(1),
            tests: 3,
            executions: 4,
            elapsed: Duration::ZERO,
            stopped: None,
            note: Some("<script>alert(1)</script>".to_owned()),
            failures: 1,
            by_catch: vec![PathBuf::from("<img src=x onerror=alert(2)>")],
        }
    }

    /// Element names of a text, in order, an end with its slash; panics where `<` begins no tag.
    fn tags(html: &str) -> Vec<&str> {
        let inside = html.split('<').skip(1);
        inside.map(|rest| rest.split(['>', ' ']).next().expect("a split has a part")).collect()
    }

    type Added<'a> = (&'a RepairRow, &'a [u8], Option<&'a [u8]>);

    fn written(rows: &[Added<'_>], totals: &RepairTotals) -> String {
        let mut page = RepairPage::begin(Cursor::new(Vec::new())).unwrap();
        for (row, input, text) in rows {
            page.add(row, input, *text).unwrap();
        }
        String::from_utf8(page.finish(totals).unwrap().into_inner()).unwrap()
    }

    #[test]
    fn every_element_is_closed_and_nothing_hostile_becomes_one() {
        let hostile = b"</pre><script>alert(3)</script>\xff\0<!--'\"&amp;";
        let mut text = hostile.to_vec();
        text.remove(3);
        let bad = row("in/</h2><iframe src=//x>\n", RepairStatus::NotRepaired);
        let good = row("in/\" onload=\"alert(4)", RepairStatus::Repaired);
        let html = written(
            &[(&bad, hostile, None), (&good, hostile, Some(&text))],
            &RepairTotals::default(),
        );
        let (head, rest) = html.split_once("<div id=\"rows\">").unwrap();
        let (rows, tail) = rest.split_once("</div>").unwrap();
        let mut open = Vec::new();
        for tag in tags(rows) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{rows}"),
                None => open.push(tag),
            }
        }
        assert_eq!(open, [""; 0]);
        let known = ["section", "h2", "p", "pre", "i", "del", "ins", "span", "code"];
        for tag in tags(rows) {
            assert!(known.contains(&tag.trim_start_matches('/')), "{tag}");
        }
        assert!(head.contains("default-src 'none'"), "{head}");
        assert_eq!(html.matches("<script").count(), 1);
        assert!(tail.ends_with("</script>\n</body>\n</html>\n"), "{tail}");
        assert!(!html.contains("http:") && !html.contains("https:"));
    }

    #[test]
    fn the_largest_totals_have_room_in_front() {
        let totals = RepairTotals {
            inputs: usize::MAX,
            valid: usize::MAX,
            repaired: usize::MAX,
            not_repaired: usize::MAX,
            invalid: 0,
            tests: u64::MAX,
            written: usize::MAX,
            elapsed: Duration::from_secs(u64::MAX),
        };
        let html = written(&[], &totals);
        let at = html.find("<b>18,446,744,073,709,551,615</b> valid").unwrap();
        assert!(at < html.find("class=\"legend\"").unwrap());
    }

    #[test]
    fn valid_inputs_are_not_listed() {
        let html = written(
            &[(&row("fine", RepairStatus::Valid), b"x", Some(b"x"))],
            &RepairTotals::default(),
        );
        assert!(!html.contains("fine"));
    }

    #[test]
    fn a_page_replaces_an_earlier_one_and_no_other_file_unless_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let finish = |page: RepairPageFile| page.finish(&RepairTotals::default()).unwrap();
        finish(RepairPageFile::begin(&path, false).unwrap());
        finish(RepairPageFile::begin(&path, false).unwrap());
        std::fs::write(&path, "notes").unwrap();
        let refused = RepairPageFile::begin(&path, false).err().unwrap();
        assert!(matches!(refused, OutputError::NoPage { .. }), "{refused}");
        finish(RepairPageFile::begin(&path, true).unwrap());
        assert!(is_page(&path));
        let refused = RepairPageFile::begin(folder.path(), true).err().unwrap();
        assert!(matches!(refused, OutputError::NoFile { .. }), "{refused}");
    }
}
