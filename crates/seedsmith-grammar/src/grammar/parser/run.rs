//! Walks the ATN over the tokens, one state after the other.
//!
//! A loop with explicit frames does this instead of recursion, so that no nesting of an input can
//! use up a thread's stack. An edge can have a mark that says how following it changes the tree.

use super::frames::Frames;
use super::recovery_sets::RecoverySets;
use super::tree_writer::TreeWriter;
use super::{Errors, ParseError, SyntaxError, SyntaxProblem};
use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::{Edge, Label, Mark, NONE, ParserAtn, Role};
use crate::grammar::hash::FixedSet;
use crate::grammar::parser::prediction::conflict::PredictionInput;
use crate::grammar::parser::prediction::predict::{Fuel, Predictor};
use crate::structure::trees::tree::NodeKind;

/// One parse.
///
/// The state of one parse.
pub(super) struct ParseRun<'a> {
    pub atn: &'a ParserAtn,
    pub predictor: &'a mut Predictor,
    pub recovery: &'a mut RecoverySets,
    pub frames: Frames,
    /// The tokens and the tree so far.
    pub writer: TreeWriter,
    /// The fuel that predictions have left.
    pub fuel: Fuel<'a>,
    /// The errors so far.
    pub errors: Errors,
    /// Errors aren't reported until a token fits again.
    pub is_recovering: bool,
    /// Where recovery last began: the token's index and the states since.
    pub last_error: Option<(usize, FixedSet<StateId>)>,
    /// Loops entered since the last token was taken, by depth and state: entering one again
    /// would continue for ever.
    pub entered_loops: Vec<(usize, StateId)>,
    /// Rules that may be open at once.
    pub max_depth: usize,
}

/// The rule can't continue; recovery has to skip to a token that can follow it.
pub(super) struct RecognitionError {
    /// The state at which it was found.
    pub state: StateId,
    /// The problem to report.
    pub problem: SyntaxProblem,
}

impl ParseRun<'_> {
    /// Parses from the rule on until it ends.
    ///
    /// Fails where the caller stops it or rules nest too deep; syntax errors are no failures.
    pub(super) fn run(&mut self, start: u32) -> Result<(), ParseError> {
        let mut state = self.enter(start, NONE, 0);
        let mut from_loop_back = false;
        loop {
            let node = &self.atn.states[state as usize];
            if node.role == Role::RuleStop {
                match self.leave() {
                    NONE => return Ok(()),
                    follow => state = follow,
                }
                from_loop_back = false;
                continue;
            }
            let step = self.step(state, from_loop_back);
            from_loop_back = node.role == Role::StarLoopBack;
            state = match step {
                Ok(next) => next,
                Err(stuck) => {
                    self.report(stuck.problem);
                    self.recover(stuck.state);
                    self.atn.stops[node.rule as usize]
                }
            };
            // A loop over nothing takes no token, so it has to be counted in states.
            if self.fuel.stop_check.must_stop(1) {
                return Err(ParseError::Stopped { offset: self.writer.offset() });
            }
            if self.frames.len() > self.max_depth {
                let offset = self.writer.offset();
                return Err(ParseError::TooDeep { limit: self.max_depth, offset });
            }
        }
    }

    /// Notes an error unless one is being recovered from.
    pub(super) fn report(&mut self, problem: SyntaxProblem) {
        if !self.is_recovering {
            self.is_recovering = true;
            self.errors.push(SyntaxError { offset: self.writer.offset(), problem });
        }
    }

    /// Takes the next token as one that fits.
    pub(super) fn accept(&mut self) {
        self.is_recovering = false;
        self.last_error = None;
        self.entered_loops.clear();
        self.writer.take();
    }

    /// Opens a rule: a node, and a frame that knows where to continue. Returns the rule's first state.
    fn enter(&mut self, rule: u32, follow: StateId, precedence: u16) -> StateId {
        let depth = self.writer.depth() as u32;
        self.writer.open(NodeKind::Rule { rule, alternative: NodeKind::NO_ALTERNATIVE });
        let is_recursive = self.atn.is_recursive[rule as usize];
        let precedence = if is_recursive { precedence } else { self.frames.precedence() };
        self.frames.push(follow, depth, precedence);
        self.atn.starts[rule as usize]
    }

    /// Closes the innermost rule. Returns where to continue, or [`NONE`] after the start rule.
    fn leave(&mut self) -> StateId {
        let Some(frame) = self.frames.pop() else {
            return NONE;
        };
        self.writer.close_to(frame.depth as usize);
        frame.follow
    }

    /// Follows one edge.
    ///
    /// A state with one edge needs no decision; at others recovery is tried first, as ANTLR's
    /// generated code calls `sync` before each decision.
    fn step(&mut self, state: StateId, from_loop_back: bool) -> Result<StateId, RecognitionError> {
        let atn = self.atn;
        let node = &atn.states[state as usize];
        let edge = if node.edges.len() == 1 && node.role != Role::PlusBlockStart {
            &node.edges[0]
        } else {
            self.sync(state, from_loop_back)?;
            &node.edges[self.decide(state)?]
        };
        match edge.label {
            Label::Epsilon => {
                if edge.mark != Mark::None {
                    self.mark(node.rule, edge.mark);
                }
                Ok(edge.target)
            }
            Label::Token(token) => {
                if self.writer.next() == token {
                    self.accept();
                } else {
                    self.recover_inline(state, edge.target)?;
                }
                Ok(edge.target)
            }
            Label::Set(set) => {
                if atn.sets.get(set).contains(self.writer.next()) {
                    self.accept();
                } else {
                    self.recover_inline(state, edge.target)?;
                }
                Ok(edge.target)
            }
            Label::Rule { rule, follow, precedence } => Ok(self.enter(rule, follow, precedence)),
            Label::Precedence(least) if least < self.frames.precedence() => {
                Err(RecognitionError { state, problem: SyntaxProblem::NoAlternative })
            }
            Label::Precedence(_) => Ok(edge.target),
        }
    }

    /// Chooses an edge of a decision.
    ///
    /// The index of the edge. Where prediction finds no alternative, a loop or option that one
    /// token settles is left; else it is an error.
    fn decide(&mut self, state: StateId) -> Result<usize, RecognitionError> {
        let node = &self.atn.states[state as usize];
        if node.edges.len() == 1 {
            return Ok(0);
        }
        let input = PredictionInput {
            decision: node.decision,
            tokens: self.writer.rest(),
            precedence: self.frames.precedence(),
        };
        let frames = &mut self.frames;
        let outer = |stacks: &mut _| frames.stack(stacks);
        let predicted = self.predictor.predict(self.atn, input, &mut self.fuel, outer);
        let Ok(alternative) = predicted else {
            if let Some(exit) = self.atn.exits[node.decision as usize] {
                return Ok(exit);
            }
            return Err(RecognitionError { state, problem: SyntaxProblem::NoAlternative });
        };
        let chosen = alternative as usize - 1;
        if matches!(node.role, Role::StarEntry | Role::PlusLoopBack) {
            return Ok(self.unless_idle(state, chosen));
        }
        Ok(chosen)
    }

    /// Leaves a loop that was entered before without a token having been taken since.
    ///
    /// Leaving is the index of the edge to the loop's end.
    fn unless_idle(&mut self, state: StateId, chosen: usize) -> usize {
        let node = &self.atn.states[state as usize];
        let leads_out = |edge: &Edge| self.atn.states[edge.target as usize].role == Role::LoopEnd;
        if leads_out(&node.edges[chosen]) {
            return chosen;
        }
        let here = (self.frames.len(), state);
        let times = self.entered_loops.iter().filter(|&&entered| entered == here).count();
        // Recovery may come by several times until it decides to take a token.
        let allowed = if self.is_recovering { 16 } else { 1 };
        if times >= allowed {
            return node.edges.iter().position(leads_out).unwrap_or(chosen);
        }
        self.entered_loops.push(here);
        chosen
    }

    /// Changes the tree as an edge's mark says. A mark can come when its node is not open, after
    /// recovery skipped the states between: then nothing is closed.
    fn mark(&mut self, rule: u32, mark: Mark) {
        match mark {
            Mark::None => {}
            Mark::Alternative(alternative) => {
                self.writer.set_top(NodeKind::Rule { rule, alternative });
            }
            Mark::AlternativeByToken => {
                let by_token = &self.atn.alternative_of_token[rule as usize];
                let token = self.writer.next();
                if let Ok(at) = by_token.binary_search_by_key(&token, |&(token, _)| token) {
                    self.writer.set_top(NodeKind::Rule { rule, alternative: by_token[at].1 });
                }
            }
            Mark::Iterate(quantifier) => {
                if self.writer.top() != NodeKind::Quantifier(quantifier) {
                    self.writer.open(NodeKind::Quantifier(quantifier));
                }
                self.writer.open(NodeKind::Iteration);
            }
            Mark::EndIteration => {
                if self.writer.top() == NodeKind::Iteration {
                    self.writer.close();
                }
            }
            Mark::EndQuantifier(quantifier) => {
                if self.writer.top() == NodeKind::Iteration {
                    self.writer.close();
                }
                if self.writer.top() == NodeKind::Quantifier(quantifier) {
                    self.writer.close();
                }
            }
            Mark::Wrap => self.writer.wrap(),
        }
    }
}
