//! Stands in for `libfuzzer_sys`, so that an unchanged fuzz target becomes a plain function.
//!
//! `libfuzzer_sys::fuzz_target!` emits an `extern "C"` function, which no panic can leave. In a
//! program that links its target, this crate takes that name instead:
//!
//! ```text
//! extern crate seedsmith as libfuzzer_sys;
//! #[allow(unused_attributes)] // its `#![no_main]`
//! #[path = "../fuzz_targets/parse.rs"] mod parse;
//! fn main() -> std::process::ExitCode { seedsmith::cli::tmin_linked("parse", parse::fuzz_target) }
//! ```
//!
//! A typed target (`|data: Expression|`) needs the feature `arbitrary`. A custom mutator is
//! left out; a target that calls libFuzzer itself has to be run injected.

/// What a fuzz target may return; `libfuzzer_sys` has the same name and variants.
pub use seedsmith_engine::Verdict as Corpus;

/// Runs a supplied initialisation once in each process that runs the target.
#[doc(hidden)]
pub fn initialize_once(once: &std::sync::Once, initialize: impl FnOnce()) {
    once.call_once(initialize);
}

/// Takes the forms of `libfuzzer_sys::fuzz_target!` and emits `pub fn fuzz_target(&[u8]) ->
/// Corpus`.
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident| $body:expr) => {
        $crate::fuzz_target!(init: (), |$bytes: &[u8]| -> () { $body });
    };
    (|$bytes:ident: &[u8]| $body:expr) => {
        $crate::fuzz_target!(init: (), |$bytes: &[u8]| -> () { $body });
    };
    (|$bytes:ident: &[u8]| -> $rty:ty $body:block) => {
        $crate::fuzz_target!(init: (), |$bytes: &[u8]| -> $rty $body);
    };
    (init: $init:expr, |$bytes:ident| $body:expr) => {
        $crate::fuzz_target!(init: $init, |$bytes: &[u8]| -> () { $body });
    };
    (init: $init:expr, |$bytes:ident: &[u8]| $body:expr) => {
        $crate::fuzz_target!(init: $init, |$bytes: &[u8]| -> () { $body });
    };
    (init: $init:expr, |$bytes:ident: &[u8]| -> $rty:ty $body:block) => {
        /// The fuzz target, as a plain function.
        pub fn fuzz_target(bytes: &[u8]) -> $crate::Corpus {
            static ONCE: ::std::sync::Once = ::std::sync::Once::new();
            $crate::internal::initialize_once(&ONCE, || {
                $init;
            });
            #[inline(never)]
            fn __libfuzzer_sys_run($bytes: &[u8]) -> $rty $body
            $crate::Corpus::from(__libfuzzer_sys_run(bytes))
        }
    };
    (|$data:ident: $dty:ty| $body:expr) => {
        $crate::fuzz_target!(init: (), |$data: $dty| -> () { $body });
    };
    (|$data:ident: $dty:ty| -> $rty:ty $body:block) => {
        $crate::fuzz_target!(init: (), |$data: $dty| -> $rty $body);
    };
    (init: $init:expr, |$data:ident: $dty:ty| $body:expr) => {
        $crate::fuzz_target!(init: $init, |$data: $dty| -> () { $body });
    };
    (init: $init:expr, |$data:ident: $dty:ty| -> $rty:ty $body:block) => {
        /// The fuzz target, as a plain function of the bytes that its argument is made of.
        pub fn fuzz_target(bytes: &[u8]) -> $crate::Corpus {
            use $crate::arbitrary::{Arbitrary, Unstructured};
            static ONCE: ::std::sync::Once = ::std::sync::Once::new();
            $crate::internal::initialize_once(&ONCE, || {
                $init;
            });
            #[inline(never)]
            fn __libfuzzer_sys_run($data: $dty) -> $rty $body
            if bytes.len() < <$dty as Arbitrary>::size_hint(0).0 {
                return $crate::Corpus::Reject;
            }
            match <$dty as Arbitrary>::arbitrary_take_rest(Unstructured::new(bytes)) {
                Ok(data) => $crate::Corpus::from(__libfuzzer_sys_run(data)),
                Err(_) => $crate::Corpus::Reject,
            }
        }
    };
}

/// Takes the place of `libfuzzer_sys::fuzz_mutator!`: there is no mutation here.
#[macro_export]
macro_rules! fuzz_mutator {
    ($($anything:tt)*) => {};
}

#[cfg(test)]
mod tests {
    use super::Corpus;

    mod plain {
        crate::fuzz_target!(|data: &[u8]| {
            assert!(data.is_empty());
        });
    }

    mod verdict {
        use super::Corpus;
        crate::fuzz_target!(init: super::note_start(), |data: &[u8]| -> Corpus {
            if data.is_empty() { Corpus::Reject } else { Corpus::Keep }
        });
    }

    static STARTS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

    fn note_start() {
        STARTS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    #[test]
    fn a_target_without_a_verdict_keeps_its_input() {
        assert_eq!(plain::fuzz_target(b""), Corpus::Keep);
    }

    #[test]
    fn a_target_may_reject_and_is_initialised_once() {
        assert_eq!(verdict::fuzz_target(b""), Corpus::Reject);
        assert_eq!(verdict::fuzz_target(b"x"), Corpus::Keep);
        assert_eq!(STARTS.load(std::sync::atomic::Ordering::Relaxed), 1);
    }
}
