//! The help texts, as snapshots. `SEEDSMITH_BLESS=1 cargo test --test cli` writes them anew.

use std::path::Path;

use crate::scratch::{Ended, Scratch};

fn compare(name: &str, arguments: &[&str]) {
    hold(name, Scratch::new().run(arguments));
}

fn hold(name: &str, ended: Ended) {
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(name);
    if std::env::var_os("SEEDSMITH_BLESS").is_some() {
        std::fs::write(&path, &ended.stdout).unwrap();
    }
    assert_eq!(ended.stdout, std::fs::read_to_string(path).unwrap_or_default());
}

#[test]
fn the_short_help_of_tmin_fits_a_screen() {
    compare("tmin-short-help.txt", &["-h"]);
    let lines = Scratch::new().run(&["-h"]).stdout.lines().count();
    assert!(lines <= 40, "{lines} lines");
}

#[test]
fn the_short_help_of_repair_fits_a_screen() {
    let scratch = Scratch::new();
    hold("repair-short-help.txt", scratch.seedsmith(&["repair", "-h"]));
    let lines = scratch.seedsmith(&["repair", "-h"]).stdout.lines().count();
    assert!(lines <= 40, "{lines} lines");
}

#[test]
fn the_long_help_of_tmin_ends_with_examples() {
    compare("tmin-long-help.txt", &["--help"]);
}

#[test]
fn cargo_seedsmith_lists_its_commands_and_each_tells_its_own_options() {
    let scratch = Scratch::new();
    hold("cargo-seedsmith-help.txt", scratch.seedsmith(&["--help"]));
    hold("grammar-short-help.txt", scratch.seedsmith(&["grammar", "-h"]));
    hold("grammar-long-help.txt", scratch.seedsmith(&["grammar", "--help"]));
    hold("triage-short-help.txt", scratch.seedsmith(&["triage", "-h"]));
    hold("triage-long-help.txt", scratch.seedsmith(&["triage", "--help"]));
    hold("repair-long-help.txt", scratch.seedsmith(&["repair", "--help"]));
    let own = scratch.run(&["--help"]).stdout;
    assert_eq!(scratch.seedsmith(&["tmin", "--help"]).stdout, own);
}
