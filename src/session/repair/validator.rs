//! Validators: the trait that opens them, one made of a closure, and an open one with its oracle.

use std::path::Path;
#[cfg(test)]
use std::sync::Arc;

use super::error::{OpenError, RepairError};
use super::options::RunOptions;
#[cfg(test)]
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::Kind;
use seedsmith_engine::Limits;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::Validity;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Observation, Verdict};
use seedsmith_engine::{Request, Target};

/// Texts that hardly any format allows: a validator that accepts all of them rejects nothing.
const GARBAGE: [&[u8]; 4] =
    [b"\0\xff\xfe\x80 \x01\x02", b"{[(<\"'", b"]}>)\n=,;:\xc3", b"\x7fELF\"\\\n[\0]={<?%&$"];

/// Small texts of many formats: what rejects all of them and prints the same each time does not
/// look at its input.
const SAMPLES: [&[u8]; 10] =
    [b"", b"\n", b"a", b"0", b"{}", b"[]", b"<a/>", b"a: 1\n", b"a = 1\n", b"select 1;\n"];

/// A small text gets the limit of a test divided by this, where the first input took all of it: a validator
/// that hangs is reported sooner then. Not measured.
const SMALL_TEXT_TIME_DIVISOR: u32 = 4;

/// What a validator that takes every input alike does.
pub(super) enum SameAnswer {
    /// It accepts everything.
    Accepts,
    /// It rejects everything, and prints this about how it was called.
    IsCalledWrongly(String),
    /// It rejects everything, and prints nothing or always the same. That may be right: its format may need
    /// more than the small texts have, and it may have one message for all faults.
    Rejects {
        /// The first line of its output; empty if it prints nothing.
        reason: String,
    },
    /// It never ends in time.
    Hangs,
}

/// Opens validators: targets that say which inputs are valid.
///
/// Duties of an implementation:
/// 1. [`Validators::open`] may be called from several threads at once. Each target that it gives
///    is used in the thread that asked for it.
/// 2. A target keeps valid inputs and rejects invalid ones ([`Verdict`]). A failure is neither.
/// 3. All targets say the same of the same text.
pub(crate) trait Validators: Sync {
    /// What the user calls the validator.
    fn name(&self) -> String;

    /// Opens a validator for inputs named like `input`. Programs may look at the ending of a
    /// file's name.
    fn open(&self, input: &Path) -> Result<Box<dyn Target>, OpenError>;

    /// Whether a validator that was opened for one input may serve another.
    fn serves(&self, _opened: &Path, _other: &Path) -> bool {
        true
    }
}

/// A closure as the validator. It is called in this process, so it must neither crash nor hang.
#[cfg(test)]
pub struct Predicate<F> {
    is_valid: Arc<F>,
}

#[cfg(test)]
impl<F: Fn(&[u8]) -> bool + Send + Sync + 'static> Predicate<F> {
    /// A text is valid if `is_valid` returns true for it. Threads call it side by side.
    pub fn new(is_valid: F) -> Self {
        Predicate { is_valid: Arc::new(is_valid) }
    }
}

#[cfg(test)]
impl<F: Fn(&[u8]) -> bool + Send + Sync + 'static> Validators for Predicate<F> {
    fn name(&self) -> String {
        "closure".to_owned()
    }

    fn open(&self, _input: &Path) -> Result<Box<dyn Target>, OpenError> {
        let is_valid = self.is_valid.clone();
        Ok(Box::new(ClosureTarget::observing(move |text| {
            Observation::Returned(if is_valid(text) { Verdict::Keep } else { Verdict::Reject })
        })))
    }
}

/// A validator that is open.
pub(super) struct Validator<'t> {
    /// Answers which texts are valid, from its cache where it can.
    pub oracle: Oracle<'t>,
    /// Whether a test costs a process.
    pub is_slow: bool,
}

impl Validator<'_> {
    /// Whether it takes the first input, of which `first` is known, and small texts of many formats alike.
    /// Costs at most 10 tests within `limits`.
    pub(super) fn takes_all_alike(
        &mut self,
        first: &Observation,
        limits: Limits,
    ) -> Result<Option<SameAnswer>, Stopped> {
        let is_hang = |seen: &Observation| {
            seen.signature().is_some_and(|signature| signature.kind == Kind::Timeout)
        };
        if first.verdict() == Some(Verdict::Keep) {
            return Ok(self.accepts_anything()?.then_some(SameAnswer::Accepts));
        }
        if is_hang(first) {
            // What such a text takes is mostly the start of the program.
            self.oracle.set_limits(limits.with_time(limits.cpu / SMALL_TEXT_TIME_DIVISOR));
            let mut are_all_hangs = true;
            for text in [&b""[..], b"a"] {
                let seen = self.oracle.observe(text, Request::default());
                are_all_hangs = are_all_hangs && is_hang(&seen?);
            }
            self.oracle.set_limits(limits);
            return Ok(are_all_hangs.then_some(SameAnswer::Hangs));
        }
        let Some(complaint) = first.complaint() else {
            for text in SAMPLES {
                if self.oracle.observe(text, Request::default())?.verdict() == Some(Verdict::Keep) {
                    return Ok(None);
                }
            }
            return Ok(Some(SameAnswer::Rejects { reason: String::new() }));
        };
        for text in SAMPLES {
            if self.oracle.observe(text, Request::default())?.complaint() != Some(complaint) {
                return Ok(None);
            }
        }
        let text = String::from_utf8_lossy(complaint.text());
        let reason = text.lines().next().unwrap_or_default().to_owned();
        Ok(Some(match is_about_the_call(&text) {
            true => SameAnswer::IsCalledWrongly(reason),
            false => SameAnswer::Rejects { reason },
        }))
    }

    /// Whether it accepts text that hardly any format allows. Costs at most four tests.
    pub(super) fn accepts_anything(&mut self) -> Result<bool, Stopped> {
        let interrupt = self.oracle.budget().interrupt.clone();
        self.oracle.begin_task(Budget { interrupt, ..Budget::default() });
        for garbage in GARBAGE {
            if self.oracle.outcome(garbage)? != Outcome::Pass {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Words of messages about how a program was called, in small letters. Programs print them for every input.
const CALL_WORDS: [&str; 12] = [
    "usage:",
    "no such file",
    "not found",
    "cannot open",
    "can't open",
    "cannot find",
    "can't find",
    "permission denied",
    "is a directory",
    "unrecognized option",
    "invalid option",
    "no module named",
];

/// Whether a message that is the same for all texts is about how the validator was called, and not about a text.
fn is_about_the_call(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    CALL_WORDS.iter().any(|words| message.contains(words))
}

/// Opens a validator for inputs named like `input`, which runs at most `jobs` candidates side by
/// side, and gives it to `body`.
pub(super) fn with_validator<R>(
    validators: &dyn Validators,
    input: &Path,
    options: &RunOptions,
    jobs: usize,
    body: impl FnOnce(&mut Validator<'_>) -> Result<R, RepairError>,
) -> Result<R, RepairError> {
    let target = validators
        .open(input)
        .map_err(|source| RepairError::Open { name: validators.name(), source })?;
    let mut oracle = Oracle::new(&*target, Validity, jobs, Budget::default())
        .map_err(|error| run_error(validators, error.into()))?;
    oracle.set_limits(options.limits);
    body(&mut Validator { oracle, is_slow: target.is_slow() })
}

/// The error for a validator that could not be run.
pub(super) fn run_error(validators: &dyn Validators, source: Stopped) -> RepairError {
    RepairError::Run { name: validators.name(), source }
}
