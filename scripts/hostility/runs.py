"""One row of the catalogue: starts the run, waits for its end, and judges it."""

import os
import pwd
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from .row import INPUT, RIGHT
from .world import MEMORY_LIMIT_MEGABYTES, World, adopt_orphans

# Tells the target which process the run is.
START = ["sh", "-c", 'HOSTILE_DRIVER=$$; export HOSTILE_DRIVER; exec "$@"', "sh"]
# Characters of what a run printed that are kept.
MOST_TALK = 2000


@dataclass
class RowEnd:
    """What came of one row."""

    name: str
    limit: float
    seconds: float = 0.0
    ended: str = ""
    talk: str = ""
    troubles: list[str] = field(default_factory=list)


def failing_seconds(limit):
    """After this long a run with that limit has failed, on whatever machine."""
    return 3 * limit + 5


def command_of(row, world, tmin, limit):
    program = [str(tmin)] if row.program == "tmin" else [str(Path(tmin).with_name("seedsmith")), row.program]
    words = [*program, str(world.input), "-o", str(world.output),
             "--max-time", f"{int(limit * 1000)}ms", "--memory-limit", str(MEMORY_LIMIT_MEGABYTES)]
    words += ["--produce", "5"] if row.program == "generalize" else ["--force"]
    words += row.more
    if row.way == "injected":
        return [*words, "--binary", str(world.executable)]
    if row.way == "started":
        words.append("--no-fork-server")
    return [*words, "--", str(world.executable), "--command", "{}"]


def prepared(row, user):
    """What happens in the child before the run is started."""
    limits = [(getattr(resource, name), value) for name, value in row.system_limits]

    def prepare():
        # Ignored where this program was started by nohup or in the background.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        if user is not None:
            os.setgid(user)
            os.setuid(user)
        for number, value in limits:
            resource.setrlimit(number, (value, value))

    return prepare


def run(row, does, world, tmin, limit, row_end):
    """Starts the run, and waits for its end or for the last moment; its exit code."""
    user = pwd.getpwnam("nobody").pw_uid if row.as_nobody and os.getuid() == 0 else None
    if user is not None:
        world.give_to(user)
    talk_path = world.home / "talk"
    environment = {**world.environment(), "HOSTILE_DOES": does, "HOSTILE_WHEN": row.when}
    with open(talk_path, "ab") as talk:
        begun = time.monotonic()
        child = subprocess.Popen(
            [*START, *command_of(row, world, tmin, limit)], cwd=world.home / "cwd",
            env=environment, stdin=subprocess.DEVNULL, stdout=talk, stderr=talk,
            start_new_session=True, preexec_fn=prepared(row, user))
        try:
            code = child.wait(failing_seconds(limit))
        except subprocess.TimeoutExpired:
            code = None
            row_end.troubles.append(f"no end in {failing_seconds(limit):.0f} s")
            child.kill()
            child.wait()
        row_end.seconds = time.monotonic() - begun
    row_end.talk = talk_path.read_bytes().decode(errors="replace")[-MOST_TALK:]
    return code


def printed_result(world, talk):
    """The bytes of a result that was written elsewhere: a path in what was printed."""
    for word in talk.split():
        path = Path(word.strip("\"'`,.:;()"))
        if path.is_absolute() and path != world.output and path.is_file():
            if path not in (world.input, world.executable):
                return path.read_bytes()
    return None


def suits(end, code, world, talk):
    if end.code != code:
        return False
    if end.is_without:
        return not world.output.exists()
    if end.exactly is None and end.contains is None:
        return True
    try:
        result = printed_result(world, talk) if end.elsewhere else world.output.read_bytes()
    except OSError:
        return False
    if result is None:
        return False
    return result == end.exactly if end.exactly is not None else end.contains in result


def shown(code, world):
    try:
        return f"exit code {code}, {world.output.read_bytes()!r}"
    except OSError:
        return f"exit code {code}, no result"


def run_row(row, tmin, executable, limit, keep):
    """Runs a row in this process, which should be one of its own."""
    adopt_orphans()
    limit = row.limit or limit
    row_end = RowEnd(row.name, limit)
    world = World(executable, keep)
    try:
        world.input.write_bytes(INPUT)
        code = run(row, row.does, world, tmin, limit, row_end)
        row_end.ended = shown(code, world)
        if code is not None and not any(suits(end, code, world, row_end.talk) for end in row.ends):
            wanted = ", or ".join(map(str, row.ends))
            row_end.troubles.append(f"{row_end.ended}; right is {wanted}")
        left = world.left_processes()
        if left:
            some = ", ".join(left[:3])
            row_end.troubles.append(f"{len(left)} processes are left, such as {some}")
        if row.is_killed:
            again = RowEnd(row.name, limit)
            code = run(row, "nothing", world, tmin, limit, again)
            if not suits(RIGHT, code, world, again.talk):
                row_end.troubles.append(f"the run after it: {shown(code, world)}\n{again.talk}")
        row_end.troubles += world.left_files(row.changes) + world.touched()
        if "input" not in row.changes and world.left_input() != INPUT:
            row_end.troubles.append("the input is other than before")
    finally:
        world.close()
    return row_end
