//! A folder that was one input, in words.

pub(crate) mod corpus;
pub(crate) mod coverage;
pub(crate) mod shrunk;

use crate::event::MinimizedFolder;

use crate::report::show;

/// `4 → 1 files, 900 → 12 bytes in 1.2 s: …; written to out`.
pub(crate) fn headline(folder: &MinimizedFolder) -> String {
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
