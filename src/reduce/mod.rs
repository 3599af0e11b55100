//! Reducers. They propose candidates to a [`Search`] and know neither time, threads,
//! files nor processes.
//!
//! A reducer hands the search the stream of everything that it would try next if nothing were
//! accepted, to its very end, and starts a new one from the new state after a success. Candidates
//! are the best with a few spans cut or replaced, so proposing one costs a few copies of memory.
//!
//! Bottom up: [`edit`] renders candidates, [`walk`] says which chunks are tried in which order,
//! [`chunks`] is the one loop over what may go from a text, the files named after what they remove
//! feed it, [`auto`] puts them in order. [`ddmin`] and [`isolate`] are the published algorithms, to
//! the letter.

pub mod algorithms;
pub mod amount;
pub mod auto;
pub mod binary;
pub mod clues;
pub mod flat;
pub mod options;
pub mod polish;
#[cfg(test)]
pub(crate) mod testing;
pub mod tree;

pub use options::{Cause, Clues, Options, Polish, Strategy};
pub use seedsmith_grammar::structure::units::UnitKind;
pub use tree::published::picireny::Steps as PicirenySteps;

use crate::event::Minimality;
use crate::search::Search;
use options::Guess;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::structure::units::split;
use tree::published::strategies;

/// Bests shorter than this are not worth the tree of a guessed language: the flat reducers are done
/// with them in as many tests.
const WORTH_A_TREE: usize = 128;

/// Reduces the best of `search` with the chosen strategy.
///
/// When it returns, the best is as small as the strategy gets it and
/// [`Search::minimality`] says what was established by tests. A search that is stopped early
/// keeps its best.
pub fn minimize(search: &mut Search<'_, '_>, options: &Options) -> Result<(), Stopped> {
    if search.best().len() >= WORTH_A_TREE
        && let Some(note) = options.missing_parser()
    {
        search.note(&note);
    }
    match options.strategy {
        Strategy::Auto => auto::auto(search, options),
        Strategy::Ddmin => search.run("ddmin", |search| plain_ddmin(search, options.format)),
        strategy => along_tree(search, options, strategy),
    }
}

/// A published strategy over the tree of the input; without one, ddmin over its units.
fn along_tree(
    search: &mut Search<'_, '_>,
    options: &Options,
    strategy: Strategy,
) -> Result<(), Stopped> {
    let Some(known) = options.language_of(search.best(), Guess::ByTrial) else {
        search.note(&format!(
            "{strategy} needs a grammar, and none was named or fits the input: ddmin runs instead"
        ));
        return search.run("ddmin", |search| plain_ddmin(search, options.format));
    };
    if let Some(note) = known.note() {
        search.note(&note);
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
            search.run("ddmin", |search| plain_ddmin(search, options.format))
        }
    }
}

/// ddmin over the units of a format, once, as the paper has it.
fn plain_ddmin(search: &mut Search<'_, '_>, format: UnitKind) -> Result<(), Stopped> {
    let source = search.best().to_vec();
    let units = split(&source, format);
    let elements: Vec<u32> = (0..units.len() as u32).collect();
    let kept = algorithms::ddmin::ddmin(search, elements, |kept, out| {
        // Neighbours that both stayed are copied in one go.
        for run in kept.chunk_by(|left, right| left + 1 == *right) {
            let (first, last) = (run[0] as usize, run[run.len() - 1] as usize);
            out.extend_from_slice(&source[units.span(first..last + 1)]);
        }
    })?;
    // Of a single element ddmin does not know whether it can go.
    if kept.len() > 1 {
        search.claim(Minimality::OneMinimal);
    }
    Ok(())
}
