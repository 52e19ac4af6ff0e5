"""Approved files: the comparison with one, and the command that writes it."""

from difflib import unified_diff
from pathlib import Path

import pytest

REGENERATE = "python -m tests.regenerate"


def assert_approved(text: str, file: Path, part: str) -> None:
    """Fails with the difference if a text differs from its approved file.

    Args:
        text: The current text.
        file: The file with the approved text.
        part: The name of this kind of file for `python -m tests.regenerate`.
    """
    approved = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != approved:
        difference = unified_diff(
            approved.splitlines(), text.splitlines(), f"approved: {file.name}", "now", lineterm="", n=2
        )
        pytest.fail(
            "\n".join([*difference, f"\n`{REGENERATE} {part}` writes it, if this is wanted"]), pytrace=False
        )
