//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use super::{again, foreign, has_twice, lengths, maybe, some};
use crate::readers::{bytes, is_shown, number, signed_decimals, text_of};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The pressures of the pumps in a log. Other devices and other lines are not looked at.
fn pressures(input: &str) -> Vec<u32> {
    let lines = input.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        words.nth(1)?.strip_prefix("pump-")?;
        words.find_map(|word| number(word.strip_prefix("pressure=")?))
    });
    lines.collect()
}

/// The kind, the start and the end of each part of an audio book; nothing if it is none, or a part
/// is of no known kind or too loud.
fn parts(input: &str) -> Option<Vec<(u8, u8, u8)>> {
    let all = bytes(input.strip_prefix("BOOK")?);
    let (length, rest) = all.split_first()?;
    let title = rest.get(..usize::from(*length))?;
    title.iter().all(|byte| (b' '..=b'~').contains(byte)).then_some(())?;
    let parts = rest[title.len()..].chunks(5).map(|part| {
        let &[kind, start, end, volume, _] = part else { return None };
        ((1..=3).contains(&kind) && volume <= 100).then_some((kind, start, end))
    });
    parts.collect()
}

/// How deep ifs and loops are in each other in a script; nothing if a line is odd, or a block has
/// no end or the end of another one.
fn block_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest) = (Vec::new(), 0);
    for line in input.split('\n').map(str::trim) {
        is_shown(line).then_some(())?;
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "if" | "while" | "group" if !rest.is_empty() => {
                open.push(first);
                deepest = deepest.max(open.iter().filter(|name| **name != "group").count());
            }
            "fi" | "done" | "end" if rest.is_empty() => {
                let wanted = match open.pop()? {
                    "if" => "fi",
                    "while" => "done",
                    _ => "end",
                };
                (first == wanted).then_some(())?;
            }
            "print" | "set" if !rest.is_empty() => {}
            _ => (first.is_empty() || first.starts_with('#')).then_some(())?,
        }
    }
    open.is_empty().then_some(deepest)
}

/// The texts in a catalog that are to be translated. What else is in it is not looked at.
fn messages(input: &str) -> impl Iterator<Item = &str> {
    input.lines().filter_map(|line| line.strip_prefix("msgid \"")?.strip_suffix('"'))
}

/// The number that each list of tasks says, and how many tasks it has; nothing if a line is odd, or
/// a task comes before the first list.
fn lists(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut all = Vec::<(u32, u32)>::new();
    for line in input.split('\n') {
        is_shown(line).then_some(())?;
        if let Some(title) = line.strip_prefix("# ") {
            let (name, count) = title.strip_suffix(')')?.rsplit_once(" (")?;
            (!name.trim().is_empty()).then_some(())?;
            all.push((number(count)?, 0));
        } else if let Some((_, task)) =
            line.strip_prefix('[').and_then(|rest| rest.split_once("] "))
        {
            let is_task = line.starts_with("[ ]") || line.starts_with("[x]");
            (is_task && !task.trim().is_empty()).then_some(())?;
            all.last_mut()?.1 += 1;
        } else {
            (line.is_empty() || line.starts_with("> ")).then_some(())?;
        }
    }
    Some(all)
}

/// The tracks of each mix; nothing if a line is odd, a key is there twice, or a mix has no name.
fn mixes(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_text = |text: &str| is_shown(text) && !text.trim().is_empty() && !text.contains(':');
    let mut all: Vec<(Vec<&str>, Vec<&str>)> = vec![(Vec::new(), Vec::new())];
    for line in input.split('\n').filter(|line| !line.is_empty()) {
        let (keys, tracks) = all.last_mut()?;
        if line == "---" {
            all.push((Vec::new(), Vec::new()));
        } else if let Some(item) = line.strip_prefix("  - ") {
            is_text(item).then_some(())?;
            match *keys.last()? {
                "tracks" => tracks.push(item),
                "skip" => {}
                _ => return None,
            }
        } else {
            let (key, value) = line.split_once(':')?;
            let is_right = match key {
                "tracks" | "skip" => value.is_empty(),
                "mix" => value.strip_prefix(' ').is_some_and(is_text),
                "minutes" => value.strip_prefix(' ').and_then(number).is_some(),
                _ => false,
            };
            (is_right && !keys.contains(&key)).then_some(())?;
            keys.push(key);
        }
    }
    let are_named = all.iter().all(|(keys, _)| keys.contains(&"mix"));
    are_named.then(|| all.into_iter().map(|(_, tracks)| tracks).collect())
}

/// The types of the file systems that are mounted. Remarks and short lines are not looked at.
fn file_systems(input: &str) -> impl Iterator<Item = &str> {
    let lines = input.lines().filter(|line| !line.trim_start().starts_with('#'));
    let fields = lines.map(|line| line.split_whitespace().collect::<Vec<&str>>());
    fields.filter(|fields| fields.len() >= 4).map(|fields| fields[2])
}

/// How many readings each row of each station has. Lines that are not numbers are not looked at.
fn stations(input: &str) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for line in input.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], all.last_mut()) {
            (["station", ..], _) => all.push(Vec::new()),
            ([_, ..], Some(rows)) if words.iter().all(|word| signed_decimals(word).is_some()) => {
                rows.push(words.len());
            }
            _ => {}
        }
    }
    all
}

/// A line of a script that is no block, or a block that is not deep.
fn small_block(dice: &mut Random) -> Vec<String> {
    let line = match dice.below(4) {
        0 => format!("set {} {}", word(dice, 3), dice.below(100)),
        1 => one(dice, &["# if while if while if", "print while", "# done"]).to_owned(),
        _ => format!("print {}", word(dice, 5)),
    };
    match dice.below(7) {
        0 => vec![format!("if {} > {}", word(dice, 2), dice.below(10)), line, "fi".to_owned()],
        1 => vec!["while busy".to_owned(), line, "done".to_owned()],
        2 => vec!["group if".to_owned(), line, "end".to_owned()],
        _ => vec![line],
    }
}

/// A list of tasks whose number may be how many it has.
fn list(dice: &mut Random) -> String {
    let count = dice.below(6);
    let near = [count, count, count + 1, count.max(1) - 1][dice.below(4)];
    let said = [near, count + 2, 10 + dice.below(30), near][dice.below(4)];
    let mut lines = Vec::new();
    for _ in 0..count {
        let task = one(dice, &["oil the lock", "paint 3 planks", "call (4)", "buy rope", "4"]);
        lines.push(format!("[{}] {task}\n", one(dice, &[" ", "x"])));
    }
    lines.extend(maybe(dice, &["> before noon\n", "\n", "> [ ] not this\n", "> (3)\n"], 5));
    let name = one(dice, &["Boat", "House 4", "At (2) noon", "x"]);
    format!("# {name} ({said})\n{}", shuffled(dice, lines).concat())
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fifth: plain: log: a pump with a pressure below 30",
        grammar: "",
        input: concat!(
            "06:58 start log=4 pressure=0\n07:10 pump-2 flow=14 pressure=41\n",
            "07:11 fan-1 pressure=12 speed=900\n07:13 pump-1 pressure=27 flow=9 note=low\n",
            "07:20 pump-2 pressure=30 flow=29\n"
        ),
        valid: any,
        fails: |input| pressures(input).iter().any(|pressure| *pressure < 30),
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "", |dice| {
                let pressure = match dice.below(7) {
                    0 => [29, 28, 27, 10, 9, 3][dice.below(6)],
                    1 => dice.below(30),
                    2 => [30, 31, 32, 39][dice.below(4)],
                    _ => 30 + dice.below(170),
                };
                let (device, pressure) = match dice.below(4) {
                    0 => (one(dice, &["fan-1", "valve-2", "start"]), [pressure, 12][dice.below(2)]),
                    _ => (one(dice, &["pump-1", "pump-2"]), pressure),
                };
                let mut words = maybe(dice, &["flow=14", "speed=900", "note=low"], 2);
                words.push(format!("pressure={pressure}"));
                let words = shuffled(dice, words).join(" ");
                format!("{:02}:{:02} {device} {words}\n", dice.below(24), dice.below(60))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: binary: a chapter of an audio book that starts after its end",
        grammar: "",
        input: concat!(
            "BOOK\u{12}Low Tide, part two\u{1}\u{0}\u{c}\u{50}\u{0}\u{3}\u{28}\u{9}\u{0}\u{1}",
            "\u{1}\u{c}\u{2c}\u{64}\u{7}\u{1}\u{3a}\u{2d}\u{46}\u{0}\u{2}\u{50}\u{10}\u{1e}\u{8}",
            "\u{1}\u{3c}\u{3c}\u{a}\u{2}\u{1}\u{40}\u{c8}\u{5}\u{0}\u{3}\u{9}\u{7}\u{0}\u{0}"
        ),
        valid: |input| parts(input).is_some(),
        fails: |input| {
            let all = parts(input).unwrap_or_default();
            all.iter().any(|(kind, start, end)| *kind == 1 && start > end)
        },
        draw: |dice| {
            let title = one(dice, &["Low Tide", "", "Oslo, part 2", "x", "The Long Way Home"]);
            let mut all = format!("BOOK{}{title}", text_of(&[title.len() as u8]));
            for _ in 0..1 + dice.below(6) {
                let end = [1 + dice.below(200), 60, 12][dice.below(3)];
                let start = match dice.below(5) {
                    0 => [end + 1, end + 1, end + 2, end + 40][dice.below(4)],
                    1 => end,
                    2 => end - 1,
                    _ => dice.below(end),
                };
                let kind = [1, 1, 1, 2, 3][dice.below(5)];
                let other = if kind > 1 && dice.below(2) == 0 { end + 9 } else { start };
                let volume = [0, 30, 80, 100][dice.below(4)];
                let flags = [0, 1, 7, 200][dice.below(4)];
                all += &text_of(&[kind, other as u8, end as u8, volume, flags]);
            }
            all
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: script: if and while in each other, five deep or more",
        grammar: "",
        input: concat!(
            "# if while if while if\nset n 4\nif n > 2\nprint while\nwhile busy\nif a\n",
            "group if\nwhile n < 9\nprint n\nif x\nset n 12\nfi\ndone\nend\nfi\ndone\nfi\n",
            "while if\nif y\nfi\ndone\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut lines = small_block(dice);
            let indent = one(dice, &["", "  "]);
            for _ in 0..3 + dice.below(4) {
                let (start, end) = match dice.below(5) {
                    0 => ("group a".to_owned(), "end"),
                    1 | 2 => (format!("while {}", word(dice, 3)), "done"),
                    _ => (format!("if {} > {}", word(dice, 2), dice.below(20)), "fi"),
                };
                let inner = lines.into_iter().map(|line| format!("{indent}{line}"));
                lines = [start].into_iter().chain(inner).chain([end.to_owned()]).collect();
                if dice.below(3) == 0 {
                    lines.extend(small_block(dice));
                }
                if dice.below(3) == 0 {
                    lines.splice(0..0, small_block(dice));
                }
            }
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: gettext: a msgid with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Übersetzt von Jörg\nmsgid \"Open\"\nmsgstr \"Öffnen\"\n\nmsgctxt \"Größe\"\n",
            "msgid \"10 € or more\"\nmsgid_plural \"%d €\"\nmsgstr \"ab 10 €\"\n\n",
            "msgid \"Quit\"\nmsgstr \"\"\n"
        ),
        valid: any,
        fails: |input| messages(input).any(|text| !text.is_ascii()),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let text = match dice.below(4) {
                    0 => format!("{}{}", one(dice, &["", "10 ", "Quit "]), foreign(dice)),
                    1 => word(dice, 6),
                    _ => one(dice, &["Open", "10 EUR", "", "Quit %s?", "No - or"]).to_owned(),
                };
                let before = ["# Übersetzt von Jörg\n", "msgctxt \"Größe\"\n", "#: Zoë.c:41\n"];
                let mut entry = maybe(dice, &before, 4).concat();
                entry += &format!("msgid \"{text}\"\n");
                entry += &maybe(dice, &["msgid_plural \"%d €\"\n"], 4).concat();
                let there = one(dice, &["Öffnen", "", "Salir", "ab 10 €", "Café"]);
                entry + &format!("msgstr \"{there}\"\n")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: todo: a list whose number is the number of its tasks",
        grammar: "",
        input: concat!(
            "> (2)\n# House 3 (5)\n[x] call (2)\n\n[ ] buy rope\n# Boat (3)\n> before noon\n",
            "[ ] paint 4 planks\n[x] oil the lock\n> [ ] not this\n[ ] 4\n\n",
            "# At (1) noon (2)\n[ ] lunch\n"
        ),
        valid: |input| lists(input).is_some(),
        fails: |input| lists(input).is_some_and(|all| all.iter().any(|(said, is)| said == is)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let start = one(dice, &["", "", "> (2)\n", "\n"]);
            format!("{start}{}", joined(dice, count, "", list))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: yaml: a mix with the same track twice",
        grammar: "",
        input: concat!(
            "mix: evening\ntracks:\n  - harvest\n  - slow river\nskip:\n  - tin\n  - tin\n---\n",
            "minutes: 40\ntracks:\n  - tin\n  - harvest\n  - owl 2\n  - tin\n  - owl\n",
            "mix: tin\n---\nmix: none\nskip:\n  - owl\n"
        ),
        valid: |input| mixes(input).is_some(),
        fails: |input| mixes(input).is_some_and(|all| all.iter().any(|tracks| has_twice(tracks))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "---\n", |dice| {
                let known = ["tin", "owl", "owl 2", "harvest", "slow river"];
                let mut parts = maybe(dice, &["minutes: 40\n", "skip:\n  - tin\n  - tin\n"], 3);
                parts.push(format!("mix: {}\n", one(dice, &["evening", "tin", "owl"])));
                if dice.below(6) > 0 {
                    let mut tracks = some(dice, &known, 5);
                    again(dice, &mut tracks, 3);
                    parts.push(format!("tracks:\n  - {}\n", tracks.join("\n  - ")));
                }
                shuffled(dice, parts).concat()
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: fstab: a file system of type nfs, cifs or sshfs",
        grammar: "",
        input: concat!(
            "# attic:/b /b nfs defaults 0 0\n/dev/sda1 / ext4 defaults,noatime 0 1\n",
            "/dev/sda2 /srv/nfs xfs nfs 0 2\n//attic/maps /maps cifs ro,guest 0 0\n",
            "tmpfs /tmp tmpfs size=64m 0 0\n"
        ),
        valid: any,
        fails: |input| file_systems(input).any(|kind| ["nfs", "cifs", "sshfs"].contains(&kind)),
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "", |dice| {
                let kind = match dice.below(5) {
                    0 => one(dice, &["nfs", "cifs", "sshfs"]),
                    _ => one(dice, &["ext4", "xfs", "tmpfs", "nfs4", "cif", "vfat", "sshfs2"]),
                };
                let device = one(dice, &["/dev/sda1", "attic:/b", "nfs", "//attic/maps", "sshfs"]);
                let place = one(dice, &["/", "/srv/nfs", "/maps", "cifs", "/home"]);
                let options = one(dice, &["defaults", "ro,guest", "nfs", "size=64m", "cifs"]);
                let start = one(dice, &["", "", "", "", "# ", "#", "# type nfs\n"]);
                format!("{start}{device} {place} {kind} {options} 0 {}\n", dice.below(3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: plain: gauges: a station whose rows have not all as many readings",
        grammar: "",
        input: concat!(
            "year 2026\nstation bergen\n12 9.5 -4\n3 8 1\n\nstation oslo 4\nnote 1 2\n7 7 10 0\n",
            "-2 4 6 1\n5 3 0.25\n9 8 2 1\nend of oslo\nstation kelp\n40\n\n12\n"
        ),
        valid: any,
        fails: |input| {
            stations(input).iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let start = one(dice, &["", "year 2026\n", "4 5\n1\n"]);
            let stations = joined(dice, count, "", |dice| {
                let name = one(dice, &["bergen", "oslo 4", "kelp", "12"]);
                let mut text = format!("station {name}\n");
                let usual = 1 + dice.below(4);
                for length in lengths(dice, usual, 5) {
                    let numbers = joined(dice, length, " ", |dice| match dice.below(4) {
                        0 => one(dice, &["9.5", "-4", "0.25", "-0.5"]).to_owned(),
                        _ => dice.below(40).to_string(),
                    });
                    text += one(dice, &["", "", "", "", "note 1 2 3\n", "\n", "by night\n"]);
                    text += &format!("{numbers}\n");
                }
                text
            });
            format!("{start}{stations}")
        },
        patterns: &[],
    },
];
