//! Room between required bytes: what may be where nothing does.
//!
//! Before, between and after required characters, a class after the other is tried, the widest
//! first. Of a draw that doesn't fail, the character without which it would is found, and left out
//! of the class. Where there are too many of these, or none, the draw refutes all classes that
//! could have drawn it.

use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use crate::generalize::bytes::class::Class;
use crate::generalize::bytes::cut::characters;
use crate::generalize::bytes::spelling::{Piece, Spelling, Tried};
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Slot;

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
/// All members of [`Class::Space`].
const BLANKS: [u8; 4] = [b' ', b'\t', b'\n', b'\r'];
/// Members of [`Class::Space`] that room of that class has at least: fewer are a list of exceptions, as in `<space but "\t\r ">`, which
/// says less than it takes to read.
const MIN_SPACES: usize = 3;
/// Places of one leaf that are looked at; of a leaf with more only its two ends are, because each place
/// costs one to seven tests. Not measured.
const MAX_PLACES: usize = 64;
/// Length up to which each place inside a required text of a token is looked at. A guess: operators and
/// short keywords, because then a long text costs two places and not one for each byte.
const MAX_INSIDE_BYTES: usize = 6;
/// How often an empty leaf is given another class after a draw has refuted the last one. More would
/// rarely have anything left to try, because there are seven classes and six bytes that can be left out.
/// Not measured.
const MAX_ATTEMPTS: u32 = 12;
/// Bytes that are left out of a class before a narrower class is tried, because a person has to read the
/// list in the pattern. A guess of 2026-11-22 (docs/notes/2026-11-22-generalize.md).
const MAX_EXCEPTED_BYTES: usize = 6;

/// Puts room between the `pieces` of a leaf, where there is any; required ones are cut for it.
/// `is_first` and `is_last` say whether the text begins and ends with the leaf: room beside
/// another leaf is that one's.
pub(crate) fn add(
    prober: &mut Prober<'_, '_>,
    leaf: NodeId,
    (is_first, is_last): (bool, bool),
    pieces: &mut Vec<Piece>,
) -> Result<(), Stopped> {
    let length = prober.subject.text(leaf).len();
    let mut places = gaps(prober.subject.text(leaf), pieces);
    if places.len() > MAX_PLACES {
        places.retain(|at| *at == 0 || *at == length);
    }
    places.retain(|at| (*at > 0 || is_first) && (*at < length || is_last));
    let mut spelling = Spelling::new(prober, leaf, 0);
    for at in places {
        if let Some(room) = widest(&mut spelling, at, &[], &[])? {
            insert(pieces, at, room);
        }
    }
    absorb(pieces);
    Ok(())
}

/// The same inside a token of a grammar. All of its pieces and rooms together have to hold.
///
/// A class that is any byte elsewhere is any character here, since which bytes a token may have is
/// for the grammar to say. Costs one to seven tests for each place, and the draws of all pieces in
/// the end.
pub(crate) fn inside(
    prober: &mut Prober<'_, '_>,
    leaf: NodeId,
    attempt: u32,
    pieces: &mut Vec<Piece>,
) -> Result<(), Stopped> {
    let mut found = pieces.clone();
    let mut spelling = Spelling::new(prober, leaf, attempt);
    for at in edges(&found) {
        if let Some(room) = widest(&mut spelling, at, &[], &[])? {
            // Which bytes a token may have is the grammar's business.
            let room = match room {
                Segment::Insertion { class: Class::Any, except } => {
                    Segment::Insertion { class: Class::Character, except }
                }
                room => room,
            };
            insert(&mut found, at, room);
        }
    }
    if found.len() == pieces.len() {
        return Ok(());
    }
    absorb(&mut found);
    let segments = found.iter().map(|piece| piece.segment.clone()).collect();
    if matches!(spelling.tried(segments)?, Tried::Holds) {
        *pieces = found;
    }
    Ok(())
}

/// Where pieces begin and end, and the characters of required ones.
///
/// Offsets in the leaf, ascending. Long required texts have only their two ends among them.
fn edges(pieces: &[Piece]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for piece in pieces {
        match &piece.segment {
            Segment::Text(text) if text.len() <= MAX_INSIDE_BYTES => {
                places.extend(piece.span.start..piece.span.end);
            }
            _ => places.push(piece.span.start),
        }
        places.push(piece.span.end);
    }
    places.dedup();
    places
}

/// Takes one character instead of one or more where the room on a side holds the others.
///
/// So `x <letter>` with letters allowed on both sides is written as one letter and the insertion.
fn absorb(pieces: &mut [Piece]) {
    let holds = |side: Option<&Piece>, class: Class| match side.map(|side| &side.segment) {
        Some(Segment::Insertion { class: wider, except }) => {
            except.is_empty() && wider.includes(class)
        }
        _ => false,
    };
    for at in 0..pieces.len() {
        let Segment::Class { class, least: 1, most: None } = pieces[at].segment else { continue };
        let before = at.checked_sub(1).map(|before| &pieces[before]);
        if holds(before, class) || holds(pieces.get(at + 1), class) {
            pieces[at].segment = Segment::Class { class, least: 1, most: Some(1) };
        }
    }
}

/// The texts that may be at an empty leaf, given what was refuted before; `attempt` counts from 0.
///
/// Costs the draws of a few classes. The leaf's refuted texts and excepted bytes are those of all
/// attempts before.
pub(crate) fn room(
    prober: &mut Prober<'_, '_>,
    node: NodeId,
    attempt: u32,
) -> Result<Option<Slot>, Stopped> {
    if attempt >= MAX_ATTEMPTS {
        return Ok(None);
    }
    let refuting = prober.refuting.get(&node).cloned().unwrap_or_default();
    let except = prober.except.get(&node).cloned().unwrap_or_default();
    let mut spelling = Spelling::new(prober, node, attempt.min(1));
    let found = widest(&mut spelling, 0, &refuting, &except)?;
    Ok(found.map(|room| Slot::one(node, Domain::Spelled(vec![room]))))
}

/// The widest class that may be at a place of the leaf, without the bytes `except`.
///
/// Where there is no grammar, a letter alone comes first: it refutes all classes that have letters, and inside a required word
/// it nearly always does. Then all blanks are tried alone, since the other classes have nothing else.
/// Classes are tried from the widest on. A byte that alone keeps a draw from failing is left out of
/// the class, until there are `MAX_EXCEPTED_BYTES`; then narrower classes come.
fn widest(
    spelling: &mut Spelling<'_, '_, '_>,
    at: usize,
    refuting: &[Vec<u8>],
    except: &[u8],
) -> Result<Option<Segment>, Stopped> {
    let (mut refuting, mut except) = (refuting.to_vec(), except.to_vec());
    let fails = |spelling: &mut Spelling<'_, '_, '_>, byte: u8| {
        spelling.holds(spelling.around(at..at, Segment::Text(vec![byte])))
    };
    let letter = another_letter(&spelling.text);
    let is_open = !spelling.has_grammar() && !refuting.iter().any(|text| Class::Word.holds(text));
    if is_open && !fails(spelling, letter)? {
        refuting.push(vec![letter]);
        for byte in BLANKS {
            if !except.contains(&byte) && !fails(spelling, byte)? {
                except.push(byte);
            }
        }
        except.sort_unstable();
    }
    let is_told = |class: &Class| {
        let is_left = |byte: &&u8| class.holds(&[**byte]) && !except.contains(byte);
        let left = BLANKS.iter().filter(is_left).count();
        match class {
            Class::Space if is_open => left >= MIN_SPACES,
            Class::Blank if is_open => left > 0,
            _ => true,
        }
    };
    for class in CLASSES.into_iter().filter(is_told) {
        let mut except = except.clone();
        let left_out = |except: &[u8], text: &[u8]| text.iter().any(|byte| except.contains(byte));
        while !refuting.iter().any(|text| class.holds(text) && !left_out(&except, text)) {
            let room = Segment::Insertion { class, except: members(class, &except) };
            let Tried::Refuted(witness) = spelling.tried(spelling.around(at..at, room.clone()))?
            else {
                return Ok(Some(room));
            };
            let Some((text, _)) = witness else { break };
            let drawn = text[at..text.len() - (spelling.length() - at)].to_vec();
            if !add_excepted(&mut except, spelling.refuting_byte(at, &drawn)?) {
                refuting.push(drawn);
            }
        }
    }
    Ok(None)
}

/// Adds bytes to those that are left out of a class, as far as `MAX_EXCEPTED_BYTES` allows. Says whether any was added.
pub(super) fn add_excepted(except: &mut Vec<u8>, mut bytes: Vec<u8>) -> bool {
    bytes.retain(|byte| !except.contains(byte));
    bytes.truncate(MAX_EXCEPTED_BYTES.saturating_sub(except.len()));
    except.extend_from_slice(&bytes);
    except.sort_unstable();
    !bytes.is_empty()
}

/// A letter that a text does not have, because one that it has may change nothing; `q` for a text with all that are tried.
fn another_letter(text: &[u8]) -> u8 {
    let rare = b"qzjxkvwyfg";
    rare.iter().copied().find(|letter| !text.contains(letter)).unwrap_or(b'q')
}

/// Those of the bytes that a class has.
///
/// A class of bytes has all of them.
fn members(class: Class, bytes: &[u8]) -> Vec<u8> {
    let is_member = |byte: &u8| class.is_of_bytes() || class.holds(&[*byte]);
    bytes.iter().copied().filter(is_member).collect()
}

/// Where room is looked for: between two required characters, and at an end where no class that
/// may be any number long is.
///
/// Offsets in the text, ascending, each once.
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
///
/// The order of the pieces stays that of the text.
fn insert(pieces: &mut Vec<Piece>, place: usize, segment: Segment) {
    let room = |at: Range<usize>| Piece { span: at, segment: segment.clone(), passes: None };
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
            insert(
                &mut pieces,
                place,
                Segment::Insertion { class: Class::Any, except: Vec::new() },
            );
        }
        let shown: Vec<String> =
            pieces.iter().map(|one| format!("{:?}{}", one.span, one.is_text())).collect();
        assert_eq!(shown, ["0..0false", "0..1true", "1..1false", "1..2true", "2..2false"]);
    }
}
