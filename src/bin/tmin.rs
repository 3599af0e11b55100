//! `tmin`.
fn main() {}
