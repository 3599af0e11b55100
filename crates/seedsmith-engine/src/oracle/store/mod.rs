//! Observations on disk, so that a run after a killed one need not repeat its tests.
//!
//! A store is a log in the order in which tests were consumed. A test costs one system call (`file`),
//! and the written bytes survive the process. A search is deterministic, so a resumed one asks for the same candidates again and
//! gets their answers from here; it continues by itself where the log ends.
//!
//! Only observations that were consumed, and confirmed if they had to be, are kept: an answer from the
//! store needs no confirmation.
//! A worker that was ended from outside ([`Observation::Lost`]) says nothing and is not kept.

mod file;
#[cfg(feature = "self-fuzz")]
pub(crate) mod fuzzed;
mod record;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::fcntl::Flock;
use xxhash_rust::xxh3::xxh3_64;

use super::codes::Codes;
use crate::observation::{Observation, Verdict};
use crate::owner::open_locked;
use crate::signature::{Kind, Signature};
use file::LogFile;
use record::Record;
pub use record::{signature_of, text_of};
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::NumberMap;

/// Bytes on disk at most: about 2.7 million tests of 24 bytes. Later tests are made again by a run that
/// continues. A guess; not measured.
const MAX_STORE_BYTES: usize = 64 << 20;
/// The file begins with this; the number is the version of its form.
const MAGIC: &[u8; 16] = b"seedsmith obs 3\n";
/// Magic, key, and room.
const HEADER_BYTES: usize = 64;

/// The code of an input that the target kept.
const KEEP: u32 = 0;
/// The code of an input that it rejected.
const REJECT: u32 = 1;
/// The code of a run that said nothing.
const UNRESOLVED: u32 = 2;
/// The codes from here on are signatures.
const FIRST_SIGNATURE: u32 = 3;
/// No further observation of a candidate.
const NO_NEXT: u32 = u32::MAX;

/// Why a store that is there can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It can't be read or written.
    #[error("{}", path.display())]
    Files {
        /// The store's path.
        path: PathBuf,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// Another process has it open.
    #[error("another run is writing to {}", .0.display())]
    Busy(PathBuf),
    /// It was written with another executable, other limits or another version.
    #[error("it was kept for another executable, other limits or another version")]
    OtherKey,
}

/// An observation of an earlier run.
#[derive(Debug)]
struct Recalled {
    /// The observation.
    code: u32,
    /// The next one of the same candidate.
    next: u32,
    /// The limit of time under which it was observed.
    limit: Duration,
}

/// Observations on disk.
#[derive(Debug)]
pub struct Store {
    /// The bytes on disk.
    file: LogFile,
    _lock: Flock<File>,
    /// The seed of checksums: the store's key, so that records of another store don't count here.
    seed: u64,
    /// Where the next record goes.
    end: usize,
    /// A record that is being written, kept so that writing allocates nothing.
    buffer: Vec<u8>,
    /// First observation of a candidate that was not used yet; an index of `recalled`.
    ///
    /// When all of a candidate were used its entry is removed.
    heads: NumberMap<u128, u32>,
    /// Observations of the earlier run, in the order of the file.
    recalled: Vec<Recalled>,
    /// How many of them were not used yet.
    left: usize,
    /// The limit of time under which the last record was written.
    limit: Duration,
    /// Signatures by their codes less [`FIRST_SIGNATURE`].
    signatures: Vec<Arc<Signature>>,
    /// The codes of signatures.
    codes: Codes<()>,
    /// See [`Store::fresh_after`].
    fresh_after: Option<u64>,
    /// See [`Store::is_full`].
    is_full: bool,
}

impl Store {
    /// A new, empty store; one that is there is replaced. `key` names the executable and all else
    /// that an observation depends on.
    ///
    /// # Errors
    ///
    /// Another process has it open, or the system refuses to make or write the file.
    pub fn create(path: &Path, key: Digest) -> Result<Self, StoreError> {
        let store = Store::locked(path, key)?;
        let written =
            store.file.cut(0).and_then(|()| store.file.write(0, &header(key), MAX_STORE_BYTES));
        written.map_err(|source| StoreError::Files { path: path.to_owned(), source })?;
        Ok(store)
    }

    /// The store that an earlier run with the same `key` left, to be recalled and added to. Bytes after
    /// the last whole record are dropped.
    ///
    /// Costs a read of the whole file. A record that is not whole was torn by the end of
    /// its process.
    ///
    /// # Errors
    ///
    /// As for [`Store::create`]; and [`StoreError::OtherKey`], which leaves the file as it is.
    pub fn open(path: &Path, key: Digest) -> Result<Self, StoreError> {
        let mut store = Store::locked(path, key)?;
        let files = |source: io::Error| StoreError::Files { path: path.to_owned(), source };
        let bytes = store.file.read(MAX_STORE_BYTES).map_err(files)?;
        if !bytes.starts_with(&header(key)) {
            return Err(StoreError::OtherKey);
        }
        let mut tails: NumberMap<u128, u32> = NumberMap::default();
        while let Some((record, length)) = Record::decode(&bytes, store.end, store.seed) {
            match record {
                Record::Signature(signature) => store.number(signature),
                Record::Fresh(tests) => store.fresh_after = Some(tests),
                Record::Limit(limit) => store.limit = Duration::from_nanos(limit),
                Record::Observed(digest, code) => {
                    if store.observation(code).is_none() {
                        break;
                    }
                    let index = store.recalled.len() as u32;
                    store.recalled.push(Recalled { code, next: NO_NEXT, limit: store.limit });
                    match tails.insert(digest, index) {
                        Some(before) => store.recalled[before as usize].next = index,
                        None => {
                            store.heads.insert(digest, index);
                        }
                    }
                }
            }
            store.end += length;
        }
        store.left = store.recalled.len();
        store.file.cut(store.end).map_err(files)?;
        Ok(store)
    }

    /// The store with nothing read of it. Takes the lock, which is held until the store is dropped.
    fn locked(path: &Path, key: Digest) -> Result<Self, StoreError> {
        let files = |source: io::Error| StoreError::Files { path: path.to_owned(), source };
        let lock = open_locked(path).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => StoreError::Busy(path.to_owned()),
            _ => files(source),
        })?;
        Ok(Store {
            file: LogFile::new(lock.try_clone().map_err(files)?),
            _lock: lock,
            seed: xxh3_64(&key.0.to_le_bytes()),
            end: HEADER_BYTES,
            buffer: Vec::new(),
            heads: NumberMap::default(),
            recalled: Vec::new(),
            left: 0,
            limit: Duration::ZERO,
            signatures: Vec::new(),
            codes: Codes::default(),
            fresh_after: None,
            is_full: false,
        })
    }

    /// How many observations of the earlier run were not used yet.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Whether there was no room for some observation: a resumed run will make it again.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// After how many tests the earlier run began to give each candidate a fresh worker.
    pub fn fresh_after(&self) -> Option<u64> {
        self.fresh_after
    }

    /// The earlier run's observation of a candidate, if it was not used yet. A timeout under a
    /// shorter limit than `limit` is not returned.
    ///
    /// Takes nothing away: that is for [`Store::consume`]. Of several observations of one candidate
    /// the first one that is left is given.
    pub fn recall(&self, digest: Digest, limit: Duration) -> Option<Observation> {
        self.usable(digest, limit).map(|(_, observation)| observation)
    }

    /// The first observation that is left of a candidate and holds under `limit`.
    fn usable(&self, digest: Digest, limit: Duration) -> Option<(u32, Observation)> {
        let head = *self.heads.get(&digest.0)?;
        let next = |index: &u32| self.recalled[*index as usize].next;
        std::iter::successors(Some(head), |index| Some(next(index)).filter(|next| *next != NO_NEXT))
            .filter_map(|index| {
                Some((index, self.observation(self.recalled[index as usize].code)?))
            })
            .find(|(index, seen)| {
                !is_timeout(seen) || self.recalled[*index as usize].limit >= limit
            })
    }

    /// Writes down that `observation` was consumed as a test of `digest`: a recalled observation is used
    /// up, and anything else is written down.
    ///
    /// One system call where something is written, and none where the earlier run had observed the
    /// same.
    pub fn consume(&mut self, digest: Digest, observation: &Observation, limit: Duration) {
        if let Some((index, seen)) = self.usable(digest, limit)
            && (seen == *observation
                || seen.verdict().is_some_and(|one| observation.verdict() == Some(one)))
        {
            self.left -= 1;
            match self.recalled[index as usize].next {
                NO_NEXT => self.heads.remove(&digest.0),
                next => self.heads.insert(digest.0, next),
            };
            return;
        }
        let code = match observation {
            Observation::Lost => return,
            Observation::Returned(Verdict::Keep) => KEEP,
            // A message is of use only while its run lasts.
            Observation::Returned(Verdict::Reject) | Observation::Complained(_) => REJECT,
            Observation::Unresolved => UNRESOLVED,
            Observation::Failed(signature) => match self.code_of(signature) {
                Some(code) => code,
                None => return,
            },
        };
        if is_timeout(observation) && limit != self.limit {
            self.limit = limit;
            let nanoseconds = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
            self.write(&Record::Limit(nanoseconds));
        }
        self.write(&Record::Observed(digest.0, code));
    }

    /// Writes down that each candidate gets a fresh worker after this number of tests.
    pub fn mark_fresh(&mut self, tests: u64) {
        if self.fresh_after != Some(tests) {
            self.fresh_after = Some(tests);
            self.write(&Record::Fresh(tests));
        }
    }

    /// The code of a signature, which is written first if it has none; `None` where there is no
    /// room.
    fn code_of(&mut self, signature: &Arc<Signature>) -> Option<u32> {
        if let Some(code) = self.codes.of(signature, ()) {
            return Some(code);
        }
        self.write(&Record::Signature(signature.clone())).then(|| {
            self.number(signature.clone());
            FIRST_SIGNATURE + self.signatures.len() as u32 - 1
        })
    }

    /// Gives a signature the next code.
    fn number(&mut self, signature: Arc<Signature>) {
        let code = FIRST_SIGNATURE + self.signatures.len() as u32;
        self.signatures.push(signature.clone());
        self.codes.insert(signature, (), code);
    }

    /// The observation of a code; `None` for a signature that was not written.
    fn observation(&self, code: u32) -> Option<Observation> {
        Some(match code {
            KEEP => Observation::Returned(Verdict::Keep),
            REJECT => Observation::Returned(Verdict::Reject),
            UNRESOLVED => Observation::Unresolved,
            code => {
                Observation::Failed(self.signatures.get((code - FIRST_SIGNATURE) as usize)?.clone())
            }
        })
    }

    /// Returns whether there was room. A disk that is full is as good as the limit.
    fn write(&mut self, record: &Record) -> bool {
        if self.is_full {
            return false;
        }
        if !record.encode(self.end, self.seed, &mut self.buffer) {
            return false;
        }
        match self.file.write(self.end, &self.buffer, MAX_STORE_BYTES) {
            Ok(true) => {
                self.end += self.buffer.len();
                true
            }
            Ok(false) | Err(_) => {
                self.is_full = true;
                false
            }
        }
    }
}

/// Whether an observation is of a run that did not end in time: it holds under its limit only.
fn is_timeout(observation: &Observation) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Timeout)
}

/// The first bytes of a store: [`MAGIC`], the key, and zeroes.
fn header(key: Digest) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..16].copy_from_slice(MAGIC);
    header[16..32].copy_from_slice(&key.0.to_le_bytes());
    header
}

#[cfg(test)]
mod tests;
