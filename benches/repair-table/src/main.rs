//! Measures repairs on a corpus of damaged inputs: `repair-table --corpus DIR [options]`.
//!
//! The corpus has a folder for each format with `valid`, `single`, `multi` and a `manifest.jsonl`.
//! Validators: serde_json, dot-parser, tobj and others in process; jq, dot and Python's
//! configparser as commands (`--commands`). Prints, for each strategy and kind of damage, what
//! tables 4 and 5 of 'Debugging Inputs' tell, and the distance to the valid original.

mod validators;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use seedsmith::oracle::Oracle;
use seedsmith::oracle::budget::Budget;
use seedsmith::oracle::judge::Validity;
use seedsmith::repair::distance::distance;
use seedsmith::repair::validate::{ByOracle, InPlace, Validate};
use seedsmith::repair::{self, Options, Strategy};
use seedsmith::structure::Units;
use seedsmith::structure::diff::{Step, diff};
use seedsmith::target::command::{CommandMode, CommandTarget};
use validators::{COMMANDS, IN_PROCESS};

struct Args {
    corpus: PathBuf,
    strategies: Vec<String>,
    formats: Vec<String>,
    commands: bool,
    every: usize,
    seconds: Option<f64>,
    verbose: bool,
}

fn main() {
    let mut args = Args {
        corpus: PathBuf::new(),
        strategies: ["lexical", "syntactic", "hybrid", "only-delete", "default"].map(String::from).to_vec(),
        formats: ["json", "dot", "obj", "ini"].map(String::from).to_vec(),
        commands: false,
        every: 1,
        seconds: None,
        verbose: false,
    };
    let mut given = std::env::args().skip(1);
    while let Some(option) = given.next() {
        let mut value = || given.next().unwrap_or_else(|| panic!("{option} needs a value"));
        let list = |text: String| text.split(',').map(str::to_owned).collect();
        match option.as_str() {
            "--corpus" => args.corpus = value().into(),
            "--strategies" => args.strategies = list(value()),
            "--formats" => args.formats = list(value()),
            "--every" => args.every = value().parse().expect("a number"),
            "--seconds" => args.seconds = Some(value().parse().expect("a number")),
            "--commands" => args.commands = true,
            "--verbose" => args.verbose = true,
            _ => panic!("unknown option {option}"),
        }
    }
    println!(
        "{:<22} {:<6} {:<12} {:>5} {:>8} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "validator", "damage", "strategy", "pairs", "repaired", "valid", "kept", "distance", "runs", "mean ms", "max ms"
    );
    for damage in ["single", "multi"] {
        for format in &args.formats {
            let names: Vec<&str> = if args.commands {
                COMMANDS.iter().filter(|(_, kind, _)| kind == format).map(|(name, ..)| *name).collect()
            } else {
                IN_PROCESS.iter().filter(|(_, kind, _)| kind == format).map(|(name, ..)| *name).collect()
            };
            for name in names {
                measure(&args, damage, format, name);
            }
        }
    }
}

struct Pair {
    name: String,
    valid: Vec<u8>,
    damaged: Vec<u8>,
}

fn pairs(corpus: &Path, format: &str, damage: &str, every: usize) -> Vec<Pair> {
    let folder = corpus.join(format);
    let mut names: Vec<String> = std::fs::read_dir(folder.join("valid"))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
        .into_iter()
        .step_by(every)
        .filter_map(|name| {
            let valid = std::fs::read(folder.join("valid").join(&name)).ok()?;
            let damaged = std::fs::read(folder.join(damage).join(&name)).ok()?;
            Some(Pair { name, valid, damaged })
        })
        .collect()
}

fn options(strategy: &str) -> Options {
    let (strategy, only_delete) = match strategy {
        "lexical" => (Strategy::Ddmax, false),
        "syntactic" => (Strategy::Syntactic, false),
        "hybrid" => (Strategy::Hybrid, false),
        "only-delete" => (Strategy::Auto, true),
        "default" => (Strategy::Auto, false),
        other => panic!("unknown strategy {other}"),
    };
    Options { strategy, only_delete, ..Options::default() }
}

fn with_validator<R>(args: &Args, name: &str, seconds: f64, body: impl FnOnce(&mut dyn Validate) -> R) -> R {
    let budget = Budget { max_time: Some(Duration::from_secs_f64(seconds)), ..Budget::default() };
    if args.commands {
        let (.., argv) = COMMANDS.iter().find(|(known, ..)| *known == name).expect("known");
        let argv = argv.iter().map(std::ffi::OsString::from).collect();
        let target = CommandTarget::new(argv, CommandMode::ExitZeroIsValid);
        let mut oracle = Oracle::new(&target, Validity, 2, budget).expect("the command can be run");
        return body(&mut ByOracle::new(&mut oracle, true));
    }
    let (.., function) = IN_PROCESS.iter().find(|(known, ..)| *known == name).expect("known");
    let guarded = |bytes: &[u8]| {
        std::panic::catch_unwind(|| function(bytes)).unwrap_or(false)
    };
    body(&mut InPlace::new(guarded, budget))
}

/// Bytes of `valid` that `text` has in the same order. Two texts that are far apart are diffed
/// as far as the package's own diff goes.
fn common(valid: &[u8], text: &[u8]) -> usize {
    let units = (Units::bytes(valid.len()), Units::bytes(text.len()));
    let steps = diff((valid, &units.0), (text, &units.1));
    steps.iter().map(|step| if let Step::Common(span) = step { span.len() } else { 0 }).sum()
}

fn measure(args: &Args, damage: &str, format: &str, name: &str) {
    std::panic::set_hook(Box::new(|_| {}));
    let all = pairs(&args.corpus, format, damage, args.every);
    let total = all.len();
    let failing: Vec<Pair> = all
        .into_iter()
        .filter(|pair| {
            with_validator(args, name, 60.0, |validator| {
                validator.is_valid(&pair.valid).unwrap_or(false)
                    && !validator.is_valid(&pair.damaged).unwrap_or(true)
            })
        })
        .collect();
    println!("# {name}: {} of {total} {damage} pairs truly fail", failing.len());
    for strategy in &args.strategies {
        let usual = if strategy == "lexical" { 60.0 } else if args.commands { 10.0 } else { 1.0 };
        let (mut repaired, mut valid, mut kept, mut far, mut runs) = (0, 0, 0.0, 0.0, 0);
        let (mut time, mut longest) = (0.0, 0.0f64);
        for pair in &failing {
            let started = Instant::now();
            let found = with_validator(args, name, args.seconds.unwrap_or(usual), |validator| {
                repair::repair(validator, &pair.damaged, &options(strategy)).expect("it runs")
            });
            let took = started.elapsed().as_secs_f64() * 1e3;
            time += took;
            longest = longest.max(took);
            runs += found.counts.executions;
            let text = found.text.unwrap_or_default();
            let edits = distance(&pair.damaged, &text, usize::MAX);
            let is_similar = 1.0 - edits as f64 / pair.damaged.len() as f64 >= 0.5;
            let off = distance(&pair.valid, &text, usize::MAX);
            if !text.is_empty() {
                valid += 1;
            }
            if is_similar && !text.is_empty() {
                repaired += 1;
            }
            let share = common(&pair.valid, &text) as f64 / pair.valid.len() as f64;
            kept += share;
            far += off as f64;
            if args.verbose {
                println!(
                    "  {strategy} {} edits {edits} off {off} kept {share:.3} runs {} {took:.0} ms {}",
                    pair.name,
                    found.counts.executions,
                    if is_similar { "" } else { "NOT REPAIRED" }
                );
            }
        }
        let count = failing.len().max(1) as f64;
        println!(
            "{name:<22} {damage:<6} {strategy:<12} {:>5} {repaired:>8} {valid:>8} {:>7.3} {:>9.2} {runs:>9} {:>9.1} {longest:>9.0}",
            failing.len(), kept / count, far / count, time / count
        );
    }
}
