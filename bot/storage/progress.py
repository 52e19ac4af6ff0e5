"""Reports of long work on the database."""

from typing import Protocol


class Progress(Protocol):
    """Receives how much of some work is done."""

    def __call__(self, unit: str, done: int, total: int) -> None:
        """Notes that so many parts are done, of so many; `unit` names them, as in `games counted`."""


def silent(unit: str, done: int, total: int) -> None:
    """Receives reports that nobody reads."""
