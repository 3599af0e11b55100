//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use crate::readers::{is_digits, is_name, is_shown, records, signed_decimals, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The names in the head of a mail; nothing if a line of it is odd, or no blank line is after it.
fn head(input: &str) -> Option<Vec<&str>> {
    let (head, body) = input.split_once("\n\n")?;
    body.split('\n').all(is_shown).then_some(())?;
    let is_part = |part: &str| {
        let rest = part.strip_prefix(|c: char| c.is_ascii_uppercase());
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
    };
    let lines = head.split('\n').map(|line| {
        let (name, value) = line.split_once(": ")?;
        (name.split('-').all(is_part) && is_shown(value)).then_some(name)
    });
    lines.collect()
}

/// The numbers of each line of a program for a mill: whether each is negative, and how many decimals it has. Nothing if
/// a line is neither a remark nor a command and letters with numbers.
fn moves(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let lines = input.lines().filter(|line| !line.is_empty() && !line.starts_with(';'));
    let lines = lines.map(|line| {
        let words = line
            .split(' ')
            .map(|word| signed_decimals(word.strip_prefix(|c: char| c.is_ascii_uppercase())?));
        let is_command = line.starts_with(['G', 'M']);
        let words = words.collect::<Option<Vec<(bool, usize)>>>()?;
        (is_command && words[0] == (false, 0)).then_some(words)
    });
    let is_right = input.split('\n').all(is_shown);
    lines.collect::<Option<_>>().filter(|_| is_right)
}

/// The tags of the images that a build begins from, which are empty if none is told; nothing if a line is odd, or the
/// first is not about an image.
fn tags(input: &str) -> Option<Vec<&str>> {
    let mut tags = Vec::new();
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (command, rest) = line.split_once(' ').filter(|_| is_shown(line))?;
        if command == "FROM" {
            let (image, stage) = rest.split_once(" AS ").unwrap_or((rest, "x"));
            let (name, tag) = image.split_once(':').unwrap_or((image, ""));
            let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let is_right = name.split('/').all(is_name) && tag.chars().all(is_sign);
            (is_right && is_name(stage) && !image.ends_with(':')).then_some(())?;
            tags.push(tag);
        } else {
            let is_known = ["RUN", "COPY", "ENV", "CMD", "WORKDIR"].contains(&command);
            (is_known && !tags.is_empty() && !rest.trim().is_empty()).then_some(())?;
        }
    }
    Some(tags)
}

/// Whether a value in quotes has a hash sign; nothing if a line is neither a remark nor a name and a value.
fn has_quoted_hash(input: &str) -> Option<bool> {
    let mut found = false;
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, value) = line.split_once('=').filter(|_| is_shown(line))?;
        let is_letter = |c: char| c.is_ascii_uppercase() || c == '_';
        (!name.is_empty() && name.chars().all(is_letter)).then_some(())?;
        let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let inner = quoted.unwrap_or(value);
        let is_right = quoted.is_some() || !value.contains(' ');
        (is_right && !inner.contains(['"', '\\', '\''])).then_some(())?;
        found |= quoted.is_some_and(|inner| inner.contains('#'));
    }
    Some(found)
}

/// The times of a log; nothing if a line is not a time, a level and a message.
fn times(input: &str) -> Option<Vec<u32>> {
    let lines = input.lines().map(|line| {
        let (time, rest) = line.split_once(' ').filter(|_| is_shown(line))?;
        let (level, _) = rest.split_once(' ')?;
        let time = time.parse::<u32>().ok().filter(|number| number.to_string() == time)?;
        ["info", "warn", "error"].contains(&level).then_some(time)
    });
    lines.collect()
}

/// Whether each version that is asked for with two equals signs ends in a wildcard; nothing if a line is neither blank
/// nor a remark nor a package with limits, or a wildcard is where none can be.
fn pins(input: &str) -> Option<Vec<bool>> {
    let mut pins = Vec::new();
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let start = line.find(['=', '<', '>', '!', '~']).unwrap_or(line.len());
        let (name, limits) = line.split_at(start);
        is_name(name).then_some(())?;
        for limit in limits.split(',').filter(|_| !limits.is_empty()) {
            let (sign, version) = limit.split_at_checked(2)?;
            let number = version.strip_suffix(".*").unwrap_or(version);
            let is_wild = number != version;
            let is_right = if is_wild {
                ["==", "!="].contains(&sign)
            } else {
                ["==", "!=", ">=", "<=", "~="].contains(&sign)
            };
            (is_right && number.split('.').all(is_digits)).then_some(())?;
            if sign == "==" {
                pins.push(is_wild);
            }
        }
    }
    Some(pins)
}

/// The levels of the headings of a text, in order; nothing if there is something odd in it.
fn levels(input: &str) -> Option<Vec<usize>> {
    let mut levels = Vec::new();
    for line in input.split('\n') {
        (is_shown(line) && !line.contains('`') && !line.starts_with(' ')).then_some(())?;
        let (hashes, text) = line.split_once(' ').unwrap_or((line, ""));
        if !hashes.is_empty() && hashes.chars().all(|c| c == '#') {
            (hashes.len() <= 6 && !text.trim().is_empty()).then_some(())?;
            levels.push(hashes.len());
        }
    }
    Some(levels)
}

/// The types and lengths of the frames of a recorded connection; nothing if it is none.
fn frames(input: &str) -> Option<Vec<(u8, u8)>> {
    let all = records(input.strip_prefix("CAP1")?)?;
    all.iter().all(|(kind, _)| [1, 2, 8, 9, 10].contains(kind)).then_some(all)
}

/// Limits to the version of a package, of which one may be a wildcard.
fn limits(dice: &mut Random) -> String {
    let count = [0, 1, 1, 2][dice.below(4)];
    joined(dice, count, ",", |dice| {
        let version = one(dice, &["1", "1.4", "2.0.1", "0.9", "10"]);
        match dice.below(6) {
            0 => format!("=={version}.*"),
            1 => format!("!={version}.*"),
            2..4 => format!("=={version}"),
            _ => format!("{}{version}", one(dice, &[">=", "<=", "~=", "!="])),
        }
    })
}

/// A line of a program for a mill.
fn step(dice: &mut Random) -> String {
    if dice.below(5) == 0 {
        return one(dice, &["; X-1 Y0.125", "M104 S210", "G28", "G92 E0", "; -0.125"]).to_owned();
    }
    let mut text = format!("G{}", dice.below(2));
    for axis in ["X", "Y", "Z"] {
        let number = match dice.below(8) {
            0..3 => one(dice, &["12", "0", "0.5", "10.25", "210"]),
            3 => one(dice, &["-4", "-0.5", "-12.25", "-125"]),
            4 => one(dice, &["0.125", "3.375", "40.0625", "7.000"]),
            5 if dice.below(3) == 0 => one(dice, &["-0.125", "-3.375", "-1.0005"]),
            _ => continue,
        };
        text += &format!(" {axis}{number}");
    }
    text
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-second: plain: mail: no Date in the head",
        grammar: "",
        input: "From: Ada <ada@example.org>\nTo: bo@example.org\nX-Date: 3 May\nSubject: Date: when?\nMessage-Id: <77@mx1>\n\nHello Bo,\n\nDate: Friday at noon?\n\nAda\n",
        valid: |input| head(input).is_some(),
        fails: |input| head(input).is_some_and(|names| !names.contains(&"Date")),
        draw: |dice| {
            let mut lines = vec![format!("From: {}@example.org\n", word(dice, 4))];
            if dice.below(2) == 0 {
                let date = one(dice, &["Fri, 1 May 2026 10:00:00 +0200", "3 May", "Date: 3"]);
                lines.push(format!("Date: {date}\n"));
            }
            for (name, value) in [("To", "bo@example.org"), ("X-Date", "3 May"), ("Dates", "3")] {
                if dice.below(3) == 0 {
                    lines.push(format!("{name}: {value}\n"));
                }
            }
            if dice.below(2) == 0 {
                lines.push(format!("Subject: {}\n", one(dice, &["Date: when?", "tides", "Date"])));
            }
            let count = dice.below(4);
            let body = joined(dice, count, "", |dice| {
                let lines = ["Hello Bo,\n", "\n", "Date: Friday at noon?\n", "To: you\n", "Date\n"];
                one(dice, &lines).to_owned()
            });
            format!("{}\n{body}", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: mill: a line with a negative number and one of three decimals or more",
        grammar: "",
        input: "; bracket, 3 mm, X-0.125\nG28\nG0 X10 Y-4.5 Z5\nM104 S210\nG1 X12.125 Y40 F900\nG1 X3.375 Y-12.5 Z0.2\nG1 X-4\n\nG0 Z5\nM2\n",
        valid: |input| moves(input).is_some(),
        fails: |input| {
            moves(input).is_some_and(|lines| {
                let is_such = |line: &Vec<(bool, usize)>| {
                    let is_long = line.iter().any(|(_, decimals)| *decimals >= 3);
                    is_long && line.iter().any(|(is_negative, _)| *is_negative)
                };
                lines.iter().any(is_such)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "\n", step) + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: dockerfile: an image with the tag latest or edge",
        grammar: "",
        input: "# needs alpine:latest\nFROM rust:1.90-slim AS build\nWORKDIR /src\nCOPY . .\nRUN cargo build --release && echo from alpine:edge\n\nFROM library/alpine:edge AS latest\nENV TAG=latest\nCOPY --from=build /src/attic /bin/attic\nCMD attic serve\n",
        valid: |input| tags(input).is_some(),
        fails: |input| {
            tags(input).is_some_and(|all| all.iter().any(|tag| ["latest", "edge"].contains(tag)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let name = one(dice, &["alpine", "rust", "library/node", "edge", "latest"]);
                let tag = match dice.below(3) {
                    0 => one(dice, &[":latest", ":edge"]),
                    _ => one(dice, &["", ":3.20", ":latest-slim", ":edg", ":1", ":x-edge"]),
                };
                let stage = one(dice, &["", "", " AS build", " AS latest", " AS edge"]);
                let mut text = format!("FROM {name}{tag}{stage}\n");
                for _ in 0..dice.below(3) {
                    text += one(
                        dice,
                        &["RUN make\n", "RUN pull rust:latest\n", "ENV TAG=edge\n", "# x:edge\n"],
                    );
                }
                text
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: env: a hash sign in a value in quotes",
        grammar: "",
        input: "# PASS=\"a#b\"\nHOST=mx1.example.org\nCOLOR=#ff8800\nTITLE=\"Tides and berths\"\n\nDB_PASS=\"kelp#41 rope\"\nCHANNEL=#ops\nEMPTY=\n#end\n",
        valid: |input| has_quoted_hash(input).is_some(),
        fails: |input| has_quoted_hash(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "", |dice| {
                let value = match dice.below(8) {
                    0 => one(dice, &["\"kelp#41\"", "\"#\"", "\"a # b\"", "\"x#\"", "\"#ops\""]),
                    1..3 => one(dice, &["#ff8800", "a#b", "x#", "#"]),
                    3..6 => one(dice, &["\"Tides and berths\"", "\"\"", "\"41\"", "\"a=b\""]),
                    6 => return one(dice, &["# A=\"a#b\"\n", "\n", "#\"\n"]).to_owned(),
                    _ => one(dice, &["mx1.example.org", "", "41", "on"]),
                };
                format!("{}={value}\n", one(dice, &["HOST", "DB_PASS", "COLOR", "A"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: log: a line with an earlier time than the line above it",
        grammar: "",
        input: "8120 info boot 2 of 2\n8127 info disk 9000 ok\n8127 warn fan at 99\n8301 error link 1 down\n8299 info link 1 up\n9004 info idle\n10002 info clock set to 9000\n",
        valid: |input| times(input).is_some(),
        fails: |input| {
            let all = times(input).unwrap_or_default();
            all.windows(2).any(|two| two[1] < two[0])
        },
        draw: |dice| {
            let (mut time, is_odd) = ([5, 90, 985, 8120][dice.below(4)], dice.below(3) > 0);
            let mut text = String::new();
            for _ in 0..1 + dice.below(5) {
                let level = one(dice, &["info", "warn", "error"]);
                let message = one(dice, &["boot", "disk 9000 ok", "fan at 2", "7 of 9", "idle"]);
                text += &format!("{time} {level} {message}\n");
                time = match dice.below(3) {
                    0 if is_odd => time - [1, 1, 3, time / 2, time][dice.below(5)].min(time),
                    0 => time,
                    _ => time + [0, 1, 2, 15, 400][dice.below(5)],
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: requirements: a version after == that ends in a wildcard",
        grammar: "",
        input: "# web==2.*\nweb>=2.1,!=2.4.*\ntide-tables==0.9.12\nmaps\n\nropes~=1.4,==1.*\n# end\nlog-reader<=3.0\nfonts!=1.*\n",
        valid: |input| pins(input).is_some(),
        fails: |input| pins(input).is_some_and(|all| all.contains(&true)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let before = one(dice, &["", "", "", "\n", "# web==2.*\n", "# end\n"]);
                let name = one(dice, &["web", "tide-tables", "maps", "x2"]);
                format!("{before}{name}{}\n", limits(dice))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: plain: readme: a heading two or more levels below the heading before it",
        grammar: "",
        input: "# attic\n\nKeeps old tapes.\n\n## Use\n\nRun it, see ### below.\n\n#### Flags\n\n-v is for more.\n\n### Exit codes\n\n0 or 1\n\n# Licence\n\n#### MIT\n",
        valid: |input| levels(input).is_some(),
        fails: |input| {
            levels(input).is_some_and(|all| all.windows(2).any(|two| two[1] >= two[0] + 2))
        },
        draw: |dice| {
            let (mut level, is_odd) = (1 + dice.below(3), dice.below(3) > 0);
            let mut text = one(dice, &["", "attic\n", "#tape is a tag\n"]).to_owned();
            for _ in 0..1 + dice.below(5) {
                text += &format!("{} {}\n", "#".repeat(level), one(dice, &["Use", "# 4", "Flags"]));
                let prose = ["", "", "\n", "Keeps tapes.\n", "See ### below.\n", "-v ## more\n"];
                text += one(dice, &prose);
                level = match dice.below(3) {
                    0 if is_odd => level + 2 + dice.below(2),
                    0 => level,
                    1 => level + 1,
                    _ => 1 + dice.below(level),
                };
                level = level.min(6);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: binary: a frame of type 8 with exactly one byte in it",
        grammar: "",
        input: "CAP1\u{1}\u{5}hello\u{9}\u{1}\u{8}\u{2}\u{4}\u{0}\u{ff}\u{8}\u{1}\u{8}\u{1}\u{3}\u{a}\u{0}\u{8}\u{1}\u{3}\u{8}\u{2}\u{3}\u{e8}",
        valid: |input| frames(input).is_some(),
        fails: |input| frames(input).is_some_and(|all| all.contains(&(8, 1))),
        draw: |dice| {
            let mut all = b"CAP1".to_vec();
            for _ in 0..1 + dice.below(5) {
                let kind = [1, 2, 8, 8, 8, 9, 10][dice.below(7)];
                let length = [0, 1, 1, 1, 2, 3, 8][dice.below(7)];
                all.extend([kind, length]);
                all.extend((0..length).map(|_| [8, 1, 0, 255, b'h'][dice.below(5)]));
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
