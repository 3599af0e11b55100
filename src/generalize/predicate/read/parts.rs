//! The features of each part alone, so that a condition can say several things of one and the same part.
//!
//! Parts are rules with the features of what is in them, and tokens with their kinds and sizes. A part has several names,
//! as a rule has: `<object>`, `items in "users"`. Features that a part does not have are not stored, so that an input of
//! 40 bytes has some hundred numbers more.

use crate::generalize::predicate::name::Name;
use std::collections::BTreeMap;

use super::Features;
use super::one::{decimals, of_decimals};
use super::outline::{Item, Outline, Part as OfInput};
use super::wanted::Wanted;
use super::without_grammar::{DECIMAL, is_numbered_field};
use super::{characters, only_number, quoted};
use crate::generalize::bytes::cut::stretches;
use crate::generalize::predicate::feature::{Feature, Part};
use crate::generalize::predicate::term::{AFTER, ANY_NUMBER, BEFORE, Term, VALUE_OF};

/// Parts of a name that are read alone, a bound on the time because each has dozens of features.
const MAX_PARTS: usize = 128;

/// Marks between two numbers that are one pair: two, because `..` is usual.
const MAX_MARKS_BETWEEN: usize = 2;

/// A rule with the features of its parts, and more of them: the texts in it, each with its number, and the rules around it.
pub(super) fn rule((own, more): (&Features, &[(Feature, i128)]), wanted: &Wanted<'_>) -> Part {
    let told = own.iter().filter(|(feature, _)| is_told(feature));
    let all = told.chain(more.iter().map(|(feature, value)| (feature, value)));
    Part::of(all.filter(|(feature, _)| wanted.has_names_of(feature)))
}

/// Takes in a part under a name. Of a name the first `MAX_PARTS` are taken.
pub(super) fn add(name: &Name, part: Part, found: &mut Features) {
    if found.count_parts(name) < MAX_PARTS {
        found.add_part(name, part);
    }
}

/// Whether a feature of a rule's parts may be one of several.
///
/// Those that compare parts are reported alone, but for numbers: that one is greater than another one says little without the
/// kind of the rule.
fn is_told(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::Value(Term::First(_) | Term::Longest(_) | Term::Decimals(_) | Term::Precision(_))
            | Feature::Count(_)
            | Feature::Negative(_)
            | Feature::Empty(_)
            | Feature::NonAscii(_)
            | Feature::Difference(
                _,
                Term::First(_)
                    | Term::Second(_)
                    | Term::Count(_)
                    | Term::SumBefore(_)
                    | Term::Length(_)
                    | Term::InnerLength(_)
            )
            | Feature::Shared(..)
            | Feature::Missing(..)
            | Feature::Twins(_)
            | Feature::Begins(_)
            | Feature::BeginsWith(..)
            | Feature::Unsorted(_)
            | Feature::Before(..)
    )
}

/// Whether a name is of numbers by the text before or after them: `<NUMBER> after "#"`.
fn is_number_beside(name: &str) -> bool {
    let place = name.strip_prefix("<NUMBER>");
    place.is_some_and(|place| place.starts_with(AFTER) || place.starts_with(BEFORE))
}

/// Takes in the tokens with many texts and the values of keys, each with its size and its kinds, and with whether its length or
/// its number is even.
///
/// A kind is another name of the token, such as `<NUMBER> with "."`.
///
/// Where there is no grammar a number with a sign or a point is of several tokens, and a field of a record is of any number of them; both
/// are read in the same way, so that one number can be negative and have three decimals.
pub(super) fn of_tokens(outline: &Outline<'_>, wanted: &Wanted<'_>, found: &mut Features) {
    let span = |part: &OfInput<'_>| (part.start, part.text.len());
    let mut kinds: BTreeMap<(u32, usize), Vec<&Item<'_>>> = BTreeMap::new();
    for item in outline.items.iter().chain(&outline.affixed) {
        kinds.entry(span(&item.part)).or_default().push(item);
    }
    let is_list = |part: &OfInput<'_>| part.text.first().is_some_and(|byte| b"[{(<".contains(byte));
    let is_value =
        |item: &Item<'_>| item.name.starts_with(VALUE_OF) && !item.is_fixed && !is_list(&item.part);
    let is_told = |item: &&Item<'_>| {
        outline.is_of_token(item)
            || is_value(item)
            || item.name == DECIMAL
            || is_number_beside(&item.name)
            || item.name == ANY_NUMBER
            || is_numbered_field(&item.name)
    };
    for item in outline.items.iter().filter(is_told) {
        if !wanted.has(&item.name) || found.count_parts(&item.name) >= MAX_PARTS {
            continue;
        }
        let name = || item.name.clone();
        let text = item.part.text;
        let mut own = Features::new();
        let is_kind = |kind: &str| {
            kind.strip_prefix(&*item.name)
                .is_some_and(|rest| rest.starts_with(' ') && !rest.starts_with(" in "))
        };
        let kinds = kinds.get(&span(&item.part)).into_iter().flatten();
        for kind in kinds.filter(|kind| is_kind(&kind.name)) {
            own.insert(Feature::Count(kind.name.clone()), 1);
        }
        let inner = quoted(text).unwrap_or(text);
        let length = characters(inner);
        own.insert(Feature::Value(Term::Longest(name())), length);
        let is_even = |number: i128| i128::from(number % 2 == 0);
        own.insert(Feature::Multiple(Term::Longest(name()), 2), is_even(length));
        own.insert(Feature::NonAscii(name()), i128::from(!text.is_ascii()));
        if let Some(number) = only_number(&item.part) {
            own.insert(Feature::Value(Term::First(name())), number);
            own.insert(Feature::Multiple(Term::First(name()), 2), is_even(number));
        }
        if let [pair] = &pairs(text)[..] {
            own.extend(of_pair(pair));
        }
        if decimals(text).is_some() {
            own.insert(Feature::Negative(name()), i128::from(text.starts_with(b"-")));
            of_decimals(&name(), [text].into_iter(), &mut own);
        }
        found.add_part(&item.name, Part::of(own.iter()));
    }
}

/// Takes in two numbers with one or two marks and nothing else between them: `7..3`, `10:99`. Where there is no grammar no
/// rule has them, else they are in one token: `bytes=500-999`.
pub(super) fn of_pairs(outline: &Outline<'_>, found: &mut Features) {
    let tokens = outline.leaves.iter().filter(|leaf| !leaf.is_fixed).map(|leaf| leaf.text);
    let texts: Vec<&[u8]> = if outline.is_plain { vec![outline.input] } else { tokens.collect() };
    for (first, marks, second) in texts.into_iter().flat_map(pairs) {
        let name = Name::from(format!("<pair> around {marks:?}"));
        if found.count_parts(&name) >= MAX_PARTS {
            continue;
        }
        let own = of_pair(&(first, marks, second));
        found.add_part(&name, Part::of(own.iter().map(|(feature, value)| (feature, value))));
    }
}

/// Both numbers of a pair, and by how much the first is greater.
fn of_pair((first, _, second): &(i128, &str, i128)) -> [(Feature, i128); 3] {
    let [one, other] = [Term::First, Term::Second].map(|term| term("number".into()));
    [
        (Feature::Value(one.clone()), *first),
        (Feature::Value(other.clone()), *second),
        (Feature::Difference(one, other), first.saturating_sub(*second)),
    ]
}

/// The pairs of numbers of a text that have one or two marks between them, with these.
///
/// Three numbers with marks between them are two pairs.
fn pairs(text: &[u8]) -> Vec<(i128, &str, i128)> {
    let numbers = stretches(text, |byte| byte.is_ascii_digit());
    let pairs = numbers.windows(2).filter_map(|two| {
        let marks = &text[two[0].end..two[1].start];
        let is_of_marks =
            marks.len() <= MAX_MARKS_BETWEEN && marks.iter().all(u8::is_ascii_punctuation);
        let marks = std::str::from_utf8(marks).ok().filter(|_| is_of_marks)?;
        let [first, second] = [0, 1].map(|at| super::number(&text[two[at].clone()]));
        Some((first?, marks, second?))
    });
    pairs.collect()
}
