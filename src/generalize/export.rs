//! A pattern for other tools: a libFuzzer dictionary, and a regression test in Rust.

use std::fmt::Write;

use seedsmith_grammar::harmless::harmless;

use super::pattern::Pattern;
use super::reasons::required_leaves;

/// Entries of a dictionary are cut to this many bytes, as libFuzzer cuts them.
const LONGEST_ENTRY: usize = 64;

/// The required parts as a libFuzzer dictionary, neighbours together as well as alone.
pub fn dictionary(pattern: &Pattern) -> String {
    let tree = &pattern.subject.tree;
    let mut entries: Vec<Vec<u8>> = Vec::new();
    let mut run: Vec<u8> = Vec::new();
    let mut end = None;
    let mut add = |entry: Vec<u8>| {
        if !entry.is_empty() && entry.len() <= LONGEST_ENTRY && !entries.contains(&entry) {
            entries.push(entry);
        }
    };
    for leaf in required_leaves(pattern) {
        let span = tree.span(leaf);
        if end != Some(span.start) {
            add(std::mem::take(&mut run));
        }
        let text = pattern.subject.text(leaf).to_vec();
        run.extend_from_slice(&text);
        add(text);
        end = Some(span.end);
    }
    add(run);
    let mut out = format!("# Required parts of {}\n", one_line(&pattern.compact()));
    for entry in entries {
        out.push('"');
        for byte in entry {
            match byte {
                b'"' | b'\\' => out.extend(['\\', byte as char]),
                0x20..=0x7e => out.push(byte as char),
                _ => {
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
        out.push_str("\"\n");
    }
    out
}

/// How a regression test reaches the code under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A fuzz target's file, in a package that depends on seedsmith.
    FuzzTarget {
        /// The file's path as the test's `#[path]` has it.
        path: String,
    },
    /// A program that gets a file with the input in place of `{}`; with a status of 0 it fails or
    /// passes.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// Whether a status of 0 says that the failure shows.
        zero_fails: bool,
    },
}

/// A regression test: the minimal input, and for each abstract part an input where only that is
/// other, by the slots' numbers, if there is one. It fails until the bug is mended.
pub fn regression_test(pattern: &Pattern, reach: &Reach, examples: &[Option<Vec<u8>>]) -> String {
    let shown = one_line(&pattern.compact());
    let mut out = format!(
        "//! Written by seedsmith: inputs of the pattern `{shown}`, which all failed alike.\n\n"
    );
    out += &call(reach);
    let language = pattern.subject.language.as_ref();
    let mut add = |name: &str, doc: &str, input: &[u8]| {
        let _ = write!(
            out,
            "\n/// {doc}\n#[test]\nfn {name}() {{\n    check(b\"{}\");\n}}\n",
            input.escape_ascii()
        );
    };
    add("the_minimal_input_is_handled", "The smallest input found.", &pattern.subject.input);
    for (at, (slot, input)) in pattern.slots.iter().zip(examples).enumerate() {
        if let Some(input) = input {
            let notation = one_line(&slot.domain.notation(language));
            let doc = format!("Another `{notation}`.");
            add(&format!("another_{}_is_handled", at + 1), &doc, input);
        }
    }
    out
}

fn call(reach: &Reach) -> String {
    match reach {
        Reach::FuzzTarget { path } => format!(
            "// The fuzz target as a plain function; this package needs seedsmith as a dependency.\n\
             extern crate seedsmith as libfuzzer_sys;\n\n\
             #[allow(unused_attributes)] // its `#![no_main]`\n\
             #[path = \"{}\"]\n\
             mod target;\n\n\
             fn check(input: &[u8]) {{\n    target::fuzz_target(input);\n}}\n",
            path.escape_default()
        ),
        Reach::Command { argv, zero_fails } => {
            let mut words: Vec<String> = argv.iter().map(|word| format!("{word:?}")).collect();
            if !argv.iter().any(|word| word.contains("{}")) {
                words.push("\"{}\"".to_owned());
            }
            let refusal = if *zero_fails { "!status.success()" } else { "status.success()" };
            format!(
                "fn check(input: &[u8]) {{\n    \
                 use std::sync::atomic::{{AtomicU32, Ordering}};\n    \
                 static NUMBER: AtomicU32 = AtomicU32::new(0);\n    \
                 let number = NUMBER.fetch_add(1, Ordering::Relaxed);\n    \
                 let name = format!(\"regression-{{}}-{{number}}\", std::process::id());\n    \
                 let file = std::env::temp_dir().join(name);\n    \
                 std::fs::write(&file, input).expect(\"the folder for temporary files is writable\");\n    \
                 let words = [{}];\n    \
                 let words = words.map(|word| word.replace(\"{{}}\", &file.to_string_lossy()));\n    \
                 let status = std::process::Command::new(&words[0]).args(&words[1..]).status();\n    \
                 let status = status.expect(\"the program can be started\");\n    \
                 let _ = std::fs::remove_file(&file);\n    \
                 assert!({refusal}, \"it still fails: {{status}}\");\n}}\n",
                words.join(", ")
            )
        }
    }
}

/// A text that fits on a line of a comment. rustc refuses comments with bidirectional controls.
fn one_line(text: &str) -> String {
    harmless(text, &[]).into_owned()
}

#[cfg(test)]
mod tests {
    use seedsmith_grammar::harmless::is_control;
    use seedsmith_grammar::random::Random;
    use seedsmith_grammar::structure::tree::NodeId;

    use super::*;
    use crate::generalize::domain::{Domain, Segment};
    use crate::generalize::pattern::Slot;
    use crate::generalize::subject;

    #[test]
    fn a_dictionary_holds_the_required_bytes_as_libfuzzer_reads_them() {
        let (subject, _) = subject(b"\"\x00<".to_vec(), None);
        let pattern = Pattern { subject, slots: Vec::new(), unknown: Vec::new() };
        let text = "# Required parts of \"<\\x00><<\n\"\\\"\\x00<\"\n";
        assert_eq!(dictionary(&pattern), text);
    }

    #[test]
    fn what_is_exported_holds_no_control_characters_whatever_the_input_and_the_paths_hold() {
        let mut random = Random::new(16);
        for _ in 0..200 {
            let text = hostile_text(&mut random);
            let (subject, _) = subject(text.clone().into_bytes(), None);
            let domain = Domain::Spelled(vec![Segment::Text(text.clone().into_bytes())]);
            let slots = vec![Slot::one(NodeId(0), domain)];
            let pattern = Pattern { subject, slots, unknown: Vec::new() };
            let target = Reach::FuzzTarget { path: text.clone() };
            let command = Reach::Command { argv: vec![text.clone()], zero_fails: false };
            let examples = [Some(text.into_bytes())];
            for made in [
                dictionary(&pattern),
                regression_test(&pattern, &target, &examples),
                regression_test(&pattern, &command, &examples),
            ] {
                let control = made.chars().find(|c| *c != '\n' && is_control(*c));
                assert_eq!(control, None, "{made:?}");
            }
        }
    }

    fn hostile_text(random: &mut Random) -> String {
        let controls = ['\0', '\n', '\r', '\x1b', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'];
        let character = |random: &mut Random| match random.below(3) {
            0 => controls[random.below(controls.len())],
            1 => char::from(random.below(256) as u8),
            _ => char::from_u32(0x2000 + random.below(0x80) as u32).expect("these are characters"),
        };
        (0..random.below(20)).map(|_| character(random)).collect()
    }
}
