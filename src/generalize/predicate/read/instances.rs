//! Features of the parts of one and the same rule: two attributes of one element, the keys of one object, the marks of
//! one line.
//!
//! Each is a feature *within* the name of the rule: of several rules of a name the greatest value counts. Where no is
//! an answer that matters too, the least one is a feature of `each` of them. Rules that hold a word are distinguished
//! from others of their name: `<section> with "debug"`.
//!
//! Each of at most 128 rules is read alone, with pairs of its names. A reader that needs no such feature leaves them
//! out (`Wanted`).
//!
//! | module | what it does |
//! |---|---|
//! | `children` | names the elements that are right in another one |
//! | `placed` | names a rule by its surroundings |
//! | `own` | reads the features of the parts of one rule |
//! | `heads` | compares rules with the one that is a head |
//! | `told` | says which features are kept under which name |

mod children;
mod heads;
mod own;
mod placed;
mod told;

use crate::generalize::predicate::name::Name;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::kinds::is_of_decimals;
use super::outline::{AFTER_HEAD, Item, Labels, Named, Names, ORDINALS, Outline, Rule, Unsorted};
use super::parts;
use super::scopes::{level, uneven_rows};
use super::wanted::Wanted;
use super::without_grammar::is_numbered_field;
use super::without_grammar::sections::is_of_lines;
use super::words::Words;
use super::{Feature, Features, raise};
use crate::generalize::predicate::feature::{EACH, FIRST, LAST, Part};
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::term::{
    BEFORE, BEGINS_WITH, ENDS_WITH, FIELD, IS_NO_REMARK, IS_WORD, ITEMS_IN, OF_DIGITS, VALUE_OF,
    WITH, is_of_key, is_value,
};
use children::children;
use heads::Heads;
use own::{is_after_needed, own};
use placed::{Beginnings, in_elements, placed};
use told::{is_no, is_of_each, is_of_place_told, is_of_told, is_telling, telling_words};

/// Texts of a rule that are counted for conditions about one part. Many, because the one that matters may not be left out:
/// an object of four pairs has a dozen.
const MAX_WORDS_OF_PART: usize = 24;
/// Rules that are looked at, a bound on the time. With 64 of them the last part of a doubled input was left out, and it was the cause.
/// Otherwise not measured.
const MAX_RULES: usize = 128;

/// Rules of further names around a part after a word that the failure needs: six rules of expressions are around the argument of a call, and the
/// function that the call is in is beyond them.
const MAX_FURTHER_RULES: usize = 6;

/// How many brackets are around a part that are inside another rule around it.
///
/// Those that the outer rule itself begins with do not count. Cost: a look at each rule between the two.
fn brackets_between(outline: &Outline<'_>, inner: Option<usize>, outer: usize) -> usize {
    let around = std::iter::successors(inner, |rule| outline.rules[*rule].outer);
    let span = outline.rules[outer].span;
    let between = around.map(|rule| &outline.rules[rule]).take_while(|rule| rule.span != span);
    let bracketed = between.filter(|rule| {
        let first = outline.leaves.get(rule.leaves.0).filter(|_| rule.leaves.0 < rule.leaves.1);
        first.is_some_and(|leaf| matches!(leaf.text, b"[" | b"{" | b"("))
    });
    // Rules of one span are one after the other.
    let (mut count, mut last) = (0, None);
    for rule in bracketed {
        count += usize::from(last.replace(rule.span) != Some(rule.span));
    }
    count
}

/// Features of the parts of each rule, those of nested rules of its name left out.
///
/// The order of texts is looked at where there is no grammar, whose rules are lines. Of rules that are not wanted nothing is
/// taken in.
///
/// Cost: for each rule the features of ten names, twenty comparisons of numbers, and a copy of them for each of its words.
pub(super) fn of_each_rule(
    outline: &Outline<'_>,
    labels: &Labels<'_>,
    (wanted, words): (&Wanted<'_>, &Words),
    found: &mut Features,
) {
    // Nothing is looked for in the other rules: they count as the first or the last of their name, and among the first ones.
    let is_read: Vec<bool> =
        outline.rules.iter().map(|rule| is_wanted_rule(rule, labels, wanted)).collect();
    // A comparison with a head has the name of a column in it.
    let has_heads = wanted.mentions(" in <");
    let mut inside: BTreeMap<usize, Unsorted<'_, '_>> = BTreeMap::new();
    // A column of a table is a part of its row.
    let is_column = |name: &str| {
        ORDINALS.iter().any(|ordinal| name.starts_with(ordinal)) && !name.ends_with(AFTER_HEAD)
    };
    let is_of_place = |item: &Item<'_>| {
        item.name.contains(" in ") && !is_column(&item.name) || is_of_key(&item.name)
    };
    let single = single_token_rules(outline);
    let is_told = |item: &&Item<'_>| !is_of_place(item) && !single.contains(&item.name);
    // Keys of digits alone are a kind of their own, whatever else they begin and end with.
    let is_of_digits = |name: &str| name.contains(BEFORE) && name.ends_with(OF_DIGITS);
    // The beginning of a record's second field may be the name of its kind.
    let digits = outline.affixed.iter();
    let digits = digits.filter(|item| is_of_digits(&item.name) || is_numbered_field(&item.name));
    let others = outline.items.iter().filter(is_told).chain(digits);
    let is_typed = |item: &Item<'_>| item.name.starts_with('<');
    let keyed = outline.keyed.iter().filter(|item| !item.name.contains(" in ") && !is_typed(item));
    let listed = outline.keyed.iter().filter(|item| item.name.starts_with(ITEMS_IN));
    let is_listed = |rule: usize| {
        let mut names = labels.get(&outline.rules[rule].span).into_iter().flatten();
        names.any(|name| name.starts_with(ITEMS_IN))
    };
    let mut around: HashMap<(Option<usize>, usize), Vec<usize>, BuildFeatureHasher> =
        HashMap::default();
    for item in others.chain(keyed).chain(listed) {
        let (is_value, is_item) = (is_value(&item.name), item.name.starts_with(ITEMS_IN));
        let more = if is_after_needed(&item.name, words) { MAX_FURTHER_RULES } else { 0 };
        let rules = around
            .entry((item.rule, more))
            .or_insert_with(|| outline.around_beyond(item.rule, more));
        for rule in rules.iter().copied() {
            // A value in a list or an object inside an item belongs to that, and not to the item itself. Of a list or a value are the values of the
            // objects that it has, and not those of objects in these. An item is in its list besides.
            if is_value || is_item {
                let most = usize::from(!is_listed(rule)) + usize::from(is_item);
                if brackets_between(outline, item.rule, rule) > most {
                    continue;
                }
            }
            let named = inside.entry(rule).or_default();
            if is_read[rule] || has_heads {
                let named = named.entry(&item.name).or_default();
                named.is_fixed |= item.is_fixed;
                named.parts.push(&item.part);
            }
        }
    }
    let children = if outline.is_plain { Vec::new() } else { children(outline, labels, words) };
    for child in &children {
        let around = inside.entry(child.rule.unwrap_or(0)).or_default();
        let named = around.entry(&child.name).or_default();
        named.is_fixed = child.is_fixed;
        named.parts.push(&child.part);
    }
    for (rule, name) in &outline.empty_lists {
        // Without parts it has the number 0 that others are compared with.
        for rule in outline.around(Some(*rule)) {
            inside.entry(rule).or_default().entry(name).or_default();
        }
    }
    let inside: BTreeMap<usize, Names<'_, '_>> =
        inside.into_iter().map(|(rule, names)| (rule, names.into_iter().collect())).collect();
    let is_passed = passed(outline, &single);
    let is_first =
        |item: &Item<'_>| item.is_fixed && item.name.starts_with('"') && is_telling(&item.name);
    let mut beginnings = Beginnings::new();
    for item in outline.items.iter().filter(|item| is_first(item)) {
        beginnings.entry(item.part.leaf).or_default().push(&item.name);
    }
    let mut least: BTreeMap<Feature, (usize, i128)> = BTreeMap::new();
    let mut counts: BTreeMap<&Name, usize> = BTreeMap::new();
    let told = || inside.iter().filter(|(rule, _)| !is_passed.contains(*rule)).take(MAX_RULES);
    // Of the rules of a name the first and the last.
    let mut ends: BTreeMap<&Name, [usize; 2]> = BTreeMap::new();
    for (rule, _) in told() {
        let [_, last] = ends.entry(&outline.rules[*rule].name).or_insert([*rule, *rule]);
        *last = *rule;
    }
    let unmarked: BTreeMap<usize, Vec<Name>> = match wanted.mentions(IS_NO_REMARK) {
        true => told().map(|(rule, _)| (*rule, outline.unmarked(&outline.rules[*rule]))).collect(),
        false => BTreeMap::new(),
    };
    for (rule, names) in &unmarked {
        for name in names {
            let [_, last] = ends.entry(name).or_insert([*rule, *rule]);
            *last = *rule;
        }
    }
    if let Some(last) = last_line(outline) {
        ends.entry(&outline.rules[last].name).and_modify(|ends| ends[1] = last);
    }
    // Where there is no grammar rows are lines, which are in few rules.
    let mut uneven: BTreeMap<usize, Vec<Feature>> = BTreeMap::new();
    let has_uneven = wanted.rules && !outline.is_plain;
    for (outer, feature) in if has_uneven { uneven_rows(outline) } else { Vec::new() } {
        for rule in std::iter::once(outer).chain(outline.outer_rules(outer)) {
            uneven.entry(rule).or_default().push(feature.clone());
        }
    }
    let headed = told().filter(|_| has_heads);
    let heads = Heads::of(headed.map(|(rule, named)| (&outline.rules[*rule].name, named)));
    let [has_words, has_beginnings] = [WITH, BEGINS_WITH].map(|text| wanted.mentions(text));
    for (rule, named) in told().filter(|(rule, _)| is_read[**rule]) {
        let is_of_key = |label: &&&Name| label.starts_with(VALUE_OF);
        let rule_labels = labels.get(&outline.rules[*rule].span).into_iter().flatten();
        let is_value = outline.is_value_in_brackets(*rule);
        let has_order =
            outline.is_plain || is_value || rule_labels.clone().any(|label| is_of_key(&label));
        let mut own = own(named, (has_order, words, wanted));
        heads.compare(&outline.rules[*rule].name, named, &mut own);
        for feature in uneven.get(rule).into_iter().flatten() {
            own.insert(feature.clone(), 1);
        }
        let name = &outline.rules[*rule].name;
        *counts.entry(name).or_default() += 1;
        let each = Name::from(format!("{EACH}{name}"));
        let is_each_wanted = wanted.is_about(&each);
        for (feature, value) in
            own.iter().filter(|(feature, _)| is_each_wanted && is_of_each(feature))
        {
            let each = Feature::Within(each.clone(), Arc::new(feature.clone()));
            let (rules, known) = least.entry(each).or_insert((0, *value));
            (*rules, *known) = (*rules + 1, (*known).min(*value));
        }
        let with_words = if has_words { telling_words(named) } else { Vec::new() }.into_iter();
        let with_words = with_words.map(|word| Name::from(format!("{name}{WITH}{word}")));
        let first = outline.rules[*rule].leaves.0;
        let is_bracket = outline
            .leaves
            .get(first)
            .is_some_and(|leaf| leaf.text.len() == 1 && b"([{<".contains(&leaf.text[0]));
        let is_whole = is_bracket && outline.rules[*rule].span == outline.rules[0].span;
        let beginning = beginnings.get(&first).filter(|_| has_beginnings).into_iter().flatten();
        let beginning: Vec<(&Name, Name)> = beginning
            .map(|word| (*word, Name::from(format!("{name}{BEGINS_WITH}{word}"))))
            .collect();
        let ends_of_line = if has_order { ends_of(outline, *rule) } else { Vec::new() };
        let more = match wanted.parts {
            true => more_of((outline, *rule), named, &ends_of_line, (wanted, words)),
            false => Vec::new(),
        };
        let own_labels: Vec<Name> = rule_labels.map(|label| (*label).to_owned()).collect();
        let unmarked = unmarked.get(rule).map_or(&[][..], Vec::as_slice);
        let is_wanted = |name: &&Name| wanted.is_about(name);
        let part = match wanted.parts {
            true => parts::rule((&own, &more), wanted),
            false => Part::default(),
        };
        let names = std::iter::once(name).chain(unmarked).filter(is_wanted);
        for name in names.filter(|_| wanted.parts) {
            parts::add(name, part.clone(), found);
        }
        // The first word says what the rest is: of a line, of a call of a function.
        let commands = beginning.iter().filter(|(word, _)| words.is_preferred(word));
        let placed = match outline.is_plain {
            true => placed(outline, *rule, (&beginnings, words)),
            false => in_elements(outline, *rule, (labels, words)),
        };
        for kind in commands.map(|(_, kind)| kind).chain(&placed).filter(|_| wanted.parts) {
            parts::add(kind, part.clone(), found);
        }
        for label in own_labels.iter().filter(is_wanted).filter(|_| wanted.parts) {
            // What is under a key or in a list may be of several kinds.
            let kind = (Feature::Count(format!("{label}{IS_WORD}{name}").into()), 1);
            let more: Vec<(Feature, i128)> = more.iter().cloned().chain([kind]).collect();
            parts::add(label, parts::rule((&own, &more), wanted), found);
        }
        // The only rule of its name is described by conditions of the whole input.
        let kinds = with_words
            .chain(beginning.into_iter().map(|(_, kind)| kind))
            .take(if is_whole { 0 } else { usize::MAX });
        let places = std::iter::once(name).chain(unmarked).flat_map(|name| {
            let [first, last] = ends[name];
            let places = [(first, FIRST), (last, LAST)].into_iter().filter(|(at, _)| at == rule);
            places.map(move |(_, place)| Name::from(format!("{place}{name}")))
        });
        let places: Vec<Name> = places.collect();
        for place in &places {
            for (end, count) in &ends_of_line {
                let inner = Arc::new(Feature::Count(end.clone()));
                raise(found, Feature::Within(place.clone(), inner), *count as i128);
            }
        }
        let of_places = places
            .iter()
            .chain(&placed)
            .filter(is_wanted)
            .map(|name| (name, &is_of_place_told as &dyn Fn(&Feature) -> bool));
        let kinds: Vec<Name> =
            own_labels.into_iter().chain(kinds).chain(unmarked.iter().cloned()).collect();
        let kinds = kinds.iter().filter(is_wanted);
        let of_kinds = kinds.map(|name| (name, &is_of_told as &dyn Fn(&Feature) -> bool));
        let told = own.split().0.into_iter();
        let told =
            told.filter(|(feature, value)| !is_no(feature, *value) && wanted.has_names_of(feature));
        let told: Vec<(Arc<Feature>, i128)> =
            told.map(|(feature, value)| (Arc::new(feature), value)).collect();
        let of_name = std::iter::once((name, &(|_: &Feature| true) as &dyn Fn(&Feature) -> bool));
        let of_name = of_name.filter(|(name, _)| wanted.is_about(name));
        for (name, is_wanted) in of_kinds.chain(of_places).chain(of_name) {
            for (feature, value) in told.iter().filter(|(feature, _)| is_wanted(feature)) {
                raise(found, Feature::Within(name.clone(), feature.clone()), *value);
            }
        }
    }
    for (each, (rules, value)) in least {
        let Feature::Within(name, _) = &each else { continue };
        let all = counts.get(&Name::from(name.trim_start_matches(EACH))).copied().unwrap_or(0);
        // A rule without such a part has none of it, which is a multiple of any number.
        let is_none = rules < all && !each.is_question();
        let value = if is_none { value.min(0) } else { value };
        found.insert(each, value);
    }
}

/// Further features of one rule: how often each text is in it, how its line begins and ends, and how many rules of which
/// names are around it.
fn more_of(
    (outline, rule): (&Outline<'_>, usize),
    named: &Names<'_, '_>,
    ends_of_line: &[(Name, usize)],
    (wanted, words): (&Wanted<'_>, &Words),
) -> Vec<(Feature, i128)> {
    let is_counted = |name: &str, all: &Named<'_, '_>| all.is_fixed || name.starts_with(VALUE_OF);
    let mut texts: Vec<(Name, usize)> = named
        .iter()
        .filter(|(word, all)| is_counted(word, all) && wanted.is_about(word))
        .map(|(word, all)| ((*word).to_owned(), all.parts.len()))
        .collect();
    // A text at its place says more than the text: that it is the first field of a line. So do the decimals of a number, which come after
    // all marks by their name, and the words that the failure needs.
    let is_first =
        |word: &str| word.contains(IS_WORD) && word.contains(FIELD) || is_of_decimals(word);
    texts.sort_by_cached_key(|(word, _)| (!is_first(word), !words.is_preferred(word)));
    texts.truncate(MAX_WORDS_OF_PART);
    texts.extend(ends_of_line.iter().cloned());
    let texts = texts.into_iter();
    let counts = texts.map(|(word, count)| (Feature::Count(word), count as i128));
    let Rule { name, outer: around, .. } = &outline.rules[rule];
    let levels = outline.around(*around).into_iter().map(|outer| {
        let outer = &outline.rules[outer].name;
        (Feature::Level(name.clone(), outer.clone()), level(outline, *around, outer))
    });
    counts.chain(levels).collect()
}

/// Whether features of a rule's parts are wanted, under its own name or another one.
fn is_wanted_rule(rule: &Rule, labels: &Labels<'_>, wanted: &Wanted<'_>) -> bool {
    let labels = labels.get(&rule.span).into_iter().flatten().copied();
    wanted.is_everything() || labels.chain([&rule.name]).any(|name| wanted.has(name))
}

/// The last line, which may be empty. A line break at the end of the text begins no further line.
fn last_line(outline: &Outline<'_>) -> Option<usize> {
    let text = outline.input.strip_suffix(b"\n").unwrap_or(outline.input);
    let start = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_last = |rule: &Rule| rule.name == "<line>" && rule.span.0 as usize == start;
    outline.rules.iter().position(is_last)
}

/// The first and the last text of a line and the blanks before it, as kinds of lines.
///
/// Only texts of the grammar, which are marks: words are named already.
fn ends_of(outline: &Outline<'_>, rule: usize) -> Vec<(Name, usize)> {
    let Rule { name, leaves, .. } = &outline.rules[rule];
    let leaves = &outline.leaves[leaves.0..leaves.1];
    let told = |verb: &str, leaf: Option<&super::outline::Leaf<'_>>| {
        let text = std::str::from_utf8(leaf.filter(|leaf| leaf.is_fixed)?.text).ok()?;
        Some((format!("{name}{verb}{text:?}").into(), 1))
    };
    let mut found: Vec<(Name, usize)> =
        [told(BEGINS_WITH, leaves.first()), told(ENDS_WITH, leaves.last())]
            .into_iter()
            .flatten()
            .collect();
    // Two marks at the end are one together: a backslash before a quotation mark.
    if let [.., one, last] = leaves
        && [one, last].iter().all(|leaf| leaf.is_fixed && leaf.text.len() == 1)
    {
        let two = String::from_utf8_lossy(&[one.text, last.text].concat()).into_owned();
        found.push((format!("{name}{ENDS_WITH}{two:?}").into(), 1));
    }
    let blanks = leaves.first().map_or(&b""[..], |leaf| leaf.text);
    if blanks.iter().all(|byte| b" \t".contains(byte)) {
        let kinds = [(b' ', "blanks"), (b'\t', "tabs")];
        let kinds = kinds.into_iter().filter(|(byte, _)| blanks.contains(byte));
        found.extend(
            kinds.map(|(_, kind)| (format!("{name} that is indented with {kind}").into(), 1)),
        );
    }
    found
}

/// The numbers of rules without features: those with the same text as a rule inside them, and single tokens.
///
/// Of rules with one text the innermost is kept, because its name says most.
fn passed(outline: &Outline<'_>, single: &BTreeSet<&Name>) -> BTreeSet<usize> {
    // A row of one cell is still a row, as the first one is that has the names of the columns.
    let is_row = |rule: &Rule| rule.outer == Some(0) && rule.can_be_empty;
    let outer = outline
        .rules
        .iter()
        .filter_map(|rule| rule.outer.filter(|outer| outline.rules[*outer].span == rule.span))
        .filter(|outer| !is_of_lines(&outline.rules[*outer].name))
        .filter(|outer| !is_row(&outline.rules[*outer]));
    let mut passed: BTreeSet<usize> = outer.collect();
    passed.insert(0);
    // A line of blanks alone is still indented.
    let is_single = |number: &usize| {
        let name = &outline.rules[*number].name;
        name != "<line>" && single.contains(name)
    };
    passed.extend((0..outline.rules.len()).filter(is_single));
    passed
}

/// The names of rules that are single tokens: what there is to say of them is said of the tokens. A rule that may be empty
/// is none: a cell without text is a cell.
fn single_token_rules<'o>(outline: &'o Outline<'_>) -> BTreeSet<&'o Name> {
    let mut are_single: BTreeMap<&Name, bool> = BTreeMap::new();
    for rule in &outline.rules {
        let is_single = rule.leaves.1 - rule.leaves.0 == 1 && !rule.can_be_empty;
        *are_single.entry(&rule.name).or_insert(true) &= is_single;
    }
    are_single.into_iter().filter(|(_, are_single)| *are_single).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests;
