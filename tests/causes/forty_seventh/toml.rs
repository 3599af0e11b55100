//! Causes in TOML: settings with lists and tables in each other, and the packages that a package uses.

use super::{named, quoted};
use crate::draws::{chance, extras, has_twins, picked};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

use seedsmith_grammar::Random;

/// A value: a text, a list, a table, or any other.
enum Value<'t> {
    Text(&'t str),
    Plain,
    List(Vec<Value<'t>>),
    Table(Vec<(&'t str, Value<'t>)>),
}

/// The text that is left.
struct Reader<'t>(&'t str);

impl<'t> Reader<'t> {
    fn blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    /// Skips blanks, ends of lines and remarks.
    fn gaps(&mut self) {
        self.0 = self.0.trim_start();
        while self.0.starts_with('#') {
            self.0 = self.0.find('\n').map_or("", |at| self.0[at..].trim_start());
        }
    }

    fn take(&mut self, sign: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(sign)?;
        Some(())
    }

    fn run(&mut self, others: &str) -> Option<&'t str> {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
        let size = self.0.find(|c| !is_inside(c)).unwrap_or(self.0.len());
        let (run, rest) = self.0.split_at(size);
        self.0 = rest;
        Some(run).filter(|run| !run.is_empty())
    }

    fn pair(&mut self) -> Option<(&'t str, Value<'t>)> {
        let key = self.run("_-.")?;
        self.blanks();
        self.take("=")?;
        self.blanks();
        Some((key, self.value()?))
    }

    fn value(&mut self) -> Option<Value<'t>> {
        if self.take("\"").is_some() {
            let (text, rest) = quoted(self.0)?;
            self.0 = rest;
            return Some(Value::Text(text));
        }
        if self.take("[").is_some() {
            let mut all = Vec::new();
            loop {
                self.gaps();
                if self.take("]").is_some() {
                    return Some(Value::List(all));
                }
                all.push(self.value()?);
                self.gaps();
                if !self.0.starts_with(']') {
                    self.take(",")?;
                }
            }
        }
        if self.take("{").is_some() {
            let mut all = Vec::new();
            self.blanks();
            while self.take("}").is_none() {
                if !all.is_empty() {
                    self.take(",")?;
                    self.blanks();
                }
                all.push(self.pair()?);
                self.blanks();
            }
            return Some(Value::Table(all));
        }
        let plain = self.run("+-.")?;
        let is_number = plain.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        let is_right = ["true", "false"].contains(&plain) || plain.parse::<f64>().is_ok();
        (is_right && (is_number || plain.len() > 3)).then_some(Value::Plain)
    }
}

/// All pairs of some settings, whatever table they are in; nothing if a table has a key twice.
fn pairs(input: &str) -> Option<Vec<(&str, Value<'_>)>> {
    let mut reader = Reader(input);
    let (mut tables, mut keys, mut found) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        reader.gaps();
        if reader.0.is_empty() {
            return Some(found);
        }
        if reader.take("[[").is_some() {
            reader.run("_-.")?;
            reader.take("]]")?;
            keys.clear();
        } else if reader.take("[").is_some() {
            let table = reader.run("_-.")?;
            tables.push(Some(table).filter(|table| !tables.contains(table))?);
            reader.take("]")?;
            keys.clear();
        } else {
            let (key, value) = reader.pair()?;
            keys.push(Some(key).filter(|key| !keys.contains(key))?);
            found.push((key, value));
        }
        reader.blanks();
        (reader.0.is_empty() || reader.0.starts_with(['\n', '#'])).then_some(())?;
    }
}

/// How deep lists and tables are in each other in a value.
fn depth(value: &Value) -> usize {
    match value {
        Value::Text(_) | Value::Plain => 0,
        Value::List(all) => 1 + all.iter().map(depth).max().unwrap_or(0),
        Value::Table(all) => 1 + all.iter().map(|(_, value)| depth(value)).max().unwrap_or(0),
    }
}

/// Whether a list of features in a value, or the value of this key, has a text twice.
fn repeats(key: &str, value: &Value) -> bool {
    match value {
        Value::List(all) => {
            let texts = all.iter().filter_map(|value| match value {
                Value::Text(text) => Some(*text),
                _ => None,
            });
            let texts: Vec<&str> = texts.collect();
            key == "features" && has_twins(&texts) || all.iter().any(|value| repeats("", value))
        }
        Value::Table(all) => all.iter().any(|(key, value)| repeats(key, value)),
        _ => false,
    }
}

/// A value with this number of levels of lists and tables in each other.
fn nested(dice: &mut Random, levels: usize) -> String {
    if levels == 0 {
        let known = ["1", "0.5", "true", "\"a\"", "\"[[[[[\"", "8080", "-4", "\"{x}\""];
        return one(dice, &known).to_owned();
    }
    let mut inner = vec![nested(dice, levels - 1)];
    for _ in 0..[0, 0, 1, 1, 2][dice.below(5)] {
        let levels = dice.below(levels.min(3));
        inner.push(nested(dice, levels));
    }
    let inner = shuffled(dice, inner);
    if chance(dice, 55) {
        return format!("[{}]", inner.join(", "));
    }
    let names = ["when", "then", "all", "range"];
    let pairs = inner.iter().zip(names).map(|(value, name)| format!("{name} = {value}"));
    format!("{{ {} }}", pairs.collect::<Vec<String>>().join(", "))
}

/// The causes.
pub const TOML: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-seventh: toml: alerts: a value in which arrays and inline tables are nested ",
            "five deep or more"
        ),
        grammar: "@toml",
        input: r##"# Alerts of the night shift. [[[[[
title = "Alerts {of} the [night] shift"
interval = 30
channels = ["mail", "pager"]

[smtp]
host = "mail.example"
port = 587
from = { name = "Alerts", address = "alerts@mail.example" }

[[rule]]
name = "disk"
limits = [[80, 90], [95, 99]]
enabled = true

[[rule]]
name = "latency"
match = { any = [{ path = "/api", codes = [500, 502] }, { path = "/", codes = [] }] }
steps = [{ after = 5, send = [{ to = "ops", via = ["pager", "mail"] }] }, { after = 60 }]
enabled = true

[[rule]]
name = "errors"
match = { all = [{ any = [{ code = 500 }, { codes = [502, 503] }] }, { host = "web" }] }
enabled = false

[retention]
days = 14
"##,
        valid: |input| pairs(input).is_some(),
        fails: |input| {
            pairs(input).is_some_and(|all| all.iter().any(|(_, value)| depth(value) >= 5))
        },
        draw: |dice| {
            let others = [
                "# Alerts of the night shift. [[[[[\n",
                "title = \"Alerts {of} the [night] shift\"\n",
                "channels = [\"mail\", \"pager\"]\n",
                "interval = 30\n",
            ];
            let start = extras(dice, &others).concat();
            let others = ["[retention]\ndays = 14\n", "[smtp]\nhost = \"mail.example\"\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let levels = [0, 1, 2, 3, 4, 4, 5, 5, 6][dice.below(9)];
                let name = named(dice, &["disk", "latency", "errors", "memory"]);
                let key = named(dice, &["match", "steps", "limits"]);
                let value = nested(dice, levels);
                let mut lines = extras(dice, &["enabled = true\n", "hours = [[0, 6], [22, 24]]\n"]);
                lines.push(format!("name = \"{name}\"\n"));
                lines.push(format!("{key} = {value}\n"));
                parts.push(format!("[[rule]]\n{}", shuffled(dice, lines).concat()));
            }
            let by = one(dice, &["", "\n"]);
            format!("{start}{by}{}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: toml: cargo: a features list that names the same feature twice",
        grammar: "@toml",
        input: r##"[package]
name = "weather-cli"
version = "0.3.2"
edition = "2021"
authors = ["Ines Duarte", "Tom Okafor"]
keywords = ["weather", "cli"]

[features]
default = ["color"]
color = []
full = ["color", "tls", "tls"]

[dependencies]
anyhow = "1.0"
serde = { version = "1.0", features = ["derive"] }
clap = { version = "4.5", features = ["derive", "env"] }
reqwest = { version = "0.12", default-features = false, features = ["json", "gzip", "json"] }

[dependencies.tokio]
version = "1.38"
features = [
    "macros",
    "rt",
    "time",
]

[dev-dependencies]
tempfile = "3"
"##,
        valid: any,
        fails: |input| {
            pairs(input).is_some_and(|all| all.iter().any(|(key, value)| repeats(key, value)))
        },
        draw: |dice| {
            let name = named(dice, &["weather-cli", "json", "tokei"]);
            let version = format!("{}.{}.{}", dice.below(3), dice.below(20), dice.below(9));
            let others = ["edition = \"2021\"\n", "authors = [\"Ines\", \"Ines\"]\n"];
            let lines = extras(dice, &others).concat();
            let package = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n{lines}");
            let others = [
                "[features]\ndefault = [\"color\"]\nfull = [\"tls\", \"tls\"]\n",
                "[dev-dependencies]\ntempfile = \"3\"\n",
                "[profile.release]\nlto = true\n",
            ];
            let mut parts = extras(dice, &others);
            let mut lines = extras(dice, &["anyhow = \"1.0\"\n", "log = { version = \"0.4\" }\n"]);
            let known = ["serde", "clap", "reqwest", "tokio", "syn"];
            for name in picked(dice, &known, 4, 0) {
                let known = ["derive", "env", "json", "gzip", "rt", "macros", "full", "rt-full"];
                let mut features = picked(dice, &known, 4, 26);
                if chance(dice, 5) {
                    features.clear();
                }
                let by = one(dice, &["\", \"", "\", \"", "\",\"", "\",\n    \""]);
                let features = match features.is_empty() {
                    true => "[]".to_owned(),
                    false => format!("[\"{}\"]", features.join(by)),
                };
                let number = joined(dice, 2, ".", |dice| dice.below(20).to_string());
                if chance(dice, 30) || features.contains('\n') {
                    parts.push(format!(
                        "[dependencies.{name}]\nversion = \"{number}\"\nfeatures = {features}\n"
                    ));
                } else {
                    let mut pairs = extras(dice, &["optional = true", "default-features = false"]);
                    pairs.push(format!("version = \"{number}\""));
                    pairs.push(format!("features = {features}"));
                    let pairs = shuffled(dice, pairs).join(", ");
                    lines.push(format!("{name} = {{ {pairs} }}\n"));
                }
            }
            if !lines.is_empty() {
                parts.push(format!("[dependencies]\n{}", shuffled(dice, lines).concat()));
            }
            format!("{package}\n{}", shuffled(dice, parts).join("\n"))
        },
        patterns: &[],
    },
];
