//! `prepare` of one part of a corpus, for `merge`.
//!
//! Each step of `prepare` begins with the result of the step before, of all inputs. So a shard goes as far as it can by
//! itself and says what is left to do. `merge` finds out what that needs of all shards, and the same command, run
//! again, continues. When nothing is left to do, `merge` has only to copy files.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use crate::cli::arguments::keep::Keep;
use crate::cli::commands::corpora::prepare::{
    PrepareArgs, Step, open_language, run_repair, worst_of, write_dictionary,
};
use crate::cli::commands::corpora::shrink::{self, ShrinkArgs};
use crate::cli::commands::corpora::{CorpusArgs, OpenCorpus, check_shard_place, write_part};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::shard::delete_outdated;
use crate::corpus::{ByContent, HeldBytes, InputSet, Listed, Shard, sha1_in_name};
use crate::report::Reporters;
use crate::session::corpora::{CorpusPlace, Part, SecondRun, ToDo};

/// The file of the dictionary in a shard's result folder.
pub(super) const DICTIONARY_FILE: &str = "dictionary";
/// The folder of valid copies there. A shard of `repair` fills it.
pub(super) const REPAIRED_FOLDER: &str = "repaired";
/// The folder of the inputs there, if nothing chooses among them.
const INPUTS_FOLDER: &str = "inputs";
/// The folder of the smaller inputs there. A shard of `shrink-corpus` fills it.
const SHRUNK_FOLDER: &str = "shrunk";

/// Does the steps on the part `shard` as far as the inputs of this shard and what `merge` has left allow it.
///
/// A shard with nothing to do before the next `merge` says so.
///
/// # Errors
///
/// Those of the steps, or OUT has other files.
pub(super) fn run_shard(
    args: PrepareArgs,
    shard: Shard,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let language = open_language(&args)?;
    let PrepareArgs { output, skip, max_tests, corpus, language: grammar, .. } = args;
    let wants = |step| !skip.contains(&step);
    let copies = output.join(REPAIRED_FOLDER);
    if !copies.exists() {
        check_shard_place(&CorpusPlace::New(output.clone()))?;
    }
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus.clone(), "prepare", Some(&output), &flag, report)?;
    let inputs = InputSet::of_files(&open.files, &flag);
    let part = open.part(shard, "prepare", &format!("{skip:?} {max_tests}"), inputs);
    let trouble = || format!("failed to write to {}", output.display());
    if delete_outdated(&part, &output, report)? {
        for folder in [REPAIRED_FOLDER, INPUTS_FOLDER, SHRUNK_FOLDER] {
            delete_folder(&output.join(folder)).or_exit(Exit::Files, trouble)?;
        }
    }
    let left = part.left_in(&output);
    if left.as_ref().is_some_and(|to_do| to_do.contains(&ToDo::Shrink))
        && let Some(chosen) = SecondRun::read(&output, part.key())?
    {
        drop(open);
        let corpus = CorpusArgs { inputs: chosen.files(), ..corpus };
        return shrink_chosen(corpus, max_tests, (shard, part), &output, interrupt, report);
    }
    if left.is_some_and(|to_do| !to_do.contains(&ToDo::Repair)) {
        report.say(&format!("{} is complete; merge is next", output.display()));
        return Ok(Exit::Done);
    }
    fs::create_dir_all(&copies).or_exit(Exit::Files, trouble)?;
    let mut worst = Exit::Done;
    if wants(Step::Repair) {
        worst = run_repair(&corpus, grammar, Some(shard), &copies, interrupt, report)?;
        if Part::waits_in(&copies, ToDo::Repair) {
            write_part(&part.leaving(vec![ToDo::Repair]), &output)?;
            return Ok(worst);
        }
    }
    let own = ByContent::new(std::mem::take(&mut open.files), Some(shard), open.jobs, &flag);
    let own: Vec<Listed> = own.map(|one| one.input).collect();
    // A copy belongs to the shard of its input, whatever its own content is.
    let repaired = fs::read_dir(&copies).or_exit(Exit::Files, trouble)?;
    let repaired = repaired.filter_map(|entry| Some(entry.ok()?.path()));
    // Other files there are about the shard.
    let repaired = repaired.filter(|path| sha1_in_name(path).is_some());
    let repaired: Vec<PathBuf> = repaired.collect();
    if let Some(language) = language.as_ref().filter(|_| wants(Step::Dictionary)) {
        write_dictionary(language, &output.join(DICTIONARY_FILE), report)?;
    }
    let mut to_do = Vec::new();
    let mut files = Vec::new();
    if wants(Step::Cmin) {
        open.files = own.into_iter().map(|one| one.path).chain(repaired).collect();
        let (exit, _) = open.record_shard(shard, None, &output, interrupt, report)?;
        if exit != Exit::Done {
            return Ok(exit);
        }
        to_do.push(ToDo::Choose);
    } else {
        let folder = output.join(INPUTS_FOLDER);
        // An earlier run may have had other inputs.
        delete_folder(&folder).or_exit(Exit::Files, trouble)?;
        let place = CorpusPlace::New(folder);
        place.write(&own, &HeldBytes::default(), NonZero::<usize>::MIN, &flag)?;
        files.extend(own.iter().map(|one| format!("{INPUTS_FOLDER}/{}", one.sha1)));
        let names = repaired.iter().filter_map(|path| path.file_name()?.to_str());
        files.extend(names.map(|name| format!("{REPAIRED_FOLDER}/{name}")));
    }
    if wants(Step::Shrink) {
        to_do.push(ToDo::Shrink);
    }
    write_part(&part.with(files.into_iter().collect(), []).leaving(to_do), &output)?;
    Ok(worst)
}

/// Deletes a folder that this program has filled, if it is there.
fn delete_folder(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The second run: shrinks the inputs of this shard among those of `corpus`, which `merge` has chosen.
fn shrink_chosen(
    corpus: CorpusArgs,
    max_tests: u64,
    (shard, part): (Shard, Part),
    output: &Path,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let args = ShrinkArgs {
        output: output.join(SHRUNK_FOLDER),
        keep: Keep::Unique,
        max_tests,
        max_total_tests: None,
        shard: Some(shard),
        corpus,
    };
    let exit = shrink::run(args, interrupt, report)?;
    write_part(&part.of_below(output, SHRUNK_FOLDER)?, output)?;
    Ok(worst_of(Exit::Done, exit))
}
