//! Causes in four formats: XML, JavaScript, SQL and sexp.

use crate::draws::{are_negative_and_fine, chance, extras, figure, has_twins, picked, steps};
use crate::readers::{are_in_order, is_shown, number, signed_decimals};
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::formats::{Node, nodes};
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The numbers of the points of each polygon in a drawing: whether each is negative, and how many
/// decimals it has.
fn polygons(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let schema = Schema {
        root: "svg",
        may_have: |outer, kind| match outer {
            "svg" | "g" => ["g", "polygon", "polyline", "circle", "text"].contains(&kind),
            _ => false,
        },
        with_text: &["text"],
        is_text: |text| is_shown(text.trim()),
        has_remarks: true,
    };
    let mut found = Vec::new();
    for (kind, pairs) in elements(input, &schema)? {
        if ["polygon", "polyline"].contains(&kind) {
            let (_, points) = pairs.iter().find(|(key, _)| *key == "points")?;
            let mut numbers = Vec::new();
            for point in points.split(' ') {
                let (x, y) = point.split_once(',')?;
                numbers.extend([signed_decimals(x)?, signed_decimals(y)?]);
            }
            if kind == "polygon" {
                found.push(numbers);
            }
        }
    }
    Some(found)
}

/// The words that are no names in a script.
const KEYWORDS: [&str; 6] = ["class", "const", "extends", "new", "return", "function"];

/// Whether a token is a name in a script.
fn is_free(token: &str) -> bool {
    is_variable(token) && !KEYWORDS.contains(&token)
}

/// What comes after the expression at the start of some tokens: a value, or a name with members and
/// calls.
fn expression<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let rest = all.strip_prefix(&["new"]).unwrap_or(all);
    let (first, mut rest) = rest.split_first()?;
    if all.len() == rest.len() + 1 && (is_text(first) || number(first).is_some()) {
        return Some(rest);
    }
    is_free(first).then_some(())?;
    loop {
        rest = match rest {
            [".", name, after @ ..] if is_free(name) => after,
            ["(", ")", after @ ..] => after,
            ["(", after @ ..] => {
                let mut after = expression(after)?;
                while let [",", next @ ..] = after {
                    after = expression(next)?;
                }
                after.strip_prefix(&[")"])?
            }
            _ => return Some(rest),
        }
    }
}

/// What comes after the statement at the start of some tokens.
fn statement<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let rest = match all {
        ["const", name, "=", after @ ..] if is_free(name) => expression(after)?,
        ["return", after @ ..] => expression(after)?,
        _ => match expression(all)? {
            ["=", after @ ..] => expression(after)?,
            after => after,
        },
    };
    rest.strip_prefix(&[";"])
}

/// The methods of each class of a script.
fn methods(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["class", name, after @ ..] if is_free(name) => match after {
                ["extends", other, "{", after @ ..] if is_free(other) => after,
                ["{", after @ ..] => after,
                _ => return None,
            },
            _ => {
                rest = statement(rest)?;
                continue;
            }
        };
        let mut names = Vec::new();
        while rest.first() != Some(&"}") {
            let [name, "(", after @ ..] = rest else { return None };
            let size = after.iter().position(|token| *token == ")")?;
            let are_free = |part: &&[&str]| matches!(part, [name] if is_free(name));
            let are_right = size == 0 || comma_parts(&after[..size]).iter().all(are_free);
            let is_new = *name != "constructor" || names.iter().all(|other| other != name);
            names.push(Some(name.to_string()).filter(|_| is_free(name) && are_right && is_new)?);
            let [")", "{", body @ ..] = &after[size..] else { return None };
            rest = body;
            while rest.first() != Some(&"}") {
                rest = statement(rest)?;
            }
            rest = &rest[1..];
        }
        found.push(names);
        rest = &rest[1..];
    }
    Some(found)
}

/// The words that are no names in a query.
const SQL_KEYWORDS: [&str; 10] =
    ["insert", "into", "values", "update", "set", "where", "delete", "select", "from", "null"];

/// The kinds of the statements of a script, in small letters. Keywords may be in capitals.
fn kinds(input: &str) -> Option<Vec<String>> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let is_free = |token: &str| is_variable(token) && !SQL_KEYWORDS.contains(&token);
    let is_value = |token: &str| is_text(token) || number(token).is_some() || token == "null";
    let is_row =
        |all: &[&str]| comma_parts(all).iter().all(|part| matches!(part, [one] if is_value(one)));
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        let rest = match statement {
            ["insert", "into", table, "values", "(", row @ .., ")"] if is_row(row) => {
                is_free(table).then_some(&[][..])?
            }
            ["update", table, "set", column, "=", value, rest @ ..] => {
                (is_free(table) && is_free(column) && is_value(value)).then_some(rest)?
            }
            ["delete", "from", table, rest @ ..] if is_free(table) => rest,
            ["select", "*", "from", table, rest @ ..] if is_free(table) => rest,
            _ => return None,
        };
        match rest {
            [] => {}
            ["where", column, "=" | "<" | ">", value] => {
                (is_free(column) && is_value(value)).then_some(())?;
            }
            _ => return None,
        }
        found.push(statement[0].to_owned());
    }
    Some(found)
}

/// How deep foralls and exists are in each other in a formula.
fn formula_depth(node: &Node) -> Option<usize> {
    let Node::List(parts) = node else { return Some(0) };
    let [Node::Atom(kind), inner @ ..] = &parts[..] else { return None };
    if !["forall", "exists"].contains(kind) {
        let depths = inner.iter().map(formula_depth).collect::<Option<Vec<usize>>>()?;
        return Some(depths.into_iter().max().unwrap_or(0));
    }
    let [Node::List(variables), formula] = inner else { return None };
    let is_variable = |node: &Node| match node {
        Node::List(pair) => matches!(&pair[..], [Node::Atom(_), Node::Atom(_)]),
        Node::Atom(_) => false,
    };
    let are_right = !variables.is_empty() && variables.iter().all(is_variable);
    formula_depth(formula).filter(|_| are_right).map(|depth| depth + 1)
}

/// How deep foralls and exists are in each other in each assertion of a problem.
fn assertions(input: &str) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for node in &nodes(input)? {
        let Node::List(parts) = node else { return None };
        match &parts[..] {
            [Node::Atom("assert"), formula] => found.push(formula_depth(formula)?),
            [Node::Atom("set-logic" | "declare-const" | "define-fun" | "check-sat"), ..] => {}
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "thirty-seventh: xml: svg: a polygon whose points have a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@xml",
        input: concat!(
            "<svg width=\"120\" height=\"80.125\">\n  <!-- -4 0.125 -->\n  <text x=\"-4\">-2 0.375</text>\n",
            "  <polyline points=\"-4,0.125 12,3\"/>\n  <polygon points=\"0,4.625 12,80 40.125,7\"/>\n",
            "  <g id=\"owl -4\">\n    <circle cx=\"-1.125\" r=\"4\"/>\n    <polygon fill=\"red\" ",
            "points=\"-12,4 0.5,31.25\"/>\n    <polygon points=\"7,12 0.5,-3.25 18.375,4\" ",
            "id=\"beak\"/>\n  </g>\n</svg>\n"
        ),
        valid: |input| polygons(input).is_some(),
        fails: |input| {
            polygons(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "<!-- -4 0.125 -->",
                "<text x=\"-4\">-2 0.375</text>",
                "<polyline points=\"-4,0.125 12,3\"/>",
                "<circle cx=\"-1.125\" r=\"4\"/>",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let count = 1 + dice.below(3);
                let points = joined(dice, count, " ", |dice| joined(dice, 2, ",", figure));
                let mut pairs = extras(dice, &[" id=\"owl -4\"", " fill=\"red\"", " x=\"0.125\""]);
                pairs.push(format!(" points=\"{points}\""));
                let polygon = format!("<polygon{}/>", shuffled(dice, pairs).concat());
                parts.push(match chance(dice, 25) {
                    true => format!("<g id=\"beak\">{polygon}</g>"),
                    false => polygon,
                });
            }
            let parts = shuffled(dice, parts).join(one(dice, &["", "\n  "]));
            let height = one(dice, &["80", "80.125"]);
            format!("<svg width=\"120\" height=\"{height}\">{parts}</svg>\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: javascript: classes: a class with two methods of the same name",
        grammar: "@javascript",
        input: concat!(
            "// open() { } open() { }\nconst open = \"open\";\nclass Door {\n  constructor(name) {\n",
            "    this.name = name;\n  }\n  open() { this.open(4); log(\"open\"); }\n  Open(far) { }\n}\n",
            "class Gate extends Door {\n  open() { }\n  lock(key, open) { this.key = key; }\n",
            "  close() { return this.lock(open); }\n  lock() { beep(2); beep(2); }\n}\n",
            "const gate = new Gate(\"lock\");\ngate.lock();\ngate.lock();\n"
        ),
        valid: |input| methods(input).is_some(),
        fails: |input| methods(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "// open() { } open() { }",
                "const open = \"open\";",
                "gate.lock(); gate.lock();",
                "const gate = new Gate(\"lock\");",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let others = ["constructor(name) { this.name = name; }", "// lock() { }"];
                let mut inner = extras(dice, &others);
                let known = ["open", "Open", "close", "lock", "open_all", "toggle"];
                for name in picked(dice, &known, 4, 30) {
                    let known = [
                        "",
                        "this.open(4); log(\"open\"); ",
                        "return this.lock(open); ",
                        "beep(2); beep(2); ",
                    ];
                    let body = one(dice, &known);
                    let parameters = one(dice, &["", "", "key", "key, open"]);
                    inner.push(format!("{name}({parameters}) {{ {body}}}"));
                }
                let name = one(dice, &["Door", "Gate extends Door", "lock"]);
                let inner = shuffled(dice, inner).join("\n  ");
                parts.push(format!("class {name} {{\n  {inner}\n}}"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: sql: nightly: a script with an INSERT, then an UPDATE, and then a ",
            "DELETE"
        ),
        grammar: "@sql",
        input: concat!(
            "-- INSERT, UPDATE, DELETE\nDELETE FROM update_log WHERE age > 90;\n",
            "UPDATE birds SET state = 'insert' WHERE id = 4;\nSELECT * FROM inserts;\n",
            "INSERT INTO nests VALUES (4, 'delete; update', NULL);\nDELETE FROM eggs;\n",
            "UPDATE nests SET height = 12;\nSELECT * FROM birds WHERE note = 'delete';\n",
            "DELETE FROM nests WHERE tree = 'ash';\nINSERT INTO deletes VALUES (7);\n"
        ),
        valid: |input| kinds(input).is_some(),
        fails: |input| {
            kinds(input).is_some_and(|all| {
                let all: Vec<&str> = all.iter().map(|kind| &kind[..]).collect();
                are_in_order(&all, &["insert", "update", "delete"])
            })
        },
        draw: |dice| {
            let others = ["SELECT", "SELECT", "INSERT", "UPDATE", "DELETE"];
            let mut kinds = steps(dice, ["INSERT", "UPDATE", "DELETE"], &others);
            if chance(dice, 20) {
                kinds.remove(dice.below(kinds.len()));
            }
            let mut text = extras(dice, &["-- INSERT, UPDATE, DELETE\n"]).concat();
            for kind in kinds {
                let table = one(dice, &["birds", "nests", "update_log", "inserts", "deletes"]);
                let known = ["", "", " WHERE note = 'delete'", " WHERE age > 90"];
                let end = one(dice, &known);
                text += &match kind {
                    "INSERT" => {
                        let row = one(dice, &["4, 'delete; update', NULL", "7", "'ash', 12"]);
                        format!("INSERT INTO {table} VALUES ({row});\n")
                    }
                    "UPDATE" => {
                        let pair = one(dice, &["state = 'insert'", "height = 12"]);
                        format!("UPDATE {table} SET {pair}{end};\n")
                    }
                    "DELETE" => format!("DELETE FROM {table}{end};\n"),
                    _ => format!("SELECT * FROM {table}{end};\n"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: sexp: smt: foralls and exists of an assertion in each other, five ",
            "deep or more"
        ),
        grammar: "@sexp",
        input: concat!(
            "(set-logic forall)\n(declare-const owl int)\n",
            "(define-fun deep ((n int)) bool (forall ((a int)) (exists ((b int)) (less a b))))\n",
            "(assert (and (less 4 owl) (not (not (not (not (not (exists ((x int)) (less x 12)))))))))\n",
            "(assert (forall ((x int) (y int)) (or (less x y)\n  (exists ((z int)) (exists ((u int)) ",
            "(not (forall ((v int))\n    (and (less u 4) (forall ((w int)) (less w v)) (less z owl)))))))))\n",
            "(check-sat)\n"
        ),
        valid: |input| assertions(input).is_some(),
        fails: |input| assertions(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves =
                ["(less owl 4)", "(not (less x 12))", "owl", "(exists ((x int)) (less x 12))"];
            let mut formula = one(dice, &leaves).to_owned();
            for _ in 0..3 + dice.below(6) {
                formula = match dice.below(5) {
                    0 => format!("(not {formula})"),
                    kind => {
                        let mut inner = extras(dice, &leaves);
                        inner.truncate(2);
                        inner.push(formula);
                        let count = inner.len();
                        let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n    "]));
                        let inner = match count {
                            1 => inner,
                            _ => format!("({} {inner})", one(dice, &["and", "or"])),
                        };
                        let variables = one(dice, &["(x int)", "(u int)", "(x int) (y bool)"]);
                        format!("({} ({variables}) {inner})", ["forall", "exists"][kind % 2])
                    }
                };
            }
            let others = [
                "(set-logic forall)",
                "(declare-const owl int)",
                "(define-fun deep ((n int)) bool (forall ((a int)) (exists ((b int)) (less a b))))",
                "(assert (not (not (not (not (not (exists ((x int)) (less x 12))))))))",
                "(check-sat)",
            ];
            let mut parts = extras(dice, &others);
            parts.push(format!("(assert {formula})"));
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
];
