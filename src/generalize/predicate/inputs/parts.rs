//! Texts of the parts of several inputs, by the symbol that they are of, and inputs that are put together from them.
//!
//! An edit changes an input in one place. Here a tree is walked from its root, and at each list, rule and token the
//! input's own part may be replaced by one of another input, so that a draw may differ from its base everywhere.

use std::collections::BTreeMap;

use seedsmith_grammar::NodeKind;
use seedsmith_grammar::internal::QuantifierId;
use seedsmith_grammar::{NodeId, Random, Tree};

use super::edits::{renamed, repetitions, shuffle};
use super::usual_texts::varied;
use crate::generalize::draws::sampler::Sampler;

/// Texts of one symbol that are kept, so that those of one input are not lost among those of many mutants. Not
/// measured.
const MAX_TEXTS_OF_SYMBOL: usize = 40;
/// Longer texts are not kept, so that new inputs stay short. Not measured.
const MAX_TEXT_BYTES: usize = 80;
/// Parts that a list is given at most, besides as many as it has: two more than most limits of counts that people
/// write into examples. Not measured.
const MAX_FURTHER_PARTS: usize = 3;

/// What a part is an example of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Rule(u32),
    Token(u32),
    /// One repetition of a quantified part.
    Repetition(u32),
}

/// Texts by symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    texts: BTreeMap<Symbol, Vec<Vec<u8>>>,
    /// The text between two repetitions of a part: blanks that the grammar hides.
    gaps: BTreeMap<u32, Vec<u8>>,
}

/// Of how many parts of a base one is replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heat(pub usize);

impl Parts {
    /// Takes in the parts of an input. Costs one pass over its tree.
    pub(super) fn add(&mut self, tree: &Tree, input: &[u8]) {
        for id in tree.ids().skip(1) {
            if let NodeKind::Quantifier(number) = tree.node(id).kind {
                self.add_gap(tree, input, id, number);
            }
            let Some(symbol) = symbol(tree, id) else { continue };
            let text = &input[tree.span(id)];
            let known = self.texts.entry(symbol).or_default();
            let is_kept = !text.is_empty() && text.len() <= MAX_TEXT_BYTES;
            if is_kept && known.len() < MAX_TEXTS_OF_SYMBOL && !known.iter().any(|one| one == text)
            {
                known.push(text.to_vec());
            }
        }
    }

    /// Takes in the text between the first two repetitions of a part.
    fn add_gap(&mut self, tree: &Tree, input: &[u8], list: NodeId, number: u32) {
        let mut repetitions = repetitions(tree, list);
        if let (Some(first), Some(second)) = (repetitions.next(), repetitions.next()) {
            let gap = &input[tree.span(first).end..tree.span(second).start];
            self.gaps.entry(number).or_insert_with(|| gap.to_vec());
        }
    }

    /// Another text of a part's symbol; nothing if there is none.
    fn other(&self, symbol: Symbol, dice: &mut Random) -> Option<&Vec<u8>> {
        let texts = self.texts.get(&symbol)?;
        texts.get(dice.below(texts.len().max(1)))
    }

    /// All inputs with another input's part before or after one of the same list.
    ///
    /// Parts have the text between them that the inputs have there. Whether the results are in the language is the caller's to ask.
    pub(super) fn insertions(&self, tree: &Tree, input: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for id in tree.ids().skip(1).filter(|id| tree.node(*id).kind == NodeKind::Iteration) {
            let Some(symbol @ Symbol::Repetition(number)) = symbol(tree, id) else { continue };
            let gap = self.gaps.get(&number).map_or(&b""[..], Vec::as_slice);
            let span = tree.span(id);
            for text in self.texts.get(&symbol).into_iter().flatten() {
                found.push([&input[..span.start], text, gap, &input[span.start..]].concat());
                found.push([&input[..span.end], gap, text, &input[span.end..]].concat());
            }
        }
        found
    }

    /// An input with other parts. Whether it is in the language is the caller's to ask.
    pub(super) fn recombined(
        &self,
        (tree, input): (&Tree, &[u8]),
        language: &Sampler,
        Heat(heat): Heat,
        dice: &mut Random,
    ) -> Vec<u8> {
        let mut draw = Recombination { parts: self, tree, input, language, heat, dice };
        draw.text(NodeId(0))
    }

    /// An input with one rule or repetition replaced by another input's. Nothing if no other text is known for the
    /// place that was drawn.
    pub(super) fn replaced_part(
        &self,
        (tree, input): (&Tree, &[u8]),
        dice: &mut Random,
    ) -> Option<Vec<u8>> {
        let at = NodeId(1 + dice.below(tree.len().checked_sub(1).filter(|len| *len > 0)?) as u32);
        let text = self.other(symbol(tree, at)?, dice)?;
        let span = tree.span(at);
        Some([&input[..span.start], text, &input[span.end..]].concat())
    }
}

/// One walk over a tree.
struct Recombination<'r> {
    parts: &'r Parts,
    tree: &'r Tree,
    input: &'r [u8],
    language: &'r Sampler,
    heat: usize,
    dice: &'r mut Random,
}

impl Recombination<'_> {
    /// The text of a node, or another one.
    fn text(&mut self, node: NodeId) -> Vec<u8> {
        let own = &self.input[self.tree.span(node)];
        match self.tree.node(node).kind {
            NodeKind::Quantifier(number) if self.is_hot() => self.list(node, number),
            NodeKind::Token(number) => self.token(own, number),
            NodeKind::Rule { rule, .. } if self.dice.below(3 * self.heat) == 0 => {
                let other = self.parts.other(Symbol::Rule(rule), self.dice);
                other.cloned().unwrap_or_else(|| own.to_vec())
            }
            _ => self.inside(node),
        }
    }

    /// Whether a part is replaced.
    fn is_hot(&mut self) -> bool {
        self.dice.below(self.heat) == 0
    }

    /// A node's text with its inner parts drawn again.
    fn inside(&mut self, node: NodeId) -> Vec<u8> {
        let span = self.tree.span(node);
        let mut text = Vec::new();
        let mut at = span.start;
        for &child in self.tree.children(node) {
            let inner = self.tree.span(child);
            text.extend(&self.input[at..inner.start]);
            text.extend(self.text(child));
            at = inner.end;
        }
        text.extend(&self.input[at..span.end]);
        text
    }

    /// A token of the grammar's own text stays; another gets a text of other inputs, or one that is like its own.
    fn token(&mut self, own: &[u8], number: u32) -> Vec<u8> {
        let is_open = self.language.is_open(number) && !own.is_empty();
        if !is_open || !self.is_hot() {
            return own.to_vec();
        }
        match self.dice.below(2) {
            0 => varied(own, self.dice),
            _ => self.parts.other(Symbol::Token(number), self.dice).cloned().unwrap_or_default(),
        }
    }

    /// A list with other parts, in another order, or with more or fewer of them.
    fn list(&mut self, list: NodeId, number: u32) -> Vec<u8> {
        let own: Vec<NodeId> = repetitions(self.tree, list).collect();
        let sign = self.language.grammar().quantifier(QuantifierId(number)).bounds.sign();
        let most = if sign == '?' { 1 } else { own.len() + MAX_FURTHER_PARTS };
        let count = match self.dice.below(3) {
            0 => own.len(),
            _ => self.dice.below(most + 1),
        };
        let count = count.max(usize::from(sign == '+'));
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for at in 0..count {
            let own = own.get(at).copied().filter(|_| self.dice.below(2) == 0);
            let text = match own {
                Some(own) => self.text(own),
                None => {
                    let other = self.parts.other(Symbol::Repetition(number), self.dice);
                    let other = other.cloned().unwrap_or_default();
                    if self.dice.below(3) == 0 { renamed(&other, self.dice) } else { other }
                }
            };
            texts.push(text);
        }
        if self.dice.below(3) == 0 {
            shuffle(&mut texts, self.dice);
        }
        let gap = self.parts.gaps.get(&number).cloned().unwrap_or_default();
        texts.join(&gap[..])
    }
}

/// What a node is an example of; nothing for nodes that are neither rules, tokens nor repetitions.
fn symbol(tree: &Tree, id: NodeId) -> Option<Symbol> {
    match tree.node(id).kind {
        NodeKind::Rule { rule, .. } => Some(Symbol::Rule(rule)),
        NodeKind::Token(token) => Some(Symbol::Token(token)),
        NodeKind::Iteration => match tree.node(tree.parent(id)?).kind {
            NodeKind::Quantifier(number) => Some(Symbol::Repetition(number)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_part_comes_before_and_after_each_one() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let mut parts = Parts::default();
        let input = b"a\nb";
        let (tree, _) = language.read(input).unwrap();
        let (other, _) = language.read(b"x\ny").unwrap();
        parts.add(&other, b"x\ny");
        let made = parts.insertions(&tree, input);
        assert!(
            made.contains(&b"a\ny\nb".to_vec()) || made.contains(&b"a\nb\ny".to_vec()),
            "{made:?}"
        );
    }

    #[test]
    fn an_input_is_put_together_from_parts_of_others() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let mut parts = Parts::default();
        let inputs: [&[u8]; 2] = [b"a = 1\nb = 2", b"key: x"];
        let trees = inputs.map(|input| language.read(input).unwrap().0);
        trees.iter().zip(inputs).for_each(|(tree, input)| parts.add(tree, input));
        let mut dice = Random::new(3);
        let drawn: Vec<Vec<u8>> = (0..60)
            .map(|_| parts.recombined((&trees[0], inputs[0]), &language, Heat(2), &mut dice))
            .collect();
        let has =
            |word: &[u8]| drawn.iter().any(|text| text.windows(word.len()).any(|one| one == word));
        assert!(has(b"key") && has(b"b"), "{drawn:?}");
        let lines = |text: &Vec<u8>| text.split(|byte| *byte == b'\n').count();
        assert!(drawn.iter().map(lines).max() > Some(2), "{drawn:?}");
    }
}
