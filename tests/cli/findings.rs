//! Folders as fuzzers leave them, and harnesses that read standard input.

use std::path::PathBuf;
use std::process::Command;

use crate::json::lines;
use crate::scratch::Scratch;

/// A persistent harness as AFL++'s compilers make it, without AFL++: its signature, standard input,
/// and one round.
const HARNESS: &str = r###"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char *volatile signature = "##SIG_AFL_PERSISTENT##";
int main(void) {
    static char text[65536];
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    (void)signature;
    if (length && strstr(text, "bug!")) abort();
    if (length && strstr(text, "hang")) for (volatile int on = 1; on;) ;
    if (length && text[0] == 'N') return *(volatile char *)8;
    return 0;
}
"###;

fn harness(scratch: &Scratch) -> PathBuf {
    let source = scratch.write("bin/harness.c", HARNESS);
    let executable = scratch.path().join("bin/harness");
    let built = Command::new("cc").arg("-o").arg(&executable).arg(source).status().unwrap();
    assert!(built.success(), "the harness compiles");
    executable
}

/// The folder that `afl-fuzz -o out` makes.
fn afl_folder(scratch: &Scratch) {
    let instance = "out/default";
    for (name, text) in [
        ("crashes/README.txt", "Command line used to find this crash: bug!"),
        ("crashes/id:000000,sig:06,src:000000,time:23,execs:857,op:havoc,rep:2", "a bug! here"),
        ("crashes/id:000001,sig:11,src:000000,time:27,execs:975,op:havoc,rep:2", "Nothing"),
        (
            "crashes/id:000002,sig:06,src:000000,time:30,execs:999,op:havoc,rep:2",
            "bug! again, longer",
        ),
        ("fuzzer_stats", "exec_timeout : 20"),
        ("queue/id:000000,time:0,execs:0,orig:b", "bug! that is in the queue"),
    ] {
        scratch.write(&format!("{instance}/{name}"), text);
    }
}

#[test]
fn the_folder_of_afl_becomes_a_table_and_results_in_one_command() {
    let scratch = Scratch::new();
    let harness = harness(&scratch);
    afl_folder(&scratch);
    let ended = scratch.run(&["out", "-o", "min", "--binary", harness.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let table = ended.stderr.split("tmin: 3 inputs: 3 fail in 2 ways\n").nth(1);
    let table = table.unwrap_or_else(|| panic!("{}", ended.stderr));
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1].starts_with("      2     11       4  abort "), "{rows:?}");
    assert!(rows[2].starts_with("      1      7       1  SIGSEGV "), "{rows:?}");
    let result_of = |number, signal| {
        let rest = match signal {
            6 => "time:23,execs:857,op:havoc,rep:2",
            _ => "time:27,execs:975,op:havoc,rep:2",
        };
        format!("min/id:00000{number},sig:{signal:02},src:000000,{rest}.min")
    };
    assert_eq!(scratch.read(&result_of(0, 6)), "bug!");
    assert_eq!(scratch.read(&result_of(1, 11)), "N");
    // It reads standard input, so the command to see it again has it.
    let result = result_of(1, 11);
    let reproduce = format!("bin/harness {result} < {result}\n");
    assert!(ended.stderr.contains(&reproduce), "{}", ended.stderr);
}

#[test]
fn an_input_among_afls_hangs_is_a_hang_after_a_second() {
    let scratch = Scratch::new();
    let harness = harness(&scratch);
    afl_folder(&scratch);
    scratch.write("out/default/hangs/id:000000,src:000008", "so it hangs");
    scratch.write("out/default/hangs/id:000001,src:000009", "so it does not");
    let binary = harness.to_str().unwrap();
    let ended = scratch.plain_seedsmith(&["triage", "--json", "--binary", binary, "out"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let kinds: Vec<_> = told
        .iter()
        .filter(|line| line["event"] == "group")
        .map(|line| line["signature"]["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["abort", "SIGSEGV", "timeout"]);
    let hint = "out/default/hangs/id:000001,src:000009 doesn't fail; its name says that it hangs: \
                --timeout DURATION says what a hang is\n";
    assert!(ended.stderr.contains(hint), "{}", ended.stderr);
}

#[test]
fn a_plain_program_is_no_harness() {
    let scratch = Scratch::new();
    scratch.write("in", "x");
    let ended = scratch.run(&["in", "--binary", "/bin/true"]);
    assert_eq!(ended.code, Some(5));
    assert!(ended.stderr.ends_with("; other programs come after `--`\n"), "{}", ended.stderr);
}
