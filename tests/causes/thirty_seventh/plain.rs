//! Causes in texts without a grammar: a way through a network, how much room users take, a directory of
//! people and a family tree.

use crate::draws::{above, around, chance, extras, foreign};
use crate::readers::{is_name, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How many milliseconds each probe of a way through a network takes. Some get no answer.
fn probes(input: &str) -> Option<Vec<u32>> {
    let mut lines = input.lines().filter(|line| !line.trim().is_empty());
    let head = lines.next()?;
    (head.starts_with("traceroute to ") && is_shown(head)).then_some(())?;
    let mut found = Vec::new();
    for line in lines {
        is_shown(line).then_some(())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let (hop, rest) = words.split_first()?;
        number(hop)?;
        let mut rest = match rest {
            ["*", ..] => rest,
            [_, address, rest @ ..] => {
                let address = address.strip_prefix('(')?.strip_suffix(')')?;
                address.split('.').all(|part| number(part).is_some()).then_some(rest)?
            }
            _ => return None,
        };
        let mut count = 0;
        while !rest.is_empty() {
            count += 1;
            rest = match rest {
                ["*", after @ ..] => after,
                [time, "ms", after @ ..] => {
                    found.push(number(time)?);
                    after
                }
                _ => return None,
            };
        }
        (count == 3).then_some(())?;
    }
    Some(found)
}

/// How many blocks each user takes, and what their soft limit is.
fn quotas(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = input.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut found = Vec::new();
    loop {
        let line = lines.next()?;
        let is_title = line.starts_with("*** ") || line.starts_with("Grace: ");
        if line.split_whitespace().eq(["User", "used", "soft", "hard", "files"]) {
            break;
        }
        (is_title && is_shown(line)).then_some(())?;
    }
    for line in lines.filter(|line| !line.starts_with("---")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [user, used, soft, hard, files] = words[..] else { return None };
        let are_numbers = number(hard).is_some() && number(files).is_some();
        let soft = number(soft).filter(|soft| *soft > 0 && are_numbers && is_name(user))?;
        found.push((number(used)?, soft));
    }
    Some(found)
}

/// The attributes of each entry of a directory.
fn entries(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        if line.is_empty() {
            is_inside = false;
            continue;
        }
        let (key, value) = line.split_once(": ")?;
        let is_right = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic());
        (is_right && is_shown(value)).then_some(())?;
        match (key, is_inside) {
            ("dn", false) => found.push(Vec::new()),
            ("dn", true) | (_, false) => return None,
            _ => found.last_mut()?.push(key),
        }
        is_inside = true;
    }
    Some(found)
}

/// The places of a family tree.
fn places(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut last) = (Vec::new(), None);
    for line in input.lines() {
        let (level, rest) = line.split_once(' ')?;
        let level = number(level).filter(|level| *level < 10)?;
        (level <= last.map_or(0, |last| last + 1)).then_some(())?;
        last = Some(level);
        let rest = match rest.strip_prefix('@') {
            Some(rest) => {
                let (name, rest) = rest.split_once("@ ")?;
                name.chars().all(|c| c.is_ascii_alphanumeric()).then_some(rest)?
            }
            None => rest,
        };
        let (tag, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_tag = !tag.is_empty() && tag.chars().all(|c| c.is_ascii_uppercase());
        (is_tag && !value.contains(char::is_control)).then_some(())?;
        if tag == "PLAC" {
            found.push(value);
        }
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-seventh: plain: traceroute: a probe that takes 150 to 179 ms",
        grammar: "",
        input: concat!(
            "traceroute to owl-160.example (192.0.2.160), 30 hops max, 155 byte packets\n",
            " 1  gateway (10.0.0.1)  1 ms  1 ms  2 ms\n 2  * * *\n",
            " 3  core-170.isp.example (198.51.100.170)  12 ms  149 ms  *\n",
            " 4  sea.isp.example (198.51.100.4)  182 ms  163 ms  180 ms\n",
            " 5  192.0.2.155 (192.0.2.155)  * 204 ms  197 ms\n"
        ),
        valid: |input| probes(input).is_some(),
        fails: |input| {
            probes(input).is_some_and(|all| all.iter().any(|time| (150..180).contains(time)))
        },
        draw: |dice| {
            let bytes = one(dice, &["60", "155"]);
            let mut text = format!(
                "traceroute to owl.example (192.0.2.160), 30 hops max, {bytes} byte packets\n"
            );
            let percent = [2, 15, 30][dice.below(3)];
            for hop in 1..2 + dice.below(6) {
                if chance(dice, 12) {
                    text += &format!("{hop:2}  * * *\n");
                    continue;
                }
                let known = [
                    "gateway (10.0.0.1)",
                    "core-170.isp.example (198.51.100.170)",
                    "192.0.2.155 (192.0.2.155)",
                    "sea.isp.example (198.51.100.4)",
                ];
                text += &format!("{hop:2}  {}", one(dice, &known));
                for _ in 0..3 {
                    let time = match chance(dice, 50) {
                        true => 1 + dice.below(40),
                        false => around(dice, [150, 179], percent),
                    };
                    match chance(dice, 12) {
                        true => text += " *",
                        false => text += &format!("  {time} ms"),
                    }
                }
                text += "\n";
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: plain: quotas: a user who takes more blocks than their soft limit",
        grammar: "",
        input: concat!(
            "*** Report on /dev/sda1: used 9, soft 4\nGrace: 7days\n",
            "User        used    soft    hard   files\n----------------------------------------\n",
            "ada         4096    5000    6000      12\nbo            40      40      90    1204\n",
            "cleo-2      7204    6500    9000     310\nsoft           0     100     120       0\n",
            "eve          512    4000    4000    4200\n"
        ),
        valid: |input| quotas(input).is_some(),
        fails: |input| quotas(input).is_some_and(|all| all.iter().any(|(used, soft)| used > soft)),
        draw: |dice| {
            let others = ["*** Report on /dev/sda1: used 9, soft 4\n", "Grace: 7days\n"];
            let mut text = extras(dice, &others).concat();
            text += "User        used    soft    hard   files\n";
            text += one(dice, &["", "----------------------------------------\n"]);
            for _ in 0..1 + dice.below(5) {
                let soft = [40, 100 * (1 + dice.below(60)), 1 + dice.below(900)][dice.below(3)];
                let used = above(dice, soft, 19);
                let hard = soft + [0, 20, 1000][dice.below(3)];
                let files = [0, 12, dice.below(5000)][dice.below(3)];
                let user = one(dice, &["ada", "bo", "cleo-2", "soft", "eve"]);
                text += &match chance(dice, 70) {
                    true => format!("{user:8} {used:>7} {soft:>7} {hard:>7} {files:>7}\n"),
                    false => format!("{user} {used} {soft} {hard} {files}\n"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: plain: ldif: an entry without an objectClass",
        grammar: "",
        input: concat!(
            "# objectClass: none\ndn: cn=Ada Lane,dc=owl,dc=example\nobjectClass: person\ncn: Ada Lane\n",
            "mail: ada@owl.example\n\ndn: cn=objectClass,dc=owl,dc=example\ncn: objectClass\n",
            "objectClassOld: person\ndescription: objectClass: person\n# objectClass: person\nsn: Bo\n\n",
            "dn: ou=birds,dc=owl,dc=example\nou: birds\nobjectClass: top\nobjectClass: unit\n"
        ),
        valid: |input| entries(input).is_some(),
        fails: |input| {
            entries(input).is_some_and(|all| all.iter().any(|keys| !keys.contains(&"objectClass")))
        },
        draw: |dice| {
            let mut entries = extras(dice, &["# objectClass: none\n", "# 12 entries\n"]);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "mail: ada@owl.example\n",
                    "objectClassOld: person\n",
                    "description: objectClass: person\n",
                    "# objectClass: person\n",
                    "sn: Bo\n",
                ];
                let name = one(dice, &["Ada Lane", "objectClass", "Bo", "birds"]);
                let mut lines = extras(dice, &others);
                lines.push(format!("cn: {name}\n"));
                if chance(dice, 76) {
                    for _ in 0..1 + dice.below(2) {
                        let class = one(dice, &["person", "top", "unit"]);
                        lines.push(format!("objectClass: {class}\n"));
                    }
                }
                let lines = shuffled(dice, lines).concat();
                entries.push(format!("dn: cn={name},dc=owl,dc=example\n{lines}"));
            }
            shuffled(dice, entries).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: plain: gedcom: a place (PLAC) with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "0 HEAD\n1 SOUR Stammbäume\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Zoë /Hill/\n1 BIRT\n",
            "2 DATE 4 MAY 1890\n2 PLAC York, England\n0 @I2@ INDI\n1 NAME Bo /Sørensen/\n1 SEX M\n",
            "1 DEAT\n2 PLAC Old Malmö\n3 NOTE près du port\n2 DATE ABT 1931\n1 NOTE PLAC Århus\n",
            "0 @F1@ FAM\n1 HUSB @I2@\n1 MARR\n2 PLAC\n0 TRLR\n"
        ),
        valid: |input| places(input).is_some(),
        fails: |input| places(input).is_some_and(|all| all.iter().any(|place| !place.is_ascii())),
        draw: |dice| {
            let mut text = "0 HEAD\n".to_owned();
            text += &extras(dice, &["1 SOUR Stammbäume\n", "1 CHAR UTF-8\n"]).concat();
            for person in 1..2 + dice.below(3) {
                text += &format!("0 @I{person}@ INDI\n");
                let others = [
                    "1 NAME Zoë /Hill/\n",
                    "1 NAME Bo /Sørensen/\n",
                    "1 SEX M\n",
                    "1 NOTE PLAC Århus\n",
                    "1 FAMS @F1@\n",
                ];
                let mut parts = extras(dice, &others);
                for _ in 0..dice.below(3) {
                    let place = match dice.below(12) {
                        0 | 1 => format!("{} {}", word(dice, 6), foreign(dice)),
                        2 => format!("{}, {}", foreign(dice), word(dice, 4)),
                        3 => foreign(dice),
                        4..7 => one(dice, &["York, England", "", "Hull (north)"]).to_owned(),
                        count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                    };
                    let place = format!("2 PLAC {place}");
                    let others = ["2 DATE 4 MAY 1890\n", "2 NOTE près du port\n"];
                    let mut inner = extras(dice, &others);
                    inner.push(format!("{}\n", place.trim_end()));
                    let inner = shuffled(dice, inner).concat();
                    parts.push(format!("1 {}\n{inner}", one(dice, &["BIRT", "DEAT", "BURI"])));
                }
                text += &shuffled(dice, parts).concat();
            }
            text + "0 TRLR\n"
        },
        patterns: &[],
    },
];
