//! The parser rules' network, and what can be told of it in advance: which tokens can come next.

use super::StateId;
use super::tokens::{TokenSet, TokenSets};
use crate::grammar::analysis::nullable::nullable_rules;
use crate::grammar::model::{
    Alternative, Bounds, Grammar, LeftRecursion, QuantifierId, Rule, RuleId, Term, TokenId,
};

/// No state, no decision, no rule.
pub const NONE: u32 = u32::MAX;

/// What a state is in the shape it belongs to; recovery acts by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
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
    /// Behind a loop.
    LoopEnd,
}

/// What following an edge means for the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
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
    /// What the left-recursive rule has read becomes an operand.
    Wrap,
}

/// What an edge takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
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
        /// Where to go on behind it.
        follow: StateId,
        /// The least precedence of its operators.
        precedence: u16,
    },
    /// Nothing, if the rule was called with at most this precedence.
    Precedence(u16),
}

/// A way from a state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What it takes.
    pub label: Label,
    /// Where it leads.
    pub target: StateId,
    /// What it means for the tree.
    pub mark: Mark,
}

/// A state with its edges in the order of the alternatives.
#[derive(Clone, Debug)]
pub struct State {
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
pub struct Caller {
    /// The state behind the call.
    pub follow: StateId,
    /// The called rule, if it is left-recursive and was called with precedence 0, or [`NONE`].
    pub outermost_return: u32,
}

/// The network of all parser rules.
#[derive(Clone, Debug)]
pub struct ParserNetwork {
    /// The states.
    pub states: Vec<State>,
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
    /// For decisions of loops and options that one token settles: the edge that leaves. What
    /// ANTLR generates for these takes it for any token that doesn't fit.
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

impl ParserNetwork {
    /// Builds the network of all rules.
    pub fn new(grammar: &Grammar) -> Self {
        let count = grammar.rules.len();
        let mut network = ParserNetwork {
            states: Vec::new(),
            starts: Vec::with_capacity(count),
            stops: Vec::with_capacity(count),
            callers: vec![Vec::new(); count],
            is_recursive: grammar
                .rules
                .iter()
                .map(|rule| rule.recursion.is_some())
                .collect(),
            decisions: Vec::new(),
            exits: Vec::new(),
            sets: TokenSets::default(),
            next: Vec::new(),
            can_end: Vec::new(),
            alternative_of_token: vec![Vec::new(); count],
            token_count: grammar.tokens.len(),
        };
        let mut builder = Builder {
            grammar,
            network: &mut network,
            rule: 0,
        };
        for rule in 0..count {
            builder.rule = rule as u32;
            let start = builder.state(Role::RuleStart);
            let stop = builder.state(Role::RuleStop);
            builder.network.starts.push(start);
            builder.network.stops.push(stop);
        }
        for (at, rule) in grammar.rules.iter().enumerate() {
            builder.rule = at as u32;
            builder.rule(rule);
        }
        network.shorten();
        network.link_callers();
        network.find_next_tokens(&nullable_rules(grammar));
        network.exits = network
            .decisions
            .iter()
            .map(|&state| network.find_exit(state))
            .collect();
        network
    }

    /// The edge that leaves a loop or passes over an option, if one token settles which to take.
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

    /// The tokens that can come next at a state, within its rule.
    pub fn next_tokens(&self, state: StateId) -> &TokenSet {
        self.sets.get(self.next[state as usize])
    }

    /// Leads edges past states that do nothing.
    fn shorten(&mut self) {
        let pass = |states: &[State], mut at: StateId| {
            // A chain of such states can't be a circle: every loop has a decision.
            while let State {
                role: Role::Basic,
                edges,
                ..
            } = &states[at as usize]
                && let [
                    Edge {
                        label: Label::Epsilon,
                        target,
                        mark: Mark::None,
                    },
                ] = edges.as_slice()
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

    fn link_callers(&mut self) {
        for at in 0..self.states.len() {
            for edge in &self.states[at].edges {
                if let Label::Rule {
                    rule,
                    follow,
                    precedence,
                } = edge.label
                {
                    let outermost = self.is_recursive[rule as usize] && precedence == 0;
                    let outermost_return = if outermost { rule } else { NONE };
                    self.callers[rule as usize].push(Caller {
                        follow,
                        outermost_return,
                    });
                }
            }
        }
        for (rule, &stop) in self.stops.iter().enumerate() {
            self.states[stop as usize].epsilon_only = !self.callers[rule].is_empty();
        }
        for state in self
            .states
            .iter_mut()
            .filter(|state| state.role != Role::RuleStop)
        {
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

struct Builder<'a> {
    grammar: &'a Grammar,
    network: &'a mut ParserNetwork,
    rule: u32,
}

/// The first and the last state of a part; the last has no edge yet.
type Part = (StateId, StateId);

impl Builder<'_> {
    fn state(&mut self, role: Role) -> StateId {
        self.network.states.push(State {
            role,
            rule: self.rule,
            decision: NONE,
            edges: Vec::new(),
            is_precedence_loop: false,
            block_end: NONE,
            epsilon_only: false,
        });
        self.network.states.len() as StateId - 1
    }

    fn edge(&mut self, from: StateId, label: Label, target: StateId, mark: Mark) {
        self.network.states[from as usize].edges.push(Edge {
            label,
            target,
            mark,
        });
    }

    fn epsilon(&mut self, from: StateId, target: StateId, mark: Mark) {
        self.edge(from, Label::Epsilon, target, mark);
    }

    fn decide(&mut self, state: StateId) {
        self.network.states[state as usize].decision = self.network.decisions.len() as u32;
        self.network.decisions.push(state);
    }

    fn rule(&mut self, rule: &Rule) {
        let start = self.network.starts[self.rule as usize];
        let stop = self.network.stops[self.rule as usize];
        let (first, last) = match &rule.recursion {
            Some(recursion) => self.recursive_rule(recursion),
            None => self.plain_rule(&rule.alternatives),
        };
        self.epsilon(start, first, Mark::None);
        self.epsilon(last, stop, Mark::None);
    }

    fn plain_rule(&mut self, alternatives: &[Alternative]) -> Part {
        if alternatives
            .iter()
            .all(|alternative| alternative.label.is_none())
            && let Some(tokens) = as_token_set(alternatives)
        {
            let mut by_token: Vec<_> = tokens.iter().zip(0..).map(|(t, at)| (t.0, at)).collect();
            by_token.sort_by_key(|&(token, _)| token);
            by_token.dedup_by_key(|&mut (token, _)| token);
            self.network.alternative_of_token[self.rule as usize] = by_token;
            let first = self.state(Role::Basic);
            let set = self.set(&tokens, false);
            let (from, last) = self.set_part(set);
            self.epsilon(first, from, Mark::AlternativeByToken);
            return (first, last);
        }
        let parts: Vec<_> = alternatives
            .iter()
            .map(|a| self.sequence(&a.terms))
            .collect();
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

    /// `primary (operator)*`, each operator behind its precedence.
    fn recursive_rule(&mut self, recursion: &LeftRecursion) -> Part {
        let primaries: Vec<_> = recursion
            .primaries
            .iter()
            .map(|(_, terms)| self.sequence(terms))
            .collect();
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
        self.network.states[entry as usize].is_precedence_loop = true;
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
        self.network.states[start as usize].block_end = end;
        for (at, &(first, last)) in parts.iter().enumerate() {
            self.epsilon(start, first, marks(at));
            self.epsilon(last, end, Mark::None);
        }
        if parts.len() > 1 {
            self.decide(start);
        }
        (start, end)
    }

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
                let label = Label::Rule {
                    rule: rule.0,
                    follow: last,
                    precedence,
                };
                let RuleId(target) = *rule;
                let target = self.network.starts[target as usize];
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
        body.iter()
            .map(|alternative| self.sequence(&alternative.terms))
            .collect()
    }

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
                let exit = Edge {
                    label: Label::Epsilon,
                    target: end,
                    mark: Mark::None,
                };
                let edges = &mut self.network.states[start as usize].edges;
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

    fn loop_edges(
        &mut self,
        from: StateId,
        again: (StateId, Mark),
        leave: (StateId, Mark),
        greedy: bool,
    ) {
        let (first, second) = if greedy {
            (again, leave)
        } else {
            (leave, again)
        };
        self.epsilon(from, first.0, first.1);
        self.epsilon(from, second.0, second.1);
    }

    fn set(&mut self, tokens: &[TokenId], negated: bool) -> u32 {
        let mut set = TokenSet::new();
        if negated {
            for token in 1..self.network.token_count as u32 {
                if !tokens.contains(&TokenId(token)) {
                    set.insert(token);
                }
            }
        } else {
            tokens.iter().for_each(|token| set.insert(token.0));
        }
        self.network.sets.intern(set)
    }

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
