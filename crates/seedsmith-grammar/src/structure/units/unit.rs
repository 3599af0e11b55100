//! A list of units: the pieces of an input that a reducer keeps or drops whole.
//!
//! Units lie side by side and cover every byte. Bytes as units are implicit, so that a list over
//! ten megabytes takes no memory; lines and tokens cost four bytes each.

use std::ops::Range;

/// Consecutive pieces that cover an input.
///
/// Offsets are 32 bits wide, so an input has less than 4 GiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    bytes: usize,
    /// Where each unit begins; `None` if every byte is a unit.
    starts: Option<Vec<u32>>,
}

impl Units {
    /// Every byte of an input of `bytes` bytes is a unit.
    pub fn bytes(bytes: usize) -> Self {
        Units { bytes, starts: None }
    }

    /// Units that begin at `starts` (ascending, the first is 0) in an input of `bytes` bytes.
    pub fn beginning_at(starts: Vec<u32>, bytes: usize) -> Self {
        debug_assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
        Units { bytes, starts: Some(starts) }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.starts.as_ref().map_or(self.bytes, Vec::len)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where unit `index` begins; the end of the input for the index after the last.
    pub fn start(&self, index: usize) -> usize {
        match &self.starts {
            None => index,
            Some(starts) => starts.get(index).map_or(self.bytes, |start| *start as usize),
        }
    }

    /// The bytes that a range of units covers.
    pub fn span(&self, units: Range<usize>) -> Range<usize> {
        self.start(units.start)..self.start(units.end)
    }

    /// Forgets a range of units and closes the gap, as an input does from which they were cut.
    pub fn remove(&mut self, units: Range<usize>) {
        let span = self.span(units.clone());
        if let Some(starts) = &mut self.starts {
            let gone = span.len() as u32;
            starts.drain(units.clone());
            for start in &mut starts[units.start..] {
                *start -= gone;
            }
        }
        self.bytes -= span.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_units_moves_those_behind_them() {
        let mut units = Units::beginning_at(vec![0, 3, 4, 9], 12);
        assert_eq!(units.span(1..3), 3..9);
        units.remove(1..3);
        assert_eq!(units, Units::beginning_at(vec![0, 3], 6));
        assert_eq!(units.span(1..2), 3..6);
    }

    #[test]
    fn bytes_are_units_without_a_list() {
        let mut units = Units::bytes(5);
        units.remove(1..3);
        assert_eq!((units.len(), units.span(1..3)), (3, 1..3));
    }
}
