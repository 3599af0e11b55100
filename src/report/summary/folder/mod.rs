//! What became of a folder that was one input.

pub mod corpus;
pub mod coverage;
pub mod shrunk;

use std::path::PathBuf;
use std::time::Duration;

use crate::event::Counts;
use crate::report::show;
use seedsmith_engine::signature::Signature;

/// A folder that was minimized.
#[derive(Clone, Debug)]
pub struct FolderFinished {
    /// The folder.
    pub input: PathBuf,
    /// The folder with the result.
    pub output: PathBuf,
    /// Files of the input.
    pub files_before: usize,
    /// Files of the result.
    pub files: usize,
    /// Bytes of the input's files.
    pub bytes_before: u64,
    /// Bytes of the result's files.
    pub bytes: u64,
    /// Counts of all steps.
    pub counts: Counts,
    /// Time for all of them.
    pub elapsed: Duration,
    /// The failure.
    pub signature: Signature,
    /// The executable with the code that fails, for stacks.
    pub code: Option<PathBuf>,
}

/// What is said of it, in one line.
pub fn headline(folder: &FolderFinished) -> String {
    let FolderFinished { files_before, files, bytes_before, bytes, counts, .. } = folder;
    format!(
        "{files_before} → {files} files, {bytes_before} → {bytes} bytes in {}: {} tests, {} \
         executions; written to {}",
        show::time(folder.elapsed),
        counts.tests,
        counts.executions,
        show::path(&folder.output)
    )
}
