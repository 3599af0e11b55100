//! The default strategy's way along a parse tree: the white space, then the levels with hoisting,
//! then parts by smaller ones inside them, then the insides of long tokens.
//!
//! Whole parts are deleted before anything is tried closely, and the rest is valid if the input
//! was. Steps that a tree does not show (parts that can only be deleted together, shorter ways to
//! write the same) are left to the flat reducers, which then work on a short input.

use crate::reduce::choices::PicirenySteps;
use crate::reduce::context::Look;
use crate::reduce::counts_at_start::CountsAtStart;
use crate::reduce::reducer::Reducer;
use crate::reduce::selection::Selection;
use crate::reduce::tree::auto::descent::LEVELS;
use crate::reduce::tree::auto::tokens::TOKEN_INSIDES;
use crate::reduce::tree::hidden::WHITE_SPACE;
use crate::reduce::tree::published::perses::PERSES;
use crate::reduce::tree::shape::Shape;
use crate::reduce::tree::state::TreeState;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Substitutes;

/// Trees of more levels are left alone: a level takes a walk over all nodes, and inputs that are
/// nested so deeply are repetitive (note of 2026-11-21 on tree reducers).
const MAX_TREE_LEVELS: usize = 400;
/// A tree of more nodes than this is worth its walks only if less than one byte in
/// [`SOUND_DIVISOR`] is in error nodes. A guess at a number that takes seconds; not measured.
const MAX_UNSOUND_NODES: usize = 50_000;
/// A tree is sound if no more than one byte in this many is in error nodes. A guess; not measured.
const SOUND_DIVISOR: usize = 4;
/// Tests along a tree that need not make the best smaller. A guess; not measured.
const MIN_TREE_TESTS: usize = 32;
/// Bytes that have to go for each test beyond these. A guess: steps that save less are found by the
/// flat reducers in as many tests; not measured.
const BYTES_PER_TEST: usize = 16;

/// A reducer and how it is run along the tree.
pub(crate) struct Step {
    /// The reducer.
    pub reducer: &'static Reducer,
    look: Look,
    /// Whether it runs only if most of the tree is in no error node.
    needs_sound_tree: bool,
}

const fn step(reducer: &'static Reducer, look: Look) -> Step {
    Step { reducer, look, needs_sound_tree: false }
}

/// The reducers that run along the tree, in order. All of them change one tree.
pub(crate) static STEPS: [Step; 5] = [
    // If white space doesn't matter, one test deletes all of it, and every later size is reached
    // sooner.
    Step { reducer: &WHITE_SPACE, look: Look::First, needs_sound_tree: true },
    step(&LEVELS, Look::Close),
    step(&WHITE_SPACE, Look::Close),
    step(&PERSES, Look::Close),
    step(&TOKEN_INSIDES, Look::Close),
];

/// Whether any of the [`STEPS`] may run.
pub(crate) fn is_any_on(selection: &Selection) -> bool {
    STEPS.iter().any(|step| selection.runs(&step.reducer.name))
}

/// Reduces the best along its tree, if it has one worth the name. Cost: one walk over chunks
/// of a level as long as it pays, one for the white space, and some tests for each part that is left.
///
/// Tells whether the tree is sound: most of it isn't in error nodes.
pub(crate) fn reduce(
    search: &mut Search<'_, '_>,
    language: &Substitutes,
    selection: &Selection,
) -> Result<bool, Stopped> {
    if !is_any_on(selection) {
        return Ok(false);
    }
    let source = search.best().to_vec();
    let mut parser = language.parser();
    let parsed = match language.parse_while(&mut parser, &source, &search.keep_going()) {
        Ok(parsed) => parsed,
        Err(error) => {
            search.note(&format!("no tree ({error}): going on without"));
            return Ok(false);
        }
    };
    let is_sound = parsed.tree.error_bytes() * SOUND_DIVISOR <= source.len();
    let is_guesswork = parsed.tree.len() > MAX_UNSOUND_NODES && !is_sound;
    if is_guesswork || parsed.tree.height() > MAX_TREE_LEVELS {
        return Ok(false);
    }
    let (start, bytes) = (CountsAtStart::of(search), source.len());
    let tests_left = |search: &Search<'_, '_>| {
        let earned = MIN_TREE_TESTS + bytes.saturating_sub(search.best().len()) / BYTES_PER_TEST;
        earned.saturating_sub(start.calls_since(search) as usize)
    };
    let mut shape = Shape::new(language, parser, source, parsed.tree);
    let skipped = search.skipped();
    for step in STEPS.iter().filter(|step| is_sound || !step.needs_sound_tree) {
        if selection.runs(&step.reducer.name) {
            let mut tree = TreeState {
                shape: &mut shape,
                look: step.look,
                limit: Some(&tests_left),
                picireny: PicirenySteps::default(),
            };
            step.reducer.run_along(search, &mut tree)?;
            if search.skipped() > skipped {
                // The tree may be between two states.
                break;
            }
        }
    }
    Ok(is_sound)
}
