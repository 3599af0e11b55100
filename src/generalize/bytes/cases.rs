//! Words that may be in capital or small letters: `<any case script>`.
//!
//! A required word with all its letters in the other case is one test; only where that fails too are
//! random cases drawn.

use std::ops::Range;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Word;
use seedsmith_grammar::internal::TokenId;

use super::cut::stretches;
use super::spelling::Spelling;
use super::words::{is_free, join};
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// Draws of a word in random cases, in tests. Six find a case that passes with a chance of 98 % where
/// half of the cases pass; the draws of the claim find rarer ones.
const MAX_CASE_DRAWS: u64 = 6;
/// Words that are looked at, because each costs a test at least and six more if it is not required as it
/// is. Not measured.
const MAX_WORDS: usize = 12;

/// Adds a slot for each required word whose letters may be of either case. Cost: a test for each
/// word, and six for each that may.
pub(crate) fn either(prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) -> Result<(), Stopped> {
    let letters = stretches(&prober.subject.input, |byte| byte.is_ascii_alphabetic());
    for span in letters.into_iter().take(MAX_WORDS) {
        if !is_free(prober, slots, &span) || !may_change(prober, &span)? {
            continue;
        }
        let nodes = join(prober, slots, std::slice::from_ref(&span));
        let [node] = nodes[..] else { continue };
        let text = prober.subject.text(node).to_vec();
        let slot = Slot::one(node, Domain::Spelled(vec![Segment::AnyCase(text)]));
        let question = std::slice::from_ref(&slot);
        let answer = prober.check(question, &Replaced::new(), MAX_CASE_DRAWS, Spread::Varied(0))?;
        if answer.is_abstract() {
            slots.push(slot);
        }
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}

/// Whether the input fails with the letters of a stretch in the other case.
///
/// All leaves of the stretch are changed at once, so it costs one test.
fn may_change(prober: &mut Prober<'_, '_>, span: &Range<usize>) -> Result<bool, Stopped> {
    let mut replaced = Replaced::new();
    let subject = &prober.subject;
    for leaf in subject.tree.ids().skip(1) {
        let place = subject.tree.span(leaf);
        if span.start <= place.start && place.end <= span.end && !place.is_empty() {
            let text = other_case(subject.text(leaf));
            replaced.insert(leaf, vec![Word { token: TokenId::EOF, text }]);
        }
    }
    Ok(prober.outcome(&replaced)? == Outcome::Fail)
}

/// The same for the required words of a token, which all have the other case at once: `Content-Length`.
///
/// Only if all of the token is required so far. Costs one test, and those of the changed segments if it
/// fails.
pub(crate) fn of_token(
    spelling: &mut Spelling<'_, '_, '_>,
    segments: &mut Vec<Segment>,
) -> Result<(), Stopped> {
    let texts = segments.iter().map(|one| match one {
        Segment::Text(text) => Some(&text[..]),
        _ => None,
    });
    let Some(text) = texts.collect::<Option<Vec<&[u8]>>>().map(|texts| texts.concat()) else {
        return Ok(());
    };
    let letters = stretches(&text, |byte| byte.is_ascii_alphabetic());
    let (Some(first), Some(last)) = (letters.first(), letters.last()) else { return Ok(()) };
    let words = first.start..last.end;
    let (before, after) = (&text[..words.start], &text[words.end..]);
    let other = [before, &other_case(&text[words.clone()]), after].concat();
    if spelling.outcome(other)? != Outcome::Fail {
        return Ok(());
    }
    let parts = [
        Segment::Text(before.to_vec()),
        Segment::AnyCase(text[words.clone()].to_vec()),
        Segment::Text(after.to_vec()),
    ];
    let is_there = |one: &Segment| !matches!(one, Segment::Text(text) if text.is_empty());
    let changed: Vec<Segment> = parts.into_iter().filter(is_there).collect();
    if spelling.holds(changed.clone())? {
        *segments = changed;
    }
    Ok(())
}

/// All letters in the other case.
///
/// Letters of ASCII only: others may change their length.
fn other_case(text: &[u8]) -> Vec<u8> {
    let other = |byte: &u8| match byte.is_ascii_lowercase() {
        true => byte.to_ascii_uppercase(),
        false => byte.to_ascii_lowercase(),
    };
    text.iter().map(other).collect()
}
