//! Who a failure is: its kind, place, message and stack.
//!
//! A signature is built once, from what a worker left behind, and compared many times. It knows
//! nothing of executables or debug information: frames are raw, module-relative addresses.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// Where a signal's fault address lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Anything else a worker died of, in words.
    Other(String),
}

/// The usual name of a signal, `SIG` included.
pub fn signal_name(number: i32) -> String {
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
            Kind::Other(words) => f.write_str(words),
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One return address, relative to the start of the module that it lies in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// File name of the module, without folders; the function's name where a report knows no more, and
    /// then the offset is 0.
    pub module: Arc<str>,
    /// Address minus the module's load bias: what `addr2line` takes.
    pub offset: u64,
    /// Whether the code is the user's or a crate's, not the runtime's (std, libc, sanitizers,
    /// libFuzzer). Only such frames take part in a comparison.
    pub own: bool,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => f.write_str(&self.module),
            offset => write!(f, "{}+{offset:#x}", self.module),
        }
    }
}

/// Who a failure is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// How it failed.
    pub kind: Kind,
    /// `file:line:column` of a panic, as the panic message has it.
    pub place: Option<String>,
    /// The message with numbers and addresses normalised by [`normalise`].
    pub message: Option<String>,
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
    /// is still told apart.
    pub fn own_frames(&self, count: usize) -> Vec<&Frame> {
        let own: Vec<&Frame> = self.frames.iter().filter(|frame| frame.own).take(count).collect();
        if own.is_empty() { self.frames.iter().take(count).collect() } else { own }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(place) = &self.place {
            write!(f, " at {place}")?;
        }
        if let Some(message) = &self.message {
            write!(f, ": {message}")?;
        }
        Ok(())
    }
}

/// Rewrites what differs between two runs of one failure: hexadecimal numbers become `0x?`, other
/// numbers `#`, quoted text `"…"`; white space is folded. At most 200 characters stay.
pub fn normalise(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message.trim().chars().peekable();
    let mut kept = 0;
    while let Some(c) = rest.next() {
        if kept >= 200 {
            break;
        }
        kept += 1;
        let in_word = out.chars().last().is_some_and(|last| last.is_alphabetic() || last == '_');
        if c == '0' && rest.peek() == Some(&'x') {
            rest.next();
            while rest.next_if(char::is_ascii_hexdigit).is_some() {}
            out.push_str("0x?");
        } else if c.is_ascii_digit() && !in_word {
            while rest.next_if(char::is_ascii_digit).is_some() {}
            out.push('#');
        } else if c == '"' {
            let mut is_escaped = false;
            for inner in rest.by_ref() {
                match inner {
                    '"' if !is_escaped => break,
                    _ => is_escaped = inner == '\\' && !is_escaped,
                }
            }
            out.push_str("\"…\"");
        } else if c.is_whitespace() {
            while rest.next_if(|next| next.is_whitespace()).is_some() {}
            out.push(' ');
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_addresses_and_quotations_do_not_tell_failures_apart() {
        assert_eq!(
            normalise("index out of bounds: the len is 5 but the index is 17"),
            "index out of bounds: the len is # but the index is #"
        );
        assert_eq!(normalise("at 0xdeadbeef:\n\tgone"), "at 0x?: gone");
        assert_eq!(normalise(r#"called on "a\"b" in utf8"#), r#"called on "…" in utf8"#);
    }

    #[test]
    fn frames_of_the_runtime_are_passed_over_unless_there_are_no_others() {
        let frame = |offset, own| Frame { module: "m".into(), offset, own };
        let mut signature = Signature::of_kind(Kind::Abort);
        signature.frames = vec![frame(1, false), frame(2, true), frame(3, true)];
        assert_eq!(signature.own_frames(1), [&frame(2, true)]);
        signature.frames = vec![frame(1, false)];
        assert_eq!(signature.own_frames(3), [&frame(1, false)]);
    }
}
