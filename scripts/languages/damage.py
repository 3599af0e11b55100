"""Random edits of a text: a byte or a token is deleted, inserted, replaced, or swapped with the next."""

import re

TOKEN = re.compile(rb"\w+|[^\w\s]")


def damaged(text, rng, edits):
    """`text` with so many edits, none of which touches another."""
    for at in sorted(rng.sample(range(len(text)), edits), reverse=True):
        text = damaged_at(text, at, rng)
    return text


def damaged_at(text, at, rng):
    """One edit at or after an offset."""
    kind = rng.choice(["delete", "insert", "replace", "swap"])
    if rng.random() < 0.5:
        start, end = at, at + 1
        after = (end, end + 1)
        other = bytes([rng.randrange(32, 127)])
    else:
        found = TOKEN.search(text, at)
        if not found:
            return text
        start, end = found.span()
        behind = TOKEN.search(text, end)
        after = behind.span() if behind else (end, end)
        others = TOKEN.findall(text)
        other = rng.choice(others)
    own = text[start:end]
    if kind == "delete":
        return text[:start] + text[end:]
    if kind == "insert":
        return text[:start] + other + text[start:]
    if kind == "replace":
        return text[:start] + other + text[end:]
    between, next_one = text[end : after[0]], text[after[0] : after[1]]
    return text[:start] + next_one + between + own + text[after[1] :]
