//! Required parts that may be anything as long as they are equal: `<$name1>`.

pub(crate) mod context_sensitive;
mod shared;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use super::pattern::{Replaced, Slot};
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::slots::joint::SCREENING_DRAWS;

/// Adds the groups of required parts that may be any other text together: parts of one symbol first,
/// then tokens of several. Each group is asked about once, however often this is called.
///
/// Costs what `context_sensitive` and `shared` cost, with few draws, and for each group that is
/// found up to a few tests for each of its parts.
pub(crate) fn group(prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) -> Result<(), Stopped> {
    let spread = Spread::Varied(0);
    for slot in context_sensitive::context_sensitive(prober, slots, SCREENING_DRAWS, spread)? {
        slots.extend(apart(prober, slot)?);
    }
    for slot in shared::shared(prober, slots)? {
        slots.extend(apart(prober, slot)?);
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}

/// The parts of a group each on its own, if none of them has to be as the others are: they only
/// happened to be equal. Cost: one test mostly, and a few for each part if they have not.
///
/// Parts that are shared by their letters and digits only are never separated.
fn apart(prober: &mut Prober<'_, '_>, group: Slot) -> Result<Vec<Slot>, Stopped> {
    let has_one_text = !group.nodes.iter().any(|node| prober.subject.shared.contains_key(node));
    let alone = |&node: &NodeId| Slot::one(node, group.domain.clone());
    let parts: Vec<Slot> = group.nodes.iter().map(alone).collect();
    if !has_one_text {
        return Ok(vec![group]);
    }
    for part in &parts {
        let question = std::slice::from_ref(part);
        let spread = Spread::Varied(0);
        let answer = prober.check(question, &Replaced::new(), SCREENING_DRAWS, spread)?;
        if !answer.is_abstract() {
            return Ok(vec![group]);
        }
    }
    Ok(parts)
}
