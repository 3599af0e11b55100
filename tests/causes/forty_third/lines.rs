//! Causes in four formats of lines without a grammar: crontabs, genes, hosts and images of containers.

use super::{bare_lines, is_identifier};
use crate::draws::{above, chance, extras, has_twins, picked, statements, steps};
use crate::readers::{are_in_order, is_name, is_shown, number};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// Whether the field of a time is a star, or a number between two others.
fn is_time(field: &str, [low, high]: [u32; 2]) -> bool {
    field == "*" || number(field).is_some_and(|number| (low..=high).contains(&number))
}

/// The hours of the jobs of a crontab, without those of jobs at every hour.
fn hours(input: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        is_shown(line).then_some(())?;
        if line.split_once('=').is_some_and(|(name, _)| is_identifier(name)) {
            continue;
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [minute, hour, day, month, weekday, _, ..] = words[..] else { return None };
        let is_right = is_time(minute, [0, 59])
            && is_time(hour, [0, 23])
            && is_time(day, [1, 31])
            && is_time(month, [1, 12])
            && is_time(weekday, [0, 7]);
        is_right.then_some(())?;
        found.extend(number(hour));
    }
    Some(found)
}

/// Where each gene of a chromosome starts and ends.
fn genes(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for line in statements(input, "#").filter(|line| !line.starts_with("track ")) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [place, start, end, rest @ ..] = &words[..] else { return None };
        let is_right = match rest {
            [] | [_] => true,
            [_, score] => number(score).is_some(),
            [_, score, strand] => number(score).is_some() && ["+", "-", "."].contains(strand),
            _ => false,
        };
        (is_right && is_identifier(place) && is_shown(rest.first().unwrap_or(&""))).then_some(())?;
        found.push((number(start)?, number(end)?));
    }
    Some(found)
}

/// Whether a text is an address of a computer.
fn is_address(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_old = parts.len() == 4 && parts.iter().all(|one| number(one).is_some_and(|n| n < 256));
    let is_inside = |c: char| c.is_ascii_hexdigit() || c == ':';
    is_old || (text.matches(':').count() > 1 && text.chars().all(is_inside))
}

/// The names that each line of a file of hosts gives to an address.
fn host_names(input: &str) -> Option<Vec<Vec<&str>>> {
    let lines = bare_lines(input, "#").map(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next().filter(|address| is_address(address))?;
        let names = words.map(|name| Some(name).filter(|name| name.split('.').all(is_name)));
        names.collect::<Option<Vec<&str>>>().filter(|names| !names.is_empty())
    });
    lines.collect()
}

/// The instructions that build an image, in their order.
fn build_steps(input: &str) -> Option<Vec<String>> {
    let text = input.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in statements(&text, "#") {
        let (name, rest) = line.split_once(' ')?;
        let known = [
            "FROM", "ARG", "RUN", "COPY", "ADD", "USER", "ENV", "WORKDIR", "EXPOSE", "LABEL", "CMD",
        ];
        (known.contains(&name) && is_shown(rest) && !rest.ends_with('\\')).then_some(())?;
        found.push(name.to_owned());
    }
    (found.first()? == "FROM").then_some(found)
}

/// The causes.
pub const LINES: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: plain: crontab: a job at an hour from 9 to 16",
        grammar: "",
        input: concat!(
            "# 0 12 * * * lunch\nMAILTO=bo\nPATH=/usr/bin:/bin\n\n12 4 * * * backup --full 10\n",
            "*  * 9 * * report 12\n30 17 1 12 * tidy /tmp\n5 14 * * 1 sync --host 10.0.0.9\n",
            "0 0 * 10 0 rotate # 9\n15 8 12 * * mail -s \"0 12 * * *\" ada\n"
        ),
        valid: |input| hours(input).is_some(),
        fails: |input| {
            hours(input).is_some_and(|all| all.iter().any(|hour| (9..=16).contains(hour)))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["# 0 12 * * * lunch", "MAILTO=bo", "HOUR=12"]);
            for _ in 0..1 + dice.below(4) {
                let hour = match chance(dice, 26) {
                    true => [9, 16, 9 + dice.below(8)][dice.below(3)],
                    false => [8, 17, dice.below(9), 17 + dice.below(7)][dice.below(4)],
                };
                let hour = if chance(dice, 15) { "*".to_owned() } else { hour.to_string() };
                let minute = dice.below(60);
                let end = one(dice, &["* * *", "9 * *", "12 10 *", "* * 1", "1 * 0"]);
                let job = one(dice, &["backup --full 10", "tidy /tmp", "mail ada # 9 12"]);
                lines.push(format!("{minute} {hour} {end} {job}"));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: genes: a gene that ends before it starts",
        grammar: "",
        input: concat!(
            "# chr1 90 10\ntrack name=genes start=900 end=4\nchr1\t1000\t5000\tabc1\t960\t+\n",
            "chr1\t7400\t7400\tnull\t0\t.\nchr2 120 460\nchrX\t88120\t8790\teye7\t12\t-\n",
            "chr2\t300\t2200\twing2\nchrY\t5\t40\tabc1\t1000\t-\n"
        ),
        valid: |input| genes(input).is_some(),
        fails: |input| genes(input).is_some_and(|all| all.iter().any(|(start, end)| start > end)),
        draw: |dice| {
            let others = ["# chr1 90 10", "track name=genes start=900 end=4"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let end = [dice.below(10), dice.below(900), dice.below(90000)][dice.below(3)];
                let start = above(dice, end, 26);
                let place = one(dice, &["chr1", "chr2", "chrX"]);
                let (name, score) = (word(dice, 5), dice.below(1000));
                let by = one(dice, &["\t", "\t", " "]);
                let mut words = vec![place.to_owned(), start.to_string(), end.to_string()];
                words.extend([name, score.to_string(), one(dice, &["+", "-", "."]).to_owned()]);
                words.truncate(3 + dice.below(4));
                lines.push(words.join(by));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: hosts: a line that has the same host twice",
        grammar: "",
        input: concat!(
            "# 10.0.0.1 owl owl\n127.0.0.1   localhost owl\n::1         localhost ip6-localhost\n\n",
            "10.0.0.12   wren wren.local nest  # wren\n10.0.0.14   egg www.egg.local egg.local egg\n",
            "10.0.0.14   nest\nfe80::14    egg.local www\n255.255.255.255 broadcast # all all\n"
        ),
        valid: |input| host_names(input).is_some(),
        fails: |input| {
            host_names(input).is_some_and(|all| all.iter().any(|names| has_twins(names)))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["# 10.0.0.1 owl owl", "", "::1 localhost"]);
            for _ in 0..1 + dice.below(4) {
                let known = ["owl", "wren", "wren.local", "egg", "www.egg", "nest", "eggs"];
                let names = picked(dice, &known, 5, 26).join(one(dice, &[" ", " ", "  "]));
                let address = one(dice, &["127.0.0.1", "10.0.0.12", "10.0.0.14", "fe80::14"]);
                let end = one(dice, &["", "", "  # owl owl", " # wren"]);
                lines.push(format!("{address}   {names}{end}"));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: image: a USER, then a RUN, and then a COPY",
        grammar: "",
        input: concat!(
            "# USER, RUN, COPY\nFROM debian:12\nLABEL note=\"USER RUN COPY\"\nARG VERSION=4\n",
            "COPY base.txt /srv/\nRUN apt-get update \\\n    && apt-get install -y curl\nENV USER=owl\n",
            "WORKDIR /srv/app\nUSER owl\nEXPOSE 8080\nRUN make VERSION=4\n\nENV MODE=prod\n",
            "COPY . /srv/app\nCMD [\"serve\", \"--user\", \"owl\"]\n"
        ),
        valid: |input| build_steps(input).is_some(),
        fails: |input| {
            let all = build_steps(input).unwrap_or_default();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["USER", "RUN", "COPY"])
        },
        draw: |dice| {
            let others = ["ENV", "WORKDIR", "EXPOSE", "LABEL", "USER", "RUN", "COPY"];
            let mut text = one(dice, &["", "# USER, RUN, COPY\n"]).to_owned();
            text += one(dice, &["FROM debian:12\n", "FROM alpine\n"]);
            for name in steps(dice, ["USER", "RUN", "COPY"], &others) {
                let rest = match name {
                    "ENV" => one(dice, &["USER=owl", "MODE=prod"]),
                    "LABEL" => "note=\"USER RUN COPY\"",
                    "EXPOSE" => "8080",
                    "WORKDIR" => "/srv/app",
                    "USER" => one(dice, &["owl", "root"]),
                    "RUN" => one(dice, &["make VERSION=4", "apt-get update \\\n    && true"]),
                    _ => one(dice, &[". /srv/app", "base.txt /srv/"]),
                };
                text += &format!("{name} {rest}\n");
            }
            text + one(dice, &["", "CMD [\"serve\", \"--user\", \"owl\"]\n"])
        },
        patterns: &[],
    },
];
