//! The lexer rules' ATN.
//!
//! Code points are grouped into classes: two code points are in one class if every set of the
//! grammar has both or neither. A state of the lexer's automaton then needs only one table entry
//! for each class.

use crate::grammar::atn::StateId;
use crate::grammar::charset::{CharSet, MAX_CODE_POINT, least_printable};
use crate::grammar::model::{Bounds, Command, Grammar, LexerAlternative, LexerRuleId, LexerTerm};
use crate::order;

/// The characters or the event that an edge takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexerLabel {
    /// Nothing.
    Epsilon,
    /// One code point of a numbered set of classes.
    Classes(u32),
    /// The end of the input.
    Eof,
    /// All that a rule takes; then on to `follow`.
    Rule {
        /// The rule.
        rule: u32,
        /// Where to continue after it.
        follow: StateId,
    },
    /// Nothing; if the rule makes the token, the numbered commands are run.
    Commands(u32),
}

/// A way from a state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LexerEdge {
    /// The characters or the event that the edge takes.
    pub label: LexerLabel,
    /// The state that it leads to.
    pub target: StateId,
}

/// A state with its edges in the order of the alternatives.
#[derive(Clone, Debug)]
pub(crate) struct LexerState {
    /// The way out.
    pub edges: Vec<LexerEdge>,
    /// Whether this is a decision that takes as little as possible.
    pub is_non_greedy: bool,
    /// Whether this is the last state of a rule.
    pub is_stop: bool,
    /// Whether all edges take nothing.
    pub epsilon_only: bool,
}

/// The ATN of all lexer rules.
#[derive(Clone, Debug)]
pub(crate) struct LexerAtn {
    /// The states.
    pub states: Vec<LexerState>,
    /// Each rule's first state.
    pub starts: Vec<StateId>,
    /// The rules of each mode, in order.
    pub modes: Vec<Vec<LexerRuleId>>,
    /// Lists of commands by number.
    pub commands: Vec<Vec<Command>>,
    /// Which classes are in which numbered set.
    pub class_sets: Vec<Vec<bool>>,
    /// How many classes there are.
    pub class_count: usize,
    /// The class of each ASCII character.
    ascii: [u16; 128],
    /// Where each class range starts, ascending, with its class.
    bounds: Vec<(u32, u16)>,
}

/// Tokens of a grammar, at most: the steps of some analyses grow with the square of their number. A
/// guess, not measured.
const MAX_TOKENS: usize = 50_000;
/// Pieces into which the sets cut the code points, at most: classes are numbered in 16 bits.
const MAX_CODE_POINT_PIECES: usize = 60_000;
/// Entries of the table of classes and sets, at most.
///
/// 64 Mi entries of one byte are 64 MB: a bound on memory, not a tuned value.
const MAX_TABLE_ENTRIES: usize = 64 << 20;

impl LexerAtn {
    /// Whether a grammar's tokens and sets of characters are few enough for a ATN.
    pub(crate) fn has_room_for(grammar: &Grammar) -> bool {
        let mut sets: Vec<&CharSet> = Vec::new();
        for rule in &grammar.lexer_rules {
            collect_sets(&rule.alternatives, &mut sets);
        }
        sets.sort_unstable();
        sets.dedup();
        let pieces = 1 + sets.iter().map(|set| 2 * set.ranges().len()).sum::<usize>();
        let table = pieces.saturating_mul(sets.len());
        grammar.tokens.len() <= MAX_TOKENS
            && pieces <= MAX_CODE_POINT_PIECES
            && table <= MAX_TABLE_ENTRIES
    }

    /// Builds the ATN of all lexer rules.
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let bodies: Vec<Vec<LexerAlternative>> =
            grammar.lexer_rules.iter().map(|rule| with_sets_joined(&rule.alternatives)).collect();
        let mut sets: Vec<&CharSet> = Vec::new();
        for body in &bodies {
            collect_sets(body, &mut sets);
        }
        sets.sort_unstable();
        sets.dedup();
        let (bounds, class_sets) = classes(&sets);
        let mut atn = LexerAtn {
            states: Vec::new(),
            starts: Vec::new(),
            modes: grammar.modes.iter().map(|mode| mode.rules.clone()).collect(),
            commands: Vec::new(),
            class_count: bounds.iter().map(|&(_, class)| class as usize + 1).max().unwrap_or(1),
            class_sets,
            ascii: [0; 128],
            bounds,
        };
        for c in 0..128 {
            atn.ascii[c as usize] = atn.find_class(c);
        }
        let mut stops = Vec::new();
        let mut builder = Builder { atn: &mut atn, sets };
        for _ in &grammar.lexer_rules {
            let start = builder.state();
            builder.atn.starts.push(start);
            stops.push(builder.state());
        }
        for (at, body) in bodies.iter().enumerate() {
            let (first, last) = builder.block(body);
            let (start, stop) = (builder.atn.starts[at], stops[at]);
            builder.edge(start, LexerLabel::Epsilon, first);
            builder.edge(last, LexerLabel::Epsilon, stop);
            builder.atn.states[stop as usize].is_stop = true;
        }
        for state in &mut atn.states {
            let takes =
                |edge: &LexerEdge| matches!(edge.label, LexerLabel::Classes(_) | LexerLabel::Eof);
            state.epsilon_only = !state.edges.iter().any(takes);
        }
        atn
    }

    /// The plainest character of each class, if it has one: `0` before `a` before other printable
    /// ASCII characters, and other characters last, as they are longer.
    pub(crate) fn plainest_chars(&self) -> Vec<Option<char>> {
        let mut plainest = vec![None; self.class_count];
        for byte in order::ascii_by_plainness() {
            let slot = &mut plainest[usize::from(self.ascii[usize::from(byte)])];
            slot.get_or_insert(char::from(byte));
        }
        let ends = self.bounds.iter().skip(1).map(|&(start, _)| start - 1);
        for (&(start, class), end) in self.bounds.iter().zip(ends.chain([MAX_CODE_POINT])) {
            let slot: &mut Option<char> = &mut plainest[usize::from(class)];
            if slot.is_none_or(|known| known.is_control() && !known.is_ascii()) {
                *slot = least_printable(start, end).or(*slot);
            }
        }
        plainest
    }

    /// The class of a code point.
    #[inline]
    pub(crate) fn class_of(&self, code_point: u32) -> u16 {
        match self.ascii.get(code_point as usize) {
            Some(&class) => class,
            None => self.find_class(code_point),
        }
    }

    /// The class of a code point by binary search.
    fn find_class(&self, code_point: u32) -> u16 {
        let behind = self.bounds.partition_point(|&(start, _)| start <= code_point);
        behind.checked_sub(1).map_or(0, |at| self.bounds[at].1)
    }
}

/// Neighbouring alternatives that are a set each as one that is their union, as ANTLR has it. A
/// letter written as 600 ranges would be as many positions of each state of the automaton.
fn with_sets_joined(alternatives: &[LexerAlternative]) -> Vec<LexerAlternative> {
    let mut joined: Vec<LexerAlternative> = Vec::with_capacity(alternatives.len());
    for alternative in alternatives {
        if let Some(set) = only_set(alternative)
            && let Some(before) = joined.last_mut()
            && let Some(sets) = only_set(before)
        {
            before.terms = vec![LexerTerm::Chars(sets.union(set))];
            continue;
        }
        let terms = alternative.terms.iter().map(|term| match term {
            LexerTerm::Group(body) => LexerTerm::Group(with_sets_joined(body)),
            LexerTerm::Repeat { bounds, greedy, body } => {
                LexerTerm::Repeat { bounds: *bounds, greedy: *greedy, body: with_sets_joined(body) }
            }
            other => other.clone(),
        });
        joined.push(LexerAlternative {
            terms: terms.collect(),
            commands: alternative.commands.clone(),
        });
    }
    joined
}

/// The set that an alternative is, if it is nothing else.
fn only_set(alternative: &LexerAlternative) -> Option<&CharSet> {
    match alternative.terms.as_slice() {
        [LexerTerm::Chars(set)] if alternative.commands.is_empty() => Some(set),
        _ => None,
    }
}

/// Adds the sets in the alternatives, at any depth.
fn collect_sets<'a>(alternatives: &'a [LexerAlternative], sets: &mut Vec<&'a CharSet>) {
    for term in alternatives.iter().flat_map(|alternative| &alternative.terms) {
        match term {
            LexerTerm::Chars(set) => sets.push(set),
            LexerTerm::Group(body) | LexerTerm::Repeat { body, .. } => collect_sets(body, sets),
            LexerTerm::Eof | LexerTerm::Rule(_) => {}
        }
    }
}

/// Splits the code points where a set begins or ends and gives pieces that are in the same sets
/// the same class.
fn classes(sets: &[&CharSet]) -> (Vec<(u32, u16)>, Vec<Vec<bool>>) {
    let mut cuts: Vec<u32> = vec![0];
    for (low, high) in sets.iter().flat_map(|set| set.ranges()) {
        cuts.extend([*low, high + 1]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.retain(|&cut| cut <= MAX_CODE_POINT);
    // Members of each piece, piece by piece; rows are compared as bit words.
    let words = sets.len().div_ceil(64);
    let mut rows = vec![vec![0_u64; words]; cuts.len()];
    for (number, set) in sets.iter().enumerate() {
        for &(low, high) in set.ranges() {
            let from = cuts.partition_point(|&cut| cut < low);
            for (row, _) in
                rows[from..].iter_mut().zip(&cuts[from..]).take_while(|(_, cut)| **cut <= high)
            {
                row[number / 64] |= 1 << (number % 64);
            }
        }
    }
    let mut numbers = std::collections::BTreeMap::new();
    let mut bounds = Vec::with_capacity(cuts.len());
    for (&cut, row) in cuts.iter().zip(&rows) {
        let next = numbers.len() as u16;
        bounds.push((cut, *numbers.entry(row.clone()).or_insert(next)));
    }
    let mut class_sets = vec![vec![false; numbers.len()]; sets.len()];
    for (row, &class) in &numbers {
        for (number, members) in class_sets.iter_mut().enumerate() {
            members[class as usize] = row[number / 64] >> (number % 64) & 1 == 1;
        }
    }
    (bounds, class_sets)
}

/// The ATN under construction.
struct Builder<'a> {
    /// The ATN, to which states and edges are added.
    atn: &'a mut LexerAtn,
    /// All sets of the grammar, sorted: a set's number is its index.
    sets: Vec<&'a CharSet>,
}

/// The first and the last state of a part.
type Part = (StateId, StateId);

impl Builder<'_> {
    /// A new state without edges.
    fn state(&mut self) -> StateId {
        self.atn.states.push(LexerState {
            edges: Vec::new(),
            is_non_greedy: false,
            is_stop: false,
            epsilon_only: true,
        });
        self.atn.states.len() as StateId - 1
    }

    /// Adds an edge after those that the state has: the order is that of preference.
    fn edge(&mut self, from: StateId, label: LexerLabel, target: StateId) {
        self.atn.states[from as usize].edges.push(LexerEdge { label, target });
    }

    /// A choice between alternatives. An alternative with commands is followed by a separate state
    /// for them.
    fn block(&mut self, alternatives: &[LexerAlternative]) -> Part {
        let (start, end) = (self.state(), self.state());
        for alternative in alternatives {
            let first = self.state();
            let mut last = first;
            for term in &alternative.terms {
                last = self.term(term, last);
            }
            if !alternative.commands.is_empty() {
                let number = self.atn.commands.len() as u32;
                self.atn.commands.push(alternative.commands.clone());
                let behind = self.state();
                self.edge(last, LexerLabel::Commands(number), behind);
                last = behind;
            }
            self.edge(start, LexerLabel::Epsilon, first);
            self.edge(last, LexerLabel::Epsilon, end);
        }
        (start, end)
    }

    /// Adds a part after `from`; gives its last state.
    fn term(&mut self, term: &LexerTerm, from: StateId) -> StateId {
        match term {
            LexerTerm::Chars(set) => {
                let to = self.state();
                // An empty set has no number; any number will do, since the edge never matches.
                let number = self.sets.binary_search(&set).unwrap_or(0) as u32;
                self.edge(from, LexerLabel::Classes(number), to);
                to
            }
            LexerTerm::Eof => {
                let to = self.state();
                self.edge(from, LexerLabel::Eof, to);
                to
            }
            LexerTerm::Rule(rule) => {
                let to = self.state();
                let target = self.atn.starts[rule.index()];
                self.edge(from, LexerLabel::Rule { rule: rule.0, follow: to }, target);
                to
            }
            LexerTerm::Group(body) => {
                let (start, end) = self.block(body);
                self.edge(from, LexerLabel::Epsilon, start);
                end
            }
            LexerTerm::Repeat { bounds, greedy, body } => self.repeat(*bounds, *greedy, body, from),
        }
    }

    /// A quantified part after `from`; gives its last state.
    fn repeat(
        &mut self,
        bounds: Bounds,
        greedy: bool,
        body: &[LexerAlternative],
        from: StateId,
    ) -> StateId {
        let (start, end) = self.block(body);
        let decision = self.state();
        let after = self.state();
        self.atn.states[decision as usize].is_non_greedy = !greedy;
        match bounds {
            Bounds::Optional => {
                self.edge(from, LexerLabel::Epsilon, decision);
                self.edge(end, LexerLabel::Epsilon, after);
            }
            Bounds::Star => {
                self.edge(from, LexerLabel::Epsilon, decision);
                self.edge(end, LexerLabel::Epsilon, decision);
            }
            Bounds::Plus => {
                self.edge(from, LexerLabel::Epsilon, start);
                self.edge(end, LexerLabel::Epsilon, decision);
            }
        }
        let (first, second) = if greedy { (start, after) } else { (after, start) };
        self.edge(decision, LexerLabel::Epsilon, first);
        self.edge(decision, LexerLabel::Epsilon, second);
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;

    #[test]
    fn alternatives_that_are_sets_are_as_one_set() {
        let states = |rules: &str| {
            let text = format!("lexer grammar L; {rules}");
            let grammar = g4::load_texts(&[("L.g4", &text)]).unwrap();
            LexerAtn::new(&grammar).states.len()
        };
        let one = states("A: [a-f]+ ;");
        assert_eq!(states("A: ([ab] | [c] | 'd'..'f')+ ;"), one);
        assert_eq!(states("A: [ab] | [c] | 'd' -> skip ;"), states("A: [a-c] | 'd' -> skip ;"));
        assert!(states("A: ([ab] | 'cd' | [e])+ ;") > one, "'cd' is between two sets");
    }
}
