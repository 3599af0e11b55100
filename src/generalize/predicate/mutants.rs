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
use crate::generalize::predicate::usual_texts::UsualTexts;

/// Parts of one mutant that are drawn again: few, so that about half of the mutants still fail. Not
/// measured.
const MAX_CHANGED_PARTS: usize = 3;
/// Failing inputs that mutants are made of, because each is parsed and kept. Not measured.
const MAX_BASES: usize = 24;

/// Makes mutants. What comes follows from the seed.
pub(crate) struct Mutants {
    language: Option<Sampler>,
    bases: Vec<Subject>,
    usual_texts: UsualTexts,
    dice: Random,
    number: u64,
}

impl Mutants {
    /// Mutants of the minimized input and of some others that fail.
    ///
    /// Inputs outside of the language are left out, because mutants are made along the tree.
    pub(crate) fn new(subject: &Subject, others: &[Vec<u8>], seed: u64) -> Self {
        let mut mutants = Mutants {
            language: subject.language.clone(),
            bases: vec![subject.clone()],
            usual_texts: UsualTexts::default(),
            dice: Random::new(seed ^ 0x6d75_7461_6e74),
            number: 0,
        };
        others.iter().for_each(|input| mutants.keep(input));
        mutants.usual_texts = UsualTexts::of(&mutants.bases);
        mutants
    }

    /// Another input to make mutants of, if there is room for it.
    ///
    /// There is room for `MAX_BASES`.
    pub(crate) fn keep(&mut self, input: &[u8]) {
        if self.bases.len() < MAX_BASES {
            self.bases.extend(self.subject(input));
        }
    }

    /// An input with its tree, if it is in the language.
    ///
    /// Costs parsing.
    pub(crate) fn subject(&self, input: &[u8]) -> Option<Subject> {
        let mut language = self.language.clone()?;
        let Ok((tree, None)) = language.read(input) else { return None };
        let (input, language) = (input.to_vec(), Some(language));
        Some(Subject { input, tree, language, shared: Default::default() })
    }

    /// What the next mutants follow from.
    pub(crate) fn dice(&mut self) -> &mut Random {
        &mut self.dice
    }

    /// The next one; nothing if this draw came to nothing.
    ///
    /// Half of the mutants are small edits, the others have parts drawn again; half are made of the
    /// minimized input. It may be outside of the language.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        self.number += 1;
        // The minimized input is the nearest to the boundary.
        let at = match self.dice.below(2) {
            0 => 0,
            _ => self.dice.below(self.bases.len()),
        };
        let base = &mut self.bases[at];
        if self.dice.below(2) == 0 {
            let edited = edits::edited(base, &mut self.dice)?;
            // Two edits now and then: a number and what it counts change together.
            if self.dice.below(3) > 0 {
                return Some(edited);
            }
            let subject = self.subject(&edited)?;
            return edits::edited(&subject, &mut self.dice);
        }
        let redrawn = self.redrawn(at)?;
        // Now and then a number that fits what was drawn.
        if self.dice.below(4) > 0 || !redrawn.iter().any(u8::is_ascii_digit) {
            return Some(redrawn);
        }
        let subject = self.subject(&redrawn)?;
        edits::other_number(&subject, &mut self.dice)
    }

    /// A base with one to three parts drawn again.
    ///
    /// Now and then a part gets the text of another one of its symbol, because equal parts are rare
    /// by chance.
    fn redrawn(&mut self, at: usize) -> Option<Vec<u8>> {
        let base = &mut self.bases[at];
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
