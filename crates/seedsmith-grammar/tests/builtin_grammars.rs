//! The grammars that come with the program, held against their examples and themselves.

use seedsmith_grammar::NodeKind;
use seedsmith_grammar::Parsed;
use seedsmith_grammar::internal::MinimalStrings;
use seedsmith_grammar::internal::builtin;
use seedsmith_grammar::internal::builtin::Builtin;
use seedsmith_grammar::internal::{LexemeKind, Lexer};
use seedsmith_grammar::internal::{RuleId, TokenId};
use seedsmith_grammar::internal::{unproductive_rules, unreachable_rules, unused_fragments};
use std::path::{Path, PathBuf};

const LEAST_EXAMPLES: usize = 6;

/// The examples of one kind, `valid` or `invalid`, in order.
fn examples(builtin: &Builtin, kind: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars").join(builtin.name).join(kind);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= LEAST_EXAMPLES, "{}: only {}", folder.display(), files.len());
    files.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
}

fn parse(builtin: &Builtin, input: &[u8]) -> Parsed {
    let parsed = builtin.parser().parse(input, builtin.start()).unwrap();
    assert_eq!(parsed.tree.render(input), input);
    parsed
}

/// Where the first error is, for a message.
fn first_error(input: &[u8], parsed: &Parsed) -> String {
    let Some(error) = parsed.errors.first() else {
        return "no error".to_owned();
    };
    let offset = error.offset as usize;
    let line = input[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let near = String::from_utf8_lossy(&input[offset..input.len().min(offset + 30)]);
    format!("line {line} before {near:?}: {:?}", error.problem)
}

#[test]
fn every_valid_example_parses_without_an_error() {
    for builtin in builtin::all() {
        for (file, input) in examples(builtin, "valid") {
            let parsed = parse(builtin, &input);
            let error = first_error(&input, &parsed);
            assert!(parsed.is_valid(), "{}: {error}", file.display());
            assert_eq!(parsed.shortened_predictions, 0, "{}", file.display());
        }
    }
}

#[test]
fn every_invalid_example_gives_an_error() {
    for builtin in builtin::all() {
        for (file, input) in examples(builtin, "invalid") {
            assert!(!parse(builtin, &input).is_valid(), "{}", file.display());
        }
    }
}

#[test]
fn nothing_in_them_is_useless_or_passed_over() {
    for builtin in builtin::all() {
        let grammar = builtin.grammar();
        let minimal = MinimalStrings::new(&grammar, &mut Lexer::new(&grammar));
        assert_eq!(unreachable_rules(&grammar, builtin.start()), [], "{}", builtin.name);
        assert_eq!(unproductive_rules(&grammar, &minimal), [], "{}", builtin.name);
        assert_eq!(unused_fragments(&grammar), [""; 0], "{}", builtin.name);
        assert_eq!(grammar.notices, [], "{}", builtin.name);
    }
}

#[test]
fn every_rule_s_minimal_string_parses_as_that_rule() {
    for builtin in builtin::all() {
        let grammar = builtin.grammar();
        let mut lexer = Lexer::new(&grammar);
        let minimal = MinimalStrings::new(&grammar, &mut lexer);
        for (at, rule) in grammar.rules.iter().enumerate() {
            let id = RuleId(at as u32);
            let found = minimal.of_rule(id).unwrap();
            let (text, mode) = minimal.text_and_mode(found, &mut lexer);
            // Whole documents have to be readable from the beginning.
            assert!(mode == 0 || id != builtin.start(), "{}", builtin.name);
            let parsed = builtin.parser().parse_in(mode, &text, id).unwrap();
            let shown = String::from_utf8_lossy(&text);
            assert!(
                parsed.is_valid() && parsed.unread_tokens == 0,
                "{}: {} as {shown:?}: {}",
                builtin.name,
                rule.name,
                first_error(&text, &parsed)
            );
        }
    }
}

#[test]
fn every_token_s_minimal_string_is_read_as_that_token() {
    for builtin in builtin::all() {
        let grammar = builtin.grammar();
        let mut lexer = Lexer::new(&grammar);
        let minimal = MinimalStrings::new(&grammar, &mut lexer);
        for token in (1..grammar.tokens.len() as u32).map(TokenId) {
            let name = grammar.token_name(token);
            let Some(text) = minimal.of_token(token) else {
                // Only what is hidden has none.
                continue;
            };
            let is_default = |rule: &seedsmith_grammar::internal::LexerRuleId| {
                grammar.modes[0].rules.contains(rule)
            };
            let Some(rule) = grammar.tokens[token.index()].rule.filter(is_default) else {
                continue;
            };
            let lexemes = lexer.lex(text);
            let shown = String::from_utf8_lossy(text);
            let [only] = lexemes[..] else {
                panic!("{}: {name} as {shown:?} is {lexemes:?}", builtin.name);
            };
            assert_eq!(
                (only.token, only.kind),
                (token.0, LexemeKind::Token),
                "{name} {shown:?} {rule:?}"
            );
        }
    }
}

#[test]
fn a_rule_of_css_after_the_block_of_an_at_rule_is_no_part_of_that() {
    let css = builtin::all().iter().find(|builtin| builtin.name == "css").unwrap();
    let grammar = css.grammar();
    let parsed = parse(css, b"@font-face { src: a }\n.logo { color: b }");
    let rules = |name: &str| {
        let is_named = |id: &seedsmith_grammar::NodeId| match parsed.tree.node(*id).kind {
            NodeKind::Rule { rule, .. } => grammar.rules[rule as usize].name == name,
            _ => false,
        };
        parsed.tree.ids().filter(is_named).count()
    };
    assert_eq!(["at_rule", "style_rule"].map(rules), [1, 1]);
}

/// What nests, or only goes on, in each language.
const OPENERS: [(&str, &str); 22] = [
    ("arithmetic", "("),
    ("arithmetic", "-"),
    ("css", "a{"),
    ("css", "a{b:f("),
    ("csv", "\"a,"),
    ("dot", "graph{subgraph{"),
    ("http", "GET / HTTP/1.1\r\na: b\r\n"),
    ("ini", "[a"),
    ("javascript", "["),
    ("javascript", "function(){"),
    ("javascript", "a=>"),
    ("json", "{\"a\":"),
    ("lua", "x={"),
    ("lua", "if x then "),
    ("obj", "v 1 2 3\n"),
    ("regex", "(a|"),
    ("sexp", "(a "),
    ("sql", "select ("),
    ("sql", "select * from ("),
    ("toml", "x=["),
    ("url", "http://a/?"),
    ("xml", "<a b='c'>"),
];

#[test]
fn what_nests_100_000_times_gives_a_tree_or_is_given_up() {
    // Less than a thread usually has: nothing may recurse with the input's depth.
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let all = small.spawn(|| {
        for (name, opener) in OPENERS {
            let builtin = builtin::find(name).unwrap();
            let input = opener.repeat(100_000);
            // Some look ahead to the end at every level, so that a clock has to end them; here it
            // is one that counts how often it is asked.
            let asked = std::cell::Cell::new(0);
            let keep_going = || {
                asked.set(asked.get() + 1);
                asked.get() < 120
            };
            let parsed =
                builtin.parser().parse_while(input.as_bytes(), builtin.start(), &keep_going);
            match parsed {
                Ok(parsed) => assert_eq!(parsed.tree.render(input.as_bytes()), input.as_bytes()),
                Err(error) => assert!(asked.get() >= 120, "{name} {opener:?}: {error}"),
            }
            assert!(asked.get() <= 122, "{name} {opener:?} went on after it was stopped");
        }
    });
    all.unwrap().join().unwrap();
}

#[test]
fn names_and_aliases_are_told_apart() {
    let mut seen: Vec<&str> = Vec::new();
    for builtin in builtin::all() {
        for name in [builtin.name].iter().chain(builtin.aliases) {
            assert!(!seen.contains(name), "{name} twice");
            assert_eq!(builtin::find(name).unwrap().name, builtin.name);
            seen.push(name);
        }
    }
}
