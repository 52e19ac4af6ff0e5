"""What is counted on whenever a game ends: who fared how, against whom, and how strong everybody is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, groupby
from typing import Any, Protocol

import structlog
from sqlalchemy import Connection, delete, exists, insert, select, tuple_, update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.results import LEAST_PEOPLE, Rating, rated
from bot.storage.models import ResultRow, ServerRow, table_of
from bot.storage.prepared import execute, replacement
from bot.storage.tally_models import DuelRow, TallyRow

log = structlog.get_logger()

TALLY, DUEL = replacement(TallyRow), replacement(DuelRow)

BATCH = 20_000
"""How many results are read, and rows written, at once when everything is counted anew."""

_TABLES = (TallyRow, DuelRow)
_ORDER = ("finished_at", "table_id", "game", "seat")
"""The columns by which games come in the order in which they ended."""


class Result(Protocol):
    """How a seat fared, as a row of `ResultRow` says it."""

    player_id: int | None
    players: int
    people: int
    losers: int
    place: int | None
    is_loser: bool
    is_draw: bool
    points: int
    epaulettes: int


@dataclass(slots=True)
class PersonTally:
    """A row of `TallyRow`."""

    server_id: int
    player_id: int
    games: int = 0
    fools: int = 0
    draws: int = 0
    first_out: int = 0
    expected: float = 0.0
    epaulettes: int = 0
    points: int = 0
    strength: float = Rating().strength
    doubt: float = Rating().doubt


@dataclass(slots=True)
class DuelTally:
    """A row of `DuelRow`."""

    server_id: int
    one_id: int
    other_id: int
    games: int = 0
    one_fools: int = 0
    other_fools: int = 0
    decided: int = 0


class Tallies:
    """Tallies of a server, to which games are added in the order in which they end."""

    def __init__(
        self, server: int, tallies: Iterable[PersonTally] = (), duels: Iterable[DuelTally] = ()
    ) -> None:
        """Begin with what is known of those who will be counted."""
        self._server = server
        self._tallies = {each.player_id: each for each in tallies}
        self._duels = {(each.one_id, each.other_id): each for each in duels}

    @property
    def tallies(self) -> list[PersonTally]:
        """One for each person."""
        return list(self._tallies.values())

    @property
    def duels(self) -> list[DuelTally]:
        """One for each two people who met."""
        return list(self._duels.values())

    def add(self, seats: Sequence[Result]) -> Mapping[int, float]:
        """Count a game, if it counts; gives by how much each person's rating has changed."""
        if seats[0].people < LEAST_PEOPLE:
            return {}
        people = [(seat.player_id, seat) for seat in seats if seat.player_id is not None]
        own = [self._tally_of(person) for person, _ in people]
        before = [Rating(tally.strength, tally.doubt) for tally in own]
        ratings = rated(
            before,
            [seat for _, seat in people],
            seats=len(seats),
            is_draw=seats[0].is_draw,
        )
        for tally, (_, seat), rating in zip(own, people, ratings, strict=True):
            tally.games += 1
            tally.fools += seat.is_loser
            tally.draws += seat.is_draw
            tally.first_out += seat.place == 1
            tally.expected += max(1, seat.losers) / seat.players
            tally.epaulettes += seat.epaulettes
            tally.points += seat.points
            tally.strength, tally.doubt = rating.strength, rating.doubt
        for (one, first), (other, second) in combinations(sorted(people, key=lambda pair: pair[0]), 2):
            duel = self._duels.setdefault((one, other), DuelTally(self._server, one, other))
            duel.games += 1
            duel.one_fools += first.is_loser and not second.is_loser
            duel.other_fools += second.is_loser and not first.is_loser
            duel.decided = duel.one_fools + duel.other_fools
        changes = (after.points - then.points for then, after in zip(before, ratings, strict=True))
        return dict(zip((person for person, _ in people), changes, strict=True))

    def _tally_of(self, person: int) -> PersonTally:
        return self._tallies.setdefault(person, PersonTally(self._server, person))


async def count_game(session: AsyncSession, server: int, seats: Sequence[ResultRow]) -> None:
    """Add a game to the tallies of those who played, in the transaction that puts its results on record.

    The results are told what the game has changed in people's ratings.
    """
    people = [seat.player_id for seat in seats if seat.player_id is not None]
    # On PostgreSQL two games of a server may end at the same moment: one after the other.
    connection = await session.connection()
    await connection.execute(
        select(col(ServerRow.id)).where(col(ServerRow.id) == server).with_for_update(key_share=True)
    )
    tally = select(table_of(TallyRow)).where(
        col(TallyRow.server_id) == server, col(TallyRow.player_id).in_(people)
    )
    duel = select(table_of(DuelRow)).where(
        col(DuelRow.server_id) == server, col(DuelRow.one_id).in_(people), col(DuelRow.other_id).in_(people)
    )
    counted = Tallies(
        server,
        [PersonTally(*row) for row in await connection.execute(tally)],
        [DuelTally(*row) for row in await connection.execute(duel)],
    )
    changes = counted.add(seats)
    for seat in seats:
        seat.rating_change = None if seat.player_id is None else changes.get(seat.player_id)
    await execute(session, *((TALLY, asdict(each)) for each in counted.tallies))
    await execute(session, *((DUEL, asdict(each)) for each in counted.duels))


async def hand_tallies_on(session: AsyncSession, before: int, after: int) -> None:
    """Let the tallies of a server go over to another one, to which its results have gone already."""
    connection = await session.connection()
    met = (await connection.execute(select(exists().where(col(TallyRow.server_id) == after)))).scalar()
    for model in _TABLES:
        table = table_of(model)
        mine = table.c.server_id == before
        await connection.execute(
            delete(table).where(mine) if met else update(table).where(mine).values(server_id=after)
        )
    if met:
        await connection.run_sync(recount, after)


def count_what_was_not_counted(connection: Connection) -> None:
    """Count everything anew if there is no tally at all, as in a database that knows results only."""
    if connection.execute(select(exists().select_from(table_of(TallyRow)))).scalar():
        return
    for server in connection.execute(select(col(ResultRow.server_id)).distinct()).scalars().all():
        log.info("tallies_counted", server=server)
        recount(connection, server)


def recount(connection: Connection, server: int) -> None:
    """Count all games of a server anew."""
    counted = Tallies(server)
    for game in _games(connection, server):
        counted.add(game)
    for model, rows in ((TallyRow, counted.tallies), (DuelRow, counted.duels)):
        table = table_of(model)
        connection.execute(delete(table).where(table.c.server_id == server))
        for begin in range(0, len(rows), BATCH):
            connection.execute(insert(table), [asdict(row) for row in rows[begin : begin + BATCH]])


def _games(connection: Connection, server: int) -> Iterator[list[Result]]:
    """Return the results of a server's games that count, game by game, in the order in which they ended."""
    for _, seats in groupby(_results(connection, server), key=lambda row: (row.table_id, row.game)):
        yield list(seats)


def _results(connection: Connection, server: int) -> Iterator[Any]:
    table = table_of(ResultRow)
    order = [table.c[name] for name in _ORDER]
    query = (
        select(table)
        .where(table.c.server_id == server, table.c.people >= LEAST_PEOPLE)
        .order_by(*order)
        .limit(BATCH)
    )
    rows = connection.execute(query).all()
    while rows:
        yield from rows
        last = [getattr(rows[-1], name) for name in _ORDER]
        rows = connection.execute(query.where(tuple_(*order) > tuple_(*last))).all()
