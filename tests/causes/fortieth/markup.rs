//! Causes in four formats: XML, JavaScript, sexp and SQL.

use crate::draws::{are_negative_and_fine, chance, extras, figure, has_twins, picked, steps};
use crate::readers::{are_in_order, is_name, is_shown, number, signed_decimals};
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::formats::Node;
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The tasks of each target of a build.
fn targets(input: &str) -> Option<Vec<Vec<&str>>> {
    let schema = Schema {
        root: "project",
        may_have: |outer, kind| match outer {
            "project" => ["property", "target"].contains(&kind),
            "target" => ["copy", "chmod", "zip", "mkdir", "echo", "delete"].contains(&kind),
            "copy" | "chmod" | "zip" => kind == "fileset",
            _ => false,
        },
        with_text: &["echo"],
        is_text: is_shown,
        has_remarks: true,
    };
    let mut found: Vec<Vec<&str>> = Vec::new();
    for (kind, pairs) in elements(input, &schema)? {
        match kind {
            "target" => {
                pairs.iter().any(|(key, _)| *key == "name").then(|| found.push(Vec::new()))?;
            }
            "project" | "property" | "fileset" => {}
            _ => found.last_mut()?.push(kind),
        }
    }
    Some(found)
}

/// The words that are no names in a script.
const KEYWORDS: [&str; 8] = ["const", "let", "function", "new", "return", "null", "true", "export"];

/// Whether a token is a name in a script.
fn is_free(token: &str) -> bool {
    is_variable(token) && !KEYWORDS.contains(&token)
}

/// What comes after the value at the start of some tokens. The keys of each object are found.
fn value<'a, 't>(all: &'a [&'t str], found: &mut Vec<Vec<&'t str>>) -> Option<&'a [&'t str]> {
    let (first, after) = all.split_first()?;
    match *first {
        "[" => values(after, "]", found),
        "{" => {
            let (mut rest, mut keys) = (after, Vec::new());
            while rest.first() != Some(&"}") {
                let [key, ":", after @ ..] = rest else { return None };
                keys.push(Some(*key).filter(|key| is_free(key))?);
                let after = value(after, found)?;
                let is_last = after.first() == Some(&"}");
                rest = if is_last { after } else { after.strip_prefix(&[","])? };
            }
            found.push(keys);
            Some(&rest[1..])
        }
        one if is_text(one) || number(one).is_some() => Some(after),
        "true" | "null" => Some(after),
        name if is_free(name) => match after {
            ["(", inner @ ..] => values(inner, ")", found),
            _ => Some(after),
        },
        _ => None,
    }
}

/// What comes after the values at the start of some tokens, with commas between them, and the bracket that
/// ends them.
fn values<'a, 't>(
    all: &'a [&'t str],
    end: &str,
    found: &mut Vec<Vec<&'t str>>,
) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while *rest.first()? != end {
        let after = value(rest, found)?;
        let is_last = *after.first()? == end;
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    Some(&rest[1..])
}

/// The keys of each object of a script.
fn objects(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let after = match rest {
            ["const" | "let", name, "=", after @ ..] if is_free(name) => value(after, &mut found)?,
            [name, "(", ..] if is_free(name) => value(rest, &mut found)?,
            _ => return None,
        };
        rest = after.strip_prefix(&[";"])?;
    }
    let owned = found.into_iter().map(|keys| keys.into_iter().map(str::to_owned).collect());
    Some(owned.collect())
}

/// The lists and atoms of a text. Atoms are names and numbers.
fn parts(input: &str) -> Option<Vec<Node<'_>>> {
    let mut open = vec![Vec::new()];
    for token in tokens(input, "-_.")? {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Node::List(list));
            }
            _ => {
                let is_atom = is_name(token) || signed_decimals(token).is_some();
                open.last_mut()?.push(is_atom.then_some(Node::Atom(token))?);
            }
        }
    }
    let all = open.pop()?;
    open.is_empty().then_some(all)
}

/// Where each pad of some footprints is (at): whether each number is negative, and how many decimals it has.
fn pads(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut found = Vec::new();
    for footprint in parts(input)? {
        let Node::List(footprint) = footprint else { return None };
        let [Node::Atom("footprint"), Node::Atom(_), parts @ ..] = &footprint[..] else {
            return None;
        };
        for part in parts {
            let Node::List(part) = part else { return None };
            let [Node::Atom(kind), rest @ ..] = &part[..] else { return None };
            if *kind != "pad" {
                continue;
            }
            let [Node::Atom(_), details @ ..] = rest else { return None };
            let mut at = None;
            for detail in details {
                let Node::List(detail) = detail else { return None };
                let [Node::Atom(key), numbers @ ..] = &detail[..] else { return None };
                if *key == "at" {
                    let numbers = numbers.iter().map(|number| match number {
                        Node::Atom(number) => signed_decimals(number),
                        Node::List(_) => None,
                    });
                    let numbers: Vec<(bool, usize)> = numbers.collect::<Option<_>>()?;
                    let is_right = at.is_none() && (2..=3).contains(&numbers.len());
                    at = is_right.then_some(Some(numbers))?;
                }
            }
            found.push(at?);
        }
    }
    Some(found)
}

/// The keywords of SQL that the statements have.
const SQL_KEYWORDS: [&str; 9] =
    ["insert", "into", "values", "select", "from", "where", "null", "delete", "order"];

/// The columns that each INSERT names, if it names some. Keywords may be in capitals.
fn columns(input: &str) -> Option<Vec<Vec<String>>> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let is_free = |token: &str| is_variable(token) && !SQL_KEYWORDS.contains(&token);
    let is_value = |token: &str| is_text(token) || number(token).is_some() || token == "null";
    let are_free =
        |all: &[&str]| comma_parts(all).iter().all(|part| matches!(part, [name] if is_free(name)));
    let are_values =
        |all: &[&str]| comma_parts(all).iter().all(|part| matches!(part, [one] if is_value(one)));
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        match statement {
            ["insert", "into", table, "values", "(", inner @ .., ")"] if is_free(table) => {
                are_values(inner).then_some(())?;
            }
            ["insert", "into", table, "(", inner @ .., ")"] if is_free(table) => {
                let size = inner.iter().position(|token| *token == ")")?;
                let (names, [")", "values", "(", values @ ..]) = inner.split_at(size) else {
                    return None;
                };
                let names_of = comma_parts(names);
                let is_full = names_of.len() == comma_parts(values).len();
                (is_full && are_free(names) && are_values(values)).then_some(())?;
                found.push(names_of.iter().map(|part| part[0].to_owned()).collect());
            }
            ["select", names @ .., "from", table] => {
                (is_free(table) && are_free(names)).then_some(())?;
            }
            ["delete", "from", table, "where", key, "=", value] => {
                (is_free(table) && is_free(key) && is_value(value)).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "fortieth: xml: ant: a target with a copy, then a chmod, and then a zip",
        grammar: "@xml",
        input: concat!(
            "<project name=\"copy\" default=\"zip\">\n  <property name=\"chmod\" value=\"755\"/>\n",
            "  <target name=\"copy\">\n    <zip destfile=\"owl.zip\"/>\n    <copy todir=\"out\"/>\n",
            "    <chmod file=\"owl.sh\" perm=\"755\"/>\n  </target>\n  <!-- copy, chmod, zip -->\n",
            "  <target name=\"dist\" depends=\"copy\">\n    <mkdir dir=\"zip\"/>\n    <copy todir=\"out\">\n",
            "      <fileset dir=\"src\"/>\n    </copy>\n    <echo>then zip</echo>\n    <delete dir=\"tmp\"/>\n",
            "    <chmod dir=\"out\" perm=\"644\"/>\n    <copy file=\"a\"/>\n    <zip destfile=\"dist.zip\"/>\n",
            "  </target>\n</project>\n"
        ),
        valid: |input| targets(input).is_some(),
        fails: |input| {
            let all = targets(input).unwrap_or_default();
            all.iter().any(|tasks| are_in_order(tasks, &["copy", "chmod", "zip"]))
        },
        draw: |dice| {
            let others = [
                "<property name=\"chmod\" value=\"755\"/>",
                "<!-- copy, chmod, zip -->",
                "<target name=\"zip\"/>",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let others = ["mkdir", "echo", "delete", "copy", "chmod", "zip"];
                let mut tasks = steps(dice, ["copy", "chmod", "zip"], &others);
                if chance(dice, 50) {
                    tasks.remove(dice.below(tasks.len()));
                }
                let tasks: Vec<&str> = tasks
                    .into_iter()
                    .map(|task| match task {
                        "copy" => one(
                            dice,
                            &[
                                "<copy file=\"a\"/>",
                                "<copy todir=\"out\"><fileset dir=\"src\"/></copy>",
                            ],
                        ),
                        "chmod" => {
                            one(dice, &["<chmod file=\"owl.sh\" perm=\"755\"/>", "<chmod/>"])
                        }
                        "zip" => one(dice, &["<zip destfile=\"owl.zip\"/>", "<zip/>"]),
                        "mkdir" => "<mkdir dir=\"zip\"/>",
                        "echo" => one(dice, &["<echo>then zip</echo>", "<echo>copy</echo>"]),
                        _ => "<delete dir=\"tmp\"/>",
                    })
                    .collect();
                let name = one(dice, &["copy", "dist", "all"]);
                let tasks = tasks.join(one(dice, &["", "\n    "]));
                parts.push(format!("<target name=\"{name}\">{tasks}</target>"));
            }
            let parts = shuffled(dice, parts).join("\n  ");
            format!("<project name=\"{}\">\n  {parts}\n</project>\n", one(dice, &["copy", "owl"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: javascript: options: an object with two keys of the same name",
        grammar: "@javascript",
        input: concat!(
            "// { size: 4, size: 4 }\nconst size = \"size: 4, size: 4\";\nlet owls = { size: 4, color: \"red\" };\n",
            "start({ size: 12, Size: 2, door: { size: 1, color: null } }, { size: 7 });\n",
            "const nest = [{ color: 4 }, { color: 4 }, [\"size\", \"size\"]];\nplace(size, size);\n",
            "draw(\"nest\", {\n  width: 40, // color: 2\n  color: size,\n  inner: { width: 3 },\n  eggs: [4, 4],\n",
            "  width: load(size),\n});\nlet none = {};\n"
        ),
        valid: |input| objects(input).is_some(),
        fails: |input| objects(input).is_some_and(|all| all.iter().any(|keys| has_twins(keys))),
        draw: |dice| {
            let others = [
                "// { size: 4, size: 4 }",
                "const size = \"size: 4, size: 4\";",
                "place(size, size);",
                "const nest = [{ color: 4 }, { color: 4 }];",
                "let none = {};",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["size", "color", "width", "Size", "size_2", "eggs"];
                let mut pairs = picked(dice, &known, 4, 28);
                for pair in &mut pairs {
                    let known = ["4", "\"red\"", "size", "[4, 4]", "{ size: 1 }", "load(size)"];
                    *pair = format!("{pair}: {}", one(dice, &known));
                }
                let pairs = pairs.join(one(dice, &[", ", ", ", ",\n  "]));
                let object = format!("{{ {pairs}{} }}", one(dice, &["", ","]));
                parts.push(match dice.below(4) {
                    0 => format!("let owls = {object};"),
                    1 => format!("draw(\"nest\", {object});"),
                    2 => format!("start({object}, {{ size: 7 }});"),
                    _ => format!("const all = [{object}, {{ color: 2 }}];"),
                });
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: sexp: board: a pad whose place (at) has a negative number and one of exactly ",
            "three decimals"
        ),
        grammar: "@sexp",
        input: concat!(
            "(footprint owl\n  (at -40 0.125 90)\n  (pad 1 (at 1.27 0.625) (size 0.5 -1.125))\n",
            "  (line (start -1 0.375) (end 2 4))\n  (pad 2 (net -4) (at -1.5 2.54 90)))\n",
            "(footprint at\n  (layer top)\n  (pad 1 (size 1.25 2)\n    (at 3.125 -0.75))\n",
            "  (pad 4 (drill 0.875) (at 12 0 -90)))\n(footprint none)\n"
        ),
        valid: |input| pads(input).is_some(),
        fails: |input| {
            pads(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let mut footprints = extras(dice, &["(footprint none)"]);
            for _ in 0..1 + dice.below(2) {
                let others =
                    ["(at -40 0.125 90)", "(line (start -1 0.375) (end 2 4))", "(layer top)"];
                let mut parts = extras(dice, &others);
                for pad in 0..1 + dice.below(2) {
                    let count = 2 + dice.below(2);
                    let at = joined(dice, count, " ", figure);
                    let others = ["(size 0.5 -1.125)", "(net -4)", "(drill 0.875)"];
                    let mut details = extras(dice, &others);
                    details.push(format!("(at {at})"));
                    let details = shuffled(dice, details).join(one(dice, &[" ", "\n    "]));
                    parts.push(format!("(pad {} {details})", pad + 1));
                }
                let name = one(dice, &["owl", "at", "so-8"]);
                let parts = shuffled(dice, parts).join("\n  ");
                footprints.push(format!("(footprint {name}\n  {parts})"));
            }
            shuffled(dice, footprints).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: sql: imports: an INSERT that names the same column twice",
        grammar: "@sql",
        input: concat!(
            "-- INSERT INTO owls (id, id) VALUES (4, 4);\nINSERT INTO owls (id, name) VALUES (4, 'name, name');\n",
            "SELECT id, id FROM owls;\nINSERT INTO nests VALUES (7, 7);\n",
            "insert into nests (tree, id, name_2, id) values ('oak', 12, NULL, 12);\n",
            "DELETE FROM owls WHERE id = 4;\nINSERT INTO eggs (id) VALUES (1);\n",
            "INSERT INTO eggs (name, id)\nVALUES (NULL, NULL);\n"
        ),
        valid: |input| columns(input).is_some(),
        fails: |input| columns(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "-- INSERT INTO owls (id, id) VALUES (4, 4);",
                "SELECT id, id FROM owls;",
                "INSERT INTO nests VALUES (7, 7);",
                "DELETE FROM owls WHERE id = 4;",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["id", "name", "tree", "name_2", "ids", "size"];
                let names = picked(dice, &known, 5, 28);
                let values = joined(dice, names.len(), ", ", |dice| {
                    one(dice, &["4", "'oak'", "NULL", "12", "'id, id'"]).to_owned()
                });
                let [insert, into] =
                    [["INSERT INTO", "VALUES"], ["insert into", "values"]][dice.below(4) / 3];
                let table = one(dice, &["owls", "nests", "eggs"]);
                let names = names.join(", ");
                let gap = one(dice, &[" ", " ", "\n"]);
                parts.push(format!("{insert} {table} ({names}){gap}{into} ({values});"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
];
