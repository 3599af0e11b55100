"""Crashes of old crates: the committed inputs of corpora/, and the programs that run them.

One scratch package holds three programs a case, all around a file of fuzz/fuzz_targets. Another macro `fuzz_target!` makes a
function of the body there. The programs are:

- NAME: a libFuzzer executable, as cargo-fuzz builds it.
- NAME-strict: the same, but any panic at another place is caught. libFuzzer's minimizer takes every crash for the one that is
  minimized; here there is only one.
- NAME-check: ends with status 0 if the first panic of the input is at the case's place, with 3 if it is at another, and with 1 if there
  is none. It does not have the start-up of libFuzzer (25 ms).
"""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CORPORA = ROOT / "corpora"
# Panics whose crates build in a few minutes altogether, with the file ending by which a tool would know the format.
TARGETS = {
    "toml_header": "toml",
    "ini_escape": "ini",
    "sql_infix": "sql",
    "md_refdef": "md",
    "hbs_partial": "hbs",
    "xml_comment": "xml",
    "asn1_utctime": "der",
    "wasm_custom": "wasm",
    "jpeg_noframe": "jpg",
}

SHIM = """
#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $body:block) => {
        pub fn run($data: &[u8]) $body
    };
}
"""

PLAIN = """#![no_main]
#[allow(unused_attributes)]
#[path = {path}]
mod target;
libfuzzer_sys::fuzz_target!(|data: &[u8]| target::run(data));
"""
# The place of the case's panic, or another one that the test of these programs names.
PLACE = """
fn is_here(panic: &std::panic::PanicHookInfo<'_>) -> bool {{
    let place = std::env::var("COMPARE_PLACE").unwrap_or_else(|_| {place}.to_owned());
    panic.location().expect("panics have a place").to_string().ends_with(&place)
}}
"""
STRICT = """#![no_main]
#[allow(unused_attributes)]
#[path = {path}]
mod target;
libfuzzer_sys::fuzz_target!(|data: &[u8]| {{
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {{
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {{
            if is_here(panic) {{
                // libFuzzer's own hook, which prints the panic and aborts.
                report(panic);
            }}
        }}));
    }});
    let _ = std::panic::catch_unwind(|| target::run(data));
}});
"""
CHECK = """#[allow(unused_attributes)]
#[path = {path}]
mod target;
fn main() {{
    std::panic::set_hook(Box::new(|panic| std::process::exit(if is_here(panic) {{ 0 }} else {{ 3 }})));
    let file = std::env::args_os().nth(1).expect("a file is named");
    target::run(&std::fs::read(file).expect("the file can be read"));
    std::process::exit(1)
}}
"""


def crashes():
    """The committed crash of each target, with the place of its panic."""
    found = {}
    for line in (CORPORA / "manifest.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["target"] in TARGETS and entry["signature"] and entry["path"].endswith(entry["sha1"]):
            found[entry["target"]] = (CORPORA / entry["path"], entry["signature"]["place"])
    return found


def build(names, cache):
    """Builds the programs of the targets in the folder `cache`; returns the folders of the fuzzers and of the checks."""
    package = cache / "package"
    write_package(names, package)
    changing = ("CARGO_PROFILE", "CARGO_BUILD", "CARGO_TARGET_DIR", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUST_BACKTRACE")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(changing)}
    fuzz = ["cargo", "+nightly", "fuzz", "build", "--fuzz-dir", package, "-s", "none"]
    fuzzers = package / "target" / host_triple() / "release"
    for name in names:
        for program in (name, f"{name}-strict"):
            run([*fuzz, program], package, plain)
    checks = [word for name in names for word in ("--bin", f"{name}-check")]
    # The checks that cargo-fuzz switches on: without them an overflow is no panic.
    flags = "--cfg fuzzing -C debug-assertions -C overflow-checks"
    build = ["cargo", "build", "--quiet", "--release", "--target-dir", cache / "checks", *checks]
    run(build, package, plain | {"RUSTFLAGS": flags})
    return fuzzers, cache / "checks" / "release"


def host_triple():
    """The target triple that rustc builds for by default."""
    asked = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^host: (.*)$", asked, re.M).group(1)


def run(words, folder, environment):
    ended = subprocess.run(list(map(str, words)), cwd=folder, env=environment, capture_output=True, text=True)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))} ended with {ended.returncode}\n{ended.stderr[-2000:]}")


def write_package(names, package):
    """Writes the scratch package. A file that is the same already keeps its time, so that nothing is built again."""
    fuzz = ROOT / "fuzz"
    manifest = tomllib.loads((fuzz / "Cargo.toml").read_text())
    dependencies = {name: dict(version=given) if isinstance(given, str) else dict(given)
                    for name, given in manifest["dependencies"].items()}
    wanted = {
        "shim": {"path": "shim"},
        "libfuzzer-sys": {"version": dependencies["libfuzzer-sys"]["version"]},
    }
    for name in names:
        for item in manifest["features"][name]:
            given = dependencies[item.removeprefix("dep:")]
            wanted[item.removeprefix("dep:")] = {key: value for key, value in given.items() if key != "optional"}
    lines = ['[package]\nname = "compared"\nversion = "0.0.0"\nedition = "2024"\nautobins = false\n',
             "[package.metadata]\ncargo-fuzz = true\n", "[workspace]\n", "[profile.release]\ndebug = 1\n", "[dependencies]"]
    for name, given in sorted(wanted.items()):
        fields = ", ".join(f"{key} = {json.dumps(value)}" for key, value in given.items())
        lines.append(f"{name} = {{ {fields} }}")
    places = crashes()
    for name in names:
        target = (fuzz / "fuzz_targets" / f"{name}.rs").read_text().replace("libfuzzer_sys", "shim")
        write(package / "src/targets" / f"{name}.rs", target)
        about = {"path": json.dumps(f"targets/{name}.rs"), "place": json.dumps(places[name][1])}
        for program, text in ((name, PLAIN), (f"{name}-strict", STRICT + PLACE), (f"{name}-check", CHECK + PLACE)):
            lines.append(f'\n[[bin]]\nname = "{program}"\npath = "src/{program}.rs"\ntest = false\ndoc = false\nbench = false')
            write(package / "src" / f"{program}.rs", text.format(**about))
    write(package / "Cargo.toml", "\n".join(lines) + "\n")
    write(package / "shim/Cargo.toml", '[package]\nname = "shim"\nversion = "0.0.0"\nedition = "2024"\n')
    write(package / "shim/src/lib.rs", SHIM)
    if not (package / "Cargo.lock").exists():
        write(package / "Cargo.lock", (fuzz / "Cargo.lock").read_text())


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)
