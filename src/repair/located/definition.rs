//! Where a name may be lost that a message misses: in the definition of what should have it.
//!
//! `table users has no column named age` is about a statement that is right if `age` is at other places of the text
//! too. Then the definition of `users` is damaged, and its lines that look unlike other lines are where.

use std::collections::HashMap;
use std::ops::Range;

use super::edits::lines::shape;
use super::edits::words::keywords::is_keyword;
use super::edits::words::{is_near, whole};
use super::proposals::line;
use seedsmith_grammar::internal::is_word;

/// Lines of a definition that are looked at, because longer ones are mostly several. Not measured.
const MAX_DEFINITION_LINES: usize = 40;
/// Names of a statement of which the definition is looked at, because the first names of a statement are those of its tables.
const MAX_OWNERS: usize = 4;
/// Lines that are suspected, because each gets all edits of a place. Not measured.
const MAX_SUSPECTS: usize = 2;

/// Offsets in the definition of `owner` where `word` may be lost or damaged, the likeliest first. `before` is where
/// the name is missed; the definition is before it.
///
/// Empty if the text has `word` at no other place, because then it is damaged where it is missed.
pub(super) fn suspects(text: &[u8], owner: &[u8], word: &[u8], before: usize) -> Vec<usize> {
    if whole(text, 0..text.len(), word).take(2).count() < 2 {
        return Vec::new();
    }
    let before = before.min(text.len());
    let Some(start) = whole(text, 0..before, owner).next() else { return Vec::new() };
    let rows = rows(text, start, before);
    // The definition has the name: something before it is lost that parts it.
    if let Some(last) = rows.last()
        && let Some(at) = whole(text, start..last.end, word).next()
    {
        return vec![at];
    }
    let shapes = count(text.split(|byte| *byte == b'\n').map(|row| shape(row, &(0..row.len()))));
    let words = count(text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()));
    let mut found: Vec<(usize, usize)> = Vec::new();
    for row in rows.into_iter().skip(1) {
        let own = text[row.clone()].trim_ascii();
        let is_rare = |word: &[u8]| words.get(word) == Some(&1) && !is_keyword(word);
        let rare = own.split(|byte| !is_word(*byte)).filter(|word| is_rare(word)).count();
        let is_unlike = shapes.get(&shape(text, &row)).is_none_or(|times| *times == 1);
        // A name that is nearly the missed one, as `owner` for `owner_`, is the damaged one, also if the text has it elsewhere.
        let first = own.split(|byte| !is_word(*byte)).next().unwrap_or_default();
        if !is_keyword(first) && is_near(first, word) {
            let blanks = text[row.clone()].iter().take_while(|byte| **byte == b' ').count();
            return vec![row.start + blanks];
        }
        if is_unlike || rare > 0 {
            let blanks = text[row.clone()].iter().take_while(|byte| **byte == b' ').count();
            found.push((rare + 2 * usize::from(is_unlike), row.start + blanks));
        }
    }
    found.sort_by_key(|(doubt, at)| (std::cmp::Reverse(*doubt), *at));
    found.into_iter().map(|(_, at)| at).take(MAX_SUSPECTS).collect()
}

/// The same where the message does not say what should have the word: the first name of the faulty statement that is defined
/// before it, and whose definition lacks the word.
///
/// `no such column: id` says nothing more.
pub(super) fn suspects_of(text: &[u8], word: &[u8], statement: Range<usize>) -> Vec<usize> {
    let own = &text[statement.start.min(text.len())..statement.end.min(text.len())];
    let names = own.split(|byte| !is_word(*byte)).filter(|name| name.len() > 1);
    let mut seen: Vec<&[u8]> = Vec::new();
    for name in names.filter(|name| *name != word && !is_keyword(name)) {
        if seen.contains(&name) || seen.len() >= MAX_OWNERS {
            continue;
        }
        seen.push(name);
        let Some(at) = whole(text, 0..statement.start.min(text.len()), name).next() else {
            continue;
        };
        let rows = rows(text, at, statement.start);
        let until = rows.last().map_or(at, |row| row.end);
        // A definition has several lines, and this one does not have the word.
        if rows.len() > 2 && whole(text, at..until, word).next().is_none() {
            return suspects(text, name, word, statement.start);
        }
    }
    Vec::new()
}

/// The lines of the statement or block that begins on the line of `start`, up to `until`.
fn rows(text: &[u8], start: usize, until: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut at = start;
    while at < until && rows.len() < MAX_DEFINITION_LINES {
        let row = line(text, at);
        let own = text[row.clone()].trim_ascii();
        at = row.end + 1;
        rows.push(row);
        if own.ends_with(b";") && !own.ends_with(b",;") || own.is_empty() || own.starts_with(b"}") {
            break;
        }
    }
    rows
}

/// How often each item comes.
fn count<T: std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> HashMap<T, u32> {
    let mut counts = HashMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "CREATE TABLE pages (\n    id INTEGER,\n    title_ TEXT,\n    owner_ REAL,\n    size_ TEXT\n);\n\
                         INSERT INTO pages (title_, owner_, size_) VALUES (1, 2, 3);\n\
                         INSERT INTO pages (title_, owner_, size_) VALUES (4, 5, 6);\n";

    #[test]
    fn a_name_that_is_missed_is_looked_for_in_the_lines_that_are_unlike_others() {
        let at = |text: &str| {
            let missed = text.find("INSERT").unwrap();
            let found = suspects(text.as_bytes(), b"pages", b"owner_", missed);
            found.into_iter().map(|at| text[at..].lines().next().unwrap().to_owned()).next()
        };
        let lost = TABLE.replacen("owner_ REAL", " REAL", 1);
        assert_eq!(at(&lost).as_deref(), Some("REAL,"));
        let torn = TABLE.replacen("owner_ REAL", "owREAL ner_", 1);
        assert_eq!(at(&torn).as_deref(), Some("owREAL ner_,"));
        let unparted = TABLE.replacen("title_ TEXT,\n    owner_", "title_ TEXT\n    owner_", 1);
        assert_eq!(at(&unparted).as_deref(), Some("owner_ REAL,"));
    }

    #[test]
    fn a_name_without_an_owner_is_looked_for_in_the_definition_that_the_statement_names() {
        let text = TABLE.replacen("id INTEGER", "i, INTEGER", 1)
            + "UPDATE pages SET title_ = 1 WHERE id > 3;\nSELECT id FROM pages;\n";
        let from = text.find("UPDATE").unwrap();
        let found = suspects_of(text.as_bytes(), b"id", from..text.find("SELECT").unwrap());
        assert_eq!(found[0], text.find("i, INTEGER").unwrap());
    }

    #[test]
    fn a_name_that_is_nearly_the_missed_one_is_the_damaged_one() {
        // The text has `owner` elsewhere, and the line looks like the others.
        let text =
            TABLE.replacen("owner_ REAL", "owner TEXT", 1).replacen("(1, 2", "('owner', 2", 1);
        let missed = text.find("INSERT").unwrap();
        let found = suspects(text.as_bytes(), b"pages", b"owner_", missed);
        assert_eq!(found, [text.find("owner TEXT").unwrap()]);
    }

    #[test]
    fn a_name_that_is_nowhere_else_is_itself_the_damaged_one() {
        let text = TABLE.replacen("(title_, owner_", "(title_, onwer_", 1);
        let missed = text.find("INSERT").unwrap();
        assert!(suspects(text.as_bytes(), b"pages", b"onwer_", missed).is_empty());
    }
}
