//! The smallest corpus: inputs that together reach what all of them reach, and one input of each
//! failure.
//!
//! Nothing is written here. Inputs are run by size and digest, whatever their order was, so the
//! answer depends on their content only.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::exec::Limits;
use seedsmith_engine::exec::Target;
use seedsmith_engine::exec::reach::features::features;
use seedsmith_engine::sameness::Sameness;

use crate::corpus::{Group, Grouping, Listed, read_input};
use crate::coverage::cover::{Candidate, cover};
use crate::coverage::gather::{GatherError, Reached, gather};

/// How a corpus is minimized.
#[derive(Clone, Debug)]
pub struct CminOptions {
    /// When two failures are one.
    pub sameness: Sameness,
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run inputs at once; the answer is the same for any number.
    pub jobs: usize,
}

/// What became of a corpus.
#[derive(Debug, Default)]
pub struct SmallestCorpus {
    /// The inputs that are kept, by size.
    pub kept: Vec<Listed>,
    /// The inputs that fail, by failure; the first of each group is its smallest.
    pub failing: Vec<Group<Listed>>,
    /// How many features the corpus has.
    pub features: usize,
    /// How many inputs the target says are invalid.
    pub rejected: usize,
    /// Inputs of which nothing is known, since their workers were ended from outside.
    pub lost: Vec<PathBuf>,
    /// Files that could not be read any more.
    pub unreadable: Vec<PathBuf>,
}

/// Runs each of `inputs` on `target`, which has to report features, and chooses.
///
/// Costs about one run an input.
pub fn smallest_corpus(
    target: &dyn Target,
    mut inputs: Vec<Listed>,
    options: &CminOptions,
    interrupt: &AtomicBool,
) -> Result<SmallestCorpus, GatherError> {
    // Fuzzers run the empty input without being given one, and pass over empty files.
    inputs.retain(|one| one.bytes > 0);
    inputs.sort_unstable_by(|one, other| (one.bytes, &one.sha1).cmp(&(other.bytes, &other.sha1)));
    let mut answer = SmallestCorpus::default();
    let mut failing = Grouping::new(options.sameness.clone());
    let (mut runs, mut candidates) = (Vec::new(), Vec::new());
    let mut read = |input: &Listed| match read_input(&input.path, interrupt) {
        Ok(bytes) => Some(bytes),
        Err(_) => {
            answer.unreadable.push(input.path.clone());
            None
        }
    };
    let mut keep = |input: Listed, reached: Reached| {
        let features = match reached {
            Reached::Kept(features) => features,
            Reached::Rejected(features) => {
                answer.rejected += 1;
                features
            }
            Reached::Failed(signature) => {
                failing.add(&signature, input);
                return;
            }
            Reached::Lost => {
                answer.lost.push(input.path);
                return;
            }
        };
        candidates.push(Candidate { bytes: input.bytes, digest: digest(&input), features });
        runs.push(input);
    };
    gather(target, options.jobs, options.limits, inputs, &mut read, &mut keep, interrupt)?;
    let chosen = cover(&candidates);
    let all = chosen.iter().flat_map(|index| features(&candidates[*index].features));
    answer.features = all.collect::<BTreeSet<u32>>().len();
    answer.kept = chosen.iter().map(|index| runs[*index].clone()).collect();
    answer.failing = failing.into_groups();
    Ok(answer)
}

/// The bytes of the SHA-1 that names an input.
fn digest(input: &Listed) -> [u8; 20] {
    let mut digest = [0; 20];
    for (byte, pair) in digest.iter_mut().zip(input.sha1.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).ok();
        *byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
    }
    digest
}
