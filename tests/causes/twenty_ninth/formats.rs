//! Causes in eight formats: DOT, HTML, CSS, INI, JavaScript, TOML, SQL and Lua.

use super::{
    among, are_both, are_doubled, asides, call_depth, calls, chosen, declarations, elements,
    exceeding, happens, in_turn, is_quoted, is_variable, listed, ranged, script, settings, tokens,
    unquoted,
};
use crate::readers::{are_in_order, is_free, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The words that are no names in graphs.
const DOT_KEYWORDS: [&str; 6] = ["node", "edge", "graph", "digraph", "subgraph", "strict"];

/// The words that are no names in queries.
const SQL_KEYWORDS: [&str; 8] = ["select", "from", "delete", "where", "and", "or", "not", "in"];

/// The words that are no names in JavaScript, as far as they could stand for one.
const JS_KEYWORDS: &str = "await case class const delete else for function if import in let new \
                           return super switch this throw try typeof var void while with yield";

/// The weights of the edges of a graph. It has nodes, edges and their attributes.
fn weights(input: &str) -> Option<Vec<u32>> {
    let spaced = input.replace("->", " -> ");
    let all = script(&spaced, "//", "\"", "_->")?;
    let is_node = |token: &str| is_free(token, &DOT_KEYWORDS);
    let body = match all.strip_prefix(&["digraph"])?.strip_suffix(&["}"])? {
        [name, "{", body @ ..] if is_node(name) => body,
        ["{", body @ ..] => body,
        _ => return None,
    };
    let mut found = Vec::new();
    for statement in body.split(|token| *token == ";").filter(|all| !all.is_empty()) {
        let end = statement.iter().position(|token| *token == "[").unwrap_or(statement.len());
        let (nodes, list) = statement.split_at(end);
        let mut parts = nodes.split(|token| *token == "->");
        (nodes == ["node"]
            || parts.all(|part| listed(part, is_node).is_some_and(|all| all.len() == 1)))
        .then_some(())?;
        let pairs = match list {
            [] | ["[", "]"] => continue,
            ["[", pairs @ .., "]"] => pairs.split(|token| *token == ","),
            _ => return None,
        };
        let mut names = Vec::new();
        for pair in pairs {
            let [name, "=", value] = pair else { return None };
            let weight = number(unquoted(value));
            let is_value = is_quoted(value) || weight.is_some() || is_free(value, &[]);
            (is_value && is_free(name, &[]) && !names.contains(name)).then_some(())?;
            names.push(*name);
            if *name == "weight" {
                found.extend((nodes.len() > 1).then_some(weight?));
            }
        }
    }
    Some(found)
}

/// The value and the most of each progress bar of a page that has both.
fn bars(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for (_, pairs) in elements(input)?.into_iter().filter(|(name, _)| *name == "progress") {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted);
        if let (Some((_, value)), Some((_, most))) = (value("value"), value("max")) {
            found.push((number(value)?, number(most)?));
        }
    }
    Some(found)
}

/// How deep calc and min are in each other in the values of a sheet.
fn sheet_depth(input: &str) -> Option<usize> {
    let pairs = declarations(input)?.into_iter();
    let depths: Option<Vec<usize>> =
        pairs.map(|(_, value)| call_depth(value, ["calc", "min"])).collect();
    Some(depths?.into_iter().max().unwrap_or(0))
}

/// Whether each action of a desktop entry says what it executes.
fn have_commands(input: &str) -> Option<Vec<bool>> {
    let all = settings(input, "[] ")?;
    let actions = all.iter().filter(|(name, _)| name.starts_with("Desktop Action "));
    Some(actions.map(|(_, pairs)| pairs.iter().any(|(key, _)| *key == "Exec")).collect())
}

/// Numbers of a list: whether each is negative, and whether it is hexadecimal.
type Numbers = Vec<(bool, bool)>;

/// Whether a number is hexadecimal; nothing if it is none.
fn is_hexadecimal(token: &str) -> Option<bool> {
    let digits = token.strip_prefix("0x").or(token.strip_prefix("0X"));
    let is_right = match digits {
        Some(digits) => u32::from_str_radix(digits, 16).is_ok(),
        None => signed_decimals(token).is_some(),
    };
    is_right.then_some(digits.is_some())
}

/// The numbers of a list of values, which may end with a comma.
fn numbers(list: &[&str]) -> Option<Numbers> {
    let is_digit = |c: char| c.is_ascii_hexdigit() && c != '0';
    let values = list.strip_suffix(&[","]).unwrap_or(list).split(|token| *token == ",");
    let numbers = values.filter(|_| !list.is_empty()).map(|value| match value {
        ["-", token] if token.contains(is_digit) => Some(Some((true, is_hexadecimal(token)?))),
        [token] if is_quoted(token) || is_variable(token, JS_KEYWORDS) => Some(None),
        [token] => Some(Some((false, is_hexadecimal(token)?))),
        _ => None,
    });
    Some(numbers.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The numbers of each array of a script. It has only variables, whose values may be arrays, and
/// calls.
fn arrays(input: &str) -> Option<Vec<Numbers>> {
    let (all, mut found) = (script(input, "//", "\"", "_.")?, Vec::new());
    let statements = all.strip_suffix(&[";"])?.split(|token| *token == ";");
    for statement in statements {
        let name = match statement {
            ["const" | "let" | "var", name, "=", "[", list @ .., "]"] => {
                found.push(numbers(list)?);
                name
            }
            ["const" | "let" | "var", name, "=", value @ .., last] if *last != "," => {
                numbers(&[value, &[*last]].concat()).filter(|_| value.len() < 2)?;
                name
            }
            [name, "(", list @ .., ")"] => numbers(list).map(|_| name)?,
            _ => return None,
        };
        is_variable(name, JS_KEYWORDS).then_some(())?;
    }
    Some(found)
}

/// Each list of steps in settings.
fn step_lists(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for (key, value) in settings(input, "")?.into_iter().flat_map(|(_, pairs)| pairs) {
        match &tokens(value, "\"", "")?[..] {
            ["[", list @ .., "]"] => {
                let steps = listed(list, is_quoted)?.into_iter().map(unquoted).collect();
                found.extend((key == "steps").then_some(steps));
            }
            [one] if key != "steps" => {
                let is_other = ["true", "false"].contains(one) || number(one).is_some();
                (is_quoted(one) || is_other).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Whether each list that a query looks into has a value twice. Queries only select and delete.
fn have_doubles(input: &str) -> Option<Vec<bool>> {
    let lowered = script(input, "--", "'", "_")?.into_iter().map(|token| {
        let lower = token.to_ascii_lowercase();
        if SQL_KEYWORDS.contains(&&lower[..]) { lower } else { token.to_owned() }
    });
    let (lowered, mut found): (Vec<String>, _) = (lowered.collect(), Vec::new());
    let all: Vec<&str> = lowered.iter().map(|token| &token[..]).collect();
    let is_column = |token: &str| is_free(token, &SQL_KEYWORDS);
    let is_value = |token: &str| number(token).is_some() || is_quoted(token);
    for query in all.split(|token| *token == ";").filter(|query| !query.is_empty()) {
        let (head, rest) = query.split_at(query.iter().position(|token| *token == "from")?);
        match head {
            ["delete"] | ["select", "*"] => {}
            ["select", columns @ ..] => drop(listed(columns, is_column)?),
            _ => return None,
        }
        let conditions = match rest {
            [_, table] if is_column(table) => continue,
            [_, table, "where", conditions @ ..] if is_column(table) => conditions,
            _ => return None,
        };
        for condition in conditions.split(|token| ["and", "or"].contains(token)) {
            let (column, test) = condition.split_first()?;
            is_column(column).then_some(())?;
            match test {
                ["in", "(", list @ .., ")"] | ["not", "in", "(", list @ .., ")"] => {
                    found.push(are_doubled(&listed(list, is_value)?));
                }
                ["=" | "<" | ">", value] if is_value(value) => {}
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The modules that a script requires by their names.
fn modules(input: &str) -> Option<Vec<&str>> {
    let calls = calls(input)?.into_iter().filter(|(name, _)| *name == "require");
    let texts =
        calls.filter_map(|(_, values)| values.first().copied().filter(|one| is_quoted(one)));
    Some(texts.map(unquoted).collect())
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-ninth: dot: an edge with a weight from 128 to 255",
        grammar: "@dot",
        input: concat!(
            "digraph build {\n  node [weight=200, shape=box];\n  parse -> check [weight=12, ",
            "label=\"weight 150\"];\n  check [width=140];\n  check -> emit -> link [color=red, ",
            "weight=180];\n  parse -> link;\n  emit -> docs [minlen=255, weight=256];\n}\n"
        ),
        valid: |input| weights(input).is_some(),
        fails: |input| weights(input).is_some_and(|all| all.iter().any(|w| (128..256).contains(w))),
        draw: |dice| {
            let mut parts = asides(dice, &["node [weight=200]", "check [width=140]", "emit"]);
            for _ in 0..1 + dice.below(3) {
                let mut pairs = asides(dice, &["label=\"weight 150\"", "color=red", "minlen=255"]);
                if happens(dice, 88) {
                    pairs.push(format!("weight={}", ranged(dice, [128, 255], 36)));
                }
                let nodes = one(dice, &["parse -> check", "check -> emit -> link", "emit -> emit"]);
                parts.push(format!("{nodes} [{}]", shuffled(dice, pairs).join(", ")));
            }
            let by = one(dice, &["; ", ";\n  "]);
            format!("digraph build {{ {}; }}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: html: a progress bar whose value is above its max",
        grammar: "@xml",
        input: concat!(
            "<html lang=\"en\"><body><h2 id=\"max\">Backups</h2>\n<p>3 of 2 disks</p>\n<div>",
            "<progress max=\"40\" value=\"12\"/><progress id=\"tape\" value=\"52\" max=\"48\">",
            "<b>52</b></progress></div>\n<meter value=\"9\" max=\"4\"/><progress value=\"7\"/>\n",
            "<progress max=\"20\" class=\"90\" value=\"20\">all</progress></body></html>\n"
        ),
        valid: |input| bars(input).is_some(),
        fails: |input| bars(input).is_some_and(|all| all.iter().any(|(done, most)| done > most)),
        draw: |dice| {
            let others = ["<p>3 of 2</p>", "<meter value=\"9\" max=\"4\"/>", "<h2>Disks</h2>"];
            let mut parts = asides(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let most = [dice.below(20), dice.below(300), 100][dice.below(3)];
                let mut pairs = asides(dice, &[" id=\"tape\"", " class=\"90\""]);
                if happens(dice, 90) {
                    pairs.push(format!(" max=\"{most}\""));
                }
                if happens(dice, 90) {
                    pairs.push(format!(" value=\"{}\"", exceeding(dice, most, 36)));
                }
                let pairs = shuffled(dice, pairs).concat();
                let end = one(dice, &["/>", "></progress>", "><b>52</b></progress>"]);
                let bar = format!("<progress{pairs}{end}");
                parts.push(if happens(dice, 30) { format!("<div>{bar}</div>") } else { bar });
            }
            format!("<html><body>{}</body></html>", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: css: calc and min in each other, five deep or more",
        grammar: "@css",
        input: concat!(
            "main, .side { width: calc(100% - 40px); margin: 0 auto }\n.grid { color: teal; width: ",
            "calc(2 * min(40em, calc((100vw - min(3rem, calc(1px * 2))) / 3))); }\n",
            ".calc { height: max(9px, min(1px, var(--min))); }\n"
        ),
        valid: |input| sheet_depth(input).is_some(),
        fails: |input| sheet_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut value = one(dice, &["4px", "50%", "var(--min)", "calc(1px * 2)"]).to_owned();
            for _ in 0..2 + dice.below(6) {
                let other = one(dice, &["9px", "2em", "min(1px, 2px)", "var(--calc)"]);
                value = match dice.below(7) {
                    0 => format!("max({value}, {other})"),
                    1 => format!("calc(({value} + {other}) / 3)"),
                    2 | 3 => format!("calc({other} - {value})"),
                    4 => format!("min({other}, {value})"),
                    5 => format!("min({value})"),
                    _ => format!("min({value}, {other})"),
                };
            }
            let mut pairs = asides(dice, &["color: teal", "margin: 0 auto", "height: min(1px)"]);
            pairs.push(format!("width: {value}"));
            let rule = format!(".grid {{ {}; }}", shuffled(dice, pairs).join("; "));
            let mut rules = asides(dice, &["main, .side { width: calc(100% - 40px) }"]);
            rules.push(rule);
            shuffled(dice, rules).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: ini: an action of a desktop entry without an Exec",
        grammar: "@ini",
        input: concat!(
            "# Exec=owl\n[Desktop Entry]\nName=Owl\nExec=owl %U\nActions=new;quiet;\n\n",
            "[Desktop Action new]\nName=New window\nExec = owl --new\n\n[Desktop Action quiet]\n",
            "Icon=Exec\nName[de]=Leise\nTryExec=owl\n\n[X Owl]\nName=Exec\n"
        ),
        valid: |input| have_commands(input).is_some(),
        fails: |input| have_commands(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["[Desktop Entry]\nName=Owl\n", "[X Owl]\nName=Exec\n", "# Exec=owl\n"];
            let mut sections = asides(dice, &others);
            for name in chosen(dice, &["new", "quiet", "Exec", "Entry"], 3, 0) {
                let mut lines = asides(dice, &["Icon=Exec\n", "Name[de]=Leise\n", "TryExec=owl\n"]);
                lines.push("Name=Start\n".to_owned());
                if happens(dice, 70) {
                    lines.push(format!("Exec={}\n", one(dice, &["owl", "", "owl --new"])));
                }
                let lines = shuffled(dice, lines).concat();
                sections.push(format!("[Desktop Action {name}]\n{lines}"));
            }
            shuffled(dice, sections).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: javascript: an array with a hexadecimal number and a negative one",
        grammar: "@javascript",
        input: concat!(
            "// const old = [0x1f, -3];\nconst masks = [0x0f, 0xf0, 255];\nlet level = -4;\n",
            "const table = [12, -2, \"0xee\", 0x1c, level];\nconst base = 0x7f;\n",
            "var steps = [-1, 0, 1.5];\nplot(masks, -8, 0xff);\n"
        ),
        valid: |input| arrays(input).is_some(),
        fails: |input| arrays(input).is_some_and(|all| all.iter().any(|one| are_both(one))),
        draw: |dice| {
            let others = ["let level = -4;\n", "const base = 0x7f;\n", "plot(masks, -8, 0xff);\n"];
            let mut parts = asides(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let count = dice.below(6);
                let values = joined(dice, count, ", ", |dice| match dice.below(9) {
                    0..=2 => format!("-{}", 1 + dice.below(40)),
                    3 | 4 => format!("0x{:x}", 1 + dice.below(5000)),
                    5 => one(dice, &["-0.5", "-0x1f", "0XEE", "\"-0x2\""]).to_owned(),
                    6 => one(dice, &["level", "\"0xee\"", "\"-3\"", "x0f"]).to_owned(),
                    _ => dice.below(300).to_string(),
                });
                let name = one(dice, &["masks", "table", "steps", "x0"]);
                parts.push(format!("{} {name} = [{values}];\n", one(dice, &["const", "let"])));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: toml: steps that sign, then strip, and then pack",
        grammar: "@toml",
        input: concat!(
            "# steps = [\"sign\", \"strip\", \"pack\"]\n[project]\nname = \"strip\"\nkeys = [\"sign\", ",
            "\"strip\", \"pack\"]\nyear = 2024\n\n[release.linux]\nsteps = [\"build\", \"strip\", ",
            "\"sign\", \"pack\"]\n\n[release.mac]\narch = [\"arm\"]\nsteps = [\"build\", \"sign\", ",
            "\"test\", \"strip\", \"pack\", \"send\"]\n\n[release.web]\nsteps = []\n"
        ),
        valid: |input| step_lists(input).is_some(),
        fails: |input| {
            let all = step_lists(input).unwrap_or_default();
            all.iter().any(|steps| are_in_order(steps, &["sign", "strip", "pack"]))
        },
        draw: |dice| {
            let others = ["[project]\nkeys = [\"sign\", \"strip\", \"pack\"]\n", "# steps = []\n"];
            let mut parts = asides(dice, &others);
            for name in chosen(dice, &["linux", "mac", "sign"], 2, 0) {
                let others = ["build", "test", "send", "sign", "pack", "repack"];
                let steps = in_turn(dice, ["sign", "strip", "pack"], &others).join("\", \"");
                let mut lines = asides(dice, &["arch = [\"arm\"]\n", "draft = true\n"]);
                lines.push(format!("steps = [\"{steps}\"]\n"));
                parts.push(format!("[release.{name}]\n{}", shuffled(dice, lines).concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: sql: an IN with the same value twice",
        grammar: "@sql",
        input: concat!(
            "SELECT name, name FROM birds WHERE nest = 4 AND legs IN (2, 4);\nDELETE FROM eggs WHERE ",
            "bird IN ('owl', 'emu') AND day = 7 OR day = 7;\nSELECT name FROM nests WHERE tree NOT IN ",
            "('oak', 'elm, oak') AND id IN (31, 8, 12, 8) AND id > 8;\nSELECT * FROM eggs;\n"
        ),
        valid: |input| have_doubles(input).is_some(),
        fails: |input| have_doubles(input).is_some_and(|all| all.contains(&true)),
        draw: |dice| {
            let mut parts = asides(dice, &["SELECT * FROM eggs;", "SELECT name, name FROM birds;"]);
            for _ in 0..1 + dice.below(2) {
                let mut conditions = asides(dice, &["day = 7", "id > 8", "day = 7"]);
                for _ in 0..1 + dice.below(2) {
                    let known = match happens(dice, 50) {
                        true => ["2", "8", "12", "31", "80"],
                        false => ["'owl'", "'emu'", "'elm, oak'", "'8'", "'Owl'"],
                    };
                    let list = chosen(dice, &known, 4, 28).join(", ");
                    let test = one(dice, &["IN", "IN", "NOT IN"]);
                    conditions.push(format!("{} {test} ({list})", one(dice, &["id", "day"])));
                }
                let head = one(dice, &["SELECT name FROM birds", "DELETE FROM eggs"]);
                let by = one(dice, &[" AND ", " OR "]);
                parts.push(format!("{head} WHERE {};", shuffled(dice, conditions).join(by)));
            }
            shuffled(dice, parts).join(one(dice, &[" ", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: lua: a script that requires socket, lfs or posix",
        grammar: "@lua",
        input: concat!(
            "-- require(\"lfs\")\nlocal json = require(\"dkjson\")\nposix = 4\nprint(\"socket\", posix)\n",
            "local files = require \"lfs\"\nlocal web = require('socket.http')\n",
            "log.write(\"requires socket\")\nload \"posix\"\nreturned = web.get(json, 'lfs')\n"
        ),
        valid: |input| modules(input).is_some(),
        fails: |input| {
            let all = modules(input).unwrap_or_default();
            all.iter().any(|module| ["socket", "lfs", "posix"].contains(module))
        },
        draw: |dice| {
            let others =
                ["print(\"socket\")\n", "-- require(\"lfs\")\n", "posix = 4\n", "load 'lfs'\n"];
            let mut lines = asides(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = ["dkjson", "socket.http", "lfs2", "lpeg", "posi", "sockets"];
                let module = among(dice, ["socket", "lfs", "posix"], &others, 25);
                let quote = one(dice, &["\"", "\"", "'"]);
                let [open, close] = [["(", ")"], ["(", ")"], [" ", ""]][dice.below(3)];
                let start = one(dice, &["local lib = ", "lfs = ", ""]);
                lines.push(format!("{start}require{open}{quote}{module}{quote}{close}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
];
