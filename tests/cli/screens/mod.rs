//! Screens of terminals with 80 and with 40 columns, as snapshots (`SEEDSMITH_BLESS=1` writes them
//! again); and tests of colours and links.
//!
//! A snapshot has no line with times and counts: their lengths differ from run to run.

pub mod terminal;

use std::path::Path;
use std::process::Command;

use crate::scratch::Scratch;
use terminal::{Screen, on_terminal};

/// A program that overflows its buffer if its input has a `foo` in it, with a report like a
/// sanitizer's.
const PARSER: &str = r#"grep -q foo "$1" || exit 0
cat >&2 <<END
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000011 at pc 0x5
READ of size 1 at 0x602000000011 thread T0
    #0 0x7f01 in __interceptor_strlen (/usr/lib/libasan.so.8+0x1)
    #1 0x7f02 in __asan_report_load1 (/usr/lib/libasan.so.8+0x2)
    #2 0x5501 in parse_attribute_value /src/parser/attributes.c:214:17
    #3 0x5502 in parse_element /src/parser/elements.c:88:9
    #4 0x5503 in parse_children /src/parser/elements.c:131:13
    #5 0x5502 in parse_element /src/parser/elements.c:93:9
    #6 0x5503 in parse_children /src/parser/elements.c:131:13
    #7 0x5502 in parse_element /src/parser/elements.c:93:9
    #8 0x5503 in parse_children /src/parser/elements.c:131:13
    #9 0x5504 in main /src/main.c:20:3
    #10 0x7f03 in __libc_start_call_main (/lib/libc.so.6+0x3)
    #11 0x7f04 in _start (/lib/libc.so.6+0x4)

END
exit 1"#;

/// A program that panics where its input has a `foo` in it.
const PANIC: &str = r#"grep -q foo "$1" || exit 0
echo "thread 'main' panicked at src/decoder.rs:118:27:
index out of bounds: the len is 5 but the index is 17
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace" >&2
exit 101"#;

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("parser", PARSER);
    scratch.write("panic", PANIC);
    scratch.write("crash-da39a3ee5e6b4b0d3255bfef95601890afd80709", "hello\nworld foo bar\nmore\n");
    scratch
}

fn tmin(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = scratch.tmin();
    command.args(arguments);
    command
}

fn seedsmith(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = scratch.command(env!("CARGO_BIN_EXE_seedsmith"));
    command.args(arguments);
    command
}

const CRASH: &str = "crash-da39";

/// The arguments that name a program of the scratch folder.
fn program(name: &str) -> [&str; 5] {
    ["--cwd", "keep", "--", "sh", name]
}

fn with_program<'a>(arguments: &[&'a str], name: &'a str) -> Vec<&'a str> {
    let mut all = arguments.to_vec();
    all.extend(program(name));
    all.push("{}");
    all
}

/// Compares the lines from the first that begins with `from` on.
fn hold(name: &str, from: &str, screen: &Screen) {
    let at = screen.lines.iter().position(|line| line.starts_with(from));
    let at = at.unwrap_or_else(|| panic!("no {from:?} in {:#?}", screen.lines));
    let text = screen.lines[at..].join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/screens").join(name);
    if std::env::var_os("SEEDSMITH_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap_or_default());
}

#[test]
fn a_minimized_crash_is_shown_on_wide_and_narrow_terminals() {
    let scratch = scratch();
    for columns in [80, 40] {
        let arguments = with_program(&[CRASH, "-o", "out", "--force"], "parser");
        let screen = on_terminal(columns, &mut tmin(&scratch, &arguments));
        assert_eq!(screen.code, Some(0), "{}", screen.raw);
        assert!(screen.raw.contains("\x1b[31mheap-buffer-overflow"), "{}", screen.raw);
        hold(&format!("tmin-{columns}.txt"), "  failure", &screen);
        let command = "    sh parser out";
        let prose = screen.broken.iter().filter(|line| !line.starts_with(command));
        assert_eq!(prose.count(), 0, "{:#?}", screen.broken);
    }
}

#[test]
fn everything_is_shown_if_that_is_asked_for() {
    let scratch = scratch();
    let arguments = with_program(&[CRASH, "-v"], "parser");
    let screen = on_terminal(80, &mut seedsmith(&scratch, &[&["run"], &arguments[..]].concat()));
    assert_eq!(screen.code, Some(1), "{}", screen.raw);
    hold("run-all-80.txt", "  failure", &screen);
}

#[test]
fn one_input_that_is_run_is_shown_with_its_message_as_it_was_printed() {
    let scratch = scratch();
    for columns in [80, 40] {
        let arguments = [&["run"], &with_program(&[CRASH], "panic")[..]].concat();
        let screen = on_terminal(columns, &mut seedsmith(&scratch, &arguments));
        assert_eq!(screen.code, Some(1), "{}", screen.raw);
        let prose = screen.broken.iter().filter(|line| !line.starts_with("crash-"));
        assert_eq!(prose.count(), 0, "{:#?}", screen.broken);
        hold(&format!("run-{columns}.txt"), "  failure", &screen);
    }
}

#[test]
fn many_inputs_are_a_table_or_blocks_of_lines() {
    let scratch = scratch();
    for (name, text) in [
        ("in/crash-0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33", "foo"),
        ("in/crash-62cdb7020ff920e5aa642c3d4066950dd1f01f4d", "a foo"),
        ("in/crash-bbe960a25ea311d21d40669e93df2003ba9b90a2", "bar"),
    ] {
        scratch.write(name, text);
    }
    for columns in [80, 40] {
        let arguments = [&["triage"], &with_program(&["in"], "panic")[..]].concat();
        let screen = on_terminal(columns, &mut seedsmith(&scratch, &arguments));
        assert_eq!((screen.code, screen.broken.len()), (Some(1), 0), "{}", screen.raw);
        hold(&format!("triage-{columns}.txt"), "triage: ", &screen);
    }
}

#[test]
fn an_error_is_broken_at_blanks() {
    let scratch = scratch();
    for columns in [80, 40] {
        let arguments = ["no-such-input", "--", "sh", "panic", "{}"];
        let screen = on_terminal(columns, &mut tmin(&scratch, &arguments));
        assert_eq!((screen.code, screen.broken.len()), (Some(2), 0), "{:#?}", screen.lines);
        assert!(screen.raw.contains("\x1b[31merror\x1b[0m: "), "{}", screen.raw);
    }
}

#[test]
fn the_progress_fits_the_terminal_and_is_cleared_in_the_end() {
    let scratch = scratch();
    scratch.write("slow", "sleep 0.1; grep -q foo \"$1\"");
    for columns in [80, 40] {
        let limit = ["crash-da39", "-o", "out", "--force", "-j1"];
        let screen = on_terminal(columns, &mut tmin(&scratch, &with_program(&limit, "slow")));
        assert_eq!(screen.code, Some(0), "{}", screen.raw);
        assert!(screen.raw.contains(" → ") && screen.raw.contains(" tests/s"), "{}", screen.raw);
        assert_eq!(
            screen.raw.contains("last success") || screen.raw.contains("nothing smaller"),
            columns == 80,
            "{}",
            screen.raw
        );
        assert!(!screen.lines.concat().contains("tests/s"), "{:#?}", screen.lines);
    }
}

#[test]
fn a_repair_shows_that_it_is_at_work() {
    let scratch = scratch();
    scratch.write("balanced", "sleep 0.03; ! grep -q x \"$1\"");
    scratch.write("broken", "axb");
    for columns in [80, 40] {
        let valid = format!("valid-{columns}");
        let arguments = ["repair", "broken", "-o", &valid];
        let arguments = [&arguments[..], &program("balanced"), &["{}"]].concat();
        let screen = on_terminal(columns, &mut seedsmith(&scratch, &arguments));
        assert_eq!(screen.code, Some(0), "{}", screen.raw);
        assert!(screen.raw.contains("  repairing"), "{:?}", screen.raw);
        assert!(!screen.lines.concat().contains("  repairing"), "{:#?}", screen.lines);
    }
}

#[test]
fn colours_are_for_terminals_unless_someone_says_otherwise() {
    let scratch = scratch();
    let arguments = [&["run"], &with_program(&[CRASH], "panic")[..]].concat();
    let red = "\x1b[31mpanic\x1b[0m";
    let piped = |option: &[&str], variables: &[(&str, &str)]| {
        let mut command = seedsmith(&scratch, &[&arguments[..1], option, &arguments[1..]].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!piped(&[], &[]).contains('\x1b'));
    assert!(piped(&["--color", "always"], &[]).contains(red));
    assert!(piped(&[], &[("CLICOLOR_FORCE", "1")]).contains(red));
    assert!(!piped(&["--color=never"], &[("CLICOLOR_FORCE", "1")]).contains('\x1b'));
    let shown = |variables: &[(&str, &str)]| {
        let mut command = seedsmith(&scratch, &arguments);
        on_terminal(80, command.envs(variables.iter().copied())).raw
    };
    assert!(shown(&[]).contains(red));
    assert!(!shown(&[("NO_COLOR", "1")]).contains("\x1b["));
    assert!(!shown(&[("SEEDSMITH_COLOR", "never")]).contains("\x1b["));
}

#[test]
fn places_are_links_on_terminals_that_show_them_and_nowhere_else() {
    let scratch = scratch();
    let file = scratch.write("src/decoder.rs", "");
    let arguments = [&["run"], &with_program(&[CRASH], "panic")[..]].concat();
    let shown = |variables: &[(&str, &str)]| {
        let mut command = seedsmith(&scratch, &arguments);
        on_terminal(80, command.envs(variables.iter().copied())).raw
    };
    let linked = shown(&[("FORCE_HYPERLINK", "1")]);
    let end = format!("{}\x1b\\\x1b[36msrc/decoder.rs:118:27\x1b[0m\x1b]8;;\x1b\\", file.display());
    assert!(linked.contains(&end), "{linked:?}");
    assert!(!shown(&[]).contains("\x1b]8"));
    let output = seedsmith(&scratch, &arguments).output().unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains('\x1b'));
}
