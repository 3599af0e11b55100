//! The spelled pattern of one leaf: its pieces, room between them, and words of either case.

use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

use super::cases;
use super::spelling::Spelling;
use crate::generalize::bytes::insertions;
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Slot;

/// Spellings tried of one leaf after a draw has refuted the last one. Each has four times the draws of
/// the one before, so a fifth would take more than 1,500 tests of each class.
const MAX_ATTEMPTS: u32 = 4;
/// Insertions are looked for in tokens of at most this many pieces, because each place between pieces
/// costs up to seven tests. Not measured.
const MAX_PIECES_WITH_INSERTIONS: usize = 6;

/// The spelled pattern of a leaf; nothing if every byte of it is required. After a pattern that was
/// refuted, the next attempt (counted from 0) is four times as strict.
pub(crate) fn spelling(
    prober: &mut Prober<'_, '_>,
    node: NodeId,
    attempt: u32,
) -> Result<Option<Slot>, Stopped> {
    if attempt >= MAX_ATTEMPTS {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    Spelling::new(prober, node, attempt).pieces(&mut pieces)?;
    let is_token = matches!(prober.subject.tree.node(node).kind, NodeKind::Token(_));
    let is_rare = pieces.iter().all(|piece| match piece.segment {
        Segment::Class { class, .. } => class.is_rare(),
        _ => true,
    });
    // Beside letters of a word room would say nothing more than a longer word does.
    if is_token && is_rare && attempt == 0 && pieces.len() <= MAX_PIECES_WITH_INSERTIONS {
        insertions::inside(prober, node, attempt, &mut pieces)?;
    }
    let mut segments: Vec<Segment> = pieces.into_iter().map(|piece| piece.segment).collect();
    cases::of_token(&mut Spelling::new(prober, node, attempt), &mut segments)?;
    let is_open = |segment: &Segment| !matches!(segment, Segment::Text(_));
    Ok(segments.iter().any(is_open).then(|| Slot::one(node, Domain::Spelled(segments))))
}
