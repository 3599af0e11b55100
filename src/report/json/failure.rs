//! Failures with their stacks, as JSON has them.
//!
//! Every line that has a failure gets it from here, so that a program finds the same members in all of them.
//! Nothing is looked up: the caller gives the names of the frames.

use crate::event::{Caught, StackLine};
use crate::report::json::lines::{JsonCaught, JsonFrame, JsonSignature};
use seedsmith_engine::{Message, Signature};

/// Another failure that was met, with the path of its input as text: bytes that are not UTF-8 are replaced.
/// Its stack is empty unless the event has the names already.
pub(super) fn caught(caught: &Caught) -> JsonCaught<'_> {
    JsonCaught {
        signature: with_stack(&caught.signature, &caught.stack),
        path: caught.path.to_string_lossy().into_owned(),
        bytes: caught.bytes,
    }
}

/// A failure and the names of its frames, innermost first. `message` is the text that the target printed;
/// `normalized` is the one that is compared, with numbers and addresses replaced.
/// `place` and both messages are null if they are not known. Lines and columns of frames count from 1.
/// Frames of the runtime are included, with `own` false.
pub(super) fn with_stack<'s>(
    signature: &'s Signature,
    stack: &'s [StackLine],
) -> JsonSignature<'s> {
    let frame = |line: &'s StackLine| JsonFrame {
        function: &line.function,
        file: line.file.as_deref(),
        line: line.line,
        column: line.column,
        own: line.own,
    };
    JsonSignature {
        kind: signature.kind_name(),
        place: signature.place.as_deref(),
        message: signature.message.as_ref().map(Message::text),
        normalized: signature.message.as_ref().map(Message::normalised),
        frames: stack.iter().map(frame).collect(),
    }
}
