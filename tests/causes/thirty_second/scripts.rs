//! Causes in texts without a grammar: a program of a kiln, rules for make, names of hosts and
//! patterns for knitting.

use crate::draws::{are_uneven, around, chance, extras, has_twins, lengths, picked, statements};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The temperatures of the ramps of firings.
fn ramps(input: &str) -> Option<Vec<u32>> {
    let (mut found, mut is_begun) = (Vec::new(), false);
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["firing", name] if is_name(name) => is_begun = true,
            ["cool", rate, "to", end] if is_begun => drop((number(rate)?, number(end)?)),
            ["soak", minutes] | ["vent", minutes] if is_begun => drop(number(minutes)?),
            ["ramp", rate, "to", end, hold @ ..] if is_begun => {
                number(rate)?;
                found.push(number(end)?);
                match hold {
                    [] => {}
                    ["hold", minutes] => drop(number(minutes)?),
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The targets of some rules for make. The commands of a rule are below it, after a tab.
fn targets(input: &str) -> Option<Vec<&str>> {
    let is_file = |text: &str| {
        let mut chars = text.chars();
        !text.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let (mut found, mut is_rule) = (Vec::new(), false);
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix('\t') {
            (is_rule && is_shown(command)).then_some(())?;
        } else if let Some((name, value)) = line.split_once(" = ") {
            let is_variable = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase());
            (is_variable && is_shown(value)).then_some(())?;
            is_rule = false;
        } else {
            let (target, needed) = line.split_once(':')?;
            found.push(Some(target).filter(|name| is_file(name))?);
            needed.split_whitespace().all(is_file).then_some(())?;
            is_rule = true;
        }
    }
    Some(found)
}

/// The names that each address has.
fn host_names(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_address = |text: &str| {
        let parts: Vec<&str> = text.split('.').collect();
        parts.len() == 4 && parts.iter().all(|part| is_digits(part))
    };
    let mut found = Vec::new();
    for line in input.lines() {
        let kept = line.split('#').next().unwrap_or("");
        let mut words = kept.split_whitespace();
        let Some(address) = words.next() else { continue };
        let names: Vec<&str> = words.collect();
        let are_right = names.iter().all(|name| name.split('.').all(is_name));
        (is_address(address) && are_right && !names.is_empty()).then(|| found.push(names))?;
    }
    Some(found)
}

/// How many stitches the rows of each chart of a knitting pattern have.
fn charts(input: &str) -> Option<Vec<Vec<usize>>> {
    let known = ["k", "p", "yo", "ssk", "k2tog"];
    let (mut found, mut is_inside) = (Vec::<Vec<usize>>::new(), false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        if let Some(row) = line.strip_prefix("  ") {
            let (at, row) = row.split_once(": ")?;
            let stitches: Vec<&str> = row.split(' ').collect();
            let are_known = stitches.iter().all(|stitch| known.contains(stitch));
            (number(at).is_some() && are_known && is_inside).then_some(())?;
            found.last_mut()?.push(stitches.len());
            continue;
        }
        let (kind, rest) = line.split_once(' ')?;
        is_inside = kind == "chart";
        match kind {
            "chart" if is_name(rest) => found.push(Vec::new()),
            "yarn" | "note" if is_shown(rest) => {}
            "repeat" => {
                let (name, times) = rest.split_once(' ')?;
                (is_name(name) && number(times).is_some()).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-second: plain: kiln: a ramp to a temperature from 900 to 949",
        grammar: "",
        input: concat!(
            "# ramp 60 to 920\nfiring bisque\nvent 30\nramp 100 to 600\nsoak 925\n",
            "ramp 120 to 899 hold 15\ncool 940 to 910\n\nfiring glaze-930\nramp 150 to 950 hold 905\n",
            "ramp 80 to 935\nsoak 10\ncool 200 to 945\ncool 100 to 60\nfiring raku\n",
            "ramp 910 to 1000\n"
        ),
        valid: |input| ramps(input).is_some(),
        fails: |input| {
            ramps(input).is_some_and(|all| all.iter().any(|end| (900..950).contains(end)))
        },
        draw: |dice| {
            let others = [
                "# ramp 60 to 920\n",
                "soak 925\n",
                "vent 30\n",
                "cool 200 to 945\n",
                "cool 940 to 60\n",
                "firing raku\n",
                "\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let rate = [60, 150, 910, 1 + dice.below(300)][dice.below(4)];
                let end = around(dice, [900, 949], 27);
                let hold = one(dice, &["", "", " hold 15", " hold 905"]);
                lines.push(format!("ramp {rate} to {end}{hold}\n"));
            }
            let name = one(dice, &["bisque", "glaze-930"]);
            format!("firing {name}\n{}", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: plain: make: two targets of the same name",
        grammar: "",
        input: concat!(
            "# build: twice\nCC = gcc\nCC = clang\n.PHONY: all test test\n\nall: build test build\n",
            "build: main.o util.o\n\t$(CC) -o owl main.o util.o\nmain.o: main.c\n\t$(CC) -c main.c\n",
            "test: build\n\t./owl test: test:\n\t./owl test: test:\nutil.o: util.c main.c\n",
            "build: config.h\n\techo all:\ntests: all\n"
        ),
        valid: |input| targets(input).is_some(),
        fails: |input| targets(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "# build: twice\n",
                "CC = gcc\n",
                "CC = clang\n",
                ".PHONY: all test test\n",
                "clean:\n\trm build:\n\trm build:\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for target in picked(dice, &["all", "build", "test", "tests", "main.o"], 4, 50) {
                let count = dice.below(3);
                let needed = joined(dice, count, "", |dice| {
                    one(dice, &[" build", " main.o", " util.c", " all"]).to_owned()
                });
                let commands = ["\t$(CC) -c main.c\n", "\t./owl test: test:\n", "\techo all:\n"];
                parts.push(format!("{target}:{needed}\n{}", extras(dice, &commands).concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: plain: hosts: an address with the same name twice",
        grammar: "",
        input: concat!(
            "# 10.0.0.9 web web\n127.0.0.1   localhost\n10.0.0.4    web www.owl.example web2\n",
            "10.0.0.4    web  # web web\n\n10.0.0.7    db mail.owl.example db   # moved\n",
            "10.0.0.7    mail mail.owl.example\n192.168.7.7 printer\n"
        ),
        valid: |input| host_names(input).is_some(),
        fails: |input| host_names(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = ["# 10.0.0.9 web web\n", "127.0.0.1   localhost\n", "\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["web", "web2", "db", "mail", "mail.owl.example", "www.owl.example"];
                let names = picked(dice, &known, 4, 32).join(" ");
                let address = one(dice, &["10.0.0.4", "10.0.0.7", "192.168.7.7"]);
                let by = one(dice, &[" ", "    "]);
                let end = one(dice, &["", "", "", "  # web web", "   # moved"]);
                lines.push(format!("{address}{by}{names}{end}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-second: plain: knitting: a chart whose rows do not all have the same number of ",
            "stitches"
        ),
        grammar: "",
        input: concat!(
            "yarn wool 4 mm\nnote k p k / k p\nchart lace\n  1: k yo ssk k\n  2: p p p p\n",
            "  3: k k2tog yo k\nrepeat lace 6\n\nchart edge\n  1: k p k p k\n  2: p k p k p\n",
            "  3: k p k2tog p\n  4: p k p k p\nnote k\nrepeat edge 12\nchart rib\n  1: k p\n",
            "chart empty\n"
        ),
        valid: |input| charts(input).is_some(),
        fails: |input| charts(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "yarn wool 4 mm\n",
                "note k p k / k p\n",
                "repeat lace 6\n",
                "chart empty\n",
                "chart rib\n  1: k p\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut text = format!("chart {}\n", one(dice, &["lace", "edge", "cable-2"]));
                for (at, length) in lengths(dice, 1, 40).into_iter().enumerate() {
                    let row = joined(dice, length, " ", |dice| {
                        one(dice, &["k", "p", "k", "p", "yo", "ssk", "k2tog"]).to_owned()
                    });
                    text += &format!("  {}: {row}\n", at + 1);
                }
                if chance(dice, 25) {
                    text += "note k\n";
                }
                parts.push(text);
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
