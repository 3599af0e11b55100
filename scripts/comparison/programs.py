"""Inputs of plain programs: generated files, and for each a program that fails on it.

A check ends with status 0 if the planted failure shows, with 3 if another failure does, and with 1 if none does. The files for Lua
and DOT, and their checks, are those of scripts/picireny.
"""

import importlib.machinery
import importlib.util
import random
import struct
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
GRAMMARS = SCRIPTS.parent / "crates/seedsmith-grammar/grammars"

# A program in Python. The failure is one exception in one function; what the parser refuses is no failure.
PYTHON = """#!{python} -IS
import sys
{imports}
{body}
try:
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        program(file.read())
except Refused:
    sys.exit(1)
except Exception as error:
    last = error.__traceback__
    while last.tb_next:
        last = last.tb_next
    sys.exit(0 if (type(error).__name__, last.tb_frame.f_code.co_name) == {failure} else 3)
sys.exit(1)
"""

JSON = """
Refused = (ValueError, RecursionError)
def total(ids):
    return ids[0] + ids[-1] if len(ids) > 1 else 0
def label(item):
    return item["name"].upper()
def walk(value):
    if isinstance(value, dict):
        if "parts" in value:
            label(value)
        if isinstance(value.get("ids"), list):
            total(value["ids"])
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        walk(item)
def program(text):
    walk(json.loads(text))
"""
XML = """
Refused = (xml.etree.ElementTree.ParseError, ValueError)
def resolve(root, name):
    return {item.get("id"): item for item in root.iter("item")}[name]
def number(element):
    return [int(element.get("n"))][0]
def program(text):
    root = xml.etree.ElementTree.fromstring(text)
    for group in root.iter("group"):
        for element in group:
            if element.tag == "use":
                resolve(root, element.get("to"))
            if element.tag == "count":
                number(element).bit_length().missing
"""
SOURCE = """
Refused = (SyntaxError, ValueError, RecursionError, MemoryError)
def check_lambda(node):
    return [argument.arg for argument in node.args.args][len(node.args.defaults) - 1]
def check_import(node):
    return node.module.split(".")
class Linter(ast.NodeVisitor):
    depth = 0
    def visit_ClassDef(self, node):
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
    def visit_Lambda(self, node):
        if self.depth and node.args.kwonlyargs and not node.args.args:
            check_lambda(node)
        self.generic_visit(node)
    def visit_ImportFrom(self, node):
        check_import(node)
def program(text):
    Linter().visit(ast.parse(text))
"""
PERL = r"""#!/usr/bin/perl
use strict;
use warnings;
my (%settings, $section);
open(my $file, '<', $ARGV[0]) or exit 1;
eval {
    while (my $line = <$file>) {
        if ($line =~ /^\[(\w+)\]\s*$/) { $section = $1; $settings{$section} ||= {}; }
        elsif ($line =~ /^(\w+)\s*=\s*(.*?)\s*$/) { exit 1 unless defined $section; $settings{$section}{$1} = $2; }
        elsif ($line !~ /^\s*(;.*)?$/) { exit 1; }
    }
    for my $name (sort keys %settings) {
        my $each = $settings{$name};
        die "unknown unit" if ($each->{unit} // '') =~ /^\?/;
        next unless exists $each->{window} && exists $each->{rate} && $each->{rate} =~ /^\d+$/ && $each->{window} =~ /^\d+$/;
        my $share = $each->{window} / $each->{rate};
    }
};
exit(!$@ ? 1 : $@ =~ /^Illegal division by zero/ ? 0 : 3);
"""
GCC = """#!/bin/sh
output=$(gcc -x c -std=c99 -fsyntax-only -Werror=implicit-function-declaration -Werror=implicit-int -Wall "$1" 2>&1) || exit 1
case $output in *": warning: division by zero"*) exit 0 ;; *": warning:"*) exit 3 ;; esac
exit 1
"""
CHUNKS = r"""
#include <stdio.h>
#include <string.h>
static unsigned char text[1 << 20];
static unsigned long number(const unsigned char *at) { return at[0] | at[1] << 8 | at[2] << 16 | (unsigned long)at[3] << 24; }
/* A signature, then chunks: type, length of the data, data, sum of the data's bytes. The first is HEAD: the number of frames. */
int main(int count, char **names) {
    FILE *file = count > 1 ? fopen(names[1], "rb") : NULL;
    unsigned long length = file ? fread(text, 1, sizeof text, file) : 0, at = 4, frames = 0;
    if (length < 4 || memcmp(text, "CHK\n", 4)) return 1;
    while (at < length) {
        if (length - at < 9) return 1;
        const unsigned char *type = text + at, *data = type + 8;
        unsigned long bytes = number(type + 4), sum = 0;
        if (bytes > length - at - 9) return 1;
        for (unsigned long each = 0; each < bytes; each++) sum += data[each];
        if (data[bytes] != (sum & 255)) return 1;
        if (at == 4 && (memcmp(type, "HEAD", 4) || bytes != 4)) return 1;
        if (at == 4) frames = number(data);
        /* The bug: the number of a frame is not compared with the number of frames. */
        if (!memcmp(type, "ANIM", 4) && bytes >= 4 && frames && number(data) > frames) return 0;
        if (!memcmp(type, "NOTE", 4) && bytes == 0) return 3;
        at += 9 + bytes;
    }
    return 1;
}
"""


def word(dice):
    return "".join(dice.choice(["ba", "lo", "mi", "ter", "quo", "ne", "sa", "ru"]) for _ in range(dice.randint(2, 3)))


def write_json(dice):
    def value(depth):
        kind = dice.randrange(3 if depth == 0 else 5)
        if kind < 3:
            return [str(dice.randrange(100_000)), f'"{word(dice)} {word(dice)}"', dice.choice(["true", "false", "null"])][kind]
        inner = [value(depth - 1) for _ in range(dice.randint(1, 5))]
        if kind == 3:
            return f"[{', '.join(inner)}]"
        return "{" + ",\n ".join(f'"{word(dice)}": {item}' for item in inner) + "}"

    items = [value(3) for _ in range(24)]
    items.insert(13, '{"name": "x", "parts": [{"owner": {"ids": [4, 17, null]}}]}')
    return "[" + ",\n".join(items) + "]\n"


def write_xml(dice):
    def element(depth):
        name = word(dice)
        inner = f"{word(dice)} &amp; {word(dice)}\n"
        if depth:
            inner = "".join(element(depth - 1) for _ in range(dice.randint(1, 4)))
        return f'<{name} {word(dice)}="{dice.randrange(1000)}">{inner}</{name}>\n'

    parts = [element(2) for _ in range(7)]
    parts.insert(4, '<item id="one"/><group k="2"><item id="two"/><use to="three" x="9">text</use></group>\n')
    return '<?xml version="1.0"?>\n<root>\n' + "".join(parts) + "</root>\n"


def write_source(dice):
    def function(indent, own):
        name, first, second = word(dice), word(dice), word(dice)
        lines = [f"def {name}({own}{first}, {second}=None, *rest):", f'    """{word(dice).title()} of the {word(dice)}."""']
        for _ in range(dice.randint(1, 4)):
            lines.append(f"    {word(dice)} = {first} + len({second}) * {dice.randrange(99)} - {word(dice)}({second!r})")
        lines += [f"    if {first} in {{{dice.randrange(9)}, {dice.randrange(9)}}}:", f"        return [{second} for {second} in rest]",
                  f"    return {first} or {dice.randrange(99)}", ""]
        return "".join(f"{indent}{line}\n" for line in lines)

    text = "import os\nimport sys\n\n"
    for number in range(4):
        text += function("", "")
        text += f"\nclass {word(dice).title()}({word(dice).title()}):\n"
        text += function("    ", "self, ")
        if number == 2:
            text += "    order = staticmethod(sorted(range(9), key=lambda *parts, reverse=True: (parts, reverse)))\n\n"
        text += function("    ", "self, ")
    return text


def write_settings(dice):
    def section(extra=""):
        lines = [f"{word(dice)}{dice.randrange(99)} = {word(dice)} {dice.randrange(999)}\n" for _ in range(dice.randint(2, 7))]
        lines.insert(1, extra)
        return f"[{word(dice)}_{dice.randrange(999)}]\n; {word(dice)} {word(dice)}\n{''.join(lines)}\n"

    parts = [section() for _ in range(22)]
    parts.insert(14, section("window = 3600\nkind = sliding\nrate = 0\n"))
    return "".join(parts)


def write_c(dice):
    def function(extra=""):
        name, first, second, local = (word(dice) + str(dice.randrange(999)) for _ in range(4))
        body = "".join(f"    {local} += {first} * {dice.randrange(1, 99)} - ({second} ^ {dice.randrange(99)});\n"
                       for _ in range(dice.randint(1, 4)))
        return (f"/* {word(dice)} {word(dice)} */\nint {name}(int {first}, int {second})\n{{\n    int {local} = {dice.randrange(99)};\n"
                f"{body}{extra.format(first=first, local=local)}    for (int i = 0; i < {first}; i++)\n        if (i % 3 == {second})\n"
                f"            {local} = {local} * 2;\n    return {local};\n}}\n\n")

    structs = [f"struct {word(dice)}{number} {{ int {word(dice)}a; long {word(dice)}b; char {word(dice)}c[{number + 4}]; }};\n"
               for number in range(6)]
    functions = [function() for _ in range(10)]
    functions.insert(6, function("    if ({first} > 4)\n        {local} = ({local} + 7) / (sizeof(int) - sizeof(int));\n"))
    return "#include <stddef.h>\n\n" + "".join(structs) + "\n" + "".join(functions)


def write_chunks(dice):
    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + bytes([sum(data) & 255])

    parts = [chunk(b"HEAD", struct.pack("<I", 12))]
    for _ in range(16):
        parts.append(chunk(dice.choice([b"DATA", b"TEXT", b"ZERO"]), dice.randbytes(dice.randint(1, 200))))
    parts.insert(11, chunk(b"ANIM", struct.pack("<I", 13) + dice.randbytes(60)))
    return b"CHK\n" + b"".join(parts)


def picireny_cases():
    """Cases of scripts/picireny by name."""
    loader = importlib.machinery.SourceFileLoader("picireny_script", str(SCRIPTS / "picireny"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return {case.name: case for case in module.CASES}


def texts(python):
    """Each program: its name, the file's ending, the input, the check (a script, or C code), and an input with another failure or none."""
    def in_python(body, imports, failure):
        return PYTHON.format(python=python, imports=imports, body=body, failure=repr(failure))

    dice = lambda: random.Random(1)
    yield ("json-python", "json", write_json(dice()), in_python(JSON, "import json", ("TypeError", "total")),
           '{"parts": [], "ids": [1, 2]}')
    yield ("xml-python", "xml", write_xml(dice()), in_python(XML, "import xml.etree.ElementTree", ("KeyError", "resolve")),
           '<group><count n="4"/></group>')
    yield ("source-python", "py", write_source(dice()), in_python(SOURCE, "import ast", ("IndexError", "check_lambda")),
           "from . import x\n")
    yield "settings-perl", "ini", write_settings(dice()), PERL, "[a]\nunit = ?\n"
    yield "division-gcc", "c", write_c(dice()), GCC, "int f(void) { int unused; return 1; }\n"
    yield "chunks-binary", "chk", write_chunks(dice()), CHUNKS, b"CHK\nHEAD\4\0\0\0\1\0\0\0\1NOTE\0\0\0\0\0"
    for name, other in (("lua", "for i = 1, 0 do\n"), ("dot", 'digraph g { a -> b [label="x"]; }')):
        case = picireny_cases()[name]
        yield f"{name}-sh", name, case.write(dice()), "#!/bin/sh\n" + case.oracle, other
