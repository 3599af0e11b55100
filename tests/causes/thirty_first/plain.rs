//! Causes in texts without a grammar.

use crate::draws::{
    above, are_uneven, chance, counted, extras, foreign, has_twins, lengths, picked, statements,
};
use crate::readers::{is_name, is_shown, is_word, number};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How many beds each room of an inn has, and how many guests.
fn rooms(input: &str) -> Option<Vec<(u32, u32)>> {
    let lines = statements(input, "=").map(|line| {
        let mut fields = line.split('|').map(str::trim);
        number(fields.next()?.strip_prefix("room ")?)?;
        let (mut beds, mut guests) = (Vec::new(), Vec::new());
        for field in fields {
            match field.split_once(' ') {
                Some(("beds", count)) => beds.push(number(count)?),
                Some(("guests", count)) => guests.push(number(count)?),
                Some(("floor" | "nights", count)) => drop(number(count)?),
                Some(_) => return None,
                None => is_word(field).then_some(())?,
            }
        }
        match (&beds[..], &guests[..]) {
            ([beds], [guests]) => Some((*beds, *guests)),
            _ => None,
        }
    });
    lines.collect()
}

/// How deep lists, with numbers or without, are in each other in a text for LaTeX.
fn list_depth(input: &str) -> Option<usize> {
    let kept: Vec<&str> = input.lines().map(|line| line.split('%').next().unwrap_or("")).collect();
    let text = kept.join("\n");
    let (mut open, mut deepest) = (Vec::<&str>::new(), 0);
    let mut pieces = text.split('\\');
    (!pieces.next()?.contains(['{', '}'])).then_some(())?;
    for piece in pieces {
        let size = piece.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(piece.len());
        let (command, mut rest) = piece.split_at(size);
        let lists = open.iter().filter(|name| ["itemize", "enumerate"].contains(name)).count();
        if command == "item" {
            (lists > 0).then_some(())?;
        } else {
            let (value, after) = rest.strip_prefix('{')?.split_once('}')?;
            rest = after;
            match command {
                "begin" => {
                    let known = ["itemize", "enumerate", "quote", "center"];
                    open.push(Some(value).filter(|name| known.contains(name))?);
                    deepest = deepest.max(lists + usize::from(known[..2].contains(&value)));
                }
                "end" => (open.pop()? == value).then_some(())?,
                "emph" | "section" | "label" => (!value.contains('{')).then_some(())?,
                _ => return None,
            }
        }
        (!rest.contains(['{', '}'])).then_some(())?;
    }
    open.is_empty().then_some(deepest)
}

/// Whether each host that is watched has an address.
fn have_addresses(input: &str) -> Option<Vec<bool>> {
    let (mut found, mut inside) = (Vec::new(), None::<(&str, Vec<&str>)>);
    for line in statements(input, "#") {
        if let Some(rest) = line.strip_prefix("define ") {
            let kind = rest.strip_suffix('{')?.trim_end();
            let is_known = ["host", "service", "contact"].contains(&kind);
            (is_known && inside.is_none()).then_some(())?;
            inside = Some((kind, Vec::new()));
        } else if line == "}" {
            let (kind, keys) = inside.take()?;
            (!keys.is_empty() && !has_twins(&keys)).then_some(())?;
            found.extend((kind == "host").then(|| keys.contains(&"address")));
        } else {
            let (key, value) = line.split_once(char::is_whitespace)?;
            (is_name(key) && is_shown(value.trim())).then_some(())?;
            inside.as_mut()?.1.push(key);
        }
    }
    inside.is_none().then_some(found)
}

/// What a recipe needs. It begins with its name, and has numbered steps and notes.
fn ingredients(input: &str) -> Option<Vec<&str>> {
    let (title, rest) = input.split_once('\n')?;
    title.starts_with("# ").then_some(())?;
    let mut found = Vec::new();
    for line in rest.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(ingredient) = line.strip_prefix("- ") {
            found.push(ingredient);
        } else if !line.starts_with("> ") {
            number(line.split_once(". ")?.0)?;
        }
    }
    Some(found)
}

/// How long the text of each page for a pager may be, and how long it is.
fn pages(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found = Vec::new();
    (!input.lines().any(|line| line.ends_with(' '))).then_some(())?;
    for line in statements(input, "#") {
        let Some((head, text)) = line.split_once("text=") else {
            number(line.strip_prefix("ack ")?)?;
            continue;
        };
        let mut most = None;
        for pair in head.split_whitespace() {
            let (key, value) = pair.split_once('=')?;
            let is_right = match key {
                "to" | "max" => number(value).is_some(),
                "from" => is_name(value),
                _ => false,
            };
            most = most.or(number(value).filter(|_| key == "max"));
            is_right.then_some(())?;
        }
        (head.ends_with(' ') && is_shown(text) && !text.starts_with(' ')).then_some(())?;
        found.push((most?, text.len()));
    }
    Some(found)
}

/// The cards of each hand in a game.
fn hands(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_card = |card: &&str| {
        let (rank, suit) = card.split_at_checked(1).unwrap_or(("", ""));
        rank.len() == 1 && "23456789TJQKA".contains(rank) && ["c", "d", "h", "s"].contains(&suit)
    };
    let mut found = Vec::new();
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["hand", name, cards @ ..] if is_name(name) && cards.iter().all(is_card) => {
                found.push(cards.to_vec());
            }
            ["burn", cards @ ..] if cards.iter().all(is_card) => {}
            ["bet", name, chips] if is_name(name) && number(chips).is_some() => {}
            ["fold", name] if is_name(name) => {}
            _ => return None,
        }
    }
    Some(found)
}

/// The instructions for an image. A line that ends in a backslash goes on in the next one.
fn instructions(input: &str) -> Option<Vec<&str>> {
    let known = [
        "FROM", "RUN", "COPY", "ENV", "WORKDIR", "EXPOSE", "CMD", "USER", "LABEL", "ARG", "ADD",
        "ONBUILD", "SHELL",
    ];
    let (mut found, mut goes_on) = (Vec::new(), false);
    for line in statements(input, "#") {
        if !goes_on {
            let (name, _) = line.split_once(' ')?;
            found.push(Some(name).filter(|name| known.contains(name))?);
        }
        goes_on = line.ends_with('\\');
    }
    (found.first() == Some(&"FROM") && !goes_on).then_some(found)
}

/// How long the rows of each pattern for the game of life are.
fn patterns(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut is_inside) = (Vec::<Vec<usize>>::new(), false);
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("pattern ") {
            is_name(name).then(|| found.push(Vec::new()))?;
            is_inside = true;
        } else if line.is_empty() {
            is_inside = false;
        } else if let Some(rest) = line.strip_prefix("run ").or(line.strip_prefix("rule ")) {
            rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '/').then_some(())?;
            is_inside = false;
        } else {
            (is_inside && line.chars().all(|c| c == '.' || c == 'O')).then_some(())?;
            found.last_mut()?.push(line.len());
        }
    }
    Some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-first: plain: inn: a room with more guests than beds",
        grammar: "",
        input: concat!(
            "== friday, beds 2, guests 9\nroom 101 | beds 2 | guests 2 | breakfast\n",
            "room 102 | floor 1 | guests 0 | beds 1\n\nroom 204 | beds 3 | nights 7 | guests 4 | quiet\n",
            "room 7 | guests 1 | beds 4 | floor 2 | nights 2\n== saturday\n",
            "room 101 | beds 2 | guests 1 | late | nights 12\nroom 310 | beds 6 | guests 5\n"
        ),
        valid: |input| rooms(input).is_some(),
        fails: |input| rooms(input).is_some_and(|all| all.iter().any(|(beds, all)| all > beds)),
        draw: |dice| {
            let others = ["== friday, beds 2, guests 9\n", "== saturday\n", "\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let beds = [1 + dice.below(4), dice.below(12), 2][dice.below(3)];
                let others = ["breakfast", "quiet", "floor 2", "nights 7", "late"];
                let mut fields = extras(dice, &others);
                fields.push(format!("beds {beds}"));
                fields.push(format!("guests {}", above(dice, beds, 27)));
                let fields = shuffled(dice, fields).join(" | ");
                lines.push(format!("room {} | {fields}\n", 1 + dice.below(400)));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: latex: itemize and enumerate in each other, four deep or more",
        grammar: "",
        input: concat!(
            "\\section{Packing}\n% \\begin{itemize}\nTake \\emph{one} of itemize and enumerate.\n",
            "\\begin{enumerate}\n\\item tent\n\\begin{center}\n\\begin{itemize}\n\\item poles\n",
            "\\begin{enumerate}\n\\item long\n\\begin{quote}\n\\begin{enumerate}\n",
            "\\item \\emph{red}\n\\item blue\n\\end{enumerate}\n\\end{quote}\n\\end{enumerate}\n",
            "\\end{itemize}\n\\end{center}\n\\item stove\n\\end{enumerate}\n\\label{end}\n",
            "\\begin{itemize}\n\\item \\begin{itemize}\\item map\\end{itemize}\n\\end{itemize}\n"
        ),
        valid: |input| list_depth(input).is_some(),
        fails: |input| list_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let others = [
                "\\section{Packing}\n",
                "% \\begin{itemize}\n",
                "\\begin{quote}\n\\begin{center}\nBye\n\\end{center}\n\\end{quote}\n",
                "\\begin{itemize}\n\\item map\n\\end{itemize}\n",
                "Take \\emph{one} of itemize and enumerate.\n",
            ];
            let mut parts = extras(dice, &others);
            let mut text = one(dice, &["tent\n", "\\emph{red}\n", "one enumerate\n"]).to_owned();
            for _ in 0..2 + dice.below(6) {
                let name = one(dice, &["itemize", "enumerate"]);
                let item = one(dice, &["\\item stove\n", "\\item \\emph{long} poles\n"]);
                let inner = match dice.below(7) {
                    0 => {
                        let name = one(dice, &["quote", "center"]);
                        text = format!("\\begin{{{name}}}\n{text}\\end{{{name}}}\n");
                        continue;
                    }
                    1 => format!("{item}\\item {text}"),
                    2 => format!("\\item {text}{item}"),
                    3 => format!("\\item\n{text}"),
                    _ => format!("\\item {text}"),
                };
                text = format!("\\begin{{{name}}}\n{inner}\\end{{{name}}}\n");
            }
            parts.push(text);
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: watch: a host without an address",
        grammar: "",
        input: concat!(
            "# host web, address 10.0.0.1\ndefine host {\n  host_name  web\n  address    10.0.0.4\n",
            "}\n\ndefine service {\n  host_name  mail\n  check      smtp address\n}\n",
            "define host {\n  host_name  address\n  parents    web\n  alias      host of mail\n}\n",
            "\ndefine contact {\n  name       anna\n  address    anna@owl.example\n}\n",
            "define host {\n  address    db.owl.example\n  host_name  db-2\n  retries    4\n}\n"
        ),
        valid: |input| have_addresses(input).is_some(),
        fails: |input| have_addresses(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "# host web, address 10.0.0.1\n",
                "define service {\n  host_name mail\n  check smtp address\n}\n",
                "define contact {\n  name anna\n  address anna@owl.example\n}\n",
                "define contact {\n  name address\n}\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = ["  parents web\n", "  alias host of mail\n", "  retries 4\n"];
                let mut lines = extras(dice, &others);
                let name = one(dice, &["web", "mail", "db-2", "address"]);
                lines.push(format!("  host_name {name}\n"));
                if chance(dice, 75) {
                    let address = one(dice, &["10.0.0.4", "db.owl.example", "web"]);
                    lines.push(format!("  address {address}\n"));
                } else if chance(dice, 25) {
                    lines.push("  address6 fe80::4\n".to_owned());
                }
                parts.push(format!("define host {{\n{}}}\n", shuffled(dice, lines).concat()));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: recipe: an ingredient with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Crêpes à la Zoë\n> for 4, 30 min, 180 °C\n\n- 250 g flour\n- 3 eggs\n- 40 cl milk\n",
            "- 120 g crème de marrons\n- salt\n\n1. Mix the flour and 1½ eggs.\n2. Sauté each side.\n",
            "> sweet: with jalapeño – no!\n3. Serve with sugar - 2 g each.\n"
        ),
        valid: |input| ingredients(input).is_some(),
        fails: |input| ingredients(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let title = one(dice, &["Crêpes à la Zoë", "Pancakes", "Crema 2"]);
            let count = 1 + dice.below(5);
            let needed = joined(dice, count, "", |dice| {
                let amount = one(dice, &["250 g ", "3 ", "40 cl ", ""]);
                let name = if chance(dice, 22) { foreign(dice) } else { word(dice, 6) };
                format!("- {amount}{name}{}\n", one(dice, &["", "", ", cold", " - 2 g"]))
            });
            let others = [
                "1. Mix them.\n",
                "2. Sauté each side.\n",
                "> 180 °C\n",
                "\n",
                "> with jalapeño\n",
            ];
            let [before, after] = [&others[2..], &others[..]].map(|all| extras(dice, all));
            format!("# {title}\n{}{needed}{}", before.concat(), shuffled(dice, after).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: pager: a page whose text is exactly as long as its max",
        grammar: "",
        input: concat!(
            "# max=11 text=hello world\nto=417 max=40 text=Room 4 is free\nack 417\n",
            "from=desk max=13 to=9 text=Meet at eight\nto=80 max=4 text=max=4 or less\n\n",
            "max=160 from=ward-2 to=417 text=Call 13 back, text=ok\nack 13\nto=5 max=20 text=\n",
            "from=lab to=31 max=9 text=all clear now\n"
        ),
        valid: |input| pages(input).is_some(),
        fails: |input| {
            pages(input).is_some_and(|all| all.iter().any(|(most, size)| *most as usize == *size))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["# max=11 text=hello world\n", "ack 417\n", "\n"]);
            for _ in 0..1 + dice.below(4) {
                let text = match dice.below(4) {
                    0 => one(dice, &["", "max=4", "Room 4 is free", "Meet at eight"]).to_owned(),
                    1 => format!("{} {}", word(dice, 7), word(dice, 7)),
                    2 => "Call ".to_owned() + &"9".repeat(1 + dice.below(12)),
                    _ => word(dice, 9),
                };
                let mut pairs = extras(dice, &["from=desk"]);
                pairs.push(format!("to={}", 1 + dice.below(500)));
                pairs.push(format!("max={}", counted(dice, text.len(), 26)));
                lines.push(format!("{} text={text}\n", shuffled(dice, pairs).join(" ")));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: poker: a hand with the same card twice",
        grammar: "",
        input: concat!(
            "# table 4, 7h 7h\nhand anna 7h Kd 2c 9s Jd\nhand bo Kd 2s Th\nburn 4c 4c\n",
            "bet anna 40\nhand raj Ac 8d 5h 8d Qs\nfold bo\nbet raj 40\n\nburn 3h\n",
            "hand bo 2c 2d 2h\nhand zoe 7h\nbet bo 80\nbet bo 80\nhand uma\n"
        ),
        valid: |input| hands(input).is_some(),
        fails: |input| hands(input).is_some_and(|all| all.iter().any(|cards| has_twins(cards))),
        draw: |dice| {
            let others = ["# table 4, 7h 7h\n", "burn 4c 4c\n", "bet anna 40\n", "fold bo\n", "\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["7h", "7d", "Kd", "Kh", "2c", "Ts", "As"];
                let mut cards = picked(dice, &known, 5, 32);
                if chance(dice, 8) {
                    cards.clear();
                }
                let name = one(dice, &["anna", "bo", "raj", "zoe"]);
                lines.push(format!("hand {name} {}\n", cards.join(" ")));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: image: an ADD, an ONBUILD or a SHELL",
        grammar: "",
        input: concat!(
            "# ADD nothing\nFROM debian:12 AS build\nLABEL team=\"SHELL\"\nENV ADD=1\nWORKDIR /srv/app\n",
            "RUN apt-get update && \\\n    apt-get install curl ADD \\\n    ca-certificates\n",
            "COPY app.toml ONBUILD/\n\nFROM debian:12-slim\nADD https://owl.example/app.tar /srv\n",
            "USER app\nEXPOSE 8080\nCMD [\"/srv/app\", \"SHELL\"]\n"
        ),
        valid: |input| instructions(input).is_some(),
        fails: |input| {
            let all = instructions(input).unwrap_or_default();
            all.iter().any(|name| ["ADD", "ONBUILD", "SHELL"].contains(name))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "", "# ADD nothing\n"]).to_owned();
            text += one(dice, &["FROM debian:12\n", "FROM owl/ADD AS SHELL\n"]);
            for _ in 0..1 + dice.below(7) {
                let name = match chance(dice, 15) {
                    true => one(dice, &["ADD", "ONBUILD", "SHELL"]),
                    false => one(dice, &["RUN", "COPY", "ENV", "USER", "CMD", "LABEL", "ARG"]),
                };
                let value = one(dice, &["ADD=1", "SHELL", "app.toml /srv", "[\"/srv/app\"]"]);
                text += &format!("{name} {value}");
                text += one(dice, &["\n", "\n", "\n", " \\\n    ADD x\n", "\n\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: plain: life: a pattern whose rows are not all equally long",
        grammar: "",
        input: concat!(
            "# glider: .O. / ..O / OOO\nrule B3/S23\npattern block\nOO\nOO\n\npattern glider\n",
            ".O.\n..O\nOOO\nrun 40\n\n# not a pattern\npattern ship-2\n.O..O\nO....\nO...O\nOOOO\n.....\n",
            "\npattern blinker\nOOO\nrun 12\npattern empty\n\npattern dot\nO\n"
        ),
        valid: |input| patterns(input).is_some(),
        fails: |input| patterns(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others =
                ["# glider: .O. / ..O\n", "rule B3/S23\n", "run 40\n", "pattern empty\n\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let name = one(dice, &["block", "glider", "ship-2", "run"]);
                let mut text = format!("pattern {name}\n");
                for length in lengths(dice, 1, 40) {
                    text += &joined(dice, length, "", |dice| one(dice, &[".", "O"]).to_owned());
                    text += "\n";
                }
                parts.push(text + one(dice, &["", "\n"]));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
