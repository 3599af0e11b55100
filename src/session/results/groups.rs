//! Inputs sorted by failure as their events, and the identifiers by which failures are compared between
//! runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::corpus::{Group, Listed};
use crate::event::{
    Crash, FailureGroup, FailureGroups, SourcePlace, StackLine, TriagedInput, without_build_folders,
};
use crate::session::first_runs::Baseline;
use crate::session::sort::{Failing, Sorted};
use crate::session::stack::StackNames;
use crate::session::target::{OpenTarget, Origin};
use seedsmith_engine::{Message, Signature};

impl<'a> TriagedInput<'a> {
    /// An input that was run `runs` times on `target`, and its failure, if it has one.
    /// `baseline` is the result of the first runs, none if no run failed; `shown` is 0 then. No stack is
    /// named here: a reporter that shows it looks it up with `code`.
    pub fn of(
        listed: &'a Listed,
        target: &'a OpenTarget,
        runs: u32,
        baseline: Option<&'a Baseline>,
    ) -> Self {
        TriagedInput {
            input: &listed.path,
            copies: &listed.copies,
            target: &target.name,
            code: target.code(),
            bytes: listed.bytes,
            shown: baseline.map_or(0, |baseline| baseline.shown),
            runs,
            signature: baseline.map(|baseline| &*baseline.signature),
        }
    }
}

impl<'a> Crash<'a> {
    /// A failing input in full, with the command that shows the failure. Reads the debug information of its
    /// target the first time: tens of milliseconds.
    pub(crate) fn of(failing: &'a Failing, command_line: String, names: &mut StackNames) -> Self {
        let Failing { target, baseline, .. } = failing;
        let code = target.code();
        let program = || match &target.origin {
            Origin::Command { line, .. } => line.argv.first().map(PathBuf::from),
            _ => None,
        };
        Crash {
            stack: names.stack_with_addresses(code.as_deref(), &baseline.signature),
            executable: code.or_else(program).unwrap_or_default(),
            command_line,
            signature: &baseline.signature,
        }
    }
}

impl FailureGroup {
    /// A group without results. Reads the debug information of its target the first time: tens of milliseconds.
    /// `inputs` has every file, copies too, in the order of the members. It is steady if each member failed
    /// in all of its runs.
    fn of(group: &Group<Failing>, names: &mut StackNames) -> Self {
        let target = &group.members[0].target;
        let inputs: Vec<&Listed> = group.members.iter().map(|one| &one.input).collect();
        let is_steady = group.members.iter().all(|one| one.baseline.is_steady());
        let target = (target.name.as_str(), target.code());
        FailureGroup::with(&group.signature, target, &inputs, is_steady, names)
    }

    /// The group of these inputs, of which there is at least one, on the target with this name; `code` is the
    /// executable with the code that fails.
    pub(crate) fn with(
        signature: &Arc<Signature>,
        (target, code): (&str, Option<PathBuf>),
        inputs: &[&Listed],
        is_steady: bool,
        names: &mut StackNames,
    ) -> Self {
        let smallest = inputs.iter().min_by_key(|one| one.bytes);
        let smallest = smallest.expect("a group begins with a member");
        let stack = names.stack(code.as_deref(), signature);
        FailureGroup {
            id: identifier(target, signature, &stack),
            target: target.to_owned(),
            stack,
            signature: signature.clone(),
            inputs: inputs.iter().flat_map(|one| one.files()).collect(),
            smallest: smallest.path.clone(),
            smallest_bytes: smallest.bytes,
            is_steady,
            results: Vec::new(),
        }
    }
}

impl FailureGroups {
    /// The groups of `sorted` without results, in the same order, each with its identifier.
    /// `joined` is none: the caller adds it if an earlier run was named. Results are added by `tmin` as it
    /// goes through the groups.
    pub fn of(sorted: &Sorted) -> Self {
        let names = &mut StackNames::default();
        FailureGroups {
            rows: sorted.groups.iter().map(|group| FailureGroup::of(group, names)).collect(),
            passing: sorted.passing_files(),
            troubled: sorted.troubled,
            joined: None,
        }
    }
}

/// Frames of the user's code that go into an identifier: as many as `--same auto` compares.
/// Frames without a source file do not count.
const IDENTIFYING_FRAMES: usize = 3;

/// A name of a failure that stays the same over runs, builds and edits elsewhere in a file: a digest
/// of target, kind, normalised message, the panic's file and the innermost own functions, without
/// lines. It depends on no folder: neither on the current one nor on the one that the target was built in.
/// It has 16 hexadecimal digits. A change of this function makes all failures of earlier runs look new.
fn identifier(target: &str, signature: &Signature, stack: &[StackLine]) -> String {
    let mut text = format!("{}\n{}\n", target, signature.kind_name());
    if let Some(message) = &signature.message {
        text += Message::normalised(message);
    }
    if let Some(place) = &signature.place {
        text += "\n";
        text += stable_file(SourcePlace::of(&without_build_folders(place)).file);
    }
    let own = stack.iter().filter(|line| line.own && line.file.is_some());
    for line in own.take(IDENTIFYING_FRAMES) {
        text += "\n";
        text += &line.function;
    }
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// The part of a source's path that is the same wherever the target is built. A relative path is: cargo
/// gives rustc paths from the package's or the workspace's folder. Of an absolute path it is the
/// part from the last folder `src` on, else the last folder and the file. Files of two crates that
/// have the same path below `src` get the same text if both paths are absolute.
fn stable_file(file: &str) -> &str {
    if !Path::new(file).is_absolute() {
        return file;
    }
    let from = match file.rfind("/src/") {
        Some(at) => at + 1,
        None => file.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at) + 1,
    };
    &file[from..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::Kind;

    fn of(place: &str, message: &str) -> String {
        let signature = Signature {
            place: Some(place.to_owned()),
            message: Some(Message::new(message)),
            ..Signature::of_kind(Kind::Panic)
        };
        identifier("parse", &signature, &[])
    }

    #[test]
    fn an_identifier_is_kept_when_lines_and_numbers_change_and_no_other_failure_has_it() {
        let one = of("src/a.rs:17:9", "the len is 5");
        assert_eq!(one, of("src/a.rs:99:5", "the len is 1234"));
        assert_eq!(one.len(), 16);
        for other in [of("src/b.rs:17:9", "the len is 5"), of("src/a.rs:17:9", "the end is 5")] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn an_identifier_does_not_depend_on_the_folder_of_the_sources() {
        let one = of("/home/one/project/src/parse/a.rs:17:9", "the len is 5");
        assert_eq!(one, of("/builds/2/project/src/parse/a.rs:17:9", "the len is 5"));
        assert_eq!(one, of("src/parse/a.rs:17:9", "the len is 5"));
        assert_ne!(one, of("/home/one/project/src/print/a.rs:17:9", "the len is 5"));
        let registry = "registry/src/index.crates.io-1949cf8c6b5b557f/a-1.0.0/src/a.rs:1:2";
        let of_user = |home: &str| of(&format!("{home}/.cargo/{registry}"), "the len is 5");
        assert_eq!(of_user("/home/one"), of_user("/root"));
        assert_ne!(of_user("/root"), of("src/a.rs:1:2", "the len is 5"));
    }

    #[test]
    fn the_stable_part_of_a_file_begins_at_the_source_folder() {
        assert_eq!(stable_file("/p/src/lib.rs"), "src/lib.rs");
        assert_eq!(stable_file("/p/src/deep/src/lib.rs"), "src/lib.rs");
        assert_eq!(stable_file("/p/c/parse.c"), "c/parse.c");
        assert_eq!(stable_file("/parse.c"), "parse.c");
        assert_eq!(stable_file("p/src/lib.rs"), "p/src/lib.rs");
        assert_eq!(stable_file(""), "");
    }
}
