//! Lines that are no remarks, where there is no grammar: `<line> that does not begin with "#"`.
//!
//! Many programs skip lines that begin with `#`, `;` or `//`, and what they say of lines, such as that two are equal or
//! that the first one is odd, they say of the others. A mark counts as that of remarks if some given input has a line that begins with it.
//! Empty lines have no such name.

use super::lines::start_of_remark;
use super::marks::DECIMAL;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Outline, Rule};
use crate::generalize::predicate::read::words::{Words, is_remark};
use crate::generalize::predicate::term::{
    FIELD, IS_NO_REMARK, ITEMS_IN_TEXT, OUTSIDE, TEXT_BEFORE,
};

/// How blanks between fields are written in a name.
const BLANKS: &str = "\" \"";

impl<'t> Outline<'t> {
    /// Names the lines that are no remarks, for each mark that remarks of the search begin with.
    ///
    /// The marks are kept, so that rules have these names too.
    pub(in crate::generalize::predicate::read) fn name_unmarked_lines(&mut self, words: &Words) {
        self.remarks = words.remarks.clone();
        let mut found: Vec<Item<'t>> = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.name == "<line>") {
            let part = self.all_of(rule);
            found.extend(self.unmarked(rule).into_iter().map(|name| Item {
                name,
                is_fixed: false,
                part: part.clone(),
                rule: rule.outer,
            }));
        }
        found.extend(self.words_outside(words));
        self.items.extend(found);
        self.add_keyed(self.items_outside());
    }

    /// The words that the failure needs, numbers with a sign or a point, texts before a mark, such as labels, and those between blanks, where they are in no remark:
    /// `"end" outside of remarks with "#"`.
    ///
    /// Their order may matter there alone, and whether two are equal. A remark may begin anywhere in a line, and reaches to its end.
    fn words_outside(&self, words: &Words) -> Vec<Item<'t>> {
        let mut found: Vec<Item<'t>> = Vec::new();
        let lines: Vec<&Rule> = self.rules.iter().filter(|rule| rule.name == "<line>").collect();
        for mark in &self.remarks {
            let is_wanted = |item: &&Item<'t>| {
                let is_word = item.is_fixed && item.name.starts_with('"');
                is_word && words.is_preferred(&item.name)
                    || [TEXT_BEFORE, DECIMAL].iter().any(|name| item.name.starts_with(name))
                    || item.name.strip_prefix(FIELD).is_some_and(|mark| mark == BLANKS)
            };
            let is_outside = |item: &&Item<'t>| {
                let text = if item.is_fixed { 0 } else { item.part.text.len() };
                let line = start_of_line(&lines, item);
                !begins_remark(&self.input[line..item.part.start as usize + text], mark)
            };
            let items = self.items.iter().filter(is_wanted).filter(is_outside);
            found.extend(items.map(|item| Item {
                name: format!("{}{OUTSIDE}{mark:?}", item.name).into(),
                ..item.clone()
            }));
        }
        found
    }

    /// The items of lists in lines, as far as they are in no remark. The last one of a list is what is before the remark.
    fn items_outside(&self) -> Vec<Item<'t>> {
        let lines: Vec<&Rule> = self.rules.iter().filter(|rule| rule.name == "<line>").collect();
        let is_listed = |item: &&Item<'t>| item.name.starts_with(ITEMS_IN_TEXT) && !item.is_fixed;
        let listed = self
            .items
            .iter()
            .filter(is_listed)
            .flat_map(|item| self.remarks.iter().map(move |mark| (item, mark)));
        let found = listed.filter_map(|(item, mark)| {
            let (line, start) = (start_of_line(&lines, item), item.part.start as usize);
            let text = &self.input[line..start + item.part.text.len()];
            let end = line + start_of_remark(text, mark).unwrap_or(text.len());
            let kept = self.input.get(start..end)?.trim_ascii_end();
            let part = (!kept.is_empty()).then(|| self.part_at(kept, item.part.start))?;
            let name = format!("{}{OUTSIDE}{mark:?}", item.name).into();
            Some(Item { name, part, ..item.clone() })
        });
        found.collect()
    }

    /// The names of a rule as a line that is no remark; none for other rules and for empty lines.
    pub(in crate::generalize::predicate::read) fn unmarked(&self, rule: &Rule) -> Vec<Name> {
        let text = self.all_of(rule).text;
        if rule.name != "<line>" || text.trim_ascii().is_empty() {
            return Vec::new();
        }
        let marks = self.remarks.iter().filter(|mark| !is_remark(text, mark));
        marks.map(|mark| format!("{}{IS_NO_REMARK}{mark:?}", rule.name).into()).collect()
    }
}

/// Where the line of an item begins.
fn start_of_line(lines: &[&Rule], item: &Item<'_>) -> usize {
    let at = lines.partition_point(|line| line.span.0 <= item.part.start);
    at.checked_sub(1).map_or(0, |at| lines[at].span.0) as usize
}

/// Whether a remark begins in a part of a line.
fn begins_remark(text: &[u8], mark: &str) -> bool {
    start_of_remark(text, mark).is_some()
}

/// An input without the remarks that begin with a mark.
pub(in crate::generalize::predicate::read) fn without_remarks(input: &[u8], mark: &str) -> Vec<u8> {
    let lines = input.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| &line[..start_of_remark(line, mark).unwrap_or(line.len())]);
    lines.collect::<Vec<_>>().join(&b'\n')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::feature::{Feature, Features, Words, features};
    use crate::generalize::predicate::plain;

    fn read(text: &str) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        features(&tree, text.as_bytes(), &language, &Words::of([&b"# a\nr: a, b\n"[..]]))
    }

    #[test]
    fn equal_remarks_are_no_equal_lines_and_the_first_line_is_after_them() {
        let lines = "<line> that does not begin with \"#\"";
        let twins = |text: &str| Feature::Twins(lines.into()).value(&read(text));
        assert_eq!(["# a\nb\n# a", "b\n# a\nb", " #\n\n #\n\n"].map(twins), [0, 1, 0].map(Some));
        let first = |text: &str| {
            let end = Feature::Count("<line> that begins with \"!\"".into());
            Feature::Within(format!("first {lines}").into(), Arc::new(end)).value(&read(text))
        };
        assert_eq!(["# a\n\n!b\nc", "c\n!b"].map(first), [1, 0].map(Some));
    }

    #[test]
    fn words_that_matter_have_a_name_outside_of_remarks() {
        let mut language = plain::language().unwrap();
        let text = b"# M3 a\nM3 b # M3\nx M3#\n";
        let (tree, _) = language.read(text).unwrap();
        let words = Words::of([&text[..]]).with_preferred(&["\"M3\"".to_owned()]);
        let found = features(&tree, text, &language, &words);
        let count = |name: &str| Feature::Count(name.into()).value(&found);
        assert_eq!(count("\"M3\""), Some(4));
        assert_eq!(count("\"M3\" outside of remarks with \"#\""), Some(2));
        let labels = "<text> before \":\" outside of remarks with \"#\"";
        let twins = |text: &str| Feature::Twins(labels.into()).value(&read(text));
        assert_eq!(["# a:\na:\nb # a:\n", "a: x # b\na:\n"].map(twins), [0, 1].map(Some));
        let items = "items in <text> after \":\" outside of remarks with \"#\"";
        let twins = Arc::new(Feature::Twins(items.into()));
        let twins = Feature::Within("<line>".into(), twins);
        let twins = |text: &str| twins.value(&read(text));
        assert_eq!(["r: a, b, a # c\n", "r: a, b # c, a\n"].map(twins), [1, 0].map(Some));
    }
}
