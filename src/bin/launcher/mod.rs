//! Starts `tmin`, which has the code of all programs, under another name.
//!
//! One executable with everything and three small ones take a quarter of the space of four with
//! everything. This module knows where the executable is and nothing else. It uses no code of the
//! library, because that would be linked into the small programs as well.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The exit code for files that cannot be read, as in the other programs.
const FILES: u8 = 6;

/// Becomes `tmin`, in the folder of this executable, with `name` as its zeroth argument. The other
/// arguments, the environment and the process id stay.
///
/// The library takes the name from there. Returns only if `tmin` cannot be started.
pub fn start(name: &str) -> ExitCode {
    let error = match std::env::current_exe() {
        Ok(own) => match own.parent().map(|folder| folder.join("tmin")) {
            Some(body) => become_body(&body, name),
            None => format!("{} is in no folder", own.display()),
        },
        Err(error) => format!("failed to find its own folder: {error}"),
    };
    eprintln!("{name}: {error}; `cargo build --bins` or `cargo install seedsmith` installs both");
    ExitCode::from(FILES)
}

/// Returns the reason if the program cannot be started.
fn become_body(body: &Path, name: &str) -> String {
    let error = Command::new(body).arg0(name).args(std::env::args_os().skip(1)).exec();
    format!("failed to start {}, which {name} needs: {error}", body.display())
}
