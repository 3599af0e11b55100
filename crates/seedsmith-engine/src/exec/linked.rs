//! A target that is a function of this very program.
//!
//! The zygote is this program again (`/proc/self/exe` with a hidden variable), so `main` has to
//! begin with [`serve`] (or one of the entry points that call it). A panic is caught in the worker
//! and costs microseconds; everything else that can go wrong costs a fork. Where panics abort
//! (`panic = "abort"`), the worker dies of them and the place is read from stderr.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::executable::{Functions, inspect};
use super::slot::{LaunchPlan, MAX_RUNS_OF_A_WORKER};
use super::{Notifier, Slot, Target, TargetError};
use crate::exec::workers::protocol::{Entry, MAX_TEXT};
use crate::exec::workers::worker::{Body, Ending, RunEntry, record_frames};
use crate::exec::workers::zygote::Zygote;
use crate::observation::Verdict;

pub use crate::exec::workers::worker::AnswerRoom;

/// A type that a target function may return.
pub trait IntoVerdict {
    /// Its meaning as a verdict.
    fn into_verdict(self) -> Verdict;
}

impl IntoVerdict for () {
    fn into_verdict(self) -> Verdict {
        Verdict::Keep
    }
}

impl IntoVerdict for Verdict {
    fn into_verdict(self) -> Verdict {
        self
    }
}

/// `true` is an input that the target keeps.
impl IntoVerdict for bool {
    fn into_verdict(self) -> Verdict {
        if self { Verdict::Keep } else { Verdict::Reject }
    }
}

/// A function of this program as target.
pub struct LinkedTarget {
    name: String,
    plan: Rc<LaunchPlan>,
}

impl LinkedTarget {
    /// The function that this program gives to [`serve`], under `name`.
    ///
    /// Fails where the program's own executable can't be read.
    pub fn new(name: &str) -> Result<Self, TargetError> {
        LinkedTarget::with_names(name, Functions::of, MAX_RUNS_OF_A_WORKER)
    }

    /// As [`LinkedTarget::new`], for a driver that only asks *whether* a candidate fails: frames have
    /// the linker's names, and count as the user's whosever they are. A worker does not retire after a number of
    /// runs, because what it has learnt would be lost; it still retires when memory, files or threads are left over.
    #[cfg(feature = "mutator")]
    pub fn nameless(name: &str) -> Result<Self, TargetError> {
        LinkedTarget::with_names(name, Functions::with_mangled_names, u32::MAX)
    }

    fn with_names(
        name: &str,
        functions: fn(&Path) -> Functions,
        max_runs: u32,
    ) -> Result<Self, TargetError> {
        const SELF: &str = "/proc/self/exe";
        let path = std::fs::read_link(SELF)
            .map_err(|error| TargetError::system("find this program's executable", error))?;
        let executable = inspect(Path::new(SELF))?;
        let arguments: Vec<_> = std::env::args_os().take(1).collect();
        let plan = LaunchPlan::new(functions(&path), &executable, None, move || {
            use std::os::unix::process::CommandExt;
            let mut command = Command::new(SELF);
            // A target that counts its runs for a measurement counts those of the fuzzer alone.
            command.env_remove("SEEDSMITH_TALLY");
            if let Some(name) = arguments.first() {
                command.arg0(name);
            }
            command
        });
        Ok(LinkedTarget { name: name.to_owned(), plan: Rc::new(LaunchPlan { max_runs, ..plan }) })
    }
}

impl Target for LinkedTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot>, TargetError> {
        self.plan.open(notifier, None)
    }

    fn open_varied(
        &self,
        notifier: &Notifier,
        variation: u32,
    ) -> Result<Box<dyn Slot>, TargetError> {
        self.plan.open(notifier, Some(variation))
    }
}

/// If this process was started as a zygote, serves candidates to `body` and never returns;
/// otherwise returns at once. To be called first thing in `main`.
pub fn serve<R: IntoVerdict>(body: impl Fn(&[u8]) -> R) {
    serve_linked(|candidate, _| body(candidate), false);
}

/// As [`serve`], for a `body` that reports more than a verdict: the bytes that it writes into the
/// room are in the driver's [`RunReport`](super::RunReport), also if the worker dies.
pub fn serve_answering<R: IntoVerdict>(body: impl Fn(&[u8], &AnswerRoom<'_>) -> R) {
    serve_linked(body, true);
}

/// Serves as a zygote where this process was started as one.
fn serve_linked<R: IntoVerdict>(body: impl Fn(&[u8], &AnswerRoom<'_>) -> R, leaves_answers: bool) {
    if let Some(zygote) = Zygote::from_environment() {
        install_hook();
        #[cfg(all(fuzzing, target_arch = "x86_64"))]
        crate::exec::counters::callback_stubs::silence_compares();
        zygote.serve(&mut Linked { body, leaves_answers });
    }
}

struct Linked<F> {
    /// The function that gets each candidate.
    body: F,
    /// Whether it writes answers for the driver.
    leaves_answers: bool,
}

/// The entry that is being run, for the panic hook; null between runs.
static RUNNING: AtomicPtr<Entry> = AtomicPtr::new(std::ptr::null_mut());
/// Whether its stack has to be recorded.
static WANTS_FRAMES: AtomicBool = AtomicBool::new(false);
/// Whether a panic was recorded in this run. The first one counts, as with libFuzzer's hook.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

impl<R: IntoVerdict, F: Fn(&[u8], &AnswerRoom<'_>) -> R> Body for Linked<F> {
    fn leaves_answers(&self) -> bool {
        self.leaves_answers
    }

    fn run(&mut self, candidate: &[u8], place: &RunEntry<'_>, room: &AnswerRoom<'_>) -> Ending {
        let entry = place.entry;
        HAS_PANICKED.store(false, Ordering::Relaxed);
        WANTS_FRAMES.store(place.wants_frames, Ordering::Relaxed);
        RUNNING.store(std::ptr::from_ref(entry).cast_mut(), Ordering::Release);
        let result = catch_unwind(AssertUnwindSafe(|| (self.body)(candidate, room).into_verdict()));
        RUNNING.store(std::ptr::null_mut(), Ordering::Release);
        if HAS_PANICKED.load(Ordering::Acquire) {
            // Dropping a payload may panic again; forgetting a few bytes may not.
            std::mem::forget(result);
            return Ending::Panicked;
        }
        match result {
            Ok(Verdict::Keep) => Ending::Keep,
            Ok(Verdict::Reject) => Ending::Reject,
            // `resume_unwind` calls no hook.
            Err(payload) => {
                std::mem::forget(payload);
                write_text(entry, "?", "resumed a panic");
                Ending::Panicked
            }
        }
    }
}

/// A hook that writes down place and message, quietly: also for the driver to find should this
/// panic end the process (a second one while unwinding, a foreign frame). A target that caught
/// the panic itself has failed all the same, as under libFuzzer.
fn install_hook() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let entry = RUNNING.load(Ordering::Acquire);
        if entry.is_null() || cfg!(panic = "abort") {
            default(info);
            return;
        }
        if HAS_PANICKED.swap(true, Ordering::AcqRel) {
            return;
        }
        // SAFETY: set by `run` while it is on the stack; entries are in the slot's mapping, which
        // is never unmapped.
        let entry = unsafe { &*entry };
        let place = info.location().map(ToString::to_string).unwrap_or_else(|| "?".to_owned());
        let message = info
            .payload()
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| info.payload().downcast_ref::<String>().map(String::as_str))
            .unwrap_or("Box<dyn Any>");
        write_text(entry, &place, message);
        if WANTS_FRAMES.load(Ordering::Relaxed) {
            record_frames(entry, 0);
        }
    }));
}

/// Writes place and message of a panic into the entry, cut at [`MAX_TEXT`] bytes.
fn write_text(entry: &Entry, place: &str, message: &str) {
    let mut length = 0;
    for piece in [place, "\n", message] {
        let piece = &piece.as_bytes()[..piece.len().min(MAX_TEXT - length)];
        // SAFETY: the piece fits into the unused part of the entry's text, which only this worker
        // writes while the entry is under way.
        unsafe {
            let text = entry.text.get().cast::<u8>().add(length);
            std::ptr::copy_nonoverlapping(piece.as_ptr(), text, piece.len());
        }
        length += piece.len();
    }
    entry.text_length.store(length as u32, Ordering::Release);
}
