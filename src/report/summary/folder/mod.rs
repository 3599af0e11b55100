//! A folder that was one input, in words; and in its modules corpora, whose files are inputs each.
//!
//! Each headline is one line without a line feed. Only the console prints it, on stderr.

pub(crate) mod corpus;
pub(crate) mod coverage;
pub(crate) mod shrunk;

use crate::event::MinimizedFolder;

use crate::report::show;

/// `4 → 1 files, 900 → 12 bytes in 1.2 s: 310 tests, 340 executions; written to out`. The counts are those of
/// all steps. The numbers have no commas here.
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
