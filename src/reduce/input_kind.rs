//! Properties of a whole input: whether it is binary, and whether it mostly repeats.

use std::collections::HashSet;

use seedsmith_grammar::internal::NestingChain;
use seedsmith_grammar::internal::nesting_chains;

/// Whether `bytes` are hardly text: control characters, or not UTF-8.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| *byte < 9) || std::str::from_utf8(bytes).is_err()
}

/// An input repeats if the sequences of four bytes that are different from each other are fewer
/// than one for each group of this many bytes. A guess; not measured.
const MIN_BYTES_PER_DIFFERENT_SEQUENCE: usize = 4;
/// Levels that make a nest of an input: fewer are taken away one by one in as many tests. A guess; not
/// measured.
pub(crate) const MIN_NEST_LEVELS: usize = 64;

/// Whether most of `bytes` is a deep nest or a long repetition, where no single byte is worth a
/// test: the result for one holds for all.
pub(crate) fn is_mostly_repetition(bytes: &[u8]) -> bool {
    let distinct: HashSet<&[u8]> = bytes.windows(4).collect();
    let is_nest = |chain: &NestingChain| {
        let outermost = &chain.levels[0];
        let covered = outermost.close.end - outermost.open.start - chain.core.len();
        covered * 2 > bytes.len()
            && chain.kinds(bytes) * MIN_BYTES_PER_DIFFERENT_SEQUENCE < chain.levels.len()
    };
    bytes.len() >= 4 * MIN_NEST_LEVELS
        && (distinct.len() * MIN_BYTES_PER_DIFFERENT_SEQUENCE < bytes.len()
            || nesting_chains(bytes, MIN_NEST_LEVELS, true).iter().any(is_nest))
}
