//! Causes in texts without a grammar, and one in binary data.

use seedsmith_grammar::Random;

use crate::readers::{
    are_in_order, bytes, is_digits, is_name, is_shown, number, signed_decimals, text_of,
};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// Whether one of some texts is there twice.
fn has_twice(all: &[&str]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// The kind and the key of each event of a song; nothing if it is none.
fn events(input: &str) -> Option<Vec<(u8, u8)>> {
    let all = bytes(input.strip_prefix("SONG")?);
    let events = all.chunks(4).map(|event| {
        let &[kind, key, strength, _] = event else { return None };
        ((1..=3).contains(&kind) && key < 128 && strength < 128).then_some((kind, key))
    });
    events.collect()
}

/// The authors of the entries of a list of literature; nothing if a line is odd, or a key is there twice.
fn authors(input: &str) -> Option<Vec<&str>> {
    let (mut authors, mut keys) = (Vec::new(), Vec::new());
    // The fields of the entry that is open, and whether one may follow.
    let mut open = None::<(Vec<&str>, bool)>;
    for line in input.split('\n') {
        open = match open {
            None if line.is_empty() || line.starts_with('%') => None,
            None => {
                let (kind, key) = line.strip_prefix('@')?.strip_suffix(',')?.split_once('{')?;
                let is_known = ["article", "book", "misc"].contains(&kind);
                (is_known && is_name(key) && !keys.contains(&key)).then_some(())?;
                keys.push(key);
                Some((Vec::new(), true))
            }
            Some(_) if line == "}" => None,
            Some((mut names, true)) => {
                let (pair, may_follow) =
                    line.strip_suffix(',').map_or((line, false), |pair| (pair, true));
                let (name, value) = pair.trim_start_matches(' ').split_once(" = {")?;
                let value = value.strip_suffix('}')?;
                let is_sign = |c: char| !c.is_control() && !"{}\\".contains(c);
                let is_new = is_name(name) && !names.contains(&name);
                (is_new && !value.is_empty() && value.chars().all(is_sign)).then_some(())?;
                names.push(name);
                if name == "author" {
                    authors.push(value);
                }
                Some((names, may_follow))
            }
            Some((_, false)) => return None,
        };
    }
    open.is_none().then_some(authors)
}

/// The commands of a program in assembly, in order; nothing if a line is neither a remark nor a label nor a command with
/// its operands.
fn instructions(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.split('\n') {
        let code = line.split_once(';').map_or(line, |(code, _)| code).trim_end_matches(' ');
        is_shown(line).then_some(())?;
        if code.is_empty() {
            continue;
        }
        if let Some(label) = code.strip_suffix(':') {
            is_name(label).then_some(())?;
            continue;
        }
        let code = code.strip_prefix("    ")?;
        let (name, operands) = code.split_once(' ').unwrap_or((code, ""));
        let count = match name {
            "cli" | "hlt" | "sti" | "nop" | "ret" => 0,
            "call" | "jmp" => 1,
            "mov" | "out" => 2,
            _ => return None,
        };
        let operands: Vec<&str> = operands.split(", ").filter(|_| code != name).collect();
        let is_right = |text: &&str| is_name(text) || is_digits(text);
        (operands.len() == count && operands.iter().all(is_right)).then_some(())?;
        found.push(name);
    }
    Some(found)
}

/// How many cells each row of each table of a wiki page has; nothing if a line in a table is odd, or a table has no end.
fn tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut all, mut open) = (Vec::new(), None::<(Vec<usize>, bool)>);
    for line in input.split('\n') {
        is_shown(line).then_some(())?;
        open = match (open, line) {
            (None, "{|") => Some((Vec::new(), true)),
            (None, line) => {
                (!line.starts_with(['|', '!', '{'])).then_some(())?;
                None
            }
            (Some((rows, _)), "|}") => {
                all.push(rows);
                None
            }
            (Some((rows, false)), "|-") => Some((rows, true)),
            (Some((mut rows, true)), row) => {
                let cells: Vec<&str> = row.strip_prefix("| ")?.split(" || ").collect();
                let is_cell = |cell: &&str| !cell.trim().is_empty() && !cell.contains('|');
                cells.iter().all(is_cell).then_some(())?;
                rows.push(cells.len());
                Some((rows, false))
            }
            _ => return None,
        };
    }
    open.is_none().then_some(all)
}

/// The keys that are set for each host of a secure shell; nothing if a line is odd, or a host or a key is there twice.
fn hosts(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in input.split('\n') {
        let text = line.trim_start_matches(' ');
        if text.is_empty() || text.starts_with('#') {
            is_shown(text).then_some(())?;
            continue;
        }
        let (key, value) = text.split_once(' ')?;
        (!value.is_empty() && value.chars().all(|c| c.is_ascii_graphic())).then_some(())?;
        if key == "Host" {
            let is_new = all.iter().all(|(other, _)| *other != value);
            (is_new && text == line).then_some(())?;
            all.push((value, Vec::new()));
        } else {
            let known = ["HostName", "User", "Port", "ProxyJump", "IdentityFile"];
            let is_right = known.contains(&key) && (key != "Port" || number(value).is_some());
            let (_, keys) = all.last_mut()?;
            (is_right && text != line && !keys.contains(&key)).then_some(())?;
            keys.push(key);
        }
    }
    Some(all.into_iter().map(|(_, keys)| keys).collect())
}

/// The names of the fields of each type of a schema; nothing if a line is odd, or two types have one name.
fn schema(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut all, mut open) = (Vec::<(&str, Vec<&str>)>::new(), false);
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if open && line == "}" {
            open = false;
        } else if open {
            let (name, kind) = line.strip_prefix("  ")?.split_once(": ")?;
            let kind = kind.strip_suffix('!').unwrap_or(kind);
            let inner = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let is_kind = inner.unwrap_or(kind).chars().all(|c| c.is_ascii_alphabetic());
            let is_begun = inner.unwrap_or(kind).starts_with(|c: char| c.is_ascii_uppercase());
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let is_field = name.starts_with(|c: char| c.is_ascii_lowercase());
            let is_right = is_field && is_kind && is_begun;
            (is_right && name.chars().all(is_letter)).then_some(())?;
            all.last_mut()?.1.push(name);
        } else {
            let name = line.strip_prefix("type ")?.strip_suffix(" {")?;
            let is_right = name.chars().all(|c| c.is_ascii_alphabetic()) && !name.is_empty();
            (is_right && all.iter().all(|(other, _)| *other != name)).then_some(())?;
            all.push((name, Vec::new()));
            open = true;
        }
    }
    (!open).then(|| all.into_iter().map(|(_, names)| names).collect())
}

/// The coordinates of each vertex of a model: whether each is negative, and how many decimals it has; nothing if a line
/// is neither a remark nor a name nor numbers for what it is.
fn vertices(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for line in input.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (kind, rest) = line.split_once(' ').filter(|_| is_shown(line))?;
        if kind == "o" {
            is_name(rest).then_some(())?;
            continue;
        }
        let numbers = rest.split(' ').map(signed_decimals).collect::<Option<Vec<_>>>()?;
        let is_right = match kind {
            "v" | "vn" => numbers.len() == 3,
            "vt" => numbers.len() == 2,
            "f" => numbers.len() >= 3 && numbers.iter().all(|number| *number == (false, 0)),
            _ => false,
        };
        is_right.then_some(())?;
        if kind == "v" {
            found.push(numbers);
        }
    }
    Some(found)
}

/// The packages that each package of a list depends on; nothing if a line is odd, or a key is there twice.
fn dependencies(input: &str) -> Option<Vec<Vec<&str>>> {
    let packages = input.strip_suffix('\n')?.split("\n\n").map(|paragraph| {
        let (mut keys, mut found) = (Vec::new(), Vec::new());
        for line in paragraph.split('\n') {
            let (key, value) = line.split_once(": ")?;
            let known = ["Package", "Version", "Depends", "Recommends", "Description"];
            let is_right = match key {
                "Package" => is_name(value),
                "Depends" | "Recommends" => value.split(", ").all(is_name),
                _ => is_shown(value) && !value.trim().is_empty(),
            };
            (is_right && known.contains(&key) && !keys.contains(&key)).then_some(())?;
            keys.push(key);
            if key == "Depends" {
                found = value.split(", ").collect();
            }
        }
        (keys.first() == Some(&"Package")).then_some(found)
    });
    packages.collect()
}

/// Some names, of which one may be there twice.
fn names(dice: &mut Random, known: &[&str]) -> Vec<String> {
    let names = known.iter().map(|name| (*name).to_owned()).collect();
    let mut names = shuffled(dice, names);
    names.truncate(1 + dice.below(4));
    if dice.below(3) == 0 {
        let again = names[dice.below(names.len())].clone();
        names.insert(dice.below(names.len() + 1), again);
    }
    names
}

/// The coordinates of a vertex, of which one may be negative and one may have many decimals.
fn vertex(dice: &mut Random) -> String {
    joined(dice, 3, " ", |dice| {
        let number = match dice.below(10) {
            0..7 => one(dice, &["1", "0", "0.5", "10.25", "210"]),
            7 => one(dice, &["-4", "-0.5", "-12.25", "-125"]),
            8 => one(dice, &["0.125", "3.375", "40.0625", "7.000"]),
            _ => one(dice, &["-1", "-0.75", "1.125", "-0.125"]),
        };
        number.to_owned()
    })
}

/// The rows of a table, of which one may have more or fewer cells than the others.
fn table(dice: &mut Random) -> String {
    let (usual, rows) = (1 + dice.below(3), dice.below(5));
    let mut lengths = vec![usual; rows];
    if rows > 0 && dice.below(2) == 0 {
        lengths[dice.below(rows)] = [usual + 1, usual.max(2) - 1, usual + 2][dice.below(3)];
    }
    let rows: Vec<String> = lengths
        .into_iter()
        .map(|length| {
            let cells = joined(dice, length, " || ", |dice| {
                one(dice, &["Bergen", "12", "half past 4", "-", "0.5", "!"]).to_owned()
            });
            format!("| {cells}\n")
        })
        .collect();
    format!("{{|\n{}|}}\n", rows.join("|-\n"))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fourth: plain: binary: a note on whose key is above 108",
        grammar: "",
        input: "SONG\u{1}\u{3c}\u{40}\u{c}\u{3}\u{1}\u{7f}\u{0}\u{1}\u{6c}\u{6e}\u{c8}\u{2}\u{3c}\u{0}\u{0}\u{2}\u{78}\u{0}\u{6d}\u{1}\u{70}\u{50}\u{18}\u{1}\u{15}\u{7f}\u{c}\u{2}\u{70}\u{0}\u{18}\u{3}\u{6d}\u{0}\u{c8}\u{2}\u{15}\u{0}\u{0}",
        valid: |input| events(input).is_some(),
        fails: |input| {
            let all = events(input).unwrap_or_default();
            all.iter().any(|(kind, key)| *kind == 1 && *key > 108)
        },
        draw: |dice| {
            let count = 1 + dice.below(6);
            let events = joined(dice, count, "", |dice| {
                let kind = [1, 1, 1, 2, 3][dice.below(5)];
                let key = match dice.below(4) {
                    0 => [109, 110, 112, 120, 127][dice.below(5)],
                    1 => [108, 107, 106, 100][dice.below(4)],
                    _ => [60, 21, 64, 0, 1, 90][dice.below(6)],
                };
                let strength = [0, 64, 80, 110, 127][dice.below(5)];
                text_of(&[kind, key, strength, [0, 12, 109, 200][dice.below(4)]])
            });
            format!("SONG{events}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: bibtex: an author with a character that is not ASCII",
        grammar: "",
        input: "% Bücher, nach Größe\n@book{ost87,\n  author = {Ann Ost},\n  title = {Über Wasser},\n  year = {1987}\n}\n\n@article{vik02,\n  title = {Tides, again},\n  author = {Bo Vik and Renée Tor},\n  journal = {Çà et là},\n}\n@misc{maps,\n  title = {Charts of Århus}\n}\n",
        valid: |input| authors(input).is_some(),
        fails: |input| authors(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let mut text = String::new();
            for key in ["ost87", "vik02", "maps"] {
                if !text.is_empty() && dice.below(3) == 0 {
                    continue;
                }
                let mut lines = Vec::new();
                if dice.below(5) > 0 {
                    let name = match dice.below(3) {
                        0 => one(dice, &["Renée Tor", "Å", "Bo Vik and Zoë Ost", "Jörg"]),
                        _ => one(dice, &["Ann Ost", "Bo Vik and A. Tor", "O'Neil", "x"]),
                    };
                    lines.push(format!("  author = {{{name}}}"));
                }
                if lines.is_empty() || dice.below(3) > 0 {
                    let title = one(dice, &["Über Wasser", "Tides", "Å", "author = é"]);
                    lines.push(format!("  title = {{{title}}}"));
                }
                if dice.below(3) == 0 {
                    let journal = one(dice, &["Çà et là", "Sea", "Jörg"]);
                    lines.push(format!("  journal = {{{journal}}}"));
                }
                let lines = shuffled(dice, lines).join(",\n");
                text += one(dice, &["", "", "\n", "% Bücher\n", "% author\n"]);
                text += &format!("@{}{{{key},\n{lines}", one(dice, &["book", "article", "misc"]));
                text += one(dice, &["\n}\n", ",\n}\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: assembly: a cli, then a hlt, and then a sti",
        grammar: "",
        input: "; cli, hlt, sti\nstart:\n    mov ax, 41\n    sti ; not hlt\n    call print\n    cli\n    out 32, al\n    nop ; sti\nhlt:\n    mov bx, ax\n    hlt\n    jmp done\n    cli\ndone:\n    sti\n    ret\n",
        valid: |input| instructions(input).is_some(),
        fails: |input| {
            instructions(input).is_some_and(|all| are_in_order(&all, &["cli", "hlt", "sti"]))
        },
        draw: |dice| {
            let orders = [
                ["cli", "hlt", "sti"],
                ["cli", "hlt", "sti"],
                ["cli", "sti", "hlt"],
                ["hlt", "cli", "sti"],
                ["sti", "hlt", "cli"],
                ["cli", "nop", "sti"],
                ["cli", "hlt", "ret"],
            ];
            let mut all = orders[dice.below(7)].to_vec();
            for _ in 0..dice.below(5) {
                let other = one(dice, &["nop", "mov ax, 4", "jmp sti", "call hlt", "cli", "sti"]);
                all.insert(1 + dice.below(all.len()), other);
            }
            let mut text = String::new();
            for code in all {
                text += one(dice, &["", "", "", "", "hlt:\n", "start:\n", "; cli\n", "\n"]);
                text += &format!("    {code}{}\n", one(dice, &["", "", "", " ; hlt", " ; then"]));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: wiki: a table whose rows do not all have the same number of cells",
        grammar: "",
        input: "== Tides ==\nBergen or || Oslo?\n\n{|\n| Bergen || 12 || 0.5\n|-\n| Oslo || 4 || -\n|}\nAnd by night:\n{|\n| Bo || 4\n|-\n| Ada || half past 7\n|-\n| Cy || 9 || late\n|-\n| Di || !\n|}\n* a || b || c\n{|\n| none\n|}\n",
        valid: |input| tables(input).is_some(),
        fails: |input| {
            let all = tables(input).unwrap_or_default();
            all.iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let before = ["", "", "== Tides ==\n", "a || b || c\n", "\n", "* x\n"];
                format!("{}{}", one(dice, &before), table(dice))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: ssh: a host without a HostName",
        grammar: "",
        input: "# Host old\nHost mx1\n    HostName mx1.example.org\n    User ada\n\nHost HostName\n    HostName 10.0.0.7\nHost attic\n    User HostName\n    # HostName attic.example.org\n    ProxyJump mx1\n    Port 2222\n\nHost pier\n    IdentityFile ~/.ssh/pier\n    HostName pier\n",
        valid: |input| hosts(input).is_some(),
        fails: |input| {
            hosts(input).is_some_and(|all| all.iter().any(|keys| !keys.contains(&"HostName")))
        },
        draw: |dice| {
            let names = ["mx1", "attic", "pier", "HostName"].map(str::to_owned).to_vec();
            let names = shuffled(dice, names);
            let mut text = String::new();
            for name in &names[..1 + dice.below(3)] {
                let mut lines = Vec::new();
                if dice.below(4) > 0 {
                    let address = one(dice, &["mx1.example.org", "10.0.0.7", "pier", "User"]);
                    lines.push(format!("    HostName {address}\n"));
                }
                if dice.below(2) == 0 {
                    lines.push(format!("    User {}\n", one(dice, &["ada", "HostName", "bo"])));
                }
                for line in ["    Port 2222\n", "    ProxyJump mx1\n", "    # HostName x\n"] {
                    if dice.below(4) == 0 {
                        lines.push(line.to_owned());
                    }
                }
                text += one(dice, &["", "", "\n", "# Host old\n"]);
                text += &format!("Host {name}\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: graphql: a type with two fields of the same name",
        grammar: "",
        input: "# name: String\ntype Ship {\n  name: String!\n  crew: [Person]\n  port: Port\n}\n\ntype Port {\n  name: String\n  depth: Int\n  ships: [Ship]!\n  depth: Float\n}\n# type Port\ntype Person {\n  name: String\n  ship: Ship\n}\n",
        valid: |input| schema(input).is_some(),
        fails: |input| schema(input).is_some_and(|all| all.iter().any(|names| has_twice(names))),
        draw: |dice| {
            let mut text = String::new();
            for kind in ["Ship", "Port", "Person"] {
                if !text.is_empty() && dice.below(3) == 0 {
                    continue;
                }
                text += one(dice, &["", "\n", "\n", "# name: Int\n", "# type Ship\n"]);
                text += &format!("type {kind} {{\n");
                for name in names(dice, &["name", "name2", "ship", "depth", "id"]) {
                    let kind = one(dice, &["String", "Int", "[Ship]", "Port!", "[Int]!"]);
                    text += &format!("  {name}: {kind}\n");
                }
                text += "}\n";
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: obj: a vertex with a negative coordinate and one of three decimals or more",
        grammar: "",
        input: "# pier, v -1 0.125 0\no pier\nv 1 0 -4.5\nv 0.125 2 40\nv 3.0625 -0.5 1\nv -1 10.25 0\nvn -0.707 0.707 0\nvn 0 -1 0\nvt 0.125 1\nf 1 2 3\n\no buoy-2\nv 0 0.5 12\nf 1 3 4 5\n",
        valid: |input| vertices(input).is_some(),
        fails: |input| {
            vertices(input).unwrap_or_default().iter().any(|vertex| {
                let is_long = vertex.iter().any(|(_, decimals)| *decimals >= 3);
                is_long && vertex.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(6);
            joined(dice, count, "", |dice| match dice.below(8) {
                0 => format!("vn {}\n", one(dice, &["-0.707 0.707 0", "0 -1 0", "0 0.125 -1"])),
                1 => {
                    one(dice, &["o pier\n", "f 1 2 3\n", "vt 0.125 1\n", "# v -1 0.125 0\n", "\n"])
                        .to_owned()
                }
                _ => format!("v {}\n", vertex(dice)),
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: plain: packages: one that depends on another one twice",
        grammar: "",
        input: "Package: tides\nVersion: 1.4\nDepends: libc6, maps, zlib\nRecommends: fonts, ropes, fonts\n\nPackage: ropes\nDepends: knots, libc6, tides, knots\nDescription: ropes, ropes, ropes\n\nPackage: maps\nDescription: charts\nDepends: libc6, libc\n",
        valid: |input| dependencies(input).is_some(),
        fails: |input| {
            dependencies(input).is_some_and(|all| all.iter().any(|names| has_twice(names)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let known = ["libc6", "libc", "maps", "zlib", "knots"];
                let mut lines = Vec::new();
                if dice.below(5) > 0 {
                    lines.push(format!("Depends: {}\n", names(dice, &known).join(", ")));
                }
                if dice.below(3) == 0 {
                    lines.push(format!("Recommends: {}\n", names(dice, &known).join(", ")));
                }
                if dice.below(3) == 0 {
                    let text = one(dice, &["maps, maps", "charts", "libc6"]);
                    lines.push(format!("Description: {text}\n"));
                }
                if dice.below(3) == 0 {
                    lines.push(format!("Version: {}\n", one(dice, &["1.4", "2", "0.9"])));
                }
                let name = one(dice, &["tides", "ropes", "maps"]);
                format!("Package: {name}\n{}", shuffled(dice, lines).concat())
            })
        },
        patterns: &[],
    },
];
