"""Runs the tests that should notice one change of a file: those that ran the changed lines, quickest first.

`tests.slow.mutation` starts it for every change, in a copy of the tree where it has measured who runs what.
A line that is run by an import alone, such as a constant, is everybody's who ran any other line of the file.
"""

import os
import sys
from difflib import SequenceMatcher
from pathlib import Path
from xml.etree import ElementTree as ET

from coverage import CoverageData

MOST_TESTS = 150
"""The more tests run a line, the sooner one of the quickest notices that it is wrong."""


def changed_lines(original: str, changed: str) -> set[int]:
    """Name the lines of the original that are no longer as they were, from 1."""
    matcher = SequenceMatcher(None, original.splitlines(), changed.splitlines(), autojunk=False)
    return {
        line
        for what, first, last, _, _ in matcher.get_opcodes()
        if what != "equal"
        for line in range(first + 1, max(last, first + 1) + 1)
    }


def tests_that_ran(module: Path, lines: set[int]) -> set[str]:
    """Name the tests that ran any of these lines, as pytest names them."""
    data = CoverageData()
    data.read()
    contexts = data.contexts_by_lineno(str(module.resolve()))
    found = {context for line in lines for context in contexts.get(line, ()) if context}
    everybody = {context for line in contexts.values() for context in line if context}
    return {context.partition("|")[0] for context in found or everybody}


def durations() -> dict[str, float]:
    """Say how long each test took when all was well, in seconds, by its name without its file."""
    cases = ET.parse("durations.xml").iter("testcase")  # noqa: S314 - pytest has just written it
    return {case.get("name", ""): float(case.get("time", "0")) for case in cases}


def main() -> None:
    """Become the pytest that runs them; without any the change is not noticed."""
    module = Path(sys.argv[1])
    tests = tests_that_ran(module, changed_lines(Path("original.py").read_text(), module.read_text()))
    if not tests:
        return
    took = durations()
    in_order = sorted(tests, key=lambda test: (took.get(test.partition("::")[2], 0.0), test))[:MOST_TESTS]
    words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov", *in_order]
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *words])  # noqa: S606 - our own words


if __name__ == "__main__":
    main()
