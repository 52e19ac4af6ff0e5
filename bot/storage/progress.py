"""Reports the progress of long work on the database."""

from typing import Protocol


class Progress(Protocol):
    """Receives how much of some work is done."""

    def __call__(self, unit: str, done: int, total: int) -> None:
        """Reports that `done` of `total` parts are done; `unit` names them, as in `games counted`."""


def silent(unit: str, done: int, total: int) -> None:
    """Ignores a report."""
