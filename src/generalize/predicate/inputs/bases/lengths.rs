//! Binary inputs whose first numbers are the lengths of what is after them.
//!
//! A target that fails because a length is wrong passes for one value of one number, which no draw finds by chance.

use seedsmith_engine::Stopped;

use super::tested;
use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::feature::Field;

/// Tests in all: 64, because each of 32 numbers has two lengths.
const MAX_TESTS: usize = 64;
/// The greatest offset after a length, because magic bytes and a version are mostly all that is before it.
const MAX_OFFSET: usize = 8;

/// Inputs of which one number says how many bytes are after it or in all, each with whether it fails.
///
/// Numbers of one, two and four bytes in both orders are tried. Inputs that are rejected are left out. Cost: at most
/// `MAX_TESTS` tests.
pub(in crate::generalize::predicate) fn lengths(
    prober: &mut Prober<'_, '_>,
    input: &[u8],
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    for field in Field::all().filter(|field| field.end() <= MAX_OFFSET) {
        let Some(rest) = input.len().checked_sub(field.end()) else { continue };
        for length in [rest, input.len()] {
            let made = field.written(input, length as i128);
            inputs.extend(made.filter(|made| made != input && !inputs.contains(made)));
        }
    }
    tested(prober, inputs.into_iter().take(MAX_TESTS))
}
