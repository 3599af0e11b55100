//! Names of words with the marks after them, and of calls of functions.
//!
//! A word says something else where a bracket follows it: a function is called there, and its name may be in a text or a remark too.

use super::{Item, Leaf, Outline, Part};
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::CALL_OF;

/// Marks after a word that are taken together with it: two, because a call without arguments has two.
const MAX_PHRASE_MARKS: usize = 2;
/// Marks right before the name of a function of a thing: `a.b()`, `a:b()`, `a->b()`.
const MARKS_BEFORE_MEMBERS: &[u8] = b".:>";
/// Words before the name of a function that is defined and not called.
const DEFINING: [&[u8]; 7] = [b"function", b"func", b"fun", b"fn", b"def", b"sub", b"proc"];

impl<'t> Outline<'t> {
    /// A word and the marks right after it have a name too: `"sum()"`. So has a call by a word that the failure needs: `call of "sum"`.
    pub(super) fn name_phrases(&mut self, words: &Words) {
        let mut found = Vec::new();
        let is_mark = |leaf: &Leaf<'t>| {
            leaf.is_fixed && !leaf.text.iter().any(|byte| byte.is_ascii_alphanumeric())
        };
        let tokens = self.items.iter().filter(|item| item.is_fixed && item.name.starts_with('"'));
        for item in tokens {
            let Some(word) = self.leaves.get(item.part.leaf).filter(|leaf| !is_mark(leaf)) else {
                continue;
            };
            let start = word.start as usize;
            let mut end = start + word.text.len();
            if words.is_preferred(&item.name) && self.is_call(item.part.leaf) {
                let name = format!("{CALL_OF}{}", item.name).into();
                found.push(Item { name, ..item.clone() });
            }
            for leaf in self.leaves[item.part.leaf + 1..].iter().take(MAX_PHRASE_MARKS) {
                if !is_mark(leaf) || leaf.start as usize != end {
                    break;
                }
                end += leaf.text.len();
                let text = &self.input[start..end];
                let Some(name) = words.name(text) else { continue };
                found.push(Item {
                    name,
                    is_fixed: true,
                    part: Part { text, ..item.part.clone() },
                    rule: item.rule,
                });
            }
        }
        self.items.extend(found);
    }

    /// Whether a word has a bracket right after it, no mark right before it that makes it a function of something, and no word that defines it.
    fn is_call(&self, leaf: usize) -> bool {
        let word = &self.leaves[leaf];
        let end = word.start as usize + word.text.len();
        let before = &self.input[..word.start as usize];
        let is_member = before.last().is_some_and(|mark| MARKS_BEFORE_MEMBERS.contains(mark));
        let is_defined = before.last().is_some_and(u8::is_ascii_whitespace)
            && DEFINING.iter().any(|word| before.trim_ascii_end().ends_with(word));
        word.text.first().is_some_and(u8::is_ascii_alphabetic)
            && self.input.get(end) == Some(&b'(')
            && !is_member
            && !is_defined
    }
}

#[cfg(test)]
mod tests {
    use crate::generalize::predicate::feature::{Feature, Words};
    use crate::generalize::predicate::plain;
    use crate::generalize::predicate::read::tests::read_with;

    #[test]
    fn a_call_is_that_of_a_function_which_belongs_to_nothing_and_is_not_defined() {
        let calls = |text: &str| {
            let words = Words::of([text.as_bytes()]).with_preferred(&["\"wait\"".to_owned()]);
            let found = read_with(plain::language().unwrap(), text, &words);
            Feature::Count("call of \"wait\"".into()).value(&found)
        };
        assert_eq!(calls("wait(1)\nx = wait()\n"), Some(2));
        for text in ["a.wait(1)\n", "a:wait()\n", "function wait()\n", "wait 1\n", "\"wait\"(\n"] {
            assert!(calls(text).is_none_or(|count| count == 0), "{text}");
        }
    }
}
