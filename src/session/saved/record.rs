//! Continues a run that was killed or stopped, and keeps what the next run needs for that.
//!
//! A search is deterministic, so a resumed run searches again from where the first one started,
//! and every candidate that was tested before is answered from the store. That is sound whatever a
//! reducer keeps in its head, repeats no test, and counts tests as an undisturbed run does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::asked::{differing, limit_words, search_words};
use super::identity::identity;
use super::output::Output;
use crate::corpus::content_name;
use crate::event::Event;
use crate::journal::{self, Begun, Ended, Journal, Past};
use crate::search::Listener;
use crate::session::error::{SessionError, with_causes};
use crate::session::failing::FailingInput;
use crate::session::searched::Options;
use seedsmith_engine::oracle::judge::Judge;
use seedsmith_engine::oracle::store::{Store, StoreError};
use seedsmith_grammar::digest::Digest;

/// The journal and the store of one result, while it is made.
pub struct Record {
    journal: Option<Journal>,
    /// Nothing where there is no output, and so nothing to continue.
    store_path: Option<PathBuf>,
    /// What the search has to start from for the store to answer.
    pub start: Option<Vec<u8>>,
}

/// What decides about observations and about the way of the search.
struct Asked {
    begun: Begun,
    key: Digest,
}

impl Asked {
    fn of(failing: &FailingInput<'_>, options: &Options) -> Self {
        let seedsmith = env!("CARGO_PKG_VERSION").to_owned();
        let executable = identity(failing.target);
        let frames = failing.hunt.needs_frames();
        let limits = limit_words(failing.limits);
        let key = format!("{seedsmith}\n{executable}\n{limits}\nframes {frames}");
        Asked {
            key: Digest::of(key.as_bytes()),
            begun: Begun {
                seedsmith,
                input: failing.path.to_string_lossy().into_owned(),
                input_sha1: content_name(&failing.bytes),
                executable,
                options: search_words(&options.reduction, &failing.hunt.sameness),
                start: None,
            },
        }
    }
}

impl Record {
    /// Looks for what an earlier run left, if it is to be gone on with; else begins anew.
    /// Gives the store that the oracle is to use.
    ///
    /// That nothing can be kept is told and no reason to end; that another run is at it, is one.
    pub fn open(
        failing: &FailingInput<'_>,
        output: Option<&Output>,
        options: &Options,
        listener: &mut Listener<'_>,
    ) -> Result<(Self, Option<Store>), SessionError> {
        let Some(output) = output else {
            return Ok((Record { journal: None, store_path: None, start: None }, None));
        };
        let asked = Asked::of(failing, options);
        let journal_path = output.journal_path();
        let store_path = output.observations_path();
        let past = journal::read(&journal_path).unwrap_or(None);
        let past = past.filter(|past| past.ended.is_none_or(|ended| ended.stopped.is_some()));
        if options.resumes {
            match resume(past.as_ref(), &asked, &store_path) {
                Ok((store, start)) => {
                    let past = past.expect("it was resumed");
                    listener(&Event::Note(&told(&past, &asked, store.left())));
                    let journal = Journal::resume(&journal_path, &asked.begun).ok();
                    let start = Some(start.unwrap_or_else(|| failing.bytes.clone()));
                    let record = Record { journal, store_path: Some(store_path), start };
                    return Ok((record, Some(store)));
                }
                Err(Unresumable::Busy(error)) => return Err(SessionError::Busy(error)),
                Err(Unresumable::Because(why)) => {
                    listener(&Event::Note(&format!("nothing to resume: {why}")));
                }
            }
        } else if past.is_some() {
            listener(&Event::Detail("an earlier run did not end, and is not continued"));
        }
        let store = Store::create(&store_path, asked.key);
        let mut record = Record { journal: None, store_path: Some(store_path), start: None };
        let store = match store {
            Ok(store) => store,
            Err(error @ StoreError::Busy(_)) => return Err(SessionError::Busy(error)),
            Err(error) => {
                listener(&Event::Note(&format!(
                    "this run can't be resumed: {}",
                    with_causes(&error)
                )));
                return Ok((record, None));
            }
        };
        match Journal::create(&journal_path, &asked.begun) {
            Ok(journal) => record.journal = Some(journal),
            Err(error) => listener(&Event::Note(&format!(
                "this run can't be resumed: failed to write {}: {error}",
                journal_path.display()
            ))),
        }
        Ok((record, Some(store)))
    }

    /// Begins the journal anew where the search starts from something else than the input.
    pub fn starts_from(
        &mut self,
        start: &[u8],
        failing: &FailingInput<'_>,
        output: &Output,
        options: &Options,
    ) {
        if self.start.is_none() && start != failing.bytes {
            let mut begun = Asked::of(failing, options).begun;
            begun.start = Some(hex(start));
            self.journal = Journal::create(&output.journal_path(), &begun).ok();
        }
    }

    /// Takes note of an event; what it tells is on disk.
    pub fn hear(&mut self, event: &Event<'_>) {
        if let Some(journal) = &mut self.journal {
            journal.hear(event);
        }
    }

    /// Whether a later run can continue from what this one keeps.
    pub fn can_continue(&self) -> bool {
        self.store_path.is_some()
    }

    /// Writes how the run ended. After a whole run nothing is left to resume, so the store goes.
    ///
    /// Returns why the journal isn't complete, if it isn't. The result is on disk all the same.
    pub fn end(self, ended: Ended) -> Option<io::Error> {
        if ended.stopped.is_none() {
            // It may be gone already, and then that is well too.
            let _ = self.store_path.map(fs::remove_file);
        }
        self.journal.and_then(|journal| journal.end(ended).err())
    }
}

enum Unresumable {
    Because(String),
    Busy(StoreError),
}

fn resume(
    past: Option<&Past>,
    asked: &Asked,
    store_path: &Path,
) -> Result<(Store, Option<Vec<u8>>), Unresumable> {
    let because = |why: &str| Unresumable::Because(why.to_owned());
    let past = past.ok_or_else(|| because("no earlier run was ended before its time"))?;
    if past.begun.input_sha1 != asked.begun.input_sha1 {
        return Err(because("the journal is of another input"));
    }
    let start = match &past.begun.start {
        None => None,
        Some(hex) => Some(unhex(hex).ok_or_else(|| because("the journal is damaged"))?),
    };
    if !store_path.exists() {
        return Err(because("what was observed is gone"));
    }
    match Store::open(store_path, asked.key) {
        Ok(store) => Ok((store, start)),
        Err(error @ StoreError::Busy(_)) => Err(Unresumable::Busy(error)),
        Err(error) => Err(Unresumable::Because(with_causes(&error))),
    }
}

fn told(past: &Past, asked: &Asked, left: usize) -> String {
    let mut text = format!("resuming: {left} tests are known already");
    let others = differing(&past.begun.options, &asked.begun.options);
    if !others.is_empty() {
        let others = others.join(", ");
        text +=
            &format!("; the options are others ({others}), so the search may ask for other tests");
    }
    if asked.begun.executable.starts_with("command ") {
        text += "; whether the command still answers as it did can't be known";
    }
    text
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(|pair| (pair.len() == 2).then(|| byte(pair)).flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_hexadecimal() {
        assert_eq!(unhex(&hex(b"\x00foo\xff")).unwrap(), b"\x00foo\xff");
        assert_eq!(unhex("0"), None);
        assert_eq!(unhex("xx"), None);
    }
}
