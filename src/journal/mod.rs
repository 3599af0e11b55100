//! The journal of a run, written while it runs, a line at a time.
//!
//! A journal belongs to one result: JSON Lines, a version in each. It begins with what the run was
//! asked for, has each better input as soon as that is on disk, and ends with how the run ended.
//! A run that was killed leaves one without an end; its last line may be torn, which is no error.
//! The observations themselves are in [`oracle::store`](seedsmith_engine::oracle::store); each is read
//! without the other.

mod entry;

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use nix::fcntl::OFlag;

pub(crate) use entry::{Begun, Ended};

use crate::aside::Aside;
use crate::event::{Event, Reporter};
use entry::{Entry, Line, VERSION};
use seedsmith_grammar::Digest;

/// Writes a journal.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    trouble: Option<io::Error>,
}

impl Journal {
    /// Begins a new journal; one that is there is replaced when the new one has its first line, so
    /// that there is always one that says which task the result is of.
    pub(crate) fn create(path: &Path, begun: &Begun) -> io::Result<Self> {
        let mut aside = Aside::beside(path)?;
        aside.write_all(&line(&Entry::Begun(begun.clone())))?;
        aside.persist()?;
        Ok(Journal { file: open_to_append(path)?, trouble: None })
    }

    /// Continues a journal that has no end. A torn last line is cut off.
    pub(crate) fn resume(path: &Path, begun: &Begun) -> io::Result<Self> {
        let whole = whole_lines(&fs::read(path)?);
        let file = open_to_append(path)?;
        file.set_len(whole as u64)?;
        let mut journal = Journal { file, trouble: None };
        journal.write(&Entry::Resumed(begun.clone()));
        journal.trouble.take().map_or(Ok(journal), Err)
    }

    /// Writes how the run ended. It is not synced: the result is, and a journal that a power cut
    /// tore is only one of a run that was killed.
    pub(crate) fn end(mut self, ended: Ended) -> io::Result<()> {
        self.write(&Entry::Finished(ended));
        self.trouble.map_or(Ok(()), Err)
    }

    /// One system call a line. After the first trouble nothing is written: a journal with a gap
    /// would be wrong.
    fn write(&mut self, entry: &Entry) {
        if self.trouble.is_some() {
            return;
        }
        self.trouble = self.file.write_all(&line(entry)).err();
    }
}

/// Of the events the journal has better inputs, reducers and other failures. Errors are given at its
/// [end](Journal::end), where the caller knows what an incomplete journal means.
impl Reporter for Journal {
    fn report(&mut self, event: &Event<'_>) {
        match event {
            Event::Reduced { best, counts, elapsed } => self.write(&Entry::Reduced {
                bytes: best.len(),
                xxh3: format!("{:?}", Digest::of(best)),
                tests: counts.tests,
                elapsed_ms: milliseconds(*elapsed),
            }),
            Event::ReducerEnded(stats) => self.write(&Entry::Reducer {
                reducer: stats.reducer.clone(),
                tests: stats.counts.tests,
                bytes_after: stats.bytes_after,
                elapsed_ms: milliseconds(stats.elapsed),
            }),
            Event::OtherFailure { signature, input } => self.write(&Entry::OtherFailure {
                bytes: input.len(),
                signature: signature.to_string(),
            }),
            _ => {}
        }
    }
}

fn line(entry: &Entry) -> Vec<u8> {
    let line = Line { version: VERSION, entry: entry.clone() };
    let mut text = serde_json::to_vec(&line).expect("the shapes hold nothing that JSON can't");
    text.push(b'\n');
    text
}

/// Opens a journal, and not what a link in its place leads to.
fn open_to_append(path: &Path) -> io::Result<File> {
    File::options().append(true).custom_flags(OFlag::O_NOFOLLOW.bits()).open(path)
}

/// A run that is over, as its journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Past {
    /// Its task.
    pub begun: Begun,
    /// How it ended; `None` if it was killed.
    pub ended: Option<Ended>,
}

/// Reads a journal; `None` if it isn't there, or isn't one of this version.
pub(crate) fn read(path: &Path) -> io::Result<Option<Past>> {
    // A device might never end.
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(past_of(&bytes))
}

/// The run that the bytes of a journal are of.
pub(crate) fn past_of(bytes: &[u8]) -> Option<Past> {
    let mut past: Option<Past> = None;
    for line in bytes[..whole_lines(bytes)].split(|byte| *byte == b'\n') {
        let Ok(Line { version: VERSION, entry }) = serde_json::from_slice(line) else { continue };
        match (entry, &mut past) {
            (Entry::Begun(begun), None) => past = Some(Past { begun, ended: None }),
            (Entry::Resumed(_), Some(past)) => past.ended = None,
            (Entry::Finished(ended), Some(past)) => past.ended = Some(ended),
            _ => {}
        }
    }
    past
}

/// Where the last whole line ends.
fn whole_lines(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Counts, StopReason};

    fn begun() -> Begun {
        Begun {
            seedsmith: "0.1.0".to_owned(),
            input: "crash".to_owned(),
            input_sha1: "a9993e".to_owned(),
            target: "parse".to_owned(),
            executable: "abc".to_owned(),
            options: "strategy auto".to_owned(),
            start: Some("666f6f".to_owned()),
            first_tests: None,
        }
    }

    fn reduced(journal: &mut Journal, best: &[u8]) {
        let elapsed = Duration::ZERO;
        journal.report(&Event::Reduced { best, counts: Counts::default(), elapsed });
    }

    #[test]
    fn a_journal_tells_what_was_asked_for_and_how_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal.jsonl");
        assert_eq!(read(&path).unwrap(), None);
        let mut journal = Journal::create(&path, &begun()).unwrap();
        reduced(&mut journal, b"foo");
        drop(journal);
        assert_eq!(read(&path).unwrap(), Some(Past { begun: begun(), ended: None }));
        let journal = Journal::resume(&path, &begun()).unwrap();
        let xxh3 = format!("{:?}", Digest::of(b"foo"));
        let failure = Some("panic at a.rs:1:2".to_owned());
        let ended = Ended { bytes: 3, xxh3, tests: 7, stopped: Some(StopReason::Tests), failure };
        journal.end(ended.clone()).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().ended, Some(ended));
        let events: Vec<String> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(value["version"], 1);
                value["event"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(events, ["begun", "reduced", "resumed", "finished"]);
    }

    #[test]
    fn a_torn_line_is_cut_off_and_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal.jsonl");
        let mut journal = Journal::create(&path, &begun()).unwrap();
        reduced(&mut journal, b"foo");
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
        for torn in first + 1..whole.len() {
            fs::write(&path, &whole[..torn]).unwrap();
            assert_eq!(read(&path).unwrap(), Some(Past { begun: begun(), ended: None }));
        }
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        drop(Journal::resume(&path, &begun()).unwrap());
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.lines().all(|line| serde_json::from_str::<Line>(line).is_ok()), "{text}");
        assert_eq!(text.lines().count(), 2);
        for no_journal in [&b""[..], b"something else\n", &whole[..first]] {
            fs::write(&path, no_journal).unwrap();
            assert_eq!(read(&path).unwrap(), None);
        }
    }
}
