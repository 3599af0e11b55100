//! Tests with real bugs, real fuzz targets and real builds, as a user has them.
//!
//! The light targets of the fuzz package are built by `tmin` itself, with stable Rust. Tests that
//! need cargo-fuzz or nightly Rust fail where these are missing; `scripts/test` installs them.

mod book;
mod built;
mod cases;
mod corpus;
mod gdb;
mod kill;
#[path = "../common/left.rs"]
mod left;
mod manual;
mod sanitizers;
mod scratch;
mod shards;
#[cfg(not(feature = "languages"))]
mod without_languages;
mod workflows;
