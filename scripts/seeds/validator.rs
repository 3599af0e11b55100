//! A validator for scripts/repair-seeds that takes about a millisecond: `validator FORMAT FILE`.
//!
//! It exits with 0 if FILE is a document of FORMAT, and otherwise prints the line and column of the first fault
//! and exits with 1. FORMAT is json, ini, sexp or graph. It needs nothing but the standard library: `rustc -O`
//! builds it.

use std::process::ExitCode;

/// What is wrong, and the offset where.
type Fault = (usize, &'static str);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [format, path] = arguments.as_slice() else {
        eprintln!("usage: validator FORMAT FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let found = match format.as_str() {
        "json" => json(&text),
        "ini" => ini(&text),
        "sexp" => sexp(&text),
        "graph" => graph(&text),
        _ => {
            eprintln!("usage: validator json|ini|sexp|graph FILE");
            return ExitCode::from(2);
        }
    };
    let Err((at, what)) = found else { return ExitCode::SUCCESS };
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    eprintln!("{line}:{}: {what}", before.len() - start + 1);
    ExitCode::from(1)
}

/// A text and how far it was read.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) -> usize {
        let from = self.at;
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
        self.at - from
    }

    fn take(&mut self, expected: &[u8], what: &'static str) -> Result<(), Fault> {
        if !self.text[self.at..].starts_with(expected) {
            return Err((self.at, what));
        }
        self.at += expected.len();
        Ok(())
    }

    fn blanks(&mut self) {
        self.skip(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    }

    fn word(&mut self) -> Result<(), Fault> {
        match self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            0 => Err((self.at, "expected a word")),
            _ => Ok(()),
        }
    }

    /// A string of JSON.
    fn string(&mut self) -> Result<(), Fault> {
        self.take(b"\"", "expected '\"'")?;
        loop {
            match self.peek() {
                None => return Err((self.at, "unterminated string")),
                Some(b'"') => break,
                Some(0..0x20) => return Err((self.at, "control character in a string")),
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                        Some(b'u') => {
                            self.at += 1;
                            if self.skip(|byte| byte.is_ascii_hexdigit()) < 4 {
                                return Err((self.at, "invalid escape"));
                            }
                        }
                        _ => return Err((self.at, "invalid escape")),
                    }
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        let is_digit = |byte: u8| byte.is_ascii_digit();
        self.at += usize::from(self.peek() == Some(b'-'));
        let from = self.at;
        if self.skip(is_digit) == 0 || self.text[from] == b'0' && self.at > from + 1 {
            return Err((from, "expected a value"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.skip(is_digit) == 0 {
                return Err((self.at, "expected a digit"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.skip(is_digit) == 0 {
                return Err((self.at, "expected a digit"));
            }
        }
        Ok(())
    }

    /// Members between two brackets, parted by commas.
    fn members(&mut self, closer: u8, depth: usize) -> Result<(), Fault> {
        self.at += 1;
        self.blanks();
        if self.peek() == Some(closer) {
            self.at += 1;
            return Ok(());
        }
        loop {
            if closer == b'}' {
                self.blanks();
                self.string()?;
                self.blanks();
                self.take(b":", "expected ':'")?;
            }
            self.value(depth)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == closer => break,
                _ if closer == b'}' => return Err((self.at, "expected ',' or '}'")),
                _ => return Err((self.at, "expected ',' or ']'")),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// A value of JSON, with the blanks around it.
    fn value(&mut self, depth: usize) -> Result<(), Fault> {
        self.blanks();
        match self.peek() {
            _ if depth == 0 => return Err((self.at, "nested too deeply")),
            Some(b'{') => self.members(b'}', depth - 1)?,
            Some(b'[') => self.members(b']', depth - 1)?,
            Some(b'"') => self.string()?,
            Some(b't') => self.take(b"true", "expected a value")?,
            Some(b'f') => self.take(b"false", "expected a value")?,
            Some(b'n') => self.take(b"null", "expected a value")?,
            _ => self.number()?,
        }
        self.blanks();
        Ok(())
    }
}

fn json(text: &[u8]) -> Result<(), Fault> {
    if let Err(error) = std::str::from_utf8(text) {
        return Err((error.valid_up_to(), "invalid UTF-8"));
    }
    let mut reader = Reader { text, at: 0 };
    reader.value(200)?;
    if reader.at < text.len() { Err((reader.at, "unexpected text after the value")) } else { Ok(()) }
}

/// Sections of `key = value` or `key: value`, with comments and continued values, as Python's configparser has them.
fn ini(text: &[u8]) -> Result<(), Fault> {
    if let Err(error) = std::str::from_utf8(text) {
        return Err((error.valid_up_to(), "invalid UTF-8"));
    }
    let (mut at, mut has_section, mut has_key) = (0, false, false);
    let mut sections = Vec::new();
    let mut keys = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let inner = line.trim_ascii();
        if inner.is_empty() || matches!(inner[0], b'#' | b';') {
            at += line.len() + 1;
            continue;
        }
        if line[0].is_ascii_whitespace() && has_key {
            at += line.len() + 1;
            continue;
        }
        if inner[0] == b'[' {
            let Some(end) = inner.iter().rposition(|byte| *byte == b']').filter(|end| *end > 1) else {
                return Err((at, "expected ']'"));
            };
            if sections.contains(&&inner[1..end]) {
                return Err((at, "duplicate section"));
            }
            sections.push(&inner[1..end]);
            keys.clear();
            (has_section, has_key) = (true, false);
        } else if !has_section {
            return Err((at, "expected a section"));
        } else {
            let parts = inner.iter().position(|byte| matches!(byte, b'=' | b':'));
            let key = inner[..parts.unwrap_or(0)].trim_ascii().to_ascii_lowercase();
            if key.is_empty() {
                return Err((at, "expected key = value"));
            }
            if keys.contains(&key) {
                return Err((at, "duplicate key"));
            }
            keys.push(key);
            has_key = true;
        }
        at += line.len() + 1;
    }
    if has_section { Ok(()) } else { Err((text.len(), "expected a section")) }
}

/// Lists of words, numbers, strings and lists.
fn sexp(text: &[u8]) -> Result<(), Fault> {
    let mut reader = Reader { text, at: 0 };
    let (mut depth, mut lists) = (0usize, 0);
    while let Some(byte) = reader.peek() {
        match byte {
            b'(' => {
                lists += usize::from(depth == 0);
                depth += 1;
            }
            b')' if depth == 0 => return Err((reader.at, "unexpected ')'")),
            b')' => depth -= 1,
            b' ' | b'\n' => {}
            _ if depth == 0 => return Err((reader.at, "expected '('")),
            b'"' => {
                reader.at += 1;
                reader.skip(|byte| byte != b'"');
                if reader.peek().is_none() {
                    return Err((reader.at, "unterminated string"));
                }
            }
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.') => {}
            _ => return Err((reader.at, "unexpected byte")),
        }
        reader.at += 1;
    }
    match (depth, lists) {
        (0, 0) => Err((text.len(), "expected a list")),
        (0, _) => Ok(()),
        _ => Err((text.len(), "expected ')'")),
    }
}

/// `digraph NAME {`, edges with attributes, `}`, each on its line.
fn graph(text: &[u8]) -> Result<(), Fault> {
    let mut reader = Reader { text, at: 0 };
    reader.take(b"digraph ", "expected 'digraph'")?;
    reader.word()?;
    reader.take(b" {\n", "expected '{'")?;
    loop {
        reader.skip(|byte| byte == b' ');
        if reader.peek() == Some(b'}') {
            reader.at += 1;
            break;
        }
        reader.word()?;
        while reader.text[reader.at..].starts_with(b" -> ") {
            reader.at += 4;
            reader.word()?;
        }
        if reader.text[reader.at..].starts_with(b" [") {
            reader.at += 2;
            loop {
                reader.word()?;
                reader.take(b"=\"", "expected '=\"'")?;
                reader.skip(|byte| byte != b'"' && byte != b'\n');
                reader.take(b"\"", "unterminated string")?;
                if !reader.text[reader.at..].starts_with(b", ") {
                    break;
                }
                reader.at += 2;
            }
            reader.take(b"]", "expected ']'")?;
        }
        reader.take(b";\n", "expected ';'")?;
    }
    reader.skip(|byte| byte == b'\n');
    if reader.at < text.len() { Err((reader.at, "unexpected text after '}'")) } else { Ok(()) }
}
