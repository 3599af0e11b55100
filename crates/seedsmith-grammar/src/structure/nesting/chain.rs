//! The deepest nesting of an input, level by level: brackets in brackets, tags in tags, records in
//! records.
//!
//! A [`NestingChain`] can be written again with other levels: fewer, or one of them again and
//! again. The way depends on the levels: text is put side by side, and the lengths of records are
//! computed from the inside outwards.

use std::collections::HashSet;
use std::ops::Range;

use crate::structure::binary::field::{Encoding, Field};

/// A level: the bytes that open it, up to the next one inside, and those that close it, from that
/// one's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// From where it begins to where the next level does.
    pub open: Range<usize>,
    /// From where the next level ends to where it does; empty where it is never closed.
    pub close: Range<usize>,
    /// In records, the length within `open`.
    pub(super) length: Option<LevelLength>,
}

/// A length that says where a level ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelLength {
    /// The number, and how it is written.
    pub field: Field,
    /// Whether it counts from where it begins, not from where it ends.
    pub counts_itself: bool,
}

/// Levels that lie in each other, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestingChain {
    /// The levels.
    pub levels: Vec<Level>,
    /// The content of the innermost level: if there is one more bracket or record, that, whole.
    pub core: Range<usize>,
}

/// A level on its own, to be put around something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelBytes {
    /// The bytes that open it, up to the length.
    pub before: Vec<u8>,
    /// How its length is written, where it has one.
    pub length: Option<LevelLength>,
    /// The bytes between the length and the level inside.
    pub behind: Vec<u8>,
    /// The bytes that close it.
    pub close: Vec<u8>,
}

impl LevelBytes {
    /// Bytes of it, but for the length.
    pub fn len(&self) -> usize {
        self.before.len() + self.behind.len() + self.close.len()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.length.is_none()
    }

    /// Bytes before the next level inside, its length included.
    fn opening(&self) -> usize {
        let length = self.length.map_or(0, |length| length.field.width);
        self.before.len() + length + self.behind.len()
    }
}

/// The levels that a nesting chain is rewritten with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLevels {
    /// How many outer levels stay as they are.
    pub outer: usize,
    /// The shells that come next, one in the other.
    pub unit: Vec<LevelBytes>,
    /// How many times `unit` is repeated.
    pub count: usize,
    /// Whether the bytes around the outermost level stay.
    pub is_around_kept: bool,
    /// Whether the core stays, and levels are closed.
    pub is_closed: bool,
}

impl NestingChain {
    /// The bytes before the outermost level and those after it.
    fn around(&self, length: usize) -> [Range<usize>; 2] {
        let outermost = &self.levels[0];
        [0..outermost.open.start, outermost.close.end..length]
    }

    /// Whether levels have lengths, so that none can be left open.
    pub fn has_lengths(&self) -> bool {
        self.levels.iter().any(|level| level.length.is_some())
    }

    /// How many kinds of levels there are.
    pub fn kinds(&self, bytes: &[u8]) -> usize {
        let shells = (0..self.levels.len()).map(|level| self.shell(bytes, level));
        shells.collect::<HashSet<LevelBytes>>().len()
    }

    /// A level on its own.
    pub fn shell(&self, bytes: &[u8], level: usize) -> LevelBytes {
        let Level { open, close, length } = &self.levels[level];
        let number = match length {
            Some(LevelLength { field, .. }) => field.at..field.at + field.width,
            None => open.end..open.end,
        };
        LevelBytes {
            before: bytes[open.start..number.start].to_vec(),
            // Its position does not matter any more, nor its width if the encoding's width varies.
            length: length.map(|length| {
                let width = match length.field.encoding {
                    Encoding::Der | Encoding::Leb128 => 1,
                    _ => length.field.width,
                };
                LevelLength { field: Field { at: 0, width, ..length.field }, ..length }
            }),
            behind: bytes[number.end..open.end].to_vec(),
            close: bytes[close.clone()].to_vec(),
        }
    }

    /// The bytes that [`NestingChain::rebuild`] replaces, and by how many.
    pub fn replaced(
        &self,
        rebuilt: &NewLevels,
        length: usize,
        out: usize,
    ) -> (Range<usize>, usize) {
        let [before, behind] = self.around(length);
        match (rebuilt.is_around_kept, rebuilt.is_closed) {
            (true, true) => (before.end..behind.start, out - before.len() - behind.len()),
            (true, false) => (before.end..length, out - before.len()),
            _ => (0..length, out),
        }
    }

    /// About how often the unit fits at most into `room` bytes of input: the size of a length field
    /// can depend on the bytes inside.
    pub fn most(&self, rebuilt: &NewLevels, length: usize, room: usize) -> usize {
        let outer = self.levels[..rebuilt.outer]
            .iter()
            .map(|level| level.open.len() + if rebuilt.is_closed { level.close.len() } else { 0 });
        let [before, behind] = self.around(length);
        let around = if rebuilt.is_around_kept { before.len() } else { 0 }
            + if rebuilt.is_around_kept && rebuilt.is_closed { behind.len() } else { 0 };
        let core = if rebuilt.is_closed { self.core.len() } else { 0 };
        let unit = rebuilt
            .unit
            .iter()
            .map(|shell| shell.opening() + if rebuilt.is_closed { shell.close.len() } else { 0 });
        room.saturating_sub(outer.sum::<usize>() + around + core) / unit.sum::<usize>().max(1)
    }

    /// Writes `bytes`, whose spine this is, with other levels; `false` if a length does not fit.
    pub fn rebuild(&self, bytes: &[u8], rebuilt: &NewLevels, out: &mut Vec<u8>) -> bool {
        let outer: Vec<LevelBytes> = (0..rebuilt.outer).map(|at| self.shell(bytes, at)).collect();
        let unit = std::iter::repeat_n(&rebuilt.unit, rebuilt.count).flatten();
        let shells: Vec<&LevelBytes> = outer.iter().chain(unit).collect();
        let [before, behind] = self.around(bytes.len());
        if rebuilt.is_around_kept {
            out.extend_from_slice(&bytes[before]);
        }
        let core = if rebuilt.is_closed { &bytes[self.core.clone()] } else { &[] };
        let Some(lengths) = lengths(&shells, core.len(), rebuilt.is_closed) else { return false };
        for (shell, length) in shells.iter().zip(lengths.iter().rev()) {
            out.extend_from_slice(&shell.before);
            out.extend_from_slice(length);
            out.extend_from_slice(&shell.behind);
        }
        out.extend_from_slice(core);
        if rebuilt.is_closed {
            for shell in shells.iter().rev() {
                out.extend_from_slice(&shell.close);
            }
            if rebuilt.is_around_kept {
                out.extend_from_slice(&bytes[behind]);
            }
        }
        true
    }
}

/// The encoded lengths of shells around `core` bytes, the innermost first; empty for a shell
/// without one. `None` if one does not fit.
fn lengths(shells: &[&LevelBytes], core: usize, is_closed: bool) -> Option<Vec<Vec<u8>>> {
    let mut inside = core;
    let mut lengths = Vec::with_capacity(shells.len());
    for shell in shells.iter().rev() {
        inside += shell.behind.len() + if is_closed { shell.close.len() } else { 0 };
        let length = match shell.length {
            None => Vec::new(),
            Some(LevelLength { field, counts_itself }) => {
                field.spell(inside + if counts_itself { field.width } else { 0 })?
            }
        };
        inside += length.len() + shell.before.len();
        lengths.push(length);
    }
    Some(lengths)
}
