"""Makes changes to one file, one after the other, and shows those that no test notices.

`tests.slow.mutation` starts it in a copy of the tree, after it has measured which test runs which line. Only
tests that ran a changed line have a chance to notice; those of the file that is named after this one come
first, then the quickest. A line that only an import runs, such as a constant or a field of a dataclass,
counts as run by every test that ran anything in the file. It also counts as run by every test in the file
named after it. Every change has its own process, forked from this one, which has imported all that does not
import the file.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from difflib import unified_diff
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cosmic_ray.mutating import apply_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult
from coverage import CoverageData

HARMLESS = Path("tests/slow/harmless.txt")
LEFT_OUT = ("tests", "__main__")
MAX_TESTS = 120  # the more tests run a line, the sooner one of the quickest notices that it is wrong
FEW_TESTS = 12
QUIETLY = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov")
NOTICED = WorkResult(WorkerOutcome.NORMAL, test_outcome=TestOutcome.KILLED)

# Seconds over five times a test's usual duration after which a change counts as noticed.
PATIENCE = 15.0


class _Absent(MetaPathFinder):
    """An import hook that hides a module, and with it all that import it."""

    def __init__(self, missing: str) -> None:
        self._missing = missing

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self._missing:
            raise ImportError(fullname)


def import_all_but(module: Path) -> None:
    """Imports all libraries, and the project's modules that don't import the changed file."""
    words = [sys.executable, "-c", "import sys, tests.bot.running_bot; print(*sys.modules, sep='\\n')"]
    listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    sys.meta_path.insert(0, _Absent(".".join(module.with_suffix("").parts)))

    for name in listed:
        if name.partition(".")[0] not in LEFT_OUT and not name.startswith("_"):
            with suppress(ImportError):
                import_module(name)

    del sys.meta_path[0]


class Tests:
    """The tests of a file: the lines that each ran, and its duration."""

    def __init__(self, module: Path) -> None:
        """Reads the measurements."""
        data = CoverageData()
        data.read()
        self._by_line = data.contexts_by_lineno(str(module.resolve()))
        cases = list(ET.parse("durations.xml").iter("testcase"))
        self._took = {case.get("name", ""): float(case.get("time", "0")) for case in cases}
        self._namesakes = {
            f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
            for case in cases
            if case.get("classname", "").endswith(f".test_{module.stem}")
        }

    def of(self, first: int, last: int) -> list[str]:
        """Returns the tests that ran any of these lines, the most promising first."""
        found = self._that_ran(range(first, last + 1)) or self._that_ran(self._by_line) | self._namesakes
        return sorted(found, key=self._rank)[:MAX_TESTS]

    def patience(self, tests: list[str]) -> tuple[float, float]:
        """Returns the seconds to wait for each of these, and for all of them together."""
        took = [5 * self._seconds(test) for test in tests]
        return PATIENCE + max(took), PATIENCE + sum(took)

    def _rank(self, test: str) -> tuple[bool, float, str]:
        return test not in self._namesakes, self._seconds(test), test

    def _seconds(self, test: str) -> float:
        return self._took.get(test.partition("::")[2], 0.0)

    def _that_ran(self, lines: range | dict[int, list[str]]) -> set[str]:
        contexts = {context for line in lines for context in self._by_line.get(line, ())}
        return {context.partition("|")[0] for context in contexts if context}


def is_noticed(tests: list[str], each: float, together: float) -> bool:
    """Returns whether any of these tests fails now, or they run for longer than this."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        os._exit(pytest.main([*QUIETLY, f"--timeout={each:.0f}", *tests]))

    until = time.monotonic() + together
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.02)

    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def survivors(module: Path) -> Iterator[str]:
    """Tries every surviving change of a file again; yields the difference of each that survives."""
    tests = Tests(module)
    original = module.read_text()
    tried = 0
    survived = 0
    harmless = set(HARMLESS.read_text().splitlines())

    with use_db("mutation.sqlite", WorkDB.Mode.open) as database:
        pending = [item for item in database.pending_work_items if item.mutations[0].module_path == module]
        for item in sorted(pending, key=lambda item: item.mutations[0].start_pos):
            change = item.mutations[0]
            operator = get_operator(change.operator_name)(**change.operator_args)
            apply_mutation(module, operator, change.occurrence)
            changed = module.read_text()
            difference = list(unified_diff(original.splitlines(), changed.splitlines(), lineterm="", n=2))
            added = {line[1:].strip() for line in difference[2:] if line.startswith("+")}
            if difference and not (added and added <= harmless):
                tried += 1
                if is_noticed_by_any(tests.of(change.start_pos[0], change.end_pos[0]), tests):
                    database.set_result(item.job_id, NOTICED)
                else:
                    survived += 1
                    yield "\n".join(difference[2:])

            module.write_text(original)

    yield f"{module}: {tried} changes, {survived} not noticed"


def is_noticed_by_any(chosen: list[str], tests: Tests) -> bool:
    """Runs a few tests first: most changes need no more, and the other tests' files need no import."""
    steps = [chosen[:FEW_TESTS], chosen[FEW_TESTS:]]
    return any(is_noticed(step, *tests.patience(step)) for step in steps if step)


def main() -> int:
    """Prints the survivors and returns the exit code."""
    sys.dont_write_bytecode = True
    module = Path(sys.argv[1])
    sys.path.insert(0, str(Path.cwd()))
    import_all_but(module)

    for old in module.parent.glob(f"__pycache__/{module.stem}.*.pyc"):
        old.unlink()  # it would be taken for the changed file's

    shown = list(map(_show, survivors(module)))
    return 1 if len(shown) > 1 else 0


def _show(line: str) -> str:
    print(line, flush=True)
    return line


if __name__ == "__main__":
    sys.exit(main())
