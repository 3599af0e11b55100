//! How long parsing takes: 100 KB of generated text in each language, with our own grammars and, with
//! `--grammars DIR` (a checkout of antlr/grammars-v4), with theirs for JSON and Java.
//!
//! Times are processor time of this thread, so that other processes on the machine matter less.
//! *First* is a new parser, which has no cached predictions; *again* is the median of the same text
//! parsed again. `--write DIR` keeps the texts.
//!
//! `cargo bench --bench parse -- [--grammars DIR] [--write DIR] [--bytes N] [LANGUAGE…]`

mod texts;

use std::path::Path;
use std::sync::Arc;

use nix::time::{ClockId, clock_gettime};
use seedsmith_grammar::Parser;
use seedsmith_grammar::internal::RuleId;
use seedsmith_grammar::internal::builtin;
use seedsmith_grammar::internal::g4;
use texts::LANGUAGES;

/// Files of the checkout by language, and the start rule.
const THEIRS: [(&str, &[&str], &str); 2] = [
    ("json", &["json/JSON.g4"], "json"),
    ("java", &["java/java/JavaLexer.g4", "java/java/JavaParser.g4"], "compilationUnit"),
];

/// Parses of one text after the first.
const AGAIN: usize = 9;

const USAGE: &str =
    "cargo bench --bench parse -- [--grammars DIR] [--write DIR] [--bytes N] [LANGUAGE…]";

fn main() {
    let (mut checkout, mut folder, mut bytes, mut wanted) = (None, None, 100_000, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Cargo passes this to every bench.
            "--bench" => {}
            "--grammars" => checkout = arguments.next(),
            "--write" => folder = arguments.next(),
            "--bytes" => {
                bytes = arguments.next().and_then(|n| n.parse().ok()).expect("a number follows");
            }
            "-h" | "--help" => return println!("{USAGE}"),
            _ if argument.starts_with('-') => {
                eprintln!("parse: unknown option {argument}; {USAGE}");
                std::process::exit(2);
            }
            _ => wanted.push(argument),
        }
    }
    println!("| text | grammar | bytes | first, ms | again, ms | MB/s |");
    println!("|---|---|---:|---:|---:|---:|");
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    for language in LANGUAGES.iter().filter(|language| is_wanted(language.name)) {
        let text = language.write(bytes);
        if let Some(folder) = &folder {
            let path = Path::new(folder).join(language.name);
            std::fs::write(path, &text).expect("the folder can be written to");
        }
        if let Some(builtin) = builtin::find(language.name) {
            measure(language.name, "our own", &text, builtin.start(), &|| builtin.parser());
        }
        let Some(checkout) = &checkout else { continue };
        for (_, files, start) in THEIRS.iter().filter(|(name, ..)| *name == language.name) {
            let paths: Vec<_> = files.iter().map(|file| Path::new(checkout).join(file)).collect();
            let grammar = Arc::new(g4::load(&paths).expect("the checkout has the grammar"));
            let parser = Parser::new(grammar);
            let start = parser.start_rule(Some(start)).expect("the grammar has the rule");
            measure(language.name, "grammars-v4", &text, start, &|| parser.clone());
        }
    }
}

/// Prints a row. `parser` gives parsers that have seen nothing.
fn measure(name: &str, grammar: &str, text: &str, start: RuleId, parser: &dyn Fn() -> Parser) {
    let mut parser = parser();
    let mut times = Vec::new();
    for _ in 0..=AGAIN {
        let begin = now();
        let parsed = parser.parse(text.as_bytes(), start).expect("short and flat");
        times.push(now() - begin);
        let lost = parsed.shortened_predictions;
        assert!(parsed.is_valid() && lost == 0, "{name}: {:?}, {lost} cut", parsed.errors.first());
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    let again = times[AGAIN / 2];
    let rate = text.len() as f64 / 1e3 / again;
    println!("| {name} | {grammar} | {} | {first:.1} | {again:.1} | {rate:.1} |", text.len());
}

/// Milliseconds of this thread's processor time.
fn now() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("every Linux has this clock");
    time.tv_sec() as f64 * 1e3 + time.tv_nsec() as f64 / 1e6
}
