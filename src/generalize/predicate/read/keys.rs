//! Values by their keys: `"lo": 3`, `lo=3`, `def a`.
//!
//! A rule whose first leaf is a word has a value if a separator follows, or, where the grammar has the
//! word, whatever follows. The value gets the name `value of "lo"`, and the parts listed in it the name
//! `items in "lo"`.

use std::collections::BTreeMap;

use super::kinds::marks;
use super::outline::{Item, Outline, Part, Rule};
use super::words::{Words, quoted};
use crate::generalize::predicate::term::{IS_WORD, ITEMS_IN, VALUE_OF, WITH};

/// Whether an item is a rule, by its name: in angle brackets, and not in capitals as tokens are.
fn is_of_rule(item: &Item<'_>) -> bool {
    item.name.starts_with('<') && !item.name.contains(' ') && item.name.contains(char::is_lowercase)
}

/// What may be between a key and its value.
const SEPARATORS: [&[u8]; 4] = [b"=", b":", b"=>", b":="];
/// What may be after a value.
const ENDS: [&[u8]; 3] = [b";", b",", b"\n"];

impl<'t> Outline<'t> {
    /// Gives values the names of their keys.
    ///
    /// A key is the first leaf of a rule: a text of the grammar, or one of `words`. Values are
    /// added to the items, and the parts of a list as further items.
    pub(super) fn name_keys(&mut self, words: &Words) {
        // Of rules that begin with the same word the innermost has the value.
        let mut keyed: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (number, rule) in self.rules.iter().enumerate().skip(1) {
            let first = self.after_blanks(rule.leaves.0);
            if let Some(value) = self.value((first, rule.leaves.1)) {
                keyed.insert(first, (number, value));
            }
        }
        self.find_twins(&keyed);
        let mut found = Vec::new();
        for (first, (rule, value)) in keyed {
            let key = &self.leaves[first];
            let name = match key.is_fixed {
                true => std::str::from_utf8(key.text).ok().map(|text| format!("{text:?}")),
                false => words.name(key.text),
            };
            let Some(name) = name else { continue };
            let mut end = self.rules[rule].leaves.1;
            while end > value && self.is_end(end - 1) {
                end -= 1;
            }
            if value >= end && !self.is_blank_before(value) {
                continue;
            }
            let end = end.max(value);
            let Some(start) = self.start_of(value) else { continue };
            let stop = match end == value {
                true => start,
                false => self.leaves[end - 1].start + self.leaves[end - 1].text.len() as u32,
            };
            let text: &'t [u8] = &self.input[start as usize..stop as usize];
            let is_text = end == value + 1 && self.leaves[value].is_text;
            let part = Part { text, start, leaf: value, is_text };
            let outer = Some(rule);
            let depth = self.depth(rule);
            let item =
                Item { name: format!("{VALUE_OF}{name}"), is_fixed: false, part, rule: outer };
            let mut named = self.listed((start, stop), &name);
            let with_name = |name: String, is_fixed: bool| Item {
                name,
                is_fixed,
                part: item.part.clone(),
                rule: outer,
            };
            let inner = quoted(item.part.text).unwrap_or(item.part.text);
            if end == value + 1 {
                let marks = marks(inner).into_iter();
                named.extend(
                    marks.map(|mark| with_name(format!("{}{WITH}{mark:?}", item.name), true)),
                );
            }
            if let Some(word) = words.name(item.part.text) {
                named.push(with_name(format!("{}{IS_WORD}{word}", item.name), true));
            }
            let is_token = |other: &&Item<'t>| {
                other.part.leaf == value
                    && other.part.text == item.part.text
                    && self.is_of_token(other)
            };
            let is_rule = |other: &&Item<'t>| {
                other.part.start == start && other.part.text == item.part.text && is_of_rule(other)
            };
            if let Some(token) = self.items.iter().find(is_token) {
                named.push(with_name(format!("{} {}", token.name, item.name), false));
            } else if let Some(inner) = self.items.iter().rfind(is_rule) {
                named.push(with_name(format!("{} {}", inner.name, item.name), true));
            }
            named.push(item);
            found.push((depth, name, named));
        }
        self.keyed = found.iter().flat_map(|(_, _, named)| named.iter().cloned()).collect();
        self.keyed.sort_by_key(|item| (item.part.start, item.part.leaf));
        // A key of an inner object is another one.
        let mut least: BTreeMap<String, usize> = BTreeMap::new();
        for (depth, name, _) in &found {
            let known = least.entry(name.clone()).or_insert(*depth);
            *known = (*known).min(*depth);
        }
        found.retain(|(depth, name, _)| least.get(name) == Some(depth));
        self.items.extend(found.into_iter().flat_map(|(_, _, named)| named));
        self.items.sort_by_key(|item| (item.part.start, item.part.leaf));
    }

    /// How many rules a rule is in. The whole input is in none.
    fn depth(&self, rule: usize) -> usize {
        std::iter::successors(self.rules[rule].outer, |outer| self.rules[*outer].outer).count()
    }

    /// Whether rules have a key twice, by the names of the rules.
    fn find_twins(&mut self, keyed: &BTreeMap<usize, (usize, usize)>) {
        let mut known: BTreeMap<usize, Vec<&[u8]>> = BTreeMap::new();
        for (first, (rule, _)) in keyed {
            let Some(outer) = self.rules[*rule].outer else { continue };
            let keys = known.entry(outer).or_default();
            let key = self.leaves[*first].text;
            let is_twin = keys.contains(&key);
            keys.push(key);
            *self.twin_keys.entry(self.rules[outer].name.clone()).or_default() |= is_twin;
        }
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
        let next = self.after_blanks(first + 1).min(end);
        let has_blank = next > first + 1;
        let Some(text) = self.leaves.get(next).filter(|_| next < end) else {
            return Some(next).filter(|_| has_blank);
        };
        if SEPARATORS.contains(&text.text) {
            return Some(self.after_blanks(next + 1)).filter(|value| *value < end);
        }
        // In a text without a grammar only a blank is between a command and its object.
        let is_value = key.is_fixed || has_blank;
        (is_value && !text.is_fixed).then_some(next)
    }

    /// The first leaf from that number on that is no blank. Only texts without a grammar have such leaves.
    fn after_blanks(&self, from: usize) -> usize {
        let is_blank = |leaf: &super::outline::Leaf<'_>| leaf.text.trim_ascii().is_empty();
        let rest = self.leaves.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|leaf| is_blank(leaf)).count()
    }

    /// Whether an item is a token with many texts, by the name of its token.
    pub(super) fn is_of_token(&self, item: &Item<'t>) -> bool {
        let is_name = item.name.starts_with('<') && !item.name.contains(' ');
        let is_upper = !item.name.contains(|c: char| c.is_ascii_lowercase());
        let leaf = self.leaves.get(item.part.leaf).filter(|leaf| !leaf.is_fixed);
        is_name && is_upper && leaf.is_some_and(|leaf| leaf.text == item.part.text)
    }

    /// Whether the leaf before that one is a blank.
    fn is_blank_before(&self, leaf: usize) -> bool {
        self.after_blanks(leaf - 1) > leaf - 1
    }

    /// Where a leaf begins; the end of the one before for the leaf after the last.
    fn start_of(&self, leaf: usize) -> Option<u32> {
        let before = self.leaves.get(leaf.checked_sub(1)?)?;
        let end = before.start + before.text.len() as u32;
        Some(self.leaves.get(leaf).map_or(end, |leaf| leaf.start))
    }

    /// Whether a leaf is no part of the value that it is after.
    fn is_end(&self, leaf: usize) -> bool {
        let text = self.leaves[leaf].text;
        ENDS.contains(&text) || text.trim_ascii().is_empty()
    }

    /// Names the items of a list in a value: the parts of the innermost rule that is all of it and begins
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
        let mut named: Vec<Item<'t>> = named.collect();
        // Those of one kind of token too: a target may look at texts, and numbers be in the list.
        let is_same = |one: &Item<'t>, item: &Item<'t>| {
            one.part.leaf == item.part.leaf && one.part.text == item.part.text
        };
        let typed = self.items.iter().filter(|item| self.is_of_token(item));
        let typed: Vec<Item<'t>> = typed
            .filter(|item| named.iter().any(|one| is_same(one, item)))
            .map(|item| Item {
                name: format!("{} {name}", item.name),
                is_fixed: false,
                part: item.part.clone(),
                rule: Some(number),
            })
            .collect();
        named.extend(typed);
        if named.is_empty() {
            self.empty.insert(name);
        }
        named
    }
}
