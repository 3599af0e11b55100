//! `cargo seedsmith grammar`: its output about grammars and about files read with them.

use crate::json::lines;
use crate::scratch::Scratch;

#[test]
fn the_built_in_grammars_are_listed() {
    let scratch = Scratch::new();
    let ended = scratch.seedsmith(&["grammar", "--list"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(ended.stdout.lines().count(), 17);
    let row = ended.stdout.lines().find(|line| line.contains("javascript")).unwrap();
    assert!(row.contains("js mjs ecmascript") && row.contains("without"), "{row}");
    let told = lines(&scratch.seedsmith(&["grammar", "--list", "--json"]).stdout);
    assert!(told.iter().any(|line| line["name"] == "json"));
}

#[test]
fn a_grammar_is_shown_with_its_shortest_texts() {
    let ended = Scratch::new().seedsmith(&["grammar", "json"]);
    assert_eq!(
        ended.stdout,
        "grammar Json, starts with document\n\n\
         \x20 rule      shortest  definition\n\
         \x20 document  \"0\"       value EOF\n\
         \x20 value     \"0\"       object | array | string | number | literal\n\
         \x20 object    \"{}\"      '{' (pair (',' pair)*)? '}'\n\
         \x20 pair      \"\\\"\\\":0\"  string ':' value\n\
         \x20 array     \"[]\"      '[' (value (',' value)*)? ']'\n\
         \x20 string    \"\\\"\\\"\"    STRING\n\
         \x20 number    \"0\"       NUMBER\n\
         \x20 literal   \"null\"    'true' | 'false' | 'null'\n\n\
         \x20 token   shortest\n\
         \x20 STRING  \"\\\"\\\"\"\n\
         \x20 NUMBER  \"0\"\n"
    );
}

#[test]
fn what_is_useless_or_not_honoured_in_a_grammar_is_named() {
    let scratch = Scratch::new();
    scratch
        .write("T.g4", "grammar T; a: {x()}? 'x' EOF; b: 'y' {y();}; c: 'z' c; fragment F: 'f';");
    let ended = scratch.seedsmith(&["grammar", "T.g4"]);
    assert_eq!(ended.code, Some(0));
    for remark in [
        "not reached from the start: b, c\n",
        "without any finite text: c\n",
        "fragments that nothing uses: F\n",
        "not honoured: predicates are taken as true in a\n",
        "not honoured: actions are not run in b\n",
    ] {
        assert!(ended.stdout.contains(remark), "{remark} is not in {}", ended.stdout);
    }
    let told = lines(&scratch.seedsmith(&["grammar", "T.g4", "--json"]).stdout);
    assert_eq!(told[0]["rules"][2]["minimal"], serde_json::Value::Null);
    assert_eq!(told[0]["rules"][1]["reachable"], false);
}

#[test]
fn a_parse_tree_is_shown_with_its_errors_by_line_and_column() {
    let scratch = Scratch::new();
    scratch.write("good", "[1]");
    let ended = scratch.seedsmith(&["grammar", "json", "--parse", "good"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let tree = "document\n  value\n    array\n      '['\n      value\n        number\n          \
                NUMBER \"1\"\n      ']'\n  EOF\n";
    assert_eq!(ended.stdout, tree);
    scratch.write("bad", "{\"a\": 1,\n \"é\" 2}");
    let ended = scratch.seedsmith(&["grammar", "json", "--parse", "bad"]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr, "grammar: bad:2:6: ':' is missing\n");
    let told = lines(&scratch.seedsmith(&["grammar", "json", "--parse", "bad", "--json"]).stdout);
    assert_eq!(told[0]["errors"][0]["column"], 6);
    assert_eq!(told[0]["nodes"][0]["end"], 17);
}

#[test]
fn of_many_errors_the_first_are_shown_and_the_others_counted() {
    let scratch = Scratch::new();
    scratch.write("deep", "<a b=".repeat(1000));
    let ended = scratch.seedsmith(&["grammar", "xml", "--parse", "deep"]);
    assert_eq!(ended.code, Some(1));
    let shown: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(shown.len(), 21, "{}", ended.stderr);
    assert!(shown[20].ends_with(" more"), "{}", shown[20]);
    let ended = scratch.seedsmith(&["grammar", "xml", "--parse", "deep", "--json"]);
    let told = lines(&ended.stdout);
    assert_eq!(told[0]["errors"].as_array().unwrap().len(), 20);
    assert!(told[0]["errors_left_out"].as_u64().unwrap() > 900);
}

#[test]
fn bad_grammars_and_deep_inputs_give_a_line_and_not_a_crash() {
    let scratch = Scratch::new();
    scratch.write("U.g4", "grammar U;\na: b;");
    scratch.write("I.g4", "grammar I;\nimport X;\na: 'x';");
    scratch.write("S.g4", "grammar S;\na: 'x'\nb: ;");
    scratch.write("L.g4", "grammar L;\na: b a 'x' | 'y';\nb: 'z'?;");
    scratch.write("E.g4", "grammar E;\na: a | 'x';");
    for (arguments, code, message) in [
        (&["S.g4"][..], 2, "S.g4:3:"),
        (&["L.g4"], 2, "L.g4:2:"),
        (&["E.g4"], 2, "E.g4:2:"),
        (&["U.g4"], 2, "U.g4:2: rule a refers to b, which is not defined"),
        (&["I.g4"], 2, "I.g4:2: imported grammar X is missing"),
        (&["none.g4"], 2, "failed to read the grammar none.g4"),
        (&["cobol"], 2, "no grammar cobol; there are arithmetic, css,"),
        (&["json", "--start", "thing"], 2, "grammar Json has no rule thing to start with"),
        (&["json", "--parse", "none"], 6, "failed to read none"),
    ] {
        let ended = scratch.seedsmith(&[&["grammar"], arguments].concat());
        assert_eq!(ended.code, Some(code), "{}", ended.stderr);
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
    let large = format!("[{}1]", "[1, {\"a\": \"some text\"}],\n".repeat(400_000));
    assert!(large.len() > 10_000_000);
    scratch.write("large", large);
    let ended =
        scratch.seedsmith(&["grammar", "json", "--parse", "large", "--max-parse-time", "0.05"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    scratch.write("deep", "[".repeat(100_000));
    let ended = scratch.seedsmith(&["grammar", "json", "--parse", "deep"]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    let ended =
        scratch.seedsmith(&["grammar", "json", "--parse", "deep", "--max-parse-time", "0.000001"]);
    assert_eq!(ended.code, Some(1));
    // How far it comes within a microsecond depends on the machine.
    let (_, stopped) = ended.stderr.split_once("the parse was stopped at byte ").unwrap();
    let (offset, _) = stopped.split_once(": it takes too long").unwrap();
    assert!(offset.parse::<usize>().unwrap() < 100_000, "{}", ended.stderr);
}
