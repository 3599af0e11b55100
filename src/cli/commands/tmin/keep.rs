//! `tmin --keep`: the target of a search for a smaller input with the same coverage.
//!
//! The search is that of a failing input. Its target fails exactly when a candidate reaches what the input has to
//! keep, so everything that holds for a result of `tmin` holds here too.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use crate::cargo_fuzz::{Input, TargetRequest};
use crate::cli::arguments::keep::Keep;
use crate::cli::commands::corpora::{keep_rule, open_with_counters};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::tmin::TminPlan;
use crate::cli::trouble::talk;
use crate::corpus::{ByContent, content_name};
use crate::coverage::gather::GatherError;
use crate::coverage::keep::{Inner, KeepTarget, Wanted};
use crate::coverage::run::{SurveyOptions, survey};
use crate::coverage::survey::Exact;
use crate::report::Reporters;
use crate::session::target::{OpenTarget, Origin};
use seedsmith_engine::internal::FeatureKind;
use seedsmith_grammar::Digest;

/// Opens the target with coverage counters, runs the input there, and gives a target that fails where `keep` holds.
///
/// With [`Keep::Unique`] the other files of the input's folder run too.
///
/// # Errors
///
/// The target has no counters or not this function, or the input fails or has nothing to keep (exit code 1).
pub(super) fn open(
    keep: &Keep,
    plan: &TminPlan,
    input: &Input,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<OpenTarget, Trouble> {
    let flag = interrupt.flag();
    let request = TargetRequest { has_coverage: true, ..plan.target.clone() };
    let first = || Ok(input.clone());
    let kind = FeatureKind::Counts;
    let opened =
        open_with_counters("tmin --keep", request, kind, &first, &flag, &mut talk(report))?;
    let rule = keep_rule(keep, &opened)?;
    let mut files = vec![input.path.clone()];
    if *keep == Keep::Unique {
        files.extend(beside(&input.path));
    }
    let jobs = NonZero::new(plan.session.jobs).unwrap_or(NonZero::<usize>::MIN);
    let contents = ByContent::new(files, None, jobs, &flag);
    let options = SurveyOptions {
        limits: plan.session.limits,
        jobs,
        exact: Exact::All,
        // A candidate is compared with the input, which has to get the same.
        varied: false,
    };
    let found = survey(&*opened.target, contents, &options, None, &flag);
    let (survey, _) = found.map_err(|error| match error {
        GatherError::Target(error) => Trouble::by(Exit::Target, error),
        error => Trouble::by(interrupt.exit().unwrap_or(Exit::Interrupted), error),
    })?;
    let name = content_name(&input.bytes);
    let path = input.path.display();
    let Some(own) = survey.passing.iter().find(|one| one.input.sha1 == name) else {
        let why = match survey.failing.iter().find(|(failing, _)| failing.sha1 == name) {
            Some((_, signature)) => format!("fails on {} ({signature})", opened.name),
            None => "is empty or cannot be read again".to_owned(),
        };
        return Err(Trouble::new(
            Exit::DoesNotFail,
            format!("{path} {why}; --keep shrinks an input that does not fail"),
        ));
    };
    let others = survey.passing.iter().filter(|one| one.input.sha1 != name);
    let others = others.map(|one| &one.features);
    let wanted = rule.wanted(&own.features, others);
    if !wanted.is_met_by(&own.features) || matches!(&wanted, Wanted::All(list) if list.is_empty()) {
        let why = match keep {
            Keep::All => "reaches nothing".to_owned(),
            Keep::Unique => "has no feature that no other file of its folder has".to_owned(),
            Keep::Reaches(function) => format!("does not reach {function}"),
        };
        return Err(Trouble::new(Exit::DoesNotFail, format!("{path} {why} on {}", opened.name)));
    }
    // What else is in the folder decides which features are unique.
    let among = match (keep, &wanted) {
        (Keep::Unique, Wanted::All(list)) => {
            let bytes: Vec<u8> = list.iter().flat_map(|one| one.to_le_bytes()).collect();
            format!(" ({:?})", Digest::of(&bytes))
        }
        _ => String::new(),
    };
    let origin = Origin::Unknown(format!("{} with --keep coverage={keep}{among}", opened.name));
    let OpenTarget { target, name, executable, .. } = opened;
    let target = KeepTarget::new(Inner::Own(target), wanted, survey.unstable);
    Ok(OpenTarget { name, executable, origin, ..OpenTarget::new(Box::new(target)) })
}

/// The other files in the folder of `input`; none if it cannot be read.
fn beside(input: &Path) -> Vec<PathBuf> {
    let folder = input.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten();
    let files = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
    files.collect()
}
