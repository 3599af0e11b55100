//! Which inputs a run has seen, as one number: two runs over the same content have the same.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::input::content_name;
use super::read::read_input;

/// Inputs, without their order and their paths.
///
/// It is the sum of their SHA-1s. That tells corpora apart that differ by chance, which is all that it is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputSet {
    count: u64,
    sum: u128,
}

impl InputSet {
    /// Adds an input by its SHA-1 in hexadecimal.
    pub(crate) fn add(&mut self, sha1: &str) {
        let number = sha1.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok());
        self.count += 1;
        self.sum = self.sum.wrapping_add(number.unwrap_or_default());
    }

    /// The set of inputs with these SHA-1s.
    pub(crate) fn of<'s>(sha1s: impl Iterator<Item = &'s str>) -> Self {
        let mut set = InputSet::default();
        sha1s.for_each(|sha1| set.add(sha1));
        set
    }

    /// The set of the inputs in `files`.
    ///
    /// Files that are named by a SHA-1 are not read: see [`sha1_in_name`]. Empty files and files that cannot be read do not
    /// count.
    pub(crate) fn of_files(files: &[PathBuf], interrupt: &AtomicBool) -> Self {
        let mut set = InputSet::default();
        for path in files {
            if let Some(name) = sha1_in_name(path) {
                set.add(name);
            } else if let Ok(bytes) = read_input(path, interrupt)
                && !bytes.is_empty()
            {
                set.add(&content_name(&bytes));
            }
        }
        set
    }
}

impl fmt::Display for InputSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:032x}", self.count, self.sum)
    }
}

/// The name of a file that is a SHA-1, as libFuzzer and seedsmith name the files of a corpus.
///
/// It is taken for the SHA-1 of the content where an input belongs to a shard, so that a shard need not read the files of
/// the others. The results are right if it is another one, too.
pub(crate) fn sha1_in_name(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (name.len() == 40 && name.bytes().all(is_digit)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_the_same_for_any_order_and_paths_and_another_one_with_another_input() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let set = |files: &[&PathBuf]| {
            let files: Vec<PathBuf> = files.iter().map(|path| (*path).clone()).collect();
            InputSet::of_files(&files, &AtomicBool::new(false)).to_string()
        };
        let (one, two, empty) = (write("one", "1"), write("two", "2"), write("empty", ""));
        let named = write(&content_name(b"1"), "1");
        assert_eq!(set(&[&one, &two, &empty]), set(&[&two, &named]));
        assert_ne!(set(&[&one]), set(&[&two]));
        assert_ne!(set(&[&one]), set(&[&one, &two]));
        let sha1s = [content_name(b"2"), content_name(b"1")];
        assert_eq!(InputSet::of(sha1s.iter().map(String::as_str)).to_string(), set(&[&one, &two]));
        assert_eq!(sha1_in_name(&one), None);
        assert_eq!(sha1_in_name(&named), Some(&sha1s[1][..]));
    }
}
