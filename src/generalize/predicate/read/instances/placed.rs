//! Names of a rule by its surroundings, where there is no grammar: an item in the entry of a key, brackets after the name of a function.
//!
//! Only words that the failure needs name such places: `<item> in <entry> that begins with "pages"`, `<tag:()> after "vec3"`.

use std::collections::BTreeMap;

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Labels, Outline};
use crate::generalize::predicate::read::without_grammar::lines::TAG;
use crate::generalize::predicate::read::without_grammar::sections::{ITEM, is_of_lines};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{AFTER, BEGINS_WITH, BODY, INNER_ENTRY, SECTION};

/// Names of words and marks by their first leaves.
pub(super) type Beginnings<'o> = BTreeMap<usize, Vec<&'o Name>>;

/// The names of a rule by its surroundings.
///
/// None for rules other than lines, items and tags. Cost: a look at each rule around it.
pub(super) fn placed(
    outline: &Outline<'_>,
    number: usize,
    (beginnings, words): (&Beginnings<'_>, &Words),
) -> Vec<Name> {
    let rule = &outline.rules[number];
    let needed = |leaf: usize| -> Vec<&Name> {
        let all = beginnings.get(&leaf).into_iter().flatten().copied();
        all.filter(|word| words.is_preferred(word) && word.contains(char::is_alphabetic)).collect()
    };
    if rule.name.starts_with(TAG) {
        let named = |word: &Name| Name::from(format!("{}{AFTER}{word}", rule.name));
        return word_before(outline, rule.leaves.0)
            .into_iter()
            .flat_map(needed)
            .map(named)
            .collect();
    }
    if ![ITEM, INNER_ENTRY, "<line>"].contains(&&*rule.name) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let outer = outline.outer_rules(number).map(|outer| &outline.rules[outer]);
    // Bodies are in each other.
    let is_place = |name: &str| is_of_lines(name) && ![BODY, INNER_ENTRY].contains(&name);
    for outer in outer.filter(|outer| is_place(&outer.name) && outer.span.0 < rule.span.0) {
        // A title is in brackets.
        let first = outer.leaves.0 + usize::from(outer.name == SECTION);
        let named =
            |word: &Name| Name::from(format!("{} in {}{BEGINS_WITH}{word}", rule.name, outer.name));
        found.extend(needed(first).into_iter().map(named));
    }
    found
}

/// The names of a list by the elements around it, where there is a grammar: `<array> in <table> "features"`.
///
/// Cost: a look at each rule around it.
pub(super) fn in_elements(
    outline: &Outline<'_>,
    number: usize,
    (labels, words): (&Labels<'_>, &Words),
) -> Vec<Name> {
    let rule = &outline.rules[number];
    let first = outline.leaves.get(rule.leaves.0).filter(|_| rule.leaves.0 < rule.leaves.1);
    if !first.is_some_and(|leaf| leaf.is_fixed && matches!(leaf.text, b"[" | b"(")) {
        return Vec::new();
    }
    let outer = outline.outer_rules(number).map(|outer| outline.rules[outer].span);
    let mut spans: Vec<(u32, u32)> = outer.filter(|span| *span != rule.span).collect();
    spans.dedup();
    let elements = spans.iter().flat_map(|span| labels.get(span).into_iter().flatten());
    let is_needed =
        |name: &&&Name| name.starts_with('<') && name.contains("> \"") && words.is_preferred(name);
    let named = |element: &&Name| Name::from(format!("{} in {element}", rule.name));
    elements.filter(is_needed).map(named).collect()
}

/// The first leaf of the word right before the bracket that opens before a leaf.
///
/// A word may be of several leaves: `vec3` is a word and a number.
fn word_before(outline: &Outline<'_>, leaf: usize) -> Option<usize> {
    let text = |at: usize| outline.leaves[at].text;
    let mut before = (0..leaf).rev().skip_while(|at| text(*at).iter().all(u8::is_ascii_whitespace));
    let open = before.find(|at| !outline.is_mark(*at));
    let last = open.filter(|at| outline.is_of_name(*at))?;
    let word = (0..=last).rev().take_while(|at| outline.is_of_name(*at));
    word.last()
}
