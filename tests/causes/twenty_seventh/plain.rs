//! Causes in texts without a grammar.

use super::{
    about, are_fine_and_negative, are_ragged, asides, claimed, listed, reading, repeats, rival,
    widths,
};
use crate::draws::chance;
use crate::readers::{is_name, is_shown, is_word, number, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// How long the leases of the subnets are; nothing if the settings of a DHCP server are odd.
fn leases(input: &str) -> Option<Vec<u32>> {
    let (mut block, mut found) = (None, Vec::new());
    for line in input.split('\n').map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        } else if let Some(head) = line.strip_suffix(" {") {
            let (kind, name) = head.split_once(' ')?;
            let is_right = ["subnet", "host"].contains(&kind) && is_name(name) && block.is_none();
            block = Some(kind).filter(|_| is_right);
            block?;
        } else if line == "}" {
            block.take()?;
        } else {
            let (key, value) = line.strip_suffix(';')?.split_once(' ')?;
            let value = number(value).filter(|_| is_word(key))?;
            found.extend((key == "lease" && block == Some("subnet")).then_some(value));
        }
    }
    block.is_none().then_some(found)
}

/// The reserve and the bid of each lot of an auction that has both. Other lines are not looked at.
fn lots(input: &str) -> Vec<(u32, u32)> {
    let lines = input.lines().filter(|line| line.starts_with("Lot "));
    let lots = lines.filter_map(|line| {
        let (_, terms) = line.split_once(": ")?;
        let term = |key| {
            let mut terms = terms.split(", ").filter_map(|term| term.split_once(' '));
            terms.find(|(name, _)| *name == key).and_then(|(_, value)| number(value))
        };
        Some((term("reserve")?, term("bid")?))
    });
    lots.collect()
}

/// Whether each recipe of a book says how many it serves. What is before the first is not looked at.
fn have_servings(input: &str) -> Vec<bool> {
    let mut found = Vec::new();
    for line in input.lines() {
        if line.starts_with("== ") && line.ends_with(" ==") {
            found.push(false);
        } else if let Some(last) = found.last_mut() {
            *last |= line.starts_with("Serves: ");
        }
    }
    found
}

/// The titles of the entries of a boot menu. Other lines are not looked at.
fn titles(input: &str) -> Vec<&str> {
    let lines = input.lines().filter_map(|line| line.strip_prefix("entry \""));
    lines.filter_map(|line| line.strip_suffix("\" {")).collect()
}

/// The numbers of each call of a drawing: whether each is negative, and how many decimals it has;
/// nothing if a line is neither a call with numbers and names nor a remark.
fn calls(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with("--")) {
        let (name, values) = line.strip_suffix(')')?.split_once('(')?;
        let mut numbers = Vec::new();
        for value in values.split(',').map(|value| value.trim_matches(' ')) {
            let number = signed_decimals(value);
            (number.is_some() || is_word(value)).then_some(())?;
            numbers.extend(number);
        }
        is_word(name).then_some(())?;
        found.push(numbers);
    }
    Some(found)
}

/// How many bytes each frame of a capture may have, and how many it has; nothing if a line is odd.
fn frames(input: &str) -> Option<Vec<(u32, usize)>> {
    let lines = input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#'));
    let frames = lines.map(|line| {
        let (head, bytes) = line.split_once(':')?;
        let (port, most) = head.split_once(" mtu ")?;
        let mut bytes = bytes.split(' ').filter(|byte| !byte.is_empty());
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let count = bytes.clone().count();
        let is_right = bytes.all(|byte| byte.len() == 2 && byte.chars().all(is_hex));
        (is_right && is_name(port)).then_some((number(most)?, count))
    });
    frames.collect()
}

/// What each rule of a filter for mail does. Lines that are no rules are not looked at.
fn actions(input: &str) -> Vec<&str> {
    let rules = input.lines().filter(|line| line.starts_with("rule "));
    rules.filter_map(|rule| rule.rsplit_once(" -> ")).map(|(_, action)| action).collect()
}

/// How many columns the rows of each matrix of a script have; nothing if a line is neither a matrix
/// of numbers nor a remark or another statement without brackets.
fn matrices(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found = Vec::new();
    for line in input.split('\n') {
        let line = line.split('%').next()?.trim();
        let Some((head, rest)) = line.split_once('[') else {
            (is_shown(line) && !line.contains(']')).then_some(())?;
            continue;
        };
        let name = head.trim_end().strip_suffix('=')?.trim_end();
        let body = rest.strip_suffix(';').unwrap_or(rest).strip_suffix(']')?;
        let rows = body.split(';').map(|row| {
            let mut cells = row.split(' ').filter(|cell| !cell.is_empty());
            let count = cells.clone().count();
            (count > 0 && cells.all(|cell| signed_decimals(cell).is_some())).then_some(count)
        });
        found.push(rows.collect::<Option<_>>().filter(|_| is_word(name))?);
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-seventh: plain: dhcp: a subnet with a lease from 60 to 119 seconds",
        grammar: "",
        input: concat!(
            "# lease 90;\nlease 75;\nsubnet attic {\n  lease 600;\n  pool 80;\n}\nhost owl {\n",
            "  lease 60;\n}\nsubnet yard {\n  router 100;\n  lease 84;\n}\nsubnet shed {\n}\n"
        ),
        valid: |input| leases(input).is_some(),
        fails: |input| leases(input).is_some_and(|all| all.iter().any(|s| (60..120).contains(s))),
        draw: |dice| {
            let mut blocks = asides(dice, &["# lease 90;\n", "lease 75;\n", "\n"]);
            for _ in 0..1 + dice.below(3) {
                let mut lines = asides(dice, &["  pool 80;\n", "  router 100;\n"]);
                if chance(dice, 85) {
                    lines.push(format!("  lease {};\n", about(dice, [60, 119], 40)));
                }
                let kind = one(dice, &["subnet", "subnet", "host"]);
                let name = one(dice, &["attic", "yard", "lease", "owl"]);
                blocks.push(format!("{kind} {name} {{\n{}}}\n", shuffled(dice, lines).concat()));
            }
            shuffled(dice, blocks).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: auction: a lot whose bid is below its reserve",
        grammar: "",
        input: concat!(
            "Sale 14: reserve 900, bid 3\nLot 2 brass clock: reserve 40, bid 65\n",
            "Lot 31 oak desk: estimate 300, bid 180, reserve 220\n\n",
            "Lot 7 teapot: bid 15\nLot 8 bid book: reserve 12, bid 12\n"
        ),
        valid: any,
        fails: |input| lots(input).iter().any(|(reserve, bid)| bid < reserve),
        draw: |dice| {
            let mut lines = asides(dice, &["Sale 14: reserve 900, bid 3\n", "\n", "Lunch 12\n"]);
            for _ in 0..1 + dice.below(4) {
                let reserve = [dice.below(50), 10 + dice.below(900), 100][dice.below(3)];
                let bid = rival(dice, reserve, 30);
                let mut terms = asides(dice, &["estimate 300", "fee 4"]);
                if chance(dice, 85) {
                    terms.push(format!("reserve {reserve}"));
                }
                if chance(dice, 85) {
                    terms.push(format!("bid {bid}"));
                }
                let thing = one(dice, &["brass clock", "oak desk", "bid book", "teapot"]);
                let terms = shuffled(dice, terms).join(", ");
                lines.push(format!("Lot {} {thing}: {terms}\n", 1 + dice.below(40)));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: recipes: a recipe that does not say how many it serves",
        grammar: "",
        input: concat!(
            "Serves: all\n== Leek soup ==\nServes: 4\nBoil the leeks.\n== Serves: pie ==\n",
            "Time: 50\nBake.\nIt Serves: 6\n\n== Rye bread ==\nTime: 180\nServes: 2 to 3\n"
        ),
        valid: any,
        fails: |input| have_servings(input).contains(&false),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let start = one(dice, &["", "", "Serves: all\n", "Old book\n"]);
            let recipes = joined(dice, count, "", |dice| {
                let others =
                    ["Time: 50\n", "Boil the leeks.\n", "It Serves: 6\n", "\n", "Serve.\n"];
                let mut lines = asides(dice, &others);
                if chance(dice, 75) {
                    lines.push(format!("Serves: {}\n", one(dice, &["4", "2 to 3", "six"])));
                }
                let name = one(dice, &["Leek soup", "Rye bread", "Serves: pie", "Tea"]);
                format!("== {name} ==\n{}", shuffled(dice, lines).concat())
            });
            format!("{start}{recipes}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: boot menu: two entries with the same title",
        grammar: "",
        input: concat!(
            "default \"rescue\"\nwait 5\n# entry \"rescue\" {\nentry \"stable\" {\n  kernel k6\n}\n",
            "entry \"rescue\" {\n  kernel k4\n}\nentry \"stable 4\" {\n  kernel k6\n}\n",
            "entry \"stable\" {\n  initrd k4\n}\n"
        ),
        valid: any,
        fails: |input| repeats(&titles(input)),
        draw: |dice| {
            let others = ["default \"rescue\"\n", "wait 5\n", "# entry \"rescue\" {\n"];
            let mut text = asides(dice, &others).concat();
            for title in listed(dice, &["stable", "rescue", "stable 4", "memory test"], 3, 50) {
                let kernel = one(dice, &["k4", "k6", "stable"]);
                let rest = asides(dice, &["  initrd k4\n", "  quiet\n"]).concat();
                text += &format!("entry \"{title}\" {{\n  kernel {kernel}\n{rest}}}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: drawing: a call with a negative number and one of exactly three decimals",
        grammar: "",
        input: concat!(
            "-- line(-1, 0.125)\npen(red, 0.375)\nline(4, -12, 30.5)\nspin(-90)\n",
            "arc(2.625, teal, 8, -1.5)\n\nline(1.0625, -3)\nmove(14.002, 7)\n"
        ),
        valid: |input| calls(input).is_some(),
        fails: |input| {
            calls(input).unwrap_or_default().iter().any(|numbers| are_fine_and_negative(numbers))
        },
        draw: |dice| {
            let count = 2 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = 1 + dice.below(3);
                let mut values: Vec<String> = (0..count).map(|_| reading(dice)).collect();
                values.extend(asides(dice, &["red"]));
                let values = shuffled(dice, values).join(", ");
                let name = one(dice, &["line", "arc", "move", "spin", "-- line"]);
                format!("{name}({values})\n{}", one(dice, &["", "", "", "\n"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: capture: a frame with exactly as many bytes as its mtu",
        grammar: "",
        input: concat!(
            "# wan0 mtu 2: 0a 0b\nlan1 mtu 12: 4f 00 a2\nwan0 mtu 6: c0 a8 19 06 06 ff\n\n",
            "lan1 mtu 3: 10 20 30 40\nwan0 mtu 1:\n"
        ),
        valid: |input| frames(input).is_some(),
        fails: |input| {
            let frames = frames(input).unwrap_or_default();
            frames.iter().any(|(most, count)| *most as usize == *count)
        },
        draw: |dice| {
            let count = 2 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = dice.below(8);
                let bytes = joined(dice, count, "", |dice| format!(" {:02x}", dice.below(256)));
                let port = one(dice, &["lan1", "wan0", "lan1", "wan0", "# wan0"]);
                let mtu = claimed(dice, count, 25);
                format!("{port} mtu {mtu}:{bytes}\n{}", one(dice, &["", "", "", "\n"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: mail filter: a rule that bounces, discards or redirects",
        grammar: "",
        input: concat!(
            "default -> bounce\n# discard nothing\nrule lists: to has discard -> file\n",
            "rule owls: from has redirect -> discard\nrule bounce: size over 900 -> keep\n"
        ),
        valid: any,
        fails: |input| {
            let wanted = ["bounce", "discard", "redirect"];
            actions(input).iter().any(|action| wanted.contains(action))
        },
        draw: |dice| {
            let mut lines = asides(dice, &["default -> bounce\n", "# discard nothing\n", "\n"]);
            for _ in 0..1 + dice.below(4) {
                let action = match chance(dice, 25) {
                    true => one(dice, &["bounce", "discard", "redirect"]),
                    false => one(dice, &["keep", "file", "flag", "rebounce", "direct", "disc"]),
                };
                let name = one(dice, &["lists", "owls", "bounce", "spam"]);
                let test = match dice.below(3) {
                    0 => format!("size over {}", dice.below(2000)),
                    1 => format!("from has {}", word(dice, 6)),
                    _ => one(dice, &["to has discard", "from has redirect"]).to_owned(),
                };
                lines.push(format!("rule {name}: {test} -> {action}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: plain: matrices: one whose rows do not all have the same number of columns",
        grammar: "",
        input: concat!(
            "% w = [1 2; 3]\nclear\nrot = [0 -1; 1 0];\nfit = [4 2.5 9; 7 12; 3 3 1];\n",
            "x = 3; y = 14\nrow = [8 6 4 2]  % [1; 2 3]\ncol = [5; 5]\n"
        ),
        valid: |input| matrices(input).is_some(),
        fails: |input| matrices(input).is_some_and(|all| all.iter().any(|rows| are_ragged(rows))),
        draw: |dice| {
            let mut lines = asides(dice, &["% w = [1 2; 3]\n", "x = 3; y = 14\n", "clear\n"]);
            for _ in 0..2 + dice.below(2) {
                let mut rows = widths(dice);
                rows.truncate(if chance(dice, 20) { 1 } else { 4 });
                let rows: Vec<String> = rows
                    .into_iter()
                    .map(|width| {
                        joined(dice, width, " ", |dice| match dice.below(5) {
                            0 => one(dice, &["-1", "2.5", "-0.5"]).to_owned(),
                            _ => dice.below(30).to_string(),
                        })
                    })
                    .collect();
                let end = one(dice, &["", ";", ";", "  % [1; 2 3]"]);
                let name = one(dice, &["rot", "fit", "row", "w"]);
                lines.push(format!("{name} = [{}]{end}\n", rows.join("; ")));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
];
