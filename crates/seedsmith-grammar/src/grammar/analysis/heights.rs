//! How high the lowest tree of each rule is.
//!
//! Generators use it to end: beyond a depth they take only alternatives of the least height.
//! Computed in rounds as a least fixed point: round n settles the rules of height n.

use crate::grammar::model::{Alternative, Bounds, Grammar, Term, TokenId};

/// For each parser rule the height of its lowest derivation tree: 1 if it needs no other rule, else
/// one more than the highest rule in that tree; `None` if it has no finite derivation. A token
/// without a text (see `has_text`) has no derivation.
///
/// Cost: each round looks at all rules without a height, and there are as many rounds as the
/// greatest height.
pub(crate) fn heights(grammar: &Grammar, has_text: &dyn Fn(TokenId) -> bool) -> Vec<Option<u32>> {
    let any = (1..grammar.tokens.len() as u32).map(TokenId).find(|&token| has_text(token));
    let lowest = |alternatives: &[Alternative], known: &[Option<u32>]| {
        KnownHeights { grammar, has_text, any_has_text: any.is_some(), heights: known }
            .lowest(alternatives)
    };
    let mut heights: Vec<Option<u32>> = vec![None; grammar.rules.len()];
    loop {
        // All of a round's new heights are the same number, so that the first is the least.
        let found: Vec<(usize, u32)> = (0..heights.len())
            .filter(|&rule| heights[rule].is_none())
            .filter_map(|rule| {
                let lowest = lowest(&grammar.rules[rule].alternatives, &heights)?;
                Some((rule, lowest + 1))
            })
            .collect();
        if found.is_empty() {
            return heights;
        }
        for (rule, height) in found {
            heights[rule] = Some(height);
        }
    }
}

/// The heights found so far, and the grammar data needed to compute another.
struct KnownHeights<'k> {
    grammar: &'k Grammar,
    has_text: &'k dyn Fn(TokenId) -> bool,
    /// Whether any token has a text: `.` and negated sets need one.
    any_has_text: bool,
    heights: &'k [Option<u32>],
}

impl KnownHeights<'_> {
    /// The least height of the alternatives; `None` if none is finite so far.
    fn lowest(&self, alternatives: &[Alternative]) -> Option<u32> {
        let highest = |alternative: &Alternative| {
            let mut heights = alternative.terms.iter().map(|term| self.height(term));
            heights.try_fold(0, |highest, height| Some(height?.max(highest)))
        };
        alternatives.iter().filter_map(highest).min()
    }

    /// The height of one term: 0 for tokens and for terms that can be left out.
    fn height(&self, term: &Term) -> Option<u32> {
        let can_be_spelled = match term {
            Term::Token(token) => *token == TokenId::EOF || (self.has_text)(*token),
            Term::Set { tokens, negated: false } => {
                tokens.iter().any(|&token| (self.has_text)(token))
            }
            // Which token it is takes a look at all of them; a wrong guess fails while drawing.
            Term::Set { .. } | Term::Any => self.any_has_text,
            Term::Rule { rule, .. } => return self.heights[rule.index()],
            Term::Group(body) => return self.lowest(body),
            Term::Repeat { id, body } => {
                let bounds = self.grammar.quantifier(*id).bounds;
                return if bounds == Bounds::Plus { self.lowest(body) } else { Some(0) };
            }
        };
        can_be_spelled.then_some(0)
    }
}
