//! Numbers for signatures, so that an observation in memory and on disk is a few bytes.
//!
//! Messages are distinguished by their texts, so that a recalled observation has the message that its
//! candidate printed. A target may print another text for each candidate, so after
//! [`MAX_TEXTS`] of them a signature shares the number of one whose normalised message is the same.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::signature::{AsPrinted, Signature};

/// How many texts are distinguished at most: about 20 MB. A guess; not measured.
const MAX_TEXTS: usize = 1 << 16;

/// Numbers for signatures. `W` is whatever else distinguishes two observations.
#[derive(Debug)]
pub(super) struct Codes<W> {
    as_printed: HashMap<(AsPrinted, W), u32>,
    as_compared: HashMap<(Arc<Signature>, W), u32>,
}

impl<W> Default for Codes<W> {
    fn default() -> Self {
        Codes { as_printed: HashMap::new(), as_compared: HashMap::new() }
    }
}

impl<W: Clone + Eq + Hash> Codes<W> {
    /// The number of a signature, if it has one.
    pub(super) fn of(&self, signature: &Arc<Signature>, with: W) -> Option<u32> {
        let as_printed = (AsPrinted(signature.clone()), with);
        self.as_printed.get(&as_printed).copied().or_else(|| {
            let (AsPrinted(signature), with) = as_printed;
            let is_full = self.as_printed.len() >= MAX_TEXTS;
            self.as_compared.get(&(signature, with)).filter(|_| is_full).copied()
        })
    }

    /// Numbers a signature that has no number yet.
    pub(super) fn insert(&mut self, signature: Arc<Signature>, with: W, code: u32) {
        if self.as_printed.len() < MAX_TEXTS {
            self.as_printed.insert((AsPrinted(signature.clone()), with.clone()), code);
        }
        self.as_compared.entry((signature, with)).or_insert(code);
    }

    /// Takes the numbers of some signatures away.
    pub(super) fn forget(&mut self, is_it: impl Fn(&Signature) -> bool) {
        self.as_printed.retain(|(AsPrinted(signature), _), _| !is_it(signature));
        self.as_compared.retain(|(signature, _), _| !is_it(signature));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::{Kind, Message};

    fn panic(text: &str) -> Arc<Signature> {
        let message = Some(Message::new(text));
        Arc::new(Signature { message, ..Signature::of_kind(Kind::Panic) })
    }

    #[test]
    fn each_text_has_a_number_until_there_are_too_many() {
        let mut codes = Codes::default();
        for index in 0..MAX_TEXTS as u32 {
            assert_eq!(codes.of(&panic(&format!("index {index}")), ()), None);
            codes.insert(panic(&format!("index {index}")), (), index);
        }
        assert_eq!(codes.of(&panic("index 7"), ()), Some(7));
        assert_eq!(codes.of(&panic("index 99999999"), ()), Some(0));
        assert_eq!(codes.of(&panic("length 7"), ()), None);
        codes.insert(panic("length 7"), (), 1 << 20);
        assert_eq!(codes.of(&panic("length 8"), ()), Some(1 << 20));
        codes.forget(|signature| *signature == *panic("index 1"));
        assert_eq!(codes.of(&panic("index 7"), ()), None);
    }
}
