//! `cargo-seedsmith`: `cargo seedsmith`, the same as `seedsmith`. See [`seedsmith::cli`].

mod launcher;

use std::process::ExitCode;

fn main() -> ExitCode {
    launcher::start("cargo-seedsmith")
}
