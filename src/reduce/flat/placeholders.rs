//! Puts the simplest text in the place of a part that cannot simply be deleted.
//!
//! If a grammar requires a value, `[1,{"a":2}]` cannot be deleted but `0` may replace it; if it
//! requires nesting, `[` and `]` may replace `{"":` and `}`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::UnitKind;
use seedsmith_grammar::internal::pairs::{Pair, brackets};
use seedsmith_grammar::internal::split;

/// Puts 0 or a in the place of tokens and of brackets with their content.
///
/// If a grammar requires a value, it cannot be deleted, but a shorter one may replace it. No place
/// is tried twice. Cost: two tests for each token and pair.
pub(crate) static VALUES: Reducer = Reducer {
    name: Cow::Borrowed("values"),
    description: Cow::Borrowed(
        "puts 0 or a in the place of tokens and of brackets with their content",
    ),
    activity: "deleting tokens",
    needs: &[Need::Pairs, Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| put_plain_values(search)),
};

/// Puts plain brackets in the place of longer text that encloses.
///
/// All places with one text change together, such as `{"":` and `}` to `[` and `]`. Cost: four tests
/// for each of at most 32 texts.
pub(crate) static SHORTER_BRACKETS: Reducer = Reducer {
    name: Cow::Borrowed("shorter-brackets"),
    description: Cow::Borrowed("puts plain brackets in the place of longer text that encloses"),
    activity: "deleting tokens",
    needs: &[Need::Pairs, Need::Bytes],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| put_plain_brackets(search)),
};

/// Inputs longer than this are left alone: it is a test or two for every token. A guess; not measured.
const MAX_PLACEHOLDER_BYTES: usize = 4096;
/// Texts that replace a value.
const PLAIN_VALUES: [&[u8]; 2] = [b"0", b"a"];
/// Texts that replace an opener and its closer.
const PLAIN_BRACKETS: [(&[u8], &[u8]); 4] =
    [(b"[", b"]"), (b"(", b")"), (b"{", b"}"), (b"<", b">")];
/// Different texts of enclosing pairs that are looked at, with four tests each. A guess; not measured.
const MAX_BRACKET_TEXTS: usize = 32;

/// Replaces brackets with their content, then tokens, by `0` or `a`. Cost: two tests for each.
pub(crate) fn put_plain_values(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    if search.best().len() > MAX_PLACEHOLDER_BYTES {
        return Ok(());
    }
    // No place is tried twice: after a success the search moves on to the next place.
    for stage in [wholes, words] {
        let mut done = 0;
        loop {
            let base = search.best().to_vec();
            let spans = stage(&base);
            let mut stream = spans.iter().enumerate().skip(done).flat_map(|(index, span)| {
                PLAIN_VALUES.iter().map(move |value| (index, span.clone(), *value))
            });
            let accepted = search.first(|buffer| {
                let (index, span, value) = stream.next()?;
                edit::replaced(&base, span, value, buffer);
                Some(index)
            })?;
            match accepted {
                Some(index) => done = index + 1,
                None => break,
            }
        }
    }
    Ok(())
}

fn wholes(bytes: &[u8]) -> Vec<Range<usize>> {
    brackets(bytes).iter().map(Pair::whole).collect()
}

fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let tokens = split(bytes, UnitKind::Tokens);
    let spans = (0..tokens.len()).map(|index| tokens.span(index..index + 1));
    spans.filter(|span| span.len() > 1).collect()
}

/// The text between an opener and the first pair inside it, and the text after that pair.
type EnclosingText = (Vec<u8>, Vec<u8>);

/// The text before and after each pair inside another one, with the two places. Of several
/// pairs in one, the first is taken.
fn enclosing_texts(bytes: &[u8]) -> Vec<(EnclosingText, [Range<usize>; 2])> {
    let pairs = brackets(bytes);
    let mut found = Vec::new();
    for (index, outer) in pairs.iter().enumerate() {
        let Some(inner) = pairs.get(index + 1).filter(|inner| inner.depth > outer.depth) else {
            continue;
        };
        let (outer, inner) = (outer.whole(), inner.whole());
        let places = [outer.start..inner.start, inner.end..outer.end];
        let [left, right] = places.clone().map(|place| bytes[place].to_vec());
        found.push(((left, right), places));
    }
    found
}

/// Replaces an enclosing text by plain brackets, everywhere it occurs. Cost: four tests for each text.
pub(crate) fn put_plain_brackets(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    loop {
        let base = search.best().to_vec();
        if base.len() > 16 * MAX_PLACEHOLDER_BYTES {
            return Ok(());
        }
        let all = enclosing_texts(&base);
        let kinds: BTreeSet<&EnclosingText> = all
            .iter()
            .map(|(text, _)| text)
            .filter(|(left, right)| left.len() + right.len() > 2)
            .collect();
        let mut stream = kinds
            .into_iter()
            .take(MAX_BRACKET_TEXTS)
            .flat_map(|kind| PLAIN_BRACKETS.iter().map(move |brackets| (kind, *brackets)));
        let accepted = search.first(|buffer| {
            loop {
                let (kind, brackets) = stream.next()?;
                buffer.clear();
                let places = all.iter().filter(|(text, _)| text == kind).map(|(_, places)| places);
                if exchange(&base, places, brackets, buffer) {
                    return Some(());
                }
            }
        })?;
        if accepted.is_none() {
            return Ok(());
        }
    }
}

/// Writes `source` with other enclosing text at some places; `false` if they overlap, as those of pairs
/// side by side in one bracket do.
fn exchange<'p>(
    source: &[u8],
    places: impl Iterator<Item = &'p [Range<usize>; 2]>,
    (left, right): (&[u8], &[u8]),
    out: &mut Vec<u8>,
) -> bool {
    let mut edits: Vec<(Range<usize>, &[u8])> = places
        .flat_map(|[before, behind]| [(before.clone(), left), (behind.clone(), right)])
        .collect();
    edits.sort_by_key(|(place, _)| place.start);
    let mut at = 0;
    for (place, text) in edits {
        if place.start < at {
            return false;
        }
        out.extend_from_slice(&source[at..place.start]);
        out.extend_from_slice(text);
        at = place.end;
    }
    out.extend_from_slice(&source[at..]);
    out.len() < source.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn a_value_that_must_be_there_becomes_a_zero() {
        let fails = |bytes: &[u8]| {
            bytes
                .strip_prefix(b"x=")
                .and_then(|rest| rest.strip_suffix(b";"))
                .is_some_and(|rest| rest == b"[true,[2]]" || rest == b"true" || rest == b"0")
        };
        assert_eq!(reduce_by(b"x=[true,[2]];", fails, put_plain_values).best, b"x=0;");
        assert_eq!(reduce_by(b"x=true;", fails, put_plain_values).best, b"x=0;");
    }

    #[test]
    fn all_that_encloses_with_one_text_becomes_plain_brackets() {
        let fails = |bytes: &[u8]| {
            let pairs = brackets(bytes);
            pairs.iter().any(|pair| pair.depth == 9) && bytes.starts_with(&bytes[..1])
        };
        let input = ["{\"\":".repeat(9), "[]".into(), "}".repeat(9)].concat();
        let found = reduce_by(input.as_bytes(), fails, put_plain_brackets);
        assert_eq!(found.best, [b"[".repeat(10), b"]".repeat(10)].concat());
        assert_eq!(found.accepted, 1);
    }
}
