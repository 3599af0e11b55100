//! Which coverage counters of an executable belong to a function, so that they show when it is reached.
//!
//! Counters whose block is in a function, inlined copies included, are that function's (see
//! `blocks`). Only files are read here.

pub(super) mod blocks;
#[cfg(fuzzing)]
pub(super) mod callback_stubs;
#[allow(dead_code, reason = "the preloaded runtime, a crate of its own, is made of this file too")]
mod compared;
pub(crate) mod feature_list;
#[allow(dead_code, reason = "the preloaded runtime, a crate of its own, is made of this file too")]
pub(crate) mod features;
#[cfg(all(feature = "mutator", any(fuzzing, test)))]
pub mod hidden;
#[cfg(feature = "mutator")]
pub(crate) mod in_process;
pub(crate) mod places;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::exec::TargetError;
use crate::exec::counters::blocks::{Blocks, NoBlocks};
use crate::exec::executable::Elf;
use crate::exec::executable::image::Image;
use crate::exec::executable::symbolize::Symbolizer;
use crate::exec::os::sys;
use crate::exec::workers::protocol::MAX_WATCHED;

/// Names that an error lists for a function that is not there: as many as fit a line of a terminal, roughly; not measured.
const MAX_SIMILAR_NAMES: usize = 5;

/// Link-time addresses of the counters of `function`.
///
/// `function` is its whole path, or the end of it (`parse` finds `my_crate::json::parse`). Fails
/// where the executable has no such counters, or no such function. Costs a look-up of each
/// instrumented block in the debug information: seconds for large programs.
pub fn counters_of(path: &Path, function: &str) -> Result<Vec<Range<u64>>, TargetError> {
    let blocks = blocks_of(path)?;
    let symbolizer = Symbolizer::open(path)?;
    let mut ranges: Vec<Range<u64>> = Vec::new();
    let mut alike = BTreeSet::new();
    for (at, place) in (blocks.counters..).zip(blocks.places) {
        let names = symbolizer.at(place).into_iter().map(|symbol| symbol.function);
        let names: Vec<String> = names.collect();
        if names.iter().any(|name| is_called(name, function)) {
            match ranges.last_mut().filter(|last| last.end == at) {
                Some(last) => last.end += 1,
                None => ranges.push(at..at + 1),
            }
        } else if alike.len() < MAX_SIMILAR_NAMES {
            let last = function.rsplit("::").next().unwrap_or(function);
            alike.extend(names.into_iter().filter(|name| name.contains(last)));
        }
    }
    if ranges.is_empty() {
        let similar = alike.into_iter().take(MAX_SIMILAR_NAMES).collect();
        return Err(TargetError::NoSuchFunction {
            path: path.to_owned(),
            function: function.to_owned(),
            similar,
        });
    }
    // Of a function that was inlined in very many places the first ones are watched.
    ranges.truncate(MAX_WATCHED);
    Ok(ranges)
}

/// Link-time addresses of all counters of an executable; fails where there are none. Reads the file.
pub(crate) fn all_counters(path: &Path) -> Result<Range<u64>, TargetError> {
    let blocks = blocks_of(path)?;
    Ok(blocks.counters..blocks.counters + blocks.places.len() as u64)
}

/// The table of blocks of an executable.
fn blocks_of(path: &Path) -> Result<Blocks, TargetError> {
    let data = Image::read(path)
        .map_err(|error| TargetError::system(format!("read {}", path.display()), error))?;
    let object = Elf::parse(&*data).map_err(|error| TargetError::NotExecutable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    Blocks::read(&object).map_err(|why| match why {
        NoBlocks::NoCounters => TargetError::NoCoverageCounters { path: path.to_owned() },
        NoBlocks::DoesNotFit => TargetError::BadCoverageTable { path: path.to_owned() },
    })
}

/// Whether the full `name` is that of the function that the user calls `function`.
fn is_called(name: &str, function: &str) -> bool {
    name.strip_suffix(function).is_some_and(|front| front.is_empty() || front.ends_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_called_by_its_path_or_the_end_of_it() {
        assert!(is_called("crate::json::parse", "parse"));
        assert!(is_called("crate::json::parse", "json::parse"));
        assert!(is_called("parse", "parse"));
        assert!(!is_called("crate::json::reparse", "parse"));
        assert!(!is_called("crate::parse::inner", "parse"));
    }

    #[test]
    fn an_executable_without_counters_says_so() {
        let this = std::env::current_exe().unwrap();
        let error = counters_of(&this, "main").unwrap_err().to_string();
        assert!(error.contains("has no coverage counters"), "{error}");
    }
}
