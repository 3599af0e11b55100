//! Runs the files of a corpus once more and writes down which edges valid ones reach and which rejected ones reach.
//!
//! `MUTATOR_REPLAY` names the folder, `MUTATOR_REPLAY_TO` the file that is written, with four lines: the first edge of
//! every function, edges of valid inputs, edges of rejected ones, and edges of rejected inputs that are made of the
//! files, by cutting them and by dropping a byte: a corpus keeps few rejected inputs, and what one of them reaches is no
//! code after the parser. Edges are given by their number in the table of the instrumentation.
//!
//! An input that takes longer than `LIMIT` ends the program with status `LATE`. `MUTATOR_REPLAY_TO` then has one line that names it, and a later
//! replay leaves it out if `MUTATOR_REPLAY_WITHOUT` names a file with that line.
//!
//! With `MUTATOR_CHECK` the file of that name is parsed and nothing else: the exit status is 0 if it is valid, else 1.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Process;

/// An edge's place, and whether a function begins there.
#[repr(C)]
struct Place {
    address: usize,
    flags: usize,
}

// In assembler: a static of Rust with one of these names would take the place of the instrumentation's own, and nothing
// would be counted.
std::arch::global_asm!(
    ".pushsection .data.rel.ro.mutator_bounds,\"aw\",@progbits",
    ".balign 8",
    ".globl MUTATOR_BOUNDS",
    "MUTATOR_BOUNDS:",
    ".quad __start___sancov_cntrs",
    ".quad __stop___sancov_cntrs",
    ".quad __start___sancov_pcs",
    ".quad __stop___sancov_pcs",
    ".popsection",
);

unsafe extern "C" {
    /// Where the counters begin and end, and the table of places.
    static MUTATOR_BOUNDS: [usize; 4];
}

/// Rejected inputs that are made of each file, half of them by cutting it.
const MADE_OF_EACH: usize = 24;

/// After an input that took longer than this, no others are made of its file. `hcl-edit` tries some texts again for each bracket that
/// is open, so its time doubles with every one: 24 inputs of one file took more than five minutes.
const LONG: Duration = Duration::from_millis(200);

/// An input may take so long. A grammar of `pest` ran for six minutes and did not end.
const LIMIT: Duration = Duration::from_secs(20);
/// The exit status after an input that took longer.
const LATE: i32 = 75;

/// The input that runs now, and since when.
static CURRENT: Mutex<Option<(String, Instant)>> = Mutex::new(None);

/// Ends the program if an input takes longer than `LIMIT`, and names it in `to`.
fn watch(to: PathBuf) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let current = CURRENT.lock().expect("no holder panics");
            if let Some((name, begun)) = current.as_ref()
                && begun.elapsed() > LIMIT
            {
                std::fs::write(&to, format!("{name}\n")).expect("MUTATOR_REPLAY_TO can be written");
                std::process::exit(LATE);
            }
        }
    });
}

/// Whether an input is to be run. From then on it is the current one.
fn begins(name: String, without: &HashSet<String>) -> bool {
    if without.contains(&name) {
        return false;
    }
    *CURRENT.lock().expect("no holder panics") = Some((name, Instant::now()));
    true
}

fn counters() -> &'static mut [u8] {
    // SAFETY: the linker puts both symbols around the counters, this program has one thread, and the
    // instrumentation adds to a counter by its address.
    unsafe {
        let [first, end, ..] = MUTATOR_BOUNDS;
        std::slice::from_raw_parts_mut(first as *mut u8, end - first)
    }
}

fn places() -> &'static [Place] {
    // SAFETY: the linker puts both symbols around the table, which the instrumentation fills with pairs of words.
    unsafe {
        let [.., first, end] = MUTATOR_BOUNDS;
        std::slice::from_raw_parts(first as *const Place, (end - first) / size_of::<Place>())
    }
}

/// Adds the edges that `run` reached to `reached`, and returns its result.
fn add(reached: &mut [bool], run: impl Fn() -> bool) -> bool {
    counters().fill(0);
    let returned = run();
    for (reached, counter) in reached.iter_mut().zip(counters()) {
        *reached |= *counter != 0;
    }
    returned
}

fn replay(folder: &Path, target: Process, without: &HashSet<String>) -> [Vec<bool>; 3] {
    let nothing = || vec![false; counters().len()];
    let (mut valid, mut rejected, mut of_made) = (nothing(), nothing(), nothing());
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|one| one.path()).collect();
    files.sort();
    for file in files {
        let data = std::fs::read(&file).expect("a file of the corpus can be read");
        let mut parsed = nothing();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !begins(name.to_string(), without) {
            continue;
        }
        if add(&mut parsed, || super::process(&data, false, target)) {
            add(&mut valid, || super::process(&data, true, target));
        } else {
            rejected.iter_mut().zip(parsed).for_each(|(all, one)| *all |= one);
        }
        for number in 1..=MADE_OF_EACH.min(data.len()) {
            let at = number * data.len() / (MADE_OF_EACH + 1);
            let made = if number % 2 == 0 { data[..at].to_vec() } else { [&data[..at], &data[at + 1..]].concat() };
            let mut parsed = nothing();
            if !begins(format!("{name} {number}"), without) {
                break;
            }
            let begun = Instant::now();
            if !add(&mut parsed, || super::process(&made, false, target)) {
                of_made.iter_mut().zip(parsed).for_each(|(all, one)| *all |= one);
            }
            if begun.elapsed() > LONG {
                break;
            }
        }
    }
    *CURRENT.lock().expect("no holder panics") = None;
    [valid, rejected, of_made]
}

fn numbers(are: impl Iterator<Item = bool>) -> String {
    let mut text = String::new();
    for (number, is) in are.enumerate() {
        if is {
            let _ = write!(text, "{number} ");
        }
    }
    text
}

/// Replays and ends the program, where that is asked for.
pub fn if_asked(target: Process) {
    if let Some(file) = std::env::var_os("MUTATOR_CHECK") {
        let data = std::fs::read(file).expect("the file can be read");
        std::process::exit(i32::from(!super::process(&data, false, target)));
    }
    let Some(folder) = std::env::var_os("MUTATOR_REPLAY") else { return };
    let to = std::env::var_os("MUTATOR_REPLAY_TO").expect("MUTATOR_REPLAY_TO names a file");
    let without = std::env::var_os("MUTATOR_REPLAY_WITHOUT").map(|file| std::fs::read_to_string(file).expect("the list can be read"));
    let without = without.iter().flat_map(|list| list.lines()).map(str::to_owned).collect();
    watch(PathBuf::from(&to));
    let [valid, rejected, of_made] = replay(Path::new(&folder), target, &without).map(|edges| numbers(edges.into_iter()));
    let functions = numbers(places().iter().map(|place| place.flags & 1 == 1 && place.address != 0));
    let text = format!("{functions}\n{valid}\n{rejected}\n{of_made}\n");
    std::fs::write(to, text).expect("MUTATOR_REPLAY_TO can be written");
    std::process::exit(0);
}
