//! The elements that are right in another one, where there is a grammar: `<child> "load"` of `(mission (load) (wait (fire)))`, and not `fire`.
//!
//! A rule counts all elements in it, however deep. A program that reads the parts of a list one by one looks at those alone that are no parts of others.
//! What is right after the word of such an element has a name too, since that often is the name of what the element defines.

use std::collections::BTreeSet;

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Labels, Leaf, Outline, Part, Rule};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{AFTER, CHILD};

/// The elements by the words that the failure needs, each with the rule of the element that it is right in.
///
/// None for elements in no other one. Cost: for each rule a look at those around it.
pub(super) fn children<'t>(
    outline: &Outline<'t>,
    labels: &Labels<'_>,
    words: &Words,
) -> Vec<Item<'t>> {
    let label = |rule: usize| -> Option<&Name> {
        let (span, name) = (&outline.rules[rule].span, &*outline.rules[rule].name);
        let mut labels = labels.get(span)?.iter().copied();
        labels.find(|label| label.starts_with(name) && label[name.len()..].starts_with(" \""))
    };
    let mut known: BTreeSet<(usize, (u32, u32))> = BTreeSet::new();
    let mut found = Vec::new();
    for (number, rule) in outline.rules.iter().enumerate() {
        let Some(own) = label(number).filter(|label| words.is_preferred(label)) else { continue };
        let outer = || outline.outer_rules(number);
        // Whatever its word is: a condition does not say the words of all elements.
        let is_around = |outer: &Rule| {
            outer.name == rule.name && outer.span != rule.span && is_element(outline, outer)
        };
        let around = outer().map(|outer| &outline.rules[outer]).find(|outer| is_around(outer));
        let parent =
            around.and_then(|around| outer().find(|one| outline.rules[*one].span == around.span));
        // Of rules with one text the outermost is in the element around.
        if let Some(parent) = parent.filter(|parent| known.insert((*parent, rule.span))) {
            let name = Name::from(format!("{CHILD}{}", &own[rule.name.len()..]));
            if let Some(part) = named(outline, rule) {
                let name = format!("<name>{AFTER}{name}").into();
                found.push(Item { name, is_fixed: false, part, rule: Some(parent) });
            }
            let part = outline.all_of(rule);
            found.push(Item { name, is_fixed: true, part, rule: Some(parent) });
        }
    }
    found
}

/// Whether a rule begins with a mark and a word.
fn is_element(outline: &Outline<'_>, rule: &Rule) -> bool {
    let has_word = |leaf: &Leaf<'_>| leaf.text.iter().any(u8::is_ascii_alphanumeric);
    match &outline.leaves[rule.leaves.0..rule.leaves.1] {
        [mark, word, ..] => mark.is_fixed && !has_word(mark) && !word.is_fixed && has_word(word),
        _ => false,
    }
}

/// What is right after the word of an element, with all that no blank and no bracket separates from it: `$a` of `(func $a)`, whose mark may be a part of
/// its name or a token before it. Nothing if that is a mark alone or a part in brackets.
fn named<'t>(outline: &Outline<'t>, rule: &Rule) -> Option<Part<'t>> {
    let leaves = &outline.leaves[..rule.leaves.1];
    let first = rule.leaves.0 + 2;
    let is_bracket = |leaf: &Leaf<'t>| leaf.text.len() == 1 && b"()[]{}<>".contains(&leaf.text[0]);
    let mut end = first;
    while let Some(leaf) = leaves.get(end).filter(|leaf| !is_bracket(leaf)) {
        let last = end.checked_sub(1).filter(|last| *last >= first).map(|last| &leaves[last]);
        if last.is_some_and(|last| last.start as usize + last.text.len() < leaf.start as usize) {
            break;
        }
        end += 1;
    }
    let is_text = leaves.get(first..end)?.iter().any(|leaf| !leaf.is_fixed);
    is_text.then(|| outline.part_of(first..end))
}
