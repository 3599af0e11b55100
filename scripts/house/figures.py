"""The figures: each function measures one thing in all sources, and knows no limit.

What is wrong in any case (an upward import, a file without `//!`) comes as lines of text that begin
with the path and can be printed.
"""

import re
import statistics

from .tokens import code_of, without_tests

MODULE_DOC = "//!"


def relative(house, module):
    return str(module.path.relative_to(house.root))


def files_by_folder(house):
    """How many source files each folder holds directly, the most first."""
    counts = {}
    for module in house.modules.values():
        folder = str(module.path.parent.relative_to(house.root))
        counts[folder] = counts.get(folder, 0) + 1
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def lengths(house):
    """Lines and path of each file, the longest first."""
    found = [(module.lines, relative(house, module)) for module in house.modules.values()]
    return sorted(found, key=lambda entry: (-entry[0], entry[1]))


def median(values):
    return int(statistics.median(values))


def remarks_by_folder(house):
    """Documentation and comment lines for each line of code, by folder.

    Tests are left out: their names are sentences, and their items need no documentation.
    """
    sums = {}
    product = {module.name for module in house.product()}
    for module in house.modules.values():
        if module.name not in product:
            continue
        total = sums.setdefault(str(module.path.parent.relative_to(house.root)), [0, 0, 0])
        total[0] += sum(token.kind == "doc" for token in module.tokens)
        total[1] += sum(token.kind == "comment" for token in module.tokens)
        total[2] += len({token.line for token in without_tests(module.code)})
    return {folder: (docs / max(code, 1), comments / max(code, 1)) for folder, (docs, comments, code) in sums.items()}


def without_module_docs(house):
    """The files that do not begin with `//!`."""
    return [
        f"{relative(house, module)}: does not begin with //!"
        for module in house.modules.values()
        if not (module.tokens and module.tokens[0].text.startswith(MODULE_DOC))
    ]


def reserved_outside(house, reserved):
    """What only some places may do, in other places, and places that the tour does not name.

    `reserved` has for each what it is, how it is spelled in code, and the paths below a crate's `src`
    that may have it. Tests may print and start programs; `unsafe` has to be argued for there too.
    """
    problems = []
    product = {module.name for module in house.product()}
    tour = " ".join(token.text for root in roots(house) for token in root.tokens if token.kind == "doc")
    for what, pattern, places in reserved:
        for module in house.modules.values():
            source = next(source for source in house.crates.values() if module.path.is_relative_to(source))
            if str(module.path.relative_to(source)).startswith(tuple(places)):
                continue
            if what != "unsafe" and module.name not in product:
                continue
            tokens = module.code if what == "unsafe" else without_tests(module.code)
            tokens = [token for token in tokens if token.kind != "text"]
            found = re.search(pattern, " ".join(token.text for token in tokens))
            if found:
                problems.append(f"{relative(house, module)}: {what} outside its places")
        for place in places:
            if not any((source / place).exists() for source in house.crates.values()):
                problems.append(f"scripts/check-house names {place}, which does not exist")
            elif f"{place.rstrip('/')}`" not in tour:
                problems.append(f"the tour does not name {place}, which may do what others may not")
    return problems


def roots(house):
    return [house.modules[(crate,)] for crate in house.crates if (crate,) in house.modules]


def missing_in_tour(house):
    """What the documentation of a crate's root names as a file or folder and does not exist.

    That is each name with a `/` or `.rs` in it, and each name that the list of layers begins with:
    "- `structure` and `grammar` (1): …".
    """
    problems = []
    folders = [house.root, *house.crates.values()]
    for crate in house.crates:
        root = house.modules.get((crate,))
        if root is None:
            continue
        text = "\n".join(token.text for token in root.tokens if token.text.startswith(MODULE_DOC))
        names = re.findall(r"`(\w[\w.-]*/[\w./-]*|\w+\.rs)`", text)
        for item in re.findall(r"^//! - ([^(]*)\(\d", text, flags=re.M):
            names += re.findall(r"`([\w./-]+)`", item)
        problems += [
            f"{relative(house, root)} names {name}, which does not exist"
            for name in dict.fromkeys(names)
            if not any((folder / name).exists() for folder in folders)
        ]
    return problems


# The module of each crate that re-exports what the other crates of the workspace use.
SEAM = "internal"


def upward_imports(house, crates, layers, root_macros):
    """Paths of a module to one of a higher layer or crate, and top-level modules that are in no layer."""
    problems = []
    unknown = set()
    for module in house.product():
        crate, *parts = module.name
        if crate not in house.crates or not parts:
            # Programs and the root of a crate may use everything.
            continue
        if crate not in crates or parts[0] not in layers:
            if module.name[:2] not in unknown:
                problems.append(f"{relative(house, module)}: {'::'.join(module.name[:2])} is in no layer")
            unknown.add(module.name[:2])
            continue
        seen = set()
        for path in module.paths:
            used = top_level(house, module, path)
            if used is None or used in seen or used == (crate, parts[0]):
                continue
            place = f"{relative(house, module)}:{path.line}"
            what = "::".join(path.segments)
            seen.add(used)
            if used[1] == SEAM:
                # What a crate hands to the others: the order of the crates is what counts.
                level = 0
            elif used[1] in root_macros:
                level = max(layers.values())
            elif used[0] not in crates or used[1] not in layers:
                if used not in house.modules:
                    problems.append(f"{place}: {what} is in no layer")
                continue
            else:
                level = layers[used[1]]
            if crates.index(used[0]) > crates.index(crate):
                problems.append(f"{place}: the crate {crate} uses {what} of the crate {used[0]}")
            elif level > layers[parts[0]]:
                problems.append(f"{place}: layer {layers[parts[0]]} ({parts[0]}) uses layer {level} ({what})")
    return problems


def separated_imports(house, separated):
    """Paths of a module to one that it may not use although the layers allow it.

    `separated` has pairs of top-level modules: the first may not use the second.
    """
    problems = []
    for module in house.product():
        crate, *parts = module.name
        for path in module.paths:
            used = top_level(house, module, path)
            if used is not None and parts and (parts[0], used[1]) in separated:
                place = f"{relative(house, module)}:{path.line}"
                problems.append(f"{place}: {parts[0]} may not use {'::'.join(path.segments)}")
    return problems


def top_level(house, module, path):
    """Crate and top-level module of what a path names; None for other crates, and for a root itself."""
    start = house.base(module, path)
    if start is None:
        return None
    here, rest = start
    names = [*here[1:], *rest]
    if not names:
        return None
    root = house.modules.get(here[:1])
    if (here[0], names[0]) not in house.modules and root is not None and names[0] in root.reexports:
        # What the root re-exports belongs to the layer that defines it.
        found = house.definition(root, root.reexports[names[0]])
        if found is None:
            return None
        return (found[0], found[1]) if len(found) > 1 else None
    return here[0], names[0]
