//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use crate::readers::{are_in_order, bytes, is_digits, is_word, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Whether a text is ASCII that is seen.
fn is_graphic(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic())
}

/// The commands of a mail client, in order; nothing if a line is no command, or lacks what has to follow it.
fn commands(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| match line.split_once(' ') {
        Some((command, rest)) => {
            let is_known = ["HELO", "MAIL", "RCPT", "VRFY"].contains(&command);
            (is_known && is_graphic(rest)).then_some(command)
        }
        None => ["DATA", "RSET", "NOOP", "QUIT"].contains(&line).then_some(line),
    });
    lines.collect()
}

/// The songs of a playlist; nothing if it does not say that it is one, or a line is neither a remark nor a song.
fn songs(input: &str) -> Option<Vec<&str>> {
    let rest = input.strip_prefix("#EXTM3U\n")?;
    let lines = rest.lines().filter(|line| !line.starts_with('#'));
    let is_right = |line: &str| is_graphic(line) && !line.ends_with('/');
    lines.map(|line| is_right(line).then_some(line)).collect()
}

/// How many rounds each player has; nothing if a line is not a name and the points of at least one round.
fn rounds(input: &str) -> Option<Vec<usize>> {
    let lines = input.lines().map(|line| {
        let (_, points) = line.split_once(": ").filter(|(name, _)| is_word(name))?;
        points.split(' ').all(is_digits).then_some(points.split(' ').count())
    });
    lines.collect()
}

/// How long an answer says that it is, and how long it is; nothing if the head is odd, or does not say it once.
fn lengths(input: &str) -> Option<(usize, usize)> {
    let (head, body) = input.split_once("\n\n").filter(|_| input.is_ascii())?;
    let (first, rest) = head.split_once('\n').filter(|_| !input.contains('\r'))?;
    let (version, status) = first.split_once(' ')?;
    (version == "HTTP/1.1" && status.len() == 3 && is_digits(status)).then_some(())?;
    let mut said = None;
    for line in rest.split('\n') {
        let (name, value) = line.split_once(": ").filter(|(_, value)| is_graphic(value))?;
        let is_name = |c: char| c.is_ascii_alphabetic() || c == '-';
        (!name.is_empty() && name.chars().all(is_name)).then_some(())?;
        if name == "Content-Length" {
            let length = value.parse::<u16>().ok().filter(|length| length.to_string() == value)?;
            said.is_none().then_some(())?;
            said = Some(length);
        }
    }
    Some((usize::from(said?), body.len()))
}

/// The patterns of files to ignore; nothing if a line is neither blank nor a remark nor a pattern.
fn ignored(input: &str) -> Option<Vec<&str>> {
    let lines = input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_right = |line: &str| is_graphic(line) && is_graphic(&line.replacen('!', "", 1));
    lines.map(|line| is_right(line).then_some(line)).collect()
}

/// Whether a tab is in a block of code; nothing if a block has no end, or there is another backtick.
fn has_tab_in_code(input: &str) -> Option<bool> {
    let is_right = |c: char| c.is_ascii_graphic() || " \t\n".contains(c);
    let (mut is_code, mut found) = (false, false);
    input.chars().all(is_right).then_some(())?;
    for line in input.split('\n') {
        match line.strip_prefix("```") {
            Some(after) => {
                (after.is_empty() || (!is_code && is_word(after))).then_some(())?;
                is_code = !is_code;
            }
            None => {
                (!line.contains('`')).then_some(())?;
                found |= is_code && line.contains('\t');
            }
        }
    }
    (!is_code).then_some(found)
}

/// How long the subject of a commit is; nothing if there is none, or no blank line after it.
fn subject(input: &str) -> Option<usize> {
    let is_right = |c: char| c.is_ascii_graphic() || " \n".contains(c);
    let (first, rest) = input.split_once('\n').unwrap_or((input, ""));
    let is_apart = rest.is_empty() || rest.starts_with('\n');
    (input.chars().all(is_right) && !first.trim().is_empty() && is_apart).then_some(first.len())
}

/// A line of some words.
fn line(dice: &mut Random, length: usize) -> String {
    let mut text = String::new();
    while text.len() < length {
        text += &format!("{} ", word(dice, 8));
    }
    text.truncate(length - 1);
    text + "s"
}

/// How many samples a sound has each second; nothing if it is none.
fn rate(input: &str) -> Option<u32> {
    match bytes(input)[..] {
        [b'S', b'N', b'D', b'1', _, _, a, b, c, d, ..] => Some(u32::from_le_bytes([a, b, c, d])),
        _ => None,
    }
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-first: plain: smtp: a MAIL, then a RSET, and then a DATA",
        grammar: "",
        input: "HELO mx.example.org\nDATA\nRSET\nVRFY postmaster\nMAIL FROM:<ann@example.org>\nRCPT TO:<bo@example.org>\nNOOP\nRSET\nVRFY DATA\nRCPT TO:<cy@example.org>\nDATA\nRSET\nQUIT\n",
        valid: |input| commands(input).is_some(),
        fails: |input| {
            commands(input).is_some_and(|all| are_in_order(&all, &["MAIL", "RSET", "DATA"]))
        },
        draw: |dice| {
            let orders = [
                ["MAIL", "RSET", "DATA"],
                ["MAIL", "RSET", "DATA"],
                ["RSET", "MAIL", "DATA"],
                ["MAIL", "DATA", "RSET"],
                ["RCPT", "RSET", "DATA"],
                ["MAIL", "NOOP", "DATA"],
            ];
            let mut all = orders[dice.below(6)].to_vec();
            for _ in 0..dice.below(4) {
                let command = one(dice, &["HELO", "MAIL", "RCPT", "VRFY", "DATA", "RSET", "NOOP"]);
                all.insert(dice.below(all.len() + 1), command);
            }
            let lines = all.iter().map(|command| match *command {
                "HELO" => format!("HELO {}\n", one(dice, &["mx.example.org", "RSET"])),
                "MAIL" => format!("MAIL FROM:<{}@example.org>\n", word(dice, 4)),
                "RCPT" => format!("RCPT TO:<{}@example.org>\n", word(dice, 4)),
                "VRFY" => format!("VRFY {}\n", one(dice, &["MAIL", "DATA", "bo"])),
                other => format!("{other}\n"),
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: playlist: a song that is there twice",
        grammar: "",
        input: "#EXTM3U\n#EXTINF:213,Ona - Rain\nona/rain.mp3\n#EXTINF:95,Intro\nintro.ogg\nlive/rain.mp3\n#EXTINF:95,Intro\nlive/intro.ogg\nona/rain.mp3\n#the end\nona/rain.mp3.bak\n",
        valid: |input| songs(input).is_some(),
        fails: |input| {
            let all = songs(input).unwrap_or_default();
            (1..all.len()).any(|at| all[..at].contains(&all[at]))
        },
        draw: |dice| {
            let songs =
                ["ona/rain.mp3", "rain.mp3", "intro.ogg", "live/intro.ogg", "Rain.mp3", "1.mp3"];
            let mut songs = shuffled(dice, songs.map(str::to_owned).to_vec());
            songs.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = songs[dice.below(songs.len())].clone();
                let again = if dice.below(5) == 0 { again + "x" } else { again };
                songs.insert(dice.below(songs.len() + 1), again);
            }
            let mut text = "#EXTM3U\n".to_owned();
            for song in &songs {
                let remarks =
                    ["", "", "#EXTINF:95,Intro\n", "#EXTINF:213,Ona - Rain\n", "#1.mp3\n"];
                text += &format!("{}{song}\n", one(dice, &remarks));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: scores: players who do not all have the same number of rounds",
        grammar: "",
        input: "ada: 12 9 0 31\nbo: 7 15 22 4\ncleo: 10 3 18\ndan: 101 8 6 6\n",
        valid: |input| rounds(input).is_some(),
        fails: |input| {
            let all = rounds(input).unwrap_or_default();
            all.iter().any(|count| *count != all[0])
        },
        draw: |dice| {
            let (usual, is_even) = (1 + dice.below(5), dice.below(2) == 0);
            let mut text = String::new();
            for _ in 0..1 + dice.below(4) {
                let count = match dice.below(2) {
                    0 if !is_even => [usual + 1, usual + 2, usual.max(2) - 1][dice.below(3)],
                    _ => usual,
                };
                let points = joined(dice, count, " ", |dice| {
                    one(dice, &["0", "7", "12", "31", "101", "9"]).to_owned()
                });
                text += &format!("{}: {points}\n", one(dice, &["ada", "bo", "cleo", "dan"]));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: http: a body that is longer than its Content-Length",
        grammar: "",
        input: "HTTP/1.1 200\nServer: attic/2.4\nContent-Length: 28\nAge: 3600\nX-Length: 90\n\nThe tide is at 4:10 today.\nContent-Length: 99\n",
        valid: |input| lengths(input).is_some(),
        fails: |input| lengths(input).is_some_and(|(said, length)| length > said),
        draw: |dice| {
            let body = match dice.below(4) {
                0 => one(dice, &["", "\n", "tide: 4:10\n\n", "Content-Length: 2\n"]).to_owned(),
                _ => {
                    let length = 1 + dice.below(40);
                    line(dice, length) + one(dice, &["", "\n"])
                }
            };
            let length = body.len();
            let near = [length, length, length + 1, length + 3, length.max(1) - 1, length / 2];
            let said = [near[dice.below(6)], near[dice.below(6)], dice.below(40)][dice.below(3)];
            let mut lines = vec![format!("Content-Length: {said}\n")];
            for (name, value) in [("Server", "attic/2.4"), ("Age", "30"), ("X-Length", "8")] {
                if dice.below(3) == 0 {
                    lines.push(format!("{name}: {value}\n"));
                }
            }
            let status = one(dice, &["200", "404", "500"]);
            format!("HTTP/1.1 {status}\n{}\n{body}", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: gitignore: a first pattern that begins with an exclamation mark",
        grammar: "",
        input: "# !keep what is built\n\n#second remark\n!dist/keep.js\n*.log\nbuild/\n\n!build/readme!\n# end\ntmp/*.o\n",
        valid: |input| ignored(input).is_some(),
        fails: |input| {
            ignored(input).is_some_and(|all| all.first().is_some_and(|one| one.starts_with('!')))
        },
        draw: |dice| {
            let count = dice.below(3);
            let before = joined(dice, count, "", |dice| {
                one(dice, &["\n", "# remark\n", "#!a\n", "# !keep\n"]).to_owned()
            });
            let count = 1 + dice.below(4);
            let patterns = joined(dice, count, "", |dice| {
                let pattern = match dice.below(2) {
                    0 => one(dice, &["!keep.js", "!a", "!build/readme", "!*.o", "!a/!b"]),
                    _ => one(dice, &["*.log", "build/", "a!", "tmp/*.o", "b/!a", "keep.js"]),
                };
                format!("{pattern}\n{}", one(dice, &["", "", "\n", "# !a\n", "# end\n"]))
            });
            before + &patterns
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: readme: a tab in a block of code",
        grammar: "",
        input: "# attic\n\nBuild it:\n\n```sh\nmake all\nmake test\n```\n\n\tnote: needs 4 GB\n\n```\nall:\n\tcc -o attic main.c\n  rm *.o\n```\nDone,\tor so.\n",
        valid: |input| has_tab_in_code(input).is_some(),
        fails: |input| has_tab_in_code(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let prose = ["", "# attic\n\n", "\tnote: 4 GB\n", "Done,\tor so.\n", "all:\n"];
                let mut text = one(dice, &prose).to_owned();
                if dice.below(3) > 0 {
                    let count = dice.below(4);
                    let code = joined(dice, count, "", |dice| match dice.below(5) {
                        0 => {
                            one(dice, &["\tcc main.c\n", "\t\n", "make\tall\n", "x\t\n"]).to_owned()
                        }
                        _ => one(dice, &["make\n", "  rm *.o\n", "\n", "t = 4\n"]).to_owned(),
                    });
                    text += &format!("```{}\n{code}```\n", one(dice, &["", "sh", "c"]));
                }
                text
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: plain: commit: a first line of more than 50 characters",
        grammar: "",
        input: "Read the tide table again when the harbour changes, 2\n\nIt was read once, when the program began, and was stale from then on.\nSee 4417.\n",
        valid: |input| subject(input).is_some(),
        fails: |input| subject(input).is_some_and(|length| length > 50),
        draw: |dice| {
            let lengths = [50, 50, 49, 48, 51, 51, 52, 53, 72, 20, 4 + dice.below(90)];
            let length = lengths[dice.below(11)];
            let mut text = line(dice, length);
            if dice.below(5) > 0 {
                text += "\n";
                for _ in 0..dice.below(4) {
                    let length = [51, 50, 8, 1 + dice.below(75)][dice.below(4)];
                    text += &format!("\n{}", line(dice, length));
                    text += one(dice, &["", "\n"]);
                }
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: binary: a sound whose rate, four bytes in little endian at offset 6, is above 48000",
        grammar: "",
        input: "SND1\u{2}\u{10}\u{0}\u{77}\u{1}\u{0}\u{0}\u{0}\u{80}\u{bb}\u{0}\u{0}\u{7f}\u{ff}\u{1}\u{0}SND1\u{12}\u{34}",
        valid: |input| rate(input).is_some(),
        fails: |input| rate(input).is_some_and(|rate| rate > 48_000),
        draw: |dice| {
            let rate: u32 = match dice.below(4) {
                0 => [48_000, 47_999, 47_872, 47_871, 47_616, 44_100][dice.below(6)],
                1 => [48_001, 48_002, 48_127, 48_128, 48_383, 49_152][dice.below(6)],
                2 => [96_000, 88_200, 192_000, 65_536, 65_535, 131_072, 1 << 24][dice.below(7)],
                _ => [8_000, 22_050, 32_955, 0, 1, 255, 40_000 + dice.below(8_000) as u32]
                    [dice.below(7)],
            };
            let mut all = b"SND1".to_vec();
            all.push([1, 2, 6, 255][dice.below(4)]);
            all.push([8, 16, 24, 0][dice.below(4)]);
            all.extend(rate.to_le_bytes());
            let count = dice.below(16);
            all.extend((0..count).map(|_| dice.below(256) as u8));
            text_of(&all)
        },
        patterns: &[],
    },
];
