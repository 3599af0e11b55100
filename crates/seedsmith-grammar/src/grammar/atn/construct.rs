//! Makes the parser rules' ATN: builds it, shortens it, and works out which tokens can come next.

use crate::grammar::analysis::nullable::nullable_rules;
use crate::grammar::atn::parser::{AtnState, Caller, Edge, Label, Mark, NONE, ParserAtn, Role};
use crate::grammar::atn::tokens::{TokenSet, TokenSets};
use crate::grammar::atn::{StateId, builder};
use crate::grammar::model::Grammar;

impl ParserAtn {
    /// Builds the ATN of all rules.
    ///
    /// Cost: in proportion to the number of states, times the rounds of the fixed point over the
    /// next tokens, mostly two or three. The grammar's left recursion has to be eliminated.
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let count = grammar.rules.len();
        let mut atn = ParserAtn {
            states: Vec::new(),
            starts: Vec::with_capacity(count),
            stops: Vec::with_capacity(count),
            callers: vec![Vec::new(); count],
            is_recursive: grammar.rules.iter().map(|rule| rule.recursion.is_some()).collect(),
            decisions: Vec::new(),
            exits: Vec::new(),
            sets: TokenSets::default(),
            next: Vec::new(),
            can_end: Vec::new(),
            alternative_of_token: vec![Vec::new(); count],
            token_count: grammar.tokens.len(),
        };
        builder::build(grammar, &mut atn);
        atn.shorten();
        atn.link_callers();
        atn.find_next_tokens(&nullable_rules(grammar));
        atn.exits = atn.decisions.iter().map(|&state| atn.find_exit(state)).collect();
        atn
    }

    /// The edge that leaves a loop or passes over an option, if one token settles which to take.
    ///
    /// Used where prediction finds no alternative: the loop is left, and the construct after it
    /// reports the error, as in a generated parser.
    fn find_exit(&self, state: StateId) -> Option<usize> {
        let node = &self.states[state as usize];
        let leaves = |edge: &Edge| match node.role {
            Role::StarEntry | Role::PlusLoopBack => {
                self.states[edge.target as usize].role == Role::LoopEnd
            }
            Role::BlockStart => edge.target == node.block_end,
            _ => false,
        };
        let exit = node.edges.iter().position(leaves)?;
        let mut all = TokenSet::new();
        let mut ends = 0;
        for edge in &node.edges {
            let next = self.next_tokens(edge.target);
            if next.iter().any(|token| all.contains(token)) {
                return None;
            }
            all.extend(next);
            ends += u32::from(self.can_end[edge.target as usize]);
        }
        (ends < 2 && !node.is_precedence_loop).then_some(exit)
    }

    /// Leads edges past states that do nothing.
    ///
    /// Fewer states to look at in each closure; marks and decisions keep their states.
    fn shorten(&mut self) {
        let pass = |states: &[AtnState], mut at: StateId| {
            // A chain of such states can't be a circle: every loop has a decision.
            while let AtnState { role: Role::Basic, edges, .. } = &states[at as usize]
                && let [Edge { label: Label::Epsilon, target, mark: Mark::None }] = edges.as_slice()
            {
                at = *target;
            }
            at
        };
        for at in 0..self.states.len() {
            for edge in 0..self.states[at].edges.len() {
                let mut new = self.states[at].edges[edge];
                if let Label::Rule { follow, .. } = &mut new.label {
                    *follow = pass(&self.states, *follow);
                } else {
                    new.target = pass(&self.states, new.target);
                }
                self.states[at].edges[edge] = new;
            }
        }
    }

    /// Fills in the callers of each rule, and which states have only edges without a token: a
    /// rule's stop has if the rule is called anywhere.
    fn link_callers(&mut self) {
        for at in 0..self.states.len() {
            for edge in &self.states[at].edges {
                if let Label::Rule { rule, follow, precedence } = edge.label {
                    let outermost = self.is_recursive[rule as usize] && precedence == 0;
                    let outermost_return = if outermost { rule } else { NONE };
                    self.callers[rule as usize].push(Caller { follow, outermost_return });
                }
            }
        }
        for (rule, &stop) in self.stops.iter().enumerate() {
            self.states[stop as usize].epsilon_only = !self.callers[rule].is_empty();
        }
        for state in self.states.iter_mut().filter(|state| state.role != Role::RuleStop) {
            let takes = |edge: &Edge| matches!(edge.label, Label::Token(_) | Label::Set(_));
            state.epsilon_only = !state.edges.is_empty() && !state.edges.iter().any(takes);
        }
    }

    /// Fills in `next` and `can_end` by a fixpoint over all states.
    fn find_next_tokens(&mut self, nullable: &[bool]) {
        let count = self.states.len();
        let mut next = vec![TokenSet::new(); count];
        let mut can_end = vec![false; count];
        for &stop in &self.stops {
            can_end[stop as usize] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            // Edges lead mostly forwards, so going backwards settles most states at once.
            for at in (0..count).rev() {
                let mut own = std::mem::take(&mut next[at]);
                for edge in &self.states[at].edges {
                    let behind = match edge.label {
                        Label::Epsilon | Label::Precedence(_) => edge.target as usize,
                        Label::Token(token) => {
                            changed |= !own.contains(token);
                            own.insert(token);
                            continue;
                        }
                        Label::Set(set) => {
                            changed |= own.extend(self.sets.get(set));
                            continue;
                        }
                        Label::Rule { rule, follow, .. } => {
                            let start = self.starts[rule as usize] as usize;
                            changed |= own.extend(&next[start]);
                            if !nullable[rule as usize] {
                                continue;
                            }
                            follow as usize
                        }
                    };
                    if behind != at {
                        changed |= own.extend(&next[behind]);
                    }
                    changed |= can_end[behind] && !can_end[at];
                    can_end[at] |= can_end[behind];
                }
                next[at] = own;
            }
        }
        self.next = next.into_iter().map(|set| self.sets.intern(set)).collect();
        self.can_end = can_end;
    }
}
