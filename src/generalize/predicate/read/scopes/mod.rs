//! Features of rules: how many parts they have, how deep they are nested, and which words they lack.
//!
//! These are about some rule of a name. Features that compare the parts of one rule with each other are in `instances`.

mod depths;
mod markdown;
mod rows;

use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::keys::SEPARATORS;
use super::names::is_rule;
use super::outline::{Item, Labels, Outline, Rule};
use super::{Feature, Features, raise};
use crate::generalize::predicate::feature::{FIRST, LAST};
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::term::{
    BEGINS_WITH, ENTRY, ITEMS_IN, NEIGHBOURING, VALUE_OF, is_plain_key,
};
use depths::{depths_of_elements, depths_of_keys, depths_of_kinds};

/// Words that rules may lack, because each is a feature of every rule's name. Not measured.
const MAX_LACKED_WORDS: usize = 16;

/// How many parts of each name a rule has.
type Counts<'n> = HashMap<&'n Name, i128, BuildFeatureHasher>;

/// The same of several rules, by their first and last byte's offsets.
type CountsBySpan<'c, 'n> = BTreeMap<(u32, u32), &'c Counts<'n>>;

/// How many parts the rules have, and how deep they are nested.
///
/// Of several rules of a name the largest number counts, and whether their numbers differ. Names of places (`<cell> in <row>`) are left out, because
/// they say where a part is already.
///
/// Cost: for each part a look at the rules around it.
pub(super) fn of_rules(outline: &Outline<'_>, labels: &Labels<'_>, found: &mut Features) {
    let mut inside: Vec<Counts<'_>> = outline.rules.iter().map(|_| Counts::default()).collect();
    let is_told = |item: &&Item<'_>| !item.name.contains(" in ");
    let kinds_of_rules = kinds_by_first_word(outline);
    for item in outline.items.iter().filter(is_told) {
        if let Some(rule) = item.rule {
            *inside[rule].entry(&item.name).or_default() += 1;
        }
        for outer in outline.around(item.rule) {
            let outer = &outline.rules[outer].name;
            if *outer == item.name {
                continue;
            }
            let (name, rule) = (item.name.clone(), outer.clone());
            raise(found, Feature::Level(name, rule), level(outline, item.rule, outer));
        }
        if is_word_or_rule(&item.name) {
            let mut kinds = Counts::default();
            let outer = std::iter::successors(item.rule, |rule| outline.rules[*rule].outer);
            // A rule is not inside itself, and neither is the word that it begins with.
            let outer = outer.filter(|rule| outline.rules[*rule].leaves.0 != item.part.leaf);
            for kind in outer.filter_map(|rule| kinds_of_rules[rule].as_ref()) {
                *kinds.entry(kind).or_default() += 1;
            }
            for (kind, count) in kinds {
                raise(found, Feature::Level(item.name.clone(), kind.clone()), count);
            }
        }
    }
    let mut by_name: BTreeMap<&Name, Vec<&Counts<'_>>> = BTreeMap::new();
    for (rule, inside) in outline.rules.iter().zip(&inside) {
        by_name.entry(&rule.name).or_default().push(inside);
        let around = rule.outer;
        let depth = 1 + level(outline, around, &rule.name);
        raise(found, Feature::Depth(rule.name.clone()), depth);
    }
    depths_of_elements(outline, labels, found);
    depths_of_kinds(outline, &kinds_of_rules, found);
    depths_of_keys(outline, found);
    inside_their_own(outline, found);
    unequal_rules(outline, (&inside, labels), found);
    kinds_of_items(outline, labels, found);
    rows::unequal_rows(outline, found);
    for (name, all) in by_name {
        for Spread { child, first, most, least } in spreads(&all) {
            let pair = || (name.to_owned(), child.to_owned());
            found.insert(Feature::Children(pair().0, pair().1), most);
            if child.starts_with('<') && !child.contains(' ') {
                found.answer(
                    || Feature::Lacks(pair().0, pair().1),
                    least == 0,
                    outline.is_part(name),
                );
            }
            found.answer(|| Feature::Longer(pair().0, pair().1), most > first, false);
            found.answer(|| Feature::Shorter(pair().0, pair().1), least < first, false);
            found.answer(|| Feature::Unequal(pair().0, pair().1), most != least, false);
        }
    }
}

/// For each rule that begins with a word of the grammar its name with this word: `<block> that begins with "media"`; and for each call of a
/// function: `<function> that begins with "calc("`. The same for each rule of a style sheet, such as `@media`, and for each call with a table: `seq { }`.
///
/// So a condition can say that a part is inside a rule of one kind, however deep, where other kinds have the same name. Where there is no
/// grammar no rule begins with such a word.
fn kinds_by_first_word(outline: &Outline<'_>) -> Vec<Option<Name>> {
    let kind = |rule: &Rule| {
        let leaves = &outline.leaves[rule.leaves.0..rule.leaves.1];
        let (first, last) = (leaves.first()?, leaves.last()?);
        let word = std::str::from_utf8(first.text).ok()?;
        let name = word.strip_suffix('(').filter(|_| !first.is_fixed && last.text == b")");
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let is_word = first.is_fixed && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_call = name.is_some_and(|name| name.bytes().all(is_name));
        // The keyword of a rule in a style sheet is a token: `@media`.
        let is_keyword = || word.strip_prefix('@').is_some_and(|name| name.bytes().all(is_name));
        // A call whose name is a token, or one with a table for its argument: `f(`, `seq {`.
        let open = leaves.get(1).filter(|open| open.is_fixed).map(|open| open.text);
        let is_built = || {
            let is_closed = matches!((open, last.text), (Some(b"{"), b"}") | (Some(b"("), b")"));
            is_closed && !first.is_fixed && word.bytes().all(is_name)
        };
        (is_word || is_call || is_keyword() || is_built())
            .then(|| format!("{}{BEGINS_WITH}{word:?}", rule.name).into())
    };
    outline.rules.iter().map(kind).collect()
}

/// Whether a name is that of a rule, or a word without blanks.
///
/// Of these it is read how deep they are inside rules of a kind.
fn is_word_or_rule(name: &str) -> bool {
    let is_word = name.starts_with('"') && name.contains(char::is_alphabetic);
    is_rule(name) || is_word && !name.contains(' ')
}

/// Whether a rule is one of the lines that are grouped by their indentation, which are no rows.
///
/// Settings below a title have different lengths in any text.
fn is_in_entry(outline: &Outline<'_>, rule: &Rule) -> bool {
    rule.outer.is_some_and(|outer| outline.rules[outer].name == ENTRY)
}

/// How many parts of one name some rules have: the first of them, the one that has most, and the one that has least.
///
/// The first is often a head that all others are compared with.
struct Spread<'n> {
    child: &'n Name,
    first: i128,
    most: i128,
    least: i128,
}

/// The spread of each name that some of the rules have.
///
/// A rule without such a part has none of it, and not an unknown number.
fn spreads<'n>(rules: &[&Counts<'n>]) -> Vec<Spread<'n>> {
    let children: HashSet<&Name, BuildFeatureHasher> =
        rules.iter().flat_map(|one| one.keys().copied()).collect();
    let children = children.into_iter().map(|child| {
        let counts = || rules.iter().map(|one| one.get(child).copied().unwrap_or(0));
        let (most, least) = (counts().max().unwrap_or(0), counts().min().unwrap_or(0));
        Spread { child, first: counts().next().unwrap_or(0), most, least }
    });
    children.collect()
}

/// Of which rules that belong together some have more parts than others.
///
/// These are the rules of a name in one and the same rule, such as the inner arrays of `[[1, 2], [3]]`, and those that
/// are not empty, because many formats ignore empty lines.
fn unequal_rules(
    outline: &Outline<'_>,
    (inside, labels): (&[Counts<'_>], &Labels<'_>),
    found: &mut Features,
) {
    let groups = neighbours(outline, inside);
    let mut beside: BTreeMap<(&Name, usize), Vec<&Counts<'_>>> = BTreeMap::new();
    let mut filled: BTreeMap<&Name, Vec<&Counts<'_>>> = BTreeMap::new();
    // The items of a list that a key has, such as the rows in `"rows"`. Of rules that are all of an item the innermost one counts.
    let mut listed: BTreeMap<(&Name, usize), CountsBySpan<'_, '_>> = BTreeMap::new();
    for (rule, inside) in outline.rules.iter().zip(inside).skip(1) {
        let outer = outline.around_all_of(rule);
        // The values of an object that are of one kind, such as the columns of a table.
        if let Some(object) =
            outer.filter(|pair| is_pair(outline, *pair)).and_then(|pair| outline.rules[pair].outer)
        {
            beside.entry((&rule.name, object)).or_default().push(inside);
        }
        let names = labels.get(&rule.span).into_iter().flatten();
        for name in names.filter(|name| name.starts_with(ITEMS_IN)) {
            listed.entry((name, outer.unwrap_or(0))).or_default().insert(rule.span, inside);
        }
        if rule.span.0 < rule.span.1 {
            filled.entry(&rule.name).or_default().push(inside);
        }
    }
    // A table's second row says how its columns are aligned, and is compared with its head alone.
    let mut first_two: BTreeMap<&Name, Vec<&Counts<'_>>> = BTreeMap::new();
    for ((name, outer), all) in &groups {
        if *outer == 0 && all.len() > 1 {
            first_two.insert(*name, all[..2].to_vec());
        }
    }
    for (name, all) in first_two {
        for Spread { child, most, least, .. } in spreads(&all) {
            let unequal =
                || Feature::Unequal(format!("{name} of the first two").into(), child.to_owned());
            found.answer(unequal, most != least, false);
        }
    }
    let groups = groups
        .into_iter()
        .map(|((name, _), all)| (Name::from(format!("{NEIGHBOURING}{name}")), all));
    let filled = filled
        .into_iter()
        .map(|(name, all)| (Name::from(format!("{name} that is not empty")), all));
    let listed =
        listed.into_iter().map(|((name, _), all)| (name.clone(), all.into_values().collect()));
    let beside = beside.into_iter().flat_map(|((name, object), all)| {
        let object = &outline.rules[object];
        let labels = labels.get(&object.span).into_iter().flatten();
        let labels = labels.filter(|label| label.starts_with(VALUE_OF)).copied();
        let all_names = std::iter::once(&object.name).chain(labels);
        all_names.map(move |object| (Name::from(format!("{name} of one {object}")), all.clone()))
    });
    for (name, all) in groups.chain(filled).chain(listed).chain(beside) {
        for Spread { child, most, least, .. } in spreads(&all) {
            if child.starts_with('<') && most != least {
                found.insert(Feature::Unequal(name.clone(), child.clone()), 1);
            }
        }
    }
}

/// The rules of a name that are in one and the same rule and have not all as many parts, by the number of the rule around them.
///
/// So a condition can say where the rows are: in a call of one function, in the value of one key.
pub(super) fn uneven_rows(outline: &Outline<'_>) -> Vec<(usize, Feature)> {
    let mut counts: Vec<Counts<'_>> = outline.rules.iter().map(|_| Counts::default()).collect();
    let items = outline.items.iter().filter(|item| is_rule(&item.name));
    for (rule, name) in items.filter_map(|item| Some((item.rule?, &item.name))) {
        *counts[rule].entry(name).or_default() += 1;
    }
    let uneven = neighbours(outline, &counts).into_iter().flat_map(|((name, outer), all)| {
        let name = Name::from(format!("{NEIGHBOURING}{name}"));
        let uneven = spreads(&all).into_iter().filter(|spread| spread.most != spread.least);
        let uneven: Vec<Name> = uneven.map(|spread| spread.child.clone()).collect();
        uneven.into_iter().map(move |child| (outer, Feature::Unequal(name.clone(), child)))
    });
    uneven.filter(|(outer, _)| *outer > 0).collect()
}

/// The numbers of parts of the rules of a name that are in one and the same rule, by the name and the number of the rule around them.
fn neighbours<'o, 'c, 'n>(
    outline: &'o Outline<'_>,
    inside: &'c [Counts<'n>],
) -> BTreeMap<(&'o Name, usize), Vec<&'c Counts<'n>>> {
    let mut groups: BTreeMap<(&Name, usize), Vec<&Counts<'_>>> = BTreeMap::new();
    let rules = outline.rules.iter().zip(inside).skip(1);
    for (rule, inside) in rules.filter(|(rule, _)| !is_in_entry(outline, rule)) {
        let outer = outline.around_all_of(rule).unwrap_or(0);
        groups.entry((&rule.name, outer)).or_default().push(inside);
    }
    groups
}

/// Whether a rule is a key with its value.
fn is_pair(outline: &Outline<'_>, rule: usize) -> bool {
    let mark = outline.leaves.get(outline.rules[rule].leaves.0 + 1);
    mark.is_some_and(|leaf| leaf.is_fixed && SEPARATORS.contains(&leaf.text))
}

/// Which items of a list that a key has are no rule of a name that others of them are: a number among arrays.
///
/// A program that reads them all as one kind stumbles over the other one.
fn kinds_of_items(outline: &Outline<'_>, labels: &Labels<'_>, found: &mut Features) {
    let mut kinds: BTreeMap<(u32, u32), BTreeSet<&Name>> = BTreeMap::new();
    for rule in outline.rules.iter().skip(1) {
        kinds.entry(rule.span).or_default().insert(&rule.name);
    }
    let mut lists: BTreeMap<&Name, Vec<Option<&BTreeSet<&Name>>>> = BTreeMap::new();
    for (span, names) in labels {
        for name in names.iter().filter(|name| name.starts_with(ITEMS_IN)) {
            lists.entry(name).or_default().push(kinds.get(span));
        }
    }
    for (name, items) in lists {
        let all: BTreeSet<&Name> =
            items.iter().flatten().flat_map(|kinds| kinds.iter().copied()).collect();
        for kind in all {
            let lacks = items.iter().any(|kinds| kinds.is_none_or(|kinds| !kinds.contains(kind)));
            found.answer(|| Feature::Lacks(name.clone(), kind.clone()), lacks, true);
        }
    }
}

/// Which rules are inside others of their name that begin with the same word: `<a>` in `<a>`, a function in itself.
///
/// Unlike the depth of an element this is said of any word, also of one that only this input has.
fn inside_their_own(outline: &Outline<'_>, found: &mut Features) {
    let words: Vec<Option<&[u8]>> =
        outline.rules.iter().map(|rule| outline.first_word(rule)).collect();
    for (number, rule) in outline.rules.iter().enumerate().skip(1) {
        let Some(word) = words[number] else { continue };
        // A rule that is all of another is no part of it.
        let mut outer = outline.outer_rules(number).filter(|outer| {
            let outer = &outline.rules[*outer];
            outer.name == rule.name && outer.span != rule.span
        });
        let is_same = |outer: usize| words[outer] == Some(word);
        if let Some(nearest) = outer.next() {
            if is_same(nearest) {
                found.insert(Feature::RightInOwn(rule.name.clone()), 1);
            }
            if is_same(nearest) || outer.any(is_same) {
                found.insert(Feature::InOwn(rule.name.clone()), 1);
            }
        }
    }
}

/// Which rules lack words or keys that the input has elsewhere.
///
/// The words of a rule are those inside it, without those inside another rule of its name in it.
pub(super) fn of_words<'o>(outline: &'o Outline<'_>, labels: &Labels<'_>, found: &mut Features) {
    let is_word = |item: &&Item<'_>| {
        let is_text = item.is_fixed && item.name.starts_with('"');
        is_text && item.name.contains(char::is_alphabetic)
    };
    // A text may be a key in one place and a value in another one.
    let is_key = |item: &&Item<'_>| {
        !item.is_fixed && item.name.strip_prefix(VALUE_OF).is_some_and(is_plain_key)
    };
    let mut inside: BTreeMap<usize, HashSet<&Name, BuildFeatureHasher>> = BTreeMap::new();
    let mut all: BTreeSet<&Name> = BTreeSet::new();
    let mut take = |item: &'o Item<'_>, known: &mut BTreeSet<&'o Name>| {
        if known.len() < MAX_LACKED_WORDS {
            known.insert(&item.name);
        }
        for rule in outline.around(item.rule) {
            inside.entry(rule).or_default().insert(&item.name);
        }
    };
    outline.items.iter().filter(is_word).for_each(|item| take(item, &mut all));
    let mut keys: BTreeSet<&Name> = BTreeSet::new();
    outline.keyed.iter().filter(is_key).for_each(|item| take(item, &mut keys));
    all.extend(keys);
    let mut ends: BTreeMap<&Name, [usize; 2]> = BTreeMap::new();
    for (number, rule) in outline.rules.iter().enumerate().skip(1) {
        ends.entry(&rule.name).or_insert([number, number])[1] = number;
    }
    // By the name of a rule, the words that all rules of the name have. An absent feature says that some rule lacks the word.
    let mut everywhere: HashMap<Name, Vec<&Name>, BuildFeatureHasher> = HashMap::default();
    let nothing = HashSet::default();
    for (number, rule) in outline.rules.iter().enumerate().skip(1) {
        let [first, last] = ends[&rule.name];
        let places = [(first, FIRST), (last, LAST)].into_iter().filter(|(at, _)| *at == number);
        let places: Vec<Name> =
            places.map(|(_, place)| format!("{place}{}", rule.name).into()).collect();
        // Where a word is nowhere, it says of an input that there is a first one which lacks the word.
        for place in &places {
            found.insert(Feature::Count(place.clone()), 1);
        }
        // An element has the name of its rule, and a value or an item is all of a rule.
        let is_meant = |label: &&&Name| !label.starts_with('<') || label.starts_with(&*rule.name);
        let labels = labels.get(&rule.span).into_iter().flatten().filter(is_meant).copied();
        let inside = inside.get(&number).unwrap_or(&nothing);
        for name in std::iter::once(&rule.name).chain(labels).chain(&places) {
            match everywhere.get_mut(name) {
                Some(words) => words.retain(|word| inside.contains(word)),
                None => {
                    let words = all.iter().copied().filter(|word| inside.contains(word)).collect();
                    everywhere.insert(name.clone(), words);
                }
            }
        }
    }
    for (name, words) in everywhere {
        // Of a name that is not counted an absent feature says nothing.
        let is_counted = outline.is_part(&name);
        for word in &all {
            let is_lacking = !words.contains(word);
            found.answer(|| Feature::Lacks(name.clone(), (*word).clone()), is_lacking, is_counted);
        }
    }
}

/// How many rules of a name a part is in, itself among them if it is one.
///
/// The part's own rule counts too.
pub(super) fn level(outline: &Outline<'_>, rule: Option<usize>, name: &Name) -> i128 {
    let (mut at, mut level) = (rule, 0);
    while let Some(rule) = at {
        level += i128::from(outline.rules[rule].name == *name);
        at = outline.rules[rule].outer;
    }
    level
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::internal::{Substitutes, g4};
    use seedsmith_grammar::{Language, Parser};

    use super::super::{Words, features};
    use super::*;
    use crate::generalize::draws::sampler::Sampler;

    #[test]
    fn a_word_is_inside_rules_that_begin_with_another_one_at_any_depth() {
        let grammar = "grammar Sheet; sheet: item* EOF;
            item: ('media' | 'layer') '{' item* '}' | 'import' '=' NAME ';'; NAME: [a-z]+;";
        let grammar = g4::load_texts(&[("sheet.g4", grammar)]).unwrap();
        let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let inside = |text: &str| {
            let outer = "<item> that begins with \"media\"".into();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            Feature::Level("\"import\"".into(), outer).value(&found)
        };
        assert_eq!(
            ["media{layer{import=a;}}", "layer{media{}import=a;}"].map(inside),
            [Some(1), Some(0)]
        );
    }
}
