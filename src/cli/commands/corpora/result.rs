//! The choice of a corpus from the features of all inputs, its files, and its report.

use crate::event::{CorpusFile, CorpusSource, Event, MinimizedCorpus, Reporter};
use std::collections::{BTreeSet, HashSet};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::cli::exit::Trouble;
use crate::corpus::{Group, HeldBytes, Listed};
use crate::coverage::smallest::Weight;
use crate::coverage::smallest::{SmallestCorpus, smallest_corpus};
use crate::coverage::survey::{Survey, Surveyed};
use crate::report::Reporters;
use crate::session::corpora::CorpusPlace;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::features;

/// The last step of `cmin` and `merge`, which have the features of all inputs.
///
/// `cmin` has run the inputs; `merge` has read the features from the files of the shards.
pub(super) struct Choice<'c> {
    /// The target's name.
    pub target: &'c str,
    /// Where the chosen inputs go.
    pub place: &'c CorpusPlace,
    /// Where the smallest input of each failure goes.
    pub crashes: Option<&'c CorpusPlace>,
    /// Threads that choose and write at once.
    pub jobs: NonZero<usize>,
    /// The quantity of which the chosen inputs have little.
    pub weight: Weight,
    /// The choice, if it is made already.
    pub smallest: Option<SmallestCorpus>,
    /// When two failures are one.
    pub sameness: &'c Sameness,
    /// The folders and files of which each is reported.
    pub sources: Option<&'c [Source]>,
    /// Whether the chosen corpus is what the command was asked for.
    pub is_last: bool,
    /// When the command began.
    pub started: Instant,
}

/// A folder or a file of inputs.
pub(super) struct Source {
    /// As it was named.
    pub named: PathBuf,
    /// The beginning of the paths of its inputs.
    pub path: PathBuf,
}

impl Source {
    /// One whose inputs have paths that begin as it was named.
    pub(super) fn named(named: &Path) -> Self {
        Source { named: named.to_path_buf(), path: named.to_path_buf() }
    }
}

impl Choice<'_> {
    /// Chooses among the inputs of `survey`, writes them and reports them.
    ///
    /// A corpus of `--into` keeps all its inputs, and only additions are chosen. Everything is written
    /// before the first event. Events come in this order: chosen inputs by size, sources, totals.
    ///
    /// # Errors
    ///
    /// A file of the result cannot be written.
    pub(super) fn make(
        &self,
        survey: &Survey,
        flag: &AtomicBool,
        report: &mut Reporters,
    ) -> Result<(), Trouble> {
        let chosen = || {
            let is_held = |one: &Surveyed| is_held(one, self.place);
            smallest_corpus(survey, self.weight, &is_held, self.jobs)
        };
        let SmallestCorpus { kept, features, added } = self.smallest.clone().unwrap_or_else(chosen);
        let inputs: Vec<Listed> =
            kept.iter().map(|one| survey.passing[one.index].input.clone()).collect();
        let failing = survey.groups(self.sameness);
        self.place.write(&inputs, &survey.held, self.jobs, flag)?;
        if let Some(crashes) = self.crashes {
            write_crashes(&failing, crashes, &survey.held, flag)?;
        }
        for (one, input) in kept.iter().zip(&inputs) {
            report.report(&Event::CorpusFile(&CorpusFile {
                input: &input.path,
                name: &input.sha1,
                bytes: input.bytes,
                features: one.features,
                unique: one.unique,
            }));
        }
        if let Some(sources) = self.sources {
            let kept: HashSet<&str> = inputs.iter().map(|input| input.sha1.as_str()).collect();
            report_sources(survey, &kept, sources, report);
        }
        let (count, bytes) = survey.size();
        report.report(&Event::CorpusMinimized(&MinimizedCorpus {
            target: self.target,
            output: self.place.path(),
            is_last: self.is_last,
            is_added: matches!(self.place, CorpusPlace::Into(_)),
            inputs: count,
            input_bytes: bytes,
            kept: inputs.len(),
            kept_bytes: inputs.iter().map(|input| input.bytes).sum(),
            features,
            added,
            rejected: survey.rejected(),
            failing: survey.failing.len(),
            failures: failing.len(),
            recalled: survey.recalled,
            elapsed: self.started.elapsed(),
        }));
        Ok(())
    }
}

/// Writes the smallest input of each failure.
pub(super) fn write_crashes(
    failing: &[Group<Listed>],
    place: &CorpusPlace,
    held: &HeldBytes,
    flag: &AtomicBool,
) -> Result<(), Trouble> {
    let smallest: Vec<Listed> = failing.iter().map(|group| group.members[0].clone()).collect();
    Ok(place.write(&smallest, held, NonZero::<usize>::MIN, flag)?)
}

/// Whether an input stays where the result is added to a corpus: it is one of that corpus.
pub(super) fn is_held(one: &Surveyed, place: &CorpusPlace) -> bool {
    match place {
        CorpusPlace::New(_) => false,
        CorpusPlace::Into(corpus) => is_in(&one.input, corpus),
    }
}

/// Whether one of the files of an input is below `folder`.
///
/// The copies of an input with the same content count too.
fn is_in(input: &Listed, folder: &Path) -> bool {
    std::iter::once(&input.path).chain(&input.copies).any(|path| path.starts_with(folder))
}

/// Reports what each source contributes. A file below several of them belongs to each.
///
/// Sources are reported in the order of the command line; `kept` has the SHA-1 of the chosen inputs.
fn report_sources(
    survey: &Survey,
    kept: &HashSet<&str>,
    sources: &[Source],
    report: &mut Reporters,
) {
    let of = |source: &Path| -> BTreeSet<u32> {
        let inputs = survey.passing.iter().filter(|one| is_in(&one.input, source));
        inputs.flat_map(|one| features(&one.features)).collect()
    };
    let reached: Vec<BTreeSet<u32>> = sources.iter().map(|source| of(&source.path)).collect();
    for (at, source) in sources.iter().enumerate() {
        let inputs = survey.passing.iter().filter(|one| is_in(&one.input, &source.path));
        let is_elsewhere = |feature: &&u32| {
            let others = reached.iter().enumerate().filter(|(other, _)| *other != at);
            others.clone().any(|(_, features)| features.contains(feature))
        };
        report.report(&Event::CorpusSource(&CorpusSource {
            source: &source.named,
            inputs: inputs.clone().count(),
            features: reached[at].len(),
            unique: reached[at].iter().filter(|feature| !is_elsewhere(feature)).count(),
            kept: inputs.filter(|one| kept.contains(one.input.sha1.as_str())).count(),
        }));
    }
}
