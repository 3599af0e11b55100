//! Puts the trees of islands below the tokens that hold them.

use crate::grammar::language::Language;
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeId, NodeKind, Tree};
use regex::bytes::Regex;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many rules, tokens and quantifiers come before those of a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberOffsets {
    /// Rules.
    pub rules: u32,
    /// Tokens.
    pub tokens: u32,
    /// Quantifiers.
    pub quantifiers: u32,
}

impl NumberOffsets {
    /// The offsets of the grammar after `language`, which has these.
    pub(crate) fn behind(self, language: &Language) -> NumberOffsets {
        let grammar = language.grammar();
        NumberOffsets {
            rules: self.rules + grammar.rules.len() as u32,
            tokens: self.tokens + grammar.tokens.len() as u32,
            quantifiers: self.quantifiers + grammar.quantifiers.len() as u32,
        }
    }

    /// A grammar's own number as one of all.
    ///
    /// Kinds without a number stay as they are.
    fn shifted(self, kind: NodeKind) -> NodeKind {
        match kind {
            NodeKind::Rule { rule, alternative } => {
                NodeKind::Rule { rule: rule + self.rules, alternative }
            }
            NodeKind::Token(token) => NodeKind::Token(token + self.tokens),
            NodeKind::Trivia(token) => NodeKind::Trivia(token + self.tokens),
            NodeKind::Missing(token) => NodeKind::Missing(token + self.tokens),
            NodeKind::Quantifier(id) => NodeKind::Quantifier(id + self.quantifiers),
            NodeKind::Root | NodeKind::Error | NodeKind::Iteration | NodeKind::Fixed => kind,
        }
    }

    /// Whether a node's number is one of this grammar or of one after it; `None` if it has none.
    pub(crate) fn is_at_or_before(self, kind: NodeKind) -> Option<bool> {
        match kind {
            NodeKind::Rule { rule, .. } => Some(rule >= self.rules),
            NodeKind::Token(token) | NodeKind::Trivia(token) | NodeKind::Missing(token) => {
                Some(token >= self.tokens)
            }
            NodeKind::Quantifier(id) => Some(id >= self.quantifiers),
            NodeKind::Root | NodeKind::Error | NodeKind::Iteration | NodeKind::Fixed => None,
        }
    }
}

/// The pattern that is searched for in a token, and the meaning of its groups.
#[derive(Clone, Debug)]
pub(crate) struct IslandPattern {
    /// The line of the islands' file where it is written.
    pub line: u32,
    /// The regular expression, its groups renamed to names that the regex crate accepts.
    pub regex: Regex,
    /// For each named group, in order: its name in `regex`, a grammar and a rule.
    pub groups: Vec<(String, String, String)>,
}

/// The text in another grammar that a certain token may hold.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    /// Finds the islands in the token's text.
    pub pattern: IslandPattern,
    /// For each group of the pattern, in its order: a part and the language from the rule named.
    pub languages: Vec<(usize, Language)>,
}

/// The islands of one grammar and of those inside them, by token.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandTokens {
    /// The offsets of each language of islands, outer ones first.
    pub offsets: Vec<NumberOffsets>,
    /// By the token's number among those of all grammars.
    pub of_token: BTreeMap<u32, Island>,
}

impl IslandTokens {
    /// The tree with the islands of its tokens below them. `input` are the bytes that it is of.
    ///
    /// Where `keep_going` says no, islands from there on stay plain tokens. Cost: once through the
    /// tree, and a parse of each island's text.
    pub(crate) fn plugged(&self, tree: &Tree, input: &[u8], keep_going: &dyn Fn() -> bool) -> Tree {
        let mut builder = TreeBuilder::new();
        self.copy(tree, input, NumberOffsets::default(), 0, &mut builder, keep_going);
        builder.finish(tree.node(NodeId::ROOT).end)
    }

    /// Copies a tree without its root. Calls itself no deeper than the grammars are nested.
    fn copy(
        &self,
        tree: &Tree,
        input: &[u8],
        base: NumberOffsets,
        shift: u32,
        builder: &mut TreeBuilder,
        keep_going: &dyn Fn() -> bool,
    ) {
        let mut open: Vec<u32> = Vec::new();
        for id in tree.ids().skip(1) {
            while open.last().is_some_and(|behind| *behind <= id.0) {
                builder.close();
                open.pop();
            }
            let node = *tree.node(id);
            let (start, end) = (node.start + shift, node.end + shift);
            let kind = base.shifted(node.kind);
            if !tree.children(id).is_empty() {
                builder.open(kind, start);
                open.push(node.subtree_end);
                continue;
            }
            let text = &input[start as usize..end as usize];
            let island = match kind {
                NodeKind::Token(token) => self.of_token.get(&token),
                _ => None,
            };
            let trees = island.map(|island| island.trees(text, keep_going)).unwrap_or_default();
            if trees.is_empty() {
                builder.leaf(kind, start, end);
                continue;
            }
            builder.open(kind, start);
            let mut at = start;
            for (part, span, inner) in &trees {
                let (from, to) = (start + span.start as u32, start + span.end as u32);
                if at < from {
                    builder.leaf(NodeKind::Fixed, at, from);
                }
                self.copy(inner, input, self.offsets[*part], from, builder, keep_going);
                at = to;
            }
            if at < end {
                builder.leaf(NodeKind::Fixed, at, end);
            }
            builder.close();
        }
        for _ in open {
            builder.close();
        }
    }
}

impl Island {
    /// The islands in a token's text that could be parsed, left to right.
    ///
    /// Matches are found left to right; of two that overlap the one that begins first and parses is
    /// taken.
    fn trees(
        &self,
        text: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Vec<(usize, Range<usize>, Tree)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for captures in self.pattern.regex.captures_iter(text) {
            for (index, (group, ..)) in self.pattern.groups.iter().enumerate() {
                let span = captures.name(group).map(|matched| matched.range());
                found.extend(span.filter(|span| !span.is_empty()).map(|span| (span, index)));
            }
        }
        found.sort_by_key(|(span, _)| (span.start, span.end));
        let mut trees = Vec::new();
        let mut behind = 0;
        for (span, index) in found {
            let (part, language) = &self.languages[index];
            if span.start < behind {
                continue;
            }
            if let Ok(parsed) = language.clone().parse_while(&text[span.clone()], keep_going) {
                behind = span.end;
                trees.push((*part, span, parsed.tree));
            }
        }
        trees
    }
}
