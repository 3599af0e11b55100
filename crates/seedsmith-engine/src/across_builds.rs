//! Whether failures of two builds of one target can be the same one: without and with a sanitizer.
//!
//! Addresses of two builds have nothing in common, and a sanitizer names a failure earlier and
//! otherwise than the processor does. So only kinds are compared here, by a table, and the places
//! of panics; a caller with debug information compares functions too.

use crate::signature::{Fault, Kind, Signature, signal_name};

/// Whether `sanitized`, from a build with a sanitizer, and `plain`, from one without, can be the
/// same failure.
pub fn may_be_same_failure(plain: &Signature, sanitized: &Signature) -> bool {
    match (&plain.kind, &sanitized.kind) {
        (Kind::Panic, Kind::Panic) => plain.place == sanitized.place,
        // The class of the address depends on the build.
        (Kind::Signal(one, _), Kind::Signal(other, _)) => one == other,
        (Kind::Signal(_, Fault::NearStack), Kind::StackOverflow) => true,
        (Kind::StackOverflow, Kind::Sanitizer(report)) => report.starts_with("SEGV"),
        (Kind::Signal(number, _), Kind::Sanitizer(report)) => {
            let name = signal_name(*number);
            let own = name.trim_start_matches("SIG");
            match own {
                "SEGV" | "BUS" => is_of_memory(report),
                _ => report.split(' ').next() == Some(own),
            }
        }
        // The C library's allocator aborts when it notices the error that the sanitizer reports.
        (Kind::Abort, Kind::Sanitizer(report)) => {
            report.starts_with("heap-") || report.contains("free")
        }
        (one, other) => one == other,
    }
}

/// Whether a report is of an access to memory.
fn is_of_memory(report: &str) -> bool {
    const OTHERS: [&str; 5] = ["undefined-behavior", "FPE", "ILL", "TRAP", "ABRT"];
    !OTHERS.iter().any(|other| report.starts_with(other))
}

#[cfg(test)]
mod tests {
    use crate::across_builds::*;

    fn may_be_same(plain: Kind, sanitized: Kind) -> bool {
        may_be_same_failure(&Signature::of_kind(plain), &Signature::of_kind(sanitized))
    }

    fn report(text: &str) -> Kind {
        Kind::Sanitizer(text.to_owned())
    }

    #[test]
    fn a_signal_is_what_the_sanitizer_reports_of_it() {
        let fault = |number| Kind::Signal(number, Fault::Wild);
        assert!(may_be_same(fault(11), report("heap-buffer-overflow READ 8")));
        assert!(may_be_same(fault(11), report("SEGV (wild address)")));
        assert!(!may_be_same(fault(11), report("undefined-behavior: shift exponent")));
        assert!(may_be_same(fault(8), report("FPE")));
        assert!(!may_be_same(fault(8), report("heap-buffer-overflow READ 8")));
        assert!(!may_be_same(fault(4), report("FPE")));
        assert!(may_be_same(Kind::Signal(11, Fault::NearStack), Kind::StackOverflow));
    }

    #[test]
    fn an_abort_of_the_allocator_is_the_error_of_memory_behind_it() {
        assert!(may_be_same(Kind::Abort, report("attempting double-free")));
        assert!(may_be_same(Kind::Abort, report("heap-buffer-overflow WRITE 1")));
        assert!(may_be_same(Kind::Abort, Kind::Abort));
        assert!(!may_be_same(Kind::Abort, report("stack-buffer-overflow WRITE 1")));
    }

    #[test]
    fn a_panic_is_told_by_its_place_in_both() {
        let at = |place: &str| Signature {
            place: Some(place.to_owned()),
            ..Signature::of_kind(Kind::Panic)
        };
        assert!(may_be_same_failure(&at("a.rs:1:1"), &at("a.rs:1:1")));
        assert!(!may_be_same_failure(&at("a.rs:1:1"), &at("a.rs:1:2")));
        assert!(may_be_same(Kind::StackOverflow, Kind::StackOverflow));
        assert!(!may_be_same(Kind::Panic, Kind::StackOverflow));
    }
}
