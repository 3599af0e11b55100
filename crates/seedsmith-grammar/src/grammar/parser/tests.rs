//! Trees and recovery on grammars of a line or two.

use super::*;
use crate::grammar::g4;
use crate::grammar::model::TokenId;
use crate::structure::trees::tree::{NodeId, NodeKind};

#[test]
fn of_very_many_errors_the_first_ones_are_kept_and_the_others_counted() {
    let grammar = g4::load_texts(&[("t.g4", "grammar T; a: 'x'* EOF;")]).unwrap();
    let parsed = Parser::new(Arc::new(grammar)).parse(&[b'?'; 10_050], RuleId(0)).unwrap();
    assert_eq!((parsed.errors.len(), parsed.unrecorded_errors), (10_000, 50));
    assert!(!parsed.is_valid());
}

/// The tree with rules and quantifiers as brackets, tokens as their text, errors as `!(…)`,
/// made-up tokens as `+NAME`.
fn shown(grammar: &str, input: &str) -> String {
    let grammar = Arc::new(g4::load_texts(&[("t.g4", grammar)]).unwrap());
    let mut parser = Parser::new(grammar.clone());
    let parsed = parser.parse(input.as_bytes(), RuleId(0)).unwrap();
    assert_eq!(parsed.tree.render(input.as_bytes()), input.as_bytes());
    let mut text = String::new();
    let mut open: Vec<u32> = Vec::new();
    let tree = &parsed.tree;
    for id in tree.ids().skip(1) {
        while open.last().is_some_and(|&end| end <= id.0) {
            open.pop();
            text.push(')');
        }
        if !text.is_empty() && !text.ends_with('(') {
            text.push(' ');
        }
        let node = tree.node(id);
        let is_leaf = tree.children(id).is_empty();
        match node.kind {
            NodeKind::Root => {}
            NodeKind::Rule { rule, alternative } => {
                let name = &grammar.rules[rule as usize].name;
                text += &format!("{name}{alternative}(");
                open.push(node.subtree_end);
            }
            NodeKind::Quantifier(id) => {
                text.push(grammar.quantifiers[id as usize].bounds.sign());
                text.push('(');
                open.push(node.subtree_end);
            }
            NodeKind::Iteration => {
                text.push('(');
                open.push(node.subtree_end);
            }
            NodeKind::Token(0) => text += "EOF",
            NodeKind::Token(_) | NodeKind::Fixed => text += &input[tree.span(id)],
            NodeKind::Trivia(_) => {
                text.pop();
            }
            NodeKind::Error if is_leaf => text += &format!("!{}", &input[tree.span(id)]),
            NodeKind::Error => {
                text += "!(";
                open.push(node.subtree_end);
            }
            NodeKind::Missing(token) => text += &format!("+{}", grammar.token_name(TokenId(token))),
        }
    }
    open.iter().for_each(|_| text.push(')'));
    text
}

const EXPRESSION: &str = "grammar T; s: e EOF; e: '-' e | <assoc=right> e '^' e | e '*' e | \
    e '+' e | e '!' | '(' e ')' | N; N: [0-9]+; W: ' ' -> skip;";

#[test]
fn operators_bind_by_their_order() {
    assert_eq!(shown(EXPRESSION, "1+2*3"), "s0(e3(e6(1) + e2(e6(2) * e6(3))) EOF)");
    assert_eq!(shown(EXPRESSION, "1*2+3"), "s0(e3(e2(e6(1) * e6(2)) + e6(3)) EOF)");
    assert_eq!(shown(EXPRESSION, "1+2+3"), "s0(e3(e3(e6(1) + e6(2)) + e6(3)) EOF)");
    assert_eq!(shown(EXPRESSION, "1^2^3"), "s0(e1(e6(1) ^ e1(e6(2) ^ e6(3))) EOF)");
    assert_eq!(shown(EXPRESSION, "-1^2"), "s0(e1(e0(- e6(1)) ^ e6(2)) EOF)");
    assert_eq!(shown(EXPRESSION, "- 1 !"), "s0(e4(e0(- e6(1)) !) EOF)");
}

#[test]
fn quantifiers_are_nodes_with_iterations() {
    let grammar = "grammar T; s: 'a'? ('b' 'c')* 'd'+ EOF;";
    assert_eq!(shown(grammar, "abcbcd"), "s0(?((a)) *((b c) (b c)) +((d)) EOF)");
    assert_eq!(shown(grammar, "dd"), "s0(+((d) (d)) EOF)");
}

#[test]
fn alternatives_that_are_one_token_are_known() {
    let grammar = "grammar T; s: o o EOF; o: 'x' | 'y' | 'z';";
    assert_eq!(shown(grammar, "zx"), "s0(o2(z) o0(x) EOF)");
}

#[test]
fn the_caller_decides_where_lookahead_alone_cannot() {
    // Both callers of `e` can follow, so the token after `a` is only known with the caller.
    let grammar = "grammar T; s: 'x' e 'b' | 'y' e 'a' 'b'; e: 'a' | ;";
    assert_eq!(shown(grammar, "xab"), "s0(x e0(a) b)");
    assert_eq!(shown(grammar, "yab"), "s1(y e1() a b)");
}

#[test]
fn the_first_alternative_wins_an_ambiguity() {
    let grammar = "grammar T; s: a EOF; a: b | c; b: 'x'; c: 'x';";
    assert_eq!(shown(grammar, "x"), "s0(a0(b0(x)) EOF)");
    let grammar = "grammar T; s: i EOF; i: 'if' i ('else' i)? | 'x'; W: ' ' -> skip;";
    assert_eq!(shown(grammar, "if if x else x"), "s0(i0(if i0(if i1(x) ?((else i1(x))))) EOF)");
}

#[test]
fn non_greedy_loops_stop_early() {
    let grammar = "grammar T; s: .*? 'e' .* EOF; X: [a-z];";
    assert_eq!(shown(grammar, "abe"), "s0(*((a) (b)) e EOF)");
}

const LIST: &str = "grammar T; s: '[' v (',' v)* ']' EOF; v: N | s2; s2: '{' N '}'; \
    N: [0-9]+; W: ' ' -> skip;";

#[test]
fn a_token_too_many_is_dropped() {
    assert_eq!(shown(LIST, "[1 2,3]"), "s0([ v0(1) !(2) *((, v0(3))) ] EOF)");
}

#[test]
fn a_token_too_few_is_made_up() {
    assert_eq!(shown(LIST, "[1,2"), "s0([ v0(1) *((, v0(2))) +']' EOF)");
    assert_eq!(shown(LIST, "[{1,2]"), "s0([ v1(s20({ 1 +'}')) *((, v0(2))) ] EOF)");
}

#[test]
fn bytes_that_are_no_token_are_error_leaves() {
    assert_eq!(shown(LIST, "[1?]"), "s0([ v0(1) !? ] EOF)");
}

#[test]
fn what_the_start_rule_leaves_is_in_the_tree() {
    let grammar = "grammar T; s: 'a'; B: 'b';";
    assert_eq!(shown(grammar, "abb"), "s0(a) !(b b)");
}

#[test]
fn loops_around_nothing_end() {
    let grammar = "grammar T; s: a* EOF; a: 'x'?;";
    assert!(shown(grammar, "xx").ends_with("EOF)"));
}

#[test]
fn an_endless_nesting_of_rules_is_bounded_by_the_limit() {
    let grammar = Arc::new(g4::load_texts(&[("t.g4", EXPRESSION)]).unwrap());
    let mut parser = Parser::new(grammar);
    parser.limits.max_depth = 1000;
    let result = parser.parse(&[b'('; 5000], RuleId(0));
    assert!(matches!(result, Err(ParseError::TooDeep { limit: 1000, .. })));
}

#[test]
fn spans_start_and_end_with_tokens() {
    let grammar = Arc::new(g4::load_texts(&[("t.g4", EXPRESSION)]).unwrap());
    let parsed = Parser::new(grammar).parse(b" 1 + 2 ", RuleId(0)).unwrap();
    let start = parsed.tree.children(NodeId::ROOT)[1];
    let e = parsed.tree.children(start)[0];
    assert_eq!(parsed.tree.span(e), 1..6);
}

/// Asks that are answered yes before a parse is to end; how often a whole parse asks.
fn asks(grammar: &str, input: &[u8], most: u32) -> (Result<bool, ParseError>, u32) {
    let grammar = Arc::new(g4::load_texts(&[("t.g4", grammar)]).unwrap());
    let asked = std::cell::Cell::new(0);
    let keep_going = || {
        asked.set(asked.get() + 1);
        asked.get() <= most
    };
    let parsed = Parser::new(grammar).parse_while(input, RuleId(0), &keep_going);
    (parsed.map(|parsed| parsed.is_valid()), asked.get())
}

#[test]
fn stars_in_stars_end_wherever_the_caller_says_so() {
    let grammar = "grammar T; s: ((x)*)* EOF; x: 'a' | '(' (((x)*)*)* ')' | ((y)*)*; y: 'b'*;";
    let input = "(a(b)".repeat(400) + &")".repeat(400);
    let (_, all) = asks(grammar, input.as_bytes(), u32::MAX);
    assert!(all > 4, "{all}");
    for most in [0, 1, all / 2, all - 1] {
        let (parsed, asked) = asks(grammar, input.as_bytes(), most);
        assert!(matches!(parsed, Err(ParseError::Stopped { .. })), "{most} of {all}: {parsed:?}");
        assert_eq!(asked, most + 1);
    }
}

#[test]
fn deep_nesting_ends_wherever_the_caller_says_so() {
    let grammar = "grammar T; s: x EOF; x: '(' x ')' | '(' x ']' | 'a';";
    let input = "(".repeat(300) + "a" + &")".repeat(300);
    let (parsed, all) = asks(grammar, input.as_bytes(), u32::MAX);
    assert_eq!(parsed, Ok(true));
    for most in [0, all / 2, all - 1] {
        let (parsed, asked) = asks(grammar, input.as_bytes(), most);
        assert!(matches!(parsed, Err(ParseError::Stopped { .. })), "{most} of {all}: {parsed:?}");
        assert_eq!(asked, most + 1);
    }
}
