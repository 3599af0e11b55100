//! Abstraction with joint draws: what the paper's algorithm 2 finds, for a fraction of the tests.
//!
//! A node is first *screened* with a few draws, the most different ones first, which is enough to
//! find nearly every node that matters. All that are left are then drawn at once: one draw tests
//! every node, and the isolation of several causes with it. Only when such a draw passes is it
//! narrowed to the least set of nodes that has to be replaced for the pass. If that is one node,
//! it is concrete. If there are several, each of them is a cause that hides the others: each is
//! looked into with the others' words of that draw in place.

use std::collections::VecDeque;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use crate::generalize::bytes;
use crate::generalize::domain::Domain;
use crate::generalize::draws::prober::{Prober, Spread, Witness};
use crate::generalize::pattern::{Replaced, Slot};
pub(crate) use crate::generalize::slots::abstraction::FoundSlots;
use crate::generalize::slots::rejected::to_drop;

/// Draws of a screening, in tests, the most different ones first. With three `((1)) + ((2 * 3)) - ((5))`
/// takes 167 tests where the published way takes 1,161 (docs/notes/2026-11-21-generalize.md).
pub(crate) const SCREENING_DRAWS: u64 = 3;
/// Joint draws after a screening: as many as have something new, but these at least and at most, because
/// a claim that is given up makes the next one more expensive. Not measured.
const MIN_AND_MAX_JOINT_DRAWS: (usize, usize) = (6, 48);

/// Finds the abstract nodes below `from`, `context` in place, and adds it to `slots`, which hold what
/// was screened if it is stopped before the end.
pub(crate) fn explore(
    prober: &mut Prober<'_, '_>,
    from: Vec<NodeId>,
    context: &Replaced,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
) -> Result<(), Stopped> {
    screen(prober, from, context, slots, unknown)?;
    let mut first = SCREENING_DRAWS as usize;
    while !slots.is_empty() {
        let until = prober
            .informative_draws(slots)
            .clamp(MIN_AND_MAX_JOINT_DRAWS.0, MIN_AND_MAX_JOINT_DRAWS.1);
        let wanted = until.saturating_sub(first) as u64;
        let answer = prober.check(slots, context, wanted, Spread::Varied(first))?;
        if let Some(passed) = &answer.passed {
            refute(prober, slots, passed, context, unknown)?;
            // The same again without the cause.
            first = passed.number;
        } else if answer.is_rejected() {
            drop_rejected(prober, slots, &answer.rejected, context, unknown)?;
            first = answer.rejected[0].number;
        } else {
            break;
        }
    }
    Ok(())
}

/// All of it from the root on.
///
/// The context is empty: every node may be replaced.
pub(crate) fn explore_all(
    prober: &mut Prober<'_, '_>,
    found: &mut FoundSlots,
) -> Result<(), Stopped> {
    let FoundSlots { slots, unknown } = found;
    explore(prober, vec![NodeId::ROOT], &Replaced::new(), slots, unknown)
}

/// Takes the slots that a passing draw blames out of `slots`, and puts in the abstract nodes inside them.
/// Returns the leaves whose own pattern or range went: a stricter one may still hold for them.
///
/// Costs the search for the smallest set of slots, and the exploration of the nodes inside each of
/// them. Several slots that pass only together are causes that hide each other: each is explored
/// with the others' words in place.
pub(crate) fn refute(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    passed: &Witness,
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<NodeId>, Stopped> {
    let mut smallest_set = prober.smallest_set(slots, passed, context, Outcome::Pass)?;
    // Of several that are the cause together and have no inside, one is enough.
    if smallest_set.iter().all(|&at| slots[at].is_spelled()) {
        let last = bytes::leave_out(prober, slots, passed, &smallest_set)?;
        smallest_set = vec![last];
    }
    // Out before anything else is asked: it may be the last that there is time for.
    let mut blamed: Vec<Slot> = smallest_set.iter().rev().map(|&at| slots.remove(at)).collect();
    blamed.reverse();
    let mut misspelled = Vec::new();
    for (at, slot) in blamed.iter().enumerate() {
        // Several nodes that hold the same have no inside that is theirs alone.
        prober.subject.unshare(&slot.nodes);
        let [node] = slot.nodes[..] else { continue };
        match slot.domain {
            Domain::Spelled(_) | Domain::Integer { .. } => misspelled.push(node),
            Domain::Symbol(_) => {
                let mut hidden = context.clone();
                for (other, &number) in
                    smallest_set.iter().enumerate().filter(|&(other, _)| other != at)
                {
                    for &node in &blamed[other].nodes {
                        hidden.insert(node, passed.words[number].clone());
                    }
                }
                let mut inner = Vec::new();
                let children = prober.subject.inner(node);
                let explored = explore(prober, children, &hidden, &mut inner, unknown);
                slots.append(&mut inner);
                slots.sort_by_key(|slot| slot.nodes[0]);
                explored?;
            }
        }
    }
    Ok(misspelled)
}

/// Takes the slots that draws are rejected for out of `slots`, and puts in what is abstract inside
/// them: a part may be valid whatever replaces it. At least one is taken out. Returns the leaves whose own
/// pattern or range was dropped, as `refute` does. Cost: that of choosing them, and of searching inside.
pub(crate) fn drop_rejected(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    rejected: &[Witness],
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<NodeId>, Stopped> {
    let indices = to_drop(prober, slots, rejected, context)?;
    let mut dropped: Vec<Slot> = indices.iter().rev().map(|&at| slots.remove(at)).collect();
    dropped.reverse();
    let mut misspelled = Vec::new();
    for slot in dropped {
        // Several nodes that hold the same have no inside that is theirs alone.
        prober.subject.unshare(&slot.nodes);
        let [node] = slot.nodes[..] else { continue };
        match slot.domain {
            Domain::Spelled(_) | Domain::Integer { .. } => misspelled.push(node),
            Domain::Symbol(_) => {
                if !unknown.contains(&node) {
                    unknown.push(node);
                }
                let inside = prober.subject.inner(node);
                let mut inner = Vec::new();
                let explored = explore(prober, inside, context, &mut inner, unknown);
                slots.append(&mut inner);
                slots.sort_by_key(|slot| slot.nodes[0]);
                explored?;
            }
        }
    }
    Ok(misspelled)
}

/// From the top down, the nodes that no draw of a few shows to matter.
///
/// Costs at most `SCREENING_DRAWS` failing draws for each node, and some rejected ones. A node
/// that is not abstract hands its children on.
fn screen(
    prober: &mut Prober<'_, '_>,
    from: Vec<NodeId>,
    context: &Replaced,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
) -> Result<(), Stopped> {
    let mut todo = VecDeque::from(from);
    while let Some(node) = todo.pop_front() {
        let Some(domain) = prober.symbol(node) else {
            todo.extend(prober.subject.inner(node));
            continue;
        };
        let slot = Slot::one(node, domain);
        let answer = prober.check(
            std::slice::from_ref(&slot),
            context,
            SCREENING_DRAWS,
            Spread::Varied(0),
        )?;
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
    Ok(())
}
