//! Mutants of pieces: chains of changes, each of which leaves a valid input.
//!
//! A single change of a valid input rarely reaches anything new: a call needs another name and then another number of
//! arguments. A mutant that is not valid ends nothing, because the next change is made of the last valid one.
//!
//! Where the target is run too, the worker chooses all parents but the first, because libFuzzer picks inputs far less often than
//! the worker needs one. Which change is tried is drawn in `pieces`.

use super::{MAX_TIME_PER_JOB, Repairer};
use crate::mutator::explore::{Brought, next_valid};
use crate::mutator::job::{More, Origin, Text};
use crate::mutator::pieces::CutText;
use crate::mutator::reached::{Shown, Tester};
use crate::mutator::time_limit::TimeLimit;
use seedsmith_grammar::Random;

/// Changes of pieces one after the other: one, doubled up to this many times, so chains of one to eight. A
/// run costs libFuzzer far more than a test costs here, hence several changes for a run
/// (docs/notes/2026-11-22-mutator-on-ten-parsers.md).
const MAX_DOUBLINGS: usize = 3;
/// Changes of pieces of one parent before the worker takes another one: enough that cutting it into pieces costs a small
/// part of the time. A guess, not measured.
const CHANGES_PER_PARENT: usize = 32;

impl Repairer {
    /// The ends of chains of changes of `parent`, and later of inputs that the worker chooses.
    ///
    /// All of them are valid. What reaches something new is left with the tester, wherever in a chain it is. Costs up to
    /// `more.count` tests, and ends after `MAX_TIME_PER_JOB`.
    pub(super) fn pieces(
        &mut self,
        tester: &mut Tester<'_>,
        parent: &[u8],
        more: More,
    ) -> Vec<Text> {
        let is_new = !tester.runs_target();
        let of = |bytes, origin| Text { bytes, origin, is_valid: true, is_new };
        let limit = TimeLimit::new(MAX_TIME_PER_JOB);
        let mut texts = Vec::new();
        self.random = Random::new(u64::from(more.seed));
        let mut of_parent = CutText::new(parent);
        let mut max_size = more.limit;
        // The first parent is libFuzzer's choice, the others are the worker's.
        let mut own = None;
        let mut brought = Brought::default();
        // What comes of several changes, each of which was valid: to run a valid input costs libFuzzer ten
        // times what a test costs here, so it gets the end of the chain alone.
        let mut chain: Option<(CutText, Origin)> = None;
        let (mut changes, mut wanted) = (0, 1);
        for _ in 0..more.count {
            if limit.is_over() {
                break;
            }
            if brought.runs >= CHANGES_PER_PARENT && tester.runs_target() {
                if let Some(number) = own {
                    self.valid.tell(number, brought);
                }
                (brought, changes) = (Brought::default(), 0);
                texts.extend(chain.take().map(|(cut, made)| of(cut.into_text(), made)));
                own = next_valid(&self.valid, tester, &mut self.random);
                if let Some(number) = own {
                    let (text, _) = self.valid.text(number);
                    of_parent = CutText::new(text);
                    max_size = more.limit.max(text.len());
                }
            }
            let from = chain.as_ref().map_or(&of_parent, |(cut, _)| cut);
            brought.runs += 1;
            let Some((mutant, made)) = self.pieces.mutant(from, max_size, &mut self.random) else {
                continue;
            };
            tester.origin = made;
            let Shown { is_valid, is_new } = tester.test(&mutant);
            self.pieces.tell(made, is_valid);
            brought.new += usize::from(is_new);
            brought.slow += std::mem::take(&mut tester.slow);
            if !is_valid {
                continue;
            }
            if is_new {
                self.pieces.record_new(made);
                if let Some(word) = self.pieces.used_word() {
                    self.places.put(from.text(), &mutant, word);
                }
                self.pieces.learn(&mutant, true, &mut self.random);
            }
            changes += 1;
            if changes < wanted {
                chain = Some((CutText::new(&mutant), made));
                continue;
            }
            texts.push(of(mutant, made));
            chain = None;
            changes = 0;
            wanted = 1 << self.random.below(MAX_DOUBLINGS + 1);
        }
        if let Some(number) = own {
            self.valid.tell(number, brought);
        }
        texts.extend(chain.map(|(cut, made)| of(cut.into_text(), made)));
        texts
    }
}
