//! Places where something may be that doesn't: the invisible nonterminals of DDSET, section 7.
//!
//! A grammar without quantifiers has a nonterminal, with an empty text, at the end of each list
//! and for each optional part that was left out; the paper abstracts these like all others, leaves
//! them out of the compact form and keeps them in the producer. With quantifiers there are no such
//! nodes. Here they are put into the tree: an empty node of the quantifier where it was left out,
//! and between, before and after the iterations of what may be repeated.

use seedsmith_grammar::internal::TreeBuilder;
use seedsmith_grammar::internal::{
    Alternative, Bounds, Grammar, QuantifierId, RuleId, Term, TokenId,
};
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// The tree with an empty quantifier node at each place where the grammar has room for one.
///
/// The text of the tree stays the same, since all new nodes are empty. Cost: one pass over the
/// tree, with a match of each node's children against its alternative.
pub(crate) fn with_gaps(tree: &Tree, grammar: &Grammar) -> Tree {
    let bodies = bodies(grammar);
    let mut builder = TreeBuilder::new();
    let mut open = vec![Open::new(tree, NodeId::ROOT, grammar, &bodies)];
    for id in tree.ids().skip(1) {
        close_until(&mut builder, &mut open, id, tree);
        open.last_mut().expect("the root is open").pass(&mut builder, tree, id);
        let node = tree.node(id);
        let inside = Open::new(tree, id, grammar, &bodies);
        if tree.children(id).is_empty() && inside.gaps.is_empty() {
            builder.leaf(node.kind, node.start, node.end);
        } else {
            builder.open(node.kind, node.start);
            open.push(inside);
        }
    }
    close_until(&mut builder, &mut open, NodeId(tree.len() as u32), tree);
    builder.finish(tree.node(NodeId::ROOT).end)
}

/// A node that is being copied.
struct Open<'g> {
    id: NodeId,
    grammar: &'g Grammar,
    /// Before how many of the node's parts (errors and hidden text don't count) a gap is, ascending.
    gaps: Vec<(usize, QuantifierId)>,
    /// How many of its parts have gone by.
    passed: usize,
    /// The gaps here that aren't in the tree yet.
    pending: Vec<QuantifierId>,
    /// Where the last part or error ended.
    at: u32,
}

impl<'g> Open<'g> {
    /// Computes the gaps of the node, those before its first part included.
    fn new(tree: &Tree, id: NodeId, grammar: &'g Grammar, bodies: &[&[Alternative]]) -> Self {
        let gaps = gaps(tree, id, grammar, bodies);
        let at = tree.node(id).start;
        let mut open = Open { id, grammar, gaps, passed: 0, pending: Vec::new(), at };
        open.pending = open.here();
        open
    }

    /// The gaps before the next part.
    fn here(&self) -> Vec<QuantifierId> {
        // A list of ten thousand parts has as many gaps: looking at all of them takes minutes.
        let first = self.gaps.partition_point(|gap| gap.0 < self.passed);
        let here = self.gaps[first..].iter().take_while(|gap| gap.0 == self.passed);
        here.map(|gap| gap.1).collect()
    }

    /// Goes past a child: gaps before it come first, right after the part before.
    fn pass(&mut self, builder: &mut TreeBuilder, tree: &Tree, child: NodeId) {
        let node = tree.node(child);
        if is_part(node.kind) {
            self.emit(builder);
            self.passed += 1;
            self.pending = self.here();
            self.at = node.end;
        } else if node.kind == NodeKind::Error {
            self.emit(builder);
            // What may be any number of times may be on both sides.
            self.pending = self.here();
            let bounds = |id: QuantifierId| self.grammar.quantifier(id).bounds;
            self.pending.retain(|&id| bounds(id) != Bounds::Optional);
            self.at = node.end;
        } else if self.passed > 0 {
            // After a comment a gap would be a line further down.
            self.emit(builder);
        }
    }

    /// Writes the gaps that are due as empty leaves.
    fn emit(&mut self, builder: &mut TreeBuilder) {
        for id in self.pending.drain(..) {
            builder.leaf(NodeKind::Quantifier(id.0), self.at, self.at);
        }
    }
}

/// Closes the nodes that end before `id`, with the gaps at their ends.
fn close_until(builder: &mut TreeBuilder, open: &mut Vec<Open<'_>>, id: NodeId, tree: &Tree) {
    while let Some(inner) = open.last_mut().filter(|one| tree.node(one.id).subtree_end <= id.0) {
        inner.emit(builder);
        if inner.id != NodeId::ROOT {
            builder.close();
        }
        open.pop();
    }
}

/// Whether a node is something that the grammar's rule names: hidden text and errors are not.
fn is_part(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Trivia(_) | NodeKind::Error)
}

/// What each quantifier repeats.
///
/// By the quantifier's number. Quantifiers in groups and in other quantifiers are found too.
fn bodies(grammar: &Grammar) -> Vec<&[Alternative]> {
    let mut bodies: Vec<&[Alternative]> = vec![&[]; grammar.quantifiers.len()];
    let mut todo: Vec<&[Alternative]> =
        grammar.rules.iter().map(|rule| rule.alternatives.as_slice()).collect();
    while let Some(body) = todo.pop() {
        for term in body.iter().flat_map(|alternative| &alternative.terms) {
            match term {
                Term::Group(inner) => todo.push(inner),
                Term::Repeat { id, body } => {
                    bodies[id.index()] = body;
                    todo.push(body);
                }
                _ => {}
            }
        }
    }
    bodies
}

/// The gaps directly inside a node: before how many of its parts, and what may be there.
///
/// Before 0 parts is before the first one. Gaps are ascending.
fn gaps(
    tree: &Tree,
    id: NodeId,
    grammar: &Grammar,
    bodies: &[&[Alternative]],
) -> Vec<(usize, QuantifierId)> {
    let parts = || -> Vec<NodeKind> {
        let kinds = tree.children(id).iter().map(|&child| tree.node(child).kind);
        kinds.filter(|&kind| is_part(kind)).collect()
    };
    match tree.node(id).kind {
        NodeKind::Rule { rule, alternative } => {
            let Some(body) = grammar.rule(RuleId(rule)).alternatives.get(usize::from(alternative))
            else {
                return Vec::new();
            };
            Match { parts: &parts() }.whole(std::slice::from_ref(body))
        }
        NodeKind::Iteration => match tree.node(tree.node(id).parent).kind {
            NodeKind::Quantifier(quantifier) => {
                Match { parts: &parts() }.whole(bodies[quantifier as usize])
            }
            _ => Vec::new(),
        },
        NodeKind::Quantifier(quantifier)
            if grammar.quantifier(QuantifierId(quantifier)).bounds != Bounds::Optional =>
        {
            (0..=tree.iterations(id)).map(|before| (before, QuantifierId(quantifier))).collect()
        }
        _ => Vec::new(),
    }
}

/// Finds which terms of an alternative match which parts of a node, and so which were left
/// out.
struct Match<'a> {
    parts: &'a [NodeKind],
}

/// How many parts are taken, and the gaps so far.
type State = (usize, Vec<(usize, QuantifierId)>);

impl Match<'_> {
    /// The gaps where one of the alternatives takes all parts. Recovery from an error may have
    /// left a node's end unread: then those before its end, if no alternative fits.
    fn whole(&self, body: &[Alternative]) -> Vec<(usize, QuantifierId)> {
        let mut cut = None;
        let states = self.alternatives(body, (0, Vec::new()), &mut cut);
        let found = states.into_iter().find(|state| state.0 == self.parts.len()).or(cut);
        found.map(|state| state.1).unwrap_or_default()
    }

    /// All ways to continue from a state, of those that take equally many parts the first.
    fn alternatives(
        &self,
        body: &[Alternative],
        from: State,
        cut: &mut Option<State>,
    ) -> Vec<State> {
        let mut all: Vec<State> = Vec::new();
        for alternative in body {
            let mut states = vec![from.clone()];
            for term in &alternative.terms {
                let mut next: Vec<State> = Vec::new();
                for state in states {
                    for reached in self.term(term, state, cut) {
                        if next.iter().all(|known| known.0 != reached.0) {
                            next.push(reached);
                        }
                    }
                }
                states = next;
            }
            for state in states {
                if all.iter().all(|known| known.0 != state.0) {
                    all.push(state);
                }
            }
        }
        all
    }

    /// The states after one term: a quantifier takes its own node or nothing, which is a gap.
    fn term(&self, term: &Term, (at, mut gaps): State, cut: &mut Option<State>) -> Vec<State> {
        let part = self.parts.get(at).copied();
        if let Term::Group(body) = term {
            return self.alternatives(body, (at, gaps), cut);
        }
        if let Term::Repeat { id, .. } = term {
            return if part == Some(NodeKind::Quantifier(id.0)) {
                vec![(at + 1, gaps)]
            } else {
                gaps.push((at, *id));
                vec![(at, gaps)]
            };
        }
        let Some(part) = part else {
            cut.get_or_insert((at, gaps));
            return Vec::new();
        };
        if takes(term, part) { vec![(at + 1, gaps)] } else { Vec::new() }
    }
}

/// Whether a term of the grammar is what a node is of.
fn takes(term: &Term, part: NodeKind) -> bool {
    let token = match part {
        NodeKind::Token(token) | NodeKind::Missing(token) => Some(TokenId(token)),
        _ => None,
    };
    match (term, part) {
        (Term::Rule { rule, .. }, NodeKind::Rule { rule: found, .. }) => rule.0 == found,
        (Term::Token(wanted), _) => token == Some(*wanted),
        (Term::Set { tokens, negated }, _) => {
            token.is_some_and(|token| tokens.contains(&token) != *negated)
        }
        (Term::Any, _) => token.is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_grammar::Parser;
    use seedsmith_grammar::internal::g4;
    use std::sync::Arc;

    /// The input with `#` for each gap.
    fn shown(grammar: &str, input: &str) -> String {
        let grammar = Arc::new(g4::load_texts(&[("t.g4", grammar)]).unwrap());
        let mut parser = Parser::new(grammar.clone());
        let start = parser.start_rule(None).unwrap();
        let tree = with_gaps(&parser.parse(input.as_bytes(), start).unwrap().tree, &grammar);
        assert_eq!(tree.render(input.as_bytes()), input.as_bytes());
        let mut text = String::new();
        for id in tree.ids().filter(|&id| tree.children(id).is_empty()) {
            text.push_str(&input[tree.span(id)]);
            if matches!(tree.node(id).kind, NodeKind::Quantifier(_)) {
                text.push('#');
            }
        }
        text
    }

    #[test]
    fn lists_have_gaps_around_their_elements_and_optional_parts_where_they_were_left_out() {
        let list = "grammar L; list: '[' (N (',' N)*)? ']' EOF; N: [0-9]+; WS: ' ' -> skip;";
        assert_eq!(shown(list, "[]"), "[#]");
        assert_eq!(shown(list, "[1]"), "[1#]");
        assert_eq!(shown(list, "[1 ,2]"), "[1 #,2#]");
        let many = "grammar M; a: 'a'? ('b' | 'c'* 'd') 'e'+ EOF;";
        assert_eq!(shown(many, "bee"), "#b#e#e#");
        assert_eq!(shown(many, "ade"), "a#d#e#");
    }

    #[test]
    fn left_recursive_rules_have_theirs_too() {
        let sum = "grammar S; s: e EOF; e: e '+' 'not'? e | N; N: [0-9];";
        assert_eq!(shown(sum, "1+2+not3"), "1+#2+not3");
    }

    #[test]
    fn what_recovery_skipped_leaves_the_gaps_around_it() {
        let block = "grammar B; b: s* EOF; s: N ';'; N: [0-9]; WS: ' ' -> skip;";
        assert_eq!(shown(block, "`"), "`#");
        assert_eq!(shown(block, "1; ` 2;"), "#1;# `# 2;#");
    }
}
