//! An input as HTML: dropped and added bytes are marked, and bytes far from any change are left out.

use maud::{Markup, Render, html};

use super::frame::{Blanks, Visible};
use crate::report::show::{bytes as size, counted};
use crate::session::repair::Change;

/// Unchanged bytes that are shown on each side of a change. A guess: two lines; not measured.
const CONTEXT_BYTES: usize = 160;
/// Bytes of one change that are shown at most. A guess: more than a screen; not measured.
const MAX_CHANGE_BYTES: usize = 4000;
/// Changes that are shown at most. A guess: more than a reader looks at; not measured.
const MAX_CHANGES: usize = 100;

/// The input with its changes, which are in order of place.
/// `changes` must not overlap. After `MAX_CHANGES` of them the rest of the input is left out and the number
/// of further changes is shown.
pub(super) fn marked(input: &[u8], changes: &[Change]) -> Markup {
    let more = changes.len().saturating_sub(MAX_CHANGES);
    let shown = &changes[..changes.len() - more];
    let ends = shown.iter().map(|change| change.at + change.dropped.len());
    let starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let last = starts[shown.len()];
    html! {
        @for (change, done) in shown.iter().zip(starts) {
            (between(input, done..change.at, (done > 0, true)))
            @if !change.dropped.is_empty() { del { (start(&change.dropped)) } (rest(&change.dropped)) }
            @if !change.added.is_empty() { ins { (start(&change.added)) } (rest(&change.added)) }
        }
        @if more > 0 {
            (gap(&format!("and {}", counted(more as u64, "more change", "more changes"))))
        } @else {
            (between(input, last..input.len(), (last > 0, false)))
        }
    }
}

/// The part of a change that is shown.
fn start(bytes: &[u8]) -> Visible<'_> {
    Visible(&bytes[..whole(bytes, bytes.len().min(MAX_CHANGE_BYTES))], Blanks::Signed)
}

/// The size of the part of a change that is not shown, if there is one.
fn rest(bytes: &[u8]) -> Markup {
    let left_out = bytes.len() - start(bytes).0.len();
    html! { @if left_out > 0 { (gap(&format!("and {} more", size(left_out)))) } }
}

/// The beginning of an input for which no valid text was found.
pub(super) fn beginning(input: &[u8]) -> Markup {
    let end = whole(input, input.len().min(2 * CONTEXT_BYTES));
    html! {
        (Visible(&input[..end], Blanks::Bare))
        @if end < input.len() { (gap(&size(input.len() - end))) }
    }
}

/// Unchanged bytes; `beside` says whether there is a change before them and after them.
/// The middle of a long stretch is left out. Its size is shown, and the line, from 1, at which the text
/// continues.
fn between(input: &[u8], span: std::ops::Range<usize>, beside: (bool, bool)) -> Markup {
    let bytes = &input[span.clone()];
    let front = if beside.0 { CONTEXT_BYTES } else { 0 };
    let back = if beside.1 { CONTEXT_BYTES } else { 0 };
    // A gap of a few bytes would be longer than the bytes themselves.
    if bytes.len() <= front + back + CONTEXT_BYTES / 2 {
        return Visible(bytes, Blanks::Bare).render();
    }
    let (front, back) = (whole(bytes, front), whole(bytes, bytes.len() - back));
    let line = input[..span.start + back].iter().filter(|byte| **byte == b'\n').count() + 1;
    let what = size(back - front);
    html! {
        (Visible(&bytes[..front], Blanks::Bare))
        (gap(&if beside.1 { format!("{what}, to line {line}") } else { what }))
        (Visible(&bytes[back..], Blanks::Bare))
    }
}

/// A sign that bytes are left out, on a separate line.
fn gap(what: &str) -> Markup {
    html! { span.gap { "\n… " (what) " …\n" } }
}

/// The largest place up to `at` that does not cut a character.
fn whole(bytes: &[u8], at: usize) -> usize {
    let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(*at)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::repair::changes;

    fn shown(input: &[u8], text: &[u8]) -> String {
        marked(input, &changes(input, text)).into_string()
    }

    #[test]
    fn changes_are_marked_where_they_stand() {
        assert_eq!(shown(b"a<b>**c", b"a<b>c!"), "a&lt;b&gt;<del>**</del>c<ins>!</ins>");
        assert_eq!(shown(b"a b", b"ab"), "a<del><i>·</i></del>b");
    }

    #[test]
    fn what_lies_far_from_a_change_is_left_out_and_counted() {
        let long = [&b"x\n".repeat(500)[..], b"!", &[b'y'; 1000]].concat();
        let text = [&long[..1000], &long[1001..]].concat();
        let shown = shown(&long, &text);
        assert!(shown.starts_with("<span class=\"gap\">\n… 840 bytes, to line 421 …"), "{shown}");
        assert!(shown.contains("<del>!</del>y") && shown.ends_with("… 840 bytes …\n</span>"));
    }

    #[test]
    fn no_character_is_cut_by_a_gap() {
        let input = ["é".repeat(500).as_bytes(), b"!", "€".repeat(500).as_bytes()].concat();
        let text: Vec<u8> = input.iter().copied().filter(|byte| *byte != b'!').collect();
        assert!(!shown(&input, &text).contains("\\x"));
        assert!(!beginning(&input).into_string().contains("\\x"));
    }

    #[test]
    fn a_thousand_changes_are_not_all_shown() {
        let input = b"a!".repeat(1000);
        let text = b"a".repeat(1000);
        let shown = shown(&input, &text);
        assert_eq!(shown.matches("<del>").count(), MAX_CHANGES);
        assert!(shown.contains("… and 900 more changes …"), "{shown}");
    }
}
