//! Properties of every reducer of the registry and of the default strategy, checked on a handful of
//! failures that resemble real ones.

use std::sync::Arc;

use crate::event::Minimality;
use crate::reduce::testing::special::special;
use crate::reduce::testing::{Found, reduce_by, reduce_with};
use crate::reduce::{
    Options, Polish, REDUCERS, Reducer, Selection, Strategy, UnitKind, minimize, select,
};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin;
use seedsmith_grammar::internal::order;

/// Says which inputs fail.
pub type Fails = fn(&[u8]) -> bool;

/// Whether a text is somewhere in the bytes.
pub fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

fn depth(bytes: &[u8]) -> Option<usize> {
    let (mut open, mut deepest) = (Vec::new(), 0);
    for byte in bytes {
        match byte {
            b'(' | b'[' => open.push(*byte),
            b')' if open.pop() != Some(b'(') => return None,
            b']' if open.pop() != Some(b'[') => return None,
            _ => {}
        }
        deepest = deepest.max(open.len());
    }
    open.is_empty().then_some(deepest)
}

fn has_length(bytes: &[u8]) -> bool {
    matches!(bytes, [b'L', length, 0, body @ ..]
        if usize::from(*length) == body.len() && body.contains(&0xee))
}

/// Name, input, and when it fails.
fn failures() -> Vec<(&'static str, Vec<u8>, Fails)> {
    let many = |line: &str| line.repeat(40);
    vec![
        ("empty", b"anything".to_vec(), |_| true),
        ("one byte", format!("{}x`y{}", many("ab c\n"), many("d\n")).into_bytes(), |bytes| {
            bytes.contains(&b'`')
        }),
        ("far apart", format!("let a;{}drop a;\n", many("x = 1;\n")).into_bytes(), |bytes| {
            contains(bytes, b"let") && contains(bytes, b"drop a") && bytes.ends_with(b"\n")
        }),
        ("nested", b"f(1, [2, (3, 4)], ((([(x)]))), g())".to_vec(), |bytes| {
            depth(bytes).is_some_and(|depth| depth > 2) && bytes.contains(&b'x')
        }),
        ("balanced", b"(a)(b(c)d)[(e)(!)]".to_vec(), |bytes| {
            depth(bytes).is_some() && bytes.contains(&b'!')
        }),
        ("deep", [b"([".repeat(60), b"])".repeat(60)].concat(), |bytes| {
            depth(bytes).is_some_and(|depth| depth >= 20)
        }),
        ("detour", b"some <<= text".to_vec(), |bytes| {
            contains(bytes, b"<<=") || contains(bytes, b"]*")
        }),
        ("number", b"limit = 98765;".to_vec(), |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let words = text.split(|c: char| !c.is_ascii_digit());
            words.filter_map(|word| word.parse::<u64>().ok()).any(|number| number > 300)
        }),
        ("length", b"L\x0d\x00abcdef\xeeghijkl".to_vec(), has_length),
        ("characters", "a\u{20ac}b\u{fc}\u{fc}c".as_bytes().to_vec(), |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| text.contains('\u{fc}'))
        }),
    ]
}

fn run(jobs: usize, input: &[u8], fails: Fails, options: &Options) -> Found {
    reduce_with(jobs, input, fails, |search| minimize(search, options))
}

fn all_options() -> Vec<Options> {
    let polish = Polish::Tests(3000);
    let strategies = [Strategy::Auto, Strategy::Ddmin];
    let formats =
        [UnitKind::Auto, UnitKind::Lines, UnitKind::Tokens, UnitKind::Brackets, UnitKind::Bytes];
    strategies
        .into_iter()
        .flat_map(|strategy| {
            formats.map(|format| Options {
                strategy,
                format,
                seed: 7,
                polish,
                ..Options::default()
            })
        })
        .collect()
}

#[test]
fn the_result_fails_and_is_never_larger() {
    for (name, input, fails) in failures() {
        for options in all_options() {
            let found = run(1, &input, fails, &options);
            assert!(fails(&found.best), "{name} with {options:?}");
            assert!(found.best.len() <= input.len(), "{name} with {options:?}");
        }
    }
}

#[test]
fn two_workers_consume_the_same_tests_as_one() {
    for (name, input, fails) in failures() {
        for options in all_options() {
            let one = run(1, &input, fails, &options);
            let two = run(2, &input, fails, &options);
            let first = one.order.iter().zip(&two.order).position(|(left, right)| left != right);
            assert_eq!(first, None, "{name} with {options:?}");
            assert!(one == two, "{name} with {options:?}");
        }
    }
}

#[test]
fn a_second_run_changes_nothing() {
    for (name, input, fails) in failures() {
        let options = Options::default();
        let once = run(1, &input, fails, &options).best;
        let twice = run(1, &once, fails, &options).best;
        assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{name}");
    }
}

#[test]
fn what_is_claimed_of_minimality_is_so() {
    for (name, input, fails) in failures() {
        let Found { best, minimality, .. } = run(1, &input, fails, &Options::default());
        assert!(minimality >= Minimality::OneMinimal, "{name}");
        for at in 0..best.len() {
            let shorter = [&best[..at], &best[at + 1..]].concat();
            assert!(!fails(&shorter), "{name}: {best:?} without byte {at}");
        }
        if minimality == Minimality::Global {
            assert!(best.len() <= 3);
            let mut shorter: Vec<Vec<u8>> = vec![Vec::new()];
            for _ in 1..best.len() {
                let longer = shorter
                    .iter()
                    .flat_map(|input| (0..=255).map(|byte| [input.as_slice(), &[byte]].concat()));
                shorter.extend(longer.collect::<Vec<_>>());
            }
            let is_shorter = |input: &&Vec<u8>| input.len() < best.len();
            assert!(!shorter.iter().filter(is_shorter).any(|input| fails(input)), "{name}");
        }
    }
}

#[test]
fn results_are_as_small_as_they_can_be() {
    let expected = [
        ("empty", 0),
        ("one byte", 1),
        ("far apart", 10),
        ("nested", 7),
        ("balanced", 1),
        ("deep", 40),
        ("detour", 2),
        ("number", 3),
        ("length", 4),
        ("characters", 2),
    ];
    for ((name, input, fails), (same_name, size)) in failures().into_iter().zip(expected) {
        assert_eq!(name, same_name);
        let found = run(1, &input, fails, &Options::default());
        assert!(found.best.len() <= size, "{name}: {:?}", String::from_utf8_lossy(&found.best));
    }
}

/// Options that let only one reducer run, or all others. JSON makes a tree of any text, if one full
/// of errors.
fn switched(only: &[&str], without: &[&str]) -> Options {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let selection = select(&names(only), &names(without), &[]).unwrap();
    let parser = builtin::find("json").unwrap().parser();
    let language = Arc::new(Substitutes::new(Language::of(parser, None).unwrap()));
    Options {
        selection,
        polish: Polish::Tests(500),
        language: Some(language),
        seed: 7,
        ..Options::default()
    }
}

#[test]
fn each_reducer_alone_keeps_the_failure_and_a_second_run_changes_nothing() {
    for reducer in REDUCERS {
        for (name, input, fails) in failures() {
            let what = format!("{} on {name}", reducer.name());
            for are_tests_expensive in [false, true] {
                let options = Options { are_tests_expensive, ..switched(&[reducer.name()], &[]) };
                let once = run(1, &input, fails, &options);
                assert!(fails(&once.best), "{what}");
                assert!(!order::is_simpler(&input, &once.best), "{what}");
                let again = run(1, &once.best, fails, &options);
                let text = |found: &Found| found.best.escape_ascii().to_string();
                assert_eq!(text(&again), text(&once), "{what}");
            }
        }
    }
}

#[test]
fn each_reducer_makes_something_smaller_on_its_own() {
    let mut idle: Vec<&str> = REDUCERS.iter().map(|reducer| reducer.name()).collect();
    // Not the first failure, which the empty input shows before any reducer runs.
    for (_, input, fails) in failures().into_iter().skip(1).chain(special()) {
        idle.retain(|name| {
            [false, true].iter().all(|&are_tests_expensive| {
                let options = Options { are_tests_expensive, ..switched(&[*name], &[]) };
                run(1, &input, fails, &options).best == input
            })
        });
    }
    assert_eq!(idle, Vec::<&str>::new());
}

#[test]
fn without_any_one_reducer_what_is_claimed_still_holds() {
    for (index, reducer) in REDUCERS.into_iter().enumerate() {
        // A third of the failures for each, since all of them with each take minutes.
        for (name, input, fails) in failures().into_iter().skip(index % 3).step_by(3) {
            let options = switched(&[], &[reducer.name()]);
            let Found { best, minimality, order, .. } = run(1, &input, fails, &options);
            let what = format!("{name} without {}", reducer.name());
            assert!(fails(&best), "{what}");
            let is_needed = |at: usize| !fails(&[&best[..at], &best[at + 1..]].concat());
            if minimality >= Minimality::OneMinimal {
                assert!((0..best.len()).all(is_needed), "{what}: {minimality:?} {best:?}");
            }
            assert!(!order.is_empty(), "{what}");
        }
    }
}

#[test]
fn without_bytes_nothing_is_claimed_to_be_1_minimal() {
    let is_nested = |bytes: &[u8]| bytes.len() > 6;
    let options = Options { polish: Polish::Tests(0), ..switched(&[], &["bytes"]) };
    let found = run(1, b"some text of many bytes", is_nested, &options);
    assert_eq!(found.minimality, Minimality::None);
    let options = Options { selection: Selection::default(), ..options };
    let found = run(1, b"some text of many bytes", is_nested, &options);
    assert_eq!(found.minimality, Minimality::OneMinimal);
}

#[test]
fn what_is_switched_off_is_in_no_statistics() {
    let options = switched(&[], &["bytes", "simplify"]);
    let fails = |bytes: &[u8]| bytes.contains(&b'x');
    reduce_by(b"let x = 1;\nlet y = 2;\n", fails, |search| {
        minimize(search, &options)?;
        let ran = |name: &str| search.stats().iter().any(|one| one.reducer == name);
        assert!(ran("lines") && !ran("bytes") && !ran("simplify"));
        Ok(())
    });
}

#[test]
fn a_reducer_of_the_caller_s_runs_with_the_others_until_nothing_changes() {
    // The right number has to be twice the left one, so no built-in reducer makes either smaller.
    fn number(bytes: &[u8]) -> Option<u32> {
        let (left, right) = std::str::from_utf8(bytes).ok()?.split_once('+')?;
        let (left, right) = (left.parse::<u32>().ok()?, right.parse::<u32>().ok()?);
        (right == 2 * left).then_some(left)
    }
    fn halve(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
        while let Some(halved) = number(search.best()).map(|number| number / 2) {
            if !search.fails(format!("{halved}+{}", 2 * halved).as_bytes())? {
                break;
            }
        }
        Ok(())
    }
    let fails = |bytes: &[u8]| number(bytes).is_some_and(|number| number > 1234);
    let plain = Options { polish: Polish::Tests(0), ..Options::default() };
    let options = Options { reducers: vec![Reducer::new("halve", halve)], ..plain.clone() };
    let without = run(1, b"4938271+9876542", fails, &plain).best;
    let with = run(1, b"4938271+9876542", fails, &options).best;
    assert_eq!(with, b"2411+4822");
    assert!(without.len() > with.len(), "{}", without.escape_ascii());
    let again = run(1, &with, fails, &options).best;
    assert_eq!(with, again);
}
