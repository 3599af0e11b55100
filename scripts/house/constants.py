"""Constants with a number as their value, and whether their documentation says why it is that number."""

import re

from .tokens import code_of, without_tests

# Types of constants that somebody chose a number for; arrays, tuples and ranges of them too.
NUMBER = re.compile(r"^(?:[ui](?:8|16|32|64|128|size)|f32|f64|Duration)$")
# What a reason has: a word that gives one, a date, a note, a guess that is called one, or a figure with a unit.
REASON = re.compile(
    r"\b(?:because|so that|since|otherwise|would|measured|estimated|tuned|guess)\b"
    r"|\b20\d\d-\d\d-\d\d\b"
    r"|docs/notes/"
    r"|\d ?(?:%|µs|ms|s\b|[KM]i?B\b|bytes\b|bits\b|tests\b|runs\b|executions\b|edits\b|pairs\b|edges\b|features\b)",
    re.IGNORECASE,
)
# That nothing was measured is worth saying, and is no reason.
NO_MEASUREMENT = re.compile(r"\bnot measured\b|\bno table was kept\b", re.IGNORECASE)


def constants(module):
    """Name, line and documentation of each constant of a module that is a number, those of tests left out."""
    kept = {(token.line, token.text) for token in without_tests(code_of(module.tokens))}
    found = []
    remarks = []
    for at, token in enumerate(module.tokens):
        if token.kind in ("doc", "comment"):
            # Only what is directly above belongs to the item.
            if remarks and remarks[-1].line + 1 != token.line:
                remarks = []
            remarks.append(token)
            continue
        named = module.tokens[at + 1] if at + 1 < len(module.tokens) else None
        # `<const N: usize>` is a parameter and has no value.
        is_parameter = at > 0 and module.tokens[at - 1].text in ("<", ",")
        is_constant = token.text == "const" and named is not None and named.text.isupper() and not is_parameter
        if is_constant:
            kind = type_of(module.tokens, at + 2)
            if is_number(kind) and (token.line, token.text) in kept:
                text = " ".join(remark.text for remark in remarks if remark.line < token.line)
                found.append((named.text, token.line, text))
        if token.text in (";", "{", "}"):
            remarks = []
    return found


def is_number(kind):
    """Whether a type is of numbers; a reference is mostly to text, in bytes."""
    return "&" not in kind and any(NUMBER.match(word) for word in kind)


def type_of(found, at):
    """The tokens of a type, from the colon at `at` to the value."""
    words = []
    for token in found[at:]:
        if token.text == "=" or token.text == ";" and words and words[-1] == "]":
            break
        words.append(token.text)
    return words


def has_reason(text):
    """Whether a remark says why a constant has its value."""
    return bool(REASON.search(NO_MEASUREMENT.sub("", text)))


def by_folder(house, folders):
    """For each of these folders (below the `src` of the root crate) all constants, and those without a reason.

    A constant without a reason comes as a line of text that begins with its path.
    """
    sums = {}
    for folder in folders:
        root = house.root / "src" / folder
        total, without = 0, []
        for module in house.product():
            is_inside = module.path.is_relative_to(root) or module.path == root.with_suffix(".rs")
            for name, line, text in constants(module) if is_inside else []:
                total += 1
                if not has_reason(text):
                    without.append(f"{module.path.relative_to(house.root)}:{line}: {name} has no reason")
        sums[folder] = (total, without)
    return sums
