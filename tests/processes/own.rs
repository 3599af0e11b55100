//! Only processes of our own are ended, and limits hold, whatever a target writes into the memory
//! that it shares with its driver.

use std::process::{Child, Command};

use libtest_mimic::Trial;
use seedsmith::signature::Kind;

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

pub fn trials() -> Vec<Trial> {
    crate::kinds::trials_of(&[
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
