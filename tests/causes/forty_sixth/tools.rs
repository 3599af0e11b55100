//! Causes in texts without a grammar: scenes that are drawn, records of a business, and sessions of a mail server.

use super::{tokens, written};
use crate::draws::{are_negative_and_fine, chance, extras, figure, steps};
use crate::readers::{are_in_order, is_digits, is_shown, number};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// The numbers of each vector of a scene.
fn vectors(input: &str) -> Vec<Vec<(bool, usize)>> {
    let mut found = Vec::new();
    for line in input.lines() {
        let line: String = line.split('"').step_by(2).collect();
        let line = line.split("//").next().unwrap_or("");
        for part in line.split('<').skip(1) {
            let Some((inner, _)) = part.split_once('>') else { continue };
            let numbers = inner.split(',').map(|number| written(number.trim()));
            found.extend(numbers.collect::<Option<Vec<_>>>());
        }
    }
    found
}

/// How long each text of a record may be, and how long its value is. A value that is longer is an error.
fn values(input: &str) -> Option<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('*') {
            continue;
        }
        let all = tokens(line.strip_suffix('.').filter(|line| is_shown(line))?, "-", '"')?;
        let [level, name, rest @ ..] = &all[..] else { return None };
        let is_inside = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
        let is_field =
            name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(is_inside);
        (level.len() == 2 && is_digits(level) && is_field).then_some(())?;
        let (kind, size, rest) = match rest {
            ["PIC", kind @ ("X" | "9"), "(", size, ")", rest @ ..] => (*kind, number(size)?, rest),
            _ => ("", 0, rest),
        };
        let rest = match rest {
            ["OCCURS", count, "TIMES", rest @ ..] => number(count).map(|_| rest)?,
            _ => rest,
        };
        match rest {
            [] => {}
            ["VALUE", "SPACES"] if kind == "X" => {}
            ["VALUE", value] if kind == "9" && is_digits(value) => {}
            ["VALUE", value] if kind == "X" => {
                let text = value.strip_prefix('"')?.strip_suffix('"')?;
                let pair = (size as usize, text.len());
                found.push(Some(pair).filter(|(size, length)| length <= size && *length > 0)?);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The commands of a session, without the lines of its messages.
fn commands(input: &str) -> Vec<String> {
    let (mut found, mut is_message): (Vec<String>, bool) = (Vec::new(), false);
    for line in input.lines().map(str::trim_end) {
        if is_message {
            is_message = line != ".";
            continue;
        }
        let command = line.split(' ').next().unwrap_or("").to_ascii_uppercase();
        is_message = command == "DATA";
        found.push(command);
    }
    found
}

/// The causes.
pub const TOOLS: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-sixth: plain: povray: a vector with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "",
        input: r#"// look_at <-1, 0.125, 3>
#include "colors <-1, 0.125>.inc"
#declare Gap = -0.125;
camera {
  location <0, 2.5, -8>
  look_at <0, 1.125, 4>
}
light_source { <20, 20.25, -2.5> color rgb <1, 0.875, 0.5> }
sphere {
  <-1.5, 2, 0.375>, 1.25
  texture { pigment { color rgb <0.5, 0, 1> } }
  translate -0.125*y
}
plane { y, -1.375 rotate <0, -45.5, 0.0625> }
"#,
        valid: any,
        fails: |input| vectors(input).iter().any(|numbers| are_negative_and_fine(numbers)),
        draw: |dice| {
            let others = [
                "// look_at <-1, 0.125, 3>\n",
                "#declare Gap = -0.125;\n",
                "#include \"colors <-1, 0.125>.inc\"\n",
                "light_source { <20, 20.25, -2.5> color rgb <1, 0.875, 0.5> }\n",
                "plane { y, -1.375 }\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let vector = format!("<{}>", joined(dice, 3, ", ", figure));
                parts.push(match dice.below(4) {
                    0 => format!("camera {{\n  location {vector}\n  look_at <0, 1.125, 4>\n}}\n"),
                    1 => format!("box {{ {vector}, <4, 4, 4.5> translate -0.125*y }}\n"),
                    2 => format!("union {{ object {{ Lamp }} rotate {vector} }}\n"),
                    _ => format!(
                        "sphere {{\n  {vector}, 1.25\n  pigment {{ rgb <0.5, 0, 1> }}\n}}\n"
                    ),
                });
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: cobol: a text with a value exactly as long as its PIC says",
        grammar: "",
        input: r#"* 05 A PIC X(2) VALUE "AB".
01 CUSTOMER.
   05 CUST-ID     PIC 9(5) VALUE 10412.
   05 CUST-NAME   PIC X(20) VALUE "NO NAME".
   05 FILLER      PIC X(4).
   05 CURRENCY    PIC X(4) VALUE "EUR".
   05 ADDRESS-1.
      10 CITY-4   PIC X(12) VALUE SPACES.
      10 COUNTRY  PIC X(7) VALUE "GERMANY".
      10 ZIP      PIC 9(4) VALUE 1234.
   05 LINES       PIC X(8) OCCURS 8 TIMES VALUE "X(1) 5.".
77 TOTAL          PIC 9(3).
"#,
        valid: |input| values(input).is_some(),
        fails: |input| {
            values(input).is_some_and(|all| all.iter().any(|(size, length)| size == length))
        },
        draw: |dice| {
            let others = [
                "* 05 A PIC X(2) VALUE \"AB\".\n",
                "05 CUST-ID PIC 9(5) VALUE 10412.\n",
                "05 FILLER PIC X(4).\n",
                "05 CITY-4 PIC X(12) VALUE SPACES.\n",
                "77 TOTAL PIC 9(3).\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let texts =
                    ["EUR", "NO NAME", "GERMANY", "A", "X(1) 5.", "Bern 4", "PIC X(14) HERE"];
                let text = one(dice, &texts);
                let size = match chance(dice, 24) {
                    true => text.len(),
                    false => text.len() + [1, 1, 2, 3, 1 + dice.below(20)][dice.below(5)],
                };
                let level = one(dice, &["05", "10", "77"]);
                let name = one(dice, &["CUST-NAME", "CURRENCY", "COUNTRY", "LINE-2"]);
                let times = one(dice, &["", "", "", " OCCURS 8 TIMES"]);
                lines.push(format!("{level} {name} PIC X({size}){times} VALUE \"{text}\".\n"));
            }
            let start = one(dice, &["", "01 CUSTOMER.\n"]);
            format!("{start}{}", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: plain: smtp: a RCPT, then a RSET, and then a DATA command",
        grammar: "",
        input: r"EHLO client.example
RSET
MAIL FROM:<ann@example.org>
RCPT TO:<data@example.org>
DATA
Subject: RCPT, RSET, DATA
RSET
DATA
.
NOOP
MAIL FROM:<rset@example.org>
rcpt TO:<bob@example.org>
VRFY data
RSET
MAIL FROM:<ann@example.org>
DATA
Hello Bob
.
QUIT
",
        valid: any,
        fails: |input| {
            let all = commands(input);
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["RCPT", "RSET", "DATA"])
        },
        draw: |dice| {
            let others = ["MAIL", "NOOP", "VRFY", "HELP", "RSET", "MAIL"];
            let mut text = one(dice, &["", "EHLO client.example\n"]).to_owned();
            for command in steps(dice, ["RCPT", "RSET", "DATA"], &others) {
                let rest = match command {
                    "RCPT" => one(dice, &[" TO:<data@example.org>", " TO:<bob@example.org>"]),
                    "MAIL" => " FROM:<rset@example.org>",
                    "VRFY" => one(dice, &[" data", " bob"]),
                    "DATA" => one(
                        dice,
                        &["\n.", "\nHello Bob\n.", "\nRCPT TO:<a@b.example>\nRSET\nDATA\n."],
                    ),
                    _ => "",
                };
                let command = match chance(dice, 12) {
                    true => command.to_lowercase(),
                    false => command.to_owned(),
                };
                text += &format!("{command}{rest}\n");
            }
            text + one(dice, &["", "QUIT\n"])
        },
        patterns: &[],
    },
];
