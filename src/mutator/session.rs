//! One fuzzer's repairs: what is known of its inputs, what lies ready, and who makes the next mutant.

use std::collections::VecDeque;
use std::time::Duration;

use super::Validator;
use super::job::{Job, More, Task};
use super::length::Length;
use super::pace::{Maker, Pace, processor_time};
use super::validator::{Answer, Asked};
use crate::digest::{Digest, NumberMap};

/// Mutants of libFuzzer that are mended in one go, with as many that are made of pieces.
const LOT: usize = 16;
/// And bytes of them at most, about.
const BYTES_OF_A_LOT: usize = 64 << 10;
/// What making an input of the corpus valid may cost, once.
const PARENTS_TIME: Duration = Duration::from_millis(10);
/// With less time than this an input of the corpus is not mended.
const ENOUGH_FOR_A_PARENT: Duration = Duration::from_millis(2);
/// Inputs of the corpus that are remembered.
const MOST_PARENTS: usize = 65_536;
/// Mutants that are remembered by who made them; a power of two.
const REMEMBERED: usize = 1 << 14;
/// An input that is not mended in so many visits is not tried again.
const VISITS: u8 = 3;

/// What is known of an input of the corpus.
enum Parent {
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    /// Visited that often, and not valid yet.
    Broken(u8),
}

/// libFuzzer's own mutator: of `data[..size]` it makes at most `max_size` bytes.
pub type Plainly = fn(&mut [u8], usize, usize) -> usize;

/// The repairs of one fuzzer.
pub struct Session {
    asked: Option<Asked>,
    share: f64,
    parents: NumberMap<u128, Parent>,
    /// The input that was picked from the corpus last.
    picked: u128,
    /// What is mutated now.
    input: Vec<u8>,
    /// What was handed to libFuzzer last: it mutates a mutant a few times in a row.
    handed: Vec<u8>,
    is_handed_valid: bool,
    /// Mutants by the low bits of their digest: the last of each row, which libFuzzer may have kept,
    /// and all repaired ones.
    made: Vec<(u128, Maker)>,
    /// Valid mutants that lie ready.
    stock: VecDeque<Vec<u8>>,
    /// The valid text that mutants were made of last.
    valid: Vec<u8>,
    /// Where libFuzzer makes mutants that are to be mended.
    room: Vec<u8>,
    pace: Pace,
    length: Length,
    limit: usize,
    seed: u32,
    next: Maker,
}

impl Session {
    /// Prepares the worker. If that can't be done, says so and repairs nothing.
    pub fn new(validator: Validator, share: f64) -> Self {
        let share = std::env::var("SEEDSMITH_REPAIR_SHARE").map_or(share, |text| {
            text.parse().unwrap_or_else(|_| panic!("SEEDSMITH_REPAIR_SHARE={text} is no number"))
        });
        let asked = match Asked::new(validator) {
            Ok(asked) => Some(asked),
            Err(error) => {
                eprintln!("seedsmith: mutants are not repaired: {error}");
                None
            }
        };
        let pace = Pace::new();
        Session {
            asked,
            share,
            parents: NumberMap::default(),
            picked: 0,
            input: Vec::new(),
            handed: Vec::new(),
            is_handed_valid: false,
            made: vec![(0, Maker::Fuzzer); REMEMBERED],
            stock: VecDeque::new(),
            valid: Vec::new(),
            room: Vec::new(),
            next: pace.next(share),
            pace,
            length: Length::new(),
            limit: 0,
            seed: 0,
        }
    }

    /// Mutates `data[..size]` in place and returns the new size.
    ///
    /// Where libFuzzer's own mutator is to have its way, that comes first: it takes bytes from what
    /// the target compared last, and what is compared in here would push that out.
    pub fn mutate(
        &mut self,
        data: &mut [u8],
        (size, max_size): (usize, usize),
        seed: u32,
        plainly: Plainly,
    ) -> usize {
        let is_in_a_row = self.handed == data[..size];
        self.input.clear();
        self.input.extend_from_slice(&data[..size]);
        if self.asked.is_none() || self.next == Maker::Fuzzer {
            let limit = self.limit.max(size).min(max_size);
            let mutated = plainly(data, size, limit);
            self.look_around(is_in_a_row, max_size);
            self.hand(&data[..mutated], Maker::Fuzzer, false);
            return mutated;
        }
        self.look_around(is_in_a_row, max_size);
        self.seed = seed;
        let ready = self.ready(is_in_a_row, max_size, plainly);
        let (text, is_valid) = match ready {
            Ok(Some(text)) => (text, true),
            Err(finding) => (finding, false),
            Ok(None) => {
                let mutated = plainly(data, size, self.limit.max(size).min(max_size));
                self.hand(&data[..mutated], Maker::Repair, false);
                return mutated;
            }
        };
        data[..text.len()].copy_from_slice(&text);
        self.hand(&text, Maker::Repair, is_valid);
        text.len()
    }

    /// Takes down what libFuzzer has made of the last mutant.
    fn look_around(&mut self, is_in_a_row: bool, max_size: usize) {
        self.pace.enter();
        let mut is_new = false;
        if !is_in_a_row {
            // Only the last of a row can have got into the corpus.
            let handed = Digest::of(&self.handed).0;
            if let Some(latest) = self.pace.latest() {
                self.made[handed as usize % REMEMBERED] = (handed, latest);
            }
            self.picked = Digest::of(&self.input).0;
            if self.parents.len() >= MOST_PARENTS {
                self.parents.clear();
            }
            self.parents.entry(self.picked).or_insert_with(|| {
                is_new = true;
                Parent::Broken(0)
            });
            let (made, maker) = self.made[self.picked as usize % REMEMBERED];
            if is_new && made == self.picked {
                self.pace.found(maker);
            }
        }
        self.limit = self.length.limit(self.input.len(), is_new, max_size);
    }

    /// Takes down what libFuzzer gets, and who made it.
    fn hand(&mut self, mutant: &[u8], maker: Maker, is_valid: bool) {
        self.handed.clear();
        self.handed.extend_from_slice(mutant);
        self.is_handed_valid = is_valid;
        self.pace.hand(maker);
        self.next = self.pace.next(self.share);
    }

    /// A valid mutant, if one can be made; an error is an input that the validator fails on.
    fn ready(
        &mut self,
        is_in_a_row: bool,
        max_size: usize,
        plainly: Plainly,
    ) -> Result<Option<Vec<u8>>, Vec<u8>> {
        if self.stock.is_empty() {
            self.choose_parent(is_in_a_row, max_size)?;
            if !self.valid.is_empty() && self.valid.len() <= max_size {
                self.fill(max_size, plainly)?;
            }
        }
        Ok(self.stock.pop_front().filter(|text| text.len() <= max_size))
    }

    /// Finds what valid mutants are to be made of.
    fn choose_parent(&mut self, is_in_a_row: bool, max_size: usize) -> Result<(), Vec<u8>> {
        if is_in_a_row {
            // Not worth a repair of its own: if it isn't valid, its ancestor is mutated again.
            if self.is_handed_valid {
                self.valid.clone_from(&self.input);
            }
            return Ok(());
        }
        if let Some(Parent::Broken(visits @ 0..VISITS)) = self.parents.get(&self.picked) {
            let known = self.look_at_picked(*visits, max_size)?;
            self.parents.insert(self.picked, known);
        }
        match self.parents.get(&self.picked) {
            Some(Parent::Valid) => self.valid.clone_from(&self.input),
            Some(Parent::Repaired(text)) => self.valid.clone_from(text),
            Some(Parent::Broken(_)) | None => {}
        }
        Ok(())
    }

    /// Makes the input of the corpus valid if it isn't.
    fn look_at_picked(&mut self, visits: u8, max_size: usize) -> Result<Parent, Vec<u8>> {
        let began = processor_time();
        let saved = self.pace.for_a_parent();
        // Whether it is valid is always asked; to mend it takes time that was saved up.
        let may_mend = saved >= ENOUGH_FOR_A_PARENT;
        let may_take = if may_mend { PARENTS_TIME.min(saved) } else { Duration::ZERO };
        let input = std::mem::take(&mut self.input);
        let (answer, took) =
            self.ask(&Job { task: Task::Parent { input: &input, may_take }, max_size });
        self.input = input;
        self.pace.spend_on_a_parent(processor_time().saturating_sub(began) + took);
        match answer {
            // The parent itself has been run by libFuzzer.
            Answer::Finding(finding) if finding != self.input && finding.len() <= max_size => {
                Err(finding)
            }
            Answer::Finding(_) => Ok(Parent::Broken(VISITS)),
            Answer::Valid(texts) => Ok(match texts.into_iter().next() {
                Some(text) if text == self.input => Parent::Valid,
                Some(text) => Parent::Repaired(text),
                None => Parent::Broken(visits + u8::from(may_mend)),
            }),
        }
    }

    /// Has libFuzzer make mutants, and mends them.
    fn fill(&mut self, max_size: usize, plainly: Plainly) -> Result<(), Vec<u8>> {
        let began = processor_time();
        let parent = self.valid.clone();
        let limit = self.limit.max(parent.len()).min(max_size);
        let count = (BYTES_OF_A_LOT / parent.len()).clamp(1, LOT);
        let mut data = std::mem::take(&mut self.room);
        data.resize(max_size, 0);
        let mutants: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                data[..parent.len()].copy_from_slice(&parent);
                let size = plainly(&mut data, parent.len(), limit);
                data[..size].to_vec()
            })
            .collect();
        self.room = data;
        let mutants = mutants.iter().map(Vec::as_slice).collect();
        let more = More { count, limit, seed: self.seed };
        let task = Task::Mutants { parent: &parent, mutants, more };
        let (answer, took) = self.ask(&Job { task, max_size });
        self.pace.spend_on_repairs(processor_time().saturating_sub(began) + took);
        match answer {
            Answer::Valid(texts) => {
                for text in texts {
                    let digest = Digest::of(&text).0;
                    let made = &mut self.made[digest as usize % REMEMBERED];
                    if made.0 != digest && text.len() <= max_size {
                        *made = (digest, Maker::Repair);
                        self.stock.push_back(text);
                    }
                }
                Ok(())
            }
            Answer::Finding(finding) if finding.len() <= max_size => Err(finding),
            Answer::Finding(_) => Ok(()),
        }
    }

    fn ask(&mut self, job: &Job<'_>) -> (Answer, Duration) {
        let nothing = (Answer::Valid(Vec::new()), Duration::ZERO);
        let Some(asked) = &mut self.asked else { return nothing };
        asked.ask(job).unwrap_or_else(|error| {
            eprintln!("seedsmith: from here on mutants are not repaired: {error}");
            self.asked = None;
            nothing
        })
    }
}
