//! Mutants that are mended: of the repairs of each the first that makes it valid.
//!
//! The repairs of a mutant are patches of the place where it differs from its valid parent. Which of them comes first
//! follows from what has helped before (`odds`).
//!
//! Nothing is searched for here: a mutant that none of its patches makes valid is left out. The search of `repair` is for
//! inputs of the corpus, because it may take 10 ms.

use std::time::{Duration, Instant};

use super::{MAX_TIME_PER_JOB, Repairer};
use crate::mutator::candidates::{Change, Patch, Technique};
use crate::mutator::job::{More, NO_ORIGIN};
use crate::mutator::odds::Odds;
use crate::mutator::pieces::CutText;
use crate::mutator::reached::Tester;
use crate::mutator::time_limit::TimeLimit;
use seedsmith_grammar::Random;

/// Time that one mutant may cost: with tests of microseconds hundreds of candidates, so that only a slow
/// validator is limited by it. Not measured.
const MAX_TIME_PER_MUTANT: Duration = Duration::from_micros(500);

impl Repairer {
    /// Mends mutants that libFuzzer has made of `parent`, and `more.count` mutants of pieces, and returns those that are
    /// valid then.
    ///
    /// None is longer than `max_size`. Ends after `MAX_TIME_PER_JOB` with what is done.
    pub(super) fn mutants(
        &mut self,
        tester: &mut Tester<'_>,
        parent: &[u8],
        (mutants, more): (&[&[u8]], More),
        max_size: usize,
    ) -> Vec<Vec<u8>> {
        let limit = TimeLimit::new(MAX_TIME_PER_JOB);
        let mut texts = Vec::new();
        self.random = Random::new(u64::from(more.seed));
        let cut = CutText::new(parent);
        for number in 0..mutants.len() + more.count {
            if limit.is_over() {
                break;
            }
            let text = match mutants.get(number) {
                Some(mutant) => self.mutant(tester, parent, mutant, max_size),
                None => match self.pieces.mutant(&cut, more.limit, &mut self.random) {
                    Some((mutant, _)) => self.mutant(tester, parent, &mutant, max_size),
                    None => None,
                },
            };
            texts.extend(text);
        }
        texts
    }

    /// The mutant, or the first of its repairs that is valid; `None` if there is none.
    ///
    /// Costs up to `Odds::MAX_RUNS_PER_MUTANT` tests and about `MAX_TIME_PER_MUTANT`.
    fn mutant(
        &mut self,
        tester: &mut Tester<'_>,
        parent: &[u8],
        mutant: &[u8],
        max_size: usize,
    ) -> Option<Vec<u8>> {
        let change = Change::between(parent, mutant)?;
        tester.origin = NO_ORIGIN;
        if tester.test(mutant).is_valid {
            return Some(mutant.to_vec());
        }
        let began = Instant::now();
        let mut lists: [Option<Vec<Patch>>; Technique::ALL.len()] = Default::default();
        let mut tried = Vec::new();
        let mut is_mended = false;
        for number in 0..self.odds.worthwhile() {
            let place = self.odds.places()[number];
            let list = &mut lists[place.technique as usize];
            let list = list.get_or_insert_with(|| change.candidates(place.technique));
            let Some(patch) = list.get(place.index) else { continue };
            if change.length(patch) > max_size {
                continue;
            }
            self.candidate.clear();
            change.write(patch, &mut self.candidate);
            tried.push(number);
            is_mended = tester.test(&self.candidate).is_valid;
            if is_mended
                || tried.len() >= Odds::MAX_RUNS_PER_MUTANT
                || began.elapsed() > MAX_TIME_PER_MUTANT
            {
                break;
            }
        }
        self.odds.tell(&tried, is_mended);
        is_mended.then(|| self.candidate.clone())
    }
}
