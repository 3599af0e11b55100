"""Writes the tables of docs/src/comparison.md, between their markers, and the picture of the README, from the results."""

import csv
import math
import os
import platform
import re
import statistics

from comparison import picture
from comparison.peers import ABSENT, OURS, PEERS

# A time counts as better if it is less than this share of tmin's: less is noise on a machine that does other work.
BETTER_SHARE = 0.8


class Row:
    """A line of the results with its numbers as numbers. What a tool has left after another failure is no result."""

    def __init__(self, line):
        number = lambda name, kind: kind(line[name]) if line.get(name) else None
        self.input, self.tool, self.version, self.verdict = line["input"], line["tool"], line["version"], line["verdict"]
        self.before, self.load, self.date = number("bytes_before", int), number("load", float), line["date"]
        self.bytes = number("bytes", int) if self.verdict == "same" else None
        if self.bytes is not None and self.bytes >= self.before:
            # cvise formats a file before it deletes anything.
            self.bytes, self.verdict = None, "nothing"
        self.seconds, self.cpu = number("seconds", float), number("cpu_seconds", float)
        self.starts, self.tests = number("starts", int), number("tests", int)
        self.is_capped, self.is_missing = line["capped"] == "yes", self.verdict.startswith("missing")


def read(path):
    with path.open(newline="") as file:
        return [Row(line) for line in csv.DictReader(file)]


def write(results, docs, names, limits):
    """Writes page and picture. `names` is the order of the inputs; `limits` are those of a run."""
    rows = [row for row in read(results) if row.input in names]
    rows.sort(key=lambda row: (names.index(row.input), list(PEERS).index(row.tool)))
    parts = {
        "run": about_run(rows, limits), "summary": summary(rows), "sizes": sizes(rows), "seconds": seconds(rows), "tests": tests(rows),
        "better": better(rows), "versions": versions(rows),
    }
    path = docs / "src/comparison.md"
    text = path.read_text()
    for name, part in parts.items():
        pattern = re.compile(rf"(<!-- compare: {name} -->\n).*?(<!-- end -->)", re.S)
        if not pattern.search(text):
            raise SystemExit(f"compare: {path} has no marker {name}")
        text = pattern.sub(lambda found: f"{found[1]}{part}\n{found[2]}", text)
    path.write_text(text)
    (docs / "comparison/picture.svg").write_text(picture.draw(rows))


def table(head, lines):
    """A table in Markdown: the first column to the left, the others to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in [head, rule, *lines])


def used(rows):
    """The tools that ran at all, in their order."""
    return [tool for tool in PEERS if any(row.tool == tool and not row.is_missing for row in rows)]


def by_input(rows):
    found = {}
    for row in rows:
        if not row.is_missing:
            found.setdefault(row.input, {})[row.tool] = row
    return found


def grid(rows, cell):
    """A table of inputs by tools; `cell` makes a field of a row and the rows of its input."""
    tools = used(rows)
    lines = []
    for name, found in by_input(rows).items():
        before = next(iter(found.values())).before
        fields = [cell(found[tool], found) if tool in found else "" for tool in tools]
        lines.append([f"`{name}`", f"{before:,}", *fields])
    return table(["input", "bytes", *(f"`{tool}`" for tool in tools)], lines)


def sizes(rows):
    def cell(row, found):
        least = min((other.bytes for other in found.values() if other.bytes is not None), default=None)
        if row.bytes is None:
            return ("nothing" if row.verdict == "nothing" else row.verdict) + ("*" if row.is_capped else "")
        return (f"**{row.bytes:,}**" if row.bytes == least else f"{row.bytes:,}") + ("*" if row.is_capped else "")

    return grid(rows, cell)


def seconds(rows):
    return grid(rows, lambda row, found: f"{short(row.seconds)} ({short(row.cpu)})" + ("*" if row.is_capped else ""))


def short(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def tests(rows):
    def cell(row, found):
        if row.tests is None:
            return f"{row.starts:,}"
        return f"{row.tests:,}" if row.starts == 0 else f"{row.tests:,} ({row.starts:,})"

    return grid(rows, cell)


def mean(ratios):
    return f"{math.exp(statistics.fmean(map(math.log, ratios))):.2f}" if ratios else ""


def summary(rows):
    """For each tool: how often it has the result, the smallest one, and its size and times as a share of tmin's."""
    lines = []
    inputs = by_input(rows)
    for tool in used(rows):
        own = [(found[tool], found) for found in inputs.values() if tool in found]
        ended = [(row, found) for row, found in own if row.bytes is not None]
        least = [row for row, found in ended if row.bytes <= min(other.bytes for other in found.values() if other.bytes is not None)]
        pairs = [(row, found["tmin"]) for row, found in ended if "tmin" in found and found["tmin"].bytes is not None]
        lines.append([
            f"`{tool}`", len(own), len(ended), len(least), sum(row.is_capped for row, _ in own),
            mean([max(row.bytes, 1) / max(ours.bytes, 1) for row, ours in pairs]),
            mean([max(row.seconds, 0.01) / max(ours.seconds, 0.01) for row, ours in pairs]),
            mean([max(row.cpu, 0.01) / max(ours.cpu, 0.01) for row, ours in pairs]),
        ])
    head = ["tool", "inputs", "same failure", "smallest", "ended at a limit", "size", "seconds", "processor"]
    return table(head, lines)


def better(rows):
    """A list of the inputs on which other tools are better than tmin, with the figures."""
    lines = []
    for name, found in by_input(rows).items():
        ours = found.get("tmin")
        others = [row for tool, row in found.items() if tool not in OURS and row.bytes is not None]
        if ours is None or not others:
            continue
        if ours.bytes is None:
            lines.append(f"- `{name}`: `tmin` has no result; {listed((row, row.bytes) for row in others)} bytes")
            continue
        smaller = [(row, row.bytes) for row in others if row.bytes < ours.bytes]
        if smaller:
            lines.append(f"- `{name}`, bytes: `tmin` {ours.bytes:,}; {listed(smaller)}")
        equal = [row for row in others if row.bytes == ours.bytes]
        for what, figure, share in FIGURES:
            own = figure(ours)
            fewer = [(row, figure(row)) for row in equal if own is not None and (figure(row) or own) < share * own]
            if fewer:
                lines.append(f"- `{name}`, {what}: `tmin` {own:,}; {listed(fewer)}")
    return "\n".join(lines) or "In this run there is none."


def listed(pairs):
    return ", ".join(f"`{row.tool}` {value:,}" for row, value in sorted(pairs, key=lambda pair: pair[1]))


# What another tool may be better in, where the results are equally small: the name, the figure, and the share of tmin's below which it counts.
FIGURES = [
    ("seconds", lambda row: row.seconds, BETTER_SHARE),
    ("seconds of processor time", lambda row: row.cpu, BETTER_SHARE),
    ("tests", lambda row: row.starts if row.tests is None else row.tests, 1),
    # A fuzz target is run in process, where no check is started.
    ("starts of the check", lambda row: row.starts or None, 1),
]


def versions(rows):
    lines = []
    for tool in used(rows):
        found = sorted({row.version for row in rows if row.tool == tool and row.version})
        lines.append(f"- `{tool}`: {', '.join(found)}")
    for tool in PEERS:
        for reason in sorted({row.verdict.removeprefix("missing: ") for row in rows if row.tool == tool and row.is_missing}):
            lines.append(f"- `{tool}` could not be installed: {reason}")
    lines += [f"- {name} was not run: it {reason}" for name, reason in ABSENT.items()]
    return "\n".join(lines)


def about_run(rows, limits):
    done = [row for row in rows if not row.is_missing]
    if not done:
        return "There are no results yet."
    dates = sorted({row.date for row in done})
    loads = [row.load for row in done]
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return (
        f"{len(by_input(rows))} inputs, {len(used(rows))} tools, {len(done)} pairs; {when}; {os.cpu_count()} cores ({platform.machine()}); "
        f"load of the machine {min(loads):.1f} to {max(loads):.1f}, median {statistics.median(loads):.1f}; "
        f"limits for a run: {limits['cpu']:.0f} s of processor time, {limits['seconds']:.0f} s of wall time, {limits['tests']:,} tests."
    )


