//! Causes in texts without a grammar: settings of a load balancer and of rotated logs, variables of servers
//! that are set up, and a scene that is rendered.

use crate::draws::{
    are_negative_and_fine, around, chance, extras, figure, has_twins, picked, statements,
};
use crate::readers::{is_name, is_shown, number, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The weight of each server of a load balancer that says one.
fn weights(input: &str) -> Option<Vec<u32>> {
    let (mut section, mut found) = ("", Vec::new());
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["global"] | ["defaults"] => section = words[0],
            ["frontend" | "backend" | "listen", name] => {
                section = Some(words[0]).filter(|_| is_name(name))?;
            }
            ["server", name, address, ref options @ ..] => {
                let (_, port) = address.rsplit_once(':')?;
                let is_inside = ["backend", "listen"].contains(&section);
                number(port).filter(|_| is_inside && is_name(name))?;
                let (mut rest, mut weight) = (options, None);
                while !rest.is_empty() {
                    rest = match rest {
                        ["check" | "backup", after @ ..] => after,
                        ["weight", one, after @ ..] if weight.is_none() => {
                            weight = Some(number(one).filter(|one| *one <= 256)?);
                            after
                        }
                        ["maxconn" | "inter", one, after @ ..] => number(one).map(|_| after)?,
                        _ => return None,
                    };
                }
                found.extend(weight);
            }
            [key, _, ..] => (is_name(key) && !section.is_empty() && is_shown(line)).then_some(())?,
            _ => return None,
        }
    }
    Some(found)
}

/// Whether each block of the settings for rotated logs says how many are kept (rotate).
fn have_rotates(input: &str) -> Option<Vec<bool>> {
    let (mut lines, mut found, mut is_inside) = (statements(input, "#"), Vec::new(), false);
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [ref paths @ .., "{"] if !is_inside => {
                let is_path = |path: &&str| path.starts_with('/') && is_shown(path);
                (!paths.is_empty() && paths.iter().all(is_path)).then(|| found.push(false))?;
                is_inside = true;
            }
            ["}"] if is_inside => is_inside = false,
            ["postrotate" | "prerotate"] if is_inside => {
                lines.find(|line| *line == "endscript")?;
            }
            ["rotate", count] => {
                number(count)?;
                if is_inside {
                    *found.last_mut()? = true;
                }
            }
            [key] | [key, _] => (is_name(key) && is_shown(line) && key != "rotate").then_some(())?,
            _ => return None,
        }
    }
    (!is_inside).then_some(found)
}

/// What comes after the value at the start of some tokens: a text, a number, a name or a list.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let (first, mut rest) = all.split_first()?;
    if *first != "[" {
        let is_path = first.split('.').all(is_variable);
        return (is_text(first) || number(first).is_some() || is_path).then_some(rest);
    }
    loop {
        rest = match rest {
            ["]", after @ ..] => return Some(after),
            _ => match value(rest)? {
                [",", after @ ..] => after,
                after => after.first().filter(|token| **token == "]").map(|_| after)?,
            },
        };
    }
}

/// What comes after the end of the block that some tokens begin in. It has values and other blocks.
fn block<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let mut rest = all;
    loop {
        rest = match rest {
            ["}", after @ ..] => return Some(after),
            [key, "=", after @ ..] if is_variable(key) => value(after)?,
            [kind, "{", after @ ..] if is_variable(kind) => block(after)?,
            _ => return None,
        };
    }
}

/// The names of the variables of servers that are set up.
fn variables(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "#");
    let (all, mut found) = (tokens(&text, "_-.")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["variable", name, "{", after @ ..] if is_text(name) => {
                found.push(name.to_string());
                block(after)?
            }
            ["output" | "provider", name, "{", after @ ..] if is_text(name) => block(after)?,
            ["resource" | "data", kind, name, "{", after @ ..] => {
                (is_text(kind) && is_text(name)).then(|| block(after))??
            }
            ["locals", "{", after @ ..] => block(after)?,
            _ => return None,
        };
    }
    Some(found)
}

/// The numbers of each sphere of a scene: whether each is negative, and how many decimals it has. None
/// is less than a point.
fn spheres(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_-.")?, Vec::new());
    let mut rest = &all[..];
    while let [kind, "{", after @ ..] = rest {
        is_variable(kind).then_some(())?;
        let mut depth = 1;
        let size = after.iter().position(|token| {
            depth += i32::from(*token == "{") - i32::from(*token == "}");
            depth == 0
        })?;
        let (inner, mut numbers) = (&after[..size], Vec::new());
        for token in inner {
            let is_sign = ["<", ">", ",", "{", "}"].contains(token);
            if !is_sign && !is_variable(token) {
                numbers.push(signed_decimals(token)?);
            }
        }
        if *kind == "sphere" {
            let ["<", _, ",", _, ",", _, ">", ",", _, look @ ..] = inner else { return None };
            let is_right = match look {
                [] => true,
                ["pigment", "{", "color", color, "}"] => is_variable(color),
                _ => false,
            };
            let [.., (is_negative, _)] = numbers[..] else { return None };
            (is_right && numbers.len() == 4 && !is_negative).then(|| found.push(numbers))?;
        }
        rest = &after[size + 1..];
    }
    rest.is_empty().then_some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-eighth: plain: haproxy: a server with a weight from 64 to 127",
        grammar: "",
        input: concat!(
            "# server old 10.0.0.9:80 weight 100\nglobal\n    maxconn 100\n\nbackend web\n",
            "    balance roundrobin\n    default-server weight 100\n",
            "    server web-1 10.0.0.4:80 weight 63 check\n    server web-90 10.0.0.64:8080 weight 128\n\n",
            "listen mail\n    bind :100\n    server weight 10.0.0.6:25 maxconn 96\n",
            "    server mail-2 10.0.0.7:25 check weight 80 inter 2000\n"
        ),
        valid: |input| weights(input).is_some(),
        fails: |input| {
            weights(input).is_some_and(|all| all.iter().any(|weight| (64..128).contains(weight)))
        },
        draw: |dice| {
            let others = ["# server old 10.0.0.9:80 weight 100\n", "global\n    maxconn 100\n\n"];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(2) {
                let others = [
                    "balance roundrobin",
                    "default-server weight 100",
                    "timeout server 90",
                    "# weight 64",
                ];
                let mut lines = extras(dice, &others);
                for _ in 0..1 + dice.below(3) {
                    let mut options =
                        extras(dice, &["check", "maxconn 96", "inter 2000", "backup"]);
                    if chance(dice, 80) {
                        let weight = around(dice, [64, 127], 24).min(256);
                        options.push(format!("weight {weight}"));
                    }
                    let options = shuffled(dice, options).join(" ");
                    let name = one(dice, &["web-1", "web-90", "weight", "oak"]);
                    let address = one(dice, &["10.0.0.4:80", "10.0.0.64:8080", "oak:100"]);
                    lines.push(format!("server {name} {address} {options}").trim_end().to_owned());
                }
                let lines = shuffled(dice, lines).join("\n    ");
                let kind = one(dice, &["backend", "listen"]);
                let name = one(dice, &["web", "mail", "weight"]);
                text += &format!("{kind} {name}\n    {lines}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: plain: logrotate: a block without a rotate",
        grammar: "",
        input: concat!(
            "# rotate 4\nweekly\nrotate 4\n\n/var/log/owl.log /var/log/owl/*.log {\n    daily\n",
            "    rotate 7\n    compress\n}\n\n/var/log/rotate.log {\n    # rotate 12\n    maxage 30\n",
            "    notifempty\n    postrotate\n        rotate 3\n    endscript\n}\n",
            "/srv/kiwi/log {\n    size 4k\n    rotate 0\n}\n"
        ),
        valid: |input| have_rotates(input).is_some(),
        fails: |input| have_rotates(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut parts = extras(dice, &["# rotate 4\n", "weekly\n", "rotate 4\n", "\n"]);
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "daily\n",
                    "compress\n",
                    "# rotate 12\n",
                    "maxage 30\n",
                    "rotate-size 4\n",
                    "postrotate\n        rotate 3\n    endscript\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 74) {
                    let count = [0, 4, 7, dice.below(60)][dice.below(4)];
                    lines.push(format!("rotate {count}\n"));
                }
                let lines = shuffled(dice, lines).into_iter().map(|line| format!("    {line}"));
                let lines = lines.collect::<String>();
                let paths = ["/var/log/owl.log", "/var/log/rotate.log", "/srv/kiwi/log /srv/a"];
                parts.push(format!("{} {{\n{lines}}}\n", one(dice, &paths)));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: plain: terraform: two variables of the same name",
        grammar: "",
        input: concat!(
            "# variable \"zone\" { }\nlocals {\n  zone = \"zone\"\n}\n\nvariable \"size\" {\n  default = 40\n}\n",
            "variable \"region\" {\n  type = string # size\n}\nresource \"disk\" \"zone\" {\n  size = var.size\n",
            "  tags = [\"zone\", \"size\"]\n}\noutput \"zone\" {\n  value = disk.zone.id\n}\n",
            "variable \"zone\" {}\nvariable \"size\" {\n  default = 12\n  validation {\n    least = 1\n  }\n}\n"
        ),
        valid: |input| variables(input).is_some(),
        fails: |input| variables(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "# variable \"zone\" { }\n",
                "locals {\n  zone = \"zone\"\n}\n",
                "resource \"disk\" \"zone\" {\n  size = var.size\n  tags = [\"zone\", \"size\"]\n}\n",
                "output \"zone\" {\n  value = disk.zone.id\n}\n",
                "output \"size\" {\n  value = var.size\n}\n",
                "data \"variable\" \"size\" { }\n",
            ];
            let mut parts = extras(dice, &others);
            let known = ["zone", "size", "region", "zone-2", "sizes", "owner"];
            for name in picked(dice, &known, 5, 50) {
                let known = [
                    "{}",
                    "{\n  default = 40\n}",
                    "{\n  type = string # size\n}",
                    "{\n  validation {\n    least = 1\n  }\n}",
                ];
                parts.push(format!("variable \"{name}\" {}\n", one(dice, &known)));
            }
            shuffled(dice, parts).join(one(dice, &["", "", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: plain: povray: a sphere with a negative number and one of exactly ",
            "three decimals"
        ),
        grammar: "",
        input: concat!(
            "// sphere { <-4, 0.125, 2>, 1 }\ncamera { location <-4, 2.5, 0.125> }\n",
            "sphere { <0, 1.5, 2>, 0.625 pigment { color Red } }\nlight_source { <12, -40, 7.375> }\n",
            "sphere { <7, -12.25, 4>, 0.0625 }\nbox { <-1, 0, 0.875>, <1, 2, 3> }\n",
            "sphere {\n  <40.125, 3, -0.5>, 12\n  pigment { color Green } // -4\n}\n"
        ),
        valid: |input| spheres(input).is_some(),
        fails: |input| {
            spheres(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "// sphere { <-4, 0.125, 2>, 1 }\n",
                "camera { location <-4, 2.5, 0.125> }\n",
                "light_source { <12, -40, 7.375> }\n",
                "box { <-1, 0, 0.875>, <1, 2, 3> }\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let center = joined(dice, 3, ", ", figure);
                let radius = figure(dice);
                let radius = radius.trim_start_matches('-');
                let known = ["", "", " pigment { color Red }", " pigment { color Green } // -4\n"];
                let look = one(dice, &known);
                let start = one(dice, &[" ", "\n  "]);
                parts.push(format!("sphere {{{start}<{center}>, {radius}{look} }}\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
