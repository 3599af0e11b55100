//! Lists within lines, where there is no grammar: `PATH=/bin:/sbin`, `Mill (16): turn > chain > star`, `tags: a b c`.
//!
//! A list is the text after the first `:` or `=` of a line. Its parts are `items in <text> after ":"`, and those in the value of a key that is a word have the
//! name of that key too. A list in brackets may have several lines, the lines with `- ` below a key are a list, the arguments of a call that the failure
//! needs are one too, and so is each value of a line of pairs, such as `id=4 nodes=a,b`, whose key it needs. So its parts are counted and compared as the items of a list in a format with a grammar are. Only a search of which some
//! input has a list of two items has lists.

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::keys::words_of;
use crate::generalize::predicate::read::outline::{Item, Outline};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{BEGINS_WITH, ITEMS_IN, ITEMS_IN_TEXT};

use super::lines::Piece;
use super::lists::{List, list, list_below, list_of_call, lists_of_pairs, with_its_list};
use super::sections::LINE;

/// What the name of the items of a list ends with that is in brackets.
const IN_BRACKETS: &str = " in brackets";
/// What the name of those items ends with that ends of lines and commas separate, and no blanks.
const IN_LINES: &str = " in lines";
/// Items of one input that are named: 256, because each has up to four names. With half as many, inputs of a planted cause of the 48th list (`hjson`) had no
/// names for those of their last list.
const MAX_ITEMS: usize = 256;

impl<'t> Outline<'t> {
    /// Names the items of lists in lines. Only texts that are read without a grammar have lines.
    pub(in crate::generalize::predicate::read) fn name_items_in_lines(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut empty: Vec<(usize, Name)> = Vec::new();
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.name == LINE) {
            let line = self.all_of(rule);
            let span = rule.span.0 as usize..rule.span.1 as usize;
            let text = with_its_list(self.input, span.clone());
            // Of a call that the failure does not need the arguments are no list.
            let is_needed =
                |list: &List<'_>| words.name(list.key).is_some_and(|key| words.is_preferred(&key));
            let call = list_of_call(self.input, span.clone()).filter(is_needed);
            let below = || list_below(self.input, span);
            let lists = match lists_of_pairs(line.text) {
                pairs if pairs.is_empty() => {
                    call.or_else(below).or_else(|| list(text)).into_iter().collect()
                }
                pairs => pairs.into_iter().filter(is_needed).collect::<Vec<_>>(),
            };
            for List { key, mark, is_in_brackets, items, in_lines } in lists {
                let named = words.name(key).map(|key| format!("{ITEMS_IN}{key}"));
                let after = mark.filter(|mark| *mark != '(');
                let after = after.map(|mark| format!("{ITEMS_IN_TEXT}\"{mark}\""));
                // Where texts may have commas, two of one list in brackets may not be equal.
                let in_brackets = after.as_ref().filter(|_| is_in_brackets);
                let in_brackets = in_brackets.map(|after| format!("{after}{IN_BRACKETS}"));
                let by_line =
                    in_brackets.as_ref().map(|name| Name::from(format!("{name}{IN_LINES}")));
                let names = named.into_iter().chain(after).chain(in_brackets);
                let names: Vec<Name> = names.map(Name::from).collect();
                // The first argument is often the name of the thing.
                let later = named_later(mark, &names);
                if items.is_empty() {
                    empty.extend(names.iter().chain(&by_line).map(|name| (number, name.clone())));
                }
                let item = |name: &Name, (text, at): Piece<'t>| Item {
                    name: name.clone(),
                    is_fixed: false,
                    part: self.part_at(text, line.start + at as u32),
                    rule: Some(number),
                };
                if let Some(name) = &by_line {
                    found.extend(in_lines.iter().map(|one| item(name, *one)));
                }
                for (place, one) in items.into_iter().enumerate() {
                    let later = later.iter().filter(|_| place > 0);
                    found.extend(names.iter().chain(later).map(|name| item(name, one)));
                }
            }
        }
        found.truncate(MAX_ITEMS);
        found.extend([words_of(&found, words), commands_of(&found, words)].concat());
        self.add_keyed(found);
        self.add_empty_lists(empty);
    }
}

/// The name of a call's arguments after the first, by that of all its arguments.
///
/// Nothing for a list after another mark.
fn named_later(mark: Option<char>, names: &[Name]) -> Option<Name> {
    let name = names.first().filter(|_| mark == Some('('))?;
    Some(format!("{name} after the first").into())
}

/// The items that begin with a word that the failure needs, by the list and the word: in `make all && copy a b` the second begins with `copy`.
///
/// An item of one word begins with it too, so that its arguments do not matter.
fn commands_of<'t>(listed: &[Item<'t>], words: &Words) -> Vec<Item<'t>> {
    let named = listed.iter().filter_map(|item| {
        let word = item.part.text.split(u8::is_ascii_whitespace).next()?;
        let word = words.name(word).filter(|word| words.is_preferred(word))?;
        let name = format!("{}{BEGINS_WITH}{word}", item.name).into();
        Some(Item { name, is_fixed: true, ..item.clone() })
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Term, Words, features};
    use crate::generalize::predicate::plain;

    #[test]
    fn items_of_one_list_are_compared() {
        let read = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]))
        };
        let within = |inner: Feature| Feature::Within("<line>".into(), Arc::new(inner));
        let twins = within(Feature::Twins("items in \"PATH\"".into()));
        let values = ["PATH=a:b:a\n", "PATH=a:b\nPATH=a:c\n", "X=a:a\n"];
        assert_eq!(values.map(|text| twins.value(&read(text))), [Some(1), Some(0), Some(0)]);
        let is_equal = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]).with_preferred(&["\"nodes\"".to_owned()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            let number = Term::First("value of \"n\"".into());
            let equal = Feature::Difference(number, Term::Count("items in \"nodes\"".into()));
            Feature::Parts("<line>".into(), vec![(equal, Bound::Is(0))]).value(&found)
        };
        let values = ["id=4 nodes=a,b n=2\n", "nodes= n=0 m=a,b\n", "nodes=a n=2 m=a,b\n"];
        assert_eq!(values.map(is_equal), [Some(1), Some(1), Some(0)]);
        let twins = within(Feature::Twins("items in <text> after \":\" in brackets".into()));
        let values = ["a: [b, c, b]\n", "a: [\n  b\n  b\n]\n", "a: b, b\n"];
        assert_eq!(values.map(|text| twins.value(&read(text))), [Some(1), Some(1), Some(0)]);
        let twins =
            within(Feature::Twins("items in <text> after \":\" in brackets in lines".into()));
        let values = ["a: [b c, b c]\n", "a: [\n  b c\n  b c\n]\n", "a: [\n  b c\n  b\n]\n"];
        assert_eq!(values.map(|text| twins.value(&read(text))), [Some(1), Some(1), Some(0)]);
        let item = |word: &str| format!("items in <text> after \":\" that is \"{word}\"").into();
        let order = within(Feature::InOrder(item("a"), item("b"), item("c")));
        let values = ["x: a > d > b > c\n", "x: a > c > b\n", "x: a > b\ny: c > d\n"];
        assert_eq!(values.map(|text| order.value(&read(text))), [Some(1), Some(0), Some(0)]);
    }
}
