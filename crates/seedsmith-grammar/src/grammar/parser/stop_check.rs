//! How long a parse may go on, asked of the caller: nothing here knows the time.

/// Steps from one question to the next: some hundred microseconds.
const STEPS: u32 = 4096;

/// A caller's patience.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    keep_going: &'a dyn Fn() -> bool,
    left: u32,
    has_ended: bool,
}

impl<'a> Patience<'a> {
    /// Patience for as long as `keep_going` says so.
    pub fn new(keep_going: &'a dyn Fn() -> bool) -> Self {
        Patience { keep_going, left: STEPS, has_ended: false }
    }

    /// Whether it has ended, asked at every so many steps. It stays ended.
    pub fn ends(&mut self, steps: u32) -> bool {
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => return self.ends_now(),
        }
        self.has_ended
    }

    /// Whether it has ended, asked at once.
    pub fn ends_now(&mut self) -> bool {
        self.left = STEPS;
        self.has_ended = self.has_ended || !(self.keep_going)();
        self.has_ended
    }
}
