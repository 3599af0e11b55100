//! The cached observations of candidates, by digest.
//!
//! Observations of candidates that were *consumed*, in candidate order, are kept apart from those of
//! candidates that ran *ahead* of the order. The first kind counts as tested, and which of them are
//! dropped depends on that order alone, so that counts are the same for any number of workers. An
//! observation of the second kind saves the run, but its first consumption still counts as a test.
//!
//! A candidate that ended did so under any limit; one that did not is only known not to end within
//! the limit of its time, and is not known under a longer one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::codes::Codes;
use super::store::Store;
use crate::observation::{Complaint, Observation, Verdict};
use crate::signature::{Kind, Signature};
use seedsmith_grammar::digest::{Digest, NumberMap};

/// Complaints that are kept, at most: some 20 MB where each has a kilobyte or so. Further ones are remembered as rejections.
const MAX_COMPLAINTS: u32 = 16_384;
/// Complaints have codes from here on; see [`Cache::complaints`].
const FIRST_COMPLAINT: u32 = LOST - MAX_COMPLAINTS;

/// Index of an observation in [`Cache::failures`]; these three need no entry.
const KEEP: u32 = u32::MAX;
const REJECT: u32 = u32::MAX - 1;
const LOST: u32 = u32::MAX - 2;
const UNRESOLVED: u32 = u32::MAX - 3;

/// A bounded store of observations.
///
/// Memory: about 33 bytes an entry, at most two generations of entries and
/// one of those that ran ahead. Signatures are kept once each.
pub struct Cache {
    /// Codes of consumed candidates, the newer generation.
    young: NumberMap<u128, u32>,
    /// The generation before; dropped as a whole when the newer one is full.
    old: NumberMap<u128, u32>,
    /// Codes of candidates that ran ahead of the order.
    ahead: NumberMap<u128, u32>,
    /// Failures by their codes.
    failures: Vec<Failure>,
    /// The codes of failures; a timeout has one for each limit.
    codes: Codes<Option<Duration>>,
    /// Messages of rejected candidates, by their codes less [`FIRST_COMPLAINT`].
    complaints: Vec<Arc<Complaint>>,
    complaint_codes: HashMap<Arc<Complaint>, u32>,
    generation: usize,
    store: Option<Store>,
    limit: Duration,
}

/// A failure, and for a timeout the limit under which it was seen.
struct Failure {
    signature: Arc<Signature>,
    limit: Option<Duration>,
}

/// How a candidate is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Known {
    /// It was consumed before: a cache hit.
    Consumed(Observation),
    /// An earlier run consumed it, and believed it.
    Stored(Observation),
    /// It ran, but ahead of the order.
    Ahead(Observation),
}

impl Default for Cache {
    /// Half a million entries a generation: some 50 MB when full, at 33 bytes an entry and three maps. A
    /// search of more tests forgets the oldest, which it hardly ever proposes again; the value is a guess.
    fn default() -> Self {
        Cache::with_generation(500_000)
    }
}

impl Cache {
    /// A cache whose generations hold `generation` entries each.
    pub fn with_generation(generation: usize) -> Self {
        Cache {
            young: NumberMap::default(),
            old: NumberMap::default(),
            ahead: NumberMap::default(),
            failures: Vec::new(),
            codes: Codes::default(),
            complaints: Vec::new(),
            complaint_codes: HashMap::new(),
            generation: generation.max(1),
            store: None,
            limit: Duration::ZERO,
        }
    }

    /// Says under which limit of time candidates run from now on.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// The cached observation of `digest`, and where it comes from.
    pub fn get(&self, digest: Digest) -> Option<Known> {
        let consumed = self.young.get(&digest.0).or_else(|| self.old.get(&digest.0));
        if let Some(observation) = consumed.and_then(|code| self.decode(*code)) {
            return Some(Known::Consumed(observation));
        }
        if let Some(store) = &self.store
            && let Some(observation) = store.recall(digest, self.limit)
        {
            return Some(Known::Stored(observation));
        }
        self.ahead.get(&digest.0).and_then(|code| self.decode(*code)).map(Known::Ahead)
    }

    /// Keeps the observations of candidates that are consumed from now on in `store` too, and answers
    /// from an earlier run's observations there.
    pub fn set_store(&mut self, store: Store) {
        self.store = Some(store);
    }

    /// The store, if there is one.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Keeps the observation of a candidate that was consumed in candidate order.
    pub fn consume(&mut self, digest: Digest, observation: &Observation) {
        self.ahead.remove(&digest.0);
        if let Some(store) = &mut self.store {
            store.consume(digest, observation, self.limit);
        }
        let code = self.encode(observation);
        if self.young.len() >= self.generation {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(digest.0, code);
    }

    /// Keeps the observation of a candidate that ran ahead of the order.
    pub fn keep_ahead(&mut self, digest: Digest, observation: &Observation) {
        if self.ahead.len() >= self.generation {
            self.ahead.clear();
        }
        let code = self.encode(observation);
        self.ahead.insert(digest.0, code);
    }

    /// Forgets every observation: after this number of `tests` the target turned out to answer otherwise
    /// than it did. The store takes note, so that a resumed run forgets at the same point.
    pub fn clear(&mut self, tests: u64) {
        if let Some(store) = &mut self.store {
            store.mark_fresh(tests);
        }
        self.young.clear();
        self.old.clear();
        self.ahead.clear();
    }

    /// Drops observations of candidates that used too much memory: the limit has been raised.
    pub fn forget_memory(&mut self) {
        let is_it = |signature: &Signature| signature.kind == Kind::OutOfMemory;
        self.codes.forget(is_it);
        for failure in self.failures.iter_mut().filter(|failure| is_it(&failure.signature)) {
            // Shorter than any limit: never known again.
            failure.limit = Some(Duration::ZERO);
        }
    }

    /// The code of an observation, a new one for a failure or message that has none.
    fn encode(&mut self, observation: &Observation) -> u32 {
        match observation {
            Observation::Returned(Verdict::Keep) => KEEP,
            Observation::Returned(Verdict::Reject) => REJECT,
            Observation::Unresolved => UNRESOLVED,
            Observation::Lost => LOST,
            Observation::Complained(complaint) => self.encode_complaint(complaint),
            Observation::Failed(signature) => {
                let limit = (signature.kind == Kind::Timeout).then_some(self.limit);
                if let Some(code) = self.codes.of(signature, limit) {
                    return code;
                }
                let code = u32::try_from(self.failures.len())
                    .expect("fewer than 2^32 signatures fit into memory");
                self.failures.push(Failure { signature: signature.clone(), limit });
                self.codes.insert(signature.clone(), limit, code);
                code
            }
        }
    }

    /// The code of a message; that of a plain rejection where [`MAX_COMPLAINTS`] are kept.
    fn encode_complaint(&mut self, complaint: &Arc<Complaint>) -> u32 {
        if let Some(code) = self.complaint_codes.get(complaint) {
            return *code;
        }
        let count = self.complaints.len() as u32;
        if count >= MAX_COMPLAINTS {
            return REJECT;
        }
        let code = FIRST_COMPLAINT + count;
        self.complaints.push(complaint.clone());
        self.complaint_codes.insert(complaint.clone(), code);
        code
    }

    /// The observation of a code; `None` for a timeout under a shorter limit than today's.
    fn decode(&self, code: u32) -> Option<Observation> {
        Some(match code {
            KEEP => Observation::Returned(Verdict::Keep),
            REJECT => Observation::Returned(Verdict::Reject),
            UNRESOLVED => Observation::Unresolved,
            LOST => Observation::Lost,
            code if code >= FIRST_COMPLAINT => {
                let index = (code - FIRST_COMPLAINT) as usize;
                Observation::Complained(self.complaints[index].clone())
            }
            index => {
                let failure = &self.failures[index as usize];
                if failure.limit.is_some_and(|limit| limit < self.limit) {
                    return None;
                }
                Observation::Failed(failure.signature.clone())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSED: Observation = Observation::Returned(Verdict::Keep);

    #[test]
    fn what_ran_ahead_is_known_but_not_consumed() {
        let mut cache = Cache::default();
        let digest = Digest::of(b"x");
        cache.keep_ahead(digest, &PASSED);
        assert_eq!(cache.get(digest), Some(Known::Ahead(PASSED)));
        cache.consume(digest, &PASSED);
        assert_eq!(cache.get(digest), Some(Known::Consumed(PASSED)));
    }

    #[test]
    fn the_oldest_generation_is_dropped_when_a_third_begins() {
        let mut cache = Cache::with_generation(2);
        for byte in 0..5u8 {
            cache.consume(Digest::of(&[byte]), &PASSED);
        }
        let known: Vec<u8> =
            (0..5).filter(|byte| cache.get(Digest::of(&[*byte])).is_some()).collect();
        assert_eq!(known, [2, 3, 4]);
    }

    #[test]
    fn a_timeout_is_known_under_its_limit_and_shorter_ones() {
        let mut cache = Cache::default();
        let timeout = Observation::Failed(Arc::new(Signature::of_kind(Kind::Timeout)));
        let digest = Digest::of(b"slow");
        cache.set_limit(Duration::from_millis(50));
        cache.consume(digest, &timeout);
        cache.consume(Digest::of(b"quick"), &PASSED);
        cache.set_limit(Duration::from_millis(20));
        assert_eq!(cache.get(digest), Some(Known::Consumed(timeout.clone())));
        cache.set_limit(Duration::from_secs(10));
        assert_eq!(cache.get(digest), None);
        assert_eq!(cache.get(Digest::of(b"quick")), Some(Known::Consumed(PASSED)));
        cache.consume(digest, &timeout);
        assert_eq!(cache.get(digest), Some(Known::Consumed(timeout)));
    }

    #[test]
    fn what_used_too_much_memory_is_forgotten_with_the_limit() {
        let mut cache = Cache::default();
        cache.set_limit(Duration::from_secs(1));
        let large = Observation::Failed(Arc::new(Signature::of_kind(Kind::OutOfMemory)));
        cache.consume(Digest::of(b"large"), &large);
        cache.consume(Digest::of(b"small"), &PASSED);
        cache.forget_memory();
        assert_eq!(cache.get(Digest::of(b"large")), None);
        assert_eq!(cache.get(Digest::of(b"small")), Some(Known::Consumed(PASSED)));
        cache.consume(Digest::of(b"large"), &large);
        assert_eq!(cache.get(Digest::of(b"large")), Some(Known::Consumed(large)));
    }

    #[test]
    fn a_rejection_comes_back_with_its_message() {
        let mut cache = Cache::default();
        let said = |text: &str| {
            Observation::Complained(Arc::new(Complaint::new(text.as_bytes().to_vec())))
        };
        cache.consume(Digest::of(b"a"), &said("line 1"));
        cache.consume(Digest::of(b"b"), &said("line 2"));
        assert_eq!(cache.get(Digest::of(b"a")), Some(Known::Consumed(said("line 1"))));
        assert_eq!(cache.get(Digest::of(b"b")), Some(Known::Consumed(said("line 2"))));
        for number in 0..=MAX_COMPLAINTS {
            cache.consume(Digest::of(b"c"), &said(&format!("byte {number}")));
        }
        let rejected = Observation::Returned(Verdict::Reject);
        assert_eq!(cache.get(Digest::of(b"c")), Some(Known::Consumed(rejected)));
    }

    #[test]
    fn a_failure_comes_back_with_its_signature() {
        let mut cache = Cache::default();
        let failed = Observation::Failed(Arc::new(Signature::of_kind(Kind::Abort)));
        cache.consume(Digest::of(b"a"), &failed);
        assert_eq!(cache.get(Digest::of(b"a")), Some(Known::Consumed(failed)));
    }
}
