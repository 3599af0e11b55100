//! Reads the files that grammars are made of, and bounds them: everything that walks over a grammar
//! relies on its size.

use super::error::GrammarError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No grammar, format file or file of replacements is larger. The largest of antlr/grammars-v4 has
/// less than 1 MB.
pub(crate) const MAX_FILE_BYTES: usize = 16 << 20;

/// The bytes of a file, which has to be a regular one: a device or a fifo might never end.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, GrammarError> {
    let failed = |source| GrammarError::Read { path: path.to_owned(), source };
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        let reason = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
        return Err(failed(reason));
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(failed)?.take(MAX_FILE_BYTES as u64 + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > MAX_FILE_BYTES {
        Err(too_large(&path.display().to_string()))
    } else {
        Ok(bytes)
    }
}

/// The text of a file in UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, GrammarError> {
    let reason = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read(path)?)
        .map_err(|error| GrammarError::Read { path: path.to_owned(), source: reason(error) })
}

/// Refuses a text that is longer than a file may be; the message calls it `name`.
pub(crate) fn check_size(name: &str, text: &str) -> Result<(), GrammarError> {
    if text.len() > MAX_FILE_BYTES { Err(too_large(name)) } else { Ok(()) }
}

fn too_large(name: &str) -> GrammarError {
    GrammarError::TooLarge { name: name.to_owned(), limit_bytes: MAX_FILE_BYTES }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_too_large_or_not_regular_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.g4");
        File::create(&path).unwrap().set_len(MAX_FILE_BYTES as u64 + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().ends_with("is larger than 16 MB"));
        File::create(&path).unwrap().set_len(7).unwrap();
        assert_eq!(read(&path).unwrap(), [0; 7]);
        for other in [folder.path(), Path::new("/dev/zero")] {
            assert!(matches!(read(other), Err(GrammarError::Read { .. })), "{}", other.display());
        }
    }
}
