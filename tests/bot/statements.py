"""Counts database statements, so that a test can limit the cost of an act."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import aiosqlite
from sqlalchemy import Connection, Engine, Pool, event

_listeners: list[Callable[[str], None]] = []

VALUE = re.compile(r"'(?:[^']|\'\')*'|\b\d[\d.e+-]*|\bNULL\b")  # a value in a statement as SQLite reports it


@dataclass
class Statements:
    """The statements executed since counting began.

    Attributes:
        executed: The number of executions of each statement, begins of transactions included; once for each
            passed row.
        commits: The number of committed transactions.
    """

    executed: "Counter[str]" = field(default_factory=Counter)
    commits: int = 0

    @property
    def writers(self) -> int:
        """Transactions that took the lock for writing."""
        return self.executed["BEGIN IMMEDIATE"]

    @property
    def readers(self) -> int:
        """Transactions that wrote nothing."""
        return self.executed["BEGIN"]

    @property
    def all(self) -> int:
        """Statements of all kinds."""
        return self.executed.total()


@contextmanager
def counted() -> Iterator[Statements]:
    """Counts the statements of all databases of this process in this block."""
    found = Statements()

    def on_statement(statement: str) -> None:
        if statement == "COMMIT":
            found.commits += 1
        elif statement != "ROLLBACK":
            found.executed[VALUE.sub("?", statement)] += 1

    _listeners.append(on_statement)
    try:
        yield found
    finally:
        _listeners.remove(on_statement)


@event.listens_for(Pool, "connect")
def _trace(connection: Any, _record: object) -> None:
    """Listens to every statement that SQLite executes; other databases report through their engines."""
    if isinstance(connection, sqlite3.Connection):
        connection.set_trace_callback(_report)
    elif isinstance(connection.driver_connection, aiosqlite.Connection):
        connection.run_async(lambda driver: driver.set_trace_callback(_report))


def _report(statement: str) -> None:
    for listener in _listeners:
        listener(statement)


@event.listens_for(Engine, "before_cursor_execute")
def _report_statement(
    connection: Connection, _cursor: Any, statement: str, values: Any, _context: Any, many: bool
) -> None:
    if connection.dialect.name != "sqlite":
        is_for_each_row = many and isinstance(values, list)  # else one statement has the values of all rows
        for _ in values if is_for_each_row else [values]:
            _report(statement)


@event.listens_for(Engine, "commit")
def _report_commit(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        _report("COMMIT")
