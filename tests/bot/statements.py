"""Counts what is asked of the database, so that a test can say how much something may cost there."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

HEALTH = "SELECT 1"
"""What a harness asks while it waits; it belongs to nobody's press."""


@dataclass
class Statements:
    """What the database was told since counting began.

    Attributes:
        told: How often each statement was executed, begins of transactions included; once for each row that
            was handed over.
        commits: How many transactions were committed.
    """

    told: "Counter[str]" = field(default_factory=Counter)
    commits: int = 0

    @property
    def writers(self) -> int:
        """Transactions that took the lock for writing."""
        return self.told["BEGIN IMMEDIATE"]

    @property
    def readers(self) -> int:
        """Transactions that wrote nothing, without those of the harness itself."""
        return self.told["BEGIN"] - self.told[HEALTH]

    @property
    def all(self) -> int:
        """Statements of all kinds, without those of the harness itself."""
        return self.told.total() - 2 * self.told[HEALTH]


@contextmanager
def counted() -> Iterator[Statements]:
    """Count what all SQLite databases of this process are told meanwhile."""
    found = Statements()

    def on_execute(_c: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        found.told[statement] += len(values) if many else 1

    def on_commit(_c: Any) -> None:
        found.commits += 1

    event.listen(Engine, "before_cursor_execute", on_execute)
    event.listen(Engine, "commit", on_commit)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", on_execute)
        event.remove(Engine, "commit", on_commit)
