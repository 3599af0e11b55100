//! What a repair changed: where in the input which bytes were dropped and added.

use seedsmith_grammar::structure::Units;
use seedsmith_grammar::structure::diff::{Step, diff};
use seedsmith_grammar::structure::lines::lines;

/// One place in which a repair changed the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The offset in the input, in bytes.
    pub at: usize,
    /// The bytes that were dropped; may be empty.
    pub dropped: Vec<u8>,
    /// The bytes that were added in their place; may be empty.
    pub added: Vec<u8>,
}

/// More bytes that are dropped may be more edits than a difference by bytes looks for.
const MANY_BYTES: usize = 1024;

/// The changes from `input` to `text`, in the order of their places.
///
/// Two changes are separated by at least one byte that both texts have. No target is run; it costs
/// one difference by bytes.
pub fn changes(input: &[u8], text: &[u8]) -> Vec<Change> {
    let changes = merged(input, text, by_bytes(input, text, 0, 0));
    let dropped: usize = changes.iter().map(|change| change.dropped.len()).sum();
    if dropped < MANY_BYTES {
        return changes;
    }
    // Perhaps too many edits for a difference by bytes: everything between the first and the last
    // is one change then.
    let lines = merged(input, text, by_lines(input, text));
    let dropped_by_lines: usize = lines.iter().map(|change| change.dropped.len()).sum();
    if dropped_by_lines < dropped { lines } else { changes }
}

/// The difference by bytes of two texts that begin at offsets of larger ones.
fn by_bytes(input: &[u8], text: &[u8], input_at: usize, text_at: usize) -> Vec<Step> {
    let steps = diff((input, &Units::bytes(input.len())), (text, &Units::bytes(text.len())));
    let moved = |step| match step {
        Step::Common(span) => Step::Common(span.start + input_at..span.end + input_at),
        Step::Delete(span) => Step::Delete(span.start + input_at..span.end + input_at),
        Step::Insert(span) => Step::Insert(span.start + text_at..span.end + text_at),
    };
    steps.into_iter().map(moved).collect()
}

/// The difference by lines, and by bytes between lines that both texts have.
fn by_lines(input: &[u8], text: &[u8]) -> Vec<Step> {
    let (mut steps, mut at) = (Vec::new(), (0, 0));
    let mut end = (0, 0);
    for step in diff((input, &lines(input)), (text, &lines(text))) {
        match step {
            Step::Delete(span) => end.0 = span.end,
            Step::Insert(span) => end.1 = span.end,
            Step::Common(span) => {
                let (old, new) = (&input[at.0..end.0], &text[at.1..end.1]);
                steps.extend(by_bytes(old, new, at.0, at.1));
                at = (span.end, end.1 + span.len());
                end = at;
                steps.push(Step::Common(span));
            }
        }
    }
    steps.extend(by_bytes(&input[at.0..], &text[at.1..], at.0, at.1));
    steps
}

/// Steps without a common byte between them become one change.
fn merged(input: &[u8], text: &[u8], steps: Vec<Step>) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for step in steps {
        if let Step::Common(span) = &step {
            if span.is_empty() {
                continue;
            }
            at = span.end;
            is_open = false;
            continue;
        }
        if !is_open {
            changes.push(Change { at, dropped: Vec::new(), added: Vec::new() });
            is_open = true;
        }
        let change = changes.last_mut().expect("one was just opened");
        match step {
            Step::Delete(span) => {
                at = span.end;
                change.dropped.extend_from_slice(&input[span]);
            }
            Step::Insert(span) => change.added.extend_from_slice(&text[span]),
            Step::Common(_) => unreachable!("handled above"),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(input: &str, text: &str) -> Vec<(usize, String, String)> {
        let words = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let changes = changes(input.as_bytes(), text.as_bytes()).into_iter();
        changes.map(|one| (one.at, words(one.dropped), words(one.added))).collect()
    }

    #[test]
    fn what_two_large_texts_share_between_many_edits_is_no_change() {
        let line = |n: usize, word: &str| format!("{n} {word} of a text with many lines\n");
        let input: String = (0..2000).map(|n| line(n, "one")).collect();
        let text: String =
            (0..2000).map(|n| line(n, if n % 2 == 0 { "one" } else { "two and three" })).collect();
        let dropped: usize = told(&input, &text).iter().map(|(_, dropped, _)| dropped.len()).sum();
        assert!(dropped <= 3 * 1000, "{dropped}");
    }

    #[test]
    fn a_change_is_its_place_in_the_input_and_the_bytes_dropped_and_added() {
        let change = |at, dropped: &str, added: &str| (at, dropped.to_owned(), added.to_owned());
        assert_eq!(told("same", "same"), []);
        assert_eq!(told("(a)! b", "(a) b)"), [change(3, "!", ""), change(6, "", ")")]);
        assert_eq!(told("1;2", "1,2"), [change(1, ";", ",")]);
    }
}
