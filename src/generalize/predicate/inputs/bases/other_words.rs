//! Which words and marks of an input are exchanged for which others (`siblings`): those of the grammar, and those of the given inputs.
//!
//! Nothing is tested here. The order matters, because there are tests for a few words and a dozen others of each.

use std::ops::Range;

use seedsmith_grammar::NodeKind;

use crate::generalize::bytes::word_kinds::{others_of_kind, words_of};
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::read::core;

/// Other words for one of a grammar's own texts, because a rule rarely has more alternatives. They cost parsing.
const MAX_OTHER_TEXTS: usize = 16;
/// Other texts of the given inputs for one word, because one of three dozen may be the third alternative.
const MAX_GIVEN_TEXTS: usize = 36;
/// Other marks for one of which it is not known whether they matter. They cost a test each.
const MAX_OTHER_MARKS: usize = 8;
/// Marks that texts begin and end with in many formats, the most usual ones first. Own list.
const USUAL_MARKS: &[u8] = b"-@#/+=*.!$%&?~^|:_<>;,";
/// Marks that come in pairs: one alone is an error nearly everywhere.
const BRACKETS_AND_QUOTES: &[u8] = b"()[]{}\"'`";

/// Where the tokens and the words of an input are, each place once: words of a kind first, since brackets are tokens too, then
/// those that the pattern requires, and words before marks. Words of a first line that all inputs have come last: the heads of a table.
///
/// A token may be a word in quotation marks, so the word has a place of its own.
pub(super) fn words(base: &Subject, given: &[Subject], required: &[String]) -> Vec<Range<usize>> {
    let head = length_of_head(base, given);
    let mut found: Vec<Range<usize>> = tokens(base).map(|(_, span)| span).collect();
    found.retain(|span| !span.is_empty() && !is_letter_of_word(&base.input, span));
    for span in words_of(&base.input) {
        if !found.contains(&span) {
            found.push(span);
        }
    }
    found.sort_by_cached_key(|span| {
        let text = &base.input[span.clone()];
        let is_of_head = span.end <= head;
        (is_of_head, others_of_kind(text).is_empty(), !is_required(text, required), !is_word(text))
    });
    found
}

/// How long the first line of an input is, if all given inputs have the same one.
///
/// 0 if they have not: then no line is the head of a table.
fn length_of_head(base: &Subject, given: &[Subject]) -> usize {
    let first_line = |input: &[u8]| input.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let head = &base.input[..first_line(&base.input)];
    let has_head = |one: &Subject| one.input[..first_line(&one.input)] == *head;
    if given.iter().all(has_head) { head.len() } else { 0 }
}

/// Whether a place is one letter of a word. A grammar may read a word letter by letter.
fn is_letter_of_word(input: &[u8], span: &Range<usize>) -> bool {
    let is_letter =
        |at: Option<usize>| at.and_then(|at| input.get(at)).is_some_and(u8::is_ascii_alphabetic);
    span.len() == 1
        && is_letter(Some(span.start))
        && (is_letter(span.start.checked_sub(1)) || is_letter(Some(span.end)))
}

/// Whether the pattern requires a text, or the word in its quotation marks.
pub(super) fn is_required(text: &[u8], required: &[String]) -> bool {
    let inner = if is_word(text) { core(text) } else { text };
    required.contains(&format!("{:?}", String::from_utf8_lossy(inner)))
}

/// Other texts of the grammar for one of its own: words for a word, marks for a mark.
///
/// Nothing for texts that the grammar does not have. Most of the others are not allowed in the place, which only
/// parsing shows.
pub(super) fn other_texts(base: &Subject, word: &[u8]) -> Vec<Vec<u8>> {
    let Some(language) = &base.language else { return Vec::new() };
    let texts = || language.grammar().tokens.iter().filter_map(|token| token.literal.as_ref());
    if !texts().any(|text| text.as_bytes() == word) {
        return Vec::new();
    }
    let others = texts().map(|text| text.as_bytes().to_vec());
    let others = others.filter(|text| text != word && is_word(text) == is_word(word));
    others.take(MAX_OTHER_TEXTS).collect()
}

/// Other words of the given inputs for one: one may be in the place of the other, as one of several roles or of several
/// functions. Those in the same letters come first, such as capital ones, then those with the same characters around them: `bat` of `setup.bat`
/// for the `exe` of `.exe`, and words of longer texts last.
///
/// Only for a word, and only words: all of a token of the same kind, or a part of one.
pub(super) fn given_texts(base: &Subject, given: &[Subject], span: &Range<usize>) -> Vec<Vec<u8>> {
    let word = &base.input[span.clone()];
    if !is_word(word) {
        return Vec::new();
    }
    let around = |input: &[u8], span: &Range<usize>| {
        [
            span.start.checked_sub(1).and_then(|at| input.get(at)).copied(),
            input.get(span.end).copied(),
        ]
    };
    let own = around(&base.input, span);
    let mut around_it =
        tokens(base).filter(|(_, token)| token.start <= span.start && span.end <= token.end);
    let (kind, token) =
        around_it.next().map_or((None, None), |(kind, span)| (Some(kind), Some(span)));
    let is_whole = token.as_ref() == Some(span);
    // All of a token in quotation marks is tried by itself.
    if !is_whole && token.is_some_and(|token| core(&base.input[token]) == word) {
        return Vec::new();
    }
    let mut found: Vec<((bool, bool, usize), Vec<u8>)> = Vec::new();
    for one in given {
        let spans: Vec<Range<usize>> = match is_whole {
            true => {
                let same = tokens(one).filter(|(token, _)| Some(*token) == kind);
                same.map(|(_, span)| span).collect()
            }
            false => words_of(&one.input),
        };
        for span in spans {
            let text = &one.input[span.clone()];
            if !is_word(text) || text == word || found.iter().any(|(_, known)| known == text) {
                continue;
            }
            let its = around(&one.input, &span);
            let same = own.iter().zip(its).filter(|(own, its)| *own == its).count();
            // Parts of a text are alike only by the characters around them, so that others come last.
            let is_unlike = !is_whole && same == 0 && kind.is_some();
            let is_other = letters(core(text)) != letters(core(word));
            found.push(((is_unlike, is_other, 2 - same), text.to_vec()));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<Vec<u8>> = found.into_iter().map(|(_, text)| text).collect();
    if is_whole {
        // Then words of longer texts, in the same quotation marks: a word of a remark may be a value elsewhere.
        let quote = if core(word) == word { &[] } else { &word[..1] };
        for one in given {
            for inner in words_of(&one.input) {
                let text = [quote, &one.input[inner], quote].concat();
                if is_word(&text) && text != word && !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    found.truncate(MAX_GIVEN_TEXTS);
    found
}

/// Whether a word has capital letters, and whether it has small ones.
fn letters(word: &[u8]) -> [bool; 2] {
    [word.iter().any(u8::is_ascii_uppercase), word.iter().any(u8::is_ascii_lowercase)]
}

/// Whether a text has a letter.
///
/// Numbers alone are exchanged elsewhere (`edits`).
fn is_word(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphabetic)
}

/// The tokens of an input by their numbers in the grammar, with their places.
///
/// In the order of the input; those without text are among them.
fn tokens(base: &Subject) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    base.tree.ids().filter_map(|id| match base.tree.node(id).kind {
        NodeKind::Token(token) => Some((token, base.tree.span(id))),
        _ => None,
    })
}

/// Other marks in the place of one that a text begins or ends with: those of the given inputs, then usual ones. A mark between
/// two words separates them, and another one makes the whole input another thing.
pub(super) fn other_marks(base: &Subject, given: &[Subject], at: usize) -> Vec<Vec<u8>> {
    let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !BRACKETS_AND_QUOTES.contains(byte);
    let is_word_at = |at: Option<usize>| {
        at.and_then(|at| base.input.get(at)).is_some_and(u8::is_ascii_alphanumeric)
    };
    if !is_mark(&base.input[at]) || is_word_at(at.checked_sub(1)) && is_word_at(Some(at + 1)) {
        return Vec::new();
    }
    let of_given = given.iter().flat_map(|one| one.input.iter().copied().filter(is_mark));
    let mut found: Vec<u8> = Vec::new();
    for other in of_given.chain(USUAL_MARKS.iter().copied()) {
        if !base.input.contains(&other) && !found.contains(&other) {
            found.push(other);
        }
    }
    found.into_iter().take(MAX_OTHER_MARKS).map(|mark| vec![mark]).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use super::*;
    use crate::generalize::draws::sampler::Sampler;

    fn read(name: &str, input: &str) -> Subject {
        let language = Language::open(name, None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let input = input.as_bytes().to_vec();
        let (tree, _) = language.read(&input).unwrap();
        Subject { input, tree, language: Some(language), shared: Default::default() }
    }

    #[test]
    fn words_of_a_kind_come_before_brackets_and_other_words() {
        let base = read("json", r#"{"method":"Card","x":[1]}"#);
        let first = words(&base, &[], &[])[0].clone();
        assert_eq!(&base.input[first], b"Card");
        let base = read("csv", "kind\nowl\n");
        let first = words(&base, &[read("csv", "kind\nelm\nowl\n")], &[])[0].clone();
        assert_eq!(&base.input[first], b"owl");
    }

    #[test]
    fn a_part_of_a_text_has_parts_with_the_same_mark_before_them_and_whole_keys_have_none() {
        let base = read("json", r#"{"file":"a.exe"}"#);
        let given = [read("json", r#"{"file":"a.exe","note":"run b.bat"}"#)];
        let others = |word: &str| {
            let at =
                base.input.windows(word.len()).position(|part| part == word.as_bytes()).unwrap();
            given_texts(&base, &given, &(at..at + word.len()))
        };
        assert_eq!(others("exe")[0], b"bat");
        assert!(others("file").is_empty());
    }

    #[test]
    fn a_mark_has_others_where_a_text_begins_and_none_between_words() {
        let base = read("csv", "=a,b=c\n");
        let others = other_marks(&base, &[read("csv", "@x,y\n")], 0);
        assert_eq!(others[0], b"@");
        assert_eq!(others.len(), MAX_OTHER_MARKS);
        assert!(other_marks(&base, &[], 4).is_empty());
    }
}
