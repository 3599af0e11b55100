//! What matters in a text of which no grammar knows anything.
//!
//! ```text
//! text -> numbers -> classes -> room between required texts -> equal words -> tree of leaves
//! ```
//!
//! [`spelling`] finds classes, lengths and repetitions inside one leaf, [`insertions`] what may be
//! between its pieces, [`words`] which words have to be equal, and [`cut`] makes a leaf of each
//! piece. From there on a piece is a slot like any other: what a draw refutes, or is rejected for,
//! is found by the same search.

pub(crate) mod cases;
pub(crate) mod class;
pub(crate) mod cut;
pub(crate) mod insertions;
pub(crate) mod integers;
mod refuting_byte;
pub(super) mod repeats;
mod run;
pub(crate) mod spelling;
pub(crate) mod token;
pub(crate) mod word_kinds;
pub(crate) mod words;

use std::ops::Range;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;
use seedsmith_grammar::Word;
use seedsmith_grammar::internal::TokenId;

use super::domain::{Domain, Segment};
use super::pattern::{Replaced, Slot};
use crate::generalize::draws::prober::{Prober, Witness};
use refuting_byte::refuting_byte;
use spelling::{Piece, Spelling};

/// Numbers of a text whose range is looked for, because a range takes steps on both sides and bisections.
/// Not measured.
const MAX_NUMBERS: usize = 6;
/// Required texts longer than this are one leaf and are not cut into characters, because so many leaves
/// make all later draws slower. A guess, not measured.
const MAX_CUT_BYTES: usize = 200;

/// Finds the slots of a subject without a grammar, and cuts it into leaves. If a limit ends it, `slots`
/// has those found until then.
///
/// Costs the tests of numbers, classes, insertions, equal words and cases, in this order, so that
/// what a limit cuts off is the rarest.
pub(crate) fn explore(prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) -> Result<(), Stopped> {
    let mut known = FoundPieces::default();
    let ended = look(prober, &mut known);
    known.cut(prober, slots);
    ended?;
    words::equal(prober, slots)?;
    cases::either(prober, slots)
}

/// A leaf to be: its place, what may be there if it isn't required, and what passes instead.
type Leaf = (Range<usize>, Option<Domain>, Option<Vec<u8>>);

/// The findings about the text: stretches with a number's range, and the pieces of those between.
#[derive(Default)]
struct FoundPieces {
    numbers: Vec<(Range<usize>, Domain)>,
    pieces: Vec<Piece>,
}

/// Looks for numbers with a range, then for the pieces of the text between them. If a limit ends
/// it, `known` has the findings until then.
fn look(prober: &mut Prober<'_, '_>, known: &mut FoundPieces) -> Result<(), Stopped> {
    let input = prober.subject.input.clone();
    let digits = cut::stretches(&input, |byte| byte.is_ascii_digit());
    for span in digits.into_iter().take(MAX_NUMBERS) {
        prober.subject =
            cut::subject(input.clone(), &cut::filled(std::slice::from_ref(&span), input.len()));
        let is_number = |id: &NodeId| prober.subject.tree.span(*id) == span;
        let leaf = prober.subject.tree.ids().skip(1).find(is_number);
        let leaf = leaf.expect("a leaf was made of the span");
        if let Some(slot) = integers::range(prober, leaf)?
            && is_bounded(&slot.domain)
        {
            known.numbers.push((span, slot.domain));
        }
    }
    let spans: Vec<Range<usize>> = known.numbers.iter().map(|(span, _)| span.clone()).collect();
    let all = cut::filled(&spans, input.len());
    prober.subject = cut::subject(input.clone(), &all);
    let leaves: Vec<NodeId> = prober.subject.tree.ids().skip(1).collect();
    for leaf in leaves {
        let span = prober.subject.tree.span(leaf);
        if spans.contains(&span) {
            continue;
        }
        let mut pieces = Vec::new();
        let mut found = Spelling::new(prober, leaf, 0).pieces(&mut pieces);
        if found.is_ok() {
            let ends = (span.start == 0, span.end == input.len());
            found = insertions::add(prober, leaf, ends, &mut pieces);
        }
        known.pieces.extend(pieces.into_iter().map(|piece| Piece {
            span: piece.span.start + span.start..piece.span.end + span.start,
            ..piece
        }));
        found?;
    }
    Ok(())
}

/// Whether a range says more than a class of digits would.
///
/// Without an upper bound and from 0 on, a range is a class of digits.
fn is_bounded(domain: &Domain) -> bool {
    !matches!(domain, Domain::Integer { low: None | Some(0), high: None })
}

impl FoundPieces {
    /// Makes a leaf of each piece and of each required character, and a slot of each piece that
    /// may be something else.
    fn cut(self, prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) {
        let input = prober.subject.input.clone();
        let mut parts: Vec<Leaf> = Vec::new();
        let numbers = self.numbers.into_iter().map(|(span, domain)| (span, Some(domain), None));
        parts.extend(numbers);
        for Piece { span, segment, passes } in self.pieces {
            match segment {
                Segment::Text(text) if text.len() <= MAX_CUT_BYTES => {
                    let characters = cut::characters(&input, span);
                    let is_one = characters.len() == 1;
                    let passes = |_: &Range<usize>| passes.clone().filter(|_| is_one);
                    parts.extend(characters.into_iter().map(|one| {
                        let passes = passes(&one);
                        (one, None, passes)
                    }));
                }
                Segment::Text(_) => parts.push((span, None, None)),
                segment => parts.push((span, Some(Domain::Spelled(vec![segment])), None)),
            }
        }
        parts.sort_by_key(|(span, ..)| (span.start, span.end));
        // What wasn't looked at before it was stopped is required.
        let mut all: Vec<Leaf> = Vec::new();
        let mut at = 0;
        for part in parts {
            if at < part.0.start {
                all.push((at..part.0.start, None, None));
            }
            at = part.0.end;
            all.push(part);
        }
        if at < input.len() || all.is_empty() {
            all.push((at..input.len(), None, None));
        }
        let spans: Vec<Range<usize>> = all.iter().map(|(span, ..)| span.clone()).collect();
        prober.subject = cut::subject(input, &spans);
        prober.passing.clear();
        let leaves: Vec<NodeId> = prober.subject.tree.ids().skip(1).collect();
        for (leaf, (_, domain, passes)) in leaves.into_iter().zip(all) {
            slots.extend(domain.map(|domain| Slot::one(leaf, domain)));
            if let Some(passes) = passes {
                prober.passing.insert(leaf, passes);
            }
        }
    }
}

/// Of slots that are the cause together, the one that gets smaller, and what of it: a byte is left
/// out of its room where that is enough, else no class may be there again that holds what the
/// witness drew. Room gives way before anything else does.
///
/// Returns the index of that slot. Costs a test for each mark of the insertions' texts at most.
pub(crate) fn leave_out(
    prober: &mut Prober<'_, '_>,
    slots: &[Slot],
    witness: &Witness,
    refuted: &[usize],
) -> Result<usize, Stopped> {
    let is_room = |at: &usize| match &slots[*at].domain {
        Domain::Spelled(segments) => matches!(segments[..], [Segment::Insertion { .. }]),
        _ => false,
    };
    let words = |at: usize| -> Vec<u8> {
        witness.words[at].iter().flat_map(|word| &word.text).copied().collect()
    };
    for &at in refuted.iter().filter(|at| is_room(at)) {
        let node = slots[at].nodes[0];
        let found = refuting_byte(&words(at), |without| {
            let mut replaced = Replaced::new();
            for &other in refuted {
                for &node in &slots[other].nodes {
                    replaced.insert(node, witness.words[other].clone());
                }
            }
            let word = Word { token: TokenId::EOF, text: without };
            replaced.insert(node, vec![word]);
            Ok(prober.outcome(&replaced)? == Outcome::Fail)
        })?;
        let except = prober.except.entry(node).or_default();
        if insertions::add_excepted(except, found) {
            return Ok(at);
        }
    }
    let last = refuted.iter().copied().rfind(is_room);
    let last = last.or(refuted.last().copied()).unwrap_or(slots.len() - 1);
    if let [node] = slots[last].nodes[..] {
        prober.refuting.entry(node).or_default().push(words(last));
    }
    Ok(last)
}
