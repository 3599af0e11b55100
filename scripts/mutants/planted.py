"""Is a crash of the validator found, and stored with its input?"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .build import ROOT

COVERAGE = (
    "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 "
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table "
    "-Cllvm-args=-sanitizer-coverage-trace-compares"
)
MANIFEST = """
[package]
name = "planted"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
libfuzzer-sys = "0.4"
seedsmith = {{ path = {root}, default-features = false, features = ["mutator"] }}

[[bin]]
name = "mutate_planted"
path = {target}

[profile.dev]
opt-level = 1
debug = false
"""


def planted():
    """Fuzzes the target with a planted bug, in a package as docs/src/mutator.md describes it; ends the program."""
    folder = ROOT / "target" / "mutator-planted"
    folder.mkdir(parents=True, exist_ok=True)
    target = ROOT / "fuzz" / "fuzz_targets" / "mutate_planted.rs"
    (folder / "Cargo.toml").write_text(MANIFEST.format(root=json.dumps(str(ROOT)), target=json.dumps(str(target))))
    subprocess.run(
        ["cargo", "build", "--target", "host-tuple"], cwd=folder, check=True,
        env=os.environ | {"RUSTFLAGS": COVERAGE, "CARGO_TARGET_DIR": str(folder / "target")},
    )
    executable = next(folder.glob("target/*/debug/mutate_planted"))
    for seed in range(1, 6):
        with tempfile.TemporaryDirectory() as scratch:
            corpus = Path(scratch) / "corpus"
            corpus.mkdir()
            (corpus / "seed").write_text("[1,[22,[3]],4]")
            done = subprocess.run(
                [executable, corpus, "-runs=2000000", f"-seed={seed}", "-max_len=64", "-artifact_prefix=./"],
                cwd=scratch, env=os.environ | {"SEEDSMITH_REPAIR_SHARE": "1"}, capture_output=True, timeout=600,
            )
            stored = list(Path(scratch).glob("crash-*"))
            if done.returncode == 0 or b"planted" not in done.stderr or len(stored) != 1:
                sys.exit(f"seed {seed}: the planted bug was not found: {done.stderr[-2000:]}")
            again = subprocess.run([executable, stored[0]], capture_output=True, timeout=60)
            if again.returncode == 0 or b"planted" not in again.stderr:
                sys.exit(f"seed {seed}: what was stored doesn't crash: {stored[0].read_bytes()}")
            print(f"seed {seed}: found, and {stored[0].read_bytes()} crashes alone")
