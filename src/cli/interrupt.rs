//! Ctrl-C, SIGTERM and SIGHUP: the first one asks for an end, the second one is the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::exit::{Exit, OrExit, Trouble};

/// Signals this close to the first one belong to it: `timeout` and some shells send each one
/// twice, to the process and to its group.
const ONE_WISH: Duration = Duration::from_millis(300);

/// Knows whether somebody asked for an end, and how.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Listens to these signals from now on, for the whole process, in a thread of its own.
    pub fn install() -> Result<Self, Trouble> {
        let doing = || "failed to listen to signals".to_owned();
        // `nohup` ignores SIGHUP, so that what it starts outlives the terminal.
        let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let wanted = [SIGINT, SIGTERM].into_iter().chain(hangup);
        let mut signals = Signals::new(wanted).or_exit(Exit::OurBug, doing)?;
        // A limit on the size of files is to fail the write, which is told, instead of ending us.
        // Unlike an ignored signal, one with a handler is as usual again in the programs we start.
        signal_hook::flag::register(SIGXFSZ, Arc::default()).or_exit(Exit::OurBug, doing)?;
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
                    }
                    Some(at) if at.elapsed() < ONE_WISH => {}
                    Some(_) => signal_hook::low_level::exit(exit_of(signal) as i32),
                }
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(listen)
            .or_exit(Exit::OurBug, doing)?;
        Ok(interrupt)
    }

    /// What a search looks at; set when somebody asked for an end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Takes the wish for an end back unless a signal asked for it: a search ends itself, for
    /// instance, where its result cannot be written, and the next one may run.
    pub fn forget_all_but_signals(&self) {
        // In this order nothing is lost: a signal is stored before the flag is set.
        self.flag.store(false, Ordering::SeqCst);
        if self.signal.load(Ordering::SeqCst) != 0 {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// How to end, if a signal came.
    pub fn exit(&self) -> Option<Exit> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(exit_of(signal)),
        }
    }
}

/// Whether whoever started this process wants `signal` to be ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

fn exit_of(signal: i32) -> Exit {
    match signal {
        SIGHUP => Exit::HungUp,
        SIGTERM => Exit::Terminated,
        _ => Exit::Interrupted,
    }
}
