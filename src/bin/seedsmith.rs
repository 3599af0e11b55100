//! `seedsmith`: every command of this package under one name. See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::seedsmith_main()
}
