//! `seedsmith-libfuzzer`: libFuzzer's command line for crashes. See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::libfuzzer_main()
}
