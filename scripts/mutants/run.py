"""One run of a fuzzer for so many seconds of processor time, and what its corpus reaches."""

import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .build import clean

# libFuzzer writes a file for each input that it keeps. A disk's file system takes up to a third of all time for that, and
# how much depends on what else it is doing.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# How often the processor time is looked at. A run is at most that much longer than it should be.
LOOKS_EVERY = 0.1
# Texts of a grammar that are added to the seeds. A guess: about as many as files in a corpus after some seconds.
DRAWN = 200
# A fuzzer that does not end when it is asked is in an input that takes very long (hcl-edit has some), and is killed after this
# multiple of its processor time. What it has found until then counts.
MOST_OVER = 1.25
# A run is killed after this multiple of its processor time: the machine is too busy, or the fuzzer hangs.
MOST_TIMES = 60
# The exit status of a replay after an input that takes too long (targets/harness/replay.rs).
LATE = 75
# A replay leaves out at most so many of them: each costs 20 seconds, and begins the replay again.
MOST_LATE = 10
# Seconds that one replay may take, without the inputs that take too long.
REPLAY_SECONDS = 900


class Crashed(Exception):
    """The fuzzer ended by itself: a crash, a hang or too much memory. Or the replay of its corpus did not end."""


def seconds_used(root):
    """CPU seconds of a process and all below it, with those that have ended and were waited for."""
    children, used = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # ended while we looked
            continue
        pid = int(stat.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        used[pid] = sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0.0, [root]
    while waiting:
        pid = waiting.pop()
        total += used.get(pid, 0)
        waiting += children.get(pid, [])
    return total


def replay(executable, corpus):
    """Edges by who reaches them: the first one of every function, and those of valid, rejected and made inputs.

    With them the inputs that were left out because they take too long: the name of a file, or that of an input that was
    made of one.
    """
    late = []
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        to, without = Path(scratch) / "edges", Path(scratch) / "without"
        settings = {"MUTATOR_REPLAY": str(corpus), "MUTATOR_REPLAY_TO": str(to), "MUTATOR_REPLAY_WITHOUT": str(without)}
        while True:
            without.write_text("".join(f"{name}\n" for name in late))
            try:
                ended = subprocess.run(
                    [executable], env=clean(settings), timeout=REPLAY_SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                raise Crashed(f"{executable}: the replay took more than {REPLAY_SECONDS} s") from None
            if ended.returncode == 0:
                break
            if ended.returncode != LATE:
                raise Crashed(f"{executable}: the replay ended with {ended.returncode}")
            late.append(to.read_text().strip())
            print(f"{executable.name}: the replay leaves out {late[-1]}, which takes too long", file=sys.stderr)
            if len(late) > MOST_LATE:
                raise Crashed(f"{executable}: more than {MOST_LATE} inputs of the replay take too long")
        lines = to.read_text().splitlines()
    edges = dict(zip(("functions", "valid", "rejected", "made"), ([int(one) for one in line.split()] for line in lines)))
    return edges, late


def fuzz(executable, plain, corpus_from, seed, seconds, core, options=(), environment=None, keep=None, drawer=None):
    """Fuzzes on one core until fuzzer and validator together have used so many seconds of it.

    `plain` replays what came of it, so that edges of all ways are counted by the same program. With `keep` the corpus is
    copied there. With `drawer`, an executable that generates, DRAWN texts of its grammar are added to the seeds; its time
    does not count.
    """
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        corpus = Path(scratch) / "corpus"
        shutil.copytree(corpus_from, corpus)
        if drawer:
            draw = {"MUTATOR_DRAW": str(DRAWN), "MUTATOR_DRAW_TO": str(corpus)}
            subprocess.run([drawer], env=clean(draw), check=True, timeout=600, stderr=subprocess.DEVNULL)
        tally, log = Path(scratch) / "tally", Path(scratch) / "log"
        with log.open("wb") as told:
            fuzzer = subprocess.Popen(
                [executable, corpus, f"-seed={seed}", "-max_len=1024", "-print_final_stats=1", *options],
                env=clean({**(environment or {}), "SEEDSMITH_TALLY": str(tally)}), cwd=scratch, stderr=told,
                stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {core}),
            )
            is_killed = False
            used, is_asked, latest = 0.0, False, time.monotonic() + seconds * MOST_TIMES + 60
            while fuzzer.poll() is None:
                used = max(used, seconds_used(fuzzer.pid))
                if used >= seconds and not is_asked:
                    is_asked = True
                    fuzzer.send_signal(signal.SIGUSR1)  # libFuzzer ends in peace and prints its figures
                if used >= seconds * MOST_OVER + 1:
                    is_killed = True
                    fuzzer.kill()
                if time.monotonic() > latest:
                    fuzzer.kill()
                time.sleep(LOOKS_EVERY)
        text = log.read_text(errors="replace")
        if fuzzer.returncode != 0 and not is_killed:
            raise Crashed(f"{executable} -seed={seed} ended with {fuzzer.returncode}:\n{text[-2000:]}")
        if " cov: " not in text:
            raise Crashed(f"{executable}: libFuzzer saw no coverage:\n{text[:2000]}")
        executed, valid = struct.unpack("=QQ", tally.read_bytes()) if tally.exists() else (1, 0)
        told = re.search(r"stat::number_of_executed_units:\s+(\d+)", text)
        runs = int(told.group(1)) if told else executed
        if keep:
            shutil.copytree(corpus, keep)
        edges, late = replay(plain, corpus)
        return {
            "executed": runs, "valid_share": valid / executed, "features": int(re.findall(r" ft: (\d+)", text)[-1]),
            "used": used, "files": sum(1 for _ in corpus.iterdir()), "edges": edges, "late": late,
        }
