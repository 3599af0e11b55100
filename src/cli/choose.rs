//! Which target an input belongs to, where that isn't said; each target is opened once.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::args::SanitizerChoice;
use super::exit::{Exit, OrExit, Trouble};
use super::fuzz_dir;
use super::input::Input;
use super::interrupt::Interrupt;
use super::package::{FuzzPackage, FuzzTarget};
use super::plan::{TargetPlan, TargetSource};
use super::target;
use crate::report::Report;
use crate::session::first_runs::no_hunt;
use crate::session::target::{Leaks, OpenTarget, Origin};
use seedsmith_engine::exec::Request;
use seedsmith_engine::observation::Observation;
use seedsmith_engine::oracle::Oracle;
use seedsmith_engine::oracle::budget::Budget;

/// The targets of one run. Building and opening costs a process start or more, so what is open
/// serves every further input that belongs to it.
pub struct Targets<'p> {
    plan: &'p TargetPlan,
    linked: Option<&'p str>,
    packages: Vec<Rc<FuzzPackage>>,
    /// By the path that tells a target apart, and the way in which it was opened.
    opened: Vec<((PathBuf, Way), Rc<OpenTarget>)>,
}

/// In which way a target is opened: the same target can be open in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As it is.
    Plain,
    /// Built with AddressSanitizer.
    Address,
    /// With AddressSanitizer, looking for leaks.
    Leaks,
    /// Built to tell which functions were reached.
    Coverage,
}

impl<'p> Targets<'p> {
    /// None open yet. `linked` names the target that is part of this program, if there is one; it
    /// steps back where the plan names another.
    pub fn new(plan: &'p TargetPlan, linked: Option<&'p str>) -> Self {
        let linked = linked.filter(|_| !plan.is_named);
        Targets { plan, linked, packages: Vec::new(), opened: Vec::new() }
    }

    /// Finds the target of `input`, builds it where needed, and opens it.
    pub fn open(
        &mut self,
        input: &Input,
        interrupt: &Interrupt,
        report: &mut Report,
    ) -> Result<Rc<OpenTarget>, Trouble> {
        if let Some(name) = self.linked {
            return self.once((PathBuf::from(name), Way::Plain), || target::open_linked(name));
        }
        match &self.plan.source {
            // The program sees the input's name, so each has a target of its own. That is free.
            TargetSource::Command(line) => Ok(Rc::new(target::open_command(line, &input.path))),
            TargetSource::Executable(path) => self.executable(path, input.is_leak()),
            TargetSource::Package { name, fuzz_dir, .. } => {
                let package = self.package(fuzz_dir.as_deref(), &input.path)?;
                match candidates(&package, name.as_deref(), input)?.as_slice() {
                    [one] => self.fuzz_target(&package, one, input, report),
                    several => self.try_all(&package, several, input, interrupt, report),
                }
            }
        }
    }

    /// The same target in a way that shows more, to try an input on that doesn't fail on `opened`:
    /// with AddressSanitizer, and where that is in it already, looking for leaks too. `None` where
    /// nothing is left to try.
    pub fn keener(
        &mut self,
        opened: &OpenTarget,
        effort: Effort,
        report: &mut Report,
    ) -> Result<Option<Rc<OpenTarget>>, Trouble> {
        if opened.leaks == Leaks::Ignored && effort == Effort::Any {
            report.say("it doesn't fail: looking for leaks");
            let executable = opened.executable.as_ref().expect("one was found to have a sanitizer");
            return self.executable(executable, true).map(Some);
        }
        let is_auto = matches!(
            self.plan.source,
            TargetSource::Package { sanitizer: SanitizerChoice::Auto, .. }
        );
        let Origin::FuzzTarget { folder, name, .. } = &opened.origin else {
            return Ok(None);
        };
        let is_at_hand = opened.sanitized.is_some();
        if !is_auto || opened.leaks != Leaks::Unknown || (effort == Effort::AtHand && !is_at_hand) {
            return Ok(None);
        }
        let how = if is_at_hand { "trying what cargo-fuzz built" } else { BUILDING };
        report.say(&format!("it doesn't fail without a sanitizer: {how}"));
        let package = FuzzPackage::load(folder)?;
        let sanitized = self.with_sanitizer(&package, package.expect(name)?, false);
        Ok(sanitized.map_err(|trouble| tell_untried(&trouble, report)).ok())
    }

    fn executable(&mut self, path: &Path, finds_leaks: bool) -> Result<Rc<OpenTarget>, Trouble> {
        let way = if finds_leaks { Way::Leaks } else { Way::Plain };
        self.once((path.to_owned(), way), || target::open_executable(path, finds_leaks))
    }

    fn with_sanitizer(
        &mut self,
        package: &FuzzPackage,
        one: &FuzzTarget,
        finds_leaks: bool,
    ) -> Result<Rc<OpenTarget>, Trouble> {
        let shows_builds = self.plan.shows_builds;
        let way = if finds_leaks { Way::Leaks } else { Way::Address };
        self.once((package.folder.join(&one.name), way), || {
            target::open_sanitized(package, one, finds_leaks, shows_builds)
        })
    }

    fn once(
        &mut self,
        key: (PathBuf, Way),
        open: impl FnOnce() -> Result<OpenTarget, Trouble>,
    ) -> Result<Rc<OpenTarget>, Trouble> {
        if let Some((_, opened)) = self.opened.iter().find(|(known, _)| *known == key) {
            return Ok(opened.clone());
        }
        let opened = Rc::new(open()?);
        self.opened.push((key, opened.clone()));
        Ok(opened)
    }

    fn fuzz_target(
        &mut self,
        package: &FuzzPackage,
        one: &FuzzTarget,
        input: &Input,
        report: &mut Report,
    ) -> Result<Rc<OpenTarget>, Trouble> {
        let shows_builds = self.plan.shows_builds;
        let path = package.folder.join(&one.name);
        if self.plan.has_coverage {
            return self.once((path, Way::Coverage), || {
                target::open_with_coverage(package, one, shows_builds)
            });
        }
        match self.plan.source {
            TargetSource::Package { sanitizer: SanitizerChoice::Address, .. } => {
                return self.with_sanitizer(package, one, input.is_leak());
            }
            // Nothing but a sanitizer finds it.
            TargetSource::Package { sanitizer: SanitizerChoice::Auto, .. } if input.is_leak() => {
                report.say_more("a leak: AddressSanitizer finds it");
                match self.with_sanitizer(package, one, true) {
                    Ok(opened) => return Ok(opened),
                    Err(trouble) => tell_untried(&trouble, report),
                }
            }
            _ => {}
        }
        self.once((path, Way::Plain), || {
            report.say_more(&format!("target {} of {}", one.name, package.folder.display()));
            target::open_fuzz_target(package, one, shows_builds)
        })
    }

    fn package(
        &mut self,
        fuzz_dir: Option<&Path>,
        input: &Path,
    ) -> Result<Rc<FuzzPackage>, Trouble> {
        let folder = package_folder(fuzz_dir, input)?;
        if let Some(known) = self.packages.iter().find(|known| known.folder == folder) {
            return Ok(known.clone());
        }
        let package = Rc::new(FuzzPackage::load(&folder)?);
        self.packages.push(package.clone());
        Ok(package)
    }

    /// Runs the input on each and takes the one that fails.
    fn try_all(
        &mut self,
        package: &FuzzPackage,
        targets: &[&FuzzTarget],
        input: &Input,
        interrupt: &Interrupt,
        report: &mut Report,
    ) -> Result<Rc<OpenTarget>, Trouble> {
        let path = input.path.display();
        report.say(&format!(
            "{path} doesn't tell its target: trying the {} of {}",
            targets.len(),
            package.folder.display()
        ));
        let mut failing = Vec::new();
        let mut unbuilt = Vec::new();
        for target in targets {
            if interrupt.exit().is_some() {
                break;
            }
            report.say_more(&format!("trying {}", target.name));
            match self.fuzz_target(package, target, input, report) {
                Ok(opened) => {
                    if fails(&opened, self.plan, input)? {
                        failing.push(opened);
                    }
                }
                Err(_) => unbuilt.push(target.name.as_str()),
            }
        }
        if !unbuilt.is_empty() {
            report.say(&format!("not tried, because they don't build: {}", unbuilt.join(", ")));
        }
        let names = |names: Vec<&str>| names.join(", ");
        let trouble = |words: String| Err(Trouble::new(Exit::Target, words));
        match failing.len() {
            1 => Ok(failing.remove(0)),
            0 => trouble(format!(
                "{path} fails on none of {}; say which it belongs to with --target",
                names(targets.iter().map(|target| target.name.as_str()).collect())
            )),
            _ => trouble(format!(
                "{path} fails on {}; choose with --target",
                names(failing.iter().map(|one| one.name.as_str()).collect())
            )),
        }
    }
}

/// What may be done to show a failure that doesn't show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Whatever there is.
    Any,
    /// What costs neither a build nor much time.
    AtHand,
}

const BUILDING: &str = "building with AddressSanitizer";

fn tell_untried(trouble: &Trouble, report: &mut Report) {
    let words = format!("{:#}", trouble.cause);
    let first = words.lines().next().unwrap_or_default();
    report.say(&format!("nothing to try with AddressSanitizer: {first}"));
}

fn package_folder(fuzz_dir: Option<&Path>, input: &Path) -> Result<PathBuf, Trouble> {
    let here = std::env::current_dir()
        .or_exit(Exit::Files, || "failed to find the current folder".to_owned())?;
    let folder = match fuzz_dir {
        Some(folder) => folder.to_owned(),
        None => fuzz_dir::find(input, &here).ok_or_else(|| {
            Trouble::new(
                Exit::Target,
                format!(
                    "no cargo-fuzz package above {} or here; say --fuzz-dir DIR, --binary FILE or -- COMMAND",
                    input.display()
                ),
            )
        })?,
    };
    // As seen from here: it appears in messages and in the command that reproduces the failure.
    let folder = folder.strip_prefix(&here).map(Path::to_owned).unwrap_or(folder);
    Ok(if folder.as_os_str().is_empty() { Path::new(".").to_owned() } else { folder })
}

/// The targets that `input` may belong to: at least one.
fn candidates<'p>(
    package: &'p FuzzPackage,
    name: Option<&str>,
    input: &Input,
) -> Result<Vec<&'p FuzzTarget>, Trouble> {
    if let Some(name) = name {
        return Ok(vec![package.expect(name)?]);
    }
    let told: Vec<&FuzzTarget> =
        input.target_names.iter().filter_map(|name| package.target(name)).collect();
    if !told.is_empty() {
        return Ok(told);
    }
    let light: Vec<&FuzzTarget> =
        package.targets.iter().filter(|target| target.builds_by_default).collect();
    let all: Vec<&FuzzTarget> = package.targets.iter().collect();
    let chosen = if light.is_empty() { all } else { light };
    if chosen.is_empty() {
        let folder = package.folder.display();
        return Err(Trouble::new(Exit::Target, format!("{folder} has no fuzz target")));
    }
    Ok(chosen)
}

fn fails(opened: &OpenTarget, plan: &TargetPlan, input: &Input) -> Result<bool, Trouble> {
    let doing = || format!("failed to run {}", opened.name);
    let mut oracle = Oracle::new(&*opened.target, no_hunt(), 1, Budget::default())
        .or_exit(Exit::Target, doing)?;
    oracle.set_limits(plan.limits);
    let request = Request { frames: true, fresh: true };
    let seen = oracle.observe(&input.bytes, request).or_exit(Exit::Target, doing)?;
    Ok(match seen {
        Observation::Failed(signature) => plan.sameness.is_same(&signature, &signature),
        _ => false,
    })
}
