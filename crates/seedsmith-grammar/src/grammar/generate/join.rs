//! From words to a text that the lexer reads back as these words.
//!
//! Words are written one right after the other first. Where the lexer reads something longer
//! than a word, the shortest text that is hidden from the parser goes after the word, and the
//! lexer is asked again; where it reads anything else, there is no such text.

use super::drawn::Word;
use crate::grammar::analysis::minimal::MinimalStrings;
use crate::grammar::lexer::{Lexeme, LexemeKind, Lexer};
use crate::grammar::model::{Grammar, TokenId};
use std::sync::Arc;

/// Separators put in before giving up.
///
/// Each costs a run of the lexer over the whole text; a guess, not measured.
const MAX_SEPARATORS: usize = 400;

/// How a piece has to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As this token.
    Token(u32),
    /// As something that is hidden from the parser.
    Hidden,
    /// As whatever it is, if only nothing before or after it is read together with it: text
    /// that isn't in the language.
    Raw,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub struct WordPiece<'a> {
    /// How the lexer has to read it.
    pub reading: Reading,
    /// Its bytes.
    pub text: &'a [u8],
}

impl<'a> WordPiece<'a> {
    /// A word that was drawn.
    pub fn drawn(word: &'a Word) -> Self {
        WordPiece { reading: Reading::Token(word.token.0), text: &word.text }
    }
}

/// Joins words of one grammar.
#[derive(Clone, Debug)]
pub struct Joiner {
    /// Nothing for grammars without a lexer.
    lexer: Option<Lexer>,
    /// The shortest text that is hidden from the parser, if there is one.
    separator: Option<Vec<u8>>,
}

impl Joiner {
    /// A joiner for `grammar`.
    pub fn new(grammar: &Arc<Grammar>) -> Self {
        if grammar.lexer_rules.is_empty() {
            return Joiner::plain();
        }
        let mut lexer = Lexer::new(grammar);
        let strings = MinimalStrings::new(grammar, &mut lexer);
        let separator = strings.separator().map(<[u8]>::to_vec);
        Joiner { lexer: Some(lexer), separator }
    }

    /// A joiner that only writes one piece after the other.
    pub fn plain() -> Self {
        Joiner { lexer: None, separator: None }
    }

    /// The text of all pieces; `None` if no text is read as them.
    ///
    /// Cost: a run of the lexer over the text for each separator that is put in, and one more.
    pub fn join<'a>(&mut self, pieces: impl Iterator<Item = WordPiece<'a>>) -> Option<Vec<u8>> {
        let Some(lexer) = &mut self.lexer else {
            return Some(pieces.flat_map(|piece| piece.text).copied().collect());
        };
        let all: Vec<WordPiece<'_>> = pieces.collect();
        let is_text = |piece: &&WordPiece<'_>| !piece.text.is_empty();
        let pieces: Vec<WordPiece<'_>> = all.iter().filter(is_text).copied().collect();
        let mut behind = vec![false; pieces.len()];
        let mut separators = 0;
        loop {
            let mut text = Vec::new();
            let mut spans = Vec::with_capacity(pieces.len());
            for (piece, behind) in pieces.iter().zip(&behind) {
                let start = text.len();
                text.extend_from_slice(piece.text);
                spans.push((start, text.len()));
                if *behind {
                    text.extend_from_slice(self.separator.as_deref().unwrap_or_default());
                }
            }
            let Some(at) = first_misread(lexer, &text, &pieces, &spans) else {
                return has_these_tokens(lexer, &text, &all).then_some(text);
            };
            let misread = at.piece;
            separators += 1;
            let can_part = at.is_longer && self.separator.is_some() && !behind[misread];
            if !can_part || separators > MAX_SEPARATORS {
                return None;
            }
            behind[misread] = true;
        }
    }
}

/// Whether the lexer makes exactly the tokens of these pieces, those without bytes included; yes where
/// some pieces may be read as anything.
fn has_these_tokens(lexer: &mut Lexer, text: &[u8], pieces: &[WordPiece<'_>]) -> bool {
    let mut wanted = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece.reading {
            // A tree has a leaf for it, and the lexer makes none.
            Reading::Token(token) if token == TokenId::EOF.0 => {}
            Reading::Token(token) => wanted.push(token),
            Reading::Hidden | Reading::Raw => return true,
        }
    }
    let lexemes = lexer.lex(text).into_iter();
    let tokens =
        lexemes.filter(|lexeme| lexeme.kind == LexemeKind::Token).map(|lexeme| lexeme.token);
    tokens.eq(wanted)
}

/// A piece that is not read as it should be.
struct Misread {
    /// Its number.
    piece: usize,
    /// Whether the lexer took more than the piece.
    is_longer: bool,
}

/// The first word that isn't read as itself.
///
/// `spans` are the places of the pieces in the text. Hidden lexemes between pieces are passed over,
/// since separators are hidden.
fn first_misread(
    lexer: &mut Lexer,
    text: &[u8],
    pieces: &[WordPiece<'_>],
    spans: &[(usize, usize)],
) -> Option<Misread> {
    let lexemes = lexer.lex(text);
    let mut tokens = lexemes.iter().filter(|lexeme| lexeme.start < lexeme.end).peekable();
    for (at, piece) in pieces.iter().enumerate() {
        let (start, end) = spans[at];
        let misread = |is_longer| Some(Misread { piece: at, is_longer });
        let token = match piece.reading {
            Reading::Token(token) => token,
            Reading::Hidden => continue,
            Reading::Raw => {
                // Up to its end, which has to be one.
                let is_before = |lexeme: &&Lexeme| (lexeme.start as usize) < end;
                while let Some(lexeme) = tokens.next_if(is_before) {
                    let (from, to) = (lexeme.start as usize, lexeme.end as usize);
                    let is_outside =
                        from < start && (to > start || lexeme.kind != LexemeKind::Hidden);
                    if is_outside || to > end {
                        return misread(from >= start);
                    }
                }
                continue;
            }
        };
        loop {
            let Some(lexeme) = tokens.next() else { return misread(false) };
            let (from, to) = (lexeme.start as usize, lexeme.end as usize);
            if from == start
                && to == end
                && lexeme.kind == LexemeKind::Token
                && lexeme.token == token
            {
                break;
            }
            if from <= start && to > start {
                // A lexeme that begins in a separator or in hidden text has swallowed the word.
                return misread(from == start && to > end);
            }
            if lexeme.kind != LexemeKind::Hidden {
                return misread(false);
            }
        }
    }
    let is_trailing = |kind: LexemeKind| kind == LexemeKind::Hidden;
    let last = pieces.len().checked_sub(1)?;
    tokens
        .all(|lexeme| is_trailing(lexeme.kind))
        .then_some(())
        .map_or(Some(Misread { piece: last, is_longer: false }), |()| None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;

    fn joined(grammar: &str, words: &[(&str, &str)]) -> Option<String> {
        let grammar = Arc::new(g4::load_texts(&[("t.g4", grammar)]).unwrap());
        let words: Vec<Word> = words
            .iter()
            .map(|(name, text)| {
                let all = 0..grammar.tokens.len() as u32;
                let is_it = |id: &u32| grammar.token_name(TokenId(*id)) == *name;
                let token = TokenId(all.clone().find(is_it).unwrap());
                Word { token, text: text.as_bytes().to_vec() }
            })
            .collect();
        let text = Joiner::new(&grammar).join(words.iter().map(WordPiece::drawn))?;
        Some(String::from_utf8(text).unwrap())
    }

    const NAMES: &str = "grammar T; a: 'if' ID; ID: [a-z]+; N: [0-9]+; WS: ' '+ -> skip;";

    #[test]
    fn words_that_would_run_together_are_parted_and_others_are_not() {
        assert_eq!(joined(NAMES, &[("'if'", "if"), ("ID", "x"), ("N", "1")]).unwrap(), "if x1");
        assert_eq!(joined(NAMES, &[("ID", "a"), ("ID", "b"), ("ID", "c")]).unwrap(), "a b c");
    }

    #[test]
    fn a_keyword_is_no_name() {
        assert_eq!(joined(NAMES, &[("ID", "if")]), None);
    }

    #[test]
    fn a_token_without_bytes_that_nobody_drew_is_noticed() {
        let grammar = "grammar T; a: X*; X: 'y'*; Z: 'z';";
        assert_eq!(joined(grammar, &[]), None, "the empty text is a token here");
        assert_eq!(joined(grammar, &[("X", "y")]).unwrap(), "y");
        assert_eq!(joined(grammar, &[("X", "")]).unwrap(), "");
    }

    #[test]
    fn without_a_separator_there_may_be_no_text() {
        let grammar = "grammar T; a: ID ID; ID: [a-z]+;";
        assert_eq!(joined(grammar, &[("ID", "a"), ("ID", "b")]), None);
    }
}
