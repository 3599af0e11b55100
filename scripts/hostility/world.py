"""What one run of the catalogue lives in, and what is left of it.

Each run has a home folder of its own with all files, and a process of this program that adopts
what loses its parent. Only processes that descend from that one are ended.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
# How long what is dying may take to die.
DYING_SECONDS = 5.0
# More than the limit of memory that the catalogue's runs have: whoever takes the bystander for a
# worker ends it.
BYSTANDER_MEGABYTES = 96
MEMORY_LIMIT_MEGABYTES = 64


def adopt_orphans():
    """Makes this process the parent of what loses its own below it."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def children_of(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            found.extend(int(child) for child in text.split())
    except OSError:
        pass
    return found


def state_of(pid):
    """The letter of a process's state; X for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0]
    except (OSError, IndexError):
        return "X"


def name_of(pid):
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return f"{pid} ({state_of(pid)}, {words.strip()[:60] or 'no name'})"
    except OSError:
        return str(pid)


class World:
    """Home folder, mark and bystander of one run."""

    def __init__(self, executable, keep):
        self.home = Path(tempfile.mkdtemp(prefix="hostile-")).resolve()
        # An ordinary user has to find the way here.
        self.home.chmod(0o755)
        for name in ("in", "out", "tmp", "cwd", "bin"):
            (self.home / name).mkdir()
        self.input = self.home / "in" / "input"
        self.output = self.home / "out" / "result"
        self.executable = self.home / "bin" / "target"
        shutil.copy(executable, self.executable)
        self.mark = f"HOSTILE_MARK={uuid.uuid4()}"
        self.keep = keep
        self.bystander = subprocess.Popen(
            [executable, "--bystander", str(BYSTANDER_MEGABYTES)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
        self.bystander.stdout.readline()

    def give_to(self, user):
        for path in [self.home, *self.home.rglob("*")]:
            os.chown(path, user, -1)

    def environment(self):
        name, value = self.mark.split("=")
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "TMPDIR": str(self.home / "tmp"),
            "HOME": str(self.home / "cwd"),
            "HOSTILE_HOME": str(self.home),
            "HOSTILE_CALLS": str(self.home / "calls"),
            "HOSTILE_INPUT": str(self.input),
            "HOSTILE_BYSTANDER": str(self.bystander.pid),
            name: value,
        }

    def living(self):
        """Processes that a run has left: those that carry its mark, and orphans of ours."""
        mark = self.mark.encode()
        found = set()
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    if mark in Path(f"/proc/{entry}/environ").read_bytes():
                        found.add(int(entry))
                except OSError:
                    pass
        below = [os.getpid()]
        while below:
            for child in children_of(below.pop()):
                if child != self.bystander.pid:
                    found.add(child)
                    below.append(child)
        return [pid for pid in found if state_of(pid) not in "ZX"]

    def reap(self):
        """Takes leave of dead orphans."""
        for child in children_of(os.getpid()):
            if child != self.bystander.pid and state_of(child) == "Z":
                try:
                    os.waitpid(child, os.WNOHANG)
                except OSError:
                    pass

    def left_processes(self):
        """Processes that do not end by themselves; they are ended here."""
        begun = time.monotonic()
        while (living := self.living()) and time.monotonic() - begun < DYING_SECONDS:
            self.reap()
            time.sleep(0.02)
        names = [name_of(pid) for pid in living]
        for _ in range(200):
            for pid in living:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            self.reap()
            living = self.living()
            if not living:
                break
            time.sleep(0.02)
        self.reap()
        return names

    def left_files(self, changes):
        """What lies where nothing should, in words."""
        troubles = []
        wanted = {"in": {"input"}, "tmp": set(), "cwd": set()}
        for folder, names in wanted.items():
            found = {path.name for path in (self.home / folder).iterdir()}
            if "core" in changes:
                found = {name for name in found if not name.startswith("core")}
            if folder in changes:
                found = names
            if found - names:
                troubles.append(f"left in {folder}: {sorted(found - names)}")
        if "out" not in changes:
            strange = [path.name for path in (self.home / "out").iterdir()
                       if not path.name.startswith(("result", ".seedsmith"))]
            if strange:
                troubles.append(f"left beside the result: {strange}")
        return troubles

    def left_input(self):
        return self.input.read_bytes() if self.input.exists() else None

    def touched(self):
        """Whether the bystander was ended, stopped or traced."""
        state = "X" if self.bystander.poll() is not None else state_of(self.bystander.pid)
        return [] if state in "SRDI" else [f"the bystander is in state {state}"]

    def close(self):
        self.bystander.kill()
        self.bystander.wait()
        if not self.keep:
            shutil.rmtree(self.home, ignore_errors=True)
