"""Questions to the results on record."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Executable, Float, case, cast, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.port import ServerRef, UserRef
from bot.model.standings import LEAST_PEOPLE, FinishedGame, Rivalry, SeatResult, Standing, Summary
from bot.storage.database import Database
from bot.storage.identities import player_row, server_id
from bot.storage.models import PlayerRow, ResultRow
from bot.storage.nicknames import name_on

_HOUSE = (None, "")
_COUNTED = col(ResultRow.people) >= LEAST_PEOPLE
_PRACTICE = col(ResultRow.people) < LEAST_PEOPLE


class StandingsStore:
    """The tallies of servers; `since` is the Unix time from which games count, None for all of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, server: ServerRef, since: float | None = None) -> list[Standing]:
        """Rank everybody who finished a game on a server, the least foolish first.

        Those who might be champions stand before those who have not played enough for it.
        """
        everybody = await self._standings(server, since)
        return sorted(
            everybody,
            key=lambda row: (not row.is_proven, round(row.index, 9), -row.games, row.name.casefold()),
        )

    async def fools(self, server: ServerRef, since: float | None = None) -> list[Standing]:
        """Rank everybody who finished a game on a server, the most frequent fool first."""
        everybody = await self._standings(server, since)
        return sorted(everybody, key=lambda row: (-row.fools, row.games, row.name.casefold()))

    async def stats(self, server: ServerRef, user: UserRef) -> Standing | None:
        """Return one person's tally; None when they finished no game that counts."""
        return await self._of_one(server, user, _COUNTED)

    async def practice(self, server: ServerRef, user: UserRef) -> Standing | None:
        """Return one person's tally against house players alone, which is in no other tally; None without."""
        return await self._of_one(server, user, _PRACTICE)

    async def games(self, server: ServerRef) -> list[FinishedGame]:
        """Return the games that count, the oldest first."""
        result, player = ResultRow, PlayerRow
        query = select(
            col(result.table_id),
            col(result.game),
            col(result.finished_at),
            col(result.is_draw),
            col(result.trump),
            col(result.bouts),
            col(result.seconds),
            col(result.player_id),
            col(result.place),
            col(result.is_loser),
        ).order_by(col(result.finished_at), col(result.table_id), col(result.game), col(result.seat))
        async with self._database.reading() as session:
            that_count = await _that_count(session, server)
            rows = await _rows(session, query.where(*that_count))
            their_ids = select(col(result.player_id)).where(*that_count)
            name = name_on(await server_id(session, server))
            everybody = select(col(player.id), col(player.platform), col(player.ref), name).where(
                col(player.id).in_(their_ids)
            )
            people = {row[0]: (UserRef(row[1], row[2]), row[3]) for row in await _rows(session, everybody)}
        by_game = groupby(rows, key=lambda row: (row[0], row[1]))
        return [_game(list(seats), people) for _, seats in by_game]

    async def summary(self, server: ServerRef, since: float | None = None) -> Summary:
        """Say what the games were like."""
        result = ResultRow
        query = (
            select(
                col(result.trump), func.count(), func.sum(col(result.bouts)), func.sum(col(result.seconds))
            )
            .where(col(result.seat) == 0)  # one row for each game
            .group_by(col(result.trump))
        )
        async with self._database.reading() as session:
            that_count = await _that_count(session, server, since)
            rows = await _rows(session, query.where(*that_count))
            rivalry = await _rivalry(session, that_count, name_on(await server_id(session, server)))
        noted = [row for row in rows if row[0]]
        games = sum(row[1] for row in noted) or 1
        return Summary(
            games=sum(row[1] for row in rows),
            bouts=sum(row[2] for row in noted) / games,
            seconds=sum(row[3] for row in noted) / games,
            trumps=tuple(sorted(((row[0], row[1]) for row in noted), key=lambda pair: (-pair[1], pair[0]))),
            rivalry=rivalry,
        )

    async def _of_one(self, server: ServerRef, user: UserRef, which: ColumnElement[bool]) -> Standing | None:
        async with self._database.reading() as session:
            player = await player_row(session, user)
        if player is None:
            return None
        own = col(ResultRow.player_id) == player.id
        return next(iter(await self._standings(server, None, own, which=which)), None)

    async def _standings(
        self,
        server: ServerRef,
        since: float | None,
        *conditions: ColumnElement[bool],
        which: ColumnElement[bool] = _COUNTED,
    ) -> list[Standing]:
        result, player = ResultRow, PlayerRow
        expected_losers = case((col(result.losers) > 1, col(result.losers)), else_=1)
        async with self._database.reading() as session:
            name = name_on(await server_id(session, server))
        query = (
            select(
                col(player.platform),
                col(player.ref),
                name,
                func.count(),
                _number_of(col(result.is_loser).is_(True)),
                _number_of(col(result.is_draw).is_(True)),
                _number_of(col(result.place) == 1),
                cast(func.sum(1.0 * expected_losers / col(result.players)), Float),
                func.sum(col(result.epaulettes)),
                func.sum(col(result.points)),
            )
            .join(result, col(result.player_id) == col(player.id))
            .where(*conditions)
            .group_by(col(player.id), col(player.platform), col(player.ref), col(player.name))
        )
        async with self._database.reading() as session:
            rows = await _rows(session, query.where(*await _that_count(session, server, since, which)))
        return [Standing(UserRef(row[0], row[1]), *row[2:]) for row in rows]


async def _that_count(
    session: AsyncSession,
    server: ServerRef,
    since: float | None = None,
    which: ColumnElement[bool] = _COUNTED,
) -> list[ColumnElement[bool]]:
    """What is true of the results to count."""
    conditions = [which, col(ResultRow.server_id) == await server_id(session, server)]
    return conditions if since is None else [*conditions, col(ResultRow.finished_at) >= since]


async def _rows(session: AsyncSession, query: Executable) -> Sequence[Any]:
    return (await (await session.connection()).execute(query)).all()


async def _rivalry(
    session: AsyncSession, that_count: Sequence[ColumnElement[bool]], name: ColumnElement[str]
) -> Rivalry | None:
    """Find the two of whom one was the fool and the other was not most often."""
    one, other = ResultRow, aliased(ResultRow)
    lost, lost_too = col(one.is_loser).is_(True), col(other.is_loser).is_(True)
    first, second = _number_of(lost & ~lost_too), _number_of(lost_too & ~lost)
    query = (
        select(col(one.player_id), col(other.player_id), first, second, func.count())
        .join(other, _same_game(other) & (col(one.player_id) < col(other.player_id)))
        .where(*that_count)
        .group_by(col(one.player_id), col(other.player_id))
        .having(first + second > 0)
        .order_by((first + second).desc(), func.count().desc(), col(one.player_id), col(other.player_id))
        .limit(1)
    )
    for one_id, other_id, one_fools, other_fools, games in await _rows(session, query):
        both = select(col(PlayerRow.id), name).where(col(PlayerRow.id).in_((one_id, other_id)))
        names = {row[0]: row[1] for row in await _rows(session, both)}
        return Rivalry((names[one_id], names[other_id]), (one_fools, other_fools), games)
    return None


def _same_game(other: type[ResultRow]) -> ColumnElement[bool]:
    return (col(ResultRow.table_id) == col(other.table_id)) & (col(ResultRow.game) == col(other.game))


def _number_of(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _game(rows: Sequence[Any], people: Mapping[int, tuple[UserRef, str]]) -> FinishedGame:
    _, _, at, is_draw, trump, bouts, seconds, *_ = rows[0]
    seats = tuple(SeatResult(*people.get(row[7], _HOUSE), *row[8:]) for row in rows)
    return FinishedGame(at, is_draw, seats, trump, bouts, seconds)
