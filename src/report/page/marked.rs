//! An input as HTML, with what was dropped and added marked, and what lies far from any change
//! left out.

use std::fmt::Write;

use super::frame::{Blanks, visible};
use crate::report::show::{bytes as size, counted};
use crate::session::repair::Change;

/// Unchanged bytes that are shown on each side of a change.
const CONTEXT: usize = 160;
/// Bytes of one change that are shown at most.
const LONGEST: usize = 4000;
/// Changes that are shown at most.
const MOST_CHANGES: usize = 100;

/// The input with its changes, which are in order of place.
pub fn marked(input: &[u8], changes: &[Change]) -> String {
    let mut out = String::new();
    let mut done = 0;
    for change in changes.iter().take(MOST_CHANGES) {
        between(input, done..change.at, (done > 0, true), &mut out);
        for (tag, bytes) in [("del", &change.dropped), ("ins", &change.added)] {
            if !bytes.is_empty() {
                let shown = &bytes[..whole(bytes, bytes.len().min(LONGEST))];
                let _ = write!(out, "<{tag}>{}</{tag}>", visible(shown, Blanks::Signed));
                if shown.len() < bytes.len() {
                    gap(&format!("and {} more", size(bytes.len() - shown.len())), &mut out);
                }
            }
        }
        done = change.at + change.dropped.len();
    }
    if let more @ 1.. = changes.len().saturating_sub(MOST_CHANGES) {
        gap(&format!("and {}", counted(more as u64, "more change", "more changes")), &mut out);
    } else {
        between(input, done..input.len(), (done > 0, false), &mut out);
    }
    out
}

/// The beginning of an input that nothing is known of.
pub fn beginning(input: &[u8]) -> String {
    let end = whole(input, input.len().min(2 * CONTEXT));
    let mut out = visible(&input[..end], Blanks::Bare);
    if end < input.len() {
        gap(&size(input.len() - end), &mut out);
    }
    out
}

/// Writes unchanged bytes; `beside` says whether there is a change in front of them and behind.
fn between(input: &[u8], span: std::ops::Range<usize>, beside: (bool, bool), out: &mut String) {
    let bytes = &input[span.clone()];
    let front = if beside.0 { CONTEXT } else { 0 };
    let back = if beside.1 { CONTEXT } else { 0 };
    // A gap of a few bytes would be longer than what it stands for.
    if bytes.len() <= front + back + CONTEXT / 2 {
        out.push_str(&visible(bytes, Blanks::Bare));
        return;
    }
    let (front, back) = (whole(bytes, front), whole(bytes, bytes.len() - back));
    out.push_str(&visible(&bytes[..front], Blanks::Bare));
    let line = input[..span.start + back].iter().filter(|byte| **byte == b'\n').count() + 1;
    let what = size(back - front);
    gap(&if beside.1 { format!("{what}, to line {line}") } else { what }, out);
    out.push_str(&visible(&bytes[back..], Blanks::Bare));
}

fn gap(what: &str, out: &mut String) {
    let _ = write!(out, "<span class=\"gap\">\n… {what} …\n</span>");
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
        marked(input, &changes(input, text))
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
        assert!(!beginning(&input).contains("\\x"));
    }

    #[test]
    fn a_thousand_changes_are_not_all_shown() {
        let input = b"a!".repeat(1000);
        let text = b"a".repeat(1000);
        let shown = shown(&input, &text);
        assert_eq!(shown.matches("<del>").count(), MOST_CHANGES);
        assert!(shown.contains("… and 900 more changes …"), "{shown}");
    }
}
