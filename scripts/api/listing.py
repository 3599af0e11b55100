"""The public API of one crate as lines of text, read from rustdoc's JSON."""

import json
import os
import subprocess

# Where a type is nothing but its name in the text of a signature.
PLAIN = {"generic", "primitive"}


# The features of each crate that a user can have. `self-fuzz` is left out: it is for this repository's own fuzz
# targets, tests and benches.
FEATURES = {
    "seedsmith": "arbitrary,cli,languages,mutator",
    "seedsmith-engine": "mutator",
    "seedsmith-grammar": "arbitrary,tree-sitter",
}


def rustdoc_json(root, package, target):
    """What rustdoc says of `package` with all features for users, as data."""
    command = ["cargo", "rustdoc", "--quiet", "-p", package, "--lib", "--features", FEATURES[package]]
    command += ["--target-dir", target, "--"]
    command += ["-Zunstable-options", "--output-format", "json", "--document-hidden-items", "--cap-lints", "allow"]
    environment = {**os.environ, "RUSTDOC": str(root / "scripts/api/rustdoc")}
    subprocess.run(command, cwd=root, env=environment, check=True)
    return json.loads((target / "doc" / f"{package.replace('-', '_')}.json").read_text())


class Listing:
    """`lines` are sorted; `items` counts what is public and not a member of something, `hidden` what is so too and reached
    only through `#[doc(hidden)]`."""

    def __init__(self, data):
        self.index = data["index"]
        self.paths = data["paths"]
        self.items = 0
        self.hidden = 0
        self.found = []
        root = self.index[str(data["root"])]
        self.module(root, [root["name"]], False, set())
        self.lines = [line for _, line in sorted(set(self.found))]

    def add(self, path, text, is_hidden):
        line = ("hidden " if is_hidden else "") + text
        self.found.append((("::".join(path).lower(), text), line))

    def count(self, is_hidden):
        if is_hidden:
            self.hidden += 1
        else:
            self.items += 1

    def module(self, item, path, is_hidden, seen):
        for identity in item["inner"]["module"]["items"]:
            inner = self.index.get(str(identity))
            if inner is not None and inner["visibility"] == "public":
                self.item(inner, inner["name"], path, is_hidden or hides(inner), seen)

    def item(self, item, name, path, is_hidden, seen):
        kind, content = next(iter(item["inner"].items()))
        if kind == "use":
            self.reexport(content, path, is_hidden, seen)
            return
        if name is None or kind == "impl":
            return
        here = [*path, name]
        if kind == "module":
            if item["id"] not in seen:
                self.module(item, here, is_hidden, seen | {item["id"]})
            return
        self.count(is_hidden)
        where = "::".join(here)
        if kind == "function":
            self.add(here, f"fn {where}{signature(content)}", is_hidden)
        elif kind in ("struct", "enum", "trait", "union"):
            self.add(here, f"{kind} {where}", is_hidden)
            self.members(kind, content, here, is_hidden)
        elif kind == "type_alias":
            self.add(here, f"type {where} = {text(content['type'])}", is_hidden)
        elif kind in ("constant", "static"):
            self.add(here, f"const {where}: {text(content['type'])}", is_hidden)
        else:
            self.add(here, f"{kind} {where}", is_hidden)

    def reexport(self, content, path, is_hidden, seen):
        target = self.index.get(str(content["id"]))
        if target is None or target["crate_id"] != 0:
            self.count(is_hidden)
            self.add([*path, content["name"]], f"use {'::'.join([*path, content['name']])} = {content['source']}", is_hidden)
        elif content["is_glob"]:
            if "module" in target["inner"]:
                self.module(target, path, is_hidden, seen)
        else:
            self.item(target, content["name"], path, is_hidden, seen)

    def members(self, kind, content, path, is_hidden):
        if kind == "struct":
            shape = content["kind"]
            fields = shape["plain"]["fields"] if "plain" in shape else shape.get("tuple", []) if isinstance(shape, dict) else []
            self.fields(fields, path, is_hidden, False)
        elif kind == "enum":
            for identity in content["variants"]:
                variant = self.index[str(identity)]
                hidden = is_hidden or hides(variant)
                here = [*path, variant["name"]]
                self.add(here, f"variant {'::'.join(here)}", hidden)
                shape = variant["inner"]["variant"]["kind"]
                if isinstance(shape, dict):
                    fields = shape["struct"]["fields"] if "struct" in shape else shape["tuple"]
                    self.fields(fields, here, hidden, True)
        elif kind == "trait":
            self.methods(content["items"], path, is_hidden, True)
            return
        for identity in content.get("impls", []):
            block = self.index.get(str(identity))
            inner = block["inner"]["impl"] if block else None
            if inner and inner["trait"] is None:
                self.methods(inner["items"], path, is_hidden, False)

    def fields(self, identities, path, is_hidden, are_all_public):
        for identity in identities:
            field = self.index.get(str(identity)) if identity is not None else None
            if field and (are_all_public or field["visibility"] == "public"):
                here = [*path, field["name"]]
                self.add(here, f"field {'::'.join(here)}: {text(field['inner']['struct_field'])}", is_hidden or hides(field))

    def methods(self, identities, path, is_hidden, are_all_public):
        for identity in identities:
            item = self.index.get(str(identity))
            if item is None or not (are_all_public or item["visibility"] == "public"):
                continue
            kind, content = next(iter(item["inner"].items()))
            here = [*path, item["name"]]
            where = "::".join(here)
            if kind == "function":
                line = f"fn {where}{signature(content)}"
            elif kind == "assoc_const":
                line = f"const {where}: {text(content['type'])}"
            else:
                line = f"type {where}"
            self.add(here, line, is_hidden or hides(item))


def hides(item):
    """Whether `#[doc(hidden)]` stands before `item`."""
    return any("doc(hidden)" in str(attribute) or "hidden: true" in str(attribute) for attribute in item["attrs"])


def signature(function):
    """Arguments and result, without bounds."""
    sig = function["sig"]
    arguments = []
    for name, kind in sig["inputs"]:
        if name == "self":
            arguments.append({"generic": "self"}.get(next(iter(kind)), reference(kind)))
        else:
            arguments.append(f"{name}: {text(kind)}")
    output = f" -> {text(sig['output'])}" if sig["output"] else ""
    return f"({', '.join(arguments)}){output}"


def reference(kind):
    if "borrowed_ref" not in kind:
        return "self"
    return "&mut self" if kind["borrowed_ref"]["is_mutable"] else "&self"


def text(kind):
    """A type as it is written in Rust, with short paths."""
    if kind is None:
        return "_"
    name, content = next(iter(kind.items())) if isinstance(kind, dict) else (kind, None)
    if name in PLAIN:
        return content
    if name == "resolved_path":
        return content["path"].rsplit("::", 1)[-1] + generics(content["args"])
    if name == "borrowed_ref":
        lifetime = f"{content['lifetime']} " if content["lifetime"] else ""
        return f"&{lifetime}{'mut ' if content['is_mutable'] else ''}{text(content['type'])}"
    if name == "slice":
        return f"[{text(content)}]"
    if name == "array":
        return f"[{text(content['type'])}; {content['len']}]"
    if name == "tuple":
        return f"({', '.join(text(part) for part in content)})"
    if name == "impl_trait":
        return "impl " + bounds(content)
    if name == "dyn_trait":
        return "dyn " + " + ".join(trait(bound["trait"]) for bound in content["traits"])
    if name == "function_pointer":
        return "fn" + signature(content)
    if name == "qualified_path":
        return f"{text(content['self_type'])}::{content['name']}"
    if name == "raw_pointer":
        return f"*{'mut' if content['is_mutable'] else 'const'} {text(content['type'])}"
    return name


def trait(content):
    return content["path"].rsplit("::", 1)[-1] + generics(content["args"])


def bounds(content):
    return " + ".join(
        trait(bound["trait_bound"]["trait"]) if "trait_bound" in bound else str(bound.get("outlives", "")) for bound in content
    )


def generics(arguments):
    if not arguments:
        return ""
    if "parenthesized" in arguments:
        inner = arguments["parenthesized"]
        output = f" -> {text(inner['output'])}" if inner["output"] else ""
        return f"({', '.join(text(part) for part in inner['inputs'])}){output}"
    if "angle_bracketed" not in arguments:
        return ""
    parts = []
    for part in arguments["angle_bracketed"]["args"]:
        if isinstance(part, dict):
            kind, content = next(iter(part.items()))
            parts.append(text(content) if kind == "type" else content if kind == "lifetime" else str(content.get("expr", "_")))
    return f"<{', '.join(parts)}>" if parts else ""
