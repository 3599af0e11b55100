//! Patterns of planted bugs and of the papers' examples, letter by letter.

#[path = "generalize/planted.rs"]
mod planted;

use std::sync::Arc;

use planted::{PLANTED, Planted};
use seedsmith::generalize::language::Language;
use seedsmith::generalize::{Generalized, Options, Way, generalize};
use seedsmith::grammar::{fuzzingbook, g4};
use seedsmith::oracle::{Oracle, budget::Budget, judge::Hunt};
use seedsmith::reduce::random::Random;
use seedsmith::sameness::Sameness;
use seedsmith::signature::{Kind, Signature};
use seedsmith::target::closure::ClosureTarget;

fn language(grammar: &str) -> Option<Language> {
    if grammar.is_empty() {
        return None;
    }
    let (grammar, start) = if grammar.starts_with('{') {
        let (grammar, start) = fuzzingbook::load_text("planted", grammar).unwrap();
        (grammar, Some(start))
    } else {
        (g4::load_texts(&[("planted.g4", grammar)]).unwrap(), None)
    };
    Some(Language::new(Arc::new(grammar), start).unwrap())
}

fn run(planted: &Planted, way: Way, jobs: usize, input: &[u8]) -> Generalized {
    let target = ClosureTarget::failing_if(planted.fails);
    let hunt = Hunt { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, hunt, jobs, Budget::default()).unwrap();
    let options = Options { way, ..Options::default() };
    generalize(&mut oracle, input.to_vec(), language(planted.grammar), &options).unwrap()
}

fn joint() -> Way {
    Options::default().way
}

const PUBLISHED: Way = Way::Published { checks: 100 };

#[test]
fn patterns_of_inputs_that_are_not_reduced_keep_every_cause() {
    for planted in PLANTED.iter().filter(|planted| !planted.reduces) {
        for way in [joint(), PUBLISHED] {
            let found = run(planted, way, 1, planted.input.as_bytes());
            assert_eq!(found.pattern.compact(), planted.pattern, "{}: {way:?}", planted.name);
        }
    }
}

#[test]
fn the_number_of_workers_changes_nothing() {
    for planted in PLANTED {
        for way in [joint(), PUBLISHED] {
            let [one, four] = [1, 4].map(|jobs| run(planted, way, jobs, planted.input.as_bytes()));
            assert_eq!(one.pattern.compact(), four.pattern.compact(), "{}", planted.name);
            assert_eq!(one.counts.tests, four.counts.tests, "{}", planted.name);
            assert_eq!(one.reasons, four.reasons, "{}", planted.name);
        }
    }
}

#[test]
fn joint_draws_find_the_same_with_a_third_of_the_tests() {
    let mut tests = [0, 0];
    for planted in PLANTED {
        let [jointly, published] =
            [joint(), PUBLISHED].map(|way| run(planted, way, 1, planted.input.as_bytes()));
        // The published way knows no ranges and no lengths.
        if jointly.pattern.compact() == published.pattern.compact() {
            tests[0] += jointly.counts.tests;
            tests[1] += published.counts.tests;
        }
    }
    assert!(tests[0] * 3 <= tests[1], "{tests:?}");
}

#[test]
fn what_a_pattern_produces_fails_like_its_input() {
    for planted in PLANTED {
        let mut found = run(planted, joint(), 1, planted.input.as_bytes());
        let mut fails = 0;
        for seed in 0..1000 {
            let drawn =
                (0..20).find_map(|again| found.pattern.draw(&mut Random::new(seed * 20 + again)));
            fails += u32::from((planted.fails)(&drawn.expect("it can be drawn from")));
        }
        assert!(fails >= 995, "{}: {fails} of 1000", planted.name);
    }
}
