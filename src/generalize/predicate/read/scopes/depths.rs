//! How deep elements and keys are nested in each other: those of one name, of two and of three.
//!
//! The depth of a rule counts all rules of its name. Targets often have a limit for some of them: five loops, whatever conditions are
//! between them. So each two and each three names have a depth together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::outline::{Labels, Outline, Rule};
use super::super::{Feature, Features, raise};
use crate::generalize::predicate::feature::OR;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::BEGINS_WITH;

/// Names of elements around one that its depth is counted with, because each pair is a feature. Not measured.
const MAX_NAMES_OF_DEPTH: usize = 4;
/// Names of which each three have a depth together, because seven have 35: a language has about as many statements.
const MAX_NAMES_IN_THREES: usize = 7;

/// How deep elements of one name are nested in each other, and in those of other names. The depth of a rule counts all elements; this one
/// counts those of the same name, as `<div>` in `<div>`.
///
/// The same is read of two names: five `let` or `lambda` in each other are as deep as five `let`. An input without one of them
/// has the depth of the other.
pub(super) fn depths_of_elements(outline: &Outline<'_>, labels: &Labels<'_>, found: &mut Features) {
    let element = |rule: usize| {
        let Rule { span, name, .. } = &outline.rules[rule];
        let mut labels = labels.get(span).into_iter().flatten();
        let label = labels.find(|label| label.starts_with('<') && label.starts_with(&**name))?;
        Some((*label, &**name))
    };
    depths(outline, element, found);
}

/// The same of rules that begin with a word of the grammar: statements by their keywords.
///
/// `kinds` has for each rule its name with the word, or nothing.
pub(super) fn depths_of_kinds(outline: &Outline<'_>, kinds: &[Option<Name>], found: &mut Features) {
    let kind = |rule: usize| {
        let name = kinds[rule].as_ref()?;
        Some((name, &name[..outline.rules[rule].name.len() + BEGINS_WITH.trim_end().len()]))
    };
    depths(outline, kind, found);
}

/// How deep parts of some names are in each other. Cost: for each part a look at those around it, for each pair of names.
///
/// `named` is asked for the name of each rule, and for the beginning that it has in common with those that it is counted together with;
/// nothing for a rule without such a name.
pub(in crate::generalize::predicate::read) fn depths<'n>(
    outline: &Outline<'_>,
    named: impl Fn(usize) -> Option<(&'n Name, &'n str)>,
    found: &mut Features,
) {
    let all = (0..outline.rules.len()).filter_map(|rule| {
        let (name, kind) = named(rule)?;
        let outer = outline.outer_rules(rule).filter_map(|outer| Some(named(outer)?.0));
        Some((name, outer.collect(), kind))
    });
    let all: Vec<(&Name, Vec<&Name>, &str)> = all.collect();
    depths_of_three(&all, found);
    let mut pairs: BTreeMap<Name, [&Name; 2]> = BTreeMap::new();
    for (name, outer, kind) in all {
        let of = |names: &[&Name]| {
            1 + outer.iter().filter(|label| names.contains(label)).count() as i128
        };
        raise(found, Feature::Depth(name.to_owned()), of(&[name]));
        // Elements of two names may be of one kind, such as those that bind a name. A rule that is all of another one has an element's
        // name as that one has.
        let is_other = |other: &&Name| *other != name && other.starts_with(kind);
        let others: BTreeSet<&Name> = outer.iter().copied().filter(is_other).collect();
        for other in others.into_iter().take(MAX_NAMES_OF_DEPTH) {
            let around = outer.iter().filter(|label| **label == other).count() as i128;
            raise(found, Feature::Level(name.clone(), other.clone()), around);
            let (first, second) = (name.min(other), name.max(other));
            let both = together(kind, &[first, second]);
            raise(found, Feature::Depth(both.clone()), of(&[name, other]));
            pairs.insert(both, [first, second]);
        }
    }
    // Those of one name alone may be deeper than where both are.
    for (both, each) in pairs {
        for name in each {
            if let Some(depth) = found.get(&Feature::Depth(name.clone())).copied() {
                raise(found, Feature::Depth(both.clone()), depth);
            }
        }
    }
}

/// The same of three names.
///
/// Of an input that lacks one of them the depths of two are known (`Feature::absence`). Nothing for a kind with more names than
/// `MAX_NAMES_IN_THREES`.
fn depths_of_three(all: &[(&Name, Vec<&Name>, &str)], found: &mut Features) {
    let mut nested: BTreeMap<&str, BTreeSet<&Name>> = BTreeMap::new();
    for (name, outer, kind) in all {
        let others = outer.iter().filter(|other| *other != name && other.starts_with(kind));
        let others: Vec<&Name> = others.copied().collect();
        if !others.is_empty() {
            nested.entry(kind).or_default().extend(others.into_iter().chain([*name]));
        }
    }
    nested.retain(|_, names| names.len() <= MAX_NAMES_IN_THREES);
    for (kind, names) in nested {
        let names: Vec<&Name> = names.into_iter().collect();
        let threes = threes(names.len()).map(|three| three.map(|at| names[at]));
        for three in threes {
            let together = together(kind, &three);
            for (_, outer, _) in all.iter().filter(|(name, ..)| three.contains(name)) {
                let depth = 1 + outer.iter().filter(|label| three.contains(label)).count();
                raise(found, Feature::Depth(together.clone()), depth as i128);
            }
        }
    }
}

/// The name of several that are counted together, which begin with their kind: `<element> "a" or "b"`.
fn together(kind: &str, names: &[&Name]) -> Name {
    let words = names.iter().map(|name| name[kind.len()..].trim_start());
    let words: Vec<&str> = words.collect();
    format!("{kind} {}", words.join(OR)).into()
}

/// Each three of some numbers from 0 on, in order.
///
/// None for fewer than three numbers.
fn threes(count: usize) -> impl Iterator<Item = [usize; 3]> {
    let pairs = (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]));
    pairs.flat_map(move |[one, other]| (other + 1..count).map(move |last| [one, other, last]))
}
