//! The inputs that a search found on its way, so that an earlier one can be taken where the last one
//! does not hold.

/// Bytes that are kept at most. When there are more, every second input is forgotten, so that a
/// search for an earlier input that holds takes one more step. It is a few times the largest usual
/// input; not measured.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// Failing inputs, each smaller than the one before.
#[derive(Debug, Default)]
pub(super) struct Bests {
    kept: Vec<Vec<u8>>,
    bytes: usize,
}

impl Bests {
    /// Keeps one more.
    pub(super) fn push(&mut self, best: &[u8]) {
        self.kept.push(best.to_vec());
        self.bytes += best.len();
        while self.bytes > MAX_KEPT_BYTES && self.kept.len() > 2 {
            // The last one stays.
            let last = self.kept.len() - 1;
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                (last + 1 - at).is_multiple_of(2)
            });
            self.bytes = self.kept.iter().map(Vec::len).sum();
        }
    }

    /// The last one that `holds`, if the ones after a certain one do not: those near the end are
    /// tried first, then ever larger steps are made, and the last step is halved. Costs twice the
    /// logarithm of the number of inputs. Ends early with `None` of `holds`.
    pub(super) fn last_that(&self, mut holds: impl FnMut(&[u8]) -> Option<bool>) -> Option<&[u8]> {
        let count = self.kept.len();
        let (mut step, mut wrong) = (1, count);
        let mut right = loop {
            let at = count.checked_sub(step)?;
            if holds(&self.kept[at])? {
                break at;
            }
            wrong = at;
            if at == 0 {
                return None;
            }
            step = (step * 2).min(count);
        };
        while wrong - right > 1 {
            let middle = right + (wrong - right) / 2;
            match holds(&self.kept[middle]) {
                Some(true) => right = middle,
                Some(false) => wrong = middle,
                None => break,
            }
        }
        Some(&self.kept[right])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_that_holds_is_found_in_few_steps() {
        let mut bests = Bests::default();
        (0..100).rev().for_each(|size| bests.push(&vec![0; size]));
        for smallest in [0, 1, 50, 98, 99] {
            let mut asked = 0;
            let found = bests.last_that(|best| {
                asked += 1;
                Some(best.len() >= smallest)
            });
            assert_eq!(found.map(<[u8]>::len), Some(smallest));
            assert!(asked <= 14, "{asked}");
        }
        assert!(bests.last_that(|_| Some(false)).is_none());
        assert!(Bests::default().last_that(|_| Some(true)).is_none());
    }

    #[test]
    fn memory_is_bounded_and_the_last_one_stays() {
        let mut bests = Bests::default();
        for size in (0..300).rev() {
            bests.push(&vec![0; (1 << 20) + size]);
        }
        assert!(bests.bytes <= MAX_KEPT_BYTES, "{}", bests.bytes);
        assert_eq!(bests.last_that(|_| Some(true)).unwrap().len(), 1 << 20);
    }
}
