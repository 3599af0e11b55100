//! Causes in texts of lines without a grammar: moves of a printer, queues of jobs, images of a container, rules for
//! building a program, a zone of names, and tables of a paper.

use seedsmith_grammar::Random;

use super::is_label;
use crate::draws::{
    are_negative_and_fine, are_uneven, chance, counted, extras, figure, has_twins, lengths, picked,
    statements, steps,
};
use crate::readers::{are_in_order, is_name, is_shown, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The numbers of each move (G1) of a printer.
fn moves(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in input.lines() {
        let code = line.split(';').next()?;
        let (mut letters, mut numbers) = (Vec::new(), Vec::new());
        for word in code.split_whitespace() {
            let letter = word.chars().next().filter(|letter| "GMXYZEFST".contains(*letter))?;
            letters.push(letter);
            numbers.push(signed_decimals(&word[1..])?);
        }
        let is_started = letters.first().is_none_or(|first| ['G', 'M'].contains(first));
        (is_started && !has_twins(&letters)).then_some(())?;
        if code.split_whitespace().next() == Some("G1") {
            found.push(numbers.split_off(1));
        }
    }
    Some(found)
}

/// Some moves of a printer.
fn draw_moves(dice: &mut Random) -> String {
    let others =
        ["G28", "M104 S210", "; G1 X-1 Y0.125", "G0 X-4.125 Y2", "G92 E-0.125", "M106 S127.5"];
    let mut lines = extras(dice, &others);
    for _ in 0..1 + dice.below(4) {
        let mut words = vec!["G1".to_owned()];
        for letter in picked(dice, &["X", "Y", "Z"], 3, 0) {
            words.push(format!("{letter}{}", figure(dice)));
        }
        words.extend(extras(dice, &["F1200", "E0.25"]));
        lines.push(words.join(" ") + one(dice, &["", "", " ; to -4", " ; 0.125"]));
    }
    shuffled(dice, lines).join("\n") + "\n"
}

/// How many jobs each queue has, and how many it may have.
fn queues(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["queue", name, "limit", limit] | ["queue", name, "limit", limit, "paused"] => {
                found.push((0, number(limit).filter(|_| is_name(name))?));
            }
            ["-", job, rest @ ..] if is_name(job) && rest.iter().all(|word| is_shown(word)) => {
                found.last_mut()?.0 += 1;
            }
            ["version", version] if found.is_empty() => number(version).map(|_| ())?,
            _ => return None,
        }
    }
    Some(found)
}

/// Some queues of jobs.
fn draw_queues(dice: &mut Random) -> String {
    let mut text = extras(dice, &["version 2\n", "# queue x limit 0\n"]).concat();
    for _ in 0..1 + dice.below(4) {
        let count = dice.below(6);
        let limit = counted(dice, count, 27);
        let name = one(dice, &["mail", "thumbs", "queue", "limit-3"]);
        let end = one(dice, &["", "", " paused"]);
        let by = one(dice, &["", "", "  "]);
        text += &format!("queue {name} limit {limit}{end}\n");
        for _ in 0..count {
            let job = one(dice, &["welcome ada 4", "resize 12.png", "queue limit 2", "purge"]);
            text += &format!("{by}- {job}\n");
        }
        text += one(dice, &["", "\n", "# - a job\n"]);
    }
    text
}

/// The instructions of each stage of an image.
fn stages(input: &str) -> Option<Vec<Vec<String>>> {
    let known = "RUN COPY ADD ENV ARG LABEL EXPOSE WORKDIR USER VOLUME CMD ENTRYPOINT";
    let text = input.replace("\\\n", " ");
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in statements(&text, "#") {
        let (name, rest) = line.split_once(' ')?;
        (is_shown(rest) && !rest.trim().is_empty()).then_some(())?;
        if name == "FROM" {
            found.push(Vec::new());
        } else if !(name == "ARG" && found.is_empty()) {
            known.split(' ').any(|other| other == name).then_some(())?;
            found.last_mut()?.push(name.to_owned());
        }
    }
    (!found.is_empty()).then_some(found)
}

/// An instruction with what it needs.
fn draw_instruction(dice: &mut Random, name: &str) -> String {
    let rest = match name {
        "WORKDIR" => one(dice, &["/app", "/srv/user", "USER"]),
        "USER" => one(dice, &["app", "1000", "root"]),
        "VOLUME" => one(dice, &["/data", "[\"/data\", \"/log\"]"]),
        "COPY" => one(dice, &[". /app", "--from=build /app/x /x"]),
        "RUN" => {
            one(dice, &["make", "apt-get update \\\n    && apt-get install -y git", "echo USER"])
        }
        _ => one(dice, &["WORKDIR=/app", "USER=1 VOLUME=2"]),
    };
    format!("{name} {rest}")
}

/// An image of one or two stages.
fn draw_image(dice: &mut Random) -> String {
    let mut lines = extras(dice, &["# WORKDIR, USER, VOLUME", "ARG VERSION=3"]);
    for _ in 0..1 + dice.below(2) {
        lines.push(format!("FROM {}", one(dice, &["alpine", "rust:1.80 AS build", "user"])));
        let others = ["RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "RUN"];
        let mut names = steps(dice, ["WORKDIR", "USER", "VOLUME"], &others);
        if chance(dice, 50) && names.len() > 1 {
            names.remove(dice.below(names.len()));
        }
        lines.extend(names.iter().map(|name| draw_instruction(dice, name)));
        lines.push(one(dice, &["CMD [\"app\"]", "", "# end"]).to_owned());
    }
    lines.join("\n") + "\n"
}

/// What each rule for building a program needs.
fn needs(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_file =
        |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "._-/%$()".contains(c));
    let (mut found, mut is_rule) = (Vec::new(), false);
    for line in input.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        is_shown(line.trim_start_matches('\t')).then_some(())?;
        if line.starts_with('\t') {
            is_rule.then_some(())?;
            continue;
        }
        is_rule = false;
        if let Some((name, _)) = line.split_once('=') {
            is_label(name.trim_end_matches([':', '+', '?', ' '])).then_some(())?;
            continue;
        }
        let (targets, needed) = line.split_once(':')?;
        let words: Vec<&str> = needed.split_whitespace().collect();
        let are_right = words.iter().all(|word| is_file(word)) && targets.split(' ').all(is_file);
        found.push(Some(words).filter(|_| are_right && !targets.trim().is_empty())?);
        is_rule = true;
    }
    Some(found)
}

/// Some rules for building a program.
fn draw_rules(dice: &mut Random) -> String {
    let mut parts =
        extras(dice, &["CFLAGS = -O2 -g -O2\n", "OBJS := main.o main.o\n", "# all: a.o a.o\n"]);
    for _ in 0..1 + dice.below(4) {
        let known = ["main.o", "util.o", "main.c", "config.h", "$(OBJS)", "lib/util.o"];
        let needed = picked(dice, &known, 5, 24).join(one(dice, &[" ", " ", "  "]));
        let target = one(dice, &["app", "main.o", ".PHONY", "test check"]);
        let recipe = one(dice, &["", "\tcc -o app main.o main.o\n", "\t@echo done\n\trm -f x x\n"]);
        parts.push(format!("{target}: {needed}\n{recipe}"));
    }
    shuffled(dice, parts).join(one(dice, &["", "\n"]))
}

/// Whether the words of a record of a zone are right for its type.
fn is_record(kind: &str, data: &[&str]) -> bool {
    let are_numbers = |words: &[&str]| words.iter().all(|word| number(word).is_some());
    match (kind, data) {
        ("A", [address]) => address.parse::<std::net::Ipv4Addr>().is_ok(),
        ("NS" | "CNAME" | "PTR", [_]) => true,
        ("TXT", [_, ..]) => data[0].starts_with('"') && data[data.len() - 1].ends_with('"'),
        ("MX", [order, _]) => are_numbers(&[order]),
        ("SRV", [order, weight, port, _]) => are_numbers(&[order, weight, port]),
        ("NAPTR", [order, preference, _, _, _, _]) => are_numbers(&[order, preference]),
        ("CAA", [flag, tag, _]) => are_numbers(&[flag]) && is_name(tag),
        _ => false,
    }
}

/// The types of the records of a zone.
fn record_types(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in statements(input, ";") {
        is_shown(&line.replace('\t', " ")).then_some(())?;
        let words: Vec<&str> = line.split(" ;").next()?.split_whitespace().collect();
        match &words[..] {
            ["$ORIGIN", name] if name.ends_with('.') => {}
            ["$TTL", seconds] => number(seconds).map(|_| ())?,
            [_, "IN", kind, data @ ..] if is_record(kind, data) => found.push(*kind),
            [_, seconds, "IN", kind, data @ ..] if is_record(kind, data) => {
                number(seconds)?;
                found.push(*kind);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// A zone of some names.
fn draw_zone(dice: &mut Random) -> String {
    let mut text = extras(dice, &["$ORIGIN example.org.\n", "$TTL 3600\n", "; SRV CAA\n"]).concat();
    for _ in 0..1 + dice.below(5) {
        let data = match chance(dice, 22) {
            true => one(
                dice,
                &[
                    "SRV 10 5 5060 sip",
                    "NAPTR 10 5 \"s\" \"SIP\" \"\" _sip",
                    "CAA 0 issue \"ca.org\"",
                ],
            ),
            false => one(
                dice,
                &[
                    "A 10.0.0.4",
                    "MX 10 mail",
                    "TXT \"SRV CAA\"",
                    "CNAME srv",
                    "NS ns1",
                    "PTR NAPTR",
                    "A 10.0.0.5",
                ],
            ),
        };
        let name = one(dice, &["@", "www", "_sip._tcp", "SRV"]);
        let seconds = one(dice, &["", "", "300 "]);
        let end = one(dice, &["", "", " ; a CAA"]);
        text += &format!("{name} {seconds}IN {data}{end}\n");
    }
    text
}

/// How many cells the rows of each tabular of a paper have.
fn tabulars(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut open): (Vec<Vec<usize>>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in statements(input, "%") {
        if let Some(rest) = line.strip_prefix("\\begin{") {
            let (name, rest) = rest.split_once('}').filter(|(name, _)| is_label(name))?;
            if name == "tabular" {
                let columns = rest.strip_prefix('{')?.strip_suffix('}')?;
                columns.chars().all(|c| "lcr|".contains(c)).then(|| found.push(Vec::new()))?;
            }
            open.push(name);
        } else if let Some(name) = line.strip_prefix("\\end{") {
            (open.pop()? == name.strip_suffix('}')?).then_some(())?;
        } else if open.last() == Some(&"tabular") && line != "\\hline" {
            let rows = line.strip_suffix("\\\\")?.split("\\\\");
            found.last_mut()?.extend(rows.map(|row| row.replace("\\&", "").split('&').count()));
        } else if open.last() != Some(&"align") {
            (!line.replace("\\&", "").contains('&')).then_some(())?;
        }
    }
    open.is_empty().then_some(found)
}

/// A paper with some tables.
fn draw_paper(dice: &mut Random) -> String {
    let others = [
        "\\section{Salt \\& water}\n",
        "Two rows are shown below.\n",
        "\\begin{align}\na &= b \\\\\nc &= d &= e\n\\end{align}\n",
        "% a & b \\\\\n",
    ];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(3) {
        let mut rows = String::new();
        for length in lengths(dice, 1, 38) {
            let row = joined(dice, length, " & ", |dice| {
                one(dice, &["salt", "4", "1.25", "oil \\& salt", "", "$x$"]).to_owned()
            });
            rows += &format!("{}  {row} \\\\\n", one(dice, &["", "", "", "\\hline\n"]));
        }
        let columns = one(dice, &["lll", "l|r", "crr"]);
        let table = format!("\\begin{{tabular}}{{{columns}}}\n{rows}\\end{{tabular}}\n");
        parts.push(match dice.below(3) {
            0 => format!("\\begin{{center}}\n{table}\\end{{center}}\n"),
            _ => table,
        });
    }
    shuffled(dice, parts).join(one(dice, &["", "\n"]))
}

/// The causes.
pub const LINES: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: plain: printer: a move (G1) with a negative number and one of three decimals",
        grammar: "",
        input: concat!(
            "; G1 X-1 Y0.125\nG28\nM104 S210\nG0 X-4.125 Y2\nG1 X10.5 Y20.375 F1200\nG1 Z0.2\n",
            "G1 X-3.5 Y14.625 E0.25 ; to -4\nG92 E0\nG1 X-12 Y-0.75 F1200\nM106 S127.5\nG1 X0.125 Y0\n"
        ),
        valid: |input| moves(input).is_some(),
        fails: |input| {
            moves(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: draw_moves,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: queues: a queue with exactly as many jobs as its limit",
        grammar: "",
        input: concat!(
            "version 2\n# queue x limit 0\nqueue mail limit 5\n- welcome ada 4\n- welcome bo 2\n\n",
            "queue thumbs limit 3 paused\n- resize 12.png\n- resize 40.png\n- purge\n\n",
            "queue limit-3 limit 1\n- queue limit 2\n- purge\n\nqueue idle limit 8\n"
        ),
        valid: |input| queues(input).is_some(),
        fails: |input| {
            queues(input).is_some_and(|all| all.iter().any(|(jobs, limit)| jobs == limit))
        },
        draw: draw_queues,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: image: a stage with a WORKDIR, then a USER, and then a VOLUME",
        grammar: "",
        input: concat!(
            "# WORKDIR, USER, VOLUME\nARG VERSION=3\nFROM rust:1.80 AS build\nVOLUME /cache\nWORKDIR /src\n",
            "COPY . /src\nRUN apt-get update \\\n    && apt-get install -y git\nUSER builder\n\nFROM alpine\n",
            "ENV USER=1 VOLUME=2\nWORKDIR /app\nCOPY --from=build /src/x /x\nUSER app\nRUN echo USER\n",
            "VOLUME [\"/data\", \"/log\"]\nCMD [\"app\"]\n"
        ),
        valid: |input| stages(input).is_some(),
        fails: |input| {
            let all = stages(input).unwrap_or_default();
            all.iter().any(|names| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                are_in_order(&names, &["WORKDIR", "USER", "VOLUME"])
            })
        },
        draw: draw_image,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: make: a rule that needs the same file twice",
        grammar: "",
        input: concat!(
            "# all: a.o a.o\nCFLAGS = -O2 -g -O2\nOBJS := main.o main.o\n\n.PHONY: test check\n",
            "app: $(OBJS) lib/util.o util.o\n\tcc -o app main.o main.o\n\nmain.o: main.c config.h util.h config.h\n",
            "\tcc -c main.c\n\ntest check: app\n\t@echo done\n\trm -f x x\n"
        ),
        valid: |input| needs(input).is_some(),
        fails: |input| needs(input).is_some_and(|all| all.iter().any(|words| has_twins(words))),
        draw: draw_rules,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: zone: a record of the type SRV, NAPTR or CAA",
        grammar: "",
        input: concat!(
            "; SRV CAA\n$ORIGIN example.org.\n$TTL 3600\n@ IN NS ns1\n@ IN MX 10 mail\nwww 300 IN A 10.0.0.4\n",
            "SRV IN CNAME srv ; a CAA\n_sip._tcp 300 IN SRV 10 5 5060 sip\n@ IN TXT \"SRV CAA\"\nns1 IN A 10.0.0.5\n"
        ),
        valid: |input| record_types(input).is_some(),
        fails: |input| {
            let all = record_types(input).unwrap_or_default();
            all.iter().any(|kind| ["SRV", "NAPTR", "CAA"].contains(kind))
        },
        draw: draw_zone,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: paper: a tabular whose rows do not all have the same number of cells",
        grammar: "",
        input: concat!(
            "\\section{Salt \\& water}\nTwo tables are shown below.\n% a & b \\\\\n\\begin{center}\n",
            "\\begin{tabular}{l|r}\n  salt & 4 \\\\\n  \\hline\n  oil \\& salt & 1.25 \\\\\n\\end{tabular}\n",
            "\\end{center}\n\n\\begin{align}\na &= b \\\\\nc &= d &= e\n\\end{align}\n\n\\begin{tabular}{lll}\n",
            "  tea & 4 & \\\\\n  water & $x$ & 12 \\\\\n  milk & 7 \\\\\n\\end{tabular}\n"
        ),
        valid: |input| tabulars(input).is_some(),
        fails: |input| tabulars(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: draw_paper,
        patterns: &[],
    },
];
