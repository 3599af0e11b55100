//! Reduces a tree level by level, as far as a level is worth its tests.
//!
//! HDD looks at all of a level, however little it would save, and Picireny's hoisting (D. Vince, R.
//! Hodován, D. Bársony, Á. Kiss, "Extending Hierarchical Delta Debugging with Hoisting", AST 2021)
//! tries every nearest node of the same rule: a block of fifty others takes fifty tests where
//! pruning the list in it takes ten. Here a node waits until it is a fair share of the rest, or
//! until few nodes are left that could replace it, and is tried once.

use std::borrow::Cow;

use crate::reduce::algorithms::ddmin::TestsLeft;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::reduce::tree::lists::{Way, keep_needed_within};
use crate::reduce::tree::published::hdd::{Choice, levels};
use crate::reduce::tree::published::perses::replace_by_first;
use crate::reduce::tree::published::picireny::Prepared;
use crate::reduce::tree::shape::{Edit, Shape, With};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;
use seedsmith_grammar::internal::NO_NODE;

/// Deletes nodes level by level, those that save most first, and hoists.
///
/// The highest level comes first on which an element is a 32nd of the best. Cost: a walk over the
/// chunks of each level, over each node once, and up to three tests for each node that is left.
pub(crate) static LEVELS: Reducer = Reducer {
    name: Cow::Borrowed("levels"),
    description: Cow::Borrowed(
        "deletes nodes level by level, those that save most first, and hoists",
    ),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Linear,
    source: "HDD (Misherghi 2006), hoisting (Vince et al. 2021)",
    function: Function::Tree(|search, tree| prune_and_hoist(search, tree.shape, tree.tests_left())),
};

/// Nodes with more candidates for their place than these wait: halving a list is quicker. On a Lua
/// block 21 tests became 8 (note of 2026-11-21 on tree reducers).
const MAX_CANDIDATES_TO_HOIST: usize = 3;
/// A hoist, or all light elements of a level together, have to save this share of the best:
/// measured over 98 pairs together with [`LIGHT_DIVISOR`] (note of 2026-11-21 on tree reducers).
const FAIR_SHARE_DIVISOR: usize = 16;
/// An element that would save less than this share of the best is light.
const LIGHT_DIVISOR: usize = 32;

/// Prunes levels of squeezed chains by chunks, always the highest on which something is worth it,
/// and replaces a node by a nearest node of the same rule where only few are left.
///
/// Cost: [`keep_chunks`](crate::reduce::algorithms::chunks::keep_chunks) a level, over each node
/// once, and up to `MAX_CANDIDATES_TO_HOIST` tests for each node that stays.
pub(crate) fn prune_and_hoist(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    tests_left: TestsLeft<'_>,
) -> Result<(), Stopped> {
    let mut marks = Marks(vec![Mark::default(); shape.tree().len()]);
    while tests_left(search) > 0 {
        let highest = highest_worth_it(search, shape, &marks);
        let level = highest.as_ref().map_or(u32::MAX, |(level, _)| *level);
        let is_last = highest.is_none();
        if let Some((_, elements)) = highest {
            for &node in &elements {
                marks.0[node.index()].is_pruned = true;
            }
            let kept = keep_needed_within(search, shape, elements, Way::Chunks, tests_left)?;
            if let Some(new_of_old) = kept {
                marks.follow(shape, &new_of_old);
            }
        }
        let has_changed = hoist(search, shape, &mut marks, level, tests_left)?;
        if is_last && !has_changed {
            break;
        }
    }
    Ok(())
}

/// The steps that were tried on a node. Each is tried once, as the flat reducers look at all of it again.
#[derive(Clone, Copy, Default)]
struct Mark {
    is_pruned: bool,
    is_hoisted: bool,
}

/// The marks of a tree, by the index of the node.
struct Marks(Vec<Mark>);

impl Marks {
    /// Moves the marks to the nodes of the tree after an edit; new nodes have none.
    fn follow(&mut self, shape: &Shape<'_>, new_of_old: &[u32]) {
        let mut marks = vec![Mark::default(); shape.tree().len()];
        for (mark, &new) in self.0.iter().zip(new_of_old) {
            if new != NO_NODE {
                marks[new as usize] = *mark;
            }
        }
        self.0 = marks;
    }
}

/// The highest level with elements that are worth their tests, and these elements: all that weren't
/// tried, if the light ones together would save a fair share, else those that aren't light.
fn highest_worth_it(
    search: &Search<'_, '_>,
    shape: &Shape<'_>,
    marks: &Marks,
) -> Option<(u32, Vec<NodeId>)> {
    let choice = Prepared::default();
    let all = search.best().len();
    let saving =
        |node: NodeId| shape.text(node).len().saturating_sub(shape.replacement(node).len());
    let mut by_level: Vec<Vec<NodeId>> = Vec::new();
    for (id, level) in shape.tree().ids().zip(levels(shape, &choice)) {
        if !marks.0[id.index()].is_pruned && choice.is_element(shape, id) {
            let level = level as usize;
            by_level.resize_with(by_level.len().max(level + 1), Vec::new);
            by_level[level].push(id);
        }
    }
    for (level, mut elements) in (0..).zip(by_level) {
        let is_light = |node: NodeId| saving(node) * LIGHT_DIVISOR < all;
        let light: usize =
            elements.iter().copied().filter(|&node| is_light(node)).map(saving).sum();
        if light * FAIR_SHARE_DIVISOR < all {
            elements.retain(|&node| !is_light(node));
        }
        if !elements.is_empty() {
            return Some((level, elements));
        }
    }
    None
}

/// Tries the nodes down to a level that have few candidates for their place, those furthest up
/// first. Whether one was replaced.
fn hoist(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    marks: &mut Marks,
    lowest: u32,
    tests_left: TestsLeft<'_>,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut levels_now = levels(shape, &Prepared::default());
    while tests_left(search) > 0
        && let Some(edits) = first_with_few(search, shape, marks, &levels_now, lowest)
    {
        let node = edits[0].node;
        marks.0[node.index()].is_hoisted = true;
        let Some((edit, new_of_old)) = replace_by_first(search, shape, &edits)? else { continue };
        has_changed = true;
        levels_now = levels(shape, &Prepared::default());
        marks.follow(shape, &new_of_old);
        if let With::Node(inner) = edit.with {
            // It replaced a node that can't go.
            marks.0[new_of_old[inner.index()] as usize] =
                Mark { is_pruned: true, is_hoisted: false };
        }
    }
    Ok(has_changed)
}

/// The edits that replace the first node, from the top, that has few candidates of which
/// some would save a fair share of the best: the largest first, as it is the likeliest to hold the
/// part that matters.
fn first_with_few<'l>(
    search: &Search<'_, '_>,
    shape: &Shape<'l>,
    marks: &Marks,
    levels: &[u32],
    lowest: u32,
) -> Option<Vec<Edit<'l>>> {
    let choice = Prepared::default();
    let all = search.best().len();
    let is_fair =
        |node: NodeId, inner: usize| (shape.text(node).len() - inner) * FAIR_SHARE_DIVISOR >= all;
    let mut order: Vec<NodeId> = shape
        .tree()
        .ids()
        .filter(|id| levels[id.index()] <= lowest && !marks.0[id.index()].is_hoisted)
        .filter(|&id| is_fair(id, 0) && choice.has_level(shape, id))
        .collect();
    order.sort_by_key(|id| levels[id.index()]);
    let length = |edit: &Edit<'_>| match edit.with {
        With::Node(inner) => shape.text(inner).len(),
        With::Text(text) => text.len(),
    };
    order.into_iter().find_map(|node| {
        let mut edits: Vec<Edit<'l>> =
            choice.nearest(shape, node).take(MAX_CANDIDATES_TO_HOIST + 1).collect();
        if edits.len() > MAX_CANDIDATES_TO_HOIST {
            return None;
        }
        edits.retain(|edit| is_fair(node, length(edit)));
        edits.sort_by_key(|edit| std::cmp::Reverse(length(edit)));
        (!edits.is_empty()).then_some(edits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{Found, reduce_by};
    use crate::reduce::tree::tests::{LISTS, language, shape};

    fn reduce(input: &str, tests: usize, needed: &'static str) -> Found {
        let language = language(LISTS);
        let fails = move |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(needed);
        reduce_by(input.as_bytes(), fails, |search| {
            let mut shape = shape(&language, input.as_bytes());
            let tests_left =
                |search: &Search<'_, '_>| tests.saturating_sub(search.counts().tests as usize);
            prune_and_hoist(search, &mut shape, &tests_left)
        })
    }

    #[test]
    fn lists_around_what_matters_go() {
        let found = reduce("{ [1, (([x, [7, 93], 4]))] } let a = [5]; [6]", 99, "93");
        assert_eq!(String::from_utf8_lossy(&found.best), "{ [7, 93] }  ");
    }

    #[test]
    fn a_list_is_halved_before_its_elements_are_tried_in_its_place() {
        let elements: Vec<String> = (0..64).map(|n| format!("[a, b, [{n}]]")).collect();
        let input = format!("[{}]", elements.join(", "));
        let found = reduce(&input, 99, "[50]");
        assert_eq!(String::from_utf8_lossy(&found.best), "[50]");
        assert!(found.tests <= 30, "{} tests", found.tests);
    }

    #[test]
    fn no_more_tests_than_there_are_left_are_spent_by_much() {
        let input = format!("[{}]", vec!["[1, [2]]"; 64].join(", "));
        let found = reduce(&input, 8, "2");
        assert!(found.tests <= 8 + MAX_CANDIDATES_TO_HOIST as u64, "{} tests", found.tests);
    }
}
