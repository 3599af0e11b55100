"""Finds the paths that a file names: in `use` declarations, and where they begin with `crate`, `super`,
`self` or the name of one of our crates.

Other paths in expressions need a compiler to resolve. What they begin with was brought in by `use`,
or is a child of the same module.
"""

from typing import NamedTuple

from .tokens import after_group, is_sign

ROOTS = {"crate", "super", "self"}


class Path(NamedTuple):
    """A path as written, and where it is written."""

    segments: tuple
    # The inline modules around it, outermost first.
    inside: tuple
    line: int
    # The name that a `use` gives it; None outside of `use`, "*" for all of a module.
    name: str | None
    # Whether it is a `pub use` of any visibility.
    is_reexport: bool


def paths(code, crates):
    """The paths in a file's tokens, without comments; `crates` are the names of our own crates."""
    found = []
    inside = []
    depth = at = 0
    while at < len(code):
        text = code[at].text if code[at].kind in ("word", "sign") else ""
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
            if inside and inside[-1][1] == depth:
                inside.pop()
        elif text == "mod" and is_sign(code, at + 2, "{"):
            inside.append((code[at + 1].text, depth))
            at += 1
        names = tuple(name for name, _ in inside)
        if text == "pub" and is_sign(code, at + 1, "("):
            # `pub(in crate::a)` is no import.
            at = after_group(code, at + 1)
            if at < len(code) and code[at].text == "use":
                at = use(code, at, names, True, found)
        elif text == "pub" and at + 1 < len(code) and code[at + 1].text == "use":
            at = use(code, at + 1, names, True, found)
        elif text == "use" and not is_sign(code, at + 1, "<"):
            at = use(code, at, names, False, found)
        elif (text in ROOTS or text in crates) and is_sign(code, at + 1, "::") and not is_sign(code, at - 1, "::"):
            segments, end = plain_path(code, at)
            found.append(Path(segments, names, code[at].line, None, False))
            at = end
        else:
            at += 1
    return found


def plain_path(code, at):
    """The words that `::` joins, and where they end."""
    segments = [code[at].text]
    at += 1
    while is_sign(code, at, "::") and at + 1 < len(code) and code[at + 1].kind == "word":
        segments.append(code[at + 1].text)
        at += 2
    return tuple(segments), at


def use(code, at, inside, is_reexport, found):
    """Reads the declaration whose `use` is at `at`; returns where it ends."""
    line = code[at].line

    def tree(at, prefix):
        while at < len(code):
            token = code[at]
            if token.text == "{":
                at += 1
                while not is_sign(code, at, "}"):
                    at = tree(at, prefix)
                    at += is_sign(code, at, ",")
                return at + 1
            if token.text == "*":
                found.append(Path(tuple(prefix), inside, line, "*", is_reexport))
                return at + 1
            if token.text == "::":
                at += 1
                continue
            prefix = prefix if token.text == "self" and prefix else [*prefix, token.text]
            at += 1
            if is_sign(code, at, "::"):
                continue
            name = prefix[-1]
            if at < len(code) and code[at].text == "as":
                name = code[at + 1].text
                at += 2
            found.append(Path(tuple(prefix), inside, line, name, is_reexport))
            return at
        return at

    return tree(at + 1, []) + 1
