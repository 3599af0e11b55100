//! A session with a closure as its target: no process is started.

mod breakdown;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use seedsmith_engine::ClosureTarget;
use seedsmith_engine::StopReason;
use seedsmith_engine::internal::Budget;

use super::error::SessionError;
use super::minimize::{Minimized, Options as Minimize};
use super::saved::output::Output;
use super::target::OpenTarget;
use super::{End, OpenSession, Options};
use crate::event::{Event, Silent};
use crate::reduce::UnitKind;

fn contains(needle: &'static [u8]) -> OpenTarget {
    let fails = move |bytes: &[u8]| bytes.windows(needle.len()).any(|part| part == needle);
    OpenTarget::new(Box::new(ClosureTarget::failing_if(fails)))
}

fn minimize(target: &OpenTarget, options: &Options, output: Option<&Output>) -> Minimized {
    let task = Minimize { resumes: output.is_some(), ..Minimize::default() };
    let mut session = OpenSession::open(
        target,
        Path::new("in"),
        b"some text with BUG in it",
        options,
        &mut Silent,
    )
    .unwrap();
    session.minimize(&task, output, &mut Silent).unwrap()
}

#[test]
fn a_closure_is_minimized_without_a_file() {
    let minimized = minimize(&contains(b"BUG"), &Options::default(), None);
    assert_eq!((minimized.best.as_slice(), minimized.end), (&b"BUG"[..], End::Complete));
    assert_eq!(minimized.confirmed.map(|rate| (rate.shown, rate.runs)), Some((5, 5)));
    assert!(minimized.remarks.is_empty(), "{:?}", minimized.remarks);
}

#[test]
fn a_better_input_is_on_disk_when_the_listener_hears_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result");
    let output = Output { path: path.clone(), ..Output::default() };
    let target = contains(b"BUG");
    let input = b"some text with BUG in it";
    let mut session =
        OpenSession::open(&target, Path::new("in"), input, &Options::default(), &mut Silent)
            .unwrap();
    let mut heard = 0;
    let mut reporter = |event: &Event<'_>| {
        if let Event::Reduced { best, .. } = event {
            heard += 1;
            assert_eq!(std::fs::read(&path).unwrap(), *best);
        }
    };
    let minimized = session.minimize(&Minimize::default(), Some(&output), &mut reporter).unwrap();
    assert!(heard > 0);
    assert_eq!(std::fs::read(&path).unwrap(), minimized.best);
}

#[test]
fn an_input_that_does_not_fail_is_an_error_with_what_it_did() {
    let target = contains(b"BUG");
    let opened =
        OpenSession::open(&target, Path::new("in"), b"x", &Options::default(), &mut Silent);
    let Err(SessionError::DoesNotFail(first)) = opened else { panic!("it does not fail") };
    assert_eq!((first.runs, first.what_happened().as_str()), (5, "returned each time"));
}

#[test]
fn a_budget_ends_the_search_with_the_best_until_then() {
    let target = contains(b"BUG");
    let budget = Budget { max_tests: Some(7), ..Budget::default() };
    let minimized = minimize(&target, &Options { budget, ..Options::default() }, None);
    assert_eq!(minimized.end, End::Stopped(StopReason::Tests));
    assert!(minimized.best.windows(3).any(|part| part == b"BUG"));
}

#[test]
fn an_interrupt_before_the_first_run_is_an_error() {
    let target = contains(b"BUG");
    let budget = Budget { interrupt: Arc::new(AtomicBool::new(true)), ..Budget::default() };
    let options = Options { budget, ..Options::default() };
    let opened = OpenSession::open(&target, Path::new("in"), b"BUG", &options, &mut Silent);
    assert!(matches!(opened, Err(SessionError::Stopped(StopReason::Interrupted))));
}

#[test]
fn a_stopped_run_is_continued_without_repeating_a_test() {
    let folder = tempfile::tempdir().unwrap();
    let output = Output { path: folder.path().join("result"), ..Output::default() };
    let runs = Arc::new(AtomicU32::new(0));
    let counted = runs.clone();
    let target = OpenTarget::new(Box::new(ClosureTarget::failing_if(move |bytes| {
        counted.fetch_add(1, Ordering::Relaxed);
        bytes.windows(3).any(|part| part == b"BUG")
    })));
    let whole = minimize(&target, &Options::default(), None);
    let whole_runs = runs.swap(0, Ordering::Relaxed);
    let budget = Budget { max_tests: Some(whole.counts.tests / 2), ..Budget::default() };
    let options = Options { budget, ..Options::default() };
    let half = minimize(&target, &options, Some(&output));
    assert_eq!(half.end, End::Stopped(StopReason::Tests));
    let existing = std::fs::read(&output.path).ok();
    let output = Output { existing, ..output };
    let rest = minimize(&target, &Options::default(), Some(&output));
    assert_eq!((&rest.best, rest.end), (&whole.best, End::Complete));
    assert_eq!(rest.counts.tests, whole.counts.tests);
    assert!(rest.recalled > 0);
    // Both begin with five runs and end with five in new processes.
    assert!(runs.load(Ordering::Relaxed) <= whole_runs + 30);
}

#[test]
fn a_failure_that_shows_once_in_a_while_is_unsteady() {
    let mut number = 0;
    let target = OpenTarget::new(Box::new(ClosureTarget::failing_if(move |bytes| {
        number += 1;
        number == 3 && bytes == b"BUG"
    })));
    let opened =
        OpenSession::open(&target, Path::new("in"), b"BUG", &Options::default(), &mut Silent);
    let Err(SessionError::TooRare { shown: 1, runs: 30 }) = opened else {
        panic!("one run of thirty shows it")
    };
}

#[test]
fn a_difference_is_isolated_from_an_input_that_passes() {
    let target = contains(b"BUG");
    let open = || {
        OpenSession::open(&target, Path::new("in"), b"a BUG b", &Options::default(), &mut Silent)
            .unwrap()
    };
    let isolated = open().isolate(b"a BG b", UnitKind::Bytes, &mut Silent).unwrap();
    assert_eq!(isolated.difference.len(), 1);
    assert_eq!(isolated.difference[0].inserted, b"U");
    let refused = open().isolate(b"BUG", UnitKind::Bytes, &mut Silent);
    assert!(matches!(refused, Err(SessionError::DoesNotPass)));
}
