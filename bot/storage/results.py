"""Finished games, as they were played, and how people fared in them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, case, col, func, select

from adapters.port import RoomRef, ServerRef, User, UserRef
from bot.model.results import (
    DOUBTS,
    LEAST_EXPERTS,
    LEAST_GAMES,
    LEAST_PEOPLE,
    LEAST_STREAK,
    LEAST_TOGETHER,
    PRIOR,
    Broken,
    Career,
    Counted,
    Deed,
    Duel,
    Fate,
    Ranking,
    Rating,
    RatingPlace,
    Rivalry,
    Season,
    Standing,
    Summary,
    Title,
    career_of,
    titles_of,
)
from bot.model.table import HOUSE_NAMES, Player
from bot.storage import tallies
from bot.storage.database import Store, reads, reports
from bot.storage.models import (
    GAME,
    STOPPED,
    CardGameRow,
    CardSeatRow,
    DuelRow,
    EntryRow,
    MonthGamesRow,
    MonthTallyRow,
    NicknameRow,
    PlayerRow,
    ResultRow,
    SeatRow,
    ServerRow,
    TableRow,
    TallyRow,
    YearDuelRow,
)
from bot.storage.people import id_of, name_on
from bot.storage.tables import entries_of, stands_in
from engine import PRESETS, Opening, Rank, Record, Seat, Stop, TakenUp, parse_action, seed_hash
from engine.runtime import Entry

ANONYMOUS = "anonymous"  # the platform of people whose refs were not asked for: no chat has this name

# Which games were played to their end, and when.
ENDS = select(ResultRow.finished_at, ResultRow.table_id, ResultRow.game).where(ResultRow.seat == 0)

NEWEST_FIRST = (col(ResultRow.finished_at).desc(), col(ResultRow.table_id).desc())

A_DAY = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class GameToReview:
    """A finished game with its journal, and the seat whose moves a review is about."""

    table_id: int
    game: int
    seat: Seat
    entries: Sequence[Entry] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over: since when, and who sat there, each with whether they lost."""

    table_id: int
    game: int
    at: float
    seats: tuple[tuple[Player, bool], ...]
    is_stopped: bool


class RecordStore(Store):
    """The records of games."""

    @reports
    def newest(self, session: Session, room: RoomRef) -> Record | None:
        """Returns the record of the game that was finished or stopped last in a room."""
        here = select(TableRow.id).where(*stands_in(room))
        # Asked for the newest, SQLite would walk the results of the whole server in search of this room.
        finished = ENDS.where(col(ResultRow.table_id).in_(here))
        games = _newest(session, session.exec(finished), stands_in(room), most=1)
        return _record(session, *games[0][1:]) if games else None

    @reads
    def finished(
        self, session: Session, server: ServerRef | None, table_id: int, game: int
    ) -> tuple[FinishedGame, Record] | None:
        """Returns a game of a server, or of any, that was played to its end, or stopped, with its record."""
        finished = ENDS.where(ResultRow.table_id == table_id, ResultRow.game == game)
        stopped = [col(TableRow.id) == table_id, col(TableRow.game) == game]
        if server is not None:
            here = id_of(session, ServerRow, server)
            finished = finished.where(ResultRow.server_id == here)
            stopped.append(col(TableRow.server_id) == here)
        games = _newest(session, session.exec(finished), stopped, most=1)
        return (_with_seats(session, games)[0], _record(session, *games[0][1:])) if games else None

    @reads
    def seat_of(self, session: Session, user: UserRef, table_id: int, game: int) -> Seat | None:
        """Returns where a person sat in a table's game; None if they did not."""
        person = id_of(session, PlayerRow, user)
        seat = SeatRow
        result = ResultRow
        sat = select(seat.seat).where(seat.table_id == table_id, seat.of_game == game)
        played = select(result.seat).where(result.table_id == table_id, result.game == game)
        found = session.exec(sat.where(seat.player_id == person)).first()
        return session.exec(played.where(result.player_id == person)).first() if found is None else found

    @reads
    def newest_games(self, session: Session, server: ServerRef, most: int) -> list[FinishedGame]:
        """Returns the games of a server that were over last, the newest first."""
        here = id_of(session, ServerRow, server)
        finished = ENDS.where(ResultRow.server_id == here).order_by(*NEWEST_FIRST).limit(most)
        stopped = [col(TableRow.server_id) == here]
        return _with_seats(session, _newest(session, session.exec(finished), stopped, most))

    @reports
    def finished_since(self, session: Session, at: float, most: int) -> list[tuple[float, Record]]:
        """Returns the games that were played to their end after a time, the oldest first, with their ends."""
        ends = ENDS.where(ResultRow.finished_at > at).order_by(col(ResultRow.finished_at)).limit(most)
        games = session.exec(ends).all()
        return [(ended, _record(session, table_id, game)) for ended, table_id, game in games]

    @reads
    def rating_changes(self, session: Session, table_id: int, game: int) -> Mapping[Seat, float]:
        """Returns by how much a finished game changed each seat's rating."""
        rows = session.exec(select(ResultRow).where(ResultRow.table_id == table_id, ResultRow.game == game))
        return {row.seat: row.rating_change for row in rows if row.rating_change is not None}

    @reads
    def losses_before(self, session: Session, table_id: int, game: int) -> Mapping[Seat, int]:
        """Returns how many games in a row the people of a finished game had lost on its server before it.

        By seat; games count as they do for tallies, so there is nothing to tell of one that does not.
        """
        when = col(ResultRow.finished_at), col(ResultRow.game)
        here = _people_in(session, table_id, game)
        if not here:
            return {}

        lost = {row.player_id: 0 for row in here}
        earlier = session.exec(
            select(*when, col(ResultRow.player_id), col(ResultRow.is_loser)).where(
                ResultRow.server_id == here[0].server_id,
                ResultRow.people >= LEAST_PEOPLE,
                col(ResultRow.player_id).in_(lost),
                sa.tuple_(*when) < (here[0].finished_at, game),
            )
        )
        for *_, player, is_loser in sorted(earlier):
            lost[player] = lost[player] + 1 if is_loser else 0

        return {row.seat: lost[row.player_id] for row in here}

    @reports
    def new_titles(self, session: Session, table_id: int, game: int) -> Mapping[Title, Sequence[Seat]]:
        """Returns the titles a finished game has brought, each with the seats that got it."""
        brought = defaultdict[Title, list[Seat]](list)
        for row in _people_in(session, table_id, game):
            deeds = _deeds(session, row.server_id, row.player_id or 0)
            number = list(deeds).index((table_id, game))
            for title, earned in titles_of(list(deeds.values()), PRESETS).items():
                if earned == number:
                    brought[title].append(row.seat)
        return brought

    @reads
    def newest_of(self, session: Session, user: UserRef, *, near: RoomRef) -> GameToReview | None:
        """Returns the game that a person finished last, one in the room `near` before all others."""
        is_near = case((sa.and_(*stands_in(near)), 0), else_=1)
        query = select(ResultRow).join(TableRow, col(TableRow.id) == ResultRow.table_id)
        theirs = query.where(ResultRow.player_id == id_of(session, PlayerRow, user))
        return _to_review(session, session.exec(theirs.order_by(is_near, *NEWEST_FIRST).limit(1)).first())

    @reads
    def played_by(self, session: Session, user: UserRef, table_id: int, game: int) -> GameToReview | None:
        """Returns a game if this person finished it."""
        query = select(ResultRow).where(ResultRow.table_id == table_id, ResultRow.game == game)
        theirs = query.where(ResultRow.player_id == id_of(session, PlayerRow, user))
        return _to_review(session, session.exec(theirs).first())


def _to_review(session: Session, row: ResultRow | None) -> GameToReview | None:
    if row is None:
        return None
    return GameToReview(row.table_id, row.game, row.seat, entries_of(session, row.table_id, row.game))


def _people_in(session: Session, table_id: int, game: int) -> Sequence[ResultRow]:
    """Returns the results of the people in a finished game, by seat; none if it does not count."""
    return session.exec(
        select(ResultRow)
        .where(ResultRow.table_id == table_id, ResultRow.game == game, ResultRow.people >= LEAST_PEOPLE)
        .where(col(ResultRow.player_id).is_not(None))
        .order_by(col(ResultRow.seat))
    ).all()


def _newest(
    session: Session,
    finished: Iterable[tuple[float, int, int]],
    stopped: Sequence[sa.ColumnElement[bool]],
    most: int,
) -> list[tuple[float, int, int, str]]:
    """Returns the newest of these games and of those that were stopped at tables of which this is true.

    Each with when it was over, its table, its number there, and who stopped it, if that was so.
    """
    table = TableRow
    others = (
        select(table.changed_at, table.id, table.game, table.stopped)
        .where(*stopped, sa.text(STOPPED))
        .order_by(col(table.changed_at).desc())
        .limit(most)
    )
    games = [(*game, "") for game in finished]
    games += [(at, table_id, game, by) for at, table_id, game, by in session.exec(others)]

    return sorted(games, reverse=True)[:most]


def _record(session: Session, table_id: int, game: int, stopped: str = "") -> Record:
    """Reads the record of a game that is over, with its players as remarks."""
    entries = entries_of(session, table_id, game)
    seats = session.exec(
        select(SeatRow)
        .where(SeatRow.table_id == table_id, SeatRow.of_game == game)
        .order_by(col(SeatRow.seat))
    )
    opening = Opening.from_text(entries[0].text)

    return Record(
        opening,
        tuple((entry.seat or 0, parse_action(entry.text)) for entry in entries[1:]),
        seal=seed_hash(opening.seed),
        remarks=(
            f"game {game} of table {table_id}",
            *(f"seat {row.seat}: {' '.join(row.name.split())}" for row in seats),
        ),
        stopped=Stop(stopped) if stopped else None,
    )


def _with_seats(session: Session, games: Sequence[tuple[float, int, int, str]]) -> list[FinishedGame]:
    """Returns games with who sat there, each with whether they lost.

    Who sat at older games than a table's newest two has the name that they go by now. Of people it is only
    known that they are no house players.
    """
    keys = [(table_id, game) for _, table_id, game, _ in games]
    is_their_result = (
        (col(ResultRow.table_id) == SeatRow.table_id)
        & (col(ResultRow.game) == SeatRow.of_game)
        & (col(ResultRow.seat) == SeatRow.seat)
    )
    query = (
        select(SeatRow, ResultRow.is_loser)
        .join(ResultRow, is_their_result, isouter=True)
        .where(sa.tuple_(col(SeatRow.table_id), col(SeatRow.of_game)).in_(keys))
        .order_by(col(SeatRow.seat))
    )
    sat = defaultdict[tuple[int, int], tuple[tuple[Player, bool], ...]](tuple)

    for row, is_loser in session.exec(query):
        user = None if row.player_id is None else UserRef(ANONYMOUS, str(row.player_id))
        sat[row.table_id, row.of_game] += ((Player(row.name, user), bool(is_loser)),)

    is_their_name = (col(NicknameRow.player_id) == ResultRow.player_id) & (
        col(NicknameRow.server_id) == ResultRow.server_id
    )
    older = (
        select(ResultRow, func.coalesce(NicknameRow.name, PlayerRow.name))
        .join(PlayerRow, col(PlayerRow.id) == ResultRow.player_id, isouter=True)
        .join(NicknameRow, is_their_name, isouter=True)
        .where(sa.tuple_(col(ResultRow.table_id), col(ResultRow.game)).in_(set(keys) - set(sat)))
        .order_by(col(ResultRow.seat))
    )
    for result, name in session.exec(older):
        key = result.table_id, result.game
        if result.player_id is None:
            player = Player(HOUSE_NAMES[sum(each.user is None for each, _ in sat[key]) % len(HOUSE_NAMES)])
        else:
            player = Player(name, UserRef(ANONYMOUS, str(result.player_id)))
        sat[key] += ((player, result.is_loser),)

    return [
        FinishedGame(table_id, game, at, sat[table_id, game], bool(stopped))
        for at, table_id, game, stopped in games
    ]


# --- how people fared -------------------------------------------------------------------------------------


class StandingsStore(Store):
    """The tallies of servers; `since` is the Unix time from which games count, None for all of them.

    What all games tell is counted whenever one ends, as is what those of each month tell.
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
        """Ranks the players of a server by their finished games in a period."""
        at = id_of(session, ServerRow, server)
        return _ranked(session, at, _numbers_of(at, since, counted, until=until), by, most)

    @reports
    def stats(
        self, session: Session, server: ServerRef, user: UserRef, counted: Counted = Counted.HERE
    ) -> Standing | None:
        """Returns one person's tally; None when they finished no game that counts."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        return next(iter(_ranked(session, at, _numbers_of(at, None, counted, person))), None)

    @reports
    def practice(self, session: Session, server: ServerRef, user: UserRef) -> Standing | None:
        """Returns one person's tally against house players, which is in no other tally; None if empty."""
        at = id_of(session, ServerRow, server)
        person = id_of(session, PlayerRow, user)
        result = ResultRow
        theirs = col(result.server_id) == at, col(result.player_id) == person
        alone = tallies.fared(*theirs, col(result.people) < LEAST_PEOPLE).subquery()
        return next(iter(_ranked(session, at, alone)), None)

    @reports
    def against_houses(
        self, session: Session, server: ServerRef, user: UserRef
    ) -> Mapping[str, tuple[int, int]]:
        """Returns in how many games a person was the fool, and of how many, against each strength."""
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
        fools = tallies.number_of(games.c.is_loser.is_(True))
        query = sa.select(games.c.strength, fools, func.count()).group_by(games.c.strength)
        rows = session.connection().execute(query)

        return {strength: (int(lost), int(played)) for strength, lost, played in rows}

    @reports
    def rating(self, session: Session, server: ServerRef, user: UserRef) -> RatingPlace | None:
        """Returns one person's rating, and their place on the leaderboard; None without games that count."""
        ranked = (
            sa.select(
                col(TallyRow.player_id),
                (col(TallyRow.strength) - DOUBTS * col(TallyRow.doubt)).label("points"),
                func.rank().over(order_by=_best_first(sa.inspect(TallyRow).columns)).label("place"),
                func.count().over().label("everybody"),
            )
            .where(col(TallyRow.server_id) == id_of(session, ServerRow, server))
            .subquery()
        )
        own = sa.select(ranked.c.points, ranked.c.place, ranked.c.everybody).where(
            ranked.c.player_id == id_of(session, PlayerRow, user)
        )
        row = session.connection().execute(own).first()

        return None if row is None else RatingPlace(*row)

    @reports
    def ratings(self, session: Session, server: ServerRef) -> dict[UserRef, Rating]:
        """Returns the ratings of everybody who finished a game that counts."""
        rows = session.exec(
            select(TallyRow, PlayerRow)
            .join(PlayerRow)
            .where(TallyRow.server_id == id_of(session, ServerRow, server))
        )
        return {player.user_ref: Rating(tally.strength, tally.doubt) for tally, player in rows}

    @reports
    def people(self, session: Session, server: ServerRef) -> list[User]:
        """Returns everybody who finished a game that counts, as they are called there."""
        at = id_of(session, ServerRow, server)
        named = select(PlayerRow.platform, PlayerRow.ref, name_on(at))
        rows = session.exec(named.join(TallyRow).where(TallyRow.server_id == at))
        return [User(UserRef(platform, ref), name) for platform, ref, name in rows]

    @reports
    def career(self, session: Session, server: ServerRef, user: UserRef) -> Career:
        """Tells how a person's games that count went, one after the other, and against whom."""
        of = session, id_of(session, ServerRow, server), id_of(session, PlayerRow, user)
        rows = _results_of(*of, "place", "is_loser", "is_draw")
        results = [Fate.of(row.place, is_loser=row.is_loser, is_draw=row.is_draw) for row in rows]
        return career_of(results, _duels_of(*of), _houses_beaten(*of))

    @reports
    def summary(
        self,
        session: Session,
        server: ServerRef,
        since: float | None = None,
        counted: Counted = Counted.HERE,
        until: float | None = None,
    ) -> Summary:
        """Sums up the games of a period; of those with real cards only their number is known."""
        at = id_of(session, ServerRow, server)
        rows = session.connection().execute(sa.select(*_by_months(at, MonthGamesRow, since, until).c)).all()
        noted = [row for row in rows if row.trump]
        games = sum(row.games for row in noted) or 1
        trumps = sorted(((row.trump, row.games) for row in noted), key=lambda pair: (-pair[1], pair[0]))
        with_cards = _number_with_cards(session, at, since, until) if counted is Counted.TOGETHER else 0

        return Summary(
            games=sum(row.games for row in rows) + with_cards,
            bouts=sum(row.bouts for row in noted) / games,
            seconds=sum(row.seconds for row in noted) / games,
            trumps=tuple(trumps),
            rivalry=_rivalry(session, at, since),
        )

    @reports
    def week(
        self,
        session: Session,
        server: ServerRef,
        since: float,
        until: float,
        counted: Counted = Counted.HERE,
    ) -> tuple[Broken, Broken]:
        """Returns the longest row of lost games that ended within a time, and the biggest take."""
        within = session, id_of(session, ServerRow, server), since, until
        return _broken_streak(*within, counted), _biggest_take(*within)

    @reports
    def seasons(
        self,
        session: Session,
        server: ServerRef,
        bounds: Sequence[tuple[float, float]],
        counted: Counted = Counted.HERE,
    ) -> list[Season]:
        """Returns the seasons that begin and end at these times and in which games were played."""
        at = id_of(session, ServerRow, server)
        told = list[Season]()

        for since, until in bounds:
            lasted = _by_months(at, MonthGamesRow, since, until)
            games = session.connection().execute(sa.select(func.sum(lasted.c.games))).scalar() or 0
            if counted is Counted.TOGETHER:
                games += _number_with_cards(session, at, since, until)

            if not games:
                continue

            numbers = _numbers_of(at, since, counted, until=until)
            (worst,) = _ranked(session, at, numbers, Ranking.FOOLS, most=1)
            (best,) = _ranked(session, at, numbers, Ranking.BEST, most=1)
            told.append(Season(since, int(games), worst, best))

        return told

    @reports
    def titles(self, session: Session, server: ServerRef, user: UserRef) -> Collection[Title]:
        """Returns the titles that a person has on a server."""
        deeds = _deeds(session, id_of(session, ServerRow, server), id_of(session, PlayerRow, user))
        return tuple(titles_of(list(deeds.values()), PRESETS))


def _best_first(of: Any) -> Sequence[sa.ColumnElement[Any]]:
    """Returns what a leaderboard sorts by, as `Standing.rank` does; `of` has the columns of a tally."""
    index = (of.fools + PRIOR) / (of.expected + PRIOR)
    is_new = case((of.games >= LEAST_GAMES, 0), else_=1)
    return is_new, func.round(index * 1e9), of.games.desc()


def _numbers_of(
    at: int,
    since: float | None,
    counted: Counted,
    person: int | None = None,
    until: float | None = None,
) -> sa.Subquery:
    """The numbers of everybody within a time, or of one person over all games."""
    cards = _with_cards(at, since, person, until)
    if counted is Counted.CARDS:
        return cards

    if since is None:
        tally = sa.inspect(TallyRow).columns
        is_theirs = sa.true() if person is None else tally.player_id == person
        query = sa.select(tally.player_id, *(tally[name] for name in tallies.NUMBERS))
        here = query.where(tally.server_id == at, is_theirs).subquery()
    else:
        here = _by_months(at, MonthTallyRow, since, until)

    if counted is Counted.HERE:
        return here

    return _summed(sa.select(*here.c, sa.literal(0).label("cards")), sa.select(*cards.c))


def _by_months(
    at: int,
    model: type[MonthTallyRow | MonthGamesRow],
    since: float | None = None,
    until: float | None = None,
) -> sa.Subquery:
    """Adds up the months of a server within a period, with the results at its edges."""
    names = [column.name for column in sa.inspect(model).columns if column.name not in {"server_id", "month"}]
    whole = sa.select(*(col(getattr(model, name)) for name in names)).where(col(model.server_id) == at)
    edges = []

    if since is not None:
        edges.append(tallies.nearest(since))
        whole = whole.where(col(model.month) >= edges[-1].month)

    if until is not None:
        ended = tallies.nearest(until)
        edges.append(ended._replace(sign=-ended.sign))
        whole = whole.where(col(model.month) < ended.month)

    count = tallies.fared if model is MonthTallyRow else tallies.lengths
    parts = [whole]
    for each in edges:
        if each.low < each.high:
            key, *numbers = count(*tallies.that_count(at, each.low, each.high)).subquery().c
            parts.append(sa.select(key, *((each.sign * number).label(number.name) for number in numbers)))

    return _summed(*parts)


def _summed(*parts: sa.Select[*tuple[Any, ...]]) -> sa.Subquery:
    """Adds up what these tell by their first column, wherever there are games."""
    key, *numbers = (both := sa.union_all(*parts).subquery()).c
    sums = [
        sa.cast(func.sum(each), sa.Float if each.name in {"expected", "seconds"} else sa.Integer).label(
            each.name
        )
        for each in numbers
    ]
    return sa.select(key, *sums).group_by(key).having(func.sum(both.c.games) > 0).subquery()


def _are_counted_cards(
    at: int, since: float | None = None, until: float | None = None
) -> list[sa.ColumnElement[bool]]:
    """The conditions for games with real cards of a server that count, from a time on, and before another."""
    game = CardGameRow
    conditions = [col(game.server_id) == at, col(game.counts).is_(True)]
    if since is not None:
        conditions.append(col(game.played_at) >= since)
    if until is not None:
        conditions.append(col(game.played_at) < until)
    return conditions


def _number_with_cards(
    session: Session, at: int, since: float | None = None, until: float | None = None
) -> int:
    """Counts the games with real cards of a server within a time."""
    counted = _are_counted_cards(at, since, until)
    return session.exec(select(func.count()).select_from(CardGameRow).where(*counted)).one()


def _with_cards(at: int, since: float | None, person: int | None, until: float | None = None) -> sa.Subquery:
    """The numbers of games with real cards: who was out first, and the like, is not recorded."""
    game = CardGameRow
    seat = CardSeatRow
    known = {
        "games": func.count(),
        "fools": tallies.number_of(col(seat.is_fool).is_(True)),
        "expected": sa.cast(func.sum(1.0 / col(game.players)), sa.Float),
    }

    return (
        sa.select(
            col(seat.player_id),
            *(known.get(name, sa.literal(0)).label(name) for name in tallies.NUMBERS),
            func.count().label("cards"),
        )
        .join(game, col(game.id) == seat.card_game_id)
        .where(
            *_are_counted_cards(at, since, until),
            sa.true() if person is None else col(seat.player_id) == person,
        )
        .group_by(col(seat.player_id))
        .subquery()
    )


def _ranked(
    session: Session, at: int, numbers: sa.Subquery, by: Ranking = Ranking.BEST, most: int | None = None
) -> list[Standing]:
    """Returns these numbers as standings, in this order, with what people are called on a server."""
    of = numbers.c
    order = _best_first(of) if by is Ranking.BEST else (of.fools.desc(), of.games)
    query = (
        sa.select(col(PlayerRow.platform), col(PlayerRow.ref), name_on(at))
        .add_columns(*(of[name] for name in (*tallies.NUMBERS, "cards") if name in of))
        .join(numbers, of.player_id == col(PlayerRow.id))
        .order_by(*order, of.player_id)
        .limit(most)
    )
    rows = session.connection().execute(query)

    return [Standing(UserRef(platform, ref), *rest) for platform, ref, *rest in rows]


def _rivalry(session: Session, at: int, since: float | None) -> Rivalry | None:
    """Returns the two players who decided most games between them, from a time on."""
    found = [row for each in _rivals(session, at, since) for row in session.connection().execute(each)]
    if not found:
        return None
    first = min(found, key=lambda row: (-row.decided, -row.games, row.one_id, row.other_id))
    both = select(PlayerRow.id, name_on(at)).where(col(PlayerRow.id).in_((first.one_id, first.other_id)))
    names = dict(session.exec(both).all())
    fools = first.one_fools, first.other_fools
    return Rivalry((names[first.one_id], names[first.other_id]), fools, first.games)


def _rivals(session: Session, at: int, since: float | None) -> Sequence[sa.Select[*tuple[Any, ...]]]:
    """Asks for the first of all duels from a time on: it is one of those that are found.

    A year is one that begins within a day of that time, as years do not begin everywhere at once.
    """
    if since is None:
        every = sa.inspect(DuelRow).columns
        return [_most_decided(every).where(every.server_id == at)]

    begun = tallies.nearest(since, tallies.YEAR)
    year = sa.inspect(YearDuelRow).columns
    of_year = (year.server_id == at) & (year.year == begun.month // tallies.YEAR)
    is_over = (
        select(YearDuelRow.year).where(year.server_id == at, year.year > begun.month // tallies.YEAR).limit(1)
    )
    if begun.high - begun.low > A_DAY or session.exec(is_over).first() is not None:
        return [_most_decided(tallies.duels(*tallies.that_count(at, since)).subquery().c)]

    moved = tallies.duels(*tallies.that_count(at, begun.low, begun.high)).subquery()
    in_both = of_year & (year.one_id == moved.c.one_id) & (year.other_id == moved.c.other_id)
    own, other, *numbers = moved.c
    sums = [(func.coalesce(year[each.name], 0) + begun.sign * each).label(each.name) for each in numbers]
    corrected = sa.select(own, other, *sums).select_from(moved).outerjoin(YearDuelRow, in_both).subquery()
    as_counted = _most_decided(year).outerjoin(moved, in_both).where(of_year, own.is_(None))

    return [_most_decided(corrected.c), as_counted]


def _most_decided(of: Any) -> sa.Select[*tuple[Any, ...]]:
    """Asks for the first of these duels."""
    return (
        sa.select(of.one_id, of.other_id, of.games, of.one_fools, of.other_fools, of.decided)
        .where(of.decided > 0, of.games >= LEAST_TOGETHER)
        .order_by(of.decided.desc(), of.games.desc(), of.one_id, of.other_id)
        .limit(1)
    )


def _results_of(session: Session, server: int, player: int, *names: str) -> list[Any]:
    """Returns these columns of a person's results of the games of a server that count, the oldest first.

    Their times, tables and games come before them.
    """
    result = sa.inspect(ResultRow).columns
    wanted = sa.select(*(result[name] for name in ("finished_at", "table_id", "game", *names)))
    # Asked for an order, SQLite would read all games of the server in that order to find this person's.
    query = wanted.where(*tallies.that_count(server), result.player_id == player)
    return sorted(session.connection().execute(query))


def _houses_beaten(session: Session, server: int, player: int) -> int:
    """Returns how often a house player lost a game that counts, and this person did not."""
    own = aliased(ResultRow)
    house = aliased(ResultRow)
    query = (
        select(func.count())
        .select_from(own)
        .join(house, tallies.is_same_game(own, house))
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

    return session.exec(query).one()


def _duels_of(session: Session, server: int, player: int) -> Iterator[Duel]:
    """Returns how one person fared against everybody they met on a server."""
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
    for met, them, name in session.exec(query):
        fools = met.one_fools, met.other_fools
        own, theirs = fools if met.one_id == player else fools[::-1]
        yield Duel(them.user_ref, name, met.games, own, theirs)


# --- the week, told, and seasons ---------------------------------------------------------------------------

STREAK_DAYS = 60  # how many days before a week a streak may have begun
MOST_REPLAYED = 300  # how many of a week's newest games are searched for the biggest take


def _broken_streak(
    session: Session, at: int, since: float, until: float, counted: Counted
) -> tuple[str, int] | None:
    """Returns the name of who lost most games in a row until one within a time, and their number."""
    began = since - STREAK_DAYS * A_DAY
    fates = _fates_here(session, at, began, until)
    if counted is Counted.TOGETHER:
        fates += _fates_with_cards(session, at, began, until)

    lost = Counter[int]()
    longest = 0
    loser = 0

    for ended, _, _, player, is_loser in sorted(fates):
        if is_loser:
            lost[player] += 1
            continue
        broken = lost.pop(player, 0)
        if ended >= since and broken > longest:
            longest = broken
            loser = player

    return (_name(session, at, loser), longest) if longest >= LEAST_STREAK else None


def _fates_here(session: Session, at: int, since: float, until: float) -> list[Any]:
    """Returns who lost which game and who did not: when it ended, its table and number, who, and whether."""
    result = ResultRow
    query = sa.select(
        col(result.finished_at),
        col(result.table_id),
        col(result.game),
        col(result.player_id),
        col(result.is_loser),
    )
    is_told = *tallies.that_count(at, since, until), col(result.player_id).is_not(None)

    return list(session.connection().execute(query.where(*is_told)))


def _fates_with_cards(session: Session, at: int, since: float, until: float) -> list[Any]:
    """Returns the same of games with real cards, which were at no table."""
    game = CardGameRow
    seat = CardSeatRow
    query = sa.select(
        col(game.played_at), sa.literal(0), col(game.id), col(seat.player_id), col(seat.is_fool)
    ).join(seat, col(seat.card_game_id) == game.id)
    return list(session.connection().execute(query.where(*_are_counted_cards(at, since, until))))


def _biggest_take(session: Session, at: int, since: float, until: float) -> tuple[str, int] | None:
    """Returns who took most cards at once in a game within a time, and how many."""
    result = ResultRow
    games = session.exec(
        select(result)
        .where(*tallies.that_count(at, since, until), result.seat == 0)
        .order_by(col(result.finished_at).desc())
        .limit(MOST_REPLAYED)
    ).all()
    most = 0
    taker = (0, 0, 0)

    for game in games:
        for step in _record(session, game.table_id, game.game).steps():
            for event in step.events:
                if isinstance(event, TakenUp) and len(event.cards) > most:
                    most = len(event.cards)
                    taker = (game.table_id, game.game, event.defender)

    if not most:
        return None

    row = session.get(ResultRow, taker)
    if row is None or row.player_id is None:
        return None

    return _name(session, at, row.player_id), most


def _name(session: Session, at: int, player: int) -> str:
    return session.exec(select(name_on(at)).where(PlayerRow.id == player)).one()


# --- titles ------------------------------------------------------------------------------------------------

EXPERT = "expert"
LEAST_EARLIER = 10  # games a server must have seen before its shortest one earns a title


def _deeds(session: Session, server: int, player: int) -> Mapping[tuple[int, int], Deed]:
    """Returns what a person's games on a server that count tell, by table and game, the oldest first."""
    openings = _openings_of_lost(session, server, player)
    deeds = dict[tuple[int, int], Deed]()
    shortest = 0
    told = ("seat", "players", "people", "place", "is_loser", "epaulettes", "bouts", "most_held")
    for row in _results_of(session, server, player, *told):
        key = (row.table_id, row.game)
        is_quickest = False
        experts = list[bool]()

        if row.place == 1 and row.bouts and (not shortest or row.bouts < shortest):
            shortest = row.bouts
            is_quickest = _is_shortest(session, server, row)

        if not row.is_loser and row.players - row.people >= LEAST_EXPERTS:
            here = ResultRow.table_id == row.table_id, ResultRow.game == row.game
            query = select(ResultRow.is_loser).where(*here, ResultRow.strength == EXPERT)
            experts = list(session.exec(query))

        opening = openings.get(key)
        level = opening.levels[row.seat] if opening is not None and opening.levels else 0
        deeds[key] = Deed(
            row.is_loser,
            row.epaulettes,
            is_quickest,
            experts_beaten=len(experts) if any(experts) else 0,
            is_up_to_the_ace=bool(row.epaulettes) and level == Rank.ACE,
            preset=_PRESET_BY.get(opening.rules, "") if opening is not None else "",
            escaped_from=row.most_held if row.place is not None and not row.is_loser else 0,
        )

    return deeds


_PRESET_BY = {rules: name for name, rules in PRESETS.items()}


def _openings_of_lost(session: Session, server: int, player: int) -> Mapping[tuple[int, int], Opening]:
    """Returns from what the games were dealt that a person has lost, by table and game."""
    result = ResultRow
    entry = EntryRow
    lost = col(result.player_id) == player, col(result.is_loser).is_(True)
    is_its_entry = (col(entry.table_id) == result.table_id) & (col(entry.game) == result.game)
    first = (
        select(result.table_id, func.min(entry.version))
        .join(entry, is_its_entry)
        .where(*tallies.that_count(server), *lost)
        .group_by(col(result.table_id), col(result.game))
    )
    query = select(entry.table_id, entry.game, entry.text)
    rows = session.exec(query.where(sa.tuple_(col(entry.table_id), col(entry.version)).in_(first)))

    return {(table, game): Opening.from_text(text) for table, game, text in rows}


def _is_shortest(session: Session, server: int, game: Any) -> bool:
    """Whether a game is the shortest of its server so far, which has seen enough of them."""
    earlier = select(ResultRow.bouts).where(
        sa.text(GAME), ResultRow.server_id == server, ResultRow.finished_at < game.finished_at
    )
    if session.exec(earlier.offset(LEAST_EARLIER - 1).limit(1)).first() is None:
        return False
    as_short = earlier.where(ResultRow.bouts <= game.bouts, ResultRow.bouts > 0)
    return session.exec(as_short.limit(1)).first() is None
