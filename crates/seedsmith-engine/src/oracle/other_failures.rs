//! Failures that a search meets besides the wanted one: each is kept once, with the simplest input that
//! showed it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::oracle::judge::Judge;
use crate::signature::Signature;
use seedsmith_grammar::internal::order;

/// Failures that are kept at most: more than a person looks at. A guess; not measured.
const MAX_FAILURES: usize = 256;
/// Bytes of their inputs at most (the first one is kept however large it is), so that large inputs do not
/// fill memory. A guess; not measured.
const MAX_INPUT_BYTES: usize = 32 << 20;
/// Signatures whose place is remembered, so that it needn't be looked for again: a bound of memory. A
/// guess; not measured.
const MAX_KNOWN_SIGNATURES: usize = 1 << 16;

/// A failure that is not the wanted one.
#[derive(Clone, Debug)]
pub struct OtherFailure {
    /// Its signature when it was first met, with the message that `input` gives.
    pub signature: Arc<Signature>,
    /// The simplest input so far that showed it.
    pub input: Vec<u8>,
}

/// The other failures until now. They are added in candidate order, so they are the same for any number
/// of workers.
#[derive(Default)]
pub(super) struct OtherFailures {
    kept: Vec<OtherFailure>,
    /// Bytes of all kept inputs.
    bytes: usize,
    /// The place of a signature in `kept`; `None` if there was no room.
    known: HashMap<Arc<Signature>, Option<usize>>,
    left_out: usize,
}

impl OtherFailures {
    /// Adds a failure that is not the wanted one of `judge`. Costs a look-up; the first time that a signature
    /// is met, a comparison with every one that is kept.
    pub(super) fn take(&mut self, signature: &Arc<Signature>, candidate: &[u8], judge: &dyn Judge) {
        let place = match self.known.get(signature) {
            Some(place) => *place,
            None => self.find_place(signature, candidate, judge),
        };
        let Some(kept) = place.map(|index| &mut self.kept[index]) else { return };
        if order::is_simpler(candidate, &kept.input) {
            self.bytes = self.bytes - kept.input.len() + candidate.len();
            kept.input.clear();
            kept.input.extend_from_slice(candidate);
            let text = |one: &Signature| one.message.as_ref().map(|one| one.text().to_owned());
            if text(&kept.signature) != text(signature) {
                let message = signature.message.clone();
                kept.signature = Arc::new(Signature { message, ..(*kept.signature).clone() });
            }
        }
    }

    /// The failures, in the order in which they were met.
    pub(super) fn kept(&self) -> &[OtherFailure] {
        &self.kept
    }

    /// How many signatures were met for which there was no room.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    fn find_place(
        &mut self,
        signature: &Arc<Signature>,
        candidate: &[u8],
        judge: &dyn Judge,
    ) -> Option<usize> {
        let same = self.kept.iter().position(|one| judge.are_one(&one.signature, signature));
        let has_room = self.kept.is_empty()
            || (self.kept.len() < MAX_FAILURES && self.bytes + candidate.len() <= MAX_INPUT_BYTES);
        let place = same.or_else(|| {
            has_room.then(|| {
                self.bytes += candidate.len();
                self.kept
                    .push(OtherFailure { signature: signature.clone(), input: candidate.to_vec() });
                self.kept.len() - 1
            })
        });
        if place.is_none() {
            self.left_out += 1;
        }
        if self.known.len() >= MAX_KNOWN_SIGNATURES {
            self.known.clear();
        }
        self.known.insert(signature.clone(), place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::judge::SameFailure;
    use crate::sameness::Sameness;
    use crate::signature::{Kind, Message};

    fn panic_at(place: &str, message: &str) -> Arc<Signature> {
        Arc::new(Signature {
            place: Some(place.to_owned()),
            message: Some(Message::new(message)),
            ..Signature::of_kind(Kind::Panic)
        })
    }

    fn judge() -> SameFailure {
        SameFailure { signature: Signature::of_kind(Kind::Abort), sameness: Sameness::default() }
    }

    #[test]
    fn each_failure_is_kept_once_by_its_simplest_input() {
        let mut failures = OtherFailures::default();
        for (place, message, input) in [
            ("a.rs:1", "x", &b"three"[..]),
            ("b.rs:1", "x", b"other"),
            ("a.rs:1", "y", b"two"),
            ("a.rs:1", "x", b"four"),
        ] {
            failures.take(&panic_at(place, message), input, &judge());
        }
        let kept: Vec<&[u8]> = failures.kept().iter().map(|one| &*one.input).collect();
        assert_eq!(kept, [&b"two"[..], b"other"]);
        assert_eq!(failures.kept()[0].signature, panic_at("a.rs:1", "y"), "as its input prints it");
    }

    #[test]
    fn memory_is_bounded_and_what_is_left_out_is_counted() {
        let mut failures = OtherFailures::default();
        for line in 0..MAX_FAILURES + 3 {
            failures.take(&panic_at(&format!("a.rs:{line}"), ""), b"x", &judge());
        }
        assert_eq!((failures.kept().len(), failures.left_out()), (MAX_FAILURES, 3));
        let mut failures = OtherFailures::default();
        let large = vec![0; MAX_INPUT_BYTES];
        failures.take(&panic_at("a", ""), &large, &judge());
        failures.take(&panic_at("b", ""), b"x", &judge());
        assert_eq!((failures.kept().len(), failures.left_out()), (1, 1));
    }
}
