//! The contents of a fuzz package, and the settings that apply, in words.

use crate::event::{AppliedSettings, Artifact, ArtifactResult, Listing};
use std::time::{SystemTime, UNIX_EPOCH};

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
        date(artifact.modified),
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

/// `2026-11-22 19:05`, in UTC. A time before 1970 is shown as the first minute of 1970.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// Year, month and day of a number of days since 1970-01-01: Howard Hinnant's `civil_from_days`, for
/// which a year begins in March.
pub(in crate::report) fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{ArtifactKind, ListedTarget};
    use std::time::Duration;

    #[test]
    fn days_are_dates_across_leap_years() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_779, (2026, 11, 22)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(civil(days), date, "{days}");
        }
    }

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
