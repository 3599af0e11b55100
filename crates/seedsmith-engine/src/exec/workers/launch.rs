//! Starts a zygote: by executing a program, never by forking this one.
//!
//! The driver may have threads, so between `fork` and `exec` only system calls are made.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::exec::TargetError;
use crate::exec::os::sys;
use crate::exec::workers::protocol::REPORTED;
use crate::exec::workers::zygote;

/// The descriptors that a zygote inherits.
pub(crate) struct Inheritance<'f> {
    /// The slot's mapping.
    pub shared: BorrowedFd<'f>,
    /// The notifier's page.
    pub notifier: BorrowedFd<'f>,
    /// Where the target's stderr goes.
    pub stderr: &'f OwnedFd,
    /// The preloaded runtime, which the loader opens through `/proc/self/fd`.
    pub runtime: Option<BorrowedFd<'f>>,
    /// Whether someone looks for leaks.
    pub finds_leaks: bool,
    /// Whether the program is loaded at the same addresses each time, if the system allows it: what a program
    /// reaches may depend on addresses.
    pub has_fixed_addresses: bool,
}

/// The stack that a search's workers get on top of the user's limit.
///
/// The depth at which a recursion overflows depends on the rest of the stack: environment,
/// arguments, the frames of libFuzzer's own `main`, a random offset. A recursion that overflows a
/// stack that is larger by this margin overflows the user's in any case; it is 0.8 % of the usual 8
/// MB.
const STACK_MARGIN: u64 = 64 << 10;

/// Starts `command` as a zygote in a new process group that dies with this thread.
pub(crate) fn start(
    mut command: Command,
    variation: Option<u32>,
    inheritance: Inheritance<'_>,
) -> Result<Child, TargetError> {
    let shared = inheritance.shared.as_raw_fd();
    let notifier = inheritance.notifier.as_raw_fd();
    let runtime = inheritance.runtime.map(|file| file.as_raw_fd());
    let stderr = inheritance
        .stderr
        .try_clone()
        .map_err(|error| TargetError::system("duplicate a descriptor", error))?;
    quiet_environment(&mut command, inheritance.finds_leaks);
    if let Some(runtime) = runtime {
        if let Some(before) = std::env::var_os("LD_PRELOAD") {
            command.env("SEEDSMITH_PRELOAD_BEFORE", before);
        }
        command.env("LD_PRELOAD", format!("/proc/self/fd/{runtime}"));
    }
    command
        .env(zygote::VARIABLE, format!("{shared},{notifier}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(stderr))
        .process_group(0);
    if let Some(variation) = variation {
        // Another size of environment: 0 to 12 KB more.
        command.env("SEEDSMITH_VARIATION", "x".repeat(variation as usize % 4 * 4096));
    }
    let stack = variation.is_none().then(raised_stack).flatten();
    let driver = std::process::id() as i32;
    let has_fixed_addresses = inheritance.has_fixed_addresses;
    // SAFETY: only system calls that are safe between fork and exec; the descriptors are open.
    unsafe {
        command.pre_exec(move || {
            for file in [Some(shared), Some(notifier), runtime].into_iter().flatten() {
                let file = BorrowedFd::borrow_raw(file);
                nix::fcntl::fcntl(file, nix::fcntl::F_SETFD(nix::fcntl::FdFlag::empty()))?;
            }
            if let Some(limit) = &stack {
                sys::setrlimit(sys::RLIMIT_STACK, limit);
            }
            if has_fixed_addresses {
                // Some containers forbid it; the addresses are random then.
                let before = sys::personality(sys::PERSONALITY_ASK);
                if before != -1 {
                    sys::personality(before as std::ffi::c_ulong | sys::ADDR_NO_RANDOMIZE);
                }
            }
            sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
            if sys::getppid() != driver {
                return Err(std::io::Error::other("the driver is gone"));
            }
            Ok(())
        });
    }
    let program = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| TargetError::system(format!("start {program}"), error))
}

/// The limit of the stack with the margin; `None` where it is unlimited or can't be raised.
fn raised_stack() -> Option<sys::Rlimit> {
    let (current, maximum) =
        nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_STACK).ok()?;
    let raised = current.checked_add(STACK_MARGIN).filter(|raised| *raised <= maximum)?;
    Some(sys::Rlimit { current: raised, maximum })
}

/// The environment of every run of a target: no backtraces (they cost 100 ms each), no symbolizer,
/// an exit status that distinguishes a sanitizer's report from any other end, and none of
/// libFuzzer's variables.
///
/// Leaks are looked for only where they are asked for: it costs milliseconds a run.
pub(crate) fn quiet_environment(command: &mut Command, finds_leaks: bool) {
    const COMMON: &str = "symbolize=0:leak_check_at_exit=0:abort_on_error=0:\
                          handle_abort=0:allocator_may_return_null=0:print_summary=0:\
                          detect_odr_violation=0:max_allocation_size_mb=2048";
    let detect_leaks = u8::from(finds_leaks);
    let common = format!("{COMMON}:exitcode={REPORTED}:detect_leaks={detect_leaks}");
    for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"] {
        let options = match std::env::var(name) {
            Ok(users) if !users.is_empty() => format!("{users}:{common}"),
            _ => common.clone(),
        };
        let options =
            if name == "UBSAN_OPTIONS" { options + ":print_stacktrace=1" } else { options };
        command.env(name, options);
    }
    command.env("RUST_BACKTRACE", "0").env_remove("RUST_LIB_BACKTRACE");
    command.env_remove("RUST_LIBFUZZER_DEBUG_PATH");
}
