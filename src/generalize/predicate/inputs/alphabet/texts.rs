//! What the bytes of an input show of the way in which it is written, without a tree.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::generalize::bytes::cut::stretches;
use crate::generalize::predicate::read::chains;

/// Whether a text has an empty line after another one, as the head of a request has.
pub(super) fn has_empty_line(input: &[u8]) -> bool {
    (1..=input.len()).any(|end| ends_with_empty_line(&input[..end]))
}

/// Whether the last line of a text is empty, and ends.
///
/// Lines end with a line feed, or with a carriage return before it.
pub(super) fn ends_with_empty_line(input: &[u8]) -> bool {
    input.ends_with(b"\n\n") || input.ends_with(b"\n\r\n")
}

/// Whether a number of a text has an exponent, which may be larger than a target's type of numbers takes.
pub(super) fn has_exponent(input: &[u8]) -> bool {
    let words = input.split(|byte| !(byte.is_ascii_alphanumeric() || b"._+-".contains(byte)));
    words.into_iter().any(|word| {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let rest = &word[digits..];
        let rest = rest.strip_prefix(b"e").or(rest.strip_prefix(b"E")).unwrap_or_default();
        let power = rest.strip_prefix(b"-").or(rest.strip_prefix(b"+")).unwrap_or(rest);
        digits > 0 && !power.is_empty() && power.iter().all(u8::is_ascii_digit)
    })
}

/// Whether some line has two blanks in a row that are neither its indentation nor its end.
pub(super) fn has_wide_blank(input: &[u8]) -> bool {
    let is_wide = |two: &[u8]| two.iter().all(|byte| b" \t".contains(byte));
    input.split(|byte| *byte == b'\n').any(|line| line.trim_ascii().windows(2).any(is_wide))
}

/// A character as one of its kind: letters and digits are one, and so are blanks. Each mark is a kind of its own.
pub(super) fn kind(byte: u8) -> u8 {
    match byte {
        b' ' | b'\t' => b' ',
        b'_' => b'a',
        byte if byte.is_ascii_alphanumeric() || !byte.is_ascii() => b'a',
        byte => byte,
    }
}

/// Marks that at least two lines of the inputs end with and that are nowhere else: the `]` of a title.
pub(super) fn ends_of_lines<'i>(inputs: impl Iterator<Item = &'i [u8]> + Clone) -> Vec<u8> {
    let pairs = || inputs.clone().flat_map(|input| input.windows(2));
    let is_end = |mark: &u8| {
        let after = || pairs().filter(|pair| pair[0] == *mark);
        mark.is_ascii_punctuation()
            && after().count() >= 2
            && after().all(|pair| is_line_end(pair[1]))
    };
    (0..=127).filter(is_end).collect()
}

/// Whether each tag of an input is closed by one of its name, if there are any.
///
/// Comments and declarations are no tags, and quotation marks are not read. Names are compared as they are written, so
/// `<P>` is not closed by `</p>`. Costs a pass over the input.
pub(super) fn has_matching_tags(input: &[u8]) -> bool {
    let mut open: Vec<&[u8]> = Vec::new();
    for at in memchr::memchr_iter(b'<', input) {
        let tag = &input[at + 1..];
        let (is_end, tag) = tag.strip_prefix(b"/").map_or((false, tag), |rest| (true, rest));
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:-.".contains(byte);
        let name = &tag[..tag.iter().take_while(|byte| is_name(byte)).count()];
        if is_end {
            if open.pop() != Some(name) {
                return false;
            }
            continue;
        }
        let end = memchr::memchr(b'>', tag);
        let is_whole = end.is_some_and(|end| tag[..end].ends_with(b"/"));
        if !name.is_empty() && !is_whole {
            open.push(name);
        }
    }
    open.is_empty()
}

/// Whether each line of an input has an even number of quotation marks. Costs a pass over the input.
pub(super) fn has_paired_quotes(input: &[u8]) -> bool {
    let mut lines = input.split(|byte| is_line_end(*byte));
    lines.all(|line| memchr::memchr_iter(b'"', line).count().is_multiple_of(2))
}

/// Whether a byte ends a line.
pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// How many digits the longest number has, before and after its point: of more than 15 a floating-point number keeps some
/// only.
pub(super) fn longest_number(input: &[u8]) -> usize {
    let numbers = stretches(input, |byte| byte.is_ascii_digit() || byte == b'.');
    let digits = |span: Range<usize>| input[span].iter().filter(|byte| **byte != b'.').count();
    numbers.into_iter().map(digits).max().unwrap_or(0)
}

/// The widths of the numbers of each date, time or version in an input.
pub(super) fn widths(input: &[u8]) -> Vec<Vec<usize>> {
    chains(input).into_iter().map(|(_, numbers)| numbers.iter().map(Range::len).collect()).collect()
}

/// The bytes before numbers of several digits that begin with 0. Nothing is before one that the input begins with.
pub(in crate::generalize::predicate::inputs) fn before_zeros(input: &[u8]) -> BTreeSet<Option<u8>> {
    let numbers = stretches(input, |byte| byte.is_ascii_digit()).into_iter();
    let zeros = numbers.filter(|span| span.len() > 1 && input[span.start] == b'0');
    zeros.map(|span| span.start.checked_sub(1).map(|before| input[before])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_match_if_each_is_closed_by_its_name() {
        let matching = ["<a b='c'><d/>x</a>", "<!-- x --><p>1 &lt; 2</p>", "none"];
        assert!(matching.iter().all(|text| has_matching_tags(text.as_bytes())));
        let others = ["<a><b></a></b>", "<a>", "</a>", "<a></b>", "1 <a"];
        assert!(!others.iter().any(|text| has_matching_tags(text.as_bytes())));
    }
}
