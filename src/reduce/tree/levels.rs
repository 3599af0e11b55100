//! Level by level with hoisting where few could take a node's place: the default strategy's way.
//!
//! Picireny's hoisting (D. Vince, R. Hodován, D. Bársony, Á. Kiss, "Extending Hierarchical Delta
//! Debugging with Hoisting", AST 2021) tries every nearest node of the same rule behind the pruning
//! of a level: a block of fifty others takes fifty tests where pruning the list in it takes ten. So
//! a node waits until few are left in it, and is then looked at again from there.

use super::hdd::{Choice, nodes_on};
use super::lists::{keep_needed_within, moved};
use super::perses::replace_by_first;
use super::picireny::Prepared;
use super::shape::{Edit, Shape, With};
use crate::oracle::Stopped;
use crate::reduce::ddmin::TestsLeft;
use crate::search::Search;
use crate::structure::tree::NodeId;

/// Nodes with more candidates for their place than these wait: halving a list is quicker.
const FEW: usize = 3;
/// A hoist that would save less than this share of the best is left to those that look closely.
const WORTH_IT: usize = 16;

/// Prunes each level of squeezed chains by ddmin, from the top, and puts a nearest node of its own
/// rule in a node's place as soon as only few are left. Cost: a ddmin a level, and up to `FEW`
/// tests for each node that stays.
pub fn prune_and_hoist(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    tests_left: TestsLeft<'_>,
) -> Result<(), Stopped> {
    let choice = Prepared::default();
    let mut level = 0;
    let mut waiting = Waiting::default();
    while tests_left(search) > 0
        && let Some(mut nodes) = nodes_on(shape, &choice, level)
    {
        let elements: Vec<NodeId> =
            nodes.iter().copied().filter(|&node| choice.is_element(shape, node)).collect();
        if let Some(new_of_old) = keep_needed_within(search, shape, elements, tests_left)? {
            nodes = moved(&nodes, &new_of_old);
            waiting.follow(&new_of_old);
        }
        waiting.0.push((level, nodes));
        level = match waiting.hoist(search, shape, &choice, tests_left)? {
            Some(highest) => highest + 1,
            None => level + 1,
        };
    }
    Ok(())
}

/// Nodes that nothing was put in the place of yet, by level, from the top.
#[derive(Default)]
struct Waiting(Vec<(u32, Vec<NodeId>)>);

impl Waiting {
    /// Where the nodes are after an edit.
    fn follow(&mut self, new_of_old: &[u32]) {
        for (_, nodes) in &mut self.0 {
            *nodes = moved(nodes, new_of_old);
        }
    }

    /// Tries the nodes that have few candidates, those furthest up first; the level of the first
    /// that was replaced. What stood below it is on other levels then and waits no more.
    fn hoist(
        &mut self,
        search: &mut Search<'_, '_>,
        shape: &mut Shape<'_>,
        choice: &Prepared,
        tests_left: TestsLeft<'_>,
    ) -> Result<Option<u32>, Stopped> {
        for at in 0..self.0.len() {
            let level = self.0[at].0;
            let mut has_changed = false;
            let mut todo = std::mem::take(&mut self.0[at].1);
            todo.reverse();
            while let Some(node) = todo.pop() {
                let mut edits = choice.nearest(shape, node);
                if edits.len() > FEW {
                    self.0[at].1.push(node);
                    continue;
                }
                worthwhile(search, shape, &mut edits);
                edits.truncate(tests_left(search));
                let Some((edit, new_of_old)) = replace_by_first(search, shape, &edits)? else {
                    continue;
                };
                has_changed = true;
                todo = moved(&todo, &new_of_old);
                self.follow(&new_of_old);
                if let With::Node(inner) = edit.with {
                    todo.extend(moved(&[inner], &new_of_old));
                }
            }
            if has_changed {
                self.0.truncate(at + 1);
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
}

/// Leaves out edits that save little, and puts what holds most first: it is the likeliest to hold
/// what matters.
fn worthwhile(search: &Search<'_, '_>, shape: &Shape<'_>, edits: &mut Vec<Edit<'_>>) {
    let length = |edit: &Edit<'_>| match edit.with {
        With::Node(inner) => shape.text(inner).len(),
        With::Text(text) => text.len(),
    };
    let all = search.best().len();
    edits.retain(|edit| (shape.text(edit.node).len() - length(edit)) * WORTH_IT >= all);
    edits.sort_by_key(|edit| std::cmp::Reverse(length(edit)));
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
        assert_eq!(String::from_utf8_lossy(&found.best), "{ [0, 93] }  ");
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
        assert!(found.tests <= 8 + FEW as u64, "{} tests", found.tests);
    }
}
