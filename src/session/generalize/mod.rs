//! The pattern that makes an input fail, and further inputs made from it.

mod made;
mod named;
mod options;

use std::time::Duration;

use seedsmith_engine::internal::Oracle;

pub(crate) use crate::event::NoteKind;
use crate::event::{ClaimedLimit, Counts, Event, Reporter, StackLine, StopReason};
use crate::generalize::claim::settling::TestCost;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::judge::AmongValid;
use crate::generalize::kit::{Sources, collect};
use crate::generalize::reduction::{self, Reduced};
use crate::generalize::{self, Generalized, Languages};
use crate::reduce::Cause;
use crate::session::OpenSession;
use crate::session::ended::End;
use crate::session::ended::Remark;
use crate::session::error::{SessionError, with_causes};
use crate::session::failing::FailingInput;
use crate::session::hang::short_limit;
use crate::session::hang::short_limit::Minimized;
use crate::session::language::guess;
use crate::session::minimize::cause;
pub(crate) use made::Made;
use made::make;
pub use named::Named;
pub(crate) use named::NamedError;
use named::fitting;
pub use options::Options;

/// How a generalization ended.
pub struct Generalization {
    /// How the task ended.
    pub(crate) end: End,
    /// The input that was generalized: the minimized one, or the original.
    pub(crate) reduced: Vec<u8>,
    /// The source of the grammar that was used; empty where bytes were put into classes.
    #[doc(hidden)]
    pub source: Vec<String>,
    /// Whether the grammar was guessed.
    pub(crate) is_guessed: bool,
    /// The pattern and the claim about it.
    #[doc(hidden)]
    pub found: Generalized,
    /// Inputs that were made of it.
    pub(crate) made: Made,
    /// Counts of the reduction.
    pub(crate) reduction: Counts,
    /// Counts of making inputs.
    pub(crate) production: Counts,
    /// Counts of the whole session, confirmations included.
    pub(crate) counts: Counts,
    /// Time since the session was opened.
    pub(crate) elapsed: Duration,
    /// The stack of the input's failure, for people.
    pub(crate) stack: Vec<StackLine>,
    /// For an input that hangs or fills the memory: the limit that the pattern's inputs exceed by
    /// the claim, if that is less than the limits of the session. Tests with the session's limits
    /// would take too long.
    pub(crate) claimed_limit: Option<ClaimedLimit>,
    /// Whether the reduced input fails steadily in new processes.
    pub(crate) is_sure: bool,
    /// Why it ended early, if it did.
    pub(crate) stopped: Option<StopReason>,
}

impl OpenSession<'_> {
    /// Minimizes the input, finds the pattern that makes it fail, and makes inputs from the
    /// pattern.
    ///
    /// Afterwards the session has another judge: it distinguishes inputs that the target rejects
    /// from those that pass. So this is the session's last task.
    ///
    /// # Errors
    ///
    /// The target cannot be run any more.
    pub fn generalize(
        mut self,
        named: Option<Named>,
        options: &Options,
        reporter: &mut dyn Reporter,
    ) -> Result<Generalization, SessionError> {
        self.find_pattern(named, options, reporter).map_err(|error| self.explained(error))
    }

    /// The task itself, in this order: minimize, decide on the language, find the pattern, make
    /// inputs of it, confirm the minimized input.
    ///
    /// A language that was guessed is dropped if the target rejects most of its sentences, and if
    /// nothing can be generalized with it but something can without.
    fn find_pattern(
        &mut self,
        named: Option<Named>,
        options: &Options,
        reporter: &mut dyn Reporter,
    ) -> Result<Generalization, SessionError> {
        let are_tests_expensive = self.are_tests_expensive();
        let cost = match self.failing.baseline.uses_up() {
            true => TestCost::Limit,
            false if are_tests_expensive => TestCost::High,
            false => TestCost::Low,
        };
        let asked = generalize::Options { cost, ..options.pattern };
        let (failing, oracle) = (&self.failing, &mut self.oracle);
        let signature = &failing.judge.signature;
        reporter.report(&Event::Started { bytes: failing.bytes.len(), signature });
        match &named {
            Some(Named { source, is_guessed: true, .. }) => {
                let guess = format!("grammar {} is a guess", source.join(","));
                reporter.report(&Event::Detail(&guess));
            }
            Some(_) => {}
            None => reporter
                .report(&Event::Note(NoteKind::Grammar, "no grammar: bytes are put into classes")),
        }
        let mut named = named;
        if let Some(named) = &mut named {
            let (budget, started) = (oracle.budget().clone(), oracle.started());
            named.sampler.read_while(move || budget.check_time(started).is_ok());
        }
        let sampler = named.as_ref().map(|named| &named.sampler);
        let minimized =
            reduced((failing, are_tests_expensive), oracle, sampler, options, reporter)?;
        let Minimized { reduced: Reduced { input: reduced, mut stopped }, claimed, .. } = minimized;
        let reduction = oracle.counts();
        let is_guessed = named.as_ref().is_some_and(|named| named.is_guessed);
        let (source, sampler) = fitting(named, &reduced, reporter);
        oracle.set_judge(AmongValid(failing.judge.clone()));
        let (mut source, mut sampler, mut structure) = (source, sampler, None);
        if is_guessed
            && let Some(known) = &sampler
            && guess::is_rejected(oracle, known, options.pattern.seed)
                .map_err(|stopped| failing.error(stopped))?
        {
            reporter.report(&Event::Note(
                NoteKind::Grammar,
                &guess::dropped(&source, "the target rejects most of its inputs"),
            ));
            // What it says of the input is right: only most of its texts are not for this target.
            (source, structure, sampler) = (Vec::new(), sampler, None);
        }
        let has_guess = is_guessed && sampler.is_some();
        let mut find = |pattern, condition| {
            let origins = std::slice::from_ref(&failing.bytes);
            let languages = Languages { pattern, condition };
            generalize::generalize_in(oracle, origins, reduced.clone(), languages, &asked)
                .map_err(|stopped| failing.error(stopped))
        };
        let mut found = find(sampler.clone(), structure)?;
        if has_guess && found.stopped.is_none() && found.pattern.slots.is_empty() {
            let without = find(None, sampler)?;
            if !without.pattern.slots.is_empty() {
                let why = "nothing can be generalized with it";
                reporter.report(&Event::Note(NoteKind::Grammar, &guess::dropped(&source, why)));
                source = Vec::new();
                found = without.after(&found);
            }
        }
        stopped = stopped.or(found.stopped);
        let before = oracle.counts();
        let exact = found.condition.as_ref().filter(|measured| measured.is_exact());
        let condition = exact.map(|measured| &measured.predicate);
        let mut made = make(oracle, &mut found.pattern, condition, options, stopped)
            .map_err(|stopped| failing.error(stopped))?;
        stopped = stopped.or(made.tested.stopped);
        if options.wants_kit && stopped.is_none() {
            let (original, produced) = (&failing.bytes, &made.tested.inputs);
            let sources = Sources { original, produced, tested: &found.tested };
            made.samples = collect(oracle, &found.pattern, sources, options.pattern.seed)
                .map_err(|stopped| failing.error(stopped))?;
            stopped = made.samples.stopped;
        }
        let production = oracle.counts() - before;
        let is_untouched = reduced == failing.bytes && found.pattern.slots.is_empty();
        if stopped == Some(StopReason::Target) && is_untouched {
            return Err(SessionError::Stopped(StopReason::Target));
        }
        let mut counts = oracle.counts();
        counts.executions += minimized.runs;
        let mut is_sure = true;
        if !minimized.is_confirmed {
            match failing.or_unconfirmed(failing.confirm(&reduced))? {
                Ok(confirmed) => {
                    counts.executions += u64::from(confirmed.runs);
                    is_sure = confirmed.holds(failing.repeats);
                }
                Err(unconfirmed) => {
                    reporter.report(&Event::Note(
                        NoteKind::Confirmation,
                        &unconfirmed.remark().to_string(),
                    ));
                    stopped = stopped.or(Some(unconfirmed.reason));
                }
            }
        }
        if let Some(error) = oracle.trouble() {
            reporter.report(&Event::Note(
                NoteKind::Target,
                &Remark::TargetLost(with_causes(error)).to_string(),
            ));
        }
        Ok(Generalization {
            end: failing.end(stopped, is_sure),
            reduced,
            source,
            is_guessed,
            found,
            made,
            reduction,
            production,
            counts,
            elapsed: oracle.started().elapsed(),
            stack: failing.stacks.of(&failing.baseline.signature),
            claimed_limit: claimed,
            is_sure,
            stopped,
        })
    }
}

/// Minimizes the input for a generalization: a hang with a short limit. If the failure depends on
/// an amount, the result is made a little larger again, so that it is not at the very limit.
fn reduced(
    (failing, are_tests_expensive): (&FailingInput<'_>, bool),
    oracle: &mut Oracle<'_>,
    sampler: Option<&Sampler>,
    options: &Options,
    reporter: &mut dyn Reporter,
) -> Result<Minimized, SessionError> {
    let input = &failing.bytes;
    let mut reduction = reduction::options(options.pattern.seed);
    reduction.cause = cause(&failing.judge.signature.kind);
    reduction.are_tests_expensive = are_tests_expensive;
    let mut minimize = |oracle: &mut Oracle<'_>, reporter: &mut dyn Reporter| {
        if !options.reduces {
            return Ok(Reduced { input: input.clone(), stopped: None });
        }
        reduction::reduce_with(oracle, input, sampler, &reduction, reporter)
            .map_err(|stopped| failing.error(stopped))
    };
    if failing.baseline.uses_up() {
        return short_limit::minimized(failing, oracle, reporter, &mut minimize);
    }
    let mut reduced = minimize(oracle, reporter)?;
    if reduction.cause == Cause::Amount && options.reduces && reduced.stopped.is_none() {
        reduced.input =
            reduction::enlarged(oracle, reduced.input).map_err(|stopped| failing.error(stopped))?;
    }
    Ok(Minimized { reduced, claimed: None, runs: 0, is_confirmed: false })
}
