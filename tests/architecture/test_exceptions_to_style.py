"""Exceptions to the style rules: few, and each with its reason."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_EXCEPTIONS = 15
NOQA = re.compile(r"# (?:ruff: |flake8: )?noqa.*")


def test_there_are_few_exceptions_and_each_has_a_reason() -> None:
    rooms = ("adapters", "bot", "engine", "tests")
    files = {path for room in rooms for path in (ROOT / room).rglob("*.py")} - {Path(__file__)}
    found = [
        f"{path.relative_to(ROOT)}: {exception}"
        for path in files
        for exception in NOQA.findall(path.read_text())
    ]

    assert len(found) <= MAX_EXCEPTIONS
    assert not [line for line in found if not re.search(r": # noqa: [A-Z]+\d+ - \w", line)]


def test_every_exception_is_seen() -> None:
    assert NOQA.findall("x = 1  # noqa: E1 - why\n# ruff: noqa\nnothing") == [
        "# noqa: E1 - why",
        "# ruff: noqa",
    ]
