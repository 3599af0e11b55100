//! The features of the parts of one rule, whatever its name is: how many there are, how long and how great they are, and how
//! they compare.
//!
//! A rule of a few dozen bytes has some hundred of them, so that only the first names of each kind are looked at. Which are
//! first depends on the rule and on the words of the search alone.

use crate::generalize::predicate::feature::{CHARACTER, Feature, Features, WORD};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::chains::{difference, size};
use crate::generalize::predicate::read::kinds::is_of_decimals;
use crate::generalize::predicate::read::names::{is_rule, is_token};
use crate::generalize::predicate::read::one::{decimals, of_decimals, of_texts, of_total};
use crate::generalize::predicate::read::order::{
    Of, of_elements, of_items, of_needed, of_needed_lines, of_order, of_values,
};
use crate::generalize::predicate::read::outline::{Named, Names, Part};
use crate::generalize::predicate::read::wanted::Wanted;
use crate::generalize::predicate::read::without_grammar::sections::{
    BELOW, ITEM, LAST_NUMBER, OUTER_ITEM,
};
use crate::generalize::predicate::read::without_grammar::{
    BESIDE_ARROW, BESIDE_COMMA, NAME_BEFORE, NAME_BESIDE_COMMA, NUMBER_BESIDE_COMMA, QUOTED,
    is_numbered_field,
};
use crate::generalize::predicate::read::words::{Words, exact};
use crate::generalize::predicate::read::{characters, only_number, quoted};
use crate::generalize::predicate::term::{
    AFTER, ANY_NUMBER, FIELD, ITEMS_IN, ITEMS_IN_TEXT, KEY, MEMBER, OUTSIDE, PAIRS_OF, THAT_BEGINS,
    Term, VALUE_OF, is_of_key, is_value, quoted_length,
};

/// Names whose numbers are compared in a rule, because pairs grow with the square: 30 features for each
/// rule. Not measured.
const MAX_COMPARED_NAMES: usize = 6;
/// Names of a rule's parts that are looked at, values of keys first. Not measured.
const MAX_NAMES: usize = 10;
/// Texts of a rule whose order and numbers are looked at, words first. Not measured.
const MAX_FIXED_NAMES: usize = 5;
/// The same where there are as many that the failure needs: a line of three numbers has nine names of their decimals and marks.
const MAX_NEEDED_NAMES: usize = 9;

/// Whether a name is of parts after a word that the failure needs.
pub(super) fn is_after_needed(name: &str, words: &Words) -> bool {
    let word = name.split_once(AFTER).map(|(_, word)| word);
    word.is_some_and(|word| word.contains(char::is_alphabetic) && words.is_preferred(word))
}

/// Whether a name is of the value of a key that the failure needs, or of the items in it.
fn is_of_needed_key(name: &str, words: &Words) -> bool {
    let key = [VALUE_OF, ITEMS_IN, PAIRS_OF].iter().find_map(|kind| name.strip_prefix(kind));
    let key = key.and_then(|key| key.get(..quoted_length(key)?));
    key.is_some_and(|key| words.is_preferred(key))
}

/// The features of one rule's parts: first those of open names, lines and values of keys before others, then of fixed texts,
/// words before marks. Names past the limits have none, so that the number of features does not grow with the rule.
///
/// Where `has_order` is false, the order is looked at of words alone that the failure needs: a grammar's rules have many others. Where it is
/// true, a rule is a line or the value of a key, and the order of all its first texts is looked at.
///
/// Names beyond the first `MAX_NAMES` are asked for characters that are not ASCII alone, but for those of which a rule has few. Names that are
/// not wanted have none, and count for the limits.
///
/// Cost: some hundred features, each with a copy of its names.
pub(super) fn own(
    named: &Names<'_, '_>,
    (has_order, words, wanted): (bool, &Words, &Wanted<'_>),
) -> Features {
    let mut own = Features::new();
    let (fixed, mut open): (Vec<_>, Vec<_>) = named.iter().partition(|(_, all)| all.is_fixed);
    let is_first = |name: &str| {
        [
            "<line>",
            ANY_NUMBER,
            ITEM,
            OUTER_ITEM,
            LAST_NUMBER,
            BESIDE_ARROW,
            BESIDE_COMMA,
            KEY,
            MEMBER,
        ]
        .contains(&name)
            || name.starts_with(BELOW)
    };
    let is_second = |name: &str| {
        let is_of_list = || [NUMBER_BESIDE_COMMA, NAME_BESIDE_COMMA].contains(&name);
        let is_beside = name.starts_with(NAME_BEFORE) || name.starts_with(QUOTED);
        is_beside || is_of_list() || is_after_needed(name, words)
    };
    let rank = |name: &str| {
        let is_number = name.starts_with("<NUMBER>") && is_after_needed(name, words);
        let is_needed = is_number || is_of_needed_key(name, words);
        (!is_needed, !is_first(name), !is_second(name), !is_of_key(name))
    };
    // A column of numbers says more than what all numbers of its row have in common.
    let is_column = |name: &str, all: &Named<'_, '_>| {
        is_numbered_field(name) && all.parts.first().is_some_and(|one| only_number(one).is_some())
    };
    open.sort_by_cached_key(|(name, all)| (rank(name), !is_column(name, all)));
    // Hardly any name has such a character, so that it is asked of all.
    for (name, all) in open.iter().skip(MAX_NAMES) {
        non_ascii(name, all, &mut own);
    }
    // Nor are there many of these: two for each mark of remarks, and one for a kind of definition.
    let is_outside = |name: &str| {
        let is_part = name.starts_with(FIELD) || name.starts_with(ITEMS_IN_TEXT);
        is_part && name.contains(OUTSIDE) || name.contains(THAT_BEGINS) || is_second(name)
    };
    for (name, all) in open.iter().skip(MAX_NAMES).filter(|(name, _)| is_outside(name)) {
        of_open(name, all, &mut own);
    }
    open.truncate(MAX_NAMES);
    for (name, all) in open.iter().filter(|(name, _)| wanted.is_about(name)) {
        if is_token(name) || is_rule(name) {
            own.insert(Feature::Count((**name).to_owned()), all.parts.len() as i128);
        }
        of_open(name, all, &mut own);
    }
    numbers(&open, wanted, &mut own);
    chains(&open, &mut own);
    equal(&open, &mut own);
    let mut fixed: Vec<(&&Name, &Named<'_, '_>)> = fixed;
    let is_word = |name: &str| name.contains(char::is_alphabetic);
    let is_needed = |name: &str| words.is_preferred(name) || is_of_decimals(name);
    fixed.sort_by_cached_key(|(name, all)| {
        // A number's decimals have one name in each rule, and words have many.
        let rank = (!is_needed(name), !is_word(name), !name.starts_with('"'));
        (rank, all.parts.first().map(|part| part.start))
    });
    let all: Vec<(&Name, &[&Part<'_>])> =
        fixed.iter().map(|(name, all)| (**name, &all.parts[..])).collect();
    of_elements(&all, Of::Rule(wanted), &mut own);
    if has_order {
        of_items(&all, Of::Rule(wanted), &mut own);
        of_needed_lines(&all, words, &mut own);
    } else {
        of_needed(&all, words, &mut own);
    }
    // The order of the needed names does not depend on the others in a line.
    let needed = fixed.iter().filter(|(name, _)| is_needed(name)).count();
    fixed.truncate(needed.clamp(MAX_FIXED_NAMES, MAX_NEEDED_NAMES));
    for (name, all) in &fixed {
        let count = all.parts.len() as i128;
        own.insert(Feature::Count((**name).to_owned()), count);
        let even = Feature::Multiple(Term::Count((**name).to_owned()), 2);
        own.insert(even, i128::from(count % 2 == 0));
    }
    let fixed: Names<'_, '_> = fixed
        .into_iter()
        .map(|(name, all)| (*name, Named { is_fixed: true, parts: all.parts.clone() }))
        .collect();
    if has_order {
        of_values(named, (words, Of::Rule(wanted)), &mut own);
        of_order(&fixed, (words, Of::Rule(wanted)), &mut own);
    }
    own
}

/// Features of one name's parts within a rule.
///
/// Sizes of the longest and the greatest part, whether texts of a list differ in length, and whether some part is empty, negative or not ASCII. A number is
/// compared with the second one of its name, because many rules have two operands.
fn of_open(name: &Name, all: &Named<'_, '_>, own: &mut Features) {
    let texts: Vec<&[u8]> = all.parts.iter().map(|part| part.text).collect();
    if texts.is_empty() {
        return;
    }
    let name = || name.clone();
    if texts.len() > 1 {
        of_texts(&name(), &texts, own);
    }
    let lengths: Vec<i128> =
        texts.iter().map(|text| characters(quoted(text).unwrap_or(text))).collect();
    let longest = lengths.iter().max().copied();
    // Rows that are texts, such as those of a picture. Numbers and lists among them are no rows.
    if name().starts_with(ITEMS_IN) {
        let quoted = texts.iter().zip(&lengths).filter(|(text, _)| quoted(text).is_some());
        let mut rows = quoted.map(|(_, length)| length);
        if let Some(first) = rows.next() {
            let differ = rows.any(|length| length != first);
            own.answer(|| Feature::Unequal(name(), CHARACTER.into()), differ, false);
        }
    }
    // Rows of words, each in quotation marks.
    let words = texts.iter().map(|text| Some(quoted(text)?.split(u8::is_ascii_whitespace)));
    let words = words.map(|words| Some(words?.filter(|word| !word.is_empty()).count()));
    if let Some(rows) = words.collect::<Option<Vec<usize>>>() {
        let differ = rows.windows(2).any(|two| two[0] != two[1]);
        own.answer(|| Feature::Unequal(name(), WORD.into()), differ, false);
    }
    own.insert(Feature::Value(Term::Longest(name())), longest.unwrap_or(0));
    non_ascii(&name(), all, own);
    own.answer(|| Feature::Empty(name()), texts.contains(&&b""[..]), false);
    let is_negative = |text: &&[u8]| exact(text).starts_with(b"-") && exact(text).len() > 1;
    own.answer(|| Feature::Negative(name()), texts.iter().any(is_negative), false);
    if texts.iter().any(|text| decimals(text).is_some_and(|decimals| decimals > 0)) {
        of_decimals(&name(), texts.iter().copied(), own);
    }
    let numbers: Option<Vec<i128>> = all.parts.iter().map(|part| only_number(part)).collect();
    if let Some((feature, value)) = numbers.and_then(|numbers| of_total(&name(), &numbers)) {
        own.insert(feature, value);
    }
    if let Some(first) = only_number(all.parts[0]) {
        own.insert(Feature::Value(Term::First(name())), first);
        if let Some(second) = all.parts.get(1).and_then(|part| only_number(part)) {
            let terms = (Term::First(name()), Term::Second(name()));
            own.insert(Feature::Difference(terms.0, terms.1), first.saturating_sub(second));
            let terms = (Term::Second(name()), Term::First(name()));
            own.insert(Feature::Difference(terms.0, terms.1), second.saturating_sub(first));
        }
    }
}

/// Whether some part of a name has a character that is not ASCII.
fn non_ascii(name: &Name, all: &Named<'_, '_>, own: &mut Features) {
    let is_wide = all.parts.iter().any(|part| !part.text.is_ascii());
    own.answer(|| Feature::NonAscii(name.clone()), is_wide, false);
}

/// By how much the numbers of one name are greater than those of others, than their counts and their lengths.
///
/// The first number of each name counts, because a rule rarely has two under one name.
fn numbers(open: &[(&&Name, &Named<'_, '_>)], wanted: &Wanted<'_>, own: &mut Features) {
    let numeric =
        open.iter().filter_map(|(name, all)| Some((**name, only_number(all.parts.first()?)?)));
    let numeric: Vec<(&Name, i128)> = numeric.take(MAX_COMPARED_NAMES).collect();
    for (name, first) in numeric.iter().filter(|(name, _)| wanted.is_about(name)) {
        let term = || Term::First((*name).to_owned());
        let is_other = |other: &Name| other != *name && wanted.is_about(other);
        for (other, second) in numeric.iter().filter(|(other, _)| is_other(other)) {
            let difference = Feature::Difference(term(), Term::First((*other).to_owned()));
            own.insert(difference, first.saturating_sub(*second));
        }
        for (other, all) in open.iter().filter(|(other, _)| is_other(other)) {
            // A key is there once.
            if !is_value(other) {
                let count = Term::Count((**other).to_owned());
                let difference = first.saturating_sub(all.parts.len() as i128);
                own.insert(Feature::Difference(term(), count), difference);
            }
            let Some(text) = all.parts.first().map(|part| part.text) else { continue };
            let (length, text) = match quoted(text) {
                Some(inner) => (Term::InnerLength((**other).to_owned()), inner),
                None => (Term::Length((**other).to_owned()), text),
            };
            let difference = first.saturating_sub(characters(text));
            own.insert(Feature::Difference(term(), length), difference);
        }
    }
}

/// By how much the dates, times or versions of some names are greater than those of others.
///
/// Only values of keys are compared, because those of one token's name are compared elsewhere.
fn chains(open: &[(&&Name, &Named<'_, '_>)], own: &mut Features) {
    let firsts =
        open.iter().filter_map(|(name, all)| Some((**name, exact(all.parts.first()?.text))));
    let firsts = firsts.filter(|(name, text)| is_value(name) && size(text).is_some());
    let firsts: Vec<(&Name, &[u8])> = firsts.take(MAX_COMPARED_NAMES).collect();
    for (name, text) in &firsts {
        for (other, its) in firsts.iter().filter(|(other, _)| other != name) {
            if let Some(difference) = difference(text, its) {
                let terms = (Term::First((*name).to_owned()), Term::First((*other).to_owned()));
                own.insert(Feature::Difference(terms.0, terms.1), difference);
            }
        }
    }
}

/// Which values of keys have the same text, each pair once, which begin with the text of another one, and which are the text of some item of a list beside them or of none. Quotation
/// marks around a text do not count.
///
/// A path begins with the folder that it is moved from, so that the beginning is asked for in both directions. Every text begins
/// with one that is empty.
///
/// Keys that are there twice are left out, because it is not known which of their values a program keeps.
fn equal(open: &[(&&Name, &Named<'_, '_>)], own: &mut Features) {
    let is_of_key = |name: &str| is_value(name) && !name.starts_with('<');
    let keyed: Vec<(&Name, &[u8])> = open
        .iter()
        .filter(|(name, all)| is_of_key(name) && all.parts.len() == 1)
        .map(|(name, all)| (**name, exact(all.parts[0].text)))
        .collect();
    for (at, (name, text)) in keyed.iter().enumerate() {
        for (other, its) in &keyed[at + 1..] {
            let shared = || Feature::Shared((*name).to_owned(), (*other).to_owned());
            own.answer(shared, text == its, false);
            for ((one, text), (other, its)) in
                [((name, text), (other, its)), ((other, its), (name, text))]
            {
                let begins = || Feature::BeginsWith((*one).to_owned(), (*other).to_owned());
                own.answer(begins, text.starts_with(its), false);
            }
        }
        for (list, all) in open.iter().filter(|(list, _)| list.starts_with(ITEMS_IN)) {
            let pair = || ((*name).to_owned(), (**list).to_owned());
            let is_there = all.parts.iter().any(|part| exact(part.text) == *text);
            own.answer(|| Feature::Shared(pair().0, pair().1), is_there, false);
            own.answer(|| Feature::Missing(pair().0, pair().1), !is_there, false);
        }
    }
}
