//! The data that a slot needs to start its zygote, and the start itself.

use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::exec::counters::features::{COMPARE_COUNTERS, DEPTH_COUNTERS, FeatureKind, room_for};
use crate::exec::executable::{Executable, Functions, LeakFunctions};
use crate::exec::workers::launch::{Inheritance, start};
use crate::exec::workers::protocol::{
    CALLBACKS, FEATURES_COMPARES, FEATURES_COUNTS, FEATURES_EDGES, MAGIC, MODE_SANITIZER, Shared,
};
use crate::exec::{Notifier, TargetError};

/// Candidates that a worker runs before a new one replaces it: small leaks of each candidate are
/// bounded, and the cost of the fork is shared by all these runs. The value is a guess; not
/// measured.
pub(crate) const MAX_RUNS_OF_A_WORKER: u32 = 20_000;

/// The data that a slot needs to start its zygote.
pub(crate) struct LaunchPlan {
    /// The program and its arguments.
    pub command: Box<dyn Fn() -> Command>,
    /// The runtime to preload, for an injected target.
    pub runtime: Option<Arc<OwnedFd>>,
    /// `MODE_*` bits.
    pub mode: u32,
    /// Link-time addresses of libFuzzer's interface, for the runtime; 0 where there is none.
    pub test_one_input: u64,
    /// See [`LaunchPlan::test_one_input`].
    pub initialize: u64,
    /// Link-time addresses of counters that decide whether an input is valid.
    pub watched: Vec<Range<u64>>,
    /// Link-time addresses of the counters that a run's features are read from.
    pub counters: Option<(Range<u64>, FeatureKind)>,
    /// Link-time addresses of the instrumentation's callbacks.
    pub callbacks: [u64; CALLBACKS],
    /// Where the seed of Rust's `HashMap` is in the thread-local data, and its length.
    pub hash_keys: [u64; 2],
    /// The same of the lowest place of the stack, and the code that calls callbacks: see `DriverPage`.
    pub lowest_stack: [u64; 2],
    pub code: [u64; 2],
    /// Bytes for the target's answer to a candidate; as many as the candidate has where that is
    /// `None`.
    pub room: Option<usize>,
    /// Runs after which a worker makes room for a new one.
    pub max_runs: u32,
    /// The functions that find leaks, if leaks are looked for.
    pub leak_functions: Option<LeakFunctions>,
    /// Whether the executable is linked to one address.
    pub has_fixed_address: bool,
    /// Names of the executable's functions.
    pub functions: Rc<Functions>,
}

/// The parts of an injection into an executable.
pub(crate) struct Injection {
    /// The runtime's library.
    pub runtime: OwnedFd,
    /// Whether it looks for leaks.
    pub finds_leaks: bool,
    /// Link-time addresses of counters that decide whether an input is valid.
    pub watched: Vec<Range<u64>>,
    /// Link-time addresses of the counters that a run's features are read from.
    pub counters: Option<(Range<u64>, FeatureKind)>,
}

impl LaunchPlan {
    /// How to start an executable by `command`, with the runtime where that is injected.
    ///
    /// Without an `injection` the program serves by itself: a linked target.
    pub(crate) fn new(
        functions: Functions,
        executable: &Executable,
        injection: Option<Injection>,
        command: impl Fn() -> Command + 'static,
    ) -> Self {
        LaunchPlan {
            command: Box::new(command),
            max_runs: MAX_RUNS_OF_A_WORKER,
            leak_functions: injection
                .as_ref()
                .and_then(|one| one.finds_leaks.then_some(executable.leak_functions)),
            watched: injection.as_ref().map_or_else(Vec::new, |one| one.watched.clone()),
            counters: injection.as_ref().and_then(|one| one.counters.clone()),
            room: injection.as_ref().map(|one| {
                let counters = one.counters.as_ref();
                counters.map_or(0, |(range, kind)| {
                    let blocks = (range.end - range.start) as usize;
                    let compares = *kind == FeatureKind::Compares;
                    room_for(blocks + DEPTH_COUNTERS + if compares { COMPARE_COUNTERS } else { 0 })
                })
            }),
            runtime: injection.map(|one| Arc::new(one.runtime)),
            mode: if executable.sanitizer.is_some() { MODE_SANITIZER } else { 0 },
            test_one_input: executable.test_one_input,
            initialize: executable.initialize,
            callbacks: executable.callbacks,
            hash_keys: executable.hash_keys,
            lowest_stack: executable.lowest_stack,
            code: executable.code,
            has_fixed_address: executable.has_fixed_address,
            functions: Rc::new(functions),
        }
    }

    /// Bytes that the target may leave in answer to `candidate`.
    pub(crate) fn room_for(&self, candidate: &[u8]) -> usize {
        self.room.unwrap_or(candidate.len())
    }
}

/// Writes the data that the zygote needs into the mapping.
pub(super) fn prepare(shared: &Shared, plan: &LaunchPlan) {
    let driver = shared.driver();
    driver.mode.store(plan.mode, Ordering::Relaxed);
    driver.test_one_input.store(plan.test_one_input, Ordering::Relaxed);
    driver.initialize.store(plan.initialize, Ordering::Relaxed);
    for (word, address) in driver.leak_functions.iter().zip(plan.leak_functions.unwrap_or_default())
    {
        word.store(address, Ordering::Relaxed);
    }
    for (word, range) in driver.watched.iter().zip(&plan.watched) {
        word[0].store(range.start, Ordering::Relaxed);
        word[1].store(range.end, Ordering::Relaxed);
    }
    let watched = plan.watched.len().min(driver.watched.len());
    driver.watched_count.store(watched as u32, Ordering::Relaxed);
    if let Some((range, kind)) = &plan.counters {
        driver.counters[0].store(range.start, Ordering::Relaxed);
        driver.counters[1].store(range.end, Ordering::Relaxed);
        let kind = match kind {
            FeatureKind::Edges => FEATURES_EDGES,
            FeatureKind::Counts => FEATURES_COUNTS,
            FeatureKind::Compares => FEATURES_COMPARES,
        };
        driver.feature_kind.store(kind, Ordering::Relaxed);
        let words = driver.callbacks.iter().chain(&driver.hash_keys);
        let words = words.chain(&driver.lowest_stack).chain(&driver.code);
        let values = plan.callbacks.iter().chain(&plan.hash_keys);
        for (word, value) in words.zip(values.chain(&plan.lowest_stack).chain(&plan.code)) {
            word.store(*value, Ordering::Relaxed);
        }
    }
    driver.recycle_after.store(plan.max_runs, Ordering::Relaxed);
    driver.magic.store(MAGIC, Ordering::Release);
}

/// Starts the zygote of a slot.
pub(super) fn launch(
    plan: &LaunchPlan,
    shared_file: &OwnedFd,
    notifier: &Notifier,
    stderr: &OwnedFd,
    variation: Option<u32>,
) -> Result<Child, TargetError> {
    start(
        (plan.command)(),
        variation,
        Inheritance {
            shared: shared_file.as_fd(),
            notifier: notifier.file(),
            stderr,
            runtime: plan.runtime.as_ref().map(|file| file.as_fd()),
            finds_leaks: plan.leak_functions.is_some(),
            has_fixed_addresses: plan.counters.is_some(),
        },
    )
}
