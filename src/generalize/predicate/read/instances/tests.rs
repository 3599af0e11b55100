//! What is read of the parts of one rule, and of the first rule of a name.

use std::sync::Arc;

use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;

use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::bound::Bound;
use crate::generalize::predicate::feature::{Feature, Features, Term, Words};
use crate::generalize::predicate::read::tests::{read, read_in, read_with};

#[test]
fn a_value_is_the_text_of_an_item_of_a_list_beside_it_or_of_none() {
    let names = || ("value of \"start\"".into(), "items in \"states\"".into());
    let within = |feature: Feature, text: &str| {
        Feature::Within("items in \"all\"".into(), Arc::new(feature)).value(&read_in("json", text))
    };
    for (text, is_there) in [
        (r#"{"all":[{"start":"a","states":["b","a"]}]}"#, 1),
        (r#"{"all":[{"start":"c","states":["b","a"]}]}"#, 0),
        (r#"{"all":[{"start":"a","states":[]},{"start":"b","states":["c"]}]}"#, 0),
    ] {
        let (one, list) = names();
        assert_eq!(within(Feature::Shared(one, list), text), Some(is_there), "{text}");
        let (one, list) = names();
        assert_eq!(within(Feature::Missing(one, list), text), Some(1 - is_there), "{text}");
    }
}

#[test]
fn the_first_row_has_equal_cells_or_another_alphabet_also_if_it_has_one_cell() {
    let first = |feature: Feature, text: &str| {
        let name = "first <record>".into();
        Feature::Within(name, Arc::new(feature)).value(&read_in("csv", text))
    };
    let equal = |text: &str| first(Feature::Twins("<field>".into()), text);
    assert_eq!(["a,b,a\nc,d,e\n", "a,b\nc,c\n"].map(equal), [1, 0].map(Some));
    let other = |text: &str| first(Feature::NonAscii("<field>".into()), text);
    assert_eq!(["é\na\n", "a\né\n"].map(other), [1, 0].map(Some));
}

#[test]
fn one_line_has_a_negative_number_and_another_one_of_three_decimals() {
    let both = |text: &str| {
        let three = Feature::Count("<DECIMAL> with 3 decimals".into());
        let bounds = [three, Feature::Negative("<DECIMAL>".into())];
        let bounds = bounds.map(|feature| (feature, Bound::AtLeast(1))).to_vec();
        Feature::Parts("<line>".into(), bounds).value(&read(text))
    };
    assert_eq!(both("a -1.5 2.125 3.0625\n"), Some(1));
    assert_eq!(both("a -1.5 2.25\nb 2.125\n"), Some(0));
}

#[test]
fn one_list_has_a_number_with_a_sign_whatever_decimals_others_have() {
    let three = Feature::Count("<NUMBER> with 3 decimals".into());
    let both = Feature::Within("<array> with <NUMBER> with \"-\"".into(), Arc::new(three));
    let both = |text: &str| both.value(&read_in("json", text));
    assert_eq!(both("[[5.5, 2.25, 1.0625, -8.5, 1.125]]"), Some(1));
    assert_ne!(both("[[5.5, 2.25, 1.0625, 8.5, 1.125], [-8.5]]"), Some(1));
}

#[test]
fn the_first_block_lacks_a_key_that_is_in_no_block() {
    let lacks = |text: &str| {
        let name = "value of \"Date\"".into();
        Feature::Lacks("first <block>".into(), name).value(&read(text))
    };
    let texts = ["To: a\n\nDate: b\n", "Date: b\n\nTo: a\n", "To: a\n\nb: c\n"];
    assert_eq!(texts.map(lacks), [1, 0, 1].map(Some));
}

#[test]
fn a_section_without_a_title_is_one_and_has_no_title() {
    let without = |name: &str| {
        let feature = Feature::Lacks(name.into(), "value of \"host\"".into());
        feature.value(&read_in("ini", "user=a\n[web]\nhost=b\n"))
    };
    assert_eq!(["<section>", "<section> below a title"].map(without), [1, 0].map(Some));
}

#[test]
fn the_numbers_of_a_pair_in_a_value_are_compared() {
    let greater = |text: &str| {
        let terms = [Term::First, Term::Second].map(|term| term("number".into()));
        let [one, other] = terms;
        let bounds = vec![(Feature::Difference(one, other), Bound::AtLeast(1))];
        Feature::Parts("value of \"range\"".into(), bounds).value(&read_in("json", text))
    };
    assert_eq!(greater(r#"{"range":"9-4","other":"1-2"}"#), Some(1));
    assert_eq!(greater(r#"{"range":"4-9","other":"2-1"}"#), Some(0));
}

#[test]
fn values_of_a_key_are_in_order_whatever_is_between_them() {
    let in_order = |text: &str| {
        let names = ["a", "b", "c"]
            .map(|op| format!("value of \"op\" of one of \"steps\" that is {op:?}").into());
        let [first, second, third] = names;
        Feature::InOrder(first, second, third).value(&read_in("json", text))
    };
    let steps = |ops: [&str; 3]| {
        let steps = ops.map(|op| format!(r#"{{"op":"{op}","at":"a"}}"#));
        format!(r#"{{"steps":[{}]}}"#, steps.join(","))
    };
    assert_eq!(in_order(&steps(["a", "b", "c"])), Some(1));
    assert_eq!(in_order(&steps(["b", "a", "c"])), Some(0));
}

#[test]
fn a_value_begins_with_another_one_and_keys_of_an_inner_object_are_beside_those_of_the_outer_one() {
    let within = |feature: Feature, text: &str| {
        Feature::Within("items in \"all\"".into(), Arc::new(feature)).value(&read_in("json", text))
    };
    let begins = |text: &str| {
        let [path, from] = ["value of \"path\"", "value of \"from\""].map(Into::into);
        within(Feature::BeginsWith(path, from), text)
    };
    let texts =
        [r#"{"all":[{"from":"/a","path":"/ab"}]}"#, r#"{"all":[{"path":"/a","from":"/ab"}]}"#];
    assert_eq!(texts.map(begins), [1, 0].map(Some));
    let wider = |text: &str| {
        let [own, inner] = ["value of \"w\"", "value of \"w\" of \"crop\""].map(Into::into);
        within(Feature::Difference(Term::First(inner), Term::First(own)), text)
    };
    let texts =
        [r#"{"all":[{"crop":{"w":5},"w":3}]}"#, r#"{"all":[{"w":3,"crop":{"h":9,"w":1}}]}"#];
    assert_eq!(texts.map(wider), [2, -2].map(Some));
}

#[test]
fn texts_of_a_list_differ_in_length_and_three_items_are_in_order_in_one_list() {
    let within = |feature: Feature, text: &str| {
        Feature::Within("value of \"rows\"".into(), Arc::new(feature)).value(&read_in("json", text))
    };
    let differ = |text: &str| {
        within(Feature::Unequal("items in \"rows\"".into(), "<character>".into()), text)
    };
    let texts = [r#"{"rows":["ab","c"]}"#, r#"{"rows":["ab","cd"]}"#];
    assert_eq!(texts.map(differ), [1, 0].map(Some));
    let ordered = |text: &str| {
        let [one, other, third] = ["\"cut\"", "\"undo\"", "\"paste\""].map(Into::into);
        within(Feature::InOrder(one, other, third), text)
    };
    let texts = [r#"{"rows":["cut","x","undo","paste"]}"#, r#"{"rows":["undo","cut","paste"]}"#];
    assert_eq!(texts.map(ordered), [1, 0].map(Some));
}

#[test]
fn a_number_of_any_token_is_negative_and_a_key_is_of_digits() {
    let negative = |text: &str| {
        let feature = Feature::Negative("<any number>".into());
        feature.value(&read_in("toml", text))
    };
    assert_eq!(["a = -1\n", "a = -1.5\n", "a = 1\nb = 2.5\n"].map(negative), [1, 1, 0].map(Some));
    let digits = |text: &str| {
        Feature::Count("<STRING> before \":\" of digits".into()).value(&read_in("json", text))
    };
    assert_eq!([r#"{"12":"a"}"#, r#"{"a":"12"}"#].map(digits), [1, 0].map(Some));
}

#[test]
fn a_parameter_of_a_url_has_a_value() {
    let value = |text: &str| {
        Feature::Value(Term::First("value of \"min\"".into())).value(&read_in("url", text))
    };
    assert_eq!(["http://a?b=7&min=12", "http://a?min12"].map(value), [Some(12), None]);
}

#[test]
fn a_list_has_the_values_of_its_own_objects_and_a_key_in_an_inner_list_is_another_one() {
    let twins = |text: &str| {
        let bounds = vec![(Feature::Twins("value of \"id\"".into()), Bound::AtLeast(1))];
        Feature::Parts("value of \"all\"".into(), bounds).value(&read_in("json", text))
    };
    let texts = [r#"{"all":[{"id":1},{"id":1}]}"#, r#"{"all":[{"id":1},{"b":{"id":1}}]}"#];
    assert_eq!(texts.map(twins), [1, 0].map(Some));
    let count = |name: &str, text: &str| Feature::Count(name.into()).value(&read_in("json", text));
    let texts = [r#"{"all":{"id":1}}"#, r#"{"all":[{"id":1}]}"#, r#"{"all":[[{"id":1}]]}"#];
    let names = ["of", "of one of", "of one in a list of"]
        .map(|of| format!("value of \"id\" {of} \"all\""));
    for (at, text) in texts.into_iter().enumerate() {
        let counts = [0, 1, 2].map(|name| count(&names[name], text));
        assert_eq!(counts, [0, 1, 2].map(|name| Some(i128::from(name == at))), "{text}");
    }
}

#[test]
fn values_of_two_keys_are_in_each_other_whatever_is_between_them() {
    let depth = |text: &str| {
        let name = "value of \"all\" or \"any\"".into();
        Feature::Depth(name).value(&read_in("json", text))
    };
    assert_eq!(depth(r#"{"all":[{"any":[{"not":{"any":[]}}]}]}"#), Some(3));
    assert_eq!(depth(r#"{"any":[{"any":[]},"all"]}"#), Some(2));
    assert_eq!(depth(r#"{"all":[[[]]]}"#), Some(1));
}

#[test]
fn elements_of_one_element_are_in_order() {
    let is_in_order = |text: &str| {
        let [first, second, third] =
            ["a", "b", "c"].map(|name| format!("<content> {name:?}").into());
        let inner = Arc::new(Feature::InOrder(first, second, third));
        Feature::Within("<content> \"way\"".into(), inner).value(&read_in("xml", text))
    };
    assert_eq!(is_in_order("<x><way><a/><b/><c/></way></x>"), Some(1));
    assert_eq!(is_in_order("<x><way a=\"b\"><b/><a/>a b c<c/></way></x>"), Some(0));
    assert_eq!(is_in_order("<x><way><a/><b/></way><way><c/></way></x>"), Some(0));
}

#[test]
fn numbers_with_units_are_numbers_and_a_value_is_told_by_its_decimals() {
    let both = |text: &str| {
        let of = |name: &str| (Feature::Count(name.into()), Bound::AtLeast(1));
        let negative = (Feature::Negative("<any number>".into()), Bound::AtLeast(1));
        let bounds = vec![of("<any number> with 3 decimals")];
        let features = read_in("css", text);
        let parts = |bounds| Feature::Parts("<any number>".into(), bounds).value(&features);
        [parts(bounds), parts(vec![negative])]
    };
    assert_eq!(both("a{b:0.125em -4px}"), [Some(1); 2]);
    assert_eq!(both("a{b:0.12em 4px}"), [Some(0); 2]);
    let kind = Feature::Count("value of \"a\" with 3 decimals".into());
    assert_eq!(kind.value(&read_in("json", r#"{"a":0.125,"b":1.5}"#)), Some(1));
    assert_eq!(kind.value(&read_in("json", r#"{"a":0.5,"b":1.125}"#)), Some(0));
}

#[test]
fn a_line_of_a_log_has_values_by_their_keys_and_a_second_field_by_its_beginning() {
    let parts = |text: &str| {
        let kind = "second <field> between \" \" that begins with \"pump-\"";
        let pressure = Feature::Value(Term::First("value of \"pressure\"".into()));
        let bounds =
            vec![(Feature::Count(kind.into()), Bound::AtLeast(1)), (pressure, Bound::AtMost(29))];
        Feature::Parts("<line>".into(), bounds).value(&read(text))
    };
    assert_eq!(parts("7 pump-1 flow=40 pressure=12\n8 fan-1 pressure=3 a=1\n"), Some(1));
    assert_eq!(parts("7 pump-1 pressure=40 flow=12\n8 fan-1 pressure=3 a=1\n"), Some(0));
}

#[test]
fn values_of_a_list_are_in_order_by_their_key_however_many_words_it_has() {
    let is_in_order = |text: &str| {
        let [first, second, third] =
            ["a", "b", "c"].map(|word| format!("value of \"op\" that is {word:?}").into());
        let inner = Arc::new(Feature::InOrder(first, second, third));
        Feature::Within("value of \"steps\"".into(), inner).value(&read_in("json", text))
    };
    let step = |op: &str| format!(r#"{{"op":"{op}","x":"d"}}"#);
    let steps = |ops: [&str; 3]| format!(r#"{{"steps":[{}]}}"#, ops.map(step).join(","));
    assert_eq!(is_in_order(&steps(["a", "b", "c"])), Some(1));
    assert_eq!(is_in_order(&steps(["b", "a", "c"])), Some(0));
}

#[test]
fn lines_are_in_order_and_rows_are_compared_within_what_they_are_below() {
    let within = |rule: &str, feature: Feature, text: &str| {
        Feature::Within(rule.into(), Arc::new(feature)).value(&read(text))
    };
    let uneven = |text: &str| {
        let rows = Feature::Unequal("neighbouring <line below>".into(), "<word>".into());
        within("<entry>", rows, text)
    };
    let texts = ["chart\n  1: k k\n  2: p\n", "chart\n  1: k\n  2: p\nchart\n  1: k k\n"];
    assert_eq!(texts.map(uneven), [1, 0].map(Some));
    let equal = |text: &str| {
        let names = "<field> between \" \" outside of remarks with \"#\"".into();
        within("<line>", Feature::Twins(names), text)
    };
    let texts = ["1.2 a b a # c\n# x\n", "1.2 a b # a\n# a a\n"];
    assert_eq!(texts.map(equal), [1, 0].map(Some));
    let equal = |text: &str| {
        let names = "items in <text> after \":\" outside of remarks with \"#\"".into();
        within("<line> that does not begin with \"#\"", Feature::Twins(names), text)
    };
    let texts = ["r: a, b, a # c\n# x\n", "r: a, b # a, b\n# a: a, a\n"];
    assert_eq!(texts.map(equal), [1, 0].map(Some));
}

#[test]
fn numbers_are_named_by_the_word_before_and_names_by_their_indentation() {
    let between = |text: &str| {
        let number = Feature::Value(Term::First("<NUMBER> after \"to\"".into()));
        let bounds = vec![(number.clone(), Bound::AtLeast(9)), (number, Bound::AtMost(12))];
        Feature::Parts("<line>".into(), bounds).value(&read(text))
    };
    assert_eq!(["ramp 9 to 12 for 3\n", "ramp 9 to 13 for 12\n"].map(between), [1, 0].map(Some));
    let twins = |text: &str| {
        Feature::Twins("<text> before \":\" without indentation".into()).value(&read(text))
    };
    let texts = ["a: b\na: c\n\td:\n", "a: b\n\ta: c\n\ta: d\n"];
    assert_eq!(texts.map(twins), [1, 0].map(Some));
}

#[test]
fn texts_of_words_are_rows_and_arguments_have_decimals() {
    let uneven = |text: &str| {
        let rows = Feature::Unequal("<STRING>".into(), "<word>".into());
        let rule = "<declaration> that begins with \"areas\"".into();
        Feature::Within(rule, Arc::new(rows)).value(&read_in("css", text))
    };
    let texts = ["a{areas:\"a b\" \"c\"}", "a{areas:\"a b\" \"c d\";b:\"e\"}"];
    assert_eq!(texts.map(uneven), [1, 0].map(Some));
    let three = |text: &str| {
        Feature::Count("<argument> with 3 decimals".into()).value(&read_in("javascript", text))
    };
    assert_eq!(["f(-1.125, 2.25);", "f(1.5, 2.25);"].map(three), [1, 0].map(Some));
}

#[test]
fn keys_with_points_and_hyphens_are_compared_where_there_is_no_grammar() {
    let less = |text: &str| {
        let [one, other] = ["max", "min"].map(|key| format!("value of \"pool.{key}-n\"").into());
        Feature::Difference(Term::First(one), Term::First(other)).value(&read(text))
    };
    assert_eq!(less("pool.min-n = 9\npool.max-n=4\n"), Some(-5));
    assert_eq!(less("pool.min-n 9\npool.max-n 4\n"), None);
}

#[test]
fn the_length_of_any_line_may_be_the_number_of_a_key() {
    let measures = |text: &str| {
        let (key, lines) = ("value of \"width\"".into(), "<line> after an empty line".into());
        Feature::Measures(key, lines).value(&read(text))
    };
    assert_eq!(measures("width: 3\n\nab\nabc\nabcd\n"), Some(1));
    assert_eq!(measures("width: 8\n\nab\n"), Some(0));
}

/// The same where the failure needs some words.
fn read_needed(name: &str, text: &str, words: &[&str]) -> Features {
    let language = Language::open(name, None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let needed: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    let words = Words::of([text.as_bytes()]).with_preferred(&needed);
    read_with(language, text, &words)
}

#[test]
fn a_child_is_right_in_an_element() {
    let order = |text: &str| {
        let names = ["load", "turn", "fire"].map(|word| format!("<child> {word:?}").into());
        let [load, turn, fire] = names;
        let order = Arc::new(Feature::InOrder(load, turn, fire));
        let name = "<expression> \"mission\"".into();
        Feature::Within(name, order).value(&read_needed("sexp", text, &["load", "turn", "fire"]))
    };
    assert_eq!(order("(mission a (load) (turn) (wait) (fire 2))"), Some(1));
    assert_eq!(order("(mission a (load) (turn) (wait (fire 2)))"), Some(0));
}

#[test]
fn names_of_children_are_equal_in_one_element() {
    let equal = |text: &str| {
        let twins = Arc::new(Feature::Twins("<name> after <child> \"func\"".into()));
        let name = "<expression> \"module\"".into();
        Feature::Within(name, twins).value(&read_needed("sexp", text, &["module", "func"]))
    };
    assert_eq!(equal("(module (func $a (nop)) (func $a))"), Some(1));
    let others = ["(module (func $a) (export (func $a)))", "(module (func $a))(module (func $a))"];
    assert!(others.iter().all(|text| equal(text) != Some(1)));
    // The element between the two has a word that no condition names.
    let twins = Arc::new(Feature::Twins("<name> after <child> \"func\"".into()));
    let twins = Feature::Within("<expression> \"module\"".into(), twins);
    let words = Words::in_names(twins.names().into_iter());
    let language = Language::open("sexp", None).unwrap();
    let language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
    let found = read_with(language, others[0], &words);
    assert_ne!(twins.value(&found), Some(1));
}

#[test]
fn a_value_is_that_of_an_element_right_in_another_one() {
    let equal = |text: &str| {
        let found = read_needed("xml", text, &["list", "item"]);
        let is_named = |feature: &Feature| match feature {
            Feature::Twins(name) => {
                let (key, elements) = name.split_once(" of <").unwrap_or_default();
                key == "value of \"name\"" && elements.ends_with("\"item\" of <element> \"list\"")
            }
            _ => false,
        };
        found.iter().find(|(feature, _)| is_named(feature)).map(|(_, value)| *value)
    };
    let two = r#"<list><item name="a"/><item name="a"/></list>"#;
    let one = r#"<list><item name="a"/><part><item name="a"/></part><item name="b"/></list>"#;
    // An answer of no is not stored.
    assert_eq!([equal(two), equal(one)], [Some(1), None]);
}

#[test]
fn lists_of_numbers_and_of_names_in_one_line_are_two() {
    let equal = |name: &str, text: &str| {
        let twins = Arc::new(Feature::Twins(format!("{name} beside \",\"").into()));
        Feature::Within("<line>".into(), twins).value(&read(text))
    };
    let texts = ["allow 22,22 from lan,wan", "allow 22,80 from wan,wan"];
    assert_eq!(texts.map(|text| equal("<NUMBER>", text)), [1, 0].map(Some));
    assert_eq!(texts.map(|text| equal("<name>", text)), [0, 1].map(Some));
    assert_eq!(texts.map(|text| equal("<text>", text)), [1, 1].map(Some));
}
