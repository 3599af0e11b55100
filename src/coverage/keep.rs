//! A target that fails exactly when it reaches what is wanted, so that every reducer that shrinks
//! failing inputs shrinks inputs under coverage too.
//!
//! What a candidate reaches is looked at where its report is taken, before the oracle sees it, so
//! that the cache keeps the answer like any other. The wanted features never change during a
//! search.

use std::rc::Rc;
use std::sync::Arc;

use seedsmith_engine::Judge;
use seedsmith_engine::Observation;
use seedsmith_engine::Outcome;
use seedsmith_engine::internal::{FeatureText, features};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};

use super::unstable::Unstable;

/// What a candidate has to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of these features, in ascending order.
    All(Vec<u32>),
    /// One of these counters, in ascending order, whatever its count is.
    Any(Vec<u32>),
}

impl Wanted {
    /// Whether an input with the features of `list` reaches what is wanted.
    pub(crate) fn is_met_by(&self, list: &FeatureText) -> bool {
        match self {
            Wanted::All(wanted) => {
                let mut wanted = wanted.iter().peekable();
                for feature in features(list) {
                    match wanted.peek() {
                        None => return true,
                        Some(next) if **next < feature => return false,
                        Some(next) if **next == feature => _ = wanted.next(),
                        Some(_) => {}
                    }
                }
                wanted.peek().is_none()
            }
            Wanted::Any(counters) => {
                use seedsmith_engine::internal::BUCKETS;
                features(list).any(|one| counters.binary_search(&(one / BUCKETS)).is_ok())
            }
        }
    }
}

/// The judge of such a search: only what reaches the wanted features fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keeps;

impl Judge for Keeps {
    /// What is reached fails; what ran without reaching it passes; anything else, also a crash, is
    /// unresolved: a smaller input that crashes must not take the place of one that reaches the
    /// wanted code.
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Failed(signature) if signature.kind == Kind::Reached => Outcome::Fail,
            Observation::Returned(_) | Observation::Complained(_) => Outcome::Pass,
            _ => Outcome::Unresolved,
        }
    }

    /// The result is run in a new process at the end: a new worker for each accepted candidate would
    /// cost more than all other runs.
    fn confirms_failures(&self) -> bool {
        false
    }
}

/// A target that reports features, as one that fails where they are wanted.
pub(crate) struct KeepTarget<'t> {
    /// The target that reports features.
    inner: Inner<'t>,
    /// The features that have to be reached.
    wanted: Rc<Wanted>,
    /// The counters that are left out of the features first.
    unstable: Rc<Unstable>,
    /// The failure of what reaches it.
    signature: Arc<Signature>,
}

/// A target of which another one is made.
pub(crate) enum Inner<'t> {
    /// It is used elsewhere too.
    Shared(&'t dyn Target),
    /// It is used here only.
    Own(Box<dyn Target>),
}

impl Inner<'_> {
    fn get(&self) -> &dyn Target {
        match self {
            Inner::Shared(target) => *target,
            Inner::Own(target) => &**target,
        }
    }
}

impl<'t> KeepTarget<'t> {
    /// Fails where `inner`, which has to report features, reaches what is `wanted` without what is
    /// `unstable`.
    pub(crate) fn new(inner: Inner<'t>, wanted: Wanted, unstable: Unstable) -> Self {
        let signature = Arc::new(Signature::of_kind(Kind::Reached));
        KeepTarget { inner, wanted: Rc::new(wanted), unstable: Rc::new(unstable), signature }
    }

    /// A slot of the inner target, as one of this target.
    fn slot<'s>(&self, inner: Box<dyn Slot + 's>) -> Box<dyn Slot + 's> {
        let (wanted, unstable) = (self.wanted.clone(), self.unstable.clone());
        let signature = self.signature.clone();
        Box::new(KeepSlot { inner, wanted, unstable, signature, empty: Vec::new() })
    }
}

impl Target for KeepTarget<'_> {
    fn name(&self) -> &str {
        self.inner.get().name()
    }

    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError> {
        Ok(self.slot(self.inner.get().open(notifier)?))
    }

    fn open_varied(
        &self,
        notifier: &Notifier,
        variation: u32,
    ) -> Result<Box<dyn Slot + '_>, TargetError> {
        Ok(self.slot(self.inner.get().open_varied(notifier, variation)?))
    }

    fn is_slow(&self) -> bool {
        self.inner.get().is_slow()
    }

    fn max_slots(&self) -> usize {
        self.inner.get().max_slots()
    }

    fn is_synchronous(&self) -> bool {
        self.inner.get().is_synchronous()
    }
}

/// A slot that turns what reaches the wanted features into a failure. Everything else is the inner
/// slot's.
struct KeepSlot<'s> {
    /// The slot of the target that reports features.
    inner: Box<dyn Slot + 's>,
    wanted: Rc<Wanted>,
    unstable: Rc<Unstable>,
    signature: Arc<Signature>,
    /// Tickets of empty candidates under way. Fuzzers pass over empty files, so an empty one keeps nothing.
    empty: Vec<u64>,
}

impl Slot for KeepSlot<'_> {
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        request: Request,
    ) -> Result<bool, TargetError> {
        let is_taken = self.inner.push(ticket, candidate, request)?;
        if is_taken && candidate.is_empty() {
            self.empty.push(ticket);
        }
        Ok(is_taken)
    }

    /// Costs one reading of the candidate's features.
    fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
        let Some(mut report) = self.inner.take()? else { return Ok(None) };
        let is_empty = self.empty.iter().position(|ticket| *ticket == report.ticket);
        let is_empty = is_empty.map(|at| self.empty.swap_remove(at)).is_some();
        if matches!(report.observation, Observation::Returned(_)) && !is_empty {
            let mut reached = FeatureText::new(std::mem::take(&mut report.answer));
            if !self.unstable.is_empty() {
                reached = self.unstable.stable_part(&reached);
            }
            if self.wanted.is_met_by(&reached) {
                report.observation = Observation::Failed(self.signature.clone());
            }
        }
        Ok(Some(report))
    }

    fn request_notification(&mut self) {
        self.inner.request_notification();
    }

    fn cancel(&mut self) -> Vec<u64> {
        let still = self.inner.cancel();
        self.empty.retain(|ticket| still.contains(ticket));
        still
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn tend(&mut self) -> Result<(), TargetError> {
        self.inner.tend()
    }
}

/// A target in this process that reaches a counter for each byte value of its input, for tests.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use seedsmith_engine::Verdict;
    use seedsmith_engine::internal::BUCKETS;
    use std::collections::{BTreeSet, VecDeque};

    pub struct ByteValues;

    struct Values(VecDeque<RunReport>);

    /// The features of an input: its byte values.
    pub fn values(bytes: &[u8]) -> Vec<u32> {
        let values: BTreeSet<u32> = bytes.iter().map(|byte| u32::from(*byte) * BUCKETS).collect();
        values.into_iter().collect()
    }

    impl Target for ByteValues {
        fn name(&self) -> &str {
            "byte values"
        }

        fn open(&self, _notifier: &Notifier) -> Result<Box<dyn Slot>, TargetError> {
            Ok(Box::new(Values(VecDeque::new())))
        }

        fn is_synchronous(&self) -> bool {
            true
        }
    }

    impl Slot for Values {
        fn push(&mut self, ticket: u64, bytes: &[u8], _: Request) -> Result<bool, TargetError> {
            if self.0.len() >= 8 {
                return Ok(false);
            }
            let observation = match bytes.contains(&b'!') {
                true => Observation::Failed(Arc::new(Signature::of_kind(Kind::Abort))),
                false => Observation::Returned(Verdict::Keep),
            };
            let list = FeatureText::of(&values(bytes));
            let said = AsRef::<[u8]>::as_ref(&list).to_vec();
            self.0.push_back(RunReport { ticket, observation, was_fresh: true, answer: said });
            Ok(true)
        }

        fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
            Ok(self.0.pop_front())
        }

        fn request_notification(&mut self) {}

        fn cancel(&mut self) -> Vec<u64> {
            self.0.clear();
            Vec::new()
        }

        fn set_limits(&mut self, _: Limits) {}

        fn tend(&mut self) -> Result<(), TargetError> {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_wanted_features_have_to_be_there_and_others_may() {
        let met = |wanted: &[u32], list: &[u32]| {
            Wanted::All(wanted.to_vec()).is_met_by(&FeatureText::of(list))
        };
        assert!(met(&[], &[]) && met(&[8], &[0, 8, 16]) && met(&[8, 17], &[8, 17]));
        assert!(
            !met(&[8], &[]) && !met(&[8], &[9]) && !met(&[8, 17], &[8, 16]) && !met(&[99], &[8])
        );
    }

    #[test]
    fn one_of_several_counters_is_enough_whatever_its_count() {
        let met = |list: &[u32]| Wanted::Any(vec![1, 5]).is_met_by(&FeatureText::of(list));
        assert!(met(&[11]) && met(&[0, 47]));
        assert!(!met(&[]) && !met(&[16, 48]));
    }
}
