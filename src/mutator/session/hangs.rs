//! Inputs with which the validator or the target hangs in the worker, and whether libFuzzer gets them.
//!
//! The worker ends such a run after a second. libFuzzer ends it after `-timeout`, which is 20 minutes by default, and does
//! nothing else until then. So it gets an input that hangs only if its timeout is short.

use std::collections::HashSet;

use seedsmith_grammar::Digest;

/// libFuzzer's `-timeout` in seconds if there is no such argument, because libFuzzer has no function that returns it.
const DEFAULT_TIMEOUT_SECONDS: u64 = 1_200;
/// libFuzzer gets inputs that hang if its timeout is at most this. A guess, not measured: OSS-Fuzz sets 25 seconds, and with
/// a minute each an hour of fuzzing meets few of them.
const MAX_TIMEOUT_SECONDS: u64 = 60;

/// Inputs that hang.
#[derive(Debug)]
pub(super) struct Hangs {
    /// libFuzzer's time limit for a run, in seconds; `None` if there is none.
    timeout: Option<u64>,
    /// Digests of all that were met. After 64 failures the target is not run in the worker any more, so these are few.
    met: HashSet<u128>,
}

impl Hangs {
    /// None was met. The time limit is the one among libFuzzer's arguments.
    pub(super) fn new() -> Self {
        let arguments = std::env::args_os().map(|one| one.to_string_lossy().into_owned());
        Hangs::with_timeout(timeout(arguments))
    }

    /// None was met.
    pub(super) fn with_timeout(timeout: Option<u64>) -> Self {
        Hangs { timeout, met: HashSet::new() }
    }

    /// Whether libFuzzer ends a run soon enough to get inputs that hang.
    fn is_timeout_short(&self) -> bool {
        self.timeout.is_some_and(|seconds| seconds <= MAX_TIMEOUT_SECONDS)
    }

    /// What the user should know of the first input that is kept from libFuzzer, before it is remembered.
    pub(super) fn message(&self, input: &[u8]) -> Option<String> {
        let is_first_kept = self.met.is_empty() && !self.is_timeout_short();
        is_first_kept.then(|| {
            format!(
                "an input of {} bytes takes more than a second. libFuzzer does not get such inputs, because its -timeout \
                 is longer than {MAX_TIMEOUT_SECONDS} seconds. Set -timeout=10 to have them reported.",
                input.len()
            )
        })
    }

    /// Remembers an input that hangs and returns whether libFuzzer gets it: once at most.
    pub(super) fn is_handed(&mut self, input: &[u8]) -> bool {
        self.met.insert(Digest::of(input).0) && self.is_timeout_short()
    }

    /// Whether this input has hung.
    pub(super) fn has_met(&self, input: &[u8]) -> bool {
        !self.met.is_empty() && self.met.contains(&Digest::of(input).0)
    }
}

/// The time limit for a run among libFuzzer's arguments, of which the last one counts. 0 is none.
fn timeout(arguments: impl Iterator<Item = String>) -> Option<u64> {
    let given = arguments.filter_map(|one| one.strip_prefix("-timeout=")?.parse().ok()).last();
    Some(given.unwrap_or(DEFAULT_TIMEOUT_SECONDS)).filter(|seconds| *seconds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_limit_is_the_last_of_libfuzzers_arguments() {
        let of = |arguments: &[&str]| timeout(arguments.iter().map(|one| (*one).to_owned()));
        assert_eq!(of(&["target", "corpus"]), Some(DEFAULT_TIMEOUT_SECONDS));
        assert_eq!(of(&["-timeout=9", "-timeout_exitcode=7", "-timeout=25"]), Some(25));
        assert_eq!(of(&["-timeout=0"]), None);
    }

    #[test]
    fn an_input_that_hangs_is_handed_out_once_and_only_if_the_time_limit_is_short() {
        for (timeout, is_handed) in [(Some(25), true), (Some(1_200), false), (None, false)] {
            let mut hangs = Hangs::with_timeout(timeout);
            assert!(!hangs.has_met(b"["));
            assert_eq!(hangs.message(b"[").is_some(), !is_handed);
            assert_eq!(hangs.is_handed(b"["), is_handed, "{timeout:?}");
            assert!(!hangs.is_handed(b"["));
            assert_eq!(hangs.message(b"["), None);
            assert!(hangs.has_met(b"[") && !hangs.has_met(b"]"));
        }
    }
}
