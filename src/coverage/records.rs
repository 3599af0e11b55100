//! What each input of a corpus reached, on disk: for a run that continues an ended one, and for
//! shards that are merged.
//!
//! The file begins with a header that says on which executable and under which limits the inputs
//! ran. A record follows for each input: its SHA-1, size and path, and its features or its failure.
//! Each record has a checksum, so a torn end is noticed and cut off.

use base16ct::lower::encode_string;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::fcntl::{Flock, FlockArg, OFlag};
use seedsmith_engine::exec::reach::features::FeatureText;
use seedsmith_engine::oracle::store::{signature_of, text_of};
use xxhash_rust::xxh3::xxh3_64;

use super::gather::Reached;
use super::unstable::Unstable;
use crate::corpus::{Listed, Shard};

/// The file begins with this; the number is the version of its form.
const MAGIC: &[u8; 24] = b"seedsmith features v001\n";
/// Magic, key, shard, and the checksum of these.
const HEADER_BYTES: usize = 24 + 16 + 8 + 8;
/// Length and checksum of a record.
const PREFIX_BYTES: usize = 4 + 8;
/// SHA-1, size, kind of record and length of the path.
const FIXED_BYTES: usize = 20 + 8 + 1 + 2;
/// Records are written together when there are so many bytes of them: a system call a record would
/// cost as much as a short run of a target. A killed process loses these runs.
const WRITTEN_TOGETHER: usize = 32 << 10;

const KEPT: u8 = 0;
const REJECTED: u8 = 1;
const FAILED: u8 = 2;
/// The last record of a shard that has run all of its inputs.
const END: u8 = 3;
/// Counters that count by chance.
const UNSTABLE: u8 = 4;

/// The SHA-1 of an input.
pub type Sha1 = [u8; 20];

/// Why a file of records cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// It cannot be read or written.
    #[error("{}", path.display())]
    Files {
        /// Its path.
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

/// What was run, and which part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordsKey {
    /// Digest of the executable, the kind of features and the limits.
    pub digest: u128,
    /// Which inputs.
    pub shard: Option<Shard>,
}

impl RecordsKey {
    fn header(&self) -> Vec<u8> {
        let (index, count) = self.shard.map_or((0, 0), |shard| (shard.index(), shard.count()));
        let mut header = MAGIC.to_vec();
        header.extend(self.digest.to_le_bytes());
        header.extend(index.to_le_bytes());
        header.extend(count.to_le_bytes());
        header.extend(xxh3_64(&header).to_le_bytes());
        header
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..HEADER_BYTES).filter(|header| header.starts_with(MAGIC))?;
        let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four"));
        let digest = u128::from_le_bytes(header[24..40].try_into().expect("sixteen"));
        let key = RecordsKey { digest, shard: Shard::new(number(40), number(44)) };
        (key.header() == header).then_some(key)
    }
}

/// A file of records that is being written.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    file: Flock<File>,
    /// Not written yet.
    pending: Vec<u8>,
    known: HashMap<Sha1, Reached>,
    trouble: Option<io::Error>,
}

impl Records {
    /// Opens the file at `path` and reads what an ended run under the same `key` wrote. A file with
    /// another key is replaced.
    pub fn open(path: &Path, key: &RecordsKey) -> Result<Self, RecordsError> {
        let trouble = |source| RecordsError::Files { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(trouble)?;
        }
        let file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .custom_flags(OFlag::O_NOFOLLOW.bits())
            .open(path)
            .map_err(trouble)?;
        let file = Flock::lock(file, FlockArg::LockExclusiveNonblock)
            .map_err(|_| RecordsError::Busy(path.to_owned()))?;
        let bytes = fs::read(path).map_err(trouble)?;
        let mut known = HashMap::new();
        let mut whole = 0;
        if RecordsKey::read(&bytes).as_ref() == Some(key) {
            whole = each_record(&bytes, &mut |record| {
                if let Said::Reached(reached) = record.said {
                    known.insert(record.sha1, reached);
                }
            });
        }
        file.set_len(whole as u64).map_err(trouble)?;
        let pending = if whole == 0 { key.header() } else { Vec::new() };
        let mut records = Records { path: path.to_owned(), file, pending, known, trouble: None };
        records.flush();
        records.trouble.take().map_or(Ok(records), |error| Err(trouble(error)))
    }

    /// What an earlier run wrote of the input with this SHA-1.
    pub fn take(&mut self, sha1: &Sha1) -> Option<Reached> {
        self.known.remove(sha1)
    }

    /// Writes what an input reached. An input of which nothing is known is left out.
    pub fn add(&mut self, input: &Listed, reached: &Reached) {
        let (kind, text) = match reached {
            Reached::Kept(features) => (KEPT, features.as_bytes()),
            Reached::Rejected(features) => (REJECTED, features.as_bytes()),
            Reached::Failed(signature) => (FAILED, &text_of(signature)[..]),
            Reached::Lost => return,
        };
        let sha1 = sha1_of(&input.sha1);
        append(&mut self.pending, kind, &sha1, input.bytes, &input.path, text);
        if self.pending.len() >= WRITTEN_TOGETHER {
            self.flush();
        }
    }

    /// Writes which counters count by chance.
    pub fn add_unstable(&mut self, unstable: &Unstable) {
        let text = unstable.to_text();
        append(&mut self.pending, UNSTABLE, &[0; 20], 0, Path::new(""), text.as_bytes());
    }

    /// Writes that every input was run, and everything that is not written yet.
    pub fn complete(mut self) -> Result<(), RecordsError> {
        append(&mut self.pending, END, &[0; 20], 0, Path::new(""), &[]);
        self.flush();
        let path = self.path.clone();
        self.trouble.take().map_or(Ok(()), |source| Err(RecordsError::Files { path, source }))
    }

    /// Writes what is not written yet. After the first trouble nothing is written: the run itself
    /// does not need the file.
    pub fn flush(&mut self) {
        if self.trouble.is_none() && !self.pending.is_empty() {
            self.trouble = self.file.write_all(&self.pending).err();
        }
        self.pending.clear();
    }

    /// Removes the file: the result is written.
    pub fn remove(self) {
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
pub struct Recorded {
    /// The input; its path is the one that the shard read it from.
    pub input: Listed,
    /// What it reached.
    pub reached: Reached,
}

/// The complete file of a shard.
#[derive(Debug)]
pub struct ShardRecords {
    /// What was run, and which part of it.
    pub key: RecordsKey,
    /// What its inputs reached.
    pub records: Vec<Recorded>,
    /// The counters that count by chance.
    pub unstable: Unstable,
}

/// Reads the complete file of a shard.
pub fn read_records(path: &Path) -> Result<ShardRecords, RecordsError> {
    let bytes =
        fs::read(path).map_err(|source| RecordsError::Files { path: path.to_owned(), source })?;
    let key = RecordsKey::read(&bytes).ok_or_else(|| RecordsError::NoRecords(path.to_owned()))?;
    let (mut records, mut is_complete) = (Vec::new(), false);
    let mut unstable = Unstable::default();
    each_record(&bytes, &mut |record| match record.said {
        Said::Reached(reached) => {
            let sha1 = encode_string(&record.sha1);
            let path = PathBuf::from(OsStr::from_bytes(record.path));
            let input = Listed { path, bytes: record.bytes, sha1, copies: Vec::new() };
            records.push(Recorded { input, reached });
        }
        Said::Unstable(text) => unstable.add_text(&text),
        Said::End => is_complete = true,
    });
    if !is_complete {
        return Err(RecordsError::Incomplete(path.to_owned()));
    }
    Ok(ShardRecords { key, records, unstable })
}

struct RawRecord<'b> {
    sha1: Sha1,
    bytes: u64,
    path: &'b [u8],
    said: Said,
}

/// What a record says.
enum Said {
    Reached(Reached),
    Unstable(FeatureText),
    End,
}

/// Reads the records after the header, up to the first one that is damaged. Returns where that is.
fn each_record<'b>(bytes: &'b [u8], hear: &mut dyn FnMut(RawRecord<'b>)) -> usize {
    let mut at = HEADER_BYTES;
    while let Some((record, length)) = bytes.get(at..).and_then(decode) {
        hear(record);
        at += length;
    }
    at
}

fn append(out: &mut Vec<u8>, kind: u8, sha1: &Sha1, bytes: u64, path: &Path, text: &[u8]) {
    let path = path.as_os_str().as_bytes();
    // No system has longer paths; one that is cut is not found when it is read.
    let path = &path[..path.len().min(usize::from(u16::MAX))];
    let start = out.len();
    out.extend(((FIXED_BYTES + path.len() + text.len()) as u32).to_le_bytes());
    out.extend([0; 8]);
    out.extend(sha1);
    out.extend(bytes.to_le_bytes());
    out.push(kind);
    out.extend((path.len() as u16).to_le_bytes());
    out.extend(path);
    out.extend(text);
    let sum = xxh3_64(&out[start + PREFIX_BYTES..]);
    out[start + 4..start + PREFIX_BYTES].copy_from_slice(&sum.to_le_bytes());
}

fn decode(bytes: &[u8]) -> Option<(RawRecord<'_>, usize)> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let sum = u64::from_le_bytes(bytes.get(4..PREFIX_BYTES)?.try_into().ok()?);
    let body = bytes.get(PREFIX_BYTES..PREFIX_BYTES.checked_add(length)?)?;
    if length < FIXED_BYTES || xxh3_64(body) != sum {
        return None;
    }
    let path_bytes = usize::from(u16::from_le_bytes(body[29..31].try_into().ok()?));
    let (path, text) = body[FIXED_BYTES..].split_at_checked(path_bytes)?;
    let features = || FeatureText::new(text.to_vec());
    let said = match body[28] {
        KEPT => Said::Reached(Reached::Kept(features())),
        REJECTED => Said::Reached(Reached::Rejected(features())),
        FAILED => Said::Reached(Reached::Failed(Arc::new(signature_of(text)?))),
        UNSTABLE => Said::Unstable(features()),
        END => Said::End,
        _ => return None,
    };
    let record = RawRecord {
        sha1: body[..20].try_into().ok()?,
        bytes: u64::from_le_bytes(body[20..28].try_into().ok()?),
        path,
        said,
    };
    Some((record, PREFIX_BYTES + length))
}

/// The bytes of a SHA-1 in hexadecimal.
pub fn sha1_of(text: &str) -> Sha1 {
    let mut digest = [0; 20];
    match base16ct::mixed::decode(text, &mut digest) {
        Ok(_) => digest,
        Err(_) => [0; 20],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::content_name;
    use seedsmith_engine::signature::{Kind, Signature};

    const KEY: RecordsKey = RecordsKey { digest: 7, shard: None };

    fn input(text: &str) -> Listed {
        let sha1 = content_name(text.as_bytes());
        Listed { path: text.into(), bytes: text.len() as u64, sha1, copies: Vec::new() }
    }

    fn written(path: &Path, key: &RecordsKey) -> Records {
        let mut records = Records::open(path, key).unwrap();
        let failure =
            Signature::of_kind(Kind::Signal(11, seedsmith_engine::signature::Fault::Wild));
        records.add(&input("one"), &Reached::Kept(FeatureText::of(&[3, 700])));
        records.add(&input("two"), &Reached::Rejected(FeatureText::of(&[])));
        records.add(&input("three"), &Reached::Failed(Arc::new(failure)));
        records.add(&input("four"), &Reached::Lost);
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
                .map(|text| records.take(&sha1_of(&input(text).sha1)).is_some());
            assert!(!known[3] && known[0] >= known[1] && known[1] >= known[2], "{cut}: {known:?}");
            drop(records);
            // What is written next is whole again.
            drop(written(&path, &KEY));
            let mut records = Records::open(&path, &KEY).unwrap();
            assert!(matches!(
                records.take(&sha1_of(&input("three").sha1)),
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
        records.complete().unwrap();
        let read = read_records(&path).unwrap();
        assert_eq!((read.key, read.records.len(), read.unstable.len()), (key, 3, 1));
        assert_eq!(read.records[1].input, input("two"));
        fs::write(&path, "something else").unwrap();
        assert!(matches!(read_records(&path), Err(RecordsError::NoRecords(_))));
    }
}
