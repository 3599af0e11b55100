//! All inputs that are one edit away from another one: what draws find by chance only.
//!
//! An input that passes, and for which a condition holds after one edit, is the shortest way to an input that refutes it: such an
//! edit puts a word of the condition somewhere else, repeats a part, or brings in a part of another input.

use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind, Random, Tree};

use super::against::Adversary;
use super::edits::{self, core_span, shuffle};
use super::reader::{Hypothesis, such};
use super::samples::Samples;
use super::usual_texts::varied;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::bytes::word_kinds::words_with_others;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::plain::is_plain;

/// Passing inputs that are edited until the condition holds for them: few, because all edits of each are parsed. Not measured.
const MAX_FLIPPED_BASES: usize = 6;
/// Edits of one kind of such an input: at most 1,440 are parsed, because that takes about a second. Not measured.
const MAX_EDITS_OF_A_KIND: usize = 48;
/// Those of one kind that are tested of one input, because others of the kind and the input say much the same. Not measured.
const MAX_FLIPS_OF_A_KIND: usize = 3;

/// Parts that are made equal. A bound on the time, because pairs grow with the square.
const MAX_EQUAL_PARTS: usize = 24;

/// Rules that change places. A bound on the time, because pairs grow with the square.
const MAX_EXCHANGED_RULES: usize = 40;
/// The same of numbers, because a line of a table has half a dozen.
const MAX_EXCHANGED_NUMBERS: usize = 12;

impl Adversary {
    /// At most `count` inputs that pass, after one edit with which the condition holds for them: such an input has what the
    /// condition asks for, and perhaps nothing else of what fails.
    ///
    /// Costs no test. Each input that is made is parsed.
    pub(super) fn flipped(
        &mut self,
        prober: &Prober<'_, '_>,
        samples: &mut Samples,
        hypothesis: &Hypothesis<'_>,
        count: usize,
    ) -> Result<Vec<Vec<u8>>, Stopped> {
        let passing = self.bases.iter().filter(|(_, fails)| !fails).take(MAX_FLIPPED_BASES);
        let passing: Vec<Vec<u8>> = passing.map(|(input, _)| input.clone()).collect();
        let words: Vec<Vec<u8>> = hypothesis.words.texts().map(<[u8]>::to_vec).collect();
        let read = passing.iter().filter_map(|base| match samples.language.read(base) {
            Ok((tree, None)) => Some((base, tree)),
            _ => None,
        });
        let read: Vec<(&Vec<u8>, Tree)> = read.collect();
        let mut found: Vec<(usize, Vec<Vec<u8>>)> = Vec::new();
        for (number, (base, tree)) in read.iter().enumerate() {
            let language = &samples.language;
            let [replaced, begun] = with_words(tree, base, language, &words);
            let mut kinds = [
                single_edits(tree, base, language, &mut self.dice),
                replaced,
                begun,
                self.parts.insertions(tree, base),
                equal_texts(tree, base, language),
            ];
            let count = kinds.len();
            for (kind, edits) in kinds.iter_mut().enumerate() {
                shuffle(edits, &mut self.dice);
                edits.truncate(MAX_EDITS_OF_A_KIND);
                let known = || found.iter().flat_map(|(_, known)| known);
                edits.retain(|input| known().all(|known| known != input));
                let edits = std::mem::take(edits);
                let flipped =
                    such(prober, samples, hypothesis, edits, (true, MAX_FLIPS_OF_A_KIND))?;
                // Few are tested, so each base begins with another kind.
                found.push(((kind + count - number % count) % count, flipped));
            }
        }
        found.sort_by_key(|(place, _)| *place);
        // The first one of each base and kind comes before the second one of any.
        let turns = (0..MAX_FLIPS_OF_A_KIND).flat_map(|turn| {
            let found = &found;
            found.iter().filter_map(move |(_, flipped)| flipped.get(turn).cloned())
        });
        Ok(turns.take(count).collect())
    }
}

/// All inputs with one part deleted, repeated, alone in its list, or with another text.
pub(super) fn single_edits(
    tree: &Tree,
    input: &[u8],
    language: &Sampler,
    dice: &mut Random,
) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut put = |id: NodeId, text: &[u8]| {
        let span = tree.span(id);
        let edited = [&input[..span.start], text, &input[span.end..]].concat();
        if edited != input && !found.contains(&edited) {
            found.push(edited);
        }
    };
    for id in tree.ids().skip(1) {
        let text = &input[tree.span(id)];
        if text.is_empty() {
            continue;
        }
        match tree.node(id).kind {
            NodeKind::Rule { .. } | NodeKind::Quantifier(_) => put(id, b""),
            NodeKind::Iteration => {
                put(id, b"");
                let gap = edits::gap(tree, input, id);
                put(id, &[text, gap, text].concat());
                put(id, &[text, gap, &edits::renamed(text, dice)].concat());
                if let Some(list) = tree.parent(id) {
                    put(list, text);
                }
            }
            NodeKind::Token(token) if language.is_open(token) => {
                put(id, &varied(text, dice));
                put(id, &varied(text, dice));
                match text {
                    [b'-', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => put(id, digits),
                    digits if digits.iter().all(u8::is_ascii_digit) => {
                        put(id, &[b"-", digits].concat());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found.extend(edits::of_each_body(input));
    found
}

/// All inputs with another word of its kind in place of one: `true` for `false`, another level of a log.
///
/// An input that passes fails with it where a cause has an alternative that no given input shows.
pub(super) fn other_words(input: &[u8]) -> Vec<Vec<u8>> {
    let edits = words_with_others(input).into_iter().flat_map(|(span, others)| {
        let edited = |other: Vec<u8>| [&input[..span.start], &other, &input[span.end..]].concat();
        others.into_iter().map(edited).collect::<Vec<_>>()
    });
    edits.collect()
}

/// All inputs with two rules of one kind, or two numbers that are parts of rules, in each other's places, as far as their texts differ and none is in
/// the other.
pub(super) fn exchanges(tree: &Tree, input: &[u8]) -> Vec<Vec<u8>> {
    let rules = tree.ids().skip(1).filter_map(|id| match tree.node(id).kind {
        NodeKind::Rule { rule, .. } => Some((Some(rule), tree.span(id))),
        _ => None,
    });
    let mut rules: Vec<(Option<u32>, Range<usize>)> = rules.take(MAX_EXCHANGED_RULES).collect();
    // A rule that is all of a number is exchanged already.
    let is_number = |id: &NodeId| {
        let is_rule = |id: &NodeId| matches!(tree.node(*id).kind, NodeKind::Rule { .. });
        let mut outer = std::iter::successors(tree.parent(*id), |id| tree.parent(*id));
        let is_part = outer.find(is_rule).is_none_or(|rule| tree.span(rule) != tree.span(*id));
        let text = &input[tree.span(*id)];
        let is_token = matches!(tree.node(*id).kind, NodeKind::Token(_));
        is_token && is_part && !text.is_empty() && text.iter().all(u8::is_ascii_digit)
    };
    let numbers = tree.ids().filter(is_number).map(|id| (None, tree.span(id)));
    rules.extend(numbers.take(MAX_EXCHANGED_NUMBERS));
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (at, (rule, one)) in rules.iter().enumerate() {
        let same = rules[at + 1..].iter().filter(|(other, _)| other == rule);
        for (_, other) in same.filter(|(_, other)| other.start >= one.end) {
            let (left, right) = (&input[one.clone()], &input[other.clone()]);
            if left != right {
                let before = &input[..one.start];
                let between = &input[one.end..other.start];
                found.push([before, right, between, left, &input[other.end..]].concat());
            }
        }
    }
    found
}

/// All inputs with the letters and digits of one part in place of another's. Two names that have to be equal, or must not be, are
/// so in a random input by chance only.
pub(super) fn equal_texts(tree: &Tree, input: &[u8], language: &Sampler) -> Vec<Vec<u8>> {
    let cores = tree.ids().skip(1).filter_map(|id| {
        let NodeKind::Token(token) = tree.node(id).kind else { return None };
        core_span(tree.span(id), input).filter(|_| language.is_open(token))
    });
    // Without a grammar a word of letters and digits is several tokens.
    let mixed = if is_plain(language) { mixed_words(input) } else { Vec::new() };
    let is_part = |span: &Range<usize>| {
        mixed.iter().any(|word| word.start <= span.start && span.end <= word.end)
    };
    let mut cores: Vec<Range<usize>> = cores.filter(|span| !is_part(span)).collect();
    cores.extend(mixed.iter().cloned());
    cores.sort_by_key(|span| span.start);
    cores.truncate(MAX_EQUAL_PARTS);
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (one, other) in cores.iter().flat_map(|one| cores.iter().map(move |other| (one, other))) {
        let edited = [&input[..one.start], &input[other.clone()], &input[one.end..]].concat();
        if edited != input && !found.contains(&edited) {
            found.push(edited);
        }
    }
    found
}

/// The words of an input that have letters and digits, such as `7h`.
fn mixed_words(input: &[u8]) -> Vec<Range<usize>> {
    let mut words = stretches(input, |byte| byte.is_ascii_alphanumeric());
    words.retain(|span| {
        let text = &input[span.clone()];
        text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
    });
    words
}

/// All inputs with a word of a condition in place of a part's letters and digits, and all with one before them.
///
/// A condition that asks for a word somewhere holds for it anywhere, also where it means something else.
pub(super) fn with_words(
    tree: &Tree,
    input: &[u8],
    language: &Sampler,
    words: &[Vec<u8>],
) -> [Vec<Vec<u8>>; 2] {
    let [mut replaced, mut begun] = [Vec::new(), Vec::new()];
    for id in tree.ids().skip(1) {
        let NodeKind::Token(token) = tree.node(id).kind else { continue };
        let Some(own) = core_span(tree.span(id), input).filter(|_| language.is_open(token)) else {
            continue;
        };
        for word in words.iter().filter(|word| **word != input[own.clone()]) {
            replaced.push([&input[..own.start], word, &input[own.end..]].concat());
            begun.push([&input[..own.start], word, &input[own.start..]].concat());
        }
    }
    [replaced, begun]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_takes_the_place_of_a_part_and_comes_before_it() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let (tree, _) = language.read(b"a-b").unwrap();
        let made = with_words(&tree, b"a-b", &language, &[b"b".to_vec()]);
        assert_eq!(made, [[b"b-b".to_vec()], [b"ba-b".to_vec()]]);
    }

    #[test]
    fn words_of_letters_and_digits_are_made_equal_as_a_whole() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let input = b"hand 7h Kd 2c";
        let (tree, _) = language.read(input).unwrap();
        let found = equal_texts(&tree, input, &language);
        assert!(found.contains(&b"hand 7h Kd 7h".to_vec()));
        assert!(!found.contains(&b"hand 7h Kd 7c".to_vec()));
    }

    #[test]
    fn parts_of_one_kind_change_places() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let input = b"a\nb\na";
        let (tree, _) = language.read(input).unwrap();
        let mut found = exchanges(&tree, input);
        found.sort();
        assert_eq!(found, [b"a\na\nb".to_vec(), b"b\na\na".to_vec()]);
        let (tree, _) = language.read(b"1 ms 30 ms").unwrap();
        assert_eq!(exchanges(&tree, b"1 ms 30 ms"), [b"30 ms 1 ms".to_vec()]);
    }
}
