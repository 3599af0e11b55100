//! Ctrl-C and SIGTERM: the first one asks for an end, the second one is the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, OrExit, Trouble};

/// Knows whether somebody asked for an end, and how.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens to both signals from now on, for the whole process.
    pub fn install() -> Result<Self, Trouble> {
        let interrupt = Interrupt::default();
        for (signal, exit) in [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::Terminated)] {
            let number = usize::try_from(signal).expect("signals are small positive numbers");
            // The order matters: a signal that finds the flag set ends the process.
            flag::register_conditional_shutdown(signal, exit as i32, interrupt.flag.clone())
                .and_then(|_| flag::register_usize(signal, interrupt.signal.clone(), number))
                .and_then(|_| flag::register(signal, interrupt.flag.clone()))
                .or_exit(Exit::OurBug, || format!("failed to listen to signal {signal}"))?;
        }
        Ok(interrupt)
    }

    /// What a search looks at; set when somebody asked for an end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// How to end, if a signal came.
    pub fn exit(&self) -> Option<Exit> {
        match i32::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(SIGINT) => Some(Exit::Interrupted),
            Ok(SIGTERM) => Some(Exit::Terminated),
            _ => None,
        }
    }
}
