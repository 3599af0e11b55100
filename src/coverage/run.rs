//! Runs the inputs of a corpus, in an order that depends on their content only. What an ended run has recorded is not
//! run again.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::{Limits, Target};

use super::exact;
use super::gather::{GatherError, Gatherer, Reached, ToRun};
use super::record_format::Recording;
use super::records::Records;
use super::rerun::Reruns;
use super::smallest::SmallestCorpus;
use super::survey::{Exact, Survey};
use crate::corpus::{ByContent, Content, HeldBytes, Listed, ahead};

/// Inputs that are read before there is room for them in a worker: four batches, so that none waits for the thread that
/// reads. With half a batch, two workers took 1 % longer on a corpus of small files.
const MAX_READ_AHEAD_INPUTS: usize = 512;

/// How inputs are run.
#[derive(Clone, Copy)]
pub(crate) struct SurveyOptions<'o> {
    /// What one run may use.
    pub limits: Limits,
    /// Processes that run inputs at once; the answer is the same for any number.
    pub jobs: NonZero<usize>,
    /// Of which inputs the features have to be exact.
    pub exact: Exact<'o>,
    /// Whether what the target gets by chance depends on each input's content: see [`Gatherer::varied`].
    pub varied: bool,
}

/// Runs `contents` on `target`, which has to report features.
///
/// With [`Exact::All`] it costs two runs an input, since what a program does only once in a process does not
/// count, and three if runs are varied. With [`Exact::Chosen`] it costs one, and two or three more for those that the
/// choice depends on; these are read twice, and the choice is given too. Inputs of `records` cost none; the others are added to it.
pub(crate) fn survey(
    target: &dyn Target,
    contents: ByContent<'_>,
    options: &SurveyOptions<'_>,
    mut records: Option<&mut Records>,
    interrupt: &AtomicBool,
) -> Result<(Survey, Option<SmallestCorpus>), GatherError> {
    let mut survey = Survey::default();
    // The longest runs begin first, so that no worker has one left when the others are done.
    let mut contents = contents.largest_first();
    let mut gatherer = Gatherer::new(target, options.jobs.get(), options.limits)?;
    if options.varied {
        gatherer = gatherer.varied();
    }
    let batches = options.exact.batches(contents.file_count());
    let recording = if batches.once { Recording::Estimate } else { Recording::Exact };
    let mut recalled = Vec::new();
    let mut run = Vec::new();
    let mut held = HeldBytes::default();
    let mut work = |contents: &mut dyn Iterator<Item = Content>| {
        let written = std::cell::RefCell::new(records.as_deref_mut());
        let mut take = |content: &Content| {
            let mut records = written.borrow_mut();
            records.as_mut().and_then(|records| records.take(&content.input, recording))
        };
        let mut waiting = std::collections::VecDeque::new();
        let mut division = batches.division();
        let inputs = std::iter::from_fn(|| {
            while waiting.is_empty() {
                // What a batch reached is known only if all of it was recorded.
                let mut whole = Vec::new();
                for content in &mut *contents {
                    let ends = division.add(content.bytes.len());
                    whole.push(content);
                    if ends {
                        break;
                    }
                }
                let known: Vec<Reached> = whole.iter().filter_map(&mut take).collect();
                match whole.len() {
                    0 => return None,
                    count if count == known.len() => {
                        let inputs = whole.into_iter().map(|content| content.input);
                        recalled.extend(inputs.zip(known));
                    }
                    // The first one of a worker runs twice: the smallest.
                    _ => waiting.extend(whole.into_iter().rev().enumerate()),
                }
            }
            let (at, Content { input, bytes }) = waiting.pop_front()?;
            // Without a copy of the bytes, as `Arc<[u8]>` would be.
            let bytes = Arc::new(bytes);
            if batches.once {
                // It may run again, and may be written.
                held.hold(&input, &bytes);
            }
            Some(ToRun { input, bytes, begins: at == 0, expected: None })
        });
        let mut hear = |input: Listed, reached: Reached| {
            if let Some(records) = written.borrow_mut().as_mut() {
                records.add(&input, &reached, recording);
            }
            run.push((input, reached));
        };
        gatherer.run(batches, inputs, &mut hear, interrupt)
    };
    match options.jobs.get() {
        // A core for all of it: a thread that reads would compete with the worker.
        1 => work(&mut contents.by_ref())?,
        _ => ahead(contents.by_ref(), MAX_READ_AHEAD_INPUTS, work)?,
    }
    survey.seen = contents.seen();
    survey.unreadable = contents.into_passed_over();
    survey.recalled = recalled.len();
    survey.add(recalled.into_iter().chain(run), recording == Recording::Exact);
    let mut reruns = Reruns { gatherer, records, held, interrupt };
    let smallest = match options.exact {
        Exact::All => {
            reruns.find_unstable(&mut survey)?;
            if let Some(records) = reruns.records {
                records.add_unstable(&survey.unstable);
            }
            None
        }
        Exact::Chosen(is_held) => {
            Some(exact::choose(&mut survey, is_held, &mut reruns, options.jobs)?)
        }
    };
    survey.held = reruns.held;
    Ok((survey, smallest))
}
