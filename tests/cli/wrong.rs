//! Wrong command lines, in a table: `tests/cli/wrong.txt` has for each the exit code and everything on
//! stderr, which is at most eight lines. `SEEDSMITH_BLESS=1 cargo test --test cli` renews it.
//!
//! Each line is run by `sh` in a new folder, which has the files of [`folder`].

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::scratch::{Ended, Scratch};

/// The most lines that a message has.
const MAX_LINES: usize = 8;
/// The fewest command lines that the table has.
const MIN_ROWS: usize = 40;

const MANIFEST: &str = r#"
[package]
name = "scratch-fuzz"
version = "0.0.0"
edition = "2021"

[package.metadata]
cargo-fuzz = true

[workspace]

[[bin]]
name = "query"
path = "fuzz_targets/query.rs"

[[bin]]
name = "parse"
path = "fuzz_targets/parse.rs"
"#;

/// `package` is a project with a fuzz package, whose targets are never built; the other files are
/// outside of it.
fn folder() -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in [
        ("t.txt", "an x\n"),
        ("empty", ""),
        ("folder/.hidden", "x"),
        ("check.sh", "grep -q x \"$1\"\n"),
        ("many/a", "x"),
        ("many/b", "xx"),
        ("crash-aa", "x"),
        ("crash-ab", "xx"),
        ("bad.g4", "grammar bad; start: missing ;\n"),
        ("package/fuzz/Cargo.toml", MANIFEST),
        ("package/fuzz/fuzz_targets/query.rs", "fn main() {}"),
        ("package/fuzz/fuzz_targets/parse.rs", "fn main() {}"),
        ("package/fuzz/artifacts/query/crash-11", "1"),
        ("package/fuzz/artifacts/query/crash-12", "12"),
        ("package/fuzz/artifacts/parse/crash-77", "77"),
        ("settings/fuzz/Cargo.toml", MANIFEST),
        ("settings/fuzz/fuzz_targets/query.rs", "fn main() {}"),
        ("settings/fuzz/fuzz_targets/parse.rs", "fn main() {}"),
        ("settings/fuzz/artifacts/query/crash-11", "1"),
    ] {
        let path = scratch.write(name, text);
        // Crashes are listed by time: equal times leave the order to the paths.
        std::fs::File::options().append(true).open(path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }
    // A hole: it takes no space.
    let large = std::fs::File::create(scratch.path().join("large")).unwrap();
    large.set_len((512 << 20) + 1).unwrap();
    scratch
}

fn run(line: &str) -> Ended {
    let scratch = folder();
    let programs = Path::new(env!("CARGO_BIN_EXE_seedsmith")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
    let mut command = scratch.command("sh");
    command.env("PATH", std::env::join_paths(path).unwrap()).args(["-c", line]);
    let mut ended = Ended::of(command.output().unwrap());
    ended.stderr = ended.stderr.replace(&scratch.path().display().to_string(), "[folder]");
    ended
}

/// A row as it is in the table.
fn row(line: &str) -> String {
    let Ended { code, stderr, .. } = run(line);
    format!("$ {line}\n? {}\n{stderr}", code.expect("no signal ends the program"))
}

#[test]
fn each_wrong_command_line_is_answered_in_a_few_lines_with_the_way_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/wrong.txt");
    let table = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(lines.len() >= MIN_ROWS, "{} command lines", lines.len());
    let rows: Vec<String> = lines.iter().map(|line| row(line)).collect();
    for (line, row) in lines.iter().zip(&rows) {
        let said = row.lines().count() - 2;
        assert!((1..=MAX_LINES).contains(&said), "{said} lines for {line}");
        assert!(!row.contains("\n? 0\n"), "{line}");
    }
    let rows = rows.join("\n");
    if std::env::var_os("SEEDSMITH_BLESS").is_some() {
        std::fs::write(&path, &rows).unwrap();
    }
    assert_eq!(rows, std::fs::read_to_string(&path).unwrap());
}
