//! Continuing after an error, as ANTLR's `DefaultErrorStrategy` does.
//!
//! A superfluous token is dropped, a missing one is inserted, a loop skips to a token that can
//! follow in it, and if none of this helps the rule ends and tokens are skipped up to one that can
//! follow any of the open rules. T. Parr, "The Definitive ANTLR 4 Reference", section 9.3.
//!
//! Where recovery happens depends on the state of the ATN at which the parser is, so the ATN has
//! the states that ANTLR's has. In contrast to ANTLR, tokens that are skipped stay in the tree, as
//! error nodes.

use super::SyntaxProblem;
use super::run::{ParseRun, RecognitionError};
use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::Role;
use crate::grammar::hash::FixedSet;
use crate::structure::trees::tree::NodeKind;

impl ParseRun<'_> {
    /// Looks whether a decision can be taken here; if not, tries to bring the tokens back to
    /// where it can.
    ///
    /// Called before decisions. At the end of a loop's iteration tokens are skipped; elsewhere one
    /// token may be dropped, and else it is an error of the rule.
    pub(super) fn sync(
        &mut self,
        state: StateId,
        from_loop_back: bool,
    ) -> Result<(), RecognitionError> {
        let atn = self.atn;
        if atn.next_tokens(state).contains(self.writer.next())
            || atn.can_end[state as usize]
            || self.is_recovering
        {
            return Ok(());
        }
        match atn.states[state as usize].role {
            Role::PlusLoopBack => {}
            Role::StarEntry if from_loop_back => {}
            Role::BlockStart | Role::StarBlockStart | Role::PlusBlockStart | Role::StarEntry => {
                if self.drop_one(state) {
                    return Ok(());
                }
                let expected = self.expected(state);
                return Err(RecognitionError {
                    state,
                    problem: SyntaxProblem::Unexpected { expected },
                });
            }
            _ => return Ok(()),
        }
        let expected = self.expected(state);
        self.report(SyntaxProblem::Extraneous { expected });
        let fitting = self.expected_set(state);
        let follow = self.recovery_set();
        self.skip_until(&[fitting, follow]);
        Ok(())
    }

    /// A token doesn't fit on an edge to `target`: drops it if the one after fits, or inserts a
    /// fitting one if the token fits after that.
    ///
    /// Fails where neither helps; the rule then ends.
    pub(super) fn recover_inline(
        &mut self,
        state: StateId,
        target: StateId,
    ) -> Result<(), RecognitionError> {
        if self.drop_one(state) {
            self.accept();
            return Ok(());
        }
        let behind = self.expected_set(target);
        if self.recovery.sets.get(behind).contains(self.writer.next()) {
            let token = self.atn.next_tokens(state).iter().next().unwrap_or(0);
            self.report(SyntaxProblem::MissingToken { token });
            self.writer.conjure(token);
            return Ok(());
        }
        let expected = self.expected(state);
        Err(RecognitionError { state, problem: SyntaxProblem::Unexpected { expected } })
    }

    /// Skips to a token that can follow any of the open rules.
    ///
    /// Called where a rule cannot continue; the caller ends the rule after it.
    pub(super) fn recover(&mut self, state: StateId) {
        let at = self.writer.position();
        let (last, states) = self.last_error.get_or_insert_with(|| (at, FixedSet::default()));
        // Nothing was taken since the last time: take one token at least.
        let is_stuck = !states.insert(state) && *last == at;
        if is_stuck {
            self.skip_one();
        }
        // After that token, as in ANTLR: the same trouble there takes the next token at once.
        let at = self.writer.position();
        if let Some((last, _)) = &mut self.last_error {
            *last = at;
        }
        let follow = self.recovery_set();
        self.skip_until(&[follow]);
    }

    /// Drops the next token if the one after it fits at the state. Returns whether it did.
    fn drop_one(&mut self, state: StateId) -> bool {
        if self.writer.next() == 0 {
            return false;
        }
        let fitting = self.expected_set(state);
        let fits = self.recovery.sets.get(fitting).contains(self.writer.second());
        if fits {
            let expected = self.expected(state);
            self.report(SyntaxProblem::Extraneous { expected });
            self.skip_one();
            self.is_recovering = false;
            self.last_error = None;
        }
        fits
    }

    /// Takes the next token into an error node, unless it is the end of the input.
    fn skip_one(&mut self) {
        if self.writer.next() != 0 {
            self.entered_loops.clear();
            self.writer.open(NodeKind::Error);
            self.writer.take();
            self.writer.close();
        }
    }

    /// Takes tokens into one error node up to one of these sets or the end of the input.
    fn skip_until(&mut self, sets: &[u32]) {
        let stops = |run: &Self| {
            let next = run.writer.next();
            next == 0 || sets.iter().any(|&set| run.recovery.sets.get(set).contains(next))
        };
        if stops(self) {
            return;
        }
        self.entered_loops.clear();
        self.writer.open(NodeKind::Error);
        while !stops(self) {
            self.writer.take();
        }
        self.writer.close();
    }

    /// The tokens that would fit, ascending, for the error.
    fn expected(&mut self, state: StateId) -> Vec<u32> {
        let set = self.expected_set(state);
        self.recovery.sets.get(set).iter().collect()
    }

    /// The tokens that can come next at the state, given the rules that are open.
    fn expected_set(&mut self, state: StateId) -> u32 {
        let (atn, recovery) = (self.atn, &mut *self.recovery);
        let below = if atn.can_end[state as usize] {
            let bottom = recovery.of([0]);
            let nothing = recovery.of([]);
            self.frames.fold(
                |frame| &mut frame.after,
                bottom,
                |below, frame| {
                    let follow = frame.follow;
                    let below = if atn.can_end[follow as usize] { below } else { nothing };
                    recovery.with(below, follow, atn.next_tokens(follow))
                },
            )
        } else {
            recovery.of([])
        };
        recovery.with(below, state, atn.next_tokens(state))
    }

    /// The tokens that can follow any of the open rules.
    fn recovery_set(&mut self) -> u32 {
        let (atn, recovery) = (self.atn, &mut *self.recovery);
        let nothing = recovery.of([]);
        self.frames.fold(
            |frame| &mut frame.recovery,
            nothing,
            |below, frame| recovery.with(below, frame.follow, atn.next_tokens(frame.follow)),
        )
    }
}
