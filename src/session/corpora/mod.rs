//! Corpora on disk: where chosen inputs go, and the state of a run that was ended.

mod place;

pub(crate) use place::{CorpusPlace, PlaceError};
