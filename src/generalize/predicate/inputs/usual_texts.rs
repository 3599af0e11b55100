//! Texts of tokens as the inputs at hand have them.
//!
//! A grammar's draws of a token have every character and escape that the token may have. Many targets
//! refuse some of these (an exponent of four digits, half of a surrogate pair), and an input that is
//! refused says nothing about the cause. So most tokens of a mutant get a text of the inputs that fail,
//! or one that is like it.

use std::collections::{BTreeMap, BTreeSet};

use seedsmith_grammar::NodeKind;
use seedsmith_grammar::Random;
use seedsmith_grammar::Word;

use crate::generalize::bytes::cut::stretches;
use crate::generalize::pattern::Subject;

/// Texts of a token that are kept, because the inputs at hand rarely have more that differ in kind. Not
/// measured.
const MAX_TEXTS: usize = 24;
/// Longer texts are not kept, so that mutants stay short. Not measured.
const MAX_TEXT_BYTES: usize = 32;
/// One of this many tokens keeps the text that was drawn, so that unusual texts occur and few mutants are
/// refused for one. With 8 half of the mutants in JSON had such a text, and most true conditions were refuted by
/// texts that no reader of JSON takes (tests/generalize/fourth).
const TOKENS_PER_DRAWN_TEXT: usize = 40;

/// Texts by the numbers of their tokens.
#[derive(Default)]
pub(super) struct UsualTexts(BTreeMap<u32, Vec<Vec<u8>>>);

impl UsualTexts {
    /// The texts of some inputs, for tokens with many texts.
    ///
    /// Texts that are the grammar's own are left out: such a token has no other.
    pub(super) fn of(bases: &[Subject]) -> Self {
        let mut texts: BTreeMap<u32, BTreeSet<Vec<u8>>> = BTreeMap::new();
        for base in bases {
            let Some(language) = &base.language else { continue };
            for id in base.tree.ids() {
                let NodeKind::Token(token) = base.tree.node(id).kind else { continue };
                let is_open = language.is_open(token);
                let text = base.text(id);
                let texts = texts.entry(token).or_default();
                if is_open && text.len() <= MAX_TEXT_BYTES && texts.len() < MAX_TEXTS {
                    texts.insert(text.to_vec());
                }
            }
        }
        texts.retain(|_, texts| !texts.is_empty());
        UsualTexts(
            texts.into_iter().map(|(token, texts)| (token, texts.into_iter().collect())).collect(),
        )
    }

    /// Gives a drawn word another text, mostly.
    ///
    /// Half of the texts are varied too, so that numbers and names occur that no input has.
    pub(super) fn replace(&self, word: &mut Word, dice: &mut Random) {
        let Some(texts) = self.0.get(&word.token.0) else { return };
        if dice.below(TOKENS_PER_DRAWN_TEXT) == 0 {
            return;
        }
        let text = &texts[dice.below(texts.len())];
        word.text = if dice.below(2) == 0 { text.clone() } else { varied(text, dice) };
    }
}

/// A text with another number or another word in it.
///
/// One number or one word of small letters is replaced.
pub(super) fn varied(text: &[u8], dice: &mut Random) -> Vec<u8> {
    let numbers = stretches(text, |byte| byte.is_ascii_digit());
    let words = stretches(text, |byte| byte.is_ascii_lowercase());
    let places = numbers.len() + words.len();
    if places == 0 {
        return text.to_vec();
    }
    let place = dice.below(places);
    let (span, new) = match numbers.get(place) {
        Some(span) => {
            let most = [10, 10, 100, 1000][dice.below(4)];
            // A number of a date keeps its width.
            let width = if text[span.start] == b'0' { span.len() } else { 0 };
            (span.clone(), format!("{:0width$}", dice.below(most)).into_bytes())
        }
        None => {
            let letters = 1 + dice.below(6);
            let letters = (0..letters).map(|_| b'a' + dice.below(26) as u8);
            (words[place - numbers.len()].clone(), letters.collect())
        }
    };
    [&text[..span.start], &new, &text[span.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_varied_text_is_spelled_as_the_text_was() {
        let mut dice = Random::new(7);
        for _ in 0..50 {
            let text = varied(b"\"ab\"", &mut dice);
            let inner = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap();
            assert!(!inner.is_empty() && inner.iter().all(u8::is_ascii_lowercase), "{text:?}");
            let number = varied(b"-5", &mut dice);
            assert!(number.len() >= 2 && number[1..].iter().all(u8::is_ascii_digit), "{number:?}");
        }
        assert_eq!(varied(b"-+", &mut dice), b"-+");
    }
}
