//! Inputs in which bodies are beside each other that were in each other: `<b></b><i></i>` for `<b><i></i></b>`; and those in which one has another word.
//!
//! A minimized input that fails for its depth has as many bodies as it is deep, and most draws change both. So a condition that names
//! their number agrees with them. And it rarely has a body that does not count, though the given input has.

use std::ops::Range;

use seedsmith_engine::Stopped;

use super::{distinct, edited, tested};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::inputs::edits::closed_at_once;
use crate::generalize::predicate::read::{Body, bodies};
use crate::generalize::subjects::in_language;

/// Tests at most: four, because one body that is closed before its text shows whether depth matters, the second one whether the inner ones alone do, and
/// two bodies with another word show whether words matter.
const MAX_TESTS: usize = 4;
/// A word of a body in no format. A target may reject it, and then one of the given inputs shows the same.
const UNKNOWN_WORD: &[u8] = b"zq";
/// How many bodies are around the innermost one at least, because one in another one is rarely a depth.
const MIN_DEPTH: usize = 2;

/// Such inputs that are in the base's language, each with whether it fails; rejected ones are left out. Cost: at most `MAX_TESTS` tests.
pub(in crate::generalize::predicate) fn bodies_beside(
    prober: &mut Prober<'_, '_>,
    (base, given): (&Subject, &[Subject]),
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let given = given.iter().map(|one| &one.input[..]);
    let mut made = distinct(in_turn(&base.input, given));
    made.retain(|input| {
        base.language.as_ref().is_some_and(|language| in_language(language, input).is_some())
    });
    tested(prober, made.into_iter().take(MAX_TESTS))
}

/// The input with a body closed before its text: one in the middle first, then the outermost; and with another word of the one in the middle.
fn in_turn<'g>(input: &[u8], given: impl Iterator<Item = &'g [u8]>) -> Vec<Vec<u8>> {
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
    let middle = outer[outer.len() / 2];
    let is_new = |word: &&[u8]| found.iter().all(|body| !body.word.eq_ignore_ascii_case(word));
    let given_word = given.flat_map(bodies).map(|body| body.word).find(is_new);
    let words = given_word.into_iter().chain([UNKNOWN_WORD]);
    let closed = [middle, outer[0]].map(|body| closed_at_once(input, body));
    let renamed = words.filter_map(|word| renamed(input, middle, word));
    closed.into_iter().chain(renamed).collect()
}

/// The input with another word of a body, where that is written in both of its places.
fn renamed(input: &[u8], body: &Body<'_>, word: &[u8]) -> Option<Vec<u8>> {
    let place = |span: &Range<usize>| {
        let at = span.start + memchr::memmem::find(&input[span.clone()], body.word)?;
        Some((at..at + body.word.len(), word.to_vec()))
    };
    Some(edited(input, vec![place(&body.open)?, place(&body.close)?]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_body_in_the_middle_is_closed_first_and_two_in_each_other_are_no_depth() {
        let in_turn = |input: &'static str| {
            let given = ["<d><b></b></d>".as_bytes()];
            let made = super::in_turn(input.as_bytes(), given.into_iter()).into_iter();
            made.map(|input| String::from_utf8(input).unwrap()).collect::<Vec<_>>()
        };
        let made = in_turn("<a><b><c>x</c></b></a>");
        assert_eq!(made[..2], ["<a><b></b><c>x</c></a>", "<a></a><b><c>x</c></b>"]);
        assert_eq!(made[2..], ["<a><d><c>x</c></d></a>", "<a><zq><c>x</c></zq></a>"]);
        assert!(in_turn("<a><b>x</b></a>").is_empty());
        assert!(in_turn("<a>x</a><b>y<c>z</c><d>z</d></b>").is_empty());
    }
}
