//! Causes in texts without a grammar.

use seedsmith_grammar::Random;

use crate::draws::{
    above, are_negative_and_fine, are_uneven, around, chance, extras, figure, foreign, has_twins,
    lengths, picked, statements, steps,
};
use crate::readers::{
    are_in_order, is_digits, is_name, is_shown, is_word, number, signed_decimals,
};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How many meters deep each dive went. A line without a colon is a heading.
fn dives(input: &str) -> Option<Vec<u32>> {
    let lines = statements(input, "#").filter_map(|line| line.split_once(':'));
    let dives = lines.map(|(place, fields)| {
        let (mut depths, mut is_right) = (Vec::new(), !place.is_empty());
        for field in fields.split(',').map(str::trim) {
            match field.split_once(' ') {
                Some((value, "m")) => depths.push(number(value)?),
                Some((value, unit)) => {
                    is_right &= number(value).is_some() && ["min", "C"].contains(&unit);
                }
                None => is_right &= is_word(field),
            }
        }
        match depths[..] {
            [depth] if is_right => Some(depth),
            _ => None,
        }
    });
    dives.collect()
}

/// How many there are of each part of a stock, and how many are needed.
fn stock(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = statements(input, "#");
    lines.next()?.split_whitespace().eq(["part", "have", "need", "shelf"]).then_some(())?;
    let parts = lines.map(|line| match line.split_whitespace().collect::<Vec<&str>>()[..] {
        [part, have, need, shelf] if is_name(part) && number(shelf).is_some() => {
            Some((number(have)?, number(need)?))
        }
        _ => None,
    });
    parts.collect()
}

/// How deep quotes and spoilers are in each other in a post.
fn post_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest) = (Vec::new(), 0);
    let mut pieces = input.split('[');
    (!pieces.next()?.contains(']')).then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once(']')?;
        (!text.contains(']')).then_some(())?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name).then_some(())?;
            continue;
        }
        let (name, value) = tag.split_once('=').unwrap_or((tag, "none"));
        let is_known = ["b", "i", "quote", "spoiler"].contains(&name);
        (is_known && is_name(value)).then_some(())?;
        open.push(name);
        let boxes = open.iter().filter(|name| ["quote", "spoiler"].contains(name));
        deepest = deepest.max(boxes.count());
    }
    open.is_empty().then_some(deepest)
}

/// The hosts that the settings of a client have.
fn hosts(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut keys) = (Vec::new(), Vec::new());
    for line in statements(input, "#") {
        let (key, value) = line.split_once(' ')?;
        let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._/~*".contains(c);
        let value = Some(value.trim()).filter(|value| value.chars().all(is_inside))?;
        if key == "Host" {
            found.push(value);
            keys.clear();
            continue;
        }
        let is_right = match key {
            "Port" => number(value).is_some(),
            "HostName" | "User" | "IdentityFile" | "ProxyJump" => true,
            _ => false,
        };
        (is_right && !keys.contains(&key)).then_some(())?;
        keys.push(key);
    }
    Some(found)
}

/// Who wrote each commit of a log.
fn authors(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut lines) = (Vec::new(), input.lines().peekable());
    while let Some(line) = lines.next() {
        let commit = line.strip_prefix("commit ")?;
        commit.chars().all(|c| c.is_ascii_hexdigit()).then_some(())?;
        let mut names = Vec::new();
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            let (key, value) = line.split_once(':')?;
            let value = value.trim();
            match key {
                "Author" => {
                    let (name, address) = value.strip_suffix('>')?.split_once('<')?;
                    (is_shown(address) && address.contains('@')).then_some(())?;
                    names.push(name.trim());
                }
                "Date" | "Reviewed-by" | "Merge" => {}
                _ => return None,
            }
        }
        let [name] = names[..] else { return None };
        found.push(name);
        while lines.next_if(|line| line.is_empty() || line.starts_with("    ")).is_some() {}
    }
    Some(found)
}

/// The numbers of each line for a mill: whether each is negative, and how many decimals it has.
fn moves(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let lines = input.lines().map(|line| line.split(';').next().unwrap_or(""));
    let moves = lines.map(|line| {
        let words = line.split_whitespace().map(|word| {
            let letter = word.chars().next().filter(char::is_ascii_uppercase)?;
            signed_decimals(&word[letter.len_utf8()..])
        });
        words.collect()
    });
    moves.collect()
}

/// The commands of a session with a server of files.
fn commands(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty()) {
        let (time, rest) = line.split_once(' ')?;
        let mut parts = time.split(':');
        let is_time = time.len() == 8 && parts.all(|part| part.len() == 2 && is_digits(part));
        (is_time && is_shown(rest)).then_some(())?;
        if let Some(command) = rest.strip_prefix("> ") {
            let (name, _) = command.split_once(' ').unwrap_or((command, ""));
            let known = ["USER", "CWD", "LIST", "DELE", "STOR", "RETR", "NOOP", "QUIT"];
            found.push(Some(name).filter(|name| known.contains(name))?);
        } else {
            let code = rest.strip_prefix("< ")?.split(' ').next()?;
            (code.len() == 3 && is_digits(code)).then_some(())?;
        }
    }
    Some(found)
}

/// How many cells the rows of each table of a page have.
fn tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut is_inside = false;
    for line in input.lines().map(str::trim) {
        let Some(rest) = line.strip_prefix('|') else {
            is_inside = false;
            continue;
        };
        let cells: Vec<&str> = rest.strip_suffix('|')?.split('|').map(str::trim).collect();
        if !is_inside {
            found.push(Vec::new());
            is_inside = true;
        }
        let rows = found.last_mut()?;
        rows.push(cells.len());
        // There are only dashes below the names of the columns.
        let is_rule =
            |cell: &&str| cell.len() > 2 && cell.trim_matches(':').trim_matches('-').is_empty();
        (rows.len() != 2 || cells.iter().all(is_rule)).then_some(())?;
    }
    // The line with the dashes may not be missing.
    found.iter().all(|rows| rows.len() > 1).then_some(found)
}

/// A row of a table with so many of these cells.
fn row(dice: &mut Random, cells: &[&str], length: usize) -> String {
    let cells: Vec<&str> = (0..length).map(|_| one(dice, cells)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirtieth: plain: dives: one that went from 30 to 39 meters deep",
        grammar: "",
        input: concat!(
            "Dives in May, 32 m rope\n# 12 May: 33 m, 30 min\n\nBlue Hole: 28 m, 34 min, 18 C\n",
            "Inland Sea: 36 m, 41 min, 17 C, nitrox\nWreck 35 m: 40 m, 35 min\n\nIn June\n",
            "Cave: 29 min, 12 m, night\nLong Reef: 9 m, 62 min, 31 C, drift\n"
        ),
        valid: |input| dives(input).is_some(),
        fails: |input| dives(input).is_some_and(|all| all.iter().any(|m| (30..40).contains(m))),
        draw: |dice| {
            let others =
                ["Dives in May, 32 m rope\n", "# 12 May: 33 m, 30 min\n", "\n", "In June\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut fields = extras(dice, &["18 C", "31 C", "nitrox", "drift"]);
                fields.push(format!("{} m", around(dice, [30, 39], 27)));
                if chance(dice, 70) {
                    fields.push(format!("{} min", 20 + dice.below(30)));
                }
                let fields = shuffled(dice, fields).join(", ");
                let place = one(dice, &["Blue Hole", "Cave", "Wreck 35 m", "Long Reef"]);
                lines.push(format!("{place}: {fields}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: stock: a part of which more are needed than there are",
        grammar: "",
        input: concat!(
            "# stock of friday, need 9 have 4\npart       have  need  shelf\nbolt-m4     120    80    140\n",
            "washer       40    40      7\n# nut        10    20      7\nhinge        15    16      3\n",
            "\nneed-box      8     0     12\ncable       300   250    310\nlamp          0     0      1\n"
        ),
        valid: |input| stock(input).is_some(),
        fails: |input| stock(input).is_some_and(|all| all.iter().any(|(have, need)| need > have)),
        draw: |dice| {
            let others = ["# nut        10    20      7\n", "\n", "lamp 0 0 1\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let have = [dice.below(20), dice.below(400), 40][dice.below(3)];
                let (need, shelf) = (above(dice, have, 27), dice.below(400));
                let part = one(dice, &["bolt-m4", "washer", "hinge", "need-box", "cable"]);
                lines.push(match chance(dice, 60) {
                    true => format!("{part:10} {have:4}  {need:4}  {shelf:5}\n"),
                    false => format!("{part} {have} {need} {shelf}\n"),
                });
            }
            let start = one(dice, &["", "# stock of friday, need 9 have 4\n"]);
            let rest = shuffled(dice, lines).concat();
            format!("{start}part       have  need  shelf\n{rest}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: post: quotes and spoilers in each other, four deep or more",
        grammar: "",
        input: concat!(
            "[b]Re: owls[/b]\n[quote=tom]I saw [i]two[/i] there.[/quote]\n",
            "[quote=ann]Look:\n[spoiler]it was [b][quote=raj]a [i]barn[/i] owl[/quote] or\n",
            "[quote]a quote [spoiler]of a spoiler[/spoiler][/quote][/b][/spoiler]\n[/quote]\n",
            "No spoiler, no quote!\n[spoiler=end][quote]ok[/quote][b][i][b]bye[/b][/i][/b][/spoiler]\n"
        ),
        valid: |input| post_depth(input).is_some(),
        fails: |input| post_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let others = [
                "[b]Re: owls[/b]\n",
                "[quote=tom]I saw [i]two[/i].[/quote]\n",
                "[b][i][b][i]bye[/i][/b][/i][/b]\n",
                "No spoiler, no quote!\n",
            ];
            let mut parts = extras(dice, &others);
            let mut text = one(dice, &["", "ok", "a quote of a spoiler\n"]).to_owned();
            for _ in 0..2 + dice.below(6) {
                let name = one(dice, &["quote", "spoiler"]);
                let value = one(dice, &["", "", "=tom", "=quote"]);
                let other = one(dice, &["[quote]hm[/quote]", "so", "[spoiler][/spoiler]\n"]);
                text = match dice.below(7) {
                    0 => format!("[b]{text}[/b]"),
                    1 => format!("[i]{text}[/i]"),
                    2 => format!("[{name}{value}]{text}{other}[/{name}]"),
                    3 => format!("[{name}{value}]{other}{text}[/{name}]\n"),
                    _ => format!("[{name}{value}]{text}[/{name}]"),
                };
            }
            parts.push(text);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: ssh: two Hosts of the same name",
        grammar: "",
        input: concat!(
            "# Host web, Host web\nHost web\n  HostName web.owl.example\n  User deploy\n\n",
            "Host mail\n    HostName 10.0.0.4\n    Port 2222\n    User deploy\n\nHost db-2\n",
            "  HostName 10.0.0.4\n  ProxyJump web\n  IdentityFile ~/.ssh/db\n# old\nHost mail\n",
            "  User root\n  Port 2222\n\nHost *\n  User mail\n"
        ),
        valid: |input| hosts(input).is_some(),
        fails: |input| hosts(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let mut text = extras(dice, &["# Host web, Host web\n", "User mail\n", "\n"]).concat();
            for host in picked(dice, &["web", "mail", "db-2", "db", "*"], 4, 50) {
                text += &format!("Host {host}\n");
                let user = one(dice, &["  User deploy\n", "  User mail\n", "\tUser web\n"]);
                let others = ["  HostName 10.0.0.4\n", "  Port 2222\n", "  ProxyJump web\n", user];
                let lines = extras(dice, &others);
                text += &shuffled(dice, lines).concat();
                text += one(dice, &["", "\n", "# old\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: commits: an Author whose name has a character that is not ASCII",
        grammar: "",
        input: concat!(
            "commit 4f2a91c\nAuthor: Tom Hall <tom@owl.example>\nDate: 2024-03-02\n\n",
            "    Fix the naïve search\n\n    Author: Zoë <zoe@owl.example>\n\n",
            "commit 09bd7e2\nMerge: 4f2a91c 77ab012\nAuthor: Jan Dvořák <jan@owl.example>\n",
            "Date: 2024-03-01\n\n    Merge the branch\n\ncommit 77ab012\n",
            "Author: raj <raj@owl.example>\nReviewed-by: Łukasz\nDate: 2024-02-27\n\n    Add “owls”\n"
        ),
        valid: |input| authors(input).is_some(),
        fails: |input| authors(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                let others = ["Reviewed-by: Łukasz\n", "Date: 2024-03-02\n", "Merge: 4f2 09b\n"];
                let mut lines = extras(dice, &others);
                let name = match chance(dice, 27) {
                    true => foreign(dice),
                    false => one(dice, &["Hall", "raj", "O'Neil", "van-Dyk"]).to_owned(),
                };
                let start = one(dice, &["", "Tom ", "J. "]);
                let address = format!("{}@owl.example", word(dice, 5));
                lines.push(format!("Author: {start}{name} <{address}>\n"));
                let lines = shuffled(dice, lines).concat();
                let others = ["    Author: Zoë <z@a>\n", "\n", "    Fix the naïve search\n"];
                let message = extras(dice, &others).concat();
                format!("commit {:x}\n{lines}\n    Add it\n{message}", 4096 + dice.below(9999))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: mill: a line with a negative number and one of exactly three decimals",
        grammar: "",
        input: concat!(
            "; plate-7, tool -1.125\nG21\nG90 G17\nM3 S12000\nG0 X0 Y0 Z5.5\nG1 X12.375 Y4 F300 ; -4 deep\n",
            "G1 X12.5 Y-4.25\nG2 X18.0625 Y-3 I0.5 J2\n\nG1 X-6.5 Y22.875 Z1.5 F240\nG1 X40 Y22.125\n",
            "G0 Z-0.5 ; was 0.125\nM5\nM30\n"
        ),
        valid: |input| moves(input).is_some(),
        fails: |input| moves(input).is_some_and(|all| all.iter().any(|m| are_negative_and_fine(m))),
        draw: |dice| {
            let others = ["; plate-7, tool -1.125\n", "M3 S12000\n", "G90 G17\n", "\n", "M5\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut line = one(dice, &["G0", "G1", "G2"]).to_owned();
                for axis in extras(dice, &["X", "Y", "Z", "I", "J"]) {
                    line += &format!(" {axis}{}", figure(dice));
                }
                line += &format!(" {}{}", one(dice, &["U", "V"]), figure(dice));
                line += one(dice, &["", "", "", " F300", " ; -4 deep", " ; was 0.125"]);
                lines.push(line + "\n");
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: session: a CWD, then a DELE, and then a STOR",
        grammar: "",
        input: concat!(
            "14:02:11 > USER anna\n14:02:11 < 331 password for anna\n14:02:12 > STOR notes.txt\n",
            "14:02:13 < 226 ok\n14:02:14 > CWD /pub/DELE\n14:02:15 < 250 STOR allowed\n",
            "14:02:18 > LIST\n14:02:20 > DELE old.txt\n14:02:20 < 550 no such file\n",
            "14:02:25 > RETR STOR.txt\n14:02:31 > STOR new.txt\n14:02:33 < 226 CWD, DELE, STOR\n",
            "14:02:34 > CWD /\n14:03:00 > QUIT\n"
        ),
        valid: |input| commands(input).is_some(),
        fails: |input| {
            commands(input).is_some_and(|all| are_in_order(&all, &["CWD", "DELE", "STOR"]))
        },
        draw: |dice| {
            let mut text = String::new();
            let others = ["USER", "LIST", "RETR", "NOOP", "CWD", "STOR", "QUIT"];
            for (at, name) in steps(dice, ["CWD", "DELE", "STOR"], &others).iter().enumerate() {
                let value = one(dice, &["", " /pub/DELE", " old.txt", " STOR.txt"]);
                text += &format!("14:02:{} > {name}{value}\n", 10 + 3 * at);
                if chance(dice, 50) {
                    let answer = one(dice, &["250 STOR allowed", "226 CWD, DELE, STOR", "550 no"]);
                    text += &format!("14:02:{} < {answer}\n", 11 + 3 * at);
                }
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: plain: page: a table whose rows do not all have the same number of cells",
        grammar: "",
        input: concat!(
            "# Prices | per kilo\n\n| fruit | price | from |\n|-------|------:|------|\n",
            "| apple | 2.10 | Jork |\n| pear | 3 | |\n\nSee also a | b:\n\n| day | open |\n| :-- | --- |\n",
            "| mon | 9 - 12 |\n| tue | 9 - 12 | no pears |\n| wed | closed |\n\n- | new |\n\n",
            "| note |\n|------|\n| cash |\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| tables(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = ["# Prices | per kilo\n\n", "See also a | b:\n\n", "- | new |\n\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let lengths = lengths(dice, 2, 31);
                let mut text = row(dice, &["fruit", "day", "price"], lengths[0]);
                text += &row(dice, &["---", ":--", "------:"], lengths[0]);
                for length in &lengths[1..] {
                    text += &row(dice, &["apple", "2.10", "9 - 12", "---", ""], *length);
                }
                parts.push(text + "\n");
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
