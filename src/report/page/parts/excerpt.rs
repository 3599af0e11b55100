//! An input as HTML with its changes marked. Bytes far from anything of interest are left out, at the ends of
//! lines where there are any, and counted.
//!
//! The page of a repair shows the changes, and leaves out unchanged text. The page of a minimization shows the
//! bytes of the result, and leaves out most of the deleted ones. Binary inputs are shown as rows by `hex_rows`.

use maud::{Markup, Render, html};

use crate::report::page::frame::{Blanks, Visible};
use crate::report::show::{bytes as size, counted};
use crate::session::repair::Change;

/// Bytes that are shown beside a part of interest, at most. A guess: two long lines; not measured.
const CONTEXT_BYTES: usize = 160;
/// Lines that are shown beside the line of a part of interest, at most. Three, as a diff has them.
const CONTEXT_LINES: usize = 3;
/// Bytes of one change that are shown at most. A guess: more than a screen; not measured.
const MAX_CHANGE_BYTES: usize = 4000;
/// Changes that are shown at most. A guess: more than a reader looks at; not measured.
const MAX_CHANGES: usize = 100;
/// Inputs of a minimization up to this size and number of lines are shown as a whole. A guess: one or two screens;
/// not measured.
const WHOLE_BYTES: usize = 4000;
const WHOLE_LINES: usize = 60;

/// What became of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// They are in both texts.
    Kept,
    /// They are in the input only.
    Dropped,
    /// They are in the result only.
    Added,
}

/// Bytes next to each other with the same fate. Pieces that are kept or dropped are the input together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'b> {
    /// What became of them.
    pub fate: Fate,
    /// The bytes.
    pub bytes: &'b [u8],
    /// Their offset in the input; for added ones that of what follows.
    pub at: usize,
}

/// The input and the added bytes, in order of place. No piece is empty.
pub(crate) fn pieces<'b>(input: &'b [u8], changes: &'b [Change]) -> Vec<Piece<'b>> {
    let mut pieces = Vec::new();
    let mut push = |fate, bytes: &'b [u8], at| {
        if !bytes.is_empty() {
            pieces.push(Piece { fate, bytes, at });
        }
    };
    let mut done = 0;
    for change in changes {
        push(Fate::Kept, &input[done..change.at], done);
        push(Fate::Dropped, &change.dropped, change.at);
        done = change.at + change.dropped.len();
        push(Fate::Added, &change.added, done);
    }
    push(Fate::Kept, &input[done..], done);
    pieces
}

/// A repaired input: dropped and added bytes are marked, and bytes far from any change are left out.
///
/// `changes` are in order of place and do not overlap. After `MAX_CHANGES` of them the rest of the input is left
/// out, and the number of further changes is shown.
pub(crate) fn repaired(input: &[u8], changes: &[Change]) -> Markup {
    let more = changes.len().saturating_sub(MAX_CHANGES);
    let shown = &changes[..changes.len() - more];
    let mut pieces = pieces(input, shown);
    if more > 0 {
        // What follows the last change that is shown has the others.
        pieces.pop_if(|last| last.fate == Fate::Kept);
    }
    html! {
        @for (at, piece) in pieces.iter().enumerate() {
            @match piece.fate {
                Fate::Kept => (between(input, *piece, (at > 0, at + 1 < pieces.len()), "", unmarked)),
                Fate::Dropped => { del { (start(piece.bytes)) } (rest(piece.bytes)) }
                Fate::Added => { ins { (start(piece.bytes)) } (rest(piece.bytes)) }
            }
        }
        @if more > 0 {
            (gap(&format!("and {}", counted(more as u64, "more change", "more changes"))))
        }
    }
}

/// The original of a minimized input: deleted parts are struck, and the others are marked.
///
/// Of an input of more than `WHOLE_BYTES` or `WHOLE_LINES` most deleted parts are left out.
pub(crate) fn minimized(input: &[u8], changes: &[Change]) -> Markup {
    let pieces = pieces(input, changes);
    let lines = input.iter().filter(|byte| **byte == b'\n').count();
    let is_whole = input.len() <= WHOLE_BYTES && lines <= WHOLE_LINES;
    let left: Vec<usize> =
        (0..pieces.len()).filter(|at| pieces[*at].fate != Fate::Dropped).collect();
    let more = left.len().saturating_sub(MAX_CHANGES);
    let end = left.get(MAX_CHANGES).copied().unwrap_or(pieces.len());
    let struck =
        |bytes: &[u8]| html! { @if !bytes.is_empty() { del { (Visible(bytes, Blanks::Bare)) } } };
    html! {
        @for (at, piece) in pieces[..end].iter().enumerate() {
            @match piece.fate {
                Fate::Dropped if is_whole => (struck(piece.bytes)),
                Fate::Dropped => (between(input, *piece, (true, at + 1 < pieces.len()), " deleted", struck)),
                Fate::Kept => { mark { (start(piece.bytes)) } (rest(piece.bytes)) }
                Fate::Added => { ins { (start(piece.bytes)) } (rest(piece.bytes)) }
            }
        }
        @if more > 0 {
            (gap(&format!("and {} that are left", counted(more as u64, "more part", "more parts"))))
        }
    }
}

/// What a repair did not change.
fn unmarked(bytes: &[u8]) -> Markup {
    Visible(bytes, Blanks::Bare).render()
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
pub(crate) fn beginning(input: &[u8]) -> Markup {
    let end = match input.len() <= 2 * CONTEXT_BYTES {
        true => input.len(),
        false => front(input, 2 * CONTEXT_LINES, 2 * CONTEXT_BYTES),
    };
    html! {
        (Visible(&input[..end], Blanks::Bare))
        @if end < input.len() { (gap(&size(input.len() - end))) }
    }
}

/// Bytes of no interest; `beside` says whether there is something of interest before them and after them.
/// The middle of a long stretch is left out. Its size is shown, and the line, from 1, at which the text
/// continues.
fn between(
    input: &[u8],
    piece: Piece<'_>,
    beside: (bool, bool),
    what: &str,
    shown: impl Fn(&[u8]) -> Markup,
) -> Markup {
    let bytes = piece.bytes;
    let room = [beside.0, beside.1].iter().filter(|is_there| **is_there).count() * CONTEXT_BYTES;
    // A gap of a few bytes would be longer than the bytes themselves.
    if bytes.len() <= room + CONTEXT_BYTES / 2 {
        return shown(bytes);
    }
    let first = if beside.0 { front(bytes, CONTEXT_LINES, CONTEXT_BYTES) } else { 0 };
    let last = if beside.1 { back(bytes, CONTEXT_LINES, CONTEXT_BYTES) } else { bytes.len() };
    let line = input[..piece.at + last].iter().filter(|byte| **byte == b'\n').count() + 1;
    let what = format!("{}{what}", size(last - first));
    html! {
        (shown(&bytes[..first]))
        (gap(&if beside.1 { format!("{what}, to line {line}") } else { what }))
        (shown(&bytes[last..]))
    }
}

/// A sign that bytes are left out, on a separate line.
pub(crate) fn gap(what: &str) -> Markup {
    html! { span.gap { "\n… " (what) " …\n" } }
}

/// Where the beginning of `bytes` ends that is shown: after a line, if one ends within `most` bytes. It has the rest of
/// the line that it is in, and `lines` more at most.
fn front(bytes: &[u8], lines: usize, most: usize) -> usize {
    let within = &bytes[..most.min(bytes.len())];
    let ends = within.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    ends.take(lines + 1).last().unwrap_or_else(|| whole(bytes, within.len()))
}

/// Where the end of `bytes` begins that is shown: at the beginning of a line, if one begins in the last `most` bytes. It
/// has the beginning of the line that the next part is in, and `lines` before it at most.
fn back(bytes: &[u8], lines: usize, most: usize) -> usize {
    let from = bytes.len().saturating_sub(most);
    let begins = bytes[from..].iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
    let begins = begins.map(|(at, _)| from + at + 1);
    begins.take(lines + 1).last().unwrap_or_else(|| whole(bytes, from))
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
        repaired(input, &changes(input, text)).into_string()
    }

    #[test]
    fn changes_are_marked_where_they_stand() {
        assert_eq!(shown(b"a<b>**c", b"a<b>c!"), "a&lt;b&gt;<del>**</del>c<ins>!</ins>");
        assert_eq!(shown(b"a b", b"ab"), "a<del><i>·</i></del>b");
    }

    #[test]
    fn what_is_far_from_a_change_is_left_out_at_the_ends_of_lines_and_counted() {
        let line = "a line of this text\n";
        let long = [line.repeat(50), "!".to_owned(), line.repeat(50)].concat();
        let text = long.replace('!', "");
        let shown = shown(long.as_bytes(), text.as_bytes());
        let front =
            format!("<span class=\"gap\">\n… 940 bytes, to line 48 …\n</span>{}", line.repeat(3));
        assert!(shown.starts_with(&front), "{shown}");
        let back =
            format!("<del>!</del>{}<span class=\"gap\">\n… 920 bytes …\n</span>", line.repeat(4));
        assert!(shown.ends_with(&back), "{shown}");
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
        assert!(
            shown.ends_with("<span class=\"gap\">\n… and 900 more changes …\n</span>"),
            "{shown}"
        );
    }

    #[test]
    fn of_a_minimized_input_what_is_left_is_marked_and_what_was_deleted_is_struck() {
        let of = |input: &str, result: &str| {
            let changes = super::super::kept::deletions(input.as_bytes(), result.as_bytes());
            minimized(input.as_bytes(), &changes).into_string()
        };
        assert_eq!(of("a b foo!", "foo!"), "<del>a b </del><mark>foo!</mark>");
        assert_eq!(of("n 17", "n 0"), "<mark>n<i>·</i></mark><del>17</del><ins>0</ins>");
        let line = "a line of this text\n";
        let long = of(&[line.repeat(300), "!".to_owned(), line.repeat(300)].concat(), "!");
        assert!(long.contains("\n… 5,860 bytes deleted, to line 298 …\n"), "{long}");
        assert!(long.ends_with("\n… 5,920 bytes deleted …\n</span>"), "{long}");
        assert_eq!(long.matches(line).count(), 11);
        let many = of(&"ab".repeat(3000), &"a".repeat(3000));
        assert!(many.contains("… and 2,900 more parts that are left …"), "{many}");
    }
}
