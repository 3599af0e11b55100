//! Looks for processes that were left running.

use std::time::{Duration, Instant};

/// Processes that carry `mark`, a `NAME=value`, in their environment; this one is not among them.
pub fn marked(mark: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("there is a process file system");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != std::process::id())
        .filter(|pid| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|window| window == mark.as_bytes())
        })
        .collect()
}

/// Waits until `is_so`, and says whether it came to that; gives up after a time that no test needs.
pub fn wait_until(is_so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Waits until no process carries `mark`; they have a moment to die.
pub fn assert_none_left(mark: &str) {
    assert!(wait_until(|| marked(mark).is_empty()), "left behind: {:?}", marked(mark));
}
