//! One of many inputs: its target is found and opened, and the input is run on it.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cargo_fuzz::choose::ChooseError;
use crate::cargo_fuzz::input;
use crate::cargo_fuzz::input::{Input, InputError};
use crate::cargo_fuzz::targets::{Effort, Targets};
use crate::corpus::Listed;
use crate::event::Reporter;
use crate::session::error::SessionError;
use crate::session::first_runs::FirstRuns;
use crate::session::sort::run_first;
use crate::session::target::{OpenTarget, Origin};
use seedsmith_engine::internal::Budget;

/// Why one of many inputs cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum LookError {
    /// It cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Its target cannot be found or opened.
    #[error(transparent)]
    Target(#[from] ChooseError),
    /// Its target cannot be run.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl Targets {
    /// Finds the target of `listed` and runs the input there a few times; if it does not fail, it
    /// is run on the executable that cargo-fuzz built, if there is one; a command is run in another
    /// folder.
    ///
    /// Costs five runs in fresh workers for each executable, thirty where they don't agree.
    pub(crate) fn look(
        &mut self,
        listed: &Listed,
        interrupt: &Arc<AtomicBool>,
        reporter: &mut dyn Reporter,
    ) -> Result<(Rc<OpenTarget>, FirstRuns), LookError> {
        self.look_at(&input::load(listed, interrupt)?, interrupt, reporter)
    }

    /// The same for an input that was read.
    pub(crate) fn look_at(
        &mut self,
        input: &Input,
        interrupt: &Arc<AtomicBool>,
        reporter: &mut dyn Reporter,
    ) -> Result<(Rc<OpenTarget>, FirstRuns), LookError> {
        let opened = self.open(input, interrupt, reporter)?;
        let seen = self.run(&opened, input, interrupt)?;
        let (mut last, mut fails) = (opened.clone(), self.fails(&seen));
        while !fails
            && let Some(stricter) = self.stricter(&last, Effort::ExistingBuild, reporter)?
        {
            let again = self.run(&stricter, input, interrupt)?;
            fails = self.fails(&again);
            if fails {
                self.learn_workplace(&stricter);
                return Ok((stricter, again));
            }
            last = stricter;
        }
        if fails {
            self.learn_workplace(&opened);
        }
        Ok((opened, seen))
    }

    /// The inputs that follow are run in the same place.
    ///
    /// Otherwise each of a hundred inputs would be tried in a new folder first, in vain.
    fn learn_workplace(&mut self, opened: &OpenTarget) {
        if let Origin::Command { line, .. } = &opened.origin {
            self.workplace = Some(line.workplace);
        }
    }

    /// Whether the runs show a failure that counts by the rules of the request.
    fn fails(&self, seen: &FirstRuns) -> bool {
        seen.baseline(&self.request().sameness).is_some()
    }

    /// Runs the input as often as it takes to say whether it fails, with the limits that its name
    /// asks for.
    fn run(
        &self,
        opened: &OpenTarget,
        input: &Input,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<FirstRuns, SessionError> {
        let budget = Budget { interrupt: interrupt.clone(), ..Budget::default() };
        let request = self.request();
        let limits = request.limits_for(&input.path);
        run_first(opened, &input.bytes, &request.sameness, limits, budget)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::cargo_fuzz::{CommandLine, TargetRequest, TargetSource};
    use crate::event::Event;

    #[test]
    fn an_input_is_run_on_its_target_and_a_missing_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        fs::write(&path, "x").unwrap();
        let listed = Listed { path, bytes: 1, sha1: String::new(), copies: Vec::new() };
        let argv = ["sh", "-c", "exit 0", "sh", "{}"].map(Into::into).to_vec();
        let source = TargetSource::Command(CommandLine::new(argv));
        let mut targets = Targets::new(TargetRequest::new(source));
        let interrupt = Arc::default();
        let mut quiet = |_: &Event<'_>| {};
        let (opened, seen) = targets.look(&listed, &interrupt, &mut quiet).unwrap();
        assert_eq!(opened.name, "sh");
        assert!(seen.baseline(&targets.request().sameness).is_some());
        fs::remove_file(&listed.path).unwrap();
        let error = targets.look(&listed, &interrupt, &mut quiet).err();
        assert!(matches!(error, Some(LookError::Input(InputError::Read { .. }))));
    }
}
