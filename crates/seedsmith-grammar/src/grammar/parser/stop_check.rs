//! Asks the caller whether a parse may continue: nothing here knows the time.

/// Steps from one question to the next: some hundred microseconds.
const STEPS_PER_QUESTION: u32 = 4096;

/// Asks the caller from time to time whether a parse may continue.
#[derive(Clone, Copy)]
pub(crate) struct StopCheck<'a> {
    keep_going: &'a dyn Fn() -> bool,
    left: u32,
    has_ended: bool,
}

impl<'a> StopCheck<'a> {
    /// A check that asks `keep_going`.
    pub(crate) fn new(keep_going: &'a dyn Fn() -> bool) -> Self {
        StopCheck { keep_going, left: STEPS_PER_QUESTION, has_ended: false }
    }

    /// Counts `steps` steps; says whether the parse must stop. The caller is asked after every
    /// `STEPS_PER_QUESTION` steps; once it must stop, it stays so.
    pub(crate) fn must_stop(&mut self, steps: u32) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => return self.must_stop_now(),
        }
        self.has_ended
    }

    /// Asks the caller at once whether the parse must stop.
    pub(crate) fn must_stop_now(&mut self) -> bool {
        self.left = STEPS_PER_QUESTION;
        self.has_ended = self.has_ended || !(self.keep_going)();
        self.has_ended
    }
}
