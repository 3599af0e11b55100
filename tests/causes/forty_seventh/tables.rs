//! Causes in tables: a file of cells between commas, and the tables of a text in Markdown.

use crate::draws::{are_uneven, chance, extras, lengths};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// How many cells each row of a file has. A cell may be in quotes. Empty lines are none.
fn widths(input: &str) -> Vec<usize> {
    let (mut found, mut width, mut is_quoted, mut is_empty) = (Vec::new(), 1, false, true);
    for c in input.chars().filter(|c| *c != '\r').chain(['\n']) {
        match c {
            '\n' if !is_quoted => {
                found.extend((!is_empty).then_some(width));
                (width, is_empty) = (1, true);
                continue;
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => width += 1,
            _ => {}
        }
        is_empty = false;
    }
    found
}

/// How many cells a row of a table in Markdown has, if the line is one.
fn cells(line: &str) -> Option<usize> {
    let inner = line.trim().strip_prefix('|')?.replace("\\|", "");
    let inner = inner.strip_suffix('|').unwrap_or(&inner);
    Some(inner.split('|').count())
}

/// Whether a line is the one below the first row of a table.
fn is_rule(line: &str) -> bool {
    let is_inside = |c: char| "|-: ".contains(c);
    line.contains('-') && line.trim().chars().all(is_inside)
}

/// How many cells the rows of each table have.
fn markdown_tables(input: &str) -> Vec<Vec<usize>> {
    let (mut found, mut is_code) = (Vec::new(), false);
    let (mut before, mut is_table) = (None, false);
    for line in input.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let count = if is_code { None } else { cells(line) };
        match (count, before) {
            (Some(count), _) if is_table => {
                let rows: Option<&mut Vec<usize>> = found.last_mut();
                rows.into_iter().for_each(|rows| rows.push(count));
            }
            (Some(count), Some(first)) if is_rule(line) && count == first => {
                found.push(vec![first]);
                is_table = true;
            }
            (Some(_), _) => {}
            (None, _) => is_table = false,
        }
        before = count;
    }
    found
}

/// The causes.
pub const TABLES: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: csv: parts: rows that do not all have the same number of cells",
        grammar: "@csv",
        input: concat!(
            "part,name,supplier,stock,price\n1001,bolt,Fastco,1200,0.04\n1002,\"washer, wide\",Fastco,800,0.02\n",
            "1003,nut,Fastco,,0.03\n1010,hinge,\"Doors, Ltd\",64,2.10\n1011,handle,\"Doors, Ltd\",12,8.90\n",
            "1012,\"lock, brass\",,3,24.00\n1020,shelf,Okafor,7\n1021,bracket,Okafor,40,1.25\n",
            "1022,rail,Okafor,18,6.40\n1030,\"glue, white\",Stick & Co,5,3.99\n1031,tape,Stick & Co,31,2.49\n"
        ),
        valid: any,
        fails: |input| are_uneven(&widths(input)),
        draw: |dice| {
            let length = 2 + dice.below(4);
            let names = ["part", "name", "supplier", "stock", "price", "note"];
            let mut rows = vec![names[..length].join(",")];
            let mut all = vec![length; 1 + dice.below(8)];
            if chance(dice, 50) {
                let at = dice.below(all.len());
                all[at] = [length + 1, length + 2, length - 1][dice.below(3)];
            }
            for length in all {
                rows.push(joined(dice, length, ",", |dice| match dice.below(8) {
                    0 => String::new(),
                    1 => format!("\"{}, {}\"", word(dice, 6), word(dice, 4)),
                    2 => one(dice, &["Fastco", "Stick & Co", "\"\"", "n/a"]).to_owned(),
                    3 => format!("{}.{}", dice.below(30), 10 + dice.below(90)),
                    4 => dice.below(2000).to_string(),
                    _ => word(dice, 9),
                }));
            }
            rows.retain(|row| !row.is_empty());
            rows.join("\n") + one(dice, &["\n", "\n", ""])
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-seventh: plain: markdown: a table whose rows do not all have the same number ",
            "of cells"
        ),
        grammar: "",
        input: concat!(
            "# Release 2.4\n\nThis release has *new* options and faster start.\n\n## Options\n\n",
            "| Option | Default | Meaning |\n|--------|---------|---------|\n| depth  | 4       | how deep to go |\n",
            "| quiet  | no      | say less |\n| color  | auto    |\n| jobs   | 8       | how many at once |\n\n",
            "## Speed\n\n| Case | Before | After |\n|:-----|-------:|------:|\n| start | 120 ms | 40 ms |\n",
            "| a \\| b | 15 ms | 14 ms |\n\n```\n| not | a table |\n|-----|---------|\n| 1 |\n```\n\n",
            "- See the [guide](guide.md).\n- Thanks to Ines and Tom | 2024.\n"
        ),
        valid: any,
        fails: |input| markdown_tables(input).iter().any(|rows| are_uneven(rows)),
        draw: |dice| {
            let others = [
                "# Release 2.4\n",
                "This release has *new* options | and faster start.\n",
                "## Options\n",
                "```\n| not | a table |\n|-----|---------|\n| 1 |\n```\n",
                "- See the [guide](guide.md).\n- Thanks to Ines | 2024.\n",
                "> A quote.\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let all = lengths(dice, 2, 40);
                let mut rows = Vec::new();
                for length in all {
                    let row = joined(dice, length, " | ", |dice| match dice.below(7) {
                        0 => one(dice, &["`a`", "a \\| b", "**no**", "-"]).to_owned(),
                        1 => format!("{} ms", dice.below(400)),
                        2 => format!("{} {}", word(dice, 6), word(dice, 6)),
                        _ => word(dice, 8),
                    });
                    rows.push(format!("| {row} |\n"));
                    if rows.len() == 1 {
                        let rule = one(dice, &["---", ":--", "--:", "------"]);
                        rows.push(format!("|{}|\n", vec![rule; length].join("|")));
                    }
                }
                parts.push(rows.concat());
            }
            shuffled(dice, parts).join("\n")
        },
        patterns: &[],
    },
];
