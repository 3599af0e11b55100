//! Lists within lines, where there is no grammar: `PATH=/bin:/sbin`, `Mill (16): turn > chain > star`, `tags: a b c`.
//!
//! A list is the text after the first `:` or `=` of a line. Its parts are `items in <text> after ":"`, and those in the value of a key that is a word have the
//! name of that key too. So they are counted and compared as the items of a list in a format with a grammar are. Only a search of which some
//! input has a list of two items has lists.

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::keys::words_of;
use crate::generalize::predicate::read::outline::{Item, Outline, Part};
use crate::generalize::predicate::read::words::{Words, quoted};
use crate::generalize::predicate::term::{ITEMS_IN, ITEMS_IN_TEXT};

use super::sections::LINE;

/// What separates items: the first of these that is in the list, because one that comes later here is rather within an item.
const SEPARATORS: [&str; 8] = ["->", "=>", ">", ";", "|", ",", ":", " "];
/// Marks after a key, before its list.
const KEY_MARKS: &[u8] = b":=";
/// Items of one input that are named, a bound on the time. Not measured.
const MAX_ITEMS: usize = 128;

impl<'t> Outline<'t> {
    /// Names the items of lists in lines. Only texts that are read without a grammar have lines.
    pub(in crate::generalize::predicate::read) fn name_items_in_lines(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut empty: Vec<(usize, Name)> = Vec::new();
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.name == LINE) {
            let line = self.all_of(rule);
            let Some(List { key, mark, items }) = list(line.text) else { continue };
            let named = words.name(key).map(|key| format!("{ITEMS_IN}{key}"));
            let after = format!("{ITEMS_IN_TEXT}\"{mark}\"");
            let names = named.into_iter().chain([after]).map(Name::from);
            let names: Vec<Name> = names.collect();
            if items.is_empty() {
                empty.extend(names.iter().map(|name| (number, name.clone())));
            }
            for (text, at) in items {
                let start = line.start + at as u32;
                let leaf = self.leaves.partition_point(|leaf| leaf.start < start);
                let part = Part { text, start, leaf, is_text: false };
                found.extend(names.iter().map(|name| Item {
                    name: name.clone(),
                    is_fixed: false,
                    part: part.clone(),
                    rule: Some(number),
                }));
            }
        }
        found.truncate(MAX_ITEMS);
        found.extend(words_of(&found, words));
        self.add_keyed(found);
        self.empty.extend(empty.iter().map(|(_, name)| name.clone()));
        self.empty_lists.extend(empty);
    }
}

/// Whether some line of an input has a list of two items.
pub(in crate::generalize::predicate::read) fn has_lists(input: &[u8]) -> bool {
    input.split(|byte| *byte == b'\n').filter_map(list).any(|list| list.items.len() > 1)
}

/// A list in a line.
struct List<'t> {
    /// The word before its mark; empty if that is no word.
    key: &'t [u8],
    mark: char,
    /// Its items without the blanks around them, each with its offset in the line.
    items: Vec<(&'t [u8], usize)>,
}

/// The list after the first mark of a key in a line. It may have one item or none.
fn list(line: &[u8]) -> Option<List<'_>> {
    let mark = line.iter().position(|byte| KEY_MARKS.contains(byte))?;
    let before = line[..mark].trim_ascii_end();
    let key = before.rsplit(u8::is_ascii_whitespace).next()?;
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace();
    let start = mark + 1 + line[mark + 1..].iter().take_while(is_blank).count();
    let value = line[start..].trim_ascii_end();
    let (value, start) = quoted(value).map_or((value, start), |inner| (inner, start + 1));
    let text = std::str::from_utf8(value).ok()?;
    // Without a blank after the mark, blanks come after the list rather than between its items: `FROM python:3.20 AS build`.
    let has_blank = line[mark + 1..].first().is_some_and(u8::is_ascii_whitespace);
    let is_separator =
        |separator: &&str| text.contains(*separator) && (has_blank || *separator != " ");
    // A text without a separator is one item.
    let separator = SEPARATORS.into_iter().find(is_separator).unwrap_or("\n");
    let mut at = start;
    let items = text.split(separator).map(|item| {
        let blanks = item.len() - item.trim_ascii_start().len();
        let found = (item.trim_ascii().as_bytes(), at + blanks);
        at += item.len() + separator.len();
        found
    });
    // Two blanks in a row are one, and an empty text has no item.
    let is_single = [" ", "\n"].contains(&separator);
    let items = items.filter(|(item, _)| !(is_single && item.is_empty())).collect();
    Some(List { key, mark: char::from(line[mark]), items })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generalize::predicate::feature::{Feature, features};
    use crate::generalize::predicate::plain;

    #[test]
    fn lists_have_items_after_the_first_mark_of_a_line() {
        let items = |line: &'static str| {
            let List { key, items, .. } = list(line.as_bytes())?;
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let are_there = items.iter().all(|(item, at)| line.as_bytes()[*at..].starts_with(item));
            assert!(are_there, "{line}");
            Some((text(key), items.iter().map(|one| text(one.0)).collect::<Vec<_>>().join("_")))
        };
        let found = |key: &str, items: &str| Some((key.to_owned(), items.to_owned()));
        assert_eq!(items("export PATH=\"/bin:/a b:\"  "), found("PATH", "/bin_/a b_"));
        assert_eq!(items("Mill (16): turn > chain,x > star"), found("(16)", "turn_chain,x_star"));
        assert_eq!(items("tags :  a  b"), found("tags", "a_b"));
        assert_eq!(items("FROM a:b AS c"), found("a", "b AS c"));
        assert_eq!([items("tags: a"), items("tags:")], [found("tags", "a"), found("tags", "")]);
        assert_eq!([items("a b"), items("")], [None, None]);
    }

    #[test]
    fn items_of_one_list_are_compared() {
        let read = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]))
        };
        let within = |inner: Feature| Feature::Within("<line>".into(), Arc::new(inner));
        let twins = within(Feature::Twins("items in \"PATH\"".into()));
        let values = ["PATH=a:b:a\n", "PATH=a:b\nPATH=a:c\n", "X=a:a\n"];
        assert_eq!(values.map(|text| twins.value(&read(text))), [Some(1), Some(0), Some(0)]);
        let item = |word: &str| format!("items in <text> after \":\" that is \"{word}\"").into();
        let order = within(Feature::InOrder(item("a"), item("b"), item("c")));
        let values = ["x: a > d > b > c\n", "x: a > c > b\n", "x: a > b\ny: c > d\n"];
        assert_eq!(values.map(|text| order.value(&read(text))), [Some(1), Some(0), Some(0)]);
    }
}
