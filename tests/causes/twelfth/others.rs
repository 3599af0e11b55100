//! Causes in small languages, and in texts without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const LISTS: &str = "grammar Lists; text: list EOF; list: '(' list* ')' | '[' list* ']' | ATOM;
    ATOM: [a-z]+; WS: [ \\n]+ -> skip;";

const FUNCTIONS: &str = "grammar Functions; program: function* EOF;
    function: 'fn' NAME '(' (NAME (',' NAME)*)? ')' ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const STEPS: &str = "grammar Steps; script: step* EOF;
    step: ('lock' | 'write' | 'unlock' | 'read' | 'sync') NAME? ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const MODES: &str =
    "grammar Modes; script: (set | run)* EOF; set: 'mode' NAME ';'; run: 'run' NAME ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const ROWS: &str = "grammar Rows; table: row* EOF; row: CELL (';' CELL)* '.'; CELL: [a-z0-9]+;
    WS: [ \\n]+ -> skip;";

/// How deep brackets of both kinds are nested.
fn depth(input: &str) -> usize {
    let mut depth = 0usize;
    let step = |mark: char| match mark {
        '(' | '[' => {
            depth += 1;
            depth
        }
        ')' | ']' => {
            depth = depth.saturating_sub(1);
            depth
        }
        _ => depth,
    };
    input.chars().map(step).max().unwrap_or(0)
}

/// The lines after `[db]` up to the next section.
fn sections_of_db(input: &str) -> impl Iterator<Item = &str> {
    input.split("\n[").filter_map(|section| {
        let section = section.strip_prefix('[').unwrap_or(section);
        section.strip_prefix("db]")
    })
}

/// The causes.
pub const OTHERS: &[TwoSided] = &[
    TwoSided {
        name: "twelfth: own: brackets of two kinds nested five deep",
        grammar: LISTS,
        input: "(a [b (c) [d (e [f (g)])] ] h)",
        valid: any,
        fails: |input| depth(input) >= 5,
        draw: |dice| {
            let levels = 2 + dice.below(5);
            let mut text = word(dice, 2);
            for _ in 0..levels {
                let [open, close] = [["(", ")"], ["[", "]"]][dice.below(2)];
                text = match dice.below(3) {
                    0 => format!("{open}{text} ( ) {close}"),
                    1 => format!("{open}{} {text}{close}", word(dice, 2)),
                    _ => format!("{open}{text}{close}"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: own: two parameters of one name",
        grammar: FUNCTIONS,
        input: "fn go(a, b); fn a(x, y, x); fn stop();",
        valid: any,
        fails: |input| {
            input.split(';').filter_map(|one| one.split_once('(')).any(|(_, inner)| {
                let names: Vec<&str> =
                    inner.trim_end_matches(')').split(',').map(str::trim).collect();
                (1..names.len()).any(|at| !names[at].is_empty() && names[..at].contains(&names[at]))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let count = dice.below(4);
                let names = joined(dice, count, ", ", |dice| {
                    one(dice, &["a", "b", "c", "x", "y", "z"]).to_owned()
                });
                format!("fn {}({names});", one(dice, &["a", "go", "x", "stop"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: own: a lock before a write before an unlock",
        grammar: STEPS,
        input: "read a; lock a; sync; write b; read a; unlock a; write;",
        valid: any,
        fails: |input| {
            let words: Vec<&str> =
                input.split(';').filter_map(|step| step.split_whitespace().next()).collect();
            let after = |from: usize, word: &str| {
                words[from..].iter().position(|one| *one == word).map(|at| from + at + 1)
            };
            let lock = after(0, "lock");
            let write = lock.and_then(|at| after(at, "write"));
            write.and_then(|at| after(at, "unlock")).is_some()
        },
        draw: |dice| {
            let count = 4 + dice.below(6);
            joined(dice, count, " ", |dice| {
                let step =
                    one(dice, &["lock", "write", "unlock", "lock", "write", "unlock", "read"]);
                match dice.below(2) {
                    0 => format!("{step};"),
                    _ => format!("{step} {};", word(dice, 2)),
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: own: a mode that is raw or dump",
        grammar: MODES,
        input: "mode plain; run raw; mode dump; run all;",
        valid: any,
        fails: |input| {
            input.split(';').any(|one| {
                let words: Vec<&str> = one.split_whitespace().collect();
                matches!(words[..], ["mode", "raw" | "dump"])
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let what = one(dice, &["mode", "mode", "run"]);
                format!("{what} {};", one(dice, &["raw", "dump", "plain", "all", "none", "fast"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: own: a row that has not as many cells as the first one",
        grammar: ROWS,
        input: "a;b;c. 1;2;3. 4;5. 6;7;8.",
        valid: any,
        fails: |input| {
            let rows = input.split('.').filter(|row| !row.trim().is_empty());
            let counts: Vec<usize> = rows.map(|row| row.split(';').count()).collect();
            counts.iter().any(|count| *count != counts[0])
        },
        draw: |dice| {
            let cells = 1 + dice.below(3);
            let rows: Vec<String> = (0..1 + dice.below(4))
                .map(|_| {
                    let count = if dice.below(4) == 0 { 1 + dice.below(4) } else { cells };
                    let cells: Vec<String> = (0..count).map(|_| word(dice, 2)).collect();
                    format!("{}.", cells.join(";"))
                })
                .collect();
            rows.join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: plain: a level from 10 to 20",
        grammar: "",
        input: "name = demo\nlevel = 14\nlimit = 300\n",
        valid: |input| input.lines().all(|line| line.trim().is_empty() || line.contains('=')),
        fails: |input| {
            input.lines().filter_map(|line| line.split_once('=')).any(|(key, value)| {
                let level = value.trim().parse::<u32>().ok().filter(|_| key.trim() == "level");
                level.is_some_and(|level| (10..=20).contains(&level))
            })
        },
        draw: |dice| {
            let number = |dice: &mut seedsmith_grammar::Random| {
                [dice.below(10), 10 + dice.below(11), 21 + dice.below(80)][dice.below(3)]
            };
            let lines = vec![
                format!("name = {}", word(dice, 4)),
                format!("level = {}", number(dice)),
                format!("limit = {}", number(dice)),
            ];
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &["<any>level = <integer 10..20><any>"],
    },
    TwoSided {
        name: "twelfth: plain: a database section without a url",
        grammar: "",
        input: "[web]\nport=80\n[db]\nuser=me\npool=4\n[log]\nurl=x\n",
        valid: any,
        fails: |input| {
            sections_of_db(input)
                .any(|section| !section.lines().any(|line| line.starts_with("url=")))
        },
        draw: |dice| {
            let section = |name: &str, dice: &mut seedsmith_grammar::Random| {
                let mut lines = vec![format!("user={}", word(dice, 3))];
                if dice.below(2) == 0 {
                    lines.push(format!("url={}", word(dice, 3)));
                }
                if dice.below(2) == 0 {
                    lines.push(format!("pool={}", dice.below(9)));
                }
                format!("[{name}]\n{}\n", shuffled(dice, lines).join("\n"))
            };
            let all = vec![section(one(dice, &["db", "db", "web"]), dice), section("log", dice)];
            shuffled(dice, all).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: plain: a character that is not ASCII in quotation marks",
        grammar: "",
        input: "say \"caf\u{e9}\" to b\u{f6}b\nsay \"tea\"\n",
        valid: |input| input.matches('"').count() % 2 == 0,
        fails: |input| input.split('"').skip(1).step_by(2).any(|text| !text.is_ascii()),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let words = ["tea", "caf\u{e9}", "b\u{f6}b", "ann", ""];
                format!("say \"{}\" to {}", one(dice, &words), one(dice, &words))
            })
        },
        patterns: &[],
    },
];
