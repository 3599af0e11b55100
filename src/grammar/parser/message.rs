//! What went wrong in a parse, in words.

use super::{Problem, SyntaxError};
use crate::grammar::model::{Grammar, TokenId};
use crate::grammar::notation;

/// As many tokens are named; of the others there is only a number.
const NAMED: usize = 6;

impl Problem {
    /// The problem in a line.
    pub fn message(&self, grammar: &Grammar) -> String {
        let name = |token: &u32| notation::token(grammar, TokenId(*token));
        match self {
            Problem::NoToken => "no token begins like this".to_owned(),
            Problem::Unexpected { expected } => format!("expected {}", any_of(expected, name)),
            Problem::Extraneous { expected } => {
                format!("this is one too many; expected {}", any_of(expected, name))
            }
            Problem::MissingToken { token } => format!("{} is missing", name(token)),
            Problem::NoAlternative => "nothing that begins like this fits here".to_owned(),
        }
    }
}

fn any_of(tokens: &[u32], name: impl Fn(&u32) -> String) -> String {
    let named = if tokens.len() <= NAMED + 1 { tokens.len() } else { NAMED };
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

impl SyntaxError {
    /// The line and the column (in characters) of the place, both counted from 1.
    pub fn line_and_column(&self, input: &[u8]) -> (usize, usize) {
        let before = &input[..input.len().min(self.offset as usize)];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
    }
}
