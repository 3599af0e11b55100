//! Completion scripts and manual pages, read by the programs that they are for.

use std::fs;
use std::process::Command;

use crate::scratch::{Ended, Scratch};

#[test]
fn bash_completes_commands_and_options() {
    let scratch = Scratch::new();
    let script = scratch.plain_seedsmith(&["completions", "bash"]);
    assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""));
    let tmin = scratch.plain_seedsmith(&["completions", "--program", "tmin", "bash"]).stdout;
    // When a user types the words and presses tab, bash calls the function that the script has
    // registered, with the words in COMP_WORDS.
    let press_tab = |script: &str, words: &str| {
        let asked = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             name=${{COMP_WORDS[0]}}; registered=($(complete -p \"$name\"))\n\
             for i in \"${{!registered[@]}}\"; do\n\
             [ \"${{registered[i]}}\" = -F ] && function=${{registered[i+1]}}; done\n\
             $function \"$name\" \"${{COMP_WORDS[COMP_CWORD]}}\" \"\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let ended = Ended::of(Command::new("bash").arg("-c").arg(asked).output().unwrap());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        ended.stdout
    };
    assert_eq!(press_tab(&script.stdout, "seedsmith tri").trim(), "triage");
    assert_eq!(press_tab(&script.stdout, "seedsmith repair --only-d").trim(), "--only-delete");
    assert_eq!(press_tab(&script.stdout, "seedsmith bisect --same").trim(), "--same-as");
    assert_eq!(press_tab(&tmin, "tmin --max-ti").trim(), "--max-time");
    assert_eq!(press_tab(&tmin, "tmin --gd").trim(), "--gdb");
}

#[test]
fn there_is_a_script_for_each_shell_and_an_unknown_shell_is_a_usage_error() {
    let scratch = Scratch::new();
    for (shell, word) in [("zsh", "#compdef seedsmith"), ("fish", "complete -c seedsmith")] {
        let script = scratch.plain_seedsmith(&["completions", shell]);
        assert_eq!(script.code, Some(0));
        assert!(script.stdout.contains(word), "{shell}: {}", script.stdout);
    }
    let script = scratch.plain_seedsmith(&["completions", "powershell"]).stdout;
    assert!(script.contains("Register-ArgumentCompleter"), "{script}");
    assert_eq!(scratch.plain_seedsmith(&["completions", "nosuch"]).code, Some(2));
}

#[test]
fn there_is_a_manual_page_for_each_program_and_command() {
    let scratch = Scratch::new();
    let folder = scratch.path().join("man/man1");
    let ended = scratch.plain_seedsmith(&["manual", folder.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for name in ["seedsmith", "tmin", "seedsmith-tmin", "seedsmith-repair", "seedsmith-triage"] {
        let page = fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1")), "{name}: {page}");
        assert!(page.contains(".SH SYNOPSIS") && !page.contains('@'), "{name}: {page}");
    }
}

#[test]
fn a_variable_that_no_option_reads_is_warned_of_once() {
    let scratch = Scratch::new();
    let mut command = scratch.command(env!("CARGO_BIN_EXE_seedsmith"));
    command.args(["grammar", "--list"]).env("SEEDSMITH_JOB", "2");
    let ended = Ended::of(command.output().unwrap());
    let warnings: Vec<&str> =
        ended.stderr.lines().filter(|line| line.contains("warning")).collect();
    assert_eq!(
        warnings,
        ["grammar: warning: no option reads SEEDSMITH_JOB; did you mean SEEDSMITH_JOBS?"]
    );
    assert_eq!(ended.code, Some(0));
}
