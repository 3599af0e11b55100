"""The modules of all crates: which file each one is, what it imports, and the cycles among them.

A module is a tuple, such as `("seedsmith", "cli", "plan")`. A name that a module re-exports counts
as an import of the file that defines it, and the re-export itself as none: otherwise each folder
whose `mod.rs` re-exports its files would be a cycle.
"""

from .paths import paths
from .tokens import code_of, tokens, without_tests

ROOT_FILES = {"lib", "main", "mod"}


class Module:
    """One file."""

    def __init__(self, name, path, source):
        self.name = name
        self.path = path
        self.tokens = tokens(source)
        self.code = code_of(self.tokens)
        self.lines = source.count("\n") + (not source.endswith("\n") and source != "")
        self.paths = []
        self.reexports = {}


class House:
    """All crates: their sources below `src` and `crates/*/src` of `root`."""

    def __init__(self, root):
        self.root = root
        self.crates = {}
        for folder in [root / "src", *sorted(root.glob("crates/*/src"))]:
            self.crates[package_name(folder.parent)] = folder
        self.modules = {}
        for crate, source in self.crates.items():
            for path in sorted(source.rglob("*.rs")):
                name = module_name(crate, path.relative_to(source))
                self.modules[name] = Module(name, path, path.read_text())
        for module in self.product():
            module.paths = paths(without_tests(module.code), self.crates)
            module.reexports = {
                path.name: path for path in module.paths if path.is_reexport and path.name != "*"
            }

    def product(self):
        """The modules that are not for tests only."""
        tests = self.test_modules()
        return [
            module
            for module in self.modules.values()
            if not any(module.name[:length] in tests for length in range(1, len(module.name) + 1))
        ]

    def test_modules(self):
        """The modules whose declaration (`mod name;`) is for tests only, or that say so themselves."""
        tests = set()
        for module in self.modules.values():
            product = without_tests(module.code)
            if module.code and not product:
                tests.add(module.name)
            declared, kept = declarations(module.code), declarations(product)
            tests |= {(*module.name, child) for child in declared - kept}
        return tests

    def base(self, module, path):
        """The module at which a path begins and the segments after it; None for other crates' paths."""
        first, *rest = path.segments
        here = (*module.name, *path.inside)
        if first == "crate":
            return module.name[:1], rest
        if first in self.crates:
            return (first,), rest
        if first == "self":
            return here, rest
        if first == "super":
            here = here[:-1]
            while rest and rest[0] == "super":
                here, rest = here[:-1], rest[1:]
            return here, rest
        if (*here, first) in self.modules:
            return here, [first, *rest]
        return None

    def definition(self, module, path, steps=0):
        """The module whose file defines what a path names, through re-exports; None for other crates."""
        start = self.base(module, path)
        if start is None or steps > 8:
            return None
        here, rest = start
        while here not in self.modules:
            # An inline module is a part of its file.
            here = here[:-1]
            if not here:
                return None
        for segment in rest:
            reexport = self.modules[here].reexports.get(segment)
            if (*here, segment) in self.modules:
                here = (*here, segment)
            elif reexport is not None:
                found = self.definition(self.modules[here], reexport, steps + 1)
                if found is None:
                    return here
                here = found
            else:
                break
        return here

    def imports(self):
        """For each module that is no test: the modules whose files it imports from."""
        graph = {}
        for module in self.product():
            found = {self.definition(module, path) for path in module.paths if not path.is_reexport}
            graph[module.name] = found - {None, module.name}
        return graph


def package_name(folder):
    """The name of the package in `folder`, as paths spell it."""
    for line in (folder / "Cargo.toml").read_text().splitlines():
        if line.startswith("name"):
            return line.split('"')[1].replace("-", "_")
    raise ValueError(f"{folder}/Cargo.toml names no package")


def module_name(crate, path):
    parts = list(path.with_suffix("").parts)
    if parts[0] == "bin":
        # A program is a crate of its own.
        return (f"{crate}/{'/'.join(parts)}",)
    if parts[-1] in ROOT_FILES:
        parts.pop()
    return (crate, *parts)


def declarations(code):
    """The names of the modules that have files of their own."""
    return {
        code[at + 1].text
        for at in range(len(code) - 2)
        if code[at].kind == "word" and code[at].text == "mod" and code[at + 2].text == ";"
    }


def cycles(graph):
    """The sets of modules that import each other directly or indirectly (strongly connected components
    of more than one module), the largest first. Tarjan's algorithm."""
    index, lowest, stack, on_stack, found = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = lowest[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, following = work[-1]
            for other in following:
                if other not in graph:
                    continue
                if other not in index:
                    index[other] = lowest[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    lowest[node] = min(lowest[node], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == index[node]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == node:
                            break
                    if len(members) > 1:
                        found.append(sorted(members))
    return sorted(found, key=lambda members: (-len(members), members))
