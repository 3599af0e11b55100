//! Causes in texts without a grammar, and one in binary data.

use crate::readers::{are_in_order, bytes, is_digits, is_word, signed_decimals, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The subjects in the head of a mail; nothing if the head has no end, or a line of it is odd.
fn subjects(input: &str) -> Option<Vec<&str>> {
    let (head, _) = input.split_once("\n\n").filter(|_| !input.contains('\r'))?;
    let mut all = Vec::new();
    for line in head.split('\n') {
        let (name, value) = line.split_once(": ")?;
        let is_known = ["From", "To", "Cc", "Date", "Subject"].contains(&name);
        (is_known && !value.trim().is_empty()).then_some(())?;
        if name == "Subject" {
            all.push(value);
        }
    }
    Some(all)
}

/// The amounts of a bank statement; nothing if a line is not a day, an amount and what it was for.
fn amounts(input: &str) -> Option<Vec<(bool, usize)>> {
    let lines = input.lines().map(|line| {
        let (day, rest) = line.split_once(' ')?;
        let (number, what) = rest.split_once(' ')?;
        let (month, day) = day.split_once('/')?;
        let is_day = [month, day].iter().all(|part| part.len() == 2 && is_digits(part));
        signed_decimals(number).filter(|_| is_day && !what.trim().is_empty())
    });
    lines.collect()
}

/// The actions on a file, in order; nothing if a line is not a time, an action and a word.
fn actions(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| match line.split(' ').collect::<Vec<&str>>()[..] {
        [time, action, name] => {
            let (hours, minutes) = time.split_once(':')?;
            let is_time = [hours, minutes].iter().all(|part| part.len() == 2 && is_digits(part));
            let is_known = ["open", "close", "read", "write", "seek"].contains(&action);
            (is_time && is_known && is_word(name)).then_some(action)
        }
        _ => None,
    });
    lines.collect()
}

/// The lengths of the rows of each level of a maze; nothing if a line is neither a row nor blank nor a remark.
fn levels(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut all = vec![Vec::new()];
    for line in input.split('\n').filter(|line| !line.starts_with(';')) {
        line.chars().all(|c| "#.@$".contains(c)).then_some(())?;
        match line.is_empty() {
            true => all.push(Vec::new()),
            false => all.last_mut()?.push(line.len()),
        }
    }
    Some(all)
}

/// Whether settings end in a backslash that says that the line goes on; nothing if a line is odd.
fn goes_on(input: &str) -> Option<bool> {
    let mut goes_on = false;
    for line in input.lines() {
        let text = line.strip_suffix('\\').unwrap_or(line);
        let is_setting = text.split_once(' ').is_some_and(|(key, _)| is_word(key));
        (!text.contains(['\\', '\r']) && (goes_on || is_setting)).then_some(())?;
        goes_on = text != line;
    }
    Some(goes_on)
}

/// The passwords of a list of accounts; nothing if a line is no account.
fn passwords(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| match line.split(':').collect::<Vec<&str>>()[..] {
        [login, password, user, group, _, _, _] => {
            (is_word(login) && is_digits(user) && is_digits(group)).then_some(password)
        }
        _ => None,
    });
    lines.collect()
}

/// Whether an end has another name than its begin; nothing if not each begin has an end, or there is another command.
fn has_wrong_end(input: &str) -> Option<bool> {
    let (mut open, mut found) = (Vec::new(), false);
    let mut parts = input.split('\\');
    parts.next().filter(|before| !before.contains(['{', '}']))?;
    for part in parts {
        let (command, after) = part.split_once('}')?;
        let (command, name) = command.split_once('{').filter(|(_, name)| is_word(name))?;
        (!after.contains(['{', '}'])).then_some(())?;
        match command {
            "begin" => open.push(name),
            "end" => found |= open.pop()? != name,
            _ => return None,
        }
    }
    open.is_empty().then_some(found)
}

/// How long a map is, and where it says that its tiles begin; nothing if it is none.
fn tiles(input: &str) -> Option<(usize, usize)> {
    match bytes(input)[..] {
        [b'M', b'A', b'P', b'2', _, _, low, high, ..] => {
            Some((input.chars().count(), usize::from(u16::from_le_bytes([low, high]))))
        }
        _ => None,
    }
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twentieth: plain: mail: a subject with a character that is not ASCII",
        grammar: "",
        input: "From: Zoë Adler <zoe@example.org>\nTo: team@example.org\nDate: 3 May, 18:40\nSubject: menu for the soirée (2)\nCc: josé@example.org\n\nSubject: as above.\nBring crème brûlée.\n",
        valid: |input| subjects(input).is_some(),
        fails: |input| subjects(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let foreign = ["soirée", "Re: menu ü", "日本", "naïve plan", "é"];
            let usual = ["menu (2)", "Re: plans", "Subject: x", "a", "soiree"];
            let mut lines = Vec::new();
            for name in ["From", "To", "Cc", "Date"] {
                if dice.below(2) == 0 {
                    let value = match dice.below(3) {
                        0 => one(dice, &["Zoë <zoe@example.org>", "josé", "łódź, 3 May"]),
                        _ => one(dice, &["team@example.org", "3 May", "Subject"]),
                    };
                    lines.push(format!("{name}: {value}\n"));
                }
            }
            if dice.below(6) > 0 {
                let is_foreign = dice.below(2) == 0;
                let subject = if is_foreign { one(dice, &foreign) } else { one(dice, &usual) };
                lines.push(format!("Subject: {subject}\n"));
            } else {
                lines.push("To: bo@example.org\n".to_owned());
            }
            let body = ["", "Hello.\n", "Subject: crème\n", "Bring crème.\n\nÀ bientôt\n"];
            format!("{}\n{}", shuffled(dice, lines).concat(), one(dice, &body))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: bank: a negative amount with exactly one decimal",
        grammar: "",
        input: "03/01 1850.00 salary of -2.5 weeks\n03/02 -43.15 bakery\n03/04 7.5 refund\n03/09 -120 dentist\n03/11 -18.5 taxi to 4.25\n03/12 -3.125 fuel\n",
        valid: |input| amounts(input).is_some(),
        fails: |input| amounts(input).is_some_and(|all| all.contains(&(true, 1))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let amount = match dice.below(5) {
                    0 => one(dice, &["-18.5", "-0.5", "-120.0", "-7.2", "-1000.9"]),
                    1 => one(dice, &["-43.15", "-0.50", "-3.125", "-1.00"]),
                    2 => one(dice, &["7.5", "0.5", "120.0", "0.0"]),
                    3 => one(dice, &["-120", "-5", "-1"]),
                    _ => one(dice, &["1850.00", "12", "0", "3.125"]),
                };
                let what = one(dice, &["bakery", "refund of -2.5", "taxi 4", "- fuel -"]);
                format!("0{}/{} {amount} {what}\n", 1 + dice.below(9), 10 + dice.below(20))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: log: an open, then a close, and then a read",
        grammar: "",
        input: "09:01 read notes\n09:02 close notes\n09:04 seek open\n09:05 open diary\n09:05 read diary\n09:07 write diary\n09:11 close diary\n09:12 seek diary\n09:13 read close\n09:20 write read\n",
        valid: |input| actions(input).is_some(),
        fails: |input| {
            actions(input).is_some_and(|all| are_in_order(&all, &["open", "close", "read"]))
        },
        draw: |dice| {
            let orders = [
                ["open", "close", "read"],
                ["open", "close", "read"],
                ["open", "read", "close"],
                ["close", "open", "read"],
                ["read", "open", "close"],
                ["open", "close", "write"],
            ];
            let mut all = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let action = one(dice, &["open", "close", "read", "write", "seek"]);
                all.insert(dice.below(all.len() + 1), action);
            }
            let lines = all.iter().enumerate().map(|(at, action)| {
                let name = one(dice, &["notes", "diary", "open", "close", "read"]);
                format!("09:{:02} {action} {name}\n", 3 * at + dice.below(3))
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: maze: a level whose rows are not all of one length",
        grammar: "",
        input: "; level 1\n#####\n#@.$#\n#####\n\n; level two, by Ann\n####\n#..#\n#.@.#\n#..#\n####\n\n###\n#@#\n###\n",
        valid: |input| levels(input).is_some(),
        fails: |input| {
            let all = levels(input).unwrap_or_default();
            all.iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let usual = 1 + dice.below(6);
                let is_even = dice.below(3) > 0;
                let mut text = one(dice, &["", "; level 1\n", "; #.\n"]).to_owned();
                for _ in 0..1 + dice.below(4) {
                    let length = match dice.below(3) {
                        0 if !is_even => [usual + 1, usual + 2, usual.max(2) - 1][dice.below(3)],
                        _ => usual,
                    };
                    let row = joined(dice, length, "", |dice| {
                        one(dice, &["#", "#", ".", "@", "$"]).to_owned()
                    });
                    text += &format!("{row}\n");
                }
                text
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: settings: a backslash at the end of the last line",
        grammar: "",
        input: "listen 8080\npath /usr/bin \\\n  /usr/local/bin \\\n  /opt/bin\nuser www\nmodules gzip auth \\\n  cache\\\n  proxy \\\n",
        valid: |input| goes_on(input).is_some(),
        fails: |input| goes_on(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let mut text = joined(dice, count, "", |dice| {
                let key = one(dice, &["listen", "path", "user"]);
                let value = one(dice, &["8080", "/usr/bin", "gzip auth", ""]);
                let count = dice.below(3);
                let more = joined(dice, count, "", |dice| {
                    let between = one(dice, &["\\\n", " \\\n  "]);
                    format!("{between}{}", one(dice, &["cache", "8080", "/opt/bin", ""]))
                });
                format!("{key} {value}{more}\n")
            });
            if dice.below(2) == 0 {
                text.insert_str(text.len() - 1, one(dice, &["\\", " \\"]));
            }
            if dice.below(4) == 0 {
                text.pop();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: accounts: an account with an empty password",
        grammar: "",
        input: "root:x:0:0:Root:/root:/bin/sh\nmaria:x:1001:100::/home/maria:/bin/zsh\nguest::1005:100:Guest, no mail:/tmp:\nftp:*:21:21:::\n",
        valid: |input| passwords(input).is_some(),
        fails: |input| passwords(input).is_some_and(|all| all.contains(&"")),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let login = one(dice, &["root", "maria", "guest", "x"]);
                let password = one(dice, &["", "x", "*", "x9/f.Q", " "]);
                let full = one(dice, &["", "Root", "Guest, no mail"]);
                let (home, shell) =
                    (one(dice, &["", "/tmp", "/root"]), one(dice, &["", "/bin/sh"]));
                let group = 100 * dice.below(3);
                format!("{login}:{password}:{}:{group}:{full}:{home}:{shell}\n", dice.below(2000))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: plain: latex: an end of another name than its begin",
        grammar: "",
        input: "Intro.\n\\begin{quote}\nAll is begun.\n\\begin{list}\n- one, 2\n\\end{list}\n\\begin{table}\n3 & 4\n\\end{figure}\nSo it ends.\n\\end{quote}\n\\begin{list}\\end{list}\n",
        valid: |input| has_wrong_end(input).is_some(),
        fails: |input| has_wrong_end(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let names = ["quote", "list", "table", "lists"];
                let mut text = one(dice, &["", "- one\n", "begin list\n"]).to_owned();
                for _ in 0..1 + dice.below(3) {
                    let begin = one(dice, &names);
                    let end = if dice.below(6) == 0 { one(dice, &names) } else { begin };
                    let after = ["\n", "\n", "", "\\begin{list}\\end{list}\n", "\nEnd quote.\n"];
                    let before = one(dice, &["", "3 & 4\n", "Intro. "]);
                    let after = one(dice, &after);
                    text = format!("{before}\\begin{{{begin}}}\n{text}\\end{{{end}}}{after}");
                }
                text
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: binary: an offset of the tiles that is past the end of the file",
        grammar: "",
        input: "MAP2\u{10}\u{0}\u{2c}\u{1}old harbor\u{0}\u{1}\u{1}\u{2}\u{2}\u{0}\u{ff}\u{ff}\u{8}\u{0}MAP2\u{3}\u{0}\u{1}\u{1}\u{80}\u{2}tiles\u{0}",
        valid: |input| tiles(input).is_some(),
        fails: |input| tiles(input).is_some_and(|(length, offset)| offset > length),
        draw: |dice| {
            let count = if dice.below(6) == 0 { 250 + dice.below(20) } else { dice.below(14) };
            let length = 8 + count;
            let near = [length, length, length - 1, length + 1, length + 2, length / 2];
            let far = [8, 0, length + 10, 256, 256 + dice.below(30), 512, dice.below(65_536)];
            let offset = if dice.below(2) == 0 { near[dice.below(6)] } else { far[dice.below(7)] };
            let mut all = b"MAP2".to_vec();
            let width = one(dice, &["\u{10}\u{0}", "\u{0}\u{1}", "\u{ff}\u{ff}"]);
            all.extend(bytes(width));
            all.extend((offset as u16).to_le_bytes());
            let name = word(dice, 8).into_bytes();
            let data = (0..count).map(|at| match name.get(at) {
                Some(letter) => *letter,
                None => dice.below(256) as u8,
            });
            all.extend(data);
            text_of(&all)
        },
        patterns: &[],
    },
];
