//! The derivation with the fewest rules, out of all that a chart holds.
//!
//! Items and matches are settled in the order of their weight, each once (Knuth 1977), which
//! circles of rules can't upset.

use super::chart::{Chart, NONE};
use super::rules::{FlatSymbol, Rules};
use crate::grammar::parser::StopCheck;
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::NodeKind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rules in a tree, at most: some 500 MB. Matches of nothing share their items in the chart, and not
/// in a tree.
///
/// The chart's own bound does not limit them.
pub(super) const MAX_RULES: u64 = 8 << 20;

/// The weight of an item or match that has no derivation so far.
const UNSETTLED: u64 = u64::MAX;

/// Weights of items and matches, and by which way each came to its weight.
struct Weights {
    /// By item, the fewest rules of a derivation of the symbols after its dot.
    items: Vec<u64>,
    /// By match, the fewest rules of a derivation, itself included.
    matches: Vec<u64>,
    /// The link by which each item is reached.
    link: Vec<u32>,
    /// The item by which each match is finished.
    item: Vec<u32>,
}

/// An item or match, which gets lighter when one that it uses has its final weight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weighed {
    /// An item of the chart.
    Item(u32),
    /// A match of a rule.
    Match(u32),
}

/// Why a match has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTree {
    /// The caller stopped the parse before.
    Stopped,
    /// Its lightest derivation has more than [`MAX_RULES`] rules.
    TooLarge,
}

/// Puts the lightest derivation of a match into the tree; nothing is put there on an error.
///
/// Nodes are opened and closed from an explicit list of steps, without recursion, since derivations
/// nest as deep as the input. Cost: in proportion to the chart, times a logarithm.
pub(super) fn grow(
    rules: &Rules,
    chart: &Chart,
    root: u32,
    builder: &mut TreeBuilder,
    stop_check: &mut StopCheck<'_>,
) -> Result<(), NoTree> {
    let weights = weigh(rules, chart, stop_check).ok_or(NoTree::Stopped)?;
    if weights.matches[root as usize] > MAX_RULES {
        return Err(NoTree::TooLarge);
    }
    enum Step {
        Open(u32),
        Leaf(u32, u32, u32),
        Close,
    }
    let mut todo = vec![Step::Open(root)];
    while let Some(step) = todo.pop() {
        match step {
            Step::Leaf(token, start, end) => builder.leaf(NodeKind::Token(token), start, end),
            Step::Close => builder.close(),
            Step::Open(whole) => {
                let node = &chart.matches[whole as usize];
                let mut item = weights.item[whole as usize];
                let production = &rules.productions[chart.items[item as usize].production as usize];
                let alternative = production.alternative;
                builder.open(NodeKind::Rule { rule: node.rule, alternative }, node.start);
                todo.push(Step::Close);
                // Walks back over the symbols, since the step that is pushed last comes out first.
                let mut end = node.end;
                for symbol in production.symbols.iter().rev() {
                    let link = chart.links[weights.link[item as usize] as usize];
                    match symbol {
                        FlatSymbol::Text(token, text) => {
                            let start = end - text.len() as u32;
                            todo.push(Step::Leaf(*token, start, end));
                            end = start;
                        }
                        FlatSymbol::Rule(_) => {
                            todo.push(Step::Open(link.whole));
                            end = chart.matches[link.whole as usize].start;
                        }
                    }
                    item = link.before;
                }
            }
        }
    }
    Ok(())
}

/// Computes the weights of all items and matches, the lightest first; `None` if the caller stops
/// it.
fn weigh(rules: &Rules, chart: &Chart, stop_check: &mut StopCheck<'_>) -> Option<Weights> {
    let users = Users::new(chart);
    let mut weights = Weights {
        items: vec![UNSETTLED; chart.items.len()],
        matches: vec![UNSETTLED; chart.matches.len()],
        link: vec![NONE; chart.items.len()],
        item: vec![NONE; chart.matches.len()],
    };
    // (weight, order of preference, item or match, by which way)
    let mut queue: BinaryHeap<Reverse<(u64, u32, Weighed, u32)>> = BinaryHeap::new();
    for (at, _) in chart.items.iter().enumerate().filter(|(_, item)| item.dot == 0) {
        queue.push(Reverse((0, 0, Weighed::Item(at as u32), NONE)));
    }
    while let Some(Reverse((weight, _, node, way))) = queue.pop() {
        if stop_check.must_stop(1) {
            return None;
        }
        match node {
            Weighed::Item(item) => {
                if weights.items[item as usize] != UNSETTLED {
                    continue;
                }
                weights.items[item as usize] = weight;
                weights.link[item as usize] = way;
                let production = chart.items[item as usize].production as usize;
                let whole = users.finished[item as usize];
                if whole != NONE {
                    let order = u32::from(rules.productions[production].alternative);
                    queue.push(Reverse((plus(weight, 1), order, Weighed::Match(whole), item)));
                }
            }
            Weighed::Match(whole) => {
                if weights.matches[whole as usize] != UNSETTLED {
                    continue;
                }
                weights.matches[whole as usize] = weight;
                weights.item[whole as usize] = way;
            }
        }
        for &(link, user) in users.of(node) {
            let Some(weight) = link_weight(chart, &weights, link) else {
                continue;
            };
            let whole = chart.links[link as usize].whole;
            let order = if whole == NONE { 0 } else { chart.matches[whole as usize].start };
            queue.push(Reverse((weight, u32::MAX - order, Weighed::Item(user), link)));
        }
    }
    Some(weights)
}

/// The weight of an item by one of its links, once both ends of it are settled.
fn link_weight(chart: &Chart, weights: &Weights, link: u32) -> Option<u64> {
    let link = chart.links[link as usize];
    let before = weights.items[link.before as usize];
    let whole = if link.whole == NONE { 0 } else { weights.matches[link.whole as usize] };
    (before != UNSETTLED && whole != UNSETTLED).then(|| plus(before, whole))
}

/// The sum of two weights. Rules that double each other and match nothing ask for any weight.
fn plus(one: u64, other: u64) -> u64 {
    one.saturating_add(other).min(UNSETTLED - 1)
}

/// Where items and matches are used: pairs of link and item, grouped by the item or match that they
/// use.
struct Users {
    /// By item, the links that begin with it and the items they lead to.
    by_item: Vec<Vec<(u32, u32)>>,
    /// By match, the links that use it and the items they lead to.
    by_match: Vec<Vec<(u32, u32)>>,
    /// The match that each finished item belongs to.
    finished: Vec<u32>,
}

impl Users {
    /// Turns the chart's links around. Cost: in proportion to the chart.
    fn new(chart: &Chart) -> Self {
        let mut by_item = vec![Vec::new(); chart.items.len()];
        let mut by_match = vec![Vec::new(); chart.matches.len()];
        for (at, item) in chart.items.iter().enumerate() {
            let mut number = item.links;
            while number != NONE {
                let link = chart.links[number as usize];
                by_item[link.before as usize].push((number, at as u32));
                if link.whole != NONE {
                    by_match[link.whole as usize].push((number, at as u32));
                }
                number = link.next;
            }
        }
        let mut finished = vec![NONE; chart.items.len()];
        for (at, whole) in chart.matches.iter().enumerate() {
            whole.items.iter().for_each(|&item| finished[item as usize] = at as u32);
        }
        Users { by_item, by_match, finished }
    }

    /// The users of an item or match.
    fn of(&self, node: Weighed) -> &[(u32, u32)] {
        match node {
            Weighed::Item(item) => &self.by_item[item as usize],
            Weighed::Match(whole) => &self.by_match[whole as usize],
        }
    }
}
