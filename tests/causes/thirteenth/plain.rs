//! Causes in texts without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirteenth: plain: an error before the start",
        grammar: "",
        input: "info boot\nerror disk\nstart main\ninfo done\nerror late\n",
        valid: any,
        fails: |input| {
            let of = |word: &str| input.lines().position(|line| line.starts_with(word));
            of("error").is_some_and(|error| of("start").is_none_or(|start| error < start))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                format!("{} {}", one(dice, &["error", "start", "info"]), word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: plain: a count that is not the number of items",
        grammar: "",
        input: "title: x\ncount: 3\n- a\n- b\n",
        valid: |input| {
            let counts = input.lines().filter(|line| line.starts_with("count: "));
            let mut numbers = counts.map(|line| &line[7..]);
            let is_number = |text: &str| {
                !text.is_empty() && text.len() < 4 && text.bytes().all(|byte| byte.is_ascii_digit())
            };
            numbers.next().is_some_and(is_number) && numbers.next().is_none()
        },
        fails: |input| {
            let count = input.lines().find_map(|line| line.strip_prefix("count: "));
            let items = input.lines().filter(|line| line.starts_with("- ")).count();
            count.and_then(|count| count.parse::<usize>().ok()) != Some(items)
        },
        draw: |dice| {
            let items = dice.below(4);
            let count = [items, items, items + 1, dice.below(5)][dice.below(4)];
            let items = joined(dice, items, "", |dice| format!("- {}\n", word(dice, 3)));
            format!("title: {}\ncount: {count}\n{items}", word(dice, 3))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: plain: a line of more than 20 characters",
        grammar: "",
        input: "short\na line that is much too long for this\nend\n",
        valid: any,
        fails: |input| input.split('\n').any(|line| line.chars().count() > 20),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let length = [3, 12, 19, 20, 21, 22, 30][dice.below(7)];
                let mut line = String::new();
                while line.len() < length {
                    line.push_str(&word(dice, 5));
                    line.push(' ');
                }
                line.truncate(length - 1);
                line + "x"
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: plain: a color that is red or green in a rule",
        grammar: "",
        input: "rule a\n  color=green\nrule b\n  size=3\n  color=blue\n",
        valid: any,
        fails: |input| {
            let mut lines = input.lines().map(str::trim);
            lines.any(|line| line == "color=red" || line == "color=green")
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let color = one(dice, &["red", "green", "blue", "grey", "re"]);
                let lines = vec![format!("  color={color}"), format!("  size={}", dice.below(9))];
                format!("rule {}\n{}", word(dice, 2), shuffled(dice, lines).join("\n"))
            })
        },
        patterns: &[],
    },
];
