//! `--resume`: goes on where a killed or stopped run stood, and keeps what the next one needs.
//!
//! A search is deterministic, so a resumed run searches again from where the first one started,
//! and every candidate that was tested before is answered from the store. That is sound whatever a
//! reducer keeps in its head, repeats no test, and counts tests as an undisturbed run does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::asked::{differing, limit_words, search_words};
use super::exit::{Exit, Trouble};
use super::hunt::Hunting;
use super::identity::identity;
use super::minimize::Options;
use super::output::Output;
use crate::corpus::{JOURNAL, OBSERVATIONS, content_name};
use crate::digest::Digest;
use crate::event::Event;
use crate::journal::{self, Begun, Ended, Journal, Past};
use crate::oracle::judge::Judge;
use crate::oracle::store::{Store, StoreError};
use crate::report::Report;

/// The journal and the store of one result, while it is made.
pub struct Record {
    journal: Option<Journal>,
    store_path: PathBuf,
    /// What the search has to start from for the store to answer.
    pub start: Option<Vec<u8>>,
}

/// Where the journal of a result lies.
pub fn journal_path(output: &Path) -> PathBuf {
    beside(output, JOURNAL)
}

fn beside(output: &Path, ending: &str) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    output.with_file_name(name)
}

/// What decides about observations and about the way of the search.
struct Asked {
    begun: Begun,
    key: Digest,
}

impl Asked {
    fn of(hunting: &Hunting<'_>, options: &Options) -> Self {
        let seedsmith = env!("CARGO_PKG_VERSION").to_owned();
        let executable = identity(hunting.opened);
        let frames = hunting.hunt.needs_frames();
        let limits = limit_words(hunting.limits);
        let key = format!("{seedsmith}\n{executable}\n{limits}\nframes {frames}");
        Asked {
            key: Digest::of(key.as_bytes()),
            begun: Begun {
                seedsmith,
                input: hunting.input.path.to_string_lossy().into_owned(),
                input_sha1: content_name(&hunting.input.bytes),
                executable,
                options: search_words(&options.reduction, &hunting.hunt.sameness),
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
        hunting: &Hunting<'_>,
        output: &Output,
        options: &Options,
        report: &mut Report,
    ) -> Result<(Self, Option<Store>), Trouble> {
        let asked = Asked::of(hunting, options);
        let journal_path = journal_path(&output.path);
        let store_path = beside(&output.path, OBSERVATIONS);
        let past = journal::read(&journal_path).unwrap_or(None);
        let past = past.filter(|past| past.ended.is_none_or(|ended| ended.stopped.is_some()));
        if options.resumes {
            match resume(past.as_ref(), &asked, &store_path) {
                Ok((store, start)) => {
                    let past = past.expect("it was resumed");
                    report.hear(&Event::Note(&told(&past, &asked, store.left())));
                    let journal = Journal::resume(&journal_path, &asked.begun).ok();
                    let start = Some(start.unwrap_or_else(|| hunting.input.bytes.clone()));
                    return Ok((Record { journal, store_path, start }, Some(store)));
                }
                Err(Unresumable::Busy(trouble)) => return Err(trouble),
                Err(Unresumable::Because(why)) => {
                    report.hear(&Event::Note(&format!("nothing to resume: {why}")));
                }
            }
        } else if past.is_some() {
            report.say_more("an earlier run didn't end; --resume would have gone on with it");
        }
        let mut record = Record { journal: None, store_path, start: None };
        let store = match Store::create(&record.store_path, asked.key) {
            Ok(store) => store,
            Err(error @ StoreError::Busy(_)) => return Err(busy(&error)),
            Err(error) => {
                report.hear(&Event::Note(&format!(
                    "this run can't be resumed: {:#}",
                    anyhow::Error::from(error)
                )));
                return Ok((record, None));
            }
        };
        match Journal::create(&journal_path, &asked.begun) {
            Ok(journal) => record.journal = Some(journal),
            Err(error) => report.hear(&Event::Note(&format!(
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
        hunting: &Hunting<'_>,
        output: &Output,
        options: &Options,
    ) {
        if self.start.is_none() && start != hunting.input.bytes {
            let mut begun = Asked::of(hunting, options).begun;
            begun.start = Some(hex(start));
            self.journal = Journal::create(&journal_path(&output.path), &begun).ok();
        }
    }

    /// Takes note of an event; what it tells is on disk.
    pub fn hear(&mut self, event: &Event<'_>) {
        if let Some(journal) = &mut self.journal {
            journal.hear(event);
        }
    }

    /// Writes how the run ended. After a whole run nothing is left to resume, so the store goes.
    ///
    /// Returns why the journal isn't complete, if it isn't. The result is on disk all the same.
    pub fn end(self, ended: Ended) -> Option<io::Error> {
        if ended.stopped.is_none() {
            // It may be gone already, and then that is well too.
            let _ = fs::remove_file(&self.store_path);
        }
        self.journal.and_then(|journal| journal.end(ended).err())
    }
}

enum Unresumable {
    Because(String),
    Busy(Trouble),
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
        Err(error @ StoreError::Busy(_)) => Err(Unresumable::Busy(busy(&error))),
        Err(error) => Err(Unresumable::Because(format!("{:#}", anyhow::Error::from(error)))),
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

fn busy(error: &StoreError) -> Trouble {
    Trouble::new(Exit::Files, format!("{error}; wait for it or name another place with -o"))
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
