//! A text with a fault, and a step of the search from it: its edits are tried, and the likeliest one that moves the report
//! on is followed.
//!
//! A state knows nothing of the states before it but the places of the words that their edits have made. The order of the
//! steps is the search's.

use super::super::edit::Edit;
use super::super::edits;
use super::super::edits::words::whole;
use super::super::fault::{Look, closed, look, probe, said};
use super::super::model::Model;
use super::super::progress::{Progress, progress};
use crate::repair::located::proposals::Fault;
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::is_word;

/// Edits that are tried at one fault, in tests. The median of a repaired file is 2 to 20 tests in most
/// formats (docs/notes/2026-11-22-repair-by-messages.md), so later ones rarely help.
pub(super) const MAX_EDITS: usize = 240;
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

/// An edit that seems to mend the fault, though the text is not valid yet.
struct PromisingEdit {
    /// How far the report has moved.
    progress: Progress,
    /// Its place in the order of likelihood.
    rank: usize,
    /// The edit.
    edit: Edit,
    /// The next fault, if the validator named its place.
    next: Option<Fault>,
}

/// A text with a fault, and the edits that are left to try there.
///
/// Edits are tried in the order of their likelihood, each once. Those that move the report on are kept, so that a step back
/// follows the next one of them without a test.
pub(super) struct State {
    /// The text, which is not valid.
    pub text: Vec<u8>,
    /// Its first fault.
    pub fault: Fault,
    /// All edits of the fault, the likeliest first.
    edits: Vec<Edit>,
    /// Edits that were tried already.
    tried: usize,
    /// Edits after which the report is further on, the best last.
    promising: Vec<PromisingEdit>,
    /// Whether its fault is before that of the text before it, see `Progress::Back`.
    pub is_back: bool,
    /// Edits that are tried before the search looks at the text before this one.
    pub most: usize,
    /// Where the text has words that edits before have made.
    made: Vec<usize>,
}

/// How a step ended: with a valid text, at the next fault, after the first edits without either, or with nothing
/// left to try.
pub(super) enum Step {
    /// An edit has made this text valid.
    Valid(Vec<u8>),
    /// An edit has moved the report on: the text with its next fault.
    Next(Box<State>),
    /// The likeliest edits did not help, and others are left.
    Waiting,
    /// No edit is left.
    Stuck,
}

impl State {
    /// Collects the edits of the fault, which costs no test. `made` are the places of words that edits before have made:
    /// if the message names a word, one of them may be it.
    pub(super) fn new(
        text: Vec<u8>,
        mut fault: Fault,
        made: Vec<usize>,
        (model, limit): (&Model, usize),
    ) -> Self {
        if !fault.said.words.is_empty() {
            fault.said.made_at.clone_from(&made);
            fault.said.others.extend(&made);
        }
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
            made,
        }
    }

    /// Where the text after an edit has words that this edit and those before it have made.
    fn made_with(&self, edit: &Edit) -> Vec<usize> {
        let mut made: Vec<usize> = self.made.iter().map(|at| edit.moved(*at)).collect();
        let new = edit.new.iter().take_while(|byte| is_word(**byte)).count();
        if new > 1 {
            let before = self.text[..edit.at].iter().rev().take_while(|byte| is_word(**byte));
            made.push(edit.at - before.count());
        }
        made
    }

    /// Tries edits until one makes the text valid or seems to mend the fault.
    ///
    /// A call tries the edits that were not tried yet, so that a step back continues where it
    /// stopped.
    pub(super) fn step(
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
        let mut step = self.follow(validator, model, &promising_edit.edit, promising_edit.next)?;
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
        edit: &Edit,
        next: Option<Fault>,
    ) -> Result<Step, Stopped> {
        let text = edit.apply(&self.text);
        let fault = match next {
            Some(fault) => fault,
            None => match look(validator, &text, self.fault.from)? {
                Look::Valid => return Ok(Step::Valid(text)),
                Look::Faulty(fault) => *fault,
                Look::Unresolved => return Ok(Step::Stuck),
            },
        };
        Ok(Step::Next(Box::new(State::new(text, fault, self.made_with(edit), model))))
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
                edit.append(text, buffer);
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
                    edit.append(text, &mut candidate);
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
    pub(super) fn try_rest(
        &mut self,
        validator: &mut dyn Validate,
    ) -> Result<Option<Vec<u8>>, Stopped> {
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
            return self.follow(validator, model, &edits[first + index], None);
        }
        promising.sort_by_key(|one| (one.progress, std::cmp::Reverse(one.rank)));
        self.promising.splice(0..0, promising);
        let Some(promising_edit) = self.promising.pop() else { return Ok(Step::Stuck) };
        // Each of them costs as many tests as a fault, so only the likeliest is followed.
        self.promising.clear();
        self.follow(validator, model, &promising_edit.edit, promising_edit.next)
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
    // The first one after the edit is meant: it may be before the fault, and then the edit has made another fault.
    let find = |word: &Vec<u8>| whole(&candidate, edit.at..until, word).next();
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
pub(in crate::repair::located) fn closed_after(edit: &Edit, text: &[u8], until: usize) -> Vec<u8> {
    let edited = edit.apply(text);
    let cut = if until >= text.len() { edited.len() } else { edit.moved(until) };
    closed(&edited, cut)
}
