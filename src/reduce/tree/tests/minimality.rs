//! Checks the result of each strategy by brute force: none of the strategy's steps helps any more.

use std::sync::Arc;

use super::super::compatible::Compatible;
use super::super::shape::{Edit, Shape};
use super::texts::{failure, trials};
use super::{LISTS, language, reduce, rendered, shape};
use crate::reduce::Strategy;
use crate::reduce::testing::reduce_by;
use crate::reduce::tree::published::hdd::{Everything, hdd_plus, hdd_star};
use crate::reduce::tree::published::perses::{perses, smaller_first};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeKind;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::order::is_simpler;

/// Runs a strategy's function on a trial and returns its result: the bytes and, first, the tree
/// that it had of them in the end; then, where they are valid, the tree that a parse gives.
fn left_by<'l>(
    language: &'l Arc<Substitutes>,
    (text, needed, is_strict): &(String, Vec<String>, bool),
    body: impl FnOnce(&mut Search<'_, '_>, &mut Shape<'l>) -> Result<(), Stopped>,
) -> Vec<Shape<'l>> {
    let mut left = shape(language, text.as_bytes());
    let fails = failure(language, needed, *is_strict);
    let found = reduce_by(text.as_bytes(), fails, |search| body(search, &mut left));
    assert_eq!(
        String::from_utf8_lossy(left.source()),
        String::from_utf8_lossy(&found.best),
        "the simplest input of {text:?} is not what is left of its tree"
    );
    let is_valid = language.parser().parse_while(&found.best, &|| true).unwrap().is_valid();
    assert!(is_valid || !is_strict);
    let again = is_valid.then(|| shape(language, &found.best));
    std::iter::once(left).chain(again).collect()
}

/// That none of these edits, each alone, gives a simpler text that fails.
fn hold_minimal<'l>(
    name: &str,
    left: &Shape<'l>,
    fails: impl Fn(&[u8]) -> bool,
    edits: impl Iterator<Item = Vec<Edit<'l>>>,
) -> usize {
    let mut tried = 0;
    for edits in edits {
        let candidate = rendered(left, &edits);
        if is_simpler(&candidate, left.source()) {
            tried += 1;
            assert!(
                !fails(&candidate),
                "{name}: {:?} still fails as {:?}",
                String::from_utf8_lossy(left.source()),
                String::from_utf8_lossy(&candidate)
            );
        }
    }
    tried
}

#[test]
fn after_hdd_plus_and_hdd_star_no_single_node_can_go() {
    type Run = for<'l> fn(&mut Search<'_, '_>, &mut Shape<'l>) -> Result<(), Stopped>;
    let strategies: [(&str, Run); 2] = [
        ("hdd+", |search, shape| hdd_plus(search, shape, &Everything)),
        ("hdd*", |search, shape| hdd_star(search, shape, &Everything)),
    ];
    let language = language(LISTS);
    let mut tried = 0;
    for trial in trials() {
        for (name, run) in strategies {
            for left in left_by(&language, &trial, run) {
                let fails = failure(&language, &trial.1, trial.2);
                // Hidden text is no element of HDD.
                let is_hidden = |id| matches!(left.tree().node(id).kind, NodeKind::Trivia(_));
                let nodes = left.tree().ids().skip(1).filter(|&id| !is_hidden(id));
                let edits = nodes.map(|node| left.drop_nodes(&[node]));
                tried += hold_minimal(name, &left, fails, edits);
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn after_perses_none_of_its_own_transformations_helps() {
    let language = language(LISTS);
    let mut tried = 0;
    for trial in trials() {
        for left in left_by(&language, &trial, perses) {
            let fails = failure(&language, &trial.1, trial.2);
            let index = Compatible::new(left.tree());
            let edits =
                left.tree().ids().skip(1).flat_map(|node| match left.tree().node(node).kind {
                    NodeKind::Rule { .. } => smaller_first(&left, &index, node)
                        .into_iter()
                        .map(|edit| vec![edit])
                        .collect(),
                    NodeKind::Iteration => vec![left.drop_nodes(&[node])],
                    _ => Vec::new(),
                });
            tried += hold_minimal("perses", &left, fails, edits);
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn every_strategy_ends_smaller_and_failing() {
    let language = language(LISTS);
    for (text, needed, is_strict) in trials() {
        let fails = failure(&language, &needed, is_strict);
        for strategy in Strategy::ALONG_A_TREE {
            let found = reduce(
                strategy,
                &language,
                text.as_bytes(),
                failure(&language, &needed, is_strict),
            );
            assert!(fails(&found.best) && found.best.len() <= text.len(), "{strategy}: {text}");
        }
    }
}
