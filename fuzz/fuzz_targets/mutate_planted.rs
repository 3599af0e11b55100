//! A strict format with a planted bug in its parser: an input that crashes the validator has to
//! reach libFuzzer.
//!
//! A document is `[`, items separated by commas, `]`; an item is a number, a document, or a `!` in
//! a document nested in three others, which is the bug. Fails by a panic ("planted") in
//! `Parser::item`.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "mutate/tally.rs"]
mod tally;

struct Parser<'t> {
    rest: &'t [u8],
}

impl Parser<'_> {
    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.rest.first() == Some(&byte);
        self.rest = &self.rest[usize::from(is_there)..];
        is_there
    }

    fn document(&mut self, depth: usize) -> bool {
        if depth > 20 || !self.takes(b'[') {
            return false;
        }
        if self.takes(b']') {
            return true;
        }
        loop {
            if !self.item(depth) {
                return false;
            }
            if self.takes(b']') {
                return true;
            }
            if !self.takes(b',') {
                return false;
            }
        }
    }

    fn item(&mut self, depth: usize) -> bool {
        match self.rest.first() {
            Some(b'[') => self.document(depth + 1),
            Some(b'!') => {
                assert!(depth < 4, "planted");
                false
            }
            Some(b'0'..=b'9') => {
                while self.rest.first().is_some_and(u8::is_ascii_digit) {
                    self.rest = &self.rest[1..];
                }
                true
            }
            _ => false,
        }
    }
}

fn is_valid(data: &[u8]) -> bool {
    let mut parser = Parser { rest: data };
    parser.document(1) && parser.rest.is_empty()
}

fuzz_target!(init: seedsmith::mutator::validator(is_valid), |data: &[u8]| {
    tally::count(is_valid(data));
});

seedsmith::repairing_mutator!();
