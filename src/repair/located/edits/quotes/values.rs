//! Edits that put values into quotation marks: the value of a line after `=` or `: `, and the word at the fault if similar
//! words are in such marks elsewhere.

use super::MAX_LINE_BYTES;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::edits::words::is_near;
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// The cost of putting a value into quotation marks (a logarithm). Not measured.
const QUOTED_VALUE_COST: f32 = -1.0;
/// The same for a value that is nearly `true`, a date or another literal: more than that of mending the literal. Not
/// measured.
const QUOTED_LITERAL_COST: f32 = 8.0;
/// Values without quotation marks in many formats.
const LITERALS: [&[u8]; 7] = [b"true", b"false", b"null", b"True", b"False", b"None", b"nil"];
/// Puts the value or the word at the fault into quotation marks.
///
/// Costs no test. It is not for texts with tags, whose attributes are in `attributes.rs`.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    quoted_value(proposals);
    quoted_word(proposals);
}

/// Puts the value on the fault's line into quotation marks: what comes after the first `=` or `: `, up to the
/// end of the line, if it has no quotation mark.
fn quoted_value(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let row = proposals.line(proposals.fault.at.min(text.len()));
    let own = &text[row.clone()];
    let ends_key = |at: &usize| own[*at] == b'=' || own[*at..].starts_with(b": ");
    let Some(key) = (0..own.len()).find(ends_key) else { return };
    let value = own[key + 1..].trim_ascii();
    let value = value.strip_suffix(b",").unwrap_or(value);
    let has_mark =
        value.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'{' | b'[' | b'('));
    if value.is_empty() || has_mark || row.len() > MAX_LINE_BYTES {
        return;
    }
    let start =
        row.start + key + 1 + own[key + 1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let edit = Edit::new(start..start + value.len(), [b"\"", value, b"\""].concat());
    let is_literal = value[0].is_ascii_digit() || LITERALS.iter().any(|one| is_near(value, one));
    let cost = if is_literal { QUOTED_LITERAL_COST } else { QUOTED_VALUE_COST };
    proposals.add_by_rule(edit, EditKind::Separator, cost);
}

/// Puts the word at the fault into quotation marks, if a value in such marks begins after the same two bytes elsewhere:
/// `"user": cat,` among `"user": "ann",`.
fn quoted_word(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let at = proposals.fault.at.min(text.len());
    for place in [at, at.saturating_sub(1)] {
        let before = text[..place].iter().rev().take_while(|byte| is_word(**byte)).count();
        let start = place - before;
        let end = start + text[start..].iter().take_while(|byte| is_word(**byte)).count();
        let word = &text[start..end];
        let is_literal = LITERALS.iter().any(|one| is_near(word, one));
        if start < 2 || word.is_empty() || word[0].is_ascii_digit() || is_literal {
            continue;
        }
        for quote in [b'"', b'\''] {
            let beginning = [&text[start - 2..start], &[quote]].concat();
            let is_separated = b":=,([".contains(&beginning[0]) && beginning[1] == b' ';
            if is_separated && memchr::memmem::find(text, &beginning).is_some() {
                let edit = Edit::new(start..end, [&[quote], word, &[quote]].concat());
                proposals.add_by_rule(edit, EditKind::Separator, QUOTED_VALUE_COST - 5.0);
            }
        }
    }
}
