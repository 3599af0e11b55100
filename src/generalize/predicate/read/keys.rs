//! Values by their keys: `"lo": 3`, `lo=3`, `def a`.
//!
//! A rule whose first leaf is a word has a value if a separator follows, or, where the grammar has the
//! word, whatever follows. The value gets the name `value of "lo"`, and the parts listed in it the name
//! `items in "lo"`. A key inside the value of another key is named after both: `"port" of "server"`, or `"port" of one of "servers"` in a list, and so on up to the
//! outermost one. So a condition about one of them is not about a key of the same name elsewhere.
//!
//! An object in an object is a part of it: there its keys have the name of the key that it is under, `"width" of "crop"`, and can
//! be compared with those beside it.
//!
//! Under a key that has no name, because only this input has it, values have names within their rule alone.

use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

use super::kinds::{kind_by_decimals, marks};
use super::names::is_rule;
use super::outline::any_key::names_with_any_key;
use super::outline::{Item, Outline, Part, Rule};
use super::without_grammar::lines::end_of_text;
use super::words::{Words, quoted};
use crate::generalize::predicate::term::{ANY_KEY, ITEMS_IN, OF_KEY, VALUE_OF, WITH};

/// What may be between a key and its value.
pub(super) const SEPARATORS: [&[u8]; 4] = [b"=", b":", b"=>", b":="];
/// Marks that a value may begin with where there is no grammar: a quotation mark, a sign, a mark of a path or of a name. Operators and brackets are none.
const OPENING_MARKS: [&[u8]; 8] = [b"\"", b"'", b"`", b"-", b"/", b"~", b"@", b"#"];
/// Keys of a rule of which it is read which others it has: 45 pairs at most. A guess, not measured.
const MAX_KEYS_TOGETHER: usize = 10;
/// Rules whose parts are the items of a list, by their usual names. A title in brackets is another one.
const LISTS: [&str; 5] = ["<array>", "<arr>", "<list>", "<vector>", "<sequence>"];
/// The name of a list that is all of an input, in the place of its key.
const WHOLE: &str = "the whole list";
/// What may be after a value.
const ENDS: [&[u8]; 3] = [b";", b",", b"\n"];

/// Rules whose parts are pairs of keys and values, and no items of a list, because a program that wants a list takes none of them for one.
pub(super) const OBJECTS: [&str; 5] = ["<object>", "<obj>", "<dict>", "<map>", "<inline_table>"];

/// The items of a list that are words, by the list and the word: one of several roles.
///
/// Only the search's words are named. Cost: a look at each item.
pub(super) fn words_of<'t>(listed: &[Item<'t>], words: &Words) -> Vec<Item<'t>> {
    let is_item = |item: &&Item<'t>| item.name.starts_with(ITEMS_IN);
    let named = listed.iter().filter(is_item).filter_map(|item| {
        let name = words.name_by_text(&item.name, item.part.text)?;
        Some(Item { name: name.into(), is_fixed: true, ..item.clone() })
    });
    named.collect()
}

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
        let key_name = |first: usize| match self.leaves[first].is_fixed {
            true => std::str::from_utf8(self.leaves[first].text)
                .ok()
                .map(|text| format!("{text:?}").into()),
            false => words.name(self.key_text(first)),
        };
        let of_rules = keyed.iter().filter(|(first, _)| !self.leaves[**first].is_fixed);
        let of_rules: BTreeMap<usize, usize> =
            of_rules.map(|(first, (rule, _))| (*rule, *first)).collect();
        let mut found: Vec<Item<'t>> = Vec::new();
        let (mut own, mut empty): (Vec<Item<'t>>, Vec<Name>) = (Vec::new(), Vec::new());
        let mut empty_lists: Vec<(usize, Name)> = Vec::new();
        let mut together: Vec<(Name, usize)> = Vec::new();
        for (&first, &(rule, value)) in &keyed {
            let plain_name = key_name(first);
            // Without a name of its own it may be any key of a map.
            let is_named = plain_name.is_some();
            if !is_named && (!words.have_maps || self.leaves[first].is_fixed) {
                continue;
            }
            let plain_name = plain_name.unwrap_or_else(|| ANY_KEY.into());
            // A key of an inner object is another one, and has the name of the key that it is under.
            let outer_keys = || self.outer_rules(rule).filter_map(|outer| of_rules.get(&outer));
            let keys = self.keys_around(rule, |outer| {
                let title = self.title_of_many(outer).and_then(key_name);
                of_rules.get(&outer).map(|key| key_name(*key)).or(title.map(Some))
            });
            let path = keys.iter().cloned().collect::<Option<Vec<_>>>().map(|keys| keys.concat());
            let has_name = is_named && path.is_some();
            let name = format!("{plain_name}{}", path.unwrap_or_default());
            let mut end = self.rules[rule].leaves.1;
            while end > value && self.is_end(end - 1) {
                end -= 1;
            }
            if value >= end && !self.is_blank_before(value) && !self.is_separator(value - 1) {
                continue;
            }
            let end = end.max(value);
            let Some(start) = self.start_of(value) else { continue };
            let stop = match end == value {
                true => start,
                false => self.leaves[end - 1].start + self.leaves[end - 1].text.len() as u32,
            };
            let stop = if self.is_plain { end_of_text(self.input, start..stop) } else { stop };
            let text: &'t [u8] = &self.input[start as usize..stop as usize];
            let is_text = end == value + 1 && self.leaves[value].is_text;
            let part = Part { text, start, leaf: value, is_text };
            let outer = Some(rule);
            let item = Item {
                name: format!("{VALUE_OF}{name}").into(),
                is_fixed: false,
                part,
                rule: outer,
            };
            let (mut named, is_empty) = self.listed((start, stop), &name);
            named.extend(words_of(&named, words));
            if is_empty {
                empty_lists
                    .extend(is_named.then(|| (rule, format!("{ITEMS_IN}{plain_name}").into())));
                // Under a key that has no name, it has none for the whole input.
                empty.extend(has_name.then(|| Name::from(format!("{ITEMS_IN}{name}"))));
            }
            let with_name = |name: String, is_fixed: bool| Item {
                name: name.into(),
                is_fixed,
                part: item.part.clone(),
                rule: outer,
            };
            let inner = quoted(item.part.text).unwrap_or(item.part.text);
            if end == value + 1 {
                let marks = marks(item.part.text).into_iter();
                named.extend(
                    marks.map(|mark| with_name(format!("{}{WITH}{mark:?}", item.name), true)),
                );
                let decimals = kind_by_decimals(&item.name, item.part.text);
                named.extend(decimals.map(|name| with_name(name, true)));
            }
            // A text in quotation marks is not the word of the language in it.
            let is_constant = matches!(inner, b"true" | b"false" | b"null");
            if !(item.part.is_text && is_constant) {
                let by_text = words.name_by_text(&item.name, item.part.text);
                named.extend(by_text.map(|name| with_name(name, true)));
            }
            let is_token = |other: &&Item<'t>| {
                other.part.leaf == value
                    && other.part.text == item.part.text
                    && self.is_of_token(other)
            };
            let is_rule = |other: &&Item<'t>| {
                other.part.start == start
                    && other.part.text == item.part.text
                    && is_rule(&other.name)
            };
            if let Some(token) = self.items.iter().find(is_token) {
                named.push(with_name(format!("{} {}", token.name, item.name), false));
            } else if let Some(inner) = self.items.iter().rfind(is_rule) {
                named.push(with_name(format!("{} {}", inner.name, item.name), true));
            }
            named.push(item);
            if is_named {
                together.push((plain_name.clone(), rule));
                own.extend(named.iter().map(|item| {
                    let name = item.name.replacen(&name, &plain_name, 1);
                    Item { name: name.into(), ..item.clone() }
                }));
            }
            // An object that is the value of a key of another one is a part of that: its keys are compared with those beside it.
            if let Some(outer) = outer_keys().next().filter(|_| is_named)
                && let (Some(key), (outer, value)) = (key_name(*outer), keyed[outer])
                && self.leaves.get(value).is_some_and(|leaf| leaf.text == b"{")
            {
                let name = format!("{VALUE_OF}{plain_name}{OF_KEY}{key}").into();
                own.extend(named.last().map(|item| Item {
                    name,
                    rule: Some(outer),
                    ..item.clone()
                }));
            }
            if words.have_maps {
                let first = self.leaves.get(value).map(|leaf| leaf.text);
                let has_parts = matches!(first, Some(b"{" | b"["));
                for of_any in names_with_any_key(is_named.then_some(&*plain_name), &keys, has_parts)
                {
                    found.extend(named.iter().map(|item| {
                        let name = item.name.replacen(&name, &of_any, 1).into();
                        Item { name, ..item.clone() }
                    }));
                }
            }
            if has_name {
                found.extend(named);
            }
        }
        found.extend(self.items_of_whole());
        own.sort_by_key(|item| (item.part.start, item.part.leaf));
        self.find_both(together.iter().map(|(name, rule)| (name, *rule)));
        self.keyed = own;
        self.empty.extend(empty);
        self.empty_lists.extend(empty_lists);
        self.items.extend(found);
    }

    /// Whether rules have a key twice, by the names of the rules.
    ///
    /// Many programs keep the last of two values, so that such inputs fail by another rule than the others.
    fn find_twins(&mut self, keyed: &BTreeMap<usize, (usize, usize)>) {
        let mut known: BTreeMap<usize, Vec<&[u8]>> = BTreeMap::new();
        let named = keyed.iter().map(|(first, (rule, _))| (*first, *rule));
        // A key without a text has no name, and two of them are twins all the same.
        let all: BTreeSet<(usize, usize)> = named.chain(self.empty_keys()).collect();
        for (first, rule) in all {
            let Some(outer) = self.rules[rule].outer else { continue };
            let keys = known.entry(outer).or_default();
            let key = self.key_text(first);
            let is_twin = keys.contains(&key);
            keys.push(key);
            *self.twin_keys.entry(self.rules[outer].name.clone()).or_default() |= is_twin;
        }
    }

    /// The keys that are an empty text, each with its rule.
    ///
    /// A separator has to follow.
    fn empty_keys(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let text = |leaf: usize| self.leaves.get(leaf).map(|leaf| leaf.text);
        let rules = self.rules.iter().enumerate().skip(1);
        rules.map(|(rule, inside)| (inside.leaves.0, rule)).filter(move |(first, _)| {
            text(*first).is_some_and(|key| quoted(key) == Some(b""))
                && text(first + 1).is_some_and(|next| SEPARATORS.contains(&next))
        })
    }

    /// The text of a key: a word, and what follows it up to a separator.
    fn key_text(&self, first: usize) -> &'t [u8] {
        let start = self.leaves[first].start as usize;
        let end = self.end_of_key(first);
        let last = &self.leaves[end - 1];
        &self.input[start..last.start as usize + last.text.len()]
    }

    /// The leaf after a key. Where the grammar has no names, `a1` is two leaves, and `pool.min` and `max-size` are three if a separator follows.
    fn end_of_key(&self, first: usize) -> usize {
        let joined = self.end_of_joined_key(first);
        let is_key = self.is_plain && self.is_separator(self.after_blanks(joined));
        if is_key { joined } else { self.end_of_word(first) }
    }

    /// The leaf after a word and what touches it by points and hyphens.
    ///
    /// A point at the end of a sentence belongs to no key, because no word touches it.
    fn end_of_joined_key(&self, first: usize) -> usize {
        let mut end = self.end_of_word(first);
        let is_joint = |leaf: usize| matches!(self.leaves[leaf].text, b"." | b"-");
        while end + 1 < self.leaves.len() && is_joint(end) && self.is_of_name(end + 1) {
            end = self.end_of_word(end + 1);
        }
        end
    }

    /// The leaf after a word of letters and digits.
    fn end_of_word(&self, first: usize) -> usize {
        let is_of_key = |leaf: &super::outline::Leaf<'_>| {
            !leaf.is_fixed && leaf.text.iter().all(u8::is_ascii_alphanumeric)
        };
        let mut end = first + 1;
        while let [before, leaf, ..] = &self.leaves[end - 1..] {
            let is_next = before.start as usize + before.text.len() == leaf.start as usize;
            if !(is_next && is_of_key(before) && is_of_key(leaf)) {
                break;
            }
            end += 1;
        }
        end
    }

    /// Which keys are in one rule with each other, by the names of the rules. `keys` are names of keys and their rules.
    ///
    /// The first keys of a rule count.
    fn find_both<'n>(&mut self, keys: impl Iterator<Item = (&'n Name, usize)>) {
        let mut known: BTreeMap<usize, BTreeSet<&Name>> = BTreeMap::new();
        for (key, rule) in keys {
            let Some(outer) = self.rules[rule].outer else { continue };
            let keys = known.entry(outer).or_default();
            if keys.len() < MAX_KEYS_TOGETHER {
                keys.insert(key);
            }
        }
        for (outer, keys) in &known {
            let name = &self.rules[*outer].name;
            for (one, other) in keys.iter().flat_map(|one| {
                keys.range::<&Name, _>((Excluded(one), Unbounded)).map(move |other| (one, other))
            }) {
                self.both_keys.insert((name.clone(), (*one).clone(), (*other).clone()));
            }
        }
    }

    /// The first leaf of the value in a rule with these leaves.
    ///
    /// A leaf without a letter or digit is no key. Without a separator only a text that the grammar has is
    /// one, and only before a leaf that it does not have.
    fn value(&self, (first, end): (usize, usize)) -> Option<usize> {
        let key = self.leaves.get(first).filter(|_| first + 1 < end)?;
        // A key of marks alone is one if it is a text: its values are not those of the key around it.
        if !key.text.iter().any(u8::is_ascii_alphanumeric) && quoted(key.text).is_none() {
            return None;
        }
        let after = self.end_of_key(first);
        let next = self.after_blanks(after).min(end);
        let has_blank = next > after;
        let is_word = after == first + 1 && key.text.iter().any(u8::is_ascii_alphabetic);
        let Some(text) = self.leaves.get(next).filter(|_| next < end) else {
            return Some(next).filter(|_| has_blank && is_word);
        };
        if self.is_separator(next) {
            // The value may be without text: `Exec=`.
            return Some(self.after_blanks(next + 1).min(end));
        }
        // In a text without a grammar only a blank is between a command and its object, which may begin with a mark.
        let is_value = key.is_fixed || has_blank;
        let is_begun =
            || has_blank && OPENING_MARKS.contains(&text.text) && self.touches(next, end);
        (is_word && is_value && (!text.is_fixed || is_begun())).then_some(next)
    }

    /// Whether a text or the same mark follows a mark at once: `-5` and `""`, and neither `- 5` nor `->`.
    fn touches(&self, mark: usize, end: usize) -> bool {
        let next = self.leaves[..end].get(mark + 1);
        next.is_some_and(|next| match next.is_fixed {
            true => next.text == self.leaves[mark].text,
            false => !next.text.trim_ascii().is_empty(),
        })
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

    /// Whether a rule in brackets is the value of a key, whatever the key is.
    ///
    /// A condition that is read again may not name the key.
    pub(super) fn is_value_in_brackets(&self, rule: usize) -> bool {
        let first = self.rules[rule].leaves.0;
        let is_open = self.leaves.get(first).is_some_and(|leaf| matches!(leaf.text, b"[" | b"{"));
        is_open && first > 0 && self.is_separator(first - 1)
    }

    /// Whether a leaf may be between a key and its value.
    fn is_separator(&self, leaf: usize) -> bool {
        self.leaves.get(leaf).is_some_and(|leaf| SEPARATORS.contains(&leaf.text))
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

    /// The items of the list that is all of the input, where it is one: it has no key.
    fn items_of_whole(&self) -> Vec<Item<'t>> {
        let (Some(first), Some(last)) = (self.leaves.first(), self.leaves.last()) else {
            return Vec::new();
        };
        let span = (first.start, last.start + 1);
        let is_list = |rule: &Rule| rule.span == span && LISTS.contains(&&*rule.name);
        match (first.text, last.text) {
            (b"[", b"]") if self.rules.iter().any(is_list) => self.listed(span, WHOLE).0,
            _ => Vec::new(),
        }
    }

    /// Names the items of a list in a value: the parts of the innermost rule that is all of it and begins
    /// with a bracket. A list without parts has a name too; the second result says whether it is one.
    ///
    /// Their number is then a feature by the key, so that a condition can say how many items a list
    /// has.
    fn listed(&self, span: (u32, u32), key: &str) -> (Vec<Item<'t>>, bool) {
        let mut rules = self.rules.iter().enumerate();
        let is_all =
            |(_, rule): &(usize, &Rule)| rule.span == span && rule.leaves.1 > rule.leaves.0 + 1;
        let Some((number, rule)) = rules.rfind(is_all) else { return (Vec::new(), false) };
        if !self.leaves[rule.leaves.0].is_fixed || OBJECTS.contains(&&*rule.name) {
            return (Vec::new(), false);
        }
        let name = Name::from(format!("{ITEMS_IN}{key}"));
        let listed = self.items.iter().filter(|item| {
            let is_part = item.rule == Some(number) && !item.is_fixed;
            is_part && !item.name.contains(" in ") && !is_between_items(item.part.text)
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
                name: format!("{} {name}", item.name).into(),
                is_fixed: false,
                part: item.part.clone(),
                rule: Some(number),
            })
            .collect();
        named.extend(typed);
        let is_empty = named.is_empty();
        (named, is_empty)
    }
}

/// Whether a text is a comma or a semicolon with blanks, which some grammars have as a token with several texts.
fn is_between_items(text: &[u8]) -> bool {
    matches!(text.trim_ascii(), b"," | b";")
}
