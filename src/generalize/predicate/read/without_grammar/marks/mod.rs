//! Marks that are one together, where there is no grammar: `/*`, `{{`, a fence of three backticks.
//!
//! | name | what has it |
//! |---|---|
//! | `"/*"` | two marks that follow each other, and up to four |
//! | `"{{#if"` | marks with the word after them |
//! | `"M3"` | a word of letters and digits |
//! | `<name> after "$"` | a word by the marks before it |
//! | `<name> after "module"` | a word by the one before it that the failure needs |
//! | `<DECIMAL>` | a number with a sign or a point |
//! | `<name> beside an arrow`, `<text> beside ","`, `<name> before "="` | words beside marks (`beside`) |
//!
//! Each mark is a token of its own there. Two that follow each other have a name too, and so have all of a run of up to
//! four, so that a condition can say that a comment has no end. Which marks belong together depends on the input alone.

mod beside;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::generalize::predicate::read::kinds::{WITH_EXPONENT, kind_by_decimals};
use crate::generalize::predicate::read::outline::{Item, Leaf, Outline, Part};
use crate::generalize::predicate::read::words::{MAX_MARKS_BEFORE, Words};
use crate::generalize::predicate::term::AFTER;

use beside::MAX_BESIDE_MARKS;
pub(in crate::generalize::predicate::read) use beside::{
    BESIDE_ARROW, BESIDE_COMMA, NAME_BEFORE, NAME_BESIDE_COMMA, NUMBER_BESIDE_COMMA,
};

/// The name of numbers with a sign or a point.
///
/// The grammar of all texts has digits alone, so that a sign and a point are marks beside them.
pub(in crate::generalize::predicate::read) const DECIMAL: &str = "<DECIMAL>";
/// Marks of a run that is one name: a fence has three, and lines of marks are longer.
const MAX_RUN: usize = 4;
/// Names of marks in one input, the first ones, because each is compared with other names. Not measured.
const MAX_NAMED: usize = 32;
/// Names of words by their marks on one side or on both, because the texts of each are compared with those of others. Not measured.
const MAX_NAMES_BY_MARKS: usize = 8;
/// Marks that such a name has on one side, because a definition of a note or a variable rarely has more: `[^`, `${`.
const MAX_MARKS_OF_NAME: usize = 2;

impl<'t> Outline<'t> {
    /// Names two marks that follow each other, and runs of three and four with no further mark around them; and words
    /// together with the marks right before them, if the inputs of the search have both together.
    pub(in crate::generalize::predicate::read) fn name_marks(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for rule in 0..self.rules.len() {
            if self.rules[rule].name != "<line>" {
                continue;
            }
            let (mut at, end) = self.rules[rule].leaves;
            while at < end {
                let run = (at..end).take_while(|leaf| self.is_mark(*leaf)).count();
                if run == 0 {
                    at += 1;
                    continue;
                }
                if (3..=MAX_RUN).contains(&run) {
                    found.push(self.marks_at(at, run, rule));
                }
                // A longer run may end with marks that have nothing to do with the first: `]().`.
                let threes = at..at + run.saturating_sub(2);
                found.extend(threes.filter(|_| run > 3).map(|three| self.marks_at(three, 3, rule)));
                found.extend((at..at + run - 1).map(|two| self.marks_at(two, 2, rule)));
                at += run;
            }
        }
        found.truncate(MAX_NAMED);
        for item in self.items.iter().filter(|item| item.name == "<WORD>") {
            let leaf = item.part.leaf;
            let before = (0..leaf).rev().take(MAX_MARKS_BEFORE);
            for marks in 1..=before.take_while(|leaf| self.is_mark(*leaf)).count() {
                let start = self.leaves[leaf - marks].start;
                let end = item.part.start as usize + item.part.text.len();
                let text = &self.input[start as usize..end];
                if let Some(name) = words.name(text) {
                    let part = Part { text, start, leaf: leaf - marks, is_text: false };
                    found.push(Item { name, is_fixed: true, part, rule: item.rule });
                }
            }
        }
        self.items.extend(found);
    }

    /// Names words of letters and digits, which are two tokens and more: `"M3"`, `"sha256"`.
    ///
    /// Only those that the inputs of the search have, because others are in one input alone.
    pub(in crate::generalize::predicate::read) fn name_mixed_words(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let mut leaves = line.leaves.0..line.leaves.1;
            while let Some(leaf) = leaves.next() {
                let is_of_word = |leaf: &usize| {
                    let first = self.leaves[*leaf].text.first();
                    first.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                };
                let count = (leaf..leaves.end).take_while(is_of_word).count();
                if count > 1
                    && let part = self.part_of(leaf..leaf + count)
                    && let Some(name) = words.name(part.text)
                {
                    found.push(Item { name, is_fixed: true, part, rule: Some(rule) });
                }
                leaves.start += count.saturating_sub(1);
            }
        }
        self.items.extend(found);
    }

    /// Names words by the marks right before them, and by those on both sides: `<name> after "$"`, `<name> between "[^" and "]:"`.
    ///
    /// Marks often say whether a name is defined or used, so that a condition can be about one that is used and not defined. A word may
    /// have marks around it that have nothing to do with it, as in `([^a]`. So it is named by the mark right beside it, and by two.
    pub(in crate::generalize::predicate::read) fn name_marked_words(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut known = [BTreeSet::new(), BTreeSet::new()];
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let mut leaves = line.leaves.0..line.leaves.1;
            while let Some(leaf) = leaves.next() {
                let before = (line.leaves.0..leaf).rev().take(MAX_MARKS_OF_NAME);
                let before = before.take_while(|leaf| self.is_mark(*leaf)).count();
                if before == 0 || !self.is_of_name(leaf) {
                    continue;
                }
                let end = (leaf..line.leaves.1).find(|leaf| !self.is_of_name(*leaf));
                let end = end.unwrap_or(line.leaves.1);
                let after = (end..line.leaves.1).take(MAX_MARKS_OF_NAME);
                let after = after.take_while(|leaf| self.is_mark(*leaf)).count();
                let part = self.part_of(leaf..end);
                let mut add = |name: String, known: &mut BTreeSet<String>| {
                    if known.contains(&name) || known.len() < MAX_NAMES_BY_MARKS {
                        known.insert(name.clone());
                        let (name, part) = (name.into(), part.clone());
                        found.push(Item { name, is_fixed: false, part, rule: Some(rule) });
                    }
                };
                let marks = |leaves: Range<usize>| {
                    format!("{:?}", String::from_utf8_lossy(self.part_of(leaves).text))
                };
                for count in 1..=before {
                    add(format!("<name> after {}", marks(leaf - count..leaf)), &mut known[0]);
                }
                // By the mark right before it too: a blank may be before that, where another input has a further mark.
                let befores = BTreeSet::from([1, before]);
                for (before, after) in
                    befores.iter().flat_map(|before| (1..=after).map(move |after| (before, after)))
                {
                    let (before, after) = (marks(leaf - before..leaf), marks(end..end + after));
                    add(format!("<name> between {before} and {after}"), &mut known[1]);
                }
                leaves.start = end;
            }
        }
        self.items.extend(found);
    }

    /// Names the name after a word that the failure needs, with a blank between them, anywhere in a line: in `{} module leg_2(h)` it is `leg_2`.
    ///
    /// What is in quotation marks is a text. Two such names that are equal are two things of one kind with the same name.
    pub(in crate::generalize::predicate::read) fn name_after_needed_words(
        &mut self,
        words: &Words,
    ) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let (start, end) = line.leaves;
            let mut is_text = false;
            for leaf in start..end {
                is_text ^= self.leaves[leaf].text == b"\"";
                let is_alone = leaf == start || !self.is_of_name(leaf - 1);
                if is_text || self.leaves[leaf].is_fixed || !is_alone {
                    continue;
                }
                let word = words.name(self.leaves[leaf].text);
                let word = word.filter(|word| words.is_preferred(word));
                let (Some(word), true) = (word, leaf + 1 < end && self.is_blank(leaf + 1)) else {
                    continue;
                };
                let name = leaf + 2..end;
                let count = name.clone().take_while(|leaf| self.is_of_name(*leaf)).count();
                if count > 0 {
                    let part = self.part_of(name.start..name.start + count);
                    let name = format!("<name>{AFTER}{word}").into();
                    found.push(Item { name, is_fixed: false, part, rule: Some(rule) });
                }
            }
        }
        found.truncate(MAX_BESIDE_MARKS);
        self.items.extend(found);
    }

    /// Names numbers with a sign or a point: `-3`, `4.25`, `.5`, so that a condition can say that one is negative, or how many decimals it
    /// has.
    ///
    /// Not parts of longer chains, such as dates and versions. A sign after a letter or a digit is a hyphen, unless the letter is a word of its own
    /// that says what the number is: `X-0.5`.
    pub(in crate::generalize::predicate::read) fn name_decimals(&mut self) {
        let is_digits = |leaf: Option<&Leaf<'_>>| {
            leaf.is_some_and(|leaf| {
                !leaf.text.is_empty() && leaf.text.iter().all(u8::is_ascii_digit)
            })
        };
        let is_text =
            |leaf: Option<&Leaf<'_>>, text: &[u8]| leaf.is_some_and(|one| one.text == text);
        // What may not be right beside a number: a letter, a further point or sign.
        let is_joined = |leaf: Option<&Leaf<'_>>| {
            leaf.and_then(|leaf| leaf.text.first())
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
        };
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let leaf = |at: usize| self.leaves.get(at).filter(|_| at < line.leaves.1);
            for at in (line.leaves.0..line.leaves.1).filter(|at| is_digits(leaf(*at))) {
                let before = |back: usize| at.checked_sub(back).filter(|at| *at >= line.leaves.0);
                // `.5` has no digits before its point.
                let is_fraction = before(1).is_some_and(|at| is_text(leaf(at), b"."))
                    && !before(2).is_some_and(|at| is_digits(leaf(at)));
                let point = usize::from(is_fraction);
                let is_negative = before(1 + point).is_some_and(|at| is_text(leaf(at), b"-"));
                let start = at - point - usize::from(is_negative);
                let has_digits = is_text(leaf(at + 1), b".") && is_digits(leaf(at + 2));
                let has_point = is_fraction || has_digits;
                let end = if has_digits { at + 3 } else { at + 1 };
                let is_sign = |at: usize| is_text(leaf(at), b"-") || is_text(leaf(at), b"+");
                let digits = if is_sign(end + 1) { end + 2 } else { end + 1 };
                let is_power = is_text(leaf(end), b"e") || is_text(leaf(end), b"E");
                let has_exponent = is_power && is_digits(leaf(digits));
                let end = if has_exponent { digits + 1 } else { end };
                let left = start.checked_sub(1).filter(|at| *at >= line.leaves.0);
                let left =
                    left.filter(|left| !self.is_address(*left, line.leaves.0)).and_then(leaf);
                // A point at the end of a sentence is not one of the number.
                let is_stop = is_text(leaf(end), b".") && !is_digits(leaf(end + 1));
                let is_chain = is_joined(leaf(end)) && !is_stop;
                let is_number = is_negative || has_point || has_exponent;
                if is_number && !is_joined(left) && !is_chain {
                    let part = self.part_of(start..end);
                    let kind = kind_by_decimals(DECIMAL, part.text).map(|kind| (kind, true));
                    let power = has_exponent.then(|| (format!("{DECIMAL}{WITH_EXPONENT}"), true));
                    let names = [(DECIMAL.to_owned(), false)].into_iter().chain(kind).chain(power);
                    found.extend(names.map(|(name, is_fixed)| Item {
                        name: name.into(),
                        is_fixed,
                        part: part.clone(),
                        rule: Some(rule),
                    }));
                }
            }
        }
        found.truncate(MAX_NAMED);
        self.items.extend(found);
    }

    /// Whether a leaf is one capital letter with a blank before it, or at the beginning of a line: the axis before its number.
    fn is_address(&self, leaf: usize, start: usize) -> bool {
        let is_blank =
            |leaf: usize| self.leaves[leaf].text.iter().all(|byte| b" \t".contains(byte));
        matches!(self.leaves[leaf].text, [letter] if letter.is_ascii_uppercase())
            && (leaf == start || is_blank(leaf - 1))
    }

    /// Whether a leaf is letters, digits and `_`. A character that is not ASCII is a letter, because a program that does not look for ASCII alone rarely looks for
    /// kinds of others.
    ///
    /// A name may be several of them: `x1` is a word and a number.
    pub(in crate::generalize::predicate::read) fn is_of_name(&self, leaf: usize) -> bool {
        let text = self.leaves[leaf].text;
        let is_of_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        !text.is_empty() && text.iter().all(is_of_name)
    }

    /// Whether a leaf is one mark. In a line leaves follow each other without a gap.
    pub(in crate::generalize::predicate::read) fn is_mark(&self, leaf: usize) -> bool {
        let leaf = &self.leaves[leaf];
        leaf.is_fixed && matches!(leaf.text, [mark] if mark.is_ascii_punctuation())
    }

    /// Some marks that follow each other, as one part.
    fn marks_at(&self, from: usize, count: usize, rule: usize) -> Item<'t> {
        let part = self.part_of(from..from + count);
        let name = format!("{:?}", String::from_utf8_lossy(part.text));
        Item { name: name.into(), is_fixed: true, part, rule: Some(rule) }
    }
}
