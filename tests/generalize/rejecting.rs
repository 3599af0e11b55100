//! Planted programs that reject invalid inputs: for each a grammar that allows more than the
//! program does, an input that fails, and functions for validity and for failure. Without `valid`
//! each is a program that rejects nothing.
//!
//! They were written down before the generalizer was run on any of them.

use std::sync::Arc;

use seedsmith::internal::generalize::{AmongValid, Generalized, Options, generalize};
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{ClosureTarget, Kind, Observation, Signature, Verdict};

use crate::patterns::{drawn, judge, sampler, text};
use crate::some;

/// A program that rejects.
pub struct Rejecting {
    /// A name for the cause.
    pub name: &'static str,
    /// The grammar in ANTLR's notation.
    pub grammar: &'static str,
    /// The failing input.
    pub input: &'static str,
    /// Whether the program takes the input.
    pub valid: fn(&[u8]) -> bool,
    /// Whether a valid input fails.
    pub fails: fn(&[u8]) -> bool,
}

const LANGUAGE: &str = "grammar Program; program: statement* EOF;
    statement: 'let' NAME '=' expression ';' | 'print' expression ';' | 'try' block 'catch' block
        | 'load' STRING ';';
    block: '{' statement* '}';
    expression: expression ('+' | '-' | '*' | '/') expression | '(' expression ')' | INT | NAME
        | STRING;
    NAME: [a-z]+; INT: [0-9]+; STRING: '\"' [a-z]* '\"'; WS: [ \\n]+ -> skip;";

const PAIRS: &str = "grammar Pairs; pairs: '{' (pair (',' pair)*)? '}' EOF;
    pair: KEY ':' value; value: INT | WORD | list; list: '[' (value (',' value)*)? ']';
    KEY: [a-z]+; INT: '-'? [0-9]+; WORD: '\\'' [a-z]* '\\''; WS: ' '+ -> skip;";

/// The names that are used are all defined before, with `let`.
fn is_defined(input: &[u8]) -> bool {
    let text = text(input);
    let mut names: Vec<&str> = Vec::new();
    let words: Vec<&str> = text
        .split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|piece| {
            let cut = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len();
            [&piece[..cut], &piece[cut..]]
        })
        .filter(|word| !word.trim().is_empty())
        .collect();
    let mut is_text = false;
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        at += 1;
        if word.trim().starts_with('"') {
            is_text = !is_text && word.matches('"').count() % 2 == 1;
            continue;
        }
        let is_name = word.chars().all(|c| c.is_ascii_lowercase());
        let is_keyword = ["let", "print", "try", "catch", "load"].contains(&word);
        if is_text || !is_name || is_keyword {
            continue;
        }
        if at >= 2 && words[at - 2] == "let" {
            names.push(word);
        } else if !names.contains(&word) {
            return false;
        }
    }
    true
}

fn keys(input: &[u8]) -> Vec<&str> {
    let mut keys: Vec<&str> = text(input)
        .split([',', '{', '[', ']', '}'])
        .filter_map(|pair| pair.split_once(':'))
        .map(|(key, _)| key.trim())
        .collect();
    keys.sort_unstable();
    keys
}

fn is_without_twins(input: &[u8]) -> bool {
    keys(input).windows(2).all(|pair| pair[0] != pair[1])
}

/// The nine.
pub const REJECTING: &[Rejecting] = &[
    Rejecting {
        name: "names are defined before they are used; division by zero",
        grammar: LANGUAGE,
        input: "let a = 1; print a / 0;",
        valid: is_defined,
        fails: |input| text(input).replace(' ', "").contains("/0;"),
    },
    Rejecting {
        name: "a try without a load is rejected; a load inside a catch",
        grammar: LANGUAGE,
        input: "try { load \"ab\"; } catch { load \"c\"; print 2; }",
        valid: |input| {
            let text = text(input);
            text.contains("load") && !text.contains("\"\"")
        },
        fails: |input| {
            text(input).split_once("catch").is_some_and(|(_, rest)| {
                let rest = rest.trim_start();
                let block = rest.split('}').next().unwrap_or("");
                rest.starts_with('{') && block.contains("load")
            })
        },
    },
    Rejecting {
        name: "names of two letters at most; a sum in parentheses",
        grammar: LANGUAGE,
        input: "print (1 + 2);",
        valid: |input| {
            text(input).split(|c: char| !c.is_ascii_lowercase()).all(|word| {
                word.len() <= 2 || ["let", "print", "try", "catch", "load"].contains(&word)
            })
        },
        fails: |input| {
            let text = text(input).replace([' ', '\n'], "");
            text.split('(').skip(1).any(|rest| rest.split(')').next().unwrap().contains('+'))
        },
    },
    Rejecting {
        name: "keys are different; an empty list",
        grammar: PAIRS,
        input: "{a: 1, b: [], c: 'x'}",
        valid: is_without_twins,
        fails: |input| text(input).replace(' ', "").contains("[]"),
    },
    Rejecting {
        name: "a key of the version is needed; a negative number",
        grammar: PAIRS,
        input: "{version: 1, b: -5}",
        valid: |input| keys(input).contains(&"version"),
        fails: |input| text(input).contains('-'),
    },
    Rejecting {
        name: "two numbers at most, one word at least; a list in a list",
        grammar: PAIRS,
        input: "{a: 'w', b: [[1]]}",
        valid: |input| {
            let text = text(input);
            let is_digit = |c: char| c.is_ascii_digit();
            let numbers = text.split(|c| !is_digit(c)).filter(|word| !word.is_empty());
            numbers.count() <= 2 && text.contains('\'')
        },
        fails: |input| text(input).replace(' ', "").contains("[["),
    },
    Rejecting {
        name: "no key is longer than four letters; a word `null`",
        grammar: PAIRS,
        input: "{key: 'null'}",
        valid: |input| keys(input).iter().all(|key| key.len() <= 4),
        fails: |input| text(input).contains("'null'"),
    },
    Rejecting {
        name: "a type and a value that has it; an int that is 7",
        grammar: "grammar Typed; program: declaration+ EOF; declaration: type NAME '=' value ';';
            type: 'int' | 'text' | 'bool'; value: INT | STRING | 'true' | 'false';
            NAME: [a-z]+; INT: [0-9]+; STRING: '\"' [a-z]* '\"'; WS: ' '+ -> skip;",
        input: "text s = \"w\"; int i = 7; bool b = true;",
        valid: |input| {
            text(input).split(';').filter(|part| !part.trim().is_empty()).all(|part| {
                let (left, value) = part.split_once('=').unwrap_or((part, ""));
                let value = value.trim();
                match left.split_whitespace().next() {
                    Some("int") => value.parse::<u128>().is_ok(),
                    Some("text") => value.starts_with('"'),
                    Some("bool") => ["true", "false"].contains(&value),
                    _ => false,
                }
            })
        },
        fails: |input| {
            text(input)
                .split(';')
                .any(|part| part.split_once('=').is_some_and(|(_, value)| value.trim() == "7"))
        },
    },
    Rejecting {
        name: "elements are closed as they were opened; an empty element in another",
        grammar: "grammar Tags; document: element EOF;
            element: '<' NAME '>' (element | TEXT)* '<' '/' NAME '>' | '<' NAME '/' '>';
            NAME: [a-z]+; TEXT: [0-9]+;",
        input: "<a><b>12</b><c/></a>",
        valid: |input| {
            let mut open: Vec<&str> = Vec::new();
            for tag in text(input).split('<').skip(1) {
                let tag = tag.split('>').next().unwrap_or("");
                match tag.strip_prefix('/') {
                    Some(name) if open.pop() != Some(name) => return false,
                    Some(_) => {}
                    None if tag.ends_with('/') => {}
                    None => open.push(tag),
                }
            }
            open.is_empty()
        },
        fails: |input| {
            let text = text(input);
            text.contains("/>") && text.contains("</")
        },
    },
];

/// The pattern of a program that rejects, or of its twin that takes everything as valid.
fn rejecting(planted: &Rejecting, rejects: bool) -> Generalized {
    rejecting_with(planted, rejects, &Options::default())
}

pub fn rejecting_with(planted: &Rejecting, rejects: bool, options: &Options) -> Generalized {
    let (valid, fails) = (planted.valid, planted.fails);
    let signature = Arc::new(Signature::of_kind(Kind::Command));
    let target = ClosureTarget::observing(move |input| match (valid(input), fails(input)) {
        (false, _) if rejects => Observation::Returned(Verdict::Reject),
        (_, true) => Observation::Failed(signature.clone()),
        _ => Observation::Returned(Verdict::Keep),
    });
    let mut oracle = Oracle::new(&target, AmongValid(judge()), 1, Budget::default()).unwrap();
    let input = planted.input.as_bytes();
    assert!((planted.valid)(input) && (planted.fails)(input), "{}", planted.name);
    let language = sampler(planted.grammar);
    generalize(&mut oracle, input.to_vec(), language, options).unwrap()
}

/// Every sixth of the programs; all in `scripts/nightly causes`.
#[test]
fn patterns_of_programs_that_reject_draw_valid_inputs_that_fail() {
    let mut executions = [0, 0];
    for planted in some(REJECTING, 6) {
        let found = rejecting(planted, true);
        let twin = rejecting(planted, false);
        let (valid, failing, distinct) = drawn(&found.pattern, planted.valid, planted.fails);
        println!(
            "{}: {:?}, twin {:?}; {valid} valid, {failing} fail, {distinct} distinct; {} and {} \
             executions",
            planted.name,
            found.pattern.compact(),
            twin.pattern.compact(),
            found.counts.executions,
            twin.counts.executions,
        );
        assert!(valid >= 900, "{}: {valid} valid", planted.name);
        assert!(failing * 1000 >= valid * 995, "{}: {failing} of {valid}", planted.name);
        assert!(found.counts.executions <= 2000, "{}", planted.name);
        assert!(!found.pattern.compact().contains("<?"), "{}", planted.name);
        executions[0] += found.counts.executions;
        executions[1] += twin.counts.executions;
    }
    // Rejected draws say nothing, and so they cost.
    assert!(executions[0] <= 2 * executions[1], "{executions:?}");
}
