//! The most different texts of a symbol first: what isn't abstract is found out early.
//!
//! Of a few hundred draws that one comes first whose choices (alternatives, numbers of
//! repetitions, rare sorts of characters) are new in the greatest number, and so on until all
//! choices that were met have been made; then the others, the short ones first. A symbol has one
//! pool, wherever it is: the work for one node serves all.

use std::collections::HashSet;
use std::rc::Rc;

use seedsmith_grammar::NodeKind;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::internal::{Drawn, Symbol};
use seedsmith_grammar::{Dice, Word};

use crate::generalize::domain::Domain;
use crate::generalize::pattern::{Slot, Subject};

/// Draws of a symbol. With 24 the claim on the SQL crash was refuted twelve times and took 1,114 tests,
/// with 200 it takes 223 (docs/notes/2026-11-21-generalize.md).
const MAX_SYMBOL_DRAWS: usize = 200;
/// Draws of a range or a spelled pattern: fewer than of a symbol, because all choices of a class are met
/// early. Not measured.
const MAX_SPELLED_DRAWS: usize = 40;
/// Other texts of a symbol in the input that are drawn early, because `[<N>,0]` passes with 0 for the
/// number, which 106 random draws miss in one of four runs (docs/notes/2026-11-22-conditions.md). Three
/// of them: not measured.
const MAX_OTHER_TEXTS: usize = 3;

/// Draws in the order in which they are used.
#[derive(Debug)]
pub(crate) struct Pool {
    /// The words of each.
    pub draws: Vec<Vec<Word>>,
    /// How many of them, at the beginning, have something that none before has.
    pub informative_draws: usize,
}

/// The pools of one search.
#[derive(Debug)]
pub(crate) struct Pools {
    seed: u64,
    known: Vec<(Domain, Rc<Pool>)>,
}

impl Pools {
    /// Pools that follow from `seed`.
    ///
    /// Nothing is drawn until a pool is asked for.
    pub(crate) fn new(seed: u64) -> Self {
        Pools { seed, known: Vec::new() }
    }

    /// The pool of what may be at a slot.
    ///
    /// Pools of symbols are kept, so each symbol is drawn once in a search. Costs no test.
    pub(crate) fn of(&mut self, subject: &mut Subject, slot: &Slot) -> Rc<Pool> {
        if let Some((_, pool)) = self.known.iter().find(|known| known.0 == slot.domain) {
            return pool.clone();
        }
        let is_symbol = matches!(slot.domain, Domain::Symbol(_));
        let count = if is_symbol { MAX_SYMBOL_DRAWS } else { MAX_SPELLED_DRAWS };
        let drawn = (0..count as u64).filter_map(|number| {
            // Every other one wildly, since rare texts are never met in a hundred usual draws.
            let mut dice =
                SometimesWild { dice: dice(self.seed, number), is_wild: number % 2 == 1 };
            draw_with(subject, slot, &mut dice)
        });
        let mut drawn: Vec<Drawn> = drawn.collect();
        if slot.has_room() && subject.language.is_some() {
            drawn.retain(|drawn| subject.takes(slot, &drawn.words));
        }
        let mut pool = most_different_first(drawn);
        if let Domain::Symbol(symbol) = slot.domain {
            pool.put_in(others(subject, symbol));
        }
        let pool = Rc::new(pool);
        if is_symbol {
            self.known.push((slot.domain.clone(), pool.clone()));
        }
        pool
    }
}

impl Pool {
    /// Puts further draws after the first one.
    ///
    /// They count as informative: what the input has itself is rarely drawn.
    fn put_in(&mut self, others: Vec<Vec<Word>>) {
        let at = self.draws.len().min(1);
        self.draws.retain(|known| !others.contains(known));
        self.informative_draws =
            (self.informative_draws + others.len()).min(self.draws.len() + others.len());
        let at = at.min(self.draws.len());
        self.draws.splice(at..at, others);
    }
}

/// What the input has of a symbol: that two parts are equal is rare by chance, and often matters.
///
/// At most `MAX_OTHER_TEXTS`, each once, in the order of the input. Texts of raw bytes are left
/// out, because no symbol derives them.
fn others(subject: &Subject, symbol: Symbol) -> Vec<Vec<Word>> {
    let Some(language) = &subject.language else { return Vec::new() };
    let tree = &subject.tree;
    let mut found: Vec<Vec<Word>> = Vec::new();
    for id in tree.ids() {
        if found.len() == MAX_OTHER_TEXTS {
            break;
        }
        let node = tree.node(id);
        if node.start == node.end || language.symbol(node) != Some(symbol) {
            continue;
        }
        let leaves = tree.subtree(id).filter(|&leaf| tree.children(leaf).is_empty());
        let words = leaves.filter(|&leaf| !subject.text(leaf).is_empty()).filter_map(|leaf| {
            match tree.node(leaf).kind {
                NodeKind::Token(token) => {
                    let text = subject.text(leaf).to_vec();
                    Some(Some(Word { token: TokenId(token), text }))
                }
                NodeKind::Trivia(_) => None,
                _ => Some(None),
            }
        });
        if let Some(words) = words.collect::<Option<Vec<Word>>>()
            && !found.contains(&words)
        {
            found.push(words);
        }
    }
    found
}

/// The draw of that number; nothing if it came to nothing.
///
/// The same for the same salt and number, whatever was drawn before.
pub(crate) fn draw(subject: &mut Subject, slot: &Slot, salt: u64, number: u64) -> Option<Drawn> {
    subject.draw(slot, &mut dice(salt, number))
}

/// One draw for a slot, before it is checked that it can be written at that place.
fn draw_with(subject: &Subject, slot: &Slot, dice: &mut dyn Dice) -> Option<Drawn> {
    let kind = subject.tree.node(slot.nodes[0]).kind;
    slot.domain.draw(subject.language.as_ref(), dice, kind)
}

/// Dice of a draw by its number, so that reading ahead changes nothing.
fn dice(salt: u64, number: u64) -> Random {
    Random::new(Random::new(salt.wrapping_add(number.wrapping_mul(0x1_0001))).next_number())
}

/// Dice that also say whether unusual characters are to be as likely as usual ones.
struct SometimesWild {
    dice: Random,
    is_wild: bool,
}

impl Dice for SometimesWild {
    fn below(&mut self, bound: usize) -> usize {
        self.dice.below(bound)
    }

    fn is_wild(&self) -> bool {
        self.is_wild
    }
}

/// Greedy: the draw with most choices that none before has comes next, of equals the shortest.
/// Draws without new choices follow, the short ones first.
fn most_different_first(draws: Vec<Drawn>) -> Pool {
    let length = |words: &[Word]| words.iter().map(|word| word.text.len()).sum::<usize>();
    let mut rest: Vec<(Vec<u32>, Vec<Word>)> = Vec::new();
    for Drawn { words, mut choices } in draws {
        choices.sort_unstable();
        choices.dedup();
        if rest.iter().all(|known| known.1 != words) {
            rest.push((choices, words));
        }
    }
    rest.sort_by_key(|(_, words)| length(words));
    let mut met: HashSet<u32> = HashSet::new();
    let mut ordered: Vec<Vec<Word>> = Vec::new();
    loop {
        let news = |choices: &[u32]| choices.iter().filter(|choice| !met.contains(choice)).count();
        // Of equals the shortest: the first.
        let most = rest.iter().map(|(choices, _)| news(choices)).max().unwrap_or(0);
        let Some(at) = rest.iter().position(|(choices, _)| most > 0 && news(choices) == most)
        else {
            break;
        };
        let (choices, words) = rest.remove(at);
        met.extend(choices);
        ordered.push(words);
    }
    let informative_draws = ordered.len();
    ordered.extend(rest.into_iter().map(|(_, words)| words));
    Pool { draws: ordered, informative_draws }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_most_that_is_new_comes_first_and_repeats_come_last() {
        let drawn = |text: &str, choices: &[u32]| Drawn {
            words: vec![Word { token: TokenId(1), text: text.into() }],
            choices: choices.to_vec(),
        };
        let pool = most_different_first(vec![
            drawn("a", &[1]),
            drawn("bb", &[1, 2, 2]),
            drawn("ccc", &[1, 2]),
            drawn("d", &[1]),
            drawn("eee", &[3]),
            drawn("a", &[1]),
        ]);
        let texts: Vec<String> =
            pool.draws.iter().map(|one| String::from_utf8_lossy(&one[0].text).into()).collect();
        assert_eq!((texts.join(" ").as_str(), pool.informative_draws), ("bb eee a d ccc", 2));
    }
}
