//! Inputs with another number and as many more or fewer items of a list, or characters of a text, where the number says how many there are.
//!
//! A program that fails where the two are equal fails for each of them. Draws change one of the two, so that all other inputs that fail have the number
//! of the minimized one, and a condition that names this number agrees with them.

use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeKind;

use super::{Edit, distinct, edited, tested};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::inputs::edits::repetitions;
use crate::generalize::predicate::read::{items_in_lines, quoted};

/// Tests at most: two for each pair of a number and a list, of which few have the same size.
const MAX_TESTS: usize = 16;
/// Numbers that may be a size; greater ones are rarely that of a minimized input.
const SIZES: std::ops::RangeInclusive<usize> = 1..=64;

/// Something with a size, and how to make it one smaller and one larger.
struct Sized {
    size: usize,
    smaller: Edit,
    larger: Option<Edit>,
}

/// Such inputs, each with whether it fails; rejected ones are left out. Cost: at most `MAX_TESTS` tests.
pub(in crate::generalize::predicate) fn counts(
    prober: &mut Prober<'_, '_>,
    base: &Subject,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    tested(prober, recounted(base).into_iter().take(MAX_TESTS))
}

/// The inputs that are tested, lists before texts.
fn recounted(base: &Subject) -> Vec<Vec<u8>> {
    let tokens = base.tree.ids().skip(1);
    let tokens = tokens.filter(|id| matches!(base.tree.node(*id).kind, NodeKind::Token(_)));
    let numbers = tokens.filter_map(|id| {
        let number = std::str::from_utf8(base.text(id)).ok()?.parse::<usize>().ok()?;
        SIZES.contains(&number).then(|| (base.tree.span(id), number))
    });
    let numbers: Vec<(Range<usize>, usize)> = numbers.collect();
    let mut sized = lists(base);
    sized.extend(items_in_lines(&base.input).iter().filter_map(|items| of_items(base, items, 0)));
    sized.extend(texts(base));
    let mut found: Vec<Vec<u8>> = Vec::new();
    for one in &sized {
        for (span, _) in numbers.iter().filter(|(_, number)| *number == one.size) {
            let smaller = (one.size - 1, Some(&one.smaller));
            for (number, edit) in [smaller, (one.size + 1, one.larger.as_ref())] {
                // A number in the list that it counts is no number of its items.
                let apart = edit.filter(|(items, _)| match span.start <= items.start {
                    true => span.end <= items.start,
                    false => items.end <= span.start,
                });
                found.extend(apart.map(|edit| {
                    let number = (span.clone(), number.to_string().into());
                    edited(&base.input, vec![number, edit.clone()])
                }));
            }
        }
    }
    distinct(found)
}

/// The lists of the tree: repeated parts, and those with one part of their kind before them, as in `value (',' value)*`.
fn lists(base: &Subject) -> Vec<Sized> {
    let quantified = base.tree.ids().skip(1);
    let quantified =
        quantified.filter(|id| matches!(base.tree.node(*id).kind, NodeKind::Quantifier(_)));
    let lists = quantified.flat_map(|id| {
        let items = repetitions(&base.tree, id).map(|item| base.tree.span(item));
        let items: Vec<Range<usize>> = items.collect();
        [0, 1].map(|before| of_items(base, &items, before))
    });
    lists.flatten().collect()
}

/// A list of some items and of others before them: without its last item, and with it twice.
fn of_items(base: &Subject, items: &[Range<usize>], before: usize) -> Option<Sized> {
    let last = items.last()?;
    let text = &base.input[last.clone()];
    let from = items.len().checked_sub(2).map_or(last.start, |at| items[at].end);
    let gap = &base.input[from..last.start];
    let smaller = (from..last.end, Vec::new());
    let larger = (last.end..last.end, [gap, text].concat());
    Some(Sized { size: items.len() + before, smaller, larger: Some(larger) })
}

/// The texts of tokens by their characters, without quotation marks around them.
fn texts(base: &Subject) -> Vec<Sized> {
    let language = base.language.as_ref();
    let tokens = base.tree.ids().skip(1).filter(|id| match base.tree.node(*id).kind {
        NodeKind::Token(token) => language.is_some_and(|language| language.is_open(token)),
        _ => false,
    });
    let texts = tokens.filter_map(|id| {
        let (span, text) = (base.tree.span(id), base.text(id));
        let inner = quoted(text).unwrap_or(text);
        let start = span.start + (text.len() - inner.len()) / 2;
        let last = std::str::from_utf8(inner).ok()?.char_indices().next_back()?;
        let (at, end) = (start + last.0, start + inner.len());
        let size = String::from_utf8_lossy(inner).chars().count();
        let is_number = inner.iter().all(u8::is_ascii_digit);
        let larger = Some((end..end, last.1.to_string().into()));
        (!is_number).then(|| Sized { size, smaller: (at..end, Vec::new()), larger })
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use super::*;
    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::predicate::plain;
    use crate::generalize::subjects::in_language;

    fn made(language: &Sampler, input: &str) -> Vec<String> {
        let base = in_language(language, input.as_bytes()).unwrap();
        recounted(&base).into_iter().map(|one| String::from_utf8(one).unwrap()).collect()
    }

    #[test]
    fn a_number_changes_with_the_items_of_a_list_or_the_characters_of_a_text() {
        let language = Language::open("json", None).unwrap();
        let json = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let lists = made(&json, r#"{"n":3,"of":["","",""]}"#);
        let wanted = [r#"{"n":2,"of":["",""]}"#, r#"{"n":4,"of":["","","",""]}"#];
        assert!(wanted.iter().all(|one| lists.contains(&(*one).to_owned())), "{lists:?}");
        let texts = made(&json, r#"{"n":5,"of":"later"}"#);
        let wanted = [r#"{"n":4,"of":"late"}"#, r#"{"n":6,"of":"laterr"}"#];
        assert!(wanted.iter().all(|one| texts.contains(&(*one).to_owned())), "{texts:?}");
        let lines = made(&plain::language().unwrap(), "ring (2)\nused: 8 9\nfree: 4");
        let wanted =
            ["ring (1)\nused: 8\nfree: 4", "ring (3)\nused: 8 9 9\nfree: 4", "ring (1)\nused: 8 9"];
        assert!(wanted.iter().all(|one| lines.contains(&(*one).to_owned())), "{lines:?}");
    }
}
