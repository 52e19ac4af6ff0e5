"""Every file, module, class and page that the documentation names exists."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, page

CURRENT = [name for name in PAGES if name != "CHANGELOG.md"]  # which names files of the past
FOLDERS = r"(?:adapters|bot|engine|tests|\.ci|\.github)/[\w.@/<>-]*"
PATH = re.compile(rf"(?<![\w/.-])(?:{FOLDERS}|\w+\.(?:md|lock|toml)\b)")
MODULE = re.compile(r"python -m ((?:bot|engine|tests)[\w.]*)")
NAMES = re.compile(r"`([A-Z]\w*[a-z]\w*(?:\.\w+)?)`")


def named_in(text: str) -> list[str]:
    return [found.rstrip("./") for found in PATH.findall(text)]


def is_there(path: str) -> bool:
    """Returns whether there is such a file; `<platform>` matches each of the three."""
    if "<platform>" in path:
        return all(is_there(path.replace("<platform>", each)) for each in ("discord", "telegram", "web"))
    return (ROOT / path).exists()


@pytest.mark.parametrize("name", CURRENT)
def test_every_path_that_a_page_names_exists(name: str) -> None:
    assert not [path for path in named_in(page(name)) if not is_there(path)]


@pytest.mark.parametrize("name", CURRENT)
def test_every_module_that_a_page_runs_exists(name: str) -> None:
    for module in MODULE.findall(page(name)):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_every_class_that_a_page_names_exists() -> None:
    code = "\n".join(path.read_text() for path in files_of_code())
    words = set(re.findall(r"\w+", code))
    named = {part for name in CURRENT for found in NAMES.findall(page(name)) for part in found.split(".")}
    assert not named - words


def files_of_code() -> list[Path]:
    return [path for room in ("adapters", "bot", "engine") for path in (ROOT / room).rglob("*.py")]


def test_every_link_between_pages_leads_somewhere() -> None:
    for name in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page(name)):
            assert (ROOT / target).exists(), (name, target)


def test_paths_are_found_in_prose_and_in_drawings() -> None:
    assert named_in("see `bot/app.py`, tests/docs and RULES.md.") == ["bot/app.py", "tests/docs", "RULES.md"]
    assert named_in("adapters/<platform>/inbound.py  and bot/screens/") == [
        "adapters/<platform>/inbound.py",
        "bot/screens",
    ]
