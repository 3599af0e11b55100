//! A node's text parsed as if it were the whole input.
//!
//! In many languages a statement, a value or an element alone is an input. Asking about a piece
//! of it there takes some tens of microseconds, where asking in an input of 100 KB takes some
//! milliseconds: tree-sitter goes through long lists node by node.

use super::skeleton::Skeleton;
use super::source::ParserInput;
use tree_sitter::{Language, Tree};

/// A parsed text.
pub(super) struct ParsedText<'a> {
    /// The bytes, with the parser for them.
    pub source: ParserInput<'a>,
    /// tree-sitter's tree.
    pub tree: Tree,
    /// The nodes of the tree.
    pub skeleton: Skeleton,
}

/// A node's text on its own, its nodes being the same as within the whole.
pub(super) struct Excerpt<'a> {
    pub ground: ParsedText<'a>,
    /// The node in the whole.
    node: u32,
    node_end: u32,
    /// The number to subtract from a node's number to find it in the excerpt.
    pub node_shift: i64,
    /// The number to subtract from an offset.
    pub byte_shift: u32,
}

impl<'a> Excerpt<'a> {
    /// The longest text of an excerpt. A guess, not measured.
    pub(super) const MAX_BYTES: usize = 2 << 10;

    /// The limit of an excerpt's parse, in hundreds of steps. A guess, not measured.
    const EXCERPT_EFFORT: u64 = 10_000;

    /// The excerpt of a node without errors; `None` if its text isn't parsed there as it is in the
    /// whole.
    pub(super) fn new(language: &Language, whole: &ParsedText<'_>, node: u32) -> Option<Self> {
        let item = whole.skeleton.item(node);
        let text = &whole.source.input()[item.start as usize..item.end as usize];
        // In some languages a part only ends with the end of its line.
        [text.to_vec(), [text, b"\n"].concat()].into_iter().find_map(|text| {
            let mut source = ParserInput::new(language, text).ok()?;
            let tree = source
                .parse(Self::EXCERPT_EFFORT, &|| true)
                .ok()
                .filter(|t| !t.root_node().has_error())?;
            let skeleton = Skeleton::new(&tree);
            let own = same_subtree(&whole.skeleton, node, &skeleton)?;
            Some(Excerpt {
                ground: ParsedText { source, tree, skeleton },
                node,
                node_end: item.subtree_end,
                node_shift: i64::from(node) - i64::from(own),
                byte_shift: item.start,
            })
        })
    }

    /// Whether a node of the whole is in it.
    pub(super) fn holds(&self, node: u32) -> bool {
        (self.node..self.node_end).contains(&node)
    }
}

/// The outermost node of `other` whose subtree is that of `node`, kind by kind.
fn same_subtree(skeleton: &Skeleton, node: u32, other: &Skeleton) -> Option<u32> {
    let item = skeleton.item(node);
    let nodes = node..item.subtree_end;
    let is_same = |own: u32| {
        let has_all = own as usize + nodes.len() <= other.len();
        has_all
            && nodes.clone().zip(own..).all(|(one, two)| {
                let (one, two) = (skeleton.item(one), other.item(two));
                (one.kind, one.start - item.start, one.end - item.start)
                    == (two.kind, two.start, two.end)
            })
    };
    // The nodes around it start at the same byte and are of other kinds.
    (0..other.len() as u32).take_while(|&own| other.item(own).start == 0).find(|&own| is_same(own))
}
