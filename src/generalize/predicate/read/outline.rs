//! The named parts of an input, with the rules that each is in.

use std::collections::{BTreeMap, BTreeSet};

use seedsmith_grammar::{NodeId, NodeKind, Tree};

use super::words::Words;
use crate::generalize::draws::sampler::Sampler;

/// Rules of different names around a part that it is counted in, from the inside out, because a grammar
/// of expressions has twenty of them around every number. Not measured.
const MAX_OUTER_RULES: usize = 6;

/// One occurrence of a name.
#[derive(Clone, Debug)]
pub(super) struct Part<'t> {
    /// Its text.
    pub text: &'t [u8],
    /// Where it begins.
    pub start: u32,
    /// Its number among all leaves.
    pub leaf: usize,
}

/// All occurrences of one name.
#[derive(Debug, Default)]
pub(super) struct Named<'o, 't> {
    /// Whether all of them have the same text, which is the name.
    pub is_fixed: bool,
    /// They, in order.
    pub parts: Vec<&'o Part<'t>>,
}

/// The occurrences of all names.
pub(super) type Names<'o, 't> = BTreeMap<&'o str, Named<'o, 't>>;

/// A named part.
pub(super) struct Item<'t> {
    /// Its name.
    pub name: String,
    /// Whether its text is its name.
    pub is_fixed: bool,
    /// Where it is.
    pub part: Part<'t>,
    /// The number of the rule that it is in, if it is in one.
    pub rule: Option<usize>,
}

/// A rule's part of the input.
pub(super) struct Rule {
    /// Its name.
    pub name: String,
    /// Its first and last byte's offsets.
    pub span: (u32, u32),
    /// Its leaves.
    pub leaves: (usize, usize),
    /// The number of the rule that it is in.
    pub outer: Option<usize>,
}

/// A leaf that the parser took.
pub(super) struct Leaf<'t> {
    /// Its text.
    pub text: &'t [u8],
    /// Where it begins.
    pub start: u32,
    /// Whether the grammar has its text.
    pub is_fixed: bool,
}

/// An input in named parts.
pub(super) struct Outline<'t> {
    /// The bytes.
    pub input: &'t [u8],
    /// All parts, in order.
    pub items: Vec<Item<'t>>,
    /// All rules, outer ones first. The first is the whole input.
    pub rules: Vec<Rule>,
    /// All leaves.
    pub leaves: Vec<Leaf<'t>>,
    /// Names of lists without parts.
    pub empty: BTreeSet<String>,
    /// How deep brackets are nested.
    pub brackets: i128,
}

impl<'t> Outline<'t> {
    /// Reads it off a tree.
    ///
    /// Hidden text and errors have no name. Cost: one pass over the tree.
    pub(super) fn read(tree: &Tree, input: &'t [u8], language: &Sampler, words: &Words) -> Self {
        let (items, rules, leaves) = (Vec::new(), Vec::new(), Vec::new());
        let mut outline =
            Outline { input, items, rules, leaves, empty: BTreeSet::new(), brackets: 0 };
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut brackets = 0i128;
        for id in tree.ids().skip(1) {
            while open.last().is_some_and(|(_, end)| *end <= id.0) {
                let (rule, _) = open.pop().expect("there is a last one");
                outline.rules[rule].leaves.1 = outline.leaves.len();
            }
            let node = tree.node(id);
            let text = &input[tree.span(id)];
            let Some((name, is_fixed)) = name(tree, id, language) else { continue };
            if is_fixed {
                brackets += match text {
                    b"(" | b"[" | b"{" => 1,
                    b")" | b"]" | b"}" => -1,
                    _ => 0,
                };
                outline.brackets = outline.brackets.max(brackets);
            }
            let rule = open.last().map(|(rule, _)| *rule);
            let part = Part { text, start: node.start, leaf: outline.leaves.len() };
            let is_rule = matches!(node.kind, NodeKind::Rule { .. });
            if is_rule {
                let span = (node.start, node.end);
                let leaves = (outline.leaves.len(), outline.leaves.len());
                open.push((outline.rules.len(), node.subtree_end));
                outline.rules.push(Rule { name: name.clone(), span, leaves, outer: rule });
            } else {
                outline.leaves.push(Leaf { text, start: node.start, is_fixed });
                if !is_fixed {
                    outline.add_token(&part, (node.start, node.end), rule, &name, words);
                }
            }
            outline.items.push(Item { name, is_fixed, part, rule });
        }
        for (rule, _) in open {
            outline.rules[rule].leaves.1 = outline.leaves.len();
        }
        outline
    }

    /// Other names of a token with many texts: its text, and its name in the rule it is in.
    ///
    /// A rule that is no longer than the token says nothing about its place, so the next one around
    /// it is named.
    fn add_token(
        &mut self,
        part: &Part<'t>,
        span: (u32, u32),
        rule: Option<usize>,
        name: &str,
        words: &Words,
    ) {
        let mut add = |name: String, is_fixed: bool| {
            self.items.push(Item { name, is_fixed, part: part.clone(), rule });
        };
        if let Some(literal) = words.name(part.text) {
            add(literal, true);
        }
        let mut outer = rule;
        while let Some(rule) = outer.filter(|rule| self.rules[*rule].span == span) {
            outer = self.rules[rule].outer;
        }
        // The rule that is everything is no place.
        if let Some(rule) = outer.filter(|rule| *rule > 0) {
            add(format!("{name} in {}", self.rules[rule].name), false);
        }
    }

    /// The parts of those items that are wanted, by name.
    ///
    /// The rule that is the whole input is no part. Lists without parts have a name and no parts.
    pub(super) fn named<'o>(&'o self, is_wanted: impl Fn(&Item<'t>) -> bool) -> Names<'o, 't> {
        let mut names = Names::new();
        for item in self.items.iter().filter(|item| is_wanted(item)) {
            let named = names.entry(&*item.name).or_default();
            named.is_fixed |= item.is_fixed;
            named.parts.push(&item.part);
        }
        let whole = self.rules.first().map(|rule| &*rule.name);
        names.retain(|name, _| Some(*name) != whole);
        for name in &self.empty {
            names.entry(name).or_default();
        }
        names
    }

    /// The rules that a part is in, from the inside out, each name once. The rule that is everything is
    /// not among them.
    pub(super) fn around(&self, rule: Option<usize>) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut at = rule;
        while let Some(rule) = at.filter(|rule| *rule > 0 && found.len() < MAX_OUTER_RULES) {
            if found.iter().all(|known| self.rules[*known].name != self.rules[rule].name) {
                found.push(rule);
            }
            at = self.rules[rule].outer;
        }
        found
    }
}

/// A text from its first letter or digit to its last.
///
/// Quotation marks and other marks at the ends are left out, so that a name is found in other
/// notations too.
pub(in crate::generalize::predicate) fn core(text: &[u8]) -> &[u8] {
    let (start, end) = crate::generalize::pattern::core(text);
    &text[start..end]
}

/// What a node is called, and whether it has one text only, which is its name then.
///
/// Texts of the grammar are in double quotation marks. `None` for nodes that are neither rules nor
/// tokens.
fn name(tree: &Tree, id: NodeId, language: &Sampler) -> Option<(String, bool)> {
    let node = tree.node(id);
    match node.kind {
        NodeKind::Rule { .. } => Some((written(&language.name(language.symbol(node)?)), false)),
        NodeKind::Token(token) => {
            let token = language.grammar().tokens.get(token as usize)?;
            match &token.literal {
                Some(literal) => Some((format!("{literal:?}"), true)),
                None => Some((written(&language.name(language.symbol(node)?)), false)),
            }
        }
        _ => None,
    }
}

/// A name as patterns write it: no word of the input's language.
///
/// So no name of a rule looks like a text of the input.
fn written(name: &str) -> String {
    format!("<{name}>")
}
