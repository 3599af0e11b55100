//! Runs with closures as validators: no process is started.

use crate::event::RepairStatus;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

mod in_rounds;

use super::*;
use crate::corpus::PassedOver;
use crate::event::StopReason;
use crate::repair::Options;
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::Target;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Complaint;
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Observation, Verdict};

/// Letters, spaces and brackets that match.
///
/// The validator of most tests: fast, silent, and with faults in any place.
fn is_balanced(text: &[u8]) -> bool {
    let depth = text.iter().try_fold(0_u32, |depth, byte| match byte {
        b'(' => Some(depth + 1),
        b')' => depth.checked_sub(1),
        b'a'..=b'z' | b' ' => Some(depth),
        _ => None,
    });
    depth == Some(0)
}

/// Texts as inputs that have names and no files.
fn inputs(texts: &[&str]) -> Vec<RepairInput> {
    let input = |(index, text): (usize, &&str)| RepairInput::Text {
        name: PathBuf::from(format!("in-{index}")),
        bytes: text.as_bytes().to_vec(),
    };
    texts.iter().enumerate().map(input).collect()
}

type Answers = Vec<Result<RepairResult, PassedOver>>;

/// Runs a repair and collects all answers in the order in which they are handed over.
fn run(
    validators: &dyn Validators,
    inputs: &[RepairInput],
    options: &RunOptions,
) -> Result<(Answers, RunEnd), RepairError> {
    let mut answers = Vec::new();
    let end = repair_all(
        validators,
        inputs,
        options,
        &mut |answer| {
            answers.push(answer);
            ControlFlow::Continue(())
        },
        &mut |_| {},
    )?;
    Ok((answers, end))
}

/// Opens closures that observe, and records the names of the inputs.
struct Observing {
    observe: fn(&[u8]) -> Observation,
    serves_all: bool,
    opened: Mutex<Vec<PathBuf>>,
}

impl Validators for Observing {
    fn name(&self) -> String {
        "observing".to_owned()
    }

    fn open(&self, input: &Path) -> Result<Box<dyn Target>, OpenError> {
        self.opened.lock().unwrap().push(input.to_owned());
        if input.ends_with("unopenable") {
            return Err("out of validators".into());
        }
        Ok(Box::new(ClosureTarget::observing(self.observe)))
    }

    fn serves(&self, _: &Path, _: &Path) -> bool {
        self.serves_all
    }
}

/// The names show which inputs a validator was opened for.
fn observing(serves_all: bool) -> Observing {
    let observe = |text: &[u8]| match text {
        _ if text.contains(&b'%') => Observation::Failed(Arc::new(Signature::of_kind(Kind::Panic))),
        _ if is_balanced(text) => Observation::Returned(Verdict::Keep),
        _ => Observation::Returned(Verdict::Reject),
    };
    Observing { observe, serves_all, opened: Mutex::default() }
}

#[test]
fn a_validator_that_tosses_coins_is_found_before_anything_is_repaired() {
    let count = AtomicU32::new(0);
    let coin = Predicate::new(move |_: &[u8]| count.fetch_add(1, Ordering::Relaxed) % 3 != 2);
    let error = run(&coin, &inputs(&["a", "b"]), &RunOptions::default()).unwrap_err();
    assert!(matches!(&error, RepairError::Unsteady { input, .. } if input == Path::new("in-0")));
    assert!(
        error
            .to_string()
            .starts_with("closure is not deterministic: it both accepted and rejected in-0; ")
    );
}

#[test]
fn a_text_that_is_not_valid_each_time_is_not_handed_over() {
    let count = AtomicU32::new(0);
    let fickle = Predicate::new(move |text: &[u8]| {
        !text.contains(&b'!') && count.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
    });
    let (answers, end) = run(&fickle, &inputs(&["(x)!"]), &RunOptions::default()).unwrap();
    let result = answers[0].as_ref().unwrap();
    assert!(result.is_unsteady && result.text.is_none());
    assert_eq!((result.row.status, result.row.output_bytes), (RepairStatus::NotRepaired, 0));
    assert!(matches!(end.doubt, Some(RepairError::Unsteady { .. })));
    assert_eq!((end.totals.not_repaired, end.totals.repaired), (1, 0));
}

#[test]
fn results_come_in_the_order_of_the_inputs_and_are_equal_for_any_number_of_threads() {
    // The first takes longer than many of the others together.
    let long = "(a (b) ".repeat(20) + "!";
    let short: Vec<String> = (0..40).map(|n| format!("{}x){}", "(".repeat(n % 4), n % 3)).collect();
    let texts: Vec<&str> = std::iter::once(&long).chain(&short).map(String::as_str).collect();
    let mut inputs = inputs(&texts);
    inputs.insert(7, RepairInput::File(PathBuf::from("no/such/file")));
    let told = |jobs: usize| {
        let options = RunOptions { jobs, ..RunOptions::default() };
        let (answers, end) = run(&Predicate::new(is_balanced), &inputs, &options).unwrap();
        assert!(end.doubt.is_none());
        assert_eq!(end.totals.inputs, 41);
        let told = |answer: Result<RepairResult, PassedOver>| match answer {
            Ok(RepairResult { row, text, .. }) => {
                (row.input, text, format!("{:?} {:?} {}", row.status, row.distance, row.tests))
            }
            Err(one) => (one.path, None, one.why),
        };
        answers.into_iter().map(told).collect::<Vec<_>>()
    };
    let one = told(1);
    let names: Vec<&Path> = one.iter().map(|(name, ..)| name.as_path()).collect();
    assert_eq!(names, inputs.iter().map(RepairInput::path).collect::<Vec<_>>());
    assert_eq!(one, told(4));
}

#[test]
fn a_validator_that_was_called_wrongly_is_reported_before_the_first_repair() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let complains = Observing {
        observe: |_| {
            RUNS.fetch_add(1, Ordering::Relaxed);
            Observation::Complained(Arc::new(Complaint::new(b"usage: check FILE\n".to_vec())))
        },
        serves_all: true,
        opened: Mutex::default(),
    };
    let error = run(&complains, &inputs(&["(a"]), &RunOptions::default()).unwrap_err();
    assert!(error.to_string().ends_with("it may not read it: usage: check FILE"), "{error}");
    // Ten runs of the first input show whether the validator is deterministic.
    assert!(RUNS.load(Ordering::Relaxed) <= 10 + 20);
}

#[test]
fn a_validator_with_one_message_for_all_faults_repairs_and_is_reported_where_nothing_is_valid_yet()
{
    // None of the small texts of many formats is valid here.
    let with_message = || Observing {
        observe: |text| match text.strip_prefix(b"MAGIC(").is_some_and(|rest| rest.ends_with(b")"))
        {
            true => Observation::Returned(Verdict::Keep),
            false => Observation::Complained(Arc::new(Complaint::new(b"invalid\n".to_vec()))),
        },
        serves_all: true,
        opened: Mutex::default(),
    };
    let options = RunOptions::default();
    let bad = ["MAGIC(one", "MAGIC(two"];
    let looked = look_first(&with_message(), &inputs(&bad), &options).unwrap();
    assert_eq!(looked.rejects_all.as_deref(), Some("invalid"));
    let (answers, end) = run(&with_message(), &inputs(&bad), &options).unwrap();
    let texts: Vec<_> = answers.into_iter().map(|one| one.unwrap().text.unwrap()).collect();
    assert_eq!(texts, [b"MAGIC(one)", b"MAGIC(two)"]);
    assert!(end.doubt.is_none());
    // A valid input beside them, or a valid base, shows that it reads its inputs.
    let inputs = inputs(&[bad[0], "MAGIC(good)"]);
    assert!(look_first(&with_message(), &inputs, &options).unwrap().rejects_all.is_none());
    let repair = Options { base: Some(b"MAGIC()".to_vec()), ..Options::default() };
    let options = RunOptions { repair, ..options };
    assert!(look_first(&with_message(), &inputs[..1], &options).unwrap().rejects_all.is_none());
}

#[test]
fn a_validator_that_never_ends_is_reported_before_the_first_repair() {
    let hangs = Observing {
        observe: |_| Observation::Failed(Arc::new(Signature::of_kind(Kind::Timeout))),
        serves_all: true,
        opened: Mutex::default(),
    };
    let error = run(&hangs, &inputs(&["(a"]), &RunOptions::default()).unwrap_err();
    assert!(matches!(error, RepairError::AlwaysHangs { .. }));
}

#[test]
fn a_result_that_keeps_less_than_was_asked_for_is_refused_and_reported() {
    let validators = Predicate::new(|text: &[u8]| text == b"(ab)" || text == b"long ago");
    let text = b"(ab) and much more that is of no use";
    let result = repair_text(&validators, text, &RunOptions::default()).unwrap();
    assert_eq!(result.text.as_deref(), Some(&b"(ab)"[..]));
    let options = RunOptions { keep_at_least: 0.5, ..RunOptions::default() };
    let result = repair_text(&validators, text, &options).unwrap();
    assert_eq!((result.text, result.row.status), (None, RepairStatus::NotRepaired));
    assert!(result.row.note.unwrap().contains("it keeps 4 bytes"));
}

#[test]
fn a_check_tests_each_input_once_and_repairs_nothing() {
    let options = RunOptions { only_check: true, ..RunOptions::default() };
    let validators = Predicate::new(is_balanced);
    let (answers, end) = run(&validators, &inputs(&["(a)", "(a"]), &options).unwrap();
    let statuses: Vec<RepairStatus> =
        answers.into_iter().map(|answer| answer.unwrap().row.status).collect();
    assert_eq!(statuses, [RepairStatus::Valid, RepairStatus::Invalid]);
    assert_eq!(end.totals.tests, 2);
}

#[test]
fn a_validator_that_accepts_everything_is_reported() {
    let anything = Predicate::new(|_: &[u8]| true);
    let options = RunOptions::default();
    let error = run(&anything, &inputs(&["a", "b"]), &options).unwrap_err();
    assert!(matches!(error, RepairError::AcceptsAnything { .. }));
    let error = repair_text(&anything, b"a", &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "closure accepts garbage too, so it does not show which inputs are valid"
    );
}

#[test]
fn a_budget_of_tests_ends_a_repair_with_its_reason() {
    let budget = Budget { max_tests: Some(3), ..Budget::default() };
    let options = RunOptions { budget, ..RunOptions::default() };
    let never = Predicate::new(|_: &[u8]| false);
    let (answers, end) = run(&never, &inputs(&["((((", "))))"]), &options).unwrap();
    for answer in &answers {
        let row = &answer.as_ref().unwrap().row;
        assert_eq!((row.stopped, row.tests), (Some(StopReason::Tests), 3));
        assert_eq!(row.status, RepairStatus::NotRepaired);
    }
    assert_eq!((answers.len(), end.totals.tests), (2, 6));
}

#[test]
fn edits_that_are_too_many_to_count_are_left_out_of_the_row_and_a_note_says_so() {
    // Every second byte is wrong: 20,000 edits.
    let damaged = "a1".repeat(20_000);
    let letters = Predicate::new(|text: &[u8]| text.iter().all(u8::is_ascii_lowercase));
    let base = "ab".repeat(20_000).into_bytes();
    let repair = crate::repair::Options { base: Some(base), ..Default::default() };
    let budget = Budget { max_tests: Some(2), ..Budget::default() };
    let options = RunOptions { repair, budget, ..RunOptions::default() };
    let row = repair_text(&letters, damaged.as_bytes(), &options).unwrap().row;
    assert_eq!((row.status, row.distance), (RepairStatus::Repaired, None));
    let note = row.note.unwrap();
    assert!(note.starts_with("at most ") && note.contains(" edits; counting"), "{note}");
}

#[test]
fn an_interrupt_ends_the_repair_under_way_and_the_run() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let budget = Budget { interrupt: interrupt.clone(), ..Budget::default() };
    let options = RunOptions { budget, ..RunOptions::default() };
    let count = AtomicU32::new(0);
    // More runs than are spent before the first repair.
    let never = Predicate::new(move |_: &[u8]| {
        if count.fetch_add(1, Ordering::Relaxed) == 30 {
            interrupt.store(true, Ordering::Relaxed);
        }
        false
    });
    let (answers, end) = run(&never, &inputs(&["(((a b c", "b))", "c))"]), &options).unwrap();
    let rows: Vec<_> = answers.iter().map(|answer| &answer.as_ref().unwrap().row).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].stopped, Some(StopReason::Interrupted));
    assert!(end.doubt.is_none());
}

#[test]
fn an_interrupted_run_says_nothing_of_what_its_validator_accepts() {
    let interrupt = Arc::new(AtomicBool::new(true));
    let budget = Budget { interrupt, ..Budget::default() };
    let options = RunOptions { budget, ..RunOptions::default() };
    let anything = Predicate::new(|_: &[u8]| true);
    let (answers, end) = run(&anything, &inputs(&["a", "b"]), &options).unwrap();
    assert_eq!(answers.len(), 0);
    assert!(end.doubt.is_none());
    let error = repair_text(&anything, b"a", &options).unwrap_err();
    assert!(matches!(error, RepairError::Interrupted));
}

#[test]
fn a_base_that_is_not_valid_is_an_error() {
    let mut options = RunOptions::default();
    options.repair.base = Some(b"((".to_vec());
    let error = repair_text(&Predicate::new(is_balanced), b"(a", &options).unwrap_err();
    assert!(matches!(error, RepairError::InvalidBase));
}

#[test]
fn a_receiver_that_breaks_off_gets_no_further_result() {
    let mut received = 0;
    let options = RunOptions { jobs: 2, ..RunOptions::default() };
    let inputs = inputs(&["(a", "(b", "(c", "(d", "(e", "(f"]);
    let mut receive = |_| {
        received += 1;
        if received < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let validators = Predicate::new(is_balanced);
    let end = repair_all(&validators, &inputs, &options, &mut receive, &mut |_| {});
    assert_eq!((received, end.unwrap().totals.inputs), (2, 2));
}

#[test]
fn a_validator_that_cannot_be_opened_is_an_error_with_its_reason() {
    let mut inputs = inputs(&["(a", "b)"]);
    inputs.push(RepairInput::Text { name: PathBuf::from("unopenable"), bytes: b"c".to_vec() });
    let error = run(&observing(false), &inputs, &RunOptions::default()).unwrap_err();
    let RepairError::Open { name, source } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), source.to_string().as_str()), ("observing", "out of validators"));
}

#[test]
fn a_validator_that_looks_at_names_is_opened_for_each_input() {
    let opened = |validators: Observing| {
        let inputs = inputs(&["(a", "b", "c!"]);
        let (answers, _) = run(&validators, &inputs, &RunOptions::default()).unwrap();
        assert!(answers.iter().all(|answer| answer.as_ref().unwrap().text.is_some()));
        let opened = validators.opened.into_inner().unwrap();
        opened.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(opened(observing(false)), ["in-0", "in-0", "in-1", "in-2"]);
    assert_eq!(opened(observing(true)), ["in-0", "in-0"]);
}

#[test]
fn a_failure_of_the_validator_is_neither_valid_nor_lost() {
    let result = repair_text(&observing(true), b"(a%)", &RunOptions::default()).unwrap();
    assert_eq!(result.row.status, RepairStatus::Repaired);
    assert_eq!(result.text.as_deref(), Some(&b"(a)"[..]));
    assert_eq!(result.other_failures.len(), 1);
    assert!(result.other_failures[0].input.contains(&b'%'));
}

#[test]
fn a_silent_validator_that_rejects_everything_is_known_after_at_most_twenty_distinct_texts() {
    let seen = Arc::new(Mutex::new(std::collections::HashSet::new()));
    let known = seen.clone();
    let validators = Predicate::new(move |text: &[u8]| {
        known.lock().unwrap().insert(text.to_vec());
        false
    });
    let texts: Vec<String> = (0..60).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let first_look = look_first(&validators, &inputs(&texts), &RunOptions::default()).unwrap();
    assert_eq!(first_look.rejects_all.as_deref(), Some(""));
    let tests = seen.lock().unwrap().len();
    assert!((11..=20).contains(&tests), "{tests}");
}

#[test]
fn a_silent_validator_that_accepts_a_sibling_is_not_reported_and_learns_from_all() {
    let validators = Predicate::new(|text: &[u8]| text.starts_with(b"good: "));
    let inputs = inputs(&["bad one", "good: one", "bad two"]);
    let first_look = look_first(&validators, &inputs, &RunOptions::default()).unwrap();
    assert!(first_look.rejects_all.is_none() && first_look.learnt.is_some());
}
