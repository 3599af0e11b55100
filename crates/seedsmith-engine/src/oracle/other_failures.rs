//! Failures that were met on the way and not followed: each once, by the simplest input that
//! showed it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::oracle::judge::Judge;
use crate::signature::Signature;
use seedsmith_grammar::internal::order;

/// Failures kept at most; a target with more has other worries.
const KEPT: usize = 256;
/// Bytes of their inputs at most (the first one is kept however large it is).
const KEPT_BYTES: usize = 32 << 20;
/// Signatures whose group is remembered, so that it needn't be looked for again.
const REMEMBERED: usize = 1 << 16;

/// A failure that is not the hunted one.
#[derive(Clone, Debug)]
pub struct OtherFailure {
    /// Who it is, as it was first met, with the message that `input` gives.
    pub signature: Arc<Signature>,
    /// The simplest input so far that showed it.
    pub input: Vec<u8>,
}

/// What was caught so far. It is fed in candidate order, so it is the same for any number of
/// workers.
#[derive(Default)]
pub(super) struct Net {
    caught: Vec<OtherFailure>,
    bytes: usize,
    /// The place of a signature in `caught`; `None` if there was no room.
    known: HashMap<Arc<Signature>, Option<usize>>,
    left_out: usize,
}

impl Net {
    /// Takes a failure that `judge` doesn't hunt. Costs a look-up; the first time that a signature
    /// is met, a comparison with every one that is kept.
    pub fn take(&mut self, signature: &Arc<Signature>, candidate: &[u8], judge: &dyn Judge) {
        let place = match self.known.get(signature) {
            Some(place) => *place,
            None => self.find_place(signature, candidate, judge),
        };
        let Some(caught) = place.map(|index| &mut self.caught[index]) else { return };
        if order::is_simpler(candidate, &caught.input) {
            self.bytes = self.bytes - caught.input.len() + candidate.len();
            caught.input.clear();
            caught.input.extend_from_slice(candidate);
            let text = |one: &Signature| one.message.as_ref().map(|one| one.text().to_owned());
            if text(&caught.signature) != text(signature) {
                let message = signature.message.clone();
                caught.signature = Arc::new(Signature { message, ..(*caught.signature).clone() });
            }
        }
    }

    /// What was caught, in the order of meeting.
    pub fn caught(&self) -> &[OtherFailure] {
        &self.caught
    }

    /// How many signatures were met for which there was no room.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    fn find_place(
        &mut self,
        signature: &Arc<Signature>,
        candidate: &[u8],
        judge: &dyn Judge,
    ) -> Option<usize> {
        let same = self.caught.iter().position(|one| judge.are_one(&one.signature, signature));
        let has_room = self.caught.is_empty()
            || (self.caught.len() < KEPT && self.bytes + candidate.len() <= KEPT_BYTES);
        let place = same.or_else(|| {
            has_room.then(|| {
                self.bytes += candidate.len();
                self.caught
                    .push(OtherFailure { signature: signature.clone(), input: candidate.to_vec() });
                self.caught.len() - 1
            })
        });
        if place.is_none() {
            self.left_out += 1;
        }
        if self.known.len() >= REMEMBERED {
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
        let mut net = Net::default();
        for (place, message, input) in [
            ("a.rs:1", "x", &b"three"[..]),
            ("b.rs:1", "x", b"other"),
            ("a.rs:1", "y", b"two"),
            ("a.rs:1", "x", b"four"),
        ] {
            net.take(&panic_at(place, message), input, &judge());
        }
        let caught: Vec<&[u8]> = net.caught().iter().map(|one| &*one.input).collect();
        assert_eq!(caught, [&b"two"[..], b"other"]);
        assert_eq!(net.caught()[0].signature, panic_at("a.rs:1", "y"), "as its input prints it");
    }

    #[test]
    fn memory_is_bounded_and_what_is_left_out_is_counted() {
        let mut net = Net::default();
        for line in 0..KEPT + 3 {
            net.take(&panic_at(&format!("a.rs:{line}"), ""), b"x", &judge());
        }
        assert_eq!((net.caught().len(), net.left_out()), (KEPT, 3));
        let mut net = Net::default();
        let large = vec![0; KEPT_BYTES];
        net.take(&panic_at("a", ""), &large, &judge());
        net.take(&panic_at("b", ""), b"x", &judge());
        assert_eq!((net.caught().len(), net.left_out()), (1, 1));
    }
}
