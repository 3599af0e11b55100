//! An abstract failure-inducing input: a concrete one, and what may be at some of its places.

use crate::event::PatternPart;
use std::collections::BTreeMap;

use seedsmith_grammar::internal::Drawn;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::internal::{Reading, WordPiece};
use seedsmith_grammar::{Dice, Word};
use seedsmith_grammar::{NodeId, NodeKind, Tree};

use super::domain::{Domain, MAX_DRAWN_BYTES, Segment, literal};
use crate::generalize::draws::sampler::Sampler;

/// A place of a pattern that is not fixed: one node, or several that hold the same words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The nodes, ascending; more than one for `<$name1>`.
    pub nodes: Vec<NodeId>,
    /// What may be there.
    pub domain: Domain,
}

impl Slot {
    /// A slot of one node.
    ///
    /// Most slots are such; several nodes share a slot only if they have to be equal.
    pub fn one(node: NodeId, domain: Domain) -> Self {
        Slot { nodes: vec![node], domain }
    }

    /// Whether its domain is of bytes or numbers and not of a grammar's symbol: then nothing is inside.
    pub fn is_spelled(&self) -> bool {
        matches!(self.domain, Domain::Spelled(_) | Domain::Integer { .. })
    }

    /// Whether any number of characters may be somewhere in it.
    ///
    /// A draw of such a slot may not be read as the token that it is for.
    pub fn has_room(&self) -> bool {
        let is_room = |segment: &Segment| matches!(segment, Segment::Insertion { .. });
        matches!(&self.domain, Domain::Spelled(segments) if segments.iter().any(is_room))
    }
}

/// Draws for the insertions of a token until one is read as that token, because a draw that is not costs
/// no test. If half are, twelve fail with a chance of 0.02 %.
const MAX_REDRAWS: usize = 12;

/// Words instead of nodes.
pub(crate) type Replaced = BTreeMap<NodeId, Vec<Word>>;

/// The input that patterns are made of, with its tree.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The bytes.
    pub input: Vec<u8>,
    /// The tree over all of them; one leaf under the root where there is no grammar.
    pub tree: Tree,
    /// The grammar that made the tree.
    pub language: Option<Sampler>,
    /// Leaves that have only their letters and digits in common with others: the text around these.
    pub shared: BTreeMap<NodeId, (Vec<u8>, Vec<u8>)>,
}

impl Subject {
    /// The bytes of a node.
    ///
    /// The bytes of the minimized input, whatever a slot may have there.
    pub fn text(&self, node: NodeId) -> &[u8] {
        &self.input[self.tree.span(node)]
    }

    /// Writes the input with words instead of some nodes; nothing if no text is read back as
    /// meant. Nodes inside replaced nodes are not looked at.
    ///
    /// Costs no test. With a grammar the words are joined and read again, so keywords, blanks and
    /// comments between them are as the grammar needs them.
    pub fn render(&mut self, replaced: &Replaced) -> Option<Vec<u8>> {
        let (tree, input) = (&self.tree, &self.input);
        let around = |(id, (before, after)): (&NodeId, &(Vec<u8>, Vec<u8>))| {
            let words = replaced.get(id)?.iter().map(|word| &word.text[..]);
            let text: Vec<&[u8]> =
                std::iter::once(&before[..]).chain(words).chain([&after[..]]).collect();
            let token = match tree.node(*id).kind {
                NodeKind::Token(token) => TokenId(token),
                _ => TokenId::EOF,
            };
            Some((*id, vec![Word { token, text: text.concat() }]))
        };
        let shared: Replaced = self.shared.iter().filter_map(around).collect();
        let mut pieces: Vec<WordPiece<'_>> = Vec::new();
        let mut at = 0;
        while at < tree.len() as u32 {
            let id = NodeId(at);
            let node = tree.node(id);
            if let Some(words) = shared.get(&id).or_else(|| replaced.get(&id)) {
                pieces.extend(words.iter().map(|word| match word.token {
                    TokenId::EOF => WordPiece { reading: Reading::Raw, text: &word.text },
                    _ => WordPiece::drawn(word),
                }));
                at = node.subtree_end;
                continue;
            }
            if tree.children(id).is_empty() {
                let reading = match node.kind {
                    NodeKind::Token(token) => Reading::Token(token),
                    NodeKind::Error => Reading::Raw,
                    _ => Reading::Hidden,
                };
                pieces.push(WordPiece { reading, text: &input[tree.span(id)] });
            }
            at += 1;
        }
        match &mut self.language {
            Some(language) => language.joiner().join(pieces.into_iter()),
            None => Some(pieces.iter().flat_map(|piece| piece.text).copied().collect()),
        }
    }

    /// Something that may be at a slot. In a token's room nothing is drawn that it can't hold, as
    /// far as a few draws help.
    ///
    /// `None` if the domain has nothing finite.
    pub fn draw(&mut self, slot: &Slot, dice: &mut dyn Dice) -> Option<Drawn> {
        let kind = self.tree.node(slot.nodes[0]).kind;
        let mut drawn = slot.domain.draw(self.language.as_ref(), dice, kind)?;
        if slot.has_room() && self.language.is_some() {
            for _ in 0..MAX_REDRAWS {
                if self.takes(slot, &drawn.words) {
                    break;
                }
                drawn = slot.domain.draw(self.language.as_ref(), dice, kind)?;
            }
        }
        Some(drawn)
    }

    /// Whether words can be written at a slot, with everything else as it is.
    ///
    /// Costs reading the whole text, and no test.
    pub fn takes(&mut self, slot: &Slot, words: &[Word]) -> bool {
        let replaced = slot.nodes.iter().map(|&node| (node, words.to_vec())).collect();
        self.render(&replaced).is_some()
    }

    /// Assumes that some leaves are equal: where their texts differ, in their letters and digits.
    ///
    /// The text around the letters and digits of each node stays when these are replaced.
    pub fn share(&mut self, nodes: &[NodeId]) {
        if nodes.iter().all(|&node| self.text(node) == self.text(nodes[0])) {
            return;
        }
        for &node in nodes {
            let (text, (start, end)) = (self.text(node), core(self.text(node)));
            let around = (text[..start].to_vec(), text[end..].to_vec());
            self.shared.insert(node, around);
        }
    }

    /// The opposite.
    ///
    /// Nodes that are not shared are left alone.
    pub fn unshare(&mut self, nodes: &[NodeId]) {
        nodes.iter().for_each(|node| drop(self.shared.remove(node)));
    }

    /// The nearest nodes below that something can be drawn for, left to right.
    ///
    /// None without a grammar.
    pub fn inner(&self, node: NodeId) -> Vec<NodeId> {
        let Some(language) = &self.language else { return Vec::new() };
        let mut found = Vec::new();
        let mut at = node.0 + 1;
        while at < self.tree.node(node).subtree_end {
            let inner = self.tree.node(NodeId(at));
            if language.symbol(inner).is_some() {
                found.push(NodeId(at));
                at = inner.subtree_end;
            } else {
                at += 1;
            }
        }
        found
    }

    /// Whether nothing of the node can be seen: it is empty, white space or hidden from the
    /// parser (DDSET, section 7).
    pub fn is_invisible(&self, node: NodeId) -> bool {
        let is_blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
        let leaves = self.tree.subtree(node).filter(|&id| self.tree.children(id).is_empty());
        leaves.into_iter().all(|leaf| {
            matches!(self.tree.node(leaf).kind, NodeKind::Trivia(_)) || is_blank(self.text(leaf))
        })
    }
}

/// Where the letters and digits of a text are, from the first to the last.
///
/// Offsets into `text`; two equal ones for a text without letters and digits.
pub(crate) fn core(text: &[u8]) -> (usize, usize) {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let start = text.iter().position(is_of_word).unwrap_or(text.len());
    let end = text.iter().rposition(is_of_word).map_or(start, |last| last + 1);
    (start, end)
}

/// A pattern: a subject, its slots, and the nodes of which nothing is known.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The minimized input.
    pub subject: Subject,
    /// What isn't fixed, in the order of the first nodes.
    pub slots: Vec<Slot>,
    /// Nodes for which no valid expansion could be drawn.
    pub unknown: Vec<NodeId>,
}

impl Pattern {
    /// A random input of the pattern; nothing if this draw came to nothing.
    ///
    /// Drawn bytes are bounded by 16 MiB over all slots. The pattern stays the same; only the
    /// reader of its language caches trees.
    pub fn draw(&mut self, dice: &mut dyn Dice) -> Option<Vec<u8>> {
        let mut replaced = Replaced::new();
        let mut bytes = 0;
        for slot in &self.slots {
            let drawn = self.subject.draw(slot, dice)?;
            let length: usize = drawn.words.iter().map(|word| word.text.len()).sum();
            bytes += length * slot.nodes.len();
            if bytes > MAX_DRAWN_BYTES {
                return None;
            }
            for &node in &slot.nodes {
                replaced.insert(node, drawn.words.clone());
            }
        }
        self.subject.render(&replaced)
    }

    /// The compact representation (DDSET, algorithm 4) in parts: invisible nonterminals are shown as
    /// they are, and so are those with one text only.
    pub fn parts(&self) -> Vec<(PatternPart, String)> {
        let subject = &self.subject;
        let language = subject.language.as_ref();
        let names = self.same_names();
        let mut parts: Vec<(PatternPart, String)> = Vec::new();
        let mut push = |part: PatternPart, text: String| match parts.last_mut() {
            Some((last, known))
                if *last == part
                    && matches!(part, PatternPart::Required | PatternPart::Unknown) =>
            {
                known.push_str(&text);
            }
            _ if text.is_empty() => {}
            _ => parts.push((part, text)),
        };
        let mut at = 0;
        while at < subject.tree.len() as u32 {
            let id = NodeId(at);
            let node = subject.tree.node(id);
            at = node.subtree_end;
            if let Some((slot, name)) =
                self.slots.iter().zip(&names).find(|(slot, _)| slot.nodes.contains(&id))
            {
                match name {
                    Some((number, name)) => {
                        let around = subject.shared.get(&id);
                        let around =
                            around.map(|(before, after)| (literal(before), literal(after)));
                        let (before, after) = around.unwrap_or_default();
                        push(PatternPart::Required, before);
                        push(PatternPart::Same(*number), name.clone());
                        push(PatternPart::Required, after);
                    }
                    None if language.is_some() && subject.is_invisible(id) => {
                        push(PatternPart::Required, literal(subject.text(id)));
                    }
                    None => match &slot.domain {
                        Domain::Spelled(segments) => {
                            for (part, text) in spelled(segments) {
                                push(part, text);
                            }
                        }
                        domain => push(PatternPart::Any, domain.notation(language)),
                    },
                }
            } else if self.unknown.contains(&id)
                && !self.has_slot_inside(id)
                && !subject.is_invisible(id)
            {
                push(PatternPart::Unknown, literal(subject.text(id)));
            } else if subject.tree.children(id).is_empty() {
                push(PatternPart::Required, literal(subject.text(id)));
            } else {
                at = id.0 + 1;
            }
        }
        parts
    }

    /// The compact representation.
    ///
    /// It is made for people: two patterns may have the same.
    pub fn compact(&self) -> String {
        self.parts().into_iter().map(|(_, text)| text).collect()
    }

    /// What may be where nothing does, in order: after how many bytes of the minimized input,
    /// and its name. The compact form leaves these out.
    pub fn room(&self) -> Vec<(usize, String)> {
        let language = self.subject.language.as_ref();
        let is_left_out =
            |slot: &&Slot| language.is_some() && self.subject.text(slot.nodes[0]).is_empty();
        let empty = self.slots.iter().filter(is_left_out);
        empty
            .flat_map(|slot| {
                let name = slot.domain.notation(language);
                let starts = slot.nodes.iter().map(|&node| self.subject.tree.span(node).start);
                starts.map(move |start| (start, name.clone()))
            })
            .collect()
    }

    /// The parts that were not varied, since no valid text could be drawn for them: their offsets
    /// and texts.
    pub fn not_varied(&self) -> Vec<(usize, Vec<u8>)> {
        let subject = &self.subject;
        let mut found: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut at = 0;
        while at < subject.tree.len() as u32 {
            let id = NodeId(at);
            at += 1;
            let is_taken = self.slots.iter().any(|slot| slot.nodes.contains(&id));
            let is_told = self.unknown.contains(&id) && !self.has_slot_inside(id);
            if is_told && !is_taken && !subject.is_invisible(id) {
                found.push((subject.tree.span(id).start, subject.text(id).to_vec()));
            }
            if is_told || is_taken {
                at = subject.tree.node(id).subtree_end;
            }
        }
        found
    }

    /// Whether something at or below the node isn't fixed.
    ///
    /// The node itself counts.
    pub fn has_slot_inside(&self, node: NodeId) -> bool {
        let end = self.subject.tree.node(node).subtree_end;
        let is_inside = |id: &NodeId| node <= *id && id.0 < end;
        self.slots.iter().flat_map(|slot| &slot.nodes).any(is_inside)
    }

    /// For each slot of several nodes its number and how it is written: `<$name1>`.
    ///
    /// In the order of the slots; `None` for a slot of one node.
    fn same_names(&self) -> Vec<Option<(u32, String)>> {
        let language = self.subject.language.as_ref();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let mut number = 0;
        self.slots
            .iter()
            .map(|slot| {
                (slot.nodes.len() > 1).then(|| {
                    let shown = slot.domain.kind(language);
                    let name = shown.trim_matches(['<', '>']).to_owned();
                    let count = counts.entry(name.clone()).or_default();
                    *count += 1;
                    number += 1;
                    (number, format!("<${name}{count}>"))
                })
            })
            .collect()
    }
}

/// One part for each segment: texts are required, anything else is free.
fn spelled(segments: &[Segment]) -> Vec<(PatternPart, String)> {
    segments
        .iter()
        .map(|segment| {
            let one = Domain::Spelled(vec![segment.clone()]).notation(None);
            let part = if matches!(segment, Segment::Text(_)) {
                PatternPart::Required
            } else {
                PatternPart::Any
            };
            (part, one)
        })
        .collect()
}
