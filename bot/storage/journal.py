"""The journal of all tables, as the engine asks for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import sqlalchemy
from sqlalchemy import Row, Select, bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.storage.database import Database
from bot.storage.models import BigId, EntryRow, ResultRow, SeatRow, SnapshotRow, TableRow, table_of
from bot.storage.prepared import Prepared, addition, execute, replacement
from bot.storage.tallies import count_game
from bot.storage.trouble import is_key_taken
from engine import Outcome
from engine.runtime import Author, Entry, SavedGame, VersionTakenError

ENTRY = addition(EntryRow)
FIELDS = [field.name for field in fields(Entry)]
"""An entry's fields are the columns of its row."""

SNAPSHOT = replacement(SnapshotRow)


class SqlJournal:
    """Implements the engine's `Journal`: what it has written survives the process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, entry: Entry, *, snapshot: str, outcome: Outcome | None) -> None:
        """Write an entry, the position after it and, if the game ended, its result: all or nothing.

        Raises:
            VersionTakenError: The table has an entry of this version already.
        """
        steps = (
            (ENTRY, {name: getattr(entry, name) for name in FIELDS}),
            (SNAPSHOT, {"table_id": entry.table_id, "text": snapshot}),
        )
        if outcome is None:
            with _if_version_is_free():
                await self._database.write(*steps)
            return
        async with self._database.session() as session:
            with _if_version_is_free():
                await execute(session, *steps)
            results = await _results(session, entry, snapshot, outcome)
            session.add_all(results)
            if results:  # those who played may be forgotten
                await count_game(session, results[0].server_id, results)
            await session.commit()

    async def newest_game(self, table_id: int) -> SavedGame | None:
        """Read what was written about a table's newest game; None when nothing was ever dealt."""
        rows = await self._database.rows(_NEWEST_GAME, {"of_table": table_id})
        if not rows:
            return None
        return SavedGame([entry_of(row) for row in rows], rows[0].snapshot)


def _newest_game(_: object) -> Select[Any]:
    """Ask for the newest game of a table: entries and snapshot of one moment, whoever writes meanwhile."""
    of_table = bindparam("of_table", type_=BigId)
    newest = sqlalchemy.select(func.max(EntryRow.game)).where(col(EntryRow.table_id) == of_table)
    return (
        sqlalchemy.select(table_of(EntryRow), col(SnapshotRow.text).label("snapshot"))
        .join(SnapshotRow, col(SnapshotRow.table_id) == EntryRow.table_id)
        .where(col(EntryRow.table_id) == of_table, col(EntryRow.game) == newest.scalar_subquery())
        .order_by(col(EntryRow.version))
    )


_NEWEST_GAME = Prepared(_newest_game)


def entry_of(row: EntryRow | Row[Any]) -> Entry:
    """Return a row as the engine knows it."""
    author = None if row.author is None else Author(row.author)
    return Entry(row.table_id, row.version, row.game, row.seat, row.text, author, row.at)


@contextmanager
def _if_version_is_free() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if is_key_taken(error):
            raise VersionTakenError from error
        raise


async def _results(session: AsyncSession, entry: Entry, snapshot: str, outcome: Outcome) -> list[ResultRow]:
    table = await session.get_one(TableRow, entry.table_id)
    query = (
        select(SeatRow)
        .where(SeatRow.table_id == entry.table_id, SeatRow.of_game == entry.game)
        .order_by(col(SeatRow.seat))
    )
    seats = (await session.exec(query)).all()
    people = sum(seat.player_id is not None for seat in seats)
    places = {seat: place for place, seat in enumerate(outcome.order, start=1)}
    dealt_at = await _dealt_at(session, entry)
    position = dict(line.partition(" ")[::2] for line in snapshot.splitlines())
    return [
        ResultRow(
            table_id=entry.table_id,
            game=entry.game,
            seat=row.seat,
            server_id=table.server_id,
            player_id=row.player_id,
            players=len(seats),
            people=people,
            losers=len(outcome.losers),
            place=places.get(row.seat),
            is_loser=row.seat in outcome.losers,
            is_draw=outcome.is_draw,
            points=outcome.points[row.seat],
            epaulettes=outcome.epaulettes if row.seat in outcome.losers else 0,
            finished_at=entry.at,
            trump=position.get("trump", ""),
            bouts=int(position.get("bouts", "0")),
            seconds=max(0.0, entry.at - dealt_at),
        )
        for row in seats
    ]


async def _dealt_at(session: AsyncSession, last: Entry) -> float:
    query = select(func.min(EntryRow.at)).where(
        EntryRow.table_id == last.table_id, EntryRow.game == last.game
    )
    return (await session.exec(query)).one() or last.at
