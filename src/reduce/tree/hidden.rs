//! Drops hidden text (white space and comments), where it doesn't matter.
//!
//! An unchanged shape is the input, with its hidden text. So hidden text is dropped by separate
//! tests: first all of it at once, which is one test if it doesn't matter; and leaf by leaf when
//! the rest is small, if the failure needs some of it.

use std::borrow::Cow;

use super::lists::keep_needed;
use super::shape::Shape;
use super::state::TreeState;
use crate::reduce::context::Look;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

/// Deletes white space and comments.
///
/// All of it at once, if the failure allows that; else, later, leaf by leaf. Cost: at most three tests
/// at first, then a ddmin over the leaves.
pub(crate) static WHITE_SPACE: Reducer = Reducer {
    name: Cow::Borrowed("white-space"),
    description: Cow::Borrowed("deletes white space and comments"),
    activity: "deleting white space",
    needs: &[Need::Tree],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Tree(drop_hidden),
};

/// Drops hidden text: at the first look all at once, then leaf by leaf. If flat reducers run
/// afterwards, separators are left to them; else hidden text that cannot be dropped is written as
/// newlines and blanks.
fn drop_hidden(search: &mut Search<'_, '_>, tree: &mut TreeState<'_, '_>) -> Result<(), Stopped> {
    match (tree.look, tree.is_default()) {
        (Look::First, true) => drop_at_once(search, tree.shape).map(|_| ()),
        (Look::First, false) => drop_or_write_anew(search, tree.shape),
        (_, true) => drop_needless(search, tree.shape, Which::AllButSeparators),
        (_, false) => drop_needless(search, tree.shape, Which::All),
    }
}

/// Which of the leaves that the parser doesn't see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All of them.
    All,
    /// All but those that are the shortest separator already.
    AllButSeparators,
}

/// Drops all hidden text at once, else all but the separators, else
/// nothing; whether anything went. Cost: up to 2 tests.
pub(crate) fn drop_at_once(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
) -> Result<bool, Stopped> {
    for which in [Which::All, Which::AllButSeparators] {
        let edits = shape.drop_nodes(&hidden(shape, which));
        let mut without = Vec::new();
        shape.render(&edits, &mut without);
        if without.len() == shape.source().len() {
            continue;
        }
        if search.fails(&without)? {
            shape.accept(&edits);
            return Ok(true);
        }
    }
    Ok(false)
}

/// The same; where that passes, writes each stretch as a newline, if it has one, or a blank. That
/// removes comments and keeps the lines. Cost: up to 3 tests.
pub(crate) fn drop_or_write_anew(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
) -> Result<(), Stopped> {
    if !drop_at_once(search, shape)? {
        write_gaps_anew(search, shape)?;
    }
    Ok(())
}

/// Writes each stretch of hidden text as a newline or a blank, and nothing at the ends; whether
/// that fails. Cost: 1 test, none where it is written like that already.
pub(crate) fn write_gaps_anew(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
) -> Result<bool, Stopped> {
    let edits = shape.gaps_anew();
    let mut candidate = Vec::new();
    shape.render(&edits, &mut candidate);
    let is_accepted = candidate == shape.source() || search.fails(&candidate)?;
    if is_accepted {
        shape.accept(&edits);
    }
    Ok(is_accepted)
}

/// Drops hidden text, all of it if possible, else leaf by leaf; where two tokens would run together
/// the shortest separator stays.
pub(crate) fn drop_needless(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    which: Which,
) -> Result<(), Stopped> {
    drop_at_once(search, shape)?;
    let hidden = hidden(shape, which);
    keep_needed(search, shape, hidden)?;
    Ok(())
}

/// Whether the parser doesn't see some of the text.
pub(crate) fn has_hidden(shape: &Shape<'_>) -> bool {
    shape.leaves().iter().any(|leaf| !leaf.is_seen)
}

fn hidden(shape: &Shape<'_>, which: Which) -> Vec<NodeId> {
    let separator = shape.substitutes().separator();
    let is_hidden = |id: &NodeId| {
        let text = shape.text(*id);
        matches!(shape.tree().node(*id).kind, NodeKind::Trivia(_))
            && !text.is_empty()
            && (which == Which::All || text != separator)
    };
    shape.tree().leaves().filter(is_hidden).collect()
}
