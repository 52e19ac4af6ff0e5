"""The examples in docstrings are true."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    file.relative_to(ROOT)
    for folder in ("adapters", "bot", "engine", "tests")
    for file in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in file.read_text("utf-8") and file != Path(__file__)
]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_examples_of_a_module_give_what_they_say(file: Path) -> None:
    found = doctest.testmod(importlib.import_module(".".join(file.with_suffix("").parts)))
    assert found.attempted
    assert not found.failed


def test_the_examples_of_the_engines_page_give_what_they_say() -> None:
    found = doctest.testfile(str(ROOT / "engine" / "README.md"), module_relative=False)
    assert found.attempted
    assert not found.failed
