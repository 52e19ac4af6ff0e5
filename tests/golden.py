"""Files that hold what was once read and approved: comparing with one, and what writes it."""

from difflib import unified_diff
from pathlib import Path

import pytest

REGENERATE = "python -m tests.regenerate"


def assert_approved(text: str, file: Path, part: str) -> None:
    """Fail with the difference if a text is not the one that its file holds.

    Args:
        text: What is said now.
        file: Where the approved text stands.
        part: What `python -m tests.regenerate` calls this kind of file.
    """
    approved = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != approved:
        difference = unified_diff(
            approved.splitlines(), text.splitlines(), f"approved: {file.name}", "now", lineterm="", n=2
        )
        pytest.fail(
            "\n".join([*difference, f"\n`{REGENERATE} {part}` writes it, if this is wanted"]), pytrace=False
        )
