"""Finished games, as they were played."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import and_, case, false, literal, text, true, tuple_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import RoomRef, ServerRef, UserRef
from bot.model.results import LEAST_PEOPLE
from bot.model.table import Player
from bot.storage.database import Database
from bot.storage.identities import SERVER, STANDS_IN, in_room, player_row, server_id
from bot.storage.journal import entry_of
from bot.storage.models import STOPPED, EntryRow, ResultRow, SeatRow, TableRow
from engine import Opening, Record, Seat, Stop, parse_action, seed_hash
from engine.runtime import Entry

SOMEBODY = "somebody"
"""The platform of people whom it does not matter to know: no chat has this name."""

_IS_RESULT_OF_SEAT = and_(
    col(ResultRow.table_id) == col(SeatRow.table_id),
    col(ResultRow.game) == col(SeatRow.of_game),
    col(ResultRow.seat) == col(SeatRow.seat),
)

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


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that is over: since when, and who sat there, each with whether they lost."""

    table_id: int
    game: int
    at: float
    seats: tuple[tuple[Player, bool], ...]
    is_stopped: bool


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
            return await _finished(session, table_id, game, stopped)

    async def finished(self, server: ServerRef, table_id: int, game: int) -> tuple[PastGame, Record] | None:
        """Return a game of a server that was played to its end, or stopped, with its record."""
        async with self._database.reading() as session:
            here = await server_id(session, server)
            played_out = select(ResultRow.finished_at, literal("")).where(
                ResultRow.server_id == here, ResultRow.table_id == table_id, ResultRow.game == game
            )
            stopped = select(TableRow.changed_at, TableRow.stopped).where(
                TableRow.server_id == here,
                TableRow.id == table_id,
                TableRow.game == game,
                TableRow.stopped != "",
            )
            over = (await session.exec(played_out)).first() or (await session.exec(stopped)).first()
            if over is None:
                return None
            at, stopped_by = over
            found = await _finished(session, table_id, game, stopped_by)
            seats = await _seats(session, {table_id})
        return PastGame(table_id, game, at, seats[table_id, game], bool(stopped_by)), found.record

    async def newest_games(self, server: ServerRef, most: int) -> list[PastGame]:
        """Return the games of a server that were over last, the newest first."""
        async with self._database.reading() as session:
            here = await server_id(session, server)
            played_out = (
                select(ResultRow.finished_at, ResultRow.table_id, ResultRow.game, false())
                .where(ResultRow.server_id == here, ResultRow.seat == 0)
                .order_by(*_NEWEST_FIRST)
                .limit(most)
            )
            stopped = (
                select(TableRow.changed_at, TableRow.id, TableRow.game, true())
                .where(TableRow.server_id == here, text(STOPPED))
                .order_by(col(TableRow.changed_at).desc())
                .limit(most)
            )
            games = [*(await session.exec(played_out)).all(), *(await session.exec(stopped)).all()]
            games = sorted(games, reverse=True)[:most]
            seats = await _seats(session, {table_id for _, table_id, _, _ in games})
        return [
            PastGame(table_id, game, at, seats[table_id, game], is_stopped)
            for at, table_id, game, is_stopped in games
        ]

    async def rating_changes(self, table_id: int, game: int) -> Mapping[Seat, float]:
        """Return by how much a finished game has changed the rating of who sat on each seat, if it did."""
        query = select(ResultRow.seat, ResultRow.rating_change).where(
            ResultRow.table_id == table_id, ResultRow.game == game
        )
        async with self._database.reading() as session:
            rows = (await session.exec(query)).all()
        return {seat: change for seat, change in rows if change is not None}

    async def losses_before(self, table_id: int, game: int) -> Mapping[Seat, int]:
        """Return how many games in a row the people of a finished game had lost on its server before it.

        By seat; games count as they do for tallies, so there is nothing to tell of one that does not.
        """
        here = select(ResultRow).where(
            ResultRow.table_id == table_id,
            ResultRow.game == game,
            col(ResultRow.player_id).is_not(None),
            ResultRow.people >= LEAST_PEOPLE,
        )
        when = col(ResultRow.finished_at), col(ResultRow.game)
        async with self._database.reading() as session:
            seats = {row.player_id: row for row in (await session.exec(here)).all()}
            if not seats:
                return {}
            now = next(iter(seats.values()))
            earlier = select(*when, col(ResultRow.player_id), col(ResultRow.is_loser)).where(
                ResultRow.server_id == now.server_id,
                ResultRow.people >= LEAST_PEOPLE,
                col(ResultRow.player_id).in_(seats),
                tuple_(*when) < (now.finished_at, now.game),
            )
            played = sorted((await session.exec(earlier)).all())
        lost = dict.fromkeys(seats, 0)
        for *_, player, is_loser in played:
            lost[player] = lost[player] + 1 if is_loser else 0
        return {row.seat: lost[player] for player, row in seats.items()}

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
                .order_by(case((STANDS_IN, 0), else_=1), *_NEWEST_FIRST)
                .limit(1)
                .params(in_room(near))
            )
            return await _played(session, (await session.exec(newest)).first())

    async def played_by(self, user: UserRef, table_id: int, game: int) -> Played | None:
        """Return a game if this person finished it."""
        async with self._database.reading() as session:
            player = await player_row(session, user)
            if player is None:
                return None
            query = select(ResultRow).where(
                ResultRow.player_id == player.id, ResultRow.table_id == table_id, ResultRow.game == game
            )
            return await _played(session, (await session.exec(query)).first())


async def _played(session: AsyncSession, result: ResultRow | None) -> Played | None:
    if result is None:
        return None
    entries = await _entries(session, result.table_id, result.game)
    return Played(result.table_id, result.game, result.seat, entries)


async def _finished(session: AsyncSession, table_id: int, game: int, stopped: str) -> Finished:
    """Read a game that is over, with its players as remarks."""
    entries = await _entries(session, table_id, game)
    query = select(SeatRow).where(SeatRow.table_id == table_id, SeatRow.of_game == game)
    seats = (await session.exec(query.order_by(col(SeatRow.seat)))).all()
    opening = Opening.from_text(entries[0].text)
    called = tuple(" ".join(row.name.split()) for row in seats)
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


async def _seats(
    session: AsyncSession, tables: Collection[int]
) -> Mapping[tuple[int, int], tuple[tuple[Player, bool], ...]]:
    """Return who sits at each table's newest games, each with whether they lost, by table and game."""
    query = (
        select(SeatRow, ResultRow.is_loser)
        .join(ResultRow, _IS_RESULT_OF_SEAT, isouter=True)
        .where(col(SeatRow.table_id).in_(tables))
        .order_by(col(SeatRow.seat))
    )
    sat = defaultdict[tuple[int, int], list[tuple[Player, bool]]](list)
    for row, is_loser in (await session.exec(query)).all():
        sat[row.table_id, row.of_game].append((_player(row), bool(is_loser)))
    return {game: tuple(seats) for game, seats in sat.items()}


def _player(row: SeatRow) -> Player:
    """Return who sat on a seat; of people it is known that they are no house players, and no more."""
    return Player(row.name, None if row.player_id is None else UserRef(SOMEBODY, str(row.player_id)))


async def _newest(session: AsyncSession, room: RoomRef) -> tuple[int, int, str] | None:
    """Return table and number of the newest game that is over in a room, and who stopped it, if anybody."""
    finished = (
        select(ResultRow.finished_at, ResultRow.table_id, ResultRow.game)
        .join(TableRow, col(TableRow.id) == col(ResultRow.table_id))
        .where(STANDS_IN, col(ResultRow.server_id) == SERVER.id)  # found by an index, the newest first
        .order_by(*_NEWEST_FIRST)
        .limit(1)
        .params(in_room(room))
    )
    stopped = (
        select(TableRow.changed_at, TableRow.id, TableRow.game, TableRow.stopped)
        .where(STANDS_IN, text(STOPPED))
        .order_by(col(TableRow.changed_at).desc())
        .limit(1)
        .params(in_room(room))
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
