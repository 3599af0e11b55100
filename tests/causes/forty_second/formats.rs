//! Causes in TOML: servers, and the features of packages.

use seedsmith_grammar::Random;

use crate::draws::{chance, extras, has_twins, picked};
use crate::two_sided::{TwoSided, one, shuffled};

/// A table of TOML: its header with its brackets, and its keys with their values.
type Table<'t> = (&'t str, Vec<(&'t str, &'t str)>);

/// A line without the remark at its end.
fn without_remark(line: &str) -> &str {
    let mut is_quoted = false;
    let end = line.find(|c: char| {
        is_quoted ^= c == '"';
        c == '#' && !is_quoted
    });
    line[..end.unwrap_or(line.len())].trim()
}

/// Whether a text is a key of TOML without quotes.
fn is_key(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    !text.is_empty() && text.chars().all(is_inside)
}

/// Whether a text is a string, a number or a truth value of TOML.
fn is_scalar(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return !inner.contains(['"', '\\']);
    }
    let is_number = text.ends_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    is_number || ["true", "false"].contains(&text)
}

/// The items of a list of TOML in one line, without lists in it; nothing if it is none.
fn listed(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    let inner = inner.strip_suffix(',').unwrap_or(inner).trim_end();
    if inner.is_empty() {
        return Some(Vec::new());
    }
    let mut is_quoted = false;
    let parts = inner.split(|c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    parts.map(str::trim).map(|part| is_scalar(part).then_some(part)).collect()
}

/// The tables of a TOML file, first the one without a header; nothing if a line is odd, or a name is there twice.
fn tables(input: &str) -> Option<Vec<Table<'_>>> {
    let mut all: Vec<Table> = vec![("", Vec::new())];
    for line in input.lines().map(without_remark).filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            let is_list = line.starts_with("[[");
            let (start, end) = if is_list { ("[[", "]]") } else { ("[", "]") };
            let name = line.strip_prefix(start)?.strip_suffix(end)?;
            let is_new = is_list || all.iter().all(|(other, _)| *other != line);
            (is_new && name.split('.').all(is_key)).then(|| all.push((line, Vec::new())))?;
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.trim(), value.trim());
        let pairs = &mut all.last_mut()?.1;
        let is_new = is_key(key) && pairs.iter().all(|(other, _)| *other != key);
        (is_new && (is_scalar(value) || listed(value).is_some()))
            .then(|| pairs.push((key, value)))?;
    }
    Some(all)
}

/// Whether each server has a port; nothing if one has no host.
fn have_ports(input: &str) -> Option<Vec<bool>> {
    let all = tables(input)?;
    let servers = all.iter().filter(|(header, _)| *header == "[[server]]").map(|(_, pairs)| {
        let has = |wanted| pairs.iter().any(|(key, _)| *key == wanted);
        has("host").then(|| has("port"))
    });
    servers.collect()
}

/// The lists of features of a file; nothing if what should be a list is none.
fn features(input: &str) -> Option<Vec<Vec<String>>> {
    let all = tables(input)?;
    let pairs = all.iter().flat_map(|(_, pairs)| pairs);
    let lists = pairs.filter(|(key, _)| *key == "features").map(|(_, value)| {
        let names = listed(value)?.into_iter();
        names.map(|name| name.starts_with('"').then(|| name.to_owned())).collect()
    });
    lists.collect()
}

/// A table with a header, some lines and maybe others, in any order.
fn table(dice: &mut Random, header: &str, mut lines: Vec<String>, others: &[&str]) -> String {
    lines.extend(extras(dice, others));
    format!("{header}\n{}", shuffled(dice, lines).concat())
}

/// A list of features that now and then has one twice.
fn feature_list(dice: &mut Random) -> String {
    let known = ["std", "derive", "serde", "full", "rt", "std-io"];
    let names = picked(dice, &known, 4, 34);
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let end = if chance(dice, 10) { "," } else { "" };
    format!("[{}{end}]", names.join(one(dice, &[", ", ","])))
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: toml: servers: a server without a port",
        grammar: "@toml",
        input: concat!(
            "title = \"cluster\"\nport = 9000\n\n[owner]\nname = \"ops\" # no port\n\n[[server]]\nhost = \"alpha\"\n",
            "port = 8001\nweight = 0.5\n\n[[server]]\nhost = \"beta\"\nroles = [\"db\", \"port\"]\nports = 2\n\n",
            "[[server]]\nport = 8003\nhost = \"gamma\"\nbackup = true\n\n[limits]\nconnections = 100\n"
        ),
        valid: |input| have_ports(input).is_some(),
        fails: |input| have_ports(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["title = \"cluster\"\n", "port = 9000\n", "# port = 1\n"];
            let start = extras(dice, &others).concat();
            let mut parts = extras(dice, &["[owner]\nname = \"port\"\n", "[limits]\nport = 100\n"]);
            for _ in 0..1 + dice.below(4) {
                let host = one(dice, &["alpha", "beta", "gamma", "port"]);
                let mut lines = vec![format!("host = \"{host}\"\n")];
                if chance(dice, 77) {
                    lines.push(format!("port = {}\n", 8000 + dice.below(100)));
                }
                let others = [
                    "weight = 0.5\n",
                    "roles = [\"db\", \"port\"]\n",
                    "ports = 2\n",
                    "backup = true # port = 8\n",
                ];
                parts.push(table(dice, "[[server]]", lines, &others));
            }
            format!("{start}{}", shuffled(dice, parts).join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: toml: packages: a list of features with the same feature twice",
        grammar: "@toml",
        input: concat!(
            "[package]\nname = \"demo\"\nversion = \"0.3.1\"\nauthors = [\"Kim\", \"Kim\"]\nedition = 2021\n\n",
            "[dependencies.tokio]\nversion = \"1.38\"\nfeatures = [\"rt\", \"full\"]\n\n",
            "[dependencies.serde]\nversion = \"1.0\"\nfeatures = [\"derive\", \"std\", \"rc\", \"derive\"]\n",
            "optional = true\n\n[profile.release]\nlto = true\nopt-level = 3\n"
        ),
        valid: |input| features(input).is_some(),
        fails: |input| features(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let others = [
                "name = \"demo\"\n",
                "authors = [\"Kim\", \"Kim\"]\n",
                "keywords = [\"std\", \"std\"]\n",
                "edition = 2021\n",
            ];
            let mut parts = vec![table(dice, "[package]", Vec::new(), &others)];
            let known = ["serde", "tokio", "rand", "clap"];
            for name in picked(dice, &known, 3, 0) {
                let mut lines = vec![format!("version = \"1.{}\"\n", dice.below(40))];
                if chance(dice, 85) {
                    lines.push(format!("features = {}\n", feature_list(dice)));
                }
                let header = format!("[dependencies.{name}]");
                let others = ["optional = true\n", "default-features = false\n"];
                parts.push(table(dice, &header, lines, &others));
            }
            parts.extend(extras(dice, &["[profile.release]\nlto = true\nopt-level = 3\n"]));
            parts.join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
];
