//! A build that runs in another thread, beside a search.
//!
//! cargo's own lock keeps a second build of the same folder waiting, so nothing here has to.
//! Dropping a build that is not complete ends its cargo, which keeps the crates that it has
//! compiled until then.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use seedsmith_engine::StopReason;

use crate::cargo_fuzz::build::options::CargoOptions;
use crate::cargo_fuzz::build::{Build, BuildError, Built, Shown};
use crate::cargo_fuzz::cargo;
use crate::cargo_fuzz::instrumentation::Instrumentation;
use crate::cargo_fuzz::package::{FuzzPackage, FuzzTarget};

/// How often a waiting caller checks its own limits: often enough to hold them within a second, and
/// too rarely to cost processor time.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long cargo may take to end by itself: with the steps after it, a run still ends within a
/// second of its limit.
const MAX_ENDING_TIME: Duration = Duration::from_millis(300);

/// A build that runs.
#[derive(Debug)]
pub(crate) struct BuildBeside {
    thread: JoinHandle<()>,
    result: Receiver<Result<Built, BuildError>>,
}

/// The outcome of waiting.
#[derive(Debug)]
pub(crate) enum Waited {
    /// It is built.
    Built(Built),
    /// It cannot be built.
    Failed(BuildError),
    /// The caller has to end for this reason.
    Over(StopReason),
}

/// Everything that a build needs, owned.
#[derive(Clone, Debug)]
pub(crate) struct Ordered {
    /// The package.
    pub package: FuzzPackage,
    /// The target.
    pub target: FuzzTarget,
    /// The user's options for cargo.
    pub options: CargoOptions,
    /// How much of it the user sees.
    pub shown: Shown,
}

impl Ordered {
    /// The build without a sanitizer.
    pub(crate) fn build(&self) -> Build<'_> {
        Build {
            package: &self.package,
            target: &self.target,
            instrumentation: Instrumentation::None,
            options: &self.options,
            shown: self.shown,
            is_beside: true,
        }
    }
}

impl BuildBeside {
    /// Starts building for that triple.
    pub(crate) fn start(ordered: Ordered, triple: String) -> std::io::Result<Self> {
        let (sender, result) = mpsc::sync_channel(1);
        let work = move || {
            // The receiver is dropped if the search has ended.
            let _ = sender.send(ordered.build().run_for(triple));
        };
        let thread = thread::Builder::new().name("building".to_owned()).spawn(work)?;
        Ok(BuildBeside { thread, result })
    }

    /// Whether waiting takes no time.
    pub(crate) fn is_complete(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the end of the build, or until `is_over` gives a reason to stop waiting.
    pub(crate) fn wait(&self, is_over: &dyn Fn() -> Result<(), StopReason>) -> Waited {
        loop {
            if let Err(reason) = is_over() {
                return Waited::Over(reason);
            }
            match self.result.recv_timeout(POLL_INTERVAL) {
                // Ctrl-C ends cargo too, and that is no failure of the build.
                Ok(result) => match (result, is_over()) {
                    (Err(_), Err(reason)) => return Waited::Over(reason),
                    (Err(error), Ok(())) => return Waited::Failed(error),
                    (Ok(built), _) => return Waited::Built(built),
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    unreachable!("the thread sends what came of the build, which is taken once")
                }
            }
        }
    }
}

impl Drop for BuildBeside {
    fn drop(&mut self) {
        let thread = self.thread.thread().id();
        let began = Instant::now();
        if !self.thread.is_finished() {
            cargo::signal_tools(Signal::SIGTERM, Some(thread));
        }
        while !self.thread.is_finished() {
            if began.elapsed() > MAX_ENDING_TIME {
                cargo::signal_tools(Signal::SIGKILL, Some(thread));
                return;
            }
            thread::sleep(POLL_INTERVAL / 4);
        }
    }
}
