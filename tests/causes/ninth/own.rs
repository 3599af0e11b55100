//! Causes in XML, CSV and a language of steps.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const STEPS: &str = "grammar Steps; recipe: step* EOF; step: VERB NAME (N UNIT)? '.';
    VERB: 'take' | 'heat' | 'stir' | 'cool' | 'serve'; UNIT: 'g' | 'ml' | 'min'; NAME: [a-z]+; N: [0-9]+;
    WS: [ \\n]+ -> skip;";

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "ninth: own: heating, cooling and stirring in this order",
        grammar: STEPS,
        input: "take milk 200 ml. heat milk. stir milk. cool milk 5 min. stir it. serve it.",
        valid: any,
        fails: |input| {
            let mut wanted = ["heat", "cool", "stir"].iter().peekable();
            for step in input.split('.') {
                if step.split_whitespace().next() == wanted.peek().map(|verb| **verb) {
                    wanted.next();
                }
            }
            wanted.peek().is_none()
        },
        draw: |dice| {
            let mut all = Vec::new();
            for verb in ["heat", "cool", "stir", "take"] {
                if dice.below(8) > 0 {
                    let rest = one(dice, &["milk", "it", "egg 5 g", "x 2 min"]);
                    all.push(format!("{verb} {rest}."));
                }
            }
            let all = if dice.below(3) == 0 { shuffled(dice, all) } else { all };
            all.join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: own: csv: a price of which the third column is negative",
        grammar: "@csv",
        input: "pen,4,12\nbook,2,-7\nbag,1,30\n",
        valid: |input| {
            !input.contains(['"', '\r']) && input.lines().all(|row| row.split(',').count() == 3)
        },
        fails: |input| {
            input.lines().filter_map(|row| row.split(',').nth(2)).any(|cell| {
                cell.strip_prefix('-').is_some_and(|digits| digits.parse::<u32>().is_ok())
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rows = joined(dice, count, "\n", |dice| {
                let sign = |dice: &mut seedsmith_grammar::Random| one(dice, &["", "", "-"]);
                let (first, second) = (sign(dice), sign(dice));
                format!("{},{first}{},{second}{}", word(dice, 4), dice.below(9), 1 + dice.below(40))
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: own: xml: a row whose cells are not as many as it says",
        grammar: "@xml",
        input: "<table><row n=\"2\"><c/><c/></row><row n=\"3\"><c/></row></table>",
        valid: |input| !input.contains(['!', '?', '&', '\'', ' ']) || input.contains("<row n=\""),
        fails: |input| {
            input.split("<row n=\"").skip(1).any(|rest| {
                let Some((said, rest)) = rest.split_once('"') else { return false };
                let row = rest.split("</row>").next().unwrap_or("");
                said.parse::<usize>().is_ok_and(|said| said != row.matches("<c/>").count())
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rows = joined(dice, count, "", |dice| {
                let cells = dice.below(4);
                let said = [cells, cells, cells + 1, dice.below(5)][dice.below(4)];
                format!("<row n=\"{said}\">{}</row>", "<c/>".repeat(cells))
            });
            format!("<table>{rows}</table>")
        },
        patterns: &[],
    },
];
