//! Ctrl-C, SIGTERM and SIGHUP: the first one asks for an end, the second one is the end.
//!
//! A search looks at the flag, and ends with the best. Other work cannot always look: it waits for
//! cargo, for the other end of a pipe, for a slow disk. There nothing can be lost, so the program
//! ends all the same after a moment in which it may end by itself.

use crate::event::{Event, Reporter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::exit::{Exit, OrExit, Trouble};
use crate::cargo_fuzz::{end_tools, kill_tools};
#[cfg(feature = "view")]
use crate::report::restore_terminal;
use crate::report::{ReportOptions, Reporters};

/// Signals this close to the first one belong to it: `timeout` and some shells send each one twice,
/// to the process and to its group.
const SAME_REQUEST_TIME: Duration = Duration::from_millis(300);
/// How long a program that has nothing to lose may take to end by itself after the first signal.
/// Together with the last message it is less than a second.
const MAX_ENDING_TIME: Duration = Duration::from_millis(600);
/// How long printing the last message may take: the other end of a pipe may not read it.
const MAX_LAST_MESSAGE_TIME: Duration = Duration::from_millis(150);
/// How often both are checked: a fraction of these times, and too rarely to cost processor time.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The message of a program that was ended before it had anything to keep.
pub(super) const STOPPED_EARLY: &str = "stopped before the search began; nothing was written";
/// The message if something was kept before.
const STOPPED_LATE: &str = "stopped; every file that was written is complete";

/// Knows whether a signal asked the program to end, and which one.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
    /// How many parts of the program have something to lose: see [`Interrupt::keep_results`].
    keeping: Arc<AtomicUsize>,
    /// Whether there was ever one.
    has_kept: Arc<AtomicBool>,
}

/// While it lives, the program ends by itself after the first signal, however long that takes.
#[must_use]
pub(super) struct Keeping(Arc<AtomicUsize>);

impl Drop for Keeping {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Interrupt {
    /// Listens to SIGINT, SIGTERM and SIGHUP from now on, for the whole process, in a separate
    /// thread. `name` and `tell` are those of the program, for its last message.
    pub(super) fn install(name: &'static str, tell: ReportOptions) -> Result<Self, Trouble> {
        // It takes a thread and two descriptors, of which there may be too few.
        let doing = || "failed to listen to signals (see `ulimit -a`)".to_owned();
        // `nohup` ignores SIGHUP, so that the program that it starts outlives the terminal.
        let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let wanted = [SIGINT, SIGTERM].into_iter().chain(hangup);
        let mut signals = Signals::new(wanted).or_exit(Exit::Target, doing)?;
        // A limit on the size of files then makes the write fail, which is reported, instead of
        // ending this process. Programs that we start get the default handling again, unlike for an
        // ignored signal.
        signal_hook::flag::register(SIGXFSZ, Arc::default()).or_exit(Exit::Target, doing)?;
        let interrupt = Interrupt::default();
        let heard = interrupt.clone();
        let listen = move || {
            let mut first: Option<Instant> = None;
            for signal in signals.forever() {
                match first {
                    None => {
                        first = Some(Instant::now());
                        heard.signal.store(signal, Ordering::SeqCst);
                        heard.flag.store(true, Ordering::SeqCst);
                        end_tools();
                        let heard = heard.clone();
                        // Without a thread the second signal is the end, as ever.
                        let _ = std::thread::Builder::new()
                            .name("ending".to_owned())
                            .spawn(move || heard.end_if_stuck(name, tell));
                    }
                    Some(at) if at.elapsed() < SAME_REQUEST_TIME => {}
                    Some(_) => end(exit_of(signal)),
                }
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(listen)
            .or_exit(Exit::Target, doing)?;
        Ok(interrupt)
    }

    /// The flag that a search checks; it is set when the program is asked to end.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Says that results would be lost if the program ended at once, until the returned value is
    /// dropped.
    pub(super) fn keep_results(&self) -> Keeping {
        self.has_kept.store(true, Ordering::SeqCst);
        self.keeping.fetch_add(1, Ordering::SeqCst);
        Keeping(self.keeping.clone())
    }

    /// Takes the wish for an end back unless a signal asked for it: a search ends itself, for
    /// instance, where its result cannot be written, and the next one may run.
    pub(super) fn forget_all_but_signals(&self) {
        // In this order nothing is lost: a signal is stored before the flag is set.
        self.flag.store(false, Ordering::SeqCst);
        if self.signal.load(Ordering::SeqCst) != 0 {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// How to end, if a signal came.
    pub(super) fn exit(&self) -> Option<Exit> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(exit_of(signal)),
        }
    }

    /// Ends the program when it had nothing to lose for a while and has not ended by itself.
    fn end_if_stuck(&self, name: &'static str, tell: ReportOptions) {
        let had_results = self.keeping.load(Ordering::SeqCst) > 0;
        let mut since = Instant::now();
        while since.elapsed() < MAX_ENDING_TIME {
            std::thread::sleep(POLL_INTERVAL);
            if self.keeping.load(Ordering::SeqCst) > 0 {
                since = Instant::now();
            }
        }
        let exit = self.exit().unwrap_or(Exit::Interrupted);
        if had_results {
            // The search has reported how it ended.
            end(exit);
        }
        let words = if self.has_kept.load(Ordering::SeqCst) { STOPPED_LATE } else { STOPPED_EARLY };
        let say = move || {
            Reporters::new(name, tell, None)
                .report(&Event::Failed { message: words, exit: exit as u8 });
        };
        within_moment(say);
        end(exit);
    }
}

/// Writes to a terminal or a pipe, and waits no longer than a moment for it: in a thread of its own, because the
/// other end may not read.
fn within_moment(write: impl FnOnce() + Send + 'static) {
    if let Ok(writing) = std::thread::Builder::new().spawn(write) {
        let began = Instant::now();
        while !writing.is_finished() && began.elapsed() < MAX_LAST_MESSAGE_TIME {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Ends the program at once, and the tools that it started.
///
/// Nothing is dropped.
fn end(exit: Exit) -> ! {
    kill_tools();
    #[cfg(feature = "view")]
    within_moment(restore_terminal);
    signal_hook::low_level::exit(exit as i32)
}

/// Whether the parent process made this one ignore `signal`.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The code for a signal; any other than these two counts as Ctrl-C.
fn exit_of(signal: i32) -> Exit {
    match signal {
        SIGHUP => Exit::HungUp,
        SIGTERM => Exit::Terminated,
        _ => Exit::Interrupted,
    }
}
