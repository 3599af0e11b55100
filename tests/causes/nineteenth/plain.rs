//! Causes in texts without a grammar, and one in binary data.

use crate::readers::{are_in_order, is_digits, is_word, picture, signed_decimals, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The numbers of each waypoint; nothing if a line is none.
fn waypoints(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let lines = input.lines().map(|line| {
        let (_, numbers) = line.split_once(' ').filter(|(name, _)| is_word(name))?;
        numbers.split(' ').map(signed_decimals).collect()
    });
    lines.collect()
}

/// The steps of a washing machine, in order; nothing if a line is odd.
fn washing(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| match line.split(' ').collect::<Vec<&str>>()[..] {
        [step, minutes, what] => {
            let is_known = ["soak", "wash", "spin", "rinse", "pump"].contains(&step);
            let is_time = minutes.len() < 4 && is_digits(minutes);
            (is_known && is_time && is_word(what)).then_some(step)
        }
        _ => None,
    });
    lines.collect()
}

/// The names in a file of hosts; nothing if a line is neither a comment nor an address with names.
fn hosts(input: &str) -> Option<Vec<&str>> {
    let mut all = Vec::new();
    for line in input.lines() {
        let (entry, _) = line.split_once('#').unwrap_or((line, ""));
        let mut words = entry.split(' ').filter(|word| !word.is_empty());
        let Some(address) = words.next() else { continue };
        let is_address = address.split('.').count() == 4 && address.split('.').all(is_digits);
        let names: Vec<&str> = words.collect();
        let is_name = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || "-.".contains(c));
        (is_address && !names.is_empty() && names.iter().all(is_name)).then_some(())?;
        all.extend(names);
    }
    Some(all)
}

/// The names of the rules of a makefile; nothing if a line is neither a rule nor a command after one.
fn rules(input: &str) -> Option<Vec<&str>> {
    let is_name = |text: &str| {
        let mut all = text.chars();
        !text.is_empty() && all.all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let mut all = Vec::new();
    for line in input.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            (!all.is_empty() && !command.trim().is_empty()).then_some(())?;
            continue;
        }
        let (name, needs) = line.split_once(':').filter(|(name, _)| is_name(name))?;
        let mut needs = needs.split(' ');
        (needs.next() == Some("") && needs.all(is_name)).then_some(())?;
        all.push(name);
    }
    Some(all)
}

/// The minutes of the jobs of a crontab that say one; nothing if a line is neither a comment nor a job.
fn minutes(input: &str) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [minute, hour, day, month, weekday, command, ..] = fields[..] else { return None };
        let is_right = |field: &str| {
            let number = field.parse::<u8>().ok();
            field == "*" || number.is_some_and(|one| one < 100 && one.to_string() == field)
        };
        let is_job = [minute, hour, day, month, weekday].into_iter().all(is_right);
        (is_job && !command.is_empty()).then_some(())?;
        all.extend(minute.parse::<u8>());
    }
    Some(all)
}

/// How many lines of text each cue of subtitles has; nothing if a cue is odd.
fn cues(input: &str) -> Option<Vec<usize>> {
    let is_time = |text: &str| {
        let parts: Vec<&str> = text.split(':').collect();
        parts.len() == 3 && parts.iter().all(|part| part.len() == 2 && is_digits(part))
    };
    let cues = input.strip_suffix('\n')?.split("\n\n").map(|cue| {
        let lines: Vec<&str> = cue.split('\n').collect();
        let [number, times, text @ ..] = &lines[..] else { return None };
        let (from, to) = times.split_once(" --> ")?;
        let is_cue = is_digits(number) && is_time(from) && is_time(to) && !text.is_empty();
        (is_cue && text.iter().all(|line| !line.trim().is_empty())).then_some(text.len())
    });
    cues.collect()
}

/// The targets of the links of a text; nothing if a square bracket belongs to no link.
fn targets(input: &str) -> Option<Vec<&str>> {
    let mut all = Vec::new();
    for line in input.lines() {
        let mut parts = line.split('[');
        parts.next().filter(|before| !before.contains(']'))?;
        for part in parts {
            let (text, rest) = part.split_once("](")?;
            let (target, after) = rest.split_once(')')?;
            let is_odd = text.contains(']') || after.contains(']');
            (!is_odd && !target.contains([' ', ']', '('])).then_some(())?;
            all.push(target);
        }
    }
    Some(all)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "nineteenth: plain: gps: a waypoint with a negative number and a number of three decimals",
        grammar: "",
        input: "camp 46.5 7.25 1320\nford 46.125 7.5 890.5\nspring -3.25 12.75 40\ncairn 46.75 -7.5 2104.375\nhut 46 8 1999\n",
        valid: |input| waypoints(input).is_some(),
        fails: |input| {
            let all = waypoints(input).unwrap_or_default();
            all.iter().any(|one| {
                one.iter().any(|(is_negative, _)| *is_negative)
                    && one.iter().any(|(_, decimals)| *decimals == 3)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = 1 + dice.below(3);
                let numbers = joined(dice, count, " ", |dice| match dice.below(5) {
                    0 => one(dice, &["46.125", "0.500", "2104.375", "7.001"]).to_owned(),
                    1 => one(dice, &["-3", "-7.5", "-40", "-0.25", "-1.0625"]).to_owned(),
                    2 if dice.below(3) == 0 => "-3.125".to_owned(),
                    _ => one(dice, &["46", "7.25", "0", "8.5", "12.0625", "1320"]).to_owned(),
                });
                format!("{} {numbers}\n", one(dice, &["camp", "ford", "hut"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: washing: a spin after a wash and before a rinse",
        grammar: "",
        input: "soak 15 cotton\nrinse 5 cotton\nwash 40 cotton\npump 2 rinse\nspin 3 gently\nsoak 10 wool\nrinse 8 cold\nspin 6 fully\n",
        valid: |input| washing(input).is_some(),
        fails: |input| {
            washing(input).is_some_and(|all| are_in_order(&all, &["wash", "spin", "rinse"]))
        },
        draw: |dice| {
            let orders = [
                ["wash", "spin", "rinse"],
                ["wash", "spin", "rinse"],
                ["wash", "rinse", "spin"],
                ["spin", "wash", "rinse"],
                ["rinse", "wash", "spin"],
                ["wash", "pump", "rinse"],
            ];
            let mut steps = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let step = one(dice, &["wash", "spin", "rinse", "soak", "pump"]);
                steps.insert(dice.below(steps.len() + 1), step);
            }
            let lines = steps.iter().map(|step| {
                let what = one(dice, &["cotton", "cold", "spin", "rinse", "wash"]);
                format!("{step} {} {what}\n", 1 + dice.below(40))
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: hosts: a name with a character that is not ASCII",
        grammar: "",
        input: "# Büro, 3rd floor\n10.0.0.1 router gw\n10.0.0.7 printer # near the café\n10.0.0.9 nas köln.lan backup\n127.0.0.1 localhost\n",
        valid: |input| hosts(input).is_some(),
        fails: |input| hosts(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let comments = ["near the café", "Büro", "gw", "größer", "10.0.0.1 nas"];
                if dice.below(5) == 0 {
                    return format!("# {}\n", one(dice, &comments));
                }
                let count = 1 + dice.below(2);
                let names = joined(dice, count, " ", |dice| match dice.below(4) {
                    0 => one(dice, &["köln.lan", "é", "łódź", "nas-ü", "日本"]).to_owned(),
                    _ => one(dice, &["router", "gw", "a", "nas.lan", "koln-2"]).to_owned(),
                });
                let after = match dice.below(3) {
                    0 => format!(" # {}", one(dice, &comments)),
                    _ => String::new(),
                };
                format!("10.0.0.{} {names}{after}\n", dice.below(20))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: makefile: two rules of one name",
        grammar: "",
        input: "all: main.o util.o\n\tcc -o app main.o util.o\nutil.o: util.c\n\tcc -c util.c\nclean:\n\trm -f app\nmain.o: main.c\n\tcc -c main.c\nclean:\n\trm -f main.o\n",
        valid: |input| rules(input).is_some(),
        fails: |input| {
            let all = rules(input).unwrap_or_default();
            (1..all.len()).any(|at| all[..at].contains(&all[at]))
        },
        draw: |dice| {
            let names = ["all", "main.o", "clean", "test", "tests", "main"];
            let mut names = shuffled(dice, names.map(str::to_owned).to_vec());
            names.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = names[dice.below(names.len())].clone();
                names.insert(dice.below(names.len() + 1), again);
            }
            let rules = names.iter().map(|name| {
                let needs = one(dice, &["", "", " main.o", " main.o clean", " all all"]);
                let commands = ["", "\tcc -c main.c\n", "\trm -f app\n\trm -f app\n", "\tclean:\n"];
                format!("{name}:{needs}\n{}", one(dice, &commands))
            });
            rules.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: crontab: a job at a minute above 59",
        grammar: "",
        input: "# at 75 percent, mail root\n5 4 * * * backup --keep 90\n* * 1 6 * rotate\n60 23 * * 5 report weekly\n30 12 * 1 * sync 61 62\n",
        valid: |input| minutes(input).is_some(),
        fails: |input| minutes(input).is_some_and(|all| all.iter().any(|minute| *minute > 59)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let minute = match dice.below(3) {
                    0 => one(dice, &["60", "61", "65", "75", "90", "99"]),
                    _ => one(dice, &["*", "0", "5", "6", "30", "58", "59"]),
                };
                let hour = one(dice, &["*", "0", "4", "23"]);
                let day = one(dice, &["*", "*", "1", "31"]);
                let weekday = one(dice, &["*", "*", "5"]);
                let job = one(dice, &["backup --keep 90", "rotate", "sync 61 62", "report 7"]);
                match dice.below(6) {
                    0 => format!("# {minute} percent\n"),
                    _ => format!("{minute} {hour} {day} * {weekday} {job}\n"),
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: subtitles: a cue of more than two lines of text",
        grammar: "",
        input: "1\n00:00:05 --> 00:00:08\nWho is there?\n\n2\n00:00:09 --> 00:00:14\nIt is the wind,\nthe door,\nand 3 cats.\n\n3\n00:00:15 --> 00:00:17\nGo back\nto sleep.\n",
        valid: |input| cues(input).is_some(),
        fails: |input| cues(input).is_some_and(|all| all.iter().any(|lines| *lines > 2)),
        draw: |dice| {
            let cues: Vec<String> = (0..1 + dice.below(3))
                .map(|at| {
                    let count = [1, 1, 2, 2, 2, 3, 3, 4][dice.below(8)];
                    let text = joined(dice, count, "", |dice| {
                        format!("{}\n", one(dice, &["Who?", "It is the wind,", "3", "- No, no."]))
                    });
                    let (from, to) = (10 + dice.below(20), 30 + dice.below(20));
                    format!("{}\n00:0{at}:{from} --> 00:0{at}:{to}\n{text}", at + 1)
                })
                .collect();
            cues.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: plain: markdown: a link with an empty target",
        grammar: "",
        input: "# Hiking club\n\nMeet at the [old station](map.html) (north exit).\n- bring [boots](), water\n- call start() or see [tips](tips.md#rain)\n",
        valid: |input| targets(input).is_some(),
        fails: |input| targets(input).is_some_and(|all| all.contains(&"")),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let start = one(dice, &["", "- ", "# ", "Meet at the "]);
                let count = dice.below(3);
                let links = joined(dice, count, ", ", |dice| {
                    let text = one(dice, &["boots", "old station", "tips", "()", ""]);
                    let target = match dice.below(3) {
                        0 => "",
                        _ => one(dice, &["map.html", "#rain", "/", "a"]),
                    };
                    format!("[{text}]({target})")
                });
                let end = one(dice, &["", " and water", " (north exit)", " or start()"]);
                format!("{start}{links}{end}\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: binary: a palette after the pixels",
        grammar: "",
        input: "PIC1S\u{4}\u{0}\u{8}\u{0}\u{4}C\u{e}painted by PetP\u{6}\u{ff}\u{0}\u{0}\u{0}\u{80}\u{ff}D\u{8}\u{1}\u{0}\u{1}\u{1}P\u{2}\u{0}\u{1}T\u{2}\u{7}\u{e8}P\u{3}\u{10}\u{20}\u{30}C\u{7}D and PE\u{0}",
        valid: |input| picture(input).is_some(),
        fails: |input| {
            let all = picture(input).unwrap_or_default();
            let mut rest = all.iter();
            rest.any(|kind| *kind == b'D') && rest.any(|kind| *kind == b'P')
        },
        draw: |dice| {
            let mut kinds = [*b"SPD", *b"SDP", *b"DSP", *b"PCD", *b"DTC"][dice.below(5)].to_vec();
            for _ in 0..dice.below(3) {
                kinds.insert(dice.below(kinds.len() + 1), b"SPDCT"[dice.below(5)]);
            }
            let mut all = b"PIC1".to_vec();
            for kind in kinds {
                let data = match dice.below(3) {
                    0 => (0..dice.below(6)).map(|_| dice.below(256) as u8).collect(),
                    1 => b"D\0P\0D"[..dice.below(6)].to_vec(),
                    _ => word(dice, 6).into_bytes(),
                };
                all.extend([kind, data.len() as u8]);
                all.extend(data);
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
