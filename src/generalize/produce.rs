//! Further inputs of a pattern, distinct and in an order that follows from the seed.

use std::collections::HashSet;

use crate::digest::Digest;
use crate::reduce::random::Random;

use super::pattern::Pattern;

/// Draws in a row without a new input after which a pattern counts as used up.
const STALE: usize = 200;

/// Up to `count` distinct inputs of the pattern. The first one is the minimized input; fewer come
/// where the pattern has no more.
pub fn produce(pattern: &mut Pattern, count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut dice = Random::new(seed ^ 0x70_726f_6475_6365);
    let mut seen: HashSet<Digest> = HashSet::new();
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    if count > 0 {
        seen.insert(Digest::of(&pattern.subject.input));
        inputs.push(pattern.subject.input.clone());
    }
    let mut stale = 0;
    while inputs.len() < count && stale < STALE {
        stale += 1;
        if let Some(text) = pattern.draw(&mut dice)
            && seen.insert(Digest::of(&text))
        {
            stale = 0;
            inputs.push(text);
        }
    }
    inputs
}

/// An input in which only the slot of that number is other than in the minimized one, if one can
/// be drawn: an example of that nonterminal.
pub fn example(pattern: &Pattern, slot: usize, seed: u64) -> Option<Vec<u8>> {
    let mut only = pattern.clone();
    only.slots = vec![pattern.slots.get(slot)?.clone()];
    let inputs = produce(&mut only, 4, seed.wrapping_add(slot as u64));
    // The middle one in size: neither the plainest nor a monster.
    let mut others: Vec<Vec<u8>> = inputs.into_iter().skip(1).collect();
    others.sort_by_key(Vec::len);
    let middle = others.len() / 2;
    others.into_iter().nth(middle)
}
