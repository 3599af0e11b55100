//! Whether an input is written like the inputs at hand: in the same characters, with numbers of such lengths.
//!
//! Drawn texts have escapes, control characters and exponents that a target may read in its own way. A condition
//! that has to be true of these too is hardly ever simple, so the inputs that it is learnt from and measured on are
//! usual ones.
//!
//! An input is compared with those that fail: the given ones and the minimized one. Anything that one of them has is
//! usual, so nothing that the failure may need is left out.

mod texts;

use std::collections::BTreeSet;
use std::ops::Range;

use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::{NodeKind, Tree};

pub(super) use texts::before_zeros;
use texts::{
    ends_of_lines, ends_with_empty_line, has_empty_line, has_exponent, has_matching_tags,
    has_paired_quotes, has_wide_blank, is_line_end, kind, longest_number, widths,
};

use super::shapes::Shapes;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::read::is_binary;

/// Numbers of 9 digits are usual, because they fit into every type that targets read numbers into, also into 32 bits.
const USUAL_DIGITS: usize = 9;

/// Words of a grammar from which on a target reads few of them: SQL has more, JSON and most formats of settings have fewer.
const MANY_KEYWORDS: usize = 40;

/// The number of all words of a grammar where their neighbours are compared, because which of them is before a name says nothing about how it is written.
const ANY_WORD: u32 = u32::MAX;
/// Brackets that open and close.
const BRACKETS: [[u8; 2]; 3] = [*b"()", *b"[]", *b"{}"];

/// The characters of some inputs and of their grammar.
pub(in crate::generalize::predicate) struct Alphabet {
    bytes: [bool; 256],
    /// Whether the inputs are no texts: then all are usual.
    is_binary: bool,
    /// Marks that follow each other in the inputs.
    pairs: BTreeSet<[u8; 2]>,
    /// What is beside marks in the inputs, as kinds of characters; nothing where a grammar says what blanks are.
    beside_marks: Option<BTreeSet<[u8; 2]>>,
    /// Marks of the grammar, of which any may follow another.
    marks: Vec<u8>,
    /// Marks after which the inputs always begin another line.
    ends_of_lines: Vec<u8>,
    digits: usize,
    /// What is before numbers of several digits that begin with 0: a date has some where a count has none. Nothing is at the beginning.
    before_zeros: BTreeSet<Option<u8>>,
    ends_with_newline: bool,
    /// Whether there are empty lines in the inputs: then nothing may follow the last one, as no body follows a request's head.
    has_empty_lines: bool,
    /// Whether no object or section of the inputs has a key twice.
    has_single_keys: bool,
    /// Tokens that are right after each other in the inputs, by their numbers.
    neighbours: BTreeSet<(u32, u32)>,
    /// The tokens that are words of the grammar and that no input has; none if the grammar has few words.
    unusual_keywords: BTreeSet<u32>,
    /// The widths of numbers that are one date or time together; nothing if the inputs have none with a leading zero.
    widths: BTreeSet<Vec<usize>>,
    /// Whether each tag of the inputs is closed by one of its name, because many grammars accept others and few targets do.
    has_matching_tags: bool,
    /// Whether each line of the inputs has its quotation marks in pairs, where no grammar says so.
    has_paired_quotes: bool,
    /// Whether some number of the inputs has an exponent: `1e9`.
    has_exponents: bool,
    /// Whether some line of the inputs has two blanks in a row within its text: a target that splits lines at blanks may see an empty word.
    has_wide_blanks: bool,
    /// The bracket that the inputs begin with, if all begin with one: a document that is an object is no list.
    opening: Option<u8>,
    /// The order of marks in lines.
    shapes: Shapes,
    /// Whether lines matter: there is no grammar, or it has tokens for the ends of lines.
    has_lines: bool,
}

impl Alphabet {
    /// That of some inputs: their characters, lower case letters, digits, and the marks of the grammar. If some
    /// capital letter or character outside of ASCII is among them, all are.
    pub(in crate::generalize::predicate) fn of<'i>(
        inputs: impl Iterator<Item = &'i [u8]> + Clone,
        language: &Sampler,
        is_plain: bool,
    ) -> Self {
        let mut bytes = [false; 256];
        let mut add = |text: &[u8]| text.iter().for_each(|byte| bytes[usize::from(*byte)] = true);
        add(b"0123456789abcdefghijklmnopqrstuvwxyz");
        inputs.clone().for_each(&mut add);
        let mut marks = Vec::new();
        if !is_plain {
            marks.push(b'"');
            let texts = language.grammar().tokens.iter().filter_map(|token| token.literal.as_ref());
            marks.extend(texts.flat_map(|text| text.bytes()));
            add(&marks);
        }
        let pairs =
            inputs.clone().flat_map(|input| input.windows(2)).map(|pair| [pair[0], pair[1]]);
        let pairs: BTreeSet<[u8; 2]> = pairs.collect();
        let ends = inputs.clone().filter_map(|input| Some([*input.last()?, b'\n'].map(kind)));
        let beside = || pairs.iter().map(|pair| pair.map(kind)).chain(ends);
        let beside_marks = is_plain.then(|| beside().collect());
        for pair in BRACKETS {
            let is_there = pair.iter().any(|byte| bytes[usize::from(*byte)]);
            pair.iter().filter(|_| is_there).for_each(|byte| bytes[usize::from(*byte)] = true);
        }
        for range in [b'A'..=b'Z', 128..=255] {
            if range.clone().any(|byte| bytes[usize::from(byte)]) {
                range.for_each(|byte| bytes[usize::from(byte)] = true);
            }
        }
        let digits = inputs.clone().map(longest_number).max().unwrap_or(0).max(USUAL_DIGITS);
        let before_zeros: BTreeSet<Option<u8>> = inputs.clone().flat_map(before_zeros).collect();
        let ends_with_newline = inputs.clone().any(|input| input.ends_with(b"\n"));
        let mut firsts = inputs.clone().map(|input| input.trim_ascii_start().first().copied());
        let opening = firsts.next().flatten().filter(|first| !is_plain && b"([{".contains(first));
        let opening = opening.filter(|first| firsts.all(|other| other == Some(*first)));
        Alphabet {
            bytes,
            is_binary: is_plain && inputs.clone().any(is_binary),
            pairs,
            beside_marks,
            marks,
            ends_of_lines: ends_of_lines(inputs.clone()),
            digits,
            ends_with_newline,
            has_empty_lines: inputs.clone().any(has_empty_line),
            has_single_keys: true,
            neighbours: BTreeSet::new(),
            unusual_keywords: many_keywords(language),
            has_matching_tags: inputs.clone().all(has_matching_tags),
            has_paired_quotes: is_plain && inputs.clone().all(has_paired_quotes),
            has_exponents: inputs.clone().any(has_exponent),
            has_wide_blanks: !is_plain || inputs.clone().any(has_wide_blank),
            opening,
            shapes: Shapes::of(inputs.clone()),
            has_lines: is_plain,
            widths: match before_zeros.is_empty() {
                true => BTreeSet::new(),
                false => inputs.flat_map(widths).collect(),
            },
            before_zeros,
        }
    }

    /// Takes in that an input of these features is usual.
    pub(in crate::generalize::predicate) fn allow(&mut self, features: &Features) {
        self.has_single_keys &= !has_twin_keys(features);
    }

    /// Takes in that tokens may be right after each other as they are in an input.
    pub(in crate::generalize::predicate) fn allow_neighbours(
        &mut self,
        (tree, input): (&Tree, &[u8]),
        language: &Sampler,
    ) {
        self.neighbours.extend(neighbours(tree, input, language));
        self.has_lines |= tokens(tree).any(|(_, span)| {
            let text = &input[span];
            text.trim_ascii().is_empty() && text.contains(&b'\n')
        });
        self.allow_keywords(tree);
    }

    /// Takes in that the words of the grammar that an input has are usual.
    pub(in crate::generalize::predicate) fn allow_keywords(&mut self, tree: &Tree) {
        for (token, _) in tokens(tree) {
            self.unusual_keywords.remove(&token);
        }
    }

    /// Whether an input has only such tokens right after each other as the inputs at hand have, and of many words of a grammar only theirs.
    ///
    /// A grammar that skips blanks takes `sudo5` for a word and a number, which hardly any target does.
    pub(in crate::generalize::predicate) fn has_usual_tokens(
        &self,
        (tree, input): (&Tree, &[u8]),
        language: &Sampler,
    ) -> bool {
        self.is_binary
            || neighbours(tree, input, language).is_subset(&self.neighbours)
                && tokens(tree).all(|(token, _)| !self.unusual_keywords.contains(&token))
    }

    /// Whether an input of these features is usual, besides its text.
    pub(in crate::generalize::predicate) fn has_usual_keys(&self, features: &Features) -> bool {
        !(self.has_single_keys && has_twin_keys(features))
    }

    /// Whether an input's text is usual. Costs no parsing.
    pub(in crate::generalize::predicate) fn is_usual(&self, input: &[u8]) -> bool {
        self.is_binary || self.is_usual_text(input)
    }

    /// The same of a text.
    fn is_usual_text(&self, input: &[u8]) -> bool {
        input.iter().all(|byte| self.bytes[usize::from(*byte)])
            && input.windows(2).all(|pair| self.is_usual_pair([pair[0], pair[1]]))
            && input.last().is_none_or(|last| self.is_usual_pair([*last, b'\n']))
            && self.opening.is_none_or(|first| input.trim_ascii_start().first() == Some(&first))
            && longest_number(input) <= self.digits
            && (self.widths.is_empty() || widths(input).iter().all(|one| self.widths.contains(one)))
            && before_zeros(input).is_subset(&self.before_zeros)
            && (!self.has_matching_tags || has_matching_tags(input))
            && (!self.has_paired_quotes || has_paired_quotes(input))
            && (self.has_exponents || !has_exponent(input))
            && (self.has_wide_blanks || !has_wide_blank(input))
            && (!self.has_lines || self.shapes.are_of(input))
            && (self.ends_with_newline
                || !input.ends_with(b"\n")
                || self.has_empty_lines && ends_with_empty_line(input))
            && input
                .windows(2)
                .all(|pair| !self.ends_of_lines.contains(&pair[0]) || is_line_end(pair[1]))
    }
}

impl Alphabet {
    /// Whether two characters may follow each other: two marks that are no brackets, or a blank and another one, only if
    /// they do somewhere. Without a grammar a mark, also a bracket, is beside a blank, or beside a letter, only if it is so
    /// somewhere: a target that splits lines at ` = ` finds no key in `a=1`.
    fn is_usual_pair(&self, pair: [u8; 2]) -> bool {
        let is_of_grammar = |byte: &u8| self.marks.contains(byte);
        let is_blank = |byte: &u8| b" \t".contains(byte);
        let is_bracket = |byte: &u8| BRACKETS.as_flattened().contains(byte);
        let is_pair = pair.iter().all(u8::is_ascii_punctuation) && !pair.iter().any(is_bracket)
            || pair.iter().all(u8::is_ascii_whitespace) && pair.iter().any(is_blank);
        let is_mark = |byte: &u8| byte.is_ascii_punctuation() && *byte != b'_';
        let kinds = pair.map(kind);
        // Where each line ends with a mark, a statement is not broken after a word.
        let is_break = kinds == [b'a', b'\n'] && self.pairs.iter().any(|pair| pair[1] == b'\n');
        let is_beside =
            is_break || pair.iter().any(is_mark) && kinds.iter().any(|kind| b" a".contains(kind));
        if let Some(known) = self.beside_marks.as_ref().filter(|_| is_beside) {
            return known.contains(&kinds);
        }
        if let Some(known) = self.beside_marks.as_ref().filter(|_| pair.iter().any(is_mark)) {
            // Where a mark always has a blank after it, the blank is part of what is looked for: no line ends with the mark.
            let is_needed = match kinds {
                [mark, b'\n'] => known.contains(&[mark, b' ']) && !known.contains(&[mark, b'a']),
                [b'\n', mark] => known.contains(&[b' ', mark]) && !known.contains(&[b'a', mark]),
                _ => false,
            };
            if is_needed && !known.contains(&kinds) {
                return false;
            }
        }
        !is_pair || self.pairs.contains(&pair) || pair.iter().all(is_of_grammar)
    }
}

/// The tokens of a grammar that are words, in any case, if it has so many that a target does not read all of them.
fn many_keywords(language: &Sampler) -> BTreeSet<u32> {
    let is_word = |token: &u32| {
        let name = language.grammar().token_name(TokenId(*token));
        name.starts_with('\'') && name.contains(char::is_alphabetic)
    };
    let words: BTreeSet<u32> =
        (1..language.grammar().tokens.len() as u32).filter(is_word).collect();
    if words.len() < MANY_KEYWORDS { BTreeSet::new() } else { words }
}

/// The tokens of an input with their places, by their numbers in the grammar.
fn tokens(tree: &Tree) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    tree.ids().filter_map(|id| match tree.node(id).kind {
        NodeKind::Token(token) => Some((token, tree.span(id))),
        _ => None,
    })
}

/// Tokens that are right after each other, without blanks between them: two with many texts, and two of which one ends and the other one
/// begins with a letter or a digit. Of these, all words of the grammar have one number (`ANY_WORD`), so that `moveA` is as usual as `dropA`.
///
/// Blanks that are tokens are no neighbours of anything.
fn neighbours(tree: &Tree, input: &[u8], language: &Sampler) -> BTreeSet<(u32, u32)> {
    let tokens: Vec<_> = tokens(tree).filter(|(_, span)| !span.is_empty()).collect();
    let is_told = |one: &(u32, Range<usize>)| {
        language.is_open(one.0) && !input[one.1.clone()].trim_ascii().is_empty()
    };
    let is_word = |at: usize| input[at].is_ascii_alphanumeric();
    let pairs = tokens.windows(2).filter(|two| two[0].1.end == two[1].1.start);
    let pairs = pairs.filter(|two| {
        let border = two[1].1.start;
        two.iter().all(is_told) || is_word(border - 1) && is_word(border)
    });
    let number = |token: u32| if language.is_open(token) { token } else { ANY_WORD };
    pairs.map(|two| (number(two[0].0), number(two[1].0))).collect()
}

/// Whether a key is there twice.
fn has_twin_keys(features: &Features) -> bool {
    features.iter().any(|(feature, value)| matches!(feature, Feature::TwinKeys(_)) && *value > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_inputs_have_other_marks_longer_numbers_or_a_key_twice() {
        let language = crate::generalize::predicate::plain::language().unwrap();
        let inputs: [&[u8]; 2] = [b"a=1\nB=2", b"c d"];
        let mut alphabet = Alphabet::of(inputs.into_iter(), &language, true);
        for usual in ["zz=99", "X\ny", ""] {
            assert!(alphabet.is_usual(usual.as_bytes()), "{usual:?}");
        }
        for unusual in
            ["a =1", "a= 1", "a=01", "a  b", "a==1", "a:1", "\u{e9}", "a=1\n", "a=1234567890123456"]
        {
            assert!(!alphabet.is_usual(unusual.as_bytes()), "{unusual:?}");
        }
        let log = Alphabet::of([&b"07:05 a=\"7\""[..]].into_iter(), &language, true);
        assert!(
            ["08:01 a=\"3\"", "12:00 a=\"b\""].iter().all(|text| log.is_usual(text.as_bytes()))
        );
        assert!(!["07:05 a=07", "07:05 a=\"7"].iter().any(|text| log.is_usual(text.as_bytes())));
        let with_empty_line = [&b"a\n\nb"[..]].into_iter();
        let message = Alphabet::of(with_empty_line, &language, true);
        assert!(message.is_usual(b"a\n\n") && !message.is_usual(b"a\n\nb\n"));
        assert!(!alphabet.is_usual(b"a\n\n"));
        let indented = Alphabet::of([&b"a\n  b c"[..]].into_iter(), &language, true);
        assert!(indented.is_usual(b"a\n    b c") && !indented.is_usual(b"a\n  b  c"));
        let mut language = language;
        let mut is_usual = |alphabet: &mut Alphabet, text: &[u8], is_allowed: bool| {
            let (tree, _) = language.read(text).unwrap();
            if is_allowed {
                alphabet.allow_neighbours((&tree, text), &language);
            }
            alphabet.has_usual_tokens((&tree, text), &language)
        };
        assert!(is_usual(&mut alphabet, b"a 1=1", false) && !is_usual(&mut alphabet, b"a1", false));
        assert!(is_usual(&mut alphabet, b"b2", true) && is_usual(&mut alphabet, b"a1", false));
        let twins = Features::from([(Feature::TwinKeys("<text>".into()), 1)]);
        assert!(!alphabet.has_usual_keys(&twins));
        alphabet.allow(&twins);
        assert!(alphabet.has_usual_keys(&twins));
    }
}
