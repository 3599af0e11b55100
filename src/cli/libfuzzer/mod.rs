//! `seedsmith-libfuzzer`: libFuzzer's command line, where `-minimize_crash=1` and `-cleanse_crash=1`
//! are done by a session of ours, for programs that call libFuzzer that way.
//!
//! For everything else the target is started in place of this program. So it is for tasks that a
//! session cannot do, such as a crash that does not show when the target is run in process: then
//! libFuzzer minimizes as it would have done. Exit codes are libFuzzer's, not ours.

mod artifact;
mod bests;
mod cleanse;
mod flags;
mod minimize;
mod run;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use super::interrupt::Interrupt;
use crate::report::{LibFuzzerLines, ReportOptions};
use flags::{CommandLine, Mode};
use seedsmith_engine::internal::become_program;

const HELP: &str = "\
Minimizes crashes for programs that call libFuzzer

Usage: seedsmith-libfuzzer TARGET -minimize_crash=1 [FLAGS] INPUT
       seedsmith-libfuzzer TARGET -cleanse_crash=1 -exact_artifact_path=OUT [FLAGS] INPUT
       seedsmith-libfuzzer TARGET [ANYTHING ELSE]

TARGET is a libFuzzer executable. The first two command lines do what TARGET would do, with the
same lines on stderr and the same exit codes, but faster. Any other command line is TARGET's: it
is run in place of this program, with all arguments.

Flags that mean something here (all of them, and those that are not listed, are TARGET's too):
  -exact_artifact_path=OUT  where the result goes [default: PREFIXminimized-from-SHA1]
  -artifact_prefix=PREFIX   what the result's path begins with [default: ./]
  -max_total_time=N         seconds for everything together; libFuzzer has it for each of its steps
                            [default: 600, if there are no -runs either]
  -runs=N                   tests for everything together; libFuzzer has it for each of its steps
  -timeout=N                seconds that a test may take
  -rss_limit_mb=N           memory that a test may use; 0 is no limit [default: 2048]
  -detect_leaks=0           a leak is no failure

Where TARGET cannot be run in process or the crash does not show there, one line says so and TARGET
minimizes by itself. Options of tmin can be given in the environment, such as SEEDSMITH_JOBS=1.

Exit codes:
  0   done, also when nothing could be removed
  1   INPUT does not crash, wrong arguments, or the result cannot be written
  72  ended by SIGINT, SIGTERM or SIGHUP; the best is written
  others are TARGET's
";

/// How the program ends: libFuzzer's own codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Done = 0,
    Error = 1,
    Interrupted = 72,
}

/// Why seedsmith's session does not do the task.
///
/// The message is for a user who wonders why the run takes long; libFuzzer does the work then.
enum Refusal {
    /// The program ends with this code; everything was reported already.
    Ends(End),
    /// libFuzzer does it, for this reason.
    ByTarget(String),
}

/// `seedsmith-libfuzzer`: a whole program.
pub(super) fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut lines = LibFuzzerLines;
    let Some(line) = CommandLine::read(words.iter().cloned()) else {
        let asks = words.iter().any(|word| word == "-help=1" || word == "--help" || word == "-h");
        lines.help(HELP);
        return ExitCode::from(if asks { End::Done } else { End::Error } as u8);
    };
    if line.mode == Mode::PassOn {
        return by_target(&line, &mut lines);
    }
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let interrupt = Interrupt::install(
            "seedsmith-libfuzzer",
            ReportOptions { quiet: true, ..ReportOptions::default() },
        )
        .map_err(|trouble| Refusal::ByTarget(trouble.to_string()))?;
        // A signal ends the search, and its result is written afterwards.
        let _keeping = interrupt.keep_results();
        match line.mode {
            Mode::Minimize => minimize::run(&line, &interrupt, &mut lines),
            _ => cleanse::run(&line, &interrupt, &mut lines),
        }
    }));
    match ended {
        Ok(Ok(end) | Err(Refusal::Ends(end))) => ExitCode::from(end as u8),
        Ok(Err(Refusal::ByTarget(why))) => {
            lines.warning(&format!("{why}; libFuzzer does it instead"));
            by_target(&line, &mut lines)
        }
        Err(_) => {
            lines.warning(
                "this is a bug of seedsmith; please report the panic above, with the command line \
                 and, if you may, the input; libFuzzer does it instead",
            );
            by_target(&line, &mut lines)
        }
    }
}

/// Becomes the target, with the arguments as they were typed.
fn by_target(line: &CommandLine, lines: &mut LibFuzzerLines) -> ExitCode {
    lines.error(&become_program(&run::program(line), &line.arguments).to_string());
    ExitCode::from(End::Error as u8)
}
