//! Length fields: how binary formats write a number, read and written in place.

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Least significant byte first, with this number of bytes.
    Little(usize),
    /// Most significant byte first, with this number of bytes.
    Big(usize),
    /// Seven bits a byte, the least significant first; the top bit says that more follow.
    Leb128,
    /// ASN.1's: one byte below 128, or 128 plus the number of bytes that follow, big-endian.
    Der,
}

/// A number somewhere in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Where it begins.
    pub at: usize,
    /// Bytes it takes.
    pub width: usize,
    /// How it is written.
    pub encoding: Encoding,
}

impl Field {
    /// The number that begins at `at`, and the field that holds it; `None` beyond 2^32, past the
    /// end of the input, and for bytes that the encoding does not allow.
    ///
    /// `None` if the input ends within it, or if the encoding has no such number: DER's lengths
    /// have at most four bytes after the first, LEB128 at most five.
    pub fn read(bytes: &[u8], at: usize, encoding: Encoding) -> Option<(usize, Field)> {
        let rest = bytes.get(at..)?;
        let big = |bytes: &[u8]| bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let (value, width) = match encoding {
            Encoding::Big(width) => (big(rest.get(..width)?), width),
            Encoding::Little(width) => {
                let bytes = rest.get(..width)?;
                (bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), width)
            }
            Encoding::Leb128 => {
                let width = rest.iter().take(5).position(|byte| *byte < 128)? + 1;
                let seven = rest[..width].iter().rev();
                (seven.fold(0, |sum, byte| sum << 7 | usize::from(*byte & 127)), width)
            }
            Encoding::Der => match rest.first()? {
                short @ 0..=0x7f => (usize::from(*short), 1),
                long @ 0x81..=0x84 => {
                    let count = usize::from(long & 127);
                    (big(rest.get(1..=count)?), count + 1)
                }
                _ => return None,
            },
        };
        Some((value, Field { at, width, encoding }))
    }

    /// How `value` is written in place of this number: in as many bytes, or in as few as the
    /// encoding takes where it has no fixed width. `None` if it does not fit.
    ///
    /// Fixed widths stay as they are; the others take the fewest bytes.
    pub fn spell(&self, value: usize) -> Option<Vec<u8>> {
        let width = match self.encoding {
            Encoding::Big(width) | Encoding::Little(width) => width,
            Encoding::Leb128 => (1..=5).find(|width| value >> (7 * width) == 0)?,
            Encoding::Der if value < 128 => 1,
            Encoding::Der => 1 + (1..=4).find(|width| value >> (8 * width) == 0)?,
        };
        let mut bytes = vec![0; width];
        if self.encoding == Encoding::Der && width > 1 {
            bytes[0] = 0x80 + (width - 1) as u8;
        }
        Field { at: 0, width, ..*self }.write(value, &mut bytes).then_some(bytes)
    }

    /// Writes another number into the same bytes; `false` if it does not fit.
    pub fn write(&self, value: usize, bytes: &mut [u8]) -> bool {
        let Some(place) = bytes.get_mut(self.at..self.at + self.width) else { return false };
        let big = |place: &mut [u8]| {
            let mut rest = value;
            for byte in place.iter_mut().rev() {
                *byte = rest as u8;
                rest >>= 8;
            }
            rest == 0
        };
        match self.encoding {
            Encoding::Big(_) => big(place),
            Encoding::Little(_) => {
                place.reverse();
                let fits = big(place);
                place.reverse();
                fits
            }
            Encoding::Leb128 => {
                let mut rest = value;
                for byte in place.iter_mut() {
                    *byte = rest as u8 | 128;
                    rest >>= 7;
                }
                place[self.width - 1] &= 127;
                rest == 0
            }
            Encoding::Der if self.width == 1 => value < 128 && big(place),
            Encoding::Der => big(&mut place[1..]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_written_in_place() {
        for (bytes, encoding, value) in [
            (&[0x01, 0x02][..], Encoding::Big(2), 0x0102),
            (&[0x01, 0x02], Encoding::Little(2), 0x0201),
            (&[0x81, 0x02], Encoding::Leb128, 0x101),
            (&[0x82, 0x01, 0x02], Encoding::Der, 0x0102),
            (&[0x7f], Encoding::Der, 0x7f),
        ] {
            let (read, field) = Field::read(bytes, 0, encoding).unwrap();
            assert_eq!((read, field.width), (value, bytes.len()));
            let mut copy = bytes.to_vec();
            assert!(field.write(5, &mut copy));
            assert_eq!(Field::read(&copy, 0, encoding), Some((5, field)));
            assert!(!field.write(1 << 30, &mut copy));
            assert_eq!(Field::read(&field.spell(5).unwrap(), 0, encoding).unwrap().0, 5);
        }
        assert_eq!(Field::read(&[0x80], 0, Encoding::Leb128), None);
        let der = Field { at: 3, width: 1, encoding: Encoding::Der };
        assert_eq!(der.spell(0x1234), Some(vec![0x82, 0x12, 0x34]));
        let leb128 = Field { encoding: Encoding::Leb128, ..der };
        assert_eq!(leb128.spell(300), Some(vec![0xac, 0x02]));
        assert_eq!(Field { encoding: Encoding::Big(1), ..der }.spell(256), None);
    }
}
