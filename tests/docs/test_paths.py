"""Every file, module, class and page that the documentation names exists."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, anchor_of, page

CURRENT = [name for name in PAGES if name != "CHANGELOG.md"]  # which names files of the past
FORMER = {"HOSTING.md"}  # the guide that owners of version 0.3.0 read
FOLDERS = r"(?:adapters|bot|deploy|docs|engine|tests|\.ci|\.github)/[\w.@/<>-]*"
PATH = re.compile(rf"(?<![\w/.-])(?:{FOLDERS}|\w+\.(?:md|lock|toml)\b)")
MODULE = re.compile(r"python -m ((?:bot|engine|tests)[\w.]*)")
NAMES = re.compile(r"`([A-Z]\w*[a-z]\w*(?:\.\w+)?)`")


LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def named_in(text: str) -> list[str]:
    """Returns the paths from the root that a text names; links have their own test."""
    return [found.rstrip("./") for found in PATH.findall(LINK.sub("]", text))]


def anchors_of(text: str) -> set[str]:
    """Returns what a link can name after its `#`, one for each heading."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return set(map(anchor_of, headings))


def is_there(path: str) -> bool:
    """Returns whether there is such a file; `<platform>` matches each of the three."""
    if "<platform>" in path:
        return all(is_there(path.replace("<platform>", each)) for each in ("discord", "telegram", "web"))
    return path in FORMER or (ROOT / path).exists()


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


@pytest.mark.parametrize("name", PAGES)
def test_every_link_between_pages_leads_somewhere(name: str) -> None:
    for target, anchor in LINK.findall(page(name)):
        file = (ROOT / name).parent / target if target else ROOT / name
        assert file.exists(), target
        assert not anchor or anchor in anchors_of(file.read_text("utf-8")), anchor


def test_paths_are_found_in_prose_and_in_drawings() -> None:
    assert named_in("see `bot/app.py`, tests/docs and docs/rules.md.") == [
        "bot/app.py",
        "tests/docs",
        "docs/rules.md",
    ]
    assert named_in("adapters/<platform>/inbound.py  and bot/screens/") == [
        "adapters/<platform>/inbound.py",
        "bot/screens",
    ]


def test_every_feature_is_listed() -> None:
    listed = page("docs/architecture.md").partition("| folder of `bot/features/` |")[2].partition("\n\n")[0]
    folders = [path.parent.name for path in (ROOT / "bot/features").glob("*/__init__.py")]
    assert re.findall(r"^\| `(\w+)` \|", listed, re.MULTILINE) == sorted(folders)
