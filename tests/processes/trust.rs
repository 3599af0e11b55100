//! Tests of a whole search: it keeps to one failure, and survives targets that leak and the killing
//! of its processes.
//!
//! `SEEDSMITH_SOAK`, `SEEDSMITH_SEEDS` and `SEEDSMITH_KILLS` say how often; `scripts/soak` soaks a
//! million candidates.

use std::cell::Cell;
use std::rc::Rc;

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use seedsmith::Event;
use seedsmith::Search;
use seedsmith::internal::reduce::{Options, Polish, minimize};
use seedsmith::internal::search::DEPENDS_ON_BEFORE;
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::Observation;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Kind, Message, Signature};
use seedsmith_engine::{Request, Target};

use crate::left::{assert_none_left, marked};
use crate::slots::{Bench, KEEP};

/// How often, by a variable, or a small number for CI.
fn times(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a number"))
}

/// An input with the planted needle in it that `seed` decides.
fn haystack(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::from("in ");
    for place in 0..40 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = ["hay", "(straw)", "[n, e]", "42", "dust;\n", "nee"][(state >> 40) as usize % 6];
        text.push_str(word);
        text.push(' ');
        if place == (seed % 40) as usize {
            text.push_str("a needle, ");
        }
    }
    text.into_bytes()
}

struct Found {
    best: Vec<u8>,
    tests: u64,
    met: Vec<Signature>,
    notes: Vec<String>,
}

/// Minimizes `input`; `at` is called with the number of each consumed test.
fn reduce(target: &dyn Target, input: &[u8], options: &Options, mut at: impl FnMut(u64)) -> Found {
    let nobody =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(target, nobody, 1, Budget::default()).expect("it can be run");
    let request = Request { frames: true, fresh: true, once: false, varied: false, expected: None };
    let seen = oracle.observe(input, request).expect("it runs");
    let signature = seen.signature().expect("the input fails");
    let judge = SameFailure { signature: (**signature).clone(), sameness: Sameness::default() };
    oracle.set_judge(judge);
    let depends_on_before = oracle.try_after_others(input).expect("it runs");
    let tests = Rc::new(Cell::new(0));
    let count = tests.clone();
    oracle.set_trace(Box::new(move |_, _, was_cached| {
        if !was_cached {
            count.set(count.get() + 1);
            at(count.get());
        }
    }));
    let mut notes: Vec<String> = Vec::new();
    if depends_on_before {
        notes.push(DEPENDS_ON_BEFORE.to_owned());
    }
    let mut listener = |event: &Event<'_>| {
        if let Event::Note(_, text) = event {
            notes.push((*text).to_owned());
        }
    };
    let mut search = Search::new(&mut oracle, input.to_vec(), &mut listener);
    minimize(&mut search, options).expect("nothing stops it");
    let best = search.best().to_vec();
    drop(search);
    let met = oracle.other_failures().iter().map(|one| (*one.signature).clone()).collect();
    Found { best, tests: tests.get(), met, notes }
}

fn another_bug_that_is_easier_to_hit_is_never_taken_for_the_hunted_one() {
    let target = LinkedTarget::new("hostile").expect("this program can be read");
    for seed in 0..times("SEEDSMITH_SEEDS", 200) {
        let options = Options { seed, polish: Polish::Tests(300), ..Options::default() };
        let found = reduce(&target, &haystack(seed), &options, |_| {});
        assert_eq!(String::from_utf8_lossy(&found.best), "needle", "seed {seed}");
        let messages: Vec<_> = found
            .met
            .iter()
            .filter_map(|signature| signature.message.as_ref().map(Message::text))
            .collect();
        assert_eq!(messages, ["half a needle"], "seed {seed}");
    }
}

/// Resident memory of this process, in pages.
fn resident() -> u64 {
    let statm =
        std::fs::read_to_string("/proc/self/statm").expect("there is a process file system");
    statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("the second is a number")
}

fn a_target_that_leaks_is_soaked_without_a_false_verdict() {
    let total = times("SEEDSMITH_SOAK", 50_000);
    let mark = format!("SEEDSMITH_SOAK_MARK={}", std::process::id());
    let target = marked_target(&mark);
    let mut bench = Bench::of(&target);
    let (mut pushed, mut done, mut warm, mut workers) = (0u64, 0u64, 0, 0u64);
    while done < total {
        while pushed < total
            && bench
                .slot
                .push(pushed, format!("leak {pushed}").as_bytes(), Request::default())
                .expect("the slot works")
        {
            pushed += 1;
        }
        let report = bench.report();
        assert_eq!((report.ticket, report.observation), (done, KEEP));
        workers += u64::from(report.was_fresh);
        done += 1;
        if done == total / 5 {
            warm = resident();
        }
    }
    // One descriptor is left open a candidate: a worker that is never replaced runs out of them.
    assert!(workers >= total / 2000, "{workers} workers");
    let grown = resident().saturating_sub(warm) * 4 / 1024;
    // Other tests of this program run beside this one.
    assert!(grown < 64, "the driver grew by {grown} MB");
    drop(bench);
    assert_none_left(&mark);
}

fn a_verdict_that_depends_on_what_ran_before_is_told_and_not_believed() {
    // One fails after others of its kind as well; the other in no worker but a new one.
    for (input, smallest) in
        [("grudge, hay and a needle in it", "needle"), ("first-call hay hay", "first-call ")]
    {
        let input = input.replace("grudge,", "grudge ");
        for (name, target) in crate::slots::targets() {
            let found = reduce(&*target, input.as_bytes(), &Options::default(), |_| {});
            assert!(found.best.len() < input.len(), "{name}");
            let best = String::from_utf8_lossy(&found.best);
            assert!(best.contains(smallest) || best == smallest.trim(), "{name}: {best}");
            assert_eq!(found.notes, [DEPENDS_ON_BEFORE], "{name}: {best}");
        }
    }
}

fn marked_target(mark: &str) -> InjectedTarget {
    let this = std::env::current_exe().expect("a running program has an executable");
    let (name, value) = mark.split_once('=').expect("it has one");
    let options =
        InjectedOptions { environment: vec![(name.into(), value.into())], ..Default::default() };
    InjectedTarget::new(&this, options).expect("this program can be injected")
}

fn a_zygote_or_worker_that_is_killed_changes_nothing() {
    let mark = format!("SEEDSMITH_KILL_MARK={}", std::process::id());
    let target = marked_target(&mark);
    let options = Options { polish: Polish::Tests(0), ..Options::default() };
    let input = haystack(3);
    let undisturbed = reduce(&target, &input, &options, |_| {});
    assert_eq!(undisturbed.best, b"needle");
    for round in 0..times("SEEDSMITH_KILLS", 100) {
        let moment = 1 + round * 7919 % undisturbed.tests;
        let mut killed = 0;
        let found = reduce(&target, &input, &options, |test| {
            if test == moment {
                // Zygote, worker and spare carry the mark; no other process does.
                let mut processes = marked(&mark);
                processes.sort_unstable();
                if let Some(one) = processes.get(round as usize % processes.len().max(1)) {
                    let pid = Pid::from_raw(i32::try_from(*one).expect("a process number"));
                    killed += usize::from(kill(pid, Signal::SIGKILL).is_ok());
                }
            }
        });
        assert_eq!(found.best, undisturbed.best, "killed at test {moment}");
        assert_eq!(found.tests, undisturbed.tests, "killed at test {moment}");
    }
    assert_none_left(&mark);
}

fn a_write_behind_the_shared_memory_meets_a_guard() {
    for (name, target) in crate::slots::targets() {
        let mut bench = Bench::of(&*target);
        for command in ["write-behind-the-slot", "write-before-the-slot"] {
            let failure = bench.failure(command);
            assert!(
                matches!(failure.kind, Kind::Signal(number, _) if number == Signal::SIGSEGV as i32),
                "{name}: {command} gave {failure}"
            );
            assert!(matches!(bench.run("fine"), Observation::Returned(_)), "{name}");
        }
    }
}

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
        (
            "another_bug_that_is_easier_to_hit_is_never_taken_for_the_hunted_one",
            another_bug_that_is_easier_to_hit_is_never_taken_for_the_hunted_one,
        ),
        (
            "a_target_that_leaks_is_soaked_without_a_false_verdict",
            a_target_that_leaks_is_soaked_without_a_false_verdict,
        ),
        (
            "a_verdict_that_depends_on_what_ran_before_is_told_and_not_believed",
            a_verdict_that_depends_on_what_ran_before_is_told_and_not_believed,
        ),
        (
            "a_zygote_or_worker_that_is_killed_changes_nothing",
            a_zygote_or_worker_that_is_killed_changes_nothing,
        ),
        (
            "a_write_behind_the_shared_memory_meets_a_guard",
            a_write_behind_the_shared_memory_meets_a_guard,
        ),
    ])
}
