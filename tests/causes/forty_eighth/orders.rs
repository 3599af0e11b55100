//! Causes with an order of three, and with something twice in a list: scripts, rules for packets, ways to test
//! a program, and groups of people.

use crate::draws::{chance, extras, has_twins, picked, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// The names of the functions that a script calls, in the order in which the calls are written.
fn calls(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "--");
    let (all, mut open, mut found) = (tokens(&text, "_")?, Vec::new(), Vec::new());
    for (at, token) in all.iter().enumerate() {
        let before = if at > 0 { all[at - 1] } else { "" };
        let next = all.get(at + 1).copied().unwrap_or("");
        let closes = match *token {
            "(" | "[" | "{" => {
                open.push(*token);
                continue;
            }
            "function" | "if" | "do" => {
                open.push("end");
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            "end" => "end",
            "repeat" | "goto" | "'" | ";" | "\\" => return None,
            name => {
                let keywords = ["and", "or", "not", "return", "in", "elseif", "while", "until"];
                let is_call = next == "(" && is_variable(name) && !keywords.contains(&name);
                if is_call && ![".", ":", "function"].contains(&before) {
                    found.push(name.to_owned());
                }
                let is_sign = "+-*/%^#=~<>,.:".contains(name);
                let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                (is_sign || is_word || is_text(name)).then_some(())?;
                continue;
            }
        };
        (open.pop()? == closes).then_some(())?;
    }
    open.is_empty().then_some(found)
}

/// What the rules of each table do with a packet, in their order.
fn targets(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    let is_chain = |name: &str| name.chars().all(|c| c.is_ascii_uppercase() || "_-".contains(c));
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        is_shown(line).then_some(())?;
        let words: Vec<&str> = line.split(' ').collect();
        match &words[..] {
            [name] if name.starts_with('*') => {
                let is_table = ["*filter", "*nat", "*mangle", "*raw"].contains(name);
                (is_table && !is_inside).then(|| found.push(Vec::new()))?;
                is_inside = true;
            }
            ["COMMIT"] => is_inside = Some(false).filter(|_| is_inside)?,
            _ if !is_inside => return None,
            [chain, policy, counts] if chain.starts_with(':') => {
                let counts = counts.strip_prefix('[')?.strip_suffix(']')?.split_once(':')?;
                let are_right = is_digits(counts.0) && is_digits(counts.1);
                let is_policy = ["ACCEPT", "DROP", "-"].contains(policy);
                (are_right && is_policy && is_chain(&chain[1..])).then_some(())?;
            }
            ["-A", chain, rest @ ..] if is_chain(chain) => {
                let at = rest.iter().position(|word| *word == "-j")?;
                let target = rest.get(at + 1).filter(|name| is_chain(name) && !name.is_empty())?;
                found.last_mut()?.push(*target);
                let others = rest[..at].iter().chain(&rest[at + 2..]);
                others.clone().all(|word| *word != "-j" && !word.is_empty()).then_some(())?;
                (rest.concat().matches('"').count() % 2 == 0).then_some(())?;
            }
            _ => return None,
        }
    }
    (!is_inside).then_some(found)
}

/// The environments that each envlist names.
fn environments(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut found, mut known, mut keys): (Vec<Vec<&str>>, Vec<&str>, Vec<&str>) =
        Default::default();
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        is_shown(line).then_some(())?;
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.strip_suffix(']').filter(|name| name.split(':').all(is_name))?;
            known.push(Some(name).filter(|name| !known.contains(name))?);
            keys.clear();
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let key = key.trim_end_matches(' ');
        let is_new = is_name(key) && !known.is_empty() && !keys.contains(&key);
        keys.push(Some(key).filter(|_| is_new)?);
        if key == "envlist" {
            let names: Vec<&str> = value.split(',').map(|name| name.trim_matches(' ')).collect();
            found.push(Some(names).filter(|names| names.iter().all(|name| is_name(name)))?);
        }
    }
    Some(found)
}

/// A scalar of a document without its quotes and without the comma after it; nothing if it is odd.
fn scalar(text: &str) -> Option<&str> {
    let inner = text.strip_suffix(',').unwrap_or(text);
    match inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        Some(quoted) => Some(quoted).filter(|quoted| !quoted.contains(['"', '\\'])),
        None => {
            let is_odd =
                text.is_empty() || text.contains(['"', '\\', '\'', ',', '[', ']', '{', '}']);
            (!is_odd).then_some(text)
        }
    }
}

/// The members of each group.
fn members(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut found, mut open): (Vec<Vec<&str>>, Vec<(char, &str)>) = Default::default();
    let mut is_over = false;
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        (is_shown(line) && !is_over).then_some(())?;
        let ends = line.strip_suffix(',').unwrap_or(line);
        let (key, value) = match (ends, open.last()) {
            ("}" | "]", Some((sign, _))) => {
                ((ends == "}") == (*sign == '{')).then(|| open.pop())?;
                is_over = open.is_empty();
                continue;
            }
            ("{", None) => ("", line),
            (_, Some(('{', _))) => {
                let (key, value) = line.split_once(':')?;
                (Some(key.trim_matches('"')).filter(|key| is_name(key))?, value.trim())
            }
            (_, Some((_, key))) => ("", Some(line).filter(|_| !key.is_empty())?),
            _ => return None,
        };
        let is_member = matches!(open.last(), Some(('[', "members")));
        let list = value.strip_prefix('[').filter(|inner| !inner.is_empty());
        if let Some(inner) = list {
            let inner = inner.strip_suffix(',').unwrap_or(inner).strip_suffix(']')?;
            let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
            let quoted = parts.iter().map(|part| scalar(part).filter(|_| is_text(part)));
            let items = quoted.collect::<Option<Vec<&str>>>().filter(|_| !is_member)?;
            found.extend(Some(items).filter(|_| key == "members"));
            continue;
        }
        match value {
            "{" | "[" => {
                (!is_member).then(|| open.push((value.chars().next().unwrap_or('{'), key)))?;
                found.extend(Some(Vec::new()).filter(|_| value == "[" && key == "members"));
            }
            _ => {
                let value = scalar(value)?;
                if is_member {
                    found.last_mut()?.push(value);
                }
            }
        }
    }
    is_over.then_some(found)
}

/// The causes.
pub const ORDERS: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-eighth: lua: cache: a script that calls setmetatable, then collectgarbage, and then ",
            "pairs"
        ),
        grammar: "@lua",
        input: concat!(
            "-- setmetatable, collectgarbage, pairs\nlocal mt = { __mode = \"k\", pairs = 4 }\n",
            "local function size(t)\n  local n = 0\n  for k, v in ipairs(t) do n = n + 1 end\n  return n\nend\n\n",
            "local cache = setmetatable({}, mt)\ncache[1] = \"collectgarbage()\"\nif size(cache) > 0 then\n",
            "  print(\"pairs\", cache[1])\nend\ncollectgarbage(\"collect\")\nmt.__gc = function(o) print(o) end\n",
            "for key, value in pairs(cache) do\n  print(key, #cache)\nend\ncache:setmetatable(mt)\n"
        ),
        valid: |input| calls(input).is_some(),
        fails: |input| {
            let all = calls(input).unwrap_or_default();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["setmetatable", "collectgarbage", "pairs"])
        },
        draw: |dice| {
            let wanted = ["setmetatable", "collectgarbage", "pairs"];
            let others = ["print", "ipairs", "rawset", "next", "setmetatable", "size"];
            let mut text = String::new();
            for name in steps(dice, wanted, &others) {
                text += match name {
                    "setmetatable" => one(
                        dice,
                        &["local cache = setmetatable({}, mt)", "setmetatable(cache, nil)"],
                    ),
                    "collectgarbage" => one(
                        dice,
                        &[
                            "collectgarbage()",
                            "collectgarbage(\"collect\")",
                            "if n > 4 then\n  collectgarbage(\"step\", 4)\nend",
                        ],
                    ),
                    "pairs" => one(
                        dice,
                        &[
                            "for key, value in pairs(cache) do\n  print(key, #cache)\nend",
                            "local f, s = pairs(cache)",
                        ],
                    ),
                    "ipairs" => "for i, v in ipairs(cache) do\n  n = n + i\nend",
                    "print" => {
                        one(dice, &["print(\"pairs\", cache[1])", "print(n)", "-- pairs(cache)"])
                    }
                    "next" => "while next(cache) do\n  cache[next(cache)] = nil\nend",
                    "rawset" => "rawset(cache, \"setmetatable\", n * 2)",
                    _ => one(
                        dice,
                        &["local function size(t)\n  return #t\nend", "mt.pairs = cache:pairs()"],
                    ),
                };
                text += one(dice, &["\n", "\n", "\n\n"]);
            }
            let starts = [
                "-- setmetatable, collectgarbage, pairs\n",
                "local n = 0\n",
                "local mt = { __mode = \"k\", pairs = 4 }\n",
            ];
            format!("{}{text}", extras(dice, &starts).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-eighth: plain: packets: a table with a rule that accepts (-j ACCEPT), then one that logs ",
            "(-j LOG), and then one that drops (-j DROP)"
        ),
        grammar: "",
        input: concat!(
            "# Generated by iptables-save v1.8.7\n*nat\n:PREROUTING ACCEPT [12:840]\n:LOG DROP [0:0]\n",
            "-A PREROUTING -p tcp -m tcp --dport 80 -j REDIRECT --to-ports 8080\n-A PREROUTING -j LOG\n",
            "-A PREROUTING -s 10.0.0.0/8 -j ACCEPT\nCOMMIT\n*filter\n:INPUT DROP [0:0]\n:FORWARD ACCEPT [0:0]\n",
            "-A INPUT -s 192.168.4.0/24 -j DROP\n-A INPUT -i lo -j ACCEPT\n-A INPUT -p icmp -j RETURN\n",
            "-A INPUT -m limit --limit 5/min -j LOG --log-prefix \"-A DROP: \" --log-level 7\n",
            "-A FORWARD -p udp -j REJECT\n-A FORWARD ! -i eth0 -j DROP\nCOMMIT\n# Completed\n"
        ),
        valid: |input| targets(input).is_some(),
        fails: |input| {
            let all = targets(input).unwrap_or_default();
            all.iter().any(|targets| are_in_order(targets, &["ACCEPT", "LOG", "DROP"]))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "# Generated by iptables-save v1.8.7\n"]).to_owned();
            for _ in 0..1 + dice.below(2) {
                text += &format!("{}\n", one(dice, &["*filter", "*nat", "*mangle"]));
                let chains =
                    [":INPUT DROP [0:0]\n", ":FORWARD ACCEPT [12:840]\n", ":LOG - [0:0]\n"];
                text += &extras(dice, &chains).concat();
                let others = ["RETURN", "REJECT", "MARK", "ACCEPT", "LOG", "DROP"];
                let mut targets = steps(dice, ["ACCEPT", "LOG", "DROP"], &others);
                if chance(dice, 42) {
                    targets.remove(dice.below(targets.len()));
                }
                for target in targets {
                    let known =
                        ["", " -i lo", " -p icmp", " -p tcp -m tcp --dport 22", " ! -s 10.0.0.0/8"];
                    let (chain, about) =
                        (one(dice, &["INPUT", "FORWARD", "LOG"]), one(dice, &known));
                    let end = match target {
                        "LOG" => one(dice, &["", " --log-prefix \"-A DROP: \"", " --log-level 7"]),
                        "MARK" => " --set-mark 4",
                        _ => "",
                    };
                    text += &format!("-A {chain}{about} -j {target}{end}\n");
                }
                text += "COMMIT\n";
            }
            text + one(dice, &["", "", "# Completed\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: ini: tox: an envlist that names the same environment twice",
        grammar: "@ini",
        input: concat!(
            "# envlist = py38, py38\n[tox]\nminversion = 4.0\nenvlist = py38, py310, lint, py39, docs, py310\n",
            "isolated_build = true\n\n[testenv]\ndeps = pytest, coverage, pytest\npassenv = HOME, CI\n",
            "commands = pytest {posargs}\n\n; lint, lint\n[testenv:lint]\nbasepython = py310\ndeps = ruff\n",
            "commands = ruff check src, src\n"
        ),
        valid: |input| environments(input).is_some(),
        fails: |input| {
            environments(input).is_some_and(|all| all.iter().any(|list| has_twins(list)))
        },
        draw: |dice| {
            let known = ["py38", "py39", "py310", "py3", "lint", "docs", "lint-docs"];
            let list = picked(dice, &known, 6, 54).join(one(dice, &[", ", ", ", ","]));
            let others = ["minversion = 4.0\n", "isolated_build = true\n", "requires = pip, pip\n"];
            let mut lines = extras(dice, &others);
            if chance(dice, 94) {
                lines.push(format!("envlist = {list}\n"));
            }
            let tox = format!("[tox]\n{}", shuffled(dice, lines).concat());
            let others = [
                "[testenv]\ndeps = pytest, coverage, pytest\ncommands = pytest {posargs}\n",
                "; lint, lint\n[testenv:lint]\nbasepython = py310\ndeps = ruff\n",
                "[gh-actions]\npython = py38, py38\n",
            ];
            let mut sections = extras(dice, &others);
            sections.push(tox);
            let start = one(dice, &["", "", "# envlist = py38, py38\n"]);
            format!("{start}{}", shuffled(dice, sections).join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: hjson: a list of members that has the same one twice",
        grammar: "",
        input: concat!(
            "{\n  # members: ada, ada\n  name: Reviewers of the core\n  retries: 3\n  groups: [\n    {\n",
            "      name: editors\n      members: [\n        ada\n        grace hopper\n        // on leave\n        alan\n",
            "        ada\n      ]\n    }\n    {\n      members: [\"bo\", \"bo jr\", \"cy\"]\n      rights: [\n        read\n",
            "        read\n      ]\n    }\n  ]\n  \"owners\": [\"ada\", \"ada\"]\n  escalate: {\n    members: [\n    ]\n",
            "    after: 20m\n  }\n}\n"
        ),
        valid: |input| members(input).is_some(),
        fails: |input| members(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let mut groups = Vec::new();
            for _ in 0..1 + dice.below(3) {
                let known = ["ada", "grace hopper", "alan", "bo", "bo jr", "cy"];
                let mut list = picked(dice, &known, 5, 32);
                if chance(dice, 8) {
                    list.clear();
                }
                let list = match chance(dice, 40) && !list.is_empty() {
                    true => format!("members: [\"{}\"]\n", list.join("\", \"")),
                    false => {
                        let by = one(dice, &["\n  ", "\n  ", "\n  // ada\n  "]);
                        list.insert(0, "members: [".to_owned());
                        format!("{}\n]\n", list.join(by))
                    }
                };
                let others = ["name: editors\n", "rights: [\n  read\n  read\n]\n", "after: 20m\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(list);
                groups.push(shuffled(dice, pairs).concat());
            }
            let inside =
                |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
            let parts = match groups.len() {
                1 => format!("group: {{\n{}}}\n", inside(&groups[0])),
                _ => {
                    let all: String =
                        groups.iter().map(|one| format!("{{\n{}}}\n", inside(one))).collect();
                    format!("groups: [\n{}]\n", inside(&all))
                }
            };
            let others = [
                "# members: ada, ada\n",
                "name: Reviewers of the core\n",
                "\"owners\": [\"ada\", \"ada\"]\n",
                "retries: 3\n",
            ];
            let mut all = extras(dice, &others);
            all.push(parts);
            format!("{{\n{}}}\n", inside(&shuffled(dice, all).concat()))
        },
        patterns: &[],
    },
];
