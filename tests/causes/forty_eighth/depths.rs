//! Causes with depth, and with something that is not there: types of an interface, lists of a paper, packages
//! that a program is built from, and references.

use crate::draws::{chance, extras};
use crate::forty_eighth::indented;
use crate::readers::{is_name, is_shown, number, toml_statements};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// How deep the containers are in the type at the start of some tokens, and what comes after it.
fn container<'a, 't>(all: &'a [&'t str]) -> Option<(usize, &'a [&'t str])> {
    match all {
        [name @ ("list" | "set" | "map"), "<", inner @ ..] => {
            let (mut depth, mut rest) = container(inner)?;
            if *name == "map" {
                let (value, after) = container(rest.strip_prefix(&[","])?)?;
                (depth, rest) = (depth.max(value), after);
            }
            Some((depth + 1, rest.strip_prefix(&[">"])?))
        }
        [name, rest @ ..] => name.split('.').all(is_variable).then_some((0, rest)),
        [] => None,
    }
}

/// What comes after the fields at the start of some tokens, and the sign that ends them. How deep the
/// containers are is noted.
fn after_fields<'a, 't>(
    all: &'a [&'t str],
    end: &str,
    deepest: &mut usize,
) -> Option<&'a [&'t str]> {
    let mut rest = all;
    while *rest.first()? != end {
        let [id, ":", kind @ ..] = rest else { return None };
        number(id)?;
        let kind = kind.strip_prefix(&["required"]).or(kind.strip_prefix(&["optional"]));
        let (depth, after) = container(kind.unwrap_or(&rest[2..]))?;
        *deepest = depth.max(*deepest);
        let (name, mut after) = after.split_first()?;
        if let ["=", value, others @ ..] = after {
            let is_value = is_text(value) || is_variable(value) || number(value).is_some();
            after = Some(others).filter(|_| is_value)?;
        }
        let after = Some(after).filter(|_| is_variable(name))?;
        rest = after.strip_prefix(&[","]).or(after.strip_prefix(&[";"])).unwrap_or(after);
    }
    Some(&rest[1..])
}

/// How deep the containers are in the types of an interface.
fn type_depth(input: &str) -> Option<usize> {
    let text = without_ends(&without_ends(input, "//"), "#");
    let (all, mut deepest) = (tokens(&text, "_.")?, 0);
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["include", place, after @ ..] if is_text(place) => after,
            ["namespace", _, name, after @ ..] if name.split('.').all(is_variable) => after,
            ["typedef", kind @ ..] => {
                let (depth, after) = container(kind)?;
                deepest = deepest.max(depth);
                after.split_first().filter(|(name, _)| is_variable(name))?.1
            }
            ["enum", name, "{", inner @ ..] if is_variable(name) => {
                let size = inner.iter().position(|token| *token == "}")?;
                let are_right = inner[..size].split(|token| *token == ",").all(|part| match part {
                    [] => true,
                    [name] => is_variable(name),
                    [name, "=", value] => is_variable(name) && number(value).is_some(),
                    _ => false,
                });
                Some(&inner[size + 1..]).filter(|_| are_right)?
            }
            ["struct" | "union" | "exception", name, "{", fields @ ..] if is_variable(name) => {
                after_fields(fields, "}", &mut deepest)?
            }
            ["service", name, "{", inner @ ..] if is_variable(name) => {
                let mut rest = inner;
                while *rest.first()? != "}" {
                    let (depth, after) = container(rest)?;
                    deepest = deepest.max(depth);
                    let [name, "(", fields @ ..] = after else { return None };
                    let after = after_fields(fields, ")", &mut deepest);
                    let after = after.filter(|_| is_variable(name))?;
                    rest = after.strip_prefix(&[","]).unwrap_or(after);
                }
                &rest[1..]
            }
            _ => return None,
        };
    }
    Some(deepest)
}

/// How deep the lists of a paper are in each other. Other environments may be around them and in them.
fn list_depth(input: &str) -> Option<usize> {
    let is_list = |name: &&str| ["itemize", "enumerate", "description"].contains(name);
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    (input.matches('{').count() == input.matches('}').count()).then_some(())?;
    for line in input.lines() {
        let remarks = line.match_indices('%').map(|(at, _)| at);
        let end = remarks.into_iter().find(|at| !line[..*at].ends_with('\\'));
        let mut rest = &line[..end.unwrap_or(line.len())];
        is_shown(rest).then_some(())?;
        while let Some((_, after)) = rest.split_once('\\') {
            let size = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (command, after) = after.split_at(size);
            rest = after;
            match command {
                "" => rest = after.get(1..).unwrap_or(""),
                "begin" => {
                    let (name, after) = after.strip_prefix('{')?.split_once('}')?;
                    let known = ["document", "quote", "center", "abstract"];
                    (is_list(&name) || known.contains(&name)).then(|| open.push(name))?;
                    rest = after;
                }
                "end" => {
                    let (name, after) = after.strip_prefix('{')?.split_once('}')?;
                    (open.pop()? == name).then_some(())?;
                    rest = after;
                }
                "item" => open.iter().any(is_list).then_some(())?,
                _ => {}
            }
            deepest = deepest.max(open.iter().filter(|name| is_list(name)).count());
        }
    }
    open.is_empty().then_some(deepest)
}

/// Whether each package has a checksum.
fn have_checksums(input: &str) -> Option<Vec<bool>> {
    let (mut tables, mut found): (Vec<&str>, Vec<bool>) = (vec![""], Vec::new());
    let (statements, mut keys) = (toml_statements(input)?, Vec::new());
    for statement in &statements {
        match &tokens(statement, "_-")?[..] {
            [] => {}
            ["[", "[", "package", "]", "]"] => {
                found.push(false);
                tables.push("package");
                keys.clear();
            }
            ["[", "[", "patch", ".", "unused", "]", "]"] => {
                tables.push("unused");
                keys.clear();
            }
            ["[", "metadata", "]"] => {
                tables.push(Some("metadata").filter(|name| !tables.contains(name))?);
                keys.clear();
            }
            [key, "=", values @ ..] if is_name(key) || is_text(key) => {
                let is_value = match values {
                    ["[", inner @ .., "]"] => {
                        inner.split(|token| *token == ",").all(|part| match part {
                            [] => true,
                            [one] => is_text(one),
                            _ => false,
                        })
                    }
                    [one] => is_text(one) || number(one).is_some(),
                    _ => false,
                };
                let is_new = is_value && !keys.contains(&key.to_string());
                keys.push(Some(key.to_string()).filter(|_| is_new)?);
                if *tables.last()? == "package" && *key == "checksum" {
                    *found.last_mut()? = true;
                }
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Whether each reference has a year.
fn have_years(input: &str) -> Option<Vec<bool>> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        let (tag, text) = line.split_once("  -").filter(|_| is_shown(line))?;
        let is_tag = tag.len() == 2 && tag.chars().all(|c| !c.is_ascii_lowercase());
        (is_tag && (text.is_empty() || text.starts_with(' '))).then_some(())?;
        match tag {
            "TY" => {
                (!is_inside).then(|| found.push(false))?;
                is_inside = true;
            }
            "ER" => is_inside = Some(false).filter(|_| is_inside && text.trim().is_empty())?,
            "PY" => *found.last_mut().filter(|_| is_inside)? = true,
            _ => is_inside.then_some(())?,
        }
    }
    (!is_inside).then_some(found)
}

/// A grammar of interfaces.
const THRIFT: &str = r#"
grammar Thrift;
document : (include | namespace)* definition* EOF ;
include : 'include' STRING ;
namespace : 'namespace' ID ID ;
definition : typedef | enumeration | structure | service ;
typedef : 'typedef' type ID ;
enumeration : 'enum' ID '{' (constant (',' constant)* ','?)? '}' ;
constant : ID ('=' INT)? ;
structure : ('struct' | 'union' | 'exception') ID '{' field* '}' ;
service : 'service' ID '{' function* '}' ;
function : type ID '(' field* ')' ','? ;
field : INT ':' ('required' | 'optional')? type ID ('=' value)? (',' | ';')? ;
type : 'list' '<' type '>' | 'set' '<' type '>' | 'map' '<' type ',' type '>' | ID ;
value : INT | STRING | ID ;
ID : [a-zA-Z_] [a-zA-Z0-9_.]* ;
INT : [0-9]+ ;
STRING : '"' ~["\r\n]* '"' ;
COMMENT : ('//' | '#') ~[\r\n]* -> skip ;
WS : [ \t\r\n]+ -> skip ;
"#;

/// The causes.
pub const DEPTHS: &[TwoSided] = &[
    TwoSided {
        name: "forty-eighth: thrift: index: list, set and map in each other, five deep or more",
        grammar: THRIFT,
        input: concat!(
            "include \"common.thrift\"\nnamespace py search.index\n\n// list<set<map<i32, list<set<i32>>>>>\n",
            "typedef map<string, list<common.Doc>> Postings\nenum Kind { TEXT = 1, MAP, LIST = 4 }\n\n",
            "struct Shard {\n  1: required i64 id,\n  2: optional list<map<string, set<i32>>> terms;\n",
            "  3: map<set<i32>, list<map<i32, bool>>> flags\n",
            "  4: optional map<string, list<set<map<i32, list<string>>>>> merged,\n  5: Kind kind = 4\n}\n\n",
            "exception Lost { 1: string reason = \"list<list>\" }\n\nservice Search {\n",
            "  list<Shard> find(1: string query, 2: set<list<i32>> within),\n  void drop(1: i64 id)\n}\n"
        ),
        valid: |input| type_depth(input).is_some(),
        fails: |input| type_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut deep = one(dice, &["i32", "string", "common.Doc", "bool"]).to_owned();
            for _ in 0..2 + dice.below(5) {
                let other = one(dice, &["i32", "string", "list<i32>", "set<map<i32, list<i64>>>"]);
                deep = match dice.below(4) {
                    0 => format!("list<{deep}>"),
                    1 => format!("set<{deep}>"),
                    2 => format!("map<{other}, {deep}>"),
                    _ => format!("map<{deep}, {other}>"),
                };
            }
            let others = ["include \"common.thrift\"\n", "namespace py search.index\n"];
            let start = extras(dice, &others).concat();
            let others = [
                "// list<set<map<i32, list<set<i32>>>>>\n",
                "typedef map<string, list<common.Doc>> Postings\n",
                "enum Kind { TEXT = 1, MAP, LIST = 4 }\n",
                "exception Lost { 1: string reason = \"list<list>\" }\n",
                "struct Shard {\n  1: required i64 id,\n  2: map<set<i32>, list<map<i32, bool>>> flags\n}\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(match dice.below(4) {
                0 => format!("typedef {deep} Merged\n"),
                1 => format!(
                    "service Search {{\n  {deep} find(1: string query),\n  void stop()\n}}\n"
                ),
                2 => format!("service Search {{ void put(1: i64 id, 2: {deep} within) }}\n"),
                _ => {
                    let kept = one(dice, &["", "optional ", "required "]);
                    let mut fields =
                        extras(dice, &["1: i64 id", "2: Kind kind = 4", "3: list<list<i32>> rows"]);
                    fields.push(format!("7: {kept}{deep} merged"));
                    let fields =
                        shuffled(dice, fields).join(one(dice, &[",\n  ", ";\n  ", "\n  "]));
                    format!("struct Index {{\n  {fields}\n}}\n")
                }
            });
            format!("{start}{}", shuffled(dice, parts).join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-eighth: plain: latex: itemize, enumerate and description in each other, five deep ",
            "or more"
        ),
        grammar: "",
        input: concat!(
            "\\documentclass{article}\n% \\begin{itemize} five times\n\\begin{document}\n\\section{Outline}\n",
            "\\begin{itemize}\n  \\item Parts, 100\\% of them\n  \\begin{enumerate}\n    \\item First\n",
            "    \\begin{quote}\n      \\begin{description}\n        \\item[Scope] All \\emph{of it}\n",
            "        \\begin{itemize}\n          \\item Inner \\begin{enumerate} \\item One \\end{enumerate}\n",
            "        \\end{itemize}\n      \\end{description}\n    \\end{quote}\n  \\end{enumerate}\n  \\item Rest\n",
            "\\end{itemize}\n\\begin{center}\nThe end\\\\\n\\end{center}\n\\end{document}\n"
        ),
        valid: |input| list_depth(input).is_some(),
        fails: |input| list_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let leaves = [
                "\\item Parts, 100\\% of them\n",
                "\\item[Scope] All \\emph{of it}\n",
                "\\item Short\n\\begin{itemize}\n\\item a\n\\end{itemize}\n",
                "% \\begin{itemize}\n",
            ];
            let mut part = "\\item Inner\n".to_owned();
            let levels = 2 + dice.below(6);
            for level in 0..levels {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).concat();
                let inner = indented(dice, &inner);
                let known =
                    ["itemize", "itemize", "enumerate", "enumerate", "description", "quote"];
                // The items are in a list, whatever is around it.
                let name = one(dice, if level + 1 == levels { &known[..5] } else { &known });
                part = format!("\\begin{{{name}}}\n{inner}\\end{{{name}}}\n");
            }
            let others = [
                "\\section{Outline}\n",
                "\\begin{center}\nThe end\\\\\n\\end{center}\n",
                "% \\begin{enumerate} five times\n",
                "\\begin{enumerate}\n\\item One\n\\item Two\n\\end{enumerate}\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            let text = shuffled(dice, parts).concat();
            match chance(dice, 50) {
                true => format!(
                    "\\documentclass{{article}}\n\\begin{{document}}\n{text}\\end{{document}}\n"
                ),
                false => text,
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: toml: lock: a [[package]] without a checksum",
        grammar: "@toml",
        input: concat!(
            "# This file is automatically @generated.\nversion = 3\n\n[[package]]\nname = \"adler\"\n",
            "version = \"1.0.2\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n",
            "checksum = \"f26201604c87b1e0\"\n\n[[package]]\nname = \"png-tool\"\nversion = \"0.1.0\"\n",
            "dependencies = [\n \"adler\",\n \"miniz_oxide 0.7.1\",\n]\n\n[[package]]\nname = \"miniz_oxide\"\n",
            "version = \"0.7.1\"\nchecksum = \"e7810e0be55b428a\"\n\n[[patch.unused]]\nname = \"png\"\n",
            "version = \"0.17.9\"\n\n[metadata]\n\"checksum adler 1.0.2\" = \"f26201604c87b1e0\"\n"
        ),
        valid: |input| have_checksums(input).is_some(),
        fails: |input| have_checksums(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let start =
                extras(dice, &["# This file is automatically @generated.\n", "version = 3\n"]);
            let mut tables = vec![start.concat()];
            for _ in 0..1 + dice.below(4) {
                let name = one(dice, &["adler", "png-tool", "miniz_oxide", "checksum"]);
                let version = one(dice, &["1.0.2", "0.7.1", "0.1.0"]);
                let mut text = format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
                if chance(dice, 60) {
                    text += "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
                }
                if chance(dice, 79) {
                    let sum = one(dice, &["f26201604c87b1e0", "e7810e0be55b428a", ""]);
                    text += &format!("checksum = \"{sum}\"\n");
                }
                let others = ["dependencies = [\n \"adler\",\n \"png 0.1.0\",\n]\n"];
                tables.push(text + &extras(dice, &others).concat());
            }
            let others = [
                "[[patch.unused]]\nname = \"png\"\nversion = \"0.17.9\"\n",
                "[metadata]\n\"checksum adler 1.0.2\" = \"f26201604c87b1e0\"\n",
            ];
            tables.extend(extras(dice, &others));
            tables.join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: ris: a reference without a year (PY)",
        grammar: "",
        input: concat!(
            "TY  - JOUR\nAU  - Knuth, Donald E.\nTI  - Literate programming\nJO  - The Computer Journal\nVL  - 27\n",
            "PY  - 1984\nER  - \n\nTY  - BOOK\nAU  - Kernighan, Brian\nAU  - Pike, Rob\nPB  - Addison-Wesley\n",
            "TI  - The practice of programming (PY  - 1999)\nY2  - 2024/03/01\nCY  - Reading\nER  -\n\n",
            "TY  - CONF\nPY  - 2003///\nTI  - 1999\nSP  - 12\nEP  - 40\nER  - \n"
        ),
        valid: |input| have_years(input).is_some(),
        fails: |input| have_years(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut references = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "AU  - Knuth, Donald E.\n",
                    "AU  - Pike, Rob\n",
                    "JO  - The Computer Journal\n",
                    "Y2  - 2024/03/01\n",
                    "N1  - PY 1984\n",
                    "CY  - Reading\n",
                    "SP  - 1984\n",
                ];
                let mut lines = extras(dice, &others);
                let titles = ["Literate programming", "1999", "On years (PY  - 1999)", "Notes"];
                lines.push(format!("TI  - {}\n", one(dice, &titles)));
                if chance(dice, 78) {
                    let year = one(dice, &["1984", "1999", "2003///", "2024/03/01/"]);
                    lines.push(format!("PY  - {year}\n"));
                }
                let kind = one(dice, &["JOUR", "BOOK", "CONF", "CHAP"]);
                let end = one(dice, &["ER  - \n", "ER  - \n", "ER  -\n"]);
                let lines = shuffled(dice, lines).concat();
                references.push(format!("TY  - {kind}\n{lines}{end}"));
            }
            references.join(one(dice, &["\n", "\n", ""]))
        },
        patterns: &[],
    },
];
