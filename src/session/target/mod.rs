//! An open target: how to run it, its names and its origin.
//!
//! It is separate from [`Target`] because the engine needs only that: names are for people, the
//! executable is for stacks, and the origin distinguishes one target from another.

mod harness;
pub(crate) mod open;
pub(crate) mod start;

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use seedsmith_engine::Target;
use seedsmith_engine::internal::{Condition, UNRESOLVED_STATUS};
use seedsmith_engine::{CommandMode, CommandTarget, Workplace};

/// A target that can be run, with its name and its origin.
pub struct OpenTarget {
    /// The target that is run.
    pub target: Box<dyn Target>,
    /// The user's name for it.
    pub name: String,
    /// The executable with the code that fails, for stacks; none for a command or a closure.
    pub executable: Option<PathBuf>,
    /// Where it comes from.
    pub origin: Origin,
    /// Something that the user should know, such as why tests are slow.
    pub note: Option<String>,
    /// The executable of the same target that has a sanitizer, if one was found.
    pub sanitized: Option<PathBuf>,
    /// Whether memory leaks count as failures.
    pub leaks: Leaks,
}

impl OpenTarget {
    /// The executable that has the code which fails, as far as stacks can be of it: of a command, the
    /// first of its words that is the path of an ELF file.
    pub fn code(&self) -> Option<PathBuf> {
        let of_command = || match &self.origin {
            Origin::Command { line, .. } => {
                line.argv.iter().map(Path::new).find(|path| is_elf(path)).map(Path::to_owned)
            }
            _ => None,
        };
        self.executable.clone().or_else(of_command)
    }

    /// A target of which nothing but its name is known, such as a closure.
    pub fn new(target: Box<dyn Target>) -> Self {
        let name = target.name().to_owned();
        OpenTarget {
            origin: Origin::Unknown(name.clone()),
            target,
            name,
            executable: None,
            note: None,
            sanitized: None,
            leaks: Leaks::Unknown,
        }
    }
}

/// Whether a file begins as an ELF file does.
fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    is_file
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && magic == *b"\x7fELF"
}

/// A program and how it is run.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// Whether it may be forked at the point where it first looks at its input.
    pub may_fork: bool,
    /// Where it runs.
    pub workplace: Workplace,
    /// When a run counts as failing; if nothing is said, the first runs decide.
    pub fails_if: Vec<Condition>,
    /// The exit status of a run that says nothing.
    pub unresolved_status: i32,
}

impl CommandLine {
    /// A program that is run as if no option were given.
    pub fn new(argv: Vec<OsString>) -> Self {
        CommandLine {
            argv,
            may_fork: true,
            workplace: Workplace::default(),
            fails_if: Vec::new(),
            unresolved_status: UNRESOLVED_STATUS,
        }
    }

    /// The target for candidates that are called like `input`.
    pub fn target(&self, mode: CommandMode, input: &Path) -> CommandTarget {
        CommandTarget::new(self.argv.clone(), mode)
            .named_after(input)
            .forking(self.may_fork)
            .working_in(self.workplace)
            .failing_if(self.fails_if.clone(), self.unresolved_status)
    }
}

/// Where a target comes from, in enough detail to run it by hand and to recognise it later.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A command, with the file whose name the candidates have.
    Command {
        /// The command and how it is run.
        line: CommandLine,
        /// The original input.
        input: PathBuf,
    },
    /// A libFuzzer executable, which takes a file as its argument.
    Executable(PathBuf),
    /// The command of a harness that reads an input from the file `{}` or from standard input.
    Harness(Vec<OsString>),
    /// A target of a cargo-fuzz package.
    FuzzTarget {
        /// The executable that was run here.
        executable: PathBuf,
        /// The package's folder.
        folder: PathBuf,
        /// The target's name.
        name: String,
        /// Options by which `cargo fuzz run` builds the same.
        cargo_fuzz: Vec<String>,
    },
    /// A function of this program, called as a fuzz target of that name elsewhere.
    Linked(String),
    /// Only the name is known.
    Unknown(String),
}

/// Whether memory that is never freed shows as a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaks {
    /// Nothing in the target finds leaks.
    Unknown,
    /// A sanitizer in it would find them, but an option makes it ignore them.
    Ignored,
    /// They are failures like others.
    Found,
}
