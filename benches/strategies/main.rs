//! The default strategy beside the published ones that go along a tree: sizes, and how many tests
//! it takes until the default is as small as each of them in the end.
//!
//! Six generated documents with a predicate on the text each (the language has to be kept, and
//! something has to be in it), and with `--bins DIR`, a folder of fuzz targets' executables, the
//! committed crashes in a language for which there is a grammar.
//!
//! `cargo bench --bench strategies -- [--bins DIR] [--seed N] [NAME…]`; other seeds write other
//! documents.

mod documents;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use documents::{DOCUMENTS, Dice};
use seedsmith::Event;
use seedsmith::Search;
use seedsmith::Strategy;
use seedsmith::internal::reduce::{Options, minimize};
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::Observation;
use seedsmith_engine::SameFailure;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::linked;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Request, Target};
use seedsmith_engine::{Rule, Sameness};
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin;

/// Which document's predicate the linked target is.
const VARIABLE: &str = "SEEDSMITH_BENCH_DOCUMENT";
/// A strategy that takes longer is stopped there.
const LIMIT: Duration = Duration::from_secs(10);

/// Crashes by target, with the grammar of their inputs.
const CRASHES: [(&str, &str); 8] = [
    ("toml_header", "toml"),
    ("ini_escape", "ini"),
    ("sql_infix", "sql"),
    ("regex_flags", "regex"),
    ("xml_comment", "xml"),
    ("js_bigint", "javascript"),
    ("lua_backtick", "lua"),
    ("css_calc", "css"),
];

fn body(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let name = std::env::var(VARIABLE).unwrap_or_default();
    let document = DOCUMENTS.iter().find(|document| document.name == name);
    assert!(!document.is_some_and(|document| (document.fails)(text)), "found");
}

/// A run of a strategy.
struct Run {
    strategy: Strategy,
    result: Vec<u8>,
    tests: u64,
    /// Sizes on the way, with the tests until then.
    path: Vec<(u64, usize)>,
    elapsed: Duration,
    stats: Vec<String>,
}

impl Run {
    /// Tests until the best was no larger than `size`.
    fn tests_to(&self, size: usize) -> Option<u64> {
        self.path.iter().find(|(_, bytes)| *bytes <= size).map(|(tests, _)| *tests)
    }
}

fn run(target: &dyn Target, language: &Arc<Substitutes>, input: &[u8], strategy: Strategy) -> Run {
    let started = Instant::now();
    let nobody =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let signature = {
        let mut oracle =
            Oracle::new(target, nobody, 1, Budget::default()).expect("the target can be run");
        match oracle
            .observe(
                input,
                Request { fresh: true, frames: true, once: false, varied: false, expected: None },
            )
            .expect("the target can be run")
        {
            Observation::Failed(signature) => (*signature).clone(),
            other => panic!("the input gave {other:?}"),
        }
    };
    let judge = SameFailure { signature, sameness: Sameness { rule: Rule::Auto, pattern: None } };
    let budget = Budget { max_time: Some(LIMIT), ..Budget::default() };
    let mut oracle = Oracle::new(target, judge, 1, budget).expect("the target can be run");
    let mut path = Vec::new();
    let mut listener = |event: &Event<'_>| {
        if let Event::Reduced { best, counts, .. } = event {
            path.push((counts.tests, best.len()));
        }
    };
    let mut search = Search::new(&mut oracle, input.to_vec(), &mut listener);
    let options = Options { strategy, language: Some(language.clone()), ..Options::default() };
    let ended = minimize(&mut search, &options);
    let result = search.best().to_vec();
    let tests = search.counts().tests;
    let stats = search
        .stats()
        .iter()
        .filter(|stats| stats.counts.tests > 0)
        .map(|stats| {
            format!(
                "{} {}t {}->{}",
                stats.reducer, stats.counts.tests, stats.bytes_before, stats.bytes_after
            )
        })
        .collect();
    if ended.is_err() {
        println!("  ({strategy} was stopped after {} s)", LIMIT.as_secs());
    }
    drop(search);
    Run { strategy, result, tests, path, elapsed: started.elapsed(), stats }
}

/// Pairs of the default and a named strategy, over all inputs.
#[derive(Default)]
struct Sums {
    pairs: usize,
    within: usize,
    log_tests: f64,
    larger: usize,
    inputs: usize,
    log_size: f64,
}

fn compare(name: &str, target: &dyn Target, grammar: &str, input: &[u8], sums: &mut Sums) {
    let parser = builtin::find(grammar).expect("it comes with the program").parser();
    let language = Language::of(parser, None).expect("tests start every grammar");
    let language = Arc::new(Substitutes::new(language));
    let started = Instant::now();
    let parsed = language.parse(&mut language.parser(), input);
    println!(
        "{name}: {} bytes, parsed once in {:.1} ms: {}",
        input.len(),
        started.elapsed().as_secs_f64() * 1e3,
        parsed.map_or_else(
            |error| error.to_string(),
            |parsed| format!(
                "{} nodes, {} levels, {} bytes in error nodes",
                parsed.tree.len(),
                parsed.tree.height(),
                parsed.tree.error_bytes()
            )
        )
    );
    let started = Instant::now();
    let found = builtin::recognise(builtin::Hint::default(), input);
    println!(
        "  recognised in {:.1} ms: {:?}",
        started.elapsed().as_secs_f64() * 1e3,
        found.map(|(found, clue)| (found.name, clue))
    );
    let strategies = [Strategy::Auto, Strategy::Ddmin].into_iter().chain(Strategy::ALONG_A_TREE);
    let runs: Vec<Run> =
        strategies.map(|strategy| run(target, &language, input, strategy)).collect();
    let auto = &runs[0];
    for run in &runs {
        let to = auto.tests_to(run.result.len());
        let ratio = to.map_or(f64::INFINITY, |to| to.max(1) as f64 / run.tests.max(1) as f64);
        println!(
            "  {:<9} {:>6} bytes {:>7} tests {:>7.0} ms   auto is there after {:>6} ({:.2})  {}",
            run.strategy.to_string(),
            run.result.len(),
            run.tests,
            run.elapsed.as_secs_f64() * 1e3,
            to.map_or_else(|| "never".to_owned(), |to| to.to_string()),
            ratio,
            String::from_utf8_lossy(&run.result[..run.result.len().min(60)]).escape_debug(),
        );
        if run.strategy != Strategy::Auto {
            sums.pairs += 1;
            sums.within += usize::from(ratio <= 1.2);
            sums.larger += usize::from(to.is_none());
            sums.log_tests += ratio.min(100.0).ln();
        }
    }
    if std::env::var_os("SEEDSMITH_BENCH_STATS").is_some() {
        println!("    {}", auto.stats.join("; "));
    }
    let best = runs[1..].iter().map(|run| run.result.len()).min().unwrap_or(0);
    sums.inputs += 1;
    sums.log_size += (auto.result.len().max(1) as f64 / best.max(1) as f64).ln();
}

fn crash_of(target: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/crashes").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.into_iter().find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("crash-"))
    })
}

const USAGE: &str = "cargo bench --bench strategies -- [--bins DIR] [--seed N] [NAME…]";

fn main() {
    linked::serve(body);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut bins, mut names, mut seed) = (None, Vec::new(), 1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bins" => bins = arguments.next().map(PathBuf::from),
            "--seed" => {
                seed =
                    arguments.next().and_then(|n| n.parse().ok()).expect("--seed takes a number");
            }
            "-h" | "--help" => return println!("{USAGE}"),
            _ if argument.starts_with('-') => {
                eprintln!("strategies: unknown option {argument}; {USAGE}");
                std::process::exit(2);
            }
            _ => names.push(argument),
        }
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut sums = Sums::default();
    for (index, document) in (0..).zip(DOCUMENTS.iter()) {
        if !is_wanted(document.name) {
            continue;
        }
        // SAFETY: this program has one thread; zygotes inherit the variable.
        unsafe { std::env::set_var(VARIABLE, document.name) };
        let text = (document.write)(&mut Dice(seed + index));
        assert!((document.fails)(&text), "{} doesn't show what it was made for", document.name);
        let target = LinkedTarget::new("strategies").expect("this program can be read");
        compare(document.name, &target, document.grammar, text.as_bytes(), &mut sums);
    }
    if let Some(bins) = bins {
        for (name, grammar) in CRASHES.iter().filter(|(name, _)| is_wanted(name)) {
            let path = crash_of(name).expect("every target has a crash");
            let input = std::fs::read(path).expect("it can be read");
            let target = InjectedTarget::new(&bins.join(name), InjectedOptions::default())
                .expect("it is a libFuzzer executable");
            compare(name, &target, grammar, &input, &mut sums);
        }
    }
    println!(
        "auto: larger on {} of {} pairs; size to the best named, geometric mean {:.2}; tests to \
         the other's size <= 1.2 times its tests on {} of {}, geometric mean {:.2}",
        sums.larger,
        sums.pairs,
        (sums.log_size / sums.inputs.max(1) as f64).exp(),
        sums.within,
        sums.pairs,
        (sums.log_tests / sums.pairs.max(1) as f64).exp(),
    );
}
