//! The help texts, as snapshots. `SEEDSMITH_BLESS=1 cargo test --test cli` renews them.

use std::path::Path;

use crate::scratch::{Ended, Scratch};

fn compare(name: &str, arguments: &[&str]) {
    hold(name, Scratch::new().run(arguments));
}

pub fn hold(name: &str, ended: Ended) {
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
    hold("judge-long-help.txt", scratch.seedsmith(&["judge", "--help"]));
    hold("triage-short-help.txt", scratch.seedsmith(&["triage", "-h"]));
    hold("triage-long-help.txt", scratch.seedsmith(&["triage", "--help"]));
    hold("repair-long-help.txt", scratch.seedsmith(&["repair", "--help"]));
    hold("bisect-long-help.txt", scratch.seedsmith(&["bisect", "--help"]));
    hold("run-long-help.txt", scratch.seedsmith(&["run", "--help"]));
    hold("reducers-help.txt", scratch.seedsmith(&["reducers", "--help"]));
    hold("list-help.txt", scratch.seedsmith(&["list", "--help"]));
    hold("generalize-long-help.txt", scratch.seedsmith(&["generalize", "--help"]));
    hold("cmin-long-help.txt", scratch.seedsmith(&["cmin", "--help"]));
    hold("merge-long-help.txt", scratch.seedsmith(&["merge", "--help"]));
    hold("prepare-long-help.txt", scratch.seedsmith(&["prepare", "--help"]));
    hold("shrink-corpus-long-help.txt", scratch.seedsmith(&["shrink-corpus", "--help"]));
    hold("coverage-long-help.txt", scratch.seedsmith(&["coverage", "--help"]));
}

#[test]
fn seedsmith_has_the_same_commands_as_cargo_seedsmith() {
    let scratch = Scratch::new();
    hold("seedsmith-help.txt", scratch.plain_seedsmith(&["--help"]));
    let by_cargo = scratch.seedsmith(&["--help"]).stdout;
    let plain = scratch.plain_seedsmith(&["--help"]).stdout;
    assert_eq!(plain, by_cargo.replace("cargo seedsmith", "seedsmith"));
    for command in
        ["tmin", "repair", "generalize", "triage", "run", "list", "judge", "cmin", "grammar"]
    {
        let by_cargo = scratch.seedsmith(&[command, "--help"]).stdout;
        let plain = scratch.plain_seedsmith(&[command, "--help"]).stdout;
        assert_eq!(plain, by_cargo.replace("cargo seedsmith", "seedsmith"), "{command}");
    }
}

#[test]
fn help_names_a_command_as_it_was_typed() {
    let scratch = Scratch::new();
    for help in ["-h", "--help"] {
        let own = scratch.run(&[help]).stdout;
        let plain = scratch.plain_seedsmith(&["tmin", help]).stdout;
        let by_cargo = scratch.seedsmith(&["tmin", help]).stdout;
        assert!(!own.contains("seedsmith tmin") && own.contains("Usage: tmin "), "{own}");
        assert!(plain.contains("Usage: seedsmith tmin "), "{plain}");
        assert_eq!(plain.replace("seedsmith tmin", "tmin"), own);
        assert!(by_cargo.contains("Usage: cargo seedsmith tmin "), "{by_cargo}");
        assert_eq!(by_cargo.replace("cargo seedsmith tmin", "tmin"), own);
        assert!(![own, plain, by_cargo].concat().contains('@'));
    }
    let wrong = scratch.plain_seedsmith(&["repair", "--no-such-option"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("Usage: seedsmith repair "), "{}", wrong.stderr);
}
