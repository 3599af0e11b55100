"""Splits Rust source into tokens, and drops the items that only tests compile.

A regular expression over the plain text cannot do this: braces and `//` also occur in strings, in
character literals and in nested comments. This is not a parser. It knows tokens, brackets and the
ends of items, and needs nothing else.
"""

import re
from typing import NamedTuple


class Token(NamedTuple):
    """One token: its kind (word, text, lifetime, number, sign, doc or comment), itself, its first line."""

    kind: str
    text: str
    line: int


PATTERN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<doc>//!(?:[^\n]*)|///(?!/)[^\n]*)
    | (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>(?:br|cr|r)(?P<hashes>\#*)".*?"(?P=hashes))
    | (?P<string>[bc]?"(?:[^"\\]|\\.)*")
    | (?P<character>b?'(?:[^'\\\n]|\\(?:[^ux]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]*\}))')
    | (?P<lifetime>'[A-Za-z_]\w*)
    | (?P<word>(?:r\#)?[^\W\d]\w*)
    | (?P<number>\d\w*)
    | (?P<sign>::|.)
    """,
    re.VERBOSE | re.DOTALL,
)
KINDS = {"raw": "text", "string": "text", "character": "text", "block": "comment"}
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = set(OPENING.values())
# Words that may come before the keyword of an item.
MODIFIERS = {"unsafe", "async", "default", "extern"}
# Items that end with a semicolon even where braces occur in them.
STATEMENTS = {"use", "static", "type", "let", "const", "crate"}
ITEMS = {"fn", "mod", "impl", "struct", "enum", "union", "trait", "macro_rules"}


def tokens(source):
    """All tokens of a file but for white space; comments and documentation are among them."""
    found = []
    at, line = 0, 1
    while at < len(source):
        match = PATTERN.match(source, at)
        kind, end = match.lastgroup, match.end()
        if kind == "hashes":
            kind = "raw"
        if kind == "block":
            end = end_of_block_comment(source, at)
        text = source[at:end]
        if kind != "space":
            found.append(Token(KINDS.get(kind, kind), text, line))
        line += text.count("\n")
        at = end
    return found


def end_of_block_comment(source, start):
    """Block comments nest in Rust."""
    depth, at = 0, start
    for match in re.finditer(r"/\*|\*/", source[start:]):
        depth += 1 if match.group() == "/*" else -1
        at = start + match.end()
        if depth == 0:
            return at
    return len(source)


def code_of(found):
    """Without comments and documentation."""
    return [token for token in found if token.kind not in ("doc", "comment")]


def without_tests(code):
    """The code without the items that are compiled for tests only."""
    kept = []
    at = 0
    while at < len(code):
        if not is_sign(code, at, "#"):
            kept.append(code[at])
            at += 1
            continue
        is_inner = is_sign(code, at + 1, "!")
        opening = at + (2 if is_inner else 1)
        if not is_sign(code, opening, "["):
            kept.append(code[at])
            at += 1
            continue
        end = after_group(code, opening)
        if not is_for_tests(code[opening + 1 : end - 1]):
            kept.extend(code[at:end])
        elif is_inner:
            return []
        else:
            end = after_item(code, end)
        at = end
    return kept


def is_for_tests(attribute):
    """Whether an attribute (its tokens between the brackets) leaves its item out of the program."""
    words = [token.text for token in attribute]
    return words == ["test"] or (words[:2] == ["cfg", "("] and holds(words, 2)[0] is False)


def holds(words, at):
    """What a `cfg` predicate is in the program: true, false, or None if that depends on more than `test`.

    Also returns where the predicate ends.
    """
    name, at = words[at], at + 1
    if at < len(words) and words[at] == "(":
        values, at = [], at + 1
        while words[at] != ")":
            value, at = holds(words, at)
            values.append(value)
            at += words[at] == ","
        at += 1
        if name == "not":
            return (None if values[0] is None else not values[0]), at
        decisive = name == "any"
        if decisive in values:
            return decisive, at
        return (None if None in values else not decisive), at
    if at < len(words) and words[at] == "=":
        return None, at + 2
    return (False if name == "test" else None), at


def is_sign(code, at, sign):
    return at < len(code) and code[at].kind == "sign" and code[at].text == sign


def after_group(code, opening):
    """The index behind the bracket that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(code)):
        if code[at].kind == "sign":
            depth += (code[at].text in OPENING) - (code[at].text in CLOSING)
        if depth == 0:
            return at + 1
    return len(code)


def after_item(code, at):
    """The index behind the item, field, match arm or statement that begins at `at`."""
    while is_sign(code, at, "#") and is_sign(code, at + 1, "["):
        at = after_group(code, at + 1)
    if at < len(code) and code[at].text == "pub":
        at += 1
        if is_sign(code, at, "("):
            at = after_group(code, at)
    while at < len(code) and (code[at].text in MODIFIERS or is_const_fn(code, at) or code[at].kind == "text"):
        at += 1
    word = code[at].text if at < len(code) else ""
    # `extern "C" { … }`: the brace itself begins what is left.
    ends_with_braces = word in ITEMS or word == "{"
    while at < len(code):
        text = code[at].text if code[at].kind == "sign" else ""
        if text in OPENING:
            at = after_group(code, at)
            goes_on = any(is_sign(code, at, sign) for sign in "=.?")
            if text == "{" and word not in STATEMENTS and (ends_with_braces or not goes_on):
                return at
            continue
        if text in CLOSING:
            return at
        at += 1
        if text == ";" or (text == "," and not ends_with_braces and word not in STATEMENTS):
            return at
    return at


def is_const_fn(code, at):
    following = code[at + 1].text if at + 1 < len(code) else ""
    return code[at].text == "const" and following in ("fn", "unsafe", "async", "extern")
