"""One person's games, read from the results."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from adapters.port import UserRef
from bot.model.standings import LEAST_PEOPLE, FinishedGame, SeatResult
from bot.storage.models import PlayerRow, ResultRow
from bot.storage.nicknames import name_on

_HOUSE = (None, "")


def games_of(connection: Connection, server: int, player: int | None) -> Iterator[FinishedGame]:
    """Return the games that count of one person on a server, the oldest first."""
    own, result = aliased(ResultRow), ResultRow
    theirs = (
        col(own.player_id) == player,
        col(own.server_id) == server,
        col(own.people) >= LEAST_PEOPLE,
        col(result.table_id) == col(own.table_id),
        col(result.game) == col(own.game),
    )
    columns = (
        "table_id", "game", "finished_at", "is_draw", "trump", "bouts", "seconds", "player_id", "place",
        "is_loser",
    )  # fmt: skip
    query = (
        select(*(col(getattr(result, name)) for name in columns))
        .where(*theirs)
        .order_by(col(result.finished_at), col(result.table_id), col(result.game), col(result.seat))
    )
    everybody = select(col(PlayerRow.id), col(PlayerRow.platform), col(PlayerRow.ref), name_on(server)).where(
        col(PlayerRow.id).in_(select(col(result.player_id)).where(*theirs))
    )
    people = {row[0]: (UserRef(row[1], row[2]), row[3]) for row in connection.execute(everybody)}
    for _, seats in groupby(connection.execute(query), key=lambda row: (row[0], row[1])):
        yield _game(list(seats), people)


def _game(rows: Sequence[Any], people: Mapping[int, tuple[UserRef, str]]) -> FinishedGame:
    _, _, at, is_draw, trump, bouts, seconds, *_ = rows[0]
    seats = tuple(SeatResult(*people.get(row[7], _HOUSE), *row[8:]) for row in rows)
    return FinishedGame(at, is_draw, seats, trump, bouts, seconds)
