//! Layer 4: reducers. They propose candidates to a [`Search`](crate::search::Search) and know
//! neither time, threads, files nor processes.

pub mod ddmin;
pub mod isolate;
