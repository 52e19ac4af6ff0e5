"""Builds what pyproject.toml can't describe: the recorded commit, and compiled translations and search.

With `DURAK_COMPILE=1` mypyc compiles the search of the house players, which needs a C compiler. Without that
the same files run as they are, at less than half of the speed.
"""

import os
import runpy
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
COMMIT = Path("bot/commit.txt")
CATALOGUES = Path("bot/locale/catalogues.py")

SEARCH = Path("engine/players/search")
COMPILER = "mypy[mypyc]>=2.4"
IS_COMPILED = bool(os.environ.get("DURAK_COMPILE"))
IS_ASKED = "egg_info" in sys.argv  # pip asks for the build's requirements, which it then installs
if IS_COMPILED and not IS_ASKED:
    from mypyc.build import mypycify


class BuildPython(build_py):
    """Copies the packages into the wheel, with the commit and compiled translations."""

    def run(self) -> None:
        """Builds the packages; an editable install runs the sources as they are."""
        if not self.editable_mode:  # an earlier build may have left modules of another version
            shutil.rmtree(self.build_lib, ignore_errors=True)

        super().run()
        if self.editable_mode:
            return

        built = Path(self.build_lib)
        record_commit(built)
        if (built / CATALOGUES).exists():
            runpy.run_path(str(built / CATALOGUES), run_name="__main__")


class SourceDistribution(sdist):
    """Adds the commit to the source distribution, which has no history."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copies the sources into a folder."""
        super().make_release_tree(base_dir, files)
        record_commit(Path(base_dir))


def record_commit(root: Path) -> None:
    """Writes the commit of the sources into the package below a folder, for `durak-bot --version`."""
    (root / COMMIT).write_text(commit_of_sources(), "utf-8")


def commit_of_sources() -> str:
    """Returns the commit that git names, or that was given or recorded; empty where none is known.

    Git may be missing, and refuses to read a clone that belongs to another user.
    """
    if (ROOT / ".git").exists():
        command = ["git", "rev-parse", "HEAD"]
        with suppress(OSError, subprocess.CalledProcessError):
            return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603

    recorded = ROOT / COMMIT
    return recorded.read_text("utf-8") if recorded.is_file() else os.environ.get("SOURCE_COMMIT", "")


def compiled_search() -> list[Extension]:
    """Translates the search to C; returns the modules for a C compiler."""
    modules = sorted(str(path) for path in SEARCH.glob("[!_]*.py"))
    translated: list[Extension] = mypycify(["--config-file=", "--implicit-reexport", *modules])
    return translated


setup(
    cmdclass={"build_py": BuildPython, "sdist": SourceDistribution},
    setup_requires=[COMPILER] if IS_COMPILED else [],
    ext_modules=compiled_search() if IS_COMPILED and not IS_ASKED else [],
)
