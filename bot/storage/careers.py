"""One person's games on a server: each from its result, and against whom as it was counted on."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, case, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from adapters.port import UserRef
from bot.model.results import LEAST_PEOPLE, Duel, GameResult
from bot.storage.models import PlayerRow, ResultRow
from bot.storage.nicknames import name_on
from bot.storage.tally_models import DuelRow, TallyRow


def results_of(connection: Connection, server: int, player: int) -> Iterator[GameResult]:
    """Return how the games that count ended for one person on a server, the oldest first."""
    result = ResultRow
    order = (col(result.finished_at), col(result.table_id), col(result.game))
    query = select(
        *order,
        col(result.place),
        col(result.is_loser),
        col(result.is_draw),
        col(result.trump),
        col(result.bouts),
        col(result.seconds),
    ).where(
        col(result.player_id) == player,
        col(result.server_id) == server,
        col(result.people) >= LEAST_PEOPLE,
    )
    # Asked for an order, SQLite would read all games of the server in that order to find this person's.
    rows: list[Any] = sorted(connection.execute(query), key=itemgetter(0, 1, 2))
    for _, _, _, *numbers in rows:
        yield GameResult(*numbers)


def houses_beaten(connection: Connection, server: int, player: int) -> int:
    """Return how often a house player lost a game that counts, and this person did not."""
    own, house = aliased(ResultRow), aliased(ResultRow)
    query = (
        select(func.count())
        .select_from(own)
        .join(house, (col(house.table_id) == col(own.table_id)) & (col(house.game) == col(own.game)))
        .where(
            col(own.player_id) == player,
            col(own.server_id) == server,
            col(own.people) >= LEAST_PEOPLE,
            col(own.people) < col(own.players),
            col(own.is_loser).is_(False),
            col(house.player_id).is_(None),
            col(house.is_loser).is_(True),
        )
    )
    return connection.execute(query).scalar_one()


def duels_of(connection: Connection, server: int, player: int) -> Iterator[Duel]:
    """Return how one person fared against everybody they met on a server."""
    rival, duel = PlayerRow, DuelRow
    is_one = col(rival.id) < player  # of two people, `one_id` is the smaller id
    query = (
        select(
            col(rival.platform),
            col(rival.ref),
            name_on(server),
            col(duel.games),
            case((is_one, col(duel.other_fools)), else_=col(duel.one_fools)),
            case((is_one, col(duel.one_fools)), else_=col(duel.other_fools)),
        )
        .join(TallyRow, col(TallyRow.player_id) == col(rival.id))
        .join(duel, col(duel.server_id) == col(TallyRow.server_id))
        .where(
            col(TallyRow.server_id) == server,
            col(duel.one_id) == case((is_one, col(rival.id)), else_=player),
            col(duel.other_id) == case((is_one, player), else_=col(rival.id)),
        )
    )
    for platform, ref, *numbers in connection.execute(query):
        yield Duel(UserRef(platform, ref), *numbers)
