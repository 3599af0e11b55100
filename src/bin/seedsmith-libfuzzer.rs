//! `seedsmith-libfuzzer`: libFuzzer's command line for crashes. See [`seedsmith::cli`].

mod launcher;

use std::process::ExitCode;

fn main() -> ExitCode {
    launcher::start("seedsmith-libfuzzer")
}
