//! Options of files for other tools.

use std::path::PathBuf;

use clap::Args;

/// Files that other tools read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ExchangeArgs {
    /// Compare with the JSON of an earlier run: which failures are new, known or fixed
    ///
    /// FILE is what `triage --json` wrote. Failures are compared by target, kind, message without
    /// numbers, file and functions, so edits elsewhere in a file do not make them new. The exit code
    /// is 1 only if a failure is new.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_JOIN", hide_env = true)]
    pub join: Option<PathBuf>,

    /// Write the failures in SARIF 2.1.0, for code scanning
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_SARIF", hide_env = true)]
    pub sarif: Option<PathBuf>,

    /// Write the failures as JUnit test results
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_JUNIT", hide_env = true)]
    pub junit: Option<PathBuf>,

    /// Append a summary in Markdown to FILE, such as $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_SUMMARY", hide_env = true)]
    pub summary: Option<PathBuf>,

    /// Write a report of each failing input into the new folder DIR, for casr-cluster and casr-cli
    ///
    /// A report is NAME.casrep, where NAME is that of the input. It has casr's severity class where casr
    /// derives one from what is known here (kind, access, signal), else UNDEFINED.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_CASR", hide_env = true)]
    pub casr: Option<PathBuf>,
}
