//! Which features of a rule are kept under which of its names, and by which words rules of one name differ.

use crate::generalize::predicate::feature::{CHARACTER, Feature, WORD};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::kinds::is_of_decimals;
use crate::generalize::predicate::read::names::is_token;
use crate::generalize::predicate::read::outline::{Named, Names};
use crate::generalize::predicate::read::without_grammar::NAME_BEFORE;
use crate::generalize::predicate::term::{
    AFTER, FIELD, ITEMS_IN, KEY, MEMBER, NEIGHBOURING, THAT_BEGINS, Term, is_of_key,
    is_typed_value, is_value,
};

/// Words of a rule by which it differs from others of its name, because each doubles its features. Not measured.
const MAX_TELLING_WORDS: usize = 3;
/// The same for numbers by their marks and their decimals: six, because a number rarely has more decimals, and each number of them may be in one line.
const MAX_TELLING_DECIMALS: usize = 6;

/// Whether it is a question that is answered with no: an absent feature is the same answer, and most answers are no.
pub(super) fn is_no(feature: &Feature, value: i128) -> bool {
    value == 0 && feature.is_question()
}

/// Whether it matters that each rule has it: whether something is there, and whether a number is a multiple of two.
pub(super) fn is_of_each(feature: &Feature) -> bool {
    match feature {
        Feature::Multiple(Term::Count(name), _) | Feature::Count(name) => name.starts_with('"'),
        _ => false,
    }
}

/// Whether it is a feature of rules with a word, besides that of all rules of the name.
///
/// Sizes and what is there: how parts compare with each other is said of all rules of the name alone.
pub(super) fn is_of_told(feature: &Feature) -> bool {
    match feature {
        Feature::Difference(_, than) => is_compared_in_kinds(than),
        Feature::Value(_) => true,
        Feature::NonAscii(_) | Feature::Empty(_) | Feature::Negative(_) => true,
        Feature::Shared(..) | Feature::Missing(..) | Feature::BeginsWith(..) => true,
        Feature::Before(..) | Feature::MissingBefore(..) | Feature::InOrder(..) => true,
        Feature::Unequal(name, child) => {
            [CHARACTER, WORD].contains(&&**child) || name.starts_with(NEIGHBOURING)
        }
        Feature::Count(name) => is_telling(name) || is_token(name),
        Feature::Twins(name) => {
            let listed = [FIELD, ITEMS_IN, NAME_BEFORE, KEY, MEMBER];
            let is_listed = listed.iter().any(|listed| name.starts_with(listed));
            is_value(name) || is_listed || name.contains(THAT_BEGINS) || name.contains(AFTER)
        }
        _ => false,
    }
}

/// The same of the first and of the last rule of a name, which are two of many: how their parts compare with each other too.
///
/// So the head of a table may have two equal names, whatever its rows have.
pub(super) fn is_of_place_told(feature: &Feature) -> bool {
    let has_equals = matches!(feature, Feature::Twins(_) | Feature::Unsorted(_));
    has_equals || is_of_told(feature)
}

/// Whether numbers of a rule with a word are compared with another one: with numbers, and with what keys have.
///
/// Of all rules of a name they are compared with the counts and the lengths of all names. A condition that is about one with a word
/// too is of two features of one part.
fn is_compared_in_kinds(than: &Term) -> bool {
    match than {
        Term::Count(name) | Term::Length(name) | Term::InnerLength(name) => is_of_key(name),
        _ => true,
    }
}

/// Whether a text or a kind of token is in some rules of a name and not in others: words and operators are, commas and
/// brackets are in all of them.
pub(super) fn is_telling(name: &str) -> bool {
    let is_mark_of_lists =
        |name: &str| name.contains(['(', ')', '[', ']', '{', '}', ',', ';', ':', '=', '\\']);
    !is_typed_value(name) && (name.contains(char::is_alphabetic) || !is_mark_of_lists(name))
}

/// The names by which a rule differs from others of its name: words and kinds of tokens, then tokens, each in order.
pub(super) fn telling_words<'o>(named: &Names<'o, '_>) -> Vec<&'o Name> {
    let is_told = |name: &str, all: &Named<'_, '_>| {
        if all.is_fixed { is_telling(name) } else { is_token(name) }
    };
    let words = named.iter().filter(|(name, all)| is_told(name, all));
    // A number of decimals is in few rules, wherever it is in them, and so is one with a sign.
    let is_of_number =
        |name: &str| is_of_decimals(name) || name.starts_with('<') && name.ends_with(" with \"-\"");
    let words = words.filter_map(|(name, all)| {
        Some((!is_of_number(name), !all.is_fixed, all.parts.first()?.start, *name))
    });
    let mut words: Vec<(bool, bool, u32, &Name)> = words.collect();
    words.sort_unstable();
    // Numbers of one line may have several numbers of decimals, and any of these may be the one that matters.
    let decimals = words.iter().take_while(|(is_other, ..)| !is_other).count();
    let others = words.split_off(decimals);
    words.truncate(MAX_TELLING_DECIMALS);
    let rest = MAX_TELLING_WORDS.saturating_sub(words.len());
    words.extend(others.into_iter().take(rest));
    words.into_iter().map(|(.., name)| name).collect()
}
