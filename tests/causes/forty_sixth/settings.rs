//! Causes in INI, TOML, HTTP and CSV: the pools of a server, locked packages, requests and orders.

use crate::draws::{above, chance, extras, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// The least and the most spare servers of each pool that says both.
fn spares(input: &str) -> Option<Vec<(u32, u32)>> {
    let (mut found, mut names, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    let (mut least, mut most) = (None, None);
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']').filter(|name| is_name(name))?;
            names.push(Some(name).filter(|name| !names.contains(name))?);
            found.extend(least.take().zip(most.take()));
            keys.clear();
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.trim(), value.trim());
        let is_new = !names.is_empty() && key.split('.').all(is_name) && !keys.contains(&key);
        keys.push(Some(key).filter(|_| is_new && is_shown(value))?);
        match key {
            "pm.min_spare_servers" => least = Some(number(value)?),
            "pm.max_spare_servers" => most = Some(number(value)?),
            _ => {}
        }
    }
    found.extend(least.zip(most));
    Some(found)
}

/// The keys of each package. A list may go over several lines.
fn packages(input: &str) -> Vec<Vec<&str>> {
    let (mut found, mut is_package, mut depth): (Vec<Vec<&str>>, bool, usize) =
        (Vec::new(), false, 0);
    for line in input.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let mut value = line;
        if depth == 0 && line.starts_with('[') {
            let name = line.strip_prefix("[[").and_then(|rest| rest.split_once("]]"));
            is_package = name.is_some_and(|(name, _)| name.trim() == "package");
            if is_package {
                found.push(Vec::new());
            }
            continue;
        }
        if depth == 0 {
            let Some((key, rest)) = line.split_once('=') else { continue };
            if let Some(keys) = found.last_mut().filter(|_| is_package) {
                keys.push(key.trim());
            }
            value = rest;
        }
        for c in value.split('"').step_by(2).flat_map(str::chars).take_while(|c| *c != '#') {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    found
}

/// The names of the fields of a request, in small letters.
fn fields(input: &str) -> Vec<String> {
    let mut lines = input.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if lines.next().is_none_or(|first| !first.ends_with(" HTTP/1.1")) {
        return Vec::new();
    }
    let head = lines.take_while(|line| !line.is_empty());
    let fields = head.filter_map(|line| line.split_once(':'));
    fields.map(|(name, _)| name.to_ascii_lowercase()).collect()
}

/// The type of each order.
fn order_types(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "id,symbol,side,type,qty,note").then_some(())?;
    let orders = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [id, symbol, side, kind, quantity, note] = cells[..] else { return None };
        let are_right = is_digits(id) && number(quantity).is_some() && is_name(kind);
        let is_symbol = !symbol.is_empty() && symbol.chars().all(|c| c.is_ascii_uppercase());
        let is_side = ["buy", "sell"].contains(&side);
        let is_note = is_shown(note) && !note.contains('"');
        (are_right && is_symbol && is_side && is_note).then_some(kind)
    });
    orders.collect()
}

/// The causes.
pub const SETTINGS: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: ini: php-fpm: a pool with more least spare servers than most spare servers",
        grammar: "@ini",
        input: r"; pm.min_spare_servers = 9
[global]
pid = /run/php-fpm.pid
error_log = /var/log/min 9 max 2.log

[www]
user = www-data
listen = 127.0.0.1:9000
pm = dynamic
pm.max_children = 5
pm.min_spare_servers = 2
pm.max_spare_servers = 4

[api]
pm = dynamic
pm.max_spare_servers = 3
pm.start_servers = 1
pm.max_children = 12
pm.min_spare_servers = 6
; pm.max_spare_servers = 8

[cron]
pm = ondemand
pm.min_spare_servers = 7
pm.process_idle_timeout = 10s
",
        valid: |input| spares(input).is_some(),
        fails: |input| {
            spares(input).is_some_and(|all| all.iter().any(|(least, most)| least > most))
        },
        draw: |dice| {
            let head = "[global]\npid = /run/php-fpm.pid\n";
            let mut parts = extras(dice, &["; pm.min_spare_servers = 9\n", head]);
            for name in ["www", "api", "cron"].iter().take(1 + dice.below(3)) {
                let most = [4, dice.below(12), dice.below(60)][dice.below(3)];
                let least = above(dice, most, 34);
                let others = [
                    "pm = dynamic\n",
                    "pm.max_children = 5\n",
                    "pm.start_servers = 1\n",
                    "listen = 127.0.0.1:9000\n",
                    "; pm.max_spare_servers = 1\n",
                    "user = www-data\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 92) {
                    lines.push(format!("pm.max_spare_servers = {most}\n"));
                }
                if chance(dice, 92) {
                    lines.push(format!("pm.min_spare_servers = {least}\n"));
                }
                parts.push(format!("[{name}]\n{}", shuffled(dice, lines).concat()));
            }
            parts.join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: toml: lock: a package without python-versions",
        grammar: "@toml",
        input: r#"# This file was made by a tool. python-versions = "*"

[[package]]
name = "attrs"
version = "23.1.0"
optional = false
python-versions = ">=3.7"
files = [
    {file = "attrs-23.1.0.tar.gz", hash = "sha256:6279"},
]

[package.extras]
tests = ["pytest", "python-versions"]

[[package]]
name = "python-versions"
version = "0.4.6"
description = "Colors, without python-versions"
files = []

[package.dependencies]
python-versions = "*"
six = "1.16"

[[package]]
python-versions = "*"
name = "six"
version = "1.16.0"

[metadata]
lock-version = "2.0"
python-versions = "^3.8"
"#,
        valid: any,
        fails: |input| packages(input).iter().any(|keys| !keys.contains(&"python-versions")),
        draw: |dice| {
            let mut parts = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "version = \"1.16.0\"\n",
                    "optional = false\n",
                    "files = []\n",
                    "files = [\n    {file = \"a.tar.gz\", hash = \"sha256:6279\"},\n]\n",
                    "description = \"Without python-versions\"\n",
                    "# python-versions = \"*\"\n",
                ];
                let mut lines = extras(dice, &others);
                lines.dedup_by(|one, other| one[..4] == other[..4]);
                let name = one(dice, &["attrs", "six", "python-versions", "click"]);
                lines.push(format!("name = \"{name}\"\n"));
                if chance(dice, 77) {
                    let value = one(dice, &["*", ">=3.7", ""]);
                    lines.push(format!("python-versions = \"{value}\"\n"));
                }
                let lines = shuffled(dice, lines).concat();
                let tables = [
                    "",
                    "",
                    "\n[package.dependencies]\npython-versions = \"*\"\nsix = \"1.16\"\n",
                    "\n[package.extras]\ntests = [\"pytest\", \"python-versions\"]\n",
                ];
                parts.push(format!("[[package]]\n{lines}{}", one(dice, &tables)));
            }
            parts.extend(extras(dice, &["[metadata]\npython-versions = \"^3.8\"\n"]));
            let start = one(dice, &["", "# python-versions = \"*\"\n\n"]);
            format!("{start}{}", parts.join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-sixth: http: request: a Transfer-Encoding field, then a Content-Length, and then a ",
            "Trailer"
        ),
        grammar: "@http",
        input: concat!(
            "POST /upload?next=Trailer HTTP/1.1\r\nHost: files.example\r\nTrailer: Expires\r\n",
            "X-Transfer-Encoding: Content-Length, Trailer\r\nAccept: */*\r\n",
            "Transfer-Encoding: chunked\r\nUser-Agent: Content-Length/4.12\r\n",
            "content-length: 12\r\nConnection: close\r\nTrailer: X-Checksum\r\n",
            "Content-Type: text/plain\r\n\r\n",
            "Transfer-Encoding: a\r\nContent-Length: 4\r\nTrailer: b\r\n"
        ),
        valid: any,
        fails: |input| {
            let all = fields(input);
            let names: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&names, &["transfer-encoding", "content-length", "trailer"])
        },
        draw: |dice| {
            let others = ["Host", "Accept", "User-Agent", "X-Trailer", "Connection", "Trailer"];
            let names = steps(dice, ["Transfer-Encoding", "Content-Length", "Trailer"], &others);
            let mut text = "POST /upload HTTP/1.1\r\n".to_owned();
            for name in names {
                let value = match name {
                    "Transfer-Encoding" => one(dice, &["chunked", "gzip, chunked"]),
                    "Content-Length" => one(dice, &["12", "4", "0"]),
                    "Trailer" => one(dice, &["Expires", "X-Checksum"]),
                    _ => one(dice, &["files.example", "close", "Content-Length", "a/4.12"]),
                };
                let name = if chance(dice, 15) { name.to_lowercase() } else { name.to_owned() };
                text += &format!("{name}: {value}\r\n");
            }
            let bodies =
                ["", "hello", "Transfer-Encoding: a\r\nContent-Length: 4\r\nTrailer: b\r\n"];
            format!("{text}\r\n{}", one(dice, &bodies))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: csv: orders: an order of the type stop, trailing or iceberg",
        grammar: "@csv",
        input: concat!(
            "id,symbol,side,type,qty,note\n1001,ACME,buy,limit,200,stop\n",
            "1002,STOP,sell,market,15,trailing by 4\n1003,INIT,sell,stop-limit,40,\n",
            "1004,ACME,sell,trailing,75,limit\n1005,BOLT,buy,limit,12,no iceberg\n",
            "1006,ACME,buy,pegged,1,market\n"
        ),
        valid: |input| order_types(input).is_some(),
        fails: |input| {
            let all = order_types(input).unwrap_or_default();
            all.iter().any(|kind| ["stop", "trailing", "iceberg"].contains(kind))
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            let rows = joined(dice, count, "", |dice| {
                let kind = match chance(dice, 22) {
                    true => one(dice, &["stop", "trailing", "iceberg"]),
                    false => one(dice, &["limit", "market", "stop-limit", "pegged", "trail"]),
                };
                let symbol = one(dice, &["ACME", "STOP", "INIT", "BOLT"]);
                let side = one(dice, &["buy", "sell"]);
                let note = one(dice, &["", "stop", "no iceberg", "limit", "trailing by 4"]);
                let (id, quantity) = (1001 + dice.below(40), 1 + dice.below(200));
                format!("{id},{symbol},{side},{kind},{quantity},{note}\n")
            });
            format!("id,symbol,side,type,qty,note\n{rows}")
        },
        patterns: &[],
    },
];
