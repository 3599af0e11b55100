//! The table of instrumented blocks that libFuzzer's instrumentation leaves in an executable.
//!
//! It gives every block of code a byte that counts (in the section `__sancov_cntrs`) and notes the
//! block's address in the same order (`__sancov_pcs`). Only files are read here.

use object::{Object, ObjectSection, RelocationTarget};

use crate::exec::executable::Elf;

/// One entry of `__sancov_pcs`: an address and flags.
pub(crate) const PC_BYTES: usize = 16;

/// Blocks and their counters, by their link-time addresses.
pub(crate) struct Blocks {
    /// Where the first block's counter is; the others follow, a byte each.
    pub counters: u64,
    /// Where the blocks are.
    pub places: Vec<u64>,
}

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoBlocks {
    /// Nothing is instrumented so.
    NoCounters,
    /// There is one, but it has another length than there are counters.
    DoesNotFit,
}

impl Blocks {
    /// Reads the table. Costs a look at each dynamic relocation.
    pub(crate) fn read(object: &Elf<'_>) -> Result<Self, NoBlocks> {
        let (Some(counters), Some(blocks)) =
            (object.section_by_name("__sancov_cntrs"), object.section_by_name("__sancov_pcs"))
        else {
            return Err(NoBlocks::NoCounters);
        };
        let places = places(object, &blocks)
            .filter(|places| places.len() as u64 == counters.size())
            .ok_or(NoBlocks::DoesNotFit)?;
        Ok(Blocks { counters: counters.address(), places })
    }
}

/// The addresses of the instrumented blocks, in the counters' order.
fn places<'d>(object: &Elf<'d>, blocks: &impl ObjectSection<'d>) -> Option<Vec<u64>> {
    let data = blocks.data().ok()?;
    let word = |at: usize| {
        data.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
    };
    let mut places: Vec<u64> =
        (0..data.len() / PC_BYTES).map(|index| word(index * PC_BYTES)).collect::<Option<_>>()?;
    // An executable that can lie anywhere has the addresses in its relocations instead.
    for (address, relocation) in object.dynamic_relocations().into_iter().flatten() {
        let Some(offset) = address.checked_sub(blocks.address()) else { continue };
        if offset % PC_BYTES as u64 != 0 || relocation.target() != RelocationTarget::Absolute {
            continue;
        }
        if let Some(place) = places.get_mut((offset / PC_BYTES as u64) as usize) {
            *place = relocation.addend() as u64;
        }
    }
    Some(places)
}
