//! Causes in texts without a grammar: listings of processes, what sensors say, rules for building a program,
//! and a language that sets machines up.

use crate::draws::{above, around, chance, extras, has_twins, picked};
use crate::readers::{is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How nice (NI) each process of some listings is. A listing comes after the command that asks for it.
fn niceness(input: &str) -> Option<Vec<i32>> {
    let (mut found, mut is_asked, mut is_inside) = (Vec::new(), false, false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            _ if !is_shown(line) => return None,
            ["$", command, ..] => {
                is_name(command).then_some(())?;
                (is_asked, is_inside) = (*command == "ps", false);
            }
            ["PID", "USER", "NI", "RSS", "COMMAND"] if is_asked => {
                (is_asked, is_inside) = (false, true);
            }
            [pid, user, nice, memory, _, ..] if is_inside && is_name(user) => {
                number(pid).and(number(memory))?;
                let value: i32 = nice.parse().ok().filter(|value| (-20..20).contains(value))?;
                found.push(Some(value).filter(|value| value.to_string() == *nice)?);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// A number with a plus before it.
fn plus(tokens: &[&str]) -> Option<u32> {
    match tokens {
        ["+", value] => number(value),
        _ => None,
    }
}

/// How hot it is at each sensor that says so, and its high.
fn temperatures(input: &str) -> Option<Vec<(u32, u32)>> {
    let (mut found, mut lines_of_chip) = (Vec::new(), 0);
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        let all = tokens(line, "-_")?;
        let is_label = |label: &str| label.starts_with(|c: char| c.is_ascii_alphabetic());
        match (&all[..], lines_of_chip) {
            ([], _) => lines_of_chip = 0,
            ([chip], 0) if is_name(chip) => lines_of_chip = 1,
            (["Adapter", ":", rest @ ..], 1) if !rest.is_empty() && is_shown(line) => {
                lines_of_chip = 2;
            }
            ([label, ":", speed, "RPM", rest @ ..], 2) if is_label(label) => {
                number(speed)?;
                match rest {
                    [] => {}
                    ["(", "min", "=", least, "RPM", ")"] => number(least).map(|_| ())?,
                    _ => return None,
                }
            }
            ([label, ":", "+", value, "C", "(", limits @ .., ")"], 2) if is_label(label) => {
                let (mut names, mut high) = (Vec::new(), None);
                for limit in limits.split(|token| *token == ",") {
                    let [name, "=", limit @ .., "C"] = limit else { return None };
                    let limit = plus(limit)?;
                    ["low", "high", "crit"].contains(name).then(|| names.push(*name))?;
                    high = if *name == "high" { Some(limit) } else { high };
                }
                (!has_twins(&names)).then(|| found.push((number(value), high)))?;
            }
            _ => return None,
        }
    }
    let read = |(value, high): (Option<u32>, Option<u32>)| Some((value?, high?));
    found.into_iter().map(read).collect()
}

/// Whether each rule for building has a command.
fn have_commands(input: &str) -> Option<Vec<bool>> {
    let (mut parts, mut names): (Vec<(&str, Vec<&str>)>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in input.lines() {
        let text = line.trim();
        is_shown(line).then_some(())?;
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let pair = text.split_once(" = ").filter(|(key, _)| is_variable(key));
        if line.starts_with(' ') {
            let (_, keys) = parts.last_mut().filter(|(kind, _)| !kind.is_empty())?;
            keys.push(pair.map(|(key, _)| key).filter(|key| !keys.contains(key))?);
            continue;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind = match &words[..] {
            _ if pair.is_some() => "",
            ["rule", name] => {
                names.push(Some(*name).filter(|name| is_name(name))?);
                "rule"
            }
            ["pool", name] if is_name(name) => "pool",
            ["build", out, rule, _, ..] if out.ends_with(':') && is_name(rule) => "build",
            ["default" | "include", _] => "",
            _ => return None,
        };
        parts.push((kind, Vec::new()));
    }
    let rules = parts.iter().filter(|(kind, _)| *kind == "rule");
    let has_command = |(_, keys): &(&str, Vec<&str>)| keys.contains(&"command");
    (!has_twins(&names)).then(|| rules.map(has_command).collect())
}

/// What comes after the value at the start of some tokens: a text, a number, a word, or a reference.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    match all {
        [kind, "[", title, "]", after @ ..] if is_text(title) => {
            kind.starts_with(|c: char| c.is_ascii_uppercase()).then_some(after)
        }
        ["$", name, after @ ..] => is_variable(name).then_some(after),
        [one, after @ ..] => {
            (is_text(one) || is_variable(one) || number(one).is_some()).then_some(after)
        }
        [] => None,
    }
}

/// What comes after the statements at the start of some tokens, up to their end or a bracket. The titles of
/// files are found.
fn statements_of<'a, 't>(all: &'a [&'t str], found: &mut Vec<&'t str>) -> Option<&'a [&'t str]> {
    let mut rest = all;
    loop {
        rest = match rest {
            [] | ["}", ..] => return Some(rest),
            ["$", name, "=", after @ ..] if is_variable(name) => value(after)?,
            ["include", name, after @ ..] if is_variable(name) => after,
            ["class", name, "{", after @ ..] if is_variable(name) => {
                statements_of(after, found)?.strip_prefix(&["}"])?
            }
            [kind, "{", title, ":", after @ ..] if is_name(kind) && is_text(title) => {
                let (mut rest, mut keys) = (after, Vec::new());
                while rest.first() != Some(&"}") {
                    let [key, "=", ">", after @ ..] = rest else { return None };
                    keys.push(Some(*key).filter(|key| is_variable(key))?);
                    let after = value(after)?;
                    let is_last = after.first() == Some(&"}");
                    rest = if is_last { after } else { after.strip_prefix(&[","])? };
                }
                if *kind == "file" {
                    found.push(title);
                }
                (!has_twins(&keys)).then_some(&rest[1..])?
            }
            _ => return None,
        };
    }
}

/// The titles of the files that have to be on a machine.
fn files(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "#");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let is_right = !input.contains("= >");
    statements_of(&all, &mut found).filter(|rest| rest.is_empty() && is_right)?;
    Some(found.into_iter().map(str::to_owned).collect())
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "fortieth: plain: processes: a process whose niceness (NI) is from 5 to 14",
        grammar: "",
        input: concat!(
            "$ uptime -p\n$ ps -eo pid,user,ni,rss,comm\nPID USER NI RSS COMMAND\n1 root 0 12 init\n",
            "12 root -10 9 kworker/7:1\n412 ada 15 7 nice -n 10 make\n7 bo 4 10 sleep 12\n",
            "$ nice -n 9 make\n\n$ ps --user ada\nPID USER NI RSS COMMAND\n413 ada 19 6 cc1\n",
            "  9 ada 11 120 owl --jobs 8\n"
        ),
        valid: |input| niceness(input).is_some(),
        fails: |input| niceness(input).is_some_and(|all| all.iter().any(|ni| (5..15).contains(ni))),
        draw: |dice| {
            let mut parts =
                extras(dice, &["$ uptime -p\n", "$ nice -n 9 make\n", "$ top -n 7\n\n"]);
            for _ in 0..1 + dice.below(2) {
                let ask = one(dice, &["$ ps -eo pid,user,ni,rss,comm", "$ ps --user ada", "$ ps"]);
                let mut part = format!("{ask}\nPID USER NI RSS COMMAND\n");
                for _ in 0..1 + dice.below(3) {
                    let nice = match dice.below(6) {
                        0 => format!("-{}", 1 + dice.below(20)),
                        _ => around(dice, [5, 14], 26).min(19).to_string(),
                    };
                    let pid = [1 + dice.below(20), 1 + dice.below(900)][dice.below(2)];
                    let user = one(dice, &["root", "ada", "bo"]);
                    let memory = 1 + dice.below(30);
                    let known =
                        ["init", "kworker/7:1", "nice -n 10 make", "sleep 12", "owl --jobs 8"];
                    let command = one(dice, &known);
                    part += &format!("{pid} {user} {nice} {memory} {command}\n");
                }
                parts.push(part);
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: plain: sensors: a temperature above its high",
        grammar: "",
        input: concat!(
            "# Core-9: +90 C (high = +80 C)\ncoretemp-isa-0\nAdapter: ISA adapter 90\n",
            "Package: +62 C  (high = +80 C, crit = +100 C)\nCore-0: +80 C  (crit = +100 C, high = +80 C)\n",
            "fan1: 1200 RPM  (min = 300 RPM)\nfan2: 0 RPM\n\nnvme-pci-4\nAdapter: PCI adapter\n",
            "Composite: +91 C  (low = +4 C, high = +84 C, crit = +96 C)\n\nacpi-0\nAdapter: ACPI\n",
            "high: +27 C  (high = +120 C)\n"
        ),
        valid: |input| temperatures(input).is_some(),
        fails: |input| {
            temperatures(input).is_some_and(|all| all.iter().any(|(value, high)| value > high))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["# Core-9: +90 C (high = +80 C)\n"]);
            for _ in 0..1 + dice.below(2) {
                let mut lines =
                    extras(dice, &["fan1: 1200 RPM  (min = 300 RPM)\n", "fan2: 0 RPM\n"]);
                for _ in 0..1 + dice.below(3) {
                    let high = [80, 84, 40 + dice.below(80)][dice.below(3)];
                    let value = above(dice, high, 20);
                    let mut limits = extras(dice, &["low = +4 C", "crit = +100 C"]);
                    limits.push(format!("high = +{high} C"));
                    let limits = shuffled(dice, limits).join(", ");
                    let label = one(dice, &["Core-0", "Package", "Composite", "high"]);
                    lines.push(format!("{label}: +{value} C  ({limits})\n"));
                }
                let chip = one(dice, &["coretemp-isa-0", "nvme-pci-4", "acpi-0"]);
                let adapter = one(dice, &["ISA adapter 90", "PCI adapter", "ACPI"]);
                let lines = shuffled(dice, lines).concat();
                parts.push(format!("{chip}\nAdapter: {adapter}\n{lines}"));
            }
            parts.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: plain: ninja: a rule without a command",
        grammar: "",
        input: concat!(
            "# command = cc\ncflags = -O2\ncommand = gcc\nrule cc\n  command = $command $cflags -c $in\n",
            "  description = command = CC\npool command\n  depth = 4\nrule link\n  description = LINK command\n",
            "  pool = command\n\nbuild owl.o: cc owl.c\n  cflags = -O0\nbuild nest.o: cc nest.c | nest.h\n",
            "  command = rule\nrule command\n  restat = 1\n  # rule\n  command = cp $in $out\n",
            "build owl: link owl.o nest.o\ndefault owl\n"
        ),
        valid: |input| have_commands(input).is_some(),
        fails: |input| have_commands(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "# command = cc\n",
                "command = gcc\n",
                "pool command\n  depth = 4\n",
                "build owl.o: cc owl.c\n  cflags = -O0\n",
                "build nest.o: cc nest.c | nest.h\n  command = rule\n",
                "default owl\n",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["cc", "link", "command", "copy", "zip"], 4, 0) {
                let others = [
                    "  description = command = CC\n",
                    "  pool = command\n",
                    "  restat = 1\n",
                    "  # command = cp\n",
                    "  depfile = $out.d\n",
                ];
                let mut lines = extras(dice, &others);
                if chance(dice, 76) {
                    let known = ["$command -c $in", "cp $in $out", "gcc $in -o $out", "rule"];
                    lines.push(format!("  command = {}\n", one(dice, &known)));
                }
                parts.push(format!("rule {name}\n{}", shuffled(dice, lines).concat()));
            }
            shuffled(dice, parts).join(one(dice, &["", "", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: plain: puppet: two files of the same title",
        grammar: "",
        input: concat!(
            "# file { \"/etc/owl\": }\n$root = \"/etc/owl\"\ninclude nest\nfile { \"/etc/owl\":\n",
            "  ensure => directory,\n  mode => \"0755\",\n}\npackage { \"owl\": ensure => present }\n",
            "class nest {\n  file { \"/etc/nest\": require => Package[\"owl\"], } # title\n",
            "  service { \"owl\":\n    enable => true,\n    require => File[\"/etc/nest\"],\n  }\n",
            "  package { \"/etc/nest\": }\n  file { \"/etc/owl\":\n    content => $root, owner => \"ada\"\n  }\n}\n",
            "service { \"nest\": }\nfile { \"/etc/owl.d\": ensure => absent }\n"
        ),
        valid: |input| files(input).is_some(),
        fails: |input| files(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "# file { \"/etc/owl\": }\n",
                "$root = \"/etc/owl\"\n",
                "include nest\n",
                "package { \"/etc/nest\": ensure => present }\n",
                "service { \"/etc/owl\": require => File[\"/etc/nest\"], }\n",
            ];
            let mut parts = extras(dice, &others);
            let known = ["/etc/owl", "/etc/nest", "/etc/owl.d", "/etc/Owl", "/srv/owl", "owl"];
            for title in picked(dice, &known, 5, 52) {
                let others = [
                    "ensure => directory",
                    "mode => \"0755\"",
                    "content => $root",
                    "require => File[\"/etc/owl\"]",
                ];
                let pairs = extras(dice, &others).join(one(dice, &[", ", ",\n  "]));
                parts.push(format!("file {{ \"{title}\": {pairs} }}\n"));
            }
            if chance(dice, 40) {
                let inner =
                    [parts.remove(dice.below(parts.len())), parts.pop().unwrap_or_default()];
                parts.push(format!("class nest {{\n{}}}\n", inner.concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
