//! Values by their keys: `"lo": 3`, `lo=3`, `def a`.
//!
//! A rule whose first leaf is a word has a value if a separator follows, or, where the grammar has the
//! word, whatever follows. The value gets the name `value of "lo"`, and what is listed in it the name
//! `items in "lo"`.

use std::collections::BTreeMap;

use super::outline::{Item, Outline, Part, Rule};
use super::words::Words;
use crate::generalize::predicate::term::{ITEMS_IN, VALUE_OF};

/// What may be between a key and its value.
const SEPARATORS: [&[u8]; 4] = [b"=", b":", b"=>", b":="];
/// What may be after a value.
const ENDS: [&[u8]; 3] = [b";", b",", b"\n"];

impl<'t> Outline<'t> {
    /// Gives values the names of their keys.
    ///
    /// A key is the first leaf of a rule: a text of the grammar, or one of `words`. Values are
    /// added to the items, and the parts of a list as items of their own name.
    pub(super) fn name_keys(&mut self, words: &Words) {
        // Of rules that begin with the same word the innermost has the value.
        let mut keyed: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (number, rule) in self.rules.iter().enumerate().skip(1) {
            if let Some(value) = self.value(rule.leaves) {
                keyed.insert(rule.leaves.0, (number, value));
            }
        }
        let mut found = Vec::new();
        for (first, (rule, value)) in keyed {
            let key = &self.leaves[first];
            let name = match key.is_fixed {
                true => std::str::from_utf8(key.text).ok().map(|text| format!("{text:?}")),
                false => words.name(key.text),
            };
            let Some(name) = name else { continue };
            let mut end = self.rules[rule].leaves.1;
            while end > value && ENDS.contains(&self.leaves[end - 1].text) {
                end -= 1;
            }
            if value >= end {
                continue;
            }
            let start = self.leaves[value].start;
            let last = &self.leaves[end - 1];
            let stop = last.start + last.text.len() as u32;
            let text: &'t [u8] = &self.input[start as usize..stop as usize];
            let part = Part { text, start, leaf: value };
            let outer = Some(rule);
            found.push(Item {
                name: format!("{VALUE_OF}{name}"),
                is_fixed: false,
                part,
                rule: outer,
            });
            found.extend(self.listed((start, stop), &name));
        }
        self.items.extend(found);
        self.items.sort_by_key(|item| (item.part.start, item.part.leaf));
    }

    /// The first leaf of the value in a rule with these leaves.
    ///
    /// A leaf without a letter is no key. Without a separator only a text that the grammar has is
    /// one, and only before a leaf that it does not have.
    fn value(&self, (first, end): (usize, usize)) -> Option<usize> {
        let key = self.leaves.get(first).filter(|_| first + 1 < end)?;
        if !key.text.iter().any(u8::is_ascii_alphabetic) {
            return None;
        }
        let next = &self.leaves[first + 1];
        match SEPARATORS.contains(&next.text) {
            true => Some(first + 2).filter(|value| *value < end),
            false => (key.is_fixed && !next.is_fixed).then_some(first + 1),
        }
    }

    /// Names what is listed in a value: the parts of the innermost rule that is all of it and begins
    /// with a bracket. A list without parts has a name too.
    ///
    /// Their number is then a feature by the key, so that a condition can say how many items a list
    /// has.
    fn listed(&mut self, span: (u32, u32), key: &str) -> Vec<Item<'t>> {
        let mut rules = self.rules.iter().enumerate();
        let is_all =
            |(_, rule): &(usize, &Rule)| rule.span == span && rule.leaves.1 > rule.leaves.0 + 1;
        let Some((number, rule)) = rules.rfind(is_all) else { return Vec::new() };
        if !self.leaves[rule.leaves.0].is_fixed {
            return Vec::new();
        }
        let name = format!("{ITEMS_IN}{key}");
        let listed = self.items.iter().filter(|item| {
            item.rule == Some(number) && !item.is_fixed && !item.name.contains(" in ")
        });
        let named = listed.map(|item| Item {
            name: name.clone(),
            is_fixed: false,
            part: item.part.clone(),
            rule: item.rule,
        });
        let named: Vec<Item<'t>> = named.collect();
        if named.is_empty() {
            self.empty.insert(name);
        }
        named
    }
}
