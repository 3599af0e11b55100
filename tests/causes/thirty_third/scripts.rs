//! Causes in texts without a grammar: raffles, jobs for backups, aliases of mail addresses and an
//! invitation.

use crate::draws::{chance, counted, extras, has_twins, picked, statements, steps};
use crate::readers::{are_in_order, is_name, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How many prizes each raffle has, and how many tickets.
fn raffles(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut all: Vec<Vec<(&str, &str)>> = Vec::new();
    for line in statements(input, "~") {
        if let Some(head) = line.strip_prefix("== ") {
            head.strip_suffix(" ==").filter(|head| is_shown(head))?;
            all.push(Vec::new());
            continue;
        }
        let (key, value) = line.split_once(':')?;
        let pairs = all.last_mut()?;
        let is_new = pairs.iter().all(|(other, _)| *other != key);
        pairs.push(Some((key, value.trim())).filter(|_| is_new && is_name(key))?);
        is_shown(value).then_some(())?;
    }
    let raffles = all.iter().map(|pairs| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        let tickets = value("tickets")?.split_whitespace().map(number);
        Some((number(value("prizes")?)?, tickets.collect::<Option<Vec<u32>>>()?.len()))
    });
    raffles.collect()
}

/// The commands of each job.
fn jobs(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        if let Some(job) = line.strip_prefix("job ") {
            let (name, commands) = job.split_once(": ")?;
            let commands = commands.split(" && ").map(|command| {
                let mut words = command.split(' ');
                let name = words.next().filter(|name| is_name(name))?;
                words.all(|word| is_name(word) || number(word).is_some()).then_some(name)
            });
            is_name(name).then_some(())?;
            found.push(commands.collect::<Option<Vec<&str>>>()?);
            continue;
        }
        match line.split(' ').collect::<Vec<&str>>()[..] {
            ["set", name, value] => (is_name(name) && is_shown(value)).then_some(())?,
            ["at", time, "run", name] => (is_shown(time) && is_name(name)).then_some(())?,
            _ => return None,
        }
    }
    Some(found)
}

/// To whom the mails to each alias go.
fn aliases(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_address = |text: &str| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || "@.-".contains(c);
        !text.is_empty() && text.chars().all(is_inside)
    };
    let mut found = Vec::new();
    for line in input.lines() {
        let line = line.split('#').next()?.trim_end();
        if line.is_empty() {
            continue;
        }
        if let Some(denied) = line.strip_prefix("!deny ") {
            denied.split(", ").all(is_address).then_some(())?;
            continue;
        }
        let (name, recipients) = line.split_once(':')?;
        let recipients: Vec<&str> = recipients.split(',').map(str::trim).collect();
        let are_right = recipients.iter().all(|text| is_address(text));
        found.push(Some(recipients).filter(|_| are_right && is_name(name))?);
    }
    Some(found)
}

/// The filters of the names in a template. A remark has an exclamation mark.
fn filters(input: &str) -> Option<Vec<&str>> {
    let (mut rest, mut found) = (input, Vec::new());
    while let Some((before, after)) = rest.split_once("[[") {
        let (inner, after) = after.split_once("]]")?;
        (!before.contains("]]") && !inner.contains(['[', ']'])).then_some(())?;
        rest = after;
        if inner.starts_with('!') {
            continue;
        }
        let mut parts = inner.split('|');
        parts.next().filter(|name| is_name(name))?;
        for part in parts {
            let (name, value) = part.split_once(':').unwrap_or((part, "0"));
            found.push(Some(name).filter(|name| is_name(name) && number(value).is_some())?);
        }
    }
    (!rest.contains("]]")).then_some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-third: plain: raffle: a draw with exactly as many tickets as prizes",
        grammar: "",
        input: concat!(
            "~ prizes: 2\n\n== spring fair ==\nprizes: 5\ntickets: 112 40 77\nhelpers: 1 2 3 4 5\n\n",
            "== 3 tickets ==\nwinners: 40 7 12\ntickets: 40 7 12 3\nseller: Ada\nprizes: 4\n",
            "== harvest ==\ntickets:\nprizes: 1\nprice: 2\n~ tickets: 9 9\n"
        ),
        valid: |input| raffles(input).is_some(),
        fails: |input| {
            let all = raffles(input).unwrap_or_default();
            all.iter().any(|(prizes, count)| *prizes as usize == *count)
        },
        draw: |dice| {
            let mut parts = extras(dice, &["~ prizes: 2\n", "~ tickets: 9 9\n", "\n"]);
            for _ in 0..1 + dice.below(3) {
                let count = dice.below(6);
                let tickets = joined(dice, count, "", |dice| format!(" {}", 1 + dice.below(120)));
                let others =
                    ["helpers: 1 2 3 4 5\n", "winners: 40 7 12\n", "seller: Ada\n", "price: 2\n"];
                let mut lines = extras(dice, &others);
                lines.push(format!("prizes: {}\n", counted(dice, count, 28)));
                lines.push(format!("tickets:{tickets}\n"));
                let head = one(dice, &["spring fair", "3 tickets", "harvest"]);
                parts.push(format!("== {head} ==\n{}", shuffled(dice, lines).concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: plain: backup: a job with a mount, then a wipe, and then a copy",
        grammar: "",
        input: concat!(
            "# mount && wipe && copy\nset retries 3\nset tool copy\n",
            "job wipe: mount disk-2 && copy home && sync\n\n",
            "job nightly: ping nas 4 && mount disk-1 && check && wipe old && sync && copy home ",
            "&& copy etc && eject\nat 02:30 run nightly\njob weekly: wipe old && mount disk-3 && ",
            "copy all\njob copy: ping wipe\nat 04:00 run wipe\n"
        ),
        valid: |input| jobs(input).is_some(),
        fails: |input| {
            let all = jobs(input).unwrap_or_default();
            all.iter().any(|commands| are_in_order(commands, &["mount", "wipe", "copy"]))
        },
        draw: |dice| {
            let others = [
                "# mount && wipe && copy\n",
                "set retries 3\n",
                "set tool copy\n",
                "at 02:30 run nightly\n",
                "\n",
            ];
            let mut lines = extras(dice, &others);
            for at in 0..1 + dice.below(3) {
                let others = ["ping", "check", "sync", "mount", "copy", "unmount"];
                let commands = match at {
                    0 => steps(dice, ["mount", "wipe", "copy"], &others),
                    _ => (0..1 + dice.below(4)).map(|_| one(dice, &others)).collect(),
                };
                let mut words = Vec::new();
                for command in commands {
                    let end = one(dice, &["", " home", " disk-2", " nas 4", " wipe"]);
                    words.push(format!("{command}{end}"));
                }
                let name = one(dice, &["nightly", "weekly", "wipe"]);
                lines.push(format!("job {name}: {}\n", words.join(" && ")));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: plain: aliases: an alias with the same recipient twice",
        grammar: "",
        input: concat!(
            "# team: anna, anna\npostmaster: root\n!deny spam, spam\n",
            "team:   anna, raj, bo   # raj, raj\n\n",
            "sales: zoe@owl.example, raj, bo, kim, raj\nraj: anna\nhelp:anna,Anna\n",
            "press: anna.b, anna  # both\n"
        ),
        valid: |input| aliases(input).is_some(),
        fails: |input| aliases(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = ["# team: anna, anna\n", "!deny spam, spam\n", "postmaster: root\n", "\n"];
            let mut lines = extras(dice, &others);
            for name in picked(dice, &["team", "sales", "raj", "help"], 3, 0) {
                let known = ["anna", "Anna", "anna.b", "raj", "bo", "zoe@owl.example"];
                let by = one(dice, &[", ", ","]);
                let recipients = picked(dice, &known, 5, 33).join(by);
                let start = one(dice, &[" ", "", "   "]);
                let end = one(dice, &["", "", "", "  # raj, raj", "   # both"]);
                lines.push(format!("{name}:{start}{recipients}{end}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: plain: invitation: a filter upcase, title or swapcase",
        grammar: "",
        input: concat!(
            "[[! guest|title|upcase ]]\nDear [[title|trim]] [[guest|downcase|trim]],\n\n",
            "please come to our title|upcase party\non [[day|pad:12]] at [[place|trim|swapcase|cut:30]].\n",
            "Bring [[upcase]], and [[swapcase|titles]] too (swapcase).\n\n[[host]]\n"
        ),
        valid: |input| filters(input).is_some(),
        fails: |input| {
            let all = filters(input).unwrap_or_default();
            all.iter().any(|filter| ["upcase", "title", "swapcase"].contains(filter))
        },
        draw: |dice| {
            let others = [
                "[[! guest|title|upcase ]]\n",
                "please come to our title|upcase party\n",
                "bring a friend (swapcase)\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut name = one(dice, &["guest", "day", "title", "upcase", "host"]).to_owned();
                for _ in 0..dice.below(4) {
                    let filter = match chance(dice, 20) {
                        true => one(dice, &["upcase", "title", "swapcase"]),
                        false => one(dice, &["trim", "downcase", "titles", "pad:12", "cut:30"]),
                    };
                    name += &format!("|{filter}");
                }
                let [start, end] = [["", "Dear ", "on "], ["\n", ",\n", " too "]];
                parts.push(format!("{}[[{name}]]{}", one(dice, &start), one(dice, &end)));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
