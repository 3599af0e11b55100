//! `repair --valid-if reaches=FUNCTION` on an executable with coverage counters.

use std::process::Command;

use crate::scratch::Scratch;

/// A target that never rejects: `evaluate` is reached where brackets are paired.
const SOURCE: &str = r#"
#[no_mangle]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    if let Some(depth) = parse(data) {
        std::hint::black_box(evaluate(depth));
    }
    0
}

fn parse(data: &[u8]) -> Option<usize> {
    let (mut open, mut deepest) = (0usize, 0);
    for byte in data {
        match byte {
            b'(' => open += 1,
            b')' => open = open.checked_sub(1)?,
            b'a'..=b'z' | b' ' | b'\n' => {}
            _ => return None,
        }
        deepest = deepest.max(open);
    }
    (open == 0 && !data.is_empty()).then_some(deepest)
}

fn evaluate(depth: usize) -> usize {
    (0..depth).fold(1, |sum, step| sum * 31 + step)
}

#[no_mangle]
extern "C" fn __sanitizer_cov_8bit_counters_init(_: *mut u8, _: *mut u8) {}
#[no_mangle]
extern "C" fn __sanitizer_cov_pcs_init(_: *const usize, _: *const usize) {}

#[no_mangle]
extern "C" fn __sanitizer_cov_trace_pc_indir(_: usize) {}

fn main() {
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}
"#;

#[test]
fn what_reaches_a_function_is_valid_although_the_target_never_rejects() {
    let scratch = Scratch::new();
    scratch.write("reached.rs", SOURCE);
    scratch.write("in", "(a (b) c");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .current_dir(scratch.path())
        .args(["--edition", "2021", "-O", "-Cdebuginfo=line-tables-only"])
        .args(["-Cpasses=sancov-module", "-Cllvm-args=-sanitizer-coverage-level=4"])
        .arg("-Cllvm-args=-sanitizer-coverage-inline-8bit-counters")
        .arg("-Cllvm-args=-sanitizer-coverage-pc-table")
        .args(["-o", "reached", "reached.rs"])
        .status()
        .unwrap();
    assert!(status.success(), "the target compiles");
    let repair =
        |rule: &str| scratch.repair_with(&["--binary", "reached", "--valid-if", rule, "in"]);

    // The compiler has put `evaluate` into its caller.
    let ended = repair("reaches=evaluate");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "(a (b) c)"), "{}", ended.stderr);
    let ended = repair("reaches=execute");
    assert_eq!(ended.code, Some(5));
    assert!(ended.stderr.contains("no instrumented function execute"), "{}", ended.stderr);
    let ended = repair("evaluate");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("reaches=FUNCTION"), "{}", ended.stderr);
}
