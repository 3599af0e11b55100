//! Asks the oracle about draws: do all inputs fail that have something else at these places?
//!
//! Draws are numbered, and each number's dice are seeded from the question and the number alone,
//! so that reading ahead changes nothing. A string is asked about once; a place of which nothing
//! new can be drawn is exhausted, and then all its strings are known.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::event::StopReason;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_grammar::Digest;
use seedsmith_grammar::NodeId;
use seedsmith_grammar::Random;
use seedsmith_grammar::Word;

use crate::generalize::domain::Domain;
pub(crate) use crate::generalize::draws::answer::{CheckResult, Spread, Witness};
use crate::generalize::draws::pool;
use crate::generalize::draws::pool::{Pool, Pools};
use crate::generalize::limits::OwnLimits;
use crate::generalize::pattern::{Replaced, Slot, Subject};

/// Draws in a row without anything new after which a place counts as exhausted. If one in twenty draws
/// were new, 60 in a row without one would have a chance of 5 %.
const MAX_STALE_DRAWS: usize = 60;
/// Rejected draws that are kept to find out why they were rejected: more than the three that are
/// explained at a time, because one draw may be explained by the slots of another.
const MAX_KEPT_REJECTIONS: usize = 12;
/// Tested candidates that are kept for reasons, conditions and kits: a bound on memory, because each is a
/// copy of an input.
const MAX_KEPT_TESTS: usize = 2_000;

/// Asks about one subject.
pub struct Prober<'p, 't> {
    /// Answers.
    pub oracle: &'p mut Oracle<'t>,
    /// The subject of the question.
    pub subject: Subject,
    seed: u64,
    questions: u64,
    pools: Pools,
    /// For a node that is the cause alone: the shortest thing instead of it that passed.
    pub passing: BTreeMap<NodeId, Vec<u8>>,
    /// For a leaf, texts that pass or are rejected instead of it: no class that holds one may
    /// be there.
    pub refuting: BTreeMap<NodeId, Vec<Vec<u8>>>,
    /// For a leaf with room, bytes that are left out of what may be there.
    pub except: BTreeMap<NodeId, Vec<u8>>,
    /// Parts that were asked about as equal ones.
    pub grouped: HashSet<Vec<NodeId>>,
    /// Candidates that were tested, and whether they failed: what a condition is learnt from.
    pub tested: Vec<(Vec<u8>, bool)>,
    /// Whether any candidate was rejected.
    pub has_rejections: bool,
    /// Whether the failure is a hang: then a test that fails takes as long as its limit.
    pub is_hang: bool,
    /// Tests after which the questions end, by a limit that the caller has not set.
    own_limit: Option<u64>,
    /// Candidates that failed in the last question, which counts where a limit ended it.
    pub last_fails: u64,
}

impl<'p, 't> Prober<'p, 't> {
    /// A prober whose draws follow from `seed`.
    pub fn new(oracle: &'p mut Oracle<'t>, subject: Subject, seed: u64) -> Self {
        Prober {
            oracle,
            subject,
            seed,
            questions: 0,
            pools: Pools::new(seed),
            passing: BTreeMap::new(),
            refuting: BTreeMap::new(),
            except: BTreeMap::new(),
            grouped: HashSet::new(),
            tested: Vec::new(),
            has_rejections: false,
            is_hang: false,
            own_limit: None,
            last_fails: 0,
        }
    }

    /// Draws for all `slots` at once, `context` in place already, until `wanted` candidates have
    /// failed or one passes. Cost: at most `5·wanted + 20` tests; [`Spread`]
    /// says how many rejections are allowed beside the failures.
    pub fn check(
        &mut self,
        slots: &[Slot],
        context: &Replaced,
        wanted: u64,
        spread: Spread,
    ) -> Result<CheckResult, Stopped> {
        self.check_time()?;
        self.questions += 1;
        let salt = Random::new(self.seed ^ (self.questions << 20)).next_number();
        let mut draws = Draws { slots, salt, number: 0, pools: Vec::new() };
        if let Spread::Varied(first) = spread {
            draws.number = first;
            draws.pools = slots.iter().map(|slot| self.pools.of(&mut self.subject, slot)).collect();
        }
        let mut seen: HashSet<Digest> = HashSet::new();
        if let Some(unchanged) = self.subject.render(context) {
            seen.insert(Digest::of(&unchanged));
        }
        let mut answer = CheckResult {
            fails: 0,
            unresolved: 0,
            passed: None,
            rejected: Vec::new(),
            is_exhausted: false,
            unwritable: 0,
            wanted,
            drew: false,
        };
        let mut is_over = false;
        // The oracle asks the budget for each test, and a draw that cannot be written is none.
        let (budget, started) = (self.oracle.budget().clone(), self.oracle.started());
        // Drawn ahead of the answers, which come in the same order.
        let ahead: RefCell<VecDeque<Witness>> = RefCell::default();
        self.last_fails = 0;
        while answer.fails < wanted
            && answer.unresolved <= spread.allows(wanted, answer.fails)
            && !is_over
        {
            let mut left = (wanted - answer.fails).min(self.own_tests_left());
            let subject = &mut self.subject;
            let (drew, is_exhausted) = (&mut answer.drew, &mut answer.is_exhausted);
            let unwritable = &mut answer.unwritable;
            let mut next = |buffer: &mut Vec<u8>| {
                left = left.checked_sub(1)?;
                let mut repeated = 0;
                for _ in 0..MAX_STALE_DRAWS {
                    if budget.check_time(started).is_err() {
                        is_over = true;
                        return None;
                    }
                    let number = draws.number;
                    let Some(words) = draws.next(subject) else { continue };
                    let mut replaced = context.clone();
                    for (slot, words) in slots.iter().zip(&words) {
                        for &node in &slot.nodes {
                            replaced.insert(node, words.clone());
                        }
                    }
                    let Some(text) = subject.render(&replaced) else {
                        *unwritable += 1;
                        continue;
                    };
                    *drew = true;
                    if seen.insert(Digest::of(&text)) {
                        buffer.extend_from_slice(&text);
                        ahead.borrow_mut().push_back(Witness { number, words, text });
                        return Some(());
                    }
                    repeated += 1;
                }
                // Else there may be more, but hardly anything drawn can be written.
                *is_exhausted = repeated * 2 > MAX_STALE_DRAWS;
                is_over = true;
                None
            };
            let (fails, unresolved) = (&mut answer.fails, &mut answer.unresolved);
            let (passed, rejected) = (&mut answer.passed, &mut answer.rejected);
            let (last_fails, tested) = (&mut self.last_fails, &mut self.tested);
            let mut is_answer = |outcome: Outcome| {
                let witness = ahead.borrow_mut().pop_front().expect("answers follow candidates");
                if outcome != Outcome::Unresolved && tested.len() < MAX_KEPT_TESTS {
                    tested.push((witness.text.clone(), outcome == Outcome::Fail));
                }
                match outcome {
                    Outcome::Fail => *fails += 1,
                    Outcome::Pass => *passed = Some(witness),
                    Outcome::Unresolved => {
                        *unresolved += 1;
                        if rejected.len() < MAX_KEPT_REJECTIONS {
                            rejected.push(witness);
                        }
                    }
                }
                *last_fails = *fails;
                outcome == Outcome::Pass || *unresolved > spread.allows(wanted, *fails)
            };
            let is_ended = self.oracle.until(&mut next, &mut is_answer)?.is_some();
            if is_ended {
                answer.is_exhausted = false;
                break;
            }
            ahead.borrow_mut().clear();
            self.check_time()?;
        }
        self.has_rejections |= answer.unresolved > 0;
        if let (Some(passed), [slot]) = (&answer.passed, slots)
            && context.is_empty()
            && slot.nodes.len() == 1
        {
            let words: Vec<u8> =
                passed.words[0].iter().flat_map(|word| &word.text).copied().collect();
            // The shortest, and of equals one that can be read.
            let rank = |text: &[u8]| {
                (text.len(), !text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' '))
            };
            let known = self.passing.entry(slot.nodes[0]).or_insert_with(|| words.clone());
            if rank(&words) < rank(known) {
                *known = words;
            }
        }
        Ok(answer)
    }

    /// How many of the most different draws have something new in one of the slots.
    ///
    /// The largest number among the slots, because all slots are drawn at once.
    pub fn informative_draws(&mut self, slots: &[Slot]) -> usize {
        let pools =
            slots.iter().map(|slot| self.pools.of(&mut self.subject, slot).informative_draws);
        pools.max().unwrap_or(0)
    }

    /// What can be drawn in place of a node. `None` without a grammar, and for nodes that no finite
    /// draw has.
    pub fn symbol(&self, node: NodeId) -> Option<Domain> {
        let language = self.subject.language.as_ref()?;
        language.symbol(self.subject.tree.node(node)).map(Domain::Symbol)
    }

    /// The outcome with exactly these words; unresolved if they can't be written.
    ///
    /// Costs a test if the candidate is new. It is kept for conditions like the draws of a check.
    pub fn outcome(&mut self, replaced: &Replaced) -> Result<Outcome, Stopped> {
        self.check_time()?;
        match self.subject.render(replaced) {
            Some(text) => {
                let outcome = self.oracle.outcome(&text)?;
                if self.tested.len() < MAX_KEPT_TESTS && outcome != Outcome::Unresolved {
                    self.tested.push((text, outcome == Outcome::Fail));
                }
                Ok(outcome)
            }
            None => Ok(Outcome::Unresolved),
        }
    }

    /// Whether an input fails; nothing if it neither fails nor passes. Costs a test if the input is new.
    pub(in crate::generalize) fn fails(&mut self, input: &[u8]) -> Result<Option<bool>, Stopped> {
        Ok(match self.oracle.outcome(input)? {
            Outcome::Fail => Some(true),
            Outcome::Pass => Some(false),
            Outcome::Unresolved => None,
        })
    }

    /// Fails when the time is over. Drawing and writing take time too, where it has to be
    /// parsed again, and is no test.
    pub(in crate::generalize) fn check_time(&self) -> Result<(), Stopped> {
        self.oracle.budget().check_time(self.oracle.started()).map_err(Stopped::Early)?;
        match self.is_at_own_limit() {
            true => Err(Stopped::Early(StopReason::Tests)),
            false => Ok(()),
        }
    }

    /// Asks the questions of a phase with limits that the caller has not set. Returns the reason for which the whole task
    /// ends: nothing if such a limit ended the phase.
    ///
    /// The phase keeps its findings up to then. An error is one of the target.
    pub(in crate::generalize) fn within(
        &mut self,
        limits: OwnLimits,
        phase: impl FnOnce(&mut Self) -> Result<(), Stopped>,
    ) -> Result<Option<StopReason>, Stopped> {
        let begun = limits.begin(self.oracle);
        // Draws before a claim are fewer near a limit of the caller, and the same beside an own one: that is
        // no limit of the oracle.
        self.own_limit = begun.own_tests;
        if self.own_limit.is_some() {
            let budget = self.oracle.budget().clone();
            self.oracle.set_budget(Budget { max_tests: None, ..budget });
        }
        let ended = phase(self);
        let ending = begun.end(self.oracle);
        self.own_limit = None;
        match ended {
            Ok(()) => Ok(None),
            Err(Stopped::Early(reason)) => Ok(ending.of_task(Some(reason))),
            Err(stopped) => Err(stopped),
        }
    }

    /// The tests that are left before a limit ends the questions: the caller's, or one that the caller has not set.
    pub(in crate::generalize) fn tests_left(&self) -> usize {
        let left = self.left_of(self.oracle.budget().max_tests).min(self.own_tests_left());
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// The same for the limit that the caller has not set alone: the oracle ends a question at the caller's.
    fn own_tests_left(&self) -> u64 {
        self.left_of(self.own_limit)
    }

    /// The tests that are left of a limit, if there is one.
    fn left_of(&self, limit: Option<u64>) -> u64 {
        let tests = self.oracle.counts().tests;
        limit.map_or(u64::MAX, |most| most.saturating_sub(tests))
    }

    /// Whether the limit that the caller has not set is reached.
    fn is_at_own_limit(&self) -> bool {
        self.own_tests_left() == 0
    }
}

/// The words of one candidate after the other.
struct Draws<'s> {
    slots: &'s [Slot],
    salt: u64,
    number: usize,
    /// For a varied spread, each slot's draws in the order in which they are used.
    pools: Vec<Rc<Pool>>,
}

impl Draws<'_> {
    fn next(&mut self, subject: &mut Subject) -> Option<Vec<Vec<Word>>> {
        let number = self.number;
        self.number += 1;
        let most = self.pools.iter().map(|pool| pool.draws.len()).max().unwrap_or(0);
        if number < most {
            let draws =
                self.pools.iter().map(|pool| pool.draws.get(number % pool.draws.len().max(1)));
            return draws.map(Option::<&_>::cloned).collect();
        }
        // After the pools it continues at random.
        let slots = self.slots.iter().enumerate();
        slots
            .map(|(at, slot)| {
                let salt = self.salt ^ ((at as u64) << 40);
                Some(pool::draw(subject, slot, salt, number as u64)?.words)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::domain::Domain;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::{Kind, Signature};

    fn judge() -> SameFailure {
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() }
    }

    #[test]
    fn a_question_of_many_draws_ends_with_the_tests_of_its_phase() {
        let target = ClosureTarget::failing_if(|_: &[u8]| true);
        for callers in [None, Some(40), Some(5)] {
            let budget = Budget { max_tests: callers, ..Budget::default() };
            let mut oracle = Oracle::new(&target, judge(), 1, budget).unwrap();
            let (subject, _) = crate::generalize::subject(b"1".to_vec(), None);
            let leaf = subject.tree.ids().last().unwrap();
            let mut prober = Prober::new(&mut oracle, subject, 0);
            let slots = [Slot::one(leaf, Domain::Integer { low: None, high: None })];
            let limits = OwnLimits { tests: Some(20), time: None };
            let stopped = prober.within(limits, |prober| {
                prober.check(&slots, &Replaced::new(), 200, Spread::Produced).map(drop)
            });
            assert_eq!(stopped.unwrap(), callers.map(|_| StopReason::Tests));
            assert_eq!(prober.oracle.counts().tests, callers.unwrap_or(20));
        }
    }

    #[test]
    fn answers_that_are_known_end_with_the_time_too() {
        let target = ClosureTarget::failing_if(|_: &[u8]| true);
        let budget = Budget::default();
        let interrupt = budget.interrupt.clone();
        let mut oracle = Oracle::new(&target, judge(), 1, budget).unwrap();
        let (subject, _) = crate::generalize::subject(b"1".to_vec(), None);
        let mut prober = Prober::new(&mut oracle, subject, 0);
        let nothing = Replaced::new();
        assert_eq!(prober.outcome(&nothing).unwrap(), Outcome::Fail);
        interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(prober.outcome(&nothing), Err(Stopped::Early(_))));
        let answer = prober.check(&[], &nothing, 1, Spread::Produced);
        assert!(matches!(answer, Err(Stopped::Early(_))));
    }
}
