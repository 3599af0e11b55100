//! Picireny: HDD* over a tree that was made ready for it.
//!
//! R. Hodován and Á. Kiss, "Modernizing Hierarchical Delta Debugging" (A-TEST 2016); with
//! T. Gyimóthy, "Tree Preprocessing and Test Outcome Caching" (AST 2017) and "Coarse Hierarchical
//! Delta Debugging" (ICSME 2017); D. Vince, R. Hodován, D. Bársony, Á. Kiss, "Extending
//! Hierarchical Delta Debugging with Hoisting" (AST 2021). Each repetition of a quantified part is
//! a child of its rule and is replaced by nothing; a node with a single child that would be written
//! the same is merged with that child; nodes whose text is their replacement aren't tried; the
//! coarse phase only tries nodes that can be deleted; hoisting, after the pruning of each level,
//! puts the nearest nodes of the same rule in a node's place.
//!
//! The published program also empties the only iteration of a `+`, which no longer parses; here
//! the least text of one iteration stays. And it tries replacements that aren't simpler than the
//! node that they replace, which is only possible for given ones; here these are not tried.

use std::borrow::Cow;

use crate::reduce::choices::PicirenySteps;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::reduce::tree::hidden::write_gaps_anew;
use crate::reduce::tree::lists::{keep_needed, moved};
use crate::reduce::tree::published::flatten::flattened;
use crate::reduce::tree::published::hdd::{Choice, hdd_star, hddr};
use crate::reduce::tree::published::perses::replace_by_first;
use crate::reduce::tree::shape::{Edit, Shape, With};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::{NO_NODE, SEPARATOR};
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// HDD* over a tree made ready for it, with the steps of --picireny (--strategy picireny).
///
/// Chains of single nodes count as one, repetitions can go to nothing. Cost: that of
/// [`HDD_STAR`](super::hdd::HDD_STAR) over fewer nodes; hoisting adds a test for each nearest node of
/// the same rule.
pub(crate) static PICIRENY: Reducer = Reducer {
    name: Cow::Borrowed("picireny"),
    description: Cow::Borrowed(
        "HDD* over a tree made ready for it, with the steps of --picireny (--strategy picireny)",
    ),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Hodovan and Kiss, Picireny, A-TEST 2016",
    function: Function::Tree(|search, tree| picireny(search, tree.shape, tree.picireny)),
};

impl PicirenySteps {
    /// The tree of the input as these steps want it.
    pub fn prepared(self, tree: Tree) -> Tree {
        if self.flatten { flattened(&tree) } else { tree }
    }
}

/// Picireny with the steps chosen, over a shape of a [prepared](PicirenySteps::prepared) tree.
///
/// White space is rewritten first, in one test; then come the coarse phase, if it is chosen, and
/// the full one, each to its fixpoint. Cost: that of HDD* for each phase.
pub(crate) fn picireny(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    steps: PicirenySteps,
) -> Result<(), Stopped> {
    if steps.white_space && !steps.hidden_tokens {
        if write_gaps_anew(search, shape)? {
            shape.drop_gaps_too();
        } else {
            search.note("with white space written anew the input doesn't fail: it stays as it is");
        }
    }
    for is_coarse in [true, false] {
        if is_coarse && !steps.coarse {
            continue;
        }
        let phase = Prepared { is_coarse, hoists: steps.hoist, has_hidden: steps.hidden_tokens };
        match steps.recursive {
            true => hddr(search, shape, &phase)?,
            false => hdd_star(search, shape, &phase)?,
        }
    }
    Ok(())
}

/// The nodes that Picireny tries, and the steps that it takes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prepared {
    /// Only nodes that can be deleted.
    pub is_coarse: bool,
    /// Hoisting after pruning.
    pub hoists: bool,
    /// Hidden tokens are nodes, too.
    pub has_hidden: bool,
}

impl Choice for Prepared {
    fn is_element(&self, shape: &Shape<'_>, node: NodeId) -> bool {
        let can_go = match shape.tree().node(node).kind {
            // It replaces hidden text that was already deleted.
            NodeKind::Trivia(SEPARATOR) => false,
            NodeKind::Trivia(_) => !shape.is_settled(node) && !shape.text(node).is_empty(),
            _ => shape.can_go(node),
        };
        can_go
            && self.has_level(shape, node)
            && (!self.is_coarse || shape.replacement(node).is_empty())
    }

    fn has_level(&self, shape: &Shape<'_>, node: NodeId) -> bool {
        let kind = shape.tree().node(node).kind;
        match kind {
            NodeKind::Quantifier(_) => return false,
            NodeKind::Trivia(_) => return self.has_hidden,
            _ => {}
        }
        let is_squeezed = |child| shape.replacement(child) == shape.replacement(node);
        shape.is_settled(node) || !self.only_child(shape, node).is_some_and(is_squeezed)
    }

    fn reduce(
        &self,
        search: &mut Search<'_, '_>,
        shape: &mut Shape<'_>,
        mut nodes: Vec<NodeId>,
    ) -> Result<Option<Vec<u32>>, Stopped> {
        nodes.retain(|&node| !self.is_coarse || self.is_element(shape, node));
        let elements = nodes.iter().copied().filter(|&node| self.is_element(shape, node)).collect();
        let pruned = keep_needed(search, shape, elements)?;
        if !self.hoists {
            return Ok(pruned);
        }
        if let Some(new_of_old) = &pruned {
            nodes = moved(&nodes, new_of_old);
        }
        let hoisted = self.hoist(search, shape, nodes)?;
        Ok(match (pruned, hoisted) {
            (Some(first), Some(second)) => Some(joined(first, &second)),
            (first, second) => first.or(second),
        })
    }
}

impl Prepared {
    /// Puts nearest nodes of the same rule in the place of these nodes as long as one fails. Where
    /// the nodes of the tree before are now (a node that was replaced: where the other is).
    fn hoist(
        &self,
        search: &mut Search<'_, '_>,
        shape: &mut Shape<'_>,
        mut nodes: Vec<NodeId>,
    ) -> Result<Option<Vec<u32>>, Stopped> {
        let mut all: Option<Vec<u32>> = None;
        loop {
            let edits: Vec<Edit<'_>> =
                nodes.iter().flat_map(|&node| self.nearest(shape, node)).collect();
            let Some((edit, mut new_of_old)) = replace_by_first(search, shape, &edits)? else {
                return Ok(all);
            };
            if let With::Node(inner) = edit.with {
                new_of_old[edit.node.index()] = new_of_old[inner.index()];
            }
            nodes = moved(&nodes, &new_of_old);
            all = Some(match all {
                Some(before) => joined(before, &new_of_old),
                None => new_of_old,
            });
        }
    }

    /// The one child of a node that Picireny sees: no hidden text unless hidden tokens are nodes,
    /// nothing empty, and repetitions instead of the quantified part around them.
    fn only_child(&self, shape: &Shape<'_>, node: NodeId) -> Option<NodeId> {
        let tree = shape.tree();
        let is_seen = |id: &NodeId| {
            let is_hidden = matches!(tree.node(*id).kind, NodeKind::Trivia(_));
            (self.has_hidden || !is_hidden) && !tree.span(*id).is_empty()
        };
        let only = |node| {
            let mut seen = tree.children(node).iter().copied().filter(is_seen);
            seen.next().filter(|_| seen.next().is_none())
        };
        let child = only(node)?;
        match tree.node(child).kind {
            NodeKind::Quantifier(_) => only(child),
            _ => Some(child),
        }
    }

    /// The nodes of a node's own rule inside it that aren't inside another such, and are shorter.
    pub(crate) fn nearest<'s, 'l>(
        &'s self,
        shape: &'s Shape<'l>,
        node: NodeId,
    ) -> impl Iterator<Item = Edit<'l>> + 's {
        let tree = shape.tree();
        let rule = tree.rule(node).filter(|_| !shape.is_settled(node));
        let length = shape.text(node).len();
        let children = |id| tree.children(id).iter().rev().copied();
        let mut todo: Vec<NodeId> = rule.map_or(Vec::new(), |_| children(node).collect());
        std::iter::from_fn(move || {
            while let Some(id) = todo.pop() {
                if tree.rule(id) != rule || !self.has_level(shape, id) {
                    todo.extend(children(id));
                } else if shape.text(id).len() < length {
                    return Some(Edit { node, with: With::Node(id) });
                }
            }
            None
        })
    }
}

/// Two maps from old to new nodes as one.
fn joined(first: Vec<u32>, second: &[u32]) -> Vec<u32> {
    let further = |new: u32| if new == NO_NODE { NO_NODE } else { second[new as usize] };
    first.into_iter().map(further).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::testing::{Found, reduce_by};
    use crate::reduce::tree::tests::{EXPRESSION, LISTS, language, shape};
    use crate::reduce::{Options, Strategy, minimize};
    use seedsmith_grammar::internal::Substitutes;
    use seedsmith_grammar::internal::{Islands, IslandsFile};

    fn reduce(
        grammar: &str,
        input: &[u8],
        steps: PicirenySteps,
        fails: impl Fn(&[u8]) -> bool + 'static,
    ) -> Found {
        let language = language(grammar).in_written_order();
        reduce_by(input, fails, |search| {
            let whole = shape(&language, input);
            let tree = steps.prepared(whole.tree().clone());
            let mut shape = Shape::new(&language, language.parser(), input.to_vec(), tree);
            picireny(search, &mut shape, steps)
        })
    }

    fn has(text: &str) -> impl Fn(&[u8]) -> bool + 'static {
        let text = text.as_bytes().to_vec();
        move |bytes| bytes.windows(text.len()).any(|part| part == text)
    }

    #[test]
    fn flattened_recursion_goes_to_nothing() {
        let grammar = "grammar P; s: p EOF; p: N | N ',' p; N: [0-9];";
        let flat = PicirenySteps { flatten: true, ..PicirenySteps::default() };
        let as_stood = reduce(grammar, b"1,2,9,4,5", PicirenySteps::default(), has("9"));
        assert_eq!(String::from_utf8_lossy(&as_stood.best), "0,0,9,0");
        let flattened = reduce(grammar, b"1,2,9,4,5", flat, has("9"));
        assert_eq!(String::from_utf8_lossy(&flattened.best), "9,0");
    }

    #[test]
    fn white_space_is_written_by_kind_and_goes_with_what_it_stands_in_front_of() {
        let steps = PicirenySteps { white_space: true, ..PicirenySteps::default() };
        let input = b"  [ 1,\n\n  2 , # note\n 93,7] { [x]  let y =\t8 ; } ";
        for (needed, result) in
            [("93", "[ a ,\n93]"), ("8", " { let a = 8 ; }"), ("note", "  [ a , # note\n a]  ")]
        {
            let found = reduce(LISTS, input, steps, has(needed));
            assert_eq!(String::from_utf8_lossy(&found.best), result);
        }
    }

    #[test]
    fn hidden_tokens_are_nodes_if_that_is_asked_for() {
        let input = b"  [ 1,\n\n  2 , # note\n 93,7] { [x]  let y =\t8 ; } ";
        let hidden =
            PicirenySteps { hidden_tokens: true, white_space: true, ..PicirenySteps::default() };
        for (needed, as_it_stood, result) in [
            ("93", "  [ a , # note\n 93]  ", "[a,93]"),
            ("note", "  [ a , # note\n a]  ", "[a,# note\na]"),
            // White space between words is kept.
            ("8", "   {   let a =\t8 ; } ", "{let a=8;}"),
        ] {
            let found = reduce(LISTS, input, PicirenySteps::default(), has(needed));
            assert_eq!(String::from_utf8_lossy(&found.best), as_it_stood);
            let found = reduce(LISTS, input, hidden, has(needed));
            assert_eq!(String::from_utf8_lossy(&found.best), result);
        }
    }

    #[test]
    fn least_texts_are_those_that_are_written_first() {
        // As both ends are written alike, they have to go together, and the arrow with them.
        let grammar = "grammar D; s: e EOF; e: n r; r: o n; o: '->' | '--'; n: ID | NUMBER;
            ID: [a-z]+; NUMBER: [0-9]+; WS: [ \\t\\n]+ -> skip;";
        let fails = |text: &[u8]| {
            let text = String::from_utf8_lossy(text).into_owned();
            text.split_once("->").is_some_and(|(from, to)| from.trim() == to.trim())
        };
        let found = reduce(grammar, b"self->self", PicirenySteps::default(), fails);
        assert_eq!(String::from_utf8_lossy(&found.best), "a->a");
    }

    #[test]
    fn hoisting_goes_level_by_level_behind_pruning() {
        let hoist = PicirenySteps { hoist: true, ..PicirenySteps::default() };
        let text = b"((1+(2*3))/(2-2))+(3*5)";
        let found = reduce(EXPRESSION, text, hoist, has("2-2"));
        assert_eq!(String::from_utf8_lossy(&found.best), "2-2");
        let without = reduce(EXPRESSION, text, PicirenySteps::default(), has("2-2"));
        assert_eq!(String::from_utf8_lossy(&without.best), "(0/(2-2))+0");
    }

    #[test]
    fn an_island_is_reduced_along_its_own_tree() {
        let entries = "grammar K; s: entry* EOF; entry: NAME '=' TEXT; NAME: [a-z]+;
            TEXT: '\\'' ~'\\''* '\\''; WS: [ \\n]+ -> skip;";
        let islands = r#"{"grammars": {"": {"islands": {"TEXT": "'(?P<json:document>.*)'"}},
            "json": {"files": ["json"]}}}"#;
        let format = IslandsFile::of_text("islands", islands, std::path::Path::new("")).unwrap();
        let main = language(entries);
        let islands = Islands::load(&format, &main.parser()).unwrap();
        let language = Arc::new(Substitutes::clone(&main).with_islands(islands));
        let input = br#"a='x' bc = '[1, {"x": [2, 87, true]}, 3]' d='[]'"#;
        for (hoist, result) in [(false, r#"a='[0,{"":[0,87]}]'"#), (true, "a='[0,87]'")] {
            let options = Options {
                strategy: Strategy::Picireny,
                language: Some(language.clone()),
                picireny: PicirenySteps { hoist, ..PicirenySteps::default() },
                ..Options::default()
            };
            let found = reduce_by(input, has("87"), |search| minimize(search, &options));
            assert_eq!(String::from_utf8_lossy(&found.best), result);
        }
    }

    #[test]
    fn recursive_descent_ends_as_the_levels_do() {
        let recursive = PicirenySteps { recursive: true, ..PicirenySteps::default() };
        let input = b"{ [1, 2, [x, 93], 4] } let a = [5]; [6]";
        let levels = reduce(LISTS, input, PicirenySteps::default(), has("93"));
        let found = reduce(LISTS, input, recursive, has("93"));
        assert_eq!(levels.best, found.best);
        assert_eq!(String::from_utf8_lossy(&found.best), "{ [a, [a, 93]] }  ");
    }
}
