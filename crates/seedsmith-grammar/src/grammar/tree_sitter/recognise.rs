//! Recognises which of the compiled-in languages an input is written in, if no name says so: the
//! one whose parser finds the fewest misfits at its beginning.
//!
//! The effort is bounded by the number of bytes parsed and by the parsers' steps, so the answer
//! depends on the bytes alone. The answer is a guess: a wrong one costs tests, never correctness.

use super::TreeSitter;
use super::languages::{self, BuiltIn};
use crate::grammar::trial::{beginning, fewest_misfits};

/// Inputs shorter than this say too little.
const MIN_TRIAL_BYTES: usize = 16;

/// The most bytes in a hundred that may be misfits.
///
/// Fewer than for the built-in grammars: these parsers recover from so many errors that parts of
/// most texts fit any language. A guess, not measured.
const MAX_MISFIT_PERCENT: usize = 5;

/// Hundreds of steps that a parser may take for a trial, and one more for each byte. A valid text
/// takes two steps a byte, a fiftieth of that.
const MIN_TRIAL_EFFORT: u64 = 500;

/// Whether a language is still possible after a look at the bytes.
type Precheck = fn(&[u8]) -> bool;

/// The languages that are tried; of two that fit equally well the earlier wins, so a language that
/// is part of another comes first. `dtd` and `regex` are missing: nearly any text belongs to them.
const TRIALS: [(&str, Precheck); 18] = [
    ("json", |sample| begins_with(sample, b"{[")),
    ("xml", |sample| begins_with(sample, b"<")),
    ("go", |sample| has_any(sample, &["package ", "func "])),
    ("rust", |sample| has_any(sample, &["fn ", "use ", "let ", "struct ", "enum ", "impl "])),
    ("java", |sample| has_any(sample, &["class ", "interface ", "enum ", "record ", "import "])),
    ("c", |sample| has_any(sample, &["#include", "#define", "{"]) && has_any(sample, &[";"])),
    ("cpp", |sample| has_any(sample, &["#include", "#define", "{"]) && has_any(sample, &[";"])),
    ("toml", |sample| has_any(sample, &["="])),
    ("css", |sample| has_any(sample, &["{"]) && has_any(sample, &[":"])),
    ("lua", |sample| has_any(sample, &["local ", "function", "end"])),
    ("sql", |sample| {
        has_any(&sample.to_ascii_lowercase(), &["select ", "insert ", "create ", "update "])
    }),
    ("javascript", is_script),
    ("typescript", is_script),
    ("tsx", |sample| is_script(sample) && has_any(sample, &["<"])),
    ("python", |sample| has_any(sample, &["def ", "import ", "class ", "print(", " in ", "if "])),
    ("html", |sample| begins_with(sample, b"<")),
    ("bash", |sample| {
        sample.starts_with(b"#!") || has_any(sample, &["; then", "; do", "\nfi\n", "\ndone\n"])
    }),
    ("yaml", |sample| count(sample, ": ") + count(sample, ":\n") + count(sample, "\n- ") > 2),
];

/// Whether the first byte that is not white space is one of these.
fn begins_with(sample: &[u8], any_of: &[u8]) -> bool {
    let first = sample.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|byte| any_of.contains(byte))
}

/// Whether one of the words is there.
fn has_any(sample: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| memchr::memmem::find(sample, word.as_bytes()).is_some())
}

/// How often a word is there.
fn count(sample: &[u8], word: &str) -> usize {
    memchr::memmem::find_iter(sample, word).count()
}

/// Whether there is a word of JavaScript's family.
fn is_script(sample: &[u8]) -> bool {
    has_any(sample, &["function", "var ", "let ", "const ", "=>", "return", "class ", "interface "])
}

/// The language in which the first lines of the input, at most `most` bytes, have the least misfits,
/// and how many bytes in a hundred that is (rounded up). Takes some milliseconds for each language
/// that a look at the bytes leaves possible.
pub fn recognise(bytes: &[u8], most: usize) -> Option<(&'static BuiltIn, u8)> {
    let sample = beginning(bytes, most);
    if sample.len() < MIN_TRIAL_BYTES || sample.contains(&0) {
        return None;
    }
    let possible = TRIALS.iter().filter(|(_, may_be)| may_be(sample));
    let possible =
        possible.map(|(name, _)| languages::named(name).expect("tests find all that are tried"));
    fewest_misfits(sample, MAX_MISFIT_PERCENT, possible, |built_in| {
        let parser = TreeSitter::built_in(built_in).ok()?;
        parser.misfits_within(sample, MIN_TRIAL_EFFORT + sample.len() as u64).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples::SAMPLES;
    use super::*;

    #[test]
    fn a_sample_of_each_language_is_recognised_by_a_trial() {
        for (name, valid, _) in SAMPLES {
            let found =
                recognise(valid.as_bytes(), 2048).map(|(found, misfits)| (found.name, misfits));
            let wanted = match name {
                "dtd" | "regex" => None,
                _ => Some((name, 0)),
            };
            assert_eq!(found, wanted, "{name}");
        }
    }

    #[test]
    fn a_long_program_is_known_by_its_beginning() {
        let (_, rust, _) = SAMPLES.iter().find(|(name, ..)| *name == "rust").unwrap();
        let long = format!("mod all {{\n{}}}\n", rust.replace("//! Doc.", "").repeat(40));
        let (found, misfits) = recognise(long.as_bytes(), 2048).unwrap();
        assert!(found.name == "rust" && misfits <= 5, "{} {misfits}", found.name);
    }

    #[test]
    fn what_is_no_program_is_not_taken_for_one() {
        for text in [
            "plain words say nothing, however many there are of them in a row.",
            "\u{0}\u{1}binary\u{0} things with { and ; in them = 1",
            "short",
            "((((((((((((((((((((((((((((((((",
            "Dear all,\n\nplease use the new door; class begins if the bell rings {twice}.\n",
        ] {
            let found = recognise(text.as_bytes(), 2048).map(|(found, _)| found.name);
            assert_eq!(found, None, "{text}");
        }
    }
}
