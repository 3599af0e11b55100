//! Text with styles and links, laid out in columns.
//!
//! Text may come from a target or an input: what a terminal would obey is escaped before widths are
//! counted. Styles are ours and come after that. Colours are the eight of every terminal, chosen to be
//! readable on dark and on light backgrounds.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Look, links};
use seedsmith_grammar::escape_control_chars;

/// A failure.
pub(crate) const FAILURE: Style = AnsiColor::Red.on_default().bold();
/// A success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Where something is in a source file.
const PLACE: Style = AnsiColor::Cyan.on_default();
/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// More important text.
pub(crate) const STRONG: Style = Style::new().bold();

/// How many columns of a terminal a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// One line of text with styles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Styled {
    parts: Vec<Part>,
}

/// A stretch of one style.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    style: Style,
    text: String,
    /// The file that it names.
    file: Option<PathBuf>,
}

impl Styled {
    /// A line without styles.
    pub(crate) fn plain(text: &str) -> Self {
        Styled::default().with(Style::new(), text)
    }

    /// Appends a text. Control characters are escaped; a tab becomes blanks.
    pub(crate) fn with(mut self, style: Style, text: &str) -> Self {
        self.push(style, text, None);
        self
    }

    /// Appends a place, which is a link to `file` where links are shown.
    pub(crate) fn with_place(mut self, text: &str, file: impl Into<PathBuf>) -> Self {
        self.push(PLACE, text, Some(file.into()));
        self
    }

    /// Appends another line.
    pub(crate) fn and(mut self, other: &Styled) -> Self {
        self.parts.extend(other.parts.iter().cloned());
        self
    }

    fn push(&mut self, style: Style, text: &str, file: Option<PathBuf>) {
        if !text.is_empty() {
            let text = escape_control_chars(&text.replace('\t', "    "), &[]).into_owned();
            self.parts.push(Part { style, text, file });
        }
    }

    /// The text alone.
    pub(crate) fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// The line as a terminal gets it.
    pub(crate) fn render(&self, look: &Look) -> String {
        self.parts.iter().map(|part| part.render(look)).collect()
    }

    /// Cuts the line to `columns`, with `…` at its end if it was longer.
    pub(crate) fn cut(&self, columns: usize) -> Styled {
        if width(&self.text()) <= columns {
            return self.clone();
        }
        let mut kept = Styled::default();
        let mut room = columns.saturating_sub(1);
        for part in &self.parts {
            let mut text = String::new();
            for c in part.text.chars() {
                let Some(left) = room.checked_sub(c.width().unwrap_or(0)) else { break };
                room = left;
                text.push(c);
            }
            let is_cut = text.len() < part.text.len();
            kept.parts.push(Part { text, ..part.clone() });
            if is_cut {
                break;
            }
        }
        if let Some(last) = kept.parts.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        kept.with(Style::new(), "…")
    }

    /// Breaks the line at blanks: the first new line has at most `first` columns, the others `rest`. A
    /// longer word is not broken here. The terminal breaks it, and then it can be copied as a whole.
    pub(crate) fn wrapped(&self, first: usize, rest: usize) -> Vec<Styled> {
        let mut lines = Vec::new();
        let mut line = Line::default();
        let mut word = Line::default();
        let mut room = first;
        for piece in self.parts.iter().flat_map(Part::words) {
            if piece.text.trim_matches(' ').is_empty() && !(line.is_empty() && word.is_empty()) {
                line.take(&mut word, &mut lines, &mut room, rest);
                line.blanks.push(piece);
            } else {
                word.push(piece);
            }
        }
        line.take(&mut word, &mut lines, &mut room, rest);
        lines.push(line.styled);
        lines
    }
}

/// A line while it becomes longer.
#[derive(Default)]
struct Line {
    styled: Styled,
    columns: usize,
    /// Blanks after the last word. They are dropped if the line ends here.
    blanks: Vec<Part>,
}

impl Line {
    /// Whether there is no word on the line.
    fn is_empty(&self) -> bool {
        self.styled.parts.is_empty()
    }

    fn push(&mut self, part: Part) {
        self.columns += width(&part.text);
        match self.styled.parts.last_mut() {
            Some(last) if last.style == part.style && last.file == part.file => {
                last.text += &part.text;
            }
            _ => self.styled.parts.push(part),
        }
    }

    /// Adds a word if it fits in `room`; else ends the line before it.
    fn take(&mut self, word: &mut Line, lines: &mut Vec<Styled>, room: &mut usize, rest: usize) {
        let word = std::mem::take(word);
        if word.is_empty() {
            return;
        }
        let blanks: usize = self.blanks.iter().map(|part| width(&part.text)).sum();
        if !self.is_empty() && self.columns + blanks + word.columns > *room {
            lines.push(std::mem::take(self).styled);
            *room = rest;
        }
        let blanks = std::mem::take(&mut self.blanks);
        blanks.into_iter().chain(word.styled.parts).for_each(|part| self.push(part));
    }
}

impl Part {
    /// Splits the text into words and the blanks between them.
    fn words(&self) -> impl Iterator<Item = Part> {
        let is_blank = |c: &char| *c == ' ';
        let mut words: Vec<String> = Vec::new();
        for c in self.text.chars() {
            match words.last_mut() {
                Some(word) if word.ends_with(' ') == is_blank(&c) => word.push(c),
                _ => words.push(c.to_string()),
            }
        }
        words.into_iter().map(|text| Part { text, ..self.clone() })
    }

    fn render(&self, look: &Look) -> String {
        let mut text = match look.has_colors {
            true if self.style != Style::new() => {
                format!("{}{}{:#}", self.style, self.text, self.style)
            }
            _ => self.text.clone(),
        };
        let file = self.file.as_deref().filter(|_| look.has_links);
        if let Some(address) = file.and_then(links::address) {
            text = format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { has_colors: false, has_links: false, columns: None };

    fn wrapped(text: &str, columns: usize) -> Vec<String> {
        let lines = Styled::plain(text).wrapped(columns, columns);
        lines.iter().map(|line| line.render(&PLAIN)).collect()
    }

    #[test]
    fn lines_are_broken_at_blanks_by_columns() {
        assert_eq!(
            wrapped("the len is 5 but the index is 17", 12),
            ["the len is 5", "but the", "index is 17"]
        );
        // Two columns each; a combining accent has none.
        assert_eq!(
            wrapped("一二三 四五 e\u{301}e\u{301}", 11),
            ["一二三 四五", "e\u{301}e\u{301}"]
        );
        assert_eq!(
            wrapped("a /long/path/that/stays/whole b", 10),
            ["a", "/long/path/that/stays/whole", "b"]
        );
        assert_eq!(wrapped("  left: 1", 20), ["  left: 1"]);
        assert_eq!(wrapped("", 20), [""]);
    }

    #[test]
    fn a_word_of_two_styles_is_not_broken_and_escapes_count() {
        let line =
            Styled::plain("panic at ").with_place("a.rs:1", "a.rs").with(STRONG, ": \x1b[0m");
        let lines: Vec<String> = line.wrapped(9, 9).iter().map(Styled::text).collect();
        assert_eq!(lines, ["panic at", "a.rs:1:", "\\x1b[0m"]);
    }

    #[test]
    fn colours_and_links_are_written_where_they_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "").unwrap();
        let line = Styled::default().with(FAILURE, "panic").with(Style::new(), " at ");
        let line = line.with_place("a.rs:1", &file);
        assert_eq!(line.render(&PLAIN), "panic at a.rs:1");
        let colors = Look { has_colors: true, ..PLAIN };
        let shown = "\x1b[1m\x1b[31mpanic\x1b[0m at \x1b[36ma.rs:1\x1b[0m";
        assert_eq!(line.render(&colors), shown);
        let linked = line.render(&Look { has_links: true, ..colors });
        assert!(linked.contains("\x1b]8;;file://") && linked.ends_with("\x1b[0m\x1b]8;;\x1b\\"));
    }

    #[test]
    fn a_line_is_cut_by_columns() {
        let cut = |text: &str, columns| Styled::plain(text).cut(columns).text();
        assert_eq!(cut("一二三四", 8), "一二三四");
        assert_eq!(cut("一二三四", 6), "一二…");
        assert_eq!(cut("abcdef", 4), "abc…");
    }
}
