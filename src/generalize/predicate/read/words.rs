//! Texts that names are made of: those of the inputs that a search starts from.
//!
//! A drawn text is in one input and in no other. As a name it would say nothing.

use crate::generalize::predicate::name::Name;
use std::collections::BTreeSet;
use std::ops::Range;

use super::is_binary;
use super::outline::maps::has_maps;
use super::without_grammar::bodies::pairs::bodies;
use super::without_grammar::heads::{has_indented, head_in, head_of_groups};
use super::without_grammar::lines::{Kind, has_blocks, has_inner_entries, have_sections, key_mark};
use super::without_grammar::lists::has_lists;
use super::without_grammar::records::type_names;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::bytes::word_kinds::{is_pair, others_of_kind};
use crate::generalize::predicate::plain::left_out::LeftOut;
use crate::generalize::predicate::term::{
    AFTER_KEY, ANY_KEY, BLOCK, BODY, BY_TEXT, ENTRY, FIRST_WORD, INNER_ENTRY, IS_NO_REMARK,
    IS_WORD, ITEMS_IN, KEY, MEMBER, NEIGHBOURING, OUTSIDE, SECTION, TITLE, UNINDENTED,
    quoted_length,
};

/// Texts longer than this are no names, because a name is shown in the sentence of a condition. Not
/// measured.
const MAX_TEXT_BYTES: usize = 24;

/// Marks before a word that are taken together with it, because a template's word has three: `{{#if`.
pub(super) const MAX_MARKS_BEFORE: usize = 3;

/// Marks after a word that are taken together with it, because a call without arguments has two: `main()`.
pub(super) const MAX_MARKS_AFTER: usize = 2;

/// What remarks begin with in formats whose lines are records or settings.
const REMARK_MARKS: [&str; 5] = ["#", ";", "//", "%", "--"];

/// Digits of a number that is a name. Not measured.
const MAX_DIGITS: usize = 3;

/// Words, in quotes as they are written in a condition.
#[derive(Clone, Debug, Default)]
pub struct Words {
    texts: BTreeSet<String>,
    /// Names of texts that come before others where only some can be looked at.
    preferred: BTreeSet<String>,
    /// Two words each with a blank between them that the failure needs: `-j DROP`.
    pub(super) pairs: BTreeSet<String>,
    /// Whether numbers are read off the bytes of inputs too.
    pub(super) are_binary: bool,
    /// Whether texts are nested by words that open and close something.
    pub(super) have_bodies: bool,
    /// Whether there are lists in lines.
    pub(super) have_lists: bool,
    /// Whether lines in brackets are the titles of the lines below them.
    pub(super) have_sections: bool,
    /// Whether lines are grouped by the empty lines between them.
    pub(super) have_blocks: bool,
    /// Whether keys are names of things in some object.
    pub(super) have_maps: bool,
    /// Whether keys have either of two marks after them, where there is no grammar.
    pub(super) have_key_marks: bool,
    /// Whether some lines are indented.
    pub(super) have_indented: bool,
    /// Whether lines are grouped by those that are not indented.
    pub(super) have_entries: bool,
    /// Whether some lines below those are grouped in turn.
    pub(super) have_inner_entries: bool,
    /// The word or mark of the lines that begin groups of lines.
    pub(super) head: Option<String>,
    /// The marks that remarks begin with.
    pub(super) remarks: BTreeSet<&'static str>,
    /// The kind of brackets that are tags.
    pub(super) tags: Option<Kind>,
    /// The keys whose values are texts with several items in some input, in quotation marks.
    list_keys: BTreeSet<String>,
    /// The texts that inputs are read without.
    pub(in crate::generalize::predicate) left_out: LeftOut,
}

impl Words {
    /// The words of some inputs, with hyphens and digits and without, since a grammar may read
    /// `a-b` as three tokens.
    pub fn of<'i>(inputs: impl IntoIterator<Item = &'i [u8]>) -> Self {
        let mut words = BTreeSet::new();
        let (mut are_binary, mut have_blocks, mut have_entries) = (false, false, false);
        let (mut have_bodies, mut have_lists, mut have_maps) = (false, false, false);
        let (mut have_indented, mut key_marks) = (false, BTreeSet::new());
        let mut remarks = BTreeSet::new();
        let inputs: Vec<&[u8]> = inputs.into_iter().collect();
        let head = head_of_groups(&inputs);
        let have_sections = have_sections(&inputs);
        let tags = Kind::of_inputs(&inputs);
        for input in inputs.iter().copied() {
            if is_binary(input) {
                are_binary = true;
                words.extend(type_names(input));
            }
            have_blocks |= has_blocks(input);
            have_entries |= has_entries(input);
            have_indented |= lines(input).any(is_indented);
            key_marks.extend(lines(input).filter_map(key_mark));
            have_bodies |= !bodies(input).is_empty();
            have_lists |= has_lists(input);
            have_maps |= has_maps(input);
            let has_remark = |mark: &&str| lines(input).any(|line| is_remark(line, mark));
            remarks.extend(REMARK_MARKS.into_iter().filter(has_remark));
            let is_of_word = |byte: &u8| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'.')
                    || !byte.is_ascii()
            };
            words.extend(input.split(|byte| !is_of_word(byte)).filter_map(bare));
            // Parts of words: a grammar may read `a-b` as three.
            let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
            words.extend(input.split(|byte| !is_plain(byte)).filter_map(bare));
            words.extend(phrases(input).into_iter().filter_map(bare));
            words.extend(lines(input).filter_map(line));
            let is_alphanumeric = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            words.extend(input.split(|byte| !is_alphanumeric(byte)).filter_map(bare));
        }
        // Inputs with another word of a kind are made later.
        let others = words.iter().flat_map(|word: &String| others_of_kind(word.as_bytes()));
        let others: Vec<String> = others.filter_map(|other| bare(&other)).collect();
        words.extend(others);
        // Where the minimized input needs no indentation, lines are grouped by their first word, unless the lines below it are always indented.
        have_entries &= head.as_ref().is_none_or(|head| {
            inputs.first().is_some_and(|first| has_entries(first)) || has_indented(head, &inputs)
        });
        let have_inner_entries =
            have_entries && inputs.iter().any(|input| has_inner_entries(input));
        Words {
            texts: words,
            are_binary,
            have_bodies,
            have_lists,
            have_maps,
            have_blocks,
            have_sections,
            have_indented,
            have_key_marks: key_marks.len() > 1,
            have_entries,
            have_inner_entries,
            head,
            remarks,
            tags,
            ..Words::default()
        }
    }

    /// The same with a short number whose text is a name, because the input needs just this one: a divisor of `0`.
    pub(in crate::generalize::predicate) fn with_number(mut self, text: &str) -> Self {
        if !text.is_empty() && text.len() <= MAX_DIGITS {
            self.texts.insert(text.to_owned());
        }
        self
    }

    /// The same with names that come before others where only some can be looked at: those that the failing input needs.
    pub(in crate::generalize::predicate) fn with_preferred(self, names: &[String]) -> Self {
        Words { preferred: names.iter().cloned().collect(), ..self }
    }

    /// The same with pairs of words that the failing input needs.
    pub(in crate::generalize::predicate) fn with_pairs(mut self, pairs: Vec<String>) -> Self {
        self.preferred.extend(pairs.iter().map(|pair| format!("\"{pair}\"")));
        Words { pairs: pairs.into_iter().collect(), ..self }
    }

    /// Whether a name is that of two words that the failure needs with a blank between them.
    pub(super) fn is_pair(&self, name: &str) -> bool {
        let text = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        text.is_some_and(|text| self.pairs.contains(text))
    }

    /// Whether a name comes before others because a condition has it, and not only a text of it.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        name.contains(' ') && self.preferred.contains(name)
    }

    /// Whether a name comes before others. That of a line or of an element does if its text does.
    pub(super) fn is_preferred(&self, name: &str) -> bool {
        let of_line = BY_TEXT.iter().find_map(|words| name.split_once(words));
        let of_element = || name.split_once("> ").filter(|(rule, _)| rule.starts_with('<'));
        let text = of_line.or_else(of_element).map_or(name, |(_, text)| text);
        let text = text.split_once(OUTSIDE).map_or(text, |(text, _)| text);
        self.preferred.contains(text)
    }

    /// Whether a name is of marks with a word after them, and the word or all of it comes before others.
    pub(super) fn is_related(&self, name: &str) -> bool {
        let text = name.trim_matches('"');
        let has_marks =
            name.starts_with('"') && text.starts_with(|c: char| c.is_ascii_punctuation());
        let is_end = |word: &String| {
            let word = word.trim_matches('"');
            word.starts_with(char::is_alphabetic) && text.ends_with(word)
        };
        has_marks
            && text.contains(char::is_alphabetic)
            && (self.is_preferred(name) || self.preferred.iter().any(is_end))
    }

    /// The same with keys whose values are texts with several items.
    pub(in crate::generalize::predicate) fn with_lists(self, list_keys: BTreeSet<String>) -> Self {
        Words { list_keys, ..self }
    }

    /// Whether the value of a key is a text with several items in some input.
    pub(super) fn have_list_of(&self, key: &str) -> bool {
        self.list_keys.contains(key)
    }

    /// The same for inputs that are read without some texts.
    pub(in crate::generalize::predicate) fn without(self, left_out: LeftOut) -> Self {
        Words { left_out, ..self }
    }

    /// The same for binary inputs.
    pub(in crate::generalize::predicate) fn with_fields(self, are_binary: bool) -> Self {
        Words { are_binary: self.are_binary || are_binary, ..self }
    }

    /// Whether lines are grouped by their indentation.
    pub(in crate::generalize::predicate) fn have_entries(&self) -> bool {
        self.have_entries
    }

    /// Whether numbers are read off the bytes of inputs.
    pub(in crate::generalize::predicate) fn has_fields(&self) -> bool {
        self.are_binary
    }

    /// The words in names.
    pub fn in_names<'n>(names: impl Iterator<Item = &'n Name> + Clone) -> Self {
        let have_blocks =
            names.clone().any(|name| name.contains(BLOCK) || name.starts_with(NEIGHBOURING));
        let have_sections =
            names.clone().any(|name| name.contains(SECTION) || name.contains(TITLE));
        let is_of_body = |name: &Name| [BODY, MEMBER, KEY].iter().any(|one| name.contains(one));
        let have_bodies = names.clone().any(is_of_body);
        let have_lists = names.clone().any(|name| name.contains(ITEMS_IN));
        let have_maps = names.clone().any(|name| name.contains(ANY_KEY));
        let head = names.clone().find_map(|name| head_in(name));
        let have_inner_entries = names.clone().any(|name| name.contains(INNER_ENTRY));
        let is_of_entry = |name: &Name| name.contains(ENTRY) || name.contains(FIRST_WORD);
        let have_entries = have_inner_entries || names.clone().any(is_of_entry);
        let have_indented = names.clone().any(|name| name.contains(UNINDENTED));
        let have_key_marks = names.clone().any(|name| name.starts_with(AFTER_KEY));
        let remarks = REMARK_MARKS.into_iter().filter(|mark| {
            let kinds = [IS_NO_REMARK, OUTSIDE].map(|words| format!("{words}{mark:?}"));
            names.clone().any(|name| kinds.iter().any(|kind| name.contains(kind)))
        });
        let remarks = remarks.collect();
        let tags = names.clone().find_map(|name| Kind::in_name(name));
        let left_out = LeftOut::in_names(names.clone());
        let list_keys = names.clone().filter_map(|name| key_of_list(name)).collect();
        let whole: Vec<String> = names.clone().map(ToString::to_string).collect();
        let mut texts: BTreeSet<String> = names.flat_map(|name| texts_in(name)).collect();
        let preferred = texts.iter().map(|text| format!("\"{text}\"")).chain(whole).collect();
        let pairs = texts.iter().filter(|text| is_pair(text)).cloned().collect();
        // A word with marks is named where the word itself is.
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let bare: Vec<String> =
            texts.iter().map(|text| text.trim_matches(|c| !is_of_word(c)).to_owned()).collect();
        texts.extend(bare.into_iter().filter(|word| !word.is_empty()));
        Words {
            texts,
            preferred,
            pairs,
            are_binary: false,
            have_bodies,
            have_lists,
            have_maps,
            have_blocks,
            have_sections,
            have_indented,
            have_key_marks,
            have_entries,
            have_inner_entries,
            head,
            remarks,
            tags,
            list_keys,
            left_out,
        }
    }

    /// The texts of the words, without quotation marks.
    pub(in crate::generalize::predicate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.iter().map(String::as_bytes)
    }

    /// The name of a part of that name by its text, if that is one of the words: `value of "mode" that is "turbo"`.
    pub(super) fn name_by_text(&self, name: &str, text: &[u8]) -> Option<String> {
        Some(format!("{name}{IS_WORD}{}", self.name(text)?))
    }

    /// The text of a part as a name, if it is one of the words.
    pub(super) fn name(&self, text: &[u8]) -> Option<Name> {
        let inner = quoted(text).unwrap_or(text);
        let word = std::str::from_utf8(inner).ok().filter(|word| self.texts.contains(*word))?;
        Some(format!("\"{word}\"").into())
    }
}

/// The key in the name of the items of a list.
fn key_of_list(name: &str) -> Option<String> {
    let (_, rest) = name.split_once(ITEMS_IN)?;
    Some(rest[..quoted_length(rest)?].to_owned())
}

/// The texts in quotation marks of a name, as they are written there: with a backslash before a mark that is one of them.
fn texts_in(name: &str) -> Vec<String> {
    let (mut found, mut open, mut is_escaped) = (Vec::new(), None, false);
    for (at, byte) in name.bytes().enumerate() {
        match (byte, open) {
            _ if is_escaped => is_escaped = false,
            (b'\\', Some(_)) => is_escaped = true,
            (b'"', Some(start)) => {
                found.push(name[start..at].to_owned());
                open = None;
            }
            (b'"', None) => open = Some(at + 1),
            _ => {}
        }
    }
    found
}

/// Whether some line of an input that is not indented has one below it that is.
///
/// Empty lines between the two do not count. Only if a given input has such lines, lines are grouped by their indentation: else each
/// would be a group.
fn has_entries(input: &[u8]) -> bool {
    let lines: Vec<&[u8]> = lines(input).filter(|line| !line.trim_ascii().is_empty()).collect();
    // What is below a value continues it, as in the head of a mail.
    let is_value = |line: &[u8]| line.windows(2).any(|two| two == b": ");
    let is_begun = |line: &[u8]| !is_indented(line) && !is_value(line);
    lines.windows(2).any(|two| is_begun(two[0]) && is_indented(two[1]))
}

/// Whether a line begins with blanks.
fn is_indented(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// Words with one or two marks right after them, such as `main()` and `key:`: both the short and the long one. And words with
/// up to three marks right before them: `{{#if`, `#include`.
fn phrases(input: &[u8]) -> Vec<&[u8]> {
    let words = stretches(input, |byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_mark = |at: &usize| input.get(*at).is_some_and(u8::is_ascii_punctuation);
    let with_marks = words.iter().flat_map(|word| {
        let marks = (word.end..).take(MAX_MARKS_AFTER).take_while(is_mark).count();
        (1..=marks).map(move |marks| word.start..word.end + marks)
    });
    let after = with_marks.map(|span| &input[span]);
    // A name with a hyphen in it is one word with the mark before it: `@font-face`.
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let joined = stretches(input, is_of_name).into_iter().filter(|span| {
        let text = &input[span.clone()];
        text[0].is_ascii_alphabetic() && text.contains(&b'-')
    });
    let joined: Vec<Range<usize>> = joined.collect();
    let before = words.iter().chain(&joined).flat_map(|word| {
        let is_mark = |at: &usize| input[*at].is_ascii_punctuation();
        let marks = (0..word.start).rev().take(MAX_MARKS_BEFORE).take_while(is_mark).count();
        (1..=marks).map(move |marks| &input[word.start - marks..word.end])
    });
    after.chain(before).collect()
}

/// Whether a line is a remark that begins with a mark, maybe after blanks.
pub(super) fn is_remark(line: &[u8], mark: &str) -> bool {
    line.trim_ascii_start().starts_with(mark.as_bytes())
}

/// The lines of an input without their ends.
fn lines(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = input.split(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// A whole line as a name: it is short, and has several characters, and neither quotation marks nor backslashes.
fn line(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let is_short = (2..=MAX_TEXT_BYTES).contains(&text.len());
    (is_short && !text.contains(['"', '\\'])).then(|| text.to_owned())
}

/// The lines of a text as they are named in quotation marks.
pub(in crate::generalize::predicate) fn line_names(input: &[u8]) -> Vec<String> {
    lines(input).filter_map(line).map(|line| format!("\"{line}\"")).collect()
}

/// A text that may be a name: it is short, has a letter, and neither quotation marks nor
/// backslashes.
fn bare(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let is_word = text.chars().any(char::is_alphabetic) && text.len() <= MAX_TEXT_BYTES;
    (is_word && !text.contains(['"', '\\'])).then(|| text.to_owned())
}

/// A text without the quotes and blanks around it.
pub(super) fn exact(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    quoted(text).unwrap_or(text)
}

/// The text between quotes.
///
/// Both are of the same kind; nothing for a text without them.
pub(in crate::generalize::predicate) fn quoted(text: &[u8]) -> Option<&[u8]> {
    match text {
        [first @ (b'"' | b'\'' | b'`'), inner @ .., last] if first == last => Some(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_of_a_text_that_comes_before_others_does_so_too() {
        let words = Words::of([&b"pass note"[..]]).with_preferred(&["\"pass\"".to_owned()]);
        let names = [
            "<content> \"pass\"",
            "<line> that begins with \"pass\"",
            "<content> \"note\"",
            "<content>",
        ];
        assert_eq!(names.map(|name| words.is_preferred(name)), [true, true, false, false]);
    }

    #[test]
    fn all_quoted_words_of_a_name_are_words() {
        let name = "value of \"mode\" that is \"turbo\"".into();
        let words = Words::in_names(std::iter::once(&name));
        assert_eq!(words.name(b"turbo").as_deref(), Some("\"turbo\""));
        assert_eq!(words.name(b"\"mode\"").as_deref(), Some("\"mode\""));
        assert_eq!(words.name(b"slow"), None);
        let marks = ["\"/*\"", "\"\\\\\\\"\"", "\"\\\"\\\"\""].map(Name::from);
        let words = Words::in_names(marks.iter());
        assert!(marks.iter().all(|name| words.is_preferred(name)));
    }
}
