//! A program that is run on candidates: its command line, and what its end means.

use std::ffi::OsString;
use std::sync::Arc;

use super::folder::FolderInput;
use super::forking::Knowledge;

/// What a program's end means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandMode {
    /// An oracle: exit status 0 says that the failure shows, as C-Reduce, picire and shrinkray
    /// have it.
    ExitZeroFails,
    /// A validator: exit status 0 says that the input is valid, any other that it is not.
    ExitZeroIsValid,
    /// A fuzz target: how it dies and what it prints tell the failure.
    Executable,
}

/// What all slots of a target know of its program.
pub(super) struct Program {
    /// The program and its arguments.
    pub arguments: Vec<OsString>,
    /// What its end means.
    pub mode: CommandMode,
    /// How the candidate's file is called, for programs that look at the ending.
    pub file_name: OsString,
    /// What a candidate stands for, if it is not a file.
    pub folder: Option<Arc<FolderInput>>,
    /// Whether libFuzzer looks for leaks in it.
    pub finds_leaks: bool,
    /// Whether it may be forked, and what was learnt of that.
    pub forks: Arc<Knowledge>,
}

impl Program {
    /// The program `arguments[0]` with its arguments.
    pub fn new(arguments: Vec<OsString>, mode: CommandMode) -> Self {
        Program {
            arguments,
            mode,
            file_name: "candidate".into(),
            folder: None,
            finds_leaks: false,
            forks: Arc::default(),
        }
    }
}
