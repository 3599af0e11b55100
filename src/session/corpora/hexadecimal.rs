//! Paths and bytes in the files of shards: as hexadecimal digits, since they need not be text.
//!
//! A file with other digits cannot be read at all, so no entry of it is lost in silence.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Bytes that are written as hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct HexBytes(pub Vec<u8>);

impl From<HexBytes> for String {
    fn from(bytes: HexBytes) -> String {
        base16ct::lower::encode_string(&bytes.0)
    }
}

impl TryFrom<String> for HexBytes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        base16ct::lower::decode_vec(&text).map(HexBytes).map_err(|_| "no hexadecimal digits")
    }
}

/// A path whose bytes are written as hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "HexBytes", from = "HexBytes")]
pub(super) struct HexPath(pub PathBuf);

impl HexPath {
    /// For `path`, which is copied.
    pub(super) fn of(path: &Path) -> Self {
        HexPath(path.to_owned())
    }
}

impl From<HexPath> for HexBytes {
    fn from(path: HexPath) -> Self {
        HexBytes(path.0.as_os_str().as_bytes().to_vec())
    }
}

impl From<HexBytes> for HexPath {
    fn from(bytes: HexBytes) -> Self {
        HexPath(OsString::from_vec(bytes.0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_read_as_they_were_written_and_other_digits_are_an_error() {
        let path = HexPath(OsString::from_vec(vec![b'a', 0xff]).into());
        assert_eq!(serde_json::to_string(&path).unwrap(), "\"61ff\"");
        assert_eq!(serde_json::from_str::<HexPath>("\"61ff\"").unwrap(), path);
        for wrong in ["\"6\"", "\"6g\"", "7"] {
            assert!(serde_json::from_str::<HexPath>(wrong).is_err(), "{wrong}");
        }
    }
}
