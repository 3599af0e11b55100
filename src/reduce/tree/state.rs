//! The state of a reducer along a tree: the tree, which several reducers change one after another,
//! and the tests that are left to them.

use super::shape::Shape;
use crate::reduce::algorithms::ddmin::TestsLeft;
use crate::reduce::choices::PicirenySteps;
use crate::reduce::context::Look;
use crate::search::Search;

/// The tree of the best and how to reduce it.
pub(crate) struct TreeState<'t, 'l> {
    /// The best and its tree.
    pub shape: &'t mut Shape<'l>,
    /// How closely to look.
    pub look: Look,
    /// The tests that the default strategy leaves; the published strategies have no such limit.
    pub limit: Option<TestsLeft<'t>>,
    /// Picireny's steps besides pruning.
    pub picireny: PicirenySteps,
}

impl<'t> TreeState<'t, '_> {
    /// The tests that are left, by the state of the search.
    pub(crate) fn tests_left(&self) -> TestsLeft<'t> {
        fn unlimited(_: &Search<'_, '_>) -> usize {
            usize::MAX
        }
        self.limit.unwrap_or(&unlimited)
    }

    /// Whether it belongs to the default strategy, whose flat reducers run afterwards.
    pub(crate) fn is_default(&self) -> bool {
        self.limit.is_some()
    }
}
