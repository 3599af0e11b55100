//! The default strategy: the reducers that pay, in order.
//!
//! The order is data, in [`schedule`] and [`conditions`]; the code here runs it.

pub(crate) mod conditions;
pub(crate) mod rounds;
pub(crate) mod schedule;
pub(crate) mod scope;
#[cfg(test)]
mod settled;

use self::conditions::MAX_CLOSE_LOOK_BYTES;
use self::rounds::{LanguageSource, until_settled};
use self::schedule::{ROUND, Step, Worth};
use self::scope::Scope;
use crate::event::{Minimality, NoteKind};
use crate::reduce::MIN_TREE_BYTES;
use crate::reduce::clues::{Guess, Known};
use crate::reduce::context::{Context, Look};
use crate::reduce::input_kind::is_binary;
use crate::reduce::needs::Need;
use crate::reduce::options::Options;
use crate::reduce::polish::polisher::{Plan, Polisher};
use crate::reduce::reducer::Reducer;
use crate::reduce::registry;
use crate::reduce::tree::auto::exchange::EXCHANGE;
use crate::reduce::tree::auto::sequence;
use crate::reduce::tree::published::strategies;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::builtin::RecognisedBy;

/// Reduces the best by everything that is known to pay, until a whole round changes nothing.
///
/// In the end no single unit of the finest kind can be deleted, if the reducer of that unit may
/// run; with polishing and a tiny result, no shorter input fails at all. A second search from the
/// result, with the same options, tries the same candidates as the last round, and so changes
/// nothing; nor does one of the result under another file name, from which no language can be
/// guessed.
pub(crate) fn auto(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    if search.fails(b"")? {
        search.claim(Minimality::Global);
        return Ok(());
    }
    let mut reported = Vec::new();
    until_settled(search, options, |search, options| {
        let Options { format, cause, are_tests_expensive, polish, seed, .. } = *options;
        let scope = Scope::new(format, cause, are_tests_expensive);
        let polisher = Polisher::new(search, polish, seed, are_tests_expensive);
        let context = Context::new(search, scope, polisher);
        let mut round = Round { options, context, reported: &mut reported, looked_at: 0 };
        round.run(search, &ROUND)?;
        Ok(round.language_source())
    })
}

/// One round of all steps. It depends on the best and the options alone, not on the rounds
/// before: budgets within it count the tests of this round, cached ones too.
struct Round<'r> {
    options: &'r Options,
    context: Context,
    /// Guessed languages that were reported in this round or an earlier one.
    reported: &'r mut Vec<&'static str>,
    /// [`Search::improvements`] when the best was last looked at.
    looked_at: u64,
}

/// Where a round continues after a list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// With the step after the list.
    After,
    /// With the first step of the list.
    Again,
    /// Nowhere: the round is over.
    End,
}

impl Round<'_> {
    /// Runs a list of steps once.
    fn run(
        &mut self,
        search: &mut Search<'_, '_>,
        steps: &'static [Step],
    ) -> Result<Next, Stopped> {
        for step in steps {
            match step {
                Step::Run(reducer, look, condition) => {
                    if self.may_run(reducer) && condition(&self.context, search) {
                        self.context.look = *look;
                        reducer.run(search, &mut self.context)?;
                        self.context.note_run(&reducer.name, *look);
                    }
                }
                Step::RunOwn => self.run_own(search)?,
                Step::AlongTree(guess, condition) => {
                    if condition(&self.context, search) {
                        self.run_along_tree(search, *guess)?;
                    }
                }
                Step::Repeat(steps, condition, worth) => {
                    if self.repeat(search, steps, *condition, *worth)? == Next::End {
                        return Ok(Next::End);
                    }
                }
                Step::LookAtBest => {
                    self.context.scope.look_at(search.best());
                    self.looked_at = search.improvements();
                }
                Step::AgainIfChanged => {
                    if search.improvements() != self.looked_at {
                        return Ok(Next::Again);
                    }
                }
                Step::Claim(condition) => {
                    if self.tries_finest_units() && condition(&self.context, search) {
                        search.claim(Minimality::OneMinimal);
                    }
                }
                Step::PlanPolish(condition) => match condition(&self.context, search) {
                    true => self.context.polisher.plan(search),
                    false => self.context.polisher.plan = Plan::Nothing,
                },
                Step::End(condition) => {
                    if condition(&self.context, search) {
                        return Ok(Next::End);
                    }
                }
            }
        }
        Ok(Next::After)
    }

    /// Runs a list of steps as long as `condition` holds and a pass is worth another one.
    fn repeat(
        &mut self,
        search: &mut Search<'_, '_>,
        steps: &'static [Step],
        condition: conditions::Condition,
        worth: Worth,
    ) -> Result<Next, Stopped> {
        while condition(&self.context, search) {
            let (bytes, improvements) = (search.best().len(), search.improvements());
            match self.run(search, steps)? {
                Next::After => {}
                Next::Again => continue,
                Next::End => return Ok(Next::End),
            }
            let is_worth_it = match worth {
                Worth::Shorter => search.best().len() < bytes,
                Worth::ShorterByAnEighth => search.best().len() <= bytes - bytes / 8,
                Worth::Changed => search.improvements() != improvements,
                Worth::Once => false,
            };
            if !is_worth_it {
                break;
            }
        }
        Ok(Next::After)
    }

    /// Whether the user lets a reducer run and the format and the language meet its needs.
    fn may_run(&self, reducer: &Reducer) -> bool {
        let has = |need: &Need| match need {
            Need::Tree => self.context.language.is_some(),
            need => self.context.scope.allows(*need),
        };
        self.options.selection.runs(&reducer.name) && reducer.needs.iter().all(has)
    }

    /// Whether single units of the finest kind are tried: else nothing is known about them.
    fn tries_finest_units(&self) -> bool {
        let finest = self.context.scope.units().last();
        finest.is_some_and(|unit| self.options.selection.runs(&unit.to_string()))
    }

    /// Runs the caller's own reducers, and those that were asked for by name and are no part of the
    /// schedule, such as `hdd`.
    fn run_own(&mut self, search: &mut Search<'_, '_>) -> Result<(), Stopped> {
        self.context.look = Look::Close;
        for reducer in &self.options.reducers {
            if self.options.selection.runs(&reducer.name) {
                reducer.run(search, &mut self.context)?;
            }
        }
        let scheduled = schedule::reducers();
        let is_scheduled = |one: &Reducer| scheduled.iter().any(|other| other.name == one.name);
        for name in &self.options.selection.only {
            let Some(reducer) = registry::find(name).filter(|one| !is_scheduled(one)) else {
                continue;
            };
            if !self.options.selection.runs(name) {
                continue;
            }
            if reducer.works_on_tree() {
                strategies::run_alone(search, self.options, reducer)?;
            } else {
                reducer.run(search, &mut self.context)?;
            }
        }
        Ok(())
    }

    /// Reduces along the tree of a language that is known or recognised. A language that was named
    /// is used for any input, a guess only where it pays.
    fn run_along_tree(&mut self, search: &mut Search<'_, '_>, guess: Guess) -> Result<(), Stopped> {
        let selection = &self.options.selection;
        if !sequence::is_any_on(selection) && !selection.runs(&EXCHANGE.name) {
            return Ok(());
        }
        let bytes = search.best();
        let is_worth_a_guess =
            (MIN_TREE_BYTES..=MAX_CLOSE_LOOK_BYTES).contains(&bytes.len()) && !is_binary(bytes);
        let is_worth_it = (self.options.language.is_some() || is_worth_a_guess)
            && self.context.scope.is_worth_looking_at(bytes);
        let known = if is_worth_it { self.options.language_of(bytes, guess) } else { None };
        let Some(known) = known else { return Ok(()) };
        if let (Some((name, _)), Some(note)) = (known.guessed, known.note())
            && !self.reported.contains(&name)
        {
            self.reported.push(name);
            search.note_of(NoteKind::GuessedLanguage, &note);
        }
        let is_sound = sequence::reduce(search, &known.language, selection)?;
        self.context.scope.has_sound_tree = is_sound;
        self.context.scope.is_covered_by_tree = is_sound && self.options.are_tests_expensive;
        self.context.language = Some(known);
        Ok(())
    }

    /// How this round knows the language.
    fn language_source(&self) -> LanguageSource {
        match self.context.language {
            Some(Known { guessed: Some((_, RecognisedBy::Ending)), .. }) => {
                LanguageSource::FileName
            }
            _ => LanguageSource::Other,
        }
    }
}
