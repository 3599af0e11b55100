//! Causes in four formats: CSS, HTTP, TOML and CSV.

use crate::draws::{above, chance, extras, foreign};
use crate::readers::{is_digits, is_name, is_shown, number, toml_statements};
use crate::thirty_fourth::formats::is_style;
use crate::thirty_fourth::without_remarks;
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Whether some tokens say when the rules of a block are used.
fn is_question(all: &[&str]) -> bool {
    all.split(|token| *token == "and").all(|part| {
        match part.strip_prefix(&["not"]).unwrap_or(part) {
            [word] => is_name(word),
            ["(", key, ":", value, ")"] => is_name(key) && is_style(&[value]),
            _ => false,
        }
    })
}

/// How deep @media and @supports are in each other in the rules at the start of some tokens, and what comes
/// after them. A @layer has other rules in it, too.
fn rules<'a, 't>(all: &'a [&'t str]) -> Option<(usize, &'a [&'t str])> {
    let (mut rest, mut deepest) = (all, 0);
    while !matches!(rest, [] | ["}", ..]) {
        let size = rest.iter().position(|token| *token == "{")?;
        let (before, inner) = (&rest[..size], &rest[size + 1..]);
        let (kind, question) = before.split_first()?;
        if kind.starts_with('@') {
            let (depth, after) = rules(inner)?;
            let is_right = match *kind {
                "@media" | "@supports" => is_question(question),
                "@layer" => matches!(question, [name] if is_name(name)),
                _ => false,
            };
            let depth = depth + usize::from(*kind != "@layer");
            deepest = deepest.max(Some(depth).filter(|_| is_right)?);
            rest = after.strip_prefix(&["}"])?;
        } else {
            let is_selected = |token: &&str| is_name(token.trim_start_matches(['.', '#']));
            before.iter().all(is_selected).then_some(())?;
            let size = inner.iter().position(|token| *token == "}")?;
            for pair in inner[..size].split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
                let [key, ":", values @ ..] = pair else { return None };
                (is_name(key) && is_style(values)).then_some(())?;
            }
            rest = &inner[size + 1..];
        }
    }
    Some((deepest, rest))
}

/// How deep @media and @supports are in each other in some styles.
fn block_depth(input: &str) -> Option<usize> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let all = tokens(&text, "-.#%@")?;
    let (depth, rest) = rules(&all)?;
    rest.is_empty().then_some(depth)
}

/// How many requests are left after an answer, and the limit of them, if it says both.
fn requests(input: &str) -> Option<Option<(u32, u32)>> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let (status, reason) = first.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    let are_shown = is_shown(reason) && body.split('\n').all(is_shown);
    (status.len() == 3 && is_digits(status) && are_shown).then_some(())?;
    let mut all: Vec<(String, &str)> = Vec::new();
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        let is_new = all.iter().all(|(other, _)| *other != name);
        all.push(Some((name, value.trim())).filter(|(name, _)| is_new && is_name(name))?);
    }
    all.iter().all(|(_, value)| is_shown(value)).then_some(())?;
    let read = |wanted: &str| match all.iter().find(|(name, _)| name == wanted) {
        Some((_, value)) => number(value).map(Some),
        None => Some(None),
    };
    Some(read("x-ratelimit-remaining")?.zip(read("x-ratelimit-limit")?))
}

/// The names of the entries of the menu of a site.
fn entries(input: &str) -> Option<Vec<String>> {
    let (mut tables, mut found) = (vec![("", Vec::new())], Vec::new());
    for statement in &toml_statements(input)? {
        match &tokens(statement, "_-")?[..] {
            [] => {}
            ["[", "[", "menu", "]", "]"] => tables.push(("menu", Vec::new())),
            ["[", table, "]"] if is_name(table) => {
                let names = tables.iter().flat_map(|(_, keys)| keys.first());
                let name = format!("[{table}]");
                let is_new = names.into_iter().all(|other| *other != name);
                tables.push(Some(("", vec![name])).filter(|_| is_new)?);
            }
            [key, "=", value] if is_name(key) => {
                let (kind, keys) = tables.last_mut()?;
                let is_new = !keys.contains(&key.to_string());
                let is_value = is_text(value) || number(value).is_some() || *value == "true";
                keys.push(Some(key.to_string()).filter(|_| is_new && is_value)?);
                if *kind == "menu" && *key == "name" {
                    found.push(Some(value.to_string()).filter(|value| is_text(value))?);
                }
            }
            _ => return None,
        }
    }
    let menus = tables.iter().filter(|(kind, _)| *kind == "menu").count();
    (menus == found.len()).then_some(found)
}

/// What became of each bag at an airport.
fn bags(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "tag,flight,status,belt,note").then_some(())?;
    let bags = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [tag, flight, status, belt, note] = cells[..] else { return None };
        let are_right = number(tag).is_some() && is_name(flight) && number(belt).is_some();
        (are_right && is_name(status) && is_shown(note) && !note.contains('"')).then_some(status)
    });
    bags.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "fortieth: css: queries: @media and @supports in each other, four deep or more",
        grammar: "@css",
        input: concat!(
            "/* @media { @supports { @media { @supports { } } } } */\n.owl { color: red; margin: 4px 0 }\n",
            "@media print {\n  @supports (display: grid) {\n    .media { display: grid; }\n  }\n}\n",
            "@layer base {\n  @media screen and (min-width: 400px) {\n    #nest { color: #fff; }\n",
            "    @supports not (display: flex) {\n      @layer supports {\n",
            "        @media (max-width: 900px) { .owl .egg { top: 0; }\n          @supports (gap: 4px) {\n",
            "            .nest { gap: 4px; }\n          }\n        }\n      }\n    }\n  }\n}\n",
            ".egg { content: \"@media\" }\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let leaves = [
                ".owl { color: red; margin: 4px 0 }",
                ".egg { content: \"@media\" }",
                "@media print { .media { top: 0; } }",
                "/* @supports { @media { } } */",
            ];
            let mut part =
                one(dice, &["#nest { color: #fff; }", ".owl .egg { top: 0; }"]).to_owned();
            for _ in 0..2 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n  "]));
                let known = ["print", "screen and (min-width: 400px)", "(max-width: 900px)"];
                let start = match dice.below(5) {
                    0 => format!("@layer {}", one(dice, &["base", "supports"])),
                    1 | 2 => format!("@media {}", one(dice, &known)),
                    _ => {
                        let known = ["(display: grid)", "not (display: flex)", "(gap: 4px)"];
                        format!("@supports {}", one(dice, &known))
                    }
                };
                part = format!("{start} {{ {inner} }}");
            }
            let others = [
                "/* @media { @supports { @media { @supports { } } } } */",
                "@media print { @supports (gap: 4px) { .egg { top: 0; } } }",
                ".nest { gap: 4px; }",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: http: rate limit: an answer with an X-RateLimit-Remaining above its ",
            "X-RateLimit-Limit"
        ),
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK 90\r\nServer: owl/4.12\r\nX-RateLimit-Used: 412\r\n",
            "X-RateLimit-Limit: 300\r\nContent-Type: text/plain\r\nRetry-After: 900\r\n",
            "X-RateLimit-Remaining: 471\r\nX-Limit: 12\r\nX-RateLimit-Reset: 1700000000\r\n\r\n",
            "X-RateLimit-Remaining: 4\nlimit 600\n"
        ),
        valid: |input| requests(input).is_some(),
        fails: |input| requests(input).flatten().is_some_and(|(left, limit)| left > limit),
        draw: |dice| {
            let others = [
                "Server: owl/4.12\r\n",
                "X-RateLimit-Used: 412\r\n",
                "Retry-After: 900\r\n",
                "X-Limit: 12\r\n",
                "X-RateLimit-Reset: 1700000000\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push("Content-Type: text/plain\r\n".to_owned());
            let limit = [60, 60 * dice.below(12), 1 + dice.below(900)][dice.below(3)];
            let left = above(dice, limit, 56);
            if chance(dice, 94) {
                fields.push(format!("X-RateLimit-Remaining: {left}\r\n"));
            }
            if chance(dice, 94) {
                fields.push(format!("X-RateLimit-Limit: {limit}\r\n"));
            }
            let status = one(dice, &["200 OK", "200 OK 90", "429 Too Many Requests"]);
            let body = one(dice, &["", "X-RateLimit-Remaining: 4\n", "limit 600\n", "owl\n"]);
            format!("HTTP/1.1 {status}\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: toml: site: an entry of the menu whose name has a character that is not ASCII",
        grammar: "@toml",
        input: concat!(
            "# name = \"Größe\"\nname = \"Zoë\"\nbase = \"https://owl.example/å\"\n\n[[menu]]\nname = \"Owls\"\n",
            "page = \"/vögel\"\nweight = 4\n\n[params]\nname = \"Für Zoë\"\nauthor = \"Bo Sørensen\"\n\n[[menu]]\n",
            "weight = 12 # für später\nname = \"Das Käuzchen\"\nhidden = true\n\n[[menu]]\nname = \"\"\n",
            "title = \"Über uns\"\n\n[build]\nout = \"öffentlich\"\n"
        ),
        valid: |input| entries(input).is_some(),
        fails: |input| entries(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let others = ["# name = \"Größe\"\n", "name = \"Zoë\"\n", "base = \"/å\"\n"];
            let start = extras(dice, &others).concat();
            let others = [
                "[params]\nname = \"Für Zoë\"\nauthor = \"Bo\"\n",
                "[build]\nout = \"öffentlich\"\n",
            ];
            let mut tables = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let name = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("The {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Owls", "", "Owl 4, 2nd"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let others = [
                    "page = \"/vögel\"\n",
                    "weight = 12 # für später\n",
                    "title = \"Über uns\"\n",
                    "hidden = true\n",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("name = \"{name}\"\n"));
                tables.push(format!("[[menu]]\n{}", shuffled(dice, pairs).concat()));
            }
            let tables = shuffled(dice, tables).join(one(dice, &["", "\n"]));
            format!("{start}{tables}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: csv: airport: a bag with the status lost, torn or held",
        grammar: "@csv",
        input: concat!(
            "tag,flight,status,belt,note\n412,ow-7,found,4,lost in oslo\n90,held-2,loaded,12,\n",
            "7,ow-7,withheld,4,torn\n415,ba-40,torn,2,a strap\n12,ba-40,sent,9,held\n",
            "416,ow-7,losts,4,red bag\n"
        ),
        valid: |input| bags(input).is_some(),
        fails: |input| {
            let all = bags(input).unwrap_or_default();
            all.iter().any(|status| ["lost", "torn", "held"].contains(status))
        },
        draw: |dice| {
            let mut text = "tag,flight,status,belt,note\n".to_owned();
            for _ in 0..1 + dice.below(5) {
                let status = match chance(dice, 20) {
                    true => one(dice, &["lost", "torn", "held"]),
                    false => one(dice, &["found", "loaded", "withheld", "sent", "losts", "worn"]),
                };
                let (tag, belt) = (1 + dice.below(900), 1 + dice.below(12));
                let flight = one(dice, &["ow-7", "held-2", "ba-40", "lost"]);
                let note = one(dice, &["", "lost in oslo", "torn", "held", "a strap"]);
                text += &format!("{tag},{flight},{status},{belt},{note}\n");
            }
            text
        },
        patterns: &[],
    },
];
