//! Features of the parts of one name: how many there are, how long and how great they are, and which are equal.
//!
//! A name that is a text has a count and a run only, because all its parts are the same.

use super::outline::{Named, core};
use super::words::exact;
use super::{Feature, Features, characters, number, only_number, quoted};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{Term, is_typed_value, is_value};

/// Numbers that a count may be a multiple of: two to four, because pairs, triples and quadruples occur in
/// formats and each more is a feature for every name.
const COUNT_DIVISORS: [i128; 3] = [2, 3, 4];
/// Numbers that a value or a length may be a multiple of: small ones, 10 and 100, and those of
/// alignments, because each is a feature for every name.
const VALUE_DIVISORS: [i128; 8] = [2, 3, 4, 5, 8, 10, 16, 100];

/// What the name of lines with a certain word at their beginning begins with.
const LINE_BEGINNING: &str = "<line> that begins with ";

/// Features of the parts of one name.
///
/// For a name that is a text of the grammar: how often it is there, and how often in a row. For
/// others: lengths, values, order and equality too. Sums only if all of the parts are numbers.
pub(super) fn of_one(name: &Name, Named { is_fixed, parts }: &Named<'_, '_>, found: &mut Features) {
    let own = || name.to_owned();
    let count = parts.len() as i128;
    found.insert(Feature::Count(own()), count);
    // Those of one kind of token are multiples of what all values of the key are.
    let has_multiples = !is_typed_value(name);
    if has_multiples {
        multiples(Term::Count(own()), count, &COUNT_DIVISORS, found);
    }
    if parts.is_empty() {
        return;
    }
    if *is_fixed {
        let follows = |pair: &[&super::outline::Part<'_>]| pair[0].leaf + 1 == pair[1].leaf;
        let (mut run, mut longest) = (1, 1);
        for pair in parts.windows(2) {
            run = if follows(pair) { run + 1 } else { 1 };
            longest = longest.max(run);
        }
        found.insert(Feature::Run(own()), longest);
        // Lines that begin with a word may be equal or not.
        if name.starts_with(LINE_BEGINNING) {
            let mut texts: Vec<&[u8]> = parts.iter().map(|part| part.text).collect();
            texts.sort_unstable();
            let has_twins = texts.windows(2).any(|two| two[0] == two[1]);
            found.answer(|| Feature::Twins(own()), has_twins, false);
        }
        return;
    }
    let texts: Vec<&[u8]> = parts.iter().map(|part| part.text).collect();
    let lengths = texts.iter().map(|text| characters(quoted(text).unwrap_or(text)));
    let lengths: Vec<i128> = lengths.collect();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    found.insert(Feature::Value(Term::Longest(own())), longest);
    let length = match quoted(texts[0]) {
        Some(_) => Term::InnerLength(own()),
        None => Term::Length(own()),
    };
    if has_multiples {
        multiples(length.clone(), lengths[0], &VALUE_DIVISORS, found);
    }
    found.insert(Feature::Value(length), lengths[0]);
    found.answer(|| Feature::Empty(own()), texts.contains(&&b""[..]), false);
    found.answer(|| Feature::NonAscii(own()), texts.iter().any(|text| !text.is_ascii()), false);
    found.insert(Feature::Value(Term::Widest(own())), widest(&texts));
    of_texts(name, &texts, found);
    let is_number = |text: &[u8]| {
        text.iter().any(u8::is_ascii_digit)
            && text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
    };
    let is_negative =
        texts.iter().any(|text| exact(text).strip_prefix(b"-").is_some_and(is_number));
    found.answer(|| Feature::Negative(own()), is_negative, false);
    of_decimals(name, texts.iter().copied(), found);
    let numbers: Vec<i128> = texts.iter().filter_map(|text| number(text)).collect();
    if let Some(first) = only_number(parts[0]) {
        if has_multiples {
            multiples(Term::First(own()), first, &VALUE_DIVISORS, found);
        }
        found.insert(Feature::Value(Term::First(own())), first);
    }
    let mut value = |term: Term, value: i128| found.insert(Feature::Value(term), value);
    if let (Some(greatest), Some(least)) = (numbers.iter().max(), numbers.iter().min()) {
        value(Term::Greatest(own()), *greatest);
        value(Term::Least(own()), *least);
    }
    if numbers.len() < texts.len() {
        return;
    }
    let sum = numbers.iter().fold(0i128, |sum, one| sum.saturating_add(*one));
    value(Term::Sum(own()), sum);
    if let Some((feature, value)) = of_total(name, &numbers) {
        found.insert(feature, value);
    }
    let mut value = |term: Term, value: i128| found.insert(Feature::Value(term), value);
    if let [first, second, ..] = numbers[..] {
        value(Term::Second(own()), second);
        value(Term::Product(own()), first.saturating_mul(second));
        let (one, other) = (Term::First(own()), Term::Second(own()));
        found.insert(Feature::Difference(one, other), first.saturating_sub(second));
    }
}

/// By how much the last of several numbers is greater than the sum of those before it, which it may be the total of.
pub(super) fn of_total(name: &Name, numbers: &[i128]) -> Option<(Feature, i128)> {
    let (last, before) = numbers.split_last().filter(|(_, before)| !before.is_empty())?;
    let sum = before.iter().fold(0i128, |sum, one| sum.saturating_add(*one));
    let terms = (Term::Last(name.to_owned()), Term::SumBefore(name.to_owned()));
    Some((Feature::Difference(terms.0, terms.1), last.saturating_sub(sum)))
}

/// Which of the texts are equal, which begin with another one, and whether they are in order.
///
/// Numbers are compared by their values, other texts by their bytes, both without their quotation
/// marks. Values that are lists or objects are left out: a program that compares values compares texts and numbers.
pub(super) fn of_texts(name: &Name, texts: &[&[u8]], found: &mut Features) {
    let own = || name.to_owned();
    let is_single =
        |text: &&&[u8]| !(is_value(name) && text.first().is_some_and(|byte| b"[{".contains(byte)));
    let texts = texts.iter().filter(is_single);
    let texts: Vec<&[u8]> = texts.map(|text| quoted(text).unwrap_or(text)).collect();
    let numbers: Vec<i128> = texts.iter().filter_map(|text| number(text)).collect();
    let is_unsorted = match numbers.len() == texts.len() {
        true => numbers.windows(2).any(|pair| pair[0] > pair[1]),
        false => texts.windows(2).any(|pair| pair[0] > pair[1]),
    };
    found.answer(|| Feature::Unsorted(own()), is_unsorted, false);
    if let Some(rise) = rise(&texts) {
        found.insert(Feature::Rise(own()), rise);
    }
    let mut sorted: Vec<&[u8]> = texts.clone();
    sorted.sort_unstable();
    // A text that begins with others comes after them, right after one of them.
    let begins = |two: &[&[u8]]| two[1].len() > two[0].len() && two[1].starts_with(two[0]);
    if texts.len() > 1 {
        found.answer(|| Feature::Begins(own()), sorted.windows(2).any(begins), false);
    }
    let longest = |texts: &[&[u8]]| -> i128 {
        texts.chunk_by(|one, other| one == other).map(<[_]>::len).max().unwrap_or(0) as i128
    };
    let (alike, in_row) = (longest(&sorted), longest(&texts));
    found.answer(|| Feature::Twins(own()), alike > 1, false);
    found.answer(|| Feature::Repeated(own()), in_row > 1, false);
    found.insert(Feature::Alike(own()), alike);
    found.insert(Feature::AlikeInRow(own()), in_row);
    let has_equal_ends = texts.len() > 1 && texts.first() == texts.last();
    found.answer(|| Feature::Ends(own()), has_equal_ends, false);
}

/// By how much a number is greater than the one before it at most.
///
/// Texts of one repeated character are as great as they are long, so `##` before a heading is 2. Nothing for other texts,
/// and for fewer than two.
fn rise(texts: &[&[u8]]) -> Option<i128> {
    let size = |text: &&[u8]| {
        let is_run = |text: &[u8]| text.iter().all(|byte| *byte == text[0]);
        let is_mark = |byte: &u8| byte.is_ascii_punctuation() || *byte == b' ';
        let run = text.first().is_some_and(is_mark) && is_run(text);
        number(text).or_else(|| run.then_some(text.len() as i128))
    };
    let sizes: Option<Vec<i128>> = texts.iter().map(size).collect();
    sizes?.windows(2).map(|two| two[1].saturating_sub(two[0])).max()
}

/// How many bytes of UTF-8 the widest character of some texts takes: 1 if there is none. A byte that is no UTF-8 counts
/// as 1.
pub(super) fn widest(texts: &[&[u8]]) -> i128 {
    let of_first = |byte: &u8| match byte {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    texts.iter().flat_map(|text| text.iter().map(of_first)).max().unwrap_or(1)
}

/// One feature for each divisor: 1 or 0.
///
/// A count of nothing is a multiple of all.
fn multiples(term: Term, value: i128, of: &[i128], found: &mut Features) {
    for &one in of {
        found.insert(Feature::Multiple(term.clone(), one), i128::from(value % one == 0));
    }
}

/// How many decimals the number has that has most: as it is written, and as a floating-point number of 64 bits, which is all
/// that a program sees that has read it as one.
pub(super) fn of_decimals<'t>(
    name: &Name,
    texts: impl Iterator<Item = &'t [u8]> + Clone,
    found: &mut Features,
) {
    let value = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<f64>().ok();
    let exact = |text: &[u8]| decimals(value(text)?.to_string().as_bytes());
    if let Some(most) = texts.clone().filter_map(decimals).max() {
        found.insert(Feature::Value(Term::Decimals(name.to_owned())), most);
        let exact = texts.filter_map(exact).max().unwrap_or(0);
        found.insert(Feature::Value(Term::Precision(name.to_owned())), exact);
    }
}

/// How many digits a number has after its point; nothing for a text that is no decimal number.
///
/// A number with an exponent is none, because its digits do not say how exact it is.
pub(super) fn decimals(text: &[u8]) -> Option<i128> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_of_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    match digits.iter().position(|byte| *byte == b'.') {
        // Many languages have `.5`.
        Some(point)
            if (point == 0 || is_of_digits(&digits[..point]))
                && is_of_digits(&digits[point + 1..]) =>
        {
            Some((digits.len() - point - 1) as i128)
        }
        None if is_of_digits(digits) => Some(0),
        _ => None,
    }
}

/// The letters and digits of short texts, by which names are compared.
///
/// Each once, sorted. Texts without a letter or digit are left out.
pub(super) fn cores<'t>(
    texts: impl Iterator<Item = &'t [u8]>,
) -> std::collections::BTreeSet<&'t [u8]> {
    texts.map(core).filter(|core| !core.is_empty()).collect()
}
