//! Causes in texts without a grammar.

use seedsmith_grammar::Random;

use super::{extras, foreign, has_equals, lengths, measure, names, rarely, steps};
use crate::readers::{are_in_order, is_name, is_shown, number, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// How deep spoilers and indents are in each other in a post; nothing if a tag is not known, or not
/// closed as it was opened.
fn post_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest) = (Vec::new(), 0);
    let mut pieces = input.split('[');
    let is_text = |text: &str| !text.contains(']') && text.split('\n').all(is_shown);
    is_text(pieces.next()?).then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once(']')?;
        match tag.strip_prefix('/') {
            Some(name) => (open.pop()? == name).then_some(())?,
            None => open.push(tag),
        }
        (is_text(text) && ["spoiler", "indent", "b"].contains(&tag.trim_start_matches('/')))
            .then_some(())?;
        deepest = deepest.max(open.iter().filter(|name| **name != "b").count());
    }
    open.is_empty().then_some(deepest)
}

/// The names of the scenarios of a feature. Other lines are not looked at.
fn scenarios(input: &str) -> Vec<&str> {
    let lines = input.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix("Scenario: ")).map(str::trim).collect()
}

/// The numbers of each star: whether each is negative, and how many decimals it has; nothing if a
/// line is neither a star nor a remark.
fn stars(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let lines = input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#'));
    let stars = lines.map(|line| {
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        let name = words.next()?;
        let is_right = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        is_right.then_some(())?;
        words.map(signed_decimals).collect()
    });
    stars.collect()
}

/// The window of each sequence, and its length; nothing if one has no window or is no DNA, or a line
/// is odd.
fn sequences(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = input.split('\n').filter(|line| !line.is_empty() && !line.starts_with(';'));
    let mut found = Vec::new();
    while let Some(head) = lines.next() {
        let (name, rest) = head.strip_prefix('>')?.split_once(' ')?;
        let mut pairs = rest.split(' ').map(|pair| pair.split_once('='));
        let window = match pairs.next()? {
            Some(("window", window)) => number(window)?,
            _ => return None,
        };
        let are_right = pairs.all(|pair| pair.is_some_and(|(key, _)| key == "from"));
        let bases = lines.next()?;
        let is_dna = bases.chars().all(|c| "ACGTN".contains(c));
        (is_name(name) && is_shown(rest) && are_right && is_dna).then_some(())?;
        found.push((window, bases.len() as u32));
    }
    Some(found)
}

/// The words of a program for a mill, without remarks.
fn mill_words(input: &str) -> Vec<&str> {
    let lines = input.lines().filter_map(|line| line.split(';').next());
    lines.flat_map(str::split_whitespace).collect()
}

/// Who is in each shift. Lines without a colon are not looked at, nor are remarks.
fn shifts(input: &str) -> Vec<Vec<&str>> {
    let lines = input.lines().filter(|line| !line.starts_with('#'));
    let shifts = lines.filter_map(|line| line.split_once(':'));
    let people = shifts.map(|(_, people)| people.split(',').map(str::trim));
    people.map(|people| people.filter(|name| !name.is_empty()).collect()).collect()
}

/// How many cells each row of each table has, without lines between them.
fn tables(input: &str) -> Vec<Vec<usize>> {
    let tables = input.split("\\begin{tabular}").skip(1);
    let tables = tables.map(|table| table.split("\\end{tabular}").next().unwrap_or(""));
    let tables = tables.map(|table| {
        // What is left of the line of the begin says how its columns look.
        let (_, body) = table.split_once('\n').unwrap_or(("", table));
        let rows = body.split("\\\\").map(|row| row.replace("\\hline", ""));
        let rows = rows.filter(|row| !row.trim().is_empty());
        // Escaped, it is a sign as any other.
        rows.map(|row| 1 + row.replace("\\&", "").matches('&').count()).collect()
    });
    tables.collect()
}

/// A part of a post in which nothing is deep.
fn small_post(dice: &mut Random) -> String {
    let text = one(dice, &["so it ends", "see page 4", "the indent", "Spoiler!", "at noon"]);
    match dice.below(6) {
        0 => format!("[b]{text}[/b]"),
        1 => format!("[spoiler]{text}[/spoiler]"),
        2 => format!("[indent]{text}[/indent]\n"),
        _ => format!("{text}\n"),
    }
}

/// A scenario, or something else with a name.
fn scenario(dice: &mut Random, name: &str) -> String {
    let other = rarely(dice, 5);
    let kind = if other { one(dice, &["Rule", "# Scenario"]) } else { "Scenario" };
    let steps = ["    Given Scenario: sign in\n", "    When I pay 40\n", "    Then pay twice\n"];
    format!("  {kind}: {name}\n{}", extras(dice, &steps).concat())
}

/// A sequence whose window is often as long as itself, or nearly.
fn sequence(dice: &mut Random) -> String {
    let length = 3 + dice.below(12);
    let window = match dice.below(6) {
        0 | 1 => length,
        2 => length + 1,
        3 => length - 1,
        _ => 1 + dice.below(30),
    };
    let from = one(dice, &["", "", " from=40", " from=window=9"]);
    let bases = joined(dice, length, "", |dice| one(dice, &["A", "C", "G", "T", "N"]).to_owned());
    format!(">{}x{} window={window}{from}\n{bases}\n", word(dice, 3), dice.below(20))
}

/// A table, one of whose rows may be longer or shorter than the others.
fn table(dice: &mut Random) -> String {
    let mut text = format!("\\begin{{tabular}}{{{}}}\n", one(dice, &["lrr", "l", "l|rrr", "cc"]));
    for length in lengths(dice) {
        let cells = joined(dice, length, " & ", |dice| {
            one(dice, &["high", "low", "4", "2.5", "Mon", "at 12"]).to_owned()
        });
        text += &format!("{cells} \\\\\n{}", one(dice, &["", "", "", "\\hline\n"]));
    }
    text + "\\end{tabular}\n"
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-sixth: plain: bbcode: spoilers and indents in each other, five deep or more",
        grammar: "",
        input: concat!(
            "Page 4, [b]the indent[/b]: [spoiler]so[/spoiler]\n[indent]a [spoiler][b]see ",
            "[indent]it\n[spoiler]at [indent]noon[/indent][/spoiler][/indent] 12[/b][/spoiler] ",
            "[spoiler]ends[/spoiler]\n[/indent][indent]x[/indent]\n"
        ),
        valid: |input| post_depth(input).is_some(),
        fails: |input| post_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut post = small_post(dice);
            for _ in 0..4 + dice.below(4) {
                let name = one(dice, &["spoiler", "indent", "spoiler", "indent", "b"]);
                post = format!("[{name}]{post}[/{name}]");
                if rarely(dice, 3) {
                    post += &small_post(dice);
                }
                if rarely(dice, 3) {
                    post = small_post(dice) + &post;
                }
            }
            post
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: gherkin: two scenarios of the same name",
        grammar: "",
        input: concat!(
            "Feature: pay twice\n  Rule: pay\n  Scenario: pay twice\n    Given a card\n",
            "    When I pay 40\n  # Scenario: refund\n  Scenario: refund\n    Then pay twice\n",
            "\n  Scenario: pay\n  Scenario: pay twice\n    When I wait\n"
        ),
        valid: any,
        fails: |input| has_equals(&scenarios(input)),
        draw: |dice| {
            let known = ["pay", "pay twice", "refund", "sign in", "sign in 2"];
            let mut text = extras(dice, &["Feature: pay twice\n", "# Scenario: pay\n"]).concat();
            let throws = 1 + dice.below(2);
            for name in names(dice, &known, 4, throws) {
                text += &scenario(dice, &name);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: vcard: a full name (FN) with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "BEGIN:VCARD\nVERSION:4.0\nN:Müller;Jo\nFN:Jo Muller\nORG:Café 4\nEND:VCARD\n",
            "BEGIN:VCARD\nTEL:+47 555 12\nFN:Åse Berg\nNOTE:for Zoë\nN:Berg;Ase\nEND:VCARD\n"
        ),
        valid: any,
        fails: |input| {
            let mut full = input.lines().filter_map(|line| line.strip_prefix("FN:"));
            full.any(|name| !name.is_ascii())
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let name = match dice.below(5) {
                    0 | 1 => foreign(dice),
                    2 => word(dice, 8),
                    _ => one(dice, &["Jo Muller", "Ase Berg", "O'Neill", "FN"]).to_owned(),
                };
                let others = ["N:Müller;Jo\n", "ORG:Café 4\n", "NOTE:FN:Åse\n", "TEL:+47 555\n"];
                let mut lines = extras(dice, &others);
                lines.push(format!("FN:{name}\n"));
                format!("BEGIN:VCARD\n{}END:VCARD\n", shuffled(dice, lines).concat())
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: stars: a star with a negative number and one of exactly three decimals",
        grammar: "",
        input: concat!(
            "# Sirius -1.125\nDeneb 1.25 0.002 2615\nSirius 2.64 0.379 -1.46 8.6\n",
            "Rigel -6.69 860\n\nVega 0.026 25\n# end -4\nMira -3.1256 9\n"
        ),
        valid: |input| stars(input).is_some(),
        fails: |input| {
            stars(input).unwrap_or_default().iter().any(|numbers| {
                let is_long = numbers.iter().any(|(_, decimals)| *decimals == 3);
                is_long && numbers.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let count = 1 + dice.below(4);
                let numbers = joined(dice, count, " ", measure);
                let name = one(dice, &["Sirius", "Deneb", "Vega", "Mira", "HD219"]);
                let start = one(dice, &["", "", "", "", "", "# "]);
                format!("{start}{name} {numbers}\n{}", one(dice, &["", "", "", "\n", "# -0.125\n"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: fasta: a sequence that is exactly as long as its window",
        grammar: "",
        input: concat!(
            "; window=4\n>kelp1 window=30\nACCGTTAGGN\n>kelp2 window=12 from=12\nGATTACAGATTC\n",
            "\n>kelp12 window=7 from=40\nTTGACA\n"
        ),
        valid: |input| sequences(input).is_some(),
        fails: |input| sequences(input).is_some_and(|all| all.iter().any(|(w, len)| w == len)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let start = one(dice, &["", "", "; window=4\n", "; ACGT\n"]);
            format!("{start}{}", joined(dice, count, "", sequence))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: gcode: an M3, then an M6, and then an M5",
        grammar: "",
        input: concat!(
            "; M3 M6 M5\nG21 M5\nM6 T2\nM3 S1200\nG1 X40 Y3.5 F300\nM8\nM6 T4 ; M30\n",
            "G0 Z12\nM3 S800\nM9\nM5\nM30\n"
        ),
        valid: any,
        fails: |input| are_in_order(&mill_words(input), &["M3", "M6", "M5"]),
        draw: |dice| {
            let mut text = extras(dice, &["; M3 M6 M5\n", "G21\n"]).concat();
            for step in steps(dice, ["M3", "M6", "M5"], &["M8", "M9", "M4", "M60", "M30"]) {
                let rest = one(dice, &["", "", " S1200", " T4", " ; M5", " ;"]);
                text += &extras(dice, &["G1 X40 Y3.5\n", "G0 Z12\n"]).concat();
                text += &format!("{}{step}{rest}\n", one(dice, &["", "", "", "G4 P5 ", "N30 "]));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: roster: a shift with the same person twice",
        grammar: "",
        input: concat!(
            "# Ada: Ada, Ada\nWeek 12\nMon early: Ada, Bo, Cy\nMon late: Di, Ada K, Ada\n",
            "Tue early: Bo, Di, Cy, Bo, Ed\n\nTue late:\nWed early: Cy\n"
        ),
        valid: any,
        fails: |input| shifts(input).iter().any(|people| has_equals(people)),
        draw: |dice| {
            let mut text = extras(dice, &["# Ada: Ada, Ada\n", "Week 12\n"]).concat();
            for _ in 0..1 + dice.below(4) {
                let known = ["Ada", "Ada K", "Bo", "Cy", "Di", "Bob"];
                let people = names(dice, &known, 5, 4).join(", ");
                let day = one(dice, &["Mon", "Tue", "Bo", "Wed"]);
                text += &format!("{day} {}: {people}\n", one(dice, &["early", "late", "4"]));
                text += &extras(dice, &["\n", "Tue late:\n"]).concat();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-sixth: plain: latex: a table whose rows do not all have the same number of cells",
        grammar: "",
        input: concat!(
            "Tides \\& winds.\n\\begin{tabular}{lr}\nMon & 4 \\\\\nTue & 12 \\\\\n\\end{tabular}\n",
            "At noon:\n\\begin{tabular}{lrr}\nday & high & low \\\\\n\\hline\nWed & 7 & 2.5 \\\\\n",
            "Thu & 9 \\\\\nFri & 8 & 3 \\\\\n\\end{tabular}\n"
        ),
        valid: any,
        fails: |input| tables(input).iter().any(|rows| rows.windows(2).any(|two| two[0] != two[1])),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "", |dice| {
                let before = extras(dice, &["Tides \\& winds.\n", "\n", "At noon:\n"]).concat();
                before + &table(dice)
            })
        },
        patterns: &[],
    },
];
