//! Reports of casr (`.casrep`), which casr-cluster sorts and casr-cli shows.
//!
//! The format has no document besides casr's own code; this follows the fields of `CrashReport` in libcasr
//! 2.13.1. Fields that have no content here (registers, maps, environment, raw reports of sanitizers) are empty,
//! as casr leaves them. The environment is not written, because it can have secrets.

mod severity;
mod stack;

use std::io::{BufRead, BufReader, Read};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use crate::event::Crash;
use crate::report::show::civil;

/// Lines of source before the line of the crash, which casr shows.
const LINES_BEFORE: usize = 4;
/// Lines of source in a report: as many as casr's.
const SOURCE_LINES: usize = 10;
/// Bytes of a source file that are looked at. No source that a person writes is longer; a guess, not measured.
const MAX_SOURCE_BYTES: u64 = 16 << 20;

/// What a report says about the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    /// As `uname -a` prints it.
    pub uname: String,
    /// The name of the distribution.
    pub os: String,
    /// Its version.
    pub os_release: String,
    /// The architecture, as Debian names it.
    pub architecture: &'static str,
}

/// The fields of a report that have no content here, with those that are lists and those that are texts.
const EMPTY_LISTS: [&str; 17] = [
    "ProcEnviron",
    "ProcStatus",
    "ProcMaps",
    "ProcFiles",
    "NetworkConnections",
    "Disassembly",
    "AsanReport",
    "MsanReport",
    "UbsanReport",
    "LuaReport",
    "PythonReport",
    "GoReport",
    "JavaReport",
    "RustReport",
    "JsReport",
    "CSharpReport",
    "Source",
];
const EMPTY_TEXTS: [&str; 5] =
    ["Stdin", "Package", "PackageVersion", "PackageArchitecture", "PackageDescription"];

/// The report of a crash that was seen at `time`.
///
/// Reads a few lines of the source file at which it crashed, if that file is there. The text is indented and
/// ends with a newline.
pub(crate) fn casrep(crash: &Crash<'_>, system: &System, time: SystemTime) -> String {
    let place = stack::crash_place(crash.signature, &crash.stack);
    let mut report = Map::new();
    for name in EMPTY_LISTS {
        report.insert(name.to_owned(), json!([]));
    }
    for name in EMPTY_TEXTS {
        report.insert(name.to_owned(), json!(""));
    }
    let facts = [
        ("Date", json!(date(time))),
        ("Uname", json!(system.uname)),
        ("OS", json!(system.os)),
        ("OSRelease", json!(system.os_release)),
        ("Architecture", json!(system.architecture)),
        ("ExecutablePath", json!(crash.executable.to_string_lossy())),
        ("ProcCmdline", json!(crash.command_line)),
        ("CrashSeverity", severity::class(crash.signature).to_json()),
        ("Stacktrace", json!(stack::lines(crash.signature, &crash.stack))),
        ("Registers", json!({})),
        ("CrashLine", json!(place.to_string())),
    ];
    report.extend(facts.map(|(name, value)| (name.to_owned(), value)));
    if let stack::CrashPlace::Source { file, line: Some(line), .. } = &place {
        report.insert("Source".to_owned(), json!(source(file, *line)));
    }
    let mut text =
        serde_json::to_string_pretty(&Value::Object(report)).expect("values are always written");
    text.push('\n');
    text
}

/// The lines of a file around `line`, numbered, with an arrow at it; none if the file cannot be read.
fn source(file: &str, line: u32) -> Vec<String> {
    let Ok(opened) = std::fs::File::open(file) else { return Vec::new() };
    if !opened.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Vec::new();
    }
    let crash = line as usize;
    let first = crash.saturating_sub(LINES_BEFORE).max(1);
    let lines = BufReader::new(opened.take(MAX_SOURCE_BYTES)).split(b'\n');
    let shown: Vec<String> = lines
        .map_while(Result::ok)
        .enumerate()
        .skip(first - 1)
        .take(SOURCE_LINES)
        .map(|(at, text)| {
            let arrow = if at + 1 == crash { "--->" } else { "    " };
            format!("{arrow}{:<6} {}", at + 1, String::from_utf8_lossy(&text).trim_end())
        })
        .collect();
    // The file has changed since it was compiled.
    if first + shown.len() > crash { shown } else { Vec::new() }
}

/// `2026-11-22T19:05:03.000123+00:00`, which is RFC 3339 in UTC.
fn date(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil(since.as_secs() / 86_400);
    let seconds = since.as_secs() % 86_400;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:06}+00:00",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        since.subsec_micros()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::event::StackLine;
    use seedsmith_engine::{Frame, Kind, Message, Signature};

    #[test]
    fn a_report_has_every_field_of_casrs_format_and_what_is_known_of_the_crash() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        let text: String = (1..=30).map(|line| format!("line {line}\n")).collect();
        std::fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let signature = Signature {
            place: Some(format!("{file}:7:9")),
            message: Some(Message::new("the len is 5")),
            frames: vec![Frame::at("parse", 0x12, true)],
            ..Signature::of_kind(Kind::Panic)
        };
        let crash = Crash {
            executable: "target/parse".into(),
            command_line: "target/parse 'crashes/a b'".to_owned(),
            signature: &signature,
            stack: vec![(
                0x12,
                StackLine {
                    function: "parse::number".to_owned(),
                    file: Some(file.to_owned()),
                    line: Some(7),
                    column: Some(9),
                    own: true,
                },
            )],
        };
        let system = System { os: "Debian".to_owned(), ..System::default() };
        let time = UNIX_EPOCH + Duration::from_micros(951_827_696_000_042);
        let report: Value = serde_json::from_str(&casrep(&crash, &system, time)).unwrap();
        // As many as libcasr's `CrashReport` has.
        assert_eq!(report.as_object().unwrap().len(), 33);
        assert_eq!(report["Date"], "2000-02-29T12:34:56.000042+00:00");
        assert_eq!(report["OS"], "Debian");
        assert_eq!(report["ProcCmdline"], "target/parse 'crashes/a b'");
        assert_eq!(report["CrashSeverity"]["ShortDescription"], "RustPanic");
        assert_eq!(report["CrashSeverity"]["Description"], "the len is 5");
        assert_eq!(report["CrashLine"], format!("{file}:7:9"));
        assert_eq!(
            report["Stacktrace"],
            json!([format!("#0  0x12 in parse::number at {file}:7:9")])
        );
        let source = report["Source"].as_array().unwrap();
        assert_eq!((source.len(), &source[0]), (10, &json!("    3      line 3")));
        assert_eq!(source[4], "--->7      line 7");
    }

    #[test]
    fn a_source_that_is_missing_or_too_short_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        std::fs::write(&file, "one\ntwo\n").unwrap();
        let file = file.to_str().unwrap();
        assert_eq!(source(file, 2), ["    1      one", "--->2      two"]);
        assert!(source(file, 3).is_empty());
        assert!(source(folder.path().to_str().unwrap(), 1).is_empty());
        assert!(source("none", 1).is_empty());
    }
}
