//! The output of a command that rejected a candidate: kept for a repair, which reads places and
//! expected texts in it. It knows no format; `src/repair/located/message.rs` reads it.

use std::path::Path;
use std::sync::Arc;

use crate::observation::{Complaint, MAX_COMPLAINT_BYTES, Observation, Verdict};
use memchr::memmem;

/// The observation of a rejected candidate: with its message if the command printed any.
///
/// stderr comes first: a command that prints to both prints its results to stdout. The candidate's
/// own path is replaced by `{}`, so that equal faults have equal messages in every slot.
///
/// At most [`MAX_COMPLAINT_BYTES`] of each stream are looked at, and as many are kept in all: of a longer stream the
/// beginning and the end, because compilers name the first fault first and exceptions name it last. White space
/// alone is no message.
pub(super) fn rejected(stderr: &[u8], stdout: &[u8], file: &Path) -> Observation {
    let mut text = Vec::new();
    for part in [stderr, stdout] {
        let file = file.as_os_str().as_encoded_bytes();
        if part.len() > MAX_COMPLAINT_BYTES {
            without_path(&part[..MAX_COMPLAINT_BYTES / 2 - 1], file, &mut text);
            text.push(b'\n');
            without_path(&part[part.len() - MAX_COMPLAINT_BYTES / 2..], file, &mut text);
        } else {
            without_path(part, file, &mut text);
        }
        if text.last().is_some_and(|last| *last != b'\n') {
            text.push(b'\n');
        }
    }
    text.truncate(MAX_COMPLAINT_BYTES);
    if text.iter().all(u8::is_ascii_whitespace) {
        return Observation::Returned(Verdict::Reject);
    }
    Observation::Complained(Arc::new(Complaint::new(text)))
}

/// Appends `part` to `out` with `{}` in place of `path`.
///
/// The path is searched for as bytes: a path that the program prints in another encoding
/// stays.
fn without_path(part: &[u8], path: &[u8], out: &mut Vec<u8>) {
    let mut rest = part;
    while let Some(at) = memmem::find(rest, path) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(b"{}");
        rest = &rest[at + path.len()..];
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(stderr: &str, stdout: &str) -> Option<String> {
        let file = Path::new("/tmp/x/input.xml");
        let seen = rejected(stderr.as_bytes(), stdout.as_bytes(), file);
        let complaint = seen.complaint()?;
        Some(String::from_utf8_lossy(complaint.text()).into_owned())
    }

    #[test]
    fn a_complaint_names_the_candidate_by_braces_and_has_stderr_first() {
        let seen = message("/tmp/x/input.xml:4: error\n", "cannot read /tmp/x/input.xml");
        assert_eq!(seen.unwrap(), "{}:4: error\ncannot read {}\n");
    }

    #[test]
    fn a_command_that_prints_nothing_has_only_rejected() {
        assert_eq!(message("", " \n"), None);
        let seen = rejected(b"", b"", Path::new("/tmp/x"));
        assert_eq!(seen, Observation::Returned(Verdict::Reject));
    }

    #[test]
    fn a_complaint_is_bounded() {
        let seen = rejected(&vec![b'x'; 1 << 20], &vec![b'y'; 1 << 20], Path::new("/tmp/x"));
        assert_eq!(seen.complaint().unwrap().text().len(), MAX_COMPLAINT_BYTES);
    }

    #[test]
    fn of_a_long_complaint_the_beginning_and_the_end_are_kept() {
        let seen =
            message(&format!("first\n{}last: line 3\n", "a frame\n".repeat(2000)), "").unwrap();
        assert!(seen.starts_with("first\n") && seen.ends_with("last: line 3\n"), "{seen}");
        assert!(seen.len() <= MAX_COMPLAINT_BYTES);
    }
}
