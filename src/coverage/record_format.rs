//! The form of a file of records, as bytes: the header, and one record after the other.
//!
//! Everything here is about bytes in memory; [`records`](super::records) opens, locks and writes the
//! file. Numbers are little-endian. The header is [`MAGIC`], the key's digest (16 bytes), the shard's
//! index and count (4 bytes each, 0 for none), and a checksum of these (xxh3, 8 bytes). A record is its
//! length (4 bytes), a checksum of the rest (8), the SHA-1 (20) and size (8) of the input, the kind
//! of the record (1), the length of the input's path (2), the path, and the features or the failure.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use seedsmith_engine::internal::FeatureText;
use seedsmith_engine::internal::{signature_of, text_of};
use xxhash_rust::xxh3::xxh3_64;

use super::gather::Reached;
use crate::corpus::{Listed, Sha1, Shard, sha1_of};

/// The file begins with this; the number is the version of its form.
const MAGIC: &[u8; 24] = b"seedsmith features v003\n";
/// Magic, key, shard, and the checksum of these.
const HEADER_BYTES: usize = 24 + 16 + 8 + 8;
/// Length and checksum of a record.
const PREFIX_BYTES: usize = 4 + 8;
/// SHA-1, size, kind of record and length of the path.
const FIXED_BYTES: usize = 20 + 8 + 1 + 2;
/// An input that the target kept.
const KEPT: u8 = 0;
/// An input that the target rejected.
const REJECTED: u8 = 1;
/// An input that fails.
const FAILED: u8 = 2;
/// The last record of a shard that has run all of its inputs.
const END: u8 = 3;
/// Counters that count by chance.
const UNSTABLE: u8 = 4;
/// Another file with the bytes of an input.
const COPY: u8 = 5;
/// Added to the kind of a record whose input ran after others in one process.
const ESTIMATE: u8 = 16;

/// The executable with its options, and the part of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordsKey {
    /// Digest of the executable, the kind of features and the limits.
    pub digest: u128,
    /// Which inputs.
    pub shard: Option<Shard>,
}

impl RecordsKey {
    /// The header of a file with this key.
    pub(crate) fn header(&self) -> Vec<u8> {
        let (index, count) = self.shard.map_or((0, 0), |shard| (shard.index(), shard.count()));
        let mut header = MAGIC.to_vec();
        header.extend(self.digest.to_le_bytes());
        header.extend(index.to_le_bytes());
        header.extend(count.to_le_bytes());
        header.extend(xxh3_64(&header).to_le_bytes());
        header
    }

    /// Whether `bytes` begin with a header of this version, of any key.
    pub(crate) fn begins(bytes: &[u8]) -> bool {
        Self::read(bytes).is_some()
    }

    /// The key in the header of `bytes`; nothing if they do not begin with a header of this version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..HEADER_BYTES).filter(|header| header.starts_with(MAGIC))?;
        let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four"));
        let digest = u128::from_le_bytes(header[24..40].try_into().expect("sixteen"));
        let key = RecordsKey { digest, shard: Shard::new(number(40), number(44)) };
        (key.header() == header).then_some(key)
    }
}

/// A record as it is in the file.
pub(crate) struct RawRecord<'b> {
    /// The SHA-1 of the input; zeros in records that are about no input.
    pub sha1: Sha1,
    /// The size of the input.
    pub bytes: u64,
    /// The path that the input was read from.
    pub path: &'b [u8],
    /// The content of the record.
    pub content: RecordContent,
}

/// How an input of a record ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Recording {
    /// As the features of an input are defined.
    Exact,
    /// Once, in a worker that had run others.
    Estimate,
}

/// What a record holds.
pub(crate) enum RecordContent {
    /// What an input reached, and how it ran.
    Reached(Reached, Recording),
    /// Counters that count by chance, as features.
    Unstable(FeatureText),
    /// That the file at the path has the bytes of this input too.
    Copy,
    /// That every input of the shard was run.
    End,
}

/// Appends what an input reached. Nothing is appended where nothing is known.
pub(crate) fn append_reached(
    out: &mut Vec<u8>,
    input: &Listed,
    reached: &Reached,
    recording: Recording,
) {
    let (kind, text): (u8, &[u8]) = match reached {
        Reached::Kept(features) => (KEPT, features.as_ref()),
        Reached::Rejected(features) => (REJECTED, features.as_ref()),
        Reached::Failed(signature) => (FAILED, &text_of(signature)[..]),
        Reached::Lost => return,
    };
    let kind = match recording {
        Recording::Exact => kind,
        Recording::Estimate => kind + ESTIMATE,
    };
    append(out, kind, &sha1_of(&input.sha1), input.bytes, &input.path, text);
}

/// Appends which counters count by chance, as features.
pub(crate) fn append_unstable(out: &mut Vec<u8>, counters: &FeatureText) {
    append(out, UNSTABLE, &[0; 20], 0, Path::new(""), counters.as_ref());
}

/// Appends where the copies of an input are.
pub(crate) fn append_copies(out: &mut Vec<u8>, input: &Listed) {
    for path in &input.copies {
        append(out, COPY, &sha1_of(&input.sha1), input.bytes, path, &[]);
    }
}

/// Appends that every input was run.
pub(crate) fn append_end(out: &mut Vec<u8>) {
    append(out, END, &[0; 20], 0, Path::new(""), &[]);
}

/// Reads the records after the header, up to the first one that is damaged or that `hear` does not want. Returns where
/// that is.
pub(crate) fn each_record<'b>(
    bytes: &'b [u8],
    hear: &mut dyn FnMut(RawRecord<'b>) -> bool,
) -> usize {
    let mut at = HEADER_BYTES;
    while let Some((record, length)) = bytes.get(at..).and_then(decode) {
        if !hear(record) {
            break;
        }
        at += length;
    }
    at
}

/// Appends one record with its length and checksum.
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

/// The first record of `bytes` and its length; nothing if it is damaged, cut off, or of a kind that
/// this version does not know.
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
    let recording = match body[28] & ESTIMATE {
        0 => Recording::Exact,
        _ => Recording::Estimate,
    };
    let reached = |reached| RecordContent::Reached(reached, recording);
    let content = match body[28] & !ESTIMATE {
        KEPT => reached(Reached::Kept(features())),
        REJECTED => reached(Reached::Rejected(features())),
        FAILED => reached(Reached::Failed(Arc::new(signature_of(text)?))),
        UNSTABLE => RecordContent::Unstable(features()),
        COPY => RecordContent::Copy,
        END => RecordContent::End,
        _ => return None,
    };
    let record = RawRecord {
        sha1: body[..20].try_into().ok()?,
        bytes: u64::from_le_bytes(body[20..28].try_into().ok()?),
        path,
        content,
    };
    Some((record, PREFIX_BYTES + length))
}
