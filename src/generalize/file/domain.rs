//! The domain of a slot as data that can be written down and loaded again.
//!
//! The names of the shapes (`room` for an insertion, for example) are those of version 2 of the format, and
//! stay as they are until the version changes. It knows no tree and no grammar: a domain that is a symbol is
//! only marked as one, and `mod.rs` finds the symbol by the slot's first node.

use serde::{Deserialize, Serialize};

use crate::generalize::bytes::class::Class;
use crate::generalize::domain::{Domain, MAX_DRAWN_BYTES, Segment};
use base16ct::lower::encode_string as hex;
use base16ct::mixed::decode_vec;

/// What may be at a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum DomainFile {
    /// Anything that the first node's symbol derives.
    Symbol,
    /// A number; bounds as decimal text, since JSON's numbers don't reach far enough.
    Integer {
        /// The least.
        low: Option<String>,
        /// The greatest.
        high: Option<String>,
    },
    /// Segments one after the other.
    Spelled {
        /// They.
        segments: Vec<SegmentFile>,
    },
}

/// A segment of a spelled slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum SegmentFile {
    /// Bytes in hexadecimal.
    Text {
        /// They.
        bytes: String,
    },
    /// Bytes of a class.
    Class {
        /// Its name.
        class: String,
        /// The least number.
        least: usize,
        /// The greatest.
        most: Option<usize>,
    },
    /// Any number of characters of a class, but for some.
    Room {
        /// Its name.
        class: String,
        /// The bytes that may not be there, in hexadecimal.
        except: String,
    },
    /// Letters of either case, in hexadecimal.
    AnyCase {
        /// They.
        bytes: String,
    },
    /// Bytes again and again.
    Repeated {
        /// They, in hexadecimal.
        bytes: String,
        /// The least number of times.
        least: usize,
    },
}

impl DomainFile {
    /// Writes a domain down.
    ///
    /// Bytes are written in hexadecimal, numbers as decimal text.
    pub fn of(domain: &Domain) -> Self {
        match domain {
            Domain::Symbol(_) => DomainFile::Symbol,
            Domain::Integer { low, high } => DomainFile::Integer {
                low: low.map(|low| low.to_string()),
                high: high.map(|high| high.to_string()),
            },
            Domain::Spelled(segments) => DomainFile::Spelled {
                segments: segments
                    .iter()
                    .map(|segment| match segment {
                        Segment::Text(bytes) => SegmentFile::Text { bytes: hex(bytes) },
                        Segment::Class { class, least, most } => SegmentFile::Class {
                            class: class.name().to_owned(),
                            least: *least,
                            most: *most,
                        },
                        Segment::Insertion { class, except } => SegmentFile::Room {
                            class: class.name().to_owned(),
                            except: hex(except),
                        },
                        Segment::AnyCase(letters) => SegmentFile::AnyCase { bytes: hex(letters) },
                        Segment::Repeated { unit, least } => {
                            SegmentFile::Repeated { bytes: hex(unit), least: *least }
                        }
                    })
                    .collect(),
            },
        }
    }

    /// The domain again; `None` for a symbol, which its node has, and for shapes that no pattern has: numbers
    /// that are not written as `of` writes them, bounds in the wrong order, more than `MAX_DRAWN_BYTES`.
    pub fn domain(&self) -> Option<Domain> {
        let bound = |text: &Option<String>| match text {
            // Only as it is written: `parse` takes plus signs and leading zeroes too.
            Some(text) => text.parse::<i128>().ok().filter(|n| n.to_string() == *text).map(Some),
            None => Some(None),
        };
        Some(match self {
            DomainFile::Symbol => return None,
            DomainFile::Integer { low, high } => {
                let (low, high) = (bound(low)?, bound(high)?);
                if low.zip(high).is_some_and(|(low, high)| low > high) {
                    return None;
                }
                Domain::Integer { low, high }
            }
            DomainFile::Spelled { segments } => {
                let segments = segments.iter().map(|segment| {
                    Some(match segment {
                        SegmentFile::Text { bytes } => Segment::Text(decode_vec(bytes).ok()?),
                        SegmentFile::Class { class, least, most } => {
                            if most.is_some_and(|most| most < *least) || *least > MAX_DRAWN_BYTES {
                                return None;
                            }
                            Segment::Class {
                                class: Class::named(class)?,
                                least: *least,
                                most: *most,
                            }
                        }
                        SegmentFile::Room { class, except } => Segment::Insertion {
                            class: Class::named(class)?,
                            except: decode_vec(except).ok()?,
                        },
                        SegmentFile::AnyCase { bytes } => Segment::AnyCase(decode_vec(bytes).ok()?),
                        SegmentFile::Repeated { bytes, least } => {
                            let unit = decode_vec(bytes).ok()?;
                            if least.checked_mul(unit.len().max(1))? > MAX_DRAWN_BYTES {
                                return None;
                            }
                            Segment::Repeated { unit, least: *least }
                        }
                    })
                });
                Domain::Spelled(segments.collect::<Option<_>>()?)
            }
        })
    }
}
