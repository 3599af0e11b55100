//! The observation of each way to fail, linked and injected.

use std::time::Duration;

use libtest_mimic::Trial;
use seedsmith_engine::{Fault, Kind, Message};
use seedsmith_engine::{Limits, Request};
use seedsmith_engine::{Observation, Verdict};

use crate::slots::{Bench, KEEP, targets};

/// Trials from named functions.
pub fn trials_of(tests: &[(&str, fn())]) -> Vec<Trial> {
    tests
        .iter()
        .map(|(name, test)| {
            let test = *test;
            Trial::test(*name, move || {
                test();
                Ok(())
            })
        })
        .collect()
}

/// Runs `command` in every target, checks the kind, and that the next candidate is fine.
fn assert_kind(command: &str, kind: &Kind) {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("before"), KEEP, "{name}");
        assert_eq!(&bench.failure(command).kind, kind, "{name}: {command}");
        assert_eq!(bench.run("after"), KEEP, "{name}: after {command}");
    }
}

/// Runs `command` in every target: it is kept, and the next candidate is fine.
fn assert_kept(command: &str) {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run(command), KEEP, "{name}: {command}");
        assert_eq!(bench.run("after"), KEEP, "{name}: after {command}");
        let failure = bench.failure("panic after");
        let place = failure.place.as_deref().unwrap_or_default();
        assert!(place.contains("hostile.rs:"), "{name}: after {command}: {failure:?}");
    }
}

fn a_panic_is_told_by_place_and_message() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let one = bench.failure("panic 17");
        assert_eq!(one.kind, Kind::Panic, "{name}");
        assert_eq!(one.message.as_ref().map(Message::normalised), Some("planted #"), "{name}");
        let other = bench.failure("panic-elsewhere");
        assert_ne!(one.place, other.place, "{name}");
        assert!(one.frames.is_empty(), "{name}: frames were not asked for");
    }
}

fn a_panic_has_a_stack_when_it_is_asked_for() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let request =
            Request { frames: true, fresh: false, once: false, varied: false, expected: None };
        let observation = bench.run_with("panic 1", request);
        let signature = observation.signature().expect("it fails");
        let own = signature.own_frames(1);
        assert!(own[0].own, "{name}: {:?}", signature.frames);
        let again = bench.run_with("panic 2", request);
        let again = again.signature().expect("it fails");
        assert_eq!(signature.own_frames(9), again.own_frames(9), "{name}");
    }
}

fn the_target_may_reject() {
    for (_, target) in targets() {
        assert_eq!(Bench::of(&*target).run("reject"), Observation::Returned(Verdict::Reject));
    }
}

fn a_panic_that_the_target_catches_is_a_failure() {
    assert_kind("caught-panic", &Kind::Panic);
}

fn a_panic_in_a_thread_is_a_failure() {
    assert_kind("panic-in-a-thread", &Kind::Panic);
}

fn the_first_of_two_panics_counts() {
    for (name, target) in targets() {
        let failure = Bench::of(&*target).failure("panic-while-panicking");
        assert_eq!(failure.message.as_ref().map(Message::text), Some("the first"), "{name}");
    }
}

fn an_abort_is_an_abort() {
    assert_kind("abort", &Kind::Abort);
}

fn an_exit_is_told_by_its_status() {
    assert_kind("exit 0", &Kind::Exit(0));
    assert_kind("exit 3", &Kind::Exit(3));
    assert_kind("_exit 77", &Kind::Exit(77));
}

fn a_fault_is_told_by_signal_and_address() {
    assert_kind("null", &Kind::Signal(11, Fault::NullPage));
    assert_kind("wild", &Kind::Signal(11, Fault::Wild));
    for (name, target) in targets() {
        let failure = Bench::of(&*target).failure("null");
        assert!(failure.own_frames(1)[0].own, "{name}: {:?}", failure.frames);
    }
}

fn a_recursion_without_end_overflows_the_stack() {
    assert_kind("overflow", &Kind::StackOverflow);
    for (name, target) in targets() {
        let failure = Bench::of(&*target).failure("overflow");
        let first = failure.own_frames(1)[0].clone();
        let recurs = failure.frames.iter().filter(|frame| frame.own).count() > 10;
        assert!(first.own && recurs, "{name}: {:?}", failure.frames);
    }
}

fn a_hang_is_ended() {
    assert_kind("spin", &Kind::Timeout);
}

fn a_sleeper_is_ended() {
    assert_kind("sleep", &Kind::Timeout);
}

fn memory_without_end_is_ended() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        // So much time that a busy machine gives the memory first.
        bench.slot.set_limits(Limits {
            cpu: Duration::from_secs(60),
            wall: Duration::from_secs(300),
            memory_mb: 100,
        });
        for command in ["allocate", "allocate-at-once"] {
            assert_eq!(bench.failure(command).kind, Kind::OutOfMemory, "{name}: {command}");
            assert_eq!(bench.run("after"), KEEP, "{name}: after {command}");
        }
    }
}

fn a_corrupt_heap_aborts() {
    assert_kind("corrupt-heap", &Kind::Abort);
}

fn a_target_that_ends_its_group_ends_only_its_worker() {
    assert_kind("kill-group", &Kind::Signal(15, Fault::Unknown));
}

fn what_a_target_does_to_its_process_stays_there() {
    for command in
        ["close-all", "flood", "signals", "fork", "escape", "leave-a-thread", "change-directory"]
    {
        assert_kept(command);
    }
}

pub fn trials() -> Vec<Trial> {
    trials_of(&[
        ("a_panic_is_told_by_place_and_message", a_panic_is_told_by_place_and_message),
        ("a_panic_has_a_stack_when_it_is_asked_for", a_panic_has_a_stack_when_it_is_asked_for),
        ("the_target_may_reject", the_target_may_reject),
        (
            "a_panic_that_the_target_catches_is_a_failure",
            a_panic_that_the_target_catches_is_a_failure,
        ),
        ("a_panic_in_a_thread_is_a_failure", a_panic_in_a_thread_is_a_failure),
        ("the_first_of_two_panics_counts", the_first_of_two_panics_counts),
        ("an_abort_is_an_abort", an_abort_is_an_abort),
        ("an_exit_is_told_by_its_status", an_exit_is_told_by_its_status),
        ("a_fault_is_told_by_signal_and_address", a_fault_is_told_by_signal_and_address),
        (
            "a_recursion_without_end_overflows_the_stack",
            a_recursion_without_end_overflows_the_stack,
        ),
        ("a_hang_is_ended", a_hang_is_ended),
        ("a_sleeper_is_ended", a_sleeper_is_ended),
        ("memory_without_end_is_ended", memory_without_end_is_ended),
        ("a_corrupt_heap_aborts", a_corrupt_heap_aborts),
        (
            "a_target_that_ends_its_group_ends_only_its_worker",
            a_target_that_ends_its_group_ends_only_its_worker,
        ),
        (
            "what_a_target_does_to_its_process_stays_there",
            what_a_target_does_to_its_process_stays_there,
        ),
    ])
}
