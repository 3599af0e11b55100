//! A failure and its stack, for people: who it is in one line, its message as it was printed, and the
//! functions of its stack with runtimes and recursions folded.
//!
//! The console's facts show several lines; SARIF, JUnit, Markdown and the tables of many inputs have only
//! one. Control characters are escaped later, where the text is printed.

use crate::event::{SourcePlace, StackLine};
use anstyle::Style;

use super::recursion::{folded, with_function};
use crate::report::show;
use crate::report::terminal::{FAILURE, FAINT, Facts, Styled};
use seedsmith_engine::Signature;

/// Lines of a stack that are shown; a recursion is one. A guess: with them the facts of a result fit on a screen;
/// `-v` shows all. Not measured.
const MAX_STACK_LINES: usize = 12;
/// Lines of a message that are shown. A guess: the message of `assert_eq!` has three, and a longer one would push
/// the rest off the screen; not measured.
const MAX_MESSAGE_LINES: usize = 8;

/// Adds the facts `failure` and `stack`; without `all`, messages and stacks are cut and say how many lines are left
/// out. A failure without frames has no stack.
///
/// `stack` has the innermost function first, already named: no debug information is read here. `all` is
/// `--verbose`.
pub(crate) fn add_failure(
    facts: &mut Facts,
    signature: &Signature,
    stack: &[StackLine],
    all: bool,
) {
    facts.add_prose("failure", with_message(signature, stack, all));
    let mut lines = folded(stack, all);
    let limit = if all { usize::MAX } else { MAX_STACK_LINES };
    if let Some(more) = lines.len().checked_sub(limit).filter(|more| *more > 0) {
        lines.truncate(MAX_STACK_LINES);
        let more = format!("… {}; -v shows all", show::counted(more as u64, "more", "more"));
        lines.push(Styled::default().with(FAINT, &more));
    }
    if !signature.frames.is_empty() {
        facts.add_prose("stack", lines);
    }
}

/// The failure on a line, and below it further lines of its message, as the target printed them.
///
/// The first line of the message is on the line of the failure. Without `all` at most 8 lines are below it;
/// if some are left out, the last line says how many.
pub(crate) fn with_message(signature: &Signature, stack: &[StackLine], all: bool) -> Vec<Styled> {
    let line = who(signature, stack);
    let Some(message) = &signature.message else { return vec![line] };
    let mut text = message.text().lines();
    let first = text.next().unwrap_or_default();
    let mut lines = vec![line.with(Style::new(), &format!(": {first}"))];
    let rest: Vec<&str> = text.collect();
    let limit = if all { usize::MAX } else { MAX_MESSAGE_LINES };
    let shown = if rest.len() > limit { limit - 1 } else { rest.len() };
    lines.extend(rest[..shown].iter().map(|line| Styled::plain(line)));
    if shown < rest.len() {
        let more = format!("… {} more lines; -v shows all", rest.len() - shown);
        lines.push(Styled::default().with(FAINT, &more));
    }
    lines
}

/// The failure on one line: `panic at src/lib.rs:3:5: the len is 5`. Lines of the message are joined by blanks.
///
/// The text is not cut: callers cut it to their width. An empty `stack` is allowed; then a failure without a
/// place has only its kind and message.
pub(crate) fn in_one_line(signature: &Signature, stack: &[StackLine]) -> Styled {
    let line = who(signature, stack);
    match &signature.message {
        Some(message) => line.with(Style::new(), &format!(": {}", message.in_one_line())),
        None => line,
    }
}

/// Kind and place. A failure without a place is in the innermost function of the user's code: `abort in parse
/// at src/parse.rs:7`. The place is a link to the file, where links are shown. Without a place and without a
/// function of the user's only the kind is left.
fn who(signature: &Signature, stack: &[StackLine]) -> Styled {
    let line = Styled::default().with(FAILURE, &signature.kind_name());
    if let Some(place) = &signature.place {
        return line
            .with(Style::new(), " at ")
            .with_place(&show::short_paths(place), SourcePlace::of(place).file);
    }
    match stack.iter().find(|line| line.own) {
        Some(innermost) => with_function(line.with(Style::new(), " in "), innermost),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::{Frame, Kind, Message};

    fn line(function: &str, own: bool) -> StackLine {
        let file = Some(format!("src/{function}.rs"));
        StackLine { function: function.to_owned(), file, line: Some(7), column: Some(2), own }
    }

    fn shown(signature: &Signature, stack: &[StackLine], all: bool) -> String {
        let mut facts = Facts::default();
        add_failure(&mut facts, signature, stack, all);
        facts.text()
    }

    #[test]
    fn a_message_is_shown_as_it_was_printed() {
        let text = "assertion `left == right` failed\n  left: 1\n right: 2";
        let signature = Signature {
            place: Some("src/lib.rs:3:5".to_owned()),
            message: Some(Message::new(text)),
            ..Signature::of_kind(Kind::Panic)
        };
        assert_eq!(
            shown(&signature, &[], false),
            "  failure     panic at src/lib.rs:3:5: assertion `left == right` failed\n                \
                             left: 1\n               right: 2\n"
        );
        assert_eq!(
            in_one_line(&signature, &[]).text(),
            "panic at src/lib.rs:3:5: assertion `left == right` failed left: 1 right: 2"
        );
    }

    #[test]
    fn long_messages_and_stacks_are_cut_unless_all_is_asked_for() {
        let text: Vec<String> = (0..20).map(|at| format!("line {at}")).collect();
        let signature = Signature {
            message: Some(Message::new(&text.join("\n"))),
            frames: vec![Frame::at("m", 1, true)],
            ..Signature::of_kind(Kind::Panic)
        };
        let stack: Vec<StackLine> = (0..30).map(|at| line(&format!("f{at}"), true)).collect();
        let short = shown(&signature, &stack, false);
        assert_eq!(short.lines().count(), 9 + 13, "{short}");
        assert!(
            short.contains("… 12 more lines; -v") && short.contains("… 18 more; -v"),
            "{short}"
        );
        assert_eq!(shown(&signature, &stack, true).lines().count(), 20 + 30);
    }

    #[test]
    fn a_failure_without_a_place_is_where_its_innermost_own_function_is() {
        let signature = Signature::of_kind(Kind::Abort);
        let stack = [line("abort", false), line("parse", true)];
        assert_eq!(in_one_line(&signature, &stack).text(), "abort in parse at src/parse.rs:7");
        assert_eq!(in_one_line(&signature, &[]).text(), "abort");
    }
}
