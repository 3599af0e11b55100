//! Ranges of numbers: which other integers, at the place of one that matters, fail too.
//!
//! From the number that is there, growing steps lead to the first one that doesn't fail, on
//! either side, and bisection to the last one that does. A number that is rejected ends the range too. Where no step stops failing there is
//! no bound. Between the bounds every number is assumed to fail; the claim's draws test that.

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Word;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::{NodeId, NodeKind};

use crate::generalize::domain::Domain;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::{Replaced, Slot, Subject};

/// Steps from the number in the input are two to the power of these, because limits are mostly small or
/// at the ends of integer types (8, 16, 32, 64 bits); 96 steps beyond the largest of them.
const STEP_EXPONENTS: [u32; 13] = [0, 1, 2, 4, 8, 12, 16, 24, 32, 47, 64, 80, 96];

/// The same for a hang: few, because each test that fails takes as long as its limit.
const STEP_EXPONENTS_OF_A_HANG: [u32; 5] = [0, 8, 24, 47, 80];
/// A hang's bound is known well enough if the last number that fails and the next one that does not differ by this part of
/// the number, because how long an input takes differs from run to run. The divisor is a guess.
const ROUGH_BOUND_DIVISOR: i128 = 8;

/// The range at a node that holds an integer; nothing if it isn't one, or only it fails. Cost:
/// ten tests a side where there is no bound, `log2` of the distance more where there is.
///
/// Numbers of more than 100 bits have no range, and none has a token that cannot be longer.
pub(crate) fn range(prober: &mut Prober<'_, '_>, node: NodeId) -> Result<Option<Slot>, Stopped> {
    let Some(value) = std::str::from_utf8(prober.subject.text(node))
        .ok()
        .and_then(|text| text.parse::<i128>().ok().filter(|value| value.to_string() == text))
        .filter(|value| value.unsigned_abs() < 1 << 100)
    else {
        return Ok(None);
    };
    // Digits alone don't make a number: of a token of one character there are nine others at most.
    let longer = word(&prober.subject, node, 1000 * value + 999);
    if prober.subject.render(&longer).is_none() {
        return Ok(None);
    }
    let low = bound(prober, node, value, -1)?;
    let high = bound(prober, node, value, 1)?;
    let is_range = low != high || low.is_none();
    Ok(is_range.then(|| Slot::one(node, Domain::Integer { low, high })))
}

/// The last number that fails, going from `value` in a direction, 1 or -1; `None` if no step ends
/// the range. A step that the grammar cannot write ends the search: then the range ends at `value`,
/// or is open.
fn bound(
    prober: &mut Prober<'_, '_>,
    node: NodeId,
    value: i128,
    direction: i128,
) -> Result<Option<i128>, Stopped> {
    let mut last = value;
    let is_hang = prober.is_hang;
    let steps: &[u32] = if is_hang { &STEP_EXPONENTS_OF_A_HANG } else { &STEP_EXPONENTS };
    for exponent in steps {
        let next = value + direction * (1 << exponent);
        // No number of the grammar's: there is no boundary on this side.
        let replaced = word(&prober.subject, node, next);
        if prober.subject.render(&replaced).is_none() {
            return Ok((last == value).then_some(value));
        }
        match outcome(prober, node, next)? {
            Outcome::Fail => last = next,
            // A number that the target rejects bounds the range like one that passes.
            Outcome::Pass | Outcome::Unresolved => {
                let (mut fails, mut passes) = (last, next);
                let is_close = |fails: i128, passes: i128| {
                    let distance = (fails - passes).abs();
                    let rough = if is_hang { fails.abs() / ROUGH_BOUND_DIVISOR } else { 0 };
                    distance <= 1.max(rough)
                };
                while !is_close(fails, passes) {
                    let middle = (fails + passes).div_euclid(2);
                    match outcome(prober, node, middle)? {
                        Outcome::Fail => fails = middle,
                        _ => passes = middle,
                    }
                }
                return Ok(Some(fails));
            }
        }
    }
    Ok(None)
}

/// The outcome with another number in place of the leaf.
fn outcome(prober: &mut Prober<'_, '_>, node: NodeId, value: i128) -> Result<Outcome, Stopped> {
    let replaced = word(&prober.subject, node, value);
    prober.outcome(&replaced)
}

/// The number instead of the node.
///
/// Decimal, with a minus where it is negative. The kind of token stays the leaf's own.
pub(crate) fn word(subject: &Subject, node: NodeId, value: i128) -> Replaced {
    let token = match subject.tree.node(node).kind {
        NodeKind::Token(token) => TokenId(token),
        _ => TokenId::EOF,
    };
    let text = value.to_string().into_bytes();
    Replaced::from([(node, vec![Word { token, text }])])
}
