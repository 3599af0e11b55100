//! Shrinks the inputs of a corpus while what the corpus reaches stays.
//!
//! Inputs are shrunk one after the other, the largest first. What an input has to keep is decided
//! when its turn comes, so that of two inputs with a feature one always keeps it. Each result is run
//! in a new process before it takes the place of its input.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::internal::{FeatureText, features};
use seedsmith_engine::{Limits, Target};

use super::gather::{Batches, GatherError, Gatherer, Reached};
use super::keep::{Inner, KeepTarget, Keeps, Wanted};
use super::unstable::Unstable;
use crate::reduce::{Options, minimize};
use crate::search::Search;

/// What a shrunk input keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeepRule {
    /// All of its features.
    All,
    /// Those of its features that no other input of the corpus has.
    Unique,
    /// That it reaches one of these counters, in ascending order.
    Reaches(Vec<u32>),
}

impl KeepRule {
    /// What an input with the features of `list` has to keep; `is_unique` says which of them no other input has.
    fn of(&self, list: &FeatureText, is_unique: &dyn Fn(u32) -> bool) -> Wanted {
        match self {
            KeepRule::All => Wanted::All(features(list).collect()),
            KeepRule::Unique => Wanted::All(features(list).filter(|one| is_unique(*one)).collect()),
            KeepRule::Reaches(counters) => Wanted::Any(counters.clone()),
        }
    }

    /// The same beside inputs with the features of `others`.
    pub(crate) fn wanted<'f>(
        &self,
        list: &FeatureText,
        others: impl Iterator<Item = &'f FeatureText>,
    ) -> Wanted {
        let others: HashSet<u32> = others.flat_map(features).collect();
        self.of(list, &|feature| !others.contains(&feature))
    }
}

/// How inputs are shrunk.
#[derive(Clone, Debug)]
pub(crate) struct ShrinkOptions {
    /// What a shrunk input keeps.
    pub keep: KeepRule,
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run candidates at once; the answer is the same for any number.
    pub jobs: usize,
    /// Tests that may be spent on each input.
    pub max_tests: Option<u64>,
    /// What counts by chance, and is in no input's features.
    pub unstable: Unstable,
    /// How candidates are proposed.
    pub reduction: Options,
}

/// An input of the corpus.
#[derive(Clone, Debug)]
pub(crate) struct ShrinkInput {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its features.
    pub features: FeatureText,
}

/// What became of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shrunk {
    /// Its number in the order in which the inputs were given.
    pub index: usize,
    /// Its bytes before.
    pub bytes_before: usize,
    /// Its bytes now.
    pub bytes: usize,
    /// Features that it had to keep.
    pub kept: usize,
    /// Tests that were spent.
    pub tests: u64,
}

/// Shrinks `inputs` in place and gives `hear` what became of each, which may end it.
///
/// Every feature that some input had, some input has in the end, except with
/// [`KeepRule::Reaches`]. An input with nothing to keep stays as it is.
///
/// Costs a search for each input with something to keep, at most `max_tests` tests each, and a run
/// in a new process for each result. A smaller text that fails, or loses a feature that it has to keep, is
/// refused.
pub(crate) fn shrink_corpus(
    target: &dyn Target,
    inputs: &mut [ShrinkInput],
    options: &ShrinkOptions,
    interrupt: &Arc<AtomicBool>,
    hear: &mut dyn FnMut(Shrunk) -> ControlFlow<()>,
) -> Result<(), GatherError> {
    let mut holders: HashMap<u32, u32> = HashMap::new();
    for feature in inputs.iter().flat_map(|one| features(&one.features)) {
        *holders.entry(feature).or_default() += 1;
    }
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by(|one, other| {
        let (one, other) = (&inputs[*one].bytes, &inputs[*other].bytes);
        other.len().cmp(&one.len()).then_with(|| one.cmp(other))
    });
    for index in order {
        let ShrinkInput { bytes, features: reached } = &mut inputs[index];
        let wanted = options.keep.of(reached, &|feature| holders[&feature] == 1);
        let kept = match &wanted {
            Wanted::All(wanted) => wanted.len(),
            Wanted::Any(_) => usize::from(wanted.is_met_by(reached)),
        };
        let mut shrunk =
            Shrunk { index, bytes_before: bytes.len(), bytes: bytes.len(), kept, tests: 0 };
        if kept > 0 {
            let (best, tests) = shrink_one(target, bytes, wanted.clone(), options, interrupt)?;
            shrunk.tests = tests;
            if best.len() < bytes.len()
                && let Some(now) = reached_by(target, &best, options, interrupt)?
                && wanted.is_met_by(&now)
            {
                for feature in features(reached) {
                    *holders.entry(feature).or_default() -= 1;
                }
                for feature in features(&now) {
                    *holders.entry(feature).or_default() += 1;
                }
                (*bytes, *reached) = (best, now);
                shrunk.bytes = bytes.len();
            }
        }
        if hear(shrunk).is_break() {
            break;
        }
    }
    Ok(())
}

/// The smallest input found that has the wanted features, and the number of tests.
///
/// Fails only if the target cannot be run any more; a budget that ends leaves the best until then.
fn shrink_one(
    target: &dyn Target,
    input: &[u8],
    wanted: Wanted,
    options: &ShrinkOptions,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Vec<u8>, u64), GatherError> {
    let target = KeepTarget::new(Inner::Shared(target), wanted, options.unstable.clone());
    let budget =
        Budget { max_tests: options.max_tests, interrupt: interrupt.clone(), ..Budget::default() };
    let mut oracle = Oracle::new(&target, Keeps, options.jobs, budget)?;
    oracle.set_limits(options.limits);
    let mut quiet = |_: &crate::event::Event<'_>| {};
    let mut search = Search::new(&mut oracle, input.to_vec(), &mut quiet);
    // Fuzzers pass over empty files.
    search.take_only(Box::new(|candidate| !candidate.is_empty()));
    match minimize(&mut search, &options.reduction) {
        // A budget ended: the best until then is the result.
        Ok(()) | Err(Stopped::Early(_)) => {}
        Err(Stopped::Target(error)) => return Err(error.into()),
    }
    Ok((search.best().to_vec(), search.counts().tests))
}

/// What an input reaches in a new process; `None` if it fails there.
///
/// Costs a new process.
fn reached_by(
    target: &dyn Target,
    input: &[u8],
    options: &ShrinkOptions,
    interrupt: &AtomicBool,
) -> Result<Option<FeatureText>, GatherError> {
    let mut answer = None;
    let mut hear = |(), reached| {
        if let Reached::Kept(features) | Reached::Rejected(features) = reached {
            answer = Some(options.unstable.stable_part(&features));
        }
    };
    let mut gatherer = Gatherer::new(target, 1, options.limits)?;
    gatherer.run(Batches::ALONE, [((), input.to_vec())], &mut hear, interrupt)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::super::keep::testing::{ByteValues, values};
    use super::*;
    use std::collections::BTreeSet;

    fn shrunk(texts: &[&str], keep: KeepRule) -> Vec<String> {
        let mut inputs: Vec<ShrinkInput> = texts
            .iter()
            .map(|text| ShrinkInput {
                bytes: text.as_bytes().to_vec(),
                features: FeatureText::of(&values(text.as_bytes())),
            })
            .collect();
        let options = ShrinkOptions {
            keep,
            limits: Limits::default(),
            jobs: 1,
            max_tests: None,
            unstable: Unstable::default(),
            reduction: Options::default(),
        };
        let never = Arc::new(AtomicBool::new(false));
        let mut heard = BTreeSet::new();
        let mut hear = |one: Shrunk| {
            heard.insert(one.index);
            ControlFlow::Continue(())
        };
        shrink_corpus(&ByteValues, &mut inputs, &options, &never, &mut hear).unwrap();
        assert_eq!(heard.len(), inputs.len());
        inputs.into_iter().map(|one| String::from_utf8(one.bytes).unwrap()).collect()
    }

    #[test]
    fn an_input_keeps_all_its_features_in_as_few_bytes_as_they_take() {
        let kept = shrunk(&["abcabcabc", "aaaa"], KeepRule::All);
        let of = |text: &str| text.chars().collect::<BTreeSet<_>>();
        assert_eq!((kept[0].len(), of(&kept[0])), (3, of("abc")));
        assert_eq!(kept[1], "a");
    }

    #[test]
    fn a_feature_of_two_inputs_stays_in_one_of_them() {
        let kept = shrunk(&["xxabab", "yyab", "ab-"], KeepRule::Unique);
        let all: BTreeSet<char> = kept.iter().flat_map(|text| text.chars()).collect();
        assert_eq!(all, "abxy-".chars().collect());
        assert_eq!(kept.iter().map(String::len).sum::<usize>(), 5, "{kept:?}");
        assert_eq!((kept[0].as_str(), kept[1].as_str()), ("x", "y"));
    }

    #[test]
    fn an_input_is_never_shrunk_to_an_empty_one() {
        assert_eq!(shrunk(&["aaa"], KeepRule::Unique), ["a"]);
        let any = Wanted::All(Vec::new());
        let options = ShrinkOptions {
            keep: KeepRule::All,
            limits: Limits::default(),
            jobs: 1,
            max_tests: None,
            unstable: Unstable::default(),
            reduction: Options::default(),
        };
        let never = Arc::new(AtomicBool::new(false));
        let (best, _) = shrink_one(&ByteValues, b"abc", any, &options, &never).unwrap();
        assert_eq!(best.len(), 1);
    }

    #[test]
    fn an_input_that_reaches_a_counter_shrinks_to_that_and_others_stay() {
        let kept = shrunk(&["some q text", "other"], KeepRule::Reaches(vec![u32::from(b'q')]));
        assert_eq!(kept, ["q", "other"]);
    }
}
