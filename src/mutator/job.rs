//! What the fuzzer and the process that validates say to each other.
//!
//! A job is a lot of mutants of one parent, so that the two processes take turns once for all of
//! them. It goes to the worker as one candidate, long enough that the answer fits over it. Each candidate is
//! left there before its test, so that a crash or a hang is known by its bytes.

use std::time::Duration;

/// A task for the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task<'j> {
    /// Tell whether this input is valid. If it isn't, mend it, if there is time for that.
    Parent {
        /// The input.
        input: &'j [u8],
        /// How long that may take; nothing for a look alone.
        may_take: Duration,
    },
    /// Mend what can be mended of these.
    Mutants {
        /// The valid input that they come of.
        parent: &'j [u8],
        /// Each is the parent with one change.
        mutants: Vec<&'j [u8]>,
        /// And how many more the worker makes of pieces and mends.
        more: More,
    },
    /// Make mutants of pieces, and mend none of them.
    Pieces {
        /// The valid input that they come of.
        parent: &'j [u8],
        /// How many.
        more: More,
        /// What libFuzzer made of nothing, mostly of its table of recent compares.
        compared: Vec<&'j [u8]>,
        /// How earlier mutants were made that libFuzzer has kept since.
        kept: Vec<Origin>,
    },
    /// Run these as libFuzzer would, mend none of them, and report which reach something new and which are valid.
    Screen {
        /// An input of the corpus.
        parent: &'j [u8],
        /// What libFuzzer made of it.
        mutants: Vec<&'j [u8]>,
    },
    /// Make mutants of the inputs that were found before and run them.
    Explore {
        /// How long they may be. Their number follows from the time.
        more: More,
    },
    /// Tell which of these are valid.
    Look {
        /// Inputs that libFuzzer has run.
        inputs: Vec<&'j [u8]>,
    },
}

/// How a text was made, as the workshop numbers it.
pub(super) type Origin = u16;

/// The origin of all that was not made of pieces.
pub(super) const NO_ORIGIN: Origin = Origin::MAX;

/// The origin of a mutant that reaches nothing new, and may take the place of its parent because it is shorter.
pub(super) const SHORTER: Origin = Origin::MAX - 1;

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// An input.
    pub bytes: Vec<u8>,
    /// How it was made.
    pub origin: Origin,
    /// Whether the validator accepts it.
    pub is_valid: bool,
    /// Whether it reaches code that nothing reached before, as far as that is known: true where the target is not run.
    pub is_new: bool,
}

/// Mutants that are made where they are mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct More {
    /// How many.
    pub count: usize,
    /// Bytes of one at most.
    pub limit: usize,
    /// The seed of their random numbers.
    pub seed: u32,
}

/// A task, and how long a text may be that comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job<'j> {
    /// What to do.
    pub task: Task<'j>,
    /// Bytes of a text at most.
    pub max_size: usize,
    /// Whether the target may be run too, to see what candidates reach.
    pub runs_target: bool,
}

/// What the worker leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// This is being tested.
    Tests(Vec<u8>),
    /// The target itself is being run on this.
    Runs(Vec<u8>),
    /// The job is done, and some texts are valid: of each mutant one at most, the parent,
    /// or the inputs of a look. Others reach something new.
    Done {
        /// The texts; new ones first.
        texts: Vec<Text>,
        /// Processor time that this has taken.
        took: Duration,
        /// Who did it.
        worker: WorkerState,
    },
}

/// What a worker says of itself with each answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WorkerState {
    /// The jobs that it has done. A worker that was started again begins with one, and knows nothing.
    pub jobs: u32,
    /// Whether it can run the target.
    pub runs_target: bool,
}

/// The first byte of a job says which task it is: of [`Task::Parent`].
const PARENT_TAG: u8 = 0;
/// Of [`Task::Mutants`].
const MUTANTS_TAG: u8 = 1;
/// Of [`Task::Pieces`].
const PIECES_TAG: u8 = 2;
/// Of [`Task::Look`].
const LOOK_TAG: u8 = 3;
/// Of [`Task::Screen`].
const SCREEN_TAG: u8 = 4;
/// Of [`Task::Explore`].
const EXPLORE_TAG: u8 = 5;
/// The first byte of an answer says what it is, because the last answer before a crash is read alone: of
/// [`Word::Tests`].
const TESTS_TAG: u8 = 0;
/// Of [`Word::Done`].
const DONE_TAG: u8 = 1;
/// Of [`Word::Runs`].
const RUNS_TAG: u8 = 2;
/// A text's origin has 16 bits; whether it is valid is the bit above them, so that both are one number.
const IS_VALID_BIT: usize = 1 << 16;
/// The next bit: whether the text reaches something new.
const IS_NEW_BIT: usize = 1 << 17;

fn put_number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&(number as u32).to_le_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &[u8]) {
    put_number(bytes, text.len());
    bytes.extend_from_slice(text);
}

fn put_texts(bytes: &mut Vec<u8>, texts: &[&[u8]]) {
    put_number(bytes, texts.len());
    texts.iter().for_each(|text| put_text(bytes, text));
}

/// The order for more mutants of `parent`, and room for them: they are about as long as it is.
fn put_more(bytes: &mut Vec<u8>, more: More, parent: &[u8]) {
    for number in [more.count, more.limit, more.seed as usize] {
        put_number(bytes, number);
    }
    bytes.resize(bytes.len() + more.count * parent.len(), 0);
}

/// Takes values in the order in which they were put; `None` where bytes are missing.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.bytes(4)?.try_into().expect("four bytes were asked for");
        Some(u32::from_le_bytes(bytes) as usize)
    }

    fn origin(&mut self) -> Option<Origin> {
        Origin::try_from(self.number()?).ok()
    }

    fn made(&mut self) -> Option<Text> {
        let flags = self.number()?;
        let origin = Origin::try_from(flags % IS_VALID_BIT).ok()?;
        let (is_valid, is_new) = (flags & IS_VALID_BIT != 0, flags & IS_NEW_BIT != 0);
        Some(Text { bytes: self.text()?.to_vec(), origin, is_valid, is_new })
    }

    fn text(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?;
        self.bytes(length)
    }

    fn texts(&mut self) -> Option<Vec<&'b [u8]>> {
        let count = self.number()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn more(&mut self) -> Option<More> {
        let (count, limit) = (self.number()?, self.number()?);
        Some(More { count, limit, seed: self.number()? as u32 })
    }
}

impl<'j> Job<'j> {
    /// The job as a candidate.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = vec![match self.task {
            Task::Parent { .. } => PARENT_TAG,
            Task::Mutants { .. } => MUTANTS_TAG,
            Task::Pieces { .. } => PIECES_TAG,
            Task::Look { .. } => LOOK_TAG,
            Task::Screen { .. } => SCREEN_TAG,
            Task::Explore { .. } => EXPLORE_TAG,
        }];
        put_number(&mut bytes, self.max_size);
        put_number(&mut bytes, usize::from(self.runs_target));
        let texts = match &self.task {
            Task::Parent { input, may_take } => {
                put_number(&mut bytes, may_take.as_micros() as usize);
                put_text(&mut bytes, input);
                1
            }
            Task::Mutants { parent, mutants, more } => {
                put_text(&mut bytes, parent);
                put_texts(&mut bytes, mutants);
                put_more(&mut bytes, *more, parent);
                mutants.len() + more.count
            }
            Task::Pieces { parent, more, compared, kept } => {
                put_text(&mut bytes, parent);
                put_texts(&mut bytes, compared);
                put_number(&mut bytes, kept.len());
                kept.iter().for_each(|origin| put_number(&mut bytes, usize::from(*origin)));
                put_more(&mut bytes, *more, parent);
                more.count
            }
            Task::Screen { parent, mutants } => {
                put_text(&mut bytes, parent);
                put_texts(&mut bytes, mutants);
                mutants.len()
            }
            Task::Explore { more } => {
                put_more(&mut bytes, *more, &[]);
                bytes.resize(bytes.len() + EXPLORE_ROOM_BYTES + 2 * more.limit, 0);
                1
            }
            Task::Look { inputs } => {
                put_texts(&mut bytes, inputs);
                inputs.len()
            }
        };
        // Room for the answer. A mended text is a little longer than its mutant; if there are
        // longer ones, the answer has fewer.
        let each = self.max_size.min(bytes.len() + SPARE_BYTES) + SPARE_BYTES;
        bytes.resize(bytes.len().max(each) + texts * SPARE_BYTES, 0);
        bytes
    }

    /// The job that a candidate holds.
    pub(super) fn read(bytes: &'j [u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let kind = reader.bytes(1)?[0];
        let max_size = reader.number()?;
        let runs_target = reader.number()? != 0;
        let task = match kind {
            PARENT_TAG => {
                let may_take = Duration::from_micros(reader.number()? as u64);
                Task::Parent { input: reader.text()?, may_take }
            }
            MUTANTS_TAG => {
                let (parent, mutants) = (reader.text()?, reader.texts()?);
                Task::Mutants { parent, mutants, more: reader.more()? }
            }
            PIECES_TAG => {
                let (parent, compared) = (reader.text()?, reader.texts()?);
                let count = reader.number()?;
                let kept: Option<_> = (0..count).map(|_| reader.origin()).collect();
                Task::Pieces { parent, compared, kept: kept?, more: reader.more()? }
            }
            LOOK_TAG => Task::Look { inputs: reader.texts()? },
            EXPLORE_TAG => Task::Explore { more: reader.more()? },
            SCREEN_TAG => Task::Screen { parent: reader.text()?, mutants: reader.texts()? },
            _ => return None,
        };
        Some(Job { task, max_size, runs_target })
    }
}

/// Bytes that a mended text may be longer than its mutant, so that the answer fits over the job
/// in shared memory: closers and separators are a few bytes.
const SPARE_BYTES: usize = 64;
/// Room for what a search of the worker's own finds: some hundred inputs of usual length. A search ends when
/// half of it is full.
pub(super) const EXPLORE_ROOM_BYTES: usize = 32 << 10;

impl Word {
    /// Says that a candidate is being tested.
    pub(super) fn write_tests(candidate: &[u8], bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.push(TESTS_TAG);
        bytes.extend_from_slice(candidate);
    }

    /// Says that the target is being run on a candidate.
    pub(super) fn write_runs(candidate: &[u8], bytes: &mut Vec<u8>) {
        Word::write_tests(candidate, bytes);
        bytes[0] = RUNS_TAG;
    }

    /// Says what came of a job, in at most `room` bytes.
    pub(super) fn write_done(
        texts: &[Text],
        took: Duration,
        worker: WorkerState,
        room: usize,
    ) -> Vec<u8> {
        let mut bytes = vec![DONE_TAG];
        put_number(&mut bytes, took.as_micros() as usize);
        put_number(&mut bytes, worker.jobs as usize);
        put_number(&mut bytes, usize::from(worker.runs_target));
        for text in texts {
            if bytes.len() + 8 + text.bytes.len() <= room {
                let flag = |is_set, flag: usize| if is_set { flag } else { 0 };
                let flags = flag(text.is_valid, IS_VALID_BIT) + flag(text.is_new, IS_NEW_BIT);
                put_number(&mut bytes, usize::from(text.origin) + flags);
                put_text(&mut bytes, &text.bytes);
            }
        }
        bytes
    }

    /// The last word, if there is one.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        match *kind {
            TESTS_TAG => return Some(Word::Tests(rest.to_vec())),
            RUNS_TAG => return Some(Word::Runs(rest.to_vec())),
            _ => {}
        }
        let mut reader = Reader(rest);
        let took = Duration::from_micros(reader.number()? as u64);
        let worker =
            WorkerState { jobs: reader.number()? as u32, runs_target: reader.number()? != 0 };
        let texts = std::iter::from_fn(|| reader.made()).collect();
        Some(Word::Done { texts, took, worker })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_read_as_it_was_written_and_its_answer_fits_over_it() {
        let mutants = vec![&b"[1"[..], b"", b"[[]"];
        let more = More { count: 2, limit: 9, seed: !0 };
        for task in [
            Task::Look { inputs: mutants.clone() },
            Task::Screen { parent: b"[]", mutants: mutants.clone() },
            Task::Mutants { parent: b"[]", mutants: mutants.clone(), more },
            Task::Pieces {
                parent: b"[1]",
                more,
                compared: mutants.clone(),
                kept: vec![3, NO_ORIGIN],
            },
            Task::Explore { more },
            Task::Parent { input: b"[", may_take: Duration::from_millis(3) },
        ] {
            let job = Job { task, max_size: 100, runs_target: true };
            let bytes = job.write();
            assert_eq!(Job::read(&bytes), Some(job));
            assert!(Job::read(&bytes[..9]).is_none());
            let text = |bytes: &[u8], origin, is_valid| Text {
                bytes: bytes.to_vec(),
                origin,
                is_valid,
                is_new: !is_valid,
            };
            let texts = vec![text(b"[1]", 7, true), text(b"[[]", NO_ORIGIN, false)];
            let took = Duration::from_micros(7);
            let worker = WorkerState { jobs: 3, runs_target: true };
            let answer = Word::write_done(&texts, took, worker, bytes.len());
            assert_eq!(Word::read(&answer), Some(Word::Done { texts, took, worker }));
        }
    }

    #[test]
    fn what_is_tested_is_told_whole() {
        let mut bytes = Vec::new();
        Word::write_tests(b"[", &mut bytes);
        assert_eq!(Word::read(&bytes), Some(Word::Tests(b"[".to_vec())));
        Word::write_runs(b"[]", &mut bytes);
        assert_eq!(Word::read(&bytes), Some(Word::Runs(b"[]".to_vec())));
        assert_eq!(Word::read(b""), None);
    }
}
