//! Finds which children of a node may be deleted, and with which tokens beside them.
//!
//! `node-types.json` lists named children only: it says that a value may be missing, but not that
//! its `=` goes with it; that there may be several values, but not which token separates them. So
//! it gives the candidates, and the parser decides ([`Trials`]).
//!
//! A node is examined in two steps. Runs of children of one field with nothing but separators
//! between them are lists: for these the three ways in which separators can go with members are
//! tried. Every other child is tried alone and with the tokens beside it.

use super::super::node_types::{ChildSlot, NodeTypes};
use super::skeleton::{NO_FIELD, Skeleton, SkeletonNode};
use super::trials::Trials;
use crate::grammar::model::Bounds;
use crate::grammar::parser::StopCheck;
use std::ops::Range;
use tree_sitter::Language;

/// An optional or repeated part of a node, in places of its children (comments included).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OptionalPart {
    /// How many iterations it may have.
    pub bounds: Bounds,
    /// The iterations in order, each a range of children.
    pub iterations: Vec<Range<usize>>,
    /// Larger for parts inside of other parts with the same range.
    pub level: u8,
}

impl OptionalPart {
    /// From the first iteration's start to the last one's end.
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.iterations.first().map_or(0, |range| range.start);
        start..self.iterations.last().map_or(start, |range| range.end)
    }
}

/// Separators between two children of a list at most.
/// A guess, not measured.
const MAX_SEPARATORS: usize = 2;

/// Looks at one node after the other.
///
/// Costs up to three questions to the parser for each member of a list, and up to four for each
/// other child, within the bounds of [`Trials`].
pub(super) struct Finder<'a, 'p> {
    /// The language, for the names of kinds and fields.
    pub language: &'a Language,
    /// The children that each kind of node may have, from `node-types.json`.
    pub node_types: &'a NodeTypes,
    /// The bytes.
    pub input: &'a [u8],
    /// Asks the parser.
    pub trials: Trials<'a>,
    /// By node, whether it is a member of a list, where each could replace each other.
    pub is_member: Vec<bool>,
    /// Once it has ended, the results are not used any more.
    pub stop_check: StopCheck<'p>,
}

/// How a list's separators go along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeparatorStyle {
    /// `x x x`
    Alone,
    /// `x (, x)*`
    Leading,
    /// `(x ,)* x` or `(x ,)*`
    Trailing,
}

/// A node's children without comments.
struct SolidChildren {
    /// The node whose children these are.
    parent: u32,
    /// The children.
    nodes: Vec<u32>,
    /// The place of each among all children.
    places: Vec<usize>,
    /// Already part of a list.
    is_taken: Vec<bool>,
}

impl SolidChildren {
    /// A part from ranges of these children, in places among all children.
    fn part(&self, bounds: Bounds, iterations: &[Range<usize>], level: u8) -> OptionalPart {
        let place = |range: &Range<usize>| self.places[range.start]..self.places[range.end - 1] + 1;
        OptionalPart { bounds, iterations: iterations.iter().map(place).collect(), level }
    }
}

impl Finder<'_, '_> {
    /// The nodes of the whole input.
    fn skeleton(&self) -> &Skeleton {
        self.trials.skeleton()
    }

    /// The parts of a node that is a rule, outer ones before inner ones.
    ///
    /// Nodes have to be asked about in the order in which they were found, so that the answers,
    /// which are kept for pieces that look alike, are the same in each run.
    pub(super) fn parts(&mut self, parent: u32) -> Vec<OptionalPart> {
        let skeleton = self.skeleton();
        let (mut nodes, mut places) = (Vec::new(), Vec::new());
        for (place, &child) in skeleton.children(parent).iter().enumerate() {
            if !skeleton.item(child).is_extra {
                nodes.push(child);
                places.push(place);
            }
        }
        let is_taken = vec![false; nodes.len()];
        let mut solid = SolidChildren { parent, nodes, places, is_taken };
        let mut parts = Vec::new();
        for list in self.lists(&solid) {
            self.list(&mut solid, &list, &mut parts);
        }
        self.singles(&mut solid, &mut parts);
        parts.sort_by_key(|part| {
            let range = part.range();
            (range.start, std::cmp::Reverse(range.end), part.level)
        });
        parts
    }

    /// One of the children.
    fn item(&self, solid: &SolidChildren, at: usize) -> &SkeletonNode {
        self.skeleton().item(solid.nodes[at])
    }

    /// The entry of `node-types.json` for the place of a child.
    fn slot(&self, solid: &SolidChildren, at: usize) -> Option<&ChildSlot> {
        let name = |kind| self.language.node_kind_for_id(kind).unwrap_or_default();
        let field = match self.item(solid, at).field {
            NO_FIELD => "",
            field => self.language.field_name_for_id(field).unwrap_or_default(),
        };
        self.node_types.slot(name(self.skeleton().item(solid.parent).kind), field)
    }

    /// Whether a child may be one of several.
    fn is_listed(&self, solid: &SolidChildren, at: usize) -> bool {
        self.item(solid, at).is_rule()
            && self.slot(solid, at).map_or(self.node_types.is_empty(), |slot| slot.is_multiple)
    }

    /// The bytes of a node.
    fn text(&self, item: &SkeletonNode) -> &[u8] {
        &self.input[item.start as usize..item.end as usize]
    }

    /// Whether a child is a token without a name, such as a comma.
    fn is_token(&self, solid: &SolidChildren, at: usize) -> bool {
        let item = self.item(solid, at);
        !item.is_named && !item.is_missing && !item.is_error
    }

    /// Whether a child can separate members of a list: a token that is no bracket.
    fn is_separator(&self, solid: &SolidChildren, at: usize) -> bool {
        let is_bracket = |text: &[u8]| matches!(text, b"(" | b")" | b"[" | b"]" | b"{" | b"}");
        self.is_token(solid, at) && !is_bracket(self.text(self.item(solid, at)))
    }

    /// Runs of children of the same slot with nothing but separators between them.
    fn lists(&self, solid: &SolidChildren) -> Vec<Vec<usize>> {
        let mut lists = Vec::new();
        let mut at = 0;
        while at < solid.nodes.len() {
            if !self.is_listed(solid, at) {
                at += 1;
                continue;
            }
            let field = self.item(solid, at).field;
            let mut members = vec![at];
            loop {
                let mut next = at + 1;
                while next < solid.nodes.len()
                    && next - at <= MAX_SEPARATORS
                    && self.is_separator(solid, next)
                {
                    next += 1;
                }
                let goes_on = next < solid.nodes.len()
                    && self.is_listed(solid, next)
                    && self.item(solid, next).field == field;
                if !goes_on {
                    break;
                }
                members.push(next);
                at = next;
            }
            at += 1;
            lists.push(members);
        }
        lists
    }

    /// Finds out how the separators of one list go with its members, and adds its parts: one for
    /// the iterations that can each be left out, and one for the whole list, where that can go and
    /// the members alone do not cover it.
    fn list(
        &mut self,
        solid: &mut SolidChildren,
        members: &[usize],
        parts: &mut Vec<OptionalPart>,
    ) {
        let (first, last) = (members[0], members[members.len() - 1]);
        let is_required = self.slot(solid, first).is_some_and(|slot| slot.is_required);
        if is_required && members.len() == 1 {
            return;
        }
        let separator = members.windows(2).find(|pair| pair[1] - pair[0] > 1);
        let kind = separator.map(|pair| self.item(solid, pair[0] + 1).kind);
        let is_ended = kind.is_some()
            && solid.nodes.get(last + 1).map(|&node| self.skeleton().item(node).kind) == kind;
        let end = last + 1 + usize::from(is_ended);
        let styles: &[SeparatorStyle] = match (separator.is_some(), is_ended) {
            (false, _) => &[SeparatorStyle::Alone],
            (true, true) => {
                &[SeparatorStyle::Trailing, SeparatorStyle::Leading, SeparatorStyle::Alone]
            }
            (true, false) => {
                &[SeparatorStyle::Leading, SeparatorStyle::Trailing, SeparatorStyle::Alone]
            }
        };
        let mut found: (usize, SeparatorStyle, Vec<Option<Range<usize>>>) =
            (0, SeparatorStyle::Alone, Vec::new());
        for &style in styles {
            let units = units(members, end, style);
            let confirmed: Vec<Option<Range<usize>>> = units
                .into_iter()
                .map(|unit| unit.filter(|unit| self.vanishes(solid, unit.clone(), true)))
                .collect();
            let count = confirmed.iter().flatten().count();
            let most = members.len()
                - usize::from(
                    style == SeparatorStyle::Leading
                        || (style == SeparatorStyle::Trailing && !is_ended),
                );
            if count > found.0 {
                found = (count, style, confirmed);
            }
            if count > 0 && count == most {
                break;
            }
        }
        let (count, style, confirmed) = found;
        let whole_end = if style == SeparatorStyle::Trailing { end } else { last + 1 };
        let is_droppable = !is_required && self.vanishes(solid, first..whole_end, true);
        let covers_all = count == members.len();
        let bounds = if covers_all && !is_droppable { Bounds::Plus } else { Bounds::Star };
        for &member in members.iter().filter(|_| count > 0) {
            self.is_member[solid.nodes[member] as usize] = true;
        }
        for group in confirmed.split(Option::is_none).filter(|group| !group.is_empty()) {
            let group: Vec<Range<usize>> = group.iter().flatten().cloned().collect();
            parts.push(solid.part(bounds, &group, 2));
        }
        if is_droppable && !covers_all {
            let whole = first..whole_end;
            parts.push(solid.part(Bounds::Optional, std::slice::from_ref(&whole), 1));
        }
        if count > 0 || is_droppable {
            solid.is_taken[first..whole_end].fill(true);
        }
    }

    /// Asks whether a stretch of children can go; no, once the caller has stopped the parse.
    fn vanishes(&mut self, solid: &SolidChildren, cut: Range<usize>, otherwise: bool) -> bool {
        // Each may be a parse.
        !self.stop_check.must_stop_now()
            && self.trials.may_vanish(solid.parent, &solid.nodes, cut, otherwise)
    }

    /// Finds parts that occur once or not at all: a child, with a token before or after it, or a
    /// bracket with its content.
    ///
    /// Of several ways that work the first is taken: the child alone, then with the token before
    /// it, after it, on both sides.
    fn singles(&mut self, solid: &mut SolidChildren, parts: &mut Vec<OptionalPart>) {
        let count = solid.nodes.len();
        for at in 0..count {
            if solid.is_taken[at] {
                continue;
            }
            let item = *self.item(solid, at);
            let free_token = |finder: &Self, solid: &SolidChildren, at: usize| {
                at < count && !solid.is_taken[at] && finder.is_token(solid, at)
            };
            let mut tries = Vec::new();
            if item.is_rule() {
                if self.slot(solid, at).is_some_and(|slot| slot.is_required) {
                    continue;
                }
                tries.push(at..at + 1);
                let before = at > 0 && free_token(self, solid, at - 1);
                let behind = free_token(self, solid, at + 1);
                tries.extend(before.then(|| at - 1..at + 1));
                tries.extend(behind.then(|| at..at + 2));
                tries.extend((before && behind).then(|| at - 1..at + 2));
            } else if self.is_token(solid, at) {
                tries.push(at..at + 1);
                let close = self.closing(solid, at);
                tries.extend(close.map(|close| at..close + 1));
            }
            // The children of the first piece that can be deleted are in no other part.
            if let Some(cut) =
                tries.into_iter().find(|cut| self.vanishes(solid, cut.clone(), false))
            {
                solid.is_taken[cut.clone()].fill(true);
                parts.push(solid.part(Bounds::Optional, &[cut], 0));
            }
        }
    }

    /// The bracket that closes the one here, among the same children.
    fn closing(&self, solid: &SolidChildren, open: usize) -> Option<usize> {
        let text = |at: usize| self.text(self.item(solid, at));
        let closer: &[u8] = match text(open) {
            b"(" => b")",
            b"[" => b"]",
            b"{" => b"}",
            _ => return None,
        };
        let mut depth = 0;
        for at in open..solid.nodes.len() {
            if self.is_token(solid, at) {
                depth += usize::from(text(at) == text(open));
                if text(at) == closer {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
            }
        }
        None
    }
}

/// The range to delete for each member, if it can be deleted at all.
///
/// `end` is after the last separator. A member that cannot be deleted without another one's
/// separator has none.
fn units(members: &[usize], end: usize, style: SeparatorStyle) -> Vec<Option<Range<usize>>> {
    let next = |at: usize| members.get(at + 1).copied();
    let last = members[members.len() - 1];
    let unit = |at: usize| match style {
        SeparatorStyle::Alone => Some(members[at]..members[at] + 1),
        SeparatorStyle::Leading => {
            at.checked_sub(1).map(|before| members[before] + 1..members[at] + 1)
        }
        SeparatorStyle::Trailing => {
            let end = next(at).or((end > last + 1).then_some(end));
            end.map(|end| members[at]..end)
        }
    };
    (0..members.len()).map(unit).collect()
}
