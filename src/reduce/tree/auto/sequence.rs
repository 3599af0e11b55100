//! The default strategy's way along a parse tree: the white space, then the levels with hoisting,
//! then parts by smaller ones of their own, then what long tokens hold.
//!
//! Whole parts go before anything else is looked at closely, and what is left is valid where the
//! input was. What a tree can't see (parts that only go together, shorter ways to write the same)
//! is left to the flat reducers, which finish on a short rest.

use crate::reduce::auto::rounds::Spent;
use crate::reduce::tree::auto::descent::prune_and_hoist;
use crate::reduce::tree::auto::tokens::shorten_tokens;
use crate::reduce::tree::hidden;
use crate::reduce::tree::hidden::Which;
use crate::reduce::tree::published::perses::perses_within;
use crate::reduce::tree::shape::Shape;
use crate::search::Search;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::grammar::substitutes::Substitutes;

/// Trees deeper than this are left alone: a level takes a walk over all nodes, and what is nested
/// so deeply repeats.
const DEEP: usize = 400;
/// A tree of more nodes than this is worth its walks only if less than one byte in `SOUND` lies in
/// error nodes.
const LARGE: usize = 50_000;
const SOUND: usize = 4;
/// Tests that may go by without anything to show for them.
const PATIENCE: usize = 32;
/// Bytes that have to go for each test beyond these.
const WORTH_A_TEST: usize = 16;

/// Reduces the best along its tree, if it has one worth the name. Cost: one walk over chunks
/// of a level as long as it pays, one for the white space, and some tests for each part that is left.
///
/// Tells whether the tree is sound: most of it isn't in error nodes.
pub fn reduce(search: &mut Search<'_, '_>, language: &Substitutes) -> Result<bool, Stopped> {
    let source = search.best().to_vec();
    let mut parser = language.parser();
    let parsed = match language.parse_while(&mut parser, &source, &search.keep_going()) {
        Ok(parsed) => parsed,
        Err(error) => {
            search.note(&format!("no tree ({error}): going on without"));
            return Ok(false);
        }
    };
    let is_sound = parsed.tree.error_bytes() * SOUND <= source.len();
    let is_guesswork = parsed.tree.len() > LARGE && !is_sound;
    if is_guesswork || parsed.tree.height() > DEEP {
        return Ok(false);
    }
    let (spent, bytes) = (Spent::from_here(search), source.len());
    let tests_left = |search: &Search<'_, '_>| {
        let earned = PATIENCE + bytes.saturating_sub(search.best().len()) / WORTH_A_TEST;
        earned.saturating_sub(spent.calls(search) as usize)
    };
    let mut shape = Shape::new(language, parser, source, parsed.tree);
    // Where it doesn't matter, one test gets rid of all of it, and every size comes sooner.
    if is_sound {
        search.run("white space", |search| hidden::drop_at_once(search, &mut shape))?;
    }
    search.run("levels", |search| prune_and_hoist(search, &mut shape, &tests_left))?;
    search.run("white space", |search| {
        hidden::drop_needless(search, &mut shape, Which::AllButSeparators)
    })?;
    search.run("perses", |search| perses_within(search, &mut shape, &tests_left).map(|_| ()))?;
    search.run("tokens' insides", |search| shorten_tokens(search, language))?;
    Ok(is_sound)
}
