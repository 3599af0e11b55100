//! Small texts as people write them, with the edit that a person would make. The validators are parsers in
//! Rust; a grammar takes the part of their messages where they are silent.

use std::sync::Arc;

use crate::repair::recovery::{Reader, Reads};
use crate::repair::validate::{Answer, InPlace};
use crate::repair::{Options, Repair, repair};
use seedsmith_engine::internal::Budget;
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;

fn json(text: &[u8]) -> Result<(), String> {
    let parsed = serde_json::from_slice::<serde_json::Value>(text);
    parsed.map(drop).map_err(|error| error.to_string())
}

fn hinted_by(grammar: &str) -> Options {
    let language = Substitutes::new(Language::open(grammar, None).unwrap());
    let hints: Arc<dyn Reads> = Arc::new(Reader::new(Arc::new(language)));
    Options { hints: Some(hints), ..Options::default() }
}

fn repaired<R: Into<Answer>>(says: impl Fn(&[u8]) -> R, input: &str, options: &Options) -> Repair {
    let mut validator = InPlace::new(says, Budget::default());
    repair(&mut validator, input.as_bytes(), options).unwrap()
}

fn text(found: Repair) -> String {
    String::from_utf8(found.text.unwrap()).unwrap()
}

#[test]
fn json_gets_the_edit_that_a_person_would_make() {
    for (input, expected) in [
        (r#"{"a": 1 "b": 2}"#, r#"{"a": 1, "b": 2}"#),
        ("{\u{201c}a\u{201d}: \u{201c}b\u{201d}}", r#"{"a": "b"}"#),
        ("{\"a\": [1, 2}", "{\"a\": [1, 2]}"),
        ("[\n  1\n  2,\n  3\n]\n", "[\n  1,\n  2,\n  3\n]\n"),
    ] {
        assert_eq!(text(repaired(json, input, &Options::default())), expected, "{input}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn toml_gets_the_edit_that_a_person_would_make() {
    let toml = |text: &[u8]| {
        let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
        toml::de::DeTable::parse(text).map(drop).map_err(|error| error.to_string())
    };
    for (input, expected) in [
        (
            "[package]\nname = seedsmith\nversion = \"0.1.0\"\n",
            "[package]\nname = \"seedsmith\"\nversion = \"0.1.0\"\n",
        ),
        ("[package\nname = \"a\"\n", "[package]\nname = \"a\"\n"),
        ("name = \"a\nversion = \"0.1.0\"\n", "name = \"a\"\nversion = \"0.1.0\"\n"),
        ("a = [\n  1\n  2,\n]\n", "a = [\n  1,\n  2,\n]\n"),
        (
            "[[bin]]\nname = \"a\"\n\n[bin]\nname = \"b\"\n",
            "[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n",
        ),
        ("a = { b = 1, c = [\"d\" }\n", "a = { b = 1, c = [\"d\"] }\n"),
        ("first = true\nsecond = ture\n", "first = true\nsecond = true\n"),
        ("born = 1979-5-27T07:32:00Z\n", "born = 1979-05-27T07:32:00Z\n"),
    ] {
        assert_eq!(text(repaired(toml, input, &Options::default())), expected, "{input}");
    }
}

const LIST: &str = "[\n {\"name\": \"one\", \"size\": [1, 2]},\n {\"name\": \"two\", \"size\": [3, 4]},\n \
                    {\"name\": \"three\", \"size\": []},\n {\"name\": \"four\", \"size\": [5]}\n]\n";

#[test]
fn a_grammar_takes_the_part_of_the_messages_of_a_silent_validator() {
    let silent = |text: &[u8]| json(text).is_ok();
    let input = LIST.replacen("\"size\": [3", "\"size\" [3", 1);
    let found = repaired(silent, &input, &hinted_by("json"));
    assert!(found.counts.tests <= 25, "{}", found.counts.tests);
    assert_eq!(text(found), LIST);
}

#[test]
fn a_grammar_that_is_not_the_validator_s_changes_no_result() {
    // Numbers in lines: nothing of it is a document of the grammar.
    let lines = |text: &[u8]| {
        text.split(|byte| *byte == b'\n')
            .all(|line| line.iter().all(u8::is_ascii_digit) && line.len() < 4)
    };
    let input = "12\n345\n6x7\n89\n10\n11\n12\n13\n";
    let plain = repaired(lines, input, &Options::default());
    let hinted = repaired(lines, input, &hinted_by("json"));
    assert_eq!(plain, hinted);
    // What the grammar knows is stricter than the validator: comments.
    let with_comments = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let kept: Vec<&str> =
            text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        json(kept.join("\n").as_bytes()).is_ok()
    };
    let input =
        LIST.replacen("},", "}, // the first", 1).replacen("\"size\": [3", "\"size\" [3", 1);
    let found = text(repaired(with_comments, &input, &hinted_by("json")));
    assert_eq!(found, input.replacen("\"size\" [3", "\"size\": [3", 1));
}
