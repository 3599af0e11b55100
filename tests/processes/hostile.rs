//! A hostile target that does what its input names, such as a crash, a hang or an attack.
//!
//! An input is a command in plain text. The same function is run linked and injected.

use std::ffi::c_void;
use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use seedsmith_engine::Verdict;

use crate::attacks;

unsafe extern "C" {
    fn abort() -> !;
    fn _exit(status: i32) -> !;
    fn fork() -> i32;
    fn getppid() -> i32;
    fn setsid() -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn close(file: i32) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
    fn sigfillset(set: *mut c_void) -> i32;
    fn sigprocmask(how: i32, set: *const c_void, old: *mut c_void) -> i32;
    fn malloc(size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

static CALLS: AtomicU32 = AtomicU32::new(0);
static SEVENTH: AtomicU32 = AtomicU32::new(0);
static GRUDGES: AtomicU32 = AtomicU32::new(0);

/// Does the misdeed that `candidate` names.
pub fn body(candidate: &[u8]) -> Verdict {
    let text = std::str::from_utf8(candidate).unwrap_or("");
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    attacks::attack_as_asked();
    let earlier_calls = CALLS.fetch_add(1, Ordering::Relaxed);
    let number = || rest.parse::<i32>().expect("the command takes a number");
    match word {
        "reject" => return Verdict::Reject,
        "panic" => panic!("planted {rest}"),
        // An attack and a number, which makes candidates different.
        "attack" => attacks::run_attack(rest.split(' ').next().unwrap_or_default()),
        "panic-elsewhere" => panic!("planted elsewhere"),
        "caught-panic" => {
            let _ = std::panic::catch_unwind(|| panic!("caught by the target"));
        }
        "panic-in-a-thread" => {
            let _ = std::thread::spawn(|| panic!("in a thread")).join();
        }
        "panic-while-panicking" => {
            struct Bomb;
            impl Drop for Bomb {
                fn drop(&mut self) {
                    panic!("the second");
                }
            }
            let _bomb = Bomb;
            panic!("the first");
        }
        // SAFETY: that is the point.
        "abort" => unsafe { abort() },
        "exit" => std::process::exit(number()),
        // SAFETY: ends the process.
        "_exit" => unsafe { _exit(number()) },
        // SAFETY: none; the process is meant to die of it.
        "null" => unsafe {
            black_box(black_box(8 as *mut u8).read_volatile());
        },
        // SAFETY: none; the process is meant to die of it.
        "wild" => unsafe {
            black_box(0x1234_5678_9000usize as *mut u8).write_volatile(1);
        },
        "overflow" => {
            black_box(recurse(black_box(0)));
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "sleep" => std::thread::sleep(Duration::from_secs(3600)),
        "allocate" => {
            let mut all = Vec::new();
            loop {
                all.push(vec![1u8; 1 << 20]);
                black_box(&all);
            }
        }
        "allocate-at-once" => {
            black_box(vec![0u8; 8 << 30]);
        }
        // SAFETY: closing descriptors is allowed.
        "close-all" => (0..1024).for_each(|file| unsafe {
            close(file);
        }),
        "flood" => {
            for _ in 0..2000 {
                println!("{}", "out".repeat(400));
                eprintln!("{}", "err".repeat(400));
            }
        }
        // SAFETY: ignoring signals, blocking all of them, is allowed.
        "signals" => unsafe {
            (1..32).for_each(|number| {
                signal(number, 1);
            });
            let mut set = [0u64; 16];
            sigfillset(set.as_mut_ptr().cast());
            sigprocmask(2, set.as_ptr().cast(), std::ptr::null_mut());
        },
        // SAFETY: the child only sleeps.
        "fork" => unsafe {
            if fork() == 0 {
                std::thread::sleep(Duration::from_secs(3600));
                _exit(0);
            }
        },
        // SAFETY: the child only sleeps, in a new session.
        "escape" => unsafe {
            if fork() == 0 {
                setsid();
                if fork() == 0 {
                    std::thread::sleep(Duration::from_secs(3600));
                }
                _exit(0);
            }
        },
        // SAFETY: the group is this worker's own.
        "kill-group" => unsafe {
            kill(0, 15);
            std::thread::sleep(Duration::from_secs(3600));
        },
        "leave-a-thread" => {
            std::thread::spawn(|| std::thread::sleep(Duration::from_secs(3600)));
        }
        "change-directory" => std::env::set_current_dir("/").expect("the root is there"),
        // SAFETY: none; the allocator is meant to notice.
        "corrupt-heap" => unsafe {
            let pointer = black_box(malloc(24)).cast::<u8>();
            pointer.write_bytes(0, 24);
            free(black_box(pointer.add(8)).cast());
        },
        "seventh-call" if SEVENTH.fetch_add(1, Ordering::Relaxed) == 6 => {
            panic!("on the seventh call only");
        }
        "first-call" if earlier_calls == 0 => panic!("on the first call only"),
        "grudge" if rest.contains("needle") || GRUDGES.fetch_add(1, Ordering::Relaxed) > 0 => {
            panic!("what came before is not forgotten")
        }
        "grudge" => {}
        "leak" => {
            std::mem::forget(vec![1u8; 16 << 10]);
            std::mem::forget(std::fs::File::open("/dev/null").expect("a descriptor is left"));
        }
        "leak-memory" => std::mem::forget(vec![1u8; 8 << 20]),
        "leak-files" => {
            std::mem::forget(std::fs::File::open("/dev/null").expect("a descriptor is left"));
        }
        "flood-stderr-and-spin" => {
            for _ in 0..number() {
                let _ = std::io::stderr().write_all(&[b'e'; 1 << 20]);
            }
            loop {
                std::hint::spin_loop();
            }
        }
        // SAFETY: the words are atomics of the slot's header, in its first page.
        "name-as-worker" => unsafe {
            name_as_worker(number());
            loop {
                std::hint::spin_loop();
            }
        },
        // SAFETY: the parent is the zygote of this slot.
        "stop-the-zygote-and-spin" => unsafe {
            kill(getppid(), 19);
            loop {
                std::hint::spin_loop();
            }
        },
        // SAFETY: the words are atomics of the slot's header, in its first page.
        "name-the-spare" => unsafe {
            name_as_worker(sibling());
            loop {
                std::hint::spin_loop();
            }
        },
        // SAFETY: none; the guard around the slot is meant to be met.
        "write-behind-the-slot" => unsafe { (slot().1 as *mut u8).write_volatile(1) },
        // SAFETY: as before.
        "write-before-the-slot" => unsafe { ((slot().0 - 1) as *mut u8).write_volatile(1) },
        // SAFETY: the process is this worker.
        "kill-worker-from-outside" => unsafe {
            kill(std::process::id() as i32, 9);
        },
        // SAFETY: as before.
        "sleep-and-be-killed" => unsafe {
            std::thread::sleep(Duration::from_millis(300));
            kill(std::process::id() as i32, 9);
        },
        _ if text.contains("needle") => panic!("the needle"),
        _ if text.contains("nee") => panic!("half a needle"),
        _ => {}
    }
    Verdict::Keep
}

/// Where in the slot the workers' own words begin, and how many there are: the part before is
/// mapped read-only.
const WORKER_WORDS: std::ops::Range<usize> = (128 << 10) / 4..(128 << 10) / 4 + 1024;

/// Writes `pid` over this worker's own wherever that is in the slot.
unsafe fn name_as_worker(pid: i32) {
    let own = std::process::id() as i32;
    let words = slot().0 as *mut i32;
    for place in WORKER_WORDS {
        // SAFETY: these pages of the slot are mapped and can be written, by `slot`.
        unsafe {
            let word = words.add(place);
            if word.read_volatile() == own {
                word.write_volatile(pid);
            }
        }
    }
}

/// Another child of this worker's parent.
fn sibling() -> i32 {
    // SAFETY: a plain question to the system.
    let parent = unsafe { getppid() };
    let path = format!("/proc/{parent}/task/{parent}/children");
    // The zygote may be about to fork its spare.
    loop {
        let children = std::fs::read_to_string(&path).expect("there is a process file system");
        let mut pids = children.split_whitespace().map(|pid| pid.parse().expect("a number"));
        if let Some(spare) = pids.find(|pid| *pid != std::process::id() as i32) {
            return spare;
        }
    }
}

/// Where the slot is mapped in this worker. It is mapped in pieces with different access rights.
pub fn slot() -> (usize, usize) {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("there is a process file system");
    let mut pieces = maps.lines().filter(|line| line.contains("seedsmith-slot"));
    let range = |line: &str| {
        let (start, rest) = line.split_once('-').expect("a range has two ends");
        let end = rest.split(' ').next().expect("split gives one piece at least");
        let address = |text| usize::from_str_radix(text, 16).expect("addresses are hexadecimal");
        (address(start), address(end))
    };
    let first = range(pieces.next().expect("it is mapped"));
    (first.0, pieces.next_back().map_or(first.1, |last| range(last).1))
}

#[expect(unconditional_recursion, reason = "the stack is meant to overflow")]
fn recurse(depth: u64) -> u64 {
    let local = black_box([depth; 32]);
    recurse(depth + 1) + local[(depth % 32) as usize]
}

/// As libfuzzer-sys has it: a panic prints its message and aborts.
#[unsafe(no_mangle)]
extern "C" fn LLVMFuzzerInitialize(_argc: *mut i32, _argv: *mut *mut *mut i8) -> i32 {
    attacks::this_is_the_zygote();
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        default(info);
        std::process::abort();
    }));
    0
}

#[unsafe(no_mangle)]
extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    // SAFETY: libFuzzer's interface: a pointer and the number of bytes it points to.
    match body(unsafe { std::slice::from_raw_parts(data, size) }) {
        Verdict::Keep => 0,
        Verdict::Reject => -1,
    }
}

/// Nothing in this program calls them: without a reference the linker drops them.
#[used]
static INTERFACE: (
    extern "C" fn(*mut i32, *mut *mut *mut i8) -> i32,
    extern "C" fn(*const u8, usize) -> i32,
) = (LLVMFuzzerInitialize, LLVMFuzzerTestOneInput);
