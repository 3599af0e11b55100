//! The named parts of an input, with the rules that each is in.
//!
//! The outline is read once for each input; all features are read off it and none off the tree. A part has a text and a
//! place, and the name of a part is either its text (`is_fixed`) or a name for many texts.

pub(super) mod any_key;
mod columns;
pub(super) mod maps;
pub(super) mod naming;
mod phrases;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use seedsmith_grammar::{NodeKind, Tree};

use super::brackets;
use super::names::{is_operator, name};
use super::words::{Words, quoted};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::plain::is_plain;
use crate::generalize::predicate::term::{IS_WORD, ITEMS_IN, TITLE_BEGINS, VALUE_OF, WITH};

/// Rules of different names around a part that it is counted in, from the inside out, because a grammar
/// of expressions has twenty of them around every number. Not measured.
const MAX_OUTER_RULES: usize = 6;

/// Parts of a list that have names by their place, because most conditions on tables are about the first columns. Not
/// measured.
pub(super) const ORDINALS: [&str; 3] = ["first", "second", "third"];

/// What the name of a column ends with, if the part is not in the first row.
pub(super) const AFTER_HEAD: &str = " after the first";

/// One occurrence of a name.
#[derive(Clone, Debug)]
pub(super) struct Part<'t> {
    /// Its text.
    pub text: &'t [u8],
    /// Where it begins.
    pub start: u32,
    /// Its number among all leaves.
    pub leaf: usize,
    /// Whether it is in quotation marks though the grammar has numbers without.
    pub is_text: bool,
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
pub(super) type Names<'o, 't> = BTreeMap<&'o Name, Named<'o, 't>>;

/// The same while it grows: names that are sorted are compared by their texts.
pub(super) type Unsorted<'o, 't> = HashMap<&'o Name, Named<'o, 't>, BuildFeatureHasher>;

/// The names of elements, values and items that are all of a span: its first and last byte's offsets.
pub(super) type Labels<'o> = BTreeMap<(u32, u32), BTreeSet<&'o Name>>;

/// A named part.
#[derive(Clone)]
pub(super) struct Item<'t> {
    /// Its name.
    pub name: Name,
    /// Whether its text is its name.
    pub is_fixed: bool,
    /// Where it is.
    pub part: Part<'t>,
    /// The number of the rule that it is in, if it is in one.
    pub rule: Option<usize>,
}

/// A rule's part of the input. Rules are numbered from the outside in, in the order of their first bytes.
pub(super) struct Rule {
    /// Its name.
    pub name: Name,
    /// Its first and last byte's offsets.
    pub span: (u32, u32),
    /// Its leaves.
    pub leaves: (usize, usize),
    /// The number of the rule that it is in.
    pub outer: Option<usize>,
    /// Whether the grammar says that it may be without text.
    pub can_be_empty: bool,
}

/// A leaf that the parser took. Hidden text, such as blanks of a grammar that skips them, is none.
pub(super) struct Leaf<'t> {
    /// Its text.
    pub text: &'t [u8],
    /// Where it begins.
    pub start: u32,
    /// Whether the grammar has its text.
    pub is_fixed: bool,
    /// Whether it is in quotation marks though the grammar has numbers without.
    pub is_text: bool,
}

/// An input in named parts.
pub(super) struct Outline<'t> {
    /// The bytes.
    pub input: &'t [u8],
    /// Whether they are read without a grammar, in lines.
    pub is_plain: bool,
    /// All parts, in order.
    pub items: Vec<Item<'t>>,
    /// All rules, outer ones first. The first is the whole input.
    pub rules: Vec<Rule>,
    /// All leaves.
    pub leaves: Vec<Leaf<'t>>,
    /// Values of all keys and the items of lists in them, those of inner keys too.
    pub keyed: Vec<Item<'t>>,
    /// Tokens, values and fields by what they begin and end with.
    pub affixed: Vec<Item<'t>>,
    /// Names of lists without parts.
    pub empty: BTreeSet<Name>,
    /// Lists without parts, by the rule that has their key and by that key alone.
    pub empty_lists: Vec<(usize, Name)>,
    /// Names of rules that have a key twice, or no key twice.
    pub twin_keys: BTreeMap<Name, bool>,
    /// A name of a rule, and two keys that some rule of that name has.
    pub both_keys: BTreeSet<(Name, Name, Name)>,
    /// The marks that remarks begin with, where there is no grammar.
    pub remarks: BTreeSet<&'static str>,
    /// How deep brackets are nested.
    pub brackets: i128,
    /// How deep they are nested where brackets of two kinds are open.
    pub mixed_brackets: i128,
}

impl<'t> Outline<'t> {
    /// Reads it off a tree.
    ///
    /// Hidden text and errors have no name. Cost: one pass over the tree.
    pub(super) fn read(tree: &Tree, input: &'t [u8], language: &Sampler, words: &Words) -> Self {
        let (items, rules, leaves) = (Vec::new(), Vec::new(), Vec::new());
        let mut outline = Outline {
            input,
            is_plain: is_plain(language),
            items,
            rules,
            leaves,
            keyed: Vec::new(),
            affixed: Vec::new(),
            empty: BTreeSet::new(),
            empty_lists: Vec::new(),
            twin_keys: BTreeMap::new(),
            both_keys: BTreeSet::new(),
            remarks: BTreeSet::new(),
            brackets: 0,
            mixed_brackets: 0,
        };
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut brackets = brackets::Open::default();
        let has_angles = brackets::has_angles(tree, input, language);
        let has_numbers = kinds_of_numbers(language) > 0;
        let is_plain = outline.is_plain;
        for id in tree.ids().skip(1) {
            while open.last().is_some_and(|(_, end)| *end <= id.0) {
                let (rule, _) = open.pop().expect("there is a last one");
                outline.rules[rule].leaves.1 = outline.leaves.len();
            }
            let node = tree.node(id);
            let text = &input[tree.span(id)];
            let Some((name, is_fixed)) = name(tree, id, language) else { continue };
            // After the last newline comes no further line.
            if text.is_empty() && node.start as usize == input.len() && input.ends_with(b"\n") {
                continue;
            }
            if is_fixed {
                brackets.step(text, has_angles);
                outline.brackets = outline.brackets.max(brackets.depth());
                outline.mixed_brackets = outline.mixed_brackets.max(brackets.mixed_depth());
            }
            let rule = open.last().map(|(rule, _)| *rule);
            let is_text = has_numbers && quoted(text).is_some();
            let part = Part { text, start: node.start, leaf: outline.leaves.len(), is_text };
            let is_rule = matches!(node.kind, NodeKind::Rule { .. });
            if is_rule {
                let span = (node.start, node.end);
                let leaves = (outline.leaves.len(), outline.leaves.len());
                open.push((outline.rules.len(), node.subtree_end));
                let can_be_empty =
                    !is_plain && language.substitutes().text_of(node.kind).is_empty();
                let name = name.clone();
                outline.rules.push(Rule { name, span, leaves, outer: rule, can_be_empty });
            } else {
                // An operator is a text of the language, though its token may have several: `OP: [+*/-]`. It has a name for its
                // text beside that of the token.
                let is_operator = !is_fixed && is_operator(text);
                let is_known = is_fixed || is_operator;
                outline.leaves.push(Leaf { text, start: node.start, is_fixed: is_known, is_text });
                if is_operator {
                    let name = format!("{:?}", String::from_utf8_lossy(text)).into();
                    outline.items.push(Item { name, is_fixed: true, part: part.clone(), rule });
                } else if !is_fixed {
                    outline.add_token(&part, (node.start, node.end), rule, &name, words);
                }
            }
            outline.items.push(Item { name, is_fixed, part, rule });
        }
        for (rule, _) in open {
            outline.rules[rule].leaves.1 = outline.leaves.len();
        }
        outline.name_phrases(words);
        outline.name_elements(words);
        outline.name_columns();
        outline.name_rows();
        outline.name_titled(language);
        outline.name_filled();
        outline
    }

    /// The word that a rule begins with, maybe after one mark: the name of an element, of a function, of a key. Nothing
    /// for rules of one or two leaves, which have nothing inside them.
    pub(super) fn first_word(&self, rule: &Rule) -> Option<&'t [u8]> {
        let leaves = &self.leaves[rule.leaves.0..rule.leaves.1];
        let is_mark =
            |leaf: &Leaf<'t>| leaf.is_fixed && !leaf.text.iter().any(u8::is_ascii_alphanumeric);
        let first = leaves.iter().take(2).find(|leaf| !is_mark(leaf))?;
        let is_word = !first.is_fixed && first.text.iter().any(u8::is_ascii_alphabetic);
        (leaves.len() > 2 && is_word).then_some(first.text)
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
        let mut add = |name: Name, is_fixed: bool| {
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
            add(format!("{name} in {}", self.rules[rule].name).into(), false);
        }
    }

    /// The parts of those items that are wanted, by name.
    ///
    /// The rule that is the whole input is no part. Lists without parts have a name and no parts.
    pub(super) fn named<'o>(&'o self, is_wanted: impl Fn(&Item<'t>) -> bool) -> Names<'o, 't> {
        let mut names = Unsorted::default();
        for item in self.items.iter().filter(|item| is_wanted(item)) {
            let named = names.entry(&item.name).or_default();
            named.is_fixed |= item.is_fixed;
            named.parts.push(&item.part);
        }
        names.retain(|name, _| self.is_part(name));
        for name in &self.empty {
            names.entry(name).or_default();
        }
        names.into_iter().collect()
    }

    /// Whether a name is counted: all but that of the rule that is the whole input.
    pub(super) fn is_part(&self, name: &Name) -> bool {
        self.rules.first().is_none_or(|whole| whole.name != *name)
    }

    /// Names of rules by their role: the value of a key, items of a list, elements of a name. By their spans.
    pub(super) fn labels(&self) -> Labels<'_> {
        let mut labels = Labels::new();
        let is_element = |item: &&Item<'_>| {
            let is_kind = item.name.contains(WITH) && !item.name.contains(TITLE_BEGINS);
            item.is_fixed && item.name.starts_with('<') && !is_kind
        };
        let elements = self.items.iter().filter(is_element);
        let is_label = |item: &&Item<'_>| {
            let name = &item.name;
            (name.starts_with(VALUE_OF) || name.starts_with(ITEMS_IN)) && !name.contains(IS_WORD)
        };
        for item in elements.chain(self.items.iter().filter(is_label)) {
            let span = (item.part.start, item.part.start + item.part.text.len() as u32);
            labels.entry(span).or_default().insert(&item.name);
        }
        labels
    }

    /// All of a rule's text, as a part.
    pub(super) fn all_of(&self, rule: &Rule) -> Part<'t> {
        let text = &self.input[rule.span.0 as usize..rule.span.1 as usize];
        Part { text, start: rule.span.0, leaf: rule.leaves.0, is_text: false }
    }

    /// A text of the input by the offset of its first byte.
    pub(super) fn part_at(&self, text: &'t [u8], start: u32) -> Part<'t> {
        let leaf = self.leaves.partition_point(|leaf| leaf.start < start);
        Part { text, start, leaf, is_text: false }
    }

    /// Leaves that follow each other, one at least, with the text between them as one part.
    pub(super) fn part_of(&self, leaves: Range<usize>) -> Part<'t> {
        let (first, last) = (&self.leaves[leaves.start], &self.leaves[leaves.end - 1]);
        let end = last.start as usize + last.text.len();
        let text = &self.input[first.start as usize..end];
        let is_text = leaves.len() == 1 && first.is_text;
        Part { text, start: first.start, leaf: leaves.start, is_text }
    }

    /// Takes in the names of lists that have no item, each with the rule that the list is in: their number is 0 there and in the whole input.
    pub(super) fn add_empty_lists(&mut self, empty: Vec<(usize, Name)>) {
        self.empty.extend(empty.iter().map(|(_, name)| name.clone()));
        self.empty_lists.extend(empty);
    }

    /// Adds values of keys and items of lists, which have these names for the whole input too.
    pub(super) fn add_keyed(&mut self, found: Vec<Item<'t>>) {
        self.keyed.extend(found.iter().cloned());
        self.keyed.sort_by_key(|item| (item.part.start, item.part.leaf));
        self.items.extend(found);
    }

    /// The rules that a rule is in, from the inside out.
    pub(in crate::generalize::predicate::read) fn outer_rules(
        &self,
        rule: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.rules[rule].outer, |outer| self.rules[*outer].outer)
    }

    /// The rule that a rule is in: one that is all of another one is in the next one around both.
    ///
    /// Grammars have rules for the parts of an operation that are all of it where there is no operator. These say nothing about where a part is.
    pub(super) fn around_all_of(&self, rule: &Rule) -> Option<usize> {
        let mut outer = rule.outer;
        while let Some(number) = outer.filter(|outer| self.rules[*outer].span == rule.span) {
            outer = self.rules[number].outer;
        }
        outer
    }

    /// The rules that a part is in, from the inside out, each name once. The rule that is everything is
    /// not among them.
    pub(super) fn around(&self, rule: Option<usize>) -> Vec<usize> {
        self.around_beyond(rule, 0)
    }

    /// The same with further ones, as many at most. Of these the innermost of each text counts.
    pub(super) fn around_beyond(&self, rule: Option<usize>, more: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut at = rule;
        let most = MAX_OUTER_RULES + more;
        while let Some(rule) = at.filter(|rule| *rule > 0 && found.len() < most) {
            let Rule { name, span, outer, .. } = &self.rules[rule];
            let is_new = found.iter().all(|known| self.rules[*known].name != *name);
            let is_beyond = found.len() >= MAX_OUTER_RULES;
            let is_same = found.last().is_some_and(|last| self.rules[*last].span == *span);
            if is_new && !(is_beyond && is_same) {
                found.push(rule);
            }
            at = *outer;
        }
        found
    }
}

/// How many tokens of the grammar are called numbers, by the usual names of such tokens.
///
/// Where there are some, a number in quotation marks is none. Costs a pass over the tokens of the grammar.
pub(super) fn kinds_of_numbers(language: &Sampler) -> usize {
    let names = [
        "NUMBER",
        "INTEGER",
        "INT",
        "NUM",
        "N",
        "DIGITS",
        "DECIMAL",
        "FLOAT",
        "DIMENSION",
        "PERCENTAGE",
    ];
    let tokens = &language.grammar().tokens;
    let known = tokens.iter().filter_map(|token| token.name.as_ref());
    known.filter(|name| names.contains(&&*name.to_ascii_uppercase())).count()
}

/// A text from its first letter or digit to its last.
///
/// Quotation marks and other marks at the ends are left out, so that a name is found in other
/// notations too.
pub(in crate::generalize::predicate) fn core(text: &[u8]) -> &[u8] {
    let (start, end) = crate::generalize::pattern::core(text);
    &text[start..end]
}
