//! The user's cargo-fuzz package: finding it, building its targets, opening them, and the commands
//! that reproduce a failure.
