//! How likely a byte is after the bytes before it, learnt from the damaged text itself.
//!
//! A wider context than [`Likelihood`](crate::repair::likelihood::Likelihood) has: it orders a few
//! hundred edits near one place, each of which may cost a process, where the other orders many
//! thousands. Counts of one to six bytes are mixed by Witten and Bell's rule; what is judged is not
//! counted for itself.

use seedsmith_grammar::internal::NumberMap;

/// The longest run of bytes that is counted: six, so that a run and its length fit into one number.
const MAX_CONTEXT_BYTES: usize = 6;
/// Bytes that are learnt, at most, because their counts take some 20 MB.
const MAX_LEARNT_BYTES: usize = 128 << 10;

/// Counts of runs of bytes.
pub(super) struct Model {
    /// Runs of each length by their hash: how often, and how many bytes follow them.
    runs: NumberMap<u64, Count>,
    total: u32,
}

/// The bytes that were seen after a run.
#[derive(Clone, Copy, Default)]
struct Count {
    times: u32,
    /// Different bytes that follow the run.
    followers: u16,
}

impl Model {
    /// Learns a text.
    ///
    /// Cost: six entries of a table for each byte, up to `MAX_LEARNT_BYTES`.
    pub(super) fn of(text: &[u8]) -> Self {
        let text = &text[..text.len().min(MAX_LEARNT_BYTES)];
        let mut runs: NumberMap<u64, Count> = NumberMap::default();
        for end in 1..=text.len() {
            for length in 1..=MAX_CONTEXT_BYTES.min(end) {
                let run = &text[end - length..end];
                let count = runs.entry(key(run)).or_default();
                count.times += 1;
                if count.times == 1 && length > 1 {
                    runs.entry(key(&run[..length - 1])).or_default().followers += 1;
                }
            }
        }
        Model { runs, total: text.len() as u32 }
    }

    /// The logarithm of the probability of `byte` after `before`, without the runs of `own`.
    ///
    /// Witten and Bell's rule: the longer context decides the more, the fewer different bytes were
    /// seen after it. `own` holds the runs that are left out, ascending.
    fn log(&self, before: &[u8], byte: u8, own: &[u64]) -> f32 {
        let mut run = [0; MAX_CONTEXT_BYTES];
        let length = before.len().min(MAX_CONTEXT_BYTES - 1);
        run[..length].copy_from_slice(&before[before.len() - length..]);
        run[length] = byte;
        let run = &run[..=length];
        let once = self.times(&run[length..], own).0;
        let mut probability = (once + 0.1) / (self.total as f32 + 25.6);
        for start in (0..length).rev() {
            let (times, followers) = self.times(&run[start..length], own);
            if times <= 0.0 {
                break;
            }
            let (seen, _) = self.times(&run[start..], own);
            let followers = f32::from(followers).clamp(1.0, times);
            probability = (seen.min(times) + followers * probability) / (times + followers);
        }
        probability.ln()
    }

    /// How often a run was seen outside the judged bytes, and how many bytes follow it.
    ///
    /// Runs of `own` are taken off once for each time that they are in it.
    fn times(&self, run: &[u8], own: &[u64]) -> (f32, u16) {
        let key = key(run);
        let Some(count) = self.runs.get(&key) else { return (0.0, 0) };
        let first = own.partition_point(|other| *other < key);
        let own = own[first..].iter().take_while(|other| **other == key).count() as u32;
        (count.times.saturating_sub(own) as f32, count.followers)
    }

    /// Of a run that was never seen all counts are 0.
    fn count(&self, run: &[u8]) -> Count {
        self.runs.get(&key(run)).copied().unwrap_or_default()
    }

    /// The bytes `text[at..end]`, to be compared with others in their place.
    ///
    /// Cost: the runs of up to six bytes that touch the span, which are counted once for all edits
    /// of it.
    pub(super) fn replaceable<'t>(&self, text: &'t [u8], at: usize, end: usize) -> Replaceable<'t> {
        let from = at.saturating_sub(MAX_CONTEXT_BYTES - 1);
        let until = text.len().min(end + MAX_CONTEXT_BYTES - 1);
        let mut own: Vec<u64> = (at..until)
            .flat_map(|last| {
                (1..=MAX_CONTEXT_BYTES.min(last + 1)).map(move |n| key(&text[last + 1 - n..=last]))
            })
            .collect();
        own.sort_unstable();
        let (before, after) = (&text[from..at], &text[end..until]);
        let loss = self.sum(&text[from..until], before.len(), &own);
        Replaceable { at, end, before, after, own, loss }
    }

    /// How much likelier a text becomes by putting `new` at a spot: a difference of logarithms.
    ///
    /// Positive if the text becomes likelier. Cost: some microseconds, so that a few hundred edits
    /// can be compared.
    pub(super) fn gain(&self, replaceable: &Replaceable<'_>, new: &[u8]) -> f32 {
        let text = [replaceable.before, new, replaceable.after].concat();
        self.sum(&text, replaceable.before.len(), &replaceable.own) - replaceable.loss
    }

    /// The logarithm of the probability of `bytes[first..]` after the bytes before it.
    ///
    /// Each byte is judged with up to five bytes before it.
    fn sum(&self, bytes: &[u8], first: usize, own: &[u64]) -> f32 {
        (first..bytes.len()).map(|at| self.log(&bytes[..at], bytes[at], own)).sum()
    }

    /// How unlikely each byte of `text[from..until]` is: the negative logarithms, small for a byte
    /// that the text has in the same context elsewhere.
    pub(super) fn surprises(&self, text: &[u8], from: usize, until: usize) -> Vec<f32> {
        let surprise = |at: usize| {
            let own = |n| key(&text[at + 1 - n..=at]);
            let mut own: Vec<u64> = (1..=MAX_CONTEXT_BYTES.min(at + 1)).map(own).collect();
            own.sort_unstable();
            -self.log(&text[at.saturating_sub(MAX_CONTEXT_BYTES - 1)..at], text[at], &own)
        };
        (from..until).map(surprise).collect()
    }

    /// Whether `second` was ever seen after `first`.
    ///
    /// Anywhere in the learnt text, the judged place included.
    pub(super) fn has_seen(&self, first: u8, second: u8) -> bool {
        self.count(&[first, second]).times > 0
    }
}

/// Bytes that may be replaced, and the bytes around them. The runs of bytes that they are part of are
/// not counted when something is judged there: moved bytes would be known by themselves.
pub(super) struct Replaceable<'t> {
    /// Where they begin.
    pub at: usize,
    /// Where they end.
    pub end: usize,
    before: &'t [u8],
    after: &'t [u8],
    own: Vec<u64>,
    loss: f32,
}

/// A run as a number: its bytes and its length.
///
/// The run has at most six bytes, so the number is unique.
fn key(run: &[u8]) -> u64 {
    run.iter().fold(run.len() as u64, |key, byte| key << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_two_words_is_no_likelier_because_both_are_known() {
        let text = b"<r>\n<a>one</a>\n<b>two x</b>\n<c>three y z</c>\n<d>four</d>\n</r>";
        let model = Model::of(text);
        let at = memchr::memmem::find(text, b"three y").unwrap();
        let gain = model.gain(&model.replaceable(text, at, at + 7), b"y three");
        assert!(gain < 4.0, "{gain}");
    }

    #[test]
    fn undoing_the_damage_is_the_likeliest_edit() {
        let text = b"<item>one</item>\n<item>two</item>\n<itm>three</item>\n<item>four</item>\n";
        let model = Model::of(text);
        let at = memchr::memmem::find(text, b"itm").unwrap() + 2;
        let replaceable = model.replaceable(text, at, at);
        let right = model.gain(&replaceable, b"e");
        for other in [b"a", b"t", b"<", b"o"] {
            assert!(model.gain(&replaceable, other) < right);
        }
        let surprises = model.surprises(text, 0, text.len());
        let worst = (34..40).max_by(|a, b| surprises[*a].total_cmp(&surprises[*b])).unwrap();
        assert!((at - 1..=at + 1).contains(&worst), "{worst}");
    }
}
