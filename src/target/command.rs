//! A stand-in until the real one is merged.
#![allow(missing_docs)]
use super::*;
use crate::observation::Verdict;
use crate::signature::{Kind, Signature};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandMode {
    ExitZeroFails,
    Executable,
}
pub struct CommandTarget {
    argv: Vec<OsString>,
    mode: CommandMode,
    name: String,
}
impl CommandTarget {
    pub fn new(argv: Vec<OsString>, mode: CommandMode) -> Self {
        let name = argv[0].to_string_lossy().into_owned();
        CommandTarget { argv, mode, name }
    }
}
impl Target for CommandTarget {
    fn name(&self) -> &str {
        &self.name
    }
    fn open(&self, _bell: &Bell) -> Result<Box<dyn Slot>, TargetError> {
        Ok(Box::new(S { argv: self.argv.clone(), mode: self.mode, queue: VecDeque::new() }))
    }
    fn is_slow(&self) -> bool {
        true
    }
    fn is_synchronous(&self) -> bool {
        true
    }
}
struct S {
    argv: Vec<OsString>,
    mode: CommandMode,
    queue: VecDeque<(u64, Vec<u8>)>,
}
impl Slot for S {
    fn push(&mut self, ticket: u64, candidate: &[u8], _r: Request) -> Result<bool, TargetError> {
        if !self.queue.is_empty() {
            return Ok(false);
        }
        self.queue.push_back((ticket, candidate.to_vec()));
        Ok(true)
    }
    fn take(&mut self) -> Result<Option<Report>, TargetError> {
        let Some((ticket, candidate)) = self.queue.pop_front() else { return Ok(None) };
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&candidate).unwrap();
        let path = file.path().as_os_str().to_owned();
        let mut args: Vec<OsString> = self.argv[1..]
            .iter()
            .map(|a| if a == "{}" { path.clone() } else { a.clone() })
            .collect();
        if !self.argv.iter().any(|a| a == "{}") {
            args.push(path);
        }
        let status = std::process::Command::new(&self.argv[0])
            .args(args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .stdin(std::process::Stdio::null())
            .status()
            .map_err(|e| TargetError::system("start the command", e))?;
        let fails = status.success() == (self.mode == CommandMode::ExitZeroFails);
        let kind = if self.mode == CommandMode::ExitZeroFails {
            Kind::Command
        } else {
            Kind::Exit(status.code().unwrap_or(-1))
        };
        Ok(Some(Report {
            ticket,
            observation: if fails {
                Observation::Failed(Arc::new(Signature::of_kind(kind)))
            } else {
                Observation::Returned(Verdict::Keep)
            },
            was_fresh: true,
        }))
    }
    fn arm(&mut self) {}
    fn cancel(&mut self) -> Vec<u64> {
        self.queue.clear();
        vec![]
    }
    fn set_limits(&mut self, _limits: Limits) {}
    fn tend(&mut self) -> Result<(), TargetError> {
        Ok(())
    }
}
