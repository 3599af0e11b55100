//! The bytes of the inputs that were read, as far as there is room for them.
//!
//! An input that is chosen runs again and is written. If its bytes are here, its file is not read and hashed each
//! time, and cannot have changed.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::input::{Listed, Sha1, content_name, sha1_of};
use super::read::read_input;

/// Bytes that are kept: 100,000 files of 1 KB fit, with all else within the gigabyte that such a corpus may take.
const MAX_HELD_BYTES: u64 = 256 << 20;

/// Bytes of inputs, by their SHA-1.
#[derive(Debug, Default)]
pub(crate) struct HeldBytes {
    by_sha1: HashMap<Sha1, Arc<Vec<u8>>>,
    bytes: u64,
}

impl HeldBytes {
    /// Keeps the bytes of an input, if there is room for them.
    pub(crate) fn hold(&mut self, input: &Listed, bytes: &Arc<Vec<u8>>) {
        if self.bytes + input.bytes <= MAX_HELD_BYTES {
            self.bytes += input.bytes;
            self.by_sha1.insert(sha1_of(&input.sha1), bytes.clone());
        }
    }

    /// The bytes of an input. Nothing if they are not kept and cannot be read any more, or are others now.
    pub(crate) fn read(&self, input: &Listed, interrupt: &AtomicBool) -> Option<Arc<Vec<u8>>> {
        if let Some(bytes) = self.by_sha1.get(&sha1_of(&input.sha1)) {
            return Some(bytes.clone());
        }
        let bytes = read_input(&input.path, interrupt).ok()?;
        (content_name(&bytes) == input.sha1).then(|| bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_is_not_held_is_read_if_it_has_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        std::fs::write(&path, "text").unwrap();
        let input = Listed { path, bytes: 4, sha1: content_name(b"text"), copies: Vec::new() };
        let never = AtomicBool::new(false);
        let mut held = HeldBytes::default();
        assert_eq!(held.read(&input, &never).as_deref(), Some(&b"text".to_vec()));
        std::fs::write(&input.path, "other").unwrap();
        assert_eq!(held.read(&input, &never), None);
        held.hold(&input, &b"text".to_vec().into());
        assert_eq!(held.read(&input, &never).as_deref(), Some(&b"text".to_vec()));
        let large = Listed { bytes: MAX_HELD_BYTES, sha1: content_name(b"large"), ..input };
        held.hold(&large, &b"large".to_vec().into());
        assert_eq!(held.read(&large, &never), None);
    }
}
