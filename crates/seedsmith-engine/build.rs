//! Compiles the two libraries that are preloaded, the runtime of libFuzzer executables and the fork
//! server of commands, and the program that supervises commands. And tells how much this crate is
//! optimized.
//!
//! All of these come along inside the library, so that `cargo install` needs neither a second download nor
//! a C compiler. The same `rustc` builds them, with no dependency but `std`.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Without much optimization crates share their instances of generic functions.
    let level = std::env::var("OPT_LEVEL").expect("cargo sets it for build scripts");
    println!("cargo::rustc-env=SEEDSMITH_OPT_LEVEL={level}");
    compile(
        "seedsmith_runtime",
        "SEEDSMITH_RUNTIME",
        &[
            "workers/runtime.rs",
            "workers/callbacks.rs",
            "workers/chance.rs",
            "workers/child.rs",
            "workers/copy.rs",
            "workers/leaks.rs",
            "workers/load_bias.rs",
            "workers/protocol.rs",
            "workers/seal.rs",
            "workers/variation.rs",
            "workers/leftovers.rs",
            "workers/worker.rs",
            "workers/zygote.rs",
            "counters/compared.rs",
            "counters/feature_list.rs",
            "counters/features.rs",
            "os/sys.rs",
        ],
    );
    compile(
        "seedsmith_fork_server",
        "SEEDSMITH_FORK_SERVER_LIBRARY",
        &[
            "command/preloaded.rs",
            "command/calls.rs",
            "command/forked_program.rs",
            "command/handshake.rs",
            "command/looks.rs",
            "command/messages.rs",
            "os/sys.rs",
        ],
    );
    compile(
        "seedsmith_supervisor",
        "SEEDSMITH_SUPERVISOR",
        &[
            "command/supervisor.rs",
            "command/calls.rs",
            "command/handshake.rs",
            "command/messages.rs",
            "os/sys.rs",
        ],
    );
}

/// Compiles `sources`, whose first is the root, and sets `variable` to the path of the shared library,
/// or of the executable where there is a `main`.
fn compile(name: &str, variable: &str, sources: &[&str]) {
    for source in sources {
        println!("cargo::rerun-if-changed=src/exec/{source}");
    }
    let given = |name: &str| std::env::var_os(name).expect("cargo sets it for build scripts");
    let library = PathBuf::from(given("OUT_DIR")).join(name).with_extension("so");
    let kind = if name.ends_with("supervisor") { "bin" } else { "cdylib" };
    let mut rustc = Command::new(given("RUSTC"));
    rustc
        .args(["--crate-name", name, "--crate-type", kind])
        .args(["--edition", "2024", "-Copt-level=3", "-Cpanic=abort", "-Cdebuginfo=0"])
        .args(["-Cstrip=symbols", "-Ccodegen-units=1", "--cap-lints", "warn"])
        .arg("--target")
        .arg(given("TARGET"))
        .arg("-o")
        .arg(&library)
        .arg(format!("src/exec/{}", sources[0]));
    if let Some(linker) = std::env::var_os("RUSTC_LINKER") {
        let mut argument = std::ffi::OsString::from("-Clinker=");
        argument.push(linker);
        rustc.arg(argument);
    }
    let status = rustc.status().unwrap_or_else(|error| panic!("failed to run {rustc:?}: {error}"));
    assert!(status.success(), "failed to compile {name}: {rustc:?}");
    println!("cargo::rustc-env={variable}={}", library.display());
}
