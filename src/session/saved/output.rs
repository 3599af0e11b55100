//! Where a result is saved.

use std::path::PathBuf;

/// The place of one result.
#[derive(Clone, Debug)]
pub struct Output {
    /// The result's path. Whatever is there is replaced.
    pub path: PathBuf,
    /// What is there now. A search starts from it if it still fails and is not larger than the
    /// input.
    pub existing: Option<Vec<u8>>,
}
