//! Remarks of a text without a grammar: an input is read without them, once tests have shown that they say nothing.

use std::borrow::Cow;

use crate::generalize::predicate::name::Name;

/// What the name of remarks begins with that are whole lines.
const LINES: &str = "lines that begin with ";
/// The same of those that may come after other text of a line.
const REMARKS: &str = "remarks that begin with ";

/// The same of those that end with another mark, maybe in a later line; and what is between both marks.
const BETWEEN: &str = "remarks between ";
const AND: &str = "\" and \"";

/// How far a remark reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) enum Reach {
    /// All of a line, if it begins with the mark, maybe after blanks.
    Line,
    /// What follows the mark in a line, if there is a blank or nothing before that.
    Rest,
    /// Up to another mark.
    UpTo(String),
}

/// Remarks that begin with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct Remark {
    /// The mark, of ASCII characters.
    pub mark: String,
    /// How far they reach.
    pub reach: Reach,
}

/// The remarks that inputs are read without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct LeftOut(pub Vec<Remark>);

impl Remark {
    /// What a condition calls them.
    pub(in crate::generalize::predicate) fn name(&self) -> Name {
        let mark = &self.mark;
        let name = match &self.reach {
            Reach::Line => format!("{LINES}\"{mark}\""),
            Reach::Rest => format!("{REMARKS}\"{mark}\""),
            Reach::UpTo(end) => format!("{BETWEEN}\"{mark}{AND}{end}\""),
        };
        name.into()
    }

    /// The remarks of that name.
    fn of_name(name: &str) -> Option<Self> {
        let quoted = |kind: &str| name.strip_prefix(kind)?.strip_prefix('"')?.strip_suffix('"');
        let kinds = [(LINES, Reach::Line), (REMARKS, Reach::Rest)];
        let mut kinds = kinds.into_iter().filter_map(|(kind, reach)| Some((quoted(kind)?, reach)));
        let between = || {
            let (mark, end) = quoted(BETWEEN)?.split_once(AND)?;
            (!end.is_empty()).then(|| (mark, Reach::UpTo(end.to_owned())))
        };
        let (mark, reach) = kinds.next().or_else(between)?;
        (!mark.is_empty()).then(|| Remark { mark: mark.to_owned(), reach })
    }

    /// Where it begins in a line; nothing for one that ends with another mark.
    fn start(&self, line: &[u8]) -> Option<usize> {
        if matches!(self.reach, Reach::UpTo(_)) {
            return None;
        }
        let text = line.len() - line.trim_ascii_start().len();
        if line[text..].starts_with(self.mark.as_bytes()) {
            return Some(0);
        }
        let after_blank = |at: &usize| line[*at - 1].is_ascii_whitespace();
        match self.reach {
            Reach::Rest => memchr::memmem::find_iter(line, &self.mark)
                .filter(|at| *at > text)
                .find(after_blank),
            Reach::Line | Reach::UpTo(_) => None,
        }
    }

    /// A text without those that end with another mark. Of a line with nothing else nothing is left.
    fn cut(&self, text: &[u8]) -> Option<Vec<u8>> {
        let Reach::UpTo(end) = &self.reach else { return None };
        let find = |text: &[u8], mark: &str| memchr::memmem::find(text, mark.as_bytes());
        let (mut kept, mut rest) = (Vec::new(), text);
        while let Some(start) = find(rest, &self.mark) {
            let inner = start + self.mark.len();
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
        for remark in names.filter_map(|name| Remark::of_name(name)) {
            if !found.contains(&remark) {
                found.push(remark);
            }
        }
        LeftOut(found)
    }

    /// A text without them. Of a line that is a remark nothing is left, and neither its end.
    pub(in crate::generalize::predicate) fn of<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut cut: Cow<'t, [u8]> = Cow::Borrowed(text);
        for remark in &self.0 {
            if let Some(text) = remark.cut(&cut) {
                cut = Cow::Owned(text);
            }
        }
        match self.without_ends(&cut) {
            Some(kept) => Cow::Owned(kept),
            None => cut,
        }
    }

    /// A text without those that reach to the ends of their lines; nothing if it has none.
    fn without_ends(&self, text: &[u8]) -> Option<Vec<u8>> {
        let start = |line: &[u8]| self.0.iter().filter_map(|remark| remark.start(line)).min();
        let mut kept: Option<Vec<u8>> = None;
        let mut at = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let end =
                line.len() - line.iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
            let start = if self.0.is_empty() { None } else { start(&line[..end]) };
            if start.is_some() && kept.is_none() {
                kept = Some(text[..at].to_vec());
            }
            if let Some(kept) = &mut kept {
                match start {
                    Some(0) => {}
                    Some(start) => {
                        kept.extend_from_slice(line[..start].trim_ascii_end());
                        kept.extend_from_slice(&line[end..]);
                    }
                    None => kept.extend_from_slice(line),
                }
            }
            at += line.len();
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_without_its_remarks() {
        let remark = |mark: &str, reach: Reach| Remark { mark: mark.to_owned(), reach };
        let block = remark("{!", Reach::UpTo("}".to_owned()));
        let all = [remark("#", Reach::Line), remark("//", Reach::Rest), block];
        let left_out = LeftOut(all.to_vec());
        let of = |text: &str| String::from_utf8(left_out.of(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(of("# a\na #b\n  # c\r\nd // e\r\n//f\nhttp://g\n"), "a #b\nd\r\nhttp://g\n");
        assert_eq!(of("a\n# b"), "a\n");
        assert_eq!(of("{! a\nb }\nc{!d}e\n{! f\n"), "ce\n{! f\n");
        assert!(matches!(left_out.of(b"a\nb"), Cow::Borrowed(_)));
        let names = all.each_ref().map(Remark::name);
        assert_eq!(LeftOut::in_names(names.iter().chain([&"<line>".into()])), left_out);
    }
}
