//! What every input of a corpus reaches: the inputs run in an order that depends on their content
//! only, and what an ended run or another machine found out is not run again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::exec::reach::features::FeatureText;
use seedsmith_engine::exec::{Limits, Target};
use seedsmith_engine::sameness::Sameness;
use seedsmith_engine::signature::Signature;

use super::gather::{GatherError, Reached, gather};
use super::records::{Recorded, Records, sha1_of};
use crate::corpus::{ByContent, Group, Grouping, Listed, PassedOver, ahead};

/// Inputs that are read before there is room for them in a worker.
const READ_AHEAD: usize = 64;

/// How inputs are run.
#[derive(Clone, Debug)]
pub struct SurveyOptions {
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run inputs at once; the answer is the same for any number.
    pub jobs: usize,
}

/// An input that does not fail, and what it reaches.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// The input.
    pub input: Listed,
    /// What it reaches.
    pub features: FeatureText,
}

/// What the inputs of a corpus reach.
#[derive(Debug, Default)]
pub struct Survey {
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
    /// How many inputs were not run, since an earlier run had recorded what they reach.
    pub recalled: usize,
}

impl Survey {
    /// Runs `contents` on `target`, which has to report features.
    ///
    /// Costs about one run an input; those of `records` cost none. What is run is added to it.
    pub fn of(
        target: &dyn Target,
        mut contents: ByContent<'_>,
        options: &SurveyOptions,
        mut records: Option<&mut Records>,
        interrupt: &AtomicBool,
    ) -> Result<Self, GatherError> {
        let mut survey = Survey::default();
        let mut recalled = Vec::new();
        let mut run = Vec::new();
        let mut work = |contents: &mut dyn Iterator<Item = crate::corpus::Content>| {
            let written = std::cell::RefCell::new(records.as_deref_mut());
            let inputs = contents.filter_map(|content| {
                let known = written
                    .borrow_mut()
                    .as_mut()
                    .and_then(|records| records.take(&sha1_of(&content.input.sha1)));
                match known {
                    Some(reached) => {
                        recalled.push((content.input, reached));
                        None
                    }
                    None => Some((content.input, content.bytes)),
                }
            });
            let mut hear = |input: Listed, reached: Reached| {
                if let Some(records) = written.borrow_mut().as_mut() {
                    records.add(&input, &reached);
                }
                run.push((input, reached));
            };
            gather(target, options.jobs, options.limits, inputs, &mut hear, interrupt)
        };
        match options.jobs {
            // A core for all of it: a thread that reads would compete with the worker.
            1 => work(&mut contents.by_ref())?,
            _ => ahead(contents.by_ref(), READ_AHEAD, work)?,
        }
        survey.unreadable = contents.into_passed_over();
        survey.recalled = recalled.len();
        survey.add(recalled.into_iter().chain(run));
        Ok(survey)
    }

    /// The survey that the records of all shards are together; an input that is in several counts once.
    pub fn of_records(records: impl IntoIterator<Item = Recorded>) -> Self {
        let mut survey = Survey::default();
        let mut seen = std::collections::HashSet::new();
        let records = records.into_iter().filter(|one| seen.insert(sha1_of(&one.input.sha1)));
        survey.add(records.map(|one| (one.input, one.reached)));
        survey
    }

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
    pub fn size(&self) -> (usize, u64) {
        let inputs = self.passing.iter().map(|one| &one.input);
        let inputs = inputs.chain(self.failing.iter().map(|(input, _)| input));
        inputs.fold((0, 0), |(count, bytes), input| (count + 1, bytes + input.bytes))
    }

    /// The failing inputs by failure; the first of each group is its smallest.
    pub fn groups(&self, sameness: &Sameness) -> Vec<Group<Listed>> {
        let mut grouping = Grouping::new(sameness.clone());
        for (input, signature) in &self.failing {
            grouping.add(signature, input.clone());
        }
        grouping.into_groups()
    }
}
