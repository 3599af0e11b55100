//! Parts of different kinds that have to be equal: the name in `<!ENTITY a>` and in `&a;`.
//!
//! Algorithm 3 of DDSET does it with nodes of one nonterminal. Here tokens are compared by their letters
//! and digits: these are replaced by others in all tokens of a group at once, and the characters around
//! them stay.

use std::collections::BTreeMap;

use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind};

use crate::generalize::bytes::class::Class;
use crate::generalize::domain::{Domain, Segment};
use crate::generalize::draws::prober::{Prober, Spread};
use crate::generalize::pattern::{Replaced, Slot, core};

/// Draws for a group of equal parts, in tests: as few as find nearly all groups that need not be equal,
/// because the claim tests the others. Not measured.
const SCREENING_DRAWS: u64 = 4;
/// Groups that are looked at, because each costs up to five classes of four draws. Not measured.
const MAX_GROUPS: usize = 8;
/// Classes of the common text, where no token of the grammar has just these characters. A class comes
/// before those that it includes.
const CLASSES: [Class; 5] =
    [Class::Word, Class::Alphanumeric, Class::Letter, Class::Lower, Class::Digit];

/// A slot for each group of required tokens that may have any other text in common. Cost: four
/// tests for each such group, and a few for each other one.
///
/// Of a group that fails for no domain nothing stays: its nodes are no longer shared.
pub(super) fn shared(prober: &mut Prober<'_, '_>, slots: &[Slot]) -> Result<Vec<Slot>, Stopped> {
    let mut found = Vec::new();
    for nodes in groups(prober, slots).into_iter().take(MAX_GROUPS) {
        let text = prober.subject.text(nodes[0]);
        let is_one_text = nodes.iter().all(|&node| prober.subject.text(node) == text);
        // Parts with the same text were asked about by their symbol before, in this order.
        let mut asked = nodes.clone();
        if is_one_text {
            asked.reverse();
        }
        if !prober.grouped.insert(asked) {
            continue;
        }
        prober.subject.share(&nodes);
        let mut domains: Vec<Domain> = Vec::new();
        let first = prober.subject.text(nodes[0]).to_vec();
        let (start, end) = core(&first);
        if end - start == first.len() && !is_one_text {
            domains.extend(prober.symbol(nodes[0]));
        }
        let class = |class| Segment::Class { class, least: 1, most: None };
        if first.iter().all(u8::is_ascii_digit) {
            let integer = |low| Domain::Integer { low, high: None };
            domains.extend([integer(None), integer(Some(0))]);
        }
        let classes = CLASSES.into_iter().filter(|class| class.holds(&first[start..end]));
        domains.extend(classes.map(|one| Domain::Spelled(vec![class(one)])));
        let before = found.len();
        for domain in domains {
            let slot = Slot { nodes: nodes.clone(), domain };
            let question = std::slice::from_ref(&slot);
            let answer =
                prober.check(question, &Replaced::new(), SCREENING_DRAWS, Spread::Varied(0))?;
            // What hardly any draw can be written of is no text of these parts.
            if answer.is_abstract() && answer.unwritable <= answer.fails {
                found.push(slot);
                break;
            }
        }
        if found.len() == before {
            prober.subject.unshare(&nodes);
        }
    }
    Ok(found)
}

/// Required tokens with many texts that have their letters and digits in common.
///
/// In the order of the common texts. Tokens with one text only, such as keywords, are left out.
fn groups(prober: &Prober<'_, '_>, slots: &[Slot]) -> Vec<Vec<NodeId>> {
    let subject = &prober.subject;
    let Some(language) = subject.language.as_ref().filter(|one| !one.is_flat()) else {
        return Vec::new();
    };
    let mut groups: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let mut at = 0;
    while at < subject.tree.len() as u32 {
        let id = NodeId(at);
        let node = subject.tree.node(id);
        if slots.iter().any(|slot| slot.nodes.contains(&id)) {
            at = node.subtree_end;
            continue;
        }
        at += 1;
        let NodeKind::Token(token) = node.kind else { continue };
        let text = subject.text(id);
        let (start, end) = core(text);
        if start < end && language.is_open(token) {
            groups.entry(&text[start..end]).or_default().push(id);
        }
    }
    groups.into_values().filter(|nodes| nodes.len() > 1).collect()
}
