//! Edits of a byte or two that could undo a damage, the likeliest first.

use std::ops::Range;

use super::balance::Balance;
use super::likelihood::Likelihood;
use super::vocabulary::runs;

/// One edit: `at..end` gives way to a byte, a word, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edit<'w> {
    /// Where it begins.
    pub at: usize,
    /// Behind what goes.
    pub end: usize,
    /// What comes.
    pub new: &'w [u8],
    /// How much likelier the text becomes (a logarithm).
    pub gain: f32,
}

impl Edit<'_> {
    /// Writes `text` with the edit into an empty buffer.
    pub fn apply(&self, text: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&text[..self.at]);
        out.extend_from_slice(self.new);
        out.extend_from_slice(&text[self.end..]);
    }
}

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

/// What a byte costs in a text that is like itself: what a deletion gains and an insertion loses
/// without being any likelier.
const USUAL_BYTE: f32 = 2.0;
/// Damage by a single bit is commoner than by a whole byte.
const FLIP: f32 = 1.0;
/// A replacement takes a byte that may have been right.
const WHOLE_BYTE: f32 = 1.0;
/// Bytes that hold text together, tried where the text itself doesn't suggest them.
const STRUCTURAL: &[u8] = b"\" \n0a";
/// Bytes that are tried everywhere, at most; and behind what they were seen behind.
const COMMON: usize = 10;
/// Words that one run of bytes may have been, at most.
const NEAR_WORDS: usize = 8;

/// All edits of one byte in `region`, by gain. `closer` is what would close the innermost bracket.
pub fn single(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    closer: Option<u8>,
) -> Vec<Edit<'static>> {
    let everywhere = alphabet(likelihood, closer);
    let region = region.start..region.end.min(text.len());
    let balance = Balance::of(text, region.clone());
    let mut edits = deletions(text, region.clone(), likelihood);
    let mut is_tried = [false; 256];
    let mut bytes: Vec<u8> = Vec::new();
    for at in region.start..=region.end {
        let in_front = if at == 0 { b'\n' } else { text[at - 1] };
        let mut propose = |end: usize, bytes: &[u8], prior: f32| {
            let spot = likelihood.spot(text, at, end);
            edits.extend(bytes.iter().map(|new| {
                let new = byte(*new);
                let gain = spot.gain(new) + balance.gain(at, &text[at..end], new) + prior;
                Edit { at, end, new, gain }
            }));
        };
        let mut choose = |bytes: &mut Vec<u8>, next: Option<u8>, instead_of: Option<u8>| {
            is_tried.fill(false);
            bytes.clear();
            for new in suggested(likelihood, in_front, next).into_iter().chain(everywhere.clone()) {
                let is_flip = instead_of.is_some_and(|old| (new ^ old).count_ones() <= 1);
                if !is_flip && !std::mem::replace(&mut is_tried[usize::from(new)], true) {
                    bytes.push(new);
                }
            }
        };
        choose(&mut bytes, text.get(at).copied(), None);
        propose(at, &bytes, USUAL_BYTE);
        if at >= region.end {
            continue;
        }
        choose(&mut bytes, text.get(at + 1).copied(), Some(text[at]));
        propose(at + 1, &bytes, -WHOLE_BYTE);
        let flips: [u8; 8] = std::array::from_fn(|bit| text[at] ^ 1 << bit);
        propose(at + 1, &flips, FLIP);
    }
    by_gain(edits)
}

/// Deletions of one byte in `region`, by gain.
pub fn single_deletions(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
) -> Vec<Edit<'static>> {
    by_gain(deletions(text, region, likelihood))
}

/// Known words in place of what is nearly the same in `region`, by gain.
pub fn words<'w>(text: &[u8], region: Range<usize>, likelihood: &'w Likelihood) -> Vec<Edit<'w>> {
    let mut edits = Vec::new();
    for run in runs(text, region) {
        for word in likelihood.words_near(&text[run.clone()], NEAR_WORDS) {
            let longer = word.len() as f32 - run.len() as f32;
            let gain = likelihood.gain(text, run.start, run.end, word) + USUAL_BYTE * longer;
            edits.push(Edit { at: run.start, end: run.end, new: word, gain });
        }
    }
    by_gain(edits)
}

/// Insertions and replacements of one byte in `region` by any that can be typed, by gain, at most
/// `most`: for what is unlike all that is known.
pub fn any_byte(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    most: usize,
) -> Vec<Edit<'static>> {
    let region = region.start..region.end.min(text.len());
    let mut edits = Vec::new();
    for at in region.clone() {
        for (end, prior) in [(at, USUAL_BYTE), (at + 1, -WHOLE_BYTE)] {
            let spot = likelihood.spot(text, at, end);
            edits.extend((b' '..=b'~').chain([b'\n', b'\t']).map(|new| {
                let gain = spot.gain(&[new]) + prior;
                Edit { at, end, new: byte(new), gain }
            }));
        }
    }
    let mut edits = by_gain(edits);
    edits.truncate(most);
    edits
}

/// Deletions of several bytes in `region`, the short ones first, at most `most`.
pub fn longer_deletions(
    text: &[u8],
    region: Range<usize>,
    likelihood: &Likelihood,
    most: usize,
) -> Vec<Edit<'static>> {
    let region = region.start..region.end.min(text.len());
    let mut edits = Vec::new();
    for length in 2..=region.len() {
        let mut same_length = Vec::new();
        for at in region.start..=region.end - length {
            let gain = likelihood.gain(text, at, at + length, b"") - USUAL_BYTE * length as f32;
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

fn deletions(text: &[u8], region: Range<usize>, likelihood: &Likelihood) -> Vec<Edit<'static>> {
    let region = region.start..region.end.min(text.len());
    let balance = Balance::of(text, region.clone());
    let edits = region.map(|at| {
        let paired = balance.gain(at, &text[at..at + 1], b"");
        let gain = likelihood.gain(text, at, at + 1, b"") + paired - USUAL_BYTE;
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
    common.truncate(COMMON);
    for byte in closer.into_iter().chain(STRUCTURAL.iter().copied()) {
        if !common.contains(&byte) {
            common.push(byte);
        }
    }
    common
}

/// Bytes that were seen behind the one in front, those first that were seen in front of the next.
fn suggested(likelihood: &Likelihood, in_front: u8, next: Option<u8>) -> Vec<u8> {
    let mut bytes = likelihood.behind(in_front).to_vec();
    let follows = |byte: u8| next.is_none_or(|next| likelihood.behind(byte).contains(&next));
    bytes.sort_by_key(|byte| (!follows(*byte), std::cmp::Reverse(likelihood.count(*byte))));
    bytes.truncate(COMMON);
    bytes
}

/// Sorts by gain; equals stay in the order in which they were made.
fn by_gain(mut edits: Vec<Edit<'_>>) -> Vec<Edit<'_>> {
    edits.sort_by(|left, right| right.gain.total_cmp(&left.gain));
    edits
}
