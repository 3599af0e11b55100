//! The order of marks in the lines of a text without a grammar.
//!
//! Where all lines of the inputs at hand are like `[13/12] done`, a target may read `[1/[0]` and `[13/12 done` as anything,
//! and what it makes of them says nothing about the cause. What is between the marks is free, and so is how often some of them are repeated.
//! In the same way `Title= x` says nothing where all lines are like `Title: x`.

use std::collections::{BTreeMap, BTreeSet};

/// The byte that stands for the beginning and the end of a line, beside its marks.
const BORDER: u8 = b'\n';

/// What stands for a text after the first word of a line, or for the end of the line.
const TEXT: u8 = b'x';

/// Which mark of a line comes after which two others, and what comes after the first words of lines.
pub(super) struct Shapes {
    marks: BTreeSet<[u8; 3]>,
    /// The marks right after each first word, or `TEXT`.
    after_words: BTreeMap<Vec<u8>, BTreeSet<u8>>,
}

impl Shapes {
    /// Those of some inputs.
    pub(super) fn of<'i>(inputs: impl Iterator<Item = &'i [u8]>) -> Self {
        let (mut marks, mut after_words) = (BTreeSet::new(), BTreeMap::new());
        for line in inputs.flat_map(|input| input.split(is_border)) {
            marks.extend(triples(line));
            if let Some((word, after)) = first_word(line) {
                let known: &mut BTreeSet<u8> = after_words.entry(word.to_vec()).or_default();
                known.insert(after);
            }
        }
        Shapes { marks, after_words }
    }

    /// Whether each mark of an input comes after two after which it is in the inputs at hand, and what is after the first word of a line
    /// is after it there, if they have that word. An empty line has none. Costs a pass over the input.
    pub(super) fn are_of(&self, input: &[u8]) -> bool {
        let is_usual_word = |line: &[u8]| {
            first_word(line).is_none_or(|(word, after)| {
                self.after_words.get(word).is_none_or(|known| known.contains(&after))
            })
        };
        let is_known = |line: &[u8]| {
            triples(line).all(|three| self.marks.contains(&three)) && is_usual_word(line)
        };
        input.split(is_border).all(|line| line.trim_ascii().is_empty() || is_known(line))
    }
}

/// Whether a byte ends a line.
fn is_border(byte: &u8) -> bool {
    *byte == BORDER
}

/// The first word of a line, and what comes after it: a mark right after it, a separator of keys and values after blanks, or text. Nothing for a line that
/// does not begin with a letter.
fn first_word(line: &[u8]) -> Option<(&[u8], u8)> {
    let line = line.trim_ascii();
    line.first().filter(|first| first.is_ascii_alphabetic())?;
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let end = line.iter().position(|byte| !is_of_word(byte)).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let is_mark = |byte: &&u8| byte.is_ascii_punctuation();
    let separator = || rest.trim_ascii_start().first().filter(|byte| b":=".contains(byte));
    Some((word, rest.first().filter(is_mark).or_else(separator).copied().unwrap_or(TEXT)))
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

    #[test]
    fn the_first_word_of_a_line_is_followed_by_what_follows_it_in_the_inputs_at_hand() {
        let inputs: [&[u8]; 1] = [b"Title: x\nsize = 3\nM3 S1 Y2.5\nG=\nG 1: 2.5\n"];
        let shapes = Shapes::of(inputs.into_iter());
        for usual in ["Title: y", "  Title : y", "size=4", "M3", "M3 T4", "Name: y", "G 5", "G=3"] {
            assert!(shapes.are_of(usual.as_bytes()), "{usual:?}");
        }
        for unusual in
            ["Title= y", "Title y", "Title", "size 4", "size: 4", "M3.5", "M3: 4", "G: 3"]
        {
            assert!(!shapes.are_of(unusual.as_bytes()), "{unusual:?}");
        }
    }
}
