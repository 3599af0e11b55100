//! Keeps the best on disk: written aside in the same folder, renamed, and only then announced.
//!
//! Small inputs are written at once. Writing takes at most a twentieth of a run, so a large input
//! that shrinks a thousand times a second is written less often, and announced as often.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::rescue::rescue;
use crate::aside::Aside;
use seedsmith_grammar::internal::order;

/// The least time between two calls of `fsync`, which takes milliseconds; it is called at the end
/// too. A power cut costs one second of work.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// The time that writing may take besides its share of the run, so that the first results are
/// written at once.
const FREE_WRITING_TIME: Duration = Duration::from_millis(5);
/// Writing may take the run's time divided by this number: 5 %. A guess that no user notices it;
/// not measured.
const WRITING_DIVISOR: u32 = 20;
/// Bests that are remembered, in case the last one turns out to be unsteady. Each costs a
/// confirmation; the original input is tried after them.
const MAX_REMEMBERED: usize = 16;
/// Bytes of them at most: a few copies of a large input, and beside the caches of a search it does
/// not count.
const MAX_REMEMBERED_BYTES: usize = 16 << 20;

/// A result that could not be written to its place.
#[derive(Debug)]
pub(crate) struct Unwritten {
    /// Its place.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
    /// Where it is instead, if any folder took it; its place itself, if only an earlier attempt to
    /// write there failed.
    pub rescued: Option<PathBuf>,
}

/// Holds the result's file.
#[derive(Debug)]
pub(crate) struct Keeper {
    path: Option<PathBuf>,
    started: Instant,
    spent: Duration,
    synced: Instant,
    pending: Option<Vec<u8>>,
    remembered: VecDeque<Vec<u8>>,
    standing: Option<Vec<u8>>,
    trouble: Option<io::Error>,
    /// Whether the next best, or one that waits, is written and made durable whatever that costs.
    is_wanted: bool,
}

impl Keeper {
    /// Will write to `path`; without one it keeps everything in memory.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        Keeper {
            path: path.map(Path::to_owned),
            started: Instant::now(),
            spent: Duration::ZERO,
            synced: Instant::now(),
            pending: None,
            remembered: VecDeque::new(),
            standing: None,
            trouble: None,
            is_wanted: false,
        }
    }

    /// Somebody wants to have the best in its file now: what waits, or else the next best, is written without a
    /// look at the share of writing.
    pub(crate) fn write_soon(&mut self) {
        self.is_wanted = true;
    }

    /// Takes note that a result of an earlier run is on disk and fails. Until the search comes to
    /// something simpler it stays.
    pub(crate) fn stand_on(&mut self, result: Vec<u8>) {
        self.standing = Some(result);
    }

    /// Takes note of the input from which a search starts: it is one of the earlier bests.
    pub(crate) fn starts_from(&mut self, best: &[u8]) {
        self.remember(best);
    }

    /// The result of an earlier run, while nothing simpler was taken.
    pub(crate) fn standing(&self) -> Option<&[u8]> {
        self.standing.as_deref()
    }

    /// Takes a new best. Returns whether it is on disk now and may be announced; otherwise it
    /// will be by a later [`Keeper::catch_up`].
    pub(crate) fn take(&mut self, best: &[u8]) -> bool {
        self.remember(best);
        if self.standing.as_ref().is_some_and(|standing| order::is_simpler(standing, best)) {
            return false;
        }
        self.standing = None;
        if !self.may_write() {
            let mut kept = self.pending.take().unwrap_or_default();
            kept.clear();
            kept.extend_from_slice(best);
            self.pending = Some(kept);
            return false;
        }
        self.pending = None;
        let is_due = self.synced.elapsed() >= SYNC_INTERVAL || self.is_wanted;
        self.is_wanted = false;
        self.note(best, is_due)
    }

    /// Writes the pending best, if writing is due again. Returns the bytes that were written.
    pub(crate) fn catch_up(&mut self) -> Option<Vec<u8>> {
        if !self.may_write() {
            return None;
        }
        let best = self.pending.take()?;
        let is_wanted = std::mem::take(&mut self.is_wanted);
        self.note(&best, is_wanted).then_some(best)
    }

    /// Writes `best`, whatever was written before, and calls `fsync`. If it cannot be written to
    /// its place, it is kept in another.
    pub(crate) fn finish(&mut self, best: &[u8]) -> Result<(), Unwritten> {
        self.pending = None;
        let Some(path) = self.path.clone() else { return Ok(()) };
        match (self.write(best, true), self.trouble.take()) {
            (Ok(()), None) => Ok(()),
            // The search ended because of it. Whatever it was, it is over.
            (Ok(()), Some(source)) => Err(Unwritten { rescued: Some(path.clone()), path, source }),
            (Err(source), _) => Err(Unwritten { rescued: rescue(&path, best), path, source }),
        }
    }

    /// Writes `best` once more if its file is gone: the runs that confirm a result come after it was written, and a command may
    /// clear its folder in any of them.
    pub(crate) fn write_if_gone(&mut self, best: &[u8]) -> Result<(), Unwritten> {
        match &self.path {
            Some(path) if !path.exists() => self.finish(best),
            _ => Ok(()),
        }
    }

    /// Whether writing failed, so that the search had better end.
    pub(crate) fn is_in_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// Earlier bests, newest first.
    pub(crate) fn earlier(&self) -> impl Iterator<Item = &[u8]> {
        self.remembered.iter().rev().skip(1).map(Vec::as_slice)
    }

    /// Whether writing has taken less than its share of the run until now. Without a limit, a
    /// search that accepts thousands of candidates a second would only write.
    fn may_write(&self) -> bool {
        self.is_wanted || self.spent <= FREE_WRITING_TIME + self.started.elapsed() / WRITING_DIVISOR
    }

    /// Writes `best` and remembers the error, if there is one. Returns whether it is written.
    fn note(&mut self, best: &[u8], sync: bool) -> bool {
        match self.write(best, sync) {
            Ok(()) => true,
            Err(error) => {
                self.trouble = Some(error);
                false
            }
        }
    }

    /// Writes `best` aside and renames it; with `sync` the disk holds it when this returns. The
    /// time counts for [`Keeper::may_write`].
    fn write(&mut self, best: &[u8], sync: bool) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let began = Instant::now();
        let mut file = Aside::beside(path)?;
        file.write_all(best)?;
        if sync {
            file.persist_synced()?;
            self.synced = Instant::now();
        } else {
            file.persist()?;
        }
        self.spent += began.elapsed();
        Ok(())
    }

    /// Adds an earlier best, and forgets the oldest ones above the limits.
    fn remember(&mut self, best: &[u8]) {
        self.remembered.push_back(best.to_vec());
        let mut bytes: usize = self.remembered.iter().map(Vec::len).sum();
        while self.remembered.len() > MAX_REMEMBERED
            || (bytes > MAX_REMEMBERED_BYTES && self.remembered.len() > 1)
        {
            bytes -= self.remembered.pop_front().map_or(0, |oldest| oldest.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_best_is_on_disk_when_it_may_be_announced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        let mut keeper = Keeper::new(Some(&path));
        for best in [&b"four"[..], b"two", b"1"] {
            if keeper.take(best) {
                assert_eq!(fs::read(&path).unwrap(), best);
            }
        }
        keeper.finish(b"1").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"1");
        assert_eq!(keeper.earlier().collect::<Vec<_>>(), [&b"two"[..], b"four"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was left aside");
    }

    #[test]
    fn an_earlier_result_stays_until_something_simpler_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        fs::write(&path, "three").unwrap();
        let mut keeper = Keeper::new(Some(&path));
        keeper.stand_on(b"three".to_vec());
        assert!(!keeper.take(b"larger than that"));
        assert_eq!(keeper.standing(), Some(&b"three"[..]));
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert!(keeper.take(b"two"));
        assert_eq!((keeper.standing(), fs::read(&path).unwrap()), (None, b"two".to_vec()));
    }

    #[test]
    fn a_best_that_waits_is_written_when_somebody_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        let mut keeper = Keeper::new(Some(&path));
        // Its share of the run is used up for hours.
        keeper.spent = Duration::from_secs(10_000);
        assert!(!keeper.take(b"four") && keeper.catch_up().is_none() && !path.exists());
        keeper.write_soon();
        assert_eq!(keeper.catch_up().as_deref(), Some(&b"four"[..]));
        assert_eq!(fs::read(&path).unwrap(), b"four");
        assert!(!keeper.take(b"two"));
        assert_eq!(fs::read(&path).unwrap(), b"four");
    }

    #[test]
    fn a_result_that_was_removed_after_it_was_written_is_written_again_or_kept_in_another_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out/result");
        fs::create_dir(path.parent().unwrap()).unwrap();
        let mut keeper = Keeper::new(Some(&path));
        keeper.finish(b"two").unwrap();
        fs::remove_file(&path).unwrap();
        keeper.write_if_gone(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        let rescued = keeper.write_if_gone(b"two").unwrap_err().rescued.unwrap();
        assert_eq!(fs::read(&rescued).unwrap(), b"two");
        fs::remove_file(rescued).unwrap();
    }

    #[test]
    fn a_result_whose_folder_was_removed_is_kept_in_another_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/result");
        let mut keeper = Keeper::new(Some(&path));
        assert!(!keeper.take(b"two") && keeper.is_in_trouble());
        let unwritten = keeper.finish(b"two").unwrap_err();
        let rescued = unwritten.rescued.unwrap();
        assert_eq!((unwritten.path, fs::read(&rescued).unwrap()), (path.clone(), b"two".to_vec()));
        fs::remove_file(rescued).unwrap();

        // The folder is there again: the trouble is reported, and the result is in its place.
        assert!(!keeper.take(b"1") && keeper.is_in_trouble());
        fs::create_dir(folder.path().join("gone")).unwrap();
        let unwritten = keeper.finish(b"1").unwrap_err();
        assert_eq!((unwritten.rescued, fs::read(&path).unwrap()), (Some(path), b"1".to_vec()));
    }
}
