//! A failure that was written down on one commit, and whether another commit shows it.
//!
//! Between commits lines move and addresses change, so a place is compared by its file, a stack by
//! its functions, and a message without its numbers.

use std::path::Path;

use serde_json::{Deserializer, Value};

use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::event::StackLine;
use seedsmith_engine::{Kind, Message, Signature};

/// Innermost functions of which two stacks of one failure have one in common: as many as the
/// default rule for the same failure compares.
const COMPARED_FUNCTIONS: usize = 3;

/// A failure as `--json` reports it.
///
/// It has only the parts that do not change when code around the failure changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    kind: String,
    /// The file of a panic.
    file: Option<String>,
    message: Option<Message>,
    /// The innermost functions.
    functions: Vec<String>,
}

impl Recorded {
    /// The last failure in `path`, which holds JSON Lines of `--json` or a journal.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no failure in it.
    pub(super) fn read(path: &Path) -> Result<Self, Trouble> {
        let doing = || format!("failed to read {}", path.display());
        let text = std::fs::read_to_string(path).or_exit(Exit::Files, doing)?;
        let values = Deserializer::from_str(&text).into_iter::<Value>();
        let mut last = None;
        for value in values {
            let value = value.or_exit(Exit::Usage, || format!("{} is not JSON", path.display()))?;
            last = Recorded::of(&value["signature"]).or(last);
        }
        last.ok_or_else(|| {
            let path = path.display();
            let how = "`seedsmith run --json INPUT` on a commit that fails prints one";
            Trouble::new(Exit::Usage, format!("{path} has no failure in it; {how}"))
        })
    }

    /// The failure in one event; `None` if it lacks a field of a failure.
    fn of(signature: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let frames = signature["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
        // In a journal a frame is `function at file:line`, or `module+0x12` without debug
        // information.
        let functions = frames.iter().filter_map(|frame| match frame.as_str() {
            Some(frame) => frame.split(" at ").next(),
            None => frame["function"].as_str(),
        });
        Some(Recorded {
            kind: text(&signature["kind"])?,
            file: signature["place"].as_str().map(|place| file_of(place).to_owned()),
            message: signature["message"].as_str().map(Message::new),
            functions: innermost(functions),
        })
    }

    /// Whether a command's exit status 0 is the failure.
    pub(super) fn is_status(&self) -> bool {
        self.kind == Kind::Command.to_string()
    }

    /// Whether `seen`, with its `stack`, is this failure.
    ///
    /// The kind is compared, and then the file and the message without numbers, if both have a
    /// place; otherwise the innermost functions.
    pub(super) fn is_same(&self, seen: &Signature, stack: &[StackLine]) -> bool {
        if self.kind != seen.kind.to_string() {
            return false;
        }
        if let (Some(file), Some(place)) = (&self.file, &seen.place) {
            return file == file_of(place) && self.message == seen.message;
        }
        let functions = innermost(stack.iter().map(|line| line.function.as_str()));
        self.functions.is_empty()
            || functions.is_empty()
            || functions.iter().any(|function| self.functions.contains(function))
    }
}

/// The first functions that are known by a name.
fn innermost<'a>(functions: impl Iterator<Item = &'a str>) -> Vec<String> {
    let named = functions.filter(|function| !function.contains("+0x"));
    named.take(COMPARED_FUNCTIONS).map(str::to_owned).collect()
}

/// A place without its line and column.
fn file_of(place: &str) -> &str {
    place.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn panic(place: &str, message: &str) -> Signature {
        Signature {
            place: Some(place.to_owned()),
            message: Some(Message::new(message)),
            ..Signature::of_kind(Kind::Panic)
        }
    }

    fn stack(functions: &[&str]) -> Vec<StackLine> {
        let line = |function: &&str| StackLine {
            function: (*function).to_owned(),
            file: None,
            line: None,
            column: None,
            own: true,
        };
        functions.iter().map(line).collect()
    }

    #[test]
    fn a_panic_is_the_same_if_its_line_moved_and_its_numbers_changed() {
        let signature = json!({
            "kind": "panic", "place": "src/a.rs:18:9", "message": "the len is 3", "frames": []
        });
        let recorded = Recorded::of(&signature).unwrap();
        let is_same = |place, message| recorded.is_same(&panic(place, message), &[]);
        assert!(is_same("src/a.rs:18:9", "the len is 3"));
        assert!(is_same("src/a.rs:240:11", "the len is #"));
        assert!(is_same("src/a.rs:240:11", "the len is 17"));
        assert!(!is_same("src/b.rs:18:9", "the len is 3"));
        assert!(!is_same("src/a.rs:18:9", "not yet implemented"));
        assert!(!recorded.is_same(&Signature::of_kind(Kind::Abort), &[]));
    }

    #[test]
    fn a_signal_is_the_same_if_one_of_the_innermost_functions_is() {
        let frames =
            json!([{"function": "copy"}, {"function": "parse"}, "main at a.c:200", "start"]);
        let fault = Kind::Signal(8, seedsmith_engine::Fault::Unknown);
        let recorded = Recorded::of(&json!({"kind": fault.to_string(), "frames": frames})).unwrap();
        let seen = Signature::of_kind(fault);
        assert!(recorded.is_same(&seen, &stack(&["memcpy", "parse", "main"])));
        assert!(!recorded.is_same(&seen, &stack(&["free", "drop", "close", "start"])));
        // Without debug information only the kind is known.
        assert!(recorded.is_same(&seen, &stack(&["target+0x12a0"])));
        assert!(recorded.is_same(&seen, &[]));
    }

    #[test]
    fn the_last_failure_of_a_file_counts_and_a_file_without_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("failure.json");
        let line = |kind: &str| format!("{}\n", json!({"signature": {"kind": kind}}));
        let other = json!({"event": "note", "text": "x"}).to_string();
        std::fs::write(&path, [line("abort"), line("leak"), other.clone()].concat()).unwrap();
        assert_eq!(Recorded::read(&path).unwrap().kind, "leak");
        for text in [other.as_str(), "", "{", "{\"signature\": null}"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Recorded::read(&path).unwrap_err().exit, Exit::Usage, "{text}");
        }
    }
}
