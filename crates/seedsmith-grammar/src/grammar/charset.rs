//! Sets of Unicode code points, kept as sorted ranges that neither touch nor overlap.

use crate::order;
use std::fmt;

/// The greatest code point there is.
pub(crate) const MAX_CODE_POINT: u32 = 0x10_FFFF;

/// A set of code points. Two sets are equal exactly if they hold the same code points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every code point, surrogates included, as ANTLR's `.` has it.
    pub fn any() -> Self {
        CharSet { ranges: vec![(0, MAX_CODE_POINT)] }
    }

    /// The code points from `low` to `high`, both included; empty if `high < low`.
    pub fn range(low: u32, high: u32) -> Self {
        if high < low { Self::new() } else { CharSet { ranges: vec![(low, high)] } }
    }

    /// A set from ranges in any order.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        CharSet { ranges: merged }
    }

    /// The ranges in ascending order, both ends included.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// True if nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether `code_point` is in the set.
    pub fn contains(&self, code_point: u32) -> bool {
        let at = self.ranges.partition_point(|&(_, high)| high < code_point);
        self.ranges.get(at).is_some_and(|&(low, _)| low <= code_point)
    }

    /// The code points in at least one of the two sets.
    pub fn union(&self, other: &CharSet) -> CharSet {
        CharSet::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The code points in both sets.
    pub fn intersection(&self, other: &CharSet) -> CharSet {
        self.complement().union(&other.complement()).complement()
    }

    /// The code points that are not in the set.
    pub fn complement(&self) -> CharSet {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(low, high) in &self.ranges {
            if low > next {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= MAX_CODE_POINT {
            ranges.push((next, MAX_CODE_POINT));
        }
        CharSet { ranges }
    }

    /// The member that is the plainest to read (`0`, then `a`; see [`order::plainness`]); without
    /// an ASCII member, [the least printable one](least_printable).
    pub fn plainest_char(&self) -> Option<char> {
        let ascii = order::ascii_by_plainness().into_iter().map(char::from);
        let mut ascii = ascii.filter(|&c| self.contains(u32::from(c)));
        ascii.next().or_else(|| {
            let found = self.ranges.iter().filter_map(|&(low, high)| least_printable(low, high));
            found.min_by_key(|c| (c.is_control(), *c))
        })
    }

    /// The set with the upper and lower case of each member added, one character for one, as
    /// ANTLR's `caseInsensitive` does it.
    pub fn fold_case(&self) -> CharSet {
        let mut extra = Vec::new();
        for &(low, high) in &self.ranges {
            // Whole planes hold their own cases already; only look where letters can be.
            if low == 0 && high >= 0x1_FFFF {
                continue;
            }
            for code_point in low..=high.min(0x1_FFFF) {
                extra.extend(other_cases(code_point).map(|other| (other, other)));
            }
        }
        CharSet::from_ranges(self.ranges.iter().copied().chain(extra))
    }
}

/// The least character (not a surrogate) between two code points, both included, that is no
/// control character; a control character if there are only such.
pub(crate) fn least_printable(low: u32, high: u32) -> Option<char> {
    // The control characters above ASCII, a blank that doesn't break, and the surrogates.
    let starts = [low, 0xA1, 0xE000].into_iter().filter(|start| (low..=high).contains(start));
    starts.filter_map(char::from_u32).min_by_key(|c| (c.is_control(), *c))
}

/// The one-character upper and lower case of a code point, where they differ from it.
fn other_cases(code_point: u32) -> impl Iterator<Item = u32> {
    let cases = char::from_u32(code_point).map(|c| {
        let single = |mut it: Box<dyn Iterator<Item = char>>| match (it.next(), it.next()) {
            (Some(one), None) => Some(one as u32),
            _ => None,
        };
        [single(Box::new(c.to_lowercase())), single(Box::new(c.to_uppercase()))]
    });
    cases.into_iter().flatten().flatten().filter(move |&other| other != code_point)
}

impl fmt::Display for CharSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |f: &mut fmt::Formatter<'_>, code_point: u32| match char::from_u32(code_point) {
            Some(c @ ('\\' | ']' | '-')) => write!(f, "\\{c}"),
            Some(c) if c.is_ascii_graphic() => write!(f, "{c}"),
            _ => write!(f, "\\u{{{code_point:X}}}"),
        };
        f.write_str("[")?;
        for &(low, high) in &self.ranges {
            show(f, low)?;
            if high > low {
                f.write_str("-")?;
                show(f, high)?;
            }
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        let set = CharSet::from_ranges([(5, 9), (1, 2), (3, 4), (20, 10)]);
        assert_eq!(set.ranges(), [(1, 9)]);
        assert!(set.contains(9) && !set.contains(10) && !set.contains(0));
    }

    #[test]
    fn the_complement_of_the_complement_is_the_set() {
        let set = CharSet::from_ranges([(0, 3), (7, 7), (0x1_0000, MAX_CODE_POINT)]);
        assert_eq!(set.complement().complement(), set);
        assert_eq!(CharSet::any().complement(), CharSet::new());
    }

    #[test]
    fn a_set_is_shown_by_its_plainest_character() {
        let all_but = |bytes: &str| {
            CharSet::from_ranges(bytes.bytes().map(|byte| (u32::from(byte), u32::from(byte))))
                .complement()
                .plainest_char()
        };
        assert_eq!(all_but("\""), Some('0'));
        assert_eq!(all_but("0\""), Some('a'));
        assert_eq!(CharSet::range(0, 0x1F).plainest_char(), Some('\n'));
        assert_eq!(CharSet::range(0x7F, MAX_CODE_POINT).plainest_char(), Some('\u{7F}'));
        assert_eq!(CharSet::range(0x80, MAX_CODE_POINT).plainest_char(), Some('\u{A1}'));
        assert_eq!(CharSet::range(0x80, 0x9F).plainest_char(), Some('\u{80}'));
        assert_eq!(CharSet::range(0xD800, 0xE001).plainest_char(), Some('\u{E000}'));
        assert_eq!(CharSet::new().plainest_char(), None);
    }

    #[test]
    fn folding_adds_both_cases() {
        assert_eq!(CharSet::range('a' as u32, 'b' as u32).fold_case().to_string(), "[A-Ba-b]");
        assert!(CharSet::range('é' as u32, 'é' as u32).fold_case().contains('É' as u32));
    }
}
