//! Causes in Markdown, templates and sources without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The level of a heading of Markdown.
fn level(line: &str) -> Option<usize> {
    let (marks, rest) = line.split_once(' ')?;
    let is_heading =
        !marks.is_empty() && marks.bytes().all(|byte| byte == b'#') && !rest.is_empty();
    is_heading.then_some(marks.len())
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "tenth: plain: markdown: a fence that is not closed",
        grammar: "",
        input: "text\n```\ncode\n```\nmore\n```\nlast\n",
        valid: any,
        fails: |input| input.lines().filter(|line| *line == "```").count() % 2 == 1,
        draw: |dice| {
            let count = 1 + dice.below(6);
            joined(dice, count, "\n", |dice| one(dice, &["```", "```", "text", "a b"]).to_owned())
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: markdown: a heading two levels below the one before it",
        grammar: "",
        input: "# a\ntext\n## b\n#### c\nmore\n",
        valid: any,
        fails: |input| {
            let levels: Vec<usize> = input.lines().filter_map(level).collect();
            levels.windows(2).any(|pair| pair[1] > pair[0] + 1)
        },
        draw: |dice| {
            let count = 2 + dice.below(3);
            joined(dice, count, "\n", |dice| match dice.below(4) {
                0 => word(dice, 5),
                _ => format!("{} {}", "#".repeat(1 + dice.below(4)), word(dice, 3)),
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: markdown: a table whose second row has not as many cells as its first",
        grammar: "",
        input: "|a|b|c|\n|-|-|\n|1|2|3|\n",
        valid: |input| {
            let mut lines = input.lines();
            lines.clone().count() >= 2
                && lines.all(|line| line.len() > 2 && line.starts_with('|') && line.ends_with('|'))
        },
        fails: |input| {
            let counts: Vec<usize> = input.lines().map(|line| line.matches('|').count()).collect();
            counts[0] != counts[1]
        },
        draw: |dice| {
            let wide = 1 + dice.below(3);
            let mut rows = Vec::new();
            for _ in 0..2 + dice.below(2) {
                let cells = wide + usize::from(dice.below(3) == 0);
                rows.push(format!(
                    "|{}",
                    format!("{}|", one(dice, &["-", "x", "10"])).repeat(cells)
                ));
            }
            format!("{}\n", rows.join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: a comment that does not end",
        grammar: "",
        input: "a = 1 /* one */\nb = 2 /* two\nc = 3\n",
        valid: any,
        fails: |input| {
            let mut rest = input;
            while let Some((_, after)) = rest.split_once("/*") {
                let Some((_, after)) = after.split_once("*/") else { return true };
                rest = after;
            }
            false
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let rest = one(dice, &["", " /* x */", " /* x", " x */", " /* y */"]);
                format!("{} = {}{rest}", word(dice, 2), dice.below(9))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: a quoted text that ends with a backslash",
        grammar: "",
        input: "name = \"ab\"\npath = \"c\\dir\\\"\nsize = 4\n",
        valid: any,
        fails: |input| input.lines().any(|line| line.ends_with("\\\"")),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let text = one(dice, &["ab\\", "c\\d", "x", "\\", "\\y", "c\\d\\"]);
                let close = one(dice, &["\"", "\"", "\"", ""]);
                format!("{} = \"{text}{close}", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: template: more ifs than ends",
        grammar: "",
        input: "Hi {{#if a}}you{{/if}} and {{#if b}}me\n",
        valid: any,
        fails: |input| input.matches("{{#if ").count() > input.matches("{{/if}}").count(),
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, " ", |dice| match dice.below(5) {
                0 | 1 => format!("{{{{#if {}}}}}", word(dice, 3)),
                2 | 3 => "{{/if}}".to_owned(),
                _ => word(dice, 4),
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: a line that is indented with blanks and a tab",
        grammar: "",
        input: "a:\n\tb: 1\n \t c: 2\n  d: 3\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
                indent.contains(' ') && indent.contains('\t')
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let lines = (0..count).map(|_| {
                let indent = one(dice, &["", "\t", "  ", " \t", "\t ", "\t\t", "  \t"]);
                format!("{indent}{}: {}", word(dice, 3), one(dice, &["1", "x", "a b", "a\tb"]))
            });
            let lines = lines.collect();
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
];
