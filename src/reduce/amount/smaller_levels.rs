//! Less in each level of a nest, for [`nesting`](crate::reduce::amount::nesting): a part that can
//! be deleted from one level can be deleted from all of them, so a level is reduced like a small
//! input and tested in all places at once.

use std::ops::Range;

use seedsmith_grammar::internal::LevelBytes;
use seedsmith_grammar::internal::{is_word, tokens};

/// Tokens of a level of which every stretch is looked at: 24 tokens have 300. A guess; not measured.
const MAX_STRETCHED_TOKENS: usize = 24;
/// Ways to shorten an opener and a closer that are tried together. A guess; not measured.
const MAX_COMBINED_WAYS: usize = 400;

/// Plain brackets that replace others, because most notations take one of these three.
const PLAIN_BRACKETS: [(u8, u8); 3] = [(b'[', b']'), (b'(', b')'), (b'{', b'}')];

/// Units with less in them, the shortest first: plain brackets; the unit without one of its levels; a
/// level without some of its text; a level with a shorter word in both opener and closer.
///
/// `unit` is the levels that are repeated in turn. Each result has at least one byte.
pub(crate) fn smaller_levels(unit: &[LevelBytes]) -> Vec<Vec<LevelBytes>> {
    let mut found: Vec<Vec<LevelBytes>> = Vec::new();
    let size = unit.iter().map(LevelBytes::len).sum::<usize>();
    if size > 2 && unit.iter().all(|level| level.length.is_none()) {
        found.extend(PLAIN_BRACKETS.map(|(open, close)| {
            let (before, close) = (vec![open], vec![close]);
            vec![LevelBytes { before, length: None, behind: Vec::new(), close }]
        }));
    }
    for at in 0..unit.len() {
        if unit.len() > 1 {
            let mut fewer = unit.to_vec();
            fewer.remove(at);
            found.push(fewer);
        }
        found.extend(smaller_level(&unit[at]).into_iter().map(|level| {
            let mut changed = unit.to_vec();
            changed[at] = level;
            changed
        }));
    }
    found.retain(|unit| unit.iter().any(|level| !level.is_empty()));
    found.sort_by_key(|unit| unit.iter().map(LevelBytes::len).sum::<usize>());
    found
}

/// Levels with less in them: opener and closer shortened together, if there are few ways, each of the
/// three texts alone, and a word that opener and closer have in common as its first letter.
fn smaller_level(level: &LevelBytes) -> Vec<LevelBytes> {
    let [before, behind, close] =
        [&level.before, &level.behind, &level.close].map(|text| shortened(text));
    let mut found = Vec::new();
    if before.len() * close.len() <= MAX_COMBINED_WAYS {
        found.extend(before.iter().flat_map(|before| {
            let both = |close: &Vec<u8>| LevelBytes {
                before: before.clone(),
                close: close.clone(),
                ..level.clone()
            };
            close.iter().map(both).collect::<Vec<_>>()
        }));
    }
    found.extend(before.into_iter().map(|before| LevelBytes { before, ..level.clone() }));
    found.extend(behind.into_iter().map(|behind| LevelBytes { behind, ..level.clone() }));
    found.extend(close.into_iter().map(|close| LevelBytes { close, ..level.clone() }));
    found.extend(long_words(&level.before).filter_map(|word| {
        let shorter = LevelBytes {
            before: with_initial(&level.before, word),
            close: with_initial(&level.close, word),
            ..level.clone()
        };
        (shorter.close.len() < level.close.len()).then_some(shorter)
    }));
    found
}

/// `text` without one stretch of its tokens, or without all but the first byte of a word.
fn shortened(text: &[u8]) -> Vec<Vec<u8>> {
    let units = tokens(text);
    let count = units.len();
    let mut cuts: Vec<Range<usize>> = Vec::new();
    if count <= MAX_STRETCHED_TOKENS {
        let stretches = (0..count).flat_map(|from| (from + 1..=count).map(move |to| from..to));
        cuts.extend(stretches.map(|stretch| units.span(stretch)));
    } else {
        let sizes = std::iter::successors(Some(count), |size| (*size > 1).then_some(size / 2));
        let chunks = sizes.flat_map(|size| {
            (0..count).step_by(size).map(move |from| from..(from + size).min(count))
        });
        cuts.extend(chunks.map(|chunk| units.span(chunk)));
    }
    let words = (0..count).map(|at| units.span(at..at + 1)).filter(|span| span.len() > 1);
    cuts.extend(words.map(|span| span.start + 1..span.end));
    let without = |cut: &Range<usize>| [&text[..cut.start], &text[cut.end..]].concat();
    let mut found: Vec<Vec<u8>> = cuts.iter().map(without).collect();
    found.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
    found.dedup();
    found
}

/// The words of `text` that are longer than a letter.
fn long_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let units = tokens(text);
    let words = (0..units.len()).map(move |at| &text[units.span(at..at + 1)]);
    words.filter(|word| word.len() > 1 && is_word(word[0]))
}

/// `text` with the first letter of `word` in its place.
fn with_initial(text: &[u8], word: &[u8]) -> Vec<u8> {
    let units = tokens(text);
    let all = (0..units.len()).map(|at| &text[units.span(at..at + 1)]);
    all.flat_map(|token| if token == word { &token[..1] } else { token }).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_grammar::internal::nesting_chains;

    fn levels(text: &str) -> Vec<LevelBytes> {
        let chain = nesting_chains(text.as_bytes(), 2, false).swap_remove(0);
        (0..2).map(|level| chain.shell(text.as_bytes(), level)).collect()
    }

    fn texts(units: &[Vec<LevelBytes>]) -> Vec<String> {
        let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
        let one = |unit: &Vec<LevelBytes>| {
            let opens = unit.iter().map(|level| text(&level.before));
            let closes = unit.iter().rev().map(|level| text(&level.close));
            opens.collect::<String>() + "~" + &closes.collect::<String>()
        };
        units.iter().map(one).collect()
    }

    #[test]
    fn less_is_without_a_shell_or_some_of_its_text() {
        let found = texts(&smaller_levels(&levels("[17, {k: [0]} ]")));
        for less in [
            "[17, ~ ]",
            "{k: ~}",
            "[{k: ~} ]",
            "[{k: ~}]",
            "[17, {~} ]",
            "[1, {k: ~} ]",
            "[17, {~ ]",
        ] {
            assert!(found.iter().any(|one| one == less), "{less}: {found:?}");
        }
        assert!(found.windows(2).all(|two| two[0].len() <= two[1].len()));
    }

    #[test]
    fn a_name_is_shortened_at_both_ends() {
        let found = texts(&smaller_levels(&levels("<name><name><x>y</x></name></name>")[..1]));
        assert!(found.contains(&"<n>~</n>".to_owned()), "{found:?}");
    }
}
