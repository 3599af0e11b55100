//! Who says what is valid: where the validator comes from, and whether it can be trusted to tell.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::args_repair::ValidIf;
use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::{CommandLine, TargetSource};
use super::repair_one::LARGEST;
use super::repair_plan::RepairPlan;
use super::repair_steady::check_steady;
use super::trouble::talk;
use crate::cargo_fuzz::{Targets, open};
use crate::corpus::Listed;
use crate::repair::likelihood::Likelihood;
use crate::report::Report;
use seedsmith_engine::exec::command::{CommandMode, CommandTarget};
use seedsmith_engine::exec::reach::counters_of;
use seedsmith_engine::exec::{Limits, Target};
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::judge::Validity;
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_engine::outcome::Outcome;

/// Texts that hardly any format allows. Who takes all of them rejects nothing.
const GARBAGE: [&[u8]; 4] =
    [b"\0\xff\xfe\x80 \x01\x02", b"{[(<\"'", b"]}>)\n=,;:\xc3", b"\x7fELF\"\\\n[\0]={<?%&$"];

/// Valid inputs that are learnt from, at most, and how many are tried for that.
const LEARNT_FROM: usize = 64;
const LOOKED_AT: usize = 256;
/// The same where a test costs a process.
const LOOKED_AT_SLOWLY: usize = 16;
/// Longer inputs say no more than shorter ones.
const LONGEST_LEARNT: usize = 64 << 10;

/// What a validator is made of, for each thread anew.
#[derive(Clone, Debug)]
pub enum Source {
    /// A program.
    Command(CommandLine),
    /// A libFuzzer executable, and counters of it that say what is valid, if there are any.
    Executable(PathBuf, Vec<Range<u64>>),
    /// A function of this program.
    Linked(String),
}

impl Source {
    /// What the user calls it.
    pub fn name(&self) -> String {
        match self {
            Source::Command(line) => line.argv[0].to_string_lossy().into_owned(),
            Source::Executable(path, _) => path.display().to_string(),
            Source::Linked(name) => name.clone(),
        }
    }

    /// Opens it. A program sees files that are called like `input`.
    pub fn open(&self, input: &Path) -> Result<Box<dyn Target>, Trouble> {
        Ok(match self {
            Source::Command(line) => {
                let target = CommandTarget::new(line.argv.clone(), CommandMode::ExitZeroIsValid);
                Box::new(target.named_after(input).forking(line.may_fork))
            }
            Source::Executable(path, watched) => open::open_watched(path, watched.clone())?.target,
            Source::Linked(name) => open::open_linked(name)?.target,
        })
    }

    /// Whether it may serve inputs of any name.
    pub fn serves_all(&self) -> bool {
        !matches!(self, Source::Command(_))
    }

    /// An oracle on an open target.
    pub fn oracle<'t>(
        &self,
        target: &'t dyn Target,
        limits: Limits,
        jobs: usize,
    ) -> Result<Oracle<'t>, Trouble> {
        let doing = || format!("failed to run {}", self.name());
        let mut oracle =
            Oracle::new(target, Validity, jobs, Budget::default()).or_exit(Exit::Target, doing)?;
        oracle.set_limits(limits);
        Ok(oracle)
    }
}

/// Finds out who says what is valid, and builds it where needed.
pub fn find(
    plan: &RepairPlan,
    linked: Option<&str>,
    first: &Listed,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Source, Trouble> {
    if let Some(name) = linked.filter(|_| !plan.target.is_named) {
        if plan.valid_if.is_some() {
            let why =
                "--valid-if wants an executable with coverage counters: name one with --binary";
            return Err(Trouble::new(Exit::Usage, why));
        }
        return Ok(Source::Linked(name.to_owned()));
    }
    if let TargetSource::Command(line) = &plan.target.source {
        return Ok(Source::Command(line.clone()));
    }
    let input = input::load(first)?;
    let opened = Targets::new(plan.target.request(None)).open(
        &input,
        &interrupt.flag(),
        &mut talk(report),
    )?;
    let Some(path) = &opened.executable else {
        return Err(Trouble::new(Exit::Target, "the target has no executable of its own"));
    };
    let watched = match &plan.valid_if {
        Some(ValidIf::Reaches(function)) => {
            let doing = || format!("failed to tell from {} what is valid", path.display());
            counters_of(path, function).or_exit(Exit::Target, doing)?
        }
        None => Vec::new(),
    };
    Ok(Source::Executable(path.clone(), watched))
}

/// Says so if the validator has never rejected anything and doesn't seem to do.
pub fn check_signal(plan: &RepairPlan, source: &Source, first: &Listed) -> Result<(), Trouble> {
    let target = source.open(&first.path)?;
    let mut oracle = source.oracle(&*target, plan.target.limits, 1)?;
    let doing = || format!("failed to run {}", source.name());
    if !takes_anything(&mut oracle).or_exit(Exit::Target, doing)? {
        return Ok(());
    }
    Err(Trouble::new(
        Exit::Target,
        format!(
            "{} takes garbage too, so it doesn't tell what is valid: let it return \
             Corpus::Reject (-1) for what its parser refuses, name a validator with \
             --validator COMMAND or -- COMMAND {{}}, or a function behind the parser with \
             --valid-if reaches=FUNCTION",
            source.name()
        ),
    ))
}

/// What is found out before any input's turn: whether the validator says the same each time, whether the
/// base is valid, and, of several inputs, what the first valid ones look like. Costs a few tests, and one
/// for each input that is looked at.
pub fn look_first(
    plan: &RepairPlan,
    source: &Source,
    inputs: &[Listed],
    base: Option<&[u8]>,
    interrupt: &Interrupt,
) -> Result<Likelihood, Trouble> {
    let first = &inputs[0].path;
    let target = source.open(first)?;
    let mut oracle = source.oracle(&*target, plan.target.limits, 1)?;
    // What can't be read is told when its turn comes.
    if let Ok(input) = fs::read(first)
        && input.len() <= LARGEST
    {
        check_steady(&mut oracle, target.is_slow(), &source.name(), first, &input)?;
    }
    let doing = || format!("failed to run {}", source.name());
    if let Some(base) = base
        && oracle.outcome(base).or_exit(Exit::Target, doing)? != Outcome::Pass
    {
        let path = plan.base.as_deref().unwrap_or(Path::new("base"));
        let why = format!("{} is not valid, so nothing can be repaired from it", path.display());
        return Err(Trouble::new(Exit::Usage, why));
    }
    if inputs.len() == 1 {
        return Ok(Likelihood::default());
    }
    let looked_at = if target.is_slow() { LOOKED_AT_SLOWLY } else { LOOKED_AT };
    let inputs = inputs.iter().take(looked_at).take_while(|_| interrupt.exit().is_none());
    siblings(&mut oracle, inputs).or_exit(Exit::Target, doing)
}

/// What the valid ones of some inputs look like: damage is what is unlike them.
fn siblings<'i>(
    oracle: &mut Oracle<'_>,
    inputs: impl Iterator<Item = &'i Listed>,
) -> Result<Likelihood, Stopped> {
    let mut learnt = Likelihood::default();
    let mut left = LEARNT_FROM;
    for listed in inputs {
        let Ok(bytes) = fs::read(&listed.path) else { continue };
        if (1..=LONGEST_LEARNT).contains(&bytes.len()) && oracle.outcome(&bytes)? == Outcome::Pass {
            learnt.learn(&bytes);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok(learnt)
}

/// Whether a validator takes whatever it is given.
pub fn takes_anything(oracle: &mut Oracle<'_>) -> Result<bool, Stopped> {
    oracle.begin_anew(Budget::default());
    for garbage in GARBAGE {
        if oracle.outcome(garbage)? != Outcome::Pass {
            return Ok(false);
        }
    }
    Ok(true)
}
