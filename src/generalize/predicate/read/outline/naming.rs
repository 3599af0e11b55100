//! Further names of parts: by their place in a list, by the word before them, by the marks after them.
//!
//! What has a name can be part of a condition. The names depend on the input and on the words of the search alone.

use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet};

use super::{AFTER_HEAD, Item, Leaf, ORDINALS, Outline, Rule};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::read::keys::SEPARATORS;
use crate::generalize::predicate::read::names::{ROOT, is_operator};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{
    AFTER, BEFORE, BETWEEN, FIELD, IS_WORD, OF_KEY, THAT_BEGINS, TITLE_BEGINS, plain_key,
};

/// Leaves between the beginning of a rule and a token that is named by its brackets, because all of them are looked at.
const MAX_LEAVES_OF_LIST: usize = 256;
/// Bytes of a part that may be empty and is named if it is not: names and cells are short, and longer texts are hardly ever equal.
const MAX_FILLED_BYTES: usize = 64;
/// What the name of such a part ends with.
const FILLED: &str = " that is not empty";
/// What the name of a part with a title ends with, where there is one without.
const TITLED: &str = " below a title";

/// What may be between the kind and the name of a thing in a title: `remote "origin"`, `host:web`, `env.test`.
const MARKS_OF_TITLE: &[u8] = b" \t:./\"'";

/// The kind of what a title names, if it has one: all before the last mark or blank that is followed by a name.
///
/// `Desktop Action new` is an action, and `remote "origin"` a remote. A title of one word has no kind.
fn kind_of_title(title: &[u8]) -> Option<String> {
    let title = std::str::from_utf8(title).ok()?;
    let is_mark = |c: char| c.is_ascii() && MARKS_OF_TITLE.contains(&(c as u8));
    let title = title.trim_matches(is_mark);
    let kind = title[..title.rfind(is_mark)?].trim_end_matches(is_mark);
    (!kind.is_empty()).then(|| kind.to_owned())
}

impl<'t> Outline<'t> {
    /// The rules of a name that make up the input have another name but for the first: a head has no rows before it.
    pub(super) fn name_rows(&mut self) {
        let mut seen: BTreeSet<&Name> = BTreeSet::new();
        let mut found = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.outer == Some(0)) {
            if seen.insert(&rule.name) {
                continue;
            }
            let part = self.all_of(rule);
            let name = format!("{} after the first", rule.name);
            found.push(Item { name: name.into(), is_fixed: true, part, rule: Some(0) });
        }
        self.items.extend(found);
    }

    /// Names the tokens that rules begin with, such as the name of a column before its type: `<NAME> that begins <column>`.
    ///
    /// Of rules that begin with the same token the innermost with something after it counts. Two columns of one name are then two equal tokens
    /// of that kind, whatever other names are in the definitions. After a bracket only words that the failure needs have such a name, by their text:
    /// `<STRING> that begins <array> that is "held"`.
    pub(in crate::generalize::predicate::read) fn name_firsts(&mut self, words: &Words) {
        let mut innermost: BTreeMap<usize, usize> = BTreeMap::new();
        let mut in_brackets: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, rule) in self.rules.iter().enumerate().skip(1) {
            let is_longer = rule.leaves.1 > rule.leaves.0 + 1;
            let first = self.leaves.get(rule.leaves.0).filter(|_| is_longer);
            if first.is_some_and(|leaf| !leaf.is_fixed) {
                innermost.insert(rule.leaves.0, number);
            } else if first.is_some_and(|leaf| leaf.text == b"[") {
                in_brackets.insert(rule.leaves.0 + 1, number);
            }
        }
        let is_first = |item: &&Item<'t>| self.is_of_token(item);
        let found = self.items.iter().filter(is_first).filter_map(|item| {
            let rule = innermost.get(&item.part.leaf)?;
            let name = format!("{}{THAT_BEGINS}{}", item.name, self.rules[*rule].name).into();
            Some(Item { name, rule: Some(*rule), ..item.clone() })
        });
        let by_text = self.items.iter().filter(is_first).filter_map(|item| {
            let rule = in_brackets.get(&item.part.leaf)?;
            let word = words.name(item.part.text).filter(|word| words.is_preferred(word))?;
            let name = &self.rules[*rule].name;
            let name = format!("{}{THAT_BEGINS}{name}{IS_WORD}{word}", item.name).into();
            Some(Item { name, is_fixed: true, rule: Some(*rule), ..item.clone() })
        });
        let found: Vec<Item<'t>> = found.chain(by_text).collect();
        self.items.extend(found);
    }

    /// Rules that begin with a mark and a word have a name with that word: `<element> "row"`, and a `<table>` after `[server]`.
    pub(super) fn name_elements(&mut self, words: &Words) {
        let named = self.rules.iter().skip(1).filter_map(|rule| {
            let (name, part) = (self.element(rule, words)?, self.all_of(rule));
            Some(Item { name, is_fixed: true, part, rule: rule.outer })
        });
        let found: Vec<Item<'t>> = named.collect();
        self.items.extend(found);
    }

    /// The name of a rule that begins with a mark and a word.
    fn element(&self, rule: &Rule, words: &Words) -> Option<Name> {
        let word = words.name(self.word_of_element(rule)?)?;
        Some(format!("{} {word}", rule.name).into())
    }

    /// The word of a rule that begins with a mark and a word, and is no list.
    pub(in crate::generalize::predicate::read) fn word_of_element(
        &self,
        rule: &Rule,
    ) -> Option<&'t [u8]> {
        let [mark, word, rest @ ..] = &self.leaves[rule.leaves.0..rule.leaves.1] else {
            return None;
        };
        // A word alone in brackets is a title, more of them are a list.
        let is_title = || {
            let is_bare = word.text.first().is_some_and(u8::is_ascii_alphanumeric);
            is_bare && rest.first().is_some_and(|leaf| leaf.text == b"]")
        };
        let is_list = mark.text == b"{" || mark.text == b"[" && !is_title();
        let is_mark = mark.is_fixed && !is_list && !mark.text.iter().any(u8::is_ascii_alphanumeric);
        let is_word = !word.is_fixed && word.text.iter().any(u8::is_ascii_alphanumeric);
        (is_mark && is_word).then_some(word.text)
    }

    /// Names the values of keys by the element that they are in, if the failure needs its word: `value of "name" of <content> "string"`; and by that and
    /// the one that it is right in, `... of <content> "resources"`.
    ///
    /// Two elements of one word may be anywhere, and an attribute of each be equal.
    pub(in crate::generalize::predicate::read) fn name_keys_of_elements(&mut self, words: &Words) {
        let is_value = |item: &&Item<'t>| !item.is_fixed && plain_key(&item.name).is_some();
        let named = self.keyed.iter().filter(is_value).filter_map(|item| {
            let rules = &self.rules;
            let mut outer = self.outer_rules(item.rule?);
            let (own, element) =
                outer.find_map(|outer| Some((outer, self.element(&rules[outer], words)?)))?;
            // The one that it is right in, whatever its word is.
            let is_parent = |outer: &usize| {
                rules[*outer].name == rules[own].name && rules[*outer].span != rules[own].span
            };
            let parent = self.outer_rules(own).find(is_parent);
            let parent = parent.and_then(|parent| self.element(&rules[parent], words));
            let name = format!("{}{OF_KEY}{element}", item.name);
            let parent = parent.filter(|parent| words.is_preferred(parent));
            let of_parent = parent.map(|parent| format!("{name}{OF_KEY}{parent}"));
            let names =
                words.is_preferred(&element).then(|| std::iter::once(name).chain(of_parent));
            Some(names.into_iter().flatten().map(|name| Item { name: name.into(), ..item.clone() }))
        });
        let named = named.flatten();
        let found: Vec<Item<'t>> = named.collect();
        self.items.extend(found);
    }

    /// Parts with a title have another name where a part without one has theirs too: `<table> below a title`, `<table>`. Where the title is the name
    /// of a thing after its kind, they have one by the kind: `<section> whose title begins with "Desktop Action"`, `<table> whose title begins with "pools"`.
    ///
    /// Some programs look at the part before the first title as at the others, and some do not.
    pub(super) fn name_titled(&mut self, language: &Sampler) {
        let has_root = |rule: &Rule| {
            let name = rule.name.trim_matches(['<', '>']);
            language.grammar().rule_named(&format!("{ROOT}{name}")).is_some()
        };
        let mut found = Vec::new();
        for rule in self.rules.iter().skip(1).filter(|rule| has_root(rule)) {
            let first = self.leaves.get(rule.leaves.0).filter(|leaf| leaf.is_fixed);
            if first.is_some_and(|leaf| leaf.text.starts_with(b"[")) {
                let text =
                    |leaf: usize| self.leaves.get(rule.leaves.0 + leaf).map(|leaf| leaf.text);
                // The first of two names, as in `[pools.web]`.
                let first = text(1).filter(|_| text(2).is_some_and(|mark| mark == b"."));
                let first = first.and_then(|name| String::from_utf8(name.to_vec()).ok());
                let title = first.or_else(|| kind_of_title(text(1)?));
                let names =
                    [Some(TITLED.to_owned()), title.map(|kind| format!("{TITLE_BEGINS}{kind:?}"))];
                let part = self.all_of(rule);
                found.extend(names.into_iter().flatten().map(|end| {
                    let name = format!("{}{end}", rule.name).into();
                    Item { name, is_fixed: true, part: part.clone(), rule: rule.outer }
                }));
            }
        }
        self.items.extend(found);
    }

    /// Short parts that may be without text have another name if they have one: `<cell> that is not empty`.
    ///
    /// Many programs pass over empty names and cells, so that two of them are no duplicates.
    pub(super) fn name_filled(&mut self) {
        let is_filled = |rule: &Rule| {
            let length = (rule.span.1 - rule.span.0) as usize;
            rule.can_be_empty && rule.outer != Some(0) && (1..=MAX_FILLED_BYTES).contains(&length)
        };
        let rules = self.rules.iter().skip(1).filter(|rule| is_filled(rule));
        let found: Vec<Item<'t>> = rules
            .map(|rule| {
                let (name, part) = (format!("{}{FILLED}", rule.name).into(), self.all_of(rule));
                Item { name, is_fixed: false, part, rule: rule.outer }
            })
            .collect();
        self.items.extend(found);
    }

    /// The first parts of lists whose parts are single tokens have further names: columns of tables.
    pub(super) fn name_columns(&mut self) {
        let mut found = Vec::new();
        let mut counts: BTreeMap<(usize, &Name), usize> = BTreeMap::new();
        let mut is_flat: BTreeMap<(usize, &Name), bool> = BTreeMap::new();
        let is_rule = |item: &Item<'t>| item.name.starts_with('<') && !item.name.contains(' ');
        let has_head = |rule: usize| {
            let Rule { name, outer, .. } = &self.rules[rule];
            let mut before = self.rules[..rule].iter();
            *outer == Some(0) && before.any(|one| one.outer == Some(0) && one.name == *name)
        };
        for item in self.items.iter().filter(|item| is_rule(item)) {
            let Some(rule) = item.rule.filter(|rule| *rule > 0) else { continue };
            let leaf = self.leaves.get(item.part.leaf);
            let is_one =
                item.part.text.is_empty() || leaf.is_some_and(|leaf| leaf.text == item.part.text);
            *is_flat.entry((rule, &item.name)).or_insert(true) &= is_one;
        }
        for item in self.items.iter().filter(|item| is_rule(item)) {
            let Some(rule) = item.rule else { continue };
            if is_flat.get(&(rule, &item.name)) != Some(&true) {
                continue;
            }
            let count = counts.entry((rule, &item.name)).or_default();
            *count += 1;
            let Some(ordinal) = ORDINALS.get(*count - 1) else { continue };
            let name = format!("{ordinal} {} in {}", item.name, self.rules[rule].name);
            // A table's head is no row.
            if has_head(rule) {
                let name = format!("{name}{AFTER_HEAD}");
                let part = item.part.clone();
                found.push((
                    *count,
                    rule,
                    Item { name: name.into(), is_fixed: false, part, rule: Some(rule) },
                ));
            }
            found.push((
                *count,
                rule,
                Item {
                    name: name.into(),
                    is_fixed: false,
                    part: item.part.clone(),
                    rule: Some(rule),
                },
            ));
        }
        // The only part of a rule is no column, but for the cell of a row that could be empty.
        let is_row =
            |rule: &usize| self.rules[*rule].outer == Some(0) && self.rules[*rule].can_be_empty;
        let lists: BTreeSet<usize> = found
            .iter()
            .filter(|(count, rule, _)| *count > 1 || is_row(rule))
            .map(|(_, rule, _)| *rule)
            .collect();
        let columns = found.into_iter().filter(|(_, rule, _)| lists.contains(rule));
        self.items.extend(columns.map(|(_, _, item)| item).collect::<Vec<_>>());
    }

    /// Parts of a list that are between two others which are not empty have a further name: an empty cell among others.
    pub(in crate::generalize::predicate::read) fn name_between(&mut self) {
        let mut lists: BTreeMap<(usize, &Name), Vec<&Item<'t>>> = BTreeMap::new();
        let is_rule = |name: &str| name.starts_with('<') && !name.contains(' ');
        for item in self.items.iter().filter(|item| !item.is_fixed) {
            let is_told = is_rule(&item.name) || item.name.starts_with(FIELD);
            if let Some(rule) = item.rule.filter(|rule| *rule > 0 && is_told) {
                lists.entry((rule, &item.name)).or_default().push(item);
            }
        }
        let mut found = Vec::new();
        for ((_, name), items) in lists {
            for three in items.windows(3) {
                if !three[0].part.text.is_empty() && !three[2].part.text.is_empty() {
                    let name = format!("{name}{BETWEEN}");
                    found.push(Item { name: name.into(), ..three[1].clone() });
                }
            }
        }
        self.items.extend(found);
    }

    /// Tokens right after a word have a name by it: `<NAME> after "set"`. With a grammar it is a word of the grammar, an operator, or a function that the
    /// failure needs, without one the first word of a line, and for numbers any word: `60 to 920`.
    pub(in crate::generalize::predicate::read) fn name_after_words(&mut self, words: &Words) {
        let is_plain = self.is_plain;
        let is_word = |leaf: &Leaf<'t>| leaf.text.iter().all(u8::is_ascii_alphabetic);
        let is_blank = |leaf: &Leaf<'t>| leaf.text.iter().all(|byte| b" \t".contains(byte));
        let starts: BTreeSet<usize> = self.rules.iter().map(|rule| rule.leaves.0).collect();
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(|item| self.is_of_token(item)) {
            let before = match is_plain {
                true => {
                    let blank = self.start_of_range(item).checked_sub(1);
                    let blank = blank.filter(|leaf| is_blank(&self.leaves[*leaf]));
                    let word = blank.and_then(|leaf| leaf.checked_sub(1));
                    let word = word.filter(|leaf| {
                        let is_any = item.name == "<NUMBER>" && is_word(&self.leaves[*leaf]);
                        is_any || starts.contains(leaf)
                    });
                    word.or_else(|| {
                        let word = self.word_before_mark(item)?;
                        let is_blank = |leaf: &usize| is_blank(&self.leaves[*leaf]);
                        let first = word.checked_sub(1).filter(is_blank).unwrap_or(word);
                        let is_first = starts.contains(&word) || starts.contains(&first);
                        let name = words.name(self.leaves[word].text);
                        name.filter(|name| !is_first && words.is_preferred(name)).map(|_| word)
                    })
                }
                false => item.part.leaf.checked_sub(1),
            };
            if is_plain && item.name == "<NUMBER>" {
                found.extend(self.before_word(item, words));
            }
            let Some(leaf) = before.map(|leaf| &self.leaves[leaf]) else { continue };
            if !is_plain && let Some(function) = self.function_before(item.part.leaf, words) {
                let name = format!("{}{AFTER}{function}", item.name);
                let by_text = words.name_by_text(&name, item.part.text).map(|name| (name, true));
                let names = [(name, false)].into_iter().chain(by_text);
                found.extend(names.map(|(name, is_fixed)| Item {
                    name: name.into(),
                    is_fixed,
                    ..item.clone()
                }));
            }
            let is_telling = is_word(leaf) || !is_plain && is_operator(leaf.text);
            if leaf.is_fixed == is_plain || !is_telling || is_plain && item.name == "<BLANK>" {
                continue;
            }
            let word = match is_plain {
                true => words.name(leaf.text),
                false => std::str::from_utf8(leaf.text).ok().map(|text| format!("{text:?}").into()),
            };
            if let Some(word) = word {
                found.push(Item {
                    name: format!("{}{AFTER}{word}", item.name).into(),
                    ..item.clone()
                });
            }
        }
        self.items.extend(found);
    }

    /// The word before a colon, an equals sign or a bracket that is before a number, with blanks or without: `seats` in `(seats: 3)`, `binding` in
    /// `@binding(3)`.
    fn word_before_mark(&self, number: &Item<'t>) -> Option<usize> {
        let text = |leaf: usize| self.leaves[leaf].text;
        let filled = |end: usize| (0..end).rev().find(|leaf| !text(*leaf).trim_ascii().is_empty());
        let mark = filled(number.part.leaf).filter(|_| number.name == "<NUMBER>")?;
        let word = filled(mark).filter(|_| matches!(text(mark), b":" | b"=" | b"("))?;
        text(word).iter().all(u8::is_ascii_alphabetic).then_some(word)
    }

    /// A number by the word after it, with a blank between, if the failure needs the word: `150 ms`.
    fn before_word(&self, number: &Item<'t>, words: &Words) -> Option<Item<'t>> {
        let [blank, word] = self.leaves.get(number.part.leaf + 1..number.part.leaf + 3)? else {
            return None;
        };
        let is_blank = blank.text.iter().all(|byte| b" \t".contains(byte));
        let is_word = word.text.iter().all(u8::is_ascii_alphabetic);
        let word = words.name(word.text).filter(|name| words.is_preferred(name));
        let word = word.filter(|_| is_blank && is_word)?;
        Some(Item { name: format!("{}{BEFORE}{word}", number.name).into(), ..number.clone() })
    }

    /// The name that is right before a leaf, maybe with an opening bracket between them, if the failure needs it: a function before its argument.
    fn function_before(&self, leaf: usize, words: &Words) -> Option<Name> {
        let is_open = |at: &usize| self.leaves[*at].is_fixed && self.leaves[*at].text == b"(";
        let before = leaf.checked_sub(1)?;
        let name = if is_open(&before) { before.checked_sub(1)? } else { before };
        let leaf = &self.leaves[name];
        let is_word = !leaf.is_fixed && leaf.text.first().is_some_and(u8::is_ascii_alphabetic);
        words.name(leaf.text).filter(|name| is_word && words.is_preferred(name))
    }

    /// Tokens of a grammar right before a separator have a name by it: `<STRING> before ":"` is a key, and no text.
    ///
    /// So a condition can be about keys whatever they are: one that is not ASCII, or one that is too long. Those without a
    /// grammar have such names too, see `without_grammar/fields.rs`.
    pub(in crate::generalize::predicate::read) fn name_before_separators(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(|item| self.is_of_token(item)) {
            let after = self.leaves.get(item.part.leaf + 1).filter(|leaf| leaf.is_fixed);
            if let Some(mark) = after.filter(|leaf| SEPARATORS.contains(&leaf.text)) {
                let mark = String::from_utf8_lossy(mark.text);
                let name = Name::from(format!("{}{BEFORE}{mark:?}", item.name));
                found.push(Item { name, ..item.clone() });
            }
        }
        self.items.extend(found);
    }

    /// Tokens between brackets have a name by these, where their rule has others before the brackets: the parameters of a
    /// function, and not its name.
    pub(in crate::generalize::predicate::read) fn name_in_brackets(&mut self) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.items.iter().filter(|item| self.is_of_token(item)) {
            let Some(rule) = item.rule.filter(|rule| *rule > 0) else { continue };
            let first = self.rules[rule].leaves.0;
            let before = first..item.part.leaf;
            if before.len() > MAX_LEAVES_OF_LIST {
                continue;
            }
            let mut open: Vec<(usize, &str)> = Vec::new();
            for leaf in before.filter(|leaf| self.leaves[*leaf].is_fixed) {
                match self.leaves[leaf].text {
                    b"(" => open.push((leaf, "\"(\" and \")\"")),
                    b"[" => open.push((leaf, "\"[\" and \"]\"")),
                    b"{" => open.push((leaf, "\"{\" and \"}\"")),
                    b")" | b"]" | b"}" => drop(open.pop()),
                    _ => {}
                }
            }
            if let Some((_, brackets)) = open.last().filter(|(leaf, _)| *leaf > first) {
                let name = format!("{} between {brackets}", item.name);
                found.push(Item { name: name.into(), ..item.clone() });
            }
        }
        self.items.extend(found);
    }
}
