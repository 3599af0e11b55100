//! Inputs in which bodies are beside each other that were in each other: `<b></b><i></i>` for `<b><i></i></b>`.
//!
//! A minimized input that fails for its depth has as many bodies as it is deep, and most draws change both. So a condition that names
//! their number agrees with them.

use seedsmith_engine::Stopped;

use super::{distinct, tested};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::inputs::edits::closed_at_once;
use crate::generalize::predicate::read::{Body, bodies};
use crate::generalize::subjects::in_language;

/// Tests at most: one body that is closed before its text shows whether depth matters, and the second one whether the inner ones alone do.
const MAX_TESTS: usize = 2;
/// How many bodies are around the innermost one at least, because one in another one is rarely a depth.
const MIN_DEPTH: usize = 2;

/// Such inputs that are in the base's language, each with whether it fails; rejected ones are left out. Cost: at most `MAX_TESTS` tests.
pub(in crate::generalize::predicate) fn bodies_beside(
    prober: &mut Prober<'_, '_>,
    base: &Subject,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut made = distinct(in_turn(&base.input));
    made.retain(|input| {
        base.language.as_ref().is_some_and(|language| in_language(language, input).is_some())
    });
    tested(prober, made.into_iter().take(MAX_TESTS))
}

/// The input with a body closed before its text: one in the middle first, then the outermost.
fn in_turn(input: &[u8]) -> Vec<Vec<u8>> {
    let found = bodies(input);
    let is_around = |outer: &Body<'_>, inner: &Body<'_>| {
        (outer.open.end..outer.close.start).contains(&inner.open.start)
    };
    let depth = |inner| found.iter().filter(|outer| is_around(outer, inner)).count();
    if !found.iter().any(|body| depth(body) >= MIN_DEPTH) {
        return Vec::new();
    }
    let outer: Vec<&Body<'_>> =
        found.iter().filter(|body| found.iter().any(|inner| is_around(body, inner))).collect();
    [outer.len() / 2, 0].map(|at| closed_at_once(input, outer[at])).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_the_middle_is_closed_first_and_two_in_each_other_are_no_depth() {
        let made = in_turn(b"<a><b><c>x</c></b></a>");
        assert_eq!(made, [&b"<a><b></b><c>x</c></a>"[..], b"<a></a><b><c>x</c></b>"]);
        assert!(in_turn(b"<a><b>x</b></a>").is_empty());
        assert!(in_turn(b"<a>x</a><b>y<c>z</c><d>z</d></b>").is_empty());
    }
}
