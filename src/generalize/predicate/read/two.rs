//! Features of two names: which number is greater, and which texts both have.
//!
//! Numbers are compared with numbers, with counts, with sums and with lengths. Equality is a difference of 0, so that it
//! is no feature of its own. Pairs grow with the square of the names, so the first names are compared only.

use super::chains::{difference, size};
use super::one::cores;
use super::outline::{Named, Names, ORDINALS, Part, core};
use super::wanted::Wanted;
use super::without_grammar::AFTER_EMPTY_LINE;
use super::words::exact;
use super::{Feature, Features, characters, number, only_number, quoted};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{
    IS_WORD, ITEMS_IN, OF_KEY, Term, is_typed_value, is_value,
};
use std::collections::BTreeSet;

/// Names whose numbers are compared with those of all names, because each gives some features for every other
/// name. Not measured.
const MAX_COMPARED_NUMBERS: usize = 12;
/// Names whose texts are looked for among those of others, because pairs grow with the square: 380 of
/// them. Not measured.
const MAX_COMPARED_TEXTS: usize = 20;
/// Parts whose order with others is looked at, a bound on the time. Not measured.
const MAX_PARTS_IN_ORDER: usize = 64;
/// Texts longer than this are no names: strings and comments, which are rarely repeated so exactly that
/// comparing them would say anything. Not measured.
const MAX_NAME_BYTES: usize = 32;

/// The numbers of one name.
struct Numbers {
    first: Option<i128>,
    greatest: Option<i128>,
    sum: Option<i128>,
    count: i128,
    length: Option<(Term, i128)>,
    longest: Option<i128>,
}

/// Features of two names: the numbers of the first names that have some, each compared with those
/// of all names, and texts that names have in common. Which names are first does not depend on those that are wanted.
pub(super) fn of_pairs(named: &Names<'_, '_>, wanted: &Wanted<'_>, found: &mut Features) {
    // The values of one kind of token are compared as the values of their keys are.
    let untyped = named.iter().filter(|(name, _)| !is_typed_value(name));
    let mut all: Vec<(&Name, &Named<'_, '_>)> = untyped.map(|(name, all)| (*name, all)).collect();
    // Values of keys first: of other names a part may be left out.
    all.sort_by_key(|(name, _)| is_of_no_key(name));
    counts(&all, found);
    chains(named, found);
    let is_numeric = |(_, all): &&(&Name, &Named<'_, '_>)| first_number(all).is_some();
    let numeric = all.iter().filter(is_numeric).take(MAX_COMPARED_NUMBERS);
    let numeric: BTreeSet<&Name> = numeric.map(|(name, _)| *name).collect();
    let read = all.iter().filter(|(name, _)| wanted.is_about(name));
    let read: Vec<(&Name, Numbers)> = read.map(|(name, all)| (*name, numbers(name, all))).collect();
    let measured = all.iter().filter(|(name, all)| wanted.is_about(name) && is_measured(name, all));
    let measured: Vec<(&Name, BTreeSet<i128>)> =
        measured.map(|(name, all)| (*name, lengths(all))).collect();
    for (name, one) in read.iter().filter(|(name, _)| numeric.contains(name)) {
        if let Some(number) = one.first.filter(|_| is_value(name)) {
            for (other, lengths) in &measured {
                let measures = || Feature::Measures((*name).to_owned(), (*other).to_owned());
                found.answer(measures, lengths.contains(&number), false);
            }
        }
        for (other, its) in &read {
            compared((name, one), (other, its), found);
        }
    }
    shared(named, wanted, found);
}

/// Whether the lengths of all parts of a name are compared with numbers: of lines, of those after a head, and of items of lists, of which any may have the
/// length that a key says.
fn is_measured(name: &str, all: &Named<'_, '_>) -> bool {
    let is_list = name.starts_with(ITEMS_IN) && !name.contains(IS_WORD);
    name == AFTER_EMPTY_LINE || !all.is_fixed && (name == "<line>" || is_list)
}

/// How many characters the parts of a name have, without quotation marks.
///
/// Each length once, in order.
fn lengths(all: &Named<'_, '_>) -> BTreeSet<i128> {
    all.parts.iter().map(|part| characters(quoted(part.text).unwrap_or(part.text))).collect()
}

/// The number of the first part of a name with many texts.
fn first_number(all: &Named<'_, '_>) -> Option<i128> {
    all.parts.first().filter(|_| !all.is_fixed).and_then(|part| only_number(part))
}

/// Whether a name is neither of a key's value nor of an item in one.
///
/// Those of keys come first where only some names are compared.
fn is_of_no_key(name: &str) -> bool {
    !is_value(name) && !name.contains(ITEMS_IN)
}

/// By how much lists of two keys differ in length.
fn counts(all: &[(&Name, &Named<'_, '_>)], found: &mut Features) {
    let is_list = |(name, _): &&(&Name, &Named<'_, '_>)| {
        name.starts_with(ITEMS_IN) && !name.contains(IS_WORD)
    };
    let lists: Vec<_> = all.iter().filter(is_list).take(MAX_COMPARED_NUMBERS).collect();
    for (at, (name, one)) in lists.iter().enumerate() {
        for (other, its) in &lists[at + 1..] {
            let terms = (Term::Count((*name).to_owned()), Term::Count((*other).to_owned()));
            let difference = one.parts.len() as i128 - its.parts.len() as i128;
            found.insert(Feature::Difference(terms.0, terms.1), difference);
        }
    }
}

/// By how much the dates, times or versions that keys have are greater than those of others.
fn chains(named: &Names<'_, '_>, found: &mut Features) {
    let values = named.iter().filter(|(name, all)| is_value(name) && !all.is_fixed);
    let firsts = values.filter_map(|(name, all)| Some((*name, exact(all.parts.first()?.text))));
    let firsts = firsts.filter(|(_, text)| size(text).is_some());
    let firsts: Vec<(&Name, &[u8])> = firsts.take(MAX_COMPARED_NUMBERS).collect();
    for (at, (name, text)) in firsts.iter().enumerate() {
        for (other, its) in &firsts[at + 1..] {
            if let Some(difference) = difference(text, its) {
                let terms = (Term::First((*name).to_owned()), Term::First((*other).to_owned()));
                found.insert(Feature::Difference(terms.0, terms.1), difference);
            }
        }
    }
}

/// The numbers of one name, each as other names are compared with it.
///
/// Absent numbers are `None`: a name whose parts are no numbers has only a count and a length.
fn numbers(name: &Name, named: &Named<'_, '_>) -> Numbers {
    let Named { is_fixed, parts } = named;
    let count = parts.len() as i128;
    if *is_fixed || parts.is_empty() {
        // A list without parts has a sum.
        let sum = (!is_fixed && name.starts_with(ITEMS_IN)).then_some(0);
        return Numbers { first: None, greatest: None, sum, count, length: None, longest: None };
    }
    let all: Option<Vec<i128>> = parts.iter().map(|part| only_number(part)).collect();
    let text = parts[0].text;
    let length = match quoted(text) {
        Some(inner) => (Term::InnerLength(name.to_owned()), characters(inner)),
        None => (Term::Length(name.to_owned()), characters(text)),
    };
    let strict = parts.iter().filter_map(|part| number(part.text));
    Numbers {
        first: first_number(named),
        greatest: strict.max(),
        sum: all.map(|all| all.iter().fold(0i128, |sum, one| sum.saturating_add(*one))),
        count,
        length: Some(length),
        longest: parts.iter().map(|part| characters(quoted(part.text).unwrap_or(part.text))).max(),
    }
}

/// The numbers of one name minus those of another, or minus others of the same name that are of another kind.
///
/// Differences, so that a bound of a difference says which of two is larger.
fn compared((name, one): (&Name, &Numbers), (other, its): (&Name, &Numbers), found: &mut Features) {
    let is_same = name == other;
    // Parts of a name that is part of the other are compared by the shorter name.
    let is_part = !is_same
        && (name.starts_with(&format!("{other} in ")) || other.starts_with(&format!("{name} in ")));
    if is_part {
        return;
    }
    let lefts = [
        one.first.map(|first| (Term::First(name.to_owned()), first)),
        one.greatest
            // A key below another one may be there several times in other inputs.
            .filter(|_| one.count > 1 || !is_value(name) || name.contains(OF_KEY))
            .map(|greatest| (Term::Greatest(name.to_owned()), greatest)),
    ];
    for (left, value) in lefts.into_iter().flatten() {
        let mut compare = |right: Term, than: i128| {
            found.insert(Feature::Difference(left.clone(), right), value.saturating_sub(than));
        };
        // Commas and brackets are counted by the parts between them.
        if other.contains(|c: char| c.is_ascii_alphanumeric()) {
            compare(Term::Count(other.to_owned()), its.count);
        }
        if is_same {
            continue;
        }
        if let Some(first) = its.first {
            // Both ways would say the same.
            if matches!(left, Term::Greatest(_)) || name < other {
                compare(Term::First(other.to_owned()), first);
            }
        }
        if let Some(sum) = its.sum.filter(|_| matches!(left, Term::First(_))) {
            compare(Term::Sum(other.to_owned()), sum);
        }
        if let Some(longest) = its.longest.filter(|_| matches!(left, Term::First(_))) {
            compare(Term::Longest(other.to_owned()), longest);
        }
        if let Some((length, characters)) = its
            .length
            .clone()
            .filter(|(length, _)| its.first.is_none() || matches!(length, Term::InnerLength(_)))
        {
            compare(length, characters);
        }
    }
}

/// Whether names have texts in common, and whether the texts of one are all among another's.
///
/// Texts are compared by their letters and digits.
fn shared(named: &Names<'_, '_>, wanted: &Wanted<'_>, found: &mut Features) {
    let is_short =
        |all: &Named<'_, '_>| !all.is_fixed && all.parts.iter().all(|part| is_name(part.text));
    let is_told = |name: &str| !ORDINALS.iter().any(|ordinal| name.starts_with(ordinal));
    let mut short: Vec<_> =
        named.iter().filter(|(name, all)| is_told(name) && is_short(all)).collect();
    short.sort_by_key(|(name, _)| is_of_no_key(name));
    short.truncate(MAX_COMPARED_TEXTS);
    short.retain(|(name, _)| wanted.is_about(name));
    let texts: Vec<_> = short
        .iter()
        .map(|(name, all)| (**name, &all.parts, cores(all.parts.iter().map(|part| part.text))))
        .collect();
    for (at, (name, parts, own)) in texts.iter().enumerate() {
        for (number, (other, their_parts, others)) in
            texts.iter().enumerate().filter(|(number, _)| *number != at)
        {
            let pair = || ((*name).to_owned(), (*other).to_owned());
            if number > at {
                // Two values may both be empty.
                let has_empty = |parts: &[&Part<'_>]| parts.iter().any(|part| part.text.is_empty());
                let are_empty = has_empty(parts) && has_empty(their_parts);
                // Two values are equal as they are, other names by their letters and digits.
                let is_shared = match is_value(name) && is_value(other) {
                    true => {
                        let texts = |parts: &[&Part<'_>]| -> BTreeSet<Vec<u8>> {
                            parts.iter().map(|part| exact(part.text).to_vec()).collect()
                        };
                        !texts(parts).is_disjoint(&texts(their_parts))
                    }
                    false => are_empty || !own.is_disjoint(others),
                };
                found.answer(|| Feature::Shared(pair().0, pair().1), is_shared, false);
            }
            // A name that is empty is the text of none.
            let is_empty = parts.iter().any(|part| part.text.is_empty());
            let is_missing = is_empty || !own.is_subset(others);
            let is_there = !parts.is_empty();
            found.answer(|| Feature::Missing(pair().0, pair().1), is_missing, is_there);
            let is_late = parts.len() <= MAX_PARTS_IN_ORDER && is_too_late(parts, their_parts);
            found.answer(|| Feature::MissingBefore(pair().0, pair().1), is_late, is_there);
        }
    }
}

/// Whether the text of one of these parts is in none of the others that are before it.
fn is_too_late(parts: &[&Part<'_>], others: &[&Part<'_>]) -> bool {
    let mut known = std::collections::BTreeSet::new();
    let mut others = others.iter().peekable();
    parts.iter().any(|part| {
        while let Some(other) = others.next_if(|other| other.start < part.start) {
            known.insert(core(other.text));
        }
        !known.contains(core(part.text))
    })
}

/// Whether a text may be a name: one word, whatever is around it.
///
/// Longer texts and texts of several words are data.
fn is_name(text: &[u8]) -> bool {
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte) || !byte.is_ascii();
    text.len() <= MAX_NAME_BYTES && core(text).iter().all(is_of_word)
}
