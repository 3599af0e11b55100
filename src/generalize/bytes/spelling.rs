//! What matters inside one leaf: byte and character classes, lengths and repetitions.
//!
//! From the whole down, by halves: a stretch is tried as the narrowest class that holds it, and
//! where that fails, as wider ones, the widest first. What a class draws and doesn't fail refutes
//! every class that could have drawn it. Single characters for which nothing but themselves fails
//! are required. Neighbours of one class become one, whose least length is found by bisection;
//! long runs of the same bytes are taken as such, with the least count that fails.

use std::ops::Range;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::{Dice, Word};
use seedsmith_grammar::{NodeId, NodeKind};

use super::class::Class;
use super::cut::characters;
use super::repeats::runs;
use crate::generalize::bytes::refuting_byte::refuting_byte;
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// Draws by which a class is screened at first, in tests. Each further attempt at a leaf has four times
/// as many, because the last ones let a wrong class through. Not measured.
const SCREENING_DRAWS: u64 = 6;
/// Pieces of one stretch; the rest of the stretch stays required, so that the tests grow with this bound
/// and not with the input. Not measured.
const MAX_PIECES: usize = 160;

/// Stretches between long runs, and such runs, that are looked at one by one: more than a nest has, because its runs are
/// the cause. A TIFF file has hundreds.
const MAX_STRETCHES_ALONE: usize = 8;

/// A piece of a leaf's text, and what may be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where it is in the leaf's text; empty for room.
    pub span: Range<usize>,
    /// What may be there.
    pub segment: Segment,
    /// Something else that passes at the place of a required character.
    pub passes: Option<Vec<u8>>,
}

impl Piece {
    /// A required piece: the bytes of `text` at `span`.
    pub(super) fn text(text: &[u8], span: Range<usize>) -> Self {
        let segment = Segment::Text(text[span.clone()].to_vec());
        Piece { span, segment, passes: None }
    }

    /// Whether it is the text as it is.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.segment, Segment::Text(_))
    }
}

/// Looks into one leaf.
pub(crate) struct Spelling<'s, 'p, 't> {
    prober: &'s mut Prober<'p, 't>,
    node: NodeId,
    pub(super) text: Vec<u8>,
    screening: u64,
    draws: u64,
}

/// What came of draws.
pub(crate) enum Tried {
    /// They all fail.
    Holds,
    /// One didn't: the text in place of the leaf's, where there is one.
    Refuted(Option<(Vec<u8>, Outcome)>),
}

impl<'s, 'p, 't> Spelling<'s, 'p, 't> {
    /// Nothing tried yet.
    ///
    /// `attempt` counts the patterns of this leaf that were refuted; each makes the draws of a
    /// class four times as many.
    pub(crate) fn new(prober: &'s mut Prober<'p, 't>, node: NodeId, attempt: u32) -> Self {
        let text = prober.subject.text(node).to_vec();
        Spelling { prober, node, text, screening: SCREENING_DRAWS << (2 * attempt), draws: 0 }
    }

    /// Whether the leaf is a token of a grammar.
    pub(crate) fn has_grammar(&self) -> bool {
        self.prober.subject.language.is_some()
    }

    /// The length of the leaf's text.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// Adds the pieces of the leaf, from the left. Those that are known are in `done` if it is
    /// stopped before the end.
    pub(crate) fn pieces(&mut self, done: &mut Vec<Piece>) -> Result<(), Stopped> {
        self.find(done)?;
        merge(done);
        self.stretch(done)
    }

    /// Cuts at long runs, then halves the stretches between them.
    ///
    /// Costs one class for the whole leaf first, because many leaves are of one class.
    fn find(&mut self, done: &mut Vec<Piece>) -> Result<(), Stopped> {
        let whole = 0..self.text.len();
        if whole.is_empty() {
            return Ok(());
        }
        // The whole may be of one class, runs and all.
        let (segment, passes) = self.classes(whole.clone())?;
        if let Some(segment) = segment {
            done.push(Piece { span: whole, segment, passes: None });
            return Ok(());
        }
        if characters(&self.text, whole.clone()).len() == 1 {
            done.push(Piece { passes, ..Piece::text(&self.text, whole) });
            return Ok(());
        }
        self.find_in(&runs(&self.text), done)
    }

    /// The pieces of neighbouring stretches, of which some are long runs. Halves of many stretches are tried as one class
    /// first, because the pixels of an image are hundreds of runs.
    fn find_in(
        &mut self,
        stretches: &[(Range<usize>, usize)],
        done: &mut Vec<Piece>,
    ) -> Result<(), Stopped> {
        if stretches.len() > MAX_STRETCHES_ALONE {
            let (left, right) = stretches.split_at(stretches.len() / 2);
            for half in [left, right] {
                let span = half[0].0.start..half[half.len() - 1].0.end;
                match self.classes(span.clone())?.0 {
                    Some(segment) => done.push(Piece { span, segment, passes: None }),
                    None => self.find_in(half, done)?,
                }
            }
            return Ok(());
        }
        for (span, unit) in stretches.iter().cloned() {
            if unit > 0 {
                let pieces = self.run(span, unit)?;
                done.extend(pieces);
            } else {
                let is_whole = span.len() == self.text.len();
                self.halve(span, is_whole, done.len() + MAX_PIECES, done)?;
            }
        }
        Ok(())
    }

    /// The pieces of a stretch, `most` in `done` at the end; `is_refuted` where the stretch as a whole
    /// is known to be no class.
    fn halve(
        &mut self,
        span: Range<usize>,
        is_refuted: bool,
        most: usize,
        done: &mut Vec<Piece>,
    ) -> Result<(), Stopped> {
        if done.len() >= most {
            done.push(Piece::text(&self.text, span));
            return Ok(());
        }
        let units = characters(&self.text, span.clone());
        let (segment, passes) = if is_refuted { (None, None) } else { self.classes(span.clone())? };
        if let Some(segment) = segment {
            done.push(Piece { span, segment, passes: None });
        } else if units.len() <= 1 {
            done.push(Piece { passes, ..Piece::text(&self.text, span) });
        } else {
            let middle = units[units.len() / 2].start;
            self.halve(span.start..middle, false, most, done)?;
            self.halve(middle..span.end, false, most, done)?;
        }
        Ok(())
    }

    /// The widest class that can take the place of a stretch, character for character, or what passes
    /// instead of it.
    ///
    /// Tries the narrowest class first, because it refutes most others at once, then the others
    /// from the widest on. Costs `SCREENING_DRAWS` tests for each class that is not refuted by
    /// what was drawn before.
    pub(super) fn classes(
        &mut self,
        span: Range<usize>,
    ) -> Result<(Option<Segment>, Option<Vec<u8>>), Stopped> {
        let stretch = self.text[span.clone()].to_vec();
        let classes: Vec<Class> = Class::of(&stretch).collect();
        let is_whole = span.len() == self.text.len();
        let known = self.prober.refuting.get(&self.node).filter(|_| is_whole);
        let mut refuting: Vec<Vec<u8>> = known.cloned().unwrap_or_default();
        let mut passes: Option<Vec<u8>> = None;
        let narrowest = *classes.last().expect("any byte is of a class");
        let mut found = None;
        for class in std::iter::once(narrowest).chain(classes) {
            let length = class.count(&stretch);
            let could_draw = |text: &Vec<u8>| class.holds(text) && class.count(text) == length;
            if refuting.iter().any(could_draw) {
                continue;
            }
            let segment = Segment::Class { class, least: length, most: Some(length) };
            if found.as_ref() == Some(&segment) {
                break;
            }
            match self.tried(self.around(span.clone(), segment.clone()))? {
                Tried::Holds if class == narrowest && found.is_none() => found = Some(segment),
                Tried::Holds => {
                    found = Some(segment);
                    break;
                }
                Tried::Refuted(None) => {}
                Tried::Refuted(Some((text, outcome))) => {
                    let after = self.text.len() - span.end;
                    let instead = text[span.start..text.len() - after].to_vec();
                    if outcome == Outcome::Pass
                        && passes.as_ref().is_none_or(|known| is_plainer(&instead, known))
                    {
                        passes = Some(instead.clone());
                    }
                    refuting.push(instead);
                }
            }
        }
        Ok((found, passes))
    }

    /// Finds how much shorter and whether longer each class may be.
    ///
    /// By bisection over lengths, with the other pieces as they are. Costs about `log2` of the
    /// length for each class, times the draws.
    fn stretch(&mut self, pieces: &mut [Piece]) -> Result<(), Stopped> {
        for at in 0..pieces.len() {
            let Segment::Class { class, least, most } = pieces[at].segment.clone() else {
                continue;
            };
            let segments: Vec<Segment> = pieces.iter().map(|piece| piece.segment.clone()).collect();
            let with = |least: usize, most: Option<usize>| {
                let mut changed = segments.clone();
                changed[at] = Segment::Class { class, least, most };
                changed
            };
            // None at all, and then by bisection.
            let (mut fails, mut passes) = (least, None::<usize>);
            while fails > passes.map_or(0, |passes| passes + 1) {
                let middle = match passes {
                    None => 0,
                    Some(passes) => passes + (fails - passes) / 2,
                };
                if self.holds(with(middle, Some(middle)))? {
                    fails = middle;
                } else {
                    passes = Some(middle);
                }
            }
            let is_open = self.holds(with(fails, None))?;
            let most = if is_open { None } else { most };
            pieces[at].segment = Segment::Class { class, least: fails, most };
        }
        Ok(())
    }

    /// Whether all draws of these segments fail.
    pub(crate) fn holds(&mut self, segments: Vec<Segment>) -> Result<bool, Stopped> {
        Ok(matches!(self.tried(segments)?, Tried::Holds))
    }

    /// Whether draws of these segments fail, all of them.
    ///
    /// Segments that can only be one text cost one test. Others cost the draws of a screening; a
    /// class of which a fifth or more of the draws is rejected or no token says more than is known,
    /// and counts as refuted.
    pub(crate) fn tried(&mut self, segments: Vec<Segment>) -> Result<Tried, Stopped> {
        let fixed = segments.iter().all(|segment| match segment {
            Segment::Text(_) => true,
            Segment::Class { most, .. } => *most == Some(0),
            Segment::Insertion { .. } | Segment::AnyCase(_) | Segment::Repeated { .. } => false,
        });
        let domain = Domain::Spelled(segments);
        if fixed {
            let mut dice: Box<dyn Dice> = Box::new(Random::new(self.draws));
            let kind = self.prober.subject.tree.node(self.node).kind;
            let drawn = domain.draw(None, &mut *dice, kind);
            let text = drawn.map(|drawn| drawn.plain_text()).unwrap_or_default();
            return Ok(match self.outcome(text.clone())? {
                Outcome::Fail => Tried::Holds,
                outcome => Tried::Refuted(Some((text, outcome))),
            });
        }
        self.draws += 1;
        let slot = Slot::one(self.node, domain);
        let answer =
            self.prober.check(&[slot], &Replaced::new(), self.screening, Spread::Varied(0))?;
        // A class that is often not the token's own, or rejected, says more than is known.
        let is_mostly_valid = answer.unresolved * 4 <= answer.fails;
        if answer.is_abstract() && is_mostly_valid && answer.unwritable * 4 <= answer.fails {
            return Ok(Tried::Holds);
        }
        let first = answer.rejected.into_iter().next().map(|first| (first, Outcome::Unresolved));
        let witness = answer.passed.map(|passed| (passed, Outcome::Pass)).or(first);
        Ok(Tried::Refuted(witness.map(|(witness, outcome)| {
            let words = witness.words.into_iter().flatten();
            (words.flat_map(|word| word.text).collect(), outcome)
        })))
    }

    /// The byte to leave out of a text at a place of the leaf, so that it fails again, and marks like it.
    ///
    /// `at` is an offset in the leaf's text. Costs a test for each different mark in `drawn`, and at most three more.
    pub(crate) fn refuting_byte(&mut self, at: usize, drawn: &[u8]) -> Result<Vec<u8>, Stopped> {
        let (before, after) = (self.text[..at].to_vec(), self.text[at..].to_vec());
        refuting_byte(drawn, |without| {
            let candidate = [&before[..], &without, &after].concat();
            Ok(self.outcome(candidate)? == Outcome::Fail)
        })
    }

    /// The outcome with a text instead of the leaf's.
    ///
    /// Costs a test. The text is written as the leaf's own token.
    pub(crate) fn outcome(&mut self, text: Vec<u8>) -> Result<Outcome, Stopped> {
        let token = match self.prober.subject.tree.node(self.node).kind {
            NodeKind::Token(token) => TokenId(token),
            _ => TokenId::EOF,
        };
        self.prober.outcome(&Replaced::from([(self.node, vec![Word { token, text }])]))
    }

    /// The leaf with a segment instead of a stretch.
    ///
    /// Empty parts before and after it are left out.
    pub(crate) fn around(&self, span: Range<usize>, segment: Segment) -> Vec<Segment> {
        let fixed = |bytes: &[u8]| (!bytes.is_empty()).then(|| Segment::Text(bytes.to_vec()));
        let (before, after) = (&self.text[..span.start], &self.text[span.end..]);
        [fixed(before), Some(segment), fixed(after)].into_iter().flatten().collect()
    }
}

/// Whether a text is easier to read than another: it is shorter, or it can be read.
///
/// It is what a reason is shown with.
fn is_plainer(text: &[u8], other: &[u8]) -> bool {
    let rank = |text: &[u8]| {
        (text.len(), !text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' '))
    };
    rank(text) < rank(other)
}

/// Makes one of neighbours of one class.
///
/// Only classes with an upper bound: their numbers are added.
fn merge(pieces: &mut Vec<Piece>) {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces.drain(..) {
        if let (
            Some(Piece {
                span,
                segment: Segment::Class { class: known, least, most: Some(most) },
                ..
            }),
            Segment::Class { class, least: more, most: Some(_) },
        ) = (merged.last_mut(), &piece.segment)
            && known == class
        {
            *least += more;
            *most += more;
            span.end = piece.span.end;
        } else {
            merged.push(piece);
        }
    }
    *pieces = merged;
}
