//! Walks over the characters of a `.g4` file: blanks, comments, names, brackets, actions.

use crate::grammar::error::{GrammarError, SourceLine};
use std::sync::Arc;

/// A position in a file's text.
///
/// It knows the line that it is on and the rule that is being read, so that every error can name
/// both.
pub(super) struct Cursor<'a> {
    /// The whole text of the file, without a byte order mark.
    text: &'a str,
    /// Offset of the next character in bytes.
    at: usize,
    /// The line of the next character, from 1.
    line: u32,
    /// The name of the file in errors.
    file: Arc<str>,
    /// The rule being read, for errors.
    pub rule: Option<String>,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a file's text. `file` is its name in errors. A byte order mark is
    /// skipped.
    pub(super) fn new(text: &'a str, file: Arc<str>) -> Self {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        Cursor { text, at: 0, line: 1, file, rule: None }
    }

    /// Where the next character is.
    pub(super) fn place(&self) -> SourceLine {
        SourceLine { file: self.file.clone(), line: self.line }
    }

    /// A syntax error at the next character, with the rule that is being read.
    pub(super) fn error(&self, message: impl Into<String>) -> GrammarError {
        let (place, rule) = (self.place(), self.rule.clone());
        GrammarError::Syntax { place, rule, message: message.into() }
    }

    /// "expected … but found …".
    pub(super) fn expected(&self, what: &str) -> GrammarError {
        let found = match self.peek() {
            Some(c) => format!("'{}'", c.escape_debug()),
            None => "the end of the file".to_owned(),
        };
        self.error(format!("expected {what} but found {found}"))
    }

    /// The next character, not taken. Nothing at the end of the file.
    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The text from the next character on.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes the next character.
    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    /// Takes the next `count` bytes, which have to end at the end of a character. Lines in them are
    /// counted.
    fn bump_bytes(&mut self, count: usize) {
        let end = self.at + count;
        while self.at < end {
            self.bump();
        }
    }

    /// Passes over blanks and comments.
    ///
    /// Fails at a block comment that does not end.
    pub(super) fn skip_blanks(&mut self) -> Result<(), GrammarError> {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.bump_bytes(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let Some(length) = inside.find("*/") else {
                    return Err(self.error("a comment doesn't end"));
                };
                self.bump_bytes(length + 4);
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    /// Takes `sign` (after blanks) if it is next.
    ///
    /// Blanks and comments before it are passed over whether it is there or not.
    pub(super) fn eat(&mut self, sign: &str) -> Result<bool, GrammarError> {
        self.skip_blanks()?;
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.bump_bytes(sign.len());
        }
        Ok(is_next)
    }

    /// Takes `sign` or fails.
    ///
    /// The error names the text that was found instead.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), GrammarError> {
        if self.eat(sign)? { Ok(()) } else { Err(self.expected(&format!("'{sign}'"))) }
    }

    /// Whether `sign` is next.
    pub(super) fn sees(&mut self, sign: &str) -> Result<bool, GrammarError> {
        self.skip_blanks()?;
        Ok(self.rest().starts_with(sign))
    }

    /// The name that is next, not taken.
    ///
    /// Names are those of ANTLR: a letter or `_`, then letters, digits, `_` and `·`.
    pub(super) fn peek_name(&mut self) -> Result<Option<&'a str>, GrammarError> {
        self.skip_blanks()?;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        if !(first.is_alphabetic() || first == '_') {
            return Ok(None);
        }
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\u{B7}');
        let length = rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
        Ok(Some(&rest[..length]))
    }

    /// Takes a name if one is next.
    pub(super) fn name(&mut self) -> Result<Option<&'a str>, GrammarError> {
        let name = self.peek_name()?;
        self.bump_bytes(name.map_or(0, str::len));
        Ok(name)
    }

    /// Takes a name or fails.
    pub(super) fn expect_name(&mut self, what: &str) -> Result<&'a str, GrammarError> {
        self.name()?.ok_or_else(|| self.expected(what))
    }

    /// Takes the word if it is the name that is next.
    ///
    /// A longer name that begins with the word is another name.
    pub(super) fn eat_word(&mut self, word: &str) -> Result<bool, GrammarError> {
        let is_next = self.peek_name()? == Some(word);
        if is_next {
            self.bump_bytes(word.len());
        }
        Ok(is_next)
    }

    /// Takes a quoted literal, quotes left out, escapes kept.
    ///
    /// Fails where the literal does not end on its line, as ANTLR does.
    pub(super) fn quoted(&mut self) -> Result<&'a str, GrammarError> {
        self.expect("'")?;
        let start = self.at;
        loop {
            match self.peek() {
                Some('\'') => break,
                Some('\\') => {
                    self.bump();
                    self.bump();
                }
                None | Some('\n') => return Err(self.error("a literal doesn't end on its line")),
                Some(_) => {
                    self.bump();
                }
            }
        }
        let text = &self.text[start..self.at];
        self.bump();
        Ok(text)
    }

    /// Takes a character class, brackets left out, escapes kept.
    ///
    /// Brackets inside are part of the class; `\]` does not end it.
    pub(super) fn class(&mut self) -> Result<&'a str, GrammarError> {
        self.expect("[")?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(']') => break,
                Some('\\') => {
                    self.bump();
                    self.bump();
                }
                None | Some('\n') => return Err(self.error("a character class doesn't end")),
                Some(_) => {
                    self.bump();
                }
            }
        }
        let text = &self.text[start..self.at];
        self.bump();
        Ok(text)
    }

    /// Passes over `{…}` or `[…]` in the target language: brackets nest, quotes and comments
    /// hide them. A quote that doesn't end on its line hides nothing.
    ///
    /// The text inside is not parsed: it may be in any language that ANTLR can generate code for.
    /// Fails where the outermost bracket is never closed; the error then names the line where it
    /// was opened.
    pub(super) fn skip_code(&mut self, open: char, close: char) -> Result<(), GrammarError> {
        let start = self.place();
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            let Some(c) = self.peek() else {
                let message = format!("what is opened by '{open}' here isn't closed");
                let rule = self.rule.clone();
                return Err(GrammarError::Syntax { place: start, rule, message });
            };
            if rest.starts_with("//") || rest.starts_with("/*") {
                self.skip_blanks()?;
                continue;
            }
            if c == '"' || c == '\'' {
                self.bump_bytes(quoted_length(rest, c).unwrap_or(1));
                continue;
            }
            self.bump();
            if c == '\\' {
                self.bump();
            } else if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
        }
    }
}

/// How many bytes the quoted text at the start of `rest` has, if it ends on its line.
fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => {
                chars.next();
            }
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
