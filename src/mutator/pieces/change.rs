//! The changes of a piece: what a mutant of pieces does to its parent.
//!
//! A change knows the text, the kind of the piece and where the pieces of that kind are. Which change is
//! tried is drawn in `mod.rs`.

use std::borrow::Cow;
use std::ops::Range;

use super::blocks::{column, moved};
use super::cut::{PieceKind, context, is_separator};
use super::cut_text::CutText;
use super::known::KnownPieces;
use super::variation;
use seedsmith_grammar::Random;

/// How a mutant differs from its parent.
///
/// The number of a change and of a kind of piece together are the origin of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceChange {
    /// Another piece of the same kind, of another input or of this one.
    Exchange,
    /// A piece of the same kind that was never seen.
    Vary,
    /// A word that the target compared with.
    Compared,
    /// Another piece before this one.
    Insert,
    /// The piece is left out.
    Drop,
    /// The piece several times.
    Repeat,
    /// A part of the piece becomes the whole piece: recursion.
    Nest,
    /// The piece becomes a part of itself.
    Hoist,
    /// A word everywhere becomes another word.
    Rename,
    /// Two pieces change places.
    Swap,
}

impl PieceChange {
    /// All of them.
    pub(super) const ALL: [PieceChange; 10] = [
        PieceChange::Exchange,
        PieceChange::Vary,
        PieceChange::Compared,
        PieceChange::Insert,
        PieceChange::Drop,
        PieceChange::Repeat,
        PieceChange::Nest,
        PieceChange::Hoist,
        PieceChange::Rename,
        PieceChange::Swap,
    ];
}

/// Times that a piece is repeated at most; the number is a power of two below it, so that small numbers
/// are frequent. Not measured.
const MAX_REPETITIONS: usize = 32;
/// The text of `of` with that change made to the piece at `span`, one of the `spans` of its kind; `None`
/// where the change does not fit the piece or nothing is known that could take its place. `most` bytes
/// limit repetitions only.
pub(super) fn changed(
    known: &KnownPieces,
    of: &CutText,
    change: PieceChange,
    (kind, spans): (PieceKind, &[Range<usize>]),
    span: Range<usize>,
    most: usize,
    random: &mut Random,
) -> Option<Vec<u8>> {
    let text = &of.text;
    let own = &text[span.clone()];
    match change {
        PieceChange::Exchange => {
            let replacement = other(known, of, kind, spans, &span, random)?;
            Some(of.with(span, &[&replacement]))
        }
        PieceChange::Vary => {
            let varied = match kind {
                PieceKind::Number => variation::number(own, random),
                PieceKind::Word => variation::word(own, random),
                PieceKind::Quoted => variation::quoted(own, random),
                _ => return None,
            };
            Some(of.with(span, &[&varied]))
        }
        PieceChange::Compared => {
            let word = known.compared(kind, random)?;
            Some(of.with(span, &[&word]))
        }
        PieceChange::Insert => {
            let gap = gap(text, kind, &span, spans)?;
            let replacement = other(known, of, kind, spans, &span, random)?;
            Some(of.with(span.start..span.start, &[&replacement, &gap]))
        }
        PieceChange::Drop => {
            let gap = gap(text, kind, &span, spans).unwrap_or_default();
            let is_behind = !gap.is_empty() && text[span.end..].starts_with(&gap);
            let is_before = !is_behind && text[..span.start].ends_with(&gap);
            let start = span.start - if is_before { gap.len() } else { 0 };
            Some(of.with(start..span.end + if is_behind { gap.len() } else { 0 }, &[]))
        }
        PieceChange::Repeat => {
            let gap = gap(text, kind, &span, spans)?;
            let room = most.saturating_sub(text.len()) / (own.len() + gap.len());
            let times = 1 << random.below(MAX_REPETITIONS.ilog2() as usize + 1);
            let copies = [own, &gap].concat().repeat(times.min(room));
            Some(of.with(span.start..span.start, &[&copies]))
        }
        PieceChange::Nest => {
            let inner = inner_of(kind, &span, spans, of, random)?;
            let whole = placed(text, kind, &span, inner.start);
            Some(of.with(inner, &[&whole]))
        }
        PieceChange::Hoist => {
            let is_inner = |one: &&Range<usize>| {
                one.start >= span.start && one.end <= span.end && **one != span
            };
            let inner: Vec<&Range<usize>> = spans.iter().filter(is_inner).collect();
            let inner = (*random.choose(&inner)?).clone();
            let inner = placed(text, kind, &inner, span.start);
            Some(of.with(span, &[&inner]))
        }
        PieceChange::Rename => {
            if kind != PieceKind::Word {
                return None;
            }
            let replacement = other(known, of, kind, spans, &span, random)?;
            let mut renamed = Vec::with_capacity(text.len());
            let mut at = 0;
            for place in spans.iter().filter(|place| text[(*place).clone()] == *own) {
                renamed.extend_from_slice(&text[at..place.start]);
                renamed.extend_from_slice(&replacement);
                at = place.end;
            }
            renamed.extend_from_slice(&text[at..]);
            Some(renamed)
        }
        PieceChange::Swap => {
            let other = random.choose(spans)?;
            let (left, right) =
                if other.start < span.start { (other, &span) } else { (&span, other) };
            if left.end > right.start {
                return None;
            }
            let between = &text[left.end..right.start];
            Some(of.with(
                left.start..right.end,
                &[
                    &placed(text, kind, right, left.start),
                    between,
                    &placed(text, kind, left, right.start),
                ],
            ))
        }
    }
}

/// Another piece of that kind: of this text, whose names are known here, or of another one.
///
/// In one of three cases it is of this text, so that names which are known here are used again.
fn other<'o>(
    known: &'o KnownPieces,
    of: &'o CutText,
    kind: PieceKind,
    spans: &[Range<usize>],
    span: &Range<usize>,
    random: &mut Random,
) -> Option<Cow<'o, [u8]>> {
    if random.below(3) == 0 {
        return Some(placed(&of.text, kind, random.choose(spans)?, span.start));
    }
    let piece = known.like(kind, context(&of.text, span), random)?;
    let to = if kind == PieceKind::Block { column(&of.text, span.start) } else { 0 };
    Some(moved(piece, 0, to))
}

/// The piece at `from` for the place at `to`: a block is moved to the column there.
fn placed<'t>(text: &'t [u8], kind: PieceKind, from: &Range<usize>, to: usize) -> Cow<'t, [u8]> {
    let piece = &text[from.clone()];
    if kind != PieceKind::Block {
        return Cow::Borrowed(piece);
    }
    moved(piece, column(text, from.start), column(text, to))
}

/// The text between a piece and another one of its kind beside it.
///
/// For an item its separator, for a line its end, for a block that and its indentation; for other pieces up to three blanks or separators
/// beside it, else a blank. `None` for an item without a separator.
fn gap<'t>(
    text: &'t [u8],
    kind: PieceKind,
    span: &Range<usize>,
    spans: &[Range<usize>],
) -> Option<Cow<'t, [u8]>> {
    if kind == PieceKind::Block {
        let mut gap = vec![b' '; column(text, span.start) + 1];
        gap[0] = b'\n';
        return Some(Cow::Owned(gap));
    }
    gap_between(text, kind, span, spans).map(Cow::Borrowed)
}

fn gap_between<'t>(
    text: &'t [u8],
    kind: PieceKind,
    span: &Range<usize>,
    spans: &[Range<usize>],
) -> Option<&'t [u8]> {
    let behind = text[span.end..].first();
    let before = text[..span.start].last();
    match kind {
        PieceKind::Item => {
            let is_behind = behind.is_some_and(|byte| is_separator(*byte));
            if is_behind {
                Some(&text[span.end..span.end + 1])
            } else {
                before
                    .filter(|byte| is_separator(**byte))
                    .map(|_| &text[span.start - 1..span.start])
            }
        }
        PieceKind::Line => Some(b"\n"),
        PieceKind::Element => Some(b""),
        _ => {
            // A list without separators, or pairs: the text between this piece and the next or the one before.
            let is_gap = |gap: &&[u8]| {
                gap.len() <= 3
                    && gap.iter().all(|byte| byte.is_ascii_whitespace() || is_separator(*byte))
            };
            let next = spans.iter().filter(|one| one.start >= span.end).min_by_key(|one| one.start);
            let last = spans.iter().filter(|one| one.end <= span.start).max_by_key(|one| one.end);
            let next = next.map(|one| &text[span.end..one.start]).filter(is_gap);
            let found = next.or_else(|| last.map(|one| &text[one.end..span.start]).filter(is_gap));
            found.filter(|gap| !gap.is_empty()).or(Some(b" "))
        }
    }
}

/// A part of a piece for which the whole piece may be: one of its kind, or a value in it.
///
/// Numbers, words, quoted texts and lines have no inside. In one of four cases, or if nothing of
/// the kind is inside, any value in it will do.
fn inner_of(
    kind: PieceKind,
    span: &Range<usize>,
    spans: &[Range<usize>],
    of: &CutText,
    random: &mut Random,
) -> Option<Range<usize>> {
    if matches!(kind, PieceKind::Number | PieceKind::Word | PieceKind::Quoted | PieceKind::Line) {
        return None;
    }
    let is_inner =
        |one: &&Range<usize>| one.start >= span.start && one.end <= span.end && *one != span;
    let mut inner: Vec<&Range<usize>> = spans.iter().filter(is_inner).collect();
    if inner.is_empty() || random.below(4) == 0 {
        let values = of
            .alike
            .iter()
            .filter(|(other, _)| *other != PieceKind::Line && *other != PieceKind::Pair)
            .filter(|(other, _)| kind != PieceKind::Block || *other == kind);
        inner.extend(values.flat_map(|(_, spans)| spans).filter(is_inner));
    }
    random.choose(&inner).map(|one| (*one).clone())
}
