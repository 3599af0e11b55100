//! An input of a run: a file, or a text in memory.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::corpus::{Listed, read_input};

/// An input to repair.
#[derive(Clone, Debug)]
pub(crate) enum RepairInput {
    /// A file, which is read when its turn comes.
    File(PathBuf),
    /// A text in memory.
    Text {
        /// Its name in results. A program that validates it is given a file of this name.
        name: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

impl From<&Listed> for RepairInput {
    fn from(listed: &Listed) -> Self {
        RepairInput::File(listed.path.clone())
    }
}

impl RepairInput {
    /// The file's path, or the text's name.
    pub(crate) fn path(&self) -> &Path {
        match self {
            RepairInput::File(path) => path,
            RepairInput::Text { name, .. } => name,
        }
    }

    /// Its bytes. Fails only where a file cannot be read.
    pub(crate) fn read(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            RepairInput::File(path) => {
                // The number of bytes read is bounded, so that this ends without a signal being looked at.
                Ok(Cow::Owned(read_input(path, &AtomicBool::new(false))?))
            }
            RepairInput::Text { bytes, .. } => Ok(Cow::Borrowed(bytes)),
        }
    }
}
