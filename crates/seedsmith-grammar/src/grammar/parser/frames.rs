//! The rules that are open while parsing, on an explicit stack.

use crate::grammar::atn::StateId;
use crate::grammar::parser::prediction::stacks::{EMPTY, Stacks};

/// Not asked for yet.
const NONE: u32 = u32::MAX;

/// An open rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Where to continue when it ends.
    pub follow: StateId,
    /// How many nodes were open before its own.
    pub depth: u32,
    /// The least precedence that its operators may have.
    pub precedence: u16,
    /// The frames below as a stack for predictions, once it was asked for.
    pub stack: u32,
    /// The tokens that can come after the rule, as a numbered set, once they have been computed.
    pub after: u32,
    /// The tokens that recovery skips to, as a numbered set, once they have been computed.
    pub recovery: u32,
}

/// The stack of open rules; the bottom one is the start rule.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The frames, the start rule's first.
    list: Vec<Frame>,
}

impl Frames {
    /// How many rules are open.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Opens a rule.
    pub(super) fn push(&mut self, follow: StateId, depth: u32, precedence: u16) {
        let frame = Frame { follow, depth, precedence, stack: NONE, after: NONE, recovery: NONE };
        self.list.push(frame);
    }

    /// Closes the innermost rule.
    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.list.pop()
    }

    /// The innermost rule's precedence.
    pub(super) fn precedence(&self) -> u16 {
        self.list.last().map_or(0, |frame| frame.precedence)
    }

    /// The return states of all open rules as a shared stack; a second call only costs as much as
    /// rules were opened since.
    pub(super) fn stack(&mut self, stacks: &mut Stacks) -> u32 {
        self.fold(|frame| &mut frame.stack, EMPTY, |below, frame| stacks.push(below, frame.follow))
    }

    /// Works out a value for the innermost frame from those below, remembering each on its
    /// frame. The bottom frame has `bottom`, since nothing called it.
    pub(super) fn fold(
        &mut self,
        slot: impl Fn(&mut Frame) -> &mut u32,
        bottom: u32,
        mut next: impl FnMut(u32, &Frame) -> u32,
    ) -> u32 {
        let mut from = self.list.len();
        while from > 0 && *slot(&mut self.list[from - 1]) == NONE {
            from -= 1;
        }
        let mut value = if from == 0 { bottom } else { *slot(&mut self.list[from - 1]) };
        for at in from..self.list.len() {
            value = if at == 0 { bottom } else { next(value, &self.list[at]) };
            *slot(&mut self.list[at]) = value;
        }
        value
    }
}
