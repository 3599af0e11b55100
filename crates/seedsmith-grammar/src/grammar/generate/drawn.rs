//! The result of a draw: words, and the choices that were made for them.

use crate::grammar::model::TokenId;

/// A token and its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The token.
    pub token: TokenId,
    /// Its text.
    pub text: Vec<u8>,
}

/// Words of one draw, and which choices were made for them: two draws with other choices are
/// different in kind, not in spelling only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The words, left to right, without the end of the input.
    pub words: Vec<Word>,
    /// Numbers of the alternatives taken (and of numbers of repetitions, and of rare sorts of
    /// characters), in order of choice.
    pub choices: Vec<u32>,
}

impl Drawn {
    /// All texts in a row, with nothing in between.
    pub fn plain_text(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| &word.text).copied().collect()
    }
}
