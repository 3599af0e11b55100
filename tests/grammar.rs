//! Properties of grammars, parsers and trees over random grammars and inputs.

use seedsmith_grammar::Parser;
use seedsmith_grammar::internal::Lexer;
use seedsmith_grammar::internal::MinimalStrings;
use seedsmith_grammar::internal::g4;
use seedsmith_grammar::internal::{Alternative, Bounds, Grammar, RuleId, Term};
use seedsmith_grammar::{NodeId, NodeKind, Tree};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A small generator just for these tests, so that every run sees the same cases.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

const JSON: &str = r#"grammar Json; doc: value EOF;
    value: '{' (pair (',' pair)*)? '}' | '[' (value (',' value)*)? ']' | STRING | NUMBER
        | 'true' | 'false' | 'null';
    pair: STRING ':' value;
    STRING: '"' ('\\' . | ~["\\])* '"'; NUMBER: '-'? [0-9]+ ('.' [0-9]+)?;
    WS: [ \t\r\n]+ -> skip;"#;

const STATEMENTS: &str = "grammar S; file: statement* EOF;
    statement: ID '=' e ';' | 'if' e block ('else' block)? | 'while' e block | e ';' | block;
    block: '{' statement* '}';
    e: '-' e | e '.' ID | e '(' (e (',' e)*)? ')' | e ('*' | '/') e | e ('+' | '-') e
        | <assoc=right> e '?' e ':' e | '(' e ')' | '(' type ')' e | ID | N;
    type: ID ('[' ']')*;
    ID: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip; C: '/*' .*? '*/' -> channel(HIDDEN);";

fn parser(text: &str) -> Parser {
    Parser::new(Arc::new(g4::load_texts(&[("test.g4", text)]).unwrap()))
}

/// Nodes nest, children touch only their parent's bytes, in order, and leaves cover everything.
fn assert_sound(tree: &Tree, input: &[u8]) {
    assert_eq!(tree.render(input), input);
    assert_eq!(tree.span(NodeId::ROOT), 0..input.len());
    for id in tree.ids() {
        let span = tree.span(id);
        let mut at = span.start;
        for &child in tree.children(id) {
            let inner = tree.span(child);
            assert_eq!(tree.parent(child), Some(id));
            assert_eq!(inner.start, at, "a gap before {:?}", tree.node(child));
            at = inner.end;
        }
        let is_leaf = tree.children(id).is_empty();
        assert!(at == span.end || is_leaf, "a gap at the end of {:?}", tree.node(id));
        match tree.node(id).kind {
            NodeKind::Missing(_) => assert!(span.is_empty()),
            NodeKind::Iteration => {
                let parent = tree.parent(id).unwrap();
                assert!(matches!(tree.node(parent).kind, NodeKind::Quantifier(_)));
            }
            NodeKind::Rule { .. } | NodeKind::Quantifier(_) if is_leaf => assert!(span.is_empty()),
            _ => {}
        }
    }
}

#[test]
fn every_byte_of_any_input_is_in_the_tree_once() {
    let pieces: [&[u8]; 24] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
        b",",
        b":",
        b";",
        b"\"k\"",
        b"12",
        b"-",
        b"true",
        b" ",
        b"\n",
        b"if",
        b"else",
        b"x",
        b"=",
        b"?",
        b"/*",
        b"*/",
        b"\xFF",
        "é\0".as_bytes(),
    ];
    let mut random = Random(7);
    for grammar in [JSON, STATEMENTS] {
        let mut warm = parser(grammar);
        let start = warm.start_rule(None).unwrap();
        for _ in 0..1500 {
            let mut input = Vec::new();
            for _ in 0..random.below(40) {
                input.extend_from_slice(pieces[random.below(pieces.len())]);
            }
            let parsed = warm.parse(&input, start).unwrap();
            assert_sound(&parsed.tree, &input);
        }
    }
}

#[test]
fn what_was_parsed_before_changes_nothing() {
    let pieces = ["x", "=", "1", "+", "(", ")", ";", "if", "{", "}", " ", "a b", "?", ":", "."];
    let mut random = Random(11);
    let mut warm = parser(STATEMENTS);
    let cold = warm.clone();
    let start = warm.start_rule(Some("file")).unwrap();
    for _ in 0..300 {
        let count = random.below(25);
        let input: String = (0..count).map(|_| pieces[random.below(pieces.len())]).collect();
        let expected = cold.clone().parse(input.as_bytes(), start).unwrap();
        assert_eq!(warm.parse(input.as_bytes(), start).unwrap(), expected, "{input}");
    }
}

#[test]
fn a_nesting_of_100_000_gives_a_tree() {
    const DEPTH: usize = 100_000;
    let whole =
        |open: &str, inner: &str, close: &str| open.repeat(DEPTH) + inner + &close.repeat(DEPTH);
    let cases = [
        (JSON, whole("[", "1", "]"), true),
        (JSON, "[".repeat(DEPTH), false),
        (JSON, whole("{\"a\":", "1", "}"), true),
        (STATEMENTS, whole("{", "", "}"), true),
        (STATEMENTS, "{".repeat(DEPTH), false),
        (STATEMENTS, format!("{}1;", "-".repeat(DEPTH)), true),
        (STATEMENTS, format!("1{};", "+1".repeat(DEPTH)), true),
        (STATEMENTS, whole("(", "1", ")") + ";", true),
    ];
    for (grammar, input, is_valid) in cases {
        let mut parser = parser(grammar);
        let start = parser.start_rule(None).unwrap();
        let parsed = parser.parse(input.as_bytes(), start).unwrap();
        assert_eq!(parsed.is_valid(), is_valid, "{}…", &input[..20]);
        assert!(parsed.tree.height() >= DEPTH);
        assert_eq!(parsed.tree.render(input.as_bytes()), input.as_bytes());
    }
}

/// A random grammar over three tokens, two of which run together.
fn random_grammar(random: &mut Random) -> String {
    let rules = 1 + random.below(4);
    let mut text = String::from("grammar R; ");
    for rule in 0..rules {
        text += &format!("r{rule}: ");
        for alternative in 0..1 + random.below(3) {
            if alternative > 0 {
                text += " | ";
            }
            for _ in 0..random.below(4) {
                let atom = match random.below(8) {
                    0..4 => ["'a'", "'b'", "'ab'", "'cc'"][random.below(4)].to_owned(),
                    4..6 => format!("r{}", random.below(rules)),
                    6 => "('b' | 'ab' r0)".to_owned(),
                    _ => "~('a' | 'cc')".to_owned(),
                };
                text += &atom;
                text += ["", "", "", "?", "*", "+"][random.below(6)];
                text += " ";
            }
        }
        text += "; ";
    }
    text
}

/// All texts of at most `limit` bytes of every rule, by rounds until nothing is added.
fn languages(grammar: &Grammar, limit: usize) -> Vec<BTreeSet<String>> {
    let mut known = vec![BTreeSet::new(); grammar.rules.len()];
    loop {
        let next: Vec<BTreeSet<String>> = grammar
            .rules
            .iter()
            .map(|rule| texts(grammar, &rule.alternatives, &known, limit))
            .collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

fn texts(
    grammar: &Grammar,
    alternatives: &[Alternative],
    rules: &[BTreeSet<String>],
    limit: usize,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for alternative in alternatives {
        let mut sofar = BTreeSet::from([String::new()]);
        for term in &alternative.terms {
            sofar = joined(&sofar, &texts_of(grammar, term, rules, limit), limit);
        }
        all.extend(sofar);
    }
    all
}

fn joined(left: &BTreeSet<String>, right: &BTreeSet<String>, limit: usize) -> BTreeSet<String> {
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| format!("{a}{b}")));
    pairs.filter(|text| text.len() <= limit).collect()
}

fn texts_of(
    grammar: &Grammar,
    term: &Term,
    rules: &[BTreeSet<String>],
    limit: usize,
) -> BTreeSet<String> {
    let literal = |id: usize| grammar.tokens[id].literal.clone();
    match term {
        Term::Token(token) => literal(token.index()).into_iter().collect(),
        Term::Set { tokens, negated: false } => {
            tokens.iter().filter_map(|token| literal(token.index())).collect()
        }
        Term::Set { tokens, .. } => (1..grammar.tokens.len())
            .filter(|&id| tokens.iter().all(|token| token.index() != id))
            .filter_map(literal)
            .collect(),
        Term::Any => (1..grammar.tokens.len()).filter_map(literal).collect(),
        Term::Rule { rule, .. } => rules[rule.index()].clone(),
        Term::Group(body) => texts(grammar, body, rules, limit),
        Term::Repeat { id, body } => {
            let once = texts(grammar, body, rules, limit);
            let mut all = match grammar.quantifier(*id).bounds {
                Bounds::Plus => once.clone(),
                Bounds::Optional => return &once | &BTreeSet::from([String::new()]),
                Bounds::Star => BTreeSet::from([String::new()]),
            };
            loop {
                let more = &all | &joined(&all, &once, limit);
                if more == all {
                    return all;
                }
                all = more;
            }
        }
    }
}

#[test]
fn minimal_strings_are_those_of_brute_force() {
    const LIMIT: usize = 7;
    let mut random = Random(3);
    let (mut compared, mut beyond) = (0, 0);
    for _ in 0..600 {
        let text = random_grammar(&mut random);
        let Ok(grammar) = g4::load_texts(&[("random.g4", &text)]) else {
            continue;
        };
        let minimal = MinimalStrings::new(&grammar, &mut Lexer::new(&grammar));
        for (rule, texts) in languages(&grammar, LIMIT).into_iter().enumerate() {
            let found = minimal.of_rule(RuleId(rule as u32));
            match texts.iter().min_by_key(|text| (text.len(), *text)) {
                Some(least) => {
                    let found = found.map(|found| String::from_utf8(found.bytes.clone()).unwrap());
                    assert_eq!(found.as_ref(), Some(least), "rule {rule} of {text}");
                    compared += 1;
                }
                None => {
                    assert!(found.is_none_or(|found| found.length > LIMIT), "{rule} of {text}");
                    beyond += 1;
                }
            }
        }
    }
    assert!(compared > 300 && beyond > 10, "{compared} compared, {beyond} not");
}

#[test]
fn bad_grammars_are_refused_with_file_line_and_rule() {
    let cases = [
        ("grammar T;\na: b;", "t.g4:2: rule a refers to b, which is not defined"),
        ("grammar T;\na: b 'x';\nb: a 'y' | 'z';", "t.g4:2: rule a is left-recursive through"),
        ("grammar T;\na: e a | 'x';\ne: ;", "t.g4:2: rule a is left-recursive through a -> a"),
        ("grammar T;\na: a 'x';", "t.g4:2: rule a has only left-recursive alternatives"),
        ("grammar T;\nimport X;\na: 'x';", "t.g4:2: imported grammar X is missing"),
        ("grammar T;\na: 'x' ( 'y';", "t.g4:2: expected"),
        ("grammar T;\na: 'x'; A: [z-a];", "t.g4:2: the range"),
        ("grammar T; A: 'x' -> mode(N);", "t.g4:1: there is no mode N (in rule A)"),
        ("parser grammar T; a: 'x';", "t.g4:1: no lexer rule is just 'x' (in rule a)"),
        ("a: 'x';", "t.g4:1: expected 'grammar'"),
        ("grammar T;\na: 'x';\na: 'y';", "t.g4:3: a is already defined at t.g4:2"),
    ];
    for (text, message) in cases {
        let error = g4::load_texts(&[("t.g4", text)]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}\nis not\n{message}");
    }
    let nested = format!("grammar T; a: {}'x'{};", "(".repeat(100_000), ")".repeat(100_000));
    assert!(g4::load_texts(&[("t.g4", &nested)]).is_err());
    let negated = format!("grammar T; A: {}'x';", "~".repeat(100_000));
    assert!(g4::load_texts(&[("t.g4", &negated)]).is_err());
}

#[test]
fn no_text_makes_the_front_end_panic() {
    let pieces = [
        "grammar T;",
        "a",
        ":",
        ";",
        "|",
        "(",
        ")",
        "'x'",
        "[",
        "]",
        "{",
        "}",
        "->",
        "skip",
        "~",
        "*",
        "+?",
        "<",
        "assoc=right",
        ">",
        "#",
        "A",
        "fragment",
        "mode",
        "import",
        "options",
        "=",
        "tokens",
        "'",
        "\\",
        "..",
        "EOF",
        "// c\n",
        "/*",
        "@",
        "\u{FEFF}",
        "é",
        "\\p{L}",
        "\\u{110000}",
    ];
    let mut random = Random(5);
    for _ in 0..5000 {
        let mut text = String::from("grammar T; ");
        for _ in 0..random.below(14) {
            text += pieces[random.below(pieces.len())];
            text += ["", " "][random.below(2)];
        }
        if let Ok(grammar) = g4::load_texts(&[("t.g4", &text)]) {
            let mut parser = Parser::new(Arc::new(grammar));
            if let Ok(start) = parser.start_rule(None) {
                let parsed = parser.parse(b"xx x", start).unwrap();
                assert_eq!(parsed.tree.render(b"xx x"), b"xx x");
            }
        }
    }
}
