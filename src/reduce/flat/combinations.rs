//! Removes fragments that only go together, however far apart: the same line or token everywhere,
//! a token here and the next one like it.
//!
//! A declaration and its uses, a flag that is set and cleared, two equal records: each alone is
//! needed because of the other.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::UnitKind;
use seedsmith_grammar::internal::is_word;
use seedsmith_grammar::internal::split;

/// Deletes a line everywhere it occurs, or two occurrences after each other.
///
/// Such as a flag that is set and cleared, which cannot go alone. Cost: at most 256 tests for whole
/// texts and 512 for neighbours.
pub(crate) static EQUAL_LINES: Reducer = Reducer {
    name: Cow::Borrowed("equal-lines"),
    description: Cow::Borrowed(
        "deletes a line everywhere it occurs, or two occurrences after each other",
    ),
    activity: "deleting lines",
    needs: &[Need::Lines],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| drop_together(search, UnitKind::Lines)),
};

/// Deletes a token everywhere it occurs, or two occurrences after each other.
///
/// Such as a name and its declaration. Cost: as [`EQUAL_LINES`].
pub(crate) static EQUAL_TOKENS: Reducer = Reducer {
    name: Cow::Borrowed("equal-tokens"),
    description: Cow::Borrowed(
        "deletes a token everywhere it occurs, or two occurrences after each other",
    ),
    activity: "deleting tokens",
    needs: &[Need::Tokens],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| drop_together(search, UnitKind::Tokens)),
};

/// Deletes a byte everywhere it occurs, or two occurrences after each other.
///
/// Such as brackets of one kind. Cost: as [`EQUAL_LINES`].
pub(crate) static EQUAL_BYTES: Reducer = Reducer {
    name: Cow::Borrowed("equal-bytes"),
    description: Cow::Borrowed(
        "deletes a byte everywhere it occurs, or two occurrences after each other",
    ),
    activity: "deleting bytes",
    needs: &[Need::Bytes],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| drop_together(search, UnitKind::Bytes)),
};

/// Shortens a name at all places where it occurs.
///
/// A name becomes its first or last bytes: one, two, three, half of them, all but one. Cost: at most
/// ten tests a name.
pub(crate) static NAMES: Reducer = Reducer {
    name: Cow::Borrowed("names"),
    description: Cow::Borrowed("shortens a name at all places where it occurs"),
    activity: "deleting tokens",
    needs: &[Need::Pairs, Need::Bytes],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| shorten_together(search)),
};

/// Deletes any two lines, within the budget for polishing.
///
/// Only if there are few lines: `n` units have `n²/2` pairs. Cost: at most that, and at most the
/// budget for polishing.
pub(crate) static TWO_LINES: Reducer = Reducer {
    name: Cow::Borrowed("two-lines"),
    description: Cow::Borrowed("deletes any two lines, within what polishing may cost"),
    activity: "replacing bytes",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: HERE,
    function: Function::Flat(|search, context| {
        context.polish(search, |search, polisher| {
            drop_any_two(search, UnitKind::Lines, &mut polisher.allowance)
        })
    }),
};

/// Deletes any two tokens, within the budget for polishing.
///
/// Cost: as [`TWO_LINES`].
pub(crate) static TWO_TOKENS: Reducer = Reducer {
    name: Cow::Borrowed("two-tokens"),
    description: Cow::Borrowed("deletes any two tokens, within what polishing may cost"),
    activity: "replacing bytes",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: HERE,
    function: Function::Flat(|search, context| {
        context.polish(search, |search, polisher| {
            drop_any_two(search, UnitKind::Tokens, &mut polisher.allowance)
        })
    }),
};

/// Deletes any tokens of six that are side by side, within the budget for polishing.
///
/// The first of the six is always deleted, with two others or more; fewer are tried by
/// [`TWO_TOKENS`]. Cost: at most 26 tests for each token, and at most the budget for polishing.
pub(crate) static NEARBY_TOKENS: Reducer = Reducer {
    name: Cow::Borrowed("nearby-tokens"),
    description: Cow::Borrowed(
        "deletes any tokens of six that are side by side, within what polishing may cost",
    ),
    activity: "replacing bytes",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: "Xu et al., Vulcan, OOPSLA 2023: local exploration",
    function: Function::Flat(|search, context| {
        context.polish(search, |search, polisher| {
            drop_any_nearby(search, UnitKind::Tokens, &mut polisher.allowance)
        })
    }),
};

/// Different texts that are looked at, those that cover most first: it bounds the tests at 256 and
/// as many pairs of neighbours again. A guess; not measured.
const MAX_REPEATED_TEXTS: usize = 256;

/// Inputs longer than this are not read for names: lines and tokens have been deleted by then, or
/// the input is long for another reason than names. A guess; not measured.
const MAX_NAMES_BYTES: usize = 1 << 16;

/// The spans of each text that occurs more than once, those that cover most first.
fn repeated(bytes: &[u8], format: UnitKind) -> Vec<Vec<Range<usize>>> {
    let units = split(bytes, format);
    let mut by_text: BTreeMap<&[u8], Vec<Range<usize>>> = BTreeMap::new();
    for index in 0..units.len() {
        let span = units.span(index..index + 1);
        by_text.entry(&bytes[span.clone()]).or_default().push(span);
    }
    let mut groups: Vec<_> = by_text.into_values().filter(|spans| spans.len() > 1).collect();
    groups.sort_by_key(|spans| std::cmp::Reverse(spans.len() * spans[0].len()));
    groups.truncate(MAX_REPEATED_TEXTS);
    groups
}

/// Removes all that have one text, or two neighbours among them. Cost: at most 256 tests and as
/// many again as there are neighbours.
pub(crate) fn drop_together(search: &mut Search<'_, '_>, format: UnitKind) -> Result<(), Stopped> {
    loop {
        let base = search.best().to_vec();
        let groups = repeated(&base, format);
        let everywhere = groups.iter().map(|spans| spans.as_slice());
        let neighbours = groups.iter().filter(|spans| spans.len() > 2);
        let neighbours = neighbours.flat_map(|spans| spans.windows(2)).take(2 * MAX_REPEATED_TEXTS);
        let mut stream = everywhere.chain(neighbours);
        let accepted = search.first(|buffer| {
            edit::without(&base, stream.next()?, buffer);
            Some(())
        })?;
        if accepted.is_none() {
            return Ok(());
        }
    }
}

/// Shortens names that occur at several places, at all of them: to their first bytes, or their
/// last. Cost: at most ten tests a name.
pub(crate) fn shorten_together(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    loop {
        let base = search.best().to_vec();
        if base.len() > MAX_NAMES_BYTES {
            return Ok(());
        }
        let mut groups = repeated(&base, UnitKind::Tokens);
        groups.retain(|spans| spans[0].len() > 1 && is_word(base[spans[0].start]));
        let mut stream = groups.iter().flat_map(|spans| {
            let length = spans[0].len();
            let mut kept = vec![1, 2, 3, length / 2, length - 1];
            kept.retain(|kept| *kept < length);
            kept.sort_unstable();
            kept.dedup();
            kept.into_iter().flat_map(move |kept| [(spans, kept, true), (spans, kept, false)])
        });
        let accepted = search.first(|buffer| {
            let (spans, kept, is_head) = stream.next()?;
            let cut = |span: &Range<usize>| {
                if is_head { span.start + kept..span.end } else { span.start..span.end - kept }
            };
            let cuts: Vec<Range<usize>> = spans.iter().map(cut).collect();
            edit::without(&base, &cuts, buffer);
            Some(())
        })?;
        if accepted.is_none() {
            return Ok(());
        }
    }
}

/// More units than this are not tried together: 96 units are 4,560 pairs, about half of the least that
/// polishing may cost.
const MAX_COMBINED_UNITS: usize = 96;

/// Removes any two units, within the allowance. Cost: at most `n²/2` tests; none where there are
/// many units. Whether two went.
pub(crate) fn drop_any_two(
    search: &mut Search<'_, '_>,
    format: UnitKind,
    allowance: &mut Allowance,
) -> Result<bool, Stopped> {
    drop_first_of(search, format, allowance, |count| {
        (0..count).flat_map(move |left| (left + 1..count).map(move |right| vec![left, right]))
    })
}

/// Units that are looked at together: 32 choices of them each time. Six, as the note of 2026-11-21
/// on tree reducers has it.
const NEARBY_UNITS: usize = 6;

/// Removes any units of a few that are side by side, within the allowance: Vulcan's local
/// exploration (OOPSLA 2023). Cost: at most `32·n` tests; none where there are many units. Whether
/// some went.
pub(crate) fn drop_any_nearby(
    search: &mut Search<'_, '_>,
    format: UnitKind,
    allowance: &mut Allowance,
) -> Result<bool, Stopped> {
    // The first of the window always goes, with at least two others: less is tried elsewhere.
    let choices = (0..1_u32 << (NEARBY_UNITS - 1)).filter(|choice| choice.count_ones() >= 2);
    let sets = choices.map(|choice| {
        let others = (1..NEARBY_UNITS).filter(|other| choice >> (other - 1) & 1 == 1);
        std::iter::once(0).chain(others).collect::<Vec<usize>>()
    });
    let sets: Vec<Vec<usize>> = sets.collect();
    drop_first_of(search, format, allowance, |count| {
        let moved = (0..count).flat_map(|first| {
            sets.iter().map(move |set| set.iter().map(|at| first + at).collect::<Vec<usize>>())
        });
        moved.filter(move |set| set[set.len() - 1] < count)
    })
}

/// Removes the first of the `sets` of units (ascending) without which the best still fails, within
/// the allowance. `sets` gets the number of units. Returns whether one went.
fn drop_first_of<I: Iterator<Item = Vec<usize>>>(
    search: &mut Search<'_, '_>,
    format: UnitKind,
    allowance: &mut Allowance,
    sets: impl FnOnce(usize) -> I,
) -> Result<bool, Stopped> {
    let base = search.best().to_vec();
    let units = split(&base, format);
    if units.len() > MAX_COMBINED_UNITS {
        return Ok(false);
    }
    let mut sets = sets(units.len());
    allowance.first(search, |buffer| {
        let set = sets.next()?;
        let cuts: Vec<_> = set.into_iter().map(|at| units.span(at..at + 1)).collect();
        edit::without(&base, &cuts, buffer);
        Some(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    fn count(bytes: &[u8], byte: u8) -> usize {
        bytes.iter().filter(|other| **other == byte).count()
    }

    #[test]
    fn equal_tokens_go_together() {
        let fails = |bytes: &[u8]| count(bytes, b'x').is_multiple_of(3) && bytes.contains(&b'!');
        let found = reduce_by(b"x=1 x! x", fails, |search| drop_together(search, UnitKind::Tokens));
        assert!(!found.best.contains(&b'x'));
    }

    #[test]
    fn a_name_is_shortened_wherever_it_stands() {
        let fails = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let words: Vec<&str> = text.split(' ').collect();
            words.len() == 3 && words[0] == words[2] && !words[0].is_empty() && words[1] == "=="
        };
        let found = reduce_by(b"total == total", fails, shorten_together);
        assert_eq!(found.best, b"t == t");
    }

    #[test]
    fn any_two_units_go_together() {
        let fails =
            |bytes: &[u8]| count(bytes, b'(') == count(bytes, b'x') && bytes.contains(&b'!');
        let found = reduce_by(b"(!x", fails, |search| {
            drop_any_two(search, UnitKind::Bytes, &mut Allowance::new(100)).map(|_| ())
        });
        assert_eq!(found.best, b"!");
    }

    #[test]
    fn any_of_a_few_neighbours_go_together() {
        let fails = |bytes: &[u8]| bytes == b"a(b)c,d" || bytes == b"b)d";
        let found = reduce_by(b"a(b)c,d", fails, |search| {
            drop_any_nearby(search, UnitKind::Bytes, &mut Allowance::new(500)).map(|_| ())
        });
        assert_eq!(found.best, b"b)d");
    }
}
