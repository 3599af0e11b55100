//! Runs inputs of a survey again, each in a new process, and finds counters that differ from run to run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::internal::FeatureText;

use super::gather::{Batches, GatherError, Gatherer, Reached, ToRun};
use super::record_format::Recording;
use super::records::Records;
use super::survey::{Exact, Survey};
use crate::corpus::{HeldBytes, Listed};

/// Inputs that run again to find out whether the target does the same each time.
///
/// A guess, not measured: a target that does the same each time is asked for little.
pub(super) const FIRST_SAMPLE: usize = 32;
/// Inputs that run again if it does not, and how often.
///
/// The figures that were measured are in [`unstable`](super::unstable).
const SECOND_SAMPLE: (usize, usize) = (256, 3);

/// The workers and records with which inputs run again.
pub(super) struct Reruns<'r, 't> {
    /// The workers.
    pub gatherer: Gatherer<'t>,
    /// The records of an ended run; new ones are added.
    pub records: Option<&'r mut Records>,
    /// Bytes that need not be read again.
    pub held: HeldBytes,
    /// Set when the run is to end.
    pub interrupt: &'r AtomicBool,
}

/// An input that runs again, and its features so far, if they are exact.
pub(super) struct Sampled {
    /// The input.
    pub input: Listed,
    /// Without counters that are known to count by chance.
    pub before: Option<FeatureText>,
}

impl Reruns<'_, '_> {
    /// What each of `inputs` reaches in a worker that has run nothing else.
    ///
    /// Each input comes with its estimate, if it has one. Costs a fork and two or three runs for each input that is not
    /// in the records. Where `are_all` inputs of the corpus are
    /// meant, more than 20,000 share workers. Nothing is known of an input that cannot be read any more, or that has
    /// other bytes now.
    pub(super) fn exact(
        &mut self,
        inputs: &[(&Listed, Option<&FeatureText>)],
        are_all: bool,
    ) -> Result<Vec<Reached>, GatherError> {
        let answers = self.recorded(inputs);
        let batches = match are_all {
            true => Exact::All.batches(inputs.len()),
            false => Batches::ALONE,
        };
        self.rest(batches, inputs, answers)
    }

    /// The same for inputs that have failed. Costs a fork and a run for those that do it again.
    pub(super) fn exact_of_failing(
        &mut self,
        inputs: &[(&Listed, Option<&FeatureText>)],
    ) -> Result<Vec<Reached>, GatherError> {
        let mut answers = self.recorded(inputs);
        // One run says that an input fails. It does not say which features are there by chance.
        let once = Batches { once: true, ..Batches::ALONE };
        self.run(once, inputs, &mut answers, |reached| matches!(reached, Reached::Failed(_)))?;
        self.rest(Batches::ALONE, inputs, answers)
    }

    /// What the records say of each of `inputs`.
    fn recorded(&mut self, inputs: &[(&Listed, Option<&FeatureText>)]) -> Vec<Option<Reached>> {
        let mut take = |input: &Listed| self.records.as_mut()?.take(input, Recording::Exact);
        inputs.iter().map(|(input, _)| take(input)).collect()
    }

    /// Runs those of `inputs` that have no answer, and gives the answers of all.
    fn rest(
        &mut self,
        batches: Batches,
        inputs: &[(&Listed, Option<&FeatureText>)],
        mut answers: Vec<Option<Reached>>,
    ) -> Result<Vec<Reached>, GatherError> {
        self.run(batches, inputs, &mut answers, |_| true)?;
        Ok(answers.into_iter().map(|answer| answer.unwrap_or(Reached::Lost)).collect())
    }

    /// Runs those of `inputs` that have no answer. What `is_exact` becomes their answer, and is recorded.
    fn run(
        &mut self,
        batches: Batches,
        inputs: &[(&Listed, Option<&FeatureText>)],
        answers: &mut [Option<Reached>],
        is_exact: fn(&Reached) -> bool,
    ) -> Result<(), GatherError> {
        // The largest ones first: see `survey`.
        let open = (0..inputs.len()).rev().filter(|at| answers[*at].is_none());
        let open: Vec<usize> = open.collect();
        let records = &mut self.records;
        let mut hear = |at: usize, reached: Reached| {
            if is_exact(&reached) {
                if let Some(records) = records {
                    records.add(inputs[at].0, &reached, Recording::Exact);
                }
                answers[at] = Some(reached);
            }
        };
        let mut division = batches.division();
        let read = open.into_iter().filter_map(|at| {
            let (input, estimate) = inputs[at];
            let bytes = self.held.read(input, self.interrupt)?;
            let (begins, expected) = (division.begins(), estimate.map(FeatureText::digest));
            division.add(bytes.len());
            Some(ToRun { input: at, bytes, begins, expected })
        });
        self.gatherer.run(batches, read, &mut hear, self.interrupt)
    }

    /// Finds the counters that count by chance, and leaves them out of the features of `survey`, which are all exact.
    ///
    /// The sample is chosen by digest, so it is the same on
    /// every machine. Costs 32 inputs that run again, and 768 more if a counter is unstable.
    pub(super) fn find_unstable(&mut self, survey: &mut Survey) -> Result<(), GatherError> {
        let sample = by_digest(survey, FIRST_SAMPLE);
        self.find_unstable_in(survey, sample)
    }

    /// The same with `first` as the first sample.
    pub(super) fn find_unstable_in(
        &mut self,
        survey: &mut Survey,
        first: Vec<Sampled>,
    ) -> Result<(), GatherError> {
        let known = survey.unstable.len();
        self.note_differences(survey, first, 1)?;
        if survey.unstable.len() > known {
            let (count, times) = SECOND_SAMPLE;
            let sample = by_digest(survey, count);
            self.note_differences(survey, sample, times)?;
        }
        survey.leave_out_unstable();
        Ok(())
    }

    /// Runs the inputs of a sample again, and notes which counters differ. Each file is read once.
    fn note_differences(
        &mut self,
        survey: &mut Survey,
        mut sample: Vec<Sampled>,
        times: usize,
    ) -> Result<(), GatherError> {
        let inputs = sample.iter().enumerate();
        let inputs: Vec<(usize, Arc<Vec<u8>>)> = inputs
            .filter_map(|(at, one)| Some((at, self.held.read(&one.input, self.interrupt)?)))
            .collect();
        let unstable = &mut survey.unstable;
        for _ in 0..times {
            let digest = |one: &Sampled| one.before.as_ref().map(FeatureText::digest);
            let expected: Vec<Option<u64>> = sample.iter().map(digest).collect();
            let mut hear = |at: usize, reached: Reached| {
                if let Reached::Kept(features) | Reached::Rejected(features) = reached {
                    match &sample[at].before {
                        Some(before) => unstable.note(before, &features),
                        None => sample[at].before = Some(features),
                    }
                }
            };
            let inputs = inputs.iter().map(|(at, bytes)| ToRun {
                input: *at,
                bytes: bytes.clone(),
                begins: true,
                expected: expected[*at],
            });
            self.gatherer.run(Batches::ALONE, inputs, &mut hear, self.interrupt)?;
        }
        Ok(())
    }
}

/// The first passing inputs by digest.
fn by_digest(survey: &Survey, count: usize) -> Vec<Sampled> {
    let mut all: Vec<_> = survey.passing.iter().collect();
    all.sort_by_key(|one| &one.input.sha1);
    all.truncate(count);
    let sampled = all.into_iter().map(|one| Sampled {
        input: one.input.clone(),
        before: one.is_exact.then(|| one.features.clone()),
    });
    sampled.collect()
}
