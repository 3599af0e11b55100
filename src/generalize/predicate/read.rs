//! Reads the features of an input off its tree.

use std::collections::{BTreeMap, BTreeSet};

use seedsmith_grammar::structure::tree::{Kind, NodeId, Tree};

use super::feature::{Feature, Features};
use crate::generalize::speaker::Speaker;

/// Names of texts of which the order is looked at, at most.
const MOST_ORDERED: usize = 12;
/// Texts longer than this are no names.
const LONGEST_TEXT: usize = 24;

/// One occurrence of a name.
struct Part<'t> {
    text: &'t [u8],
    start: u32,
    /// Its number among all leaves.
    leaf: usize,
    is_whole: bool,
}

/// All occurrences of one name.
struct Named<'t> {
    /// Whether all of them have the same text, which is the name.
    is_fixed: bool,
    parts: Vec<Part<'t>>,
}

/// A rule that isn't closed yet: its name, its end, and the parts in it.
struct Open {
    name: String,
    end: u32,
    inside: BTreeMap<String, i128>,
}

/// Reads the features of an input that is in the language off its tree.
pub fn features(tree: &Tree, input: &[u8], language: &Speaker) -> Features {
    let mut found = Features::new();
    let mut named: BTreeMap<String, Named<'_>> = BTreeMap::new();
    let mut open: Vec<Open> = Vec::new();
    let mut closed: BTreeMap<String, Vec<BTreeMap<String, i128>>> = BTreeMap::new();
    let (mut brackets, mut most_brackets, mut leaf) = (0i128, 0, 0);
    for id in tree.ids().skip(1) {
        while open.last().is_some_and(|one| one.end <= id.0) {
            let one = open.pop().expect("there is a last one");
            closed.entry(one.name).or_default().push(one.inside);
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
        if let Some(one) = open.last_mut() {
            *one.inside.entry(name.clone()).or_default() += 1;
        }
        // Nesting of a rule in itself is another feature, and the start rule holds everything.
        for outer in open.iter().skip(1).filter(|outer| outer.name != name) {
            found.insert(Feature::Inside(name.clone(), outer.name.clone()), 1);
        }
        let is_rule = matches!(node.kind, Kind::Rule { .. });
        leaf += usize::from(!is_rule);
        let part = || Part { text, start: node.start, leaf, is_whole: is_rule && id.0 == 1 };
        if !is_rule
            && !is_fixed
            && let Some(literal) = literal(text)
        {
            let same = Named { is_fixed: true, parts: Vec::new() };
            named.entry(literal).or_insert(same).parts.push(part());
        }
        named
            .entry(name.clone())
            .or_insert_with(|| Named { is_fixed, parts: Vec::new() })
            .parts
            .push(part());
        if is_rule {
            let depth = 1 + open.iter().filter(|one| one.name == name).count() as i128;
            raise(&mut found, Feature::Depth(name.clone()), depth);
            open.push(Open { name, end: node.subtree_end, inside: BTreeMap::new() });
        }
    }
    for one in open {
        closed.entry(one.name).or_default().push(one.inside);
    }
    found.insert(Feature::Brackets, most_brackets);
    found.insert(Feature::Bytes, input.len() as i128);
    found.insert(Feature::OddBytes, (input.len() % 2) as i128);
    of_rules(&closed, &mut found);
    for (name, all) in &named {
        of_one(name, all, &mut found);
    }
    of_pairs(&named, &mut found);
    of_order(&named, &mut found);
    found
}

/// How many parts of a name the rules of another hold.
fn of_rules(closed: &BTreeMap<String, Vec<BTreeMap<String, i128>>>, found: &mut Features) {
    for (name, all) in closed {
        let inside: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
        for child in inside {
            let counts = || all.iter().map(|one| one.get(child).copied().unwrap_or(0));
            let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
            found.insert(Feature::Children(name.clone(), child.clone()), most);
            let is_unequal = i128::from(most != least);
            found.insert(Feature::Unequal(name.clone(), child.clone()), is_unequal);
        }
    }
}

/// Features of the parts of one name.
fn of_one(name: &str, Named { is_fixed, parts }: &Named<'_>, found: &mut Features) {
    let own = || name.to_owned();
    let count = parts.len() as i128;
    found.insert(Feature::Count(own()), count);
    // What the whole input is called tells nothing that its bytes don't.
    if parts[0].is_whole {
        return;
    }
    found.insert(Feature::OddCount(own()), count % 2);
    if *is_fixed {
        let starts = |pair: &[Part<'_>]| pair[0].leaf + 1 == pair[1].leaf;
        let (mut run, mut longest) = (1, 1);
        for pair in parts.windows(2) {
            run = if starts(pair) { run + 1 } else { 1 };
            longest = longest.max(run);
        }
        found.insert(Feature::Run(own()), longest);
        return;
    }
    let lengths: Vec<i128> = parts.iter().map(|part| characters(part.text)).collect();
    found.insert(Feature::Length(own()), lengths.iter().copied().max().unwrap_or(0));
    found.insert(Feature::OddLength(own()), lengths[0] % 2);
    found.insert(Feature::Empty(own()), i128::from(lengths.contains(&0)));
    let is_wide = parts.iter().any(|part| !part.text.is_ascii());
    found.insert(Feature::NonAscii(own()), i128::from(is_wide));
    let mut texts: Vec<&[u8]> = parts.iter().map(|part| part.text).collect();
    let is_unsorted = texts.windows(2).any(|pair| pair[0] > pair[1]);
    texts.sort_unstable();
    let has_twins = texts.windows(2).any(|pair| pair[0] == pair[1]);
    found.insert(Feature::Twins(own()), i128::from(has_twins));
    let is_number =
        |text: &[u8]| text.iter().all(|byte| byte.is_ascii_digit() || b"-.".contains(byte));
    if parts.iter().all(|part| is_number(part.text)) {
        let is_negative = parts.iter().any(|part| part.text.starts_with(b"-"));
        found.insert(Feature::Negative(own()), i128::from(is_negative));
    }
    let numbers: Vec<i128> = parts.iter().filter_map(|part| number(part.text)).collect();
    if numbers.len() < parts.len() {
        found.insert(Feature::Unsorted(own()), i128::from(is_unsorted));
        return;
    }
    let is_unsorted = numbers.windows(2).any(|pair| pair[0] > pair[1]);
    found.insert(Feature::Unsorted(own()), i128::from(is_unsorted));
    found.insert(Feature::Greatest(own()), *numbers.iter().max().expect("one at least"));
    found.insert(Feature::Least(own()), *numbers.iter().min().expect("one at least"));
    let sum = numbers.iter().fold(0i128, |sum, one| sum.saturating_add(*one));
    found.insert(Feature::Sum(own()), sum);
    if let [first, second, ..] = numbers[..] {
        found.insert(Feature::Compared(own()), first.cmp(&second) as i128);
        found.insert(Feature::Product(own()), first.saturating_mul(second));
    }
}

/// Features of two names.
fn of_pairs(named: &BTreeMap<String, Named<'_>>, found: &mut Features) {
    let told: Vec<(&String, &Vec<Part<'_>>)> = named
        .iter()
        .filter(|(_, all)| !all.is_fixed && !all.parts[0].is_whole)
        .map(|(name, all)| (name, &all.parts))
        .collect();
    for &(name, parts) in &told {
        let Some(first) = only_number(parts[0].text) else { continue };
        for (other, all) in named.iter().filter(|(other, _)| *other != name) {
            let pair = || (name.clone(), other.clone());
            let others = &all.parts;
            let is_count = i128::from(first == others.len() as i128);
            found.insert(Feature::IsCount(pair().0, pair().1), is_count);
            if all.is_fixed || others[0].is_whole {
                continue;
            }
            let text = others[0].text;
            let is_length = i128::from(first == characters(text));
            found.insert(Feature::IsLength(pair().0, pair().1), is_length);
            if let Some(inner) = quoted(text) {
                let is_length = i128::from(first == characters(inner));
                found.insert(Feature::IsInnerLength(pair().0, pair().1), is_length);
            }
            let numbers: Option<Vec<i128>> =
                others.iter().map(|part| only_number(part.text)).collect();
            if let Some(numbers) = numbers {
                let sum = numbers.iter().fold(0i128, |sum, one| sum.saturating_add(*one));
                found.insert(Feature::IsSum(pair().0, pair().1), i128::from(first == sum));
                if name < other {
                    let compared = first.cmp(&numbers[0]) as i128;
                    found.insert(Feature::ComparedWith(pair().0, pair().1), compared);
                }
            }
        }
    }
    let cores = |parts: &Vec<Part<'_>>| -> BTreeSet<Vec<u8>> {
        parts.iter().map(|part| core(part.text).to_vec()).filter(|core| !core.is_empty()).collect()
    };
    let cores: Vec<(&String, BTreeSet<Vec<u8>>)> =
        told.iter().map(|(name, parts)| (*name, cores(parts))).collect();
    for (at, (name, own)) in cores.iter().enumerate() {
        for (other, others) in &cores[at + 1..] {
            let is_shared = i128::from(!own.is_disjoint(others));
            found.insert(Feature::Shared((*name).clone(), (*other).clone()), is_shared);
        }
    }
}

/// Which texts are before which, and how many brackets are left open.
fn of_order(named: &BTreeMap<String, Named<'_>>, found: &mut Features) {
    let mut fixed: Vec<(&String, &Vec<Part<'_>>)> = named
        .iter()
        .filter(|(_, all)| all.is_fixed)
        .map(|(name, all)| (name, &all.parts))
        .collect();
    fixed.sort_by_key(|(name, parts)| (parts[0].start, (*name).clone()));
    fixed.truncate(MOST_ORDERED);
    for (first, parts) in &fixed {
        for (second, others) in fixed.iter().filter(|(second, _)| second != first) {
            let is_before = others.last().is_some_and(|last| parts[0].start < last.start);
            let feature = Feature::Before((*first).clone(), (*second).clone());
            found.insert(feature, i128::from(is_before));
        }
    }
    for (open, close) in [("\"(\"", "\")\""), ("\"[\"", "\"]\""), ("\"{\"", "\"}\"")] {
        let count = |name: &str| named.get(name).map_or(0, |all| all.parts.len() as i128);
        found.insert(Feature::Unclosed(open.to_owned()), count(open) - count(close));
    }
}

fn raise(found: &mut Features, feature: Feature, value: i128) {
    let known = found.entry(feature).or_insert(value);
    *known = (*known).max(value);
}

fn characters(text: &[u8]) -> i128 {
    String::from_utf8_lossy(text).chars().count() as i128
}

fn number(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The number in a text that has one, and no letters beside it: `$12`.
fn only_number(text: &[u8]) -> Option<i128> {
    number(text).or_else(|| {
        let digits = core(text);
        digits.iter().all(u8::is_ascii_digit).then(|| number(digits)).flatten()
    })
}

/// A text from its first letter or digit to its last.
pub(super) fn core(text: &[u8]) -> &[u8] {
    let (start, end) = crate::generalize::pattern::core(text);
    &text[start..end]
}

/// What is between the quotes of a text.
fn quoted(text: &[u8]) -> Option<&[u8]> {
    match text {
        [first @ (b'"' | b'\'' | b'`'), inner @ .., last] if first == last => Some(inner),
        _ => None,
    }
}

/// The text of a token with many texts as a name: a word, but no number.
fn literal(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let is_word = text.chars().any(char::is_alphabetic) && text.len() <= LONGEST_TEXT;
    is_word.then(|| match quoted(text.as_bytes()) {
        // A quoted text is written as it is.
        Some(_) => text.to_owned(),
        None => format!("{text:?}"),
    })
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
