//! The linked way: an unchanged fuzz target becomes a function of this program, and a panic in it
//! costs microseconds instead of a process.

extern crate seedsmith as libfuzzer_sys;

#[expect(unused_attributes, reason = "its `#![no_main]` means nothing in a module")]
#[path = "fuzz_targets/toml_header.rs"]
mod toml_header;

fn main() -> std::process::ExitCode {
    seedsmith::cli::tmin_linked("toml_header", toml_header::fuzz_target)
}
