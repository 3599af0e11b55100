//! Abstraction with joint draws: what the paper's algorithm 2 finds, for a fraction of the tests.
//!
//! A node is first *screened* with a few draws, the most different ones first, which is enough to
//! find nearly every node that matters. All that are left are then drawn at once: one draw tests
//! every node, and the isolation of several causes with it. Only when such a draw passes is it
//! narrowed to the least set of nodes that has to be replaced for the pass. If that is one node,
//! it is concrete. If there are several, each of them is a cause that hides the others: each is
//! looked into with the others' words of that draw in place.

use std::collections::VecDeque;

use crate::oracle::Stopped;
use crate::structure::tree::NodeId;

pub use super::abstraction::Found;
use super::pattern::{Replaced, Slot};
use super::prober::{Passed, Prober, Spread};

/// Draws of a screening.
pub const SCREENING: u64 = 3;
/// Joint draws before the ones that a claim rests on.
const REHEARSAL: u64 = 10;

/// Finds what is abstract below `from`, `context` in place.
pub fn explore(
    prober: &mut Prober<'_, '_>,
    from: Vec<NodeId>,
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<Slot>, Stopped> {
    let mut slots = screen(prober, from, context, unknown)?;
    while !slots.is_empty() {
        let answer = prober.check(&slots, context, REHEARSAL, Spread::Varied)?;
        let Some(passed) = &answer.passed else { break };
        refute(prober, &mut slots, passed, context, unknown)?;
    }
    Ok(slots)
}

/// All of it from the root on.
pub fn explore_all(prober: &mut Prober<'_, '_>) -> Result<Found, Stopped> {
    let mut unknown = Vec::new();
    let slots = explore(prober, vec![NodeId::ROOT], &Replaced::new(), &mut unknown)?;
    Ok(Found { slots, unknown })
}

/// Takes out of `slots` what a passing draw blames, and puts in what is abstract inside that.
/// Returns the nodes whose spelled pattern went: a stricter one may still hold for them.
pub fn refute(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    passed: &Passed,
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<NodeId>, Stopped> {
    let guilty = prober.guilty(slots, passed, context)?;
    let (mut inner, mut misspelled) = (Vec::new(), Vec::new());
    for &at in &guilty {
        // Several nodes that hold the same, and ranges of values, have no inside.
        let [node] = slots[at].nodes[..] else { continue };
        if matches!(slots[at].domain, super::domain::Domain::Spelled(_)) {
            misspelled.push(node);
        }
        if !matches!(slots[at].domain, super::domain::Domain::Symbol(_)) {
            continue;
        }
        let mut hidden = context.clone();
        for &other in guilty.iter().filter(|&&other| other != at) {
            for &node in &slots[other].nodes {
                hidden.insert(node, passed.words[other].clone());
            }
        }
        let children = prober.subject.inner(node);
        inner.extend(explore(prober, children, &hidden, unknown)?);
    }
    let mut at = 0;
    slots.retain(|_| {
        at += 1;
        !guilty.contains(&(at - 1))
    });
    slots.extend(inner);
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(misspelled)
}

/// From the top down, the nodes that no draw of a few shows to matter.
fn screen(
    prober: &mut Prober<'_, '_>,
    from: Vec<NodeId>,
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<Slot>, Stopped> {
    let mut slots = Vec::new();
    let mut todo = VecDeque::from(from);
    while let Some(node) = todo.pop_front() {
        let Some(domain) = prober.symbol(node) else {
            todo.extend(prober.subject.inner(node));
            continue;
        };
        let slot = Slot::one(node, domain);
        let answer =
            prober.check(std::slice::from_ref(&slot), context, SCREENING, Spread::Varied)?;
        if answer.is_abstract() {
            slots.push(slot);
        } else if !answer.is_single() {
            if answer.passed.is_none() {
                unknown.push(node);
            }
            todo.extend(prober.subject.inner(node));
        }
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(slots)
}
