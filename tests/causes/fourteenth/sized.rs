//! Nesting.

use crate::two_sided::{TwoSided, any, joined, one};

const BRACKETS: &str = "grammar Brackets; all: value EOF;
    value: '(' value* ')' | '[' value* ']' | '{' value* '}' | NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// The greatest depth of some opening and closing signs.
fn depth(input: &str, open: &[char], close: &[char]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for c in input.chars() {
        if open.contains(&c) {
            now += 1;
            most = most.max(now);
        } else if close.contains(&c) {
            now = now.saturating_sub(1);
        }
    }
    most
}

/// The causes.
pub const SIZED: &[TwoSided] = &[
    TwoSided {
        name: "fourteenth: own: brackets of any kinds five deep",
        grammar: BRACKETS,
        input: "( a [ b { c ( d [ e ] ) } ] f )",
        valid: any,
        fails: |input| depth(input, &['(', '[', '{'], &[')', ']', '}']) >= 5,
        draw: |dice| {
            let mut text = String::from("x");
            for _ in 0..2 + dice.below(5) {
                let (open, close) = [('(', ')'), ('[', ']'), ('{', '}')][dice.below(3)];
                let beside = joined(dice, 1, "", |dice| one(dice, &["a", "", "[b]", "()"]).into());
                text = match dice.below(2) {
                    0 => format!("{open}{beside} {text}{close}"),
                    _ => format!("{open}{text} {beside}{close}"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: xml: elements four deep",
        grammar: "@xml",
        input: "<a><b>x</b><c><d><e k=\"1\"/></d></c></a>",
        valid: |input| {
            let values = input.split('"').skip(1).step_by(2);
            !input.contains(['!', '?', '\''])
                && values.into_iter().all(|value| !value.contains('>'))
        },
        fails: |input| {
            let (mut now, mut most) = (0_usize, 0);
            for rest in input.split('<').skip(1) {
                let tag = rest.split('>').next().unwrap_or("");
                if tag.starts_with('/') {
                    now = now.saturating_sub(1);
                } else {
                    most = most.max(now + 1);
                    now += usize::from(!tag.ends_with('/'));
                }
            }
            most >= 4
        },
        draw: |dice| {
            let mut text = one(dice, &["<z/>", "t", ""]).to_owned();
            for _ in 0..1 + dice.below(4) {
                let name = one(dice, &["a", "b", "list", "p"]);
                let beside = one(dice, &["", "t", "<q/>", "<i>u</i>"]);
                text = format!("<{name}>{beside}{text}</{name}>");
            }
            text
        },
        patterns: &[],
    },
];
