//! The parser rules' ATN, and the sets computed from it in advance: which tokens can come next.

use crate::grammar::atn::StateId;
use crate::grammar::atn::tokens::{TokenSet, TokenSets};

/// No state, no decision, no rule.
pub(crate) const NONE: u32 = u32::MAX;

/// The role of a state in its construct, which error recovery depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Nothing special.
    Basic,
    /// A rule's first state.
    RuleStart,
    /// A rule's last state.
    RuleStop,
    /// The start of a group of alternatives, optional ones included.
    BlockStart,
    /// The start of the alternatives inside `*`.
    StarBlockStart,
    /// The start of the alternatives inside `+`.
    PlusBlockStart,
    /// The end of a group of alternatives.
    BlockEnd,
    /// Where `*` decides between one more iteration and the end.
    StarEntry,
    /// Where an iteration of `*` ends.
    StarLoopBack,
    /// Where `+` decides between one more iteration and the end.
    PlusLoopBack,
    /// After a loop.
    LoopEnd,
}

/// How following an edge changes the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    None,
    /// The rule's alternative is this one.
    Alternative(u16),
    /// The rule's alternative depends on the token that comes.
    AlternativeByToken,
    /// An iteration of the quantifier begins (and the quantifier, if it hasn't).
    Iterate(u32),
    /// An iteration ends.
    EndIteration,
    /// The quantifier ends (and its iteration, if one is open).
    EndQuantifier(u32),
    /// The part that the left-recursive rule has read becomes an operand.
    Wrap,
}

/// The token, rule or condition that an edge takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing.
    Epsilon,
    /// One token.
    Token(u32),
    /// One token of a numbered set.
    Set(u32),
    /// All that a rule takes; the edge's target is the rule's start.
    Rule {
        /// The rule.
        rule: u32,
        /// Where to continue after it.
        follow: StateId,
        /// The least precedence of its operators.
        precedence: u16,
    },
    /// Nothing, if the rule was called with at most this precedence.
    Precedence(u16),
}

/// A way from a state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The token, rule or condition that the edge takes.
    pub label: Label,
    /// The state that it leads to.
    pub target: StateId,
    /// The change to the tree when the edge is followed.
    pub mark: Mark,
}

/// A state with its edges in the order of the alternatives.
#[derive(Clone, Debug)]
pub(crate) struct AtnState {
    /// Its role.
    pub role: Role,
    /// The rule it belongs to.
    pub rule: u32,
    /// The number of the decision taken here, or [`NONE`].
    pub decision: u32,
    /// The way out.
    pub edges: Vec<Edge>,
    /// Whether this is where a left-recursive rule looks for an operator.
    pub is_precedence_loop: bool,
    /// For the start of a group: its end.
    pub block_end: StateId,
    /// Whether all edges take nothing (calls included).
    pub epsilon_only: bool,
}

/// Where a rule was called from, for falling off its end without knowing the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    /// The state after the call.
    pub follow: StateId,
    /// The called rule, if it is left-recursive and was called with precedence 0, or [`NONE`].
    pub outermost_return: u32,
}

/// The ATN of all parser rules.
#[derive(Clone, Debug)]
pub(crate) struct ParserAtn {
    /// The states.
    pub states: Vec<AtnState>,
    /// Each rule's first state.
    pub starts: Vec<StateId>,
    /// Each rule's last state.
    pub stops: Vec<StateId>,
    /// Each rule's callers.
    pub callers: Vec<Vec<Caller>>,
    /// Which rules are left-recursive.
    pub is_recursive: Vec<bool>,
    /// The states at which decisions are taken, by decision.
    pub decisions: Vec<StateId>,
    /// For decisions of loops and options that one token settles: the edge that leaves. ANTLR's
    /// generated code takes that edge for any token that doesn't fit.
    pub exits: Vec<Option<usize>>,
    /// The sets that edges and analyses refer to.
    pub sets: TokenSets,
    /// For each state the tokens that can come next before the rule ends.
    pub next: Vec<u32>,
    /// For each state whether the rule can end without a token.
    pub can_end: Vec<bool>,
    /// For rules that are sets of tokens: the alternative of each token, sorted by token.
    pub alternative_of_token: Vec<Vec<(u32, u16)>>,
    /// How many tokens the vocabulary has.
    pub token_count: usize,
}

impl ParserAtn {
    /// The tokens that can come next at a state, within its rule.
    pub(crate) fn next_tokens(&self, state: StateId) -> &TokenSet {
        self.sets.get(self.next[state as usize])
    }

    /// Whether the token can come next at a state, for all that is known within its rule.
    #[inline]
    pub(crate) fn can_take(&self, state: StateId, token: u32) -> bool {
        self.can_end[state as usize] || self.next_tokens(state).contains(token)
    }
}
