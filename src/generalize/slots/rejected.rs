//! Slots that draws are rejected for: which ones they are, and what is left without them.
//!
//! A slot can be valid alone and invalid beside another (a type and a value that doesn't have it).
//! So the same search that finds the slots to blame for a pass finds those to blame for a
//! rejection. A slot that is rejected alone goes; of several that are rejected only together, the
//! one that most rejected draws need goes. What is inside a slot that went is looked at again: a
//! part of it may be valid whatever stands there.

use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::outcome::Outcome;

use crate::generalize::bytes;
use crate::generalize::domain::Domain;
use crate::generalize::draws::prober::{Prober, Witness};
use crate::generalize::pattern::{Replaced, Slot};
use crate::generalize::slots::joint;
use seedsmith_grammar::structure::trees::tree::NodeId;

/// Rejected draws that are looked into before a slot goes.
const LOOKED_INTO: usize = 3;

/// Takes the slots to blame out of `slots`, and puts in what is abstract inside them. At least one
/// goes. Returns the leaves whose own pattern or range went, like [`joint::refute`]. Cost: about
/// `2·log2(n)` tests for each draw of three, and those of looking inside.
pub fn drop_rejected(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    rejected: &[Witness],
    context: &Replaced,
    unknown: &mut Vec<NodeId>,
) -> Result<Vec<NodeId>, Stopped> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for witness in rejected {
        // What is explained by what goes already needs no search of its own.
        if sets.len() >= LOOKED_INTO {
            break;
        }
        let smallest_set = prober.smallest_set(slots, witness, context, Outcome::Unresolved)?;
        if smallest_set.iter().all(|&at| joint::is_spelled(&slots[at])) {
            sets.push(vec![bytes::leave_out(prober, slots, witness, &smallest_set)?]);
            continue;
        }
        sets.push(smallest_set);
    }
    let mut going = going(&sets);
    if going.is_empty() {
        going.extend(slots.len().checked_sub(1));
    }
    let mut dropped: Vec<Slot> = going.iter().rev().map(|&at| slots.remove(at)).collect();
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
                let explored = joint::explore(prober, inside, context, &mut inner, unknown);
                slots.append(&mut inner);
                slots.sort_by_key(|slot| slot.nodes[0]);
                explored?;
            }
        }
    }
    Ok(misspelled)
}

/// The least that has to go so that none of the sets is whole, ascending: slots that are to blame
/// alone, then the ones that most of the other sets hold, of equals the last.
fn going(sets: &[Vec<usize>]) -> Vec<usize> {
    let mut going: Vec<usize> =
        sets.iter().filter(|set| set.len() == 1).map(|set| set[0]).collect();
    loop {
        let open: Vec<&Vec<usize>> =
            sets.iter().filter(|set| !set.iter().any(|at| going.contains(at))).collect();
        let Some(most) = open
            .iter()
            .flat_map(|set| set.iter().copied())
            .max_by_key(|at| (open.iter().filter(|set| set.contains(at)).count(), *at))
        else {
            break;
        };
        going.push(most);
    }
    going.sort_unstable();
    going.dedup();
    going
}

#[cfg(test)]
mod tests {
    use crate::generalize::slots::rejected::going;

    #[test]
    fn slots_go_that_are_to_blame_alone_or_for_most_rejections() {
        assert_eq!(going(&[vec![2], vec![0, 2], vec![1]]), [1, 2]);
        assert_eq!(going(&[vec![0, 1], vec![1, 2], vec![1, 3]]), [1]);
        assert_eq!(going(&[vec![0, 3]]), [3]);
        assert!(going(&[]).is_empty());
    }
}
