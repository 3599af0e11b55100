//! How deep elements and keys are nested in each other: those of one name, of two and of three.
//!
//! The depth of a rule counts all rules of its name. Targets often have a limit for some of them: five loops, whatever conditions are
//! between them. So each two and each three names have a depth together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::outline::{Item, Labels, Outline, Rule};
use super::super::{Feature, Features, raise};
use crate::generalize::predicate::feature::OR;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{BEGINS_WITH, BELOW, IS_WORD, VALUE_OF, is_plain_key};

/// Names of elements around one that its depth is counted with, because each pair is a feature. Not measured.
const MAX_NAMES_OF_DEPTH: usize = 4;
/// Names of which each three have a depth together, because seven have 35: a language has about as many statements.
const MAX_NAMES_IN_THREES: usize = 7;
/// Names below which depths are counted, because each has them all once more. A guess: documents with nested keys seldom have more.
const MAX_NAMES_BELOW: usize = 12;

/// How deep elements of one name are nested in each other, and in those of other names. The depth of a rule counts all elements; this one
/// counts those of the same name, as `<div>` in `<div>`.
///
/// The same is read of two names: five `let` or `lambda` in each other are as deep as five `let`. An input without one of them
/// has the depth of the other. And the same below each element that is in no other one somewhere: a command that asserts may have a limit
/// that a definition has not.
pub(super) fn depths_of_elements(outline: &Outline<'_>, labels: &Labels<'_>, found: &mut Features) {
    let element = |rule: usize| {
        let Rule { span, name, .. } = &outline.rules[rule];
        let mut labels = labels.get(span).into_iter().flatten();
        let label = labels.find(|label| label.starts_with('<') && label.starts_with(&**name))?;
        Some((*label, &**name))
    };
    let all = nested(outline, element);
    depths_of_parts(&all, "", found);
    let outermost = all.iter().filter(|part| part.outer.is_empty());
    let limits: BTreeSet<&Name> = outermost.map(|part| part.name).collect();
    depths_below(&all, limits.into_iter(), found);
}

/// How deep values of keys are in each other, by one key and by two of them: five `"all"` or `"any"` in each other; the same below each key. What is
/// between them does not count.
///
/// In many documents it is the value of one key that says what an object is, such as `"type"`. So the same is read of objects by such a value.
pub(super) fn depths_of_keys(outline: &Outline<'_>, found: &mut Features) {
    let of_keys = VALUE_OF.trim_end();
    let plain = |item: &&Item<'_>| item.name.strip_prefix(VALUE_OF).is_some_and(is_plain_key);
    let keyed = outline.keyed.iter().filter(|item| !item.is_fixed).filter(plain);
    let keyed: BTreeMap<usize, &Name> =
        keyed.filter_map(|item| Some((item.rule?, &item.name))).collect();
    depths_and_below(outline, of_keys, |rule| Some((*keyed.get(&rule)?, of_keys)), found);
    for (kind, objects) in objects_by_values(outline) {
        let named = |rule: usize| {
            let object = objects.get(&rule).map(|name| (name, &*kind));
            object.or_else(|| Some((*keyed.get(&rule)?, of_keys)))
        };
        depths_and_below(outline, &kind, named, found);
    }
}

/// For each key whose value is a word in an object and in one around it, the names of all objects by this value, with the beginning that they have in common:
/// `<object> whose "type" is "row"`.
fn objects_by_values(outline: &Outline<'_>) -> BTreeMap<String, BTreeMap<usize, Name>> {
    let mut found: BTreeMap<String, BTreeMap<usize, Name>> = BTreeMap::new();
    for item in outline.keyed.iter().filter(|item| item.is_fixed) {
        let word = item.name.strip_prefix(VALUE_OF).and_then(|name| name.split_once(IS_WORD));
        let Some((key, word)) = word.filter(|(key, _)| is_plain_key(key)) else { continue };
        let Some(object) = item.rule.and_then(|pair| outline.rules[pair].outer) else { continue };
        let kind = format!("{} whose {key} is", outline.rules[object].name);
        let name = format!("{kind} {word}").into();
        found.entry(kind).or_default().insert(object, name);
    }
    found.retain(|_, objects| {
        let is_inside =
            |object: &usize| outline.outer_rules(*object).any(|outer| objects.contains_key(&outer));
        objects.keys().any(is_inside)
    });
    found
}

/// The depths of rules that begin with a word of the grammar: statements by their keywords.
///
/// `kinds` has for each rule its name with the word, or nothing.
pub(super) fn depths_of_kinds(outline: &Outline<'_>, kinds: &[Option<Name>], found: &mut Features) {
    let kind = |rule: usize| {
        let name = kinds[rule].as_ref()?;
        Some((name, &name[..outline.rules[rule].name.len() + BEGINS_WITH.trim_end().len()]))
    };
    depths(outline, kind, found);
}

/// How deep parts of some names are in each other. Cost: for each part a look at those around it, for each pair of names.
///
/// `named` is asked for the name of each rule, and for the beginning that it has in common with those that it is counted together with;
/// nothing for a rule without such a name.
fn depths<'n>(
    outline: &Outline<'_>,
    named: impl Fn(usize) -> Option<(&'n Name, &'n str)>,
    found: &mut Features,
) {
    depths_of_parts(&nested(outline, named), "", found);
}

/// The same of parts of one kind, and also of those inside the value of each key: five `"all"` or `"any"` in each other below `"rule"`.
///
/// What a part means often depends on a key around it. `named` is asked for keys too.
fn depths_and_below<'n>(
    outline: &Outline<'_>,
    kind: &str,
    named: impl Fn(usize) -> Option<(&'n Name, &'n str)>,
    found: &mut Features,
) {
    let mut all = nested(outline, named);
    all.retain(|part| part.kind == kind);
    depths_of_parts(&all, "", found);
    let around = all.iter().flat_map(|part| part.outer.iter().copied());
    let keys: BTreeSet<&Name> = around.filter(|name| name.starts_with(VALUE_OF)).collect();
    depths_below(&all, keys.into_iter(), found);
}

/// The depths of parts inside those of each of some names, up to the outermost of these.
fn depths_below<'n>(
    all: &[Nested<'n>],
    limits: impl Iterator<Item = &'n Name>,
    found: &mut Features,
) {
    for limit in limits.take(MAX_NAMES_BELOW) {
        let below = all.iter().filter(|part| part.name != limit).filter_map(|part| {
            let end = part.outer.iter().rposition(|outer| *outer == limit)?;
            let outer = part.outer[..end].iter().copied().filter(|outer| *outer != limit);
            Some(Nested { outer: outer.collect(), ..*part })
        });
        let below: Vec<Nested<'_>> = below.collect();
        if below.iter().any(|part| !part.outer.is_empty()) {
            // The word of an element, or the key.
            let key = limit.split_once("> ").map(|(_, word)| word);
            let key = key.or(limit.strip_prefix(VALUE_OF)).unwrap_or(limit);
            depths_of_parts(&below, &format!("{BELOW}{key} "), found);
        }
    }
}

/// A part with a name that depths are counted with.
struct Nested<'n> {
    name: &'n Name,
    /// The names of the parts around it, the innermost one first.
    outer: Vec<&'n Name>,
    /// The beginning that its name has in common with those that it is counted together with.
    kind: &'n str,
}

/// All rules that have such a name.
fn nested<'n>(
    outline: &Outline<'_>,
    named: impl Fn(usize) -> Option<(&'n Name, &'n str)>,
) -> Vec<Nested<'n>> {
    let all = (0..outline.rules.len()).filter_map(|rule| {
        let (name, kind) = named(rule)?;
        let outer = outline.outer_rules(rule).filter_map(|outer| Some(named(outer)?.0));
        Some(Nested { name, outer: outer.collect(), kind })
    });
    all.collect()
}

/// The depths of parts, with names that begin with `place`.
fn depths_of_parts(all: &[Nested<'_>], place: &str, found: &mut Features) {
    depths_of_three(all, place, found);
    let depth_of = |name: &Name| match place {
        "" => Feature::Depth(name.clone()),
        place => Feature::Depth(format!("{place}{name}").into()),
    };
    let mut pairs: BTreeMap<Name, [&Name; 2]> = BTreeMap::new();
    for Nested { name, outer, kind } in all {
        let of = |names: &[&Name]| {
            1 + outer.iter().filter(|label| names.contains(label)).count() as i128
        };
        raise(found, depth_of(name), of(&[name]));
        // Elements of two names may be of one kind, such as those that bind a name. A rule that is all of another one has an element's
        // name as that one has.
        let is_other = |other: &&Name| other != name && other.starts_with(kind);
        let others: BTreeSet<&Name> = outer.iter().copied().filter(is_other).collect();
        for other in others.into_iter().take(MAX_NAMES_OF_DEPTH) {
            let around = outer.iter().filter(|label| **label == other).count() as i128;
            if place.is_empty() {
                raise(found, Feature::Level((*name).clone(), other.clone()), around);
            }
            let (first, second) = ((*name).min(other), (*name).max(other));
            let both = together((place, kind), &[first, second]);
            raise(found, Feature::Depth(both.clone()), of(&[name, other]));
            pairs.insert(both, [first, second]);
        }
    }
    // Those of one name alone may be deeper than where both are.
    for (both, each) in pairs {
        for name in each {
            if let Some(depth) = found.get(&depth_of(name)).copied() {
                raise(found, Feature::Depth(both.clone()), depth);
            }
        }
    }
}

/// The same of three names.
///
/// Of an input that lacks one of them the depths of two are known (`Feature::absence`). Nothing for a kind with more names than
/// `MAX_NAMES_IN_THREES`.
fn depths_of_three(all: &[Nested<'_>], place: &str, found: &mut Features) {
    let mut nested: BTreeMap<&str, BTreeSet<&Name>> = BTreeMap::new();
    for Nested { name, outer, kind } in all {
        let others = outer.iter().filter(|other| *other != name && other.starts_with(kind));
        let others: Vec<&Name> = others.copied().collect();
        if !others.is_empty() {
            nested.entry(kind).or_default().extend(others.into_iter().chain([*name]));
        }
    }
    nested.retain(|_, names| names.len() <= MAX_NAMES_IN_THREES);
    for (kind, names) in nested {
        let names: Vec<&Name> = names.into_iter().collect();
        let threes = threes(names.len()).map(|three| three.map(|at| names[at]));
        for three in threes {
            let together = together((place, kind), &three);
            for Nested { outer, .. } in all.iter().filter(|part| three.contains(&part.name)) {
                let depth = 1 + outer.iter().filter(|label| three.contains(label)).count();
                raise(found, Feature::Depth(together.clone()), depth as i128);
            }
        }
    }
}

/// The name of several that are counted together, which begin with their kind: `<element> "a" or "b"`, maybe at a place.
fn together((place, kind): (&str, &str), names: &[&Name]) -> Name {
    let words = names.iter().map(|name| name[kind.len()..].trim_start());
    let words: Vec<&str> = words.collect();
    format!("{place}{kind} {}", words.join(OR)).into()
}

/// Each three of some numbers from 0 on, in order.
///
/// None for fewer than three numbers.
fn threes(count: usize) -> impl Iterator<Item = [usize; 3]> {
    let pairs = (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]));
    pairs.flat_map(move |[one, other]| (other + 1..count).map(move |last| [one, other, last]))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::predicate::feature::{Feature, Words, features};

    #[test]
    fn depths_of_elements_are_counted_below_the_outermost_ones() {
        let language = Language::open("sexp", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let text = "(assert (all (x) (any (y) (not (all (z) z))))) (goal (any (x) x) (all (y) y))";
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
        let depth = |name: &str| Feature::Depth(name.into()).value(&found);
        let both = "<expression> \"all\" or \"any\"";
        assert_eq!(depth(both), Some(3));
        assert_eq!(
            ["assert", "goal"].map(|word| depth(&format!("below {word:?} {both}"))),
            [Some(3), Some(1)]
        );
    }

    #[test]
    fn depths_are_counted_below_a_key_and_by_the_value_of_one() {
        let language = Language::open("json", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let text = concat!(
            r#"{"b":{"all":[{"any":[]}]},"a":{"all":[{"any":[{"all":[]}]}]},"#,
            r#""c":{"type":"row","in":{"type":"text","in":{"type":"col","in":{"type":"row"}}}}}"#
        );
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
        let depth = |name: &str| Feature::Depth(name.into()).value(&found);
        let both = "value of \"all\" or \"any\"";
        assert_eq!(depth(both), Some(3));
        assert_eq!(depth(&format!("below \"a\" {both}")), Some(3));
        assert_eq!(depth(&format!("below \"b\" {both}")), Some(2));
        assert_eq!(depth(&format!("below \"c\" {both}")), Some(0));
        let named = found.keys().filter_map(|one| match one {
            Feature::Depth(name) if name.ends_with("is \"col\" or \"row\"") => Some(&**name),
            _ => None,
        });
        assert_eq!(named.map(depth).max(), Some(Some(3)));
    }
}
