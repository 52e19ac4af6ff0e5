"""Builds the wheel, with the page's scripts and styles bundled where esbuild is installed.

`npm ci --omit=dev --prefix tests/adapters/page/scripts` installs it. A wheel that is built without it holds
the sources as they are, which browsers run as well, in more requests.

With `DURAK_COMPILE=1` mypyc compiles the search of the house players, which needs a C compiler. Without that
the same files run as they are, at less than half of the speed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
PAGE = Path("adapters/web/page")
COMMIT = Path("bot/commit.txt")
CATALOGUES = Path("bot/locale/catalogues.py")
TOOLS = ROOT / "tests/adapters/page/scripts"
ESBUILD = TOOLS / "node_modules/esbuild/bin/esbuild"

# The scripts that a page names, and those that no page does.
SCRIPT = re.compile(r'"/page/([\w-]+\.js)"')
UNNAMED = ("worker.js", "first.js")

# The styles of all pages, under a condition.
DARK = "dark.css"

# The styles that a page names one after the other.
STYLES = re.compile(r'(?: *<link rel="stylesheet" href="/page/[\w-]+\.css">\n)+')

SEARCH = Path("engine/players/search")
COMPILER = "mypy[mypyc]>=2.4"
IS_COMPILED = bool(os.environ.get("DURAK_COMPILE"))
IS_ASKED = "egg_info" in sys.argv  # for the packages that the build needs: pip installs them before it builds
if IS_COMPILED and not IS_ASKED:
    from mypyc.build import mypycify


class BuildPython(build_py):
    """Copies the packages into the wheel, and bundles the page there."""

    def run(self) -> None:
        """Builds the packages; an editable install serves the page's sources."""
        if not self.editable_mode:  # an earlier build may have left modules of another version
            shutil.rmtree(self.build_lib, ignore_errors=True)

        super().run()
        if self.editable_mode:
            return

        record_commit(Path(self.build_lib))
        compile_catalogues(Path(self.build_lib))
        if ESBUILD.exists():
            bundle(ROOT / PAGE, Path(self.build_lib) / PAGE)
        else:
            self.warn("esbuild isn't installed, so the page's scripts and styles aren't bundled")


def compile_catalogues(root: Path) -> None:
    """Compiles the translations in the package below a folder, so that a start need not."""
    translations = sorted((root / CATALOGUES).parent.glob("*/LC_MESSAGES/*.po"))
    if not translations:
        return

    spec = spec_from_file_location("catalogues", root / CATALOGUES)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(root / CATALOGUES)

    catalogues = module_from_spec(spec)
    spec.loader.exec_module(catalogues)
    for path in translations:
        locale = path.parent.parent.name
        catalogues.compiled_path_of(locale).write_bytes(catalogues.compiled_catalogue_of(locale))


class SourceDistribution(sdist):
    """Puts the commit beside the sources, which have no history."""

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


def bundle(sources: Path, target: Path) -> None:
    """Writes the page to `target`, in as few files as it needs."""
    shutil.rmtree(target)
    shutil.copytree(sources, target, ignore=shutil.ignore_patterns("*.js", "*.css"))

    bundles = {scripts_of(page) for page in sources.glob("*.html")}
    alone = {frozenset({script}) for script in UNNAMED}
    for scripts in {*alone, *filter(None, bundles)}:
        paths = [sources / script for script in sorted(scripts)]
        esbuild("--bundle", "--splitting", "--format=esm", f"--outdir={target}", *paths)

    esbuild(f"--outfile={target / DARK}", sources / DARK)
    for page in target.glob("*.html"):
        html = page.read_text("utf-8")
        page.write_text(STYLES.sub(lambda links: join_styles(links[0], sources, target), html), "utf-8")


def scripts_of(page: Path) -> frozenset[str]:
    """Returns the scripts that a page names; esbuild gives their common part a file of its own."""
    return frozenset(SCRIPT.findall(page.read_text("utf-8")))


def join_styles(links: str, sources: Path, target: Path) -> str:
    """Writes the styles that these links name to one file; returns the link to it."""
    names = re.findall(r"([\w-]+)\.css", links)
    joined = "-".join(names)
    style = target / f"{joined}.css"
    style.write_text("".join((sources / f"{name}.css").read_text("utf-8") for name in names), "utf-8")

    esbuild("--allow-overwrite", f"--outfile={style}", style)
    return f'  <link rel="stylesheet" href="/page/{joined}.css">\n'


def esbuild(*arguments: str | Path) -> None:
    """Runs esbuild for the oldest browsers that the page supports.

    Raises:
        subprocess.CalledProcessError: It found an error in the sources.
    """
    browsers = json.loads((TOOLS / "package.json").read_text("utf-8"))["browserslist"]
    targets = ",".join(browser.replace("ios_saf", "ios").replace(" >= ", "") for browser in browsers)
    command = [ESBUILD, "--minify", "--log-level=warning", f"--target={targets}", *arguments]
    subprocess.run(command, check=True)  # noqa: S603 - our own tool and files


def compiled_search() -> list[Extension]:
    """Translates the search to C; returns the modules for a C compiler."""
    modules = sorted(str(path) for path in SEARCH.glob("[!_]*.py"))
    translated: list[Extension] = mypycify(["--config-file=", "--implicit-reexport", *modules])
    return translated


needed: list[str] = []
extensions: list[Extension] = []
if IS_COMPILED:
    needed = [COMPILER]
if IS_COMPILED and not IS_ASKED:
    extensions = compiled_search()

setup(
    cmdclass={"build_py": BuildPython, "sdist": SourceDistribution},
    setup_requires=needed,
    ext_modules=extensions,
)
