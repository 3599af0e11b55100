//! Causes in four formats: TOML, S-expressions, JavaScript and INI.

use super::{bare_lines, is_identifier, is_quoted, tokens};
use crate::draws::{are_negative_and_fine, chance, extras, figure, has_twins, picked, steps};
use crate::readers::{are_in_order, is_name, number, sections, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// What comes after the value at the start of a text: a text, a whole number, a switch or a list of these.
fn after_value(text: &str) -> Option<&str> {
    let text = text.trim_ascii_start();
    if let Some(inner) = text.strip_prefix('"') {
        let (inside, after) = inner.split_once('"')?;
        return (!inside.contains('\\')).then_some(after.trim_ascii_start());
    }
    let Some(mut rest) = text.strip_prefix('[').map(str::trim_ascii_start) else {
        let size = text.find([',', ']', ' ']).unwrap_or(text.len());
        let (word, after) = text.split_at(size);
        let is_number = number(word.strip_prefix('-').unwrap_or(word)).is_some();
        let is_value = is_number || ["true", "false"].contains(&word);
        return is_value.then_some(after.trim_ascii_start());
    };
    while !rest.starts_with(']') {
        let after = after_value(rest)?;
        let is_last = after.starts_with(']');
        rest = if is_last { after } else { after.strip_prefix(',')?.trim_ascii_start() };
    }
    Some(rest[1..].trim_ascii_start())
}

/// The tables of a file of tasks, the first of which has no name: the name of each, and its keys.
fn tables(input: &str) -> Option<Vec<(&str, Vec<&str>)>> {
    let mut found: Vec<(&str, Vec<&str>)> = vec![("", Vec::new())];
    for line in bare_lines(input, "#") {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let is_new = found.iter().all(|(other, _)| *other != name);
            (is_new && name.split('.').all(is_name)).then_some(())?;
            found.push((name, Vec::new()));
        } else {
            let (key, value) = line.split_once('=')?;
            let (key, keys) = (key.trim_ascii_end(), &mut found.last_mut()?.1);
            let is_value = after_value(value).is_some_and(str::is_empty);
            (is_value && is_name(key) && !keys.contains(&key)).then_some(())?;
            keys.push(key);
        }
    }
    Some(found)
}

/// The numbers of each `at` of a board: whether they are negative, and how many decimals they have.
fn places(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let text = bare_lines(input, ";").collect::<Vec<&str>>().join("\n");
    let (all, mut depth) = (tokens(&text, "-_.")?, 0_usize);
    for (at, token) in all.iter().enumerate() {
        match *token {
            "(" => depth = all.get(at + 1).filter(|name| is_name(name)).map(|_| depth + 1)?,
            ")" => depth = depth.checked_sub(1)?,
            _ => {
                let is_atom = token.len() > 1 || token.chars().all(char::is_alphanumeric);
                (depth > 0 && is_atom).then_some(())?;
            }
        }
    }
    let mut found = Vec::new();
    for list in all.split(|token| *token == "(") {
        if let ["at", rest @ ..] = list {
            let size = rest.iter().position(|token| *token == ")")?;
            let numbers = rest[..size].iter().map(|token| signed_decimals(token));
            let numbers = numbers.collect::<Option<Vec<(bool, usize)>>>();
            found.push(numbers.filter(|_| (2..=3).contains(&size))?);
        }
    }
    (depth == 0).then_some(found)
}

/// The methods that a script calls, in their order.
fn calls(input: &str) -> Option<Vec<String>> {
    let text = bare_lines(input, "//").collect::<Vec<&str>>().join("\n");
    let all = tokens(&text, "_")?;
    let is_free = |token: &str| is_identifier(token) && !["const", "let"].contains(&token);
    let is_value = |token: &str| is_quoted(token) || number(token).is_some() || is_free(token);
    let are_values = |inner: &[&str]| {
        let mut parts = inner.split(|token| *token == ",");
        inner.is_empty() || parts.all(|part| matches!(part, [value] if is_value(value)))
    };
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";") {
        match statement {
            [] => {}
            ["const" | "let", name, "=", value] if is_free(name) && is_value(value) => {}
            [object, ".", method, "(", inner @ .., ")"]
                if is_free(object) && is_free(method) && are_values(inner) =>
            {
                found.push(method.to_string());
            }
            _ => return None,
        }
    }
    all.last().is_none_or(|last| *last == ";").then_some(found)
}

/// The names in each list of plugins of some settings.
fn plugins(input: &str) -> Option<Vec<Vec<String>>> {
    let lines = input.lines().map(str::trim_ascii).filter(|line| !line.starts_with(';'));
    let text = lines.collect::<Vec<&str>>().join("\n");
    let pairs = sections(&text)?.into_iter().flat_map(|(_, pairs)| pairs);
    let lists = pairs.filter(|(key, _)| *key == "plugins").map(|(_, value)| {
        let names = value.split(',').map(|name| name.trim_ascii().to_owned());
        names.map(|name| Some(name).filter(|name| is_name(name))).collect()
    });
    lists.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: toml: tasks: a task without a cmd",
        grammar: "@toml",
        input: concat!(
            "# cmd = \"make\"\ndefault = \"build\"\n\n[env]\nlang = \"en\"\ncmd = \"sh\"\n\n[task.build]\n",
            "cmd = \"cargo build\"\ndeps = [\"fetch\"]\n\n[task.test]\ndeps = [\"build\", \"cmd\"]\n",
            "timeout = 600 # seconds\nquiet = true\n\n[task.fetch]\nretries = 4\ncmd = \"git pull\" # cmd\n\n",
            "[limits]\njobs = 12\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| {
            let all = tables(input).unwrap_or_default();
            let is_task = |name: &str| name.strip_prefix("task.").is_some_and(is_name);
            all.iter().any(|(name, keys)| is_task(name) && !keys.contains(&"cmd"))
        },
        draw: |dice| {
            let start =
                extras(dice, &["# cmd = \"make\"\n", "default = \"build\"\n", "cmd = \"sh\"\n"]);
            let mut parts = extras(dice, &["[env]\ncmd = \"sh\"\n", "[limits]\njobs = 12\n"]);
            for name in picked(dice, &["build", "test", "fetch", "cmd"], 4, 0) {
                let others = [
                    "deps = [\"fetch\", \"cmd\"]\n",
                    "timeout = 600 # seconds\n",
                    "quiet = true\n",
                    "# cmd = \"ls\"\n",
                    "cmd-args = [\"-v\"]\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 76) {
                    let cmd = one(dice, &["cargo build", "git pull", "", "cmd"]);
                    lines.push(format!("cmd = \"{cmd}\"\n"));
                }
                parts.push(format!("[task.{name}]\n{}", shuffled(dice, lines).concat()));
            }
            let by = one(dice, &["", "\n"]);
            format!("{}{by}{}", start.concat(), shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: sexp: board: an `at` with a negative number and one of three decimals",
        grammar: "@sexp",
        input: concat!(
            "; at -1 0.125\n(module header (layer top)\n  (descr \"pins at -2.54\")\n",
            "  (line (start -1.125 0) (end 3.5 0.375) (width 0.12))\n",
            "  (pad 1 thru (at 0.125 2.5) (size 1.7 -1))\n  (pad 2 thru (at -2.54 0) (drill 0.635))\n",
            "  (pad 3 smd (at 5.08 -7.375 90) (size 1.125 2)\n    (net 4 gnd))\n",
            "  (text value (at 1 2 180) (font (size 1 1))))\n"
        ),
        valid: |input| places(input).is_some(),
        fails: |input| {
            places(input).is_some_and(|all| all.iter().any(|place| are_negative_and_fine(place)))
        },
        draw: |dice| {
            let others = [
                "(descr \"pins at -2.54\")",
                "(line (start -1.125 0) (end 3.5 0.375))",
                "(layer top)",
            ];
            let mut parts = extras(dice, &others);
            for pad in 1..2 + dice.below(4) {
                let count = 2 + dice.below(2);
                let place = joined(dice, count, " ", figure);
                let others = ["(size 1.7 -1)", "(drill 0.635)", "(net 4 gnd)"];
                let mut inner = extras(dice, &others);
                inner.push(format!("(at {place})"));
                let inner = shuffled(dice, inner).join(" ");
                let kind = one(dice, &["thru", "smd"]);
                parts.push(format!("(pad {pad} {kind} {inner})"));
            }
            let start = one(dice, &["", "", "; at -1 0.125\n"]);
            let inner = shuffled(dice, parts).join("\n  ");
            format!("{start}(module header\n  {inner})\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: javascript: canvas: calls of save, then clip, and then restore",
        grammar: "@javascript",
        input: concat!(
            "// save, clip, restore\nconst pen = \"clip\";\nlet restore = 4;\npage.restore();\n",
            "page.clip(0, 0, 12, restore);\npage.save();\npage.fill(\"red\");\npage.move(10, 20);\n",
            "page.clip(4, 4, 8, 8); // again\npage.text(\"save me\", 3);\nlet width = 12;\n",
            "page.line(width, 40);\npage.restore();\npage.save();\nlog.print(pen);\n"
        ),
        valid: |input| calls(input).is_some(),
        fails: |input| {
            let all = calls(input).unwrap_or_default();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["save", "clip", "restore"])
        },
        draw: |dice| {
            let wanted = ["save", "clip", "restore"];
            let others = ["fill", "move", "text", "line", "save", "clip", "restore"];
            let mut lines = Vec::new();
            for method in steps(dice, wanted, &others) {
                let inner = one(dice, &["", "4", "\"clip\"", "0, 0, 12, width", "\"save me\", 3"]);
                lines.push(format!("page.{method}({inner});"));
            }
            let known = ["let restore = 4;", "// save, clip, restore", "const pen = \"clip\";"];
            for other in extras(dice, &known) {
                lines.insert(dice.below(lines.len() + 1), other);
            }
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: ini: plugins: a list of plugins that has the same plugin twice",
        grammar: "@ini",
        input: concat!(
            "; plugins = auth, auth\n[server]\nport = 8080\nhosts = a, a\nplugins = auth, cache, auth-2\n\n",
            "[worker]\nqueues = mail, mail\nplugins = cache, trace, gzip, cache\n; only here\ncount = 4\n\n",
            "[log]\nlevel = auth\nskip = trace, gzip, trace\nplugins = gzip\n"
        ),
        valid: |input| plugins(input).is_some(),
        fails: |input| plugins(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let mut parts = Vec::new();
            for section in picked(dice, &["server", "worker", "log", "auth"], 3, 0) {
                let others = [
                    "port = 8080\n",
                    "skip = trace, gzip, trace\n",
                    "; plugins = auth, auth\n",
                    "level = auth\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 90) {
                    let known = ["auth", "cache", "auth-2", "trace", "gzip", "aut"];
                    let by = one(dice, &[", ", ", ", ","]);
                    let list = picked(dice, &known, 5, 34).join(by);
                    lines.push(format!("plugins = {list}\n"));
                }
                parts.push(format!("[{section}]\n{}", shuffled(dice, lines).concat()));
            }
            parts.join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
];
