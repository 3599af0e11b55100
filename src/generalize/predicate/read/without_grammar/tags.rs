//! Tags within lines, where there is no grammar: `{{image src=a.png}}`, `[link to=x]`, `<b class=c>`.
//!
//! A tag is a rule within its line, so that a condition can be about what one tag has and lacks. Brackets of a kind are tags where one of them has
//! several words in it.

use super::sections::LINE;
use crate::generalize::predicate::read::outline::{Item, Outline, Rule};

/// What the name of a tag begins with; its brackets follow.
const TAG: &str = "<tag:";
/// The brackets of tags, longer ones first.
const BRACKETS: [(&str, &str); 8] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("${", "}"),
    ("<", ">"),
    ("[", "]"),
    ("{", "}"),
    ("(", ")"),
];

/// A kind of tags, by its place among the brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate::read) struct Kind(usize);

impl Kind {
    /// The first kind of which some input has a tag of several words.
    ///
    /// Of one kind only, because tags of two may be inside each other.
    pub(in crate::generalize::predicate::read) fn of_inputs(inputs: &[&[u8]]) -> Option<Kind> {
        let is_tag = |tag: &&[u8]| tag.trim_ascii().split(u8::is_ascii_whitespace).count() > 1;
        let has_tags = |kind: &Kind, input: &[u8]| {
            let mut lines = input.split(|byte| *byte == b'\n');
            lines.any(|line| kind.tags(line).any(|(at, len)| is_tag(&&line[at..at + len])))
        };
        let mut kinds = (0..BRACKETS.len()).map(Kind);
        kinds.find(|kind| inputs.iter().any(|input| has_tags(kind, input)))
    }

    /// The kinds that a name is about.
    pub(in crate::generalize::predicate::read) fn in_name(name: &str) -> Option<Kind> {
        (0..BRACKETS.len()).map(Kind).find(|kind| name.contains(&kind.name()))
    }

    /// The name of its tags.
    fn name(self) -> String {
        let (open, close) = BRACKETS[self.0];
        format!("{TAG}{open}{close}>")
    }

    /// The texts between its brackets in a line, each by its offset and length. Those with further brackets of the kind inside are none.
    fn tags(self, line: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (open, close) = BRACKETS[self.0];
        let (open, close) = (open.as_bytes(), close.as_bytes());
        let find = move |from: usize, text: &[u8]| {
            let rest = line.get(from..)?;
            rest.windows(text.len()).position(|window| window == text).map(|at| from + at)
        };
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let mut start = find(at, open)? + open.len();
                let end = find(start, close)?;
                // The innermost of brackets in each other.
                while let Some(inner) = find(start, open).filter(|inner| *inner < end) {
                    start = inner + open.len();
                }
                at = end + close.len();
                if !line[start..end].trim_ascii().is_empty() {
                    return Some((start, end - start));
                }
            }
        })
    }
}

impl<'t> Outline<'t> {
    /// Makes a rule of each tag of the search's kinds. Only texts that are read without a grammar have lines.
    ///
    /// A named part of a line that is inside a tag gets the tag as its rule. Tags come after all other rules.
    pub(in crate::generalize::predicate::read) fn group_tags(&mut self, kind: Kind) {
        let mut tags: Vec<Rule> = Vec::new();
        let leaf = |at: usize| self.leaves.partition_point(|leaf| (leaf.start as usize) < at);
        for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.name == LINE) {
            let line = self.all_of(rule);
            tags.extend(kind.tags(line.text).map(|(at, len)| {
                let text = line.text[at..at + len].trim_ascii_start();
                let from = line.start as usize + at + len - text.len();
                let to = from + text.trim_ascii_end().len();
                let (span, leaves) = ((from as u32, to as u32), (leaf(from), leaf(to)));
                let (name, outer) = (kind.name().into(), Some(number));
                // A tag of one word is a tag, and not its word alone.
                Rule { name, span, leaves, outer, can_be_empty: true }
            }));
        }
        let first = self.rules.len();
        let is_inside = |item: &Item<'t>, tag: &Rule| {
            let end = item.part.start as usize + item.part.text.len();
            item.rule == tag.outer && tag.span.0 <= item.part.start && end <= tag.span.1 as usize
        };
        for item in self.items.iter_mut().chain(&mut self.keyed) {
            if let Some(tag) = tags.iter().position(|tag| is_inside(item, tag)) {
                item.rule = Some(first + tag);
            }
        }
        let found = tags.iter().map(|tag| Item {
            name: tag.name.clone(),
            is_fixed: false,
            part: self.all_of(tag),
            rule: tag.outer,
        });
        let found: Vec<Item<'t>> = found.collect();
        self.items.extend(found);
        self.rules.extend(tags);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Words, features};
    use crate::generalize::predicate::plain;

    #[test]
    fn tags_are_between_brackets_of_one_kind() {
        let tags = |kind: usize, line: &str| {
            let found = Kind(kind).tags(line.as_bytes());
            found.map(|(at, len)| line[at..at + len].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(tags(0, "a {{b c}} {{ d }}{{}} }} {{e {{f}} g}}"), ["b c", " d ", "f"]);
        assert_eq!(tags(4, "1 < 2"), [""; 0]);
        let kinds = |inputs: &[&[u8]]| Kind::of_inputs(inputs);
        assert_eq!(kinds(&[b"(a b) [e\nf]", b"<g h>"]), Some(Kind(4)));
        assert_eq!(kinds(&[b"(a) [b] < c"]), None);
        assert_eq!(Kind::in_name("some <tag:()> with \"a\""), Some(Kind(7)));
    }

    #[test]
    fn a_tag_may_lack_a_key_that_another_one_in_its_line_has() {
        let text = |tags: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(tags.as_bytes()).unwrap();
            let words = Words::of([&b"{{image src=a alt=b}} {{link alt=c}}\n"[..]]);
            let found = features(&tree, tags.as_bytes(), &language, &words);
            let count = |name: &str| Feature::Count(name.into());
            let has = (count("\"image\""), Bound::AtLeast(1));
            let lacks = (count("value of \"alt\""), Bound::AtMost(0));
            Feature::Parts("<tag:{{}}>".into(), vec![has, lacks]).value(&found)
        };
        assert_eq!(text("{{image src=a}} {{link alt=c}} alt=d\n"), Some(1));
        assert_eq!(text("{{image alt=a src=b}} {{ link x=y }}\n"), Some(0));
        assert_eq!(text("{{image}}\n"), Some(1));
        assert_eq!(text("{{image src=a alt=b}}{{ image caption=alt}}\n"), Some(1));
    }
}
