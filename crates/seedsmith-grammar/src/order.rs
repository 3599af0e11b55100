//! Which of two failing inputs is the better one to show to a person.
//!
//! Size decides first. Between inputs of one size the order is by how plain each byte is, so that
//! simplification always ends: every accepted step goes strictly down, and there is no cycle.

use std::cmp::Ordering;

/// How plain a byte is; smaller is plainer.
///
/// `0`, then `a`, then a blank lead, because a reader sees at once that they are fillers; then the
/// other digits and letters, line feed, punctuation, control bytes, and bytes outside ASCII.
pub fn plainness(byte: u8) -> u16 {
    match byte {
        b'0' => 0,
        b'a' => 1,
        b' ' => 2,
        b'1'..=b'9' => 3 + u16::from(byte - b'1'),
        b'b'..=b'z' => 20 + u16::from(byte - b'b'),
        b'A'..=b'Z' => 60 + u16::from(byte - b'A'),
        b'\n' => 90,
        0x21..=0x7e => 100 + u16::from(byte),
        _ => 300 + u16::from(byte),
    }
}

/// The ASCII characters, the plainest first: the first that is in a set of characters represents
/// it.
pub(crate) fn ascii_by_plainness() -> [u8; 128] {
    let mut bytes = std::array::from_fn(|byte| byte as u8);
    bytes.sort_unstable_by_key(|byte| plainness(*byte));
    bytes
}

/// Shorter first, then plainer byte by byte from the left.
///
/// A strict total order on byte strings: it is `Equal` only for equal inputs.
pub fn compare(left: &[u8], right: &[u8]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| {
        left.iter().map(|byte| plainness(*byte)).cmp(right.iter().map(|byte| plainness(*byte)))
    })
}

/// Whether `candidate` is strictly simpler than `best`.
pub fn is_simpler(candidate: &[u8], best: &[u8]) -> bool {
    compare(candidate, best) == Ordering::Less
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plainness_tells_every_byte_apart() {
        let ranks: std::collections::BTreeSet<u16> = (0..=255).map(plainness).collect();
        assert_eq!(ranks.len(), 256);
    }

    #[test]
    fn a_shorter_input_is_simpler_whatever_its_bytes() {
        assert!(is_simpler(b"\xff", b"00"));
        assert!(is_simpler(b"0a", b"a0"));
        assert!(!is_simpler(b"a0", b"a0"));
    }
}
