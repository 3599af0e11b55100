//! Which texts open and close something.
//!
//! Brackets are those of the grammar. A bracket in a string is none.

use seedsmith_grammar::{NodeKind, Tree};

use super::names::name;
use crate::generalize::draws::sampler::Sampler;

/// The brackets that are open at some place, by their kinds: round, square, curly, angle.
#[derive(Default)]
pub(super) struct Open([i128; 4]);

impl Open {
    /// Takes in a text of the grammar. Only texts of one character are brackets.
    pub(super) fn step(&mut self, text: &[u8], has_angles: bool) {
        let (kind, more) = match text {
            b"(" => (0, 1),
            b")" => (0, -1),
            b"[" => (1, 1),
            b"]" => (1, -1),
            b"{" => (2, 1),
            b"}" => (2, -1),
            b"<" if has_angles => (3, 1),
            b">" if has_angles => (3, -1),
            _ => return,
        };
        self.0[kind] += more;
    }

    /// How many are open.
    ///
    /// A bracket that closes nothing counts as one less.
    pub(super) fn depth(&self) -> i128 {
        self.0.iter().sum()
    }

    /// The same if they are of two kinds at least, else 0.
    pub(super) fn mixed_depth(&self) -> i128 {
        let kinds = self.0.iter().filter(|open| **open > 0).count();
        if kinds > 1 { self.depth() } else { 0 }
    }
}

/// Whether `<` and `>` are brackets in an input: each that is opened is closed. In formulas they compare numbers.
pub(super) fn has_angles(tree: &Tree, input: &[u8], language: &Sampler) -> bool {
    let mut open = 0i128;
    for id in tree.ids().skip(1) {
        let more = match &input[tree.span(id)] {
            b"<" => 1,
            b">" => -1,
            _ => continue,
        };
        let is_token = matches!(tree.node(id).kind, NodeKind::Token(_));
        if is_token && name(tree, id, language).is_some_and(|(_, is_fixed)| is_fixed) {
            open += more;
        }
        if open < 0 {
            return false;
        }
    }
    open == 0
}
