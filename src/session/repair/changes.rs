//! What a repair changed: where in the input which bytes were dropped and added.

use crate::repair::distance::alignment::Alignment;

/// One place in which a repair changed the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The offset in the input, in bytes.
    pub at: usize,
    /// The bytes that were dropped; may be empty.
    pub dropped: Vec<u8>,
    /// The bytes that were added in their place; may be empty.
    pub added: Vec<u8>,
}

/// The changes from `input` to `text`, in the order of their places.
///
/// Two changes are separated by at least one byte that both texts have. No target is run.
pub(crate) fn changes(input: &[u8], text: &[u8]) -> Vec<Change> {
    let ends = [(input.len(), text.len(), 0)];
    let (mut at, mut text_at) = (0, 0);
    let mut changes = Vec::new();
    for (start, text_start, length) in Alignment::of(input, text).runs.into_iter().chain(ends) {
        if at < start || text_at < text_start {
            let (dropped, added) = (input[at..start].to_vec(), text[text_at..text_start].to_vec());
            changes.push(Change { at, dropped, added });
        }
        (at, text_at) = (start + length, text_start + length);
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
