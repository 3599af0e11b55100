//! The pattern of what makes an input fail, and further inputs that were made of it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_grammar::grammar::builtin::Clue;
use seedsmith_grammar::grammar::error::GrammarError;

use super::Session;
use super::ended::End;
use super::ended::Remark;
use super::error::{SessionError, with_causes};
use super::failing::FailingInput;
pub use super::hang::claimed::ClaimedLimit;
use super::hang::short::{self, Minimized};
use super::language::{LanguageChoice, LanguageError, guess};
use super::minimize::cause;
use super::stack::StackLine;
use crate::event::{Counts, Event, StopReason};
use crate::generalize::judge::AmongValid;
use crate::generalize::kit::{Samples, Sources, collect};
use crate::generalize::pattern::Pattern;
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::produce::{Tested, example, produce_tested, produce_while};
use crate::generalize::reduction::{self, Reduced};
use crate::generalize::settling::TestCost;
use crate::generalize::speaker::Speaker;
use crate::generalize::{self, Generalized};
use crate::reduce::Cause;
use crate::search::Listener;

/// The language of an input.
pub struct Named {
    /// Its name, or the files of its grammar.
    pub source: Vec<String>,
    /// Reads and makes texts of it.
    pub speaker: Speaker,
    /// Whether it is the input's even if the input doesn't quite fit.
    pub is_sure: bool,
    /// Whether it was guessed.
    pub is_guessed: bool,
}

/// A trial parse with more bytes in a hundred amiss than these may be of another language.
const MOST_AMISS: u8 = 2;

/// Why the language of an input cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// It cannot be loaded.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// No texts can be made of its grammar.
    #[error("failed to use grammar {name}")]
    Unusable {
        /// The grammar's name, or its files.
        name: String,
        /// Why.
        #[source]
        source: GrammarError,
    },
}

impl Named {
    /// The language that was chosen, else the one that the input `bytes` in the file `path` seems to
    /// be in. `target` is the name of what the input fails on, which may tell it too.
    pub fn of(
        choice: &LanguageChoice,
        (path, bytes): (&Path, &[u8]),
        target: &str,
    ) -> Result<Option<Self>, NamedError> {
        let (name, is_sure, language) = match choice.language()? {
            Some(language) => (choice.said().unwrap_or_default(), true, Arc::new(language)),
            None => match choice.guess((path, bytes), target) {
                Some((name, clue, language)) => {
                    (name, !matches!(clue, Clue::Trial(amiss) if amiss > MOST_AMISS), language)
                }
                None => return Ok(None),
            },
        };
        let source = name.split(',').map(str::to_owned).collect();
        let speaker = Speaker::new(language)
            .map_err(|source| NamedError::Unusable { name: name.to_owned(), source })?;
        Ok(Some(Named { source, speaker, is_sure, is_guessed: choice.said().is_none() }))
    }
}

/// How a generalization goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the pattern is found.
    pub pattern: generalize::Options,
    /// Whether the input is minimized first.
    pub reduces: bool,
    /// How many inputs are made of the pattern, at least.
    pub inputs: usize,
    /// Whether inputs are wanted even if there is no time to test them.
    pub wants_untested: bool,
    /// Whether for each slot an input is wanted in which only that is different.
    pub wants_examples: bool,
    /// Whether inputs for a kit are wanted.
    pub wants_kit: bool,
}

/// Inputs that were made of a pattern.
#[derive(Debug, Default)]
pub struct Made {
    /// The inputs, and how many were left out because they pass.
    pub tested: Tested,
    /// For each slot an input in which only that is different, if wanted.
    pub examples: Vec<Option<Vec<u8>>>,
    /// Whether the inputs are known to fail.
    pub is_tested: bool,
    /// Inputs for a kit, if wanted.
    pub samples: Samples,
}

/// How a generalization ended.
pub struct Generalization {
    /// How the task ended.
    pub end: End,
    /// The input that was generalized: the minimized one, or the original.
    pub reduced: Vec<u8>,
    /// The source of the grammar that was used; empty where bytes were put into classes.
    pub source: Vec<String>,
    /// Whether the grammar was guessed.
    pub is_guessed: bool,
    /// The pattern, and what is claimed of it.
    pub found: Generalized,
    /// Inputs that were made of it.
    pub made: Made,
    /// Counts of the reduction.
    pub reduction: Counts,
    /// Counts of making inputs.
    pub production: Counts,
    /// Counts of the whole session, confirmations included.
    pub counts: Counts,
    /// Time since the session was opened.
    pub elapsed: Duration,
    /// The stack of the input's failure, for people.
    pub stack: Vec<StackLine>,
    /// For a hang, or what fills the memory: what the pattern's inputs exceed by the claim, where
    /// that is less than the limits of the session. Tests with those would take too long.
    pub claimed_limit: Option<ClaimedLimit>,
    /// Whether the reduced input fails steadily in new processes.
    pub is_sure: bool,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
}

impl Session<'_> {
    /// Minimizes the input, finds the pattern of what makes it fail, and makes inputs of it.
    ///
    /// The session's judge is another one afterwards: it tells inputs that the target rejects from
    /// those that pass. So this is the session's last task.
    ///
    /// # Errors
    ///
    /// The target cannot be run any more.
    pub fn generalize(
        mut self,
        named: Option<Named>,
        options: &Options,
        listener: &mut Listener<'_>,
    ) -> Result<Generalization, SessionError> {
        self.find_pattern(named, options, listener).map_err(|error| self.explained(error))
    }

    fn find_pattern(
        &mut self,
        named: Option<Named>,
        options: &Options,
        listener: &mut Listener<'_>,
    ) -> Result<Generalization, SessionError> {
        let are_tests_expensive = self.are_tests_expensive();
        let cost = match self.failing.baseline.uses_up() {
            true => TestCost::Limit,
            false if are_tests_expensive => TestCost::High,
            false => TestCost::Low,
        };
        let asked = generalize::Options { cost, ..options.pattern };
        let (failing, oracle) = (&self.failing, &mut self.oracle);
        let signature = &failing.hunt.signature;
        listener(&Event::Started { bytes: failing.bytes.len(), signature });
        match &named {
            Some(Named { source, is_guessed: true, .. }) => {
                let guess = format!("grammar {} is a guess", source.join(","));
                listener(&Event::Detail(&guess));
            }
            Some(_) => {}
            None => listener(&Event::Note("no grammar: bytes are put into classes")),
        }
        let mut named = named;
        if let Some(named) = &mut named {
            let (budget, started) = (oracle.budget().clone(), oracle.started());
            named.speaker.read_while(move || budget.check_time(started).is_ok());
        }
        let speaker = named.as_ref().map(|named| &named.speaker);
        let Minimized { reduced: Reduced { input: reduced, mut stopped }, claimed, runs } =
            reduced((failing, are_tests_expensive), oracle, speaker, options, listener)?;
        let reduction = oracle.counts();
        let is_guessed = named.as_ref().is_some_and(|named| named.is_guessed);
        let (source, speaker) = fitting(named, &reduced, listener);
        oracle.set_judge(AmongValid(failing.hunt.clone()));
        let (mut source, mut speaker) = (source, speaker);
        if is_guessed
            && let Some(known) = &speaker
            && guess::is_rejected(oracle, known, options.pattern.seed)
                .map_err(|stopped| failing.error(stopped))?
        {
            listener(&Event::Note(&guess::dropped(
                &source,
                "the target rejects most of its inputs",
            )));
            (source, speaker) = (Vec::new(), None);
        }
        let has_guess = is_guessed && speaker.is_some();
        let mut find = |speaker| {
            let origins = std::slice::from_ref(&failing.bytes);
            generalize::generalize_from(oracle, origins, reduced.clone(), speaker, &asked)
                .map_err(|stopped| failing.error(stopped))
        };
        let mut found = find(speaker)?;
        if has_guess && found.stopped.is_none() && found.pattern.slots.is_empty() {
            let without = find(None)?;
            if !without.pattern.slots.is_empty() {
                let why = "nothing can be generalized with it";
                listener(&Event::Note(&guess::dropped(&source, why)));
                source = Vec::new();
                found = without.after(&found);
            }
        }
        stopped = stopped.or(found.stopped);
        let before = oracle.counts();
        let condition = found.condition.as_ref().map(|measured| &measured.predicate);
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
        counts.executions += runs;
        let is_sure = match failing.or_unconfirmed(failing.confirm(&reduced))? {
            Ok(confirmed) => {
                counts.executions += u64::from(confirmed.runs);
                confirmed.holds(failing.repeats)
            }
            Err(unconfirmed) => {
                listener(&Event::Note(&unconfirmed.remark().to_string()));
                stopped = stopped.or(Some(unconfirmed.reason));
                true
            }
        };
        if let Some(error) = oracle.trouble() {
            listener(&Event::Note(&Remark::TargetLost(with_causes(error)).to_string()));
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

/// The grammar, unless it is of no use for these bytes; the listener hears what of them isn't in
/// its language.
fn fitting(
    named: Option<Named>,
    bytes: &[u8],
    listener: &mut Listener<'_>,
) -> (Vec<String>, Option<Speaker>) {
    let Some(Named { source, mut speaker, is_sure, is_guessed }) = named else {
        return (Vec::new(), None);
    };
    let (misfit, is_of_use) = match speaker.read(bytes) {
        Ok((_, None)) => return (source, Some(speaker)),
        Ok((_, Some(misfit))) => (misfit, is_sure && !is_guessed),
        Err(misfit) => (misfit, false),
    };
    if is_of_use {
        listener(&Event::Note(&format!("{misfit}: the rest is treated as bytes")));
        (source, Some(speaker))
    } else {
        listener(&Event::Note(&format!("{misfit}: bytes are put into classes instead")));
        (Vec::new(), None)
    }
}

fn reduced(
    (failing, are_tests_expensive): (&FailingInput<'_>, bool),
    oracle: &mut Oracle<'_>,
    speaker: Option<&Speaker>,
    options: &Options,
    listener: &mut Listener<'_>,
) -> Result<Minimized, SessionError> {
    let input = &failing.bytes;
    let mut reduction = reduction::options(options.pattern.seed);
    reduction.cause = cause(&failing.hunt.signature.kind);
    reduction.are_tests_expensive = are_tests_expensive;
    let mut minimize = |oracle: &mut Oracle<'_>, listener: &mut Listener<'_>| {
        if !options.reduces {
            return Ok(Reduced { input: input.clone(), stopped: None });
        }
        reduction::reduce_with(oracle, input, speaker, &reduction, listener)
            .map_err(|stopped| failing.error(stopped))
    };
    if failing.baseline.uses_up() {
        return short::minimized(failing, oracle, listener, &mut minimize);
    }
    let mut reduced = minimize(oracle, listener)?;
    if reduction.cause == Cause::Amount && options.reduces && reduced.stopped.is_none() {
        reduced.input =
            reduction::enlarged(oracle, reduced.input).map_err(|stopped| failing.error(stopped))?;
    }
    Ok(Minimized { reduced, claimed: None, runs: 0 })
}

/// How long inputs are made that are not tested, after the search was stopped.
const MAX_UNTESTED_TIME: Duration = Duration::from_millis(500);

/// Makes the inputs that are wanted. Where the search was stopped there is no time to test them.
fn make(
    oracle: &mut Oracle<'_>,
    pattern: &mut Pattern,
    condition: Option<&Predicate>,
    options: &Options,
    stopped: Option<StopReason>,
) -> Result<Made, Stopped> {
    let (seed, count) = (options.pattern.seed, options.inputs);
    let is_tested = stopped.is_none();
    let (budget, started, now) = (oracle.budget().clone(), oracle.started(), Instant::now());
    let keep_going = || match is_tested {
        true => budget.check_time(started).is_ok(),
        false => now.elapsed() < MAX_UNTESTED_TIME && !budget.interrupt.load(Ordering::Relaxed),
    };
    let tested = if is_tested {
        produce_tested(oracle, pattern, condition, count, seed)?
    } else if options.wants_untested {
        Tested { inputs: produce_while(pattern, count, seed, &keep_going), ..Tested::default() }
    } else {
        Tested::default()
    };
    let mut examples = Vec::new();
    if options.wants_examples {
        for slot in 0..pattern.slots.len() {
            examples.push(example(
                pattern,
                slot,
                seed,
                is_tested.then_some(&mut *oracle),
                &keep_going,
            )?);
        }
    }
    Ok(Made { tested, examples, is_tested, samples: Samples::default() })
}
