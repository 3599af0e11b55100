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
    format!(
        "{} in {}: {} tests, {} executions; written to {}",
        sizes(folder),
        show::time(folder.elapsed),
        folder.counts.tests,
        folder.counts.executions,
        show::path(&folder.output)
    )
}

/// `4 → 1 files, 900 → 12 bytes`.
pub(crate) fn sizes(folder: &MinimizedFolder) -> String {
    let MinimizedFolder { original, best, .. } = folder;
    let (before, after) = (original.files.len(), best.files.len());
    format!("{before} → {after} files, {} → {} bytes", original.bytes(), best.bytes())
}
