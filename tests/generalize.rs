//! Patterns of planted bugs and of the papers' examples, letter by letter.

#[path = "generalize/causes.rs"]
mod causes;
#[path = "generalize/fixes.rs"]
mod fixes;
#[path = "generalize/fourth/mod.rs"]
mod fourth;
#[path = "common/patterns.rs"]
mod patterns;
#[path = "generalize/planted.rs"]
mod planted;
#[path = "generalize/rejecting.rs"]
mod rejecting;
#[path = "generalize/subjects/mod.rs"]
mod subjects;
#[path = "common/two_sided.rs"]
mod two_sided;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use patterns::{judge, sampler, text};
use planted::{PLANTED, Planted};
use seedsmith::internal::event::Claim;
use seedsmith::internal::generalize::TestCost;
use seedsmith::internal::generalize::predicate::Measured;
use seedsmith::internal::generalize::reduce;
use seedsmith::internal::generalize::{Generalized, Method, Options, generalize};
use seedsmith::{Silent, StopReason};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_grammar::Random;

fn run(planted: &Planted, method: Method, jobs: usize, input: &[u8]) -> Generalized {
    within(planted, method, jobs, Budget::default(), input)
}

/// What a run found, as far as several tests look at it.
struct Found {
    /// The pattern, written down.
    pattern: String,
    /// The tests of the pattern, and those of the reasons and the condition.
    tests: [u64; 2],
    reasons: String,
    condition: Option<Measured>,
    /// Of 1,000 draws those that fail.
    failing_draws: u32,
}

impl Found {
    fn of(planted: &Planted, mut found: Generalized) -> Self {
        let draws = (0..1000).map(|seed| {
            let mut draws = seed * 20..seed * 20 + 20;
            let drawn = draws.find_map(|again| found.pattern.draw(&mut Random::new(again)));
            u32::from((planted.fails)(&drawn.expect("it can be drawn from")))
        });
        Found {
            failing_draws: draws.sum(),
            pattern: found.pattern.compact(),
            tests: [found.counts.tests, found.reason_counts.tests],
            reasons: format!("{:?}", found.reasons),
            condition: found.condition,
        }
    }
}

/// What one worker finds of the input as it is, computed once for each cause and method.
fn found(planted: &'static Planted, method: Method) -> Arc<Found> {
    type Known = Mutex<HashMap<(&'static str, bool), Arc<OnceLock<Arc<Found>>>>>;
    static KNOWN: LazyLock<Known> = LazyLock::new(Default::default);
    let key = (planted.name, method == PUBLISHED);
    let known = KNOWN.lock().unwrap().entry(key).or_default().clone();
    let found = || Found::of(planted, run(planted, method, 1, planted.input.as_bytes()));
    known.get_or_init(|| Arc::new(found())).clone()
}

fn within(
    planted: &Planted,
    method: Method,
    jobs: usize,
    budget: Budget,
    input: &[u8],
) -> Generalized {
    let target = ClosureTarget::failing_if(planted.fails);
    let mut oracle = Oracle::new(&target, judge(), jobs, budget).unwrap();
    let options = Options { method, ..Options::default() };
    generalize(&mut oracle, input.to_vec(), sampler(planted.grammar), &options).unwrap()
}

/// The result if a test of the target has this cost.
fn costing(planted: &Planted, cost: TestCost, input: &[u8]) -> Generalized {
    let target = ClosureTarget::failing_if(planted.fails);
    let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
    let options = Options { cost, ..Options::default() };
    generalize(&mut oracle, input.to_vec(), sampler(planted.grammar), &options).unwrap()
}

/// The input reduced, or as it is where the case is about that.
fn reduced(planted: &Planted, jobs: usize) -> Vec<u8> {
    if !planted.reduces {
        return planted.input.as_bytes().to_vec();
    }
    let target = ClosureTarget::failing_if(planted.fails);
    let mut oracle = Oracle::new(&target, judge(), jobs, Budget::default()).unwrap();
    let sampler = sampler(planted.grammar);
    let input = planted.input.as_bytes();
    let found = reduce(&mut oracle, input, sampler.as_ref(), 0, &mut Silent).unwrap();
    assert_eq!(found.stopped, None, "{}", planted.name);
    found.input
}

fn joint() -> Method {
    Options::default().method
}

const PUBLISHED: Method = Method::Published { checks: 100 };

#[test]
fn every_planted_cause_is_found_letter_by_letter_after_reduction() {
    let found: Vec<String> = some(PLANTED, 3)
        .map(|planted| {
            let found = run(planted, joint(), 1, &reduced(planted, 1));
            format!("{}: {}", planted.name, found.pattern.compact())
        })
        .collect();
    let expected: Vec<String> =
        some(PLANTED, 3).map(|planted| format!("{}: {}", planted.name, planted.pattern)).collect();
    assert_eq!(found, expected);
}

#[test]
fn patterns_of_inputs_that_are_not_reduced_keep_every_cause() {
    for planted in PLANTED.iter().filter(|planted| !planted.reduces) {
        for method in [joint(), PUBLISHED] {
            let found = found(planted, method);
            assert_eq!(found.pattern, planted.pattern, "{}: {method:?}", planted.name);
        }
    }
}

/// Whether all causes are looked at where some are enough for CI: `scripts/nightly causes` says so.
fn are_all_wanted() -> bool {
    std::env::var_os("SEEDSMITH_ALL_CAUSES").is_some()
}

/// Every so many of some causes, or all.
fn some<T>(causes: &'static [T], step: usize) -> impl Iterator<Item = &'static T> {
    causes.iter().step_by(if are_all_wanted() { 1 } else { step })
}

#[test]
fn the_number_of_workers_changes_nothing() {
    for planted in some(PLANTED, 5) {
        assert_eq!(reduced(planted, 1), reduced(planted, 4), "{}", planted.name);
        for method in [joint(), PUBLISHED] {
            let one = found(planted, method);
            let four = run(planted, method, 4, planted.input.as_bytes());
            assert_eq!(one.pattern, four.pattern.compact(), "{}", planted.name);
            assert_eq!(
                one.tests,
                [four.counts.tests, four.reason_counts.tests],
                "{}",
                planted.name
            );
            assert_eq!(one.reasons, format!("{:?}", four.reasons), "{}", planted.name);
            assert_eq!(one.condition, four.condition, "{}", planted.name);
        }
    }
}

#[test]
fn joint_draws_find_the_same_with_half_of_the_tests_and_a_third_of_expensive_ones() {
    let mut tests = [0, 0, 0];
    for planted in some(PLANTED, 4) {
        let [cheap, published] = [joint(), PUBLISHED].map(|method| found(planted, method));
        let expensive = costing(planted, TestCost::High, planted.input.as_bytes());
        // The published way knows no ranges and no lengths.
        let found = &published.pattern;
        if cheap.pattern == *found && expensive.pattern.compact() == *found {
            tests[0] += cheap.tests[0];
            tests[1] += expensive.counts.tests;
            tests[2] += published.tests[0];
        }
    }
    assert!(tests[0] * 2 <= tests[2] && tests[1] * 3 <= tests[2], "{tests:?}");
}

#[test]
fn what_a_pattern_produces_fails_like_its_input() {
    for planted in PLANTED {
        let fails = found(planted, joint()).failing_draws;
        assert!(fails >= 995, "{}: {fails} of 1000", planted.name);
    }
}

/// A limit on tests that is near, and is not reached: fewer draws come before those of a claim.
fn near_limit() -> Budget {
    Budget { max_tests: Some(1000), ..Budget::default() }
}

#[test]
fn a_budget_that_ends_leaves_a_pattern_of_what_was_known() {
    let nesting = &PLANTED[0];
    let all = within(nesting, joint(), 1, near_limit(), b"((4))");
    assert_eq!(all.stopped, None);
    let budget = Budget { max_tests: Some(all.counts.tests - 5), ..Budget::default() };
    let most = within(nesting, joint(), 1, budget, b"((4))");
    assert_eq!(most.stopped, Some(StopReason::Tests));
    assert_eq!(most.pattern.compact(), "((<expr>))");
    let Claim::Rate { confidence, draws: 101, .. } = most.claim else {
        panic!("the draws before the end give some confidence: {:?}", most.claim);
    };
    assert!((0.94..0.95).contains(&confidence), "{confidence}");
}

#[test]
fn wherever_a_budget_ends_there_is_a_pattern_and_the_confidence_that_was_reached() {
    let call = PLANTED.iter().find(|planted| planted.name.contains("order")).unwrap();
    let input = b"free;use;";
    for method in [joint(), PUBLISHED] {
        let all = within(call, method, 1, near_limit(), input).counts.tests;
        for tests in (1..all).step_by(9) {
            let budget = Budget { max_tests: Some(tests), ..Budget::default() };
            let mut found = within(call, method, 1, budget, input);
            assert_eq!(found.stopped, Some(StopReason::Tests), "{tests}");
            let is_less = match found.claim {
                Claim::Nothing { unresolved: 0 } => true,
                Claim::Rate { confidence, draws, .. } => confidence < 0.95 && draws < tests,
                _ => false,
            };
            assert!(is_less, "{tests}: {:?}", found.claim);
            assert!(found.pattern.draw(&mut Random::new(tests)).is_some(), "{tests}");
        }
    }
}

#[test]
fn what_is_not_in_the_language_stays_and_the_rest_is_abstracted() {
    let quoted = Planted {
        name: "a quote that no rule knows, behind a number",
        grammar: "grammar Lines; lines: line* EOF; line: N ';'; N: [0-9]+; WS: [ ]+ -> skip;",
        reduces: false,
        input: "1;`2;",
        fails: |input| text(input).split_once('`').is_some_and(|(before, _)| before.contains(';')),
        pattern: "<line>`<line>",
    };
    for method in [joint(), PUBLISHED] {
        let mut found = run(&quoted, method, 1, quoted.input.as_bytes());
        assert!(found.misfit.is_some());
        assert_eq!(found.pattern.compact(), quoted.pattern, "{method:?}");
        let room: Vec<usize> = found.pattern.room().iter().map(|(behind, _)| *behind).collect();
        assert_eq!(room, [0, 2, 3, 5], "{method:?}");
        let drawn: Vec<Vec<u8>> =
            (0..50).filter_map(|seed| found.pattern.draw(&mut Random::new(seed))).collect();
        assert!(drawn.len() > 40 && drawn.iter().all(|input| (quoted.fails)(input)));
    }
}

#[test]
fn a_spelling_that_a_draw_refutes_gives_way_to_a_stricter_one() {
    // Nearly every text of one byte in front fails too: only a letter alone passes.
    let rare = Planted {
        name: "no grammar: a comment behind two bytes, or one that is no letter",
        grammar: "",
        reduces: false,
        input: "00<!-->",
        fails: |input| {
            input.strip_suffix(b"<!-->").is_some_and(|before| {
                before.len() >= 2 || matches!(before, [byte] if !byte.is_ascii_lowercase())
            })
        },
        pattern: "<any byte>{2,}<<!-->",
    };
    let found = run(&rare, joint(), 1, rare.input.as_bytes());
    assert_eq!(found.pattern.compact(), rare.pattern);
}

/// Causes of the fourth list. `--test causes` looks at all causes of all lists.
#[test]
fn causes_with_generated_inputs_are_told() {
    two_sided::check_generated(fourth::fourth());
    let kinds = ["plain: a text", "plain: a list", "own: a name", "own: csv: more"];
    let is_quick = |name: &str| kinds.iter().any(|kind| name.contains(kind));
    let causes = fourth::fourth().filter(|planted| is_quick(planted.name));
    let two_sided::Tally { all, right, too_general, .. } = two_sided::tally(causes);
    assert!(all >= 5 && right >= 3, "{right} of {all} are right");
    assert_eq!(too_general, 0);
}
