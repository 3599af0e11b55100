//! Every parser of ours on its kept inputs (`corpora/self/`) and on mutants of them: no panic, no
//! more than 10 seconds of processor time and 1 GB for any of them.
//!
//! `SEEDSMITH_MUTANTS` is the number of mutants of each parser (`scripts/fuzz-self mutants` sets it)
//! and prints a line of a table for each. With `SEEDSMITH_FUZZED` each input is written to a file of
//! that folder before it runs, for what ends the whole process, and the slowest one is kept there.

mod meter;
mod mutant;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use meter::{Cost, Counting, measure};
use mutant::Mutator;
use seedsmith::fuzzed::{PARSERS, Parser};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Mutants of each parser, where nothing else is asked for.
const MUTANTS: usize = 400;
/// No call takes more processor time.
const LIMIT_OF_TIME: Duration = Duration::from_secs(10);
/// No call holds more bytes.
const LIMIT_OF_MEMORY: usize = 1 << 30;
/// A call that has no end is given up after this time.
const HANG: Duration = Duration::from_secs(180);

#[test]
fn der_is_read_from_any_bytes() {
    fuzz("der");
}

#[test]
fn elf_symbols_are_read_from_any_bytes() {
    fuzz("elf");
}

#[test]
fn fuzzingbook_grammars_are_read_from_any_bytes() {
    fuzz("fuzzingbook");
}

#[test]
fn g4_grammars_are_read_from_any_bytes() {
    fuzz("g4");
}

#[test]
fn islands_are_read_from_any_bytes() {
    fuzz("islands");
}

#[test]
fn journals_are_read_from_any_bytes() {
    fuzz("journal");
}

#[test]
fn node_types_are_read_from_any_bytes() {
    fuzz("node_types");
}

#[test]
fn observations_are_read_from_any_bytes() {
    fuzz("observations");
}

#[test]
fn pattern_files_are_read_from_any_bytes() {
    fuzz("pattern");
}

#[test]
fn png_is_read_from_any_bytes() {
    fuzz("png");
}

#[test]
fn replacements_are_read_from_any_bytes() {
    fuzz("replacements");
}

#[test]
fn reports_are_read_from_any_bytes() {
    fuzz("reports");
}

#[test]
fn sentences_of_any_grammar_parse() {
    fuzz("sentences");
}

/// For `scripts/fuzz-self`, which runs each parser in a separate process.
#[test]
fn the_parser_that_is_asked_for() {
    let asked = std::env::var("SEEDSMITH_PARSER").ok();
    for (name, _) in PARSERS.iter().filter(|(name, _)| Some(*name) == asked.as_deref()) {
        fuzz(name);
    }
}

#[test]
fn every_parser_has_a_test_a_corpus_and_a_fuzz_target() {
    let this = include_str!("main.rs");
    for (name, _) in PARSERS {
        assert!(this.contains(&format!("fuzz(\"{name}\")")), "no test runs {name}");
        let target = root().join(format!("fuzz/fuzz_targets/self_{name}.rs"));
        let target = std::fs::read_to_string(target).unwrap();
        assert!(target.contains(&format!("seedsmith::fuzzed::{name}(data)")), "{target}");
        assert!((10..=40).contains(&corpus(name).len()), "{name}: {} inputs", corpus(name).len());
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The kept inputs of a parser, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("corpora/self").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("{}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Runs a parser on its corpus and on mutants of it.
fn fuzz(name: &'static str) {
    let parser = PARSERS.iter().find(|(own, _)| *own == name).expect("it is listed").1;
    let wanted = std::env::var("SEEDSMITH_MUTANTS").ok().map(|count| count.parse().unwrap());
    let corpus = corpus(name);
    let mut runner = Runner::new(name, parser);
    for input in &corpus {
        runner.run(input);
    }
    let mut mutator = Mutator::new(&corpus, 1);
    let mutants = wanted.unwrap_or(MUTANTS);
    for _ in 0..mutants {
        runner.run(&mutator.next());
    }
    if wanted.is_some() {
        let Cost { memory, time } = runner.most;
        let (memory, time) = (memory as f64 / 1e6, time.as_secs_f64() * 1e3);
        let total = runner.total.as_secs_f64();
        println!("{name:<13}{:>4}{mutants:>9}{total:>9.1}{time:>10.1}{memory:>9.1}", corpus.len());
    }
}

/// Runs a parser on one input after the other and keeps the highest costs.
struct Runner {
    name: &'static str,
    parser: Parser,
    current: Arc<Mutex<Vec<u8>>>,
    /// Dropped at the end, which ends the watch.
    alive: mpsc::Sender<()>,
    note: Option<PathBuf>,
    most: Cost,
    total: Duration,
}

impl Runner {
    fn new(name: &'static str, parser: Parser) -> Self {
        let (alive, watch) = mpsc::channel();
        let current = Arc::new(Mutex::new(Vec::new()));
        let watched = current.clone();
        thread::spawn(move || {
            while let Ok(()) | Err(mpsc::RecvTimeoutError::Timeout) = match watch.recv_timeout(HANG)
            {
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let path = saved(name, &watched.lock().unwrap());
                    eprintln!("{name}: no end after {HANG:?}; the input is {}", path.display());
                    std::process::abort();
                }
                other => other,
            } {}
        });
        let folder = std::env::var_os("SEEDSMITH_FUZZED").map(PathBuf::from);
        let note = folder.map(|folder| folder.join(name));
        Runner { name, parser, current, alive, note, most: Cost::default(), total: Duration::ZERO }
    }

    fn run(&mut self, input: &[u8]) {
        self.alive.send(()).expect("the watch lives as long as its sender");
        self.current.lock().unwrap().clone_from(&input.to_vec());
        if let Some(note) = &self.note {
            std::fs::write(note, input).unwrap();
        }
        let _saved = SavedOnPanic { name: self.name, input };
        let cost = measure(|| (self.parser)(input));
        assert!(cost.time <= LIMIT_OF_TIME, "{:?} of processor time", cost.time);
        assert!(cost.memory <= LIMIT_OF_MEMORY, "{} bytes of memory", cost.memory);
        if let (Some(note), true) = (&self.note, cost.time > self.most.time) {
            std::fs::write(note.with_extension("slowest"), input).unwrap();
        }
        self.most.time = self.most.time.max(cost.time);
        self.most.memory = self.most.memory.max(cost.memory);
        self.total += cost.time;
    }
}

/// Writes down the input of a call that panics.
struct SavedOnPanic<'i> {
    name: &'static str,
    input: &'i [u8],
}

impl Drop for SavedOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}: the input is {}", self.name, saved(self.name, self.input).display());
        }
    }
}

/// Writes an input to a new file and returns the path.
fn saved(name: &str, input: &[u8]) -> PathBuf {
    let file = tempfile::Builder::new().prefix(&format!("self-{name}-")).tempfile().unwrap();
    std::fs::write(file.path(), input).unwrap();
    file.keep().unwrap().1
}
