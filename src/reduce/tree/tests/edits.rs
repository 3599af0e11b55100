//! The bytes that an edit writes, and the tree after it.

use super::super::compatible::Compatible;
use super::super::shape::{Edit, With};
use super::texts::trials;
use super::{LISTS, language, rendered, shape};
use crate::reduce::tree::published::perses::smaller_first;
use seedsmith_grammar::{NodeId, NodeKind};

#[test]
fn an_accepted_edit_gives_the_bytes_that_were_rendered_and_a_tree_over_them() {
    let language = language(LISTS);
    for (text, ..) in trials() {
        let base = shape(&language, text.as_bytes());
        assert_eq!(rendered(&base, &[]), text.as_bytes());
        let index = Compatible::new(base.tree());
        for node in base.tree().ids().skip(1) {
            let mut edits = smaller_first(&base, &index, node);
            edits.extend(base.drop_nodes(&[node]));
            for edit in edits {
                let mut changed = shape(&language, text.as_bytes());
                let written = rendered(&base, &[edit]);
                changed.accept(&[edit]);
                assert_eq!(changed.source(), written);
                assert_eq!(changed.tree().render(&written), written, "{edit:?}");
                for id in changed.tree().ids().skip(1) {
                    let (span, above) = (
                        changed.tree().span(id),
                        changed.tree().span(changed.tree().parent(id).unwrap()),
                    );
                    assert!(above.start <= span.start && span.end <= above.end, "{edit:?}");
                }
            }
        }
    }
}

#[test]
fn replacing_by_least_texts_and_compatible_nodes_keeps_an_input_valid() {
    let language = language(LISTS);
    let mut reader = language.parser();
    for (text, ..) in trials() {
        let base = shape(&language, text.as_bytes());
        let index = Compatible::new(base.tree());
        for node in base.tree().ids().skip(1) {
            let mut edits = smaller_first(&base, &index, node);
            if !matches!(base.tree().node(node).kind, NodeKind::Token(_) | NodeKind::Trivia(_)) {
                edits.extend(base.drop_nodes(&[node]));
            }
            for edit in edits {
                let written = rendered(&base, &[edit]);
                let is_valid = reader.parse_while(&written, &|| true).unwrap().is_valid();
                assert!(
                    is_valid,
                    "{:?} of {text:?}, {edit:?}: {:?} {:?}",
                    String::from_utf8_lossy(&written),
                    base.tree().node(node),
                    base.text(node)
                );
            }
        }
    }
}

#[test]
fn words_that_would_run_together_are_kept_apart() {
    let language =
        language("grammar W; s: ('a' | b)* EOF; b: '(' ID* ')' | ID; ID: [a-z]+; WS: ' ' -> skip;");
    let base = shape(&language, b"one(x)two");
    let is_brackets = |id: &NodeId| base.text(*id) == b"(x)";
    let node = base.tree().ids().find(is_brackets).unwrap();
    let gone = Edit { node, with: With::Text(b"") };
    assert_eq!(rendered(&base, &[gone]), b"one two");
    let mut changed = shape(&language, b"one(x)two");
    changed.accept(&[gone]);
    assert_eq!(changed.tree().render(b"one two"), b"one two");
}
