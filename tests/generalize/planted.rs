//! Planted bugs whose exact causes are known: for each a grammar, an input that fails, the
//! predicate, and the pattern that says no more and no less than the predicate does.
//!
//! Predicates and patterns were written down and committed before the generalizer was run on any
//! of them. If a pattern here is ever changed, the commit has to say why it was wrong.

use crate::patterns::text;

/// A bug that was made up.
pub struct Planted {
    /// A name for the cause.
    pub name: &'static str,
    /// The grammar in ANTLR's notation, or a fuzzingbook grammar, or nothing.
    pub grammar: &'static str,
    /// Whether the input is minimized first.
    pub reduces: bool,
    /// The failing input.
    pub input: &'static str,
    /// Whether an input fails.
    pub fails: fn(&[u8]) -> bool,
    /// The pattern, letter by letter.
    pub pattern: &'static str,
}

const EXPRESSION: &str = r#"{"<start>": ["<expr>"],
    "<expr>": ["<expr> <op> <expr>", "(<expr>)", "<int>"],
    "<op>": ["+", "-", "*", "/"],
    "<int>": ["<digit><int>", "<digit>"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

const VARIABLES: &str = r#"{"<start>": ["<expr>"],
    "<expr>": ["<term> <op> <term>", "<term>"],
    "<op>": ["+", "-", "*", "/"],
    "<term>": ["<var>", "<digit>", "(<expr>)"],
    "<var>": ["a", "b", "c", "d", "e", "f", "g", "h"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

const LIST: &str = "grammar List; list: '[' (value (',' value)*)? ']' EOF;
    value: N | 'bad' | 'worse' | 'fine'; N: [0-9]+; WS: [ ]+ -> skip;";

const ASSIGNMENT: &str =
    "grammar Assignment; assignment: NAME '=' INT EOF; NAME: [a-z]+; INT: '-'? [0-9]+;";

fn value(input: &[u8]) -> Option<i128> {
    text(input).split_once('=')?.1.parse().ok()
}

fn items(input: &[u8]) -> Vec<&str> {
    let inner = text(input).trim_matches(['[', ']', ' ']);
    inner.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

fn is_doubly_nested(input: &[u8]) -> bool {
    let text = text(input);
    text.find("((").is_some_and(|open| text[open..].contains("))"))
}

/// The twelve, and one without a grammar.
pub const PLANTED: &[Planted] = &[
    Planted {
        name: "nesting: two parentheses around anything",
        grammar: EXPRESSION,
        reduces: true,
        input: "1 + ((2 * 3 / 4))",
        fails: is_doubly_nested,
        pattern: "((<expr>))",
    },
    Planted {
        name: "two causes, each enough: every one is kept",
        grammar: EXPRESSION,
        reduces: false,
        input: "((1)) + ((2 * 3)) - ((5))",
        fails: is_doubly_nested,
        pattern: "((<expr>)) <op> ((<expr>)) <op> ((<expr>))",
    },
    Planted {
        name: "whatever the input is",
        grammar: VARIABLES,
        reduces: true,
        input: "(3 - 2) * 8",
        fails: |_| true,
        pattern: "<start>",
    },
    Planted {
        name: "equal names: a variable on both sides of an operator",
        grammar: VARIABLES,
        reduces: true,
        input: "a + a",
        fails: |input| {
            let text = text(input);
            let sides = text.split_once([' ']);
            let sides = sides.and_then(|(left, rest)| Some((left, rest.get(1..)?)));
            sides.is_some_and(|(left, right)| {
                left.chars().any(|c| c.is_ascii_lowercase() && right.contains(c))
            })
        },
        pattern: "<$var1> <op> <$var1>",
    },
    Planted {
        name: "repetition: at least three elements",
        grammar: LIST,
        reduces: true,
        input: "[1, 22, fine, 7, 5]",
        fails: |input| items(input).len() >= 3,
        pattern: "[<value>,<value>,<value>]",
    },
    Planted {
        name: "two causes, both needed",
        grammar: LIST,
        reduces: true,
        input: "[1, bad, fine, worse, 5]",
        fails: |input| items(input).contains(&"bad") && items(input).contains(&"worse"),
        pattern: "[bad,worse]",
    },
    Planted {
        name: "equal names: an element that is closed as it was opened",
        grammar: "grammar Tags; document: element EOF;
            element: '<' NAME '>' element* '<' '/' NAME '>'; NAME: [a-z]+; ",
        reduces: true,
        input: "<abc><d></e></abc>",
        fails: |input| {
            let text = text(input);
            let name = text.split(['<', '>']).nth(1).unwrap_or("");
            !name.is_empty() && text.ends_with(&format!("</{name}>"))
        },
        pattern: "<<<$NAME1>><</<$NAME1>>",
    },
    Planted {
        name: "value range: 65536 and more",
        grammar: ASSIGNMENT,
        reduces: true,
        input: "size=70000",
        fails: |input| value(input).is_some_and(|value| value >= 65536),
        pattern: "<NAME>=<integer ≥ 65536>",
    },
    Planted {
        name: "value range: from 1 to 1023, of one key",
        grammar: ASSIGNMENT,
        reduces: true,
        input: "port=80",
        fails: |input| {
            text(input).starts_with("port=")
                && value(input).is_some_and(|value| (1..1024).contains(&value))
        },
        pattern: "port=<integer 1..1023>",
    },
    Planted {
        name: "missing element: a call without arguments",
        grammar: "grammar Call; call: NAME '(' (NAME (',' NAME)*)? ')' EOF; NAME: [a-z]+;",
        reduces: true,
        input: "start()",
        fails: |input| text(input).ends_with("()"),
        pattern: "<NAME>()",
    },
    Planted {
        name: "order: used after it was freed",
        grammar: "grammar Script; script: statement+ EOF; statement: action ';';
            action: 'take' | 'free' | 'use'; WS: [ \\n]+ -> skip;",
        reduces: true,
        input: "take; use; free; use; take;",
        fails: |input| {
            let text = text(input);
            text.find("free").is_some_and(|freed| text[freed..].contains("use"))
        },
        pattern: "free;use;",
    },
    Planted {
        name: "length: sixteen letters or more",
        grammar: "grammar Text; text: STRING EOF; STRING: '\"' [a-z]* '\"';",
        reduces: true,
        input: "\"abcdefghijklmnopqrstuvwxyz\"",
        fails: |input| text(input).len() >= 18,
        pattern: "\"<lower>{16,}\"",
    },
    Planted {
        name: "none of the grammar's business: a tab between two numbers",
        grammar: "grammar Pair; pair: N N EOF; N: [0-9]+; WS: [ \\t]+ -> skip;",
        reduces: true,
        input: "12 \t 34",
        fails: |input| input.contains(&b'\t'),
        pattern: "<N>\t<N>",
    },
    Planted {
        name: "no grammar: a magic number and a length",
        grammar: "",
        reduces: true,
        input: "PK\u{3}\u{4}0123456789abcdefghijkl",
        fails: |input| input.starts_with(b"PK") && input.len() >= 18,
        pattern: "PK<any byte>{16,}",
    },
];
