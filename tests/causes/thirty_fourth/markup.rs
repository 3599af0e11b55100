//! Causes in four formats: XML, SQL, Lua and JavaScript.

use super::{is_variable, without_ends};
use crate::draws::{
    above, are_negative_and_fine, chance, extras, figure, has_twins, picked, steps,
};
use crate::readers::{are_in_order, is_name, is_shown, number, signed_decimals};
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How many failures each suite of tests has, and how many tests.
fn suites(input: &str) -> Option<Vec<(u32, u32)>> {
    let schema = Schema {
        root: "testsuites",
        may_have: |outer, kind| match outer {
            "testsuites" => kind == "testsuite",
            "testsuite" => kind == "testcase",
            "testcase" => ["failure", "skipped"].contains(&kind),
            _ => false,
        },
        with_text: &["failure", "skipped"],
        is_text: is_shown,
        has_remarks: true,
    };
    let all = elements(input, &schema)?;
    let suites = all.iter().filter(|(kind, _)| *kind == "testsuite").map(|(_, pairs)| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        Some((number(value("failures")?)?, number(value("tests")?)?))
    });
    suites.collect()
}

/// The keywords of SQL that the statements have.
const SQL_KEYWORDS: [&str; 18] = [
    "create", "table", "insert", "into", "values", "select", "from", "not", "null", "primary",
    "key", "unique", "default", "int", "text", "date", "real", "varchar",
];

/// The tokens of some statements, with these keywords in small letters. Texts are in apostrophes, and come in quotation
/// marks.
pub fn sql_tokens(input: &str, keywords: &[&str]) -> Option<Vec<String>> {
    let text = without_ends(&input.replace('\'', "\""), "--");
    let all = tokens(&text, "_").filter(|_| !input.contains('"'))?;
    let lowered = all.iter().map(|token| {
        let lower = token.to_ascii_lowercase();
        if keywords.contains(&&lower[..]) { lower } else { token.to_string() }
    });
    Some(lowered.collect())
}

/// Some tokens between the commas that are in no bracket.
pub fn comma_parts<'a, 't>(all: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let mut depth = 0;
    let parts = all.split(move |token| {
        depth += i32::from(*token == "(") - i32::from(*token == ")");
        depth == 0 && *token == ","
    });
    parts.collect()
}

/// The columns of each table that is created. Keywords may be in capitals.
fn tables(input: &str) -> Option<Vec<Vec<String>>> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let is_free =
        |token: &str| is_variable(token) && is_name(token) && !SQL_KEYWORDS.contains(&token);
    let is_value = |part: &[&str]| match part {
        [one] => is_text(one) || number(one).is_some() || *one == "null",
        _ => false,
    };
    let are_names =
        |all: &[&str]| comma_parts(all).iter().all(|part| matches!(part, [name] if is_free(name)));
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        match statement {
            ["create", "table", name, "(", inner @ .., ")"] if is_free(name) => {
                let mut columns = Vec::new();
                for part in comma_parts(inner) {
                    let mut rest = match part {
                        ["unique", "(", names @ .., ")"] if are_names(names) => continue,
                        ["primary", "key", "(", names @ .., ")"] if are_names(names) => continue,
                        [name, "varchar", "(", size, ")", rest @ ..] => {
                            number(size).filter(|_| is_free(name))?;
                            rest
                        }
                        [name, "int" | "text" | "date" | "real", rest @ ..] if is_free(name) => {
                            rest
                        }
                        _ => return None,
                    };
                    columns.push(part[0].to_owned());
                    while !rest.is_empty() {
                        rest = match rest {
                            ["not", "null", rest @ ..] | ["primary", "key", rest @ ..] => rest,
                            ["unique", rest @ ..] => rest,
                            ["default", value, rest @ ..] if is_value(&[value]) => rest,
                            _ => return None,
                        };
                    }
                }
                found.push(columns);
            }
            ["insert", "into", name, "values", "(", inner @ .., ")"] => {
                let are_values = comma_parts(inner).iter().all(|part| is_value(part));
                (is_free(name) && are_values).then_some(())?;
            }
            ["select", columns @ .., "from", name] => {
                (is_free(name) && are_names(columns)).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The numbers of each light of a level: whether each is negative, and how many decimals it has. The
/// script has only variables, and calls with a table.
fn lights(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let text = without_ends(input, "--");
    let (all, mut found) = (tokens(&text, "_-.")?, Vec::new());
    let is_value = |token: &str| {
        is_text(token) || signed_decimals(token).is_some() || ["true", "false"].contains(&token)
    };
    let is_free =
        |token: &str| is_variable(token) && !["true", "false", "nil", "end"].contains(&token);
    let mut rest = &all[..];
    while !rest.is_empty() {
        let (name, after) = match rest {
            [name, "=", value, after @ ..] if is_free(name) && is_value(value) => {
                rest = after;
                continue;
            }
            [name, "{", after @ ..] if is_free(name) => (*name, after),
            _ => return None,
        };
        let size = after.iter().position(|token| *token == "}")?;
        let (mut keys, mut numbers) = (Vec::new(), Vec::new());
        for field in after[..size].split(|token| *token == ",").filter(|_| size > 0) {
            let [key, "=", value] = field else { return None };
            keys.push(Some(*key).filter(|key| is_free(key) && is_value(value))?);
            numbers.extend(signed_decimals(value));
        }
        (!has_twins(&keys)).then_some(())?;
        if name == "light" {
            found.push(numbers);
        }
        rest = &after[size + 1..];
    }
    Some(found)
}

/// Finds the methods that are called one after the other in the expression at the start of some tokens,
/// and says what comes after it.
fn expression<'a, 't>(all: &'a [&'t str], found: &mut Vec<Vec<&'t str>>) -> Option<&'a [&'t str]> {
    let (first, mut rest) = all.split_first()?;
    if is_text(first) || number(first).is_some() {
        return Some(rest);
    }
    let is_free = |token: &str| is_variable(token) && !["const", "let", "new"].contains(&token);
    is_free(first).then_some(())?;
    let mut chain = Vec::new();
    loop {
        rest = match rest {
            [".", name, after @ ..] if is_free(name) => {
                if after.first() == Some(&"(") {
                    chain.push(*name);
                }
                after
            }
            ["(", ")", after @ ..] => after,
            ["(", inner @ ..] => {
                let mut inner = expression(inner, found)?;
                while let [",", after @ ..] = inner {
                    inner = expression(after, found)?;
                }
                inner.strip_prefix(&[")"])?
            }
            _ => break,
        };
    }
    found.push(chain);
    Some(rest)
}

/// The methods that are called one after the other in each expression of a script.
fn chains(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        if let ["const", name, "=", after @ ..] = rest {
            rest = Some(after).filter(|_| is_variable(name) && *name != "const")?;
        }
        rest = expression(rest, &mut found)?.strip_prefix(&[";"])?;
    }
    let owned = |chain: Vec<&str>| chain.into_iter().map(str::to_owned).collect();
    Some(found.into_iter().map(owned).collect())
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fourth: xml: junit: a test suite with more failures than tests",
        grammar: "@xml",
        input: concat!(
            "<testsuites tests=\"9\" failures=\"12\">\n  <!-- tests=\"1\" failures=\"9\" -->\n",
            "  <testsuite name=\"api\" tests=\"12\" errors=\"20\" failures=\"3\">\n",
            "    <testcase name=\"failures\" time=\"40\"/>\n    <testcase name=\"login\" tests=\"1\">",
            "<failure message=\"tests 4\">0 tests</failure></testcase>\n  </testsuite>\n",
            "  <testsuite failures=\"5\" time=\"31\" tests=\"5\"/>\n",
            "  <testsuite tests=\"4\" time=\"12\" failures=\"7\" name=\"8 tests\"></testsuite>\n",
            "</testsuites>\n"
        ),
        valid: |input| suites(input).is_some(),
        fails: |input| suites(input).is_some_and(|all| all.iter().any(|(some, most)| some > most)),
        draw: |dice| {
            let mut parts = extras(dice, &["<!-- tests=\"1\" failures=\"9\" -->"]);
            for _ in 0..1 + dice.below(3) {
                let tests = [dice.below(10), 10 + dice.below(90), 31][dice.below(3)];
                let failures = above(dice, tests, 30);
                let others =
                    [" name=\"8 tests\"", " time=\"12\"", " errors=\"20\"", " skipped=\"900\""];
                let mut pairs = extras(dice, &others);
                pairs.push(format!(" tests=\"{tests}\""));
                pairs.push(format!(" failures=\"{failures}\""));
                let pairs = shuffled(dice, pairs).concat();
                let cases = [
                    "<testcase name=\"failures\" time=\"40\"/>",
                    "<testcase tests=\"1\"><failure message=\"tests 4\">0 tests</failure></testcase>",
                    "<testcase name=\"login\"><skipped/></testcase>",
                ];
                let cases = extras(dice, &cases).concat();
                parts.push(match cases.is_empty() {
                    true => format!("<testsuite{pairs}/>"),
                    false => format!("<testsuite{pairs}>{cases}</testsuite>"),
                });
            }
            let by = one(dice, &["", "\n  "]);
            let pairs = extras(dice, &[" tests=\"9\"", " failures=\"12\""]).concat();
            format!("<testsuites{pairs}>{}</testsuites>\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: sql: schema: a CREATE TABLE with two columns of the same name",
        grammar: "@sql",
        input: concat!(
            "-- city, city\nCREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, price INT);\n",
            "INSERT INTO item VALUES (4, 'id, id', 4);\nSELECT id, id FROM item;\n",
            "CREATE TABLE trip (id INT, city TEXT DEFAULT 'day', day DATE NOT NULL,\n",
            "  city VARCHAR(12), UNIQUE (day, id));\nCREATE TABLE city (item INT, city TEXT, PRIMARY KEY (city));\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| {
            tables(input).is_some_and(|all| all.iter().any(|columns| has_twins(columns)))
        },
        draw: |dice| {
            let others = [
                "-- city, city\n",
                "INSERT INTO item VALUES (4, 'id, id', 4);\n",
                "SELECT id, id FROM item;\n",
            ];
            let mut parts = extras(dice, &others);
            for table in picked(dice, &["item", "trip", "city"], 3, 0) {
                let mut columns =
                    picked(dice, &["id", "name", "names", "city", "day", "item"], 4, 36);
                let first = columns[0].clone();
                for column in &mut columns {
                    let kind = one(dice, &["INT", "TEXT", "DATE", "VARCHAR(40)"]);
                    let end = one(
                        dice,
                        &["", "", " NOT NULL", " DEFAULT 4", " DEFAULT 'day'", " UNIQUE"],
                    );
                    *column += &format!(" {kind}{end}");
                }
                if chance(dice, 30) {
                    columns.push(format!("PRIMARY KEY ({first})"));
                }
                let by = one(dice, &[", ", ",\n  "]);
                parts.push(format!("CREATE TABLE {table} ({});\n", columns.join(by)));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fourth: lua: level: a light with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "@lua",
        input: concat!(
            "-- light { x = -1, y = 0.125 }\ngravity = -9.125\n",
            "light { x = 4.5, y = 12.125, color = \"-3\", z = 2 }\nwall { x = -4.5, w = 0.125 }\n",
            "light { color = \"red\", y = 0.375, power = 40, on = true, x = -12.5 }\n",
            "spawn { y = 0.375, x = -2 }\nlight { x = -7, y = 0.0625, z = 3.25 } -- 0.125\n",
            "title = \"light 0.125\"\n"
        ),
        valid: |input| lights(input).is_some(),
        fails: |input| {
            lights(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "-- light { x = -1, y = 0.125 }\n",
                "gravity = -9.125\n",
                "wall { x = -4.5, w = 0.125 }\n",
                "spawn { y = 0.375, x = -2 }\n",
                "title = \"light 0.125\"\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut fields = extras(dice, &["color = \"red\"", "color2 = \"-3\"", "on = true"]);
                for name in picked(dice, &["x", "y", "z", "power"], 3, 0) {
                    fields.push(format!("{name} = {}", figure(dice)));
                }
                let end = one(dice, &["", "", " -- 0.125", " -- off -4"]);
                parts.push(format!("light {{ {} }}{end}\n", shuffled(dice, fields).join(", ")));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: javascript: rows: a chain with a filter, then a sort, and then a slice",
        grammar: "@javascript",
        input: concat!(
            "// rows.filter(a).sort(b).slice(1);\nconst text = \"filter, sort, slice\";\n",
            "const cheap = items.filter(isCheap).map(\"sort\").slice(3);\nfilter(sort, slice(2));\n",
            "show(users.map(id).filter(\"old\").reverse().sort(byAge, 2).join(sort).slice(4, 9), 12);\n",
            "const rest = users.sort().filter(sort).slice(9);\nslice(rest.sort(2), rest.filter);\n"
        ),
        valid: |input| chains(input).is_some(),
        fails: |input| {
            let all = chains(input).unwrap_or_default();
            all.iter().any(|chain| {
                let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
                are_in_order(&chain, &["filter", "sort", "slice"])
            })
        },
        draw: |dice| {
            let others = [
                "// rows.filter(a).sort(b).slice(1);\n",
                "const text = \"filter, sort, slice\";\n",
                "filter(sort, slice(2));\n",
                "slice(rest.sort(2), rest.filter);\n",
                "const cheap = items.filter(isCheap).slice(3);\n",
            ];
            let mut parts = extras(dice, &others);
            let known = ["map", "reverse", "join", "sort", "filter", "slices"];
            let mut chain = one(dice, &["users", "items", "sort"]).to_owned();
            for method in steps(dice, ["filter", "sort", "slice"], &known) {
                let inner = one(dice, &["", "4", "id", "\"sort\"", "slice, 2", "isCheap"]);
                chain += &format!(".{method}({inner})");
            }
            parts.push(match dice.below(3) {
                0 => format!("show({chain}, 12);\n"),
                1 => format!("const rest = {chain};\n"),
                _ => format!("{chain};\n"),
            });
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
