//! A program that is run once, as the user would run it, with everything that it prints.
//!
//! A search uses [`CommandTarget`](super::CommandTarget), which keeps no output. Here the caller
//! needs the output: libFuzzer's own report of a crash, for instance.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::exec::TargetError;

/// Bytes of output that are kept. A report of a sanitizer has some 10 KB.
const MAX_OUTPUT_BYTES: usize = 1 << 20;
/// How long the output is awaited after the program has ended: a process that it started may hold the
/// pipe.
const MAX_WAIT_FOR_OUTPUT: Duration = Duration::from_secs(2);
/// How often the program is asked whether it has ended.
const CHECK_EVERY: Duration = Duration::from_millis(2);

/// How a program ended, and its output.
#[derive(Debug)]
pub struct RunOutput {
    /// Its status; none if it was ended because its time was over or the caller wanted an end.
    pub status: Option<ExitStatus>,
    /// Its stdout and stderr in the order of writing; at most 1 MB.
    pub output: Vec<u8>,
}

/// Runs `program` once with these arguments and nothing on its standard input, for at most `limit`
/// and not after `is_over` is set. Its whole process group is ended afterwards.
///
/// # Errors
///
/// It cannot be started.
pub fn run_once(
    program: &Path,
    arguments: &[OsString],
    limit: Duration,
    is_over: &AtomicBool,
) -> Result<RunOutput, TargetError> {
    let shown = program.display().to_string();
    let failed = |error| TargetError::system(format!("start {shown}"), error);
    let (mut reader, writer) = std::io::pipe().map_err(failed)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer)
        .process_group(0);
    let mut child = command.spawn().map_err(failed)?;
    // It holds the other end of the pipe, which would never be at its end.
    drop(command);
    let group = Pid::from_raw(child.id() as i32);
    let kept = Arc::new(Mutex::new(Vec::new()));
    let taken = kept.clone();
    let reading = std::thread::Builder::new()
        .name("seedsmith-output".to_owned())
        .spawn(move || {
            let mut piece = [0; 8 << 10];
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                let mut kept = taken.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MAX_OUTPUT_BYTES - kept.len().min(MAX_OUTPUT_BYTES);
                kept.extend_from_slice(&piece[..count.min(room)]);
            }
        })
        .map_err(failed);
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(None) if begun.elapsed() < limit && !is_over.load(Ordering::Relaxed) => {
                std::thread::sleep(CHECK_EVERY);
            }
            Ok(Some(status)) => break Some(status),
            _ => break None,
        }
    };
    // The group outlives its first process as long as one of its processes runs; the error for a
    // group that has ended is ignored.
    killpg(group, Signal::SIGKILL).ok();
    if status.is_none() {
        child.wait().ok();
    }
    let reading = reading?;
    let ended = Instant::now();
    while !reading.is_finished() && ended.elapsed() < MAX_WAIT_FOR_OUTPUT {
        std::thread::sleep(CHECK_EVERY);
    }
    let output = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(RunOutput { status, output })
}

/// Becomes another program, in this process. Returns only where that fails.
pub fn become_program(program: &Path, arguments: &[OsString]) -> TargetError {
    let error = Command::new(program).args(arguments).exec();
    TargetError::system(format!("start {}", program.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limit: Duration) -> RunOutput {
        let arguments = ["-c".into(), script.into()];
        run_once(Path::new("sh"), &arguments, limit, &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn what_a_program_prints_comes_in_the_order_of_time_with_its_status() {
        let ran = sh("echo out; echo err >&2; echo out again; exit 3", Duration::from_secs(60));
        assert_eq!(ran.status.unwrap().code(), Some(3));
        assert_eq!(ran.output, b"out\nerr\nout again\n");
    }

    #[test]
    fn a_program_is_ended_with_what_it_started_when_its_time_is_over() {
        let begun = Instant::now();
        let ran = sh("sleep 600 & sleep 600", Duration::from_millis(300));
        assert!(ran.status.is_none());
        assert!(begun.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn output_is_kept_up_to_a_bound() {
        let ran = sh("head -c 3000000 /dev/zero", Duration::from_secs(60));
        assert_eq!(ran.output.len(), MAX_OUTPUT_BYTES);
    }
}
