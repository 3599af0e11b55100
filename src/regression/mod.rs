//! Regression tests: a file that checks that some inputs are handled, without seedsmith.
//!
//! Every command that knows failing inputs writes the same test: in Rust for a fuzz target, a shell
//! script for a command or an executable. No path in it is absolute. An input of more than a line is
//! a file in a folder beside the test.

mod rust;
mod shell;

use seedsmith_grammar::escape_control_chars;

pub(crate) use rust::RustReach;
pub(crate) use shell::{Fails, ShellReach, Word};

/// Characters of the test's name that the folder for its inputs has, at most. A guess, not
/// measured.
const MAX_STEM_CHARS: usize = 40;
/// Characters of a content's name that a file's name has: 64 bits, so that two inputs of
/// one test never share a name by accident.
const CONTENT_NAME_CHARS: usize = 16;

/// An input that a test checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// What the input is called, as an identifier.
    pub name: String,
    /// A description in a few words.
    pub about: String,
    /// The input.
    pub input: Vec<u8>,
}

/// How a test reaches the code under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// By the source of a fuzz target.
    Rust(RustReach),
    /// By a command.
    Shell(ShellReach),
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegressionTest {
    /// The test's text.
    pub text: String,
    /// Inputs beside it: names relative to the test's folder, and contents.
    pub inputs: Vec<(String, Vec<u8>)>,
    /// Whether the file is a program.
    pub is_program: bool,
}

/// A test of `cases`, for a file called `file_name`; `about` says where the inputs come from.
pub(crate) fn regression_test(
    reach: &Reach,
    about: &str,
    file_name: &str,
    cases: &[Case],
) -> RegressionTest {
    let mut beside = Beside { folder: folder(file_name), files: Vec::new() };
    let about = one_line(about);
    let (text, is_program) = match reach {
        Reach::Rust(reach) => (rust::text(reach, &about, cases, &mut beside), false),
        Reach::Shell(reach) => (shell::text(reach, &about, cases, &mut beside), true),
    };
    RegressionTest { text, inputs: beside.files, is_program }
}

/// The inputs that are files beside a test.
struct Beside {
    folder: String,
    files: Vec<(String, Vec<u8>)>,
}

impl Beside {
    /// The name of an input's file, as seen from the test.
    fn add(&mut self, input: &[u8]) -> String {
        let content = crate::corpus::content_name(input);
        let name = format!("{}/{}", self.folder, &content[..CONTENT_NAME_CHARS]);
        if self.files.iter().all(|(known, _)| *known != name) {
            self.files.push((name.clone(), input.to_vec()));
        }
        name
    }
}

/// The folder for the inputs of a test: named after the test, in plain characters.
fn folder(file_name: &str) -> String {
    let stem = file_name.split('.').next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(MAX_STEM_CHARS).collect();
    format!("{}-inputs", stem.trim_start_matches('-'))
}

/// A text that fits on a line of a comment. rustc refuses comments with bidirectional controls.
fn one_line(text: &str) -> String {
    let line = escape_control_chars(text, &[]).into_owned();
    line.trim_end().to_owned()
}
