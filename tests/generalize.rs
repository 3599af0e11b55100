//! Patterns of planted bugs and of the papers' examples, letter by letter.

#[path = "generalize/causes.rs"]
mod causes;
#[path = "generalize/eighth/mod.rs"]
mod eighth;
#[path = "generalize/fifth/mod.rs"]
mod fifth;
#[path = "generalize/fixes.rs"]
mod fixes;
#[path = "generalize/fourth/mod.rs"]
mod fourth;
#[path = "generalize/planted.rs"]
mod planted;
#[path = "generalize/rejecting.rs"]
mod rejecting;
#[path = "generalize/second.rs"]
mod second;
#[path = "generalize/seventh/mod.rs"]
mod seventh;
#[path = "generalize/sixth/mod.rs"]
mod sixth;
#[path = "generalize/subjects/mod.rs"]
mod subjects;
#[path = "generalize/third/mod.rs"]
mod third;
#[path = "generalize/two_sided.rs"]
mod two_sided;

use std::sync::Arc;

use causes::{CAUSES, Cause, Says};
use planted::{PLANTED, Planted, text};
use rejecting::{REJECTING, Rejecting};
use second::SECOND;
use seedsmith::internal::event::Claim;
use seedsmith::internal::generalize::AmongValid;
use seedsmith::internal::generalize::Pattern;
use seedsmith::internal::generalize::Sampler;
use seedsmith::internal::generalize::TestCost;
use seedsmith::internal::generalize::reduce;
use seedsmith::internal::generalize::{Generalized, Method, Options, generalize};
use seedsmith::{Silent, StopReason};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Observation, Verdict};
use seedsmith_grammar::Language;
use seedsmith_grammar::Parser;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::g4;

fn sampler(grammar: &str) -> Option<Sampler> {
    let language = match grammar.chars().next()? {
        '{' => Language::of_fuzzingbook("planted", grammar, None),
        _ => {
            let grammar = g4::load_texts(&[("planted.g4", grammar)]).unwrap();
            Language::of(Parser::new(Arc::new(grammar)), None)
        }
    };
    Some(Sampler::new(Arc::new(Substitutes::new(language.unwrap()))).unwrap())
}

fn run(planted: &Planted, method: Method, jobs: usize, input: &[u8]) -> Generalized {
    within(planted, method, jobs, Budget::default(), input)
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

fn judge() -> SameFailure {
    SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() }
}

fn joint() -> Method {
    Options::default().method
}

const PUBLISHED: Method = Method::Published { checks: 100 };

#[test]
fn every_planted_cause_is_found_letter_by_letter_after_reduction() {
    let found: Vec<String> = PLANTED
        .iter()
        .map(|planted| {
            let found = run(planted, joint(), 1, &reduced(planted, 1));
            format!("{}: {}", planted.name, found.pattern.compact())
        })
        .collect();
    let expected: Vec<String> =
        PLANTED.iter().map(|planted| format!("{}: {}", planted.name, planted.pattern)).collect();
    assert_eq!(found, expected);
}

#[test]
fn patterns_of_inputs_that_are_not_reduced_keep_every_cause() {
    for planted in PLANTED.iter().filter(|planted| !planted.reduces) {
        for method in [joint(), PUBLISHED] {
            let found = run(planted, method, 1, planted.input.as_bytes());
            assert_eq!(found.pattern.compact(), planted.pattern, "{}: {method:?}", planted.name);
        }
    }
}

#[test]
fn the_number_of_workers_changes_nothing() {
    for planted in PLANTED {
        assert_eq!(reduced(planted, 1), reduced(planted, 4), "{}", planted.name);
        for method in [joint(), PUBLISHED] {
            let [one, four] =
                [1, 4].map(|jobs| run(planted, method, jobs, planted.input.as_bytes()));
            assert_eq!(one.pattern.compact(), four.pattern.compact(), "{}", planted.name);
            assert_eq!(one.counts.tests, four.counts.tests, "{}", planted.name);
            assert_eq!(one.reasons, four.reasons, "{}", planted.name);
            assert_eq!(one.condition, four.condition, "{}", planted.name);
            assert_eq!(one.reason_counts.tests, four.reason_counts.tests, "{}", planted.name);
        }
    }
}

#[test]
fn joint_draws_find_the_same_with_half_of_the_tests_and_a_third_of_expensive_ones() {
    let mut tests = [0, 0, 0];
    for planted in PLANTED {
        let input = planted.input.as_bytes();
        let [cheap, published] = [joint(), PUBLISHED].map(|method| run(planted, method, 1, input));
        let expensive = costing(planted, TestCost::High, input);
        // The published way knows no ranges and no lengths.
        let found = published.pattern.compact();
        if cheap.pattern.compact() == found && expensive.pattern.compact() == found {
            tests[0] += cheap.counts.tests;
            tests[1] += expensive.counts.tests;
            tests[2] += published.counts.tests;
        }
    }
    assert!(tests[0] * 2 <= tests[2] && tests[1] * 3 <= tests[2], "{tests:?}");
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

/// What 1,000 draws of a pattern are: valid, failing among these, and distinct.
fn drawn(
    pattern: &Pattern,
    valid: fn(&[u8]) -> bool,
    fails: fn(&[u8]) -> bool,
) -> (usize, usize, usize) {
    let mut pattern = pattern.clone();
    let draws: Vec<Vec<u8>> = (0..1000)
        .filter_map(|seed| {
            (0..20).find_map(|again| pattern.draw(&mut Random::new(seed * 20 + again)))
        })
        .collect();
    assert_eq!(draws.len(), 1000);
    let valid: Vec<&Vec<u8>> = draws.iter().filter(|input| valid(input)).collect();
    let failing = valid.iter().filter(|input| fails(input)).count();
    let distinct: std::collections::HashSet<&&Vec<u8>> = valid.iter().collect();
    (valid.len(), failing, distinct.len())
}

/// The pattern of a program that rejects, or of its twin that takes everything as valid.
fn rejecting(planted: &Rejecting, rejects: bool) -> Generalized {
    rejecting_with(planted, rejects, &Options::default())
}

fn rejecting_with(planted: &Rejecting, rejects: bool, options: &Options) -> Generalized {
    let (valid, fails) = (planted.valid, planted.fails);
    let signature = std::sync::Arc::new(Signature::of_kind(Kind::Command));
    let target = ClosureTarget::observing(move |input| match (valid(input), fails(input)) {
        (false, _) if rejects => Observation::Returned(Verdict::Reject),
        (_, true) => Observation::Failed(signature.clone()),
        _ => Observation::Returned(Verdict::Keep),
    });
    let mut oracle = Oracle::new(&target, AmongValid(judge()), 1, Budget::default()).unwrap();
    let input = planted.input.as_bytes();
    assert!((planted.valid)(input) && (planted.fails)(input), "{}", planted.name);
    let language = sampler(planted.grammar);
    generalize(&mut oracle, input.to_vec(), language, options).unwrap()
}

#[test]
fn patterns_of_programs_that_reject_draw_valid_inputs_that_fail() {
    let mut executions = [0, 0];
    for planted in REJECTING {
        let found = rejecting(planted, true);
        let twin = rejecting(planted, false);
        let (valid, failing, distinct) = drawn(&found.pattern, planted.valid, planted.fails);
        println!(
            "{}: {:?}, twin {:?}; {valid} valid, {failing} fail, {distinct} distinct; {} and {} \
             executions",
            planted.name,
            found.pattern.compact(),
            twin.pattern.compact(),
            found.counts.executions,
            twin.counts.executions,
        );
        assert!(valid >= 900, "{}: {valid} valid", planted.name);
        assert!(failing * 1000 >= valid * 995, "{}: {failing} of {valid}", planted.name);
        assert!(found.counts.executions <= 2000, "{}", planted.name);
        assert!(!found.pattern.compact().contains("<?"), "{}", planted.name);
        executions[0] += found.counts.executions;
        executions[1] += twin.counts.executions;
    }
    // Rejected draws say nothing, and so they cost.
    assert!(executions[0] <= 2 * executions[1], "{executions:?}");
}

/// The pattern of a cause, after reduction, and the executions that finding it took.
fn cause(cause: &Cause) -> (Generalized, u64) {
    let target = ClosureTarget::failing_if(cause.fails);
    let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
    let language = sampler(cause.grammar);
    let input = cause.input.as_bytes();
    assert!((cause.fails)(input), "{}", cause.name);
    let found = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
    let before = oracle.counts().executions;
    let found = generalize(&mut oracle, found.input, language, &Options::default()).unwrap();
    (found, oracle.counts().executions - before)
}

#[test]
fn planted_causes_are_told_as_their_maintainer_would() {
    let mut right = 0;
    for planted in CAUSES {
        let (found, executions) = cause(planted);
        let said = found.condition.as_ref().map(|one| {
            format!("{}; {} of {} draws agree", one.predicate, one.agreeing(), one.draws())
        });
        let is_right = match planted.says {
            Says::Pattern(pattern) => found.pattern.compact() == pattern,
            Says::Condition(condition) => {
                said.as_ref().is_some_and(|said| said.starts_with(&format!("{condition};")))
            }
        };
        println!(
            "{} {}: {:?}, {said:?}; {executions} executions, {:?}",
            if is_right { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.claim,
        );
        assert!(executions <= 2000, "{}: {executions}", planted.name);
        right += u32::from(is_right);
    }
    assert!(right >= 22, "{right} of {} are right", CAUSES.len());
}

/// Whether one of the expectations was found.
fn is_said(says: &[Says], found: &Generalized) -> bool {
    let condition = found.condition.as_ref().map(|one| one.predicate.to_string());
    says.iter().any(|one| match one {
        Says::Pattern(pattern) => found.pattern.compact() == *pattern,
        Says::Condition(said) => condition.as_deref() == Some(said),
    })
}

#[test]
fn the_second_list_of_causes_is_told_and_no_pattern_of_it_is_too_general() {
    let mut right = 0;
    let mut bad: Vec<String> = Vec::new();
    for planted in SECOND {
        let target = ClosureTarget::failing_if(planted.fails);
        let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
        let language = sampler(planted.grammar);
        let input = planted.input.as_bytes();
        assert!((planted.fails)(input), "{}", planted.name);
        let reduced = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
        let before = oracle.counts().executions;
        let input = reduced.input;
        let found = generalize(&mut oracle, input, language, &Options::default()).unwrap();
        let executions = oracle.counts().executions;
        let is_right = is_said(planted.says, &found);
        let (_, failing, distinct) = drawn(&found.pattern, |_| true, planted.fails);
        println!(
            "{} {}: {:?}, {:?}; {before} + {} + {} executions; {failing} fail, {distinct} distinct",
            if is_right { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.condition.as_ref().map(|one| one.predicate.to_string()),
            found.counts.executions,
            found.reason_counts.executions,
        );
        if executions > 2000 || failing < 995 {
            bad.push(format!("{}: {executions} executions, {failing} fail", planted.name));
        }
        right += u32::from(is_right);
    }
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(right >= 22, "{right} of {} are right", SECOND.len());
}
