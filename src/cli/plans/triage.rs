//! `triage`'s options as meant.

use std::path::PathBuf;

use crate::cargo_fuzz::TargetRequest;
use crate::cli::arguments::exchange::ExchangeArgs;
use crate::cli::arguments::triage::TriageArgs;
use crate::cli::plans::options::target_request;
use crate::corpus::Shard;
use crate::report::ReportOptions;

/// All that a run of `triage` needs to know.
///
/// `generalize --verify` has one too.
#[derive(Clone, Debug)]
pub(crate) struct TriagePlan {
    /// The inputs and folders as they were named.
    pub inputs: Vec<PathBuf>,
    /// The target, and when two failures are the same.
    pub target: TargetRequest,
    /// Where a regression test goes, if one is wanted.
    pub emit_test: Option<PathBuf>,
    /// Where the page goes, if one is wanted.
    pub html: Option<PathBuf>,
    /// Which part of the inputs runs, and the folder of its result; all if there is none.
    pub shard: Option<(Shard, PathBuf)>,
    /// Files for other tools.
    pub exchange: ExchangeArgs,
    /// The options for reports.
    pub tell: ReportOptions,
}

/// A target that is linked into this program is never meant: no program offers `triage` for one.
impl From<TriageArgs> for TriagePlan {
    fn from(args: TriageArgs) -> Self {
        let TriageArgs {
            inputs,
            target,
            sameness,
            limits,
            emit_test,
            html,
            shard,
            output,
            exchange,
            tell,
        } = args;
        let tell = ReportOptions::from(&tell);
        let target = target_request(target, None, sameness, &limits, tell);
        TriagePlan {
            inputs,
            target,
            emit_test,
            html,
            shard: shard.shard.zip(output),
            exchange,
            tell,
        }
    }
}
