"""The project's pages of documentation, and their tables."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "engine" / "README.md"]
PAGES = tuple(sorted(str(path.relative_to(ROOT)) for path in FILES))


def page(name: str) -> str:
    """Returns the text of a page."""
    return (ROOT / name).read_text("utf-8")


def anchor_of(heading: str) -> str:
    """Returns what a link to a heading names after its `#`."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def table_rows(text: str, *header: str) -> Iterator[list[str]]:
    """Returns the rows of the table with this header, without backticks."""
    head = f"| {' | '.join(header)} |\n"
    assert text.count(head) == 1, head
    _, *lines = text.partition(head)[2].splitlines()
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
