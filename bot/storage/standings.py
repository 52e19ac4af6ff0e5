"""Reads how people fared on a server: rankings, statistics, careers, and the tallies of a period."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, case, col, func, select

from adapters.port import ServerRef, User, UserRef
from bot.model.calendar import DAY_SECONDS
from bot.model.career import Career, Duel, biggest_first
from bot.model.rating import DOUBTS, Rating, RatingPlace
from bot.model.standings import (
    MIN_GAMES,
    MIN_GAMES_TOGETHER,
    MIN_PEOPLE,
    PRIOR,
    CheatingTally,
    Counted,
    Ranking,
    Rivalry,
    Standing,
    Summary,
)
from bot.storage import tallies
from bot.storage.careers import CHEATING_COLUMNS, career_of
from bot.storage.database import Store, reports
from bot.storage.models import (
    CardGameRow,
    CardSeatRow,
    DuelRow,
    MonthGamesRow,
    MonthTallyRow,
    PlayerRow,
    ResultRow,
    ServerRow,
    TallyRow,
    YearDuelRow,
)
from bot.storage.numbers import id_of
from bot.storage.people import name_on

_Numbers = sa.Select[*tuple[Any, ...]]  # the tallies of all people, one row each


class StandingsStore(Store):
    """Reads the tallies of servers; `since` is the Unix time from which games count (None: all games).

    Sums exist of all games and of each month; `bot.storage.tallies` writes them.
    """

    @reports
    def ranking(
        self,
        session: Session,
        server: ServerRef,
        since: float | None = None,
        most: int | None = None,
        counted: Counted = Counted.HERE,
        *,
        by: Ranking = Ranking.BEST,
        until: float | None = None,
    ) -> list[Standing]:
        """Ranks at most `most` players of a server by the games that they finished in a period."""
        at = id_of(session, ServerRow, server)
        return rank(session, at, numbers_of(at, since, counted, until=until), by, most)

    @reports
    def stats(
        self, session: Session, server: ServerRef, user: UserRef, counted: Counted = Counted.HERE
    ) -> Standing | None:
        """Returns one person's tally; None if they finished no game that counts."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        return next(iter(rank(session, at, numbers_of(at, None, counted, person))), None)

    @reports
    def practice(self, session: Session, server: ServerRef, user: UserRef) -> Standing | None:
        """Returns one person's tally against house players, which no other tally includes; None if empty."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        result = ResultRow
        theirs = col(result.server_id) == at, col(result.player_id) == person
        alone = tallies.sum_results(*theirs, col(result.people) < MIN_PEOPLE).subquery()
        return next(iter(rank(session, at, alone)), None)

    @reports
    def cheating(self, session: Session, server: ServerRef, user: UserRef) -> CheatingTally | None:
        """Returns how a person fared in games with cheating; None when they finished none."""
        numbers = [func.sum(col(getattr(ResultRow, name))) for name in CHEATING_COLUMNS]
        query = sa.select(*numbers).where(
            col(ResultRow.player_id) == id_of(session, PlayerRow, user),
            col(ResultRow.server_id) == id_of(session, ServerRow, server),
            col(ResultRow.cheats_unseen).is_not(None),
        )
        row = session.connection().execute(query).one()
        return None if row[0] is None else CheatingTally(*map(int, row))

    @reports
    def against_houses(
        self, session: Session, server: ServerRef, user: UserRef
    ) -> Mapping[str, tuple[int, int]]:
        """Returns how often a person was the fool, and in how many games, by strength of house players."""
        own = ResultRow
        house = aliased(ResultRow)
        games = (
            sa.select(col(own.table_id), col(own.game), col(own.is_loser), col(house.strength))
            .join(house, tallies.is_same_game(own, house))
            .where(
                col(own.player_id) == id_of(session, PlayerRow, user),
                col(own.server_id) == id_of(session, ServerRow, server),
                col(house.strength) != "",
            )
            .distinct()
            .subquery()
        )
        fools = tallies.count_if(games.c.is_loser.is_(True))
        query = sa.select(games.c.strength, fools, func.count()).group_by(games.c.strength)
        rows = session.connection().execute(query)

        return {strength: (int(defeats), int(total)) for strength, defeats, total in rows}

    @reports
    def rating(self, session: Session, server: ServerRef, user: UserRef) -> RatingPlace | None:
        """Returns one person's rating, and their place among all who have one; None without rated games."""
        at = id_of(session, ServerRow, server)
        rated = numbers_of(at, None, Counted.HONEST)
        ranked = (
            sa.select(
                col(TallyRow.player_id),
                (col(TallyRow.strength) - DOUBTS * col(TallyRow.doubt)).label("points"),
                func.rank().over(order_by=_best_first(rated.c)).label("place"),
                func.count().over().label("players"),
            )
            .join(rated, rated.c.player_id == col(TallyRow.player_id))
            .where(col(TallyRow.server_id) == at)
            .subquery()
        )
        own = sa.select(ranked.c.points, ranked.c.place, ranked.c.players).where(
            ranked.c.player_id == id_of(session, PlayerRow, user)
        )
        row = session.connection().execute(own).first()

        return None if row is None else RatingPlace(*row)

    @reports
    def ratings(self, session: Session, server: ServerRef) -> dict[UserRef, Rating]:
        """Returns the ratings of all players of counted games."""
        rows = session.exec(
            select(TallyRow, PlayerRow)
            .join(PlayerRow)
            .where(TallyRow.server_id == id_of(session, ServerRow, server))
        )
        return {player.user_ref: Rating(tally.strength, tally.doubt) for tally, player in rows}

    @reports
    def people(self, session: Session, server: ServerRef) -> list[User]:
        """Returns the players of counted games, with their names there."""
        at = id_of(session, ServerRow, server)
        players = select(PlayerRow.platform, PlayerRow.ref, name_on(at))
        rows = session.exec(players.join(TallyRow).where(TallyRow.server_id == at))
        return [User(UserRef(platform, ref), name) for platform, ref, name in rows]

    @reports
    def career(self, session: Session, server: ServerRef, user: UserRef) -> Career:
        """Returns a person's career: the course of their counted games, and their duels."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        tally = session.get(TallyRow, (at, person))
        if tally is None:
            return Career()

        return replace(career_of(tally), duels=biggest_first(_duels_of(session, at, person)))

    @reports
    def summary(
        self,
        session: Session,
        server: ServerRef,
        since: float | None = None,
        counted: Counted = Counted.HERE,
        until: float | None = None,
    ) -> Summary:
        """Sums up the games of a period; for those with real cards only the number is known."""
        at = id_of(session, ServerRow, server)
        rows = session.connection().execute(sa.select(*games_here(at, since, until, counted).c)).all()
        with_trump = [row for row in rows if row.trump]
        games = sum(row.games for row in with_trump) or 1
        trumps = sorted(((row.trump, row.games) for row in with_trump), key=lambda pair: (-pair[1], pair[0]))
        with_cards = count_card_games(session, at, since, until) if Counted.CARDS in counted else 0

        return Summary(
            games=sum(row.games for row in rows) + with_cards,
            bouts=sum(row.bouts for row in with_trump) / games,
            seconds=sum(row.seconds for row in with_trump) / games,
            trumps=tuple(trumps),
            rivalry=_rivalry(session, at, since, until),
        )


def numbers_of(
    at: int,
    since: float | None,
    counted: Counted,
    person: int | None = None,
    until: float | None = None,
) -> sa.Subquery:
    """Builds a query for the tallies of all players in a period, or of one person over all games."""
    parts = list[_Numbers]()
    if Counted.HONEST in counted:
        parts.append(_stored_numbers(at, since, person, until))
    if counted & Counted.HERE:
        parts.append(_cheating_numbers(at, since, counted, person, until))
    if Counted.CARDS in counted:
        parts.append(_card_numbers(at, since, person, until))

    return _sum_up(*parts)


def _stored_numbers(at: int, since: float | None, person: int | None, until: float | None) -> _Numbers:
    """Builds a query for the stored tallies of all games played with the bot."""
    if since is None:
        tally = sa.inspect(TallyRow).columns
        is_theirs = sa.true() if person is None else tally.player_id == person
        query = sa.select(tally.player_id, *(tally[name] for name in tallies.NUMBERS))
        stored = query.where(tally.server_id == at, is_theirs).subquery()
    else:
        stored = sums_of_months(at, MonthTallyRow, since, until)

    none = sa.literal(0)
    return sa.select(*stored.c, none.label("cards"), none.label("cheating"))


def _cheating_numbers(
    at: int, since: float | None, counted: Counted, person: int | None, until: float | None
) -> _Numbers:
    """Builds a query for what games with cheating add to the stored tallies, or take away from them.

    Stored tallies include these games, so a tally that counts them has only to note their number.
    """
    theirs = sa.true() if person is None else col(ResultRow.player_id) == person
    sly = tallies.counted_within(at, since, until, Counted.CHEATING)
    key, *numbers = tallies.sum_results(*sly, theirs).subquery().c

    is_stored = Counted.HONEST in counted
    is_counted = Counted.CHEATING in counted
    games = int(is_counted) - int(is_stored)
    noted = numbers[0] if is_counted else sa.literal(0)

    return sa.select(
        key,
        *((games * number).label(number.name) for number in numbers),
        sa.literal(0).label("cards"),
        noted.label("cheating"),
    )


def games_here(at: int, since: float | None, until: float | None, counted: Counted) -> sa.Subquery:
    """Builds a query that adds up the games played with the bot in a period, for each trump suit."""
    stored = sums_of_months(at, MonthGamesRow, since, until)
    if Counted.CHEATING in counted:
        return stored

    sly = tallies.counted_within(at, since, until, Counted.CHEATING)
    key, *numbers = tallies.sum_games(*sly).subquery().c
    less = sa.select(key, *((-number).label(number.name) for number in numbers))
    return _sum_up(sa.select(*stored.c), less)


def sums_of_months(
    at: int,
    model: type[MonthTallyRow | MonthGamesRow],
    since: float | None = None,
    until: float | None = None,
) -> sa.Subquery:
    """Builds a query that adds up the months of a server in a period, and counts results at its edges."""
    names = [column.name for column in sa.inspect(model).columns if column.name not in {"server_id", "month"}]
    whole = sa.select(*(col(getattr(model, name)) for name in names)).where(col(model.server_id) == at)
    edges = []

    if since is not None:
        edges.append(tallies.nearest(since))
        whole = whole.where(col(model.month) >= edges[-1].month)

    if until is not None:
        end = tallies.nearest(until)
        edges.append(end._replace(sign=-end.sign))
        whole = whole.where(col(model.month) < end.month)

    count = tallies.sum_results if model is MonthTallyRow else tallies.sum_games
    parts = [whole]
    for edge in edges:
        if edge.low < edge.high:
            key, *numbers = count(*tallies.counted_within(at, edge.low, edge.high)).subquery().c
            parts.append(sa.select(key, *((edge.sign * number).label(number.name) for number in numbers)))

    return _sum_up(*parts)


def _sum_up(*parts: _Numbers) -> sa.Subquery:
    """Builds a query that adds up others by their first column, and leaves out sums without games."""
    both = sa.union_all(*parts).subquery()
    key, *numbers = both.c
    sums = list[sa.ColumnElement[Any]]()

    for number in numbers:
        kind = sa.Float if number.name in {"expected", "seconds"} else sa.Integer
        sums.append(sa.cast(func.sum(number), kind).label(number.name))

    return sa.select(key, *sums).group_by(key).having(func.sum(both.c.games) > 0).subquery()


def rank(
    session: Session, at: int, numbers: sa.Subquery, by: Ranking = Ranking.BEST, most: int | None = None
) -> list[Standing]:
    """Returns tallies as ordered standings, with the names on a server."""
    of = numbers.c
    order = _best_first(of) if by is Ranking.BEST else (of.fools.desc(), of.games)
    query = (
        sa.select(col(PlayerRow.platform), col(PlayerRow.ref), name_on(at))
        .add_columns(*(of[name] for name in (*tallies.NUMBERS, "cards", "cheating") if name in of))
        .join(numbers, of.player_id == col(PlayerRow.id))
        .order_by(*order, of.player_id)
        .limit(most)
    )
    rows = session.connection().execute(query)

    return [Standing(UserRef(platform, ref), *rest) for platform, ref, *rest in rows]


def _best_first(of: Any) -> Sequence[sa.ColumnElement[Any]]:
    """Returns the sort keys of a leaderboard, as in `Standing.rank`; `of` has the columns of a tally."""
    index = (of.fools + PRIOR) / (of.expected + PRIOR)
    is_new = case((of.games >= MIN_GAMES, 0), else_=1)
    return is_new, func.round(index * 1e9), of.games.desc()


def counted_card_games(
    at: int, since: float | None = None, until: float | None = None
) -> list[sa.ColumnElement[bool]]:
    """Builds the filter for a server's counted games with real cards in a period."""
    game = CardGameRow
    conditions = [col(game.server_id) == at, col(game.counts).is_(True)]
    if since is not None:
        conditions.append(col(game.played_at) >= since)
    if until is not None:
        conditions.append(col(game.played_at) < until)

    return conditions


def count_card_games(
    session: Session, at: int, since: float | None = None, until: float | None = None
) -> int:
    """Counts the games with real cards of a server in a period."""
    conditions = counted_card_games(at, since, until)
    return session.exec(select(func.count()).select_from(CardGameRow).where(*conditions)).one()


def _card_numbers(at: int, since: float | None, person: int | None, until: float | None) -> _Numbers:
    """Builds a query for tallies of games with real cards, which record no order of going out."""
    game = CardGameRow
    seat = CardSeatRow
    sums = {
        "games": func.count(),
        "fools": tallies.count_if(col(seat.is_fool).is_(True)),
        "expected": sa.cast(func.sum(1.0 / col(game.players)), sa.Float),
    }

    theirs = sa.true() if person is None else col(seat.player_id) == person
    return (
        sa.select(
            col(seat.player_id),
            *(sums.get(name, sa.literal(0)).label(name) for name in tallies.NUMBERS),
            func.count().label("cards"),
            sa.literal(0).label("cheating"),
        )
        .join(game, col(game.id) == seat.card_game_id)
        .where(
            *counted_card_games(at, since, until),
            theirs,
        )
        .group_by(col(seat.player_id))
    )


def _duels_of(session: Session, server: int, player: int) -> Iterator[Duel]:
    """Yields the duels of a person on a server."""
    rival = PlayerRow
    duel = DuelRow
    is_one = col(rival.id) < player  # of two people, `one_id` is the smaller id
    query = (
        select(duel, rival, name_on(server))
        .join(TallyRow, col(TallyRow.player_id) == rival.id)
        .join(duel, col(duel.server_id) == TallyRow.server_id)
        .where(
            TallyRow.server_id == server,
            duel.one_id == case((is_one, col(rival.id)), else_=player),
            duel.other_id == case((is_one, player), else_=col(rival.id)),
        )
    )

    for row, them, name in session.exec(query):
        fools = row.one_fools, row.other_fools
        own, theirs = fools if row.one_id == player else fools[::-1]
        yield Duel(them.user_ref, name, row.games, own, theirs)


def _rivalry(session: Session, at: int, since: float | None, until: float | None) -> Rivalry | None:
    """Returns the pair with the most games decided between them in a period; None if there is none."""
    pairs = [
        row for rival in _rivals(session, at, since, until) for row in session.connection().execute(rival)
    ]
    if not pairs:
        return None

    first = min(pairs, key=lambda row: (-row.decided, -row.games, row.one_id, row.other_id))
    both = select(PlayerRow.id, name_on(at)).where(col(PlayerRow.id).in_((first.one_id, first.other_id)))
    names = dict(session.exec(both).all())
    fools = first.one_fools, first.other_fools
    return Rivalry((names[first.one_id], names[first.other_id]), fools, first.games)


def _rivals(
    session: Session, at: int, since: float | None, until: float | None
) -> Sequence[sa.Select[*tuple[Any, ...]]]:
    """Returns queries for the most decided duel of a period: the caller takes the best of their rows.

    If the period is a year up to now, only results at its edge are counted. The year of a server begins up to
    a day earlier or later than in UTC.
    """
    if until is not None:
        return [_most_decided(tallies.sum_duels(*tallies.counted_within(at, since, until)).subquery().c)]

    if since is None:
        every = sa.inspect(DuelRow).columns
        return [_most_decided(every).where(every.server_id == at)]

    begun = tallies.nearest(since, tallies.YEAR)
    year = sa.inspect(YearDuelRow).columns
    of_year = (year.server_id == at) & (year.year == begun.month // tallies.YEAR)
    is_over = (
        select(YearDuelRow.year).where(year.server_id == at, year.year > begun.month // tallies.YEAR).limit(1)
    )
    if begun.high - begun.low > DAY_SECONDS or session.exec(is_over).first() is not None:
        return [_most_decided(tallies.sum_duels(*tallies.counted_within(at, since)).subquery().c)]

    edge = tallies.sum_duels(*tallies.counted_within(at, begun.low, begun.high)).subquery()
    in_both = of_year & (year.one_id == edge.c.one_id) & (year.other_id == edge.c.other_id)
    own, other, *numbers = edge.c
    sums = [
        (func.coalesce(year[number.name], 0) + begun.sign * number).label(number.name) for number in numbers
    ]
    corrected = sa.select(own, other, *sums).select_from(edge).outerjoin(YearDuelRow, in_both).subquery()
    as_counted = _most_decided(year).outerjoin(edge, in_both).where(of_year, own.is_(None))

    return [_most_decided(corrected.c), as_counted]


def _most_decided(of: Any) -> sa.Select[*tuple[Any, ...]]:
    """Returns a query for the most decided of these duels."""
    return (
        sa.select(of.one_id, of.other_id, of.games, of.one_fools, of.other_fools, of.decided)
        .where(of.decided > 0, of.games >= MIN_GAMES_TOGETHER)
        .order_by(of.decided.desc(), of.games.desc(), of.one_id, of.other_id)
        .limit(1)
    )
