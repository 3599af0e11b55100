//! The elements that are right in another one, where there is a grammar: `<child> "load"` of `(mission (load) (wait (fire)))`, and not `fire`.
//!
//! A rule counts all elements in it, however deep. A program that reads the parts of a list one by one looks at those alone that are no parts of others.

use std::collections::BTreeSet;

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Labels, Outline};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::CHILD;

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
        let mut outer = outline.outer_rules(number);
        let parent =
            outer.find(|outer| outline.rules[*outer].span != rule.span && label(*outer).is_some());
        // Of rules with one text the outermost is in the element around.
        if let Some(parent) = parent.filter(|parent| known.insert((*parent, rule.span))) {
            let name = format!("{CHILD}{}", &own[rule.name.len()..]).into();
            let part = outline.all_of(rule);
            found.push(Item { name, is_fixed: true, part, rule: Some(parent) });
        }
    }
    found
}
