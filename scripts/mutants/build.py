"""Builds the targets with and without the mutator."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "scripts" / "mutator-targets"
PLAIN, OURS, GENERATION = "plain", "ours", "generation"
# Cargo's features for each kind of executable.
FEATURES = {
    PLAIN: ["--no-default-features"],
    OURS: [],
    GENERATION: ["--no-default-features", "--features", "generation"],
}

# Targets for whose languages seedsmith has a grammar. YAML's is JSON's: every text of JSON is one of YAML.
GRAMMARS = ["css", "lisp", "sql", "svg", "yaml"]

# Counters that a fuzzer with the mutator may have more than a plain one: of crates that seedsmith depends on, which stay in,
# and of small gaps. All that is linked is some 20,000.
MOST_MORE = 2_000


def executable(folder, target, kind, sanitizer):
    return folder / f"{target}-{kind}-{sanitizer}"


def build(targets, kinds, sanitizer, folder):
    """Executables of `targets` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    built = folder / "build"
    for kind in kinds:
        for target in targets:
            if kind == GENERATION and target not in GRAMMARS:
                continue
            # A folder for each sanitizer: cargo would build all crates again after each change of it.
            subprocess.run(
                ["cargo", "+nightly", "fuzz", "build", "--fuzz-dir", ".", "-s", sanitizer,
                 "--target-dir", built / sanitizer, *FEATURES[kind], target],
                cwd=PACKAGE, check=True, stdout=subprocess.DEVNULL,
            )
            shutil.copy2(next((built / sanitizer).glob(f"*/release/{target}")), executable(folder, target, kind, sanitizer))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def counters(targets, sanitizer, folder):
    """Prints how many counters libFuzzer scans for every input, and ends the program where seedsmith's are among them."""
    print("| target | plain | ours |\n|---|---:|---:|")
    for target in targets:
        scanned = []
        for kind in (PLAIN, OURS):
            done = subprocess.run(
                [executable(folder, target, kind, sanitizer), "-runs=0"], capture_output=True, timeout=120, env=clean(),
            )
            scanned.append(int(re.search(rb"Loaded \d+ modules +\((\d+) inline", done.stderr).group(1)))
        print(f"| `{target}` | {scanned[0]:,} | {scanned[1]:,} |")
        if scanned[1] > scanned[0] + MOST_MORE:
            sys.exit(f"{target}: seedsmith's counters are not left out (crates/seedsmith-engine/src/exec/counters/hidden.rs)")
    sys.stdout.flush()


def clean(more=None):
    """The environment without what would change a run."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SEEDSMITH_", "MUTATOR_"))}
    return kept | (more or {})
