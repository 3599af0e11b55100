//! The fuzz target on which an input fails, found by running the input once on each.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::choose::ChooseError;
use super::input::Input;
use super::package::{FuzzPackage, FuzzTarget};
use super::request::TargetRequest;
use super::targets::Targets;
use crate::event::{Event, NoteKind, Reporter};
use crate::session::target::OpenTarget;
use seedsmith_engine::Observation;
use seedsmith_engine::Request;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::NoFailureYet;
use seedsmith_engine::internal::Oracle;

/// Runs `input` on each of `candidates` and returns the one on which it fails. Those that do not build
/// are left out.
///
/// Costs a build of each target that is not built yet, and one run each. The reporter gets a note
/// about each target that is left out, with the reason.
///
/// # Errors
///
/// The input fails on none of the targets that build, or on several: then the user has to name one.
/// Also if `interrupt` is set.
pub(super) fn failing(
    targets: &mut Targets,
    package: &FuzzPackage,
    candidates: &[&FuzzTarget],
    input: &Input,
    interrupt: &AtomicBool,
    reporter: &mut dyn Reporter,
) -> Result<Rc<OpenTarget>, ChooseError> {
    reporter.report(&Event::Note(
        NoteKind::Target,
        &format!(
            "{} is not in a folder of a target: trying the {} of {}",
            input.path.display(),
            candidates.len(),
            package.folder.display()
        ),
    ));
    let mut failing = Vec::new();
    let mut unbuilt = Vec::new();
    for target in candidates {
        if interrupt.load(Ordering::Acquire) {
            break;
        }
        reporter.report(&Event::Detail(&format!("trying {}", target.name)));
        match targets.fuzz_target(package, target, input, reporter) {
            Ok(opened) => {
                if fails(&opened, targets.request(), input)? {
                    failing.push(opened);
                }
            }
            Err(_) => unbuilt.push(target.name.as_str()),
        }
    }
    if !unbuilt.is_empty() {
        let names = unbuilt.join(", ");
        reporter.report(&Event::Note(
            NoteKind::Build,
            &format!("not tried, because they don't build: {names}"),
        ));
    }
    if interrupt.load(Ordering::Acquire) {
        return Err(ChooseError::Interrupted);
    }
    let input = input.path.clone();
    match failing.len() {
        1 => Ok(failing.remove(0)),
        0 => Err(ChooseError::FailsOnNone {
            input,
            targets: candidates.iter().map(|target| target.name.clone()).collect(),
        }),
        _ => Err(ChooseError::FailsOnSeveral {
            input,
            targets: failing.iter().map(|opened| opened.name.clone()).collect(),
        }),
    }
}

/// Whether `input` fails on `opened`; one run in a fresh worker.
///
/// One run is enough to choose a target. A failure that does not always show may be missed here;
/// then the user names the target.
fn fails(opened: &OpenTarget, request: &TargetRequest, input: &Input) -> Result<bool, ChooseError> {
    let cannot_run = |source| ChooseError::Run { target: opened.name.clone(), source };
    let mut oracle = Oracle::new(&*opened.target, NoFailureYet, 1, Budget::default())
        .map_err(|error| cannot_run(error.into()))?;
    oracle.set_limits(request.limits);
    let fresh = Request { frames: true, fresh: true, once: false, varied: false, expected: None };
    let seen = oracle.observe(&input.bytes, fresh).map_err(cannot_run)?;
    Ok(match seen {
        Observation::Failed(signature) => request.sameness.is_same(&signature, &signature),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_fuzz::request::TargetSource;

    fn target(name: &str) -> FuzzTarget {
        let name = name.to_owned();
        FuzzTarget { name, required_features: Vec::new(), builds_by_default: true }
    }

    #[test]
    fn an_interrupt_before_the_first_target_ends_the_attempts() {
        let package = FuzzPackage {
            folder: "fuzz".into(),
            target_folder: "fuzz/target".into(),
            targets: vec![target("a"), target("b")],
            has_default_features: false,
            default_without_ours: None,
        };
        let input = Input { path: "crash".into(), bytes: b"x".to_vec(), target_names: Vec::new() };
        let all: Vec<&FuzzTarget> = package.targets.iter().collect();
        let source = TargetSource::Executable("unused".into());
        let mut targets = Targets::new(TargetRequest::new(source));
        let ended = failing(
            &mut targets,
            &package,
            &all,
            &input,
            &AtomicBool::new(true),
            &mut |_: &Event<'_>| {},
        );
        assert!(matches!(ended, Err(ChooseError::Interrupted)));
    }
}
