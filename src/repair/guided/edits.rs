//! Edits of a byte or two that could undo a damage, the likeliest first.

use std::ops::Range;

use super::balance::Balance;
use super::clues::Clues;
use super::edit::Edit;
use crate::repair::likelihood::vocabulary::runs;
use crate::repair::likelihood::{CachedLikelihood, Likelihood};

/// A byte as a text that lives as long as any.
fn byte(byte: u8) -> &'static [u8] {
    static ALL: [u8; 256] = {
        let mut all = [0; 256];
        let mut at = 0;
        while at < all.len() {
            all[at] = at as u8;
            at += 1;
        }
        all
    };
    std::slice::from_ref(&ALL[usize::from(byte)])
}

/// What a byte costs in a text that is like itself (a logarithm), because without it a deletion would
/// gain and an insertion lose by its length alone. Estimated: e² is 7 likely bytes.
const USUAL_BYTE_COST: f32 = 2.0;
/// How much likelier the damage of a single bit is than that of a whole byte (a logarithm), because
/// storage and transmission flip single bits. Not measured.
const BIT_FLIP_GAIN: f32 = 1.0;
/// What a replacement costs besides (a logarithm), because it takes a byte that may have been right.
const REPLACEMENT_COST: f32 = 1.0;
/// Bytes that hold text together, tried where the text itself doesn't suggest them.
const STRUCTURAL: &[u8] = b"\" \n0a";
/// Bytes that are tried everywhere besides those that were seen after the byte before, so that a place
/// costs some 20 edits and not 256. Not measured.
const MAX_COMMON_BYTES: usize = 10;
/// Words that one run of bytes may have been, so that a vocabulary of thousands costs few edits. Not
/// measured.
const MAX_NEAR_WORDS: usize = 8;

/// Edits of one byte in `region`, by gain, at most `most`. `closer` is what would close
/// the innermost bracket.
pub(super) fn single(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    clues: &Clues,
    closer: Option<u8>,
    most: usize,
) -> Vec<Edit<'static>> {
    let everywhere = alphabet(likelihood, closer);
    let region = within(text, region);
    let balance = Balance::of(text, region.clone());
    let mut edits = deletions(text, region.clone(), likelihood);
    let mut is_tried = [false; 256];
    let mut bytes: Vec<u8> = Vec::new();
    let mut suggestions = Suggestions::of(likelihood);
    let recent = CachedLikelihood::of(likelihood);
    for at in region.start..=region.end {
        let in_front = if at == 0 { b'\n' } else { text[at - 1] };
        let mut propose = |end: usize, bytes: &[u8], prior: f32| {
            let replaceable = recent.replaceable(text, at, end);
            edits.extend(bytes.iter().map(|new| {
                let new = byte(*new);
                let gain = replaceable.gain(new) + balance.gain(at, &text[at..end], new) + prior;
                Edit { at, end, new, gain }
            }));
        };
        let mut choose = |bytes: &mut Vec<u8>, next: Option<u8>, instead_of: Option<u8>| {
            is_tried.fill(false);
            bytes.clear();
            let everywhere = everywhere.iter().copied();
            for new in suggestions.between(in_front, next).chain(everywhere) {
                let is_flip = instead_of.is_some_and(|old| (new ^ old).count_ones() <= 1);
                if !is_flip && !std::mem::replace(&mut is_tried[usize::from(new)], true) {
                    bytes.push(new);
                }
            }
        };
        choose(&mut bytes, text.get(at).copied(), None);
        propose(at, &bytes, USUAL_BYTE_COST);
        if at >= region.end {
            continue;
        }
        choose(&mut bytes, text.get(at + 1).copied(), Some(text[at]));
        propose(at + 1, &bytes, -REPLACEMENT_COST);
        let flips: [u8; 8] = std::array::from_fn(|bit| text[at] ^ 1 << bit);
        propose(at + 1, &flips, BIT_FLIP_GAIN);
    }
    edits.sort_by_key(|edit| edit.at);
    likeliest(clues.weigh(edits, text), most)
}

/// Deletions of one byte in `region`, by gain, at most `most`.
pub(super) fn single_deletions(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    clues: &Clues,
    most: usize,
) -> Vec<Edit<'static>> {
    let edits = deletions(text, within(text, region), likelihood);
    likeliest(clues.weigh(edits, text), most)
}

/// Known words in place of words in `region` that are nearly the same, by gain.
pub(super) fn words<'w>(
    text: &[u8],
    region: Range<usize>,
    likelihood: &'w Likelihood,
) -> Vec<Edit<'w>> {
    let mut edits = Vec::new();
    for run in runs(text, region) {
        for word in likelihood.words_near(&text[run.clone()], MAX_NEAR_WORDS) {
            let longer = word.len() as f32 - run.len() as f32;
            let gain = likelihood.gain(text, run.start, run.end, word) + USUAL_BYTE_COST * longer;
            edits.push(Edit { at: run.start, end: run.end, new: word, gain });
        }
    }
    by_gain(edits)
}

/// Insertions and replacements of one byte in `region` by any that can be typed, by gain, at most
/// `most`: for words that are unlike all known ones.
pub(super) fn any_byte(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    most: usize,
) -> Vec<Edit<'static>> {
    let mut edits = Vec::new();
    let recent = CachedLikelihood::of(likelihood);
    for at in within(text, region) {
        for (end, prior) in [(at, USUAL_BYTE_COST), (at + 1, -REPLACEMENT_COST)] {
            let replaceable = recent.replaceable(text, at, end);
            edits.extend((b' '..=b'~').chain([b'\n', b'\t']).map(|new| {
                let gain = replaceable.gain(&[new]) + prior;
                Edit { at, end, new: byte(new), gain }
            }));
        }
    }
    likeliest(edits, most)
}

/// Deletions of several bytes in `region`, the short ones first, at most `most`.
pub(super) fn longer_deletions(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    most: usize,
) -> Vec<Edit<'static>> {
    let region = within(text, region);
    let mut edits = Vec::new();
    for length in 2..=region.len() {
        let mut same_length = Vec::new();
        for at in region.start..=region.end - length {
            let gain =
                likelihood.gain(text, at, at + length, b"") - USUAL_BYTE_COST * length as f32;
            same_length.push(Edit { at, end: at + length, new: b"", gain });
        }
        edits.extend(by_gain(same_length));
        if edits.len() >= most {
            break;
        }
    }
    edits.truncate(most);
    edits
}

/// A region as far as the text goes.
///
/// So that no caller has to cut regions that reach beyond the end.
fn within(text: &[u8], region: Range<usize>) -> Range<usize> {
    region.start.min(text.len())..region.end.min(text.len())
}

/// Deletions of one byte in `region`, in order of place.
pub(super) fn deletions(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
) -> Vec<Edit<'static>> {
    let balance = Balance::of(text, region.clone());
    let edits = region.map(|at| {
        let paired = balance.gain(at, &text[at..at + 1], b"");
        let gain = likelihood.gain(text, at, at + 1, b"") + paired - USUAL_BYTE_COST;
        Edit { at, end: at + 1, new: b"", gain }
    });
    edits.collect()
}

/// The bytes that are tried everywhere.
fn alphabet(likelihood: &Likelihood, closer: Option<u8>) -> Vec<u8> {
    let mut common: Vec<u8> = (0..=255u8)
        .filter(|byte| byte.is_ascii_punctuation() && likelihood.count(*byte) > 0)
        .collect();
    common.sort_by_key(|byte| std::cmp::Reverse(likelihood.count(*byte)));
    common.truncate(MAX_COMMON_BYTES);
    for byte in closer.into_iter().chain(STRUCTURAL.iter().copied()) {
        if !common.contains(&byte) {
            common.push(byte);
        }
    }
    common
}

/// Bytes that were seen after others, the commonest first.
struct Suggestions<'l> {
    likelihood: &'l Likelihood,
    /// For each byte, once it is asked for.
    behind: Vec<Option<Box<[u8]>>>,
}

impl<'l> Suggestions<'l> {
    fn of(likelihood: &'l Likelihood) -> Self {
        Suggestions { likelihood, behind: vec![None; 256] }
    }

    /// Bytes that were seen after the one before it, those first that were seen before the next.
    fn between(&mut self, in_front: u8, next: Option<u8>) -> impl Iterator<Item = u8> + '_ {
        let likelihood = self.likelihood;
        let behind = self.behind[usize::from(in_front)].get_or_insert_with(|| {
            let mut bytes = likelihood.behind(in_front).to_vec();
            bytes.sort_by_cached_key(|byte| std::cmp::Reverse(likelihood.count(*byte)));
            bytes.into()
        });
        let follows = move |byte: u8| next.is_none_or(|next| likelihood.has_seen(byte, next));
        let (first, rest) = (behind.iter().copied(), behind.iter().copied());
        first
            .filter(move |byte| follows(*byte))
            .chain(rest.filter(move |byte| !follows(*byte)))
            .take(MAX_COMMON_BYTES)
    }
}

/// Sorts by gain; equals stay in the order in which they were made.
fn by_gain(mut edits: Vec<Edit<'_>>) -> Vec<Edit<'_>> {
    edits.sort_by(|left, right| right.gain.total_cmp(&left.gain));
    edits
}

/// The first `most` of [`by_gain`], without sorting the others.
fn likeliest(mut edits: Vec<Edit<'_>>, most: usize) -> Vec<Edit<'_>> {
    if edits.len() > most {
        let mut gains: Vec<f32> = edits.iter().map(|edit| edit.gain).collect();
        let (_, least, _) = gains.select_nth_unstable_by(most, |left, right| right.total_cmp(left));
        let least = *least;
        edits.retain(|edit| edit.gain >= least);
    }
    let mut edits = by_gain(edits);
    edits.truncate(most);
    edits
}
