//! The contract of a slot: order, cancelling, fresh workers, no processes or files left.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::Signature;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::{CommandMode, CommandTarget};
use seedsmith_engine::{Limits, Notifier, Request, RunReport, Slot, Target};
use seedsmith_engine::{Observation, Verdict};

use crate::left::{assert_none_left, marked, wait_until};

/// The variable that marks the processes that the copy of this program in
/// [`nothing_is_left_when_a_slot_is_dropped`] starts.
const MARK: &str = "SEEDSMITH_TEST_MARK";

pub const KEEP: Observation = Observation::Returned(Verdict::Keep);

/// Every way to run this program's target in process.
pub fn targets() -> Vec<(&'static str, Box<dyn Target>)> {
    let this = std::env::current_exe().expect("a running program has an executable");
    let injected = InjectedTarget::new(&this, InjectedOptions::default())
        .expect("this program exports libFuzzer's interface");
    let linked = LinkedTarget::new("hostile").expect("this program can be read");
    vec![("linked", Box::new(linked)), ("injected", Box::new(injected))]
}

/// A slot and its notifier.
pub struct Bench<'t> {
    pub slot: Box<dyn Slot + 't>,
    notifier: Notifier,
    next: u64,
}

impl<'t> Bench<'t> {
    pub fn of(target: &'t dyn Target) -> Self {
        let notifier = Notifier::new().expect("the system has memory files");
        let slot = target.open(&notifier).expect("the target can be opened");
        let mut bench = Bench { slot, notifier, next: 0 };
        bench.hurry();
        bench
    }

    /// Sets limits that are short, so that a test of a hang need not wait long; a start may exceed
    /// them on a busy machine.
    pub fn hurry(&mut self) {
        let (cpu, wall) = (Duration::from_millis(300), Duration::from_secs(2));
        self.slot.set_limits(Limits { cpu, wall, memory_mb: 100 });
    }

    /// Sets limits that only a hang reaches, even on a busy machine.
    pub fn be_patient(&mut self) {
        let (cpu, wall) = (Duration::from_secs(15), Duration::from_secs(60));
        self.slot.set_limits(Limits { cpu, wall, memory_mb: 100 });
    }

    /// With limits that only a hang reaches, even on a busy machine.
    pub fn patient(target: &'t dyn Target) -> Self {
        let mut bench = Bench::of(target);
        bench.be_patient();
        bench
    }

    pub fn push(&mut self, candidate: &str, request: Request) -> u64 {
        let ticket = self.next;
        assert!(self.slot.push(ticket, candidate.as_bytes(), request).expect("the slot works"));
        self.next += 1;
        ticket
    }

    /// The next report; gives up after a time that no test needs.
    pub fn report(&mut self) -> RunReport {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let seen_count = self.notifier.count();
            self.slot.request_notification();
            if let Some(report) = self.slot.take().expect("the slot works") {
                return report;
            }
            self.notifier.wait(seen_count, Duration::from_millis(5));
            self.slot.tend().expect("the slot works");
        }
        panic!("no report came");
    }

    pub fn run(&mut self, candidate: &str) -> Observation {
        self.run_with(candidate, Request::default())
    }

    pub fn run_with(&mut self, candidate: &str, request: Request) -> Observation {
        let ticket = self.push(candidate, request);
        let report = self.report();
        assert_eq!(report.ticket, ticket);
        report.observation
    }

    pub fn failure(&mut self, candidate: &str) -> Signature {
        match self.run(candidate) {
            Observation::Failed(signature) => (*signature).clone(),
            other => panic!("{candidate:?} gave {other:?}"),
        }
    }
}

fn reports_come_in_the_order_of_pushes() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let commands = ["a", "panic 1", "reject", "exit 3", "b", "panic 2", "c"];
        let tickets: Vec<u64> =
            commands.iter().map(|command| bench.push(command, Request::default())).collect();
        let reports: Vec<RunReport> = tickets.iter().map(|_| bench.report()).collect();
        assert_eq!(reports.iter().map(|report| report.ticket).collect::<Vec<_>>(), tickets);
        let failed: Vec<bool> =
            reports.iter().map(|report| report.observation.signature().is_some()).collect();
        assert_eq!(failed, [false, true, false, true, false, true, false], "{name}");
    }
}

/// Pushes `candidates` and waits for the notifier alone, without looking in between, until at least
/// `wanted` reports came.
fn reports_by_bell(bench: &mut Bench, candidates: &[&str], wanted: usize) -> usize {
    for candidate in candidates {
        bench.push(candidate, Request::default());
    }
    let mut came = 0;
    loop {
        let seen_count = bench.notifier.count();
        bench.slot.request_notification();
        while bench.slot.take().expect("the slot works").is_some() {
            came += 1;
        }
        if came >= wanted {
            return came;
        }
        // Longer than any test needs, so that only a notifier that never seen_count fails.
        bench.notifier.wait(seen_count, Duration::from_secs(60));
        assert_ne!(
            bench.notifier.count(),
            seen_count,
            "{came} reports, and the notifier never rang"
        );
    }
}

fn an_armed_bell_rings_when_more_than_half_of_the_queue_is_done() {
    let script = ["sh", "-c", "if grep -q spin; then sleep 3600; fi"].map(Into::into).to_vec();
    let command = CommandTarget::new(script, CommandMode::ExitZeroFails);
    let mut targets = targets();
    targets.push(("command", Box::new(command)));
    for (name, target) in &targets {
        let mut bench = Bench::of(&**target);
        bench.run("warm");
        for queued in 1..=9 {
            let came = reports_by_bell(&mut bench, &vec!["a"; queued], queued);
            assert_eq!(came, queued, "{name}");
        }
        // Reports are announced although the third candidate never ends: nothing enforces its
        // limits here. A late notification for earlier candidates may come after the first report;
        // the second report is then half of the rest, for which there is no notification.
        let came = reports_by_bell(&mut bench, &["a", "a", "spin"], 1);
        assert!((1..=3).contains(&came), "{name}: {came}");
    }
}

fn what_a_linked_target_says_is_reported_whatever_becomes_of_it() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        for (candidate, said) in
            [("a", "a"), ("panic 1", "1"), ("exit 3", "exit 3"), ("spin", "spin"), ("b", "b")]
        {
            bench.push(candidate, Request::default());
            let report = bench.report();
            let said = if name == "linked" { said } else { "" };
            assert_eq!(String::from_utf8_lossy(&report.answer), said, "{name}, {candidate}");
        }
    }
}

fn a_cancelled_candidate_is_not_reported() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        bench.push("spin", Request::default());
        for _ in 0..20 {
            bench.push("exit 1", Request::default());
        }
        let still = bench.slot.cancel();
        assert!(still.len() <= 1, "{name}: {still:?}");
        let ticket = bench.push("fine", Request::default());
        let report = loop {
            let report = bench.report();
            if !still.contains(&report.ticket) {
                break report;
            }
        };
        assert_eq!((report.ticket, report.observation), (ticket, KEEP), "{name}");
    }
}

fn a_promised_report_comes_even_if_its_worker_is_lost() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("warm"), KEEP);
        let ticket = bench.push("sleep-and-be-killed", Request::default());
        // Long enough for it to begin; where it has not, nothing is promised.
        std::thread::sleep(Duration::from_millis(100));
        if bench.slot.cancel() == [ticket] {
            let report = bench.report();
            assert_eq!((report.ticket, report.observation), (ticket, Observation::Lost), "{name}");
        }
        assert_eq!(bench.run("after"), KEEP, "{name}");
    }
}

fn a_fresh_worker_has_run_nothing_else() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("warm"), KEEP);
        for _ in 0..10 {
            let request =
                Request { fresh: true, frames: false, once: false, varied: false, expected: None };
            bench.push("seventh-call", request);
            let report = bench.report();
            assert!(report.was_fresh);
            assert_eq!(report.observation, KEEP, "{name}");
        }
    }
}

fn a_death_from_outside_is_no_verdict() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("kill-worker-from-outside"), Observation::Lost, "{name}");
        assert_eq!(bench.run("fine"), KEEP, "{name}");
    }
}

fn fifty_thousand_candidates_come_back_kept() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let (mut pushed, mut done, mut workers) = (0u64, 0u64, 0);
        while done < 50_000 {
            while pushed < 50_000
                && bench
                    .slot
                    .push(pushed, format!("candidate {pushed}").as_bytes(), Request::default())
                    .expect("the slot works")
            {
                pushed += 1;
            }
            let report = bench.report();
            assert_eq!((report.ticket, report.observation), (done, KEEP), "{name}");
            workers += u32::from(report.was_fresh);
            done += 1;
        }
        assert_eq!(workers, 3, "{name}: a worker retires after 20,000 candidates");
    }
}

/// Sets [`MARK`] for everything that the tests of another copy of this program start.
fn nothing_is_left_when_a_slot_is_dropped() {
    const TEST: &str = "nothing_is_left_when_a_slot_is_dropped";
    let Ok(value) = std::env::var(MARK) else {
        let this = std::env::current_exe().expect("a running program has an executable");
        let mut marked = std::process::Command::new(this);
        marked.env(MARK, std::process::id().to_string()).args(["--exact", TEST]);
        let output = marked.output().expect("this program can be started");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    };
    let mark = format!("{MARK}={value}");
    for (name, target) in targets() {
        for last in ["fork", "spin"] {
            let mut bench = Bench::of(&*target);
            let commands =
                ["fork", "escape", "leave-a-thread", "exit 1", "fork", "escape", "abort"];
            for command in commands {
                bench.run(command);
            }
            bench.push(last, Request::default());
            // Worker, zygote, and the child that the worker made or its spare.
            assert!(wait_until(|| marked(&mark).len() >= 2), "{name}");
            drop(bench);
            assert_none_left(&mark);
        }
    }
    let script = ["sh", "-c", "sleep 3600 & sleep 3600"].map(Into::into).to_vec();
    let target = CommandTarget::new(script, CommandMode::ExitZeroFails);
    let mut bench = Bench::of(&target);
    bench.push("x", Request::default());
    assert!(wait_until(|| marked(&mark).len() >= 3), "the shell and both that it started");
    drop(bench);
    assert_none_left(&mark);
}

fn a_command_says_by_its_status_whether_the_failure_shows() {
    let arguments = ["sh", "-c", "grep -q needle \"$1\"", "sh", "{}"].map(Into::into).to_vec();
    let target = CommandTarget::new(arguments, CommandMode::ExitZeroFails);
    let mut bench = Bench::of(&target);
    assert!(bench.run("a needle").signature().is_some());
    assert_eq!(bench.run("hay"), KEEP);
}

fn a_command_that_hangs_or_floods_is_ended_as_a_group() {
    let script = "yes & yes >&2 & sleep 3600";
    let target = CommandTarget::new(
        ["sh", "-c", script].map(Into::into).to_vec(),
        CommandMode::ExitZeroFails,
    );
    let mut bench = Bench::of(&target);
    assert_eq!(bench.failure("x").kind, seedsmith_engine::Kind::Timeout);
}

fn what_a_command_does_to_its_input_stays_with_that_candidate() {
    for script in [
        "rm \"$1\"",
        "rm -r \"$(dirname \"$1\")\"",
        "rm \"$1\"; mkdir \"$1\" && touch \"$1/x\"",
        "chmod 0 \"$1\"; chmod 0 \"$(dirname \"$1\")\"",
    ] {
        // Only if the candidate has the right content.
        let script = format!("grep -q needle \"$1\" || exit 1; {script}; exit 0");
        let arguments = ["sh", "-c", &script, "sh", "{}"].map(Into::into).to_vec();
        let target = CommandTarget::new(arguments, CommandMode::ExitZeroFails);
        let mut bench = Bench::of(&target);
        for candidate in ["a needle", "hay", "another needle", "hay"] {
            let fails = bench.run(candidate).signature().is_some();
            assert_eq!(fails, candidate.contains("needle"), "{script}: {candidate}");
        }
    }
}

fn a_worker_with_leftovers_makes_room_for_a_new_one() {
    // The most candidates that one worker runs.
    for (command, most) in
        [("leave-a-thread", 8), ("leak-memory", 24), ("leak-files", 128), ("spin", 1)]
    {
        for (name, target) in targets() {
            let mut bench = Bench::of(&*target);
            // Only the candidate that hangs gets a short limit: a busy machine can need as long for
            // the 8 MB of pages that another one touches.
            let limits = Limits { memory_mb: 1024, ..Limits::default() };
            let cpu = if command == "spin" { Duration::from_millis(50) } else { limits.cpu };
            bench.slot.set_limits(Limits { cpu, ..limits });
            let (mut runs, mut longest, mut workers) = (0, 0, 0);
            for _ in 0..3 * most {
                let ticket = bench.push(command, Request::default());
                let report = bench.report();
                let hangs = report.observation.signature().is_some();
                assert_eq!(
                    (report.ticket, hangs),
                    (ticket, command == "spin"),
                    "{name}: {command}: {:?}",
                    report.observation
                );
                runs = if report.was_fresh { 1 } else { runs + 1 };
                workers += u32::from(report.was_fresh);
                longest = longest.max(runs);
            }
            assert!(longest <= most && workers >= 3, "{name}: {command}: {longest}, {workers}");
        }
    }
}

fn a_pool_of_threads_counts_as_no_leftover() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        bench.run("leave-a-thread");
        let was_fresh = (0..1000).filter(|_| {
            bench.push("fine", Request::default());
            bench.report().was_fresh
        });
        assert_eq!(was_fresh.count(), 0, "{name}");
    }
}

fn an_executable_run_as_a_command_tells_its_panic() {
    let script = "echo \"thread 'main' panicked at src/x.rs:1:2:\" >&2; echo oh >&2; kill -ABRT $$";
    let target =
        CommandTarget::new(["sh", "-c", script].map(Into::into).to_vec(), CommandMode::Executable);
    let failure = Bench::of(&target).failure("x");
    assert_eq!(failure.place.as_deref(), Some("src/x.rs:1:2"));
}

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
        ("reports_come_in_the_order_of_pushes", reports_come_in_the_order_of_pushes),
        (
            "an_armed_bell_rings_when_more_than_half_of_the_queue_is_done",
            an_armed_bell_rings_when_more_than_half_of_the_queue_is_done,
        ),
        (
            "what_a_linked_target_says_is_reported_whatever_becomes_of_it",
            what_a_linked_target_says_is_reported_whatever_becomes_of_it,
        ),
        ("a_cancelled_candidate_is_not_reported", a_cancelled_candidate_is_not_reported),
        (
            "a_promised_report_comes_even_if_its_worker_is_lost",
            a_promised_report_comes_even_if_its_worker_is_lost,
        ),
        ("a_fresh_worker_has_run_nothing_else", a_fresh_worker_has_run_nothing_else),
        ("a_death_from_outside_is_no_verdict", a_death_from_outside_is_no_verdict),
        ("fifty_thousand_candidates_come_back_kept", fifty_thousand_candidates_come_back_kept),
        ("nothing_is_left_when_a_slot_is_dropped", nothing_is_left_when_a_slot_is_dropped),
        (
            "a_command_says_by_its_status_whether_the_failure_shows",
            a_command_says_by_its_status_whether_the_failure_shows,
        ),
        (
            "a_command_that_hangs_or_floods_is_ended_as_a_group",
            a_command_that_hangs_or_floods_is_ended_as_a_group,
        ),
        (
            "what_a_command_does_to_its_input_stays_with_that_candidate",
            what_a_command_does_to_its_input_stays_with_that_candidate,
        ),
        (
            "a_worker_with_leftovers_makes_room_for_a_new_one",
            a_worker_with_leftovers_makes_room_for_a_new_one,
        ),
        ("a_pool_of_threads_counts_as_no_leftover", a_pool_of_threads_counts_as_no_leftover),
        (
            "an_executable_run_as_a_command_tells_its_panic",
            an_executable_run_as_a_command_tells_its_panic,
        ),
    ])
}
