"""How far two texts are apart: in bytes, as `seedsmith repair` counts, and in places, as a person counts."""

# Bytes in common between two changes that are counted as one place, as in src/repair/located/second_look.rs.
MAX_COMMON_BYTES = 3


def same(left, right, x, y):
    """How many bytes are the same from two offsets on."""
    start, most, step = x, min(len(left) - x, len(right) - y), 64
    while x - start < most:
        if left[x : x + step] == right[y : y + step]:
            x, y, step = x + step, y + step, min(step * 2, 1 << 16)
        elif step == 1:
            break
        else:
            step = max(step // 4, 1)
    return min(x - start, most)


def distance(left, right, most=600):
    """Insertions, deletions and replacements of single bytes, and the number of places where they are.

    (None, None) if more than `most` are needed. Of each number of edits it is known how far along each diagonal
    they get (E. Ukkonen, 1985).
    """
    rows = []
    for edits in range(most + 1):
        row = {}
        before = rows[-1] if rows else {}
        for k in range(-edits, edits + 1):
            ways = [before[k] + 1] if k in before else []
            ways += [before[k - 1]] if k - 1 in before else []
            ways += [before[k + 1] + 1] if k + 1 in before else []
            if edits and not ways:
                continue
            x = max(ways) if edits else 0
            x = min(x, len(left), len(right) - k)
            if x < 0 or x + k < 0:
                continue
            row[k] = x + same(left, right, x, x + k)
        rows.append(row)
        if row.get(len(right) - len(left)) == len(left):
            return edits, places(rows, len(left), len(right))
    return None, None


def places(rows, n, m):
    """Groups of the edits that lead to the end, with more than a few bytes in common between two of them."""
    x, k, found, last = n, m - n, 0, None
    for edits in range(len(rows) - 1, 0, -1):
        before = rows[edits - 1]
        ways = [(before[k] + 1, k)] if k in before else []
        ways += [(before[k - 1], k - 1)] if k - 1 in before else []
        ways += [(before[k + 1] + 1, k + 1)] if k + 1 in before else []
        start, diagonal = max(way for way in ways if way[0] <= x)
        if last is None or last - start > MAX_COMMON_BYTES:
            found += 1
        x, k = before[diagonal], diagonal
        last = x
    return found
