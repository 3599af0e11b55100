//! The contract of a slot: order, cancelling, fresh workers, nothing left behind.

use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use seedsmith::observation::{Observation, Verdict};
use seedsmith::signature::Signature;
use seedsmith::target::command::{CommandMode, CommandTarget};
use seedsmith::target::injected::{InjectedOptions, InjectedTarget};
use seedsmith::target::linked::LinkedTarget;
use seedsmith::target::{Bell, Limits, Report, Request, Slot, Target};

pub const KEEP: Observation = Observation::Returned(Verdict::Keep);

/// Every way to run this program's target in process.
pub fn targets() -> Vec<(&'static str, Box<dyn Target>)> {
    let this = std::env::current_exe().expect("a running program has an executable");
    let injected = InjectedTarget::new(&this, InjectedOptions::default())
        .expect("this program exports libFuzzer's interface");
    let linked = LinkedTarget::new("hostile").expect("this program can be read");
    vec![("linked", Box::new(linked)), ("injected", Box::new(injected))]
}

/// A slot and its bell.
pub struct Bench {
    pub slot: Box<dyn Slot>,
    bell: Bell,
    next: u64,
}

impl Bench {
    pub fn of(target: &dyn Target) -> Self {
        let bell = Bell::new().expect("the system has memory files");
        let mut slot = target.open(&bell).expect("the target can be opened");
        slot.set_limits(Limits {
            cpu: Duration::from_millis(300),
            wall: Duration::from_secs(2),
            memory_mb: 100,
        });
        Bench { slot, bell, next: 0 }
    }

    pub fn push(&mut self, candidate: &str, request: Request) -> u64 {
        let ticket = self.next;
        assert!(self.slot.push(ticket, candidate.as_bytes(), request).expect("the slot works"));
        self.next += 1;
        ticket
    }

    /// The next report; gives up after a time that no test needs.
    pub fn report(&mut self) -> Report {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let rings = self.bell.rings();
            self.slot.arm();
            if let Some(report) = self.slot.take().expect("the slot works") {
                return report;
            }
            self.bell.wait(rings, Duration::from_millis(5));
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

/// Processes that carry `mark` in their environment.
pub fn marked(mark: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is a process file system");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != std::process::id())
        .filter(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|window| window == mark.as_bytes())
        })
        .collect()
}

/// Waits until no process carries `mark`; they have a moment to die.
pub fn assert_none_left(mark: &str) {
    let begun = Instant::now();
    loop {
        let left = marked(mark);
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "left behind: {left:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn reports_come_in_the_order_of_pushes() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let commands = ["a", "panic 1", "reject", "exit 3", "b", "panic 2", "c"];
        let tickets: Vec<u64> =
            commands.iter().map(|command| bench.push(command, Request::default())).collect();
        let reports: Vec<Report> = tickets.iter().map(|_| bench.report()).collect();
        assert_eq!(reports.iter().map(|report| report.ticket).collect::<Vec<_>>(), tickets);
        let failed: Vec<bool> =
            reports.iter().map(|report| report.observation.signature().is_some()).collect();
        assert_eq!(failed, [false, true, false, true, false, true, false], "{name}");
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

fn a_fresh_worker_has_run_nothing_else() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("warm"), KEEP);
        for _ in 0..10 {
            let request = Request { fresh: true, frames: false };
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

fn ten_thousand_candidates_come_back_kept() {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        let (mut pushed, mut done) = (0u64, 0u64);
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
            done += 1;
        }
    }
}

fn nothing_is_left_when_a_slot_is_dropped() {
    // Tests of this program may run side by side: only this one sets the variable.
    let mark = format!("SEEDSMITH_TEST_MARK={}", std::process::id());
    let this = std::env::current_exe().expect("a running program has an executable");
    let (name, value) = mark.split_once('=').expect("it has one");
    let options =
        InjectedOptions { environment: vec![(name.into(), value.into())], ..Default::default() };
    let target = InjectedTarget::new(&this, options).expect("this program can be injected");
    let mut bench = Bench::of(&target);
    for command in ["fork", "escape", "leave-a-thread", "exit 1", "fork", "escape", "abort", "x"] {
        bench.run(command);
    }
    assert!(marked(&mark).len() >= 2, "at least the zygote and its worker carry the mark");
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
    assert_eq!(bench.failure("x").kind, seedsmith::signature::Kind::Timeout);
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
        ("a_cancelled_candidate_is_not_reported", a_cancelled_candidate_is_not_reported),
        ("a_fresh_worker_has_run_nothing_else", a_fresh_worker_has_run_nothing_else),
        ("a_death_from_outside_is_no_verdict", a_death_from_outside_is_no_verdict),
        ("ten_thousand_candidates_come_back_kept", ten_thousand_candidates_come_back_kept),
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
            "an_executable_run_as_a_command_tells_its_panic",
            an_executable_run_as_a_command_tells_its_panic,
        ),
    ])
}
