//! The inputs of a kit: other inputs that fail, and inputs that are nearly the same and pass.
//!
//! A fix is right if it handles every failing input and changes nothing for the others. So a kit
//! needs inputs on both sides of the boundary. Most of them are known already: the inputs of the
//! pattern, and what the search has tested. The rest is drawn here: inputs of the grammar, and
//! small edits of the minimized and of the original input.

mod edits;

use std::collections::HashSet;

use seedsmith_engine::Outcome;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::Digest;

use super::pattern::Pattern;
use super::predicate::inputs::mutants::{Base, Mutants};
use crate::repair::distance::bounded;
use edits::Edits;

/// Failing inputs of a kit, and passing ones, at most, because each of them is run for every fix that is
/// judged.
pub(crate) const MAX_KIT_INPUTS: usize = 20;
/// Tests of mutants from which a kit's failing inputs are chosen if the pattern gives fewer, so that a
/// kit of 20 can be filled if one in seven mutants fails.
const MAX_MUTANT_TESTS: usize = 150;
/// Tests of edits of one input, for passing inputs, and for failing ones if the others are too few. With
/// those of mutants and of the original's edits a kit costs at most 750 tests. Not measured.
const MAX_EDIT_TESTS: usize = 300;
/// Passing inputs of one source that are enough, so that the nearest 20 of them are near.
const ENOUGH_PASSING_INPUTS: usize = 3 * MAX_KIT_INPUTS;
/// Steps of one comparison, about half a millisecond; a distance beyond them counts as large because only
/// the nearest inputs are kept.
const MAX_DISTANCE_STEPS: u64 = 200_000;
/// Original inputs beyond this size are not edited, and not kept in a kit, because a kit is committed to
/// a repository.
pub(crate) const MAX_ORIGINAL_BYTES: usize = 1 << 20;

/// What the inputs of a kit are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources<'s> {
    /// The input as it was given.
    pub original: &'s [u8],
    /// Inputs of the pattern that were tested and fail.
    pub produced: &'s [Vec<u8>],
    /// What the search has tested, and whether it failed.
    pub tested: &'s [(Vec<u8>, bool)],
}

/// The inputs of a kit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KitInputs {
    /// Inputs that fail in the same way, other than the minimized and the original one.
    pub failing: Vec<Vec<u8>>,
    /// Inputs that pass, the nearest to the minimized one first.
    pub passing: Vec<Vec<u8>>,
    /// Why it was stopped early.
    pub stopped: Option<StopReason>,
}

/// Collects the inputs of a kit. The oracle's judge has to distinguish inputs that pass from rejected ones. Cost: at most 750 tests.
///
/// Inputs that were tested before are taken first, because they cost nothing.
pub(crate) fn collect(
    oracle: &mut Oracle<'_>,
    pattern: &Pattern,
    sources: Sources<'_>,
    seed: u64,
) -> Result<KitInputs, Stopped> {
    let minimal = &pattern.subject.input;
    let known = [minimal.as_slice(), sources.original];
    let mut found = Collector {
        seen: known.iter().map(|one| Digest::of(one)).collect(),
        ..Collector::default()
    };
    for input in sources.produced {
        found.add(input, Outcome::Fail, true);
    }
    for (input, fails) in sources.tested {
        let outcome = if *fails { Outcome::Fail } else { Outcome::Pass };
        found.add(input, outcome, true);
    }
    let ended = found.draw(oracle, pattern, sources.original, seed);
    let stopped = match ended {
        Ok(()) => None,
        Err(Stopped::Early(reason)) => Some(reason),
        Err(stopped) => return Err(stopped),
    };
    found.failing.truncate(MAX_KIT_INPUTS);
    Ok(KitInputs { failing: found.failing, passing: nearest(minimal, found.passing), stopped })
}

/// The inputs collected up to now, each once.
#[derive(Default)]
struct Collector {
    seen: HashSet<Digest>,
    failing: Vec<Vec<u8>>,
    /// Passing inputs, each with whether it is one of the grammar or of the pattern.
    passing: Vec<(Vec<u8>, bool)>,
}

impl Collector {
    /// Keeps an input that is new and fails or passes.
    ///
    /// Rejected inputs say nothing about a fix, so they are left out.
    fn add(&mut self, input: &[u8], outcome: Outcome, is_drawn: bool) {
        if outcome == Outcome::Unresolved || !self.seen.insert(Digest::of(input)) {
            return;
        }
        match outcome {
            Outcome::Fail => self.failing.push(input.to_vec()),
            _ => self.passing.push((input.to_vec(), is_drawn)),
        }
    }

    /// How many passing inputs of that source there are.
    fn count(&self, is_drawn: bool) -> usize {
        self.passing.iter().filter(|(_, drawn)| *drawn == is_drawn).count()
    }

    /// Tests inputs of the grammar, then edits, until there are enough of both kinds.
    ///
    /// Costs at most `MAX_MUTANT_TESTS` and twice `MAX_EDIT_TESTS` tests. Without a grammar no
    /// mutants are drawn.
    fn draw(
        &mut self,
        oracle: &mut Oracle<'_>,
        pattern: &Pattern,
        original: &[u8],
        seed: u64,
    ) -> Result<(), Stopped> {
        let mut mutants = Mutants::new(&pattern.subject, &self.failing, seed);
        for _ in 0..MAX_MUTANT_TESTS {
            if pattern.subject.language.is_none()
                || (self.failing.len() >= MAX_KIT_INPUTS
                    && self.count(true) >= ENOUGH_PASSING_INPUTS)
            {
                break;
            }
            if let Some((_, input)) = mutants.next(Base::Failing) {
                self.test(oracle, &input, true)?;
            }
        }
        let minimal = &pattern.subject.input;
        for input in Edits::new(minimal, minimal, seed).take(MAX_EDIT_TESTS) {
            if self.failing.len() >= MAX_KIT_INPUTS && self.count(false) >= ENOUGH_PASSING_INPUTS {
                break;
            }
            self.test(oracle, &input, false)?;
        }
        // Most parts of the original input have nothing to do with the failure.
        if original.len() <= MAX_ORIGINAL_BYTES && original != minimal {
            for input in Edits::new(original, minimal, seed).take(MAX_EDIT_TESTS) {
                if self.failing.len() >= MAX_KIT_INPUTS {
                    break;
                }
                self.test(oracle, &input, false)?;
            }
        }
        Ok(())
    }

    /// Costs no test if the input was met before.
    fn test(&mut self, oracle: &mut Oracle<'_>, input: &[u8], drawn: bool) -> Result<(), Stopped> {
        if !self.seen.contains(&Digest::of(input)) {
            let outcome = oracle.outcome(input)?;
            self.add(input, outcome, drawn);
        }
        Ok(())
    }
}

/// The nearest of the passing inputs: half of them drawn, as far as there are such, since a fix that
/// refuses too much is seen best on inputs that are valid.
///
/// At most `MAX_KIT_INPUTS`, the nearest first. Distances are those of single bytes, counted up
/// to `MAX_DISTANCE_STEPS`.
fn nearest(minimal: &[u8], passing: Vec<(Vec<u8>, bool)>) -> Vec<Vec<u8>> {
    let mut ranked: Vec<(usize, Vec<u8>, bool)> = passing
        .into_iter()
        .map(|(input, drawn)| {
            let distance = bounded(minimal, &input, usize::MAX, MAX_DISTANCE_STEPS).at_most;
            (distance, input, drawn)
        })
        .collect();
    ranked.sort_by_key(|one| one.0);
    let (drawn, edited): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|one| one.2);
    let of_edited = MAX_KIT_INPUTS - drawn.len().min(MAX_KIT_INPUTS / 2);
    let of_drawn = MAX_KIT_INPUTS - edited.len().min(of_edited);
    let mut kept: Vec<_> =
        drawn.into_iter().take(of_drawn).chain(edited.into_iter().take(of_edited)).collect();
    kept.sort_by_key(|one| one.0);
    kept.into_iter().map(|(_, input, _)| input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::judge::AmongValid;
    use crate::generalize::subject;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::internal::Budget;
    use seedsmith_engine::{Kind, Signature};
    use seedsmith_engine::{Observation, Verdict};

    fn judge() -> AmongValid {
        let signature = Signature::of_kind(Kind::Command);
        AmongValid(SameFailure { signature, sameness: Sameness::default() })
    }

    fn samples(original: &[u8], minimal: &[u8], run: fn(&[u8]) -> Observation) -> KitInputs {
        let target = ClosureTarget::observing(run);
        let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
        let (subject, _) = subject(minimal.to_vec(), None);
        let pattern = Pattern { subject, slots: Vec::new(), unknown: Vec::new() };
        let sources = Sources { original, produced: &[], tested: &[] };
        collect(&mut oracle, &pattern, sources, 0).unwrap()
    }

    fn by_hash(input: &[u8]) -> Observation {
        let fails = input.windows(2).any(|pair| pair == b"{#");
        match fails {
            true => Observation::Failed(Signature::of_kind(Kind::Command).into()),
            false if input.contains(&b'!') => Observation::Returned(Verdict::Reject),
            false => Observation::Returned(Verdict::Keep),
        }
    }

    #[test]
    fn both_sides_of_the_boundary_are_found_without_a_grammar() {
        let original = b"a template {# with a comment";
        let found = samples(original, b"{#", by_hash);
        assert_eq!((found.failing.len(), found.passing.len()), (MAX_KIT_INPUTS, MAX_KIT_INPUTS));
        let all = found.failing.iter().chain(&found.passing);
        let distinct: HashSet<&Vec<u8>> = all.collect();
        assert_eq!(distinct.len(), 2 * MAX_KIT_INPUTS);
        for input in &found.failing {
            assert!(matches!(by_hash(input), Observation::Failed(_)));
            assert!(input != b"{#" && input.as_slice() != original);
        }
        for input in &found.passing {
            assert_eq!(by_hash(input), Observation::Returned(Verdict::Keep));
        }
        let distances = found.passing.iter().map(|one| bounded(b"{#", one, 99, u64::MAX).at_most);
        assert!(distances.is_sorted(), "{:?}", found.passing);
    }

    #[test]
    fn an_input_whose_every_byte_counts_has_no_other_failing_ones() {
        fn exactly(input: &[u8]) -> Observation {
            match input == b"magic" {
                true => Observation::Failed(Signature::of_kind(Kind::Command).into()),
                false => Observation::Returned(Verdict::Keep),
            }
        }
        let found = samples(b"magic", b"magic", exactly);
        assert_eq!((found.failing.len(), found.passing.len()), (0, MAX_KIT_INPUTS));
        assert!(found.passing.iter().all(|one| bounded(b"magic", one, 9, u64::MAX).at_most == 1));
    }
}
