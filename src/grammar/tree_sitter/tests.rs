use super::samples::SAMPLES;
use super::*;
use crate::grammar::analysis::minimal::MinimalStrings;
use crate::grammar::lexer::Lexer;
use crate::structure::tree::{Kind, NodeId, Tree};

fn language(name: &str) -> TreeSitter {
    TreeSitter::built_in(languages::named(name).unwrap()).unwrap()
}

/// The input without each iteration that its quantifier can do without.
fn removals(tree: &Tree, grammar: &Grammar, input: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut found = Vec::new();
    for id in tree.ids() {
        let Some(quantifier) = tree.parent(id).filter(|_| tree.node(id).kind == Kind::Iteration)
        else {
            continue;
        };
        let Kind::Quantifier(number) = tree.node(quantifier).kind else { unreachable!() };
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
        let is_error = |&id: &NodeId| matches!(tree.node(id).kind, Kind::Error | Kind::Missing(_));
        assert!(tree.ids().any(|id| is_error(&id)) && !seen.parsed.is_valid(), "{name}");
        assert!(language(name).error_bytes(damaged.as_bytes()).unwrap() > 0, "{name}");
    }
}

#[test]
fn each_optional_part_can_go_and_no_error_comes_up() {
    for (name, valid, _) in SAMPLES {
        let language = language(name);
        let seen = language.parse(valid.as_bytes()).unwrap();
        let removals = removals(&seen.parsed.tree, &seen.grammar, valid.as_bytes());
        eprintln!("{name}: {} of {}", removals.len(), seen.parsed.tree.len());
        for (text, piece) in &removals {
            eprintln!("    {piece:?}");
            let errors = language.error_bytes(text).unwrap();
            assert_eq!(errors, 0, "{name}: {piece:?} is not optional");
        }
        assert!(removals.len() > 3, "{name}: {}", removals.len());
    }
}

#[test]
fn dump() {
    for (name, valid, _) in SAMPLES {
        let language = language(name);
        let seen = language.parse(valid.as_bytes()).unwrap();
        let mut lexer = Lexer::new(&seen.grammar);
        let strings = MinimalStrings::new(&seen.grammar, &mut lexer);
        for (at, rule) in seen.grammar.rules.iter().enumerate() {
            let minimal = strings.of_rule(RuleId(at as u32)).map(|minimal| String::from_utf8(strings.text(minimal, &mut lexer)).unwrap());
            eprintln!("{name}: {} {} {minimal:?}", rule.name, rule.alternatives.len());
        }
    }
}
