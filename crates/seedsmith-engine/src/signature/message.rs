//! The message of a failure: as the target printed it, and as it is compared.
//!
//! Two runs of one failure often print other numbers, addresses and names. People and programs are
//! shown the text; only comparisons read the normalised form.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Signature;

/// Bytes of a message that are kept, at most: a target may print megabytes, and each distinct message is
/// kept in memory and on disk. A guess; not measured.
pub(super) const MAX_MESSAGE_BYTES: usize = 4096;
/// Characters of a normalised message, at most: the part that distinguishes two failures comes
/// first. A guess; not measured.
const MAX_NORMALISED_CHARS: usize = 200;

/// The message that a target printed about its failure. Two messages are equal if their normalised
/// forms are.
#[derive(Clone, Debug)]
pub struct Message {
    /// As it was printed, at most [`MAX_MESSAGE_BYTES`].
    text: String,
    /// As it is compared.
    normalised: String,
}

impl Message {
    /// The message that a target printed as `text`. White space around it is dropped, and so is the
    /// text beyond `MAX_MESSAGE_BYTES`, with a `…` in its place. A zero byte becomes U+FFFD.
    pub fn new(text: &str) -> Self {
        let text = shortened(&text.trim().replace('\0', "\u{fffd}"));
        Message { normalised: normalise(&text), text }
    }

    /// The message as it was printed, on several lines perhaps. It is data from a target: nothing in
    /// it is trusted.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The normalised form: hexadecimal numbers are `0x?`, other numbers `#`, quoted text is `"…"`, white
    /// space is folded, and at most 200 characters are kept.
    pub fn normalised(&self) -> &str {
        &self.normalised
    }

    /// The text on one line.
    pub fn in_one_line(&self) -> String {
        self.text
            .split('\n')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The text, or its beginning and `…` where it is too long.
fn shortened(text: &str) -> String {
    if text.len() <= MAX_MESSAGE_BYTES {
        return text.to_owned();
    }
    let most = MAX_MESSAGE_BYTES - '…'.len_utf8();
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", &text[..end])
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.normalised == other.normalised
    }
}

impl Eq for Message {}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normalised.hash(state);
    }
}

impl PartialOrd for Message {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Message {
    fn cmp(&self, other: &Self) -> Ordering {
        self.normalised.cmp(&other.normalised)
    }
}

/// A signature as a key that distinguishes messages by their texts, so that each candidate keeps the
/// message that it printed.
#[derive(Clone, Debug)]
pub(crate) struct AsPrinted(pub Arc<Signature>);

impl AsPrinted {
    /// The message as it was printed.
    fn text(&self) -> Option<&str> {
        self.0.message.as_ref().map(Message::text)
    }
}

impl PartialEq for AsPrinted {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && self.text() == other.text()
    }
}

impl Eq for AsPrinted {}

impl Hash for AsPrinted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
        self.text().hash(state);
    }
}

/// Replaces the parts that differ between two runs of one failure.
///
/// `0x7f` becomes `0x?`, other numbers `#`, text in quotes `"…"`, and white space one space. Digits
/// that are part of a word stay. At most [`MAX_NORMALISED_CHARS`] characters are read.
pub(crate) fn normalise(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message.trim().chars().peekable();
    let mut kept = 0;
    while let Some(c) = rest.next() {
        if kept >= MAX_NORMALISED_CHARS {
            break;
        }
        kept += 1;
        let in_word = out.chars().last().is_some_and(|last| last.is_alphabetic() || last == '_');
        if c == '0' && rest.peek() == Some(&'x') {
            rest.next();
            while rest.next_if(char::is_ascii_hexdigit).is_some() {}
            out.push_str("0x?");
        } else if c.is_ascii_digit() && !in_word {
            while rest.next_if(char::is_ascii_digit).is_some() {}
            out.push('#');
        } else if c == '"' {
            let mut is_escaped = false;
            for inner in rest.by_ref() {
                match inner {
                    '"' if !is_escaped => break,
                    _ => is_escaped = inner == '\\' && !is_escaped,
                }
            }
            out.push_str("\"…\"");
        } else if c.is_whitespace() {
            while rest.next_if(|next| next.is_whitespace()).is_some() {}
            out.push(' ');
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Kind;

    #[test]
    fn numbers_addresses_and_quotations_do_not_tell_failures_apart() {
        assert_eq!(
            normalise("index out of bounds: the len is 5 but the index is 17"),
            "index out of bounds: the len is # but the index is #"
        );
        assert_eq!(normalise("at 0xdeadbeef:\n\tgone"), "at 0x?: gone");
        assert_eq!(normalise(r#"called on "a\"b" in utf8"#), r#"called on "…" in utf8"#);
    }

    #[test]
    fn a_message_keeps_its_text_and_is_compared_by_its_normalised_form() {
        let (one, other) = (Message::new("index 5\n  of 3\n"), Message::new("index 17\n  of 2"));
        assert_eq!(one, other);
        assert_eq!(one.text(), "index 5\n  of 3");
        assert_eq!(
            (one.in_one_line().as_str(), one.normalised()),
            ("index 5 of 3", "index # of #")
        );
        assert_ne!(one, Message::new("length 5 of 3"));
    }

    #[test]
    fn a_key_as_printed_tells_texts_apart() {
        let key = |text: &str| {
            let message = Some(Message::new(text));
            AsPrinted(Arc::new(Signature { message, ..Signature::of_kind(Kind::Panic) }))
        };
        assert_eq!(key("index 5").0, key("index 6").0);
        assert_ne!(key("index 5"), key("index 6"));
        assert_eq!(key("index 5"), key("index 5"));
    }

    #[test]
    fn a_long_message_is_cut_once() {
        let long = Message::new(&"é\0".repeat(3_000));
        assert!(long.text().len() <= MAX_MESSAGE_BYTES && long.text().ends_with('…'));
        assert_eq!(Message::new(long.text()).text(), long.text());
    }
}
