//! Causes in texts without a grammar: a schema of messages, a model to print, a list of commits to
//! change and a table of file systems.

use crate::draws::{are_negative_and_fine, chance, extras, figure, has_twins, picked, steps};
use crate::readers::{are_in_order, is_digits, is_shown, number, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// Whether a token is the name of a type of a field, maybe in a package.
fn is_type(token: &str) -> bool {
    token.split('.').all(is_variable)
}

/// A field at the start of some tokens, without its type: its name, and what comes after it.
fn field<'a, 't>(all: &'a [&'t str]) -> Option<(&'t str, &'a [&'t str])> {
    let [name, "=", tag, rest @ ..] = all else { return None };
    (is_variable(name) && number(tag).is_some()).then_some(())?;
    match rest {
        [";", rest @ ..] => Some((name, rest)),
        ["[", option, "=", "true" | "false", "]", ";", rest @ ..] => {
            is_variable(option).then_some((*name, rest))
        }
        _ => None,
    }
}

/// Finds the names of the fields of the message (or enum) at the start of some tokens and of those in
/// it, and says what comes after it.
fn message<'a, 't>(all: &'a [&'t str], found: &mut Vec<Vec<&'t str>>) -> Option<&'a [&'t str]> {
    let [kind @ ("message" | "enum"), name, "{", rest @ ..] = all else { return None };
    is_variable(name).then_some(())?;
    let (mut rest, mut names) = (rest, Vec::new());
    loop {
        let start = match rest {
            ["}", after @ ..] => {
                if *kind == "message" {
                    found.push(names);
                }
                return Some(after);
            }
            ["reserved", value, ";", after @ ..] => {
                (is_text(value) || number(value).is_some()).then_some(())?;
                rest = after;
                continue;
            }
            _ if *kind == "enum" => rest,
            ["message" | "enum", _, "{", ..] => {
                rest = message(rest, found)?;
                continue;
            }
            ["map", "<", key, ",", value, ">", after @ ..] if is_type(key) && is_type(value) => {
                after
            }
            ["repeated" | "optional", kind, after @ ..] if after.first()? != &"=" => {
                is_type(kind).then_some(after)?
            }
            [kind, after @ ..] => is_type(kind).then_some(after)?,
            [] => return None,
        };
        let (name, after) = field(start)?;
        names.push(name);
        rest = after;
    }
}

/// The names of the fields of each message of a schema.
fn messages(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(&without_remarks(input, ["/*", "*/"])?, "//");
    let (all, mut found) = (tokens(&text, "_.")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["syntax", "=", version, ";", after @ ..] if is_text(version) => after,
            ["import", file, ";", after @ ..] if is_text(file) => after,
            ["package", name, ";", after @ ..] if is_type(name) => after,
            _ => message(rest, &mut found)?,
        };
    }
    let owned = found.iter().map(|names| names.iter().map(|name| name.to_string()).collect());
    Some(owned.collect())
}

/// The three numbers of a place or a direction: whether each is negative, and how many decimals it has.
fn place(words: &[&str]) -> Option<Vec<(bool, usize)>> {
    let numbers = words.iter().map(|word| signed_decimals(word));
    numbers.collect::<Option<Vec<_>>>().filter(|all| all.len() == 3)
}

/// The numbers of each corner (vertex) of the models to print. Each facet of one has three.
fn corners(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (open.last().copied(), &words[..]) {
            (None, ["solid", name @ ..]) if name.iter().all(|word| is_shown(word)) => {
                open.push("solid");
            }
            (Some("solid"), ["facet", "normal", normal @ ..]) => {
                place(normal)?;
                open.push("facet");
            }
            (Some("facet"), ["outer", "loop"]) => {
                open.push("loop");
                count = 0;
            }
            (Some("loop"), ["vertex", numbers @ ..]) => {
                found.push(place(numbers)?);
                count += 1;
            }
            (Some("loop"), ["endloop"]) if count == 3 => drop(open.pop()),
            (Some("facet"), ["endfacet"]) => drop(open.pop()),
            (Some("solid"), ["endsolid", ..]) => drop(open.pop()),
            _ => return None,
        }
    }
    open.is_empty().then_some(found)
}

/// The command for each commit of a list. A commit can only be melted into one before it.
fn commands(input: &str) -> Option<Vec<&str>> {
    let mut found: Vec<&str> = Vec::new();
    for line in input.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "break" => rest.is_empty().then_some(())?,
            "exec" => (!rest.is_empty() && is_shown(rest)).then_some(())?,
            "pick" | "reword" | "edit" | "drop" | "squash" | "fixup" => {
                let (hash, text) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
                let is_hash = (7..41).contains(&hash.len())
                    && hash.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
                let is_melted = ["squash", "fixup"].contains(&command);
                let has_one = found.iter().any(|other| ["pick", "reword", "edit"].contains(other));
                (is_hash && is_shown(text) && (has_one || !is_melted)).then_some(())?;
            }
            _ => return None,
        }
        found.push(command);
    }
    Some(found)
}

/// The type of each file system in a table of them.
fn types(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(str::trim).filter(|line| !line.is_empty());
    let types = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, point, kind, _, numbers @ ..] = &words[..] else { return None };
        let is_point = point.starts_with('/') || *point == "none";
        let is_kind = kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
        let are_numbers = numbers.len() < 3 && numbers.iter().all(|number| is_digits(number));
        (is_point && is_kind && are_numbers && line.is_ascii()).then_some(*kind)
    });
    types.collect()
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fifth: plain: schema: a message with two fields of the same name",
        grammar: "",
        input: concat!(
            "syntax = \"proto3\";\npackage shop.id;\n\n// int32 id = 1; int32 id = 2;\nmessage Item {\n",
            "  string name = 1;\n  message Size { int32 id = 1; string name = 2; }\n  int32 id = 2;\n}\n",
            "message Order {\n  repeated Item items = 1;\n  int64 id = 2; // name\n  reserved \"name\";\n",
            "  map<string, int32> tags = 4;\n  optional string items = 7 [deprecated = true];\n}\n",
            "enum Kind { id = 0; name = 1; }\n"
        ),
        valid: |input| messages(input).is_some(),
        fails: |input| messages(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "package shop.id;",
                "// int32 id = 1; int32 id = 2;",
                "enum Kind { id = 0; name = 1; }",
                "message Empty {}",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["Item", "Order", "User"], 3, 0) {
                let others = [
                    "message Size { int32 id = 1; string name = 2; }",
                    "reserved \"name\";",
                    "// id, id",
                    "enum Color { tags = 0; items = 1; }",
                ];
                let mut fields = extras(dice, &others);
                let known = ["id", "ids", "name", "items", "tags", "Id", "old_id"];
                for (at, field) in picked(dice, &known, 4, 36).iter().enumerate() {
                    let kind = one(
                        dice,
                        &["int32", "string", "repeated shop.Item", "map<string, int32>", "bool"],
                    );
                    let end = one(dice, &["", "", "", " [deprecated = true]"]);
                    fields.push(format!("{kind} {field} = {}{end};", at + 1));
                }
                let fields = shuffled(dice, fields).join("\n  ");
                parts.push(format!("message {name} {{\n  {fields}\n}}"));
            }
            format!("syntax = \"proto3\";\n{}\n", shuffled(dice, parts).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fifth: plain: print: a vertex with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "",
        input: concat!(
            "solid owl -1.125\n  facet normal -1 0.125 0\n    outer loop\n      vertex 0 -2.5 0.25\n",
            "      vertex 12.375 4 1.0625\n      vertex -4 0.5 3\n    endloop\n  endfacet\n",
            "  facet normal 0 0 -1\n    outer loop\n      vertex 0.125 5.5 3\n",
            "      vertex 7.25 -12 31.875\n      vertex 0 0 0\n    endloop\n  endfacet\nendsolid owl\n"
        ),
        valid: |input| corners(input).is_some(),
        fails: |input| {
            corners(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let mut text = one(dice, &["solid\n", "solid owl -1.125\n", "solid wing\n"]).to_owned();
            for _ in 0..1 + dice.below(2) {
                let normal = one(dice, &["-1 0.125 0", "0 0 -1", "0.6 0.8 0", "-0.625 0.5 0.125"]);
                text += &format!("  facet normal {normal}\n    outer loop\n");
                for _ in 0..3 {
                    let [x, y, z] = [(); 3].map(|()| figure(dice));
                    let vertex = match chance(dice, 42) {
                        true => format!("{x} {y} {z}"),
                        false => {
                            let known = ["0 0 0", "0 -2.5 0.25", "12.375 4 1.0625", "0.125 5.5 3"];
                            one(dice, &known).to_owned()
                        }
                    };
                    text += &format!("      vertex {vertex}\n");
                }
                text += "    endloop\n  endfacet\n";
            }
            text + one(dice, &["endsolid\n", "endsolid owl\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: plain: rebase: a list with a reword, then an edit, and then a drop",
        grammar: "",
        input: concat!(
            "pick 3f2a1b0 Add a drop of tea\ndrop 77ab012 Revert reword\nedit 0c9d8e7 Fix the menu\n",
            "# reword, edit, drop = use commit\nreword 91be4f2 edit the readme\npick a0b1c2d Try it\n",
            "exec make drop\nedit 5e6f7a8 Sort the list\n\nfixup 4444abc reword\nbreak\n",
            "drop deadbee Log more\n# Rebase 0c9d8e7..deadbee\nreword 1234567 Clean up\n"
        ),
        valid: |input| commands(input).is_some(),
        fails: |input| {
            commands(input).is_some_and(|all| are_in_order(&all, &["reword", "edit", "drop"]))
        },
        draw: |dice| {
            let mut text = "pick 3f2a1b0 Add a drop of tea\n".to_owned();
            let others = ["pick", "squash", "fixup", "drop", "reword", "exec", "break"];
            for command in steps(dice, ["reword", "edit", "drop"], &others) {
                let hash = one(dice, &["77ab012", "0c9d8e7", "deadbee", "1234567"]);
                let note = one(
                    dice,
                    &["Fix the menu", "edit the readme", "reword", "Revert drop", "Log more"],
                );
                text += &match command {
                    "exec" => one(dice, &["exec make drop\n", "exec edit.sh reword\n"]).to_owned(),
                    "break" => "break\n".to_owned(),
                    _ => format!("{command} {hash} {note}\n"),
                };
                text += one(dice, &["", "", "", "", "\n", "# reword, edit, drop = use commit\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: plain: mounts: a file system of the type nfs or cifs",
        grammar: "",
        input: concat!(
            "# nas:/old /mnt/old nfs defaults 0 0\nUUID=7f3a-12 / ext4 errors=remount-ro 0 1\n",
            "/dev/nfs/home /home xfs defaults,x-systemd.after=nfs 0 2\n",
            "//nas/films  /mnt/films  cifs  ro,credentials=/etc/nfs  0  0\n",
            "nas:/cifs\t/mnt/nfs\tnfs4\trw,soft\t0\t0\nnone /tmp tmpfs size=512m\n"
        ),
        valid: |input| types(input).is_some(),
        fails: |input| {
            types(input).is_some_and(|all| all.iter().any(|kind| ["nfs", "cifs"].contains(kind)))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "# nas:/old /mnt/old nfs defaults 0 0\n"]).to_owned();
            for _ in 0..1 + dice.below(5) {
                let device = one(
                    dice,
                    &["UUID=7f3a-12", "/dev/nfs/home", "//nas/films", "nas:/cifs", "nfs"],
                );
                let point = one(dice, &["/", "/home", "/mnt/films", "/mnt/nfs", "/cifs"]);
                let kind = match chance(dice, 22) {
                    true => one(dice, &["nfs", "cifs"]),
                    false => one(dice, &["ext4", "xfs", "nfs4", "tmpfs", "fuse.cifs", "nfsd"]),
                };
                let others = ["ro", "x-systemd.after=nfs", "soft", "vers=3.0", "cifs"];
                let options = picked(dice, &others, 3, 0).join(",");
                let by = one(dice, &[" ", " ", "\t", "  "]);
                let end = one(dice, &["", "0 0", "0 2"]).replace(' ', by);
                let line = [device, point, kind, &options, &end].join(by);
                text += &format!("{}\n", line.trim_end());
            }
            text
        },
        patterns: &[],
    },
];
