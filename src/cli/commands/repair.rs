//! `repair`, from a plan to an exit code: how each result of a run is written and reported.

use crate::event::{Event, NoteKind, RepairStatus, RepairTotals, RepairedInput, Reporter};
use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::cargo_fuzz::ValidatorSource;
use crate::cargo_fuzz::input::{self, Input};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::made;
use crate::cli::outputs::shard::delete_outdated;
use crate::cli::plans::repair::RepairPlan;
use crate::cli::session_end::repair_trouble;
use crate::cli::trouble::talk;
use crate::corpus::{InputSet, Inputs, Listed, Originals, PassedOver};
use crate::report::{RepairPageFile, Reporters};
use crate::session::corpora::{Part, ToDo};
use crate::session::repair::{
    ForOthers, Progress, RepairInput, RepairResult, RepairSaver, RunEnd, Siblings, backup_of,
    look_first, repair_looked, write_valid_texts,
};
use crate::session::saved::output::refuse_originals;

/// Characters of a validator's message that are shown in a line of ours: about as many as fit in one line after
/// the words before it.
const MAX_REASON_CHARS: usize = 80;

/// Runs `repair`.
///
/// 1. The inputs are gathered, and the places of the results are checked, before the validator is built.
/// 2. Each result is written and reported when it comes, in the order of the inputs.
/// 3. The totals are reported at the end, with the reason if the results cannot be relied on.
///
/// The code is that of the worst that happened to one input.
///
/// # Errors
///
/// No input can be read, the validator cannot be built or run, or a result cannot be written. A validator
/// that contradicts itself or seems to accept anything is an error too, even if that shows only after the
/// results are written.
pub(crate) fn run(
    plan: &RepairPlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let reads_stdin = plan.reads_stdin()?;
    let is_single = matches!(plan.inputs.as_slice(), [one] if !one.is_dir());
    let mut receiver = Receiver::new(plan, is_single)?;
    if let Some(path) = &plan.page {
        report.add(Box::new(RepairPageFile::begin(path, plan.may_replace, &made())?));
    }
    let flag = interrupt.flag();
    let stdin = reads_stdin.then(|| input::standard_input(&flag)).transpose()?;
    let mut gathered = match &stdin {
        Some(_) => Inputs::default(),
        None => input::gather(&plan.inputs, plan.output.as_deref(), &flag, &mut talk(report))
            .map_err(|error| plan.missing(error))?,
    };
    if plan.is_in_place {
        receiver.spare(&Arc::new(plan.originals.clone()))?;
    } else {
        let files = gathered.inputs.iter().flat_map(Listed::files).chain(plan.inputs.clone());
        receiver.spare(&Arc::new(plan.originals.and(files)))?;
    }
    let backups = leave_out_backups(&mut gathered.inputs, &plan.inputs);
    if backups > 0 {
        let noun = if backups == 1 { "original" } else { "originals" };
        report.say(&format!("passed over: {backups} {noun} of earlier repairs in place (.orig)"));
    }
    if plan.is_in_place {
        receiver.saver.write_copies(gathered.inputs.iter());
    }
    if gathered.hidden > 0 {
        let noun = if gathered.hidden == 1 { "file or folder" } else { "files and folders" };
        report.say(&format!("passed over: {} hidden {noun}", gathered.hidden));
    }
    for one in &gathered.passed_over {
        receiver.pass_over(one, report);
    }
    let seen = InputSet::of(gathered.inputs.iter().map(|one| one.sha1.as_str()));
    let mut inputs: Vec<RepairInput> = gathered.inputs.iter().map(RepairInput::from).collect();
    if let Some(Input { path, bytes, .. }) = stdin.clone() {
        inputs.push(RepairInput::Text { name: path, bytes });
    }
    if inputs.is_empty() {
        return Err(Trouble::new(Exit::Files, "none of the inputs can be read"));
    }
    let mut options = plan.run_options(interrupt, is_single)?;
    let reached = plan.reached.as_deref();
    let (target, flag) = (plan.target.clone(), interrupt.flag());
    let first = || match (&stdin, gathered.inputs.first()) {
        (None, Some(listed)) => input::load(listed, &flag),
        _ => Ok(stdin.clone().expect("without a file the input is standard input")),
    };
    let source = ValidatorSource::find(target, reached, &first, &flag, &mut talk(report))?;
    if let (Some(part), Some(folder)) = (part_of(plan, &source, seen), &plan.output) {
        delete_outdated(&part, folder, report)?;
        if part.is_in(folder) {
            report.say(&format!("{} is complete already", folder.display()));
            return Ok(Exit::Done);
        }
    }
    let doubts = |error| repair_trouble(error, plan.base.as_deref(), plan.is_command());
    let looked = look_first(&source, &inputs, &options).map_err(doubts)?;
    let target = source.target_name();
    if looked.wants_grammar
        && let Some((grammar, note)) = plan.hints(&options, &inputs, target.as_deref())
    {
        options.repair.hints = Some(grammar);
        report.report(&Event::Note(NoteKind::GuessedLanguage, &note));
    }
    if let Some(reason) = &looked.rejects_all {
        let prints = match reason.is_empty() {
            true => "prints nothing".to_owned(),
            false => {
                let start: String = reason.chars().take(MAX_REASON_CHARS).collect();
                format!("prints {start:?} each time")
            }
        };
        report.say(&format!(
            "the validator has rejected every text so far and {prints}: check that it reads its \
             input, or name a valid one with --base"
        ));
    }
    let mut places = Vec::new();
    if let Some(shard) = plan.shard {
        // What was learnt comes from the inputs of all shards, so that it is the same in each.
        let own = gathered.inputs.iter().enumerate().filter(|(_, one)| shard.has(&one.sha1));
        (places, inputs) = own.map(|(place, one)| (place, RepairInput::from(one))).unzip();
        if gathered.inputs.len() > 1 {
            options.siblings = plan.siblings()?;
        }
    }
    // Building the validator and looking at the inputs counts as part of the run's time.
    let before = started.elapsed();
    options.max_total = options.max_total.map(|total| total.saturating_sub(before));
    let mut failed = None;
    let _keeping = interrupt.keep_results();
    let mut done = 0;
    report.report(&Event::InputsDone { done, all: inputs.len() });
    let shared = RefCell::new(&mut *report);
    let mut receive = |answer: Result<RepairResult, PassedOver>| {
        let report = &mut shared.borrow_mut();
        let taken = match answer {
            Ok(result) => receiver.take(result, report),
            Err(one) => {
                receiver.pass_over(&one, report);
                Ok(())
            }
        };
        done += 1;
        report.report(&Event::InputsDone { done, all: inputs.len() });
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(trouble) => {
                failed = Some(trouble);
                ControlFlow::Break(())
            }
        }
    };
    let mut still_running = |Progress { done, had_first }: Progress| {
        let (of, seconds) = (inputs.len(), started.elapsed().as_secs());
        let quick = match (1..of).contains(&had_first) {
            true => format!(" ({had_first} searched quickly)"),
            false => String::new(),
        };
        shared.borrow_mut().say(&format!("{done} of {of} inputs done{quick} after {seconds} s"));
    };
    let end = repair_looked(&source, &inputs, &options, looked, &mut receive, &mut still_running);
    let RunEnd { mut totals, doubt, for_others } = end.map_err(doubts)?;
    if let Some(trouble) = failed {
        return Err(trouble);
    }
    totals.elapsed += before;
    let worst = receiver.worst();
    let was_cut = interrupt.exit().is_some() || doubt.is_some();
    let mut part = part_of(plan, &source, seen).filter(|_| !was_cut);
    if let (Some(_), Some(folder)) = (&part, &plan.output) {
        let ForOthers { is_waiting, texts } = for_others;
        if is_waiting {
            part = part.map(|part| part.leaving(vec![ToDo::Repair]));
            report.say("the other inputs wait for the valid texts of all shards: merge is next");
        }
        let texts = texts.into_iter().map(|(index, text)| (places[index], text));
        // A second run has none, and the other shards may not have read those of the first.
        if !matches!(options.siblings, Siblings::Given(_)) {
            write_valid_texts(folder, texts)
                .or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))?;
        }
    }
    receiver.finish(&mut totals, part)?;
    report.report(&Event::RepairsEnded { totals: &totals, is_single });
    check(report)?;
    match doubt {
        Some(error) => Err(doubts(error)),
        None => Ok(interrupt.exit().or(worst).unwrap_or(Exit::Done)),
    }
}

/// The part of a shard by this validator, without what it has done; none without a shard.
fn part_of(plan: &RepairPlan, validator: &ValidatorSource, seen: InputSet) -> Option<Part> {
    let target = validator.target_name().unwrap_or_default();
    let part = |shard| {
        let part = Part::new(shard, "repair", plan.key(), &target);
        part.by(validator.identity()).on(seen, &plan.inputs)
    };
    plan.shard.map(part)
}

/// Drops the originals that an earlier repair in place has kept beside `inputs`, but for those that were
/// `named`, and returns how many.
fn leave_out_backups(inputs: &mut Vec<Listed>, named: &[PathBuf]) -> usize {
    let backups: HashSet<PathBuf> =
        inputs.iter().flat_map(Listed::files).map(|path| backup_of(&path)).collect();
    let is_backup = |path: &PathBuf| backups.contains(path) && !named.contains(path);
    let mut left_out = 0;
    inputs.retain_mut(|one| {
        let (dropped, mut kept): (Vec<_>, Vec<_>) = one.files().partition(is_backup);
        left_out += dropped.len();
        let has_any = !kept.is_empty();
        if has_any {
            one.path = kept.remove(0);
            one.copies = kept;
        }
        has_any
    });
    left_out
}

/// Writes and reports results, and remembers how the program has to end.
///
/// One lives for a whole run. It gets results in the order of the inputs, one at a time.
struct Receiver<'p> {
    /// The options as meant, such as whether a diagnosis is printed in place of the text.
    plan: &'p RepairPlan,
    /// Writes the valid texts and the inputs of other failures, and counts the texts.
    saver: RepairSaver,
    /// Whether the valid text is printed on stdout: for one input without `-o`, `--in-place`,
    /// `--check` or `--json`.
    hands_over: bool,
    /// The worst end of a repair.
    worst: Option<Exit>,
    /// How many repairs a budget has ended.
    stopped: u64,
    /// Whether an input could not be read; then the exit code is 6 unless a repair ended worse.
    has_passed_over: bool,
}

impl<'p> Receiver<'p> {
    /// Checks that results and the page can be written. `is_single` is for one input, whose result
    /// is a file and not in a folder.
    ///
    /// Nothing is written except the folder of the results, which is created if it is missing.
    fn new(plan: &'p RepairPlan, is_single: bool) -> Result<Self, Trouble> {
        let place = plan.place(is_single)?;
        let is_to_stdout =
            is_single && plan.output.is_none() && !plan.is_in_place && !plan.options.only_check;
        Ok(Receiver {
            plan,
            saver: RepairSaver::new(place, plan.output.clone())?,
            hands_over: is_to_stdout && !plan.tell.json,
            worst: None,
            stopped: 0,
            has_passed_over: false,
        })
    }

    /// Refuses to write where one of `originals` is.
    ///
    /// Called once, when the inputs are known and before the validator is built.
    fn spare(&mut self, originals: &Arc<Originals>) -> Result<(), Trouble> {
        if let Some(path) = &self.plan.page {
            refuse_originals(path, originals)?;
        }
        Ok(self.saver.spare(originals.clone())?)
    }

    /// The code to end with, if it isn't the one for success.
    ///
    /// A budget that ended counts more than a text that is not repaired, and both count more than an input
    /// that could not be read.
    fn worst(&self) -> Option<Exit> {
        self.worst.or(self.has_passed_over.then_some(Exit::Files))
    }

    /// Reports an input that could not be read. The others are repaired.
    fn pass_over(&mut self, one: &PassedOver, report: &mut Reporters) {
        self.has_passed_over = true;
        let PassedOver { path, why } = one;
        report.report(&Event::PassedOver { input: path, why, exit: Exit::Files as u8 });
    }

    /// Writes a result and reports it.
    ///
    /// # Errors
    ///
    /// It cannot be written. That ends the run, because the others could not be written either.
    fn take(&mut self, mut result: RepairResult, report: &mut Reporters) -> Result<(), Trouble> {
        self.saver.save(&mut result)?;
        let RepairResult { row, input, text, .. } = result;
        self.stopped += u64::from(row.stopped.is_some());
        self.worst = match (row.stopped, row.status) {
            (Some(_), _) => Some(Exit::BudgetOver),
            (None, RepairStatus::NotRepaired | RepairStatus::Invalid) => {
                self.worst.or(Some(Exit::DoesNotFail))
            }
            _ => self.worst,
        };
        let repaired = RepairedInput { row: &row, input: &input, text: text.as_deref() };
        report.report(&Event::Repaired(&repaired));
        match &text {
            Some(_) if self.plan.diagnoses => report.report(&Event::RepairDiagnosed(&repaired)),
            Some(text) if self.hands_over => report.report(&Event::Data(text)),
            _ => {}
        }
        check(report)
    }

    /// The totals are complete then. With the `part` of a shard, the file that `merge` reads is written too.
    fn finish(self, totals: &mut RepairTotals, part: Option<Part>) -> Result<(), Trouble> {
        let Receiver { plan, saver, stopped, .. } = self;
        let doing = || "failed to write the other failures".to_owned();
        let files = saver.finish().or_exit(Exit::Files, doing)?;
        totals.written = files.len();
        if let (Some(part), Some(folder)) = (part, &plan.output) {
            let figures = [
                ("inputs", totals.inputs as u64),
                ("valid", totals.valid as u64),
                ("repaired", totals.repaired as u64),
                ("not_repaired", totals.not_repaired as u64),
                ("invalid", totals.invalid as u64),
                ("tests", totals.tests),
                ("stopped", stopped),
            ];
            let written = part.with(files.into_iter().collect(), figures).write(folder);
            written.or_exit(Exit::Files, || format!("failed to write {}", folder.display()))?;
        }
        Ok(())
    }
}

/// Fails where a report could not be written: a page is as much a result as the texts are.
fn check(report: &mut Reporters) -> Result<(), Trouble> {
    report.take_error().map_or(Ok(()), |error| Err(error.into()))
}
