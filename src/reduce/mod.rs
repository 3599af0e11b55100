//! Reducers. They propose candidates to a [`Search`] and know neither time, threads,
//! files nor processes.
//!
//! A reducer hands the search the stream of everything that it would try next if nothing were
//! accepted, to its very end, and starts a new one from the new state after a success. Candidates
//! are the best with a few spans cut or replaced, so proposing one costs a few copies of memory.
//!
//! Each reducer is a value of the type [`Reducer`]: a name, its needs, its cost, its source, and
//! its function. All of them are in [`registry`], and [`auto`] has the default strategy's schedule,
//! which is data too. The reducers are in folders by the structure that they use: [`flat`] (text
//! without a grammar), [`tree`] (parse trees), [`binary`] (lengths, offsets, checksums), [`amount`]
//! (deep nesting and long repetitions) and [`polish`] (steps that shrink a 1-minimal input
//! further). [`algorithms`] has the parts that they share; [`algorithms::ddmin`] and
//! [`algorithms::isolate`] are the published algorithms, to the letter.

pub(crate) mod algorithms;
pub(crate) mod amount;
pub(crate) mod auto;
pub(crate) mod binary;
pub(crate) mod choices;
pub(crate) mod clues;
pub(crate) mod context;
pub(crate) mod counts_at_start;
pub(crate) mod flat;
pub(crate) mod input_kind;
pub(crate) mod needs;
pub(crate) mod options;
pub(crate) mod polish;
pub(crate) mod reducer;
pub(crate) mod registry;
pub(crate) mod selection;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tree;

pub(crate) use choices::{Cause, PicirenySteps};
pub use choices::{Polish, Strategy};
pub(crate) use clues::Clues;
pub use needs::{Cost, Need};
pub use options::Options;
pub use reducer::Reducer;
pub use registry::UnknownReducer;
pub(crate) use registry::{REDUCERS, select};
pub(crate) use seedsmith_grammar::internal::UnitKind;
pub(crate) use selection::Selection;

use crate::event::NoteKind;
use crate::search::Search;
use auto::scope::Scope;
use clues::Guess;
use context::Context;
use flat::units::DDMIN;
use polish::polisher::Polisher;
use seedsmith_engine::Stopped;
use tree::published::strategies;

/// Bests shorter than this are not worth the tree of a guessed language: the flat reducers are done
/// with them in as many tests. A guess; not measured.
const MIN_TREE_BYTES: usize = 128;

/// Reduces the best of `search` with the chosen strategy.
///
/// When it returns, the best is as small as the strategy gets it and `Search::minimality` is the
/// claim that its tests established. A search that is stopped early keeps its best.
pub fn minimize(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    if search.best().len() >= MIN_TREE_BYTES
        && let Some(note) = options.missing_parser()
    {
        search.note(&note);
    }
    match options.strategy {
        Strategy::Auto => auto::auto(search, options),
        Strategy::Ddmin => ddmin_alone(search, options),
        strategy => published(search, options, strategy),
    }
}

/// A published strategy over the tree of the input; without one, ddmin over its units.
fn published(
    search: &mut Search<'_, '_>,
    options: &Options,
    strategy: Strategy,
) -> Result<(), Stopped> {
    let Some(known) = options.language_of(search.best(), Guess::ByTrial) else {
        search.note(&format!(
            "{strategy} needs a grammar, and none was named or fits the input: ddmin runs instead"
        ));
        return ddmin_alone(search, options);
    };
    if let Some(note) = known.note() {
        search.note_of(NoteKind::GuessedLanguage, &note);
    }
    let language = known.language;
    let language = match strategy {
        Strategy::Picireny => &language.in_written_order(),
        _ => &*language,
    };
    match strategies::reduce(search, language, strategy, options.picireny)? {
        Ok(()) => Ok(()),
        Err(error) => {
            search.note(&format!("no tree ({error}): ddmin runs instead"));
            ddmin_alone(search, options)
        }
    }
}

/// ddmin over the units of the format, once, as the paper has it.
fn ddmin_alone(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    let Options { format, cause, are_tests_expensive, polish, seed, .. } = *options;
    let scope = Scope::new(format, cause, are_tests_expensive);
    let polisher = Polisher::new(search, polish, seed, are_tests_expensive);
    DDMIN.run(search, &mut Context::new(search, scope, polisher))
}
