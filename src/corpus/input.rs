//! Inputs by content: files with the same bytes are one input.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sha1::Digest;

use super::PassedOver;
use super::read::{ReadError, each_piece};

/// An input in a file, not read into memory.
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
pub(crate) struct Inputs {
    /// In the order of the files that were given.
    pub inputs: Vec<Listed>,
    /// Files that can't be read.
    pub passed_over: Vec<PassedOver>,
    /// Those of them that are larger than an input may be.
    pub too_large: Vec<PathBuf>,
    /// Hidden files and folders in the folders that were named. They are no inputs; only the walk
    /// through the folders counts them.
    pub hidden: usize,
}

/// Reads every file once, a piece at a time, and says which are the same bytes. Ends
/// with those until then when `interrupt` is set.
pub(crate) fn list(files: impl IntoIterator<Item = PathBuf>, interrupt: &AtomicBool) -> Inputs {
    let mut found = Inputs::default();
    let mut known: HashMap<String, usize> = HashMap::new();
    for path in files {
        let (sha1, bytes) = match fingerprint(&path, interrupt) {
            Ok(read) => read,
            Err(ReadError::Interrupted) => break,
            Err(error) => {
                if matches!(error, ReadError::TooLarge) {
                    found.too_large.push(path.clone());
                }
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

/// The SHA-1 of an input.
pub(crate) type Sha1 = [u8; 20];

/// The SHA-1 of `bytes` in hexadecimal.
pub(crate) fn content_name(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&sha1::Sha1::digest(bytes))
}

/// The bytes of a SHA-1 in hexadecimal; zeros for what is none.
///
/// `base16ct` takes the same time for any text, which is ten times as long, and this is called several times for each input.
pub(crate) fn sha1_of(text: &str) -> Sha1 {
    const NONE: u8 = 0xff;
    const DIGITS: [u8; 256] = {
        let mut digits = [NONE; 256];
        let mut digit = 0;
        while digit < 16 {
            digits[b"0123456789abcdef"[digit] as usize] = digit as u8;
            digits[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
            digit += 1;
        }
        digits
    };
    let mut digest = [0; 20];
    if text.len() != 2 * digest.len() {
        return digest;
    }
    let mut all = 0;
    for (byte, two) in digest.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let (high, low) = (DIGITS[usize::from(two[0])], DIGITS[usize::from(two[1])]);
        all |= high | low;
        *byte = high << 4 | low;
    }
    if all == NONE { [0; 20] } else { digest }
}

fn fingerprint(path: &Path, interrupt: &AtomicBool) -> Result<(String, u64), ReadError> {
    let mut sha1 = sha1::Sha1::new();
    let bytes = each_piece(path, interrupt, &mut |piece| sha1.update(piece))?;
    Ok((base16ct::lower::encode_string(&sha1.finalize()), bytes))
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
        let found = list(["a", "b", "c", "gone", "a"].map(path), &AtomicBool::new(false));
        let sizes: Vec<_> = found.inputs.iter().map(|one| (&one.path, one.bytes)).collect();
        assert_eq!(sizes, [(&path("a"), 3), (&path("b"), 0)]);
        assert_eq!(found.inputs[0].copies, [path("c")]);
        assert_eq!(found.inputs[0].sha1, content_name(b"abc"));
        assert_eq!(found.inputs[0].sha1, "a9993e364706816aba3e25717850c26c9cd0d89d");
        let digest = sha1_of(&found.inputs[0].sha1);
        assert_eq!(base16ct::lower::encode_string(&digest), found.inputs[0].sha1);
        assert_eq!(sha1_of(&found.inputs[0].sha1.to_uppercase()), digest);
        assert_eq!([sha1_of(""), sha1_of(&"+1".repeat(20))], [[0; 20]; 2]);
        assert_eq!(found.passed_over.len(), 1);
    }
}
