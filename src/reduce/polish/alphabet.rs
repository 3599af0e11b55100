//! The bytes that are worth writing into an input.
//!
//! Of 256 values, those that the input had, those that most formats give a meaning, and a few that
//! represent the rest.

/// Bytes that formats give a meaning, and one digit, one letter and one blank.
const STRUCTURAL: &[u8] = b"01a \n()[]{}<>\"'`,:;=/\\*#&|-+.!?@^~%$_\t\r\0\xff";

/// Bytes to write, the most promising first.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    seen: [bool; 256],
}

impl Alphabet {
    /// The alphabet of an input before it is reduced.
    pub(crate) fn of(input: &[u8]) -> Self {
        let mut seen = [false; 256];
        for byte in input {
            seen[usize::from(*byte)] = true;
        }
        Alphabet { seen }
    }

    /// Bytes of `best`, then those that are structural.
    pub(crate) fn narrow(&self, best: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for byte in best.iter().chain(STRUCTURAL) {
            if !bytes.contains(byte) {
                bytes.push(*byte);
            }
        }
        bytes
    }

    /// [`Alphabet::narrow`], then the bytes that the input had.
    pub(crate) fn wide(&self, best: &[u8]) -> Vec<u8> {
        let mut bytes = self.narrow(best);
        for byte in 0..=255u8 {
            if self.seen[usize::from(byte)] && !bytes.contains(&byte) {
                bytes.push(byte);
            }
        }
        bytes
    }
}
