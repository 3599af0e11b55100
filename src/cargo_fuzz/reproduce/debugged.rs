//! The process to debug, which shows a failure: the program, its arguments and its standard input.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::quoted;
use crate::session::target::Origin;
use seedsmith_engine::internal::inspect;

/// A process that shows a failure.
///
/// It is run under a debugger or printed for a user to copy; nothing is started here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Debugged {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The file on its standard input, if it reads the input there.
    pub stdin: Option<PathBuf>,
    /// Whether it is a Rust program, as far as is known.
    pub is_rust: bool,
    /// Whether a sanitizer is linked in: it ends the process without a signal, unless an option
    /// makes it abort.
    pub has_sanitizer: bool,
}

impl Debugged {
    /// The process that runs a target from `origin` on `file`; `None` if only the target's name is
    /// known.
    ///
    /// A function that is linked into this program has no process that could be started with one
    /// file.
    pub(crate) fn of(origin: &Origin, file: &Path) -> Option<Self> {
        match origin {
            Origin::Command { line, .. } => Some(by_words(&line.argv, file)),
            Origin::Harness(argv) => Some(by_words(argv, file)),
            Origin::Executable(executable) => Some(on_file(executable, file, false)),
            Origin::FuzzTarget { executable, .. } => Some(on_file(executable, file, true)),
            Origin::Linked(_) | Origin::Unknown(_) => None,
        }
    }

    /// The program and its arguments, as a shell reads them, with the file on standard input.
    pub(crate) fn in_shell(&self) -> String {
        let stdin = self.stdin.iter().map(|path| format!("< {}", quoted(path.as_os_str())));
        let words = self.arguments.iter().map(|word| quoted(word));
        words.chain(stdin).collect::<Vec<_>>().join(" ")
    }
}

/// A libFuzzer executable, which takes a file as its argument.
fn on_file(executable: &Path, file: &Path, is_rust: bool) -> Debugged {
    Debugged {
        program: executable.into(),
        arguments: vec![file.into()],
        stdin: None,
        is_rust,
        has_sanitizer: inspect(executable).is_ok_and(|inspected| inspected.sanitizer.is_some()),
    }
}

/// A command: the file is `{}`, or else standard input.
///
/// A command without `{}` gets the file on standard input.
fn by_words(argv: &[OsString], file: &Path) -> Debugged {
    let is_named = |word: &OsString| word.to_string_lossy().contains("{}");
    let names_file = argv.iter().any(is_named);
    let filled = |word: &OsString| match is_named(word) {
        true => word.to_string_lossy().replace("{}", &file.to_string_lossy()).into(),
        false => word.clone(),
    };
    let mut words = argv.iter().map(filled);
    let program = words.next().unwrap_or_default();
    Debugged {
        has_sanitizer: inspect(Path::new(&program)).is_ok_and(|seen| seen.sanitizer.is_some()),
        program,
        arguments: words.collect(),
        stdin: (!names_file).then(|| file.to_owned()),
        is_rust: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::target::CommandLine;

    #[test]
    fn a_command_has_the_file_in_its_arguments_or_on_standard_input() {
        let of = |words: &[&str]| {
            let line = CommandLine::new(words.iter().map(OsString::from).collect());
            let input = PathBuf::from("in");
            Debugged::of(&Origin::Command { line, input }, Path::new("a b")).unwrap()
        };
        let named = of(&["parse", "-x", "--file={}"]);
        assert_eq!((named.in_shell().as_str(), named.stdin), ("-x '--file=a b'", None));
        let piped = of(&["parse", "-x"]);
        assert_eq!((piped.in_shell().as_str(), piped.program), ("-x < 'a b'", "parse".into()));
    }

    #[test]
    fn a_fuzz_target_is_run_on_the_file_and_a_bare_name_is_nothing_to_run() {
        let own = std::env::current_exe().unwrap();
        let of = |origin| Debugged::of(&origin, Path::new("crash"));
        let debugged = of(Origin::Executable(own.clone())).unwrap();
        assert_eq!((debugged.program, debugged.arguments), (own.into(), vec!["crash".into()]));
        assert!(!debugged.has_sanitizer && debugged.stdin.is_none());
        assert_eq!(of(Origin::Unknown("parse".to_owned())), None);
    }
}
