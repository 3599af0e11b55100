//! Failing inputs with another word or mark in the place of one that matters: other words of its kind (`word_kinds`), and
//! those of the given inputs.
//!
//! Without a grammar an input shows one of them only, and no mutant has another one. A target that takes only words that
//! it knows rejects all others, so that nothing would show whether the word matters. A word that fails as well shows an alternative that
//! no given input has: a payment by card or by transfer.
//!
//! With a grammar the words are its own: operators and keywords of which a rule has several. A draw of a rule rarely
//! changes the one word and nothing around it.

use std::collections::BTreeSet;
use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeKind;

use crate::generalize::bytes::word_kinds::{others_of_kind, words_of};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::read::core;

/// Inputs with a word of the given ones that pass and are kept, for each word and where there is a grammar: more of them would take the places
/// of inputs that lack a part. Six were worse for some causes of the lists.
const MAX_PASSING: usize = 2;
/// Words of an input that are exchanged, a bound on the tests because each has up to sixteen others.
const MAX_WORDS: usize = 5;
/// Other words for one of a grammar's own texts, because a rule rarely has more alternatives. They cost parsing.
const MAX_OTHER_TEXTS: usize = 16;
/// Other texts of the given inputs for one word, so that three words of twice as many have one. They cost a test each.
const MAX_GIVEN_TEXTS: usize = 6;
/// The same for a word that the pattern requires, because one of two dozen may be the third alternative.
const MAX_FOR_REQUIRED: usize = 24;
/// Those that are tested before the other words have had as many, because the first word may be none that matters.
const MAX_AT_FIRST: usize = 12;
/// Other marks for one of which it is not known whether they matter. They cost a test each.
const MAX_OTHER_MARKS: usize = 8;
/// Marks that texts begin and end with in many formats, the most usual ones first. Own list.
const USUAL_MARKS: &[u8] = b"-@#/+=*.!$%&?~^|:_<>;,";
/// Marks that come in pairs: one alone is an error nearly everywhere.
const BRACKETS_AND_QUOTES: &[u8] = b"()[]{}\"'`";
/// Tests in all: two or three words of a kind. With 48 of them, a word had no tests left for its second dozen of others, so that one of three keys was missed.
const MAX_TESTS: usize = 64;
/// Other failing inputs that a word is exchanged in too, if the input with the other word fails: so that enough inputs
/// show that both words are a cause.
const MAX_FURTHER_INPUTS: usize = 4;
/// Words that are exchanged in other failing inputs, so that these cost twelve tests at most.
const MAX_FURTHER_WORDS: usize = 3;

/// Inputs with one word replaced by another one of its kind, each with whether it fails: words of the grammar by others
/// of the grammar, and without a grammar those of `KINDS`.
///
/// Cost: at most `MAX_TESTS` tests and twelve for words that fail too, none for an input without such words.
pub(in crate::generalize::predicate) fn siblings(
    prober: &mut Prober<'_, '_>,
    bases: &mut [Subject],
    (is_plain, required): (bool, &[String]),
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut found: Vec<(Vec<u8>, bool)> = Vec::new();
    let mut tests = MAX_TESTS;
    // Of the minimized and the given inputs, the first has the words that matter.
    let Some((base, given)) = bases.split_first_mut() else { return Ok(found) };
    let (mut tried, mut exchanged): (Vec<Vec<u8>>, usize) = (Vec::new(), 0);
    let mut alike: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut turns: Vec<Turn> = Vec::new();
    for span in words(base, given, required) {
        let word = base.input[span.clone()].to_vec();
        let mut others = if is_plain { Vec::new() } else { other_texts(base, &word) };
        let is_of_grammar = !others.is_empty();
        let mut at_first = MAX_AT_FIRST;
        let most_passing = if is_plain || is_of_grammar { usize::MAX } else { MAX_PASSING };
        if others.is_empty() {
            others = others_of_kind(&word);
            let texts = match word[..] {
                [mark] if mark.is_ascii_punctuation() => other_marks(base, given, span.start),
                _ => given_texts(base, given, (&span, MAX_FOR_REQUIRED)),
            };
            if !is_required(&word, required) {
                at_first = at_first.min(others.len() + MAX_GIVEN_TEXTS);
            }
            others.extend(
                texts.into_iter().filter(|text| !others.contains(text)).collect::<Vec<_>>(),
            );
        }
        if others.is_empty() || tried.contains(&word) || exchanged >= MAX_WORDS {
            continue;
        }
        tried.push(word.clone());
        let later = others.split_off(others.len().min(at_first));
        let left = tests;
        let tested = with_others(prober, base, (&span, others), &mut tests)?;
        let is_required = is_of_grammar || is_required(&word, required);
        turns.push(Turn { span, later, most_passing, tested, is_required });
        // A bracket has no other that the language takes in its place.
        exchanged += usize::from(tests < left);
    }
    // A word of which one other fails and one passes may have a third that fails.
    turns.sort_by_key(|turn| !turn.is_decisive());
    let is_promising = |turn: &&mut Turn| turn.is_required || turn.is_decisive();
    let second = turns.iter_mut().filter(is_promising);
    for turn in second.filter(|turn| is_plain || !turn.all_fail()) {
        let later = (&turn.span, std::mem::take(&mut turn.later));
        turn.tested.extend(with_others(prober, base, later, &mut tests)?);
    }
    // A name of which every other one fails does not matter, and mutants of these inputs would show nothing.
    for turn in turns.into_iter().filter(|turn| is_plain || !turn.all_fail()) {
        let word = &base.input[turn.span];
        let mut passing = 0;
        for (input, fails, other) in turn.tested {
            passing += usize::from(!fails);
            if fails || passing <= turn.most_passing {
                found.push((input, fails));
            }
            if fails {
                alike.push((word.to_vec(), other));
            }
        }
    }
    // A word of which every other one fails does not matter.
    if found.iter().all(|(_, fails)| *fails) {
        alike.clear();
    }
    // Those that were drawn have characters that no given input has, such as other blanks.
    let known: BTreeSet<u8> = bases.iter().flat_map(|base| base.input.iter().copied()).collect();
    let is_usual = |byte: &u8| byte.is_ascii_alphanumeric() || known.contains(byte);
    let tested = prober.tested.iter().rev().filter(|(_, fails)| *fails).map(|(input, _)| input);
    let tested = tested.filter(|input| input.iter().all(is_usual));
    let given = bases[1..].iter().map(|one| &one.input);
    let others: Vec<Vec<u8>> = given.chain(tested).cloned().collect();
    for (word, other) in alike.into_iter().take(MAX_FURTHER_WORDS) {
        let place = |input: &[u8]| input.windows(word.len()).position(|part| part == word);
        let inputs = others.iter().filter_map(|input| {
            let at = place(input)?;
            Some([&input[..at], &other, &input[at + word.len()..]].concat())
        });
        for input in inputs.take(MAX_FURTHER_INPUTS) {
            prober.check_time()?;
            let fails = prober.fails(&input)?;
            found.extend(fails.map(|fails| (input, fails)));
        }
    }
    Ok(found)
}

/// An input with another word, whether it fails, and the word.
type Exchanged = (Vec<u8>, bool, Vec<u8>);

/// A word that is exchanged.
struct Turn {
    span: Range<usize>,
    /// Other words that are tested when each word had some.
    later: Vec<Vec<u8>>,
    /// How many inputs that pass are kept.
    most_passing: usize,
    tested: Vec<Exchanged>,
    /// Whether the grammar or the pattern has the word.
    is_required: bool,
}

impl Turn {
    /// Whether some inputs fail and others pass.
    fn is_decisive(&self) -> bool {
        let fails = || self.tested.iter().map(|(_, fails, _)| *fails);
        fails().any(|fails| fails) && !fails().all(|fails| fails)
    }

    /// Whether there are several inputs and each fails.
    fn all_fail(&self) -> bool {
        self.tested.len() > 1 && self.tested.iter().all(|(_, fails, _)| *fails)
    }
}

/// Tests an input with other words in the place of one, as far as they are in the language. Rejected ones are left out.
fn with_others(
    prober: &mut Prober<'_, '_>,
    base: &mut Subject,
    (span, others): (&Range<usize>, Vec<Vec<u8>>),
    tests: &mut usize,
) -> Result<Vec<Exchanged>, Stopped> {
    let mut tested = Vec::new();
    for other in others {
        prober.check_time()?;
        let input = [&base.input[..span.start], &other, &base.input[span.end..]].concat();
        let is_read = base.language.as_mut().is_some_and(|language| language.accepts(&input));
        if !is_read || *tests == 0 {
            continue;
        }
        *tests -= 1;
        let fails = prober.fails(&input)?;
        tested.extend(fails.map(|fails| (input, fails, other)));
    }
    Ok(tested)
}

/// Where the tokens and the words of an input are, each place once: words of a kind first, since brackets are tokens too, then
/// those that the pattern requires, and words before marks. Words of a first line that all inputs have come last: the heads of a table.
///
/// A token may be a word in quotation marks, so the word has a place of its own.
fn words(base: &Subject, given: &[Subject], required: &[String]) -> Vec<Range<usize>> {
    let first_line = |input: &[u8]| input.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let head = &base.input[..first_line(&base.input)];
    let has_head = |one: &Subject| one.input[..first_line(&one.input)] == *head;
    let head = if given.iter().all(has_head) { head.len() } else { 0 };
    let mut found: Vec<Range<usize>> = tokens(base).map(|(_, span)| span).collect();
    // A grammar may read a word letter by letter.
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| base.input.get(at)).is_some_and(u8::is_ascii_alphabetic)
    };
    let is_of_word = |span: &Range<usize>| {
        span.len() == 1
            && is_letter(Some(span.start))
            && (is_letter(span.start.checked_sub(1)) || is_letter(Some(span.end)))
    };
    found.retain(|span| !span.is_empty() && !is_of_word(span));
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

/// Whether the pattern requires a text, or the word in its quotation marks.
fn is_required(text: &[u8], required: &[String]) -> bool {
    let inner = if is_word(text) { core(text) } else { text };
    required.contains(&format!("{:?}", String::from_utf8_lossy(inner)))
}

/// Other texts of the grammar for one of its own: words for a word, marks for a mark.
///
/// Nothing for texts that the grammar does not have. Most of the others are not allowed in the place, which only
/// parsing shows.
fn other_texts(base: &Subject, word: &[u8]) -> Vec<Vec<u8>> {
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
fn given_texts(
    base: &Subject,
    given: &[Subject],
    (span, most): (&Range<usize>, usize),
) -> Vec<Vec<u8>> {
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
    let mut found: Vec<((bool, usize), Vec<u8>)> = Vec::new();
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
            // Parts of a text are alike only by the characters around them.
            if is_whole || same > 0 || kind.is_none() {
                let is_other = letters(core(text)) != letters(core(word));
                found.push(((is_other, 2 - same), text.to_vec()));
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<Vec<u8>> = found.into_iter().map(|(_, text)| text).collect();
    if is_whole {
        // Then words of longer texts, in the same quotation marks: a word of a remark may be a value elsewhere.
        let quote = if core(word) == word { &[] } else { &word[..1] };
        for one in given {
            let words = words_of(&one.input).into_iter().map(|span| &one.input[span]);
            let texts = words.map(|inner| [quote, inner, quote].concat());
            for text in texts {
                if is_word(&text) && text != word && !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    found.truncate(most);
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
fn other_marks(base: &Subject, given: &[Subject], at: usize) -> Vec<Vec<u8>> {
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
            given_texts(&base, &given, (&(at..at + word.len()), MAX_GIVEN_TEXTS))
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
