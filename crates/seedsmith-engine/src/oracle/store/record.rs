//! How observations are written down: records with checksums, so that a torn end is noticed.
//!
//! A record is 24 bytes: checksum (4), code (4), digest (16), in little-endian order. A code is the
//! observation; signatures are numbered in the order in which they are written, each in a separate
//! record before its first use, followed by its text. The checksum covers the rest and the record's
//! offset, so neither zeroes nor a record from elsewhere pass.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::signature::{Fault, Frame, Kind, Message, Signature};

/// Bytes of a record without a signature's text: checksum, code and digest.
pub(super) const RECORD_BYTES: usize = 24;
/// A text takes a multiple of this number of bytes, so that records begin at multiples of 8.
const TEXT_UNIT_BYTES: usize = 8;
/// A signature with a longer text is not kept, and a longer length is a torn record. A guess: it is
/// far above the size of a stack of 256 frames; not measured.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The content of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A candidate was observed; the code is the store's.
    Observed(u128, u32),
    /// The next signature.
    Signature(Arc<Signature>),
    /// Later observations were made under this limit of time, in nanoseconds.
    Limit(u64),
    /// After this number of tests every candidate got a fresh worker.
    Fresh(u64),
}

/// Between the name of a frame and its place.
const BEFORE_PLACE: char = '\u{1}';

/// Codes of records that are no observation: numbers that no signature reaches.
const SIGNATURE: u32 = u32::MAX - 8;
const FRESH: u32 = u32::MAX - 9;
const LIMIT: u32 = u32::MAX - 10;

impl Record {
    /// Writes the record for the place `offset`; `false` if it is too long for one.
    ///
    /// `out` is overwritten. `seed` is the store's: a record of another store has another checksum.
    pub(super) fn encode(&self, offset: usize, seed: u64, out: &mut Vec<u8>) -> bool {
        out.clear();
        let (code, number) = match self {
            Record::Observed(digest, code) => (*code, *digest),
            Record::Limit(limit) => (LIMIT, u128::from(*limit)),
            Record::Fresh(tests) => (FRESH, u128::from(*tests)),
            Record::Signature(_) => (SIGNATURE, 0),
        };
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&code.to_le_bytes());
        out.extend_from_slice(&number.to_le_bytes());
        if let Record::Signature(signature) = self {
            let text = text_of(signature);
            if text.len() > MAX_TEXT_BYTES {
                return false;
            }
            out[8..24].copy_from_slice(&(text.len() as u128).to_le_bytes());
            out.extend_from_slice(&text);
            out.resize(out.len().next_multiple_of(TEXT_UNIT_BYTES), 0);
        }
        let sum = checksum(&out[4..], offset, seed);
        out[..4].copy_from_slice(&sum.to_le_bytes());
        true
    }

    /// Reads the record at `offset`, and how long it is; `None` where there is no whole one.
    ///
    /// Gives `None` for a torn record, for one of another store or offset, and for a text that
    /// [`text_of`] would not write. `bytes` is the whole file.
    pub(super) fn decode(bytes: &[u8], offset: usize, seed: u64) -> Option<(Self, usize)> {
        let head = bytes.get(offset..offset + RECORD_BYTES)?;
        let sum = u32::from_le_bytes(head[..4].try_into().expect("four bytes"));
        let code = u32::from_le_bytes(head[4..8].try_into().expect("four bytes"));
        let number = u128::from_le_bytes(head[8..].try_into().expect("sixteen bytes"));
        let mut length = RECORD_BYTES;
        if code == SIGNATURE {
            let text = usize::try_from(number).ok().filter(|text| *text <= MAX_TEXT_BYTES)?;
            length = (RECORD_BYTES + text).next_multiple_of(TEXT_UNIT_BYTES);
        }
        let whole = bytes.get(offset..offset + length)?;
        if checksum(&whole[4..], offset, seed) != sum {
            return None;
        }
        let record = match code {
            SIGNATURE => {
                let text = &whole[RECORD_BYTES..RECORD_BYTES + number as usize];
                // A text that differs from the one that is written for its signature is damaged.
                let signature = signature_of(text).filter(|read| text_of(read) == text)?;
                Record::Signature(Arc::new(signature))
            }
            LIMIT => Record::Limit(u64::try_from(number).ok()?),
            FRESH => Record::Fresh(u64::try_from(number).ok()?),
            code => Record::Observed(number, code),
        };
        Some((record, length))
    }
}

/// Gives the record at `offset` the right checksum; `false` where there is no whole record.
#[cfg(feature = "self-fuzz")]
pub(super) fn reseal(bytes: &mut [u8], offset: usize, seed: u64) -> bool {
    let Some(head) = bytes.get(offset..offset + RECORD_BYTES) else { return false };
    let code = u32::from_le_bytes(head[4..8].try_into().expect("four bytes"));
    let text = u128::from_le_bytes(head[8..].try_into().expect("sixteen bytes"));
    let mut length = RECORD_BYTES;
    if code == SIGNATURE {
        let Some(text) = usize::try_from(text).ok().filter(|text| *text <= MAX_TEXT_BYTES) else {
            return false;
        };
        length = (RECORD_BYTES + text).next_multiple_of(TEXT_UNIT_BYTES);
    }
    let Some(whole) = bytes.get_mut(offset..offset + length) else { return false };
    let sum = checksum(&whole[4..], offset, seed);
    whole[..4].copy_from_slice(&sum.to_le_bytes());
    true
}

/// The lower half of XXH3, with the offset mixed in.
fn checksum(bytes: &[u8], offset: usize, seed: u64) -> u32 {
    // Never zero, so that bytes that were never written are no record, whatever the seed is.
    (xxh3_64_with_seed(bytes, seed ^ offset as u64) as u32).max(1)
}

/// A signature as fields that end with a zero byte: kind, place, the message as it was printed, then
/// each frame.
///
/// The kind is a word, with data after a space (`signal 11 null`); place and message begin with
/// `+`, or are `-` where there is none; a frame is `+` or `-` (own or not), the offset in
/// hexadecimal, a space, the module, and after a byte 1 the place. Bytes 0 in the data are dropped.
pub fn text_of(signature: &Signature) -> Vec<u8> {
    let mut fields = vec![
        kind_text(&signature.kind),
        optional(signature.place.as_deref()),
        optional(signature.message.as_ref().map(Message::text)),
    ];
    fields.extend(signature.frames.iter().map(|frame| {
        let sign = if frame.own { '+' } else { '-' };
        let mut text = format!("{sign}{:x} {}", frame.offset, frame.module);
        if let Some(place) = &frame.place {
            text.push(BEFORE_PLACE);
            text += place;
        }
        text
    }));
    let mut text = Vec::new();
    for field in fields {
        text.extend(field.bytes().filter(|byte| *byte != 0));
        text.push(0);
    }
    text
}

/// Reads a text that [`text_of`] wrote; `None` for any other text.
///
/// The words of an `other` kind may be those of a kind that was without a name when they were written.
pub fn signature_of(text: &[u8]) -> Option<Signature> {
    let text = std::str::from_utf8(text).ok()?;
    let mut fields = text.strip_suffix('\0')?.split('\0');
    let kind = kind_of(fields.next()?)?;
    let mut optional = || fields.next()?.split_at_checked(1);
    let place = optional()?;
    let message = optional()?;
    let present = |(sign, rest): (&str, &str)| (sign == "+").then(|| rest.to_owned());
    let frames = fields.map(|field| {
        let (sign, rest) = field.split_at_checked(1)?;
        let (offset, named) = rest.split_once(' ')?;
        let (module, place) = match named.split_once(BEFORE_PLACE) {
            Some((module, place)) => (module, Some(place.into())),
            None => (named, None),
        };
        let offset = u64::from_str_radix(offset, 16).ok()?;
        Some(Frame { place, ..Frame::at(module, offset, sign == "+") })
    });
    Some(Signature {
        kind,
        place: present(place),
        message: present(message).as_deref().map(Message::new),
        frames: frames.collect::<Option<_>>()?,
    })
}

/// A field that may be absent: `+text` or `-`.
fn optional(text: Option<&str>) -> String {
    text.map_or("-".to_owned(), |text| format!("+{text}"))
}

/// The name of a kind and its data.
fn kind_text(kind: &Kind) -> String {
    match kind {
        Kind::Panic => "panic".to_owned(),
        Kind::Abort => "abort".to_owned(),
        Kind::Signal(number, fault) => {
            let fault = match fault {
                Fault::NullPage => "null",
                Fault::NearStack => "stack",
                Fault::Wild => "wild",
                Fault::Unknown => "unknown",
            };
            format!("signal {number} {fault}")
        }
        Kind::StackOverflow => "stack-overflow".to_owned(),
        Kind::Timeout => "timeout".to_owned(),
        Kind::OutOfMemory => "out-of-memory".to_owned(),
        Kind::Exit(status) => format!("exit {status}"),
        Kind::Sanitizer(report) => format!("sanitizer {report}"),
        Kind::Leak => "leak".to_owned(),
        Kind::Command => "command".to_owned(),
        // The words, so that a store that was written before these kinds had variants is read.
        Kind::NoLeakCheck | Kind::Reached | Kind::Other(_) => {
            format!("other {}", kind.words().expect("these kinds have words"))
        }
    }
}

/// Reads a text that [`kind_text`] wrote. A name of a later version is `None`, so that its store is
/// read up to there.
fn kind_of(text: &str) -> Option<Kind> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    Some(match name {
        "panic" => Kind::Panic,
        "abort" => Kind::Abort,
        "signal" => {
            let (number, fault) = rest.split_once(' ')?;
            let fault = match fault {
                "null" => Fault::NullPage,
                "stack" => Fault::NearStack,
                "wild" => Fault::Wild,
                "unknown" => Fault::Unknown,
                _ => return None,
            };
            Kind::Signal(number.parse().ok()?, fault)
        }
        "stack-overflow" => Kind::StackOverflow,
        "timeout" => Kind::Timeout,
        "out-of-memory" => Kind::OutOfMemory,
        "exit" => Kind::Exit(rest.parse().ok()?),
        "sanitizer" => Kind::Sanitizer(rest.to_owned()),
        "leak" => Kind::Leak,
        "command" => Kind::Command,
        "other" => Kind::of_words(rest),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(kind: Kind) -> Signature {
        Signature {
            kind,
            place: Some("src/a.rs:1:2".to_owned()),
            message: Some(Message::new("the len is 5\n  but the index is 17")),
            frames: vec![
                Frame::at("lib x.so", 0xabc, true),
                Frame::named("f", Some("/src/a b.c:3:4"), true),
                Frame::at("", u64::MAX, false),
            ],
        }
    }

    #[test]
    fn every_record_comes_back_as_it_was() {
        let kinds = [
            Kind::Panic,
            Kind::Abort,
            Kind::Signal(11, Fault::NearStack),
            Kind::StackOverflow,
            Kind::Timeout,
            Kind::OutOfMemory,
            Kind::Exit(-3),
            Kind::Sanitizer("heap-buffer-overflow READ 1".to_owned()),
            Kind::Leak,
            Kind::Command,
            Kind::Other("strange words".to_owned()),
            Kind::Other(String::new()),
            Kind::NoLeakCheck,
            Kind::Reached,
        ];
        let mut records: Vec<Record> =
            kinds.map(|kind| Record::Signature(Arc::new(signature(kind)))).into();
        records.push(Record::Observed(u128::MAX - 5, 7));
        records.extend([Record::Fresh(12), Record::Limit(u64::MAX)]);
        let mut bytes = vec![0; 64];
        let mut one = Vec::new();
        for record in &records {
            record.encode(bytes.len(), 42, &mut one);
            bytes.extend_from_slice(&one);
        }
        let mut offset = 64;
        for record in &records {
            let (read, length) = Record::decode(&bytes, offset, 42).unwrap();
            assert_eq!(read, *record);
            if let (Record::Signature(read), Record::Signature(written)) = (&read, record) {
                let text = |one: &Signature| one.message.as_ref().unwrap().text().to_owned();
                assert_eq!(text(read), text(written));
                let places = |one: &Signature| -> Vec<Option<Arc<str>>> {
                    one.frames.iter().map(|frame| frame.place.clone()).collect()
                };
                assert_eq!(places(read), places(written));
            }
            offset += length;
        }
        assert_eq!(offset, bytes.len());
    }

    #[test]
    fn only_a_signature_as_we_write_it_is_read() {
        let read = |text: &str| {
            signature_of(text.as_bytes()).filter(|read| text_of(read) == text.as_bytes())
        };
        assert!(read("exit 3\0-\0+m\0+1f lib\0").is_some());
        for other in
            ["exit +3\0-\0+m\0", "abort now\0-\0-\0", "exit 3\0-\0-\0++1f lib\0", "leak\0x\0-\0"]
        {
            assert!(read(other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn a_record_that_is_not_whole_or_not_in_its_place_is_none() {
        let mut bytes = vec![0; 256];
        assert_eq!(Record::decode(&bytes, 64, 42), None, "nothing was written");
        let mut one = Vec::new();
        Record::Signature(Arc::new(signature(Kind::Panic))).encode(64, 42, &mut one);
        bytes[64..64 + one.len()].copy_from_slice(&one);
        assert!(Record::decode(&bytes, 64, 42).is_some());
        assert_eq!(Record::decode(&bytes, 64, 43), None, "another executable's");
        let moved = [&[0; 8][..], &bytes].concat();
        assert_eq!(Record::decode(&moved, 72, 42), None, "at another offset");
        for torn in 64..64 + one.len() {
            let mut bytes = bytes.clone();
            let end = 64 + one.len();
            if bytes[torn..end].iter().all(|byte| *byte == 0) {
                continue;
            }
            bytes[torn..end].fill(0);
            assert_eq!(Record::decode(&bytes, 64, 42), None, "torn at {torn}");
        }
    }
}
