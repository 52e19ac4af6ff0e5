"""A newcomer finds the place for a change from the names alone: few files at the top, each of one idea."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

MOST_LINES = 300

MOST_AT_THE_TOP = 10

PRIVATE_WORDS = {
    "acquaintances", "bell", "conductor", "courier", "customs", "doors", "foresight", "gallery", "habits",
    "hindsight", "hours", "lane", "lanes", "lobbies", "mailroom", "naive", "parlour", "peek", "prospects",
    "shorthand", "showings", "silence", "sitter", "sitters", "surface", "surfaces", "tally",
    "thinking", "tongues", "voice", "whisper", "whispers",
}  # fmt: skip
"""What only its authors understood; the field has a word for each."""


def python_files(*folders: str) -> list[Path]:
    return [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]


def test_no_file_is_longer_than_one_idea() -> None:
    files = python_files("adapters", "bot", "engine", "tests")
    lengths = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in files}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_few_modules_stand_at_the_top_of_the_bot() -> None:
    modules = [file.stem for file in (ROOT / "bot").glob("*.py") if file.stem != "__init__"]
    assert len(modules) <= MOST_AT_THE_TOP, sorted(modules)


def names_in(file: Path) -> Iterator[str]:
    yield file.stem
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def test_no_private_word_names_a_module_a_class_or_a_function() -> None:
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in python_files("adapters", "bot", "engine")
        for name in names_in(file)
        if name.lower().strip("_") in PRIVATE_WORDS
    }
    assert found == set()
