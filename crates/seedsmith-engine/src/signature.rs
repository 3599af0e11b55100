//! Who a failure is: its kind, place, message and stack.
//!
//! A signature is built once, from a worker's record and output, and compared many times. It knows
//! nothing of executables or debug information: frames are raw, module-relative addresses.

mod frame;
mod message;

use std::fmt;

use serde::Serialize;

pub use frame::Frame;
pub(crate) use message::AsPrinted;
pub use message::Message;

/// The class of a signal's fault address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fault {
    /// Below 64 KiB: a null pointer, perhaps with an offset.
    NullPage,
    /// Within reach of the stack pointer, but not an overflow of the stack.
    NearStack,
    /// Anywhere else.
    Wild,
    /// The signal carries no address.
    Unknown,
}

/// How a target failed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A Rust panic, caught or not; overflow checks and debug assertions too.
    Panic,
    /// `abort()` without a panic message.
    Abort,
    /// Death by another signal, by number.
    Signal(i32, Fault),
    /// Recursion ran off the end of the stack.
    StackOverflow,
    /// No answer within the limit.
    Timeout,
    /// More memory than the limit.
    OutOfMemory,
    /// The target ended its process with this status.
    Exit(i32),
    /// A sanitizer's report, such as `heap-buffer-overflow READ 1`.
    Sanitizer(String),
    /// A leak found by LeakSanitizer.
    Leak,
    /// A command said that the failure shows.
    Command,
    /// Leaks could not be looked for: LeakSanitizer stops its own process by `ptrace`, which this
    /// system does not allow.
    NoLeakCheck,
    /// The target reached the code that a search for coverage wants.
    Reached,
    /// Anything else that a worker died of, in words.
    Other(String),
}

impl Kind {
    /// Its words in messages and in stores on disk, for a kind that is stored by its words. `None` for
    /// all others.
    pub(crate) fn words(&self) -> Option<&str> {
        match self {
            Kind::NoLeakCheck => Some("LeakSanitizer can't look for leaks here: it needs ptrace"),
            Kind::Reached => Some("reaches what is wanted"),
            Kind::Other(words) => Some(words),
            _ => None,
        }
    }

    /// The kind whose [`words`](Kind::words) these are.
    pub(crate) fn of_words(words: &str) -> Self {
        [Kind::NoLeakCheck, Kind::Reached]
            .into_iter()
            .find(|kind| kind.words() == Some(words))
            .unwrap_or_else(|| Kind::Other(words.to_owned()))
    }
}

/// The usual name of a signal, `SIG` included.
pub(crate) fn signal_name(number: i32) -> String {
    match nix::sys::signal::Signal::try_from(number) {
        Ok(signal) => signal.as_str().to_owned(),
        Err(_) => format!("signal {number}"),
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Panic => f.write_str("panic"),
            Kind::Abort => f.write_str("abort"),
            Kind::Signal(number, fault) => {
                f.write_str(&signal_name(*number))?;
                match fault {
                    Fault::NullPage => f.write_str(" (null page)"),
                    Fault::NearStack => f.write_str(" (near the stack)"),
                    Fault::Wild => f.write_str(" (wild address)"),
                    Fault::Unknown => Ok(()),
                }
            }
            Kind::StackOverflow => f.write_str("stack-overflow"),
            Kind::Timeout => f.write_str("timeout"),
            Kind::OutOfMemory => f.write_str("out-of-memory"),
            Kind::Exit(status) => write!(f, "exit {status}"),
            Kind::Sanitizer(report) => f.write_str(report),
            Kind::Leak => f.write_str("leak"),
            Kind::Command => f.write_str("command"),
            Kind::NoLeakCheck | Kind::Reached | Kind::Other(_) => {
                f.write_str(self.words().expect("these kinds have words"))
            }
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Who a failure is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// How it failed.
    pub kind: Kind,
    /// `file:line:column` of a panic, as the panic message has it.
    pub place: Option<String>,
    /// The message.
    pub message: Option<Message>,
    /// The stack, innermost first; empty where it was not asked for or could not be had.
    pub frames: Vec<Frame>,
}

impl Signature {
    /// A signature that says no more than how it failed.
    pub fn of_kind(kind: Kind) -> Self {
        Signature { kind, place: None, message: None, frames: Vec::new() }
    }

    /// The innermost frames of the user's or a crate's code, at most `count`.
    ///
    /// Where no frame is known to be such code, all frames count, so that a stripped executable
    /// is still distinguished.
    pub fn own_frames(&self, count: usize) -> Vec<&Frame> {
        let own: Vec<&Frame> = self.frames.iter().filter(|frame| frame.own).take(count).collect();
        if own.is_empty() { self.frames.iter().take(count).collect() } else { own }
    }
}

impl Signature {
    /// How it failed, without the message: the kind of undefined behavior has that in its name.
    pub fn kind_name(&self) -> String {
        let kind = self.kind.to_string();
        match (&self.kind, &self.message) {
            (Kind::Sanitizer(_), Some(message)) => {
                let name = kind.strip_suffix(message.normalised());
                name.and_then(|name| name.strip_suffix(": ")).map_or(kind.clone(), str::to_owned)
            }
            _ => kind,
        }
    }

    /// `kind at place: message`, the message normalised.
    pub fn compared(&self) -> String {
        self.with_message(self.message.as_ref().map(Message::normalised))
    }

    fn with_message(&self, message: Option<&str>) -> String {
        let mut text = self.kind_name();
        if let Some(place) = &self.place {
            text += &format!(" at {place}");
        }
        if let Some(message) = message {
            text += &format!(": {message}");
        }
        text
    }
}

/// `kind at place: message`, on one line.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message.as_ref().map(Message::in_one_line);
        f.write_str(&self.with_message(message.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_the_numbers_and_what_is_compared_has_not() {
        let message = Message::new("shift exponent 40\nis too large");
        let kind = Kind::Sanitizer(format!("undefined-behavior: {}", message.normalised()));
        let place = Some("a.c:3:1".to_owned());
        let signature = Signature { place, message: Some(message), ..Signature::of_kind(kind) };
        let shown = "undefined-behavior at a.c:3:1: shift exponent 40 is too large";
        assert_eq!(signature.to_string(), shown);
        assert_eq!(signature.compared(), shown.replace("40", "#"));
    }

    #[test]
    fn frames_of_the_runtime_are_passed_over_unless_there_are_no_others() {
        let frame = |offset, own| Frame::at("m", offset, own);
        let mut signature = Signature::of_kind(Kind::Abort);
        signature.frames = vec![frame(1, false), frame(2, true), frame(3, true)];
        assert_eq!(signature.own_frames(1), [&frame(2, true)]);
        signature.frames = vec![frame(1, false)];
        assert_eq!(signature.own_frames(3), [&frame(1, false)]);
    }
}
