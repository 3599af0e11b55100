//! Builds the parser rules' ATN, shape by shape.
//!
//! Each construct has the states that ANTLR gives it: a decision's state has a role that says which
//! construct it decides, and each loop has a state where its iterations end, since error recovery
//! depends on the state in which the parser fails. States are numbered in the order in which they
//! are made.

use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::{AtnState, Edge, Label, Mark, NONE, ParserAtn, Role};
use crate::grammar::atn::tokens::TokenSet;
use crate::grammar::model::{
    Alternative, Bounds, Grammar, LeftRecursion, QuantifierId, Rule, RuleId, Term, TokenId,
};

/// Adds the states and edges of all rules to a ATN that has none.
pub(super) fn build(grammar: &Grammar, atn: &mut ParserAtn) {
    let mut builder = Builder { grammar, atn, rule: 0 };
    for rule in 0..grammar.rules.len() {
        builder.rule = rule as u32;
        let start = builder.state(Role::RuleStart);
        let stop = builder.state(Role::RuleStop);
        builder.atn.starts.push(start);
        builder.atn.stops.push(stop);
    }
    for (at, rule) in grammar.rules.iter().enumerate() {
        builder.rule = at as u32;
        builder.rule(rule);
    }
}

/// The ATN under construction.
struct Builder<'a> {
    /// The grammar, for the quantifiers' bounds.
    grammar: &'a Grammar,
    /// The ATN, to which states and edges are added.
    atn: &'a mut ParserAtn,
    /// The rule that new states belong to.
    rule: u32,
}

/// The first and the last state of a part; the last has no edge yet.
type Part = (StateId, StateId);

impl Builder<'_> {
    /// A new state without edges, in the current rule.
    fn state(&mut self, role: Role) -> StateId {
        self.atn.states.push(AtnState {
            role,
            rule: self.rule,
            decision: NONE,
            edges: Vec::new(),
            is_precedence_loop: false,
            block_end: NONE,
            epsilon_only: false,
        });
        self.atn.states.len() as StateId - 1
    }

    /// Adds an edge after those that the state has: the order is that of preference.
    fn edge(&mut self, from: StateId, label: Label, target: StateId, mark: Mark) {
        self.atn.states[from as usize].edges.push(Edge { label, target, mark });
    }

    /// Adds an edge that takes nothing.
    fn epsilon(&mut self, from: StateId, target: StateId, mark: Mark) {
        self.edge(from, Label::Epsilon, target, mark);
    }

    /// Makes a decision of a state and numbers it.
    fn decide(&mut self, state: StateId) {
        self.atn.states[state as usize].decision = self.atn.decisions.len() as u32;
        self.atn.decisions.push(state);
    }

    /// Puts a rule's body between its start and its stop.
    fn rule(&mut self, rule: &Rule) {
        let start = self.atn.starts[self.rule as usize];
        let stop = self.atn.stops[self.rule as usize];
        let (first, last) = match &rule.recursion {
            Some(recursion) => self.recursive_rule(recursion),
            None => self.plain_rule(&rule.alternatives),
        };
        self.epsilon(start, first, Mark::None);
        self.epsilon(last, stop, Mark::None);
    }

    /// The body of a rule without left recursion. A rule that is a choice of tokens becomes one
    /// edge with a set, as in ANTLR; which alternative it was is found by the token.
    fn plain_rule(&mut self, alternatives: &[Alternative]) -> Part {
        if alternatives.iter().all(|alternative| alternative.label.is_none())
            && let Some(tokens) = as_token_set(alternatives)
        {
            let mut by_token: Vec<_> = tokens.iter().zip(0..).map(|(t, at)| (t.0, at)).collect();
            by_token.sort_by_key(|&(token, _)| token);
            by_token.dedup_by_key(|&mut (token, _)| token);
            self.atn.alternative_of_token[self.rule as usize] = by_token;
            let first = self.state(Role::Basic);
            let set = self.set(&tokens, false);
            let (from, last) = self.set_part(set);
            self.epsilon(first, from, Mark::AlternativeByToken);
            return (first, last);
        }
        let parts: Vec<_> = alternatives.iter().map(|a| self.sequence(&a.terms)).collect();
        let marks = |at: usize| Mark::Alternative(at as u16);
        match parts.as_slice() {
            [single] => {
                let first = self.state(Role::Basic);
                self.epsilon(first, single.0, marks(0));
                (first, single.1)
            }
            _ => self.block(Role::BlockStart, &parts, &marks),
        }
    }

    /// `primary (operator)*`, each operator after its precedence.
    fn recursive_rule(&mut self, recursion: &LeftRecursion) -> Part {
        let primaries: Vec<_> =
            recursion.primaries.iter().map(|(_, terms)| self.sequence(terms)).collect();
        let marks = |at: usize| Mark::Alternative(recursion.primaries[at].0 as u16);
        let primary = match primaries.as_slice() {
            [single] => {
                let first = self.state(Role::Basic);
                self.epsilon(first, single.0, marks(0));
                (first, single.1)
            }
            _ => self.block(Role::BlockStart, &primaries, &marks),
        };
        let mut operators = Vec::new();
        for operator in &recursion.operators {
            let gate = self.state(Role::Basic);
            let (first, last) = self.sequence(&operator.terms);
            let label = Label::Precedence(operator.precedence.min(u32::from(u16::MAX - 1)) as u16);
            self.edge(gate, label, first, Mark::None);
            operators.push((gate, last));
        }
        let marks = |at: usize| Mark::Alternative(recursion.operators[at].alternative as u16);
        let (block, block_end) = self.block(Role::StarBlockStart, &operators, &marks);
        let entry = self.state(Role::StarEntry);
        let end = self.state(Role::LoopEnd);
        let back = self.state(Role::StarLoopBack);
        self.atn.states[entry as usize].is_precedence_loop = true;
        self.decide(entry);
        self.epsilon(entry, block, Mark::Wrap);
        self.epsilon(entry, end, Mark::None);
        self.epsilon(block_end, back, Mark::None);
        self.epsilon(back, entry, Mark::None);
        self.epsilon(primary.1, entry, Mark::None);
        (primary.0, end)
    }

    /// Joins alternatives; decides if there are several.
    fn block(&mut self, role: Role, parts: &[Part], marks: &dyn Fn(usize) -> Mark) -> Part {
        let start = self.state(role);
        let end = self.state(Role::BlockEnd);
        self.atn.states[start as usize].block_end = end;
        for (at, &(first, last)) in parts.iter().enumerate() {
            self.epsilon(start, first, marks(at));
            self.epsilon(last, end, Mark::None);
        }
        if parts.len() > 1 {
            self.decide(start);
        }
        (start, end)
    }

    /// Parts one after the other; an empty sequence is one state.
    fn sequence(&mut self, terms: &[Term]) -> Part {
        let mut parts = Vec::with_capacity(terms.len());
        for term in terms {
            parts.push(self.term(term));
        }
        let Some((&first, &last)) = parts.first().zip(parts.last()) else {
            let empty = self.state(Role::Basic);
            return (empty, empty);
        };
        for pair in parts.windows(2) {
            self.epsilon(pair[0].1, pair[1].0, Mark::None);
        }
        (first.0, last.1)
    }

    /// The states of one term.
    fn term(&mut self, term: &Term) -> Part {
        match term {
            Term::Token(token) => {
                let (first, last) = (self.state(Role::Basic), self.state(Role::Basic));
                self.edge(first, Label::Token(token.0), last, Mark::None);
                (first, last)
            }
            Term::Set { tokens, negated } => {
                let set = self.set(tokens, *negated);
                self.set_part(set)
            }
            Term::Any => {
                let set = self.set(&[], true);
                self.set_part(set)
            }
            Term::Rule { rule, precedence } => {
                let (first, last) = (self.state(Role::Basic), self.state(Role::Basic));
                let precedence = (*precedence).min(u32::from(u16::MAX - 1)) as u16;
                let label = Label::Rule { rule: rule.0, follow: last, precedence };
                let RuleId(target) = *rule;
                let target = self.atn.starts[target as usize];
                self.edge(first, label, target, Mark::None);
                (first, last)
            }
            Term::Group(body) => match self.alternatives(body).as_slice() {
                [single] => *single,
                parts => self.block(Role::BlockStart, parts, &|_| Mark::None),
            },
            Term::Repeat { id, body } => self.repeat(*id, body),
        }
    }

    /// The parts of the alternatives, a group of single tokens being one part.
    fn alternatives(&mut self, body: &[Alternative]) -> Vec<Part> {
        if let Some(tokens) = as_token_set(body) {
            let set = self.set(&tokens, false);
            return vec![self.set_part(set)];
        }
        body.iter().map(|alternative| self.sequence(&alternative.terms)).collect()
    }

    /// A quantified part: an optional block, or a loop. The order of a decision's edges says
    /// whether as many iterations as possible are taken.
    fn repeat(&mut self, id: QuantifierId, body: &[Alternative]) -> Part {
        let quantifier = self.grammar.quantifier(id);
        let (bounds, greedy) = (quantifier.bounds, quantifier.greedy);
        let parts = self.alternatives(body);
        let (iterate, done) = (Mark::Iterate(id.0), Mark::EndQuantifier(id.0));
        match bounds {
            Bounds::Optional => {
                let (start, end) = self.block(Role::BlockStart, &parts, &|_| iterate);
                if parts.len() == 1 {
                    self.decide(start);
                }
                let exit = Edge { label: Label::Epsilon, target: end, mark: Mark::None };
                let edges = &mut self.atn.states[start as usize].edges;
                edges.insert(if greedy { edges.len() } else { 0 }, exit);
                let behind = self.state(Role::Basic);
                self.epsilon(end, behind, done);
                (start, behind)
            }
            Bounds::Star => {
                let (start, end) = self.block(Role::StarBlockStart, &parts, &|_| Mark::None);
                let entry = self.state(Role::StarEntry);
                let after = self.state(Role::LoopEnd);
                let back = self.state(Role::StarLoopBack);
                self.decide(entry);
                self.loop_edges(entry, (start, iterate), (after, done), greedy);
                self.epsilon(end, back, Mark::EndIteration);
                self.epsilon(back, entry, Mark::None);
                (entry, after)
            }
            Bounds::Plus => {
                let before = self.state(Role::Basic);
                let (start, end) = self.block(Role::PlusBlockStart, &parts, &|_| Mark::None);
                let back = self.state(Role::PlusLoopBack);
                let after = self.state(Role::LoopEnd);
                self.decide(back);
                self.epsilon(before, start, iterate);
                self.epsilon(end, back, Mark::EndIteration);
                self.loop_edges(back, (start, iterate), (after, done), greedy);
                (before, after)
            }
        }
    }

    /// The two edges of a loop's decision, the preferred one first.
    fn loop_edges(
        &mut self,
        from: StateId,
        again: (StateId, Mark),
        leave: (StateId, Mark),
        greedy: bool,
    ) {
        let (first, second) = if greedy { (again, leave) } else { (leave, again) };
        self.epsilon(from, first.0, first.1);
        self.epsilon(from, second.0, second.1);
    }

    /// The number of a set of tokens. A negated set never has the end of the input.
    fn set(&mut self, tokens: &[TokenId], negated: bool) -> u32 {
        let mut set = TokenSet::new();
        if negated {
            for token in 1..self.atn.token_count as u32 {
                if !tokens.contains(&TokenId(token)) {
                    set.insert(token);
                }
            }
        } else {
            tokens.iter().for_each(|token| set.insert(token.0));
        }
        self.atn.sets.intern(set)
    }

    /// Two states with an edge between them that takes a token of the set.
    fn set_part(&mut self, set: u32) -> Part {
        let (first, last) = (self.state(Role::Basic), self.state(Role::Basic));
        self.edge(first, Label::Set(set), last, Mark::None);
        (first, last)
    }
}

/// The tokens of several alternatives that are one token each, in their order.
fn as_token_set(alternatives: &[Alternative]) -> Option<Vec<TokenId>> {
    if alternatives.len() < 2 {
        return None;
    }
    let single = |alternative: &Alternative| match alternative.terms.as_slice() {
        [Term::Token(token)] if *token != TokenId::EOF => Some(*token),
        _ => None,
    };
    alternatives.iter().map(single).collect()
}
