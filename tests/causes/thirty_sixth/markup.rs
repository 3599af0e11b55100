//! Causes in four formats: XML, JavaScript, SQL and CSS.

use crate::draws::{chance, extras, foreign, has_twins, picked};
use crate::readers::{is_name, is_shown, number};
use crate::thirty_fourth::formats::is_style;
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// Whether each item of a feed has a guid.
fn have_guids(input: &str) -> Option<Vec<bool>> {
    let schema = Schema {
        root: "rss",
        may_have: |outer, kind| match outer {
            "rss" => kind == "channel",
            "channel" => ["title", "link", "item", "guide"].contains(&kind),
            "item" => ["title", "link", "guid", "enclosure", "guide"].contains(&kind),
            _ => false,
        },
        with_text: &["title", "link", "guid", "guide"],
        is_text: |text| is_shown(text.trim()),
        has_remarks: true,
    };
    let mut found = Vec::new();
    for (kind, _) in elements(input, &schema)? {
        match kind {
            "item" => found.push(false),
            // It can only be in the last item so far.
            "guid" => *found.last_mut()? = true,
            _ => {}
        }
    }
    Some(found)
}

/// What is in the function at the start of some tokens, and what comes after the call that it is given
/// to.
fn body<'a, 't>(all: &'a [&'t str]) -> Option<(&'a [&'t str], &'a [&'t str])> {
    let ["function", "(", ")", "{", rest @ ..] = all else { return None };
    let mut depth = 1;
    let size = rest.iter().position(|token| {
        depth += i32::from(*token == "{") - i32::from(*token == "}");
        depth == 0
    })?;
    Some((&rest[..size], rest[size..].strip_prefix(&["}", ")", ";"])?))
}

/// What comes after the expression at the start of some tokens: a value, or calls.
fn expression<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let (first, mut rest) = all.split_first()?;
    if is_text(first) || number(first).is_some() {
        return Some(rest);
    }
    let is_free = !["function", "const", "describe", "test"].contains(first);
    (is_free && is_variable(first)).then_some(())?;
    loop {
        rest = match rest {
            ["(", ")", after @ ..] => after,
            ["(", after @ ..] => {
                let mut after = expression(after)?;
                while let [",", next @ ..] = after {
                    after = expression(next)?;
                }
                after.strip_prefix(&[")"])?
            }
            [".", name, after @ ..] if is_variable(name) => after,
            _ => return Some(rest),
        }
    }
}

/// Whether some tokens are expressions, each with a semicolon after it.
fn are_calls(all: &[&str]) -> Option<()> {
    let mut rest = all;
    while !rest.is_empty() {
        rest = expression(rest)?.strip_prefix(&[";"])?;
    }
    Some(())
}

/// The names of the tests in some statements. Those in each group of them (describe) are found, too.
fn group<'t>(all: &[&'t str], found: &mut Vec<Vec<&'t str>>) -> Option<Vec<&'t str>> {
    let (mut rest, mut names) = (all, Vec::new());
    while !rest.is_empty() {
        rest = match rest {
            ["describe", "(", name, ",", after @ ..] if is_text(name) => {
                let (inner, after) = body(after)?;
                let inner = group(inner, found)?;
                found.push(inner);
                after
            }
            ["test", "(", name, ",", after @ ..] if is_text(name) => {
                let (inner, after) = body(after)?;
                are_calls(inner)?;
                names.push(*name);
                after
            }
            ["before", "(", after @ ..] => {
                let (inner, after) = body(after)?;
                are_calls(inner).map(|()| after)?
            }
            ["const", after @ ..] => {
                let ["=", after @ ..] = expression(after)? else { return None };
                expression(after)?.strip_prefix(&[";"])?
            }
            _ => expression(rest)?.strip_prefix(&[";"])?,
        };
    }
    Some(names)
}

/// The names of the tests in each group. None is outside of all groups.
fn test_names(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "//");
    let mut found = Vec::new();
    group(&tokens(&text, "_")?, &mut found)?.is_empty().then_some(())?;
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Some(found.into_iter().map(owned).collect())
}

/// The words that are no names in a query.
const SQL_KEYWORDS: [&str; 13] = [
    "select", "from", "where", "and", "not", "like", "order", "by", "insert", "into", "values",
    "delete", "null",
];

/// The pattern of each LIKE in some queries. Keywords may be in capitals.
fn likes(input: &str) -> Option<Vec<String>> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let is_free = |token: &str| is_variable(token) && !SQL_KEYWORDS.contains(&token);
    let is_value = |token: &str| is_text(token) || number(token).is_some();
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        let rest = match statement {
            ["insert", "into", table, "values", "(", values @ .., ")"] if is_free(table) => {
                let parts = comma_parts(values);
                let is_right = |part: &&[&str]| matches!(part, [value] if is_value(value));
                parts.iter().all(is_right).then_some(())?;
                continue;
            }
            ["delete", "from", table, rest @ ..] if is_free(table) => rest,
            ["select", "*", "from", table, rest @ ..] if is_free(table) => rest,
            ["select", rest @ ..] => {
                let size = rest.iter().position(|token| *token == "from")?;
                let columns = comma_parts(&rest[..size]);
                let are_right = columns.iter().all(|part| matches!(part, [name] if is_free(name)));
                let table = rest.get(size + 1).filter(|table| are_right && is_free(table));
                table.map(|_| &rest[size + 2..])?
            }
            _ => return None,
        };
        let conditions = match rest {
            [rest @ .., "order", "by", column] if is_free(column) => rest,
            _ => rest,
        };
        let ["where", conditions @ ..] = conditions else {
            conditions.is_empty().then_some(())?;
            continue;
        };
        for condition in conditions.split(|token| *token == "and") {
            let (column, value) = match condition {
                [column, "like", pattern] | [column, "not", "like", pattern] => {
                    found.push(Some(pattern).filter(|pattern| is_text(pattern))?.to_string());
                    (column, pattern)
                }
                [column, "=" | "<" | ">", value] => (column, value),
                _ => return None,
            };
            (is_free(column) && is_value(value)).then_some(())?;
        }
    }
    Some(found)
}

/// What each will-change in some styles lists.
fn changes(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let all = tokens(&text, "-.#%")?;
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let [start, end] = ["{", "}"].map(|sign| rest.iter().position(|token| *token == sign));
        let (selector, inner) = (&rest[..start?], rest.get(start? + 1..end?)?);
        let are_names = |part: &[&str]| {
            let is_right = |token: &&str| is_name(token.trim_start_matches(['.', '#']));
            !part.is_empty() && part.iter().all(is_right)
        };
        selector.split(|token| *token == ",").all(are_names).then_some(())?;
        let mut keys = Vec::new();
        for pair in inner.split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            keys.push(Some(*key).filter(|key| is_name(key) && is_style(values))?);
            if *key == "will-change" {
                let names = values.split(|token| *token == ",").map(|part| match part {
                    [name] if is_name(name) => Some(name.to_string()),
                    _ => None,
                });
                found.push(names.collect::<Option<Vec<String>>>()?);
            }
        }
        (!has_twins(&keys)).then_some(())?;
        rest = &rest[end? + 1..];
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-sixth: xml: feed: an item without a guid",
        grammar: "@xml",
        input: concat!(
            "<rss version=\"2.0\">\n  <channel>\n    <title>guid</title>\n    <!-- guid: none -->\n",
            "    <item>\n      <title>Owls</title>\n      <guid>owl-4</guid>\n    </item>\n",
            "    <item guid=\"7\">\n      <guide>guid</guide>\n      <link>https://a.example/guid</link>\n",
            "      <enclosure url=\"a.mp3\" length=\"12\"/>\n    </item>\n    <item><guid ",
            "scheme=\"no\"/></item>\n  </channel>\n</rss>\n"
        ),
        valid: |input| have_guids(input).is_some(),
        fails: |input| have_guids(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = ["<title>guid</title>", "<!-- guid: none -->", "<guide>guid</guide>"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "<title>Owls</title>",
                    "<guide>guid</guide>",
                    "<link>https://a.example/guid</link>",
                    "<enclosure url=\"a.mp3\" length=\"12\"/>",
                ];
                let mut inner = extras(dice, &others);
                if chance(dice, 76) {
                    let known = [
                        "<guid>owl-4</guid>",
                        "<guid>7</guid>",
                        "<guid scheme=\"no\">a</guid>",
                        "<guid/>",
                    ];
                    inner.push(one(dice, &known).to_owned());
                }
                let pairs = one(dice, &["", "", " guid=\"7\"", " id=\"guid\""]);
                let inner = shuffled(dice, inner).join(one(dice, &["", "\n    "]));
                parts.push(format!("<item{pairs}>{inner}</item>"));
            }
            let parts = shuffled(dice, parts).join(one(dice, &["", "\n  "]));
            format!("<rss version=\"2.0\"><channel>{parts}</channel></rss>\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: javascript: tests: a group (describe) with two tests of the same name",
        grammar: "@javascript",
        input: concat!(
            "// test(\"adds\"); test(\"adds\");\nconst name = \"adds\";\n",
            "describe(\"cart\", function () {\n  before(function () { reset(\"adds\"); });\n",
            "  test(\"adds\", function () { expect(add(1, 2)).toBe(3); });\n",
            "  describe(\"empty\", function () {\n    test(\"adds\", function () { });\n  });\n",
            "  test(\"is empty\", function () { log(\"adds\"); log(\"adds\"); });\n});\n",
            "describe(\"adds\", function () {\n  test(\"sums\", function () { expect(sum()).toBe(0); });\n",
            "  test(\"adds\", function () { });\n  test(\"sums\", function () { run(name); });\n});\n"
        ),
        valid: |input| test_names(input).is_some(),
        fails: |input| test_names(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = [
                "// test(\"adds\"); test(\"adds\");",
                "const name = \"adds\";",
                "setup(\"adds\", \"adds\");",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "before(function () { reset(\"adds\"); });",
                    "describe(\"empty\", function () { test(\"adds\", function () { }); });",
                    "// adds",
                ];
                let mut inner = extras(dice, &others);
                let known = ["adds", "adds two", "sums", "is empty", "Adds", "removes"];
                for name in picked(dice, &known, 4, 32) {
                    let known = [
                        "",
                        "expect(add(1, 2)).toBe(3); ",
                        "log(\"adds\"); log(\"adds\"); ",
                        "run(name); ",
                    ];
                    let calls = one(dice, &known);
                    inner.push(format!("test(\"{name}\", function () {{ {calls}}});"));
                }
                let name = one(dice, &["cart", "adds", "sums"]);
                let inner = shuffled(dice, inner).join("\n  ");
                parts.push(format!("describe(\"{name}\", function () {{\n  {inner}\n}});"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: sql: search: a LIKE with a character that is not ASCII",
        grammar: "@sql",
        input: concat!(
            "-- name LIKE 'é%'\nSELECT name, town FROM birds WHERE town = 'Malmö' AND name LIKE 'owl%';\n",
            "INSERT INTO birds VALUES (4, 'Løvenskiold', 'like é');\n",
            "SELECT * FROM nests WHERE tree = 'ølive' AND height > 12 AND note NOT LIKE '%früh%' ORDER ",
            "BY height;\nDELETE FROM eggs WHERE color = 'blå' AND note LIKE 'like _';\n",
            "SELECT name FROM birds WHERE name LIKE '%';\n"
        ),
        valid: |input| likes(input).is_some(),
        fails: |input| likes(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let others = [
                "-- name LIKE 'é%'",
                "INSERT INTO birds VALUES (4, 'Løvenskiold', 'like é');",
                "DELETE FROM eggs WHERE color = 'blå';",
                "SELECT name FROM birds;",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let plain = word(dice, 6);
                let text = match chance(dice, 28) {
                    true => foreign(dice),
                    false => one(dice, &[&plain, "owl", "like ", ""]).to_owned(),
                };
                let [start, end] = [(); 2].map(|()| one(dice, &["", "%", "%", "_"]));
                let operator = one(dice, &["LIKE", "LIKE", "NOT LIKE"]);
                let column = one(dice, &["name", "note", "town"]);
                let others = ["town = 'Malmö'", "height > 12", "tree = 'ølive'", "note = 'like'"];
                let mut conditions = extras(dice, &others);
                conditions.push(format!("{column} {operator} '{start}{text}{end}'"));
                let conditions = shuffled(dice, conditions).join(" AND ");
                let known =
                    ["SELECT * FROM nests", "SELECT name, town FROM birds", "DELETE FROM eggs"];
                let query = dice.below(3);
                let order = if query < 2 { one(dice, &["", "", " ORDER BY height"]) } else { "" };
                parts.push(format!("{} WHERE {conditions}{order};", known[query]));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: css: motion: a will-change that lists the same thing twice",
        grammar: "@css",
        input: concat!(
            "/* will-change: top, top */\n#will-change { margin: 0 0 4px 4px }\n",
            ".card { will-change: transform, opacity; transition: top, left, top; }\n",
            ".menu, nav {\n  color: #246;\n  will-change: opacity, left, scroll-position, left;\n",
            "  font-family: serif, serif\n}\n.left { left: 0; will-change: left }\n",
            ".hint { animation: fade 2s, fade 4s; will-change: auto; }\n"
        ),
        valid: |input| changes(input).is_some(),
        fails: |input| changes(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = [
                "/* will-change: top, top */",
                "#will-change { margin: 0 0 4px 4px }",
                ".left { left: 0; color: #246 }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["transform", "opacity", "left", "top", "scroll-position", "contents"];
                let names = picked(dice, &known, 4, 30).join(one(dice, &[", ", ", ", ","]));
                let others = [
                    "transition: top, left, top",
                    "font-family: serif, serif",
                    "color: #246",
                    "left: 0",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("will-change: {names}"));
                let pairs = shuffled(dice, pairs).join(one(dice, &["; ", ";\n  "]));
                let selector = one(dice, &[".card", ".menu, nav", ".left", "#top"]);
                parts.push(format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"])));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
];
