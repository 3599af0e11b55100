//! What the second run of a shard needs to know of all shards, on disk: `merge` writes it into each result folder.
//!
//! Some commands do work on an input that depends on the inputs of all shards. Their first run leaves what is asked
//! of each shard, `merge` puts it together, and the same command finds it in its result folder and does the rest.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hexadecimal::{HexBytes, HexPath};
use super::part::JoinError;
use crate::aside;

/// The file in a shard's result folder.
pub(super) const SECOND_RUN_FILE: &str = "second-run.json";

/// What `merge` has put together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SecondRun {
    /// The executable and the options of the run, as in its parts.
    key: String,
    /// The files to work on, of all shards.
    files: Vec<HexPath>,
    /// Valid texts to begin from.
    texts: Vec<HexBytes>,
}

impl SecondRun {
    /// The second run of the parts with this key works on `files`.
    pub(crate) fn on_files<'f>(key: &str, files: impl Iterator<Item = &'f Path>) -> Self {
        let absolute = |path| std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        let files = files.map(|path: &Path| HexPath(absolute(path))).collect();
        SecondRun { key: key.to_owned(), files, texts: Vec::new() }
    }

    /// The second run of the parts with this key begins from `texts`.
    pub(crate) fn from_texts<'t>(key: &str, texts: impl Iterator<Item = &'t [u8]>) -> Self {
        let texts = texts.map(|text| HexBytes(text.to_vec())).collect();
        SecondRun { key: key.to_owned(), files: Vec::new(), texts }
    }

    /// The files to work on.
    pub(crate) fn files(self) -> Vec<PathBuf> {
        self.files.into_iter().map(|path| path.0).collect()
    }

    /// The texts to begin from.
    pub(crate) fn texts(self) -> Vec<Vec<u8>> {
        self.texts.into_iter().map(|text| text.0).collect()
    }

    /// Writes it into a result folder.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        aside::write(&folder.join(SECOND_RUN_FILE), &serde_json::to_vec(self)?)
    }

    /// Reads it from a result folder; `None` if there is none of a part with this key.
    ///
    /// Fails if the file cannot be read, or if it is none that [`SecondRun::write`] has written.
    pub(crate) fn read(folder: &Path, key: &str) -> Result<Option<Self>, JoinError> {
        let path = folder.join(SECOND_RUN_FILE);
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|source| JoinError::Read { path: path.clone(), source })?,
        };
        let read: SecondRun =
            serde_json::from_slice(&bytes).map_err(|_| JoinError::NoShard(path))?;
        Ok((read.key == key).then_some(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_read_by_shards_of_the_same_run_only() {
        let folder = tempfile::tempdir().unwrap();
        let read = |key| SecondRun::read(folder.path(), key).unwrap();
        assert!(read("key").is_none());
        SecondRun::on_files("key", [Path::new("a")].into_iter()).write(folder.path()).unwrap();
        assert_eq!(read("key").unwrap().files(), [std::path::absolute("a").unwrap()]);
        assert!(read("other").is_none());
        SecondRun::from_texts("key", [&b"\0x"[..]].into_iter()).write(folder.path()).unwrap();
        assert_eq!(read("key").unwrap().texts(), [b"\0x".to_vec()]);
    }

    #[test]
    fn a_file_with_an_entry_that_cannot_be_read_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SECOND_RUN_FILE);
        std::fs::write(&path, r#"{"key": "key", "files": ["61", "6"], "texts": []}"#).unwrap();
        let error = SecondRun::read(folder.path(), "key").unwrap_err();
        assert!(matches!(&error, JoinError::NoShard(named) if *named == path), "{error}");
    }
}
