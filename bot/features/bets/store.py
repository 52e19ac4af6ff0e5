"""Stores bets on the fool, which are checked against the results of their games."""

from collections import Counter

import sqlalchemy as sa
from sqlmodel import Session, col, delete, select

from adapters.port import ServerRef, User, UserRef
from bot.features.bets.model import BetTally, GameProphets, WeekProphets
from bot.features.bets.rows import BetRow
from bot.storage.database import Store, reads, reports, writes
from bot.storage.ended import EndedGame, HowEnded
from bot.storage.models import PlayerRow, ResultRow, ServerRow
from bot.storage.numbers import id_of
from bot.storage.people import name_on, on_record
from engine import Seat

MIN_RIGHT_OF_A_WEEK = 2  # the fewest right bets of a week's prophet

_IS_ITS_RESULT = sa.and_(
    col(ResultRow.table_id) == BetRow.table_id,
    col(ResultRow.game) == BetRow.game,
    col(ResultRow.seat) == BetRow.seat,
)
# Bets on finished games, with the results of their seats.
_SETTLED = sa.join(BetRow, ResultRow, _IS_ITS_RESULT)


class BetStore(Store):
    """All bets."""

    @reads
    def of(self, session: Session, user: UserRef, table_id: int, game: int) -> Seat | None:
        """Returns the seat that a person has bet on; None if they have not bet."""
        bet = session.get(BetRow, (table_id, game, id_of(session, PlayerRow, user)))
        return None if bet is None else bet.seat

    @writes
    def place(self, session: Session, user: User, table_id: int, game: int, seat: Seat) -> Seat | None:
        """Stores a person's first bet on a game; if they have already placed one, returns its seat."""
        person = on_record(session, user)
        earlier = session.get(BetRow, (table_id, game, person.id))
        if earlier is not None:
            return earlier.seat

        session.add(BetRow(table_id=table_id, game=game, player_id=person.id, seat=seat))
        return None

    @reads
    def game_prophets(self, session: Session, table_id: int, game: int) -> GameProphets:
        """Returns the prophets of a finished game, by name."""
        bets = (
            sa.select(col(BetRow.player_id), col(ResultRow.server_id), col(ResultRow.is_loser))
            .select_from(_SETTLED)
            .where(col(BetRow.table_id) == table_id, col(BetRow.game) == game)
        )
        rows = session.connection().execute(bets).all()
        names = list[str]()
        for player, server, is_right in rows:
            if is_right:
                names.append(session.exec(select(name_on(server)).where(PlayerRow.id == player)).one())

        return GameProphets(tuple(sorted(names, key=str.casefold)), len(rows))

    @reads
    def tally(self, session: Session, server: ServerRef, user: UserRef) -> BetTally:
        """Counts a person's bets on the finished games of a server."""
        bets = (
            sa.select(col(ResultRow.is_loser))
            .select_from(_SETTLED)
            .where(
                col(BetRow.player_id) == id_of(session, PlayerRow, user),
                col(ResultRow.server_id) == id_of(session, ServerRow, server),
            )
        )
        verdicts = session.connection().execute(bets).scalars().all()
        return BetTally(right=sum(verdicts), bets=len(verdicts))

    @reports
    def week_prophets(
        self, session: Session, server: ServerRef, since: float, until: float
    ) -> WeekProphets | None:
        """Returns who bet right most often in a period; of equals, those with the fewest wrong bets.

        None if nobody has at least `MIN_RIGHT_OF_A_WEEK`.
        """
        server_id = id_of(session, ServerRow, server)
        bets = (
            sa.select(col(BetRow.player_id), col(ResultRow.is_loser))
            .select_from(_SETTLED)
            .where(
                col(ResultRow.server_id) == server_id,
                col(ResultRow.finished_at) >= since,
                col(ResultRow.finished_at) < until,
            )
        )
        totals = Counter[int]()
        right = Counter[int]()
        for player, is_right in session.connection().execute(bets):
            totals[player] += 1
            right[player] += is_right

        tallies = {player: (right[player], -totals[player]) for player in totals}
        best = max(tallies.values(), default=(0, 0))
        if best[0] < MIN_RIGHT_OF_A_WEEK:
            return None

        prophets = [player for player, tally in tallies.items() if tally == best]
        names = session.exec(select(name_on(server_id)).where(col(PlayerRow.id).in_(prophets)))
        return WeekProphets(right=best[0], bets=-best[1], names=sorted(names, key=str.casefold))


def void_bets(session: Session, game: EndedGame) -> None:
    """Deletes the bets on a game that nobody lost by the cards."""
    if game.how in {HowEnded.DRAWN, HowEnded.RESIGNED, HowEnded.STOPPED}:
        is_on_it = col(BetRow.table_id) == game.table.id, col(BetRow.game) == game.game
        session.exec(delete(BetRow).where(*is_on_it))
