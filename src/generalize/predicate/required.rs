//! The texts that a pattern requires, as conditions name them: words, pairs of words, marks and numbers.
//!
//! A minimized input has little besides what fails, so that a condition which names its texts comes before one that does not.

use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeKind;

use super::plain::left_out::LeftOut;
use super::read;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::bytes::word_kinds::is_pair;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::pattern::{Pattern, Slot};
use crate::generalize::reasons;

/// Pairs of words that have a name, so that three of them in some order are among them. Not measured.
const MAX_PAIRS: usize = 6;

/// The words that the pattern requires, in quotation marks as names have them: those of a grammar as it writes them, since a minimized
/// input may have `UPDaTE`.
///
/// A condition that names them is lighter than one that does not.
pub(super) fn required_words(pattern: &Pattern) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let language = pattern.subject.language.as_ref();
    let tokens = language.map(|language| &language.grammar().tokens[..]).unwrap_or_default();
    let literals = || tokens.iter().filter_map(|token| token.literal.as_deref());
    // Words that may be written in any case are slots, and required.
    let is_keyword = |slot: &&Slot| match pattern.subject.tree.node(slot.nodes[0]).kind {
        NodeKind::Token(token) => {
            tokens.get(token as usize).is_some_and(|token| token.literal.is_some())
        }
        _ => false,
    };
    let keywords =
        pattern.slots.iter().filter(|slot| is_keyword(slot) || slot.domain.is_in_any_case());
    let keywords = keywords.map(|slot| vec![slot.nodes[0]]);
    for leaves in reasons::parts(pattern).into_iter().chain(keywords) {
        let text = leaves.iter().flat_map(|leaf| pattern.subject.text(*leaf)).copied();
        let text: Vec<u8> = text.collect();
        let word = String::from_utf8_lossy(read::core(&text)).into_owned();
        let is_word = word.contains(char::is_alphabetic) && !word.contains('\n');
        let literal = literals().find(|literal| literal.eq_ignore_ascii_case(&word));
        let word = format!("\"{}\"", literal.unwrap_or(&word));
        if is_word && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Whether the input fails with what the pattern requires in capital letters, but for the words of a grammar.
///
/// A name that makes an input pass may do so in either case only because it is in the way of what fails.
///
/// Costs a test, if there are such letters.
pub(super) fn fails_in_capitals(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
) -> Result<bool, Stopped> {
    let (subject, mut input) = (&pattern.subject, pattern.subject.input.clone());
    let tokens = subject.language.as_ref().map(|language| &language.grammar().tokens[..]);
    let is_literal = |token: u32| {
        tokens.and_then(|all| all.get(token as usize)).is_some_and(|one| one.literal.is_some())
    };
    for leaf in reasons::parts(pattern).into_iter().flatten() {
        match subject.tree.node(leaf).kind {
            NodeKind::Token(token) if is_literal(token) => {}
            _ => input[subject.tree.span(leaf)].make_ascii_uppercase(),
        }
    }
    Ok(input == subject.input || prober.fails(&input)? == Some(true))
}

/// A word as it is read: in small letters where their case says nothing, unless the grammar has it.
///
/// The word is in quotation marks, as names have it.
pub(super) fn in_one_case(word: &str, language: &Sampler, left_out: &LeftOut) -> String {
    if !left_out.has_case() {
        return word.to_owned();
    }
    let mut literals =
        language.grammar().tokens.iter().filter_map(|token| token.literal.as_deref());
    let is_of_grammar = literals.any(|literal| literal == word.trim_matches('"'));
    if is_of_grammar { word.to_owned() } else { word.to_ascii_lowercase() }
}

/// The marks that the pattern requires, alone and with one or two that follow them, in quotation marks as names have them.
///
/// Without a grammar each mark is a token, so that a comment's beginning is two of them. Of all marks of an input those that
/// the failure needs are compared first.
pub(super) fn required_marks(pattern: &Pattern) -> Vec<String> {
    let leaves: Vec<_> = reasons::parts(pattern).into_iter().flatten().collect();
    let subject = &pattern.subject;
    let is_mark = |text: &[u8]| text.len() == 1 && text.iter().all(u8::is_ascii_punctuation);
    let leaves: Vec<_> = leaves.into_iter().filter(|leaf| is_mark(subject.text(*leaf))).collect();
    let mut found: Vec<String> = Vec::new();
    for count in 1..=3 {
        for some in leaves.windows(count) {
            let span = subject.tree.span(some[0]).start..subject.tree.span(some[count - 1]).end;
            let name = format!("{:?}", String::from_utf8_lossy(&subject.input[span.clone()]));
            if span.len() == count && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Two words each with a blank between them that the pattern requires together: `-j DROP` of `-A <word>+ -j DROP`.
///
/// Each word may be anywhere else, and say something else there: `-j DROP` is what a rule does, and `DROP` may be the name of a chain.
/// At most `MAX_PAIRS`, the first ones of the text. Only where there is no grammar: a grammar says what a word is.
///
/// Costs no test.
pub(super) fn required_pairs(pattern: &Pattern) -> Vec<String> {
    let (subject, mut found): (_, Vec<String>) = (&pattern.subject, Vec::new());
    let leaves: Vec<_> = reasons::parts(pattern).into_iter().flatten().collect();
    let spans = leaves.iter().map(|leaf| subject.tree.span(*leaf));
    let mut texts: Vec<Range<usize>> = Vec::new();
    for span in spans {
        let is_next = |last: &&mut Range<usize>| {
            [&b""[..], b" "].contains(&&subject.input[last.end..span.start])
        };
        match texts.last_mut().filter(is_next) {
            Some(last) => last.end = span.end,
            None => texts.push(span),
        }
    }
    for text in texts {
        let text = String::from_utf8_lossy(&subject.input[text]).into_owned();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let pairs = words.windows(2).map(|two| two.join(" "));
            found.extend(pairs.filter(|pair| is_pair(pair)));
        }
    }
    found.dedup();
    found.truncate(MAX_PAIRS);
    found
}

/// The short numbers that the pattern requires.
///
/// They become names, as words are: a version of 3 is another thing than one of 2.
pub(super) fn required_numbers(pattern: &Pattern) -> Vec<String> {
    let texts = reasons::parts(pattern).into_iter().flat_map(|leaves| {
        let text = leaves.iter().flat_map(|leaf| pattern.subject.text(*leaf)).copied();
        let text: Vec<u8> = text.collect();
        let numbers = stretches(&text, |byte| byte.is_ascii_digit()).into_iter();
        let numbers = numbers.map(|span| String::from_utf8_lossy(&text[span]).into_owned());
        numbers.collect::<Vec<String>>()
    });
    texts.collect()
}
