//! Translates the errors of the library for a user of the command line: into an exit code and the
//! option that helps.
//!
//! The library names no options, because its callers may have none.

use super::exit::{Exit, Trouble};
use crate::cargo_fuzz::{
    BuildError, ChooseError, FuzzTargetError, InputError, PackageError, ValidatorError, nearest,
};
use crate::event::{Event, ReportError, Reporter};
use crate::report::Reporters;
use crate::session::generalize::NamedError;
use crate::session::language::LanguageError;
use crate::session::saved::output::OutputError;
use crate::session::saved::pattern::ProduceError;
use crate::session::target::open::OpenTargetError;
use seedsmith_grammar::internal::GrammarError;

/// A listener that passes notes and details on to the console.
///
/// They are about finding and building a target, which JSON Lines do not report.
pub(super) fn talk(report: &mut Reporters) -> impl FnMut(&Event<'_>) {
    |event| match event {
        Event::Note(_, text) => report.say(text),
        Event::Detail(_) => report.report(event),
        _ => {}
    }
}

/// The error's message, followed by advice for the user.
///
/// The causes of the error are left out, so that the hint follows the message at once.
fn hinted(exit: Exit, error: &dyn std::error::Error, hint: &str) -> Trouble {
    Trouble::new(exit, format!("{error}; {hint}"))
}

/// A name that means no input is a wrong argument; an input that cannot be read is trouble with
/// files.
impl From<InputError> for Trouble {
    fn from(error: InputError) -> Self {
        let exit = match &error {
            InputError::Read { .. } | InputError::Walk { .. } | InputError::Search(_) => {
                Exit::Files
            }
            InputError::Interrupted => Exit::Interrupted,
            // Something else was named than an input.
            _ => Exit::Usage,
        };
        Trouble::by(exit, error)
    }
}

/// A package that cannot be used is trouble with the target.
impl From<PackageError> for Trouble {
    fn from(error: PackageError) -> Self {
        let exit = match &error {
            PackageError::CurrentFolder { .. } => Exit::Files,
            _ => Exit::Target,
        };
        Trouble::by(exit, error)
    }
}

/// A build that fails is trouble with the target.
impl From<BuildError> for Trouble {
    fn from(error: BuildError) -> Self {
        let exit = match &error {
            BuildError::TemporaryFile { .. } => Exit::Files,
            _ => Exit::Target,
        };
        Trouble::by(exit, error)
    }
}

/// As for the build or for the executable.
impl From<FuzzTargetError> for Trouble {
    fn from(error: FuzzTargetError) -> Self {
        match error {
            FuzzTargetError::Build(error) => error.into(),
            FuzzTargetError::Open(error) => error.into(),
        }
    }
}

/// For an executable that is no fuzz target the hint is the command line that runs any program.
impl From<OpenTargetError> for Trouble {
    fn from(error: OpenTargetError) -> Self {
        match error {
            OpenTargetError::NotLibFuzzer { .. } | OpenTargetError::OtherHarness { .. } => {
                hinted(Exit::Target, &error, "other programs come after `--`")
            }
            OpenTargetError::Target(error) => {
                let why = Trouble::by(Exit::Target, error);
                Trouble::new(Exit::Target, format!("{why}; other programs come after `--`"))
            }
            error => Trouble::by(Exit::Target, error),
        }
    }
}

/// Where no target could be chosen, the hint is the option that names one.
impl From<ChooseError> for Trouble {
    fn from(error: ChooseError) -> Self {
        let hint = match error {
            ChooseError::Package(error) => return error.into(),
            ChooseError::Open(error) => return error.into(),
            ChooseError::CurrentFolder(_) => return Trouble::by(Exit::Files, error),
            ChooseError::NoPackage { .. } => {
                "name a target with --fuzz-dir DIR, --binary FILE or -- COMMAND {}"
            }
            ChooseError::FailsOnNone { .. } => "say which it belongs to with --target",
            ChooseError::FailsOnSeveral { .. } => "choose with --target",
            // A signal that came during a build looks like trouble with the target, too: the code is
            // replaced by the signal's where programs end.
            ChooseError::NoTargets { .. } | ChooseError::Run { .. } | ChooseError::Interrupted => {
                return Trouble::by(Exit::Target, error);
            }
        };
        hinted(Exit::Target, &error, hint)
    }
}

/// A function that decides whether an input is valid needs coverage counters, which a linked target
/// does not have.
impl From<ValidatorError> for Trouble {
    fn from(error: ValidatorError) -> Self {
        match error {
            ValidatorError::LinkedWithoutCounters => Trouble::new(
                Exit::Usage,
                "--valid-if wants an executable with coverage counters: name one with --binary",
            ),
            ValidatorError::Input(error) => error.into(),
            ValidatorError::Target(error) => error.into(),
            ValidatorError::NoExecutable
            | ValidatorError::Command(_)
            | ValidatorError::Counters { .. } => Trouble::by(Exit::Target, error),
        }
    }
}

/// The messages name the options that choose a language.
impl From<LanguageError> for Trouble {
    fn from(error: LanguageError) -> Self {
        let words = match &error {
            LanguageError::Load { source: GrammarError::NoSuchGrammar { name, known }, .. } => {
                no_grammar(name, known)
            }
            LanguageError::Load { source: GrammarError::Read { path, source }, .. } => {
                format!("failed to read the grammar {}: {source}", path.display())
            }
            LanguageError::ShownByInputs { grammar } => {
                format!("{grammar} is for tmin; here a built-in grammar or a file is needed")
            }
            LanguageError::NoStartRules => "tree-sitter's parsers take no --start".to_owned(),
            LanguageError::NoIslands => "tree-sitter's parsers take no --islands".to_owned(),
            LanguageError::IslandsWithoutGrammar => {
                "--islands has no effect without a grammar for INPUT: its file names none; say \
                 --grammar"
                    .to_owned()
            }
            _ => return Trouble::by(Exit::Usage, error),
        };
        Trouble::new(Exit::Usage, words)
    }
}

/// The message about a grammar that does not exist: it names the one that was probably meant, or
/// all of them.
pub(super) fn no_grammar(said: &str, known: &[&str]) -> String {
    match nearest(said, known.iter().copied()) {
        Some(near) => format!("no grammar {said}; did you mean {near}?"),
        None => format!(
            "no grammar {said}; there are {}, and files FILE.g4 or FILE.json",
            known.join(", ")
        ),
    }
}

/// As for the language.
impl From<NamedError> for Trouble {
    fn from(error: NamedError) -> Self {
        match error {
            NamedError::Language(error) => error.into(),
            error => Trouble::by(Exit::Usage, error),
        }
    }
}

/// As for the thing that the file names: another file, a language, or the folder for inputs.
impl From<ProduceError> for Trouble {
    fn from(error: ProduceError) -> Self {
        match error {
            ProduceError::Language(error) => error.into(),
            ProduceError::Write(error) => error.into(),
            error => Trouble::by(Exit::Usage, error),
        }
    }
}

/// The hint is the option that names another place or allows the file there to be replaced.
impl From<ReportError> for Trouble {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError { place: Some(path), source } => {
                OutputError::WritePage { path, source }.into()
            }
            ReportError { place: None, .. } => {
                Trouble::new(Exit::Files, format!("{error}; the rest is lost"))
            }
        }
    }
}

impl From<OutputError> for Trouble {
    fn from(error: OutputError) -> Self {
        let hint = match &error {
            OutputError::Exists { .. } | OutputError::NoPage { .. } => "--force replaces it",
            OutputError::NoName => return hinted(Exit::Usage, &error, "name a file with -o"),
            OutputError::NothingToResume { .. } => {
                return hinted(Exit::Usage, &error, "without --resume a new run begins");
            }
            OutputError::IsInput { .. } => return Trouble::by(Exit::Usage, error),
            OutputError::Write { path, source } => {
                let why = match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
                        format!("{error}: there is no folder {}", folder.display())
                    }
                    _ => format!("{error}: {source}; name another place"),
                };
                return Trouble::new(Exit::Files, why);
            }
            _ => return Trouble::by(Exit::Files, error),
        };
        hinted(Exit::Files, &error, hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_options_and_the_errors_of_the_library_do_not() {
        let error = || ChooseError::FailsOnSeveral {
            input: "crash".into(),
            targets: vec!["a".to_owned(), "b".to_owned()],
        };
        assert_eq!(error().to_string(), "crash fails on a, b");
        let trouble = Trouble::from(error());
        assert_eq!(trouble.to_string(), "crash fails on a, b; choose with --target");
        assert_eq!(trouble.exit, Exit::Target);
    }

    #[test]
    fn a_missing_input_is_a_wrong_argument_and_an_unreadable_one_is_not() {
        let source = || std::io::Error::other("planted");
        let vanished = InputError::Vanished { path: "a".into(), source: source() };
        assert_eq!(Trouble::from(vanished).exit, Exit::Usage);
        let trouble = Trouble::from(InputError::Read { path: "a".into(), source: source() });
        assert_eq!(trouble.exit, Exit::Files);
        assert_eq!(trouble.to_string(), "failed to read a: planted");
    }

    #[test]
    fn what_cannot_be_written_is_said_with_the_option_that_helps() {
        let exists = Trouble::from(OutputError::Exists { path: "a".into() });
        assert_eq!(exists.to_string(), "a is there already; --force replaces it");
        let source = std::io::Error::other("planted");
        let write = Trouble::from(OutputError::Write { path: "a".into(), source });
        let why = "failed to write a: planted; name another place";
        assert_eq!((write.exit, write.to_string().as_str()), (Exit::Files, why));
    }
}
