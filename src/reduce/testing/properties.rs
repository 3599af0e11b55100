//! What holds for every reducer, checked on a handful of failures that resemble real ones.

use crate::event::Minimality;
use crate::reduce::testing::{Found, reduce_with};
use crate::reduce::{Options, Polish, Strategy, UnitKind, minimize};

type Fails = fn(&[u8]) -> bool;

fn contains(bytes: &[u8], text: &[u8]) -> bool {
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
