//! A fresh executable that cargo-fuzz built of an input's target: a search can begin on it at once,
//! while a build without a sanitizer, on which tests are cheaper, runs beside it.

use std::cell::OnceCell;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use seedsmith_engine::StopReason;
use seedsmith_engine::internal::ExecutableKind;
use seedsmith_engine::internal::inspect;

use crate::cargo_fuzz::build::background::{BuildBeside, Ordered, Waited};
use crate::cargo_fuzz::build::fresh::{Freshness, freshness};
use crate::cargo_fuzz::build::shown_path;
use crate::cargo_fuzz::cargo;
use crate::cargo_fuzz::choose;
use crate::cargo_fuzz::choose::ChooseError;
use crate::cargo_fuzz::input::Input;
use crate::cargo_fuzz::open;
use crate::cargo_fuzz::request::{Sanitizer, TargetSource};
use crate::cargo_fuzz::targets::Targets;
use crate::event::{Event, NoteKind, Reporter};
use crate::session::target::OpenTarget;
use crate::session::two_builds::{Later, LaterBuild};

/// A target that can be run at once, and its build without a sanitizer.
///
/// The search begins on the one and continues on the other when that is built; see
/// `session/two_builds.rs`.
pub(crate) struct ExistingBuild {
    /// The executable that cargo-fuzz built.
    pub opened: OpenTarget,
    /// The build without a sanitizer.
    pub later: PlainBuild,
}

/// The build of a target without a sanitizer, which runs beside a search.
pub(crate) struct PlainBuild {
    ordered: Ordered,
    beside: BuildBeside,
    /// The executable that cargo-fuzz built, if it has a sanitizer.
    sanitized: Option<PathBuf>,
    /// The target, or why it cannot be built or opened.
    opened: OnceCell<Result<OpenTarget, String>>,
}

impl Targets {
    /// Opens the executable that cargo-fuzz built of the target of `input`, if that was built from
    /// the sources as they are now, and starts to build the target without a sanitizer. `None` if
    /// there is no such executable, if another build is asked for, or if the target does not follow
    /// from the input's path.
    pub(crate) fn existing(
        &mut self,
        input: &Input,
        reporter: &mut dyn Reporter,
    ) -> Result<Option<ExistingBuild>, ChooseError> {
        let TargetSource::Package { name, fuzz_dir, sanitizer: Sanitizer::Auto } =
            self.request().source.clone()
        else {
            return Ok(None);
        };
        // In a leak's turn the executable is run in another way.
        if self.request().has_coverage || input.is_leak() {
            return Ok(None);
        }
        let package = self.package(fuzz_dir.as_deref(), &input.path)?;
        let candidates = choose::candidates(&package, name.as_deref(), input)?;
        let (&[target], Some(triple)) = (candidates.as_slice(), cargo::host_triple()) else {
            return Ok(None);
        };
        let request = self.request();
        let folder = package.target_folder.join(&triple);
        let profile = request.cargo.profile_folder();
        let Some(executable) = fresh(&folder, profile, &target.name, &package.folder, reporter)
        else {
            return Ok(None);
        };
        let ordered = Ordered {
            package: (*package).clone(),
            target: target.clone(),
            options: request.cargo.clone(),
            shown: request.shown,
        };
        let Ok(opened) = open::open_theirs(&ordered.build(), executable.clone()) else {
            return Ok(None);
        };
        let shown = shown_path(&executable);
        reporter.report(&Event::Note(
            NoteKind::Build,
            &format!("the search begins on {shown}, which cargo-fuzz built"),
        ));
        if let Some(news) = ordered.build().news(&triple) {
            reporter.report(&Event::Note(NoteKind::Build, &news));
        }
        // Without a thread for it, the target is built first, as if there were no executable yet.
        let Ok(beside) = BuildBeside::start(ordered.clone(), triple) else { return Ok(None) };
        let sanitized = open::has_sanitizer(&executable).then_some(executable);
        let later = PlainBuild { ordered, beside, sanitized, opened: OnceCell::new() };
        Ok(Some(ExistingBuild { opened, later }))
    }
}

/// The fresh libFuzzer executable of that name, of any profile: first `profile`, then the others by
/// name. If all of them are old, the reporter gets the reason for the first one.
///
/// Fresh is an executable that is newer than all of its sources: an old one may lack the bug, or
/// have another one.
fn fresh(
    folder: &Path,
    profile: &str,
    name: &str,
    package: &Path,
    reporter: &mut dyn Reporter,
) -> Option<PathBuf> {
    let mut profiles: Vec<PathBuf> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    profiles.sort();
    // `false` is less than `true`, and the order of the others remains.
    profiles.sort_by_key(|path| path.file_name().is_none_or(|name| name != profile));
    let mut old = None;
    for executable in profiles.iter().map(|profile| profile.join(name)) {
        if !executable.is_file() {
            continue;
        }
        let is_fuzzer =
            || inspect(&executable).is_ok_and(|found| found.kind == ExecutableKind::LibFuzzer);
        match freshness(&executable, package) {
            Freshness::Fresh if is_fuzzer() => return Some(executable),
            Freshness::Older(file) => {
                old.get_or_insert((executable, file));
            }
            _ => {}
        }
    }
    if let Some((executable, file)) = old {
        let (executable, file) = (shown_path(&executable), shown_path(&file));
        reporter.report(&Event::Note(
            NoteKind::Build,
            &format!("{executable} is not used: {file} has changed since"),
        ));
    }
    None
}

impl PlainBuild {
    /// Waits for the build, with any outcome: the code after it needs the build, or reports its
    /// errors.
    pub(crate) fn finish(&self, is_over: &dyn Fn() -> Result<(), StopReason>) {
        if self.opened.get().is_none() {
            self.beside.wait(is_over);
        }
    }
}

impl LaterBuild for PlainBuild {
    /// Waits for the build and opens it. If there is none, the search continues on the executable
    /// that it began on, and the reporter gets the reason.
    fn opened(
        &self,
        is_over: &dyn Fn() -> Result<(), StopReason>,
        reporter: &mut dyn Reporter,
    ) -> Later<'_> {
        if self.opened.get().is_none() {
            if !self.beside.is_complete() {
                let name = &self.ordered.target.name;
                let text = format!("waiting for the build of `{name}`; the best so far is saved");
                reporter.report(&Event::Note(NoteKind::Build, &text));
            }
            let opened = match self.beside.wait(is_over) {
                Waited::Over(reason) => return Later::Over(reason),
                Waited::Failed(error) => Err(on_one_line(&error)),
                Waited::Built(built) => {
                    let build = self.ordered.build();
                    open::open_built(&build, built.executable, self.sanitized.clone())
                        .map_err(|error| on_one_line(&error))
                }
            };
            // It was empty above, and this is the only place that fills it.
            let _ = self.opened.set(opened);
        }
        match self.opened.get().expect("it was filled above") {
            Ok(target) => Later::Open(target),
            Err(why) => Later::Failed(why.clone()),
        }
    }
}

/// An error with its causes, without the compiler's messages that follow in other lines.
fn on_one_line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text.lines().next().unwrap_or_default().to_owned()
}
