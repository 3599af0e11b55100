//! The process that forks workers, and does nothing else.
//!
//! It has one thread and no secrets: started by `exec`, never forked off a driver. It keeps one
//! worker at work and a spare one, forked ahead, so that a death costs the driver no fork. It posts
//! each death, ends the processes that the dead worker left, and forks the next.
//!
//! Compiled twice, see [`super::sys`].

use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::child::fork_function;
use super::protocol::{
    ARENA_BYTES, ARENA_OFFSET, MAGIC, MAPPING_BYTES, NotifierPage, PAGE_BYTES, STATE_NO_FORK,
    STATE_READY, Shared, ZYGOTE_PAGE_OFFSET, is_before,
};
use super::sys;
use super::worker::{Body, install_handlers, work};

/// Name of the variable that makes a program a zygote: `shared,notifier` as descriptor numbers.
pub(crate) const VARIABLE: &str = "SEEDSMITH_ZYGOTE";

/// How often a fork is tried again that the system refuses for want of processes or memory, and
/// how long others are given to give some back.
const FORK_TRIES: u32 = 100;
const FORK_PAUSE: Duration = Duration::from_millis(20);

/// In the place of a worker that could not be forked.
const NO_WORKER: c_int = 0;

/// A zygote's view of its slot.
pub(crate) struct Zygote {
    base: *mut u8,
    /// The notifier of the driver.
    pub notifier: &'static NotifierPage,
}

impl Zygote {
    /// Maps the files that the variable names; `None` if this program was not started as a zygote.
    ///
    /// The variable and the descriptors are removed, so that the target sees neither.
    pub(crate) fn from_environment() -> Option<Self> {
        let value = std::env::var(VARIABLE).ok()?;
        let (shared, notifier) = value.split_once(',')?;
        let (shared, notifier): (c_int, c_int) = (shared.parse().ok()?, notifier.parse().ok()?);
        // SAFETY: the program has one thread yet: the driver started it to be a zygote.
        unsafe { std::env::remove_var(VARIABLE) };
        let base = map_guarded(shared, MAPPING_BYTES)?;
        let notifier_page = map_guarded(notifier, 4096)?.cast::<NotifierPage>();
        // SAFETY: both stay mapped for as long as the process lives, and the descriptors are ours.
        unsafe {
            sys::close(shared);
            sys::close(notifier);
            if Shared::new(base).driver().magic.load(Ordering::Acquire) != MAGIC {
                return None;
            }
            // The driver's page is only read here and in the workers: a stray write ends the
            // worker.
            sys::mprotect(base.cast(), ZYGOTE_PAGE_OFFSET, sys::PROT_READ);
            Some(Zygote { base, notifier: &*notifier_page })
        }
    }

    /// The slot's mapping.
    pub(crate) fn shared(&self) -> Shared {
        // SAFETY: `from_environment` mapped it for the life of the process.
        unsafe { Shared::new(self.base) }
    }

    /// Forks workers that give candidates to `body`, until it is killed.
    pub(crate) fn serve(&self, body: &mut impl Body) -> ! {
        let shared = self.shared();
        let (driver, zygote_page) = (shared.driver(), shared.zygote_page());
        zygote_page.threads.store(count_threads(), Ordering::Relaxed);
        install_handlers(driver.mode.load(Ordering::Relaxed));
        // SAFETY: plain system calls; the arena is within the mapping.
        let own_pid = unsafe {
            if !body.leaves_answers() {
                sys::mprotect(self.base.add(ARENA_OFFSET).cast(), ARENA_BYTES, sys::PROT_READ);
            }
            sys::prctl(sys::PR_SET_CHILD_SUBREAPER, 1 as std::ffi::c_ulong);
            sys::setrlimit(sys::RLIMIT_CORE, &sys::Rlimit { current: 0, maximum: 0 });
            sys::getpid()
        };
        let fork = fork_function();
        let mut generation = driver.last_dead.load(Ordering::Acquire).wrapping_add(1);
        let mut active = self.fork_active(fork, own_pid, generation, body);
        // Forked ahead where there is room for it.
        let mut spare = self.fork_worker(fork, own_pid, generation.wrapping_add(1), body);
        zygote_page.state.store(STATE_READY, Ordering::Release);
        self.notifier.notify();
        loop {
            self.end_if_closing();
            let mut info = sys::SignalInfo::zeroed();
            // SAFETY: the record is ours; WNOWAIT leaves the dead child's number taken until it
            // is reaped below, so that no one can be mistaken for it.
            let waited =
                unsafe { sys::waitid(sys::P_ALL, 0, &mut info, sys::WEXITED | sys::WNOWAIT) };
            if waited != 0 {
                continue;
            }
            let mut pid = info.pid();
            if pid == spare
                && !is_before(driver.go.0.load(Ordering::SeqCst), generation.wrapping_add(1))
            {
                // The driver let the spare work as soon as the one before said that it was dying,
                // and the spare died first. Deaths are posted in order: the other one is near.
                if !await_death(active, &mut info) {
                    continue;
                }
                pid = active;
            }
            if pid == active {
                // A death is posted only once the driver has dealt with the one before.
                loop {
                    let go = driver.go.0.load(Ordering::Acquire);
                    self.end_if_closing();
                    if !is_before(go, generation) {
                        break;
                    }
                    sys::futex_wait(&driver.go.0, go, None);
                }
                zygote_page.dead_code.store(info.code, Ordering::Relaxed);
                zygote_page.dead_status.store(info.status, Ordering::Relaxed);
                zygote_page.dead.0.store(generation, Ordering::SeqCst);
                self.notifier.notify();
                // SAFETY: the group is the dead worker's, whose number is still taken.
                unsafe { sys::kill(-pid, sys::SIGKILL) };
                reap(pid);
                end_orphans(own_pid, spare);
                generation = generation.wrapping_add(1);
                active = match spare {
                    NO_WORKER => self.fork_active(fork, own_pid, generation, body),
                    spare => spare,
                };
                spare = self.fork_worker(fork, own_pid, generation.wrapping_add(1), body);
            } else if pid == spare {
                reap(pid);
                spare = self.fork_worker(fork, own_pid, generation.wrapping_add(1), body);
            } else {
                reap(pid);
            }
        }
    }

    /// Forks the worker that works. Where the system refuses that again and again, the driver is
    /// notified and this process ends.
    fn fork_active(
        &self,
        fork: unsafe extern "C" fn() -> c_int,
        zygote: c_int,
        generation: u32,
        body: &mut impl Body,
    ) -> c_int {
        for _ in 0..FORK_TRIES {
            let pid = self.fork_worker(fork, zygote, generation, body);
            if pid != NO_WORKER {
                return pid;
            }
            self.end_if_closing();
            std::thread::sleep(FORK_PAUSE);
        }
        let shared = self.shared();
        shared.zygote_page().state.store(STATE_NO_FORK, Ordering::Release);
        self.notifier.notify();
        sys::exit_now(1);
    }

    /// Forks worker number `generation`; [`NO_WORKER`] where the system has no room for another
    /// process.
    fn fork_worker(
        &self,
        fork: unsafe extern "C" fn() -> c_int,
        zygote: c_int,
        generation: u32,
        body: &mut impl Body,
    ) -> c_int {
        // SAFETY: this process has one thread, so the child may do anything.
        let pid = unsafe { fork() };
        if pid > 0 {
            return pid;
        }
        if pid < 0 {
            let trouble = std::io::Error::last_os_error().raw_os_error().unwrap_or_default();
            self.shared().zygote_page().trouble.store(trouble, Ordering::Relaxed);
            return NO_WORKER;
        }
        // SAFETY: plain system calls. The death signal is set before the parent is looked
        // at, so that a zygote that died in between is noticed.
        unsafe {
            sys::setpgid(0, 0);
            sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
            if sys::getppid() != zygote {
                sys::exit_now(1);
            }
            work(self.base, self.notifier, body, generation)
        }
    }

    /// Ends, if the driver says that nothing below lives any more.
    fn end_if_closing(&self) {
        if self.shared().driver().closing.load(Ordering::Acquire) != 0 {
            reap_all();
            sys::exit_now(0);
        }
    }
}

/// Maps a descriptor between two pages that no one may touch.
fn map_guarded(file: c_int, bytes: usize) -> Option<*mut u8> {
    const PAGE: usize = 65536;
    // SAFETY: fresh address space is reserved, and the file is mapped inside of it.
    unsafe {
        let reserved = sys::mmap(
            std::ptr::null_mut(),
            bytes + 2 * PAGE,
            sys::PROT_NONE,
            sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE,
            -1,
            0,
        );
        if reserved as isize == -1 {
            return None;
        }
        let mapped = sys::mmap(
            reserved.cast::<u8>().add(PAGE).cast(),
            bytes,
            sys::PROT_READ | sys::PROT_WRITE,
            sys::MAP_SHARED | sys::MAP_FIXED | sys::MAP_NORESERVE,
            file,
            0,
        );
        (mapped as isize != -1).then_some(mapped.cast())
    }
}

fn count_threads() -> u32 {
    std::fs::read_dir("/proc/self/task").map_or(1, |tasks| tasks.count() as u32)
}

fn reap(pid: c_int) {
    let mut info = sys::SignalInfo::zeroed();
    // SAFETY: the record is ours.
    unsafe { sys::waitid(sys::P_PID, pid as u32, &mut info, sys::WEXITED) };
}

/// Reaps all dead children, so that no zombie is handed to a process that may not look after it.
fn reap_all() {
    let mut info = sys::SignalInfo::zeroed();
    // SAFETY: the record is ours; without a dead child its number stays 0.
    while unsafe { sys::waitid(sys::P_ALL, 0, &mut info, sys::WEXITED | sys::WNOHANG) } == 0
        && info.pid() > 0
    {
        info = sys::SignalInfo::zeroed();
    }
}

/// Waits until the child `pid` is dead, without reaping it.
fn await_death(pid: c_int, info: &mut sys::SignalInfo) -> bool {
    // SAFETY: the record is the caller's.
    unsafe { sys::waitid(sys::P_PID, pid as u32, info, sys::WEXITED | sys::WNOWAIT) == 0 }
}

/// Ends the processes that a dead worker left outside its group: this process became their parent,
/// as the nearest subreaper.
fn end_orphans(own_pid: c_int, spare: c_int) {
    let path = format!("/proc/self/task/{own_pid}/children");
    let Ok(children) = std::fs::read_to_string(path) else { return };
    for pid in children.split_whitespace().filter_map(|pid| pid.parse::<c_int>().ok()) {
        if pid != spare {
            // SAFETY: a child of ours that is not reaped keeps its number.
            unsafe { sys::kill(pid, sys::SIGKILL) };
        }
    }
}

const _: () = assert!(ARENA_OFFSET.is_multiple_of(PAGE_BYTES));
