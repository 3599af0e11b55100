//! Features of rules: how many parts they have, how deep they are nested, and how the parts of one and
//! the same rule compare.

use std::collections::{BTreeMap, BTreeSet};

use super::one::of_texts;
use super::outline::{Item, Names, Outline};
use super::{Feature, Features, only_number, raise};
use crate::generalize::predicate::term::Term;

/// Names whose numbers are compared in a rule, because pairs grow with the square: 30 features for each
/// rule. Not measured.
const MAX_COMPARED_NAMES: usize = 6;

/// Words that rules may lack, because each is a feature of every rule's name. Not measured.
const MAX_LACKED_WORDS: usize = 12;

/// How many parts the rules have, and how deep they are nested.
///
/// Of several rules of a name the largest number counts, and whether their numbers differ.
pub(super) fn of_rules(outline: &Outline<'_>, found: &mut Features) {
    let mut inside: Vec<BTreeMap<&str, i128>> =
        outline.rules.iter().map(|_| BTreeMap::new()).collect();
    let is_told = |item: &&Item<'_>| !item.name.contains(" in ");
    for item in outline.items.iter().filter(is_told) {
        if let Some(rule) = item.rule {
            *inside[rule].entry(&item.name).or_default() += 1;
        }
        for outer in outline.around(item.rule) {
            let outer = &outline.rules[outer].name;
            if *outer == item.name {
                continue;
            }
            let (name, rule) = (item.name.clone(), outer.clone());
            raise(found, Feature::Level(name, rule), level(outline, item.rule, outer));
        }
    }
    let mut by_name: BTreeMap<&str, Vec<&BTreeMap<&str, i128>>> = BTreeMap::new();
    for (rule, inside) in outline.rules.iter().zip(&inside) {
        by_name.entry(&rule.name).or_default().push(inside);
        let around = rule.outer;
        let depth = 1 + level(outline, around, &rule.name);
        raise(found, Feature::Depth(rule.name.clone()), depth);
    }
    for (name, all) in by_name {
        let children: BTreeSet<&str> = all.iter().flat_map(|one| one.keys().copied()).collect();
        for child in children {
            let counts = || all.iter().map(|one| one.get(child).copied().unwrap_or(0));
            let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
            let pair = || (name.to_owned(), child.to_owned());
            found.insert(Feature::Children(pair().0, pair().1), most);
            let first = counts().next().unwrap_or(0);
            found.insert(Feature::Longer(pair().0, pair().1), i128::from(most > first));
            found.insert(Feature::Shorter(pair().0, pair().1), i128::from(least < first));
            let is_unequal = i128::from(most != least);
            found.insert(Feature::Unequal(pair().0, pair().1), is_unequal);
        }
    }
}

/// Which rules lack words that the input has elsewhere.
///
/// A rule has what is in it, without what is in another rule of its name inside it.
pub(super) fn of_words(outline: &Outline<'_>, found: &mut Features) {
    let is_word = |item: &&Item<'_>| {
        item.is_fixed && item.name.starts_with('"') && item.name.contains(char::is_alphabetic)
    };
    let mut inside: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let mut words: BTreeSet<&str> = BTreeSet::new();
    for item in outline.items.iter().filter(is_word) {
        if words.len() < MAX_LACKED_WORDS {
            words.insert(&item.name);
        }
        for rule in outline.around(item.rule) {
            inside.entry(rule).or_default().insert(&item.name);
        }
    }
    let elements: BTreeMap<(u32, usize), &str> = outline
        .items
        .iter()
        .filter(|item| item.is_fixed && item.name.starts_with('<'))
        .map(|item| ((item.part.start, item.part.text.len()), &*item.name))
        .collect();
    for (number, rule) in outline.rules.iter().enumerate().skip(1) {
        let size = (rule.span.1 - rule.span.0) as usize;
        let element =
            elements.get(&(rule.span.0, size)).filter(|name| name.starts_with(&rule.name));
        for word in &words {
            let has = inside.get(&number).is_some_and(|inside| inside.contains(word));
            for name in std::iter::once(&&*rule.name).chain(element) {
                let feature = Feature::Lacks((*name).to_owned(), (*word).to_owned());
                raise(found, feature, i128::from(!has));
            }
        }
    }
}

/// How many rules of a name a part is in.
///
/// The part's own rule counts too.
fn level(outline: &Outline<'_>, rule: Option<usize>, name: &str) -> i128 {
    let (mut at, mut level) = (rule, 0);
    while let Some(rule) = at {
        level += i128::from(outline.rules[rule].name == name);
        at = outline.rules[rule].outer;
    }
    level
}

/// Features of the parts of each rule, those of nested rules of its name left out.
///
/// Each feature is one *within* the rule's name; of several rules of a name the largest value
/// counts.
pub(super) fn of_each_rule(outline: &Outline<'_>, found: &mut Features) {
    let mut inside: BTreeMap<usize, Names<'_, '_>> = BTreeMap::new();
    for item in outline.items.iter().filter(|item| !item.is_fixed && !item.name.contains(" in ")) {
        for rule in outline.around(item.rule) {
            let named = inside.entry(rule).or_default().entry(&*item.name).or_default();
            named.parts.push(&item.part);
        }
    }
    for (rule, named) in inside {
        let mut own = Features::new();
        let mut numbers: Vec<(&str, i128)> = Vec::new();
        for (name, all) in &named {
            let texts: Vec<&[u8]> = all.parts.iter().map(|part| part.text).collect();
            if texts.len() > 1 {
                of_texts(name, &texts, &mut own);
            }
            let Some(first) = only_number(all.parts[0]) else { continue };
            numbers.push((name, first));
            if let Some(second) = all.parts.get(1).and_then(|part| only_number(part)) {
                let terms = (Term::First((*name).to_owned()), Term::Second((*name).to_owned()));
                let difference = Feature::Difference(terms.0, terms.1);
                own.insert(difference, first.saturating_sub(second));
            }
        }
        numbers.truncate(MAX_COMPARED_NAMES);
        for (name, first) in &numbers {
            for (other, second) in numbers.iter().filter(|(other, _)| other != name) {
                let terms = (Term::First((*name).to_owned()), Term::First((*other).to_owned()));
                let difference = Feature::Difference(terms.0, terms.1);
                own.insert(difference, first.saturating_sub(*second));
            }
        }
        let name = &outline.rules[rule].name;
        for (feature, value) in own {
            raise(found, Feature::Within(name.clone(), Box::new(feature)), value);
        }
    }
}
