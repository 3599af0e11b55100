//! One fuzzer's repairs: what is known of its inputs, what lies ready, and who makes the next mutant.

mod choose;
mod parents;
mod stock;

use std::time::Duration;

use super::job::{Job, More, NO_ORIGIN, Origin, Task, Text};
use super::length::{Length, Parents};
use super::made::{Made, Makers};
use super::pace::{Maker, Pace, Turn, processor_time};
use super::plainly::{Plainly, Room};
use super::samples::Samples;
use super::validator::{Answer, Asked, Validator};
use super::wanted::Wanted;
use parents::{Known, Parent, Recent};
use seedsmith_grammar::control_chars::escape_control_chars;
use seedsmith_grammar::digest::{Digest, NumberMap};
use stock::Stock;

/// Mutants of libFuzzer that are mended in one go, with as many that are made of pieces.
const LOT: usize = 16;
/// Changes of pieces that are made and tested in one go.
const PIECES: usize = 192;
/// And bytes of either, about: a valid text takes time by its length, so a short parent gets more
/// mutants than a long one, and each about the same time.
const BYTES_OF_A_LOT: usize = 1_500;
const BYTES_OF_PIECES: usize = 24_000;
/// So many finds of libFuzzer are looked at in one go, and so many wait for that at most.
const ENOUGH_FINDS: usize = 8;
const MOST_FINDS: usize = 256;
/// What reaches nothing new is at most so much longer than its parent: it takes time by its length.
const MOST_LONGER: usize = 16;
/// So many failures of the target in the worker, and it is not run there any more: either libFuzzer does not end at
/// its own failures, or the target fails in a worker only.
const MOST_FAILURES: u32 = 64;
/// Inputs of the corpus that are remembered.
const MOST_PARENTS: usize = 65_536;

/// The repairs of one fuzzer.
pub struct Session {
    asked: Option<Asked>,
    wanted: Wanted,
    parents: NumberMap<u128, Known>,
    /// The input that was picked from the corpus last.
    picked: u128,
    /// What is mutated now.
    input: Vec<u8>,
    /// What was handed to libFuzzer last: it mutates a mutant a few times in a row.
    handed: Vec<u8>,
    is_handed_valid: bool,
    /// Whether that is of our making, see [`Made`].
    is_ours: bool,
    /// Where libFuzzer was in its row before a mutant of ours came, and whether that was ours.
    row: (Vec<u8>, bool),
    samples: Samples,
    /// Mutants of libFuzzer alone that it kept, and that nobody has looked at.
    finds: Vec<Vec<u8>>,
    /// What libFuzzer made of nothing for the next lot of pieces.
    compared: Vec<Vec<u8>>,
    /// Of the last mutant of each row, which libFuzzer may have kept, and of all repaired ones.
    makers: Makers,
    /// Mutants that lie ready, by who made them.
    stocks: [Stock; Maker::ALL.len()],
    /// How often the target has failed in the worker.
    failures: u32,
    /// How the mutant that was handed to libFuzzer last was made.
    origin: Origin,
    /// How mutants were made that libFuzzer has kept, since the last lot of pieces.
    kept: Vec<Origin>,
    /// The valid text that mutants were made of last.
    valid: Vec<u8>,
    /// Valid mutants that were new lately.
    recent: Recent,
    /// Where libFuzzer makes mutants that are to be mended.
    room: Room,
    pace: Pace,
    length: Length,
    lengths: Parents,
    limit: usize,
    seed: u32,
    next: Turn,
}

impl Session {
    /// Prepares the worker. If that can't be done, says so and repairs nothing.
    pub fn new(validator: Validator, wanted: Wanted) -> Self {
        let wanted = wanted.or_environment();
        let asked = match Asked::new(validator) {
            Ok(asked) => Some(asked),
            Err(error) => {
                eprintln!(
                    "seedsmith: mutants are not repaired: {}",
                    escape_control_chars(&error.to_string(), &['\n'])
                );
                None
            }
        };
        let pace = Pace::new();
        Session {
            asked,
            wanted,
            parents: NumberMap::default(),
            picked: 0,
            input: Vec::new(),
            handed: Vec::new(),
            is_handed_valid: false,
            is_ours: false,
            row: (Vec::new(), false),
            samples: Samples::new(),
            finds: Vec::new(),
            compared: Vec::new(),
            makers: Makers::new(),
            stocks: Default::default(),
            failures: 0,
            origin: NO_ORIGIN,
            kept: Vec::new(),
            valid: Vec::new(),
            recent: Recent::default(),
            room: Room::new(),
            next: pace.next(wanted),
            pace,
            length: Length::new(),
            lengths: Parents::new(),
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
        let turn = match self.asked {
            Some(_) => self.next,
            None => Turn { maker: Maker::Fuzzer, is_for_valid: false },
        };
        let Turn { maker, is_for_valid } = turn;
        let is_behind_ours =
            is_in_a_row && self.pace.latest().is_some_and(|latest| latest != Maker::Fuzzer);
        let is_ready = maker != Maker::Fuzzer && self.stocks[maker as usize].has(is_for_valid);
        let mut row = None;
        if !is_ready {
            if maker == Maker::Pieces {
                self.compared = self.room.compared(max_size, plainly);
            }
            // What libFuzzer makes of a valid mutant takes as long to run as that, nearly, and brings
            // less than its own row does: so it goes on there.
            let goes_back = is_behind_ours && self.row.0.len() <= max_size;
            let size = if goes_back { self.row.0.len() } else { size };
            if goes_back {
                data[..size].copy_from_slice(&self.row.0);
            }
            let limit = self.limit.max(size).min(max_size);
            row = Some((plainly(data, size, limit), goes_back));
        }
        self.look_around(is_in_a_row, max_size);
        if maker != Maker::Fuzzer {
            if !is_behind_ours {
                self.row.0.clone_from(&self.input);
                self.row.1 = self.is_ours;
            }
            self.seed = seed;
            self.look_at_samples(max_size);
            self.look_at_finds(max_size);
            let made = self.ready(turn, is_in_a_row, max_size, plainly);
            if let Some(Text { bytes, origin, is_valid, is_new: _ }) = made {
                self.origin = origin;
                data[..bytes.len()].copy_from_slice(&bytes);
                self.hand(&bytes, turn, is_valid);
                return bytes.len();
            }
        }
        let (mutated, goes_back) =
            row.unwrap_or_else(|| (plainly(data, size, self.limit.max(size).min(max_size)), false));
        if goes_back {
            self.is_ours = self.row.1;
        }
        self.samples.see(&data[..mutated], self.is_ours);
        self.origin = NO_ORIGIN;
        let turn = Turn { maker: Maker::Fuzzer, is_for_valid: false };
        self.hand(&data[..mutated], turn, false);
        mutated
    }

    /// Finds out how many of libFuzzer's own mutants are valid, once there are enough for a look.
    fn look_at_samples(&mut self, max_size: usize) {
        let Some(samples) = self.samples.take() else { return };
        let inputs = samples.iter().map(Vec::as_slice).collect();
        // libFuzzer has run them: what the validator fails on is no news, and not valid.
        let (answer, _) = self.ask(Task::Look { inputs }, max_size);
        let valid = if let Answer::Texts(texts) = answer { texts.len() } else { 0 };
        self.pace.see_fuzzers(valid, samples.len());
    }

    /// Finds out how many of libFuzzer's own finds are valid.
    fn look_at_finds(&mut self, max_size: usize) {
        if self.finds.len() < ENOUGH_FINDS {
            return;
        }
        let finds = std::mem::take(&mut self.finds);
        let inputs = finds.iter().map(Vec::as_slice).collect();
        let (answer, _) = self.ask(Task::Look { inputs }, max_size);
        self.pace.found_valid(if let Answer::Texts(texts) = answer { texts.len() } else { 0 });
    }

    /// Takes down what libFuzzer has made of the last mutant.
    fn look_around(&mut self, is_in_a_row: bool, max_size: usize) {
        self.pace.enter();
        let mut is_new = false;
        if !is_in_a_row {
            // Only the last of a row can have got into the corpus.
            let handed = Digest::of(&self.handed).0;
            if let Some(maker) = self.pace.latest() {
                let (is_ours, is_valid) = (self.is_ours, self.is_handed_valid);
                let made = Made { maker, is_ours, is_valid, origin: self.origin };
                self.makers.put(handed, made);
            }
            self.picked = Digest::of(&self.input).0;
            if self.parents.len() >= MOST_PARENTS {
                self.parents.clear();
            }
            let made = self.makers.of(self.picked);
            let known = self.parents.entry(self.picked).or_insert_with(|| {
                is_new = true;
                let is_ours = made.is_some_and(|made| made.is_ours);
                Known { parent: Parent::Broken(0), is_ours }
            });
            self.is_ours = known.is_ours;
            if let Some(made) = made.filter(|_| is_new) {
                self.pace.found(made.maker, made.is_valid);
                if made.origin != NO_ORIGIN {
                    self.kept.push(made.origin);
                }
                if made.maker == Maker::Fuzzer && self.finds.len() < MOST_FINDS {
                    self.finds.push(self.input.clone());
                }
            }
        }
        self.limit = self.length.limit(self.input.len(), is_new, max_size);
    }

    /// Takes down what libFuzzer gets, and who made it.
    fn hand(&mut self, mutant: &[u8], turn: Turn, is_valid: bool) {
        self.handed.clear();
        self.handed.extend_from_slice(mutant);
        self.is_handed_valid = is_valid;
        self.is_ours |= turn.maker != Maker::Fuzzer;
        self.pace.hand(turn, is_valid);
        self.next = self.pace.next(self.wanted);
    }

    /// A mutant that lies ready, or comes of a lot that is made now. One that fails is new.
    fn ready(
        &mut self,
        turn: Turn,
        is_in_a_row: bool,
        max_size: usize,
        plainly: Plainly,
    ) -> Option<Text> {
        let Turn { maker, is_for_valid } = turn;
        if !self.stocks[maker as usize].has(is_for_valid) {
            let done = self.choose_parent(is_in_a_row, max_size).and_then(|()| {
                let is_its_turn = self.lengths.is_its_turn(self.valid.len(), spread(self.seed));
                // Who wants each mutant repaired gets that, of long parents too.
                let is_wanted = is_its_turn || self.wanted.share >= 1.0;
                if is_wanted && !self.valid.is_empty() && self.valid.len() <= max_size {
                    self.fill(turn, max_size, plainly)?;
                }
                Ok(())
            });
            if let Err(finding) = done {
                return Some(Text {
                    bytes: finding,
                    origin: NO_ORIGIN,
                    is_valid: false,
                    is_new: true,
                });
            }
        }
        let ready = self.stocks[maker as usize].take(is_for_valid);
        ready.filter(|text| text.bytes.len() <= max_size)
    }

    /// Has mutants made of pieces and tested, or libFuzzer make some and has them mended.
    fn fill(&mut self, turn: Turn, max_size: usize, plainly: Plainly) -> Result<(), Vec<u8>> {
        let maker = turn.maker;
        let began = processor_time();
        let recent = self.recent.one(spread(self.seed)).filter(|text| text.len() <= max_size);
        let parent = recent.unwrap_or(&self.valid).to_vec();
        let limit = self.limit.max(parent.len()).min(max_size);
        let room = (BYTES_OF_A_LOT / parent.len()).max(1);
        let more = |count| More { count, limit, seed: self.seed };
        let (answer, took) = if maker == Maker::Pieces {
            let made = std::mem::take(&mut self.compared);
            let compared = made.iter().map(Vec::as_slice).collect();
            let kept = std::mem::take(&mut self.kept);
            let more = more((BYTES_OF_PIECES / parent.len()).clamp(1, PIECES));
            let task = Task::Pieces { parent: &parent, more, compared, kept };
            self.ask(task, max_size)
        } else {
            let more = more(room.min(LOT));
            let mutants = self.room.mutants(&parent, more, max_size, plainly);
            let mutants = mutants.iter().map(Vec::as_slice).collect();
            let task = Task::Mutants { parent: &parent, mutants, more };
            self.ask(task, max_size)
        };
        self.pace.spend_on(turn, processor_time().saturating_sub(began) + took);
        match answer {
            Answer::Texts(texts) => {
                let is_cheap =
                    |text: &Text| text.is_new || text.bytes.len() <= parent.len() + MOST_LONGER;
                for text in texts.into_iter().filter(is_cheap) {
                    let digest = Digest::of(&text.bytes).0;
                    if self.makers.of(digest).is_none() && text.bytes.len() <= max_size {
                        let (is_valid, origin) = (text.is_valid, text.origin);
                        self.makers.put(digest, Made { maker, is_ours: true, is_valid, origin });
                        if text.is_new && is_valid {
                            self.recent.put(&text.bytes);
                        }
                        self.stocks[maker as usize].put(text);
                    }
                }
                Ok(())
            }
            Answer::Finding { input, .. } if input.len() <= max_size => Err(input),
            Answer::Finding { .. } => Ok(()),
        }
    }

    fn ask(&mut self, task: Task<'_>, max_size: usize) -> (Answer, Duration) {
        let nothing = (Answer::Texts(Vec::new()), Duration::ZERO);
        let Some(asked) = &mut self.asked else { return nothing };
        let job = Job { task, max_size, runs_target: self.failures < MOST_FAILURES };
        let answer = asked.ask(&job).unwrap_or_else(|error| {
            eprintln!(
                "seedsmith: from here on mutants are not repaired: {}",
                escape_control_chars(&error.to_string(), &['\n'])
            );
            self.asked = None;
            nothing
        });
        let has_failed = matches!(answer.0, Answer::Finding { is_of_target: true, .. });
        self.failures += u32::from(has_failed);
        answer
    }
}

/// libFuzzer's seeds have 31 bits.
fn spread(seed: u32) -> u32 {
    seed.wrapping_mul(0x9e37_79b1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_list(text: &[u8]) -> bool {
        text.starts_with(b"[") && text.ends_with(b"]")
    }

    /// A mutator that breaks everything.
    fn breaks(data: &mut [u8], size: usize, _: usize) -> usize {
        data[0] = b'!';
        size
    }

    fn session(share: f64) -> Session {
        Session::new(Validator::InPlace(is_list), Wanted { share, valid: None })
    }

    /// What becomes of one input of the corpus in so many turns.
    fn mutants(session: &mut Session, turns: u32) -> Vec<Vec<u8>> {
        let one = |seed| {
            let mut data = [0; 32];
            data[..8].copy_from_slice(b"[12,3,4]");
            let size = session.mutate(&mut data, (8, 32), seed, breaks);
            data[..size].to_vec()
        };
        (0..turns).map(one).collect()
    }

    #[test]
    fn without_a_share_every_mutant_is_libfuzzers() {
        assert!(mutants(&mut session(0.0), 100).iter().all(|one| one == b"!12,3,4]"));
    }

    #[test]
    fn ours_are_valid_and_hardly_one_comes_twice() {
        for share in [0.8, 1.0] {
            let mut ours = mutants(&mut session(share), 200);
            ours.retain(|one| one != b"!12,3,4]");
            let count = ours.len();
            assert!(count > 0 && ours.iter().all(|one| is_list(one)), "{share}: {ours:?}");
            ours.sort();
            ours.dedup();
            // Two may have the same place among those that are remembered.
            assert!(20 * ours.len() >= 19 * count, "{share}: {} of {count}", ours.len());
        }
    }

    /// A mutator that goes on where it was.
    fn adds(data: &mut [u8], size: usize, _: usize) -> usize {
        data[size] = b'!';
        size + 1
    }

    #[test]
    fn behind_a_mutant_of_ours_libfuzzer_goes_on_in_its_own_row() {
        let mut session = session(0.5);
        let (mut row, mut of_ours) = (b"[12,3,4]".to_vec(), 0);
        let mut latest = row.clone();
        for seed in 0..20 {
            let mut data = [0; 64];
            data[..latest.len()].copy_from_slice(&latest);
            let size = session.mutate(&mut data, (latest.len(), 64), seed, adds);
            latest = data[..size].to_vec();
            if is_list(&latest) {
                of_ours += 1;
            } else {
                row.push(b'!');
                assert_eq!(latest, row);
            }
        }
        assert!((1..20).contains(&of_ours), "{of_ours}");
    }
}
