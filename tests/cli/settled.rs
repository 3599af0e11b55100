//! The result of the default strategy is as small as a second run of the program would make it, and
//! the language that it guessed is reported.

use crate::json::lines;
use crate::scratch::Scratch;

const PROGRAM: &str = r#"struct node { int value; struct node *next; };

static int sum(const struct node *head) {
    int total = 0;
    while (head != NULL) {
        total += head->value;
        head = head->next;
    }
    return total;
}

static int average(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; i++) {
        total += values[i];
    }
    return total / (count * 0);
}
"#;

/// Wants brackets that close each other and a few pieces of the program, as a compiler and `grep`
/// do.
const ORACLE: &str = r##"LC_ALL=C exec awk 'BEGIN { RS = "\001" }
{
    size = length($0)
    named = index($0, "count * 0") && index($0, "total") && index($0, "head->value")
    braces = gsub(/[{]/, "&"); closed = gsub(/[}]/, "&")
    parentheses = gsub(/[(]/, "&"); ended = gsub(/[)]/, "&")
}
END { exit !(named && braces >= 2 && braces == closed && parentheses == ended && size % 3 == SIZE) }' "$1"
"##;

const ITEMS: &str = "{\"a\": [1, 2, null], \"b\": \"some text\"}";

fn many_items() -> String {
    format!("[{}, \"foo\"]", [ITEMS; 12].join(",\n "))
}

#[test]
fn a_second_run_of_the_program_on_its_result_changes_nothing() {
    let scratch = Scratch::new();
    let oracle = ORACLE.replace("SIZE", &(PROGRAM.len() % 3).to_string());
    scratch.write("oracle.sh", oracle);
    scratch.write("crash.c", PROGRAM);
    let shrunk = |input: &str, jobs: &str| {
        let ended = scratch.run(&[input, "-j", jobs, "--", "sh", "oracle.sh", "{}"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        scratch.read(ended.stdout.trim_end())
    };
    let once = shrunk("crash.c", "2");
    assert!(once.len() < 60, "{once}");
    // Under the name that results have, and under one with the input's ending.
    assert_eq!(shrunk("crash.c.min", "2"), once);
    scratch.write("again.c", &once);
    assert_eq!(shrunk("again.c", "1"), once);
    std::fs::remove_file(scratch.path().join("crash.c.min")).unwrap();
    assert_eq!(shrunk("crash.c", "1"), once);
}

#[test]
fn a_guessed_language_is_named_with_how_to_turn_it_off() {
    let scratch = Scratch::new();
    scratch.write("crash.json", many_items());
    let note = "guessed language: json, from the ending of its file name; --grammar names another \
                one, --grammar bytes uses none";
    let ended = scratch.run_foo(&["crash.json", "-o", "told"]);
    assert!(ended.stderr.starts_with(&format!("tmin: {note}\n")), "{}", ended.stderr);
    let notes = |arguments: &[&str]| {
        let told = lines(&scratch.run_foo(arguments).stdout).into_iter();
        told.filter(|event| event["event"] == "note").collect::<Vec<_>>()
    };
    let told = notes(&["crash.json", "--json", "-o", "as-json"]);
    assert_eq!(
        told,
        [
            serde_json::json!({ "event": "note", "version": 1, "kind": "guessed_language", "text": note })
        ]
    );
    let none = [serde_json::Value::Null; 0];
    assert_eq!(notes(&["crash.json", "--json", "-o", "flat", "--grammar", "bytes"]), none);
    assert_eq!(notes(&["crash.json", "--json", "-o", "named", "--grammar", "json"]), none);
}

#[test]
fn a_named_grammar_is_used_for_an_input_of_a_few_bytes() {
    let scratch = Scratch::new();
    scratch.write("crash", "[1, [2, \"foo\"]]");
    let levels = |arguments: &[&str]| scratch.run_foo(arguments).stderr.contains("  levels ");
    assert!(levels(&["crash", "--stats", "-o", "named", "--grammar", "json"]));
    assert!(!levels(&["crash", "--stats", "-o", "flat"]));
}
