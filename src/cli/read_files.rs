//! The files that a command line names besides its inputs, none of which may be replaced by what
//! the command writes.

use std::path::PathBuf;

use crate::cargo_fuzz::{TargetRequest, TargetSource};
use crate::session::language::LanguageChoice;

/// The executable or the files of the command, and the grammar's files.
pub fn read_files(target: &TargetRequest, language: &LanguageChoice) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match &target.source {
        TargetSource::Command(line) => line.argv.iter().map(PathBuf::from).collect(),
        TargetSource::Executable(path) => vec![path.clone()],
        TargetSource::Package { .. } | TargetSource::Linked(_) => Vec::new(),
    };
    files.extend(language.grammar.iter().flat_map(|names| names.split(',')).map(PathBuf::from));
    files
}
