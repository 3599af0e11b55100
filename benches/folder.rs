//! Measures how many files a second `repair DIR` repairs with a validator that is linked in, and
//! how much memory it takes: `cargo bench --bench folder [-- FILES [RUNS]]`.
//!
//! Seeds are documents of about 1 KB with one to four bytes inserted, deleted or flipped, each made
//! from its number, so that every run has the same ones. Each count is repaired in a new process of
//! this program.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Says to which part of this program it is started.
const PART: &str = "SEEDSMITH_BENCH_FOLDER";

fn is_valid(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
}

fn main() -> ExitCode {
    // A zygote of the linked validator begins here, too, and has the variable.
    if std::env::var_os(PART).is_some() {
        return seedsmith::cli::repair_linked("json", is_valid);
    }
    let numbers: Vec<usize> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let files = numbers.first().copied().unwrap_or(10_000);
    let runs = numbers.get(1).copied().unwrap_or(3);
    let scratch = tempfile::tempdir().expect("a folder for the seeds");
    println!("| files | runs | files/s (median) | largest resident memory of any run |");
    println!("|---:|---:|---:|---:|");
    for count in [files / 4, files / 2, files] {
        let seeds = scratch.path().join(format!("seeds-{count}"));
        std::fs::create_dir(&seeds).expect("a new folder");
        for number in 0..count {
            let name = seeds.join(format!("{number:06}.json"));
            std::fs::write(name, damaged(number as u64)).expect("room for a seed");
        }
        let mut rates = Vec::new();
        let mut largest = 0;
        for run in 0..runs {
            let output = scratch.path().join(format!("fixed-{count}-{run}"));
            let (seconds, kilobytes) = repair(&seeds, &output);
            rates.push(count as f64 / seconds);
            largest = largest.max(kilobytes);
            // The output is not deleted before the end: ext4 skips inodes that were freed in the
            // last seconds, one by one, and took a tenth of the time to find others.
        }
        rates.sort_by(f64::total_cmp);
        println!("| {count} | {runs} | {:.0} | {} KB |", rates[rates.len() / 2], largest);
    }
    ExitCode::SUCCESS
}

/// Seconds, and the largest resident memory of the driver in kilobytes.
fn repair(seeds: &Path, output: &Path) -> (f64, u64) {
    let started = Instant::now();
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([seeds.as_os_str(), "-o".as_ref(), output.as_os_str(), "--quiet".as_ref()])
        .env(PART, "1")
        .spawn()
        .expect("this program runs");
    let status = format!("/proc/{}/status", child.id());
    let mut largest = 0;
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        largest = largest.max(kilobytes.unwrap_or(0));
        if let Some(ended) = child.try_wait().expect("a child of this program") {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(matches!(ended.code(), Some(0 | 1)), "repair ended with {ended}");
    (started.elapsed().as_secs_f64(), largest)
}

/// Pseudo-random numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

/// A document of about 1 KB that one to four mutations have made invalid.
fn damaged(number: u64) -> Vec<u8> {
    let mut numbers = Numbers(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    loop {
        let mut text = document(&mut numbers);
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(text.len());
            match numbers.below(3) {
                0 => text.insert(at, numbers.below(256) as u8),
                1 => drop(text.remove(at)),
                _ => text[at] ^= 1 << numbers.below(8),
            }
        }
        if !is_valid(&text) {
            return text;
        }
    }
}

fn document(numbers: &mut Numbers) -> Vec<u8> {
    const WORDS: [&str; 12] = [
        "apple", "price", "weight", "origin", "name", "label", "count", "first", "last", "note",
        "colour", "size",
    ];
    let mut items = Vec::new();
    let mut length = 0;
    while length < 1000 {
        let mut word = || WORDS[numbers.below(WORDS.len())].to_owned();
        let (name, kind, other) = (word(), word(), word());
        let price = numbers.below(100_000) as f64 / 100.0;
        let list: Vec<usize> = (0..numbers.below(5)).map(|_| numbers.below(1000)).collect();
        let item = serde_json::json!({
            "name": name, "kind": kind, other: price, "list": list,
            "is_new": numbers.below(2) == 0, "next": null,
        });
        // Each of its lines is indented once more.
        let pretty = serde_json::to_string_pretty(&item).expect("it is a document");
        length += pretty.len() + 2 * pretty.lines().count();
        items.push(item);
    }
    serde_json::to_vec_pretty(&items).expect("it is a document")
}
