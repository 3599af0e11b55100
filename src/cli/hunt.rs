//! A hunt that is on: an input that fails, the target on which it does, and who is hunted.

use super::exit::{Exit, Trouble};
use super::input::Input;
use super::interrupt::Interrupt;
use super::probe::{self, Confirmation, Quarry};
use super::stack::Stacks;
use crate::event::StopReason;
use crate::session::target::OpenTarget;
use seedsmith_engine::exec::Limits;
use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::oracle::judge::Hunt;
use seedsmith_engine::oracle::repeats::Repeats;

/// What every task needs to know of the failure.
pub struct Hunting<'r> {
    /// The failing input.
    pub input: &'r Input,
    /// What it fails on.
    pub opened: &'r OpenTarget,
    /// What one test may use.
    pub limits: Limits,
    /// Who is hunted, and when another failure is the same.
    pub hunt: Hunt,
    /// How steadily it showed.
    pub quarry: Quarry,
    /// How often each candidate is run.
    pub repeats: Repeats,
    /// Names its stacks.
    pub stacks: Stacks,
    /// Whether somebody wants an end.
    pub interrupt: &'r Interrupt,
}

impl Hunting<'_> {
    /// Runs `candidate` in new processes, as often as its steadiness asks for.
    pub fn confirm(&self, candidate: &[u8]) -> Result<Confirmation, Trouble> {
        probe::confirm(
            &*self.opened.target,
            &self.hunt,
            self.limits,
            (&self.quarry, self.repeats),
            candidate,
        )
        .map_err(|stopped| self.trouble(stopped))
    }

    /// How a search that ended so ends the program.
    pub fn exit(&self, stopped: Option<StopReason>, is_sure: bool) -> Exit {
        match stopped {
            _ if !is_sure => Exit::Unsteady,
            Some(StopReason::Interrupted) => self.interrupt.exit().unwrap_or(Exit::Interrupted),
            Some(_) => Exit::BudgetOver,
            None => Exit::Done,
        }
    }

    /// What a target that stopped means for the user.
    pub fn trouble(&self, stopped: Stopped) -> Trouble {
        if let Stopped::Early(_) = stopped {
            return stopped_at_once(self.interrupt);
        }
        let doing = format!("failed to run {}", self.opened.name);
        Trouble { exit: Exit::Target, cause: anyhow::Error::from(stopped).context(doing) }
    }
}

/// The run ended before there was anything to keep.
pub fn stopped_at_once(interrupt: &Interrupt) -> Trouble {
    let exit = interrupt.exit().unwrap_or(Exit::BudgetOver);
    Trouble::new(exit, "stopped before the search began; nothing was written")
}
