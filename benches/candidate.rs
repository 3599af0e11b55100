//! Measures the cost of a candidate of 10 KB outside the target: to propose it, write it, hash it
//! and look it up. The parse before is measured separately.
//!
//! The target is a closure that answers at once and refuses whatever isn't the whole input, so
//! that the tree never gets smaller and nothing but our own work is timed. The last line is the
//! largest of all strategies' medians.
//!
//! `cargo bench --bench candidate`

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use seedsmith::Event;
use seedsmith::Search;
use seedsmith::Strategy;
use seedsmith::internal::reduce::{Options, Polish, minimize};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin;

/// Bytes of each input.
const LENGTH: usize = 10 << 10;
/// Runs of which the median counts.
const RUNS: usize = 5;
/// Tests after which a run ends.
const TESTS: u64 = 20_000;

fn json() -> String {
    let mut text = "[".to_owned();
    for number in 0.. {
        if text.len() >= LENGTH {
            break;
        }
        writeln!(
            text,
            "{{\"id\": {number}, \"tags\": [\"a{number}\", null, [true, {number}.5]]}},"
        )
        .expect("a string takes all");
    }
    text + "0]\n"
}

fn lua() -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= LENGTH {
            break;
        }
        write!(
            text,
            "local function f{number}(a, b)\n  if a == {number} then return b * 2 end\n  \
             print(\"x\", {{1, b}})\nend\n"
        )
        .expect("a string takes all");
    }
    text
}

/// Processor time of this process: other work on the machine is none of ours.
fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every process has this clock").into()
}

/// Candidates of one run, their bytes, the microseconds of each, and the milliseconds of a parse.
fn run(language: &Arc<Substitutes>, input: &str, strategy: Strategy) -> (u64, f64, f64, f64) {
    let all = input.len();
    let target = ClosureTarget::failing_if(move |candidate| candidate.len() == all);
    let judge =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let budget = Budget { max_tests: Some(TESTS), ..Budget::default() };
    let mut oracle = Oracle::new(&target, judge, 1, budget).expect("a closure can be run");
    let bytes = std::rc::Rc::new(std::cell::Cell::new(0_u64));
    let counted = bytes.clone();
    oracle.set_trace(Box::new(move |candidate, _, _| {
        counted.set(counted.get() + candidate.len() as u64);
    }));
    let mut listener = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, input.as_bytes().to_vec(), &mut listener);
    let options = Options {
        strategy,
        language: Some(language.clone()),
        polish: Polish::Tests(0),
        ..Options::default()
    };
    let started = now();
    // Ending by the number of tests is as good as ending.
    let _ = minimize(&mut search, &options);
    let elapsed = (now() - started).as_secs_f64();
    let calls = search.counts().calls.max(1);
    let started = now();
    language.parse(&mut language.parser(), input.as_bytes()).expect("it is valid");
    let parse = (now() - started).as_secs_f64();
    let spent = if strategy == Strategy::Ddmin { elapsed } else { elapsed - parse };
    (calls, bytes.get() as f64 / calls as f64, spent * 1e6 / calls as f64, parse * 1e3)
}

fn main() {
    let mut worst: f64 = 0.0;
    for (grammar, input) in [("json", json()), ("lua", lua())] {
        let parser = builtin::find(grammar).expect("it comes with the program").parser();
        let language = Language::of(parser, None).expect("tests start every grammar");
        let language = Arc::new(Substitutes::new(language));
        println!("{grammar}: {} bytes", input.len());
        for strategy in [Strategy::Auto, Strategy::Ddmin].into_iter().chain(Strategy::ALONG_A_TREE)
        {
            let mut runs: Vec<_> = (0..RUNS).map(|_| run(&language, &input, strategy)).collect();
            runs.sort_by(|left, right| left.2.total_cmp(&right.2));
            let (calls, mean, micros, parse) = runs[RUNS / 2];
            println!(
                "  {:<9} {calls:>6} candidates of {mean:>6.0} bytes, {micros:>6.2} us each; \
                 parsed once in {parse:.1} ms",
                strategy.to_string(),
            );
            worst = worst.max(micros);
        }
    }
    println!("at most {worst:.1} us a candidate");
}
