"""The seasons of a server: its fools and champions, and the cups of these months."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlmodel import Session, col, func, select

from adapters.port import ServerRef
from bot.model.cup import CupPhase
from bot.model.results import Counted, Ranking, Season, Standing, first_of
from bot.storage.database import Store, reports
from bot.storage.models import CupRow, MonthGamesRow, ServerRow
from bot.storage.people import id_of, name_of
from bot.storage.standings import count_card_games, numbers_of, rank, sums_of_months

MAX_SHARING = 16  # the largest number of people on one place of the hall of fame
MAX_CUPS = 5  # the newest cups of a season that are in the hall of fame


class SeasonStore(Store):
    """The seasons of servers."""

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
        .limit(MAX_CUPS)
    )
    honours = [(cup.winner_id, cup.fool_id) for cup in cups]
    return [(_honoured(session, at, winner), _honoured(session, at, fool)) for winner, fool in honours]


def _honoured(session: Session, at: int, player: int | None) -> str | None:
    return None if player is None else name_of(session, at, player)
