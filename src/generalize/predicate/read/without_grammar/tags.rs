//! Tags within lines, where there is no grammar: `{{image src=a.png}}`, `[link to=x]`, `<b class=c>`.
//!
//! A tag is a rule within its line, so that a condition can be about what one tag has and lacks. Brackets of a kind are tags where one of them has
//! several words in it.

use super::lines::Kind;
use super::sections::LINE;
use crate::generalize::predicate::read::outline::{Item, Outline, Rule};

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
    use crate::generalize::predicate::bound::Bound;
    use crate::generalize::predicate::feature::{Feature, Words, features};
    use crate::generalize::predicate::plain;

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
