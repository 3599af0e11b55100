//! Edits of the ends of lines: what the lines beside one end in, and words that open a block at the end of its first
//! line.
//!
//! A lost sign at the end of a line is reported at the next line, so the model sees it far from the fault. The lines
//! that are indented alike show what is lost: `a: 1` among `b: 2,` and `c: 3,` lacks its comma, also if the text has
//! many lines elsewhere that end in a number.
//!
//! It knows no format but the words `then` and `do`. A text that is not indented is one block.

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line, trimmed_end};
use seedsmith_grammar::internal::is_word;

/// The cost of a sign that most lines beside this one end in (a logarithm): lower than that of a word which is one edit
/// from another. With it `depth: 3` without its comma took 2 tests instead of 19 (2026-11-24).
const LOST_END_COST: f32 = -12.0;
/// The cost of a lost word at the end of the first line of a block (a logarithm): the same, because the next line is
/// indented more and no other line lacks the word.
const LOST_WORD_COST: f32 = -12.0;
/// Lines before and after that are compared, because lines further away are of other blocks. Not measured.
const MAX_LINES: usize = 24;
/// Words that open a block at the end of its first line. The last two are of a shell and of other languages.
const WORDS: [BlockWord; 3] = [
    BlockWord { openers: &[b"if", b"elif", b"elseif"], word: b"then", ends: &[b"fi", b"end"] },
    BlockWord { openers: &[b"for", b"while", b"until"], word: b"do", ends: &[b"done"] },
    BlockWord { openers: &[b"for", b"while"], word: b"do", ends: &[b"end"] },
];

/// A word at the end of the first line of a block.
struct BlockWord {
    /// The first words of such lines.
    openers: &'static [&'static [u8]],
    /// The word itself.
    word: &'static [u8],
    /// Words that end such blocks: the text has to have one of them.
    ends: &'static [&'static [u8]],
}

/// Adds the signs and words that the fault's line and the one before it lack at their end.
///
/// Costs no test, and a look at some lines on either side. Words are looked for on more lines before the fault.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let at = proposals.fault.at.min(text.len());
    let own = line(text, at);
    let before = text[..own.start].trim_ascii_end().len();
    let above = (before > 0).then(|| line(text, before - 1));
    for row in [Some(own), above].into_iter().flatten() {
        lost_sign(proposals, &row);
    }
    // A shell reports a lost `then` at the end of the block.
    let mut row = line(text, at);
    for _ in 0..MAX_LINES {
        lost_word(proposals, &row);
        if row.start == 0 {
            break;
        }
        row = line(text, row.start - 1);
    }
}

/// The sign at the end of a line that parts it from the next one, with the blank before it; empty if it has none.
///
/// Of several such signs in a row all are meant: `;;` ends a branch of a shell's `case`.
fn end_sign<'t>(text: &'t [u8], row: &Range<usize>) -> &'t [u8] {
    let own = &text[row.start..trimmed_end(text, row)];
    let signs = own.iter().rev().take_while(|byte| matches!(byte, b',' | b';' | b'\\' | b'|'));
    let length = signs.count();
    let is_spaced = length > 0 && own[..own.len() - length].ends_with(b" ");
    &own[own.len() - length - usize::from(is_spaced)..]
}

/// Whether a line opens or closes a block, or is empty, so that it says nothing about the ends of others.
fn is_bare(text: &[u8], row: &Range<usize>) -> bool {
    let own = text[row.clone()].trim_ascii();
    let opens = row.end + 1 < text.len() && {
        let next = line(text, row.end + 1);
        indent(text, &next) > indent(text, row)
    };
    own.is_empty()
        || opens
        || own.ends_with(b"{")
        || own.ends_with(b"(")
        || own.ends_with(b"[")
        || own.ends_with(b":")
}

/// Adds the sign that most lines beside this one end in. They are indented alike and in the same block.
///
/// Lines that open or close a block are not compared. A line that ends in a sign already gets none.
fn lost_sign(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let depth = indent(text, row);
    let end = trimmed_end(text, row);
    let has_sign = end > row.start && b",;\\|{([:}".contains(&text[end - 1]);
    if is_bare(text, row) || has_sign {
        return;
    }
    let mut signs: Vec<(&[u8], usize)> = Vec::new();
    let mut all = 0;
    let mut count = |other: &Range<usize>| {
        let own = text[other.clone()].trim_ascii();
        let is_closer = own.first().is_some_and(|byte| b"})]".contains(byte));
        if indent(text, other) == depth && !is_bare(text, other) && !is_closer {
            all += 1;
            let sign = end_sign(text, other);
            match signs.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, times)) => *times += 1,
                None => signs.push((sign, 1)),
            }
        }
        // A line that is indented less ends the block.
        own.is_empty() || indent(text, other) >= depth
    };
    let (mut before, mut after) = (row.clone(), row.clone());
    for _ in 0..MAX_LINES {
        if before.start == 0 {
            break;
        }
        before = line(text, before.start - 1);
        if !count(&before) {
            break;
        }
    }
    for _ in 0..MAX_LINES {
        if after.end + 1 >= text.len() {
            break;
        }
        after = line(text, after.end + 1);
        if !count(&after) {
            break;
        }
    }
    let best = signs.into_iter().max_by_key(|(_, times)| *times);
    if let Some((sign, times)) = best.filter(|(sign, _)| !sign.is_empty())
        && times * 2 > all
    {
        let edit = Edit::insert(end, sign);
        proposals.add_by_rule(edit, EditKind::Separator, LOST_END_COST);
    }
}

/// Adds `then` or `do` at the end of a line that begins with a word which needs it.
///
/// Only in a text that has the word which ends such blocks. A shell also needs `;` or a new line before the word; it is
/// told by its `fi` and `done`.
fn lost_word(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let words = |row: &Range<usize>| {
        text[row.clone()].split(|byte| !is_word(*byte)).filter(|word| !word.is_empty())
    };
    let Some(first) = words(row).next() else { return };
    let end = trimmed_end(text, row);
    let all = 0..text.len();
    for BlockWord { openers, word, ends } in WORDS {
        let is_used = || words(&all).any(|other| ends.contains(&other));
        if !openers.contains(&first) || words(row).any(|other| other == word) || !is_used() {
            continue;
        }
        let next = next_word(text, row.end);
        if next == word {
            continue;
        }
        let is_shell =
            ends[0] == b"fi" && words(&all).any(|other| other == b"fi") || ends[0] == b"done";
        let is_parted = !is_shell || text[..end].ends_with(b";");
        // A blank after the sign is left over.
        let at = if text.get(end) == Some(&b' ') { end + 1 } else { end };
        let blank: &[u8] = if at > end { b"" } else { b" " };
        let new = [if is_parted { b"" as &[u8] } else { b";" }, blank, word].concat();
        let at = if is_parted { at } else { end };
        proposals.add_by_rule(Edit::insert(at, new), EditKind::Separator, LOST_WORD_COST);
    }
}

/// The first word after an offset.
fn next_word(text: &[u8], at: usize) -> &[u8] {
    let rest = text[at.min(text.len())..].trim_ascii_start();
    let length = rest.iter().take_while(|byte| is_word(**byte)).count();
    &rest[..length]
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::*;

    #[test]
    fn a_line_gets_the_sign_that_the_lines_beside_it_end_in() {
        for (whole, lost, shows) in [
            ("a = {\n  depth: 3,\n  names: [1],\n  quiet: 0,\n};\n", "3,", "names"),
            ("f {\n    chomp $l;\n    next;\n    $s = 2;\n}\n", "$l;", "next"),
            ("case $1 in\n    a) b ;;\n    c) d ;;\nesac\n", "b ;;", "c)"),
        ] {
            let text = whole.replacen(lost, lost.trim_end_matches([' ', ',', ';']), 1);
            let at = text.find(shows).unwrap();
            assert_eq!(edited(&text, at, propose, 1), [whole]);
        }
    }

    #[test]
    fn a_line_among_lines_without_a_sign_gets_none() {
        let text = "f {\n    a\n    b\n    c;\n}\n";
        assert!(edited(text, text.find('b').unwrap(), propose, 3).is_empty());
    }

    #[test]
    fn the_first_line_of_a_block_gets_its_last_word() {
        for (whole, text) in [
            ("if a; then\n  b\nfi\n", "if a; \n  b\nfi\n"),
            ("if a; then\n  b\nfi\n", "if a\n  b\nfi\n"),
            ("for a in b do\n  c\nend\n", "for a in b\n  c\nend\n"),
        ] {
            let at = text.len() - 3;
            let found = edited(text, at, propose, 2);
            assert_eq!(found, [whole]);
        }
    }
}
