//! A node written as another alternative of its rule: from its own parts as far as they fit, from
//! shortest texts where they don't.
//!
//! `<item></item>` becomes `<item/>`, `if (a) b; else c;` becomes `if (a) b;`. No subtree of the
//! node could replace it so: the new text is no part of the node.

use crate::reduce::tree::shape::Shape;
use seedsmith_grammar::internal::{Alternative, Bounds, Grammar, RuleId, Term};
use seedsmith_grammar::{NodeId, NodeKind};

/// A part of a node: a token or a rule, with its text.
#[derive(Clone, Copy)]
struct Part<'s> {
    kind: NodeKind,
    text: &'s [u8],
}

/// The text so far, and how many parts were used or passed over for it.
#[derive(Clone, Default)]
struct Written<'s> {
    pieces: Vec<&'s [u8]>,
    /// Parts before this one are used or lost.
    at: usize,
    /// Parts that were used and aren't plain signs.
    used: usize,
}

/// The texts of a rule's node by its other alternatives, each in the order of the grammar.
pub(crate) fn alternatives(shape: &Shape<'_>, node: NodeId) -> Vec<Vec<u8>> {
    let kind = shape.tree().node(node).kind;
    let NodeKind::Rule { rule, alternative: own } = kind else { return Vec::new() };
    if shape.substitutes().language_of(kind) != Some(0) {
        // Of an island's grammar, which isn't the one that is looked into here.
        return Vec::new();
    }
    let writer =
        Writer { shape, grammar: shape.substitutes().grammar(), parts: parts(shape, node) };
    let all = writer.grammar.rule(RuleId(rule)).alternatives.iter().enumerate();
    let mut found = Vec::new();
    for (index, alternative) in all {
        if index != usize::from(own) {
            found.extend(writer.sequence(&alternative.terms, Written::default()));
        }
        // The alternatives of a rule are often in a group inside it:
        // `'<' name ('/>' | '>' content* '</' name '>')`.
        for (at, term) in alternative.terms.iter().enumerate() {
            let Term::Group(body) = term else { continue };
            let (before, behind) = (&alternative.terms[..at], &alternative.terms[at + 1..]);
            let Some(begun) = writer.sequence(before, Written::default()) else { continue };
            found.extend(body.iter().filter_map(|one| {
                writer.sequence(behind, writer.sequence(&one.terms, begun.clone())?)
            }));
        }
    }
    found.into_iter().map(|written| shape.joined(&written.pieces)).collect()
}

/// Tokens and rules below a node, through quantified parts but not into rules.
fn parts<'s>(shape: &'s Shape<'_>, node: NodeId) -> Vec<Part<'s>> {
    let tree = shape.tree();
    let mut found = Vec::new();
    let mut todo: Vec<NodeId> = tree.children(node).iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        match tree.node(id).kind {
            NodeKind::Quantifier(_) | NodeKind::Iteration => {
                todo.extend(tree.children(id).iter().rev())
            }
            kind @ (NodeKind::Rule { .. } | NodeKind::Token(_)) => {
                found.push(Part { kind, text: shape.text(id) });
            }
            _ => {}
        }
    }
    found
}

struct Writer<'s, 'l> {
    shape: &'s Shape<'l>,
    grammar: &'s Grammar,
    parts: Vec<Part<'s>>,
}

impl<'s> Writer<'s, '_> {
    fn sequence(&self, terms: &[Term], mut written: Written<'s>) -> Option<Written<'s>> {
        for term in terms {
            written = self.term(term, written)?;
        }
        Some(written)
    }

    fn term(&self, term: &Term, mut written: Written<'s>) -> Option<Written<'s>> {
        let substitutes = self.shape.substitutes();
        match term {
            Term::Token(token) => {
                let is_sign = self.grammar.tokens[token.index()].literal.is_some();
                let kind = NodeKind::Token(token.0);
                if self.take(&mut written, |part| part.kind == kind) {
                    written.used -= usize::from(is_sign);
                } else {
                    written.pieces.push(substitutes.text_of(kind));
                }
                Some(written)
            }
            Term::Set { tokens, negated } => {
                let is_in = |part: &Part<'_>| match part.kind {
                    NodeKind::Token(token) => {
                        tokens.binary_search_by_key(&token, |one| one.0).is_ok() != *negated
                    }
                    _ => false,
                };
                if !self.take(&mut written, is_in) {
                    let texts =
                        tokens.iter().map(|token| substitutes.text_of(NodeKind::Token(token.0)));
                    let shortest = texts.filter(|_| !negated).min_by_key(|text| text.len())?;
                    written.pieces.push(shortest);
                }
                Some(written)
            }
            Term::Any => {
                let is_any = |part: &Part<'_>| matches!(part.kind, NodeKind::Token(_));
                self.take(&mut written, is_any).then_some(written)
            }
            Term::Rule { rule, .. } => {
                let fitting = substitutes.derives(rule.0);
                let fits = |part: &Part<'_>| match part.kind {
                    NodeKind::Rule { rule, .. } => fitting.binary_search(&RuleId(rule)).is_ok(),
                    _ => false,
                };
                if !self.take(&mut written, fits) {
                    let kind =
                        NodeKind::Rule { rule: rule.0, alternative: NodeKind::NO_ALTERNATIVE };
                    written.pieces.push(substitutes.text_of(kind));
                }
                Some(written)
            }
            Term::Group(body) => self.best_of(body, &written),
            Term::Repeat { id, body } => {
                let bounds = self.grammar.quantifier(*id).bounds;
                let mut taken = 0;
                while bounds.max().is_none_or(|most| taken < most)
                    && let Some(next) = self.best_of(body, &written)
                    && next.used > written.used
                {
                    written = next;
                    taken += 1;
                }
                if taken == 0 && bounds == Bounds::Plus {
                    written.pieces.push(substitutes.iteration_text(id.0));
                }
                Some(written)
            }
        }
    }

    /// The alternative that uses the most parts, and of several the first.
    fn best_of(&self, body: &[Alternative], written: &Written<'s>) -> Option<Written<'s>> {
        let all = body.iter().rev();
        all.filter_map(|one| self.sequence(&one.terms, written.clone())).max_by_key(|one| one.used)
    }

    /// Writes the next part that fits, if there is one.
    fn take(&self, written: &mut Written<'s>, fits: impl Fn(&Part<'_>) -> bool) -> bool {
        let Some(behind) = self.parts[written.at..].iter().position(fits) else { return false };
        written.at += behind + 1;
        written.used += 1;
        written.pieces.push(self.parts[written.at - 1].text);
        true
    }
}
