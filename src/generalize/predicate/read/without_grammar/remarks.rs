//! Lines that are no remarks, where there is no grammar: `<line> that does not begin with "#"`.
//!
//! Many programs skip lines that begin with `#`, `;` or `//`, and what they say of lines, such as that two are equal or
//! that the first one is odd, they say of the others. A mark counts as that of remarks if some given input has a line that begins with it.
//! Empty lines have no such name.

use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::outline::{Item, Outline, Rule};
use crate::generalize::predicate::read::words::{Words, is_remark};
use crate::generalize::predicate::term::IS_NO_REMARK;

impl<'t> Outline<'t> {
    /// Names the lines that are no remarks, for each mark that remarks of the search begin with.
    ///
    /// The marks are kept, so that rules have these names too.
    pub(in crate::generalize::predicate::read) fn name_unmarked_lines(&mut self, words: &Words) {
        self.remarks = words.remarks.clone();
        let mut found: Vec<Item<'t>> = Vec::new();
        for rule in self.rules.iter().filter(|rule| rule.name == "<line>") {
            let part = self.all_of(rule);
            found.extend(self.unmarked(rule).into_iter().map(|name| Item {
                name,
                is_fixed: false,
                part: part.clone(),
                rule: rule.outer,
            }));
        }
        self.items.extend(found);
    }

    /// The names of a rule as a line that is no remark; none for other rules and for empty lines.
    pub(in crate::generalize::predicate::read) fn unmarked(&self, rule: &Rule) -> Vec<Name> {
        let text = self.all_of(rule).text;
        if rule.name != "<line>" || text.trim_ascii().is_empty() {
            return Vec::new();
        }
        let marks = self.remarks.iter().filter(|mark| !is_remark(text, mark));
        marks.map(|mark| format!("{}{IS_NO_REMARK}{mark:?}", rule.name).into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::feature::{Feature, Features, Words, features};
    use crate::generalize::predicate::plain;

    fn read(text: &str) -> Features {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        features(&tree, text.as_bytes(), &language, &Words::of([&b"# a\n"[..]]))
    }

    #[test]
    fn equal_remarks_are_no_equal_lines_and_the_first_line_is_after_them() {
        let lines = "<line> that does not begin with \"#\"";
        let twins = |text: &str| Feature::Twins(lines.into()).value(&read(text));
        assert_eq!(["# a\nb\n# a", "b\n# a\nb", " #\n\n #\n\n"].map(twins), [0, 1, 0].map(Some));
        let first = |text: &str| {
            let end = Feature::Count("<line> that begins with \"!\"".into());
            Feature::Within(format!("first {lines}").into(), Arc::new(end)).value(&read(text))
        };
        assert_eq!(["# a\n\n!b\nc", "c\n!b"].map(first), [1, 0].map(Some));
    }
}
