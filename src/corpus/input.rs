//! Inputs by content: what is the same bytes is one input.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::PassedOver;

/// An input that lies in a file, not read into memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The first file with these bytes.
    pub path: PathBuf,
    /// Its size in bytes; may be 0.
    pub bytes: u64,
    /// The SHA-1 of its bytes in hexadecimal, by which libFuzzer names files too.
    pub sha1: String,
    /// Further files with the same bytes.
    pub copies: Vec<PathBuf>,
}

impl Listed {
    /// Every file with these bytes.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        std::iter::once(&self.path).chain(&self.copies).cloned()
    }
}

/// Inputs, each content once.
#[derive(Debug, Default)]
pub struct Inputs {
    /// In the order of the files that were given.
    pub inputs: Vec<Listed>,
    /// Files that can't be read.
    pub passed_over: Vec<PassedOver>,
}

/// Reads every file once, a piece at a time, and tells which are the same bytes.
pub fn list(files: impl IntoIterator<Item = PathBuf>) -> Inputs {
    let mut found = Inputs::default();
    let mut known: HashMap<String, usize> = HashMap::new();
    for path in files {
        let (sha1, bytes) = match fingerprint(&path) {
            Ok(read) => read,
            Err(error) => {
                found.passed_over.push(PassedOver { path, why: error.to_string() });
                continue;
            }
        };
        match known.get(&sha1) {
            Some(index) if found.inputs[*index].path == path => {}
            Some(index) => found.inputs[*index].copies.push(path),
            None => {
                known.insert(sha1.clone(), found.inputs.len());
                found.inputs.push(Listed { path, bytes, sha1, copies: Vec::new() });
            }
        }
    }
    found
}

/// The SHA-1 of `bytes` in hexadecimal.
pub fn content_name(bytes: &[u8]) -> String {
    sha1_smol::Sha1::from(bytes).hexdigest()
}

fn fingerprint(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let mut sha1 = sha1_smol::Sha1::new();
    let mut piece = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match file.read(&mut piece)? {
            0 => return Ok((sha1.hexdigest(), bytes)),
            count => {
                sha1.update(&piece[..count]);
                bytes += count as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_are_one_input_under_their_first_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, bytes) in [("a", "abc"), ("b", ""), ("c", "abc")] {
            std::fs::write(path(name), bytes).unwrap();
        }
        let found = list(["a", "b", "c", "gone", "a"].map(path));
        let sizes: Vec<_> = found.inputs.iter().map(|one| (&one.path, one.bytes)).collect();
        assert_eq!(sizes, [(&path("a"), 3), (&path("b"), 0)]);
        assert_eq!(found.inputs[0].copies, [path("c")]);
        assert_eq!(found.inputs[0].sha1, content_name(b"abc"));
        assert_eq!(found.inputs[0].sha1, "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(found.passed_over.len(), 1);
    }
}
