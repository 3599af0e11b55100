//! A generalization from its first test to its last: slots, claim, reasons, condition.
//!
//! It decides the order of the phases, and the result if a limit ends the run early. How slots are found
//! is in `slots` and `bytes`; how a claim is reached with joint draws is in `claiming`.

use super::claim::held::keep_what_holds;
use super::claim::settling::TestCost;
use super::claiming::{State, jointly};
use super::draws::prober::{Prober, Spread};
use super::draws::sampler::Sampler;
use super::limits::{self, OwnLimits};
use super::options::{Explains, Method, Options};
use super::pattern::Pattern;
use super::result::Generalized;
use super::slots::abstraction::{self, FoundSlots};
use super::subjects::subject;
use super::{equal, predicate, reasons};
use crate::event::Claim;
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
    let is_hang = options.cost == TestCost::Limit;
    prober.is_hang = is_hang;
    let mut state = State::default();
    let limits = match is_hang {
        true => limits::for_pattern_of_a_hang(),
        false => limits::for_pattern(prober.subject.input.len(), before.executions),
    };
    let ended = match options.method {
        Method::Published { checks } => {
            prober.within(OwnLimits::default(), |prober| published(prober, checks, &mut state))
        }
        Method::Joint(goal) => {
            prober.within(limits, |prober| jointly(prober, (goal, options.cost), &mut state))
        }
    };
    let mut stopped = ended?;
    if stopped.is_none() && is_joint && !is_hang && !state.is_settled {
        let slots = &mut state.found.slots;
        stopped = prober.within(limits::TO_HOLD, |prober| keep_what_holds(prober, slots))?;
    }
    let State { found: FoundSlots { slots, unknown }, claim, .. } = state;
    let counts = prober.oracle.counts() - before;
    let pattern = Pattern { subject: prober.subject.clone(), slots, unknown };
    let (mut found, mut condition) = (Vec::new(), None);
    let is_small = prober.subject.input.len() <= predicate::MAX_LEARNT_BYTES;
    if options.explains != Explains::Nothing && stopped.is_none() {
        let is_thorough = options.explains == Explains::Thoroughly;
        let limits = if is_hang { limits::for_condition_of_a_hang() } else { OwnLimits::default() };
        stopped = prober
            .within(limits, |prober| reasons::reasons(prober, &pattern, is_thorough, &mut found))?;
    }
    if options.explains != Explains::Nothing && stopped.is_none() && is_joint && is_small {
        let bytes = prober.subject.input.len();
        let limits = match is_hang {
            true => limits::for_condition_of_a_hang(),
            false => limits::for_condition(bytes, prober.oracle.counts().executions),
        };
        stopped = prober.within(limits, |prober| {
            let structured = (origins, structure);
            condition = predicate::explain(prober, &pattern, structured, options.seed)?;
            Ok(())
        })?;
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
