"""Runs one tool on one input: in a new folder, up to the limits, with time, processor time and starts of the check counted.

Everything that the tool starts is a descendant of this process and stays one (it is their subreaper), so the processor time of all
of them is known and none is left over.
"""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.02
# Between two looks at the processor time of all descendants, which takes about a millisecond.
LOOK_SECONDS = 0.25
# After SIGINT, which makes some tools write their best result.
GRACE_SECONDS = 3.0
# More than any tool printed here in a minute.
MAX_LOG_BYTES = 20_000_000
PR_SET_CHILD_SUBREAPER = 36

# Stands before every check. It notes that it was started and becomes the check. With CRASH it runs the check and dies by a
# signal where the check ends with 0: what afl-tmin looks for. A libFuzzer executable starts itself again under the name by which it
# was called, so it comes through here again.
COUNTED = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) {
    char *check = getenv("COMPARE_CHECK"), *file = getenv("COMPARE_FILE");
    int counts = open(getenv("COMPARE_COUNTS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (counts < 0 || write(counts, ".", 1) != 1) return 126;
    close(counts);
    /* cvise names no file: it is in the working directory. */
    char *named[] = {words[0], file, NULL};
    if (count == 1) words = named;
#ifdef CRASH
    int status = 0;
    pid_t child = fork();
    if (child == 0) { execv(check, words); _exit(127); }
    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) abort();
    return 1;
#else
    execv(check, words);
    return 127;
#endif
}
"""


@dataclass
class Run:
    """What one run of a tool took. `starts` are those of the check."""

    seconds: float
    cpu_seconds: float
    starts: int
    capped: bool
    status: int | None
    printed: str
    # The last contents of the result's file, the newest first. A tool that works in place may be ended while a candidate is there.
    seen: list


def build_counted(cache):
    """Compiles the program that counts starts; the folder that holds `counted` and, where AFL++ is there, `crashing`."""
    folder = cache / "counted"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "counted.c"
    source.write_text(COUNTED)
    subprocess.run(["cc", "-O1", "-w", "-o", folder / "counted", source], check=True)
    afl = next((name for name in ("afl-clang-fast", "afl-gcc-fast", "afl-gcc") if shutil.which(name)), None)
    if afl:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([afl, "-O1", "-w", "-DCRASH", "-o", folder / "crashing", source], check=True, **quiet)
    return folder


def adopt_orphans():
    """Makes this process the parent of every descendant whose own parent has ended."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """Processes whose parent is this one."""
    return [int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]


def used_by_descendants():
    """Processor seconds of every process below this one that runs, and of those that they have waited for."""
    ticks, found = 0, children()
    for pid in found:
        process = Path("/proc") / str(pid)
        try:
            # After the name, which may hold anything but ends at the last parenthesis.
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])
            for task in (process / "task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        except (OSError, IndexError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def end_all(first):
    """Ends the tool and all that it has started, and waits for them."""
    try:
        os.killpg(first, signal.SIGKILL)
    except ProcessLookupError:
        pass
    # A process that is ended hands its own children over, so look until there is none.
    while left := children():
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Snapshots:
    """The last contents of a file that may be rewritten at any time."""

    MAX_KEPT = 30

    def __init__(self, path):
        self.path, self.stamp, self.contents = path, None, []

    def look(self):
        try:
            now = self.path.stat()
            if (now.st_mtime_ns, now.st_size, now.st_ino) != self.stamp:
                self.stamp = now.st_mtime_ns, now.st_size, now.st_ino
                self.contents = [self.path.read_bytes(), *self.contents[:self.MAX_KEPT]]
        except OSError:
            pass


def run(command, folder, check, file, limits, result):
    """Runs a command in `folder` until it ends or exceeds a limit: (seconds, processor seconds, starts of the check)."""
    max_seconds, max_cpu_seconds, max_starts = limits
    counts = folder / ".starts"
    counts.touch()
    private = folder / ".tmp"
    private.mkdir(exist_ok=True)
    environment = os.environ | {
        "COMPARE_CHECK": str(check), "COMPARE_FILE": file, "COMPARE_COUNTS": str(counts), "TMPDIR": str(private),
        "RUST_BACKTRACE": "0", "NO_COLOR": "1", "PYTHONWARNINGS": "ignore",
    }
    log = folder / ".printed"
    snapshots = Snapshots(result)
    before, start = processor_seconds(), time.perf_counter()
    with log.open("wb") as printed:
        child = subprocess.Popen(
            list(map(str, command)), cwd=folder, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT,
        )
        try:
            capped, next_look = False, start + LOOK_SECONDS
            while child.poll() is None:
                time.sleep(POLL_SECONDS)
                snapshots.look()
                if time.perf_counter() > next_look:
                    next_look = time.perf_counter() + LOOK_SECONDS
                    capped = used_by_descendants() > max_cpu_seconds
                if capped or time.perf_counter() - start > max_seconds or counts.stat().st_size > max_starts:
                    capped = child.poll() is None
                    break
            seconds = time.perf_counter() - start
            if capped:
                # As Ctrl-C on a terminal does it.
                os.killpg(child.pid, signal.SIGINT)
                try:
                    child.wait(GRACE_SECONDS)
                except subprocess.TimeoutExpired:
                    pass
            status = child.poll()
        finally:
            end_all(child.pid)
    snapshots.look()
    text = log.read_bytes()[-MAX_LOG_BYTES:].decode(errors="replace")
    return Run(seconds, processor_seconds() - before, counts.stat().st_size, capped, status, text, snapshots.contents)
