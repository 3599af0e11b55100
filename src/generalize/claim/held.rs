//! What is kept of a pattern whose search a limit ended.
//!
//! Until its slots are settled, some of them may be rejected or pass together. Of such a pattern hardly any draw is valid, so what is not
//! known to hold is left out.

use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// Draws of some slots that have to fail before they are kept. A guess: of slots of which a fifth of the draws are rejected, three in ten
/// groups are kept.
const DRAWS: u64 = 10;
/// Rejected draws beside them.
const MAX_REJECTED: u64 = 1;

/// Keeps the slots that fail together: all of them if they do, and else the halves of which that holds, and the halves of the others.
///
/// If a limit ends it, the slots are kept that were found to hold. Costs some draws for each group that is looked at: two for each slot that is left out and level.
pub(in crate::generalize) fn keep_what_holds(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
) -> Result<(), Stopped> {
    let mut groups = vec![std::mem::take(slots)];
    while let Some(mut group) = groups.pop() {
        let all: Vec<Slot> = slots.iter().chain(&group).cloned().collect();
        let answer = prober.check(&all, &Replaced::new(), DRAWS, Spread::Claimed)?;
        if answer.is_abstract() && answer.unresolved <= MAX_REJECTED {
            *slots = all;
            slots.sort_by_key(|slot| slot.nodes[0]);
        } else if group.len() > 1 {
            let second = group.split_off(group.len() / 2);
            groups.extend([second, group]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::bytes::cut::subject;
    use crate::generalize::domain::Domain;
    use seedsmith_engine::internal::{Budget, Oracle};
    use seedsmith_engine::{ClosureTarget, Kind, SameFailure, Sameness, Signature};
    use seedsmith_grammar::NodeId;

    #[test]
    fn slots_that_pass_are_left_out_and_the_others_are_kept() {
        let judge = SameFailure {
            signature: Signature::of_kind(Kind::Command),
            sameness: Sameness::default(),
        };
        let target = ClosureTarget::failing_if(|input: &[u8]| {
            let last = input.rsplit(|byte| *byte == b' ').next();
            last == Some(b"3")
        });
        let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
        let subject = subject(b"1 2 3".to_vec(), &[0..1, 1..2, 2..3, 3..4, 4..5]);
        let is_digit = |node: &NodeId| {
            let is_leaf = subject.tree.children(*node).is_empty();
            is_leaf && subject.text(*node).iter().all(u8::is_ascii_digit)
        };
        let digits: Vec<_> = subject.tree.ids().filter(is_digit).collect();
        assert_eq!(digits.len(), 3);
        let number = Domain::Integer { low: None, high: None };
        let mut slots: Vec<Slot> =
            digits.iter().map(|node| Slot::one(*node, number.clone())).collect();
        let mut prober = Prober::new(&mut oracle, subject, 0);
        keep_what_holds(&mut prober, &mut slots).unwrap();
        let kept: Vec<_> = slots.iter().map(|slot| slot.nodes[0]).collect();
        assert_eq!(kept, digits[..2]);
    }
}
