//! A target that is an unmodified libFuzzer executable.
//!
//! The executable is started with a small preloaded runtime that steps in where `main` would be
//! called and serves candidates to `LLVMFuzzerTestOneInput`. Any language and any sanitizer will
//! do; the executable has to be dynamic and have a symbol table.

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use super::executable::{ExecutableKind, Functions, inspect};
use super::slot::{Injection, LaunchPlan};
use super::{Notifier, Slot, Target, TargetError};
use crate::exec::counters::all_counters;
use crate::exec::counters::features::FeatureKind;
use crate::exec::os::memory::file_of;

/// The preloaded runtime, as `build.rs` compiled it.
static RUNTIME: &[u8] = include_bytes!(env!("SEEDSMITH_RUNTIME"));

/// The options with which an executable is started.
#[derive(Clone, Debug, Default)]
pub struct InjectedOptions {
    /// Its arguments, which `LLVMFuzzerInitialize` sees.
    pub arguments: Vec<OsString>,
    /// Variables on top of this program's own.
    pub environment: Vec<(OsString, OsString)>,
    /// Coverage counters that decide whether an input is valid, by their link-time addresses (see
    /// `reach`): where there are any, a candidate is kept if and only if it moves
    /// one.
    pub watched: Vec<Range<u64>>,
    /// Which features of its coverage counters each report has; none by default, which costs
    /// nothing.
    pub features: Option<FeatureKind>,
    /// Whether memory that a candidate leaks is a failure. It takes a sanitizer that finds leaks,
    /// and milliseconds for each candidate that doesn't free its memory.
    pub finds_leaks: bool,
}

/// An unmodified libFuzzer executable as target.
pub struct InjectedTarget {
    name: String,
    plan: Rc<LaunchPlan>,
}

impl InjectedTarget {
    /// Prepares the executable at `path`; nothing is started yet.
    ///
    /// Fails with [`TargetError::NotInjectable`] where the runtime can't be injected.
    pub fn new(path: &Path, options: InjectedOptions) -> Result<Self, TargetError> {
        let executable = inspect(path)?;
        if executable.kind != ExecutableKind::LibFuzzer {
            return Err(TargetError::NotInjectable {
                path: path.to_owned(),
                kind: executable.kind,
            });
        }
        let path = path
            .canonicalize()
            .map_err(|error| TargetError::system(format!("find {}", path.display()), error))?;
        let finds_leaks = options.finds_leaks;
        if finds_leaks && !executable.can_find_leaks() {
            return Err(TargetError::NoLeakSanitizer { path });
        }
        let injection = Injection {
            runtime: file_of(c"seedsmith-runtime", RUNTIME)?,
            finds_leaks,
            watched: options.watched.clone(),
            counters: match options.features {
                Some(kind) => Some((all_counters(&path)?, kind)),
                None => None,
            },
        };
        if options.features == Some(FeatureKind::Compares) && !executable.has_traced_compares() {
            return Err(TargetError::NoTracedCompares { path });
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let program = path.clone();
        let plan = LaunchPlan::new(Functions::of(&path), &executable, Some(injection), move || {
            let mut command = Command::new(&program);
            command.args(&options.arguments);
            command.envs(options.environment.iter().cloned());
            command
        });
        Ok(InjectedTarget { name, plan: Rc::new(plan) })
    }
}

impl Target for InjectedTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot>, TargetError> {
        self.plan.open(notifier, None)
    }

    fn open_varied(
        &self,
        notifier: &Notifier,
        variation: u32,
    ) -> Result<Box<dyn Slot>, TargetError> {
        self.plan.open(notifier, Some(variation))
    }
}
