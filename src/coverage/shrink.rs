//! Shrinks the inputs of a corpus while what the corpus reaches stays.
//!
//! What each input has to keep is decided before the first one is shrunk, by the features of all inputs. So what becomes of
//! an input depends on no other result, and several machines can share a corpus. Of two inputs with a feature one
//! always keeps it. Each result is run in a new process before it takes the place of its input.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::internal::{FeatureText, features};
use seedsmith_engine::{Limits, Target};

use super::gather::{Batches, GatherError, Gatherer, Reached, ToRun};
use super::keep::{Inner, KeepTarget, Keeps, Wanted};
use super::unstable::Unstable;
use crate::reduce::{Options, minimize};
use crate::search::Search;

/// What a shrunk input keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeepRule {
    /// All of its features.
    All,
    /// Those of its features that no other input of the corpus keeps.
    Unique,
    /// That it reaches one of these counters, in ascending order.
    Reaches(Vec<u32>),
}

impl KeepRule {
    /// What an input with the features of `list` has to keep; `is_unique` says which of them no other input keeps.
    fn of(&self, list: &FeatureText, is_unique: &mut dyn FnMut(u32) -> bool) -> Wanted {
        match self {
            KeepRule::All => Wanted::All(features(list).collect()),
            KeepRule::Unique => Wanted::All(features(list).filter(|one| is_unique(*one)).collect()),
            KeepRule::Reaches(counters) => Wanted::Any(counters.clone()),
        }
    }

    /// What each input of a corpus has to keep. Of several inputs with a feature, [`KeepRule::Unique`] takes the first.
    ///
    /// With the smallest input first, the large ones have little to keep.
    pub(crate) fn wanted_of_all<'f>(
        &self,
        lists: impl Iterator<Item = &'f FeatureText>,
    ) -> Vec<Wanted> {
        let mut taken = HashSet::new();
        lists.map(|list| self.of(list, &mut |feature| taken.insert(feature))).collect()
    }

    /// The same beside inputs with the features of `others`.
    pub(crate) fn wanted<'f>(
        &self,
        list: &FeatureText,
        others: impl Iterator<Item = &'f FeatureText>,
    ) -> Wanted {
        let others: HashSet<u32> = others.flat_map(features).collect();
        self.of(list, &mut |feature| !others.contains(&feature))
    }
}

/// How inputs are shrunk.
#[derive(Clone, Debug)]
pub(crate) struct ShrinkOptions {
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run candidates at once; the answer is the same for any number.
    pub jobs: usize,
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
    /// Those that it has to keep.
    pub wanted: Wanted,
    /// Tests that may be spent on it.
    pub max_tests: Option<u64>,
}

/// What became of one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Whether it had no tests left.
    pub is_cut_short: bool,
}

/// Shrinks `inputs` in place and gives `hear` what became of each, which may end it.
///
/// An input with nothing to keep stays as it is.
///
/// Costs a search for each input with something to keep, and a run in a new process for each result. A smaller text
/// that fails, or loses a feature that it has to keep, is refused.
pub(crate) fn shrink_corpus(
    target: &dyn Target,
    inputs: &mut [ShrinkInput],
    options: &ShrinkOptions,
    interrupt: &Arc<AtomicBool>,
    hear: &mut dyn FnMut(Shrunk) -> ControlFlow<()>,
) -> Result<(), GatherError> {
    for (index, input) in inputs.iter_mut().enumerate() {
        let kept = match &input.wanted {
            Wanted::All(wanted) => wanted.len(),
            Wanted::Any(_) => usize::from(input.wanted.is_met_by(&input.features)),
        };
        let bytes_before = input.bytes.len();
        let mut shrunk = Shrunk { index, bytes_before, kept, ..Shrunk::default() };
        if kept > 0 {
            let (best, tests) = shrink_one(target, input, options, interrupt)?;
            shrunk.tests = tests;
            shrunk.is_cut_short = input.max_tests.is_some_and(|max_tests| tests >= max_tests);
            if best.len() < bytes_before
                && let Some(now) = reached_by(target, &best, options, interrupt)?
                && input.wanted.is_met_by(&now)
            {
                (input.bytes, input.features) = (best, now);
            }
        }
        shrunk.bytes = input.bytes.len();
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
    input: &ShrinkInput,
    options: &ShrinkOptions,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Vec<u8>, u64), GatherError> {
    let wanted = input.wanted.clone();
    let target = KeepTarget::new(Inner::Shared(target), wanted, options.unstable.clone());
    let (max_tests, interrupt) = (input.max_tests, interrupt.clone());
    let budget = Budget { max_tests, interrupt, ..Budget::default() };
    let mut oracle = Oracle::new(&target, Keeps, options.jobs, budget)?;
    oracle.set_limits(options.limits);
    let mut quiet = |_: &crate::event::Event<'_>| {};
    let mut search = Search::new(&mut oracle, input.bytes.clone(), &mut quiet);
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
    let input = ToRun { input: (), bytes: Arc::new(input.to_vec()), begins: true, expected: None };
    gatherer.run(Batches::ALONE, [input], &mut hear, interrupt)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::super::keep::testing::{ByteValues, values};
    use super::*;
    use std::collections::BTreeSet;

    fn options() -> ShrinkOptions {
        ShrinkOptions {
            limits: Limits::default(),
            jobs: 1,
            unstable: Unstable::default(),
            reduction: Options::default(),
        }
    }

    /// Inputs of which each keeps something by itself. `texts` come by size, as in a survey.
    fn inputs(texts: &[&str], keep: &KeepRule) -> Vec<ShrinkInput> {
        let lists = texts.iter().map(|text| FeatureText::of(&values(text.as_bytes())));
        let lists: Vec<FeatureText> = lists.collect();
        let wanted = keep.wanted_of_all(lists.iter());
        let input = |((text, features), wanted): ((&&str, FeatureText), Wanted)| ShrinkInput {
            bytes: text.as_bytes().to_vec(),
            features,
            wanted,
            max_tests: None,
        };
        texts.iter().zip(lists).zip(wanted).map(input).collect()
    }

    fn run(inputs: &mut [ShrinkInput]) -> Vec<Shrunk> {
        let mut heard = Vec::new();
        let mut hear = |one: Shrunk| {
            heard.push(one);
            ControlFlow::Continue(())
        };
        let never = Arc::new(AtomicBool::new(false));
        shrink_corpus(&ByteValues, inputs, &options(), &never, &mut hear).unwrap();
        assert!(heard.iter().map(|one| one.index).eq(0..inputs.len()));
        heard
    }

    fn shrunk(texts: &[&str], keep: &KeepRule) -> Vec<String> {
        let mut inputs = inputs(texts, keep);
        run(&mut inputs);
        inputs.into_iter().map(|one| String::from_utf8(one.bytes).unwrap()).collect()
    }

    #[test]
    fn an_input_keeps_all_its_features_in_as_few_bytes_as_they_take() {
        let kept = shrunk(&["aaaa", "abcabcabc"], &KeepRule::All);
        let of = |text: &str| text.chars().collect::<BTreeSet<_>>();
        assert_eq!((kept[1].len(), of(&kept[1])), (3, of("abc")));
        assert_eq!(kept[0], "a");
    }

    #[test]
    fn a_feature_of_two_inputs_stays_in_the_first_of_them() {
        let kept = shrunk(&["ab-", "yyab", "xxabab"], &KeepRule::Unique);
        let all: BTreeSet<char> = kept[0].chars().collect();
        assert_eq!((kept[0].len(), all), (3, "ab-".chars().collect()));
        assert_eq!((kept[1].as_str(), kept[2].as_str()), ("y", "x"));
    }

    #[test]
    fn what_an_input_becomes_depends_on_no_other_result() {
        let texts = ["ab-", "ab--", "abcc", "bdca"];
        let together = shrunk(&texts, &KeepRule::Unique);
        for (at, text) in together.iter().enumerate() {
            let mut inputs = inputs(&texts, &KeepRule::Unique);
            run(&mut inputs[at..=at]);
            assert_eq!(inputs[at].bytes, text.as_bytes());
        }
        // The second has nothing that the first does not keep.
        assert_eq!(together[1], "ab--");
    }

    #[test]
    fn an_input_is_never_shrunk_to_an_empty_one() {
        assert_eq!(shrunk(&["aaa"], &KeepRule::Unique), ["a"]);
        let never = Arc::new(AtomicBool::new(false));
        let mut input = inputs(&["abc"], &KeepRule::All).remove(0);
        input.wanted = Wanted::All(Vec::new());
        let (best, _) = shrink_one(&ByteValues, &input, &options(), &never).unwrap();
        assert_eq!(best.len(), 1);
    }

    #[test]
    fn an_input_spends_the_tests_that_it_has_and_the_others_spend_theirs() {
        let texts = ["ab", "other text", "long text with many letters in it"];
        let mut inputs = inputs(&texts, &KeepRule::All);
        assert!(run(&mut inputs.clone()).iter().all(|one| !one.is_cut_short));
        inputs[2].max_tests = Some(20);
        let told: Vec<_> = run(&mut inputs).iter().map(|one| one.is_cut_short).collect();
        assert_eq!(told, [false, false, true]);
    }

    #[test]
    fn an_input_that_reaches_a_counter_shrinks_to_that_and_others_stay() {
        let kept = shrunk(&["other", "some q text"], &KeepRule::Reaches(vec![u32::from(b'q')]));
        assert_eq!(kept, ["other", "q"]);
    }
}
