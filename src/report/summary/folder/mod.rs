//! What became of a folder that was one input.

pub mod corpus;
pub mod coverage;
pub mod shrunk;

use crate::event::MinimizedFolder;

use crate::report::show;

/// What is said of it, in one line.
pub fn headline(folder: &MinimizedFolder) -> String {
    let MinimizedFolder { files_before, files, bytes_before, bytes, counts, .. } = folder;
    format!(
        "{files_before} → {files} files, {bytes_before} → {bytes} bytes in {}: {} tests, {} \
         executions; written to {}",
        show::time(folder.elapsed),
        counts.tests,
        counts.executions,
        show::path(&folder.output)
    )
}
