"""The catalogue of hostile targets: one row for each behaviour, in the groups of `targets/`.

A right end is the right result, or an honest refusal. What disturbs other candidates only must not
change the result; what disturbs the failing input itself may be refused.
"""

from .row import (DONE, FOUND, OUT_OF_TIME, PASSES, REPAIRED, RIGHT, STOPPED, STOPPED_BEFORE, UNSTEADY,
                  UNUSABLE, End, Row)

# Milliseconds of processor time and their sixfold of wall time, but a second at least: hangs are
# cheap then.
SHORT = ("--timeout", "150ms")
# Without the exhaustive search of short inputs, which would start tens of thousands of processes.
PLAIN = ("--polish", "0")
QUICK = (*SHORT, *PLAIN)
# A limit for rows in which most candidates hang.
HANGING = 4.0

# Where the failing input itself is disturbed at will: any honest end.
ANY = (FOUND, STOPPED, STOPPED_BEFORE, PASSES, UNSTEADY, UNUSABLE)
FOUND_IN_TIME = (FOUND, STOPPED)


def others(does, ends=(RIGHT,), **more):
    """Behaviour on all candidates without BUG: the result is the undisturbed one."""
    return Row(does, does, "others", ends, **{"more": PLAIN, **more})


def always(does, ends=(RIGHT,), **more):
    return Row(does, does, "always", ends, **{"more": PLAIN, **more})


ENDS = [
    others("exit-0", more=(), is_small=True),
    others("exit-1"),
    others("exit-255"),
    others("_exit-0"),
    others("quick_exit"),
    others("exit-as-retired", ends=FOUND_IN_TIME, limit=HANGING),
    others("exit-as-reported"),
    others("another-abort"),
    others("exit-into-abort"),
    others("exit-into-another-exit"),
    Row("exit-into-sleep", "exit-into-sleep", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    others("exit-in-a-thread"),
    others("abort-in-a-thread"),
    Row("exit-instead-of-the-bug", "exit-1", "failing", (RIGHT,)),
    Row("end-at-exit-instead-of-the-bug", "exit-into-abort", "failing", ANY),
    Row("abort-in-a-detached-thread", "abort-in-a-detached-thread", "others", FOUND_IN_TIME, more=PLAIN),
    Row("only-abort-in-a-detached-thread", "only-abort-in-a-detached-thread", "always", ANY, more=PLAIN),
    always("leave-threads", is_small=True),
    others("end-the-only-thread"),
    Row("end-the-first-thread", "end-the-first-thread", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    others("become-another-program", more=PLAIN),
    Row("become-a-sleeper", "become-a-sleeper", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("spin", "spin", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING, is_small=True),
    Row("spin-on-most", "spin", "others", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    # Before the search begins other inputs are tried, and none of them ends.
    Row("spin-for-ten-seconds-each", "spin", "others", (*FOUND_IN_TIME, STOPPED_BEFORE), limit=HANGING),
    Row("hang-instead-of-the-bug", "spin", "failing", (*FOUND_IN_TIME, STOPPED_BEFORE, UNSTEADY), limit=8.0, more=PLAIN),
    Row("sleep", "sleep", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("sleep-on-most", "sleep", "others", (*FOUND_IN_TIME, STOPPED_BEFORE), limit=HANGING),
    always("sleep-a-moment", ends=FOUND_IN_TIME, more=PLAIN, limit=HANGING),
]

DESCRIPTORS = [
    others("close-all", more=PLAIN, is_small=True),
    Row("close-all-before-the-bug", "close-all", "failing", (RIGHT,)),
    always("close-standard-streams"),
    others("replace-all-descriptors"),
    always("leak-descriptors"),
    always("use-up-descriptors", more=PLAIN),
    always("change-descriptor-flags"),
    always("lock-descriptors"),
    others("write-to-all-descriptors", ends=FOUND_IN_TIME),
    others("flood-stdout", more=PLAIN),
    others("flood-stderr", more=PLAIN),
    Row("flood-and-spin", "flood-and-spin", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    always("truncate-stderr"),
    others("stretch-stderr", is_small=True),
    others("print-a-false-report", more=PLAIN),
    Row("print-a-false-report-before-the-bug", "print-a-false-report", "failing", (RIGHT,), more=PLAIN),
]

PROCESSES = [
    always("leave-a-child", more=PLAIN),
    always("leave-a-daemon", more=PLAIN, is_small=True),
    always("leave-a-stubborn-daemon", more=PLAIN),
    always("fork-burst", more=PLAIN, is_small=True),
    always("leave-zombies", more=PLAIN),
    always("run-away", more=PLAIN, ends=FOUND_IN_TIME),
    Row("hang-in-a-child", "hang-in-a-child", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("spin-in-a-child", "spin-in-a-child", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    others("be-killed-later", more=PLAIN, ends=FOUND_IN_TIME),
    others("die-in-a-vfork", more=PLAIN),
    always("leave-a-sibling", more=PLAIN),
    always("new-namespaces", more=PLAIN),
    always("be-a-subreaper", more=PLAIN),
    always("hide"),
    always("leave-the-group", more=PLAIN),
    always("be-nice", more=PLAIN),
    others("kill-the-parent", ends=ANY, more=PLAIN),
    Row("kill-the-parent-once", "kill-the-parent", "call-60", (RIGHT,), more=PLAIN, is_small=True),
    Row("kill-the-parent-before-the-bug", "kill-the-parent", "failing", ANY, more=PLAIN),
    others("terminate-the-parent", ends=ANY, more=PLAIN),
    Row("stop-the-parent-once", "stop-the-parent", "call-60", (RIGHT, STOPPED), more=PLAIN),
    others("stop-the-parent", ends=ANY, more=QUICK, limit=HANGING),
    Row("stop-the-parent-and-spin", "stop-the-parent-and-spin", "some", FOUND_IN_TIME, more=QUICK,
        limit=HANGING, is_small=True),
    Row("stop-the-parent-before-the-bug", "stop-the-parent", "failing", ANY, more=QUICK, limit=HANGING),
    always("signal-storm", more=PLAIN),
    Row("trace-the-parent", "trace-the-parent", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("trace-the-parent-and-return", "trace-the-parent-and-return", "others", ANY, more=QUICK, limit=HANGING),
    Row("be-traced", "be-traced", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    others("kill-the-group", ends=ANY, more=PLAIN),
    Row("stop-the-group", "stop-the-group", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("kill-the-driver", "kill-the-driver", "call-60", (End(-9),), more=PLAIN, is_killed=True, is_small=True),
    Row("terminate-the-driver", "terminate-the-driver", "call-60", (End(143, contains=b"BUG"),), more=PLAIN),
    Row("hang-up-the-driver", "hang-up-the-driver", "call-60", (End(129, contains=b"BUG"),), more=PLAIN),
    Row("interrupt-the-driver", "interrupt-the-driver", "call-60", (End(130, contains=b"BUG"),), more=PLAIN),
    Row("stop-the-driver-for-a-moment", "stop-the-driver-for-a-moment", "call-60", (RIGHT,), more=PLAIN),
]

SIGNALS = [
    others("raise-any", more=PLAIN, ends=FOUND_IN_TIME),
    others("raise-real-time"),
    Row("stop", "stop", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    always("ignore-all-signals"),
    always("block-all-signals"),
    Row("catch-all-signals-and-exit", "catch-all-signals-and-exit", "failing", (RIGHT,)),
    Row("catch-faults-and-go-on", "catch-faults-and-go-on", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    always("jump-out-of-an-abort", ends=ANY),
    Row("overflow-the-stack", "overflow-the-stack", "failing", (RIGHT,), more=PLAIN),
    Row("overflow-the-stack-elsewhere", "overflow-the-stack", "others", (RIGHT,), more=PLAIN),
    Row("overflow-without-a-signal-stack", "overflow-without-a-signal-stack", "failing", (RIGHT,), more=PLAIN),
    always("take-the-signal-stack-away"),
    always("set-an-alarm", ends=FOUND_IN_TIME, more=PLAIN),
    always("set-a-processor-alarm", ends=FOUND_IN_TIME, more=PLAIN),
    always("set-ticking-timers", more=PLAIN),
]

RESOURCES = [
    Row("grow", "grow", "some", FOUND_IN_TIME, more=PLAIN, is_small=True),
    Row("grow-slowly", "grow-slowly", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    Row("grow-instead-of-the-bug", "grow", "failing", FOUND_IN_TIME, more=PLAIN),
    others("allocate-at-once", more=PLAIN),
    always("leak-memory", more=PLAIN),
    always("map-until-nothing-fits", more=PLAIN, ends=FOUND_IN_TIME),
    always("grow-in-a-child", more=PLAIN, ends=FOUND_IN_TIME, limit=HANGING),
    # All inputs fail alike: by the limit of memory.
    always("grow-in-a-memory-file", more=PLAIN, ends=(End(0, exactly=b""),)),
    always("lower-files"),
    always("lower-address-space", ends=ANY),
    always("lower-data", ends=ANY),
    always("lower-stack"),
    always("lower-processes"),
    always("lower-processor-time"),
    others("lower-file-size-and-print"),
    always("raise-core-size", more=PLAIN, changes=("core",)),
    Row("lower-all-of-the-parent", "lower-all-of-the-parent", "call-60", ANY, more=PLAIN),
    Row("lower-files-of-the-driver", "lower-files-of-the-driver", "call-60",
        (*ANY, End(6, contains=b"BUG")), more=PLAIN),
    # As good as killing it: what was found is there, and the next run tidies up.
    Row("lower-memory-of-the-driver", "lower-memory-of-the-driver", "call-60",
        (*ANY, End(-6, contains=b"BUG")), more=PLAIN, is_killed=True),
    Row("lower-file-size-of-the-driver", "lower-file-size-of-the-driver", "call-60",
        (*ANY, End(6, contains=b"BUG")), more=PLAIN),
    always("change-personality", more=PLAIN),
    Row("few-descriptors", "nothing", "always", (RIGHT, UNUSABLE, STOPPED), more=PLAIN,
        system_limits=(("RLIMIT_NOFILE", 20),)),
    Row("little-address-space", "nothing", "always", (RIGHT, UNUSABLE, STOPPED), more=PLAIN,
        system_limits=(("RLIMIT_AS", 300 << 20),)),
    Row("few-processes", "nothing", "always", (UNUSABLE, STOPPED, STOPPED_BEFORE), more=PLAIN,
        system_limits=(("RLIMIT_NPROC", 3),), as_nobody=True),
    Row("strict-system-calls", "strict-system-calls", "call-60", FOUND_IN_TIME, more=QUICK,
        limit=HANGING, only_named=True),
]


def scribbles(pattern):
    """Writes over shared memory on candidates without BUG: then, and with a hang after it."""
    return [
        others(pattern, ends=ANY, more=QUICK, limit=HANGING),
        Row(f"{pattern}-and-spin", f"{pattern}-and-spin", "some", ANY, more=QUICK, limit=HANGING),
    ]


def names(who, **more):
    return Row(f"name-{who}", f"name-{who}", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING, **more)


SLOT = [
    *scribbles("header-of-zeroes"),
    *scribbles("header-of-ones"),
    *scribbles("header-of-anything"),
    *scribbles("header-one-more"),
    *scribbles("header-one-less"),
    *scribbles("header-in-parts"),
    *scribbles("ring-of-anything"),
    *scribbles("ring-of-passes"),
    *scribbles("ring-of-panics"),
    *scribbles("bell-of-anything"),
    *scribbles("bell-one-more"),
    Row("header-of-anything-before-the-bug", "header-of-anything", "failing", ANY, more=QUICK, limit=HANGING),
    Row("header-in-parts-always", "header-in-parts", "always", ANY, more=QUICK, limit=HANGING, is_small=True),
    names("the-bystander", is_small=True),
    names("nobody"),
    names("everybody"),
    names("zero"),
    names("init"),
    names("the-parent"),
    names("the-driver"),
    names("a-child"),
    others("unmap-the-slot", ends=FOUND_IN_TIME, more=PLAIN),
    Row("shorten-the-slot", "shorten-the-slot", "call-60", ANY, more=PLAIN),
    Row("leave-a-writer", "leave-a-writer", "others", ANY, more=QUICK, limit=HANGING),
]

FILES = [
    always("go-to-the-root"),
    always("lose-the-folder", more=PLAIN),
    always("mask-all"),
    always("change-the-root", ends=ANY, more=PLAIN),
    always("empty-the-temporary-folder", more=PLAIN, ends=FOUND_IN_TIME),
    Row("remove-the-input", "remove-the-input", "always", (RIGHT,), more=PLAIN, changes=("input",)),
    Row("write-over-the-input", "write-over-the-input", "always", (RIGHT,), more=PLAIN, changes=("input",)),
    Row("remove-the-result", "remove-the-result", "others", (RIGHT,), changes=("out",), more=PLAIN),
    Row("take-the-result-folder-away", "take-the-result-folder-away", "call-60",
        (End(6, contains=b"BUG", elsewhere=True), End(0, contains=b"BUG", elsewhere=True),
         End(3, contains=b"BUG", elsewhere=True)), changes=("out", "tmp"), more=PLAIN),
    others("replace-executable-by-its-copy", more=PLAIN, changes=("executable",)),
    Row("replace-executable-by-another", "replace-executable-by-another", "call-60", ANY,
        more=PLAIN, changes=("executable",)),
    Row("replace-executable-by-nothing", "replace-executable-by-nothing", "call-60", ANY,
        more=PLAIN, changes=("executable",)),
    Row("remove-executable", "remove-executable", "call-60", ANY, more=PLAIN, changes=("executable",)),
    others("write-over-own-code"),
]

STATE = [
    always("nothing", more=()),
    always("fail-half-of-the-time", ends=(*FOUND_IN_TIME, UNSTEADY, PASSES), more=PLAIN),
    always("fail-rarely", ends=(*FOUND_IN_TIME, UNSTEADY, PASSES), more=PLAIN),
    always("fail-on-the-first-call-only", is_small=True, more=PLAIN),
    always("fail-on-the-third-call-only", ends=(PASSES, UNSTEADY), more=PLAIN),
    always("fail-in-even-seconds", ends=ANY, more=PLAIN, limit=HANGING),
    always("fail-in-even-processes", ends=ANY, more=PLAIN, limit=HANGING),
    always("fail-until-a-file-says-otherwise", ends=ANY, more=PLAIN),
    always("forgive-after-a-pass", more=PLAIN),
    always("bear-a-grudge", ends=FOUND_IN_TIME, more=PLAIN),
    always("fail-outside-of-a-terminal-only", more=PLAIN),
    always("write-over-its-argument", more=PLAIN),
]


def command(name, when="others", ends=(RIGHT,), both=False, **more):
    """As a command that is forked where it first looks at its input, and as one that is started."""
    ways = ["command", "started"] if both else ["command"]
    is_small = more.pop("is_small", False)
    options = more.pop("more", PLAIN)
    return [Row(f"{way}-{name}", name, when, ends, way=way, more=options,
                is_small=is_small and way == "command", **more) for way in ways]


COMMANDS = [
    *command("nothing", both=True),
    *command("exit-255", both=True),
    *command("another-abort", both=True),
    *command("leave-a-daemon", "always", both=True),
    *command("leave-a-stubborn-daemon", "always", both=True),
    *command("fork-burst", "always", FOUND_IN_TIME, both=True, limit=HANGING),
    *command("run-away", "always", FOUND_IN_TIME, limit=HANGING),
    *command("sleep", "some", FOUND_IN_TIME, both=True, more=QUICK, limit=HANGING),
    *command("spin", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    *command("hang-in-a-child", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING, is_small=True),
    *command("stop", "some", FOUND_IN_TIME, both=True, more=QUICK, limit=HANGING),
    *command("ignore-all-signals", "always"),
    *command("close-all", both=True),
    *command("flood-stdout", "some"),
    *command("flood-stderr", "some"),
    *command("flood-and-spin", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    *command("grow", "some", FOUND_IN_TIME),
    *command("raise-any", ends=FOUND_IN_TIME),
    *command("leave-the-group", "always"),
    *command("hide", "always"),
    *command("kill-the-group", ends=(RIGHT, *ANY)),
    *command("stop-the-group", "some", FOUND_IN_TIME, more=QUICK, limit=HANGING),
    *command("write-over-the-candidate", "others", both=True),
    *command("empty-the-temporary-folder", "some", ANY, both=True),
    *command("write-to-all-descriptors", ends=ANY, limit=HANGING),
    *command("become-another-program", ends=(FOUND, STOPPED, PASSES, UNSTEADY, End(0, exactly=b""))),
    *command("replace-executable-by-its-copy", "always", ends=FOUND_IN_TIME, changes=("executable",), limit=HANGING),
    *command("fail-half-of-the-time", "always", (*FOUND_IN_TIME, UNSTEADY, PASSES)),
    *command("terminate-the-driver", "call-20", (End(143, contains=b"BUG"),)),
]

def in_time(program, does, when, ends=(DONE, OUT_OF_TIME), **more):
    return Row(f"{program}-{does}", does, when, ends, program=program, limit=HANGING, **more)


OTHER_PROGRAMS = [
    in_time("repair", "nothing", "always", (REPAIRED,)),
    # Nothing is known to be valid where everything hangs.
    in_time("repair", "spin", "others", (DONE, OUT_OF_TIME, PASSES)),
    in_time("repair", "sleep", "some", (DONE, OUT_OF_TIME, PASSES), more=SHORT),
    in_time("repair", "leave-a-daemon", "always", (REPAIRED,)),
    in_time("repair", "stop-the-parent-and-spin", "some", (DONE, OUT_OF_TIME, PASSES), more=SHORT),
    in_time("repair", "header-in-parts", "others", (*ANY, DONE, OUT_OF_TIME), more=SHORT),
    in_time("generalize", "nothing", "always"),
    in_time("generalize", "spin", "others"),
    in_time("generalize", "sleep", "some", more=SHORT),
    in_time("generalize", "leave-a-daemon", "always"),
    in_time("generalize", "stop-the-parent-and-spin", "some", more=SHORT),
    in_time("generalize", "header-in-parts", "others", (*ANY, DONE, OUT_OF_TIME), more=SHORT),
]

ROWS = [*ENDS, *DESCRIPTORS, *PROCESSES, *SIGNALS, *RESOURCES, *SLOT, *FILES, *STATE, *COMMANDS,
        *OTHER_PROGRAMS]
