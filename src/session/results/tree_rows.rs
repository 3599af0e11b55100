//! The derivation tree of a pattern as rows, for pages and for text. The inside of a slot is left out.

use seedsmith_grammar::{NodeId, NodeKind};

use crate::event::{PatternPart, TreeRow};
use crate::generalize::pattern::Pattern;

/// Nodes of which rows are made. A guess: a page of some hundred kilobytes at most; not measured.
const MAX_TREE_NODES: u32 = 2_000;
/// Rows inside of rows; a deeper part is one row. A page makes nested lists of them by recursion, and a browser
/// indents each. A guess; not measured.
const MAX_TREE_DEPTH: usize = 60;

/// The rows, from the root on; nothing for a pattern without a grammar.
/// A chain of parts, each the only one in the part before, is one row with all their names. Empty required
/// parts and the inside of slots have no rows. After `MAX_TREE_NODES` nodes the rest of the tree is left out
/// without a remark; a part at `MAX_TREE_DEPTH` is one row with its whole text.
pub(super) fn tree_rows(pattern: &Pattern) -> Option<Vec<TreeRow>> {
    let subject = &pattern.subject;
    let language = subject.language.as_ref();
    language?;
    let mut rows = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let mut names: Vec<(String, bool)> = Vec::new();
    let mut at = 0;
    while at < (subject.tree.len() as u32).min(MAX_TREE_NODES) {
        let id = NodeId(at);
        let node = subject.tree.node(id);
        while open.last().is_some_and(|&end| end <= at) {
            open.pop();
        }
        let slot = pattern.slots.iter().find(|slot| slot.nodes.contains(&id));
        if is_left_out(pattern, id) {
            at = node.subtree_end;
            continue;
        }
        let inner = subject.tree.children(id);
        let shown = inner.iter().filter(|&&child| !is_left_out(pattern, child)).count();
        let is_leaf = shown == 0 || slot.is_some();
        let depth = open.len();
        let text = || subject.text(id).to_vec();
        let name = language.and_then(|language| Some(language.name(language.symbol(node)?)));
        match (slot, name) {
            (Some(slot), _) => names.push((slot.domain.notation(language), true)),
            // A leaf without a slot is its text.
            (None, Some(_)) if is_leaf => {}
            (None, Some(name)) => names.push((format!("<{name}>"), !pattern.unknown.contains(&id))),
            (None, None) if node.kind == NodeKind::Root => names.push(("input".to_owned(), true)),
            (None, None) => {}
        }
        let is_chain = !is_leaf && shown == 1;
        // A repetition has no name.
        if is_chain || (names.is_empty() && !is_leaf) {
            at += 1;
            continue;
        }
        let is_cut = depth >= MAX_TREE_DEPTH;
        let part = match slot {
            Some(slot) if slot.nodes.len() > 1 => Some((PatternPart::Same(0), text())),
            Some(_) => Some((PatternPart::Any, text())),
            None if is_leaf || is_cut => Some((PatternPart::Required, text())),
            None => None,
        };
        let is_leaf = is_leaf || is_cut;
        rows.push(TreeRow { depth, names: std::mem::take(&mut names), part, is_leaf });
        if is_leaf {
            at = node.subtree_end;
        } else {
            open.push(node.subtree_end);
            at += 1;
        }
    }
    Some(rows)
}

/// Whether a part is empty and required, which is not worth a row.
/// An empty part that contains a slot is kept, since text may be inserted there.
fn is_left_out(pattern: &Pattern, id: NodeId) -> bool {
    let node = pattern.subject.tree.node(id);
    node.start == node.end && !pattern.has_slot_inside(id)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generalize::domain::Domain;
    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::pattern::Slot;
    use seedsmith_grammar::Language;
    use seedsmith_grammar::Parser;
    use seedsmith_grammar::internal::Substitutes;
    use seedsmith_grammar::internal::g4;

    #[test]
    fn a_chain_of_single_parts_is_one_row_and_names_are_written_as_in_patterns() {
        let text = "grammar L; list: item EOF; item: value; value: '(' N ',' N ')'; N: [0-9]+;";
        let parser = Parser::new(Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap()));
        let language = Language::of(parser, None).unwrap();
        let sampler = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let (subject, _) = crate::generalize::subject(b"(1,22)".to_vec(), Some(sampler));
        let place = subject.tree.ids().find(|&id| subject.text(id) == b"22").unwrap();
        let symbol = subject.language.as_ref().unwrap().symbol(subject.tree.node(place)).unwrap();
        let slots = vec![Slot::one(place, Domain::Symbol(symbol))];
        let rows = tree_rows(&Pattern { subject, slots, unknown: Vec::new() });
        let rows = rows.expect("there is a grammar");
        let shown = rows.iter().map(|row| {
            let names: Vec<&str> = row.names.iter().map(|(name, _)| name.as_str()).collect();
            let text = row.part.as_ref().map_or("", |(_, text)| str::from_utf8(text).unwrap());
            format!("{} {} {text}", row.depth, names.join(" > "))
        });
        let shown: Vec<String> = shown.collect();
        assert_eq!(
            shown,
            ["0 input > <list> > <item> > <value> ", "1  (", "1  1", "1  ,", "1 <N> 22", "1  )"]
        );
    }
}
