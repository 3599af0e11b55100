"""Texts made by generators: SQL scripts that sqlite3 runs, and JSON as people write it by hand."""

import json

WORDS = """account amount author body category city code comment country created currency customer date
description email event first height image invoice item label language last level message name note number
order owner page parent person phone place position price product quantity rating region row score shop size
source state status street tag title token total type user value version visit weight year zip""".split()
TYPES = ["INTEGER", "TEXT", "REAL", "VARCHAR(40)", "INTEGER NOT NULL", "TEXT DEFAULT ''", "BLOB"]


def value(rng):
    kind = rng.randrange(4)
    if kind == 0:
        return str(rng.randrange(10000))
    if kind == 1:
        return f"{rng.random() * 100:.2f}"
    if kind == 2:
        return "NULL"
    return "'" + " ".join(rng.sample(WORDS, rng.randrange(1, 4))) + "'"


def sql_text(rng):
    """A script that sqlite3 runs from an empty database."""
    lines = ["-- Generated schema and data", "PRAGMA foreign_keys = OFF;", "BEGIN TRANSACTION;"]
    tables = {}
    for table in rng.sample(WORDS, rng.randrange(2, 7)):
        table += "s"
        columns = rng.sample(WORDS, rng.randrange(2, 8))
        tables[table] = columns
        lines.append(f"CREATE TABLE {table} (")
        lines.append("    id INTEGER PRIMARY KEY,")
        lines += [f"    {column}_ {rng.choice(TYPES)}," for column in columns[:-1]]
        lines += [f"    {columns[-1]}_ {rng.choice(TYPES)}", ");"]
        if rng.random() < 0.5:
            lines.append(f"CREATE INDEX {table}_by_{columns[0]} ON {table} ({columns[0]}_);")
    for table, columns in tables.items():
        names = ", ".join(f"{column}_" for column in columns)
        for _ in range(rng.randrange(3, 40)):
            values = ", ".join(value(rng) if rng.random() < 0.9 else "'x'" for _ in columns)
            lines.append(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({values});")
        first, last = columns[0], columns[-1]
        lines.append(f"UPDATE {table} SET {first}_ = {value(rng)} WHERE {last}_ = {value(rng)} AND id > 3;")
        lines.append(f"SELECT {first}_, count(*) AS n\n  FROM {table}\n  WHERE {last}_ IS NOT NULL")
        lines.append(f"  GROUP BY {first}_\n  ORDER BY n DESC\n  LIMIT {rng.randrange(1, 90)};")
        lines.append(f"CREATE VIEW {table}_view AS SELECT a.id, b.{first}_ FROM {table} a JOIN {table} b ON a.id = b.id;")
    return "\n".join(lines + ["COMMIT;", ""])


def sql_texts(rng, count):
    for index in range(count):
        text = sql_text(rng).encode()
        # Constraints may reject a generated row, so what was made is run first by the caller.
        yield f"generated-{index}", text.replace(b"INTEGER NOT NULL", b"INTEGER")


def data(rng, depth):
    kind = rng.randrange(7)
    if depth and kind < 3:
        return {word: data(rng, depth - 1) for word in rng.sample(WORDS, rng.randrange(1, 6))}
    if depth and kind == 3:
        return [data(rng, depth - 1) for _ in range(rng.randrange(1, 5))]
    return rng.choice([rng.randrange(1000), round(rng.random() * 10, 3), True, False, None, "it's", *WORDS[:9], "a, b: {c} // d"])


def loose(one, rng, style, indent=0):
    """A value as JSON5 or as a Python literal has it."""
    pad, inner = "  " * indent, "  " * (indent + 1)

    def text(word):
        if "'" in word or style["quote"] == '"':
            return json.dumps(word)
        return "'" + word + "'"

    if isinstance(one, dict):
        rows = []
        for key, item in one.items():
            name = key if style["bare"] else text(key)
            note = "  // note: it's here" if style["comments"] and rng.random() < 0.3 else ""
            rows.append((f"{inner}{name}: {loose(item, rng, style, indent + 1)}", note))
        last = "," if style["trailing"] else ""
        body = "\n".join(f"{row}{',' if at + 1 < len(rows) else last}{note}" for at, (row, note) in enumerate(rows))
        return f"{{\n{body}\n{pad}}}"
    if isinstance(one, list):
        return "[" + ", ".join(loose(item, rng, style, indent + 1) for item in one) + (", ]" if style["trailing"] else "]")
    if isinstance(one, str):
        return text(one)
    return repr(one) if style["python"] else json.dumps(one)


def json5_texts(rng, count):
    """Pairs: JSON, and the same data as people write it."""
    for _ in range(count):
        document = {word: data(rng, 3) for word in rng.sample(WORDS, 5)}
        python = rng.random() < 0.4
        style = {
            "python": python,
            "quote": "'" if python or rng.random() < 0.5 else '"',
            "bare": not python and rng.random() < 0.6,
            "trailing": rng.random() < 0.6,
            "comments": not python and rng.random() < 0.5,
        }
        yield json.dumps(document).encode(), (loose(document, rng, style) + "\n").encode()
