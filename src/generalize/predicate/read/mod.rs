//! Reads the features of an input off its tree.
//!
//! ```text
//! tree -> outline (named parts, rules) -> names of keys -> features of one name, of two, of one rule
//! ```
//!
//! A name comes from the grammar (`<array>`, `"end"`), from the text (`"debug"`, if an input of the search has it), or
//! from the place (`value of "lo"`, `first <cell> in <row>`). One part may have several names. An input of 40 bytes in
//! JSON has up to 5,000 features, so reading takes more of a run's time than the tests of a fast target.
//!
//! Features are numbers, and the same input has the same ones whatever was read before: what a condition says of an
//! input does not depend on the search that found it.

mod instances;
mod keys;
mod kinds;
mod one;
mod order;
mod outline;
mod scopes;
mod two;
mod words;

use seedsmith_grammar::Tree;

use super::condition::Condition;
use super::feature::{Feature, Features};
use super::term::Term;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::plain;

pub(super) use outline::core;
use outline::{Outline, Part};
pub use words::Words;
use words::quoted;

/// Reads the features of an input that is in the language off its tree. Texts that the grammar does not
/// have are named only if they are among `words`.
///
/// Cost: one pass over the tree, and for each pair of the first names some comparisons; no test.
pub fn features(tree: &Tree, input: &[u8], language: &Sampler, words: &Words) -> Features {
    features_for(tree, input, language, (words, Wanted::ALL))
}

/// Kinds of features that take long to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Those of two names, and of order.
    pub pairs: bool,
    /// Those of the parts of one rule.
    pub instances: bool,
}

impl Wanted {
    /// Every kind: what learning needs, which does not know yet what the condition will be about.
    const ALL: Wanted = Wanted { pairs: true, instances: true };

    /// Those that conditions are about.
    pub(super) fn by(conditions: &[Condition]) -> Wanted {
        let mut wanted = Wanted { pairs: false, instances: false };
        for Condition { feature, .. } in conditions {
            match feature {
                Feature::Within(..) => wanted.instances = true,
                Feature::Count(_) | Feature::Value(_) | Feature::Twins(_) => {}
                Feature::TwinKeys(_) | Feature::Lacks(..) | Feature::Children(..) => {}
                _ => wanted.pairs = true,
            }
        }
        wanted
    }
}

/// The same with the wanted kinds of features, and with those that are cheap.
///
/// A condition that is known is evaluated on thousands of inputs that are made against it. Pairs and rules have most of
/// the features, and most conditions are about neither.
pub(super) fn features_for(
    tree: &Tree,
    input: &[u8],
    language: &Sampler,
    (words, wanted): (&Words, Wanted),
) -> Features {
    let mut found = Features::new();
    let is_plain = plain::is_plain(language);
    let mut outline = Outline::read(tree, input, language, words);
    outline.name_kinds(is_plain);
    outline.name_keys(words);
    for (name, has_twins) in &outline.twin_keys {
        found.insert(Feature::TwinKeys(name.clone()), i128::from(*has_twins));
    }
    for (rule, one, other) in std::mem::take(&mut outline.both_keys) {
        found.insert(Feature::Within(rule, Box::new(Feature::BothKeys(one, other))), 1);
    }
    found.insert(Feature::Brackets, outline.brackets);
    found.insert(Feature::Value(Term::Bytes), input.len() as i128);
    found.insert(Feature::Multiple(Term::Bytes, 2), i128::from(input.len().is_multiple_of(2)));
    scopes::of_rules(&outline, &mut found);
    scopes::of_words(&outline, &mut found);
    let named = outline.named(|_| true);
    for (name, all) in &named {
        one::of_one(name, all, &mut found);
    }
    if wanted.pairs {
        two::of_pairs(&named, &mut found);
        order::of_order(&named, &mut found);
        order::of_neighbours(&outline, &mut found);
    }
    if wanted.instances {
        instances::of_each_rule(&outline, is_plain, &mut found);
    }
    found
}

/// The largest value counts where a feature is met several times.
fn raise(found: &mut Features, feature: Feature, value: i128) {
    let known = found.entry(feature).or_insert(value);
    *known = (*known).max(value);
}

/// In characters of UTF-8, as a person counts; a byte that is none counts as one.
fn characters(text: &[u8]) -> i128 {
    String::from_utf8_lossy(text).chars().count() as i128
}

/// `None` for a text that is no decimal integer, or a larger one than 128 bits hold.
fn number(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The number in a text that has one, and no letters beside it: `$12`. Where the grammar has numbers, one in
/// quotation marks is a text.
fn only_number(part: &Part<'_>) -> Option<i128> {
    number(part.text).or_else(|| {
        let digits = core(part.text);
        let is_number = !part.is_text && digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| number(digits)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::internal::{Substitutes, g4};
    use seedsmith_grammar::{Language, Parser};

    use super::*;

    const ELEMENTS: &str = "grammar Elements; text: element EOF;
        element: '<' NAME '>' element* '<' '/' NAME '>' | '<' NAME '/' '>'; NAME: [a-z]+;";

    fn read_by(mut language: Sampler, text: &str) -> Features {
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let words = Words::of([text.as_bytes()]);
        features(&tree, text.as_bytes(), &language, &words)
    }

    fn read(text: &str) -> Features {
        read_by(plain::language().unwrap(), text)
    }

    #[test]
    fn equal_parts_are_counted_in_all_and_in_a_row() {
        let found = read("b\nb\nb\nc\nb");
        let line = || "<line>".to_owned();
        assert_eq!(found.get(&Feature::Alike(line())), Some(&4));
        assert_eq!(found.get(&Feature::AlikeInRow(line())), Some(&3));
        assert_eq!(read("a\nb").get(&Feature::Alike(line())), Some(&1));
    }

    #[test]
    fn an_element_is_inside_another_of_its_name_or_right_inside_it() {
        let grammar = g4::load_texts(&[("elements.g4", ELEMENTS)]).unwrap();
        let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
        let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let said = |text: &str| {
            let found = read_by(language.clone(), text);
            let name = || "<element>".to_owned();
            [Feature::InOwn(name()), Feature::RightInOwn(name())]
                .map(|feature| feature.value(&found) == Some(1))
        };
        assert_eq!(said("<a><b><a/></b></a>"), [true, false]);
        assert_eq!(said("<b><a><a/></a></b>"), [true, true]);
        assert_eq!(said("<a><b/><b/></a>"), [false, false]);
    }

    #[test]
    fn the_first_and_the_last_rule_of_a_name_have_features_of_their_own() {
        let found = read("x 5\ny 7\nz 700");
        let number = |place: &str| {
            let inner = Feature::Value(Term::First("<NUMBER>".to_owned()));
            found.get(&Feature::Within(format!("{place} <line>"), Box::new(inner))).copied()
        };
        assert_eq!([number("first"), number("last")], [Some(5), Some(700)]);
    }

    #[test]
    fn a_number_in_a_word_has_no_leading_zero() {
        let zeros = Feature::Count("<NUMBER> with a leading 0".to_owned());
        assert_eq!(zeros.value(&read("a 07 b")), Some(1));
        assert_eq!(zeros.value(&read("a07 x0 70")), Some(0));
    }
}
