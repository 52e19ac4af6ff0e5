"""Changes the code in small ways, one at a time, and shows which changes the quick tests do not notice.

    pip install -e '.[dev,mutation]' && python -m tests.slow.mutation engine/rules/legal.py bot/lobby.py

It works in a copy, so the tree stays as it is. A file takes several minutes; two runs can share a list of
files. Hypothesis is left out: what survives should be killed by a test that everybody can read; what changes
nothing is listed in harmless.txt. The exit code is 1 if anything else survives.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).parents[2]
HARMLESS = TREE / "tests/slow/harmless.txt"

TESTS_OF = {
    "engine/rules/": ("tests/engine/rules",),
    "engine/runtime/": ("tests/engine/runtime", "tests/bot"),
    "bot/": ("tests/bot",),
}
"""Which tests should notice a change, by the beginning of the file's name."""

SLOW = ("tests/bot/locale", "tests/bot/pictures", "tests/bot/test_reviews.py")
"""Tests that would take longer than they tell."""

CONFIG = """
[cosmic-ray]
module-path = ["{module}"]
timeout = 120.0
excluded-modules = []
test-command = "{python} -m tests.slow.mutant {module}"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = [
  # There is one object for each card, rank, suit and small number.
  "core/ReplaceComparisonOperator_.*_Is(Not)?",
  "core/ReplaceComparisonOperator_Is(Not)?_.*Eq",
  # Nobody makes these mistakes.
  "core/ReplaceBinaryOperator_.*_(Mul|Div|FloorDiv|Pow|.Shift|Bit.*|Mod)",
  "core/ReplaceBinaryOperator_BitOr_.*",
]
"""


def copy_tree(folder: Path) -> None:
    """Copy the tree without what programs have left in it."""
    left_out = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "*.db", "build", "dist")
    shutil.copytree(TREE, folder, ignore=left_out, dirs_exist_ok=True)


def tests_of(module: str) -> list[str]:
    """Name the folders of tests that should notice a change of a file."""
    return [
        folder
        for beginning, folders in TESTS_OF.items()
        if module.startswith(beginning)
        for folder in folders
    ]


def run(folder: Path, *words: str) -> str:
    """Run a program of this environment in the copy, and return what it writes."""
    program = str(Path(sys.executable).parent / words[0])
    done = subprocess.run([program, *words[1:]], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    return done.stdout


def measure(module: str, folder: Path) -> None:
    """Write down which test runs which line of the file, and that all of them pass."""
    shutil.copy(folder / module, folder / "original.py")
    ignored = [f"--ignore={path}" for path in SLOW]
    covered = ["--cov-context=test", f"--cov={Path(module).parent}", "--cov-report="]
    quick = ["-q", "-p", "no:cacheprovider", "-m", "not hypothesis", "--junitxml=durations.xml"]
    run(folder, "pytest", *quick, *covered, *ignored, *tests_of(module))


def survivors(module: str, folder: Path) -> list[str]:
    """Try every change of this file, and return the difference of each that was not noticed."""
    measure(module, folder)
    (folder / "mutation.toml").write_text(CONFIG.format(module=module, python=sys.executable))
    run(folder, "cosmic-ray", "init", "mutation.toml", "mutation.sqlite", "--force")
    run(folder, "cr-filter-operators", "mutation.sqlite", "mutation.toml")
    run(folder, "cosmic-ray", "exec", "mutation.toml", "mutation.sqlite")
    dump = run(folder, "cosmic-ray", "dump", "mutation.sqlite").splitlines()
    tried = [result for _, result in map(json.loads, dump) if result["worker_outcome"] == "normal"]
    found = [result["diff"] for result in tried if result["test_outcome"] == "survived"]
    found = [difference for difference in found if not is_harmless(difference)]
    say(f"{module}: {len(tried)} changes, {len(found)} not noticed")
    return found


def is_harmless(difference: str) -> bool:
    """Whether every new line of the difference is one of those that change nothing."""
    lines = [line.removeprefix("+").strip() for line in difference.splitlines() if line.startswith("+")]
    return set(lines[1:]) <= set(HARMLESS.read_text().splitlines())  # the first one names the file


def say(line: str) -> None:
    """Tell somebody who waits."""
    print(line, flush=True)  # noqa: T201 - a program that is run by hand


def main() -> int:
    """Show what survived, and return the exit code."""
    found: list[str] = []
    with TemporaryDirectory() as folder:
        copy_tree(Path(folder))
        for module in sys.argv[1:] or ["engine/rules/legal.py"]:
            of_module = survivors(module, Path(folder))
            found += of_module
            for difference in of_module:
                say(difference)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
