//! Features of two names.

use super::one::cores;
use super::outline::{Named, Names, core};
use super::{Feature, Features, characters, number, only_number, quoted};
use crate::generalize::predicate::term::Term;

/// Names whose numbers are compared with those of all names, because each gives some features for every other
/// name. Not measured.
const MAX_COMPARED_NUMBERS: usize = 12;
/// Names whose texts are looked for among those of others, because pairs grow with the square: 240 of
/// them. Not measured.
const MAX_COMPARED_TEXTS: usize = 16;
/// Texts longer than this are no names: strings and comments, which are rarely repeated so exactly that
/// comparing them would tell anything. Not measured.
const MAX_NAME_BYTES: usize = 32;

/// The numbers of one name.
struct Numbers {
    first: Option<i128>,
    greatest: Option<i128>,
    sum: Option<i128>,
    count: i128,
    length: Option<(Term, i128)>,
}

/// Features of two names: the numbers of the first names that have some, each compared with those
/// of all names, and texts that names have in common.
pub(super) fn of_pairs(named: &Names<'_, '_>, found: &mut Features) {
    let all: Vec<(&str, Numbers)> =
        named.iter().map(|(name, all)| (*name, numbers(name, all))).collect();
    let numeric = all.iter().filter(|(_, one)| one.first.is_some()).take(MAX_COMPARED_NUMBERS);
    for (name, one) in numeric {
        for (other, its) in &all {
            compared((name, one), (other, its), found);
        }
    }
    shared(named, found);
}

/// What is not there is `None`: a name whose parts are no numbers has only a count and a length.
fn numbers(name: &str, Named { is_fixed, parts }: &Named<'_, '_>) -> Numbers {
    let count = parts.len() as i128;
    if *is_fixed || parts.is_empty() {
        return Numbers { first: None, greatest: None, sum: None, count, length: None };
    }
    let all: Option<Vec<i128>> = parts.iter().map(|part| only_number(part.text)).collect();
    let text = parts[0].text;
    let length = match quoted(text) {
        Some(inner) => (Term::InnerLength(name.to_owned()), characters(inner)),
        None => (Term::Length(name.to_owned()), characters(text)),
    };
    let strict: Option<Vec<i128>> = parts.iter().map(|part| number(part.text)).collect();
    Numbers {
        first: only_number(text),
        greatest: strict.and_then(|all| all.into_iter().max()),
        sum: all.map(|all| all.iter().fold(0i128, |sum, one| sum.saturating_add(*one))),
        count,
        length: Some(length),
    }
}

/// The numbers of one name minus those of another, or of its own that are of another kind.
///
/// Differences, so that a bound of a difference says which of two is larger.
fn compared((name, one): (&str, &Numbers), (other, its): (&str, &Numbers), found: &mut Features) {
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
            .filter(|_| one.count > 1 || !super::super::term::is_value(name))
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
fn shared(named: &Names<'_, '_>, found: &mut Features) {
    let is_short =
        |all: &Named<'_, '_>| !all.is_fixed && all.parts.iter().all(|part| is_name(part.text));
    let texts = named.iter().filter(|(_, all)| is_short(all)).take(MAX_COMPARED_TEXTS);
    let texts: Vec<_> =
        texts.map(|(name, all)| (*name, cores(all.parts.iter().map(|part| part.text)))).collect();
    for (at, (name, own)) in texts.iter().enumerate() {
        for (number, (other, others)) in
            texts.iter().enumerate().filter(|(number, _)| *number != at)
        {
            let pair = || ((*name).to_owned(), (*other).to_owned());
            if number > at {
                let is_shared = i128::from(!own.is_disjoint(others));
                found.insert(Feature::Shared(pair().0, pair().1), is_shared);
            }
            let is_missing = i128::from(!own.is_subset(others));
            found.insert(Feature::Missing(pair().0, pair().1), is_missing);
        }
    }
}

/// Whether a text may be a name: one word, whatever is around it.
///
/// Longer texts and texts of several words are data.
fn is_name(text: &[u8]) -> bool {
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte) || !byte.is_ascii();
    text.len() <= MAX_NAME_BYTES && core(text).iter().all(is_of_word)
}
