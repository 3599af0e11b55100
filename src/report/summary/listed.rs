//! The contents of a fuzz package, and the settings that apply, in words.

use crate::event::{AppliedSettings, Artifact, ArtifactResult, Listing};

use crate::report::show;
use crate::report::terminal::table::{self, Align};

/// `from seedsmith.toml (target parse): --grammar json, --jobs 2`. The options are in the order of their
/// names. The console prints the line with `--verbose`.
pub(crate) fn settings(applied: &AppliedSettings) -> String {
    let values = applied.values.iter().map(|(name, value)| format!("--{name} {value}"));
    let target = applied.target.as_ref().map(|name| format!(" (target {name})"));
    format!(
        "from {}{}: {}",
        show::path(&applied.file),
        target.unwrap_or_default(),
        values.collect::<Vec<_>>().join(", ")
    )
}

/// A row an input, and one for each target without inputs. Times are in UTC; a result of a run that did not end is
/// `(unfinished)`.
///
/// Targets are sorted by name, and the newest input of a target is first. Sizes are in bytes. `result` is `-`
/// for an input that was not minimized.
pub(crate) fn table(listing: &Listing) -> String {
    let columns = [
        ("target", Align::Left),
        ("kind", Align::Left),
        ("bytes", Align::Right),
        ("written (UTC)", Align::Left),
        ("result", Align::Right),
        ("input", Align::Left),
        ("failure of the result", Align::Left),
    ];
    let (names, aligns): (Vec<&str>, Vec<Align>) = columns.into_iter().unzip();
    let mut rows = vec![names.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for target in &listing.targets {
        if target.artifacts.is_empty() {
            let mut row = vec![target.name.clone(), "-".to_owned()];
            row.resize(aligns.len(), String::new());
            rows.push(row);
        }
        rows.extend(target.artifacts.iter().map(|artifact| row(&target.name, artifact)));
    }
    table::aligned(&rows, &aligns)
}

/// Characters of a failure that a row shows. It is the last column, so only a terminal's lines limit it. A guess;
/// not measured.
const MAX_FAILURE_CHARS: usize = 70;

/// The cells of an input, in the order of the columns of `table`. The failure is empty without a result, or
/// if the journal of the run does not have it.
fn row(target: &str, artifact: &Artifact) -> Vec<String> {
    let failure = artifact.minimized.as_ref().and_then(|result| result.failure.as_deref());
    vec![
        target.to_owned(),
        artifact.kind.in_words().to_owned(),
        show::number(artifact.bytes),
        show::date(artifact.modified),
        artifact.minimized.as_ref().map_or_else(|| "-".to_owned(), result),
        artifact.path.display().to_string(),
        show::shortened(&show::short_paths(failure.unwrap_or_default()), MAX_FAILURE_CHARS),
    ]
}

/// The size of a result in bytes, and whether the run that made it ended early. If its journal cannot be
/// read, the size has no remark.
fn result(minimized: &ArtifactResult) -> String {
    let bytes = show::number(minimized.bytes);
    match minimized.is_complete {
        Some(false) => format!("{bytes} (unfinished)"),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{ArtifactKind, ListedTarget};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn a_row_has_the_result_of_an_input_and_a_target_without_inputs_has_a_row() {
        let artifact = |name: &str, minimized| Artifact {
            path: format!("fuzz/artifacts/parse/{name}").into(),
            bytes: 1200,
            modified: UNIX_EPOCH + Duration::from_secs(60),
            kind: ArtifactKind::Crash,
            minimized,
        };
        let minimized = ArtifactResult {
            path: "fuzz/artifacts/parse/crash-1.min".into(),
            bytes: 3,
            is_complete: Some(false),
            failure: Some("abort".to_owned()),
        };
        let artifacts = vec![artifact("crash-1", Some(minimized)), artifact("crash-2", None)];
        let targets = vec![
            ListedTarget { name: "parse".to_owned(), artifacts },
            ListedTarget { name: "read".to_owned(), artifacts: Vec::new() },
        ];
        let listing = Listing { folder: "fuzz".into(), targets };
        let lines = [
            "  target  kind   bytes  written (UTC)             result  input                         failure of the result",
            "  parse   crash  1,200  1970-01-01 00:01  3 (unfinished)  fuzz/artifacts/parse/crash-1  abort",
            "  parse   crash  1,200  1970-01-01 00:01               -  fuzz/artifacts/parse/crash-2",
            "  read    -",
            "",
        ];
        assert_eq!(table(&listing), lines.join("\n"));
    }

    #[test]
    fn settings_read_as_the_options_that_they_are() {
        let values = [("grammar", "json"), ("jobs", "2")];
        let applied = AppliedSettings {
            file: "seedsmith.toml".into(),
            target: Some("parse".to_owned()),
            values: values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        };
        let line = "from seedsmith.toml (target parse): --grammar json, --jobs 2";
        assert_eq!(settings(&applied), line);
    }
}
