//! Marks that are one together, where there is no grammar: `/*`, `{{`, a fence of three backticks.
//!
//! Each mark is a token of its own there. Two that follow each other have a name too, and so have all of a run of up to
//! four, so that a condition can say that a comment has no end. Which marks belong together depends on the input alone.

use crate::generalize::predicate::read::outline::{Item, Outline, Part};
use crate::generalize::predicate::read::words::{MAX_MARKS_BEFORE, Words};

/// Marks of a run that is one name: a fence has three, and lines of marks are longer.
const MAX_RUN: usize = 4;
/// Names of marks in one input, the first ones, because each is compared with other names. Not measured.
const MAX_NAMED: usize = 32;

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

    /// Whether a leaf is one mark. In a line leaves follow each other without a gap.
    pub(in crate::generalize::predicate::read) fn is_mark(&self, leaf: usize) -> bool {
        let leaf = &self.leaves[leaf];
        leaf.is_fixed && matches!(leaf.text, [mark] if mark.is_ascii_punctuation())
    }

    /// Some marks that follow each other, as one part.
    fn marks_at(&self, from: usize, count: usize, rule: usize) -> Item<'t> {
        let start = self.leaves[from].start;
        let text = &self.input[start as usize..start as usize + count];
        let name = format!("{:?}", String::from_utf8_lossy(text));
        let part = Part { text, start, leaf: from, is_text: false };
        Item { name: name.into(), is_fixed: true, part, rule: Some(rule) }
    }
}
