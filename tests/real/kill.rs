//! `kill -9` at any moment leaves a valid result or none, and no process.

use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

use crate::built::{crash_of, executable_of, finished, last_event, tmin};
use crate::left::assert_none_left;

#[test]
fn fifty_kills_at_random_moments_leave_a_failing_result_or_none_and_no_process() {
    let target = "md_refdef";
    let scratch = tempfile::tempdir().unwrap();
    let crash = crash_of(target);
    let whole = scratch.path().join("whole");
    finished(tmin().args(["--json", "-o"]).arg(&whole).arg(&crash));
    let executable = executable_of(target);
    let mark = format!("SEEDSMITH_KILL_TEST={}", std::process::id());
    let (name, value) = mark.split_once('=').unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut results = 0;
    for round in 0..50 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let output = scratch.path().join(format!("killed-{round}"));
        let mut child = tmin()
            .env(name, value)
            .arg("--binary")
            .arg(&executable)
            .args(["--json", "-o"])
            .arg(&output)
            .arg(&crash)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Wherever that is in the run: nothing below depends on it.
        std::thread::sleep(Duration::from_micros(state >> 40) / 64);
        child.kill().unwrap();
        let mut told = String::new();
        child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
        child.wait().unwrap();
        assert_none_left(&mark);
        let Ok(result) = std::fs::read(&output) else {
            assert!(!told.contains("\"event\":\"reduced\""), "announced before it was on disk");
            continue;
        };
        results += 1;
        assert!(result.len() <= std::fs::metadata(&crash).unwrap().len() as usize);
        let check = scratch.path().join(format!("checked-{round}"));
        let checked = tmin()
            .arg("--binary")
            .arg(&executable)
            .args(["--json", "--max-tests", "0", "-o"])
            .arg(&check)
            .arg(&output)
            .output()
            .unwrap();
        // No test is left to spend: the input fails, and the budget is over.
        assert_eq!(checked.status.code(), Some(3), "{checked:?}");
        let event = last_event(&checked);
        let place = event["signature"]["place"].as_str().unwrap_or_default().to_owned();
        assert!(place.contains("pulldown-cmark-0.13.3/src/parse.rs:2367"), "{place}");
        let leftovers: Vec<String> = std::fs::read_dir(scratch.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with(".tmp"))
            .collect();
        // One unfinished copy may be left where the kill came between write and rename.
        assert!(leftovers.len() <= round + 1, "{leftovers:?}");
    }
    assert!(results > 0, "no kill came late enough to find a result");
}
