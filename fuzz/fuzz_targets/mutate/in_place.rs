//! Where the validator runs: in a worker, as everybody should have it, or with the feature
//! `in_place_validator` in the fuzzer itself. Your own target just calls one of the two.

/// What belongs into `fuzz_target!`'s `init:`.
pub fn or_in_a_worker(is_valid: fn(&[u8]) -> bool) {
    if cfg!(feature = "in_place_validator") {
        seedsmith::mutator::validator_in_place(is_valid);
    } else {
        seedsmith::mutator::validator(is_valid);
    }
}
