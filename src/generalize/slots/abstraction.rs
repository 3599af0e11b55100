//! Abstraction and isolation as DDSET publishes them (algorithm 2).
//!
//! From the root down: a node is *abstract* if everything else that its nonterminal derives fails
//! too, tested `MAX_CHECKS` times; else it is concrete and its children are looked at. A node
//! that was abstract on its own is then tested again with all other abstract nodes replaced too,
//! because of several causes each one hides the others; where that passes, its children are
//! looked at under the same condition.

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// The findings about a subject's nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundSlots {
    /// The abstract nodes.
    pub slots: Vec<Slot>,
    /// Nodes for which no valid expansion could be drawn.
    pub unknown: Vec<NodeId>,
}

/// Algorithm 2 with `checks` for `MAX_CHECKS`; nodes that were abstract alone stay in `found` if it is
/// stopped before the end. Cost: `checks` tests for each abstract node, once
/// alone and once with the others, and a few for each concrete one.
pub(crate) fn abstraction(
    prober: &mut Prober<'_, '_>,
    checks: u64,
    found: &mut FoundSlots,
) -> Result<(), Stopped> {
    let FoundSlots { slots, unknown } = found;
    alone(prober, vec![NodeId::ROOT], &[], checks, slots, unknown)?;
    *slots = isolated(prober, slots.clone(), &[], checks, unknown)?;
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}

/// Adds the topmost nodes below `from` that are abstract with `others` replaced at random too.
///
/// From the root down: nodes below an abstract one are skipped. Costs `checks` tests for an
/// abstract node, fewer for the others.
fn alone(
    prober: &mut Prober<'_, '_>,
    from: Vec<NodeId>,
    others: &[Slot],
    checks: u64,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
) -> Result<(), Stopped> {
    let mut todo: Vec<NodeId> = from.into_iter().rev().collect();
    while let Some(node) = todo.pop() {
        let Some(domain) = prober.symbol(node) else {
            todo.extend(prober.subject.inner(node).into_iter().rev());
            continue;
        };
        let slot = Slot::one(node, domain);
        let mut all = vec![slot.clone()];
        all.extend_from_slice(others);
        let answer = prober.check(&all, &Replaced::new(), checks, Spread::Produced)?;
        if answer.is_abstract() {
            slots.push(slot);
        } else if !(answer.is_single() && others.is_empty()) {
            if answer.passed.is_none() {
                unknown.push(node);
            }
            todo.extend(prober.subject.inner(node).into_iter().rev());
        }
    }
    Ok(())
}

/// Those of `slots` that stay abstract when all of them and `others` are replaced, and the nodes
/// abstract inside the rest.
fn isolated(
    prober: &mut Prober<'_, '_>,
    slots: Vec<Slot>,
    others: &[Slot],
    checks: u64,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<Slot>, Stopped> {
    if slots.len() + others.len() < 2 {
        return Ok(slots);
    }
    let mut result = Vec::new();
    for at in 0..slots.len() {
        let mut rest: Vec<Slot> = slots.clone();
        let slot = rest.remove(at);
        rest.extend_from_slice(others);
        if prober.stays_failing(&slot, &rest, checks)? {
            result.push(slot);
            continue;
        }
        let inner = prober.subject.inner(slot.nodes[0]);
        let mut inside = Vec::new();
        alone(prober, inner, &rest, checks, &mut inside, unknown)?;
        result.extend(isolated(prober, inside, &rest, checks, unknown)?);
    }
    Ok(result)
}

impl Prober<'_, '_> {
    /// Whether the other nodes' replacement leaves the failure as this one is: the check
    /// of the isolation. A pass is this node's fault only if it doesn't pass without it.
    fn stays_failing(
        &mut self,
        slot: &Slot,
        others: &[Slot],
        checks: u64,
    ) -> Result<bool, Stopped> {
        let mut all = vec![slot.clone()];
        all.extend_from_slice(others);
        let answer = self.check(&all, &Replaced::new(), checks, Spread::Produced)?;
        let Some(passed) = &answer.passed else { return Ok(true) };
        let smallest_set = self.smallest_set(&all, passed, &Replaced::new(), Outcome::Pass)?;
        Ok(!smallest_set.contains(&0))
    }
}
