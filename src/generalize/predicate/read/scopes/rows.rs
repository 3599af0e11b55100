//! Whether rows that belong together differ in length, where there is no grammar: lines, and the parts of a line or of brackets that a mark
//! separates, as in `[1 2; 3 4]`.
//!
//! | rows | belong together | what is counted |
//! |---|---|---|
//! | lines | in one rule, such as a block; of one kind, right below each other | characters, numbers, marks between cells |
//! | lines below the first one of a group | in the group | words, marks between cells |
//! | parts between semicolons | in brackets | words |
//! | parts before two backslashes | in a table of TeX | `&` that no backslash is before |
//!
//! A program that reads a table knows how long its rows are from the first one, so that a shorter or a longer one is the usual fault.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::is_in_entry;
use super::markdown;
use crate::generalize::predicate::feature::{CHARACTER, Feature, Features, WORD};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::characters;
use crate::generalize::predicate::read::one::decimals;
use crate::generalize::predicate::read::outline::{Outline, Rule};
use crate::generalize::predicate::read::without_grammar::bodies::pairs::is_end_alone;
use crate::generalize::predicate::read::without_grammar::remarks::without_remarks;
use crate::generalize::predicate::read::without_grammar::sections::BELOW;
use crate::generalize::predicate::read::words::is_remark;
use crate::generalize::predicate::term::{ENTRY, GROUP, NEIGHBOURING, OUTSIDE};

/// Marks between the cells of a row, with the name of lines that have some. Such lines are compared with each other, because a line without a mark
/// is no row in many formats.
const CELL_MARKS: [(u8, &str, &str); 5] = [
    (b',', "<line> with ','", "','"),
    (b';', "<line> with ';'", "';'"),
    (b'|', "<line> with '|'", "'|'"),
    (b'&', "<line> with '&'", "'&'"),
    (b'\t', "<line> with '\\t'", "'\\t'"),
];
/// The name of lines that are rows in Markdown, where other lines may have such a mark.
const BAR_FIRST: &str = "<line> that begins with '|'";
/// What the name of lines ends with that follow each other without a line of another kind between them.
const IN_A_RUN: &str = " right below each other";
/// The name of the rows of a pair of brackets.
const ROW_OF_BRACKETS: &str = "<row> between \";\" in brackets";
/// What begins and ends a table of TeX, and what ends one of its rows.
const TABLE: &[u8] = b"\\begin{";
const END_OF_TABLE: &[u8] = b"\\end{";
const END_OF_ROW: &[u8] = b"\\\\";

/// The numbers of parts of rows that belong together, by the kind of the rows and of their parts.
type Sizes = BTreeMap<([&'static str; 2], Scope), BTreeSet<i128>>;

/// Rows that belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// The lines of a rule, or those outside of any.
    Rule(Option<usize>),
    /// Lines of one kind without another one between them, by the number of the first.
    Run(usize),
}

/// Whether rows that belong together have different numbers of parts. Of lines without parts the characters are compared.
///
/// Cost: a pass over the input for each kind of row.
pub(super) fn unequal_rows(outline: &Outline<'_>, found: &mut Features) {
    let mut sizes = Sizes::new();
    lines(outline, &mut sizes);
    lines_below(outline, None, &mut sizes);
    unequal(outline, &sizes, "", found);
    if outline.is_plain {
        markdown::of_tables(outline.input, found);
    }
    let may_have_rows = outline.input.iter().any(|byte| b";&".contains(byte))
        && outline.rules.iter().any(|rule| rule.name == "<line>");
    if may_have_rows {
        within_lines(outline.input, "", found);
    }
    for mark in &outline.remarks {
        let end = format!("{OUTSIDE}{mark:?}");
        let mut sizes = Sizes::new();
        lines_below(outline, Some(mark), &mut sizes);
        unequal(outline, &sizes, &end, found);
        if may_have_rows {
            within_lines(&without_remarks(outline.input, mark), &end, found);
        }
    }
}

/// Which sizes differ. `remarks` is added to the names of rows.
fn unequal(outline: &Outline<'_>, sizes: &Sizes, remarks: &str, found: &mut Features) {
    for (([name, child], scope), _) in sizes.iter().filter(|(_, sizes)| sizes.len() > 1) {
        let is_below = *name == BELOW;
        let end = if matches!(scope, Scope::Run(_)) { IN_A_RUN } else { "" };
        let name = Name::from(format!("{NEIGHBOURING}{name}{end}{remarks}"));
        let unequal = Feature::Unequal(name, (*child).into());
        // A table of numbers may be one in some groups of lines alone.
        if let Scope::Rule(Some(rule)) = scope
            && (*child != CHARACTER || is_below)
        {
            let around = outline.rules[*rule].name.clone();
            found.insert(Feature::Within(around, Arc::new(unequal.clone())), 1);
        }
        // Without the name of the group, a later reader would not know which lines belong together.
        if !is_below {
            found.insert(unequal, 1);
        }
    }
}

/// The same of rows between marks. `end` is added to their names.
fn within_lines(input: &[u8], end: &str, found: &mut Features) {
    let brackets = rows_of_brackets(input);
    let brackets = brackets.map(|sizes| (ROW_OF_BRACKETS.to_owned(), WORD, sizes));
    let tables = rows_of_tables(input);
    let tables = tables.map(|(name, sizes)| (format!("<row> of {name:?}"), "'&'", sizes));
    for (name, child, sizes) in brackets.chain(tables) {
        if sizes.windows(2).any(|two| two[0] != two[1]) {
            let name = format!("{NEIGHBOURING}{name}{end}").into();
            found.insert(Feature::Unequal(name, child.into()), 1);
        }
    }
}

/// The sizes of lines that belong together: those of one block, those of a kind that follow each other, and those of marks alone, which are rows of
/// a picture.
///
/// Rows of cells are compared by their number instead, see `unequal_rules`, lines of numbers alone by how many they have, and lines with a
/// mark between cells by how many of these they have. A length is in
/// characters, as a person counts columns.
///
/// Empty lines are left out, because they separate others.
fn lines(outline: &Outline<'_>, sizes: &mut Sizes) {
    let is_told = |rule: &&Rule| rule.name == "<line>" && !is_in_entry(outline, rule);
    // For each kind the number of the last line, and of the first one of its run.
    let mut runs: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (number, rule) in outline.rules.iter().filter(is_told).enumerate() {
        let text = &outline.input[rule.span.0 as usize..rule.span.1 as usize];
        if text.is_empty() {
            continue;
        }
        let mut count = |kind: [&'static str; 2], count: i128| {
            sizes.entry((kind, Scope::Rule(rule.outer))).or_default().insert(count);
            let (last, first) = runs.entry(kind[0]).or_insert((number, number));
            if number > *last + 1 {
                *first = number;
            }
            *last = number;
            if kind[1] != CHARACTER {
                sizes.entry((kind, Scope::Run(*first))).or_default().insert(count);
            }
        };
        count(["<line>", CHARACTER], characters(text));
        // What begins with a semicolon is a remark in many formats, and no row of a picture.
        if text.iter().all(u8::is_ascii_punctuation) && !text.starts_with(b";") {
            let name = "<line> of marks without \";\" before them";
            count([name, CHARACTER], characters(text));
        }
        if let Some(numbers) = numbers_of(text) {
            count(["<line> of numbers", "<number>"], numbers);
        }
        for (mark, name, written) in CELL_MARKS {
            let marks = text.iter().filter(|byte| **byte == mark).count();
            if marks > 0 {
                count([name, written], marks as i128);
            }
            if mark == b'|' && text.trim_ascii_start().starts_with(b"|") {
                count([BAR_FIRST, written], marks as i128);
            }
        }
    }
}

/// The sizes of the lines below the first one of each group, and of the indented ones below a line that is not: how many marks between cells each has, if one of them has some, and how many words.
///
/// Empty lines are no rows, and neither are remarks that begin with `mark`.
fn lines_below(outline: &Outline<'_>, mark: Option<&str>, sizes: &mut Sizes) {
    let is_group = |rule: &Rule| rule.name.starts_with(GROUP) || rule.name == ENTRY;
    for (number, group) in outline.rules.iter().enumerate().filter(|(_, rule)| is_group(rule)) {
        let is_below = |rule: &&Rule| rule.outer == Some(number) && rule.span.0 > group.span.0;
        let lines = outline.rules[number + 1..].iter().take_while(|rule| !is_group(rule));
        let lines = lines.filter(|rule| rule.name == "<line>").filter(is_below);
        let texts = lines.map(|line| &outline.input[line.span.0 as usize..line.span.1 as usize]);
        let is_remark = |text: &[u8]| mark.is_some_and(|mark| is_remark(text, mark));
        // `\\.` ends the rows, and so does a bracket or a word such as `end`.
        let is_end =
            |text: &[u8]| matches!(text, [b'\\', ..] | [b'}' | b')' | b']']) || is_end_alone(text);
        let texts = texts.take_while(|text| !is_end(text.trim_ascii()));
        let texts = texts.filter(|text| !text.trim_ascii().is_empty() && !is_remark(text));
        let texts: Vec<&[u8]> = texts.collect();
        let scope = Scope::Rule(Some(number));
        let words = texts.iter().map(|text| words(text) as i128);
        sizes.entry(([BELOW, WORD], scope)).or_default().extend(words);
        // A picture has rows of marks and letters without blanks between them, and other lines may follow it.
        let is_row = |text: &&&[u8]| !text.trim_ascii().iter().any(u8::is_ascii_whitespace);
        let lengths = texts.iter().take_while(is_row).map(|text| characters(text.trim_ascii()));
        sizes.entry(([BELOW, CHARACTER], scope)).or_default().extend(lengths);
        for (mark, _, written) in CELL_MARKS {
            let marks = texts.iter().map(|text| text.iter().filter(|byte| **byte == mark).count());
            let marks: BTreeSet<i128> = marks.map(|count| count as i128).collect();
            sizes.entry(([BELOW, written], scope)).or_default().extend(marks);
        }
    }
}

/// How many words the rows of each pair of brackets have, as far as semicolons separate them. What is in further brackets is left out.
fn rows_of_brackets(input: &[u8]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let inside = innermost_brackets(input).filter(|inside| inside.contains(&b';'));
    // A semicolon after the last row ends it.
    inside.map(|inside| {
        inside.split(|byte| *byte == b';').map(words).filter(|words| *words > 0).collect()
    })
}

/// What is between each two brackets that have none inside.
fn innermost_brackets(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut open = None;
    input.iter().enumerate().filter_map(move |(at, byte)| match byte {
        b'[' | b'(' | b'{' => {
            open = Some((at + 1, *byte));
            None
        }
        b']' | b')' | b'}' => {
            let (start, bracket) = open.take()?;
            let is_pair = matches!((bracket, byte), (b'[', b']') | (b'(', b')') | (b'{', b'}'));
            is_pair.then(|| &input[start..at])
        }
        _ => None,
    })
}

/// How many words a text has, with blanks or commas between them.
fn words(text: &[u8]) -> usize {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    text.split(is_between).filter(|word| !word.is_empty()).count()
}

/// How many marks between cells the rows of each table of TeX have, which two backslashes end. The first is the table's name: `tabular`.
///
/// A mark after a backslash is a sign, and a command alone after the last row is no row: one for a line.
fn rows_of_tables(input: &[u8]) -> impl Iterator<Item = (String, Vec<usize>)> + '_ {
    let cells = |row: &&[u8]| {
        let marks = (0..row.len()).filter(|at| row[*at] == b'&');
        marks.filter(|at| *at == 0 || row[at - 1] != b'\\').count()
    };
    split(input, TABLE).skip(1).filter_map(move |text| {
        let name = &text[..text.iter().position(|byte| *byte == b'}')?];
        let table = split(text, END_OF_TABLE).next().filter(|table| table.contains(&b'&'))?;
        let mut rows: Vec<&[u8]> = split(table, END_OF_ROW).map(<[u8]>::trim_ascii).collect();
        // What is left after the last row is none, and a row without a text has one cell.
        let is_command = |text: &[u8]| {
            text.strip_prefix(b"\\").is_some_and(|name| name.iter().all(u8::is_ascii_alphabetic))
        };
        rows.pop_if(|last| last.is_empty() || is_command(last));
        let cells = rows.iter().map(cells).collect();
        Some((String::from_utf8_lossy(name).into_owned(), cells))
    })
}

/// The parts of a text between some marks.
fn split<'i>(text: &'i [u8], marks: &'i [u8]) -> impl Iterator<Item = &'i [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let found = memchr::memmem::find(text, marks);
        rest = found.map(|at| &text[at + marks.len()..]);
        Some(&text[..found.unwrap_or(text.len())])
    })
}

/// How many numbers a line has that has nothing else, with blanks or one of the usual marks between them.
///
/// Nothing for a line with a word in it, and for an empty one. A sign before a number belongs to it.
fn numbers_of(line: &[u8]) -> Option<i128> {
    let is_between = |byte: &u8| b" \t,;|".contains(byte);
    let words = line.split(is_between).filter(|word| !word.is_empty());
    let numbers = words.map(|word| decimals(word.strip_prefix(b"+").unwrap_or(word)));
    let numbers: Option<Vec<i128>> = numbers.collect();
    numbers.map(|numbers| numbers.len() as i128).filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::{Words, features};
    use crate::generalize::predicate::plain;

    fn unequal(text: &str) -> Vec<String> {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
        let unequal = found.iter().filter_map(|(feature, value)| match feature {
            Feature::Unequal(name, child) if *value == 1 && child != CHARACTER => {
                Some(format!("{}: {child}", name.strip_prefix(NEIGHBOURING)?))
            }
            _ => None,
        });
        let is_row = |one: &String| {
            one.starts_with("<row>")
                || one.starts_with("<line> of numbers")
                || one.starts_with(BAR_FIRST)
        };
        let mut unequal: Vec<String> = unequal.filter(is_row).collect();
        unequal.sort();
        unequal
    }

    #[test]
    fn rows_are_compared_within_their_brackets_their_table_and_their_run() {
        assert_eq!(unequal("a = [1 2; 3 4]; b = [1; 2]"), [""; 0]);
        assert_eq!(unequal("a = [1 2; 3]"), ["<row> between \";\" in brackets: <word>"]);
        let table = r"\begin{a}{lr} x & y \\ 1 & 2 \\ \end{a} \begin{b} x \\ \hline y \\ \end{b}";
        assert_eq!(unequal(table), [""; 0]);
        assert_eq!(unequal(r"\begin{a} x & y \\ 1 \\ \end{a}"), ["<row> of \"a\": '&'"]);
        assert_eq!(unequal(r"\begin{a} x & y \\ \\ \end{a}"), ["<row> of \"a\": '&'"]);
        let bar = "<line> that begins with '|' right below each other: '|'";
        let found = unequal("| a | b |\n| c | d |\ne | f:\n");
        assert!(!found.iter().any(|one| one == bar), "{found:?}");
        assert!(unequal("| a | b |\n| c |\ne | f:\n").iter().any(|one| one == bar));
        let run = "<line> of numbers right below each other: <number>";
        assert_eq!(unequal("a\n1 2\n3 4\nb\n1\n2\n"), ["<line> of numbers: <number>"]);
        assert_eq!(unequal("1 2\n3\n"), [run, "<line> of numbers: <number>"]);
    }
}
