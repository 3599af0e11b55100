//! Where in the source the counters of an executable are. Only files are read here.

use std::path::Path;

use crate::exec::TargetError;
use crate::exec::counters::blocks_of;
use crate::exec::executable::symbolize::{Symbol, Symbolizer};

/// The functions that the block of each counter is in, innermost (inlined) first, in the order of
/// the counters.
///
/// Costs a look-up of each instrumented block in the debug information: seconds for large programs.
///
/// # Errors
///
/// The file cannot be read, is no executable, or has no coverage counters with a table of places.
pub fn places_of(path: &Path) -> Result<Vec<Vec<Symbol>>, TargetError> {
    let blocks = blocks_of(path)?;
    let symbolizer = Symbolizer::open(path)?;
    Ok(blocks.places.into_iter().map(|place| symbolizer.at(place)).collect())
}

/// The counters of `function`, as numbers in ascending order; see [`counters_of`](crate::exec::counters::counters_of).
///
/// Costs and fails as that does.
pub fn counters_in(path: &Path, function: &str) -> Result<Vec<u32>, TargetError> {
    let start = crate::exec::counters::all_counters(path)?.start;
    let ranges = crate::exec::counters::counters_of(path, function)?;
    Ok(ranges.into_iter().flatten().map(|address| (address - start) as u32).collect())
}
