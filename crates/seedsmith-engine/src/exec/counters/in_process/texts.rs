//! Names that machine code refers to by their address, as it passes them to functions or compares them with `memcmp`.
//!
//! `attributes.get("width")` passes the address of a text, and `match name { "print" => …, … }` may compare with `memcmp` after
//! it has looked at the length. Both are a name in read-only data, and no instruction has its bytes. Its length is often far
//! from its address in the code. But a text ends where the next one begins, and all of them begin at an address that some code
//! or a table has. A table of names (`["left", "right"]`) is read as such.
//!
//! A text with a blank is a message, and no name. Knows the instructions of x86-64 alone.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::words::Words;

/// Lengths of names. A longer one is rarely a name. A guess, not measured.
const NAME_BYTES: RangeInclusive<usize> = 2..=32;
/// Names of one table at most. A guess, not measured.
const MAX_TABLE_NAMES: usize = 256;
/// Bytes of an entry of a table: an address and a length alone, or with one or two words more.
const TABLE_ENTRY_BYTES: [u64; 3] = [16, 24, 32];

/// Bytes of an executable, and the address of the first one.
#[derive(Clone, Copy, Debug)]
pub struct Section<'d> {
    /// The bytes.
    pub bytes: &'d [u8],
    /// The address at link time.
    pub address: u64,
}

impl<'d> Section<'d> {
    /// The bytes from an address on; `None` if it is elsewhere.
    fn from(&self, address: u64) -> Option<&'d [u8]> {
        let at = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.bytes.get(at..).filter(|rest| !rest.is_empty())
    }
}

/// The addresses that the instructions `lea register, [rip + distance]` of some code give.
fn references(code: Section<'_>) -> impl Iterator<Item = u64> {
    code.bytes.windows(7).enumerate().filter_map(move |(at, window)| {
        let [prefix, opcode, operand, distance @ ..] = window else { return None };
        let is_lea = prefix & 0xfb == 0x48 && *opcode == 0x8d && operand & 0xc7 == 5;
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        let next = code.address + (at + window.len()) as u64;
        is_lea.then(|| next.wrapping_add_signed(i64::from(distance)))
    })
}

/// Whether a byte may be in a name.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

fn is_name(text: &[u8]) -> bool {
    NAME_BYTES.contains(&text.len())
        && text[0].is_ascii_alphanumeric()
        && text.iter().all(|byte| is_of_name(*byte))
}

/// The read-only texts of an executable.
#[derive(Debug)]
pub struct Texts<'d> {
    texts: Section<'d>,
    tables: Section<'d>,
    /// Addresses at which a text begins, in order.
    starts: Vec<u64>,
    /// Addresses of texts, by the address in a table where they are.
    pointers: BTreeMap<u64, u64>,
}

impl<'d> Texts<'d> {
    /// The texts of a section, by all code and the tables that refer to them.
    ///
    /// `pointers` are pairs of an address in a table and the address that is written there.
    pub fn new(
        code: Section<'_>,
        texts: Section<'d>,
        tables: Section<'d>,
        pointers: impl Iterator<Item = (u64, u64)>,
    ) -> Self {
        let is_text = |address: u64| texts.from(address).is_some();
        let pointers: BTreeMap<u64, u64> = pointers.filter(|(_, to)| is_text(*to)).collect();
        let of_code = references(code).filter(|address| is_text(*address));
        let mut starts: Vec<u64> = of_code.chain(pointers.values().copied()).collect();
        starts.sort_unstable();
        starts.dedup();
        Texts { texts, tables, starts, pointers }
    }

    /// Adds the names that some code refers to.
    pub fn add_names(&self, code: Section<'_>, words: &mut Words) {
        for address in references(code) {
            if let Some(name) = self.name(address) {
                words.put(name);
            }
            self.table(address).into_iter().for_each(|name| words.put(name));
        }
    }

    /// The name at an address: it ends where the next text begins.
    fn name(&self, address: u64) -> Option<&'d [u8]> {
        let rest = self.texts.from(address)?;
        let next = self.starts.get(self.starts.partition_point(|start| *start <= address));
        let length = next.map_or(rest.len(), |next| (next - address) as usize);
        rest.get(..length).filter(|text| is_name(text))
    }

    /// The names of the table at an address, if there is one.
    fn table(&self, address: u64) -> Vec<&'d [u8]> {
        let name = |entry: u64| {
            let text = self.texts.from(*self.pointers.get(&entry)?)?;
            let length = self.tables.from(entry + 8)?.first_chunk()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            text.get(..length).filter(|text| is_name(text))
        };
        let of = |bytes: u64| {
            let entries = (0..MAX_TABLE_NAMES as u64).map(move |number| address + number * bytes);
            entries.map_while(name).collect::<Vec<_>>()
        };
        TABLE_ENTRY_BYTES.map(of).into_iter().max_by_key(Vec::len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: u64 = 0x1000;
    const TABLES: u64 = 0x2000;
    const CODE: u64 = 0x3000;

    /// `lea rsi, [rip + distance]` at the beginning of the code, and one instruction after the other.
    fn code(targets: &[u64]) -> Vec<u8> {
        let mut code = Vec::new();
        for target in targets {
            let next = CODE + code.len() as u64 + 7;
            let distance = (*target as i64 - next as i64) as i32;
            code.extend([&[0x48, 0x8d, 0x35][..], &distance.to_le_bytes()].concat());
        }
        code
    }

    fn names(
        texts: &[u8],
        tables: &[(u64, u64, u64)],
        all: &[u64],
        of_target: &[u64],
    ) -> Vec<String> {
        let (all, of_target) = (code(all), code(of_target));
        let table: Vec<u8> = tables
            .iter()
            .flat_map(|(_, _, length)| [[0; 8], length.to_le_bytes()].concat())
            .collect();
        let pointers = tables.iter().map(|(at, to, _)| (*at, *to));
        let code = |bytes| Section { bytes, address: CODE };
        let texts = Section { bytes: texts, address: TEXTS };
        let tables = Section { bytes: &table, address: TABLES };
        let mut words = Words::default();
        Texts::new(code(&all), texts, tables, pointers).add_names(code(&of_target), &mut words);
        words.into_words().into_iter().map(|word| String::from_utf8(word).unwrap()).collect()
    }

    #[test]
    fn a_name_ends_where_the_next_text_begins_and_a_message_is_none() {
        let texts = b"deeplyprintbetween totoo many";
        let starts = [0, 6, 11, 18, 21].map(|at| TEXTS + at);
        assert_eq!(names(texts, &[], &starts, &starts), ["between", "deeply", "print"]);
        assert_eq!(names(texts, &[], &starts, &starts[1..2]), ["print"]);
        assert!(names(texts, &[], &starts, &[TEXTS + 400, 0]).is_empty());
    }

    #[test]
    fn the_names_of_a_table_are_found_by_the_address_of_the_table() {
        let table = [(TABLES, TEXTS + 4, 5), (TABLES + 16, TEXTS, 4), (TABLES + 32, TEXTS + 9, 3)];
        assert_eq!(names(b"leftright a", &table, &[], &[TABLES]), ["left", "right"]);
        assert!(names(b"leftright a", &table, &[], &[]).is_empty());
    }
}
