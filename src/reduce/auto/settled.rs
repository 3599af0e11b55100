//! A second run of the default strategy on its own result changes nothing, whatever the failure,
//! the input and the price of a test.
//!
//! The second run is a new search with a new oracle and a new cache, as if a user ran the program a
//! second time.

use std::sync::Arc;
use std::time::Duration;

use crate::reduce::testing::{Found, reduce_with};
use crate::reduce::{Clues, Options, Polish, minimize};
use seedsmith_grammar::Digest;
use seedsmith_grammar::Language;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin;

type Fails = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    memchr::memmem::find(bytes, text).is_some()
}

fn count(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().filter(|other| **other == byte).count()
}

fn is_balanced(bytes: &[u8]) -> bool {
    let mut open = Vec::new();
    bytes.iter().all(|byte| match byte {
        b'(' | b'[' | b'{' => {
            open.push(*byte);
            true
        }
        b')' => open.pop() == Some(b'('),
        b']' => open.pop() == Some(b'['),
        b'}' => open.pop() == Some(b'{'),
        _ => true,
    }) && open.is_empty()
}

fn words(random: &mut Random) -> &'static str {
    const WORDS: [&str; 9] =
        ["total", "a", "int", "count", "if", "return", "while", "x1", "argument"];
    random.choose(&WORDS).copied().unwrap_or_default()
}

/// A text in the manner of C.
fn c_like(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..2 + random.below(4) {
        text += &format!("int {}({} *{}) {{\n", words(random), words(random), words(random));
        for _ in 0..1 + random.below(3) {
            let (left, right) = (words(random), random.below(1000));
            text += &format!("    {left}[{right}] = {}({left}, \"{left}\");\n", words(random));
        }
        text += "    return 0; /* done */\n}\n";
    }
    text
}

/// A text in JSON.
fn json_like(random: &mut Random, depth: usize) -> String {
    let inner = |random: &mut Random| {
        (0..1 + random.below(3)).map(|_| json_like(random, depth - 1)).collect::<Vec<_>>()
    };
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => random.below(100_000).to_string(),
        1 => format!("\"{} {}\"", words(random), words(random)),
        2 => format!("[{}]", inner(random).join(", ")),
        _ => {
            let items = inner(random).into_iter();
            let items: Vec<_> =
                items.map(|item| format!("\"{}\": {item}", words(random))).collect();
            format!("{{{}}}", items.join(",\n "))
        }
    }
}

/// Lines of words, brackets that need not close, bytes: one of each kind of input.
fn input(kind: usize, random: &mut Random) -> Vec<u8> {
    match kind {
        0 => c_like(random).into_bytes(),
        1 => {
            let items: Vec<_> = (0..6).map(|_| json_like(random, 2)).collect();
            format!("[{}]\n", items.join(",\n")).into_bytes()
        }
        2 => {
            let mut lines = String::new();
            for _ in 0..12 + random.below(10) {
                lines += &format!("{} {} = {}\n", words(random), words(random), random.below(300));
            }
            lines.into_bytes()
        }
        3 => {
            let signs = b"()[]{}<>(){};,ab \n";
            (0..150 + random.below(150)).map(|_| signs[random.below(signs.len())]).collect()
        }
        _ => {
            let mut bytes = Vec::new();
            for tag in 0..8 + random.below(8) as u8 {
                let length = random.below(20);
                bytes.extend([tag, length as u8]);
                bytes.extend((0..length).map(|_| random.below(256) as u8));
            }
            bytes
        }
    }
}

/// Some bytes of the input, wherever they begin and end.
fn fragment(input: &[u8], random: &mut Random) -> Vec<u8> {
    let length = 1 + random.below(9);
    let at = random.below(input.len() - length);
    input[at..at + length].to_vec()
}

/// Failures of several kinds that the input shows.
fn failure(kind: usize, input: &[u8], random: &mut Random) -> Fails {
    let fragments: Vec<Vec<u8>> =
        (0..1 + random.below(4)).map(|_| fragment(input, random)).collect();
    let has_all = move |bytes: &[u8]| fragments.iter().all(|fragment| contains(bytes, fragment));
    let byte = input[random.below(input.len())];
    let (all, least) = (count(input, byte), input.len() / (2 + random.below(20)));
    match kind {
        0 => Arc::new(has_all),
        1 => Arc::new(move |bytes| count(bytes, byte) * 3 > all && has_all(bytes)),
        2 => Arc::new(move |bytes| count(bytes, byte) % 2 == all % 2 && has_all(bytes)),
        3 => {
            let is_kept = is_balanced(input);
            Arc::new(move |bytes| is_balanced(bytes) == is_kept && has_all(bytes))
        }
        4 => {
            let rest = input.len() % 3;
            Arc::new(move |bytes| bytes.len() >= least && bytes.len() % 3 == rest && has_all(bytes))
        }
        // Rugged: where a step fails, others have to be looked for.
        _ => {
            let whole = input.to_vec();
            Arc::new(move |bytes| {
                bytes == whole || (has_all(bytes) && !Digest::of(bytes).0.is_multiple_of(3))
            })
        }
    }
}

fn language(name: &str) -> Arc<Substitutes> {
    let parser = builtin::find(name).unwrap().parser();
    Arc::new(Substitutes::new(Language::of(parser, None).unwrap()))
}

fn clues(file_name: Option<&str>) -> Option<Clues> {
    let file_name = file_name.map(str::to_owned);
    Some(Clues { file_name, target: None, max_parse_time: Duration::from_secs(5) })
}

/// Ways to know the language: not at all, by a trial, by a name that may be wrong, for sure.
fn all_options(kind: usize) -> Vec<Options> {
    let named = ["x.lua", "x.json", "x.toml", "x.css", "x.xml"][kind];
    let known = language(["javascript", "json", "ini", "sexp", "json"][kind]);
    let bare = Options { polish: Polish::Tests(300), ..Options::default() };
    vec![
        bare.clone(),
        Options { clues: clues(None), ..bare.clone() },
        Options { clues: clues(Some(named)), ..bare.clone() },
        Options { language: Some(known), ..bare },
    ]
}

fn run(jobs: usize, input: &[u8], fails: &Fails, options: &Options) -> Found {
    let fails = fails.clone();
    reduce_with(jobs, input, move |bytes| fails(bytes), |search| minimize(search, options))
}

/// Runs twice; panics where the second run changes something.
fn assert_settled(input: &[u8], fails: &Fails, options: &Options, what: &str) -> Vec<u8> {
    let once = run(1, input, fails, options);
    let again = run(1, &once.best, fails, options);
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert_eq!(text(&again.best), text(&once.best), "{what}, {options:?}, {}", text(input));
    once.best
}

/// Each kind of input and each failure, every third pair of them; all pairs, for as many seeds as `SEEDSMITH_SEEDS` says, in
/// `scripts/nightly causes`, since each takes seconds.
fn for_each_case(mut body: impl FnMut(&[u8], &Fails, usize, &str)) {
    let seeds = std::env::var("SEEDSMITH_SEEDS").ok().map(|seeds| seeds.parse().unwrap());
    let step = if seeds.is_some() { 1 } else { 3 };
    for seed in 0..seeds.unwrap_or(1) {
        for kind in 0..5 {
            for failing in (kind % step..6).step_by(step) {
                let mut random = Random::new(seed << 8 | (kind as u64) << 4 | failing as u64);
                let input = input(kind, &mut random);
                let fails = failure(failing, &input, &mut random);
                body(&input, &fails, kind, &format!("seed {seed} input {kind} failure {failing}"));
            }
        }
    }
}

#[test]
fn a_second_run_changes_nothing_where_tests_are_cheap() {
    for_each_case(|input, fails, kind, what| {
        for options in all_options(kind) {
            assert_settled(input, fails, &options, what);
        }
    });
}

#[test]
fn a_second_run_changes_nothing_where_tests_are_expensive() {
    for_each_case(|input, fails, kind, what| {
        for options in all_options(kind) {
            let options = Options { are_tests_expensive: true, polish: Polish::Auto, ..options };
            assert_settled(input, fails, &options, what);
        }
    });
}

#[test]
fn a_second_run_that_no_longer_has_the_file_s_ending_changes_nothing_either() {
    for_each_case(|input, fails, kind, what| {
        let named = all_options(kind).swap_remove(2);
        for are_tests_expensive in [false, true] {
            let named = Options { are_tests_expensive, ..named.clone() };
            let once = assert_settled(input, fails, &named, what);
            let nameless = Options { clues: clues(Some("crash-a9993e36")), ..named };
            assert_eq!(run(1, &once, fails, &nameless).best, once, "{what}");
        }
    });
}

#[test]
fn two_workers_end_with_the_same_bytes_after_the_same_tests() {
    for_each_case(|input, fails, kind, what| {
        for options in all_options(kind) {
            for are_tests_expensive in [false, true] {
                let options = Options { are_tests_expensive, ..options.clone() };
                let one = run(1, input, fails, &options);
                assert!(one == run(2, input, fails, &options), "{what}, {options:?}");
            }
        }
    });
}
