"""One behaviour of the catalogue, and the ends of a run that are right for it."""

from dataclasses import dataclass

INPUT = b"some hay (and hay), a BUG! and hay again\n"


@dataclass(frozen=True)
class End:
    """An end of a run: its exit code, and what the result then is."""

    code: int
    # The result, byte for byte.
    exactly: bytes | None = None
    # What a result contains; None where there need not be one.
    contains: bytes | None = None
    # No result was written.
    is_without: bool = False
    # The result lies at another place than was asked for, which the run has printed.
    elsewhere: bool = False

    def __str__(self):
        text = f"exit code {self.code}"
        if self.exactly is not None:
            text += f" with {self.exactly!r}"
        elif self.contains is not None:
            text += f" with {self.contains!r} in the result"
        elif self.is_without:
            text += " without a result"
        return text + (" at a printed place" if self.elsewhere else "")


# The whole search was done, undisturbed.
RIGHT = End(0, exactly=b"BUG")
# It was done, and what a target disturbed may have cost some bytes.
FOUND = End(0, contains=b"BUG")
# A limit ended it.
STOPPED = End(3, contains=b"BUG")
# The same before the first runs were done.
STOPPED_BEFORE = End(3, is_without=True)
# An input without BUG, and nothing else is lost.
REPAIRED = End(0, exactly=INPUT.replace(b"BUG", b"BG"))
# Whatever was written, by a limit or at the end.
DONE = End(0)
OUT_OF_TIME = End(3)
# Refusals: the input does not fail, it fails too rarely, the target cannot be run.
PASSES = End(1)
UNSTEADY = End(4)
UNUSABLE = End(5)


@dataclass(frozen=True)
class Row:
    """A behaviour: what the target does on which candidates, and which ends are right."""

    name: str
    does: str
    # always, failing, others (those without BUG), some (one in eight of those), call-N.
    when: str
    ends: tuple[End, ...]
    # tmin, or a command of seedsmith: repair or generalize. To repair is to find an input without BUG.
    program: str = "tmin"
    # injected: as a libFuzzer executable; command, started: `-- COMMAND {}`, forked or started anew.
    way: str = "injected"
    # Seconds of --max-time; None is the catalogue's own.
    limit: float | None = None
    more: tuple[str, ...] = ()
    # Limits of the system that the run itself is started with, by name.
    system_limits: tuple[tuple[str, int], ...] = ()
    # As an ordinary user: the limit of processes does not hold for root.
    as_nobody: bool = False
    # The run itself is killed: another run comes after it and tidies up.
    is_killed: bool = False
    # What may be other than before: input, executable, core, or a folder (in, out, tmp, cwd).
    changes: tuple[str, ...] = ()
    is_small: bool = False
    # Run only if it is named.
    only_named: bool = False
