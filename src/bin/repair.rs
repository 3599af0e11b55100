//! `repair`: makes invalid inputs valid. See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::repair_main()
}
