//! What every input of a corpus reaches: the inputs run in an order that depends on their content
//! only, and what an ended run or another machine found out is not run again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::Sameness;
use seedsmith_engine::Signature;
use seedsmith_engine::internal::FeatureText;
use seedsmith_engine::{Limits, Target};

use super::gather::{GatherError, GatherOptions, Reached, gather};
use super::record_format::sha1_of;
use super::records::{Recorded, Records};
use super::unstable::Unstable;
use crate::corpus::{ByContent, Group, Grouping, Listed, PassedOver, ahead, read_input};

/// Inputs that are read before there is room for them in a worker.
/// A guess, not measured.
const MAX_READ_AHEAD_INPUTS: usize = 64;

/// Inputs up to which each one runs in a worker of its own.
///
/// Then what it reaches depends on nothing that ran before it, such as a cache that was filled. A fork for each
/// takes longer than a short run; the bound keeps that to a few seconds. A guess, not measured.
const MAX_INPUTS_RUN_ALONE: usize = 20_000;
/// Inputs of a larger corpus that run one after the other in a worker.
///
/// Large enough that a fork costs little beside so many runs, and small enough that a killed run loses little.
/// A guess, not measured.
const INPUTS_OF_A_WORKER: usize = 64;

/// Inputs that run again to find out whether the target does the same each time.
///
/// A guess, not measured: a target that does the same each time is asked for little.
const FIRST_SAMPLE: usize = 32;
/// Inputs that run again if it does not, and how often.
///
/// The figures that were measured are in [`unstable`](super::unstable).
const SECOND_SAMPLE: (usize, usize) = (256, 3);

/// How inputs are run.
#[derive(Clone, Debug)]
pub(crate) struct SurveyOptions {
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run inputs at once; the answer is the same for any number.
    pub jobs: usize,
}

/// An input that does not fail, and what it reaches.
#[derive(Clone, Debug)]
pub(crate) struct Surveyed {
    /// The input.
    pub input: Listed,
    /// What it reaches.
    pub features: FeatureText,
}

/// What the inputs of a corpus reach.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// The inputs that do not fail, by size and digest.
    pub passing: Vec<Surveyed>,
    /// The inputs that fail, by size and digest.
    pub failing: Vec<(Listed, Arc<Signature>)>,
    /// How many inputs the target says are invalid.
    pub rejected: usize,
    /// Inputs of which nothing is known, since their workers were ended from outside.
    pub lost: Vec<PathBuf>,
    /// Files that cannot be read.
    pub unreadable: Vec<PassedOver>,
    /// Counters that are left out of the features, since they count by chance.
    pub unstable: Unstable,
    /// How many inputs were not run, since an earlier run had recorded what they reach.
    pub recalled: usize,
}

impl Survey {
    /// Runs `contents` on `target`, which has to report features.
    ///
    /// Costs two runs an input, since what a program does only once in a process does not count; those of
    /// `records` cost none. What is run is added to it.
    pub(crate) fn of(
        target: &dyn Target,
        mut contents: ByContent<'_>,
        options: &SurveyOptions,
        mut records: Option<&mut Records>,
        interrupt: &AtomicBool,
    ) -> Result<Self, GatherError> {
        let mut survey = Survey::default();
        let batch = match contents.file_count() {
            0..=MAX_INPUTS_RUN_ALONE => 1,
            _ => INPUTS_OF_A_WORKER,
        };
        let alone = GatherOptions { jobs: options.jobs, limits: options.limits, batch: 1 };
        let mut recalled = Vec::new();
        let mut run = Vec::new();
        let mut work = |contents: &mut dyn Iterator<Item = crate::corpus::Content>| {
            let written = std::cell::RefCell::new(records.as_deref_mut());
            let mut take = |content: &crate::corpus::Content| {
                let mut records = written.borrow_mut();
                records.as_mut().and_then(|records| records.take(&sha1_of(&content.input.sha1)))
            };
            let mut waiting = std::collections::VecDeque::new();
            let inputs = std::iter::from_fn(|| {
                while waiting.is_empty() {
                    // What a batch reached is known only if all of it was recorded.
                    let whole: Vec<_> = (&mut *contents).take(batch).collect();
                    let known: Vec<Reached> = whole.iter().filter_map(&mut take).collect();
                    match whole.len() {
                        0 => return None,
                        count if count == known.len() => {
                            let inputs = whole.into_iter().map(|content| content.input);
                            recalled.extend(inputs.zip(known));
                        }
                        _ => waiting.extend(whole),
                    }
                }
                waiting.pop_front().map(|content| (content.input, content.bytes))
            });
            let mut hear = |input: Listed, reached: Reached| {
                if let Some(records) = written.borrow_mut().as_mut() {
                    records.add(&input, &reached);
                }
                run.push((input, reached));
            };
            gather(target, &GatherOptions { batch, ..alone }, inputs, &mut hear, interrupt)
        };
        match options.jobs {
            // A core for all of it: a thread that reads would compete with the worker.
            1 => work(&mut contents.by_ref())?,
            _ => ahead(contents.by_ref(), MAX_READ_AHEAD_INPUTS, work)?,
        }
        survey.unreadable = contents.into_passed_over();
        survey.recalled = recalled.len();
        survey.add(recalled.into_iter().chain(run));
        survey.find_unstable(target, &alone, interrupt)?;
        if let Some(records) = records {
            records.add_unstable(&survey.unstable);
        }
        survey.leave_out_unstable();
        Ok(survey)
    }

    /// Runs a sample of the inputs again, each in a new process, and notes which counters differ.
    ///
    /// Each file of the sample is read once. The sample is chosen by digest, so it is the same on
    /// every machine. Costs 32 runs, and 768 more if a counter is unstable.
    fn find_unstable(
        &mut self,
        target: &dyn Target,
        alone: &GatherOptions,
        interrupt: &AtomicBool,
    ) -> Result<(), GatherError> {
        let mut sample: Vec<usize> = (0..self.passing.len()).collect();
        sample.sort_by_key(|index| &self.passing[*index].input.sha1);
        let mut unread = sample.into_iter();
        let mut inputs: Vec<(usize, Vec<u8>)> = Vec::new();
        for (count, times) in [(FIRST_SAMPLE, 1), SECOND_SAMPLE] {
            // What was read for the first sample is the beginning of the second one.
            let seen = self.passing.len() - unread.len();
            inputs.extend(unread.by_ref().take(count - seen).filter_map(|index| {
                let bytes = read_input(&self.passing[index].input.path, interrupt);
                Some((index, bytes.ok()?))
            }));
            for _ in 0..times {
                let (passing, unstable) = (&self.passing, &mut self.unstable);
                let mut hear = |index: usize, reached: Reached| {
                    if let Reached::Kept(features) | Reached::Rejected(features) = reached {
                        unstable.note(&passing[index].features, &features);
                    }
                };
                gather(target, alone, inputs.iter().cloned(), &mut hear, interrupt)?;
            }
            if self.unstable.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Drops what counts by chance from the features of all inputs.
    fn leave_out_unstable(&mut self) {
        if !self.unstable.is_empty() {
            for one in &mut self.passing {
                one.features = self.unstable.stable_part(&one.features);
            }
        }
    }

    /// The survey that the records of all shards are together, without what is `unstable`; an input
    /// that is in several counts once.
    pub(crate) fn of_records(
        records: impl IntoIterator<Item = Recorded>,
        unstable: Unstable,
    ) -> Self {
        let mut survey = Survey { unstable, ..Survey::default() };
        let mut seen = std::collections::HashSet::new();
        let records = records.into_iter().filter(|one| seen.insert(sha1_of(&one.input.sha1)));
        survey.add(records.map(|one| (one.input, one.reached)));
        survey.leave_out_unstable();
        survey
    }

    /// Sorts what was found out into passing, failing and lost inputs.
    fn add(&mut self, inputs: impl Iterator<Item = (Listed, Reached)>) {
        for (input, reached) in inputs {
            match reached {
                Reached::Kept(features) => self.passing.push(Surveyed { input, features }),
                Reached::Rejected(features) => {
                    self.rejected += 1;
                    self.passing.push(Surveyed { input, features });
                }
                Reached::Failed(signature) => self.failing.push((input, signature)),
                Reached::Lost => self.lost.push(input.path),
            }
        }
        let by_content = |one: &Listed, other: &Listed| {
            one.bytes.cmp(&other.bytes).then_with(|| one.sha1.cmp(&other.sha1))
        };
        self.passing.sort_by(|one, other| by_content(&one.input, &other.input));
        self.failing.sort_by(|one, other| by_content(&one.0, &other.0));
    }

    /// Number and bytes of the inputs that were run, failing ones included.
    pub(crate) fn size(&self) -> (usize, u64) {
        let inputs = self.passing.iter().map(|one| &one.input);
        let inputs = inputs.chain(self.failing.iter().map(|(input, _)| input));
        inputs.fold((0, 0), |(count, bytes), input| (count + 1, bytes + input.bytes))
    }

    /// The failing inputs by failure; the first of each group is its smallest.
    pub(crate) fn groups(&self, sameness: &Sameness) -> Vec<Group<Listed>> {
        let mut grouping = Grouping::new(sameness.clone());
        for (input, signature) in &self.failing {
            grouping.add(signature, input.clone());
        }
        grouping.into_groups()
    }
}
