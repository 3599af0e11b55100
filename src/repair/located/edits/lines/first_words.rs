//! Edits of the first word of a line: after a line that begins with one word, the next line often begins with a certain
//! other one. `FROM` follows `SELECT`, `else:` follows `if`, and a key of a record follows the key before it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line};
use seedsmith_grammar::internal::is_word;

/// The cost of adding such a word (a logarithm): as low as that of the sign at the end of a line that the lines beside it have,
/// but less sure. Not measured.
const LOST_WORD_COST: f32 = -7.0;
/// The additional cost if it replaces a word, which may have been right. Not measured.
const REPLACED_WORD_COST: f32 = 4.0;
/// Lines that follow in the same way and make one an example: one alone is chance.
const MIN_EXAMPLES: u32 = 2;
/// Lines of the text that are compared, so that one fault of a long text takes no longer.
const MAX_LINES: usize = 4_000;
/// Words that are tried on one line, because each costs two tests.
const MAX_WORDS: usize = 2;

/// The first words of two lines that follow each other.
type Pair<'t> = (&'t [u8], &'t [u8]);

/// Adds the first words that the lines near the fault may have lost.
///
/// Costs no test, and one pass over the lines of the text.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let near = proposals.lines();
    // How often a line begins with the second word after a line that begins with the first, and one of these lines.
    let mut followers: BTreeMap<Pair<'_>, (u32, Range<usize>)> = BTreeMap::new();
    let mut before: Option<&[u8]> = None;
    for row in rows(text).take(MAX_LINES) {
        let own = first_word(text, &row);
        if let Some(before) = before.filter(|_| !own.is_empty() && !near.contains(&row)) {
            followers.entry((before, own)).or_insert_with(|| (0, row.clone())).0 += 1;
        }
        before = Some(own).filter(|word| !word.is_empty());
    }
    for row in near {
        let end = text[..row.start].trim_ascii_end().len();
        let before = if end == 0 { &[] } else { first_word(text, &line(text, end - 1)) };
        let own = first_word(text, &row);
        if before.is_empty() || followers.contains_key(&(before, own)) {
            continue;
        }
        let of_line = followers.iter().filter(|((first, _), _)| *first == before);
        let mut found: Vec<(u32, &[u8], &Range<usize>)> = of_line
            .map(|((_, word), (times, row))| (*times, *word, row))
            .filter(|(times, ..)| *times >= MIN_EXAMPLES)
            .collect();
        found.sort_by_key(|(times, word, _)| (std::cmp::Reverse(*times), *word));
        for (times, word, other) in found.into_iter().take(MAX_WORDS) {
            let head = other.start..other.start + indent(text, other) + word.len();
            let gap = &text[head.end..other.end];
            let gap = &gap[..gap.len() - gap.trim_ascii_start().len()];
            let start = row.start + indent(text, &row);
            let cost = LOST_WORD_COST - (times as f32).ln();
            let whole = [&text[head.clone()], gap].concat();
            let added = Edit::new(row.start..start, whole);
            proposals.add_by_rule(added, EditKind::Copy, cost);
            if !own.is_empty() {
                let replaced = Edit::new(row.start..start + own.len(), &text[head]);
                proposals.add_by_rule(replaced, EditKind::Copy, cost + REPLACED_WORD_COST);
            }
        }
    }
}

/// The lines that are not blank.
fn rows(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let all = text.split(|byte| *byte == b'\n').map(move |own| {
        let row = start..start + own.len();
        start = row.end + 1;
        row
    });
    all.filter(|row| !text[row.clone()].trim_ascii().is_empty())
}

/// The word with which a line begins after its indentation; empty if it begins with a sign.
fn first_word<'t>(text: &'t [u8], row: &Range<usize>) -> &'t [u8] {
    let own = &text[row.start + indent(text, row)..row.end];
    &own[..own.iter().take_while(|byte| is_word(**byte)).count()]
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::propose;

    #[test]
    fn a_line_gets_the_first_word_that_follows_the_line_before_it_elsewhere() {
        let query = |table: &str| format!("SELECT a\n  FROM {table}\n  WHERE b;\n");
        let whole = [query("one"), query("two"), query("three")].concat();
        for damaged in ["   three", "  three", "  RFOM x three"] {
            let text = whole.replacen("  FROM three", damaged, 1);
            let found = edited(&text, text.find("three").unwrap(), propose, 4);
            let is_close =
                |one: &String| *one == whole || damaged.contains(" x") && one.contains("  FROM x");
            assert!(found.iter().any(is_close), "{damaged}: {found:#?}");
        }
        assert!(edited(&whole, whole.find("three").unwrap(), propose, 4).is_empty());
    }
}
