//! Where the validator runs, for `scripts/mutator`: in a worker, as everybody should have it, or with the feature
//! `in_place_validator` in the fuzzer itself. Your own target just calls one of the two.

/// What belongs into `fuzz_target!`'s `init:`.
#[cfg(not(feature = "plain_mutator"))]
pub fn or_in_a_worker(is_valid: fn(&[u8]) -> bool) {
    if cfg!(feature = "in_place_validator") {
        seedsmith::mutator::validator_in_place(is_valid);
    } else {
        seedsmith::mutator::validator(is_valid);
    }
}

/// Nothing: as without seedsmith. A crate that is named is linked, and what is linked costs each run something.
#[cfg(feature = "plain_mutator")]
pub fn or_in_a_worker(_: fn(&[u8]) -> bool) {}
