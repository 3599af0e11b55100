//! A target made of a closure: the fake that tests use, and predicates on text.
//!
//! It runs in the caller's thread when its report is taken, so it survives neither crashes nor
//! hangs. The closure's result is the observation.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};
use crate::observation::{Observation, Verdict};
use crate::signature::{Kind, Signature};

/// The function that gets each candidate.
type Body<'f> = dyn FnMut(&[u8]) -> Observation + 'f;

/// A closure from bytes to an observation.
pub struct ClosureTarget<'f> {
    body: Rc<RefCell<Body<'f>>>,
}

impl<'f> ClosureTarget<'f> {
    /// A target that reports the observations of `body`.
    ///
    /// All slots share the closure, which is called by one thread.
    pub fn observing(body: impl FnMut(&[u8]) -> Observation + 'f) -> Self {
        ClosureTarget { body: Rc::new(RefCell::new(body)) }
    }

    /// A target that fails with one constant signature if `fails` returns true.
    ///
    /// Any other input is one that the target keeps.
    pub fn failing_if(mut fails: impl FnMut(&[u8]) -> bool + 'f) -> Self {
        let signature = Arc::new(Signature::of_kind(Kind::Command));
        Self::observing(move |bytes| {
            if fails(bytes) {
                Observation::Failed(signature.clone())
            } else {
                Observation::Returned(Verdict::Keep)
            }
        })
    }
}

impl Target for ClosureTarget<'_> {
    fn name(&self) -> &str {
        "closure"
    }

    fn is_synchronous(&self) -> bool {
        true
    }

    fn open(&self, _bell: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError> {
        Ok(Box::new(ClosureSlot { body: self.body.clone(), queue: VecDeque::new() }))
    }
}

/// Candidates wait here until their report is taken.
struct ClosureSlot<'f> {
    body: Rc<RefCell<Body<'f>>>,
    queue: VecDeque<(u64, Vec<u8>)>,
}

/// Few, so that a success wastes few clones; many, so that speculation is exercised.
const MAX_QUEUED: usize = 8;

impl Slot for ClosureSlot<'_> {
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        _request: Request,
    ) -> Result<bool, TargetError> {
        if self.queue.len() >= MAX_QUEUED {
            return Ok(false);
        }
        self.queue.push_back((ticket, candidate.to_vec()));
        Ok(true)
    }

    fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
        Ok(self.queue.pop_front().map(|(ticket, candidate)| RunReport {
            ticket,
            observation: (self.body.borrow_mut())(&candidate),
            was_fresh: true,
            answer: Vec::new(),
        }))
    }

    /// Nothing to do: whatever is queued is run when its report is taken.
    fn request_notification(&mut self) {}

    fn cancel(&mut self) -> Vec<u64> {
        self.queue.clear();
        Vec::new()
    }

    fn set_limits(&mut self, _limits: Limits) {}

    fn tend(&mut self) -> Result<(), TargetError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_needs_no_notifier_because_what_is_queued_is_ready() {
        let notifier = Notifier::new().unwrap();
        let target = ClosureTarget::failing_if(|_| false);
        let mut slot = target.open(&notifier).unwrap();
        for ticket in 0..3 {
            assert!(slot.push(ticket, b"x", Request::default()).unwrap());
        }
        slot.request_notification();
        let taken = std::iter::from_fn(|| slot.take().unwrap()).map(|report| report.ticket);
        assert_eq!(taken.collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(notifier.count(), 0);
    }
}
