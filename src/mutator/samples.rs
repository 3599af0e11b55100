//! Samples of libFuzzer's own mutants: how many of its mutants are valid without us.
//!
//! No one tests a mutant of libFuzzer's before it runs. So some are kept and the validator looks at
//! them afterwards, a few in one go. Mutants of our mutants are left out: if
//! an ancestor is ours, many more are valid.

/// One mutant in this many is kept. With one in 64 a run of ten seconds had eight samples that were valid,
/// so twice as many are taken (docs/notes/2026-11-21-mutator.md).
const MUTANTS_PER_SAMPLE: u32 = 32;
/// Samples that are looked at in one job, because each job costs two switches between processes.
const SAMPLES_PER_LOOK: usize = 16;

/// Mutants that wait for a look.
#[derive(Debug)]
pub(super) struct FuzzerSamples {
    kept: Vec<Vec<u8>>,
    until_next: u32,
}

impl FuzzerSamples {
    /// None so far.
    pub(super) fn new() -> Self {
        FuzzerSamples { kept: Vec::new(), until_next: MUTANTS_PER_SAMPLE }
    }

    /// Keeps some of the mutants that libFuzzer would have made without us.
    pub(super) fn see(&mut self, mutant: &[u8], is_ours: bool) {
        if is_ours || self.kept.len() >= SAMPLES_PER_LOOK {
            return;
        }
        self.until_next -= 1;
        if self.until_next == 0 {
            self.until_next = MUTANTS_PER_SAMPLE;
            self.kept.push(mutant.to_vec());
        }
    }

    /// Gives them away, once there are enough for a look.
    pub(super) fn take(&mut self) -> Option<Vec<Vec<u8>>> {
        (self.kept.len() >= SAMPLES_PER_LOOK).then(|| std::mem::take(&mut self.kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_of_our_making_tells_how_many_libfuzzer_makes_valid() {
        let mut samples = FuzzerSamples::new();
        (0..2 * MUTANTS_PER_SAMPLE * SAMPLES_PER_LOOK as u32)
            .for_each(|_| samples.see(b"[]", true));
        assert_eq!(samples.take(), None);
        (0..2 * MUTANTS_PER_SAMPLE * SAMPLES_PER_LOOK as u32)
            .for_each(|_| samples.see(b"[]", false));
        assert_eq!(samples.take(), Some(vec![b"[]".to_vec(); SAMPLES_PER_LOOK]));
        assert_eq!(samples.take(), None, "each is looked at once");
    }
}
