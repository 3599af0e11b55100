//! The class of a failure in casr's terms.
//!
//! casr has a fixed list of classes, each with one of the severities `EXPLOITABLE`, `PROBABLY_EXPLOITABLE`,
//! `NOT_EXPLOITABLE` and `UNDEFINED`. A failure gets the class that casr 2.13.1 derives from the same facts:
//!
//! | failure | class |
//! |---|---|
//! | panic of Rust or Go, exception of Python | casr's class for that language; not exploitable |
//! | report of AddressSanitizer or MemorySanitizer | the class of that name, by read and write where the report says which |
//! | report of UndefinedBehaviorSanitizer | not exploitable, with the report's text |
//! | SEGV and BUS | `AccessViolation`: whether it was a read or a write is not known here |
//! | other signals, overflow of the stack, limits of time and memory, leaks, exits | the class for it |
//! | everything else, such as a command's own verdict | `Undefined` |

use serde_json::{Value, json};

use seedsmith_engine::{Kind, Signature};

/// Not exploitable, as casr spells it.
const NOT: &str = "NOT_EXPLOITABLE";
/// Probably exploitable, as casr spells it.
const PROBABLY: &str = "PROBABLY_EXPLOITABLE";
/// Exploitable, as casr spells it.
const EXPLOITABLE: &str = "EXPLOITABLE";

/// A class: the severity, its name, and the failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    severity: &'static str,
    name: String,
    description: String,
    explanation: &'static str,
}

impl Class {
    /// A class of casr's list.
    fn new(severity: &'static str, name: &str, description: &str) -> Self {
        let explanation = "Classified by the kind of the failure alone";
        let (name, description) = (name.to_owned(), description.to_owned());
        Class { severity, name, description, explanation }
    }

    /// casr's class for a failure of no other class.
    fn undefined() -> Self {
        let explanation = "There is no execution class for this type of exception";
        Class { explanation, ..Class::new("UNDEFINED", "Undefined", "Undefined class") }
    }

    /// As the field `CrashSeverity` has it.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "Type": self.severity,
            "ShortDescription": self.name,
            "Description": self.description,
            "Explanation": self.explanation,
        })
    }
}

/// The class of a failure.
pub(super) fn class(signature: &Signature) -> Class {
    let message = signature.message.as_ref().map(|message| message.in_one_line().to_string());
    let message = message.unwrap_or_default();
    let is_in = |ending: &str| {
        let file = signature.place.as_deref().unwrap_or_default();
        file.split(':').next().is_some_and(|file| file.ends_with(ending))
    };
    match &signature.kind {
        Kind::Panic if is_in(".go") => Class::new(NOT, "GoPanic", &message),
        Kind::Panic => Class::new(NOT, "RustPanic", &message),
        Kind::Other(exception) if is_in(".py") => Class::new(NOT, exception, &message),
        Kind::Abort => Class::new(NOT, "AbortSignal", "Abort"),
        Kind::Signal(number, _) => of_signal(*number),
        Kind::StackOverflow => Class::new(NOT, "StackOverflow", "Overflow of the stack"),
        Kind::Timeout => Class::new(NOT, "timeout", "No end within the time limit"),
        Kind::OutOfMemory => Class::new(NOT, "out-of-memory", "More memory than the limit"),
        Kind::Exit(_) => Class::new(NOT, "fuzz target exited", "The target ended its process"),
        Kind::Leak => Class::new(NOT, "memory-leaks", "Memory that is never freed"),
        Kind::Sanitizer(report) => of_sanitizer(report, &message),
        _ => Class::undefined(),
    }
}

/// The class of a death by a signal, by its number on Linux.
fn of_signal(number: i32) -> Class {
    use nix::libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    match number {
        SIGABRT => Class::new(NOT, "AbortSignal", "Abort"),
        SIGTRAP => Class::new(NOT, "TrapSignal", "Trap"),
        SIGILL | SIGSYS => Class::new(PROBABLY, "BadInstruction", "Bad instruction"),
        SIGFPE => Class::new(NOT, "FPE", "Arithmetic exception"),
        SIGSEGV | SIGBUS => access_violation(),
        _ => Class::undefined(),
    }
}

/// A fault at an address, by an access of which it is not known whether it was a read or a write.
fn access_violation() -> Class {
    Class::new(NOT, "AccessViolation", "Access violation")
}

/// The class of a sanitizer's report such as `heap-buffer-overflow READ 1`.
fn of_sanitizer(report: &str, message: &str) -> Class {
    let mut words = report.split([' ', ':']);
    let name = words.next().unwrap_or_default();
    let access = words.next();
    match name {
        "SEGV" | "BUS" => access_violation(),
        "undefined-behavior" => Class::new(NOT, name, message),
        // By the access: a read is not exploitable, a write is.
        "heap-buffer-overflow"
        | "stack-buffer-overflow"
        | "stack-buffer-underflow"
        | "global-buffer-overflow"
        | "dynamic-stack-buffer-overflow"
        | "container-overflow"
        | "heap-use-after-free"
        | "stack-use-after-return"
        | "stack-use-after-scope" => match access {
            Some("READ") => Class::new(NOT, &format!("{name}(read)"), report),
            Some("WRITE") => Class::new(EXPLOITABLE, &format!("{name}(write)"), report),
            _ => Class::new(PROBABLY, name, report),
        },
        "use-after-poison"
        | "negative-size-param"
        | "calloc-overflow"
        | "reallocarray-overflow"
        | "pvalloc-overflow" => Class::new(PROBABLY, name, report),
        "alloc-dealloc-mismatch"
        | "unknown-crash"
        | "initialization-order-fiasco"
        | "new-delete-type-mismatch"
        | "bad-malloc_usable_size"
        | "odr-violation"
        | "invalid-allocation-alignment"
        | "invalid-aligned-alloc-alignment"
        | "invalid-posix-memalign-alignment"
        | "use-of-uninitialized-value" => Class::new(NOT, name, report),
        name if name.ends_with("-param-overlap") => {
            Class::new(EXPLOITABLE, "param-overlap", report)
        }
        _ => Class::undefined(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::{Fault, Message};

    fn of(kind: Kind) -> (&'static str, String) {
        let Class { severity, name, .. } = class(&Signature::of_kind(kind));
        (severity, name)
    }

    fn sanitizer(report: &str) -> (&'static str, String) {
        of(Kind::Sanitizer(report.to_owned()))
    }

    #[test]
    fn a_report_of_a_sanitizer_has_the_class_of_its_name_and_access() {
        assert_eq!(
            sanitizer("heap-buffer-overflow READ 1"),
            (NOT, "heap-buffer-overflow(read)".to_owned())
        );
        assert_eq!(
            sanitizer("stack-buffer-overflow WRITE 8"),
            (EXPLOITABLE, "stack-buffer-overflow(write)".to_owned())
        );
        assert_eq!(sanitizer("container-overflow"), (PROBABLY, "container-overflow".to_owned()));
        assert_eq!(sanitizer("memcpy-param-overlap"), (EXPLOITABLE, "param-overlap".to_owned()));
        assert_eq!(sanitizer("SEGV (null page)"), (NOT, "AccessViolation".to_owned()));
    }

    #[test]
    fn what_casr_has_no_class_for_is_undefined() {
        let undefined = ("UNDEFINED", "Undefined".to_owned());
        assert_eq!(sanitizer("data"), undefined);
        assert_eq!(of(Kind::Command), undefined);
        assert_eq!(of(Kind::Signal(nix::libc::SIGUSR1, Fault::Unknown)), undefined);
        assert_eq!(of(Kind::Other("fatal error".to_owned())), undefined);
    }

    #[test]
    fn a_panic_has_the_class_of_its_language_and_its_message() {
        let of = |kind: Kind, place: &str| {
            let place = Some(place.to_owned());
            let message = Some(Message::new("no\nway"));
            class(&Signature { place, message, ..Signature::of_kind(kind) })
        };
        assert_eq!(of(Kind::Panic, "src/lib.rs:3:5").name, "RustPanic");
        assert_eq!(of(Kind::Panic, "/src/main.go:12").name, "GoPanic");
        let python = of(Kind::Other("KeyError".to_owned()), "a.py:3");
        assert_eq!((python.name.as_str(), python.description.as_str()), ("KeyError", "no way"));
    }
}
