"""The queries behind the tallies: from results for a while, from what was counted on for all time."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Executable, Float, Select, Subquery, case, cast, func, select, text
from sqlalchemy.orm import aliased
from sqlmodel import col

from bot.model.results import LEAST_PEOPLE
from bot.storage.models import GAME, PlayerRow, ResultRow
from bot.storage.nicknames import name_on
from bot.storage.tally_models import DuelRow, TallyRow

COUNTED = col(ResultRow.people) >= LEAST_PEOPLE
PRACTICE = col(ResultRow.people) < LEAST_PEOPLE
_NUMBERS = ("games", "fools", "draws", "first_out", "expected", "epaulettes", "points")
"""What a `Standing` and a `TallyRow` have in common."""


def of_server(at: int, since: float | None) -> list[ColumnElement[bool]]:
    """What is true of the results of a server, from a time on."""
    here = col(ResultRow.server_id) == at
    return [here] if since is None else [here, col(ResultRow.finished_at) >= since]


def that_count(at: int, since: float | None) -> list[ColumnElement[bool]]:
    """What is true of the results to count."""
    return [COUNTED, *of_server(at, since)]


def all_time(at: int, *conditions: ColumnElement[bool]) -> Subquery:
    """Everybody's numbers over all games of a server, as they were counted on."""
    numbers = [col(getattr(TallyRow, name)) for name in _NUMBERS]
    query = select(col(TallyRow.player_id), *numbers)
    return query.where(col(TallyRow.server_id) == at, *conditions).subquery()


def counted(at: int, *conditions: ColumnElement[bool]) -> Subquery:
    """Everybody's numbers, counted from results of which this is true."""
    result = ResultRow
    expected_losers = case((col(result.losers) > 1, col(result.losers)), else_=1)
    numbers = (
        func.count(),
        number_of(col(result.is_loser).is_(True)),
        number_of(col(result.is_draw).is_(True)),
        number_of(col(result.place) == 1),
        cast(func.sum(1.0 * expected_losers / col(result.players)), Float),
        func.sum(col(result.epaulettes)),
        func.sum(col(result.points)),
    )
    named = [number.label(name) for number, name in zip(numbers, _NUMBERS, strict=True)]
    return (
        select(col(result.player_id), *named)
        .where(col(result.server_id) == at, col(result.player_id).is_not(None), *conditions)
        .group_by(col(result.player_id))
        .subquery()
    )


def standings(numbers: Subquery, at: int) -> Select[Any]:
    """These numbers, after the person's platform, id and name on a server."""
    player = PlayerRow
    columns = [numbers.c[name] for name in _NUMBERS]
    return select(col(player.platform), col(player.ref), name_on(at), *columns).join(
        numbers, numbers.c.player_id == col(player.id)
    )


def duel(at: int) -> Executable:
    """The two of whom one was the fool and the other was not most often, as it was counted on."""
    duel = DuelRow
    return (
        select(
            col(duel.one_id), col(duel.other_id), col(duel.one_fools), col(duel.other_fools), col(duel.games)
        )
        .where(col(duel.server_id) == at, col(duel.decided) > 0)
        .order_by(col(duel.decided).desc(), col(duel.games).desc(), col(duel.one_id), col(duel.other_id))
        .limit(1)
    )


def duel_since(that_count: Sequence[ColumnElement[bool]]) -> Executable:
    """The same, counted from results."""
    one, other = ResultRow, aliased(ResultRow)
    lost, lost_too = col(one.is_loser).is_(True), col(other.is_loser).is_(True)
    first, second = number_of(lost & ~lost_too), number_of(lost_too & ~lost)
    is_same_game = (col(one.table_id) == col(other.table_id)) & (col(one.game) == col(other.game))
    return (
        select(col(one.player_id), col(other.player_id), first, second, func.count())
        .join(other, is_same_game & (col(one.player_id) < col(other.player_id)))
        .where(*that_count)
        .group_by(col(one.player_id), col(other.player_id))
        .having(first + second > 0)
        .order_by((first + second).desc(), func.count().desc(), col(one.player_id), col(other.player_id))
        .limit(1)
    )


def lengths(at: int, since: float | None) -> Executable:
    """How many games there were, and how long together, by the suit that was trumps."""
    result = ResultRow
    return (
        select(col(result.trump), func.count(), func.sum(col(result.bouts)), func.sum(col(result.seconds)))
        .where(text(GAME), *of_server(at, since))
        .group_by(col(result.trump))
    )


def number_of(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """How many rows there are of which this is true."""
    return func.sum(case((condition, 1), else_=0))
