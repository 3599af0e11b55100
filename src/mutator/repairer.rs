//! Where mutants are mended: asks a validator, and remembers which repairs have helped.
//!
//! It lives in the process that validates, so that a test costs a call and nothing more; it knows
//! neither that process nor the fuzzer. It forgets everything when the validator crashes.

mod chains;
mod mending;

use std::sync::Arc;
use std::time::Duration;

use crate::mutator::explore::{Inputs, Known, WordPlaces, explore};
use crate::mutator::job::{EXPLORE_ROOM_BYTES, Job, NO_ORIGIN, Task, Text, Word, WorkerState};
use crate::mutator::odds::Odds;
use crate::mutator::pieces::Pieces;
use crate::mutator::reached::{Reached, Shown, Tester};
use crate::mutator::time_limit::TimeLimit;
use crate::mutator::time_shares::processor_time;
use crate::repair::validate::{InPlace, Validate};
use crate::repair::{self, Options};
use seedsmith_engine::internal::Budget;
use seedsmith_grammar::Random;

/// Time after which a job ends without the rest of its mutants. 4 ms, so that a validator of more than a
/// few hundred microseconds still gets a mutant or two (docs/notes/2026-11-21-mutator.md).
const MAX_TIME_PER_JOB: Duration = Duration::from_millis(4);
/// Tests that making an input of the corpus valid may cost, once. With tests of microseconds that is
/// within the 10 ms it may take. Not measured.
const MAX_RUNS_PER_PARENT: u64 = 2_000;
/// Valid inputs that the likelihood of an edit is learnt from, because more change the counts little. Not
/// measured.
const MAX_LEARNT_INPUTS: usize = 256;

/// Everything that a worker remembers.
pub(super) struct Repairer {
    odds: Odds,
    pieces: Pieces,
    random: Random,
    options: Options,
    learnt: usize,
    candidate: Vec<u8>,
    reached: Option<Reached>,
    /// All inputs that reached something new, and those of them that are valid.
    inputs: Inputs,
    valid: Inputs,
    /// Places where all words of the target are tried.
    places: WordPlaces,
    jobs: u32,
}

impl Repairer {
    /// Nothing is known, and the target is not run.
    pub(super) fn new() -> Self {
        Repairer {
            odds: Odds::new(),
            pieces: Pieces::new(),
            random: Random::new(0),
            options: Options::default(),
            learnt: 0,
            candidate: Vec::new(),
            reached: None,
            inputs: Inputs::default(),
            valid: Inputs::default(),
            places: WordPlaces::default(),
            jobs: 0,
        }
    }

    /// Nothing is known. The target of this program is run too, where there is one.
    pub(super) fn with_target() -> Self {
        let mut repairer = Repairer { reached: Reached::new(), ..Repairer::new() };
        if let Some(reached) = &repairer.reached {
            repairer.pieces.learn_code(reached.words());
        }
        repairer
    }

    /// As [`Repairer::new`], with a target that a test made.
    #[cfg(test)]
    pub(super) fn with_reached(reached: Reached) -> Self {
        Repairer { reached: Some(reached), ..Repairer::new() }
    }

    /// Does a job. `tell` gets each candidate before its test, and the answer at the end.
    pub(super) fn work(
        &mut self,
        job: &[u8],
        is_valid: &dyn Fn(&[u8]) -> bool,
        tell: &dyn Fn(&[u8]),
    ) -> Option<()> {
        let room = job.len();
        let began = processor_time();
        let Job { task, max_size, runs_target } = Job::read(job)?;
        let mut reached = self.reached.take();
        let mut tester = Tester::new(is_valid, tell, reached.as_mut().filter(|_| runs_target));
        // What the target was not run on may be new.
        let is_new = !tester.runs_target();
        let plain = |bytes| Text { bytes, origin: NO_ORIGIN, is_valid: true, is_new };
        let mut texts: Vec<Text> = match task {
            Task::Parent { input, may_take } => {
                self.parent(&mut tester, input, may_take).into_iter().map(plain).collect()
            }
            Task::Mutants { parent, mutants, more } => {
                let texts = self.mutants(&mut tester, parent, (&mutants, more), max_size);
                texts.into_iter().map(plain).collect()
            }
            Task::Pieces { parent, more, compared, kept } => {
                if !tester.runs_target() {
                    kept.iter().for_each(|origin| self.pieces.record_kept(*origin));
                }
                compared.iter().for_each(|text| self.pieces.learn_compared(text, &mut self.random));
                self.pieces(&mut tester, parent, more)
            }
            Task::Explore { more } => {
                let room = EXPLORE_ROOM_BYTES / 2;
                let (all, valid, places) = (&mut self.inputs, &mut self.valid, &mut self.places);
                let known = Known { all, valid, places };
                explore(known, &mut tester, &mut self.pieces, more, room);
                Vec::new()
            }
            Task::Screen { parent, mutants } => {
                self.inputs.put(parent, &mut self.random);
                tester.replace(parent);
                let texts = self.screen(&mut tester, &mutants).into_iter().map(plain);
                tester.replacement().into_iter().chain(texts).collect()
            }
            Task::Look { inputs } => {
                let valid = inputs.into_iter().filter(|input| tester.is_valid(input));
                valid.map(|input| plain(input.to_vec())).collect()
            }
        };
        let mut found = std::mem::take(&mut tester.found);
        self.reached = reached;
        for Text { bytes, is_valid, .. } in &found {
            self.inputs.put(bytes, &mut self.random);
            if *is_valid {
                self.places.look(bytes, &self.pieces);
                self.valid.put(bytes, &mut self.random);
            }
        }
        texts.retain(|text| !found.iter().any(|one| one.bytes == text.bytes));
        found.append(&mut texts);
        found.retain(|text| !text.bytes.is_empty() && text.bytes.len() <= max_size);
        let took = processor_time().saturating_sub(began);
        self.jobs = self.jobs.saturating_add(1);
        let worker = WorkerState { jobs: self.jobs, runs_target: self.reached.is_some() };
        tell(&Word::write_done(&found, took, worker, room));
        Some(())
    }

    /// Which of these are valid. Those that reach something new are left with the tester.
    fn screen(&mut self, tester: &mut Tester<'_>, mutants: &[&[u8]]) -> Vec<Vec<u8>> {
        let limit = TimeLimit::new(MAX_TIME_PER_JOB);
        let mut texts = Vec::new();
        tester.origin = NO_ORIGIN;
        for mutant in mutants {
            if limit.is_over() {
                break;
            }
            let Shown { is_valid, is_new } = tester.test(mutant);
            if is_valid && is_new {
                self.pieces.learn(mutant, true, &mut self.random);
            } else if is_valid {
                texts.push(mutant.to_vec());
            }
        }
        texts
    }

    fn parent(
        &mut self,
        tester: &mut Tester<'_>,
        input: &[u8],
        may_take: Duration,
    ) -> Option<Vec<u8>> {
        self.inputs.put(input, &mut self.random);
        let is_valid = tester.is_valid(input);
        tester.know(input);
        let budget = Budget {
            max_tests: Some(MAX_RUNS_PER_PARENT),
            max_time: Some(may_take),
            ..Budget::default()
        };
        if is_valid {
            tester.know_valid(input);
        } else {
            self.pieces.learn(input, false, &mut self.random);
        }
        let text = if is_valid {
            input.to_vec()
        } else if may_take.is_zero() {
            return None;
        } else {
            let mut validator = InPlace::new(|candidate: &[u8]| tester.is_valid(candidate), budget);
            let validator: &mut dyn Validate = &mut validator;
            repair::repair(validator, input, &self.options).ok()?.text?
        };
        self.pieces.learn(&text, true, &mut self.random);
        self.valid.put(&text, &mut self.random);
        self.places.look(&text, &self.pieces);
        if self.learnt < MAX_LEARNT_INPUTS {
            self.learnt += 1;
            Arc::make_mut(&mut self.options.learnt).learn(&text);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use crate::mutator::job::More;
    use crate::mutator::time_limit::tests::use_processor;

    fn is_list(text: &[u8]) -> bool {
        let mut depth = 0i32;
        let is_closed = text.iter().all(|byte| {
            depth += i32::from(*byte == b'[') - i32::from(*byte == b']');
            matches!(byte, b'[' | b']' | b'0'..=b'9') && depth >= 0
        });
        is_closed && depth == 0 && text.first() == Some(&b'[')
    }

    const NO_MORE: More = More { count: 0, limit: 0, seed: 0 };

    #[test]
    fn more_are_made_of_pieces_of_what_was_seen() {
        let mut repairer = Repairer::new();
        work(&mut repairer, Task::Parent { input: b"[77", may_take: Duration::ZERO });
        let is_found = (0..2_000).any(|seed| {
            let more = More { count: 50, limit: 9, seed };
            let task = Task::Mutants { parent: b"[1]", mutants: Vec::new(), more };
            work(&mut repairer, task).0.contains(&b"[77]".to_vec())
        });
        assert!(is_found);
    }

    #[test]
    fn of_mutants_of_pieces_and_of_what_is_looked_at_the_valid_ones_are_told() {
        let mut repairer = Repairer::new();
        let mut found = Vec::new();
        // A job ends after some milliseconds, so one may come to little on a busy machine.
        for seed in 0..2_000 {
            let more = More { count: 50, limit: 9, seed };
            let (compared, kept) = (Vec::new(), Vec::new());
            let task = Task::Pieces { parent: b"[[1][22]]", more, compared, kept };
            let (texts, tests) = work(&mut repairer, task);
            assert!(texts.iter().all(|text| is_list(text)) && tests.len() <= 50, "{texts:?}");
            found.extend(texts);
            if found.contains(&b"[[1][1]]".to_vec()) {
                break;
            }
        }
        assert!(found.contains(&b"[[1][1]]".to_vec()), "{found:?}");
        let inputs = vec![&b"[1]"[..], b"[", b"[]"];
        let (texts, tests) = work(&mut repairer, Task::Look { inputs });
        assert_eq!((texts, tests.len()), (vec![b"[1]".to_vec(), b"[]".to_vec()], 3));
    }

    fn work(repairer: &mut Repairer, task: Task<'_>) -> (Vec<Vec<u8>>, Vec<Word>) {
        let said = RefCell::new(Vec::new());
        let job = Job { task, max_size: 64, runs_target: true }.write();
        repairer.work(&job, &is_list, &|word| said.borrow_mut().extend(Word::read(word))).unwrap();
        let mut said = said.into_inner();
        match said.pop() {
            Some(Word::Done { texts, .. }) => {
                (texts.into_iter().map(|text| text.bytes).collect(), said)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_mutant_is_valid_in_the_end_or_left_out() {
        let mutants = vec![&b"[[1]"[..], b"[12]", b"[!!!!!!!!!!!!!!!!!!!!!!!!!!]", b"[1]]"];
        let (texts, tests) =
            work(&mut Repairer::new(), Task::Mutants { parent: b"[1]", mutants, more: NO_MORE });
        assert!(texts.iter().all(|text| is_list(text)), "{texts:?}");
        assert!(texts.contains(&b"[12]".to_vec()) && texts.len() >= 3, "{texts:?}");
        assert_eq!(tests[0], Word::Tests(b"[[1]".to_vec()), "what is tested is told before");
    }

    #[test]
    fn a_parent_is_mended_only_if_there_is_time() {
        let mut repairer = Repairer::new();
        let look = |input, may_take| Task::Parent { input, may_take };
        assert_eq!(work(&mut repairer, look(b"[1", Duration::ZERO)).0, [b""; 0]);
        assert_eq!(work(&mut repairer, look(b"[1]", Duration::ZERO)).0, [b"[1]"]);
        assert_eq!(work(&mut repairer, look(b"[1", Duration::from_secs(60))).0, [b"[1]"]);
    }

    #[test]
    fn a_job_ends_with_the_test_in_which_its_time_is_over() {
        let tests = Cell::new(0);
        let is_slow = |_: &[u8]| {
            tests.set(tests.get() + 1);
            use_processor(2 * MAX_TIME_PER_JOB);
            true
        };
        let mutants = vec![&b"[1"[..]; 64];
        let task = Task::Screen { parent: b"[1]", mutants };
        let job = Job { task, max_size: 64, runs_target: true }.write();
        Repairer::new().work(&job, &is_slow, &|_| ()).unwrap();
        assert_eq!(tests.get(), 1);
    }

    #[test]
    fn what_is_no_job_is_refused() {
        assert!(Repairer::new().work(b"", &is_list, &|_| ()).is_none());
    }
}
