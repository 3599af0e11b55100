//! The default method: slots by joint draws, and draws of all slots until a claim holds.
//!
//! A draw that passes, or several that are rejected, make the pattern smaller; the slots that are left are
//! drawn again. `settle` does so before a claim is attempted, `claim` for the claim itself.

use std::collections::BTreeMap;

use super::claim::ClaimGoal;
use super::claim::effort::Effort;
use super::claim::settling::{Situation, TestCost};
use super::domain::Domain;
use super::draws::prober::{Prober, Spread};
use super::pattern::{Replaced, Slot};
use super::slots::abstraction::FoundSlots;
use super::slots::joint;
use super::{bytes, equal, limits};
use crate::event::Claim;
use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

/// Of the draws before a claim the share that a further round has at least. Not measured.
const SHARE_OF_NEXT_ROUND: u64 = 4;

/// The findings about a pattern before it is complete.
pub(super) struct State {
    pub found: FoundSlots,
    pub claim: Claim,
    /// Whether its slots were drawn together until no draw made the pattern smaller.
    pub is_settled: bool,
}

/// Nothing was found and nothing is claimed.
impl Default for State {
    fn default() -> Self {
        let claim = Claim::Nothing { unresolved: 0 };
        State { found: FoundSlots::default(), claim, is_settled: false }
    }
}

impl State {
    /// Keeps the slots in the order of their first nodes.
    pub(super) fn add(&mut self, slots: impl IntoIterator<Item = Slot>) {
        self.found.slots.extend(slots);
        self.found.slots.sort_by_key(|slot| slot.nodes[0]);
    }
}

/// Finds slots with joint draws, then draws until a claim holds or a limit ends it.
///
/// With a grammar: nodes by joint draws, equal parts, then leaves in detail. Without one: bytes.
/// Both are settled before a claim is attempted.
pub(super) fn jointly(
    prober: &mut Prober<'_, '_>,
    (goal, cost): (ClaimGoal, TestCost),
    state: &mut State,
) -> Result<(), Stopped> {
    let mut attempts = Attempts::new();
    if prober.subject.language.is_some() {
        joint::explore_all(prober, &mut state.found)?;
        equal::group(prober, &mut state.found.slots)?;
        look_closely(prober, &mut state.found.slots, &mut attempts)?;
    } else {
        let slots = &mut state.found.slots;
        match cost {
            TestCost::Limit => {
                let limits = limits::to_explore_a_hang();
                let stopped = prober.within(limits, |prober| bytes::explore(prober, slots))?;
                if let Some(reason) = stopped {
                    return Err(Stopped::Early(reason));
                }
            }
            _ => bytes::explore(prober, slots)?,
        }
        // All of them were looked at as far as it goes.
        attempts.extend(prober.subject.tree.ids().map(|leaf| (leaf, 0)));
    }
    let FoundSlots { slots, unknown } = &mut state.found;
    let mut settled = 0;
    if prober.subject.language.is_none() {
        let spread = Spread::Varied(0);
        settle(prober, slots, unknown, &mut attempts, (cost, spread, &mut settled))?;
    }
    if prober.subject.language.is_some() || prober.has_rejections {
        let spread = Spread::Claimed;
        settle(prober, slots, unknown, &mut attempts, (cost, spread, &mut settled))?;
    }
    state.is_settled = true;
    let mut effort = Effort::new(goal);
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
///
/// Leaves that were looked at before are skipped. Costs the tests of a range and of a spelled
/// pattern for each other one.
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
/// made smaller, and it begins again.
///
/// Costs the draws of each attempt. An attempt ends with the first draw that passes.
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
            joint::drop_rejected(prober, slots, &answer.rejected, &nothing, unknown)?
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
///
/// Costs the draws of the `Situation`, and after each round that ends with a draw that passes a quarter of them at least:
/// those that failed before are draws of a pattern that held the one at hand. `settled` counts them.
fn settle(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    unknown: &mut Vec<NodeId>,
    attempts: &mut Attempts,
    (cost, mut spread, settled): (TestCost, Spread, &mut u64),
) -> Result<(), Stopped> {
    let nothing = Replaced::new();
    let has_grammar = prober.subject.language.is_some();
    while !slots.is_empty() {
        let oracle = &prober.oracle;
        let limit = oracle.budget().max_tests;
        let left = limit.map(|limit| limit.saturating_sub(oracle.counts().tests));
        let has_rejections = prober.has_rejections;
        let executions = oracle.counts().executions;
        let is_shared = limits::is_condition_short(prober.subject.input.len(), executions);
        let draws = Situation { cost, has_grammar, has_rejections, left, is_shared }.draws();
        if draws == 0 {
            break;
        }
        let wanted = draws.saturating_sub(*settled).max(draws / SHARE_OF_NEXT_ROUND);
        let answer = prober.check(slots, &nothing, wanted, spread)?;
        *settled += answer.fails;
        // The most different draws come once.
        if let (Spread::Varied(first), Some(last)) =
            (&mut spread, answer.passed.as_ref().or(answer.rejected.first()))
        {
            *first = last.number;
        }
        let changed = if let Some(passed) = &answer.passed {
            joint::refute(prober, slots, passed, &nothing, unknown)?
        } else if answer.is_rejected() {
            joint::drop_rejected(prober, slots, &answer.rejected, &nothing, unknown)?
        } else {
            break;
        };
        restrict(prober, slots, changed, attempts)?;
    }
    Ok(())
}

/// Finds stricter patterns for the leaves whose own were refuted.
///
/// A leaf gets the next attempt at a spelled pattern, or at an insertion if it is empty. Where
/// nothing stricter is found the leaf becomes required. So do those of a hang after the first time: one attempt takes hundreds of tests of
/// 20 to 40 ms, and the time for the pattern of `ttf_composite` ended after three, with a pattern of which one draw in a hundred failed.
fn restrict(
    prober: &mut Prober<'_, '_>,
    slots: &mut Vec<Slot>,
    refuted: Vec<NodeId>,
    attempts: &mut Attempts,
) -> Result<(), Stopped> {
    if prober.is_hang && attempts.values().any(|attempt| *attempt > 0) {
        return Ok(());
    }
    for node in refuted {
        let attempt = attempts.entry(node).or_default();
        *attempt += 1;
        if !is_leaf(prober, node) {
            continue;
        }
        let found = match prober.subject.text(node) {
            [] => bytes::insertions::room(prober, node, *attempt)?,
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

/// Whether a node has nothing inside that could be looked at.
fn is_leaf(prober: &Prober<'_, '_>, node: NodeId) -> bool {
    prober.subject.tree.children(node).is_empty()
}

/// Required parts that hold more than their grammar says: leaves of tokens with many texts, and
/// where there are no tokens, what holds a number.
///
/// In preorder; nothing inside a slot is among them.
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
            (None, _) | (_, NodeKind::Error) => tree.children(id).is_empty(),
            (Some(language), NodeKind::Token(token)) if !language.is_flat() && token != 0 => {
                language.grammar().tokens[token as usize].literal.is_none()
            }
            (Some(language), NodeKind::Rule { .. }) => {
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
