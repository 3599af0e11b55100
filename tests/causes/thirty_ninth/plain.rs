//! Causes in texts without a grammar: what a chess engine says, the options of a kernel, a model of a thing
//! that is printed, and tunes.

use crate::draws::{around, chance, extras, foreign, has_twins, picked, statements};
use crate::readers::{is_name, is_shown, number, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// A number as it is written, maybe with a minus.
fn signed(text: &str) -> Option<i32> {
    text.parse().ok().filter(|number: &i32| number.to_string() == text)
}

/// The scores in centipawns (cp) of what a chess engine says.
fn scores(input: &str) -> Option<Vec<i32>> {
    let mut found = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty()) {
        let (side, said) = line.split_once(' ').filter(|_| is_shown(line))?;
        let words: Vec<&str> = said.split(' ').collect();
        match (side, &words[..]) {
            ("<", ["info", "string", ..]) => {}
            ("<", ["info", options @ ..]) => {
                let (mut rest, mut score) = (options, None);
                while !rest.is_empty() {
                    rest = match rest {
                        ["score", "cp", value, after @ ..] if score.is_none() => {
                            score = Some(Some(signed(value)?));
                            after
                        }
                        ["score", "mate", value, after @ ..] if score.is_none() => {
                            score = signed(value).map(|_| Some(None))?;
                            after
                        }
                        ["pv", moves @ ..] => {
                            let are_moves = moves.iter().all(|one| is_name(one));
                            Some(&moves[moves.len()..])
                                .filter(|_| are_moves && !moves.is_empty())?
                        }
                        [key, value, after @ ..] if is_name(key) && *key != "score" => {
                            number(value).map(|_| after)?
                        }
                        _ => return None,
                    };
                }
                found.extend(score.flatten());
            }
            ("<", [kind, ..]) => {
                ["bestmove", "id", "readyok", "uciok"].contains(kind).then_some(())?
            }
            (">", [kind, ..]) => is_name(kind).then_some(())?,
            _ => return None,
        }
    }
    Some(found)
}

/// How deep menus and ifs are in each other in the options of a kernel. A choice has other options in it,
/// too.
fn menu_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest, mut has_entry) = (Vec::new(), 0, false);
    let is_option = |word: &str| {
        let is_inside = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(is_inside)
    };
    for line in statements(input, "#") {
        match &tokens(line, "_-./")?[..] {
            ["menu", text] if is_text(text) => open.push("menu"),
            ["if", name] if is_option(name) => open.push("if"),
            ["if", "!", name] if is_option(name) => open.push("if"),
            ["choice"] => open.push("choice"),
            [end @ ("endmenu" | "endif" | "endchoice")] => {
                (open.pop()? == &end[3..]).then_some(())?;
            }
            ["config", name] => has_entry = is_option(name).then_some(true)?,
            ["mainmenu" | "source" | "comment", text] => is_text(text).then_some(())?,
            ["bool" | "tristate" | "int" | "prompt", text] => {
                (is_text(text) && (has_entry || open.contains(&"choice"))).then_some(())?;
            }
            ["depends", "on", name] => {
                (is_option(name) && (has_entry || !open.is_empty())).then_some(())?
            }
            ["default", value] => {
                let is_value = number(value).is_some() || ["y", "n", "m"].contains(value);
                (has_entry && is_value).then_some(())?;
            }
            _ => return None,
        }
        deepest = deepest.max(open.iter().filter(|kind| **kind != "choice").count());
    }
    open.is_empty().then_some(deepest)
}

/// What comes after the value at the start of some tokens: a number, a text, a name or a list.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let (first, rest) = all.split_first()?;
    if *first == "[" {
        return values(rest, "]");
    }
    let is_number = signed_decimals(first).is_some();
    (is_number || is_text(first) || is_variable(first)).then_some(rest)
}

/// What comes after the values at the start of some tokens, with commas between them, and the bracket that
/// ends them. Some have names.
fn values<'a, 't>(all: &'a [&'t str], end: &str) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while *rest.first()? != end {
        if let [name, "=", after @ ..] = rest {
            rest = is_variable(name).then_some(after)?;
        }
        rest = value(rest)?;
        if *rest.first()? != end {
            rest = rest.strip_prefix(&[","])?;
        }
    }
    Some(&rest[1..])
}

/// What comes after the statement at the start of some tokens: calls before each other, the last one
/// with a semicolon or a block, or a variable.
fn statement<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    match all {
        [name, ..] if ["module", "function", "use"].contains(name) => None,
        [name, "=", after @ ..] if is_variable(name) => value(after)?.strip_prefix(&[";"]),
        [name, "(", after @ ..] if is_variable(name) => match values(after, ")")? {
            [";", after @ ..] => Some(after),
            ["{", after @ ..] => block(after),
            after => statement(after),
        },
        _ => None,
    }
}

/// What comes after the end of the block that some tokens begin in.
fn block<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while *rest.first()? != "}" {
        rest = statement(rest)?;
    }
    Some(&rest[1..])
}

/// The names of the modules of a model.
fn modules(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_.")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["use", "<", file, ">", after @ ..] => is_shown(file).then_some(after)?,
            ["module", name, "(", after @ ..] if is_variable(name) => {
                found.push(name.to_string());
                block(values(after, ")")?.strip_prefix(&["{"])?)?
            }
            ["function", name, "(", after @ ..] if is_variable(name) => {
                value(values(after, ")")?.strip_prefix(&["="])?)?.strip_prefix(&[";"])?
            }
            _ => statement(rest)?,
        };
    }
    Some(found)
}

/// The composers of some tunes.
fn composers(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut part) = (Vec::new(), "");
    for line in input.lines().filter(|line| !line.starts_with('%')) {
        (!line.contains(char::is_control)).then_some(())?;
        let field = line.split_once(':').filter(|(key, _)| key.len() == 1 && is_variable(key));
        match (part, field) {
            ("" | "notes", None) if line.is_empty() => part = "",
            ("", Some(("X", count))) => part = number(count).map(|_| "head")?,
            ("head", Some(("K", _))) => part = "notes",
            ("head", Some(("C", composer))) => found.push(composer),
            ("head", Some((key, _))) => "TMLQRNOZS".contains(key).then_some(())?,
            ("notes", Some((key, _))) => ["w", "W", "N"].contains(&key).then_some(())?,
            ("notes", None) => is_shown(line).then_some(())?,
            _ => return None,
        }
    }
    (part != "head").then_some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-ninth: plain: chess engine: an info with a score from 50 to 99 centipawns (cp)",
        grammar: "",
        input: concat!(
            "> position startpos moves e2e4\n> go depth 75\n< info string score cp 75\n",
            "< info depth 60 seldepth 72 score cp 49 nodes 402 pv e7e5 g1f3\n",
            "< info depth 12 score cp -75 nps 80\n< info depth 13 score mate 60 pv d8h4\n",
            "< info score cp 100 depth 14\n< info depth 15 nodes 90 score cp 68 time 412 pv c7c5\n",
            "< bestmove e7e5 ponder g1f3\n"
        ),
        valid: |input| scores(input).is_some(),
        fails: |input| {
            scores(input).is_some_and(|all| all.iter().any(|score| (50..100).contains(score)))
        },
        draw: |dice| {
            let others = ["> position startpos moves e2e4\n", "> go depth 75\n"];
            let start = extras(dice, &others).concat();
            let mut lines = extras(dice, &["< info string score cp 75\n", "< readyok\n"]);
            for _ in 0..1 + dice.below(4) {
                let others = ["depth 60", "seldepth 72", "nodes 90", "time 412", "nps 80"];
                let mut options = extras(dice, &others);
                options.push(match dice.below(8) {
                    0 => format!("score mate {}", 1 + dice.below(90)),
                    1 => format!("score cp -{}", 40 + dice.below(70)),
                    _ => format!("score cp {}", around(dice, [50, 99], 24)),
                });
                let options = shuffled(dice, options).join(" ");
                let moves = one(dice, &["", " pv e7e5 g1f3", " pv c7c5"]);
                lines.push(format!("< info {options}{moves}\n"));
            }
            let end = one(dice, &["", "< bestmove e7e5 ponder g1f3\n"]);
            format!("{start}{}{end}", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: plain: kconfig: menus and ifs in each other, five deep or more",
        grammar: "",
        input: concat!(
            "mainmenu \"Owl\"\n# menu \"if\"\nmenu \"Net\"\nif OWL\nconfig NET\n\tbool \"if menu\"\n",
            "\tdepends on OWL\nendif\nchoice\n\tprompt \"Mode\"\nmenu \"Old\"\nendmenu\nif !NET\n",
            "if IRQ\nsource \"menu/Kconfig\"\nmenu \"Bus\"\nif SPI\nconfig IRQ\n\tdefault y\nendif\nendmenu\n",
            "endif\nendif\nendchoice\nendmenu\nconfig MENU\n\tint \"endif\"\n\tdefault 4\n"
        ),
        valid: |input| menu_depth(input).is_some(),
        fails: |input| menu_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let leaves = [
                "config NET\n\tbool \"if menu\"\n",
                "config IRQ\n\tdefault y\n\tdepends on OWL\n",
                "menu \"Old\"\nendmenu\n",
                "if OWL\ncomment \"endif\"\nendif\n",
                "# menu \"if\"\n",
            ];
            let mut part = one(dice, &["", "config SPI\n", "source \"menu/Kconfig\"\n"]).to_owned();
            for _ in 0..3 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).concat();
                part = match dice.below(5) {
                    0 => format!("choice\n\tprompt \"Mode\"\n{inner}endchoice\n"),
                    1 | 2 => format!("if {}\n{inner}endif\n", one(dice, &["NET", "!NET", "IRQ"])),
                    _ => format!("menu \"{}\"\n{inner}endmenu\n", one(dice, &["Net", "if", "Bus"])),
                };
            }
            let others = [
                "if OWL\nconfig NET\n\tbool \"if menu\"\nendif\n",
                "config MENU\n\tint \"endif\"\n\tdefault 4\n",
                "# menu \"if\"\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            let start = one(dice, &["", "mainmenu \"Owl\"\n"]);
            format!("{start}{}", shuffled(dice, parts).join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: plain: openscad: two modules of the same name",
        grammar: "",
        input: concat!(
            "// module leg() { }\nuse <leg.scad>\nleg = 4;\nfunction top(x) = x;\nmodule leg(h) {\n",
            "  cube([h, 2, 0.5]); // module leg\n}\nmodule top(size = 40) {\n  translate([0, 0, size]) cube(size);\n",
            "  for_each(4) { leg(12); leg(h = 7); }\n}\nmodule leg_2() { leg(2); }\ntop();\ntop();\n",
            "module seat() { text(\"module top() { }\"); }\nmodule leg(width) { sphere(width); }\n"
        ),
        valid: |input| modules(input).is_some(),
        fails: |input| modules(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "// module leg() { }\n",
                "use <leg.scad>\n",
                "leg = 4;\n",
                "function top(x) = x;\n",
                "top();\ntop();\n",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["leg", "top", "leg_2", "seat", "Leg", "back"], 5, 50) {
                let others = [
                    "cube([h, 2, 0.5]);",
                    "translate([0, 0, 4]) leg(12);",
                    "text(\"module top() { }\");",
                    "union() { leg(2); top(); }",
                ];
                let inner = extras(dice, &others).join(one(dice, &[" ", "\n  "]));
                let inputs = one(dice, &["", "h", "size = 40", "h, w"]);
                parts.push(format!("module {name}({inputs}) {{ {inner} }}\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: plain: tunes: a composer (C:) with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "% C:Zoë\nX:4\nT:Größe\nC:Ada Lane\nM:6/8\nK:G\n|:GAB c2d|e3 d3:|\nw:Tür C: é\n\nX:7\n",
            "T:The owl\nN:from Malmö\nC:Bo Sørensen (1790)\nO:Møn\nL:1/8\nK:C\n|CEG c3|C2: :|\n\n",
            "X:12\nT:C:\nC:\nK:D\nDFA\n"
        ),
        valid: |input| composers(input).is_some(),
        fails: |input| composers(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let mut parts = extras(dice, &["% C:Zoë\n"]);
            for tune in 0..1 + dice.below(3) {
                let composer = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("Bo {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Ada Lane", "", "trad. (1790)"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let others = ["T:Größe\n", "N:from Malmö\n", "O:Møn\n", "M:6/8\n", "L:1/8\n"];
                let mut head = extras(dice, &others);
                head.push(format!("C:{composer}\n"));
                let head = shuffled(dice, head).concat();
                let notes = one(dice, &["|:GAB c2d|e3 d3:|\n", "DFA\n", "|CEG c3|C2: :|\n"]);
                let end = one(dice, &["", "w:Tür C: é\n", "% é\n"]);
                let key = one(dice, &["G", "C", "Dmin"]);
                parts.push(format!("X:{}\n{head}K:{key}\n{notes}{end}", tune + 1));
            }
            chance(dice, 50).then(|| parts.push("% end\n".to_owned()));
            parts.join("\n")
        },
        patterns: &[],
    },
];
