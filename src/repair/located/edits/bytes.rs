//! Edits of one byte: near the fault all that the model knows of, elsewhere those of bytes that are
//! unlikely where they are.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// Bytes before a place within which every byte may be edited: most of a line, because validators report
/// a fault at or after it. Not measured.
const BYTES_BEFORE: usize = 60;
/// Bytes after it: fewer, because a message rarely names a place before the fault. Not measured.
const BYTES_AFTER: usize = 40;
/// Bytes before the fault in which unlikely bytes are looked for, because some faults are reported many
/// lines later. Not measured.
const REGION_BYTES_BEFORE: usize = 6_000;
/// The same after the fault: fewer, because messages rarely name a place before the fault. Not measured.
const REGION_BYTES_AFTER: usize = 2_000;
/// Unlikely places outside the lines of the fault that are tried, because most bytes outside are right.
/// Not measured.
const MAX_UNLIKELY_PLACES: usize = 40;
/// The cost of dropping a sign at the fault (a logarithm): about that of giving a word the spelling of another. Not measured.
const LONE_SIGN_COST: f32 = -4.0;
/// What parts a text: tried at every place, also where the text has none of them.
const PARTS: &[u8] = b"{}[]()<>\"'/,;:=\n #.&-|";

/// Adds edits of single bytes: near the places of the fault at each offset, in a larger region only
/// at the bytes that the model finds least likely. Costs no test.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let alphabet: Vec<u8> = {
        let mut seen = [false; 256];
        text.iter().chain(PARTS).for_each(|byte| seen[usize::from(*byte)] = true);
        (0..=255u8).filter(|byte| seen[usize::from(*byte)]).collect()
    };
    let mut near: Vec<bool> = vec![false; text.len() + 1];
    for (index, place) in proposals.places().into_iter().enumerate() {
        let line = proposals.line(place);
        let before = if index == 0 { BYTES_BEFORE } else { BYTES_BEFORE / 4 };
        let start = line.start.saturating_sub(2).max(place.saturating_sub(before * 2));
        let start = start.min(place.saturating_sub(before));
        let end =
            text.len().min(line.end.max(place + 1).min(place + 3 * BYTES_AFTER).max(place + 8));
        near[start..=end].iter_mut().for_each(|is_near| *is_near = true);
    }
    for at in (0..=text.len()).filter(|at| near[*at]) {
        at_place(proposals, at, &alphabet, |all, edit, kind| all.add(edit, kind, 0.0));
    }
    lone_sign(proposals);
    printable_at_fault(proposals);
    let from = proposals.fault.at.saturating_sub(REGION_BYTES_BEFORE);
    let until = text.len().min(proposals.fault.at + REGION_BYTES_AFTER);
    let surprises = proposals.model.surprises(text, from, until);
    let mut unlikely: Vec<usize> = (from..until).filter(|at| !near[*at]).collect();
    unlikely.sort_by(|a, b| surprises[b - from].total_cmp(&surprises[a - from]));
    unlikely.truncate(MAX_UNLIKELY_PLACES);
    let mut done: Vec<usize> = Vec::new();
    for at in unlikely {
        for at in [at.saturating_sub(1), at] {
            if !near[at] && !done.contains(&at) {
                done.push(at);
                at_place(proposals, at, &alphabet, |all, edit, kind| all.add_far(edit, kind));
            }
        }
    }
}

/// How an edit is added.
type Add = fn(&mut Proposals<'_>, Edit, EditKind);

/// Drops, swaps, adds and replaces the byte at one place. A byte of `alphabet` is tried if the text
/// has it between the same two neighbours; a byte that parts a text needs only one of them.
fn at_place(proposals: &mut Proposals<'_>, at: usize, alphabet: &[u8], add: Add) {
    let text = proposals.text;
    let previous = if at == 0 { b'\n' } else { text[at - 1] };
    let next = text.get(at).copied();
    if let Some(byte) = next {
        let kind = if is_part(byte) { EditKind::Separator } else { EditKind::BadByte };
        add(proposals, Edit::delete(at..at + 1), kind);
        if let Some(other) = text.get(at + 1).copied().filter(|other| *other != byte) {
            add(proposals, Edit::new(at..at + 2, [other, byte]), EditKind::Transposition);
        }
    }
    let fits = |new: &u8| {
        let (before, after) = (
            proposals.model.has_seen(previous, *new),
            next.is_none_or(|next| proposals.model.has_seen(*new, next)),
        );
        if is_part(*new) { before || after } else { before && after }
    };
    let tried: Vec<u8> = alphabet.iter().copied().filter(fits).collect();
    let kind = |new: u8| if is_part(new) { EditKind::Separator } else { EditKind::Letter };
    for new in tried.iter().copied() {
        add(proposals, Edit::insert(at, [new]), kind(new));
    }
    let after = text.get(at + 1).copied();
    let fits = |new: &u8| {
        let (before, after) = (
            proposals.model.has_seen(previous, *new),
            after.is_none_or(|next| proposals.model.has_seen(*new, next)),
        );
        if is_part(*new) { before || after } else { before && after }
    };
    let tried: Vec<u8> = alphabet.iter().copied().filter(fits).collect();
    for new in tried.into_iter().filter(|new| next.is_some_and(|byte| byte != *new)) {
        add(proposals, Edit::new(at..at + 1, [new]), kind(new));
    }
}

/// Drops the sign at the fault if it is between a blank and a word: `a .b`. The validator names that byte, and the text
/// may have nothing else that shows it to be wrong.
fn lone_sign(proposals: &mut Proposals<'_>) {
    let (text, at) = (proposals.text, proposals.fault.at);
    let Some(byte) = text.get(at).copied().filter(|_| !proposals.fault.is_silent) else { return };
    let is_sign = byte.is_ascii_punctuation() && !b"_\"'`()[]{}<>".contains(&byte);
    let is_after_blank = at > 0 && text[at - 1] == b' ';
    if is_sign && is_after_blank && text.get(at + 1).copied().is_some_and(is_word) {
        proposals.add_by_rule(Edit::delete(at..at + 1), EditKind::BadByte, LONE_SIGN_COST);
    }
}

/// The last resort: each printable byte at the fault and at the end, also bytes that the text has
/// nowhere.
fn printable_at_fault(proposals: &mut Proposals<'_>) {
    for at in [proposals.fault.at, proposals.text.len()] {
        for byte in b' '..=b'~' {
            let kind = if is_part(byte) { EditKind::Separator } else { EditKind::Letter };
            proposals.add(Edit::insert(at, [byte]), kind, 0.0);
        }
    }
}

/// Whether a byte parts a text, rather than being in a word or data: all of ASCII but letters,
/// digits and `_`. Blanks are among them.
pub(super) fn is_part(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric() && byte != b'_' && byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::super::testing::edited;
    use super::propose;

    #[test]
    fn a_sign_at_the_fault_comes_before_rare_letters_elsewhere_and_no_character_is_broken() {
        let greek = "\u{391}\u{3c1}\u{3c7}\u{3b5}\u{3af}\u{3bf}";
        let line = |name: &str, text: &str| format!(" <comment lang=\"{name}\">{text}</comment>\n");
        let words = ["dos", "ficheiro", "Kdatei", greek, "tiedosto", "QZ", "archivo", "fichier"];
        let whole: String = words.iter().map(|word| line("el", word)).collect();
        let damaged = whole.replacen(&format!(">{greek}"), greek, 1);
        // A byte that no character has would make `edited` fail.
        let found = edited(&damaged, damaged.find(greek).unwrap(), propose, 3);
        assert!(found.contains(&whole), "{found:#?}");
    }
}
