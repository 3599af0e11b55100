//! Which target an input belongs to, where that isn't said.

use std::path::Path;

use super::exit::{Exit, OrExit, Trouble};
use super::fuzz_dir;
use super::input::Input;
use super::interrupt::Interrupt;
use super::package::{FuzzPackage, FuzzTarget};
use super::plan::{TargetSource, TminPlan};
use super::probe::no_hunt;
use super::target::{self, Opened};
use crate::observation::Observation;
use crate::oracle::Oracle;
use crate::oracle::budget::Budget;
use crate::report::Report;
use crate::target::Request;

/// Finds the target, builds it where needed, and opens it.
pub fn open(
    plan: &TminPlan,
    input: &Input,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Opened, Trouble> {
    match &plan.target {
        TargetSource::Command(argv) => Ok(target::open_command(argv.clone(), &input.path)),
        TargetSource::Executable(path) => target::open_executable(path),
        TargetSource::Package { name, fuzz_dir, may_sanitize } => {
            let package = find_package(fuzz_dir.as_deref(), &input.path)?;
            let mut opened = match candidates(&package, name.as_deref(), input)?.as_slice() {
                [one] => {
                    report.say_more(&format!(
                        "target {} of {}",
                        one.name,
                        package.folder.display()
                    ));
                    target::open_fuzz_target(&package, one, !plan.tell.quiet)?
                }
                several => try_all(&package, several, plan, input, interrupt, report)?,
            };
            if !may_sanitize {
                opened.sanitized = None;
            }
            Ok(opened)
        }
    }
}

fn find_package(fuzz_dir: Option<&Path>, input: &Path) -> Result<FuzzPackage, Trouble> {
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
    let folder = if folder.as_os_str().is_empty() { Path::new(".").to_owned() } else { folder };
    FuzzPackage::load(&folder)
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

/// Runs the input on each and takes the one that fails.
fn try_all(
    package: &FuzzPackage,
    targets: &[&FuzzTarget],
    plan: &TminPlan,
    input: &Input,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Opened, Trouble> {
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
        match target::open_fuzz_target(package, target, !plan.tell.quiet) {
            Ok(opened) => {
                if fails(&opened, plan, input)? {
                    failing.push(opened);
                }
            }
            Err(_) => unbuilt.push(target.name.as_str()),
        }
    }
    let names = |opened: &[Opened]| -> String {
        opened.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if !unbuilt.is_empty() {
        report.say(&format!("not tried, because they don't build: {}", unbuilt.join(", ")));
    }
    match failing.len() {
        1 => Ok(failing.remove(0)),
        0 => {
            let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
            Err(Trouble::new(
                Exit::Target,
                format!(
                    "{path} fails on none of {}; say which it belongs to with --target",
                    names.join(", ")
                ),
            ))
        }
        _ => Err(Trouble::new(
            Exit::Target,
            format!("{path} fails on {}; choose with --target", names(&failing)),
        )),
    }
}

fn fails(opened: &Opened, plan: &TminPlan, input: &Input) -> Result<bool, Trouble> {
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
