"""The highlights of a server's week, and its seasons."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from adapters.port import ServerRef
from bot.model.cup import CupPhase
from bot.model.results import MIN_STREAK, Counted, Highlight, Ranking, Season, Standing, first_of
from bot.storage import tallies
from bot.storage.database import Store, reports
from bot.storage.models import (
    CardGameRow,
    CardSeatRow,
    CupRow,
    MonthGamesRow,
    PlayerRow,
    ResultRow,
    ServerRow,
)
from bot.storage.people import id_of, name_on
from bot.storage.records import record_of
from bot.storage.standings import (
    DAY_SECONDS,
    count_card_games,
    counted_card_games,
    numbers_of,
    rank,
    sums_of_months,
)
from engine import TakenUp

MAX_STREAK_SECONDS = 60 * DAY_SECONDS  # a streak that ends in a week began at most so long before it
MAX_SHARING = 16  # the largest number of people on one place of the hall of fame
MAX_CUPS_A_SEASON = 5  # the newest cups of a season that are in the hall of fame
MAX_REPLAYED = 300  # the biggest take is searched in so many of a week's newest games


class WeekStore(Store):
    """The weeks and seasons of servers."""

    @reports
    def highlights(
        self,
        session: Session,
        server: ServerRef,
        since: float,
        until: float,
        counted: Counted = Counted.HERE,
    ) -> tuple[Highlight | None, Highlight | None]:
        """Returns the longest losing streak that ended in a period, and its biggest take."""
        at = id_of(session, ServerRow, server)
        streak = _longest_broken_streak(session, at, since, until, counted)
        take = _biggest_take(session, at, since, until)
        return streak, take

    @reports
    def seasons(
        self,
        session: Session,
        server: ServerRef,
        bounds: Sequence[tuple[float, float]],
        counted: Counted = Counted.HERE,
    ) -> list[Season]:
        """Returns the seasons between these times, without those that saw no games."""
        at = id_of(session, ServerRow, server)
        seasons = list[Season]()

        for since, until in bounds:
            months = sums_of_months(at, MonthGamesRow, since, until)
            games = session.connection().execute(sa.select(func.sum(months.c.games))).scalar() or 0
            if counted is Counted.TOGETHER:
                games += count_card_games(session, at, since, until)

            if not games:
                continue

            numbers = numbers_of(at, since, counted, until=until)
            fools = _first_of(session, at, numbers, Ranking.FOOLS)
            champions = _first_of(session, at, numbers, Ranking.BEST)
            first = {standing.user for standing in champions}
            last = {standing.user for standing in fools}

            lost = [standing for standing in fools if standing.fools]
            won = [] if first == last and lost else champions
            cups = _cups_of(session, at, since, until)
            seasons.append(Season(since, int(games), lost, won, cups))

        return seasons


def _first_of(session: Session, at: int, numbers: sa.Subquery, by: Ranking) -> Sequence[Standing]:
    """Returns the people on the first place of a season."""
    return first_of(rank(session, at, numbers, by, most=MAX_SHARING), by)


def _cups_of(session: Session, at: int, since: float, until: float) -> list[tuple[str | None, str | None]]:
    """Returns the honours of the cups that ended between these times, the newest first."""
    cups = session.exec(
        select(CupRow)
        .where(CupRow.server_id == at, CupRow.phase == CupPhase.OVER.value)
        .where(col(CupRow.ended_at) >= since, col(CupRow.ended_at) < until)
        .order_by(col(CupRow.ended_at).desc())
        .limit(MAX_CUPS_A_SEASON)
    )
    honours = [(cup.winner_id, cup.fool_id) for cup in cups]
    return [(_honoured(session, at, winner), _honoured(session, at, fool)) for winner, fool in honours]


def _honoured(session: Session, at: int, player: int | None) -> str | None:
    return None if player is None else _name(session, at, player)


def _longest_broken_streak(
    session: Session, at: int, since: float, until: float, counted: Counted
) -> Highlight | None:
    """Returns the longest losing streak that a game of the period ended; None if all were short."""
    began = since - MAX_STREAK_SECONDS
    games = _losses_here(session, at, began, until)
    if counted is Counted.TOGETHER:
        games += _losses_with_cards(session, at, began, until)

    lost = Counter[int]()
    longest = 0
    loser = 0

    for ended, _, _, player, is_loser in sorted(games):
        if is_loser:
            lost[player] += 1
            continue

        broken = lost.pop(player, 0)
        if ended >= since and broken > longest:
            longest = broken
            loser = player

    if longest < MIN_STREAK:
        return None

    return _name(session, at, loser), longest


def _losses_here(session: Session, at: int, since: float, until: float) -> list[Any]:
    """Returns rows of a game's end, table and number, a player, and whether they lost it."""
    result = ResultRow
    columns = sa.select(
        col(result.finished_at),
        col(result.table_id),
        col(result.game),
        col(result.player_id),
        col(result.is_loser),
    )
    query = columns.where(*tallies.counted_within(at, since, until), col(result.player_id).is_not(None))

    return list(session.connection().execute(query))


def _losses_with_cards(session: Session, at: int, since: float, until: float) -> list[Any]:
    """Returns the rows of `_losses_here` for games with real cards, with 0 as their table."""
    game = CardGameRow
    seat = CardSeatRow
    columns = sa.select(
        col(game.played_at),
        sa.literal(0),
        col(game.id),
        col(seat.player_id),
        col(seat.is_fool),
    )
    query = columns.join(seat, col(seat.card_game_id) == game.id).where(*counted_card_games(at, since, until))

    return list(session.connection().execute(query))


def _biggest_take(session: Session, at: int, since: float, until: float) -> Highlight | None:
    """Returns the most cards taken at once in a game of the period, and the name of their taker."""
    games = session.exec(
        select(ResultRow)
        .where(*tallies.counted_within(at, since, until), ResultRow.seat == 0)
        .order_by(col(ResultRow.finished_at).desc())
        .limit(MAX_REPLAYED)
    ).all()
    most = 0
    taker = (0, 0, 0)  # table, game and seat

    for game in games:
        for step in record_of(session, game.table_id, game.game).steps():
            for event in step.events:
                if isinstance(event, TakenUp) and len(event.cards) > most:
                    most = len(event.cards)
                    taker = (game.table_id, game.game, event.defender)

    if not most:
        return None

    result = session.get(ResultRow, taker)
    if result is None or result.player_id is None:
        return None

    return _name(session, at, result.player_id), most


def _name(session: Session, at: int, player: int) -> str:
    return session.exec(select(name_on(at)).where(PlayerRow.id == player)).one()
