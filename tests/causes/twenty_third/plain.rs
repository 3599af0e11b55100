//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use crate::readers::{are_in_order, bytes, is_digits, is_name, is_shown, number, records, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The lines of a text that are neither empty nor remarks.
fn told_lines(input: &str) -> impl Iterator<Item = &str> {
    input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The hours at which jobs run, without those of jobs that run at every hour; nothing if a line is neither blank nor a
/// remark nor the setting of a variable nor five times with a command.
fn hours(input: &str) -> Option<Vec<u32>> {
    let mut hours = Vec::new();
    for line in told_lines(input) {
        is_shown(line).then_some(())?;
        let is_letter = |c: char| c.is_ascii_uppercase() || c == '_';
        let is_variable = |name: &str| !name.is_empty() && name.chars().all(is_letter);
        if line.split_once('=').is_some_and(|(name, _)| is_variable(name)) {
            continue;
        }
        let parts: Vec<&str> = line.splitn(6, ' ').collect();
        let [times @ .., command] = &parts[..] else { return None };
        let limits = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)];
        let is_right = |(time, (least, most)): (&&str, (u32, u32))| {
            *time == "*" || number(time).is_some_and(|time| (least..=most).contains(&time))
        };
        (times.len() == 5 && !command.trim().is_empty()).then_some(())?;
        times.iter().zip(limits).all(is_right).then_some(())?;
        hours.extend(number(times[1]));
    }
    Some(hours)
}

/// The texts of a catalog that are to be translated; nothing if a line is odd, or a text has no translation after it.
fn messages(input: &str) -> Option<Vec<&str>> {
    let (mut all, mut is_open) = (Vec::new(), false);
    for line in told_lines(input) {
        let (key, rest) = line.split_once(' ')?;
        let text = rest.strip_prefix('"')?.strip_suffix('"')?;
        let is_sign = |c: char| !c.is_control() && !['"', '\\'].contains(&c);
        (text.chars().all(is_sign) && key == if is_open { "msgstr" } else { "msgid" })
            .then_some(())?;
        if !is_open {
            all.push(text);
        }
        is_open = !is_open;
    }
    (!is_open).then_some(all)
}

/// What is done with each commit; nothing if a line is odd, or the first is squashed into the one before it.
fn commands(input: &str) -> Option<Vec<&str>> {
    let commands = told_lines(input).map(|line| {
        let mut parts = line.splitn(3, ' ');
        let [command, commit, message] = [parts.next()?, parts.next()?, parts.next()?];
        let is_known = ["pick", "reword", "edit", "squash", "drop"].contains(&command);
        let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_commit = commit.len() == 7 && commit.chars().all(is_digit);
        let is_message = is_shown(message) && !message.trim().is_empty();
        (is_known && is_commit && is_message).then_some(command)
    });
    let commands: Vec<&str> = commands.collect::<Option<_>>()?;
    (commands.first() != Some(&"squash")).then_some(commands)
}

/// How long the rows of each map of a game are; nothing if a line is odd, or a map has no end.
fn maps(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut all, mut open) = (Vec::new(), None::<Vec<usize>>);
    for line in input.split('\n').filter(|line| !line.is_empty()) {
        open = match (open, line) {
            (None, "map") => Some(Vec::new()),
            (None, line) => {
                let (key, value) = line.split_once(": ")?;
                (is_name(key) && is_shown(value)).then_some(())?;
                None
            }
            (Some(rows), "end") => {
                all.push(rows);
                None
            }
            (Some(mut rows), row) => {
                row.chars().all(|c| "#.@~".contains(c)).then_some(())?;
                rows.push(row.len());
                Some(rows)
            }
        };
    }
    open.is_none().then_some(all)
}

/// The name and the number of each user; nothing if a line is odd.
fn users(input: &str) -> Option<Vec<(&str, u32)>> {
    let users = input.split('\n').filter(|line| !line.is_empty()).map(|line| {
        let parts: Vec<&str> = line.split(':').collect();
        let &[name, password, user, group, _, home, shell] = &parts[..] else { return None };
        let is_path = |text: &str| text.starts_with('/') && !text.contains(' ');
        let is_right = is_name(name) && password == "x" && is_path(home) && is_shown(line);
        (is_right && (shell.is_empty() || is_path(shell))).then_some(())?;
        number(group).and(Some((name, number(user)?)))
    });
    users.collect()
}

/// The patterns of files to be ignored; nothing if one is odd.
fn ignored(input: &str) -> Option<Vec<&str>> {
    let patterns = told_lines(input).map(|line| {
        let pattern = line.strip_prefix('!').unwrap_or(line);
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.*/".contains(c);
        let is_right = !pattern.trim_matches('/').is_empty() && !pattern.contains("//");
        (is_right && pattern.chars().all(is_sign)).then_some(line)
    });
    patterns.collect()
}

/// Whether a text is a time of a film, as hours, minutes, seconds and thousandths.
fn is_time(text: &str) -> bool {
    let Some((clock, thousandths)) = text.split_once(',') else { return false };
    let parts: Vec<&str> = clock.split(':').collect();
    let is_part = |part: &&str| part.len() == 2 && is_digits(part);
    let is_clock = parts.len() == 3 && parts.iter().all(is_part);
    is_clock && thousandths.len() == 3 && is_digits(thousandths)
}

/// How many lines of text each subtitle has; nothing if one does not begin with a number and a line of times.
fn subtitles(input: &str) -> Option<Vec<usize>> {
    let subtitles = input.strip_suffix('\n')?.split("\n\n").map(|block| {
        let mut lines = block.split('\n');
        let is_numbered = number(lines.next()?).is_some();
        let (from, to) = lines.next()?.split_once(" --> ")?;
        let texts: Vec<&str> = lines.collect();
        let is_text = |text: &&str| is_shown(text) && !text.trim().is_empty();
        let is_right = is_numbered && is_time(from) && is_time(to) && texts.iter().all(is_text);
        is_right.then_some(texts.len())
    });
    subtitles.collect()
}

/// The fields of a message, each with its type and its bytes; nothing if it is none.
fn fields(input: &str) -> Option<Vec<(u8, Vec<u8>)>> {
    let rest = input.strip_prefix("MSG1")?;
    let (all, mut at, mut found) = (bytes(rest), 0, Vec::new());
    for (kind, length) in records(rest)? {
        (1..=4).contains(&kind).then_some(())?;
        let end = at + 2 + usize::from(length);
        found.push((kind, all[at + 2..end].to_vec()));
        at = end;
    }
    Some(found)
}

/// The rows of a map, of which one may be longer or shorter than the others.
fn map(dice: &mut Random) -> String {
    let (usual, rows) = (2 + dice.below(4), dice.below(5));
    let mut lengths = vec![usual; rows];
    if rows > 0 && dice.below(2) == 0 {
        lengths[dice.below(rows)] = [usual + 1, usual - 1, usual + 3, 1][dice.below(4)];
    }
    let mut text = "map\n".to_owned();
    for length in lengths {
        let row: String = (0..length).map(|_| one(dice, &["#", "#", ".", "@", "~"])).collect();
        text += &format!("{row}\n");
    }
    text + "end\n"
}

/// A line of a table of jobs.
fn job(dice: &mut Random) -> String {
    if dice.below(4) == 0 {
        let lines = ["# 5 2 * * * backup", "", "SHELL=/bin/sh", "MAILTO=ops 2", "# night"];
        return one(dice, &lines).to_owned();
    }
    let hour = one(dice, &["1", "2", "3", "0", "4", "5", "12", "13", "20", "21", "*", "*"]);
    let minute = one(dice, &["0", "2", "3", "30", "59", "*"]);
    let day = one(dice, &["*", "*", "1", "2", "15"]);
    let month = one(dice, &["*", "*", "3", "12"]);
    let command = one(dice, &["backup", "/bin/sync 2 3", "mail -s 1 ops", "rotate 3 *"]);
    format!("{minute} {hour} {day} {month} {} {command}", one(dice, &["*", "1", "2", "6"]))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-third: plain: crontab: a job whose hour is from 1 to 3",
        grammar: "",
        input: "# 0 2 * * * old\nSHELL=/bin/sh\nMAILTO=ops\n\n3 * * * * /bin/sync 2\n0 13 1 * * report 3 1\n\n30 2 * * 0 backup --all /srv\n15 22 3 1 * rotate\n2 0 * * * mail -s 1 ops\n",
        valid: |input| hours(input).is_some(),
        fails: |input| {
            hours(input).is_some_and(|all| all.iter().any(|hour| (1..=3).contains(hour)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", job) + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: catalog: a text to be translated that is not ASCII",
        grammar: "",
        input: "# Übersetzt von Jörg\nmsgid \"\"\nmsgstr \"Sprache: Französisch\"\n\nmsgid \"Open\"\nmsgstr \"Öffnen\"\n\n#. menu\nmsgid \"Save as…\"\nmsgstr \"Sichern unter\"\n\nmsgid \"Close all\"\nmsgstr \"Alles schließen\"\n",
        valid: |input| messages(input).is_some(),
        fails: |input| messages(input).is_some_and(|all| all.iter().any(|text| !text.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let before = one(dice, &["", "", "# Jörg\n", "#. menu\n", "# msgid \"é\"\n"]);
                let text = match dice.below(3) {
                    0 => one(dice, &["Save as…", "Café", "ñ", "10 €", "naïve use"]),
                    _ => one(dice, &["Open", "Close all", "", "Save as...", "msgid", "~10%"]),
                };
                let translated = one(dice, &["Öffnen", "Alles", "", "schließen", "…", "msgid é"]);
                format!("{before}msgid \"{text}\"\nmsgstr \"{translated}\"\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: rebase: an edit, then a squash, and then a drop",
        grammar: "",
        input: "# rebase of 4 onto 9\npick 1a2b3c4 add tides\ndrop 9f00d11 edit the readme\npick 77aa0e2 drop old maps\nedit 0badcab add berths\nreword 5e5e5e5 squash it later\nsquash c0ffee1 fix berths\n\npick d00dfee names\ndrop 1234567 debug\nedit 7654321 more names\n",
        valid: |input| commands(input).is_some(),
        fails: |input| {
            commands(input).is_some_and(|all| are_in_order(&all, &["edit", "squash", "drop"]))
        },
        draw: |dice| {
            let orders = [
                ["edit", "squash", "drop"],
                ["edit", "squash", "drop"],
                ["edit", "drop", "squash"],
                ["drop", "edit", "squash"],
                ["pick", "squash", "drop"],
                ["edit", "pick", "drop"],
            ];
            let mut all = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let command = one(dice, &["pick", "reword", "pick", "edit", "squash", "drop"]);
                all.insert(1 + dice.below(all.len()), command);
            }
            let mut text = String::new();
            for command in all {
                let commit = one(dice, &["1a2b3c4", "c0ffee1", "d00dfee", "1234567"]);
                let message = one(dice, &["add tides", "drop old maps", "squash", "edit x"]);
                text += one(dice, &["", "", "", "\n", "# drop\n", "# edit 1a2b3c4 x\n"]);
                text += &format!("{command} {commit} {message}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: level: a map whose rows are not all of one length",
        grammar: "",
        input: "title: Sea cave\nauthor: Bo\n\nmap\n#####\n#.@.#\n#####\nend\n\ntitle: Pier\nhint: #.@\nmap\n####\n#..~\n#.@~~\n####\nend\n\ntitle: Empty\nmap\nend\nbest: 12 steps\n",
        valid: |input| maps(input).is_some(),
        fails: |input| {
            let all = maps(input).unwrap_or_default();
            all.iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let before = ["", "\n", "title: Pier\n", "hint: #.@\n", "best: 12 steps\n"];
                format!("{}{}", one(dice, &before), map(dice))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: passwd: a user with the number 0 who is not root",
        grammar: "",
        input: "root:x:0:0:Charlie Root:/root:/bin/sh\ndaemon:x:1:0:root:/root:/sbin/nologin\nada:x:1000:1000:Ada, 2nd floor:/home/ada:/bin/sh\ntoor:x:0:100:spare root:/root:/bin/csh\nbo:x:1001:0::/home/0:\nmail:x:8:8::/var/mail:\n",
        valid: |input| users(input).is_some(),
        fails: |input| {
            users(input).is_some_and(|all| all.iter().any(|one| one.1 == 0 && one.0 != "root"))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let name = one(dice, &["root", "root", "ada", "toor", "root2", "roo"]);
                let user = one(dice, &["0", "0", "1", "10", "1000", "100"]);
                let group = one(dice, &["0", "0", "1", "100", "1000"]);
                let comment = one(dice, &["", "root", "Ada, 2nd floor", "0", "spare root"]);
                let home = one(dice, &["/root", "/home/ada", "/home/0", "/"]);
                let shell = one(dice, &["/bin/sh", "", "/sbin/nologin"]);
                format!("{name}:x:{user}:{group}:{comment}:{home}:{shell}\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: gitignore: a pattern that begins with an exclamation mark and ends in a slash",
        grammar: "",
        input: "# !keep/\n/target\n*.log\n!main.log\nbuild/\n\ndocs/**\n!docs/pictures/\n!docs/*.md\n# ends!/\nout/*/tmp/\n!src/a\n",
        valid: |input| ignored(input).is_some(),
        fails: |input| {
            let is_such = |line: &&str| line.starts_with('!') && line.ends_with('/');
            ignored(input).is_some_and(|all| all.iter().any(is_such))
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "", |dice| {
                if dice.below(5) == 0 {
                    return one(dice, &["\n", "# !keep/\n", "#!a/\n", "# x\n"]).to_owned();
                }
                let before = one(dice, &["", "!", "!", "/", "!/"]);
                let name = one(dice, &["target", "docs/a", "*.log", "out/*", "docs/**"]);
                format!("{before}{name}{}\n", one(dice, &["", "/", "/", "/a", "/*"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: plain: subtitles: one without a line of text",
        grammar: "",
        input: "1\n00:00:01,500 --> 00:00:04,000\nThe tide is out.\n\n2\n00:00:04,200 --> 00:00:06,900\n- Since when?\n- Since 6:00, 3\n\n3\n00:00:07,000 --> 00:00:09,000\n\n4\n00:00:10,100 --> 00:00:12,000\n4\n\n5\n00:01:00,000 --> 00:01:02,040\nLook --> there.\n",
        valid: |input| subtitles(input).is_some(),
        fails: |input| subtitles(input).is_some_and(|all| all.contains(&0)),
        draw: |dice| {
            let (mut at, count, is_odd) = (0, 1 + dice.below(4), dice.below(3) > 0);
            let mut blocks = Vec::new();
            for block in 1..=count {
                let (from, to) = (at + dice.below(3), at + 3 + dice.below(9));
                let mut text = format!("{block}\n00:00:{from:02},500 --> 00:00:{to:02},000\n");
                let least = usize::from(!is_odd || dice.below(2) == 0);
                for _ in 0..least * (1 + dice.below(3)) {
                    let lines = ["The tide is out.\n", "4\n", "- Since 6:00\n", "a --> b\n"];
                    text += one(dice, &lines);
                }
                blocks.push(text);
                at = to;
            }
            blocks.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: binary: a field of type 3 with a zero byte in it",
        grammar: "",
        input: "MSG1\u{1}\u{2}\u{0}\u{7}\u{3}\u{5}hello\u{2}\u{0}\u{4}\u{4}\u{3}\u{1}\u{0}\u{9}\u{3}\u{6}ab\u{0}cde\u{3}\u{0}\u{1}\u{1}\u{0}\u{3}\u{2}\u{ff}x",
        valid: |input| fields(input).is_some(),
        fails: |input| {
            let all = fields(input).unwrap_or_default();
            all.iter().any(|(kind, bytes)| *kind == 3 && bytes.contains(&0))
        },
        draw: |dice| {
            let mut fields = Vec::new();
            for _ in 0..1 + dice.below(5) {
                let kind = [1, 2, 3, 3, 3, 4][dice.below(6)];
                let length = [0, 1, 2, 3, 5][dice.below(5)];
                let others = [b'a', 1, 3, 255, b'x', 48];
                let mut bytes: Vec<u8> = (0..length).map(|_| others[dice.below(6)]).collect();
                if length > 0 && dice.below(3) == 0 {
                    bytes[dice.below(length)] = 0;
                }
                fields.push(text_of(&[kind, length as u8]) + &text_of(&bytes));
            }
            format!("MSG1{}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
];
