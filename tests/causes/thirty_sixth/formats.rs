//! Causes in four formats: CSV, DOT, sexp and HTTP.

use crate::draws::{above, around, chance, extras, has_twins, picked};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::thirty_third::formats::{Node, nodes};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How many volts each reading of a meter has.
fn volts(input: &str) -> Option<Vec<u32>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "meter,volts,amps,note").then_some(())?;
    let readings = lines.map(|line| {
        let [meter, volts, amps, note] = line.split(',').collect::<Vec<&str>>()[..] else {
            return None;
        };
        let are_right = number(amps).is_some() && is_shown(note) && !note.contains('"');
        number(volts).filter(|_| are_right && is_name(meter))
    });
    readings.collect()
}

/// The words that are no names in a graph.
const DOT_KEYWORDS: [&str; 6] = ["digraph", "graph", "node", "edge", "subgraph", "strict"];

/// The load and the capacity of each edge that has both.
fn edges(input: &str) -> Option<Vec<(u32, u32)>> {
    let all = tokens(input, "_")?;
    let is_id = |token: &str| is_name(token) && !DOT_KEYWORDS.contains(&token);
    let ["digraph", name, "{", inner @ .., "}"] = &all[..] else { return None };
    let is_ended = inner.last().is_none_or(|last| *last == ";") && !input.contains("- ");
    (is_id(name) && is_ended).then_some(())?;
    let mut found = Vec::new();
    for statement in inner.split(|token| *token == ";").filter(|part| !part.is_empty()) {
        if let [key, "=", value] = statement {
            (is_id(key) && (is_text(value) || is_id(value))).then_some(())?;
            continue;
        }
        let size = statement.iter().position(|token| *token == "[").unwrap_or(statement.len());
        let (ids, rest) = statement.split_at(size);
        let (mut keys, mut load, mut capacity) = (Vec::new(), None, None);
        if let ["[", pairs @ .., "]"] = rest {
            for pair in pairs.split(|token| *token == ",") {
                let [key, "=", value] = pair else { return None };
                let is_number = ["load", "capacity"].contains(key);
                let is_plain = is_text(value) || is_id(value) || number(value).is_some();
                keys.push(Some(*key).filter(|key| is_id(key) && (is_plain || is_number))?);
                match *key {
                    "load" => load = Some(number(value)?),
                    "capacity" => capacity = Some(number(value)?),
                    _ => {}
                }
            }
        } else if !rest.is_empty() {
            return None;
        }
        let [first, steps @ ..] = ids else { return None };
        let are_edges = steps.chunks(3).all(|step| matches!(step, ["-", ">", id] if is_id(id)));
        let is_right = is_id(first) || (*first == "node" && steps.is_empty());
        (are_edges && is_right && !has_twins(&keys)).then_some(())?;
        if !steps.is_empty() {
            found.extend(load.zip(capacity));
        }
    }
    Some(found)
}

/// How deep blocks and loops are in each other in a part of a function. Conditions have others in them,
/// too.
fn block_depth(node: &Node) -> Option<usize> {
    let Node::List(parts) = node else { return Some(0) };
    let [Node::Atom(kind), inner @ ..] = &parts[..] else { return None };
    let depths = inner.iter().map(block_depth).collect::<Option<Vec<usize>>>()?;
    let deepest = depths.into_iter().max().unwrap_or(0);
    Some(deepest + usize::from(["block", "loop"].contains(kind)))
}

/// How deep blocks and loops are in each other in each function of a module.
fn functions(input: &str) -> Option<Vec<usize>> {
    let [Node::List(all)] = &nodes(input)?[..] else { return None };
    let [Node::Atom("module"), parts @ ..] = &all[..] else { return None };
    let mut found = Vec::new();
    for part in parts {
        let Node::List(inner) = part else { return None };
        match &inner[..] {
            [Node::Atom("func"), Node::Atom(_), ..] => found.push(block_depth(part)?),
            [Node::Atom("memory" | "export" | "custom"), ..] => {}
            _ => return None,
        }
    }
    Some(found)
}

/// How the content of an answer is encoded: one way, or one after another.
fn encodings(input: &str) -> Option<Vec<&str>> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let (status, reason) = first.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    let is_status = status.len() == 3 && is_digits(status) && is_shown(reason);
    let is_inside = |c: char| c.is_ascii_graphic() || c == ' ' || c == '\n';
    (is_status && body.chars().all(is_inside)).then_some(())?;
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value) && !value.trim().is_empty()).then_some(())?;
        if name == "content-encoding" {
            found.extend(value.split(',').map(str::trim));
        }
        names.push(name);
    }
    let are_names = found.iter().all(|one| is_name(one));
    (are_names && !has_twins(&names)).then_some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-sixth: csv: power: a reading of a meter with 253 to 259 volts",
        grammar: "@csv",
        input: concat!(
            "meter,volts,amps,note\nhall-2,231,255,above 253\ncellar,252,4,\nshed,260,12,253 to 259\n",
            "roof-254,256,7,sun\nhall-2,229,253,door open\nroof-254,248,0,volts 255\nboat,12,256,\n"
        ),
        valid: |input| volts(input).is_some(),
        fails: |input| {
            volts(input).is_some_and(|all| all.iter().any(|one| (253..260).contains(one)))
        },
        draw: |dice| {
            let mut text = "meter,volts,amps,note\n".to_owned();
            for _ in 0..1 + dice.below(6) {
                let volts = match chance(dice, 30) {
                    true => [12, 229, 231, 240 + dice.below(10)][dice.below(4)],
                    false => around(dice, [253, 259], 24),
                };
                let meter = one(dice, &["hall-2", "cellar", "shed", "roof-254", "boat"]);
                let amps = [0, dice.below(20), 253 + dice.below(7)][dice.below(3)];
                let note = one(dice, &["", "", "sun", "volts 255", "253 to 259", "254"]);
                text += &format!("{meter},{volts},{amps},{note}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: dot: roads: an edge with a load above its capacity",
        grammar: "@dot",
        input: concat!(
            "digraph roads {\n  label=\"load 9, capacity 4\";\n  node [shape=box, load=12];\n",
            "  york [load=90, capacity=40];\n  york -> hull [capacity=60, load=45];\n",
            "  hull -> leeds -> bath [load=7, label=\"load=99\", capacity=7];\n",
            "  bath -> york [color=red, load=31, capacity=24];\n  leeds -> york [load=80];\n",
            "  load -> capacity [lanes=4, load=0, capacity=120];\n}\n"
        ),
        valid: |input| edges(input).is_some(),
        fails: |input| edges(input).is_some_and(|all| all.iter().any(|(load, most)| load > most)),
        draw: |dice| {
            let others = [
                "label=\"load 9, capacity 4\";",
                "node [shape=box, load=12];",
                "york [load=90, capacity=40];",
                "leeds -> york [load=80];",
                "hull -> york [capacity=4, lanes=12];",
                "bath -> hull;",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let capacity = [1 + dice.below(20), 10 * dice.below(12), 60][dice.below(3)];
                let load = above(dice, capacity, 28);
                let others = ["label=\"load=99\"", "color=red", "lanes=4"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("load={load}"));
                pairs.push(format!("capacity={capacity}"));
                let pairs = shuffled(dice, pairs).join(", ");
                let known =
                    ["york -> hull", "hull -> leeds -> bath", "load -> capacity", "bath -> york"];
                parts.push(format!("{} [{pairs}];", one(dice, &known)));
            }
            let name = one(dice, &["roads", "load", "north"]);
            format!("digraph {name} {{\n  {}\n}}\n", shuffled(dice, parts).join("\n  "))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-sixth: sexp: wasm: blocks and loops of a function in each other, five deep ",
            "or more"
        ),
        grammar: "@sexp",
        input: concat!(
            "(module (memory 4) (custom block (loop (block (loop (block (loop))))))\n",
            "  (func loop (param n) (block out (loop (drop n)) (br out)))\n",
            "  (func walk (param n block)\n    (block out (set n 4)\n",
            "      (loop next (if (less n 12) (then (block\n        (call loop 4)\n",
            "        (loop again (block (br again) (drop block)))))))\n      (br out)))\n",
            "  (export walk block))\n"
        ),
        valid: |input| functions(input).is_some(),
        fails: |input| functions(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves = ["(drop n)", "(br out)", "(call loop 4)", "(set block 12)", "(loop)"];
            let mut block = one(dice, &leaves[..4]).to_owned();
            for _ in 0..3 + dice.below(6) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(block);
                let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n    "]));
                let label = one(dice, &["", "", " out", " loop"]);
                block = match dice.below(5) {
                    0 => format!("(if (less n 12) (then {inner}))"),
                    kind => format!("({}{label} {inner})", ["block", "loop"][kind % 2]),
                };
            }
            let others = [
                "(memory 4)",
                "(custom block (loop (block (loop (block (loop))))))",
                "(func loop (param n) (block out (loop (drop n)) (br out)))",
                "(export walk block)",
            ];
            let mut parts = extras(dice, &others);
            let name = one(dice, &["walk", "block", "run-2"]);
            parts.push(format!("(func {name} (param n)\n  {block})"));
            format!("(module {})\n", shuffled(dice, parts).join("\n  "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: http: compression: an answer with a Content-Encoding of br or zstd",
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK br\r\nServer: zstd/1.5\r\nContent-Type: text/plain\r\n",
            "X-Content-Encoding: br\r\nVary: Accept-Encoding, br\r\n",
            "Content-Encoding: gzip, zstd\r\nConnection: close\r\n",
            "Link: </br.css>; rel=preload\r\nContent-Language: br\r\n\r\n",
            "Content-Encoding: br\nbr or zstd\n"
        ),
        valid: |input| encodings(input).is_some(),
        fails: |input| {
            let all = encodings(input).unwrap_or_default();
            all.iter().any(|one| ["br", "zstd"].contains(one))
        },
        draw: |dice| {
            let others = [
                "Server: zstd/1.5\r\n",
                "X-Content-Encoding: br\r\n",
                "Vary: Accept-Encoding, br\r\n",
                "Connection: close\r\n",
                "Content-Language: br\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push("Content-Type: text/plain\r\n".to_owned());
            if chance(dice, 88) {
                let known = ["gzip", "deflate", "identity", "compress", "x-br", "zstd-2"];
                let mut all = picked(dice, &known, 2, 0);
                if chance(dice, 55) {
                    let at = dice.below(all.len());
                    all[at] = one(dice, &["br", "zstd"]).to_owned();
                }
                fields.push(format!("Content-Encoding: {}\r\n", all.join(", ")));
            }
            let status = one(dice, &["200 OK", "200 OK br", "404 Not Found", "206 Partial"]);
            let body = one(dice, &["", "Content-Encoding: br\n", "br or zstd\n", "owl\n"]);
            format!("HTTP/1.1 {status}\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
];
