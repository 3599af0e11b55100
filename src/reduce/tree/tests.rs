//! The tree reducers against what their sources say, and against brute force.

use std::sync::Arc;

use super::compatible::Compatible;
use super::hdd::{Everything, hdd_plus, hdd_star};
use super::perses::{perses, smaller_first};
use super::shape::{Edit, Shape, With};
use crate::grammar::g4;
use crate::grammar::language::Language;
use crate::grammar::parser::Parser;
use crate::grammar::substitutes::Substitutes;
use crate::oracle::Stopped;
use crate::order::is_simpler;
use crate::reduce::random::Random;
use crate::reduce::testing::{Found, reduce_by};
use crate::reduce::{Options, PicirenySteps, Strategy, minimize};
use crate::search::Search;
use crate::structure::tree::{Kind, NodeId};

pub(super) const EXPRESSION: &str = "grammar E; s: e EOF;
    e: e '*' e | e '/' e | e '+' e | e '-' e | '(' e ')' | N; N: [0-9]+; WS: [ \\t\\n]+ -> skip;";

pub(super) const LISTS: &str =
    "grammar L; s: item* EOF; item: list | 'let' ID '=' value ';' | '{' item+ '}';
    list: '[' (value (',' value)*)? ']' ; value: ID | NUMBER | list | '(' value ')';
    ID: [a-z]+; NUMBER: [0-9]+; WS: [ \\t\\n]+ -> skip; C: '#' ~[\\n]* '\\n' -> skip;";

pub(super) fn language(text: &str) -> Arc<Substitutes> {
    let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), Some("s")).unwrap();
    Arc::new(Substitutes::new(language))
}

pub(super) fn shape<'l>(language: &'l Substitutes, input: &[u8]) -> Shape<'l> {
    let mut reader = language.parser();
    let tree = reader.parse_while(input, &|| true).unwrap().tree;
    Shape::new(language, reader, input.to_vec(), tree)
}

fn reduce(
    strategy: Strategy,
    language: &Arc<Substitutes>,
    input: &[u8],
    fails: impl Fn(&[u8]) -> bool + 'static,
) -> Found {
    let language = Some(language.clone());
    let picireny = PicirenySteps { coarse: true, hoist: true, ..PicirenySteps::default() };
    let options = Options { strategy, language, picireny, ..Options::default() };
    reduce_by(input, fails, |search| minimize(search, &options))
}

/// Evaluates a sum; `Err(true)` is a division by zero, `Err(false)` is no expression.
fn evaluate(text: &[u8]) -> Result<i64, bool> {
    fn level(text: &mut &[u8], at: usize) -> Result<i64, bool> {
        const SIGNS: [&[u8]; 2] = [b"+-", b"*/"];
        let Some(signs) = SIGNS.get(at) else { return primary(text) };
        let mut left = level(text, at + 1)?;
        while let Some(sign) = text.first().filter(|sign| signs.contains(sign)) {
            *text = &text[1..];
            let right = level(text, at + 1)?;
            left = match sign {
                b'+' => left.wrapping_add(right),
                b'-' => left.wrapping_sub(right),
                b'*' => left.wrapping_mul(right),
                _ => left.checked_div(right).ok_or(true)?,
            };
        }
        Ok(left)
    }
    fn primary(text: &mut &[u8]) -> Result<i64, bool> {
        if let Some(rest) = text.strip_prefix(b"(") {
            *text = rest;
            let value = level(text, 0)?;
            *text = text.strip_prefix(b")").ok_or(false)?;
            return Ok(value);
        }
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = text.split_at(digits);
        *text = rest;
        std::str::from_utf8(number).unwrap().parse().map_err(|_| false)
    }
    let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != b' ').collect();
    let mut rest = &text[..];
    let value = level(&mut rest, 0)?;
    if rest.is_empty() { Ok(value) } else { Err(false) }
}

#[test]
fn the_thesis_example_keeps_its_outer_sum_without_hoisting() {
    let language = language(EXPRESSION);
    let input = b"((1+(2*3))/(2-2))+(3*5)";
    let fails = |text: &[u8]| evaluate(text) == Err(true);
    // Result and distinct tests; the thesis counts none for this example. Its texts with N
    // unshrunk are `(1/(2-2))+1` and, as a global minimum, `1/(2-2)`.
    for (strategy, result, tests) in [
        (Strategy::Hdd, "(0/0)+0", 6),
        (Strategy::HddPlus, "(0/0)+0", 6),
        (Strategy::HddStar, "(0/0)+0", 6),
        (Strategy::Hddr, "(0/0)+0", 6),
        (Strategy::Picireny, "0/0", 0),
        (Strategy::Perses, "1/(2-2)", 17),
    ] {
        let found = reduce(strategy, &language, input, fails);
        assert_eq!(String::from_utf8_lossy(&found.best), result, "{strategy}");
        if tests > 0 {
            assert_eq!(found.tests, tests, "{strategy}");
        }
    }
}

/// A Java class with one division by zero among methods that don't matter.
fn java_file() -> String {
    let method = |n: usize| {
        format!(
            "    int method{n}(int a) {{ int b = a * {n}; if (b > {n}) {{ return b - a; }} return b; }}\n"
        )
    };
    let before: String = (0..12).map(method).collect();
    let behind: String = (12..24).map(method).collect();
    format!(
        "class Test {{\n{before}    int bad(int a) {{ int c = a / 0; return c; }}\n{behind}}}\n"
    )
}

const JAVA: &str = "grammar J; s: class* EOF; class: 'class' ID '{' method* '}';
    method: type ID '(' (type ID)? ')' block; block: '{' statement* '}'; type: 'int';
    statement: type ID '=' e ';' | 'return' e ';' | 'if' '(' e ')' statement | block;
    e: e ('*' | '/') e | e ('+' | '-') e | e '>' e | ID | N | '(' e ')';
    ID: [a-zA-Z] [a-zA-Z0-9]*; N: [0-9]+; WS: [ \\t\\n]+ -> skip;";

#[test]
fn a_java_file_comes_down_to_its_division() {
    let language = language(JAVA);
    let input = java_file();
    let fails = |text: &[u8]| text.windows(4).any(|part| part == b" / 0");
    for (strategy, most_tests) in [
        // The thesis: 14,817 tests with ddmin, 88 with HDD; Picireny's own run of HDD 82 tests
        // and 98 bytes, Picireny 50 tests and 37 bytes; on another file, as context.
        (Strategy::Hdd, 88),
        (Strategy::HddStar, 120),
        (Strategy::Hddr, 100),
        (Strategy::Picireny, 100),
        (Strategy::Perses, 200),
    ] {
        let found = reduce(strategy, &language, input.as_bytes(), fails);
        // White space stays as it stood, so only what is seen counts.
        let size = found.best.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
        let (bytes, tests) = (found.best.len(), found.tests);
        println!(
            "{strategy}: {} -> {bytes} bytes, {size} of them seen, {tests} tests",
            input.len()
        );
        assert!(size <= 45 && tests <= most_tests, "{strategy}: {size} seen, {tests} tests");
    }
}

/// A random text of the list language with `size` or so parts.
fn random_text(random: &mut Random, size: u32) -> String {
    fn value(random: &mut Random, size: u32, out: &mut String) {
        match random.below(if size == 0 { 2 } else { 4 }) {
            0 => out.push_str(["ab", "c"][random.below(2)]),
            1 => out.push_str(["7", "42"][random.below(2)]),
            2 => list(random, size / 2, out),
            _ => {
                out.push_str("( ");
                value(random, size / 2, out);
                out.push(')');
            }
        }
    }
    fn list(random: &mut Random, size: u32, out: &mut String) {
        out.push('[');
        for at in 0..random.below(4) {
            out.push_str(if at > 0 { ", " } else { "" });
            value(random, size, out);
        }
        out.push(']');
    }
    fn item(random: &mut Random, size: u32, out: &mut String) {
        match random.below(if size == 0 { 2 } else { 3 }) {
            0 => list(random, size / 2, out),
            1 => {
                out.push_str("let x = ");
                value(random, size / 2, out);
                out.push_str(" ; # note\n");
            }
            _ => {
                out.push_str("{ ");
                for _ in 0..=random.below(3) {
                    item(random, size / 2, out);
                }
                out.push('}');
            }
        }
    }
    let mut out = String::new();
    for _ in 0..=random.below(4) {
        item(random, size, &mut out);
    }
    out
}

/// Texts, each with what a failing candidate has to contain besides being valid or not.
fn trials() -> Vec<(String, Vec<String>, bool)> {
    let mut random = Random::new(11);
    let mut trials = Vec::new();
    while trials.len() < 60 {
        let text = random_text(&mut random, 6);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < 4 {
            continue;
        }
        let count = 1 + random.below(3);
        let needed = (0..count).map(|_| words[random.below(words.len())].to_owned()).collect();
        trials.push((text.clone(), needed, random.below(2) == 0));
    }
    trials
}

/// The failure of a trial: contains each word, and is valid if that is asked for.
fn failure(
    language: &Arc<Substitutes>,
    needed: &[String],
    is_strict: bool,
) -> impl Fn(&[u8]) -> bool + 'static {
    let (needed, reader) = (needed.to_vec(), std::cell::RefCell::new(language.parser()));
    move |text: &[u8]| {
        let has = |word: &String| text.windows(word.len()).any(|part| part == word.as_bytes());
        needed.iter().all(has)
            && (!is_strict || reader.borrow_mut().parse_while(text, &|| true).unwrap().is_valid())
    }
}

pub(super) fn rendered(shape: &Shape<'_>, edits: &[Edit<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    shape.render(edits, &mut out);
    out
}

#[test]
fn an_accepted_edit_gives_the_bytes_that_were_rendered_and_a_tree_over_them() {
    let language = language(LISTS);
    for (text, ..) in trials() {
        let base = shape(&language, text.as_bytes());
        assert_eq!(rendered(&base, &[]), text.as_bytes());
        let index = Compatible::new(base.tree());
        for node in base.tree().ids().skip(1) {
            let mut edits = smaller_first(&base, &index, node);
            edits.extend(base.drop_nodes(&[node]));
            for edit in edits {
                let mut changed = shape(&language, text.as_bytes());
                let written = rendered(&base, &[edit]);
                changed.accept(&[edit]);
                assert_eq!(changed.source(), written);
                assert_eq!(changed.tree().render(&written), written, "{edit:?}");
                for id in changed.tree().ids().skip(1) {
                    let (span, above) = (
                        changed.tree().span(id),
                        changed.tree().span(changed.tree().parent(id).unwrap()),
                    );
                    assert!(above.start <= span.start && span.end <= above.end, "{edit:?}");
                }
            }
        }
    }
}

#[test]
fn replacing_by_least_texts_and_compatible_nodes_keeps_an_input_valid() {
    let language = language(LISTS);
    let mut reader = language.parser();
    for (text, ..) in trials() {
        let base = shape(&language, text.as_bytes());
        let index = Compatible::new(base.tree());
        for node in base.tree().ids().skip(1) {
            let mut edits = smaller_first(&base, &index, node);
            if !matches!(base.tree().node(node).kind, Kind::Token(_) | Kind::Trivia(_)) {
                edits.extend(base.drop_nodes(&[node]));
            }
            for edit in edits {
                let written = rendered(&base, &[edit]);
                let is_valid = reader.parse_while(&written, &|| true).unwrap().is_valid();
                assert!(
                    is_valid,
                    "{:?} of {text:?}, {edit:?}: {:?} {:?}",
                    String::from_utf8_lossy(&written),
                    base.tree().node(node),
                    base.text(node)
                );
            }
        }
    }
}

#[test]
fn words_that_would_run_together_are_kept_apart() {
    let language =
        language("grammar W; s: ('a' | b)* EOF; b: '(' ID* ')' | ID; ID: [a-z]+; WS: ' ' -> skip;");
    let base = shape(&language, b"one(x)two");
    let is_brackets = |id: &NodeId| base.text(*id) == b"(x)";
    let node = base.tree().ids().find(is_brackets).unwrap();
    let gone = Edit { node, with: With::Text(b"") };
    assert_eq!(rendered(&base, &[gone]), b"one two");
    let mut changed = shape(&language, b"one(x)two");
    changed.accept(&[gone]);
    assert_eq!(changed.tree().render(b"one two"), b"one two");
}

/// Runs a strategy's function on a trial and gives what it left: the bytes and, first, the tree
/// that it had of them in the end; then, where they are valid, the tree that a parse gives.
fn left_by<'l>(
    language: &'l Arc<Substitutes>,
    (text, needed, is_strict): &(String, Vec<String>, bool),
    body: impl FnOnce(&mut Search<'_, '_>, &mut Shape<'l>) -> Result<(), Stopped>,
) -> Vec<Shape<'l>> {
    let mut left = shape(language, text.as_bytes());
    let fails = failure(language, needed, *is_strict);
    let found = reduce_by(text.as_bytes(), fails, |search| body(search, &mut left));
    assert_eq!(
        String::from_utf8_lossy(left.source()),
        String::from_utf8_lossy(&found.best),
        "the simplest input of {text:?} is not what is left of its tree"
    );
    let is_valid = language.parser().parse_while(&found.best, &|| true).unwrap().is_valid();
    assert!(is_valid || !is_strict);
    let again = is_valid.then(|| shape(language, &found.best));
    std::iter::once(left).chain(again).collect()
}

/// That none of these edits, each alone, gives a simpler text that fails.
fn hold_minimal<'l>(
    name: &str,
    left: &Shape<'l>,
    fails: impl Fn(&[u8]) -> bool,
    edits: impl Iterator<Item = Vec<Edit<'l>>>,
) -> usize {
    let mut tried = 0;
    for edits in edits {
        let candidate = rendered(left, &edits);
        if is_simpler(&candidate, left.source()) {
            tried += 1;
            assert!(
                !fails(&candidate),
                "{name}: {:?} still fails as {:?}",
                String::from_utf8_lossy(left.source()),
                String::from_utf8_lossy(&candidate)
            );
        }
    }
    tried
}

#[test]
fn after_hdd_plus_and_hdd_star_no_single_node_can_go() {
    type Run = for<'l> fn(&mut Search<'_, '_>, &mut Shape<'l>) -> Result<(), Stopped>;
    let strategies: [(&str, Run); 2] = [
        ("hdd+", |search, shape| hdd_plus(search, shape, &Everything)),
        ("hdd*", |search, shape| hdd_star(search, shape, &Everything)),
    ];
    let language = language(LISTS);
    let mut tried = 0;
    for trial in trials() {
        for (name, run) in strategies {
            for left in left_by(&language, &trial, run) {
                let fails = failure(&language, &trial.1, trial.2);
                // Hidden text is no element of HDD.
                let is_hidden = |id| matches!(left.tree().node(id).kind, Kind::Trivia(_));
                let nodes = left.tree().ids().skip(1).filter(|&id| !is_hidden(id));
                let edits = nodes.map(|node| left.drop_nodes(&[node]));
                tried += hold_minimal(name, &left, fails, edits);
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn after_perses_none_of_its_own_transformations_helps() {
    let language = language(LISTS);
    let mut tried = 0;
    for trial in trials() {
        for left in left_by(&language, &trial, perses) {
            let fails = failure(&language, &trial.1, trial.2);
            let index = Compatible::new(left.tree());
            let edits =
                left.tree().ids().skip(1).flat_map(|node| match left.tree().node(node).kind {
                    Kind::Rule { .. } => smaller_first(&left, &index, node)
                        .into_iter()
                        .map(|edit| vec![edit])
                        .collect(),
                    Kind::Iteration => vec![left.drop_nodes(&[node])],
                    _ => Vec::new(),
                });
            tried += hold_minimal("perses", &left, fails, edits);
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn every_strategy_ends_smaller_and_failing() {
    let language = language(LISTS);
    for (text, needed, is_strict) in trials() {
        let fails = failure(&language, &needed, is_strict);
        for strategy in Strategy::ALONG_A_TREE {
            let found = reduce(
                strategy,
                &language,
                text.as_bytes(),
                failure(&language, &needed, is_strict),
            );
            assert!(fails(&found.best) && found.best.len() <= text.len(), "{strategy}: {text}");
        }
    }
}
