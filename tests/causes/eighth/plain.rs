//! Causes in texts without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The value of the first line `key: value`.
fn value<'t>(input: &'t str, key: &str) -> Option<&'t str> {
    input
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|pair| pair.0 == key)
        .map(|pair| pair.1)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "eighth: plain: yaml: a container without an image",
        grammar: "",
        input: "containers:\n- name: a\n  image: x\n- name: b\n  port: 8\n",
        valid: |input| input.starts_with("containers:\n- "),
        fails: |input| {
            let items = input.split("\n- ").skip(1);
            items
                .into_iter()
                .any(|item| !item.lines().any(|line| line.trim_start().starts_with("image: ")))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let items = joined(dice, count, "\n", |dice| {
                let mut lines = vec![format!("name: {}", word(dice, 3))];
                if dice.below(3) > 0 {
                    lines.push(format!("image: {}", word(dice, 3)));
                }
                if dice.below(2) == 0 {
                    lines.push(format!("port: {}", dice.below(99)));
                }
                format!("- {}", shuffled(dice, lines).join("\n  "))
            });
            format!("containers:\n{items}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: yaml: a name longer than the width",
        grammar: "",
        input: "title: x\nwidth: 4\nname: abcdef\n",
        valid: |input| {
            value(input, "width").is_some_and(|width| width.parse::<u16>().is_ok())
                && value(input, "name").is_some_and(|name| name.is_ascii())
        },
        fails: |input| {
            let width = value(input, "width").and_then(|width| width.parse::<usize>().ok());
            value(input, "name").map(str::len) > width
        },
        draw: |dice| {
            let name = word(dice, 9);
            let width = [name.len(), name.len() - 1, dice.below(12), name.len() + 1][dice.below(4)];
            let lines =
                vec![format!("width: {width}"), format!("name: {name}"), "title: y".to_owned()];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: a timeout below 10 ms",
        grammar: "",
        input: "retry 3\ntimeout 7ms\nwait 2ms\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let number = line.strip_prefix("timeout ").and_then(|rest| rest.strip_suffix("ms"));
                number
                    .and_then(|number| number.parse::<u32>().ok())
                    .is_some_and(|number| number < 10)
            })
        },
        draw: |dice| {
            let near = [7 + dice.below(6), dice.below(10), dice.below(60)][dice.below(3)];
            let unit = one(dice, &["ms", "ms", "ms", "s"]);
            let key = one(dice, &["timeout", "timeout", "timeout", "wait"]);
            let lines = vec![format!("{key} {near}{unit}"), format!("retry {}", dice.below(12))];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: a line that ends with the word that it begins with",
        grammar: "",
        input: "move a b\ncopy c to copy\nstop\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
                words.len() > 1 && words.first() == words.last()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let words = ["copy", "move", "to", "a"];
                let count = 1 + dice.below(4);
                let line: Vec<&str> = (0..count).map(|_| one(dice, &words)).collect();
                line.join(" ")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: a host twice in a list of hosts",
        grammar: "",
        input: "hosts=web,mail,db,mail\nmode=fast\n",
        valid: any,
        fails: |input| {
            input.lines().filter_map(|line| line.strip_prefix("hosts=")).any(|list| {
                let mut hosts: Vec<&str> = list.split(',').collect();
                hosts.sort_unstable();
                hosts.windows(2).any(|pair| pair[0] == pair[1])
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let list = |dice: &mut seedsmith_grammar::Random| {
                joined(dice, count, ",", |dice| one(dice, &["web", "mail", "db", "a"]).to_owned())
            };
            let lines = vec![format!("hosts={}", list(dice)), format!("users={}", list(dice))];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: a date of February after the 28th",
        grammar: "",
        input: "due 2021-05-30\nfrom 2022-02-30\n",
        valid: any,
        fails: |input| {
            input.split([' ', '\n']).any(|word| {
                let parts: Vec<&str> = word.split('-').collect();
                parts.len() == 3
                    && parts[0].len() == 4
                    && parts[1] == "02"
                    && parts[2].len() == 2
                    && parts[2].parse::<u8>().is_ok_and(|day| day > 28)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let month = one(dice, &["02", "02", "02", "11", "04"]);
                let day = [1 + dice.below(31), 26 + dice.below(6)][dice.below(2)];
                let key = one(dice, &["due", "from"]);
                format!("{key} 20{:02}-{month}-{day:02}", dice.below(99))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: plain: a checksum that is not the sum of the numbers before it",
        grammar: "",
        input: "$4 7 1*13",
        valid: |input| {
            let Some((body, sum)) = input.strip_prefix('$').and_then(|rest| rest.split_once('*'))
            else {
                return false;
            };
            let is_number = |text: &str| {
                !text.is_empty() && text.len() < 5 && text.bytes().all(|byte| byte.is_ascii_digit())
            };
            is_number(sum) && body.split(' ').all(is_number)
        },
        fails: |input| {
            let Some((body, sum)) = input[1..].split_once('*') else { return false };
            let all: u32 = body.split(' ').filter_map(|number| number.parse::<u32>().ok()).sum();
            sum.parse::<u32>() != Ok(all)
        },
        draw: |dice| {
            let numbers: Vec<usize> = (0..1 + dice.below(4)).map(|_| dice.below(30)).collect();
            let sum = numbers.iter().sum::<usize>() + [0, 0, 1, dice.below(30)][dice.below(4)];
            let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
            format!("${}*{sum}", texts.join(" "))
        },
        patterns: &[],
    },
];
