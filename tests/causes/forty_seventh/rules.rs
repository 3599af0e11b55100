//! Causes in four formats without a grammar: messages of a protocol, rules of a firewall, services that start
//! together, and a table of jobs.

use super::{is_identifier, lexed, named};
use crate::draws::{chance, counted, extras, has_twins, picked, statements};
use crate::readers::{is_shown, number};
use crate::two_sided::{TwoSided, any, one, shuffled, word};

/// What comes after the end of a statement.
fn after_end<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let end = all.iter().position(|token| *token == ";")?;
    (!all[..end].iter().any(|token| "{}".contains(token))).then_some(&all[end + 1..])
}

/// What comes after the number and the end of a field.
fn after_number<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let ["=", value, ";", after @ ..] = all else { return None };
    number(value).map(|_| after)
}

/// What comes after an enum.
fn after_enum<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let [name, "{", rest @ ..] = all else { return None };
    let mut rest = Some(rest).filter(|_| is_identifier(name))?;
    loop {
        match rest {
            ["}", after @ ..] => return Some(after),
            [name, after @ ..] if is_identifier(name) => rest = after_number(after)?,
            _ => return None,
        }
    }
}

/// Reads a message, or a choice between fields of it, and what comes after it. The names of the fields of each
/// message are found.
fn message<'a, 't>(
    all: &'a [&'t str],
    names: &mut Vec<&'t str>,
    found: &mut Vec<Vec<&'t str>>,
) -> Option<&'a [&'t str]> {
    let [name, "{", rest @ ..] = all else { return None };
    let mut rest = Some(rest).filter(|_| is_identifier(name))?;
    loop {
        rest = match rest {
            ["}", after @ ..] => return Some(after),
            ["message", after @ ..] => {
                let mut inner = Vec::new();
                let after = message(after, &mut inner, found)?;
                found.push(inner);
                after
            }
            ["enum", after @ ..] => after_enum(after)?,
            ["oneof", after @ ..] => message(after, names, found)?,
            ["reserved", after @ ..] => after_end(after)?,
            ["map", "<", key, ",", value, ">", name, after @ ..] => {
                [key, name].iter().all(|it| is_identifier(it)).then_some(())?;
                value.split('.').all(is_identifier).then_some(())?;
                names.push(name);
                after_number(after)?
            }
            ["repeated" | "optional", kind, name, after @ ..] | [kind, name, after @ ..] => {
                (kind.split('.').all(is_identifier) && is_identifier(name)).then_some(())?;
                names.push(name);
                after_number(after)?
            }
            _ => return None,
        };
    }
}

/// The names of the fields of each message of a protocol.
fn field_names(input: &str) -> Option<Vec<Vec<&str>>> {
    let (all, mut found) = (lexed(input, "//", '"')?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["syntax" | "package" | "import" | "option", after @ ..] => after_end(after)?,
            ["enum", after @ ..] => after_enum(after)?,
            ["message", after @ ..] => {
                let mut names = Vec::new();
                let after = message(after, &mut names, &mut found)?;
                found.push(names);
                after
            }
            _ => return None,
        };
    }
    Some(found)
}

/// How long each content with a depth is, and the depth.
fn depths(input: &str) -> Option<Vec<(usize, u32)>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        is_shown(line).then_some(())?;
        let (head, options) = line.split_once(" (")?;
        let words: Vec<&str> = head.split(' ').collect();
        let [action, protocol, _, _, "->", _, _] = words[..] else { return None };
        let is_known = ["alert", "drop", "pass"].contains(&action)
            && ["tcp", "udp", "ip", "http"].contains(&protocol);
        let options = options.strip_suffix(";)").filter(|_| is_known)?;
        let mut content: Option<&str> = None;
        for option in options.split(';').map(str::trim) {
            let (key, value) = option.split_once(':').unwrap_or((option, ""));
            is_identifier(key).then_some(())?;
            let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let text = text.filter(|text| !text.contains(['"', '|', '\\']));
            match key {
                "content" => content = Some(text.filter(|text| !text.is_empty())?),
                "msg" => text.map(|_| ())?,
                "depth" => found.push((content.take()?.len(), number(value)?)),
                "sid" | "rev" | "offset" => number(value).map(|_| ())?,
                "nocase" | "flow" | "classtype" => {}
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The items of each list of ports.
fn port_lists(input: &str) -> Vec<Vec<&str>> {
    let (mut found, mut list): (Vec<Vec<&str>>, Option<usize>) = (Vec::new(), None);
    for line in input.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let text = text.split_once(" #").map_or(text, |(text, _)| text).trim_end();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match (text.strip_prefix("- "), list) {
            (Some(item), Some(outer)) if indent >= outer => {
                let item = item.trim().trim_matches(['"', '\'']);
                let last = found.last_mut();
                last.into_iter().for_each(|list| list.push(item));
            }
            _ if text == "ports:" => {
                found.push(Vec::new());
                list = Some(indent);
            }
            _ => list = None,
        }
    }
    found
}

/// The causes.
pub const RULES: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: plain: protobuf: a message with two fields of the same name",
        grammar: "",
        input: concat!(
            "// Orders of the shop. id, id\nsyntax = \"proto3\";\n\npackage shop.orders;\n\n",
            "import \"google/protobuf/timestamp.proto\";\n\nenum State {\n  NEW = 0;\n  PAID = 1;\n  SENT = 2;\n}\n\n",
            "message Line {\n  string sku = 1;\n  int32 count = 2;\n  int64 price = 3;\n}\n\n",
            "message Order {\n  int64 id = 1;\n  string customer = 2;\n  repeated Line lines = 3;\n  State state = 4;\n",
            "  message Address {\n    string street = 1;\n    string city = 2;\n    string id = 3;\n  }\n",
            "  Address address = 5;\n  map<string, string> labels = 6;\n  reserved 7, 8;\n",
            "  string note = 9;\n  bytes customer = 10;\n}\n\nmessage Reply {\n  bool ok = 1;\n  string note = 2;\n}\n"
        ),
        valid: |input| field_names(input).is_some(),
        fails: |input| {
            field_names(input).is_some_and(|all| all.iter().any(|names| has_twins(names)))
        },
        draw: |dice| {
            let others = [
                "// id, id\n",
                "import \"shop/id.proto\";\n",
                "enum State {\n  NEW = 0;\n  PAID = 1;\n}\n",
                "option java_package = \"shop\";\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let own = named(dice, &["phone", "street"]);
                let known = ["id", "sku", "count", "price", "customer", "ids", "note", "Id", &own];
                let mut lines = Vec::new();
                for (at, name) in picked(dice, &known, 6, 28).iter().enumerate() {
                    let kind = one(dice, &["string", "int32", "bool", "shop.Line", "bytes"]);
                    let start = one(dice, &["", "", "", "repeated ", "optional "]);
                    let end = one(dice, &["", "", "", " // id"]);
                    lines.push(match chance(dice, 8) {
                        true => format!("  map<string, {kind}> {name} = {};{end}\n", at + 1),
                        false => format!("  {start}{kind} {name} = {};{end}\n", at + 1),
                    });
                }
                let others = ["  reserved 40, 41;\n", "  message Part {\n    int64 id = 1;\n  }\n"];
                lines.extend(extras(dice, &others));
                let name = named(dice, &["Order", "Line", "Reply", "Item"]);
                let lines = shuffled(dice, lines).concat();
                parts.push(format!("message {name} {{\n{lines}}}\n"));
            }
            let by = one(dice, &["", "\n"]);
            format!("syntax = \"proto3\";\n{by}{}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: snort: a content that is exactly as long as its depth",
        grammar: "",
        input: concat!(
            "# Rules of the office, 2024-05. content:\"ab\"; depth:2;\n\n",
            "alert tcp any any -> 10.0.4.0/24 80 (msg:\"admin page\"; content:\"/admin\"; nocase; sid:1000001; rev:2;)\n",
            "alert tcp any any -> any 80 (msg:\"old client\"; content:\"GET /\"; depth:12; sid:1000002;)\n",
            "alert udp any any -> any 53 (msg:\"odd query\"; content:\"tunnel\"; offset:12; depth:40; sid:1000003;)\n",
            "\n# Mail\nalert tcp any any -> any 25 (msg:\"verify\"; flow:to_server; content:\"VRFY\"; depth:4; nocase; sid:1000010;)\n",
            "drop tcp 10.0.9.9 any -> any any (msg:\"blocked\"; sid:1000011; rev:4;)\n",
            "pass ip 10.0.4.12 any -> any any (msg:\"scanner\"; sid:1000012;)\n\n# Files\n",
            "alert tcp any any -> any 445 (msg:\"pipe\"; content:\"PIPE\"; offset:4; content:\"svc\"; depth:64; sid:1000020;)\n",
            "alert http any any -> any any (msg:\"upload\"; content:\"POST\"; depth:9; classtype:misc; sid:1000021;)\n"
        ),
        valid: |input| depths(input).is_some(),
        fails: |input| {
            depths(input)
                .is_some_and(|all| all.iter().any(|(size, depth)| *size == *depth as usize))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "# content:\"ab\"; depth:2;\n"]).to_owned();
            for _ in 0..1 + dice.below(4) {
                let action = one(dice, &["alert", "alert", "drop", "pass"]);
                let protocol = one(dice, &["tcp", "udp", "ip", "http"]);
                let source = one(dice, &["any", "10.0.4.12", "10.0.9.0/24"]);
                let port = one(dice, &["any", "80", "25", "53", "445"]);
                let message = named(dice, &["admin page", "odd query", "verify", "upload"]);
                let mut options = vec![format!("msg:\"{message}\"")];
                options.extend(extras(dice, &["flow:to_server"]));
                for _ in 0..[0, 1, 1, 1, 2][dice.below(5)] {
                    let own = word(dice, 12);
                    let content = named(dice, &["GET /", "VRFY", "/admin", "svc", "PIPE", &own]);
                    let depth = counted(dice, content.len(), 30);
                    let mut after = extras(dice, &["nocase", "offset:4"]);
                    if chance(dice, 80) && depth > 0 {
                        after.push(format!("depth:{depth}"));
                    }
                    options.push(format!("content:\"{content}\""));
                    options.extend(shuffled(dice, after));
                }
                options.extend(extras(dice, &["classtype:misc"]));
                options.push(format!("sid:{}", 1_000_000 + dice.below(9000)));
                options.extend(extras(dice, &["rev:2"]));
                let options = options.join("; ");
                text += &format!("{action} {protocol} {source} any -> any {port} ({options};)\n");
                text += one(dice, &["", "", "\n", "# Mail\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: compose: a ports list that has the same entry twice",
        grammar: "",
        input: concat!(
            "# The shop on one machine.\nversion: \"3.8\"\nservices:\n  web:\n    image: nginx:1.25\n    ports:\n",
            "      - \"80:80\"\n      - \"443:443\"\n    depends_on:\n      - api\n    restart: always\n",
            "  api:\n    image: shop/api:2.4.1\n    environment:\n      - MODE=live\n      - MODE=live\n    ports:\n",
            "      - \"8080:8080\"\n      - \"9100:9100\"  # metrics\n      - \"8080:8080\"\n    volumes:\n",
            "      - data:/var/lib/api\n  db:\n    image: postgres:16\n    volumes:\n      - db:/var/lib/postgresql\n",
            "    ports:\n      - \"5432:5432\"\nvolumes:\n  data:\n  db:\n"
        ),
        valid: any,
        fails: |input| port_lists(input).iter().any(|list| has_twins(list)),
        draw: |dice| {
            let mut text = one(dice, &["", "version: \"3.8\"\n", "# The shop\n"]).to_owned();
            text += "services:\n";
            for name in picked(dice, &["web", "api", "db", "cache", "mail", "ports"], 4, 0) {
                let image = named(dice, &["nginx:1.25", "postgres:16", "redis:7"]);
                let others = [
                    "    restart: always\n",
                    "    depends_on:\n      - db\n      - cache\n",
                    "    environment:\n      - MODE=live\n      - MODE=live\n",
                    "    expose:\n      - \"80\"\n      - \"80\"\n",
                    "    volumes:\n      - data:/var/lib/api\n",
                ];
                let mut parts = extras(dice, &others);
                parts.push(format!("    image: {image}\n"));
                if chance(dice, 88) {
                    let own = format!("{}:{}", 3000 + dice.below(900), 80 + dice.below(20));
                    let known = ["80:80", "443:443", "8080:80", "8080:8080", "5432:5432", &own];
                    let quote = one(dice, &["\"", "\"", "", "'"]);
                    let indent = one(dice, &["      ", "      ", "    "]);
                    let mut part = "    ports:\n".to_owned();
                    for port in picked(dice, &known, 4, 24) {
                        let end = one(dice, &["", "", "", "  # open"]);
                        part += &format!("{indent}- {quote}{port}{quote}{end}\n");
                    }
                    parts.push(part);
                }
                text += &format!("  {name}:\n{}", shuffled(dice, parts).concat());
            }
            text + one(dice, &["", "volumes:\n  data:\n  db:\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: crontab: a job with the nickname @yearly, @annually or @monthly",
        grammar: "",
        input: concat!(
            "# Jobs of the web server. Do not use @yearly here.\nSHELL=/bin/sh\nMAILTO=ops@monthly.example\n",
            "PATH=/usr/local/bin:/usr/bin\n\n# Every night\n15 2 * * * /usr/bin/backup --to /mnt/backup\n",
            "*/5 * * * * /usr/bin/probe -q\n0 4 * * 1 /usr/bin/report --mail @yearly\n\n",
            "@reboot /usr/bin/agent --start\n@daily /usr/bin/clean /tmp\n@monthly /usr/bin/invoice --send\n",
            "@hourly /usr/bin/rotate /var/log\n\n# Weekends\n30 6 * * 6,0 /usr/bin/index --full\n",
            "0 0 1 1 * /usr/bin/greet\n"
        ),
        valid: any,
        fails: |input| {
            let words = statements(input, "#").filter_map(|line| line.split_whitespace().next());
            words.into_iter().any(|word| ["@yearly", "@annually", "@monthly"].contains(&word))
        },
        draw: |dice| {
            let others = [
                "# @yearly\n",
                "SHELL=/bin/sh\n",
                "MAILTO=ops@monthly.example\n",
                "# @monthly /usr/bin/old\n",
            ];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(7) {
                let when = match dice.below(20) {
                    0..3 => one(dice, &["@yearly", "@annually", "@monthly"]).to_owned(),
                    3..10 => {
                        one(dice, &["@reboot", "@daily", "@hourly", "@weekly", "@midnight"]).into()
                    }
                    _ => {
                        let minute = one(dice, &["0", "15", "*/5", "30"]);
                        let (hour, day) = (dice.below(24), one(dice, &["*", "1", "6,0", "1-5"]));
                        format!("{minute} {hour} * * {day}")
                    }
                };
                let program = named(dice, &["backup", "probe", "clean", "invoice"]);
                let end = one(dice, &["", " -q", " --mail @yearly", " @monthly", " /tmp"]);
                let gap = one(dice, &[" ", " ", "\t"]);
                text += &format!("{when}{gap}/usr/bin/{program}{end}\n");
                text += one(dice, &["", "", "", "\n", "# Every night\n"]);
            }
            text
        },
        patterns: &[],
    },
];
