//! Damages valid files with a new seed, so that figures can be measured on texts that no one has
//! looked at.
//!
//! The mutations are those of 'Debugging Inputs', section 3.4: one byte is inserted, deleted or has
//! a bit flipped, once or 2 to 16 times.

use seedsmith_grammar::Digest;
use seedsmith_grammar::Random;

/// `valid` with the damage that `seed` gives it. Another text has another damage of the same seed.
pub fn damaged(valid: &[u8], seed: u64, damage: &str) -> Vec<u8> {
    let mut random = Random::new(seed ^ Digest::of(valid).0 as u64);
    let mut text = valid.to_vec();
    let count = if damage == "single" { 1 } else { 2 + random.below(15) };
    for _ in 0..count {
        let kind = random.below(3);
        if kind == 0 || text.is_empty() {
            let at = random.below(text.len() + 1);
            text.insert(at, random.below(256) as u8);
            continue;
        }
        let at = random.below(text.len());
        if kind == 1 {
            text.remove(at);
        } else {
            text[at] ^= 1 << random.below(8);
        }
    }
    text
}
