//! Which inputs fail by themselves: a failure may be that of an input that ran before in the same process.
//!
//! Each run that fails ends two processes, so that not all of them run again where many inputs have one failure.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use seedsmith_engine::{Kind, Signature};

use crate::corpus::Listed;
use crate::coverage::gather::{GatherError, Reached};
use crate::coverage::rerun::Reruns;
use crate::coverage::survey::Survey;

/// How many inputs with one signature run alone: the smallest, which represents them, and others by digest. A guess, not
/// measured.
const FAILING_RUN_ALONE: usize = 4;

/// Runs failing inputs alone, and sorts them again. Whether the target keeps something from one input to the next.
///
/// Of the inputs with one signature, some run. If these fail as they did, so do the others. If not, all failing inputs run
/// alone. An input that took too long is not run again: it would take as long.
pub(super) fn verify_failing(
    survey: &mut Survey,
    reruns: &mut Reruns<'_, '_>,
) -> Result<bool, GatherError> {
    let (hanging, failing): (Vec<_>, Vec<_>) = std::mem::take(&mut survey.failing)
        .into_iter()
        .partition(|(_, signature)| signature.kind == Kind::Timeout);
    survey.failing = hanging;
    let wanted = sample(&failing);
    let (first, others): (Vec<_>, Vec<_>) =
        failing.into_iter().enumerate().partition(|(at, _)| wanted.contains(at));
    let without_place = |part: Vec<(usize, _)>| part.into_iter().map(|(_, one)| one).collect();
    let (first, others): (Vec<_>, Vec<_>) = (without_place(first), without_place(others));
    let found = fail_again(survey, first, reruns)?;
    if found.same {
        survey.add(others.into_iter().map(|(input, of)| (input, Reached::Failed(of))), true);
        return Ok(false);
    }
    Ok(found.has_state | fail_again(survey, others, reruns)?.has_state)
}

/// The places of the inputs that run again; `failing` come by size.
fn sample(failing: &[(Listed, Arc<Signature>)]) -> HashSet<usize> {
    let mut groups: HashMap<&Signature, Vec<usize>> = HashMap::new();
    for (at, (_, signature)) in failing.iter().enumerate() {
        groups.entry(signature).or_default().push(at);
    }
    let chosen = groups.into_values().flat_map(|mut group| {
        group[1..].sort_unstable_by_key(|at| &failing[*at].0.sha1);
        group.truncate(FAILING_RUN_ALONE);
        group
    });
    chosen.collect()
}

/// What became of failing inputs that ran alone.
struct Found {
    /// Whether all of them fail as they did.
    same: bool,
    /// Whether one of them does not fail.
    has_state: bool,
}

/// Runs failing inputs alone.
fn fail_again(
    survey: &mut Survey,
    failing: Vec<(Listed, Arc<Signature>)>,
    reruns: &mut Reruns<'_, '_>,
) -> Result<Found, GatherError> {
    let inputs: Vec<&Listed> = failing.iter().map(|(input, _)| input).collect();
    let reached = reruns.exact(&inputs, false)?;
    let fails_alike = |(before, now): (&(Listed, Arc<Signature>), &Reached)| matches!(now, Reached::Failed(now) if *now == before.1);
    let passes = |reached: &Reached| matches!(reached, Reached::Kept(_) | Reached::Rejected(_));
    let found = Found {
        same: failing.iter().zip(&reached).all(fails_alike),
        has_state: reached.iter().any(passes),
    };
    survey.add(failing.into_iter().map(|(input, _)| input).zip(reached), true);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::VecDeque;
    use std::rc::Rc;
    use std::sync::atomic::AtomicBool;

    use seedsmith_engine::internal::FeatureText;
    use seedsmith_engine::{Limits, Notifier, Observation, Request, RunReport, Slot, Target};
    use seedsmith_engine::{TargetError, Verdict};

    use super::*;
    use crate::corpus::ByContent;
    use crate::coverage::run::{SurveyOptions, survey};
    use crate::coverage::survey::Exact;

    /// Fails on each text with a `z`, and on a text with a `y` that is not the first one of its worker.
    struct Failing {
        /// How many texts failed that ran alone.
        alone: Rc<Cell<usize>>,
    }

    struct Worker {
        alone: Rc<Cell<usize>>,
        is_new: bool,
        done: VecDeque<RunReport>,
    }

    impl Target for Failing {
        fn name(&self) -> &str {
            "failing"
        }

        fn open(&self, _: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError> {
            let alone = self.alone.clone();
            Ok(Box::new(Worker { alone, is_new: true, done: VecDeque::new() }))
        }

        fn is_synchronous(&self) -> bool {
            true
        }
    }

    impl Slot for Worker {
        fn push(
            &mut self,
            ticket: u64,
            text: &[u8],
            request: Request,
        ) -> Result<bool, TargetError> {
            let was_fresh = self.is_new || request.fresh;
            let signature = match () {
                () if text.contains(&b'z') => Some(Signature::of_kind(Kind::OutOfMemory)),
                () if text.contains(&b'y') && !was_fresh => Some(Signature::of_kind(Kind::Leak)),
                () => None,
            };
            // The worker ends with a failure.
            self.is_new = signature.is_some();
            if self.is_new && request.fresh && !request.once {
                self.alone.set(self.alone.get() + 1);
            }
            let observation = match signature {
                Some(signature) => Observation::Failed(Arc::new(signature)),
                None => Observation::Returned(Verdict::Keep),
            };
            let answer = AsRef::<[u8]>::as_ref(&FeatureText::of(&[8])).to_vec();
            self.done.push_back(RunReport { ticket, observation, was_fresh, answer });
            Ok(true)
        }

        fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
            Ok(self.done.pop_front())
        }

        fn request_notification(&mut self) {}

        fn cancel(&mut self) -> Vec<u64> {
            self.done.clear();
            Vec::new()
        }

        fn set_limits(&mut self, _: Limits) {}

        fn tend(&mut self) -> Result<(), TargetError> {
            Ok(())
        }
    }

    /// How many inputs pass and fail, and how many failed alone. Numbered texts end with `letters` in turn.
    fn surveyed(letters: &[&str]) -> (usize, usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..200)
            .map(|number| {
                let path = folder.path().join(number.to_string());
                let end = letters[number % letters.len()];
                std::fs::write(&path, format!("{number:03}{end}")).unwrap();
                path
            })
            .collect();
        let never = AtomicBool::new(false);
        let alone = Rc::new(Cell::new(0));
        let target = Failing { alone: alone.clone() };
        let exact = Exact::Chosen(&|_| false);
        let options = SurveyOptions { limits: Limits::default(), jobs: 1, exact, varied: false };
        let contents = ByContent::new(files, None, &never);
        let (survey, _) = survey(&target, contents, &options, None, &never).unwrap();
        (survey.passing.len(), survey.failing.len(), alone.get())
    }

    #[test]
    fn of_many_inputs_with_one_failure_some_run_alone() {
        assert_eq!(surveyed(&["", "z"]), (100, 100, FAILING_RUN_ALONE));
    }

    #[test]
    fn if_an_input_passes_alone_that_failed_after_others_all_failing_inputs_run_alone() {
        assert_eq!(surveyed(&["", "z", "", "y"]), (150, 50, 50));
    }
}
