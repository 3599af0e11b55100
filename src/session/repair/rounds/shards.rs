//! The valid texts of the first round of each shard, on disk: the second round of all shards begins from them.

use std::io;
use std::path::{Path, PathBuf};

use super::{ValidText, first_different};
use crate::aside;
use crate::session::corpora::JoinError;

/// The file in a shard's result folder.
const VALID_TEXTS_FILE: &str = "valid-texts.json";

/// Writes texts with the places of their inputs in the list of all inputs.
pub(crate) fn write_valid_texts(
    folder: &Path,
    texts: impl Iterator<Item = ValidText>,
) -> io::Result<()> {
    let texts = texts.map(|(place, text)| (place, base16ct::lower::encode_string(&text)));
    let texts: Vec<(usize, String)> = texts.collect();
    aside::write(&folder.join(VALID_TEXTS_FILE), &serde_json::to_vec(&texts)?)
}

/// The texts that one run over the inputs of all shards would begin from.
///
/// # Errors
///
/// The file of a shard cannot be read.
pub(crate) fn join_valid_texts(folders: &[PathBuf]) -> Result<Vec<Vec<u8>>, JoinError> {
    let mut all: Vec<ValidText> = Vec::new();
    for path in folders.iter().map(|folder| folder.join(VALID_TEXTS_FILE)) {
        let bytes = std::fs::read(&path)
            .map_err(|source| JoinError::Read { path: path.clone(), source })?;
        let read: Vec<(usize, String)> =
            serde_json::from_slice(&bytes).map_err(|_| JoinError::NoShard(path.clone()))?;
        for (place, text) in read {
            let text = base16ct::lower::decode_vec(&text);
            all.push((place, text.map_err(|_| JoinError::NoShard(path.clone()))?));
        }
    }
    all.sort_by_key(|(place, _)| *place);
    Ok(first_different(all.into_iter()).into_iter().map(|(_, text)| text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_shards_come_in_the_order_of_their_inputs_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let folders = ["one", "two"].map(|name| folder.path().join(name));
        let texts: [&[(usize, &str)]; 2] = [&[(0, "b"), (3, "a")], &[(1, "a"), (2, "c")]];
        for (folder, texts) in folders.iter().zip(texts) {
            std::fs::create_dir(folder).unwrap();
            let texts = texts.iter().map(|(place, text)| (*place, text.as_bytes().to_vec()));
            write_valid_texts(folder, texts).unwrap();
        }
        assert_eq!(join_valid_texts(&folders).unwrap(), [b"b", b"a", b"c"]);
        std::fs::write(folders[0].join(VALID_TEXTS_FILE), "x").unwrap();
        assert!(matches!(join_valid_texts(&folders), Err(JoinError::NoShard(_))));
    }
}
