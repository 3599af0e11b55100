//! The programs as they lie in a folder of installed programs: one with the code, and small ones.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use crate::scratch::{Ended, Scratch, executable};

const SMALL: [&str; 3] = ["seedsmith", "cargo-seedsmith", "seedsmith-libfuzzer"];

/// Copies programs of this build into the folder `bin`, and returns where the last one is.
fn installed(scratch: &Scratch, names: &[&str]) -> PathBuf {
    let bin = scratch.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    for name in names {
        // By another process: a test beside this one that starts a program would inherit the open copy,
        // which could then not be run ("text file busy").
        let copied =
            Command::new("cp").arg(executable(name).0).arg(bin.join(name)).status().unwrap();
        assert!(copied.success());
    }
    bin.join(names[names.len() - 1])
}

fn ended(program: &mut Command) -> Ended {
    Ended::of(program.output().unwrap())
}

#[test]
fn a_small_program_starts_tmin_of_its_own_folder_under_its_own_name() {
    let scratch = Scratch::new();
    for name in SMALL {
        let program = installed(&scratch, &["tmin", name]);
        let help = ended(scratch.command(program.to_str().unwrap()).arg("--help"));
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        let typed = name.replace("cargo-", "cargo ");
        assert!(help.stdout.contains(&format!("Usage: {typed} ")), "{}", help.stdout);
    }
}

#[test]
fn a_small_program_finds_tmin_if_a_link_elsewhere_was_typed() {
    let scratch = Scratch::new();
    let program = installed(&scratch, &["tmin", "seedsmith"]);
    let link = scratch.path().join("linked");
    symlink(program, &link).unwrap();
    let help = ended(scratch.command(link.to_str().unwrap()).args(["triage", "-h"]));
    assert!(help.stdout.contains("Usage: seedsmith triage "), "{}{}", help.stdout, help.stderr);
}

#[test]
fn a_small_program_without_tmin_says_in_one_line_how_to_get_it() {
    let scratch = Scratch::new();
    for name in SMALL {
        let program = installed(&scratch, &[name]);
        let ended = ended(&mut scratch.command(program.to_str().unwrap()));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(6), ""));
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        for part in [&format!("{name}: failed to start /"), "`cargo install seedsmith`"] {
            assert!(ended.stderr.contains(part), "{}", ended.stderr);
        }
    }
}

#[test]
fn the_small_programs_do_not_hold_the_code_a_second_time() {
    let bytes = |name: &str| fs::metadata(executable(name).0).unwrap().len();
    for name in SMALL {
        assert!(bytes(name) < bytes("tmin") / 2, "{name}: {} of {}", bytes(name), bytes("tmin"));
    }
}
