//! Tested inputs that others are made of: what a search knows besides the failing input before it has a condition.
//!
//! [`subsets`] have some items of the given inputs, [`siblings`] another word of a kind, [`absent`] a name that was missing, [`counts`] another number
//! with as many items, [`ascii`] letters in the place of other characters, [`numbers`] near numbers and others with a sign elsewhere, and [`lengths`] the right length of a binary input. Each costs some tests. Whether they fail or pass, they come before the inputs that are drawn.

pub(in crate::generalize::predicate) mod absent;
pub(in crate::generalize::predicate) mod ascii;
pub(in crate::generalize::predicate) mod beside;
pub(in crate::generalize::predicate) mod counts;
pub(in crate::generalize::predicate) mod left_out;
pub(in crate::generalize::predicate) mod lengths;
pub(in crate::generalize::predicate) mod numbers;
mod other_words;
pub(in crate::generalize::predicate) mod siblings;
pub(in crate::generalize::predicate) mod subsets;
mod usual_names;

use std::ops::Range;

use seedsmith_engine::Stopped;

use crate::generalize::draws::prober::Prober;

/// A replacement of some bytes.
type Edit = (Range<usize>, Vec<u8>);

/// An input after some replacements, of which no two are about the same bytes. Two at one place come in their order.
fn edited(input: &[u8], mut edits: Vec<Edit>) -> Vec<u8> {
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut made, mut end) = (Vec::new(), 0);
    for (span, text) in edits {
        made.extend_from_slice(&input[end..span.start]);
        made.extend(text);
        end = span.end;
    }
    made.extend_from_slice(&input[end..]);
    made
}

/// Some inputs, each once.
fn distinct(inputs: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    for input in inputs {
        if !found.contains(&input) {
            found.push(input);
        }
    }
    found
}

/// Tests inputs: those that fail or pass, each with whether it fails. Rejected ones are left out.
fn tested(
    prober: &mut Prober<'_, '_>,
    inputs: impl IntoIterator<Item = Vec<u8>>,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut found = Vec::new();
    for input in inputs {
        prober.check_time()?;
        let fails = prober.fails(&input)?;
        found.extend(fails.map(|fails| (input, fails)));
    }
    Ok(found)
}
