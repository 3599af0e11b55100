//! Required parts that may be anything as long as they are equal: `<$name1>`.

pub mod context_sensitive;
mod shared;

use seedsmith_engine::oracle::Stopped;

use super::joint::SCREENING;
use super::pattern::Slot;
use super::prober::{Prober, Spread};

/// Adds the groups of required parts that may be any other text together: parts of one symbol first,
/// then tokens of several. Each group is asked about once, however often this is called.
pub fn group(prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) -> Result<(), Stopped> {
    let spread = Spread::Varied(0);
    slots.extend(context_sensitive::context_sensitive(prober, slots, SCREENING, spread)?);
    slots.extend(shared::shared(prober, slots)?);
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}
