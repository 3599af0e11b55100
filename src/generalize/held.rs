//! What is kept of a pattern whose search a limit ended.
//!
//! Until its slots are settled, some of them may be rejected or pass together. Of such a pattern hardly any draw is valid, so what is not
//! known to hold is left out.

use seedsmith_engine::Stopped;

use super::draws::prober::{Prober, Spread};
use super::pattern::{Replaced, Slot};

/// Draws of some slots that have to fail before they are kept. A guess: of slots of which a fifth of the draws are rejected, three in ten
/// groups are kept.
const DRAWS: u64 = 10;
/// Rejected draws beside them.
const MAX_REJECTED: u64 = 1;

/// Keeps the slots that fail together: all of them if they do, and else the halves of which that holds, and the halves of the others.
///
/// If a limit ends it, the slots are kept that were found to hold. Costs some draws for each group that is looked at: two for each slot that is left out and level.
pub(super) fn keep_what_holds(
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
