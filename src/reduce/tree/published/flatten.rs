//! Left and right recursion as lists: `e: e '+' t | t` read as if it had been `e: t ('+' t)*`.
//!
//! The text after (or before) the inner node of the same rule becomes a part that can go to
//! nothing, instead of to the rule's least text. (R. Hodován, Á. Kiss, T. Gyimóthy: "Tree
//! Preprocessing and Test Outcome Caching for Efficient Hierarchical Delta Debugging", AST 2017.)

use seedsmith_grammar::internal::TreeBuilder;
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// The nodes that are still to be written, the last first.
enum Todo {
    Node(NodeId),
    /// The children of the node, without the node.
    Inside(NodeId),
    /// The start of a part that can go.
    Part(u32),
    Close,
}

/// The tree of the same bytes in which no rule's first or last part is of that rule itself.
pub(crate) fn flattened(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::new();
    let mut todo = vec![Todo::Inside(NodeId::ROOT)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Node(id) => {
                let node = tree.node(id);
                if tree.children(id).is_empty() {
                    builder.leaf(node.kind, node.start, node.end);
                } else {
                    builder.open(node.kind, node.start);
                    todo.extend([Todo::Close, Todo::Inside(id)]);
                }
            }
            Todo::Inside(id) => {
                let before = todo.len();
                write_inside(tree, id, &mut todo);
                todo[before..].reverse();
            }
            Todo::Part(start) => builder.open(NodeKind::Iteration, start),
            Todo::Close => builder.close(),
        }
    }
    builder.finish(tree.node(NodeId::ROOT).end)
}

/// Pushes the children of a node, in order. Where the first or the last child with bytes is of the
/// node's own rule, that child's children come in its place, and the rest becomes a part that can
/// go.
fn write_inside(tree: &Tree, id: NodeId, todo: &mut Vec<Todo>) {
    let children = tree.children(id);
    let nodes = |children: &[NodeId], todo: &mut Vec<Todo>| {
        todo.extend(children.iter().map(|&child| Todo::Node(child)));
    };
    let is_seen = |&at: &usize| {
        let node = tree.node(children[at]);
        !matches!(node.kind, NodeKind::Trivia(_)) && node.start < node.end
    };
    let is_same = |at: usize| tree.rule(id).is_some() && tree.rule(children[at]) == tree.rule(id);
    let mut seen = (0..children.len()).filter(is_seen);
    let (Some(first), last) = (seen.next(), seen.next_back()) else {
        return nodes(children, todo);
    };
    if is_same(first) {
        nodes(&children[..first], todo);
        todo.push(Todo::Inside(children[first]));
        if last.is_some() {
            // Hidden text after the inner node stays outside of the part.
            let start = (first + 1..children.len()).find(is_seen).expect("the last one is seen");
            nodes(&children[first + 1..start], todo);
            todo.push(Todo::Part(tree.node(children[start]).start));
            nodes(&children[start..], todo);
            todo.push(Todo::Close);
        } else {
            nodes(&children[first + 1..], todo);
        }
    } else if let Some(last) = last.filter(|&last| is_same(last)) {
        nodes(&children[..first], todo);
        todo.push(Todo::Part(tree.node(children[first]).start));
        nodes(&children[first..last], todo);
        todo.extend([Todo::Close, Todo::Inside(children[last])]);
        nodes(&children[last + 1..], todo);
    } else {
        nodes(children, todo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::tree::tests::{EXPRESSION, language, shape};

    /// Rules and parts as brackets.
    fn shown(tree: &Tree, input: &[u8]) -> String {
        fn show(tree: &Tree, input: &[u8], id: NodeId, out: &mut String) {
            let brackets = match tree.node(id).kind {
                NodeKind::Rule { .. } => ["(", ")"],
                NodeKind::Iteration => ["{", "}"],
                _ => ["", ""],
            };
            out.push_str(brackets[0]);
            if tree.children(id).is_empty() {
                out.push_str(std::str::from_utf8(&input[tree.span(id)]).unwrap());
            }
            for &child in tree.children(id) {
                show(tree, input, child, out);
            }
            out.push_str(brackets[1]);
        }
        let mut out = String::new();
        show(tree, input, NodeId::ROOT, &mut out);
        out
    }

    #[test]
    fn recursion_at_either_end_becomes_a_list() {
        let sums = language(EXPRESSION);
        let pairs =
            language("grammar P; s: p EOF; p: N | N ',' p | '-' p '.'; N: [0-9]; W: ' ' -> skip;");
        for (language, input, before, after) in [
            (&sums, "1+2-3", "(((1)+(2))-(3))", "(1{+(2)}{-(3)})"),
            (&sums, "1*2 +(3)", "(((1)*(2)) +(((3))))", "(1{*(2)} {+(((3)))})"),
            (&pairs, "1, 2,3", "(1, (2,(3)))", "({1,} {2,}3)"),
            (&pairs, "-1,-2..", "(-(1,(-(2).)).)", "(-({1,}-(2).).)"),
        ] {
            let tree = shape(language, input.as_bytes()).tree().clone();
            let strip = |text: String| {
                text.strip_prefix('(').unwrap().strip_suffix(')').unwrap().to_owned()
            };
            assert_eq!(strip(shown(&tree, input.as_bytes())), before);
            let flat = flattened(&tree);
            assert_eq!(flat.render(input.as_bytes()), input.as_bytes());
            assert_eq!(strip(shown(&flat, input.as_bytes())), after);
            assert_eq!(flattened(&flat), flat);
        }
    }

    #[test]
    fn a_long_chain_does_not_need_a_deep_stack() {
        let sums = language(EXPRESSION);
        let input = ["1"; 20_000].join("+");
        let flat = flattened(shape(&sums, input.as_bytes()).tree());
        assert!(flat.height() < 8);
        assert_eq!(flat.render(input.as_bytes()), input.as_bytes());
    }
}
