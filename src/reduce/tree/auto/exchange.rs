//! Ways out of a local minimum that a tree shows: parts exchanged for others of their kind.
//!
//! When nothing can go, something may still be written in another way: a name by another name of
//! the input, one occurrence or all, so that its declaration isn't needed any more; a subtree by
//! one from elsewhere; a node by another alternative of its rule. Z. Xu, Y. Tian, M. Zhang,
//! G. Zhao, Y. Jiang, C. Sun: "Pushing the Limit of 1-Minimality of Language-Agnostic Program
//! Reduction" (Vulcan, OOPSLA 2023); the last of the three is ours.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::context::{Context, Look};
use crate::reduce::needs::{Cost, Need};
use crate::reduce::polish::polisher::max_lucky_tests;
use crate::reduce::reducer::{Function, Reducer};
use crate::reduce::tree::auto::rewrite;
use crate::reduce::tree::compatible::Compatible;
use crate::reduce::tree::shape::{Edit, Shape, With};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::order;
use seedsmith_grammar::{NodeId, NodeKind};

/// Puts simpler parts of their kind in the place of parts: names, subtrees, other alternatives.
///
/// A name that is not used any more can then be deleted. Bests of more than 2 KB are left alone.
/// Cost: at most the square of the nodes in tests, within the tests that the round allows.
pub(crate) static EXCHANGE: Reducer = Reducer {
    name: Cow::Borrowed("exchange"),
    description: Cow::Borrowed(
        "puts simpler parts of their kind in the place of parts: names, subtrees, other alternatives",
    ),
    activity: "replacing bytes",
    needs: &[Need::Tree],
    cost: Cost::Limited,
    source: "Xu et al., Vulcan, OOPSLA 2023; alternatives from here",
    function: Function::Flat(exchange_parts),
};

/// The budget for exchanging parts if tests are cheap, in tests of short candidates, each time. A
/// guess at the cost of deletion; not measured.
const MAX_CHEAP_WORK: u64 = 2_000;

/// If tests are expensive, one in this many tests of the round may be used for exchanging parts at
/// first. With 6 an XML file took 285 tests instead of 191: many small steps were needed where an
/// exchange was missed.
const CALLS_PER_EXCHANGE: u64 = 4;

/// Exchanges parts within the tests that the round allows for it.
fn exchange_parts(search: &mut Search<'_, '_>, context: &mut Context) -> Result<(), Stopped> {
    let given = match context.look {
        Look::First => context.start.calls_since(search) / CALLS_PER_EXCHANGE,
        _ if context.scope.are_tests_expensive => max_lucky_tests(context.start, search),
        _ => MAX_CHEAP_WORK,
    };
    let Some(language) = context.substitutes() else { return Ok(()) };
    exchange(search, language, &mut Allowance::new(given)).map(|_| ())
}

/// Bests longer than this have too much to exchange: candidates grow with the square of the nodes.
/// A guess; not measured.
const MAX_EXCHANGE_BYTES: usize = 2048;

/// Exchanges parts for simpler ones until none fails, within the allowance; whether one did.
///
/// Cost: at most `n²` tests a round for `n` nodes, the largest gain first; a parse a round.
/// Without a tree, nothing.
pub(crate) fn exchange(
    search: &mut Search<'_, '_>,
    language: &Substitutes,
    allowance: &mut Allowance,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    loop {
        let best = search.best().to_vec();
        if best.len() > MAX_EXCHANGE_BYTES {
            return Ok(has_changed);
        }
        let mut parser = language.parser();
        let parsed = language.parse_while(&mut parser, &best, &search.keep_going());
        let Ok(parsed) = parsed else { return Ok(has_changed) };
        let shape = Shape::new(language, parser, best, parsed.tree);
        let exchanges = exchanges(&shape);
        let mut ahead = exchanges.iter();
        let is_accepted = allowance.first(search, |buffer| {
            loop {
                let (nodes, text) = ahead.next()?;
                let edits: Vec<_> =
                    nodes.iter().map(|&node| Edit { node, with: With::Text(text) }).collect();
                buffer.clear();
                shape.render(&edits, buffer);
                // Separators can take more than an exchange gives.
                if order::is_simpler(buffer, shape.source()) {
                    return Some(());
                }
            }
        })?;
        if !is_accepted {
            return Ok(has_changed);
        }
        has_changed = true;
    }
}

/// Nodes and the text that replaces each of them, the largest gain first.
fn exchanges(shape: &Shape<'_>) -> Vec<(Vec<NodeId>, Vec<u8>)> {
    let tree = shape.tree();
    let index = Compatible::new(tree);
    let mut tokens: BTreeMap<u32, BTreeMap<&[u8], Vec<NodeId>>> = BTreeMap::new();
    let mut found = Vec::new();
    for id in tree.ids().filter(|&id| !shape.text(id).is_empty()) {
        let text = shape.text(id);
        match tree.node(id).kind {
            NodeKind::Token(token) => {
                tokens.entry(token).or_default().entry(text).or_default().push(id);
            }
            NodeKind::Rule { .. } | NodeKind::Iteration | NodeKind::Quantifier(_) => {
                let mut texts: Vec<Vec<u8>> = index
                    .anywhere(shape, id)
                    .into_iter()
                    .map(|other| shape.text(other).to_vec())
                    .collect();
                texts.extend(rewrite::alternatives(shape, id));
                texts.retain(|other| order::is_simpler(other, text));
                texts.sort_by(|left, right| order::compare(left, right));
                texts.dedup();
                found.extend(texts.into_iter().map(|other| (vec![id], other)));
            }
            _ => {}
        }
    }
    for texts in tokens.values() {
        for (text, nodes) in texts {
            for other in texts.keys().filter(|other| order::is_simpler(other, text)) {
                found.push((nodes.clone(), other.to_vec()));
                if nodes.len() > 1 {
                    found.extend(nodes.iter().map(|&node| (vec![node], other.to_vec())));
                }
            }
        }
    }
    let gain = |(nodes, text): &(Vec<NodeId>, Vec<u8>)| {
        nodes.iter().map(|&node| shape.text(node).len() - text.len()).sum::<usize>()
    };
    // The nodes of a chain have one text, and mostly the same texts may replace them.
    let mut met = BTreeSet::new();
    found.retain(|(nodes, text)| {
        let span = shape.tree().span(nodes[0]);
        met.insert((span.start, span.end, nodes.len(), text.clone()))
    });
    found.sort_by_key(|exchange| std::cmp::Reverse(gain(exchange)));
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::testing::{Found, reduce_by};
    use crate::reduce::tree::tests::{LISTS, language};

    const ELEMENTS: &str = "grammar X; s: element EOF;
        element: '<' ID attribute* ('/>' | '>' element* '</' ID '>'); attribute: ID '=' ID;
        ID: [a-z]+; WS: [ \\t\\n]+ -> skip;";

    fn exchanged(language: &Arc<Substitutes>, input: &[u8], fails: fn(&[u8]) -> bool) -> Found {
        reduce_by(input, fails, |search| {
            exchange(search, language, &mut Allowance::new(1000)).map(|_| ())
        })
    }

    #[test]
    fn a_node_is_written_as_another_alternative_of_its_parts() {
        let fails = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).unwrap();
            text.starts_with("<item") && text.contains("ref=x") && text.ends_with('>')
        };
        let found = exchanged(&language(ELEMENTS), b"<item ref=x></item>", fails);
        assert_eq!(found.best, b"<item ref=x/>");
    }

    #[test]
    fn names_become_other_names_of_the_input_and_subtrees_others() {
        let language = language(LISTS);
        let fails = |bytes: &[u8]| bytes.starts_with(b"let") && bytes.ends_with(b"[a]");
        let found = exchanged(&language, b"let total=[total,b];[a]", fails);
        assert_eq!(found.best, b"let a=0;[a]");
        let fails = |bytes: &[u8]| bytes.starts_with(b"[");
        assert_eq!(exchanged(&language, b"[(7)][]", fails).best, b"[][]");
    }
}
