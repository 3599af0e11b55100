//! The search: fault after fault, with steps back where a mend turns out to have been the wrong one.

use std::collections::HashSet;
use std::sync::Arc;

use super::edit::Edit;
use super::edits;
use super::edits::words::whole;
use super::fault::{Look, closed, look, probe, said};
use super::model::Model;
use super::progress::{Progress, progress};
use crate::repair::located::proposals::Fault;
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Complaint;
use seedsmith_grammar::Digest;

/// Edits that are tried at one fault, in tests. The median of a repaired file is 2 to 20 tests in most
/// formats (docs/notes/2026-11-22-repair-by-messages.md), so later ones rarely help.
const MAX_EDITS: usize = 240;
/// Edits that are tried at a fault before those that the fault before it has left: if none of the likeliest edits
/// helps here, the edit before was probably the wrong one. Not measured.
const MAX_FIRST_EDITS: usize = 72;
/// Edits that are tried after one that moved the report far on, because a likelier one may move it
/// further. Not measured.
const EDITS_AFTER_STRONG: usize = 6;
/// The same after one that moved it a little: more, because that is often a mark that only hides the
/// fault. Not measured.
const EDITS_AFTER_WEAK: usize = 48;
/// The same where the validator names no place, after one with which its message names a word further on: a statement
/// with two faults would otherwise cost all edits of the first. Not measured.
const EDITS_AFTER_NAMED: usize = 24;
/// Steps back in one search, because each costs up to 240 tests. Sixteen was not measured.
const MAX_STEPS_BACK: usize = 16;
/// Faults that are mended one after another: a bound on memory, since each keeps a copy of the text.
const MAX_FAULTS: usize = 64;

/// An edit that seems to mend the fault, though the text is not valid yet.
struct PromisingEdit {
    progress: Progress,
    rank: usize,
    edit: Edit,
    /// The next fault, if the validator named its place.
    next: Option<Fault>,
}

/// A text with a fault, and the edits that are left to try there.
struct State {
    text: Vec<u8>,
    fault: Fault,
    edits: Vec<Edit>,
    /// Edits that were tried already.
    tried: usize,
    promising: Vec<PromisingEdit>,
    /// Whether its fault is before that of the text before it, see `Progress::Back`.
    is_back: bool,
    /// Edits that are tried before the search looks at the text before this one.
    most: usize,
}

/// How a step ended: with a valid text, at the next fault, after the first edits without either, or with nothing
/// left to try.
enum Step {
    Valid(Vec<u8>),
    Next(Box<State>),
    Waiting,
    Stuck,
}

/// How a search ended.
pub(super) struct SearchEnd {
    /// The valid text, if one was found.
    pub text: Option<Vec<u8>>,
    /// The text whose first fault is furthest on.
    pub furthest: Vec<u8>,
    /// What the validator printed about the last text before the valid one, or about the furthest one. `None`
    /// if that is the text with which the search began.
    pub rejected: Option<Arc<Complaint>>,
    /// Edits that were made one after the other to get the valid text. 0 without one.
    pub mends: usize,
}

/// Mends the faults of `text` one after the other.
///
/// Depth first: the edits of a fault in their order, and back to the fault before where none helps.
/// Costs at most `MAX_EDITS` tests for each fault and step back. Texts that were seen before are
/// not followed again, so the search ends. Edits of `limit` bytes and more are left out.
pub(super) fn search(
    validator: &mut dyn Validate,
    text: &[u8],
    model: &Model,
    limit: usize,
) -> Result<SearchEnd, Stopped> {
    let mut ended = SearchEnd { text: None, furthest: text.to_vec(), rejected: None, mends: 0 };
    let fault = match look(validator, text, 0)? {
        Look::Valid => {
            ended.text = Some(text.to_vec());
            return Ok(ended);
        }
        Look::Faulty(fault) => *fault,
        Look::Unresolved => return Ok(ended),
    };
    let mut seen = HashSet::from([Digest::of(text)]);
    let mut states = vec![State::new(text.to_vec(), fault, (model, limit))];
    let mut least_left = usize::MAX;
    let mut steps_back = 0;
    while let Some(state) = states.last_mut() {
        let step = state.step(validator, (model, limit))?;
        match step {
            Step::Valid(text) => {
                return finished(validator, &states, text, ended);
            }
            // The edits that are left at the fault before: one of them may be valid at once.
            Step::Waiting => {
                state.most = MAX_EDITS;
                let before = states.len() - 1;
                let Some(parent) = before.checked_sub(1).map(|index| &mut states[index]) else {
                    continue;
                };
                if let Some(text) = parent.try_rest(validator)? {
                    states.truncate(before);
                    return finished(validator, &states, text, ended);
                }
            }
            Step::Next(next) => {
                if !seen.insert(Digest::of(&next.text)) || states.len() >= MAX_FAULTS {
                    continue;
                }
                let left = next.text.len() - next.fault.at.min(next.text.len());
                if left < least_left || next.is_back {
                    least_left = left;
                    ended.furthest.clone_from(&next.text);
                    ended.rejected.clone_from(&next.fault.said.complaint);
                }
                states.push(*next);
            }
            Step::Stuck => {
                states.pop();
                steps_back += 1;
                if steps_back > MAX_STEPS_BACK {
                    break;
                }
            }
        }
    }
    Ok(ended)
}

/// The end of a search that has found a valid text.
fn finished(
    validator: &mut dyn Validate,
    states: &[State],
    text: Vec<u8>,
    mut ended: SearchEnd,
) -> Result<SearchEnd, Stopped> {
    ended.mends = states.len();
    let last = states.last().filter(|_| states.len() > 1);
    ended.rejected = last.and_then(|state| state.fault.said.complaint.clone());
    ended.text = Some(without_needless(validator, states, text)?);
    Ok(ended)
}

/// The valid text without the mends that it does not need: of several edits one may have been a
/// detour. Costs one test for each mend.
fn without_needless(
    validator: &mut dyn Validate,
    states: &[State],
    text: Vec<u8>,
) -> Result<Vec<u8>, Stopped> {
    let mut texts: Vec<&[u8]> = states.iter().map(|state| state.text.as_slice()).collect();
    texts.push(&text);
    let mut best = text.clone();
    if texts.len() < 3 {
        return Ok(best);
    }
    for pair in texts.windows(2).rev() {
        let (before, after) = (pair[0], pair[1]);
        // The edit between the two, undone in the best text, if the changed bytes are there once.
        let whole = Edit::new(0..after.len(), before).trimmed(after);
        let Some(undo) = whole else { continue };
        let context = 12;
        let from = undo.at.saturating_sub(context);
        let until = after.len().min(undo.end + context);
        let mut found = memchr::memmem::find_iter(&best, &after[from..until]);
        if let (Some(at), None) = (found.next(), found.next()) {
            let start = at + undo.at - from;
            let edit = Edit::new(start..start + undo.end - undo.at, undo.new);
            let candidate = edit.apply(&best);
            if validator.is_valid(&candidate)? {
                best = candidate;
            }
        }
    }
    Ok(best)
}

impl State {
    /// Collects the edits of the fault, which costs no test.
    fn new(text: Vec<u8>, fault: Fault, (model, limit): (&Model, usize)) -> Self {
        let mut edits = edits::collect(&text, model, &fault, MAX_EDITS);
        edits.retain(|edit| edit.size() < limit);
        State {
            text,
            fault,
            edits,
            tried: 0,
            promising: Vec::new(),
            is_back: false,
            most: MAX_FIRST_EDITS,
        }
    }

    /// Tries edits until one makes the text valid or seems to mend the fault.
    ///
    /// A call tries the edits that were not tried yet, so that a step back continues where it
    /// stopped.
    fn step(
        &mut self,
        validator: &mut dyn Validate,
        model: (&Model, usize),
    ) -> Result<Step, Stopped> {
        if self.fault.is_silent {
            return self.step_in_silence(validator, model);
        }
        if self.promising.is_empty()
            && let Some(valid) = self.try_edits(validator, true)?
        {
            return Ok(Step::Valid(valid));
        }
        let Some(promising_edit) = self.promising.pop() else {
            let is_waiting = self.tried < self.edits.len() && self.most < MAX_EDITS;
            return Ok(if is_waiting { Step::Waiting } else { Step::Stuck });
        };
        let text = promising_edit.edit.apply(&self.text);
        let mut step = self.follow(validator, model, text, promising_edit.next)?;
        if let Step::Next(next) = &mut step {
            next.is_back = promising_edit.progress == Progress::Back;
        }
        Ok(step)
    }

    /// The state after an edit that seems to mend the fault: asks where the next fault is, unless
    /// `next` is known. Costs up to a bisection if the validator is silent.
    fn follow(
        &self,
        validator: &mut dyn Validate,
        model: (&Model, usize),
        text: Vec<u8>,
        next: Option<Fault>,
    ) -> Result<Step, Stopped> {
        let fault = match next {
            Some(fault) => fault,
            None => match look(validator, &text, self.fault.from)? {
                Look::Valid => return Ok(Step::Valid(text)),
                Look::Faulty(fault) => *fault,
                Look::Unresolved => return Ok(Step::Stuck),
            },
        };
        Ok(Step::Next(Box::new(State::new(text, fault, model))))
    }

    /// The text that an edit made valid. Edits that seem to mend the fault are promises afterwards,
    /// the best last.
    /// A call ends early after an edit that seems to mend the fault if `ends_early`.
    fn try_edits(
        &mut self,
        validator: &mut dyn Validate,
        ends_early: bool,
    ) -> Result<Option<Vec<u8>>, Stopped> {
        let (text, fault, edits) = (&self.text, &self.fault, &self.edits);
        let most = if ends_early { self.most } else { MAX_EDITS };
        let first = self.tried;
        let mut given = first;
        let mut heard = first;
        let mut promising: Vec<PromisingEdit> = Vec::new();
        let mut is_valid = false;
        let mut candidate = Vec::new();
        let answer = validator.first_that(
            &mut |buffer| {
                let Some(edit) = edits.get(given).filter(|_| given < most) else { return false };
                given += 1;
                buffer.extend_from_slice(&text[..edit.at]);
                buffer.extend_from_slice(&edit.new);
                buffer.extend_from_slice(&text[edit.end..]);
                true
            },
            &mut |answer| {
                let (edit, rank) = (&edits[heard], heard);
                heard += 1;
                if *answer == Answer::Valid {
                    is_valid = true;
                    return true;
                }
                if answer.complaint().is_some() {
                    candidate.clear();
                    candidate.extend_from_slice(&text[..edit.at]);
                    candidate.extend_from_slice(&edit.new);
                    candidate.extend_from_slice(&text[edit.end..]);
                    let said = said(answer, &candidate);
                    let mut progress = progress(fault, edit, &candidate, &said);
                    // A mend is better than a drop, however far the report has moved.
                    if edit.new.is_empty() && text[edit.at..edit.end].contains(&b'\n') {
                        let is_enough = progress.is_some_and(|one| one >= Progress::Weak);
                        progress = is_enough.then_some(Progress::Slight);
                    }
                    if let (Some(progress), Some(at)) = (progress, said.at) {
                        let next = Some(Fault { at, from: 0, said, is_silent: false });
                        promising.push(PromisingEdit { progress, rank, edit: edit.clone(), next });
                    }
                }
                let first_of = |least: Progress| {
                    promising.iter().find(|one| one.progress >= least).map(|one| one.rank)
                };
                let is_over = first_of(Progress::Back)
                    .is_some_and(|at| heard > at + EDITS_AFTER_STRONG)
                    || first_of(Progress::Weak)
                        .is_some_and(|at| heard > at + EDITS_AFTER_WEAK.max(at - first));
                ends_early && is_over
            },
        );
        let answer = answer?;
        self.tried = heard;
        if is_valid {
            return Ok(answer.map(|(_, text)| text));
        }
        self.promising.append(&mut promising);
        self.promising.sort_by_key(|one| (one.progress, std::cmp::Reverse(one.rank)));
        Ok(None)
    }

    /// The text that one of the edits made valid which were not tried yet. Costs a test for each of them, and
    /// nothing where the validator is silent or all were tried.
    fn try_rest(&mut self, validator: &mut dyn Validate) -> Result<Option<Vec<u8>>, Stopped> {
        if self.fault.is_silent || self.tried >= self.edits.len() {
            return Ok(None);
        }
        self.try_edits(validator, false)
    }

    /// As [`State::step`], where the validator names no place: an edit is taken if the text up to
    /// some way after the fault is valid once it is closed. Where none is, one is taken with which the
    /// message names a word that is further on: a statement may have two faults.
    fn step_in_silence(
        &mut self,
        validator: &mut dyn Validate,
        model: (&Model, usize),
    ) -> Result<Step, Stopped> {
        let (text, edits, fault) = (&self.text, &self.edits, &self.fault);
        let until = probe(text, fault.at);
        let first = self.tried;
        let (mut given, mut heard, mut is_valid) = (first, first, false);
        let mut promising: Vec<PromisingEdit> = Vec::new();
        let answer = validator.first_that(
            &mut |buffer| {
                let Some(edit) = edits.get(given) else { return false };
                given += 1;
                buffer.extend_from_slice(&closed_after(edit, text, until));
                true
            },
            &mut |answer| {
                let (edit, rank) = (&edits[heard], heard);
                heard += 1;
                if *answer == Answer::Valid {
                    is_valid = true;
                    return true;
                }
                promising.extend(named_further(fault, text, edit, answer, until, rank));
                promising.first().is_some_and(|one| heard > one.rank + EDITS_AFTER_NAMED)
            },
        )?;
        self.tried = heard;
        if let Some((index, _)) = answer.filter(|_| is_valid) {
            let text = edits[first + index].apply(text);
            return self.follow(validator, model, text, None);
        }
        promising.sort_by_key(|one| (one.progress, std::cmp::Reverse(one.rank)));
        self.promising.splice(0..0, promising);
        let Some(promising_edit) = self.promising.pop() else { return Ok(Step::Stuck) };
        // Each of them costs as many tests as a fault, so only the likeliest is followed.
        self.promising.clear();
        let text = promising_edit.edit.apply(&self.text);
        self.follow(validator, model, text, promising_edit.next)
    }
}

/// An edit after which the message names another word, which is further on than the fault.
///
/// The word has to be more than 8 bytes after the end of the edit, so that an edit does not count
/// which only moves the word itself. If the message is of another kind, the word may be anywhere in the statement.
fn named_further(
    fault: &Fault,
    text: &[u8],
    edit: &Edit,
    answer: &Answer,
    until: usize,
    rank: usize,
) -> Option<PromisingEdit> {
    answer.complaint()?;
    let candidate = edit.apply(text);
    let said = said(answer, &candidate);
    if said.words == fault.said.words {
        return None;
    }
    let from = edit.moved(fault.at).max(edit.at + edit.new.len()).min(candidate.len());
    let until = edit.moved(until).clamp(from, candidate.len());
    let find = |word: &Vec<u8>| whole(&candidate, from..until, word).next();
    let further = said.words.iter().filter_map(find).min().filter(|at| *at > from + 8);
    let (at, progress) = match further {
        Some(at) => (at, Progress::Weak),
        // A message of another kind about the same statement: names are looked at after the syntax.
        None if said.kind() != fault.said.kind() && !said.is_unclosed => {
            let region = fault.from.min(until)..until;
            let own = edit.at..edit.at + edit.new.len();
            // A word that the edit itself has made is a new fault.
            let touches = |at: usize, word: &[u8]| at < own.end && at + word.len() > own.start;
            let find = |word: &Vec<u8>| {
                whole(&candidate, region.clone(), word).next().filter(|at| !touches(*at, word))
            };
            (said.words.iter().filter_map(find).min()?, Progress::Weak)
        }
        None => return None,
    };
    let next = Some(Fault { at, from: fault.from, said, is_silent: true });
    Some(PromisingEdit { progress, rank, edit: edit.clone(), next })
}

/// The text after an edit, up to the former place of `until`, with all closed that it leaves open.
///
/// This is tested where the validator names no place: a later fault is not in the prefix and does
/// no harm.
pub(super) fn closed_after(edit: &Edit, text: &[u8], until: usize) -> Vec<u8> {
    let edited = edit.apply(text);
    let cut = if until >= text.len() { edited.len() } else { edit.moved(until) };
    closed(&edited, cut)
}
