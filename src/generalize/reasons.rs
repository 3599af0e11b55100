//! Why a part has to be as it is: the nearest input that passes, and what else would fail.
//!
//! For a part that has another text in a candidate that passed, that is the reason, at no cost.
//! For tokens of which nothing was drawn (they have one text) a few other tokens of the grammar
//! are put in their place, the most similar ones first.

use crate::event::Reason;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use super::pattern::Pattern;
use crate::generalize::draws::prober::Prober;
use crate::repair::distance::distance as levenshtein;

/// Other tokens tried in place of one part, in tests: few, because the most similar come first and one
/// that passes is a reason. Not measured.
const MAX_OTHER_TOKENS: usize = 3;
/// Parts that reasons are looked for, so that reasons cost at most 72 tests. A person reads no longer
/// list. Not measured.
const MAX_PARTS: usize = 24;

/// Finds the reasons of all required parts, one after the other. Cost: at most three tests for each part, or with
/// `is_thorough` one for each token of the grammar.
pub(crate) fn reasons(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
    is_thorough: bool,
    reasons: &mut Vec<Reason>,
) -> Result<(), Stopped> {
    let literals = literals(pattern);
    for leaves in parts(pattern).into_iter().take(MAX_PARTS) {
        let &[leaf] = &leaves[..] else {
            reasons.extend(of_word(prober, pattern, &leaves));
            continue;
        };
        let span = pattern.subject.tree.span(leaf);
        let text = pattern.subject.text(leaf).to_vec();
        let mut reason = Reason { offset: span.start, passes: None, also_fails: Vec::new(), text };
        let same_span = |node: &&NodeId| pattern.subject.tree.span(**node) == span;
        let known = prober.passing.keys().filter(same_span);
        let known: Vec<&Vec<u8>> = known.filter_map(|node| prober.passing.get(node)).collect();
        reason.passes = known
            .into_iter()
            .min_by_key(|instead| (distance(instead, &reason.text), (*instead).clone()))
            .cloned();
        let mut others: Vec<&Vec<u8>> =
            literals.iter().filter(|other| **other != reason.text).collect();
        others.sort_by_key(|other| (distance(other, &reason.text), (*other).clone()));
        if !is_thorough {
            others.truncate(if reason.passes.is_some() { 0 } else { MAX_OTHER_TOKENS });
        }
        for other in others {
            let input = &pattern.subject.input;
            let candidate = [&input[..span.start], other, &input[span.end..]].concat();
            match prober.oracle.outcome(&candidate)? {
                Outcome::Pass if reason.passes.is_none() => {
                    reason.passes = Some(other.clone());
                    if !is_thorough {
                        break;
                    }
                }
                Outcome::Fail => reason.also_fails.push(other.clone()),
                _ => {}
            }
        }
        if reason.passes.is_some() || !reason.also_fails.is_empty() {
            reasons.push(reason);
        }
    }
    Ok(())
}

/// Required leaves, those together that are one word: without a grammar each letter is a leaf.
pub(super) fn parts(pattern: &Pattern) -> Vec<Vec<NodeId>> {
    let subject = &pattern.subject;
    let is_of_word = |leaf: NodeId| {
        let text = subject.text(leaf);
        subject.language.is_none()
            && text.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut parts: Vec<Vec<NodeId>> = Vec::new();
    for leaf in required_leaves(pattern) {
        let start = subject.tree.span(leaf).start;
        let is_next = |last: &NodeId| {
            subject.tree.span(*last).end == start && is_of_word(*last) && is_of_word(leaf)
        };
        match parts.last_mut() {
            Some(part) if part.last().is_some_and(is_next) => part.push(leaf),
            _ => parts.push(vec![leaf]),
        }
    }
    parts
}

/// Why a word has to be as it is: the word with the one letter that is nearest to its own and passes.
fn of_word(prober: &Prober<'_, '_>, pattern: &Pattern, leaves: &[NodeId]) -> Option<Reason> {
    let subject = &pattern.subject;
    let spelled = |changed: Option<(NodeId, &[u8])>| -> Vec<u8> {
        let text = |leaf: &NodeId| match changed {
            Some((other, text)) if other == *leaf => text.to_vec(),
            _ => subject.text(*leaf).to_vec(),
        };
        leaves.iter().flat_map(text).collect()
    };
    let text = spelled(None);
    let passing = leaves.iter().filter_map(|leaf| {
        let instead = prober.passing.get(leaf)?;
        Some(spelled(Some((*leaf, instead))))
    });
    let passes = passing.min_by_key(|instead| (distance(instead, &text), instead.clone()))?;
    let offset = subject.tree.span(leaves[0]).start;
    Some(Reason { offset, passes: Some(passes), also_fails: Vec::new(), text })
}

/// The texts of the grammar's tokens that have one text only.
///
/// Sorted, each once. Without a grammar there are none.
fn literals(pattern: &Pattern) -> Vec<Vec<u8>> {
    let Some(language) = &pattern.subject.language else { return Vec::new() };
    let texts = language.grammar().tokens.iter().filter_map(|token| token.literal.clone());
    let mut texts: Vec<Vec<u8>> =
        texts.map(String::into_bytes).filter(|text| !text.is_empty()).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Leaves with bytes that can be seen and belong to no slot.
///
/// In the order of the text.
pub(crate) fn required_leaves(pattern: &Pattern) -> Vec<NodeId> {
    let tree = &pattern.subject.tree;
    let mut leaves = Vec::new();
    let mut at = 0;
    while at < tree.len() as u32 {
        let id = NodeId(at);
        if pattern.slots.iter().any(|slot| slot.nodes.contains(&id)) {
            at = tree.node(id).subtree_end;
            continue;
        }
        if tree.children(id).is_empty() && !pattern.subject.is_invisible(id) {
            leaves.push(id);
        }
        at += 1;
    }
    leaves
}

/// The distance of the first 64 bytes of two texts, which orders tokens well enough.
fn distance(left: &[u8], right: &[u8]) -> usize {
    let head = |text: &[u8]| text.len().min(64);
    levenshtein(&left[..head(left)], &right[..head(right)], usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_count_insertions_deletions_and_changes() {
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"", b"ab"), 2);
    }
}
