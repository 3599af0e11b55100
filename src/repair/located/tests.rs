//! Repairs with validators of a few lines: one of nested elements, one of lines.

mod bounded_loss;
mod definitions;
mod small_texts;

use crate::repair::validate::InPlace;
use crate::repair::{Options, Repair, repair};
use seedsmith_engine::internal::Budget;

/// Elements that are closed by their own names, one at the top, and references that end in `;`. The
/// error is the place of the first fault.
fn elements(text: &[u8]) -> Result<(), String> {
    let fault = |at: usize| {
        let line = text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        Err(format!("line {line}, column {}: bad", at - start + 1))
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric();
    let (mut open, mut at, mut tops) = (Vec::new(), 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let name = |from: usize| {
            let length = rest[from..].iter().take_while(|byte| is_name(byte)).count();
            (&rest[from..from + length], from + length)
        };
        match rest[0] {
            b'<' => {
                let is_end = rest.get(1) == Some(&b'/');
                let (own, end) = name(1 + usize::from(is_end));
                if own.is_empty() || rest.get(end) != Some(&b'>') {
                    return fault(at);
                }
                if !is_end {
                    tops += usize::from(open.is_empty());
                    open.push(own);
                } else if open.pop() != Some(own) {
                    return fault(at);
                }
                at += end + 1;
            }
            b'&' => {
                let (own, end) = name(1);
                if own.is_empty() || rest.get(end) != Some(&b';') {
                    return fault(at);
                }
                at += end + 1;
            }
            byte if open.is_empty() && !byte.is_ascii_whitespace() => return fault(at),
            _ => at += 1,
        }
    }
    if open.is_empty() && tops == 1 { Ok(()) } else { fault(text.len()) }
}

fn spoken(input: &str, budget: Budget) -> Repair {
    let mut validator = InPlace::new(elements, budget);
    repair(&mut validator, input.as_bytes(), &Options::default()).unwrap()
}

fn silent(input: &str) -> Repair {
    let is_valid = |text: &[u8]| elements(text).is_ok();
    let mut validator = InPlace::new(is_valid, Budget::default());
    repair(&mut validator, input.as_bytes(), &Options::default()).unwrap()
}

fn text(repair: Repair) -> String {
    String::from_utf8(repair.text.unwrap()).unwrap()
}

const TWO_IN_LINES: &str = "<r>\n<a>one</a>\n<b>two &</b>\n<c>three & x</c>\n<d>four</d>\n</r>";
const TWO_NESTED: &str = "<a>fish & chips<b> x & y</b></a>";

#[test]
fn two_lone_ampersands_are_escaped_whether_the_validator_speaks_or_not() {
    for input in [TWO_IN_LINES, TWO_NESTED] {
        let escaped = input.replace('&', "&amp;");
        let found = spoken(input, Budget::default());
        assert!(found.counts.tests < 200, "{}", found.counts.tests);
        assert_eq!(text(found), escaped);
        assert_eq!(text(silent(input)), escaped);
    }
}

#[test]
fn a_misspelt_end_tag_gets_the_name_of_its_element_and_the_rest_stays() {
    let item = |n: u32| format!("<entry><link>page {n}</link><title>no {n}</title></entry>\n");
    let items: String = (0..120).map(item).collect();
    let whole = format!("<feed>\n{items}</feed>\n");
    let damaged = whole.replacen("page 60</link>", "page 60</lnk>", 1);
    assert_eq!(text(spoken(&damaged, Budget::default())), whole);
    assert_eq!(text(silent(&damaged)), whole);
    assert_eq!(text(spoken("<r><b>x</lb></r>", Budget::default())), "<r><b>x</b></r>");
}

#[test]
fn five_faults_are_mended_one_after_the_other() {
    let row = |n: u32| format!("<row><key>name {n}</key><value>{}</value></row>\n", n * 7);
    let rows: String = (0..60).map(row).collect();
    let whole = format!("<rows>\n{rows}</rows>\n");
    let damaged = whole
        .replacen("name 5</key>", "name 5</kye>", 1)
        .replacen("name 17</key>", "name 17<key>", 1)
        .replacen("<key>name 29", "<keyname 29", 1)
        .replacen("name 41</key>", "name 41&</key>", 1)
        .replacen("name 53</key>", "name 53/key>", 1);
    let budget = Budget { max_tests: Some(1000), ..Budget::default() };
    let found = spoken(&damaged, budget);
    let repaired = text(found);
    let off = crate::repair::distance::distance(damaged.as_bytes(), repaired.as_bytes(), 99);
    assert!(off <= 12, "{off} {repaired}");
}

#[test]
fn json_as_people_write_it_keeps_its_data() {
    let is_json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).is_ok();
    let repaired = |input: &str| {
        let mut validator = InPlace::new(is_json, Budget::default());
        text(repair(&mut validator, input.as_bytes(), &Options::default()).unwrap())
    };
    assert_eq!(
        repaired("{name: \"x\", tags: ['a', 'b',], // two\n ok: True}"),
        "{\"name\": \"x\", \"tags\": [\"a\", \"b\"],\n \"ok\": true}"
    );
}

#[test]
fn what_the_validator_accepts_of_loose_json_stays() {
    // Comments are fine, all else has to be JSON.
    let is_valid = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let lines: Vec<&str> =
            text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        serde_json::from_str::<serde_json::Value>(&lines.join("\n")).is_ok()
    };
    let mut validator = InPlace::new(is_valid, Budget::default());
    let input = b"{\n  // a note\n  a: 1,\n  b: 2\n}";
    let found = repair(&mut validator, input, &Options::default()).unwrap();
    assert_eq!(text(found), "{\n  // a note\n  \"a\": 1,\n  \"b\": 2\n}");
}

#[test]
fn a_text_that_only_begins_like_json_keeps_its_marks() {
    // Lines are `[name]` or `name = 'text'`.
    let says = |text: &[u8]| {
        for (number, line) in String::from_utf8_lossy(text).lines().enumerate() {
            let place = |column| format!("{{}}:{}:{column}: error", number + 1);
            if let Some(rest) = line.strip_prefix('[') {
                let close = rest.find(']').ok_or_else(|| place(line.len() + 1))?;
                if close + 1 < rest.len() {
                    return Err(place(close + 3));
                }
                continue;
            }
            let Some((name, text)) = line.split_once(" = ") else { return Err(place(1)) };
            let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            if inner.is_none_or(|inner| inner.contains('\'')) {
                return Err(place(name.len() + 4));
            }
        }
        Ok(())
    };
    let mut validator = InPlace::new(says, Budget::default());
    let found = repair(&mut validator, b"[s]\nkey = 'a, b'\n[t]]", &Options::default()).unwrap();
    assert!(found.counts.tests < 20, "{}", found.counts.tests);
    assert_eq!(text(found), "[s]\nkey = 'a, b'\n[t]");
}

#[test]
fn what_the_message_asks_for_is_tried_where_it_is_missed() {
    // Lines are `name: value;`.
    let says = |text: &[u8]| {
        for (number, line) in String::from_utf8_lossy(text).lines().enumerate() {
            let place = |column| format!("{{}}:{}:{column}: error: expected", number + 1);
            let Some(colon) = line.find(':') else { return Err(place(1) + " ':'") };
            if !line.ends_with(';') || colon == 0 {
                return Err(place(line.len() + 1) + " ';'");
            }
        }
        Ok(())
    };
    let mut validator = InPlace::new(says, Budget::default());
    let input = b"width: 10;\nheight: 20\ndepth: 30;\ncolour: red\n";
    let found = repair(&mut validator, input, &Options::default()).unwrap();
    assert!(found.counts.tests < 200, "{}", found.counts.tests);
    assert_eq!(text(found), "width: 10;\nheight: 20;\ndepth: 30;\ncolour: red;\n");
}

/// The examples of `docs/src/repair.md`: of edits that are equally likely the first of the documented order.
#[test]
fn of_equal_edits_the_first_of_the_documented_order_is_made() {
    for (damaged, expected) in [
        // A lone bad byte is escaped; no letter takes its place.
        ("<a>fish & chips</a>", "<a>fish &amp; chips</a>"),
        ("<a>t<>more</a>", "<a>t&lt;>more</a>"),
        // A transposition is undone.
        ("<r><link>x</lnik></r>", "<r><link>x</link></r>"),
        // A tag lacks its end.
        ("<r><b>x</b</r>", "<r><b>x</b></r>"),
        // An end tag takes the name of its element, so that the tree keeps its shape.
        ("<r><b>x</lb></r>", "<r><b>x</b></r>"),
    ] {
        assert_eq!(text(spoken(damaged, Budget::default())), expected, "{damaged}");
    }
}

#[test]
fn a_terminal_that_is_lost_comes_back_also_where_a_line_ends_in_its_place() {
    let is_json = |text: &[u8]| {
        let read = serde_json::from_slice::<serde_json::Value>(text);
        read.map(drop).map_err(|error| error.to_string())
    };
    for (damaged, expected) in [
        ("{\"sourceType\"\n\"module\"}", serde_json::json!({"sourceType": "module"})),
        ("{\"a\": 1", serde_json::json!({"a": 1})),
    ] {
        for speaks in [true, false] {
            let said = |text: &[u8]| {
                is_json(text).map_err(|said| if speaks { said } else { String::new() })
            };
            let mut validator = InPlace::new(said, Budget::default());
            let found =
                text(repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap());
            let data: serde_json::Value = serde_json::from_str(&found).unwrap();
            assert_eq!(data, expected, "{damaged} {speaks}: {found}");
        }
    }
}

/// Statements `put NAME (VALUE, VALUE);` about names that `new NAME;` has made; a message names a word and no
/// place, as sqlite3's do.
fn statements(text: &[u8]) -> Result<(), String> {
    let text =
        String::from_utf8_lossy(text).replace('(', " ( ").replace(')', " ) ").replace(',', " , ");
    let Some(body) = text.trim_end().strip_suffix(';') else {
        return if text.trim().is_empty() { Ok(()) } else { Err("incomplete input".to_owned()) };
    };
    let mut names = Vec::new();
    for statement in body.split(';') {
        let words: Vec<&str> = statement.split_whitespace().collect();
        let near = |word: &str| Err(format!("near \"{word}\": syntax error"));
        match words.as_slice() {
            ["new", _, next, ..] => return near(next),
            ["new", name] => names.push((*name).to_owned()),
            ["put", name, rest @ ..] => {
                for (at, word) in rest.iter().enumerate() {
                    let fits = match at {
                        0 => *word == "(",
                        _ if at + 1 == rest.len() => *word == ")",
                        _ if at % 2 == 0 => *word == ",",
                        _ => word.parse::<u32>().is_ok(),
                    };
                    if !fits {
                        return near(word);
                    }
                }
                if rest.len() < 5 {
                    return Err("incomplete input".to_owned());
                }
                if !names.iter().any(|known| known == name) {
                    return Err(format!("no such table: {name}"));
                }
            }
            [first, ..] if *first != "put" && *first != "new" => return near(first),
            [_, .., last] => return near(last),
            _ => return near(";"),
        }
    }
    Ok(())
}

#[test]
fn statements_with_several_faults_are_mended_by_words_that_messages_name() {
    let rows = |name: &str| -> String {
        (0..40).map(|n| format!("put {name} ( {} , {} );\n", n * 37, n * 11)).collect()
    };
    let whole = format!("new accounts;\nnew payments;\n{}{}", rows("accounts"), rows("payments"));
    let damaged = whole.replacen("( 37 , 11 )", "( 37 11 )", 1).replacen(
        "put accounts ( 333",
        "pu taccounts ( 333",
        1,
    );
    let budget = Budget { max_tests: Some(1000), ..Budget::default() };
    let mut validator = InPlace::new(statements, budget);
    let found = text(repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap());
    let off = crate::repair::distance::distance(whole.as_bytes(), found.as_bytes(), 99);
    assert!(off <= 8, "{off}: {found}");
}

#[test]
fn a_wrong_name_in_a_statement_with_wrong_syntax_is_mended_after_the_syntax() {
    let rows: String = (0..40).map(|n| format!("put accounts ( {} , {} );\n", n * 37, n)).collect();
    let whole = format!("new accounts;\n{rows}");
    let damaged = whole.replacen("accounts ( 333 ,", "acocunts ( 333 ,,", 1);
    let budget = Budget { max_tests: Some(1000), ..Budget::default() };
    let mut validator = InPlace::new(statements, budget);
    let found = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
    assert!(found.counts.tests < 700, "{}", found.counts.tests);
    assert_eq!(text(found), whole);
}

/// Lines `name = "value"`. Quotation marks are looked at in all lines before anything else is, as Python's
/// tokens are.
fn assignments(text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    let fault = |number: usize, why: &str| Err(format!("line {}: {why}", number + 1));
    for (number, line) in text.lines().enumerate() {
        if line.matches('"').count() % 2 == 1 {
            return fault(number, "a string has no end");
        }
    }
    for (number, line) in text.lines().enumerate() {
        let is_good = line.split_once(" = ").is_some_and(|(name, value)| {
            let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            name.bytes().all(|byte| byte.is_ascii_lowercase())
                && value.is_some_and(|value| !value.contains('"'))
        });
        if !is_good {
            return fault(number, "bad");
        }
    }
    Ok(())
}

#[test]
fn a_report_of_another_kind_on_an_earlier_line_shows_that_a_fault_is_mended() {
    let names = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    let line = |name: &&str| format!("{name} = \"value of {name}\"\n");
    let whole: String = names.iter().map(line).collect();
    let damaged = whole
        .replacen("second = ", "second + ", 1)
        .replacen("of fourth\"", "of fourth", 1)
        .replacen("= \"value of seventh", "= value of seventh", 1);
    let mut validator = InPlace::new(assignments, Budget::default());
    let found = repair(&mut validator, damaged.as_bytes(), &Options::default()).unwrap();
    assert!(found.counts.tests < 400, "{}", found.counts.tests);
    // What the validator says of the last text that it rejected is kept.
    assert_eq!(found.rejected.as_ref().unwrap().text(), b"line 2: bad");
    assert_eq!(text(found), whole);
}
