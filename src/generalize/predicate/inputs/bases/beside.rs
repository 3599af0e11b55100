//! Inputs in which bodies are beside each other that were in each other: `<b></b><i></i>` for `<b><i></i></b>`.
//!
//! A minimized input that fails for its depth has as many bodies as it is deep, and most draws change both. So a condition that names
//! their number agrees with them.

use seedsmith_engine::Stopped;

use super::{distinct, tested};
use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::inputs::edits::closed_at_once;
use crate::generalize::predicate::read::bodies;

/// Tests at most: one body that is closed before its text shows whether depth matters, and the second one whether the inner ones alone do.
const MAX_TESTS: usize = 2;
/// Bodies of an input at least, because two in each other are rarely a depth.
const MIN_BODIES: usize = 3;

/// Such inputs, each with whether it fails; rejected ones are left out. Cost: at most `MAX_TESTS` tests.
pub(in crate::generalize::predicate) fn beside(
    prober: &mut Prober<'_, '_>,
    input: &[u8],
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let made = distinct(in_turn(input));
    tested(prober, made.into_iter().take(MAX_TESTS))
}

/// The input with a body closed before its text: one in the middle first, then the outermost.
fn in_turn(input: &[u8]) -> Vec<Vec<u8>> {
    let found = bodies(input);
    let outer: Vec<_> = found
        .iter()
        .filter(|body| {
            let is_inside = |open: usize| (body.open.end..body.close.start).contains(&open);
            found.iter().any(|other| is_inside(other.open.start))
        })
        .collect();
    let is_deep = found.len() >= MIN_BODIES && !outer.is_empty();
    let meant = [outer.len() / 2, 0].into_iter().filter(|_| is_deep);
    meant.map(|at| closed_at_once(input, outer[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_the_middle_is_closed_first_and_two_in_each_other_are_no_depth() {
        let made = in_turn(b"<a><b><c>x</c></b></a>");
        assert_eq!(made, [&b"<a><b></b><c>x</c></a>"[..], b"<a></a><b><c>x</c></b>"]);
        assert!(in_turn(b"<a><b>x</b></a>").is_empty());
        assert!(in_turn(b"<a>x</a><b>y</b><c>z</c>").is_empty());
    }
}
