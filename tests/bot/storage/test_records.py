"""Finished games are found without reading all tables and all results of every server."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Engine, event, make_url

from bot.storage import RecordStore
from tests.bot.storage.samples import ROOM, SERVER, open_table, opened


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """Collects the statements sent to any database, with their parameters."""
    statements: list[tuple[str, Any]] = []

    def collect(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        statements.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", collect)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", collect)


async def test_the_newest_games_of_a_server_and_of_a_room_are_found_by_an_index(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        await open_table(database)
        records = RecordStore(database)
        with asked() as statements:
            assert await records.newest_games(SERVER, most=10) == []
            assert await records.newest(ROOM) is None

        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
            plans = [
                step[-1]
                for statement, parameters in statements
                if statement.startswith("SELECT")
                for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            ]

    assert any("ix_card_table_stopped" in step for step in plans)
    assert not [step for step in plans if step.startswith(("SCAN card_table", "SCAN result"))]


async def test_the_games_that_ended_since_a_time_are_found_in_order_by_an_index(sqlite_url: str) -> None:
    async with opened(sqlite_url) as database:
        with asked() as statements:
            assert await RecordStore(database).finished_since(1.0, most=60) == []

    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
        plans = [
            step[-1]
            for statement, parameters in statements
            if "FROM result" in statement
            for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]

    assert plans == ["SEARCH result USING INDEX ix_result_ended (finished_at>?)"]
