//! Remarks of a text without a grammar: an input is read without them, once tests have shown that they say nothing.

use std::borrow::Cow;

use crate::generalize::predicate::name::Name;

/// What the name of remarks begins with that are whole lines.
const LINES: &str = "lines that begin with ";
/// The same of those that may come after other text of a line.
const REMARKS: &str = "remarks that begin with ";

/// How much of a line is a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) enum Reach {
    /// All of it, if it begins with the mark, maybe after blanks.
    Line,
    /// What follows the mark, if there is a blank or nothing before that.
    Rest,
}

/// Remarks that begin with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct Remark {
    /// The mark, of ASCII characters.
    pub mark: String,
    /// How much of a line they are.
    pub reach: Reach,
}

/// The remarks that inputs are read without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct LeftOut(pub Vec<Remark>);

impl Remark {
    /// What a condition calls them.
    pub(in crate::generalize::predicate) fn name(&self) -> Name {
        let kind = match self.reach {
            Reach::Line => LINES,
            Reach::Rest => REMARKS,
        };
        format!("{kind}{:?}", self.mark).into()
    }

    /// The remarks of that name.
    fn of_name(name: &str) -> Option<Self> {
        let kinds = [(LINES, Reach::Line), (REMARKS, Reach::Rest)];
        let found = kinds.into_iter().find_map(|(kind, reach)| {
            let mark = name.strip_prefix(kind)?.strip_prefix('"')?.strip_suffix('"')?;
            Some(Remark { mark: mark.to_owned(), reach })
        });
        found.filter(|found| !found.mark.is_empty())
    }

    /// Where it begins in a line.
    fn start(&self, line: &[u8]) -> Option<usize> {
        let text = line.len() - line.trim_ascii_start().len();
        if line[text..].starts_with(self.mark.as_bytes()) {
            return Some(0);
        }
        let after_blank = |at: &usize| line[*at - 1].is_ascii_whitespace();
        match self.reach {
            Reach::Line => None,
            Reach::Rest => memchr::memmem::find_iter(line, &self.mark)
                .filter(|at| *at > text)
                .find(after_blank),
        }
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
        kept.map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_without_its_remarks() {
        let remark = |mark: &str, reach: Reach| Remark { mark: mark.to_owned(), reach };
        let all = [remark("#", Reach::Line), remark("//", Reach::Rest)];
        let left_out = LeftOut(all.to_vec());
        let of = |text: &str| String::from_utf8(left_out.of(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(of("# a\na #b\n  # c\r\nd // e\r\n//f\nhttp://g\n"), "a #b\nd\r\nhttp://g\n");
        assert_eq!(of("a\n# b"), "a\n");
        assert!(matches!(left_out.of(b"a\nb"), Cow::Borrowed(_)));
        let names = all.each_ref().map(Remark::name);
        assert_eq!(LeftOut::in_names(names.iter().chain([&"<line>".into()])), left_out);
    }
}
