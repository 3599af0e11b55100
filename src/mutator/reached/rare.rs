//! Blocks that only valid inputs reach, and which inputs reach them: the next parent reaches one that few mutants were made for.
//!
//! Most inputs reach the same blocks, so an input that is drawn from all of them rarely reaches a rare one. So a block is
//! drawn first, then an input that reaches it. Blocks near ones that were never reached come first.
//!
//! Source: C. Lemieux, K. Sen, 'FairFuzz', ASE 2018, for mutants of inputs that reach rare branches.

use super::seen::Seen;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::NumberMap;

/// Inputs that are remembered for a block. A guess, not measured.
const INPUTS_PER_BLOCK: usize = 4;
/// Blocks that are drawn, of which the best is taken, so that the others are not left out for long. A guess, not measured.
const DRAWS: usize = 8;
/// Blocks before and after a block that are looked at: the table of blocks has those of a function in the order of its code.
const NEAR_BLOCKS: usize = 4;
/// Rows of mutants that a block is assumed to have had, so that one row does not decide. A guess, not measured.
const PRIOR_ROWS: f32 = 4.0;

/// A block.
#[derive(Debug)]
struct Block {
    number: usize,
    /// Digests of inputs that reach it.
    inputs: [u128; INPUTS_PER_BLOCK],
    count: usize,
    /// How often it was drawn.
    rows: f32,
}

/// Blocks that valid inputs reach and rejected ones do not.
#[derive(Debug, Default)]
pub(super) struct RareBlocks {
    blocks: Vec<Block>,
    places: NumberMap<u128, usize>,
}

impl RareBlocks {
    /// Records the blocks that a valid input reaches, unless a rejected input has reached them.
    pub(super) fn put(&mut self, digest: u128, counts: &[u8], rejecting: &Seen) {
        for (number, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            if rejecting.has(number) {
                continue;
            }
            let blocks = &mut self.blocks;
            let place = *self.places.entry(number as u128).or_insert_with(|| {
                blocks.push(Block { number, inputs: [0; INPUTS_PER_BLOCK], count: 0, rows: 0.0 });
                blocks.len() - 1
            });
            let block = &mut blocks[place];
            // The latest inputs have had the fewest mutants.
            block.inputs[block.count % INPUTS_PER_BLOCK] = digest;
            block.count += 1;
        }
    }

    /// The digest of an input for the next mutants.
    pub(super) fn next(
        &mut self,
        rejecting: &Seen,
        running: &Seen,
        random: &mut Random,
    ) -> Option<u128> {
        let mut best: Option<(f32, usize)> = None;
        for _ in 0..DRAWS {
            if self.blocks.is_empty() {
                return None;
            }
            let place = random.below(self.blocks.len());
            let block = &self.blocks[place];
            if rejecting.has(block.number) {
                let last = self.blocks.len() - 1;
                self.places.remove(&(block.number as u128));
                if place < last {
                    self.places.insert(self.blocks[last].number as u128, place);
                }
                self.blocks.swap_remove(place);
                best = None;
                continue;
            }
            let near = block.number.saturating_sub(NEAR_BLOCKS)..=block.number + NEAR_BLOCKS;
            let unreached = near.filter(|one| !running.has(*one)).count();
            let worth = (1.0 + unreached as f32) / (PRIOR_ROWS + block.rows);
            if best.is_none_or(|(least, _)| worth > least) {
                best = Some((worth, place));
            }
        }
        let (_, place) = best?;
        let block = &mut self.blocks[place];
        block.rows += 1.0;
        Some(block.inputs[random.below(block.count.min(INPUTS_PER_BLOCK))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(blocks: &[usize], length: usize) -> (Seen, Vec<u8>) {
        let mut counts = vec![0; length];
        blocks.iter().for_each(|block| counts[*block] = 1);
        let mut seen = Seen::default();
        seen.add(&counts, &mut Vec::new());
        (seen, counts)
    }

    #[test]
    fn an_input_that_reaches_a_rare_block_has_as_many_turns_as_all_that_reach_common_ones() {
        let (rejecting, _) = seen(&[], 64);
        let (running, common) = seen(&[10], 64);
        let (_, rare) = seen(&[50], 64);
        let (mut blocks, mut random) = (RareBlocks::default(), Random::new(1));
        (1..100).for_each(|digest| blocks.put(digest, &common, &rejecting));
        blocks.put(7_777, &rare, &rejecting);
        let of_rare = (0..1_000)
            .filter(|_| blocks.next(&rejecting, &running, &mut random) == Some(7_777))
            .count();
        assert!((350..650).contains(&of_rare), "{of_rare}");
    }

    #[test]
    fn blocks_that_a_rejected_input_reaches_are_left_out_also_later() {
        let (running, counts) = seen(&[1, 2], 8);
        let (none, _) = seen(&[], 8);
        let (one, _) = seen(&[1], 8);
        let (both, _) = seen(&[1, 2], 8);
        let (mut blocks, mut random) = (RareBlocks::default(), Random::new(1));
        blocks.put(1, &counts, &one);
        assert_eq!(blocks.blocks.len(), 1);
        assert_eq!(blocks.next(&one, &running, &mut random), Some(1));
        blocks.put(2, &counts, &none);
        assert_eq!(blocks.next(&both, &running, &mut random), None);
        assert!(blocks.blocks.is_empty() && blocks.places.is_empty());
    }

    #[test]
    fn a_block_beside_ones_that_were_never_reached_has_more_turns() {
        let (rejecting, _) = seen(&[], 64);
        // All around block 10 is reached, nothing around block 50.
        let reached: Vec<usize> = (6..=14).chain([50]).collect();
        let (running, _) = seen(&reached, 64);
        let (mut blocks, mut random) = (RareBlocks::default(), Random::new(1));
        for (digest, block) in [(1, 10), (2, 50)] {
            blocks.put(digest, &seen(&[block], 64).1, &rejecting);
        }
        let of_second = (0..1_000)
            .filter(|_| blocks.next(&rejecting, &running, &mut random) == Some(2))
            .count();
        assert!(of_second > 800, "{of_second}");
    }
}
