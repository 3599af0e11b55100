//! How likely a byte is after the bytes before it, learnt from the damaged text itself.
//!
//! A wider context than [`Likelihood`](crate::repair::likelihood::Likelihood) has: it orders a few
//! hundred edits near one place, each of which may cost a process, where the other orders many
//! thousands. Counts of one to six bytes are mixed by Witten and Bell's rule; what is judged is not
//! counted for itself.

use seedsmith_grammar::digest::NumberMap;

/// The longest run of bytes that is counted.
const ORDER: usize = 6;
/// Bytes that are learnt, at most: some 20 MB of counts.
const MAX_LEARNT_BYTES: usize = 128 << 10;

/// Counts of runs of bytes.
pub struct Model {
    /// Runs of each length by their hash: how often, and how many bytes follow them.
    runs: NumberMap<u64, Count>,
    total: u32,
}

#[derive(Clone, Copy, Default)]
struct Count {
    times: u32,
    /// Different bytes that follow the run.
    followers: u16,
}

impl Model {
    /// Learns a text.
    pub fn of(text: &[u8]) -> Self {
        let text = &text[..text.len().min(MAX_LEARNT_BYTES)];
        let mut runs: NumberMap<u64, Count> = NumberMap::default();
        for end in 1..=text.len() {
            for length in 1..=ORDER.min(end) {
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

    /// The logarithm of the probability of `byte` after `before`; `own` is 1 where this very place
    /// was learnt, else 0.
    fn log(&self, before: &[u8], byte: u8, own: u32) -> f32 {
        let mut run = [0; ORDER];
        let length = before.len().min(ORDER - 1);
        run[..length].copy_from_slice(&before[before.len() - length..]);
        run[length] = byte;
        let run = &run[..=length];
        let once = self.count(&run[length..]).times.saturating_sub(own);
        let mut probability = (once as f32 + 0.1) / (self.total as f32 + 25.6);
        for start in (0..length).rev() {
            let context = self.count(&run[start..length]);
            let times = context.times.saturating_sub(own) as f32;
            if times == 0.0 {
                break;
            }
            let seen = self.count(&run[start..]).times.saturating_sub(own) as f32;
            let is_only_here = own == 1 && seen == 0.0;
            let followers = (f32::from(context.followers) - f32::from(u8::from(is_only_here))).max(1.0);
            probability = (seen + followers * probability) / (times + followers);
        }
        probability.ln()
    }

    fn count(&self, run: &[u8]) -> Count {
        self.runs.get(&key(run)).copied().unwrap_or_default()
    }

    /// How much likelier a text becomes by putting `new` in place of `text[at..end]`: a difference
    /// of logarithms.
    pub fn gain(&self, text: &[u8], at: usize, end: usize, new: &[u8]) -> f32 {
        let from = at.saturating_sub(ORDER - 1);
        let until = text.len().min(end + ORDER - 1);
        let after = [&text[from..at], new, &text[end..until]].concat();
        self.sum(&after, at - from, 0) - self.sum(&text[from..until], at - from, 1)
    }

    /// The logarithm of the probability of `bytes[first..]` after what is in front of it.
    fn sum(&self, bytes: &[u8], first: usize, own: u32) -> f32 {
        (first..bytes.len()).map(|at| self.log(&bytes[..at], bytes[at], own)).sum()
    }

    /// How unlikely each byte of `text[from..until]` is: the negative logarithms.
    pub fn surprises(&self, text: &[u8], from: usize, until: usize) -> Vec<f32> {
        let start = |at: usize| at.saturating_sub(ORDER - 1);
        (from..until).map(|at| -self.log(&text[start(at)..at], text[at], 1)).collect()
    }

    /// Whether `second` was ever seen after `first`.
    pub fn has_seen(&self, first: u8, second: u8) -> bool {
        self.count(&[first, second]).times > 0
    }
}

/// A run as a number: its bytes and its length.
fn key(run: &[u8]) -> u64 {
    run.iter().fold(run.len() as u64, |key, byte| key << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoing_the_damage_is_the_likeliest_edit() {
        let text = b"<item>one</item>\n<item>two</item>\n<itm>three</item>\n<item>four</item>\n";
        let model = Model::of(text);
        let at = memchr::memmem::find(text, b"itm").unwrap() + 2;
        let right = model.gain(text, at, at, b"e");
        for other in [b"a", b"t", b"<", b"o"] {
            assert!(model.gain(text, at, at, other) < right);
        }
        let surprises = model.surprises(text, 0, text.len());
        let worst = (34..51).max_by(|a, b| surprises[*a].total_cmp(&surprises[*b])).unwrap();
        assert!((at - 1..=at + 1).contains(&worst), "{worst}");
    }
}
