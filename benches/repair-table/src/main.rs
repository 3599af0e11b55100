//! Measures repairs on a corpus of damaged inputs: `repair-table --corpus DIR [options]`.
//!
//! The corpus has a folder for each format with `valid`, `single`, `multi` and a `manifest.jsonl`.
//! Validators: serde_json, dot-parser, tobj and others in process; jq, dot and Python's
//! configparser as commands (`--commands`). Prints, for each strategy and kind of damage, the
//! figures of tables 4 and 5 of 'Debugging Inputs', the distance to the valid original, totals over
//! all validators, and how the strategies compare pair by pair.

mod args;
mod damage;
mod pair;
mod tally;
mod validators;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use args::Args;
use pair::Pair;
use seedsmith::internal::repair::{ByOracle, InPlace, Validate};
use seedsmith::internal::repair::{Options, Repair, Strategy, distance, repair};
use seedsmith::internal::repair::{Reader, Reads};
use seedsmith_engine::Validity;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{CommandMode, CommandTarget};
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use tally::{HEADER, Row, Tally};
use validators::{COMMANDS, IN_PROCESS};

/// Budget of lexical ddmax, as in the paper; of all others; and of those where a test is a process. The default ends
/// each pair of the public corpus by itself in less than 3 s, so that its runs do not depend on the clock: with 1 s they were
/// 11,182 to 15,809 (2026-11-24).
const LEXICAL_SECONDS: f64 = 60.0;
const SECONDS: f64 = 60.0;
const COMMAND_SECONDS: f64 = 10.0;

fn main() -> ExitCode {
    match Args::parse() {
        Ok(Some(args)) => {
            table(&args);
            ExitCode::SUCCESS
        }
        Ok(None) => {
            print!("{}", args::help());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("repair-table: {message}");
            ExitCode::from(2)
        }
    }
}

/// Measures and prints everything.
fn table(args: &Args) {
    std::panic::set_hook(Box::new(|_| {}));
    println!("{HEADER}");
    let mut totals: BTreeMap<(usize, &str), Tally> = BTreeMap::new();
    for (order, damage) in ["single", "multi"].into_iter().enumerate() {
        for format in &args.formats {
            for name in validators(args, format) {
                for (strategy, tally) in measure(args, damage, format, name) {
                    totals.entry((order, strategy)).or_default().add(tally);
                }
            }
        }
    }
    for ((order, strategy), tally) in &totals {
        tally.print("all of them", ["single", "multi"][*order], strategy);
    }
    let whole = |strategy: &str| {
        let mut whole = Tally::default();
        for order in 0..2 {
            let part = totals.get(&(order, strategy)).cloned();
            whole.add(part.unwrap_or_default());
        }
        whole
    };
    println!();
    for (strategy, other) in
        [("hybrid", "lexical"), ("default", "lexical"), ("default", "only-delete")]
    {
        if args
            .strategies
            .iter()
            .filter(|known| [strategy, other].contains(&known.as_str()))
            .count()
            == 2
        {
            whole(strategy).compare(strategy, &whole(other), other);
        }
    }
}

/// Names of the validators of a format.
fn validators(args: &Args, format: &str) -> Vec<&'static str> {
    let names: Vec<&str> = if args.commands {
        COMMANDS.iter().filter(|(_, kind, _)| *kind == format).map(|(name, ..)| *name).collect()
    } else {
        IN_PROCESS.iter().filter(|(_, kind, _)| *kind == format).map(|(name, ..)| *name).collect()
    };
    let is_wanted = |name: &&str| args.only.as_deref().is_none_or(|only| only == *name);
    let is_there = |name: &&str| {
        let Some((.., argv)) = COMMANDS.iter().find(|(known, ..)| known == name) else {
            return true;
        };
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(argv[0]).is_file())
        });
        if !found {
            println!("# {name} is left out: there is no program {} here", argv[0]);
        }
        found
    };
    names.into_iter().filter(is_wanted).filter(is_there).collect()
}

/// A reader of the built-in grammar of that name.
fn reader(format: &str) -> Arc<dyn Reads> {
    let language = Language::open(format, None).expect("each format has a built-in grammar");
    Arc::new(Reader::new(Arc::new(Substitutes::new(language))))
}

fn options(strategy: &str, reader: Option<Arc<dyn Reads>>) -> Options {
    let hints = reader.clone().filter(|_| strategy == "default");
    let (strategy, only_delete) = match strategy {
        "lexical" => (Strategy::Ddmax, false),
        "syntactic" => (Strategy::Syntactic, false),
        "hybrid" => (Strategy::Hybrid, false),
        "only-delete" => (Strategy::Auto, true),
        // The longest valid prefix takes none.
        "default" | "baseline" => (Strategy::Auto, false),
        other => panic!("unknown strategy {other}"),
    };
    Options { strategy, only_delete, reader, hints, ..Options::default() }
}

fn with_validator<R>(
    args: &Args,
    name: &str,
    seconds: f64,
    body: impl FnOnce(&mut dyn Validate) -> R,
) -> R {
    let max_time = Some(Duration::from_secs_f64(seconds));
    let budget = Budget { max_time, max_tests: args.tests, ..Budget::default() };
    if args.commands {
        let (.., argv) = COMMANDS.iter().find(|(known, ..)| *known == name).expect("known");
        let argv = argv.iter().map(std::ffi::OsString::from).collect();
        let target = CommandTarget::new(argv, CommandMode::ExitZeroIsValid);
        let mut oracle = Oracle::new(&target, Validity, 2, budget).expect("the command can be run");
        return body(&mut ByOracle::new(&mut oracle, true));
    }
    let (.., function) = IN_PROCESS.iter().find(|(known, ..)| *known == name).expect("known");
    let guarded = |bytes: &[u8]| std::panic::catch_unwind(|| function(bytes)).unwrap_or(false);
    body(&mut InPlace::new(guarded, budget))
}

/// The part that a parser has read when it meets the first fault: the longest valid prefix that
/// ends with a line. None of the parsers here has a recovery that would give more.
fn baseline(validator: &mut dyn Validate, input: &[u8]) -> Repair {
    let mut ends: Vec<usize> =
        (0..input.len()).filter(|at| input[*at] == b'\n').map(|at| at + 1).collect();
    let mut next = std::iter::from_fn(|| ends.pop());
    let answer = validator.first_valid(&mut |buffer| {
        let Some(end) = next.next() else { return false };
        buffer.extend_from_slice(&input[..end]);
        true
    });
    let text = answer.ok().flatten().map(|(_, text)| text);
    let counts = validator.counts();
    Repair { text, was_valid: false, stopped: None, counts, message: None, rejected: None }
}

fn measure<'a>(args: &'a Args, damage: &str, format: &str, name: &str) -> Vec<(&'a str, Tally)> {
    let all = pair::read(args, format, damage);
    let total = all.len();
    let failing: Vec<Pair> = all
        .into_iter()
        .filter(|pair| {
            with_validator(args, name, LEXICAL_SECONDS, |validator| {
                validator.is_valid(&pair.valid).unwrap_or(false)
                    && !validator.is_valid(&pair.damaged).unwrap_or(true)
            })
        })
        .collect();
    println!("# {name}: {} of {total} {damage} pairs truly fail", failing.len());
    let save = |what: &str, file: &str, text: &[u8]| {
        if let Some(folder) = &args.save {
            let path = folder.join(format!("{name}-{damage}-{what}-{file}"));
            std::fs::write(&path, text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    };
    failing.iter().for_each(|pair| save("damaged", &pair.name, &pair.damaged));
    let reader = args.has_grammar.then(|| reader(format));
    let mut tallies = Vec::new();
    for strategy in &args.strategies {
        let options = options(strategy, reader.clone());
        let usual = if strategy == "lexical" {
            args.lexical_seconds.unwrap_or(LEXICAL_SECONDS)
        } else {
            args.seconds.unwrap_or(if args.commands { COMMAND_SECONDS } else { SECONDS })
        };
        let mut tally = Tally::default();
        for pair in &failing {
            let started = Instant::now();
            let found = with_validator(args, name, usual, |validator| match strategy.as_str() {
                "baseline" => baseline(validator, &pair.damaged),
                _ => repair(validator, &pair.damaged, &options).expect("it runs"),
            });
            let ms = started.elapsed().as_secs_f64() * 1e3;
            let text = found.text.unwrap_or_default();
            let row = Row {
                name: format!("{name} {damage} {}", pair.name),
                is_valid: !text.is_empty(),
                edits: distance(&pair.damaged, &text, usize::MAX),
                damaged_bytes: pair.damaged.len(),
                off: distance(&pair.valid, &text, usize::MAX),
                kept: pair.kept(&text),
                runs: found.counts.executions,
                ms,
                was_stopped: found.stopped.is_some(),
            };
            if args.verbose {
                row.print(strategy, &pair.name);
            }
            save(strategy, &pair.name, &text);
            tally.rows.push(row);
        }
        tally.print(name, damage, strategy);
        tallies.push((strategy.as_str(), tally));
    }
    tallies
}
