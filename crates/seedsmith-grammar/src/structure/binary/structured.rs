//! Formats whose parts hold lengths and checksums of other parts: an input is taken apart, changed,
//! and written again with correct lengths and checksums.
//!
//! [`Structure`] is for users' own formats (`examples/own_format.rs` is a complete example);
//! [`formats`](crate::structure::binary::formats) has two that are complete. The tree has the same
//! type as the one that grammars' parsers make: rule numbers are the kinds of composite parts,
//! token numbers those of the fields, and a part that may be left out is an iteration of a
//! quantifier.

use crate::structure::trees::tree::{NodeId, NodeKind, Tree};
use std::collections::BTreeMap;

/// A format that is no text.
///
/// Duties:
/// 1. [`parse`](Structure::parse) depends on the bytes alone, needs no more than a few steps a
///    byte and nests no deeper than it must: users may feed it anything.
/// 2. No byte is outside the tree: [`Tree::render`] gives the input back. Bytes that can't be read
///    become a leaf.
/// 3. [`mend`](Structure::mend) makes the fields of one composite part agree with each other, and
///    looks at nothing else. It is asked from the inside out, and only where something changed,
///    so that a wrong checksum of the input stays as wrong as it was.
/// 4. Leaving out any one iteration and mending gives something that parses again, unless nothing
///    but the outermost part is left.
pub trait Structure {
    /// The name of the format, in a word.
    fn name(&self) -> &'static str;

    /// The parts of an input; `None` if it is of another format.
    fn parse(&self, bytes: &[u8]) -> Option<Tree>;

    /// Mends one composite part of the kind `rule`, whose children are `parts`, in order.
    fn mend(&self, rule: u32, parts: &mut [StructurePart<'_>]);

    /// Whether no other part depends on a field's content, so that bytes of it may be deleted.
    fn is_free(&self, token: u32) -> bool;
}

/// One child of a composite part while it is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructurePart<'a> {
    /// Its kind.
    pub kind: NodeKind,
    /// Its new bytes.
    pub bytes: std::borrow::Cow<'a, [u8]>,
}

/// Puts other bytes in the place of a part. No bytes leave it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldEdit {
    /// The part; no edited part may be inside another.
    pub node: NodeId,
    /// The bytes that replace it.
    pub bytes: Vec<u8>,
}

/// Writes the input with the edits made and everything around them mended.
pub fn rebuild(
    structure: &dyn Structure,
    tree: &Tree,
    input: &[u8],
    edits: &[FieldEdit],
) -> Vec<u8> {
    let mut changed: BTreeMap<NodeId, Option<Vec<u8>>> = BTreeMap::new();
    for edit in edits {
        let mut at = edit.node;
        while let Some(parent) = tree.parent(at) {
            at = parent;
            if changed.insert(at, None).is_some() {
                break;
            }
        }
    }
    for edit in edits {
        changed.insert(edit.node, Some(edit.bytes.clone()));
    }
    // Nodes are in preorder, so that from the back children come before their parents.
    let order: Vec<NodeId> = changed.keys().rev().copied().collect();
    for id in order {
        if changed[&id].is_some() {
            continue;
        }
        let part = |child: &NodeId| StructurePart {
            kind: tree.node(*child).kind,
            bytes: match changed.get(child) {
                Some(Some(bytes)) => bytes.as_slice().into(),
                _ => input[tree.span(*child)].into(),
            },
        };
        let mut parts: Vec<StructurePart<'_>> = tree.children(id).iter().map(part).collect();
        if let NodeKind::Rule { rule, .. } = tree.node(id).kind {
            structure.mend(rule, &mut parts);
        }
        let bytes = parts.iter().map(|part| part.bytes.as_ref()).collect::<Vec<_>>().concat();
        changed.insert(id, Some(bytes));
    }
    match changed.remove(&NodeId::ROOT) {
        Some(Some(bytes)) => bytes,
        _ => input.to_vec(),
    }
}
