//! Edits that take over what the text has elsewhere after the same bytes: the token that is lost or wrong
//! here, as a similar line or item has it.

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::edits::tokens::around;
use crate::repair::located::edits::words::{is_near, whole};
use crate::repair::located::proposals::{Proposals, line};
use seedsmith_grammar::internal::is_word;

/// Tokens before and after a place that are looked at, because a fault is mostly reported a token or more
/// after it. Not measured.
const TOKENS_BEFORE_AND_AFTER: (usize, usize) = (8, 4);
/// Bytes before a token that have to be elsewhere too. Copies between the same neighbouring words
/// replaced whole values (docs/notes/2026-11-22-repair-by-messages.md), so more than a word's end has to
/// match; six was not measured.
const CONTEXT_BYTES: usize = 6;
/// Bytes before a token that are compared, because more say nothing about it. Not measured.
const MAX_COMPARED_BEFORE: usize = 40;
/// Bytes after a token that are compared: fewer, because the next fault may be there. Not measured.
const MAX_COMPARED_AFTER: usize = 16;
/// Places elsewhere that are compared, so that a text of a thousand similar rows takes no longer. Not
/// measured.
const MAX_COMPARED_PLACES: usize = 400;
/// Of these, places whose token is tried, because the first are most alike. Not measured.
const MAX_TRIED_PLACES: usize = 5;
/// How much likelier a token is for each byte before it that is the same (a logarithm), so that 40 bytes
/// count 4, as much as what a message asks for. Not measured.
const GAIN_PER_BYTE_BEFORE: f32 = 0.1;
/// The same for bytes after it: more for each, because they were not chosen for being the same. Not
/// measured.
const GAIN_PER_BYTE_AFTER: f32 = 0.25;

/// The cost of replacing a word that is nowhere else in the text by an unlike token (a logarithm), because a token that
/// damage has put there is mostly one that the text has elsewhere too. Not measured.
const ONLY_WORD_COST: f32 = 10.0;

/// Adds the tokens of similar places.
///
/// Costs no test. Each token near the fault is compared with the places of the text that have the
/// same bytes before it.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    for place in proposals.places().into_iter().take(3) {
        let tokens = around(proposals.text, place, TOKENS_BEFORE_AND_AFTER);
        for token in &tokens {
            take_over(proposals, token);
            // A token may be lost between two blanks.
            if proposals.text[..token.start].ends_with(b"  ") {
                take_over(proposals, &(token.start - 1..token.start - 1));
            }
        }
    }
}

/// A token elsewhere, and how much around it is the same as here.
struct Sibling<'t> {
    /// The token, for an insertion with the blanks after it.
    new: &'t [u8],
    /// The span that it replaces here.
    old: Range<usize>,
    left: usize,
    right: usize,
}

/// Adds the tokens that follow the same bytes elsewhere: in place of `token`, and before it.
///
/// Places are compared by how many bytes before and after them are the same. The tokens of the best
/// few are proposed, each once.
fn take_over(proposals: &mut Proposals<'_>, token: &Range<usize>) {
    let text = proposals.text;
    let Some(mut from) = token.start.checked_sub(CONTEXT_BYTES) else { return };
    let start = line(text, token.start).start;
    if text[start..token.start].iter().all(u8::is_ascii_whitespace) {
        // The first token of a line is compared with those of lines that are indented as much.
        from = start.saturating_sub(1);
    }
    let context = &text[from..token.start];
    if !context.starts_with(b"\n") && context.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let mut found: Vec<Sibling<'_>> = Vec::new();
    for other in memchr::memmem::find_iter(text, context).take(MAX_COMPARED_PLACES) {
        let start = other + context.len();
        if start == token.start || start >= text.len() {
            continue;
        }
        let end = token_end(text, start);
        let spaced = end + text[end..].iter().take_while(|byte| **byte == b' ').count();
        let left = same_before(&text[..start], &text[..token.start]);
        let own = &text[token.clone()];
        if !own.is_empty() && text[start..end] != *own {
            let right = same_after(&text[end..], &text[token.end..]);
            found.push(Sibling { new: &text[start..end], old: token.clone(), left, right });
        }
        for end in [end, spaced] {
            let right = same_after(&text[end..], &text[token.start..]);
            let old = token.start..token.start;
            found.push(Sibling { new: &text[start..end], old, left, right });
        }
    }
    let own = &text[token.clone()];
    let is_only_here = own.len() > 1
        && own.iter().all(|byte| is_word(*byte))
        && whole(text, 0..text.len(), own).take(2).count() == 1;
    found.retain(|one| one.right > 1 && !one.new.trim_ascii().is_empty());
    found.sort_by_key(|one| (std::cmp::Reverse(one.left + 2 * one.right), one.new));
    found.dedup_by(|a, b| a.new == b.new && a.old == b.old);
    for one in found.into_iter().take(MAX_TRIED_PLACES) {
        let bonus = GAIN_PER_BYTE_BEFORE * one.left as f32 + GAIN_PER_BYTE_AFTER * one.right as f32;
        let is_lost = is_only_here && one.old == *token && !is_near(&text[token.clone()], one.new);
        let bonus = if is_lost { bonus - ONLY_WORD_COST } else { bonus };
        proposals.add(Edit::new(one.old, one.new), EditKind::Copy, bonus);
    }
}

/// The end of the token that begins at `start`: of a word, or of one other byte.
///
/// A word ends before the first byte that is none of a word; at the end of the text the result is
/// the text's length.
fn token_end(text: &[u8], start: usize) -> usize {
    let word = text[start..].iter().take_while(|byte| is_word(**byte)).count();
    start + word.max(1)
}

/// How many bytes are the same at the ends of two texts, at most `MAX_COMPARED_BEFORE`.
fn same_before(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().rev().zip(right.iter().rev()).take(MAX_COMPARED_BEFORE);
    pairs.take_while(|(a, b)| a == b).count()
}

/// How many bytes are the same at the beginnings of two texts, at most `MAX_COMPARED_AFTER`.
fn same_after(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take(MAX_COMPARED_AFTER).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_token_of_a_line_is_the_one_that_similar_lines_have() {
        let block =
            |name: &str| format!("struct user_{name} {{\n\tint first;\n\tint last;\n}};\n\n");
        let names = ["one", "two", "three", "four"];
        let whole: String = names.iter().map(|name| block(name)).collect();
        let text = whole.replacen("struct user_three", "last user_three", 1);
        let at = text.find("user_three").unwrap();
        let fault = Fault { at, from: 0, said: Message::default(), is_silent: false };
        let model = Model::of(text.as_bytes());
        let mut proposals = Proposals::new(text.as_bytes(), &model, &fault);
        propose(&mut proposals);
        let edits = proposals.into_order(5);
        assert!(edits.iter().any(|edit| edit.apply(text.as_bytes()) == whole.as_bytes()));
    }

    use crate::repair::located::edits::similar_places::*;
    use crate::repair::located::edits::testing::edited;
    use crate::repair::located::message::Message;
    use crate::repair::located::model::Model;
    use crate::repair::located::proposals::Fault;

    #[test]
    fn the_first_token_of_a_line_without_indentation_does_not_depend_on_the_line_before() {
        let whole =
            "BEGIN;\nCREATE TABLE one (\n  a INTEGER\n);\nCREATE TABLE two (\n  b TEXT\n);\n";
        let text = whole.replacen("CREATE TABLE two", ", TABLE two", 1);
        let found = edited(&text, text.find(", TABLE").unwrap(), propose, 4);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn a_lost_or_wrong_token_is_the_one_that_similar_places_have() {
        const ROW: &str = "INSERT OR IGNORE INTO pages (owner_, weight_) VALUES (1, 2);\n";
        for (whole, damaged) in [
            ("OR IGNORE INTO", "OR INTO"),
            ("IGNORE INTO pages (", "IGNORE INTO  ("),
            ("VALUES (1", "VALUES 1"),
            ("weight_)", "w)"),
            (") VALUES", "] VALUES"),
            ("INSERT OR", "PRIMARY OR"),
        ] {
            let text = format!("{}{}", ROW.repeat(4), ROW.replacen(whole, damaged, 1));
            let at = text.find(damaged).unwrap() + 3;
            let fault = Fault { at, from: 0, said: Message::default(), is_silent: false };
            let model = Model::of(text.as_bytes());
            let mut proposals = Proposals::new(text.as_bytes(), &model, &fault);
            propose(&mut proposals);
            let edits = proposals.into_order(12);
            let edited = |edit: &Edit| String::from_utf8(edit.apply(text.as_bytes())).unwrap();
            let found: Vec<String> = edits.iter().map(edited).collect();
            let squeezed = |one: &String| one.replace("  ", " ") == ROW.repeat(5);
            assert!(found.iter().any(squeezed), "{damaged}: {found:#?}");
        }
    }
}
