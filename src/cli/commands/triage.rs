//! `triage`, from a plan to an exit code: is it fixed?

use std::collections::HashMap;

use crate::cargo_fuzz::Targets;
use crate::cargo_fuzz::input;
use crate::cli::commands::tmin::many::sort;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::casr::CasrFolder;
use crate::cli::outputs::emit_test::write_of_groups;
use crate::cli::outputs::exchange::Exchange;
use crate::cli::outputs::page::add_groups;
use crate::cli::plans::triage::TriagePlan;
use crate::cli::trouble::talk;
use crate::corpus::{Listed, Originals};
use crate::event::{Event, FailureGroups, Reporter};
use crate::report::Reporters;
use crate::session::corpora::{ShardFailures, keep_shard};
use crate::session::saved::test::check_test;

/// Runs `triage`.
///
/// Each input is run on its target and sorted by failure; nothing is searched. The code is 1 if any
/// input fails, so that it means "not fixed yet" in a script.
///
/// Files to write are checked before anything is run. With `--join` the exit code is 1 only if a failure
/// is new. If an input could not be run, the code is that of the first such trouble.
pub(crate) fn run(
    plan: &TriagePlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let output = plan.shard.as_ref().map(|(_, folder)| folder.as_path());
    let mut inputs = input::gather(&plan.inputs, output, &interrupt.flag(), &mut talk(report))?;
    let originals = Originals::of(inputs.inputs.iter().flat_map(Listed::files));
    if let Some(path) = &plan.emit_test {
        check_test(path, &originals)?;
    }
    let exchange = Exchange::open(&plan.exchange, &originals)?;
    let casr = plan.exchange.casr.as_deref().map(CasrFolder::open).transpose()?;
    add_groups(plan.html.as_deref(), &originals, report)?;
    let shard = plan.shard.as_ref();
    let places = shard.map(|(shard, _)| keep_shard(&mut inputs, *shard));
    let mut targets = Targets::new(plan.target.clone());
    let (sorted, trouble) = sort(inputs, &mut targets, interrupt, report)?;
    let mut groups = FailureGroups::of(&sorted);
    exchange.join(&mut groups);
    report.report(&Event::Grouped(&groups));
    if let (Some((shard, folder)), Some(places)) = (shard, &places) {
        let how = (&plan.target.sameness.rule, false);
        let found = ShardFailures::of(places, how, &sorted, &HashMap::new());
        found
            .write(folder, *shard, "triage")
            .or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))?;
    }
    exchange.write(&groups)?;
    if let Some(casr) = casr {
        casr.write(&sorted.groups)?;
    }
    if let Some(path) = &plan.emit_test {
        let hint = write_of_groups(path, &sorted.groups, &originals, &interrupt.flag())?;
        report.say(&hint);
    }
    let is_done = match &groups.joined {
        Some(joined) => !joined.has_new(),
        None => groups.rows.is_empty(),
    };
    Ok(match trouble {
        Some(exit) => exit,
        None if is_done => Exit::Done,
        None => Exit::DoesNotFail,
    })
}
