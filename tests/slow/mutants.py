"""Makes the changes of one file one after the other, and shows those that no test notices.

`tests.slow.mutation` starts it in a copy of the tree, after it has measured which test runs which line. Only
tests that ran a changed line have a chance to notice; the quickest come first. A line that is run by an
import alone, such as a constant, counts as run by all of the file. Every change has a process
of its own, forked from this one, which has imported all libraries and nothing of the project.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cosmic_ray.mutating import apply_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from coverage import CoverageData

HARMLESS = Path("tests/slow/harmless.txt")
OURS = ("adapters", "bot", "engine", "tests", "__main__")
MOST_TESTS = 120
"""The more tests run a line, the sooner one of the quickest notices that it is wrong."""

PATIENCE = 15.0
"""A change after which tests take so many seconds more than five times what they took has been noticed."""


def import_libraries() -> None:
    """Import what the project imports, without the project."""
    words = [sys.executable, "-c", "import sys, tests.bot.running_bot; print(*sys.modules, sep='\\n')"]
    listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    for name in listed:
        if name.partition(".")[0] not in OURS and not name.startswith("_"):
            import_module(name)


class Tests:
    """Knows which tests ran which lines of a file, and how long each took."""

    def __init__(self, module: Path) -> None:
        """Read what was measured."""
        data = CoverageData()
        data.read()
        self._by_line = data.contexts_by_lineno(str(module.resolve()))
        cases = ET.parse("durations.xml").iter("testcase")
        self._took = {case.get("name", ""): float(case.get("time", "0")) for case in cases}

    def of(self, first: int, last: int) -> list[str]:
        """Name the tests that ran any of these lines, the quickest first."""
        found = self._that_ran(range(first, last + 1)) or self._that_ran(self._by_line)
        return sorted(found, key=lambda test: (self._seconds(test), test))[:MOST_TESTS]

    def seconds(self, tests: list[str]) -> float:
        """Say how long these took together."""
        return sum(map(self._seconds, tests))

    def _seconds(self, test: str) -> float:
        return self._took.get(test.partition("::")[2], 0.0)

    def _that_ran(self, lines: range | dict[int, list[str]]) -> set[str]:
        contexts = {context for line in lines for context in self._by_line.get(line, ())}
        return {context.partition("|")[0] for context in contexts if context}


def is_noticed(tests: list[str], seconds: float) -> bool:
    """Whether any of these tests fails now, or they do not come to an end in time."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov", *tests]))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def survivors(module: Path) -> Iterator[str]:
    """Try every change of a file, and give the difference of each that was not noticed."""
    tests, original, tried, survived = Tests(module), module.read_text(), 0, 0
    harmless = set(HARMLESS.read_text().splitlines())
    with use_db("mutation.sqlite", WorkDB.Mode.open) as database:
        changes = [item.mutations[0] for item in database.pending_work_items]
    for change in changes:
        (first, _), (last, _) = change.start_pos, change.end_pos
        apply_mutation(module, get_operator(change.operator_name)(**change.operator_args), change.occurrence)
        changed = module.read_text()
        difference = list(unified_diff(original.splitlines(), changed.splitlines(), lineterm="", n=2))
        added = {line[1:].strip() for line in difference[2:] if line.startswith("+")}
        if difference and not added <= harmless:
            tried += 1
            chosen = tests.of(first, last)
            if not is_noticed(chosen, PATIENCE + 5 * tests.seconds(chosen)):
                survived += 1
                yield "\n".join(difference[2:])
        module.write_text(original)
    yield f"{module}: {tried} changes, {survived} not noticed"


def main() -> int:
    """Show what survived, and return the exit code."""
    sys.dont_write_bytecode = True
    module = Path(sys.argv[1])
    sys.path.insert(0, str(Path.cwd()))
    import_libraries()
    for old in module.parent.glob(f"__pycache__/{module.stem}.*.pyc"):
        old.unlink()  # it would be taken for the changed file's
    shown = list(map(_show, survivors(module)))
    return 1 if len(shown) > 1 else 0


def _show(line: str) -> str:
    print(line, flush=True)
    return line


if __name__ == "__main__":
    sys.exit(main())
