//! Inputs that a condition is learnt from, with their features and whether they fail.

use crate::generalize::predicate::name::Name;
use std::collections::HashSet;
use std::num::NonZero;

use seedsmith_engine::Stopped;
use seedsmith_grammar::Digest;

use super::alphabet::Alphabet;
use super::mutants::{Base, Mutants};
use super::reader::INPUTS_READ_AT_ONCE;
use super::rejected::Rejected;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::{Feature, Features, Words, features};
use crate::generalize::predicate::learn::{Predicate, Table};
use crate::generalize::predicate::measured::Measured;
use crate::generalize::predicate::read::{Wanted, layouts};

/// Tested inputs of the search that are learnt from: passing and failing ones. Fewer passing ones,
/// because many of them pass only since the target refuses them: a number is too large for it, or an
/// escape is wrong.
const MAX_KNOWN_INPUTS: [usize; 2] = [40, 100];
/// Failing inputs that mutants are made of are no longer than this, because each mutant is parsed. Not
/// measured.
const MAX_BASE_BYTES: usize = 400;
/// Mutants of which one is tested while several predicates are left: the one on which they disagree,
/// because parsing two costs less than a test. Not measured.
const MUTANTS_PER_TEST: usize = 2;

/// Inputs that one of several conditions has to decide about alone, of which one has to hold: of twenty that are tried for each some are
/// rejected, and five that all fail are no accident.
const MIN_INPUTS_DECIDED: usize = 5;
/// What a condition weighs at most of which one is enough: that something is there, is equal or has a size. Four times a heavier one was measured and
/// found exact on the causes of tests/causes (22nd to 30th list), and it was wrong each time.
const MAX_WEIGHT_OF_ALTERNATIVE: u32 = 16;
/// Of this number of inputs one may fail although a condition does not hold for it.
const INPUTS_PER_MISS: usize = 50;

/// One input.
pub(in crate::generalize::predicate) struct TestedInput {
    /// Its bytes.
    pub input: Vec<u8>,
    /// Whether it fails.
    pub fails: bool,
}

/// An input that was tested.
pub(in crate::generalize::predicate) struct Waiting {
    input: Vec<u8>,
    /// Its features, if it was read wholly.
    features: Option<Features>,
    /// Nothing if it was rejected.
    fails: Option<bool>,
}

/// Tested inputs that wait at most, a bound on the memory.
const MAX_WAITING: usize = 48;
/// Rejected inputs that wait at most, because their common features keep others from being tested.
const MAX_WAITING_REJECTED: usize = 8;

/// Draws for each mutant that is wanted: many are outside of the language, or unusual. They cost no test.
const MUTANTS_DRAWN_PER_WANTED: usize = 8;

/// Inputs that show whether a target takes records alone: a dozen, because other bytes are records by chance.
const INPUTS_OF_RECORDS: usize = 12;

/// Inputs, each once.
pub(in crate::generalize::predicate) struct Samples {
    /// Their language.
    pub language: Sampler,
    /// Texts that names are made of.
    pub words: Words,
    /// What usual inputs are written in.
    pub alphabet: Alphabet,
    /// Those that were read before.
    pub seen: HashSet<Digest>,
    /// All that pass or fail.
    pub all: Vec<TestedInput>,
    /// Their features, of those that do not wait.
    pub table: Table,
    /// Inputs that are tested and not in the table yet, because those of several are read and taken in at once.
    pub waiting: Vec<Waiting>,
    /// What the target rejected.
    pub rejected: Rejected,
    /// The threads that inputs are read by.
    pub jobs: NonZero<usize>,
}

impl Samples {
    /// The features of all inputs, also of those that waited.
    pub(in crate::generalize::predicate) fn table(&mut self) -> &Table {
        self.settle();
        &self.table
    }

    /// Takes the inputs that wait into the table. Costs reading those that were not read.
    fn settle(&mut self) {
        // The table is asked for each input, and rarely one waits.
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let unread: Vec<usize> =
            (0..waiting.len()).filter(|at| waiting[*at].features.is_none()).collect();
        let read = self.in_threads(0..unread.len(), |at, reader| {
            reader.features(&waiting[unread[at]].input, &Wanted::ALL).unwrap_or_default()
        });
        for (at, features) in unread.into_iter().zip(read) {
            waiting[at].features = Some(features);
        }
        let rows = waiting.into_iter().filter_map(|one| Some((one.features?, one.fails)));
        let rows: Vec<(Features, Option<bool>)> = rows.collect();
        self.rejected.add(rows.iter().map(|(features, fails)| (features, fails.is_none())));
        self.table
            .add_all(rows.into_iter().filter_map(|(features, fails)| Some((features, fails?))));
    }

    /// The lessons from rejected inputs.
    pub(super) fn rejected(&mut self) -> &mut Rejected {
        if self.waiting.iter().filter(|one| one.fails.is_none()).count() >= MAX_WAITING_REJECTED {
            self.settle();
        }
        &mut self.rejected
    }

    /// What a predicate says of an input that was tested.
    pub(in crate::generalize::predicate) fn says(
        &mut self,
        at: usize,
        predicate: &Predicate,
    ) -> bool {
        predicate.holds(&self.table().features(at, predicate.conditions()))
    }

    /// How many inputs a predicate is wrong about, from that number on.
    ///
    /// `from` is an index into all inputs, so that a round's own inputs can be judged alone.
    pub(in crate::generalize::predicate) fn wrong(
        &mut self,
        from: usize,
        predicate: &Predicate,
    ) -> usize {
        let all = from..self.all.len();
        all.filter(|at| self.says(*at, predicate) != self.all[*at].fails).count()
    }

    /// Counts for how many inputs a condition is right, from that number on.
    pub(in crate::generalize::predicate) fn count_from(&mut self, from: usize, to: &mut Measured) {
        for at in from..self.all.len() {
            to.count(self.says(at, &to.predicate), self.all[at].fails);
        }
    }

    /// How many of some inputs pass although a predicate holds for them.
    pub(in crate::generalize::predicate) fn alarms(
        &mut self,
        of: std::ops::Range<usize>,
        predicate: &Predicate,
    ) -> usize {
        of.filter(|at| !self.all[*at].fails && self.says(*at, predicate)).count()
    }

    /// Whether a predicate holds for no input that passes and for nearly all that fail, read by its own words as every
    /// later reader reads it. Costs parsing all inputs.
    pub(in crate::generalize::predicate) fn agree(&self, predicate: &Predicate) -> bool {
        let (words, wanted) = (predicate.words(), Wanted::by(predicate.conditions()));
        let said = self.in_threads(0..self.all.len(), |at, reader| {
            let (_, read) = reader.look(&self.all[at].input, (&words, &wanted))?;
            Some((predicate.holds(&read), self.all[at].fails))
        });
        let alarms = said.iter().filter(|one| **one == Some((true, false))).count();
        let misses = said.iter().filter(|one| **one == Some((false, true))).count();
        alarms == 0 && misses <= self.all.len() / INPUTS_PER_MISS
    }

    /// Conditions that hold together with one of them about a part whose name has a word too; nothing if they say something else of some
    /// input then.
    pub(in crate::generalize::predicate) fn about_word(
        &mut self,
        all: &[Condition],
        word: &str,
    ) -> Option<Vec<Condition>> {
        let wrong = self.wrong(0, &Predicate::All(all.to_vec()));
        for (at, condition) in all.iter().enumerate() {
            for feature in self.table().narrower(&condition.feature, word) {
                let mut narrower = all.to_vec();
                narrower[at].feature = feature;
                let predicate = Predicate::All(narrower);
                if self.wrong(0, &predicate) <= wrong && self.agree(&predicate) {
                    return Some(predicate.conditions().to_vec());
                }
            }
        }
        None
    }

    /// Whether each of several conditions of which one has to hold decides about some inputs alone, and some inputs pass that
    /// have what it is about. What decides about fewer explains inputs that the others are wrong about, and may be true of
    /// anything else; so may a long one.
    pub(in crate::generalize::predicate) fn decide(&mut self, predicate: &Predicate) -> bool {
        let Predicate::Any(any) = predicate else { return true };
        let mut deciding = vec![0; any.len()];
        for at in 0..self.all.len() {
            let features = self.table().features(at, any);
            let mut holding = (0..any.len()).filter(|one| any[*one].holds(&features));
            if let (Some(one), None) = (holding.next(), holding.next()) {
                deciding[one] += 1;
            }
        }
        any.iter().all(|one| one.weight() <= MAX_WEIGHT_OF_ALTERNATIVE)
            && deciding.iter().all(|inputs| *inputs >= MIN_INPUTS_DECIDED)
            && any.iter().all(|one| self.pass_with(one) >= MIN_INPUTS_DECIDED)
    }

    /// How many inputs pass that have a part of the name that a condition is about; all that pass if it says that one is
    /// there.
    fn pass_with(&mut self, condition: &Condition) -> usize {
        let names = condition.feature.names();
        let is_presence =
            matches!((&condition.feature, condition.bound), (Feature::Count(_), Bound::AtLeast(1)));
        let name = names.first().copied().filter(|_| !is_presence).cloned();
        // A kind of a rule is counted as the rule: `<call> with "print"` as `<call>`.
        let rule = name.as_ref().and_then(|name| name.split(' ').next()).map(Name::from);
        let counts = [name, rule].map(|name| name.map(|name| self.table().counts(&name)));
        let is_there = |at: usize| match &counts {
            [Some(own), Some(rule)] if own.iter().all(|count| *count == 0) => rule[at] > 0,
            [Some(own), _] => own[at] > 0,
            _ => true,
        };
        (0..self.all.len()).filter(|at| !self.all[*at].fails && is_there(*at)).count()
    }

    /// The features of an input that is in the language and new.
    ///
    /// An input that was read before has none, so that nothing is learnt twice.
    pub(in crate::generalize::predicate) fn read(&mut self, input: &[u8]) -> Option<Features> {
        self.read_all(&[input]).pop().flatten()
    }

    /// The same of several inputs. Of two that are the same the first has some.
    fn read_all<I: AsRef<[u8]> + Sync>(&mut self, inputs: &[I]) -> Vec<Option<Features>> {
        let new = inputs.iter().map(|input| self.seen.insert(Digest::of(input.as_ref())));
        let new: Vec<bool> = new.collect();
        self.in_threads(0..inputs.len(), |at, reader| {
            if new[at] { reader.features(inputs[at].as_ref(), &Wanted::ALL) } else { None }
        })
    }

    /// Takes in that these inputs are usual, because the search starts from them.
    pub(in crate::generalize::predicate) fn allow<'i>(
        &mut self,
        inputs: impl Iterator<Item = &'i [u8]>,
    ) {
        for input in inputs {
            let input = &self.words.left_out.of(input);
            if let Ok((tree, None)) = self.language.read(input) {
                self.alphabet.allow(&features(&tree, input, &self.language, &self.words));
                self.alphabet.allow_neighbours((&tree, input), &self.language);
            }
        }
    }

    /// Takes in that the words of the grammar that these inputs have are usual.
    pub(in crate::generalize::predicate) fn allow_keywords(&mut self, inputs: &[Vec<u8>]) {
        for input in inputs {
            if let Ok((tree, None)) = self.language.read(input) {
                self.alphabet.allow_keywords(&tree);
            }
        }
    }

    /// Whether the last inputs that the target took are all made of records.
    ///
    /// Each of them is read by every layout, which costs some microseconds, and no test.
    pub(super) fn are_records(&self) -> bool {
        let mut last = self.all.iter().rev().take(INPUTS_OF_RECORDS);
        last.all(|one| layouts(&one.input).next().is_some())
    }

    /// What makes further mutants: passing inputs are needed where most that were tested fail.
    fn from(&self) -> Base {
        let failing = self.all.iter().filter(|one| one.fails).count();
        if failing * 3 > self.all.len() * 2 { Base::Passing } else { Base::Failing }
    }

    /// Takes in what the search has tested, as many failing as passing inputs at most.
    pub(in crate::generalize::predicate) fn add_known(&mut self, tested: &[(Vec<u8>, bool)]) {
        let (mut left, mut tested) = (MAX_KNOWN_INPUTS, tested.iter());
        loop {
            let some = tested.by_ref().filter(|(_, fails)| left[usize::from(*fails)] > 0);
            let some: Vec<&(Vec<u8>, bool)> = some.take(INPUTS_READ_AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            let inputs: Vec<&[u8]> = some.iter().map(|(input, _)| &input[..]).collect();
            for ((input, fails), features) in some.into_iter().zip(self.read_all(&inputs)) {
                let left = &mut left[usize::from(*fails)];
                if let Some(features) = features.filter(|_| *left > 0) {
                    *left -= 1;
                    self.take(input.clone(), Some(features), Some(*fails));
                }
            }
        }
    }

    /// Takes in an input that was tested, if it was not read before, and returns whether it did.
    ///
    /// Nothing happens for an input that is outside of the language, or not written as usual ones are. Costs parsing,
    /// and no test.
    pub(in crate::generalize::predicate) fn add_tested(
        &mut self,
        input: &[u8],
        fails: bool,
    ) -> bool {
        let Some(features) = self.read(input) else { return false };
        self.take(input.to_vec(), Some(features), Some(fails));
        true
    }

    /// The same of one that fails and that no condition may miss.
    pub(in crate::generalize::predicate) fn add_certain(&mut self, input: &[u8]) {
        if self.add_tested(input, true) {
            self.settle();
            self.table.make_certain();
        }
    }

    /// Takes in an input that passes or fails, or that is rejected.
    fn take(&mut self, input: Vec<u8>, features: Option<Features>, fails: Option<bool>) {
        // An input that was read wholly is not read again.
        let unread = if features.is_none() { input.clone() } else { Vec::new() };
        self.waiting.push(Waiting { input: unread, features, fails });
        if let Some(fails) = fails {
            self.all.push(TestedInput { input, fails });
        }
        if self.waiting.len() >= MAX_WAITING {
            self.settle();
        }
    }

    /// A few failing inputs that were tested, to make mutants of.
    ///
    /// The last six that are not too long: the search came to them late, so they are small.
    pub(in crate::generalize::predicate) fn failing_inputs(
        &self,
        tested: &[(Vec<u8>, bool)],
    ) -> Vec<Vec<u8>> {
        let failing = tested.iter().filter(|(_, fails)| *fails).map(|(input, _)| input);
        failing.filter(|input| input.len() < MAX_BASE_BYTES).rev().take(6).cloned().collect()
    }

    /// Tests `count` mutants that are new, and takes in those that pass or fail. At most half of them
    /// are such that `predicates` say different things of them, as far as there are any.
    pub(in crate::generalize::predicate) fn add_mutants(
        &mut self,
        prober: &mut Prober<'_, '_>,
        mutants: &mut Mutants,
        count: usize,
        predicates: &[Predicate],
    ) -> Result<(), Stopped> {
        let wanted = if predicates.len() > 1 { count * MUTANTS_PER_TEST } else { count };
        let mut made: Vec<(usize, (usize, Vec<u8>), Features)> = Vec::new();
        let lean = self.from();
        let mut draws = (0..wanted * MUTANTS_DRAWN_PER_WANTED).map(|number| match number % 4 {
            1 => Base::Passing,
            3 => lean,
            _ => Base::Failing,
        });
        while made.len() < wanted {
            prober.check_time()?;
            let some = draws.by_ref().take((wanted - made.len()).min(INPUTS_READ_AT_ONCE));
            let some: Vec<Base> = some.collect();
            if some.is_empty() {
                break;
            }
            let (ways, inputs): (Vec<usize>, Vec<Vec<u8>>) =
                some.into_iter().filter_map(|from| mutants.next(from)).unzip();
            let read = self.read_all(&inputs);
            for ((way, input), features) in ways.into_iter().zip(inputs).zip(read) {
                let Some(features) = features else { continue };
                if self.rejected().is_unlikely(&features) {
                    mutants.judge(way, false);
                    continue;
                }
                let holding = predicates.iter().filter(|one| one.holds(&features)).count();
                made.push((holding.min(predicates.len() - holding), (way, input), features));
            }
        }
        // Those of which the predicates are least of one mind first; else as they were drawn.
        let mut split: Vec<usize> = (0..made.len()).filter(|&at| made[at].0 > 0).collect();
        split.sort_by_key(|&at| (std::cmp::Reverse(made[at].0), at));
        split.truncate(count / 2);
        let others = (0..made.len()).filter(|at| !split.contains(at));
        let chosen: Vec<usize> = split.iter().copied().chain(others).take(count).collect();
        let mut made: Vec<Option<_>> = made.into_iter().map(Some).collect();
        for at in chosen {
            let (_, (way, input), features) = made[at].take().expect("each is chosen once");
            let fails = self.add(prober, input, features)?;
            mutants.judge(way, fails.is_some());
            if let (Some(fails), Some(last)) = (fails, self.all.last()) {
                mutants.keep(&last.input, fails);
            }
        }
        Ok(())
    }

    /// Tests an input, and takes it in if it passes or fails; returns whether it fails.
    pub(in crate::generalize::predicate) fn add(
        &mut self,
        prober: &mut Prober<'_, '_>,
        input: Vec<u8>,
        features: Features,
    ) -> Result<Option<bool>, Stopped> {
        let fails = prober.fails(&input)?;
        self.take(input, Some(features), fails);
        Ok(fails)
    }

    /// The same of an input that is usual and was not read wholly. Nothing for one that is not new.
    pub(super) fn test(
        &mut self,
        prober: &mut Prober<'_, '_>,
        input: Vec<u8>,
    ) -> Result<Option<bool>, Stopped> {
        if !self.seen.insert(Digest::of(&input)) {
            return Ok(None);
        }
        let fails = prober.fails(&input)?;
        self.take(input, None, fails);
        Ok(fails)
    }
}
