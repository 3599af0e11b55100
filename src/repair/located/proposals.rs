//! The edits that are tried at a fault, the likeliest first: `edits` proposes, this puts in order.
//!
//! The order is that of a noisy channel: how likely the edited text is by the [`Model`] of the text
//! itself, how likely a damage is that the edit undoes, and how far the edit is from where the
//! validator noticed the fault. Between edits that are about as likely the order of [`EditKind`]
//! decides.

use std::collections::HashMap;
use std::rc::Rc;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::edits::words::keywords::Keywords;
use crate::repair::located::message::Message;
use crate::repair::located::model::{Model, Replaceable};

/// Where a text is faulty, as far as is known.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// The offset where the fault shows.
    pub at: usize,
    /// The text before this offset is right, as far as that can be known.
    pub from: usize,
    /// What the validator said.
    pub said: Message,
    /// Whether the validator named no place, so that the place was found by bisection.
    pub is_silent: bool,
}

/// Candidates for one fault, while they are collected.
pub(super) struct Proposals<'t> {
    /// The text with the fault.
    pub text: &'t [u8],
    /// What the text looks like where it is whole.
    pub model: &'t Model,
    /// The fault.
    pub fault: &'t Fault,
    /// Words that the language of the text has.
    pub keywords: Rc<Keywords>,
    costs: HashMap<Edit, (f32, EditKind)>,
    /// The place that was judged last: many edits are of one place.
    replaceable: Option<Replaceable<'t>>,
}

/// What an inserted or replaced byte costs (a logarithm), because it may be any of some 90 bytes that are
/// typed.
const WRONG_BYTE_COST: f32 = 4.5;
/// What a dropped line or block costs (a logarithm): more than any edit that keeps it, so that it comes
/// after all of them.
const DROPPED_LINE_COST: f32 = 24.0;

/// The cost of losing a letter, a digit, a bracket, a quotation mark or the end of a line (a logarithm), in a
/// text that is too short for the model to know better: `[package` lacks a bracket, and its last letter is none that was damaged. Tried by
/// hand on some 40 small texts.
const LOST_CONTENT_COST: f32 = 4.0;
/// The length at which that cost is half as much, in bytes.
const SHORT_TEXT_BYTES: f32 = 500.0;
/// The least gain of a closing bracket or quotation mark at the end of its text
/// (a logarithm), because a short text has none elsewhere.
const LEAST_CLOSING_GAIN: f32 = 0.0;

/// What the model may say at most for dropping a quotation mark (a logarithm): a text with few strings has none
/// elsewhere, and its partner is as likely lost. Not measured.
const MAX_LOST_MARK_GAIN: f32 = 8.0;

/// What the model may say at most for an edit of an unlikely byte far from the fault (a logarithm). In a text in 40 languages
/// such edits came before all edits at the fault (2026-11-24).
const MAX_FAR_GAIN: f32 = 12.0;

/// Edits that come before drops: the median of a repaired file is 2 to 20 tests in most formats
/// (docs/notes/2026-11-22-repair-by-messages.md), so the edit that a person would make is mostly among these.
const FIRST_KEPT: usize = 48;
/// Drops that come after them: of tokens, of the line, and of the lines beside it. Not measured.
const EARLY_DROPS: usize = 12;

impl<'t> Proposals<'t> {
    /// No candidates yet. Edits are judged by `model` as they are added.
    pub(super) fn new(text: &'t [u8], model: &'t Model, fault: &'t Fault) -> Self {
        let keywords = Rc::new(Keywords::of(text));
        Proposals { text, model, fault, keywords, costs: HashMap::new(), replaceable: None }
    }

    /// All candidates, the likeliest first, at most `most`. A fifth of the places is for edits that
    /// drop, and a few of these come after the first other edits, so that a fault which no edit mends is passed
    /// in few tests. Costs that differ by less than half a nat count as equal; then the kind decides, the
    /// size and the offset, so that the order is the same on every machine.
    pub(super) fn into_order(self, most: usize) -> Vec<Edit> {
        let mut all: Vec<(Edit, (f32, EditKind))> = self.costs.into_iter().collect();
        // A fifth of the places is for edits that drop: they nearly always get further.
        let is_drop = |kind: EditKind| kind == EditKind::Deletion;
        all.sort_by_key(|(edit, (cost, kind))| {
            // Costs that differ by less than half a nat are about the same.
            ((cost * 2.0).round() as i64, *kind, edit.size(), edit.at, edit.new.clone())
        });
        let drops = all.iter().filter(|(_, (_, kind))| is_drop(*kind)).count().min(most / 5);
        let (mut kept, mut dropping) = (most - drops, drops);
        all.retain(|(_, (_, kind))| {
            let left = if is_drop(*kind) { &mut dropping } else { &mut kept };
            let may = *left > 0;
            *left -= usize::from(may);
            may
        });
        if let Some(late) = all.get(FIRST_KEPT..) {
            let (early, rest): (Vec<_>, Vec<_>) =
                late.iter().cloned().partition(|(_, (_, kind))| is_drop(*kind));
            let more = early.len().min(EARLY_DROPS);
            all.truncate(FIRST_KEPT);
            all.extend_from_slice(&early[..more]);
            all.extend(rest);
            all.extend_from_slice(&early[more..]);
        }
        all.into_iter().map(|(edit, _)| edit).collect()
    }

    /// Adds an edit of a byte that is only proposed because it is unlikely where it is, far from the fault. How unlikely it is
    /// counts up to a limit: words in another language have very unlikely bytes.
    pub(super) fn add_far(&mut self, edit: Edit, kind: EditKind) {
        self.add_with_gain(edit, kind, 0.0, (f32::MIN, MAX_FAR_GAIN));
    }

    /// Adds an edit. `bonus` is how much likelier it is than its bytes make it, as a logarithm:
    /// the reasons that a proposer has.
    pub(super) fn add(&mut self, edit: Edit, kind: EditKind, bonus: f32) {
        self.add_with_gain(edit, kind, bonus, (f32::MIN, f32::MAX));
    }

    /// Adds a closing bracket, a quotation mark or a separator at a place where one usually is, so that the
    /// model's opinion counts less.
    pub(super) fn add_closing(&mut self, edit: Edit, bonus: f32) {
        let least = LEAST_CLOSING_GAIN;
        self.add_with_gain(edit, EditKind::Separator, bonus, (least, f32::MAX));
    }

    /// Adds an edit after which a word is one that the message names or many languages have. A short text
    /// rarely has the same letters elsewhere, so the model says nothing against it.
    pub(super) fn add_known_word(&mut self, edit: Edit, bonus: f32) {
        self.add_with_gain(edit, EditKind::Copy, bonus, (0.0, f32::MAX));
    }

    fn add_with_gain(&mut self, edit: Edit, kind: EditKind, bonus: f32, (least, most): (f32, f32)) {
        debug_assert!(edit.at <= edit.end && edit.end <= self.text.len());
        let Some(edit) = edit.trimmed(self.text) else { return };
        let (old, new) = (edit.end - edit.at, edit.new.len());
        if self
            .replaceable
            .as_ref()
            .is_none_or(|replaceable| (replaceable.at, replaceable.end) != (edit.at, edit.end))
        {
            self.replaceable = Some(self.model.replaceable(self.text, edit.at, edit.end));
        }
        let replaceable = self.replaceable.as_ref().expect("it was just filled");
        let gain = self.model.gain(replaceable, &edit.new).max(least).min(most);
        let is_mark = matches!(self.text[edit.at..edit.end], [b'"' | b'\'' | b'`']) && new == 0;
        let gain = if is_mark { gain.min(MAX_LOST_MARK_GAIN) } else { gain };
        let content = |bytes: &[u8]| {
            let is_content =
                |byte: &&u8| byte.is_ascii_alphanumeric() || b"\n{}[]()'\"".contains(byte);
            bytes.iter().filter(is_content).count()
        };
        let lost = content(&self.text[edit.at..edit.end]).saturating_sub(content(&edit.new));
        let shortness = SHORT_TEXT_BYTES / (SHORT_TEXT_BYTES + self.text.len() as f32);
        let bonus = bonus - LOST_CONTENT_COST * shortness * lost as f32;
        let channel = match kind {
            _ if new == 0 && old == 1 => WRONG_BYTE_COST,
            EditKind::Transposition | EditKind::Copy => 1.5,
            EditKind::Deletion => 0.0,
            _ if new == 0 => WRONG_BYTE_COST * old as f32,
            _ => WRONG_BYTE_COST * old as f32,
        };
        let cost = match kind {
            EditKind::Deletion => {
                DROPPED_LINE_COST + 0.1 * (old as f32).min(400.0) + self.distance(edit.at) - bonus
            }
            _ => channel - gain.clamp(-30.0, 30.0) + self.distance(edit.at) - bonus,
        };
        self.put(edit, cost, kind);
    }

    /// Adds an edit that drops a token which the text has elsewhere too, or a part of one. `known`
    /// is how many different tokens the text has: an inserted one is any of them.
    pub(super) fn add_drop_of_known(&mut self, edit: Edit, known: usize) {
        let replaceable = self.model.replaceable(self.text, edit.at, edit.end);
        let gain = self.model.gain(&replaceable, &[]).min(14.0);
        self.replaceable = None;
        // An inserted token is one of those that the text has.
        let cost = (known as f32).ln_1p() - gain + self.distance(edit.at);
        self.put(edit, cost, EditKind::Deletion);
    }

    /// Adds an edit whose likelihood its bytes do not show: a rule of the format calls for it.
    ///
    /// The model is not asked: `cost` is a logarithm, and smaller is likelier.
    pub(super) fn add_by_rule(&mut self, edit: Edit, kind: EditKind, cost: f32) {
        let Some(edit) = edit.trimmed(self.text) else { return };
        let cost = cost + self.distance(edit.at);
        self.put(edit, cost, kind);
    }

    /// Keeps an edit with its cost, unless it breaks a character. Of two proposals of one edit the cheaper counts.
    fn put(&mut self, edit: Edit, cost: f32, kind: EditKind) {
        if breaks_character(self.text, &edit) {
            return;
        }
        let known = self.costs.entry(edit).or_insert((f32::MAX, kind));
        if cost < known.0 {
            *known = (cost, kind);
        }
    }

    /// The cost of the distance between an edit and the place where the fault shows.
    ///
    /// A logarithm that grows with the lines and the bytes between the two. In bytes alone an
    /// unlikely byte 30 lines before the fault came before edits on its line
    /// (docs/notes/2026-11-22-repair-by-messages.md).
    fn distance(&self, at: usize) -> f32 {
        let shows = std::iter::once((self.fault.at, 0.0));
        let named = self.fault.said.others.iter().map(|other| (*other, 1.5));
        let all = shows.chain(named).map(|(place, extra)| extra + self.distance_to(place, at));
        all.fold(f32::MAX, f32::min)
    }

    /// The same from one place: less for edits before it than for edits after it, because faults
    /// show late.
    fn distance_to(&self, place: usize, at: usize) -> f32 {
        let lines = |from: usize, to: usize| {
            let span = &self.text[from..to.min(from + 4096)];
            span.iter().filter(|byte| **byte == b'\n').count() as f32
        };
        if at <= place {
            0.4 * ((place - at) as f32).ln_1p() + 2.0 * (1.0 + lines(at, place)).ln()
        } else {
            0.6 * ((at - place) as f32).ln_1p() + 3.0 * (1.0 + lines(place, at)).ln()
        }
    }

    /// The span of the line that `at` is in, without its end.
    ///
    /// An offset at a line feed belongs to the line before it.
    pub(super) fn line(&self, at: usize) -> std::ops::Range<usize> {
        line(self.text, at)
    }

    /// Offsets near which the fault may be: where it shows, then what else the message names.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places = vec![self.fault.at];
        places.extend(self.fault.said.others.iter().copied());
        places.retain(|place| *place <= self.text.len());
        places
    }

    /// Spans of the lines near which the fault may be: those of [`Proposals::places`], the line before
    /// each that is not blank, and the one after.
    pub(super) fn lines(&self) -> Vec<std::ops::Range<usize>> {
        let mut lines = Vec::new();
        for place in self.places() {
            let own = self.line(place);
            let before = self.text[..own.start].trim_ascii_end().len();
            lines.push(own.clone());
            if before > 0 {
                lines.push(self.line(before - 1));
            }
            if own.end + 1 < self.text.len() {
                lines.push(self.line(own.end + 1));
            }
        }
        let mut seen = Vec::new();
        lines.retain(|line| {
            let is_new = !seen.contains(line);
            seen.push(line.clone());
            is_new
        });
        lines
    }
}

/// Whether an edit leaves bytes of UTF-8 that are no character, where the text has whole characters.
fn breaks_character(text: &[u8], edit: &Edit) -> bool {
    let is_inner = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut around = edit.at..edit.end;
    while around.start > 0 && is_inner(around.start) && edit.at - around.start < 4 {
        around.start -= 1;
    }
    while is_inner(around.end) && around.end - edit.end < 4 {
        around.end += 1;
    }
    if (around.clone() == (edit.at..edit.end)) && edit.new.is_ascii() {
        return false;
    }
    let edited = [&text[around.start..edit.at], &edit.new, &text[edit.end..around.end]].concat();
    std::str::from_utf8(&text[around]).is_ok() && std::str::from_utf8(&edited).is_err()
}

/// The span of the line that `at` is in, without its end.
///
/// An offset at a line feed belongs to the line before it.
pub(super) fn line(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let rest = text[at..].iter().position(|byte| *byte == b'\n');
    start..rest.map_or(text.len(), |length| at + length)
}

/// The end of a line without its trailing blanks.
///
/// Of a line of blanks it is the line's start.
pub(super) fn trimmed_end(text: &[u8], line: &std::ops::Range<usize>) -> usize {
    line.start + text[line.clone()].trim_ascii_end().len()
}

/// Where brackets and strings of a line are usually closed: at the end of the line, and before signs that separate or open
/// a block there or closes an outer bracket, such as `;`, ` {`, `)` and `/>`.
pub(super) fn closing_places(text: &[u8], line: &std::ops::Range<usize>) -> Vec<usize> {
    let mut places = vec![trimmed_end(text, line)];
    let mut at = places[0];
    let may_follow = |byte: u8| b";,:{ />)]}".contains(&byte);
    while at > line.start && may_follow(text[at - 1]) {
        at -= 1;
        if at == line.start || text[at - 1] != b' ' {
            places.push(at);
        }
    }
    places
}

/// How many blanks a line begins with.
///
/// In bytes; a tab is one.
pub(super) fn indent(text: &[u8], line: &std::ops::Range<usize>) -> usize {
    text[line.clone()].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
