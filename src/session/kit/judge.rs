//! A fix is judged: every input of a kit is run on the patched target, and new inputs of the pattern
//! too, so that a fix for the inputs in the kit alone is found out.

use crate::event::{Became, FixVerdict, Judged, JudgedInput};
use std::collections::HashSet;
use std::sync::Arc;

use seedsmith_engine::StopReason;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::NoFailureYet;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Limits, Request};
use seedsmith_engine::{Observation, Verdict as TargetVerdict};
use seedsmith_grammar::Digest;

use super::read::Kit;
use super::same::is_same;
use crate::generalize::produce::produce_while;
use crate::session::error::SessionError;
use crate::session::failing::stopped_at_once;
use crate::session::target::OpenTarget;

/// A fix that handles at most this percentage of the other failing inputs handles only the given
/// one. More than none, because a drawn input may be the given one again; not measured.
const MAX_CHANCE_PERCENT: usize = 10;
/// Runs that show how an input fails: in a new worker, with the stack.
const FRESH: Request =
    Request { frames: true, fresh: true, once: false, varied: false, expected: None };

/// How a fix is judged.
#[derive(Clone, Debug)]
pub struct JudgeOptions {
    /// The limits of one test.
    pub limits: Limits,
    /// Its flag ends the judgement.
    pub budget: Budget,
    /// New inputs of the pattern.
    pub draws: usize,
    /// The seed of these.
    pub seed: u64,
}

impl Judged {
    /// Every input that failed before, or is expected to.
    fn all_failing(&self) -> impl Iterator<Item = &Became> {
        self.given.iter().chain(&self.failing).chain(&self.fresh).map(|one| &one.became)
    }

    fn verdict(&self) -> FixVerdict {
        let fails_the_same = |became: &Became| *became == Became::FailsTheSame;
        let others = || self.failing.iter().chain(&self.fresh).map(|one| &one.became);
        if self.all_failing().any(fails_the_same) {
            let is_given_handled = self.given.iter().any(|one| one.became.is_handled());
            let handled = others().filter(|became| became.is_handled()).count();
            let is_no_more = handled * 100 <= others().count() * MAX_CHANCE_PERCENT;
            return match is_given_handled && is_no_more {
                true => FixVerdict::SilencesTheGiven,
                false => FixVerdict::StillFails,
            };
        }
        let fails = |became: &Became| matches!(became, Became::FailsOtherwise(_));
        if self.all_failing().any(fails) {
            return FixVerdict::FailsOtherwise;
        }
        let is_broken = |one: &JudgedInput| one.became == Became::Rejected || fails(&one.became);
        if self.passing.iter().any(|one| is_broken(one) || fails_the_same(&one.became)) {
            return FixVerdict::BreaksPassing;
        }
        let mut all = self.all_failing().chain(self.passing.iter().map(|one| &one.became));
        match all.any(|became| *became == Became::Unknown) {
            true => FixVerdict::Unknown,
            false => FixVerdict::Fixed,
        }
    }
}

/// Runs the inputs of a kit on a patched target, and new inputs of the kit's pattern.
///
/// # Errors
///
/// The target cannot be run, or the judgement was stopped.
pub fn judge(
    kit: &mut Kit,
    target: &OpenTarget,
    options: &JudgeOptions,
) -> Result<Judged, SessionError> {
    let mut oracle = Oracle::new(&*target.target, NoFailureYet, 1, options.budget.clone())
        .map_err(|source| SessionError::Target { name: target.name.clone(), source })?;
    oracle.set_limits(options.limits);
    // The kit defines when a command fails, since the patched command may not fail at all.
    let kind = if kit.file.signature.is_status { Kind::Command } else { Kind::Abort };
    let seen = Observation::Failed(Arc::new(Signature::of_kind(kind)));
    let _ = oracle.decide(&[(seen, kit.file.runs)]);
    let fresh = fresh(kit, options);
    let mut run = |inputs: &[(Option<String>, Vec<u8>)]| -> Result<Vec<JudgedInput>, SessionError> {
        let mut judged = Vec::new();
        for (name, input) in inputs {
            if options.budget.check_time(oracle.started()).is_err() {
                return Err(SessionError::Stopped(StopReason::Interrupted));
            }
            let seen = oracle
                .observe_often(input, FRESH, kit.file.runs)
                .map_err(|stopped| stopped_at_once(target, stopped))?;
            let (name, input) = (name.clone(), input.clone());
            judged.push(JudgedInput { name, input, became: became(kit, &seen) });
        }
        Ok(judged)
    };
    let mut judged = Judged {
        verdict: FixVerdict::Unknown,
        given: run(&kit.given)?,
        failing: run(&kit.failing)?,
        fresh: run(&fresh)?,
        passing: run(&kit.passing)?,
        executions: 0,
    };
    judged.executions = oracle.counts().executions;
    judged.verdict = judged.verdict();
    Ok(judged)
}

/// New inputs of the pattern: none that is in the kit.
fn fresh(kit: &mut Kit, options: &JudgeOptions) -> Vec<(Option<String>, Vec<u8>)> {
    let stored = kit.given.iter().chain(&kit.failing);
    let stored: HashSet<Digest> = stored.map(|(_, input)| Digest::of(input)).collect();
    let Some(pattern) = &mut kit.pattern else { return Vec::new() };
    let wanted = options.draws + stored.len();
    let keep_going = || !options.budget.interrupt.load(std::sync::atomic::Ordering::Relaxed);
    let drawn = produce_while(pattern, wanted, options.seed ^ 0x6a75_6467_6500, &keep_going);
    let new = drawn.into_iter().filter(|input| !stored.contains(&Digest::of(input)));
    new.take(options.draws).map(|input| (None, input)).collect()
}

/// The worst of several runs counts.
fn became(kit: &Kit, seen: &[Observation]) -> Became {
    let one = |observation: &Observation| match observation {
        Observation::Returned(TargetVerdict::Keep) => Became::Passes,
        Observation::Returned(TargetVerdict::Reject) | Observation::Complained(_) => {
            Became::Rejected
        }
        Observation::Failed(signature) if is_same(&kit.file.signature, signature) => {
            Became::FailsTheSame
        }
        // A script that does not end says nothing by its exit status.
        Observation::Failed(_) if kit.file.signature.is_status => Became::Unknown,
        Observation::Failed(signature) => Became::FailsOtherwise(signature.clone()),
        Observation::Unresolved | Observation::Lost => Became::Unknown,
    };
    let rank = |became: &Became| match became {
        Became::FailsTheSame => 4,
        Became::FailsOtherwise(_) => 3,
        Became::Unknown => 2,
        Became::Rejected => 1,
        Became::Passes => 0,
    };
    seen.iter().map(one).max_by_key(rank).unwrap_or(Became::Unknown)
}
