//! How far an edit moved the report of a fault: which edits count as mends while the text is not
//! valid yet.

use super::edit::Edit;
use super::message::Message;
use crate::repair::located::proposals::Fault;

/// How far an edit moved the report of the first fault, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Progress {
    /// To the end of the text: more likely a quotation mark too much than a mend.
    ToTheEnd,
    /// By some bytes.
    Slight,
    /// To another line, or there are fewer reports.
    Weak,
    /// Back to a line before the edit, with another wording. The text there has not changed, so the validator
    /// looks for one kind of faults in the whole text before it looks for the other, and has found no more
    /// of the first.
    Back,
    /// Some lines on.
    Strong,
}

/// How far the report moved on; `None` if it did not.
///
/// `said` is the message about `candidate`. Reports at the end of the text count least, unless they were made before the
/// edit, too: they are more often an opened quotation than a mended fault.
pub(super) fn progress(
    fault: &Fault,
    edit: &Edit,
    candidate: &[u8],
    said: &Message,
) -> Option<Progress> {
    let at = said.at?;
    let base = edit.moved(fault.at).max(edit.at + edit.new.len()).min(candidate.len());
    let is_fewer = said.count < fault.said.count;
    if at <= base + 1 {
        let is_weak = is_fewer && at + 1 >= edit.moved(fault.at)
            || shows_text(edit, candidate) && is_between(fault, edit, candidate, said, at);
        return match is_weak {
            true => Some(Progress::Weak),
            false => is_back(fault, edit, candidate, said, at).then_some(Progress::Back),
        };
    }
    let passed = &candidate[base..at.min(candidate.len())];
    let lines = passed.iter().filter(|byte| **byte == b'\n').count();
    // A report that came with the first one is none that the edit has made.
    let was_reported = fault.said.others.iter().any(|other| edit.moved(*other) == at);
    Some(if said.is_end && !fault.said.is_end && lines > 3 && !was_reported {
        Progress::ToTheEnd
    } else if lines >= 2 || passed.len() >= 200 {
        Progress::Strong
    } else if lines >= 1 || passed.len() >= 8 || is_fewer {
        Progress::Weak
    } else {
        Progress::Slight
    })
}

/// Delimiters that end comments and strings of several lines.
const LONG_ENDS: [&[u8]; 4] = [b"*/", b"-->", b"\"\"\"", b"'''"];

/// Whether an edit ends a comment or a string of several lines, so that text which was in it is read for the
/// first time, with faults of its own.
fn shows_text(edit: &Edit, candidate: &[u8]) -> bool {
    let end = edit.at + edit.new.len();
    let around = &candidate[edit.at.saturating_sub(2)..candidate.len().min(end + 2)];
    LONG_ENDS.iter().any(|long| memchr::memmem::find(around, long).is_some())
}

/// Whether the report at `at` is of another kind, some lines after the edit and before the fault.
fn is_between(fault: &Fault, edit: &Edit, candidate: &[u8], said: &Message, at: usize) -> bool {
    let end = edit.at + edit.new.len();
    let is_after = at > end && candidate[end..at].contains(&b'\n');
    is_after && at < edit.moved(fault.at) && said.wording != fault.said.wording
}

/// Whether the report at `at` is of another kind, and on a line before the edit and before the fault.
fn is_back(fault: &Fault, edit: &Edit, candidate: &[u8], said: &Message, at: usize) -> bool {
    let first = fault.at.min(edit.at);
    at < first
        && candidate[at..first].contains(&b'\n')
        && !said.is_unclosed
        && said.wording != fault.said.wording
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_text_that_was_in_a_comment_counts_as_progress() {
        let text = b"/* one\nimport x;\n/* two */\nf(x);\n";
        let said = |at: usize, wording: &str| Message {
            at: Some(at),
            wording: wording.to_owned(),
            count: 1,
            ..Message::default()
        };
        let fault = Fault { at: 28, from: 0, said: said(28, "unknown"), is_silent: false };
        let [ended, other] = [" */", " x"].map(|new| {
            let edit = Edit::insert(6, new);
            let candidate = edit.apply(text);
            progress(&fault, &edit, &candidate, &said(10, "no such file"))
        });
        assert_eq!(ended, Some(Progress::Weak));
        assert_eq!(other, None);
    }
    #[test]
    fn a_report_at_the_end_that_was_there_before_the_edit_is_no_sign_of_an_opened_quotation() {
        let text = b"<a>\n<b>\xb4x</b>\n<c>\n<d/>\n<e/>\n</a>\n";
        let end = text.len() - 2;
        let said = |at: usize, others: &[usize], is_end: bool| Message {
            at: Some(at),
            others: others.to_vec(),
            is_end,
            count: 1,
            ..Message::default()
        };
        let edit = Edit::delete(7..8);
        let moved = |others: &[usize]| {
            let fault = Fault { at: 7, from: 0, said: said(7, others, false), is_silent: false };
            progress(&fault, &edit, &edit.apply(text), &said(end - 1, &[], true))
        };
        assert_eq!(moved(&[end]), Some(Progress::Strong));
        assert_eq!(moved(&[]), Some(Progress::ToTheEnd));
    }
}
