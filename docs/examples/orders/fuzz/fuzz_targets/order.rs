#![no_main]

use libfuzzer_sys::{fuzz_target, Corpus};

fuzz_target!(|text: &str| -> Corpus {
    match orders::total(text) {
        Some(_) => Corpus::Keep,
        None => Corpus::Reject,
    }
});
