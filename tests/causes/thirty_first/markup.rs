//! Causes in four formats: HTML (as XML), URL, sexp and JavaScript.

use serde_json::{Value, json};

use super::tokens;
use crate::draws::{
    are_negative_and_fine, chance, extras, figure, foreign, has_twins, picked, steps,
};
use crate::readers::{are_in_order, is_digits, is_name, items, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The attributes of a tag.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut rest, mut found) = (text.trim_start(), Vec::new());
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        let (value, after) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        let key = key.trim_end();
        let is_new = found.iter().all(|(other, _)| *other != key);
        let is_right = is_new && is_name(key) && !value.contains(['&', '\n', '\t']);
        found.push(Some((key, value)).filter(|_| is_right)?);
        // There is a blank between two attributes.
        (after.is_empty() || after.starts_with(char::is_whitespace)).then_some(())?;
        rest = after.trim_start();
    }
    Some(found)
}

/// What the images of a page say to those who do not see them (alt).
fn alternatives(input: &str) -> Option<Vec<&str>> {
    let (mut open, mut found, mut is_begun) = (Vec::new(), Vec::new(), false);
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (kind, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
            let pairs = attributes(rest)?;
            let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted);
            let is_right = match (open.last().copied(), kind) {
                (None, "html") => !is_begun,
                (Some("html"), "head" | "body") | (Some("head"), "title") => true,
                (Some("body" | "div"), "div" | "h1" | "p") => true,
                (Some("p" | "h1"), "em") => true,
                (Some("p"), "a") => value("href").is_some(),
                (Some("body" | "div" | "p" | "a"), "img") => {
                    found.extend(value("alt").map(|(_, alt)| *alt));
                    tag.ends_with('/') && value("src").is_some()
                }
                _ => false,
            };
            is_right.then_some(())?;
            is_begun = true;
            if !tag.ends_with('/') {
                open.push(kind);
            }
        }
        let has_text = ["title", "h1", "p", "em", "a"].contains(open.last().unwrap_or(&""));
        (text.trim().is_empty() || (has_text && !text.contains(['&', '>']))).then_some(())?;
    }
    (is_begun && open.is_empty()).then_some(found)
}

/// The numbers of the part of a map that is asked for (bbox): whether each is negative, and how many
/// decimals it has.
fn bounds(input: &str) -> Option<Vec<(bool, usize)>> {
    let rest = input.strip_prefix("https://").or(input.strip_prefix("http://"))?;
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (place, query) = rest.split_once('?')?;
    let (server, path) = place.split_once('/')?;
    let (host, port) = server.split_once(':').unwrap_or((server, "80"));
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._~+/,".contains(c);
    let are_names = host.split('.').all(is_name);
    (are_names && is_digits(port) && path.chars().all(is_inside)).then_some(())?;
    let (mut keys, mut found) = (Vec::new(), None);
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=')?;
        let is_right = is_name(key) && value.chars().all(is_inside);
        keys.push(Some(key).filter(|_| is_right)?);
        if key == "bbox" {
            found = value.split(',').map(signed_decimals).collect::<Option<Vec<_>>>();
        }
    }
    found.filter(|numbers| numbers.len() == 4 && !has_twins(&keys))
}

/// The steps of each plan of a robot.
fn plans(input: &str) -> Option<Vec<Vec<String>>> {
    let mut open = vec![Vec::new()];
    for token in tokens(input, '"', "-_")? {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Value::Array(list));
            }
            _ if is_name(token) || number(token).is_some() => open.last_mut()?.push(json!(token)),
            _ => return None,
        }
    }
    let [robot] = &open.pop()?[..] else { return None };
    (open.is_empty() && robot[0] == "robot").then_some(())?;
    let plans = items(robot).iter().filter(|entry| entry[0] == "plan");
    let plans = plans.map(|plan| {
        plan[1].as_str().filter(|name| is_name(name))?;
        let steps = items(plan)[2..].iter().map(|step| {
            let (name, values) = items(step).split_first()?;
            let are_right = values.iter().all(Value::is_string);
            name.as_str().filter(|name| are_right && is_name(name)).map(str::to_owned)
        });
        steps.collect()
    });
    plans.collect()
}

/// The value at the start of some tokens of a script, and what comes after it.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<(Value, &'a [&'t str])> {
    match all {
        [text, rest @ ..] if text.starts_with('"') => Some((json!(text), rest)),
        [digits, rest @ ..] if number(digits).is_some() => Some((json!(number(digits)?), rest)),
        ["[", rest @ ..] => {
            let (found, rest) = values(rest, "]")?;
            Some((Value::Array(found), rest))
        }
        _ => None,
    }
}

/// Values with commas between them up to a bracket, and what comes after that.
fn values<'a, 't>(all: &'a [&'t str], end: &str) -> Option<(Vec<Value>, &'a [&'t str])> {
    let (mut rest, mut found) = (all, Vec::new());
    if rest.first().is_some_and(|token| *token == end) {
        return Some((found, &rest[1..]));
    }
    loop {
        let (next, after) = value(rest)?;
        found.push(next);
        match after {
            [",", more @ ..] => rest = more,
            [token, more @ ..] if *token == end => return Some((found, more)),
            _ => return None,
        }
    }
}

/// The answers of each question of a quiz. The script has only constants and calls.
fn answers(input: &str) -> Option<Vec<Vec<Value>>> {
    let (all, mut found) = (tokens(input, '"', "_")?, Vec::new());
    let is_variable = |token: &str| is_name(&token.to_ascii_lowercase()) && token != "const";
    let mut rest = &all[..];
    while !rest.is_empty() {
        let after = match rest {
            ["const", name, "=", after @ ..] if is_variable(name) => value(after)?.1,
            [name, "(", after @ ..] if is_variable(name) => {
                let (values, after) = values(after, ")")?;
                if *name == "ask" {
                    let [Value::String(_), Value::Array(list)] = &values[..] else { return None };
                    list.iter().all(Value::is_string).then(|| found.push(list.clone()))?;
                }
                after
            }
            _ => return None,
        };
        rest = after.strip_prefix(&[";"])?;
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-first: html: an image whose alt has a character that is not ASCII",
        grammar: "@xml",
        input: concat!(
            "<html>\n<head><title>Forêt d'Orient</title></head>\n<body title=\"é\">\n",
            "  <h1>Les <em>chênes</em></h1>\n  <img src=\"oak.jpg\" alt=\"an old oak\"/>\n",
            "  <p>À voir : <a href=\"/map\" title=\"où\"><img alt=\"map\" src=\"/été.png\"/></a></p>\n",
            "  <div class=\"row\"><img src=\"birch.jpg\" title=\"bouleau à l'été\" width=\"40\"/>\n",
            "    <img src=\"elm.jpg\" alt=\"elm in a fôret\"/><p>Orme</p></div>\n",
            "  <p>© 2024</p>\n</body>\n</html>\n"
        ),
        valid: |input| alternatives(input).is_some(),
        fails: |input| alternatives(input).is_some_and(|all| all.iter().any(|alt| !alt.is_ascii())),
        draw: |dice| {
            let others = [
                "<h1>Les <em>chênes</em></h1>",
                "<p>© 2024</p>",
                "<p><a href=\"/map\" title=\"où\">À voir</a></p>",
                "<div class=\"row\"><p>Orme</p></div>",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut pairs = extras(dice, &["title=\"où\"", "width=\"40\"", "class=\"é\""]);
                let file = one(dice, &["oak", "elm", "/été", "birch"]);
                pairs.push(format!("src=\"{file}.jpg\""));
                if chance(dice, 85) {
                    let alt = if chance(dice, 31) { foreign(dice) } else { word(dice, 6) };
                    let [start, end] = [["", "", "an "], ["", "", " tree"]];
                    pairs.push(format!("alt=\"{}{alt}{}\"", one(dice, &start), one(dice, &end)));
                }
                let image = format!("<img {}/>", shuffled(dice, pairs).join(" "));
                parts.push(match dice.below(4) {
                    0 => format!("<p>{image}</p>"),
                    1 => format!("<div>{image}</div>"),
                    _ => image,
                });
            }
            let head = one(dice, &["", "<head><title>Forêt d'Orient</title></head>"]);
            let by = one(dice, &["", "\n"]);
            format!("<html>{head}<body>{}</body></html>", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: url: a bbox with a negative number and one of exactly three decimals",
        grammar: "@url",
        input: concat!(
            "https://maps.owl.example:8443/tiles/v2/-4.125?layers=roads,rail,-2,rivers&zoom=9.125&",
            "center=-0.375,51.5&lang=en&bbox=-1.5,50.125,2,52.0625&offset=-3.5,4.625&style=dark-2&",
            "key=f00d-17.375#zoom=-1.125"
        ),
        valid: |input| bounds(input).is_some(),
        fails: |input| bounds(input).is_some_and(|numbers| are_negative_and_fine(&numbers)),
        draw: |dice| {
            let others = [
                "layers=roads,rail,-2,rivers",
                "zoom=9.125",
                "center=-0.375,51.5",
                "lang=en",
                "offset=-3.5,4.625",
                "key=f00d-17.375",
            ];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("bbox={}", joined(dice, 4, ",", figure)));
            let query = shuffled(dice, pairs).join("&");
            let host = joined(dice, 2, ".", |dice| format!("m{}", word(dice, 6)));
            let port = one(dice, &["", "", ":8443"]);
            let path = one(dice, &["", "tiles", "tiles/v2/-4.125"]);
            let end = one(dice, &["", "", "#top", "#zoom=-1.125"]);
            format!("https://{host}{port}/{path}?{query}{end}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: sexp: a plan with a lift, then a turn, and then a drop",
        grammar: "@sexp",
        input: concat!(
            "(robot (name lift-2) (arms 2) (moves lift turn drop)\n",
            "  (plan drop (turn 90) (lift 20) (wait) (drop 4))\n",
            "  (plan stack (grip 3) (lift 20) (wait turn) (turn 45) (lift 5) (move 10 4 2)\n",
            "    (drop 2) (home))\n  (tool (lift 1) (turn 2) (drop 3))\n",
            "  (plan home (drop) (wait 5) (turn 180)) (speed turn 40))\n"
        ),
        valid: |input| plans(input).is_some(),
        fails: |input| {
            plans(input).is_some_and(|all| {
                all.iter().any(|plan| {
                    let plan: Vec<&str> = plan.iter().map(|step| &step[..]).collect();
                    are_in_order(&plan, &["lift", "turn", "drop"])
                })
            })
        },
        draw: |dice| {
            let others = [
                "(moves lift turn drop)",
                "(arms 2)",
                "(tool (lift 1) (turn 2) (drop 3))",
                "(plan home (drop) (wait 5) (turn 180))",
                "(speed turn 40)",
            ];
            let mut parts = extras(dice, &others);
            let others = ["grip", "wait", "move", "home", "lift", "drop", "turn-off"];
            let mut plan = format!("(plan {}", one(dice, &["stack", "drop", "sort"]));
            for step in steps(dice, ["lift", "turn", "drop"], &others) {
                plan += &format!(" ({step}{})", one(dice, &["", " 4", " 20", " turn", " 10 4 2"]));
            }
            parts.push(plan + ")");
            let by = one(dice, &[" ", "\n  "]);
            format!("(robot (name lift-2) {})\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: javascript: a question of a quiz with the same answer twice",
        grammar: "@javascript",
        input: concat!(
            "const seconds = 20;\nconst birds = [\"owl\", \"emu\", \"owl\"];\nsetTitle(\"owl, owl\");\n",
            "ask(\"Which one swims?\", [\"owl\", \"auk\", \"emu\"]);\nhint([\"auk\", \"auk\"], 2);\n",
            "ask(\"Which one is the emu?\", [\"emu\", \"rhea\", \"kiwi\", \"rhea\", \"moa\"]);\n",
            "ask(\"And the owl?\", [\"owl\"]);\nask(\"None?\", []);\nstart(3, \"owl\");\n"
        ),
        valid: |input| answers(input).is_some(),
        fails: |input| answers(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let others = [
                "const seconds = 20;",
                "const birds = [\"owl\", \"emu\", \"owl\"];",
                "setTitle(\"owl, owl\");",
                "hint([\"auk\", \"auk\"], 2);",
                "start(3, \"owl\");",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["owl", "Owl", "emu", "auk", "rhea", "owls"];
                let mut answers = Vec::new();
                for answer in picked(dice, &known, 5, 32) {
                    answers.push(format!("\"{answer}\""));
                }
                if chance(dice, 8) {
                    answers.clear();
                }
                let question = one(dice, &["Which one swims?", "And the owl?", "owl, owl"]);
                parts.push(format!("ask(\"{question}\", [{}]);", answers.join(", ")));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
];
