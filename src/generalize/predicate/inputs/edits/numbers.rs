//! Edits that give an input another number, or another length to one of its tokens.

use std::ops::Range;

use seedsmith_grammar::{NodeId, NodeKind, Random};

use super::{any, field, of_kind, replaced};
use crate::generalize::bytes::cut::stretches;
use crate::generalize::pattern::{self, Subject};
use crate::generalize::predicate::inputs::alphabet::before_zeros;
use crate::generalize::predicate::read::{characters, core, number};

/// Letters that a token gets more at most, because each longer input takes longer to read. Not measured.
const MAX_LETTERS_MORE: usize = 256;

/// Where the numbers of an input are.
fn numbers(base: &Subject) -> Vec<Range<usize>> {
    stretches(&base.input, |byte| byte.is_ascii_digit())
}

/// One of some places.
fn one_of(places: &[Range<usize>], dice: &mut Random) -> Option<Range<usize>> {
    places.get(dice.below(places.len().max(1))).cloned()
}

/// The input with another number somewhere: near the old one, or one that means something.
///
/// Neighbours, halves and doubles, powers of two, small numbers, the sum of the other numbers,
/// another number, and lengths and counts of parts and of what follows a mark: a number that counts something in the input is
/// met that way. Or the same number with a zero before it, which some programs take for another one.
pub(in crate::generalize::predicate::inputs) fn other_number(
    base: &Subject,
    dice: &mut Random,
) -> Option<Vec<u8>> {
    let numbers = numbers(base);
    let value = |span: &Range<usize>| number(&base.input[span.clone()]);
    let at = one_of(&numbers, dice)?;
    let old = value(&at)?;
    let others = || numbers.iter().filter(|other| **other != at).filter_map(value);
    let new = match dice.below(17) {
        16 => return Some(replaced(base, at.start..at.start, b"0")),
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1).max(0),
        2 => old / 2,
        3 => old.saturating_mul(2),
        4 => {
            let step = 1i128 << dice.below(2 + (128 - old.leading_zeros() as usize));
            if dice.below(2) == 0 { old.saturating_add(step) } else { (old - step).max(0) }
        }
        5 => dice.below(16) as i128,
        6 => others().fold(0i128, i128::saturating_add),
        7 => {
            let others: Vec<i128> = others().collect();
            *others.get(dice.below(others.len().max(1)))?
        }
        8..=10 => {
            let node = any(base, dice, |_| true)?;
            let text = base.text(node);
            let text = if dice.below(2) == 0 { core(text) } else { text };
            characters(text)
        }
        11..=12 => characters(field(&base.input, dice)?),
        _ => {
            let node = any(base, dice, |_| true)?;
            let kind = base.tree.node(node).kind;
            let same = |id: &NodeId| of_kind(base.tree.node(*id).kind, kind);
            let count = base.tree.ids().filter(same).count() as i128;
            // A list often has a head, or a mark less than parts.
            if dice.below(3) == 0 { count - 1 } else { count }
        }
    };
    Some(replaced(base, at.clone(), written(new, &at, &base.input).as_bytes()))
}

/// A number as it is written at a place of an input: with zeros before it up to the width of the place, if some number after the same
/// character has such, as those of dates and times have.
fn written(number: i128, at: &Range<usize>, input: &[u8]) -> String {
    let width = at.len();
    match has_zeros(at, input) {
        true => format!("{number:0width$}"),
        false => number.to_string(),
    }
}

/// Whether a number after the character before a place has zeros before it.
fn has_zeros(at: &Range<usize>, input: &[u8]) -> bool {
    before_zeros(input).contains(&at.start.checked_sub(1).map(|before| input[before]))
}

/// The input with one of its numbers replaced by another one, its sign too.
pub(in crate::generalize::predicate::inputs) fn with_number(
    base: &Subject,
    number: i128,
    dice: &mut Random,
) -> Option<Vec<u8>> {
    let at = one_of(&numbers(base), dice)?;
    if has_zeros(&at, &base.input) && number >= 0 {
        let text = written(number, &at, &base.input);
        return Some(replaced(base, at, text.as_bytes()));
    }
    let has_sign = base.input[..at.start].ends_with(b"-");
    Some(replaced(base, at.start - usize::from(has_sign)..at.end, number.to_string().as_bytes()))
}

/// The input with one of its numbers greater by a number, which may be negative; nothing if the sum would be.
fn with_shifted_number(base: &Subject, by: i128, dice: &mut Random) -> Option<Vec<u8>> {
    let at = one_of(&numbers(base), dice)?;
    let new = number(&base.input[at.clone()])?.checked_add(by).filter(|new| *new >= 0)?;
    Some(replaced(base, at.clone(), written(new, &at, &base.input).as_bytes()))
}

/// The same with a number that is greater or smaller by that much: either of two may be the one that is compared.
pub(in crate::generalize::predicate::inputs) fn with_number_shifted_either_way(
    base: &Subject,
    by: i128,
    dice: &mut Random,
) -> Option<Vec<u8>> {
    let by = if dice.below(2) == 0 { by } else { by.saturating_neg() };
    with_shifted_number(base, by, dice)
}

/// The input with one of its tokens longer or shorter by that many characters; nothing if it is too short.
///
/// Marks around the text of a token, such as quotation marks, stay.
pub(in crate::generalize::predicate::inputs) fn with_other_length(
    base: &Subject,
    by: i128,
    dice: &mut Random,
) -> Option<Vec<u8>> {
    let node = any(base, dice, |kind| matches!(kind, NodeKind::Token(_)))?;
    let (span, text) = (base.tree.span(node), base.text(node));
    let (start, end) = pattern::core(text);
    let (at, more) = (span.start + end, usize::try_from(by.unsigned_abs()).ok()?);
    if by < 0 {
        let is_long = end - start >= more && text.is_ascii();
        return is_long.then(|| replaced(base, at - more..at, b""));
    }
    let letter = text[start..end].last().copied().filter(u8::is_ascii_alphanumeric);
    let is_short = more <= MAX_LETTERS_MORE;
    is_short.then(|| replaced(base, at..at, &vec![letter.unwrap_or(b'a'); more]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::generalize::predicate::plain;
    use crate::generalize::subjects::in_language;

    /// What an edit makes of a text without a grammar with different dice.
    fn made(
        text: &str,
        edit: impl Fn(&Subject, &mut Random) -> Option<Vec<u8>>,
    ) -> BTreeSet<String> {
        let language = plain::language().unwrap();
        let base = in_language(&language, text.as_bytes()).unwrap();
        let all = (0..400).filter_map(|seed| edit(&base, &mut Random::new(seed)));
        all.map(|input| String::from_utf8(input).unwrap()).collect()
    }

    #[test]
    fn a_number_is_shifted_by_as_much_as_is_asked_for_and_never_below_0() {
        let shifted = |by| made("4 7*13", |base, dice| with_shifted_number(base, by, dice));
        let wanted = |all: [&str; 3]| BTreeSet::from(all.map(str::to_owned));
        assert_eq!(shifted(-2), wanted(["2 7*13", "4 5*13", "4 7*11"]));
        assert_eq!(shifted(-10), BTreeSet::from(["4 7*3".to_owned()]));
        assert_eq!(shifted(i128::MAX), BTreeSet::new());
    }

    #[test]
    fn a_word_gets_as_many_letters_more_or_fewer_as_are_asked_for() {
        let of = |by| made("ab cde", |base, dice| with_other_length(base, by, dice));
        assert!(of(2).contains("abbb cde") && of(2).contains("ab cdeee"));
        assert!(of(-3).contains("ab "));
        let lengths = |by| of(by).iter().map(String::len).collect::<BTreeSet<_>>();
        assert_eq!(lengths(4), BTreeSet::from([10]));
        assert_eq!(of(1 << 40), BTreeSet::new());
    }

    #[test]
    fn a_number_may_get_a_zero_before_it() {
        assert!(made("4 7", other_number).contains("4 07"));
    }
}
