//! What is read of small inputs: by the grammar of all texts, by small grammars, and by that of JSON.

use crate::generalize::predicate::name::Name;
use std::sync::Arc;

use seedsmith_grammar::internal::{Substitutes, g4};
use seedsmith_grammar::{Language, Parser};

use super::*;
use crate::generalize::predicate::condition::Bound;

const ELEMENTS: &str = "grammar Elements; text: element EOF;
    element: '<' NAME '>' element* '<' '/' NAME '>' | '<' NAME '/' '>'; NAME: [a-z]+;";

fn read_by(language: Sampler, text: &str) -> Features {
    read_with(language, text, &Words::of([text.as_bytes()]))
}

/// The same by these words.
pub(super) fn read_with(mut language: Sampler, text: &str, words: &Words) -> Features {
    let (tree, _) = language.read(text.as_bytes()).unwrap();
    features(&tree, text.as_bytes(), &language, words)
}

pub(super) fn read(text: &str) -> Features {
    read_by(plain::language().unwrap(), text)
}

#[test]
fn equal_parts_are_counted_in_all_and_in_a_row() {
    let found = read("b\nb\nb\nc\nb");
    let line = || Name::from("<line>");
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
        let name = || Name::from("<element>");
        [Feature::InOwn(name()), Feature::RightInOwn(name())]
            .map(|feature| feature.value(&found) == Some(1))
    };
    assert_eq!(said("<a><b><a/></b></a>"), [true, false]);
    assert_eq!(said("<b><a><a/></a></b>"), [true, true]);
    assert_eq!(said("<a><b/><b/></a>"), [false, false]);
}

#[test]
fn the_lines_of_a_condition_come_before_others_with_its_words() {
    let lines = ["a", "b", "c"].map(|word| format!("<line> whose second word is {word:?}").into());
    let words = Words::in_names(lines.iter());
    let input = b"1 a b\n2 b c\n3 b a\n4 c a";
    let mut language = plain::language().unwrap();
    let (tree, _) = language.read(input).unwrap();
    let found = features(&tree, input, &language, &words);
    let [first, second, third] = lines;
    assert_eq!(found.get(&Feature::InOrder(first, second, third)), Some(&1));
}

#[test]
fn an_element_is_inside_elements_of_other_names() {
    let grammar = g4::load_texts(&[("elements.g4", ELEMENTS)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let around = |text: &str| {
        let [inner, outer] = ["b", "a"].map(|name| format!("<element> {name:?}").into());
        Feature::Level(inner, outer).value(&read_by(language.clone(), text))
    };
    assert_eq!(around("<a><c><b/></c></a>"), Some(1));
    assert_eq!(around("<c><a></a><b/></c>"), Some(0));
}

#[test]
fn a_name_that_marks_say_is_used_has_none_that_marks_say_is_defined() {
    let undefined = |text: &str| {
        let names = ["<name> after \"[^\"", "<name> between \"[^\" and \"]:\""].map(Name::from);
        let [used, defined] = names;
        Feature::Missing(used, defined).value(&read(text))
    };
    assert_eq!(undefined("tea[^a] is hot[^b1]\n[^a]: green\n[[^b1]: x"), Some(0));
    assert_eq!(undefined("tea[^a] is hot[^b2]\n[^a]: green\n[^b1]: x"), Some(1));
    assert_eq!(undefined("tea[^a]"), Some(1));
}

#[test]
fn a_key_without_a_value_is_a_twin_of_one_with_a_value() {
    let twins = |text: &str| read(text).get(&Feature::TwinKeys("<text>".into())).copied();
    assert_eq!(twins("used=\nused=3"), Some(1));
    assert_eq!(twins("used=\nfree=3\nother used="), Some(0));
}

#[test]
fn lines_after_an_empty_one_have_a_name() {
    let count = |text: &str| Feature::Count("<line> after an empty line".into()).value(&read(text));
    assert_eq!(count("a\n\nb\n\nc"), Some(2));
    assert_eq!(count("a\r\nb\r\n\r\n"), Some(0));
}

#[test]
fn the_second_line_has_a_name_also_if_it_is_empty() {
    let length =
        |text: &str| Feature::Value(Term::Length("second <line>".into())).value(&read(text));
    assert_eq!(length("a\nbc\nd"), Some(2));
    assert_eq!(length("a\n\nd"), Some(0));
    assert_eq!(length("a"), None);
}

#[test]
fn the_first_line_has_a_name_by_the_word_that_it_begins_with() {
    let count = |text: &str, name: &str| Feature::Count(name.into()).value(&read(text));
    let first = "first <line> that begins with \"get\"";
    assert_eq!(count("get a\nput b", first), Some(1));
    assert_eq!(count("put b\nget a", first), Some(0));
}

#[test]
fn a_part_that_may_be_empty_has_features_where_it_is_not() {
    let rows = "grammar Rows; text: row (NL row)* EOF; row: cell (',' cell)*; cell: WORD | ;
        WORD: [a-z]+; NL: '\\n';";
    let grammar = g4::load_texts(&[("rows.g4", rows)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let ends = |text: &str| {
        let inner = Feature::Ends("<cell>".into());
        let found = read_by(language.clone(), text);
        Feature::Within("<row>".into(), Arc::new(inner)).value(&found)
    };
    assert_eq!(["a,b,a", "a,b", ",b,", "a,b,"].map(ends), [Some(1), Some(0), Some(1), Some(0)]);
}

#[test]
fn the_first_and_the_last_rule_of_a_name_have_features_of_their_own() {
    let found = read("x 5\ny 7\nz 700");
    let number = |place: &str| {
        let inner = Feature::Value(Term::First("<NUMBER>".into()));
        found.get(&Feature::Within(format!("{place} <line>").into(), Arc::new(inner))).copied()
    };
    assert_eq!([number("first"), number("last")], [Some(5), Some(700)]);
}

#[test]
fn fields_of_a_line_have_lengths_and_may_be_empty() {
    let found = read("7: a b-1 \nx;;y");
    let value = |feature: Feature| feature.value(&found);
    let after = || Name::from("<text> after \":\"");
    assert_eq!(value(Feature::Value(Term::Length(after()))), Some(5));
    let before = Term::First("<text> before \":\"".into());
    assert_eq!(value(Feature::Difference(before, Term::Length(after()))), Some(2));
    let between = || Name::from("<field> between \";\"");
    assert_eq!(value(Feature::Count(between())), Some(3));
    assert_eq!(value(Feature::Empty(between())), Some(1));
    let last = Feature::Within("last <line>".into(), Arc::new(Feature::Empty(between())));
    assert_eq!(value(last), Some(1));
}

#[test]
fn a_number_in_a_word_has_no_leading_zero() {
    let zeros = Feature::Count("<NUMBER> with a leading 0".into());
    assert_eq!(zeros.value(&read("a 07 b")), Some(1));
    assert_eq!(zeros.value(&read("a07 x0 70")), Some(0));
}

#[test]
fn rows_are_compared_with_the_head_of_which_there_is_one() {
    let grammar = "grammar Table; text: head row* EOF; head: 'cols' NAME+ ';'; row: 'row' N* ';';
        NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";
    let grammar = g4::load_texts(&[("table.g4", grammar)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let unequal = |text: &str| {
        let names = ["values", "<NAME> in <head>"].map(Name::from);
        let [one, other] = names.map(Term::Count);
        let bounds = vec![(Feature::Difference(one, other), Bound::IsNot(0))];
        Feature::Parts("<row>".into(), bounds).value(&read_by(language.clone(), text))
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
        Feature::InOrder(one.into(), other.into(), third.into()).value(&read(text)) == Some(1)
    };
    assert!(is_in_order("a x b c") && is_in_order("b a c b x c"));
    // Each pair is in order somewhere, the three are not.
    assert!(!is_in_order("b c a b") && !is_in_order("a c b"));
}

#[test]
fn the_third_in_order_may_be_the_first_again_and_lines_are_in_order_too() {
    let is_in_order = |text: &str, [one, other]: [&str; 2]| {
        let feature = Feature::InOrder(one.into(), other.into(), one.into());
        feature.value(&read(text)) == Some(1)
    };
    let words = ["\"stop\"", "\"start\""];
    assert!(is_in_order("stop a start b stop", words) && !is_in_order("stop stop start", words));
    let lines = words.map(|word| format!("<line> of the text {word}"));
    let lines = [&*lines[0], &*lines[1]];
    assert!(is_in_order("stop\nstart\nx\nstop", lines));
    assert!(!is_in_order("stop\nstart\nstop now", lines));
}

#[test]
fn a_token_is_negative_and_has_decimals_alone() {
    let language = Language::open("json", None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let both = |text: &str| {
        let name = || Name::from("<NUMBER>");
        let features = read_by(language.clone(), text);
        [Term::Decimals(name()), Term::Precision(name())].map(|term| {
            let decimals = (Feature::Value(term), Bound::AtLeast(3));
            let negative = (Feature::Negative(name()), Bound::AtLeast(1));
            Feature::Parts(name(), vec![decimals, negative]).value(&features)
        })
    };
    assert_eq!(both("[-1.125, 3, -4]"), [Some(1), Some(1)]);
    assert_eq!(both("[-1.25, 3.125, -4]"), [Some(0), Some(0)]);
    assert_eq!(both("[-1.250, -60799873446552.60799]"), [Some(2), Some(0)]);
}

pub(super) fn read_in(name: &str, text: &str) -> Features {
    let language = Language::open(name, None).unwrap();
    read_by(Sampler::new(Arc::new(Substitutes::new(language))).unwrap(), text)
}

#[test]
fn a_value_without_a_mark_is_a_part_of_its_own() {
    let found = read_in("json", r#"{"c":[{"mail":"a@b"},{"mail":"c"}],"d":"e"}"#);
    let name = r#"value of "mail" of one of "c""#;
    let values = [Bound::AtLeast(1), Bound::AtMost(0)].map(|bound| {
        let mark = Feature::Count(format!("{name} with \"@\"").into());
        Feature::Parts(name.into(), vec![(mark, bound)]).value(&found)
    });
    assert_eq!(values, [Some(1); 2]);
}

#[test]
fn a_number_in_quotation_marks_has_its_sign() {
    let first = |text: &str| {
        let term = Term::First("value of \"to\"".into());
        read_in("xml", text).get(&Feature::Value(term)).copied()
    };
    assert_eq!(first("<a to=\"-5\" b=\"\"/>"), Some(-5));
    assert_eq!(first("<a to=\"5\" b=\"\"/>"), Some(5));
    assert_eq!(first("<a to=\"--5\" b=\"\"/>"), Some(5));
}

#[test]
fn the_widest_character_of_a_text_is_counted_in_bytes() {
    let width = |text: &str| {
        let term = Term::Widest("<STRING>".into());
        read_in("json", text).get(&Feature::Value(term)).copied()
    };
    let texts = ["[\"a\"]", "[\"\u{e9}\"]", "[\"\u{20ac}\"]", "[\"a\u{1f600}\"]"];
    assert_eq!(texts.map(width), [1, 2, 3, 4].map(Some));
}

#[test]
fn numbers_with_a_point_or_an_exponent_are_a_kind() {
    let kind = Feature::Count("<NUMBER> with a fraction or an exponent".into());
    assert_eq!(kind.value(&read_in("json", "[1.5, 2, -1e3, 0]")), Some(2));
}

#[test]
fn lines_after_the_first_are_counted() {
    let count = |text: &str| Feature::Count("<line> after the first".into()).value(&read(text));
    assert_eq!([count("rows 2\na\nb\n"), count("rows 0")], [Some(2), Some(0)]);
}

#[test]
fn rules_are_compared_with_those_beside_them_and_without_empty_ones() {
    let unequal = |language: &str, name: &str, child: &str, text: &str| {
        let feature = Feature::Unequal(name.into(), child.into());
        feature.value(&read_in(language, text)) == Some(1)
    };
    let records = |text: &str| unequal("csv", "<record> that is not empty", "<field>", text);
    assert!(records("a,b\nc") && !records("a,b\n\nc,d"));
    let arrays = |text: &str| unequal("json", "neighbouring <array>", "<value>", text);
    assert!(arrays("[[1, 2], [3]]") && !arrays("[[1, 2], [3, 4], [5, 6]]"));
}

#[test]
fn items_of_a_key_s_list_are_compared_with_each_other_and_with_no_other_list() {
    let items = Name::from("items in \"rows\"");
    let read = |text: &str| {
        let features = read_in("json", text);
        let unequal = Feature::Unequal(items.clone(), "<value>".into());
        let lacks = Feature::Lacks(items.clone(), "<array>".into());
        [unequal, lacks].map(|feature| feature.value(&features))
    };
    assert_eq!(read(r#"{"rows":[[1],[2,3]]}"#), [1, 0].map(Some));
    assert_eq!(read(r#"{"rows":[[1],[2]],"more":[[3,4]]}"#), [0, 0].map(Some));
    assert_eq!(read(r#"{"rows":[[1],2]}"#)[1], Some(1));
}

#[test]
fn a_table_has_the_name_of_its_title_and_a_list_not_that_of_its_first_item() {
    let lacks = |language: &str, rule: &str, text: &str| {
        let feature = Feature::Lacks(rule.into(), "\"port\"".into());
        feature.value(&read_in(language, text))
    };
    let text = "[server]\nhost = 1\n[proxy]\nport = 2\n";
    let tables = ["<table> \"server\"", "<table> \"proxy\""];
    assert_eq!(tables.map(|table| lacks("toml", table, text)), [1, 0].map(Some));
    let list = Feature::Count("<array> \"a\"".into());
    assert_eq!(list.value(&read_in("json", "[\"a\", \"port\"]")), Some(0));
}

#[test]
fn the_root_table_of_toml_is_a_table_like_those_with_a_title() {
    let least = |text: &str| {
        let values = ["min", "max"].map(|key| Term::First(format!("value of \"{key}\"").into()));
        let [one, other] = values;
        let feature = Feature::Within("<table>".into(), Arc::new(Feature::Difference(one, other)));
        feature.value(&read_in("toml", text))
    };
    assert_eq!(least("min = 9\nmax = 2\n"), Some(7));
    assert_eq!(least("min = 9\n[a]\nmax = 2\n"), None);
    assert_eq!(least("min = 9\n[a]\nmin = 2\nmax = 5\n"), Some(-3));
}

#[test]
fn a_number_is_compared_with_a_list_without_items() {
    let more = |text: &str| {
        let number = Term::First("value of \"n\"".into());
        let items = Term::Count("items in \"list\"".into());
        let difference = Arc::new(Feature::Difference(number, items));
        Feature::Within("items in \"all\"".into(), difference).value(&read_in("json", text))
    };
    assert_eq!(more(r#"{"all":[{"n":2,"list":[]}]}"#), Some(2));
    assert_eq!(more(r#"{"all":[{"n":2,"list":[1,2]}]}"#), Some(0));
    assert_eq!(more(r#"{"all":[{"n":2}]}"#), None);
}

#[test]
fn nests_of_two_kinds_of_brackets_are_as_deep_as_all_that_are_open() {
    let depth = |text: &str| read(text).get(&Feature::MixedBrackets).copied();
    assert_eq!(["([()])", "((()))", "()[]"].map(depth), [3, 0, 0].map(Some));
}

#[test]
fn a_heading_rises_by_its_marks_and_a_number_by_its_size() {
    let rise = |name: &str, text: &str| read(text).get(&Feature::Rise(name.into())).copied();
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

#[test]
fn tokens_in_brackets_are_told_from_those_before_them() {
    let grammar = "grammar Functions; program: function* EOF;
        function: 'fn' NAME '(' (NAME (',' NAME)*)? ')' ';'; NAME: [a-z]+; WS: [ ]+ -> skip;";
    let grammar = g4::load_texts(&[("functions.g4", grammar)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let twins = |text: &str| {
        let parameters = "<NAME> between \"(\" and \")\"".to_owned();
        let inner = Feature::Twins(parameters.into());
        Feature::Within("<function>".into(), Arc::new(inner))
            .value(&read_by(language.clone(), text))
    };
    assert_eq!(twins("fn f(a, b, a);"), Some(1));
    assert_eq!(twins("fn a(a, b); fn b(a);"), Some(0));
}

#[test]
fn texts_between_quotation_marks_are_parts_without_a_grammar() {
    let wide = |text: &str| Feature::NonAscii("<text> between \"\\\"\"".into()).value(&read(text));
    assert_eq!(wide("say \"caf\u{e9}\" to bob"), Some(1));
    assert_eq!(wide("say \"tea\" to b\u{f6}b and \"\""), Some(0));
}

#[test]
fn an_item_has_a_kind_and_two_empty_keys_are_twins() {
    let language = Language::open("json", None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let found = read_by(language.clone(), r#"{"users":[{},[1]]}"#);
    let kind = |rule: &str| {
        let kind = Feature::Count(format!("items in \"users\" that is {rule}").into());
        let bounds = vec![(kind, Bound::AtLeast(1))];
        Feature::Parts("items in \"users\"".into(), bounds).value(&found)
    };
    assert_eq!([kind("<object>"), kind("<array>"), kind("<pair>")], [1, 1, 0].map(Some));
    let twins =
        |text: &str| Feature::TwinKeys("<object>".into()).value(&read_by(language.clone(), text));
    assert_eq!([twins(r#"{"":1,"":2}"#), twins(r#"{"":1,"a":2}"#)], [1, 0].map(Some));
}

#[test]
fn what_is_deeper_in_an_item_is_no_value_of_the_item() {
    let has_kind = |text: &str| {
        let kind = Feature::Count("value of \"kind\"".into());
        let bounds = vec![(kind, Bound::AtLeast(1))];
        Feature::Parts("items in \"orders\"".into(), bounds).value(&read_in("json", text))
    };
    assert_eq!(has_kind(r#"{"orders":[{"kind":1}]}"#), Some(1));
    assert_ne!(has_kind(r#"{"orders":[[{"kind":1}]]}"#), Some(1));
    assert_ne!(has_kind(r#"{"orders":[{"by":{"kind":1}}]}"#), Some(1));
}

#[test]
fn numbers_with_a_sign_or_a_point_are_named_and_parts_of_dates_are_not() {
    let count = |text: &str| Feature::Count("<DECIMAL>".into()).value(&read(text));
    assert_eq!(count("a -3 4.25 -1.5."), Some(3));
    assert_eq!(count(".5 -.25 X.125 1..4 a.5"), Some(3));
    assert_eq!(count("2026-11-28 1.2.3 x-3 7"), Some(0));
}

#[test]
fn lines_with_an_empty_one_between_them_are_two_blocks() {
    let most = |text: &str| {
        let lines = Feature::Count("<line>".into());
        Feature::Within("<block>".into(), Arc::new(lines)).value(&read(text))
    };
    assert_eq!(most("a\nb\n\nc\n"), Some(2));
    assert_eq!(most("\na\nb\nc\n"), Some(0));
}

#[test]
fn lines_are_named_by_their_second_word_wherever_else_it_is() {
    let lines = Feature::Count("<line> whose second word is \"fire\"".into());
    assert_eq!(lines.value(&read("1 fire cups\n2 cool fire\nfire\n")), Some(1));
}
