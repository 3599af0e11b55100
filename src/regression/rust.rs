//! A test in Rust that includes the source of a fuzz target.
//!
//! `extern crate self as libfuzzer_sys` gives the test the name of the crate that the target uses,
//! so that `fuzz_target!` defines a plain function. Neither libFuzzer nor seedsmith is linked.

use std::fmt::Write;

use super::{Beside, Case, one_line};

/// The longest line that rustfmt leaves as it is.
const MAX_LINE_CHARS: usize = 100;

/// A fuzz target as a test reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RustReach {
    /// The target's source, as seen from the test's folder.
    pub path: String,
    /// Whether the target takes a value that the crate `arbitrary` makes of the input.
    pub is_typed: bool,
    /// Whether the target's source names the crate `arbitrary`.
    pub uses_arbitrary: bool,
    /// Whether it names `Corpus`.
    pub uses_corpus: bool,
    /// Whether it has a custom mutator, which a test leaves out.
    pub has_mutator: bool,
}

pub(super) fn text(reach: &RustReach, about: &str, cases: &[Case], beside: &mut Beside) -> String {
    let mut out = format!("//! A regression test, written by seedsmith: {about}\n\n");
    out += "// This test stands in for the crate that the fuzz target uses, so that the target is a\n\
            // plain function here.\n\
            extern crate self as libfuzzer_sys;\n\n";
    // Before the macros: a macro that is defined above would be used without the target's `use`,
    // which the compiler then calls unused.
    let _ = write!(
        out,
        "#[allow(unused_attributes)] // its `#![no_main]`\n#[path = \"{}\"]\nmod target;\n",
        reach.path.escape_default()
    );
    out.push('\n');
    if reach.uses_arbitrary || reach.is_typed {
        out += "#[allow(unused_imports)]\npub use arbitrary;\n\n";
    }
    if reach.uses_corpus {
        out += "#[allow(dead_code)]\npub enum Corpus {\n    Keep,\n    Reject,\n}\n\n";
    }
    out += if reach.is_typed { TYPED } else { BYTES };
    out += "\n#[allow(unused_imports)]\npub(crate) use fuzz_target;\n";
    if reach.has_mutator {
        out += "\n#[allow(unused_macros)]\nmacro_rules! fuzz_mutator {\n    \
                ($($anything:tt)*) => {};\n}\n\n\
                #[allow(unused_imports)]\npub(crate) use fuzz_mutator;\n";
    }
    for case in cases {
        let comment = one_line(&case.about);
        let literal = format!("    target::fuzz_target(b\"{}\");", case.input.escape_ascii());
        let call = match literal.len() <= MAX_LINE_CHARS {
            true => literal,
            false => {
                let name = beside.add(&case.input);
                format!("    target::fuzz_target(include_bytes!(\"{name}\"));")
            }
        };
        let _ = write!(out, "\n// {comment}\n#[test]\nfn {}() {{\n{call}\n}}\n", case.name);
    }
    out
}

const BYTES: &str = "\
#[allow(unused_macros)]
macro_rules! fuzz_target {
    (init: $init:expr, |$bytes:ident $(: &[u8])?| $body:expr) => {
        pub fn fuzz_target($bytes: &[u8]) {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| {
                let _ = $init;
            });
            $body
        }
    };
    (init: $init:expr, |$bytes:ident $(: &[u8])?| -> $result:ty $body:block) => {
        pub fn fuzz_target(bytes: &[u8]) {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| {
                let _ = $init;
            });
            fn run($bytes: &[u8]) -> $result $body
            let _ = run(bytes);
        }
    };
    (|$bytes:ident $(: &[u8])?| $body:expr) => {
        pub fn fuzz_target($bytes: &[u8]) {
            $body
        }
    };
    (|$bytes:ident $(: &[u8])?| -> $result:ty $body:block) => {
        pub fn fuzz_target(bytes: &[u8]) {
            fn run($bytes: &[u8]) -> $result $body
            let _ = run(bytes);
        }
    };
}
";

const TYPED: &str = "\
#[allow(unused_macros)]
macro_rules! fuzz_target {
    (init: $init:expr, $($target:tt)*) => {
        libfuzzer_sys::fuzz_target!(@ $init; $($target)*);
    };
    (@ $init:expr; |$data:ident: $type:ty| $body:expr) => {
        libfuzzer_sys::fuzz_target!(@ $init; |$data: $type| -> () { $body });
    };
    (@ $init:expr; |$data:ident: $type:ty| -> $result:ty $body:block) => {
        pub fn fuzz_target(bytes: &[u8]) {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| {
                let _ = $init;
            });
            #[allow(clippy::unused_unit)]
            fn run($data: $type) -> $result $body
            let _ = <$type as libfuzzer_sys::arbitrary::Arbitrary>::arbitrary_take_rest(
                libfuzzer_sys::arbitrary::Unstructured::new(bytes),
            )
            .map(run);
        }
    };
    ($($target:tt)*) => {
        libfuzzer_sys::fuzz_target!(@ (); $($target)*);
    };
}
";
