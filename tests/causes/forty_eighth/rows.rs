//! Causes with alternatives, and with rows of unequal length: answers of a server, templates, matrices of a
//! script, and tables of a text.

use crate::draws::{are_uneven, chance, extras, has_twins, lengths};
use crate::readers::{is_digits, is_name, is_shown, signed_decimals};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How the body of an answer is encoded, if the answer says so.
fn encodings(input: &str) -> Option<Vec<&str>> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let (status, reason) = first.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    let is_right = status.len() == 3 && is_digits(status) && is_shown(reason);
    (is_right && !body.contains('\r')).then_some(())?;
    let (mut found, mut names) = (Vec::new(), Vec::new());
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value)).then_some(())?;
        if name == "content-encoding" {
            found.push(Some(value.trim()).filter(|value| is_name(value))?);
        }
        names.push(name);
    }
    (!has_twins(&names)).then_some(found)
}

/// The filters of the expressions of a template.
fn filters(input: &str) -> Option<Vec<String>> {
    let (mut found, mut open, mut rest) = (Vec::new(), Vec::<&str>::new(), input);
    while let Some(at) = rest.find('{') {
        let inner = &rest[at + 1..];
        let (sign, end) = match inner.chars().next() {
            Some('{') => ('{', "}}"),
            Some('%') => ('%', "%}"),
            Some('#') => ('#', "#}"),
            _ => {
                rest = inner;
                continue;
            }
        };
        let (text, after) = inner[1..].split_once(end)?;
        rest = after;
        if sign == '#' {
            continue;
        }
        (!text.contains(['{', '}', '\\', '\n'])).then_some(())?;
        (text.matches('"').count() % 2 == 0).then_some(())?;
        if sign == '%' {
            let (tag, about) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
            match (tag, about) {
                ("block" | "for" | "if", about) if !about.is_empty() && !about.contains('|') => {
                    open.push(tag);
                }
                ("else", "") => ["for", "if"].contains(open.last()?).then_some(())?,
                ("endblock" | "endfor" | "endif", "") => (open.pop()? == &tag[3..]).then_some(())?,
                ("extends" | "include", place) => is_text(place).then_some(())?,
                _ => return None,
            }
            continue;
        }
        // What is in quotes does not matter.
        let outside = text.split('"').step_by(2).collect::<Vec<&str>>().join("_");
        let mut parts = outside.split('|').map(str::trim);
        (!parts.next()?.is_empty()).then_some(())?;
        for part in parts {
            let (name, argument) = part.split_once('(').unwrap_or((part, ")"));
            (is_variable(name) && argument.ends_with(')')).then(|| found.push(name.to_owned()))?;
        }
    }
    open.is_empty().then_some(found)
}

/// How long the rows of the matrix at the start of some tokens are, and what comes after it.
fn matrix<'a, 't>(all: &'a [&'t str]) -> Option<(Vec<usize>, &'a [&'t str])> {
    let (mut rows, mut rest) = (Vec::new(), all.strip_prefix(&["["])?);
    let mut length = 0;
    loop {
        let (first, after) = rest.split_first()?;
        rest = after;
        match *first {
            "]" if length > 0 || rows.is_empty() => {
                rows.extend(Some(length).filter(|length| *length > 0));
                return Some((rows, rest));
            }
            "]" => return Some((rows, rest)),
            ";" if length > 0 => rows.push(std::mem::take(&mut length)),
            "," if length > 0 && signed_decimals(rest.first()?).is_none() => {
                is_variable(rest.first()?).then_some(())?;
            }
            "," if length > 0 => {}
            one => {
                (signed_decimals(one).is_some() || is_variable(one)).then_some(())?;
                length += 1;
            }
        }
    }
}

/// What comes after the expression at the start of some tokens. How long the rows of its matrices are is noted.
fn expression<'a, 't>(all: &'a [&'t str], found: &mut Vec<Vec<usize>>) -> Option<&'a [&'t str]> {
    let after = match all {
        ["[", ..] => {
            let (rows, after) = matrix(all)?;
            found.push(rows);
            after
        }
        [name, "(", inner @ ..] if is_variable(name) => {
            let mut rest = expression(inner, found)?;
            while let [",", inner @ ..] = rest {
                rest = expression(inner, found)?;
            }
            rest.strip_prefix(&[")"])?
        }
        [one, after @ ..] => {
            let is_value = signed_decimals(one).is_some() || is_variable(one) || is_text(one);
            is_value.then_some(after)?
        }
        [] => return None,
    };
    match after {
        ["+" | "*", inner @ ..] => expression(inner, found),
        _ => Some(after),
    }
}

/// How long the rows of each matrix of a script are.
fn script(input: &str) -> Option<Vec<Vec<usize>>> {
    let text = without_ends(input, "%");
    let (all, mut found) = (tokens(&text, "_.-")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let value = match rest {
            [name, "=", value @ ..] if is_variable(name) => value,
            _ => rest,
        };
        rest = expression(value, &mut found)?.strip_prefix(&[";"])?;
    }
    Some(found)
}

/// How many cells the rows of each table of a text have. A table is lines that start with a bar, outside of
/// what is fenced.
fn tables(input: &str) -> Vec<Vec<usize>> {
    let (mut found, mut is_fenced, mut is_table): (Vec<Vec<usize>>, _, _) =
        (Vec::new(), false, false);
    for line in input.lines().map(str::trim_end) {
        is_fenced ^= line.starts_with("```");
        let Some(rest) = line.strip_prefix('|').filter(|_| !is_fenced) else {
            is_table = false;
            continue;
        };
        if !is_table {
            found.push(Vec::new());
        }
        is_table = true;
        let cells = rest.replace("\\|", "");
        let cells = cells.strip_suffix('|').unwrap_or(&cells).split('|').count();
        found.last_mut().unwrap().push(cells);
    }
    found
}

/// A grammar of scripts with matrices.
const OCTAVE: &str = r#"
grammar Octave;
script : statement* EOF ;
statement : (ID '=')? expression ';' ;
expression : operand (('+' | '*') operand)* ;
operand : matrix | call | NUMBER | STRING | ID ;
call : ID '(' expression (',' expression)* ')' ;
matrix : '[' (row (';' row)* ';'?)? ']' ;
row : element (','? element)* ;
element : NUMBER | ID ;
NUMBER : '-'? [0-9]+ ('.' [0-9]+)? ;
STRING : '"' ~["\r\n]* '"' ;
ID : [a-zA-Z_] [a-zA-Z0-9_]* ;
COMMENT : '%' ~[\r\n]* -> skip ;
WS : [ \t\r\n]+ -> skip ;
"#;

/// The causes.
pub const ROWS: &[TwoSided] = &[
    TwoSided {
        name: "forty-eighth: http: answer: a Content-Encoding that is br, zstd or compress",
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK\r\nDate: Fri, 01 Mar 2024 10:00:00 GMT\r\nVary: Accept-Encoding, br\r\n",
            "Content-Type: text/html; charset=utf-8\r\nX-Content-Encoding: gzip\r\nContent-Encoding: zstd\r\n",
            "Cache-Control: max-age=600\r\nETag: \"compress-412\"\r\n\r\nContent-Encoding: br\n<p>Hello\n"
        ),
        valid: |input| encodings(input).is_some(),
        fails: |input| {
            let all = encodings(input).unwrap_or_default();
            all.iter().any(|value| ["br", "zstd", "compress"].contains(value))
        },
        draw: |dice| {
            let others = [
                "Date: Fri, 01 Mar 2024 10:00:00 GMT\r\n",
                "Vary: Accept-Encoding, br\r\n",
                "X-Content-Encoding: zstd\r\n",
                "Transfer-Encoding: compress\r\n",
                "ETag: \"compress-412\"\r\n",
                "Cache-Control: max-age=600\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push("Content-Type: text/html; charset=utf-8\r\n".to_owned());
            if chance(dice, 90) {
                let value = match chance(dice, 52) {
                    true => one(dice, &["br", "zstd", "compress"]),
                    false => {
                        one(dice, &["gzip", "deflate", "identity", "x-compress", "zst", "brotli"])
                    }
                };
                let name = one(dice, &["Content-Encoding", "Content-Encoding", "content-encoding"]);
                fields.push(format!("{name}: {value}\r\n"));
            }
            let status = one(dice, &["200 OK", "206 Partial Content", "404 Not Found"]);
            let body = one(dice, &["", "<p>Hello\n", "Content-Encoding: br\n<p>Hello\n"]);
            format!("HTTP/1.1 {status}\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: jinja: an expression with the filter safe, striptags or xmlattr",
        grammar: "",
        input: concat!(
            "{% extends \"base.html\" %}\n{# {{ body | safe }} #}\n{% block content %}\n<h1>{{ page.title | upper }}</h1>\n",
            "{% if safe %}\n<ul>\n{% for item in items %}\n  <li>{{ item.name|e }}: {{ item.price | round(2) }} {safe|}</li>\n",
            "{% else %}\n  <li>{{ striptags or \"none | safe\" }}</li>\n{% endfor %}\n</ul>\n{% endif %}\n",
            "<p>{{ page.body | default(\"-\") | striptags | truncate(40) }}</p>\n{% endblock %}\n"
        ),
        valid: |input| filters(input).is_some(),
        fails: |input| {
            let all = filters(input).unwrap_or_default();
            all.iter().any(|name| ["safe", "striptags", "xmlattr"].contains(&&name[..]))
        },
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let by = one(dice, &["|", " | ", " | "]);
                let head =
                    one(dice, &["page.title", "item.name", "safe", "\"striptags\"", "items[0]"]);
                let mut parts = vec![head.to_owned()];
                for _ in 0..dice.below(3) {
                    let name = match chance(dice, 18) {
                        true => one(dice, &["safe", "striptags", "xmlattr"]),
                        false => one(
                            dice,
                            &[
                                "e",
                                "upper",
                                "round(2)",
                                "default(\"-\")",
                                "urlize",
                                "trim",
                                "unsafe",
                                "forceescape",
                            ],
                        ),
                    };
                    parts.push(name.to_owned());
                }
                let part = format!("{{{{ {} }}}}", parts.join(by));
                let (start, end) =
                    [("<p>", "</p>"), ("", " | safe"), ("<a href=\"", "\">")][dice.below(3)];
                let line = format!("{start}{part}{end}\n");
                lines.push(match dice.below(5) {
                    0 => format!("{{% for item in items %}}\n{line}{{% endfor %}}\n"),
                    1 => format!("{{% if safe %}}\n{line}{{% else %}}\nnone\n{{% endif %}}\n"),
                    _ => line,
                });
            }
            let others = [
                "{# {{ body | safe }} #}\n",
                "<h1>striptags</h1>\n",
                "{% include \"safe.html\" %}\n",
                "{safe|}\n",
            ];
            lines.extend(extras(dice, &others));
            let text = shuffled(dice, lines).concat();
            match chance(dice, 40) {
                true => format!(
                    "{{% extends \"base.html\" %}}\n{{% block content %}}\n{text}{{% endblock %}}\n"
                ),
                false => text,
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: octave: script: a matrix whose rows are not all of the same length",
        grammar: OCTAVE,
        input: concat!(
            "% calibration: [1 2; 3]\ngain = 0.5;\nA = [1, 0, 0; 0, 1, 0; 0, 0, 1];\nrow = [4 -2 gain];\n",
            "B = zeros(3, 1) + [gain; -1; 2.5;];\nC = [\n  1 2.5\n  3, A;\n  gain, 7, 0, 1;\n  0 0 -1\n];\n",
            "disp(\"[1; 2 3]\");\nx = A * B + [12; 4; row];\nplot([0 1; 1 0], sum(x, 1));\nempty = [];\n"
        ),
        valid: |input| script(input).is_some(),
        fails: |input| script(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let mut lines = extras(
                dice,
                &[
                    "% calibration: [1 2; 3]\n",
                    "gain = 0.5;\n",
                    "disp(\"[1; 2 3]\");\n",
                    "empty = [];\n",
                    "x = zeros(3, 1) + A * gain;\n",
                ],
            );
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 36) {
                    let by = one(dice, &[", ", " "]);
                    rows.push(joined(dice, length, by, |dice| {
                        one(dice, &["0", "1", "-2", "2.5", "12", "gain", "x"]).to_owned()
                    }));
                }
                let rows = rows.join(one(dice, &["; ", "; ", ";\n  "]));
                let value = format!("[{rows}{}]", one(dice, &["", "", ";"]));
                lines.push(match dice.below(5) {
                    0 => format!("plot({value}, sum(x, 1));\n"),
                    1 => format!("B = A * {value};\n"),
                    _ => format!("{} = {value};\n", one(dice, &["A", "B", "x"])),
                });
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: markdown: a table whose rows do not all have the same number of cells",
        grammar: "",
        input: concat!(
            "# Options | flags\n\nUse `a | b` for *either*:\n\n| flag | meaning | since |\n|------|:-------:|------:|\n",
            "| `-a` | all     | 1.0   |\n| `-b` | brief   |       |\n\n```sh\n| not | a\n| table |\n```\n\n",
            "1. First\n2. Second | third\n\n| key | value |\n| --- | ----- |\n| x   | 4     |\n| y   | 5     | 6 |\n",
            "| z   |       |\n\n> | quoted | one |\n\nThe end.\n"
        ),
        valid: |input| input.chars().all(|c| c == '\n' || !c.is_control()),
        fails: |input| tables(input).iter().any(|rows| are_uneven(rows)),
        draw: |dice| {
            let others = [
                "# Options | flags\n",
                "Use `a | b` for *either*:\n",
                "```sh\n| not | a\n| table |\n```\n",
                "1. First\n2. Second | third\n",
                "> | quoted | one |\n",
                "- [link](http://example.com/a)\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let mut table = String::new();
                for (at, length) in lengths(dice, 2, 46).into_iter().enumerate() {
                    let row = joined(dice, length, "|", |dice| match dice.below(4) {
                        0 => "  ".to_owned(),
                        1 => one(dice, &[" `-a` ", " 1.0 ", " *all* "]).to_owned(),
                        _ => format!(" {} ", word(dice, 7)),
                    });
                    let ruled = vec![one(dice, &["---", " --- ", ":---:"]); length].join("|");
                    table += &format!("|{}|\n", if at == 1 { ruled } else { row });
                }
                parts.push(table);
            }
            shuffled(dice, parts).join("\n")
        },
        patterns: &[],
    },
];
