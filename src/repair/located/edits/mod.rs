//! Who proposes edits at a fault: one file for each kind of reason. None of them asks a validator.

pub mod brackets;
mod bytes;
mod encoding;
mod expected;
mod indents;
mod quotes;
mod similar_places;
pub mod tags;
mod tokens;
mod torn;
mod words;

use super::edit::Edit;
use super::model::Model;
use crate::repair::located::proposals::{Fault, Pool};

/// The edits of a fault, the likeliest first, at most `most`.
pub fn collect(text: &[u8], model: &Model, fault: &Fault, most: usize) -> Vec<Edit> {
    let mut pool = Pool::new(text, model, fault);
    expected::propose(&mut pool);
    if tags::has_tags(text) {
        tags::propose(&mut pool);
    } else {
        brackets::propose(&mut pool);
        indents::propose(&mut pool);
    }
    quotes::propose(&mut pool);
    words::propose(&mut pool);
    torn::propose(&mut pool);
    similar_places::propose(&mut pool);
    encoding::propose(&mut pool);
    tokens::propose(&mut pool);
    bytes::propose(&mut pool);
    pool.into_order(most)
}
