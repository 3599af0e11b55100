//! Binary formats that are known to the letter.

mod der;
mod png;

pub use der::Der;
pub use png::Png;

use crate::structure::binary::structured::Structure;

/// The format of an input, recognised by its first bytes.
pub fn recognise(bytes: &[u8]) -> Option<Box<dyn Structure>> {
    let all: [Box<dyn Structure>; 2] = [Box::new(Png), Box::new(Der)];
    all.into_iter().find(|format| format.parse(bytes).is_some())
}
