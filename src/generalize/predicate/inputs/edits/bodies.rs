//! Edits of bodies, from one word to the one that closes it: `if` and `fi`, `<b>` and `</b>`.
//!
//! A target that reads such words rejects an input that has one of them alone, so both come and go together.

use std::ops::Range;

use seedsmith_grammar::Random;

use crate::generalize::pattern::Subject;
use crate::generalize::predicate::read::{Body, bodies};

/// The input without one of its bodies, without the words of one, with those of another one, with further words around one, or with one that is closed
/// before its text; nothing if it has none.
pub(super) fn other_body(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let (input, found) = (&base.input[..], bodies(&base.input));
    let body = found.get(dice.below(found.len().max(1)))?;
    let other = &found[dice.below(found.len())];
    let edits = [without, without_words, twice, closed_at_once];
    Some(match dice.below(7) {
        edit @ 0..4 => edits[edit](input, body),
        4 => with_words_of(input, body, other),
        5 => around(input, (body, other), body.open.start..body.close.end),
        _ => around(input, (body, other), line(input, &body.open).end..body.close.start),
    })
}

/// All inputs without one of the bodies, without its words, with them twice, with one that is closed before its text, and with those of another body in
/// their place.
pub(in crate::generalize::predicate::inputs) fn of_each_body(input: &[u8]) -> Vec<Vec<u8>> {
    let edits = [without, without_words, twice, closed_at_once];
    let found = bodies(input);
    let made = found.iter().flat_map(|body| {
        let other = found.iter().find(|other| other.word != body.word);
        let others = other.map(|other| with_words_of(input, body, other));
        edits.map(|edit| edit(input, body)).into_iter().chain(others)
    });
    made.collect()
}

/// The input with the words of another body in the place of a body's own: whether it matters which of two things is inside the other.
fn with_words_of(input: &[u8], body: &Body<'_>, other: &Body<'_>) -> Vec<u8> {
    let [open, close] = [&other.open, &other.close].map(|span| &input[span.clone()]);
    let inner = &input[body.open.end..body.close.start];
    [&input[..body.open.start], open, inner, close, &input[body.close.end..]].concat()
}

/// The input without a body and its words.
fn without(input: &[u8], body: &Body<'_>) -> Vec<u8> {
    [&input[..body.open.start], &input[line(input, &body.close).end..]].concat()
}

/// The input with a body's inner text in its place.
fn without_words(input: &[u8], body: &Body<'_>) -> Vec<u8> {
    let inner = line(input, &body.open).end..body.close.start;
    let after = line(input, &body.close).end;
    [&input[..body.open.start], &input[inner], &input[after..]].concat()
}

/// The input with a body that is alone in one of the same words.
fn twice(input: &[u8], body: &Body<'_>) -> Vec<u8> {
    around(input, (body, body), body.open.start..body.close.end)
}

/// The input with a body that ends where it begins, and its text after it: as many words as before, and what was inside is beside it. Whether depth
/// matters or number is seen by that alone.
pub(in crate::generalize::predicate::inputs) fn closed_at_once(
    input: &[u8],
    body: &Body<'_>,
) -> Vec<u8> {
    let (open, close) = (line(input, &body.open), line(input, &body.close));
    let inner = &input[open.end..body.close.start];
    [&input[..open.end], &input[body.close.start..close.end], inner, &input[close.end..]].concat()
}

/// The input with a part of a body, or with all of it, between the words of another one, in the place of the body.
fn around(input: &[u8], (body, other): (&Body<'_>, &Body<'_>), inner: Range<usize>) -> Vec<u8> {
    let break_after = |span: &Range<usize>| match line(input, span).end > span.end {
        true => &b"\n"[..],
        false => b"",
    };
    let inner = &input[inner];
    let end = if inner.ends_with(b"\n") { &b""[..] } else { break_after(&other.open) };
    let open = [&input[other.open.clone()], break_after(&other.open)].concat();
    let before = &input[..body.open.start];
    [before, &open, inner, end, &input[other.close.clone()], &input[body.close.end..]].concat()
}

/// The place of a word that opens or closes a body, with the end of its line if it is all of a line.
fn line(input: &[u8], span: &Range<usize>) -> Range<usize> {
    let is_begun = span.start == 0 || input[span.start - 1] == b'\n';
    let is_ended = input.get(span.end) == Some(&b'\n');
    span.start..span.end + usize::from(is_begun && is_ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_goes_with_its_words_and_comes_in_others() {
        let made = |text: &str| {
            let made = of_each_body(text.as_bytes()).into_iter();
            made.map(|made| String::from_utf8(made).unwrap()).collect::<Vec<String>>()
        };
        let script = "a\nif b\nc\nfi\nd";
        assert_eq!(
            made(script),
            ["a\nd", "a\nc\nd", "a\nif b\nif b\nc\nfi\nfi\nd", "a\nif b\nfi\nc\nd"]
        );
        assert_eq!(made("x <b>y</b>"), ["x ", "x y", "x <b><b>y</b></b>", "x <b></b>y"]);
        let (input, found) = (&b"x [b]y[/b][i]z[/i]"[..], bodies(b"x [b]y[/b][i]z[/i]"));
        let inner = line(input, &found[0].open).end..found[0].close.start;
        assert_eq!(around(input, (&found[0], &found[1]), inner), b"x [i]y[/i][i]z[/i]");
        assert!(of_each_body(input).contains(&b"x [b]y[/b][b]z[/b]".to_vec()));
    }
}
