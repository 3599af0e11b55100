//! Compiles the runtime that is preloaded into libFuzzer executables.
//!
//! It comes along inside the library, so that `cargo install` needs neither a second download nor
//! a C compiler. The same `rustc` builds it, with no dependency but `std`.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    const SOURCES: [&str; 7] =
        ["runtime.rs", "leaks.rs", "protocol.rs", "sys.rs", "wear.rs", "worker.rs", "zygote.rs"];
    for source in SOURCES {
        println!("cargo::rerun-if-changed=src/target/{source}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var_os(name).expect("cargo sets it for build scripts");
    let library = PathBuf::from(variable("OUT_DIR")).join("seedsmith_runtime.so");
    let mut rustc = Command::new(variable("RUSTC"));
    rustc
        .args(["--crate-name", "seedsmith_runtime", "--crate-type", "cdylib"])
        .args(["--edition", "2024", "-Copt-level=3", "-Cpanic=abort", "-Cdebuginfo=0"])
        .args(["-Cstrip=symbols", "-Ccodegen-units=1", "--cap-lints", "warn"])
        .arg("--target")
        .arg(variable("TARGET"))
        .arg("-o")
        .arg(&library)
        .arg("src/target/runtime.rs");
    if let Some(linker) = std::env::var_os("RUSTC_LINKER") {
        let mut argument = std::ffi::OsString::from("-Clinker=");
        argument.push(linker);
        rustc.arg(argument);
    }
    let status = rustc.status().unwrap_or_else(|error| panic!("failed to run {rustc:?}: {error}"));
    assert!(status.success(), "failed to compile the preloaded runtime: {rustc:?}");
    println!("cargo::rustc-env=SEEDSMITH_RUNTIME={}", library.display());
    // Without much optimization crates share their instances of generic functions.
    let level = variable("OPT_LEVEL");
    println!("cargo::rustc-env=SEEDSMITH_OPT_LEVEL={}", level.display());
}
