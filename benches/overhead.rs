//! Compares the cost of a test with a direct call of the same function, and with a new process.
//!
//! One executable plays every part: it times direct calls, it is the linked target's program, and
//! (since it exports libFuzzer's interface) it is the injected executable. All figures are times
//! a candidate; criterion prints the median with its interval. The function has the coverage
//! instrumentation of a fuzz target: it is built apart with cargo-fuzz's flags and loaded, so that
//! seedsmith itself is as it is for its users.
//!
//! `cargo bench --bench overhead`

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use criterion::Criterion;
use seedsmith_engine::InjectedTarget;
use seedsmith_engine::LinkedTarget;
use seedsmith_engine::internal::InjectedOptions;
use seedsmith_engine::internal::linked;
use seedsmith_engine::{Limits, Notifier, Request, Slot, Target};

/// 56 bytes, as long as the measurements in the design notes.
const PASSING: &[u8] = br#"{"name":"seedsmith","sizes":[1,20,300],"ok":true,"x":{}}"#;
const PANICKING: &[u8] = b"!";

type Instrumented = extern "C" fn(*const u8, usize) -> i32;

/// Where the driver has it built; zygotes load it from there.
const LIBRARY: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/overhead_instrumented.so");

/// Builds the function with the coverage that cargo-fuzz asks for; stable Rust can do that.
fn build_instrumented() {
    let status = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "cdylib", "-Copt-level=3", "-Cpanic=abort"])
        .args(["-Cpasses=sancov-module", "-Cllvm-args=-sanitizer-coverage-level=4"])
        .args(["-Cllvm-args=-sanitizer-coverage-inline-8bit-counters"])
        .args(["-Cllvm-args=-sanitizer-coverage-pc-table"])
        .args(["-Cllvm-args=-sanitizer-coverage-trace-compares"])
        .args(["-Cdebug-assertions", "-Coverflow-checks", "-Ccodegen-units=1", "-o", LIBRARY])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instrumented/function.rs"))
        .status()
        .expect("rustc can be started");
    assert!(status.success(), "the instrumented function is built");
}

fn instrumented() -> Instrumented {
    static FUNCTION: OnceLock<Instrumented> = OnceLock::new();
    *FUNCTION.get_or_init(|| {
        // SAFETY: the library was built from the file beside this one; its initialisers are empty.
        let library = unsafe { libloading::Library::new(LIBRARY) }.expect("the library is built");
        // SAFETY: the symbol has this type there.
        let function = unsafe { library.get::<Instrumented>(b"instrumented") };
        let function = *function.expect("the library has the function");
        std::mem::forget(library);
        function
    })
}

fn body(candidate: &[u8]) {
    assert_ne!(candidate.first(), Some(&b'!'), "the planted failure");
    let candidate = black_box(candidate);
    black_box(instrumented()(candidate.as_ptr(), candidate.len()));
}

/// As libfuzzer-sys has it: a panic prints its message and aborts.
#[unsafe(no_mangle)]
extern "C" fn LLVMFuzzerInitialize(_argc: *mut i32, _argv: *mut *mut *mut i8) -> i32 {
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
    body(unsafe { std::slice::from_raw_parts(data, size) });
    0
}

/// Nothing in this program calls them: without a reference the linker drops them.
#[used]
static INTERFACE: (
    extern "C" fn(*mut i32, *mut *mut *mut i8) -> i32,
    extern "C" fn(*const u8, usize) -> i32,
) = (LLVMFuzzerInitialize, LLVMFuzzerTestOneInput);

/// Time of `count` runs of one candidate, pushed as fast as there is room.
fn run(slot: &mut dyn Slot, notifier: &Notifier, candidate: &[u8], count: u64) -> Duration {
    let started = Instant::now();
    let (mut pushed, mut done) = (0, 0);
    while done < count {
        while pushed < count
            && pushed - done < 128
            && slot.push(pushed, candidate, Request::default()).expect("the slot works")
        {
            pushed += 1;
        }
        let before = done;
        while slot.take().expect("the slot works").is_some() {
            done += 1;
        }
        if done == before {
            let seen_count = notifier.count();
            slot.request_notification();
            if let Some(_report) = slot.take().expect("the slot works") {
                done += 1;
                continue;
            }
            notifier.wait(seen_count, Duration::from_millis(5));
        }
    }
    started.elapsed()
}

fn slot_of<'t>(target: &'t dyn Target, notifier: &Notifier) -> Box<dyn Slot + 't> {
    let mut slot = target.open(notifier).expect("this program serves as a target");
    slot.set_limits(Limits::default());
    slot
}

fn main() {
    linked::serve(body);
    if std::env::args().nth(1).as_deref() == Some("--once") {
        body(PASSING);
        return;
    }
    build_instrumented();
    assert_eq!(instrumented()(PASSING.as_ptr(), PASSING.len()), 0, "the candidate is valid");
    let this = std::env::current_exe().expect("a running program has an executable");
    let mut criterion = Criterion::default().configure_from_args().without_plots();
    let notifier = Notifier::new().expect("the system has memory files");
    let linked = LinkedTarget::new("overhead").expect("this program can be read");
    let injected = InjectedTarget::new(&this, InjectedOptions::default())
        .expect("this program exports libFuzzer's interface");

    let mut group = criterion.benchmark_group("pass, 56 bytes");
    group.bench_function("direct call", |bencher| bencher.iter(|| body(black_box(PASSING))));
    for (name, target) in [("linked", &linked as &dyn Target), ("injected", &injected)] {
        let mut slot = slot_of(target, &notifier);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|count| run(&mut *slot, &notifier, PASSING, count));
        });
    }
    group.sample_size(10).bench_function("a new process", |bencher| {
        bencher.iter(|| new_process(&this));
    });
    group.finish();

    let mut group = criterion.benchmark_group("crash");
    for (name, target) in
        [("linked, panic caught", &linked as &dyn Target), ("injected, panic aborts", &injected)]
    {
        let mut slot = slot_of(target, &notifier);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|count| run(&mut *slot, &notifier, PANICKING, count));
        });
    }
    group.finish();
    criterion.final_summary();
}

fn new_process(program: &Path) {
    let status = Command::new(program)
        .arg("--once")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("this program can be started");
    assert!(status.success());
}
