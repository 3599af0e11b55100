//! Whether a failure of a patched target is the one of a kit.
//!
//! Addresses and lines move with every patch, so frames are not compared, and a place may have
//! another line and folder if the name of the file and the message are the same.

use seedsmith_engine::{Message, Signature};

use super::file::SignatureFile;

/// Whether `seen` is the failure of the kit.
pub(super) fn is_same(known: &SignatureFile, seen: &Signature) -> bool {
    if seen.kind.to_string() != known.kind {
        return false;
    }
    match (&known.place, &seen.place) {
        (Some(known_place), Some(place)) => {
            let message = seen.message.as_ref().map(Message::normalised);
            let is_moved =
                file_of(known_place) == file_of(place) && known.message.as_deref() == message;
            known_place == place || is_moved
        }
        _ => true,
    }
}

/// The name of the file in `folder/file:line:column`: another working tree is in another folder.
fn file_of(place: &str) -> &str {
    let file = place.split(':').next().unwrap_or(place);
    file.rsplit('/').next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::Kind;

    #[test]
    fn a_panic_whose_line_has_moved_is_the_same_if_its_message_is() {
        let known = SignatureFile {
            kind: "panic".to_owned(),
            place: Some("src/lib.rs:7:5".to_owned()),
            message: Some("planted".to_owned()),
            is_status: false,
            stack: Vec::new(),
        };
        let seen = |place: &str, message: &str| Signature {
            place: Some(place.to_owned()),
            message: Some(Message::new(message)),
            ..Signature::of_kind(Kind::Panic)
        };
        assert!(is_same(&known, &seen("src/lib.rs:9:5", "planted")));
        assert!(is_same(&known, &seen("/other/tree/src/lib.rs:9:5", "planted")));
        assert!(is_same(&known, &seen("src/lib.rs:7:5", "another message")));
        assert!(!is_same(&known, &seen("src/lib.rs:9:5", "another message")));
        assert!(!is_same(&known, &seen("src/other.rs:7:5", "planted")));
        assert!(!is_same(&known, &Signature::of_kind(Kind::Abort)));
    }
}
