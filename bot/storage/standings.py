"""Questions to the results on record, and to what is counted from them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Subquery,
    case,
    func,
    select,
)
from sqlmodel import col

from adapters.port import ServerRef, User, UserRef
from bot.model.results import (
    DOUBTS,
    LEAST_GAMES,
    PRIOR,
    Career,
    Rating,
    RatingPlace,
    Rivalry,
    Standing,
    Summary,
    career_of,
)
from bot.storage.careers import duels_of, houses_beaten, results_of
from bot.storage.database import Database
from bot.storage.models import PlayerRow, ResultRow, ServerRow, table_of
from bot.storage.nicknames import name_on
from bot.storage.standing_queries import (
    PRACTICE,
    all_time,
    counted,
    duel,
    duel_since,
    lengths,
    standings,
    that_count,
)
from bot.storage.tally_models import TallyRow

_POINTS = col(TallyRow.strength) - DOUBTS * col(TallyRow.doubt)

T = TypeVar("T")


class StandingsStore:
    """The tallies of servers; `since` is the Unix time from which games count, None for all of them.

    What all games tell is counted on whenever one ends; a shorter time is counted when somebody asks.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(
        self, server: ServerRef, since: float | None = None, most: int | None = None
    ) -> list[Standing]:
        """Rank everybody who finished a game on a server, the least foolish first; at most so many.

        Those who might be champions stand before those who have not played enough for it.
        """
        return await self._ranked(server, since, _best_first, most)

    async def fools(
        self, server: ServerRef, since: float | None = None, most: int | None = None
    ) -> list[Standing]:
        """Rank everybody who finished a game on a server, the most frequent fool first; at most so many."""
        return await self._ranked(server, since, lambda of: (of.fools.desc(), of.games), most)

    async def stats(self, server: ServerRef, user: UserRef) -> Standing | None:
        """Return one person's tally; None when they finished no game that counts."""
        return await self._of_one(
            server, user, lambda at, player: all_time(at, col(TallyRow.player_id) == player)
        )

    async def practice(self, server: ServerRef, user: UserRef) -> Standing | None:
        """Return one person's tally against house players alone, which is in no other tally; None without."""
        return await self._of_one(
            server, user, lambda at, player: counted(at, PRACTICE, col(ResultRow.player_id) == player)
        )

    async def rating(self, server: ServerRef, user: UserRef) -> RatingPlace | None:
        """Return one person's rating, and their place on the leaderboard; None without games that count."""

        def ask(connection: Connection, at: int) -> RatingPlace | None:
            ranked = (
                select(
                    col(TallyRow.player_id),
                    _POINTS.label("points"),
                    func.rank().over(order_by=_best_first(table_of(TallyRow).columns)).label("place"),
                    func.count().over().label("everybody"),
                )
                .where(col(TallyRow.server_id) == at)
                .subquery()
            )
            own = select(ranked.c.points, ranked.c.place, ranked.c.everybody).where(
                ranked.c.player_id == _player(connection, user)
            )
            row = connection.execute(own).first()
            return None if row is None else RatingPlace(*row)

        return await self._ask(server, ask, None)

    async def ratings(self, server: ServerRef) -> dict[UserRef, Rating]:
        """Return the ratings of everybody who finished a game that counts."""
        query = select(
            col(PlayerRow.platform), col(PlayerRow.ref), col(TallyRow.strength), col(TallyRow.doubt)
        ).join(TallyRow, col(TallyRow.player_id) == col(PlayerRow.id))

        def ask(connection: Connection, at: int) -> dict[UserRef, Rating]:
            rows = connection.execute(query.where(col(TallyRow.server_id) == at))
            return {UserRef(platform, ref): Rating(*rating) for platform, ref, *rating in rows}

        return await self._ask(server, ask, {})

    async def people(self, server: ServerRef) -> list[User]:
        """Return everybody who finished a game that counts, as they are called there."""

        def ask(connection: Connection, at: int) -> list[User]:
            query = (
                select(col(PlayerRow.platform), col(PlayerRow.ref), name_on(at))
                .join(TallyRow, col(TallyRow.player_id) == col(PlayerRow.id))
                .where(col(TallyRow.server_id) == at)
            )
            return [User(UserRef(platform, ref), name) for platform, ref, name in connection.execute(query)]

        return await self._ask(server, ask, [])

    async def career(self, server: ServerRef, user: UserRef) -> Career:
        """Tell how a person's games that count went, one after the other, and against whom."""

        def ask(connection: Connection, at: int) -> Career:
            player = _player(connection, user)
            if player is None:
                return career_of(())
            of = (connection, at, player)
            return career_of(results_of(*of), duels_of(*of), houses_beaten(*of))

        return await self._ask(server, ask, career_of(()))

    async def summary(self, server: ServerRef, since: float | None = None) -> Summary:
        """Say what the games were like."""

        def ask(connection: Connection, at: int) -> Summary:
            rows = connection.execute(lengths(at, since)).all()
            most_decided = duel(at) if since is None else duel_since(that_count(at, since))
            return _summary(rows, _rivalry(connection, most_decided, at))

        return await self._ask(server, ask, Summary(0))

    async def _ranked(
        self,
        server: ServerRef,
        since: float | None,
        order: Callable[[Any], Sequence[ColumnElement[Any]]],
        most: int | None,
    ) -> list[Standing]:
        def ask(connection: Connection, at: int) -> list[Standing]:
            numbers = all_time(at) if since is None else counted(at, *that_count(at, since))
            query = standings(numbers, at).order_by(*order(numbers.c), numbers.c.player_id).limit(most)
            return [_standing(row) for row in connection.execute(query)]

        return await self._ask(server, ask, [])

    async def _of_one(
        self, server: ServerRef, user: UserRef, numbers: Callable[[int, int | None], Subquery]
    ) -> Standing | None:
        def ask(connection: Connection, at: int) -> Standing | None:
            row = connection.execute(standings(numbers(at, _player(connection, user)), at)).first()
            return None if row is None else _standing(row)

        return await self._ask(server, ask, None)

    async def _ask(self, server: ServerRef, ask: Callable[[Connection, int], T], nothing: T) -> T:
        """Ask about a server, which has an id if anything ever happened there."""

        def work(connection: Connection) -> T:
            query = select(col(ServerRow.id)).where(
                col(ServerRow.platform) == server.platform, col(ServerRow.ref) == server.id
            )
            at = connection.execute(query).scalar()
            return nothing if at is None else ask(connection, at)

        return await self._database.report(work)


def _best_first(of: Any) -> Sequence[ColumnElement[Any]]:
    """Return what a leaderboard sorts by, as `Standing.rank` does; `of` has the columns of a tally."""
    index = (of.fools + PRIOR) / (of.expected + PRIOR)
    is_new = case((of.games >= LEAST_GAMES, 0), else_=1)
    return is_new, func.round(index * 1e9), of.games.desc()


def _player(connection: Connection, user: UserRef) -> int | None:
    query = select(col(PlayerRow.id)).where(
        col(PlayerRow.platform) == user.platform, col(PlayerRow.ref) == user.id
    )
    return connection.execute(query).scalar()


def _standing(row: Any) -> Standing:
    platform, ref, *rest = row
    return Standing(UserRef(platform, ref), *rest)


def _summary(rows: Sequence[Any], rivalry: Rivalry | None) -> Summary:
    noted = [row for row in rows if row[0]]
    games = sum(row[1] for row in noted) or 1
    return Summary(
        games=sum(row[1] for row in rows),
        bouts=sum(row[2] for row in noted) / games,
        seconds=sum(row[3] for row in noted) / games,
        trumps=tuple(sorted(((row[0], row[1]) for row in noted), key=lambda pair: (-pair[1], pair[0]))),
        rivalry=rivalry,
    )


def _rivalry(connection: Connection, duel: Executable, at: int) -> Rivalry | None:
    for one, other, one_fools, other_fools, games in connection.execute(duel):
        both = select(col(PlayerRow.id), name_on(at)).where(col(PlayerRow.id).in_((one, other)))
        names = {row[0]: row[1] for row in connection.execute(both)}
        return Rivalry((names[one], names[other]), (one_fools, other_fools), games)
    return None
