//! Texts of a grammar instead of mutants: a fuzzer that generates every input from scratch.
//!
//! With `MUTATOR_DRAW_TO` it writes the number of texts in `MUTATOR_DRAW` into that folder, and fuzzes nothing.

use std::cell::RefCell;
use std::path::Path;

use arbitrary::Unstructured;
use seedsmith::Texts;

/// Most bytes of choices for a text. A guess: a choice takes a byte, and most texts of so many fit into libFuzzer's longest
/// input.
const MOST_CHOICES: u64 = 400;

thread_local! {
    static TEXTS: RefCell<Option<Texts>> = const { RefCell::new(None) };
}

/// The next number of SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A text of a built-in grammar that has at most `max_size` bytes. It depends on `seed` alone.
pub fn draw(grammar: &str, max_size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut length = next(&mut state) % MOST_CHOICES;
    TEXTS.with_borrow_mut(|texts| {
        let texts = texts.get_or_insert_with(|| Texts::open(grammar, None).expect("it is built in"));
        loop {
            let choices: Vec<u8> = (0..length).map(|_| next(&mut state) as u8).collect();
            let text = texts.arbitrary(&mut Unstructured::new(&choices)).unwrap_or_default();
            if text.len() <= max_size || length == 0 {
                return text;
            }
            length /= 2;
        }
    })
}

/// Writes texts and ends the program, where that is asked for.
pub fn if_asked(grammar: &str) {
    let Some(folder) = std::env::var_os("MUTATOR_DRAW_TO") else { return };
    let number: u64 = std::env::var("MUTATOR_DRAW").expect("it is set").parse().expect("it is a number");
    for seed in 0..number {
        let text = draw(grammar, 1024, seed);
        std::fs::write(Path::new(&folder).join(format!("drawn-{seed}")), text).expect("the folder can be written");
    }
    std::process::exit(0);
}
