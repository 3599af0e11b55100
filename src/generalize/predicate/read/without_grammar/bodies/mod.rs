//! Bodies in a text without a grammar: the text from a word that opens something to the one that closes it, `if` and `fi`, `<b>` and `</b>`.
//!
//! Scripts and templates are nested by words, and a condition may be about how deep. A body is a rule like those of a grammar, with its
//! word as the name of an element has it, so that the depth of one word and of two is read as that of elements is.

mod braces;
mod members;
pub(in crate::generalize::predicate) mod pairs;

use std::cmp::Reverse;

use crate::generalize::predicate::read::outline::{Item, Outline, Rule};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::BODY;

use super::lines::TAG;
use super::sections::{LINE, is_of_lines};
use members::members;
use pairs::Body;

/// What a rule is of: a body with its word, or a line with its old number.
enum Whose<'o, 't> {
    Body(&'o Body<'t>),
    Line(usize),
}

impl<'t> Outline<'t> {
    /// Makes a rule of each body. Only texts that are read without a grammar have lines.
    ///
    /// Not in texts with sections or items.
    pub(in crate::generalize::predicate::read) fn group_bodies(
        &mut self,
        bodies: &[Body<'t>],
        words: &Words,
    ) {
        if !bodies.is_empty() && !self.rules.iter().any(|rule| is_of_lines(&rule.name)) {
            self.add_bodies(bodies, words);
        }
    }

    /// Puts the parts of a line that are in a body of that line into the innermost such body, so that a body of one line has its parts as one of several
    /// lines has.
    ///
    /// A minimized input often has its bodies in one line, and the given one has not. The words that open and close a body stay where they are.
    pub(in crate::generalize::predicate::read) fn move_into_bodies(&mut self, all: &[Body<'_>]) {
        let rules = &self.rules;
        let inner = |rule: &Rule| {
            let span = rule.span.0 as usize..rule.span.1 as usize;
            let body = all.iter().find(|one| (one.open.start..one.close.end) == span)?;
            Some((body.open.end as u32, body.close.start as u32))
        };
        let bodies = rules.iter().enumerate();
        let bodies = bodies.filter(|(_, rule)| rule.name == BODY && is_in_line(rules, rule));
        let bodies: Vec<(usize, (u32, u32))> =
            bodies.filter_map(|(number, rule)| Some((number, inner(rule)?))).collect();
        if bodies.is_empty() {
            return;
        }
        let are_lines: Vec<bool> = rules.iter().map(|rule| rule.name == LINE).collect();
        // Outer ones come first.
        let body_around = |outer: Option<usize>, (start, end): (u32, u32)| {
            let is_around = |(_, span): &&(usize, (u32, u32))| span.0 <= start && end <= span.1;
            let body = bodies.iter().rev().find(is_around).map(|(body, _)| *body);
            body.filter(|_| outer.is_some_and(|outer| are_lines[outer])).or(outer)
        };
        for tag in self.rules.iter_mut().filter(|rule| rule.name.starts_with(TAG)) {
            tag.outer = body_around(tag.outer, tag.span);
        }
        let all = self.items.iter_mut().chain(&mut self.keyed);
        for item in all.filter(|item| item.name != LINE) {
            let (start, length) = (item.part.start, item.part.text.len() as u32);
            item.rule = body_around(item.rule, (start, start + length));
        }
    }

    /// Adds rules and their names. A rule is inside a body that contains all of its text.
    ///
    /// Rules stay in the order of their first bytes, outer ones first, so that the numbers of the lines change. Each body has two names: that of
    /// all bodies, and the one with its word.
    fn add_bodies(&mut self, bodies: &[Body<'t>], words: &Words) {
        let leaf = |at: usize| self.leaves.partition_point(|leaf| (leaf.start as usize) < at);
        let added = bodies.iter().map(|body| {
            let (start, end) = (body.open.start, body.close.end);
            let (span, leaves) = ((start as u32, end as u32), (leaf(start), leaf(end)));
            let rule =
                Rule { name: BODY.into(), span, leaves, outer: Some(0), can_be_empty: false };
            (Whose::Body(body), rule)
        });
        let mut old = std::mem::take(&mut self.rules).into_iter();
        self.rules.extend(old.next());
        let lines = old.enumerate().map(|(number, line)| (Whose::Line(number + 1), line));
        let mut all: Vec<(Whose<'_, 't>, Rule)> = added.chain(lines).collect();
        // A body comes before the line that it begins with, and after the line that it is in.
        all.sort_by_key(|(whose, rule)| {
            let (start, end) = rule.span;
            (start, Reverse(end), matches!(whose, Whose::Line(_)))
        });
        let mut numbers = vec![0; all.len() + 1];
        // The bodies and lines that may be around the next rule, from the outside in.
        let mut around: Vec<(usize, u32)> = Vec::new();
        let mut found = Vec::new();
        for (whose, rule) in all {
            let number = self.rules.len();
            around.retain(|(_, end)| *end > rule.span.0);
            let inner = around.iter().rev().find(|(_, end)| *end >= rule.span.1);
            let rule = Rule { outer: inner.map(|(number, _)| *number).or(rule.outer), ..rule };
            around.push((number, rule.span.1));
            match whose {
                Whose::Line(line) => numbers[line] = number,
                Whose::Body(body) => {
                    let named = words.name(body.word).map(|word| (format!("{BODY} {word}"), true));
                    let both = std::iter::once((BODY.to_owned(), false)).chain(named);
                    found.extend(both.map(|(name, is_fixed)| Item {
                        name: name.into(),
                        is_fixed,
                        part: self.all_of(&rule),
                        rule: rule.outer,
                    }));
                    found.extend(members(self.input, body).into_iter().map(|(name, span)| {
                        let part = self.part_at(&self.input[span.clone()], span.start as u32);
                        Item { name: name.into(), is_fixed: false, part, rule: Some(number) }
                    }));
                }
            }
            self.rules.push(rule);
        }
        let mut lines = numbers.iter().skip(1);
        for item in &mut self.items {
            item.rule = match item.name == LINE {
                // Lines are items in the order of their rules.
                true => lines.next().and_then(|line| self.rules[*line].outer),
                false => item.rule.map(|rule| numbers[rule]),
            };
        }
        self.items.extend(found);
    }
}

/// Whether a line is around a rule, with bodies at most between them.
fn is_in_line(rules: &[Rule], rule: &Rule) -> bool {
    let mut outer = rule.outer.map(|outer| &rules[outer]);
    while let Some(body) = outer.filter(|outer| outer.name == BODY) {
        outer = body.outer.map(|outer| &rules[outer]);
    }
    outer.is_some_and(|outer| outer.name == LINE)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::generalize::predicate::feature::{Feature, Words, features};
    use crate::generalize::predicate::plain;

    fn depths(text: &str, names: &[&str]) -> Vec<Option<i128>> {
        let mut language = plain::language().unwrap();
        let (tree, _) = language.read(text.as_bytes()).unwrap();
        let words = Words::of([text.as_bytes()]);
        let found = features(&tree, text.as_bytes(), &language, &words);
        names.iter().map(|name| Feature::Depth((*name).into()).value(&found)).collect()
    }

    #[test]
    fn a_body_of_one_line_has_its_parts_as_one_of_several_lines_has() {
        let equal = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let words = Words::of([text.as_bytes()]);
            let found = features(&tree, text.as_bytes(), &language, &words);
            let twins = Arc::new(Feature::Twins("<name> before \"=\"".into()));
            Feature::Within("<body> \"message\"".into(), twins).value(&found)
        };
        let texts = [
            "message A {\n int id = 1;\n bool id = 2;\n}\n",
            "message A{int id=1;bool id=2;}message B{}",
            "message A{message B{int id=1;bool id=2;}}",
        ];
        assert_eq!(texts.map(equal), [Some(1); 3]);
        let texts =
            ["message A{int id=1;}message B{bool id=2;}", "message A{int id=1;}\nint id=2;"];
        assert_eq!(texts.map(equal), [Some(0); 2]);
    }

    #[test]
    fn words_that_open_and_close_something_are_nested() {
        let names = ["<body>", "<body> \"if\"", "<body> \"if\" or \"while\""];
        let script = "if a\n  group x\n  while b\n if c\nfi\ndone\nend\nfi\nif d\nfi\n";
        assert_eq!(depths(script, &names), [Some(4), Some(2), Some(3)]);
        assert_eq!(depths("if a\ndone\nfi\n", &names[..2]), [Some(1), Some(1)]);
        let tags = "x <b>y <i>\nz</i></b> <b>1 < c</b>\n";
        assert_eq!(depths(tags, &["<body>", "<body> \"b\""]), [Some(2), Some(1)]);
        assert_eq!(depths("#ifdef A\n#if B\n#endif\n#endif\n", &["<body>"]), [Some(2)]);
        assert_eq!(depths("{{#each a}}{{#if b}}{{/if}}{{/each}}", &["<body>"]), [Some(2)]);
        assert_eq!(depths("\\begin{a}x\\begin{b}\\end{b}\n\\end{a}", &["<body>"]), [Some(2)]);
        let lists = "\\begin{a}\n\\item \\begin{b}\n\\item\n\\begin{b}\n\\emph{x}\n\\end{b}\n\\end{b}\n\\end{a}\n";
        assert_eq!(depths(lists, &["<body> \"a\" or \"b\"", "<body> \"b\""]), [Some(3), Some(2)]);
        assert_eq!(depths("loop a\nloop b\nend loop\nendloop\n", &["<body>"]), [Some(2)]);
        let menus = "menu\"a\"\nif(x)\nmenu \"b\"\nendmenu\nendif()\nendmenu\n";
        assert_eq!(depths(menus, &["<body>", "<body> \"menu\""]), [Some(3), Some(2)]);
        let names = ["<body>", "<body> \"host\"", "<body> \"port\""];
        let blocks =
            "# host b {\nhost a {\n  port {\n  } else {\n  }\n};\nhost c { port 80 }\nport {\n";
        assert_eq!(depths(blocks, &names), [Some(2), Some(1), Some(1)]);
        assert_eq!(depths("host {\n}}\n} {\n", &names[..1]), [Some(1)]);
        // A line of prose opens nothing that a tag closes, nor does a remark; and a line in a loop is no item of a list.
        let template = "{# if #}\n{% for a %}\n- a\nif you\n{% if b %}{% endif %}\n{% endfor %}\n";
        assert_eq!(depths(template, &["<body>", "<body> \"if\""]), [Some(2), Some(1)]);
    }
}
