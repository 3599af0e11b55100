//! Edits of directives of the C preprocessor, whose conditions are opened and closed as brackets are.
//!
//! A damaged `#endif` is reported where its condition begins, and a damaged `#ifdef` at the end of the text, so
//! the damaged line is looked for in the whole text once conditions are not in pairs.

use std::ops::Range;

use super::open_end::directive;
use crate::repair::distance::distance;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, line};

/// The names of directives.
const NAMES: [&[u8]; 13] = [
    b"if", b"ifdef", b"ifndef", b"endif", b"else", b"elif", b"define", b"undef", b"include",
    b"pragma", b"error", b"line", b"warning",
];
/// Those that open a condition.
const OPENING: [&[u8]; 3] = [b"ifdef", b"ifndef", b"if"];
/// Letters and signs in which a damaged directive may differ from a whole one.
const MAX_DISTANCE: usize = 2;
/// The cost of an edit after which conditions are in pairs (a logarithm), besides `PER_EDIT` for each byte: low, because
/// few lines are nearly directives, and the distance to the report costs up to 15. Not measured.
const PAIRING_COST: f32 = -18.0;
const PER_EDIT: f32 = 2.0;
/// The same for a line that begins with `#` and has another name. Not measured.
const OTHER_NAME_COST: f32 = -13.0;
/// The same for any directive on the line of the fault. Not measured.
const ON_LINE_COST: f32 = -8.0;
/// The cost of a condition that is closed at the end of the text, or of dropping an end without a beginning. Not measured.
const LAST_COST: f32 = -8.0;

/// Adds edits that make a directive of a line that is nearly one. Does nothing in texts with fewer than two directives.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    if text.split(|byte| *byte == b'\n').filter(|line| known(line).is_some()).count() < 2 {
        return;
    }
    let (mut open, mut ends) = (Vec::new(), Vec::new());
    let mut others: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let row = line(text, at);
        at = row.end + 1;
        match known(&text[row.clone()]) {
            Some(name) if OPENING.contains(&name) => open.push(row),
            Some(b"endif") => {
                if open.pop().is_none() {
                    ends.push(row);
                }
            }
            Some(_) => {}
            None => others.push(row),
        }
    }
    let own = proposals.line(proposals.fault.at);
    for row in others {
        let lacks: &[&[u8]] = match (open.is_empty(), ends.is_empty()) {
            (false, _) => &[b"endif"],
            (true, false) => &OPENING,
            (true, true) => &[],
        };
        nearly(proposals, &row, lacks, row == own);
    }
    if let Some(last) = open.last() {
        let new: &[u8] = if text.ends_with(b"\n") { b"#endif\n" } else { b"\n#endif\n" };
        let edit = Edit::insert(text.len(), new);
        proposals.add_by_rule(edit, EditKind::Separator, LAST_COST);
        let edit = Edit::delete(last.start..text.len().min(last.end + 1));
        proposals.add_by_rule(edit, EditKind::Deletion, LAST_COST + 4.0);
    }
    for end in ends {
        let edit = Edit::delete(end.start..text.len().min(end.end + 1));
        proposals.add_by_rule(edit, EditKind::Deletion, LAST_COST);
    }
}

/// The directive that a line is, if there is one of that name.
fn known(line: &[u8]) -> Option<&[u8]> {
    directive(line).filter(|name| NAMES.contains(name))
}

/// Makes a directive of a line that is none: one of those that the text lacks, or any if the line is the fault's own.
fn nearly(proposals: &mut Proposals<'_>, row: &Range<usize>, lacks: &[&[u8]], is_own: bool) {
    let text = proposals.text;
    let own = &text[row.clone()];
    let blanks = own.len() - own.trim_ascii_start().len();
    let length = own[blanks..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let span = row.start + blanks..row.start + blanks + length;
    let word = &text[span.clone()];
    if word.is_empty() {
        return;
    }
    let has_sign = word.contains(&b'#');
    for name in NAMES {
        let is_lacking = lacks.contains(&name);
        let whole = [b"#", name].concat();
        let edits = distance(word, &whole, MAX_DISTANCE + 1);
        // A word of two letters is nearly any other.
        let is_near = edits <= MAX_DISTANCE && (has_sign || word == name || name.len() > 4);
        if is_near && (is_lacking || is_own) {
            let cost = if is_lacking { PAIRING_COST } else { ON_LINE_COST };
            let cost = cost + PER_EDIT * edits as f32;
            proposals.add_by_rule(Edit::new(span.clone(), whole), EditKind::Copy, cost);
        } else if word.starts_with(b"#") && (is_lacking || is_own && name == b"define") {
            let cost = if is_lacking { OTHER_NAME_COST } else { ON_LINE_COST };
            proposals.add_by_rule(Edit::new(span.clone(), whole), EditKind::Copy, cost);
        }
    }
    // Another token was put before it, or is a part of it.
    if let Some(at) = memchr::memmem::find(own, b"endif").filter(|_| lacks.contains(&&b"endif"[..]))
    {
        let edit = Edit::new(row.start..row.start + at, *b"#");
        proposals.add_by_rule(edit, EditKind::Copy, OTHER_NAME_COST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "#ifndef A\n#define A\n#ifdef B\n#define C 1\n#define D 2\n#endif // B\nint a;\n#endif\n";

    #[test]
    fn a_damaged_directive_is_made_whole_wherever_the_fault_shows() {
        for (old, new, shows) in [
            ("#endif // B", "#edif // B", "#ifndef"),
            ("#endif // B", "#GCC // B", "#ifndef"),
            ("#endif // B", "endif // B", "#ifndef"),
            ("#endif // B", "A Bendif // B", "#ifndef"),
            ("#ifdef B", "i#fdef B", "int"),
            ("#ifdef B", "ifdef B", "int"),
            ("#ifdef B", "#=1 B", "int"),
            ("#define D", "#d. D", "#d."),
            ("#define D", "define D", "define D"),
        ] {
            let text = WHOLE.replacen(old, new, 1);
            let at = text.find(shows).unwrap();
            let found = super::super::super::testing::edited(&text, at, propose, 12);
            assert!(found.contains(&WHOLE.to_owned()), "{new}: {found:#?}");
        }
        assert!(super::super::super::testing::edited(WHOLE, 0, propose, 12).is_empty());
    }
}
