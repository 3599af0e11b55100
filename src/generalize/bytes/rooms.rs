//! Room between required bytes: what may stand where nothing does.
//!
//! Before, between and after required characters, a class after the other is tried, the widest
//! first. A draw that doesn't fail refutes all classes that could have drawn it.

use std::ops::Range;

use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::structure::tree::NodeId;

use super::class::Class;
use super::cut::characters;
use super::spelling::{Piece, Spelling, Tried};
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::pattern::Slot;
use crate::generalize::prober::Prober;

/// Classes that room may be of, none before one that holds it.
const CLASSES: [Class; 7] = [
    Class::Any,
    Class::Character,
    Class::InLine,
    Class::Printable,
    Class::Word,
    Class::Space,
    Class::Blank,
];
/// More gaps than this are not looked at: the first and the last are.
const MOST_GAPS: usize = 64;
/// Rooms tried of one place.
const ATTEMPTS: u32 = 4;

/// Puts room between the `pieces` of a leaf, where there is any; required ones are cut for it.
/// `is_first` and `is_last` say whether the text begins and ends with the leaf: room beside
/// another leaf is that one's.
pub fn add(
    prober: &mut Prober<'_, '_>,
    leaf: NodeId,
    (is_first, is_last): (bool, bool),
    pieces: &mut Vec<Piece>,
) -> Result<(), Stopped> {
    let length = prober.subject.text(leaf).len();
    let mut places = gaps(prober.subject.text(leaf), pieces);
    if places.len() > MOST_GAPS {
        places.retain(|at| *at == 0 || *at == length);
    }
    places.retain(|at| (*at > 0 || is_first) && (*at < length || is_last));
    let mut spelling = Spelling::new(prober, leaf, 0);
    for at in places {
        if let Some(class) = class(&mut spelling, at, &[])? {
            insert(pieces, at, class);
        }
    }
    Ok(())
}

/// What may stand at an empty leaf, given what was refuted before; `attempt` counts from 0.
pub fn room(
    prober: &mut Prober<'_, '_>,
    node: NodeId,
    attempt: u32,
) -> Result<Option<Slot>, Stopped> {
    if attempt >= ATTEMPTS {
        return Ok(None);
    }
    let refuting = prober.refuting.get(&node).cloned().unwrap_or_default();
    let mut spelling = Spelling::new(prober, node, attempt);
    let found = class(&mut spelling, 0, &refuting)?;
    Ok(found.map(|class| Slot::one(node, Domain::Spelled(vec![free(class)]))))
}

fn free(class: Class) -> Segment {
    Segment::Class { class, least: 0, most: None }
}

/// The widest class that may stand at a place of the leaf.
fn class(
    spelling: &mut Spelling<'_, '_, '_>,
    at: usize,
    refuting: &[Vec<u8>],
) -> Result<Option<Class>, Stopped> {
    let mut refuting = refuting.to_vec();
    for class in CLASSES {
        if refuting.iter().any(|text| class.holds(text)) {
            continue;
        }
        match spelling.tried(spelling.around(at..at, free(class)))? {
            Tried::Holds => return Ok(Some(class)),
            Tried::Refuted(None) => {}
            Tried::Refuted(Some((text, _))) => {
                let after = spelling.len() - at;
                refuting.push(text[at..text.len() - after].to_vec());
            }
        }
    }
    Ok(None)
}

/// Where room is looked for: between two required characters, and at an end where no class that
/// may be any number long stands.
fn gaps(text: &[u8], pieces: &[Piece]) -> Vec<usize> {
    let is_open = |piece: Option<&Piece>| {
        piece.is_some_and(|piece| {
            matches!(piece.segment, Segment::Class { class: Class::Any, most: None, .. })
        })
    };
    let mut places = Vec::new();
    if !is_open(pieces.first()) {
        places.push(0);
    }
    let mut is_after_text = false;
    for piece in pieces {
        if piece.is_text() {
            let starts = characters(text, piece.span.clone()).into_iter().map(|one| one.start);
            places.extend(starts.skip(usize::from(!is_after_text)));
        }
        is_after_text = piece.is_text();
    }
    if !is_open(pieces.last()) {
        places.push(text.len());
    }
    places.dedup();
    places
}

/// Puts room at a place, and cuts the piece that is around it.
fn insert(pieces: &mut Vec<Piece>, place: usize, class: Class) {
    let room = |at: Range<usize>| Piece { span: at, segment: free(class), passes: None };
    let inside = pieces.iter().position(|piece| piece.span.start < place && place < piece.span.end);
    if let Some(at) = inside {
        let whole = pieces[at].clone();
        if let Segment::Text(bytes) = &whole.segment {
            let (left, right) = bytes.split_at(place - whole.span.start);
            let part = |span: Range<usize>, bytes: &[u8]| Piece {
                span,
                segment: Segment::Text(bytes.to_vec()),
                passes: None,
            };
            let left = part(whole.span.start..place, left);
            let right = part(place..whole.span.end, right);
            pieces.splice(at..=at, [left, room(place..place), right]);
        }
        return;
    }
    let before =
        pieces.iter().take_while(|piece| piece.span.end <= place && piece.span.start < place);
    let at = before.count();
    pieces.insert(at, room(place..place));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn required(text: &[u8]) -> Piece {
        Piece { span: 0..text.len(), segment: Segment::Text(text.to_vec()), passes: None }
    }

    #[test]
    fn room_is_looked_for_around_and_between_required_characters() {
        let class = |span: Range<usize>, class| Piece {
            span,
            segment: Segment::Class { class, least: 1, most: None },
            passes: None,
        };
        let text = "{\u{e9}}".as_bytes();
        assert_eq!(gaps(text, &[required(text)]), [0, 1, 3, 4]);
        let pieces = [required(b"ab"), class(2..3, Class::Digit)];
        assert_eq!(gaps(b"ab3", &pieces), [0, 1, 3]);
        assert_eq!(gaps(b"3", &[class(0..1, Class::Any)]), [0usize; 0]);
    }

    #[test]
    fn required_pieces_are_cut_for_room() {
        let mut pieces = vec![required(b"ab")];
        for place in [0, 1, 2] {
            insert(&mut pieces, place, Class::Any);
        }
        let shown: Vec<String> =
            pieces.iter().map(|one| format!("{:?}{}", one.span, one.is_text())).collect();
        assert_eq!(shown, ["0..0false", "0..1true", "1..1false", "1..2true", "2..2false"]);
    }
}
