//! The elements that are right in another one, where there is a grammar: `<child> "load"` of `(mission (load) (wait (fire)))`, and not `fire`.
//!
//! A rule counts all elements in it, however deep. A program that reads the parts of a list one by one looks at those alone that are no parts of others.
//! The text right after the word of such an element has a name too, since an element often defines a thing of that name.

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
            outer.name == rule.name
                && outer.span != rule.span
                && outline.word_of_element(outer).is_some()
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

/// The text after the word of an element, with all that no blank and no bracket separates from it: `$a` of `(func $a)`, whose mark may be a part of
/// its name or a token before it. Nothing if that is a mark alone or a part in brackets.
fn named<'t>(outline: &Outline<'t>, rule: &Rule) -> Option<Part<'t>> {
    let first = rule.leaves.0 + 2;
    let leaves = outline.leaves.get(first..rule.leaves.1)?;
    let is_bracket = |leaf: &Leaf<'_>| leaf.text.len() == 1 && b"()[]{}<>".contains(&leaf.text[0]);
    let is_joined = |two: &&[Leaf<'_>]| {
        two[0].start as usize + two[0].text.len() >= two[1].start as usize && !is_bracket(&two[1])
    };
    leaves.first().filter(|leaf| !is_bracket(leaf))?;
    let length = 1 + leaves.windows(2).take_while(is_joined).count();
    let is_text = leaves[..length].iter().any(|leaf| !leaf.is_fixed);
    is_text.then(|| outline.part_of(first..first + length))
}
