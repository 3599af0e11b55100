//! Properties of all tree reducers, on random grammars and inputs.
//!
//! `SEEDSMITH_TREE_PAIRS` says how many pairs of a grammar and an input are tried, and
//! `SEEDSMITH_TREE_SEED` from which seed on; `scripts/tree-reducers` sets them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::compatible::Compatible;
use super::super::shape::Shape;
use super::random::Pair;
use super::rendered;
use crate::event::Minimality;
use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::selection::Selection;
use crate::reduce::testing::{Found, reduce_by};
use crate::reduce::tree::auto::{exchange, sequence};
use crate::reduce::tree::published::perses::smaller_first;
use crate::reduce::{Options, PicirenySteps, Strategy, minimize};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::order;
use seedsmith_grammar::{NodeId, NodeKind};

/// Pairs that take a few seconds without optimization.
const PAIRS: u64 = 48;

type Reducer<'r> = Box<dyn Fn(&mut Search<'_, '_>) -> Result<(), Stopped> + 'r>;

/// All reducers along a tree by name, and whether a second run promises to change nothing.
fn reducers(pair: &Pair, seed: u64) -> Vec<(String, bool, Reducer<'_>)> {
    let mut all: Vec<(String, bool, Reducer<'_>)> = Vec::new();
    let mut strategy = |strategy: Strategy, picireny: PicirenySteps| {
        let name = format!("{strategy} {picireny:?}");
        // hdd goes over each level once; auto's fixpoint isn't that of its way along a tree.
        let is_fixpoint = !matches!(strategy, Strategy::Hdd | Strategy::Auto);
        let language = Some(pair.language.clone());
        let options = Options { strategy, language, picireny, ..Options::default() };
        let run = move |search: &mut Search<'_, '_>| minimize(search, &options);
        all.push((name, is_fixpoint, Box::new(run)));
    };
    for one in Strategy::ALONG_A_TREE.into_iter().chain([Strategy::Auto]) {
        strategy(one, PicirenySteps::default());
    }
    let coarse = PicirenySteps { coarse: true, hoist: true, ..PicirenySteps::default() };
    strategy(Strategy::Picireny, coarse);
    // One of the 64 sets of picireny's steps, another one for each pair.
    let has = |bit: u64| seed >> bit & 1 == 1;
    let (coarse, hoist, flatten, recursive) = (has(0), has(1), has(2), has(3));
    let (white_space, hidden_tokens) = (has(4), has(5));
    let steps = PicirenySteps { coarse, hoist, flatten, recursive, white_space, hidden_tokens };
    strategy(Strategy::Picireny, steps);
    // auto looks at a tree of longer inputs only.
    all.push((
        "along".to_owned(),
        false,
        Box::new(|search| {
            sequence::reduce(search, &pair.language, &Selection::default()).map(|_| ())
        }),
    ));
    all.push((
        "exchange".to_owned(),
        false,
        Box::new(|search| {
            exchange::exchange(search, &pair.language, &mut Allowance::new(200)).map(|_| ())
        }),
    ));
    all
}

fn run(pair: &Pair, input: &[u8], reducer: &Reducer<'_>) -> Found {
    reduce_by(input, pair.fails(), |search| reducer(search))
}

/// Holds one pair to everything; how many runs that took.
fn hold(pair: &Pair, seed: u64) -> usize {
    let fails = pair.fails();
    let mut runs = 0;
    for (name, is_fixpoint, reducer) in reducers(pair, seed) {
        let found = run(pair, &pair.input, &reducer);
        runs += 1;
        let best = String::from_utf8_lossy(&found.best);
        assert!(fails(&found.best), "{name}: {best:?} doesn't fail");
        assert!(!order::is_simpler(&pair.input, &found.best), "{name}: {best:?} is larger");
        if found.minimality == Minimality::OneTreeMinimal {
            hold_tree_minimal(pair, &found.best, &name);
        }
        // A result that can't be parsed within the limit has no tree, so a second run is ddmin's.
        let has_tree = pair.language.parse(&mut pair.language.parser(), &found.best).is_ok();
        if is_fixpoint && has_tree {
            let again = run(pair, &found.best, &reducer);
            runs += 1;
            let again = String::from_utf8_lossy(&again.best);
            assert_eq!(again, best, "{name}: a second run changes its result");
        }
    }
    hold_edits(pair, seed);
    runs
}

/// That no single node of the tree of `best` can be dropped for something simpler that fails.
fn hold_tree_minimal(pair: &Pair, best: &[u8], name: &str) {
    let fails = pair.fails();
    let shape = parsed(pair, best);
    let is_hidden = |id: NodeId| matches!(shape.tree().node(id).kind, NodeKind::Trivia(_));
    for node in shape.tree().ids().skip(1).filter(|&id| !is_hidden(id)) {
        let candidate = rendered(&shape, &shape.drop_nodes(&[node]));
        assert!(
            !order::is_simpler(&candidate, best) || !fails(&candidate),
            "{name}: {:?} still fails as {:?}",
            String::from_utf8_lossy(best),
            String::from_utf8_lossy(&candidate)
        );
    }
}

fn parsed<'p>(pair: &'p Pair, input: &[u8]) -> Shape<'p> {
    let mut parser = pair.language.parser();
    let tree = pair.language.parse(&mut parser, input).unwrap().tree;
    Shape::new(&pair.language, parser, input.to_vec(), tree)
}

/// Checks that an unchanged shape writes the input, and that after each of several edits it writes
/// the rendered bytes, with a tree that covers all of them and has no node outside of its parent.
fn hold_edits(pair: &Pair, seed: u64) {
    let mut random = Random::new(seed);
    let mut shape = parsed(pair, &pair.input);
    assert_eq!(rendered(&shape, &[]), pair.input);
    for _ in 0..8 {
        let index = Compatible::new(shape.tree());
        let node = NodeId(1 + random.below(shape.tree().len().saturating_sub(1).max(1)) as u32);
        if node.index() >= shape.tree().len() {
            return;
        }
        let mut edits = smaller_first(&shape, &index, node);
        edits.extend(shape.drop_nodes(&[node]));
        let Some(edit) = random.choose(&edits).copied() else { continue };
        let written = rendered(&shape, &[edit]);
        shape.accept(&[edit]);
        assert_eq!(shape.source(), written, "{edit:?}");
        assert_eq!(shape.tree().render(&written), written, "{edit:?}");
        for id in shape.tree().ids().skip(1) {
            let (span, above) =
                (shape.tree().span(id), shape.tree().span(shape.tree().node(id).parent));
            assert!(above.start <= span.start && span.end <= above.end, "{edit:?}");
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |said| said.parse().expect("it is a number"))
}

#[test]
fn every_tree_reducer_keeps_its_promises_on_random_grammars() {
    let first = number("SEEDSMITH_TREE_SEED", 0);
    let pairs = number("SEEDSMITH_TREE_PAIRS", PAIRS);
    let mut runs = 0;
    let mut large = 0;
    let mut failed: BTreeMap<u64, String> = BTreeMap::new();
    for seed in first..first + pairs {
        let pair = Pair::of(seed);
        large += u64::from(pair.language.grammar().rules.len() > 500);
        match catch_unwind(AssertUnwindSafe(|| hold(&pair, seed))) {
            Ok(more) => runs += more,
            Err(panic) => {
                let why = panic.downcast_ref::<String>().cloned();
                let why = why.or_else(|| panic.downcast_ref::<&str>().map(|&why| why.to_owned()));
                failed.insert(seed, format!("{}: {}", why.unwrap_or_default(), pair.shown()));
            }
        }
    }
    println!("{pairs} pairs, {large} with more than 500 rules, {runs} runs, {} bad", failed.len());
    for (seed, why) in failed.iter().take(5) {
        println!("seed {seed}: {why}\n");
    }
    assert!(failed.is_empty(), "pairs that fail: {:?}", failed.keys().take(50));
    assert!(pairs < PAIRS || large > 0);
}
