//! What the second run of a shard needs to know of all shards, on disk: `merge` writes it into each result folder.
//!
//! Some commands do work on an input that depends on the inputs of all shards. Their first run leaves what is asked
//! of each shard, `merge` puts it together, and the same command finds it in its result folder and does the rest.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::aside;

/// The file in a shard's result folder.
const SECOND_RUN_FILE: &str = "second-run.json";

/// What `merge` has put together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SecondRun {
    /// The executable and the options of the run, as in its parts.
    key: String,
    /// The files to work on, of all shards. Paths are hexadecimal, since they need not be text.
    files: Vec<String>,
    /// Valid texts to begin from, in hexadecimal.
    texts: Vec<String>,
}

impl SecondRun {
    /// The second run of the parts with this key works on `files`.
    pub(crate) fn on_files<'f>(key: &str, files: impl Iterator<Item = &'f Path>) -> Self {
        let files = files.map(|path| base16ct::lower::encode_string(path.as_os_str().as_bytes()));
        SecondRun { key: key.to_owned(), files: files.collect(), texts: Vec::new() }
    }

    /// The second run of the parts with this key begins from `texts`.
    pub(crate) fn from_texts<'t>(key: &str, texts: impl Iterator<Item = &'t [u8]>) -> Self {
        let texts = texts.map(base16ct::lower::encode_string).collect();
        SecondRun { key: key.to_owned(), files: Vec::new(), texts }
    }

    /// The files to work on.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let decoded = self.files.iter().filter_map(|path| base16ct::lower::decode_vec(path).ok());
        decoded.map(|path| OsString::from_vec(path).into()).collect()
    }

    /// The texts to begin from.
    pub(crate) fn texts(&self) -> Vec<Vec<u8>> {
        self.texts.iter().filter_map(|text| base16ct::lower::decode_vec(text).ok()).collect()
    }

    /// Writes it into a result folder.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        aside::write(&folder.join(SECOND_RUN_FILE), &serde_json::to_vec(self)?)
    }

    /// Reads it from a result folder; `None` if there is none of a part with this key.
    pub(crate) fn read(folder: &Path, key: &str) -> Option<Self> {
        let bytes = std::fs::read(folder.join(SECOND_RUN_FILE)).ok()?;
        let read: SecondRun = serde_json::from_slice(&bytes).ok()?;
        (read.key == key).then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_read_by_shards_of_the_same_run_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = PathBuf::from(OsString::from_vec(vec![b'a', 0xff]));
        let files = SecondRun::on_files("key", [&*path].into_iter());
        files.write(folder.path()).unwrap();
        assert_eq!(SecondRun::read(folder.path(), "key").unwrap().files(), [path]);
        assert!(SecondRun::read(folder.path(), "other").is_none());
        SecondRun::from_texts("key", [&b"\0x"[..]].into_iter()).write(folder.path()).unwrap();
        assert_eq!(SecondRun::read(folder.path(), "key").unwrap().texts(), [b"\0x".to_vec()]);
    }
}
