//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use crate::readers::{bytes, is_word, records, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The numbers of each ticket; nothing if a line is none, or a number is not from 1 to 49.
fn tickets(input: &str) -> Option<Vec<Vec<u8>>> {
    let of = |text: &str| {
        let number = text.parse::<u8>().ok();
        number.filter(|number| (1..=49).contains(number) && number.to_string() == text)
    };
    let lines = input.lines().map(|line| {
        let (name, numbers) = line.split_once(": ")?;
        let is_named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        numbers.split(' ').map(of).collect::<Option<_>>().filter(|_| is_named)
    });
    lines.collect()
}

/// The steps at a kiln, in order; nothing if a line is odd.
fn kiln(input: &str) -> Option<Vec<&str>> {
    let is_time = |text: &str| {
        let parts = text.split_once(':');
        parts.is_some_and(|(hours, minutes)| {
            let is_two = |part: &str| part.len() == 2 && part.chars().all(|c| c.is_ascii_digit());
            is_two(hours) && is_two(minutes)
        })
    };
    let lines = input.lines().map(|line| match line.split(' ').collect::<Vec<&str>>()[..] {
        [time, step, thing] => {
            let is_known = ["fire", "glaze", "cool", "weigh", "label"].contains(&step);
            (is_time(time) && is_known && is_word(thing)).then_some(step)
        }
        _ => None,
    });
    lines.collect()
}

/// The keys of each binding; nothing if a line is neither a binding nor a comment.
fn bindings(input: &str) -> Option<Vec<Vec<&str>>> {
    let lines = input.lines().filter(|line| !line.starts_with("# "));
    let bindings = lines.map(|line| match line.split(' ').collect::<Vec<&str>>()[..] {
        ["bind", keys, action] => {
            let keys: Vec<&str> = keys.split('+').collect();
            let is_key =
                |key: &&str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric());
            (is_word(action) && keys.iter().all(is_key)).then_some(keys)
        }
        _ => None,
    });
    bindings.collect()
}

/// The length of each string's line in a tablature; nothing if a line is neither one nor a comment.
fn strings(input: &str) -> Option<Vec<usize>> {
    let lines = input.lines().filter(|line| !line.starts_with("# "));
    let lengths = lines.map(|line| {
        let (name, notes) = line.strip_suffix('|')?.split_once('|')?;
        let is_note = |c: char| c.is_ascii_digit() || "-hp|".contains(c);
        (["e", "B", "G", "D", "A"].contains(&name) && notes.chars().all(is_note))
            .then_some(line.len())
    });
    lengths.collect()
}

/// How many nicks each kick has; nothing if a line is no message.
fn kicks(input: &str) -> Option<Vec<usize>> {
    let names = |text: &str, sign: &str| {
        let all = text.split(',').map(|one| one.strip_prefix(sign).map(str::to_owned));
        let all: Option<Vec<String>> = all.collect();
        all.filter(|all| all.iter().all(|one| is_word(one)))
    };
    let mut found = Vec::new();
    for line in input.lines() {
        let (head, has_text) = match line.split_once(" :") {
            Some((_, "")) => return None,
            Some((head, _)) => (head, true),
            None => (line, false),
        };
        match (&head.split(' ').collect::<Vec<&str>>()[..], has_text) {
            (["JOIN", rooms], false) => drop(names(rooms, "#")?),
            (["PRIVMSG", nicks], true) => drop(names(nicks, "")?),
            (["KICK", room, nicks], true) => {
                names(room, "#").filter(|rooms| rooms.len() == 1)?;
                found.push(names(nicks, "")?.len());
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The keys of an appointment with their values; nothing if a line is odd.
fn appointment(input: &str) -> Option<Vec<(&str, &str)>> {
    let is_key =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    let lines = input.lines().map(|line| line.split_once(':').filter(|(key, _)| is_key(key)));
    lines.collect()
}

/// The paths that a file for robots allows and forbids; nothing if a line is odd.
fn rules(input: &str) -> Option<Vec<&str>> {
    let mut all = Vec::new();
    for line in input.lines() {
        let (key, rest) = line.split_once(':')?;
        let value = if rest.is_empty() { "" } else { rest.strip_prefix(' ')? };
        (!value.contains(char::is_whitespace)).then_some(())?;
        match key {
            "Allow" | "Disallow" => all.push(value),
            "User-agent" | "Sitemap" | "Crawl-delay" => {}
            _ => return None,
        }
    }
    Some(all)
}

/// The names in a map; nothing if it is none.
fn names(input: &str) -> Option<Vec<Vec<u8>>> {
    let (all, mut at) = (bytes(input), 4);
    let mut found = Vec::new();
    for (kind, length) in records(input.strip_prefix("MAP2")?)? {
        let end = at + 2 + usize::from(length);
        if kind == b'N' {
            found.push(all[at + 2..end].to_vec());
        }
        at = end;
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "eighteenth: plain: lottery: a ticket with a number twice",
        grammar: "",
        input: "march12: 4 17 23 31 40 44\nkai: 1 11 21 31 41 49\nowl7: 8 30 12 3 30 25\nzoe: 4 17 23 31 40 44\n",
        valid: |input| tickets(input).is_some(),
        fails: |input| {
            let all = tickets(input).unwrap_or_default();
            all.iter().any(|ticket| (1..ticket.len()).any(|at| ticket[..at].contains(&ticket[at])))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let numbers = ["1", "11", "4", "41", "14", "44", "3", "30", "49", "9"];
                let mut numbers = shuffled(dice, numbers.map(str::to_owned).to_vec());
                numbers.truncate(1 + dice.below(6));
                if dice.below(3) == 0 {
                    let again = numbers[dice.below(numbers.len())].clone();
                    numbers.insert(dice.below(numbers.len() + 1), again);
                }
                let name = one(dice, &["kai", "4", "11", "owl7", "march12"]);
                format!("{name}: {}\n", numbers.join(" "))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: kiln: a glaze after a fire and before a cool",
        grammar: "",
        input: "05:50 glaze cups\n06:10 fire bowls\n07:00 weigh clay\n07:45 glaze tiles\n08:05 label fire\n11:30 cool bowls\n12:00 fire cups\n",
        valid: |input| kiln(input).is_some(),
        fails: |input| {
            let all = kiln(input).unwrap_or_default();
            let mut rest = all.iter();
            ["fire", "glaze", "cool"].iter().all(|step| rest.any(|other| other == step))
        },
        draw: |dice| {
            let orders = [
                ["fire", "glaze", "cool"],
                ["fire", "glaze", "cool"],
                ["fire", "cool", "glaze"],
                ["glaze", "fire", "cool"],
                ["cool", "fire", "glaze"],
                ["fire", "weigh", "cool"],
            ];
            let mut steps = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let step = one(dice, &["fire", "glaze", "cool", "weigh", "label"]);
                steps.insert(dice.below(steps.len() + 1), step);
            }
            let lines = steps.iter().enumerate().map(|(at, step)| {
                let thing = one(dice, &["cups", "bowls", "fire", "glaze", "cool"]);
                format!("{:02}:{}0 {step} {thing}\n", 5 + at, dice.below(6))
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: keymap: a binding with Hyper or Super",
        grammar: "",
        input: "# Super keys of the left hand\nbind Ctrl+S save\nbind Shift+Super+F find\nbind Alt+F4 hyper\nbind Ctrl+Alt+T terminal\n",
        valid: |input| bindings(input).is_some(),
        fails: |input| {
            let all = bindings(input).unwrap_or_default();
            all.iter().flatten().any(|key| ["Hyper", "Super"].contains(key))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                if dice.below(5) == 0 {
                    return format!("# {} keys\n", one(dice, &["Super", "Hyper", "bind", "Alt"]));
                }
                let first = match dice.below(4) {
                    0 => one(dice, &["Hyper", "Super"]),
                    _ => one(dice, &["Ctrl", "Alt", "SuperL", "super", "Sup", "Meta"]),
                };
                let mut keys = vec![first.to_owned()];
                if dice.below(2) == 0 {
                    keys.push(one(dice, &["Shift", "Alt", "Hyp"]).to_owned());
                }
                let mut keys = shuffled(dice, keys);
                keys.push(one(dice, &["S", "F4", "T", "Tab"]).to_owned());
                format!("bind {} {}\n", keys.join("+"), one(dice, &["save", "hyper", "super"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: tablature: two strings whose lines are not equally long",
        grammar: "",
        input: "# slow, with a thumb\ne|--0---3--|--2---|\nB|--1---0--|--3---|\nG|--0h2-0--|--2--|\nD|--2---0--|--0---|\n# repeat twice\n",
        valid: |input| strings(input).is_some(),
        fails: |input| {
            let all = strings(input).unwrap_or_default();
            all.iter().any(|length| *length != all[0])
        },
        draw: |dice| {
            let usual = 1 + dice.below(9);
            let count = 2 + dice.below(3);
            let mut text = one(dice, &["", "", "# slow\n"]).to_owned();
            for name in ["e", "B", "G", "D", "A"].iter().take(count) {
                let length = match dice.below(7) {
                    0 => [usual + 1, usual - 1, 1 + dice.below(9)][dice.below(3)],
                    _ => usual,
                };
                let notes = joined(dice, length, "", |dice| {
                    one(dice, &["-", "-", "-", "0", "3", "h", "|"]).to_owned()
                });
                text += &format!("{name}|{notes}|\n");
            }
            text + one(dice, &["", "", "# again, and faster\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: irc: a kick of more than three nicks",
        grammar: "",
        input: "JOIN #garden,#kiln,#owls,#rust,#tide\nKICK #owls moth,fly :too loud, too late, twice, today\nPRIVMSG moth,fly,newt,crow :be nice\nKICK #tide eel,cod,ray,bass :fish only\n",
        valid: |input| kicks(input).is_some(),
        fails: |input| kicks(input).is_some_and(|all| all.iter().any(|count| *count > 3)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = [1, 2, 3, 3, 3, 4, 4, 5][dice.below(8)];
                let by = one(dice, &[",", ",", ",", ",#"]);
                match (by, dice.below(3)) {
                    (",#", _) => {
                        format!("JOIN #{}\n", joined(dice, count, by, |dice| word(dice, 3)))
                    }
                    (_, 0) => {
                        let nicks = joined(dice, count, by, |dice| word(dice, 2));
                        format!("PRIVMSG {nicks} :{}\n", one(dice, &["a,b,c,d", "kick", "KICK #a"]))
                    }
                    _ => {
                        let nicks = joined(dice, count, by, |dice| word(dice, 3));
                        let reason = one(dice, &["spam", "a,b,c,d", "too loud, you", "x"]);
                        format!("KICK #{} {nicks} :{reason}\n", one(dice, &["owls", "tide", "a"]))
                    }
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: calendar: a location with a character that is not ASCII",
        grammar: "",
        input: "BEGIN:VEVENT\nSUMMARY:Fête de la musique\nLOCATION:Halle 7, Südtor\nDTSTART:20260621\nATTENDEE:Noël\nEND:VEVENT\n",
        valid: |input| appointment(input).is_some(),
        fails: |input| {
            let all = appointment(input).unwrap_or_default();
            all.iter().any(|(key, value)| *key == "LOCATION" && !value.is_ascii())
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let foreign = ["Südtor", "é", "Kraków 3", "広場", "Halle 7, groß"];
                let plain = ["Halle 7", "Main Square", "x", "", "LOCATION:here"];
                let text = |dice: &mut _, part| match Random::below(dice, part) {
                    0 => one(dice, &foreign),
                    _ => one(dice, &plain),
                };
                let mut lines = vec![
                    format!("SUMMARY:{}\n", text(dice, 2)),
                    format!("DTSTART:2026062{}\n", dice.below(9)),
                ];
                if dice.below(6) > 0 {
                    lines.push(format!("LOCATION:{}\n", text(dice, 3)));
                }
                if dice.below(2) == 0 {
                    let key = one(dice, &["ATTENDEE", "X-LOCATION", "LOCATION-ID"]);
                    lines.push(format!("{key}:{}\n", text(dice, 2)));
                }
                format!("BEGIN:VEVENT\n{}END:VEVENT\n", shuffled(dice, lines).concat())
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: plain: robots: a rule whose path does not begin with a slash",
        grammar: "",
        input: "User-agent: *\nDisallow: /private/\nAllow: private/open\nCrawl-delay: 5\nUser-agent: nightbot\nDisallow:\nSitemap: https://fair.example/map.xml\n",
        valid: |input| rules(input).is_some(),
        fails: |input| {
            let all = rules(input).unwrap_or_default();
            all.iter().any(|path| !path.is_empty() && !path.starts_with('/'))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let right = ["/", "/private/", "/a.html", "//", "/*.gif"];
                let wrong = ["private/", "a", "*.gif", "a/b", "https://a.b/"];
                let key = one(dice, &["Allow", "Disallow"]);
                match dice.below(8) {
                    0 => format!("User-agent: {}\n", one(dice, &["*", "bot", "/bot", "Allow"])),
                    1 => format!("Sitemap: {}\n", one(dice, &["/map.xml", "https://a.b/m", "m"])),
                    2 => format!("Crawl-delay: {}\n", dice.below(20)),
                    3 => format!("{key}:\n"),
                    4 | 5 => format!("{key}: {}\n", one(dice, &wrong)),
                    _ => format!("{key}: {}\n", one(dice, &right)),
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: binary: a name that does not end with a zero byte",
        grammar: "",
        input: "MAP2V\u{2}\u{1}\u{9}N\u{a}Long Pond\u{0}H\u{4}\u{ff}\u{0}\u{80}\u{7}C\u{9}surveyed N\u{8}Elk RockP\u{6}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}N\u{5}Ford\u{0}C\u{c}two ferries\u{0}",
        valid: |input| names(input).is_some(),
        fails: |input| {
            names(input).is_some_and(|all| all.iter().any(|name| name.last() != Some(&0)))
        },
        draw: |dice| {
            let mut all = b"MAP2".to_vec();
            for _ in 0..1 + dice.below(4) {
                let kind = b"NNNHCP"[dice.below(6)];
                let mut data = match dice.below(4) {
                    0 => (0..dice.below(6)).map(|_| dice.below(256) as u8).collect(),
                    1 => b"N\0NP"[..dice.below(5)].to_vec(),
                    _ => word(dice, 7).into_bytes(),
                };
                if dice.below(3) > 0 {
                    data.push(0);
                }
                all.extend([kind, data.len() as u8]);
                all.extend(data);
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
