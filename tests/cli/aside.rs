//! Files that are written aside and temporary folders: the files that a killed run leaves, and when
//! they are removed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::scratch::{HAS_FOO, Scratch};

/// Never ends, whatever the candidate is.
const HANGS: [&str; 4] = ["--", "sh", "-c", "exec sleep 600"];

/// Unfinished files in the folder.
fn unfinished(scratch: &Scratch) -> Vec<String> {
    let mut names = scratch.names();
    names.retain(|name| name.starts_with(".seedsmith.") && name.ends_with(".part"));
    names
}

#[test]
fn the_page_of_a_killed_repair_is_removed_by_the_next_run_and_that_of_a_live_one_is_not() {
    let scratch = Scratch::new();
    scratch.write("in/broken", "(a");
    let mut command = scratch.program("repair");
    command.args(["in", "-o", "out", "--html", "page.html"]).args(HANGS);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    // Longer than a start takes on any machine; the page is begun before the first test.
    while unfinished(&scratch).is_empty() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let page = unfinished(&scratch);
    assert_eq!(page.len(), 1, "{:?}", scratch.names());

    let ended = scratch.repair(&["in", "-o", "other", "--html", "other.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(unfinished(&scratch), page, "a live run writes it");

    // SIGKILL: nothing of that process runs any more.
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(unfinished(&scratch), page);
    let ended = scratch.repair(&["in", "-o", "out", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["in", "other", "other.html", "out", "page.html"]);
}

/// Temporary folders below `tmp`.
fn temporary(scratch: &Scratch) -> Vec<PathBuf> {
    let entries = fs::read_dir(scratch.path().join("tmp")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn the_temporary_folder_of_a_killed_run_is_private_and_is_removed_by_the_next_run() {
    let scratch = Scratch::new();
    scratch.write("tmp/kept/file", "of something else");
    scratch.write("input", "a foo");
    let tmin = || {
        let mut command = scratch.tmin();
        command.env("TMPDIR", scratch.path().join("tmp")).arg("input");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut child = tmin().args(HANGS).spawn().unwrap();
    let begun = Instant::now();
    while temporary(&scratch).len() < 2 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut left = temporary(&scratch);
    left.retain(|path| !path.ends_with("kept"));
    assert!(!left.is_empty(), "a killed run leaves its folder");
    for path in &left {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o7777, 0o700, "{path:?}");
    }

    let status = tmin().arg("--").args(HAS_FOO).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(temporary(&scratch), [scratch.path().join("tmp/kept")]);
}
