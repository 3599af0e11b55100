//! `tmin` with the default features, which have no parsers of tree-sitter's.

use std::process::Command;

use crate::built::tmin;

fn stderr(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stderr).unwrap()
}

#[test]
fn a_build_without_the_languages_says_once_which_feature_reads_a_c_file() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "int main(void) { return 0; }\n".repeat(8);
    let note = "no parser for c; cargo install seedsmith --features languages adds it";
    let of = |name: &str, bytes: &str, options: &[&str]| {
        let input = scratch.path().join(name);
        std::fs::write(&input, bytes).unwrap();
        let command = &mut tmin();
        command.arg(input).args(options).args(["--force", "--", "grep", "-q", "return", "{}"]);
        stderr(command).matches(note).count()
    };
    assert_eq!(of("crash.c", &text, &[]), 1);
    // Named otherwise, not asked for, known by a built-in grammar, too short to matter.
    assert_eq!(of("crash", &text, &[]), 0);
    assert_eq!(of("bytes.c", &text, &["--grammar", "bytes"]), 0);
    assert_eq!(of("crash.json", &text, &[]), 0);
    assert_eq!(of("short.c", "return", &[]), 0);
}
