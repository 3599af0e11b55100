//! A user's request for a target: plain data that does not know how it was typed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::instrumentation::Instrumentation;
use super::package::{FuzzPackage, FuzzTarget};
use crate::corpus::findings::is_afl_hang;
use seedsmith_engine::Limits;
use seedsmith_engine::Sameness;

/// The time after which AFL++ calls an input a hang (`AFL_HANG_TMOUT`). AFL++ uses wall-clock time;
/// here it is processor time.
const AFL_HANG_TIME: Duration = Duration::from_secs(1);

use super::build::Build;
pub(crate) use super::build::Shown;
pub(crate) use super::build::options::CargoOptions;
pub(crate) use crate::session::target::CommandLine;

/// Which targets are opened, and how.
#[derive(Clone, Debug)]
pub(crate) struct TargetRequest {
    /// Where they come from.
    pub source: TargetSource,
    /// Whether a fuzz target is built with libFuzzer's coverage counters, and with nothing else.
    pub has_coverage: bool,
    /// Whether a fuzz target is built even if cargo-fuzz left an executable: that can be one of other
    /// sources.
    pub always_builds: bool,
    /// The user's options for cargo if a fuzz target is built.
    pub cargo: CargoOptions,
    /// How much of builds the user sees.
    pub shown: Shown,
    /// The limits of one test while a target is looked for that fails.
    pub limits: Limits,
    /// Whether the user said how long a test may take.
    pub is_time_given: bool,
    /// Which failures count while a target is looked for that fails.
    pub sameness: Sameness,
}

impl TargetRequest {
    /// A request for targets from `source`, with default limits: without coverage counters, and any
    /// failure counts.
    #[cfg(test)]
    pub fn new(source: TargetSource) -> Self {
        TargetRequest {
            source,
            has_coverage: false,
            always_builds: false,
            cargo: CargoOptions::default(),
            shown: Shown::default(),
            limits: Limits::default(),
            is_time_given: false,
            sameness: Sameness::default(),
        }
    }
}

impl TargetRequest {
    /// The build of a fuzz target without a sanitizer that this request asks for.
    pub(super) fn build<'a>(
        &'a self,
        package: &'a FuzzPackage,
        target: &'a FuzzTarget,
    ) -> Build<'a> {
        Build {
            package,
            target,
            instrumentation: Instrumentation::None,
            options: &self.cargo,
            shown: self.shown,
            is_beside: false,
        }
    }

    /// The limits of one test on this input: those of its fuzzer, if the input's name says that it
    /// is a hang and the user gave none.
    pub(crate) fn limits_for(&self, input: &Path) -> Limits {
        match self.is_time_given {
            false if is_afl_hang(input) => self.limits.with_time(AFL_HANG_TIME),
            _ => self.limits,
        }
    }
}

/// Where a target comes from.
#[derive(Clone, Debug)]
pub(crate) enum TargetSource {
    /// A program that reports the failure by its exit status.
    Command(CommandLine),
    /// A libFuzzer executable, which is run as it is.
    Executable(PathBuf),
    /// A fuzz target of a cargo-fuzz package.
    Package {
        /// The target's name; if none is given, it follows from the input.
        name: Option<String>,
        /// The package's folder; if none is given, it is searched from the input upwards, and then
        /// from the current folder upwards.
        fuzz_dir: Option<PathBuf>,
        /// Which build of it is run.
        sanitizer: Sanitizer,
    },
    /// A function of this program, by the name of its fuzz target.
    Linked(String),
}

/// Which build of a fuzz target is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sanitizer {
    /// The executable that cargo-fuzz built, if it is fresh, and a build without a sanitizer; if
    /// the input does not fail there, one with AddressSanitizer.
    #[default]
    Auto,
    /// Only a build without a sanitizer.
    None,
    /// Only a build with AddressSanitizer.
    Address,
}

impl Sanitizer {
    /// All of them.
    pub(crate) const ALL: [Sanitizer; 3] = [Sanitizer::Auto, Sanitizer::None, Sanitizer::Address];

    /// The name by which it is chosen.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Sanitizer::Auto => "auto",
            Sanitizer::None => "none",
            Sanitizer::Address => "address",
        }
    }
}
