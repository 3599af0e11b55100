//! Lists in round brackets whose first item says what the others are: `(size 3)`, `(cards ace two)`.
//!
//! S-expressions have no keys, and are written as if they had. So the other items of such a list have the names of items in a key, and the only
//! one of two is the value of that key in the list around it. Lists with operators or commas are none: `(a + b)`, `(x, y)`.
//!
//! A value that is a text with commas or blanks is a list too: `tags=owl,elm`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::keys::OBJECTS;
use super::kinds::kinds_of;
use super::outline::{Item, Outline, Rule};
use super::words::{Words, quoted};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{ITEMS_IN, PAIRS_OF, VALUE_OF, plain_key};

/// Items of texts that are named, because each is compared with the others. A guess.
const MAX_ITEMS_OF_TEXTS: usize = 128;
/// Marks between the items of a text, in the order in which they are looked for: names have blanks in them where commas separate them.
const LIST_MARKS: [&[u8]; 4] = [b",", b";", b"|", b" "];
/// Marks that no item of a text has in it.
const NOT_IN_ITEMS: &[u8] = b"()[]{}<>\\\"'`";
/// Marks between numbers alone, of which a text may have several: the points of a drawing are `1,2 3,4`.
const NUMBER_MARKS: &[u8] = b", ;";
/// Bytes of an item, because the commas of a sentence separate longer parts.
const MAX_ITEM_BYTES: usize = 32;

impl<'t> Outline<'t> {
    /// Names the items of lists by the first of them, if that is one of the words.
    ///
    /// A rule that is all of a list is one with it. Cost: for each list a pass over its leaves.
    pub(super) fn name_lists(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut empty: Vec<(usize, Name)> = Vec::new();
        for (number, rule) in self.rules.iter().enumerate().skip(1) {
            // The innermost of those that are all of it.
            let is_inner = self.rules.get(number + 1).is_none_or(|next| next.span != rule.span);
            let Some(head) = self.head_of_list(rule.leaves).filter(|_| is_inner) else { continue };
            let Some(key) = words.name(self.leaves[head].text) else { continue };
            let Some(items) = self.items_of_list(head + 1..rule.leaves.1 - 1) else { continue };
            let name = Name::from(format!("{ITEMS_IN}{key}"));
            // Lists in each other have rules of one name, of which a part is only in the innermost: so the items are in the list around theirs.
            let mut around = self.outer_rules(number);
            let around = around.find(|outer| self.rules[*outer].span != rule.span).unwrap_or(0);
            if items.is_empty() {
                empty.push((around, name.clone()));
            }
            let is_pair = items.len() == 1 && items[0].len() == 1;
            let value = is_pair.then(|| Name::from(format!("{VALUE_OF}{key}")));
            let names = || std::iter::once(&name).chain(&value);
            for (item, name) in items.iter().flat_map(|item| names().map(move |name| (item, name)))
            {
                let (name, part) = (name.clone(), self.part_of(item.clone()));
                let item = Item { name, is_fixed: false, part, rule: Some(around) };
                found.extend(kinds_of(&item, words));
                found.push(item);
            }
        }
        self.add_keyed(found);
        self.add_empty_lists(empty);
    }

    /// Names the parts of each value that is a text with marks or blanks between them: `tags=owl,elm` and `"scope": "read write"`. A value of one part is a list
    /// where another input has a list for its key.
    pub(super) fn name_items_of_texts(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        for item in self.keyed.iter().filter(|item| !item.is_fixed) {
            let Some(key) = plain_key(&item.name) else { continue };
            let list = text_of_list(self.with_last_marks(item)).filter(|(text, _, marks)| {
                !marks.is_empty() || (words.have_list_of(key) && !text.is_empty())
            });
            let Some((text, start, marks)) = list else { continue };
            let name = Name::from(item.name.replacen(VALUE_OF, ITEMS_IN, 1));
            // The one item of a list in brackets is no list, whatever is in it: `(crates e-1)`.
            let is_item = |one: &Item<'_>| one.part.start == item.part.start && one.name == name;
            if self.keyed.iter().any(is_item) {
                continue;
            }
            let mut at = item.part.start as usize + start;
            for one in text.split(|byte| marks.contains(byte)) {
                let blanks = one.len() - one.trim_ascii_start().len();
                let part = self.part_at(one.trim_ascii(), (at + blanks) as u32);
                at += one.len() + 1;
                // After a comma and a blank.
                if one.is_empty() && marks.len() > 1 {
                    continue;
                }
                found.push(Item { name: name.clone(), is_fixed: false, part, rule: item.rule });
            }
        }
        found.truncate(MAX_ITEMS_OF_TEXTS);
        if !found.is_empty() {
            let kinds = found.iter().flat_map(|item| kinds_of(item, words));
            found.extend(kinds.collect::<Vec<_>>());
            self.add_keyed(found);
        }
    }

    /// The text of a value with the commas after it: nothing is after the last one of `a,,`, and that is an item too.
    ///
    /// A comma after the whole entry is none of them, and neither is one between the cells of a row.
    fn with_last_marks(&self, item: &Item<'t>) -> &'t [u8] {
        let text = item.part.text;
        let Some(rule) = item.rule.filter(|_| !self.is_plain && quoted(text).is_none()) else {
            return text;
        };
        let start = item.part.start as usize;
        if !self.input[..start].trim_ascii_end().ends_with(b":") {
            return text;
        }
        let end = self.rules[rule].span.1 as usize;
        // The blanks after the last key of a rule are no part of it.
        let rest = self.input.get(start + text.len()..end).unwrap_or_default();
        let is_of_list = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
        let rest = &rest[..rest.iter().take_while(|byte| is_of_list(byte)).count()];
        let more = rest.iter().rposition(|byte| *byte == b',').map_or(0, |last| last + 1);
        &self.input[start..start + text.len() + more]
    }

    /// Names the pairs in each object that is the value of a key that the failure needs, so that a number beside the key can be compared with how
    /// many things a map has.
    ///
    /// An object without pairs has the number 0. Cost: for each such key a pass over the rules.
    pub(super) fn name_pairs(&mut self, words: &Words) {
        let mut found: Vec<Item<'t>> = Vec::new();
        let mut empty: Vec<(usize, Name)> = Vec::new();
        for item in self.keyed.iter().filter(|item| !item.is_fixed) {
            let key = plain_key(&item.name).filter(|key| words.is_preferred(key));
            let (Some(key), Some(rule)) = (key, item.rule) else { continue };
            let end = item.part.start + item.part.text.len() as u32;
            let mut objects = self.rules.iter().enumerate();
            let is_object =
                |rule: &Rule| OBJECTS.contains(&&*rule.name) && rule.span == (item.part.start, end);
            let Some((object, _)) = objects.rfind(|(_, rule)| is_object(rule)) else { continue };
            let name = Name::from(format!("{PAIRS_OF}{key}"));
            let pairs = self.rules.iter().filter(|rule| rule.outer == Some(object));
            let known = found.len();
            found.extend(pairs.take(MAX_ITEMS_OF_TEXTS).map(|pair| {
                let (name, part) = (name.clone(), self.all_of(pair));
                Item { name, is_fixed: false, part, rule: Some(rule) }
            }));
            empty.extend((found.len() == known).then_some((rule, name)));
        }
        self.add_keyed(found);
        self.add_empty_lists(empty);
    }

    /// The keys that have such lists for values, in quotation marks as names have them.
    pub(super) fn keys_of_lists(&self) -> BTreeSet<String> {
        let keyed = self.keyed.iter().filter(|item| !item.is_fixed);
        let has_mark = |text| text_of_list(text).is_some_and(|(.., marks)| !marks.is_empty());
        let lists = keyed.filter(|item| has_mark(item.part.text));
        lists.filter_map(|item| plain_key(&item.name)).map(str::to_owned).collect()
    }

    /// The leaf that is the first item of a list, if it is a word.
    fn head_of_list(&self, (start, end): (usize, usize)) -> Option<usize> {
        let leaf = |at: usize| &self.leaves[at];
        let is_list = end >= start + 3
            && (leaf(start).text == b"(" || leaf(start).text == b"[")
            && matches!(leaf(end - 1).text, b")" | b"]");
        let is_word = |at: usize| {
            !leaf(at).is_fixed && leaf(at).text.first().is_some_and(u8::is_ascii_alphabetic)
        };
        (is_list && is_word(start + 1)).then_some(start + 1)
    }

    /// The leaves of each item; nothing if there is a mark between them.
    fn items_of_list(&self, leaves: Range<usize>) -> Option<Vec<Range<usize>>> {
        let (mut items, mut open): (Vec<Range<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in leaves {
            let leaf = &self.leaves[at];
            match leaf.text {
                b"(" | b"[" | b"#(" if leaf.is_fixed => open.push(at),
                b")" | b"]" if leaf.is_fixed => {
                    let start = open.pop()?;
                    items.extend(open.is_empty().then_some(start..at + 1));
                }
                _ if !open.is_empty() => {}
                _ if leaf.is_fixed => return None,
                _ => items.push(at..at + 1),
            }
        }
        open.is_empty().then_some(items)
    }
}

/// The text of a value that may be a list, where it begins in the value, and the mark between its items: the first of the usual ones that it has, and all
/// of several between numbers. No mark for one item, and nothing for a text with brackets or quotation marks in it, but for those around its items.
fn text_of_list(value: &[u8]) -> Option<(&[u8], usize, &'static [u8])> {
    if is_list_with_quotes(value) {
        return Some((value, 0, LIST_MARKS[0]));
    }
    let text = quoted(value).unwrap_or(value);
    let are_short = || {
        text.split(|byte| LIST_MARKS.iter().any(|mark| mark.contains(byte)))
            .all(|one| one.len() <= MAX_ITEM_BYTES)
    };
    let is_list = !text.iter().any(|byte| NOT_IN_ITEMS.contains(byte)) && are_short();
    let is_number = |one: &[u8]| {
        one.iter().any(u8::is_ascii_digit)
            && one.iter().all(|byte| byte.is_ascii_digit() || b"+-.".contains(byte))
    };
    let mut numbers = text.split(|byte| NUMBER_MARKS.contains(byte)).filter(|one| !one.is_empty());
    let has_several = || NUMBER_MARKS.iter().filter(|mark| text.contains(mark)).count() > 1;
    let marks = match has_several() && numbers.all(is_number) {
        true => NUMBER_MARKS,
        false => {
            let marks = LIST_MARKS.into_iter().find(|mark| text.contains(&mark[0]));
            marks.unwrap_or_default()
        }
    };
    is_list.then_some((text, (value.len() - text.len()) / 2, marks))
}

/// Whether a value has commas between its items, of which some are in quotation marks: `"Open Sans", serif`.
///
/// A comma in an item would be taken for one between two, so that such a value is none.
fn is_list_with_quotes(value: &[u8]) -> bool {
    let (mut items, mut quotes) = (0, 0);
    let are_whole = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).all(|item| {
        let inner = quoted(item);
        items += 1;
        quotes += usize::from(inner.is_some());
        !inner.unwrap_or(item).iter().any(|byte| NOT_IN_ITEMS.contains(byte))
            && item.len() <= MAX_ITEM_BYTES
    });
    are_whole && items > 1 && quotes > 0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Term, Words, features};

    #[test]
    fn the_items_of_a_list_are_those_of_its_first_word() {
        let language = Language::open("sexp", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let mut hands = |text: &str| {
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
            let terms =
                [Term::First("value of \"size\"".into()), Term::Count("items in \"cards\"".into())];
            let [size, cards] = terms;
            let bounds = vec![(Feature::Difference(size, cards), Bound::Is(0))];
            Feature::Parts("<expression> \"hand\"".into(), bounds).value(&found)
        };
        let text = "(game (hand (size 2) (cards a (b c))) (hand (cards) (size 0)) (hand (size 1) (cards)))";
        assert_eq!(hands(text), Some(2));
        assert_eq!(hands("(hand (size 2) (cards 1 2))"), Some(1));
        assert_eq!(hands("(hand (size 1) (cards a-1)) (hand (size 2) (cards b-2))"), Some(1));
    }

    #[test]
    fn nothing_after_the_last_comma_of_a_text_is_an_item_and_a_comma_after_an_entry_is_none() {
        let items = |grammar: &str, text: &str| {
            let language = Language::open(grammar, None).unwrap();
            let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            let [all, twins] =
                [Feature::Count, Feature::Twins].map(|of| of("items in \"x-y\"".into()));
            (all.value(&found), twins.value(&found))
        };
        assert_eq!(items("css", "a{x-y:,}"), (Some(2), Some(1)));
        assert_eq!(items("css", "a{x-y: b, c ,;}"), (Some(3), Some(0)));
        assert_eq!(items("css", "a{x-y: b, c}"), (Some(2), Some(0)));
        assert_eq!(items("json", r#"{"x-y": "b,c", "d": 1}"#), (Some(2), Some(0)));
    }

    #[test]
    fn a_number_is_compared_with_the_pairs_of_a_map_beside_it() {
        let language = Language::open("json", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let mut shards = |text: &str| {
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]).with_preferred(&["\"copies\"".to_owned()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            let terms = [
                Term::First("value of \"size\"".into()),
                Term::Count("pairs of \"copies\"".into()),
            ];
            let [size, copies] = terms;
            let bounds = vec![(Feature::Difference(size, copies), Bound::Is(0))];
            Feature::Parts("items in \"shards\"".into(), bounds).value(&found)
        };
        let text = r#"{"shards":[{"size":2,"copies":{"a":1,"size":5}},{"copies":{},"size":0},{"size":3,"copies":{"b":1}}]}"#;
        assert_eq!(shards(text), Some(2));
        assert_eq!(shards(r#"{"shards":[{"size":1,"copies":[1]}],"copies":{"a":1}}"#), Some(0));
    }
}
