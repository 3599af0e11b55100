//! The two rounds of a run over several inputs.
//!
//! They are separate from the other tests of runs because a run has a second round only if tests or
//! time are limited and there are several inputs.
//!
//! Inputs, validators and the way to collect the answers are those of the other tests, in
//! `tests.rs`.

use super::*;

/// Balanced brackets after eight bytes that small edits do not find.
///
/// A text without the header cannot be repaired by small edits, so it needs a valid text of another
/// input.
fn is_headed(text: &[u8]) -> bool {
    text.strip_prefix(b"magic-7:").is_some_and(is_balanced)
}

/// Texts of which most lack the eight bytes, or have several faults.
///
/// The last one has nothing in common with a valid text.
const HARD: [&str; 6] = [
    "magic-7:(a b) (c)",
    "(a (b) c) (d",
    "magic-7:((a b) !! (c d)) ?? (e f))) (((g",
    "mgc7:(c) (d e))",
    "magic-7:(a !b",
    "#%&",
];

/// Options with which inputs are repaired in two rounds.
///
/// Tests are limited, so the second round ends at the same place on every machine.
fn in_rounds(max_tests: u64, jobs: usize) -> RunOptions {
    let budget = Budget { max_tests: Some(max_tests), ..Budget::default() };
    RunOptions { budget, jobs, ..RunOptions::default() }
}

#[test]
fn in_two_rounds_texts_and_tests_are_equal_for_any_number_of_threads() {
    let rows = |jobs| {
        let (answers, end) =
            run(&Predicate::new(is_headed), &inputs(&HARD), &in_rounds(400, jobs)).unwrap();
        assert_eq!(end.totals.inputs, HARD.len());
        let rows = answers.into_iter().map(|answer| {
            let result = answer.unwrap();
            assert!(result.row.tests <= 400);
            (result.row.input, result.text, result.row.tests, result.row.status)
        });
        rows.collect::<Vec<_>>()
    };
    let one = rows(1);
    assert!(one.iter().any(|(_, _, tests, _)| *tests > super::rounds::MAX_FIRST_TESTS), "{one:?}");
    assert_eq!(one, rows(2));
    assert_eq!(one, rows(7));
}

#[test]
fn an_input_that_small_edits_cannot_repair_starts_from_a_valid_input_of_the_same_run() {
    let alone = repair_text(&Predicate::new(is_headed), HARD[1].as_bytes(), &in_rounds(400, 1));
    assert_eq!(alone.unwrap().text, None);
    let (answers, _) = run(&Predicate::new(is_headed), &inputs(&HARD), &in_rounds(400, 1)).unwrap();
    for answer in answers {
        let result = answer.unwrap();
        assert!(result.text.is_some_and(|text| is_headed(&text)), "{:?}", result.row);
    }
}

#[test]
fn an_interrupt_in_the_second_round_loses_no_result_of_the_first() {
    let calls = Arc::new(AtomicU32::new(0));
    let run_until = |last: u32| {
        let (options, calls) = (in_rounds(900, 1), calls.clone());
        let flag = options.budget.interrupt.clone();
        calls.store(0, Ordering::Relaxed);
        let validators = Predicate::new(move |text: &[u8]| {
            if calls.fetch_add(1, Ordering::Relaxed) + 1 == last {
                flag.store(true, Ordering::Relaxed);
            }
            is_headed(text)
        });
        run(&validators, &inputs(&HARD), &options).unwrap().0
    };
    let whole = run_until(u32::MAX);
    let all = calls.load(Ordering::Relaxed);
    let interrupted = run_until(all / 2);
    assert!(calls.load(Ordering::Relaxed) < all);
    assert_eq!((whole.len(), interrupted.len()), (HARD.len(), HARD.len()));
    let found = |answers: &Answers| {
        answers.iter().filter(|answer| answer.as_ref().is_ok_and(|one| one.text.is_some())).count()
    };
    assert!(found(&interrupted) >= 3, "{interrupted:?}");
}
