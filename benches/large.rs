//! Inputs of 10 and 20 MB: time, tests and memory of the default strategy.
//!
//! The target is linked and searches for a pattern of 20 bytes, once in one piece and once as
//! four pieces far apart in order. Memory is the peak sum over the driver, the zygotes and the
//! workers: `PSS` counts shared pages once, `RSS` in each process.
//!
//! `cargo bench --bench large`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use seedsmith::Event;
use seedsmith::Search;
use seedsmith::internal::reduce::{Options, minimize};
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::linked;
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Limits, Notifier, Request, Target};

const PATTERN: &[u8; 20] = b"~needle~in~haystack~";

fn body(input: &[u8]) {
    let whole = memchr::memmem::find(input, PATTERN).is_some();
    let mut rest = Some(input);
    for piece in PATTERN.chunks(5) {
        // A mark before each piece distinguishes the pieces from the whole.
        let marked = [b"\x01".as_slice(), piece].concat();
        rest = rest.and_then(|bytes| {
            memchr::memmem::find(bytes, &marked).map(|at| &bytes[at + marked.len()..])
        });
    }
    assert!(!whole && rest.is_none(), "found");
}

fn input(megabytes: usize, pieces: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut bytes = Vec::with_capacity(megabytes << 20);
    while bytes.len() < megabytes << 20 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let word = state % 9;
        bytes.extend((0..=word).map(|at| b'a' + ((state >> (8 + at * 5)) % 26) as u8));
        bytes.push(if state.is_multiple_of(67) { b'\n' } else { b' ' });
    }
    bytes.truncate(megabytes << 20);
    let length = bytes.len();
    for (index, piece) in PATTERN.chunks(PATTERN.len() / pieces).enumerate() {
        let at = length * (2 * index + 1) / (2 * pieces);
        let marked = if pieces > 1 { [b"\x01", piece].concat() } else { piece.to_vec() };
        bytes[at..at + marked.len()].copy_from_slice(&marked);
    }
    bytes
}

fn main() {
    linked::serve(body);
    println!(
        "{:>4} {:>7} {:>9} {:>7} {:>6} {:>8} {:>8}",
        "MB", "pieces", "seconds", "tests", "bytes", "PSS MB", "RSS MB"
    );
    for pieces in [1, 4] {
        let mut before = None;
        for megabytes in [10, 20] {
            let seconds = measure(megabytes, pieces);
            if let Some(before) = before {
                println!("{:>21.2} times as long for twice the input", seconds / before);
            }
            before = Some(seconds);
        }
    }
}

fn measure(megabytes: usize, pieces: usize) -> f64 {
    let target = LinkedTarget::new("large").expect("this program can be read");
    let input = input(megabytes, pieces);
    let place = place_of(&target, &input);
    let judge = SameFailure {
        signature: Signature { place, ..Signature::of_kind(Kind::Panic) },
        sameness: Sameness::default(),
    };
    let memory = Memory::watch();
    let started = Instant::now();
    let mut oracle = Oracle::new(&target, judge, 2, Budget::default()).expect("it can be run");
    let mut listener = |_: &Event<'_>| {};
    let mut search = Search::new(&mut oracle, input, &mut listener);
    minimize(&mut search, &Options::default()).expect("nothing stops it");
    let seconds = started.elapsed().as_secs_f64();
    let (pss, rss) = memory.stop();
    println!(
        "{megabytes:>4} {pieces:>7} {seconds:>9.2} {:>7} {:>6} {pss:>8} {rss:>8}",
        search.counts().tests,
        search.best().len()
    );
    seconds
}

/// Where the target panics, from one run.
fn place_of(target: &LinkedTarget, input: &[u8]) -> Option<String> {
    let notifier = Notifier::new().expect("the system has memory files");
    let mut slot = target.open(&notifier).expect("it can be run");
    slot.set_limits(Limits::default());
    assert!(slot.push(0, input, Request::default()).expect("the slot works"));
    loop {
        if let Some(report) = slot.take().expect("the slot works") {
            return report.observation.signature().expect("the input fails").place.clone();
        }
        notifier.wait(notifier.count(), Duration::from_millis(5));
        slot.tend().expect("the slot works");
    }
}

/// Peak memory of this process and all below it.
struct Memory {
    stop: Arc<AtomicBool>,
    peak: Arc<[AtomicU64; 2]>,
    thread: std::thread::JoinHandle<()>,
}

impl Memory {
    fn watch() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let peak = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let (stopped, peaks) = (stop.clone(), peak.clone());
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                let mut sums = [0u64; 2];
                add(std::process::id(), &mut sums);
                for (peak, sum) in peaks.iter().zip(sums) {
                    peak.fetch_max(sum, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        Memory { stop, peak, thread }
    }

    fn stop(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("watching memory does not fail");
        (self.peak[0].load(Ordering::Relaxed) >> 10, self.peak[1].load(Ordering::Relaxed) >> 10)
    }
}

/// Adds the kilobytes of `pid` and its descendants.
fn add(pid: u32, sums: &mut [u64; 2]) {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    for (sum, key) in sums.iter_mut().zip(["Pss:", "Rss:"]) {
        let line = rollup.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        *sum += line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0);
    }
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    for task in tasks {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
            add(child, sums);
        }
    }
}
