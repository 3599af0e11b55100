//! A search over a closure, for the tests of this layer.

mod properties;
mod special;

use std::cell::RefCell;
use std::rc::Rc;

use crate::event::{Counts, Event, Minimality};
use crate::search::Search;
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};

/// The result of a reduction.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub best: Vec<u8>,
    pub minimality: Minimality,
    pub calls: u64,
    pub tests: u64,
    /// The consumed candidates that the cache did not know, in order.
    pub order: Vec<Vec<u8>>,
    /// How often a better input was found.
    pub accepted: usize,
}

/// Runs `body` on a search from `input` for inputs for which `fails` returns true, with `jobs`
/// workers.
pub(crate) fn reduce_with(
    jobs: usize,
    input: &[u8],
    fails: impl Fn(&[u8]) -> bool + 'static,
    body: impl FnOnce(&mut Search<'_, '_>) -> Result<(), Stopped>,
) -> Found {
    assert!(fails(input), "the input has to fail");
    let target = ClosureTarget::failing_if(fails);
    let judge =
        SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
    let mut oracle = Oracle::new(&target, judge, jobs, Budget::default()).unwrap();
    let order = Rc::new(RefCell::new(Vec::new()));
    let heard = order.clone();
    oracle.set_trace(Box::new(move |candidate, _, was_cached| {
        if !was_cached {
            heard.borrow_mut().push(candidate.to_vec());
        }
    }));
    let mut accepted = 0;
    let mut reporter = |event: &Event<'_>| {
        accepted += usize::from(matches!(event, Event::Reduced { .. }));
    };
    let mut search = Search::new(&mut oracle, input.to_vec(), &mut reporter);
    body(&mut search).unwrap();
    let Counts { calls, tests, .. } = search.counts();
    let best = search.best().to_vec();
    let minimality = search.minimality();
    drop(search);
    Found { best, minimality, calls, tests, order: order.take(), accepted }
}

/// [`reduce_with`] one worker.
pub(crate) fn reduce_by(
    input: &[u8],
    fails: impl Fn(&[u8]) -> bool + 'static,
    body: impl FnOnce(&mut Search<'_, '_>) -> Result<(), Stopped>,
) -> Found {
    reduce_with(1, input, fails, body)
}
