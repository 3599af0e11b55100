//! What a repair changed: where in the input which bytes were dropped and added.

use seedsmith_grammar::structure::Units;
use seedsmith_grammar::structure::diff::{Step, diff};

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

/// The changes from `input` to `text`, in the order of their places.
///
/// Two changes are separated by at least one byte that both texts have. No target is run; it costs
/// one difference by bytes.
pub fn changes(input: &[u8], text: &[u8]) -> Vec<Change> {
    let steps = diff((input, &Units::bytes(input.len())), (text, &Units::bytes(text.len())));
    let mut changes: Vec<Change> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for step in steps {
        if let Step::Common(span) = &step {
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
    fn a_change_is_its_place_in_the_input_and_the_bytes_dropped_and_added() {
        let change = |at, dropped: &str, added: &str| (at, dropped.to_owned(), added.to_owned());
        assert_eq!(told("same", "same"), []);
        assert_eq!(told("(a)! b", "(a) b)"), [change(3, "!", ""), change(6, "", ")")]);
        assert_eq!(told("1;2", "1,2"), [change(1, ";", ",")]);
    }
}
