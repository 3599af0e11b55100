//! `tmin --as-one`: a folder as one input, for a command.

use std::path::{Path, PathBuf};

use crate::cargo_fuzz::TargetSource;
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::add_minimized;
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::cli::session_end::{exit, trouble};
use crate::event::{Event, MinimizedFolder, Reporter, Subject};
use crate::reduce;
use crate::report::Reporters;
use crate::session::error::SessionError;
use crate::session::folder::FolderTask;
use crate::session::folder::disk::{self, FolderError};
use crate::session::target::open::{open_command, open_command_on};
use seedsmith_engine::internal::{Files, FolderInput};

/// How the name of the result ends, where none was given.
///
/// The result of `crash` is the folder `crash.min` beside it.
const RESULT_ENDING: &str = ".min";

/// Minimizes the only folder.
///
/// The command is given a folder in place of a file. First whole files are deleted, then each one
/// that is left is shrunk.
///
/// # Errors
///
/// The inputs are not one folder, the target is no command, or the result would be in the input.
/// These have exit code 2. A folder that does not fail has 1, and a folder or result that cannot be read or
/// written has 6.
pub(crate) fn run(
    plan: &TminPlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let [root] = plan.inputs.as_slice() else {
        return Err(usage("--as-one takes one folder"));
    };
    if !root.is_dir() {
        return Err(usage(&format!("--as-one takes a folder, and {} is none", root.display())));
    }
    let TargetSource::Command(line) = &plan.target.source else {
        return Err(usage("--as-one needs a command: -- COMMAND {}"));
    };
    let Task::Minimize(options) = &plan.task else {
        return Err(usage("--as-one minimizes and does nothing else"));
    };
    let output = output(root, plan)?;
    let files = disk::read(root, &interrupt.flag()).map_err(|error| refused(error, interrupt))?;
    if let Some(page) = plan.html.as_deref().filter(|page| is_inside(page, root)) {
        return Err(usage(&format!("the page {} is in the input", page.display())));
    }
    let place = (&*plan.output.originals, plan.output.may_replace);
    add_minimized(plan.html.as_deref(), place, false, report)?;
    let name = root.file_name().map_or_else(|| PathBuf::from("input"), PathBuf::from);
    let open = |input: FolderInput| open_command_on(line, &name, input);
    let how = |path: &Path, bytes: &[u8], target: &str| -> reduce::Options {
        let mut reduction = options.reduction.clone();
        // A parse that takes too long is no tree, and nothing else.
        plan.structure.complete(&mut reduction, (path, bytes), target).ok();
        reduction
    };
    let mut keep = |files: &Files| disk::leave(files, &output);
    let mut task = FolderTask { open: &open, options: &plan.session, how: &how, keep: &mut keep };
    let target = line.argv[0].to_string_lossy();
    report.report(&Event::Subject(Subject { input: root, target: &target }));
    let original = files.clone();
    let result = task.run(root, files, report).map_err(|error| match error {
        SessionError::Write { source, .. } => {
            let why = format!(
                "failed to write {}: {source}; name another place with -o",
                output.display()
            );
            Trouble::new(Exit::Files, why)
        }
        SessionError::DoesNotFail(first) => Trouble::new(
            Exit::DoesNotFail,
            format!(
                "{} doesn't fail: run {} times, {target} {}; the command has to exit with 0 where \
                 the failure shows",
                root.display(),
                first.runs,
                first.what_happened()
            ),
        ),
        error => trouble(error, root, interrupt),
    })?;
    let exit = exit(result.end, interrupt);
    report.report(&Event::FolderMinimized(&MinimizedFolder {
        input: root.clone(),
        output,
        original,
        best: result.files,
        counts: result.counts,
        elapsed: result.elapsed,
        signature: result.signature,
        code: open_command(line, &name).code(),
    }));
    Ok(exit)
}

/// Where the result goes: a folder that is not there yet, unless it may be replaced.
///
/// It is neither in the input nor around it: the input is only read.
///
/// # Errors
///
/// The folder has no name (such as `..`), or the result would be in the input or around it: exit code 2.
/// Something is there already that may not be replaced: 6. `--force` replaces a folder, but never a file.
fn output(root: &Path, plan: &TminPlan) -> Result<PathBuf, Trouble> {
    let output = match &plan.output.path {
        Some(path) => path.clone(),
        None => {
            let Some(name) = root.file_name() else {
                return Err(usage(&format!("name the result of {} with -o", root.display())));
            };
            let mut name = name.to_owned();
            name.push(RESULT_ENDING);
            root.with_file_name(name)
        }
    };
    let is_within = match (output.canonicalize(), root.canonicalize()) {
        (Ok(output), Ok(root)) => output.starts_with(&root) || root.starts_with(&output),
        _ => is_inside(&output, root),
    };
    if is_within {
        return Err(usage(&format!("the result {} is in the input", output.display())));
    }
    let is_folder = output.is_dir();
    if std::fs::symlink_metadata(&output).is_ok() && !(is_folder && plan.output.may_replace) {
        let hint = if is_folder { "; --force replaces it" } else { " and no folder" };
        let why = format!("{} is there already{hint}", output.display());
        return Err(Trouble::new(Exit::Files, why));
    }
    Ok(output)
}

/// Whether the folder of `path`, which need not be there, is `root` or in it.
fn is_inside(path: &Path, root: &Path) -> bool {
    let parent = path.parent().map(|parent| match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    });
    let parent = parent.and_then(|parent| parent.canonicalize().ok());
    parent.zip(root.canonicalize().ok()).is_some_and(|(parent, root)| parent.starts_with(root))
}

/// Trouble with the options of the line.
///
/// The exit code is 2, and nothing has been run or written yet.
fn usage(why: &str) -> Trouble {
    Trouble::new(Exit::Usage, why)
}

/// A folder that cannot be read is trouble with files; one that is no input is a wrong argument.
///
/// After a signal the code is that of the signal.
fn refused(error: FolderError, interrupt: &Interrupt) -> Trouble {
    let exit = match &error {
        _ if interrupt.exit().is_some() => interrupt.exit().unwrap_or(Exit::Interrupted),
        FolderError::Read { .. } => Exit::Files,
        _ => Exit::Usage,
    };
    Trouble::by(exit, error)
}
