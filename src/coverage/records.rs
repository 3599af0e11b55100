//! What each input of a corpus reached, on disk: for a run that continues an ended one, and for
//! shards that are merged.
//!
//! The file begins with a header that says on which executable and under which limits the inputs
//! ran. A record follows for each input: its SHA-1, size and path, and its features or its failure.
//! Each record has a checksum, so a torn end is noticed and cut off. The bytes are made and read in
//! [`record_format`](super::record_format).

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::fcntl::Flock;
use seedsmith_engine::internal::open_locked;
use xxhash_rust::xxh3::xxh3_64;

use super::gather::Reached;
use super::record_format::{
    RecordContent, Recording, RecordsKey, append_copies, append_end, append_reached,
    append_unstable, each_record,
};
use super::unstable::Unstable;
use crate::corpus::{Listed, Sha1, sha1_of};

/// Bytes of records that are written together: a system call a record would
/// cost as much as a short run of a target. A killed process loses these runs.
///
/// A guess, not measured.
const MAX_PENDING_BYTES: usize = 32 << 10;

/// Why a file of records cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum RecordsError {
    /// It cannot be read or written.
    #[error("{}", path.display())]
    Files {
        /// Its path.
        ///
        /// Where the file is.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// Another process writes to it.
    #[error("another run is writing to {}", .0.display())]
    Busy(PathBuf),
    /// It is not a file of records of this version.
    #[error("{} holds no features of a shard", .0.display())]
    NoRecords(PathBuf),
    /// Its run was ended before every input was run.
    #[error("{} is not complete: run its shard again", .0.display())]
    Incomplete(PathBuf),
}

/// What an ended run recorded of an input.
#[derive(Debug)]
struct Known {
    reached: Reached,
    /// The digest of its path, which needs less memory than the path.
    path_digest: u64,
}

/// A file of records that is being written.
#[derive(Debug)]
pub(crate) struct Records {
    path: PathBuf,
    /// The file, locked until it is closed.
    file: Flock<File>,
    /// Not written yet.
    pending: Vec<u8>,
    /// What an ended run recorded and this one has not asked for yet.
    known: HashMap<(Sha1, Recording), Known>,
    /// Whether an input that is recorded is at another path now.
    has_moved: bool,
    key: RecordsKey,
    /// The first error of writing.
    trouble: Option<io::Error>,
}

impl Records {
    /// Opens the file at `path` and reads what an ended run under the same `key` wrote. A file with
    /// another key is replaced. It is not complete again before [`Records::complete`].
    ///
    /// Fails with [`RecordsError::Busy`] if another process has the file open, and with
    /// [`RecordsError::Files`] if it cannot be made, read or written. Links are not followed.
    /// Memory: the records of the ended run.
    pub(crate) fn open(path: &Path, key: &RecordsKey) -> Result<Self, RecordsError> {
        let trouble = |source| RecordsError::Files { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(trouble)?;
        }
        let mut file = open_locked(path).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => RecordsError::Busy(path.to_owned()),
            _ => trouble(source),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(trouble)?;
        let mut known = HashMap::new();
        let mut whole = 0;
        if RecordsKey::read(&bytes).as_ref() == Some(key) {
            whole = each_record(&bytes, &mut |record| {
                match record.content {
                    RecordContent::Reached(reached, recording) => {
                        let path_digest = xxh3_64(record.path);
                        known.insert((record.sha1, recording), Known { reached, path_digest });
                        true
                    }
                    RecordContent::Unstable(_) => true,
                    // These are the last records of a complete file, and are written again.
                    RecordContent::Copy | RecordContent::End => false,
                }
            });
        }
        file.set_len(whole as u64).map_err(trouble)?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(trouble)?;
        let pending = if whole == 0 { key.header() } else { Vec::new() };
        let path = path.to_owned();
        let (has_moved, key) = (false, *key);
        let mut records = Records { path, file, pending, known, has_moved, key, trouble: None };
        records.flush();
        records.trouble.take().map_or(Ok(records), |error| Err(trouble(error)))
    }

    /// What an earlier run wrote of this input, if it ran in this way.
    pub(crate) fn take(&mut self, input: &Listed, recording: Recording) -> Option<Reached> {
        let known = self.known.remove(&(sha1_of(&input.sha1), recording))?;
        self.has_moved |= known.path_digest != xxh3_64(input.path.as_os_str().as_bytes());
        Some(known.reached)
    }

    /// Writes what an input reached. An input of which nothing is known is left out.
    pub(crate) fn add(&mut self, input: &Listed, reached: &Reached, recording: Recording) {
        append_reached(&mut self.pending, input, reached, recording);
        if self.pending.len() >= MAX_PENDING_BYTES {
            self.flush();
        }
    }

    /// Writes which counters count by chance.
    pub(crate) fn add_unstable(&mut self, unstable: &Unstable) {
        append_unstable(&mut self.pending, &unstable.to_text());
    }

    /// Writes that every input was run, and everything that is not written yet. `inputs` are all inputs of the run.
    ///
    /// What an earlier run has recorded of inputs that are not there any more is dropped. Fails with the first error that
    /// writing met.
    pub(crate) fn complete<'i>(
        mut self,
        inputs: impl Iterator<Item = &'i Listed> + Clone,
    ) -> Result<(), RecordsError> {
        self.flush();
        if self.has_moved || !self.known.is_empty() {
            let written = self.write_again(inputs.clone());
            self.trouble = self.trouble.take().or(written.err());
        }
        inputs.for_each(|input| append_copies(&mut self.pending, input));
        append_end(&mut self.pending);
        self.flush();
        let path = self.path.clone();
        self.trouble.take().map_or(Ok(()), |source| Err(RecordsError::Files { path, source }))
    }

    /// Writes the records of `inputs` again, with the paths that they have now, and no others.
    fn write_again<'i>(&mut self, inputs: impl Iterator<Item = &'i Listed>) -> io::Result<()> {
        let now: HashMap<Sha1, &Listed> =
            inputs.map(|input| (sha1_of(&input.sha1), input)).collect();
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        let mut kept = self.key.header();
        each_record(&bytes, &mut |record| {
            match record.content {
                RecordContent::Reached(reached, recording) => {
                    if let Some(input) = now.get(&record.sha1) {
                        append_reached(&mut kept, input, &reached, recording);
                    }
                }
                RecordContent::Unstable(counters) => append_unstable(&mut kept, &counters),
                RecordContent::Copy | RecordContent::End => {}
            }
            true
        });
        // A kill between these leaves a file without an end, which is not complete.
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&kept)
    }

    /// Writes the pending records. After the first error nothing is written: the run itself
    /// does not need the file.
    pub(crate) fn flush(&mut self) {
        if self.trouble.is_none() && !self.pending.is_empty() {
            self.trouble = self.file.write_all(&self.pending).err();
        }
        self.pending.clear();
    }

    /// Removes the file: the result is written.
    pub(crate) fn remove(self) {
        // Without success the next run finds it and needs fewer runs.
        let _ = fs::remove_file(&self.path);
        if let Some(folder) = self.path.parent() {
            // Only an empty folder is removed.
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.flush();
    }
}

/// A record of a complete file.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The input; its path is the one that the shard read it from.
    pub input: Listed,
    /// Its features, or its failure.
    pub reached: Reached,
}

/// The complete file of a shard.
#[derive(Debug)]
pub(crate) struct ShardRecords {
    /// What its inputs reached.
    pub records: Vec<Recorded>,
    /// The counters that count by chance.
    pub unstable: Unstable,
}

/// Reads the complete file of a shard.
///
/// Costs a read of the whole file.
pub(crate) fn read_records(path: &Path) -> Result<ShardRecords, RecordsError> {
    let bytes =
        fs::read(path).map_err(|source| RecordsError::Files { path: path.to_owned(), source })?;
    if !RecordsKey::begins(&bytes) {
        return Err(RecordsError::NoRecords(path.to_owned()));
    }
    let (mut records, mut is_complete) = (Vec::new(), false);
    let mut unstable = Unstable::default();
    let mut copies: HashMap<String, Vec<PathBuf>> = HashMap::new();
    each_record(&bytes, &mut |record| {
        let path = || PathBuf::from(OsStr::from_bytes(record.path));
        let sha1 = || base16ct::lower::encode_string(&record.sha1);
        match record.content {
            RecordContent::Reached(_, Recording::Estimate) => {}
            RecordContent::Reached(reached, Recording::Exact) => {
                let (path, sha1) = (path(), sha1());
                let input = Listed { path, bytes: record.bytes, sha1, copies: Vec::new() };
                records.push(Recorded { input, reached });
            }
            RecordContent::Unstable(text) => unstable.add_text(&text),
            RecordContent::Copy => copies.entry(sha1()).or_default().push(path()),
            RecordContent::End => is_complete = true,
        }
        true
    });
    if !is_complete {
        return Err(RecordsError::Incomplete(path.to_owned()));
    }
    if !copies.is_empty() {
        for Recorded { input, .. } in &mut records {
            input.copies = copies.remove(&input.sha1).unwrap_or_default();
        }
    }
    Ok(ShardRecords { records, unstable })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Shard, content_name};
    use seedsmith_engine::internal::FeatureText;
    use seedsmith_engine::{Kind, Signature};
    use std::sync::Arc;

    const KEY: RecordsKey = RecordsKey { digest: 7, shard: None };

    fn input(text: &str) -> Listed {
        let sha1 = content_name(text.as_bytes());
        Listed { path: text.into(), bytes: text.len() as u64, sha1, copies: Vec::new() }
    }

    fn written(path: &Path, key: &RecordsKey) -> Records {
        let mut records = Records::open(path, key).unwrap();
        let failure = Signature::of_kind(Kind::Signal(11, seedsmith_engine::Fault::Wild));
        records.add(&input("one"), &Reached::Kept(FeatureText::of(&[3, 700])), Recording::Exact);
        records.add(&input("two"), &Reached::Rejected(FeatureText::of(&[])), Recording::Exact);
        records.add(&input("three"), &Reached::Failed(Arc::new(failure)), Recording::Exact);
        records.add(&input("four"), &Reached::Lost, Recording::Exact);
        records
    }

    #[test]
    fn a_run_that_continues_knows_what_the_ended_one_wrote_and_a_torn_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/out.features");
        drop(written(&path, &KEY));
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut records = Records::open(&path, &KEY).unwrap();
            let known = ["one", "two", "three", "four"]
                .map(|text| records.take(&input(text), Recording::Exact).is_some());
            assert!(!known[3] && known[0] >= known[1] && known[1] >= known[2], "{cut}: {known:?}");
            drop(records);
            // What is written next is whole again.
            drop(written(&path, &KEY));
            let mut records = Records::open(&path, &KEY).unwrap();
            assert!(matches!(
                records.take(&input("three"), Recording::Exact),
                Some(Reached::Failed(_))
            ));
        }
        let other = RecordsKey { digest: 8, ..KEY };
        assert!(Records::open(&path, &other).unwrap().known.is_empty());
    }

    #[test]
    fn one_run_writes_at_a_time_and_the_file_disappears_with_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/out.features");
        let records = written(&path, &KEY);
        assert!(matches!(Records::open(&path, &KEY), Err(RecordsError::Busy(_))));
        records.remove();
        assert!(!path.parent().unwrap().exists());
    }

    #[test]
    fn a_shard_is_read_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("features");
        let key = RecordsKey { shard: Shard::new(2, 3), ..KEY };
        drop(written(&path, &key));
        assert!(matches!(read_records(&path), Err(RecordsError::Incomplete(_))));
        let mut unstable = Unstable::default();
        unstable.note(&FeatureText::of(&[8]), &FeatureText::of(&[9]));
        let mut records = Records::open(&path, &key).unwrap();
        records.add_unstable(&unstable);
        let mut one = input("one");
        one.copies.push("copy".into());
        let inputs = [one, input("two"), input("three")];
        records.complete(inputs.iter()).unwrap();
        let read = read_records(&path).unwrap();
        assert_eq!((read.records.len(), read.unstable.len()), (3, 1));
        assert_eq!(read.records.iter().map(|one| one.input.clone()).collect::<Vec<_>>(), inputs);
        // Another run of the same shard: it is not complete before its end, and knows where inputs are now.
        let mut records = Records::open(&path, &key).unwrap();
        let moved = Listed { path: "moved".into(), ..input("two") };
        assert!(records.take(&moved, Recording::Exact).is_some());
        records.flush();
        assert!(matches!(read_records(&path), Err(RecordsError::Incomplete(_))));
        records.complete([&moved].into_iter()).unwrap();
        let read = read_records(&path).unwrap();
        assert_eq!((read.records.len(), read.unstable.len()), (1, 1));
        assert_eq!(read.records[0].input, moved);
        fs::write(&path, "something else").unwrap();
        assert!(matches!(read_records(&path), Err(RecordsError::NoRecords(_))));
    }
}
