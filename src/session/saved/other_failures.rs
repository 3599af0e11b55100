//! Other failures on disk: a folder beside the result, with a file for each.
//!
//! A failure is written when it is first met, so that a killed run loses nothing, and at the end
//! once more by the simplest input that showed it. A file is only ever replaced by a simpler one:
//! its name identifies the failure, so a file with this name already shows the same one. If no
//! other failure was met, no folder is made.

use crate::event::Caught;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::aside;
use crate::corpus::{Originals, other_failures_of};
use seedsmith_engine::OtherFailure;
use seedsmith_engine::Signature;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::order;

/// Letters of a name for the kind and the place. With the digits of the hash the name stays below
/// the 255 bytes that file systems allow, and fits on one line.
const MAX_NAME_LETTERS: usize = 80;

/// The folder for the other failures of one result.

#[derive(Debug)]
pub(crate) struct OtherFailuresFolder {
    path: PathBuf,
    originals: Arc<Originals>,
    names: BTreeSet<String>,
    kept: Vec<PathBuf>,
    trouble: Option<io::Error>,
}

impl OtherFailuresFolder {
    /// The folder beside `output`; it is made when there is something to keep.
    pub(crate) fn beside(output: &Path) -> Self {
        OtherFailuresFolder {
            path: other_failures_of(output),
            originals: Arc::default(),
            names: BTreeSet::new(),
            kept: Vec::new(),
            trouble: None,
        }
    }

    /// The same folder, in which none of the `originals` is replaced.
    pub(crate) fn sparing(self, originals: Arc<Originals>) -> Self {
        OtherFailuresFolder { originals, ..self }
    }

    /// Keeps a failure that was met for the first time in this run, and says where.
    ///
    /// The path is known even if the file could not be written; [`OtherFailuresFolder::finish`]
    /// gives the error.
    pub(crate) fn add(&mut self, signature: &Signature, input: &[u8]) -> PathBuf {
        let mut name = name_of(signature);
        let stem = name.clone();
        let mut count = 1;
        while !self.names.insert(name.clone()) {
            count += 1;
            name = format!("{stem}-{count}");
        }
        let path = self.path.join(name);
        self.keep(&path, input);
        self.kept.push(path.clone());
        path
    }

    /// Keeps the simplest input of each failure, in the order in which they were met, and returns
    /// their paths.
    ///
    /// A file that was written when its failure was first met is replaced, if a simpler input was
    /// met later. Stacks are left empty; the caller names them. The error is the first one of the
    /// whole run.
    pub(crate) fn finish(mut self, caught: &[OtherFailure]) -> (Vec<Caught>, Option<io::Error>) {
        for one in &caught[self.kept.len().min(caught.len())..] {
            self.add(&one.signature, &one.input);
        }
        let mut told = Vec::new();
        for (one, path) in caught.iter().zip(self.kept.clone()) {
            self.keep(&path, &one.input);
            told.push(Caught {
                signature: one.signature.clone(),
                stack: Vec::new(),
                bytes: fs::metadata(&path).map_or(one.input.len(), |file| file.len() as usize),
                path,
            });
        }
        (told, self.trouble)
    }

    /// Writes one file, and remembers the first error.
    fn keep(&mut self, path: &Path, input: &[u8]) {
        if let Err(error) = self.try_keep(path, input) {
            self.trouble.get_or_insert(error);
        }
    }

    /// Makes the folder if there is none yet, and writes the file aside. An original, and a file
    /// with a simpler input, stay as they are.
    fn try_keep(&self, path: &Path, input: &[u8]) -> io::Result<()> {
        if self.originals.at(path).is_some() {
            return Ok(());
        }
        if fs::read(path).is_ok_and(|there| !order::is_simpler(input, &there)) {
            return Ok(());
        }
        fs::create_dir_all(&self.path)?;
        aside::write(path, input)
    }
}

/// A file's name for a failure: kind, file and line, and a hash of the facts that distinguish
/// failures.
fn name_of(signature: &Signature) -> String {
    let place = signature.place.as_deref().unwrap_or_default();
    let place = place.rsplit('/').next().unwrap_or_default();
    let mut name = String::new();
    for c in format!("{} {place}", signature.kind).chars() {
        match c {
            c if c.is_ascii_alphanumeric() || "._".contains(c) => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    name.truncate(MAX_NAME_LETTERS);
    let frames: Vec<String> = match signature.place {
        Some(_) => Vec::new(),
        None => signature.own_frames(3).iter().map(ToString::to_string).collect(),
    };
    let who = format!("{}\n{:?}\n{}", signature.kind, signature.place, frames.join("\n"));
    format!("{}-{:08x}", name.trim_matches(['-', '.']), Digest::of(who.as_bytes()).0 as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::Kind;

    fn caught(place: &str, input: &[u8]) -> OtherFailure {
        let place = Some(place.to_owned());
        let signature = Signature { place, ..Signature::of_kind(Kind::Panic) };
        OtherFailure { signature: Arc::new(signature), input: input.to_vec() }
    }

    #[test]
    fn a_name_tells_kind_and_place_and_is_a_name_everywhere() {
        let name = name_of(&caught("/home/me/src/a.rs:12:3", b"").signature);
        assert!(name.starts_with("panic-a.rs-12-3-"), "{name}");
        assert_ne!(name, name_of(&caught("/home/other/src/a.rs:12:3", b"").signature));
        let strange = Kind::Other("../../etc/passwd \0".repeat(20));
        let name = name_of(&Signature::of_kind(strange));
        assert!(!name.starts_with('.') && !name.contains(['/', '\0']) && name.len() < 100);
    }

    #[test]
    fn each_failure_is_a_file_with_the_simplest_input_that_showed_it() {
        let scratch = tempfile::tempdir().unwrap();
        let output = scratch.path().join("small");
        let folder = OtherFailuresFolder::beside(&output);
        assert!(folder.finish(&[]).0.is_empty());
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "nothing was caught");

        let mut folder = OtherFailuresFolder::beside(&output);
        folder.add(&caught("a.rs:1:1", b"").signature, b"first");
        let (told, trouble) =
            folder.finish(&[caught("a.rs:1:1", b"less"), caught("b.rs:1:1", b"other")]);
        assert!(trouble.is_none());
        let contents: Vec<_> = told.iter().map(|one| fs::read(&one.path).unwrap()).collect();
        assert_eq!(contents, [b"less".to_vec(), b"other".to_vec()]);
        assert_eq!(
            told[0].path.parent(),
            Some(scratch.path().join("small.other-failures").as_path())
        );

        // A later run that met a larger one leaves the smaller one there.
        let (told, _) =
            OtherFailuresFolder::beside(&output).finish(&[caught("a.rs:1:1", b"larger")]);
        assert_eq!((fs::read(&told[0].path).unwrap(), told[0].bytes), (b"less".to_vec(), 4));
    }

    #[test]
    fn failures_whose_names_are_equal_lie_side_by_side() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = OtherFailuresFolder::beside(&scratch.path().join("small"));
        let (told, _) = folder.finish(&[caught("a.rs:1:1", b"x"), caught("a.rs:1:1", b"y")]);
        assert_ne!(told[0].path, told[1].path);
    }
}
