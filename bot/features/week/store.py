"""Finds the longest losing streak and the biggest take of a week, and stores when weeks end."""

from collections import Counter
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, select

from adapters.port import ServerRef
from bot.features.week.model import MIN_STREAK, Feat
from bot.model.calendar import DAY_SECONDS
from bot.model.standings import Counted
from bot.storage import tallies
from bot.storage.database import Store, reads, reports, writes
from bot.storage.models import CardGameRow, CardSeatRow, ResultRow, ServerRow
from bot.storage.numbers import find, find_or_add, id_of
from bot.storage.people import name_of
from bot.storage.records import record_of
from bot.storage.standings import counted_card_games
from engine import TakenUp

MAX_STREAK_SECONDS = 60 * DAY_SECONDS  # how far before a week games count towards its streaks
MAX_REPLAYED = 300  # the number of a week's newest games that are searched for the biggest take


class WeekStore(Store):
    """Stores the ends of servers' weeks, and finds the feats of a week."""

    @reads
    def newest_end(self, session: Session, server: ServerRef) -> float | None:
        """Returns the end of the newest week that was reported on a server; None if unrecorded."""
        row = find(session, ServerRow, server)
        return None if row is None else row.week_until

    @writes
    def note_end(self, session: Session, server: ServerRef, until: float) -> None:
        """Records the end of a week; the next one begins there."""
        find_or_add(session, ServerRow, server).week_until = until

    @reports
    def streak_and_take(
        self,
        session: Session,
        server: ServerRef,
        since: float,
        until: float,
        counted: Counted,
    ) -> tuple[Feat | None, Feat | None]:
        """Returns the longest losing streak that ended in a period, and its biggest take."""
        server_id = id_of(session, ServerRow, server)
        streak = _longest_broken_streak(session, server_id, since, until, counted)
        take = _biggest_take(session, server_id, since, until, counted)
        return streak, take


def _longest_broken_streak(
    session: Session, server_id: int, since: float, until: float, counted: Counted
) -> Feat | None:
    """Returns the longest losing streak that ended in the period; None if all were short."""
    began = since - MAX_STREAK_SECONDS
    games = _games_here(session, server_id, began, until, counted)
    if Counted.CARDS in counted:
        games += _games_with_cards(session, server_id, began, until)

    streaks = Counter[int]()
    longest = 0
    loser = 0

    for end, _, _, player, is_loser in sorted(games):
        if is_loser:
            streaks[player] += 1
            continue

        broken = streaks.pop(player, 0)
        if end >= since and broken > longest:
            longest = broken
            loser = player

    if longest < MIN_STREAK:
        return None

    return name_of(session, server_id, loser), longest


def _games_here(session: Session, server_id: int, since: float, until: float, counted: Counted) -> list[Any]:
    """Returns rows of the end of a game, its table and number, a player, and whether they lost it."""
    result = ResultRow
    columns = sa.select(
        col(result.finished_at),
        col(result.table_id),
        col(result.game),
        col(result.player_id),
        col(result.is_loser),
    )
    conditions = tallies.counted_within(server_id, since, until, counted)
    query = columns.where(*conditions, col(result.player_id).is_not(None))

    return list(session.connection().execute(query))


def _games_with_cards(session: Session, server_id: int, since: float, until: float) -> list[Any]:
    """Returns the rows of `_games_here` for games with real cards, with 0 as their table."""
    game = CardGameRow
    seat = CardSeatRow
    columns = sa.select(
        col(game.played_at),
        sa.literal(0),
        col(game.id),
        col(seat.player_id),
        col(seat.is_fool),
    )
    conditions = counted_card_games(server_id, since, until)
    query = columns.join(seat, col(seat.card_game_id) == game.id).where(*conditions)

    return list(session.connection().execute(query))


def _biggest_take(
    session: Session, server_id: int, since: float, until: float, counted: Counted
) -> Feat | None:
    """Returns the name of the person with the biggest take in the period, and its number of cards.

    None if there was no take, or if a house player made it.
    """
    games = session.exec(
        select(ResultRow)
        .where(*tallies.counted_within(server_id, since, until, counted), ResultRow.seat == 0)
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

    return name_of(session, server_id, result.player_id), most
