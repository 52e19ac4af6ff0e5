"""Long questions to an SQLite file, on a connection of their own that only reads."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, NullPool, create_engine

T = TypeVar("T")


class SqliteReports:
    """Asks one question after the other, each in a thread, beside everybody who plays.

    The log of the file lets it be read while somebody writes: each question sees the moment when it began.
    """

    def __init__(self, file: Path) -> None:
        """Name the file; it has to be there when something is asked."""

        def connect() -> sqlite3.Connection:
            return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)

        self._engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
        self._turn = asyncio.Lock()

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` makes of a connection; it runs in a thread."""
        async with self._turn:
            return await asyncio.to_thread(self._work, work)

    def _work(self, work: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                return work(connection)
            finally:
                connection.rollback()
