//! A run with a limit ends by itself, whatever its target does to its worker, to its zygote and to
//! the memory that they share.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use nix::sys::resource::{Resource, setrlimit};
use seedsmith_engine::Kind;
use seedsmith_engine::Observation;
use seedsmith_engine::Outcome;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::NoFailureYet;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{CommandMode, CommandTarget};
use seedsmith_engine::{Limits, Target};

use crate::attacks::{ASKED, FATAL, SURVIVED};
use crate::slots::{Bench, KEEP, targets};

/// The time limit of a search.
const LIMIT: Duration = Duration::from_secs(1);
/// When it has to have ended, also on a machine with much else to do.
const AT_THE_LATEST: Duration = Duration::from_secs(3 * LIMIT.as_secs() + 5);

fn a_worker_that_attacks_its_processes_is_lived_through() {
    for (name, target) in targets() {
        for attack in SURVIVED {
            let mut bench = Bench::of(&*target);
            assert_eq!(bench.run("before"), KEEP, "{name}");
            // It returns, and its outcome may be lost, but it never counts as a failure.
            let seen = bench.run(&format!("attack {attack}"));
            assert!(matches!(seen, KEEP | Observation::Lost), "{name}: {attack}: {seen:?}");
            for number in 0..3 {
                let seen = bench.run(&format!("after {number}"));
                assert_eq!(seen, KEEP, "{name}: after {attack}");
                let panic = bench.failure(&format!("panic {number}"));
                assert_eq!(panic.kind, Kind::Panic, "{name}: after {attack}");
            }
        }
    }
}

fn a_candidate_that_ends_its_own_processes_has_no_verdict_and_others_have() {
    for (name, target) in targets() {
        for attack in FATAL {
            let mut bench = Bench::of(&*target);
            assert_eq!(bench.run("before"), KEEP, "{name}");
            let seen = bench.run(&format!("attack {attack}"));
            let hangs = |seen: &Observation| {
                seen.signature().is_some_and(|signature| signature.kind == Kind::Timeout)
            };
            // A process that stops itself sleeps. One that ends its parent may be done before it
            // is ended too.
            let is_right = if attack == "stop-itself" {
                hangs(&seen)
            } else {
                matches!(seen, KEEP | Observation::Lost)
            };
            assert!(is_right, "{name}: {attack}: {seen:?}");
            assert_eq!(bench.run("after"), KEEP, "{name}: after {attack}");
        }
    }
}

/// Asks for a failure among candidates without end that never fail, and says why that ended.
fn search(target: &dyn Target, candidate: impl Fn(u64) -> String) -> (Stopped, Duration) {
    let begun = Instant::now();
    let budget = Budget { max_time: Some(LIMIT), ..Budget::default() };
    let mut oracle = Oracle::new(target, NoFailureYet, 1, budget).expect("it can be run");
    oracle.set_limits(Limits { wall: Duration::from_secs(20), ..Limits::default() });
    let mut number = 0;
    let mut next = |buffer: &mut Vec<u8>| {
        number += 1;
        buffer.extend_from_slice(candidate(number).as_bytes());
        Some(())
    };
    let stopped = oracle.first(Outcome::Fail, &mut next).expect_err("nothing is found");
    drop(oracle);
    (stopped, begun.elapsed())
}

fn a_search_in_which_each_candidate_attacks_its_processes_ends_at_its_limit() {
    for (name, target) in targets() {
        for attack in SURVIVED.iter().chain(&FATAL) {
            let (stopped, took) = search(&*target, |number| format!("attack {attack} {number}"));
            // A target that ends its zygote each time can't be run for long.
            let may_be_lost = attack.starts_with("kill") || *attack == "scribble-anywhere";
            assert!(
                matches!(stopped, Stopped::Early(StopReason::Time))
                    || (may_be_lost && matches!(stopped, Stopped::Target(_))),
                "{name}: {attack}: {stopped:?}"
            );
            assert!(took < AT_THE_LATEST, "{name}: {attack}: {took:?}");
        }
    }
}

fn a_search_with_a_command_that_attacks_its_group_ends_at_its_limit() {
    for script in [
        "kill -STOP $$",
        "kill -9 0",
        "kill -9 -$$",
        "sleep 3600 & kill -STOP $$",
        "setsid sleep 20 & exec sleep 3600",
        "trap '' TERM INT HUP; while :; do sleep 1; done",
    ] {
        let arguments = ["sh", "-c", script].map(Into::into).to_vec();
        let target = CommandTarget::new(arguments, CommandMode::ExitZeroFails);
        let (stopped, took) = search(&target, |number| number.to_string());
        assert!(matches!(stopped, Stopped::Early(StopReason::Time)), "{script}: {stopped:?}");
        assert!(took < AT_THE_LATEST, "{script}: {took:?}");
    }
}

/// A folder that any user may read, with this program and `tmin` in it, and an input.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new(input: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder can be made");
        let open = |path: &Path, mode| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, mode).expect("it is ours");
        };
        open(folder.path(), 0o777);
        let this = std::env::current_exe().expect("a running program has an executable");
        for (name, from) in [("tmin", PathBuf::from(env!("CARGO_BIN_EXE_tmin"))), ("target", this)]
        {
            let to = folder.path().join(name);
            std::fs::copy(from, &to).expect("programs can be copied");
            open(&to, 0o755);
        }
        let path = folder.path().join("input");
        std::fs::write(&path, input).expect("the folder is ours");
        open(&path, 0o644);
        Stage { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `tmin` on the input, with a limit of time.
    fn tmin(&self) -> Command {
        let mut command = Command::new(self.path("tmin"));
        command
            .current_dir(self.folder.path())
            .args(["input", "--binary", "./target", "-o", "result", "-j", "1", "--json"])
            .arg(format!("--max-time={}s", LIMIT.as_secs()))
            .env("TMPDIR", self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Ran until its end, and how long that took.
    fn run(&self, command: &mut Command) -> (Output, Duration) {
        let begun = Instant::now();
        let output = command.output().expect("it can be started");
        (output, begun.elapsed())
    }
}

/// An input that takes long to minimize, if each test takes a while.
fn long_input() -> String {
    let mut text = String::new();
    for number in 0..400 {
        text.push_str(&format!("(straw {number}) needle; "));
    }
    text
}

fn a_run_on_a_target_that_attacks_its_processes_ends_with_exit_code_3() {
    for attack in SURVIVED.iter().chain(&FATAL) {
        let stage = Stage::new(&long_input());
        let (output, took) = stage.run(stage.tmin().env(ASKED, attack));
        assert!(took < AT_THE_LATEST, "{attack}: {took:?}");
        let code = output.status.code();
        // Of a target that ends its own processes each time nothing can be said.
        let is_right = match *attack {
            "kill-the-zygote" | "kill-the-zygotes-group" | "scribble-anywhere" => {
                matches!(code, Some(1 | 3 | 5))
            }
            _ => code == Some(3),
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(is_right, "{attack}: {code:?}: {said}");
    }
}

/// Runs `tmin` with a resource limited to `most`, as a user whom such limits bind.
fn limited(stage: &Stage, resource: Resource, most: u64) -> (Output, Duration) {
    let mut command = stage.tmin();
    if std::fs::metadata("/proc/self").is_ok_and(|this| this.uid() == 0) {
        // Processes of other users don't count.
        command.uid(61_000 + std::process::id() % 4000).gid(61_000);
    }
    // SAFETY: one system call, which may be made between fork and exec.
    unsafe {
        command.pre_exec(move || Ok(setrlimit(resource, most, most)?));
    }
    stage.run(&mut command)
}

fn a_run_that_may_not_fork_ends_with_the_reason() {
    for most in 0..=6 {
        let stage = Stage::new("a needle in a haystack");
        let (output, took) = limited(&stage, Resource::RLIMIT_NPROC, most);
        assert!(took < AT_THE_LATEST, "{most}: {took:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3 | 5)), "{most}: {code:?}: {said}");
        if code == Some(5) {
            let reasons = ["fork", "start", "listen to signals"];
            assert!(reasons.iter().any(|reason| said.contains(reason)), "{most}: {said}");
        }
    }
}

fn a_run_with_few_descriptors_ends_honestly() {
    for most in [3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24] {
        let stage = Stage::new("a needle in a haystack");
        let (output, took) = limited(&stage, Resource::RLIMIT_NOFILE, most);
        assert!(took < AT_THE_LATEST, "{most}: {took:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        // Too few even for the loader, which ends with 127, or to read the input.
        assert!(matches!(code, Some(0 | 2 | 3 | 5 | 6 | 127)), "{most}: {code:?}: {said}");
    }
}

fn a_run_with_little_address_space_ends_honestly() {
    for most_mb in [64, 128, 256, 512, 1024, 1100, 1300, 1600, 2200] {
        let stage = Stage::new("a needle in a haystack");
        let (output, took) = limited(&stage, Resource::RLIMIT_AS, most_mb << 20);
        assert!(took < AT_THE_LATEST, "{most_mb}: {took:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3 | 5 | 6 | 127)), "{most_mb}: {code:?}: {said}");
    }
}

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
        (
            "a_worker_that_attacks_its_processes_is_lived_through",
            a_worker_that_attacks_its_processes_is_lived_through,
        ),
        (
            "a_candidate_that_ends_its_own_processes_has_no_verdict_and_others_have",
            a_candidate_that_ends_its_own_processes_has_no_verdict_and_others_have,
        ),
        (
            "a_search_in_which_each_candidate_attacks_its_processes_ends_at_its_limit",
            a_search_in_which_each_candidate_attacks_its_processes_ends_at_its_limit,
        ),
        (
            "a_search_with_a_command_that_attacks_its_group_ends_at_its_limit",
            a_search_with_a_command_that_attacks_its_group_ends_at_its_limit,
        ),
        (
            "a_run_on_a_target_that_attacks_its_processes_ends_with_exit_code_3",
            a_run_on_a_target_that_attacks_its_processes_ends_with_exit_code_3,
        ),
        (
            "a_run_that_may_not_fork_ends_with_the_reason",
            a_run_that_may_not_fork_ends_with_the_reason,
        ),
        ("a_run_with_few_descriptors_ends_honestly", a_run_with_few_descriptors_ends_honestly),
        (
            "a_run_with_little_address_space_ends_honestly",
            a_run_with_little_address_space_ends_honestly,
        ),
    ])
}
