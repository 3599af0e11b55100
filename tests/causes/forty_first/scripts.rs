//! Causes in texts without a grammar: materials of things that are drawn, messages in a car, connections of a
//! machine, and a text with tables.

use super::{amount, are_negative_and_exact};
use crate::draws::{are_uneven, chance, counted, extras, lengths, picked, statements};
use crate::readers::{is_digits, is_name, is_shown, number, signed_decimals};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The colors in plain light (Kd) of some materials: whether each of the three numbers is negative, and how
/// many decimals it has.
fn colors(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let (mut found, mut has_material) = (Vec::new(), false);
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = |words: &[&str]| -> Option<Vec<(bool, usize)>> {
            words.iter().map(|word| signed_decimals(word)).collect()
        };
        match &words[..] {
            ["newmtl", name] if is_name(name) => has_material = true,
            _ if !has_material => return None,
            ["Kd", rest @ ..] if rest.len() == 3 => found.push(numbers(rest)?),
            ["Ka" | "Ks", rest @ ..] if rest.len() == 3 => numbers(rest).map(|_| ())?,
            ["Ns" | "Ni" | "d", value] => signed_decimals(value).map(|_| ())?,
            ["illum", value] => number(value).map(|_| ())?,
            ["map_Kd", ..] if words.len() > 1 && is_shown(line) => {}
            _ => return None,
        }
    }
    Some(found)
}

/// How many bytes each message in a car has, and how many signals.
fn messages(input: &str) -> Option<Vec<(u32, usize)>> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        let all = tokens(line, "_").filter(|_| is_shown(line))?;
        let is_place = |all: &[&str]| match all {
            [start, "|", length, "@", order, "+" | "-"] => {
                [start, length].iter().all(|one| number(one).is_some())
                    && ["0", "1"].contains(order)
            }
            _ => false,
        };
        let is_lower_name = |name: &str| is_name(&name.to_ascii_lowercase());
        match &all[..] {
            ["BO_", id, name, ":", bytes, sender]
                if is_lower_name(name) && is_lower_name(sender) =>
            {
                number(id)?;
                found.push((number(bytes)?, 0));
                is_inside = true;
            }
            ["SG_", name, ":", rest @ .., unit, receiver] if is_inside => {
                let size = rest.iter().position(|token| *token == "(")?;
                let (place, ["(", factor, ",", offset, ")", "[", low, "|", high, "]"]) =
                    rest.split_at(size)
                else {
                    return None;
                };
                let are_numbers =
                    [factor, offset, low, high].iter().all(|one| number(one).is_some());
                let are_names = is_lower_name(name) && is_lower_name(receiver);
                (is_place(place) && are_numbers && are_names && is_text(unit)).then_some(())?;
                found.last_mut()?.1 += 1;
            }
            ["VERSION", text] if is_text(text) => is_inside = false,
            ["BU_", ":", names @ ..] if names.iter().all(|name| is_lower_name(name)) => {
                is_inside = false;
            }
            ["CM_", "BO_", id, text, ";"] if is_text(text) => {
                number(id)?;
                is_inside = false;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The states of the connections of some listings.
fn states(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_place = |text: &str| {
            let is_inside = |c: char| c.is_ascii_hexdigit() || ".:*[]".contains(c);
            text.contains(':') && text.chars().all(is_inside)
        };
        let is_state = |text: &str| {
            let is_inside = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(is_inside)
        };
        let is_owner = |text: &str| {
            let name = text.split_once('/').filter(|(id, name)| is_digits(id) && !name.is_empty());
            text == "-" || name.is_some()
        };
        match &words[..] {
            _ if !is_shown(line) => return None,
            ["Active", ..] => is_inside = false,
            ["Proto", "Recv-Q", "Send-Q", "Local", "Foreign", "State", "Program"] => {
                is_inside = true;
            }
            [kind @ ("tcp" | "tcp6" | "udp"), received, sent, local, foreign, rest @ ..] => {
                let are_places = is_place(local) && is_place(foreign);
                (is_inside && are_places).then(|| number(received).and(number(sent)))??;
                match rest {
                    [state, owner] if *kind != "udp" && is_state(state) && is_owner(owner) => {
                        found.push(*state);
                    }
                    [owner] if *kind == "udp" && is_owner(owner) => {}
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    Some(found)
}

/// How many cells the rows of each csv-table of a text have.
fn tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut part): (Vec<Vec<usize>>, &str) = (Vec::new(), "text");
    for line in input.lines() {
        is_shown(line).then_some(())?;
        let Some(inner) = line.strip_prefix("   ") else {
            let directive = line.strip_prefix(".. ").and_then(|rest| rest.split_once("::"));
            part = match (line, directive) {
                ("", _) if part == "options" => "rows",
                ("", _) => part,
                (_, Some(("csv-table", _))) => {
                    found.push(Vec::new());
                    "options"
                }
                (_, Some(("note" | "code-block" | "image", _))) => "other",
                (_, Some(_)) => return None,
                _ if line.starts_with(' ') => return None,
                _ => "text",
            };
            continue;
        };
        match part {
            "options" => {
                let (key, _) = inner.strip_prefix(':')?.split_once(": ")?;
                ["header", "widths", "align", "name"].contains(&key).then_some(())?;
            }
            "rows" => {
                (!inner.trim().is_empty() && !inner.contains('"')).then_some(())?;
                found.last_mut()?.push(inner.split(',').count());
            }
            "other" => {}
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-first: plain: materials: a Kd with a negative number and one of exactly two ",
            "decimals"
        ),
        grammar: "",
        input: concat!(
            "# Kd -1 0.25 0\nnewmtl owl\nNs 250.25\nKa -1 0.25 0.5\nKd 0.25 0.75 1\nillum 2\n\n",
            "newmtl nest\nKd -0.5 1 0.125\nKs 0.75 -0.25 2\nd 0.5\nmap_Kd owl -1 0.25.png\n\n",
            "newmtl kd\nKa 0 0 0\nKs 1 1 0\n  Kd 1.5 0.64 -2\nNi -1.45\n\n",
            "newmtl none\n# illum 1\nnewmtl egg\nKd 0.8 1 0.625\n"
        ),
        valid: |input| colors(input).is_some(),
        fails: |input| {
            let all = colors(input).unwrap_or_default();
            all.iter().any(|color| are_negative_and_exact(color, 2))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["# Kd -1 0.25 0\n", "newmtl none\n"]);
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "Ns 250.25\n",
                    "Ka -1 0.25 0.5\n",
                    "Ks 0.75 -0.25 2\n",
                    "illum 2\n",
                    "map_Kd owl -1 0.25.png\n",
                    "d 0.5\n",
                ];
                let mut lines = extras(dice, &others);
                let color = joined(dice, 3, " ", |dice| amount(dice, 2));
                lines.push(format!("{}Kd {color}\n", one(dice, &["", "", "  "])));
                let name = one(dice, &["owl", "nest", "kd", "egg"]);
                parts.push(format!("newmtl {name}\n{}", shuffled(dice, lines).concat()));
            }
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: plain: can: a message (BO_) with exactly as many signals (SG_) as bytes",
        grammar: "",
        input: concat!(
            "VERSION \"BO_ 4: 1 SG_\"\nBU_: Engine Dash Doors\n\nBO_ 412 Speed: 8 Engine\n",
            " SG_ Kmh : 0|16@1+ (1,0) [0|250] \"km\" Dash\n SG_ Gear : 16|4@1+ (1,0) [0|8] \"\" Dash\n\n",
            "BO_ 3 Locks: 3 Doors\n SG_ Left : 0|1@0+ (1,0) [0|1] \"SG_\" Dash\n",
            " SG_ Right : 1|1@0+ (1,0) [0|1] \"\" Dash\n SG_ Trunk : 8|2@0- (1,0) [0|3] \"\" Engine\n\n",
            "BO_ 2 Beat: 1 Dash\nBO_ 90 Fuel: 4 Engine\n SG_ Level : 0|8@1+ (2,0) [0|100] \"l\" Dash\n\n",
            "CM_ BO_ 412 \"8 SG_ of 8\";\n"
        ),
        valid: |input| messages(input).is_some(),
        fails: |input| {
            let all = messages(input).unwrap_or_default();
            all.iter().any(|(bytes, signals)| *bytes as usize == *signals)
        },
        draw: |dice| {
            let others = ["VERSION \"BO_ 4: 1 SG_\"\n", "BU_: Engine Dash Doors\n"];
            let start = extras(dice, &others).concat();
            let mut parts = extras(dice, &["CM_ BO_ 412 \"8 SG_ of 8\";\n"]);
            for _ in 0..1 + dice.below(3) {
                let known = ["Kmh", "Gear", "Left", "Right", "Trunk", "Level"];
                let mut signals = picked(dice, &known, 5, 0);
                if chance(dice, 10) {
                    signals.clear();
                }
                let bytes = counted(dice, signals.len(), 28);
                for signal in &mut signals {
                    let place = one(dice, &["0|16@1+", "16|4@1+", "1|1@0+", "8|2@0-"]);
                    let range = one(dice, &["(1,0) [0|250]", "(2,0) [0|100]", "(1,0) [0|1]"]);
                    let end = one(dice, &["\"km\" Dash", "\"\" Engine", "\"SG_\" Doors"]);
                    *signal = format!(" SG_ {signal} : {place} {range} {end}\n");
                }
                let id = 1 + dice.below(900);
                let name = one(dice, &["Speed", "Locks", "Beat", "Fuel"]);
                let sender = one(dice, &["Engine", "Dash", "Doors"]);
                let signals = signals.concat();
                parts.push(format!("BO_ {id} {name}: {bytes} {sender}\n{signals}"));
            }
            let by = one(dice, &["", "\n"]);
            format!("{start}{by}{}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-first: plain: netstat: a connection in the state CLOSE_WAIT, LAST_ACK or ",
            "FIN_WAIT2"
        ),
        grammar: "",
        input: concat!(
            "Active Internet connections (CLOSE_WAIT)\n",
            "Proto Recv-Q Send-Q Local         Foreign          State       Program\n",
            "tcp   0      0      0.0.0.0:22    0.0.0.0:*        LISTEN      412/sshd\n",
            "tcp   0      36     10.0.0.4:22   10.0.0.9:51412   ESTABLISHED 9001/LAST_ACK\n",
            "tcp6  0      0      fe80::4:443   fe80::9:40112    FIN_WAIT1   -\n",
            "udp   0      0      0.0.0.0:68    0.0.0.0:*        77/CLOSE_WAIT\n",
            "tcp   1      0      10.0.0.4:8080 10.0.0.12:39004  CLOSE_WAIT  412/owl\n",
            "tcp   0      0      10.0.0.4:22   10.0.0.7:4412    TIME_WAIT   -\n",
            "Active LAST_ACK\n"
        ),
        valid: |input| states(input).is_some(),
        fails: |input| {
            let all = states(input).unwrap_or_default();
            all.iter().any(|state| ["CLOSE_WAIT", "LAST_ACK", "FIN_WAIT2"].contains(state))
        },
        draw: |dice| {
            let start = one(dice, &["", "Active Internet connections (CLOSE_WAIT)\n"]);
            let head = "Proto Recv-Q Send-Q Local Foreign State Program\n";
            let mut text = format!("{start}{head}");
            for _ in 0..1 + dice.below(5) {
                let place = |dice: &mut _| {
                    one(dice, &["10.0.0.4:22", "10.0.0.9:51412", "fe80::4:443", "0.0.0.0:*"])
                };
                let (local, foreign) = (place(dice), place(dice));
                let state = match chance(dice, 22) {
                    true => one(dice, &["CLOSE_WAIT", "LAST_ACK", "FIN_WAIT2"]),
                    false => {
                        let known = ["LISTEN", "ESTABLISHED", "TIME_WAIT", "FIN_WAIT1", "CLOSING"];
                        one(dice, &known)
                    }
                };
                let kind = one(dice, &["tcp", "tcp", "tcp6", "udp"]);
                let state = if kind == "udp" { "" } else { state };
                let (received, sent) = (dice.below(3), dice.below(40));
                let owner = one(dice, &["-", "412/sshd", "9001/LAST_ACK", "77/CLOSE_WAIT"]);
                text += &format!("{kind} {received} {sent} {local} {foreign} {state} {owner}\n");
            }
            text + one(dice, &["", "", "Active LAST_ACK\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-first: plain: rst: a csv-table whose rows do not all have the same number of ",
            "cells"
        ),
        grammar: "",
        input: concat!(
            "Owls, nests\n===========\n\nTables, with commas,\nare below.\n\n.. csv-table:: Nests, 4\n",
            "   :header: tree,eggs,day\n   :widths: 10, 20\n\n   oak,4\n   elm,\n\n.. note::\n   a,b,c\n",
            "   d,e\n\n.. csv-table:: Owls\n   :align: left\n\n   snowy,white,12\n   barn,pale,7\n",
            "   tawny,brown\n   little,,9\n\nThe end, at last.\n\n.. csv-table:: None, yet\n   :name: a,b\n\n",
            "   one\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| tables(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "Owls, nests\n===========\n\n",
                "Tables, with commas,\nare below.\n\n",
                ".. note::\n   a,b,c\n   d,e\n\n",
                ".. code-block:: text\n\n   a,b\n   c\n\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = String::new();
                for length in lengths(dice, 1, 38) {
                    let row = joined(dice, length, ",", |dice| {
                        one(dice, &["oak", "4", "12", "", "pale red", "day"]).to_owned()
                    });
                    rows += &format!("   {}\n", if row.is_empty() { "owl" } else { &row });
                }
                let options = [
                    "   :header: tree,eggs,day\n",
                    "   :widths: 10, 20\n",
                    "   :align: left\n",
                    "   :name: a,b\n",
                ];
                let options = extras(dice, &options).concat();
                let title = one(dice, &["Nests, 4", "Owls", "None, yet"]);
                parts.push(format!(".. csv-table:: {title}\n{options}\n{rows}\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
