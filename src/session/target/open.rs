//! Opens a target from each kind of source that is ready to run: a command, an executable, or a
//! function of this program.
//!
//! It does not choose among targets, builds none, and opens a new one at each call.

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::harness::{Harness, IS_HARNESS};
use super::{CommandLine, Leaks, OpenTarget, Origin, start};
use crate::corpus::input_of;
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::internal::ExecutableKind;
use seedsmith_engine::internal::FeatureKind;
use seedsmith_engine::internal::FolderInput;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::{inspect, mentions};
use seedsmith_engine::{CommandMode, CommandTarget};
use seedsmith_engine::{Target, TargetError};

/// Why a target cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenTargetError {
    /// A command without words.
    #[error("the command is empty: it names no program")]
    NoProgram,
    /// There is no such file.
    #[error("no such executable: {}", path.display())]
    NoExecutable {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The current folder, against which the path is resolved, cannot be found.
    #[error("failed to find {}", path.display())]
    CurrentFolder {
        /// The path as it was given.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The executable was not made by libFuzzer.
    #[error("{} is not a libFuzzer executable: {}", path.display(), kind.reason())]
    NotLibFuzzer {
        /// The path as it was given.
        path: PathBuf,
        /// Which kind of executable it is instead.
        kind: ExecutableKind,
    },
    /// The executable is a harness that has to be run by a command.
    #[error("{} {why}", path.display())]
    OtherHarness {
        /// The path as it was given.
        path: PathBuf,
        /// The kind of file, and which program runs it.
        why: &'static str,
    },
    /// The executable can neither be read nor run.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The function of this program cannot be run.
    #[error("failed to use {name}, which is part of this program")]
    Linked {
        /// The name of its fuzz target.
        name: String,
        /// Why.
        #[source]
        source: TargetError,
    },
}

/// Opens a program, which reports by its exit status whether the failure shows, or crashes itself.
///
/// The file that it is given has the name of `input`: some programs look at the extension.
pub(crate) fn open_command(line: &CommandLine, input: &Path) -> OpenTarget {
    OpenTarget {
        name: line.argv[0].to_string_lossy().into_owned(),
        origin: Origin::Command { line: line.clone(), input: input.to_owned() },
        note: start::note(&line.argv[0]),
        ..OpenTarget::new(Box::new(line.target(CommandMode::ByFirstRuns, &input_of(input))))
    }
}

/// Opens the same program for folders of the name `input`: `{}` is a folder.
pub(crate) fn open_command_on(line: &CommandLine, input: &Path, folder: FolderInput) -> OpenTarget {
    let target = line.target(CommandMode::ByFirstRuns, input).with_folder(folder);
    OpenTarget {
        name: line.argv[0].to_string_lossy().into_owned(),
        origin: Origin::Command { line: line.clone(), input: input.to_owned() },
        note: start::note(&line.argv[0]),
        ..OpenTarget::new(Box::new(target))
    }
}

/// Opens the function that this program serves as the fuzz target `name`.
pub(crate) fn open_linked(name: &str) -> Result<OpenTarget, OpenTargetError> {
    let target = LinkedTarget::new(name)
        .map_err(|source| OpenTargetError::Linked { name: name.to_owned(), source })?;
    Ok(OpenTarget {
        name: name.to_owned(),
        executable: std::env::current_exe().ok(),
        origin: Origin::Linked(name.to_owned()),
        ..OpenTarget::new(Box::new(target))
    })
}

/// Opens a libFuzzer executable as it is. With `finds_leaks`, leaks count as failures, if something in
/// the executable finds them.
pub(crate) fn open_executable(
    executable: &Path,
    finds_leaks: bool,
) -> Result<OpenTarget, OpenTargetError> {
    open_with(executable, InjectedOptions { finds_leaks, ..InjectedOptions::default() })
}

/// Opens a libFuzzer executable that is started with these flags, which its `LLVMFuzzerInitialize`
/// sees.
pub(crate) fn open_with_flags(
    executable: &Path,
    flags: Vec<OsString>,
    finds_leaks: bool,
) -> Result<OpenTarget, OpenTargetError> {
    let options = InjectedOptions { arguments: flags, finds_leaks, ..InjectedOptions::default() };
    open_with(executable, options)
}

/// Opens a libFuzzer executable for which an input is valid if one of the `watched` counters changes
/// (see [`counters_of`]).
///
/// [`counters_of`]: seedsmith_engine::internal::counters_of
pub(crate) fn open_watched(
    executable: &Path,
    watched: Vec<Range<u64>>,
) -> Result<OpenTarget, OpenTargetError> {
    open_with(executable, InjectedOptions { watched, ..InjectedOptions::default() })
}

/// Opens a libFuzzer executable whose reports have the features of its coverage counters.
pub(crate) fn open_covering(
    executable: &Path,
    kind: FeatureKind,
) -> Result<OpenTarget, OpenTargetError> {
    open_with(executable, InjectedOptions { features: Some(kind), ..InjectedOptions::default() })
}

fn open_with(path: &Path, options: InjectedOptions) -> Result<OpenTarget, OpenTargetError> {
    if !path.is_file() {
        return Err(OpenTargetError::NoExecutable { path: path.to_owned() });
    }
    // A bare name would be looked for in PATH when it is run as a command.
    let executable = std::path::absolute(path)
        .map_err(|source| OpenTargetError::CurrentFolder { path: path.to_owned(), source })?;
    let inspected = inspect(&executable)?;
    let kind = inspected.kind;
    let leaks = match inspected.can_find_leaks() {
        true if options.finds_leaks => Leaks::Found,
        true => Leaks::Ignored,
        false => Leaks::Unknown,
    };
    let finds_leaks = leaks == Leaks::Found;
    let is_watched = !options.watched.is_empty() || options.features.is_some();
    let harness = if is_watched { None } else { Harness::of(&inspected) };
    let mut origin = Origin::Executable(executable.clone());
    let (target, note): (Box<dyn Target>, _) = match (kind, harness) {
        (_, Some(harness)) => {
            let argv = harness.command(&executable);
            let argv =
                argv.map_err(|why| OpenTargetError::OtherHarness { path: path.to_owned(), why })?;
            origin = Origin::Harness(argv.clone());
            let target = CommandTarget::new(argv, CommandMode::Executable);
            (Box::new(target.finding_leaks(finds_leaks)), Some(IS_HARNESS))
        }
        (ExecutableKind::LibFuzzer, None) => {
            let options = InjectedOptions { finds_leaks, ..options };
            (Box::new(InjectedTarget::new(&executable, options)?), None)
        }
        // libFuzzer's own messages are still there after stripping.
        (ExecutableKind::Stripped | ExecutableKind::Static, None)
            if !is_watched && mentions(&executable, &["libFuzzer"]) =>
        {
            let argv = vec![executable.clone().into(), "{}".into()];
            let target = CommandTarget::new(argv, CommandMode::Executable);
            (Box::new(target.finding_leaks(finds_leaks)), Some(kind.reason()))
        }
        _ => return Err(OpenTargetError::NotLibFuzzer { path: path.to_owned(), kind }),
    };
    let shown = path.display();
    Ok(OpenTarget {
        name: executable.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        origin,
        executable: Some(executable),
        note: note
            .map(|why| format!("{shown}: {why}, so each test starts it again, which is slow")),
        leaks,
        ..OpenTarget::new(target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_executable_that_is_missing_and_one_that_is_no_fuzzer_are_different_errors() {
        let error = open_executable(Path::new("no/such/file"), false).err().unwrap();
        assert!(matches!(error, OpenTargetError::NoExecutable { .. }), "{error}");
        let own = std::env::current_exe().unwrap();
        let error = open_executable(&own, false).err().unwrap();
        assert!(matches!(error, OpenTargetError::NotLibFuzzer { .. }), "{error}");
    }

    #[test]
    fn a_command_is_called_by_its_program_and_keeps_its_words() {
        let line = CommandLine::new(vec!["check".into(), "{}".into()]);
        let opened = open_command(&line, Path::new("a.json"));
        assert_eq!((opened.name.as_str(), opened.leaks), ("check", Leaks::Unknown));
        assert!(
            matches!(opened.origin, Origin::Command { line: kept, .. } if kept.argv == line.argv)
        );
    }
}
