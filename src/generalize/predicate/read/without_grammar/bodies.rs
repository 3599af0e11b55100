//! Bodies in a text without a grammar: what is between a word that opens something and the one that closes it, `if` and `fi`, `<b>` and `</b>`.
//!
//! Scripts and templates are nested by words, and a condition may be about how deep. A body is a rule like those of a grammar, with its
//! word as the name of an element has it, so that the depth of one word and of two is read as that of elements is.

use crate::generalize::predicate::read::outline::{Item, Leaf, Outline, Rule};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::BODY;

use super::sections::{LINE, is_of_lines};

/// Words that begin a line and close what others have begun, each with those words. `end` and `stop` close what is in `OPENING`, and a
/// word after `end` closes the same word, so that neither is here.
const CLOSING: [(&str, &[&str]); 12] = [
    ("endif", &["if", "ifdef", "ifndef", "ifeq", "ifneq"]),
    ("fi", &["if"]),
    ("done", &["for", "while", "until", "select", "do"]),
    ("esac", &["case"]),
    ("od", &["do"]),
    ("next", &["for"]),
    ("wend", &["while"]),
    ("until", &["repeat"]),
    ("loop", &["do"]),
    ("pop", &["push"]),
    ("leave", &["enter"]),
    ("close", &["open"]),
];
/// Words that `end` closes in some language, because `end` alone does not say which one it closes.
const OPENING: [&str; 30] = [
    "begin", "block", "box", "case", "class", "def", "do", "enter", "for", "fork", "function",
    "group", "if", "let", "loop", "macro", "module", "object", "open", "package", "proc", "record",
    "repeat", "section", "start", "sub", "subgraph", "switch", "task", "while",
];
/// Words that close what is in `OPENING`.
const ENDS: [&str; 4] = ["end", "stop", "finish", "exit"];
/// Bodies of one input, a bound on the time: each has the features of a rule.
const MAX_BODIES: usize = 64;

/// A word that opens or closes something, where it is.
struct Mark<'t> {
    /// The word, without `end` before it.
    word: &'t [u8],
    /// What it may close; nothing if it opens something.
    closes: Option<Closes>,
    /// Its first leaf and the one after its last one. Of a word that begins a line those of the line.
    leaves: (usize, usize),
}

/// Which words a closing one closes.
#[derive(Clone, Copy)]
enum Closes {
    /// The same word.
    Same,
    /// One of these.
    OneOf(&'static [&'static str]),
}

impl Closes {
    /// Whether one word closes another one.
    fn has(self, closing: &[u8], opening: &[u8]) -> bool {
        match self {
            Closes::Same => closing.eq_ignore_ascii_case(opening),
            Closes::OneOf(words) => {
                words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(opening))
            }
        }
    }
}

impl<'t> Outline<'t> {
    /// Puts what is between two words that belong together into a rule of its own. Only texts that are read without a grammar have lines.
    ///
    /// Not in texts with sections or items. A word that is not closed opens nothing.
    pub(in crate::generalize::predicate::read) fn group_bodies(&mut self, words: &Words) {
        if self.rules.iter().any(|rule| is_of_lines(&rule.name)) {
            return;
        }
        let marks = self.marks_of_bodies();
        if marks.iter().all(|mark| mark.closes.is_none()) {
            return;
        }
        let mut open: Vec<&Mark<'t>> = Vec::new();
        let mut bodies: Vec<((usize, usize), &[u8])> = Vec::new();
        for mark in &marks {
            let is_closed = |opening: &&Mark<'t>| {
                mark.closes.is_some_and(|closes| closes.has(mark.word, opening.word))
            };
            match open.iter().rposition(is_closed) {
                Some(opening) => {
                    bodies.push(((open[opening].leaves.0, mark.leaves.1), open[opening].word));
                    open.truncate(opening);
                }
                // `loop` closes `do` in one language and begins something in another.
                None => open.push(mark),
            }
        }
        bodies.sort_by_key(|((from, to), _)| (*from, std::cmp::Reverse(*to)));
        bodies.truncate(MAX_BODIES);
        self.add_bodies(&bodies, words);
    }

    /// The words that open or close something, in order.
    fn marks_of_bodies(&self) -> Vec<Mark<'t>> {
        let mut marks = self.tags();
        for rule in self.rules.iter().filter(|rule| rule.name == LINE) {
            let (from, to) = rule.leaves;
            let is_blank = |leaf: &Leaf<'_>| leaf.text.iter().all(u8::is_ascii_whitespace);
            // `#if` and `.end` are words with a mark before them.
            let is_before = |leaf: &Leaf<'_>| is_blank(leaf) || matches!(leaf.text, b"#" | b".");
            let Some(at) = (from..to).find(|at| !is_before(&self.leaves[*at])) else { continue };
            let Leaf { text: word, is_fixed: false, .. } = self.leaves[at] else { continue };
            if !word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
                continue;
            }
            let second = (at + 1..to).find(|at| !is_blank(&self.leaves[*at]));
            let second = second.map(|at| &self.leaves[at]).filter(|leaf| !leaf.is_fixed);
            let (word, closes) = line_word(word, second.map(|leaf| leaf.text));
            marks.push(Mark { word, closes, leaves: (from, to) });
        }
        marks.sort_by_key(|mark| mark.leaves.0);
        marks
    }

    /// The words of tags: `<b>` and `</b>`, `[b]` and `[/b]`, `{{#each}}` and `{{/each}}`.
    fn tags(&self) -> Vec<Mark<'t>> {
        let text = |at: usize| self.leaves.get(at).map_or(&b""[..], |leaf| leaf.text);
        let tag = |at: usize| {
            let word = self.leaves.get(at).filter(|leaf| !leaf.is_fixed)?.text;
            let before = [at.checked_sub(2)?, at - 1].map(text);
            let (closes, from) = match before {
                [b"<" | b"[" | b"{", b"/"] => (Some(Closes::Same), at - 2),
                [_, b"<" | b"["] => (None, at - 1),
                [b"{", b"#"] => (None, at - 2),
                _ => return None,
            };
            word.first().is_some_and(u8::is_ascii_alphabetic).then_some(())?;
            Some(Mark { word, closes, leaves: (from, at + 2) })
        };
        (0..self.leaves.len()).filter_map(tag).collect()
    }

    /// Adds rules and their names. What is inside a body has all of it there.
    fn add_bodies(&mut self, bodies: &[((usize, usize), &'t [u8])], words: &Words) {
        let of_body = |((from, to), _): &((usize, usize), &[u8])| {
            let last = &self.leaves[to.min(&self.leaves.len()) - 1];
            let span = (self.leaves[*from].start, last.start + last.text.len() as u32);
            let (name, outer) = (BODY.into(), Some(0));
            (None, Rule { name, span, leaves: (*from, *to), outer, can_be_empty: false })
        };
        let added: Vec<(Option<usize>, Rule)> = bodies.iter().map(of_body).collect();
        let mut old = std::mem::take(&mut self.rules).into_iter();
        self.rules.extend(old.next());
        let lines = old.enumerate().map(|(number, line)| (Some(number + 1), line));
        let mut all: Vec<(Option<usize>, Rule)> = added.into_iter().chain(lines).collect();
        // A body comes before the line that it begins with.
        all.sort_by_key(|(line, rule)| (rule.span.0, line.is_some()));
        let mut numbers = vec![0; all.len() + 1];
        // The bodies that may be around the next rule, from the outside in.
        let mut around: Vec<(usize, u32)> = Vec::new();
        let mut found = Vec::new();
        let mut words_left = bodies.iter().map(|(_, word)| *word);
        for (line, rule) in all {
            let number = self.rules.len();
            around.retain(|(_, end)| *end > rule.span.0);
            let inner = around.iter().rev().find(|(_, end)| *end >= rule.span.1);
            let rule = Rule { outer: inner.map(|(number, _)| *number).or(rule.outer), ..rule };
            match line {
                Some(line) => numbers[line] = number,
                None => {
                    around.push((number, rule.span.1));
                    let word = words_left.next().and_then(|word| words.name(word));
                    let named = word.map(|word| (format!("{BODY} {word}"), true));
                    let both = std::iter::once((BODY.to_owned(), false)).chain(named);
                    found.extend(both.map(|(name, is_fixed)| Item {
                        name: name.into(),
                        is_fixed,
                        part: self.all_of(&rule),
                        rule: rule.outer,
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

/// What the word that begins a line is: the word without `end` before it, and what it closes. `second` is the word after it.
fn line_word<'t>(word: &'t [u8], second: Option<&'t [u8]>) -> (&'t [u8], Option<Closes>) {
    let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(word);
    if let Some((_, opening)) = CLOSING.iter().find(|(closing, _)| is(closing)) {
        return (word, Some(Closes::OneOf(opening)));
    }
    let is_end = ENDS.iter().any(|end| is(end));
    let second = second.filter(|word| word.first().is_some_and(u8::is_ascii_alphabetic));
    match second {
        Some(second) if is_end => (second, Some(Closes::Same)),
        _ if is_end => (word, Some(Closes::OneOf(&OPENING))),
        _ => match word.get(..3).filter(|end| end.eq_ignore_ascii_case(b"end")) {
            Some(_) => (word[3..].strip_prefix(b"_").unwrap_or(&word[3..]), Some(Closes::Same)),
            None => (word, None),
        },
    }
}

/// Whether a word closes something where another one has opened it.
pub(in crate::generalize::predicate::read) fn may_close(word: &[u8]) -> bool {
    line_word(word, None).1.is_some()
}

#[cfg(test)]
mod tests {
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
    fn words_that_open_and_close_something_are_nested() {
        let names = ["<body>", "<body> \"if\"", "<body> \"if\" or \"while\""];
        let script = "if a\n  group x\n  while b\n if c\nfi\ndone\nend\nfi\nif d\nfi\n";
        assert_eq!(depths(script, &names), [Some(4), Some(2), Some(3)]);
        assert_eq!(depths("if a\ndone\nfi\n", &names[..2]), [Some(1), Some(1)]);
        let tags = "x <b>y <i>\nz</i></b> <b>1 < c</b>\n";
        assert_eq!(depths(tags, &["<body>", "<body> \"b\""]), [Some(2), Some(1)]);
        assert_eq!(depths("#ifdef A\n#if B\n#endif\n#endif\n", &["<body>"]), [Some(2)]);
        assert_eq!(depths("{{#each a}}{{#if b}}{{/if}}{{/each}}", &["<body>"]), [Some(2)]);
        assert_eq!(depths("loop a\nloop b\nend loop\nendloop\n", &["<body>"]), [Some(2)]);
    }
}
