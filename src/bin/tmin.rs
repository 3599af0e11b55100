//! `tmin`: shrinks a failing input. It also has the code of the other programs, which start it
//! under their own names (`launcher`). See [`seedsmith::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    seedsmith::cli::main()
}
