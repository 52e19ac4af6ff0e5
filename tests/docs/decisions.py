"""The decisions in docs/decisions, one file each, and their index.

A file is called after its number and its title. It has the area it belongs to, then what was decided, why,
and what it costs, if it costs anything.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "decisions"
INDEX = FOLDER / "README.md"

# The areas, in the order of the index.
AREAS = (
    "The game",
    "Bots and advice",
    "Tables",
    "Around the game",
    "Screens and delivery",
    "Chats",
    "The page",
    "Storage",
    "Operation",
)

_FORM = re.compile(r"# (?P<title>.+)\n\nArea: (?P<area>.+)\n\n(?P<text>[\s\S]+)")
_HEAD = """# Decisions

Why things are the way they are. Each file says what was decided, why, and what is worse because of it, if
anything. A decision about a single file of code is a comment in that file.
[Contributing](../../CONTRIBUTING.md#a-decision) explains how to add one.

These are the decisions in force. When one changes, its file is edited and keeps its number; the old text is
in the history of the repository.

New here? Read 1, 2, 4, 25, 44, 57, 93 and 94 first: they shape most of the code.
"""


@dataclass(frozen=True)
class Decision:
    """One decision, as its file has it."""

    file: str
    title: str
    area: str
    text: str

    @property
    def number(self) -> int:
        """The number that its file's name begins with."""
        return int(self.file[:4])


def decisions() -> Iterator[Decision]:
    """Reads all decisions, in the order of their numbers."""
    for path in sorted(FOLDER.glob("[0-9]*.md")):
        yield read(path)


def read(path: Path) -> Decision:
    """Reads one decision.

    Raises:
        ValueError: The file does not begin with a title and an area.
    """
    found = _FORM.fullmatch(path.read_text("utf-8"))
    if found is None:
        raise ValueError(f"{path.name} needs a title, and below it an area")
    return Decision(path.name, found["title"], found["area"], found["text"])


def slug(title: str) -> str:
    """Returns a title as a file's name has it.

    >>> slug("`legal_moves` is the only authority")
    'legal-moves-is-the-only-authority'
    """
    plain = re.sub(r"['’`]", "", title.lower())
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def index() -> str:
    """Returns the page that lists all decisions, by area."""
    every = list(decisions())
    parts = [_HEAD]
    for area in AREAS:
        of_area = [each for each in every if each.area == area]
        links = "".join(f"- {each.number} · [{each.title}]({each.file})\n" for each in of_area)
        parts.append(f"\n## {area}\n\n{links}")

    return "".join(parts)
