"""Reads the seasons of a server, with their fools and champions."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlmodel import Session, func

from adapters.port import ServerRef
from bot.model.standings import Counted, Ranking, Season, Standing, first_of
from bot.storage.database import Store, reports
from bot.storage.models import ServerRow
from bot.storage.numbers import id_of
from bot.storage.standings import count_card_games, games_here, numbers_of, rank

MAX_SHARING = 16  # the largest number of people on one place of the hall of fame


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
        """Returns the seasons with these bounds, except those without games."""
        at = id_of(session, ServerRow, server)
        seasons = list[Season]()

        for since, until in bounds:
            here = games_here(at, since, until, counted)
            games = session.connection().execute(sa.select(func.sum(here.c.games))).scalar() or 0
            if Counted.CARDS in counted:
                games += count_card_games(session, at, since, until)

            if not games:
                continue

            numbers = numbers_of(at, since, counted, until=until)
            fools = _first_of(session, at, numbers, Ranking.FOOLS)
            champions = _first_of(session, at, numbers, Ranking.BEST)
            first = {standing.user for standing in champions}
            last = {standing.user for standing in fools}

            losers = [standing for standing in fools if standing.fools]
            winners = [] if first == last and losers else champions
            seasons.append(Season(since, until, int(games), losers, winners))

        return seasons


def _first_of(session: Session, at: int, numbers: sa.Subquery, by: Ranking) -> Sequence[Standing]:
    """Returns the people in first place of a season."""
    return first_of(rank(session, at, numbers, by, most=MAX_SHARING), by)
