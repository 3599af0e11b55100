//! Sections of a text without a grammar: a title in brackets, and the lines up to the next title.
//!
//! Settings are often in sections, and a condition about one of them is about all of its lines: a section without a host,
//! a key that is twice in one section. A section is a rule like those of a grammar, so that all features of rules are read
//! of it.

use crate::generalize::predicate::read::outline::{Item, Outline, Part, Rule};

/// The name of a section.
pub(in crate::generalize::predicate::read) const SECTION: &str = "<section>";
/// The name of a line.
const LINE: &str = "<line>";

impl Outline<'_> {
    /// Puts the lines of each section into a rule of its own. Only texts that are read without a grammar have lines.
    ///
    /// Nothing changes where no line is a title.
    pub(in crate::generalize::predicate::read) fn group_sections(&mut self) {
        let is_title = |rule: &Rule| {
            let line = self.input[rule.span.0 as usize..rule.span.1 as usize].trim_ascii();
            rule.name == LINE && line.len() >= 2 && line.starts_with(b"[") && line.ends_with(b"]")
        };
        let titles: Vec<bool> = self.rules.iter().map(is_title).collect();
        if !titles.contains(&true) {
            return;
        }
        let old = std::mem::take(&mut self.rules);
        let (mut numbers, mut section) = (Vec::new(), None);
        for (rule, is_title) in old.into_iter().zip(titles) {
            if is_title {
                section = Some(self.rules.len());
                let (span, leaves) = (rule.span, rule.leaves);
                self.rules.push(Rule { name: SECTION.to_owned(), span, leaves, outer: Some(0) });
            }
            numbers.push(self.rules.len());
            let is_line = rule.name == LINE && rule.outer == Some(0);
            if let Some(section) = section.filter(|_| is_line) {
                let around: &mut Rule = &mut self.rules[section];
                // Empty lines at its end are no part of it.
                if rule.span.0 < rule.span.1 {
                    (around.span.1, around.leaves.1) = (rule.span.1, rule.leaves.1);
                }
            }
            let outer = if is_line { section.or(rule.outer) } else { rule.outer };
            self.rules.push(Rule { outer, ..rule });
        }
        for item in &mut self.items {
            item.rule = item.rule.map(|rule| numbers[rule]);
        }
        let sections: Vec<&Rule> = self.rules.iter().filter(|rule| rule.name == SECTION).collect();
        let section_of = |start: u32| {
            self.rules.iter().rposition(|rule| rule.name == SECTION && rule.span.0 <= start)
        };
        for item in self.items.iter_mut().filter(|item| item.name == LINE) {
            item.rule = section_of(item.part.start).or(item.rule);
        }
        let found = sections.into_iter().map(|rule| {
            let text = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let part = Part { text, start: rule.span.0, leaf: rule.leaves.0, is_text: false };
            Item { name: SECTION.to_owned(), is_fixed: false, part, rule: Some(0) }
        });
        let found: Vec<Item<'_>> = found.collect();
        self.items.extend(found);
    }
}
