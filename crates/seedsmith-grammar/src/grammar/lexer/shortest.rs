//! The shortest text with which each lexer rule wins.
//!
//! The search goes through texts in the order of length and then plainness, as Dijkstra's algorithm
//! does.

use super::automaton::{Automaton, DEAD};
use crate::grammar::atn::lexer::LexerAtn;
use crate::order;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashSet};

/// States of the automaton looked at before giving up.
/// A guess, not measured.
const MAX_STATES: usize = 20_000;

/// Positions of the automaton looked at before giving up: rules that call themselves without taking a
/// character make any number.
/// A guess, not measured.
const MAX_POSITIONS: u64 = 20_000_000;

/// A text on its way, and where it led.
type QueuedText = Reverse<(SimplestFirst, u32)>;

/// A text that sorts before those that are longer, or of the same length and less plain.
#[derive(PartialEq, Eq)]
struct SimplestFirst(Vec<u8>);

impl Ord for SimplestFirst {
    fn cmp(&self, other: &Self) -> Ordering {
        order::compare(&self.0, &other.0)
    }
}

impl PartialOrd for SimplestFirst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Automaton {
    /// By rule, the shortest text (of several, the [plainest](order::compare)) that the automaton
    /// accepts for it. Goes through the automaton's states in the order of texts; each state is
    /// settled by the first text that leads to it, and left only by characters that a rule without a
    /// text can take.
    pub(super) fn shortest_texts(&mut self, atn: &LexerAtn, mode: u32) -> Vec<(u32, Vec<u8>)> {
        let wanted = atn.modes[mode as usize].len();
        let chars = atn.plainest_chars();
        let mut found: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let mut settled: HashSet<u32> = HashSet::new();
        let limit = self.work + MAX_POSITIONS;
        let start = self.start(atn, mode);
        let mut queue: BinaryHeap<QueuedText> =
            BinaryHeap::from([Reverse((SimplestFirst(Vec::new()), start))]);
        while let Some(Reverse((SimplestFirst(text), state))) = queue.pop() {
            if !settled.insert(state) {
                continue;
            }
            if settled.len() > MAX_STATES || found.len() == wanted || self.work > limit {
                break;
            }
            let open = self.classes_for(atn, state, |rule| !found.contains_key(&rule));
            let at_end = self.next(atn, state, chars.len());
            let ends = [state, at_end].into_iter().filter(|&state| state != DEAD);
            for accept in ends.filter_map(|state| self.accepted(state)) {
                found.entry(accept.rule).or_insert_with(|| text.clone());
            }
            for (class, c) in chars.iter().enumerate() {
                let Some(c) = c.filter(|_| open[class] && self.work <= limit) else { continue };
                let next = self.next(atn, state, class);
                if next != DEAD && !settled.contains(&next) {
                    let mut longer = text.clone();
                    longer.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    queue.push(Reverse((SimplestFirst(longer), next)));
                }
            }
        }
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::g4;
    use crate::grammar::lexer::Lexer;

    #[test]
    fn rules_that_call_themselves_first_end_the_search() {
        let text = "lexer grammar T; A: A 'a' | 'b'; B: B | C; C: 'c' C? | D; D: D D; E: 'e';";
        let mut lexer = Lexer::new(&g4::load_texts(&[("t.g4", text)]).unwrap());
        let found = lexer.shortest_texts(0);
        for expected in [(0, b"b".to_vec()), (4, b"e".to_vec())] {
            assert!(found.contains(&expected), "{expected:?} is not in {found:?}");
        }
        // A text is lexed in bounded steps, too.
        assert_eq!(lexer.lex(b"bac").last().map(|lexeme| lexeme.end), Some(3));
    }
}
