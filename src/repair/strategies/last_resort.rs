//! The last resort where a text that lacks one byte at its end seems to be beyond repair: every printable
//! byte is tried there. Separators are tried between its tokens.
//!
//! No other search proposes a byte that neither the text nor the validator's message has: a `;` after
//! `p+0`, for example.

use crate::repair::best::Best;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;

/// What texts end with most often, tried first.
const ENDS: &[u8] = b";})]>\"'.,:/\n";

/// What parts two tokens.
const SEPARATORS: &[u8] = b":,=;";
/// Gaps between tokens in which separators are tried, because each costs four tests. Not measured.
const MAX_GAPS: usize = 40;
/// A text that lacks more than the input's length divided by this is hardly a repair, so the last resort
/// is tried. A guess, not measured.
const LOST_DIVISOR: usize = 4;

/// Tries each printable byte at the end of `input`, and separators in its first gaps, if no valid text is known
/// that keeps three quarters of it.
///
/// Costs at most 96 tests, 96 more if the text ends with blanks, and 160 for the gaps.
pub(super) fn complete(
    validator: &mut dyn Validate,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if best.text().is_some() && best.distance() <= input.len() / LOST_DIVISOR {
        return Ok(());
    }
    let trimmed = input.trim_ascii_end().len();
    let places: &[usize] = if trimmed < input.len() { &[trimmed, input.len()] } else { &[trimmed] };
    let others = (b' '..=b'~').filter(|byte| !ENDS.contains(byte));
    let bytes: Vec<u8> = ENDS.iter().copied().chain(others).collect();
    let at_end = places.iter().flat_map(|at| bytes.iter().map(move |byte| (*at, *byte)));
    let gaps = (1..trimmed).filter(|at| is_gap(input[at - 1], input[*at])).take(MAX_GAPS);
    let in_gaps = gaps.flat_map(|at| SEPARATORS.iter().map(move |byte| (at, *byte)));
    let mut texts = at_end.chain(in_gaps);
    let found = validator.first_valid(&mut |buffer| {
        let Some((at, byte)) = texts.next() else { return false };
        buffer.extend_from_slice(&input[..at]);
        buffer.push(byte);
        buffer.extend_from_slice(&input[at..]);
        true
    })?;
    if let Some((_, text)) = found {
        best.offer(&text);
    }
    Ok(())
}

/// Whether a separator may be lost between two bytes: blanks, or two strings side by side.
///
/// The first byte of a run of blanks counts, so a run is one gap.
fn is_gap(before: u8, after: u8) -> bool {
    let is_quote = |byte| matches!(byte, b'"' | b'\'');
    !before.is_ascii_whitespace() && after.is_ascii_whitespace()
        || is_quote(before) && is_quote(after)
}

#[cfg(test)]
mod tests {
    use crate::repair::validate::InPlace;
    use crate::repair::{Options, repair};
    use seedsmith_engine::internal::Budget;

    #[test]
    fn a_byte_that_neither_the_text_nor_a_message_has_is_added_at_the_end() {
        let is_sum = |text: &[u8]| {
            let parts = text.strip_suffix(b";").map(|sum| sum.split(|byte| *byte == b'+'));
            parts.is_some_and(|mut parts| {
                parts.all(|one| one.len() == 1 && one[0].is_ascii_alphanumeric())
            })
        };
        let mut validator = InPlace::new(is_sum, Budget::default());
        let found = repair(&mut validator, b"p+0", &Options::default()).unwrap();
        assert_eq!(found.text.unwrap(), b"p+0;");
        assert!(found.counts.tests < 3000, "{}", found.counts.tests);
    }
}
