//! Inputs on both sides of a boundary: failing ones with one to three parts drawn again, or with
//! small edits.

use seedsmith_grammar::Random;
use seedsmith_grammar::Word;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::{NodeId, NodeKind};

use super::edits;
use crate::generalize::domain::Domain;
use crate::generalize::draws::pool;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::pattern::{Replaced, Slot, Subject};
use crate::generalize::predicate::inputs::usual_texts::UsualTexts;
use crate::generalize::predicate::read::{bodies, is_binary};
use crate::generalize::subjects::in_language;

/// Parts of one mutant that are drawn again: few, so that about half of the mutants still fail. Not
/// measured.
const MAX_CHANGED_PARTS: usize = 3;
/// Failing inputs that mutants are made of, because each is parsed and kept. Not measured.
const MAX_BASES: usize = 24;

/// Makes mutants. What comes follows from the seed, and from which mutants the target takes.
pub(crate) struct Mutants {
    language: Option<Sampler>,
    /// The minimized input, and others that fail.
    failing: Vec<Subject>,
    /// How many of these come first: the minimized one, the given ones, and those with another word of a kind.
    first: usize,
    /// Inputs that pass.
    passing: Vec<Subject>,
    usual_texts: UsualTexts,
    /// Whether some failing input is no text.
    is_binary: bool,
    /// Whether some failing input has words that belong together, such as `if` and `fi`.
    has_bodies: bool,
    dice: Random,
    number: u64,
    /// For each way how many mutants were made and how many of them the target took.
    tried: [(u32, u32); WAYS.len()],
}

/// A way to make a mutant.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// One edit.
    Edit(edits::Edit),
    /// Two edits: a number and the parts that it counts change together.
    TwoEdits,
    /// Some of the items of each list, every other time with an edit.
    SomeItems,
    /// Parts drawn again.
    Redraw,
    /// The same, and a number that fits the new parts.
    RedrawAndNumber,
}

/// All ways, and how often each is taken while nothing is known. Shares were not measured.
const WAYS: [(Way, u32); 17] = [
    (Way::Edit(edits::EDITS[0]), 2),
    (Way::Edit(edits::EDITS[1]), 2),
    (Way::Edit(edits::EDITS[2]), 2),
    (Way::Edit(edits::EDITS[3]), 2),
    (Way::Edit(edits::EDITS[4]), 2),
    (Way::Edit(edits::EDITS[5]), 4),
    (Way::Edit(edits::EDITS[6]), 2),
    (Way::Edit(edits::EDITS[7]), 2),
    (Way::Edit(edits::EDITS[8]), 1),
    (Way::Edit(edits::EDITS[9]), 2),
    (Way::Edit(edits::EDITS[10]), 4),
    (Way::Edit(edits::EDITS[11]), 4),
    (Way::Edit(edits::EDITS[12]), 4),
    (Way::TwoEdits, 8),
    (Way::SomeItems, 10),
    (Way::Redraw, 15),
    (Way::RedrawAndNumber, 5),
];

/// Which inputs mutants are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// Failing ones, every third time the minimized one and every third time the given one.
    Failing,
    /// Passing ones, where there are some.
    Passing,
}

/// A mutant, and the number of the way that it was made.
pub(crate) type Mutant = (usize, Vec<u8>);

impl Mutants {
    /// Mutants of the minimized input and of some others that fail, the given one first.
    ///
    /// Inputs outside of the language are left out, because mutants are made along the tree.
    pub(crate) fn new(subject: &Subject, others: &[Vec<u8>], seed: u64) -> Self {
        let mut mutants = Mutants {
            language: subject.language.clone(),
            failing: vec![subject.clone()],
            first: 2,
            passing: Vec::new(),
            usual_texts: UsualTexts::default(),
            is_binary: false,
            has_bodies: false,
            dice: Random::new(seed ^ 0x6d75_7461_6e74),
            number: 0,
            tried: Default::default(),
        };
        others.iter().for_each(|input| mutants.keep(input, true));
        mutants.usual_texts = UsualTexts::of(&mutants.failing);
        mutants.is_binary = mutants.failing.iter().any(|base| is_binary(&base.input));
        mutants.has_bodies = mutants.failing.iter().any(|base| !bodies(&base.input).is_empty());
        mutants
    }

    /// How many of the failing inputs mutants are made of most, the minimized one among them.
    ///
    /// Those that come first are the given ones and those that have another word where it matters, so that a condition
    /// is tried around each of them.
    pub(crate) fn prefer(&mut self, first: usize) {
        self.first = first.max(1);
    }

    /// Another input to make mutants of, if there is room for it.
    ///
    /// There is room for `MAX_BASES` that fail and as many that pass.
    pub(crate) fn keep(&mut self, input: &[u8], fails: bool) {
        let is_full = |bases: &Vec<Subject>| bases.len() >= MAX_BASES;
        if is_full(if fails { &self.failing } else { &self.passing }) {
            return;
        }
        let subject = self.subject(input);
        if fails { self.failing.extend(subject) } else { self.passing.extend(subject) }
    }

    /// An input with its tree, if it is in the language.
    ///
    /// Costs parsing.
    pub(crate) fn subject(&self, input: &[u8]) -> Option<Subject> {
        in_language(self.language.as_ref()?, input)
    }

    /// What the next mutants follow from.
    pub(crate) fn dice(&mut self) -> &mut Random {
        &mut self.dice
    }

    /// Whether the target took a mutant that was made that way, so that fewer are made of a kind that it rejects.
    pub(crate) fn judge(&mut self, way: usize, is_taken: bool) {
        self.tried[way].0 += 1;
        self.tried[way].1 += u32::from(is_taken);
    }

    /// The next one; nothing if this draw came to nothing. It may be outside of the language.
    pub(crate) fn next(&mut self, from: Base) -> Option<Mutant> {
        self.number += 1;
        // Bytes have no lists of items.
        let is_possible = |number: usize, way: Way| match way {
            Way::SomeItems => !self.is_binary,
            Way::Edit(_) if number == edits::EDIT_OF_BODIES => self.has_bodies,
            Way::Edit(_) => self.is_binary || number < edits::FIRST_BINARY_EDIT,
            _ => true,
        };
        let ways = WAYS.iter().zip(self.tried).enumerate();
        let shares: Vec<usize> = ways
            .map(|(number, ((way, share), (made, taken)))| {
                let share = if is_possible(number, *way) { *share } else { 0 };
                (share * 100 * (taken + 2) / (made + 2)) as usize
            })
            .collect();
        let mut at = self.dice.below(shares.iter().sum());
        let way = shares.iter().position(|share| {
            let is_here = at < *share;
            at = at.saturating_sub(*share);
            is_here
        })?;
        let mut base = self.base(from);
        let mutant = match WAYS[way].0 {
            Way::Edit(edit) => edit(&base, &mut self.dice),
            Way::TwoEdits => {
                let edited = edits::edited(&base, &mut self.dice)?;
                let subject = self.subject(&edited)?;
                edits::edited(&subject, &mut self.dice)
            }
            Way::SomeItems => {
                // A minimized input has no list with items to choose from.
                let given = self.failing.get(1).filter(|_| from == Base::Failing);
                let input = edits::with_some_items(given.unwrap_or(&base), &mut self.dice);
                match self.dice.below(2) {
                    0 => Some(input),
                    _ => edits::edited(&self.subject(&input)?, &mut self.dice),
                }
            }
            Way::Redraw => self.redrawn(&mut base),
            Way::RedrawAndNumber => {
                let redrawn = self.redrawn(&mut base)?;
                if !redrawn.iter().any(u8::is_ascii_digit) {
                    return Some((way, redrawn));
                }
                let subject = self.subject(&redrawn)?;
                edits::other_number(&subject, &mut self.dice)
            }
        };
        Some((way, mutant?))
    }

    /// An input to make a mutant of.
    ///
    /// Of the failing ones the minimized input is the nearest to the boundary, and the given one has most around the cause.
    fn base(&mut self, from: Base) -> Subject {
        let is_passing = from == Base::Passing && !self.passing.is_empty();
        let first = self.first.min(self.failing.len());
        let at = match self.dice.below(3) {
            0 if !is_passing => 0,
            1 if !is_passing && first > 1 => 1 + self.dice.below(first - 1),
            _ => self.dice.below(if is_passing { self.passing.len() } else { self.failing.len() }),
        };
        let bases = if is_passing { &self.passing } else { &self.failing };
        bases[at].clone()
    }

    /// An input with one to three parts drawn again, which may be outside of the language.
    pub(super) fn redraw(&mut self, from: Base) -> Option<Vec<u8>> {
        self.number += 1;
        let mut base = self.base(from);
        self.redrawn(&mut base)
    }

    /// A base with one to three parts drawn again.
    ///
    /// Now and then a part gets the text of another one of its symbol, because equal parts are rare
    /// by chance.
    fn redrawn(&mut self, base: &mut Subject) -> Option<Vec<u8>> {
        let language = base.language.as_ref()?;
        let places: Vec<NodeId> =
            base.tree.ids().filter(|&id| language.symbol(base.tree.node(id)).is_some()).collect();
        if places.is_empty() {
            return None;
        }
        let mut replaced = Replaced::new();
        for part in 0..=self.dice.below(MAX_CHANGED_PARTS) {
            let node = places[self.dice.below(places.len())];
            let symbol = base.language.as_ref()?.symbol(base.tree.node(node))?;
            let slot = Slot::one(node, Domain::Symbol(symbol));
            // Now and then the same as elsewhere: equal parts are rare by chance.
            let twin = places[self.dice.below(places.len())];
            let is_twin = base.language.as_ref()?.symbol(base.tree.node(twin)) == Some(symbol);
            if is_twin && twin != node && self.dice.below(3) == 0 {
                let text = base.text(twin).to_vec();
                let token = match base.tree.node(twin).kind {
                    NodeKind::Token(token) => TokenId(token),
                    _ => continue,
                };
                replaced.insert(node, vec![Word { token, text }]);
                continue;
            }
            let mut words = pool::draw(base, &slot, self.number << 2, part as u64)?.words;
            for word in &mut words {
                self.usual_texts.replace(word, &mut self.dice);
            }
            replaced.insert(node, words);
        }
        base.render(&replaced)
    }
}
