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
//! What is read where, with a condition that is about it:
//!
//! | module | a condition |
//! |---|---|
//! | `without_grammar` | the byte at offset 3 differs from the number of bytes from offset 4 on |
//! | `chains` | in some date the second number is 2 and the last is at least 29 |
//! | `brackets` | brackets of two kinds are nested 5 deep |
//! | `without_grammar` | the text after `:` on some line is at least 7 |
//! | `kinds` | three numbers have a fraction or an exponent |
//! | `keys`, `heads` | the value of `"lo"` is greater than that of `"hi"` |
//! | `one` | some string has a character of 4 bytes; a heading is two levels below the one before it |
//! | `two`, `order` | there are more `(` than `)`; `end` comes before `begin` |
//! | `without_grammar` | some section has no host |
//! | `scopes` | some row has more cells than another; no object has the key `"id"` |
//! | `instances`, `parts` | in one element, two attributes have the same name |
//!
//! Features are numbers, and the same input has the same ones whatever was read before: what a condition says of an
//! input does not depend on the search that found it.

mod brackets;
mod chains;
mod heads;
mod instances;
mod keys;
mod kinds;
mod names;
mod one;
mod order;
mod outline;
mod parts;
mod scopes;
mod two;
mod without_grammar;
mod words;

use seedsmith_grammar::Tree;

use super::condition::Condition;
use super::feature::{Feature, Features};
use super::term::Term;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::plain;

pub(super) use chains::chains;
pub(super) use outline::core;
use outline::{Outline, Part};
pub(super) use without_grammar::binary::is_binary;
pub(super) use without_grammar::records::{Layout, Record, layouts};
pub use words::Words;
pub(super) use words::line_names;
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
                Feature::Within(..) | Feature::Parts(..) => wanted.instances = true,
                Feature::Count(_) | Feature::AnyOf(_) => {}
                Feature::Value(_) | Feature::Twins(_) => {}
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
    if is_plain {
        outline.group_sections();
        outline.group_items();
    }
    outline.name_kinds(is_plain, words);
    outline.name_keys(words);
    if is_plain {
        outline.name_fields();
        outline.name_marks(words);
        outline.name_beginnings(words);
        outline.name_lines(words);
    }
    outline.name_between();
    outline.name_after_words(is_plain, words);
    // Features of order need the parts in order, whatever named them.
    outline.items.sort_by_key(|item| (item.part.start, item.part.leaf));
    for (name, has_twins) in &outline.twin_keys {
        found.insert(Feature::TwinKeys(name.clone()), i128::from(*has_twins));
    }
    for (rule, one, other) in std::mem::take(&mut outline.both_keys) {
        found.insert(Feature::Within(rule, Box::new(Feature::BothKeys(one, other))), 1);
    }
    found.insert(Feature::Brackets, outline.brackets);
    found.insert(Feature::MixedBrackets, outline.mixed_brackets);
    found.insert(Feature::Value(Term::Bytes), input.len() as i128);
    found.insert(Feature::Multiple(Term::Bytes, 2), i128::from(input.len().is_multiple_of(2)));
    if words.are_binary {
        without_grammar::binary::of_fields(input, &mut found);
        without_grammar::records::of_records(input, words, &mut found);
    }
    scopes::of_rules(&outline, &mut found);
    scopes::of_words(&outline, &mut found);
    let named = outline.named(|_| true);
    for (name, all) in &named {
        one::of_one(name, all, &mut found);
    }
    if wanted.pairs {
        two::of_pairs(&named, &mut found);
        order::of_order(&named, words, &mut found);
        order::of_neighbours(&outline, &mut found);
    }
    if wanted.instances {
        instances::of_each_rule(&outline, is_plain, &mut found);
        parts::of_tokens(&outline, &mut found);
        chains::of_chains(input, &mut found);
        if is_plain {
            parts::of_pairs(&outline, &mut found);
        }
    }
    found
}

/// The largest value counts where a feature is met several times.
///
/// So a feature says that some part is like that, and its opposite that none is.
fn raise(found: &mut Features, feature: Feature, value: i128) {
    let known = found.entry(feature).or_insert(value);
    *known = (*known).max(value);
}

/// The length of a text.
///
/// What is measured is the text as it is written, escapes and all.
///
/// In characters of UTF-8, as a person counts; a byte that is none counts as one.
pub(super) fn characters(text: &[u8]) -> i128 {
    String::from_utf8_lossy(text).chars().count() as i128
}

/// `None` for a text that is no decimal integer, or a larger one than 128 bits hold.
fn number(text: &[u8]) -> Option<i128> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The number in a text that has one, and no letters beside it: `$12`, `"-5"`. Where the grammar has numbers, one in
/// quotation marks is a text. A list with one number in it is none.
fn only_number(part: &Part<'_>) -> Option<i128> {
    number(part.text).or_else(|| {
        let (start, end) = crate::generalize::pattern::core(part.text);
        let digits = &part.text[start..end];
        let is_list = part.text.iter().any(|byte| b"[]{},".contains(byte));
        let is_number = !part.is_text && !is_list && digits.iter().all(u8::is_ascii_digit);
        let size = is_number.then(|| number(digits)).flatten()?;
        // `--5` is an option.
        let is_negative =
            part.text[..start].ends_with(b"-") && !part.text[..start].ends_with(b"--");
        Some(if is_negative { -size } else { size })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::internal::{Substitutes, g4};
    use seedsmith_grammar::{Language, Parser};

    use super::*;
    use crate::generalize::predicate::condition::Bound;

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
    fn fields_of_a_line_have_lengths_and_may_be_empty() {
        let found = read("7: a b-1 \nx;;y");
        let value = |feature: Feature| feature.value(&found);
        let after = || "<text> after \":\"".to_owned();
        assert_eq!(value(Feature::Value(Term::Length(after()))), Some(5));
        let before = Term::First("<text> before \":\"".to_owned());
        assert_eq!(value(Feature::Difference(before, Term::Length(after()))), Some(2));
        let between = || "<field> between \";\"".to_owned();
        assert_eq!(value(Feature::Count(between())), Some(3));
        assert_eq!(value(Feature::Empty(between())), Some(1));
        let last = Feature::Within("last <line>".to_owned(), Box::new(Feature::Empty(between())));
        assert_eq!(value(last), Some(1));
    }

    #[test]
    fn a_number_in_a_word_has_no_leading_zero() {
        let zeros = Feature::Count("<NUMBER> with a leading 0".to_owned());
        assert_eq!(zeros.value(&read("a 07 b")), Some(1));
        assert_eq!(zeros.value(&read("a07 x0 70")), Some(0));
    }

    #[test]
    fn rows_are_compared_with_the_head_of_which_there_is_one() {
        let grammar =
            "grammar Table; text: head row* EOF; head: 'cols' NAME+ ';'; row: 'row' N* ';';
            NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";
        let grammar = g4::load_texts(&[("table.g4", grammar)]).unwrap();
        let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
        let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let unequal = |text: &str| {
            let names = ["values", "<NAME> in <head>"].map(str::to_owned);
            let [one, other] = names.map(Term::Count);
            let bounds = vec![(Feature::Difference(one, other), Bound::IsNot(0))];
            Feature::Parts("<row>".to_owned(), bounds).value(&read_by(language.clone(), text))
        };
        assert_eq!(unequal("cols a b; row 1 2; row; row 1 2 3;"), Some(2));
        assert_eq!(unequal("cols a b; row 1 2; row 3 4;"), Some(0));
        assert_eq!(unequal("cols a; row;"), Some(1));
    }

    #[test]
    fn three_words_are_in_order_if_a_middle_one_is_between_the_others() {
        let is_in_order = |text: &str| {
            let names = ["\"a\"", "\"b\"", "\"c\""].map(str::to_owned);
            let [one, other, third] = names;
            Feature::InOrder(one, other, third).value(&read(text)) == Some(1)
        };
        assert!(is_in_order("a x b c") && is_in_order("b a c b x c"));
        // Each pair is in order somewhere, the three are not.
        assert!(!is_in_order("b c a b") && !is_in_order("a c b"));
    }

    #[test]
    fn a_token_is_negative_and_has_decimals_alone() {
        let language = Language::open("json", None).unwrap();
        let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let both = |text: &str| {
            let name = || "<NUMBER>".to_owned();
            let bounds = vec![
                (Feature::Value(Term::Decimals(name())), Bound::AtLeast(3)),
                (Feature::Negative(name()), Bound::AtLeast(1)),
            ];
            Feature::Parts(name(), bounds).value(&read_by(language.clone(), text))
        };
        assert_eq!(both("[-1.250, 3, -4]"), Some(1));
        assert_eq!(both("[-1.25, 3.125, -4]"), Some(0));
    }

    fn read_in(name: &str, text: &str) -> Features {
        let language = Language::open(name, None).unwrap();
        read_by(Sampler::new(Arc::new(Substitutes::new(language))).unwrap(), text)
    }

    #[test]
    fn a_value_without_a_mark_is_a_part_of_its_own() {
        let found = read_in("json", r#"{"c":[{"mail":"a@b"},{"mail":"c"}],"d":"e"}"#);
        let name = r#"value of "mail" of "c""#;
        let values = [Bound::AtLeast(1), Bound::AtMost(0)].map(|bound| {
            let mark = Feature::Count(format!("{name} with \"@\""));
            Feature::Parts(name.to_owned(), vec![(mark, bound)]).value(&found)
        });
        assert_eq!(values, [Some(1); 2]);
    }

    #[test]
    fn a_number_in_quotation_marks_has_its_sign() {
        let first = |text: &str| {
            let term = Term::First("value of \"to\"".to_owned());
            read_in("xml", text).get(&Feature::Value(term)).copied()
        };
        assert_eq!(first("<a to=\"-5\" b=\"\"/>"), Some(-5));
        assert_eq!(first("<a to=\"5\" b=\"\"/>"), Some(5));
        assert_eq!(first("<a to=\"--5\" b=\"\"/>"), Some(5));
    }

    #[test]
    fn the_widest_character_of_a_text_is_counted_in_bytes() {
        let width = |text: &str| {
            let term = Term::Widest("<STRING>".to_owned());
            read_in("json", text).get(&Feature::Value(term)).copied()
        };
        let texts = ["[\"a\"]", "[\"\u{e9}\"]", "[\"\u{20ac}\"]", "[\"a\u{1f600}\"]"];
        assert_eq!(texts.map(width), [1, 2, 3, 4].map(Some));
    }

    #[test]
    fn numbers_with_a_point_or_an_exponent_are_a_kind() {
        let kind = Feature::Count("<NUMBER> with a fraction or an exponent".to_owned());
        assert_eq!(kind.value(&read_in("json", "[1.5, 2, -1e3, 0]")), Some(2));
    }

    #[test]
    fn lines_after_the_first_are_counted() {
        let count =
            |text: &str| Feature::Count("<line> after the first".to_owned()).value(&read(text));
        assert_eq!([count("rows 2\na\nb\n"), count("rows 0")], [Some(2), Some(0)]);
    }

    #[test]
    fn rules_are_compared_with_those_beside_them_and_without_empty_ones() {
        let unequal = |language: &str, name: &str, child: &str, text: &str| {
            let feature = Feature::Unequal(name.to_owned(), child.to_owned());
            feature.value(&read_in(language, text)) == Some(1)
        };
        let records = |text: &str| unequal("csv", "<record> that is not empty", "<field>", text);
        assert!(records("a,b\nc") && !records("a,b\n\nc,d"));
        let arrays = |text: &str| unequal("json", "neighbouring <array>", "<value>", text);
        assert!(arrays("[[1, 2], [3]]") && !arrays("[[1, 2], [3, 4], [5, 6]]"));
    }

    #[test]
    fn nests_of_two_kinds_of_brackets_are_as_deep_as_all_that_are_open() {
        let depth = |text: &str| read(text).get(&Feature::MixedBrackets).copied();
        assert_eq!(["([()])", "((()))", "()[]"].map(depth), [3, 0, 0].map(Some));
    }

    #[test]
    fn a_heading_rises_by_its_marks_and_a_number_by_its_size() {
        let rise =
            |name: &str, text: &str| read(text).get(&Feature::Rise(name.to_owned())).copied();
        let headings = |text: &str| rise("<marks before text>", text);
        assert_eq!(headings("# a\nb\n### c\n## d"), Some(2));
        assert_eq!(headings("### a\n## b"), Some(-1));
        assert_eq!(rise("<NUMBER>", "4 9 2"), Some(5));
    }

    #[test]
    fn angle_brackets_are_brackets_if_each_is_closed() {
        let depth = |text: &str| read(text).get(&Feature::Brackets).copied();
        assert_eq!(depth("<(<[a]>)>"), Some(4));
        assert_eq!(depth("(a < b)"), Some(1));
    }
}
