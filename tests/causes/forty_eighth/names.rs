//! Causes with equal names, and with characters that are not ASCII: modules of machine code, tests that are
//! told as stories, styles, and settings of a system.

use crate::draws::{chance, extras, foreign, has_twins, picked};
use crate::readers::{is_name, is_shown};
use crate::thirty_fourth::{without_ends, without_remarks};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The names of the functions of each module.
fn functions(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, ";;");
    let all = tokens(&text, "_.$-")?;
    let (mut found, mut depth): (Vec<Vec<String>>, usize) = (Vec::new(), 0);
    for (at, token) in all.iter().enumerate() {
        let next = all.get(at + 1).copied().unwrap_or("");
        let is_word = token.chars().all(|c| c.is_ascii_alphanumeric() || "_.$-".contains(c));
        match (*token, depth) {
            ("(", 0) if next == "module" => found.push(Vec::new()),
            ("(", 1) => {
                let known =
                    ["func", "memory", "global", "table", "type", "export", "start", "data"];
                known.contains(&next).then_some(())?;
                let name = all.get(at + 2).filter(|name| next == "func" && name.starts_with('$'));
                found.last_mut()?.extend(name.map(|name| name.to_string()));
            }
            ("(", 2..) => {}
            (")", 1..) => depth -= 1,
            ("module", 1) if all[at - 1] == "(" => {}
            (_, 2..) if is_word || is_text(token) => {}
            _ => return None,
        }
        depth += usize::from(*token == "(");
    }
    (depth == 0).then_some(found)
}

/// The names of the scenarios of a feature.
fn scenarios(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut part, mut is_quoted) = (Vec::new(), "", false);
    for line in input.lines().map(str::trim) {
        is_shown(line).then_some(())?;
        if line == "\"\"\"" {
            (part == "steps").then_some(())?;
            is_quoted = !is_quoted;
        }
        if is_quoted || line.is_empty() || line.starts_with(['#', '"']) {
            continue;
        }
        let is_step = ["Given ", "When ", "Then ", "And ", "But ", "* "];
        let is_step = is_step.iter().any(|start| line.starts_with(start));
        match line.split_once(':') {
            Some(("Feature", _)) if part.is_empty() => part = "feature",
            _ if part.is_empty() => line.starts_with('@').then_some(())?,
            Some(("Scenario", name)) => {
                found.push(Some(name.trim()).filter(|name| !name.is_empty())?);
                part = "steps";
            }
            Some(("Background", "")) => part = "steps",
            Some(("Rule", _)) => part = "feature",
            _ if line.starts_with('@') => {}
            _ if part == "feature" => {}
            _ => (is_step || line.starts_with('|') && line.ends_with('|')).then_some(())?,
        }
    }
    (!is_quoted && !part.is_empty()).then_some(found)
}

/// What each font-family of some styles says.
fn families(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let (mut found, mut part, mut open): (Vec<_>, Vec<&str>, Vec<bool>) = Default::default();
    let all = tokens(&text, "_-.#%@")?;
    for token in all {
        match token {
            "{" => {
                let is_group = *part.first()? == "@media";
                (open.is_empty() || open == [true] && !is_group).then(|| open.push(is_group))?;
            }
            ";" | "}" => {
                match (&part[..], open.last()) {
                    ([], Some(is_group)) => (!is_group || token == "}").then_some(())?,
                    ([key, ":", values @ ..], Some(false)) if !values.is_empty() => {
                        is_name(key).then_some(())?;
                        if *key == "font-family" {
                            found.push(values.iter().map(|value| value.to_string()).collect());
                        }
                    }
                    (["@charset" | "@import", place], None) if is_text(place) => {}
                    _ => return None,
                }
                (token == ";" || open.pop().is_some()).then_some(())?;
            }
            _ => {
                part.push(token);
                continue;
            }
        }
        part.clear();
    }
    (part.is_empty() && open.is_empty()).then_some(found)
}

/// The keys of some settings of a system.
fn registry_keys(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.lines();
    (lines.next()? == "Windows Registry Editor Version 5.00").then_some(())?;
    let mut found = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with(';')) {
        (!line.contains(char::is_control)).then_some(())?;
        if let Some(rest) = line.strip_prefix('[') {
            let key = rest.strip_suffix(']')?;
            let root = key.strip_prefix('-').unwrap_or(key).split('\\').next()?;
            let is_root = root.starts_with("HKEY_") && !key.contains(['[', ']']);
            found.push(Some(key).filter(|_| is_root)?);
            continue;
        }
        let value = match line.strip_prefix("@=") {
            Some(value) => value,
            None => line.strip_prefix('"')?.split_once("\"=")?.1,
        };
        let is_hex = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
        let is_right = match value.split_once(':') {
            Some(("dword", digits)) => digits.len() == 8 && is_hex(digits),
            Some(("hex", bytes)) => bytes.split(',').all(|byte| byte.len() == 2 && is_hex(byte)),
            _ => value == "-" || is_text(value),
        };
        (is_right && !found.is_empty()).then_some(())?;
    }
    Some(found)
}

/// The causes.
pub const NAMES: &[TwoSided] = &[
    TwoSided {
        name: "forty-eighth: sexp: wat: a module with two functions (func) of the same name",
        grammar: "@sexp",
        input: concat!(
            "(module\n  (memory 1)\n  (global $add (mut i32) (i32.const 0))\n",
            "  (func $add (param $x i32) (param $y i32) (result i32)\n    local.get $x\n    local.get $y\n    i32.add)\n",
            "  (func $add.wide (param $x i64) (result i64) (local.get $x))\n",
            "  (func $main (export \"add\") (call $add (i32.const 1) (i32.const -2)) drop)\n",
            "  (func $add (result f32) (f32.const 0.5)) ;; $main\n  (export \"main\" (func $main))\n",
            "  (data (i32.const 8) \"(func $x)\"))\n(module (func $main) (start $main))\n"
        ),
        valid: |input| functions(input).is_some(),
        fails: |input| functions(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let known = ["$add", "$main", "$x", "$add.wide", "$f32", "$loop"];
                let mut parts = picked(dice, &known, 4, 36);
                for name in &mut parts {
                    let bodies = [
                        "",
                        " (param $x i32) (result i32) local.get $x",
                        " (export \"add\") (call $add (i32.const 1) (i32.const -2)) drop",
                        " (result f32) (f32.const 0.5)",
                        "\n    (local $add i32)\n    nop",
                    ];
                    *name = format!("(func {name}{})", one(dice, &bodies));
                }
                let others = [
                    "(memory 1)",
                    "(global $add (mut i32) (i32.const 0))",
                    "(func (result i32) i32.const 4)",
                    "(export \"main\" (func $main))",
                    "(export \"main2\" (func $main))",
                    "(type $x (func (param i32)))",
                    "(data (i32.const 8) \"(func $x)\")",
                ];
                parts.extend(extras(dice, &others));
                let by = one(dice, &["\n  ", "\n  ", " ", " ;; $main\n  "]);
                format!("(module{by}{})", shuffled(dice, parts).join(by))
            }) + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: gherkin: two scenarios of the same name",
        grammar: "",
        input: concat!(
            "# language: en\n@checkout\nFeature: Paying\n  Scenarios for the cart.\n\n  Background:\n",
            "    Given a shop\n\n  Scenario: Pay with a card\n    Given the cart has\n      | item | price |\n",
            "      | tea  | 4.20  |\n    When I pay\n    Then I see \"Scenario: Pay\"\n\n  @slow\n  Scenario: Pay\n",
            "    * I pay\n    But the card is empty\n\n  Rule: Gifts\n\n  Scenario: Pay with a voucher\n",
            "    When I send\n      \"\"\"\n      Scenario: Pay with a voucher\n      \"\"\"\n\n",
            "  Scenario:  Pay with a card\n    When I pay\n"
        ),
        valid: |input| scenarios(input).is_some(),
        fails: |input| scenarios(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let start = extras(dice, &["# language: en\n", "@checkout\n"]).concat();
            let mut text = format!("{start}Feature: Paying\n");
            let others = ["  Scenarios for the cart.\n", "  Background:\n    Given a shop\n"];
            text += &extras(dice, &others).concat();
            let known = ["Pay", "Pay with a card", "Pay with a voucher", "pay", "Paying", "Refund"];
            for name in picked(dice, &known, 5, 55) {
                let between = one(dice, &["", "\n", "\n", "\n  @slow\n", "\n  # Scenario: Pay\n"]);
                let lines = [
                    "    Given the cart has\n      | item | price |\n      | tea  | 4.20  |\n",
                    "    When I pay\n",
                    "    Then I see \"Scenario: Pay\"\n",
                    "    And I send\n      \"\"\"\n      Scenario: Pay with a card\n      \"\"\"\n",
                    "    But the card is empty\n",
                ];
                let lines = extras(dice, &lines).concat();
                text += &format!("{between}  Scenario: {name}\n{lines}");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: css: fonts: a font-family with a character that is not ASCII",
        grammar: "@css",
        input: concat!(
            "@charset \"utf-8\";\n/* Schriften für alle */\nbody { margin: 0; font-family: Georgia, \"Times New Roman\", serif }\n",
            ".menu > li:before { content: \"→ \"; color: #333; }\n@font-face {\n  font-family: \"Grotesk\";\n",
            "  src: url(\"größe.woff2\");\n}\n@media (max-width: 600px) {\n",
            "  h1, .título { font-family: \"ＭＳ ゴシック\", monospace; line-height: 1.5 }\n  .note { font: 12px \"Noto Ü\"; }\n}\n",
            "code { font-family: Menlo }\n"
        ),
        valid: |input| families(input).is_some(),
        fails: |input| {
            families(input).is_some_and(|all| all.concat().iter().any(|value| !value.is_ascii()))
        },
        draw: |dice| {
            let others = [
                "/* Schriften für alle */\n",
                ".menu > li:before { content: \"→ \"; color: #333; }\n",
                ".note { font: 12px \"Noto Ü\"; }\n",
                "code { font-family: Menlo }\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut fonts = extras(dice, &["Georgia", "\"Times New Roman\"", "\"Noto Sans\""]);
                if chance(dice, 24) {
                    fonts.push(match dice.below(4) {
                        0 => one(dice, &["\"ＭＳ ゴシック\"", "微软雅黑", "\"Söhne\""]).to_owned(),
                        1 => format!("\"{} {}\"", word(dice, 6), foreign(dice)),
                        _ => format!("\"{}\"", foreign(dice)),
                    });
                }
                let mut fonts = shuffled(dice, fonts);
                fonts.push(one(dice, &["serif", "sans-serif", "monospace"]).to_owned());
                let others = ["margin: 0 4px", "color: #333", "content: \"é\"", "line-height: 1.5"];
                let mut pairs = extras(dice, &others);
                if chance(dice, 88) {
                    pairs.push(format!("font-family: {}", fonts.join(", ")));
                }
                let name = one(dice, &["body", "h1, .título", "@font-face", "a:hover", "#größe p"]);
                let pairs = shuffled(dice, pairs).join(one(dice, &["; ", ";\n  "]));
                let rule = format!("{name} {{ {pairs}{} }}", one(dice, &["", ";"]));
                parts.push(match chance(dice, 20) {
                    true => format!("@media (max-width: 600px) {{\n{rule}\n}}\n"),
                    false => rule + "\n",
                });
            }
            let start = one(dice, &["", "", "@charset \"utf-8\";\n"]);
            format!("{start}{}", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-eighth: plain: registry: a key ([...]) with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "Windows Registry Editor Version 5.00\n\n; Für alle Benutzer\n",
            "[HKEY_CURRENT_USER\\Software\\Contoso\\Editor]\n\"Author\"=\"José [Müller]\"\n\"Größe\"=dword:0000002a\n",
            "@=\"default\"\n\n[HKEY_CURRENT_USER\\Software\\Contoso\\Wörter Buch\\2]\n\"Path\"=\"C:/Daten\"\n",
            "\"State\"=hex:01,ff,00\n\n[-HKEY_LOCAL_MACHINE\\SOFTWARE\\Old App]\n\n[HKEY_CLASSES_ROOT\\.txt]\n",
            "\"Übersicht\"=-\n"
        ),
        valid: |input| registry_keys(input).is_some(),
        fails: |input| {
            registry_keys(input).is_some_and(|all| all.iter().any(|key| !key.is_ascii()))
        },
        draw: |dice| {
            let mut text = "Windows Registry Editor Version 5.00\n".to_owned();
            for _ in 0..1 + dice.below(4) {
                let mut parts: Vec<String> = Vec::new();
                for _ in 0..1 + dice.below(3) {
                    parts.push(match dice.below(9) {
                        0 => foreign(dice),
                        1..4 => format!("{} {}", word(dice, 6), word(dice, 5)),
                        _ => one(dice, &["Software", "Contoso", "Editor", "2", ".txt"]).to_owned(),
                    });
                }
                if chance(dice, 36) {
                    parts.retain(|part| part.is_ascii());
                }
                let root = one(
                    dice,
                    &[
                        "HKEY_CURRENT_USER",
                        "HKEY_LOCAL_MACHINE",
                        "-HKEY_CURRENT_USER",
                        "HKEY_CLASSES_ROOT",
                    ],
                );
                parts.insert(0, root.to_owned());
                let others = [
                    "\"Author\"=\"José [Müller]\"\n",
                    "\"Größe\"=dword:0000002a\n",
                    "@=\"default\"\n",
                    "\"State\"=hex:01,ff,00\n",
                    "; Für alle Benutzer\n",
                    "\"Path\"=\"C:/Daten\"\n",
                ];
                let values = extras(dice, &others).concat();
                text += &format!("{}[{}]\n{values}", one(dice, &["", "\n"]), parts.join("\\"));
            }
            text
        },
        patterns: &[],
    },
];
