//! Trees, least texts and separators of every language that is compiled in, on samples.
//!
//! Each language is tested with a valid and a damaged sample; the optional parts that are found are
//! checked with the parser.

use super::samples::SAMPLES;
use super::*;
use crate::grammar::analysis::minimal::MinimalStrings;
use crate::grammar::language::Language;
use crate::grammar::lexer::Lexer;
use crate::structure::trees::tree::{NodeId, NodeKind, Tree};
use std::cell::Cell;

/// The compiled-in language of a name.
fn language(name: &str) -> TreeSitter {
    TreeSitter::built_in(languages::named(name).unwrap()).unwrap()
}

/// The input without each iteration that its quantifier does not require.
fn removals(tree: &Tree, grammar: &Grammar, input: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut found = Vec::new();
    for id in tree.ids() {
        let Some(quantifier) =
            tree.parent(id).filter(|_| tree.node(id).kind == NodeKind::Iteration)
        else {
            continue;
        };
        let NodeKind::Quantifier(number) = tree.node(quantifier).kind else { unreachable!() };
        let bounds = grammar.quantifiers[number as usize].bounds;
        if tree.iterations(quantifier) > bounds.min() as usize {
            let span = tree.span(id);
            let text = [&input[..span.start], &input[span.end..]].concat();
            found.push((text, String::from_utf8_lossy(&input[span]).into_owned()));
        }
    }
    found
}

#[test]
fn a_valid_sample_of_each_language_gives_a_tree_without_errors() {
    for (name, valid, _) in SAMPLES {
        let seen = language(name).parse(valid.as_bytes()).unwrap();
        assert!(seen.parsed.is_valid(), "{name}: {:?}", seen.parsed.errors);
        assert_eq!(seen.parsed.tree.render(valid.as_bytes()), valid.as_bytes(), "{name}");
    }
}

#[test]
fn a_damaged_sample_of_each_language_gives_a_tree_with_errors() {
    for (name, _, damaged) in SAMPLES {
        let seen = language(name).parse(damaged.as_bytes()).unwrap();
        let tree = &seen.parsed.tree;
        assert_eq!(tree.render(damaged.as_bytes()), damaged.as_bytes(), "{name}");
        let is_error =
            |&id: &NodeId| matches!(tree.node(id).kind, NodeKind::Error | NodeKind::Missing(_));
        assert!(tree.ids().any(|id| is_error(&id)) && !seen.parsed.is_valid(), "{name}");
        assert!(language(name).misfits(damaged.as_bytes()).unwrap() > 0, "{name}");
    }
}

#[test]
fn each_optional_part_can_go_and_no_error_comes_up() {
    for (name, valid, _) in SAMPLES {
        let language = language(name);
        let seen = language.parse(valid.as_bytes()).unwrap();
        let removals = removals(&seen.parsed.tree, &seen.grammar, valid.as_bytes());
        for (text, piece) in &removals {
            let errors = language.misfits(text).unwrap();
            assert_eq!(errors, 0, "{name}: {piece:?} is not optional");
        }
        assert!(removals.len() > 3, "{name}: {}", removals.len());
    }
}

#[test]
fn parts_of_a_long_input_are_optional_too() {
    for name in ["javascript", "c", "json", "lua"] {
        let language = language(name);
        let (_, valid, _) = SAMPLES.iter().find(|sample| sample.0 == name).unwrap();
        let long = valid.repeat(20);
        let seen = language.parse(long.as_bytes()).unwrap();
        let removals = removals(&seen.parsed.tree, &seen.grammar, long.as_bytes());
        assert!(removals.len() > 100, "{name}: {}", removals.len());
        for (text, piece) in removals.iter().step_by(7) {
            assert_eq!(language.misfits(text).unwrap(), 0, "{name}: {piece:?}");
        }
    }
}

/// How many rule nodes can be replaced by their rule's minimal string without an error, of how
/// many.
fn replaceable(name: &str, valid: &str) -> (usize, usize) {
    let language = language(name);
    let seen = language.parse(valid.as_bytes()).unwrap();
    let (tree, mut lexer) = (&seen.parsed.tree, Lexer::new(&seen.grammar));
    let strings = MinimalStrings::new(&seen.grammar, &mut lexer);
    let (mut fitting, mut all) = (0, 0);
    for id in tree.ids() {
        let Some(rule) = tree.rule(id) else { continue };
        let minimal = strings.of_rule(RuleId(rule)).expect("a rule that was met has a text");
        let (text, span) = (strings.text(minimal, &mut lexer), tree.span(id));
        let input = valid.as_bytes();
        let whole = [&input[..span.start], &text, &input[span.end..]].concat();
        all += 1;
        fitting += usize::from(language.misfits(&whole).unwrap() == 0);
    }
    (fitting, all)
}

#[test]
fn minimal_strings_nearly_always_fit() {
    let (mut fitting, mut all) = (0, 0);
    for (name, valid, _) in SAMPLES {
        let (some, of) = replaceable(name, valid);
        assert!(some * 2 > of, "{name}: {some} of {of}");
        (fitting, all) = (fitting + some, all + of);
    }
    assert!(fitting * 10 > all * 8, "{fitting} of {all}");
    let (_, json, _) = SAMPLES.iter().find(|sample| sample.0 == "json").unwrap();
    let (fitting, all) = replaceable("json", json);
    assert_eq!(fitting, all);
}

#[test]
fn a_separator_goes_with_what_it_separates() {
    let pieces = |name: &str, text: &str| -> Vec<String> {
        let seen = language(name).parse(text.as_bytes()).unwrap();
        removals(&seen.parsed.tree, &seen.grammar, text.as_bytes())
            .into_iter()
            .map(|(_, piece)| piece)
            .collect()
    };
    assert_eq!(pieces("json", "[1, 2, 3]")[1..], ["1, 2, 3", ", 2", ", 3"]);
    assert!(pieces("javascript", "let x = 5;").contains(&"= 5".to_owned()));
    assert!(pieces("python", "def f() -> int: return 1").contains(&"-> int".to_owned()));
}

#[test]
fn what_becomes_of_an_input_is_parsed_in_the_same_numbers() {
    let (_, valid, _) = SAMPLES.iter().find(|sample| sample.0 == "javascript").unwrap();
    let seen = language("javascript").parse(valid.as_bytes()).unwrap();
    assert_eq!(seen.reader.parse(valid.as_bytes()).unwrap(), *seen.parsed);
    // Nothing of the sample is a switch.
    let other = b"switch (x) { case 1: f(); }";
    let parsed = seen.reader.parse(other).unwrap();
    assert_eq!(parsed.tree.render(other), other);
    for id in parsed.tree.ids() {
        match parsed.tree.node(id).kind {
            NodeKind::Rule { rule, .. } => assert!((rule as usize) < seen.grammar.rules.len()),
            NodeKind::Token(token) | NodeKind::Trivia(token) | NodeKind::Missing(token) => {
                assert!((token as usize) < seen.grammar.tokens.len());
            }
            NodeKind::Quantifier(id) => assert!((id as usize) < seen.grammar.quantifiers.len()),
            NodeKind::Root | NodeKind::Error | NodeKind::Iteration | NodeKind::Fixed => {}
        }
    }
}

#[test]
fn no_nesting_is_too_deep() {
    // Recursion of more than 70 bytes a level overflows a test's stack.
    let deep = 30_000;
    for (name, text) in [
        ("json", "[".repeat(deep) + &"]".repeat(deep)),
        ("json", "[".repeat(deep)),
        ("javascript", "x=".to_owned() + &"(".repeat(deep) + "1" + &")".repeat(deep)),
    ] {
        let seen = language(name).parse(text.as_bytes()).unwrap();
        assert_eq!(seen.parsed.tree.render(text.as_bytes()), text.as_bytes());
    }
}

#[test]
fn empty_blank_and_binary_inputs_are_all_in_the_tree() {
    let noise: Vec<u8> = (0..2_000_u32).map(|at| ((at * at * 31) >> 3) as u8).collect();
    for built_in in &languages::BUILT_IN {
        let language = TreeSitter::built_in(built_in).unwrap();
        for input in [&b""[..], b" \n\t", b"\xFF\0\xC3", &noise] {
            let seen = language.parse(input).unwrap();
            assert_eq!(seen.parsed.tree.render(input), input, "{}", language.name());
        }
    }
}

#[test]
fn a_library_that_is_none_is_refused_in_a_line() {
    for (path, symbol) in [("no-such-library.so", "tree_sitter_x"), ("Cargo.toml", "tree_sitter_x")]
    {
        let error = TreeSitter::load(Path::new(path), symbol).unwrap_err().to_string();
        assert!(error.contains(path) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn languages_are_found_by_ending_and_name() {
    assert_eq!(languages::by_ending("PY").unwrap().name, "python");
    assert!(languages::by_ending("exe").is_none() && languages::named("cobol").is_none());
    let names: Vec<&str> = languages::BUILT_IN.iter().map(|language| language.name).collect();
    assert!(names.is_sorted());
    assert!(SAMPLES.iter().map(|sample| sample.0).eq(names));
}

#[test]
fn a_parse_ends_when_the_caller_wants_no_more() {
    let text = SAMPLES[0].1.repeat(50);
    let error = language("bash").parse_while(text.as_bytes(), &|| false).unwrap_err();
    assert!(matches!(error, ParseError::Stopped { .. }));
}

#[test]
fn a_parse_ends_at_whichever_question_the_caller_says_no() {
    let text = format!("[{}1]", "{\"id\": 1041, \"x\": [true, null]},\n".repeat(400));
    let asked = Cell::new(0);
    let parse = |until: usize| {
        asked.set(0);
        let keep_going = || {
            asked.set(asked.get() + 1);
            asked.get() < until
        };
        language("json").parse_while(text.as_bytes(), &keep_going).map(|_| asked.get())
    };
    let all = parse(usize::MAX).unwrap();
    assert!(all > 400, "{all}: not in all that takes long");
    for until in (1..=all).step_by(all / 8) {
        assert!(matches!(parse(until), Err(ParseError::Stopped { .. })), "{until} of {all}");
        assert_eq!(asked.get(), until);
    }
}

#[test]
fn the_input_that_showed_a_language_is_not_parsed_again() {
    let text = b"[1, {\"a\": null}]";
    let mut json = Language::seen(&language("json"), text, &|| true).unwrap();
    assert_eq!(json.parse_while(text, &|| false).unwrap().tree.render(text), text);
    assert!(json.parse_while(b"[1, 2]", &|| false).is_err());
}
