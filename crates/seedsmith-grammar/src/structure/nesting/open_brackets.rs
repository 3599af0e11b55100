//! Finds where a text can be cut so that the text before the cut, with its open brackets closed, is
//! complete.
//!
//! An [`OpenBrackets`] reads a text from the left and knows at every byte which brackets and quotes are
//! open. That is enough to complete a prefix with the missing closers. The result is a guess, since
//! no text format is known here.

use crate::structure::nesting::layout::Layout;

/// The kind of text at the reader's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Neither quoted nor a comment.
    Text,
    /// A quotation; whether the last byte was a backslash that is not escaped itself.
    Quotes { is_escaped: bool },
    /// `//` to the end of the line, or `#` at its beginning.
    LineComment,
    /// `/*` to `*/`.
    BlockComment,
}

/// Bytes that are only content, wherever they occur.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [true; 256];
    let marks = b"\"\\*/#{}[](),; \t\r\n\x0c";
    let mut at = 0;
    while at < marks.len() {
        is_plain[marks[at] as usize] = false;
        at += 1;
    }
    is_plain
};

/// Whether a byte may open, close or part something.
pub fn is_mark(byte: u8) -> bool {
    !IS_PLAIN[usize::from(byte)]
}

/// The brackets and quotes that are open at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenBrackets {
    /// How the text is laid out, which decides where it can be cut.
    layout: Layout,
    /// The kind of text that comes next.
    inside: Inside,
    /// The closers of the open brackets, the innermost last.
    closers: Vec<u8>,
    /// The last byte.
    before: u8,
    /// The last byte that is not blank.
    significant: u8,
    /// Whether anything but blanks and comments came yet.
    has_content: bool,
}

/// Whether a text can be cut beside a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutSide {
    /// Not here.
    No,
    /// Before the byte.
    Before,
    /// After the byte.
    After,
}

impl OpenBrackets {
    /// Nothing is open before the first byte.
    pub fn new(layout: Layout) -> Self {
        OpenBrackets {
            layout,
            inside: Inside::Text,
            closers: Vec::new(),
            before: b'\n',
            significant: b'\n',
            has_content: false,
        }
    }

    /// Appends the closers of all that is open, the innermost first.
    pub fn close(&self, out: &mut Vec<u8>) {
        if self.is_quoted() {
            out.push(b'"');
        }
        out.extend(self.closers.iter().rev());
    }

    /// Whether a quotation is open.
    pub fn is_quoted(&self) -> bool {
        matches!(self.inside, Inside::Quotes { .. })
    }

    /// How many closers that takes.
    pub fn closers(&self) -> usize {
        usize::from(self.is_quoted()) + self.closers.len()
    }

    /// The closer of the innermost bracket.
    pub fn innermost(&self) -> Option<u8> {
        self.closers.last().copied()
    }

    /// Takes note of the next byte and returns whether the text can be cut there.
    #[inline]
    pub fn feed(&mut self, byte: u8) -> CutSide {
        // Most bytes are neither mark nor blank, and this is the innermost loop of a repair.
        if !IS_PLAIN[usize::from(byte)] {
            return self.feed_mark(byte);
        }
        self.before = byte;
        self.significant = byte;
        match &mut self.inside {
            Inside::Text => self.has_content = true,
            Inside::Quotes { is_escaped } => *is_escaped = false,
            Inside::LineComment | Inside::BlockComment => {}
        }
        CutSide::No
    }

    /// The same of a byte that may mean something.
    fn feed_mark(&mut self, byte: u8) -> CutSide {
        let cut = match self.layout {
            Layout::Lines if byte == b'\n' => CutSide::After,
            Layout::Lines => CutSide::No,
            Layout::Brackets => self.feed_brackets(byte),
        };
        self.before = byte;
        if !byte.is_ascii_whitespace() {
            self.significant = byte;
            // The first mark of a comment is content until the second one comes.
            self.has_content |= self.inside == Inside::Text && !b"/#".contains(&byte);
        }
        // In brackets nothing at all is rarely valid, so that a cut before everything says
        // nothing; a file of no lines mostly is.
        match self.layout {
            Layout::Brackets if !self.has_content => CutSide::No,
            _ => cut,
        }
    }

    /// The same in a text that is laid out in brackets.
    fn feed_brackets(&mut self, byte: u8) -> CutSide {
        match self.inside {
            Inside::Quotes { is_escaped } => {
                self.inside = match byte {
                    b'"' if !is_escaped => Inside::Text,
                    _ => Inside::Quotes { is_escaped: byte == b'\\' && !is_escaped },
                };
                return CutSide::No;
            }
            Inside::LineComment => {
                if byte != b'\n' {
                    return CutSide::No;
                }
                self.inside = Inside::Text;
                return CutSide::After;
            }
            Inside::BlockComment => {
                if self.before == b'*' && byte == b'/' {
                    self.inside = Inside::Text;
                }
                return CutSide::No;
            }
            Inside::Text => {}
        }
        match byte {
            b'"' => {
                self.inside = Inside::Quotes { is_escaped: false };
                CutSide::No
            }
            b'*' if self.before == b'/' => {
                self.inside = Inside::BlockComment;
                CutSide::No
            }
            b'/' if self.before == b'/' => {
                self.inside = Inside::LineComment;
                CutSide::No
            }
            b'#' if self.before == b'\n' => {
                self.inside = Inside::LineComment;
                CutSide::No
            }
            b'{' | b'[' | b'(' => {
                self.closers.push(match byte {
                    b'{' => b'}',
                    b'[' => b']',
                    _ => b')',
                });
                CutSide::After
            }
            b'}' | b']' | b')' => {
                if self.closers.last() == Some(&byte) {
                    self.closers.pop();
                }
                CutSide::After
            }
            b',' => CutSide::Before,
            b';' => CutSide::After,
            // After an operator or a separator something is still to come.
            b'\n' if !b",:=+-*/|&".contains(&self.significant) => CutSide::After,
            _ => CutSide::No,
        }
    }
}

/// A place where a text can be cut, with the brackets that are open there.
#[derive(Clone, Debug)]
pub struct CutPoint {
    /// Offset of the cut.
    pub at: usize,
    /// The brackets and quotes that are open before it.
    pub outline: OpenBrackets,
}

impl CutPoint {
    /// The start of any text.
    pub fn start(layout: Layout) -> CutPoint {
        CutPoint { at: 0, outline: OpenBrackets::new(layout) }
    }

    /// The first cut of `text` after this one at which `is_wanted` is true; the end of the text
    /// if there is none.
    ///
    /// Cost: a reading of the text from this place to the cut.
    pub fn next(&self, text: &[u8], mut is_wanted: impl FnMut(usize) -> bool) -> CutPoint {
        let mut outline = self.outline.clone();
        for (at, byte) in text.iter().enumerate().skip(self.at) {
            // The state before a byte is that before it was fed; only a comma cuts there.
            match outline.feed(*byte) {
                CutSide::Before if at > self.at && is_wanted(at) => {
                    let mut open = outline;
                    open.before = text[at - 1];
                    return CutPoint { at, outline: open.unfed(&text[..at]) };
                }
                CutSide::After if at + 1 < text.len() && is_wanted(at + 1) => {
                    return CutPoint { at: at + 1, outline };
                }
                _ => {}
            }
        }
        CutPoint { at: text.len(), outline }
    }

    /// All cuts of `text` after this one, the end included.
    pub fn all(&self, text: &[u8]) -> Vec<usize> {
        let mut cuts = CutOffsets::behind(self, text);
        (0..).map_while(|index| cuts.get(index)).collect()
    }

    /// This place, moved on to `at`.
    pub fn moved(&self, text: &[u8], at: usize) -> CutPoint {
        let mut outline = self.outline.clone();
        text[self.at..at].iter().for_each(|byte| {
            outline.feed(*byte);
        });
        CutPoint { at, outline }
    }
}

/// The cuts of a text after a place, found as far as they are asked for: most texts are looked at
/// up to their first fault only.
pub struct CutOffsets<'t> {
    /// The text.
    text: &'t [u8],
    outline: OpenBrackets,
    /// Where the places begin.
    start: usize,
    /// How far the text was read.
    at: usize,
    /// The cuts so far, ascending.
    found: Vec<usize>,
}

impl<'t> CutOffsets<'t> {
    /// Those after `place`.
    pub fn behind(place: &CutPoint, text: &'t [u8]) -> Self {
        let (outline, start) = (place.outline.clone(), place.at);
        CutOffsets { text, outline, start, at: start, found: Vec::new() }
    }

    /// The cut with a number; the last one is the text's end.
    pub fn get(&mut self, index: usize) -> Option<usize> {
        while self.found.len() <= index && self.at < self.text.len() {
            let at = self.at;
            self.at += 1;
            match self.outline.feed(self.text[at]) {
                CutSide::Before if at > self.start => self.add(at),
                CutSide::After => self.add(at + 1),
                _ => {}
            }
            if self.at == self.text.len() {
                self.add(self.at);
            }
        }
        self.found.get(index).copied()
    }

    /// The number of the last cut that is not after the one with `index`.
    pub fn last_within(&mut self, index: usize) -> Option<usize> {
        let is_there = self.get(index).is_some();
        if is_there { Some(index) } else { self.found.len().checked_sub(1) }
    }

    /// Notes a cut, unless it is the last one again.
    fn add(&mut self, at: usize) {
        if self.found.last() != Some(&at) {
            self.found.push(at);
        }
    }
}

/// Places of a stretch of text, kept at every few bytes, so that one is near wherever an edit is.
pub struct Checkpoints {
    start: usize,
    /// A place for every [`CHECKPOINT_BYTES`].
    places: Vec<CutPoint>,
}

/// Bytes from one place of a trail to the next.
///
/// A guess, not measured: a place takes some tens of bytes of memory, reading on costs a step for
/// each byte.
const CHECKPOINT_BYTES: usize = 16;

impl Checkpoints {
    /// From `place` on up to `end`.
    pub fn new(place: CutPoint, text: &[u8], end: usize) -> Self {
        let start = place.at;
        let mut places = vec![place];
        for at in (start + CHECKPOINT_BYTES..end).step_by(CHECKPOINT_BYTES) {
            places.push(places[places.len() - 1].moved(text, at));
        }
        Checkpoints { start, places }
    }

    /// The nearest place before `at`; the trail's start if there is none.
    pub fn in_front_of(&self, at: usize) -> &CutPoint {
        let index = at.saturating_sub(self.start + 1) / CHECKPOINT_BYTES;
        &self.places[index.min(self.places.len() - 1)]
    }
}

impl OpenBrackets {
    /// Takes back a comma, which had only changed the last significant byte.
    fn unfed(mut self, front: &[u8]) -> OpenBrackets {
        let blank = |byte: &&u8| !byte.is_ascii_whitespace();
        self.significant = front.iter().rev().find(blank).copied().unwrap_or(b'\n');
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_completed_by_what_closes_it() {
        let text = br#"{"a":[1,"}"], // ]"#;
        let place = CutPoint::start(Layout::Brackets);
        assert_eq!(place.all(text), [1, 6, 7, 12, 18]);
        let completed = |at| {
            let mut whole = text[..at].to_vec();
            place.moved(text, at).outline.close(&mut whole);
            String::from_utf8(whole).unwrap()
        };
        assert_eq!(completed(7), r#"{"a":[1]}"#);
        assert_eq!(completed(10), r#"{"a":[1,"}"]}"#);
    }
}
