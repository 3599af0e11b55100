//! Converts a tree of tree-sitter's into this project's `Tree`: rules, tokens, optional parts,
//! errors, and every byte between them.
//!
//! The walk keeps a list of steps instead of recursing, so that no nesting is too deep. Rules,
//! tokens and productions are noted in [`Observed`] on the way, which gives them their numbers.
//! Bytes that no node covers become hidden text if they are blank, else a token of the node around
//! them: some languages have text for which there is no node.

use crate::grammar::node_types::NodeTypes;
use crate::grammar::parser::{Errors, StopCheck, SyntaxError, SyntaxProblem};
use crate::grammar::tree_sitter::observed::{Observed, RulePart, TokenKey};
use crate::grammar::tree_sitter::optional::OptionalPart;
use crate::grammar::tree_sitter::skeleton::{NO_FIELD, Skeleton, SkeletonNode};
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeKind, Tree};
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Language;

/// The cost of one step here, in steps of a parser.
///
/// A guess, not measured.
const STEPS_PER_NODE: u32 = 16;

/// A part of the tree that is still to convert.
enum ConversionStep {
    /// A node with all its descendants.
    Node(u32),
    /// Bytes under no child of this node.
    Between(u32, Range<u32>),
    /// A node of the tree begins at an offset.
    Open(NodeKind, u32),
    /// A leaf between two offsets.
    Leaf(NodeKind, u32, u32),
    /// The innermost node ends.
    Close,
}

/// Puts the nodes into a tree.
pub(super) struct TreeConverter<'a> {
    /// The language, for the names of kinds and fields.
    pub language: &'a Language,
    /// The children that each kind of node may have, from `node-types.json`.
    pub node_types: &'a NodeTypes,
    /// The nodes of tree-sitter's tree.
    pub skeleton: &'a Skeleton,
    /// The bytes.
    pub input: &'a [u8],
    /// By node.
    ///
    /// The optional and repeated parts of each node.
    pub parts: &'a [Vec<OptionalPart>],
    /// By node: whether it is one of a list.
    pub is_member: &'a [bool],
    /// The rules and tokens met so far.
    pub observed: Observed,
    /// The syntax errors, in the order of the input.
    pub errors: Errors,
}

impl TreeConverter<'_> {
    /// The tree over all bytes; `None` if the parse must stop.
    pub(super) fn grow(&mut self, stop_check: &mut StopCheck<'_>) -> Option<Tree> {
        let mut builder = TreeBuilder::new();
        let length = self.input.len() as u32;
        let root = self.skeleton.item(0);
        let mut todo = vec![ConversionStep::Between(0, root.end..length), ConversionStep::Node(0)];
        todo.push(ConversionStep::Between(0, 0..root.start));
        let mut steps = Vec::new();
        while let Some(step) = todo.pop() {
            if stop_check.must_stop(STEPS_PER_NODE) {
                return None;
            }
            match step {
                ConversionStep::Open(kind, start) => builder.open(kind, start),
                ConversionStep::Leaf(kind, start, end) => builder.leaf(kind, start, end),
                ConversionStep::Close => builder.close(),
                ConversionStep::Between(around, bytes) => self.between(around, bytes, &mut builder),
                ConversionStep::Node(at) => {
                    self.node(at, &mut steps);
                    todo.extend(steps.drain(..).rev());
                }
            }
        }
        Some(builder.finish(length))
    }

    /// The name of a kind of node.
    fn kind_name(&self, kind: u16) -> &'static str {
        self.language.node_kind_for_id(kind).unwrap_or("ERROR")
    }

    /// The bytes of a span.
    fn text(&self, bytes: Range<u32>) -> &[u8] {
        &self.input[bytes.start as usize..bytes.end as usize]
    }

    /// The steps for a node, in order.
    fn node(&mut self, at: u32, steps: &mut Vec<ConversionStep>) {
        let item = *self.skeleton.item(at);
        if item.is_missing {
            let token = self.token(at);
            self.errors.push(SyntaxError {
                offset: item.start,
                problem: SyntaxProblem::MissingToken { token },
            });
            steps.push(ConversionStep::Leaf(NodeKind::Missing(token), item.start, item.start));
        } else if item.is_extra {
            if item.start < item.end {
                let key = TokenKey::Hidden(self.kind_name(item.kind).to_owned());
                let token = self.observed.token(key, b" ", at);
                steps.push(ConversionStep::Leaf(NodeKind::Trivia(token), item.start, item.end));
            }
        } else if item.is_error {
            let problem = SyntaxProblem::NoAlternative;
            self.errors.push(SyntaxError { offset: item.start, problem });
            if self.skeleton.children(at).is_empty() {
                steps.push(ConversionStep::Leaf(NodeKind::Error, item.start, item.end));
            } else {
                steps.push(ConversionStep::Open(NodeKind::Error, item.start));
                self.children(at, &[], steps);
                steps.push(ConversionStep::Close);
            }
        } else if !item.is_named {
            // A token may have child nodes; here its whole text is one leaf.
            if item.start < item.end {
                let token = self.token(at);
                steps.push(ConversionStep::Leaf(NodeKind::Token(token), item.start, item.end));
            }
        } else {
            self.rule(at, steps);
        }
    }

    /// The steps for a rule's node: a node for the place, if the place is a separate rule, and in
    /// it one for the kind, with the children, their optional parts and their iterations.
    fn rule(&mut self, at: u32, steps: &mut Vec<ConversionStep>) {
        let item = *self.skeleton.item(at);
        let count = self.skeleton.children(at).len();
        if count == 0 && item.start == item.end && item.depth > 0 {
            return;
        }
        let rule = self.observed.rule(self.kind_name(item.kind));
        let slot = self.slot_rule(at);
        if let Some(slot) = slot {
            let alternative = self.observed.alternative(slot, vec![RulePart::Rule(rule)]);
            steps
                .push(ConversionStep::Open(NodeKind::Rule { rule: slot, alternative }, item.start));
        }
        if count == 0 {
            let token = (item.start < item.end).then(|| self.token(at));
            let pieces = token.map(RulePart::Token).into_iter().collect();
            let alternative = self.observed.alternative(rule, pieces);
            steps.push(ConversionStep::Open(NodeKind::Rule { rule, alternative }, item.start));
            let leaf = token
                .map(|token| ConversionStep::Leaf(NodeKind::Token(token), item.start, item.end));
            steps.extend(leaf);
        } else {
            let all = &self.parts[at as usize];
            let (mut parts, mut quantifiers) = (Vec::new(), Vec::new());
            for part in all {
                if let Some(quantifier) = self.quantifier(rule, at, part) {
                    parts.push(part.clone());
                    quantifiers.push(quantifier);
                }
            }
            let alternative = if self.has_direct_error(at) {
                NodeKind::NO_ALTERNATIVE
            } else {
                let pieces = self.pieces(at, 0..count, &parts, &quantifiers);
                self.observed.alternative(rule, pieces)
            };
            steps.push(ConversionStep::Open(NodeKind::Rule { rule, alternative }, item.start));
            self.children(at, &spans(&parts, &quantifiers), steps);
        }
        steps.push(ConversionStep::Close);
        steps.extend(slot.map(|_| ConversionStep::Close));
    }

    /// The steps for the children, with the text between them and the spans around them (outer ones
    /// first).
    ///
    /// Every byte of the node is in one of the steps.
    fn children(
        &self,
        at: u32,
        spans: &[(Range<usize>, NodeKind)],
        steps: &mut Vec<ConversionStep>,
    ) {
        let item = self.skeleton.item(at);
        let mut spans = spans.iter().peekable();
        let mut ends: Vec<usize> = Vec::new();
        let mut behind = item.start;
        for (place, &child) in self.skeleton.children(at).iter().enumerate() {
            let start = self.skeleton.item(child).start;
            steps.push(ConversionStep::Between(at, behind..start.max(behind)));
            while let Some((range, kind)) = spans.next_if(|(range, _)| range.start == place) {
                steps.push(ConversionStep::Open(*kind, start));
                ends.push(range.end);
            }
            steps.push(ConversionStep::Node(child));
            behind = behind.max(self.skeleton.item(child).end);
            while ends.pop_if(|end| *end == place + 1).is_some() {
                steps.push(ConversionStep::Close);
            }
        }
        steps.push(ConversionStep::Between(at, behind..item.end.max(behind)));
    }

    /// Leaves for bytes that no child covers: blanks are hidden, the rest is the node's own.
    fn between(&mut self, around: u32, bytes: Range<u32>, builder: &mut TreeBuilder) {
        if bytes.is_empty() {
            return;
        }
        let text = self.text(bytes.clone());
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
        let leading = text.iter().take_while(|byte| is_blank(byte)).count() as u32;
        let trailing = text.iter().rev().take_while(|byte| is_blank(byte)).count() as u32;
        let blanks = self.observed.token(TokenKey::Hidden("blanks".into()), b" ", around);
        if bytes.start + leading == bytes.end {
            builder.leaf(NodeKind::Trivia(blanks), bytes.start, bytes.end);
            return;
        }
        let own = bytes.start + leading..bytes.end - trailing;
        let kind = match self.skeleton.item(around) {
            // Bytes before or after the whole tree, or that the parser threw away.
            SkeletonNode { is_error: true, .. } => NodeKind::Error,
            root if own.end <= root.start || own.start >= root.end => NodeKind::Error,
            item => {
                let key = TokenKey::Text(self.kind_name(item.kind).to_owned());
                let text = self.input[own.start as usize..own.end as usize].to_vec();
                NodeKind::Token(self.observed.token(key, &text, around))
            }
        };
        if leading > 0 {
            builder.leaf(NodeKind::Trivia(blanks), bytes.start, own.start);
        }
        builder.leaf(kind, own.start, own.end);
        if trailing > 0 {
            builder.leaf(NodeKind::Trivia(blanks), own.end, bytes.end);
        }
    }

    /// The token of a node without children, noted with its text.
    fn token(&mut self, at: u32) -> u32 {
        let item = *self.skeleton.item(at);
        let name = self.kind_name(item.kind);
        let text = &self.input[item.start as usize..item.end as usize];
        // Of a missing token the name is all there is to see.
        let text = if item.is_missing { name.as_bytes() } else { text };
        self.observed.token(TokenKey::NodeType(name.to_owned(), item.is_named), text, at)
    }

    /// The rule for the place of a node, if that is another than the node's rule.
    ///
    /// Children without a field name are distinguished by kind alone, so only those in a list have
    /// such a rule.
    fn slot_rule(&mut self, at: u32) -> Option<u32> {
        let item = self.skeleton.item(at);
        let parent = self.skeleton.item(item.parent);
        if item.depth == 0 || parent.is_error {
            return None;
        }
        let (parent, kind) = (self.kind_name(parent.kind), self.kind_name(item.kind));
        let field = match item.field {
            NO_FIELD => "",
            field => self.language.field_name_for_id(field).unwrap_or_default(),
        };
        let slot = self.node_types.slot(parent, field)?;
        let mut fitting = slot.kinds.iter().filter(|wanted| self.node_types.fits(kind, wanted));
        let first = fitting.next()?;
        // All children without a field name are in one slot, whatever their places; only in a list
        // they can replace each other.
        let wanted = if !field.is_empty() || self.is_member[at as usize] {
            &slot.kinds[..]
        } else if fitting.next().is_none() {
            std::slice::from_ref(first)
        } else {
            return None;
        };
        if let [only] = wanted
            && only == kind
        {
            return None;
        }
        Some(self.observed.slot_rule(parent, field, wanted))
    }

    /// Whether an error or a missing token is among the children: then the children are no
    /// production.
    fn has_direct_error(&self, at: u32) -> bool {
        let is_wrong = |child: &u32| {
            let child = self.skeleton.item(*child);
            child.is_error || child.is_missing
        };
        self.skeleton.children(at).iter().any(is_wrong)
    }

    /// The number of the quantifier that a part belongs to: parts of one rule that begin alike are
    /// one quantifier.
    fn quantifier(&mut self, rule: u32, at: u32, part: &OptionalPart) -> Option<u32> {
        let first = self.skeleton.children(at)[part.range().start];
        let piece = self.piece(first).unwrap_or(RulePart::Token(0));
        self.observed.quantifier(rule, part.bounds, piece)
    }

    /// The symbol of a child in a production; `None` for comments and empty children.
    fn piece(&mut self, child: u32) -> Option<RulePart> {
        let item = *self.skeleton.item(child);
        if item.is_extra || item.is_error || (item.start == item.end && !item.is_missing) {
            return None;
        }
        if !item.is_rule() {
            return Some(RulePart::Token(self.token(child)));
        }
        let slot = self.slot_rule(child);
        Some(RulePart::Rule(match slot {
            Some(slot) => slot,
            None => self.observed.rule(self.kind_name(item.kind)),
        }))
    }

    /// A stretch of children as a production. Parts nest three deep at most, so this may recurse.
    ///
    /// `parts` are those within the stretch, outer ones first. Iterations that are alike are kept
    /// once.
    fn pieces(
        &mut self,
        at: u32,
        stretch: Range<usize>,
        parts: &[OptionalPart],
        quantifiers: &[u32],
    ) -> Vec<RulePart> {
        let skeleton = self.skeleton;
        let children = skeleton.children(at);
        let mut pieces = Vec::new();
        let mut parts_left = 0;
        let mut place = stretch.start;
        let mut behind = if place == 0 { skeleton.item(at).start } else { u32::MAX };
        while place < stretch.end {
            while parts.get(parts_left).is_some_and(|part| part.range().start < place) {
                parts_left += 1;
            }
            let child = skeleton.item(children[place]);
            self.own_text(at, behind..child.start, &mut pieces);
            let part = parts.get(parts_left).filter(|part| part.range().start == place);
            let Some(part) = part else {
                pieces.extend(self.piece(children[place]));
                behind = child.end;
                place += 1;
                continue;
            };
            let inner = (&parts[parts_left + 1..], &quantifiers[parts_left + 1..]);
            let mut bodies = BTreeSet::new();
            for iteration in &part.iterations {
                bodies.insert(self.pieces(at, iteration.clone(), inner.0, inner.1));
            }
            pieces.push(RulePart::Repeat(quantifiers[parts_left], bodies.into_iter().collect()));
            place = part.range().end;
            behind = skeleton.item(children[place - 1]).end;
        }
        if stretch.end == children.len() {
            self.own_text(at, behind..skeleton.item(at).end, &mut pieces);
        }
        pieces
    }

    /// A token for bytes of the node's own, if they aren't blank.
    fn own_text(&mut self, at: u32, bytes: Range<u32>, pieces: &mut Vec<RulePart>) {
        if bytes.start >= bytes.end {
            return;
        }
        let text = self.text(bytes).trim_ascii().to_vec();
        if !text.is_empty() {
            let key = TokenKey::Text(self.kind_name(self.skeleton.item(at).kind).to_owned());
            pieces.push(RulePart::Token(self.observed.token(key, &text, at)));
        }
    }
}

/// Quantifiers and iterations in the order in which they are opened; the parts come with outer
/// ones first.
fn spans(parts: &[OptionalPart], quantifiers: &[u32]) -> Vec<(Range<usize>, NodeKind)> {
    let mut spans = Vec::new();
    for (part, &quantifier) in parts.iter().zip(quantifiers) {
        spans.push((part.range(), NodeKind::Quantifier(quantifier)));
        spans.extend(part.iterations.iter().map(|range| (range.clone(), NodeKind::Iteration)));
    }
    spans.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    spans
}
