//! The order of marks in the lines of a text without a grammar.
//!
//! Where all lines of the inputs at hand are like `[13/12] done`, a target may read `[1/[0]` and `[13/12 done` as anything,
//! and what it makes of them says nothing about the cause. What is between the marks is free, and so is how often some of them are repeated.

use std::collections::BTreeSet;

/// The byte that stands for the beginning and the end of a line, beside its marks.
const BORDER: u8 = b'\n';

/// Which mark of a line comes after which two others.
pub(super) struct Shapes(BTreeSet<[u8; 3]>);

impl Shapes {
    /// Those of some inputs.
    pub(super) fn of<'i>(inputs: impl Iterator<Item = &'i [u8]>) -> Self {
        Shapes(inputs.flat_map(|input| input.split(is_border).flat_map(triples)).collect())
    }

    /// Whether each mark of an input comes after two after which it is in the inputs at hand. An empty line has none. Costs a
    /// pass over the input.
    pub(super) fn are_of(&self, input: &[u8]) -> bool {
        let is_known = |line: &[u8]| triples(line).all(|three| self.0.contains(&three));
        input.split(is_border).all(|line| line.trim_ascii().is_empty() || is_known(line))
    }
}

/// Whether a byte ends a line.
fn is_border(byte: &u8) -> bool {
    *byte == BORDER
}

/// The marks of a line, each with the two before it: `[`, `/` and `]` of `[1/2]`, and the end of the line. One that follows
/// itself is one, unless it is a bracket: a list may be longer.
fn triples(line: &[u8]) -> impl Iterator<Item = [u8; 3]> + '_ {
    let is_mark = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
    let is_bracket = |byte: u8| b"()[]{}".contains(&byte);
    let marks = line.iter().copied().filter(is_mark).chain([BORDER]);
    let marks = marks.scan([BORDER; 2], move |before, mark| {
        if mark == before[1] && mark != BORDER && !is_bracket(mark) {
            return Some(None);
        }
        let three = [before[0], before[1], mark];
        *before = [before[1], mark];
        Some(Some(three))
    });
    marks.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_marks_of_those_at_hand_as_often_as_it_likes() {
        let inputs: [&[u8]; 2] = [b"[1/2] x\nname\n\nrow: a, b, c\n", b"[3/4]"];
        let shapes = Shapes::of(inputs.into_iter());
        for usual in ["[13/12] y z", "row: a, b, c, d, e\n[1/1]", "no marks", "\n\n", ""] {
            assert!(shapes.are_of(usual.as_bytes()), "{usual:?}");
        }
        for unusual in ["[1/[0]", "[13/12 y", "[1/2]]", "[1/2] [1/2]", "a, b: c"] {
            assert!(!shapes.are_of(unusual.as_bytes()), "{unusual:?}");
        }
    }
}
