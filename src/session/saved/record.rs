//! Continues a run that was killed or stopped, and writes the files that the next run needs for
//! that.
//!
//! A search is deterministic, so a resumed run searches again from where the first one started,
//! and every candidate that was tested before is answered from the store. That is sound whatever a
//! reducer keeps in its head, repeats no test, and counts tests as an undisturbed run does.

use base16ct::lower::encode_string;
use base16ct::mixed::decode_vec;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::identity::{description, identity};
use super::output::Output;
use super::task::{compare, in_words};
use crate::aside;
use crate::corpus::{content_name, earlier_of, journal_of, observations_of};
use crate::event::{Event, NoteKind, Reporter, StopReason};
use crate::journal::{self, Begun, Ended, Journal, Past};
use crate::session::error::{SessionError, with_causes};
use crate::session::failing::FailingInput;
use crate::session::saved::task_words::{differing, limit_words, search_words};
use crate::session::searched::Options;
use seedsmith_engine::Judge;
use seedsmith_engine::internal::{Store, StoreError};
use seedsmith_grammar::Digest;

/// The journal and the store of one result, while it is made.
///
/// One is made for each search, also without an output: then nothing is written and nothing can be
/// continued.
#[derive(Default)]
pub(crate) struct Record {
    journal: Option<Journal>,
    /// `None` if there is no output, and so nothing to continue.
    store_path: Option<PathBuf>,
    /// The input from which the search has to start to find its candidates in the store.
    pub start: Option<Vec<u8>>,
    /// The result of an earlier run of the same task, from which the search may start.
    pub existing: Option<Vec<u8>>,
    /// Tests of the part of the run that came before, on another executable.
    first_tests: Option<u64>,
}

/// The part of a run that came before, on another executable.
#[derive(Clone, Debug)]
pub(crate) struct FirstPart {
    /// How many tests it took.
    pub tests: u64,
    /// Its result, from which the search starts; `None` if an earlier run did that, and its search
    /// is continued.
    pub best: Option<Vec<u8>>,
}

/// The facts that determine the observations and the course of the search.
struct Asked {
    begun: Begun,
    key: Digest,
}

impl Asked {
    /// The words of this run, to be compared with those of an earlier one.
    ///
    /// `first_tests` is the limit of the first part, if the search begins on another executable: it
    /// decides where the second part starts.
    fn of(failing: &FailingInput<'_>, options: &Options, first_tests: Option<u64>) -> Self {
        let seedsmith = env!("CARGO_PKG_VERSION").to_owned();
        let executable = identity(failing.target);
        let frames = failing.judge.needs_frames();
        let limits = limit_words(failing.limits);
        let key = format!("{seedsmith}\n{executable}\n{limits}\nframes {frames}");
        Asked {
            key: Digest::of(key.as_bytes()),
            begun: Begun {
                seedsmith,
                input: failing.path.to_string_lossy().into_owned(),
                input_sha1: content_name(&failing.bytes),
                target: description(failing.target),
                executable,
                options: search_words(&options.reduction, &failing.judge.sameness),
                start: None,
                first_tests,
            },
        }
    }
}

impl Record {
    /// Compares the task with the files of an earlier run and continues that run if possible;
    /// otherwise starts a new record. Returns the store for the oracle.
    ///
    /// If nothing can be written, that is only reported. It is an error if another run is making
    /// the same result, or if the result of another task is there.
    pub(crate) fn open(
        failing: &FailingInput<'_>,
        output: Option<&Output>,
        options: &Options,
        first: Option<&FirstPart>,
        reporter: &mut dyn Reporter,
    ) -> Result<(Self, Option<Store>), SessionError> {
        let start = first.and_then(|first| first.best.clone());
        let first_tests = first.map(|first| first.tests);
        let Some(output) = output else {
            return Ok((Record { start, first_tests, ..Record::default() }, None));
        };
        let mut asked = Asked::of(failing, options, first_tests);
        let journal_path = journal_of(&output.path);
        let store_path = observations_of(&output.path);
        let is_begun = start.is_some();
        let there = if is_begun {
            // The files there are this run's.
            There::default()
        } else {
            let past = journal::read(&journal_path).unwrap_or(None);
            what_is_there(output, past, &asked, options.resumes)?
        };
        let There { existing, past, note } = there;
        if let Some(note) = note {
            reporter.report(&Event::Note(NoteKind::Resume, &note));
        }
        let past = past.filter(|past| past.ended.as_ref().is_none_or(|end| end.stopped.is_some()));
        asked.begun.start = start.as_deref().map(encode_string);
        let mut record = Record { existing, start, first_tests, ..Record::default() };
        if options.resumes && !is_begun {
            match resume(past.as_ref(), &asked, &store_path) {
                Ok((store, start)) => {
                    let past = past.expect("it was resumed");
                    reporter
                        .report(&Event::Note(NoteKind::Resume, &told(&past, &asked, store.left())));
                    record.journal = Journal::resume(&journal_path, &asked.begun).ok();
                    record.store_path = Some(store_path);
                    record.start = Some(start.unwrap_or_else(|| failing.bytes.clone()));
                    return Ok((record, Some(store)));
                }
                Err(Unresumable::Busy(error)) => return Err(SessionError::Busy(error)),
                Err(Unresumable::Because(why)) => {
                    reporter.report(&Event::Note(
                        NoteKind::Resume,
                        &format!("nothing to resume: {why}"),
                    ));
                }
            }
        } else if past.is_some() {
            reporter.report(&Event::Detail("an earlier run did not end, and is not continued"));
        }
        let mut not_kept = |why: &str| {
            reporter.report(&Event::Note(
                NoteKind::Resume,
                &format!("this run can't be resumed: {why}"),
            ));
        };
        if let Err(error) = make_state_folder(&output.path) {
            not_kept(&error.to_string());
            return Ok((record, None));
        }
        let store = match Store::create(&store_path, asked.key) {
            Ok(store) => store,
            Err(error @ StoreError::Busy(_)) => return Err(SessionError::Busy(error)),
            Err(error) => {
                not_kept(&with_causes(&error));
                record.begin(&journal_path, &asked.begun, &mut |_| {});
                return Ok((record, None));
            }
        };
        record.store_path = Some(store_path);
        record.begin(&journal_path, &asked.begun, &mut not_kept);
        Ok((record, Some(store)))
    }

    /// Begins the journal beside the result at `path`. If that fails, `not_kept` is called with the
    /// reason, and the run continues without a journal: it cannot be resumed then.
    fn begin(&mut self, path: &Path, begun: &Begun, not_kept: &mut dyn FnMut(&str)) {
        match Journal::create(path, begun) {
            Ok(journal) => self.journal = Some(journal),
            Err(error) => {
                // One of an earlier task would say something false of the result.
                let _ = fs::remove_file(path);
                not_kept(&format!("failed to write {}: {error}", path.display()));
            }
        }
    }

    /// Begins the journal again if the search starts from something other than the input.
    ///
    /// The words of the task stay the same: a later run that continues this one begins with `start`
    /// again.
    pub(crate) fn starts_from(
        &mut self,
        start: &[u8],
        failing: &FailingInput<'_>,
        output: &Output,
        options: &Options,
    ) {
        if self.start.is_none() && start != failing.bytes {
            let mut begun = Asked::of(failing, options, self.first_tests).begun;
            begun.start = Some(encode_string(start));
            self.begin(&journal_of(&output.path), &begun, &mut |_| {});
        }
    }

    /// Whether a later run can continue from this one's files.
    ///
    /// It cannot if there is no output, or if the journal or the store could not be written.
    pub(crate) fn can_continue(&self) -> bool {
        self.store_path.is_some()
    }

    /// Writes how the run ended. After a whole run nothing is left to resume, so the store goes.
    ///
    /// Returns why the journal isn't complete, if it isn't. The result is on disk all the same.
    pub(crate) fn end(self, ended: Ended) -> Option<io::Error> {
        if ended.stopped.is_none() {
            // The file may be deleted already, which is fine.
            let _ = self.store_path.map(fs::remove_file);
        }
        self.journal.and_then(|journal| journal.end(ended).err())
    }
}

/// Passes events on to the journal, if there is one. The inputs that they report are on disk.
impl Reporter for Record {
    fn report(&mut self, event: &Event<'_>) {
        if let Some(journal) = &mut self.journal {
            journal.report(event);
        }
    }
}

/// The first part of a run that an earlier run of the same task has done, where that part takes
/// `most` tests; `None` if it has to be done again.
pub(crate) fn first_part(
    failing: &FailingInput<'_>,
    output: &Output,
    options: &Options,
    most: u64,
) -> Option<FirstPart> {
    if output.starts_fresh {
        return None;
    }
    let past = journal::read(&journal_of(&output.path)).ok()??;
    let asked = Asked::of(failing, options, None).begun;
    if !compare(&past.begun, &asked, options.resumes).task.is_empty() {
        return None;
    }
    if let Some(tests) = past.begun.first_tests {
        return Some(FirstPart { tests, best: None });
    }
    let ended = past.ended.filter(|ended| ended.stopped == Some(StopReason::Tests))?;
    let existing = output.existing.as_ref()?;
    let is_intact = ended.xxh3 == format!("{:?}", Digest::of(existing));
    (is_intact && ended.tests >= most && past.begun.executable == asked.executable)
        .then(|| FirstPart { tests: ended.tests, best: Some(existing.clone()) })
}

/// The files in a result's place. Files of another task that may be replaced are left out.
#[derive(Default)]
struct There {
    /// The result of an earlier run of the same task.
    existing: Option<Vec<u8>>,
    /// That run.
    past: Option<Past>,
    /// A note for the user.
    note: Option<String>,
}

/// Looks at the file in a result's place; it is an error if that may not be replaced.
///
/// # Errors
///
/// [`SessionError::OtherTask`] if it is the result of another task, [`SessionError::Changed`] if
/// the file is not what the earlier run wrote; neither if the caller allows it to be replaced.
fn what_is_there(
    output: &Output,
    past: Option<Past>,
    asked: &Asked,
    resumes: bool,
) -> Result<There, SessionError> {
    let path = || output.path.clone();
    let Some(existing) = &output.existing else {
        let Some(past) = past.filter(|_| !output.starts_fresh) else {
            return Ok(There::default());
        };
        // Without a result there is nothing to lose but observations.
        let compared = compare(&past.begun, &asked.begun, resumes);
        return match (compared.task.is_empty(), resumes) {
            (true, _) => Ok(There { past: Some(past), ..There::default() }),
            (false, false) => Ok(There::default()),
            (false, true) => {
                Err(SessionError::OtherTask { path: path(), differences: compared.task })
            }
        };
    };
    if output.starts_fresh {
        let kept = set_aside(&output.path, existing)?;
        return Ok(There { note: Some(kept_as(&output.path, &kept)), ..There::default() });
    }
    let compared = past.as_ref().map(|past| compare(&past.begun, &asked.begun, resumes));
    let ended = past.as_ref().and_then(|past| past.ended.as_ref());
    let is_changed = ended.is_some_and(|ended| ended.xxh3 != format!("{:?}", Digest::of(existing)));
    match compared {
        Some(compared) if compared.task.is_empty() && !is_changed => {
            let mut notes = Vec::new();
            if compared.is_rebuilt {
                notes.push("of an earlier build of the target".to_owned());
            }
            if !compared.options.is_empty() {
                notes.push(format!("found with other options ({})", in_words(&compared.options)));
            }
            let note = (!notes.is_empty() && !resumes)
                .then(|| format!("{} is a result {}", output.path.display(), notes.join(", ")));
            Ok(There { existing: Some(existing.clone()), past, note })
        }
        _ if output.may_replace => Ok(There::default()),
        Some(compared) if compared.task.is_empty() => Err(SessionError::Changed { path: path() }),
        compared => {
            let differences = compared.map_or_else(Vec::new, |compared| compared.task);
            Err(SessionError::OtherTask { path: path(), differences })
        }
    }
}

/// Copies a result that is going to be replaced into the hidden folder beside it.
///
/// The copy is named by its content, so that the same result is kept once.
///
/// # Errors
///
/// [`SessionError::Aside`] if the copy cannot be written; the result is not replaced then.
pub(crate) fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, SessionError> {
    let kept = earlier_of(path, &content_name(bytes));
    let written = make_state_folder(path).and_then(|()| aside::write(&kept, bytes));
    let failed = |source| SessionError::Aside { path: kept.clone(), source };
    written.map_err(failed)?;
    Ok(kept)
}

/// The note for a result that was set aside.
pub(crate) fn kept_as(path: &Path, kept: &Path) -> String {
    format!("the earlier {} is kept as {}", path.display(), kept.display())
}

/// Makes the hidden folder for the files that belong to a result, which only its user may enter.
fn make_state_folder(result: &Path) -> io::Result<()> {
    let journal = journal_of(result);
    let folder = aside::folder_of(&journal);
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let why = format!("failed to make {}: {error}", folder.display());
            Err(io::Error::new(error.kind(), why))
        }
        // A link made by another user might lead anywhere.
        Err(_) if !fs::symlink_metadata(folder)?.is_dir() => {
            Err(io::Error::other(format!("{} is no folder", folder.display())))
        }
        _ => Ok(()),
    }
}

/// The reason why an earlier run is not continued.
enum Unresumable {
    Because(String),
    Busy(StoreError),
}

/// Opens the observations of an earlier run that was stopped or killed. Returns them with the input
/// from which that run started, if that was another than the input.
fn resume(
    past: Option<&Past>,
    asked: &Asked,
    store_path: &Path,
) -> Result<(Store, Option<Vec<u8>>), Unresumable> {
    let because = |why: &str| Unresumable::Because(why.to_owned());
    let past = past.ok_or_else(|| because("no earlier run was ended before its time"))?;
    let start = match &past.begun.start {
        None => None,
        Some(digits) => Some(decode_vec(digits).map_err(|_| because("the journal is damaged"))?),
    };
    if !store_path.exists() {
        return Err(because("the file of observations is missing"));
    }
    match Store::open(store_path, asked.key) {
        Ok(store) => Ok((store, start)),
        Err(error @ StoreError::Busy(_)) => Err(Unresumable::Busy(error)),
        Err(error) => Err(Unresumable::Because(with_causes(&error))),
    }
}

/// The message for a run that is continued: how many observations it has, and in which options it
/// differs from the earlier one.
fn told(past: &Past, asked: &Asked, left: usize) -> String {
    let mut text = format!("resuming: {left} tests are known already");
    let others = differing(&past.begun.options, &asked.begun.options);
    if !others.is_empty() {
        let others = in_words(&others);
        text +=
            &format!("; the options are others ({others}), so the search may ask for other tests");
    }
    if asked.begun.executable.starts_with("command ") {
        text += "; whether the command still answers as it did can't be known";
    }
    text
}
