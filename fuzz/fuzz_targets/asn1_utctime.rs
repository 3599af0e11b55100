//! DER: `simple_asn1` 0.6.0 slices the text of a UTCTime in the middle of a character.
//!
//! Fails by a panic at `simple_asn1-0.6.0/src/lib.rs:508`.
//! Report: RUSTSEC-2021-0125.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = simple_asn1::from_der(data);
});
