//! Words beside marks, where there is no grammar: on both sides of an arrow, as in `a -> b` and `bank --> shop: paid`, beside the commas of a list, and
//! before a separator, as in `int32 id = 1`.
//!
//! Two of them that are equal are two things of one name, wherever in their lines they are. What is in a line depends on no other line, so that the
//! names of one input are those of its lines together.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::generalize::predicate::read::outline::{Item, Outline};

/// The name of a word right before or after an arrow, without the blanks between them.
pub(in crate::generalize::predicate::read) const BESIDE_ARROW: &str = "<name> beside an arrow";
/// The name of a text right before or after a comma, without the blanks between them.
///
/// Two of them that are equal are a duplicate of a list that begins anywhere in its line.
pub(in crate::generalize::predicate::read) const BESIDE_COMMA: &str = "<text> beside \",\"";
/// The same of numbers and of other texts, because a line may have a list of each.
///
/// A number is of digits alone.
pub(in crate::generalize::predicate::read) const NUMBER_BESIDE_COMMA: &str =
    "<NUMBER> beside \",\"";
pub(in crate::generalize::predicate::read) const NAME_BESIDE_COMMA: &str = "<name> beside \",\"";
/// The name of a word right before a separator, with another word before it in its line.
pub(in crate::generalize::predicate::read) const NAME_BEFORE: &str = "<name> before ";
/// The name of a number after a text in quotation marks.
const AFTER_QUOTES: &str = "<NUMBER> after a text in quotation marks";
/// Characters that no text beside a comma has in it.
const NOT_BESIDE_COMMA: &[u8] = b",;:=()[]{}<>\"'`|";
/// The marks between the numbers of a range.
const MARKS_OF_RANGES: [&[u8]; 2] = [b":", b"-"];
/// The marks that arrows begin with.
const SHAFTS: &[u8] = b"-=~<";
/// Words beside arrows, commas, separators and quotation marks that are named, of each kind, because each is compared with the others. A guess.
pub(super) const MAX_BESIDE_MARKS: usize = 64;

impl<'t> Outline<'t> {
    /// The leaf of the first number of a range that a number is the second one of, as in `8000:8080`; else its own leaf.
    ///
    /// So both have the name of the word before them, and a condition can say that the first is greater.
    pub(in crate::generalize::predicate::read) fn start_of_range(&self, item: &Item<'t>) -> usize {
        let (end, start) = (item.part.leaf, item.part.leaf.saturating_sub(2));
        let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
        match self.leaves.get(start..=end) {
            Some([first, mark, last])
                if MARKS_OF_RANGES.contains(&mark.text)
                    && [first, last].iter().all(|one| is_number(one.text)) =>
            {
                start
            }
            _ => end,
        }
    }

    /// Names the words beside arrows, so that a condition can say that both are equal. What is after a colon is a text.
    pub(in crate::generalize::predicate::read) fn name_beside_arrows(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let (start, end) = line.leaves;
            let mut at = start;
            while at < end {
                let run = (at..end).take_while(|leaf| self.is_mark(*leaf)).count();
                if self.leaves[at].text == b":" {
                    break;
                }
                let is_arrow = run > 1
                    && SHAFTS.contains(&self.leaves[at].text[0])
                    && self.leaves[at + run - 1].text == b">";
                if is_arrow {
                    let is_inside = |leaf: usize| self.is_of_name(leaf);
                    let spans = self.beside(at..at + run, (start, end), is_inside);
                    found.extend(spans.into_iter().flatten().map(|span| {
                        let (name, part) = (BESIDE_ARROW.into(), self.part_of(span));
                        Item { name, is_fixed: false, part, rule: Some(rule) }
                    }));
                }
                at += run.max(1);
            }
        }
        found.truncate(MAX_BESIDE_MARKS);
        self.items.extend(found);
    }

    /// The leaves right before and right after some marks of a line, without the blanks between, as far as they are of a kind.
    fn beside(
        &self,
        marks: Range<usize>,
        (start, end): (usize, usize),
        is_inside: impl Fn(usize) -> bool,
    ) -> [Option<Range<usize>>; 2] {
        let is_inside = |leaf: &usize| is_inside(*leaf);
        let last = (start..marks.start).rev().find(|leaf| !self.is_blank(*leaf));
        let before = last.filter(is_inside).map(|last| {
            let count = (start..=last).rev().take_while(is_inside).count();
            last + 1 - count..last + 1
        });
        let first = (marks.end..end).find(|leaf| !self.is_blank(*leaf));
        let after = first
            .filter(is_inside)
            .map(|first| first..first + (first..end).take_while(is_inside).count());
        [before, after]
    }

    /// Whether a leaf is blanks.
    pub(super) fn is_blank(&self, leaf: usize) -> bool {
        self.leaves[leaf].text.iter().all(u8::is_ascii_whitespace)
    }

    /// Names the words before a separator that other words come before: a field after its type, as in `int32 id = 1`.
    ///
    /// Two fields of one name are then two equal words of that kind, whatever their types and their numbers are.
    pub(in crate::generalize::predicate::read) fn name_words_before_separators(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let (start, end) = line.leaves;
            // Of a statement the first one counts: `int32 id = 1 [deprecated = true];`.
            let mut is_begun = false;
            let is_first = |leaf: &usize| match self.leaves[*leaf].text {
                b"=" | b":" => !std::mem::replace(&mut is_begun, true),
                b";" | b"{" | b"}" => {
                    is_begun = false;
                    false
                }
                _ => false,
            };
            for mark in (start..end).filter(is_first) {
                let start = self.start_of_statement((start, end), mark);
                let [before, _] =
                    self.beside(mark..mark + 1, (start, end), |leaf| self.is_of_name(leaf));
                let Some(span) = before.filter(|span| span.start > start) else { continue };
                // A word alone is the text before the mark.
                let has_other = (start..span.start).any(|leaf| self.is_of_name(leaf));
                if has_other {
                    let name = format!(
                        "{NAME_BEFORE}{:?}",
                        String::from_utf8_lossy(self.leaves[mark].text)
                    )
                    .into();
                    let part = self.part_of(span);
                    found.push(Item { name, is_fixed: false, part, rule: Some(rule) });
                }
            }
        }
        found.truncate(MAX_BESIDE_MARKS);
        self.items.extend(found);
    }

    /// The first leaf of the statement that a mark is in: that of its line, or of a line above if the statement ends with a semicolon and has nothing but
    /// words before the mark.
    fn start_of_statement(&self, (start, end): (usize, usize), mark: usize) -> usize {
        let is_ended = (mark..end).any(|leaf| self.leaves[leaf].text == b";");
        let is_word = |leaf: &usize| self.is_of_name(*leaf) || self.is_blank(*leaf);
        let words = (0..mark).rev().take_while(is_word).count();
        let is_begun = mark
            .checked_sub(words + 1)
            .is_some_and(|leaf| matches!(self.leaves[leaf].text, b";" | b"{" | b"}"));
        if is_ended && is_begun { start.min(mark - words) } else { start }
    }

    /// Names the numbers right after a text in quotation marks: the status in a log after the request.
    ///
    /// Which column the number is in depends on how many words the text has, so that no column says what it means.
    pub(in crate::generalize::predicate::read) fn name_after_quotes(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let (start, end) = line.leaves;
            let marks = (start..end).filter(|leaf| self.leaves[*leaf].text == b"\"");
            for close in marks.skip(1).step_by(2) {
                let after = (close + 1..end).find(|leaf| !self.is_blank(*leaf));
                let number =
                    after.filter(|leaf| self.leaves[*leaf].text.iter().all(u8::is_ascii_digit));
                found.extend(number.filter(|number| *number > close + 1).map(|number| {
                    let (name, part) = (AFTER_QUOTES.into(), self.part_of(number..number + 1));
                    Item { name, is_fixed: false, part, rule: Some(rule) }
                }));
            }
        }
        found.truncate(MAX_BESIDE_MARKS);
        self.items.extend(found);
    }

    /// Names the texts beside commas: those of a list, wherever in its line it begins: `import a, b`.
    ///
    /// A text reaches up to a blank, a bracket or another mark that separates. One between two commas is named once.
    pub(in crate::generalize::predicate::read) fn name_beside_commas(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let text = |leaf: usize| self.leaves[leaf].text;
        let is_inside = |leaf: usize| {
            !self.is_blank(leaf) && !text(leaf).iter().any(|byte| NOT_BESIDE_COMMA.contains(byte))
        };
        for (rule, line) in self.rules.iter().enumerate().filter(|(_, one)| one.name == "<line>") {
            let (start, end) = line.leaves;
            let mut spans: BTreeSet<(usize, usize)> = BTreeSet::new();
            for comma in (start..end).filter(|leaf| text(*leaf) == b",") {
                let beside = self.beside(comma..comma + 1, (start, end), is_inside);
                spans.extend(beside.into_iter().flatten().map(|span| (span.start, span.end)));
            }
            found.extend(spans.into_iter().flat_map(|(from, to)| {
                let part = self.part_of(from..to);
                let is_number = part.text.iter().all(u8::is_ascii_digit);
                let kind = if is_number { NUMBER_BESIDE_COMMA } else { NAME_BESIDE_COMMA };
                [BESIDE_COMMA, kind].map(|name| Item {
                    name: name.into(),
                    is_fixed: false,
                    part: part.clone(),
                    rule: Some(rule),
                })
            }));
        }
        found.truncate(MAX_BESIDE_MARKS);
        self.items.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::BESIDE_ARROW;
    use crate::generalize::predicate::feature::{Feature, Term, Words, features};
    use crate::generalize::predicate::name::Name;
    use crate::generalize::predicate::plain;

    #[test]
    fn both_numbers_of_a_range_have_the_name_of_the_word_before_them() {
        let number = || Name::from("<NUMBER> after \"dport\"");
        let terms = (Term::First(number()), Term::Second(number()));
        let falling = Feature::Difference(terms.0, terms.1);
        let falling = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
            Feature::Within("<line>".into(), Arc::new(falling.clone())).value(&found)
        };
        assert_eq!(falling("9:8\n--dport 61:60\n--dport 60:99\n"), Some(1));
        assert_eq!(falling("--dport 60:99 8:9\n"), Some(-39));
    }

    #[test]
    fn the_words_beside_an_arrow_are_equal() {
        let equal = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            let twins = Arc::new(Feature::Twins(BESIDE_ARROW.into()));
            Feature::Within("<line>".into(), twins).value(&found)
        };
        assert_eq!(["a1 -> a1: a\n", "a ==> a"].map(equal), [Some(1); 2]);
        assert_eq!(
            ["a -> b: a -> a\nb --> c", "a > a", "-> a", "a - a", ""].map(equal),
            [Some(0); 5]
        );
    }
}
