//! From one failing input to a pattern that says what exactly makes it fail.
//!
//! ```text
//! failing input, reduced -> tree -> abstraction, isolation -> equal parts -> ranges, spelling
//!                                                                   claim <-+
//!                                   inputs of the pattern <- pattern <------+
//! ```
//!
//! Two ways lead to a pattern. The published one is DDSET ('Abstracting Failure-Inducing Inputs',
//! Gopinath et al., ISSTA 2020), step by step: [`abstraction`] (algorithm 2, with isolation),
//! [`equal`] (algorithm 3) and the compact form of [`pattern`] (algorithm 4), each
//! node tested `MAX_CHECKS` times. The default finds the same with [`joint`] draws, and states a
//! [`claim`] that rests on draws of the pattern as it produces inputs. Parts that a target rejects
//! draws for are dropped ([`blame`]). Where no grammar helps it continues with [`bytes`]. Last it
//! says why a part is required ([`reasons`]), and under which condition inputs fail at all
//! ([`predicate`]).

pub mod abstraction;
pub mod blame;
pub mod bytes;
pub mod claim;
pub mod domain;
pub mod effort;
pub mod equal;
pub mod export;
pub mod file;
pub mod gaps;
mod guilty;
pub mod joint;
pub mod judge;
pub mod kit;
pub mod pattern;
pub mod pool;
pub mod predicate;
pub mod prober;
pub mod produce;
pub mod reasons;
pub mod reduction;
pub mod settling;
pub mod speaker;

use std::collections::BTreeMap;

use crate::event::{Claim, Counts, Reason, StopReason};
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_grammar::structure::tree::{Kind, NodeId};

use claim::Wanted;
use domain::Domain;
use effort::Effort;
use joint::Found;
use pattern::{Pattern, Replaced, Slot, Subject};
use predicate::Measured;
use prober::{Prober, Spread};
use settling::{Situation, TestCost};
use speaker::{Misfit, Speaker};

/// How a pattern is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// As published: each abstract node fails that many times.
    Published {
        /// `MAX_CHECKS`; the paper has 100.
        checks: u64,
    },
    /// With joint draws, for a claim.
    Joint(Wanted),
}

/// A condition of a longer input is not looked for. Only inputs stay so long that use up the stack, or
/// whose offsets keep their length, and reading hundreds of them takes longer than all else.
const MOST_BYTES_WITH_CONDITION: usize = 4096;

/// What is wanted of a generalization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How.
    pub way: Way,
    /// Where all draws follow from.
    pub seed: u64,
    /// Whether reasons are looked for, and how thoroughly.
    pub explains: Explains,
    /// What a test of the target costs.
    pub cost: TestCost,
}

/// How much is asked about required parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explains {
    /// Nothing.
    Nothing,
    /// The nearest passing input of each part, for three tests a part at most.
    Nearest,
    /// Every other token at the place of each required one.
    Thoroughly,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            way: Way::Joint(Wanted::default()),
            seed: 0,
            explains: Explains::Nearest,
            cost: TestCost::default(),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Generalized {
    /// The pattern.
    pub pattern: Pattern,
    /// What is claimed of it.
    pub claim: Claim,
    /// The condition under which inputs fail, if a simple one was found.
    pub condition: Option<Measured>,
    /// Why parts are required.
    pub reasons: Vec<Reason>,
    /// What finding the pattern took.
    pub counts: Counts,
    /// What the reasons and the condition took.
    pub reason_counts: Counts,
    /// Why the grammar was of no use, where one was given.
    pub misfit: Option<Misfit>,
    /// Why it was stopped early: the pattern is what was known by then.
    pub stopped: Option<StopReason>,
    /// Candidates that were tested, and whether they failed; only some of them are kept.
    pub tested: Vec<(Vec<u8>, bool)>,
}

impl Generalized {
    /// The same with the costs of an attempt before it.
    #[must_use]
    pub fn after(mut self, earlier: &Generalized) -> Self {
        self.counts += earlier.counts;
        self.reason_counts += earlier.reason_counts;
        self.tested.extend(earlier.tested.iter().cloned());
        self
    }
}

/// Finds the pattern of an input that fails.
///
/// Without a grammar, or with one that the input doesn't fit, bytes are all there is: classes,
/// lengths and repetitions. The answer is the same for any number of workers.
pub fn generalize(
    oracle: &mut Oracle<'_>,
    input: Vec<u8>,
    language: Option<Speaker>,
    options: &Options,
) -> Result<Generalized, Stopped> {
    generalize_from(oracle, &[], input, language, options)
}

/// The same of an input that was minimized from others: a condition is learnt from these too.
pub fn generalize_from(
    oracle: &mut Oracle<'_>,
    origins: &[Vec<u8>],
    input: Vec<u8>,
    language: Option<Speaker>,
    options: &Options,
) -> Result<Generalized, Stopped> {
    let before = oracle.counts();
    let (subject, misfit) = subject(input, language);
    let mut prober = Prober::new(oracle, subject, options.seed);
    let mut state = State { found: Found::default(), claim: Claim::Nothing { unresolved: 0 } };
    let ended = match options.way {
        Way::Published { checks } => published(&mut prober, checks, &mut state),
        Way::Joint(wanted) => jointly(&mut prober, (wanted, options.cost), &mut state),
    };
    let mut stopped = early(ended)?;
    let State { found: Found { slots, unknown }, claim, .. } = state;
    let counts = prober.oracle.counts() - before;
    let pattern = Pattern { subject: prober.subject.clone(), slots, unknown };
    let mut found = Vec::new();
    if options.explains != Explains::Nothing && stopped.is_none() {
        let is_thorough = options.explains == Explains::Thoroughly;
        stopped = early(reasons::reasons(&mut prober, &pattern, is_thorough, &mut found))?;
    }
    let mut condition = None;
    let is_small = prober.subject.input.len() <= MOST_BYTES_WITH_CONDITION;
    let is_joint = matches!(options.way, Way::Joint(_)) && is_small;
    if options.explains != Explains::Nothing && stopped.is_none() && is_joint {
        let explained = predicate::explain(&mut prober, &pattern, origins, options.seed);
        stopped = early(explained.map(|explained| condition = explained))?;
    }
    let reason_counts = prober.oracle.counts() - before - counts;
    Ok(Generalized {
        pattern,
        claim,
        condition,
        reasons: found,
        counts,
        reason_counts,
        misfit,
        stopped,
        tested: std::mem::take(&mut prober.told),
    })
}

/// The reason of an early end, which is no error: what is known stays.
fn early(ended: Result<(), Stopped>) -> Result<Option<StopReason>, Stopped> {
    match ended {
        Ok(()) => Ok(None),
        Err(Stopped::Early(reason)) => Ok(Some(reason)),
        Err(stopped) => Err(stopped),
    }
}

/// The input with its tree, or with one leaf where no grammar could make one; and how it isn't in
/// the grammar's language, if it isn't.
pub fn subject(input: Vec<u8>, language: Option<Speaker>) -> (Subject, Option<Misfit>) {
    let Some(mut language) = language else { return (one_leaf(input), None) };
    match language.read(&input) {
        Ok((tree, misfit)) => {
            let language = Some(language);
            (Subject { input, tree, language, shared: BTreeMap::new() }, misfit)
        }
        Err(misfit) => (one_leaf(input), Some(misfit)),
    }
}

fn one_leaf(input: Vec<u8>) -> Subject {
    let whole = 0..input.len();
    bytes::cut::subject(input, &[whole])
}

/// What is known of a pattern on the way to it.
struct State {
    found: Found,
    claim: Claim,
}

impl State {
    fn add(&mut self, slots: impl IntoIterator<Item = Slot>) {
        self.found.slots.extend(slots);
        self.found.slots.sort_by_key(|slot| slot.nodes[0]);
    }
}

/// DDSET's algorithms 2 and 3, one after the other.
fn published(prober: &mut Prober<'_, '_>, checks: u64, state: &mut State) -> Result<(), Stopped> {
    abstraction::abstraction(prober, checks, &mut state.found)?;
    let slots = &state.found.slots;
    let groups =
        equal::context_sensitive::context_sensitive(prober, slots, checks, Spread::Produced)?;
    state.add(groups);
    let is_concrete = state.found.slots.is_empty();
    state.claim = if is_concrete { Claim::Concrete } else { Claim::Checks { checks } };
    Ok(())
}

fn jointly(
    prober: &mut Prober<'_, '_>,
    (wanted, cost): (Wanted, TestCost),
    state: &mut State,
) -> Result<(), Stopped> {
    let mut attempts = Attempts::new();
    if prober.subject.language.is_some() {
        joint::explore_all(prober, &mut state.found)?;
        equal::group(prober, &mut state.found.slots)?;
        look_closely(prober, &mut state.found.slots, &mut attempts)?;
    } else {
        bytes::explore(prober, &mut state.found.slots)?;
        // All of them were looked at as far as it goes.
        attempts.extend(prober.subject.tree.ids().map(|leaf| (leaf, 0)));
    }
    let Found { slots, unknown } = &mut state.found;
    if prober.subject.language.is_none() {
        settle(prober, slots, unknown, &mut attempts, (cost, Spread::Varied(0)))?;
    }
    if prober.subject.language.is_some() || prober.has_rejections {
        settle(prober, slots, unknown, &mut attempts, (cost, Spread::Claimed))?;
    }
    let mut effort = Effort::new(wanted);
    let claimed = claim(prober, slots, unknown, &mut effort, &mut attempts);
    // Where a limit ends it, the draws that there were give what confidence they give.
    state.claim = match &claimed {
        Ok(claim) => *claim,
        Err(_) => effort.claim(0),
    };
    claimed.map(|_| ())
}

/// How often a pattern of a leaf's own was refuted, for each leaf that was looked at.
type Attempts = BTreeMap<NodeId, u32>;

/// Finds ranges and spelled patterns for the required leaves that weren't looked at yet.
fn look_closely(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    attempts: &mut Attempts,
) -> Result<(), Stopped> {
    for node in open_leaves(prober, slots) {
        if attempts.insert(node, attempts.get(&node).copied().unwrap_or(0)).is_some() {
            continue;
        }
        let range = bytes::integers::range(prober, node)?;
        let unbounded = Domain::Integer { low: None, high: None };
        let found = match range {
            // Where any number will do, something else may too.
            Some(range) if range.domain == unbounded && is_leaf(prober, node) => {
                Some(bytes::token::spelling(prober, node, 0)?.unwrap_or(range))
            }
            None if is_leaf(prober, node) => bytes::token::spelling(prober, node, 0)?,
            range => range,
        };
        slots.extend(found);
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}

/// Draws until the claim holds; what a draw refutes, or what too many draws are rejected for, is
/// made smaller, and it begins anew.
fn claim(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
    effort: &mut Effort,
    attempts: &mut Attempts,
) -> Result<Claim, Stopped> {
    let nothing = Replaced::new();
    while !slots.is_empty() {
        effort.begin();
        let answer = prober.check(slots, &nothing, effort.draws(), Spread::Claimed);
        effort.fails = prober.last_fails;
        let answer = answer?;
        let changed = if let Some(passed) = &answer.passed {
            effort.refuted();
            joint::refute(prober, slots, passed, &nothing, unknown)?
        } else if answer.is_rejected() {
            effort.refuted();
            blame::drop_rejected(prober, slots, &answer.rejected, &nothing, unknown)?
        } else if answer.is_exhausted && answer.unresolved == 0 {
            return Ok(Claim::All { inputs: answer.fails + 1 });
        } else {
            return Ok(effort.claim(answer.unresolved));
        };
        restrict(prober, slots, changed, attempts)?;
    }
    Ok(Claim::Concrete)
}

/// Draws all slots at once before the claim: an attempt at one that is given up makes the next more
/// expensive.
fn settle(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
    attempts: &mut Attempts,
    (cost, spread): (TestCost, Spread),
) -> Result<(), Stopped> {
    let nothing = Replaced::new();
    let has_grammar = prober.subject.language.is_some();
    while !slots.is_empty() {
        let oracle = &prober.oracle;
        let limit = oracle.budget().max_tests;
        let left = limit.map(|limit| limit.saturating_sub(oracle.counts().tests));
        let has_rejections = prober.has_rejections;
        let draws = Situation { cost, has_grammar, has_rejections, left }.draws();
        if draws == 0 {
            break;
        }
        let answer = prober.check(slots, &nothing, draws, spread)?;
        let changed = if let Some(passed) = &answer.passed {
            joint::refute(prober, slots, passed, &nothing, unknown)?
        } else if answer.is_rejected() {
            blame::drop_rejected(prober, slots, &answer.rejected, &nothing, unknown)?
        } else {
            break;
        };
        restrict(prober, slots, changed, attempts)?;
    }
    Ok(())
}

/// Finds stricter patterns for the leaves whose own were refuted.
fn restrict(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    refuted: Vec<NodeId>,
    attempts: &mut Attempts,
) -> Result<(), Stopped> {
    for node in refuted {
        let attempt = attempts.entry(node).or_default();
        *attempt += 1;
        if !is_leaf(prober, node) {
            continue;
        }
        let found = match prober.subject.text(node) {
            [] => bytes::rooms::room(prober, node, *attempt)?,
            _ => bytes::token::spelling(prober, node, *attempt)?,
        };
        slots.extend(found);
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    // What became required may have to be as another part is, or for its spelling only.
    if prober.subject.language.is_some() {
        equal::group(prober, slots)?;
    }
    look_closely(prober, slots, attempts)
}

fn is_leaf(prober: &Prober<'_, '_>, node: NodeId) -> bool {
    prober.subject.tree.children(node).is_empty()
}

/// Required parts that hold more than their grammar tells: leaves of tokens with many texts, and
/// where there are no tokens, what holds a number.
fn open_leaves(prober: &Prober<'_, '_>, slots: &[Slot]) -> Vec<NodeId> {
    let subject = &prober.subject;
    let tree = &subject.tree;
    let mut found = Vec::new();
    let mut at = 0;
    while at < tree.len() as u32 {
        let id = NodeId(at);
        let node = tree.node(id);
        let is_inside = |slot: &NodeId| id <= *slot && slot.0 < node.subtree_end;
        if slots.iter().any(|slot| slot.nodes.contains(&id)) {
            at = node.subtree_end;
            continue;
        }
        at += 1;
        let has_slot = slots.iter().flat_map(|slot| &slot.nodes).any(is_inside);
        let is_open = match (&subject.language, node.kind) {
            (None, _) | (_, Kind::Error) => tree.children(id).is_empty(),
            (Some(language), Kind::Token(token)) if !language.is_flat() && token != 0 => {
                language.grammar().tokens[token as usize].literal.is_none()
            }
            (Some(language), Kind::Rule { .. }) => {
                let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
                language.is_flat() && !has_slot && subject.text(id).iter().all(is_digit)
            }
            _ => false,
        };
        if is_open && node.start < node.end {
            found.push(id);
            at = node.subtree_end;
        }
    }
    found
}

/// Whether a slot's domain names a symbol of the grammar.
pub fn is_of_grammar(slot: &Slot) -> bool {
    matches!(slot.domain, Domain::Symbol(_))
}
