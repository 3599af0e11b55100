//! Causes in texts without a grammar, and one in binary data.

use crate::readers::{bytes, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// What a file begins with whose author wanted to say how it is encoded.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A number of a few digits.
fn number(text: &str) -> Option<u64> {
    let is_number = text.len() < 8 && text.chars().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The second line of a message; nothing if its first line is blank, or the second one is blank and not empty.
fn second_line(input: &str) -> Option<&str> {
    let mut lines = input.split('\n');
    let is_titled = !lines.next()?.trim().is_empty() && !input.contains('\r');
    let second = lines.next().unwrap_or_default();
    (is_titled && second.is_empty() == second.trim().is_empty()).then_some(second)
}

/// The images that a build starts from; nothing if a line is no instruction.
fn images(input: &str) -> Option<Vec<&str>> {
    let mut all = Vec::new();
    for line in input.lines() {
        let (instruction, rest) = line.split_once(' ')?;
        let words: Vec<&str> = rest.split(' ').collect();
        let is_known = ["FROM", "RUN", "COPY", "ENV"].contains(&instruction);
        (is_known && !words.contains(&"") && !line.contains('\t')).then_some(())?;
        match words[..] {
            [image] | [image, "AS", _] if instruction == "FROM" => all.push(image),
            _ => (instruction != "FROM").then_some(())?,
        }
    }
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "./-".contains(c))
    };
    let is_image = |image: &&str| match image.split_once(':') {
        Some((name, tag)) => is_name(name) && is_name(tag) && !tag.contains('/'),
        None => is_name(image),
    };
    all.iter().all(is_image).then_some(all)
}

/// A time of minutes and seconds, in seconds.
fn time(text: &str) -> Option<u64> {
    let (minutes, seconds) = text.split_once(':')?;
    let has_two_digits = minutes.len() == 2 && seconds.len() == 2;
    let seconds = number(seconds).filter(|seconds| *seconds < 60)?;
    Some(number(minutes)? * 60 + seconds).filter(|_| has_two_digits)
}

/// When each subtitle starts and ends; nothing if a line is none, or one ends before it starts.
fn subtitles(input: &str) -> Option<Vec<(u64, u64)>> {
    let lines = input.lines().map(|line| {
        let (start, rest) = line.split_once(" --> ")?;
        let (end, text) = rest.split_once(' ')?;
        let (start, end) = (time(start)?, time(end)?);
        (start <= end && !text.trim().is_empty()).then_some((start, end))
    });
    lines.collect()
}

/// The subject of a mail, and whether it says to what it is a reply; nothing if it is no mail.
fn mail(input: &str) -> Option<(&str, bool)> {
    let (head, _) = input.split_once("\n\n")?;
    let (mut subject, mut is_reply) = (None, false);
    for line in head.split('\n') {
        let (key, value) = line.split_once(": ")?;
        let is_name = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        (is_name && value == value.trim() && !value.is_empty()).then_some(())?;
        match (key, key.to_ascii_lowercase().as_str()) {
            ("Subject", _) if subject.is_none() => subject = Some(value),
            ("In-Reply-To", _) if !is_reply => is_reply = true,
            (_, "subject" | "in-reply-to") => return None,
            _ => {}
        }
    }
    let subject = subject.filter(|_| !input.contains('\r'))?;
    let begins = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    (begins == subject.starts_with("Re: ")).then_some((subject, is_reply))
}

/// The statuses of the requests in a log; nothing if a line is no request.
fn statuses(input: &str) -> Option<Vec<u64>> {
    let lines = input.lines().map(|line| match line.split(' ').collect::<Vec<&str>>()[..] {
        [host, method, path, status, size] => {
            let is_request = !host.is_empty() && !method.is_empty() && path.starts_with('/');
            number(size)?;
            number(status).filter(|_| is_request && status.len() == 3)
        }
        _ => None,
    });
    lines.collect()
}

/// The sum of the amounts in a ledger, without its comments; nothing if a line is odd.
fn sum(input: &str) -> Option<i64> {
    let lines = input.lines().filter(|line| !line.starts_with("# "));
    let amounts = lines.map(|line| {
        let (account, amount) = line.split_once(' ')?;
        let is_name = !account.is_empty() && account.chars().all(|c| c.is_ascii_lowercase());
        let digits = amount.strip_prefix('-').unwrap_or(amount);
        let value = number(digits).filter(|_| is_name)? as i64;
        (value > 0 || amount == "0").then_some(if digits == amount { value } else { -value })
    });
    amounts.sum()
}

/// The start and the end of a recording, both of two bytes, the lower one first; nothing if it is none.
fn recording(input: &str) -> Option<(u16, u16)> {
    match bytes(input)[..] {
        [b'R', b'E', b'C', b'1', a, b, c, d, ..] => {
            Some((u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])))
        }
        _ => None,
    }
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "sixteenth: plain: commit: a message whose second line is not empty",
        grammar: "",
        input: "fix the timer\nit rang too late\n\nsince the clock was slow\n",
        valid: |input| second_line(input).is_some(),
        fails: |input| second_line(input).is_some_and(|line| !line.is_empty()),
        draw: |dice| {
            let title = format!("{} the {}", one(dice, &["fix", "add"]), word(dice, 5));
            let (count, by) = (dice.below(4), one(dice, &["\n", "\n\n"]));
            let body =
                joined(dice, count, by, |dice| format!("{} {}", word(dice, 4), word(dice, 4)));
            let end = one(dice, &["\n", ""]);
            format!("{title}{}{body}{end}", one(dice, &["\n", "\n", "\n\n", "\n\n\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: a file with a byte order mark and lines that end in CRLF",
        grammar: "",
        input: "\u{feff}name,age,city\r\nann,31,rome\r\nbo,44,oslo\r\n",
        valid: crate::two_sided::any,
        fails: |input| input.starts_with(BYTE_ORDER_MARK) && input.contains("\r\n"),
        draw: |dice| {
            let usual = one(dice, &["\r\n", "\r\n", "\n", "\r", "\n\r"]);
            let mut text = String::new();
            if dice.below(4) > 0 {
                text.push(BYTE_ORDER_MARK);
            }
            for _ in 0..1 + dice.below(3) {
                let end = if dice.below(5) == 0 { "\n" } else { usual };
                let mark = if dice.below(6) == 0 { "\u{feff}" } else { "" };
                text += &format!("{},{mark}{}{end}", word(dice, 3), dice.below(90));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: dockerfile: an image without a tag or with the latest",
        grammar: "",
        input: "FROM rust:1.80 AS build\nRUN make tea\nFROM debian\nCOPY tea /bin/tea\n",
        valid: |input| images(input).is_some(),
        fails: |input| {
            let all = images(input).unwrap_or_default();
            all.iter().any(|image| image.split_once(':').is_none_or(|(_, tag)| tag == "latest"))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let tag = match dice.below(3) {
                    0 => one(dice, &["", "", ":latest"]),
                    _ => one(dice, &[":1.80", ":12", ":latest-slim", ":slim"]),
                };
                let name = one(dice, &["rust", "debian", "tea/pot", "latest"]);
                let stage = one(dice, &["", " AS build", " AS latest"]);
                let count = dice.below(3);
                let others = joined(dice, count, "", |dice| {
                    let all =
                        ["RUN make a:latest\n", "COPY a /b\n", "ENV A=1\n", "RUN cc FROM a\n"];
                    one(dice, &all).to_owned()
                });
                format!("FROM {name}{tag}{stage}\n{others}")
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: a subtitle that starts before the one above it has ended",
        grammar: "",
        input: "00:01 --> 00:04 Good morning\n00:04 --> 00:59 Two teas\n00:58 --> 01:12 Thanks\n",
        valid: |input| subtitles(input).is_some(),
        fails: |input| {
            let all = subtitles(input).unwrap_or_default();
            all.windows(2).any(|two| two[1].0 < two[0].1)
        },
        draw: |dice| {
            let (mut text, mut last) = (String::new(), 40 + dice.below(30));
            for _ in 0..1 + dice.below(4) {
                let start = [last, last + 1, last + 9, last + 2, last - 1][dice.below(5)];
                let start = if dice.below(9) == 0 { last - 10 } else { start };
                last = start + dice.below(12);
                let [from, to] = [start, last].map(|at| format!("{:02}:{:02}", at / 60, at % 60));
                text += &format!("{from} --> {to} {}\n", word(dice, 4));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: mail: a reply that does not say to what",
        grammar: "",
        input: "From: ann@tea.org\nSubject: Re: two cups\nDate: 3 May\n\nIn-Reply-To: I forgot it\n",
        valid: |input| mail(input).is_some(),
        fails: |input| {
            mail(input).is_some_and(|(subject, has)| subject.starts_with("Re: ") && !has)
        },
        draw: |dice| {
            let start = one(dice, &["Re: ", "Re: ", "Re: ", "Fwd: Re: ", "", "Reply "]);
            let mut lines = vec![
                format!("Subject: {start}{}", word(dice, 5)),
                format!("From: {}", one(dice, &["ann", "bo@tea.org", "Re: bo"])),
            ];
            match dice.below(4) {
                0 | 1 => lines.push(format!("In-Reply-To: {}", word(dice, 4))),
                2 => lines.push(format!("Reply-To: {}", word(dice, 4))),
                _ => {}
            }
            let body = one(dice, &["", "tea", "In-Reply-To: a\n", "Subject: Re: b\n"]);
            format!("{}\n\n{body}", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: log: a status from 500 to 599",
        grammar: "",
        input: "10.0.0.7 GET /tea 200 512\n10.0.0.9 POST /cup 503 88\n10.0.0.7 GET /404 404 0\n",
        valid: |input| statuses(input).is_some(),
        fails: |input| {
            let all = statuses(input).unwrap_or_default();
            all.iter().any(|status| (500..=599).contains(status))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let status = match dice.below(3) {
                    0 => one(dice, &["500", "501", "503", "550", "598", "599"]),
                    _ => one(dice, &["200", "304", "404", "499", "498", "600", "601", "150"]),
                };
                let path = one(dice, &["tea", "500", "cup/503", ""]);
                let size = [0, 88, 499, 500, 512, 599, 600, 5000][dice.below(8)];
                format!(
                    "10.0.0.{} {} /{path} {status} {size}\n",
                    dice.below(9),
                    one(dice, &["GET", "POST"])
                )
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: plain: ledger: amounts whose sum is not zero",
        grammar: "",
        input: "# march, page 3\nrent -400\nfood -35\nbank 430\ncash 10\n",
        valid: |input| sum(input).is_some(),
        fails: |input| sum(input).is_some_and(|sum| sum != 0),
        draw: |dice| {
            let mut amounts = Vec::new();
            for _ in 0..dice.below(4) {
                let amount = dice.below(100) as i64;
                amounts.push(if dice.below(3) == 0 { amount } else { -amount });
            }
            let rest = -amounts.iter().sum::<i64>();
            amounts.push(match dice.below(5) {
                0 => rest + 1,
                1 => -rest,
                _ => rest,
            });
            let mut lines: Vec<String> =
                amounts.iter().map(|amount| format!("{} {amount}\n", word(dice, 4))).collect();
            if dice.below(2) == 0 {
                lines.push(format!("# page {}\n", dice.below(9)));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: binary: a recording whose little-endian end of two bytes is before its start",
        grammar: "",
        input: "REC1\u{2c}\u{1}\u{90}\u{0}boiler room, lower floor",
        valid: |input| recording(input).is_some(),
        fails: |input| recording(input).is_some_and(|(start, end)| end < start),
        draw: |dice| {
            let start = 1 + dice.below(700);
            let ends = [start, start - 1, start + 1, dice.below(700), start + 256, start % 256];
            let end = ends[dice.below(ends.len())];
            let mut all = b"REC1".to_vec();
            all.extend((start as u16).to_le_bytes());
            all.extend((end as u16).to_le_bytes());
            all.extend(word(dice, 9).as_bytes());
            text_of(&all)
        },
        patterns: &[],
    },
];
