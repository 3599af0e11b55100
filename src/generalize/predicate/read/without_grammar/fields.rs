//! Fields of lines, where there is no grammar: the texts around a mark that separates them, as in `5:hello` and `a;b;;c`.
//!
//! A field may be of several words and numbers, so that its length is not that of any token. A line has the names
//! `<text> before ":"` and `<text> after ":"` for its first mark of a kind, and `<field> between ";"` for each of the texts
//! between all marks of that kind. Where there are three or more, `second <field> between ":"` is the second one as it is written, with its
//! blanks. Blanks around a field are no part of it. The marks that a line begins with have the name
//! `<marks before text>`: the level of a heading is their number. Where some keys of the search's inputs have a colon after them and others an equals
//! sign, `<text> after ":" or "="` is the value of either.

use crate::generalize::predicate::feature::FIRST;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::Words;
use crate::generalize::predicate::read::outline::{Item, ORDINALS, Outline, Part, Rule};
use crate::generalize::predicate::term::{
    AFTER, AFTER_KEY, BEGINS_WITH, BETWEEN, FIELD, IS_WORD, OF_TEXT, TEXT_BEFORE, UNINDENTED,
    WORD_IS,
};

use super::lines::{Piece, key_mark, pieces};

/// Marks that separate fields in many formats.
const SEPARATORS: [&str; 5] = [":", "=", ",", ";", "|"];
/// Marks after a key, before what may be several values.
const KEY_MARKS: [&[u8]; 2] = [b":", b"="];
/// Marks between several values of one key.
const LIST_MARKS: [&str; 3] = [",", ";", "|"];
/// What represents blanks, which separate words with marks in them: `a-b`, `1.5`.
const BLANK: &str = " ";
/// What the name of lines ends with by a word that has a number at its end or none: `pump-1`, `pump-2`.
const MAYBE_NUMBER: &str = " and maybe a number";
/// The name of lines, themselves not empty, anywhere after an empty one: the body of a request, and what is below a title.
pub(in crate::generalize::predicate::read) const AFTER_EMPTY_LINE: &str =
    "<line> after an empty line";
/// The name of the marks or blanks that lines begin with.
const MARKS_BEFORE_TEXT: &str = "<marks before text>";
/// The name of the marks before a text that may be of several kinds: its number is how deep quotes and items are in each other.
const MARK_OF_QUOTE_OR_ITEM: &str = "<mark of quote or item>";
/// The same if the line has a text after them: marks alone are a line between two parts.
const MARK_BEFORE_TEXT: &str = "<mark of quote or item before text>";
/// Separators of one input that fields are named after, because each is three names. Not measured.
const MAX_SEPARATORS: usize = 2;

/// Fields of a line that is a record, whose second and third one have names of their own, because a list of two has a key and a value.
const MIN_FIELDS_OF_RECORD: usize = 3;

impl<'t> Outline<'t> {
    /// Names the fields of all lines. Only texts that are read without a grammar have lines.
    ///
    /// The first separators that are in the input count.
    pub(in crate::generalize::predicate::read) fn name_fields(&mut self, words: &Words) {
        let is_there = |mark: &&str| self.leaves.iter().any(|leaf| leaf.text == mark.as_bytes());
        let mut marks: Vec<&str> =
            SEPARATORS.into_iter().filter(is_there).take(MAX_SEPARATORS).collect();
        marks.push(BLANK);
        let mut found = Vec::new();
        for (number, rule) in
            self.rules.iter().enumerate().filter(|(_, rule)| rule.name == "<line>")
        {
            found.extend(self.marks_before_text(rule).map(|part| Item {
                name: MARKS_BEFORE_TEXT.into(),
                is_fixed: false,
                part,
                rule: Some(number),
            }));
            let (nested, has_text) = self.marks_of_quotes_and_items(rule);
            let names = [MARK_OF_QUOTE_OR_ITEM, MARK_BEFORE_TEXT].into_iter();
            for name in names.take(1 + usize::from(has_text)) {
                found.extend(nested.iter().map(|part| Item {
                    name: name.into(),
                    is_fixed: false,
                    part: part.clone(),
                    rule: Some(number),
                }));
            }
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            if let Some(mark) = key_mark(line).filter(|_| words.have_key_marks) {
                let is_mark = |leaf: &usize| self.leaves[*leaf].text == [mark];
                let leaf = (rule.leaves.0..rule.leaves.1).find(is_mark);
                found.extend(leaf.map(|leaf| {
                    let (text, start) =
                        trimmed(self.input, self.leaves[leaf].start + 1, rule.span.1);
                    let part = Part { text, start, leaf: leaf + 1, is_text: false };
                    Item { name: AFTER_KEY.into(), is_fixed: false, part, rule: Some(number) }
                }));
            }
            // The semicolon that ends a statement is no part of the last field.
            let statement = line.trim_ascii_end().strip_suffix(b";");
            let end_of_statement = statement.map(|text| rule.span.0 + text.len() as u32);
            for mark in &marks {
                let is_mark = |leaf: &usize| is_separator(self.leaves[*leaf].text, mark);
                let places: Vec<usize> = (rule.leaves.0..rule.leaves.1).filter(is_mark).collect();
                let [first, ..] = places[..] else { continue };
                let mut add = |name: String, (from, to): (u32, u32), leaf: usize| {
                    let (text, start) = trimmed(self.input, from, to);
                    let part = Part { text, start, leaf, is_text: false };
                    found.push(Item {
                        name: name.into(),
                        is_fixed: false,
                        part,
                        rule: Some(number),
                    });
                };
                let (line_start, line_end) = rule.span;
                let line_end = end_of_statement.filter(|_| *mark != ";").unwrap_or(line_end);
                let end =
                    |leaf: usize| self.leaves[leaf].start + self.leaves[leaf].text.len() as u32;
                let (start, after) = (self.leaves[first].start, end(first));
                if *mark != BLANK {
                    let name = format!("{TEXT_BEFORE}{mark:?}");
                    let is_indented = self.input[line_start as usize].is_ascii_whitespace();
                    // A rule's name, and not a word of the commands below it.
                    if words.have_indented && !is_indented {
                        add(format!("{name}{UNINDENTED}"), (line_start, start), rule.leaves.0);
                    }
                    add(name, (line_start, start), rule.leaves.0);
                    add(format!("<text> after {mark:?}"), (after, line_end), first + 1);
                }
                // The first of several values is what is after the key.
                let key = (rule.leaves.0..first)
                    .find(|leaf| KEY_MARKS.contains(&self.leaves[*leaf].text))
                    .filter(|_| LIST_MARKS.contains(mark));
                let mut from = match key {
                    Some(key) => (end(key), key + 1),
                    None => (line_start, rule.leaves.0),
                };
                let name = format!("{FIELD}{mark:?}");
                let mut fields: Vec<((u32, u32), usize)> = Vec::new();
                for place in places {
                    fields.push(((from.0, self.leaves[place].start), from.1));
                    from = (end(place), place + 1);
                }
                fields.push(((from.0, line_end), from.1));
                fields.iter().for_each(|(span, leaf)| add(name.clone(), *span, *leaf));
                let is_record = fields.len() >= MIN_FIELDS_OF_RECORD;
                // A command has one argument: its name is the whole first field, with the marks in it.
                let numbered = match is_record {
                    true => &ORDINALS[..],
                    false if *mark == BLANK => &ORDINALS[..1],
                    false => &[],
                };
                for (at, (ordinal, ((from, to), leaf))) in numbered.iter().zip(&fields).enumerate()
                {
                    let text = &self.input[*from as usize..*to as usize];
                    let part = Part { text, start: *from, leaf: *leaf, is_text: false };
                    let mut add = |name: String, is_fixed: bool| {
                        let (name, part) = (name.into(), part.clone());
                        found.push(Item { name, is_fixed, part, rule: Some(number) });
                    };
                    // A word may be in any field, and only one of them says what it means.
                    let name = format!("{ordinal} {name}");
                    if let Some(by_text) = words.name_by_text(&name, text.trim_ascii()) {
                        add(by_text, true);
                    }
                    // The first one is the text before the first mark.
                    if at > 0 {
                        add(name, false);
                    }
                }
            }
        }
        self.items.extend(found);
    }

    /// Names lines by their whole texts: `<line> of the text "debug 3"`, if that is a line of the search's inputs; and the second
    /// line and those that follow an empty one by their places.
    pub(in crate::generalize::predicate::read) fn name_lines(&mut self, words: &Words) {
        let lines = self.rules.iter().filter(|rule| rule.name == "<line>");
        let found = lines.filter_map(|rule| {
            let part = self.all_of(rule);
            let name = format!("{}{OF_TEXT}{}", rule.name, words.name(part.text)?);
            Some(Item { name: name.into(), is_fixed: true, part, rule: rule.outer })
        });
        let mut found: Vec<Item<'t>> = found.collect();
        if let Some(rule) = self.rules.iter().filter(|rule| rule.name == "<line>").nth(1) {
            let part = self.all_of(rule);
            let name = "second <line>".into();
            found.push(Item { name, is_fixed: false, part, rule: rule.outer });
        }
        // A body after the head of a request, or a text after its title.
        let mut lines = self.rules.iter().filter(|rule| rule.name == "<line>");
        let is_empty = |rule: &Rule| self.all_of(rule).text.trim_ascii().is_empty();
        if lines.any(is_empty) {
            found.extend(lines.filter(|rule| !is_empty(rule)).map(|rule| {
                let part = self.all_of(rule);
                Item { name: AFTER_EMPTY_LINE.into(), is_fixed: true, part, rule: rule.outer }
            }));
        }
        self.items.extend(found);
    }

    /// Names lines by the word that they begin with: `<line> that begins with "put"`, and the first one once more.
    pub(in crate::generalize::predicate::read) fn name_beginnings(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let lines = self.rules.iter().filter(|rule| rule.name == "<line>");
        for (number, rule) in lines.enumerate().filter(|(_, rule)| rule.leaves.0 < rule.leaves.1) {
            let first = &self.leaves[rule.leaves.0];
            let Some(word) = words.name(first.text).filter(|_| !first.is_fixed) else { continue };
            let part = self.all_of(rule);
            let name = format!("{}{BEGINS_WITH}{word}", rule.name);
            let mut add = |name: String| {
                let (name, part) = (name.into(), part.clone());
                found.push(Item { name, is_fixed: true, part, rule: rule.outer });
            };
            if number == 0 {
                add(format!("{FIRST}{name}"));
            }
            add(name);
        }
        self.items.extend(found);
    }

    /// Names lines by their second and third words, between blanks: `<line> whose second word is "fire"`. Where some lines are indented,
    /// by their first word too, whatever blanks are before it. Words that end in a number name them without it too: `pump-1` and `pump-2` are pumps.
    ///
    /// A word after one that the failure needs is `<field> after "TYPE"`, and where that is the second word of its line, it has a name that says so.
    ///
    /// In a log the first word is a time, and the same words may be anywhere in what follows. Only words of the search are named, with
    /// the marks that touch them.
    pub(in crate::generalize::predicate::read) fn name_columns_of_lines(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let ordinals = if words.have_entries { &ORDINALS[..] } else { &ORDINALS[1..] };
        let lines = self.rules.iter().enumerate().filter(|(_, rule)| rule.name == "<line>");
        for (number, rule) in lines {
            let part = self.all_of(rule);
            let columns: Vec<Piece<'t>> = pieces((part.text, 0)).collect();
            // The word after one that the failure needs: a name after its kind, `# TYPE requests counter`.
            for (at, two) in columns.windows(2).enumerate() {
                let [(word, _), (next, offset)] = [two[0], two[1]];
                let is_option = is_option(word);
                let word = words.name(word);
                let word = word.filter(|word| is_option || words.is_preferred(word));
                let Some(word) = word else { continue };
                let part = self.part_at(next, part.start + offset as u32);
                // The same word further on may be one of a text.
                let place = (at == 1).then(|| format!("<field>{AFTER}the second word {word}"));
                let name = format!("<field>{AFTER}{word}");
                let by_text = words.name_by_text(&name, next).filter(|_| is_option);
                let names = place.into_iter().chain([name]).map(|name| (name, false));
                let names = names.chain(by_text.map(|name| (name, true)));
                found.extend(names.map(|(name, is_fixed)| Item {
                    name: name.into(),
                    is_fixed,
                    part: part.clone(),
                    rule: Some(number),
                }));
            }
            let columns = columns.iter().map(|(word, _)| *word);
            for (word, ordinal) in columns.skip(ORDINALS.len() - ordinals.len()).zip(ordinals) {
                let stem = without_number(word).and_then(|stem| words.name(stem));
                let stem = stem.map(|stem| Name::from(format!("{stem}{MAYBE_NUMBER}")));
                found.extend(words.name(word).into_iter().chain(stem).map(|word| {
                    let name = format!("{} whose {ordinal}{WORD_IS}{word}", rule.name).into();
                    Item { name, is_fixed: true, part: part.clone(), rule: rule.outer }
                }));
            }
        }
        self.items.extend(found);
    }

    /// The marks of the quotes and items that a line is in, in Markdown: `>`, `-` and `2.` of `> - 2. text`, and whether a text is after them.
    ///
    /// The mark of an item has a blank after it. A text has a letter or a digit.
    fn marks_of_quotes_and_items(&self, rule: &Rule) -> (Vec<Part<'t>>, bool) {
        let start = rule.span.0 as usize;
        let line = &self.input[start..rule.span.1 as usize];
        let (mut found, mut at) = (Vec::new(), 0);
        while at < line.len() {
            let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let length = match &line[at + digits..] {
                [b'>', ..] if digits == 0 => 1,
                [b'-' | b'*' | b'+', b' ', ..] if digits == 0 => 1,
                [b'.' | b')', b' ', ..] if digits > 0 => digits + 1,
                [b' ', ..] if digits == 0 => 0,
                _ => break,
            };
            if length > 0 {
                found.push(self.part_at(&line[at..at + length], (start + at) as u32));
            }
            at += length.max(1);
        }
        let is_of_text = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        (found, line[at..].iter().any(is_of_text))
    }

    /// The marks or blanks that a line begins with before its text, if they are all the same: `###` before a heading, an indentation.
    fn marks_before_text(&self, rule: &Rule) -> Option<Part<'t>> {
        let first = self.leaves.get(rule.leaves.0)?;
        let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
        let mark = *line.first().filter(|byte| byte.is_ascii_punctuation() || **byte == b' ')?;
        let length = line.iter().take_while(|byte| **byte == mark).count();
        if length == line.len() {
            return None;
        }
        let text = &line[..length];
        Some(Part { text, start: first.start, leaf: rule.leaves.0, is_text: false })
    }
}

/// A word without the digits that it ends in, if there are some or a mark before them: `pump-` of `pump-1`. Nothing if it is no name.
fn without_number(word: &[u8]) -> Option<&[u8]> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let last = word.iter().rposition(|byte| !byte.is_ascii_digit())?;
    let (stem, digits) = word.split_at(last + 1);
    let has_number = !digits.is_empty() || !word[last].is_ascii_alphanumeric();
    let is_name = stem[0].is_ascii_alphabetic() && stem.iter().all(is_of_name);
    (is_name && has_number).then_some(stem)
}

/// Whether a word is an option of a command: `-j`, `--jump`.
fn is_option(word: &[u8]) -> bool {
    let name = word.strip_prefix(b"--").or(word.strip_prefix(b"-"));
    name.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a name is that of the second or the third field of lines.
pub(in crate::generalize::predicate::read) fn is_numbered_field(name: &str) -> bool {
    let mut ordinals = ORDINALS[1..].iter();
    let is_text = name.contains(IS_WORD);
    !is_text
        && ordinals.any(|ordinal| {
            name.strip_prefix(ordinal).is_some_and(|rest| rest.starts_with(" <field> "))
        })
}

/// Whether a name is of fields, or of the texts before or after a mark.
///
/// Fields between two that are not empty are left out: they have another name as well.
pub(in crate::generalize::predicate::read) fn is_field(name: &str) -> bool {
    (name.starts_with("<field> ") || name.starts_with("<text> ")) && !name.ends_with(BETWEEN)
}

/// Whether a leaf is a mark, or of blanks.
fn is_separator(leaf: &[u8], mark: &str) -> bool {
    match mark {
        BLANK => !leaf.is_empty() && leaf.iter().all(|byte| b" \t".contains(byte)),
        mark => leaf == mark.as_bytes(),
    }
}

/// A part of an input without the blanks around it, and where it begins then.
///
/// Blanks before a further separator stay: they are a field, and the part does not begin with the separator.
fn trimmed(input: &[u8], from: u32, to: u32) -> (&[u8], u32) {
    let whole = &input[from as usize..to as usize];
    let text = whole.trim_ascii_start();
    let is_begun = SEPARATORS.iter().any(|mark| text.starts_with(mark.as_bytes()));
    let text = if is_begun { whole } else { text };
    (text.trim_ascii_end(), to - text.len() as u32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::feature::{Feature, Features, Words, features};
    use crate::generalize::predicate::plain;

    fn read(text: &str) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]))
    }

    #[test]
    fn lines_of_one_block_differ_in_length() {
        let longer = |text: &str| {
            let name = "neighbouring <line>".into();
            Feature::Unequal(name, "<character>".into()).value(&read(text))
        };
        assert_eq!(longer("##\n##\n\n###\n###"), Some(0));
        assert_eq!(longer("##\n##\n\n###\n##"), Some(1));
    }

    #[test]
    fn the_second_field_of_a_record_may_be_empty_and_the_last_line_is_before_the_last_break() {
        let empty =
            |text: &str| Feature::Empty("second <field> between \":\"".into()).value(&read(text));
        assert_eq!(empty("a::1\n"), Some(1));
        assert_eq!(empty("a: :1:\n"), Some(0));
        assert_eq!(empty("a:\n"), Some(0));
        // A blank is a field, and what is after the first mark does not begin with the second one.
        let begins = Feature::Count("<text> after \":\" that begins with \":\"".into());
        assert_eq!(["a::1\n", "a: :1\n"].map(|text| begins.value(&read(text))), [1, 0].map(Some));
        let is_root = Feature::Count("first <field> between \":\" that is \"root\"".into());
        let texts = ["root:x:0\n", "x:root:0\n"];
        assert_eq!(texts.map(|text| is_root.value(&read(text))), [1, 0].map(Some));
        let ends = |text: &str| {
            let end = Feature::Count("<line> that ends with \"\\\\\"".into());
            Feature::Within("last <line>".into(), Arc::new(end)).value(&read(text))
        };
        assert_eq!(ends("a\nb \\\n"), Some(1));
        assert_eq!(ends("a \\\nb\n"), Some(0));
        assert_eq!(ends("a \\\n\n"), Some(0));
    }

    #[test]
    fn a_text_is_in_as_many_quotes_and_items_as_marks_are_before_it() {
        let most = |text: &str| {
            let marks = ["<mark of quote or item>", "<mark of quote or item before text>"];
            let found = read(text);
            marks.map(|marks| Feature::Children("<line>".into(), marks.into()).value(&found))
        };
        assert_eq!(
            ["> - > a - b > c\n", "-a\n> >b\n", "> - *c* d\n", "12. > 3) 1.5\n"].map(most),
            [[3; 2], [2; 2], [2; 2], [3; 2]].map(|two| two.map(Some))
        );
        assert_eq!(
            ["---\n", "> - \n", "a > b - c\n"].map(most),
            [[0; 2], [2, 0], [0; 2]].map(|two| two.map(Some))
        );
    }
}
