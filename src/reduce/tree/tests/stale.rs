//! Perses on trees whose nodes move with every accepted edit: the nodes that it queues next have to
//! be found in the new tree.

use super::super::compatible::Compatible;
use super::{language, rendered, shape};
use crate::reduce::testing::reduce_by;
use crate::reduce::tree::published::perses::{perses_within, smaller_first};
use seedsmith_grammar::Language;
use seedsmith_grammar::NodeKind;
use seedsmith_grammar::internal::Substitutes;

fn fuzzingbook(text: &str) -> Substitutes {
    Substitutes::new(Language::of_fuzzingbook("t.json", text, None).unwrap())
}

#[test]
fn perses_empties_the_last_node_of_a_tree() {
    let language = fuzzingbook(r#"{"<start>": ["a<rest>"], "<rest>": ["", "b<rest>"]}"#);
    let input = b"abbb";
    let fails = |text: &[u8]| text.starts_with(b"a");
    let found = reduce_by(input, fails, |search| {
        perses_within(search, &mut shape(&language, input), &|_| usize::MAX).map(|_| ())
    });
    assert_eq!(String::from_utf8_lossy(&found.best), "a");
}

#[test]
fn one_run_of_perses_looks_at_the_node_that_took_the_place_of_another() {
    // Each pair of brackets around another list is replaced by its content, and the parts of the
    // new list are tried in the same run, not in the next.
    let language = language(
        "grammar R; s: list EOF; list: '[' item* ']' | '(' list ')'; item: list | ID;
         ID: [a-z]+; WS: [ ]+ -> skip;",
    );
    let input = b"(([ b c [ d ([ e x f ]) g ] h ]))";
    let fails = |text: &[u8]| text.contains(&b'x');
    let found = reduce_by(input, fails, |search| {
        let mut shape = shape(&language, input);
        perses_within(search, &mut shape, &|_| usize::MAX)?;
        let index = Compatible::new(shape.tree());
        for node in shape.tree().ids().skip(1) {
            let edits = match shape.tree().node(node).kind {
                NodeKind::Rule { .. } => smaller_first(&shape, &index, node),
                NodeKind::Iteration => shape.drop_nodes(&[node]),
                _ => Vec::new(),
            };
            for edit in edits {
                let candidate = rendered(&shape, &[edit]);
                assert!(!fails(&candidate), "{:?}", String::from_utf8_lossy(&candidate));
            }
        }
        Ok(())
    });
    let seen: Vec<u8> = found.best.into_iter().filter(|byte| *byte != b' ').collect();
    assert_eq!(String::from_utf8_lossy(&seen), "[x]");
}
