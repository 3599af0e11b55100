//! Features of a parsed input: what conditions are made of.
//!
//! A feature is a number that is read off the tree: how many parts of a name there are, how deep
//! they are nested, how long and how great they are, how two of them compare. Yes is 1 and no is 0.
//! A part that isn't there has no length and no value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use seedsmith_grammar::structure::tree::{Kind, NodeId, Tree};

use crate::generalize::speaker::Speaker;

/// What is read off an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// How many parts of that name there are.
    Count(String),
    /// How many parts of the second name the part of the first has that has most.
    Children(String, String),
    /// Whether two parts have the same text.
    Twins(String),
    /// How the first part's number compares to the second's: -1, 0 or 1.
    Compared(String),
    /// Whether the first part's number is the number of parts of the second name.
    IsCount(String, String),
    /// Whether the first part's number is the length of the first part of the second name.
    IsLength(String, String),
    /// Whether some part of the first name has more parts of the second than another.
    Unequal(String, String),
    /// Whether a part begins with a minus sign.
    Negative(String),
    /// Whether a part of the first name is before one of the second.
    Before(String, String),
    /// The greatest number.
    Greatest(String),
    /// The least number.
    Least(String),
    /// How deep brackets are nested.
    Brackets,
    /// How deep parts of one name are nested in each other.
    Depth(String),
    /// How many characters the longest part has.
    Length(String),
    /// How many bytes the input has.
    Bytes,
}

/// The features of one input; what is not in it has no value.
pub type Features = BTreeMap<Feature, i128>;

/// Names of tokens with one text of which the order is looked at, at most.
const MOST_ORDERED: usize = 12;

/// One occurrence of a name.
struct Part<'t> {
    name: String,
    text: &'t [u8],
    start: u32,
    is_fixed: bool,
    is_whole: bool,
}

/// Reads the features of an input that is in the language off its tree.
pub fn features(tree: &Tree, input: &[u8], language: &Speaker) -> Features {
    let mut found = Features::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    // For each open rule: its name, its end, and the parts in it.
    let mut open: Vec<(String, u32, BTreeMap<String, i128>)> = Vec::new();
    let mut closed: BTreeMap<String, Vec<BTreeMap<String, i128>>> = BTreeMap::new();
    let (mut brackets, mut most_brackets) = (0i128, 0);
    for id in tree.ids().skip(1) {
        while open.last().is_some_and(|one| one.1 <= id.0) {
            let (name, _, inside) = open.pop().expect("there is a last one");
            closed.entry(name).or_default().push(inside);
        }
        let node = tree.node(id);
        let text = &input[tree.span(id)];
        let Some((name, is_fixed)) = name(tree, id, language) else { continue };
        if is_fixed {
            match text {
                b"(" | b"[" | b"{" => brackets += 1,
                b")" | b"]" | b"}" => brackets -= 1,
                _ => {}
            }
            most_brackets = most_brackets.max(brackets);
        }
        if let Some((_, _, inside)) = open.last_mut() {
            *inside.entry(name.clone()).or_default() += 1;
        }
        if matches!(node.kind, Kind::Rule { .. }) {
            let depth = 1 + open.iter().filter(|one| one.0 == name).count() as i128;
            raise(&mut found, Feature::Depth(name.clone()), depth);
            open.push((name.clone(), node.subtree_end, BTreeMap::new()));
        }
        let is_whole = text.len() == input.len() && matches!(node.kind, Kind::Rule { .. });
        parts.push(Part { name, text, start: node.start, is_fixed, is_whole });
    }
    for (name, _, inside) in open {
        closed.entry(name).or_default().push(inside);
    }
    found.insert(Feature::Brackets, most_brackets);
    found.insert(Feature::Bytes, input.len() as i128);
    for (name, all) in &closed {
        let inside: std::collections::BTreeSet<&String> =
            all.iter().flat_map(BTreeMap::keys).collect();
        for child in inside {
            let counts = || all.iter().map(|one| one.get(child).copied().unwrap_or(0));
            let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
            found.insert(Feature::Children(name.clone(), child.clone()), most);
            let is_unequal = i128::from(most != least);
            found.insert(Feature::Unequal(name.clone(), child.clone()), is_unequal);
        }
    }
    of_parts(&parts, &mut found);
    found
}

/// Features of the parts of each name, and of pairs of names.
fn of_parts(parts: &[Part<'_>], found: &mut Features) {
    let mut named: BTreeMap<&str, Vec<&Part<'_>>> = BTreeMap::new();
    for part in parts {
        named.entry(&part.name).or_default().push(part);
    }
    for (&name, all) in &named {
        let own = || name.to_owned();
        found.insert(Feature::Count(own()), all.len() as i128);
        // What the whole input is called tells nothing that its bytes don't.
        if all[0].is_fixed || all[0].is_whole {
            continue;
        }
        let lengths = all.iter().map(|part| String::from_utf8_lossy(part.text).chars().count());
        found.insert(Feature::Length(own()), lengths.max().unwrap_or(0) as i128);
        let mut texts: Vec<&[u8]> = all.iter().map(|part| part.text).collect();
        texts.sort_unstable();
        let has_twins = texts.windows(2).any(|pair| pair[0] == pair[1]);
        found.insert(Feature::Twins(own()), i128::from(has_twins));
        let is_number =
            |text: &[u8]| text.iter().all(|byte| byte.is_ascii_digit() || b"-.".contains(byte));
        if all.iter().all(|part| is_number(part.text)) {
            let is_negative = all.iter().any(|part| part.text.starts_with(b"-"));
            found.insert(Feature::Negative(own()), i128::from(is_negative));
        }
        let numbers: Vec<i128> = all.iter().filter_map(|part| number(part.text)).collect();
        if numbers.len() < all.len() {
            continue;
        }
        found.insert(Feature::Greatest(own()), *numbers.iter().max().expect("one at least"));
        found.insert(Feature::Least(own()), *numbers.iter().min().expect("one at least"));
        if let [first, second, ..] = numbers[..] {
            found.insert(Feature::Compared(own()), first.cmp(&second) as i128);
        }
        for (&other, others) in named.iter().filter(|(other, _)| **other != name) {
            let pair = || (own(), other.to_owned());
            let is_count = i128::from(numbers[0] == others.len() as i128);
            found.insert(Feature::IsCount(pair().0, pair().1), is_count);
            if !others[0].is_fixed {
                let length = String::from_utf8_lossy(others[0].text).chars().count();
                let is_length = i128::from(numbers[0] == length as i128);
                found.insert(Feature::IsLength(pair().0, pair().1), is_length);
            }
        }
    }
    let fixed: Vec<&&str> = named.keys().filter(|name| named[**name][0].is_fixed).collect();
    for first in fixed.iter().take(MOST_ORDERED) {
        for second in fixed.iter().take(MOST_ORDERED).filter(|second| *second != first) {
            let start = named[**first][0].start;
            let is_before = named[**second].last().is_some_and(|last| start < last.start);
            let feature = Feature::Before((**first).to_owned(), (**second).to_owned());
            found.insert(feature, i128::from(is_before));
        }
    }
}

fn raise(found: &mut Features, feature: Feature, value: i128) {
    let known = found.entry(feature).or_insert(value);
    *known = (*known).max(value);
}

fn number(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// What a node is called, and whether it has one text only, which is its name then.
fn name(tree: &Tree, id: NodeId, language: &Speaker) -> Option<(String, bool)> {
    let node = tree.node(id);
    match node.kind {
        Kind::Rule { .. } => Some((written(&language.name(language.symbol(node)?)), false)),
        Kind::Token(token) => {
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
fn written(name: &str) -> String {
    format!("<{name}>")
}
