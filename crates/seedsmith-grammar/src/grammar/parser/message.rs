//! Messages for the syntax errors of a parse, and their places by line.

use super::{SyntaxError, SyntaxProblem};
use crate::grammar::model::{Grammar, TokenId};
use crate::grammar::notation;

/// As many tokens are named; of the others there is only a number.
///
/// A line with more is not read to its end; a guess, not measured.
const MAX_NAMED_TOKENS: usize = 6;

impl SyntaxProblem {
    /// The problem in a line.
    pub fn message(&self, grammar: &Grammar) -> String {
        let name = |token: &u32| notation::token(grammar, TokenId(*token));
        match self {
            SyntaxProblem::NoToken => "no token begins like this".to_owned(),
            SyntaxProblem::Unexpected { expected } => {
                format!("expected {}", any_of(expected, name))
            }
            SyntaxProblem::Extraneous { expected } => {
                format!("this is one too many; expected {}", any_of(expected, name))
            }
            SyntaxProblem::MissingToken { token } => format!("{} is missing", name(token)),
            SyntaxProblem::NoAlternative => "nothing that begins like this fits here".to_owned(),
        }
    }
}

/// Names with commas, and `or` before the last.
fn any_of(tokens: &[u32], name: impl Fn(&u32) -> String) -> String {
    let named = if tokens.len() <= MAX_NAMED_TOKENS + 1 { tokens.len() } else { MAX_NAMED_TOKENS };
    let mut names: Vec<String> = tokens[..named].iter().map(name).collect();
    if named < tokens.len() {
        names.push(format!("{} others", tokens.len() - named));
    }
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// A place in an input that goes forward, by line and column: each byte is looked at once, however
/// many places are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Default for Position {
    fn default() -> Self {
        Position { offset: 0, line: 1, column: 1 }
    }
}

impl Position {
    /// Goes on to an offset, which is not before the last one.
    pub fn advance(&mut self, input: &[u8], offset: usize) {
        let offset = offset.clamp(self.offset, input.len());
        for &byte in &input[self.offset..offset] {
            if byte == b'\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else if byte & 0xc0 != 0x80 {
                // Not inside a character of UTF-8.
                self.column += 1;
            }
        }
        self.offset = offset;
    }
}

/// Errors that are kept. An input of garbage has one for every few bytes, each with all tokens that would
/// have fitted.
pub(super) const MAX_ERRORS: usize = 10_000;

/// Errors in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    /// The first [`MAX_ERRORS`].
    pub first: Vec<SyntaxError>,
    /// How many came after them.
    pub more: usize,
}

impl Errors {
    /// Notes one.
    pub(crate) fn push(&mut self, error: SyntaxError) {
        if self.first.len() < MAX_ERRORS {
            self.first.push(error);
        } else {
            self.more += 1;
        }
    }
}
