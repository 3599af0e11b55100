//! An input that does not fail in a worker, run as the user would run it: as a whole program.
//!
//! A worker calls the target's function and nothing after it. What fails later, in an exit handler or
//! in a thread that outlives the call, shows only where a process runs to its end.

use seedsmith_engine::exec::Limits;
use seedsmith_engine::exec::command::{CommandMode, CommandTarget};
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::elsewhere::observe_elsewhere;
use seedsmith_engine::signature::Signature;

use super::target::{OpenTarget, Origin};

/// How the whole program fails on `input`; `None` where it does not, where there is no program to
/// run, or where `budget` says that there is no time. Costs one process.
pub fn fails_as_a_whole(
    target: &OpenTarget,
    input: &[u8],
    limits: Limits,
    budget: &Budget,
) -> Option<Signature> {
    let executable = match (&target.origin, &target.executable) {
        (Origin::Executable(_) | Origin::FuzzTarget { .. }, Some(executable)) => executable,
        _ => return None,
    };
    if target.target.is_slow() {
        // It was run as a whole.
        return None;
    }
    let arguments = vec![executable.clone().into_os_string()];
    let program = CommandTarget::new(arguments, CommandMode::Executable).forking(false);
    let started = std::time::Instant::now();
    let is_over = || budget.check_time(started);
    let seen = observe_elsewhere(&program, input, limits, 1, &is_over).ok()?;
    seen.first()?.signature().map(|signature| Signature::clone(signature))
}
