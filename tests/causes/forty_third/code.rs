//! Causes in four little languages without a grammar: assembler, matrices, paths of a mill and tables.

use super::{bare_lines, is_identifier, is_quoted, tokens};
use crate::draws::{are_negative_and_fine, are_uneven, chance, counted, extras, figure, lengths};
use crate::readers::{number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The names of the instructions of a program in assembler.
fn instructions(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in bare_lines(input, ";") {
        if line.strip_suffix(':').is_some_and(is_identifier) {
            continue;
        }
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let parts = rest.split(',').map(str::trim_ascii).filter(|_| !rest.is_empty());
        let parts: Vec<&str> = parts.collect();
        let count = match name {
            "nop" | "ret" => 0,
            "push" | "pop" | "inc" | "dec" | "jmp" | "jz" | "call" => 1,
            "mov" | "add" | "sub" | "mul" | "xor" | "cmp" | "shl" | "shr" | "sar" | "rol" => 2,
            _ => return None,
        };
        let are_right = parts.iter().all(|part| is_identifier(part) || number(part).is_some());
        found.push(Some(name).filter(|_| are_right && parts.len() == count)?);
    }
    Some(found)
}

/// How many numbers a row of a matrix has. Commas or blanks are between them.
fn row_length(row: &str) -> Option<usize> {
    let numbers: Vec<&str> = match row.contains(',') {
        true => row.split(',').map(str::trim_ascii).collect(),
        false => row.split_ascii_whitespace().collect(),
    };
    let are_numbers = numbers.iter().all(|number| signed_decimals(number).is_some());
    (are_numbers && !numbers.is_empty()).then_some(numbers.len())
}

/// The lengths of the rows of each matrix of a script.
fn matrices(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found = Vec::new();
    for line in bare_lines(input, "%") {
        let line = line.strip_suffix(';').unwrap_or(line).trim_ascii_end();
        if let Some(name) = line.strip_prefix("disp(").and_then(|rest| rest.strip_suffix(')')) {
            is_identifier(name).then_some(())?;
            continue;
        }
        let (name, value) = line.split_once('=')?;
        is_identifier(name.trim_ascii_end()).then_some(())?;
        match value.trim_ascii().strip_prefix('[') {
            Some(rows) => {
                let rows = rows.strip_suffix(']')?.split(';').map(row_length);
                found.push(rows.collect::<Option<Vec<usize>>>()?);
            }
            None => signed_decimals(value.trim_ascii()).map(|_| ())?,
        }
    }
    Some(found)
}

/// The numbers of each straight cut (G1) of a mill: whether they are negative, and how many decimals they have.
fn cuts(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in
        bare_lines(input, ";").filter(|line| !(line.starts_with('(') && line.ends_with(')')))
    {
        let mut words = line.split_ascii_whitespace();
        let command = words.next()?;
        number(command.strip_prefix(['G', 'M'])?)?;
        let numbers =
            words.map(|word| signed_decimals(word.strip_prefix(|c| "XYZFS".contains(c))?));
        let numbers = numbers.collect::<Option<Vec<(bool, usize)>>>()?;
        if command == "G1" {
            found.push(numbers);
        }
    }
    Some(found)
}

/// How long the text of each text column of some tables may be, and how long its default is.
fn defaults(input: &str) -> Option<Vec<(u32, usize)>> {
    let (mut found, mut is_open) = (Vec::new(), false);
    for line in bare_lines(input, "--") {
        let all = tokens(line, "_")?;
        match &all[..] {
            ["table", name, "{"] if is_identifier(name) && !is_open => is_open = true,
            ["}"] if is_open => is_open = false,
            [name, "int", rest @ ..] if is_open && is_identifier(name) => match rest {
                [] | ["unique"] => {}
                ["default", value] => number(value).map(|_| ())?,
                _ => return None,
            },
            [name, "text", "(", size, ")", rest @ ..] if is_open && is_identifier(name) => {
                let size = number(size).filter(|size| *size > 0)?;
                match rest {
                    [] | ["unique"] => {}
                    ["default", text] if is_quoted(text) => found.push((size, text.len() - 2)),
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    (!is_open).then_some(found)
}

/// The causes.
pub const CODE: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: plain: assembler: a shift (shl, shr or sar)",
        grammar: "",
        input: concat!(
            "; shl shr sar\nstart:\n  mov r1, 12\n  mov r2, r1 ; sar r2, 1\nloop:\n  push r1\n  call shr\n",
            "  add r2, 4\n  rol r2, 1\n  cmp r2, 900\n  jz done\n  sar r2, 3\n  dec r1\n  jmp loop\n",
            "shr:\n  xor r0, r0\n  ret\ndone:\n  pop r1\n  nop\n"
        ),
        valid: |input| instructions(input).is_some(),
        fails: |input| {
            let all = instructions(input).unwrap_or_default();
            all.iter().any(|name| ["shl", "shr", "sar"].contains(name))
        },
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..2 + dice.below(7) {
                let (to, count) = (dice.below(4), dice.below(20));
                let from = one(dice, &["r0", "r1", "4", "900"]);
                lines.push(match dice.below(11) {
                    0 => format!("  {} r{to}, {count}", one(dice, &["shl", "shr", "sar"])),
                    1 => format!(
                        "  {} {}",
                        one(dice, &["jmp", "jz", "call"]),
                        one(dice, &["shr", "loop"])
                    ),
                    2 => format!("  {} r{to}", one(dice, &["push", "pop", "inc", "dec"])),
                    3 => format!("  {}", one(dice, &["nop", "ret"])),
                    4 => format!("  rol r{to}, {count} ; sar r2, 1"),
                    _ => {
                        let name = one(dice, &["mov", "add", "sub", "mul", "xor", "cmp", "rol"]);
                        format!("  {name} r{to}, {from}")
                    }
                });
            }
            for other in extras(dice, &["; shl shr sar", "loop:", "shr:"]) {
                lines.insert(dice.below(lines.len() + 1), other);
            }
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: matrices: a matrix with rows of different lengths",
        grammar: "",
        input: concat!(
            "% A = [1 2; 3];\nn = 4;\nscale = -0.5;\nA = [1 0 0; 0 1 0; 0 0 1];\ndisp(A);\n",
            "B = [2, 4.5, 7; -1, 12; 3, 3, 3]; % B = [1; 2]\nv = [1 2 3 4 5];\nw = [1; 2; 3]\n",
            "C = [0.25 9; 8 -7.125];\ndisp(B)\n"
        ),
        valid: |input| matrices(input).is_some(),
        fails: |input| matrices(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = ["% A = [1 2; 3];", "n = 4;", "scale = -0.5", "disp(A);"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let by = one(dice, &[" ", " ", ", "]);
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 42) {
                    rows.push(joined(dice, length, by, figure));
                }
                let name = one(dice, &["A", "B", "C", "weights"]);
                let end = one(dice, &["", ";", "; % [1; 2 3]"]);
                lines.push(format!("{name} = [{}]{end}", rows.join("; ")));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: mill: a G1 with a negative number and one of three decimals",
        grammar: "",
        input: concat!(
            "(part X-1 Y0.125)\nG21\nG90\nM3 S1200\nG0 X-4.125 Y0 Z5 ; G1 X-1 Y0.125\nG1 Z-0.5 F300\n",
            "G1 X10 Y2.875\nG1 X12.5 Y-3.25 F0.075 ; slow\nG2 X-1.5 Y0.625\nG1 X0 Y-4\nG0 Z5\nM5\nM30\n"
        ),
        valid: |input| cuts(input).is_some(),
        fails: |input| {
            cuts(input).is_some_and(|all| all.iter().any(|cut| are_negative_and_fine(cut)))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["(part X-1 Y0.125)", "G21", "M3 S1200", "M5"]);
            for _ in 0..2 + dice.below(5) {
                let mut line = one(dice, &["G1", "G1", "G0", "G2"]).to_owned();
                for letter in ["X", "Y", "Z"] {
                    if chance(dice, 70) {
                        line += &format!(" {letter}{}", figure(dice));
                    }
                }
                line += one(dice, &["", "", " F300", " ; G1 X-1 Y0.125"]);
                lines.push(line);
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: tables: a text column whose default is exactly as long as its size",
        grammar: "",
        input: concat!(
            "-- kind text(3) default \"owl\"\ntable birds {\n  id int unique\n  name text(20) unique\n",
            "  kind text(12) default \"wren\"\n  eggs int default 4\n}\n\ntable nests {\n",
            "  tree text(4) default \"walnut\" -- cut\n  place text(9) default \"barn roof\"\n",
            "  size int default 12\n  note text(1) default \"\"\n}\n"
        ),
        valid: |input| defaults(input).is_some(),
        fails: |input| {
            let all = defaults(input).unwrap_or_default();
            all.iter().any(|(size, length)| *size as usize == *length)
        },
        draw: |dice| {
            let start = one(dice, &["", "", "-- kind text(3) default \"owl\"\n"]);
            let mut lines = extras(
                dice,
                &["  id int unique\n", "  eggs int default 4\n", "  name text(20) unique\n"],
            );
            for _ in 0..1 + dice.below(4) {
                let text = match dice.below(4) {
                    0 => format!("{} {}", word(dice, 6), word(dice, 6)),
                    _ => word(dice, 12),
                };
                let size = counted(dice, text.len(), 25).max(1);
                let name = one(dice, &["kind", "tree", "place", "note"]);
                let end = one(dice, &["", "", " -- cut"]);
                lines.push(format!("  {name} text({size}) default \"{text}\"{end}\n"));
            }
            let lines = shuffled(dice, lines).concat();
            let other = one(dice, &["", "", "\ntable nests {\n  size int default 12\n}\n"]);
            format!("{start}table birds {{\n{lines}}}\n{other}")
        },
        patterns: &[],
    },
];
