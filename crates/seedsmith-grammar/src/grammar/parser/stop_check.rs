//! How long a parse may continue, asked of the caller: nothing here knows the time.

/// Steps from one question to the next: some hundred microseconds.
const STEPS_PER_QUESTION: u32 = 4096;

/// A caller's patience.
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

    /// Whether it has ended, asked at every that many steps. It stays ended.
    pub(crate) fn must_stop(&mut self, steps: u32) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => return self.must_stop_now(),
        }
        self.has_ended
    }

    /// Whether it has ended, asked at once.
    pub(crate) fn must_stop_now(&mut self) -> bool {
        self.left = STEPS_PER_QUESTION;
        self.has_ended = self.has_ended || !(self.keep_going)();
        self.has_ended
    }
}
