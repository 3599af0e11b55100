//! Causes in four formats: DOT, HTTP, Lua and INI.

use crate::draws::{above, are_negative_and_fine, chance, extras, figure, has_twins, picked};
use crate::readers::{is_digits, is_name, is_shown, number, sections, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// The words that are no names in a graph.
const DOT_KEYWORDS: [&str; 6] = ["digraph", "graph", "node", "edge", "subgraph", "strict"];

/// Whether a token is a name in a graph.
fn is_id(token: &str) -> bool {
    is_name(token) && !DOT_KEYWORDS.contains(&token)
}

/// What comes after the attributes at the start of some tokens, if there are any, and the semicolon
/// after them.
fn after_attributes<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let mut rest = all;
    if let ["[", after @ ..] = all {
        let size = after.iter().position(|token| *token == "]")?;
        for pair in after[..size].split(|token| *token == ",") {
            let [key, "=", value] = pair else { return None };
            let is_value = is_text(value) || is_id(value) || number(value).is_some();
            (is_id(key) && is_value).then_some(())?;
        }
        rest = &after[size + 1..];
    }
    rest.strip_prefix(&[";"])
}

/// What comes after the statements at the start of some tokens, up to the bracket that ends them. The
/// names of the subgraphs are found.
fn statements<'a, 't>(all: &'a [&'t str], found: &mut Vec<&'t str>) -> Option<&'a [&'t str]> {
    let mut rest = all;
    loop {
        rest = match rest {
            ["}", after @ ..] => return Some(after),
            ["subgraph", name, "{", after @ ..] if is_id(name) => {
                found.push(name);
                statements(after, found)?
            }
            ["node" | "edge" | "graph", after @ ..] => after_attributes(after)?,
            [key, "=", value, ";", after @ ..] if is_id(key) => {
                (is_text(value) || is_id(value) || number(value).is_some()).then_some(after)?
            }
            [first, after @ ..] if is_id(first) => {
                let mut after = after;
                while let ["-", ">", next, others @ ..] = after {
                    after = Some(others).filter(|_| is_id(next))?;
                }
                after_attributes(after)?
            }
            _ => return None,
        };
    }
}

/// The names of the subgraphs of a graph.
fn subgraphs(input: &str) -> Option<Vec<&str>> {
    let (all, mut found) = (tokens(input, "_")?, Vec::new());
    let ["digraph", name, "{", inner @ ..] = &all[..] else { return None };
    let is_right = is_id(name) && !input.contains("- ");
    statements(inner, &mut found).filter(|rest| rest.is_empty() && is_right)?;
    Some(found)
}

/// How old an answer is (Age), and how old it may be (the max-age of its Cache-Control), if it says both.
fn ages(input: &str) -> Option<Option<(u32, u32)>> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let (status, reason) = first.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    let is_inside = |c: char| c.is_ascii_graphic() || c == ' ' || c == '\n';
    let is_status = status.len() == 3 && is_digits(status) && is_shown(reason);
    (is_status && body.chars().all(is_inside)).then_some(())?;
    let (mut names, mut age, mut most) = (Vec::new(), None, None);
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value)).then_some(())?;
        match &name[..] {
            "age" => age = Some(number(value.trim())?),
            "cache-control" => {
                for directive in value.split(',').map(str::trim) {
                    let (key, value) = directive.split_once('=').unwrap_or((directive, "0"));
                    let value = number(value).filter(|_| is_name(key))?;
                    if key == "max-age" {
                        most = most.is_none().then_some(Some(value))?;
                    }
                }
            }
            _ => {}
        }
        names.push(name);
    }
    (!has_twins(&names)).then_some(age.zip(most))
}

/// The texts of the list at the start of some tokens, and what comes after it.
fn texts<'a, 't>(all: &'a [&'t str]) -> Option<(Vec<&'t str>, &'a [&'t str])> {
    let ["{", rest @ ..] = all else { return None };
    let size = rest.iter().position(|token| *token == "}")?;
    let (inner, after) = (&rest[..size], &rest[size + 1..]);
    let inner = inner.strip_suffix(&[","]).unwrap_or(inner);
    let parts = inner.split(|token| *token == ",").filter(|_| size > 0);
    let found = parts.map(|part| match part {
        [text] if is_text(text) => Some(*text),
        _ => None,
    });
    Some((found.collect::<Option<Vec<&str>>>()?, after))
}

/// What each mod of a game needs.
fn needs(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "--");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let is_plain = |value: &str| is_text(value) || number(value).is_some() || value == "true";
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            [key, "=", value, after @ ..] if is_variable(key) && is_plain(value) => after,
            [key, "=", after @ ..] if is_variable(key) => texts(after)?.1,
            [name, "(", value, ")", after @ ..] if is_variable(name) && is_plain(value) => after,
            ["mod" | "theme", "{", after @ ..] => {
                let (mut inner, mut keys) = (after, Vec::new());
                while inner.first() != Some(&"}") {
                    let [key, "=", after @ ..] = inner else { return None };
                    let after = match after {
                        [value, after @ ..] if is_plain(value) && *key != "needs" => after,
                        _ => {
                            let (list, after) = texts(after)?;
                            if rest[0] == "mod" && *key == "needs" {
                                found.push(list.into_iter().map(str::to_owned).collect());
                            }
                            after
                        }
                    };
                    keys.push(Some(*key).filter(|key| is_variable(key))?);
                    let is_last = after.first() == Some(&"}");
                    inner = if is_last { after } else { after.strip_prefix(&[","])? };
                }
                (!has_twins(&keys)).then_some(&inner[1..])?
            }
            _ => return None,
        };
    }
    Some(found)
}

/// How far each tool of a machine is moved (x, y and z): whether each number is negative, and how many
/// decimals it has.
fn offsets(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let all = sections(input)?;
    let tools = all[1..].iter().map(|(_, pairs)| {
        let known = pairs.iter().filter(|(key, _)| ["x", "y", "z"].contains(key));
        known.map(|(_, value)| signed_decimals(value)).collect()
    });
    tools.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-eighth: dot: network: two subgraphs of the same name",
        grammar: "@dot",
        input: concat!(
            "digraph office {\n  label=\"subgraph lab { }\";\n  node [shape=box];\n  subgraph office {\n",
            "    label=\"lab\"; lab -> desk;\n    subgraph hall { desk [color=red, label=\"hall\"]; lab; }\n",
            "  }\n  lab -> hall -> desk [width=4];\n  subgraph lab_2 { hall; }\n",
            "  subgraph yard { label=\"lab\"; gate -> desk; }\n  hall;\n",
            "  subgraph hall { printer -> lab; }\n}\n"
        ),
        valid: |input| subgraphs(input).is_some(),
        fails: |input| subgraphs(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "label=\"subgraph lab { }\";",
                "node [shape=box];",
                "lab -> hall -> desk [width=4];",
                "hall; hall;",
                "edge [color=red];",
            ];
            let mut parts = extras(dice, &others);
            let known = ["lab", "hall", "lab_2", "yard", "office", "halls"];
            for name in picked(dice, &known, 5, 54) {
                let others = [
                    "label=\"lab\";",
                    "lab -> desk;",
                    "hall;",
                    "desk [color=red, label=\"hall\"];",
                ];
                let mut inner = extras(dice, &others);
                if chance(dice, 20) && !parts.is_empty() {
                    inner.push(parts.remove(dice.below(parts.len())));
                }
                let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n    "]));
                parts.push(format!("subgraph {name} {{ {inner} }}"));
            }
            let name = one(dice, &["office", "lab", "north"]);
            format!("digraph {name} {{\n  {}\n}}\n", shuffled(dice, parts).join("\n  "))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: http: cache: an answer with an Age above the max-age of its ",
            "Cache-Control"
        ),
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK 90\r\nServer: owl/4.12\r\nX-Age: 7\r\n",
            "Cache-Control: public, s-maxage=900, max-age=300\r\nContent-Type: text/plain\r\n",
            "Age: 412\r\nX-Cache: max-age=600\r\nRetry-After: 12\r\n\r\nAge: 4\nmax-age=600\n"
        ),
        valid: |input| ages(input).is_some(),
        fails: |input| ages(input).flatten().is_some_and(|(age, most)| age > most),
        draw: |dice| {
            let others = [
                "Server: owl/4.12\r\n",
                "X-Age: 7\r\n",
                "X-Cache: max-age=600\r\n",
                "Retry-After: 12\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push("Content-Type: text/plain\r\n".to_owned());
            let most = [0, 60 * dice.below(12), 1 + dice.below(900)][dice.below(3)];
            let age = above(dice, most, 56);
            if chance(dice, 94) {
                fields.push(format!("Age: {age}\r\n"));
            }
            let mut directives = extras(dice, &["public", "s-maxage=900", "stale-if-error=4"]);
            if chance(dice, 94) || directives.is_empty() {
                directives.push(format!("max-age={most}"));
            }
            let directives = shuffled(dice, directives).join(", ");
            fields.push(format!("Cache-Control: {directives}\r\n"));
            let status = one(dice, &["200 OK", "200 OK 90", "404 Not Found"]);
            let body = one(dice, &["", "Age: 4\n", "Age: 4\nmax-age=600\n", "owl\n"]);
            format!("HTTP/1.1 {status}\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: lua: mods: a mod that needs the same thing twice",
        grammar: "@lua",
        input: concat!(
            "-- mod { needs = { \"core\", \"core\" } }\ngame = \"core core\"\nneeds = { \"sound\", \"sound\" }\n",
            "mod {\n  name = \"owls\",\n  needs = { \"core\", \"sound\" },\n  tags = { \"core\", \"core\" },\n}\n",
            "mod { name = \"core\", needs = {}, size = 12 }\nload(\"core\")\nload(\"core\")\n",
            "mod {\n  needs = {\n    \"sound\", \"core-2\",\n    \"trees\", -- \"core\"\n    \"sound\",\n  },\n",
            "  name = \"forest\", beta = true\n}\n"
        ),
        valid: |input| needs(input).is_some(),
        fails: |input| needs(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let others = [
                "-- mod { needs = { \"core\", \"core\" } }",
                "game = \"core core\"",
                "needs = { \"sound\", \"sound\" }",
                "load(\"core\") load(\"core\")",
                "theme { needs = { \"core\", \"core\" } }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["core", "sound", "core-2", "trees", "Core", "map"];
                let mut list = picked(dice, &known, 4, 28);
                for name in &mut list {
                    *name = format!("\"{name}\"");
                }
                let list = list.join(one(dice, &[", ", ", ", ",\n    "]));
                let list = one(dice, &[&list, &list, &list, ""]).to_owned();
                let others = ["tags = { \"core\", \"core\" }", "size = 12", "beta = true"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("name = \"{}\"", one(dice, &["owls", "core", "forest"])));
                pairs.push(format!("needs = {{ {list} }}"));
                let pairs = shuffled(dice, pairs).join(one(dice, &[", ", ",\n  "]));
                parts.push(format!("mod {{ {pairs}{} }}", one(dice, &["", ","])));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: ini: lathe: a tool whose x, y and z have a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@ini",
        input: concat!(
            "machine=lathe-4\nx=-4\nfeed=0.125\n\n[drill]\nx=4.375\ny=12\nnote=-4 to 0.125\nfeed=-3\n\n",
            "[mill-2]\ny=-1.25\nz=0.0625\nx=-40\nfeed=0.125\n\n[bore]\nz=-7.5\nname=drill\nx=0.5\n",
            "y=18.625\n\n[spare]\nspeed=-0.125\n"
        ),
        valid: |input| offsets(input).is_some(),
        fails: |input| {
            offsets(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = ["machine=lathe-4\n", "x=-4\n", "feed=0.125\n", "\n"];
            let start = extras(dice, &others).concat();
            let mut tools = picked(dice, &["drill", "mill-2", "bore", "spare"], 4, 0);
            for tool in &mut tools {
                let others =
                    ["note=-4 to 0.125\n", "feed=-3\n", "rate=0.125\n", "name=drill\n", "\n"];
                let mut pairs = extras(dice, &others);
                for key in ["x", "y", "z"] {
                    if chance(dice, 80) {
                        pairs.push(format!("{key}={}\n", figure(dice)));
                    }
                }
                *tool = format!("[{tool}]\n{}", shuffled(dice, pairs).concat());
            }
            format!("{start}{}", tools.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
];
