//! A generalization from its first test to its last: slots, claim, reasons, condition.
//!
//! It decides the order of the phases, and the result if a limit ends the run early. How slots are found
//! is in `slots` and `bytes`; how a claim is reached with joint draws is in `claiming`.

use super::claim::settling::TestCost;
use super::claiming::{State, jointly};
use super::draws::prober::{Prober, Spread};
use super::draws::sampler::Sampler;
use super::limits;
use super::options::{Explains, Method, Options};
use super::pattern::Pattern;
use super::result::Generalized;
use super::slots::abstraction::{self, FoundSlots};
use super::subjects::subject;
use super::{equal, predicate, reasons};
use crate::event::Claim;
use crate::event::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;

/// Finds the pattern of an input that fails.
///
/// Without a grammar, or with one that the input doesn't fit, bytes are all there is: classes,
/// lengths and repetitions. The answer is the same for any number of workers.
///
/// Fails only if the target cannot be run. A limit ends it early, with the findings up to then and
/// the reason in [`Generalized::stopped`].
pub fn generalize(
    oracle: &mut Oracle<'_>,
    input: Vec<u8>,
    language: Option<Sampler>,
    options: &Options,
) -> Result<Generalized, Stopped> {
    generalize_from(oracle, &[], input, language, options)
}

/// The same of an input that was minimized from others: a condition is learnt from these too.
pub fn generalize_from(
    oracle: &mut Oracle<'_>,
    origins: &[Vec<u8>],
    input: Vec<u8>,
    language: Option<Sampler>,
    options: &Options,
) -> Result<Generalized, Stopped> {
    let languages = Languages { pattern: language, condition: None };
    generalize_in(oracle, origins, input, languages, options)
}

/// What an input is read by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Languages {
    /// For the pattern: its texts are drawn too.
    pub pattern: Option<Sampler>,
    /// For the condition, where there is none for the pattern: only inputs near the ones at hand are made of it.
    pub condition: Option<Sampler>,
}

/// The same with a language for the condition alone, which is not used if the input is not in it.
pub(crate) fn generalize_in(
    oracle: &mut Oracle<'_>,
    origins: &[Vec<u8>],
    input: Vec<u8>,
    languages: Languages,
    options: &Options,
) -> Result<Generalized, Stopped> {
    let Languages { pattern: language, condition: structure } = languages;
    let before = oracle.counts();
    let (subject, misfit) = subject(input, language);
    let mut prober = Prober::new(oracle, subject, options.seed);
    let is_joint = matches!(options.method, Method::Joint(_));
    if is_joint && options.cost != TestCost::Limit && prober.oracle.budget().max_tests.is_none() {
        let tests = limits::for_pattern(prober.subject.input.len());
        prober.own_limit = Some(before.tests + tests);
    }
    let mut state = State { found: FoundSlots::default(), claim: Claim::Nothing { unresolved: 0 } };
    let ended = match options.method {
        Method::Published { checks } => published(&mut prober, checks, &mut state),
        Method::Joint(goal) => jointly(&mut prober, (goal, options.cost), &mut state),
    };
    let is_own_limit = prober.is_at_own_limit();
    prober.own_limit = None;
    let mut stopped = early(ended)?.filter(|_| !is_own_limit);
    let State { found: FoundSlots { slots, unknown }, claim, .. } = state;
    let counts = prober.oracle.counts() - before;
    let pattern = Pattern { subject: prober.subject.clone(), slots, unknown };
    let mut found = Vec::new();
    if options.explains != Explains::Nothing && stopped.is_none() {
        let is_thorough = options.explains == Explains::Thoroughly;
        stopped = early(reasons::reasons(&mut prober, &pattern, is_thorough, &mut found))?;
    }
    let mut condition = None;
    let is_small = prober.subject.input.len() <= predicate::MAX_LEARNT_BYTES;
    let is_joint = is_joint && is_small;
    if options.explains != Explains::Nothing && stopped.is_none() && is_joint {
        if prober.oracle.budget().max_tests.is_none() {
            prober.own_limit = Some(prober.oracle.counts().tests + limits::for_condition());
        }
        let explained =
            predicate::explain(&mut prober, &pattern, (origins, structure), options.seed);
        let ended = explained.map(|explained| condition = explained);
        let is_own_limit = prober.is_at_own_limit();
        prober.own_limit = None;
        stopped = early(ended)?.filter(|_| !is_own_limit);
    }
    let reason_counts = prober.oracle.counts() - before - counts;
    Ok(Generalized {
        pattern,
        claim,
        condition,
        reasons: found,
        counts,
        reason_counts,
        misfit,
        stopped,
        tested: std::mem::take(&mut prober.tested),
    })
}

/// The reason of an early end, which is no error: the findings are kept.
///
/// A limit or an interrupt; an error of the target stays one.
fn early(ended: Result<(), Stopped>) -> Result<Option<StopReason>, Stopped> {
    match ended {
        Ok(()) => Ok(None),
        Err(Stopped::Early(reason)) => Ok(Some(reason)),
        Err(stopped) => Err(stopped),
    }
}

/// DDSET's algorithms 2 and 3, one after the other.
///
/// Costs `checks` tests for each abstract node alone and again with the others, and as many for
/// each group of equal nodes.
fn published(prober: &mut Prober<'_, '_>, checks: u64, state: &mut State) -> Result<(), Stopped> {
    abstraction::abstraction(prober, checks, &mut state.found)?;
    let slots = &state.found.slots;
    let groups =
        equal::context_sensitive::context_sensitive(prober, slots, checks, Spread::Produced)?;
    state.add(groups);
    let is_concrete = state.found.slots.is_empty();
    state.claim = if is_concrete { Claim::Concrete } else { Claim::Checks { checks } };
    Ok(())
}
