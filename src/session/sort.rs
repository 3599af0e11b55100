//! Sorts many inputs: which fail, which of them show the same failure, and which one is minimized
//! next.
//!
//! Inputs of different targets are never alike: the frames of a group are of one executable.
//! Trouble with one input, such as a target that does not build, only affects that input. This file
//! does not know where targets come from: the caller runs each input.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use seedsmith_engine::Limits;
use seedsmith_engine::Repeat;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::NoFailureYet;
use seedsmith_engine::internal::Oracle;

use super::error::SessionError;
use super::failing::stopped_at_once;
use super::first_runs::{Baseline, FirstRuns, first_runs};
use super::target::OpenTarget;
use crate::corpus::{Group, Grouping, Inputs, Listed, PassedOver};
use crate::event::{Event, Reporter};

/// An input that fails.
#[derive(Clone)]
pub struct Failing {
    /// The input.
    pub input: Listed,
    /// The target that it fails on.
    pub target: Rc<OpenTarget>,
    /// How, and how steadily.
    pub baseline: Baseline,
}

/// Runs `input` on `target` as often as it takes to say whether it fails, and how.
///
/// Costs five runs in fresh workers, thirty where they don't agree. They do not fix a baseline: an
/// [`OpenSession`](super::OpenSession) begins with new runs.
pub(crate) fn run_first(
    target: &OpenTarget,
    input: &[u8],
    sameness: &Sameness,
    limits: Limits,
    budget: Budget,
) -> Result<FirstRuns, SessionError> {
    let mut oracle = Oracle::new(&*target.target, NoFailureYet, 1, budget)
        .map_err(|source| SessionError::Target { name: target.name.clone(), source })?;
    oracle.set_limits(limits);
    first_runs(&mut oracle, input, sameness, Repeat::Auto)
        .map_err(|stopped| stopped_at_once(target, stopped))
}

/// Sorts inputs as they come, by target and failure.
pub(crate) struct Sorter {
    sameness: Sameness,
    groupings: Vec<(PathBuf, Grouping<Failing>)>,
}

impl Sorter {
    /// Nothing yet; `sameness` says when two failures are one.
    pub(crate) fn new(sameness: Sameness) -> Self {
        Sorter { sameness, groupings: Vec::new() }
    }

    /// Adds an input that fails.
    pub(crate) fn add(&mut self, failing: Failing) {
        let Failing { target, baseline, .. } = &failing;
        let key = target.executable.clone().unwrap_or_else(|| PathBuf::from(&target.name));
        let known = self.groupings.iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            self.groupings.push((key, Grouping::new(self.sameness.clone())));
            self.groupings.len() - 1
        });
        let signature = baseline.signature.clone();
        self.groupings[at].1.add(&signature, failing);
    }

    /// The groups, in the order in which their first inputs came.
    pub(crate) fn into_groups(self) -> Vec<Group<Failing>> {
        self.groupings.into_iter().flat_map(|(_, grouping)| grouping.into_groups()).collect()
    }
}

/// The input that represents a group: the smallest, and of several the first in the list. It is the
/// quickest to minimize, and the nearest to the result.
pub(crate) fn smallest(group: &Group<Failing>) -> &Failing {
    let members = group.members.iter();
    members.min_by_key(|one| one.input.bytes).expect("a group begins with a member")
}

/// The events while inputs are sorted; `E` is the reason why an input cannot be run.
pub(crate) enum Sorting<'a, E> {
    /// Something about finding or opening a target.
    Event(&'a Event<'a>),
    /// An input was run.
    Looked {
        /// The input.
        input: &'a Listed,
        /// The target that it was run on.
        target: &'a OpenTarget,
        /// How often it was run.
        runs: u32,
        /// Its failure, if it fails.
        baseline: Option<&'a Baseline>,
    },
    /// A file cannot be read.
    Unreadable(PassedOver),
    /// An input cannot be run.
    PassedOver {
        /// The input's path.
        path: &'a Path,
        /// Why.
        error: E,
    },
}

/// The result of sorting many inputs.
#[derive(Default)]
pub struct Sorted {
    /// Those that fail, by target and failure, in the order of the inputs.
    pub groups: Vec<Group<Failing>>,
    /// Those that do not fail.
    pub passing: Vec<Listed>,
    /// The number of those that cannot be read or run.
    pub troubled: usize,
}

impl Sorted {
    /// Every file that does not fail, copies too.
    pub fn passing_files(&self) -> Vec<PathBuf> {
        self.passing.iter().flat_map(Listed::files).collect()
    }
}

/// The sorting was interrupted before every input was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before every input was looked at")]
pub(crate) struct Interrupted;

/// Runs one input on its target; notes about the target go to the listener.
pub(crate) type Look<'l, E> =
    dyn FnMut(&Listed, &mut dyn Reporter) -> Result<(Rc<OpenTarget>, FirstRuns), E> + 'l;

/// Lets `look` run every input and sorts them; calls `hear` with each result.
pub(crate) fn sort<E>(
    inputs: Inputs,
    sameness: &Sameness,
    interrupt: &AtomicBool,
    look: &mut Look<'_, E>,
    hear: &mut dyn FnMut(Sorting<'_, E>),
) -> Result<Sorted, Interrupted> {
    let mut sorted = Sorted { troubled: inputs.passed_over.len(), ..Sorted::default() };
    for one in inputs.passed_over {
        hear(Sorting::Unreadable(one));
    }
    let mut sorter = Sorter::new(sameness.clone());
    for listed in inputs.inputs {
        let looked = look(&listed, &mut |event: &Event<'_>| hear(Sorting::Event(event)));
        if interrupt.load(Ordering::Acquire) {
            return Err(Interrupted);
        }
        let (target, seen) = match looked {
            Ok(looked) => looked,
            Err(error) => {
                sorted.troubled += 1;
                hear(Sorting::PassedOver { path: &listed.path, error });
                continue;
            }
        };
        let baseline = seen.baseline(sameness);
        hear(Sorting::Looked {
            input: &listed,
            target: &target,
            runs: seen.runs,
            baseline: baseline.as_ref(),
        });
        match baseline {
            Some(baseline) => sorter.add(Failing { input: listed, target, baseline }),
            None => sorted.passing.push(listed),
        }
    }
    sorted.groups = sorter.into_groups();
    Ok(sorted)
}

/// The next step with an input whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Minimize it, within that time if there is a limit.
    Minimize(Option<Duration>),
    /// Nothing: it is empty.
    Empty,
    /// Nothing: the run was interrupted.
    Interrupted,
    /// Nothing: the time for all is used up.
    NoTimeLeft,
}

/// The inputs to minimize, each with the number of its group: one of each group, or `all` of them.
///
/// Whether there is time left before `deadline` is looked up when an input is taken from the iterator.
pub(crate) fn turns<'g>(
    groups: &'g [Group<Failing>],
    all: bool,
    deadline: Option<Instant>,
    interrupt: &'g AtomicBool,
) -> impl Iterator<Item = (usize, &'g Failing, Turn)> {
    let chosen = move |group: &'g Group<Failing>| -> Vec<&'g Failing> {
        if all { group.members.iter().collect() } else { vec![smallest(group)] }
    };
    let in_groups = groups.iter().enumerate();
    let each =
        in_groups.flat_map(move |(at, group)| chosen(group).into_iter().map(move |one| (at, one)));
    each.map(move |(at, one)| {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let turn = match left {
            _ if one.input.bytes == 0 => Turn::Empty,
            _ if interrupt.load(Ordering::Acquire) => Turn::Interrupted,
            Some(Duration::ZERO) => Turn::NoTimeLeft,
            left => Turn::Minimize(left),
        };
        (at, one, turn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NoteKind;
    use seedsmith_engine::ClosureTarget;

    fn listed(text: &str) -> Listed {
        Listed {
            path: text.into(),
            bytes: text.len() as u64,
            sha1: text.to_owned(),
            copies: Vec::new(),
        }
    }

    /// An input is its path; it fails if it holds an `x`, and cannot be run if it holds a `?`.
    fn sorted(
        texts: &[&str],
        interrupt: &AtomicBool,
    ) -> (Result<Sorted, Interrupted>, Vec<String>) {
        let target = ClosureTarget::failing_if(|bytes| bytes.contains(&b'x'));
        let target = Rc::new(OpenTarget::new(Box::new(target)));
        let inputs = Inputs {
            too_large: Vec::new(),
            hidden: 0,
            inputs: texts.iter().map(|text| listed(text)).collect(),
            passed_over: vec![PassedOver { path: "gone".into(), why: "planted".to_owned() }],
        };
        let sameness = Sameness::default();
        let mut heard = Vec::new();
        let mut look = |one: &Listed, reporter: &mut dyn Reporter| {
            let text = one.path.to_str().unwrap();
            reporter.report(&Event::Note(NoteKind::Input, text));
            if text.contains('?') {
                return Err("no target");
            }
            let budget = Budget::default();
            let limits = Limits::default();
            let seen = run_first(&target, text.as_bytes(), &sameness, limits, budget).unwrap();
            Ok((target.clone(), seen))
        };
        let sorted = sort(inputs, &sameness, interrupt, &mut look, &mut |one| {
            heard.push(match one {
                Sorting::Event(Event::Note(_, text)) => format!("try {text}"),
                Sorting::Event(_) => "event".to_owned(),
                Sorting::Looked { input, baseline, .. } => {
                    format!("{} {}", input.path.display(), baseline.is_some())
                }
                Sorting::Unreadable(one) => format!("{} {}", one.path.display(), one.why),
                Sorting::PassedOver { path, error } => format!("{} {error}", path.display()),
            });
        });
        (sorted, heard)
    }

    #[test]
    fn trouble_with_one_input_ends_only_its_own_part() {
        let (sorted, heard) = sorted(&["aax", "?", "ok", "bx"], &AtomicBool::new(false));
        let sorted = sorted.unwrap();
        let told = [
            "gone planted",
            "try aax",
            "aax true",
            "try ?",
            "? no target",
            "try ok",
            "ok false",
            "try bx",
            "bx true",
        ];
        assert_eq!(heard, told);
        assert_eq!((sorted.groups.len(), sorted.groups[0].members.len()), (1, 2));
        assert_eq!((sorted.passing_files(), sorted.troubled), (vec!["ok".into()], 2));
    }

    #[test]
    fn an_interrupt_ends_the_sorting_after_the_input_that_is_run() {
        let (sorted, heard) = sorted(&["a", "b"], &AtomicBool::new(true));
        assert_eq!(sorted.err(), Some(Interrupted));
        assert_eq!(heard, ["gone planted", "try a"]);
    }

    #[test]
    fn the_smallest_of_a_group_has_a_turn_or_all_have_one() {
        let go_on = AtomicBool::new(false);
        let sorted = sorted(&["aax", "bx"], &go_on).0.unwrap();
        let names = |all| -> Vec<&str> {
            let turns = turns(&sorted.groups, all, None, &go_on);
            turns.map(|(_, one, _)| one.input.path.to_str().unwrap()).collect()
        };
        assert_eq!((names(false), names(true)), (vec!["bx"], vec!["aax", "bx"]));
    }

    #[test]
    fn a_turn_says_when_there_is_nothing_to_do() {
        let go_on = AtomicBool::new(false);
        let mut sorted = sorted(&["x"], &go_on).0.unwrap();
        let turn = |sorted: &Sorted, deadline, interrupt: &AtomicBool| {
            turns(&sorted.groups, false, deadline, interrupt).next().unwrap().2
        };
        assert_eq!(turn(&sorted, None, &go_on), Turn::Minimize(None));
        assert_eq!(turn(&sorted, Some(Instant::now()), &go_on), Turn::NoTimeLeft);
        assert_eq!(turn(&sorted, None, &AtomicBool::new(true)), Turn::Interrupted);
        sorted.groups[0].members[0].input.bytes = 0;
        assert_eq!(turn(&sorted, None, &go_on), Turn::Empty);
    }
}
