//! Parts that have to be equal (DDSET, algorithm 3): `<$name1>`.
//!
//! Among the concrete nodes, those of one nonterminal and one text form a group if there are two
//! or more. All of a group are replaced by the same random value; if that always fails, the
//! values don't matter as long as they are equal. Outer nodes are tried before inner ones.

use std::collections::BTreeMap;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;
use seedsmith_grammar::internal::Symbol;

use crate::generalize::domain::Domain;
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// The groups that may be replaced as one, given the nodes that are abstract already, tested `checks` times
/// each. Cost: `checks` tests for each such group, and a few for each other one.
pub(crate) fn context_sensitive(
    prober: &mut Prober<'_, '_>,
    slots: &[Slot],
    checks: u64,
    spread: Spread,
) -> Result<Vec<Slot>, Stopped> {
    let mut found: Vec<Slot> = Vec::new();
    for group in groups(prober, slots) {
        let tree = &prober.subject.tree;
        let end = |node: NodeId| tree.node(node).subtree_end;
        let holds = |outer: NodeId, inner: NodeId| outer <= inner && inner.0 < end(outer);
        let taken: Vec<NodeId> = found.iter().flat_map(|slot| slot.nodes.clone()).collect();
        let is_free = |node: &NodeId| !taken.iter().any(|&outer| holds(outer, *node));
        let nodes: Vec<NodeId> = group.nodes.iter().copied().filter(is_free).collect();
        if nodes.len() < 2 || !prober.grouped.insert(nodes.clone()) {
            continue;
        }
        let slot = Slot { nodes, domain: group.domain };
        let answer = prober.check(std::slice::from_ref(&slot), &Replaced::new(), checks, spread)?;
        if answer.is_abstract() {
            found.push(slot);
        }
    }
    Ok(found)
}

/// Concrete nodes of equal symbol and text, none inside another of its group.
///
/// In the order of their first nodes; nodes with a slot inside are left out, because they have no
/// text of their own.
fn groups(prober: &Prober<'_, '_>, slots: &[Slot]) -> Vec<Slot> {
    let subject = &prober.subject;
    let Some(language) = &subject.language else { return Vec::new() };
    let mut groups: Vec<Slot> = Vec::new();
    let mut known: BTreeMap<(Symbol, &[u8]), usize> = BTreeMap::new();
    let mut at = 0;
    while at < subject.tree.len() as u32 {
        let id = NodeId(at);
        let node = subject.tree.node(id);
        if slots.iter().any(|slot| slot.nodes.contains(&id)) {
            at = node.subtree_end;
            continue;
        }
        at += 1;
        // What holds something abstract is no text that could be equal.
        let has_slot = slots
            .iter()
            .flat_map(|slot| &slot.nodes)
            .any(|inner| id < *inner && inner.0 < node.subtree_end);
        let Some(symbol) = language.symbol(node).filter(|_| !has_slot && node.start < node.end)
        else {
            continue;
        };
        let number = *known.entry((symbol, subject.text(id))).or_insert_with(|| {
            groups.push(Slot { nodes: Vec::new(), domain: Domain::Symbol(symbol) });
            groups.len() - 1
        });
        let group = &mut groups[number];
        let is_inside = |outer: &NodeId| id.0 < subject.tree.node(*outer).subtree_end;
        if !group.nodes.last().is_some_and(is_inside) {
            group.nodes.push(id);
        }
    }
    groups.retain(|group| group.nodes.len() > 1);
    groups
}
