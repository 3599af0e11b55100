//! A stand-in until the real one is merged.
#![allow(missing_docs)]
use super::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
#[derive(Clone, Debug, Default)]
pub struct InjectedOptions {
    pub arguments: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutableKind {
    LibFuzzer,
    Stripped,
    Static,
}
#[derive(Clone, Debug)]
pub struct Executable {
    pub kind: ExecutableKind,
    pub sanitizer: Option<String>,
    pub build_id: Option<String>,
}
pub fn inspect(_path: &Path) -> Result<Executable, TargetError> {
    Ok(Executable { kind: ExecutableKind::LibFuzzer, sanitizer: None, build_id: None })
}
pub struct InjectedTarget(super::command::CommandTarget, PathBuf);
impl InjectedTarget {
    pub fn new(executable: &Path, _options: InjectedOptions) -> Result<Self, TargetError> {
        Ok(InjectedTarget(
            super::command::CommandTarget::new(
                vec![executable.as_os_str().to_owned()],
                super::command::CommandMode::Executable,
            ),
            executable.to_owned(),
        ))
    }
}
impl Target for InjectedTarget {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn open(&self, bell: &Bell) -> Result<Box<dyn Slot>, TargetError> {
        self.0.open(bell)
    }
    fn is_slow(&self) -> bool {
        true
    }
    fn is_synchronous(&self) -> bool {
        true
    }
}
