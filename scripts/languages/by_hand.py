"""Small texts damaged by hand, each with the edit that its author would make.

The list was written on 2026-11-24 before any of it was repaired, and is for measuring, not for tuning.
"""

# Valid texts, two for some formats.
TEXTS = {
    "xml": """<?xml version="1.0"?>
<catalog>
  <book id="b1" lang="en">
    <title>Rivers &amp; Lakes</title>
    <price>12.50</price>
  </book>
  <book id="b2" lang="de">
    <title>Der Wald</title>
    <price>9.00</price>
  </book>
</catalog>
""",
    "html": """<!DOCTYPE html>
<html>
<head><title>Notes</title></head>
<body>
<div id="main">
<p>First <b>bold</b> words.</p>
<ul>
<li>one</li>
<li>two</li>
</ul>
</div>
</body>
</html>
""",
    "yaml": """name: build
on:
  push:
    branches: [main, "release/*"]
env:
  LEVEL: "3"
jobs:
  test:
    runs-on: ubuntu
    steps:
      - name: checkout
        uses: actions/checkout
      - name: run it
        run: |
          make all
          make test
""",
    "toml": """title = "Inventory"
enabled = true
limits = [10, 20, 30]

[owner]
name = "Ada"
born = 1815-12-10

[[items]]
code = "A-1"
size = { width = 3, height = 4 }

[[items]]
code = "B-2"
size = { width = 5, height = 6 }
""",
    "sql": """CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    town TEXT
);
CREATE TABLE visit (person_id INTEGER, day TEXT, cost REAL);
INSERT INTO person (id, name, town) VALUES (1, 'Ann', 'Ulm');
INSERT INTO person (id, name, town) VALUES (2, 'Ben', NULL);
INSERT INTO visit VALUES (1, '2020-01-02', 3.5);
SELECT name, sum(cost) FROM person JOIN visit ON id = person_id GROUP BY name ORDER BY name;
UPDATE person SET town = 'Bonn' WHERE town IS NULL;
""",
    "python": """import os


def total(items, start=0):
    result = start
    for name, price in items:
        if price > 10 and name != "free":
            result += price * 2
        else:
            result += price
    return result


class Basket:
    def __init__(self, items):
        self.items = list(items)

    def show(self):
        print("total: {}".format(total(self.items)), os.getcwd())


Basket([("tea", 3), ("pot", 12)]).show()
""",
    "c": """struct point {
    int x;
    int y;
};

static int area(const struct point *a, const struct point *b)
{
    int width = b->x - a->x;
    int height = b->y - a->y;
    if (width < 0 || height < 0) {
        return 0;
    }
    return width * height;
}

int main(void)
{
    struct point a = {1, 2}, b = {4, 6};
    const char *text = "area";
    for (int i = 0; i < 3; i++) {
        a.x += area(&a, &b) + (int)text[i];
    }
    return a.x;
}
""",
    "json": """{
  "name": "station",
  "open": true,
  "tracks": [1, 2, 5],
  "lines": [
    {"id": "S1", "minutes": 20},
    {"id": "S7", "minutes": 40}
  ],
  "operator": {"name": "DB", "since": 1994}
}
""",
    "ini": """[server]
host = example.org
port = 8080

[paths]
data = /srv/data
logs = /var/log
""",
    "shell": """#!/bin/bash
set -e
count=0
for file in "$@"; do
    if [ -f "$file" ]; then
        count=$((count + 1))
        echo "file: $file"
    else
        case "$file" in
        *.tmp) echo skipped ;;
        *) echo "no file" ;;
        esac
    fi
done
greet() {
    echo "$(date) $1"
}
greet "$count files"
""",
    "javascript": """const limits = { low: 1, high: 9 };

function clamp(value, { low, high } = limits) {
  if (value < low) {
    return low;
  }
  return value > high ? high : value;
}

const names = ["ann", "ben", `c${limits.low}`];
for (const [index, name] of names.entries()) {
  console.log(`${index}: ${name}`, clamp(index * 5));
}
""",
    "perl": """use strict;
use warnings;

my %count = (apple => 3, pear => 5);
my @names = sort keys %count;

sub describe {
    my ($name, $number) = @_;
    return "$name: $number";
}

foreach my $name (@names) {
    if ($count{$name} > 3) {
        print describe($name, $count{$name}), "\\n";
    }
}
""",
    "po": """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#: main.c:10
msgid "Open file"
msgstr "Datei öffnen"

#: main.c:20
msgid "Save"
msgstr "Sichern"
""",
}

# The format, what the author wrote, what the damaged text has in its place, and other edits as good.
DAMAGES = [
    ("xml", "</title>\n    <price>12", "<title>\n    <price>12", []),
    ("xml", '<book id="b2" lang="de">', '<book id="b2 lang="de">', []),
    ("xml", "&amp;", "&", []),
    ("xml", "<price>9.00</price>", "<price>9.00</prise>", ["<prise>9.00</prise>"]),
    ("xml", "  </book>\n</catalog>", "</catalog>", ["</book>\n</catalog>", "\n  </book></catalog>"]),
    ("html", "<title>Notes", "<titel>Notes", []),
    ("html", '<div id="main">', '<dvi id="main">', []),
    ("html", "<ul>", "<ull>", []),
    ("yaml", 'branches: [main, "release/*"]', 'branches: [main, "release/*"', []),
    ("yaml", "    runs-on: ubuntu", "   runs-on: ubuntu", []),
    ("yaml", 'LEVEL: "3"', 'LEVEL: "3', []),
    ("yaml", "      - name: run it", "     - name: run it", []),
    ("yaml", "on:\n  push:", "on\n  push:", []),
    ("toml", "limits = [10, 20, 30]", "limits = [10, 20 30]", []),
    ("toml", "[owner]", "[owner", []),
    ("toml", 'code = "A-1"', "code = A-1\"", []),
    ("toml", "size = { width = 5, height = 6 }", "size = { width = 5, height 6 }", []),
    ("toml", "enabled = true", "enabled = True", []),
    ("sql", "PRIMARY KEY,", "PRIMARY KEY", []),
    ("sql", "VALUES (2, 'Ben', NULL)", "VALUES (2, 'Ben, NULL)", []),
    ("sql", "GROUP BY", "GRUOP BY", []),
    ("sql", "INSERT INTO visit", "INSERT INT visit", []),
    ("sql", "(id, name, town) VALUES (1", "(id, nmae, town) VALUES (1", []),
    ("python", "def total(items, start=0):", "def total(items, start=0)", []),
    ("python", '"total: {}".format(total(self.items))', '"total: {}".format(total(self.items)', []),
    ("python", "        else:\n            result += price", "       else:\n            result += price", []),
    ("python", 'name != "free":', 'name != "free:', []),
    ("python", "for name, price in items:", "for name, price on items:", []),
    ("python", "import os", "imoprt os", []),
    ("c", "int height = b->y - a->y;", "int height = b->y - a->y", []),
    ("c", "        return 0;\n    }", "        return 0;\n", ["        return 0;}\n", "        return 0;\n    }\n"]),
    ("c", '"area";', '"area;', []),
    ("c", "const struct point *b)", "const struct piont *b)", []),
    ("c", "for (int i = 0; i < 3; i++) {", "for (int i = 0; i < 3; i++ {", []),
    ("json", '"open": true,', '"open": true', []),
    ("json", '"tracks": [1, 2, 5],', '"tracks": [1, 2, 5,', []),
    ("json", '{"id": "S1", "minutes": 20}', '{"id": S1", "minutes": 20}', []),
    ("json", '"since": 1994}\n}', '"since": 1994\n}', ['"since": 1994\n}}']),
    ("ini", "[paths]", "[paths", []),
    ("ini", "port = 8080", "port 8080", ["port: 8080", "port= 8080", "port =8080"]),
    ("shell", "    fi\ndone", "done", ["fi\ndone", "    fi\n    done"]),
    ("shell", 'echo "file: $file"', 'echo "file: $file', []),
    ("shell", "esac", "easc", []),
    ("shell", '"$@"; do', '"$@"; od', []),
    ("javascript", "{ low: 1, high: 9 };", "{ low: 1, high: 9 ;", []),
    ("javascript", "function clamp", "fucntion clamp", []),
    ("javascript", '["ann", "ben",', '["ann", "ben,', []),
    ("javascript", "? high : value;", "? high value;", []),
    ("perl", "sub describe {", "sub describe", []),
    ("perl", 'my @names = sort keys %count;', 'my @names = sort keys %count', []),
    ("perl", "if ($count{$name} > 3) {", "if ($count{$name > 3) {", []),
    ("po", 'msgid "Save"', 'msgid "Save', []),
    ("po", 'msgstr "Datei öffnen"', 'msgtsr "Datei öffnen"', []),
]

# Validators of the formats that `scripts/repair-languages` has no files of.
VALIDATORS = {
    "ini": ["{python}", "-c", "import configparser, sys; configparser.ConfigParser().read_string(open(sys.argv[1]).read())", "{}"],
    "json": ["{python}", "-c", "import json, sys; json.load(open(sys.argv[1]))", "{}"],
    "shell": ["bash", "-n", "{}"],
    "javascript": ["node", "--check", "{}"],
    "perl": ["perl", "-c", "{}"],
    "po": ["msgfmt", "-o", "/dev/null", "{}"],
}
ENDINGS = {"javascript": "js", "shell": "sh", "perl": "pl", "python": "py"}


def cases():
    """The format, the damaged text, and the texts that its author would make of it."""
    for name, old, new, others in DAMAGES:
        text = TEXTS[name]
        if text.count(old) != 1:
            raise SystemExit(f"by_hand: {old!r} is {text.count(old)} times in its text")
        wanted = [text] + [text.replace(old, other) for other in others]
        yield name, text.replace(old, new).encode(), [one.encode() for one in wanted]
