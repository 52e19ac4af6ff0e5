"""Finished games, as they were played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import case
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, UserRef
from bot.storage.database import Database
from bot.storage.identities import player_row, stands_in
from bot.storage.journal import entry_of
from bot.storage.models import EntryRow, ResultRow, SeatRow, TableRow
from engine import Opening, Record, Seat, Stop, parse_action, seed_hash
from engine.runtime import Entry

_NEWEST_FIRST = (col(ResultRow.finished_at).desc(), col(ResultRow.table_id).desc())


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game that somebody played, and the journal of it; `game` is which one of the table."""

    table_id: int
    game: int
    seat: Seat
    entries: Sequence[Entry] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game, and what its seats are called."""

    record: Record
    names: tuple[str, ...]


class RecordStore:
    """The records of games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, room: RoomRef) -> Finished | None:
        """Return the game that was finished or stopped last in a room, with its players as remarks."""
        async with self._database.reading() as session:
            found = await _newest(session, room)
            if found is None:
                return None
            table_id, game, stopped = found
            entries = await _entries(session, table_id, game)
            names = (
                await session.exec(
                    select(SeatRow.name)
                    .where(SeatRow.table_id == table_id, SeatRow.of_game == game)
                    .order_by(col(SeatRow.seat))
                )
            ).all()
        opening = Opening.from_text(entries[0].text)
        called = tuple(" ".join(name.split()) for name in names)
        record = Record(
            opening,
            tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:]),
            seal=seed_hash(opening.seed),
            remarks=(
                f"game {game} of table {table_id}",
                *(f"seat {seat}: {name}" for seat, name in enumerate(called)),
            ),
            stopped=Stop(stopped) if stopped else None,
        )
        return Finished(record, called)

    async def rating_changes(self, table_id: int, game: int) -> Mapping[Seat, float]:
        """Return by how much a finished game has changed the rating of who sat on each seat, if it did."""
        query = select(ResultRow.seat, ResultRow.rating_change).where(
            ResultRow.table_id == table_id, ResultRow.game == game
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return {seat: change for seat, change in rows if change is not None}

    async def newest_of(self, user: UserRef, *, near: RoomRef) -> Played | None:
        """Return the game that a person finished last, one in the room `near` before all others."""
        async with self._database.reading() as session:
            player = await player_row(session, user)
            if player is None:
                return None
            newest = (
                select(ResultRow)
                .join(TableRow, col(TableRow.id) == col(ResultRow.table_id))
                .where(ResultRow.player_id == player.id)
                .order_by(case((await stands_in(session, near), 0), else_=1), *_NEWEST_FIRST)
                .limit(1)
            )
            found = (await session.exec(newest)).first()
            if found is None:
                return None
            entries = await _entries(session, found.table_id, found.game)
        return Played(found.table_id, found.game, found.seat, entries)


async def _newest(session: AsyncSession, room: RoomRef) -> tuple[int, int, str] | None:
    """Return table and number of the newest game that is over in a room, and who stopped it, if anybody."""
    here = await stands_in(session, room)
    finished = (
        select(ResultRow.finished_at, ResultRow.table_id, ResultRow.game)
        .join(TableRow, col(TableRow.id) == col(ResultRow.table_id))
        .where(here)
        .order_by(*_NEWEST_FIRST)
        .limit(1)
    )
    stopped = (
        select(TableRow.changed_at, TableRow.id, TableRow.game, TableRow.stopped)
        .where(here, col(TableRow.stopped) != "")
        .order_by(col(TableRow.changed_at).desc())
        .limit(1)
    )
    found = [(at, table_id, game, "") for at, table_id, game in (await session.exec(finished)).all()]
    found += [(at, table_id, game, by) for at, table_id, game, by in (await session.exec(stopped)).all()]
    return max(found)[1:] if found else None


async def _entries(session: AsyncSession, table_id: int, game: int) -> list[Entry]:
    query = (
        select(EntryRow)
        .where(EntryRow.table_id == table_id, EntryRow.game == game)
        .order_by(col(EntryRow.version))
    )
    return [entry_of(row) for row in (await session.exec(query)).all()]
