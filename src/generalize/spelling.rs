//! What matters inside a text of which no grammar knows anything: byte classes, lengths and
//! repetitions.
//!
//! From the whole down, by halves: a stretch is tried as any bytes of its length, then as bytes of
//! the narrower classes that hold it, until everything drawn fails. Single bytes for which nothing
//! but themselves fails are required. Neighbours of one class become one, whose least length is
//! found by bisection; long runs of one byte are taken as such, with the least count that fails.

use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::outcome::Outcome;
use seedsmith_grammar::grammar::generate::{Dice, Word};
use seedsmith_grammar::grammar::model::TokenId;
use seedsmith_grammar::random::Random;
use seedsmith_grammar::structure::tree::{Kind, NodeId};

use super::class::Class;
use super::domain::{Domain, Segment};
use super::pattern::{Replaced, Slot};
use super::prober::{Prober, Spread};

/// Draws by which a class is screened at first.
const SCREENING: u64 = 6;
/// Spellings tried of one place.
const ATTEMPTS: u32 = 4;
/// Runs of one byte this long are looked at as a whole.
const LONG_RUN: usize = 8;
/// Texts with more pieces than this are looked at only where they are runs.
const MOST_PIECES: usize = 160;

/// The spelled pattern of a leaf; nothing if every byte of it is required. After a pattern that was
/// refuted, the next attempt (counted from 0) is four times as strict.
pub fn spelling(
    prober: &mut Prober<'_, '_>,
    node: NodeId,
    attempt: u32,
) -> Result<Option<Slot>, Stopped> {
    if attempt >= ATTEMPTS {
        return Ok(None);
    }
    let text = prober.subject.text(node).to_vec();
    let mut spelling = Spelling { prober, node, screening: SCREENING << (2 * attempt), draws: 0 };
    let mut segments = spelling.pieces(&text)?;
    merge(&mut segments);
    spelling.stretch(&mut segments)?;
    let is_open = |segment: &Segment| !matches!(segment, Segment::Text(_));
    Ok(segments.iter().any(is_open).then(|| Slot::one(node, Domain::Spelled(segments))))
}

struct Spelling<'s, 'p, 't> {
    prober: &'s mut Prober<'p, 't>,
    node: NodeId,
    screening: u64,
    draws: u64,
}

impl Spelling<'_, '_, '_> {
    /// Cuts at long runs of one byte, then halves what lies between.
    fn pieces(&mut self, text: &[u8]) -> Result<Vec<Segment>, Stopped> {
        let mut done: Vec<Segment> = Vec::new();
        let mut at = 0;
        let runs: Vec<&[u8]> = text.chunk_by(|left, right| left == right).collect();
        let mut plain_start = 0;
        let mut stretches: Vec<(usize, usize, bool)> = Vec::new();
        for run in runs {
            let end = at + run.len();
            if run.len() >= LONG_RUN {
                stretches.push((plain_start, at, false));
                stretches.push((at, end, true));
                plain_start = end;
            }
            at = end;
        }
        stretches.push((plain_start, at, false));
        // The whole may be of one class, runs and all.
        if !text.is_empty()
            && let Some(whole) = self.classes(text, 0, text.len())?
        {
            return Ok(vec![whole]);
        }
        for (start, end, is_run) in stretches.into_iter().filter(|(start, end, _)| start < end) {
            if is_run {
                let piece = self.run(text, start, end)?;
                done.push(piece);
            } else if end - start > MOST_PIECES {
                done.push(Segment::Text(text[start..end].to_vec()));
            } else {
                self.halve(text, start, end, &mut done)?;
            }
        }
        Ok(done)
    }

    fn halve(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
        done: &mut Vec<Segment>,
    ) -> Result<(), Stopped> {
        if let Some(segment) = self.classes(text, start, end)? {
            done.push(segment);
        } else if end - start == 1 {
            done.push(Segment::Text(text[start..end].to_vec()));
        } else {
            let middle = start + (end - start) / 2;
            self.halve(text, start, middle, done)?;
            self.halve(text, middle, end, done)?;
        }
        Ok(())
    }

    /// The widest class that can stand for a stretch, byte for byte.
    fn classes(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
    ) -> Result<Option<Segment>, Stopped> {
        let length = end - start;
        for class in Class::of(&text[start..end]) {
            let segment = Segment::Class { class, least: length, most: Some(length) };
            let around = around(text, start, end, segment.clone());
            if self.holds(around)? {
                return Ok(Some(segment));
            }
        }
        Ok(None)
    }

    /// A run of one byte: any class, or at least so many times that byte.
    fn run(&mut self, text: &[u8], start: usize, end: usize) -> Result<Segment, Stopped> {
        if let Some(segment) = self.classes(text, start, end)? {
            return Ok(segment);
        }
        let unit = vec![text[start]];
        let repeated = |least: usize| Segment::Repeated { unit: unit.clone(), least };
        if !self.holds(around(text, start, end, repeated(end - start)))? {
            return Ok(Segment::Text(text[start..end].to_vec()));
        }
        let (mut fails, mut passes) = (end - start, 0);
        while fails - passes > 1 {
            let middle = passes + (fails - passes) / 2;
            let candidate = [&text[..start], &unit.repeat(middle), &text[end..]].concat();
            if self.outcome(candidate)? == Outcome::Fail {
                fails = middle;
            } else {
                passes = middle;
            }
        }
        Ok(repeated(fails))
    }

    /// Finds how much shorter and whether longer each class may be.
    fn stretch(&mut self, segments: &mut [Segment]) -> Result<(), Stopped> {
        for at in 0..segments.len() {
            let Segment::Class { class, least, most } = segments[at].clone() else { continue };
            let with = |least: usize, most: Option<usize>| {
                let mut changed = segments.to_owned();
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
            segments[at] =
                Segment::Class { class, least: fails, most: if is_open { None } else { most } };
        }
        Ok(())
    }

    /// Whether draws of these segments fail, all of them.
    fn holds(&mut self, segments: Vec<Segment>) -> Result<bool, Stopped> {
        let fixed = segments.iter().all(|segment| match segment {
            Segment::Text(_) => true,
            Segment::Class { most, .. } => *most == Some(0),
            Segment::Repeated { .. } => false,
        });
        let domain = Domain::Spelled(segments);
        if fixed {
            let mut dice: Box<dyn Dice> = Box::new(Random::new(self.draws));
            let kind = self.prober.subject.tree.node(self.node).kind;
            let drawn = domain.draw(None, &mut *dice, kind);
            let text = drawn.map(|drawn| drawn.plain_text()).unwrap_or_default();
            return Ok(self.outcome(text)? == Outcome::Fail);
        }
        self.draws += 1;
        let slot = Slot::one(self.node, domain);
        let answer =
            self.prober.check(&[slot], &Replaced::new(), self.screening, Spread::Varied(0))?;
        // A class that is mostly not the token's own says more than is known.
        Ok(answer.is_abstract() && answer.unwritable * 4 <= answer.fails)
    }

    fn outcome(&mut self, text: Vec<u8>) -> Result<Outcome, Stopped> {
        let token = match self.prober.subject.tree.node(self.node).kind {
            Kind::Token(token) => TokenId(token),
            _ => TokenId::EOF,
        };
        self.prober.outcome(&Replaced::from([(self.node, vec![Word { token, text }])]))
    }
}

fn around(text: &[u8], start: usize, end: usize, segment: Segment) -> Vec<Segment> {
    let fixed = |bytes: &[u8]| (!bytes.is_empty()).then(|| Segment::Text(bytes.to_vec()));
    let parts = [fixed(&text[..start]), Some(segment), fixed(&text[end..])];
    parts.into_iter().flatten().collect()
}

/// Makes one of neighbours of one class, and of neighbouring texts.
fn merge(segments: &mut Vec<Segment>) {
    let mut merged: Vec<Segment> = Vec::new();
    for segment in segments.drain(..) {
        match (merged.last_mut(), segment) {
            (Some(Segment::Text(known)), Segment::Text(text)) => known.extend(text),
            (
                Some(Segment::Class { class: known, least, most: Some(most) }),
                Segment::Class { class, least: more, most: Some(_) },
            ) if *known == class => {
                *least += more;
                *most += more;
            }
            (_, segment) => merged.push(segment),
        }
    }
    *segments = merged;
}
