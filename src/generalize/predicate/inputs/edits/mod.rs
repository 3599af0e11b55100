//! Small edits of an input along its tree: what a draw of a whole part rarely gives.
//!
//! Something repeated goes or comes twice, two parts change places, one gets another's text, a
//! number or a character changes. Whether the result is in the language is the caller's to ask.
//!
//! Binary inputs have edits of their own: other numbers near the beginning, single bits, and whole records.

mod bodies;
mod numbers;
mod records;
mod subsets;

use std::ops::Range;

use seedsmith_grammar::{NodeId, NodeKind, Random, Tree};

use crate::generalize::bytes::cut::stretches;
use crate::generalize::bytes::word_kinds::words_with_others;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::feature::Field;
use crate::generalize::predicate::read::{core, is_binary};
pub(super) use bodies::{closed_at_once, of_each_body};
pub(super) use numbers::{
    other_number, with_number, with_number_shifted_either_way, with_other_length,
};
pub(super) use subsets::{with_some_items, with_split_items};

/// Places that an edit looks at before it is given up. A guess, not measured: a place costs no test.
const MAX_PLACES_TRIED: usize = 12;

/// Lines that come twice together at most: four, because items of lists have few keys in the planted causes.
const MAX_COPIED_LINES: usize = 4;

/// Of this many copied texts one gets a letter more or less. Not measured.
const COPIES_PER_CHANGED_ONE: usize = 4;

/// A way to edit an input; nothing where there is no place for it.
pub(super) type Edit = fn(&Subject, &mut Random) -> Option<Vec<u8>>;

/// All ways.
pub(super) const EDITS: [Edit; 13] = [
    removed,
    doubled,
    transplanted,
    swapped,
    copied,
    other_number,
    shared,
    other_character,
    other_brackets,
    other_word,
    other_field,
    other_record,
    bodies::other_body,
];

/// The number of the first edit that is for binary inputs alone, as the next one is, so that texts are edited without them.
pub(super) const FIRST_BINARY_EDIT: usize = EDITS.len() - 3;

/// The number of the edit of bodies, so that texts without such words are edited without it.
pub(super) const EDIT_OF_BODIES: usize = EDITS.len() - 1;

/// The input after a random edit; nothing where there is no place for the one that was drawn.
///
/// Other numbers have two shares. The result may be outside of the language.
pub(super) fn edited(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let edits =
        if is_binary(&base.input) { &EDITS[..EDIT_OF_BODIES] } else { &EDITS[..FIRST_BINARY_EDIT] };
    let edit = edits.get(dice.below(edits.len() + 1)).copied().unwrap_or(other_number);
    edit(base, dice)
}

/// A binary input with another number of one, two or four bytes near its beginning: a near one, a round one, or a length of what
/// is after it. Whether the input is binary is the caller's to know: a minimized one may look like a text.
pub(super) fn other_field(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let length = base.input.len() as i128;
    let fields: Vec<Field> =
        Field::all().filter(|field| field.value(&base.input).is_some()).collect();
    let field = *fields.get(dice.below(fields.len().max(1)))?;
    let old = field.value(&base.input)?;
    let most = field.greatest() + 1;
    let new = match dice.below(15) {
        0 => old + 1,
        1 => old - 1,
        2 => 0,
        3 => most - 1,
        4 => 1i128 << dice.below(8 * usize::from(field.width())),
        5 => length,
        6..=7 => length - dice.below(base.input.len()) as i128,
        8 => old / 2,
        9..=10 => old ^ 1i128 << dice.below(8 * usize::from(field.width())),
        _ => dice.below(most as usize) as i128,
    };
    field.written(&base.input, new)
}

/// A binary input with another record, if it is made of records.
///
/// An edit of its own, so that fewer other numbers are tried where the target rejects them.
pub(super) fn other_record(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    records::other_record(&base.input, dice)
}

/// What follows a mark up to the end of its line, without the blanks around it.
fn field<'i>(input: &'i [u8], dice: &mut Random) -> Option<&'i [u8]> {
    let marks: Vec<usize> =
        (0..input.len()).filter(|at| input[*at].is_ascii_punctuation()).collect();
    let mark = *marks.get(dice.below(marks.len().max(1)))?;
    let line = input[mark + 1..].split(|byte| *byte == b'\n').next()?;
    Some(line.trim_ascii())
}

/// The input without a repeated part, or without any part if nothing is repeated.
fn removed(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let is_repeated = |kind| matches!(kind, NodeKind::Iteration | NodeKind::Quantifier(_));
    let node = any(base, dice, is_repeated).or_else(|| any(base, dice, |_| true))?;
    Some(replaced(base, base.tree.span(node), b""))
}

/// The input with a repeated part twice, or any part if nothing is repeated.
///
/// The copy gets another first word every other time, because a key is rarely there twice. Of a text of several lines some
/// lines come twice in one of three cases: an item of a list often has a line for each of its keys.
fn doubled(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    if base.input.contains(&b'\n') && dice.below(3) == 0 {
        return Some(with_lines_twice(&base.input, dice));
    }
    let node = any(base, dice, |kind| matches!(kind, NodeKind::Iteration))
        .or_else(|| any(base, dice, |_| true))?;
    let text = base.text(node);
    let copy = if dice.below(2) == 0 { text.to_vec() } else { renamed(text, dice) };
    let gap = gap(&base.tree, &base.input, node);
    Some(replaced(base, base.tree.span(node), &[text, gap, &copy].concat()))
}

/// The repetitions of a list. Between them are empty nodes, where there could be more.
pub(super) fn repetitions(tree: &Tree, list: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let children = tree.children(list).iter().copied();
    children.filter(|id| tree.node(*id).kind == NodeKind::Iteration)
}

/// The text between a repetition and the one before it, or after it for the first: blanks that the grammar hides. Those before the only one.
///
/// A copy without them would be one word with the part that it follows.
pub(super) fn gap<'i>(tree: &Tree, input: &'i [u8], repetition: NodeId) -> &'i [u8] {
    let list = tree.parent(repetition).unwrap_or(repetition);
    let mut all = repetitions(tree, list);
    let (first, second) = (all.next(), all.next());
    // Nodes come in the order of the text.
    let start = match second {
        Some(second) if first == Some(repetition) => second,
        _ => repetition,
    };
    let before = (0..start.0).rev().map(NodeId);
    let mut tokens = before.filter(|id| matches!(tree.node(*id).kind, NodeKind::Token(_)));
    let end = tokens.next().map_or(0, |token| tree.span(token).end);
    &input[end..tree.span(start).start]
}

/// The input with two to four lines twice, the copy right after them.
fn with_lines_twice(input: &[u8], dice: &mut Random) -> Vec<u8> {
    let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let from = dice.below(lines.len());
    let to = (from + 2 + dice.below(MAX_COPIED_LINES - 1)).min(lines.len());
    let mut block = lines[from..to].concat();
    // The last line may have no end.
    if !block.ends_with(b"\n") {
        block.insert(0, b'\n');
    }
    [&lines[..to].concat()[..], &block, &lines[to..].concat()].concat()
}

/// The input with a copy of a repeated part after another part of the same list or of a list of the same kind: an item gets
/// a line that another item has.
fn transplanted(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let list = |id: NodeId| base.tree.parent(id).map(|list| base.tree.node(list).kind);
    (0..MAX_PLACES_TRIED).find_map(|_| {
        let one = any(base, dice, |kind| matches!(kind, NodeKind::Iteration))?;
        let other = any(base, dice, |kind| matches!(kind, NodeKind::Iteration))?;
        let end = base.tree.span(other).end;
        let text = [gap(&base.tree, &base.input, other), base.text(one)].concat();
        (one != other && list(one) == list(other)).then(|| replaced(base, end..end, &text))
    })
}

/// Puts items into a random order.
pub(super) fn shuffle<T>(items: &mut [T], dice: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last + 1));
    }
}

/// A text with other letters for its first quoted text or word.
pub(super) fn renamed(text: &[u8], dice: &mut Random) -> Vec<u8> {
    let quotes: Vec<usize> = (0..text.len()).filter(|at| text[*at] == b'"').take(2).collect();
    let words = stretches(text, |byte| byte.is_ascii_alphabetic());
    let span = match (&quotes[..], words.first()) {
        ([open, close], Some(word)) if word.start < *open => word.start..(*close).min(word.end),
        ([open, close], _) => open + 1..*close,
        (_, Some(word)) => word.clone(),
        _ => return text.to_vec(),
    };
    let letters = (0..=dice.below(2)).map(|_| b'a' + dice.below(26) as u8);
    [&text[..span.start], &letters.collect::<Vec<u8>>(), &text[span.end..]].concat()
}

/// The input with two parts of one kind exchanged.
///
/// Whether the order of two parts matters is seen that way.
fn swapped(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let (one, other) = two(base, dice)?;
    let (left, right) = if one < other { (one, other) } else { (other, one) };
    let (left, right) = (base.tree.span(left), base.tree.span(right));
    let between = left.end.min(right.start)..right.start;
    let input = &base.input;
    let parts = [
        &input[..left.start],
        &input[right.clone()],
        &input[between],
        &input[left],
        &input[right.end..],
    ];
    Some(parts.concat())
}

/// The input with a part's text in place of another one of its kind.
fn copied(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let (one, other) = two(base, dice)?;
    let mut text = base.text(other).to_vec();
    // A text that another one begins with is rare by chance.
    if dice.below(COPIES_PER_CHANGED_ONE) == 0
        && let Some(end) = text.iter().rposition(u8::is_ascii_alphanumeric)
    {
        match dice.below(2) {
            0 => text.insert(end + 1, b'a' + dice.below(26) as u8),
            _ => drop(text.remove(end)),
        }
    }
    Some(replaced(base, base.tree.span(one), &text))
}

/// Gives a leaf the letters and digits of another one, of whatever kind.
///
/// What is around them stays, so that a quoted word may become another quoted one.
fn shared(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let is_leaf = |kind| matches!(kind, NodeKind::Token(_));
    let (one, other) = (any(base, dice, is_leaf)?, any(base, dice, is_leaf)?);
    let own = core_span(base.tree.span(one), &base.input)?;
    let new = core(base.text(other));
    (!new.is_empty()).then(|| replaced(base, own, new))
}

/// Where the letters and digits of a part are; nothing for a part without any.
///
/// The marks around them stay when they are replaced, so that a quoted name stays a quoted one.
pub(super) fn core_span(span: Range<usize>, input: &[u8]) -> Option<Range<usize>> {
    let (start, end) = crate::generalize::pattern::core(&input[span.clone()]);
    (start < end).then_some(span.start + start..span.start + end)
}

/// A character in other case, dropped, doubled, or replaced by one of the input or by one outside
/// of ASCII. `None` if the input is not UTF-8.
fn other_character(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(&base.input).ok()?;
    let starts: Vec<(usize, char)> = text.char_indices().collect();
    let &(at, old) = starts.get(dice.below(starts.len().max(1)))?;
    let span = at..at + old.len_utf8();
    let new = match dice.below(5) {
        0 if old.is_ascii_lowercase() => old.to_ascii_uppercase().to_string(),
        0 => old.to_ascii_lowercase().to_string(),
        1 => String::new(),
        2 => format!("{old}{old}"),
        3 => ["\u{e9}", "\u{20ac}", "\u{1f600}", " ", "-"][dice.below(5)].to_owned(),
        _ => starts[dice.below(starts.len())].1.to_string(),
    };
    Some(replaced(base, span, new.as_bytes()))
}

/// The input with another word for one that has a kind: see `word_kinds`.
///
/// It is another word of that kind, such as another level of a log; another number where no word has a kind.
fn other_word(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    let words = words_with_others(&base.input);
    let Some((span, others)) = words.get(dice.below(words.len().max(1))) else {
        return other_number(base, dice);
    };
    Some(replaced(base, span.clone(), &others[dice.below(others.len())]))
}

/// Brackets of all kinds, the one that opens and the one that closes.
const KINDS: [[u8; 2]; 3] = [*b"()", *b"[]", *b"{}"];

/// The input with all brackets of one kind as another kind that it has: whether a nest has to be of two kinds is seen
/// that way. `None` if there are no two kinds.
///
/// Where a bracket lacks its partner, every other time one gets it: then that it is there is not that it is open.
fn other_brackets(base: &Subject, dice: &mut Random) -> Option<Vec<u8>> {
    if dice.below(2) == 0
        && let Some(made) = with_partner(&base.input, dice)
    {
        return Some(made);
    }
    let is_there = |kind: &&[u8; 2]| kind.iter().all(|bracket| base.input.contains(bracket));
    let there: Vec<&[u8; 2]> = KINDS.iter().filter(is_there).collect();
    let from = dice.below(there.len().max(1));
    let to = (from + 1 + dice.below(there.len().saturating_sub(1).max(1))) % there.len().max(1);
    if from == to {
        return None;
    }
    let (from, to) = (there[from], there[to]);
    let place = |byte: &u8| from.iter().position(|bracket| bracket == byte);
    Some(base.input.iter().map(|byte| place(byte).map_or(*byte, |at| to[at])).collect())
}

/// The input with a partner for one of the brackets of which there are more of one side than of the other; nothing if there are none.
fn with_partner(input: &[u8], dice: &mut Random) -> Option<Vec<u8>> {
    let count = |bracket: u8| input.iter().filter(|byte| **byte == bracket).count();
    let open: Vec<&[u8; 2]> =
        KINDS.iter().filter(|[one, other]| count(*one) != count(*other)).collect();
    let [one, other] = **open.get(dice.below(open.len().max(1)))?;
    let (bracket, partner) = if count(one) > count(other) { (one, other) } else { (other, one) };
    let places: Vec<usize> = (0..input.len()).filter(|at| input[*at] == bracket).collect();
    let place = places[dice.below(places.len())];
    let at = match bracket == one {
        true => place + 1 + dice.below(input.len() - place),
        false => dice.below(place + 1),
    };
    Some([&input[..at], &[partner], &input[at..]].concat())
}

/// A random node that isn't empty.
fn any(base: &Subject, dice: &mut Random, is_meant: impl Fn(NodeKind) -> bool) -> Option<NodeId> {
    let nodes: Vec<NodeId> = base
        .tree
        .ids()
        .skip(1)
        .filter(|&id| is_meant(base.tree.node(id).kind) && !base.text(id).is_empty())
        .collect();
    nodes.get(dice.below(nodes.len().max(1))).copied()
}

/// Two nodes of one kind, neither inside the other.
///
/// They may have the same text: then what is made of them is the same input.
///
/// `None` after `MAX_PLACES_TRIED` pairs that are not such.
fn two(base: &Subject, dice: &mut Random) -> Option<(NodeId, NodeId)> {
    (0..MAX_PLACES_TRIED).find_map(|_| {
        let (one, other) = (any(base, dice, is_part)?, any(base, dice, is_part)?);
        let (left, right) = (base.tree.span(one), base.tree.span(other));
        let is_apart = left.end <= right.start || right.end <= left.start;
        let is_same = of_kind(base.tree.node(one).kind, base.tree.node(other).kind);
        (is_apart && is_same).then_some((one, other))
    })
}

/// Whether a node can be exchanged with another one as a whole.
///
/// Optional parts and lists cannot: their parts can.
fn is_part(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Rule { .. } | NodeKind::Token(_) | NodeKind::Iteration)
}

/// Alternatives of a rule are one kind.
fn of_kind(one: NodeKind, other: NodeKind) -> bool {
    match (one, other) {
        (NodeKind::Rule { rule: one, .. }, NodeKind::Rule { rule: other, .. }) => one == other,
        _ => one == other,
    }
}

/// The input with `new` in place of the bytes at `span`.
fn replaced(base: &Subject, span: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&base.input[..span.start], new, &base.input[span.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_lines_come_twice_right_after_each_other() {
        let input = b"- a\n  x\n- b\n  y";
        let made: Vec<String> = (0..40)
            .map(|seed| with_lines_twice(input, &mut Random::new(seed)))
            .map(|made| String::from_utf8(made).unwrap())
            .collect();
        assert!(made.contains(&"- a\n  x\n- a\n  x\n- b\n  y".to_owned()), "{made:?}");
        assert!(made.contains(&"- a\n  x\n- b\n  y\n- b\n  y".to_owned()), "{made:?}");
    }
}
