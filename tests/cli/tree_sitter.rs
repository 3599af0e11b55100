//! tree-sitter's parsers in the programs: by name, by the input's ending, from a library, and the
//! messages if they don't fit.

use crate::json::lines;
use crate::scratch::{Ended, Scratch};

const PYTHON: &str = "import os\n\ndef first(a, b):\n    return a + b\n\n\
    def second(x):\n    if x:\n        print(x, 'y')\n    return [1, 2, x]\n\nfirst(1, 2)\n";

/// Minimizes along the tree only, so that the result shows which tree it was.
fn shrunk(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let rest = ["--strategy", "hdd*", "-o", "out", "--", "grep", "-q", "return.*x", "{}"];
    scratch.run(&[arguments, &rest].concat())
}

#[test]
fn a_python_file_shrinks_along_the_tree_of_its_ending_or_of_the_parser_s_name() {
    let scratch = Scratch::new();
    scratch.write("crash.py", PYTHON);
    scratch.write("crash", PYTHON);
    let by_ending = shrunk(&scratch, &["crash.py"]);
    assert_eq!(by_ending.code, Some(0), "{}", by_ending.stderr);
    let result = scratch.read("out");
    assert!(result.len() < 40 && result.contains("return"), "{result}");
    std::fs::remove_file(scratch.path().join("out")).unwrap();
    let by_name = shrunk(&scratch, &["crash", "--grammar", "tree-sitter:python"]);
    assert_eq!(by_name.code, Some(0), "{}", by_name.stderr);
    assert_eq!(scratch.read("out"), result);
}

#[test]
fn parsers_that_are_not_there_give_a_line() {
    let scratch = Scratch::new();
    scratch.write("crash", PYTHON);
    for (arguments, message) in [
        (
            &["--grammar", "tree-sitter:cobol"][..],
            "no tree-sitter parser cobol; there are bash, c,",
        ),
        (
            &["--tree-sitter", "none.so:tree_sitter_x"],
            "load the tree-sitter library none.so: No such file",
        ),
        (&["--tree-sitter", "none.so"], "no tree-sitter parser none.so; there are"),
        (&["--grammar", "tree-sitter:python", "--start", "module"], "take no --start"),
        (&["--grammar", "json", "--tree-sitter", "a:b"], "cannot be used with"),
    ] {
        let ended = shrunk(&scratch, &[&["crash"], arguments].concat());
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
    let ended = scratch.repair(&["crash", "--grammar", "tree-sitter:python", "--", "true"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("tree-sitter:python is for tmin"), "{}", ended.stderr);
}

#[test]
fn without_a_name_the_parser_with_the_least_amiss_is_taken() {
    let scratch = Scratch::new();
    scratch.write("crash", PYTHON);
    let ended = shrunk(&scratch, &["crash"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("guessed language: tree-sitter:python"), "{}", ended.stderr);
    let result = scratch.read("out");
    assert!(result.len() < 40 && result.contains("return"), "{result}");
}

#[test]
fn a_parser_s_kinds_of_nodes_and_its_trees_are_shown() {
    let scratch = Scratch::new();
    let ended = scratch.seedsmith(&["grammar", "tree-sitter:json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.starts_with("grammar json, starts with document\n\n"), "{}", ended.stdout);
    // How wide the columns are is none of this test's business.
    let shown = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        " value: _value ",
        " array _value* ",
        " number - ",
        " '[' \"[\" ",
        " learnt from each input",
    ] {
        assert!(shown.contains(words), "{words} is not in {}", ended.stdout);
    }
    let told = lines(&scratch.seedsmith(&["grammar", "tree-sitter:json", "--json"]).stdout);
    assert_eq!(told[0]["complete"], false);
    scratch.write("in", "[1, {}");
    let ended = scratch.seedsmith(&["grammar", "tree-sitter:json", "--parse", "in"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.contains("number"), "{}", ended.stdout);
    let ended = scratch.seedsmith(&["grammar", "tree-sitter:cobol"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}
