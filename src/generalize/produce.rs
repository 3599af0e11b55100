//! Further inputs of a pattern, distinct and in an order that follows from the seed. Where a condition
//! was learnt, inputs that do not meet it are left out before they are tested.

use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};

use crate::event::StopReason;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::Digest;
use seedsmith_grammar::Random;

use super::pattern::Pattern;
use super::predicate::feature::{Words, features};
use super::predicate::learn::Predicate;
use crate::generalize::draws::sampler::Sampler;

/// Draws in a row without a new input after which a pattern counts as used up. If one draw in fifty were
/// new, 200 without one would have a chance of 2 %.
const MAX_STALE_DRAWS: usize = 200;
/// Tests for each input that is wanted, and tests besides, because some draws are rejected or pass: with
/// one valid draw in four all wanted inputs are found. Not measured.
const TESTS_PER_INPUT_AND_FIRST: (usize, usize) = (4, 60);

/// Draws inputs of a pattern, each once.
struct Producer<'p> {
    pattern: &'p mut Pattern,
    dice: Random,
    seen: HashSet<Digest>,
    keep_going: &'p dyn Fn() -> bool,
    wanted: Option<ConditionFilter<'p>>,
}

/// A condition that inputs have to meet.
struct ConditionFilter<'p> {
    condition: &'p Predicate,
    language: Sampler,
    /// The texts that it names.
    words: Words,
    /// Inputs that did not meet it.
    unmet: &'p Cell<usize>,
}

impl ConditionFilter<'_> {
    /// Whether the input meets the condition; an input that cannot be parsed is not refused.
    ///
    /// Costs parsing, and no test.
    fn takes(&mut self, input: &[u8]) -> bool {
        let Ok((tree, None)) = self.language.read(input) else { return true };
        let features = features(&tree, input, &self.language, &self.words);
        let is_met = self.condition.holds(&features);
        self.unmet.set(self.unmet.get() + usize::from(!is_met));
        is_met
    }
}

impl<'p> Producer<'p> {
    /// The input itself counts as seen, so it is not produced.
    fn new(pattern: &'p mut Pattern, seed: u64) -> Self {
        let seen = HashSet::from([Digest::of(&pattern.subject.input)]);
        Producer {
            pattern,
            dice: Random::new(seed ^ 0x70_726f_6475_6365),
            seen,
            keep_going: &|| true,
            wanted: None,
        }
    }
}

impl Iterator for Producer<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        (0..MAX_STALE_DRAWS).take_while(|_| (self.keep_going)()).find_map(|_| {
            let text = self.pattern.draw(&mut self.dice)?;
            let is_new = self.seen.insert(Digest::of(&text));
            let is_wanted = is_new && self.wanted.as_mut().is_none_or(|wanted| wanted.takes(&text));
            is_wanted.then_some(text)
        })
    }
}

/// Up to `count` distinct inputs of the pattern that meet the condition, if there is one, none of them
/// tested; and how many did not meet it. The first one is the minimized input; fewer come where the
/// pattern has no more.
pub(crate) fn produce(
    pattern: &mut Pattern,
    condition: Option<&Predicate>,
    count: usize,
    seed: u64,
) -> (Vec<Vec<u8>>, usize) {
    let unmet = Cell::new(0);
    let first = pattern.subject.input.clone();
    let wanted = wanted(pattern, condition, &unmet);
    let producer = Producer { wanted, ..Producer::new(pattern, seed) };
    let inputs = std::iter::once(first).chain(producer).take(count).collect();
    (inputs, unmet.get())
}

/// `None` without a condition, or where inputs cannot be read.
fn wanted<'p>(
    pattern: &Pattern,
    condition: Option<&'p Predicate>,
    unmet: &'p Cell<usize>,
) -> Option<ConditionFilter<'p>> {
    let (condition, language) = condition.zip(pattern.subject.language.clone())?;
    let words = condition.words();
    Some(ConditionFilter { condition, language, words, unmet })
}

/// As [`produce`] without a condition, as long as `keep_going` says so: each draw may have to be parsed, and many are
/// drawn in vain.
pub(crate) fn produce_while(
    pattern: &mut Pattern,
    count: usize,
    seed: u64,
    keep_going: &dyn Fn() -> bool,
) -> Vec<Vec<u8>> {
    let first = pattern.subject.input.clone();
    let producer = Producer { keep_going, ..Producer::new(pattern, seed) };
    std::iter::once(first).chain(producer).take(count).collect()
}

/// Inputs that were tested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tested {
    /// They fail, all of them; the first one is the minimized input.
    pub inputs: Vec<Vec<u8>>,
    /// How many were tested that don't.
    pub left_out: usize,
    /// How many do not meet the condition, and were not tested; nothing where there is no condition.
    pub unmet: Option<usize>,
    /// Why it was stopped early.
    pub stopped: Option<StopReason>,
}

/// As [`produce`], but of inputs that fail only. Cost: one test for each that is drawn; at most
/// `4·count + 60`.
pub(crate) fn produce_tested(
    oracle: &mut Oracle<'_>,
    pattern: &mut Pattern,
    condition: Option<&Predicate>,
    count: usize,
    seed: u64,
) -> Result<Tested, Stopped> {
    let inputs = vec![pattern.subject.input.clone()];
    let mut tested = Tested { inputs, ..Tested::default() };
    let unmet = Cell::new(0);
    let wanted = wanted(pattern, condition, &unmet);
    let has_condition = wanted.is_some();
    let (budget, started) = (oracle.budget().clone(), oracle.started());
    let keep_going = || budget.check_time(started).is_ok();
    let producer = Producer { keep_going: &keep_going, wanted, ..Producer::new(pattern, seed) };
    let mut producer =
        producer.take(TESTS_PER_INPUT_AND_FIRST.0 * count + TESTS_PER_INPUT_AND_FIRST.1);
    // Drawn ahead of the answers, which come in the same order.
    let ahead: RefCell<VecDeque<Vec<u8>>> = RefCell::default();
    let mut next = |buffer: &mut Vec<u8>| {
        let text = producer.next()?;
        buffer.extend_from_slice(&text);
        ahead.borrow_mut().push_back(text);
        Some(())
    };
    let mut is_answer = |outcome: Outcome| {
        let text = ahead.borrow_mut().pop_front().expect("answers follow candidates");
        match outcome {
            Outcome::Fail => tested.inputs.push(text),
            _ => tested.left_out += 1,
        }
        tested.inputs.len() >= count
    };
    if count > 1 {
        match oracle.until(&mut next, &mut is_answer) {
            Ok(Some(_)) => {}
            // The stream has ended: by itself, or for lack of time.
            Ok(None) => tested.stopped = budget.check_time(started).err(),
            Err(Stopped::Early(reason)) => tested.stopped = Some(reason),
            Err(stopped) => return Err(stopped),
        }
    }
    tested.unmet = has_condition.then(|| unmet.get());
    Ok(tested)
}

/// An input in which only the slot of that number is other than in the minimized one, if one can
/// be drawn: an example of that nonterminal. With an oracle it fails, as far as there is a budget.
/// Draws as long as `keep_going` says so. Cost: three tests at most.
pub(crate) fn example(
    pattern: &Pattern,
    slot: usize,
    seed: u64,
    oracle: Option<&mut Oracle<'_>>,
    keep_going: &dyn Fn() -> bool,
) -> Result<Option<Vec<u8>>, Stopped> {
    let Some(slot_alone) = pattern.slots.get(slot) else { return Ok(None) };
    let mut only = pattern.clone();
    only.slots = vec![slot_alone.clone()];
    let seed = seed.wrapping_add(slot as u64);
    let mut others = produce_while(&mut only, 4, seed, keep_going).split_off(1);
    // The middle one in size first: neither the plainest nor a monster.
    others.sort_by_key(Vec::len);
    let middle = others.len() / 2;
    others.rotate_left(middle);
    let Some(oracle) = oracle else { return Ok(others.into_iter().next()) };
    for input in others {
        match oracle.outcome(&input) {
            Ok(Outcome::Fail) | Err(Stopped::Early(_)) => return Ok(Some(input)),
            Ok(_) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::generalize::bytes::class::Class;
    use crate::generalize::domain::{Domain, Segment};
    use crate::generalize::pattern::Slot;
    use crate::generalize::predicate::condition::{Bound, Condition};
    use crate::generalize::predicate::feature::{Feature, Term};
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::internal::Budget;
    use seedsmith_engine::{Kind, Signature};
    use seedsmith_grammar::Language;
    use seedsmith_grammar::NodeId;
    use seedsmith_grammar::Parser;
    use seedsmith_grammar::internal::Substitutes;
    use seedsmith_grammar::internal::g4;

    fn number(input: &[u8]) -> u64 {
        std::str::from_utf8(&input[1..input.len() - 1]).unwrap().parse().unwrap_or(u64::MAX)
    }

    #[test]
    fn draws_that_do_not_meet_the_condition_are_not_tested() {
        let text = "grammar L; list: '[' N ']' EOF; N: [0-9]+;";
        let parser = Parser::new(Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap()));
        let language = Language::of(parser, None).unwrap();
        let sampler = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let (subject, _) = crate::generalize::subject(b"[70]".to_vec(), Some(sampler));
        let place = subject.tree.ids().find(|&id| subject.text(id) == b"70").unwrap();
        let symbol = subject.language.as_ref().unwrap().symbol(subject.tree.node(place)).unwrap();
        let slots = vec![Slot::one(place, Domain::Symbol(symbol))];
        let mut pattern = Pattern { subject, slots, unknown: Vec::new() };
        let feature = Feature::Value(Term::Greatest("<N>".into()));
        let bound = Bound::AtLeast(50);
        let condition = Predicate::All(vec![Condition { feature, bound }]);
        let target = ClosureTarget::failing_if(|input: &[u8]| number(input) >= 50);
        let mut oracle = Oracle::new(&target, judge(), 2, Budget::default()).unwrap();
        let tested = produce_tested(&mut oracle, &mut pattern, Some(&condition), 20, 0).unwrap();
        assert_eq!((tested.inputs.len(), tested.left_out), (20, 0));
        assert!(tested.unmet.is_some_and(|unmet| unmet > 0));
        let (inputs, unmet) = produce(&mut pattern, Some(&condition), 20, 0);
        assert!(unmet > 0 && inputs.iter().all(|input| number(input) >= 50), "{inputs:?}");
        let (inputs, unmet) = produce(&mut pattern, None, 20, 0);
        assert!(unmet == 0 && inputs.iter().any(|input| number(input) < 50), "{inputs:?}");
    }

    fn judge() -> SameFailure {
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() }
    }

    #[test]
    fn only_what_fails_is_produced_where_there_is_a_target() {
        let (subject, _) = crate::generalize::subject(b"1".to_vec(), None);
        let digits = Segment::Class { class: Class::Digit, least: 1, most: Some(3) };
        let slot = Slot::one(NodeId(1), Domain::Spelled(vec![digits]));
        let mut pattern = Pattern { subject, slots: vec![slot], unknown: Vec::new() };
        let target = ClosureTarget::failing_if(|input: &[u8]| !input.ends_with(b"7"));
        let mut oracle = Oracle::new(&target, judge(), 2, Budget::default()).unwrap();
        let tested = produce_tested(&mut oracle, &mut pattern, None, 50, 0).unwrap();
        assert_eq!((tested.inputs.len(), tested.stopped), (50, None));
        assert!(tested.inputs.iter().all(|input| !input.ends_with(b"7")));
        assert!(tested.left_out > 0);
        assert!(produce(&mut pattern, None, 50, 0).0.iter().any(|input| input.ends_with(b"7")));
        oracle.set_budget(Budget { max_tests: Some(0), ..Budget::default() });
        let tested = produce_tested(&mut oracle, &mut pattern, None, 500, 1).unwrap();
        assert!(tested.stopped.is_some() && tested.inputs[0] == b"1");
        // Nothing is drawn once there is no time for it.
        oracle.set_budget(Budget { max_time: Some(Duration::ZERO), ..Budget::default() });
        let tested = produce_tested(&mut oracle, &mut pattern, None, 500, 1).unwrap();
        assert_eq!((tested.stopped, tested.inputs.len()), (Some(StopReason::Time), 1));
        assert_eq!(produce_while(&mut pattern, 50, 0, &|| false), [b"1"]);
    }
}
