//! What says nothing of a text: inputs are read without it, once tests have shown that. With a grammar that is the case of letters
//! alone.
//!
//! A condition names these parts, so that a later reader leaves out the same: `some <line> has "a" (lines that begin
//! with "#" are left out)`. Whether a text says nothing is decided in `inputs/bases/left_out.rs`.

use std::borrow::Cow;

use seedsmith_grammar::{NodeKind, Tree};

use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::name::Name;

/// The beginning of the name of remarks that are whole lines.
const LINES: &str = "lines that begin with ";
/// The same of those that may come after other text of a line.
const REMARKS: &str = "remarks that begin with ";
/// The same of those that end with another mark, maybe in a later line; and the text between both marks in a name.
const BETWEEN: &str = "remarks between ";
const AND: &str = "\" and \"";
/// The beginning of the name of lines between two that begin with the same mark, with these.
const FENCED: &str = "blocks between lines of ";
/// Marks that a block of lines is between, each in a line of its own, with their names: code in a document, a text in a script.
pub(in crate::generalize::predicate) const FENCES: [(&str, &str); 4] = [
    ("\"\"\"", "three quotation marks"),
    ("```", "three backquotes"),
    ("'''", "three apostrophes"),
    ("~~~", "three tildes"),
];
/// The name of the blanks before the text of a line.
const BLANKS: &str = "blanks at the beginnings of lines";
/// The name of the case of letters.
const CASE: &str = "differences between upper and lower case";

/// Texts that say nothing. Marks are of ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) enum Ignored {
    /// A line that begins with the mark, maybe after blanks.
    Line(String),
    /// The mark and the rest of its line, if there is a blank or nothing before it.
    Rest(String),
    /// Two marks and the text between them.
    Between(String, String),
    /// A line that begins with the mark, the next line of the mark alone, and those between them.
    Fenced(&'static str),
    /// Blanks before the text of a line.
    Blanks,
    /// Whether a letter is a capital: `Content-Length` is the same as `content-length`.
    Case,
}

/// The texts that inputs are read without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct LeftOut(pub Vec<Ignored>);

impl Ignored {
    /// Their name in a condition.
    ///
    /// The name has the marks in quotation marks, so that it can be read again.
    pub(in crate::generalize::predicate) fn name(&self) -> Name {
        let name = match self {
            Ignored::Line(mark) => format!("{LINES}\"{mark}\""),
            Ignored::Rest(mark) => format!("{REMARKS}\"{mark}\""),
            Ignored::Between(mark, end) => format!("{BETWEEN}\"{mark}{AND}{end}\""),
            Ignored::Fenced(mark) => {
                let known = FENCES.iter().find(|(known, _)| known == mark);
                format!("{FENCED}{}", known.map_or(*mark, |(_, name)| name))
            }
            Ignored::Blanks => BLANKS.to_owned(),
            Ignored::Case => CASE.to_owned(),
        };
        name.into()
    }

    /// Those of that name.
    ///
    /// Nothing for names of other things, which are most.
    fn of_name(name: &str) -> Option<Self> {
        let quoted = |kind: &str| {
            let mark = name.strip_prefix(kind)?.strip_prefix('"')?.strip_suffix('"')?;
            (!mark.is_empty()).then(|| mark.to_owned())
        };
        let line = || quoted(LINES).map(Ignored::Line);
        let rest = || quoted(REMARKS).map(Ignored::Rest);
        let between = || {
            let marks = quoted(BETWEEN)?;
            let (mark, end) = marks.split_once(AND)?;
            Some(Ignored::Between(mark.to_owned(), end.to_owned()))
        };
        let fenced = || {
            let name = name.strip_prefix(FENCED)?;
            FENCES.iter().find(|known| known.1 == name).map(|known| Ignored::Fenced(known.0))
        };
        let blanks = || (name == BLANKS).then_some(Ignored::Blanks);
        let case = || (name == CASE).then_some(Ignored::Case);
        line().or_else(rest).or_else(between).or_else(fenced).or_else(blanks).or_else(case)
    }

    /// The mark that it begins with.
    pub(in crate::generalize::predicate) fn mark(&self) -> &str {
        match self {
            Ignored::Line(mark) | Ignored::Rest(mark) | Ignored::Between(mark, _) => mark,
            Ignored::Fenced(mark) => mark,
            Ignored::Blanks | Ignored::Case => "",
        }
    }

    /// Where it begins in a line, if it reaches to the end of that.
    fn start(&self, line: &[u8]) -> Option<usize> {
        let (Ignored::Line(mark) | Ignored::Rest(mark)) = self else { return None };
        let text = line.len() - line.trim_ascii_start().len();
        if line[text..].starts_with(mark.as_bytes()) {
            return Some(0);
        }
        let mut later = memchr::memmem::find_iter(line, mark).filter(|at| *at > text);
        let after_blank = |at: &usize| line[*at - 1].is_ascii_whitespace();
        later.find(|at| matches!(self, Ignored::Rest(_)) && after_blank(at))
    }

    /// A text without those between two marks or two lines; nothing if it has none.
    fn cut(&self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            Ignored::Between(mark, end) => Self::without_remarks(text, (mark, end)),
            Ignored::Fenced(mark) => Self::without_blocks(text, mark.as_bytes()),
            _ => None,
        }
    }

    /// A text without the blocks between lines of a mark. A block without an end is none.
    fn without_blocks(text: &[u8], mark: &[u8]) -> Option<Vec<u8>> {
        let after_mark = |line: &[u8]| line.trim_ascii().strip_prefix(mark).map(<[u8]>::len);
        let opens = |line: &[u8]| {
            // Two marks in one line are around a text of that line.
            after_mark(line).is_some() && memchr::memmem::find_iter(line, mark).nth(1).is_none()
        };
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let (mut kept, mut rest) = (Vec::new(), &lines[..]);
        while let [line, below @ ..] = rest {
            let is_end = |line: &&[u8]| after_mark(line) == Some(0);
            let end = if opens(line) { below.iter().position(is_end) } else { None };
            match end {
                Some(end) => rest = &below[end + 1..],
                None => {
                    kept.extend_from_slice(line);
                    rest = below;
                }
            }
        }
        (kept.len() < text.len()).then_some(kept)
    }

    /// A text without those between two marks. Of a line with nothing else nothing is left.
    fn without_remarks(text: &[u8], (mark, end): (&str, &str)) -> Option<Vec<u8>> {
        let find = |text: &[u8], mark: &str| memchr::memmem::find(text, mark.as_bytes());
        let (mut kept, mut rest) = (Vec::new(), text);
        while let Some(start) = find(rest, mark) {
            let inner = start + mark.len();
            let Some(length) = find(&rest[inner..], end) else { break };
            let after = inner + length + end.len();
            let line = rest[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let begins_line = line > 0 || kept.is_empty() || kept.ends_with(b"\n");
            let blanks = rest[after..].iter().take_while(|byte| b" \t\r".contains(byte)).count();
            let is_alone = begins_line
                && rest[line..start].trim_ascii().is_empty()
                && rest.get(after + blanks).is_none_or(|byte| *byte == b'\n');
            let (start, after) = match is_alone {
                true => (line, rest.len().min(after + blanks + 1)),
                false => (start, after),
            };
            kept.extend_from_slice(&rest[..start]);
            rest = &rest[after..];
        }
        (rest.len() < text.len()).then(|| [&kept, rest].concat())
    }
}

impl LeftOut {
    /// Those that names of conditions are about.
    pub(in crate::generalize::predicate) fn in_names<'n>(
        names: impl Iterator<Item = &'n Name>,
    ) -> Self {
        let mut found = Vec::new();
        for ignored in names.filter_map(|name| Ignored::of_name(name)) {
            if !found.contains(&ignored) {
                found.push(ignored);
            }
        }
        // The last one of a condition is around the others.
        found.reverse();
        LeftOut(found)
    }

    /// Whether the case of letters says nothing.
    pub(in crate::generalize::predicate) fn has_case(&self) -> bool {
        self.0.contains(&Ignored::Case)
    }

    /// A text that was parsed, as it is read: its letters are small ones where their case says nothing. The words of a grammar stay as they
    /// are. The tree is that of both texts, because letters of ASCII alone change.
    pub(in crate::generalize::predicate) fn in_one_case<'t>(
        &self,
        (tree, text): (&Tree, &'t [u8]),
        language: &Sampler,
    ) -> Cow<'t, [u8]> {
        if !self.has_case() {
            return Cow::Borrowed(text);
        }
        let mut small = text.to_ascii_lowercase();
        let tokens = &language.grammar().tokens;
        for id in tree.ids() {
            let NodeKind::Token(token) = tree.node(id).kind else { continue };
            if tokens.get(token as usize).is_some_and(|token| token.literal.is_some()) {
                let span = tree.span(id);
                small[span.clone()].copy_from_slice(&text[span]);
            }
        }
        Cow::Owned(small)
    }

    /// A text without them. Of a line that is a remark nothing is left, and neither its end.
    ///
    /// Cost: a pass over the text for each pair of marks, and one for its lines;
    /// none for formats with a grammar, whose texts are read whole.
    pub(in crate::generalize::predicate) fn of<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut left: Cow<'t, [u8]> = Cow::Borrowed(text);
        if self.0.is_empty() {
            return left;
        }
        for ignored in &self.0 {
            if let Some(text) = ignored.cut(&left) {
                left = Cow::Owned(text);
            }
        }
        let lines = self.in_lines(&left);
        if lines.len() < left.len() { Cow::Owned(lines) } else { left }
    }

    /// A text without those that are in one line.
    ///
    /// The ends of lines stay as they are.
    fn in_lines(&self, text: &[u8]) -> Vec<u8> {
        let mut kept = Vec::new();
        let without_blanks = self.0.contains(&Ignored::Blanks);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let ends = line.iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
            let (mut line, end) = line.split_at(line.len() - ends);
            match self.0.iter().filter_map(|ignored| ignored.start(line)).min() {
                Some(0) => continue,
                Some(start) => line = line[..start].trim_ascii_end(),
                None => {}
            }
            kept.extend_from_slice(if without_blanks { line.trim_ascii_start() } else { line });
            kept.extend_from_slice(end);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use super::*;
    use crate::generalize::predicate::plain;

    #[test]
    fn a_text_is_read_without_what_says_nothing() {
        let of = |left_out: &[Ignored], text: &str| {
            let left_out = LeftOut(left_out.to_vec());
            String::from_utf8(left_out.of(text.as_bytes()).into_owned()).unwrap()
        };
        let (line, rest) = (Ignored::Line("#".to_owned()), Ignored::Rest("//".to_owned()));
        let between = Ignored::Between("{!".to_owned(), "}".to_owned());
        let fenced = Ignored::Fenced(FENCES[0].0);
        let blocks = "a\n  \"\"\" x\nb\n\"\"\"\nc\n\"\"\"d\"\"\"\n\"\"\"\n";
        assert_eq!(of(std::slice::from_ref(&fenced), blocks), "a\nc\n\"\"\"d\"\"\"\n\"\"\"\n");
        let all = [line, rest, between, Ignored::Blanks, Ignored::Case, fenced];
        let text = "# a\na #b\n  # c\r\n d // e\r\n//f\nhttp://g\n";
        assert_eq!(of(&all[..3], text), "a #b\n d\r\nhttp://g\n");
        assert_eq!(of(&all, text), "a #b\nd\r\nhttp://g\n");
        assert_eq!(of(&all, "a\n# b"), "a\n");
        assert_eq!(of(&all, "{! a\nb }\nc{!d}e\n{! f\n"), "ce\n{! f\n");
        assert!(matches!(LeftOut(all.to_vec()).of(b"a\nb"), Cow::Borrowed(_)));
        let names = all.each_ref().map(Ignored::name);
        assert_eq!(LeftOut::in_names(names.iter().rev().chain([&"<line>".into()])).0, all);
    }

    #[test]
    fn letters_are_small_ones_where_their_case_says_nothing_but_for_words_of_the_grammar() {
        let language = Language::open("json", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let text = r#"{"A-b": [true, "\u00C4É"]}"#;
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let of = |left_out: Vec<Ignored>| {
            LeftOut(left_out).in_one_case((&tree, text.as_bytes()), &language).into_owned()
        };
        assert_eq!(of(vec![Ignored::Case]), r#"{"a-b": [true, "\u00c4É"]}"#.as_bytes());
        assert_eq!(of(vec![Ignored::Blanks]), text.as_bytes());
        let mut grammar = plain::language().unwrap();
        let (tree, _) = grammar
            .read(
                b"From A
",
            )
            .unwrap();
        let left_out = LeftOut(vec![Ignored::Case]);
        assert_eq!(&*left_out.in_one_case((&tree, b"From A\n"), &grammar), b"from a\n");
    }
}
