//! Sections and items of a text without a grammar: a title in brackets with the lines up to the next title, and a line
//! after `- ` or any line that is not indented, with the lines below it that are indented more.
//!
//! Settings are often in sections, and a condition about one of them is about all of its lines: a section without a host,
//! a key that is twice in one section. A section is a rule like those of a grammar, so that all features of rules are read
//! of it.

use std::collections::BTreeSet;

use super::bodies::pairs::Body;
use super::heads;
use super::lines::{indentation_of, is_title};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Leaf, Outline, Rule};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{
    BEGINS_WITH, BLOCK, BODY, ENTRY, GROUP, INNER_ENTRY, SECTION, TITLE,
};

/// The name of a line.
pub(super) const LINE: &str = "<line>";

/// The name of an item of a list.
pub(in crate::generalize::predicate::read) const ITEM: &str = "<item>";

/// The name of an item that is in no other one.
///
/// It adds no rule: the item has a second name.
pub(in crate::generalize::predicate::read) const OUTER_ITEM: &str = "<outer item>";

/// The name of the lines of a group but for the first one.
pub(in crate::generalize::predicate::read) const BELOW: &str = "<line below>";

/// The name of the last number of the first line of a group.
pub(in crate::generalize::predicate::read) const LAST_NUMBER: &str =
    "last <NUMBER> of the first line";

/// Whether a rule of that name is of several lines, so that one of one line is not the line.
pub(in crate::generalize::predicate::read) fn is_of_lines(name: &str) -> bool {
    [SECTION, ITEM, ENTRY, INNER_ENTRY, BLOCK, BODY].contains(&name) || name.starts_with(GROUP)
}

/// Whether parts of that name are put into groups: lines, and items of lines.
fn is_grouped(name: &str) -> bool {
    [LINE, ITEM, OUTER_ITEM].contains(&name)
}

/// The name of the lines of a group but for the first one that begin with a mark.
fn below(mark: u8) -> Name {
    format!("{BELOW}{BEGINS_WITH}{:?}", char::from(mark).to_string()).into()
}

/// The first word of a line, whatever blanks are before it.
///
/// Empty for a line of blanks.
fn first_word(line: &[u8]) -> &[u8] {
    line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// What a line is to the parts that lines are grouped in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It begins one.
    Begins,
    /// It belongs to the last one.
    Continues,
    /// It belongs to none.
    Outside,
}

impl<'t> Outline<'t> {
    /// Puts the lines of each section into a rule of its own. Only texts that are read without a grammar have lines.
    ///
    /// Nothing changes where no line is a title.
    pub(in crate::generalize::predicate::read) fn group_sections(&mut self) {
        // With `[/b]` in the text, `[b]` is a tag.
        if self.input.windows(2).any(|two| two == b"[/") {
            return;
        }
        let roles = self.rules.iter().map(|rule| {
            let line = self.input[rule.span.0 as usize..rule.span.1 as usize].trim_ascii();
            if rule.name == LINE && is_title(line) { Role::Begins } else { Role::Continues }
        });
        let roles = roles.collect();
        self.group(SECTION, roles);
        self.name_titles();
    }

    /// Puts each item of a list into a rule of its own: a line with `- `, `* ` or `+ ` before its text, and the lines below it that are
    /// indented more than it. Not in texts with sections, or with bodies of several lines: a template may have such a line in a loop.
    pub(in crate::generalize::predicate::read) fn group_items(&mut self, bodies: &[Body<'_>]) {
        let is_of_lines =
            |body: &Body<'_>| self.input[body.open.end..body.close.start].contains(&b'\n');
        let has_sections = self.rules.iter().any(|rule| rule.name == SECTION);
        if has_sections || bodies.iter().any(is_of_lines) {
            return;
        }
        let mut margin = None;
        let roles = self.rules.iter().map(|rule| {
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let text = line.trim_ascii_start();
            let indentation = line.len() - text.len();
            if rule.name == LINE && matches!(text, b"-" | [b'-' | b'*' | b'+', b' ', ..]) {
                margin = Some(indentation);
                return Role::Begins;
            }
            let is_inside = text.is_empty() || margin.is_some_and(|margin| indentation > margin);
            margin = margin.filter(|_| is_inside);
            if is_inside { Role::Continues } else { Role::Outside }
        });
        let roles = roles.collect();
        self.group(ITEM, roles);
        let outer = self.outer_items();
        self.items.extend(outer);
    }

    /// The items that are in no other one by their indentation: those that are indented as little as the first of their list.
    ///
    /// A number of things may be that of these alone, with a list below each of them.
    fn outer_items(&self) -> Vec<Item<'t>> {
        let (mut found, mut margin, mut end) = (Vec::new(), 0, None);
        for rule in self.rules.iter().filter(|rule| rule.name == ITEM) {
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let indentation = indentation_of(line);
            // Between two lists is a line that is no item.
            let gap = end.map(|end| &self.input[end as usize..rule.span.0 as usize]);
            let is_first = gap.is_none_or(|gap| !gap.trim_ascii().is_empty());
            if is_first || indentation <= margin {
                margin = indentation;
                let (name, part) = (OUTER_ITEM.into(), self.all_of(rule));
                found.push(Item { name, is_fixed: false, part, rule: Some(0) });
            }
            end = Some(rule.span.1);
        }
        found
    }

    /// Puts each line that is not indented into a rule of its own, with the lines below it that are. Not in texts with sections, or with items
    /// that are not indented.
    ///
    /// Empty lines are within it, so that what is below an empty line and indented belongs to the line before. So do indented items: a
    /// key with its list.
    pub(in crate::generalize::predicate::read) fn group_entries(&mut self) {
        let is_indented =
            |rule: &Rule| self.input.get(rule.span.0 as usize).is_some_and(u8::is_ascii_whitespace);
        let is_whole =
            |rule: &Rule| is_of_lines(&rule.name) && !(rule.name == ITEM && is_indented(rule));
        if self.rules.iter().any(is_whole) {
            return;
        }
        let roles = self.rules.iter().map(|rule| {
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let is_begin = line.first().is_some_and(|first| !first.is_ascii_whitespace());
            if rule.name == LINE && is_begin { Role::Begins } else { Role::Continues }
        });
        let roles = roles.collect();
        self.group(ENTRY, roles);
        // One without items has the number 0 that others are compared with.
        let has_items = |entry: usize| {
            self.rules.iter().any(|rule| rule.name == ITEM && rule.outer == Some(entry))
        };
        let entries = self.rules.iter().enumerate().filter(|(_, rule)| rule.name == ENTRY);
        let empty = entries.filter(|(entry, _)| !has_items(*entry));
        let empty =
            empty.flat_map(|(entry, _)| [ITEM, OUTER_ITEM].map(|name| (entry, name.into())));
        let empty: Vec<(usize, Name)> = empty.collect();
        self.empty_lists.extend(empty);
    }

    /// Puts the lines from one that begins with a word or mark up to the next such line into a rule of its own: `<group:station>`.
    ///
    /// Not in texts with other groups, but for items, which are inside. The lines below the first one have a name, and one by the mark that
    /// each begins with, or by its first word if the failure needs that, so that a number in the first line can be compared with how many follow.
    pub(in crate::generalize::predicate::read) fn group_under(
        &mut self,
        head: &str,
        words: &Words,
    ) {
        let is_group = |rule: &Rule| is_of_lines(&rule.name) && rule.name != ITEM;
        if self.rules.iter().any(is_group) {
            return;
        }
        let roles = self.rules.iter().map(|rule| {
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let is_begin = rule.name == LINE && heads::head(line) == Some(head.as_bytes());
            if is_begin { Role::Begins } else { Role::Continues }
        });
        let roles = roles.collect();
        self.group(&format!("{GROUP}{head}>"), roles);
        let is_below = |rule: &&Rule| {
            let outer = rule.outer.map(|outer| &self.rules[outer]);
            rule.name == LINE
                && rule.span.0 < rule.span.1
                && outer.is_some_and(|one| one.name.starts_with(GROUP) && one.span.0 < rule.span.0)
        };
        let lines = self.rules.iter().filter(is_below);
        let found = lines.flat_map(|line| {
            let part = self.all_of(line);
            let mark = part.text.first().filter(|mark| mark.is_ascii_punctuation());
            let word = words.name(first_word(part.text)).filter(|word| words.is_preferred(word));
            let word = word.map(|word| format!("{BELOW}{BEGINS_WITH}{word}").into());
            let names = std::iter::once(BELOW.into()).chain(mark.map(|mark| below(*mark)));
            let names = names.chain(word);
            names.map(move |name| Item {
                name,
                is_fixed: false,
                part: part.clone(),
                rule: line.outer,
            })
        });
        let mut found: Vec<Item<'t>> = found.collect();
        found.extend(self.last_numbers());
        self.empty_lists.extend(self.names_without_lines());
        self.items.extend(found);
    }

    /// The names that the lines below the first one of a group could have, and have not: a number may be compared with none of them.
    fn names_without_lines(&self) -> Vec<(usize, Name)> {
        let groups = self.rules.iter().enumerate().filter(|(_, rule)| rule.name.starts_with(GROUP));
        let missing = groups.flat_map(|(number, group)| {
            let text = &self.input[group.span.0 as usize..group.span.1 as usize];
            let lines = text.split(|byte| *byte == b'\n').skip(1).filter(|line| !line.is_empty());
            let begins: BTreeSet<u8> = lines.map(|line| line[0]).collect();
            let marks = heads::ITEM_MARKS.iter().filter(|mark| !begins.contains(mark));
            let all = begins.is_empty().then(|| [BELOW, ITEM, OUTER_ITEM].map(Name::from));
            let names = marks.map(|mark| below(*mark)).chain(all.into_iter().flatten());
            names.map(move |name| (number, name)).collect::<Vec<_>>()
        });
        missing.collect()
    }

    /// The last number of the first line of each group: in `House 3 (5)` it says how many things follow.
    fn last_numbers(&self) -> Vec<Item<'t>> {
        let groups = self.rules.iter().enumerate().filter(|(_, rule)| rule.name.starts_with(GROUP));
        let found = groups.filter_map(|(number, group)| {
            let leaves = &self.leaves[group.leaves.0..group.leaves.1];
            let line = leaves.iter().take_while(|leaf| !leaf.text.contains(&b'\n'));
            let is_number = |leaf: &&Leaf<'t>| leaf.text.iter().all(u8::is_ascii_digit);
            let last = line.filter(is_number).last()?;
            let part = self.part_at(last.text, last.start);
            Some(Item { name: LAST_NUMBER.into(), is_fixed: false, part, rule: Some(number) })
        });
        found.collect()
    }

    /// Puts lines without an empty one between them into a rule of their own: a paragraph, a cue of subtitles.
    ///
    /// Not in texts with sections or items, which are groups already. A line of blanks alone is empty.
    pub(in crate::generalize::predicate::read) fn group_blocks(&mut self) {
        if self.rules.iter().any(|rule| is_of_lines(&rule.name)) {
            return;
        }
        let mut is_inside = false;
        let roles = self.rules.iter().map(|rule| {
            let line = &self.input[rule.span.0 as usize..rule.span.1 as usize];
            let was_inside = is_inside;
            is_inside = rule.name == LINE && !line.trim_ascii().is_empty();
            match (was_inside, is_inside) {
                (false, true) => Role::Begins,
                (true, true) => Role::Continues,
                (_, false) => Role::Outside,
            }
        });
        let roles = roles.collect();
        self.group(BLOCK, roles);
    }

    /// Puts lines into rules of a name, by their roles.
    fn group(&mut self, name: &str, roles: Vec<Role>) {
        if !roles.contains(&Role::Begins) {
            return;
        }
        let old = std::mem::take(&mut self.rules);
        let (mut numbers, mut group) = (Vec::new(), None);
        for (rule, role) in old.into_iter().zip(roles) {
            if role == Role::Begins {
                group = Some(self.rules.len());
                let (span, leaves) = (rule.span, rule.leaves);
                let (name, outer) = (name.into(), Some(0));
                self.rules.push(Rule { name, span, leaves, outer, can_be_empty: false });
            }
            if role == Role::Outside {
                group = None;
            }
            numbers.push(self.rules.len());
            let is_line = is_grouped(&rule.name) && rule.outer == Some(0);
            if let Some(group) = group.filter(|_| is_line) {
                let around: &mut Rule = &mut self.rules[group];
                // Empty lines at its end are no part of it.
                if rule.span.0 < rule.span.1 {
                    (around.span.1, around.leaves.1) = (rule.span.1, rule.leaves.1);
                }
            }
            // A line of an item stays there.
            let own = rule.outer.map(|outer| numbers[outer]);
            let outer = if is_line { group.or(own) } else { own };
            self.rules.push(Rule { outer, ..rule });
        }
        for item in &mut self.items {
            item.rule = item.rule.map(|rule| numbers[rule]);
        }
        let groups: Vec<&Rule> = self.rules.iter().filter(|rule| rule.name == name).collect();
        let group_of = |start: u32| {
            self.rules
                .iter()
                .rposition(|rule| rule.name == name && (rule.span.0..=rule.span.1).contains(&start))
        };
        let is_outside = |item: &&mut Item<'_>| is_grouped(&item.name) && item.rule == Some(0);
        for item in self.items.iter_mut().filter(is_outside) {
            item.rule = group_of(item.part.start).or(item.rule);
        }
        let found = groups.into_iter().map(|rule| {
            let part = self.all_of(rule);
            Item { name: name.into(), is_fixed: false, part, rule: Some(0) }
        });
        let found: Vec<Item<'_>> = found.collect();
        self.items.extend(found);
    }

    /// Names the first line of each section: two sections of one title are two equal titles, and
    /// not two equal lines, of which any two may be meant.
    ///
    /// An item of a list has no title: its first line is a part of it as any other is.
    fn name_titles(&mut self) {
        let mut titles: Vec<Item<'_>> = Vec::new();
        let lines = self.rules.iter().enumerate().filter(|(_, rule)| rule.name == LINE);
        for (number, line) in lines {
            let section = line.outer.map(|outer| &self.rules[outer]);
            if section.is_some_and(|one| one.name == SECTION && one.span.0 == line.span.0) {
                let part = self.all_of(line);
                let (name, rule) = (TITLE.to_owned(), Some(number));
                titles.push(Item { name: name.into(), is_fixed: false, part, rule });
            }
        }
        self.items.extend(titles);
    }
}

#[cfg(test)]
mod tests {
    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Features, Words};
    use crate::generalize::predicate::plain;
    use crate::generalize::predicate::read::features;

    fn read(input: &[u8]) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(input).unwrap();
        features(&tree, input, &language, &Words::of([input]))
    }

    #[test]
    fn two_sections_of_one_title_have_equal_titles_and_two_equal_lines_have_not() {
        let of_titles = |input: &[u8]| {
            let [twins, titles] = [Feature::Twins, Feature::Count].map(|of| of("<title>".into()));
            let features = read(input);
            [twins, titles].map(|feature| feature.value(&features))
        };
        assert_eq!(of_titles(b"[a]\nx=1\n[b]\n[a]\n"), [Some(1), Some(3)]);
        assert_eq!(of_titles(b"[a]\nx=1\n[b]\nx=1\n"), [Some(0), Some(2)]);
        assert_eq!(of_titles(b"- a\n- a\n"), [Some(0), Some(0)]);
    }

    #[test]
    fn a_line_with_the_indented_lines_below_it_is_an_entry_where_some_line_is_indented() {
        let entries = |input: &[u8]| Feature::Count("<entry>".into()).value(&read(input));
        assert_eq!(entries(b"Host a\n  Name b\n\n  Port 1\nHost c\n"), Some(2));
        assert_eq!(entries(b"Host a\nHost c\n"), Some(0));
        let list = b"tags:\n  - a\n  - a\nskip:\n  - b\nname: a\n";
        assert_eq!(entries(list), Some(3));
        let twins = (Feature::Twins("<item>".into()), Bound::AtLeast(1));
        assert_eq!(Feature::Parts("<entry>".into(), vec![twins]).value(&read(list)), Some(1));
        let name = Feature::Count("<line> whose first word is \"Name\"".into());
        let bounds = vec![(name, Bound::AtLeast(1))];
        let named = Feature::Parts("<entry>".into(), bounds);
        assert_eq!(named.value(&read(b"Host Name\n  Name b\nHost Name\n  Port 1\n")), Some(1));
    }

    #[test]
    fn a_line_of_a_section_is_a_part_that_is_inside_it() {
        let inside = Feature::Level("<line>".into(), "<section>".into());
        let lines = Feature::Parts("<line>".into(), vec![(inside, Bound::AtLeast(1))]);
        assert_eq!(lines.value(&read(b"mail=ann\n[a]\nmail=b\n")), Some(2));
    }
}
