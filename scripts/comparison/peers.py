"""The tools: how each is called on an input, where it leaves its result, and how many tests it says that it made.

A tool is a function from an `Input` and a `Place` to a `Plan`. It raises `Missing` if it cannot be installed, and `NotFor` if it is not
made for such inputs. Options are each tool's defaults, but for those that a comment explains.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from comparison import install
from comparison.install import Missing


class NotFor(Exception):
    """A tool is not made for this input; the text says why."""


@dataclass
class Input:
    """A failing input. `fuzzers` are the libFuzzer executable and the one in which only this failure crashes, for a fuzz target."""

    name: str
    ending: str
    content: bytes
    check: Path
    other: bytes | None = None
    fuzzers: tuple | None = None
    grammar: tuple | None = None


@dataclass
class Place:
    """Where a tool works: its folder, the copy of the input there, the cache, the program that counts starts, tmin, the limits."""

    folder: Path
    copy: Path
    cache: Path
    counted: Path
    tmin: Path
    limits: tuple


@dataclass
class Plan:
    """What to start, where the result is, and what finds the number of tests in the output (without it, the starts are the tests)."""

    command: list
    result: Path
    tests: object = None
    check: Path | None = None
    version: str = ""
    # Files in which the tool keeps what it has accepted, for a tool that leaves a candidate in place when it is ended.
    kept: str | None = None


def events_tests(printed):
    """The tests of `tmin --json`."""
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    return next((event["tests"] for event in map(json.loads, reversed(lines)) if "tests" in event), None)


def tmin_command(each, place, more):
    out = place.folder / "out.bin"
    *_, max_tests = place.limits
    command = [place.tmin, place.copy.name, "-o", out, "--json", "--force", "--max-tests", max_tests, *more]
    version = install.run([place.tmin, "--version"]).split()[1]
    return Plan(command, out, events_tests, version=version)


def tmin(each, place):
    if each.fuzzers:
        return tmin_command(each, place, ["--binary", each.fuzzers[0]])
    return tmin_command(each, place, ["--", place.counted, "{}"])


def tmin_check(each, place):
    """tmin with the check that the other tools get, on inputs of fuzz targets."""
    if not each.fuzzers:
        raise NotFor("the same as tmin")
    return tmin_command(each, place, ["--", place.counted, "{}"])


def libfuzzer(runs):
    def plan(each, place):
        if not each.fuzzers:
            raise NotFor("not a fuzz target")
        version = install.cargo_fuzz()
        out = place.folder / "out.bin"
        # The first two are what `cargo fuzz tmin` passes.
        words = [place.counted, "-minimize_crash=1", f"-runs={runs}", f"-exact_artifact_path={out}", "-print_final_stats=1", place.copy]
        return Plan(words, out, fuzzers_tests, each.fuzzers[1], f"cargo-fuzz {version}")

    return plan


def fuzzers_tests(printed):
    """The tests of libFuzzer, each step of which prints its own number."""
    return sum(map(int, re.findall(r"^stat::number_of_executed_units:\s*(\d+)", printed, re.M))) or None


def picire(each, place):
    program, version = install.from_pip("picire", place.cache)
    folder = place.folder / "picire"
    # Lines, then characters, with a cache of the texts that were tested; Latin-1 keeps every byte as one character.
    words = [program, "--input", place.copy, "--test", place.counted, "--out", folder, "--quiet", "--atom", "both",
             "--cache", "content", "--encoding", "latin-1"]
    return Plan(words, folder / place.copy.name, version=version)


def picireny(each, place):
    if each.grammar is None:
        raise NotFor("no grammar for it")
    program, version = install.from_pip("picireny", place.cache)
    jar = install.antlr(place.cache)
    files, start = each.grammar
    grammars = []
    for file in files:
        # ANTLR 4.8 for Python refuses names of Python's own types as rules, and reads characters of at most four digits.
        text = re.sub(r"\b(object|float)\b", r"\1_value", file.read_text()).replace(r"\u{10FFFF}", r"\uFFFF")
        grammars.append(place.folder / file.name)
        grammars[-1].write_text(text)
    folder = place.folder / "picireny"
    words = [program, "--input", place.copy, "--test", place.counted, "--out", folder, "--grammar", *grammars, "--start", start,
             "--antlr", jar, "--encoding", "utf-8", "--sys-recursion-limit", "10000", "--phase", "prune+hoist", "--quiet"]
    return Plan(words, folder / place.copy.name, version=version)


def shrinkray(each, place):
    program, version = install.from_pip("shrinkray", place.cache)
    # Without its passes by a language model, and without a second reduction from the beginning.
    words = [program, "--no-llm", "--no-history", "--no-restart", "--ui", "basic", "--volume", "quiet", "--formatter", "none",
             "--trivial-is-not-error", "--input-type", "arg", "--timeout", "10", place.counted, place.copy]
    return Plan(words, place.copy, version=version)


LITHIUM = """
import subprocess

def interesting(words, prefix):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
"""


def lithium(each, place):
    program, version = install.from_pip("lithium", place.cache)
    (place.folder / "same.py").write_text(LITHIUM)
    # Lines, then bytes, as its manual has it.
    step = f"'{program}' %s same.py '{place.counted}' {place.copy.name}"
    words = ["sh", "-c", f"trap : INT; {step % '--lines'}; exec {step % '--char'}"]
    return Plan(words, place.copy, version=version, kept="tmp*/*-interesting*")


def cvise(each, place):
    program, version = install.from_debian("cvise", "cvise")
    kind = [] if each.ending == "c" else ["--not-c"]
    words = [program, *kind, "--tidy", "--shaddap", "--no-cache", place.counted, place.copy.name]
    return Plan(words, place.copy, version=version)


def afl_tmin(each, place):
    program, version = install.from_debian("afl-tmin", "afl++")
    if not place.counted.with_name("crashing").is_file():
        raise Missing("AFL++ has no compiler for the program that crashes where the check says so")
    out = place.folder / "out.bin"
    words = [program, "-i", place.copy, "-o", out, "-t", "10000", "-m", "none", "--", place.counted.with_name("crashing"), "@@"]
    return Plan(words, out, version=version)


TREEREDUCE = {"c": "treereduce-c", "lua": "treereduce-lua"}


def treereduce(each, place):
    if each.ending not in TREEREDUCE:
        raise NotFor("no treereduce for its language")
    program, version = install.from_cargo(TREEREDUCE[each.ending], place.cache)
    out = place.folder / "out.bin"
    words = [program, "--quiet", "--source", place.copy, "--output", out, "--", place.counted, f"@@.{each.ending}"]
    return Plan(words, out, version=version)


PEERS = {
    "tmin": tmin,
    "tmin-check": tmin_check,
    "libfuzzer": libfuzzer(255),
    "libfuzzer-20000": libfuzzer(20000),
    "picire": picire,
    "picireny": picireny,
    "shrinkray": shrinkray,
    "lithium": lithium,
    "cvise": cvise,
    "afl-tmin": afl_tmin,
    "treereduce": treereduce,
}
OURS = ("tmin", "tmin-check")
# What cannot be installed from a package: the name, and why.
ABSENT = {
    "halfempty": "has to be built from its repository; there is no package",
    "Perses": "is a Java archive of its repository's releases; there is no package",
    "casr": "compares and groups crashes, and does not shrink inputs",
}


