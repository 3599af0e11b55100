//! RON into the configuration of a service, with the checks that such a thing has, and a plan made of it.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Configuration {
    name: String,
    #[serde(default)]
    listen: Vec<Listener>,
    #[serde(default)]
    backends: BTreeMap<String, Backend>,
    #[serde(default)]
    routes: Vec<Route>,
    limits: Option<Limits>,
}

#[derive(Debug, Deserialize)]
enum Listener {
    Tcp(String, u16),
    Unix(String),
    Tls { address: String, port: u16, certificate: Option<String> },
    Off,
}

#[derive(Debug, Deserialize)]
struct Backend {
    hosts: Vec<(String, u16)>,
    #[serde(default)]
    policy: Policy,
    weight: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
enum Policy {
    #[default]
    RoundRobin,
    Least { connections: u32 },
    Hash(Key),
}

#[derive(Debug, Deserialize)]
enum Key {
    Address,
    Header(String),
    Cookie { name: String, lifetime: u64 },
}

#[derive(Debug, Deserialize)]
struct Route {
    when: Condition,
    to: Action,
}

#[derive(Debug, Deserialize)]
enum Condition {
    Always,
    Path(String),
    Header(String, String),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

#[derive(Debug, Deserialize)]
enum Action {
    Backend(String),
    Redirect { code: u16, to: String },
    Reply(u16, String),
    Chain(Vec<Action>),
}

#[derive(Debug, Deserialize)]
struct Limits {
    requests: Option<u32>,
    burst: Option<u32>,
    body: Option<String>,
}

/// Bytes of a size with a unit.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|one: char| !one.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| format!("{text:?} is no size"))?;
    let factor = match text[digits..].trim() {
        "" | "B" => 1,
        "k" | "kB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        other => return Err(format!("{other:?} is no unit")),
    };
    number.checked_mul(factor).ok_or_else(|| format!("{text:?} is too much"))
}

/// Whether a path fits a pattern with `*` for anything and `?` for one byte.
fn fits(pattern: &[u8], path: &[u8]) -> bool {
    let (mut at, mut of, mut star) = (0, 0, None);
    while of < path.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(one) if *one == b'?' || *one == path[of] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((pattern_at, path_at)) = star else { return false };
                star = Some((pattern_at, path_at + 1));
                at = pattern_at + 1;
                of = path_at + 1;
            }
        }
    }
    pattern[at..].iter().all(|one| *one == b'*')
}

struct Checked<'c> {
    configuration: &'c Configuration,
    problems: Vec<String>,
    used: BTreeSet<&'c str>,
}

impl<'c> Checked<'c> {
    fn listeners(&mut self) {
        let mut ports = BTreeSet::new();
        for listener in &self.configuration.listen {
            match listener {
                Listener::Off => {}
                Listener::Unix(path) if path.starts_with('/') || path.starts_with('@') => {}
                Listener::Unix(path) => self.problems.push(format!("{path}: not absolute")),
                Listener::Tcp(address, port) | Listener::Tls { address, port, .. } => {
                    if *port == 0 || !ports.insert((address, *port)) {
                        self.problems.push(format!("{address}:{port} is taken"));
                    }
                    let parts: Vec<&str> = address.split('.').collect();
                    let is_number = parts.len() == 4 && parts.iter().all(|part| part.parse::<u8>().is_ok());
                    if !is_number && address != "localhost" && address != "*" {
                        self.problems.push(format!("{address}: no address"));
                    }
                    if let Listener::Tls { certificate, .. } = listener {
                        match certificate.as_deref().map(|path| path.rsplit_once('.')) {
                            None => self.problems.push("no certificate".to_owned()),
                            Some(Some((_, "pem" | "crt"))) => {}
                            Some(_) => self.problems.push("an unknown kind of certificate".to_owned()),
                        }
                    }
                }
            }
        }
    }

    fn backends(&mut self) {
        for (name, backend) in &self.configuration.backends {
            if backend.hosts.is_empty() {
                self.problems.push(format!("{name} has no host"));
            }
            if let Some(weight) = backend.weight {
                if !(0.0..=100.0).contains(&weight) {
                    self.problems.push(format!("{name}: a weight of {weight}"));
                }
            }
            match &backend.policy {
                Policy::RoundRobin => {}
                Policy::Least { connections: 0 } => self.problems.push("no connections".to_owned()),
                Policy::Least { .. } | Policy::Hash(Key::Address) => {}
                Policy::Hash(Key::Header(header)) => {
                    if !header.bytes().all(|one| one.is_ascii_alphanumeric() || one == b'-') {
                        self.problems.push(format!("{header:?} is no header"));
                    }
                }
                Policy::Hash(Key::Cookie { name, lifetime }) => {
                    if name.is_empty() || *lifetime > 31_536_000 {
                        self.problems.push(format!("the cookie {name:?}"));
                    }
                }
            }
        }
    }

    fn action(&mut self, action: &'c Action, depth: usize) {
        match action {
            Action::Backend(name) if self.configuration.backends.contains_key(name) => {
                self.used.insert(name);
            }
            Action::Backend(name) => self.problems.push(format!("no backend {name}")),
            Action::Redirect { code: 301 | 302 | 307 | 308, to } if to.contains("://") || to.starts_with('/') => {}
            Action::Redirect { code, to } => self.problems.push(format!("a redirect {code} to {to}")),
            Action::Reply(code @ 100..=599, body) => {
                if *code < 200 && !body.is_empty() {
                    self.problems.push(format!("a body for {code}"));
                }
            }
            Action::Reply(code, _) => self.problems.push(format!("no status {code}")),
            Action::Chain(actions) if depth < 4 => {
                actions.iter().for_each(|one| self.action(one, depth + 1));
            }
            Action::Chain(_) => self.problems.push("chains are nested too deeply".to_owned()),
        }
    }

    fn limits(&mut self, limits: &Limits) {
        if let (Some(requests), Some(burst)) = (limits.requests, limits.burst) {
            if burst < requests {
                self.problems.push(format!("a burst of {burst} is below {requests}"));
            }
        }
        match limits.body.as_deref().map(size) {
            Some(Err(problem)) => self.problems.push(problem),
            Some(Ok(bytes)) if bytes > 1 << 34 => self.problems.push("huge bodies".to_owned()),
            _ => {}
        }
    }
}

fn holds(condition: &Condition, path: &str, headers: &[(&str, &str)]) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Path(pattern) => pattern.len() < 64 && fits(pattern.as_bytes(), path.as_bytes()),
        Condition::Header(name, value) => {
            headers.iter().any(|(own, is)| own.eq_ignore_ascii_case(name) && (value == "*" || is == value))
        }
        Condition::Not(other) => !holds(other, path, headers),
        Condition::All(all) => all.iter().all(|one| holds(one, path, headers)),
        Condition::Any(any) => any.iter().any(|one| holds(one, path, headers)),
    }
}

/// Where some requests go.
fn plan(configuration: &Configuration) -> Vec<String> {
    let requests: [(&str, &[(&str, &str)]); 4] = [
        ("/", &[]),
        ("/a/b.html", &[("Host", "example.org")]),
        ("/api/v1/items", &[("Accept", "text/html"), ("X-Debug", "1")]),
        ("/static/a.css", &[("Cookie", "a=b")]),
    ];
    let mut turns = BTreeMap::new();
    let mut plan = Vec::new();
    for (path, headers) in requests {
        let Some(route) = configuration.routes.iter().find(|route| holds(&route.when, path, headers)) else {
            plan.push("404".to_owned());
            continue;
        };
        let mut waiting = vec![&route.to];
        while let Some(action) = waiting.pop() {
            match action {
                Action::Chain(actions) => waiting.extend(actions.iter().rev()),
                Action::Reply(code, body) => plan.push(format!("{code} {}", body.len())),
                Action::Redirect { code, to } => plan.push(format!("{code} {}", to.replace("$path", path))),
                Action::Backend(name) => {
                    let backend = &configuration.backends[name];
                    let turn = turns.entry(name).or_insert(0_usize);
                    let number = match &backend.policy {
                        Policy::RoundRobin => *turn,
                        Policy::Least { connections } => *turn / *connections as usize,
                        Policy::Hash(Key::Address) => 7,
                        Policy::Hash(Key::Header(name)) => {
                            let header = headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
                            header.map_or(0, |(_, value)| value.len())
                        }
                        Policy::Hash(Key::Cookie { name, .. }) => {
                            let cookies = headers.iter().find(|(own, _)| *own == "Cookie");
                            cookies.map_or(0, |(_, all)| all.find(name.as_str()).unwrap_or(99))
                        }
                    };
                    *turn += 1;
                    let (host, port) = &backend.hosts[number % backend.hosts.len()];
                    plan.push(format!("{host}:{port}"));
                }
            }
        }
    }
    plan
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(configuration) = ron::from_str::<Configuration>(text) else { return false };
    if goes_on {
        harness::after(|| {
            let mut checked =
                Checked { configuration: &configuration, problems: Vec::new(), used: BTreeSet::new() };
            if configuration.name.is_empty() || configuration.name.len() > 32 {
                checked.problems.push("a name of 1 to 32 bytes is wanted".to_owned());
            }
            checked.listeners();
            checked.backends();
            configuration.routes.iter().for_each(|route| checked.action(&route.to, 0));
            if let Some(limits) = &configuration.limits {
                checked.limits(limits);
            }
            let unused = configuration.backends.keys().filter(|name| !checked.used.contains(name.as_str())).count();
            let plan = if checked.problems.is_empty() { plan(&configuration) } else { Vec::new() };
            std::hint::black_box((checked.problems, unused, plan));
        });
    }
    true
}

target!(process);
