//! The part of JSON that fuzzingbook grammars use: objects, lists and strings.
//!
//! It is separate from `serde_json` because that gives a line only for its own errors, never for a
//! value. Here each value has its line, which errors of grammars name; entries keep their order,
//! and a key that is there twice stays there twice, so that the caller can name both lines. It also
//! reads text that `serde_json` refuses and grammars contain: control characters in strings, and
//! half a surrogate pair.

use crate::grammar::error::{GrammarError, SourceLine};
use std::iter::Peekable;
use std::str::Chars;
use std::sync::Arc;

/// Lists and objects may nest this deep. A grammar needs four levels: grammar, rule, expansion,
/// symbol. The rest is room; the number bounds the recursion of `Reader::value`.
const MAX_NESTING: usize = 16;

/// A value with the line it starts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The line, from 1.
    pub line: u32,
    /// The value itself.
    pub data: Data,
}

/// The kind and content of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// A string, its escapes resolved.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object: its keys with their values, in the order of the file, doubled keys included.
    Object(Vec<(String, Value)>),
}

/// Reads a whole text; `file` is its name in errors.
///
/// Fails with a [`GrammarError::Syntax`] at text that is not JSON, at numbers and constants, and at
/// more than [`MAX_NESTING`] levels.
pub(crate) fn read(text: &str, file: Arc<str>) -> Result<Value, GrammarError> {
    let mut reader = Reader { chars: text.chars().peekable(), line: 1, file };
    let value = reader.value(0)?;
    reader.blanks();
    match reader.chars.peek() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end of the file")),
    }
}

/// A place in the text that is being read.
struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: u32,
    file: Arc<str>,
}

impl Reader<'_> {
    /// "expected … but found …", at the next character.
    fn expected(&mut self, what: &str) -> GrammarError {
        let found = self.chars.peek().map_or("the end of the file".into(), |c| format!("{c:?}"));
        let place = SourceLine { file: self.file.clone(), line: self.line };
        let message = format!("expected {what} but found {found}");
        GrammarError::Syntax { place, rule: None, message }
    }

    /// Takes the next character and counts lines.
    fn bump(&mut self) -> Option<char> {
        let c = self.chars.next();
        self.line += u32::from(c == Some('\n'));
        c
    }

    /// Passes over white space.
    fn blanks(&mut self) {
        while self.chars.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.bump();
        }
    }

    /// Takes `sign`, after white space, if it comes next.
    fn eat(&mut self, sign: char) -> bool {
        self.blanks();
        let is_next = self.chars.peek() == Some(&sign);
        if is_next {
            self.bump();
        }
        is_next
    }

    /// A value and the line where it begins. `depth` counts the objects and lists around it.
    /// Numbers, `true`, `false` and `null` are refused: no grammar has them.
    fn value(&mut self, depth: usize) -> Result<Value, GrammarError> {
        self.blanks();
        let line = self.line;
        if depth > MAX_NESTING {
            return Err(self.expected("less nesting"));
        }
        let data = if self.eat('[') {
            let mut list = Vec::new();
            while !self.eat(']') {
                if !list.is_empty() && !self.eat(',') {
                    return Err(self.expected("',' or ']'"));
                }
                list.push(self.value(depth + 1)?);
            }
            Data::List(list)
        } else if self.eat('{') {
            let mut entries = Vec::new();
            while !self.eat('}') {
                if !entries.is_empty() && !self.eat(',') {
                    return Err(self.expected("',' or '}'"));
                }
                let key = self.text()?;
                if !self.eat(':') {
                    return Err(self.expected("':'"));
                }
                entries.push((key, self.value(depth + 1)?));
            }
            Data::Object(entries)
        } else {
            Data::Text(self.text()?)
        };
        Ok(Value { line, data })
    }

    /// A string, its escapes resolved, surrogate pairs included. A lone surrogate gives U+FFFD. Fails at an unknown escape and
    /// at the end of the line.
    fn text(&mut self) -> Result<String, GrammarError> {
        if !self.eat('"') {
            return Err(self.expected("a string, a list or an object"));
        }
        let mut units: Vec<u16> = Vec::new();
        loop {
            match self.bump() {
                None | Some('\n') => return Err(self.expected("'\"'")),
                Some('"') => break,
                Some('\\') => {
                    let c = self.bump();
                    let unit = match c {
                        Some('n') => '\n',
                        Some('t') => '\t',
                        Some('r') => '\r',
                        Some('b') => '\u{8}',
                        Some('f') => '\u{C}',
                        Some('u') => {
                            let digits: String = (0..4).filter_map(|_| self.bump()).collect();
                            // `from_str_radix` takes a sign and fewer digits too.
                            let is_number = digits.len() == 4
                                && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                            let unit = u16::from_str_radix(&digits, 16).ok();
                            let Some(unit) = unit.filter(|_| is_number) else {
                                return Err(self.expected("four hexadecimal digits"));
                            };
                            units.push(unit);
                            continue;
                        }
                        Some(c @ ('"' | '\\' | '/')) => c,
                        _ => return Err(self.expected("an escape")),
                    };
                    units.push(unit as u16);
                }
                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
            }
        }
        Ok(String::from_utf16_lossy(&units))
    }
}
