//! The real programs on scratch copies: their output, files and exit codes.
//!
//! One binary for all, a module for each subject. Nothing here depends on timing: times and counts
//! are masked, and a test that waits, waits for an event.

#[path = "cli/as_one.rs"]
mod as_one;
#[path = "cli/aside.rs"]
mod aside;
#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/bisect.rs"]
mod bisect;
#[path = "cli/casr.rs"]
mod casr;
#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/emit_test.rs"]
mod emit_test;
#[path = "cli/ended.rs"]
mod ended;
#[path = "cli/exchange.rs"]
mod exchange;
#[path = "cli/findings.rs"]
mod findings;
#[path = "cli/gdb.rs"]
mod gdb;
#[path = "cli/generalize.rs"]
mod generalize;
#[path = "cli/grammar.rs"]
mod grammar;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/installed.rs"]
mod installed;
#[path = "cli/interrupt.rs"]
mod interrupt;
#[path = "cli/islands.rs"]
mod islands;
#[path = "cli/isolate.rs"]
mod isolate;
#[path = "cli/json.rs"]
mod json;
#[path = "cli/kit.rs"]
mod kit;
#[path = "common/left.rs"]
mod left;
#[path = "cli/libfuzzer.rs"]
mod libfuzzer;
#[path = "cli/lost.rs"]
mod lost;
#[path = "cli/many.rs"]
mod many;
#[path = "cli/other_failures.rs"]
mod other_failures;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/package.rs"]
mod package;
#[path = "cli/pages.rs"]
mod pages;
#[path = "cli/planted.rs"]
mod planted;
#[path = "cli/reached.rs"]
mod reached;
#[path = "cli/reducers.rs"]
mod reducers;
#[path = "cli/repair.rs"]
mod repair;
#[path = "cli/replaced.rs"]
mod replaced;
#[path = "cli/repository.rs"]
mod repository;
#[path = "cli/resume.rs"]
mod resume;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/scratch.rs"]
mod scratch;
#[path = "cli/screens/mod.rs"]
mod screens;
#[path = "cli/settled.rs"]
mod settled;
#[path = "cli/shards.rs"]
mod shards;
#[path = "cli/telling.rs"]
mod telling;
#[cfg(feature = "languages")]
#[path = "cli/tree_sitter.rs"]
mod tree_sitter;
#[path = "cli/triage.rs"]
mod triage;
#[path = "cli/two_builds.rs"]
mod two_builds;
#[path = "cli/typed.rs"]
mod typed;
#[path = "cli/unsteady.rs"]
mod unsteady;
#[path = "cli/version.rs"]
mod version;
#[cfg(feature = "view")]
#[path = "cli/view.rs"]
mod view;
#[path = "cli/without_effect.rs"]
mod without_effect;
#[path = "cli/written.rs"]
mod written;
#[path = "cli/wrong.rs"]
mod wrong;
