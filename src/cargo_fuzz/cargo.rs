//! How `cargo` and `rustc` are started, and the triple that they build for.
//!
//! This is separate from building because reading a package starts cargo too. These are the only
//! functions of the library that read cargo's environment variables on behalf of a child process.

use std::process::{Command, Stdio};

/// `cargo`, without the variables that an outer `cargo run` set for its own package.
pub fn command() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    clear_environment(&mut cargo);
    cargo.stdin(Stdio::null());
    cargo
}

/// The `cargo` of nightly Rust.
pub fn nightly() -> Command {
    let mut cargo = Command::new("rustup");
    cargo.args(["run", "nightly", "cargo"]);
    clear_environment(&mut cargo);
    // An outer cargo sets these to the tools of another toolchain.
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo.stdin(Stdio::null());
    cargo
}

/// Whether nightly Rust is installed.
pub fn has_nightly() -> bool {
    let answer = nightly().arg("--version").output();
    answer.is_ok_and(|answer| answer.status.success())
}

/// Removes the variables that an outer `cargo run` set for *its* package. Variables that a user sets
/// for cargo stay: the target folder, the network, compiler wrappers.
pub fn clear_environment(command: &mut Command) {
    const PREFIXES: [&str; 5] =
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_EXE_", "CARGO_CFG_", "DEP_"];
    const NAMES: [&str; 6] = [
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "OUT_DIR",
        "RUST_RECURSION_COUNT",
    ];
    for (name, _) in std::env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        if NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
}

/// The triple that plain `cargo build` builds for, as reported by `rustc`; `None` if that does not
/// run.
pub fn host_triple() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("-vV").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
