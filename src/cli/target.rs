//! From a target's source to something that runs: the one place that knows the ways.

use std::ops::Range;
use std::path::Path;

use super::build::{self, Sanitizer};
use super::cargo;
use super::exit::{Exit, OrExit, Trouble};
use super::package::{FuzzPackage, FuzzTarget};
use super::plan::CommandLine;
use crate::session::target::{Leaks, OpenTarget, Origin};
use seedsmith_engine::exec::command::{CommandMode, CommandTarget};
use seedsmith_engine::exec::executable::{ExecutableKind, inspect, mentions};
use seedsmith_engine::exec::injected::{InjectedOptions, InjectedTarget};
use seedsmith_engine::exec::linked::LinkedTarget;
use seedsmith_engine::exec::{Target, TargetError};

/// Opens a program that says by its exit status whether the failure shows.
///
/// The file that it gets is called like `input`: some programs look at the ending.
pub fn open_command(line: &CommandLine, input: &Path) -> OpenTarget {
    let argv = &line.argv;
    let target = CommandTarget::new(argv.clone(), CommandMode::ExitZeroFails);
    OpenTarget {
        name: argv[0].to_string_lossy().into_owned(),
        executable: None,
        origin: Origin::Command(argv.clone()),
        target: Box::new(target.named_after(input).forking(line.may_fork)),
        note: None,
        sanitized: None,
        leaks: Leaks::Unknown,
    }
}

/// Opens the function of this program that it serves as `name`.
pub fn open_linked(name: &str) -> Result<OpenTarget, Trouble> {
    let doing = || format!("failed to use {name}, which is part of this program");
    Ok(OpenTarget {
        target: Box::new(LinkedTarget::new(name).or_exit(Exit::Target, doing)?),
        name: name.to_owned(),
        executable: std::env::current_exe().ok(),
        origin: Origin::Linked(name.to_owned()),
        note: None,
        sanitized: None,
        leaks: Leaks::Unknown,
    })
}

/// Opens a libFuzzer executable as it is. Looks for leaks where that is wanted and something in it
/// finds them.
pub fn open_executable(executable: &Path, finds_leaks: bool) -> Result<OpenTarget, Trouble> {
    open_with(executable, InjectedOptions { finds_leaks, ..InjectedOptions::default() })
}

/// Opens a libFuzzer executable that is valid where one of the `watched` counters moves (see
/// [`counters_of`]).
///
/// [`counters_of`]: seedsmith_engine::exec::reach::counters_of
pub fn open_watched(executable: &Path, watched: Vec<Range<u64>>) -> Result<OpenTarget, Trouble> {
    open_with(executable, InjectedOptions { watched, ..InjectedOptions::default() })
}

fn open_with(executable: &Path, options: InjectedOptions) -> Result<OpenTarget, Trouble> {
    let shown = executable.display();
    if !executable.is_file() {
        return Err(Trouble::new(Exit::Target, format!("no such executable: {shown}")));
    }
    // A bare name would be looked for in PATH when it is run as a command.
    let executable = std::path::absolute(executable)
        .or_exit(Exit::Target, || format!("failed to find {shown}"))?;
    let trouble = |error: TargetError| Trouble { exit: Exit::Target, cause: error.into() };
    let inspected = inspect(&executable).map_err(trouble)?;
    let kind = inspected.kind;
    let leaks = match inspected.can_find_leaks() {
        true if options.finds_leaks => Leaks::Found,
        true => Leaks::Ignored,
        false => Leaks::Unknown,
    };
    let finds_leaks = leaks == Leaks::Found;
    let (target, note): (Box<dyn Target>, _) = match kind {
        ExecutableKind::LibFuzzer => {
            let options = InjectedOptions { finds_leaks, ..options };
            (Box::new(InjectedTarget::new(&executable, options).map_err(trouble)?), None)
        }
        // libFuzzer's own messages, which stripping leaves in.
        ExecutableKind::Stripped | ExecutableKind::Static
            if options.watched.is_empty() && mentions(&executable, &["libFuzzer"]) =>
        {
            let argv = vec![executable.clone().into(), "{}".into()];
            let target = CommandTarget::new(argv, CommandMode::Executable);
            (Box::new(target.finding_leaks(finds_leaks)), Some(kind.reason()))
        }
        _ => {
            let why = format!(
                "{shown} is not a libFuzzer executable: {}; other programs go behind `--`",
                kind.reason()
            );
            return Err(Trouble::new(Exit::Target, why));
        }
    };
    Ok(OpenTarget {
        target,
        name: executable.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        origin: Origin::Executable(executable.clone()),
        executable: Some(executable),
        note: note.map(|why| format!("{shown}: {why}, so each test starts it anew, which is slow")),
        sanitized: None,
        leaks,
    })
}

/// Builds a fuzz target and opens it.
pub fn open_fuzz_target(
    package: &FuzzPackage,
    target: &FuzzTarget,
    shows_progress: bool,
) -> Result<OpenTarget, Trouble> {
    let built = build::build(package, target, Sanitizer::None, shows_progress)?;
    let opened = open_executable(&built.executable, false)?;
    let sanitized = package.target_folder.join(&built.triple).join("release").join(&target.name);
    Ok(OpenTarget {
        name: target.name.clone(),
        origin: Origin::FuzzTarget {
            executable: built.executable,
            folder: package.folder.clone(),
            name: target.name.clone(),
            features: if target.builds_by_default {
                Vec::new()
            } else {
                target.required_features.clone()
            },
        },
        sanitized: is_sanitized(&sanitized).then_some(sanitized),
        ..opened
    })
}

/// Builds a fuzz target with libFuzzer's coverage counters and opens it.
pub fn open_with_coverage(
    package: &FuzzPackage,
    target: &FuzzTarget,
    shows_progress: bool,
) -> Result<OpenTarget, Trouble> {
    let built = build::build(package, target, Sanitizer::Coverage, shows_progress)?;
    Ok(OpenTarget { name: target.name.clone(), ..open_executable(&built.executable, false)? })
}

/// Opens a fuzz target with AddressSanitizer: what cargo-fuzz built, else what is built now.
pub fn open_sanitized(
    package: &FuzzPackage,
    target: &FuzzTarget,
    finds_leaks: bool,
    shows_progress: bool,
) -> Result<OpenTarget, Trouble> {
    let triple = cargo::host_triple().unwrap_or_default();
    let theirs = package.target_folder.join(triple).join("release").join(&target.name);
    let executable = if is_sanitized(&theirs) {
        theirs
    } else {
        build::build(package, target, Sanitizer::Address, shows_progress)?.executable
    };
    Ok(OpenTarget { name: target.name.clone(), ..open_executable(&executable, finds_leaks)? })
}

fn is_sanitized(executable: &Path) -> bool {
    executable.is_file() && inspect(executable).is_ok_and(|inspected| inspected.sanitizer.is_some())
}
