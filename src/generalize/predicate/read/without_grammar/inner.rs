//! Inner entries of a text that is indented, where there is no grammar: in a file of services each service, with the lines below it.
//!
//! A line that is not indented begins an entry (`sections`), and the lines right below it begin the inner ones. What is said of an inner entry is said of
//! the lines below its first one, so that the name of a thing is not taken for a key that it has. One may be without lines: a service that says nothing.

use super::lines::indentation_of;
use super::sections::{ITEM, LINE};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Outline, Rule};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{CHILD, ENTRY, INNER_ENTRY};

impl<'t> Outline<'t> {
    /// Puts the lines below each line that is indented as the first one of its entry into a rule of their own.
    ///
    /// Not in entries whose lines are items, which are groups already. Only texts that are read without a grammar have entries.
    ///
    /// The rules get other numbers, so that those of items and of empty lists are changed with them. An inner entry without lines is a rule without
    /// text, where the next line begins; it counts as one that has none of what is asked for.
    ///
    /// Cost: a pass over the rules, and for each line one over the inner entries.
    pub(in crate::generalize::predicate::read) fn group_inner_entries(&mut self, words: &Words) {
        if !self.rules.iter().any(|rule| rule.name == ENTRY) {
            return;
        }
        let old = std::mem::take(&mut self.rules);
        let names: Vec<Name> = old.iter().map(|rule| rule.name.clone()).collect();
        let (starts, none) =
            (old.iter().map(|rule| rule.span.0).collect::<Vec<_>>(), self.leaves.len());
        let mut numbers: Vec<usize> = Vec::new();
        // The entry, how far its first line below is indented, and the inner entry that the next lines belong to.
        let (mut entry, mut margin, mut inner) = (usize::MAX, None, None);
        for rule in old {
            let outer = rule.outer.filter(|outer| names[*outer] == ENTRY);
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let is_line = outer.is_some() && [LINE, ITEM].contains(&&*rule.name);
            let is_below = is_line && outer.is_some_and(|outer| starts[outer] < rule.span.0);
            if let Some(outer) = outer.filter(|outer| *outer != entry) {
                (entry, margin, inner) = (outer, None, None);
            }
            let is_filled = !line.trim_ascii().is_empty();
            let indentation = indentation_of(line);
            if is_below && is_filled && indentation <= *margin.get_or_insert(indentation) {
                inner = None;
            }
            let is_head = is_below && is_filled && inner.is_none() && rule.name == LINE;
            numbers.push(self.rules.len());
            let mut outer = rule.outer.map(|outer| numbers[outer]);
            if let Some(inner) = inner.filter(|_| is_below && is_filled) {
                let around: &mut Rule = &mut self.rules[inner];
                if around.leaves.0 == none {
                    (around.span.0, around.leaves.0) = (rule.span.0, rule.leaves.0);
                }
                (around.span.1, around.leaves.1) = (rule.span.1, rule.leaves.1);
                outer = Some(inner);
            }
            let end = rule.span.1;
            self.rules.push(Rule { outer, ..rule });
            if is_head {
                inner = Some(self.rules.len());
                let (name, span, leaves) = (INNER_ENTRY.into(), (end, end), (none, none));
                self.rules.push(Rule { name, span, leaves, outer, can_be_empty: true });
            }
        }
        for item in &mut self.items {
            item.rule = item.rule.map(|rule| numbers[rule]);
        }
        for (rule, _) in &mut self.empty_lists {
            *rule = numbers[*rule];
        }
        let inner = self.rules.iter().enumerate().filter(|(_, rule)| rule.name == INNER_ENTRY);
        let inner: Vec<(usize, (u32, u32))> =
            inner.map(|(number, rule)| (number, rule.span)).collect();
        let is_line = |item: &&mut Item<'t>| {
            [LINE, ITEM].contains(&&*item.name) && !item.part.text.is_empty()
        };
        for item in self.items.iter_mut().filter(is_line) {
            let is_inside =
                |(_, span): &&(usize, (u32, u32))| (span.0..span.1).contains(&item.part.start);
            if let Some((number, _)) = inner.iter().find(is_inside) {
                item.rule = Some(*number);
            }
        }
        let found = inner.iter().map(|(number, _)| {
            let rule = &self.rules[*number];
            let text = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let part = self.part_at(text, rule.span.0);
            Item { name: INNER_ENTRY.into(), is_fixed: false, part, rule: rule.outer }
        });
        let found: Vec<Item<'t>> = found.collect();
        self.items.extend(found);
        self.name_children(words);
        self.empty_lists.extend(inner.into_iter().map(|(number, _)| (number, LINE.into())));
    }

    /// Names the lines of inner entries that are indented as the first one is, by their first word: `<child> "image"`.
    ///
    /// The same key may be further inside, where it says something else. A word that no given input has is no name.
    ///
    /// Cost: a pass over the rules.
    fn name_children(&mut self, words: &Words) {
        let (mut entry, mut margin) = (None, 0);
        let mut found: Vec<Item<'t>> = Vec::new();
        for line in self.rules.iter().filter(|rule| rule.name == LINE && rule.span.0 < rule.span.1)
        {
            let Some(outer) = line.outer.filter(|outer| self.rules[*outer].name == INNER_ENTRY)
            else {
                continue;
            };
            let part = self.all_of(line);
            let indentation = indentation_of(part.text);
            if entry.replace(outer) != Some(outer) {
                margin = indentation;
            }
            let text = part.text.trim_ascii_start();
            let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
            let length = text.iter().take_while(|byte| is_of_key(byte)).count();
            if let Some(word) = words.name(&text[..length]).filter(|_| indentation == margin) {
                let name = format!("{CHILD} {word}").into();
                found.push(Item { name, is_fixed: true, part, rule: Some(outer) });
            }
        }
        self.items.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Features, Words, features};
    use crate::generalize::predicate::plain;

    const SERVICES: &str = "services:\n  web:\n    image: a\n    labels:\n      image: b\n";

    /// What is read of a text by the words of it and of a text with inner entries.
    fn read(text: &str) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let words = Words::of([text.as_bytes(), SERVICES.as_bytes()]);
        let words = words.with_preferred(&["\"services\"".to_owned()]);
        features(&tree, text.as_bytes(), &language, &words)
    }

    #[test]
    fn an_inner_entry_has_its_own_lines_and_not_those_further_inside() {
        let without_image = |text: &str| {
            let image = Feature::Count("<child> \"image\"".into());
            let name = "<inner entry> in <entry> that begins with \"services\"";
            Feature::Parts(name.into(), vec![(image, Bound::AtMost(0))]).value(&read(text))
        };
        assert_eq!(without_image(SERVICES), Some(0));
        assert_eq!(without_image("services:\n  web:\n    labels:\n      image: b\n"), Some(1));
        // One without lines, one whose name is the key, and one below another entry.
        let text = "services:\n  image:\n  db:\n    image: c\nvolumes:\n  data:\n    a: 1\n";
        assert_eq!(without_image(text), Some(1));
        assert_eq!(without_image("services:\nversion: 3\n"), Some(0));
    }

    #[test]
    fn an_inner_entry_has_the_lines_up_to_the_next_one() {
        let most = |text: &str| {
            let lines = Arc::new(Feature::Count("<line>".into()));
            Feature::Within("<inner entry>".into(), lines).value(&read(text))
        };
        assert_eq!(most("services:\n  a:\n    b: 1\n\n    c: 2\n  d:\n    e: 3\n"), Some(2));
        assert_eq!(most("services:\n  a:\n"), Some(0));
    }
}
