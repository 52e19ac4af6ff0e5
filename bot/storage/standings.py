"""Who is the fool how often: questions to the results on record, never counters."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, case, func, select
from sqlmodel import col

from adapters.port import ServerRef, UserRef
from bot.storage.database import Database
from bot.storage.identities import player_row, server_id
from bot.storage.models import PlayerRow, ResultRow

LEAST_PEOPLE = 2
"""A game counts when at least so many people (not house players) sat at the table."""

PRIOR = 3.0
"""Games' worth of an average player that everybody is given, so that one unlucky evening is not a verdict."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody fared; `expected` is how often an average player would have lost the same games."""

    user: UserRef
    name: str
    games: int
    fools: int
    draws: int
    first_out: int
    expected: float

    @property
    def index(self) -> float:
        """The fool index: 1 is average, lower is better; fair across table sizes."""
        return (self.fools + PRIOR) / (self.expected + PRIOR)


class Standings:
    """The tallies of servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, server: ServerRef, since: float | None = None) -> list[Standing]:
        """Rank everybody who finished a game on a server, the least foolish first."""
        everybody = await self._standings(server, since)
        return sorted(everybody, key=lambda row: (round(row.index, 9), -row.games, row.name.casefold()))

    async def fools(self, server: ServerRef, since: float | None = None) -> list[Standing]:
        """Rank everybody who finished a game on a server, the most frequent fool first."""
        everybody = await self._standings(server, since)
        return sorted(everybody, key=lambda row: (-row.fools, row.games, row.name.casefold()))

    async def stats(self, server: ServerRef, user: UserRef) -> Standing | None:
        """Give one person's tally; None when they finished no game that counts."""
        async with self._database.session() as session:
            player = await player_row(session, user)
        if player is None:
            return None
        return next(iter(await self._standings(server, None, col(ResultRow.player_id) == player.id)), None)

    async def _standings(
        self, server: ServerRef, since: float | None, *conditions: ColumnElement[bool]
    ) -> list[Standing]:
        result, player = ResultRow, PlayerRow
        query = (
            select(
                col(player.platform),
                col(player.ref),
                col(player.name),
                func.count(),
                _number_of(col(result.is_loser).is_(True)),
                _number_of(col(result.is_draw).is_(True)),
                _number_of(col(result.place) == 1),
                func.sum(1.0 * col(result.losers) / col(result.players)),
            )
            .join(result, col(result.player_id) == col(player.id))
            .where(col(result.people) >= LEAST_PEOPLE, *conditions)
            .group_by(col(player.id), col(player.platform), col(player.ref), col(player.name))
        )
        if since is not None:
            query = query.where(col(result.finished_at) >= since)
        async with self._database.session() as session:
            query = query.where(col(result.server_id) == await server_id(session, server))
            rows = (await (await session.connection()).execute(query)).all()
        return [Standing(UserRef(row[0], row[1]), *row[2:7], expected=float(row[7])) for row in rows]


def _number_of(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))
