//! The file of a page: it gets its name when the page is whole.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use super::frame;
use crate::aside::Aside;
use crate::event::ReportError;
use crate::report::show;
use crate::session::saved::output::{OutputError, refuse_no_file};

/// A place for a page that was checked, and a temporary file beside it.
///
/// The file is made before the search, so that a place that cannot be written costs no search. Without a call of
/// `write` it is deleted.
#[derive(Debug)]
pub(super) struct PageFile {
    /// Where the page will be.
    pub path: PathBuf,
    /// `None` when it is written.
    file: Option<Aside>,
}

impl PageFile {
    /// Begins a page at `path`, where nothing or an earlier page is; a file of another kind is
    /// replaced only if it `may_replace` that, and nothing but a file ever is.
    pub(super) fn begin(path: &Path, may_replace: bool) -> Result<Self, OutputError> {
        let path = path.to_owned();
        match begin(&path, may_replace)? {
            Ok(file) => Ok(PageFile { path, file: Some(file) }),
            Err(source) => Err(OutputError::WritePage { path, source }),
        }
    }

    /// Writes the page and gives it its name. Only the first call has an effect.
    pub(super) fn write(&mut self, html: &str) -> Option<ReportError> {
        let mut file = BufWriter::new(self.file.take()?);
        let written = file.write_all(html.as_bytes());
        let persisted = written.and_then(|()| file.into_inner()?.persist());
        let place = Some(self.path.clone());
        persisted.err().map(|source| ReportError { place, source })
    }
}

/// Checks a place and makes a temporary file beside `path`, where a page may be written; the inner error is one of the system.
pub(super) fn begin(path: &Path, may_replace: bool) -> Result<std::io::Result<Aside>, OutputError> {
    refuse_no_file(path)?;
    if path.exists() && !may_replace && !is_page(path) {
        return Err(OutputError::NoPage { path: path.to_owned() });
    }
    Ok(Aside::beside(path))
}

/// Whether a file is a page of an earlier run: it begins as a page does; no, if it cannot be read.
fn is_page(path: &Path) -> bool {
    let head_bytes = frame::HEAD.len() as u64;
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(head_bytes).read_to_end(&mut head));
    read.is_ok() && head == frame::HEAD.as_bytes()
}

/// The link from a page to another file, relative to the page: both can be moved together. `None` for standard
/// input, and where there is no way that begins at the same place.
pub(super) fn link(page: &Path, to: &Path) -> Option<String> {
    if to == Path::new("-") {
        return None;
    }
    let (page, to) = (lexical(page)?, lexical(to)?);
    let from = page.parent()?;
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().count() - shared;
    let rest: PathBuf = to.components().skip(shared).collect();
    let rest = show::uri_path(rest.as_os_str().as_encoded_bytes());
    Some(format!("{}{rest}", "../".repeat(up))).filter(|link| !link.is_empty())
}

/// The absolute path without `..`, as a browser makes one of a link. Symbolic links are not followed.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in std::path::absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn a_page_replaces_an_earlier_one_and_no_other_file_unless_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let html = frame::page("T", None, &html! {}).into_string();
        let write = |page: Result<PageFile, OutputError>| page.unwrap().write(&html);
        assert!(write(PageFile::begin(&path, false)).is_none());
        assert!(write(PageFile::begin(&path, false)).is_none());
        std::fs::write(&path, "notes").unwrap();
        let refused = PageFile::begin(&path, false).err().unwrap();
        assert!(matches!(refused, OutputError::NoPage { .. }), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "notes");
        assert!(write(PageFile::begin(&path, true)).is_none());
        assert!(is_page(&path));
        let refused = PageFile::begin(folder.path(), true).err().unwrap();
        assert!(matches!(refused, OutputError::NoFile { .. }), "{refused}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_is_relative_to_the_page_and_has_no_characters_that_mean_something() {
        let of = |page: &str, to: &str| link(Path::new(page), Path::new(to));
        assert_eq!(of("page.html", "crashes/a b").unwrap(), "crashes/a%20b");
        assert_eq!(of("out/page.html", "crashes/a").unwrap(), "../crashes/a");
        assert_eq!(of("out/page.html", "out/../out/a:b%").unwrap(), "a%3Ab%25");
        assert_eq!(of("/x/page.html", "/y/javascript:a\"").unwrap(), "../y/javascript%3Aa%22");
        assert_eq!(of("page.html", "-"), None);
    }
}
