//! `tmin`: shrinks a failing input. See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::tmin_main()
}
