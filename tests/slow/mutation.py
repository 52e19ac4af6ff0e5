"""Changes the rules in small ways, one at a time, and shows which changes the quick tests do not notice.

    pip install -e '.[dev,mutation]' && python -m tests.slow.mutation engine/rules/legal.py

It works in a copy, so the tree stays as it is. A file takes several minutes. Hypothesis is left out: what
survives should be killed by a test that everybody can read; what changes nothing is listed in harmless.txt.
The exit code is 1 if anything else survives.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TREE = Path(__file__).parents[2]
NEEDED = ("engine", "tests/engine", "tests/__init__.py", "pyproject.toml")
HARMLESS = TREE / "tests/slow/harmless.txt"
RANDOM_GAMES = ("test_properties.py", "test_secrecy.py", "test_two_generators.py")
"""They run last, because a readable test notices most changes within a second."""

CONFIG = """
[cosmic-ray]
module-path = [{modules}]
timeout = 120.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider -m 'not hypothesis' {tests}"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = [
  # There is one object for each card, rank, suit and small number.
  "core/ReplaceComparisonOperator_.*_Is(Not)?",
  "core/ReplaceComparisonOperator_Is(Not)?_.*Eq",
  # Nobody makes these mistakes.
  "core/ReplaceBinaryOperator_.*_(Mul|Div|FloorDiv|Pow|.Shift|Bit.*|Mod)",
]
"""


def copy_tree(folder: Path) -> None:
    """Copies what the tests of the rules need."""
    for name in NEEDED:
        source, target = TREE / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)


def configure(modules: list[str], folder: Path) -> None:
    """Writes what is to be changed, and by which tests that should be noticed."""
    tests = [path.relative_to(folder) for path in folder.glob("tests/engine/rules/test_*.py")]
    tests.sort(key=lambda path: (path.name in RANDOM_GAMES, path.name))
    config = CONFIG.format(
        modules=", ".join(f'"{module}"' for module in modules),
        python=sys.executable,
        tests=" ".join(map(str, tests)),
    )
    (folder / "mutation.toml").write_text(config)


def run(folder: Path, *words: str) -> str:
    """Runs one of the programs of cosmic-ray in the copy and gives what it writes."""
    program = str(Path(sys.executable).parent / words[0])
    done = subprocess.run([program, *words[1:]], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    return done.stdout


def survivors(modules: list[str], folder: Path) -> list[str]:
    """Tries every change of these files, and gives the difference of each that was not noticed."""
    copy_tree(folder)
    configure(modules, folder)
    run(folder, "cosmic-ray", "baseline", "mutation.toml")
    run(folder, "cosmic-ray", "init", "mutation.toml", "mutation.sqlite")
    run(folder, "cr-filter-operators", "mutation.sqlite", "mutation.toml")
    run(folder, "cosmic-ray", "exec", "mutation.toml", "mutation.sqlite")
    dump = run(folder, "cosmic-ray", "dump", "mutation.sqlite").splitlines()
    tried = [result for _, result in map(json.loads, dump) if result["worker_outcome"] == "normal"]
    found = [result["diff"] for result in tried if result["test_outcome"] == "survived"]
    found = [difference for difference in found if not is_harmless(difference)]
    say(f"{len(tried)} changes, {len(found)} not noticed")
    return found


def is_harmless(difference: str) -> bool:
    """Whether every new line of the difference is one of those that change nothing."""
    lines = [line.removeprefix("+").strip() for line in difference.splitlines() if line.startswith("+")]
    return set(lines[1:]) <= set(HARMLESS.read_text().splitlines())  # the first one names the file


def say(line: str) -> None:
    """Tells somebody who waits."""
    print(line, flush=True)  # noqa: T201 - a program that is run by hand


def main() -> int:
    """Shows what survived, and gives the exit code."""
    with TemporaryDirectory() as folder:
        found = survivors(sys.argv[1:] or ["engine/rules/legal.py"], Path(folder))
    for difference in found:
        say(difference)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
