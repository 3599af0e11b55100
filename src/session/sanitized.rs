//! Runs the build with a sanitizer on a result that was found without one.
//!
//! The search runs where tests are cheap; a sanitizer says more of the same failure. Whether it is
//! the same is decided by kind and, where debug information has names, by the functions.

use crate::event::{Minimality, Sanitized};
use std::cell::Cell;
use std::path::{Path, PathBuf};

use super::ended::Remark;
use super::error::SessionError;
use super::failing::FailingInput;
use super::saved::keeper::Keeper;
use super::searched::{Searched, keep};
use super::stack::{is_standard, named};
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::Symbolizer;
use seedsmith_engine::internal::may_be_same_failure;
use seedsmith_engine::internal::observe_in_new_processes;
use seedsmith_engine::{Kind, Signature};

/// Innermost functions of the failure without a sanitizer, one of which must also be in the stack
/// with it: as many as the default rule for the same failure compares.
const COMPARED_FUNCTIONS: usize = 3;
/// In how many functions of the sanitizer's stack it is looked for: a build with a sanitizer
/// inlines less, and so its stacks are longer. A guess; not measured.
const MAX_STACK_DEPTH: usize = 24;

/// The sanitizer's name for the result's failure, if there is an executable with one. If the result
/// shows another failure there than the input, takes the last best that shows the same in both.
pub(super) fn ask(
    failing: &FailingInput<'_>,
    searched: &mut Searched,
    keeper: &mut Keeper,
) -> Result<Option<Sanitized>, SessionError> {
    let Some(witness) = Witness::existing(failing) else { return Ok(None) };
    let executions = Cell::new(0);
    let hear = |candidate: &[u8]| {
        executions.set(executions.get() + 1);
        witness.hear(candidate).map_err(|stopped| failing.error(stopped))
    };
    let mut same = None;
    match hear(&searched.best)? {
        Testimony::Same(signature) => same = Some(*signature),
        Testimony::Other(instead) => match hear(&failing.bytes)? {
            Testimony::Other(_) => {
                searched.remarks.push(Remark::OtherWithSanitizer(instead));
            }
            Testimony::Same(_) => {
                let earlier: Vec<Vec<u8>> = keeper.earlier().map(<[u8]>::to_vec).collect();
                for best in earlier {
                    if let Testimony::Same(signature) = hear(&best)?
                        && failing.confirm(&best)?.holds(failing.repeats)
                    {
                        searched.remarks.push(Remark::SmallerWithoutSanitizer);
                        keep(keeper, &best)?;
                        searched.best = best;
                        searched.minimality = Minimality::None;
                        same = Some(*signature);
                        break;
                    }
                }
                if same.is_none() {
                    searched.remarks.push(Remark::ResultOtherWithSanitizer(instead));
                }
            }
        },
    }
    searched.counts.executions += executions.get();
    let stack = |signature: &Signature| {
        named(Symbolizer::open(&witness.executable).ok().as_ref(), &signature.frames)
    };
    Ok(same.map(|signature| Sanitized { stack: stack(&signature), signature }))
}

/// Whether the failure on a build can be the one that another build of the same target, usually with a
/// sanitizer, shows for the same input.
pub(super) fn is_same_failure(plain: &FailingInput<'_>, other: &FailingInput<'_>) -> bool {
    let (hunted, seen) = (&plain.baseline.signature, &other.baseline.signature);
    if !may_be_same_failure(hunted, seen) {
        return false;
    }
    // The stack of a panic adds nothing to its place, and that of a limit is where it happened to be.
    if matches!(hunted.kind, Kind::Panic | Kind::Timeout | Kind::OutOfMemory) {
        return true;
    }
    let of = |failing: &FailingInput<'_>, signature, count| {
        let executable = failing.target.executable.as_deref();
        executable.map_or_else(Vec::new, |executable| functions(executable, signature, count))
    };
    let (ours, theirs) = (of(plain, hunted, COMPARED_FUNCTIONS), of(other, seen, MAX_STACK_DEPTH));
    ours.is_empty() || theirs.is_empty() || ours.iter().any(|one| theirs.contains(one))
}

/// The same target with a sanitizer, on which the search runs no test.
struct Witness<'h> {
    failing: &'h FailingInput<'h>,
    executable: PathBuf,
    target: InjectedTarget,
    /// Functions of the hunted failure.
    functions: Vec<String>,
}

/// The outcome of a run with the sanitizer.
enum Testimony {
    /// The same failure, as the sanitizer names it.
    Same(Box<Signature>),
    /// Another failure, or none: in words.
    Other(String),
}

impl<'h> Witness<'h> {
    /// The executable that cargo-fuzz built with a sanitizer, if there is one and it can be run in
    /// process.
    fn existing(failing: &'h FailingInput<'h>) -> Option<Self> {
        let executable = failing.target.sanitized.clone()?;
        let target = InjectedTarget::new(&executable, InjectedOptions::default()).ok()?;
        let hunted = &failing.baseline.signature;
        let functions = match (&hunted.kind, &failing.target.executable) {
            (Kind::Panic, _) | (_, None) => Vec::new(),
            (_, Some(plain)) => functions(plain, hunted, COMPARED_FUNCTIONS),
        };
        Some(Witness { failing, executable, target, functions })
    }

    /// Runs `candidate` in a new process of that executable.
    fn hear(&self, candidate: &[u8]) -> Result<Testimony, Stopped> {
        let limits = self.failing.limits;
        let is_over = || self.failing.is_over();
        let seen = observe_in_new_processes(&self.target, candidate, limits, 1, &is_over)?;
        let Some(signature) = seen.first().and_then(|seen| seen.signature()) else {
            return Ok(Testimony::Other("no failure".to_owned()));
        };
        if may_be_same_failure(&self.failing.baseline.signature, signature) && self.meets(signature)
        {
            return Ok(Testimony::Same(Box::new(Signature::clone(signature))));
        }
        Ok(Testimony::Other(signature.to_string()))
    }

    /// Whether a function of the hunted failure is in a stack. Also true if no names are known,
    /// since nothing then shows a difference.
    fn meets(&self, signature: &Signature) -> bool {
        if self.functions.is_empty() {
            return true;
        }
        let theirs = functions(&self.executable, signature, MAX_STACK_DEPTH);
        theirs.is_empty() || self.functions.iter().any(|function| theirs.contains(function))
    }
}

/// The innermost functions of the user's or a crate's code, inlined ones too.
fn functions(executable: &Path, signature: &Signature, count: usize) -> Vec<String> {
    let Ok(symbolizer) = Symbolizer::open(executable) else { return Vec::new() };
    signature
        .own_frames(usize::MAX)
        .into_iter()
        .flat_map(|frame| symbolizer.frame(frame))
        .filter(|symbol| symbol.own && !symbol.file.as_deref().is_some_and(is_standard))
        .map(|symbol| symbol.function)
        .take(count)
        .collect()
}
