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

use super::other_words::{given_texts, is_required, other_marks, other_texts, words};
use crate::generalize::bytes::word_kinds::others_of_kind;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;

/// Inputs with a word of the given ones that pass and are kept, for each word and where there is a grammar: more of them would take the places
/// of inputs that lack a part. Six were worse for some causes of the lists.
const MAX_PASSING: usize = 2;
/// Words of an input that are exchanged, a bound on the tests because each has up to sixteen others.
const MAX_WORDS: usize = 5;
/// Other texts of the given inputs that are tested at first for a word that the pattern does not require, so that three words of twice as many have one. They cost a test each.
const MAX_GIVEN_AT_FIRST: usize = 6;
/// Those that are tested before the other words have had as many, because the first word may be none that matters.
const MAX_AT_FIRST: usize = 12;
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
        let is_required = is_required(&word, required);
        let most_passing = if is_plain || is_of_grammar { usize::MAX } else { MAX_PASSING };
        let mut at_first = MAX_AT_FIRST;
        if others.is_empty() {
            others = others_of_kind(&word);
            if !is_required {
                at_first = at_first.min(others.len() + MAX_GIVEN_AT_FIRST);
            }
            let texts = match word[..] {
                [mark] if mark.is_ascii_punctuation() => other_marks(base, given, span.start),
                _ => given_texts(base, given, &span),
            };
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
        let is_required = is_of_grammar || is_required;
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
