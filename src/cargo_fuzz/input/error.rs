//! The reasons why an input cannot be found or read.

use std::io;
use std::path::PathBuf;

use crate::corpus::MAX_INPUT_BYTES;

/// Files that are listed in a message; it says how many more there are. Five lines leave the
/// message itself on the screen.
const MAX_LISTED_FILES: usize = 5;

/// Paths, one a line.
fn by_line(paths: &[PathBuf]) -> String {
    let listed = paths.iter().take(MAX_LISTED_FILES);
    let mut lines: String = listed.map(|path| format!("\n  {}", path.display())).collect();
    if let Some(more @ 1..) = paths.len().checked_sub(MAX_LISTED_FILES) {
        lines += &format!("\n  and {more} more");
    }
    lines
}

/// Why an input cannot be found or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum InputError {
    /// There is no such file, nor one in the same folder that begins with the name.
    #[error("no such file: {}", path.display())]
    NoFile {
        /// The name.
        path: PathBuf,
    },
    /// There is no such file, nor one that begins with the name in a folder for crashes.
    #[error(
        "no such file: {name}; no crash begins with it in {} or here",
        searched.iter().map(|folder| format!("{folder}/*/")).collect::<Vec<_>>().join(", ")
    )]
    NoCrash {
        /// The name.
        name: String,
        /// The folders whose subfolders were searched.
        searched: &'static [&'static str],
    },
    /// The name fits several files with different bytes.
    #[error(
        "{} files begin with {}; name one of them:{}",
        paths.len(),
        named.display(),
        by_line(paths)
    )]
    Several {
        /// The name.
        named: PathBuf,
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// It is a directory.
    #[error("{} is a directory; name one of the files in it", path.display())]
    Directory {
        /// Its path.
        path: PathBuf,
    },
    /// It is a pipe, a socket or a device. An input is read more than once.
    #[error("{} is neither a file nor a folder; write its content into a file first", path.display())]
    NotAFile {
        /// Its path.
        path: PathBuf,
    },
    /// The file is larger than any input may be.
    #[error("{} is larger than {} MB, the most that an input may have", path.display(), MAX_INPUT_BYTES >> 20)]
    TooLarge {
        /// Its path.
        path: PathBuf,
    },
    /// An end of the run was asked for while it was read.
    #[error("stopped while reading the input")]
    Interrupted,
    /// The file is empty, so nothing can be removed from it.
    #[error("{} is empty, and nothing is smaller than that", path.display())]
    Empty {
        /// Its path.
        path: PathBuf,
    },
    /// There is no such file any more.
    #[error("failed to read {}", path.display())]
    Vanished {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The file cannot be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// It is a pipe or a device, which cannot be read more than once.
    #[error(
        "{} is neither a file nor a folder; write its content into a file first",
        path.display()
    )]
    NoFileNorFolder {
        /// Its path.
        path: PathBuf,
    },
    /// A folder cannot be read.
    #[error("failed to read {}", path.display())]
    Walk {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// There are no inputs in the files and folders that were named.
    #[error(
        "no inputs in {}; hidden files and our own results don't count",
        named.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    None {
        /// The names.
        named: Vec<PathBuf>,
    },
    /// A folder for crashes cannot be read.
    #[error("failed to look for crashes")]
    Search(#[source] io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_lists_five_files_and_counts_the_others() {
        let paths: Vec<PathBuf> = (0..7).map(|at| PathBuf::from(format!("c{at}"))).collect();
        assert_eq!(by_line(&paths), "\n  c0\n  c1\n  c2\n  c3\n  c4\n  and 2 more");
        assert_eq!(by_line(&paths[..1]), "\n  c0");
    }
}
