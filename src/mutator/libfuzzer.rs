//! libFuzzer's own mutator, called for mutants that it does not get at once.

use crate::mutator::job::More;

/// libFuzzer's own mutator: of `data[..size]` it makes at most `max_size` bytes.
pub(super) type FuzzerMutate = fn(&mut [u8], usize, usize) -> usize;

/// Texts that libFuzzer makes of one blank for a lot of pieces, so that some values of its table of
/// recent compares are among them. Not measured.
const COMPARED_TEXTS: usize = 8;
/// Length of such a text, so that a word of 32 bytes and what libFuzzer puts beside it fit.
const MAX_COMPARED_BYTES: usize = 40;

/// Mutants in a row, each of the one before: 5, because libFuzzer's `-mutate_depth` has that default.
const MUTANTS_PER_ROW: usize = 5;

/// Where libFuzzer makes its mutants.
pub(super) struct MutantBuffer(Vec<u8>);

impl MutantBuffer {
    /// No room yet.
    pub(super) fn new() -> Self {
        MutantBuffer(Vec::new())
    }

    fn mutant(&mut self, of: &[u8], most: usize, fuzzer_mutate: FuzzerMutate) -> Vec<u8> {
        self.0[..of.len()].copy_from_slice(of);
        let size = fuzzer_mutate(&mut self.0, of.len(), most);
        self.0[..size].to_vec()
    }

    /// Mutants, each of the parent itself.
    pub(super) fn mutants(
        &mut self,
        parent: &[u8],
        more: More,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Vec<Vec<u8>> {
        self.0.resize(max_size, 0);
        (0..more.count).map(|_| self.mutant(parent, more.limit, fuzzer_mutate)).collect()
    }

    /// Mutants in rows, as libFuzzer makes them: the first of a row of the parent, each other one of the one before.
    pub(super) fn rows(
        &mut self,
        parent: &[u8],
        count: usize,
        limit: usize,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Vec<Vec<u8>> {
        self.0.resize(max_size, 0);
        let mut size = 0;
        let mut next = |number: usize| {
            if number.is_multiple_of(MUTANTS_PER_ROW) {
                size = parent.len();
                self.0[..size].copy_from_slice(parent);
            }
            size = fuzzer_mutate(&mut self.0, size, limit.max(size).min(max_size));
            self.0[..size].to_vec()
        };
        (0..count).map(&mut next).collect()
    }

    /// What libFuzzer's mutator makes of nothing: mostly values of its table of recent compares. To be asked
    /// for before anything is compared in this mutator.
    pub(super) fn compared(
        &mut self,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Vec<Vec<u8>> {
        if max_size < MAX_COMPARED_BYTES {
            return Vec::new();
        }
        self.0.resize(max_size, 0);
        let mut made: Vec<Vec<u8>> = (0..COMPARED_TEXTS)
            .map(|_| self.mutant(b" ", MAX_COMPARED_BYTES, fuzzer_mutate))
            .collect();
        made.retain(|text| text.len() > 2);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn appends(data: &mut [u8], size: usize, most: usize) -> usize {
        let end = most.min(size + 6);
        data[size..end].fill(b'w');
        end
    }

    #[test]
    fn what_is_made_of_nothing_fits_into_an_input() {
        let mut room = MutantBuffer::new();
        assert_eq!(
            room.compared(MAX_COMPARED_BYTES, appends),
            vec![b" wwwwww".to_vec(); COMPARED_TEXTS]
        );
        assert!(room.compared(8, appends).is_empty());
    }

    #[test]
    fn after_five_mutants_in_a_row_the_next_is_one_of_the_parent() {
        let made = MutantBuffer::new().rows(b"[", 6, 64, 64, appends);
        let lengths: Vec<usize> = made.iter().map(Vec::len).collect();
        assert_eq!(lengths, [7, 13, 19, 25, 31, 7]);
    }

    #[test]
    fn each_mutant_is_one_of_the_parent_itself() {
        let more = More { count: 3, limit: 4, seed: 1 };
        assert_eq!(MutantBuffer::new().mutants(b"[1", more, 9, appends), vec![b"[1ww".to_vec(); 3]);
    }
}
