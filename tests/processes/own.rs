//! Whatever a target writes into the memory that it shares with its driver, only our own processes
//! are ended, and limits hold.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use seedsmith_engine::Kind;
use seedsmith_engine::{Limits, Request};

use crate::slots::{Bench, KEEP, targets};

/// More than any system's largest process id.
const NO_PROCESS: i32 = i32::MAX;

/// A process that is none of the driver's business; ended at the end.
struct Bystander(Child);

impl Bystander {
    fn start() -> Self {
        let started = Command::new("sleep").arg("3600").spawn();
        Bystander(started.expect("the system has sleep"))
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("it can be asked").is_none()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn assert_ended_by_its_limit(command: &str) {
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        assert_eq!(bench.run("before"), KEEP, "{name}");
        assert_eq!(bench.failure(command).kind, Kind::Timeout, "{name}");
        assert_eq!(bench.run("after"), KEEP, "{name}");
    }
}

fn a_process_that_a_target_names_as_its_worker_is_not_ended() {
    let mut bystander = Bystander::start();
    assert_ended_by_its_limit(&format!("name-as-worker {}", bystander.0.id()));
    assert!(bystander.is_alive());
}

fn a_target_that_names_no_process_as_its_worker_is_ended_by_its_limit() {
    for pid in [NO_PROCESS, 0, -1] {
        assert_ended_by_its_limit(&format!("name-as-worker {pid}"));
    }
}

fn a_target_that_names_the_spare_worker_is_ended_by_its_limit() {
    assert_ended_by_its_limit("name-the-spare");
}

fn a_target_that_stops_its_zygote_is_ended_by_its_limit() {
    assert_ended_by_its_limit("stop-the-zygote-and-spin");
}

/// Length and memory in bytes of the largest file of stderr that this process holds.
fn largest_stderr() -> (u64, u64) {
    let files = std::fs::read_dir("/proc/self/fd").expect("there is a process file system");
    let is_stderr = |path: &Path| {
        std::fs::read_link(path)
            .is_ok_and(|to| to.to_string_lossy().starts_with("/memfd:seedsmith-stderr"))
    };
    files
        .flatten()
        .map(|file| file.path())
        .filter(|path| is_stderr(path))
        .filter_map(|path| std::fs::metadata(path).ok())
        .map(|metadata| (metadata.len(), metadata.blocks() * 512))
        .max()
        .unwrap_or_default()
}

fn what_a_target_prints_takes_no_more_memory_than_its_end_needs() {
    const PRINTED_MB: u64 = 200;
    for (name, target) in targets() {
        let mut bench = Bench::of(&*target);
        bench.slot.set_limits(Limits { cpu: Duration::from_secs(600), ..Limits::default() });
        bench.push(&format!("flood-stderr-and-spin {PRINTED_MB}"), Request::default());
        let begun = Instant::now();
        while largest_stderr().0 < PRINTED_MB << 20 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{name}: nothing is printed");
            bench.slot.tend().expect("the slot works");
            std::thread::sleep(Duration::from_millis(1));
        }
        // All is printed: from here on the memory does not grow.
        bench.slot.tend().expect("the slot works");
        let (length, held) = largest_stderr();
        assert_eq!(length, PRINTED_MB << 20, "{name}");
        assert!(held <= 4 << 20, "{name}: {held} bytes");
    }
}

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
        (
            "a_target_that_stops_its_zygote_is_ended_by_its_limit",
            a_target_that_stops_its_zygote_is_ended_by_its_limit,
        ),
        (
            "what_a_target_prints_takes_no_more_memory_than_its_end_needs",
            what_a_target_prints_takes_no_more_memory_than_its_end_needs,
        ),
        (
            "a_process_that_a_target_names_as_its_worker_is_not_ended",
            a_process_that_a_target_names_as_its_worker_is_not_ended,
        ),
        (
            "a_target_that_names_no_process_as_its_worker_is_ended_by_its_limit",
            a_target_that_names_no_process_as_its_worker_is_ended_by_its_limit,
        ),
        (
            "a_target_that_names_the_spare_worker_is_ended_by_its_limit",
            a_target_that_names_the_spare_worker_is_ended_by_its_limit,
        ),
    ])
}
