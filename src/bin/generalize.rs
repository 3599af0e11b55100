//! `generalize`: tells what exactly makes an input fail. See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::generalize_main()
}
