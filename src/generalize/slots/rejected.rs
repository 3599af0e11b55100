//! Which slots to drop because the target rejects draws of them.
//!
//! A slot can be valid alone and invalid beside another (a type and a value that doesn't have it).
//! So the search for the slots that make a draw pass also finds those that make a draw rejected.
//! A slot that is rejected alone is dropped; of several that are rejected only together, the one that most
//! rejected draws need is dropped. `joint` drops them and searches inside.

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;

use crate::generalize::bytes;
use crate::generalize::draws::prober::{Prober, Witness};
use crate::generalize::pattern::{Replaced, Slot};

/// Rejected draws that are explained before slots are dropped. Not measured: one draw would drop the
/// wrong slot where two are rejected only together, and each more costs `2·log2(n)` tests.
const MAX_EXPLAINED_DRAWS: usize = 3;

/// The indices of the slots to drop, ascending: without them each of the rejected draws that are
/// looked into loses the slots that it is rejected for. Never empty unless `slots` is. Cost: about
/// `2·log2(n)` tests for each of `MAX_EXPLAINED_DRAWS` draws.
pub(super) fn to_drop(
    prober: &mut Prober<'_, '_>,
    slots: &[Slot],
    rejected: &[Witness],
    context: &Replaced,
) -> Result<Vec<usize>, Stopped> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for witness in rejected {
        if sets.len() >= MAX_EXPLAINED_DRAWS {
            break;
        }
        let smallest_set = prober.smallest_set(slots, witness, context, Outcome::Unresolved)?;
        if smallest_set.iter().all(|&at| slots[at].is_spelled()) {
            sets.push(vec![bytes::leave_out(prober, slots, witness, &smallest_set)?]);
            continue;
        }
        sets.push(smallest_set);
    }
    let mut dropped = covering(&sets);
    if dropped.is_empty() {
        dropped.extend(slots.len().checked_sub(1));
    }
    Ok(dropped)
}

/// A small set with a member of each of `sets`, ascending: the members of the sets of one, then greedily
/// the slots that most of the other sets hold, of equals the last.
fn covering(sets: &[Vec<usize>]) -> Vec<usize> {
    let mut dropped: Vec<usize> =
        sets.iter().filter(|set| set.len() == 1).map(|set| set[0]).collect();
    loop {
        let open: Vec<&Vec<usize>> =
            sets.iter().filter(|set| !set.iter().any(|at| dropped.contains(at))).collect();
        let Some(most) = open
            .iter()
            .flat_map(|set| set.iter().copied())
            .max_by_key(|at| (open.iter().filter(|set| set.contains(at)).count(), *at))
        else {
            break;
        };
        dropped.push(most);
    }
    dropped.sort_unstable();
    dropped.dedup();
    dropped
}

#[cfg(test)]
mod tests {
    use crate::generalize::slots::rejected::covering;

    #[test]
    fn slots_go_that_are_to_blame_alone_or_for_most_rejections() {
        assert_eq!(covering(&[vec![2], vec![0, 2], vec![1]]), [1, 2]);
        assert_eq!(covering(&[vec![0, 1], vec![1, 2], vec![1, 3]]), [1]);
        assert_eq!(covering(&[vec![0, 3]]), [3]);
        assert!(covering(&[]).is_empty());
    }
}
