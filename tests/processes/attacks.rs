//! Attacks of a target on the processes that run it, and on the memory that it shares with them.
//!
//! A candidate names an attack; or every candidate makes the one that the variable [`ASKED`] names.

use std::ffi::{c_int, c_long, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use crate::hostile::slot;

unsafe extern "C" {
    fn kill(pid: c_int, signal: c_int) -> c_int;
    fn getppid() -> c_int;
    fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
    fn ptrace(request: c_long, ...) -> c_long;
}

const SIGKILL: c_int = 9;
const SIGSTOP: c_int = 19;
const PTRACE_ATTACH: c_long = 16;
const PROT_READ_AND_WRITE: c_int = 3;

/// The attack that every candidate makes, and after which it takes a while.
pub const ASKED: &str = "SEEDSMITH_TEST_ATTACK";
/// Long enough for a search not to be over before its limit.
const A_WHILE: Duration = Duration::from_millis(20);

/// The attacks after which the worker continues.
pub const SURVIVED: [&str; 5] = [
    "stop-the-zygote",
    "trace-the-zygote",
    "scribble",
    "scribble-with-nothing",
    "scribble-anywhere",
];
/// Those that end or stop processes, so that nothing can be said of a candidate.
pub const FATAL: [&str; 3] = ["stop-itself", "kill-the-zygote", "kill-the-zygotes-group"];

static ZYGOTE: AtomicI32 = AtomicI32::new(0);

/// Notes the process that workers will be forked from: their parent may be another process later.
pub fn this_is_the_zygote() {
    ZYGOTE.store(std::process::id() as c_int, Ordering::Relaxed);
}

/// The zygote, while it is this worker's parent.
fn zygote() -> Option<c_int> {
    let zygote = ZYGOTE.load(Ordering::Relaxed);
    // SAFETY: a plain question to the system.
    (zygote > 1 && unsafe { getppid() } == zygote).then_some(zygote)
}

/// Makes the attack that the variable names.
pub fn attack_as_asked() {
    static ASKED_ATTACK: OnceLock<Option<String>> = OnceLock::new();
    if let Some(attack) = ASKED_ATTACK.get_or_init(|| std::env::var(ASKED).ok()) {
        run_attack(attack);
        std::thread::sleep(A_WHILE);
    }
}

/// Makes the attack of that name.
pub fn run_attack(attack: &str) {
    let zygote = zygote();
    // SAFETY: signals go to this worker and to the process that forked it; only this slot's memory
    // is written over, and its other users have to cope with that.
    unsafe {
        match (attack, zygote) {
            ("stop-itself", _) => {
                kill(std::process::id() as c_int, SIGSTOP);
            }
            ("stop-the-zygote", Some(zygote)) => {
                kill(zygote, SIGSTOP);
            }
            ("trace-the-zygote", Some(zygote)) => {
                let nothing = std::ptr::null_mut::<c_void>();
                ptrace(PTRACE_ATTACH, zygote, nothing, nothing);
            }
            ("kill-the-zygote", Some(zygote)) => {
                kill(zygote, SIGKILL);
            }
            // The zygote leads its own group, or there is no such group.
            ("kill-the-zygotes-group", Some(zygote)) => {
                kill(-zygote, SIGKILL);
            }
            ("scribble", _) => scribble(WORKERS, 0x5a),
            ("scribble-with-nothing", _) => scribble(WORKERS, 0),
            ("scribble-anywhere", _) => {
                mprotect(slot().0 as *mut c_void, ANYWHERE.end, PROT_READ_AND_WRITE);
                scribble(ANYWHERE, 0xa5);
            }
            _ => {}
        }
    }
}

/// Where in a slot the words of the workers are.
const WORKERS: std::ops::Range<usize> = 128 << 10..256 << 10;
/// And those of everybody.
const ANYWHERE: std::ops::Range<usize> = 0..256 << 10;

/// Writes over a part of the slot.
unsafe fn scribble(part: std::ops::Range<usize>, byte: u8) {
    let start = slot().0;
    for place in part {
        // SAFETY: the slot is longer than that, and these pages can be written, by the caller.
        unsafe { ((start + place) as *mut u8).write_volatile(byte) };
    }
}
