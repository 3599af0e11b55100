//! Kinds of tokens: numbers with a point, numbers that begin with 0, words of capitals, a number before a `%`.
//!
//! A kind has a name, so that a condition can say how many there are and how great they are. The name is
//! made of the token's name and of the marks in its text: `<NUMBER> with "."`.
//!
//! A key of digits alone is a kind of key, and so is a cell or a field. Where a grammar has a token for whole numbers and
//! another one for those with a point, both are `<any number>`.

use super::one::decimals;
use super::outline::{Item, Outline, Part, kinds_of_numbers};
use super::without_grammar::{is_field, is_numbered_field};
use super::words::{MAX_MARKS_AFTER, MAX_MARKS_BEFORE, Words, quoted};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::term::{
    AFTER, ANY_NUMBER, BEFORE, BEGINS_WITH, ENDS_WITH, OF_DIGITS, VALUE_OF, WITH,
};

/// Marks by which one token differs from others of its name, because each is another name. Not measured.
const MAX_MARKS_OF_TOKEN: usize = 3;
/// Decimals of a number that is named by them: six, because places on a map have as many, and amounts fewer.
const MAX_NAMED_DECIMALS: i128 = 6;
/// Parts of an input that are named by how they begin and end, because each has several such names. Not measured.
const MAX_AFFIXED: usize = 128;

/// Rules of arguments, by their usual names. Numbers elsewhere have names by their tokens.
const ARGUMENTS: [&str; 5] = ["<argument>", "<arg>", "<expr>", "<exp>", "<expression>"];

/// What the name of numbers ends with that have an exponent.
pub(super) const WITH_EXPONENT: &str = " with an exponent";

impl<'t> Outline<'t> {
    /// Gives the tokens names by their kinds. Without a grammar numbers have names by the marks around them too.
    pub(super) fn name_kinds(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(|item| self.is_of_token(item)) {
            let text = item.part.text;
            let mut add = |name: String, is_fixed: bool| {
                found.push(Item {
                    name: name.into(),
                    is_fixed,
                    part: item.part.clone(),
                    rule: item.rule,
                });
            };
            let inner = quoted(text).unwrap_or(text);
            for mark in marks(text) {
                add(format!("{} with {mark:?}", item.name), true);
            }
            // Without a grammar `x07` is a word and a number, and no number.
            let is_alone = !self.is_plain || !self.touches_word(item.part.leaf);
            if let [b'0', next, ..] = inner
                && next.is_ascii_digit()
                && is_alone
            {
                add(format!("{} with a leading 0", item.name), true);
            }
            if let Some(kind) = kind_by_decimals(&item.name, text) {
                add(kind, true);
            }
            if is_fraction(text) {
                add(format!("{} with a fraction or an exponent", item.name), true);
                if text.iter().any(|byte| b"eE".contains(byte)) {
                    add(format!("{}{WITH_EXPONENT}", item.name), true);
                }
            }
            if let [b'0', b'x' | b'X', digits @ ..] = text
                && !digits.is_empty()
                && digits.iter().all(u8::is_ascii_hexdigit)
            {
                add(format!("{} in hexadecimal", item.name), true);
            }
            let is_word = inner.iter().any(u8::is_ascii_uppercase);
            if is_word && inner.iter().all(|byte| !byte.is_ascii_lowercase()) {
                add(format!("{} of capitals", item.name), false);
            }
            if self.is_plain && inner.iter().all(u8::is_ascii_digit) {
                let leaf = item.part.leaf;
                if let Some(mark) = self.mark(leaf.wrapping_sub(1)) {
                    add(format!("{}{AFTER}{mark:?}", item.name), false);
                }
                if let Some(mark) = self.mark(leaf + 1) {
                    add(format!("{} before {mark:?}", item.name), false);
                }
                // A unit.
                let next = self.leaves.get(leaf + 1).filter(|next| !next.is_fixed);
                if let Some(unit) = next.and_then(|next| words.name(next.text)) {
                    add(format!("{} before {unit}", item.name), false);
                }
            }
        }
        found.extend(self.arguments_with_decimals());
        self.items.extend(found);
    }

    /// Arguments of calls that are one number, maybe with a sign, by its decimals: `<argument> with 3 decimals`. Of rules that are all of another one the
    /// outermost is named: a call has that as a part.
    fn arguments_with_decimals(&self) -> Vec<Item<'t>> {
        let is_number = |item: &&Item<'t>| {
            let is_part = item.rule.is_none_or(|outer| {
                let (start, end) = self.rules[outer].span;
                end - start > item.part.text.len() as u32
            });
            is_part
                && ARGUMENTS.contains(&&*item.name)
                && item.part.text.first().is_some_and(|first| b"-.0123456789".contains(first))
        };
        let numbers = self.items.iter().filter(is_number);
        let named = numbers.filter_map(|item| {
            let name = kind_by_decimals(&item.name, item.part.text)?.into();
            Some(Item { name, is_fixed: true, ..item.clone() })
        });
        named.collect()
    }

    /// Names tokens, values and fields by how they begin and end: a mark or a blank, or a word of the search with marks
    /// after or before it; and those of digits alone which are no numbers for the grammar.
    ///
    /// A part that is one mark begins and ends with it.
    pub(super) fn name_affixes(&mut self, words: &Words) {
        let is_told = |item: &&Item<'t>| {
            let is_value = item.name.starts_with(VALUE_OF) && !item.is_fixed;
            let is_key = item.name.starts_with('<') && item.name.contains(BEFORE);
            let is_field = is_field(&item.name) || is_numbered_field(&item.name);
            is_value || is_key || is_field || self.is_of_token(item)
        };
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(is_told).take(MAX_AFFIXED) {
            let Ok(text) = std::str::from_utf8(quoted(item.part.text).unwrap_or(item.part.text))
            else {
                continue;
            };
            let begins = beginnings(text, words).into_iter().map(|one| (BEGINS_WITH, one));
            let ends = endings(text, words).into_iter().map(|one| (ENDS_WITH, one));
            let affixes = begins.chain(ends).map(|(verb, affix)| format!("{verb}{affix:?}"));
            let is_of_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let digits = is_of_digits.then(|| OF_DIGITS.to_owned());
            found.extend(affixes.chain(digits).map(|kind| Item {
                name: format!("{}{kind}", item.name).into(),
                is_fixed: true,
                ..item.clone()
            }));
        }
        self.affixed = found;
    }

    /// Names the numbers of a grammar that has several kinds of them: a whole number is negative as one with a point is, and a target
    /// that reads both asks for neither token. A token of a number with a unit is such a kind, and its number is a part.
    ///
    /// Where a grammar has one token for all numbers nothing is named, because the name of the token says the same.
    pub(super) fn name_numbers(&mut self, language: &Sampler) {
        if kinds_of_numbers(language) < 2 {
            return;
        }
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(|item| self.is_of_token(item)) {
            let text = without_unit(item.part.text);
            if decimals(text).is_none() {
                continue;
            }
            let kind = kind_by_decimals(ANY_NUMBER, text).map(|kind| (kind, true));
            let names = [(ANY_NUMBER.to_owned(), false)].into_iter().chain(kind);
            let part = Part { text, ..item.part.clone() };
            found.extend(names.map(|(name, is_fixed)| Item {
                name: name.into(),
                is_fixed,
                part: part.clone(),
                rule: item.rule,
            }));
        }
        self.items.extend(found);
    }

    /// Whether a word is right before or after a leaf: then its digits are a part of a name.
    ///
    /// Without a grammar blanks are leaves too, so that neighbours touch each other.
    fn touches_word(&self, leaf: usize) -> bool {
        let is_word = |leaf: usize| {
            self.leaves.get(leaf).is_some_and(|leaf| leaf.text.iter().any(u8::is_ascii_alphabetic))
        };
        is_word(leaf.wrapping_sub(1)) || is_word(leaf + 1)
    }

    /// The text of a leaf that is a mark of the grammar.
    fn mark(&self, leaf: usize) -> Option<&'t str> {
        let leaf = self.leaves.get(leaf).filter(|leaf| leaf.is_fixed)?;
        let text = std::str::from_utf8(leaf.text).ok()?;
        text.chars().all(|c| c.is_ascii_punctuation()).then_some(text)
    }
}

/// Whether a character may be all that a condition says of the beginning or the end of a text.
fn is_edge(c: char) -> bool {
    c.is_ascii_punctuation() || c == ' '
}

/// How a text begins: its first mark or blank, or its first word of letters with the marks after it, or alone before a blank
/// or a digit, if the search has it. A text that is one word has its own name.
fn beginnings<'w>(text: &'w str, words: &Words) -> Vec<&'w str> {
    if text.starts_with(is_edge) {
        return vec![&text[..1]];
    }
    let Some(word) = text.find(|c: char| !c.is_ascii_alphabetic()) else { return Vec::new() };
    let marks = text[word..].chars().take_while(char::is_ascii_punctuation).count();
    let ends =
        (usize::from(marks > 0)..=marks.min(MAX_MARKS_AFTER)).map(|marks| &text[..word + marks]);
    ends.filter(|one| words.name(one.as_bytes()).is_some()).collect()
}

/// How a text ends: its last mark or blank, or its last word of letters with the marks before it, or alone after a blank or
/// a digit, if the search has it.
fn endings<'w>(text: &'w str, words: &Words) -> Vec<&'w str> {
    if text.ends_with(is_edge) {
        return vec![&text[text.len() - 1..]];
    }
    let before = text.char_indices().rfind(|(_, c)| !c.is_ascii_alphabetic());
    let Some(word) = before.map(|(at, c)| at + c.len_utf8()) else { return Vec::new() };
    let marks = text[..word].chars().rev().take_while(char::is_ascii_punctuation).count();
    let starts =
        (usize::from(marks > 0)..=marks.min(MAX_MARKS_BEFORE)).map(|marks| &text[word - marks..]);
    starts.filter(|one| words.name(one.as_bytes()).is_some()).collect()
}

/// The name of a number by how many digits it has after its point: `<NUMBER> with 3 decimals`.
///
/// Of several numbers one may have them, and others more. A number without a point has no such name.
pub(super) fn kind_by_decimals(name: &str, text: &[u8]) -> Option<String> {
    let count = decimals(text).filter(|count| (1..=MAX_NAMED_DECIMALS).contains(count))?;
    let plural = if count == 1 { "" } else { "s" };
    Some(format!("{name}{WITH}{count} decimal{plural}"))
}

/// A part under its name by its text and under that by its decimals, as far as it has these names.
pub(super) fn kinds_of<'t>(item: &Item<'t>, words: &Words) -> impl Iterator<Item = Item<'t>> {
    let text = item.part.text;
    let names = [words.name_by_text(&item.name, text), kind_by_decimals(&item.name, text)];
    let item = item.clone();
    names.into_iter().flatten().map(move |name| Item {
        name: name.into(),
        is_fixed: true,
        ..item.clone()
    })
}

/// Whether a name is that of numbers with so many decimals.
pub(super) fn is_of_decimals(name: &str) -> bool {
    name.starts_with('<')
        && name.split_once(WITH).is_some_and(|(_, kind)| kind.contains(" decimal"))
}

/// A text without the letters or the percent sign after its last digit: `4` of `4px`.
fn without_unit(text: &[u8]) -> &[u8] {
    let is_of_unit = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'%';
    let end = text.iter().rposition(|byte| !is_of_unit(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Whether a text is a number that programs read as a decimal one: `-2.5`, `1e3`.
///
/// Not whether they take it: `1e` is one, too.
fn is_fraction(text: &[u8]) -> bool {
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(is_of_number)
        && digits.iter().any(|byte| b".eE".contains(byte))
}

/// The different marks of a text between its quotes, in pairs and alone, in order. A tab is one, and so is a line break.
pub(super) fn marks(text: &[u8]) -> Vec<&str> {
    // A text of blanks alone has none, unless it is in quotes.
    let has_text = !text.trim_ascii().is_empty();
    let Ok(text) = std::str::from_utf8(quoted(text).unwrap_or(text)) else { return Vec::new() };
    let is_blank = |text: &str| ["\t", "\n"].contains(&text);
    let is_mark = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_punctuation()) || has_text && is_blank(text)
    };
    let mut found: Vec<&str> = Vec::new();
    for width in [2, 1] {
        for at in 0..text.len() {
            let Some(mark) = text.get(at..at + width).filter(|mark| is_mark(mark)) else {
                continue;
            };
            if !found.contains(&mark) && found.len() < MAX_MARKS_OF_TOKEN {
                found.push(mark);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_begins_and_ends_with_a_mark_or_a_word_of_the_search() {
        let words = Words::of([&b"see http://x/setup.exe"[..]]);
        assert_eq!(beginnings("/a/b", &words), ["/"]);
        assert_eq!(beginnings("http://y", &words), ["http:", "http:/"]);
        assert_eq!(beginnings("ftp://y", &words), [""; 0]);
        assert_eq!(endings("b.exe", &words), [".exe"]);
        assert_eq!(endings("a exe", &words), ["exe"]);
        assert_eq!(endings("exe", &words), [""; 0]);
        assert_eq!(endings("b.com", &words), [""; 0]);
        assert_eq!(endings("two ", &words), [" "]);
        assert_eq!(endings("", &words), [""; 0]);
    }

    #[test]
    fn a_number_with_a_unit_is_a_number() {
        let numbers = [&b"-0.125em"[..], b"4%", b"12", b"px", b"#0f0"].map(without_unit);
        assert_eq!(numbers, [&b"-0.125"[..], b"4", b"12", b"", b"#0f0"]);
    }

    #[test]
    fn marks_are_told_alone_and_in_pairs() {
        assert_eq!(marks(b"-2.5"), ["-", "."]);
        assert_eq!(marks(b"a/../b"), ["/.", "..", "./"]);
        assert_eq!(marks(b" \ta\n"), ["\t", "\n"]);
        assert_eq!(marks(b"\r\n"), [""; 0]);
        assert_eq!(marks(b"\"\n\""), ["\n"]);
        assert_eq!(marks(b"word"), [""; 0]);
    }
}
