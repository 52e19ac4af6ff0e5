"""Changes the code in small ways, one at a time, and lists the changes that the quick tests miss.

    pip install -e '.[dev,mutation]' && python -m tests.slow.mutation engine/rules/legal.py bot/model/table.py

It works in a copy, so the tree stays as it is. A file takes several minutes; two runs can share the files
between them. To measure all tests of the bot takes minutes, too: `--tests tests/bot/model` runs these first,
and all of them only against the changes that those have missed. Hypothesis is left out: a survivor should be
killed by a test that everyone can read; changes without effect are listed in harmless.txt. The exit code is 1
if anything else survives.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).parents[2]

# Which tests should notice a change, by the beginning of the file's name.
TESTS_OF = {
    "engine/rules/": ("tests/engine/rules",),
    "engine/runtime/": ("tests/engine/runtime",),
    "bot/": ("tests/bot",),
}

# Tests that would take longer than they tell.
SLOW = (
    "tests/bot/locale",
    "tests/bot/pictures",
    "tests/bot/tables/test_reviews.py",
    "tests/bot/tables/test_worker.py",
)

CONFIG = """
[cosmic-ray]
module-path = [{modules}]
timeout = 60.0
excluded-modules = []
test-command = "false"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = [
  # There is one object for each card, rank, suit and small number.
  "core/ReplaceComparisonOperator_.*_Is(Not)?",
  "core/ReplaceComparisonOperator_Is(Not)?_.*Eq",
  # Nobody makes these mistakes.
  "core/ReplaceComparisonOperator_Is(Not)?_[LG]t.*",
  "core/ReplaceBinaryOperator_.*_(Mul|Div|FloorDiv|Pow|.Shift|Bit.*|Mod)",
  "core/ReplaceBinaryOperator_BitOr_.*",
]
"""


def copy_tree(folder: Path) -> None:
    """Copies the tree without the files that programs have left in it."""
    left_out = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "*.db", "build", "dist")
    shutil.copytree(TREE, folder, ignore=left_out, dirs_exist_ok=True)


def tests_of(modules: Sequence[str]) -> list[str]:
    """Returns the folders of tests that should notice a change of one of these files."""
    found = set[str]()
    for start, tests in TESTS_OF.items():
        if any(module.startswith(start) for module in modules):
            found.update(tests)

    return sorted(found)


def run(folder: Path, *words: str) -> None:
    """Runs a program of this environment in the copy; prints its output if it fails."""
    program = str(Path(sys.executable).parent / words[0])
    done = subprocess.run([program, *words[1:]], cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}\n{done.stderr}")


def measure(modules: Sequence[str], tests: Sequence[str], folder: Path) -> None:
    """Records the tests that run each line of these unchanged files."""
    ignored = [f"--ignore={path}" for path in SLOW]
    places = sorted({f"--cov={Path(module).parent}" for module in modules})
    covered = ["--cov-context=test", "--cov-report=", *places]
    quick = ["-q", "-p", "no:cacheprovider", "-m", "not hypothesis", "--junitxml=durations.xml"]
    run(folder, "pytest", *quick, *covered, *ignored, *tests)


def prepare(modules: Sequence[str], folder: Path) -> None:
    """Records every change of these files."""
    named = ", ".join(f'"{module}"' for module in modules)
    (folder / "mutation.toml").write_text(CONFIG.format(modules=named))
    run(folder, "cosmic-ray", "init", "mutation.toml", "mutation.sqlite", "--force")
    run(folder, "cr-filter-operators", "mutation.sqlite", "mutation.toml")


def try_changes(module: str, folder: Path, *, is_last: bool) -> bool:
    """Tries the changes of a file that survive so far; returns whether the measured tests notice all.

    If these tests are the last to run, the survivors are printed.
    """
    words = [sys.executable, "-m", "tests.slow.mutants", module]
    shown = None if is_last else subprocess.DEVNULL
    return subprocess.run(words, cwd=folder, check=False, stdout=shown).returncode == 0


def main() -> int:
    """Prints the survivors and returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.slow.mutation")
    parser.add_argument("modules", nargs="*", default=["engine/rules/legal.py"], metavar="FILE")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="the tests to try first")
    given = parser.parse_args()
    modules: list[str] = given.modules

    with TemporaryDirectory() as name:
        folder = Path(name)
        copy_tree(folder)
        prepare(modules, folder)

        if given.tests:
            measure(modules, given.tests, folder)
            modules = [module for module in modules if not try_changes(module, folder, is_last=False)]

        if modules:
            measure(modules, tests_of(modules), folder)
            modules = [module for module in modules if not try_changes(module, folder, is_last=True)]

    return 1 if modules else 0


if __name__ == "__main__":
    sys.exit(main())
