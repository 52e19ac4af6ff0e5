"""Folders of tests."""

from functools import cache
from pathlib import Path


@cache  # each process asks for thousands of tests, which are in a few hundred files
def is_below(folder: Path, file: Path) -> bool:
    """Returns whether a folder, or one in it, holds a file."""
    return folder in file.parents
