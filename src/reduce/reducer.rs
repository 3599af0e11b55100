//! The type of a reducer: its name, needs, cost, source and function.
//!
//! Every reducer of this package is a `static` beside its function and is listed once, in
//! [`registry`](super::registry). A caller's own reducer is made by [`Reducer::new`] and handed over
//! in [`Options::reducers`](super::Options::reducers).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::context::Context;
use super::needs::{Cost, Need};
use super::tree::state::TreeState;
use crate::search::Search;
use seedsmith_engine::Stopped;

/// A function that proposes smaller inputs to a search. An error means that the search has to stop.
pub(crate) type Propose = dyn Fn(&mut Search<'_, '_>) -> Result<(), Stopped> + Send + Sync;

/// The function of a reducer.
#[derive(Clone)]
pub(crate) enum Function {
    /// It works on the bytes of the best; a language is in the context.
    Flat(fn(&mut Search<'_, '_>, &mut Context) -> Result<(), Stopped>),
    /// It works on a tree that several reducers change one after another.
    Tree(fn(&mut Search<'_, '_>, &mut TreeState<'_, '_>) -> Result<(), Stopped>),
    /// A caller's.
    Own(Arc<Propose>),
}

/// A named way to make a failing input smaller.
///
/// Duties of a reducer:
/// 1. It proposes candidates to the [`Search`], which tests them and keeps the best; it reads no
///    clock, starts no thread or process, and prints nothing.
/// 2. Its proposals depend on the best and the options alone, so that a second run on a result
///    repeats the tests of the first one and changes nothing.
/// 3. It ends where nothing more goes, and hands on an error of the search at once.
#[derive(Clone)]
pub struct Reducer {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    /// The text of the progress line while it runs.
    pub(crate) activity: &'static str,
    pub(crate) needs: &'static [Need],
    pub(crate) cost: Cost,
    pub(crate) source: &'static str,
    pub(crate) function: Function,
}

/// The source of a reducer that is from no paper.
pub(crate) const HERE: &str = "here";

impl Reducer {
    /// A reducer of the caller's own, which needs nothing of the format.
    ///
    /// `propose` is called with the search and tries candidates by
    /// [`Search::fails`](crate::search::Search::fails), again and again, until it has no idea left. It
    /// runs at the beginning of each round of the default strategy, before the built-in ones; a
    /// round is repeated until it changes nothing.
    pub fn new(
        name: impl Into<String>,
        propose: impl Fn(&mut Search<'_, '_>) -> Result<(), Stopped> + Send + Sync + 'static,
    ) -> Self {
        Reducer {
            name: Cow::Owned(name.into()),
            description: Cow::Borrowed("a reducer of the caller's"),
            activity: "deleting",
            needs: &[],
            cost: Cost::Linear,
            source: "the caller",
            function: Function::Own(Arc::new(propose)),
        }
    }

    /// The name that `--stats`, `--only` and `--without` use: one word.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its effect, in one line.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The text for people while it runs, such as `deleting lines`.
    pub fn activity(&self) -> &'static str {
        self.activity
    }

    /// Its needs, all of which must be met. Empty if it runs on any input.
    pub fn needs(&self) -> &[Need] {
        self.needs
    }

    /// How its number of tests grows.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The paper and section that it is from, or `here`.
    pub fn source(&self) -> &str {
        self.source
    }

    /// Runs it on the best under its name. Reducers that work on a tree are run by
    /// [`Reducer::run_along`] only, and do nothing here.
    pub(crate) fn run(
        &self,
        search: &mut Search<'_, '_>,
        context: &mut Context,
    ) -> Result<(), Stopped> {
        match &self.function {
            Function::Flat(function) => {
                search.run_unless_skipped(&self.name, |search| function(search, context))
            }
            Function::Own(propose) => {
                search.run_unless_skipped(&self.name, |search| propose(search))
            }
            Function::Tree(_) => Ok(()),
        }
    }

    /// Runs it on a tree under its name. Reducers that work on bytes do nothing here.
    pub(crate) fn run_along(
        &self,
        search: &mut Search<'_, '_>,
        tree: &mut TreeState<'_, '_>,
    ) -> Result<(), Stopped> {
        match &self.function {
            Function::Tree(function) => {
                search.run_unless_skipped(&self.name, |search| function(search, tree))
            }
            Function::Flat(_) | Function::Own(_) => Ok(()),
        }
    }

    /// Whether [`Reducer::run_along`] runs it.
    pub(crate) fn works_on_tree(&self) -> bool {
        matches!(self.function, Function::Tree(_))
    }
}

impl fmt::Debug for Reducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reducer").field("name", &self.name).finish_non_exhaustive()
    }
}
