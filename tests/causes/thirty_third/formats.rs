//! Causes in four formats: CSV, INI, URL and sexp.

use super::tokens;
use crate::draws::{are_uneven, chance, counted, extras, has_twins, lengths, picked, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The events of a log of machines.
fn events(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "time,unit,event,note").then_some(())?;
    let events = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [time, unit, event, note] = cells[..] else { return None };
        let are_right = is_digits(time) && is_shown(note) && !note.contains('"');
        (are_right && is_name(unit) && is_name(event)).then_some(event)
    });
    events.collect()
}

/// The stops of each bus line.
fn bus_lines(input: &str) -> Option<Vec<Vec<&str>>> {
    let all = sections(input)?;
    let mut found = Vec::new();
    for (_, pairs) in &all[1..] {
        let (_, stops) = pairs.iter().find(|(key, _)| *key == "stops")?;
        let stops: Vec<&str> = stops.split(',').map(|stop| stop.trim_matches(' ')).collect();
        found.push(Some(stops).filter(|stops| stops.iter().all(|stop| is_name(stop)))?);
    }
    Some(found)
}

/// The limit of a search, and how many tags it asks for.
fn search(input: &str) -> Option<(u32, usize)> {
    let rest = input.strip_prefix("https://").or(input.strip_prefix("http://"))?;
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (place, query) = rest.split_once('?')?;
    let (host, path) = place.split_once('/')?;
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-._/+,".contains(c);
    (host.split('.').all(is_name) && path.chars().all(is_inside)).then_some(())?;
    let (mut limit, mut tags, mut keys) = (None, None, Vec::new());
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=')?;
        keys.push(Some(key).filter(|key| is_name(key) && value.chars().all(is_inside))?);
        match key {
            "limit" => limit = Some(number(value)?),
            "tags" => {
                let all: Vec<&str> = value.split(',').collect();
                tags = Some(all.len()).filter(|_| all.iter().all(|tag| is_name(tag)));
            }
            _ => {}
        }
    }
    (!has_twins(&keys)).then_some((limit?, tags?))
}

/// A list or an atom.
pub enum Node<'t> {
    /// A name or a number.
    Atom(&'t str),
    /// What is between two brackets.
    List(Vec<Node<'t>>),
}

/// The lists and atoms of a text.
pub fn nodes(input: &str) -> Option<Vec<Node<'_>>> {
    let mut open = vec![Vec::new()];
    for token in tokens(input, "-_")? {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Node::List(list));
            }
            _ if is_name(token) || number(token).is_some() => {
                open.last_mut()?.push(Node::Atom(token));
            }
            _ => return None,
        }
    }
    let all = open.pop()?;
    open.is_empty().then_some(all)
}

/// How many knots the rows of each rug have.
fn rugs(input: &str) -> Option<Vec<Vec<usize>>> {
    let [Node::List(all)] = &nodes(input)?[..] else { return None };
    let [Node::Atom("weaver"), parts @ ..] = &all[..] else { return None };
    let mut found = Vec::new();
    for part in parts {
        let Node::List(part) = part else { return None };
        let [Node::Atom(kind), rest @ ..] = &part[..] else { return None };
        if *kind != "rug" {
            continue;
        }
        let [Node::Atom(_), details @ ..] = rest else { return None };
        let mut rows = Vec::new();
        for detail in details {
            let Node::List(detail) = detail else { return None };
            let [Node::Atom(kind), knots @ ..] = &detail[..] else { return None };
            if *kind == "row" {
                let are_atoms = knots.iter().all(|knot| matches!(knot, Node::Atom(_)));
                are_atoms.then(|| rows.push(knots.len()))?;
            }
        }
        found.push(rows);
    }
    Some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-third: csv: a log with a charge, then a fault, and then a reset",
        grammar: "@csv",
        input: concat!(
            "time,unit,event,note\n601,cart-2,fault,charge then fault\n615,charge,start,\n",
            "640,cart-2,charge,bay 4\n655,fault,move,reset\n702,cart-1,reset,ok\n",
            "710,cart-2,fault,no grip\n715,reset,park,fault\n730,cart-1,reset,by Ada\n",
            "744,cart-2,charge,\n"
        ),
        valid: |input| events(input).is_some(),
        fails: |input| {
            events(input).is_some_and(|all| are_in_order(&all, &["charge", "fault", "reset"]))
        },
        draw: |dice| {
            let mut text = "time,unit,event,note\n".to_owned();
            let others = ["start", "move", "park", "charge", "reset", "recharge"];
            let mut time = 600;
            for event in steps(dice, ["charge", "fault", "reset"], &others) {
                time += 1 + dice.below(30);
                let unit = one(dice, &["cart-1", "cart-2", "fault", "reset"]);
                let note = one(dice, &["", "ok", "bay 4", "charge then fault", "reset"]);
                text += &format!("{time},{unit},{event},{note}\n");
            }
            if chance(dice, 20) {
                text.pop();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: ini: a bus line that lists the same stop twice",
        grammar: "@ini",
        input: concat!(
            "city=Owl Bay\nfree=mill,mill\n\n[line-2]\nstops=pier, mill, fort\nskips=mill, mill\n\n",
            "[line-7]\nname=mill, mill\nstops=lake, mill, pier, hall, mill, fort\nnight=yes\n\n",
            "[mill]\nnight=no\nbuses=4,4,9\nstops=lake\n"
        ),
        valid: |input| bus_lines(input).is_some(),
        fails: |input| bus_lines(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let start = extras(dice, &["city=Owl Bay\n", "free=mill,mill\n", "\n"]).concat();
            let mut lines = picked(dice, &["line-2", "line-7", "line-9", "mill"], 3, 0);
            for line in &mut lines {
                let known = ["pier", "mill", "mills", "fort", "lake", "hall", "mill-2"];
                let by = one(dice, &[",", ", "]);
                let stops = picked(dice, &known, 5, 34).join(by);
                let others =
                    ["skips=mill, mill\n", "name=mill, mill\n", "night=yes\n", "buses=4,4,9\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("stops={stops}\n"));
                *line = format!("[{line}]\n{}", shuffled(dice, pairs).concat());
            }
            format!("{start}{}", lines.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: url: a search with exactly as many tags as its limit",
        grammar: "@url",
        input: concat!(
            "https://photos.owl.example/find/3?q=red+owl&sizes=1,2,4&page=12&tags=night,snow,barn&",
            "lang=en,de&limit=3&skip-tags=city,car&sort=date&min-limit=2#tags=a,b&limit=4"
        ),
        valid: |input| search(input).is_some(),
        fails: |input| search(input).is_some_and(|(limit, count)| limit as usize == count),
        draw: |dice| {
            let others = [
                "q=red+owl",
                "sizes=1,2,4",
                "lang=en,de",
                "skip-tags=city,car",
                "sort=date",
                "min-limit=2",
            ];
            let mut pairs = extras(dice, &others);
            let tags =
                picked(dice, &["night", "snow", "barn", "owl", "lake", "old", "limit-4"], 6, 0);
            pairs.push(format!("limit={}", counted(dice, tags.len(), 50)));
            pairs.push(format!("tags={}", tags.join(",")));
            if chance(dice, 50) {
                pairs.push(format!("page={}", dice.below(9)));
            }
            let query = shuffled(dice, pairs).join("&");
            let host = joined(dice, 2, ".", |dice| format!("p{}", word(dice, 6)));
            let path = one(dice, &["", "find", "find/3"]);
            let end = one(dice, &["", "", "#top", "#tags=a,b&limit=2"]);
            format!("https://{host}/{path}?{query}{end}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: sexp: a rug whose rows do not all have the same number of knots",
        grammar: "@sexp",
        input: concat!(
            "(weaver (loom 4 row) (rug hill (row red blue) (row blue red) (fringe gold gold gold))\n",
            "  (box (row red) (row red blue) (row))\n  (rug row (size 3 4) (row red tan red)\n",
            "    (row tan gold) (row red tan gold) (fringe tan))\n",
            "  (rug plain (row tan)) (wool red 12) (rug soon))\n"
        ),
        valid: |input| rugs(input).is_some(),
        fails: |input| rugs(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "(loom 4 row)",
                "(box (row red) (row red blue) (row))",
                "(wool red 12)",
                "(rug soon)",
                "(rug plain (row tan))",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rug = format!("(rug {}", one(dice, &["hill", "lake", "row"]));
                rug += one(dice, &["", "", " (size 3 4)", " (fringe gold gold)"]);
                for length in lengths(dice, 1, 40) {
                    let row = joined(dice, length, "", |dice| {
                        one(dice, &[" red", " blue", " tan", " gold"]).to_owned()
                    });
                    rug += &format!(" (row{row})");
                }
                parts.push(rug + one(dice, &[")", ")", " (fringe tan))"]));
            }
            let by = one(dice, &[" ", "\n  "]);
            format!("(weaver {})\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
];
