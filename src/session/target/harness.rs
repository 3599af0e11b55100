//! Harnesses of other fuzzers than libFuzzer: how an executable is recognised as one, and how it reads
//! one input without its fuzzer.

use std::ffi::OsString;
use std::path::Path;

use seedsmith_engine::internal::ExecutableKind;
use seedsmith_engine::internal::{Executable, mentions};

/// The description of a harness that is run, for the user.
pub(super) const IS_HARNESS: &str = "it is a harness without LLVMFuzzerTestOneInput";

/// A harness without `LLVMFuzzerTestOneInput`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harness {
    /// AFL++ or afl.rs, persistent or not.
    Afl,
    /// A harness built by `cargo hfuzz build-debug`.
    HonggfuzzRustDebug,
    /// A harness that talks to honggfuzz and to nothing else.
    Honggfuzz,
    /// A test that bolero built for libFuzzer.
    Bolero,
}

// A program with this library in it is no harness, so it must not contain these texts: they are
// written with a hyphen, which `whole` takes out.

/// Texts that AFL++'s compilers put into a harness for `afl-fuzz` to find.
const AFL_SIGNATURES: [&str; 3] =
    ["##SIG_A-FL_PERSISTENT##", "##SIG_A-FL_DEFER_FORKSRV##", "__A-FL_SHM_ID"];
/// The text that honggfuzz's library puts into a harness for honggfuzz to find.
const HONGGFUZZ_SIGNATURE: &str = "_LIB-HFUZZ_PERSISTENT_BINARY_SIGNATURE_";
/// The variable from which a debug build of honggfuzz-rs reads the name of an input.
const HONGGFUZZ_RUST_VARIABLE: &str = "CARGO_H-ONGGFUZZ_CRASH_FILENAME";

fn whole(text: &str) -> String {
    text.replace('-', "")
}

impl Harness {
    /// Which harness an executable is. Costs a scan of its code and data where it has no
    /// `LLVMFuzzerTestOneInput`.
    pub(super) fn of(executable: &Executable) -> Option<Self> {
        let mentions = |text: &str| mentions(&executable.path, &[&*whole(text)]);
        match executable.kind {
            ExecutableKind::LibFuzzer if executable.has_several_tests => Some(Harness::Bolero),
            ExecutableKind::LibFuzzer => None,
            _ if AFL_SIGNATURES.into_iter().any(mentions) => Some(Harness::Afl),
            _ if mentions(HONGGFUZZ_RUST_VARIABLE) => Some(Harness::HonggfuzzRustDebug),
            _ if mentions(HONGGFUZZ_SIGNATURE) => Some(Harness::Honggfuzz),
            _ => None,
        }
    }

    /// The command that runs it on the input `{}`, which is on its standard input too; or why there
    /// is none, after the executable's name.
    pub(super) fn command(self, executable: &Path) -> Result<Vec<OsString>, &'static str> {
        let executable = OsString::from(executable);
        match self {
            // It reads standard input, or the file if its `main` takes one.
            Harness::Afl => Ok(vec![executable, "{}".into()]),
            Harness::HonggfuzzRustDebug => {
                let variable = format!("{}={{}}", whole(HONGGFUZZ_RUST_VARIABLE));
                Ok(vec!["env".into(), variable.into(), executable])
            }
            Harness::Honggfuzz => Err(
                "reads its inputs from honggfuzz only; what `cargo hfuzz build-debug` builds can be \
                 run",
            ),
            Harness::Bolero => Err(
                "is a test of bolero's, which needs the test's name; docs/src/other-fuzzers.md \
                 has the command",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_harness_has_a_command_or_a_reason_why_not() {
        let words = |harness: Harness| {
            harness.command(Path::new("/h")).map(|words| words.join(" ".as_ref()))
        };
        assert_eq!(words(Harness::Afl), Ok("/h {}".into()));
        let debug = format!("env {}={{}} /h", whole(HONGGFUZZ_RUST_VARIABLE));
        assert_eq!(words(Harness::HonggfuzzRustDebug), Ok(debug.into()));
        assert!(words(Harness::Honggfuzz).is_err() && words(Harness::Bolero).is_err());
    }

    #[test]
    fn a_program_of_another_kind_is_no_harness() {
        let own = std::env::current_exe().unwrap();
        let mut executable = seedsmith_engine::internal::inspect(&own).unwrap();
        assert_eq!(executable.kind, ExecutableKind::Other);
        // This program has the texts that harnesses are recognised by, and is none.
        assert_eq!(Harness::of(&executable), None);
        executable.kind = ExecutableKind::LibFuzzer;
        assert_eq!(Harness::of(&executable), None);
        executable.has_several_tests = true;
        assert_eq!(Harness::of(&executable), Some(Harness::Bolero));
    }
}
