//! `seedsmith`: every command of this package under one name. See [`seedsmith::cli`].

mod launcher;

use std::process::ExitCode;

fn main() -> ExitCode {
    launcher::start("seedsmith")
}
