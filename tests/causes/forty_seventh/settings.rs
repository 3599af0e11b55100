//! Causes in two formats with a grammar: settings in sections, and a request by HTTP.

use super::named;
use crate::draws::{around, chance, extras, picked, statements};
use crate::readers::is_shown;
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The ports that some settings name.
fn ports(input: &str) -> Vec<u32> {
    let lines = statements(input, "#").filter(|line| !line.starts_with([';', '[']));
    let pairs = lines.filter_map(|line| line.split_once('='));
    let values = pairs.filter(|(key, _)| key.trim_end() == "port");
    values.filter_map(|(_, value)| value.trim_start().parse().ok()).collect()
}

/// The names of the fields of a request, in small letters.
fn fields(input: &str) -> Option<Vec<String>> {
    let (head, _) = input.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let words: Vec<&str> = lines.next()?.split(' ').collect();
    let [method, path, "HTTP/1.1"] = words[..] else { return None };
    let is_method = !method.is_empty() && method.chars().all(|c| c.is_ascii_uppercase());
    (is_method && path.starts_with('/') && is_shown(path)).then_some(())?;
    let names = lines.map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let is_right = !name.is_empty() && name.chars().all(is_name) && is_shown(value);
        is_right.then(|| name.to_ascii_lowercase())
    });
    names.collect()
}

/// The causes.
pub const SETTINGS: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: ini: proxy: a port from 6665 to 6669",
        grammar: "@ini",
        input: concat!(
            "; Proxy of the office, checked on 2024-06-30.\n[global]\nuser = proxy\nlog = /var/log/proxy.log\n",
            "workers = 4\nmax_clients = 6667\n\n[web]\nhost = 10.0.4.12\nport = 8080\ntls = yes\n\n",
            "[chat]\nhost = chat.office.example\nport = 6667\ntls = no\ntimeout = 120\n\n",
            "# port = 6668\n[metrics]\nhost = 127.0.0.1\nport = 9100\npath = /metrics\n\n",
            "[mail]\nhost = mail.office.example\nport = 587\ntls = yes\nretries = 3\n"
        ),
        valid: any,
        fails: |input| ports(input).iter().any(|port| (6665..=6669).contains(port)),
        draw: |dice| {
            let others = ["; Proxy of the office.\n", "# port = 6668\n", "workers = 4\n"];
            let start = extras(dice, &others).concat();
            let known = ["web", "chat", "metrics", "mail", "files", "admin"];
            let names = picked(dice, &known, 5, 0);
            let mut parts = extras(dice, &["[global]\nuser = proxy\nmax_clients = 6667\n"]);
            for name in names {
                let port = match chance(dice, 45) {
                    true => [80, 443, 587, 6379, 6660, 6697, 8080, 9100][dice.below(8)],
                    false => around(dice, [6665, 6669], 38),
                };
                let host = match chance(dice, 50) {
                    true => joined(dice, 4, ".", |dice| dice.below(256).to_string()),
                    false => named(dice, &["localhost", "chat.office.example", "mail.example"]),
                };
                let others =
                    ["tls = yes\n", "timeout = 120\n", "retries = 3\n", "admin_port = 6666\n"];
                let mut lines = extras(dice, &others);
                lines.push(format!("host = {host}\n"));
                if chance(dice, 94) {
                    lines.push(format!("port = {port}\n"));
                }
                parts.push(format!("[{name}]\n{}", shuffled(dice, lines).concat()));
            }
            format!("{start}{}", shuffled(dice, parts).join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: http: request: a request without a Host header",
        grammar: "@http",
        input: concat!(
            "POST /v2/orders?notify=yes HTTP/1.1\r\nUser-Agent: shop-client/3.1\r\nAccept: application/json\r\n",
            "Accept-Language: en-GB,en;q=0.8\r\nContent-Type: application/json\r\nContent-Length: 74\r\n",
            "Cookie: session=9f31c0; theme=dark\r\nX-Forwarded-For: 10.0.4.12\r\n",
            "X-Forwarded-Host: shop.example\r\nX-Request-Id: 7d41-22\r\nReferer: https://shop.example/basket\r\n",
            "Cache-Control: no-cache\r\nConnection: keep-alive\r\n\r\n",
            "{\n  \"customer\": 4411,\n  \"items\": [{\"sku\": \"A-12\", \"count\": 2}],\n  \"Host\": \"\"\n}\n"
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| fields(input).is_some_and(|names| !names.contains(&"host".to_owned())),
        draw: |dice| {
            let method = one(dice, &["GET", "GET", "HEAD", "POST", "PUT", "DELETE"]);
            let mut path = String::new();
            for _ in 0..1 + dice.below(3) {
                path += &format!("/{}", named(dice, &["v2", "orders", "host", "index.html"]));
            }
            path += one(dice, &["", "", "?notify=yes", "?page=2"]);
            let others = [
                "Accept: application/json",
                "Accept-Language: en-GB,en;q=0.8",
                "Cookie: session=9f31c0; theme=dark",
                "X-Forwarded-Host: shop.example",
                "X-Forwarded-For: 10.0.4.12",
                "Cache-Control: no-cache",
                "Connection: keep-alive",
                "Referer: https://shop.example/host",
                "If-None-Match: 33a64df5",
            ];
            let mut lines = extras(dice, &others);
            let agent = named(dice, &["curl/8.5.0", "shop-client/3.1", "Mozilla/5.0"]);
            lines.push(format!("User-Agent: {agent}"));
            if chance(dice, 52) {
                let name = one(dice, &["Host", "Host", "host", "HOST"]);
                let host = match chance(dice, 60) {
                    true => one(dice, &["shop.example", "localhost:8080", "10.0.4.12"]).to_owned(),
                    false => format!("{}.example", word(dice, 8)),
                };
                lines.push(format!("{name}: {host}"));
            }
            let body = match method {
                "POST" | "PUT" => one(dice, &["{\"count\": 2}\n", "Host: shop.example\n", "a=1"]),
                _ => "",
            };
            if !body.is_empty() {
                lines.push(format!("Content-Length: {}", body.len()));
            }
            let lines = shuffled(dice, lines).join("\r\n");
            format!("{method} {path} HTTP/1.1\r\n{lines}\r\n\r\n{body}")
        },
        patterns: &[],
    },
];
