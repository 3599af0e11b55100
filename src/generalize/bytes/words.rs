//! Words that have to be equal, where no grammar says what a name is: `<$word1>`.
//!
//! A word that is in several places, all of them required, is replaced by another one in all of
//! them at once, as DDSET's algorithm 3 does it with the nodes of a grammar.

use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

use super::class::Class;
use super::cut::{stretches, subject};
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot};

/// Draws for a group of equal words, in tests: as many as for a class of one leaf, because the draws of
/// the claim refute what six let through. Not measured.
const MAX_GROUP_DRAWS: u64 = 6;
/// Groups of equal words that are looked at, because each costs up to six draws of six classes. Not
/// measured.
const MAX_GROUPS: usize = 8;
/// Classes of words, none before one that holds it.
const CLASSES: [Class; 6] =
    [Class::Word, Class::Alphanumeric, Class::Letter, Class::Lower, Class::Upper, Class::Digit];

/// Adds a slot for each group of equal words that may be any other word. Cost: six tests for each
/// such group, and a few for each other one.
pub(crate) fn equal(prober: &mut Prober<'_, '_>, slots: &mut Vec<Slot>) -> Result<(), Stopped> {
    for words in groups(prober, slots).into_iter().take(MAX_GROUPS) {
        let nodes = join(prober, slots, &words);
        let text = prober.subject.text(nodes[0]).to_vec();
        for class in CLASSES.into_iter().filter(|class| class.holds(&text)) {
            let any = Segment::Class { class, least: 1, most: None };
            let slot = Slot { nodes: nodes.clone(), domain: Domain::Spelled(vec![any]) };
            let question = std::slice::from_ref(&slot);
            let answer =
                prober.check(question, &Replaced::new(), MAX_GROUP_DRAWS, Spread::Varied(0))?;
            if answer.is_abstract() {
                slots.push(slot);
                break;
            }
        }
    }
    slots.sort_by_key(|slot| slot.nodes[0]);
    Ok(())
}

/// The places of each word that is required in two places at least.
///
/// In the order of their first places. A word is letters, digits and `_`.
fn groups(prober: &Prober<'_, '_>, slots: &[Slot]) -> Vec<Vec<Range<usize>>> {
    let subject = &prober.subject;
    let is_required = |word: &Range<usize>| is_free(prober, slots, word);
    let mut groups: Vec<Vec<Range<usize>>> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for word in stretches(&subject.input, is_word).into_iter().filter(is_required) {
        let text = |span: &Range<usize>| &subject.input[span.clone()];
        match groups.iter_mut().find(|group| text(&group[0]) == text(&word)) {
            Some(group) => group.push(word),
            None => groups.push(vec![word]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Whether no slot is in a stretch: room inside a word means that it is none.
///
/// An empty slot at the beginning of the word does not count.
pub(crate) fn is_free(prober: &Prober<'_, '_>, slots: &[Slot], word: &Range<usize>) -> bool {
    let tree = &prober.subject.tree;
    let mut open = slots.iter().flat_map(|slot| &slot.nodes).map(|&node| tree.span(node));
    !open.any(|slot| {
        slot.start < word.end
            && word.start < slot.end.max(slot.start + 1)
            && !(slot.is_empty() && slot.start == word.start)
    })
}

/// Makes one leaf of each of the words, and returns these. The subject is cut again, so `slots` and
/// the passing texts that the prober keeps get the new numbers of their leaves.
pub(crate) fn join(
    prober: &mut Prober<'_, '_>,
    slots: &mut [Slot],
    words: &[Range<usize>],
) -> Vec<NodeId> {
    let old = prober.subject.tree.clone();
    let is_inside = |span: &Range<usize>| {
        !span.is_empty()
            && words.iter().any(|word| word.start <= span.start && span.end <= word.end)
    };
    let leaves: Vec<NodeId> = old.ids().skip(1).collect();
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut now: Vec<usize> = Vec::new();
    for &leaf in &leaves {
        let span = old.span(leaf);
        match spans.last_mut() {
            Some(last) if is_inside(&span) && is_inside(last) && last.end == span.start => {
                last.end = span.end;
            }
            _ => spans.push(span),
        }
        now.push(spans.len());
    }
    let renumber = |node: NodeId| NodeId(now[node.0 as usize - 1] as u32);
    for node in slots.iter_mut().flat_map(|slot| &mut slot.nodes) {
        *node = renumber(*node);
    }
    let passing = std::mem::take(&mut prober.passing);
    prober.subject = subject(prober.subject.input.clone(), &spans);
    for (node, passes) in passing {
        // What passes instead of one character says little about a word.
        if prober.subject.tree.span(renumber(node)) == old.span(node) {
            prober.passing.insert(renumber(node), passes);
        }
    }
    let ids = prober.subject.tree.ids().skip(1);
    ids.filter(|&id| words.contains(&prober.subject.tree.span(id))).collect()
}
