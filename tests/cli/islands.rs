//! Islands: text in another grammar inside tokens, by a format file of picireny's kind.

use crate::scratch::Scratch;

/// A grammar of entries whose strings hold JSON, and the file that declares these islands.
fn entries() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "g/Entries.g4",
        "grammar Entries; file: entry* EOF; entry: NAME '=' TEXT; NAME: [a-z]+;
         TEXT: '\\'' ~'\\''* '\\''; WS: [ \\n]+ -> skip;\n",
    );
    scratch.write(
        "g/format.json",
        r#"{"start": "entries:file", "grammars": {
            "entries": {"files": ["Entries.g4"], "islands": {"TEXT": "'(?P<json:value>.*)'"}},
            "json": {"files": ["json"], "replacements": {"value": "0"}}}}"#,
    );
    scratch.write("crash", "a='7' bad = '[1, {\"x\": [2, \"foo\", true]}, 3]' c='{}'\n");
    scratch
}

#[test]
fn what_is_inside_a_token_is_reduced_along_its_own_tree() {
    let scratch = entries();
    let by_islands = ["crash", "--islands", "g/format.json", "--strategy", "picireny"];
    let ended = scratch.run_foo(&[&by_islands[..], &["--picireny", "hoist", "-o", "out"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("out").trim(), "a='\"foo\"'");
}

#[test]
fn a_circle_of_islands_and_a_broken_format_are_refused() {
    let scratch = entries();
    let circle = scratch.read("g/format.json").replace(
        "\"files\": [\"json\"]",
        "\"files\": [\"json\"], \"islands\": {\"STRING\": \"(?P<entries:file>.*)\"}",
    );
    scratch.write("circle.json", circle.replace("Entries.g4", "g/Entries.g4"));
    let ended = scratch.run_foo(&["crash", "--islands", "circle.json"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("circle.json:3: the islands in STRING go in a circle: ")
            && ended.stderr.contains("entries -> json -> entries"),
        "{}",
        ended.stderr
    );
    let ended = scratch.run_foo(&["crash", "--islands", "none.json"]);
    assert!(ended.stderr.contains("none.json") && ended.code == Some(2), "{}", ended.stderr);
}
