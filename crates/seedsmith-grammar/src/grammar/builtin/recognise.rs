//! Recognises which of the built-in grammars an input is written in: by its file's ending, else by
//! the target's name, else by parsing it.
//!
//! The result is a guess: a wrong one costs tests, never correctness. The trial parses only look at
//! the input's beginning and stop early, and a grammar is only tried if a first look at the bytes
//! doesn't rule it out.

use super::Builtin;
use crate::grammar::parser::Parsed;
use crate::grammar::trial::{beginning, fewest_misfits};

/// Facts about an input besides its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Hint<'a> {
    /// The file's name.
    pub file_name: Option<&'a str>,
    /// The fuzz target's name.
    pub target: Option<&'a str>,
    /// How many bytes of the input's beginning are parsed to recognise it.
    pub trial_bytes: usize,
}

impl Default for Hint<'_> {
    fn default() -> Self {
        Hint { file_name: None, target: None, trial_bytes: TRIAL_BYTES }
    }
}

/// The clue by which a language was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecognisedBy {
    /// The file's ending.
    Ending,
    /// A word of the target's name.
    Target,
    /// It parses as that, with at most this many bytes in a hundred misfits.
    Trial(u8),
}

/// As much is parsed if nothing else is said.
///
/// 16 KiB take some milliseconds in the slowest grammar.
const TRIAL_BYTES: usize = 16 << 10;

/// The most bytes in a hundred that may be misfits in a trial.
///
/// A guess, not measured: damaged inputs have to be recognised too.
const MAX_MISFIT_PERCENT: usize = 20;

/// Inputs shorter than this say too little.
const MIN_TRIAL_BYTES: usize = 4;

/// The grammar of the input and the clue by which it was recognised. The result depends on the
/// arguments alone, and takes some milliseconds at most.
pub fn recognise(hint: Hint<'_>, bytes: &[u8]) -> Option<(&'static Builtin, RecognisedBy)> {
    let ending = hint.file_name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    if let Some(found) = ending.and_then(super::find) {
        return Some((found, RecognisedBy::Ending));
    }
    let mut words = hint.target.into_iter().flat_map(|name| {
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
    });
    if let Some(found) = words.find_map(super::find) {
        return Some((found, RecognisedBy::Target));
    }
    by_trial(bytes, hint.trial_bytes).map(|(found, misfits)| (found, RecognisedBy::Trial(misfits)))
}

/// By parsing the first `most` bytes with each grammar that the bytes leave possible.
fn by_trial(bytes: &[u8], most: usize) -> Option<(&'static Builtin, u8)> {
    let sample = beginning(bytes, most);
    if sample.len() < MIN_TRIAL_BYTES {
        return None;
    }
    let is_cut = sample.len() < bytes.len();
    let first = sample.iter().copied().find(|byte| !byte.is_ascii_whitespace())?;
    let possible = TRIALS.iter().filter(|(_, may_be)| may_be(first, sample));
    let possible =
        possible.map(|(name, _)| super::find(name).expect("tests find all that are tried"));
    fewest_misfits(sample, MAX_MISFIT_PERCENT, possible, |builtin| {
        let parsed = builtin.parser().parse(sample, builtin.start()).ok()?;
        Some(misfits(&parsed, sample.len(), is_cut))
    })
}

/// How much of the input doesn't fit: bytes in error nodes, and one for each thing reported.
/// If the input was cut off, parts missing at its end don't count.
fn misfits(parsed: &Parsed, length: usize, is_cut: bool) -> usize {
    let at_end = |offset: u32| is_cut && offset as usize >= length;
    let reported = parsed.errors.iter().filter(|error| !at_end(error.offset)).count();
    parsed.tree.error_bytes() + reported
}

/// Whether a look at the bytes leaves a language possible.
type Precheck = fn(first: u8, sample: &[u8]) -> bool;

/// The languages that are tried; of two that fit equally well the earlier wins, so the stricter
/// one comes first. Languages that nearly any text belongs to be missing.
const TRIALS: [(&str, Precheck); 13] = [
    ("json", |first, _| matches!(first, b'{' | b'[')),
    ("xml", |first, sample| first == b'<' && sample.contains(&b'>')),
    ("http", |_, sample| {
        let line = sample.split(|&byte| byte == b'\n').next().unwrap_or_default();
        line.starts_with(b"HTTP/1.") || has_any(line, &[" HTTP/1."])
    }),
    ("url", |_, sample| sample.len() < 2048 && has_any(sample, &["://"])),
    ("obj", |first, sample| {
        matches!(first, b'#' | b'v' | b'm' | b'o' | b'g') && has_any(sample, &["v "])
    }),
    ("dot", |_, sample| {
        let lower = sample.to_ascii_lowercase();
        has_any(&lower, &["graph"]) && lower.contains(&b'{')
    }),
    ("sql", |_, sample| {
        let lower = sample.to_ascii_lowercase();
        let starts = [
            "select ",
            "insert into ",
            "create table ",
            "create view ",
            "create index ",
            "update ",
            "delete from ",
            "drop table ",
            "alter table ",
            "with ",
        ];
        has_any(&lower, &starts)
    }),
    ("toml", |_, sample| sample.contains(&b'=')),
    ("ini", |first, sample| sample.contains(&b'=') && (first == b'[' || has_any(sample, &["\n["]))),
    ("lua", |_, sample| count(sample, &["local ", "function", "end", "then", "--", "= "]) > 1),
    ("css", |first, sample| {
        (first.is_ascii_alphabetic() || b".#*@:/&".contains(&first))
            && count(sample, &["{", ":"]) > 1
    }),
    ("javascript", |_, sample| {
        has_any(sample, &["function", "var ", "let ", "const ", "=>", "return", "class ", ";"])
            && has_lines_of_code(sample)
    }),
    ("sexp", |first, sample| {
        matches!(first, b'(' | b';') && sample.contains(&b')') && sample.contains(&b' ')
    }),
];

/// Whether one of the words is there.
fn has_any(bytes: &[u8], words: &[&str]) -> bool {
    count(bytes, words) > 0
}

/// How many of the words are there.
fn count(bytes: &[u8], words: &[&str]) -> usize {
    words.iter().filter(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some()).count()
}

/// Whether a third of the lines that aren't empty end as those of languages with braces do: prose
/// is long to parse as a program.
fn has_lines_of_code(sample: &[u8]) -> bool {
    let lines = sample.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let (mut all, mut ended) = (0, 0);
    for last in lines.filter_map(<[u8]>::last) {
        all += 1;
        ended += usize::from(b";{}(),:".contains(last));
    }
    ended * 3 >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(hint: Hint<'_>, bytes: &[u8]) -> Option<(&'static str, RecognisedBy)> {
        recognise(hint, bytes).map(|(found, clue)| (found.name, clue))
    }

    #[test]
    fn the_ending_goes_before_the_target_and_the_target_before_the_bytes() {
        let hint = Hint { file_name: Some("a.json"), target: Some("fuzz_xml"), ..Hint::default() };
        assert_eq!(told(hint, b"<a/>"), Some(("json", RecognisedBy::Ending)));
        let hint = Hint { file_name: Some("crash-1"), target: Some("fuzz_xml"), ..Hint::default() };
        assert_eq!(told(hint, b"{\"a\":1}"), Some(("xml", RecognisedBy::Target)));
        assert_eq!(told(Hint::default(), b"{\"a\":1}"), Some(("json", RecognisedBy::Trial(0))));
    }

    #[test]
    fn a_trial_takes_the_grammar_with_the_least_amiss() {
        for (bytes, name) in [
            (&b"<a b=\"c\"><d/>text</a>"[..], Some("xml")),
            (b"digraph { a -> b [color=red]; }", Some("dot")),
            (b"[main]\nkey = value\nother: 3\n", Some("ini")),
            (b"# cube\nv 1 2 3\nv 1 2 4\nv 2 3 4\nf 1 2 3\n", Some("obj")),
            (b"[1, 2, {\"a\": nul }, [3, 4, 5, 6, 7, 8]]", Some("json")),
            (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", Some("http")),
            (b"https://example.org/a?b=c", Some("url")),
            (b"select a from b where c << 3", Some("sql")),
            (b"[a.b]\nc = [1, 2]\nd = 'e'\n", Some("toml")),
            (b"[a]\nc = 1\n", Some("toml")),
            (b"local a = 1\nif a then print(a) end\n", Some("lua")),
            (b"a:hover, .b > c { color: red; top: 1px }", Some("css")),
            (b"var a = 1; function b(c) { return a + c }", Some("javascript")),
            (b"(define (f x) (+ x 1))", Some("sexp")),
            (b"\x89PNG\r\n\x1a\n", None),
            (b"plain words say nothing", None),
            (b"", None),
        ] {
            let found = told(Hint::default(), bytes).map(|(name, _)| name);
            assert_eq!(found, name, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn all_that_are_tried_exist() {
        for (name, _) in TRIALS {
            assert_eq!(super::super::find(name).unwrap().name, name);
        }
    }

    #[test]
    fn what_is_missing_behind_a_cut_does_not_count() {
        let long = format!("[{}1]", "[1, 2, 3],\n".repeat(10_000));
        assert_eq!(told(Hint::default(), long.as_bytes()), Some(("json", RecognisedBy::Trial(0))));
    }
}
